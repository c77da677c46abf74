//! A file as a folder of named values: untouched it builds the same file, and every named value is the
//! bytes it is said to be.
#![cfg(all(feature = "parkan", feature = "fs"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

mod common;

use common::archive::{DATA_OFFSET, NAME, SIZE, SORT_INDEX, archive, peek, poke, record};
use common::{archives, nres, oddest, open, unpack};
use galvani::formats::Folder;
use galvani::{ReadOptions, codes, text};
use serde_json::{Value, json};

#[test]
fn an_untouched_folder_builds_the_same_file() {
    for (name, file) in archives() {
        assert!(nres().pack(&unpack(&file)).unwrap() == file, "{name} changed");
    }
}

#[test]
fn a_folder_survives_the_disk() {
    for (name, file) in archives() {
        let disk = tempfile::TempDir::new().unwrap();
        galvani::fs::write_folder(
            &unpack(&file),
            &galvani::fs::Tree::new(disk.path()),
            &galvani::fs::Overwrite::default(),
        )
        .unwrap();
        let folder =
            galvani::fs::read_folder(disk.path(), galvani::fs::Follow::No, &ReadOptions::default()).unwrap();
        assert_eq!(folder, unpack(&file), "{name}");
        assert!(nres().pack(&folder).unwrap() == file, "{name} changed");
    }
}

/// What the oddest archive shows is in its manifest: else the walks below would prove too little.
#[test]
fn the_oddest_archive_has_every_kind_of_value() {
    let manifest = unpack(&oddest()).manifest.to_string();
    let kinds = [
        "\"hex\":",
        "\"start\":",
        "\"offset\":",
        "\"gaps/",
        "\"align\"",
        "\"lead\":",
        "\"tail\":",
        "\"sort_table\":[",
        "\"type\":19",
        "\"Texm\"",
    ];
    for kind in kinds {
        assert!(manifest.contains(kind), "no {kind} in {manifest}");
    }
}

#[test]
fn changing_one_value_changes_its_bytes_and_no_others() {
    let mut changed = 0;
    for (name, file) in archives() {
        let folder = unpack(&file);
        for pointer in leaves(&folder.manifest) {
            let mut edited = folder.clone();
            let leaf = edited.manifest.pointer_mut(&pointer).unwrap();
            *leaf = other(leaf, &pointer, &folder);
            let new = edited.manifest.pointer(&pointer).unwrap().clone();
            match (expected(&file, &folder, &pointer, &new), nres().pack(&edited)) {
                (Some(wanted), Ok(packed)) => {
                    // An empty archive has an empty sort table, listed or computed.
                    assert!(packed != file || new == json!([]), "{name}{pointer}: {new} changes nothing");
                    assert!(packed == wanted, "{name}{pointer}: {new} changes other bytes");
                    changed += 1;
                }
                (None, Err(error)) => {
                    assert_eq!(error.cause.code, &codes::MANIFEST, "{name}{pointer}: {error}");
                }
                (None, Ok(_)) => panic!("{name}{pointer}: {new} was taken"),
                // A record that pointed nowhere must not be made to point into other entries' bytes.
                (Some(_), Err(error)) if pointer.contains("/payload/") => {
                    assert_eq!(error.cause.code.name, "nres.payload-stray", "{name}{pointer}: {error}");
                }
                (Some(_), Err(error)) => panic!("{name}{pointer}: {new} was refused: {error}"),
            }
        }
    }
    assert!(changed > 200, "only {changed} values were changed");
}

/// JSON pointers of everything that is no object and no list with something in it.
fn leaves(value: &Value) -> Vec<String> {
    let under =
        |key: String, value: &Value| leaves(value).into_iter().map(move |rest| format!("/{key}{rest}"));
    match value {
        Value::Object(object) => object.iter().flat_map(|(key, value)| under(key.clone(), value)).collect(),
        Value::Array(list) => {
            list.iter().enumerate().flat_map(|(i, value)| under(i.to_string(), value)).collect()
        }
        _ => vec![String::new()],
    }
}

/// Another value of the same kind.
fn other(old: &Value, pointer: &str, folder: &Folder) -> Value {
    let steps: Vec<&str> = pointer.split('/').skip(1).collect();
    match (steps.as_slice(), old) {
        (["entries", _, "name"], _) => json!("m changed"),
        (["entries", _, "type"], Value::String(tag)) => json!(tag.chars().rev().collect::<String>()),
        // Nothing to change: a byte more would move what follows.
        ([.., "hex"], Value::String(hex)) if hex.is_empty() => json!("strange"),
        ([.., "hex"], Value::String(hex)) => json!(flipped(hex)),
        (["sort_table"], _) => json!(vec![7_000; folder.manifest["entries"].as_array().unwrap().len()]),
        (["entries", _, "payload", "start" | "len"], _) => {
            let payload = folder.manifest.pointer(pointer.rsplit_once('/').unwrap().0).unwrap();
            let end = payload["start"].as_u64().unwrap() + payload["len"].as_u64().unwrap();
            let room = folder.files[payload["file"].as_str().unwrap()].len();
            let number = old.as_u64().unwrap();
            if end < u64::try_from(room).unwrap() { json!(number + 1) } else { json!(number - 1) }
        }
        (_, Value::Number(number)) => json!(number.as_u64().unwrap() ^ 1),
        (_, Value::String(word)) => json!(format!("{word}-strange")),
        (_, other) => panic!("{pointer}: a leaf of {other}"),
    }
}

fn flipped(hex: &str) -> String {
    let mut bytes = text::from_hex(hex).unwrap();
    *bytes.last_mut().unwrap_or_else(|| panic!("nothing to flip")) ^= 0xff;
    text::hex(&bytes)
}

/// The file with one value changed by hand; `None` where the value makes no sense.
fn expected(file: &[u8], folder: &Folder, pointer: &str, new: &Value) -> Option<Vec<u8>> {
    let mut wanted = file.to_vec();
    let steps: Vec<&str> = pointer.split('/').skip(1).collect();
    let index = |step: &str| step.parse::<usize>().unwrap();
    let number = || usize::try_from(new.as_u64().unwrap()).unwrap();
    match steps.as_slice() {
        ["version"] => poke(&mut wanted, 4, number()),
        ["entries", i, "name"] => {
            let (at, name) = (record(file, index(i)) + NAME, new.as_str().unwrap());
            wanted[at..at + 36].fill(0);
            wanted[at..at + name.len()].copy_from_slice(name.as_bytes());
            sort_if_computed(&mut wanted, folder);
        }
        ["entries", i, "name", "hex"] => {
            let at = record(file, index(i)) + NAME;
            wanted[at..at + 36].copy_from_slice(&text::from_hex(new.as_str().unwrap()).unwrap());
            sort_if_computed(&mut wanted, folder);
        }
        ["entries", i, "type"] => {
            let tag = new.as_str().map(|tag| tag.as_bytes().to_vec());
            let bytes = tag.unwrap_or_else(|| u32::try_from(number()).unwrap().to_le_bytes().to_vec());
            let at = record(file, index(i));
            wanted[at..at + 4].copy_from_slice(&bytes);
        }
        ["entries", i, "attr1"] => poke(&mut wanted, record(file, index(i)) + 0x04, number()),
        ["entries", i, "attr2"] => poke(&mut wanted, record(file, index(i)) + 0x08, number()),
        ["entries", i, "attr3"] => poke(&mut wanted, record(file, index(i)) + 0x10, number()),
        ["entries", i, "payload", "start"] => {
            let old = usize::try_from(folder.manifest.pointer(pointer)?.as_u64()?).unwrap();
            let at = record(file, index(i)) + DATA_OFFSET;
            poke(&mut wanted, at, peek(file, at) - old + number());
        }
        ["entries", i, "payload", "offset"] => {
            poke(&mut wanted, record(file, index(i)) + DATA_OFFSET, number());
        }
        ["entries", i, "payload", "len" | "size"] => {
            poke(&mut wanted, record(file, index(i)) + SIZE, number());
        }
        ["sort_table"] => {
            for i in 0..peek(file, 8) {
                poke(&mut wanted, record(file, i) + SORT_INDEX, 7_000);
            }
        }
        ["sort_table", i] => poke(&mut wanted, record(file, index(i)) + SORT_INDEX, number()),
        ["layout", gap @ .., "hex"] => {
            let at = gap_place(folder, gap);
            let bytes = text::from_hex(new.as_str().unwrap())?;
            wanted[at..at + bytes.len()].copy_from_slice(&bytes);
        }
        // Names of files that are not there, and words that nobody knows.
        ["format" | "layout" | "tail"] | ["entries", _, "payload", ..] | ["layout", ..] => return None,
        other => panic!("{other:?} is a value that this test does not know"),
    }
    Some(wanted)
}

/// Entry indices by folded name, where the manifest leaves the table to be computed.
fn sort_if_computed(file: &mut [u8], folder: &Folder) {
    if folder.manifest["sort_table"] != "computed" {
        return;
    }
    let name = |i: usize| {
        let at = record(file, i) + NAME;
        file[at..at + 36].split(|&byte| byte == 0).next().unwrap().to_ascii_lowercase()
    };
    let mut slots: Vec<usize> = (0..peek(file, 8)).collect();
    slots.sort_by_key(|&i| (name(i), i));
    for (i, entry) in slots.into_iter().enumerate() {
        poke(file, record(file, i) + SORT_INDEX, entry);
    }
}

/// Where a gap of a listed layout starts: behind everything that is listed before it.
fn gap_place(folder: &Folder, gap: &[&str]) -> usize {
    let layout = &folder.manifest["layout"];
    let end = |at: usize, gap: &Value| match (gap.as_str(), gap["hex"].as_str(), gap["file"].as_str()) {
        (Some(_), ..) => at.next_multiple_of(8),
        (_, Some(hex), _) => at + hex.len() / 2,
        (_, _, Some(file)) => at + folder.files[file].len(),
        _ => panic!("{gap} is no gap"),
    };
    let ["blocks", wanted, "gap"] = gap else { return 16 };
    let mut at = end(16, &layout["lead"]);
    for (i, block) in layout["blocks"].as_array().unwrap().iter().enumerate() {
        at += folder.files[block["file"].as_str().unwrap()].len();
        if wanted.parse() == Ok(i) {
            return at;
        }
        at = end(at, &block["gap"]);
    }
    panic!("no block {wanted}")
}

#[test]
fn changing_one_byte_of_a_file_changes_that_byte() {
    let mut changed = 0;
    for (name, file) in archives() {
        let folder = unpack(&file);
        for (path, bytes) in folder.files.iter().filter(|(_, bytes)| !bytes.is_empty()) {
            let mut edited = folder.clone();
            edited.files.get_mut(path).unwrap()[0] ^= 0xff;
            let packed = nres().pack(&edited).unwrap();
            let differing: Vec<usize> = (0..file.len()).filter(|&at| file[at] != packed[at]).collect();
            let [at] = differing[..] else { panic!("{name}: {path} changed {differing:?}") };
            assert_eq!(packed.len(), file.len(), "{name}: {path}");
            assert_eq!(file[at..at + bytes.len()], bytes[..], "{name}: {path} is not what stands there");
            changed += 1;
        }
    }
    assert!(changed > 20, "only {changed} files were changed");
}

/// Computed from a payload's length: its size, the padding, and the place of all that follows.
#[test]
fn a_longer_payload_moves_what_follows() {
    let mut folder = unpack(&archive(&[("a", b"1234567"), ("b", b"x"), ("c", b"yy")]));
    folder.files.insert("payloads/0000-a".to_owned(), b"123456789".to_vec());
    let wanted = archive(&[("a", b"123456789"), ("b", b"x"), ("c", b"yy")]);
    assert!(nres().pack(&folder).unwrap() == wanted);
}

#[test]
fn a_value_shows_in_the_dump_under_its_own_name() {
    let file = oddest();
    let rows = |file: &[u8]| {
        let mut rows = Vec::new();
        open(file).map.rows(file, |row| rows.push((row.path.to_string(), format!("{:?}", row.value))));
        rows
    };
    let before = rows(&file);
    for field in ["attr1", "attr2", "attr3"] {
        for i in 0..9 {
            let mut folder = unpack(&file);
            folder.manifest["entries"][i][field] = json!(77_777);
            let after = rows(&nres().pack(&folder).unwrap());
            let changed: Vec<_> = before.iter().zip(&after).filter(|(old, new)| old != new).collect();
            let [(_, (path, value))] = changed[..] else { panic!("{field} of {i}: {changed:?}") };
            assert_eq!((path.as_str(), value.as_str()), (&*format!("entries[{i}].{field}"), "Int(77777)"));
        }
    }
}

#[test]
fn an_added_entry_is_built_like_the_others() {
    let mut folder = unpack(&archive(&[("b", b"1"), ("c", b"2")]));
    let mut row = folder.manifest["entries"][0].clone();
    row["name"] = json!("a");
    row["payload"] = json!("mine.bin");
    folder.manifest["entries"].as_array_mut().unwrap().push(row);
    folder.files.insert("mine.bin".to_owned(), b"mine".to_vec());
    assert!(nres().pack(&folder).unwrap() == archive(&[("b", b"1"), ("c", b"2"), ("a", b"mine")]));
}

#[track_caller]
fn assert_refused(folder: &Folder, what: &str) {
    match nres().pack(folder) {
        Ok(_) => panic!("{what} was taken"),
        Err(error) => assert_eq!(error.cause.code, &codes::MANIFEST, "{what}: {error}"),
    }
}

#[test]
fn a_manifest_without_a_value_is_refused() {
    for (name, file) in archives() {
        let folder = unpack(&file);
        for pointer in objects(&folder.manifest) {
            let object = folder.manifest.pointer(&pointer).unwrap().as_object().unwrap();
            for key in object.keys().filter(|&key| key != "tail") {
                let mut edited = folder.clone();
                edited.manifest.pointer_mut(&pointer).unwrap().as_object_mut().unwrap().remove(key);
                assert_refused(&edited, &format!("{name}{pointer} without {key}"));
            }
        }
    }
}

#[test]
fn a_manifest_with_a_value_too_many_is_refused() {
    for (name, file) in archives() {
        let folder = unpack(&file);
        for pointer in objects(&folder.manifest) {
            let mut edited = folder.clone();
            edited.manifest.pointer_mut(&pointer).unwrap()["typo"] = json!(1);
            assert_refused(&edited, &format!("{name}{pointer} with a typo"));
        }
    }
}

fn objects(value: &Value) -> Vec<String> {
    let under =
        |key: String, value: &Value| objects(value).into_iter().map(move |rest| format!("/{key}{rest}"));
    match value {
        Value::Object(object) => {
            let inner = object.iter().flat_map(|(key, value)| under(key.clone(), value));
            std::iter::once(String::new()).chain(inner).collect()
        }
        Value::Array(list) => {
            list.iter().enumerate().flat_map(|(i, value)| under(i.to_string(), value)).collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn nonsense_in_any_place_is_refused_or_built_but_never_a_panic() {
    let nonsense = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1.5),
        json!(4_294_967_296_u64),
        json!(u64::MAX),
        json!([]),
        json!({}),
        json!([[]]),
        json!(""),
        json!("../../x"),
        json!("é"),
        json!("x".repeat(37)),
        json!({"hex": "0"}),
        json!({"file": "x", "start": u64::MAX, "len": u64::MAX}),
        json!({"offset": 0, "size": 0}),
    ];
    let mut refused = 0;
    for (name, file) in archives() {
        let folder = unpack(&file);
        for pointer in leaves(&folder.manifest).into_iter().chain(objects(&folder.manifest)) {
            for value in &nonsense {
                let mut edited = folder.clone();
                *edited.manifest.pointer_mut(&pointer).unwrap() = value.clone();
                if let Err(error) = nres().pack(&edited) {
                    assert_eq!(error.cause.code, &codes::MANIFEST, "{name}{pointer} = {value}: {error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 1000, "only {refused} manifests were refused");
}

#[test]
fn a_part_that_its_file_does_not_have_is_refused() {
    for (start, len) in [(0, 99), (99, 0), (10, 1), (u64::MAX, 1)] {
        let mut folder = unpack(&oddest());
        let payload = &mut folder.manifest["entries"][0]["payload"];
        payload["start"] = json!(start);
        payload["len"] = json!(len);
        assert_refused(&folder, &format!("{len} bytes at {start}"));
    }
}

#[test]
fn a_table_of_another_length_is_refused() {
    for table in [json!([]), json!([0]), json!([0, 1, 2])] {
        let mut folder = unpack(&archive(&[("a", b"1"), ("b", b"2")]));
        folder.manifest["sort_table"] = table.clone();
        assert_refused(&folder, &table.to_string());
    }
}

#[test]
fn two_entries_of_one_file_need_a_layout_that_says_so() {
    let mut folder = unpack(&archive(&[("a", b"1"), ("b", b"2")]));
    folder.manifest["entries"][1]["payload"] = folder.manifest["entries"][0]["payload"].clone();
    assert_refused(&folder, "one file for two entries");
}
