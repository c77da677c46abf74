//! What can be asked of a model: what is drawn of it, and what a ray meets.

use super::Root;

/// What is to be drawn, or picked from.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Shown {
    /// Level: 0 to 2, -1 for the current one.
    pub lod: i8,
    /// Group: 0 to 4, -1 for the current one.
    pub group: i8,
    /// When.
    pub time: f32,
    /// Whether the first node's translation is left out, as the engine does.
    pub root: Root,
    /// Flags of which one at least must be set; 0 for any.
    pub mask: u32,
    /// Flags of which none may be set.
    pub without: u32,
}

/// A ray: its origin and its direction.
pub type Ray = [f32; 6];

/// A plane as x, y, z, d; what is below 0 is outside.
pub type Plane = [f32; 4];
