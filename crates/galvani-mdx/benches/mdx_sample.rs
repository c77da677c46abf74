//! Poses of MDX models: nodes a second, in order and at random, beside the crate `wc3`, and beside what `glam`
//! alone needs for as many slerps and lerps between keys that are known.
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run may stop")]
#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "counts are small")]

use std::hint::black_box;
use std::path::Path;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use galvani_core::ReadOptions;
use galvani_mdx::glam::{Quat, Vec3};
use galvani_mdx::model::{Bone, Sequences};
use galvani_mdx::sample::{Clip, ClockTimes, Cursor, Local, Poses, Rig, WindowEdges};
use galvani_mdx::track::{Form, TrackValue};
use galvani_mdx::{Content, Document, Held, Track, read, write};
use galvani_testkit::assemble_file;
use wc3::model::animation::AnimationTime;
use wc3::model::scene::Node;
use wc3::model::{CommonModelAccess, DynamicModel};
use zerocopy::little_endian::{I32, U32};

/// As many nodes as a hero has, and keys as a model with a dozen sequences.
const BONES: usize = 72;
const KEYS: usize = 120;

/// Milliseconds from key to key.
const SPAN: usize = 40;

/// Moments of a run.
const MOMENTS: usize = 256;

/// A model of Warcraft III with a chain of bones whose every track has keys all over its one sequence.
fn model(interpolation: u32) -> Document {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/mdx/plain-warcraft/build.txt");
    let mut document = read(&assemble_file(&case), &ReadOptions::default()).unwrap().document;
    for chunk in &mut document.chunks {
        match &mut chunk.content {
            Content::Bones(records) => {
                let first = records.items[0].typed().unwrap().clone();
                records.items = (0..BONES).map(|i| Held::Typed(bone(&first, i, interpolation))).collect();
            }
            Content::Sequences(Sequences::Warcraft(rows)) => {
                rows.truncate(1);
                rows[0].start = U32::new(0);
                rows[0].end = U32::new(((KEYS - 1) * SPAN).try_into().unwrap());
                rows[0].flags = U32::new(0);
            }
            _ => {}
        }
    }
    document
}

fn bone(first: &Bone, i: usize, interpolation: u32) -> Bone {
    let mut bone = first.clone();
    let id = i32::try_from(i).unwrap();
    bone.node.fixed.object_id = I32::new(id);
    bone.node.fixed.parent_id = I32::new(id - 1);
    let wave = |key: usize, part: usize| ((key * 7 + part * 3 + i) as f32 * 0.37).sin();
    let vector = |key: usize| vec![wave(key, 0), wave(key, 1), wave(key, 2)];
    let size = |key: usize| vector(key).into_iter().map(|number| 1.0 + 0.1 * number).collect();
    let turn = |key: usize| {
        let axis = Vec3::new(wave(key, 3), wave(key, 4), 1.5).normalize();
        Quat::from_axis_angle(axis, wave(key, 5)).to_array().to_vec()
    };
    bone.node.tracks = vec![
        track(*b"KGTR", TrackValue::Vector, interpolation, vector),
        track(*b"KGRT", TrackValue::Quaternion, interpolation, turn),
        track(*b"KGSC", TrackValue::Vector, interpolation, size),
    ];
    bone
}

fn track(tag: [u8; 4], value: TrackValue, interpolation: u32, of: impl Fn(usize) -> Vec<f32>) -> Track {
    let values: Vec<u32> = (0..KEYS).flat_map(of).map(f32::to_bits).collect();
    let tangents = if interpolation >= 2 { values.clone() } else { Vec::new() };
    Track {
        tag,
        form: Form::Generic,
        interpolation,
        global: -1,
        value,
        times: (0..KEYS).map(|key| (key * SPAN).try_into().unwrap()).collect(),
        values,
        in_tangents: tangents.clone(),
        out_tangents: tangents,
    }
}

/// Moments of a playback at 60 frames a second, or all over the sequence.
fn moments(is_random: bool) -> Vec<f64> {
    let length = ((KEYS - 1) * SPAN) as f64;
    let time =
        |i: usize| if is_random { (i * 7919 % 1009) as f64 / 1009.0 * length } else { i as f64 * 16.7 };
    (0..MOMENTS).map(time).collect()
}

/// What `glam` alone needs: a slerp and two lerps a node.
fn known(keys: &[(Local, Local)], u: f32, out: &mut Vec<Local>) {
    out.clear();
    out.extend(keys.iter().map(|(a, b)| Local {
        translation: a.translation.lerp(b.translation, u),
        rotation: a.rotation.slerp(b.rotation, u),
        scale: a.scale.lerp(b.scale, u),
    }));
}

fn sampled(c: &mut Criterion, title: &str, document: &Document, times: &[f64]) {
    let clip = Clip::new(document, Some(0), WindowEdges::Auto).unwrap();
    let rig = Rig::new(document);
    let theirs = DynamicModel::decode_mdx(&write(document).unwrap(), 800).unwrap();
    let (nodes, sequences): (Vec<Node>, _) =
        (theirs.bones().into_iter().map(|bone| bone.node).collect(), theirs.sequences());
    let (mut cursor, mut pose) = (Cursor::default(), Poses::default());
    clip.nodes(ClockTimes { time: 40.0, global: 0.0 }, &mut cursor, &mut pose.local);
    let first = pose.local.clone();
    clip.nodes(ClockTimes { time: 80.0, global: 0.0 }, &mut cursor, &mut pose.local);
    let keys: Vec<(Local, Local)> = first.into_iter().zip(pose.local.clone()).collect();

    let mut group = c.benchmark_group(title);
    group.throughput(Throughput::Elements((times.len() * keys.len()).try_into().unwrap()));
    let id = |case: &str| BenchmarkId::from_parameter(case);
    group.bench_function(id("nodes"), |b| {
        b.iter(|| {
            for &time in times {
                clip.nodes(ClockTimes { time, global: time }, &mut cursor, black_box(&mut pose.local));
            }
        });
    });
    group.bench_function(id("pose"), |b| {
        b.iter(|| {
            for &time in times {
                clip.nodes(ClockTimes { time, global: time }, &mut cursor, &mut pose.local);
                rig.place(black_box(&mut pose), None);
            }
        });
    });
    group.bench_function(id("wc3"), |b| {
        b.iter(|| {
            for &elapsed_ms in times {
                let time = AnimationTime { sequence: sequences.first(), elapsed_ms, global_sequences: &[] };
                for node in &nodes {
                    black_box(node.translation.as_ref().unwrap().sample(&time));
                    black_box(node.rotation.as_ref().unwrap().sample(&time));
                    black_box(node.scaling.as_ref().unwrap().sample(&time));
                }
            }
        });
    });
    group.bench_function(id("glam"), |b| {
        b.iter(|| {
            for &time in times {
                known(&keys, (time % 40.0 / 40.0) as f32, black_box(&mut pose.local));
            }
        });
    });
    group.finish();
}

fn mdx_sample(c: &mut Criterion) {
    for (kind, interpolation) in [("linear", 1), ("hermite", 2)] {
        let document = model(interpolation);
        for (order, is_random) in [("sequential", false), ("random", true)] {
            sampled(c, &format!("mdx sample {kind} {order}"), &document, &moments(is_random));
        }
    }
}

criterion_group!(benches, mdx_sample);
criterion_main!(benches);
