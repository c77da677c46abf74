//! Bytes in the making, with sizes that are filled in when they are known.

use galvani_core::diag::Diagnostic;
use galvani_core::room;
use zerocopy::{Immutable, IntoBytes};

use crate::held::{Held, Raw};

/// Collects the bytes of a model.
#[derive(Debug, Default)]
pub(crate) struct Out {
    pub(crate) bytes: Vec<u8>,
    /// The first value that cannot be written.
    pub(crate) problem: Option<Diagnostic>,
}

impl Out {
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        if let Err(end) = room::append(&mut self.bytes, bytes) {
            self.refuse(*end.cause);
        }
    }

    pub(crate) fn record<T: IntoBytes + Immutable + ?Sized>(&mut self, record: &T) {
        self.bytes(record.as_bytes());
    }

    pub(crate) fn u32(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    /// Room for so many words, to be filled.
    pub(crate) fn words(&mut self, count: usize) -> &mut [[u8; 4]] {
        let (start, len) = (self.bytes.len(), count.saturating_mul(size_of::<u32>()));
        match room::reserve(&mut self.bytes, len) {
            Ok(()) => self.bytes.resize(start.saturating_add(len), 0),
            Err(end) => self.refuse(*end.cause),
        }
        self.bytes.get_mut(start..).unwrap_or_default().as_chunks_mut().0
    }

    /// A count. More than fit make a file that is refused as too large.
    pub(crate) fn count(&mut self, count: usize) {
        self.u32(u32::try_from(count).unwrap_or(u32::MAX));
    }

    /// The head of a list and its elements.
    pub(crate) fn list<T: IntoBytes + Immutable>(&mut self, tag: &str, elements: &[T]) {
        self.bytes(tag.as_bytes());
        self.count(elements.len());
        self.record(elements);
    }

    /// A size that counts itself and what `inner` writes.
    pub(crate) fn sized(&mut self, inner: impl FnOnce(&mut Out)) {
        self.patched(0, inner);
    }

    /// A size that counts only what `inner` writes.
    pub(crate) fn chunk(&mut self, inner: impl FnOnce(&mut Out)) {
        self.patched(size_of::<u32>(), inner);
    }

    fn patched(&mut self, uncounted: usize, inner: impl FnOnce(&mut Out)) {
        let start = self.bytes.len();
        self.u32(0);
        inner(self);
        let len = self.bytes.len().saturating_sub(start).saturating_sub(uncounted);
        let size = u32::try_from(len).unwrap_or(u32::MAX);
        if let Some(room) = self.bytes.get_mut(start..).and_then(|rest| rest.first_chunk_mut()) {
            *room = size.to_le_bytes();
        }
    }

    pub(crate) fn raw(&mut self, raw: &Raw) {
        self.bytes(&raw.bytes);
    }

    pub(crate) fn held<T>(&mut self, held: &Held<T>, write: impl FnOnce(&T, &mut Out)) {
        match held {
            Held::Typed(record) => write(record, self),
            Held::Raw(raw) => self.raw(raw),
        }
    }

    /// Remembers that something cannot be written.
    pub(crate) fn refuse(&mut self, problem: Diagnostic) {
        self.problem.get_or_insert(problem);
    }
}
