//! Nodes numbered 0, 1, 2 and so on, with everything that names them by their numbers.

use std::collections::BTreeMap;

use galvani_core::{EditError, Path, room};

use super::{BIND_POSES, MISSING_NODE, whole_if};
use crate::model::{Batch, Geoset, StoredSkin};
use crate::wire::Vec3;
use crate::{Content, Document, chunk};

/// Numbers the nodes 0, 1, 2 and so on in the order of their numbers, those of one number in the order of the file. Parents,
/// matrices, weights and pivots follow, so that everything moves as it did: a number that several nodes had meant the first
/// of them. Says whether anything changed.
///
/// Refused where something names a node that is not there: its number might be another node's afterwards.
pub fn renumber_nodes(document: &mut Document) -> Result<bool, EditError> {
    whole_if(document, |tag| tag == *b"GEOS" || tag == *b"PIVT" || chunk::has_nodes(tag))?;
    let old: Vec<i32> = document.nodes().iter().map(|placed| placed.node.fixed.object_id.get()).collect();
    let mut order: Vec<usize> = room::collected(0..old.len())?;
    order.sort_by_key(|node| old.get(*node));
    if (0..).zip(&order).all(|(new, node)| old.get(*node) == Some(&new)) {
        return Ok(false);
    }
    if let Some(i) = document.chunks.iter().position(has_bind_poses) {
        return Err(BIND_POSES.at(Path::named("chunks").index(i)).into());
    }
    let mut numbers: Numbers = BTreeMap::new();
    let mut own = room::filled(0_i32, old.len())?;
    for (new, node) in (0..).zip(&order) {
        let Some(was) = old.get(*node) else { continue };
        numbers.entry(*was).or_insert(new);
        own.get_mut(*node).into_iter().for_each(|own| *own = new);
    }
    all_there(document, &numbers)?;
    pivots(document, &order, &old)?;
    let mut own = own.into_iter();
    document.change_nodes(|node| {
        let parent = node.fixed.parent_id.get();
        node.fixed.object_id.set(own.next().unwrap_or(parent));
        node.fixed.parent_id.set(numbers.get(&parent).copied().filter(|_| parent >= 0).unwrap_or(parent));
    });
    for chunk in &mut document.chunks {
        match &mut chunk.content {
            Content::Geosets(records) => {
                records.typed_mut().for_each(|(_, geoset)| geoset_numbers(geoset, &numbers));
            }
            Content::Batches(batches) => batches.iter_mut().for_each(|batch| batch_numbers(batch, &numbers)),
            _ => {}
        }
    }
    Ok(true)
}

/// The new number of each old one.
type Numbers = BTreeMap<i32, i32>;

fn has_bind_poses(chunk: &crate::Chunk) -> bool {
    matches!(&chunk.content, Content::BindPoses(rows) if !rows.is_empty())
}

/// Refuses a number that is no node's, and a new one for which there is no room.
fn all_there(document: &Document, numbers: &Numbers) -> Result<(), EditError> {
    let missing = |path: Path, number: i64| -> EditError {
        MISSING_NODE.at(path).saying(format!("node {number} named")).into()
    };
    let is_there = |number: u32| i32::try_from(number).is_ok_and(|number| numbers.contains_key(&number));
    let fits = |number: u32| new(numbers, number).is_none_or(|new| u8::try_from(new).is_ok());
    for placed in document.nodes() {
        let parent = placed.node.fixed.parent_id.get();
        if parent >= 0 && !numbers.contains_key(&parent) {
            return Err(missing(placed.path.field("node").field("parent_id"), parent.into()));
        }
    }
    for (_, first, chunk) in document.placed() {
        let path = |i: usize| Path::named("GEOS").index(first.saturating_add(i));
        match &chunk.content {
            Content::Geosets(records) => {
                for (i, geoset) in records.typed() {
                    let matrices = geoset.matrices.iter().map(|id| id.get());
                    if let Some(id) = { matrices }.find(|id| !is_there(*id)) {
                        return Err(missing(path(i).field("MATS"), id.into()));
                    }
                    let is_narrow = matches!(geoset.skin, Some(StoredSkin::Bytes(_)));
                    let has_room = |id: u32| is_there(id) && (!is_narrow || fits(id));
                    if let Some(id) = skinned(geoset).find(|id| !has_room(*id)) {
                        return Err(missing(path(i).field("SKIN"), id.into()));
                    }
                }
            }
            Content::Batches(batches) => {
                for (i, batch) in batches.iter().enumerate() {
                    let rows =
                        batch.vertices.iter().flat_map(|vertex| vertex.bones.iter().zip(vertex.weights));
                    let mut used = rows.filter(|(_, weight)| *weight > 0).map(|(bone, _)| u32::from(*bone));
                    if let Some(id) = used.find(|id| !is_there(*id) || !fits(*id)) {
                        return Err(missing(path(i).field("vertices"), id.into()));
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// The nodes that vertices follow by SKIN: four of them and four weights.
fn skinned(geoset: &Geoset) -> impl Iterator<Item = u32> {
    let numbers = geoset.skin.as_ref().map(StoredSkin::values).unwrap_or_default();
    let rows: Vec<[u32; 8]> = numbers.as_chunks().0.to_vec();
    rows.into_iter().flat_map(|[a, b, c, d, wa, wb, wc, wd]| {
        [(a, wa), (b, wb), (c, wc), (d, wd)].into_iter().filter(|(_, weight)| *weight > 0).map(|(id, _)| id)
    })
}

fn new(numbers: &Numbers, old: u32) -> Option<u32> {
    let new = *numbers.get(&i32::try_from(old).ok()?)?;
    u32::try_from(new).ok()
}

/// The pivots in the order of the new numbers. A node that had none, of several, turned about the origin.
fn pivots(document: &mut Document, order: &[usize], old: &[i32]) -> Result<(), EditError> {
    let rows = document.pivots();
    let pivot = |node: &usize| {
        let number = old.get(*node).and_then(|number| usize::try_from(*number).ok());
        number.and_then(|number| rows.get(number)).copied()
    };
    let origin = Vec3 { x: 0.0.into(), y: 0.0.into(), z: 0.0.into() };
    let mut made = Some(room::collected(order.iter().map(|node| pivot(node).unwrap_or(origin)))?);
    for chunk in &mut document.chunks {
        if let Content::Pivots(rows) = &mut chunk.content {
            *rows = made.take().unwrap_or_default();
        }
    }
    Ok(())
}

fn geoset_numbers(geoset: &mut Geoset, numbers: &Numbers) {
    let byte = |id: &mut u8| follow(numbers, id);
    geoset.matrices.iter_mut().for_each(|id| id.set(new(numbers, id.get()).unwrap_or(id.get())));
    match &mut geoset.skin {
        Some(StoredSkin::Bytes(bytes)) => {
            bytes.as_chunks_mut::<8>().0.iter_mut().for_each(|row| row.iter_mut().take(4).for_each(byte));
        }
        Some(StoredSkin::Words(words)) => {
            for id in words.as_chunks_mut::<8>().0.iter_mut().flat_map(|row| row.iter_mut().take(4)) {
                let new = new(numbers, id.get().into()).and_then(|new| u16::try_from(new).ok());
                id.set(new.unwrap_or(id.get()));
            }
        }
        None => {}
    }
    let listed = geoset.weights.iter_mut().flat_map(|weights| weights.bones.iter_mut());
    listed.for_each(|row| row.bytes.iter_mut().for_each(byte));
}

fn batch_numbers(batch: &mut Batch, numbers: &Numbers) {
    batch.vertices.iter_mut().for_each(|vertex| vertex.bones.iter_mut().for_each(|id| follow(numbers, id)));
}

fn follow(numbers: &Numbers, id: &mut u8) {
    *id = new(numbers, (*id).into()).and_then(|new| u8::try_from(new).ok()).unwrap_or(*id);
}
