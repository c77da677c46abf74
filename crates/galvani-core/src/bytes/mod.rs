//! Guarded bytes: every read names its field, and either advances or fails with a place.

mod bits;
mod reader;
mod window;
mod writer;

pub use bits::{BitReader, BitWriter, WINDOW, top_signed};
pub use reader::Reader;
pub use window::ByteWindow;
pub use writer::Writer;
