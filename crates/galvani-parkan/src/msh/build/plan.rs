//! What a model is made from: plain values, without anything that can be computed.

use galvani_core::Reading;
use galvani_core::maths::Wxyz;

use crate::msh::engine::IDENTITY;
use crate::msh::wire;

/// Levels: the first axis of a node's slots, damage states as observed.
pub const LOD_COUNT: usize = 3;
/// Groups: the second axis of a node's slots, levels of detail as observed, the last one the cockpit's.
pub const GROUP_COUNT: usize = 5;
/// The group of what is seen from the machine's own cockpit.
pub const COCKPIT_GROUP: usize = 4;
/// The flag of a node that has nothing but cockpit geometry.
pub const COCKPIT_FLAG: u16 = 0x20;

/// A model to be built.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// What every stream is called in the archive: 1 to 35 bytes.
    pub name: Vec<u8>,
    /// The form to write.
    pub reading: Reading,
    /// Nodes, parents before children.
    pub nodes: Vec<NodePlan>,
    /// Points of the hall-way graph.
    pub waypoints: Vec<wire::Waypoint>,
    /// Links of the hall-way graph.
    pub hallways: Vec<wire::Hallway>,
    /// Light probes.
    pub probes: Vec<wire::Probe>,
}

/// A node to be built.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NodePlan {
    /// Its name: at most 31 bytes as observed.
    pub name: Vec<u8>,
    /// Its label, `central` for instance, or nothing. The documented form has one text for name and label.
    pub label: Vec<u8>,
    /// Its parent, which stands before it.
    pub parent: Option<usize>,
    /// Flags. As observed, [`COCKPIT_FLAG`] is added where it belongs.
    pub flags: u16,
    /// Poses over time: none for a node that stays at its parent's origin, one for a node that stays where it
    /// is, several for one that moves.
    pub track: Vec<KeyPlan>,
    /// Geometry as `slots[lod][group]`; as observed, no lod without the one before it. Equal geometry of one
    /// node is stored once.
    pub slots: [[Option<GeometryPlan>; GROUP_COUNT]; LOD_COUNT],
}

/// A pose at a time, relative to the parent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeyPlan {
    /// In whole frames from 0: the map from frames to keys can tell no others apart.
    pub time: u32,
    /// Position.
    pub position: [f32; 3],
    /// Rotation as w, x, y, z, of length 1, as it is stored: it acts as its conjugate.
    pub rotation: Wxyz<f32>,
}

impl Default for KeyPlan {
    /// The parent's own pose.
    fn default() -> Self {
        KeyPlan { time: 0, position: [0.0; 3], rotation: IDENTITY }
    }
}

/// Geometry in the space of its node. Vertices that no triangle uses are left out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GeometryPlan {
    /// Positions, in metres, Z up.
    pub positions: Vec<[f32; 3]>,
    /// Normals, or how to make them.
    pub normals: Normals,
    /// Texture coordinates per vertex; none for zeros.
    pub uv: Vec<[f32; 2]>,
    /// Coordinates in the lightmap per vertex; none for zeros.
    pub lightmap_uv: Vec<[f32; 2]>,
    /// Stream 15 per vertex; none for zeros.
    pub extra15: Vec<[u8; 8]>,
    /// Tangents per vertex; none for zeros.
    pub tangents: Vec<wire::Tangents>,
    /// Triangles by material, in the order they are drawn.
    pub parts: Vec<PartPlan>,
}

/// Normals of vertices, or how to make them.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Normals {
    /// Means of the triangles around a vertex, by area: a vertex that stands twice makes a hard edge.
    #[default]
    Smooth,
    /// Those of the triangles; a vertex is doubled where they differ.
    Flat,
    /// One per vertex, of length 1.
    Given(Vec<[f32; 3]>),
}

/// Triangles of one material.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PartPlan {
    /// Batch flags. As observed, those of lightmaps and portals are added where they belong.
    pub flags: u16,
    /// Row of the material table: at most 255 as observed.
    pub material: u16,
    /// Row of the lightmap table.
    pub lightmap: Option<u8>,
    /// The node of the room behind this portal.
    pub portal: Option<u16>,
    /// The triangles.
    pub triangles: Vec<TrianglePlan>,
}

/// A triangle, counter-clockwise seen from its front.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TrianglePlan {
    /// Indices of vertices.
    pub vertices: [u32; 3],
    /// Flags for collision and picking.
    pub flags: u16,
}
