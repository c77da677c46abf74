//! Each edit by example: what it changes, and that it changes nothing else.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

mod common;

use common::cases::case;
use common::{document, error_count, named};
use galvani_core::EditError;
use galvani_parkan::nres::{Attribute, Document, Name, Payload, check, write};

/// The worked example: `b.0` with `xyz` at 0x10, `A_1` with eight digits at 0x18, `AA` empty at 0x20; the
/// directory at 0x20.
fn example() -> Document {
    document(&case("worked-example"))
}

/// Where the two, written, differ.
fn changed(before: &Document, after: &Document) -> Vec<usize> {
    galvani_testkit::differences(&write(before).unwrap(), &write(after).unwrap())
}

fn name(text: &str) -> Name {
    Name::new(text.as_bytes()).unwrap()
}

fn payloads(document: &Document) -> Vec<&[u8]> {
    (0..document.entries.len()).map(|i| document.payload(i).unwrap()).collect()
}

/// The written document reads back as itself.
fn comes_back(document: &Document) {
    assert_eq!(&common::document(&write(document).unwrap()), document);
}

fn refusal(result: Result<(), EditError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn replacing_with_as_many_bytes_changes_exactly_those() {
    let mut edited = example();
    edited.replace(1, b"1234ABCD".to_vec()).unwrap();
    assert_eq!(changed(&example(), &edited), [0x1c, 0x1d, 0x1e, 0x1f]);
}

#[test]
fn replacing_keeps_gaps_that_are_not_padding() {
    let before = document(&case("unindexed"));
    let mut edited = before.clone();
    edited.replace(0, b"AAA".to_vec()).unwrap();
    assert_eq!(changed(&before, &edited), [0x20, 0x21, 0x22]);
    edited.replace(0, b"longer than before".to_vec()).unwrap();
    assert_eq!(edited.blocks[0].gap, [0, 0xff, 0, 0, 0, 0]);
    assert_eq!(payloads(&edited), [&b"longer than before"[..], b"bbbbbbbb"]);
    comes_back(&edited);
}

#[test]
fn replacing_with_more_or_fewer_bytes_moves_what_follows_by_multiples_of_eight() {
    for len in 0..40 {
        let mut edited = example();
        edited.replace(0, vec![7; len]).unwrap();
        let file = write(&edited).unwrap();
        assert_eq!(file.len(), 16 + len.next_multiple_of(8) + 8 + 3 * 64, "{len}");
        assert!(edited.has_canonical_layout());
        comes_back(&edited);
    }
}

#[test]
fn replacing_what_leads_outside_gives_it_bytes_in_the_archive() {
    let mut edited = document(&case("payload-outside"));
    assert_eq!(error_count(&edited), 3);
    edited.replace(1, b"here".to_vec()).unwrap();
    assert_eq!(edited.payload(1), Some(&b"here"[..]));
    assert_eq!(edited.payload(0), Some(&b"12345678"[..]));
    assert_eq!(error_count(&edited), 2);
}

#[test]
fn renaming_changes_the_name_and_the_sort_table_alone() {
    let mut edited = example();
    edited.rename(2, name("zz")).unwrap();
    // The name at 0xb4, and the slots of the last two records: `AA` left slot 1 for slot 2.
    assert_eq!(changed(&example(), &edited), [0x9c, 0xb4, 0xb5, 0xdc]);
    assert_eq!(edited.entries.iter().map(|entry| entry.sort_index).collect::<Vec<_>>(), [1, 0, 2]);
    comes_back(&edited);
}

#[test]
fn setting_a_field_changes_its_four_bytes_alone() {
    let fields = [
        (Attribute::TypeId, 0x00),
        (Attribute::Attr1, 0x04),
        (Attribute::Attr2, 0x08),
        (Attribute::Attr3, 0x10),
    ];
    for (attribute, at) in fields {
        let mut edited = example();
        edited.set(1, attribute, 0xdddd_dddd).unwrap();
        let at = 0x20 + 64 + at;
        assert_eq!(changed(&example(), &edited), [at, at + 1, at + 2, at + 3], "{attribute:?}");
    }
}

#[test]
fn rebuilding_the_sort_table_changes_the_slots_alone() {
    let before = document(&case("sort-table-order"));
    let mut edited = before.clone();
    edited.rebuild_sort_table();
    assert_eq!(changed(&before, &edited), [0x54, 0x94]);
    assert_eq!(check(&edited).findings(), []);
}

#[test]
fn an_inserted_payload_follows_that_of_the_entry_before_it() {
    let mut edited = example();
    edited.insert(1, named("new"), b"new".to_vec()).unwrap();
    assert_eq!(payloads(&edited), [&b"xyz"[..], b"new", b"12345678", b""]);
    assert_eq!(write(&edited).unwrap()[0x10..0x28], *b"xyz\0\0\0\0\0new\0\0\0\0\x0012345678");
    assert!(edited.has_canonical_layout());
    comes_back(&edited);
}

#[test]
fn an_inserted_payload_stands_at_a_multiple_of_eight_behind_odd_gaps() {
    let mut edited = document(&case("layout"));
    edited.insert(2, named("new"), b"new".to_vec()).unwrap();
    let file = write(&edited).unwrap();
    assert_eq!(file[0x10..0x23], *b"bbb\0\0\0\0\0new\0\0\0\0\0ccc");
    assert_eq!(payloads(&edited), [&b"aaaaaaaa"[..], b"bbb", b"new", b"cccc"]);
    comes_back(&edited);
}

#[test]
fn what_is_inserted_and_removed_again_leaves_no_trace() {
    for index in 0..=3 {
        let mut edited = example();
        edited.insert(index, named("guest"), b"some bytes".to_vec()).unwrap();
        edited.remove(index).unwrap();
        assert_eq!(edited, example(), "{index}");
    }
}

#[test]
fn removing_takes_the_payload_and_its_padding() {
    let mut edited = example();
    edited.remove(0).unwrap();
    assert_eq!(payloads(&edited), [&b"12345678"[..], b""]);
    assert_eq!(write(&edited).unwrap().len(), 16 + 8 + 2 * 64);
    comes_back(&edited);
}

#[test]
fn removing_all_entries_keeps_the_region_that_none_of_them_owned() {
    let mut edited = document(&case("unindexed"));
    edited.remove(1).unwrap();
    edited.remove(0).unwrap();
    assert_eq!((edited.entries.len(), edited.blocks.len()), (0, 0));
    assert_eq!(edited.lead, b"old\0textures\0\0\0\0\0\0\0\xff\0\0\0\0");
    comes_back(&edited);
}

#[test]
fn removing_the_last_entry_of_all_leaves_the_empty_archive() {
    let mut edited = Document::default();
    edited.push(named("only"), b"bytes".to_vec()).unwrap();
    edited.remove(0).unwrap();
    assert_eq!(edited, Document::default());
}

#[test]
fn the_tail_stays_behind_the_directory_through_edits() {
    let mut edited = document(&case("tail"));
    edited.push(named("two.txt"), b"two".to_vec()).unwrap();
    assert!(write(&edited).unwrap().ends_with(&[0xde, 0xad, 0xbe, 0xef, 0]));
    comes_back(&edited);
}

#[test]
fn reordering_takes_the_payloads_along_where_they_are_in_order() {
    let mut edited = example();
    edited.reorder(1, 0).unwrap();
    assert_eq!(payloads(&edited), [&b"12345678"[..], b"xyz", b""]);
    assert!(edited.has_canonical_layout());
    assert_eq!(write(&edited).unwrap()[0x10..0x1b], *b"12345678xyz");
    edited.reorder(0, 1).unwrap();
    assert_eq!(edited, example());
}

#[test]
fn reordering_moves_no_payload_where_they_are_not() {
    let before = document(&case("layout"));
    let mut edited = before.clone();
    edited.reorder(0, 2).unwrap();
    assert_eq!(edited.blocks, before.blocks);
    assert_eq!(payloads(&edited), [&b"bbb"[..], b"cccc", b"aaaaaaaa"]);
    comes_back(&edited);
}

/// Nothing in the file tells empty payloads at one place apart but the directory's order.
#[test]
fn empty_payloads_that_come_to_lie_at_one_place_stand_in_directory_order() {
    let empty = |document: &mut Document, index| document.replace(index, vec![]).unwrap();
    let mut edited = document(&case("layout"));
    for index in [2, 1, 0] {
        empty(&mut edited, index);
    }
    edited.blocks.iter_mut().for_each(|block| block.gap.clear());
    empty(&mut edited, 0);
    let block = |i: usize| match edited.entries[i].payload {
        Payload::Held { block, .. } => block,
        Payload::Outside { .. } => panic!("held before"),
    };
    assert_eq!([block(0), block(1), block(2)], [0, 1, 2]);
    comes_back(&edited);
}

/// `a` has bytes 0 to 15, `b` 8 to 23, `c` the same as `a`, `d` 16 to 19, `e` none, at 8.
fn shared() -> Document {
    document(&case("payload-overlap"))
}

#[test]
fn replacing_a_shared_payload_leaves_the_others_their_bytes() {
    for index in 0..5 {
        let mut edited = shared();
        edited.replace(index, b"own".to_vec()).unwrap();
        for other in 0..5 {
            let wanted = if other == index { Some(&b"own"[..]) } else { None };
            assert_eq!(edited.payload(other), wanted.or(shared().payload(other)), "{index}, {other}");
        }
        comes_back(&edited);
    }
}

#[test]
fn removing_shared_payloads_drops_only_what_nobody_else_has() {
    let mut edited = shared();
    edited.remove(1).unwrap();
    // Bytes 20 to 23 were only `b`'s; `d` and `a` no longer touch, so each has its own place.
    let blocks: Vec<&[u8]> = edited.blocks.iter().map(|block| block.bytes.as_slice()).collect();
    assert_eq!(blocks, [&(0..16).collect::<Vec<u8>>()[..], &[16, 17, 18, 19]]);
    let kept = [0, 2, 3, 4].map(|i| shared().payload(i).unwrap().to_vec());
    assert_eq!(payloads(&edited), kept);
    comes_back(&edited);
}

#[test]
fn the_canonical_form_gives_everyone_their_own_bytes() {
    let mut edited = shared();
    assert_eq!(edited.make_canonical().unwrap().findings(), []);
    assert_eq!(edited.blocks.len(), 5);
    assert_eq!(payloads(&edited), payloads(&shared()));
    assert_eq!(check(&edited).findings(), []);
}

#[test]
fn the_canonical_form_says_what_it_drops() {
    let told = |name: &str| -> Vec<String> {
        let report = document(&case(name)).make_canonical().unwrap();
        report.findings().iter().map(ToString::to_string).collect()
    };
    assert_eq!(told("worked-example"), [""; 0]);
    assert_eq!(told("layout"), [""; 0]);
    assert_eq!(told("unindexed"), ["file: nres.lost-bytes: 21 bytes dropped"]);
    assert_eq!(told("tail"), ["file: nres.lost-bytes: 5 bytes dropped"]);
    assert_eq!(told("names"), ["entries[2].name: nres.lost-bytes: bytes behind the NUL of `b.txt` zeroed"]);
}

#[test]
fn the_canonical_form_keeps_records_that_lead_outside_as_they_stand() {
    let mut edited = document(&case("payload-outside"));
    edited.make_canonical().unwrap();
    assert_eq!(edited.entries[1].payload, Payload::Outside { offset: 8, size: 8 });
    comes_back(&edited);
}

#[test]
fn an_entry_that_is_not_there_is_named_and_nothing_changes() {
    let mut edited = example();
    let wanted = "entries[3]: nres.no-entry: entry 3 of 3";
    assert_eq!(refusal(edited.remove(3)), wanted);
    assert_eq!(refusal(edited.replace(3, vec![])), wanted);
    assert_eq!(refusal(edited.rename(3, name("x"))), wanted);
    assert_eq!(refusal(edited.reorder(3, 0)), wanted);
    assert_eq!(refusal(edited.reorder(0, 3)), wanted);
    assert_eq!(refusal(edited.set(3, Attribute::Attr1, 0)), wanted);
    assert_eq!(refusal(edited.insert(4, named("x"), vec![])), "entries[4]: nres.no-entry: entry 4 of 3");
    assert_eq!(edited, example());
}

#[test]
fn a_name_has_one_to_thirty_five_bytes_and_no_nul() {
    let refusal = |text: &[u8]| Name::new(text).unwrap_err().to_string();
    assert_eq!(Name::new(&[b'x'; 35]).unwrap().text(), [b'x'; 35]);
    assert_eq!(refusal(&[b'x'; 36]), "name: nres.name-too-long: 36 bytes, 35 fit beside the NUL");
    assert_eq!(refusal(b""), "name: nres.name-refused: `` is empty or has a NUL inside");
    assert_eq!(refusal(b"a\0b"), "name: nres.name-refused: `a` is empty or has a NUL inside");
}

#[test]
fn a_document_put_together_wrongly_is_not_written() {
    let mut torn = example();
    for payload in [
        Payload::Held { block: 3, start: 0, len: 0 },
        Payload::Held { block: 1, start: 1, len: 8 },
        Payload::Held { block: 1, start: usize::MAX, len: 1 },
    ] {
        torn.entries[1].payload = payload;
        let error = write(&torn).unwrap_err();
        assert_eq!(error.cause.code, &check::PAYLOAD_LOST, "{payload:?}");
        assert_eq!(error.cause.path.to_string(), "payloads[1]");
    }
}
