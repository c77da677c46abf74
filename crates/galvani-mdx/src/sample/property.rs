//! Every animated property, whatever it belongs to.

use galvani_core::Path;
use glam::{Quat, Vec2, Vec3};

use super::curve::{Curve, Spot};
use crate::track::Floats;

/// What a property is at a moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sampled {
    /// An index; −1 where a layer without keys has no texture.
    Index(i64),
    /// A number, a vector, a colour with blue first, or a rotation.
    Floats(Floats),
}

/// An animated property: one track of the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Property {
    /// Where the track is.
    pub path: Path,
    /// What it animates.
    pub tag: [u8; 4],
    /// Its value where no key counts (docs/notes/mdx-runtime.md#defaults).
    pub rest: Sampled,
}

/// A curve of any kind.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum AnyCurve {
    Float(Curve<f32>),
    Index(Curve<u32>),
    Pair(Curve<Vec2>),
    Vector(Curve<Vec3>),
    Rotation(Curve<Quat>),
}

impl AnyCurve {
    /// Its value where a time lies, as [`Curve::at`].
    pub(super) fn at(&self, spot: Spot) -> Option<Sampled> {
        Some(match self {
            AnyCurve::Float(curve) => Sampled::Floats(Floats::One(curve.at(spot)?)),
            AnyCurve::Index(curve) => Sampled::Index(curve.at(spot)?.into()),
            AnyCurve::Pair(curve) => Sampled::Floats(Floats::Two(curve.at(spot)?.to_array())),
            AnyCurve::Vector(curve) => Sampled::Floats(Floats::Three(curve.at(spot)?.to_array())),
            AnyCurve::Rotation(curve) => Sampled::Floats(Floats::Rotation(curve.at(spot)?)),
        })
    }
}
