//! A model, whatever game it comes from: nodes, meshes, skins, materials, clips, and how they move.
//!
//! The conventions are glTF's: right-handed, +Y up, metres, seconds, linear colours, images with their first row on
//! top. Lists are flat, things name each other by [`Id`], and parents stand before their children, so that one
//! forward pass gives every node its place. [`check()`] says what else a scene must keep to, [`Sampler`] how it stands
//! at a time.
//!
//! ```
//! use galvani_scene::{Clip, Curve, Id, Matrices, Moment, Node, Sampler, Scene, Track, check, to_model};
//! use glam::Vec3;
//!
//! // An arm on a body that rises by two metres within a second.
//! let body = Node { name: "body".to_owned(), ..Node::default() };
//! let parent = Some(Id::new(0));
//! let arm = Node { name: "arm".to_owned(), parent, translation: Vec3::X, ..Node::default() };
//! let rise = Track::Translation(Id::new(0), Curve::linear(vec![0.0, 1.0], vec![Vec3::ZERO, Vec3::Y * 2.0]));
//! let clip = Clip { name: "rise".to_owned(), duration: 1.0, tracks: vec![rise], ..Clip::default() };
//! let scene = Scene { nodes: vec![body, arm], clips: vec![clip], ..Scene::default() };
//! assert!(check(&scene).findings().is_empty());
//!
//! // Where everything is half a second later. Only these two lines run for every frame, and they allocate nothing.
//! let (mut sampler, mut moment) = (Sampler::new(&scene), Moment::at_rest(&scene));
//! let mut places = Matrices::identity(scene.nodes.len());
//! sampler.sample(&scene.clips[0], 0.5, &mut moment);
//! to_model(&scene, &moment, &mut places);
//! assert_eq!(Vec3::from(places.matrix(1).translation), Vec3::new(1.0, 1.0, 0.0));
//! ```

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
pub mod prepared;
mod sample;
mod scene;
mod skin;
pub mod trip;
mod variant;
mod view;

pub use bake::{Baked, bake, bake_on, share};
pub use check::check;
pub use clip::{Clip, Event, Looping, Track};
pub use curve::{Blend, Curve, Interp};
pub use extras::{Extras, Fact};
pub use galvani_core::Image;
pub use id::Id;
pub use lanes::{Colors, LANES, Matrices, Rotations, UvTransforms, Vectors};
pub use lower::LoweredScene;
pub use material::{AlphaMode, Filter, MOST_UV_SETS, Material, SceneImage, Texture, UvTransform, Wrap};
pub use mesh::{Influences, Mesh, Primitive, Pull};
pub use node::{Node, Socket};
pub use origin::{NameOrigin, Named, Origin, Values};
pub use sample::{Moment, Sampler, to_model};
pub use scene::Scene;
pub use skin::{Joint, Skin, skin_palette, skinned_normals, skinned_positions};
pub use variant::{Look, Variant};
pub use view::{Camera, Light, LightForm};
