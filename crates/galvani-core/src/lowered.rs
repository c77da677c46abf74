//! Models made of scenes.

use crate::diag::Report;

/// A model as files of a game. `P` is what names a picture.
#[derive(Debug, Clone)]
pub struct Lowered<P> {
    /// Names and bytes, the model's own file first.
    pub files: Vec<(String, Vec<u8>)>,
    /// Pictures that these name, and what they are called there.
    pub pictures: Vec<(String, P)>,
    /// What could not be held.
    pub report: Report,
}
