//! Indices and ranges that must lead to something: nodes, slots, batches, vertices.

use std::ops::Range;

use galvani_core::{Path, Reading, Report};

use super::budget::Budget;
use super::spans::Spans;
use super::{
    BATCH_INDICES, BATCH_TILING, COCKPIT, INDEX_COUNT, PARENT_CYCLE, PARENT_ORDER, PARENT_RANGE,
    SLOT_BATCHES, SLOT_INDEX, SLOT_TRIANGLES, VARIANT_ORDER, VERTEX_COUNT, VERTEX_RANGE,
};
use crate::msh::{ModelView, NONE, wire};

/// The level of detail of what is seen from inside, and the flag of its nodes.
const COCKPIT_LOD: usize = 4;
pub(super) const COCKPIT_FLAG: u16 = 0x20;
/// Levels of detail, or groups.
const LODS: usize = 5;

/// Parents, slots, batches and vertices that must be there.
pub fn ranges(model: &ModelView<'_>, report: &mut Report) {
    nodes(model, report);
    slots(model, report);
    batches(model, report);
}

fn nodes(model: &ModelView<'_>, report: &mut Report) {
    let Some(nodes) = &model.nodes else { return };
    let slots = model.slots.as_ref().map_or(0, |slots| slots.rows.len());
    let mut in_order = true;
    for (i, node) in nodes.rows.iter().enumerate() {
        in_order &= parent(node, i, nodes.rows.len(), report);
        for (choice, slot) in node.slot_index.iter().map(|slot| slot.get()).enumerate() {
            if slot != NONE && usize::from(slot) >= slots {
                let path = Path::named("nodes").index(i).field("slot_index").index(choice);
                report.push(SLOT_INDEX.at(path).saying(format!("a slot below {slots} wanted, {slot} found")));
            }
        }
        if model.reading == Reading::Observed {
            variants(node, i, report);
        }
    }
    if !in_order {
        cycles(nodes.rows, report);
    }
}

/// Whether a node comes behind its parent.
fn parent(node: &wire::Node, index: usize, count: usize, report: &mut Report) -> bool {
    let parent = usize::from(node.parent.get());
    if node.parent.get() == NONE || parent < index {
        return true;
    }
    let path = Path::named("nodes").index(index).field("parent");
    if parent >= count {
        report.push(PARENT_RANGE.at(path).saying(format!("a node below {count} wanted, {parent} found")));
    } else if parent > index {
        report.push(PARENT_ORDER.at(path).saying(format!("a node below {index} wanted, {parent} found")));
    }
    false
}

/// One finding per circle of parents. Every node is visited once: a walk ends where an earlier one came by.
fn cycles(nodes: &[wire::Node], report: &mut Report) {
    let mut visited_by: Vec<Option<usize>> = vec![None; nodes.len()];
    for start in 0..nodes.len() {
        let mut at = start;
        while let Some((visited, node)) = visited_by.get_mut(at).zip(nodes.get(at)) {
            if let Some(walk) = *visited {
                if walk == start {
                    let path = Path::named("nodes").index(at).field("parent");
                    let found = format!("another ancestor wanted, node {at} found again");
                    report.push(PARENT_CYCLE.at(path).saying(found));
                }
                break;
            }
            *visited = Some(start);
            at = match node.parent.get() {
                NONE => break,
                parent => usize::from(parent),
            };
        }
    }
}

/// Damage states are filled in order; level 4 alone is the cockpit's.
fn variants(node: &wire::Node, index: usize, report: &mut Report) {
    let path = || Path::named("nodes").index(index);
    let filled = |row: &[zerocopy::little_endian::U16]| row.iter().any(|slot| slot.get() != NONE);
    let mut before = true;
    for (variant, row) in node.slot_index.chunks_exact(LODS).enumerate() {
        if filled(row) && !before {
            let found =
                format!("slots of damage state {} wanted first, none found", variant.saturating_sub(1));
            let choice = variant.saturating_mul(LODS);
            report.push(VARIANT_ORDER.at(path().field("slot_index").index(choice)).saying(found));
        }
        before = filled(row);
    }
    let (mut inside, mut outside) = (false, false);
    for (choice, slot) in node.slot_index.iter().enumerate() {
        let is_cockpit = choice % LODS == COCKPIT_LOD;
        inside |= is_cockpit && slot.get() != NONE;
        outside |= !is_cockpit && slot.get() != NONE;
    }
    let flagged = node.flags.get() & COCKPIT_FLAG != 0;
    if flagged && outside {
        let found = "flag 0x20: slots at level 4 alone wanted, others found";
        report.push(COCKPIT.at(path().field("flags")).saying(found));
    } else if !flagged && inside && !outside {
        let found = "slots at level 4 alone: flag 0x20 wanted, not found";
        report.push(COCKPIT.at(path().field("flags")).saying(found));
    }
}

fn slots(model: &ModelView<'_>, report: &mut Report) {
    let Some(slots) = &model.slots else { return };
    let faces = model.faces.as_ref().map(|faces| faces.rows.len());
    let batches = model.batches.as_ref().map(|batches| batches.rows.len());
    for (i, slot) in slots.rows.iter().enumerate() {
        let path = |field| Path::named("slots").index(i).field(field);
        if let Some(end) = overrun(slot.tri_start.get(), slot.tri_count.get(), faces) {
            let found = format!("an end within {} triangles wanted, {end} found", faces.unwrap_or(0));
            report.push(SLOT_TRIANGLES.at(path("tri_start")).saying(found));
        }
        if let Some(end) = overrun(slot.batch_start.get(), slot.batch_count.get(), batches) {
            let found = format!("an end within {} batches wanted, {end} found", batches.unwrap_or(0));
            report.push(SLOT_BATCHES.at(path("batch_start")).saying(found));
        }
    }
}

/// Where a range ends, if that is behind its stream. Of a stream that is not there nothing but nothing can be
/// meant.
fn overrun(start: u16, count: u16, rows: Option<usize>) -> Option<usize> {
    let end = end(start, count);
    match rows {
        Some(rows) => (end > rows).then_some(end),
        None => (count > 0).then_some(end),
    }
}

fn end(start: u16, count: u16) -> usize {
    usize::from(start).saturating_add(usize::from(count))
}

/// The batches of a slot, as far as they are there.
pub(super) fn batches_of<'a>(slot: &wire::Slot, batches: &'a [wire::Batch]) -> &'a [wire::Batch] {
    let end = end(slot.batch_start.get(), slot.batch_count.get()).min(batches.len());
    batches.get(usize::from(slot.batch_start.get())..end).unwrap_or_default()
}

/// The places of a batch in stream 6, if all of them are there.
pub(super) fn places(batch: &wire::Batch, indices: usize) -> Option<Range<usize>> {
    let start = usize::try_from(batch.index_start.get()).ok()?;
    let end = start.checked_add(usize::from(batch.index_count.get()))?;
    (end <= indices).then_some(start..end)
}

fn batches(model: &ModelView<'_>, report: &mut Report) {
    let Some(batches) = &model.batches else { return };
    let indices = model.indices.as_ref().map_or(&[][..], |indices| indices.rows);
    let highest = Highest::new(batches.rows, indices);
    let vertices = model.vertex_count();
    for (i, batch) in batches.rows.iter().enumerate() {
        let path = |field| Path::named("batches").index(i).field(field);
        let count = batch.index_count.get();
        if !count.is_multiple_of(3) {
            report.push(
                INDEX_COUNT.at(path("index_count")).saying(format!("a multiple of 3 wanted, {count} found")),
            );
        }
        let Some(places) = places(batch, indices.len()) else {
            let end = u64::from(batch.index_start.get()).saturating_add(u64::from(count));
            let found = format!("an end within {} indices wanted, {end} found", indices.len());
            report.push(BATCH_INDICES.at(path("index_start")).saying(found));
            continue;
        };
        let Some(high) = highest.largest(places) else { continue };
        let reach = u64::from(batch.base_vertex.get()).saturating_add(u64::from(high));
        if usize::try_from(reach).map_or(true, |reach| reach >= vertices) {
            let found = format!("a vertex below {vertices} wanted, {reach} found");
            report.push(VERTEX_RANGE.at(path("base_vertex")).saying(found));
        }
        let (wanted, found) = (u32::from(high).saturating_add(1), u32::from(batch.word_0e.get()));
        if model.reading == Reading::Observed && wanted != found {
            let found = format!("{wanted} wanted, {found} found");
            report.push(VERTEX_COUNT.at(path("vertex_count")).saying(found));
        }
    }
    tiling(batches.rows, indices.len(), report);
}

/// The highest index of any range of stream 6.
struct Highest<'a> {
    indices: &'a [wire::Index],
    /// For files whose batches overlap so often that looking at each index would cost too much.
    tree: Option<Spans<u16>>,
}

impl<'a> Highest<'a> {
    fn new(batches: &[wire::Batch], indices: &'a [wire::Index]) -> Self {
        let cost =
            batches.iter().fold(0_usize, |cost, batch| cost.saturating_add(batch.index_count.get().into()));
        let tree = || Spans::new(indices.iter().map(|index| index.index.get()), 0, u16::max);
        let affordable = Budget::over(indices.len()).pays(cost);
        Highest { indices, tree: (!affordable).then(tree) }
    }

    /// `None` if the range is empty.
    fn largest(&self, places: Range<usize>) -> Option<u16> {
        let here = self.indices.get(places.clone()).filter(|here| !here.is_empty())?;
        Some(match &self.tree {
            Some(tree) => tree.over(places),
            None => here.iter().fold(0, |high, index| high.max(index.index.get())),
        })
    }
}

/// Every index belongs to one batch.
fn tiling(batches: &[wire::Batch], indices: usize, report: &mut Report) {
    let span = |batch: &wire::Batch| {
        let start = u64::from(batch.index_start.get());
        (start, start.saturating_add(u64::from(batch.index_count.get())))
    };
    let follow = |reached: u64, batch: &wire::Batch| {
        Some(span(batch)).filter(|span| span.0 == reached).map(|span| span.1)
    };
    let all = u64::try_from(indices).unwrap_or(u64::MAX);
    if batches.iter().try_fold(0, follow) == Some(all) {
        return;
    }
    let mut spans: Vec<_> =
        batches.iter().map(span).zip(0..).filter(|((start, end), _)| start < end).collect();
    spans.sort_unstable();
    let mut reached = 0;
    for ((start, end), batch) in spans {
        if start != reached {
            let path = Path::named("batches").index(batch).field("index_start");
            report.push(BATCH_TILING.at(path).saying(format!("index {reached} wanted next, {start} found")));
        }
        reached = end.max(reached);
    }
    if let Some(reached) = usize::try_from(reached).ok().filter(|&reached| reached < indices) {
        let found = format!("batches up to index {indices} wanted, up to {reached} found");
        report.push(BATCH_TILING.at(Path::named("indices").index(reached)).saying(found));
    }
}
