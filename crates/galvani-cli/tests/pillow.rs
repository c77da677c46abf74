//! What Pillow makes of the DDS and TGA files that we make, its libjpeg of the bare JPEG streams of BLP, and how it plays what moves.
//!
//! Python must be there; Pillow is installed into the target folder, as `tests/pillow` pins it. (Its own reader of BLP
//! is not asked: it takes the four components for something else.)
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

mod common;

use std::path::Path;
use std::sync::OnceLock;

use common::Desk;
use galvani::image::{Image, from_png, to_png};
use galvani_testkit::Python;
use serde_json::Value;

fn pillow() -> &'static Python {
    static PILLOW: OnceLock<Python> = OnceLock::new();
    PILLOW.get_or_init(|| Python::in_folder(Path::new(env!("CARGO_TARGET_TMPDIR")), "pillow"))
}

/// What Pillow sees in a file: its size, and four bytes for each pixel.
fn seen(desk: &Desk, file: &str) -> Image {
    let text = pillow().ask("look.py", &[&desk.path(file).display().to_string()], "");
    let rows: Value = serde_json::from_str(&text).unwrap();
    image(&rows[0])
}

/// A picture as Pillow tells it.
fn image(row: &Value) -> Image {
    let number = |key: &str| u32::try_from(row[key].as_u64().unwrap()).unwrap();
    let bytes = galvani::text::from_hex(row["pixels"].as_str().unwrap()).unwrap();
    Image { width: number("width"), height: number("height"), rgba: bytes.as_chunks::<4>().0.to_vec() }
}

/// What we see in a file.
fn ours(desk: &Desk, file: &str) -> Image {
    let done = desk.run(&["convert", file, "--to", "png", "-o", "-"]);
    assert_eq!(done.code, 0, "{file}: {}", done.stderr);
    from_png(&done.stdout).unwrap()
}

/// The most that any channel is off.
#[track_caller]
fn off(a: &Image, b: &Image) -> u8 {
    assert_eq!((a.width, a.height, a.rgba.len()), (b.width, b.height, b.rgba.len()));
    let pairs = a.rgba.as_flattened().iter().zip(b.rgba.as_flattened());
    pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
}

/// Waves of colour and alpha whose sides are no multiples of four.
fn waves() -> Image {
    let wave = |x: u32, y: u32| {
        let part = |number: u32| u8::try_from(number % 256).unwrap();
        [part(x * 9 + y), part(y * 7), part(x * y), part(255 - x * 3)]
    };
    let (width, height) = (38, 21);
    let rgba = (0..width * height).map(|i| wave(i % width, i / width)).collect();
    Image { width, height, rgba }
}

#[test]
fn dds_files_show_what_pillow_sees() {
    let desk = Desk::new().with("waves.png", to_png(&waves()).unwrap());
    for kind in ["bc1", "bc3", "bc7", "plain"] {
        let (to, file) = (format!("dds:{kind}"), format!("{kind}.dds"));
        assert_eq!(desk.run(&["convert", "waves.png", "--to", &to, "-o", &file]).code, 0);
        assert!(off(&ours(&desk, &file), &seen(&desk, &file)) <= 1, "{kind}");
    }
}

/// A TGA of a type with so many bits and that descriptor, a map of colours before the pixels.
fn tga(kind: u8, bits: u8, descriptor: u8, map: &[u8], pixels: &[u8]) -> Vec<u8> {
    let colours = u8::try_from(map.len() / 3).unwrap();
    let (has_map, map_bits) = if map.is_empty() { (0, 0) } else { (1, 24) };
    let size = [4, 0, 3, 0, bits, descriptor];
    let header = [&[0, has_map, kind, 0, 0, colours, 0, map_bits, 0, 0, 0, 0][..], &size].concat();
    [&header[..], map, pixels].concat()
}

#[test]
fn tga_files_show_what_pillow_sees() {
    let bytes = |count: usize| (0..count).map(|i| u8::try_from(i * 5 % 251).unwrap()).collect::<Vec<u8>>();
    let runs = [&[0x83, 1, 2, 3, 200][..], &[3], &bytes(16), &[0x83, 9, 8, 7, 255]].concat();
    let files = [
        ("up", tga(2, 24, 0, &[], &bytes(36))),
        ("down", tga(2, 24, 0x20, &[], &bytes(36))),
        ("alpha", tga(2, 32, 0x28, &[], &bytes(48))),
        ("alpha-up", tga(2, 32, 0x08, &[], &bytes(48))),
        ("runs", tga(10, 32, 0x28, &[], &runs)),
        ("grey", tga(3, 8, 0x20, &[], &bytes(12))),
        ("map", tga(1, 8, 0x20, &bytes(12), &[0, 1, 2, 3, 3, 2, 1, 0, 0, 0, 1, 1])),
    ];
    let desk = Desk::new();
    for (name, file) in files {
        let name = format!("{name}.tga");
        desk.put(&name, file);
        assert_eq!(ours(&desk, &name), seen(&desk, &name), "{name}");
    }
}

#[test]
fn jpeg_levels_of_blp_show_what_libjpeg_sees() {
    let desk = Desk::new().with("waves.png", to_png(&waves()).unwrap());
    for quality in ["30", "90", "100"] {
        let words = ["convert", "waves.png", "-o", "waves.blp", "--quality", quality, "--alpha", "8"];
        assert_eq!(desk.run(&words).code, 0);
        assert_eq!(desk.run(&["unpack", "waves.blp", "-o", quality]).code, 0);
        let head = desk.read(&format!("{quality}/jpeg_header.bin"));
        let body = desk.read(&format!("{quality}/levels/00.bin"));
        desk.put("bare.jpg", [head, body].concat());
        let mut theirs = seen(&desk, "bare.jpg");
        for pixel in &mut theirs.rgba {
            pixel.swap(0, 2);
        }
        assert!(off(&ours(&desk, "waves.blp"), &theirs) <= 2, "quality {quality}");
    }
}

/// A JPEG without the segment that says how its components are meant: the levels of BLP have none.
fn without_adobe(jpeg: &[u8]) -> Vec<u8> {
    let mut out = jpeg[..2].to_vec();
    let mut at = 2;
    while jpeg[at + 1] != 0xda {
        let len = usize::from(u16::from_be_bytes([jpeg[at + 2], jpeg[at + 3]])) + 2;
        if jpeg[at + 1] != 0xee {
            out.extend(&jpeg[at..at + len]);
        }
        at += len;
    }
    out.extend(&jpeg[at..]);
    out
}

#[test]
fn a_progressive_level_shows_what_libjpeg_sees() {
    let desk = Desk::new();
    pillow().ask("progressive.py", &[&desk.path("theirs.jpg").display().to_string()], "");
    let level = without_adobe(&desk.read("theirs.jpg"));
    assert!(level.windows(2).any(|marker| marker == [0xff, 0xc2]), "it is progressive");
    desk.put("bare.jpg", level.clone());
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    // JPEG, eight bits of alpha, the size, two words of no meaning here; then places and sizes of levels.
    let (head, len) = (28 + 128 + 4, u32::try_from(level.len()).unwrap());
    let first = |word: u32| [&[word][..], &[0; 15]].concat();
    let header =
        [words(&[0, 8, 38, 21, 4, 0]), words(&first(head)), words(&first(len)), words(&[0])].concat();
    desk.put("theirs.blp", [b"BLP1".to_vec(), header, level].concat());
    let mut theirs = seen(&desk, "bare.jpg");
    for pixel in &mut theirs.rgba {
        pixel.swap(0, 2);
    }
    assert!(off(&ours(&desk, "theirs.blp"), &theirs) <= 2);
}

/// What Pillow plays of a clip of the lantern: pictures, and how many milliseconds each is shown.
#[track_caller]
fn played(desk: &Desk, file: &str, words: &[&str]) -> Vec<(Image, u32)> {
    let done = desk.run(&[&["render", "lantern.mdx", "-o", file, "--size", "40x32"], words].concat());
    assert_eq!(done.code, 0, "{words:?}: {}", done.stderr);
    let text = pillow().ask("frames.py", &[&desk.path(file).display().to_string()], "");
    let told: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(told["rounds"], 0, "{file}: it goes on for ever");
    // Pillow divides, and may have a fraction.
    let shown = |frame: &Value| format!("{:.0}", frame["shown"].as_f64().unwrap()).parse().unwrap();
    told["frames"].as_array().unwrap().iter().map(|frame| (image(frame), shown(frame))).collect()
}

fn times(frames: &[(Image, u32)]) -> Vec<u32> {
    frames.iter().map(|(_, shown)| *shown).collect()
}

#[test]
fn pillow_plays_what_moves_as_long_as_the_clip() {
    let desk = Desk::new();
    desk.run(&["samples", "."]);
    // A clip of 0.8 s.
    let walk = ["--clip", "Walk"];
    let apng = played(&desk, "walk.apng", &walk);
    assert_eq!(times(&apng), [67, 66, 67, 67, 66, 67, 67, 66, 67, 67, 66, 67]);
    let gif = played(&desk, "walk.gif", &walk);
    assert_eq!(times(&gif), [70, 60, 70, 70, 60, 70, 70, 60, 70, 70, 60, 70]);
    let slow = played(&desk, "slow.apng", &[&walk[..], &["--fps", "10"]].concat());
    assert_eq!(times(&slow), [100; 8]);
    let around = played(&desk, "around.gif", &[&walk[..], &["--turntable", "--fps", "5"]].concat());
    assert_eq!(times(&around), [200; 20]);
}

#[test]
fn pillow_sees_the_pictures_that_single_ones_show() {
    let desk = Desk::new();
    desk.run(&["samples", "."]);
    for background in ["transparent", "#204060"] {
        let words = ["--clip", "Walk", "--background", background];
        let moving = |file: &str| played(&desk, file, &[&words[..], &["--fps", "10"]].concat());
        let (apng, gif) = (moving("walk.apng"), moving("walk.gif"));
        for (i, time) in ["0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7"].into_iter().enumerate() {
            let still = ["render", "lantern.mdx", "-o", "-", "--size", "40x32", "--time", time];
            let still = from_png(&desk.run(&[&still[..], &words].concat()).stdout).unwrap();
            assert_eq!(apng[i].0, still, "{background} at {time}");
            // A GIF has few colours, and what is there is there as a whole.
            let (mut far, mut seen) = (0, 0);
            for (theirs, own) in gif[i].0.rgba.iter().zip(&still.rgba) {
                let is_there = own[3] >= 128;
                assert_eq!(theirs[3], if is_there { 255 } else { 0 });
                seen += u32::from(is_there);
                let off = (0..3).map(|channel| theirs[channel].abs_diff(own[channel])).max();
                far += u32::from(is_there && off > Some(16));
            }
            assert!(far * 100 <= seen && seen > 100, "{background} at {time}: {far} of {seen} pixels");
        }
    }
}
