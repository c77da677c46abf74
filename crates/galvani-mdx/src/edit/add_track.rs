//! Whole tracks: added to records, and removed.

use galvani_core::{EditError, Path, Reading};

use super::interpolation::Interpolation;
use super::keys::{any, insert_outside, is_on_timeline, value};
use super::track::{self, Found, TrackRef};
use super::{DAMAGED, INTERPOLATION, NO_RECORD, TRACK_OWNER, TRACK_THERE};
use crate::track::{Form, Track, TrackValue, tracks_of};
use crate::visit::{Room, Seen};
use crate::{Content, Document};

/// Adds a track with one key to a record that may have such a track and has none. It runs by the sequences, and
/// its curve stands still at the key.
///
/// It stands among others where the format lists it. Its head has the form of theirs; without others the form
/// that real files have, or the document's where the model was asked to be read so. The document's form has no
/// place for an interpolation but linear, and a number there may be two or three. Says the length of a rotation
/// that was not 1 and so was normalised.
pub fn add_track(
    document: &mut Document,
    name: &TrackRef,
    kind: Interpolation,
    time: i32,
    values: &[f64],
) -> Result<Option<f64>, EditError> {
    let place = NewTrack::find(document, name)?;
    let head = place.head(kind, values.len())?;
    let found = Found { index: place.room, path: place.path, track: &head };
    is_on_timeline(document, &found, time)?;
    let given = value(&found, values)?;
    let mut curve = any(&found)?;
    insert_outside(&mut curve, time, Some(given.point));
    let made = found.made(&curve, head.interpolation)?;
    place.insert(document, made);
    Ok(given.odd_length)
}

/// Removes a track and all its keys. `KEVT` of Warcraft III stays without keys: nothing else would tell that it
/// is missing.
pub fn remove_track(document: &mut Document, name: &TrackRef) -> Result<(), EditError> {
    let found = track::find(document, name)?;
    let Track { tag, form, interpolation, global, value, .. } = *found.track;
    let bare = Track { interpolation, global, ..Track::new(tag, form, value) };
    let index = found.index;
    track::replace_track(document, index, bare);
    Ok(())
}

/// Where a new track comes.
pub(super) struct NewTrack {
    /// The place of its room among all rooms.
    room: usize,
    /// Its place in that room.
    index: usize,
    path: Path,
    tag: [u8; 4],
    value: TrackValue,
    /// Whether its head is the document's.
    is_documented: bool,
}

/// Whether a new track has the document's head: all tracks of a model have one form.
fn is_documented(document: &Document) -> bool {
    let mut first = None;
    document.each_track(|_, track| {
        if track.value != TrackValue::Moment && first.is_none() {
            first = Some(track.form);
        }
    });
    first.map_or(document.new_tracks == Reading::Documented, |form| form == Form::Documented)
}

impl NewTrack {
    /// Finds the room for a track, or refuses.
    pub(super) fn find(document: &mut Document, name: &TrackRef) -> Result<Self, EditError> {
        let (record, tag) = name.parts();
        let (family, version) = (document.family(), document.version);
        let is_documented = is_documented(document);
        let (mut room, mut found, mut others) = (0_usize, None, Vec::new());
        document.change_rooms(|path, owner, tracks| {
            let at = room;
            room = room.saturating_add(1);
            if !is_at(path, record) {
                return;
            }
            let kinds: Vec<_> = tracks_of(owner, family, version).collect();
            let Some(kind) = kinds.iter().position(|(name, _)| *name == tag) else {
                others.extend(kinds.iter().map(|(name, _)| *name));
                return;
            };
            let (name, value) = kinds.get(kind).copied().unwrap_or(("", TrackValue::Moment));
            let there = tracks.list();
            let rank = |track: &Track| kinds.iter().position(|(name, _)| name.as_bytes() == track.tag);
            let before = there.iter().rposition(|track| rank(track).is_some_and(|rank| rank < kind));
            found = Some((
                NewTrack {
                    room: at,
                    index: before.map_or(0, |before| before.saturating_add(1)),
                    path: path.field(name),
                    tag: <[u8; 4]>::try_from(name.as_bytes()).unwrap_or_default(),
                    value,
                    is_documented,
                },
                there.iter().any(|track| track.name() == name),
            ));
        });
        match found {
            Some((place, false)) => Ok(place),
            Some((place, true)) => Err(TRACK_THERE.at(place.path).into()),
            None if others.is_empty() => Err(no_record(document, record)),
            None => {
                let found = format!("`{record}` has no {tag}; it may have {}", others.join(", "));
                Err(TRACK_OWNER.at(Path::root()).saying(found).into())
            }
        }
    }

    /// Where it will stand.
    pub(super) fn path(&self) -> Path {
        self.path
    }

    /// The track without keys, for values of so many numbers.
    pub(super) fn head(&self, kind: Interpolation, numbers: usize) -> Result<Track, EditError> {
        let form = match self.value {
            TrackValue::Moment => Form::Simple,
            _ if self.is_documented => Form::Documented,
            _ => Form::Generic,
        };
        let value = match (form, self.value, numbers) {
            (Form::Documented, TrackValue::Float, 2) => TrackValue::Pair,
            (Form::Documented, TrackValue::Float, 3) => TrackValue::Vector,
            (_, value, _) => value,
        };
        let wanted = match (form, value) {
            (_, TrackValue::Moment | TrackValue::Number) => Some(Interpolation::Step),
            (Form::Documented, _) => Some(Interpolation::Linear),
            _ => None,
        };
        if let Some(wanted) = wanted.filter(|wanted| *wanted != kind) {
            let found = format!("{} wanted, {} found", wanted.word(), kind.word());
            return Err(INTERPOLATION.at(self.path.field("interpolation")).saying(found).into());
        }
        // What a head without interpolation is read as.
        let kind = if form == Form::Documented { Interpolation::Linear } else { kind };
        Ok(Track { interpolation: kind.number(), ..Track::new(self.tag, form, value) })
    }

    /// Puts the track there.
    pub(super) fn insert(&self, document: &mut Document, made: Track) {
        let (mut made, mut at) = (Some(made), 0_usize);
        document.change_rooms(|_, _, room| {
            let is_it = at == self.room;
            at = at.saturating_add(1);
            match room {
                _ if !is_it => {}
                Room::List(tracks) => {
                    tracks.splice(self.index..self.index, made.take()).for_each(drop);
                }
                Room::One(track) | Room::Fixed(track) => *track = made.take(),
            }
        });
    }
}

/// Whether a path is that of a record, its node left out.
fn is_at(path: Path, record: &str) -> bool {
    let path = path.to_string();
    path.split('.').filter(|step| *step != "node").eq(record.split('.'))
}

/// Says whether a record is not there or could not be read.
fn no_record(document: &Document, record: &str) -> EditError {
    let mut damaged: Option<Path> = None;
    for (i, first, chunk) in document.placed() {
        let is_its = record.as_bytes().first_chunk() == Some(&chunk.tag);
        if is_its && matches!(&chunk.content, Content::Raw(raw) if raw.damage.is_some()) {
            damaged.get_or_insert(Path::named("chunks").index(i));
        }
        let mut look = |path: Path| {
            if is_at(path, record) || (is_its && record.starts_with(&format!("{path}."))) {
                damaged.get_or_insert(path);
            }
        };
        chunk.content.held(first, &mut |path, seen| match seen {
            Seen::Raw(_) => look(path()),
            Seen::Typed(record) => record.broken(path, &mut |path, _| look(path())),
        });
    }
    let missing = || NO_RECORD.at(Path::root()).saying(format!("`{record}`"));
    damaged.map_or_else(missing, |path| DAMAGED.at(path)).into()
}
