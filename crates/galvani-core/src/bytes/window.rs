//! A place in borrowed bytes: what has been taken, and what is left.

/// A part of a file and how far it has been taken. Offsets are absolute; a failed take moves nothing.
///
/// `Clone`, not `Copy`: a silent copy would lose its advance.
#[derive(Debug, Clone)]
pub struct ByteWindow<'a> {
    bytes: &'a [u8],
    /// Where in `bytes` the next take starts.
    at: usize,
    /// The absolute offset of `bytes[0]`.
    base: usize,
}

impl<'a> ByteWindow<'a> {
    /// A whole file.
    pub fn new(bytes: &'a [u8]) -> Self {
        ByteWindow { bytes, at: 0, base: 0 }
    }

    /// The absolute offset of what is left.
    pub fn offset(&self) -> usize {
        self.base.saturating_add(self.at)
    }

    /// Bytes left.
    pub fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// What is left.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Takes `count` records of `size` bytes, if they are there.
    pub fn take(&mut self, count: usize, size: usize) -> Option<&'a [u8]> {
        let end = count.checked_mul(size).and_then(|len| self.at.checked_add(len))?;
        let bytes = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(bytes)
    }

    /// Takes a window of its own, if there are so many bytes.
    pub fn part(&mut self, len: usize) -> Option<ByteWindow<'a>> {
        let base = self.offset();
        let bytes = self.take(len, 1)?;
        Some(ByteWindow { bytes, at: 0, base })
    }

    /// Moves to an absolute offset, if that is in this window.
    pub fn seek(&mut self, offset: usize) -> Option<()> {
        self.at = offset.checked_sub(self.base).filter(|&at| at <= self.bytes.len())?;
        Some(())
    }

    /// The absolute offsets of the first byte and behind the last.
    pub(super) fn bounds(&self) -> (usize, usize) {
        (self.base, self.base.saturating_add(self.bytes.len()))
    }

    /// What was wanted and what is left, where a take failed.
    pub fn shortage(&self, count: usize, size: usize) -> String {
        let left = self.remaining();
        match size {
            1 => format!("{count} bytes wanted, {left} bytes left"),
            _ => format!("{count} records of {size} bytes wanted, {left} bytes left"),
        }
    }
}
