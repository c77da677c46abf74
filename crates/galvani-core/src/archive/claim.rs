//! Who wants which bytes, and who shares them.

use super::{Entry, Extent};
use crate::map::{Alias, FileMap};
use crate::path::Path;
use crate::record::FieldKind;

/// A range of bytes and the entry that wants it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct EntryClaim {
    /// First byte.
    pub start: usize,
    /// Behind the last byte.
    pub end: usize,
    /// Index of the entry.
    pub entry: usize,
}

/// Claims that share bytes, and so a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cluster {
    /// First byte.
    pub start: usize,
    /// Behind the last byte.
    pub end: usize,
    /// How many claims.
    pub count: usize,
}

impl Cluster {
    /// The first cluster of sorted ranges: start and end of each.
    pub fn first(ranges: impl IntoIterator<Item = (usize, usize)>) -> Option<Cluster> {
        let mut ranges = ranges.into_iter();
        let (start, end) = ranges.next()?;
        let mut cluster = Cluster { start, end, count: 1 };
        for (start, end) in ranges {
            if start >= cluster.end {
                break;
            }
            cluster.end = cluster.end.max(end);
            cluster.count = cluster.count.saturating_add(1);
        }
        Some(cluster)
    }
}

/// Every cluster with its claims. Sorts the claims; an empty one stands before what starts at its place.
pub fn clusters(claims: &mut [EntryClaim]) -> impl Iterator<Item = (Cluster, &[EntryClaim])> {
    claims.sort_unstable();
    let mut rest = &*claims;
    std::iter::from_fn(move || {
        let cluster = Cluster::first(rest.iter().map(|claim| (claim.start, claim.end)))?;
        let (own, behind) = rest.split_at_checked(cluster.count)?;
        rest = behind;
        Some((cluster, own))
    })
}

/// What entries want of the file, given the offsets of the blocks; in the order of the entries.
pub fn claims<E: Entry>(entries: &[E], positions: &[usize]) -> Vec<EntryClaim> {
    let claim = |(entry, Extent { block, start, end }): (usize, Extent)| {
        let at = positions.get(block)?;
        Some(EntryClaim { start: at.saturating_add(start), end: at.saturating_add(end), entry })
    };
    let mut claims = Vec::with_capacity(entries.len());
    claims.extend(extents(entries).filter_map(claim));
    claims
}

/// What entries want of one block, counted from its start.
pub fn users<E: Entry>(entries: &[E], block: usize) -> Vec<EntryClaim> {
    let own = extents(entries).filter(|(_, extent)| extent.block == block);
    own.map(|(entry, Extent { start, end, .. })| EntryClaim { start, end, entry }).collect()
}

/// Every payload that wants bytes which an entry before it owns, under `payloads[i]`, given the offsets of the blocks
/// and last that of what follows them.
pub fn overlaps<E: Entry>(entries: &[E], positions: &[usize]) -> Vec<Alias> {
    let mut claims = claims(entries, positions);
    let shared = clusters(&mut claims).filter(|(cluster, _)| cluster.count > 1);
    let mut shared: Vec<EntryClaim> = shared.flat_map(|(_, own)| own).copied().collect();
    if shared.is_empty() {
        return Vec::new();
    }
    shared.sort_unstable_by_key(|claim| claim.entry);
    let mut owners = FileMap::new(positions.last().copied().unwrap_or(0));
    for EntryClaim { start, end, entry } in shared {
        owners.run(
            Path::named("payloads").index(entry),
            start,
            end.saturating_sub(start),
            FieldKind::Payload,
        );
    }
    owners.aliases().collect()
}

fn extents<E: Entry>(entries: &[E]) -> impl Iterator<Item = (usize, Extent)> {
    entries.iter().enumerate().filter_map(|(i, entry)| Some((i, entry.extent()?)))
}
