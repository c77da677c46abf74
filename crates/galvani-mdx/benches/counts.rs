//! Instructions of reading, checking, writing and posing, counted by valgrind: `cargo xtask counts`.
#![allow(missing_docs, unused_qualifications, clippy::exit, reason = "what the macros make")]
#![allow(clippy::needless_pass_by_value, reason = "what is done away with at the end is not counted")]
#![allow(clippy::unwrap_used, reason = "what cannot be counted may stop")]

#[allow(dead_code, reason = "benchmarks of time use the rest")]
mod model;

use std::hint::black_box;

use galvani_core::ReadOptions;
use galvani_mdx::sample::{Clip, ClockTimes, Cursor, Poses, Rig, WindowEdges};
use galvani_mdx::{Document, check, read, write};
use gungraun::{library_benchmark, library_benchmark_group, main};
use model::{CASES, model};

/// A file of one of the sizes.
fn file(case: usize) -> Vec<u8> {
    let (_, geosets, vertices, bones, keys) = CASES[case];
    model(geosets, vertices, bones, keys)
}

fn document(case: usize) -> Document {
    read(&file(case), &ReadOptions::default()).unwrap().document
}

#[library_benchmark]
#[bench::small(file(0))]
#[bench::large(file(1))]
fn reading(file: Vec<u8>) -> impl Sized {
    let found = read(black_box(&file), &ReadOptions::default()).unwrap();
    (found, file)
}

#[library_benchmark]
#[bench::small(document(0))]
#[bench::large(document(1))]
fn checking(document: Document) -> impl Sized {
    (check(black_box(&document)), document)
}

#[library_benchmark]
#[bench::small(document(0))]
#[bench::large(document(1))]
fn writing(document: Document) -> impl Sized {
    (write(black_box(&document)).unwrap(), document)
}

type Playing = (Clip, Rig, Cursor, Poses);

/// Ready, and posed once, so that there is room.
fn playing() -> Playing {
    let document = document(0);
    let (clip, rig) = (Clip::new(&document, Some(0), WindowEdges::Auto).unwrap(), Rig::new(&document));
    let (mut cursor, mut poses) = (Cursor::default(), Poses::default());
    clip.pose(&rig, ClockTimes { time: 0.0, global: 0.0 }, None, &mut cursor, &mut poses);
    (clip, rig, cursor, poses)
}

#[library_benchmark]
#[bench::forwards(playing())]
fn posing((clip, rig, mut cursor, mut poses): Playing) -> impl Sized {
    for step in 0..60_u8 {
        let time = f64::from(step) * 4.0;
        clip.pose(&rig, ClockTimes { time, global: time }, None, &mut cursor, black_box(&mut poses));
    }
    (clip, rig, cursor, poses)
}

library_benchmark_group!(name = mdx; benchmarks = reading, checking, writing, posing);
main!(library_benchmark_groups = mdx);
