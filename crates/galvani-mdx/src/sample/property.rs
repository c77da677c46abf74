//! Every animated property, whatever it belongs to.

use std::collections::BTreeMap;

use galvani_core::Path;
use glam::{Quat, Vec2, Vec3};

use super::clip::Maker;
use super::curve::Curve;
use super::still::{Still, each_still, resting};
use crate::Document;
use crate::track::{Floats, Track, Value};

/// What a property is at a moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sampled {
    /// An index; −1 where a layer without keys has no texture.
    Index(i64),
    /// A number, a vector, a colour with blue first, or a rotation x, y, z, w.
    Floats(Floats),
}

/// An animated property: one track of the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Property {
    /// Where the track is.
    pub path: Path,
    /// What it animates.
    pub tag: [u8; 4],
    /// Its value where no key counts (facts §4.2).
    pub rest: Sampled,
}

/// The keys of a property that count in a sequence.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Keyed {
    /// Which property.
    pub(super) index: usize,
    clock: usize,
    curve: Any,
}

/// A curve of any kind.
#[derive(Debug, Clone, PartialEq)]
enum Any {
    Float(Curve<f32>),
    Index(Curve<u32>),
    Pair(Curve<Vec2>),
    Vector(Curve<Vec3>),
    Rotation(Curve<Quat>),
}

impl Keyed {
    pub(super) fn at(&self, times: &[f64], passed: &mut usize) -> Option<Sampled> {
        let time = *times.get(self.clock)?;
        Some(match &self.curve {
            Any::Float(curve) => Sampled::Floats(Floats::One(curve.at(time, passed)?)),
            Any::Index(curve) => Sampled::Index(curve.at(time, passed)?.into()),
            Any::Pair(curve) => Sampled::Floats(Floats::Two(curve.at(time, passed)?.to_array())),
            Any::Vector(curve) => Sampled::Floats(Floats::Three(curve.at(time, passed)?.to_array())),
            Any::Rotation(curve) => Sampled::Floats(Floats::Four(curve.at(time, passed)?.to_array())),
        })
    }
}

/// The properties of a model in file order. Events are none: they have moments, not values.
pub(super) fn properties(document: &Document) -> Vec<Property> {
    let mut owners: BTreeMap<Path, &dyn Still> = BTreeMap::new();
    each_still(document, |path, owner| {
        owners.insert(path, owner);
    });
    let mut found = Vec::new();
    document.each_track(|path, track| {
        if track.value != Value::Moment {
            let owner = owners.get(&path.parent()).map(|owner| (*owner, document.family()));
            found.push(Property { path, tag: track.tag, rest: resting(track, owner) });
        }
    });
    found
}

/// The properties of which any key counts, in file order.
pub(super) fn keyed(document: &Document, maker: &mut Maker) -> Vec<Keyed> {
    let (mut found, mut index) = (Vec::new(), 0_usize);
    document.each_track(|_, track| {
        if track.value != Value::Moment {
            found.extend(curve(track, maker).map(|(clock, curve)| Keyed { index, clock, curve }));
            index = index.saturating_add(1);
        }
    });
    found
}

fn curve(track: &Track, maker: &mut Maker) -> Option<(usize, Any)> {
    match track.value {
        Value::Moment => None,
        Value::Float => maker.curve(track).map(|(clock, curve)| (clock, Any::Float(curve))),
        Value::Number => maker.curve(track).map(|(clock, curve)| (clock, Any::Index(curve))),
        Value::Pair => maker.curve(track).map(|(clock, curve)| (clock, Any::Pair(curve))),
        Value::Vector => maker.curve(track).map(|(clock, curve)| (clock, Any::Vector(curve))),
        Value::Quaternion | Value::Packed => {
            maker.curve(track).map(|(clock, curve)| (clock, Any::Rotation(curve)))
        }
    }
}
