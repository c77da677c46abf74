//! Instructions of reading, checking, writing and posing, counted by valgrind: `cargo xtask counts`.
#![allow(missing_docs, unused_qualifications, clippy::exit, reason = "what the macros make")]
#![allow(clippy::needless_pass_by_value, reason = "what is done away with at the end is not counted")]
#![allow(clippy::unwrap_used, reason = "what cannot be counted may stop")]

mod common {
    pub(crate) mod swinging;
}
#[path = "../tests/common/msh_reference.rs"]
mod msh_reference;
#[path = "../tests/common/msh_sampling.rs"]
mod msh_sampling;
#[path = "../tests/common/msh_raw.rs"]
#[allow(dead_code, unreachable_pub, reason = "benchmarks use a part of it")]
mod raw;

use std::hint::black_box;

use common::swinging::{FRAMES, swinging};
use galvani_core::ReadOptions;
use galvani_parkan::msh::play::{Player, Poses};
use galvani_parkan::msh::sample::RootTranslation;
use galvani_parkan::{msh, nres};
use gungraun::{library_benchmark, library_benchmark_group, main};
use msh_sampling::model;

/// A model of about 160 KB, which is also an archive.
fn file() -> Vec<u8> {
    raw::large(12, 6, 4).file(raw::Form::Observed)
}

#[library_benchmark]
#[bench::whole(file())]
fn reading_nres(file: Vec<u8>) -> impl Sized {
    (nres::read(black_box(&file), &ReadOptions::default()).unwrap(), file)
}

#[library_benchmark]
#[bench::whole(file())]
fn reading_msh(file: Vec<u8>) -> impl Sized {
    (msh::read(black_box(&file), &ReadOptions::default()).unwrap(), file)
}

fn document() -> msh::Document {
    msh::read(&file(), &ReadOptions::default()).unwrap().document
}

#[library_benchmark]
#[bench::whole(document())]
fn checking_msh(document: msh::Document) -> impl Sized {
    (msh::check(black_box(&document)), document)
}

#[library_benchmark]
#[bench::whole(document())]
fn writing_msh(document: msh::Document) -> impl Sized {
    (msh::write(black_box(&document)).unwrap(), document)
}

/// Ready, and posed once, so that there is room.
fn playing() -> (Player, Poses) {
    let streams = swinging().reference();
    let player = Player::new(&model(&streams)).unwrap();
    let mut poses = Poses::default();
    player.sample(0.0, RootTranslation::Keep, &mut poses);
    (player, poses)
}

#[library_benchmark]
#[bench::forwards(playing())]
fn posing_msh((player, mut poses): (Player, Poses)) -> impl Sized {
    for frame in 0..FRAMES {
        player.sample(f32::from(frame) + 0.3, RootTranslation::Keep, black_box(&mut poses));
    }
    (player, poses)
}

library_benchmark_group!(
    name = parkan;
    benchmarks = reading_nres, reading_msh, checking_msh, writing_msh, posing_msh
);
main!(library_benchmark_groups = parkan);
