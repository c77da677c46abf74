//! A whole small model as a value, and the bytes it is, from an assembler that knows nothing of our writer.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

#[path = "common/msh.rs"]
mod common;

use std::f32::consts::{FRAC_1_SQRT_2, SQRT_2};

use common::{case, found};
use galvani_core::Reading::{self, Documented, Observed};
use galvani_core::WantedReading;
use galvani_core::record::{Raw, Text};
use galvani_parkan::msh::wire::{
    Batch, Bounds, Extra15, Face, Index, Key, MapWord, Node, NodeName, Normal, Position, Slot, Uv,
    documented, observed,
};
use galvani_parkan::msh::{Document, read, write};
use galvani_parkan::nres::{self, Block, Entry, Name, Payload};
use galvani_testkit::round_trips;
use zerocopy::little_endian::{F32, I16, U16, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

const NONE: u16 = 0xffff;

fn floats<const N: usize>(values: [f32; N]) -> [F32; N] {
    values.map(F32::new)
}

fn nodes() -> [Node; 2] {
    let node = |parent, map_start, fallback_key, slot| {
        let mut slot_index = [U16::new(NONE); 15];
        slot_index[0] = U16::new(slot);
        Node {
            flags: U16::ZERO,
            parent: U16::new(parent),
            map_start: U16::new(map_start),
            fallback_key: U16::new(fallback_key),
            slot_index,
        }
    };
    [node(NONE, NONE, 0, 0), node(0, 0, 2, 1)]
}

fn bounds() -> Bounds {
    let floor = |z| [[0.0, 0.0, z], [2.0, 0.0, z], [2.0, 2.0, z], [0.0, 2.0, z]];
    let [a, b, c, d] = floor(0.0);
    let [e, f, g, h] = floor(1.0);
    Bounds {
        hull: [a, b, c, d, e, f, g, h].map(floats),
        sphere_center: floats([1.0, 1.0, 0.5]),
        sphere_radius: F32::new(1.5),
        capsule_a: floats([1.0, 1.0, 0.0]),
        capsule_b: floats([1.0, 1.0, 1.0]),
        capsule_radius: F32::new(SQRT_2),
    }
}

fn slots() -> [Slot; 2] {
    let slot = |[a, b, c, d]: [u16; 4], side: f32, radius: f32, area: f32| Slot {
        tri_start: U16::new(a),
        tri_count: U16::new(b),
        batch_start: U16::new(c),
        batch_count: U16::new(d),
        aabb_min: floats([0.0; 3]),
        aabb_max: floats([side, side, 0.0]),
        sphere_center: floats([side / 2.0, side / 2.0, 0.0]),
        sphere_radius: F32::new(radius),
        tail: [area.to_bits(), 0, 0, 0, 0].map(U32::new),
    };
    [slot([0, 2, 0, 1], 2.0, SQRT_2, 4.0), slot([2, 1, 1, 1], 1.0, FRAC_1_SQRT_2, 0.5)]
}

fn positions() -> [Position; 7] {
    [[0, 0], [2, 0], [2, 2], [0, 2], [0, 0], [1, 0], [0, 1]]
        .map(|[x, y]: [i8; 2]| Position { position: floats([f32::from(x), f32::from(y), 0.0]) })
}

fn uv0() -> [Uv; 7] {
    [[0, 0], [2048, 0], [2048, 2048], [0, 2048], [0, 0], [1024, 0], [0, 64512]]
        .map(|uv| Uv { uv: uv.map(U16::new) })
}

fn batches() -> [Batch; 2] {
    let batch = |head: [u16; 4], count, start, vertices, base| Batch {
        head: head.map(U16::new),
        index_count: U16::new(count),
        index_start: U32::new(start),
        word_0e: U16::new(vertices),
        base_vertex: U32::new(base),
    };
    [batch([0, 0, 0xff00, NONE], 6, 0, 4, 0), batch([0x100, 0, 0xff01, NONE], 3, 6, 3, 4)]
}

fn faces() -> [Face; 3] {
    let face = |link: [u16; 3], selectors| Face {
        flags: U16::ZERO,
        link: link.map(U16::new),
        normal: [0, 0, 32767].map(I16::new),
        selectors: U16::new(selectors),
    };
    [face([NONE, NONE, 1], 0b00_11_11), face([0, NONE, NONE], 0b11_11_10), face([NONE; 3], 0b11_11_11)]
}

fn keys(rotation: [i16; 4]) -> [Key; 3] {
    [(0.0, 0.0), (1.0, 0.0), (2.0, 2.0)].map(|(z, time)| Key {
        position: floats([0.0, 0.0, z]),
        time: F32::new(time),
        rotation: rotation.map(I16::new),
    })
}

fn names() -> [NodeName; 2] {
    [b"base", b"lift"].map(|text| {
        let mut name = [0; 32];
        name[..4].copy_from_slice(text);
        NodeName { name: Text(name) }
    })
}

/// Number, attributes and bytes of every stream.
fn streams(rotation: [i16; 4], ninth: u32) -> Vec<(u32, [u32; 3], Vec<u8>)> {
    let up = Normal { normal: [0, 0, 127], unknown_03: 0 };
    let indices = [0, 1, 2, 0, 2, 3, 0, 1, 2].map(|index| Index { index: U16::new(index) });
    let map = [1, 1, 2].map(|key| MapWord { key: U16::new(key) });
    vec![
        (1, [2, 0, 38], nodes().as_bytes().to_vec()),
        (2, [2, 0, 68], [bounds().as_bytes(), slots().as_bytes()].concat()),
        (3, [7, 0, 12], positions().as_bytes().to_vec()),
        (4, [7, 0, 4], [up; 7].as_bytes().to_vec()),
        (5, [7, 0, 4], uv0().as_bytes().to_vec()),
        (15, [7, 0, 8], [Extra15 { unknown_00: Raw([0; 8]) }; 7].as_bytes().to_vec()),
        (13, [2, 0, 20], batches().as_bytes().to_vec()),
        (6, [9, 0, 2], indices.as_bytes().to_vec()),
        (7, [3, 0, 16], faces().as_bytes().to_vec()),
        (8, [3, 0, 4], keys(rotation).as_bytes().to_vec()),
        (19, [3, 3, 2], map.as_bytes().to_vec()),
        (ninth, [2, 0, 32], names().as_bytes().to_vec()),
        (10, [2, 0, 0], b"\0\0\0\0\x07\0\0\0central\0".to_vec()),
        (17, [0, 0, 0], vec![]),
    ]
}

fn document(reading: Reading, rotation: [i16; 4], ninth: u32) -> Document {
    let (mut blocks, mut entries) = (vec![], vec![]);
    for (i, (type_id, [attr1, attr2, attr3], bytes)) in (0..).zip(streams(rotation, ninth)) {
        let payload = Payload::Held { block: blocks.len(), start: 0, len: bytes.len() };
        let name = Name::new(b"plain").unwrap();
        entries.push(Entry { type_id, attr1, attr2, attr3, name, payload, sort_index: i });
        let gap = vec![0; bytes.len().next_multiple_of(8) - bytes.len()];
        blocks.push(Block { bytes, gap });
    }
    let archive = nres::Document { version: 0x100, lead: vec![], blocks, entries, tail: vec![] };
    Document { archive, reading }
}

/// The values with their bytes, each under its reading.
fn models() -> [(Document, Vec<u8>); 2] {
    [
        (document(Observed, [32767, 0, 0, 0], 9), case("plain")),
        (document(Documented, [0, 0, 0, 32767], 99), case("documented")),
    ]
}

#[test]
fn the_bytes_read_as_the_value_and_the_value_writes_as_the_bytes() {
    for (value, bytes) in models() {
        assert_eq!(write(&value).unwrap(), bytes);
        let options = common::reading(WantedReading::Auto);
        assert_eq!(round_trips(&bytes, |file| read(file, &options), write).document, value);
    }
}

#[test]
fn the_streams_are_typed_as_they_were_made() {
    for (value, bytes) in models() {
        let document = found(&bytes, WantedReading::Auto).document;
        let model = document.model();
        assert_eq!(model.nodes.as_ref().unwrap().rows, nodes());
        assert_eq!(model.bounds.unwrap(), &bounds());
        assert_eq!(model.slots.as_ref().unwrap().rows, slots());
        assert_eq!(model.positions.as_ref().unwrap().rows, positions());
        assert_eq!(model.uv0.as_ref().unwrap().rows, uv0());
        assert_eq!(model.batches.as_ref().unwrap().rows, batches());
        assert_eq!(model.faces.as_ref().unwrap().rows, faces());
        assert_eq!(model.labels.as_ref().unwrap().rows.len(), 2);
        assert_eq!(model.label(1), b"central");
        assert_eq!((model.node_count(), model.vertex_count(), model.frame_count()), (2, 7, 3));
        let observed = value.reading == Observed;
        let rotation = if observed { [32767, 0, 0, 0] } else { [0, 0, 0, 32767] };
        assert_eq!(model.keys.as_ref().unwrap().rows, keys(rotation));
        assert_eq!(model.names.as_ref().map(|names| names.rows), observed.then_some(&names()[..]));
        assert_eq!(model.others.len(), usize::from(!observed));
    }
}

fn as_other<A: IntoBytes + Immutable, B: FromBytes + Immutable + KnownLayout>(record: &A) -> B {
    B::read_from_bytes(record.as_bytes()).unwrap()
}

#[test]
fn each_reading_has_its_own_names_for_the_same_record() {
    let [_, batch] = batches();
    let seen: observed::ObservedBatch = as_other(&batch);
    assert_eq!((seen.flags.get(), seen.material, seen.lightmap), (0x100, 1, 0xff));
    assert_eq!((seen.portal_node.get(), seen.vertex_count.get(), seen.base_vertex.get()), (NONE, 3, 4));
    let read: documented::DocumentedBatch = as_other(&batch);
    assert_eq!((read.batch_flags.get(), read.material_index.get(), read.opaque4.get()), (0x100, 0, 0xff01));
    assert_eq!((read.opaque6.get(), read.opaque14.get(), read.index_start.get()), (NONE, 3, 6));
    let seen: observed::ObservedSlot = as_other(&slots()[1]);
    assert_eq!((seen.area.get().to_bits(), seen.unknown_38.map(U32::get)), (0.5_f32.to_bits(), [0; 3]));
    let read: documented::DocumentedSlot = as_other(&slots()[1]);
    assert_eq!(read.opaque.map(U32::get), [0.5_f32.to_bits(), 0, 0, 0, 0]);
    let raw = keys([1, 2, 3, 4])[0];
    let seen: observed::ObservedKey = as_other(&raw);
    let read: documented::DocumentedKey = as_other(&raw);
    assert_eq!([seen.qw, seen.qx, seen.qy, seen.qz].map(I16::get), [1, 2, 3, 4]);
    assert_eq!([read.qx, read.qy, read.qz, read.qw].map(I16::get), [1, 2, 3, 4]);
}
