//! The scene: lists of everything in it.

use std::borrow::Cow;

use crate::{
    Camera, Clip, Extras, Id, Light, Look, Material, Mesh, NameOrigin, Node, Origin, SceneImage, Skin,
    Socket, Variant,
};

/// A model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scene {
    /// What it is called.
    pub name: String,
    /// Parents before children.
    pub nodes: Vec<Node>,
    /// Geometry; several nodes may show one mesh.
    pub meshes: Vec<Mesh>,
    /// What bends meshes.
    pub skins: Vec<Skin>,
    /// How surfaces look.
    pub materials: Vec<Material>,
    /// Pictures of materials.
    pub images: Vec<SceneImage>,
    /// Lamps.
    pub lights: Vec<Light>,
    /// Eyes.
    pub cameras: Vec<Camera>,
    /// Where other models are put on.
    pub sockets: Vec<Socket>,
    /// Motions.
    pub clips: Vec<Clip>,
    /// Other states and levels of detail.
    pub variants: Vec<Variant>,
    /// Other looks.
    pub looks: Vec<Look>,
    /// What else is known.
    pub extras: Extras,
    /// Where its values lie in the file that it comes from.
    pub origins: Vec<Origin>,
    /// Where its names do.
    pub names: Vec<NameOrigin>,
    /// What files beside the model's own are called that it is made of, and comes back with.
    pub pieces: Vec<String>,
    /// What the source says beyond all this, as one JSON text; the way back needs it.
    pub source: Option<String>,
}

impl Scene {
    /// The parents of a node, from the nearest on.
    pub fn ancestors(&self, node: usize) -> impl Iterator<Item = usize> {
        let parent = |node: usize| self.nodes.get(node)?.parent.map(Id::index);
        std::iter::successors(parent(node), move |&above| parent(above).filter(|next| *next < above))
    }
}

impl From<Scene> for Cow<'_, Scene> {
    fn from(scene: Scene) -> Self {
        Cow::Owned(scene)
    }
}

impl<'s> From<&'s Scene> for Cow<'s, Scene> {
    fn from(scene: &'s Scene) -> Self {
        Cow::Borrowed(scene)
    }
}
