//! The archive: every stream with its attributes, in the order of the game's files.

use galvani_core::record::Text;
use galvani_core::{EditError, Reading, room};
use zerocopy::IntoBytes;
use zerocopy::little_endian::U16;

use super::mesh::Mesh;
use super::plan::{GeometryPlan, NodePlan, Plan};
use super::tracks::{Run, Tracks};
use super::{Cells, flags, index16, index32};
use crate::msh::{NONE, streams, wire};
use crate::nres::{self, Name, NewEntry};

/// What the streams are made from.
pub(super) struct Parts<'a> {
    pub(super) plan: &'a Plan,
    pub(super) cells: &'a Cells<'a>,
    pub(super) bounds: &'a wire::Bounds,
    pub(super) mesh: &'a Mesh,
    pub(super) tracks: &'a Tracks,
}

/// All streams.
pub(super) fn archive(name: Name, parts: &Parts<'_>) -> Result<nres::Document, EditError> {
    let mut archive = Archive { name, archive: nres::Document::default() };
    archive.fill(parts)?;
    Ok(archive.archive)
}

/// The archive in the making.
struct Archive {
    name: Name,
    archive: nres::Document,
}

impl Archive {
    /// Adds every stream that the model wants.
    fn fill(&mut self, parts: &Parts<'_>) -> Result<(), EditError> {
        let &Parts { plan, cells, bounds, mesh, tracks } = parts;
        let observed = plan.reading == Reading::Observed;
        let any = |given: fn(&GeometryPlan) -> bool| cells.stored.iter().any(|(_, _, one)| given(one));
        let lit = observed && (any(|one| !one.lightmap_uv.is_empty()) || !plan.probes.is_empty());
        let nodes = nodes(plan, cells, tracks);
        let slots = [bounds.as_bytes(), mesh.slots.as_bytes()].concat();
        self.add(streams::NODES, [nodes.len(), 0], nodes.as_bytes())?;
        self.add(streams::SLOTS, [mesh.slots.len(), 0], &slots)?;
        self.add(streams::POSITIONS, [mesh.positions.len(), 0], mesh.positions.as_bytes())?;
        self.add(streams::NORMALS, [mesh.normals.len(), 0], mesh.normals.as_bytes())?;
        self.add(streams::UV0, [mesh.uv0.len(), 0], mesh.uv0.as_bytes())?;
        if lit {
            self.add(streams::STREAM18, [mesh.lightmap_uv.len(), 0], mesh.lightmap_uv.as_bytes())?;
        }
        self.add(streams::EXTRA15, [mesh.extra15.len(), 0], mesh.extra15.as_bytes())?;
        self.add(streams::BATCHES, [mesh.batches.len(), 0], mesh.batches.as_bytes())?;
        self.add(streams::INDICES, [mesh.indices.len(), 0], mesh.indices.as_bytes())?;
        self.add(streams::FACES, [mesh.faces.len(), 0], mesh.faces.as_bytes())?;
        self.add(streams::KEYS, [tracks.keys.len(), 0], tracks.keys.as_bytes())?;
        let frame_count = usize::try_from(tracks.frame_count).unwrap_or(usize::MAX);
        self.add(streams::FRAME_MAP, [tracks.map.len(), frame_count], tracks.map.as_bytes())?;
        if observed {
            let names: Vec<wire::NodeName> = plan.nodes.iter().map(node_name).collect();
            self.add(streams::NAMES, [names.len(), 0], names.as_bytes())?;
        }
        self.add(streams::LABELS, [plan.nodes.len(), 0], &labels(plan))?;
        let (points, links) = (&plan.waypoints, &plan.hallways);
        if observed || !points.is_empty() {
            let graph = [points.as_bytes(), links.as_bytes()].concat();
            self.add(streams::HALLWAYS, [points.len(), links.len()], &graph)?;
        }
        if lit || !plan.probes.is_empty() {
            self.add(streams::PROBES, [plan.probes.len(), 0], plan.probes.as_bytes())?;
        }
        if any(|one| !one.tangents.is_empty()) {
            self.add(streams::TANGENTS, [mesh.tangents.len(), 0], mesh.tangents.as_bytes())?;
        }
        Ok(())
    }

    fn add(&mut self, stream: u32, counts: [usize; 2], bytes: &[u8]) -> Result<(), EditError> {
        let [attr1, attr2] = counts.map(index32);
        let attr3 = match (stream, streams::by_id(stream)) {
            // Nobody has recorded this one; the size of a record is what it is elsewhere.
            (streams::NAMES, Some(spec)) => index32(spec.stride),
            (_, spec) => spec.and_then(|spec| spec.attr3).unwrap_or(0),
        };
        let entry = NewEntry { type_id: stream, attr1, attr2, attr3, name: self.name };
        self.archive.push(entry, room::copied(bytes)?)
    }
}

fn nodes(plan: &Plan, cells: &Cells<'_>, tracks: &Tracks) -> Vec<wire::Node> {
    let node = |((node, slots), run): ((&NodePlan, &[u16; 15]), &Run)| wire::Node {
        flags: U16::new(flags(plan, node)),
        parent: U16::new(node.parent.map_or(NONE, index16)),
        map_start: U16::new(run.map_start),
        fallback_key: U16::new(run.fallback_key),
        slot_index: slots.map(U16::new),
    };
    plan.nodes.iter().zip(&cells.shown).zip(&tracks.runs).map(node).collect()
}

fn node_name(node: &NodePlan) -> wire::NodeName {
    let mut room = [0; 32];
    room.iter_mut().zip(&node.name).for_each(|(to, from)| *to = *from);
    wire::NodeName { name: Text(room) }
}

/// Labels; in the documented form names, and labels where there is no name.
fn labels(plan: &Plan) -> Vec<u8> {
    let mut bytes = Vec::new();
    for node in &plan.nodes {
        let named = plan.reading == Reading::Documented && !node.name.is_empty();
        let label = if named { &node.name } else { &node.label };
        bytes.extend(index32(label.len()).to_le_bytes());
        if !label.is_empty() {
            bytes.extend(label);
            bytes.push(0);
        }
    }
    bytes
}
