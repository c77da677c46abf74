//! The file map: which bytes of a file are what.
//!
//! One region per table, not per element: a million keys cost one entry, and `keys[120].rotation`
//! is arithmetic. Each byte has one owner, the first that claims it; later claims are aliases.
//! The same map places findings, feeds `dump` and proves that no byte was forgotten.

mod value;

use std::collections::BTreeMap;
use std::ops::Bound;

pub use value::{FieldValue, InOrder, MapRow};

use crate::path::Path;
use crate::place::{PlaceId, Places};
use crate::record::{Field, FieldKind, Record};

/// Which bytes of a file are what.
#[derive(Debug, Clone, Default)]
pub struct FileMap {
    places: Places,
    owners: Vec<Claim>,
    /// Claims on bytes that had an owner already, and how many bytes that is.
    aliases: Vec<(Claim, usize)>,
    /// Nobody has claimed anything from here on: most claims come in file order and only move this.
    front: usize,
    /// End → start of every range before the front that nobody owns.
    free: BTreeMap<usize, usize>,
    len: usize,
}

/// Bytes that were taken for something, under a place among those of a map.
#[derive(Debug, Clone, Copy)]
pub struct Claim {
    /// What takes them.
    pub place: PlaceId,
    /// First byte.
    pub start: usize,
    /// Bytes.
    pub len: usize,
    /// What they are taken for.
    pub shape: Shape,
}

/// A run of bytes with one meaning and one owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    /// What owns it.
    pub path: Path,
    /// First byte.
    pub start: usize,
    /// Bytes.
    pub len: usize,
    /// What the bytes are.
    pub shape: Shape,
}

/// What the bytes of a region are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One record.
    Record(&'static [Field]),
    /// Records one after the other, under indices.
    Table {
        /// Fields of one record.
        fields: &'static [Field],
        /// Bytes of one record.
        stride: usize,
    },
    /// A run of one kind.
    Run(FieldKind),
}

/// A claim on bytes that have an owner already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alias {
    /// Who claims them too.
    pub path: Path,
    /// First byte of the whole claim.
    pub start: usize,
    /// Bytes of the whole claim.
    pub len: usize,
    /// How many of them have another owner.
    pub shared: usize,
    /// What the claimant takes the bytes for.
    pub shape: Shape,
}

impl FileMap {
    /// The map of a file of which nothing is known yet.
    pub fn new(len: usize) -> Self {
        FileMap { len, ..FileMap::default() }
    }

    /// The map of a file whose bytes were taken for these in this order.
    pub fn from_claims(len: usize, places: Places, claims: Vec<Claim>) -> Self {
        let map = FileMap { places, ..FileMap::new(len) };
        let follows = |reached: usize, claim: &Claim| {
            let next = claim.start.checked_add(claim.len).filter(|&next| next <= len)?;
            if claim.len == 0 { Some(reached) } else { (claim.start == reached).then_some(next) }
        };
        // Where each begins where the one before it ended, each owns all that it claims.
        if let Some(front) = claims.iter().try_fold(0, follows) {
            return FileMap { owners: claims, front, ..map };
        }
        let mut map = map.with_room(claims.len());
        for claim in claims {
            map.claim(claim);
        }
        map
    }

    /// The same map with room for so many more regions.
    #[must_use]
    pub fn with_room(mut self, regions: usize) -> Self {
        self.owners.reserve(regions);
        self.places.reserve(regions);
        self
    }

    /// Bytes of the file.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the file is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Claims one record.
    pub fn record<T: Record>(&mut self, path: Path, start: usize) {
        self.claim_at(&path, start, size_of::<T>(), Shape::Record(T::FIELDS));
    }

    /// Claims a table of records.
    pub fn table<T: Record>(&mut self, path: Path, start: usize, count: usize) {
        self.table_as(path, start, count, T::FIELDS, size_of::<T>());
    }

    /// Claims a table of records under the names of another account of the same bytes.
    pub fn table_as(
        &mut self,
        path: Path,
        start: usize,
        count: usize,
        fields: &'static [Field],
        stride: usize,
    ) {
        self.claim_at(&path, start, count.saturating_mul(stride), Shape::Table { fields, stride });
    }

    /// Claims a run of bytes. An empty run owns nothing, but has a place.
    pub fn run(&mut self, path: Path, start: usize, len: usize, kind: FieldKind) {
        self.claim_at(&path, start, len, Shape::Run(kind));
    }

    fn claim_at(&mut self, path: &Path, start: usize, len: usize, shape: Shape) {
        let place = self.places.at(path);
        self.claim(Claim { place, start, len, shape });
    }

    /// Gives the claimant what is free of a range; for the rest it becomes an alias.
    ///
    /// Every free range is visited once before it is gone, so that a file full of overlapping claims
    /// costs no more than its claims.
    fn claim(&mut self, claim: Claim) {
        let Claim { start, len, shape, .. } = claim;
        let end = start.saturating_add(len).min(self.len);
        if len == 0 {
            self.owners.push(claim);
            return;
        }
        if start == self.front && end.checked_sub(start) == Some(len) {
            // Most begin where the last one ended.
            self.front = end;
            self.owners.push(claim);
            return;
        }
        let mut owned: usize = 0;
        while owned < len
            && let Some((first, last)) = self.take_free(start, end)
        {
            let got = last.saturating_sub(first);
            owned = owned.saturating_add(got);
            // A table that lost bytes to an earlier owner is no table any more.
            let shape = if got == len { shape } else { Shape::Run(run_kind(shape)) };
            self.owners.push(Claim { start: first, len: got, shape, ..claim });
        }
        if owned < len {
            self.aliases.push((claim, len.saturating_sub(owned)));
        }
    }

    /// Takes the first range of `start..end` that is free.
    fn take_free(&mut self, start: usize, end: usize) -> Option<(usize, usize)> {
        if start < self.front
            && let Some(taken) = self.take_behind(start, end)
        {
            return Some(taken);
        }
        let (before, first) = (self.front, start.max(self.front));
        if first >= end {
            return None;
        }
        if before < first {
            self.free.insert(first, before);
        }
        self.front = end;
        Some((first, end))
    }

    /// The same before the front.
    fn take_behind(&mut self, start: usize, end: usize) -> Option<(usize, usize)> {
        let behind = (Bound::Excluded(start), Bound::Unbounded);
        let (&to, from) = self.free.range_mut(behind).next().filter(|(_, from)| **from < end)?;
        let (before, first, last) = (*from, start.max(*from), end.min(to));
        if last < to {
            *from = last;
        } else {
            self.free.remove(&to);
        }
        if before < first {
            self.free.insert(first, before);
        }
        Some((first, last))
    }

    /// Ranges that nobody owns, in file order.
    pub fn gaps(&self) -> Vec<(usize, usize)> {
        let ahead = (self.front < self.len).then_some((self.front, self.len));
        self.free.iter().map(|(&end, &start)| (start, end)).chain(ahead).collect()
    }

    /// Regions in the order they were claimed.
    pub fn regions(&self) -> impl ExactSizeIterator<Item = Region> {
        self.owners.iter().map(|&Claim { place, start, len, shape }| Region {
            path: self.places.path(place),
            start,
            len,
            shape,
        })
    }

    /// Claims on bytes that had an owner already.
    pub fn aliases(&self) -> impl ExactSizeIterator<Item = Alias> {
        self.aliases.iter().map(|&(Claim { place, start, len, shape }, shared)| Alias {
            path: self.places.path(place),
            start,
            len,
            shared,
            shape,
        })
    }

    /// The offset of what a path names, if the file has it.
    pub fn offset_of(&self, path: &Path) -> Option<u64> {
        let place = |&Claim { place, start, len, shape }: &Claim| {
            let (index, field) = path.inside(place, &self.places)?;
            let (fields, stride) = match shape {
                Shape::Record(fields) => (fields, 0),
                Shape::Table { fields, stride } => (fields, stride),
                Shape::Run(_) => (&[][..], 0),
            };
            let into = match (index, stride) {
                (Some(index), 1..) => index.checked_mul(stride).filter(|&into| into < len)?,
                (None, _) => 0,
                (Some(_), 0) => return None,
            };
            let field = match field {
                Some(name) => fields.iter().find(|field| field.name == name)?.offset,
                None => 0,
            };
            u64::try_from(start.checked_add(into)?.checked_add(field)?).ok()
        };
        // What owns only a part of its claim, or none, still stands where the claim does.
        let aliases = self.aliases.iter().map(|(claim, _)| claim);
        aliases.chain(&self.owners).find_map(place)
    }
}

impl PartialEq for FileMap {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.regions().eq(other.regions()) && self.aliases().eq(other.aliases())
    }
}

impl Eq for FileMap {}

fn run_kind(shape: Shape) -> FieldKind {
    match shape {
        Shape::Run(kind) => kind,
        Shape::Record(_) | Shape::Table { .. } => FieldKind::Raw,
    }
}

#[cfg(test)]
mod tests;
