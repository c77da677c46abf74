//! From a node to its slot, from a slot to its batches, from a batch to its indices; what is not there is an
//! error that names the field.

use galvani_core::{Path, SampleError};

use super::{BATCH_OUTSIDE, INDEX_OUTSIDE, SLOT_OUTSIDE};
use crate::msh::{ModelView, NONE, wire};

/// The streams on the way from a node to its triangles.
#[derive(Debug, Clone, Copy)]
pub(in crate::msh) struct Walk<'a> {
    pub(in crate::msh) nodes: &'a [wire::Node],
    pub(in crate::msh) slots: &'a [wire::Slot],
    pub(in crate::msh) batches: &'a [wire::Batch],
    pub(in crate::msh) indices: &'a [wire::Index],
}

impl<'a> Walk<'a> {
    pub(in crate::msh) fn new(model: &ModelView<'a>) -> Self {
        Walk {
            nodes: model.nodes.as_ref().map_or(&[], |nodes| nodes.rows),
            slots: model.slots.as_ref().map_or(&[], |slots| slots.rows),
            batches: model.batches.as_ref().map_or(&[], |batches| batches.rows),
            indices: model.indices.as_ref().map_or(&[], |indices| indices.rows),
        }
    }

    /// The slot of a node in a cell.
    pub(in crate::msh) fn slot(
        &self,
        node: usize,
        cell: usize,
    ) -> Result<Option<(u16, &'a wire::Slot)>, SampleError> {
        let record = self.nodes.get(node).and_then(|node| node.slot_index.get(cell));
        let Some(slot) = record.map(|slot| slot.get()).filter(|&slot| slot != NONE) else { return Ok(None) };
        let found = self.slots.get(usize::from(slot)).ok_or_else(|| {
            let path = Path::named("nodes").index(node).field("slot_index").index(cell);
            SLOT_OUTSIDE.at(path).saying(format!("slot {slot} of {}", self.slots.len()))
        })?;
        Ok(Some((slot, found)))
    }

    /// The batches of a slot, with their places.
    pub(in crate::msh) fn batches(
        &self,
        slot: u16,
        record: &wire::Slot,
    ) -> Result<impl ExactSizeIterator<Item = (usize, &'a wire::Batch)> + use<'a>, SampleError> {
        let start = usize::from(record.batch_start.get());
        let end = start.saturating_add(usize::from(record.batch_count.get()));
        // A slot without batches may start anywhere.
        let here = if start == end { Some(&[][..]) } else { self.batches.get(start..end) };
        let here = here.ok_or_else(|| {
            let path = Path::named("slots").index(slot.into()).field("batch_start");
            BATCH_OUTSIDE.at(path).saying(format!("batches {start}..{end} of {}", self.batches.len()))
        })?;
        Ok(here.iter().enumerate().map(move |(i, batch)| (start.saturating_add(i), batch)))
    }

    /// Where the indices of a batch stand.
    pub(in crate::msh) fn indices(
        &self,
        batch: usize,
        record: &wire::Batch,
    ) -> Result<&'a [wire::Index], SampleError> {
        let count = usize::from(record.index_count.get());
        if count == 0 {
            return Ok(&[]);
        }
        let start = usize::try_from(record.index_start.get()).unwrap_or(usize::MAX);
        let end = start.saturating_add(count);
        self.indices.get(start..end).ok_or_else(|| {
            let path = Path::named("batches").index(batch).field("index_start");
            INDEX_OUTSIDE.at(path).saying(format!("indices {start}..{end} of {}", self.indices.len())).into()
        })
    }
}
