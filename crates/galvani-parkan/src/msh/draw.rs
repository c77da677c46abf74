//! What the engine draws of a posed model, batch by batch (docs/formats/msh-streams.md#drawing).
//!
//! Every node shows at most one slot, chosen by level and group; its box and sphere may hide it; of its
//! batches the flags may leave some out. Where the engine would read past a stream, this is an error that
//! names the field. What is hidden is not read.

mod affine;
mod bounds;
mod walk;

use galvani_core::{Meter, Path, Reading, SampleError, codes, room};
use zerocopy::little_endian::U16;

pub(super) use affine::{Affine, World, times};
pub(super) use bounds::SLACK;
pub use bounds::{Bounds, Plane, Sphere};
pub(super) use walk::Walk;

use super::build::{GROUP_COUNT, LOD_COUNT};
use super::check::spans::Spans;
use super::engine::Matrix;
use super::{ModelView, wire};

codes! {
    LEGACY_NODES = Error, "msh.draw-legacy-nodes",
        "the nodes are of the older form, which nobody knows",
        "such a model shows nothing";
    NO_POSE = Error, "msh.draw-no-pose",
        "there are not as many matrices as nodes",
        "pose every node of this model, and no other";
    CHOICE = Error, "msh.draw-choice",
        "there is no such level or group",
        "levels are 0 to 2, groups 0 to 4";
    NO_NODE = Error, "msh.draw-no-node",
        "there is no such node",
        "the outline lists the nodes";
    NO_BOUNDS = Error, "msh.draw-no-bounds",
        "stream 2 is missing or ends inside the bounds of the model",
        "the stream is damaged; its findings say where";
    SLOT_OUTSIDE = Error, "msh.draw-slot-outside",
        "the engine would read past the slots",
        "the node table or stream 2 is damaged; its findings say where";
    BATCH_OUTSIDE = Error, "msh.draw-batch-outside",
        "the engine would read past the batches",
        "stream 2 or stream 13 is damaged; its findings say where";
    INDEX_OUTSIDE = Error, "msh.draw-index-outside",
        "the engine would read past the indices",
        "stream 13 or stream 6 is damaged; its findings say where";
    VERTEX_OUTSIDE = Error, "msh.draw-vertex-outside",
        "the engine would read past the vertices",
        "stream 13, stream 6 or stream 3 is damaged; its findings say where";
}

/// Nothing moved.
pub const IDENTITY: Matrix = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

/// A model somewhere in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrawInstance {
    /// What is done to the model's space, scaling included.
    pub placement: Matrix,
    /// Its current level.
    pub lod: usize,
    /// Its current group.
    pub group: usize,
}

impl Default for DrawInstance {
    /// Where it was made, intact and fine.
    fn default() -> Self {
        DrawInstance { placement: IDENTITY, lod: 0, group: 0 }
    }
}

/// Which slot of every node; `None`, the engine's -1, is the instance's current one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Choice {
    /// Level, 0 to 2; damage state as observed.
    pub lod: Option<usize>,
    /// Group, 0 to 4; level of detail as observed.
    pub group: Option<usize>,
}

/// Which flags a batch or a triangle must have, and must not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Filter {
    /// At least one of these; 0 for any.
    pub with: u32,
    /// None of these.
    pub without: u32,
}

impl Filter {
    /// Whether flags pass.
    pub fn passes(&self, flags: u32) -> bool {
        (self.with == 0 || flags & self.with != 0) && flags & self.without == 0
    }
}

/// What is to be drawn.
#[derive(Debug, Clone, Copy, Default)]
pub struct View<'a> {
    /// Which slots.
    pub choice: Choice,
    /// Which batches.
    pub filter: Filter,
    /// What lies behind one of these is left out: the sides of a frustum, for instance.
    pub planes: &'a [Plane],
}

/// A draw call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw {
    /// The node whose matrix counts.
    pub node: usize,
    /// Its slot.
    pub slot: u16,
    /// The batch.
    pub batch: usize,
    /// The batch's flags: 16 bits as documented, 32 as observed.
    pub flags: u32,
    /// Its material.
    pub material: u16,
    /// First index in stream 6.
    pub index_start: u32,
    /// Indices.
    pub index_count: u16,
    /// Added to every index.
    pub base_vertex: u32,
}

/// A model with a matrix per node, ready to be drawn and picked.
#[derive(Debug, Clone)]
pub struct Posed<'a> {
    pub(super) model: &'a ModelView<'a>,
    pub(super) walk: Walk<'a>,
    pub(super) matrices: &'a [Matrix],
    pub(super) instance: DrawInstance,
}

impl<'a> Posed<'a> {
    /// A model under the matrices of [`model_matrices`](super::sample::model_matrices).
    pub fn new(
        model: &'a ModelView<'a>,
        matrices: &'a [Matrix],
        instance: DrawInstance,
    ) -> Result<Self, SampleError> {
        if model.legacy_nodes.is_some() {
            return Err(LEGACY_NODES.at(Path::named("nodes")).into());
        }
        let walk = Walk::new(model);
        if matrices.len() != walk.nodes.len() {
            let found = format!("{} matrices wanted, {} found", walk.nodes.len(), matrices.len());
            return Err(NO_POSE.at(Path::named("nodes")).saying(found).into());
        }
        Ok(Posed { model, walk, matrices, instance })
    }

    /// Every draw call, in the order of the nodes and batches. A slot can name 65 535 batches, and so can every node's: each is a
    /// step, and each call is charged. Game models have 439 at most.
    pub fn draw(&self, view: &View<'_>, meter: &Meter) -> Result<Vec<Draw>, SampleError> {
        let cell = self.cell(view.choice)?;
        let placement = Affine::new(&self.instance.placement);
        let vertices = Vertices::new(self);
        let mut draws = Vec::new();
        for (node, matrix) in self.matrices.iter().enumerate() {
            let Some((slot, record)) = self.walk.slot(node, cell)? else { continue };
            if !Bounds::of_slot(slot, record).is_seen(&World::new(&placement, matrix), view.planes) {
                continue;
            }
            let batches = self.walk.batches(slot, record)?;
            meter.work(batches.len())?;
            for (batch, record) in batches {
                if view.filter.passes(flags(record, self.model.reading)) {
                    vertices.refuse(batch, record)?;
                    meter.memory(size_of::<Draw>())?;
                    room::push(&mut draws, self.call(node, slot, batch, record))?;
                }
            }
        }
        Ok(draws)
    }

    fn call(&self, node: usize, slot: u16, batch: usize, record: &wire::Batch) -> Draw {
        Draw {
            node,
            slot,
            batch,
            flags: flags(record, self.model.reading),
            material: material(record, self.model.reading),
            index_start: record.index_start.get(),
            index_count: record.index_count.get(),
            base_vertex: record.base_vertex.get(),
        }
    }

    /// What surrounds a node: its slot's box and sphere, or, where it shows no slot, the model's hull, sphere
    /// and capsule.
    pub fn bounds_of(&self, node: usize, choice: Choice) -> Result<Bounds, SampleError> {
        if node >= self.walk.nodes.len() {
            let found = format!("node {node} of {}", self.walk.nodes.len());
            return Err(NO_NODE.at(Path::named("nodes").index(node)).saying(found).into());
        }
        match (self.walk.slot(node, self.cell(choice)?)?, self.model.bounds) {
            (Some((slot, record)), _) => Ok(Bounds::of_slot(slot, record)),
            (None, Some(bounds)) => Ok(Bounds::of_model(bounds)),
            (None, None) => Err(NO_BOUNDS.at(Path::named("bounds")).into()),
        }
    }

    /// The place in a node's slots.
    pub(super) fn cell(&self, choice: Choice) -> Result<usize, SampleError> {
        let lod = choice.lod.unwrap_or(self.instance.lod);
        let group = choice.group.unwrap_or(self.instance.group);
        if lod >= LOD_COUNT || group >= GROUP_COUNT {
            let found = format!("level {lod}, group {group}");
            return Err(CHOICE.at(Path::named("nodes")).saying(found).into());
        }
        Ok(lod.saturating_mul(GROUP_COUNT).saturating_add(group))
    }
}

/// Answers how far batches reach, however often their indices overlap.
struct Vertices<'a> {
    walk: Walk<'a>,
    count: usize,
    highest: Spans<u16>,
}

impl<'a> Vertices<'a> {
    fn new(posed: &Posed<'a>) -> Self {
        let indices = posed.walk.indices.iter().map(|index| index.index.get());
        let highest = Spans::new(indices, 0, u16::max);
        Vertices { walk: posed.walk, count: posed.model.vertex_count(), highest }
    }

    /// Refuses a batch that reads past the indices or the vertices.
    fn refuse(&self, batch: usize, record: &wire::Batch) -> Result<(), SampleError> {
        let count = self.walk.indices(batch, record)?.len();
        if count == 0 {
            return Ok(());
        }
        let start = usize::try_from(record.index_start.get()).unwrap_or(usize::MAX);
        let highest = self.highest.over(start..start.saturating_add(count));
        let vertex = vertex(record, highest);
        if vertex < self.count {
            return Ok(());
        }
        Err(vertex_outside(batch, vertex, self.count))
    }
}

/// The vertex of an index.
pub(super) fn vertex(batch: &wire::Batch, index: u16) -> usize {
    let base = usize::try_from(batch.base_vertex.get()).unwrap_or(usize::MAX);
    base.saturating_add(usize::from(index))
}

pub(super) fn vertex_outside(batch: usize, vertex: usize, count: usize) -> SampleError {
    let path = Path::named("batches").index(batch).field("base_vertex");
    VERTEX_OUTSIDE.at(path).saying(format!("vertex {vertex} of {count}")).into()
}

/// A batch's flags: 16 bits as documented, 32 as observed.
pub fn flags(batch: &wire::Batch, reading: Reading) -> u32 {
    let [low, high, ..] = batch.head.map(|word| u32::from(word.get()));
    match reading {
        Reading::Observed => low | (high << 16),
        Reading::Documented => low,
    }
}

/// A batch's material: a word as documented, a byte, the row of the material table, as observed.
pub fn material(batch: &wire::Batch, reading: Reading) -> u16 {
    let [_, documented, observed, _] = batch.head.map(U16::get);
    match reading {
        Reading::Observed => observed & 0xFF,
        Reading::Documented => documented,
    }
}
