//! What can be wrong with a picture that is wanted, and what was left out of it.

use galvani_core::{Diagnostic, Exhausted, codes};

codes! {
    NOTHING = Error, "render.nothing",
        "there is nothing to draw",
        "another state, level of detail or clip may show something; a skeleton is drawn without meshes too";
    SIZE = Error blaming Request, "render.size",
        "a picture cannot have that size",
        "1 to 8192 pixels are wanted on either side";
    VIEW = Error blaming Request, "render.view",
        "that is no way to look at a model",
        "front, back, left, right, top, iso, or AZIMUTH,ELEVATION in degrees";
    PACE = Error blaming Request, "render.pace",
        "pictures cannot follow each other like that",
        "more than 0 and at most 1000 a second are wanted, and no more than 10000 in all";
    NOT_FINITE = Warning, "render.not-finite",
        "triangles have corners that are nowhere, and are left out",
        "the source is damaged there; its findings say where";
    ENCODING = Error, "render.encoding",
        "the picture does not become a file",
        "this is a mistake of ours; please report it";
}

/// Why there is no picture.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{cause}")]
pub struct RenderError {
    /// What stopped it.
    pub cause: Box<Diagnostic>,
}

impl From<Diagnostic> for RenderError {
    fn from(cause: Diagnostic) -> Self {
        RenderError { cause: Box::new(cause) }
    }
}

impl From<Exhausted> for RenderError {
    fn from(end: Exhausted) -> Self {
        RenderError { cause: end.cause }
    }
}
