//! What benchmarks move: joints whose keys are dense or sparse, and vertices that follow them.

use galvani_scene::{Clip, Curve, Id, Influences, Joint, Node, Primitive, Pull, Scene, Skin, Track};
use glam::{Affine3A, Quat, Vec3};

pub(crate) const JOINTS: usize = 96;
pub(crate) const FRAMES: usize = 240;
pub(crate) const RATE: f32 = 30.0;
const SPARSE: usize = 8;
pub(crate) const TIMES: usize = 480;
pub(crate) const VERTICES: usize = 10_000;

/// Numbers from 0 to 1 in no order, always the same.
fn numbers() -> impl FnMut() -> f32 {
    let mut state = 88_172_645_463_325_252_u64;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1_u64 << 24) as f32
    }
}

/// Joints of which each but the first hangs on another, two on most.
pub(crate) fn skeleton() -> Scene {
    let parent = |i: usize| (i > 0).then(|| Id::new((i - 1) / 2));
    let nodes = (0..JOINTS).map(|i| Node { parent: parent(i), ..Node::default() }).collect();
    Scene { nodes, ..Scene::default() }
}

/// Joints that swing, wander and breathe; keys at times that somebody gives.
fn clip(mut times: impl FnMut() -> Vec<f32>) -> Clip {
    let mut next = numbers();
    let mut tracks = Vec::new();
    for joint in (0..JOINTS).map(Id::new) {
        let times = times();
        let axis = Vec3::new(next() - 0.5, next() - 0.5, next() - 0.5).normalize();
        let (rate, start) = (next() * 3.0 + 1.0, next() * 6.0);
        let turn = |t: &f32| Quat::from_axis_angle(axis, (t * rate + start).sin() * 2.0);
        let place = |t: &f32| Vec3::new((t * rate).sin(), (t * rate + start).cos(), *t * 0.1);
        let size = |t: &f32| Vec3::splat(1.0 + 0.1 * (t * start).sin());
        let values = times.iter().map(place).collect();
        tracks.push(Track::Translation(joint, Curve::linear(times.clone(), values)));
        tracks.push(Track::Rotation(joint, Curve::linear(times.clone(), times.iter().map(turn).collect())));
        tracks.push(Track::Scale(joint, Curve::linear(times.clone(), times.iter().map(size).collect())));
    }
    Clip { duration: (FRAMES - 1) as f32 / RATE, tracks, ..Clip::default() }
}

pub(crate) fn dense() -> Clip {
    clip(|| (0..FRAMES).map(|frame| frame as f32 / RATE).collect())
}

pub(crate) fn sparse() -> Clip {
    let mut next = numbers();
    clip(|| {
        let end = (FRAMES - 1) as f32 / RATE;
        let inner = (2..SPARSE).map(|_| next() * end);
        let mut times: Vec<f32> = [0.0, end].into_iter().chain(inner).collect();
        times.sort_by(f32::total_cmp);
        times
    })
}

/// Times in order.
pub(crate) fn forwards() -> Vec<f32> {
    let end = (FRAMES - 1) as f32 / RATE;
    (0..TIMES).map(|i| i as f32 / TIMES as f32 * end).collect()
}

/// Times in no order.
pub(crate) fn scattered() -> Vec<f32> {
    let mut next = numbers();
    let end = (FRAMES - 1) as f32 / RATE;
    (0..TIMES).map(|_| next() * end).collect()
}

/// Vertices with four joints each.
pub(crate) fn surface() -> (Primitive, Skin) {
    let mut next = numbers();
    let mut primitive = Primitive::default();
    let mut influences = Influences::default();
    for _ in 0..VERTICES {
        primitive.positions.push(Vec3::new(next(), next(), next()));
        primitive.normals.push((Vec3::new(next(), next(), next()) - 0.5).normalize());
        let joint = (next() * (JOINTS - 4) as f32) as usize;
        influences.push((0..4).map(|i| Pull { joint: joint + i, weight: 0.25 }));
    }
    primitive.influences = influences;
    let joint = |node| Joint { node: Id::new(node), inverse_bind: Affine3A::IDENTITY };
    (primitive, Skin { name: String::new(), joints: (0..JOINTS).map(joint).collect() })
}
