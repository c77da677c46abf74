//! Where blocks lie in a file, and the zeros that align them.

use super::Block;

/// The bytes of an archive behind its head: the lead, then every block and its gap.
#[derive(Debug, Clone, Copy)]
pub struct Layout<'a> {
    /// Offset of the lead.
    pub start: usize,
    /// Bytes before the first block.
    pub lead: &'a [u8],
    /// The blocks in file order.
    pub blocks: &'a [Block],
}

impl<'a> Layout<'a> {
    /// Every block with its offset.
    fn placed(self) -> impl Iterator<Item = (usize, &'a Block)> {
        let mut next = self.start.saturating_add(self.lead.len());
        self.blocks.iter().map(move |block| {
            let at = next;
            next = at.saturating_add(block.bytes.len()).saturating_add(block.gap.len());
            (at, block)
        })
    }

    /// The offset of what follows the last gap.
    pub fn end(self) -> usize {
        let lens = self.blocks.iter().flat_map(|block| [block.bytes.len(), block.gap.len()]);
        lens.fold(self.start.saturating_add(self.lead.len()), usize::saturating_add)
    }

    /// The offset of every block, and last that of what follows them.
    pub fn positions(self) -> Vec<usize> {
        let mut positions = Vec::with_capacity(self.blocks.len().saturating_add(1));
        positions.extend(self.placed().map(|(at, _)| at));
        positions.push(self.end());
        positions
    }

    /// Offset and bytes of everything between blocks that is not empty, in file order.
    pub fn gaps(self) -> impl Iterator<Item = (usize, &'a [u8])> {
        let behind =
            |(at, block): (usize, &'a Block)| (at.saturating_add(block.bytes.len()), block.gap.as_slice());
        std::iter::once((self.start, self.lead))
            .chain(self.placed().map(behind))
            .filter(|(_, gap)| !gap.is_empty())
    }
}

/// Zeros wanted behind `len` bytes to reach a multiple of `align`.
pub fn padding(len: usize, align: usize) -> usize {
    len.checked_next_multiple_of(align).map_or(0, |aligned| aligned.saturating_sub(len))
}

/// Whether a gap that follows `end` is just the padding.
pub fn is_padding(end: usize, gap: &[u8], align: usize) -> bool {
    gap.len() == padding(end, align) && gap.iter().all(|&byte| byte == 0)
}

/// What of a gap that follows `end` is more than padding.
pub(super) fn beyond_padding(end: usize, gap: &[u8], align: usize) -> &[u8] {
    match gap.split_at_checked(padding(end, align)) {
        Some((zeros, rest)) if zeros.iter().all(|&byte| byte == 0) => rest,
        _ => gap,
    }
}
