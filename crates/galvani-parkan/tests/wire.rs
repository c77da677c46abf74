//! Values and the bytes they are, from an assembler that knows nothing of our writer.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

mod common;

use common::{document, named};
use galvani_core::ReadOptions;
use galvani_parkan::nres::{Archive, Block, Document, Entry, Name, NewEntry, Payload, read, write};
use galvani_testkit::{assemble, round_trips};

const TEXM: u32 = 0x6d78_6554;

fn worked_example() -> Vec<u8> {
    assemble(include_str!("../../../testdata/nres/worked-example/build.txt"))
}

fn worked_document() -> Document {
    let name = |text: &[u8]| Name::new(text).unwrap();
    let held = |block, len| Payload::Held { block, start: 0, len };
    Document {
        version: 0x100,
        lead: vec![],
        blocks: vec![
            Block { bytes: b"xyz".to_vec(), gap: vec![0; 5] },
            Block { bytes: b"12345678".to_vec(), gap: vec![] },
            Block { bytes: vec![], gap: vec![] },
        ],
        entries: vec![
            Entry {
                type_id: TEXM,
                attr1: 0,
                attr2: 0,
                attr3: 1,
                name: name(b"b.0"),
                payload: held(0, 3),
                sort_index: 1,
            },
            Entry {
                type_id: 2,
                attr1: 7,
                attr2: 0,
                attr3: 68,
                name: name(b"A_1"),
                payload: held(1, 8),
                sort_index: 2,
            },
            Entry {
                type_id: 1,
                attr1: 1,
                attr2: 0,
                attr3: 38,
                name: name(b"AA"),
                payload: held(2, 0),
                sort_index: 0,
            },
        ],
        tail: vec![],
    }
}

#[test]
fn the_listing_is_the_worked_example_of_the_facts() {
    let mut wanted = Vec::new();
    let hex = |bytes: &mut Vec<u8>, text: &str| {
        bytes.extend(galvani_core::text::from_hex(&text.replace(' ', "")).unwrap());
    };
    hex(&mut wanted, "4e526573 00010000 03000000 e0000000 78797a0000000000 3132333435363738");
    hex(&mut wanted, "5465786d 00000000 00000000 03000000 01000000");
    wanted.extend([&b"b.0"[..], &[0; 33]].concat());
    hex(&mut wanted, "10000000 01000000 02000000 07000000 00000000 08000000 44000000");
    wanted.extend([&b"A_1"[..], &[0; 33]].concat());
    hex(&mut wanted, "18000000 02000000 01000000 01000000 00000000 00000000 26000000");
    wanted.extend([&b"AA"[..], &[0; 34]].concat());
    hex(&mut wanted, "20000000 00000000");
    assert_eq!(wanted.len(), 224);
    assert_eq!(worked_example(), wanted);
}

#[test]
fn the_worked_example_reads_as_its_document() {
    assert_eq!(document(&worked_example()), worked_document());
}

#[test]
fn the_document_of_the_worked_example_writes_its_bytes() {
    assert_eq!(write(&worked_document()).unwrap(), worked_example());
}

#[test]
fn the_same_archive_built_by_pushing_entries_has_the_same_bytes() {
    let mut built = Document::default();
    let new = |type_id, attr1, attr3, name: &[u8]| NewEntry {
        type_id,
        attr1,
        attr2: 0,
        attr3,
        name: Name::new(name).unwrap(),
    };
    built.push(new(TEXM, 0, 1, b"b.0"), b"xyz".to_vec()).unwrap();
    built.push(new(2, 7, 68, b"A_1"), b"12345678".to_vec()).unwrap();
    built.push(new(1, 1, 38, b"AA"), vec![]).unwrap();
    assert_eq!(write(&built).unwrap(), worked_example());
    assert_eq!(built, worked_document());
}

#[test]
fn the_underscore_stands_before_the_letters_of_both_cases() {
    assert_eq!(sort_table(&["b.0", "A_1", "AA"]), [1, 2, 0]);
    assert_eq!(sort_table(&["za", "z_", "ZB", "Z["]), [3, 1, 0, 2]);
}

#[test]
fn equal_names_stand_in_directory_order_and_a_prefix_before_what_it_begins() {
    assert_eq!(sort_table(&["tank.msh", "TANK", "tank", "Tank.wea"]), [1, 2, 0, 3]);
}

#[test]
fn bytes_beyond_ascii_are_not_folded_and_stand_last() {
    let mut document = Document::default();
    for name in [&b"\xe0"[..], b"\xc0", b"z"] {
        document.push(NewEntry { name: Name::new(name).unwrap(), ..named("x") }, vec![]).unwrap();
    }
    assert_eq!(document.entries.iter().map(|entry| entry.sort_index).collect::<Vec<_>>(), [2, 1, 0]);
}

/// Slot *i* names the entry at place *i*, not the place of entry *i*: the other reading gives 2 0 1 here.
#[test]
fn a_slot_names_an_entry_and_not_a_place() {
    let names = ["c", "a", "b"];
    let table = sort_table(&names);
    let listed: Vec<&str> = table.iter().map(|&index| names[usize::try_from(index).unwrap()]).collect();
    assert_eq!(listed, ["a", "b", "c"]);
    assert_eq!(table, [1, 2, 0]);
}

#[test]
fn the_empty_archive_is_sixteen_bytes() {
    let file = assemble("tag NRes\nu32 0x100\ni32 0\nu32 16");
    assert_eq!(file.len(), 16);
    assert_eq!(write(&Document::default()).unwrap(), file);
    assert_eq!(document(&file), Document::default());
}

#[test]
fn an_archive_inside_an_archive_reads_from_its_payload() {
    let file = common::cases::case("nested");
    let outer = document(&file);
    let inner = document(outer.payload(0).unwrap());
    assert_eq!(inner.find_type(8), Some(1));
    assert_eq!(inner.payload(1).unwrap().len(), 24);
    assert_eq!(write(&inner).unwrap(), outer.payload(0).unwrap());
}

#[test]
fn the_opened_archive_shows_what_the_document_holds() {
    let file = worked_example();
    let archive = Archive::open(&file).unwrap();
    assert_eq!((archive.directory_offset(), archive.entries().len()), (0x20, 3));
    assert_eq!(archive.payload(0), Some(&b"xyz"[..]));
    assert_eq!(archive.payload(2), Some(&[][..]));
    assert_eq!(archive.payload(3), None);
    assert_eq!(archive.find(b"a_1"), Some(1));
    assert_eq!(archive.find_type(TEXM), Some(0));
}

#[test]
fn every_byte_of_the_worked_example_has_a_name() {
    let file = worked_example();
    let found = round_trips(&file, |file| read(file, &ReadOptions::default()), write);
    let mut names = Vec::new();
    found.map.rows(&file, |row| names.push(format!("{:02x} {}", row.offset, row.path)));
    assert_eq!(
        names[..4],
        ["00 header.magic", "04 header.version", "08 header.entry_count", "0c header.total_size"]
    );
    assert_eq!(names[4..7], ["10 payloads[0]", "13 gaps[0]", "18 payloads[1]"]);
    assert!(names.contains(&"a4 entries[2].attr1".to_owned()), "{names:?}");
}

fn sort_table(names: &[&str]) -> Vec<u32> {
    let mut document = Document::default();
    for name in names {
        document.push(named(name), vec![]).unwrap();
    }
    document.entries.iter().map(|entry| entry.sort_index).collect()
}
