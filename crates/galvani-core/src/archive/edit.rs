//! Edits of blocks: entries follow their bytes, and what stays keeps its alignment.

use super::layout::{Layout, beyond_padding, padding};
use super::{Block, Cluster, Entry, EntryClaim, clusters, users};
use crate::budget::Exhausted;
use crate::diag::{Code, Diagnostic, EditError};
use crate::path::Path;
use crate::{room, text};

/// How much larger than itself an archive may become when overlapping payloads get their own bytes:
/// a small file of many claims on the same bytes must not fill the memory.
const UNSHARING_FACTOR: usize = 16;

/// What the lists of an edit have of an entry or a block: who wants it, its cluster, its place.
const LISTED: usize = size_of::<EntryClaim>() + size_of::<Cluster>() + size_of::<usize>();

/// The blocks of a document that is being edited, and the entries that lie in them.
#[derive(Debug)]
pub struct Edit<'a, E> {
    /// Offset of the lead.
    pub start: usize,
    /// New blocks begin at multiples of this power of two; 1 where they begin anywhere.
    pub align: usize,
    /// Bytes before the first block.
    pub lead: &'a mut Vec<u8>,
    /// The blocks in file order.
    pub blocks: &'a mut Vec<Block>,
    /// The directory.
    pub entries: &'a mut [E],
}

impl<E: Entry> Edit<'_, E> {
    /// Asks for all the room that an edit takes before anything changes: so many bytes that are copied from block to
    /// block, a block for every entry and one more, and the lists of who lies where.
    pub fn ask(&mut self, bytes: usize) -> Result<(), Exhausted> {
        let blocks = self.entries.len().saturating_add(1).saturating_sub(self.blocks.len());
        room::reserve(self.blocks, blocks.max(1))?;
        let lists = self.entries.len().saturating_add(self.blocks.len()).saturating_mul(LISTED);
        room::probe(bytes.saturating_add(lists))
    }

    /// Puts a new block at an aligned place and padding behind it.
    pub fn insert(&mut self, index: usize, bytes: Vec<u8>) {
        let index = index.min(self.blocks.len());
        let zeros = padding(self.position(index), self.align);
        self.gap_before(index).extend(std::iter::repeat_n(0, zeros));
        self.move_blocks(index, |block| block.saturating_add(1));
        let gap = vec![0; padding(bytes.len(), self.align)];
        self.blocks.insert(index, Block { bytes, gap });
    }

    /// Gives a block other bytes; what follows keeps its place relative to the alignment.
    pub fn resize(&mut self, index: usize, bytes: Vec<u8>) {
        let (at, align) = (self.position(index), self.align);
        let Some(block) = self.blocks.get_mut(index) else { return };
        let old_end = at.saturating_add(block.bytes.len());
        let next = old_end.saturating_add(block.gap.len());
        let rest = beyond_padding(old_end, &block.gap, align);
        block.gap = padded(at.saturating_add(bytes.len()), rest, next, align);
        block.bytes = bytes;
    }

    /// Drops from a block what no entry uses any more. What its payloads have between them falls away too, so
    /// one block may become several, or none.
    pub fn settle(&mut self, index: usize) {
        if index >= self.blocks.len() {
            return;
        }
        let at = self.position(index);
        let mut users = users(self.entries, index);
        let runs: Vec<_> = clusters(&mut users).collect();
        let old = self.blocks.remove(index);
        let old_end = at.saturating_add(old.bytes.len());
        let next = old_end.saturating_add(old.gap.len());
        self.move_blocks(index.saturating_add(1), |block| block.saturating_add(runs.len()).saturating_sub(1));
        let mut end = at;
        for (i, (run, claims)) in (index..).zip(&runs) {
            for &EntryClaim { start, entry, .. } in *claims {
                if let Some(entry) = self.entries.get_mut(entry) {
                    entry.move_to(i, start.saturating_sub(run.start));
                }
            }
            if i > index {
                let zeros = padding(end, self.align);
                self.gap_before(i).resize(zeros, 0);
                end = end.saturating_add(zeros);
            }
            let bytes = old.bytes.get(run.start..run.end).unwrap_or_default().to_vec();
            end = end.saturating_add(bytes.len());
            self.blocks.insert(i, Block { bytes, gap: Vec::new() });
        }
        let gap = padded(end, beyond_padding(old_end, &old.gap, self.align), next, self.align);
        self.gap_before(index.saturating_add(runs.len())).extend(gap);
    }

    /// Gives empty payloads at one place their blocks in directory order, as reading does. No byte moves.
    pub fn order_empty(&mut self) {
        let layout = Layout { start: self.start, lead: self.lead, blocks: self.blocks };
        let positions = layout.positions();
        let empty = |(i, entry): (usize, &E)| {
            let block = entry.extent()?.block;
            let is_empty = self.blocks.get(block)?.bytes.is_empty();
            is_empty.then_some((*positions.get(block)?, i, block))
        };
        let mut users: Vec<_> = self.entries.iter().enumerate().filter_map(empty).collect();
        users.sort_unstable();
        let mut blocks: Vec<usize> = users.iter().map(|&(_, _, block)| block).collect();
        blocks.sort_unstable();
        for ((_, entry, _), block) in users.into_iter().zip(blocks) {
            if let Some(entry) = self.entries.get_mut(entry) {
                entry.move_to(block, 0);
            }
        }
    }

    /// Tells the entries where the blocks from `first` on will be.
    fn move_blocks(&mut self, first: usize, to: impl Fn(usize) -> usize) {
        for entry in &mut *self.entries {
            if let Some(extent) = entry.extent().filter(|extent| extent.block >= first) {
                entry.move_to(to(extent.block), extent.start);
            }
        }
    }

    /// The gap that stands before the block at `index`, or behind the last.
    pub fn gap_before(&mut self, index: usize) -> &mut Vec<u8> {
        gap_before(self.lead, self.blocks, index)
    }

    fn position(&self, index: usize) -> usize {
        let layout = Layout { start: self.start, lead: self.lead, blocks: self.blocks };
        layout.positions().get(index).copied().unwrap_or(self.start)
    }
}

pub(super) fn gap_before<'a>(
    lead: &'a mut Vec<u8>,
    blocks: &'a mut [Block],
    index: usize,
) -> &'a mut Vec<u8> {
    match index.checked_sub(1).and_then(|i| blocks.get_mut(i)) {
        Some(block) => &mut block.gap,
        None => lead,
    }
}

/// A gap behind `end`: `rest`, with as many zeros before it as keep what follows where it was relative to the
/// alignment.
fn padded(end: usize, rest: &[u8], next: usize, align: usize) -> Vec<u8> {
    let zeros = next.wrapping_sub(end).wrapping_sub(rest.len()).checked_rem(align).unwrap_or(0);
    let mut gap = vec![0; zeros];
    gap.extend_from_slice(rest);
    gap
}

/// The entry at an index, or a refusal.
pub fn entry_at<'a, E>(entries: &'a [E], index: usize, code: &'static Code) -> Result<&'a E, EditError> {
    entries.get(index).ok_or_else(|| no_entry(index, entries.len(), code))
}

/// The refusal of an index that has no entry.
pub fn no_entry(index: usize, count: usize, code: &'static Code) -> EditError {
    let found = format!("entry {index} of {count}");
    code.at(Path::named("entries").index(index)).saying(found).into()
}

/// Refuses where overlapping payloads of `has` bytes would take `wanted`, out of proportion, with bytes of
/// their own. `what` is the format's word for payloads.
pub fn allow_unsharing(
    what: &'static str,
    has: usize,
    wanted: usize,
    code: &'static Code,
) -> Result<(), EditError> {
    if wanted > has.saturating_mul(UNSHARING_FACTOR) {
        let found = format!("overlapping {what} of {has} bytes would become {wanted} bytes");
        return Err(code.at(Path::named(what)).saying(found).into());
    }
    Ok(())
}

/// Tells of the bytes that are lost with these gaps; zeros are no loss.
pub fn dropped_bytes(gaps: impl IntoIterator<Item: AsRef<[u8]>>, code: &'static Code) -> Option<Diagnostic> {
    let foreign = gaps.into_iter().filter(|gap| gap.as_ref().iter().any(|&byte| byte != 0));
    let dropped: usize = foreign.map(|gap| gap.as_ref().len()).sum();
    (dropped > 0).then(|| code.at(Path::root()).saying(format!("{dropped} bytes dropped")))
}

/// Tells of the bytes that are lost when the name of entry `i` gets zeros behind it.
pub fn zeroed_name<E: Entry>(i: usize, entry: &E, code: &'static Code) -> Option<Diagnostic> {
    let name = entry.name();
    let is_lost = name.iter().skip(text::before_nul(name).len()).any(|&byte| byte != 0);
    is_lost.then(|| {
        let found = format!("bytes behind the NUL of `{}` zeroed", text::shown(name));
        code.at(Path::named("entries").index(i).field("name")).saying(found)
    })
}
