//! Lists in which everything is there once.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// A list in which everything is there once.
#[derive(Debug)]
pub(crate) struct Unique<T> {
    list: Vec<T>,
    places: Places,
}

impl<T> Default for Unique<T> {
    fn default() -> Self {
        Unique { list: Vec::new(), places: Places::default() }
    }
}

impl<T: Copy + Eq + Hash> Unique<T> {
    /// Room for so many things.
    pub(crate) fn with_capacity(count: usize) -> Self {
        Unique { list: Vec::with_capacity(count), places: Places::with_capacity(count) }
    }

    /// Where something stands, at the end if it is new.
    pub(crate) fn place(&mut self, thing: T) -> usize {
        let end = self.list.len();
        let place = self.places.place_of(&thing, end, |place| self.list.get(place) == Some(&thing));
        if place == end {
            self.list.push(thing);
        }
        place
    }

    /// Notes something; whether it was not there yet.
    pub(crate) fn is_new(&mut self, thing: T) -> bool {
        let end = self.list.len();
        self.place(thing) == end
    }

    pub(crate) fn into_list(self) -> Vec<T> {
        self.list
    }
}

/// Where things stand, found by their hashes.
#[derive(Debug, Default)]
pub(crate) struct Places {
    table: HashTable<(u64, usize)>,
    hasher: RandomState,
}

impl Places {
    fn with_capacity(count: usize) -> Self {
        Places { table: HashTable::with_capacity(count), hasher: RandomState::default() }
    }

    /// Makes room for so many more.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.table.reserve(count, |(hash, _)| *hash);
    }

    /// The place at which the same stands already, or a new one, which is then the thing's.
    pub(crate) fn place_of(
        &mut self,
        thing: &(impl Hash + ?Sized),
        new: usize,
        is_same_at: impl Fn(usize) -> bool,
    ) -> usize {
        let hash = self.hasher.hash_one(thing);
        let is_same = |(other, place): &(u64, usize)| *other == hash && is_same_at(*place);
        self.table.entry(hash, is_same, |(hash, _)| *hash).or_insert((hash, new)).get().1
    }
}
