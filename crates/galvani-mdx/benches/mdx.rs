//! MDX beside the crate `wc3`: reading with all checks, and writing, of models from small to huge.
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run may stop")]

use std::hint::black_box;
use std::path::Path;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use galvani_core::ReadOptions;
use galvani_mdx::model::{Bone, Geoset, PrimitiveTypes, Texcoords};
use galvani_mdx::{Content, Held, check, read, write};
use galvani_testkit::assemble_file;
use wc3::model::DynamicModel;
use zerocopy::little_endian::{I32, U16, U32};

/// Title, geosets, vertices of each, bones, keys of each of their tracks.
const CASES: &[(&str, usize, usize, usize, usize)] =
    &[("mdx 100 KB", 2, 450, 21, 30), ("mdx 1 MB", 4, 2_000, 72, 100), ("mdx 5 MB", 12, 3_000, 115, 350)];

/// A sound model of Warcraft III, with its geoset and its bone grown and multiplied.
fn model(geosets: usize, vertices: usize, bones: usize, keys: usize) -> Vec<u8> {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/mdx/plain-warcraft/build.txt");
    let mut document = read(&assemble_file(&case), &ReadOptions::default()).unwrap().document;
    for chunk in &mut document.chunks {
        match &mut chunk.content {
            Content::Geosets(records) => {
                let geoset = grown(records.items[0].typed().unwrap(), vertices);
                records.items = vec![Held::Typed(Box::new(geoset)); geosets];
            }
            Content::Bones(records) => {
                let first = records.items[0].typed().unwrap().clone();
                records.items.extend((0..bones).map(|i| Held::Typed(animated(&first, 1000 + i, keys))));
            }
            _ => {}
        }
    }
    write(&document).unwrap()
}

/// The same triangle over and over.
fn grown(geoset: &Geoset, vertices: usize) -> Geoset {
    fn again<T: Clone>(list: &[T], len: usize) -> Vec<T> {
        list.iter().cycle().take(len).cloned().collect()
    }
    let Texcoords::Sets(sets) = &geoset.texcoords else { return geoset.clone() };
    let corners = vertices.next_multiple_of(3) * 2;
    Geoset {
        vertices: again(&geoset.vertices, vertices),
        normals: again(&geoset.normals, vertices),
        vertex_groups: again(&geoset.vertex_groups, vertices),
        texcoords: Texcoords::Sets(sets.iter().map(|set| again(set, vertices)).collect()),
        primitive_types: PrimitiveTypes::Words(vec![U32::new(4)]),
        primitive_counts: vec![U32::new(corners.try_into().unwrap())],
        indices: (0..corners).map(|i| U16::new((i * 7 % vertices).try_into().unwrap())).collect(),
        ..geoset.clone()
    }
}

/// A bone of that number whose tracks have so many keys.
fn animated(bone: &Bone, id: usize, keys: usize) -> Bone {
    let mut bone = bone.clone();
    bone.node.fixed.object_id = I32::new(id.try_into().unwrap());
    for track in &mut bone.node.tracks {
        let grow = |words: &[u32]| {
            let key = words.get(..track.value.words()).unwrap_or_default();
            key.iter().copied().cycle().take(key.len() * keys).collect::<Vec<u32>>()
        };
        let (values, arriving, leaving) =
            (grow(&track.values), grow(&track.in_tangents), grow(&track.out_tangents));
        (track.values, track.in_tangents, track.out_tangents) = (values, arriving, leaving);
        track.times = (0..keys).map(|key| (key * 10).try_into().unwrap()).collect();
    }
    bone
}

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
