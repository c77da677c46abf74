//! What `info` and `list` show people: every sample in two widths, and what must hold in any.

use std::path::Path;

use super::common::archive::{DATA_OFFSET, archive, peek, poke, record};
use super::common::{Desk, Done};

/// A desk with everything that ships.
fn desk() -> Desk {
    let desk = Desk::new();
    assert_eq!(desk.run(&["samples", "."]).code, 0);
    desk
}

/// What ships, by name; the files of a model lie in a folder.
const SAMPLES: [&str; 25] = [
    "Textures",
    "boat.a",
    "boat.hrc",
    "boat.p",
    "boat.rsd",
    "depot.rlb",
    "frog",
    "frog.lgp",
    "glass.mat0",
    "glow.tex",
    "lamp.p",
    "lamp.rsd",
    "lantern-text.mdl",
    "lantern-wow.mdx",
    "lantern.mdx",
    "mast.p",
    "mast.rsd",
    "material.lib",
    "paper.tex",
    "signs.rlb",
    "stripes.texm",
    "textures.lib",
    "walker.msh",
    "walker.wea",
    "windmill.glb",
];

fn run(desk: &Desk, columns: &str, words: &[&str]) -> Done {
    Done::new(desk.command().args(words).env("COLUMNS", columns).output().unwrap())
}

fn text(desk: &Desk, columns: &str, words: &[&str]) -> String {
    run(desk, columns, words).text().to_owned()
}

/// A sample, and if it is an archive every member of a known format.
fn inputs(desk: &Desk, sample: &str) -> Vec<String> {
    let mut found = vec![sample.to_owned()];
    let (_, json) = desk.json(&["list", sample, "--json"]);
    for member in json["files"][0]["members"].as_array().into_iter().flatten() {
        if member["format"].is_string() {
            found.extend(inputs(desk, &format!("{sample}/#{}", member["index"])));
        }
    }
    found
}

#[track_caller]
fn assert_fits(text: &str, columns: usize) {
    for line in text.lines() {
        assert!(line.chars().count() <= columns, "{columns} columns: {line}");
    }
}

#[test]
fn every_sample_ships_and_is_shown() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, SAMPLES);
}

#[test]
fn info_of_every_sample_and_of_what_is_inside() {
    let desk = desk();
    for (columns, width) in [("80", 80), ("120", 120)] {
        for sample in SAMPLES {
            let inputs = inputs(&desk, sample);
            let mut words = vec!["info"];
            words.extend(inputs.iter().map(String::as_str));
            let done = run(&desk, columns, &words);
            assert_eq!(done.code, 0, "{}", done.all());
            assert_fits(done.text(), width);
            insta::assert_snapshot!(format!("info_{columns}_{sample}"), done.text());
        }
    }
}

#[test]
fn nothing_is_wider_than_the_terminal() {
    let desk = desk();
    for (columns, width) in [("40", 40), ("57", 57)] {
        for sample in SAMPLES {
            for words in [&["info", sample, "--readings"][..], &["info", sample], &["list", sample]] {
                assert_fits(&text(&desk, columns, words), width);
            }
        }
    }
}

#[test]
fn without_a_terminal_there_are_80_columns() {
    let desk = desk();
    let words = ["info", "lantern-wow.mdx", "--readings"];
    let alone = Done::new(desk.command().args(words).env_remove("COLUMNS").output().unwrap());
    assert_eq!(alone.text(), text(&desk, "80", &words));
    assert_ne!(alone.text(), text(&desk, "120", &words));
}

#[test]
fn counts_of_nothing_are_left_out() {
    let desk = desk().with("none.rlb", archive(&[]));
    for sample in SAMPLES.iter().chain(&["none.rlb"]) {
        let text = text(&desk, "100", &["info", sample]);
        let holds = text.lines().filter(|line| line.starts_with("  holds:"));
        assert!(holds.clone().all(|line| !line.contains(" 0 ")), "{text}");
    }
    assert_eq!(text(&desk, "100", &["info", "none.rlb"]).lines().count(), 1);
}

#[test]
fn one_reading_is_shown_and_both_with_their_reasons_when_asked() {
    let desk = desk();
    let one = text(&desk, "120", &["info", "lantern-wow.mdx", "frog/zgda", "walker.msh"]);
    for absent in
        ["as documented", "as observed", "Frames as", "Names as", "sFrames", "because", "of 4 sequences"]
    {
        assert!(!one.contains(absent), "{absent}: {one}");
    }
    assert!(one.contains("  reading: observed (seqs, tracks, inherit)\n"), "{one}");
    let both = text(&desk, "120", &["info", "lantern-wow.mdx", "frog/zgda", "walker.msh", "--readings"]);
    for present in [
        "reading of seqs: observed (of 4 sequences 4 observed, 0 documented)",
        "reading of walk: observed (",
        "reading of msh: observed (",
        "Sequences as observed\n",
        "Sequences as documented\n",
        "Frames as each account has them\n",
        "Names as each account has them\n",
    ] {
        assert!(both.contains(present), "{present}: {both}");
    }
}

#[test]
fn the_reading_taken_names_the_sequences() {
    let desk = desk();
    let text = text(&desk, "100", &["info", "lantern-wow.mdx", "--reading", "seqs=documented"]);
    assert!(text.contains("reading: documented (seqs), observed (tracks, inherit)"), "{text}");
    // `Stan` and `d\0\0\0` as numbers.
    assert!(text.contains("1851880531.100") && !text.contains(" Stand "), "{text}");
}

/// Where the four bytes behind a node's name, number and parent lie: its bits.
fn flags_of(file: &[u8], name: &[u8]) -> usize {
    let name = file.windows(name.len()).position(|window| window == name).unwrap();
    name + 80 + 8
}

#[test]
fn bits_have_names_and_unknown_ones_are_hex() {
    let desk = desk();
    let mut file = desk.read("lantern.mdx");
    let place = flags_of(&file, b"Handle\0\0");
    file[place..place + 4].copy_from_slice(&0x8000_0309_u32.to_le_bytes());
    desk.put("odd.mdx", &file);
    let text = text(&desk, "120", &["info", "odd.mdx"]);
    let row = text.lines().find(|line| line.contains("Handle")).unwrap();
    assert!(row.ends_with("own translation, billboard, marked as light, 0x80000000"), "{row}");
    let (_, json) = desk.json(&["info", "odd.mdx", "--json"]);
    let node = &json["files"][0]["nodes"][2];
    assert_eq!(node["flags"], 0x8000_0309_u32);
    assert_eq!(node["flag_names"], serde_json::json!(["own translation", "billboard", "marked as light"]));
}

#[test]
fn a_parent_ring_is_drawn_and_ends() {
    let desk = desk();
    let mut file = desk.read("lantern.mdx");
    let parent = flags_of(&file, b"Root\0\0") - 4;
    file[parent..parent + 4].copy_from_slice(&1_u32.to_le_bytes());
    desk.put("ring.mdx", &file);
    let done = run(&desk, "80", &["info", "ring.mdx"]);
    assert_eq!(done.code, 0);
    for name in ["Root", "Body", "Handle", "Overhead Ref"] {
        assert_eq!(done.text().matches(name).count(), 1, "{}", done.text());
    }
}

/// An archive with a nested one, a model, a cut archive, an alien and nothing.
fn mixed() -> Vec<u8> {
    let inner = archive(&[("deep.txt", b"deep")]);
    let lantern = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/lantern.mdx");
    let lantern = std::fs::read(lantern).unwrap();
    archive(&[
        ("in.rlb", &inner),
        ("lantern", &lantern),
        ("cut.rlb", &inner[..inner.len() - 5]),
        ("alien", b"what is this?"),
        ("nothing", b""),
    ])
}

#[test]
fn an_archive_says_in_a_line_what_each_member_is_and_holds() {
    let desk = Desk::new().with("mixed.rlb", mixed());
    let wanted = [
        (Some("nres"), Some("archive of 1 entry")),
        (Some("mdx"), Some("Lantern: 4 sequences, 13 nodes, 620 triangles")),
        (Some("nres"), Some("does not read: ")),
        (None, None),
        (None, None),
    ];
    let (_, listed) = desk.json(&["list", "mixed.rlb", "--json"]);
    let (_, shown) = desk.json(&["info", "mixed.rlb", "--json"]);
    for rows in [&listed["files"][0]["members"], &shown["files"][0]["entries"]] {
        for (row, (format, summary)) in rows.as_array().unwrap().iter().zip(wanted) {
            let starts =
                |wanted: &str| row["summary"].as_str().is_some_and(|found| found.starts_with(wanted));
            assert_eq!(row["format"].as_str(), format, "{row}");
            assert!(summary.map_or(row["summary"].is_null(), starts), "{row}");
        }
    }
    for verb in ["list", "info"] {
        let text = text(&desk, "100", &[verb, "mixed.rlb"]);
        assert!(text.contains("nres    archive of 1 entry"), "{text}");
        assert!(text.contains("does not read: "), "{text}");
    }
    assert_eq!(shown["files"][0]["unknown"].as_array().unwrap().len(), 3, "archives in archives are known");
}

#[test]
fn members_that_share_their_bytes_are_looked_into_once() {
    let inner = archive(&[("deep.txt", &[7; 5000])]);
    let mut file = archive(&[("a", &inner), ("b", b""), ("c", b""), ("d", b""), ("e", b"")]);
    let place = peek(&file, record(&file, 0) + DATA_OFFSET);
    for i in 1..5 {
        let entry = record(&file, i);
        poke(&mut file, entry + DATA_OFFSET, place);
        poke(&mut file, entry + 12, inner.len());
    }
    let desk = Desk::new().with("shared.rlb", &file);
    let known = |work: usize| {
        let (_, json) = desk.json(&["list", "shared.rlb", "--json", "--limit-work", &work.to_string()]);
        let rows = json["files"][0]["members"].as_array().unwrap();
        rows.iter().filter(|row| row["format"] == "nres").count()
    };
    // Enough to read the archive, but not to recognise and to read what they share.
    assert_eq!((known(2 * inner.len()), known(file.len())), (5, 0));
}

#[test]
fn what_wants_more_than_it_may_take_is_refused() {
    let desk = Desk::new().with("a.rlb", archive(&[("in.rlb", &archive(&[("deep.txt", &[7; 500])]))]));
    let (code, json) = desk.json(&["validate", "a.rlb", "--limit-work", "100", "--json"]);
    assert_eq!((code, crate::common::codes(&json["files"][0])), (1, vec!["file.out-of-work"]), "{json:#}");
    let (code, json) = desk.json(&["info", "a.rlb/*", "--limit-work", "100", "--json"]);
    assert_eq!((code, crate::common::codes(&json["files"][0])), (1, vec!["file.out-of-work"]), "{json:#}");
    assert_eq!(desk.run(&["extract", "a.rlb", "-o", "out", "--limit-work", "100"]).code, 1);
    assert_eq!(desk.run(&["info", "a.rlb/*", "--limit-work", "1K"]).code, 0);
    assert_eq!(desk.run(&["info", "a.rlb", "--limit-work", "much"]).code, 2);
}

#[test]
fn a_member_takes_one_line_whatever_it_holds() {
    let desk = Desk::new().with("mixed.rlb", mixed());
    for (columns, end) in [("120", "620 triangles"), ("60", "…")] {
        let text = text(&desk, columns, &["list", "mixed.rlb"]);
        assert_eq!(text.lines().count(), 6, "{text}");
        assert!(text.lines().any(|line| line.contains("lantern") && line.ends_with(end)), "{text}");
    }
}

#[test]
fn pictures_and_packs_say_their_sizes_in_a_list() {
    let text = text(&desk(), "100", &["list", "frog.lgp", "depot.rlb"]);
    for wanted in [
        "ff7-pack      6 clips, 144 frames",
        "ff7-tex       32 × 32 pixels of 8 bits, 2 palettes",
        "ff7-skeleton  enemy: 17 bones",
        "32 × 32 pixels",
        "2 materials",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
}

#[test]
fn the_frames_of_a_pack_come_first() {
    let text = text(&desk(), "100", &["info", "frog/zgda"]);
    assert!(text.contains("  holds: 144 frames, "), "{text}");
    assert!(text.contains("\nAnimations\n #  frames  length  "), "{text}");
}

#[test]
fn a_negative_start_counts_from_below_zero() {
    let desk = desk();
    let mut file = desk.read("lantern.mdx");
    let start = file.windows(6).position(|window| window == b"Stand\0").unwrap() + 80;
    file[start..start + 4].copy_from_slice(&(-167_i32).to_le_bytes());
    desk.put("early.mdx", &file);
    let text = text(&desk, "80", &["info", "early.mdx"]);
    assert!(text.contains(" 0  Stand      2.167 s     -167   2000"), "{text}");
    let (_, json) = desk.json(&["info", "early.mdx", "--json"]);
    assert_eq!(json["files"][0]["sequences"][0]["start"], 4_294_967_129_u32);
    assert_eq!(json["files"][0]["sequences"][0]["duration"], 2.167);
}
