//! Poses of battle models beside matrices multiplied the slow way and beside glam.
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run may stop")]

mod common {
    pub(crate) mod frog;
}
#[path = "../tests/common/chain.rs"]
mod slow;

use std::f32::consts::TAU;
use std::hint::black_box;

use common::frog::{FRAMES, bones, frames};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use galvani_ff7::pack::codec::{FrameRef, angle};
use galvani_ff7::pose::{BattleRig, SkeletonPose};
use galvani_ff7::skeleton::{Bone, Document};
use glam::{Affine3A, EulerRot, Mat3, Mat4, Vec3};

fn radians(raw: i16) -> f32 {
    f32::from(angle(raw)) * (TAU / 4096.0)
}

/// The chain as one writes it with glam's matrices of four columns.
fn with_glam(bones: &[(i32, f32)], frame: FrameRef<'_>, places: &mut Vec<Mat4>) {
    let turn = |raw: [i16; 3]| {
        let [x, y, z] = raw.map(radians);
        Mat4::from_euler(EulerRot::YXZ, y, x, z)
    };
    places.clear();
    let [x, y, z] = frame.position.map(f32::from);
    places.push(Mat4::from_translation(Vec3::new(x, y, z)) * turn(frame.bones[0]));
    for (&(parent, _), &raw) in bones.iter().zip(&frame.bones[1..]) {
        let place = match usize::try_from(parent) {
            Ok(parent) => {
                let away = Mat4::from_translation(Vec3::new(0.0, 0.0, bones[parent].1));
                places[parent + 1] * away * turn(raw)
            }
            Err(_) => places[0] * turn(raw),
        };
        places.push(place);
    }
}

/// The same with glam's matrices of three rows, which know that the fourth is always the same.
fn with_affine(bones: &[(i32, f32)], frame: FrameRef<'_>, places: &mut Vec<Affine3A>) {
    let turn = |raw: [i16; 3], at: Vec3| {
        let [x, y, z] = raw.map(radians);
        Affine3A::from_mat3_translation(Mat3::from_euler(EulerRot::YXZ, y, x, z), at)
    };
    places.clear();
    let [x, y, z] = frame.position.map(f32::from);
    places.push(turn(frame.bones[0], Vec3::new(x, y, z)));
    for (&(parent, _), &raw) in bones.iter().zip(&frame.bones[1..]) {
        let place = match usize::try_from(parent) {
            Ok(parent) => places[parent + 1] * turn(raw, Vec3::new(0.0, 0.0, bones[parent].1)),
            Err(_) => places[0] * turn(raw, Vec3::ZERO),
        };
        places.push(place);
    }
}

fn poses(c: &mut Criterion) {
    for count in [1, 17, 50] {
        let (bones, frames) = (bones(count), frames(count + 1));
        let bone = |&(parent, length): &(i32, f32)| Bone { parent, length, has_model: 1 };
        let document = Document { bones: bones.iter().map(bone).collect(), ..Document::default() };
        let rig = BattleRig::new(&document).unwrap();
        let mut group = c.benchmark_group(format!("ff7 pose {count} bones"));
        // Poses.
        group.throughput(Throughput::Elements(u64::from(FRAMES.unsigned_abs())));
        group.bench_function("pose", |b| {
            let (mut pose, mut places) = (SkeletonPose::default(), Vec::<Mat4>::new());
            b.iter(|| {
                for frame in frames.iter() {
                    rig.pose(frame, &mut pose).unwrap();
                    places.clear();
                    places.extend(pose.bones());
                    black_box(&places);
                }
            });
        });
        group.bench_function("glam", |b| {
            let mut places = Vec::new();
            b.iter(|| {
                for frame in frames.iter() {
                    with_glam(&bones, frame, &mut places);
                    black_box(&places);
                }
            });
        });
        group.bench_function("glam affine", |b| {
            let mut places = Vec::new();
            b.iter(|| {
                for frame in frames.iter() {
                    with_affine(&bones, frame, &mut places);
                    black_box(&places);
                }
            });
        });
        group.bench_function("matrix by matrix", |b| {
            b.iter(|| {
                for frame in frames.iter() {
                    black_box(slow::chain(&bones, frame.position, frame.bones));
                }
            });
        });
        group.finish();
    }
}

criterion_group!(benches, poses);
criterion_main!(benches);
