//! Everything of a model that moves, whatever the sequence: decoded once, shared by all its clips.

use std::collections::BTreeMap;
use std::sync::Arc;

use galvani_core::{Exhausted, Path, room};
use glam::{Quat, Vec2, Vec3};

use super::curve::{Animated, Keys, SharedTimes};
use super::property::Property;
use super::still::{Still, resting};
use crate::Document;
use crate::model::ModelEnd;
use crate::track::{Shape, Track, TrackValue};

/// The bit of MODL in WoW by which every track is linear (docs/notes/mdx-runtime.md#always-animate).
const ALWAYS_ANIMATED: u8 = 4;

/// The tracks of a model, decoded.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Source {
    pub(crate) node_count: usize,
    /// Lengths of the global sequences.
    pub(crate) globals: Vec<u32>,
    pub(crate) properties: Arc<[Property]>,
    pub(crate) tracks: Vec<Loaded>,
}

/// A track, decoded.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Loaded {
    /// Which property it is.
    pub(crate) property: usize,
    /// What of which node it moves.
    pub(crate) moves: Option<(usize, PropertyPart)>,
    pub(crate) global: i32,
    pub(crate) shape: Shape,
    pub(crate) keys: AnyKeys,
}

/// How many parts a node has.
const PARTS: usize = 3;

/// What a track moves of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PropertyPart {
    Translation,
    Rotation,
    Scale,
}

/// Keys of any kind.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum AnyKeys {
    Float(Arc<Keys<f32>>),
    Index(Arc<Keys<u32>>),
    Pair(Arc<Keys<Vec2>>),
    Vector(Arc<Keys<Vec3>>),
    Rotation(Arc<Keys<Quat>>),
}

impl AnyKeys {
    /// When they are.
    pub(crate) fn times(&self) -> &Arc<[i32]> {
        match self {
            AnyKeys::Float(keys) => &keys.times,
            AnyKeys::Index(keys) => &keys.times,
            AnyKeys::Pair(keys) => &keys.times,
            AnyKeys::Vector(keys) => &keys.times,
            AnyKeys::Rotation(keys) => &keys.times,
        }
    }
}

/// How often the keys are held while they are decoded: their order, their values, and the values shared.
const DECODED: usize = 4;

impl Source {
    /// The tracks of a model, decoded, if there is room for that.
    pub(crate) fn from_document(document: &Document) -> Result<Self, Exhausted> {
        room::probe(document.keys_len().saturating_mul(DECODED))?;
        let nodes = document.nodes();
        let by_path: BTreeMap<Path, usize> =
            (0..).zip(&nodes).map(|(i, placed)| (placed.path.field("node"), i)).collect();
        let mut owners: BTreeMap<Path, &dyn Still> = BTreeMap::new();
        document.each_record(&mut |at, record| {
            record.stills(at, &mut |path, owner| {
                owners.insert(path, owner);
            });
        });
        let is_linear = is_always_animated(document);
        let (mut properties, mut tracks, mut times) = (Vec::new(), Vec::new(), SharedTimes::new());
        // What of the nodes was met: of two tracks of a kind the first counts.
        let mut met: Vec<(usize, PropertyPart)> = Vec::new();
        document.each_track(|path, track| {
            // Events are no property: they have moments, not values.
            if track.value == TrackValue::Moment {
                return;
            }
            let record = path.parent();
            let moves = by_path.get(&record).and_then(|node| Some((*node, part(track)?)));
            let moves = moves.filter(|part| !met.iter().rev().take(PARTS).any(|met| met == part));
            met.extend(moves);
            let owner = owners.get(&record).map(|owner| (*owner, document.family()));
            let property = properties.len();
            properties.push(Property { path, tag: track.tag, rest: resting(track, owner) });
            let loaded = shape(track, is_linear).zip(keys(track, &mut times));
            tracks.extend(loaded.map(|(shape, keys)| Loaded {
                property,
                moves,
                global: track.global,
                shape,
                keys,
            }));
        });
        let globals = document.globals();
        Ok(Source { node_count: nodes.len(), globals, properties: properties.into(), tracks })
    }
}

impl Source {
    /// The length of the global sequence that a track runs by; of one that is not there 0, of none nothing.
    pub(crate) fn length_of(&self, global: i32) -> Option<u32> {
        let id = usize::try_from(global).ok()?;
        Some(self.globals.get(id).copied().unwrap_or(0))
    }
}

fn part(track: &Track) -> Option<PropertyPart> {
    Some(match &track.tag {
        b"KGTR" => PropertyPart::Translation,
        b"KGRT" => PropertyPart::Rotation,
        b"KGSC" => PropertyPart::Scale,
        _ => return None,
    })
}

/// How values follow each other: what is always animated has no steps but those of indices and visibility.
fn shape(track: &Track, is_linear: bool) -> Option<Shape> {
    let steps = track.is_visibility() || track.value == TrackValue::Number;
    if is_linear && !steps { Some(Shape::Linear) } else { track.shape() }
}

fn keys(track: &Track, times: &mut SharedTimes) -> Option<AnyKeys> {
    fn shared_keys<T: Animated>(track: &Track, times: &mut SharedTimes) -> Option<Arc<Keys<T>>> {
        Keys::from_track(track, times).map(Arc::new)
    }
    match track.value {
        TrackValue::Moment => None,
        TrackValue::Float => shared_keys(track, times).map(AnyKeys::Float),
        TrackValue::Number => shared_keys(track, times).map(AnyKeys::Index),
        TrackValue::Pair => shared_keys(track, times).map(AnyKeys::Pair),
        TrackValue::Vector => shared_keys(track, times).map(AnyKeys::Vector),
        TrackValue::Quaternion | TrackValue::Packed => shared_keys(track, times).map(AnyKeys::Rotation),
    }
}

fn is_always_animated(document: &Document) -> bool {
    document.model().is_some_and(|model| match model.end {
        ModelEnd::Wow(end) => end.flags & ALWAYS_ANIMATED != 0,
        ModelEnd::Warcraft(_) => false,
    })
}
