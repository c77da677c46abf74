//! What the two readings make of the same bytes, and how the evidence decides between them.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

#[path = "common/msh.rs"]
mod common;

use common::raw::{RawStream, archive, table};
use common::{case, found};
use galvani_core::Reading::{self, Documented, Observed};
use galvani_core::WantedReading::{self, Auto};
use galvani_core::map::FieldValue;
use galvani_core::text;
use galvani_parkan::msh::{values, write};

/// Path and value of every row of a dump under a prefix.
fn rows(file: &[u8], reading: impl Into<WantedReading>, prefix: &str) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    found(file, reading).map.rows(file, |row| {
        let path = row.path.to_string();
        if path.starts_with(prefix) {
            rows.push((path, shown(&row.value)));
        }
    });
    rows
}

fn shown(value: &FieldValue<'_>) -> String {
    match value {
        FieldValue::Int(value) => value.to_string(),
        FieldValue::Float(value) => value.to_string(),
        FieldValue::Tag(value) => value.to_string(),
        FieldValue::Text(bytes) => text::shown(bytes).into_owned(),
        FieldValue::Bytes(bytes) => text::hex(bytes),
        FieldValue::List(values) => values.iter().map(shown).collect::<Vec<_>>().join(" "),
    }
}

fn of(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn row_1_the_order_of_a_rotation() {
    let file = case("plain");
    let quaternion = |reading| {
        let document = found(&file, reading).document;
        values::rotation(&document.model().keys.unwrap().rows[0], reading)
    };
    assert_eq!(quaternion(Observed).0.map(f32::to_bits), [1.0, 0.0, 0.0, 0.0].map(f32::to_bits));
    assert_eq!(quaternion(Documented).0.map(f32::to_bits), [0.0, 1.0, 0.0, 0.0].map(f32::to_bits));
    let observed = [("qw", "32767"), ("qx", "0"), ("qy", "0"), ("qz", "0")];
    let documented = [("qx", "32767"), ("qy", "0"), ("qz", "0"), ("qw", "0")];
    for (reading, wanted) in [(Observed, observed), (Documented, documented)] {
        let wanted = wanted.map(|(field, value)| (format!("keys[0].{field}"), value.to_owned()));
        assert_eq!(rows(&file, reading, "keys[0].q"), wanted);
    }
}

/// The axes are named in what is said about them: only the observed reading knows damage states.
#[test]
fn row_3_the_axes_of_the_slots() {
    let file = case("variants");
    let axes = |reading| {
        let found = found(&file, reading);
        let told = common::report(&found, &file);
        told.findings().iter().any(|finding| finding.message.contains("damage state"))
    };
    assert!(axes(Observed));
    assert!(!axes(Documented));
    let matrix = "-1 -1 -1 -1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1".replace("-1", "65535");
    for reading in [Observed, Documented] {
        assert_eq!(rows(&file, reading, "nodes[1].slot_index"), of(&[("nodes[1].slot_index", &matrix)]));
    }
}

#[test]
fn row_4_the_fields_of_a_batch() {
    let file = case("plain");
    let observed = [
        ("batches[1].flags", "256"),
        ("batches[1].material", "1"),
        ("batches[1].lightmap", "255"),
        ("batches[1].portal_node", "65535"),
        ("batches[1].index_count", "3"),
        ("batches[1].index_start", "6"),
        ("batches[1].vertex_count", "3"),
        ("batches[1].base_vertex", "4"),
    ];
    let documented = [
        ("batches[1].batch_flags", "256"),
        ("batches[1].material_index", "0"),
        ("batches[1].opaque4", "65281"),
        ("batches[1].opaque6", "65535"),
        ("batches[1].index_count", "3"),
        ("batches[1].index_start", "6"),
        ("batches[1].opaque14", "3"),
        ("batches[1].base_vertex", "4"),
    ];
    assert_eq!(rows(&file, Observed, "batches[1]"), of(&observed));
    assert_eq!(rows(&file, Documented, "batches[1]"), of(&documented));
}

#[test]
fn row_5_the_tail_of_a_slot() {
    let file = case("plain");
    let observed = [("slots[1].area", "0.5"), ("slots[1].volume", "0"), ("slots[1].unknown_38", "0 0 0")];
    let tail = |reading| rows(&file, reading, "slots[1]").split_off(8);
    assert_eq!(tail(Observed), of(&observed));
    assert_eq!(tail(Documented), of(&[("slots[1].opaque", "1056964608 0 0 0 0")]));
}

#[test]
fn row_6_the_name_of_a_node() {
    let file = case("plain");
    let names = |reading| {
        let document = found(&file, reading).document;
        let model = document.model();
        [0, 1].map(|node| text::shown(model.node_name(node)).into_owned())
    };
    assert_eq!(names(Observed), ["base", "lift"]);
    assert_eq!(names(Documented), ["", "central"]);
}

fn with_stream_18() -> Vec<u8> {
    archive(&[table(3, 12, &[0; 12]), table(18, 4, &[0, 4, 0, 252])])
}

#[test]
fn row_9_stream_18() {
    let file = with_stream_18();
    assert_eq!(rows(&file, Observed, "lightmap_uv"), of(&[("lightmap_uv[0].uv", "1024 64512")]));
    assert_eq!(rows(&file, Documented, "colours"), of(&[("colours[0].bgra", "0 4 0 252")]));
}

#[test]
fn row_10_the_sign_of_texture_coordinates() {
    let file = case("plain");
    assert_eq!(rows(&file, Observed, "uv0[6]"), of(&[("uv0[6].uv", "0 64512")]));
    assert_eq!(rows(&file, Documented, "uv0[6]"), of(&[("uv0[6].uv", "0 -1024")]));
    assert_eq!(values::uv(64512, Observed).to_bits(), 63.0_f32.to_bits());
    assert_eq!(values::uv(64512, Documented).to_bits(), (-1.0_f32).to_bits());
}

#[test]
fn a_reading_changes_no_byte() {
    let file = case("plain");
    for reading in WantedReading::ALL {
        assert_eq!(write(&found(&file, reading).document).unwrap(), file);
    }
}

const NODE: [u8; 38] = [0xff; 38];

/// What is taken of a file with two nodes, a stream 9 of some size, and keys with these rotations; and why.
fn verdict(names: Option<usize>, keys: &[[i16; 4]]) -> (Reading, String) {
    let mut streams = vec![table(1, 38, &NODE.repeat(2))];
    streams.extend(names.map(|size| table(9, 32, &vec![b'x'; size])));
    let key = |rotation: &[i16; 4]| {
        let rotation: Vec<u8> = rotation.iter().flat_map(|component| component.to_le_bytes()).collect();
        [&[0; 16][..], &rotation].concat()
    };
    streams.push(table(8, 24, &keys.iter().flat_map(key).collect::<Vec<u8>>()));
    let found = found(&archive(&streams), Auto);
    (found.document.reading, found.readings[0].why.clone())
}

const FIRST: [i16; 4] = [32767, 0, 0, 0];
const LAST: [i16; 4] = [0, 0, 0, 32767];

#[test]
fn stream_9_with_32_bytes_per_node_decides_whatever_the_keys_say() {
    let (taken, why) = verdict(Some(64), &[LAST, LAST]);
    assert_eq!(taken, Observed);
    assert_eq!(why, "stream 9 holds 32 bytes for each of 2 nodes");
    for size in [0, 32, 63, 65, 96] {
        assert_eq!(verdict(Some(size), &[LAST, LAST]).0, Documented, "{size} bytes");
    }
}

#[test]
fn without_stream_9_the_majority_of_identities_decides() {
    assert_eq!(verdict(None, &[FIRST]).0, Observed);
    assert_eq!(verdict(None, &[LAST]).0, Documented);
    assert_eq!(verdict(None, &[FIRST, FIRST, LAST]).0, Observed);
    assert_eq!(verdict(None, &[FIRST, LAST, LAST]).0, Documented);
    let (_, why) = verdict(Some(5), &[FIRST, LAST, FIRST]);
    assert_eq!(why, "identity keys with w first: 2, with w last: 1");
}

#[test]
fn a_tie_and_no_evidence_are_documented() {
    assert_eq!(verdict(None, &[]).0, Documented);
    assert_eq!(verdict(None, &[FIRST, LAST]).0, Documented);
    assert_eq!(verdict(None, &[[23170, 0, 0, 23170]]).0, Documented);
}

#[test]
fn only_a_lone_32767_with_the_others_within_64_is_an_identity() {
    assert_eq!(verdict(None, &[[32767, 64, -64, 64]]).0, Observed);
    assert_eq!(verdict(None, &[[32767, 65, 0, 0]]).0, Documented);
    assert_eq!(verdict(None, &[[32767, 0, 0, -65]]).0, Documented);
    assert_eq!(verdict(None, &[[-32767, 0, 0, 0]]).0, Documented);
    assert_eq!(verdict(None, &[[32767, 0, 0, 32767]]).0, Documented);
    assert_eq!(verdict(None, &[[32766, 0, 0, 0]]).0, Documented);
}

#[test]
fn stream_9_is_no_evidence_beside_nodes_of_the_older_form() {
    let mut nodes: RawStream = table(1, 38, &NODE.repeat(2));
    nodes.attr[2] = 24;
    let file = archive(&[nodes, table(9, 32, &[0; 64])]);
    assert_eq!(found(&file, Auto).document.reading, Documented);
}

#[test]
fn what_is_asked_for_is_taken_against_all_evidence() {
    let file = case("plain");
    let found = found(&file, Documented);
    assert_eq!((found.document.reading, found.readings[0].why.as_str()), (Documented, "asked for"));
}
