//! Where payloads lie: clusters of overlapping ranges, padding, positions.

use super::{ALIGN, Block, Document, Entry, HEADER_LEN, Payload};

/// A payload's range and whose it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Range {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) entry: usize,
}

/// Ranges that share bytes, and so a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cluster {
    /// First byte.
    pub(super) start: usize,
    /// Behind the last byte.
    pub(super) end: usize,
    /// How many ranges.
    pub(super) count: usize,
}

impl Cluster {
    /// The first cluster of sorted ranges: start and end of each.
    pub(super) fn first(ranges: impl IntoIterator<Item = (usize, usize)>) -> Option<Cluster> {
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

/// Every cluster with its ranges. Sorts the ranges; an empty one stands before what starts at its place.
pub(super) fn clusters(ranges: &mut [Range]) -> impl Iterator<Item = (Cluster, &[Range])> {
    ranges.sort_unstable();
    let mut rest = &*ranges;
    std::iter::from_fn(move || {
        let cluster = Cluster::first(rest.iter().map(|range| (range.start, range.end)))?;
        let (own, behind) = rest.split_at_checked(cluster.count)?;
        rest = behind;
        Some((cluster, own))
    })
}

/// Zeros wanted behind `len` bytes to reach a multiple of 8.
pub fn padding(len: usize) -> usize {
    len.checked_next_multiple_of(ALIGN).map_or(0, |aligned| aligned.saturating_sub(len))
}

/// Whether a gap that follows `end` is just the padding.
pub fn is_padding(end: usize, gap: &[u8]) -> bool {
    gap.len() == padding(end) && gap.iter().all(|&byte| byte == 0)
}

/// What of a gap that follows `end` is more than padding.
pub(super) fn beyond_padding(end: usize, gap: &[u8]) -> &[u8] {
    match gap.split_at_checked(padding(end)) {
        Some((zeros, rest)) if zeros.iter().all(|&byte| byte == 0) => rest,
        _ => gap,
    }
}

impl Document {
    /// Every block with its offset.
    fn placed_blocks(&self) -> impl Iterator<Item = (usize, &Block)> {
        let mut next = HEADER_LEN.saturating_add(self.lead.len());
        self.blocks.iter().map(move |block| {
            let at = next;
            next = at.saturating_add(block.bytes.len()).saturating_add(block.gap.len());
            (at, block)
        })
    }

    /// The offset of the directory.
    pub(super) fn directory_offset(&self) -> usize {
        let lens = self.blocks.iter().flat_map(|block| [block.bytes.len(), block.gap.len()]);
        lens.fold(HEADER_LEN.saturating_add(self.lead.len()), usize::saturating_add)
    }

    /// The offset of every block, and last that of the directory.
    pub(super) fn positions(&self) -> Vec<usize> {
        let mut positions = Vec::with_capacity(self.blocks.len().saturating_add(1));
        positions.extend(self.placed_blocks().map(|(at, _)| at));
        positions.push(self.directory_offset());
        positions
    }

    /// The offset of every entry's payload: where it will be written, or what its record says.
    pub fn offsets(&self) -> Vec<usize> {
        let positions = self.positions();
        let offset = |entry: &Entry| match entry.payload {
            Payload::Held { block, start, .. } => {
                positions.get(block).map_or(0, |at| at.saturating_add(start))
            }
            Payload::Outside { offset, .. } => usize::try_from(offset).unwrap_or(usize::MAX),
        };
        self.entries.iter().map(offset).collect()
    }

    /// Offset and bytes of everything between payloads that is not empty, in file order.
    pub(super) fn gaps(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let gaps =
            self.placed_blocks().map(|(at, block)| (at.saturating_add(block.bytes.len()), &block.gap[..]));
        std::iter::once((HEADER_LEN, &self.lead[..])).chain(gaps).filter(|(_, gap)| !gap.is_empty())
    }

    /// Whether the archive is laid out as the game's own writer does it: payloads in directory order,
    /// each padded with zeros to a multiple of 8, and nothing else.
    pub fn has_canonical_layout(&self) -> bool {
        let whole = |(i, entry): (usize, &Entry)| match entry.payload {
            Payload::Held { block, start, len } => {
                block == i && start == 0 && self.blocks.get(i).is_some_and(|block| block.bytes.len() == len)
            }
            Payload::Outside { .. } => false,
        };
        self.lead.is_empty()
            && self.tail.is_empty()
            && self.blocks.len() == self.entries.len()
            && self.entries.iter().enumerate().all(whole)
            && self.blocks.iter().all(|block| is_padding(block.bytes.len(), &block.gap))
    }
}
