//! Which track is meant.

use std::fmt;
use std::str::FromStr;

use galvani_core::{EditError, Exhausted, Path, room};

use super::curve::Curve;
use super::{NO_TRACK, TRACK_NAME, TRACK_REPEATED, VALUE};
use crate::track::{Track, TrackValue};
use crate::{Document, track};

/// The name of a track: its record's path and its tag. `node` between them may be left out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TrackRef(String);

impl fmt::Display for TrackRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for TrackRef {
    type Err = EditError;

    /// Takes what `validate` prints; what follows the tag, as `keys[2].time` does, is left out.
    fn from_str(name: &str) -> Result<Self, EditError> {
        let mut place = String::new();
        for step in name.trim().split('.').filter(|step| *step != "node") {
            if !place.is_empty() {
                place.push('.');
            }
            place.push_str(step);
            let tag = <[u8; 4]>::try_from(step.as_bytes()).ok();
            if place != step && tag.is_some_and(|tag| track::name_of(tag).is_some()) {
                return Ok(TrackRef(place));
            }
        }
        Err(TRACK_NAME.at(Path::root()).saying(format!("`{name}`")).into())
    }
}

impl From<Path> for TrackRef {
    fn from(path: Path) -> Self {
        TrackRef(path.to_string().split('.').filter(|step| *step != "node").collect::<Vec<_>>().join("."))
    }
}

impl TrackRef {
    /// The path of its record, its node left out.
    pub fn record(&self) -> &str {
        self.parts().0
    }

    /// Its tag.
    pub fn tag(&self) -> &str {
        self.parts().1
    }

    /// Both.
    pub(super) fn parts(&self) -> (&str, &str) {
        self.0.rsplit_once('.').unwrap_or_default()
    }
}

/// The names of all tracks in file order.
pub fn tracks(document: &Document) -> Vec<TrackRef> {
    let mut found = Vec::new();
    document.each_track(|path, _| found.push(path.into()));
    found
}

/// A track that was found.
pub(super) struct Found<'a> {
    /// Its place among all tracks.
    pub(super) index: usize,
    pub(super) path: Path,
    pub(super) track: &'a Track,
}

impl Found<'_> {
    /// The track with other keys. Refused if numbers would be too large for the file, or come from some that
    /// are none.
    pub(super) fn made(&self, curve: &Curve, interpolation: u32) -> Result<Track, EditError> {
        let made = curve.track(self.track, interpolation);
        if odd_numbers(&made) > odd_numbers(self.track) {
            return Err(VALUE
                .at(self.path)
                .saying("the curve leaves the range of the file's numbers")
                .into());
        }
        Ok(made)
    }
}

/// How many numbers of a track are none.
fn odd_numbers(track: &Track) -> usize {
    if !matches!(
        track.value,
        TrackValue::Float | TrackValue::Pair | TrackValue::Vector | TrackValue::Quaternion
    ) {
        return 0;
    }
    let lists = [&track.values, &track.in_tangents, &track.out_tangents];
    lists.into_iter().flatten().filter(|word| !f32::from_bits(**word).is_finite()).count()
}

/// Finds a track, or refuses.
pub(super) fn find<'a>(document: &'a Document, name: &TrackRef) -> Result<Found<'a>, EditError> {
    let mut found: Vec<Found<'a>> = Vec::new();
    let mut index: usize = 0;
    document.each_track(|path, track| {
        if track.name().as_bytes() == name.0.as_bytes().last_chunk::<4>().unwrap_or(&[0; 4])
            && TrackRef::from(path) == *name
        {
            found.push(Found { index, path, track });
        }
        index = index.saturating_add(1);
    });
    if found.len() > 1 {
        return Err(TRACK_REPEATED.at(Path::root()).saying(format!("`{name}`")).into());
    }
    found.pop().ok_or_else(|| NO_TRACK.at(Path::root()).saying(format!("`{name}`")).into())
}

/// Puts a track in place of another; one without keys is removed.
pub(super) fn replace_track(document: &mut Document, index: usize, made: Track) {
    let (mut made, mut at) = (Some(made), 0_usize);
    document.change_tracks(|track| {
        let is_it = at == index;
        at = at.saturating_add(1);
        if let Some(made) = made.take_if(|_| is_it) {
            *track = made;
            return !track.times.is_empty();
        }
        true
    });
}

/// Leaves a track these keys, in this order.
pub(super) fn pick(track: &mut Track, keys: &[usize]) -> Result<(), Exhausted> {
    let words = track.value.words();
    for list in [&mut track.values, &mut track.in_tangents, &mut track.out_tangents] {
        let key = |i: &usize| list.get(i.saturating_mul(words)..).and_then(|rest| rest.get(..words));
        *list = room::collected(keys.iter().filter_map(key).flatten().copied())?;
    }
    track.times = room::collected(keys.iter().filter_map(|i| track.times.get(*i).copied()))?;
    Ok(())
}
