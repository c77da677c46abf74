//! A cursor over borrowed bytes that knows where it is and what it is reading.

use zerocopy::FromBytes;
use zerocopy::little_endian::{F32, I16, I32, U16, U32};

use super::ByteWindow;
use crate::diag::{ByteCodes, Diagnostic};
use crate::path::Path;
use crate::record::Record;

/// A cursor over a slice. Offsets are absolute, also in sub-ranges; a failed read moves nothing.
///
/// `Clone`, not `Copy`: a silent copy would lose its advance.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    window: ByteWindow<'a>,
    path: Path,
    codes: &'static ByteCodes,
}

type Outcome<T> = Result<T, Box<Diagnostic>>;

impl<'a> Reader<'a> {
    /// A reader over a whole document.
    pub fn new(bytes: &'a [u8], codes: &'static ByteCodes) -> Self {
        Reader { window: ByteWindow::new(bytes), path: Path::root(), codes }
    }

    /// The absolute offset of the next read.
    pub fn offset(&self) -> usize {
        self.window.offset()
    }

    /// Bytes left in this range.
    pub fn remaining(&self) -> usize {
        self.window.remaining()
    }

    /// The path that the fields read here belong to.
    pub fn path(&self) -> Path {
        self.path
    }

    /// What is left, and the end of this reader.
    pub fn rest(self) -> &'a [u8] {
        self.window.rest()
    }

    /// The next `count` bytes.
    pub fn bytes(&mut self, name: &'static str, count: usize) -> Outcome<&'a [u8]> {
        self.take(name, count, 1)
    }

    /// One fixed record, borrowed.
    pub fn record<T: Record>(&mut self, name: &'static str) -> Outcome<&'a T> {
        let bytes = self.take(name, 1, size_of::<T>())?;
        T::ref_from_bytes(bytes).map_err(|_| self.truncated(name, 1, size_of::<T>()))
    }

    /// `count` fixed records, borrowed. The count is checked against what is left before anything else.
    pub fn table<T: Record>(&mut self, name: &'static str, count: usize) -> Outcome<&'a [T]> {
        let bytes = self.take(name, count, size_of::<T>())?;
        <[T]>::ref_from_bytes(bytes).map_err(|_| self.truncated(name, count, size_of::<T>()))
    }

    /// A sub-range with bounds of its own, its fields under `name[index]`.
    pub fn region(&mut self, name: &'static str, index: usize, len: usize) -> Outcome<Reader<'a>> {
        match self.window.part(len) {
            Some(window) => {
                Ok(Reader { window, path: self.path.field(name).index(index), codes: self.codes })
            }
            None => Err(self.truncated(name, len, 1)),
        }
    }

    /// Moves to an absolute offset in this range. For formats that say where their tables are.
    pub fn seek(&mut self, name: &'static str, offset: usize) -> Outcome<()> {
        self.window.seek(offset).ok_or_else(|| self.outside(name, offset))
    }

    /// Moves over `count` records of `size` bytes, or fails and stays.
    fn take(&mut self, name: &'static str, count: usize, size: usize) -> Outcome<&'a [u8]> {
        self.window.take(count, size).ok_or_else(|| self.truncated(name, count, size))
    }

    #[cold]
    fn truncated(&self, name: &'static str, count: usize, size: usize) -> Box<Diagnostic> {
        let found = self.codes.truncated.at(self.path.field(name)).offset(self.offset());
        Box::new(found.saying(self.window.shortage(count, size)))
    }

    #[cold]
    fn outside(&self, name: &'static str, offset: usize) -> Box<Diagnostic> {
        let (start, end) = self.window.bounds();
        let found = self.codes.truncated.at(self.path.field(name)).offset(self.offset());
        let wanted = format!("a place at 0x{offset:x} wanted, the bytes are 0x{start:x}..0x{end:x}");
        Box::new(found.saying(wanted))
    }
}

macro_rules! plain_values {
    ($( $(#[$doc:meta])* $read:ident: $value:ty = $wire:ty; )*) => {
        impl Reader<'_> {
            $(
                $(#[$doc])*
                pub fn $read(&mut self, name: &'static str) -> Outcome<$value> {
                    let bytes = self.take(name, 1, size_of::<$wire>())?;
                    match FromBytes::read_from_bytes(bytes) {
                        Ok(value) => Ok(<$wire>::get(value)),
                        Err(_) => Err(self.truncated(name, 1, size_of::<$wire>())),
                    }
                }
            )*
        }
    };
}
plain_values! {
    /// An unsigned 16-bit integer.
    u16: u16 = U16;
    /// A signed 16-bit integer.
    i16: i16 = I16;
    /// An unsigned 32-bit integer.
    u32: u32 = U32;
    /// A signed 32-bit integer.
    i32: i32 = I32;
    /// A 32-bit float.
    f32: f32 = F32;
}

#[cfg(test)]
#[allow(unreachable_pub, dead_code, reason = "the macros declare for other crates")]
mod tests {
    use super::*;

    crate::codes! {
        TRUNCATED = Error, "toy.truncated", "the bytes end inside a field", "";
    }
    static BYTES: ByteCodes = ByteCodes { truncated: &TRUNCATED };

    crate::record! {
        /// A pair.
        pub struct Pair: 6 {
            /// First.
            pub a: U16,
            /// Second.
            pub b: U32,
        }
    }

    #[test]
    fn every_read_advances_by_its_size() {
        let mut r = Reader::new(&[1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0x80, 0x3f, 0xff, 0xff], &BYTES);
        assert_eq!(r.u16("a").unwrap(), 1);
        assert_eq!(r.u32("b").unwrap(), 2);
        assert_eq!(r.u16("c").unwrap(), 3);
        assert_eq!(r.f32("d").unwrap().to_bits(), 1.0_f32.to_bits());
        assert_eq!(r.clone().i16("e").unwrap(), -1);
        assert_eq!((r.offset(), r.remaining(), r.rest()), (12, 2, &[0xff, 0xff][..]));
    }

    #[test]
    fn a_failed_read_names_its_field_and_moves_nothing() {
        let mut r = Reader::new(&[0; 5], &BYTES);
        r.u16("count").unwrap();
        let error = r.u32("size").unwrap_err();
        assert_eq!(
            error.to_string(),
            "0x00000002 size: toy.truncated: 1 records of 4 bytes wanted, 3 bytes left"
        );
        assert_eq!(r.offset(), 2);
    }

    #[test]
    fn a_lying_count_is_named_before_anything_is_allocated() {
        let mut r = Reader::new(&[0; 12], &BYTES);
        assert_eq!(r.clone().table::<Pair>("pairs", 2).unwrap().len(), 2);
        let error = r.table::<Pair>("pairs", usize::MAX).unwrap_err();
        assert!(error.to_string().ends_with("records of 6 bytes wanted, 12 bytes left"), "{error}");
    }

    #[test]
    fn a_region_has_its_own_bounds_and_absolute_offsets() {
        let mut r = Reader::new(&[0; 16], &BYTES);
        r.bytes("head", 4).unwrap();
        let mut region = r.region("entries", 3, 6).unwrap();
        assert_eq!(region.record::<Pair>("pair").unwrap().b.get(), 0);
        let error = region.u16("size").unwrap_err();
        assert_eq!(
            error.to_string(),
            "0x0000000a entries[3].size: toy.truncated: 1 records of 2 bytes wanted, 0 bytes left"
        );
        assert_eq!(r.offset(), 10);
    }

    #[test]
    fn a_place_outside_the_range_is_refused() {
        let mut r = Reader::new(&[0; 8], &BYTES);
        r.seek("table", 8).unwrap();
        assert_eq!(r.remaining(), 0);
        let error = r.seek("table", 9).unwrap_err();
        assert!(error.to_string().contains("a place at 0x9 wanted"), "{error}");
    }
}
