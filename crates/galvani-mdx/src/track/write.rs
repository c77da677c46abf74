//! Tracks → bytes, in the form they came in.

use galvani_core::Path;
use galvani_core::record::Tag;

use super::{Form, Track, TrackValue};
use crate::check;
use crate::out::Out;
use crate::wire::key;

/// Writes tracks one after the other.
pub(crate) fn write_all(tracks: &[Track], out: &mut Out) {
    for track in tracks {
        write(track, out);
    }
}

fn write(track: &Track, out: &mut Out) {
    let (count, words) = (track.times.len(), track.value.words());
    let wanted = count.saturating_mul(words);
    let tangents = if track.has_tangents() { wanted } else { 0 };
    let found = [track.values.len(), track.in_tangents.len(), track.out_tangents.len()];
    if found != [wanted, tangents, tangents] {
        let found = format!("{count} keys of {words} words, but lists of {found:?} words");
        out.refuse(check::LISTS.at(Path::named(track.name())).saying(found));
        return;
    }
    head(track, out);
    match (words, track.has_tangents()) {
        (0, _) => track.times.iter().for_each(|time| out.bytes(&time.to_le_bytes())),
        (1, false) => gather::<1, 2>(track, out),
        (1, true) => gather::<1, 4>(track, out),
        (2, false) => gather::<2, 3>(track, out),
        (2, true) => gather::<2, 7>(track, out),
        (3, false) => gather::<3, 4>(track, out),
        (3, true) => gather::<3, 10>(track, out),
        (_, false) => gather::<4, 5>(track, out),
        (_, true) => gather::<4, 13>(track, out),
    }
}

fn head(track: &Track, out: &mut Out) {
    let (tag, global) = (Tag(track.tag.into()), track.global.into());
    // More keys than can be counted make a file that is refused as too large.
    let count = u32::try_from(track.times.len()).unwrap_or(u32::MAX).into();
    match track.form {
        Form::Generic if track.value != TrackValue::Moment => {
            out.record(&key::Head { tag, count, interpolation: track.interpolation.into(), global });
        }
        Form::Generic | Form::Simple => out.record(&key::SimpleHead { tag, count, global }),
        Form::Documented => out.record(&key::BareHead { tag, count }),
    }
}

/// Writes keys from their lists; a value has `N` words, a key `ALL` with its time, its value and perhaps two
/// tangents. Of known lengths, because keys are most of a file.
fn gather<const N: usize, const ALL: usize>(track: &Track, out: &mut Out) {
    let keys = out.words(track.times.len().saturating_mul(ALL)).as_chunks_mut::<ALL>().0;
    for (key, time) in keys.iter_mut().zip(&track.times) {
        key.first_mut().into_iter().for_each(|word| *word = time.to_le_bytes());
    }
    let lists = [&track.values, &track.in_tangents, &track.out_tangents];
    for (list, start) in lists.into_iter().zip((1..ALL).step_by(N)) {
        for (key, value) in keys.iter_mut().zip(list.as_chunks::<N>().0) {
            if let Some(words) = key.get_mut(start..).and_then(|rest| rest.first_chunk_mut::<N>()) {
                *words = value.map(u32::to_le_bytes);
            }
        }
    }
}
