//! Writing scenes as `.glb` beside glTF-Transform, which has read the same file and writes it again.
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run may stop")]
#![allow(clippy::disallowed_methods, reason = "benchmarks look at the disk themselves")]

mod models;

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use galvani_gltf::{Options, glb};
use galvani_testkit::Clients;
use models::{CASES, model};

fn export(c: &mut Criterion) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let clients = Clients::in_folder(folder);
    for &(name, bones, clips) in CASES {
        let scene = model(bones, clips);
        let file = glb(scene.clone(), &Options::default()).unwrap().0;
        let path = folder.join("export.glb");
        std::fs::write(&path, &file).unwrap();
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Bytes(file.len() as u64));
        // Lent, as to the other, which keeps what it has read.
        group.bench_function("write", |b| b.iter(|| black_box(glb(&scene, &Options::default()))));
        group.bench_function("glTF-Transform", |b| {
            b.iter_custom(|rounds| {
                let (path, rounds) = (path.display().to_string(), rounds.to_string());
                let said = clients.ask("export.mjs", &[&path, &rounds], "");
                Duration::from_nanos(said.trim().parse().unwrap())
            });
        });
        group.finish();
    }
}

criterion_group!(benches, export);
criterion_main!(benches);
