//! Where payloads lie: clusters of overlapping ranges, padding, positions.

use super::{ALIGN, Document, Entry, HEADER_LEN, Payload};

/// A payload's range and whose it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Range {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) entry: usize,
}

/// Ranges that share bytes, and so a block. Sorts the ranges; an empty one stands before what starts
/// at its place.
pub(super) fn clusters(ranges: &mut [Range]) -> Vec<Vec<Range>> {
    ranges.sort_unstable();
    let mut clusters: Vec<Vec<Range>> = Vec::new();
    let mut reached = 0;
    for &range in &*ranges {
        match clusters.last_mut() {
            Some(cluster) if range.start < reached => cluster.push(range),
            _ => clusters.push(vec![range]),
        }
        reached = reached.max(range.end);
    }
    clusters
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
    /// The offset of every block, and last that of the directory.
    pub(super) fn positions(&self) -> Vec<usize> {
        let mut at = HEADER_LEN.saturating_add(self.lead.len());
        let mut positions = Vec::with_capacity(self.blocks.len().saturating_add(1));
        for block in &self.blocks {
            positions.push(at);
            at = at.saturating_add(block.bytes.len()).saturating_add(block.gap.len());
        }
        positions.push(at);
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
        let ends = self
            .positions()
            .into_iter()
            .zip(&self.blocks)
            .map(|(at, block)| at.saturating_add(block.bytes.len()));
        let gaps = self.blocks.iter().map(|block| block.gap.as_slice());
        std::iter::once((HEADER_LEN, self.lead.as_slice()))
            .chain(ends.zip(gaps))
            .filter(|(_, gap)| !gap.is_empty())
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
