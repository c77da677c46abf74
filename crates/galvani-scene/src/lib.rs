//! A model, whatever game it comes from: nodes, meshes, materials, clips.
//!
//! The conventions are glTF's: right-handed, +Y up, metres, seconds, unit quaternions as x, y, z, w. Lists
//! are flat, things name each other by [`Id`], and parents stand before their children, so that one forward
//! pass gives every node its place. [`check`] says what else a scene must keep to.

mod check;
mod clip;
mod id;
mod scene;

pub use check::{UNIT_TOLERANCE, check};
pub use clip::{Clip, Curve, Interp, Track};
pub use id::Id;
pub use scene::{Extras, Fact, Material, Mesh, Node, Primitive, Scene};
