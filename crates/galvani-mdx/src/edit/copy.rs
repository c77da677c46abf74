//! A sequence of another model: nodes are matched by their names.

use std::collections::BTreeMap;

use galvani_core::{EditError, Path, room, text};

use super::add_track::NewTrack;
use super::curve::{Curve, CurvePart, KeyWords};
use super::interpolation::{Interpolation, set_interpolation};
use super::sequences::{Row, add_sequence, each_row, window_of, windows};
use super::track::{self, Found, TrackRef};
use super::{KEY_ORDER, NO_SHARED_NODE, whole_timeline};
use crate::track::{Track, TrackValue};
use crate::{Document, Placed, Sequence};

/// What became of a copy.
#[derive(Debug, Clone, PartialEq)]
pub struct Copied {
    /// The new sequence.
    pub sequence: usize,
    /// Tracks that got keys.
    pub tracks: usize,
    /// How far a curve may be from the other's, in units or in radians: more than rounding only where tracks are interpolated in
    /// different ways.
    pub off: f64,
    /// What moves in the other's sequence and has no match here: nodes by their names, everything else by its path.
    pub missing: Vec<String>,
}

/// How far a curve may be off that is interpolated in another way here.
const TOLERANCE: f64 = 1e-3;

/// How far behind everything else a sequence begins.
const GAP: i64 = 1000;

/// Adds a sequence of another model behind all others, with its name, speed, looping and bounds, and gives the nodes that are
/// called the same the keys that theirs have in it. What runs by global sequences, and what belongs to no node, is not copied.
pub fn copy_sequence(document: &mut Document, other: &Document, index: usize) -> Result<Copied, EditError> {
    let (from, to) = window_of(&windows(other), index)?;
    whole_timeline(other)?;
    whole_timeline(document)?;
    let matches = matches(document, other);
    if !matches.values().any(Option::is_some) {
        let found = format!("{} nodes here, {} there", document.nodes().len(), other.nodes().len());
        return Err(NO_SHARED_NODE.at(Path::root()).saying(found).into());
    }
    room::probe(document.keys_len().saturating_add(other.keys_len()).saturating_mul(2))?;
    let (mut made, mut source) = (document.clone(), other.clone());
    let start = behind(document);
    let rows = other.sequences();
    let name = rows.get(index).map(|row| other.sequence_name(*row).into_owned()).unwrap_or_default();
    let sequence = add_sequence(&mut made, &name, start, start.saturating_add(to.saturating_sub(from)))?;
    if let Some(row) = rows.get(index) {
        follow(&mut made, sequence, *row);
    }
    let mut copied = Copied { sequence, tracks: 0, off: 0.0, missing: Vec::new() };
    for name in track::tracks(other) {
        let found = track::find(other, &name)?;
        let moves = |time: &i32| (from..=to).contains(&i64::from(*time));
        if found.track.global != -1 || !found.track.times.iter().any(moves) {
            continue;
        }
        let own = matches.get(name.record()).cloned().flatten().and_then(|own| own.track(&name));
        // The record may be of a kind, or of a family, that has no such track.
        let has_room =
            |own: &TrackRef| track::find(document, own).is_ok() || NewTrack::find(&mut made, own).is_ok();
        let Some(own) = own.filter(has_room) else {
            let is_matched = matches.get(name.record()).is_some_and(Option::is_some);
            let known = if is_matched { None } else { node_name(other, name.record()) };
            let said = known.unwrap_or_else(|| name.to_string());
            if !copied.missing.contains(&said) {
                copied.missing.push(said);
            }
            continue;
        };
        let shift = i32::try_from(start.saturating_sub(from)).unwrap_or(0);
        let off = keys(&mut made, &own, (&mut source, &name), moves, shift)?;
        copied.off = copied.off.max(off);
        copied.tracks = copied.tracks.saturating_add(1);
    }
    *document = made;
    Ok(copied)
}

/// A node here that is called like one there.
#[derive(Debug, Clone)]
struct Match {
    record: String,
    /// Whether both belong to the same kind of record, so that what is the record's own goes with it.
    is_alike: bool,
}

impl Match {
    /// The track here that is meant by one there.
    fn track(&self, name: &TrackRef) -> Option<TrackRef> {
        let is_of_node = ["KGTR", "KGRT", "KGSC"].contains(&name.tag());
        let own = format!("{}.{}", self.record, name.tag());
        (is_of_node || self.is_alike).then_some(own)?.parse().ok()
    }
}

/// For the record of every node there what matches it here.
fn matches(document: &Document, other: &Document) -> BTreeMap<String, Option<Match>> {
    let called = |placed: &Placed<'_>| text::shown(&placed.node.fixed.name.0).to_lowercase();
    let own = document.nodes();
    let mut by_name: BTreeMap<String, &Placed<'_>> = BTreeMap::new();
    for placed in &own {
        by_name.entry(called(placed)).or_insert(placed);
    }
    let found = |placed: &Placed<'_>| {
        let own = by_name.get(&called(placed))?;
        Some(Match { record: own.path.to_string(), is_alike: own.kind == placed.kind })
    };
    other.nodes().iter().map(|placed| (placed.path.to_string(), found(placed))).collect()
}

/// What the node of a record is called.
fn node_name(document: &Document, record: &str) -> Option<String> {
    let nodes = document.nodes();
    let placed = nodes.iter().find(|placed| placed.path.to_string() == record)?;
    Some(text::shown(&placed.node.fixed.name.0).into_owned())
}

/// The first whole second behind every sequence and key.
fn behind(document: &Document) -> i64 {
    let mut last = windows(document).iter().map(|(_, end)| *end).max().unwrap_or(-GAP).max(-GAP);
    document.each_track(|_, track| {
        let times = track.times.iter().filter(|_| track.global == -1);
        last = times.map(|time| i64::from(*time)).fold(last, i64::max);
    });
    last.div_euclid(GAP).saturating_add(1).saturating_mul(GAP)
}

/// What a sequence says of itself goes with it, as far as its family here can say it.
fn follow(document: &mut Document, sequence: usize, like: Sequence<'_>) {
    each_row(document, |i, row| {
        if i != sequence {
            return;
        }
        match (row, like) {
            (Row::Warcraft(row), Sequence::Warcraft(like)) => {
                let (name, start, end) = (row.name, row.start, row.end);
                *row = crate::wire::SequenceWarcraft { name, start, end, ..*like };
            }
            (Row::Wow(row), Sequence::Wow(like)) => {
                let (name, start, end) = (row.name, row.start, row.end);
                *row = crate::wire::SequenceWow { name, start, end, ..*like };
            }
            (Row::Warcraft(row), Sequence::Wow(like)) => {
                (row.move_speed, row.flags) = (like.move_speed, like.flags);
                (row.radius, row.min, row.max) = (like.radius, like.min, like.max);
            }
            (Row::Wow(row), Sequence::Warcraft(like)) => {
                (row.move_speed, row.flags) = (like.move_speed, like.flags);
                (row.radius, row.min, row.max) = (like.radius, like.min, like.max);
            }
        }
    });
}

/// Gives a track the keys that another has at some moments, that much later; says how far its curve may be from the other's.
fn keys(
    made: &mut Document,
    own: &TrackRef,
    (source, name): (&mut Document, &TrackRef),
    moves: impl Fn(&i32) -> bool,
    shift: i32,
) -> Result<f64, EditError> {
    let is_there = track::find(made, own).is_ok();
    let mut off: f64 = 0.0;
    if is_there {
        let wanted = track::find(made, own)?.track.interpolation;
        let is_other = track::find(source, name)?.track.interpolation != wanted;
        if let Some(kind) = Interpolation::from_word(&wanted.to_string()).filter(|_| is_other) {
            off = set_interpolation(source, name, kind, TOLERANCE)?.off;
        }
    }
    let found = track::find(source, name)?;
    let curve = super::keys::any(&found)?;
    if !curve.is_sorted() {
        return Err(KEY_ORDER.at(found.path).saying("in the other model").into());
    }
    let part: Vec<usize> =
        (0..).zip(&curve.keys).filter(|(_, key)| moves(&key.time)).map(|(i, _)| i).collect();
    let moved = |into: &Curve, key: usize| -> KeyWords {
        let [value, inn, out] =
            [CurvePart::Value, CurvePart::In, CurvePart::Out].map(|part| curve.point(key, part));
        let time = curve.keys.get(key).map_or(0, |key| key.time).saturating_add(shift);
        into.key(time, value, inn, out)
    };
    if is_there {
        let found = track::find(made, own)?;
        let mut into = super::keys::any(&found)?;
        let new: Vec<KeyWords> = part.iter().map(|key| moved(&into, *key)).collect();
        into.keys.extend(new);
        let (index, track) = (found.index, found.made(&into, found.track.interpolation)?);
        track::replace_track(made, index, track);
    } else {
        let place = NewTrack::find(made, own)?;
        let kind = Interpolation::from_word(&found.track.interpolation.to_string());
        let kind = if found.track.value == TrackValue::Moment { None } else { kind };
        let head: Track = place.head(kind.unwrap_or(Interpolation::Step), found.track.value.words())?;
        let new = Found { index: 0, path: place.path(), track: &head };
        let mut into = super::keys::any(&new)?;
        let keys: Vec<KeyWords> = part.iter().map(|key| moved(&into, *key)).collect();
        into.keys.extend(keys);
        let track = new.made(&into, head.interpolation)?;
        place.insert(made, track);
    }
    Ok(off)
}
