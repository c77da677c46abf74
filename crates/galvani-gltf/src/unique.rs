//! Lists in which everything is there once.

use std::collections::BTreeMap;

/// A list in which everything is there once.
#[derive(Debug)]
pub(crate) struct Unique<T> {
    list: Vec<T>,
    places: BTreeMap<T, usize>,
}

impl<T> Default for Unique<T> {
    fn default() -> Self {
        Unique { list: Vec::new(), places: BTreeMap::new() }
    }
}

impl<T: Copy + Ord> Unique<T> {
    /// Where something stands, at the end if it is new.
    pub(crate) fn place(&mut self, thing: T) -> usize {
        *self.places.entry(thing).or_insert_with(|| {
            self.list.push(thing);
            self.list.len().saturating_sub(1)
        })
    }

    pub(crate) fn into_list(self) -> Vec<T> {
        self.list
    }
}
