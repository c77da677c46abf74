//! WEAR: the material table of a model, a text beside it in its archive (docs/formats/wear.md#text).
//!
//! ```text
//! 2                   how many rows follow
//! 0 RUST              a number and the name of a material; the row's place is what a batch names
//! 1 GLASS
//!
//! LIGHTMAPS           perhaps a second table, of textures with light, behind a blank line
//! 1
//! 0 GLOW
//! ```
//! A [`Document`] is its text; [`Document::table`] looks at it.

pub mod check;
pub mod edit;
mod read;
mod view;
mod write;

pub use check::check;
pub use edit::Which;
pub use read::{is_shaped, read};
pub use view::{Lightmaps, WearRow, WearRows, WearTable, has_lightmaps, row_count};
pub use write::write;

/// The four letters of its type in an archive.
pub const TYPE: [u8; 4] = *b"WEAR";

/// The word alone on a line before the table of lightmaps.
pub const KEYWORD: &[u8] = b"LIGHTMAPS";

/// Most bytes of a name: what it names lies in an archive, whose names are no longer.
pub const MOST_NAME: usize = crate::nres::NAME_LEN - 1;

/// A material table as a value: all of its text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Document {
    /// The text, line ends and blanks included.
    pub text: Vec<u8>,
}

impl Document {
    /// What the text says.
    pub fn table(&self) -> WearTable<'_> {
        WearTable::parse(&self.text)
    }
}
