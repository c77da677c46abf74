//! What differs, by name: nothing if and only if the files are equal.
#![cfg(all(feature = "parkan", feature = "fs"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

mod common;

use common::archive::{DATA_OFFSET, NAME, archive, peek, poke, record};
use common::{archives, nres, oddest, open};
use galvani::OpenOptions;
use galvani::diff::{Change, diff};
use proptest::prelude::*;
use serde_json::{Value, json};

fn changes(a: &[u8], b: &[u8]) -> Vec<Change> {
    diff(&open(a), &open(b), &OpenOptions::default()).unwrap()
}

/// Path, old, new and distance of every change.
fn rows(a: &[u8], b: &[u8]) -> Vec<(String, Value, Value, Option<f64>)> {
    changes(a, b).into_iter().map(|change| (change.path, change.old, change.new, change.distance)).collect()
}

fn row(path: &str, old: Value, new: Value, distance: Option<f64>) -> (String, Value, Value, Option<f64>) {
    (path.to_owned(), old, new, distance)
}

/// Bytes that differ, as a change shows them.
fn bytes(size: usize, offset: usize, hex: &str) -> Value {
    json!({"size": size, "offset": offset, "hex": hex})
}

#[test]
fn a_file_does_not_differ_from_itself() {
    for (name, file) in archives() {
        assert_eq!(changes(&file, &file), [], "{name}");
    }
}

#[test]
fn different_files_differ() {
    let archives = archives();
    for (i, (a, first)) in archives.iter().enumerate() {
        for (b, second) in archives.iter().skip(i + 1) {
            assert_eq!(changes(first, second).is_empty(), first == second, "{a} and {b}");
            assert_eq!(changes(second, first).is_empty(), first == second, "{b} and {a}");
        }
    }
}

#[test]
fn any_one_byte_makes_a_difference() {
    let mut compared = 0;
    for (name, file) in archives() {
        for at in 0..file.len() {
            let mut other = file.clone();
            other[at] ^= 0x01;
            if nres().open(&other, &OpenOptions::default()).is_ok() {
                assert!(!changes(&file, &other).is_empty(), "{name}: byte {at} makes no difference");
                compared += 1;
            }
        }
    }
    assert!(compared > 1000, "only {compared} files read");
}

/// Equal payloads under other records have no named value that differs, yet the files do.
#[test]
fn equal_payloads_that_swapped_places_differ() {
    let mut a = archive(&[("a", b"same"), ("b", b"same"), ("c", b"")]);
    a.extend(b"tail");
    let mut b = a.clone();
    let (first, second) = (record(&a, 0) + DATA_OFFSET, record(&a, 1) + DATA_OFFSET);
    poke(&mut b, first, peek(&a, second));
    poke(&mut b, second, peek(&a, first));
    assert!(!changes(&a, &b).is_empty());
}

#[test]
fn how_an_archive_is_laid_out_is_told_in_words() {
    let a = archive(&[("a", b"first..."), ("b", b"second..")]);
    let (first, second) = (record(&a, 0) + DATA_OFFSET, record(&a, 1) + DATA_OFFSET);
    let mut b = a.clone();
    poke(&mut b, first, peek(&a, second));
    poke(&mut b, second, peek(&a, first));
    b[16..32].copy_from_slice(b"second..first...");
    let order = row("layout.order", json!("as in the directory"), json!(["b", "a"]), None);
    assert_eq!(rows(&a, &b), [order]);
    let mut longer = a.clone();
    longer.extend(b"tail");
    let tail = row("tail", Value::Null, json!("4 bytes (7461696c) behind the directory"), None);
    assert_eq!(rows(&a, &longer), [tail]);
    // Bytes before the first entry, and behind it.
    let mut wide = a.clone();
    poke(&mut wide, second, peek(&a, first));
    let told = rows(&a, &wide);
    assert!(
        told.iter()
            .any(|(path, ..)| path == "layout.before the first entry" || path.starts_with("layout.behind")),
        "{told:?}"
    );
}

#[test]
fn nothing_of_the_folder_is_in_a_comparison() {
    let folder = ["canonical", "computed", "\"gap\"", "\"blocks\"", "\"lead\"", ".bin"];
    let cases = [("nres", archives())];
    #[cfg(feature = "ff7")]
    let cases = [&cases[..], &[("lgp", common::cases("lgp"))]].concat();
    for (id, archives) in cases {
        let format = galvani::formats::by_id(id).unwrap();
        let opened: Vec<_> =
            archives.iter().filter_map(|(_, file)| format.open(file, &OpenOptions::default()).ok()).collect();
        assert!(opened.len() > 5);
        for (a, b) in opened.iter().flat_map(|a| opened.iter().map(move |b| (a, b))) {
            for change in diff(a, b, &OpenOptions::default()).unwrap() {
                let told = format!("{} {} {}", change.path, change.old, change.new);
                assert!(!folder.iter().any(|word| told.contains(word)), "{told}");
            }
        }
    }
}

#[test]
fn a_renamed_entry_is_one_change() {
    let a = archive(&[("a", b"1"), ("b", b"2")]);
    let b = archive(&[("a", b"1"), ("z", b"2")]);
    assert_eq!(rows(&a, &b), [row("entries[1].name", json!("b"), json!("z"), None)]);
}

#[test]
fn a_replaced_payload_shows_the_bytes_from_where_they_differ() {
    let a = archive(&[("a", b"12345678"), ("b", b"2")]);
    let b = archive(&[("a", b"123X5678YZ"), ("b", b"2")]);
    let wanted =
        row("entries[0].payload", bytes(8, 3, "3435363738"), bytes(10, 3, "5835363738595a"), Some(3.0));
    assert_eq!(rows(&a, &b), [wanted]);
}

#[test]
fn a_changed_number_has_its_distance() {
    let a = archive(&[("a", b"1")]);
    let mut b = a.clone();
    let place = record(&a, 0) + 0x04;
    poke(&mut b, place, 12);
    assert_eq!(rows(&a, &b), [row("entries[0].attr1", json!(0), json!(12), Some(12.0))]);
    assert_eq!(rows(&b, &a), [row("entries[0].attr1", json!(12), json!(0), Some(12.0))]);
}

#[test]
fn the_largest_distance_is_exact() {
    let a = archive(&[("a", b"1")]);
    let mut b = a.clone();
    let place = record(&a, 0) + 0x10;
    poke(&mut b, place, 0xffff_ffff);
    assert_eq!(changes(&a, &b)[0].distance, Some(4_294_967_294.0));
}

#[test]
fn an_inserted_entry_is_one_change_under_its_new_index() {
    let a = archive(&[("b", b"1"), ("c", b"2")]);
    let b = archive(&[("a", b"0"), ("b", b"1"), ("c", b"2")]);
    let found = changes(&a, &b);
    let [change] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((change.path.as_str(), &change.old, change.distance), ("entries[0]", &Value::Null, None));
    assert_eq!((&change.new["name"], &change.new["payload"]), (&json!("a"), &json!("1 byte")));
}

#[test]
fn a_removed_entry_is_one_change_under_its_old_index() {
    let a = archive(&[("a", b"0"), ("b", b"1"), ("c", b"2")]);
    let b = archive(&[("a", b"0"), ("c", b"2")]);
    let found = changes(&a, &b);
    let [change] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((change.path.as_str(), &change.new, change.distance), ("entries[1]", &Value::Null, None));
    assert_eq!(change.old["name"], "b");
}

#[test]
fn entries_in_another_order_say_where_each_went() {
    let a = archive(&[("a", b"0"), ("b", b"1"), ("c", b"2")]);
    let b = archive(&[("c", b"2"), ("b", b"1"), ("a", b"0")]);
    let wanted = [
        row("entries[0].index", json!(0), json!(2), Some(2.0)),
        row("entries[2].index", json!(2), json!(0), Some(2.0)),
    ];
    assert_eq!(rows(&a, &b), wanted);
}

#[test]
fn a_change_inside_a_nested_archive_is_named_all_the_way() {
    let nest = |name: &str| {
        let inner = archive(&[("x", b"1"), (name, b"2")]);
        let middle = archive(&[("in.rlb", &inner)]);
        archive(&[("note", b"n"), ("mid.rlb", &middle)])
    };
    let wanted =
        row("entries[1].payload.entries[0].payload.entries[1].name", json!("old"), json!("new"), None);
    assert_eq!(rows(&nest("old"), &nest("new")), [wanted]);
}

#[test]
fn nested_archives_of_equal_payloads_that_swapped_places_differ() {
    let mut inner = archive(&[("a", b"same"), ("b", b"same")]);
    inner.extend(b"tail");
    let mut other = inner.clone();
    let (first, second) = (record(&inner, 0) + DATA_OFFSET, record(&inner, 1) + DATA_OFFSET);
    poke(&mut other, first, peek(&inner, second));
    poke(&mut other, second, peek(&inner, first));
    let found = changes(&archive(&[("in", &inner)]), &archive(&[("in", &other)]));
    assert!(found.iter().all(|change| change.path.starts_with("entries[0].payload")), "{found:?}");
    assert!(!found.is_empty());
}

#[test]
fn several_changes_come_in_the_order_of_the_first_file() {
    let a = oddest();
    let mut b = a.clone();
    let (first, last) = (record(&a, 0), record(&a, 8));
    poke(&mut b, 4, 0x100);
    poke(&mut b, first + 0x04, 5);
    b[last + NAME] = b'X';
    let paths: Vec<String> = changes(&a, &b).into_iter().map(|change| change.path).collect();
    assert_eq!(paths, ["version", "entries[0].attr1", "entries[8].name"]);
}

/// Small archives of few names and payloads, so that equal ones and near misses are common.
fn small() -> impl Strategy<Value = Vec<u8>> {
    let entry = ("[abAB]", "[xy]{0,2}");
    (prop::collection::vec(entry, 0..4), prop::collection::vec(0..2_u8, 0..2)).prop_map(|(entries, tail)| {
        let entries: Vec<(&str, &[u8])> =
            entries.iter().map(|(name, payload)| (name.as_str(), payload.as_bytes())).collect();
        let mut file = archive(&entries);
        file.extend(tail);
        file
    })
}

proptest! {
    #[test]
    fn there_are_no_changes_if_and_only_if_files_are_equal(a in small(), b in small()) {
        prop_assert_eq!(changes(&a, &b).is_empty(), a == b);
    }

    #[test]
    fn there_are_as_many_changes_backwards(a in small(), b in small()) {
        prop_assert_eq!(changes(&a, &b).is_empty(), changes(&b, &a).is_empty());
    }
}

#[cfg(feature = "ff7")]
#[test]
fn texts_differ_line_by_line() {
    let format = galvani::formats::by_id("ff7-hrc").unwrap();
    let open = |text: &str| format.open(text.as_bytes(), &OpenOptions::default()).unwrap();
    let text = |bones: &str| format!(":HEADER_BLOCK 2\r\n:SKELETON boat\r\n:BONES 1\r\n\r\n{bones}");
    let rows = |a: &str, b: &str| -> Vec<(String, Value, Value)> {
        let found = diff(&open(&text(a)), &open(&text(b)), &OpenOptions::default()).unwrap();
        found.into_iter().map(|change| (change.path, change.old, change.new)).collect()
    };
    let bone = "hip\r\nroot\r\n4.5\r\n1 AAAA\r\n";
    assert_eq!(
        rows(bone, "hip\r\nroot\r\n12\r\n1 AAAA\r\n"),
        [("lines[7]".to_owned(), json!("4.5"), json!("12"))]
    );
    assert_eq!(
        rows(bone, "hip\r\n# on its own\r\nroot\r\n4.5\r\n1 AAAA\r\n"),
        [("lines[6]".to_owned(), Value::Null, json!("# on its own"))]
    );
    assert_eq!(rows(bone, bone), []);
    // Ends of lines are told as bytes.
    assert_eq!(rows(bone, "hip\nroot\r\n4.5\r\n1 AAAA\r\n").len(), 1);
}
