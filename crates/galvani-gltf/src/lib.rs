//! Scenes as glTF 2.0: [`export`] gives the bytes of a `.glb`.
//!
//! Core glTF only, no extension, nothing compressed: every reader opens it. The same scene gives the same
//! bytes.
#![cfg_attr(
    not(test),
    warn(clippy::arithmetic_side_effects, clippy::as_conversions, clippy::indexing_slicing)
)]

mod buffer;
mod export;
mod glb;
mod names;
mod schema;

use galvani_core::codes;

pub use export::export;

codes! {
    SCENE = Error, "gltf.scene",
        "the scene breaks a rule that glTF has too",
        "this is a mistake of ours; please report it";
    TOO_LARGE = Error, "gltf.too-large",
        "a .glb cannot be that large",
        "its lengths have 32 bits; convert fewer levels at once";
}
