//! What Parkan's models wear, on the command line: textures, materials, material tables, packed archives.

use galvani::image::{Image, from_png, to_png};
use serde_json::json;

use crate::common::{Desk, codes};

/// A sample that ships.
fn sample(name: &str) -> Vec<u8> {
    let samples = galvani::samples::all();
    samples.into_iter().find(|sample| sample.name == name).unwrap().bytes
}

fn desk() -> Desk {
    ["walker.msh", "walker.wea", "material.lib", "textures.lib", "glass.mat0", "stripes.texm", "signs.rlb"]
        .into_iter()
        .fold(Desk::new(), |desk, name| desk.with(name, sample(name)))
}

/// The PNG of a picture, as the command converts it.
fn picture(desk: &Desk, words: &[&str]) -> Image {
    let words = [&["convert"], words, &["-o", "shown.png", "--force"]].concat();
    let done = desk.run(&words);
    assert_eq!(done.code, 0, "{}", done.all());
    from_png(&desk.read("shown.png")).unwrap()
}

#[test]
fn members_are_known_by_the_type_that_their_record_gives() {
    let desk = desk();
    let (_, json) = desk.json(&["list", "material.lib", "--json"]);
    assert_eq!(json["files"][0]["members"][3]["format"], "mat0");
    assert_eq!(json["files"][0]["members"][3]["summary"], "3 phases, 2 tracks, GLASS.0");
    let (_, json) = desk.json(&["info", "material.lib/glass", "textures.lib/STEEL.0", "--json"]);
    assert_eq!((&json["files"][0]["format"], &json["files"][0]["version"]), (&json!("mat0"), &json!(6)));
    assert_eq!(json["files"][1]["pixel_format"], 565);
    assert_eq!(json["files"][1]["levels"].as_array().unwrap().len(), 6);
    // A table that the game would refuse is one all the same if its archive says so.
    desk.put("bad.wea", b"none\n");
    let words = ["edit", "textures.lib", "add", "x.wea", "WEAR", "bad.wea", "-o", "odd.lib"];
    assert_eq!(desk.run(&words).code, 0);
    let (code, json) = desk.json(&["validate", "odd.lib", "--json"]);
    assert_eq!(code, 1);
    let rows = json["files"].as_array().unwrap();
    let row = rows.iter().find(|row| row["path"] == "odd.lib/x.wea").unwrap();
    assert_eq!((&row["format"], codes(row)), (&json!("wear"), vec!["wear.count"]));
}

#[test]
fn a_material_is_read_by_the_version_of_its_record() {
    let desk = desk();
    // The same bytes under an older version have a shorter head.
    let words = ["edit", "material.lib", "set", "GLASS", "attr2", "1", "-o", "old.lib"];
    assert_eq!(desk.run(&words).code, 0);
    let (_, json) = desk.json(&["info", "old.lib/GLASS", "--json"]);
    assert_eq!(json["files"][0]["version"], 1);
    let (_, json) = desk.json(&["info", "glass.mat0", "--json"]);
    assert_eq!(json["files"][0]["version"], 6, "by itself it is what fits");
}

#[test]
fn every_kind_comes_back_from_its_folder() {
    let desk = desk();
    for name in ["walker.wea", "glass.mat0", "stripes.texm", "signs.rlb", "material.lib", "textures.lib"] {
        assert_eq!(desk.run(&["unpack", name, "-o", &format!("{name}.d")]).code, 0, "{name}");
        assert_eq!(desk.run(&["pack", &format!("{name}.d"), "-o", "again"]).code, 0, "{name}");
        assert_eq!(desk.read("again"), desk.read(name), "{name}");
        assert_eq!(desk.run(&["rewrite", name, "-o", "again"]).code, 0, "{name}");
        assert_eq!(desk.read("again"), desk.read(name), "{name}");
    }
}

#[test]
fn a_picture_that_was_changed_is_taken_back_and_the_rest_stays() {
    let desk = desk();
    assert_eq!(desk.run(&["unpack", "stripes.texm", "-o", "d"]).code, 0);
    let mut image = from_png(&desk.read("d/levels/01.png")).unwrap();
    image.rgba[5] = image.rgba[0];
    desk.put("d/levels/01.png", to_png(&image).unwrap());
    assert_eq!(desk.run(&["pack", "d", "-o", "new.texm"]).code, 0);
    assert_eq!(picture(&desk, &["new.texm", "--level", "1"]), image);
    assert_eq!(picture(&desk, &["new.texm"]), picture(&desk, &["stripes.texm"]));
    let (_, json) = desk.json(&["diff", "stripes.texm", "new.texm", "--json"]);
    let changes = json["changes"].as_array().unwrap();
    assert_eq!((changes.len(), &changes[0]["path"]), (1, &json!("levels[1].stored")), "{json:#}");
    let mut image = from_png(&desk.read("d/levels/00.png")).unwrap();
    image.rgba[5] = image.rgba[8];
    desk.put("d/levels/00.png", to_png(&image).unwrap());
    assert_eq!(desk.run(&["pack", "d", "-o", "newer.texm"]).code, 0);
    let (_, json) = desk.json(&["diff", "new.texm", "newer.texm", "--json"]);
    let change = &json["changes"][0];
    assert_eq!((&change["path"], &change["distance"]), (&json!("picture"), &json!(1.0)), "{json:#}");
}

#[test]
fn a_picture_becomes_a_texture_that_loses_nothing_or_is_like_another() {
    let desk = desk();
    let format = |file: &str| desk.json(&["info", file, "--json"]).1["files"][0]["pixel_format"].clone();
    for (from, words, wanted) in [
        ("textures.lib/STEEL.0", &[][..], 888),
        ("textures.lib/PLATES.0", &[], 8888),
        ("textures.lib/PLATES.0", &["--to", "texm:565"], 565),
        ("textures.lib/STEEL.0", &["--to", "texm:palette"], 0),
        ("textures.lib/STEEL.0", &["--like", "stripes.texm"], 0),
    ] {
        let before = picture(&desk, &[from]);
        let words = [&["convert", "shown.png", "-o", "new.texm", "--force"], words].concat();
        let done = desk.run(&words);
        assert_eq!((done.code, format("new.texm")), (0, json!(wanted)), "{words:?} {}", done.all());
        assert!(wanted == 565 || picture(&desk, &["new.texm"]) == before, "{words:?}");
    }
    assert_eq!(desk.run(&["convert", "shown.png", "-o", "one.texm", "--mips", "one"]).code, 0);
    assert_eq!(desk.json(&["info", "one.texm", "--json"]).1["files"][0]["counts"]["levels"], 1);
}

#[test]
fn a_texture_is_shown_by_level_surface_and_palette() {
    let desk = desk();
    let opaque = |image: &Image| image.rgba.iter().all(|&[.., alpha]| alpha == 255);
    let plates = "textures.lib/PLATES.0";
    assert!(!opaque(&picture(&desk, &[plates])));
    assert!(opaque(&picture(&desk, &[plates, "--surface", "opaque"])), "gloss is no alpha");
    assert_eq!(picture(&desk, &[plates, "--level", "3"]).width, 4);
    let refused = desk.run(&["convert", plates, "--level", "9", "-o", "x.png"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("texm.no-level"), "{}", refused.stderr);
    // Indices into a palette elsewhere are grey until somebody knows it.
    let mut outside = sample("stripes.texm");
    outside[28] = 2;
    outside.drain(32..32 + 1024);
    desk.put("font.texm", outside);
    desk.put("pal.pal", (0..=255_u8).flat_map(|i| [i, 0, 255 - i, 0]).collect::<Vec<_>>());
    let [grey, coloured] = [&["font.texm"][..], &["font.texm", "--colours", "pal.pal"]]
        .map(|words| picture(&desk, words).rgba[0]);
    assert_eq!((grey[0], coloured), (grey[2], [255 - grey[0], 0, grey[0], 255]));
}

#[test]
fn packed_members_are_listed_extracted_checked_and_edited() {
    let desk = desk();
    let (_, json) = desk.json(&["list", "signs.rlb", "--json"]);
    let row = &json["files"][0]["members"][6];
    assert_eq!(
        (&row["name"], &row["method"], &row["format"]),
        (&json!("STRIPES.TEX"), &json!("deflate"), &json!("texm"))
    );
    assert_eq!(desk.run(&["extract", "signs.rlb", "-o", "out"]).code, 0);
    assert_eq!(desk.read("out/STRIPES.TEX"), sample("stripes.texm"));
    assert_eq!(desk.read("out/LZHUF.TXT"), desk.read("out/STORED.TXT"));
    let (code, json) = desk.json(&["validate", "signs.rlb", "--json"]);
    assert_eq!((code, json["files"].as_array().unwrap().len()), (0, 2));
    // An edit of a member goes through its archive; the others keep their packed bytes.
    let words = ["edit", "signs.rlb/STRIPES.TEX", "set-colour", "3", "1", "2", "3", "--in-place"];
    let done = desk.run(&words);
    assert_eq!(done.code, 0, "{}", done.all());
    let (_, json) = desk.json(&["info", "signs.rlb/stripes.tex", "--json"]);
    assert_eq!(json["files"][0]["format"], "texm");
    desk.put("old.rlb", sample("signs.rlb"));
    let (_, json) = desk.json(&["diff", "old.rlb", "signs.rlb", "--json"]);
    let changes = json["changes"].as_array().unwrap();
    let inside =
        |change: &serde_json::Value| change["path"].as_str().unwrap().starts_with("entries[6].payload");
    assert!(!changes.is_empty() && changes.iter().all(inside), "{json:#}");
}

#[test]
fn a_content_that_was_changed_in_the_folder_is_packed_again() {
    let desk = desk();
    assert_eq!(desk.run(&["unpack", "signs.rlb", "-o", "d"]).code, 0);
    desk.put("d/contents/0004-LZHUF.TXT", b"other words, other words");
    assert_eq!(desk.run(&["pack", "d", "-o", "new.rlb"]).code, 0);
    assert_eq!(desk.run(&["extract", "new.rlb/LZHUF.TXT", "-o", "out"]).code, 0);
    assert_eq!(desk.read("out/LZHUF.TXT"), b"other words, other words");
    assert_eq!(desk.run(&["validate", "new.rlb", "--deny", "notes"]).code, 0);
}

#[test]
fn a_dump_shows_the_table_of_a_packed_archive_in_the_clear() {
    let desk = desk();
    let (_, json) = desk.json(&["dump", "signs.rlb", "--json"]);
    let rows = json.as_array().unwrap();
    let name = rows.iter().find(|row| row["path"] == "entries[0].name").unwrap();
    assert_eq!(name["value"], "STORED.TXT");
}

#[test]
fn a_table_and_a_material_are_edited_and_compared() {
    let desk = desk();
    let words = ["edit", "walker.wea", "set-name", "materials", "1", "RUST", "-o", "new.wea"];
    assert_eq!(desk.run(&words).code, 0);
    let (_, json) = desk.json(&["diff", "walker.wea", "new.wea", "--json"]);
    assert_eq!(
        json["changes"],
        json!([{"path": "lines[3]", "old": "1 STEEL", "new": "1 RUST", "distance": null}])
    );
    let words = ["edit", "glass.mat0", "set-texture", "1", "RUST.0", "-o", "new.mat0"];
    assert_eq!(desk.run(&words).code, 0);
    let (_, json) = desk.json(&["diff", "glass.mat0", "new.mat0", "--json"]);
    assert_eq!(json["changes"][0]["path"], "phases[1].texture", "{json:#}");
    // A track that takes no time would stop the game.
    let refused = desk.run(&["edit", "glass.mat0", "set-key", "0", "2", "0", "0", "-o", "x"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("mat0.period"), "{}", refused.stderr);
}

#[test]
fn nothing_else_is_taken_for_a_table_or_a_material() {
    let texts: [&[u8]; 6] = [
        b"2\n0 RUST\n",
        b"2\n0 RUST\n1 GLASS\nmore\n",
        b"3\nlines of\nany other\ntext\n",
        b"1\n",
        b"1\n7 SEVEN\n",
        b"1,2\n",
    ];
    for text in texts {
        let desk = Desk::new().with("note", text);
        assert_eq!(desk.run(&["info", "note"]).code, 3, "{}", String::from_utf8_lossy(text));
    }
    let mut slow = sample("glass.mat0");
    slow[6] = 1;
    let desk = Desk::new().with("slow", &slow).with("slow.mat0", &slow);
    assert_eq!(desk.run(&["info", "slow"]).code, 3, "every material of the game has a factor of 1");
    assert_eq!(desk.run(&["info", "slow.mat0"]).code, 0, "unless its name says that it is one");
}
