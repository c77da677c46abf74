//! How scenes become files of formats.

use galvani_core::{LowerError, Meter, WriteError};
use galvani_scene::{Clip, Id, LoweredScene, Scene};

use super::Document;

/// How a scene becomes files of a format.
#[derive(Debug, Clone, Copy)]
pub struct Lowering {
    /// What its models are called by whoever wants one, the usual kind first.
    pub words: &'static [&'static str],
    /// Whether a document is of the kind that a word names.
    pub is_of: fn(&dyn Document, &str) -> bool,
    /// The word of the pictures that it names beside itself.
    pub pictures: &'static str,
    /// The files of a scene.
    pub lower: fn(&Scene, &LowerRequest<'_>) -> Result<LoweredScene, LowerError>,
    /// The file that says the same as a document of another form, if there is one.
    pub transcribe: Option<Transcribe>,
}

/// Says what a document says in another form, of the kind that a word names; nothing where only a scene leads there.
pub type Transcribe = fn(&dyn Document, &str) -> Option<Result<Vec<u8>, WriteError>>;

/// What is wanted of a model that is made of a scene.
#[derive(Debug, Clone)]
pub struct LowerRequest<'a> {
    /// Its kind: one of the words of its format.
    pub word: &'a str,
    /// The clips that are taken; nothing, all of them.
    pub clips: Option<Vec<Id<Clip>>>,
    /// How far what the format cannot say may be off: of the model's size, and in radians.
    pub tolerance: f32,
    /// Frames a second, where the format has frames.
    pub fps: Option<f32>,
    /// A model of the format whose structure is taken.
    pub like: Option<&'a dyn Document>,
    /// What making it may take.
    pub meter: &'a Meter,
}
