//! Textures beside memcpy: reading, and decoding with a palette or masks.
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run may stop")]

mod common {
    pub(crate) mod pictures;
}

use std::hint::black_box;

use common::pictures::{direct, paletted};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use galvani_core::ReadOptions;
use galvani_ff7::tex::decode::decode;
use galvani_ff7::tex::{read, write};

/// Sides of pictures: a small one, as large as the game has them, as large as mods have them.
const CASES: &[(&str, u32)] = &[("tex 64 x 64", 64), ("tex 256 x 256", 256), ("tex 1024 x 1024", 1024)];

fn tex(c: &mut Criterion) {
    let options = ReadOptions::default();
    for &(name, side) in CASES {
        let (eight, sixteen) = (paletted(side), direct(side));
        let file = write(&eight).unwrap();
        let picture = decode(&eight, 0).unwrap().rgba;
        let mut buffer = picture.clone();
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Elements((side * side).into()));
        let id = |case: &str| BenchmarkId::from_parameter(case);
        group.bench_function(id("to_vec"), |b| b.iter(|| black_box(file.as_slice()).to_vec()));
        group.bench_function(id("memcpy of the picture"), |b| {
            b.iter(|| black_box(&mut buffer).copy_from_slice(black_box(&picture)));
        });
        group.bench_function(id("read"), |b| b.iter(|| read(black_box(&file), &options).unwrap()));
        group.bench_function(id("decode 8 bit"), |b| b.iter(|| decode(black_box(&eight), 1).unwrap()));
        group.bench_function(id("decode 16 bit"), |b| b.iter(|| decode(black_box(&sixteen), 0).unwrap()));
        group.finish();
    }
}

criterion_group!(benches, tex);
criterion_main!(benches);
