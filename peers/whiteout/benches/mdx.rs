//! MDX beside the crate `whiteoutlib`: reading with all checks, and writing, of models from small to huge.
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run may stop")]

#[path = "../../../crates/galvani-mdx/benches/model/mod.rs"]
mod model;

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use galvani_core::ReadOptions;
use galvani_mdx::{check, read, write};
use whiteout::mdx::{MDLXFormat, MdlFormat, Parser, Writer};

use model::{CASES, model};

fn mdx(c: &mut Criterion) {
    let options = ReadOptions::default();
    for &(title, geosets, vertices, bones, keys) in CASES {
        let file = model(geosets, vertices, bones, keys);
        let document = read(&file, &options).unwrap().document;
        let mut parser = Parser::new();
        let theirs = parser.parse(&file, MDLXFormat::MDX).unwrap();
        assert_eq!(parser.issues(), [""; 0], "they read all of it");
        assert_eq!(theirs.geosets_len(), geosets, "they read all of it");
        let mut group = c.benchmark_group(format!("{title} beside whiteoutlib"));
        group.throughput(Throughput::Bytes(file.len().try_into().unwrap()));
        let id = |case: &str| BenchmarkId::from_parameter(case);
        group.bench_function(id("read and check"), |b| {
            b.iter(|| {
                let found = read(black_box(&file), &options).unwrap();
                let report = check(&found.document);
                (found, report)
            });
        });
        group.bench_function(id("whiteoutlib read"), |b| {
            b.iter(|| Parser::new().parse(black_box(&file), MDLXFormat::MDX).unwrap());
        });
        group.bench_function(id("write"), |b| b.iter(|| write(black_box(&document)).unwrap()));
        group.bench_function(id("whiteoutlib write"), |b| {
            b.iter(|| Writer::new().write(black_box(&theirs), MDLXFormat::MDX, MdlFormat::WarcraftIII));
        });
        group.finish();
    }
}

criterion_group!(benches, mdx);
criterion_main!(benches);
