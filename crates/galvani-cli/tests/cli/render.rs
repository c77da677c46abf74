//! `render`: pictures of models.

use galvani::image::{Image, from_png};
use serde_json::json;

use crate::common::Desk;
use crate::common::archive::archive;

/// A desk with the samples, and an archive of models and other things.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.run(&["samples", "."]);
    let walker = desk.read("walker.msh");
    desk.with("units.rlb", archive(&[("A.MSH", &walker), ("note.txt", b"hi"), ("b.msh", &walker)]))
}

/// What a picture shows that is written to standard output.
#[track_caller]
fn drawn(desk: &Desk, words: &[&str]) -> Image {
    let done = desk.run(&[&["render"], words, &["-o", "-", "--size", "64x48"]].concat());
    assert_eq!(done.code, 0, "{words:?}: {}", done.stderr);
    from_png(&done.stdout).unwrap()
}

/// How many of all pixels are seen on either of two pictures and not on both, as a part of those that are.
fn apart(a: &Image, b: &Image) -> f64 {
    let seen = |pixel: &[u8; 4]| pixel[3] >= 128;
    let pairs = || a.rgba.iter().zip(&b.rgba);
    let either = pairs().filter(|(a, b)| seen(a) || seen(b)).count();
    let one = pairs().filter(|(a, b)| seen(a) != seen(b)).count();
    f64::from(u32::try_from(one).unwrap()) / f64::from(u32::try_from(either).unwrap())
}

#[test]
fn a_picture_is_of_the_size_that_is_wanted_and_shows_the_model() {
    let desk = desk();
    for input in [
        "walker.msh",
        "lantern.mdx",
        "lantern-wow.mdx",
        "frog.lgp/zgaa",
        "frog/zgda",
        "boat.hrc",
        "windmill.glb",
    ] {
        let image = drawn(&desk, &[input]);
        assert_eq!((image.width, image.height), (64, 48));
        let seen = image.rgba.iter().filter(|pixel| pixel[3] > 0).count();
        assert!((150..2800).contains(&seen), "{input}: {seen} pixels");
    }
    let (code, json) = desk.json(&["render", "walker.msh", "-o", "walker.png", "--json"]);
    let row = &json["files"][0];
    assert_eq!((code, &row["path"], &row["output"]), (0, &json!("walker.msh"), &json!("walker.png")));
    let file = desk.read("walker.png");
    assert_eq!(row["bytes"], json!(file.len()));
    assert_eq!(from_png(&file).unwrap().width, 512);
}

#[test]
fn a_clip_and_a_time_are_shown() {
    let desk = desk();
    let stand = drawn(&desk, &["lantern.mdx"]);
    assert_eq!(stand, drawn(&desk, &["lantern.mdx", "--clip", "stand", "--time", "0"]));
    // The clip's own bounds are fitted, whatever the time.
    let walk = |time: &str| drawn(&desk, &["lantern.mdx", "--clip", "#2", "--time", time]);
    assert!(apart(&walk("0"), &walk("0.4")) > 0.02);
    assert_eq!(walk("0"), walk("1.6"), "what begins again begins again");
    let pose = drawn(&desk, &["lantern.mdx", "--clip", "Death", "--fit", "pose"]);
    assert!(apart(&drawn(&desk, &["lantern.mdx", "--clip", "Death"]), &pose) > 0.2);
}

/// How many pixels differ by more than 8 of 255 in a channel that is seen, as a part of those that are seen on either of two pictures.
fn differ(a: &Image, b: &Image) -> f64 {
    let shown = |[r, g, b, a]: [u8; 4]| [r, g, b, 255].map(|channel| u16::from(channel) * u16::from(a) / 255);
    let pairs = || a.rgba.iter().zip(&b.rgba).map(|(a, b)| (shown(*a), shown(*b)));
    let seen = pairs().filter(|(a, b)| a[3] > 0 || b[3] > 0).count();
    let off = pairs().filter(|(a, b)| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 8)).count();
    f64::from(u32::try_from(off).unwrap()) / f64::from(u32::try_from(seen).unwrap())
}

#[test]
fn a_model_looks_the_same_after_it_was_converted() {
    let desk = desk();
    // What core glTF does not say, how surfaces shine and lie over one another, our own extras say.
    for flags in [&[][..], &["--additive", "plain"], &["--unlit", "--pointer"]] {
        for (input, clip) in [("walker.msh", "0"), ("lantern.mdx", "Walk"), ("frog.lgp/zgaa", "1")] {
            assert_eq!(desk.run(&[&["convert", input, "-o", "there.glb"], flags].concat()).code, 0);
            for time in ["0", "0.5"] {
                let look = |file| drawn(&desk, &[file, "--clip", clip, "--time", time, "--view", "20,10"]);
                let differ = differ(&look(input), &look("there.glb"));
                assert!(differ < 0.01, "{input} at {time} with {flags:?}: {differ}");
            }
        }
    }
}

#[test]
fn it_is_looked_at_from_where_it_is_asked_to() {
    let desk = desk();
    let from = |view| drawn(&desk, &["walker.msh", "--view", view]);
    assert_eq!(from("right"), from("90,0"));
    assert_eq!(from("left"), from("-90,0"));
    assert!(apart(&from("front"), &from("top")) > 0.2);
    assert!(apart(&drawn(&desk, &["walker.msh", "--zoom", "2"]), &from("35,20")) > 0.3);
    let plain = drawn(&desk, &["walker.msh", "--background", "#102030"]);
    assert!(plain.rgba.iter().all(|pixel| pixel[3] == 255) && plain.rgba[0] == [0x10, 0x20, 0x30, 255]);
    for mark in ["--skeleton", "--names", "--wire", "--bounds", "--axes", "--grid", "--parallel"] {
        assert_ne!(drawn(&desk, &["walker.msh", mark]), from("35,20"), "{mark}");
    }
    assert_ne!(drawn(&desk, &["lantern.mdx", "--team", "3"]), drawn(&desk, &["lantern.mdx"]));
    assert_ne!(drawn(&desk, &["walker.msh", "--lod", "1"]), drawn(&desk, &["walker.msh"]));
}

#[test]
fn the_word_of_ff7_for_a_file_is_still_one() {
    let desk = desk();
    let done = desk.run(&["render", "frog/zgda", "--skeleton=frog/zgaa", "-o", "-", "--size", "16"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
}

#[test]
fn what_moves_is_shown_once_round() {
    let desk = desk();
    let moving = |words: &[&str]| {
        let done = desk.run(&[&["render", "lantern.mdx", "--clip", "Walk", "--size", "32"], words].concat());
        assert_eq!(done.code, 0, "{words:?}: {}", done.stderr);
    };
    moving(&["-o", "walk.gif"]);
    moving(&["-o", "walk.apng", "--fps", "10"]);
    moving(&["-o", "around.gif", "--turntable", "--fps", "5"]);
    let gif = desk.read("walk.gif");
    assert!(gif.starts_with(b"GIF89a"));
    // A block that says how each picture follows the last.
    let pictures = |file: &[u8]| file.windows(3).filter(|bytes| *bytes == b"\x21\xf9\x04").count();
    assert_eq!((pictures(&gif), pictures(&desk.read("around.gif"))), (12, 20));
    let apng = desk.read("walk.apng");
    let chunks = |tag: &[u8; 4]| apng.windows(4).filter(|bytes| bytes == tag).count();
    assert_eq!((chunks(b"acTL"), chunks(b"fcTL")), (1, 8));
}

#[test]
fn a_folder_gets_a_picture_of_each_model() {
    let desk = desk();
    let small = ["--size", "16"];
    let done = desk.run(&[&["render", "units.rlb", "-o", "out"], &small[..]].concat());
    assert_eq!(done.code, 0, "{}", done.all());
    assert!(String::from_utf8_lossy(&done.stdout).ends_with("2 written, 0 refused, 0 unreadable\n"));
    assert!(desk.path("out/A.png").exists() && desk.path("out/b.png").exists());
    // Files of one model are drawn once.
    let (code, json) = desk.json(&[&["render", "frog", "-o", "frogs/", "--json"], &small[..]].concat());
    assert_eq!((code, json["files"].as_array().unwrap().len()), (0, 1), "{json:#}");
    // The same again is nothing new; other pictures are not put in the place of those that are there.
    let again = |words: &[&str]| desk.run(&[&["render", "units.rlb", "-o", "out/"], words].concat());
    assert_eq!(again(&small).code, 0);
    let other = again(&["--size", "17"]);
    assert!(other.code == 1 && other.stderr.contains("file.exists"), "{}", other.stderr);
    assert_eq!(again(&["--size", "17", "--force"]).code, 0);
    assert_eq!(again(&["--size", "17", "--to", "gif"]).code, 0);
    assert!(desk.path("out/b.gif").exists());
}

#[test]
fn a_sheet_shows_all_clips_or_all_models() {
    let desk = desk();
    let sheet = |input, output: &str| {
        let done = desk.run(&["render", input, "-o", output, "--sheet", "--size", "40x30"]);
        assert_eq!(done.code, 0, "{}", done.stderr);
        let image = from_png(&desk.read(output)).unwrap();
        (image.width, image.height)
    };
    // Four clips, six moments each; a word above and one beneath each.
    assert_eq!(sheet("lantern.mdx", "clips.png"), (6 * 48 + 8, 4 * (38 + 32) + 8));
    // Two models, three lines beneath each.
    assert_eq!(sheet("units.rlb", "models.png"), (2 * 48 + 8, 38 + 48 + 8));
    let into = desk.run(&["render", "units.rlb", "-o", "sheets/", "--sheet"]);
    assert_eq!(into.code, 2, "{}", into.stderr);
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let desk = desk();
    let refused = |words: &[&str]| {
        let (code, json) = desk.json(&[&["render"], words, &["--json"]].concat());
        let refused = json["refused"][0]["code"].as_str().map(str::to_owned);
        (code, refused.unwrap_or_default())
    };
    let told = |code: u8, name: &str| (code, name.to_owned());
    assert_eq!(refused(&["lantern.mdx", "-o", "x.png", "--clip", "Swim"]), told(1, "file.clip-not-found"));
    assert_eq!(refused(&["glow.tex", "-o", "x.png", "--clip", "Swim"]), told(1, "file.clip-not-found"));
    assert_eq!(refused(&["units.rlb", "-o", "x.png"]), told(1, "file.no-scene"));
    assert_eq!(refused(&["walker.msh", "-o", "x.gif", "--fps", "0"]), told(2, "render.pace"));
    assert_eq!(
        refused(&["walker.msh", "-o", "x.png", "--limit-memory", "1K"]),
        told(1, "file.out-of-memory")
    );
    for words in [
        &["walker.msh", "-o", "x.png", "--size", "0x5"][..],
        &["walker.msh", "-o", "x.png", "--size", "8193"],
        &["walker.msh", "-o", "x.png", "--view", "behind"],
        &["walker.msh", "-o", "x.bmp"],
        &["walker.msh", "-o", "x.gif", "--time", "1"],
        &["walker.msh", "-o", "x.png", "--time", "nan"],
        &["walker.msh", "-o", "x.png", "--time", "-inf"],
        &["walker.msh", "-o", "x.png", "--time", "1e99"],
        &["walker.msh", "lantern.mdx", "-o", "x.png"],
    ] {
        let done = desk.run(&[&["render"], words].concat());
        assert!(done.code == 2 && !done.stderr.is_empty(), "{words:?}: {}", done.code);
    }
    let desk = desk.with("none/note.txt", "hi");
    let nothing = desk.run(&["render", "none", "-o", "out/"]);
    assert!(nothing.code == 1 && nothing.stderr.contains("nothing to draw"), "{}", nothing.stderr);
    assert!(!desk.path("x.png").exists() && !desk.path("x.gif").exists());
}

#[test]
fn what_is_refused_is_told_in_words_of_its_own() {
    let desk = desk();
    let said = |words: &[&str]| {
        let done = desk.run(&[&["render"], words, &["-o", "x.png"]].concat());
        assert_eq!(done.code, 1, "{words:?}");
        done.stderr
    };
    let clip = said(&["lantern.mdx", "--clip", "Swim"]);
    assert!(clip.contains("there is no such clip") && clip.contains("`Swim` among 4"), "{clip}");
    assert!(!clip.contains("file or"), "{clip}");
    let archive = said(&["units.rlb"]);
    assert!(archive.contains("this is no model") && !archive.contains("glTF"), "{archive}");
}

#[test]
fn a_texture_is_drawn_as_the_picture_that_it_is() {
    let desk = desk();
    let png = |file: &str| from_png(&desk.read(file)).unwrap();
    let run = |words: &[&str]| {
        let done = desk.run(words);
        assert_eq!(done.code, 0, "{words:?}: {}", done.all());
    };
    for texture in ["glow.tex", "Textures/Lantern.blp"] {
        run(&["render", texture, "-o", "drawn.png"]);
        run(&["convert", texture, "-o", "converted.png"]);
        assert_eq!(png("drawn.png"), png("converted.png"), "{texture}");
    }
    let (own, fitted) = (png("drawn.png"), drawn(&desk, &["Textures/Lantern.blp"]));
    assert_eq!((own.width, own.height, fitted.width, fitted.height), (32, 32, 64, 48));
    let is_seen = |x: usize| fitted.rgba[24 * 64 + x][3] > 0;
    assert_eq!([0, 7, 8, 55, 56].map(is_seen), [false, false, true, true, false]);
    run(&["render", "glow.tex", "-o", "glow.gif"]);
    assert!(desk.read("glow.gif").starts_with(b"GIF89a"));
}

#[test]
fn textures_that_nobody_named_are_drawn_where_there_are_no_models() {
    let desk = desk();
    let drawn = |input: &str, output: &str| {
        let (code, json) = desk.json(&["render", input, "-o", output, "--size", "16", "--json"]);
        assert_eq!(code, 0, "{json:#}");
        json["files"].as_array().unwrap().iter().map(|row| row["output"].to_string()).collect::<Vec<_>>()
    };
    let textures = drawn("Textures", "pictures/");
    assert!(textures.len() > 1 && textures.iter().any(|file| file.contains("Lantern.png")), "{textures:?}");
    // Those of a model go with it.
    assert_eq!(drawn("frog", "frogs/").len(), 1);
    let sheet = |input: &str| {
        let done = desk.run(&["render", input, "-o", "s.png", "--sheet", "--size", "40x30"]);
        assert_eq!(done.code, 0, "{}", done.all());
        from_png(&desk.read("s.png")).unwrap()
    };
    let columns = galvani::pictures::Sheet::columns(textures.len());
    assert_eq!(sheet("Textures").width as usize, columns * 48 + 8);
    assert_eq!(sheet("glow.tex").width, 48 + 8);
}

#[test]
fn what_is_found_on_a_sheet_is_told_of_its_model() {
    let desk = desk();
    let (lantern, walker) = (desk.read("lantern.mdx"), desk.read("walker.msh"));
    let desk = desk
        .with("lost/a/one.mdx", lantern.clone())
        .with("lost/b/two.mdx", lantern)
        .with("lost/c/three.msh", walker);
    let words = ["render", "lost", "-o", "s.png", "--sheet", "--size", "32"];
    let (code, json) = desk.json(&[&words[..], &["--json"]].concat());
    let findings = json["files"][0]["findings"].as_array().unwrap();
    let of = |model: &str| findings.iter().filter(|found| found["model"] == model).count();
    assert_eq!(code, 0);
    assert!(of("lost/a/one.mdx") > 0 && of("lost/a/one.mdx") == of("lost/b/two.mdx"), "{findings:#?}");
    assert!(findings.iter().all(|found| found["model"].is_string()));
    let told = desk.run(&words).stderr;
    assert!(told.contains("lost/a/one.mdx:\n") && told.contains("lost/b/two.mdx:\n"), "{told}");
}
