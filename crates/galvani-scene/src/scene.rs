//! The scene and what stands in it.

use std::collections::BTreeMap;

use crate::{Clip, Id};

/// A model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scene {
    /// What it is called.
    pub name: String,
    /// Parents before children.
    pub nodes: Vec<Node>,
    /// Geometry; several nodes may show one mesh.
    pub meshes: Vec<Mesh>,
    /// How surfaces look.
    pub materials: Vec<Material>,
    /// Motions.
    pub clips: Vec<Clip>,
    /// What else is known.
    pub extras: Extras,
}

/// What the scene has no place for, by name.
pub type Extras = BTreeMap<String, Fact>;

/// A value that every tool carries through: no list, no object.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// A whole number.
    Int(i32),
    /// A number.
    Float(f64),
    /// Words.
    Text(String),
}

/// A place that moves with its parent, and perhaps shows a mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// What it is called; may be empty, or the name of another.
    pub name: String,
    /// What it hangs on.
    pub parent: Option<Id<Node>>,
    /// Where it is at rest, in its parent's space.
    pub translation: [f32; 3],
    /// How it is turned at rest: x, y, z, w.
    pub rotation: [f32; 4],
    /// What it shows.
    pub mesh: Option<Id<Mesh>>,
    /// What else is known.
    pub extras: Extras,
}

impl Default for Node {
    fn default() -> Self {
        Node {
            name: String::new(),
            parent: None,
            translation: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            mesh: None,
            extras: Extras::new(),
        }
    }
}

/// Geometry, one primitive per draw call.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mesh {
    /// What it is called.
    pub name: String,
    /// At least one.
    pub primitives: Vec<Primitive>,
}

/// Triangles of one material.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Primitive {
    /// How they look.
    pub material: Option<Id<Material>>,
    /// One per vertex.
    pub positions: Vec<[f32; 3]>,
    /// One per vertex, of length 1; or none at all.
    pub normals: Vec<[f32; 3]>,
    /// One per vertex, v down; or none at all.
    pub uvs: Vec<[f32; 2]>,
    /// Three per triangle, counter-clockwise seen from outside.
    pub indices: Vec<u32>,
}

/// How a surface looks.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Material {
    /// What it is called.
    pub name: String,
    /// Red, green, blue, alpha; linear, from 0 to 1.
    pub base_color: [f32; 4],
    /// Whether its back is seen.
    pub two_sided: bool,
}
