//! What is shown, and what of it a clip may change.

use galvani_core::Path;
use galvani_scene::{Id, Material, Node};
use glam::Vec3;

use super::look::Treatment;
use super::team::Team;

/// A geoset in the scene.
#[derive(Debug)]
pub(super) struct Surface {
    /// The node that shows it.
    pub(super) node: Id<Node>,
    /// What it is tinted with.
    pub(super) tint: Tint,
    /// Its materials.
    pub(super) drawn: Vec<Drawn>,
    /// What stands in for them in other looks.
    pub(super) others: Vec<Drawn>,
}

/// How a geoset is tinted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tint {
    /// Where its animation stands, if it has one.
    pub(super) path: Option<Path>,
    /// Whether that has keys.
    pub(super) is_animated: bool,
    /// Red, green, blue at rest; linear.
    pub(super) color: Vec3,
    /// How opaque it is at rest.
    pub(super) alpha: f32,
}

impl Tint {
    /// No tint.
    pub(super) const NONE: Tint = Tint { path: None, is_animated: false, color: Vec3::ONE, alpha: 1.0 };
}

/// A material and the layer that it shows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Drawn {
    pub(super) material: Id<Material>,
    /// Where the layer stands, and its number.
    pub(super) path: Path,
    pub(super) layer: usize,
    /// Where the tracks of its picture stand.
    pub(super) picture: Path,
    /// What is done to its pictures.
    pub(super) treatment: Treatment,
    /// Whose colour they show.
    pub(super) team: Team,
    /// Whether its alpha counts.
    pub(super) fades: bool,
    /// How opaque the layer is at rest.
    pub(super) alpha: f32,
    /// What the tint's colour is multiplied with.
    pub(super) color: Vec3,
    /// Which texture animation moves its picture.
    pub(super) animation: Option<usize>,
    /// The textures of its picture, directions, surface and glow.
    pub(super) textures: [Option<usize>; 4],
}

/// A geoset less opaque than this is not drawn: its alpha is 0 as a byte (docs/formats/mdx.md#scene-hidden).
pub(super) const SEEN: f32 = 1.0 / 255.0;
