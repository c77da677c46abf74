//! Rules about coordinates and the box around them.

use galvani_core::{Path, Report};
use zerocopy::little_endian::F32;

use super::super::{BoundingBox, Document};
use super::{BOX, NOT_FINITE};

/// Every coordinate is a number.
pub(super) fn numbers(document: &Document, report: &mut Report) {
    let mut look = |path: Path, values: &[F32]| {
        if let Some(odd) = values.iter().find(|value| !value.get().is_finite()) {
            report.push(NOT_FINITE.at(path).saying(format!("{} found", odd.get())));
        }
    };
    for (i, vertex) in document.verts.iter().enumerate() {
        look(Path::named("verts").index(i).field("position"), &vertex.position);
    }
    for (i, normal) in document.normals.iter().enumerate() {
        look(Path::named("normals").index(i).field("normal"), &normal.normal);
    }
    for (i, texcoord) in document.texcoords.iter().enumerate() {
        look(Path::named("texcoords").index(i).field("uv"), &texcoord.uv);
    }
    for (i, area) in document.boxes.iter().enumerate() {
        look(Path::named("boxes").index(i).field("max"), &area.max);
        look(Path::named("boxes").index(i).field("min"), &area.min);
    }
}

/// How far a vertex may stand out of the box, as a part of the box's longest side: tools round differently.
const SLACK: f32 = 1.0 / 1024.0;

/// The boxes together hold every vertex.
pub(super) fn boxes(document: &Document, report: &mut Report) {
    let Some((first, others)) = document.boxes.split_first() else { return };
    let [mut low, mut high] = corners(first);
    for area in others {
        let [min, max] = corners(area);
        low = pairs(low, min, f32::min);
        high = pairs(high, max, f32::max);
    }
    let longest = pairs(high, low, |high, low| high - low).into_iter().fold(0.0, f32::max);
    let slack = longest * SLACK;
    let outside = |vertex: &[F32; 3]| {
        let axes = vertex.iter().zip(low).zip(high);
        axes.into_iter().any(|((at, low), high)| at.get() < low - slack || at.get() > high + slack)
    };
    for (i, vertex) in document.verts.iter().enumerate() {
        if outside(&vertex.position) {
            let found = format!("from {low:?} to {high:?} wanted, {:?} found", vertex.position.map(F32::get));
            report.push(BOX.at(Path::named("verts").index(i).field("position")).saying(found));
        }
    }
}

/// The lowest and the highest corner.
fn corners(area: &BoundingBox) -> [[f32; 3]; 2] {
    [area.min, area.max].map(|corner| corner.map(F32::get))
}

fn pairs(a: [f32; 3], b: [f32; 3], pair: impl Fn(f32, f32) -> f32) -> [f32; 3] {
    let ([ax, ay, az], [bx, by, bz]) = (a, b);
    [pair(ax, bx), pair(ay, by), pair(az, bz)]
}
