//! Models of games made of scenes of any origin, through the common door.
#![cfg(all(feature = "parkan", feature = "ff7", feature = "mdx", feature = "gltf", feature = "fs"))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]

#[path = "common/way_back.rs"]
mod way_back;

use galvani::convert::{ConvertError, ModelTarget, ModelWish, Restored, model};
use galvani::formats::{self, Opened, Settings, Site};
use galvani::{Meter, OpenOptions, Severity};
use serde_json::json;
use way_back::{Samples, glb, joined, parts, sample};

/// Samples that are models, of every format.
const MODELS: [&str; 6] =
    ["windmill.glb", "walker.msh", "lantern.mdx", "lantern-wow.mdx", "boat.hrc", "zgaa"];

fn opened(name: &str, bytes: &[u8]) -> Opened {
    let site = Site::named(name, &Samples);
    formats::recognise(bytes, Some(name)).unwrap().open_at(bytes, &OpenOptions::default(), &site).unwrap()
}

fn made(name: &str, bytes: &[u8], word: &str, wish: &ModelWish<'_>) -> Result<Restored, ConvertError> {
    let (site, target) = (Site::named(name, &Samples), ModelTarget::by_word(word).unwrap());
    let meter = Meter::unlimited();
    model(&opened(name, bytes), &site, target, wish, (&Settings::default(), &meter))
}

#[test]
fn every_model_becomes_one_of_every_game() {
    let targets: Vec<ModelTarget> =
        ModelTarget::all().filter(|target| target.format.info().lowering.is_some()).collect();
    assert!(targets.len() > 8, "{targets:?}");
    let mut there = Vec::new();
    for name in MODELS {
        for target in &targets {
            let made = match made(name, &sample(name), target.word, &ModelWish::default()) {
                Ok(made) => made,
                Err(error) if error.cause.code.name == "file.no-way-back" => {
                    there.push(format!("{name} is {}", target.word));
                    continue;
                }
                Err(error) if error.cause.code.name == "mdl.family" => {
                    there.push(format!("{name} has no {}", target.word));
                    continue;
                }
                Err(error) => panic!("{name} to {}: {error}", target.word),
            };
            for (file, bytes) in &made.files {
                let format = formats::recognise(bytes, Some(file)).unwrap_or_else(|| panic!("{file}"));
                let opened = format.open(bytes, &OpenOptions::default()).unwrap();
                let mut found = opened.report;
                found.append(opened.document.check());
                let above: Vec<String> = found
                    .findings()
                    .iter()
                    .filter(|finding| finding.severity > Severity::Note)
                    .map(ToString::to_string)
                    .collect();
                assert_eq!(above, Vec::<String>::new(), "{name} to {}: {file}", target.word);
            }
        }
    }
    // What a model is already is not made of it, and a model of World of Warcraft has no text.
    assert_eq!(
        there,
        [
            "walker.msh is msh",
            "lantern.mdx is mdx",
            "lantern.mdx is mdx:800",
            "lantern-wow.mdx is mdx",
            "lantern-wow.mdx is mdx-wow",
            "lantern-wow.mdx is mdx-wow:1300",
            "lantern-wow.mdx has no mdl",
            "boat.hrc is ff7-field",
            "zgaa is ff7",
        ]
    );
}

#[test]
fn a_model_that_came_from_the_format_comes_back_unless_another_kind_is_wanted() {
    let file = sample("lantern.mdx");
    let glb = glb("lantern.mdx", &file, &[]);
    for word in ["mdx", "mdx:800"] {
        let made = made("lantern.glb", &glb, word, &ModelWish::default()).unwrap();
        assert!(made.files[0] == ("lantern.mdx".to_owned(), file.clone()), "{word}");
    }
    for (word, version) in [("mdx:900", 900), ("mdx-wow", 1300), ("mdx-wow:1500", 1500)] {
        let made = made("lantern.glb", &glb, word, &ModelWish::default()).unwrap();
        let opened = opened("lantern.mdx", &made.files[0].1);
        assert_eq!(opened.downcast::<galvani::mdx::Document>().unwrap().version, version);
    }
}

#[test]
fn a_model_is_made_like_another() {
    let like = opened("lantern-wow.mdx", &sample("lantern-wow.mdx"));
    let wish = ModelWish { like: Some(&like), stem: Some("mill"), ..ModelWish::default() };
    let found = made("windmill.glb", &sample("windmill.glb"), "mdx", &wish).unwrap();
    assert_eq!(found.files[0].0, "mill.mdx");
    let document = opened("mill.mdx", &found.files[0].1);
    let document = document.downcast::<galvani::mdx::Document>().unwrap();
    assert_eq!((document.family(), document.version), (galvani::mdx::Family::Wow, 1300));
    let other = opened("walker.msh", &sample("walker.msh"));
    let wish = ModelWish { like: Some(&other), ..ModelWish::default() };
    let refused = made("windmill.glb", &sample("windmill.glb"), "mdx", &wish).unwrap_err();
    assert_eq!(refused.cause.code.name, "file.example");
}

/// What came back has a structure of its own; an example of another format is none even then.
#[test]
fn what_comes_back_is_not_made_like_another_and_says_so() {
    let file = sample("lantern.mdx");
    let (glb, base) = (glb("lantern.mdx", &file, &[]), opened("lantern.mdx", &file));
    let (like, other) = (opened("lantern.mdx", &file), opened("walker.msh", &sample("walker.msh")));
    let site = Site::named("lantern.mdx", &Samples);
    for base in [None, Some((&base, &site))] {
        let wish = |like| ModelWish { like: Some(like), base, ..ModelWish::default() };
        let back = made("lantern.glb", &glb, "mdx", &wish(&like)).unwrap();
        assert!(back.files[0].1 == file);
        assert!(back.report.findings().iter().any(|it| it.code.name == "file.example-left"));
        let refused = made("lantern.glb", &glb, "mdx", &wish(&other)).unwrap_err();
        assert_eq!(refused.cause.code.name, "file.example");
    }
}

/// The names of the nodes of a model, in order.
fn nodes(name: &str, bytes: &[u8]) -> Vec<String> {
    let (scene, _) =
        opened(name, bytes).as_model().unwrap().lift(&Settings::default(), &Site::NOWHERE).unwrap();
    scene.nodes.into_iter().map(|node| node.name).collect()
}

/// Another game puts nodes in another order; like the example they stand as they did there.
#[test]
fn the_structure_of_an_example_is_taken() {
    let (walker, plain) = (sample("walker.msh"), ModelWish::default());
    let other = &made("walker.msh", &walker, "mdx", &plain).unwrap().files[0].1;
    let (name, text) = made("walker.msh", &walker, "ff7-field", &plain).unwrap().files.remove(0);
    // The hind legs first.
    let text = String::from_utf8(text).unwrap();
    let mut bones: Vec<&str> = text.split("\r\n\r\n").collect();
    let hull = bones.iter().position(|bone| bone.starts_with("hull")).unwrap();
    bones[hull + 1..].rotate_right(12);
    let field = (name, bones.join("\r\n\r\n").into_bytes());
    for (word, (name, file)) in [("msh", ("walker.msh".to_owned(), walker)), ("ff7-field", field)] {
        let example = opened(&name, &file);
        let wish = ModelWish { like: Some(&example), ..plain };
        let in_order = |wish: &ModelWish<'_>| {
            let (name, bytes) = made("other.mdx", other, word, wish).unwrap().files.remove(0);
            nodes(&name, &bytes)
        };
        let (alone, like, wanted) = (in_order(&plain), in_order(&wish), nodes(&name, &file));
        let shared = |all: &[String], others: &[String]| {
            all.iter().filter(|name| others.contains(name)).cloned().collect::<Vec<_>>()
        };
        assert!(shared(&wanted, &like).len() > 10, "{word}: {like:?}");
        assert_eq!(shared(&like, &wanted), shared(&wanted, &like), "{word}");
        assert_ne!(shared(&alone, &wanted), shared(&wanted, &alone), "{word}: nothing to do");
    }
}

#[test]
fn the_kind_of_an_example_is_taken_in_battle() {
    let kind = |made: &Restored| {
        let opened = opened(&made.files[0].0, &made.files[0].1);
        opened.downcast::<galvani::ff7::skeleton::Document>().unwrap().kind
    };
    let mill = sample("windmill.glb");
    for (wanted, found) in [(0, 0), (2, 2), (7, 0)] {
        let mut file = sample("zgaa");
        file[0] = wanted;
        let example = opened("zgaa", &file);
        let wish = ModelWish { like: Some(&example), ..ModelWish::default() };
        assert_eq!(kind(&made("windmill.glb", &mill, "ff7", &wish).unwrap()), found);
    }
}

/// A list of another length: what goes back no more is made anew, and that is told.
#[test]
fn what_cannot_go_back_is_made_anew() {
    let (mut text, bytes) = parts(&glb("lantern.mdx", &sample("lantern.mdx"), &[]));
    for animation in text["animations"].as_array_mut().unwrap() {
        animation["channels"].as_array_mut().unwrap().truncate(1);
    }
    let made = made("lantern.glb", &joined(&text, &bytes), "mdx", &ModelWish::default()).unwrap();
    assert!(made.report.findings().iter().any(|it| it.code.name == "file.rebuilt"));
    assert_eq!(opened("lantern.mdx", &made.files[0].1).document.check().tally(Severity::Error), 0);
}

/// A glTF that lost what it said beside the scene.
fn without_text(glb: &[u8]) -> Vec<u8> {
    let (mut text, bytes) = parts(glb);
    text["scenes"][0].as_object_mut().unwrap().remove("extras");
    joined(&text, &bytes)
}

#[test]
fn what_a_gltf_lost_its_base_says() {
    for name in ["walker.msh", "lantern.mdx", "lantern-wow.mdx"] {
        let file = sample(name);
        let (glb, base) = (without_text(&glb(name, &file, &[])), opened(name, &file));
        let site = Site::named(name, &Samples);
        let wish = ModelWish { base: Some((&base, &site)), ..ModelWish::default() };
        let target = if name.ends_with("msh") { "msh" } else { "mdx" };
        let back = made("model.glb", &glb, target, &wish).unwrap();
        assert!(back.files[0].1 == file, "{name}");
    }
    let mill = opened("windmill.glb", &sample("windmill.glb"));
    let site = Site::named("windmill.glb", &Samples);
    let wish = ModelWish { base: Some((&mill, &site)), ..ModelWish::default() };
    let refused = made("windmill.glb", &sample("windmill.glb"), "mdx", &wish).unwrap_err();
    assert_eq!(refused.cause.code.name, "file.example");
}

/// What is made of a base is of its kind.
#[test]
fn a_base_of_another_kind_is_refused() {
    let glb = glb("lantern.mdx", &sample("lantern.mdx"), &[]);
    let (base, site) = (opened("lantern.mdx", &sample("lantern.mdx")), Site::named("lantern.mdx", &Samples));
    let wish = ModelWish { base: Some((&base, &site)), ..ModelWish::default() };
    for word in ["msh", "ff7", "mdx:900", "mdx-wow"] {
        let refused = made("lantern.glb", &glb, word, &wish).unwrap_err();
        assert_eq!(refused.cause.code.name, "file.example", "{word}");
    }
    assert!(made("lantern.glb", &glb, "mdx:800", &wish).is_ok());
}

#[test]
fn a_change_stays_where_the_base_says_the_rest() {
    let file = sample("lantern.mdx");
    let (mut text, bytes) = parts(&without_text(&glb("lantern.mdx", &file, &[])));
    let nodes = text["nodes"].as_array_mut().unwrap();
    let moved = nodes.iter_mut().find(|node| node["name"] == "Overhead Ref").unwrap();
    moved["translation"] = json!([1.0, 25.0, 2.0]);
    let glb = joined(&text, &bytes);
    let (base, site) = (opened("lantern.mdx", &file), Site::named("lantern.mdx", &Samples));
    let wish = ModelWish { base: Some((&base, &site)), ..ModelWish::default() };
    let back = made("model.glb", &glb, "mdx", &wish).unwrap();
    let differing = back.files[0].1.iter().zip(&file).filter(|(a, b)| a != b).count();
    assert_eq!(back.files[0].1.len(), file.len());
    assert!((1..=12).contains(&differing), "{differing}");
}
