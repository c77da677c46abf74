//! How a scene is written.

use std::collections::BTreeSet;

use galvani_scene::{Clip, Id};

/// How a scene is written.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Who made the file.
    pub generator: String,
    /// The format that the scene comes from; may be empty.
    pub format: String,
    /// The files that it was made of, for the way back.
    pub files: Vec<SourceFile>,
    /// How far a turn may be from the source's where it is baked, in radians.
    pub tolerance: f32,
    /// How what is hidden is hidden.
    pub visibility: Visibility,
    /// How what is rigid is shown.
    pub rig: RigOption,
    /// Extensions to use. None is needed to show the model.
    pub extensions: BTreeSet<Extension>,
    /// The clips to write; nothing, all of them.
    pub clips: Option<Vec<Id<Clip>>>,
    /// Puts keys on a grid of so many a second; nothing leaves them where they are.
    pub fps: Option<f32>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            generator: format!("galvani {}", env!("CARGO_PKG_VERSION")),
            format: String::new(),
            files: Vec::new(),
            tolerance: 1e-4,
            visibility: Visibility::Joints,
            rig: RigOption::Nodes,
            extensions: BTreeSet::new(),
            clips: None,
            fps: None,
        }
    }
}

impl Options {
    pub(crate) fn uses(&self, extension: Extension) -> bool {
        self.extensions.contains(&extension)
    }
}

/// A file that a scene was made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Its name, as the model's game calls it.
    pub name: String,
    /// Its SHA-256.
    pub sha256: [u8; 32],
    /// Its bytes, if they are to travel along.
    pub bytes: Option<Vec<u8>>,
}

/// How what is hidden is hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Visibility {
    /// Scaled to nothing, by joints of its own where it is skinned: hidden everywhere.
    #[default]
    Joints,
    /// By `KHR_node_visibility` and `KHR_animation_pointer`: hidden where these are known, and some readers refuse the
    /// file.
    Extension,
    /// Told in the extras and always seen.
    Extras,
}

/// How what is rigid is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum RigOption {
    /// By its node.
    #[default]
    Nodes,
    /// As skinned to its node, all with one skin.
    Skin,
}

/// An extension that some readers know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extension {
    /// `KHR_materials_unlit`: surfaces that lamps do nothing to.
    Unlit,
    /// `KHR_animation_pointer`: motions of colours, alpha and texture coordinates. Some readers refuse such a file.
    Pointer,
    /// `MSFT_lod`: levels of detail.
    Lod,
    /// `KHR_materials_variants`: other looks.
    Variants,
    /// `KHR_lights_punctual`: lights.
    Lights,
}
