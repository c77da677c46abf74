//! Posed models by plain loops in double precision, to hold drawing and picking against.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part of this")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]
#![allow(clippy::cast_possible_truncation, reason = "as near as may be")]

use galvani_parkan::msh::engine::Matrix;
use galvani_parkan::msh::sample::{RootTranslation, model_matrices, sample_node_pose};
use galvani_parkan::msh::{ModelView, wire};
use proptest::prelude::*;

pub type Point = [f64; 3];

/// A placement and its scale per axis.
#[derive(Debug, Clone, Copy)]
pub struct Placement {
    pub matrix: Matrix,
    pub scale: [f64; 3],
}

/// Any rotation and translation, scaled by axis if wanted.
pub fn placements(scaled: bool) -> impl Strategy<Value = Placement> {
    let turn = prop::array::uniform4(-1.0..1.0_f64)
        .prop_filter("no direction", |q| q.iter().map(|x| x * x).sum::<f64>() > 0.1);
    let least = if scaled { 0.2 } else { 1.0 };
    let scale = prop::array::uniform3(least..=(1.0 / least));
    (turn, scale, prop::array::uniform3(-50.0..50.0_f64)).prop_map(|(turn, scale, [x, y, z])| {
        let length = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
        let [a, b, c, d] = turn.map(|component| component / length);
        let rows = [
            [1.0 - 2.0 * (c * c + d * d), 2.0 * (b * c - a * d), 2.0 * (b * d + a * c), x],
            [2.0 * (b * c + a * d), 1.0 - 2.0 * (b * b + d * d), 2.0 * (c * d - a * b), y],
            [2.0 * (b * d - a * c), 2.0 * (c * d + a * b), 1.0 - 2.0 * (b * b + c * c), z],
        ];
        let mut matrix = [0.0; 16];
        matrix[15] = 1.0;
        for (row, numbers) in rows.iter().enumerate() {
            for column in 0..4 {
                let scale = scale.get(column).copied().unwrap_or(1.0);
                matrix[row * 4 + column] = (numbers[column] * scale) as f32;
            }
        }
        Placement { matrix, scale }
    })
}

/// One matrix done after another, by the textbook.
pub fn product(outer: &Matrix, inner: &Matrix) -> [f64; 16] {
    std::array::from_fn(|i| {
        (0..4).map(|k| f64::from(outer[i / 4 * 4 + k]) * f64::from(inner[k * 4 + i % 4])).sum()
    })
}

pub fn apply(matrix: &[f64; 16], point: Point) -> Point {
    [0, 4, 8].map(|row| {
        matrix[row] * point[0] + matrix[row + 1] * point[1] + matrix[row + 2] * point[2] + matrix[row + 3]
    })
}

/// The matrices of a model's nodes at a time.
pub fn matrices(model: &ModelView<'_>, time: f32) -> Vec<Matrix> {
    model_matrices(model, RootTranslation::Keep, |node| Ok(sample_node_pose(model, node, time)?.0)).unwrap()
}

/// A slot that a node shows.
#[derive(Debug, Clone)]
pub struct Shown<'a> {
    pub node: usize,
    pub slot: u16,
    pub record: &'a wire::Slot,
    pub world: [f64; 16],
    pub triangles: Vec<Triangle>,
}

/// A triangle in the world.
#[derive(Debug, Clone, Copy)]
pub struct Triangle {
    pub batch: usize,
    /// Its place in stream 7.
    pub face: usize,
    pub flags: u16,
    pub corners: [Point; 3],
}

/// Everything that a model shows in a cell.
pub fn shown<'a>(
    model: &ModelView<'a>,
    matrices: &[Matrix],
    placement: &Matrix,
    cell: usize,
) -> Vec<Shown<'a>> {
    let nodes = model.nodes.as_ref().unwrap().rows;
    let mut all = Vec::new();
    for (node, record) in nodes.iter().enumerate() {
        let slot = record.slot_index[cell].get();
        if slot == 0xFFFF {
            continue;
        }
        let record = &model.slots.as_ref().unwrap().rows[usize::from(slot)];
        let world = product(placement, &matrices[node]);
        all.push(Shown { node, slot, record, world, triangles: triangles(model, record, &world) });
    }
    all
}

fn triangles(model: &ModelView<'_>, slot: &wire::Slot, world: &[f64; 16]) -> Vec<Triangle> {
    let positions = model.positions.as_ref().unwrap().rows;
    let mut all = Vec::new();
    let start = usize::from(slot.batch_start.get());
    for batch in start..start + usize::from(slot.batch_count.get()) {
        let record = &model.batches.as_ref().unwrap().rows[batch];
        let base = record.base_vertex.get() as usize;
        let from = record.index_start.get() as usize;
        let indices =
            &model.indices.as_ref().unwrap().rows[from..from + usize::from(record.index_count.get())];
        for corners in indices.chunks_exact(3) {
            let face = usize::from(slot.tri_start.get()) + all.len();
            let corner = |i: usize| {
                let position = positions[base + usize::from(corners[i].index.get())].position;
                apply(world, position.map(|number| f64::from(number.get())))
            };
            let flags = model.faces.as_ref().unwrap().rows[face].flags.get();
            all.push(Triangle { batch, face, flags, corners: [corner(0), corner(1), corner(2)] });
        }
    }
    all
}

pub fn minus(a: Point, b: Point) -> Point {
    std::array::from_fn(|i| a[i] - b[i])
}

pub fn dot(a: Point, b: Point) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub fn length(a: Point) -> f64 {
    dot(a, a).sqrt()
}

/// A point of a triangle by its weights.
pub fn point_of(corners: [Point; 3], weights: [f64; 3]) -> Point {
    std::array::from_fn(|axis| (0..3).map(|i| corners[i][axis] * weights[i]).sum())
}

/// Where a ray meets a triangle, by its plane and the areas around the point: distance along a direction of
/// length 1, and the least weight; `None` if it comes almost along the plane.
pub fn meets(corners: [Point; 3], origin: Point, direction: Point) -> Option<(f64, f64)> {
    let [a, b, c] = corners;
    let normal = cross(minus(b, a), minus(c, a));
    let slope = dot(normal, direction);
    if slope.abs() < 0.01 * length(normal) || length(normal) < 1e-6 {
        return None;
    }
    let distance = dot(normal, minus(a, origin)) / slope;
    let point: Point = std::array::from_fn(|i| origin[i] + direction[i] * distance);
    let weight = |from: Point, to: Point| dot(normal, cross(minus(to, from), minus(point, from)));
    let least = weight(a, b).min(weight(b, c)).min(weight(c, a)) / dot(normal, normal);
    Some((distance, least))
}
