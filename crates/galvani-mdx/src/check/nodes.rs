//! Nodes, their parents and pivots, and the parts of records that begin with one.

use galvani_core::{Path, Report};

use super::sequences::flags;
use super::summary::Summary;
use super::{
    EMITTER_SIZE, EVENT_EMPTY, NODE_ID, NODE_REPEATED, NODE_TYPE, PARENT_CYCLE, PARENT_FORWARD,
    PARENT_MISSING, PARENT_SELF, PIVOT_COUNT,
};
use crate::model::Block2;
use crate::{Content, Document, Family, NodeKind};

/// Bytes of a ribbon's block in WoW, its size included.
pub(crate) const RIBBON_BLOCK: u32 = 56;

pub(super) fn nodes(document: &Document, summary: &Summary<'_>, report: &mut Report) {
    let all = summary.has_all_nodes();
    // The parent of each number; of several nodes, the last one's.
    let mut parents: Vec<Option<i32>> = vec![None; summary.ids.len()];
    for placed in &summary.nodes {
        let at = || placed.path.field("node");
        let fixed = &placed.node.fixed;
        let (id, parent) = (fixed.object_id.get(), fixed.parent_id.get());
        let own = summary.find(id).and_then(|i| parents.get_mut(i));
        if own.and_then(|own| own.replace(parent)).is_some() {
            report.push(NODE_REPEATED.at(at().field("object_id")).saying(format!("{id} again")));
        }
        if parent == id {
            report.push(PARENT_SELF.at(at().field("parent_id")).saying(format!("node {id}")));
        } else if parent != -1 && all && summary.find(parent).is_none() {
            let found = format!("node {parent} named by node {id}");
            report.push(PARENT_MISSING.at(at().field("parent_id")).saying(found));
        } else if parent > id {
            let found = format!("node {parent} named by node {id}");
            report.push(PARENT_FORWARD.at(at().field("parent_id")).saying(found));
        }
        kinds(document.family(), placed.kind, fixed.flags.get(), at, report);
    }
    if all {
        ids(document.family(), summary, report);
    }
    cycles(summary, &parents, report);
    if summary.pivots != summary.nodes.len() && all && summary.is_whole(&[b"PIVT"]) {
        pivots(summary, report);
    }
}

/// Pivots are found by the numbers of nodes; those that nobody asks for do no harm.
fn pivots(summary: &Summary<'_>, report: &mut Report) {
    let found = format!("{} nodes, {} pivots", summary.nodes.len(), summary.pivots);
    let finding = PIVOT_COUNT.at(Path::named("PIVT")).saying(found);
    report.push(if has_all_pivots(summary) {
        finding.as_note().advising("every node has its pivot; those behind are never asked for")
    } else {
        finding
    });
}

/// Whether there is a pivot for every number.
fn has_all_pivots(summary: &Summary<'_>) -> bool {
    summary.ids.iter().all(|id| usize::try_from(*id).is_ok_and(|id| id < summary.pivots))
}

/// Every number from 0 on must be there.
fn ids(family: Family, summary: &Summary<'_>, report: &mut Report) {
    let gap = (0..).zip(&summary.ids).find(|(wanted, id)| wanted != *id);
    let Some((wanted, &found)) = gap else { return };
    let place = summary.nodes.iter().find(|placed| placed.node.fixed.object_id.get() == found);
    let path = place.map_or(Path::named("PIVT"), |placed| placed.path.field("node").field("object_id"));
    let finding = NODE_ID.at(path).saying(format!("{wanted} wanted, {found} found"));
    report.push(match family {
        Family::Wow => finding.advising("the WoW client refuses the file; renumber the nodes"),
        Family::Warcraft if has_all_pivots(summary) => {
            finding.as_note().advising("Warcraft III does not mind a gap where every number has its pivot")
        }
        Family::Warcraft => finding.advising("pivots go by these numbers; renumber the nodes or add pivots"),
    });
}

/// Every node that leads back to itself is reported once.
fn cycles(summary: &Summary<'_>, parents: &[Option<i32>], report: &mut Report) {
    /// What is known of a number.
    #[derive(Clone, Copy)]
    enum Ascent {
        Unknown,
        /// It is on the way up from the node at hand.
        Here,
        /// It leads out, or was reported.
        Known,
    }
    let mut known = vec![Ascent::Unknown; parents.len()];
    let mut way = Vec::new();
    for placed in &summary.nodes {
        let mut at = placed.node.fixed.object_id.get();
        while let Some(i) = summary.find(at)
            && let (Some(&Some(parent)), Some(found)) = (parents.get(i), known.get_mut(i))
        {
            match found {
                Ascent::Here => {
                    let found = format!("node {at} found again");
                    let path = placed.path.field("node").field("parent_id");
                    if parent != at {
                        report.push(PARENT_CYCLE.at(path).saying(found));
                    }
                    break;
                }
                Ascent::Known => break,
                Ascent::Unknown => {
                    *found = Ascent::Here;
                    way.push(i);
                    at = parent;
                }
            }
        }
        for i in way.drain(..) {
            known.get_mut(i).into_iter().for_each(|found| *found = Ascent::Known);
        }
    }
}

/// The bit that says what a node belongs to (docs/formats/mdx-records.md#node), and the bits that mean
/// something.
fn kinds(family: Family, kind: NodeKind, bits: u32, at: impl Fn() -> Path, report: &mut Report) {
    let known = match family {
        Family::Warcraft => 0x1f_ffff,
        Family::Wow => 0x3fff_ffff,
    };
    if let Some(wanted) = kind_bit(family, kind)
        && bits & wanted == 0
    {
        let found = format!("0x{wanted:x} of a {} wanted, 0x{bits:x} found", kind.word());
        report.push(NODE_TYPE.at(at().field("flags")).saying(found));
    }
    flags(at, bits, known, report);
}

/// The bit by which a node of a family says what it belongs to, if it says so.
pub(crate) fn kind_bit(family: Family, kind: NodeKind) -> Option<u32> {
    match family {
        Family::Warcraft => warcraft_bit(kind),
        Family::Wow => wow_bit(kind),
    }
}

fn warcraft_bit(kind: NodeKind) -> Option<u32> {
    Some(match kind {
        NodeKind::Bone => 0x100,
        NodeKind::Light => 0x200,
        NodeKind::Event => 0x400,
        NodeKind::Attachment => 0x800,
        NodeKind::Emitter | NodeKind::Emitter2 => 0x1000,
        NodeKind::CollisionShape => 0x2000,
        NodeKind::Ribbon => 0x4000,
        _ => return None,
    })
}

fn wow_bit(kind: NodeKind) -> Option<u32> {
    Some(match kind {
        NodeKind::Light => 0x100,
        NodeKind::Event => 0x200,
        NodeKind::Attachment => 0x400,
        NodeKind::Emitter2 => 0x800,
        NodeKind::HitTest => 0x1000,
        NodeKind::Ribbon => 0x2000,
        _ => return None,
    })
}

/// What records say of their own parts.
pub(super) fn parts(summary: &Summary<'_>, report: &mut Report) {
    for &(_, first, chunk) in &summary.chunks {
        let path = |tag, i: usize| Path::named(tag).index(first.saturating_add(i));
        match &chunk.content {
            Content::Events(records) => {
                for (i, _) in records.typed().filter(|(_, event)| event.track.is_none()) {
                    report.push(EVENT_EMPTY.at(path("EVTS", i).field("node")));
                }
            }
            Content::Emitters2(records) => {
                for (i, emitter) in records.typed() {
                    if let Block2::Wow { fixed, .. } = &emitter.block {
                        let wanted = emitter_size(&emitter.block);
                        block(path("PRE2", i), wanted, fixed.emitter_size.get(), report);
                    }
                }
            }
            Content::Ribbons(records) => {
                for (i, ribbon) in records.typed() {
                    if let Some(size) = ribbon.emitter_size {
                        block(path("RIBB", i), RIBBON_BLOCK, size, report);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Bytes of an emitter's block, as its second size counts them.
pub(crate) fn emitter_size(block: &Block2) -> u32 {
    u32::try_from(block.len()).unwrap_or(u32::MAX)
}

fn block(path: Path, wanted: u32, found: u32, report: &mut Report) {
    if wanted != found {
        let found = format!("{wanted} bytes wanted, {found} found");
        report.push(EMITTER_SIZE.at(path.field("emitter_size")).saying(found));
    }
}
