//! What the fuzz targets do. Each is a property, not mere survival.

mod archive;
pub mod door;
pub mod ff7_parts;
pub mod field;
pub mod lgp;
pub mod mdx;
pub mod mdx_edit;
pub mod mdx_sample;
pub mod msh;
pub mod msh_edit;
pub mod nres;
pub mod pack;
pub mod pack_edit;
pub mod parkan;
pub mod rsli;
pub mod skeleton;
pub mod texture;
