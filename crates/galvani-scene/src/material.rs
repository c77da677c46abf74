//! How surfaces look.

use glam::{Vec2, Vec3, Vec4};

use crate::{Extras, Id, Image};

/// How a surface looks.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// What it is called.
    pub name: String,
    /// Red, green, blue, alpha; linear, from 0 to 1. The picture is multiplied by it.
    pub base_color: Vec4,
    /// The picture.
    pub texture: Option<Texture>,
    /// Directions in the surface's own space, as colours; meshes that show it need tangents.
    pub normal: Option<Texture>,
    /// How much light comes in (red), how rough it is (green), how much of a metal (blue).
    pub orm: Option<Texture>,
    /// What shines by itself, times [`emissive`](Material::emissive).
    pub glow: Option<Texture>,
    /// The colour that shines by itself; linear, from 0 to 1.
    pub emissive: Vec3,
    /// What alpha means.
    pub alpha_mode: AlphaMode,
    /// Whether its back is seen.
    pub two_sided: bool,
    /// Whether lamps do nothing to it.
    pub unlit: bool,
    /// What else is known.
    pub extras: Extras,
}

impl Default for Material {
    fn default() -> Self {
        Material {
            name: String::new(),
            base_color: Vec4::ONE,
            texture: None,
            normal: None,
            orm: None,
            glow: None,
            emissive: Vec3::ZERO,
            alpha_mode: AlphaMode::Opaque,
            two_sided: false,
            unlit: false,
            extras: Extras::new(),
        }
    }
}

/// What alpha means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AlphaMode {
    /// Nothing.
    Opaque,
    /// Seen from this much on, not seen below.
    Mask(f32),
    /// How much covers what is behind.
    Blend,
}

/// The most sets of texture coordinates.
pub const MOST_UV_SETS: usize = 8;

/// A picture on a surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Texture {
    /// Which.
    pub image: Id<SceneImage>,
    /// Which set of coordinates, of [`MOST_UV_SETS`]. Where a mesh has it not, all of its vertices show one point.
    pub uv_set: usize,
    /// What is beyond its edges, along u and v.
    pub wrap: [Wrap; 2],
    /// How its pixels are enlarged.
    pub filter: Filter,
    /// What is done to the coordinates at rest.
    pub transform: UvTransform,
}

impl Texture {
    /// A picture that repeats, smooth, by the first set of coordinates as they are.
    pub fn plain(image: Id<SceneImage>) -> Self {
        let (wrap, filter) = ([Wrap::Repeat; 2], Filter::Linear);
        Texture { image, uv_set: 0, wrap, filter, transform: UvTransform::default() }
    }
}

/// What is beyond the edges of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrap {
    /// The picture again.
    Repeat,
    /// Its edge.
    Clamp,
    /// Its mirror image.
    Mirror,
}

/// How pixels are enlarged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Filter {
    /// Smoothly.
    Linear,
    /// As squares.
    Nearest,
}

/// What is done to texture coordinates: scaled, turned, moved, in this order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UvTransform {
    /// How they are moved.
    pub offset: Vec2,
    /// How they are turned about the origin, in radians, as `KHR_texture_transform` turns them.
    pub rotation: f32,
    /// How they are scaled.
    pub scale: Vec2,
}

impl Default for UvTransform {
    fn default() -> Self {
        UvTransform { offset: Vec2::ZERO, rotation: 0.0, scale: Vec2::ONE }
    }
}

impl UvTransform {
    /// Coordinates after it.
    pub fn apply(&self, uv: Vec2) -> Vec2 {
        let (sin, cos) = self.rotation.sin_cos();
        let Vec2 { x, y } = uv * self.scale;
        Vec2::new(cos * x + sin * y, cos * y - sin * x) + self.offset
    }
}

/// A picture.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneImage {
    /// What it is called.
    pub name: String,
    /// Its pixels, of at least one row and column.
    pub pixels: Image,
}
