//! A model, whatever game it comes from: nodes, meshes, skins, materials, clips, and how they move.
//!
//! The conventions are glTF's: right-handed, +Y up, metres, seconds, linear colours, images with their first row on
//! top. Lists are flat, things name each other by [`Id`], and parents stand before their children, so that one
//! forward pass gives every node its place. [`check()`] says what else a scene must keep to, [`Sampler`] how it stands
//! at a time.

mod bake;
pub mod check;
mod clip;
mod curve;
mod extras;
mod id;
mod lanes;
pub mod lower;
mod material;
mod mesh;
mod node;
pub mod origin;
mod sample;
mod scene;
mod skin;
pub mod trip;
mod variant;
mod view;

pub use bake::{Baked, bake, bake_on};
pub use check::check;
pub use clip::{Clip, Event, Looping, Track};
pub use curve::{Blend, Curve, Interp};
pub use extras::{Extras, Fact};
pub use galvani_core::Image as Pixels;
pub use id::Id;
pub use lanes::{LANES, Lanes, Matrices};
pub use lower::Lowered;
pub use material::{AlphaMode, Filter, Image, MOST_UV_SETS, Material, Texture, UvTransform, Wrap};
pub use mesh::{Influences, Mesh, Primitive, Pull};
pub use node::{Node, Socket};
pub use origin::{NameOrigin, Named, Origin, Values};
pub use sample::{Moment, Sampler, to_model};
pub use scene::Scene;
pub use skin::{Joint, Skin, skin_palette, skinned_normals, skinned_positions};
pub use variant::{Look, Variant};
pub use view::{Camera, Light, LightForm};
