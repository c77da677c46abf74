//! Poses of 96 joints, local and in the model, beside `glam`: keys in 240 frames found by index, and eight keys for each
//! joint at times of its own found by cursors; in order and in no order. Then 10 000 vertices beside memory.
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a benchmark that cannot run may stop")]
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts are small"
)]

mod common {
    pub(crate) mod made;
    pub(crate) mod rounds;
}

use std::fmt::Write;
use std::hint::black_box;

use common::made::{
    FRAMES, JOINTS, RATE, TIMES, VERTICES, dense, forwards, scattered, skeleton, sparse, surface,
};
use common::rounds::{Case, measure};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use galvani_scene::prepared::{
    JointPoses, ModelMatrices, PreparedClip, PreparedMesh, PreparedSkeleton, PreparedSkin,
};
use galvani_scene::{Clip, Id, Scene, Track};
use glam::{Affine3A, Mat4, Quat, Vec3};

type Local = (Vec3, Quat, Vec3);

/// What one would write with `glam`.
struct Glam {
    times: Vec<Vec<f32>>,
    /// Joint after joint.
    keys: Vec<Vec<Local>>,
    /// Frame after frame, if all joints have as many.
    frames: Vec<Vec<Local>>,
    cursors: Vec<usize>,
    parents: Vec<Option<usize>>,
    pose: Vec<Local>,
    places: Vec<Affine3A>,
}

impl Glam {
    fn new(scene: &Scene, clip: &Clip) -> Self {
        let mut times = Vec::new();
        let mut keys: Vec<Vec<Local>> = Vec::new();
        for tracks in clip.tracks.chunks(3) {
            let [Track::Translation(_, t), Track::Rotation(_, r), Track::Scale(_, s)] = tracks else {
                panic!("three tracks a joint");
            };
            times.push(t.times.clone());
            keys.push((0..t.times.len()).map(|i| (t.values[i], r.values[i], s.values[i])).collect());
        }
        let frames = (0..keys[0].len()).map(|frame| keys.iter().map(|keys| keys[frame]).collect()).collect();
        Glam {
            times,
            keys,
            frames,
            cursors: vec![0; JOINTS],
            parents: scene.nodes.iter().map(|node| node.parent.map(Id::index)).collect(),
            pose: vec![(Vec3::ZERO, Quat::IDENTITY, Vec3::ONE); JOINTS],
            places: vec![Affine3A::IDENTITY; JOINTS],
        }
    }

    /// All joints between two frames found by index.
    fn by_index(&mut self, time: f32) {
        let at = time * RATE;
        let frame = (at as usize).min(FRAMES - 2);
        let part = at - frame as f32;
        for ((local, a), b) in self.pose.iter_mut().zip(&self.frames[frame]).zip(&self.frames[frame + 1]) {
            *local = between(*a, *b, part);
        }
    }

    /// Each joint between keys of its own found by its cursor.
    fn by_cursor(&mut self, time: f32) {
        for (((local, keys), times), cursor) in
            self.pose.iter_mut().zip(&self.keys).zip(&self.times).zip(&mut self.cursors)
        {
            let holds = |i: usize| times[i] <= time && time < times[i + 1];
            if !holds(*cursor) {
                let next = *cursor + 1;
                *cursor = if next + 1 < times.len() && holds(next) {
                    next
                } else {
                    times.partition_point(|at| *at <= time).clamp(1, times.len() - 1) - 1
                };
            }
            let part = (time - times[*cursor]) / (times[*cursor + 1] - times[*cursor]);
            *local = between(keys[*cursor], keys[*cursor + 1], part);
        }
    }

    fn place(&mut self) {
        for (i, (t, r, s)) in self.pose.iter().enumerate() {
            let local = Affine3A::from_scale_rotation_translation(*s, *r, *t);
            self.places[i] = self.parents[i].map_or(local, |parent| self.places[parent] * local);
        }
    }
}

fn between(a: Local, b: Local, part: f32) -> Local {
    (a.0.lerp(b.0, part), a.1.slerp(b.1, part), a.2.lerp(b.2, part))
}

fn sampling(c: &mut Criterion) {
    let scene = skeleton();
    let (forwards, scattered) = (forwards(), scattered());
    for (keys, clip) in [("dense", dense()), ("sparse", sparse())] {
        leave(keys, &scene, &clip);
        let (prepared, skeleton) = (PreparedClip::new(&scene, &clip), PreparedSkeleton::new(&scene));
        for (order, times) in [("sequential", &forwards), ("random", &scattered)] {
            let mut group = c.benchmark_group(format!("pose {keys} {order}"));
            group.throughput(Throughput::Elements((JOINTS * TIMES) as u64));
            let (mut sampler, mut pose) = (prepared.sampler(), JointPoses::at_rest(&scene));
            let local = move || {
                for time in times {
                    sampler.sample(*time, &mut pose);
                    black_box(&pose);
                }
            };
            let (mut sampler, mut pose) = (prepared.sampler(), JointPoses::at_rest(&scene));
            let mut places = ModelMatrices::identity(JOINTS);
            let skeleton = &skeleton;
            let whole = move || {
                for time in times {
                    sampler.sample(*time, &mut pose);
                    skeleton.to_model(&pose, &mut places);
                    black_box(&places);
                }
            };
            let sample = if keys == "dense" { Glam::by_index } else { Glam::by_cursor };
            let mut glam = Glam::new(&scene, &clip);
            let glam_local = move || {
                for time in times {
                    sample(&mut glam, *time);
                    black_box(&glam.pose);
                }
            };
            let mut glam = Glam::new(&scene, &clip);
            let glam_whole = move || {
                for time in times {
                    sample(&mut glam, *time);
                    glam.place();
                    black_box(&glam.places);
                }
            };
            let cases: Vec<Case<'_>> = vec![
                ("local", Box::new(local)),
                ("glam local", Box::new(glam_local)),
                ("whole", Box::new(whole)),
                ("glam whole", Box::new(glam_whole)),
            ];
            measure(&mut group, cases);
            group.finish();
        }
    }
}

/// Leaves a clip where `peers/ozz` finds it: its joints' parents, then for each joint and kind its keys.
#[allow(clippy::disallowed_methods, reason = "a benchmark for others to repeat")]
fn leave(keys: &str, scene: &Scene, clip: &Clip) {
    let mut text = format!("joints {JOINTS}\nduration {}\nparents", clip.duration);
    for node in &scene.nodes {
        write!(text, " {}", node.parent.map_or(-1, |parent| i64::try_from(parent.index()).unwrap())).unwrap();
    }
    for track in &clip.tracks {
        let (word, node, times) = (track.word(), track.node().unwrap().index(), track.times());
        write!(text, "\n{word} {node} {}", times.len()).unwrap();
        for (i, time) in times.iter().enumerate() {
            let parts = match track {
                Track::Rotation(_, curve) => curve.values[i].to_array().to_vec(),
                Track::Translation(_, curve) | Track::Scale(_, curve) => curve.values[i].to_array().to_vec(),
                _ => Vec::new(),
            };
            write!(text, "\n{time}").unwrap();
            for part in parts {
                write!(text, " {part}").unwrap();
            }
        }
    }
    text.push('\n');
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("clip-{keys}.txt"));
    std::fs::write(path, text).unwrap();
}

/// What a vertex takes of memory: position, normal, four joints with their weights and where they end; and what it gives.
const VERTEX_BYTES: usize = 24 + 4 * 8 + 4 + 24;

/// More than caches hold.
const LARGE: usize = 256 << 20;

fn skinning(c: &mut Criterion) {
    let scene = skeleton();
    let (primitive, skin) = surface();
    let clip = PreparedClip::new(&scene, &dense());
    let (mut pose, mut models) = (JointPoses::at_rest(&scene), ModelMatrices::identity(JOINTS));
    clip.sampler().sample(1.0, &mut pose);
    PreparedSkeleton::new(&scene).to_model(&pose, &mut models);
    let mut palette = ModelMatrices::identity(JOINTS);
    PreparedSkin::new(&skin).palette(&models, &mut palette);
    let mesh = PreparedMesh::new(&primitive);

    let mut group = c.benchmark_group("skin 10 000 vertices");
    group.throughput(Throughput::Elements(VERTICES as u64));
    let (mut positions, mut normals) = (vec![[0.0; 3]; VERTICES], vec![[0.0; 3]; VERTICES]);
    let bend = || {
        mesh.skin(&palette, &mut positions, &mut normals);
        black_box((&positions, &normals));
    };
    let matrices: Vec<Mat4> = (0..JOINTS).map(|joint| palette.matrix(joint)).collect();
    let (mut glam_positions, mut glam_normals) = (vec![Vec3::ZERO; VERTICES], vec![Vec3::ZERO; VERTICES]);
    let glam = || {
        for (i, pulls) in primitive.influences.iter().enumerate() {
            let sum = pulls.iter().fold(Mat4::ZERO, |sum, pull| sum + matrices[pull.joint] * pull.weight);
            glam_positions[i] = sum.transform_point3(primitive.positions[i]);
            glam_normals[i] = sum.transform_vector3(primitive.normals[i]).normalize();
        }
        black_box((&glam_positions, &glam_normals));
    };
    // As many bytes as skinning reads and writes, copied from memory to memory that no cache holds.
    let len = VERTICES * VERTEX_BYTES / 2;
    let (from, mut to, mut at) = (vec![1_u32; LARGE / 4], vec![2_u32; LARGE / 4], 0);
    let copy = || {
        to[at..at + len / 4].copy_from_slice(&from[at..at + len / 4]);
        black_box(&to);
        at = (at + len / 4) % (LARGE / 4 - len / 4);
    };
    let cases: Vec<Case<'_>> =
        vec![("bend", Box::new(bend)), ("glam", Box::new(glam)), ("memory", Box::new(copy))];
    measure(&mut group, cases);
    group.finish();
}

criterion_group!(benches, sampling, skinning);
criterion_main!(benches);
