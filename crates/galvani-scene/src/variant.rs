//! What may stand in place of something else.

use crate::{Id, Material, Mesh, Node};

/// Another state or level of detail: what nodes show instead. Nodes that it does not name show what they show.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Variant {
    /// What it is called, such as `damaged`; may be empty.
    pub name: String,
    /// The state; 0 is intact.
    pub state: u32,
    /// The level of detail; 0 is the finest.
    pub level: u32,
    /// Nodes, and what they show instead; nothing, if they show nothing.
    pub shows: Vec<(Id<Node>, Option<Id<Mesh>>)>,
}

/// Another look, such as another team's: materials that stand in for others.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Look {
    /// What it is called.
    pub name: String,
    /// Materials, and what stands in for them.
    pub swaps: Vec<(Id<Material>, Id<Material>)>,
}
