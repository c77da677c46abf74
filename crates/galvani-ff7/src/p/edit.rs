//! Edits of a polygon file: each changes nothing when it is refused.

use galvani_core::{EditError, Path, Report, codes};
use zerocopy::little_endian::{F32, U32};

use super::{BoundingBox, Document, check};

codes! {
    NO_GROUP = Error, "ff7-p.edit-no-group",
        "there is no such group",
        "the outline lists the groups";
    UNTEXTURED = Error, "ff7-p.edit-untextured",
        "the group has no texture, so it has no texture coordinates either",
        "choose a group with a texture; the outline lists them";
    FACTOR = Error, "ff7-p.edit-factor",
        "a model cannot be scaled by this",
        "give a number above 0 that leaves every coordinate finite";
    BOXES = Error, "ff7-p.edit-boxes",
        "nobody knows which of several boxes is around what",
        "only a file with one box, or none, can get a new one";
    EMPTY = Error, "ff7-p.edit-empty",
        "there is no vertex to put a box around, or one is no number",
        "give every vertex finite coordinates first";
    CUT = Error, "ff7-p.edit-cut",
        "the file ends early, so what follows cannot be changed",
        "its findings say where";
}

/// Gives a group another texture: the group's number and the one that the game takes.
pub fn set_texture(document: &mut Document, group: usize, number: u32) -> Result<(), EditError> {
    let count = document.groups.len();
    let path = Path::named("groups").index(group);
    let Some(found) = document.groups.get_mut(group) else {
        return Err(NO_GROUP.at(path).saying(format!("group {group} of {count}")).into());
    };
    if found.textured.get() == 0 {
        return Err(UNTEXTURED.at(path.field("textured")).into());
    }
    found.texture_number = U32::new(number);
    if let Some(hundred) = document.hundreds.get_mut(group) {
        hundred.texture_id = U32::new(number);
    }
    Ok(())
}

/// Multiplies the vertices and the boxes around them.
pub fn scale(document: &mut Document, factor: f32) -> Result<(), EditError> {
    let verts = document.verts.iter().flat_map(|vertex| vertex.position);
    let boxes = document.boxes.iter().flat_map(|area| area.max.into_iter().chain(area.min));
    let lost = |value: F32| value.get().is_finite() && !(value.get() * factor).is_finite();
    if !(factor > 0.0 && factor.is_finite()) || verts.chain(boxes).any(lost) {
        return Err(FACTOR.at(Path::named("factor")).saying(format!("{factor} found")).into());
    }
    let grow = |values: &mut [F32; 3]| *values = values.map(|value| F32::new(value.get() * factor));
    document.verts.iter_mut().for_each(|vertex| grow(&mut vertex.position));
    for area in &mut document.boxes {
        grow(&mut area.max);
        grow(&mut area.min);
    }
    Ok(())
}

/// Puts the box around the vertices again; a file without a box gets one.
pub fn recompute_bounds(document: &mut Document) -> Result<(), EditError> {
    // What stands behind the box does not matter to it, nor does half a box.
    let is_half = match document.cut().map(|section| section.name) {
        None | Some("normal_index") => false,
        Some("boxes") => true,
        Some(name) => return Err(CUT.at(Path::named(name)).into()),
    };
    if document.boxes.len() > 1 || document.header.boxes.get() > 1 {
        let found = format!("{} boxes", document.header.boxes);
        return Err(BOXES.at(Path::named("boxes")).saying(found).into());
    }
    let finite = document.verts.iter().all(|vertex| vertex.position.iter().all(|at| at.get().is_finite()));
    let Some(first) = document.verts.first().filter(|_| finite) else {
        return Err(EMPTY.at(Path::named("verts")).into());
    };
    let fold = |pick: fn(f32, f32) -> f32| {
        document.verts.iter().fold(first.position, |so_far, vertex| {
            let ([ax, ay, az], [bx, by, bz]) = (so_far, vertex.position);
            [(ax, bx), (ay, by), (az, bz)].map(|(a, b)| F32::new(pick(a.get(), b.get())))
        })
    };
    let (max, min) = (fold(f32::max), fold(f32::min));
    let unknown_00 = document.boxes.first().map_or(U32::ZERO, |area| area.unknown_00);
    document.boxes = vec![BoundingBox { unknown_00, max, min }];
    document.header.boxes = U32::new(1);
    if is_half {
        document.rest.clear();
    }
    Ok(())
}

/// Drops what stands behind the last section. A file that ends early has no such form.
pub fn make_canonical(document: &mut Document) -> Result<Report, EditError> {
    let mut cost = Report::default();
    if let Some(cut) = document.cut().filter(|_| !document.lacks_normal_index()) {
        return Err(CUT.at(Path::named(cut.name)).into());
    }
    if !document.rest.is_empty() {
        let dropped = format!("{} bytes dropped", document.rest.len());
        cost.push(check::REST.at(Path::named("rest")).saying(dropped));
        document.rest.clear();
    }
    Ok(cost)
}
