//! Codes: the stable names of everything that can be wrong.

use std::fmt;

use super::Diagnostic;
use crate::path::Path;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// The game accepts it, a careful author would not write it.
    Warning,
    /// The game rejects it, or it cannot be read with certainty.
    Error,
}

impl Severity {
    /// The word for this severity in text and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Who is to blame for a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Blame {
    /// The file.
    #[default]
    File,
    /// Whoever asked: no file would help.
    Request,
}

/// One thing that can be wrong. Its name never changes meaning.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// `format.what-is-wrong`.
    pub name: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// Who is to blame.
    pub blame: Blame,
    /// What is wrong, in one sentence.
    pub summary: &'static str,
    /// What to do about it.
    pub help: &'static str,
}

impl Code {
    /// A finding of this code at a place in the document.
    pub fn at(&'static self, path: Path) -> Diagnostic {
        Diagnostic::new(self, path)
    }
}

/// The codes of the byte layer, under the prefix of the format being read.
#[derive(Debug)]
pub struct ByteCodes {
    /// More bytes were wanted than there are.
    pub truncated: &'static Code,
}

/// Declares codes as statics and the table `ALL` of them. The file is to blame unless a row says `blaming Request`.
#[macro_export]
macro_rules! codes {
    (@blame) => { $crate::Blame::File };
    (@blame $blame:ident) => { $crate::Blame::$blame };
    ($( $id:ident = $severity:ident $(blaming $blame:ident)?, $name:literal, $summary:literal, $help:literal; )*) => {
        $(
            #[doc = $summary]
            pub static $id: $crate::Code = $crate::Code {
                name: $name,
                severity: $crate::Severity::$severity,
                blame: $crate::codes!(@blame $($blame)?),
                summary: $summary,
                help: $help,
            };
        )*
        /// Every code of this table.
        pub static ALL: &[&$crate::Code] = &[$(&$id,)*];
    };
}
