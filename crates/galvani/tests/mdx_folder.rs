//! MDX models as folders of fields, and the lanterns that ship.
#![cfg(all(feature = "parkan", feature = "ff7", feature = "mdx", feature = "fs"))]
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

use std::path::Path;

use galvani::diff::diff;
use galvani::formats::{self, Folder, Format, Site};
use galvani::{OpenOptions, ReadOptions, Severity, codes, contents, samples};
use galvani_testkit::assemble_file;
use serde_json::{Value, json};

fn mdx() -> &'static dyn Format {
    formats::by_id("mdx").unwrap()
}

/// Every case that reads and every sample, by name.
fn models() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/mdx");
    let mut cases: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    let case = |path: &std::path::PathBuf| {
        (path.file_name().unwrap().to_string_lossy().into_owned(), assemble_file(&path.join("build.txt")))
    };
    let reads = |(_, bytes): &(String, Vec<u8>)| mdx().open(bytes, &OpenOptions::default()).is_ok();
    let mut models: Vec<_> = cases.iter().map(case).filter(reads).collect();
    models.extend(lanterns());
    assert!(models.len() > 90, "only {} listings read", models.len());
    models
}

fn lanterns() -> Vec<(String, Vec<u8>)> {
    const BINARY: [&str; 2] = ["lantern.mdx", "lantern-wow.mdx"];
    let lanterns = samples::all().into_iter().filter(|sample| BINARY.contains(&sample.name.as_str()));
    lanterns.map(|sample| (sample.name, sample.bytes)).collect()
}

fn unpack(file: &[u8]) -> Folder {
    mdx().open(file, &OpenOptions::default()).unwrap().document.unpack().unwrap()
}

/// The fields of a chunk.
fn rows(folder: &Folder, tag: &str) -> (String, Vec<Value>) {
    let name = folder.files.keys().find(|name| name.ends_with(&format!("-{tag}.json"))).unwrap();
    (name.clone(), serde_json::from_slice(&folder.files[name]).unwrap())
}

/// The model after a change of the field of that path.
fn changed(file: &[u8], tag: &str, path: &str, value: Value) -> Vec<u8> {
    let mut folder = unpack(file);
    let (name, mut rows) = rows(&folder, tag);
    let row = rows.iter_mut().find(|row| row[0] == path).unwrap_or_else(|| panic!("no {path}"));
    row[2] = value;
    folder.files.insert(name, serde_json::to_vec(&rows).unwrap());
    mdx().pack(&folder).unwrap()
}

#[test]
fn a_model_is_known_by_its_first_bytes_or_its_name() {
    let id = |file: &[u8], name| formats::recognise(file, name).map(|format| format.info().id);
    assert_eq!(id(b"MDLX", Some("x.rlb")), Some("mdx"));
    assert_eq!(id(b"junk", Some("X.MDX")), Some("mdx"));
    assert_eq!(id(b"junk", None), None);
}

#[test]
fn an_untouched_folder_builds_the_same_file() {
    for (name, file) in models() {
        assert!(mdx().pack(&unpack(&file)).unwrap() == file, "{name} changed");
    }
}

#[test]
fn every_chunk_that_could_be_read_is_fields() {
    for (name, file) in lanterns() {
        let folder = unpack(&file);
        let bytes: Vec<&String> = folder.files.keys().filter(|name| name.contains(".bin")).collect();
        assert!(bytes.is_empty(), "{name}: {bytes:?}");
    }
}

#[test]
fn a_folder_survives_the_disk() {
    for (name, file) in models() {
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
    }
}

#[test]
fn a_changed_value_changes_its_field_and_nothing_else() {
    for (name, file) in lanterns() {
        for (tag, path, value, len) in [
            ("SEQS", "SEQS[2].name", json!("Run"), 80),
            ("SEQS", "SEQS[2].move_speed", json!(8.25), 4),
            ("GEOS", "GEOS[0].VRTX[3].y", json!("bits:7fc00001"), 4),
            ("BONE", "BONE[1].node.parent_id", json!(-1), 4),
            ("VERS", "VERS.version", json!(77), 4),
        ] {
            let made = changed(&file, tag, path, value);
            assert_eq!(made.len(), file.len());
            let differ: Vec<usize> = (0..file.len()).filter(|&i| made[i] != file[i]).collect();
            let (first, last) = (*differ.first().unwrap(), *differ.last().unwrap());
            assert!(last - first < len, "{name}: {path}: {first}..={last}");
        }
    }
}

#[test]
fn a_chunk_may_come_go_and_grow() {
    let (_, file) = lanterns().remove(0);
    let mut folder = unpack(&file);
    let (name, mut fields) = rows(&folder, "GLBS");
    fields.push(json!(["GLBS[1].value", "u32", 500]));
    folder.files.insert(name, serde_json::to_vec(&fields).unwrap());
    folder.manifest["chunks"].as_array_mut().unwrap().retain(|chunk| chunk["tag"] != "CAMS");
    folder.files.insert("note.bin".to_owned(), b"hello".to_vec());
    folder.manifest["chunks"].as_array_mut().unwrap().push(json!({"tag": "NOTE", "file": "note.bin"}));
    let made = mdx().open(&mdx().pack(&folder).unwrap(), &OpenOptions::default()).unwrap();
    let outline = made.outline(&Site::NOWHERE).to_json();
    assert_eq!(
        (&outline["counts"]["global_sequences"], &outline["counts"]["cameras"]),
        (&json!(2), &json!(0))
    );
    assert_eq!(outline["unknown"], json!([{"type": "NOTE", "size": 5}]));
}

#[test]
fn a_folder_that_makes_no_sense_says_where() {
    let (_, file) = lanterns().remove(0);
    let why = |change: &dyn Fn(&mut Folder)| {
        let mut folder = unpack(&file);
        change(&mut folder);
        let cause = mdx().pack(&folder).unwrap_err().cause;
        assert_eq!(cause.code, &codes::MANIFEST);
        cause.message
    };
    let vers = |rows: &str| {
        why(&|folder: &mut Folder| {
            folder.files.insert("chunks/000-VERS.json".to_owned(), rows.as_bytes().to_vec());
        })
    };
    assert_eq!(vers(r#"[["v", "u32", -1]]"#), "chunks/000-VERS.json: v: `value`: -1 does not fit u32");
    assert_eq!(vers(r#"[["v", "u33", 1]]"#), "chunks/000-VERS.json: v: `u33` is no type");
    assert_eq!(vers(r#"[["v", "text", "x"]]"#), "chunks/000-VERS.json: v: `text` is no type");
    assert!(vers("[7]").contains("a path, a type and a value"));
    assert!(vers("{").starts_with("chunks/000-VERS.json: "));
    assert_eq!(
        why(&|folder| folder.manifest["chunks"][0]["tag"] = json!("TOOLONG")),
        "chunks[0]: \"TOOLONG\" is no tag of four bytes"
    );
    assert_eq!(
        why(&|folder| drop(folder.files.remove("chunks/001-MODL.json"))),
        "no file `chunks/001-MODL.json` in the folder"
    );
    assert_eq!(why(&|folder| folder.manifest["format"] = json!("msh")), "format: `mdx` is wanted");
    assert!(why(&|folder| folder.manifest["stranger"] = json!(1)).contains("stranger"));
}

#[test]
fn the_lanterns_are_sound_and_have_everything() {
    let both = lanterns();
    assert_eq!(both.len(), 2);
    for (name, file) in both {
        let opened = mdx().open(&file, &OpenOptions::default()).unwrap();
        let report = opened.check();
        let told: Vec<String> = report.findings().iter().map(ToString::to_string).collect();
        assert_eq!(report.tally(Severity::Error) + report.tally(Severity::Warning), 0, "{name}: {told:#?}");
        let mut canonical = mdx().open(&file, &OpenOptions::default()).unwrap().document;
        assert!(canonical.make_canonical().unwrap().findings().is_empty());
        assert!(canonical.write().unwrap() == file);
        let outline = opened.outline(&Site::NOWHERE).to_json();
        for (kind, count) in outline["counts"].as_object().unwrap() {
            assert!(kind == "tail_bytes" || *count != 0, "{name}: no {kind}");
        }
        let names: Vec<&Value> =
            outline["sequences"].as_array().unwrap().iter().map(|row| &row["name"]).collect();
        assert_eq!(names, ["Stand", "Stand - 2", "Walk", "Death"]);
    }
}

#[test]
fn chunks_are_told_at_their_places() {
    for (name, file) in models() {
        let options = OpenOptions::default();
        let opened = mdx().open(&file, &options).unwrap();
        let told = contents::outline(&opened, &options, &Site::NOWHERE).to_json()["chunks"].clone();
        let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
        let mut at = 4;
        for chunk in told.as_array().unwrap() {
            let head = &file[at..at + 8];
            let size = u32::from_le_bytes(*head.last_chunk().unwrap());
            assert_eq!((number(&chunk["offset"]), &chunk["size"]), (at, &json!(size)), "{name}");
            if let Some(tag) = chunk["tag"].as_str() {
                assert_eq!(tag.as_bytes(), &head[..4], "{name}");
            }
            at += 8 + number(&chunk["size"]);
        }
        let tail = opened.outline(&Site::NOWHERE).to_json()["counts"]["tail_bytes"].clone();
        assert_eq!(at + number(&tail), file.len(), "{name}: bytes are in no chunk");
    }
}

/// A model of so many bones that move in 2000 steps each.
fn large(bones: u32) -> Vec<u8> {
    let mut chunk = Vec::new();
    for bone in 0..bones {
        let mut record = format!("bone {bone}").into_bytes();
        record.resize(80, 0);
        record.extend([bone, u32::MAX, 0x100].map(u32::to_le_bytes).as_flattened());
        record.extend(b"KGTR");
        record.extend([2000, 1, u32::MAX].map(u32::to_le_bytes).as_flattened());
        for key in 0..2000_u16 {
            let [x, y] = [f32::from(key) / 7.0, f32::from(key).sqrt()];
            record.extend(u32::from(key).to_le_bytes());
            record.extend([x, y, -0.5].map(f32::to_le_bytes).as_flattened());
        }
        chunk.extend(u32::try_from(record.len() + 4).unwrap().to_le_bytes());
        chunk.extend(record);
        chunk.extend([0, u32::MAX].map(u32::to_le_bytes).as_flattened());
    }
    let mut file = b"MDLXVERS\x04\0\0\0\x20\x03\0\0BONE".to_vec();
    file.extend(u32::try_from(chunk.len()).unwrap().to_le_bytes());
    file.extend(chunk);
    file
}

#[test]
fn a_large_model_is_taken_apart_and_compared_in_little_room() {
    const ROOM: u64 = 100 << 20;
    let file = large(125);
    assert!(file.len() > 4_000_000);
    let options = OpenOptions::default();
    let opened = mdx().open(&file, &options).unwrap();
    let used = allocation_counter::measure(|| drop(opened.document.unpack().unwrap()));
    assert!(used.bytes_max < ROOM, "{} bytes to take it apart", used.bytes_max);
    assert!(mdx().pack(&opened.document.unpack().unwrap()).unwrap() == file);
    let mut other = file.clone();
    // The y of a key in the middle: behind it stands −0.5.
    let place = other.len() / 2;
    let place =
        place + other[place..].windows(4).position(|word| word == (-0.5_f32).to_le_bytes()).unwrap() - 4;
    other[place..place + 4].copy_from_slice(&1e9_f32.to_le_bytes());
    let other = mdx().open(&other, &options).unwrap();
    let mut changes = Vec::new();
    let used = allocation_counter::measure(|| changes = diff(&opened, &other, &options).unwrap());
    assert!(used.bytes_max < ROOM, "{} bytes to compare", used.bytes_max);
    assert_eq!(changes.len(), 1);
    assert!(changes[0].path.starts_with("nodes[bone 62].KGTR.keys["), "{}", changes[0].path);
}

#[test]
fn a_comparison_shows_tags_as_tags() {
    fn numbers(path: &str, value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                fields.iter().for_each(|(key, value)| numbers(&format!("{path}.{key}"), value, found));
            }
            // What is no word is a number all the same.
            Value::Number(number) if path.ends_with("tag") => {
                let tag = u32::try_from(number.as_u64().unwrap()).unwrap().to_le_bytes();
                if tag.iter().all(u8::is_ascii_alphanumeric) {
                    found.push(format!("{path} {value}"));
                }
            }
            _ => {}
        }
    }
    let options = OpenOptions::default();
    let opened: Vec<_> = models().into_iter().map(|(_, file)| mdx().open(&file, &options).unwrap()).collect();
    let (mut found, mut words) = (Vec::new(), 0);
    for (a, b) in opened.iter().zip(opened.iter().skip(1)).chain([(&opened[0], opened.last().unwrap())]) {
        for change in diff(a, b, &options).unwrap() {
            numbers(&change.path, &change.old, &mut found);
            numbers(&change.path, &change.new, &mut found);
            words += usize::from(change.path.ends_with("tag"));
        }
    }
    assert_eq!(found, [""; 0]);
    assert!(words > 0);
}
