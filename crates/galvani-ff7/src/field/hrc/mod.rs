//! Skeletons of field models: `.hrc`, a text.
//!
//! ```text
//! :HEADER_BLOCK 2
//! :SKELETON name
//! :BONES 2
//!
//! hip                 a bone: its name,
//! root                its parent, `root` or the name of a bone before it,
//! 12.5                its length; children are that far away, along −Z
//! 1 AAAA              and how many resources (`.rsd`) it shows, and which
//!
//! chest
//! …
//! ```
//! A line that starts with `#` is a comment. A [`Document`] is its text; [`Document::skeleton`] looks at it.

pub mod check;
pub mod edit;
mod read;
mod view;
mod write;

pub use check::check;
pub use read::{is_marked, read};
pub use view::{Bone, Fragment, HrcText};
pub use write::write;

/// What the first line starts with.
pub const MAGIC: &[u8] = b":HEADER_BLOCK";

/// The only version there is.
pub const VERSION: u32 = 2;

/// What the parent of a first bone is called.
pub const ROOT: &[u8] = b"root";

/// Lines of a bone.
pub const BONE_LINES: usize = 4;

/// A skeleton as a value: all of its text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Document {
    /// The text, line ends and comments included.
    pub text: Vec<u8>,
}

impl Document {
    /// What the text says.
    pub fn skeleton(&self) -> HrcText<'_> {
        HrcText::parse(&self.text)
    }
}
