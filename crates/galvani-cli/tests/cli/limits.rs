//! What an operation may take: results are stated before they are made, and no crafted file ends a verb by a signal, however
//! little memory there is.

#[cfg(target_os = "linux")]
use std::process::Command;

#[cfg(target_os = "linux")]
use galvani::ff7::pack::{self, AngleKey, codec::Frames};
#[cfg(target_os = "linux")]
use galvani::parkan::rsli;

#[cfg(target_os = "linux")]
use crate::common::GALVANI;
use crate::common::{Desk, refusal};

/// A sample that ships.
fn sample(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/../../samples/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn a_result_that_is_too_large_is_refused_with_its_size() {
    let desk = Desk::new().with("boat.a", sample("boat.a"));
    let words = ["edit", "boat.a", "resample", "1000000", "loop", "-o", "out.a", "--json"];
    let (code, json) = desk.json(&words);
    assert_eq!((code, refusal(&json).as_str()), (1, Some("file.out-of-memory")), "{json}");
    let message = json["refused"][0]["message"].as_str().unwrap();
    assert!(message.contains("000000 frames of ") && message.contains(" bytes wanted"), "{message}");
    assert_eq!(desk.files(), ["boat.a"]);
}

#[test]
fn a_result_may_be_as_large_as_somebody_allows() {
    let desk = Desk::new().with("boat.a", sample("boat.a"));
    let resampled = |limit: &[&str]| {
        desk.run(&[&["edit", "boat.a", "resample", "50", "loop", "-o", "out.a"], limit].concat()).code
    };
    assert_eq!(resampled(&["--limit-memory", "20K"]), 1);
    assert_eq!(resampled(&["--limit-work", "20K"]), 1);
    assert_eq!(resampled(&["--limit-memory", "20M", "--limit-work", "20M"]), 0);
    assert_eq!(resampled(&[]), 0);
}

#[test]
fn frames_that_somebody_asks_for_are_charged_before_they_are_made() {
    let desk = Desk::new().with("windmill.glb", sample("windmill.glb"));
    let words = ["convert", "windmill.glb", "--to", "ff7-field", "-o", "out/", "--json", "--force"];
    let made = |more: &[&str]| desk.json(&[&words[..], more].concat());
    assert_eq!(made(&["--limit-memory", "4M"]).0, 0);
    let (code, json) = made(&["--limit-memory", "4M", "--fps", "15000"]);
    assert_eq!((code, refusal(&json).as_str()), (1, Some("file.out-of-memory")), "{json:#}");
    let message = json["refused"][0]["message"].as_str().unwrap();
    assert!(message.contains(" frames of `"), "{message}");
}

#[test]
fn every_verb_keeps_to_a_limit() {
    let desk = Desk::new().with("walker.msh", sample("walker.msh")).with("sign.tga", picture(64));
    let verbs: &[&[&str]] = &[
        &["info", "walker.msh"],
        &["validate", "walker.msh"],
        &["dump", "walker.msh"],
        &["list", "walker.msh"],
        &["sample", "walker.msh"],
        &["diff", "walker.msh", "walker.msh"],
        &["unpack", "walker.msh", "-o", "out"],
        &["convert", "walker.msh", "-o", "out.glb"],
        &["convert", "sign.tga", "-o", "out.png"],
        &["edit", "walker.msh", "canonical", "-o", "out.msh"],
        &["rewrite", "walker.msh", "-o", "out.msh"],
        &["pack", "parts", "-o", "out.msh"],
        &["draw", "walker.msh"],
        &["pick", "walker.msh", "--ray", "0,0,100,0,0,-1"],
        &["extract", "depot.rlb", "-o", "members"],
        &["convert", "walker.glb", "-o", "again.msh"],
        &["convert", "walker.glb", "--to", "ff7", "-o", "battle.lgp"],
    ];
    desk.put("depot.rlb", sample("depot.rlb"));
    desk.run(&["unpack", "walker.msh", "-o", "parts"]);
    desk.run(&["convert", "walker.msh", "-o", "walker.glb"]);
    for words in verbs {
        for (limit, code) in [("--limit-memory", "file.out-of-memory"), ("--limit-work", "file.out-of-work")]
        {
            let done = desk.run(&[*words, &[limit, "100", "--json"]].concat());
            assert_eq!((done.code, done.all().contains(code)), (1, true), "{words:?}: {}", done.all());
        }
    }
}

/// A picture of so many pixels in width and height, in runs of one colour.
fn picture(side: u16) -> Vec<u8> {
    let mut file = vec![0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    file.extend(side.to_le_bytes().repeat(2));
    file.extend([24, 0]);
    let pixels = usize::from(side) * usize::from(side);
    file.extend([0xff, 9, 9, 9].repeat(pixels / 128));
    file
}

/// A pack whose only animation has as many frames as a header can count.
#[cfg(target_os = "linux")]
fn long_pack() -> Vec<u8> {
    let mut frames = Frames::new(1);
    for i in 0..15_000_i16 {
        frames.push([i % 60, 0, 0], &[[i % 50, 0, 0]]);
    }
    let entry = pack::edit::new_entry(&frames, AngleKey::Zero).unwrap();
    pack::write(&pack::Document { entries: vec![entry], ..pack::Document::default() }).unwrap()
}

/// A packed archive of which many entries lead to one content of zeros.
#[cfg(target_os = "linux")]
fn packed_crowd() -> Vec<u8> {
    let mut archive = rsli::Document::default();
    let new = rsli::NewEntry::new(rsli::Name::new(b"M0").unwrap(), rsli::Method::Deflate);
    archive.push(new, &vec![0; 48 << 20]).unwrap();
    for i in 1..1600 {
        let name = rsli::Name::new(format!("M{i}").as_bytes()).unwrap();
        archive.entries.push(rsli::Entry { name, ..archive.entries[0].clone() });
    }
    archive.rebuild_sort_table().unwrap();
    rsli::write(&archive).unwrap()
}

/// A model in which every word that may be a count is one that nobody has.
#[cfg(target_os = "linux")]
fn counts_beyond(mut file: Vec<u8>) -> Vec<u8> {
    for at in (64..file.len().saturating_sub(4)).step_by(212) {
        file[at..at + 4].copy_from_slice(&0x7fff_fff0_u32.to_le_bytes());
    }
    file
}

/// Manifests that name a file of a megabyte four thousand times.
#[cfg(target_os = "linux")]
fn crowded_folders(desk: &Desk) -> [&'static str; 2] {
    let rows = |row: &str| vec![row; 4000].join(",");
    let chunks = rows(r#"{"tag": "MORE", "file": "a.bin"}"#);
    let blocks = rows(r#"{"file": "a.bin", "gap": "align"}"#);
    let model = format!(r#"{{"format": "mdx", "chunks": [{chunks}]}}"#);
    let archive = format!(
        r#"{{"format": "nres", "version": 256, "entries": [], "sort_table": "computed",
        "layout": {{"lead": {{"hex": ""}}, "blocks": [{blocks}]}}}}"#
    );
    for (folder, manifest) in [("model", model), ("archive", archive)] {
        desk.put(&format!("{folder}/manifest.json"), manifest.as_bytes());
        desk.put(&format!("{folder}/a.bin"), vec![0; 1 << 20]);
    }
    ["model", "archive"]
}

/// A glTF of a list of points that it does not hold: all of them are 0.
#[cfg(target_os = "linux")]
fn zeros() -> Vec<u8> {
    let text = serde_json::json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{
            "componentType": 5126, "count": 99_999_999, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0],
        }],
    });
    let mut text = text.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let len = u32::try_from(text.len()).unwrap();
    let words = [2, 20 + len, len].map(u32::to_le_bytes).concat();
    [&b"glTF"[..], &words, b"JSON", &text].concat()
}

/// Runs the command with no more memory than so many bytes.
#[cfg(target_os = "linux")]
fn run_in(desk: &Desk, bytes: u64, words: &[&str]) -> Option<i32> {
    let line = format!("ulimit -v {}; exec \"$0\" \"$@\"", bytes >> 10);
    let mut shell = Command::new("sh");
    shell.current_dir(desk.path(".")).args(["-c", &line, GALVANI]).args(words);
    shell.output().unwrap().status.code()
}

/// What the command may take beside its budget.
#[cfg(target_os = "linux")]
const BESIDE: u64 = 256 << 20;

#[cfg(target_os = "linux")]
#[test]
fn no_verb_dies_for_want_of_memory() {
    let files = [
        ("bomb.tga", picture(8000)),
        ("zzda", long_pack()),
        ("crowd.lib", packed_crowd()),
        ("lantern.mdx", counts_beyond(sample("lantern.mdx"))),
        ("walker.msh", counts_beyond(sample("walker.msh"))),
        ("depot.rlb", sample("depot.rlb")),
        ("frog.lgp", counts_beyond(sample("frog.lgp"))),
        ("windmill.glb", sample("windmill.glb")),
        ("zeros.glb", zeros()),
    ];
    let desk = Desk::new();
    for (name, bytes) in &files {
        desk.put(name, bytes);
    }
    for folder in crowded_folders(&desk) {
        let code = run_in(&desk, (512 << 20) + 64 * (2 << 20) + BESIDE, &["pack", folder, "-o", "made"]);
        assert_eq!(code, Some(1), "{folder}");
    }
    for (name, bytes) in &files {
        let len = u64::try_from(bytes.len()).unwrap();
        let (room, more) = ((64 << 20) + 4 * len, (64 << 20) + 64 * len);
        let verbs: &[(u64, &[&str])] = &[
            (room, &["info", name]),
            (room, &["validate", name, "--json"]),
            (room, &["dump", name]),
            (room, &["list", name]),
            (room, &["sample", name]),
            (room, &["extract", name, "-o", "members", "--force"]),
            (more, &["diff", name, name]),
            (more, &["unpack", name, "-o", "folder", "--force"]),
            (more, &["edit", name, "canonical", "-o", "made"]),
            (more, &["edit", name, "resample", "all", "200", "loop", "0.5", "-o", "made"]),
            (more, &["rewrite", name, "-o", "made"]),
            ((512 << 20) + 64 * len, &["convert", name, "-o", "made.glb"]),
            ((512 << 20) + 64 * len, &["convert", name, "-o", "made.png"]),
            ((512 << 20) + 64 * len, &["convert", name, "-o", "made.msh"]),
            ((512 << 20) + 64 * len, &["convert", name, "-o", "made.mdx"]),
            ((512 << 20) + 64 * len, &["convert", name, "--to", "ff7", "-o", "made.lgp"]),
            ((512 << 20) + 64 * len, &["convert", name, "--to", "ff7-field", "-o", "parts/", "--force"]),
        ];
        for (budget, words) in verbs {
            let code = run_in(&desk, budget + BESIDE, words);
            assert!(code.is_some_and(|code| code <= 3), "{words:?}: {code:?}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn hardly_any_memory_is_an_answer_too() {
    let desk = Desk::new().with("crowd.lib", packed_crowd()).with("bomb.tga", picture(8000));
    let [model, archive] = crowded_folders(&desk);
    for words in [
        &["pack", model, "-o", "made", "--force"][..],
        &["pack", archive, "-o", "made", "--force"],
        &["validate", "crowd.lib"],
        &["info", "crowd.lib"],
        &["extract", "crowd.lib/M0", "-o", "out", "--force"],
        &["unpack", "crowd.lib", "-o", "folder", "--force"],
        &["convert", "bomb.tga", "-o", "out.png", "--force", "--limit-memory", "4G"],
    ] {
        // Somewhere among these the large list just fits and nothing beside it.
        for bytes in (64..160).step_by(4).map(|megabytes| megabytes << 20) {
            let code = run_in(&desk, bytes, words);
            assert!(code.is_some_and(|code| code <= 3), "{words:?} in {bytes}: {code:?}");
        }
    }
}
