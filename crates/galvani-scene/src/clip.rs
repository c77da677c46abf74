//! Motions: curves over time, each moving one thing.

use crate::{Id, scene::Node};

/// A motion of the whole scene.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Clip {
    /// What it is called.
    pub name: String,
    /// How long it is, in seconds; keys may end earlier.
    pub duration: f32,
    /// What moves. What does not, stays at rest.
    pub tracks: Vec<Track>,
}

/// What a curve moves.
#[derive(Debug, Clone, PartialEq)]
pub enum Track {
    /// A node's place in its parent's space.
    Translation(Id<Node>, Curve<[f32; 3]>),
    /// How a node is turned: x, y, z, w.
    Rotation(Id<Node>, Curve<[f32; 4]>),
}

impl Track {
    /// The node.
    pub fn node(&self) -> Id<Node> {
        match self {
            Track::Translation(node, _) | Track::Rotation(node, _) => *node,
        }
    }

    /// The times of its keys.
    pub fn times(&self) -> &[f32] {
        match self {
            Track::Translation(_, curve) => &curve.times,
            Track::Rotation(_, curve) => &curve.times,
        }
    }

    /// How values lie between two keys.
    pub fn interp(&self) -> Interp {
        match self {
            Track::Translation(_, curve) => curve.interp,
            Track::Rotation(_, curve) => curve.interp,
        }
    }
}

/// Values at times. Before the first and behind the last key it stands still.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve<V> {
    /// Rising, in seconds.
    pub times: Vec<f32>,
    /// One per time.
    pub values: Vec<V>,
    /// How values lie between two keys.
    pub interp: Interp,
}

/// How values lie between two keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Interp {
    /// The first key's, until the second comes.
    Step,
    /// On a straight line; rotations on the shorter arc.
    Linear,
}
