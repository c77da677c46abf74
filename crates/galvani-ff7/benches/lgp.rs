//! LGP beside memcpy: opening an archive, extracting every file by its name, reading, checking, writing.
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run may stop")]

mod common {
    pub(crate) mod archive;
}

use std::hint::black_box;

use common::archive::{archive, extract, name};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use galvani_core::ReadOptions;
use galvani_ff7::lgp::{Archive, check, read, write};

/// Archives from one model's files to the size of a patch.
const CASES: &[(&str, usize, usize)] =
    &[("lgp 160 KB", 40, 4_000), ("lgp 1.6 MB", 400, 4_000), ("lgp 20 MB", 2_500, 8_000)];

fn lgp(c: &mut Criterion) {
    let options = ReadOptions::default();
    for &(title, entries, payload) in CASES {
        let file = archive(entries, payload);
        let names: Vec<String> = (0..entries).map(name).collect();
        let document = read(&file, &options).unwrap().document;
        let mut buffer = vec![0; file.len()];
        let mut group = c.benchmark_group(title);
        group.throughput(Throughput::Bytes(file.len().try_into().unwrap()));
        let id = |case: &str| BenchmarkId::from_parameter(case);
        group.bench_function(id("memcpy"), |b| {
            b.iter(|| black_box(&mut buffer).copy_from_slice(black_box(&file)));
        });
        group.bench_function(id("to_vec"), |b| b.iter(|| black_box(file.as_slice()).to_vec()));
        group.bench_function(id("open"), |b| {
            b.iter(|| Archive::open(black_box(&file)).unwrap().entries().len());
        });
        group.bench_function(id("extract"), |b| {
            b.iter(|| extract(black_box(&file), &names, black_box(&mut buffer)));
        });
        group.bench_function(id("read"), |b| b.iter(|| read(black_box(&file), &options).unwrap()));
        group.bench_function(id("check"), |b| b.iter(|| check(black_box(&document))));
        group.bench_function(id("write"), |b| b.iter(|| write(black_box(&document)).unwrap()));
        group.finish();
    }
}

criterion_group!(benches, lgp);
criterion_main!(benches);
