//! MSH beside memcpy: looking at a model in place, reading it, checking it.
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run may stop")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use galvani_core::{ReadOptions, Readings, Report};
use galvani_parkan::msh::{ModelView, check, read, read_into, view, write};

#[path = "../tests/common/msh_raw.rs"]
#[allow(dead_code, unreachable_pub, reason = "benchmarks use a part of it")]
mod raw;

/// Parts, batches and side of the models: of the sizes that models have, then each twice the one before.
const CASES: &[(&str, usize, u16, u16)] = &[("23 KB", 4, 3, 4), ("160 KB", 12, 6, 4), ("1.6 MB", 32, 6, 9)];
const DOUBLING: &[(&str, usize)] =
    &[("2 parts", 2), ("4 parts", 4), ("8 parts", 8), ("16 parts", 16), ("32 parts", 32)];

type Part = fn(&ModelView<'_>, &mut Report);

fn report(model: &ModelView<'_>, parts: &[Part]) -> Report {
    let mut report = Report::default();
    for part in parts {
        part(model, &mut report);
    }
    report
}

fn sizes(c: &mut Criterion) {
    let (options, readings) = (ReadOptions::default(), Readings::default());
    for &(name, parts, batches, side) in CASES {
        let file = raw::large(parts, batches, side).file(raw::Form::Observed);
        let document = read(&file, &options).unwrap().document;
        let mut buffer = vec![0; file.len()];
        let mut group = c.benchmark_group(format!("msh {name}"));
        group.throughput(Throughput::Bytes(file.len().try_into().unwrap()));
        let id = BenchmarkId::from_parameter;
        group.bench_function(id("memcpy"), |b| {
            b.iter(|| black_box(&mut buffer).copy_from_slice(black_box(&file)));
        });
        group.bench_function(id("to_vec"), |b| b.iter(|| black_box(file.as_slice()).to_vec()));
        group.bench_function(id("view"), |b| b.iter(|| view(black_box(&file), &readings).unwrap()));
        group.bench_function(id("view, structure and ranges"), |b| {
            b.iter(|| {
                report(&view(black_box(&file), &readings).unwrap(), &[check::structure, check::ranges])
            });
        });
        let model = view(&file, &readings).unwrap();
        for (part, check) in [
            ("structure", check::structure as Part),
            ("ranges", check::ranges),
            ("animation", check::animation),
            ("geometry", check::geometry),
        ] {
            group.bench_function(id(part), |b| b.iter(|| report(black_box(&model), &[check])));
        }
        group.bench_function(id("read"), |b| b.iter(|| read(black_box(&file), &options).unwrap()));
        let mut used = document.clone();
        group.bench_function(id("read into used buffers"), |b| {
            b.iter(|| read_into(black_box(&mut used), black_box(&file), &options).unwrap());
        });
        group.bench_function(id("check"), |b| b.iter(|| check(black_box(&document))));
        group.bench_function(id("write"), |b| b.iter(|| write(black_box(&document)).unwrap()));
        group.finish();
    }
}

/// Time per byte stays as it is while models double.
fn growth(c: &mut Criterion) {
    let (options, readings) = (ReadOptions::default(), Readings::default());
    let mut group = c.benchmark_group("msh doubled");
    for &(name, parts) in DOUBLING {
        let file = raw::large(parts, 6, 9).file(raw::Form::Observed);
        group.throughput(Throughput::Bytes(file.len().try_into().unwrap()));
        group.bench_function(BenchmarkId::new("view, structure and ranges", name), |b| {
            b.iter(|| {
                report(&view(black_box(&file), &readings).unwrap(), &[check::structure, check::ranges])
            });
        });
        group.bench_function(BenchmarkId::new("read and check", name), |b| {
            b.iter(|| check(&read(black_box(&file), &options).unwrap().document));
        });
    }
    group.finish();
}

criterion_group!(benches, sizes, growth);
criterion_main!(benches);
