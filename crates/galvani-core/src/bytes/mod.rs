//! Guarded bytes: every read names its field, and either advances or fails with a place.

mod reader;
mod writer;

pub use reader::Reader;
pub use writer::Writer;
