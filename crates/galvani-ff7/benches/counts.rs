//! Instructions of streams, archives, pictures and poses, counted by valgrind: `cargo xtask counts`.
#![allow(missing_docs, unused_qualifications, clippy::exit, reason = "what the macros make")]
#![allow(clippy::needless_pass_by_value, reason = "what is done away with at the end is not counted")]
#![allow(clippy::unwrap_used, reason = "what cannot be counted may stop")]

#[allow(dead_code, reason = "benchmarks of time use the rest")]
mod common {
    pub(crate) mod archive;
    pub(crate) mod coded;
    pub(crate) mod frog;
    pub(crate) mod pictures;
}
#[path = "../tests/common/pack_raw.rs"]
mod raw;

use std::hint::black_box;

use common::coded::{CASES, KEY, ROTATIONS, coded};
use common::{archive, frog, pictures};
use galvani_core::ReadOptions;
use galvani_ff7::pack::codec::{Frames, Stop, Stream, encode};
use galvani_ff7::pose::{BattleRig, SkeletonPose};
use galvani_ff7::skeleton::{self, Bone};
use galvani_ff7::tex::decode::decode;
use galvani_ff7::{lgp, tex};
use glam::Mat4;
use gungraun::{library_benchmark, library_benchmark_group, main};

/// A stream as real packs have it.
fn typical() -> Vec<u8> {
    coded(&CASES[0].1, 1)
}

fn stream(bytes: &[u8]) -> Stream<'_> {
    Stream { bytes, size: bytes.len().try_into().unwrap(), rotations: ROTATIONS, key: KEY }
}

#[library_benchmark]
#[bench::typical(typical())]
fn decoding_pack(bytes: Vec<u8>) -> impl Sized {
    let mut frames = Frames::default();
    stream(black_box(&bytes)).decode(Stop::Engine, &mut frames);
    (frames, bytes)
}

fn decoded() -> Frames {
    let mut frames = Frames::default();
    stream(&typical()).decode(Stop::Engine, &mut frames);
    frames
}

#[library_benchmark]
#[bench::typical(decoded())]
fn encoding_pack(frames: Frames) -> impl Sized {
    (encode(black_box(&frames), KEY, 0), frames)
}

type Names = (Vec<u8>, Vec<String>, Vec<u8>);

fn names() -> Names {
    let file = archive::archive(40, 4_000);
    let buffer = vec![0; file.len()];
    (file, (0..40).map(archive::name).collect(), buffer)
}

#[library_benchmark]
#[bench::forty(names())]
fn extracting_lgp((file, names, mut buffer): Names) -> impl Sized {
    (archive::extract(black_box(&file), &names, &mut buffer), file, names, buffer)
}

#[library_benchmark]
#[bench::forty(names().0)]
fn reading_lgp(file: Vec<u8>) -> impl Sized {
    (lgp::read(black_box(&file), &ReadOptions::default()).unwrap(), file)
}

#[library_benchmark]
#[bench::eight_bits(pictures::paletted(256))]
#[bench::sixteen_bits(pictures::direct(256))]
fn decoding_tex(document: tex::Document) -> impl Sized {
    (decode(black_box(&document), 0).unwrap(), document)
}

type Posing = (BattleRig, Frames, SkeletonPose, Vec<Mat4>);

/// Ready, and posed once, so that there is room.
fn posing() -> Posing {
    let bone = |(parent, length)| Bone { parent, length, has_model: 1 };
    let bones = frog::bones(17).into_iter().map(bone).collect();
    let rig = BattleRig::new(&skeleton::Document { bones, ..skeleton::Document::default() }).unwrap();
    let (frames, mut pose) = (frog::frames(18), SkeletonPose::default());
    rig.pose(frames.iter().next().unwrap(), &mut pose).unwrap();
    (rig, frames, pose, Vec::with_capacity(17))
}

#[library_benchmark]
#[bench::frog(posing())]
fn posing_battle((rig, frames, mut pose, mut places): Posing) -> impl Sized {
    for frame in frames.iter() {
        rig.pose(black_box(frame), &mut pose).unwrap();
        places.clear();
        places.extend(pose.bones());
        black_box(&places);
    }
    (rig, frames, pose, places)
}

library_benchmark_group!(
    name = ff7;
    benchmarks = decoding_pack, encoding_pack, extracting_lgp, reading_lgp, decoding_tex, posing_battle
);
main!(library_benchmark_groups = ff7);
