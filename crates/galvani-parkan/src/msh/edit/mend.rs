//! Maps and boxes that are wrong, made again from what they are made of. Keys, and what nodes without frames show, stay.

use galvani_core::{EditError, Path, Reading, room};
use zerocopy::IntoBytes;
use zerocopy::little_endian::{F32, U32};

use super::{Document, editable, joined, rising};
use crate::msh::animation::{self, Layout, frames_fit};
use crate::msh::build::{Box3, bounds_around, radius};
use crate::msh::check::{ENTANGLED, Mesh, is_slot_box_wrong, posed_points, slot_extents};
use crate::msh::streams::{FRAME_MAP, KEYS, NODES, SLOTS};
use crate::msh::{NONE, wire};

/// Builds the map of every node that has frames from its keys and puts maps one behind the other in the order of the nodes.
/// A node of one key loses its map; one without a map stays without, whatever its keys. The timeline becomes as long as the
/// keys of nodes with frames reach, and is never shortened. Maps that are damaged are no hindrance.
pub fn mend_maps(document: &mut Document) -> Result<(), EditError> {
    let model = editable(document, &[NODES, KEYS, FRAME_MAP])?;
    if model.is_still() {
        return Ok(());
    }
    let mut anim = animation::read_keys(&model)?;
    let nodes = model.nodes.as_ref().map_or(&[][..], |nodes| nodes.rows);
    for (track, node) in anim.tracks.iter_mut().zip(nodes) {
        track.has_map = node.map_start.get() != NONE && track.keys.len() > 1;
    }
    for (node, track) in anim.tracks.iter().enumerate().filter(|(_, track)| track.has_map) {
        rising(&anim, node, &track.keys)?;
    }
    let is_animated = anim.tracks.iter().any(|track| track.has_map);
    let needed = anim.needed_frames();
    let frame_count = if is_animated { needed.max(model.frame_count()) } else { needed };
    frames_fit(anim.tracks.iter().filter(|track| track.has_map).count(), frame_count)?;
    anim.frame_count = frame_count;
    for track in anim.tracks.iter_mut().filter(|track| track.has_map) {
        track.rebuild_map(frame_count)?;
    }
    animation::write(&anim, document, Layout::Canonical)
}

/// Makes the boxes of slots that are not those of their vertices again, and what goes with them: sphere and, as observed,
/// volume. Says how many changed.
pub fn mend_slot_boxes(document: &mut Document) -> Result<usize, EditError> {
    let reading = document.reading;
    let model = editable(document, &[SLOTS])?;
    let (Some(slots), Some(mesh)) = (&model.slots, Mesh::new(&model)) else { return Ok(0) };
    let mut rows = room::copied(slots.rows)?;
    let mut budget = mesh.budget(slots.rows.len());
    let mut count: usize = 0;
    for (i, (slot, wanted)) in rows.iter_mut().zip(slot_extents(&mesh, slots.rows)).enumerate() {
        if !is_slot_box_wrong(slot, &wanted) {
            continue;
        }
        let mut points: Vec<[f32; 3]> = Vec::new();
        for batch in mesh.batches_of(slot) {
            if !budget.pays(batch.index_count.get().into()) {
                let said = "slots that share no batches wanted";
                return Err(ENTANGLED.at(Path::named("slots").index(i)).saying(said).into());
            }
            room::extend(&mut points, mesh.points(batch))?;
        }
        let Some(own) = Box3::around(&points) else { continue };
        let centre = own.centre();
        slot.aabb_min = own.min.map(F32::new);
        slot.aabb_max = own.max.map(F32::new);
        slot.sphere_center = centre.map(F32::new);
        slot.sphere_radius = F32::new(radius(centre, &points));
        if reading == Reading::Observed {
            let [_, volume, ..] = &mut slot.tail;
            *volume = U32::new(own.volume().to_bits());
        }
        count = count.saturating_add(1);
    }
    if count > 0 {
        let bounds = model.bounds.map_or(&[][..], IntoBytes::as_bytes);
        let bytes = joined(&[bounds, rows.as_bytes(), slots.rest])?;
        document.set_stream(SLOTS, bytes, [None; 3])?;
    }
    Ok(count)
}

/// Makes the bounds of the model again: hull, sphere and capsule around its intact, finest geometry as the first frame poses
/// it. What cannot be posed stays.
pub fn mend_model_box(document: &mut Document) -> Result<(), EditError> {
    let model = editable(document, &[SLOTS])?;
    let (Some(slots), Some(_), Some(mesh)) = (&model.slots, model.bounds, Mesh::new(&model)) else {
        return Ok(());
    };
    let mut points: Vec<[f32; 3]> = Vec::new();
    let mut full = Ok(());
    let is_posed = posed_points(&model, &mesh, &mut |point| {
        if full.is_ok() {
            full = room::push(&mut points, point);
        }
    });
    let is_posed = is_posed.map_err(|cause| EditError { cause })?;
    full?;
    if !is_posed || points.is_empty() {
        return Ok(());
    }
    let bounds: wire::Bounds = bounds_around(&points);
    let bytes = joined(&[bounds.as_bytes(), slots.rows.as_bytes(), slots.rest])?;
    document.set_stream(SLOTS, bytes, [None; 3])
}
