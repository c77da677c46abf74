//! Where a node is in the model: place, turn and scale baked together, on the same times.

use galvani_scene::{Blend, Curve, Id, Node, Track};
use glam::{Quat, Vec3};

/// How far places may be off because they are of single precision, of their distance from the middle.
const ROUNDING: f32 = 1e-6;

/// Where a node is.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodePlace {
    pub(super) translation: Vec3,
    pub(super) rotation: Quat,
    pub(super) scale: Vec3,
    /// How far places may be off, and turns and scales.
    pub(super) tolerances: [f32; 2],
}

impl Blend for NodePlace {
    fn linear(a: Self, b: Self, part: f32) -> Self {
        NodePlace {
            translation: Blend::linear(a.translation, b.translation, part),
            rotation: Blend::linear(a.rotation, b.rotation, part),
            scale: Blend::linear(a.scale, b.scale, part),
            tolerances: a.tolerances,
        }
    }

    fn hermite([a, _, _, b]: [Self; 4], part: f32) -> Self {
        Blend::linear(a, b, part)
    }

    fn bezier([a, _, _, b]: [Self; 4], part: f32) -> Self {
        Blend::linear(a, b, part)
    }

    /// In parts of the tolerances, of all three the farthest; what rounding alone makes does not count.
    fn distance(self, other: Self) -> f32 {
        let [length, part] = self.tolerances;
        let moved = self.translation.distance(other.translation) - ROUNDING * self.translation.length();
        let turned = self.rotation.distance(other.rotation);
        let scaled = self.scale.distance(other.scale) / self.scale.length().max(1.0);
        (turned.max(scaled) / part).max(moved / length)
    }

    fn is_finite(self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }
}

/// The tracks of a node that is baked.
pub(super) fn tracks(node: Id<Node>, places: Curve<NodePlace>) -> [Track; 3] {
    let Curve { times, values, .. } = places;
    let translations = values.iter().map(|place| place.translation).collect();
    let rotations = values.iter().map(|place| place.rotation).collect();
    let scales = values.iter().map(|place| place.scale).collect();
    [
        Track::Translation(node, Curve::linear(times.clone(), translations)),
        Track::Rotation(node, Curve::linear(times.clone(), rotations)),
        Track::Scale(node, Curve::linear(times, scales)),
    ]
}
