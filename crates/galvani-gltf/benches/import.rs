//! Files of glTF as scenes beside the `gltf` crate, which reads the same lists into lists; both with everything checked
//! that they check.
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run may stop")]

mod models;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use galvani_core::Meter;
use galvani_gltf::import::Options;
use galvani_gltf::{Document, document, glb};
use models::{CASES, model};

/// Everything in a file, as lists.
fn by_peer(file: &[u8]) -> usize {
    let ::gltf::Gltf { document, blob } = ::gltf::Gltf::from_slice(file).unwrap();
    let bytes = |_: ::gltf::Buffer<'_>| blob.as_deref();
    let mut count = 0;
    for primitive in document.meshes().flat_map(|mesh| mesh.primitives().collect::<Vec<_>>()) {
        let reader = primitive.reader(bytes);
        let positions: Vec<[f32; 3]> = reader.read_positions().unwrap().collect();
        let normals: Vec<[f32; 3]> = reader.read_normals().unwrap().collect();
        let uvs: Vec<[f32; 2]> = reader.read_tex_coords(0).unwrap().into_f32().collect();
        let indices: Vec<u32> = reader.read_indices().unwrap().into_u32().collect();
        count += black_box((positions, normals, uvs, indices)).0.len();
    }
    for channel in document.animations().flat_map(|clip| clip.channels().collect::<Vec<_>>()) {
        use ::gltf::animation::util::ReadOutputs;
        let reader = channel.reader(bytes);
        let times: Vec<f32> = reader.read_inputs().unwrap().collect();
        count += times.len();
        match reader.read_outputs().unwrap() {
            ReadOutputs::Translations(places) => drop(black_box(places.collect::<Vec<[f32; 3]>>())),
            ReadOutputs::Scales(sizes) => drop(black_box(sizes.collect::<Vec<[f32; 3]>>())),
            ReadOutputs::Rotations(turns) => drop(black_box(turns.into_f32().collect::<Vec<[f32; 4]>>())),
            ReadOutputs::MorphTargetWeights(_) => {}
        }
    }
    count
}

fn imports(c: &mut Criterion) {
    for &(name, bones, clips) in CASES {
        let file = glb(model(bones, clips), &galvani_gltf::Options::default()).unwrap().0;
        let mut group = c.benchmark_group(format!("{name}, read"));
        group.throughput(Throughput::Bytes(file.len() as u64));
        group.bench_function("import", |b| {
            b.iter(|| {
                let document = Document::read(&file).unwrap();
                black_box(galvani_gltf::import(&document, &Options::default(), &Meter::unlimited())).unwrap()
            });
        });
        group.bench_function("read and check", |b| {
            b.iter(|| {
                let document = Document::read(&file).unwrap();
                black_box(document::check(&document))
            });
        });
        group.bench_function("gltf", |b| b.iter(|| black_box(by_peer(&file))));
        group.finish();
    }
}

criterion_group!(benches, imports);
criterion_main!(benches);
