//! Scenes as glTF 2.0: [`glb`] gives one file, [`gltf`] a text with its bytes and pictures beside it; [`Document`] is
//! either as it lies in a file, and [`import()`] the scene that it shows.
//!
//! What is written is core glTF, nothing compressed: every reader opens it. Extensions are there only where [`Options`] ask for them.
//! What glTF cannot say is said otherwise where there is a way, and reported. The same scene gives the same bytes.
//!
//! ```
//! use galvani_core::Meter;
//! use galvani_gltf::{Document, Options, glb, import};
//! use galvani_scene::{Node, Scene};
//!
//! let lamp = Node { name: "lamp".to_owned(), ..Node::default() };
//! let (file, report) = glb(Scene { nodes: vec![lamp], ..Scene::default() }, &Options::default())?;
//! assert!(file.starts_with(b"glTF") && report.findings().is_empty());
//!
//! // As it lies in the file, every value typed where it stands; and as a scene.
//! let document = Document::read(&file)?;
//! assert_eq!(document.view()?.asset.version, "2.0");
//! let found = import(&document, &import::Options::default(), &Meter::unlimited())?;
//! assert_eq!(found.scene.nodes[0].name, "lamp");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(
    not(test),
    warn(clippy::arithmetic_side_effects, clippy::as_conversions, clippy::indexing_slicing)
)]

mod buffer;
mod clip;
pub mod document;
mod export;
mod extras;
mod frame;
mod hide;
pub mod import;
mod legal;
mod look;
mod mesh;
mod names;
mod node;
mod options;
mod picture;
mod pointer;
mod rig;
mod schema;
mod tangent;
mod text;
mod unique;

use galvani_core::codes;

pub use document::Document;
pub use export::{Exported, ExportedFile, glb, gltf};
pub use extras::SCHEMA;
pub use import::{Imported, import};
pub use options::{Extension, Options, RigOption, SourceFile, Visibility};

/// The words for a file that holds all, and for a text with files beside it; they are the extensions of both.
pub const WORDS: [&str; 2] = ["glb", "gltf"];

codes! {
    SCENE = Error, "gltf.scene",
        "the scene breaks a rule that glTF has too",
        "this is a mistake of ours; please report it";
    TOO_LARGE = Error, "gltf.too-large",
        "the file would be too large",
        "its lengths have 32 bits; convert fewer clips or levels at once";
    BAKED = Note, "gltf.baked",
        "motions that glTF cannot say became straight lines between more keys",
        "a smaller tolerance gives more keys that are nearer";
    ON_GRID = Note, "gltf.on-grid",
        "motions were put on a grid of frames, as was asked for",
        "without a number of frames a second they keep their own keys";
    AT_REST = Note, "gltf.at-rest",
        "other states and levels of detail stand at rest, in scenes of their own",
        "what moves is the first scene; nodes of one `galvani_id` are the same in all";
    FOUR = Note, "gltf.four-influences",
        "vertices are pulled at by more than four joints, and some readers take only four",
        "others show the model as it is; the four that pull most come first";
    STILL = Note, "gltf.still-clip",
        "a clip in which nothing moves was left out",
        "it is listed in the scene's extras";
    LOST_VALUE = Warning, "gltf.lost-value",
        "a number that glTF forbids was replaced by the nearest that it allows",
        "the source is damaged there; its findings say where";
    LOST_INFLUENCES = Warning, "gltf.lost-influences",
        "so many more joints pull at a vertex than at others that the file would be out of proportion",
        "those that pull most were kept";
    LOST_TRACK = Warning, "gltf.lost-track",
        "core glTF has no place for what this track moves",
        "an extension says it, but few readers know it";
    LOST_LIGHT = Note, "gltf.lost-light",
        "core glTF has no lights",
        "an extension says it";
    LOST_UNLIT = Note, "gltf.lost-unlit",
        "core glTF lights every surface",
        "an extension says which are not lit";
    LOST_LOOK = Note, "gltf.lost-look",
        "core glTF has no other looks of a model",
        "an extension says them";
}
