//! Poses of whole models, local and composed: nodes per second of a player, of node after node, and of glam.
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run may stop")]

mod common {
    pub(crate) mod swinging;
}
#[path = "../tests/common/msh_reference.rs"]
mod msh_reference;
#[path = "../tests/common/msh_sampling.rs"]
mod msh_sampling;

use std::hint::black_box;

use common::swinging::{FRAMES, NODES, TIMES, swinging};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use galvani_parkan::msh::ModelView;
use galvani_parkan::msh::play::{Player, Poses};
use galvani_parkan::msh::sample::{RootTranslation, model_matrices, sample_node_pose};
use glam::{Mat4, Quat, Vec3};
use msh_sampling::{Raw, model};

/// What one would write with glam: keys by time, a cursor per node, slerp and matrices of its own.
struct Glam {
    parents: Vec<Option<usize>>,
    keys: Vec<Vec<(f32, Vec3, Quat)>>,
    cursors: Vec<usize>,
    matrices: Vec<Mat4>,
}

impl Glam {
    fn new(raw: &Raw) -> Self {
        let keys_per_node = raw.keys.len() / raw.nodes.len();
        let keys = raw.keys.chunks(keys_per_node).map(|keys| {
            let key = |&([x, y, z, time], rotation): &([f32; 4], [i16; 4])| {
                let [w, i, j, k] = rotation.map(|part| f32::from(part) / 32767.0);
                (time, Vec3::new(x, y, z), Quat::from_xyzw(-i, -j, -k, w).normalize())
            };
            keys.iter().map(key).collect()
        });
        let parent = |node: &[u16; 3]| (node[0] != 0xFFFF).then_some(usize::from(node[0]));
        Glam {
            parents: raw.nodes.iter().map(parent).collect(),
            keys: keys.collect(),
            cursors: vec![0; raw.nodes.len()],
            matrices: vec![Mat4::IDENTITY; raw.nodes.len()],
        }
    }

    fn sample(&mut self, time: f32) {
        for (node, keys) in self.keys.iter().enumerate() {
            let cursor = &mut self.cursors[node];
            let holds = |i: usize| keys[i].0 <= time && time < keys[i + 1].0;
            if !holds(*cursor) {
                let next = *cursor + 1;
                *cursor = if next + 1 < keys.len() && holds(next) {
                    next
                } else {
                    keys.partition_point(|key| key.0 <= time).clamp(1, keys.len() - 1) - 1
                };
            }
            let ((t0, p0, q0), (t1, p1, q1)) = (keys[*cursor], keys[*cursor + 1]);
            let alpha = (time - t0) / (t1 - t0);
            let local = Mat4::from_rotation_translation(q0.slerp(q1, alpha), p0.lerp(p1, alpha));
            self.matrices[node] = self.parents[node].map_or(local, |parent| self.matrices[parent] * local);
        }
    }
}

fn one_by_one(model: &ModelView<'_>, time: f32) {
    let pose = |node: usize| Ok(sample_node_pose(model, node, time)?.0);
    black_box(model_matrices(model, RootTranslation::Keep, pose).unwrap());
}

/// Times in order, and the same times in no order.
fn orders() -> [(&'static str, Vec<f32>); 2] {
    let at = |i: u16| f32::from(i) * f32::from(FRAMES - 1) / f32::from(TIMES) + 0.01;
    let scattered = |i: u16| u16::try_from(u32::from(i) * 617 % u32::from(TIMES)).unwrap();
    [("sequential", (0..TIMES).map(at).collect()), ("random", (0..TIMES).map(|i| at(scattered(i))).collect())]
}

fn sampling(c: &mut Criterion) {
    let raw = swinging();
    let streams = raw.reference();
    let model = model(&streams);
    let player = Player::new(&model).unwrap();
    for (order, times) in orders() {
        let mut group = c.benchmark_group(format!("msh sample {order}"));
        group.throughput(Throughput::Elements(u64::from(NODES) * u64::from(TIMES)));
        let id = BenchmarkId::from_parameter;
        let mut poses = Poses::default();
        group.bench_function(id("player"), |b| {
            b.iter(|| {
                for &time in black_box(&times) {
                    player.sample(time, RootTranslation::Keep, &mut poses);
                    black_box(&poses);
                }
            });
        });
        group.bench_function(id("node by node"), |b| {
            b.iter(|| black_box(&times).iter().for_each(|&time| one_by_one(&model, time)));
        });
        let mut glam = Glam::new(&raw);
        group.bench_function(id("glam"), |b| {
            b.iter(|| {
                for &time in black_box(&times) {
                    glam.sample(time);
                    black_box(&glam.matrices);
                }
            });
        });
        group.finish();
    }
}

criterion_group!(benches, sampling);
criterion_main!(benches);
