//! What can be asked of a model: what is drawn of it, and what a ray meets.

use glam::Vec3;

use super::RootOption;

/// What is to be drawn, or picked from.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DrawView {
    /// Level: 0 to 2, -1 for the current one.
    pub lod: i8,
    /// Group: 0 to 4, -1 for the current one.
    pub group: i8,
    /// When.
    pub time: f32,
    /// Whether the first node's translation is left out, as the engine does.
    pub root: RootOption,
    /// Flags of which one at least must be set; 0 for any.
    pub mask: u32,
    /// Flags of which none may be set.
    pub without: u32,
}

/// A ray: its origin and its direction.
pub type Ray = [f32; 6];

/// A plane as x, y, z, d; what is below 0 is outside.
pub type Plane = [f32; 4];

/// Which of a node's slots count: level and group as the documentation calls them; as observed they are the state of
/// damage and the level of detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlotChoice {
    /// First index of the slots.
    pub lod: u8,
    /// Second index.
    pub group: u8,
    /// Whether the later meaning holds.
    pub is_observed: bool,
}

/// One call with which the engine draws something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawCall {
    /// The node whose matrix counts.
    pub node: usize,
    /// Its name.
    pub name: String,
    /// Which of its slots.
    pub slots: SlotChoice,
    /// The slot.
    pub slot: u16,
    /// The batch.
    pub batch: usize,
    /// Its flags.
    pub flags: u32,
    /// Its material.
    pub material: u16,
    /// First index.
    pub index_start: u32,
    /// Indices.
    pub index_count: u16,
    /// Added to every index.
    pub base_vertex: u32,
}

/// What a ray meets first.
#[derive(Debug, Clone, PartialEq)]
pub struct RayHit {
    /// The node.
    pub node: usize,
    /// Its name.
    pub name: String,
    /// Which of its slots.
    pub slots: SlotChoice,
    /// The slot.
    pub slot: u16,
    /// The batch of the triangle.
    pub batch: usize,
    /// The triangle.
    pub triangle: usize,
    /// Its flags.
    pub flags: u16,
    /// How far from the ray's origin.
    pub distance: f32,
    /// Where.
    pub position: Vec3,
    /// Weights of the three corners; together 1.
    pub barycentrics: [f32; 3],
    /// What lies across the edges 0, 1 and 2.
    pub neighbours: [EdgeNeighbour; 3],
    /// What the engine's tests say of the node.
    pub node_tests: Vec<&'static str>,
}

/// What lies across an edge of a triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EdgeNeighbour {
    /// The triangle there, as stored.
    pub triangle: Option<u16>,
    /// Which of its edges it is.
    pub edge: Option<u16>,
}
