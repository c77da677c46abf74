//! Which nodes vertices follow, and how much.

use std::cmp::Reverse;

use galvani_core::Path;
use galvani_scene::{Primitive, Skin};
use glam::{Affine3A, Vec3};

use super::node::Rig;
use super::{EVEN_WEIGHTS, FOUR_WEIGHTS, Lower, OTHER_REST};

/// The most nodes of a group, and of a vertex with weights.
pub(super) const MOST: usize = 4;

/// How far weights may be from even ones before anybody is told.
const EVEN: f32 = 0.02;

/// What pulls at a vertex: numbers of nodes and weights, the largest first; at least one, and all together 1.
pub(super) type Pulls = Vec<(i32, f32)>;

/// Vertices where they rest in the model, still in the scene's axes.
#[derive(Debug, Default)]
pub(super) struct Resting {
    pub(super) positions: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    pub(super) pulls: Vec<Pulls>,
    /// Whether rest turns the mesh inside out.
    pub(super) is_mirrored: bool,
}

/// Vertices that hang on one node.
pub(super) fn hung(primitive: &Primitive, normals: &[Vec3], rest: Affine3A, number: Option<i32>) -> Resting {
    let across = glam::Mat3::from(rest.matrix3).inverse().transpose();
    Resting {
        positions: primitive.positions.iter().map(|it| rest.transform_point3(*it)).collect(),
        normals: normals.iter().map(|it| across.mul_vec3(*it).normalize_or(*it)).collect(),
        pulls: vec![number.map(|number| (number, 1.0)).into_iter().collect(); primitive.positions.len()],
        is_mirrored: glam::Mat3::from(rest.matrix3).determinant() < 0.0,
    }
}

/// Vertices that joints bend, as they are at rest.
pub(super) fn bent(
    lower: &mut Lower<'_>,
    primitive: &Primitive,
    normals: &[Vec3],
    skin: &Skin,
    rig: &Rig,
) -> Resting {
    let rest = |node: usize| rig.rests.get(node).copied().unwrap_or_default();
    let places: Vec<(i32, Affine3A)> = skin
        .joints
        .iter()
        .map(|joint| {
            let number = rig.numbers.get(joint.node.index()).copied().flatten().unwrap_or(0);
            (number, rest(joint.node.index()) * joint.inverse_bind)
        })
        .collect();
    let mut made = Resting::default();
    let (mut elsewhere, far) = (0_usize, lower.options.tolerance * lower.size);
    for ((position, normal), pulls) in
        primitive.positions.iter().zip(normals).zip(primitive.influences.iter())
    {
        let (mut place, mut turned, mut first) = (Vec3::ZERO, Vec3::ZERO, None);
        let mut own: Pulls = Vec::new();
        for pull in pulls.iter().filter(|pull| pull.weight > 0.0) {
            let Some(&(number, matrix)) = places.get(pull.joint) else { continue };
            let there = matrix.transform_point3(*position);
            let first = *first.get_or_insert(there);
            elsewhere = elsewhere.saturating_add(usize::from(first.distance(there) > far));
            place += there * pull.weight;
            turned += matrix.transform_vector3(*normal) * pull.weight;
            match own.iter_mut().find(|(other, _)| *other == number) {
                Some((_, weight)) => *weight += pull.weight,
                None => own.push((number, pull.weight)),
            }
        }
        own.sort_by_key(|(number, weight)| (Reverse(weight.to_bits()), *number));
        made.positions.push(if own.is_empty() { *position } else { place });
        made.normals.push(turned.normalize_or(*normal));
        made.pulls.push(own);
    }
    made.is_mirrored =
        places.first().is_some_and(|(_, matrix)| glam::Mat3::from(matrix.matrix3).determinant() < 0.0);
    if elsewhere > 0 {
        lower.report.push(OTHER_REST.at(Path::named("skins")).saying(format!("{elsewhere} pulls")));
    }
    made
}

/// Reduces what pulls at vertices to what the version holds.
pub(super) fn reduced(lower: &mut Lower<'_>, pulls: &mut [Pulls]) {
    let holds = lower.holds_weights();
    let (mut even, mut four) = (0_usize, 0_usize);
    for own in pulls {
        if holds {
            four = four.saturating_add(usize::from(own.len() > MOST));
            own.truncate(MOST);
        } else {
            let (count, error) = nearest_even(own);
            even = even.saturating_add(usize::from(error > EVEN));
            own.truncate(count);
            let part = own.iter().fold(0.0_f32, |count, _| count + 1.0);
            for (_, weight) in own.iter_mut() {
                *weight = 1.0 / part;
            }
        }
        let sum: f32 = own.iter().map(|(_, weight)| weight).sum();
        for (_, weight) in own {
            *weight /= sum;
        }
    }
    for (code, count) in [(&EVEN_WEIGHTS, even), (&FOUR_WEIGHTS, four)] {
        if count > 0 {
            lower.report.push(code.at(Path::named("skins")).saying(format!("{count} vertices")));
        }
    }
}

/// How many of the strongest come nearest if all pull alike, and how far that is.
fn nearest_even(pulls: &[(i32, f32)]) -> (usize, f32) {
    let mut best = (pulls.len().min(1), f32::MAX);
    let (mut count, mut even) = (0.0_f32, 0_usize);
    for _ in pulls.iter().take(MOST) {
        (count, even) = (count + 1.0, even.saturating_add(1));
        let weight = |i: usize| if i < even { 1.0 / count } else { 0.0 };
        let error = pulls.iter().enumerate().map(|(i, (_, own))| (own - weight(i)).abs()).sum();
        if error < best.1 {
            best = (even, error);
        }
    }
    best
}

/// Nodes and weights of a vertex, as bytes.
pub(super) type Weighted = ([u8; MOST], [u8; MOST]);

/// Weights as bytes that make 255 together.
pub(super) fn bytes(pulls: &[(i32, f32)]) -> Weighted {
    let (mut bones, mut weights) = ([0; MOST], [0; MOST]);
    let mut left = u8::MAX;
    let places = bones.iter_mut().zip(&mut weights);
    for ((number, weight), (bone, byte)) in pulls.iter().zip(places) {
        *bone = u8::try_from(*number).unwrap_or(u8::MAX);
        *byte = nearest(*weight).min(left);
        left = left.saturating_sub(*byte);
    }
    if let Some(first) = weights.first_mut() {
        *first = first.saturating_add(left);
    }
    (bones, weights)
}

#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "weights lie between 0 and 1"
)]
fn nearest(weight: f32) -> u8 {
    (weight * 255.0).round() as u8
}
