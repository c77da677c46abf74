//! From a file to blocks.

use std::ops::Range;

use super::edit::gap_before;
use super::{Block, Cluster, Entry};
use crate::budget::Exhausted;
use crate::room;

/// What entries are sorted by to be ready for [`fill`]: start and end; those without bytes come last.
pub fn place_in_file<E: Entry>(entry: &E) -> (usize, usize) {
    entry.extent().map_or((usize::MAX, usize::MAX), |extent| (extent.start, extent.end))
}

/// Copies the bytes of entries into blocks, and what lies between them in `room` into the lead and the gaps.
///
/// The extents are counted from the start of the file, and the entries sorted by [`place_in_file`]; they are
/// moved to their blocks. The buffers of the blocks that are there are used again. Without room for all of them, what is
/// left of both is of no use.
pub fn fill<E: Entry>(
    lead: &mut Vec<u8>,
    blocks: &mut Vec<Block>,
    mut entries: &mut [E],
    file: &[u8],
    room: Range<usize>,
) -> Result<(), Exhausted> {
    room::reserve_exact(blocks, entries.len().saturating_sub(blocks.len()))?;
    blocks.resize_with(entries.len(), Block::default);
    let mut reached = room.start;
    let mut index: usize = 0;
    let range = |entry: &E| entry.extent().map(|extent| (extent.start, extent.end));
    while let Some(cluster) = Cluster::first(entries.iter().map_while(range)) {
        copy(file, reached, cluster.start, gap_before(lead, blocks, index))?;
        if let Some(block) = blocks.get_mut(index) {
            copy(file, cluster.start, cluster.end, &mut block.bytes)?;
        }
        for entry in entries.split_off_mut(..cluster.count).unwrap_or_default() {
            if let Some(extent) = entry.extent() {
                entry.move_to(index, extent.start.saturating_sub(cluster.start));
            }
        }
        reached = cluster.end;
        index = index.saturating_add(1);
    }
    blocks.truncate(index);
    copy(file, reached, room.end, gap_before(lead, blocks, index))
}

/// Copies of blocks.
pub fn copied(blocks: &[Block]) -> Result<Vec<Block>, Exhausted> {
    let copy = |block: &Block| {
        Ok::<_, Exhausted>(Block { bytes: room::copied(&block.bytes)?, gap: room::copied(&block.gap)? })
    };
    room::try_collected(blocks.iter().map(copy))
}

fn copy(file: &[u8], start: usize, end: usize, to: &mut Vec<u8>) -> Result<(), Exhausted> {
    room::copy_into(file.get(start..end).unwrap_or_default(), to)
}
