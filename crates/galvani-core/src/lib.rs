//! What every format is built from: guarded bytes, findings, file maps, readings and limits.
//!
//! Nothing here knows a format, opens a file or prints.
//!
//! ```
//! use galvani_core::{Path, Report, Severity, codes};
//!
//! // What can be wrong is declared once; what is wrong is told by a code with its place, repeats folded.
//! codes! { SIZE = Error, "toy.size", "an entry is shorter than it says", "the record is damaged"; }
//! let mut report = Report::default();
//! for (i, len) in [3, 5].into_iter().enumerate() {
//!     report.push(SIZE.at(Path::named("entries").index(i)).saying(format!("8 bytes wanted, {len} found")));
//! }
//! assert_eq!((report.findings().len(), report.tally(Severity::Error)), (1, 2));
//! assert_eq!(report.findings()[0].path.to_string(), "entries[0]");
//! ```
#![cfg_attr(
    not(test),
    warn(clippy::arithmetic_side_effects, clippy::as_conversions, clippy::indexing_slicing)
)]

pub mod archive;
pub mod budget;
pub mod bytes;
pub mod codec;
pub mod diag;
pub mod history;
pub mod image;
mod lowered;
pub mod map;
pub mod maths;
pub mod options;
pub mod path;
pub mod place;
pub mod reach;
pub mod record;
pub mod room;
pub mod text;

pub use budget::{Allowance, Budget, Exhausted, Meter};
pub use bytes::{BitReader, BitWriter, ByteWindow, Reader, Writer};
pub use codec::Codec;
pub use diag::{
    Blame, Code, Diagnostic, EditError, LiftError, LowerError, ReadError, Report, SampleError, Scrutiny,
    Severity, WriteError,
};
pub use image::Image;
pub use lowered::Lowered;
pub use map::FileMap;
pub use options::{Limits, ReadOptions, Reading, Readings, Strictness, Verdict, WantedReading};
pub use path::Path;
pub use place::{PlaceId, Places};

/// What reading a file gives: the document, and beside it everything that is about the file
/// rather than about its meaning.
#[derive(Debug, Clone)]
pub struct Read<D> {
    /// The document: an owned value without offsets.
    pub document: D,
    /// Which bytes of the file are what.
    pub map: FileMap,
    /// What was wrong, but did not stop the reading.
    pub report: Report,
    /// Which reading was taken per topic, and why.
    pub readings: Vec<Verdict>,
}

impl<D> Read<D> {
    /// The same with the document inside something else.
    pub fn map<E>(self, wrap: impl FnOnce(D) -> E) -> Read<E> {
        let Read { document, map, report, readings } = self;
        Read { document: wrap(document), map, report, readings }
    }
}
