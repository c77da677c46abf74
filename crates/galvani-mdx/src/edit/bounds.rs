//! Boxes whose corners are the wrong way round, computed again.

use galvani_core::maths::single;
use galvani_core::{EditError, Exhausted, Meter, Reading, room};
use glam::Vec3;
use zerocopy::little_endian::F32;
use zerocopy::{FromBytes, IntoBytes};

use super::sequences::{Row, each_row};
use crate::model::Geoset;
use crate::sample::{Clip, ClockTimes, Cursor, GeosetSkin, Influences, Poses, Rig, Skinned, WindowEdges};
use crate::wire::{Bounds, SequenceWow};
use crate::{Content, Document, Sequence};

/// Moments of a sequence at which vertices are looked at, evenly spread, both its ends among them.
const MOMENTS: u32 = 32;

/// Computes the boxes of the model, its geosets and its sequences again whose least corner is not below their greatest:
/// that of a geoset from its vertices, that of the model from all of them, that of a sequence from where it takes them. The
/// radius goes with the box. Says how many changed.
pub fn recompute_bounds(document: &mut Document, meter: &Meter) -> Result<usize, EditError> {
    let mut count: usize = 0;
    let mut all = Reach::NOTHING;
    for chunk in &mut document.chunks {
        match &mut chunk.content {
            Content::Geosets(records) => {
                for (_, geoset) in records.typed_mut() {
                    let own = of_geoset(geoset);
                    all = all.join(own);
                    if !in_order(geoset.bounds.min, geoset.bounds.max) {
                        geoset.bounds = own.bounds();
                        count = count.saturating_add(1);
                    }
                }
            }
            Content::Batches(batches) => {
                let places = batches.iter().flat_map(|batch| &batch.vertices);
                all = places.fold(all, |all, vertex| all.with(Vec3::from(vertex.position.map(F32::get))));
            }
            _ => {}
        }
    }
    for chunk in &mut document.chunks {
        if let Content::Model(model) = &mut chunk.content
            && !in_order(model.fixed.min, model.fixed.max)
        {
            let Bounds { radius, min, max } = all.bounds();
            (model.fixed.radius, model.fixed.min, model.fixed.max) = (radius, min, max);
            count = count.saturating_add(1);
        }
    }
    Ok(count.saturating_add(sequences(document, meter)?))
}

/// Whether a box is one: what `check` asks.
fn in_order(min: [F32; 3], max: [F32; 3]) -> bool {
    min.iter().zip(&max).all(|(min, max)| min.get() <= max.get())
}

fn sequences(document: &mut Document, meter: &Meter) -> Result<usize, EditError> {
    let reading = document.seqs;
    let corners = |row: Sequence<'_>| match (row, reading) {
        (Sequence::Warcraft(row), _) => (row.min, row.max),
        (Sequence::Wow(row), Reading::Documented) => {
            let row = row.documented();
            (row.min, row.max)
        }
        (Sequence::Wow(row), Reading::Observed) => (row.min, row.max),
    };
    let is_wrong = |row: Sequence<'_>| {
        let (min, max) = corners(row);
        !in_order(min, max)
    };
    let rows = document.sequences();
    let wrong: Vec<usize> =
        rows.iter().enumerate().filter(|(_, row)| is_wrong(**row)).map(|(i, _)| i).collect();
    let mut made: Vec<(usize, Bounds)> = room::with_capacity(wrong.len())?;
    if !wrong.is_empty() {
        let reach = SequenceReach::new(document)?;
        let clips = Clip::each(document, wrong.iter().copied().map(Some), WindowEdges::Auto)
            .map_err(|error| EditError { cause: error.cause })?;
        for (index, clip) in wrong.iter().zip(clips) {
            let clip = clip.map_err(|error| EditError { cause: error.cause })?;
            made.push((*index, reach.of(&clip, meter)?.bounds()));
        }
    }
    let mut next = made.iter().peekable();
    each_row(document, |i, row| {
        if let Some((_, bounds)) = next.next_if(|(index, _)| *index == i) {
            set(row, reading, *bounds);
        }
    });
    Ok(made.len())
}

fn set(row: Row<'_>, reading: Reading, Bounds { radius, min, max }: Bounds) {
    match row {
        Row::Warcraft(row) => (row.radius, row.min, row.max) = (radius, min, max),
        Row::Wow(row) if reading == Reading::Documented => {
            let mut named = row.documented();
            (named.min, named.max) = (min, max);
            *row = SequenceWow::read_from_bytes(named.as_bytes()).unwrap_or(*row);
        }
        Row::Wow(row) => (row.radius, row.min, row.max) = (radius, min, max),
    }
}

/// Where sequences take the vertices of a model.
struct SequenceReach {
    rig: Rig,
    skins: Vec<GeosetSkin>,
    vertices: usize,
}

impl SequenceReach {
    fn new(document: &Document) -> Result<Self, Exhausted> {
        let rig = Rig::new(document);
        let skins = GeosetSkin::all(document, &rig, Influences::Game);
        let vertices = skins.iter().map(GeosetSkin::len).fold(rig.len(), usize::saturating_add);
        room::probe(vertices.saturating_mul(size_of::<Skinned>()))?;
        Ok(SequenceReach { rig, skins, vertices })
    }

    fn of(&self, clip: &Clip, meter: &Meter) -> Result<Reach, Exhausted> {
        let (mut cursor, mut poses, mut out) = (Cursor::default(), Poses::default(), Skinned::default());
        let mut all = Reach::NOTHING;
        for step in 0..=MOMENTS {
            meter.work(self.vertices)?;
            let time = clip.window().length * f64::from(step) / f64::from(MOMENTS);
            clip.pose(&self.rig, ClockTimes { time, global: time }, None, &mut cursor, &mut poses);
            for skin in &self.skins {
                skin.apply(&poses.model, &mut out);
                all = out.positions.iter().fold(all, |all, place| all.with(*place));
            }
        }
        Ok(all)
    }
}

fn of_geoset(geoset: &Geoset) -> Reach {
    geoset
        .vertices
        .iter()
        .fold(Reach::NOTHING, |all, row| all.with(Vec3::new(row.x.get(), row.y.get(), row.z.get())))
}

/// A box, and how far it is to what is furthest from the origin.
#[derive(Debug, Clone, Copy)]
struct Reach {
    min: Vec3,
    max: Vec3,
    radius: f64,
}

impl Reach {
    const NOTHING: Reach =
        Reach { min: Vec3::splat(f32::INFINITY), max: Vec3::splat(f32::NEG_INFINITY), radius: 0.0 };

    /// The same with a place in it; one that is none does not count.
    fn with(self, place: Vec3) -> Self {
        if !place.is_finite() {
            return self;
        }
        self.join(Reach { min: place, max: place, radius: place.as_dvec3().length() })
    }

    fn join(self, other: Reach) -> Self {
        Reach {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            radius: self.radius.max(other.radius),
        }
    }

    /// As files have it; around nothing all zero.
    fn bounds(self) -> Bounds {
        let is_something = self.min.is_finite() && self.max.is_finite();
        let corner = |corner: Vec3| if is_something { corner } else { Vec3::ZERO }.to_array().map(F32::new);
        Bounds { radius: F32::new(single(self.radius)), min: corner(self.min), max: corner(self.max) }
    }
}
