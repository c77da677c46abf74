//! A model as a folder: untouched it builds the same file under either reading, every named value is the
//! bytes it is said to be, and a list that is wrong is named with its row.
#![cfg(all(feature = "parkan", feature = "fs"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

mod common;

use std::collections::BTreeMap;
use std::ops::Range;

use common::archive::{NAME, SORT_INDEX, peek, record};
use common::model::{case, cases, full, odd, walker};
use galvani::formats::{self, Folder, Format, Opened};
use galvani::{OpenOptions, ReadOptions, Reading, Readings, WantedReading, codes, text};
use serde_json::{Value, json};

const READINGS: [WantedReading; 3] = WantedReading::ALL;

fn msh() -> &'static dyn Format {
    formats::by_id("msh").unwrap()
}

fn options(all: impl Into<WantedReading>) -> OpenOptions {
    ReadOptions { readings: Readings { all: all.into(), topics: vec![] }, ..ReadOptions::default() }.into()
}

fn open(file: &[u8], reading: impl Into<WantedReading>) -> Opened {
    msh().open(file, &options(reading)).unwrap_or_else(|error| panic!("does not read: {error}"))
}

fn unpack(file: &[u8], reading: impl Into<WantedReading>) -> Folder {
    open(file, reading).document.unpack().unwrap()
}

/// Every model that reads, by name.
fn models() -> Vec<(String, Vec<u8>)> {
    let reads = |(_, file): &(String, Vec<u8>)| msh().open(file, &OpenOptions::default()).is_ok();
    let mut models: Vec<_> = cases().into_iter().filter(reads).collect();
    assert!(models.len() > 30, "only {} listings read", models.len());
    models.extend(odd().into_iter().map(|(name, file)| (name.to_owned(), file)));
    models.push(("full".to_owned(), full()));
    models.push(("walker".to_owned(), walker()));
    models
}

#[test]
fn an_untouched_folder_builds_the_same_file() {
    for (name, file) in models() {
        for reading in READINGS {
            let folder = unpack(&file, reading);
            let packed = msh().pack(&folder).unwrap_or_else(|error| panic!("{name} as {reading:?}: {error}"));
            assert!(packed == file, "{name} as {reading:?} changed");
        }
    }
}

#[test]
fn a_folder_survives_the_disk() {
    for (name, file) in models() {
        let disk = tempfile::TempDir::new().unwrap();
        galvani::fs::write_folder(
            &unpack(&file, WantedReading::Auto),
            &galvani::fs::Tree::new(disk.path()),
            &galvani::fs::Overwrite::default(),
        )
        .unwrap();
        let folder =
            galvani::fs::read_folder(disk.path(), galvani::fs::Follow::No, &ReadOptions::default()).unwrap();
        assert_eq!(folder, unpack(&file, WantedReading::Auto), "{name}");
    }
}

#[test]
fn every_stream_that_reads_is_a_list_and_nothing_else_is() {
    let folder = unpack(&full(), Reading::Observed);
    let bytes: Vec<&str> =
        folder.files.keys().map(String::as_str).filter(|file| !file.starts_with("streams/")).collect();
    assert_eq!(bytes, ["payloads/0013-plain", "payloads/0018-plain"]);
    assert_eq!(folder.files.len(), 19);
}

#[test]
fn entries_that_share_their_bytes_stay_bytes() {
    let (_, twins) = odd().swap_remove(0);
    let folder = unpack(&twins, Reading::Observed);
    let payload = |i: usize| folder.manifest["entries"][i]["payload"].clone();
    assert_eq!((payload(4), payload(13)), (json!("payloads/0004-plain"), json!("payloads/0004-plain")));
    assert_eq!(payload(3), json!("streams/0003-normals.json"));
}

/// Which bytes of a file each value of the map has, by path: their range, and that of each element.
fn places(file: &[u8], reading: impl Into<WantedReading>) -> BTreeMap<String, (Range<usize>, usize)> {
    let mut places = BTreeMap::new();
    open(file, reading).map.rows(file, |row| {
        let range = row.offset..row.offset + row.len;
        places.insert(row.path.to_string(), (range, row.len / row.count.max(1)));
    });
    places
}

/// JSON pointers of everything that is no object and no list.
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

/// Another value of the same kind and size.
fn other(old: &Value) -> Value {
    match old {
        Value::Number(number) if number.is_f64() => json!(77.25),
        Value::Number(number) => json!(if number.as_i64() == Some(1) { 2 } else { 1 }),
        Value::String(word) => match text::from_hex(word).filter(|bytes| !bytes.is_empty()) {
            Some(bytes) => json!(text::hex(&bytes.iter().map(|byte| byte ^ 0x5a).collect::<Vec<_>>())),
            None => json!(format!("{}z", word.get(1..).unwrap_or_default())),
        },
        other => panic!("a leaf of {other}"),
    }
}

/// The bytes that a leaf of a stream's list stands for.
fn place(
    places: &BTreeMap<String, (Range<usize>, usize)>,
    list: &str,
    pointer: &str,
) -> Option<Range<usize>> {
    let mut steps: Vec<&str> = pointer.split('/').skip(1).collect();
    let list = match list {
        "slots" | "hallways" => steps.remove(0),
        "stream18" if places.contains_key("colours[0].bgra") => "colours",
        "stream18" => "lightmap_uv",
        list => list,
    };
    let row = if list == "bounds" { list.to_owned() } else { format!("{list}[{}]", steps.remove(0)) };
    if list == "labels" {
        return places.get(&format!("{row}.text")).map(|(range, _)| range.clone());
    }
    let named = steps.first().filter(|step| step.parse::<usize>().is_err()).copied();
    let field = match named {
        Some(field) => {
            steps.remove(0);
            field
        }
        None => only_field(list),
    };
    let (range, element) = places.get(&format!("{row}.{field}")).unwrap_or_else(|| panic!("{row}.{field}"));
    Some(match steps.as_slice() {
        [] => range.clone(),
        [i] => {
            let start = range.start + i.parse::<usize>().unwrap() * element;
            start..start + element
        }
        more => panic!("{list}{pointer}: {more:?}"),
    })
}

/// The field of records that have only one.
fn only_field(list: &str) -> &'static str {
    match list {
        "positions" => "position",
        "uv0" | "lightmap_uv" => "uv",
        "indices" => "index",
        "names" => "name",
        "extra15" => "unknown_00",
        "colours" => "bgra",
        "frame_map" => "key",
        other => panic!("{other} has several fields"),
    }
}

/// Every list of a folder with its file and its name, without what packed numbers stand for.
fn lists(folder: &Folder) -> Vec<(String, String, Value)> {
    let list = |(file, bytes): (&String, &Vec<u8>)| {
        let name = file.strip_prefix("streams/")?.split_once('-')?.1.strip_suffix(".json")?;
        let mut list: Value = serde_json::from_slice(bytes).unwrap();
        for record in list.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
            record.remove("decoded");
        }
        Some((file.clone(), name.to_owned(), list))
    };
    folder.files.iter().filter_map(list).collect()
}

/// The list of a stream, as it stands in its file.
fn list(folder: &Folder, file: &str) -> Value {
    serde_json::from_slice(&folder.files[file]).unwrap()
}

#[test]
fn packed_numbers_are_shown_as_what_they_stand_for() {
    for (reading, v) in [(Reading::Observed, 63.0), (Reading::Documented, -1.0)] {
        let folder = unpack(&case("plain"), reading);
        assert_eq!(
            list(&folder, "streams/0003-normals.json")[0],
            json!({"normal": [0, 0, 127], "unknown_03": 0, "decoded": [0.0, 0.0, 1.0]})
        );
        let uv = list(&folder, "streams/0004-uv0.json")[6].clone();
        assert_eq!(uv["decoded"], json!([0.0, v]));
        let key = list(&folder, "streams/0009-keys.json")[0].clone();
        let turn = if reading == Reading::Observed { [1.0, 0.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0, 0.0] };
        assert_eq!(key["decoded"], json!(turn), "w, x, y, z");
        assert_eq!(list(&folder, "streams/0008-faces.json")[0]["decoded"], json!([0.0, 0.0, 1.0]));
    }
}

#[test]
fn integers_count_and_only_where_there_are_none_what_they_stood_for() {
    for reading in [Reading::Observed, Reading::Documented] {
        let (file, mut made) = (case("plain"), 0);
        let folder = unpack(&file, reading);
        for (path, _, bare) in lists(&folder) {
            let whole = list(&folder, &path);
            if whole[0].get("decoded").is_none() {
                continue;
            }
            let (mut ignored, mut restored) = (whole.clone(), whole.clone());
            for record in ignored.as_array_mut().unwrap() {
                record["decoded"] = json!("nothing that anybody reads");
            }
            assert_eq!(msh().pack(&with_list(&folder, &path, &ignored)).unwrap(), file, "{path}");
            assert_eq!(msh().pack(&with_list(&folder, &path, &bare)).unwrap(), file, "{path}");
            for record in restored.as_array_mut().unwrap() {
                let object = record.as_object_mut().unwrap();
                object.retain(|field, _| {
                    !matches!(field.as_str(), "normal" | "uv" | "qw" | "qx" | "qy" | "qz")
                });
            }
            assert_eq!(msh().pack(&with_list(&folder, &path, &restored)).unwrap(), file, "{path}");
            restored[0]["decoded"] = json!([0.5]);
            assert_refused(&with_list(&folder, &path, &restored), &[&path, "[0]"]);
            made += 1;
        }
        assert_eq!(made, 4);
    }
}

/// A folder with one list replaced.
fn with_list(folder: &Folder, file: &str, list: &Value) -> Folder {
    let mut edited = folder.clone();
    edited.files.insert(file.to_owned(), list.to_string().into_bytes());
    edited
}

#[test]
fn changing_one_value_of_a_list_changes_its_bytes_and_no_others() {
    for (file, reading) in [
        (full(), Reading::Observed.into()),
        (full(), Reading::Documented.into()),
        (case("documented"), WantedReading::Auto),
    ] {
        let (folder, places) = (unpack(&file, reading), places(&file, reading));
        let taken: Reading = folder.manifest["reading"].as_str().unwrap().parse().unwrap();
        let mut changed = 0;
        for (path, name, list) in lists(&folder) {
            for pointer in leaves(&list) {
                let mut new = list.clone();
                let leaf = new.pointer_mut(&pointer).unwrap();
                *leaf = other(leaf);
                let packed = msh().pack(&with_list(&folder, &path, &new)).unwrap();
                let at = |what: &str| format!("{path}{pointer} as {taken}: {what}");
                let again = lists(&unpack(&packed, taken)).into_iter().find(|(other, ..)| *other == path);
                assert_eq!(again.unwrap().2, new, "{}", at("reads otherwise"));
                match place(&places, &name, &pointer) {
                    Some(range) => assert_changes(&file, &packed, &[range], &at("")),
                    // A label where none was: the stream grows and moves what follows.
                    None => assert!(name == "labels" && packed.len() > file.len(), "{}", at("no place")),
                }
                changed += 1;
            }
        }
        assert!(changed > 200, "only {changed} values were changed");
    }
}

/// Two files differ, and nowhere but in these ranges, which are the first to do so.
#[track_caller]
fn assert_changes(old: &[u8], new: &[u8], ranges: &[Range<usize>], what: &str) {
    assert_eq!(old.len(), new.len(), "{what} moved bytes");
    let differing: Vec<usize> = (0..old.len()).filter(|&at| old[at] != new[at]).collect();
    assert!(differing.iter().any(|at| ranges[0].contains(at)), "{what} changes nothing");
    let strays: Vec<_> = differing.iter().filter(|at| !ranges.iter().any(|r| r.contains(at))).collect();
    assert!(strays.is_empty(), "{what} changes {strays:?}");
}

/// What a changed leaf of the manifest changes in the file; `None` where it makes no sense.
fn manifest_ranges(file: &[u8], pointer: &str) -> Option<Vec<Range<usize>>> {
    let word = |at: usize| at..at + 4;
    let steps: Vec<&str> = pointer.split('/').skip(1).collect();
    let at = |entry: &str, field: usize| record(file, entry.parse().unwrap()) + field;
    match steps.as_slice() {
        ["version"] => Some(vec![word(4)]),
        ["entries", i, "attr1"] => Some(vec![word(at(i, 4))]),
        ["entries", i, "attr2"] => Some(vec![word(at(i, 8))]),
        ["entries", i, "attr3"] => Some(vec![word(at(i, 16))]),
        ["entries", i, "name"] => {
            let name = at(i, NAME);
            let slots = (0..peek(file, 8)).map(|entry| word(record(file, entry) + SORT_INDEX));
            Some(std::iter::once(name..name + 36).chain(slots).collect())
        }
        // Bytes that are nobody's records may be called anything.
        ["entries", i, "type"] if matches!(*i, "13" | "18") => Some(vec![word(at(i, 0))]),
        _ => None,
    }
}

#[test]
fn changing_one_value_of_the_manifest_changes_its_bytes_and_no_others() {
    let file = full();
    for reading in [Reading::Documented, Reading::Observed] {
        let folder = unpack(&file, reading);
        for pointer in leaves(&folder.manifest) {
            let mut edited = folder.clone();
            let leaf = edited.manifest.pointer_mut(&pointer).unwrap();
            *leaf = match &*leaf {
                Value::String(word) if word == "count" => json!(65_000),
                Value::String(word) if word == "documented" => json!("observed"),
                Value::String(word) if word == "observed" => json!("documented"),
                leaf => other(leaf),
            };
            let new = edited.manifest.pointer(&pointer).unwrap();
            match (manifest_ranges(&file, &pointer), msh().pack(&edited)) {
                (Some(ranges), Ok(packed)) => assert_changes(&file, &packed, &ranges, &pointer),
                (Some(_), Err(error)) => panic!("{pointer}: {new} was refused: {error}"),
                // Records of equal size may be those of another stream.
                (None, Ok(_)) => assert!(pointer.ends_with("/type"), "{pointer}: {new} was taken"),
                (None, Err(error)) => assert_eq!(error.cause.code, &codes::MANIFEST, "{pointer}: {error}"),
            }
        }
    }
}

#[test]
fn an_added_record_is_counted_and_moves_what_follows() {
    let file = case("plain");
    let folder = unpack(&file, Reading::Observed);
    for (path, name, mut list) in lists(&folder) {
        let (count, rows) = match name.as_str() {
            "hallways" => continue,
            "slots" => (3, list["slots"].as_array_mut().unwrap()),
            _ => (list.as_array().unwrap().len() + 1, list.as_array_mut().unwrap()),
        };
        rows.push(rows[0].clone());
        let packed = msh().pack(&with_list(&folder, &path, &list)).unwrap();
        let entries = peek(&packed, 8);
        let (number, _) = path.strip_prefix("streams/").unwrap().split_once('-').unwrap();
        let i: usize = number.parse().unwrap();
        assert_eq!((entries, peek(&packed, record(&packed, i) + 4)), (14, count), "{path}");
        let again = unpack(&packed, Reading::Observed);
        assert_eq!(again.manifest, folder.manifest, "{path}");
    }
}

/// Values that fit no field.
fn nonsense() -> [Value; 8] {
    [
        json!(null),
        json!(true),
        json!({"a": 1}),
        json!([null]),
        json!(1e300),
        json!(-1e300),
        json!({"hex": "0"}),
        json!([[[]]]),
    ]
}

#[track_caller]
fn assert_refused(folder: &Folder, names: &[&str]) {
    match msh().pack(folder) {
        Ok(_) => panic!("{names:?} was taken"),
        Err(error) => {
            let message = &error.cause.message;
            assert_eq!(error.cause.code, &codes::MANIFEST, "{message}");
            assert!(names.iter().all(|name| message.contains(name)), "{names:?} not in `{message}`");
        }
    }
}

#[test]
fn nonsense_in_a_list_is_refused_with_its_file_and_row() {
    let folder = unpack(&full(), Reading::Observed);
    let mut refused = 0;
    for (path, name, list) in lists(&folder) {
        for pointer in leaves(&list) {
            let steps: Vec<&str> = pointer.split('/').skip(1).collect();
            let row = match (name.as_str(), steps.as_slice()) {
                ("slots", ["bounds", ..]) => "bounds: ".to_owned(),
                ("slots" | "hallways", [part, i, ..]) => format!("{part}[{i}]: "),
                (_, [i, ..]) => format!("[{i}]: "),
                _ => panic!("{pointer}"),
            };
            for value in nonsense() {
                let mut wrong = list.clone();
                *wrong.pointer_mut(&pointer).unwrap() = value;
                assert_refused(&with_list(&folder, &path, &wrong), &[&path, &row]);
                refused += 1;
            }
        }
    }
    assert!(refused > 2_000, "only {refused} were refused");
}

#[test]
fn a_list_that_is_none_is_refused_with_its_file() {
    let folder = unpack(&full(), Reading::Observed);
    for (path, name, list) in lists(&folder) {
        for value in nonsense() {
            assert_refused(&with_list(&folder, &path, &value), &[&path]);
        }
        for bytes in [&b""[..], b"[", b"\xff", b"[1,]", b"nodes"] {
            let mut edited = folder.clone();
            edited.files.insert(path.clone(), bytes.to_vec());
            assert_refused(&edited, &[&path]);
        }
        let mut edited = folder.clone();
        edited.files.remove(&path);
        assert_refused(&edited, &[&path]);
        if name == "slots" || name == "hallways" {
            let mut more = list.clone();
            more["typo"] = json!(1);
            assert_refused(&with_list(&folder, &path, &more), &[&path, "typo"]);
        }
    }
}

#[test]
fn a_record_with_a_field_too_few_or_too_many_is_refused() {
    let folder = unpack(&full(), Reading::Observed);
    for (path, _, list) in lists(&folder) {
        for pointer in objects(&list).into_iter().filter(|pointer| !pointer.is_empty()) {
            for key in list.pointer(&pointer).unwrap().as_object().unwrap().keys() {
                let mut fewer = list.clone();
                fewer.pointer_mut(&pointer).unwrap().as_object_mut().unwrap().remove(key);
                assert_refused(&with_list(&folder, &path, &fewer), &[&path, key]);
            }
            let mut more = list.clone();
            more.pointer_mut(&pointer).unwrap()["typo"] = json!(1);
            assert_refused(&with_list(&folder, &path, &more), &[&path, "typo"]);
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
fn nonsense_in_the_manifest_is_refused_or_built_but_never_a_panic() {
    for (name, file) in [("full", full()), ("twins", odd().swap_remove(0).1)] {
        let folder = unpack(&file, Reading::Observed);
        for pointer in leaves(&folder.manifest).into_iter().chain(objects(&folder.manifest)) {
            for value in nonsense().into_iter().chain([json!("streams/0000-nodes.json"), json!("auto")]) {
                let mut edited = folder.clone();
                *edited.manifest.pointer_mut(&pointer).unwrap() = value.clone();
                if let Err(error) = msh().pack(&edited) {
                    assert_eq!(error.cause.code, &codes::MANIFEST, "{name}{pointer}: {value}: {error}");
                }
            }
        }
    }
}

#[test]
fn a_reading_must_be_settled_and_a_file_has_one_entry() {
    let folder = unpack(&case("plain"), Reading::Observed);
    for wrong in [json!("auto"), json!(null), json!(1), json!("seen")] {
        let mut edited = folder.clone();
        edited.manifest["reading"] = wrong;
        assert_refused(&edited, &["reading"]);
    }
    let mut edited = folder.clone();
    edited.manifest["entries"][4]["payload"] = json!("streams/0003-normals.json");
    assert_refused(&edited, &["streams/0003-normals.json", "another entry"]);
}
