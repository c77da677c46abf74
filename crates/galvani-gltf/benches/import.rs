//! Files of glTF as scenes beside the `gltf` crate, which reads the same lists into lists. That crate checks while it reads
//! what must be there and that what is named is there, but looks at no number; here all of it is checked, lists included, in
//! `read and check` and in `check and import`, which is everything.
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run may stop")]

mod models;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use galvani_core::Meter;
use galvani_gltf::import::{Options, checked};
use galvani_gltf::{Document, document, glb};
use models::{CASES, model};

/// Everything in a file, as lists; all are held until the last is made, as a scene holds them.
#[derive(Debug, Default)]
struct Lists {
    vec2s: Vec<Vec<[f32; 2]>>,
    vec3s: Vec<Vec<[f32; 3]>>,
    vec4s: Vec<Vec<[f32; 4]>>,
    indices: Vec<Vec<u32>>,
    times: Vec<Vec<f32>>,
}

/// The file read, held against the crate's own rules ([`::gltf::Gltf::from_slice`] does that), and its lists made.
fn by_peer(file: &[u8]) -> Lists {
    use ::gltf::animation::util::ReadOutputs;
    let ::gltf::Gltf { document, blob } = ::gltf::Gltf::from_slice(file).unwrap();
    let bytes = |_: ::gltf::Buffer<'_>| blob.as_deref();
    let mut lists = Lists::default();
    for mesh in document.meshes() {
        for primitive in mesh.primitives() {
            let reader = primitive.reader(bytes);
            lists.vec3s.push(reader.read_positions().unwrap().collect());
            lists.vec3s.push(reader.read_normals().unwrap().collect());
            lists.vec2s.push(reader.read_tex_coords(0).unwrap().into_f32().collect());
            lists.indices.push(reader.read_indices().unwrap().into_u32().collect());
        }
    }
    for clip in document.animations() {
        for channel in clip.channels() {
            let reader = channel.reader(bytes);
            lists.times.push(reader.read_inputs().unwrap().collect());
            match reader.read_outputs().unwrap() {
                ReadOutputs::Translations(places) => lists.vec3s.push(places.collect()),
                ReadOutputs::Scales(sizes) => lists.vec3s.push(sizes.collect()),
                ReadOutputs::Rotations(turns) => lists.vec4s.push(turns.into_f32().collect()),
                ReadOutputs::MorphTargetWeights(_) => {}
            }
        }
    }
    lists
}

fn imports(c: &mut Criterion) {
    for &(name, bones, clips) in CASES {
        let file = glb(model(bones, clips), &galvani_gltf::Options::default()).unwrap().0;
        let scene = |document: &Document| {
            galvani_gltf::import(document, &Options::default(), &Meter::unlimited()).unwrap()
        };
        let sound = |document: &Document| assert!(document::check(document).findings().is_empty());
        let mut group = c.benchmark_group(format!("{name}, read"));
        group.throughput(Throughput::Bytes(file.len() as u64));
        group.bench_function("import", |b| b.iter(|| scene(&Document::read(&file).unwrap())));
        group.bench_function("check and import", |b| {
            b.iter(|| {
                let document = Document::read(&file).unwrap();
                let (report, made) = checked(&document, &Options::default(), &Meter::unlimited());
                assert!(report.findings().is_empty());
                made.unwrap()
            });
        });
        group.bench_function("read and check", |b| b.iter(|| sound(&Document::read(&file).unwrap())));
        group.bench_function("gltf", |b| b.iter(|| by_peer(&file)));
        group.finish();
    }
}

criterion_group!(benches, imports);
criterion_main!(benches);
