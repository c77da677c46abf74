//! What a ray meets first on a posed model.
//!
//! Corners of triangles come from the batches of a slot; stream 7 has a record for each, in the same order,
//! counted from the slot's `tri_start`. A corner without a record, or a record without corners, cannot be
//! hit. A slot whose box or sphere the ray misses is not read. Where the engine would read past a stream,
//! this is an error that names the field.

mod ray;

use galvani_core::maths::single;
use galvani_core::{Meter, Path, SampleError, codes};
use zerocopy::little_endian::F32;

pub use ray::Ray;

use super::build::vector::{Vector, wide};
use super::draw::{Affine, Choice, Filter, Posed, World, vertex, vertex_outside};
use super::{ModelView, NONE, values, wire};
use ray::{Met, Sight};

codes! {
    RAY = Error, "msh.pick-ray",
        "the ray leads nowhere",
        "give six finite numbers, of which the last three are not all 0";
    FACE_OUTSIDE = Error, "msh.pick-face-outside",
        "the engine would read past the triangles",
        "stream 2 or stream 7 is damaged or missing; its findings say where";
}

/// What a ray met.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The node.
    pub node: usize,
    /// Its slot.
    pub slot: u16,
    /// The batch of the triangle.
    pub batch: usize,
    /// The triangle in stream 7.
    pub triangle: usize,
    /// The triangle's flags.
    pub flags: u16,
    /// How far from the ray's origin, in units of the world.
    pub distance: f32,
    /// Weights of the three corners; together 1.
    pub barycentrics: [f32; 3],
    /// Where in the world.
    pub position: [f32; 3],
    /// What lies across the edges 0, 1 and 2.
    pub neighbours: [Neighbour; 3],
}

/// What lies across an edge of a triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neighbour {
    /// The triangle there, as stored.
    pub triangle: Option<u16>,
    /// Which of that triangle's edges it is; 3 is none.
    pub edge: Option<u16>,
}

/// The neighbours of a triangle.
pub fn neighbours(face: &wire::Face) -> [Neighbour; 3] {
    let some = |word: u16| Some(word).filter(|&word| word != NONE);
    let [a, b, c] = face.link.map(|link| some(link.get()));
    let edge = |index| some(values::selector(face.selectors.get(), index));
    [
        Neighbour { triangle: a, edge: edge(0) },
        Neighbour { triangle: b, edge: edge(1) },
        Neighbour { triangle: c, edge: edge(2) },
    ]
}

/// Whether a slot owns a triangle of stream 7.
pub fn owns(slot: &wire::Slot, triangle: usize) -> bool {
    let start = usize::from(slot.tri_start.get());
    triangle >= start && triangle < start.saturating_add(usize::from(slot.tri_count.get()))
}

/// The first slot that owns a triangle.
pub fn slot_of(model: &ModelView<'_>, triangle: usize) -> Option<usize> {
    model.slots.as_ref()?.rows.iter().position(|slot| owns(slot, triangle))
}

impl Posed<'_> {
    /// The nearest triangle on a ray, from either side; of equally near ones the first. Every triangle and every batch that is
    /// looked at is a step: game models have some thousands, but in a small hostile file every node may show all of them.
    pub fn pick(
        &self,
        ray: &Ray,
        (choice, filter): (Choice, Filter),
        meter: &Meter,
    ) -> Result<Option<Hit>, SampleError> {
        let cell = self.cell(choice)?;
        let sight = Sight::new(ray)
            .ok_or_else(|| RAY.at(Path::root()).saying(format!("{:?}, {:?}", ray.origin, ray.direction)))?;
        let placement = Affine::new(&self.instance.placement);
        let mut search = Search { posed: self, sight, filter, meter, best: None };
        for (node, matrix) in self.matrices.iter().enumerate() {
            let Some((slot, record)) = self.walk.slot(node, cell)? else { continue };
            let world = World::new(&placement, matrix);
            if search.sight.may_meet(&world, record, search.reach()) {
                search.look(&Shown { node, slot, record, world })?;
            }
        }
        Ok(search.best.map(|(met, found)| search.hit(&met, &found)))
    }

    /// The first node that shows a slot which owns a triangle, and that slot.
    pub fn owner_of(&self, triangle: usize, choice: Choice) -> Result<Option<(usize, u16)>, SampleError> {
        let cell = self.cell(choice)?;
        for node in 0..self.matrices.len() {
            if let Some((slot, _)) = self.walk.slot(node, cell)?.filter(|(_, slot)| owns(slot, triangle)) {
                return Ok(Some((node, slot)));
            }
        }
        Ok(None)
    }
}

/// A slot where a node shows it.
struct Shown<'a> {
    node: usize,
    slot: u16,
    record: &'a wire::Slot,
    world: World,
}

/// A triangle that was met.
#[derive(Debug, Clone, Copy)]
struct Found {
    node: usize,
    slot: u16,
    batch: usize,
    triangle: usize,
    face: wire::Face,
}

/// The nearest triangle so far.
struct Search<'a> {
    posed: &'a Posed<'a>,
    sight: Sight,
    filter: Filter,
    meter: &'a Meter,
    best: Option<(Met, Found)>,
}

impl<'a> Search<'a> {
    /// How far things still matter.
    fn reach(&self) -> f64 {
        self.best.as_ref().map_or(f64::INFINITY, |(met, _)| met.distance)
    }

    /// Looks at every triangle of a slot.
    fn look(&mut self, shown: &Shown<'a>) -> Result<(), SampleError> {
        let faces = self.faces(shown)?;
        let start = usize::from(shown.record.tri_start.get());
        let mut rest = faces.iter().enumerate();
        for (batch, record) in self.posed.walk.batches(shown.slot, shown.record)? {
            let indices = self.posed.walk.indices(batch, record)?;
            let (triangles, _) = indices.as_chunks::<3>();
            self.meter.work(triangles.len().min(rest.len()).saturating_add(1))?;
            for (&corners, (nth, face)) in triangles.iter().zip(rest.by_ref()) {
                if !self.filter.passes(face.flags.get().into()) {
                    continue;
                }
                let corners = self.corners(batch, record, corners)?;
                let posed = corners.map(|corner| shown.world.affine.point(corner));
                let Some(met) = self.sight.meet(posed) else { continue };
                if met.distance < self.reach() {
                    let (node, slot, triangle) = (shown.node, shown.slot, start.saturating_add(nth));
                    self.best = Some((met, Found { node, slot, batch, triangle, face: *face }));
                }
            }
        }
        Ok(())
    }

    /// The records of a slot's triangles.
    fn faces(&self, shown: &Shown<'_>) -> Result<&'a [wire::Face], SampleError> {
        let faces = self.posed.model.faces.as_ref().map_or(&[][..], |faces| faces.rows);
        let start = usize::from(shown.record.tri_start.get());
        let end = start.saturating_add(usize::from(shown.record.tri_count.get()));
        if start == end {
            return Ok(&[]);
        }
        faces.get(start..end).ok_or_else(|| {
            let path = Path::named("slots").index(shown.slot.into()).field("tri_start");
            FACE_OUTSIDE.at(path).saying(format!("triangles {start}..{end} of {}", faces.len())).into()
        })
    }

    /// The corners of a triangle in its node's space.
    fn corners(
        &self,
        batch: usize,
        record: &wire::Batch,
        corners: [wire::Index; 3],
    ) -> Result<[Vector; 3], SampleError> {
        let positions = self.posed.model.positions.as_ref().map_or(&[][..], |positions| positions.rows);
        let place = |corner: wire::Index| {
            let vertex = vertex(record, corner.index.get());
            let found = positions.get(vertex).map(|position| wide(position.position.map(F32::get)));
            found.ok_or_else(|| vertex_outside(batch, vertex, positions.len()))
        };
        let [a, b, c] = corners;
        Ok([place(a)?, place(b)?, place(c)?])
    }

    fn hit(&self, met: &Met, found: &Found) -> Hit {
        Hit {
            node: found.node,
            slot: found.slot,
            batch: found.batch,
            triangle: found.triangle,
            flags: found.face.flags.get(),
            distance: single(met.distance),
            barycentrics: met.barycentrics.map(single),
            position: self.sight.at(met.distance).map(single),
            neighbours: neighbours(&found.face),
        }
    }
}
