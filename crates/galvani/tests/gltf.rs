//! glTF behind the common door: what ships comes back from it, and every verb has something to say of it.
#![cfg(all(feature = "parkan", feature = "ff7", feature = "mdx", feature = "texture", feature = "gltf"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

#[path = "../../galvani-gltf/tests/common/alike.rs"]
mod alike;
mod common;

use std::borrow::Cow;
use std::collections::BTreeMap;

use alike::{are_alike, every_way};
use common::beside::{SAMPLES, Samples as Shipped, own_name};
use galvani::formats::{
    Links, Opened, Sampling, Selector, Settings, Site, Times, by_id, recognise, recognise_content,
};
use galvani::gltf::{Options, WORDS, glb, gltf};
use galvani::scene::{Scene, check};
use galvani::{Meter, OpenOptions, Severity, codes, diff, image, render};
use galvani_testkit::{codes_are_sound, every_code_is_provoked};
use serde_json::Value;

const ID: &str = WORDS[1];

fn open(file: &[u8], links: &dyn Links) -> Opened {
    let format = by_id(ID).unwrap();
    format.open_at(file, &OpenOptions::default(), &Site::named("a.gltf", links)).unwrap()
}

fn lifted(opened: &Opened, site: &Site<'_>) -> Scene {
    let (scene, _) = opened.as_model().unwrap().lift(&Settings::default(), site).unwrap();
    assert_eq!(check(&scene).tally(Severity::Error), 0);
    scene
}

fn windmill() -> Vec<u8> {
    SAMPLES.iter().find(|sample| sample.name == "windmill.glb").unwrap().bytes.clone()
}

/// The models that ship, each with what lies beside it.
fn models() -> Vec<(String, Scene)> {
    let mut models = Vec::new();
    for sample in SAMPLES.iter() {
        let site = Site::named(own_name(sample), &Shipped);
        let Some(format) = recognise(&sample.bytes, Some(own_name(sample))) else { continue };
        let opened = format.open_at(&sample.bytes, &OpenOptions::default(), &site).unwrap();
        let Ok(model) = opened.as_model() else { continue };
        if let Ok((mut scene, _)) = model.lift(&Settings::default(), &site) {
            site.stem().clone_into(&mut scene.name);
            models.push((sample.name.clone(), scene));
        }
    }
    assert!(models.len() > 5, "{:?}", models.iter().map(|(name, _)| name).collect::<Vec<_>>());
    models
}

#[test]
fn every_model_that_ships_comes_back_from_gltf() {
    for (_, scene) in models() {
        for options in every_way() {
            let (file, _) = glb(&scene, &options).unwrap();
            let found = lifted(&open(&file, &()), &Site::NOWHERE);
            are_alike(&scene, &found, &options);
        }
    }
}

/// Files beside each other.
#[derive(Debug)]
struct Files(BTreeMap<String, Vec<u8>>);

impl Links for Files {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        self.0.get(name).map(|bytes| bytes.as_slice().into())
    }
}

#[test]
fn a_text_takes_its_bytes_and_pictures_from_beside_it() {
    let scene = lifted(&open(&windmill(), &()), &Site::NOWHERE);
    let (exported, _) = gltf(&scene, &Options::default()).unwrap();
    let files = exported.named("mill").unwrap();
    let text = files[0].bytes.clone();
    let mut beside: BTreeMap<String, Vec<u8>> =
        files.into_iter().skip(1).map(|file| (file.name, file.bytes)).collect();
    let links = Files(beside.clone());
    let opened = open(&text, &links);
    let site = Site::named("mill.gltf", &links);
    assert_eq!(opened.check_at(&site, galvani::Scrutiny::Pedantic).findings(), []);
    are_alike(&scene, &lifted(&opened, &site), &Options::default());
    beside.remove("mill_0.png");
    let links = Files(beside);
    let opened = open(&text, &links);
    let site = Site::named("mill.gltf", &links);
    let found = opened.check_at(&site, galvani::Scrutiny::Usual);
    let found: Vec<_> = found.findings().iter().map(|one| (one.code.name, one.path.to_string())).collect();
    assert_eq!(found, [("gltf.missing-file", "images[0].uri".to_owned())]);
    assert_eq!(lifted(&opened, &site).images[0].pixels.rgba, [[255; 4]]);
    let refused =
        open(&text, &()).as_model().unwrap().lift(&Settings::default(), &Site::NOWHERE).unwrap_err();
    assert_eq!(refused.cause.code.name, "gltf.missing-file");
}

#[test]
fn texts_are_told_by_what_they_say() {
    let is_gltf =
        |file: &[u8], name: Option<&str>| recognise(file, name).is_some_and(|it| it.info().id == ID);
    assert!(is_gltf(br#" {"asset": {"version": "2.0"}}"#, None));
    assert!(is_gltf(b"\xEF\xBB\xBF{\"nodes\":[],\"asset\":{\"version\":\"2.0\"}}", None));
    assert!(is_gltf(b"{}", Some("a.gltf")) && is_gltf(b"junk", Some("A.GLB")));
    assert!(!is_gltf(br#"{"asset": 1}"#, None) && !is_gltf(br#"["asset", "version"]"#, None));
    assert!(recognise_content(b"{}", Some("a.gltf")).is_none());
}

#[test]
fn poses_are_those_of_the_files_own_nodes() {
    let opened = open(&windmill(), &());
    let pose = |clip: &str, time: f64, node: &str| {
        let wanted = Sampling {
            times: Times::at(time),
            clip: Some(Selector::new(clip)),
            node: Some(Selector::new(node)),
            ..Sampling::default()
        };
        let samples = opened.as_animated().unwrap().sample(&wanted).unwrap();
        let poses: Vec<_> = samples.poses.map(Result::unwrap).collect();
        assert_eq!(poses.len(), 1);
        render::pose::rows(&poses[0])[0].clone()
    };
    let turned = pose("Turn", 0.5, "sails");
    assert_eq!((&turned["clip"], &turned["name"], &turned["time"]), (&0.into(), &"Turn".into(), &0.5.into()));
    let half = f64::from(std::f32::consts::FRAC_1_SQRT_2);
    let near = |value: &Value, wanted: f64| (value.as_f64().unwrap() - wanted).abs() < 1e-6;
    let sails = &turned["nodes"][0];
    assert!(near(&sails["rotation"][0], half) && near(&sails["rotation"][3], -half), "{sails}");
    assert!(near(&sails["matrix"][7], 2.0), "in the model");
    // Behind its end the one begins again, the other holds.
    assert_eq!(pose("Turn", 2.5, "1")["nodes"], pose("Turn", 0.5, "1")["nodes"]);
    assert_eq!(pose("Visit", 9.0, "1")["nodes"], pose("Visit", 2.0, "1")["nodes"]);
    // What is hidden is scaled away in the file.
    assert!(near(&pose("#1", 1.5, "door_shown")["nodes"][0]["scale"][0], 0.0));
}

#[test]
fn a_file_without_animations_has_the_pose_of_rest() {
    let opened = open(br#"{"asset":{"version":"2.0"},"nodes":[{"translation":[1,2,3]}]}"#, &());
    let wanted = Sampling::default();
    let samples = opened.as_animated().unwrap().sample(&wanted).unwrap();
    let row = render::pose::rows(&samples.poses.map(Result::unwrap).next().unwrap())[0].clone();
    assert_eq!((&row["clip"], &row["nodes"][0]["position"][2]), (&Value::Null, &3.0.into()));
}

#[test]
fn what_cannot_be_posed_is_refused() {
    let opened = open(&windmill(), &());
    let refused =
        |wanted: Sampling| opened.as_animated().unwrap().sample(&wanted).unwrap_err().cause.code.name;
    let clip = Sampling { clip: Some(Selector::new("Dance")), ..Sampling::default() };
    let node = Sampling { node: Some(Selector::new("#99")), ..Sampling::default() };
    let time = Sampling { times: Times::at(f64::NAN), ..Sampling::default() };
    let found = [clip, node, time].map(refused);
    assert_eq!(found, ["gltf.no-clip", "gltf.no-node", "gltf.time"]);
    let table = by_id(ID).unwrap().info().codes[2];
    every_code_is_provoked(table, [], found);
    codes_are_sound(ID, table);
}

#[test]
fn differences_go_by_json_paths_and_lists_by_their_numbers() {
    let file = windmill();
    let place = file.windows(7).position(|window| window == b"\"sails\"").unwrap();
    let mut other = file.clone();
    other[place + 1] = b'S';
    let turn = file.windows(4).rposition(|window| window == 0.28_f32.to_le_bytes()).unwrap();
    other[turn..turn + 4].copy_from_slice(&0.3_f32.to_le_bytes());
    let changes = diff::diff(&open(&file, &()), &open(&other, &()), &OpenOptions::default()).unwrap();
    let paths: Vec<&str> = changes.iter().map(|change| change.path.as_str()).collect();
    assert!(paths.contains(&"nodes[1].name"), "{paths:?}");
    assert!(
        paths.iter().any(|path| path.starts_with("accessors[") && path.contains(".values[1]")),
        "{paths:?}"
    );
}

#[test]
fn an_edited_folder_builds_a_file_with_the_right_lengths() {
    let opened = open(&windmill(), &());
    let mut folder = opened.document.unpack().unwrap();
    let text = folder.files.get_mut("document.json").unwrap();
    let edited = String::from_utf8(text.clone()).unwrap().replace("\"mill\"", "\"windmill of the village\"");
    *text = edited.into_bytes();
    let built = opened.format.pack(&folder).unwrap();
    let again = open(&built, &());
    assert_eq!(again.check().findings(), []);
    assert_eq!(lifted(&again, &Site::NOWHERE).nodes[0].name, "windmill of the village");
    folder.manifest["format"] = "nres".into();
    assert_eq!(opened.format.pack(&folder).unwrap_err().cause.code, &codes::MANIFEST);
}

#[test]
fn a_dump_names_values_by_their_paths() {
    let file = br#"{"asset":{"version":"2.0"},"nodes":[{"name":"a"},{"scale":[1, 2, 3],"colour":"red"}],"thing":{"a":1}}"#;
    let opened = open(file, &());
    let mut rows = BTreeMap::new();
    opened.map.rows(file, |row| {
        let value = opened.document.decoded(&row);
        rows.insert(row.path.to_string(), value);
    });
    let value = |path: &str| rows.get(path).cloned().flatten().unwrap().to_string();
    assert_eq!(value("asset.version"), "\"2.0\"");
    assert_eq!(value("nodes[1].scale"), "[1,2,3]");
    assert_eq!(value("nodes[1].other[0]"), r#"{"colour":"red"}"#);
    assert_eq!(value("other[0]"), r#"{"thing":{"a":1}}"#);
}

#[test]
fn pictures_of_the_web_are_decoded() {
    let meter = Meter::unlimited();
    let rgba: Vec<u8> = [[200, 30, 40, 255], [10, 220, 30, 128]].repeat(128).concat();
    let mut webp = Vec::new();
    image_webp::WebPEncoder::new(&mut webp).encode(&rgba, 16, 16, image_webp::ColorType::Rgba8).unwrap();
    let found = image::of_web(&webp, &meter).unwrap();
    assert_eq!((found.width, found.height, found.rgba.as_flattened()), (16, 16, rgba.as_slice()));
    let rgb: Vec<u8> = [[200, 30, 40]].repeat(256).concat();
    let mut opaque = Vec::new();
    image_webp::WebPEncoder::new(&mut opaque).encode(&rgb, 16, 16, image_webp::ColorType::Rgb8).unwrap();
    assert_eq!(image::of_web(&opaque, &meter).unwrap().rgba, [[200, 30, 40, 255]; 256]);
    let mut jpeg = Vec::new();
    jpeg_encoder::Encoder::new(&mut jpeg, 95).encode(&rgb, 16, 16, jpeg_encoder::ColorType::Rgb).unwrap();
    let found = image::of_web(&jpeg, &meter).unwrap();
    let is_near =
        |pixel: &[u8; 4]| pixel.iter().zip([200, 30, 40, 255]).all(|(a, b): (&u8, u8)| a.abs_diff(b) < 6);
    assert!(found.rgba.iter().all(is_near), "{:?}", found.rgba[0]);
    for cut in [&webp[..webp.len() / 2], &jpeg[..20], b"junk"] {
        assert_eq!(image::of_web(cut, &meter).unwrap_err().cause.code, &codes::IMAGE);
    }
    let meter = galvani::Budget { memory: Some(100), work: None }.meter(&galvani::budget::CONVERTING, 0);
    assert!(image::of_web(&webp, &meter).is_err() && image::of_web(&jpeg, &meter).is_err());
}

#[test]
fn every_format_is_still_what_it_was() {
    for sample in SAMPLES.iter().filter(|sample| sample.name != "windmill.glb") {
        assert!(recognise(&sample.bytes, None).is_none_or(|found| found.info().id != ID), "{}", sample.name);
    }
}
