//! How the values of a track follow each other (docs/notes/mdx-runtime.md#curves).

use super::{Track, TrackValue};

/// Tracks that are on or off: the game takes steps, whatever their head says
/// (docs/notes/mdx-runtime.md#keys).
const VISIBILITY: [&[u8; 4]; 6] = [b"KLAV", b"KATV", b"KPEV", b"KP2V", b"KRVS", b"KVIS"];

/// How values follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Each holds until the next.
    Step,
    /// Straight from one to the next.
    Linear,
    /// A cubic through the keys, with the slopes at which it leaves and arrives.
    Hermite,
    /// A cubic with two control points between keys.
    Bezier,
    /// Hermite and bezier of rotations.
    Squad,
}

impl Track {
    /// How its values follow each other: indices and visibility step, whatever their head says. Nothing if
    /// nobody knows its interpolation.
    pub fn shape(&self) -> Option<Shape> {
        Some(match (self.value, self.interpolation) {
            (TrackValue::Number | TrackValue::Moment, _) | (_, 0) => Shape::Step,
            _ if self.is_visibility() => Shape::Step,
            (_, 1) => Shape::Linear,
            (value, 2 | 3) if value.is_rotation() => Shape::Squad,
            (_, 2) => Shape::Hermite,
            (_, 3) => Shape::Bezier,
            _ => return None,
        })
    }

    /// Whether it says when something is shown: a step from off to on and back.
    pub fn is_visibility(&self) -> bool {
        is_visibility(self.tag)
    }
}

/// The same of a tag.
pub(crate) fn is_visibility(tag: [u8; 4]) -> bool {
    VISIBILITY.contains(&&tag)
}
