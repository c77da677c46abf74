//! Instructions of posing and skinning, counted by valgrind: `cargo xtask counts`.
#![allow(missing_docs, unused_qualifications, clippy::exit, reason = "what the macros make")]
#![allow(clippy::needless_pass_by_value, reason = "what is done away with at the end is not counted")]
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts are small"
)]

mod common {
    #[allow(dead_code, reason = "benchmarks of time use the rest")]
    pub(crate) mod made;
}

use std::hint::black_box;

use common::made::{JOINTS, VERTICES, dense, forwards, scattered, skeleton, sparse, surface};
use galvani_scene::prepared::{
    JointPoses, ModelMatrices, PreparedClip, PreparedMesh, PreparedSkeleton, PreparedSkin,
};
use galvani_scene::{Clip, Scene};
use gungraun::{library_benchmark, library_benchmark_group, main};

/// A clip made ready, and when it is looked at.
fn ready(clip: &Clip, times: Vec<f32>) -> (Scene, PreparedClip, Vec<f32>) {
    let scene = skeleton();
    let clip = PreparedClip::new(&scene, clip);
    (scene, clip, times)
}

#[library_benchmark]
#[bench::dense_forwards(ready(&dense(), forwards()))]
#[bench::dense_scattered(ready(&dense(), scattered()))]
#[bench::sparse_forwards(ready(&sparse(), forwards()))]
#[bench::sparse_scattered(ready(&sparse(), scattered()))]
fn sample((scene, clip, times): (Scene, PreparedClip, Vec<f32>)) -> impl Sized {
    let (mut sampler, mut pose) = (clip.sampler(), JointPoses::at_rest(&scene));
    for time in &times {
        sampler.sample(black_box(*time), &mut pose);
        black_box(&pose);
    }
    drop(sampler);
    (scene, clip, times, pose)
}

fn posed() -> (PreparedSkeleton, JointPoses, ModelMatrices) {
    let scene = skeleton();
    let mut pose = JointPoses::at_rest(&scene);
    PreparedClip::new(&scene, &dense()).sampler().sample(1.0, &mut pose);
    (PreparedSkeleton::new(&scene), pose, ModelMatrices::identity(JOINTS))
}

#[library_benchmark]
#[bench::ninety_six(posed())]
fn place((skeleton, pose, mut places): (PreparedSkeleton, JointPoses, ModelMatrices)) -> impl Sized {
    skeleton.to_model(black_box(&pose), &mut places);
    (skeleton, pose, places)
}

type Bent = (PreparedMesh, ModelMatrices, Vec<[f32; 3]>, Vec<[f32; 3]>);

fn bent() -> Bent {
    let ((primitive, skin), (skeleton, pose, mut places)) = (surface(), posed());
    skeleton.to_model(&pose, &mut places);
    let mut palette = ModelMatrices::identity(JOINTS);
    PreparedSkin::new(&skin).palette(&places, &mut palette);
    (PreparedMesh::new(&primitive), palette, vec![[0.0; 3]; VERTICES], vec![[0.0; 3]; VERTICES])
}

#[library_benchmark]
#[bench::ten_thousand(bent())]
fn skin((mesh, palette, mut positions, mut normals): Bent) -> impl Sized {
    mesh.skin(black_box(&palette), &mut positions, &mut normals);
    (mesh, palette, positions, normals)
}

library_benchmark_group!(name = poses; benchmarks = sample, place, skin);
main!(library_benchmark_groups = poses);
