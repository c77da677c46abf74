//! What the fuzz targets do. Each is a property, not mere survival; [`targets`] lists them all.

mod abilities;
mod agree;
mod archive;
#[path = "../../crates/galvani/tests/common/beside.rs"]
mod beside;
mod door;
mod ff7_parts;
mod field;
mod gltf;
#[path = "../../crates/galvani/tests/common/laws.rs"]
mod laws;
mod lgp;
mod mdl;
mod mdx;
mod mdx_edit;
mod mdx_sample;
mod msh;
mod msh_edit;
mod nres;
mod pack;
mod pack_edit;
mod parkan;
mod rsli;
mod seeds;
mod skeleton;
mod targets;
mod texture;

pub use seeds::{findings, seeds};
pub use targets::{Target, targets};
