//! Records that could be read, and bytes that could not.

use std::borrow::Cow;

use galvani_core::Code;

/// A record, or its bytes where it could not be read.
#[derive(Debug, Clone, PartialEq)]
pub enum Held<T> {
    /// The record.
    Typed(T),
    /// Its bytes, all of them.
    Raw(Raw),
}

impl<T> Held<T> {
    /// The record, if it could be read.
    pub fn typed(&self) -> Option<&T> {
        match self {
            Held::Typed(record) => Some(record),
            Held::Raw(_) => None,
        }
    }

    /// The record for editing, if it could be read.
    pub fn typed_mut(&mut self) -> Option<&mut T> {
        match self {
            Held::Typed(record) => Some(record),
            Held::Raw(_) => None,
        }
    }
}

/// Bytes that are kept as they are.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Raw {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Why they were not read; nothing if there is nothing to read.
    pub damage: Option<Box<Damage>>,
}

/// Why bytes were not read.
#[derive(Debug, Clone, PartialEq)]
pub struct Damage {
    /// What is wrong.
    pub code: &'static Code,
    /// Where inside the bytes, what was wanted and what is there.
    pub message: String,
    /// What to do about it.
    pub help: Cow<'static, str>,
}

/// The records of a chunk.
#[derive(Debug, Clone, PartialEq)]
pub struct Records<T> {
    /// How many records the chunk says it has; nothing in Warcraft III, and in a chunk without bytes.
    pub count: Option<u32>,
    /// The number behind that count, before materials and attachments of WoW. Kept, not understood.
    pub unused: Option<u32>,
    /// The records in file order.
    pub items: Vec<Held<T>>,
    /// Bytes behind the last record whose end could be found.
    pub rest: Raw,
}

impl<T> Default for Records<T> {
    fn default() -> Self {
        Records { count: None, unused: None, items: Vec::new(), rest: Raw::default() }
    }
}

impl<T> Records<T> {
    /// The records that could be read, each with its index.
    pub fn typed(&self) -> impl Iterator<Item = (usize, &T)> {
        self.items.iter().enumerate().filter_map(|(i, item)| Some((i, item.typed()?)))
    }

    /// The same for editing.
    pub fn typed_mut(&mut self) -> impl Iterator<Item = (usize, &mut T)> {
        self.items.iter_mut().enumerate().filter_map(|(i, item)| Some((i, item.typed_mut()?)))
    }
}
