//! Places that move with their parents.

use glam::{Affine3A, Quat, Vec3};

use crate::{Camera, Extras, Id, Light, Mesh, Skin};

/// A place that moves with its parent, and perhaps shows something.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// What it is called; may be empty, or the name of another.
    pub name: String,
    /// What it hangs on.
    pub parent: Option<Id<Node>>,
    /// Where it is at rest, in its parent's space.
    pub translation: Vec3,
    /// How it is turned at rest.
    pub rotation: Quat,
    /// How large it is at rest, along its own axes.
    pub scale: Vec3,
    /// Whether its mesh and light are seen at rest. Its children are none of its business.
    pub visible: bool,
    /// What it shows.
    pub mesh: Option<Id<Mesh>>,
    /// What bends its mesh; then the node's own place does not count.
    pub skin: Option<Id<Skin>>,
    /// What shines from it.
    pub light: Option<Id<Light>>,
    /// What looks from it.
    pub camera: Option<Id<Camera>>,
    /// What else is known.
    pub extras: Extras,
}

impl Default for Node {
    fn default() -> Self {
        Node {
            name: String::new(),
            parent: None,
            translation: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            scale: Vec3::ONE,
            visible: true,
            mesh: None,
            skin: None,
            light: None,
            camera: None,
            extras: Extras::new(),
        }
    }
}

impl Node {
    /// Its place at rest, in its parent's space.
    pub fn local(&self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

/// Where another model is put on.
#[derive(Debug, Clone, PartialEq)]
pub struct Socket {
    /// What games ask for it by.
    pub name: String,
    /// Where it is.
    pub node: Id<Node>,
}
