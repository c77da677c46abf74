//! Boxes of the model, its geosets and its sequences, computed from the vertices.

use galvani_core::maths::single;
use galvani_core::{EditError, Exhausted, Meter, Reading, room};
use glam::Vec3;
use zerocopy::little_endian::F32;
use zerocopy::{FromBytes, IntoBytes};

use super::sequences::{Row, each_row};
use super::{whole, whole_timeline};
use crate::check::{in_order, is_box_small, is_point};
use crate::model::Geoset;
use crate::sample::{Clip, ClockTimes, Cursor, GeosetSkin, Influences, Poses, Rig, Skinned, WindowEdges};
use crate::wire::{Bounds, SequenceWow};
use crate::{Content, Document, Sequence};

/// Moments of a sequence at which vertices are looked at, evenly spread, both its ends among them.
const MOMENTS: u32 = 32;

/// Computes the boxes again of which the vertices say that they are wrong: of geosets and sequences, and that of the model,
/// where the least corner is not below the greatest; of geosets also where vertices lie outside; that of the model also
/// where it is a point and something lies outside. The radius goes with the box. Says how many changed.
///
/// A box that holds more than its vertices may be meant to, and stays.
pub fn mend_bounds(document: &mut Document, meter: &Meter) -> Result<usize, EditError> {
    let is_wrong =
        |geoset: &Geoset| !in_order(geoset.bounds.min, geoset.bounds.max) || is_box_small(geoset).is_some();
    // Where a geoset could not be read, nobody knows how far everything reaches.
    if whole(document, &[b"GEOS"]).is_err() {
        return Ok(set_geosets(document, is_wrong));
    }
    let mut wrong: Vec<usize> = Vec::new();
    if whole_timeline(document).is_ok() {
        let rows = corners(document).enumerate().filter(|(_, (min, max))| !in_order(*min, *max));
        room::extend(&mut wrong, rows.map(|(i, _)| i))?;
    }
    let reaches = Reaches::new(document, &wrong, meter)?;
    set_sequences(document, &reaches);
    let geosets = set_geosets(document, is_wrong);
    let is_wrong = |own: &Bounds, all: Reach| {
        !in_order(own.min, own.max) || (is_point(own.min, own.max) && all.leaves(own))
    };
    let model = set_model(document, is_wrong);
    Ok(wrong.len().saturating_add(geosets).saturating_add(model))
}

/// Computes every box again: those of geosets and of the model from the vertices at rest, those of sequences, and of geosets
/// in each sequence, from where the sequence takes them. What has no vertices keeps what it has.
pub fn recompute_bounds(document: &mut Document, meter: &Meter) -> Result<(), EditError> {
    whole(document, &[b"GEOS"])?;
    whole_timeline(document)?;
    let all: Vec<usize> = (0..document.sequences().len()).collect();
    let reaches = Reaches::new(document, &all, meter)?;
    let has_vertices = |geoset: &Geoset| !geoset.vertices.is_empty();
    set_extents(document, &reaches, has_vertices)?;
    set_geosets(document, has_vertices);
    set_model(document, |_, all| all.is_something());
    set_sequences(document, &reaches);
    Ok(())
}

/// Gives geosets that do not have a box for every sequence one for each, computed from where it takes their vertices. Says how
/// many changed.
pub fn fill_extents(document: &mut Document, meter: &Meter) -> Result<usize, EditError> {
    whole(document, &[b"GEOS"])?;
    whole_timeline(document)?;
    let count = document.sequences().len();
    let all: Vec<usize> = (0..count).collect();
    let reaches = Reaches::new(document, &all, meter)?;
    set_extents(document, &reaches, |geoset| geoset.extents.len() != count)
}

/// Gives some geosets the box of their vertices, and says how many.
fn set_geosets(document: &mut Document, is_meant: impl Fn(&Geoset) -> bool) -> usize {
    let mut count: usize = 0;
    for chunk in &mut document.chunks {
        let Content::Geosets(records) = &mut chunk.content else { continue };
        for (_, geoset) in records.typed_mut().filter(|(_, geoset)| is_meant(geoset)) {
            geoset.bounds = of_geoset(geoset).bounds();
            count = count.saturating_add(1);
        }
    }
    count
}

/// Gives the model the box of all vertices, if it is to have that. Says how many were given it: 0 or 1.
fn set_model(document: &mut Document, is_meant: impl Fn(&Bounds, Reach) -> bool) -> usize {
    let all = Reach::of_rest(document);
    let mut count: usize = 0;
    for chunk in &mut document.chunks {
        let Content::Model(model) = &mut chunk.content else { continue };
        let fixed = &mut model.fixed;
        let own = Bounds { radius: fixed.radius, min: fixed.min, max: fixed.max };
        if is_meant(&own, all) {
            Bounds { radius: fixed.radius, min: fixed.min, max: fixed.max } = all.bounds();
            count = count.saturating_add(1);
        }
    }
    count
}

/// The corners of each sequence's box, as the reading has them.
fn corners(document: &Document) -> impl Iterator<Item = ([F32; 3], [F32; 3])> {
    let reading = document.seqs;
    document.sequences().into_iter().map(move |row| match (row, reading) {
        (Sequence::Warcraft(row), _) => (row.min, row.max),
        (Sequence::Wow(row), Reading::Documented) => {
            let row = row.documented();
            (row.min, row.max)
        }
        (Sequence::Wow(row), Reading::Observed) => (row.min, row.max),
    })
}

/// Gives sequences the box of all that they move; where nothing is moved, they keep theirs unless it is none.
fn set_sequences(document: &mut Document, reaches: &Reaches) {
    let reading = document.seqs;
    let is_box: Vec<bool> = corners(document).map(|(min, max)| in_order(min, max)).collect();
    each_row(document, |i, row| {
        let Some(moved) = reaches.of_sequence(i) else { return };
        let all = moved.iter().fold(Reach::NOTHING, |all, one| all.join(*one));
        if all.is_something() || !is_box.get(i).copied().unwrap_or(false) {
            set(row, reading, all.bounds());
        }
    });
}

/// Gives some geosets a box for every sequence, and says how many. All are made before any is given.
fn set_extents(
    document: &mut Document,
    reaches: &Reaches,
    is_meant: impl Fn(&Geoset) -> bool,
) -> Result<usize, EditError> {
    let mut made: Vec<Vec<Bounds>> = Vec::new();
    let mut number: usize = 0;
    for chunk in &document.chunks {
        if let Content::Geosets(records) = &chunk.content {
            for (i, _) in records.typed().filter(|(_, geoset)| is_meant(geoset)) {
                let own = number.saturating_add(i);
                let moved = reaches.rows.iter().filter_map(|(_, moved)| moved.get(own));
                room::push(&mut made, room::collected(moved.map(|reach| reach.bounds()))?)?;
            }
        }
        if matches!(chunk.content, Content::Geosets(_) | Content::Batches(_)) {
            number = number.saturating_add(chunk.content.len());
        }
    }
    let count = made.len();
    let mut made = made.into_iter();
    for chunk in &mut document.chunks {
        let Content::Geosets(records) = &mut chunk.content else { continue };
        for (_, geoset) in records.typed_mut().filter(|(_, geoset)| is_meant(geoset)) {
            geoset.extents = made.next().unwrap_or_default();
        }
    }
    Ok(count)
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

/// How far sequences take each geoset.
struct Reaches {
    /// The index of a sequence, and its geosets in file order.
    rows: Vec<(usize, Vec<Reach>)>,
}

impl Reaches {
    fn new(document: &Document, sequences: &[usize], meter: &Meter) -> Result<Self, EditError> {
        let rig = Rig::new(document);
        let skins = GeosetSkin::all(document, &rig, Influences::Game);
        let vertices = skins.iter().map(GeosetSkin::len).fold(rig.len(), usize::saturating_add);
        room::probe(vertices.saturating_mul(size_of::<Skinned>()))?;
        meter.memory(skins.len().saturating_mul(sequences.len()).saturating_mul(size_of::<Reach>()))?;
        let cause = |error: galvani_core::SampleError| EditError { cause: error.cause };
        let wanted = sequences.iter().copied().map(Some);
        let clips = Clip::each(document, wanted, WindowEdges::Auto).map_err(cause)?;
        let mut rows = room::with_capacity(sequences.len())?;
        for (index, clip) in sequences.iter().zip(clips) {
            let mut moved = room::filled(Reach::NOTHING, skins.len())?;
            reach(&clip.map_err(cause)?, &rig, &skins, &mut moved, || meter.work(vertices))?;
            rows.push((*index, moved));
        }
        Ok(Reaches { rows })
    }

    /// How far a sequence takes the geosets.
    fn of_sequence(&self, index: usize) -> Option<&[Reach]> {
        let row = self.rows.binary_search_by_key(&index, |(index, _)| *index).ok()?;
        self.rows.get(row).map(|(_, moved)| moved.as_slice())
    }
}

/// How far a clip takes each geoset; every moment of it is paid for.
fn reach(
    clip: &Clip,
    rig: &Rig,
    skins: &[GeosetSkin],
    moved: &mut [Reach],
    pay: impl Fn() -> Result<(), Exhausted>,
) -> Result<(), Exhausted> {
    let (mut cursor, mut poses, mut out) = (Cursor::default(), Poses::default(), Skinned::default());
    for step in 0..=MOMENTS {
        pay()?;
        let time = clip.window().length * f64::from(step) / f64::from(MOMENTS);
        clip.pose(rig, ClockTimes { time, global: time }, None, &mut cursor, &mut poses);
        for (skin, moved) in skins.iter().zip(moved.iter_mut()) {
            skin.apply(&poses.model, &mut out);
            *moved = out.positions.iter().fold(*moved, |all, place| all.with(*place));
        }
    }
    Ok(())
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

    /// That of a model at rest.
    fn of_rest(document: &Document) -> Self {
        let chunks = document.chunks.iter().map(|chunk| match &chunk.content {
            Content::Geosets(records) => {
                records.typed().map(|(_, geoset)| of_geoset(geoset)).fold(Reach::NOTHING, Reach::join)
            }
            Content::Batches(batches) => {
                let places = batches.iter().flat_map(|batch| &batch.vertices);
                places.fold(Reach::NOTHING, |all, vertex| all.with(Vec3::from(vertex.position.map(F32::get))))
            }
            _ => Reach::NOTHING,
        });
        chunks.fold(Reach::NOTHING, Reach::join)
    }

    fn is_something(self) -> bool {
        self.min.is_finite() && self.max.is_finite()
    }

    /// Whether a part of it lies outside of a box.
    fn leaves(self, own: &Bounds) -> bool {
        let [min, max] = [own.min, own.max].map(|corner| Vec3::from(corner.map(F32::get)));
        self.is_something() && !(self.min.cmpge(min).all() && self.max.cmple(max).all())
    }

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
        let corner =
            |corner: Vec3| if self.is_something() { corner } else { Vec3::ZERO }.to_array().map(F32::new);
        Bounds { radius: F32::new(single(self.radius)), min: corner(self.min), max: corner(self.max) }
    }
}
