//! Textures of Warcraft III, World of Warcraft and hardware through every verb.

use galvani::image::{Image, from_png, to_png};

use crate::common::Desk;

/// A desk with the shipped skins, and a painted picture with alpha.
fn desk() -> Desk {
    let desk = Desk::new();
    assert_eq!(desk.run(&["samples", "."]).code, 0);
    for name in ["Lantern.blp", "LanternGlow.blp", "Lantern.dds"] {
        desk.put(&name.to_lowercase(), desk.read(&format!("Textures/{name}")));
    }
    desk.with("paint.png", to_png(&paint()).unwrap())
}

/// 16 × 8 pixels of many colours, half of them half transparent.
fn paint() -> Image {
    let rgba = (0..128_u8).map(|i| [i, 255 - i, i / 2, if i % 2 == 0 { 255 } else { 128 }]).collect();
    Image { width: 16, height: 8, rgba }
}

const SKINS: [&str; 3] = ["lantern.blp", "lanternglow.blp", "lantern.dds"];

#[test]
fn info_tells_size_kind_levels_alpha_and_colours() {
    let desk = desk();
    let (code, json) = desk.json(&[&["info", "--json"], &SKINS[..]].concat());
    assert_eq!(code, 0, "{json:#}");
    let of = |format: &str, kind: &str| {
        let files = json["files"].as_array().unwrap().iter();
        files.clone().find(|file| file["format"] == format && file["kind"] == kind).unwrap().clone()
    };
    let metal = of("blp", "JPEG");
    assert_eq!((&metal["counts"]["width"], &metal["counts"]["levels"]), (&32.into(), &6.into()));
    assert_eq!(metal["alpha_bits"], 8);
    assert!(metal["transparent_pixels"].as_u64() > Some(200), "the team's colour shines through");
    assert_eq!(metal["levels"][5]["width"], 1);
    let glow = of("blp", "palette");
    assert_eq!((&glow["alpha_bits"], &glow["colours_used"]), (&8.into(), &16.into()));
    let blocks = of("dds", "BC1");
    assert_eq!(blocks["levels"][0]["bytes"], 512);
}

#[test]
fn the_shipped_skins_are_sound_and_come_back_byte_for_byte() {
    let desk = desk();
    for skin in SKINS {
        let (code, json) = desk.json(&["validate", skin, "--json"]);
        assert_eq!((code, json["files"][0]["diagnostics"].as_array().unwrap().len()), (0, 0), "{json:#}");
        assert_eq!(desk.run(&["dump", skin]).code, 0);
        assert_eq!(desk.run(&["rewrite", skin, "-o", "same"]).code, 0);
        assert!(desk.read("same") == desk.read(skin), "{skin}");
        let folder = format!("{skin}.d");
        assert_eq!(desk.run(&["unpack", skin, "-o", &folder]).code, 0);
        assert_eq!(desk.run(&["pack", &folder, "-o", "packed"]).code, 0);
        assert!(desk.read("packed") == desk.read(skin), "{skin}");
    }
}

#[test]
fn a_folder_has_pictures_and_what_is_stored_only_where_they_do_not_say_it_all() {
    let desk = desk();
    for skin in SKINS {
        desk.run(&["unpack", skin, "-o", &format!("{skin}.d")]);
    }
    let files = desk.files();
    let has = |name: &str| files.iter().any(|file| file == name);
    assert!(has("lantern.blp.d/levels/00.png") && has("lantern.blp.d/levels/00.bin"));
    assert!(has("lanternglow.blp.d/levels/00.png") && !has("lanternglow.blp.d/levels/00.bin"));
    assert!(has("lantern.dds.d/levels/0-00.png") && has("lantern.dds.d/levels/0-00.bin"));
}

#[test]
fn pack_encodes_only_the_picture_that_was_changed() {
    let desk = desk();
    for (skin, level) in [
        ("lantern.blp", "levels/01.png"),
        ("lanternglow.blp", "levels/01.png"),
        ("lantern.dds", "levels/0-01.png"),
    ] {
        let folder = format!("{skin}.d");
        desk.run(&["unpack", skin, "-o", &folder]);
        let mut image = from_png(&desk.read(&format!("{folder}/{level}"))).unwrap();
        image.rgba.fill([200, 200, 200, 255]);
        desk.put(&format!("{folder}/{level}"), to_png(&image).unwrap());
        let done = desk.run(&["pack", &folder, "-o", "new"]);
        assert_eq!(done.code, 0, "{skin}: {}", done.stderr);
        let shown = |file: &str, level: &str| {
            let done = desk.run(&["convert", file, "--level", level, "--to", "png", "-o", "-"]);
            from_png(&done.stdout).unwrap()
        };
        for same in ["0", "2", "5"] {
            assert_eq!(shown("new", same), shown(skin, same), "{skin}: level {same}");
        }
        assert_ne!(shown("new", "1"), shown(skin, "1"), "{skin}");
    }
}

#[test]
fn diff_says_how_many_pixels_differ_and_by_how_much() {
    let desk = desk();
    desk.run(&["convert", "paint.png", "-o", "a.blp"]);
    desk.run(&["convert", "paint.png", "-o", "b.blp", "--quality", "10"]);
    desk.run(&["convert", "lantern.blp", "-o", "small.png", "--level", "1"]);
    let (code, json) = desk.json(&["diff", "a.blp", "b.blp", "--json"]);
    assert_eq!(code, 0, "{json:#}");
    let picture = &json["changes"][0];
    assert_eq!(picture["path"], "picture");
    let pixels = picture["new"]["pixels"].as_f64().unwrap();
    assert!(pixels > 1.0 && picture["distance"].as_f64() == Some(pixels), "{picture:#}");
    let text = desk.run(&["diff", "a.blp", "b.blp"]).text().to_owned();
    assert!(text.contains("pixels of 128 differ, by"), "{text}");
    let text = desk.run(&["diff", "lantern.blp", "a.blp"]).text().to_owned();
    assert!(text.contains("32 × 32 → 16 × 8 pixels"), "{text}");
    // The same for a texture of another game.
    desk.run(&["convert", "frog/zgac", "-o", "frog.png"]);
    desk.run(&["convert", "frog/zgac", "-o", "angry.png", "--palette", "1"]);
    desk.run(&["convert", "frog.png", "-o", "frog.tex"]);
    desk.run(&["convert", "angry.png", "-o", "angry.tex"]);
    let text = desk.run(&["diff", "frog.tex", "angry.tex"]).text().to_owned();
    assert!(text.contains("pixels of 1024 differ"), "{text}");
}

#[test]
fn a_picture_becomes_a_texture_of_every_kind() {
    let desk = desk();
    let kinds: [(&[&str], &str, &str); 8] = [
        (&["-o", "x.blp"], "JPEG", "x.blp"),
        (&["--to", "blp", "-o", "x"], "JPEG", "x"),
        (&["--to", "blp:palette", "-o", "x.blp"], "palette", "x.blp"),
        (&["-o", "x.dds"], "BC3", "x.dds"),
        (&["--to", "dds:bc1", "-o", "x.dds"], "BC1", "x.dds"),
        (&["--to", "dds:bc3", "-o", "x.dds"], "BC3", "x.dds"),
        (&["--to", "dds:bc7", "-o", "x.dds"], "BC7", "x.dds"),
        (&["--to", "dds:plain", "-o", "x.dds"], "32 bits", "x.dds"),
    ];
    for (words, kind, out) in kinds {
        let done = desk.run(&[&["convert", "paint.png"], words].concat());
        assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{words:?}");
        let (_, json) = desk.json(&["info", out, "--json"]);
        assert_eq!(json["files"][0]["kind"], kind, "{words:?}");
        assert_eq!(json["files"][0]["counts"]["levels"], 5, "{words:?}");
        assert_eq!(desk.run(&["validate", out, "--quiet"]).code, 0, "{words:?}");
    }
}

#[test]
fn what_a_palette_or_plain_pixels_hold_comes_back_exactly() {
    let desk = desk();
    for (to, out) in [("blp:palette", "x.blp"), ("dds:plain", "x.dds"), ("ff7-tex", "x.tex")] {
        assert_eq!(desk.run(&["convert", "paint.png", "--to", to, "-o", out]).code, 0);
        assert_eq!(desk.run(&["convert", out, "-o", "again.png"]).code, 0);
        assert_eq!(from_png(&desk.read("again.png")).unwrap(), paint(), "{to}");
    }
}

#[test]
fn the_options_of_new_files_do_what_they_say() {
    let desk = desk();
    let made = |words: &[&str]| {
        let done = desk.run(&[&["convert", "paint.png", "-o", "x.blp"], words].concat());
        assert_eq!(done.code, 0, "{words:?}: {}", done.stderr);
        desk.json(&["info", "x.blp", "--json"]).1["files"][0].clone()
    };
    assert_eq!((&made(&[])["alpha_bits"], &made(&[])["quality"]), (&8.into(), &90.into()));
    assert_eq!(made(&["--quality", "40"])["quality"], 40);
    assert_eq!(made(&["--mips", "one"])["counts"]["levels"], 1);
    for bits in ["0", "1", "4", "8"] {
        let made = made(&["--to", "blp:palette", "--alpha", bits]);
        assert_eq!(made["alpha_bits"].to_string(), bits);
    }
    let wrong: [&[&str]; 5] = [
        &["--quality", "0"],
        &["--alpha", "3"],
        &["--dither", "some"],
        &["--to", "png", "--quality", "9"],
        &["--to", "dds:bc9"],
    ];
    for words in wrong {
        let done = desk.run(&[&["convert", "paint.png", "-o", "y"], words].concat());
        assert_eq!(done.code, 2, "{words:?}: {}", done.stderr);
    }
}

#[test]
fn dithering_is_a_choice() {
    let desk = desk();
    let rgba = (0..4096_u32).map(|i| (i * 4079).to_le_bytes()).map(|[a, b, ..]| [a, b, a ^ b, 255]).collect();
    desk.put("many.png", to_png(&Image { width: 64, height: 64, rgba }).unwrap());
    for (dither, out) in [("none", "none.blp"), ("diffuse", "diffuse.blp")] {
        let words = ["convert", "many.png", "--to", "blp:palette", "--dither", dither, "-o", out];
        assert_eq!(desk.run(&words).code, 0);
    }
    assert!(desk.read("none.blp") != desk.read("diffuse.blp"));
}

#[test]
fn a_new_file_is_made_like_an_old_one() {
    let desk = desk();
    let kind = |file: &str| desk.json(&["info", file, "--json"]).1["files"][0].clone();
    desk.run(&["convert", "paint.png", "-o", "q.blp", "--quality", "35", "--alpha", "0", "--mips", "one"]);
    for (like, out) in [("lanternglow.blp", "x.blp"), ("q.blp", "x.blp"), ("lantern.dds", "x.dds")] {
        let done = desk.run(&["convert", "paint.png", "--like", like, "-o", out]);
        assert_eq!(done.code, 0, "{like}: {}", done.stderr);
        let (old, new) = (kind(like), kind(out));
        for key in ["kind", "alpha_bits", "quality", "version"] {
            assert_eq!(old[key], new[key], "{like}: {key}");
        }
        assert_eq!(old["counts"]["levels"] == 1, new["counts"]["levels"] == 1, "{like}");
    }
    let other = desk.run(&["convert", "paint.png", "--like", "lantern.dds", "-o", "x.blp"]);
    assert_eq!(other.code, 2, "{}", other.stderr);
}

#[test]
fn a_folder_of_pictures_becomes_a_folder_of_textures() {
    let desk = desk();
    desk.put("in/a.png", desk.read("paint.png"));
    desk.put("in/b.png", desk.read("paint.png"));
    desk.put("in/note.txt", b"no picture");
    let (code, json) = desk.json(&["convert", "in", "--to", "blp", "-o", "out/", "--json"]);
    assert_eq!((code, json["files"].as_array().unwrap().len()), (0, 2), "{json:#}");
    let (code, _) = desk.json(&["convert", "out", "--to", "png", "-o", "back/", "--json"]);
    assert_eq!(code, 0);
    assert!(desk.path("back/a.png").exists() && desk.path("back/b.png").exists());
}

#[test]
fn edits_change_pictures_levels_and_alpha() {
    let desk = desk();
    let edit = |file: &str, words: &[&str]| desk.run(&[&["edit", file], words, &["-o", "new"]].concat());
    let info = || desk.json(&["info", "new", "--json"]).1["files"][0].clone();
    for file in SKINS {
        assert_eq!(edit(file, &["replace-image", "paint.png"]).code, 0, "{file}");
        assert_eq!((&info()["counts"]["width"], &info()["counts"]["levels"]), (&16.into(), &5.into()));
        desk.run(&["convert", file, "-o", "one.png", "--level", "1"]);
        assert_eq!(edit(file, &["set-mip", "1", "one.png"]).code, 0, "{file}");
        assert!(desk.read("new") == desk.read(file), "{file}: a picture that is there already");
        assert_eq!(edit(file, &["set-mip", "1", "paint.png"]).code, 1, "{file}: another size");
        assert_eq!(edit(file, &["rebuild-mips"]).code, 0, "{file}");
        assert_eq!(info()["counts"]["levels"], 6, "{file}");
        assert_eq!(edit(file, &["canonical"]).code, 0, "{file}");
        assert!(desk.read("new") == desk.read(file), "{file}: canonical already");
    }
    assert_eq!(edit("lanternglow.blp", &["set-alpha-bits", "4"]).code, 0);
    assert_eq!(info()["alpha_bits"], 4);
    assert_eq!(edit("lanternglow.blp", &["set-alpha-bits", "3"]).code, 2);
    assert_eq!(edit("lantern.blp", &["set-alpha-bits", "4"]).code, 1);
}

#[test]
fn a_beta_file_finds_its_levels_beside_it() {
    let desk = desk();
    desk.run(&["convert", "paint.png", "--to", "blp:palette", "--mips", "one", "-o", "one.blp"]);
    let one = desk.read("one.blp");
    // The same header without tables, then the palette; the level is a file of its own.
    let beta = [b"BLP0", &one[4..28], &one[156..1180]].concat();
    desk.put("sub/old.blp", &beta);
    let (code, json) = desk.json(&["convert", "sub/old.blp", "-o", "x.png", "--json"]);
    assert_eq!((code, &json["refused"][0]["code"]), (1, &"blp.decode-level".into()), "{json:#}");
    desk.put("sub/old.b00", &one[1180..]);
    assert_eq!(desk.run(&["convert", "sub/old.blp", "-o", "x.png"]).code, 0);
    assert_eq!(from_png(&desk.read("x.png")).unwrap(), paint());
    assert_eq!(desk.run(&["rewrite", "sub/old.blp", "-o", "same.blp"]).code, 0);
    assert!(desk.read("same.blp") == beta);
}

#[test]
fn a_name_does_not_make_a_texture() {
    let desk = desk().with("stub.blp", b"this is a text");
    assert_eq!(desk.run(&["info", "stub.blp"]).code, 3);
    desk.put("model.blp", desk.read("lantern.mdx"));
    assert_eq!(desk.json(&["info", "model.blp", "--json"]).1["files"][0]["format"], "mdx");
}

#[test]
fn a_face_of_a_cube_is_shown_and_one_that_is_not_there_is_refused() {
    let desk = desk();
    desk.run(&["convert", "paint.png", "--to", "dds:plain", "--mips", "one", "-o", "face.dds"]);
    let face = desk.read("face.dds");
    let mut cube = face.clone();
    // Caps of a cube with all its faces, and six times the pixels, the last of them black.
    cube[112..116].copy_from_slice(&0xfe00_u32.to_le_bytes());
    (0..4).for_each(|_| cube.extend(&face[128..]));
    cube.extend(vec![0; face.len() - 128]);
    desk.put("cube.dds", cube);
    assert_eq!(desk.run(&["convert", "cube.dds", "--face", "4", "-o", "four.png"]).code, 0);
    assert_eq!(from_png(&desk.read("four.png")).unwrap(), paint());
    assert_eq!(desk.run(&["convert", "cube.dds", "--face", "5", "-o", "five.png"]).code, 0);
    assert!(from_png(&desk.read("five.png")).unwrap().rgba.iter().all(|&pixel| pixel == [0; 4]));
    assert_eq!(desk.run(&["convert", "cube.dds", "--face", "6", "-o", "six.png"]).code, 1);
}
