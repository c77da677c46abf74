//! Models of Warcraft III from small to huge, for benchmarks.

use std::path::Path;

use galvani_core::ReadOptions;
use galvani_mdx::model::{Bone, Geoset, PrimitiveTypes, Texcoords};
use galvani_mdx::{Content, Held, read, write};
use galvani_testkit::assemble_file;
use zerocopy::little_endian::{I32, U16, U32};

/// Title, geosets, vertices of each, bones, keys of each of their tracks.
pub(crate) const CASES: &[(&str, usize, usize, usize, usize)] =
    &[("mdx 100 KB", 2, 450, 21, 30), ("mdx 1 MB", 4, 2_000, 72, 100), ("mdx 5 MB", 12, 3_000, 115, 350)];

/// A sound model of Warcraft III, with its geoset and its bone grown and multiplied.
pub(crate) fn model(geosets: usize, vertices: usize, bones: usize, keys: usize) -> Vec<u8> {
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
