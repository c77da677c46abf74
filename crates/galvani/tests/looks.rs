//! Other looks from a model's file through glTF and back: teams of Warcraft III, palettes of Final Fantasy VII.
#![cfg(all(feature = "mdx", feature = "ff7", feature = "texture", feature = "gltf", feature = "fs"))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]

#[path = "common/way_back.rs"]
mod way_back;

use std::borrow::Cow;

use galvani::ff7::tex::{Colour, Document, write};
use galvani::formats::{self, Links, Settings, Site};
use galvani::mdx::lift::TEAMS;
use galvani::scene::{Id, Material, Scene};
use galvani::{Budget, Meter, OpenOptions, budget, convert};
use way_back::{Samples, all_restored, converted, glb, joined, parts, sample};

/// Other looks are asked for.
const ASKED: &[(&str, &str)] = &[("variants", "yes")];

/// What a reader finds in the glTF of a sample.
fn read(name: &str, words: &[(&str, &str)]) -> Scene {
    imported(&glb(name, &sample(name), words))
}

fn imported(glb: &[u8]) -> Scene {
    let opened = formats::by_id("gltf").unwrap().open(glb, &OpenOptions::default()).unwrap();
    opened.as_model().unwrap().lift(&Settings::default(), &Site::NOWHERE).unwrap().0
}

fn names(scene: &Scene) -> Vec<&str> {
    scene.looks.iter().map(|look| look.name.as_str()).collect()
}

/// All pixels that a material shows.
fn pixels(scene: &Scene, material: Id<Material>) -> &[[u8; 4]] {
    let texture = scene.materials[material.index()].texture.as_ref().unwrap();
    &scene.images[texture.image.index()].pixels.rgba
}

#[test]
fn a_lantern_has_the_colours_of_all_teams() {
    let scene = read("lantern.mdx", ASKED);
    assert_eq!(names(&scene), (1..TEAMS.len()).map(|team| format!("team {team}")).collect::<Vec<_>>());
    for (look, [_, _, blue]) in scene.looks.iter().zip(&TEAMS[1..]) {
        let [(own, other)] = look.swaps[..] else { panic!("{look:?}") };
        let worn = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
        assert!(worn.filter(|part| part.material == Some(own)).count() > 0, "somebody wears it");
        // Red, the own team's colour, has next to no blue: the more another has, the more is added.
        let more = pixels(&scene, own).iter().zip(pixels(&scene, other));
        let more: Vec<i32> = more.map(|(own, other)| i32::from(other[2]) - i32::from(own[2])).collect();
        let most = more.iter().copied().max().unwrap();
        assert!(more.iter().all(|&more| more >= -3) && most <= i32::from(*blue), "{}: {most}", look.name);
        assert!(*blue < 16 || most > 0, "{}", look.name);
    }
}

#[test]
fn nobody_gets_looks_without_asking() {
    for name in ["lantern.mdx", "zgaa"] {
        let (text, _) = parts(&glb(name, &sample(name), &[]));
        assert!(!text.to_string().contains("variants"), "{name}");
        assert_eq!(read(name, &[]).looks, [], "{name}");
    }
}

#[test]
fn skins_of_world_of_warcraft_are_no_teams() {
    assert_eq!(read("lantern-wow.mdx", ASKED).looks, []);
}

#[test]
fn a_frog_may_be_angry() {
    // By whichever of its files it is named.
    for name in ["zgaa", "zgda", "zgac", "zgan"] {
        let scene = read(name, ASKED);
        assert_eq!(names(&scene), ["palette 1"], "{name}");
        for &(own, other) in &scene.looks[0].swaps {
            let bright = |material| {
                let sum =
                    |part: usize| pixels(&scene, material).iter().map(|it| u32::from(it[part])).sum::<u32>();
                [sum(0), sum(1)]
            };
            let ([red, green], [angry, calm]) = (bright(own), bright(other));
            assert!(red < green && calm < angry, "{name}: green is red now");
        }
    }
}

/// The samples, but that the paper of the boat comes in two colours.
#[derive(Debug)]
struct Dyed(Vec<u8>);

impl Links for Dyed {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        if name.eq_ignore_ascii_case("paper.tex") { Some((&self.0).into()) } else { Samples.find(name) }
    }

    fn names(&self, extension: &str) -> Vec<String> {
        Samples.names(extension)
    }
}

/// A texture of one pixel by so many palettes, each bluer than the one before.
fn dyed(palettes: u32) -> Dyed {
    let colour = |blue: u32| vec![Colour { bgra: [u8::try_from(blue % 256).unwrap(), 0, 0, 0xff] }];
    let palettes: Vec<Vec<Colour>> = (0..palettes).map(colour).collect();
    Dyed(write(&Document::from_indices(1, 1, &palettes, vec![0], false).unwrap()).unwrap())
}

fn boat(name: &str, links: &Dyed, meter: &Meter) -> Result<Vec<u8>, &'static str> {
    let site = Site::named(name, links);
    let file = sample(name);
    let format = formats::recognise(&file, Some(name)).unwrap();
    let opened = format.open_at(&file, &OpenOptions::default(), &site).unwrap();
    let settings = Settings::from_words(convert::Writing::SETTINGS, ASKED).unwrap();
    let made = convert::glb(&opened, &site, &settings, meter);
    made.map(|made| made.files).map_err(|error| error.cause.code.name)
}

#[test]
fn a_boat_may_be_of_other_paper() {
    let links = dyed(3);
    for name in ["boat.hrc", "boat.rsd", "boat.p"] {
        let glb = boat(name, &links, &Meter::unlimited()).unwrap();
        let scene = imported(&glb);
        assert_eq!(names(&scene), ["palette 1", "palette 2"], "{name}");
        for (look, blue) in scene.looks.iter().zip(1..) {
            let [(own, other)] = look.swaps[..] else { panic!("{look:?}") };
            assert_eq!(
                (pixels(&scene, own), pixels(&scene, other)),
                (&[[0, 0, 0, 255]][..], &[[0, 0, blue, 255]][..])
            );
        }
        let (files, told) = all_restored(&glb).unwrap();
        let is_same = |(name, bytes): &(String, Vec<u8>)| *bytes == links.find(name).unwrap().into_owned();
        assert!(told.is_empty() && files.iter().all(is_same), "{name}: {told:?}");
    }
}

#[test]
fn palettes_without_end_are_refused() {
    let refused = |palettes: u32, meter: &Meter| boat("boat.p", &dyed(palettes), meter).err();
    assert_eq!(refused(20_000, &Meter::unlimited()), Some("file.out-of-memory"));
    // What looks add to the file is charged as well.
    let allowance = Budget { memory: Some(2 << 20), work: None };
    let meter = || allowance.meter(&budget::CONVERTING, 0);
    assert_eq!(refused(2, &meter()), None);
    assert_eq!(refused(4000, &meter()), Some("file.out-of-memory"));
}

/// What stands in for a material moves as it does, if motions of materials are written at all.
#[test]
fn looks_and_moving_colours_go_together() {
    for words in [&[("variants", "yes"), ("pointer", "yes")][..], &[("variants", "yes"), ("layers", "stack")]]
    {
        let glb = converted("lantern.mdx", &sample("lantern.mdx"), words).unwrap();
        assert_eq!(imported(&glb).looks.len(), TEAMS.len() - 1, "{words:?}");
    }
}

#[test]
fn a_changed_look_is_told_and_not_taken() {
    let file = sample("lantern.mdx");
    let (mut text, bytes) = parts(&glb("lantern.mdx", &file, ASKED));
    text["extensions"]["KHR_materials_variants"]["variants"][0]["name"] = "ours".into();
    let (files, told) = all_restored(&joined(&text, &bytes)).unwrap();
    assert_eq!((files[0].1 == file, told[0]), (true, "file.lost-change"));
}

/// The base is lifted without looks: those of the glTF are beside the point.
#[test]
fn a_base_takes_a_model_with_looks_back() {
    let file = sample("lantern.mdx");
    let glb = glb("lantern.mdx", &file, ASKED);
    let opened = formats::by_id("gltf").unwrap().open(&glb, &OpenOptions::default()).unwrap();
    let site = Site::named("lantern.mdx", &Samples);
    let base = formats::by_id("mdx").unwrap().open_at(&file, &OpenOptions::default(), &site).unwrap();
    let wish = convert::ModelWish { base: Some((&base, &site)), ..convert::ModelWish::default() };
    let target = convert::ModelTarget::by_word("mdx").unwrap();
    let asked = (&Settings::default(), &Meter::unlimited());
    let made = convert::model(&opened, &Site::NOWHERE, target, &wish, asked).unwrap();
    assert!(made.files[0].1 == file);
    assert_eq!(made.report.findings(), []);
}
