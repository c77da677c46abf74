//! Scenes as new models of the game, whatever program they come from: the way back of [`lift`](crate::lift) where nothing is
//! known of the files (docs/formats/ff7-skeleton.md#lower).
//!
//! [`rigid`](galvani_scene::lower::rigid) takes skins apart, [`unscaled`](galvani_scene::lower::unscaled) does away with scales,
//! every clip is sampled frame by frame, nodes become bones, and what they show becomes their parts.

mod battle;
mod bones;
mod field;
pub mod findings;
mod lost;
mod motion;
mod names;
mod part;
mod ready;
mod sound;
mod weapon;

use galvani_scene::{Clip, Id};

pub use battle::battle;
pub use field::field;

use findings::ModelCodes;

/// How a model is made.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Which clips, in this order; all without it.
    pub clips: Option<Vec<Id<Clip>>>,
    /// Frames a second; as many as the game plays without it: 15 in battle, 30 on fields.
    pub fps: Option<f32>,
    /// How many of the game's units one of the scene is.
    pub scale: f32,
    /// How far things may be from the scene's: in sizes of the model, and in radians.
    pub tolerance: f32,
    /// What its files begin with: two letters in battle, up to seven letters and digits on fields. Without it the scene's name
    /// decides.
    pub stem: Option<String>,
    /// The kind of a battle model, which is an enemy's without it.
    pub kind: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options { clips: None, fps: None, scale: 1.0, tolerance: 1e-4, stem: None, kind: 0 }
    }
}

/// What kinds of models differ in.
struct Target {
    codes: &'static ModelCodes,
    /// Frames a second.
    fps: f32,
    /// Bones that there are names for.
    most_bones: usize,
    form: Form,
}

/// The numbers that files have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Degrees and places as they come; parts have normals.
    Free,
    /// 4096 steps to a turn, whole units; parts have no normals, and there may be a weapon.
    Steps,
}
