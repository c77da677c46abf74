//! A new model from plain geometry, a hierarchy, materials and tracks; all that can be computed is.
//!
//! Computed are slots with their boxes, spheres, areas and volumes, batches that no index overruns, faces
//! with normals and neighbours, bounds of the posed model, the pool of keys, the map from frames to keys, and
//! every attribute of the archive. The order of the streams is that of the game's files.
//!
//! ```
//! use galvani_parkan::msh::build::{GeometryPlan, NodePlan, PartPlan, Plan, TrianglePlan, build};
//!
//! let triangle = GeometryPlan {
//!     positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
//!     parts: vec![PartPlan {
//!         triangles: vec![TrianglePlan { vertices: [0, 1, 2], flags: 0 }],
//!         ..PartPlan::default()
//!     }],
//!     ..GeometryPlan::default()
//! };
//! let mut node = NodePlan { name: b"sail".to_vec(), ..NodePlan::default() };
//! node.slots[0][0] = Some(triangle);
//! let plan = Plan { name: b"boat".to_vec(), nodes: vec![node], ..Plan::default() };
//! let model = build(&plan)?.document;
//! assert_eq!(model.model().node_name(0), b"sail");
//! # Ok::<(), galvani_core::EditError>(())
//! ```

mod archive;
mod bounds;
mod faces;
mod mesh;
mod plan;
mod refuse;
mod shade;
mod split;
mod tracks;
pub(super) mod vector;

use galvani_core::{EditError, Path, Reading, Report, codes};
use zerocopy::little_endian::F32;

use super::{Document, NONE, wire};
use crate::nres::Name;
use archive::Parts;
pub(super) use bounds::{Box3, around as bounds_around, radius};
use mesh::Mesh;
pub use plan::{
    COCKPIT_FLAG, COCKPIT_GROUP, GROUP_COUNT, GeometryPlan, KeyPlan, LOD_COUNT, NodePlan, Normals, PartPlan,
    Plan, TrianglePlan,
};
pub(super) use refuse::{refuse_keys, refuse_map, refuse_triangles};
use tracks::Tracks;

codes! {
    NO_NODES = Error, "msh.build-no-nodes",
        "a model without nodes cannot be built",
        "give it at least one node";
    NAME = Error, "msh.build-name",
        "a node's name or label does not fit",
        "give a shorter one, without NUL";
    PARENT = Error, "msh.build-parent",
        "a node's parent does not stand before it",
        "put parents before their children";
    KEY_TIME = Error, "msh.build-key-time",
        "the times of a track do not rise from 0",
        "give each key a later frame than the one before it, and the first one frame 0";
    NOT_FINITE = Error, "msh.build-not-finite",
        "a number is infinite or none, or too large for what is computed from it",
        "give finite numbers of a sensible size";
    NOT_UNIT = Error, "msh.build-not-unit",
        "the length of a rotation or normal is not 1",
        "divide it by its length";
    INDEX_RANGE = Error, "msh.build-index-range",
        "an index names something that is not there",
        "count from 0 to one less than there are";
    VERTEX_COUNT = Error, "msh.build-vertex-count",
        "there are not as many of something as vertices",
        "give one per vertex, or none";
    UV_RANGE = Warning, "msh.build-uv-range",
        "a texture coordinate does not fit its 16 bits and was clamped",
        "move the coordinates of the whole triangle by a whole number";
    EMPTY = Error, "msh.build-empty",
        "geometry has no triangles",
        "leave the slot or the part out";
    MATERIAL = Error, "msh.build-material",
        "a material row does not fit its byte",
        "use fewer materials";
    COCKPIT = Error, "msh.build-cockpit",
        "a cockpit node has other geometry",
        "leave out the flag 0x20, or geometry outside group 4";
    VARIANT_ORDER = Error, "msh.build-variant-order",
        "a node has geometry for a damage state but none for the state before",
        "fill the states in order";
    TOO_MANY_KEYS = Error, "msh.build-too-many-keys",
        "there are more keys than 16 bits can tell apart",
        "leave out keys that the motion does not need";
    TOO_MANY_FRAMES = Error, "msh.build-too-many-frames",
        "the maps of the moving nodes are too long together",
        "shorten the timeline or let fewer nodes move";
    TOO_MANY_TRIANGLES = Error, "msh.build-too-many-triangles",
        "there are more triangles than 16 bits can tell apart",
        "leave out triangles or levels of detail";
    DROPPED = Warning, "msh.build-dropped",
        "the documented form has no place for this",
        "build in the observed form to keep it";
    UNUSED_VERTICES = Note, "msh.build-unused-vertices",
        "vertices that no triangle uses were left out",
        "nothing is missing from the picture";
    SPLIT = Note, "msh.build-split",
        "geometry takes more draw calls than it has parts",
        "an index of 16 bits reaches 65535 vertices, and a draw call counts 21845 triangles";
    DEGENERATE = Note, "msh.build-degenerate",
        "a triangle has no area, and so no normal",
        "leave it out unless something counts on it";
}

/// What a plan becomes.
#[derive(Debug, Clone)]
pub struct Built {
    /// The model.
    pub document: Document,
    /// What was left out of it, and what is odd.
    pub report: Report,
}

/// Builds a model, or says why there can be none.
pub fn build(plan: &Plan) -> Result<Built, EditError> {
    let name = Name::new(&plan.name)?;
    let cells = Cells::new(plan);
    refuse::refuse(plan, &cells.geometries())?;
    let mut report = Report::default();
    dropped(plan, &mut report);
    let mut mesh = Mesh { reading: plan.reading, ..Mesh::default() };
    for &(node, cell, geometry) in &cells.stored {
        mesh.add(geometry, Path::named("nodes").index(node).field("slots").index(cell), &mut report);
    }
    let tracks = Tracks::new(&plan.nodes, plan.reading);
    let bounds = bounds::of_model(plan, &tracks, |node| flags(plan, node));
    refuse_overflow(&bounds, &mesh, &cells)?;
    let archive = archive::archive(
        name,
        &Parts { plan, cells: &cells, bounds: &bounds, mesh: &mesh, tracks: &tracks },
    )?;
    let document = Document { archive, reading: plan.reading };
    Ok(Built { document, report })
}

impl NodePlan {
    /// Whether it has geometry, and only such as is seen from the cockpit.
    fn is_cockpit(&self) -> bool {
        let filled = |wanted: bool| {
            let groups = self.slots.iter().flat_map(|groups| groups.iter().enumerate());
            groups.filter(|(group, _)| (*group == COCKPIT_GROUP) == wanted).any(|(_, slot)| slot.is_some())
        };
        filled(true) && !filled(false)
    }
}

fn flags(plan: &Plan, node: &NodePlan) -> u16 {
    let cockpit = plan.reading == Reading::Observed && node.is_cockpit();
    node.flags | if cockpit { COCKPIT_FLAG } else { 0 }
}

/// Which geometry is stored, and which slot each node shows where.
struct Cells<'a> {
    /// Node, cell and geometry of every slot.
    stored: Vec<(usize, usize, &'a GeometryPlan)>,
    /// Slots by node.
    shown: Vec<[u16; LOD_COUNT * GROUP_COUNT]>,
}

impl<'a> Cells<'a> {
    fn new(plan: &'a Plan) -> Self {
        let mut cells = Cells { stored: Vec::new(), shown: Vec::with_capacity(plan.nodes.len()) };
        for (node, of_node) in plan.nodes.iter().enumerate() {
            let mut shown = [NONE; LOD_COUNT * GROUP_COUNT];
            let first = cells.stored.len();
            for (cell, (slot, geometry)) in shown.iter_mut().zip(of_node.slots.iter().flatten()).enumerate() {
                if let Some(geometry) = geometry {
                    *slot = index16(cells.slot(first, node, cell, geometry));
                }
            }
            cells.shown.push(shown);
        }
        cells
    }

    /// The slot of a geometry: one of this node that is the same, or a new one.
    fn slot(&mut self, first: usize, node: usize, cell: usize, geometry: &'a GeometryPlan) -> usize {
        let same = self.stored.iter().skip(first).position(|(_, _, known)| *known == geometry);
        same.map_or_else(
            || {
                self.stored.push((node, cell, geometry));
                self.stored.len().saturating_sub(1)
            },
            |behind| first.saturating_add(behind),
        )
    }

    fn geometries(&self) -> Vec<&'a GeometryPlan> {
        self.stored.iter().map(|(_, _, geometry)| *geometry).collect()
    }
}

/// Says what the documented form cannot hold.
fn dropped(plan: &Plan, report: &mut Report) {
    if plan.reading != Reading::Documented {
        return;
    }
    for (i, node) in plan.nodes.iter().enumerate() {
        let path = Path::named("nodes").index(i);
        if !node.name.is_empty() && !node.label.is_empty() && node.name != node.label {
            report.push(DROPPED.at(path.field("label")));
        }
        for (cell, geometry) in node.slots.iter().flatten().enumerate() {
            let Some(geometry) = geometry else { continue };
            let path = path.field("slots").index(cell);
            if !geometry.lightmap_uv.is_empty() {
                report.push(DROPPED.at(path.field("lightmap_uv")));
            }
            for (i, part) in geometry.parts.iter().enumerate() {
                if part.lightmap.is_some() || part.portal.is_some() {
                    report.push(DROPPED.at(path.field("parts").index(i)));
                }
            }
        }
    }
}

/// Refuses numbers that are finite, but not so what is computed from them.
fn refuse_overflow(bounds: &wire::Bounds, mesh: &Mesh, cells: &Cells<'_>) -> Result<(), EditError> {
    let model = [bounds.sphere_radius, bounds.capsule_radius].map(F32::get);
    refuse::finite(&model, Path::named("bounds"))?;
    for (slot, &(node, cell, _)) in mesh.slots.iter().zip(&cells.stored) {
        let [area, volume, ..] = slot.tail.map(|word| f32::from_bits(word.get()));
        let numbers = [slot.sphere_radius.get(), area, volume];
        refuse::finite(&numbers, Path::named("nodes").index(node).field("slots").index(cell))?;
    }
    Ok(())
}

/// An index that a refused limit keeps in 16 bits.
fn index16(index: usize) -> u16 {
    u16::try_from(index).unwrap_or(NONE)
}

/// A count that a refused limit keeps in 32 bits.
fn index32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
