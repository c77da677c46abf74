//! MDX beside the crate `wc3`: reading with all checks, and writing, of models from small to huge.
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run may stop")]

mod model;

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use galvani_core::ReadOptions;
use galvani_mdx::{check, read, write};
use wc3::model::DynamicModel;

use model::{CASES, model};

fn mdx(c: &mut Criterion) {
    let options = ReadOptions::default();
    for &(title, geosets, vertices, bones, keys) in CASES {
        let file = model(geosets, vertices, bones, keys);
        let document = read(&file, &options).unwrap().document;
        let theirs = DynamicModel::decode_mdx(&file, 800).unwrap();
        assert!(write(&document).unwrap() == file, "our own bytes come back");
        let mut group = c.benchmark_group(title);
        group.throughput(Throughput::Bytes(file.len().try_into().unwrap()));
        let id = |case: &str| BenchmarkId::from_parameter(case);
        group.bench_function(id("to_vec"), |b| b.iter(|| black_box(file.as_slice()).to_vec()));
        group.bench_function(id("read"), |b| b.iter(|| read(black_box(&file), &options).unwrap()));
        group.bench_function(id("read and check"), |b| {
            b.iter(|| {
                let found = read(black_box(&file), &options).unwrap();
                let report = check(&found.document);
                (found, report)
            });
        });
        group.bench_function(id("wc3 read"), |b| {
            b.iter(|| DynamicModel::decode_mdx(black_box(&file), 800).unwrap());
        });
        group.bench_function(id("write"), |b| b.iter(|| write(black_box(&document)).unwrap()));
        group.bench_function(id("wc3 write"), |b| b.iter(|| black_box(&theirs).encode_mdx().unwrap()));
        group.finish();
    }
}

criterion_group!(benches, mdx);
criterion_main!(benches);
