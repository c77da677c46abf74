//! GEOS in its three layouts, and GEOA.

use galvani_core::{Diagnostic, Path, Report};
use zerocopy::little_endian::F32;

use super::sequences::{bounds, flags, in_order};
use super::summary::Summary;
use super::{
    BOUNDS_SMALL, EXTENTS, FACE_TYPE, FACES, GEOSET_COUNT, GEOSET_RANGE, GROUP_RANGE, GROUP_SIZE,
    MATRIX_NODE, MATRIX_SUM, RESERVED, VERTEX_COUNTS, VERTEX_RANGE, WEIGHTS,
};
use crate::model::{Batch, Geoset, GeosetAnimationFixed, StoredSkin, Texcoords};
use crate::{Content, Document, Family, wire};

/// Geosets that the client takes (docs/formats/mdx-records.md#geos).
const MOST: usize = 255;

/// The type of triangles in lists.
const TRIANGLES: u32 = 4;

/// The type of triangles in WoW 1500.
const BATCH_TRIANGLES: u32 = 3;

/// What the weights of a vertex add up to.
const WHOLE: u32 = 255;

/// More nodes than this in a group do not fit other formats.
const MOST_IN_GROUP: u32 = 4;

pub(super) fn geosets(document: &Document, summary: &Summary<'_>, report: &mut Report) {
    if document.family() == Family::Wow && summary.geosets > MOST {
        let found = format!("at most {MOST} wanted, {} found", summary.geosets);
        report.push(GEOSET_COUNT.at(Path::named("GEOS").field("count")).saying(found));
    }
    for &(_, first, chunk) in &summary.chunks {
        let path = |tag, i: usize| Path::named(tag).index(first.saturating_add(i));
        match &chunk.content {
            Content::Geosets(records) => {
                for (i, geoset) in records.typed() {
                    self::geoset(document, path("GEOS", i), geoset, summary, report);
                }
            }
            Content::Batches(batches) => {
                for (i, batch) in batches.iter().enumerate() {
                    self::batch(path("GEOS", i), batch, summary, report);
                }
            }
            Content::GeosetAnimations(records) => {
                for (i, animation) in records.typed() {
                    let path = || path("GEOA", i);
                    if let Some(finding) = geoset_id(path, animation.geoset_id(), summary) {
                        report.push(finding);
                    }
                    match &animation.fixed {
                        GeosetAnimationFixed::Warcraft(fixed) => flags(path, fixed.flags.get(), 3, report),
                        GeosetAnimationFixed::Wow(fixed) => flags(path, fixed.flags.get(), 1, report),
                    }
                }
            }
            Content::Bones(records) => {
                for (i, bone) in records.typed() {
                    // To a bone it is a hint, which geosets that were removed leave behind.
                    let id = bone.fixed.geoset_id.get();
                    if let Some(finding) = geoset_id(|| path("BONE", i), id, summary) {
                        report.push(finding.as_note());
                    }
                }
            }
            _ => {}
        }
    }
}

fn geoset_id(at: impl Fn() -> Path, id: i32, summary: &Summary<'_>) -> Option<Diagnostic> {
    let is_there = usize::try_from(id).is_ok_and(|id| id < summary.geosets);
    let is_missing = id != -1 && !is_there && summary.is_whole(&[b"GEOS"]);
    is_missing.then(|| {
        let found = format!("{id} named, there are {}", summary.geosets);
        GEOSET_RANGE.at(at().field("geoset_id")).saying(found)
    })
}

fn geoset(document: &Document, path: Path, geoset: &Geoset, summary: &Summary<'_>, report: &mut Report) {
    let known = if document.family() == Family::Wow { 1 } else { 4 };
    flags(|| path, geoset.traits.flags.get(), known, report);
    bounds(path.field("bounds"), geoset.bounds.min, geoset.bounds.max, report);
    reach(path, geoset, report);
    lengths(path, geoset, report);
    faces(path, geoset, report);
    groups(path, geoset, summary, report);
    weights(path, geoset, report);
    if geoset.extents.len() != summary.sequences && summary.is_whole(&[b"SEQS"]) {
        let found = format!("{} sequences, {} bounds", summary.sequences, geoset.extents.len());
        report.push(EXTENTS.at(path.field("extents")).saying(found).pedantic());
    }
}

/// A vertex outside of the box.
fn reach(path: Path, geoset: &Geoset, report: &mut Report) {
    if let Some((i, place)) = is_box_small(geoset) {
        let [min, max] = [geoset.bounds.min, geoset.bounds.max].map(|corner| corner.map(F32::get));
        let found = format!("{min:?} to {max:?}, vertex {i} at {place:?}");
        report.push(BOUNDS_SMALL.at(path.field("bounds").field("min")).saying(found));
    }
}

/// How far outside a vertex may lie, in parts of the longest side of what the vertices fill: tools round.
const SLACK: f32 = 0.01;

/// The first vertex, and its place, that lies outside of the box of its geoset; none of a box that is inside out.
pub(crate) fn is_box_small(geoset: &Geoset) -> Option<(usize, [f32; 3])> {
    let [min, max] = [geoset.bounds.min, geoset.bounds.max];
    let place = |row: &wire::Vec3| [row.x.get(), row.y.get(), row.z.get()];
    let places = geoset.vertices.iter().map(place);
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    // A place that is none lies nowhere, thus not outside.
    for place in places.clone().filter(|place| place.iter().all(|part| part.is_finite())) {
        for ((low, high), part) in low.iter_mut().zip(&mut high).zip(place) {
            (*low, *high) = (low.min(part), high.max(part));
        }
    }
    let slack = high.iter().zip(low).map(|(high, low)| high - low).fold(0.0, f32::max) * SLACK;
    let is_outside = |place: &[f32; 3]| {
        let sides = min.iter().zip(&max).zip(place);
        sides.into_iter().any(|((min, max), part)| *part < min.get() - slack || *part > max.get() + slack)
    };
    // The corners tell of all vertices; which one it is matters only where one is outside.
    if !in_order(min, max) || low > high || !(is_outside(&low) || is_outside(&high)) {
        return None;
    }
    let is_finite = |place: &[f32; 3]| place.iter().all(|part| part.is_finite());
    places.enumerate().find(|(_, place)| is_finite(place) && is_outside(place))
}

/// Lists that have one element per vertex.
fn lengths(path: Path, geoset: &Geoset, report: &mut Report) {
    let wanted = geoset.vertices.len();
    let mut check = |name: &'static str, found: usize| {
        if found != wanted {
            let found = format!("{wanted} vertices, {found} in `{name}`");
            report.push(VERTEX_COUNTS.at(path.field(name)).saying(found));
        }
    };
    check("NRMS", geoset.normals.len());
    // Skinned models of later versions need no groups.
    if geoset.skin.is_none() || !geoset.vertex_groups.is_empty() {
        check("GNDX", geoset.vertex_groups.len());
    }
    if let Texcoords::Sets(sets) = &geoset.texcoords {
        for set in sets {
            check("UVAS", set.len());
        }
    }
    if let Some(tangents) = &geoset.tangents {
        check("TANG", tangents.len());
    }
    if let Some(weights) = &geoset.weights {
        check("BIDX", weights.bones.len());
        check("BWGT", weights.weights.len());
    }
}

fn faces(path: Path, geoset: &Geoset, report: &mut Report) {
    let types = geoset.primitive_types.values();
    if let Some(other) = types.iter().find(|kind| **kind != TRIANGLES) {
        report.push(FACE_TYPE.at(path.field("PTYP")).saying(format!("{TRIANGLES} wanted, {other} found")));
    }
    let counted = geoset.primitive_counts.iter().map(|count| u64::from(count.get()));
    let counted = counted.fold(0, u64::saturating_add);
    let found = geoset.indices.len();
    let triangles = types.iter().all(|kind| *kind == TRIANGLES);
    if u64::try_from(found) != Ok(counted) || types.len() != geoset.primitive_counts.len() {
        let found = format!("{counted} corners counted, {found} found");
        report.push(FACES.at(path.field("PCNT")).saying(found));
    } else if triangles && !found.is_multiple_of(3) {
        report.push(FACES.at(path.field("PVTX")).saying(format!("a multiple of 3 wanted, {found} found")));
    }
    let count = geoset.vertices.len();
    if let Some((i, index)) = beyond(&geoset.indices, count, |index| index.get()) {
        let found = format!("{count} vertices, corner at {index}");
        report.push(VERTEX_RANGE.at(path.field("PVTX").index(i)).saying(found));
    }
}

fn groups(path: Path, geoset: &Geoset, summary: &Summary<'_>, report: &mut Report) {
    let count = geoset.group_sizes.len();
    if let Some((i, group)) = beyond(&geoset.vertex_groups, count, |group| *group) {
        let found = format!("{count} groups, group {group} named");
        let finding = GROUP_RANGE.at(path.field("GNDX").index(i)).saying(found);
        // Without any group the geoset stands still, and nobody meant anything else.
        report.push(if count == 0 { finding.as_note() } else { finding });
    }
    let sum = geoset.group_sizes.iter().map(|size| u64::from(size.get())).fold(0, u64::saturating_add);
    if u64::try_from(geoset.matrices.len()) != Ok(sum) {
        let found = format!("{sum} in groups, {} in `MATS`", geoset.matrices.len());
        report.push(MATRIX_SUM.at(path.field("MTGC")).saying(found));
    }
    let odd = |size: u32| size == 0 || size > MOST_IN_GROUP;
    if let Some((i, size)) = geoset.group_sizes.iter().enumerate().find(|(_, size)| odd(size.get())) {
        let found = format!("1 to {MOST_IN_GROUP} wanted, {size} found");
        report.push(GROUP_SIZE.at(path.field("MTGC").index(i)).saying(found));
    }
    let all = summary.has_all_nodes();
    let is_node = |id: u32| !all || i32::try_from(id).is_ok_and(|id| summary.find(id).is_some());
    if let Some((i, id)) = geoset.matrices.iter().enumerate().find(|(_, id)| !is_node(id.get())) {
        report.push(MATRIX_NODE.at(path.field("MATS").index(i)).saying(format!("node {id} named")));
    }
}

/// The first index that is none of so many. The greatest is looked for first: there, nothing ends early.
fn beyond<T, I: Copy + Default + Ord + Into<usize>>(
    list: &[T],
    count: usize,
    index: impl Fn(&T) -> I,
) -> Option<(usize, I)> {
    let greatest = list.iter().map(&index).fold(I::default(), I::max);
    if greatest.into() < count {
        return None;
    }
    list.iter().map(index).enumerate().find(|(_, index)| (*index).into() >= count)
}

fn weights(path: Path, geoset: &Geoset, report: &mut Report) {
    let sums: Vec<u32> = match (&geoset.weights, &geoset.skin) {
        (Some(weights), _) => weights.weights.iter().map(|row| total(row.bytes)).collect(),
        (None, Some(StoredSkin::Bytes(bytes))) => bytes
            .chunks_exact(8)
            .filter_map(|row| row.last_chunk::<4>())
            .map(|weights| total(*weights))
            .collect(),
        _ => return,
    };
    let name = if geoset.weights.is_some() { "BWGT" } else { "SKIN" };
    if let Some((i, sum)) = sums.iter().enumerate().find(|(_, sum)| **sum != WHOLE) {
        let found = format!("{WHOLE} wanted, {sum} found at vertex {i}");
        report.push(WEIGHTS.at(path.field(name)).saying(found));
    }
}

fn total(weights: [u8; 4]) -> u32 {
    weights.into_iter().map(u32::from).fold(0, u32::saturating_add)
}

/// Bits of a geoset of WoW 1500 that are known.
const BATCH_FLAGS: u32 = 0x31;

fn batch(path: Path, batch: &Batch, summary: &Summary<'_>, report: &mut Report) {
    let head = &batch.head;
    flags(|| path, head.flags.get(), BATCH_FLAGS, report);
    let zeros = [head.zero_38.map(u32::from), [batch.faces.zero_04.get(), batch.faces.zero_0e.into()]];
    if zeros.as_flattened().iter().any(|&word| word != 0) || batch.padding.iter().any(|&byte| byte != 0) {
        report.push(RESERVED.at(path.field("faces")));
    }
    let tags = [head.vertex_tag, head.type_tag, head.index_tag].map(|tag| tag.0.to_bytes());
    if tags != [*b"PVTX", *b"PTYP", *b"PVTX"] {
        report.push(RESERVED.at(path.field("vertex_tag")).saying("`PVTX`, `PTYP`, `PVTX` wanted"));
    }
    let kind = batch.faces.primitive_type.get();
    if kind != BATCH_TRIANGLES {
        let found = format!("{BATCH_TRIANGLES} wanted, {kind} found");
        report.push(FACE_TYPE.at(path.field("faces").field("primitive_type")).saying(found));
    }
    let found = batch.indices.len();
    if usize::try_from(head.index_count.get()) != Ok(found) || !found.is_multiple_of(3) {
        let found = format!("{} corners counted, {found} found", head.index_count);
        report.push(FACES.at(path.field("index_count")).saying(found));
    }
    let count = batch.vertices.len();
    if let Some((i, index)) = beyond(&batch.indices, count, |index| index.get()) {
        let found = format!("{count} vertices, corner at {index}");
        report.push(VERTEX_RANGE.at(path.field("indices").index(i)).saying(found));
    }
    let all = summary.has_all_nodes();
    for (i, vertex) in batch.vertices.iter().enumerate() {
        let path = path.field("vertices").index(i);
        if total(vertex.weights) != WHOLE {
            let found = format!("{WHOLE} wanted, {} found", total(vertex.weights));
            report.push(WEIGHTS.at(path.field("weights")).saying(found));
        }
        let moved = vertex.bones.iter().zip(vertex.weights).filter(|(_, weight)| all && *weight > 0);
        for (bone, _) in moved.filter(|(bone, _)| summary.find(i32::from(**bone)).is_none()) {
            report.push(MATRIX_NODE.at(path.field("bones")).saying(format!("node {bone} named")));
        }
    }
}
