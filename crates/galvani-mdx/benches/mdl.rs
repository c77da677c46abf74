//! MDL beside war3-model, which reads and writes the same texts in Node.
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run may stop")]
#![allow(clippy::disallowed_methods, reason = "benchmarks look at the disk themselves")]

mod model;

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use galvani_core::ReadOptions;
use galvani_mdx::{edit, mdl, read};
use galvani_testkit::Clients;
use model::{CASES, model};

fn texts(c: &mut Criterion) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let clients = Clients::in_folder(folder);
    let options = ReadOptions::default();
    for &(title, geosets, vertices, bones, keys) in CASES {
        let mut document = read(&model(geosets, vertices, bones, keys), &options).unwrap().document;
        // war3-model reads no nodes whose numbers have gaps.
        edit::renumber_nodes(&mut document).unwrap();
        let text = mdl::print(&document).unwrap();
        let path = folder.join("text.mdl");
        std::fs::write(&path, &text).unwrap();
        let mut group = c.benchmark_group(title.replace("mdx", "mdl of"));
        group.throughput(Throughput::Bytes(text.len().try_into().unwrap()));
        group.bench_function("read", |b| b.iter(|| mdl::read(black_box(&text), &options).unwrap()));
        group.bench_function("write", |b| b.iter(|| mdl::print(black_box(&document)).unwrap()));
        for what in ["read", "write"] {
            group.bench_function(format!("war3-model {what}"), |b| {
                b.iter_custom(|rounds| {
                    let (path, rounds) = (path.display().to_string(), rounds.to_string());
                    let said = clients.ask("mdl-time.mjs", &[what, &path, &rounds], "");
                    Duration::from_nanos(said.trim().parse().unwrap())
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, texts);
criterion_main!(benches);
