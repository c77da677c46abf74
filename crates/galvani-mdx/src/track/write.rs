//! Tracks → bytes, in the form they came in.

use galvani_core::Path;

use super::{Form, Track, Value};
use crate::check;
use crate::out::Out;

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
        out.refuse(check::LISTS.at(Path::of(track.name())).saying(found));
        return;
    }
    out.bytes(&track.tag);
    out.count(count);
    match track.form {
        Form::Generic if track.value != Value::Moment => {
            out.u32(track.interpolation);
            out.bytes(&track.global.to_le_bytes());
        }
        Form::Generic | Form::Simple => out.bytes(&track.global.to_le_bytes()),
        Form::Documented => {}
    }
    for (i, time) in track.times.iter().enumerate() {
        out.bytes(&time.to_le_bytes());
        for word in track.words(i).unwrap_or_default() {
            out.u32(*word);
        }
        if let Some((arriving, leaving)) = track.tangents(i).filter(|_| tangents > 0) {
            arriving.iter().chain(leaving).for_each(|word| out.u32(*word));
        }
    }
}
