//! A sequence made shorter: what it shows in the part that stays is what it showed.

use galvani_core::{EditError, Path, room};

use super::curve::Curve;
use super::interpolation::ROUNDING;
use super::keys::{insert, sorted};
use super::sequences::{each_row, window, window_of, windows};
use super::track::{Found, pick};
use super::window::{Window, apart};
use super::{WINDOW, whole_timeline};
use crate::Document;
use crate::track::{Track, TrackValue};

/// What became of a sequence that was trimmed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trimmed {
    /// Keys that are gone.
    pub dropped: usize,
    /// Whether every curve is what it was but for rounding.
    pub is_exact: bool,
    /// How far one is from what it was, in units or in radians.
    pub off: f64,
}

/// Keeps the part of a sequence from one moment of the timeline to a later one, both in it. Curves that have keys in it get one at
/// each end where none is; its keys outside the part are dropped unless another sequence has them.
pub fn trim_sequence(
    document: &mut Document,
    index: usize,
    start: i64,
    end: i64,
) -> Result<Trimmed, EditError> {
    let all = windows(document);
    let (from, to) = window_of(&all, index)?;
    let path = Path::named("SEQS").index(index);
    let (first, last) = window(path, start, end)?;
    if first == last || start < from || end > to {
        let found = format!("from {start} to {end}, the sequence is from {from} to {to}");
        return Err(WINDOW.at(path).saying(found).into());
    }
    whole_timeline(document)?;
    room::probe(document.keys_len().saturating_mul(2))?;
    let (begin, finish) = window(path, from, to)?;
    let is_looping = document.sequences().get(index).is_some_and(|row| row.is_looping());
    let old = Window { start: begin, end: finish, is_looping };
    let inside = |time: i32, (start, end): (i64, i64)| (start..=end).contains(&i64::from(time));
    let stays = |time: i32| {
        let mut others = all.iter().enumerate().filter(|(i, _)| *i != index);
        !old.holds(time) || (first..=last).contains(&time) || others.any(|(_, row)| inside(time, *row))
    };
    let mut trimmed = Trimmed { dropped: 0, is_exact: true, off: 0.0 };
    let (mut made, mut outcome) = (Vec::new(), Ok(()));
    let mut at = 0;
    document.each_track(|path, track| {
        let found = Found { index: at, path, track };
        at = at.saturating_add(1);
        if outcome.is_err() || track.global != -1 || !track.times.iter().any(|time| old.holds(*time)) {
            return;
        }
        match cut(&found, old, [first, last], &mut trimmed)
            .and_then(|track| dropped(track, stays, &mut trimmed))
        {
            Ok(track) => made.push((found.index, track)),
            Err(refused) => outcome = Err(refused),
        }
    });
    outcome?;
    let mut next = made.into_iter().peekable();
    let mut at = 0_usize;
    document.change_tracks(|track| {
        let own = at;
        at = at.saturating_add(1);
        if let Some((_, made)) = next.next_if(|(index, _)| *index == own) {
            *track = made;
        }
        !track.times.is_empty()
    });
    each_row(document, |i, row| {
        if i == index {
            row.set(first, last);
        }
    });
    Ok(trimmed)
}

/// The track with a key at both ends.
fn cut(found: &Found<'_>, old: Window, ends: [i32; 2], trimmed: &mut Trimmed) -> Result<Track, EditError> {
    if found.track.value == TrackValue::Moment {
        return Ok(found.track.clone());
    }
    let before = sorted(found)?;
    let mut curve: Curve = before.clone();
    for time in ends {
        if curve.at(time).is_none() {
            insert(&mut curve, old, time, None);
        }
    }
    let off = apart(&before, &curve, &[old]);
    trimmed.off = trimmed.off.max(off);
    trimmed.is_exact &= off <= ROUNDING * before.largest().max(1.0);
    found.made(&curve, found.track.interpolation)
}

fn dropped(mut track: Track, stays: impl Fn(i32) -> bool, trimmed: &mut Trimmed) -> Result<Track, EditError> {
    let kept = track.times.iter().enumerate().filter(|(_, time)| stays(**time)).map(|(key, _)| key);
    let kept: Vec<usize> = room::collected(kept)?;
    trimmed.dropped = trimmed.dropped.saturating_add(track.times.len().saturating_sub(kept.len()));
    pick(&mut track, &kept)?;
    Ok(track)
}
