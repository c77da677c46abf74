//! A conversion takes a small multiple of the largest file, however large that is: counted by the allocator.
#![cfg(all(feature = "mdx", feature = "texture", feature = "gltf"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]
#![allow(clippy::cast_precision_loss, reason = "numbers only have to differ")]

use allocation_counter::measure;
use galvani::formats::{self, Settings, Site};
use galvani::glam::Quat;
use galvani::mdx::model::PrimitiveTypes;
use galvani::mdx::{Content, Document, Held, write};
use galvani::{Meter, OpenOptions, convert, samples};
use zerocopy::little_endian::{U16, U32};

/// How many times the largest file, read or written, a conversion may take beside what it reads: the document, its bytes for the way
/// back, the scene, the scene as others read it, and lists of each in the making.
const TIMES: u64 = 12;

/// What it may take in any case.
const ROOM: u64 = 4 << 20;

/// Bytes below which a file is not large.
const LARGE: usize = 20 << 20;

fn lantern() -> Document {
    let file = samples::all().into_iter().find(|sample| sample.name == "lantern.mdx").unwrap().bytes;
    let opened = formats::by_id("mdx").unwrap().open_at(&file, &OpenOptions::default(), &Site::NOWHERE);
    opened.unwrap().into_document().unwrap()
}

/// Runs a conversion; how often the largest file it took, and how long that is.
fn cost(document: &Document) -> (u64, usize) {
    let file = write(document).unwrap();
    let (format, mut made) = (formats::by_id("mdx").unwrap(), 0);
    let used = measure(|| {
        let opened = format.open_at(&file, &OpenOptions::default(), &Site::NOWHERE).unwrap();
        let settings = Settings::default();
        let glb = convert::glb(&opened, &Site::NOWHERE, &settings, &Meter::unlimited()).unwrap();
        made = glb.files.len();
    });
    let largest = file.len().max(made);
    (used.bytes_max, largest)
}

fn costs_little(document: &Document) {
    let (most, largest) = cost(document);
    let allowed = TIMES * u64::try_from(largest).unwrap() + ROOM;
    assert!(largest > LARGE, "{largest} bytes are not much");
    assert!(most <= allowed, "{most} bytes for a file of {largest}");
}

#[test]
fn many_vertices_cost_a_small_multiple_of_their_file() {
    const VERTICES: usize = 60_000;
    const GEOSETS: usize = 14;
    let mut document = lantern();
    let geosets = document.chunks.iter_mut().find_map(|chunk| match &mut chunk.content {
        Content::Geosets(rows) => Some(&mut rows.items),
        _ => None,
    });
    let geosets = geosets.unwrap();
    let Some(Held::Typed(first)) = geosets.first().cloned() else { panic!("no geoset") };
    geosets.clear();
    for set in 0..GEOSETS {
        let mut large = first.clone();
        let count = first.vertices.len();
        large.vertices = (0..VERTICES).map(|i| first.vertices[i % count]).collect();
        for (i, vertex) in large.vertices.iter_mut().enumerate() {
            vertex.x.set(vertex.x.get() + (set * VERTICES + i) as f32 * 1e-3);
        }
        large.normals = (0..VERTICES).map(|i| first.normals[i % count]).collect();
        large.vertex_groups = (0..VERTICES).map(|i| first.vertex_groups[i % count]).collect();
        large.texcoords = match &first.texcoords {
            galvani::mdx::model::Texcoords::Sets(sets) => {
                let grown = |set: &Vec<_>| (0..VERTICES).map(|i| set[i % count]).collect();
                galvani::mdx::model::Texcoords::Sets(sets.iter().map(grown).collect())
            }
            other @ galvani::mdx::model::Texcoords::Flat { .. } => other.clone(),
        };
        large.indices = (0..VERTICES).map(|i| U16::new(u16::try_from(i).unwrap())).collect();
        large.primitive_types = PrimitiveTypes::Words(vec![U32::new(4)]);
        large.primitive_counts = vec![U32::new(u32::try_from(VERTICES).unwrap())];
        geosets.push(Held::Typed(large));
    }
    costs_little(&document);
}

#[test]
fn many_keys_cost_a_small_multiple_of_their_file() {
    const BONES: i32 = 160;
    let mut document = lantern();
    let windows: Vec<(i64, i64)> = document.sequences().iter().map(|sequence| sequence.window()).collect();
    let times = windows.iter().flat_map(|&(start, end)| start..=end);
    let times: Vec<i32> = times.map(|time| i32::try_from(time).unwrap()).collect();
    let bones = document.chunks.iter_mut().find_map(|chunk| match &mut chunk.content {
        Content::Bones(rows) => Some(&mut rows.items),
        _ => None,
    });
    let bones = bones.unwrap();
    let turned = bones.iter().find_map(|bone| match bone {
        Held::Typed(bone) => bone.node.tracks.iter().find(|track| &track.tag == b"KGRT").cloned(),
        Held::Raw(..) => None,
    });
    let (track, Some(Held::Typed(first))) = (turned.unwrap(), bones.first().cloned()) else {
        panic!("no bone")
    };
    for id in 0..BONES {
        let (mut bone, mut track) = (first.clone(), track.clone());
        bone.node.fixed.object_id.set(1000 + id);
        bone.node.fixed.parent_id.set(-1);
        let turn = |time: &i32| Quat::from_rotation_y(((time * 7 + id) % 1000) as f32 * 1e-3);
        track.values =
            times.iter().map(turn).flat_map(|it| [it.x, it.y, it.z, it.w].map(f32::to_bits)).collect();
        track.times.clone_from(&times);
        (track.in_tangents, track.out_tangents, track.interpolation) = (Vec::new(), Vec::new(), 1);
        bone.node.tracks = vec![track];
        bones.push(Held::Typed(bone));
    }
    costs_little(&document);
}
