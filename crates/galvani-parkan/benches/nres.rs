//! NRes beside memcpy: opening a directory, reading, checking, writing.
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run may stop")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use galvani_core::ReadOptions;
use galvani_parkan::nres::{Archive, Document, Name, NewEntry, check, read, read_into, write};

/// Archives of the sizes that models have: small, usual, large.
const CASES: &[(&str, usize, usize)] =
    &[("nres 23 KB", 14, 1_600), ("nres 160 KB", 40, 4_000), ("nres 1.6 MB", 120, 13_500)];

fn archive(entries: usize, payload: usize) -> Vec<u8> {
    let mut document = Document::default();
    for i in 0..entries {
        let name = Name::new(format!("Part_{:03}.tex", i * 7 % entries).as_bytes()).unwrap();
        let bytes = (0..payload + i).map(|byte| (byte * 31 + i).to_le_bytes()[0]).collect();
        document.push(NewEntry { type_id: 0x6d786554, attr1: 0, attr2: 0, attr3: 1, name }, bytes).unwrap();
    }
    write(&document).unwrap()
}

fn nres(c: &mut Criterion) {
    let options = ReadOptions::default();
    for &(name, entries, payload) in CASES {
        let file = archive(entries, payload);
        let document = read(&file, &options).unwrap().document;
        let mut buffer = vec![0; file.len()];
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Bytes(file.len().try_into().unwrap()));
        let id = |case: &str| BenchmarkId::from_parameter(case);
        group.bench_function(id("memcpy"), |b| {
            b.iter(|| black_box(&mut buffer).copy_from_slice(black_box(&file)));
        });
        group.bench_function(id("to_vec"), |b| b.iter(|| black_box(file.as_slice()).to_vec()));
        group.bench_function(id("open"), |b| {
            b.iter(|| Archive::open(black_box(&file)).unwrap().entries().len());
        });
        group.bench_function(id("read"), |b| b.iter(|| read(black_box(&file), &options).unwrap()));
        let mut used = document.clone();
        group.bench_function(id("read into used buffers"), |b| {
            b.iter(|| read_into(black_box(&mut used), black_box(&file), &options).unwrap());
        });
        group.bench_function(id("check"), |b| b.iter(|| check(black_box(&document))));
        group.bench_function(id("read and check"), |b| {
            b.iter(|| check(&read(black_box(&file), &options).unwrap().document));
        });
        group.bench_function(id("write"), |b| b.iter(|| write(black_box(&document)).unwrap()));
        group.finish();
    }
}

criterion_group!(benches, nres);
criterion_main!(benches);
