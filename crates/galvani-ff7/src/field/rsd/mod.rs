//! Resources of field models: `.rsd`, a text that names a mesh and its textures.
//!
//! ```text
//! @RSD940102
//! PLY=AAAB.PLY        the mesh; the game takes `aaab.p`
//! MAT=AAAB.MAT
//! GRP=AAAB.GRP
//! NTEX=1
//! TEX[0]=AAAC.TIM     a texture; the game takes `aaac.tex`
//! ```
//! A line that starts with `#` is a comment. A [`Document`] is its text; [`Document::resource`] looks at it.

pub mod check;
pub mod edit;
mod read;
mod view;
mod write;

pub use check::check;
pub use read::{is_marked, read};
pub use view::{Line, Resource, Texture};
pub use write::write;

/// What the first line starts with.
pub const MAGIC: &[u8] = b"@RSD";

/// A resource as a value: all of its text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Document {
    /// The text, line ends and comments included.
    pub text: Vec<u8>,
}

impl Document {
    /// What the text says.
    pub fn resource(&self) -> Resource<'_> {
        Resource::parse(&self.text)
    }
}

/// A file name without its extension.
pub fn stem(name: &[u8]) -> &[u8] {
    let dot = name.iter().rposition(|&byte| byte == b'.');
    dot.and_then(|dot| name.get(..dot)).unwrap_or(name)
}
