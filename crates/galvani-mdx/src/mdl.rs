//! MDL: the text form of models of Warcraft III.
//!
//! ```text
//! Version {
//!     FormatVersion 800,
//! }
//! Sequences 1 {
//!     Anim "Stand" {
//!         Interval { 0, 1000 },
//!     }
//! }
//! ```
//! A [`Document`] is its text and the model that it says, the same type that the binary form gives. So checks, edits, poses and
//! scenes are those of the binary form; what an edit changes is changed in the text, and every other byte stays.
//! What words cannot say stands in comments that begin with `//galvani:`, so that a model that becomes a text and a model
//! again is the same, byte by byte.
//!
//! ```
//! use galvani_core::ReadOptions;
//! use galvani_mdx::mdl;
//!
//! let text = b"Version { FormatVersion 800, }\nModel \"Toad\" { BlendTime 150, }\n";
//! let model = mdl::read(text, &ReadOptions::default())?.document;
//! assert_eq!(model.model().version, 800);
//! let binary = galvani_mdx::write(model.model())?;
//! let again = galvani_mdx::read(&binary, &ReadOptions::default())?.document;
//! assert!(mdl::from_model(&again)?.text().starts_with(b"Version {\n\tFormatVersion 800,\n}\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blocks;
pub mod check;
mod lex;
mod lists;
mod merge;
mod parse;
mod print;
mod read;
mod words;
mod write;

pub use check::check;
pub use lex::Lines;
pub use print::print;
pub use read::{is_shaped, read};
pub use write::write;

use galvani_core::{Path, ReadOptions, Report, WriteError};

/// A text and the model that it says.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The text as it was read.
    text: Vec<u8>,
    /// The model.
    model: crate::Document,
    /// The model as the text has it, where it was changed since.
    said: Option<Box<crate::Document>>,
    /// What is wrong with the text.
    findings: Report,
    /// Where the records stand in it.
    starts: Vec<Start>,
}

/// Where a record stands in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Start {
    tag: &'static str,
    index: usize,
    at: usize,
    end: usize,
}

impl Start {
    fn new(tag: &'static str, index: usize, at: usize, end: usize) -> Self {
        Start { tag, index, at, end }
    }

    fn path(&self) -> Path {
        Path::named(self.tag).index(self.index)
    }
}

/// The text of a model of Warcraft III; those of World of Warcraft have none.
pub fn from_model(model: &crate::Document) -> Result<Document, WriteError> {
    let text = print(model)?;
    let read = read(&text, &ReadOptions::default());
    read.map(|read| read.document).map_err(|error| WriteError { cause: error.cause })
}

impl Document {
    /// The text as it was read.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The model that it says.
    pub fn model(&self) -> &crate::Document {
        &self.model
    }

    /// The same, to keep.
    pub fn into_model(self) -> crate::Document {
        self.model
    }

    /// The same to change it: [`write()`] changes the text accordingly.
    pub fn model_mut(&mut self) -> &mut crate::Document {
        if self.said.is_none() {
            self.said = Some(Box::new(self.model.clone()));
        }
        &mut self.model
    }

    /// Where in the text something stands that a path of the model names: the record that it is a part of.
    fn offset_of(&self, path: &Path) -> Option<u64> {
        let (tag, index) = path.first()?;
        let index = index.and_then(|index| usize::try_from(index).ok());
        let mut own = self.starts.iter().filter(|start| start.tag == tag);
        let found = match index {
            Some(index) => own.clone().find(|start| start.index == index).or_else(|| own.next()),
            None => own.next(),
        };
        u64::try_from(found.map_or(0, |start| start.at)).ok()
    }
}
