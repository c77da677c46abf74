//! Bytes in the making.

use zerocopy::{Immutable, IntoBytes};

use crate::budget::Exhausted;
use crate::room;

/// Collects the bytes of a file in order. It never fails: what does not fit a field is refused before.
#[derive(Debug, Clone, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// An empty writer with room for `len` bytes.
    pub fn with_capacity(len: usize) -> Result<Self, Exhausted> {
        Ok(Writer { bytes: room::with_capacity(len)? })
    }

    /// The offset of the next byte.
    pub fn offset(&self) -> usize {
        self.bytes.len()
    }

    /// Appends bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends a record or a slice of records.
    pub fn record<T: IntoBytes + Immutable + ?Sized>(&mut self, record: &T) {
        self.bytes(record.as_bytes());
    }

    /// The finished bytes.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zerocopy::little_endian::{U16, U32};

    #[test]
    fn what_is_written_lies_in_order() {
        let mut w = Writer::with_capacity(8).unwrap();
        w.bytes(b"AB");
        w.record(&U16::new(1));
        w.record(&[U32::new(2)][..]);
        assert_eq!(w.offset(), 8);
        assert_eq!(w.finish(), [b'A', b'B', 1, 0, 2, 0, 0, 0]);
    }
}
