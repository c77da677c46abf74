//! LGP archives as folders, and their place among the formats.
#![cfg(all(feature = "ff7", feature = "parkan", feature = "fs"))]
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

use std::path::Path;

use galvani::formats::{self, Folder, Format, Step};
use galvani::{OpenOptions, ReadOptions, codes, samples};
use galvani_testkit::assemble_file;
use serde_json::{Value, json};

fn lgp() -> &'static dyn Format {
    formats::by_id("lgp").unwrap()
}

/// Every case that reads, by name.
fn archives() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/lgp");
    let mut cases: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    let case = |path: &std::path::PathBuf| {
        (path.file_name().unwrap().to_string_lossy().into_owned(), assemble_file(&path.join("build.txt")))
    };
    let reads = |(_, bytes): &(String, Vec<u8>)| lgp().open(bytes, &OpenOptions::default()).is_ok();
    let archives: Vec<_> = cases.iter().map(case).filter(reads).collect();
    assert!(archives.len() > 12, "only {} listings read", archives.len());
    archives
}

fn case(name: &str) -> Vec<u8> {
    archives().into_iter().find(|(other, _)| other == name).unwrap().1
}

fn unpack(file: &[u8]) -> Folder {
    lgp().open(file, &OpenOptions::default()).unwrap().document.unpack().unwrap()
}

#[test]
fn an_archive_is_known_by_its_first_bytes_or_its_name() {
    let id = |file: &[u8], name| formats::recognise(file, name).map(|format| format.info().id);
    assert_eq!(id(b"\0\0SQUARESOFT", Some("x.rlb")), Some("lgp"));
    assert_eq!(id(b"FICEDULA-LGP", Some("BATTLE.LGP")), Some("lgp"));
    assert_eq!(id(b"FICEDULA-LGP", None), None);
}

#[test]
fn an_untouched_folder_builds_the_same_file() {
    for (name, file) in archives() {
        assert!(lgp().pack(&unpack(&file)).unwrap() == file, "{name} changed");
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
        assert!(lgp().pack(&folder).unwrap() == file, "{name} changed");
    }
}

#[test]
fn a_plain_archive_spells_out_names_and_files_alone() {
    let folder = unpack(&case("worked-example"));
    let row = |name: &str, file: &str| json!({"name": name, "payload": file});
    let wanted = json!({
        "format": "lgp",
        "entries": [
            row("a.txt", "payloads/0000-a.txt"), row("rtaa", "payloads/0001-rtaa"), row("rtda", "payloads/0002-rtda"),
        ],
        "lookup": "computed",
        "layout": "canonical",
    });
    assert_eq!(folder.manifest, wanted);
    assert_eq!(folder.files["payloads/0001-rtaa"], b"skeleton");
}

#[test]
fn an_odd_archive_spells_everything_out() {
    let told = |name: &str| unpack(&case(name)).manifest.to_string();
    let hostile = told("hostile");
    let kinds =
        ["\"run\":", "\"start\":26", "\"offset\":", "\"hex\":", "\"check\":255", "\"conflict\":7", "[2,0,9]"];
    for kind in kinds {
        assert!(hostile.contains(kind), "no {kind} in {hostile}");
    }
    assert!(told("conflict-table").contains("\"conflicts\":null"));
    assert!(told("conflicts").contains("{\"directory\":\"data/battle\",\"entry\":1}"));
    assert!(told("magic").contains("\"magic\":\"00004649434544554c412d4c\""));
    assert!(told("no-terminator").contains("\"tail\":null"));
}

#[test]
fn a_file_changed_in_the_folder_is_changed_in_the_archive() {
    let mut folder = unpack(&case("worked-example"));
    folder.files.insert("payloads/0001-rtaa".to_owned(), b"longer than a skeleton".to_vec());
    let opened = lgp().open(&lgp().pack(&folder).unwrap(), &OpenOptions::default()).unwrap();
    assert_eq!(opened.as_archive().unwrap().member(1), Some(&b"longer than a skeleton"[..]));
    assert_eq!(opened.check().findings(), []);
}

#[test]
fn a_difference_is_told_by_name() {
    let open = |file: &[u8]| lgp().open(file, &OpenOptions::default()).unwrap();
    let before = case("worked-example");
    let told = |words: &[&str]| -> Vec<String> {
        let mut edited = open(&before);
        Step::from_words(lgp(), words).unwrap().run(&mut *edited.document).unwrap();
        let after = open(&edited.document.write().unwrap());
        galvani::diff::diff(&open(&before), &after, &OpenOptions::default())
            .unwrap()
            .into_iter()
            .map(|change| format!("{} {} {}", change.path, change.old, change.new))
            .collect()
    };
    assert_eq!(told(&["rename", "rtaa", "rtab"]), [r#"entries[1].name "rtaa" "rtab""#]);
    assert_eq!(
        told(&["replace", "rtaa", "skelETON"]),
        [concat!(
            r#"entries[1].payload {"size":8,"offset":4,"hex":"65746f6e"} "#,
            r#"{"size":8,"offset":4,"hex":"45544f4e"}"#
        )]
    );
    assert_eq!(told(&["add", "abc", "new"]), [r#"entries[1] null {"name":"abc","payload":"3 bytes"}"#]);
}

#[test]
fn a_manifest_that_makes_no_archive_is_refused() {
    let refused = |pointer: &str, value: Value| {
        let mut folder = unpack(&case("hostile"));
        *folder.manifest.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = value;
        let error = lgp().pack(&folder).unwrap_err();
        assert_eq!(error.cause.code, &codes::MANIFEST, "{pointer}: {error}");
        error.to_string()
    };
    refused("/format", json!("nres"));
    refused("/lookup", json!([[900, 1, 1]]));
    refused("/layout", json!("canonical"));
    refused("/layout/lead", json!({"hex": "f"}));
    refused("/entries/0/name", json!("a name of more than twenty bytes"));
    refused("/entries/0/payload/start", json!(1000));
    refused("/entries/0/payload/run", json!("runs/nobody"));
    refused("/conflicts/0/0/directory", json!({"hex": "00"}));
}

#[test]
fn the_shipped_archive_is_plain_and_edits_by_name() {
    let sample = samples::all().into_iter().find(|sample| sample.name == "frog.lgp").unwrap();
    let mut opened = lgp().open(&sample.bytes, &OpenOptions::default()).unwrap();
    assert_eq!(opened.check().findings(), []);
    for words in [&["rename", "ZGDA", "zgdb"][..], &["add", "a.d", "another"], &["remove", "zgck"]] {
        Step::from_words(lgp(), words).unwrap().run(&mut *opened.document).unwrap();
    }
    let names: Vec<String> =
        opened.as_archive().unwrap().members().iter().map(formats::Member::shown).collect();
    assert_eq!((names.len(), names[0].as_str(), names[1].as_str()), (17, "a.d", "zgaa"));
    assert!(names.contains(&"zgdb".to_owned()) && !names.contains(&"zgck".to_owned()), "{names:?}");
    let again = lgp().open(&opened.document.write().unwrap(), &OpenOptions::default()).unwrap();
    assert_eq!(again.check().findings(), []);
}
