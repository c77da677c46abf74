//! Scenes written and read again by somebody else's reader.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

mod common;

use common::{hiding, plain, pulled, skinned};
use galvani_core::Severity;
use galvani_gltf::{Options, SourceFile, Visibility, glb, gltf};
use galvani_scene::{Clip, Material, Scene};
use glam::{Vec2, Vec3};
use gltf::Gltf;
use serde_json::{Value, json};

fn read(scene: Scene) -> (gltf::Document, Vec<u8>) {
    let Gltf { document, blob } = Gltf::from_slice(&glb(scene, &Options::default()).unwrap().0).unwrap();
    (document, blob.unwrap_or_default())
}

#[test]
fn another_reader_finds_what_was_written() {
    let scene = plain();
    let (document, blob) = read(scene.clone());
    let names: Vec<_> = document.nodes().map(|node| node.name().unwrap().to_owned()).collect();
    assert_eq!(names, ["same", "same_2"]);
    let root = document.nodes().next().unwrap();
    assert_eq!(root.children().map(|child| child.index()).collect::<Vec<_>>(), [1]);
    let primitive = root.mesh().unwrap().primitives().next().unwrap();
    let reader = primitive.reader(|_| Some(&blob));
    let wanted = &scene.meshes[0].primitives[0];
    assert!(reader.read_positions().unwrap().eq(wanted.positions.iter().map(Vec3::to_array)));
    assert!(reader.read_normals().unwrap().eq(wanted.normals.iter().map(Vec3::to_array)));
    let uvs = reader.read_tex_coords(0).unwrap().into_f32();
    assert!(uvs.eq(wanted.uvs[0].iter().map(Vec2::to_array)));
    assert_eq!(reader.read_indices().unwrap().into_u32().collect::<Vec<_>>(), wanted.indices);
    let clips: Vec<_> = document.animations().collect();
    assert_eq!(clips.len(), 1, "a clip in which nothing moves is left out");
    let inputs: Vec<_> = clips[0].channels().map(|channel| channel.sampler().input().index()).collect();
    assert_eq!(inputs[0], inputs[1], "one list of times for both");
    for (channel, track) in clips[0].channels().zip(&scene.clips[0].tracks) {
        let reader = channel.reader(|_| Some(&blob));
        assert_eq!(reader.read_inputs().unwrap().collect::<Vec<_>>(), track.times());
        assert_eq!(channel.target().node().index(), track.node().unwrap().index());
    }
}

/// Programs that keep names apart would call them otherwise.
#[test]
fn no_two_materials_are_called_alike() {
    let mut scene = plain();
    let material = |name: &str| Material { name: name.to_owned(), ..Material::default() };
    scene.materials.extend(["skin", "skin", "", "a.b", "ab"].map(material));
    let (document, _) = read(scene.clone());
    let names: Vec<&str> = document.materials().filter_map(|it| it.name()).collect();
    let own = scene.materials.len() - 5;
    let nameless = format!("material_{}", own + 2);
    assert_eq!(names[own..], ["skin", "skin_2", &nameless, "a.b", "ab_2"]);
}

/// The one JSON text beside the scene.
fn told(document: &gltf::Document) -> Value {
    let extras = document.default_scene().unwrap().extras().clone().unwrap();
    let extras: Value = serde_json::from_str(extras.get()).unwrap();
    serde_json::from_str(extras["galvani"].as_str().unwrap()).unwrap()
}

#[test]
fn a_clip_that_was_left_out_is_listed() {
    let (document, _) = read(plain());
    let clips = &told(&document)["clips"];
    assert_eq!((&clips[0]["animation"], &clips[0]["index"]), (&"walk".into(), &4.into()));
    assert_eq!((&clips[1]["animation"], &clips[1]["name"]), (&Value::Null, &"stand".into()));
    let extras = document.animations().next().unwrap().extras().clone().unwrap();
    let extras: Value = serde_json::from_str(extras.get()).unwrap();
    assert_eq!((&extras["galvani_clip"], &extras["galvani_loop"]), (&4.into(), &"wrap".into()));
}

#[test]
fn what_the_source_says_beyond_the_scene_travels_in_the_one_text() {
    let (document, _) = read(Scene { source: Some(r#"{"bytes":"AAEC"}"#.to_owned()), ..plain() });
    assert_eq!(told(&document)["source"]["bytes"], "AAEC");
    assert_eq!(told(&document)["schema"], 2);
}

#[test]
fn a_track_that_no_channel_says_travels_in_the_one_text() {
    let options = Options { visibility: Visibility::Extras, ..Options::default() };
    let document = Gltf::from_slice(&glb(hiding(), &options).unwrap().0).unwrap().document;
    let tracks = told(&document)["clips"][0]["tracks"].as_array().unwrap().clone();
    let words: Vec<&str> = tracks.iter().map(|track| track["moves"].as_str().unwrap()).collect();
    let wanted =
        ["color", "alpha", "texture", "uv_offset", "uv_rotation", "uv_scale", "visibility", "visibility"];
    assert_eq!(words, wanted);
    assert_eq!(tracks[2]["values"], serde_json::json!([0, null]));
    assert_eq!(tracks[7]["values"], serde_json::json!([true, false, true]));
}

#[test]
fn a_clip_is_as_long_as_it_says() {
    let mut scene = plain();
    scene.clips[0].duration = 2.5;
    let (document, blob) = read(scene);
    let ends = document.animations().next().unwrap().channels().map(|channel| {
        let last = channel.reader(|_| Some(&blob)).read_inputs().unwrap().last();
        last.unwrap()
    });
    assert_eq!(ends.collect::<Vec<_>>(), [2.5, 1.0]);
}

/// Tracks that no channel says do not count for the length of an animation.
#[test]
fn what_is_not_written_says_nothing_about_the_length() {
    let mut scene = plain();
    scene.clips[0].duration = 2.5;
    let seen = galvani_scene::Curve::step(vec![0.0, 2.5], vec![true, false]);
    scene.nodes.push(galvani_scene::Node { name: "bare".to_owned(), ..galvani_scene::Node::default() });
    let bare = galvani_scene::Id::new(scene.nodes.len() - 1);
    scene.clips[0].tracks.push(galvani_scene::Track::Visibility(bare, seen));
    let (document, blob) = read(scene);
    let channels = document
        .animations()
        .next()
        .unwrap()
        .channels()
        .map(|channel| channel.reader(|_| Some(&blob)).read_inputs().unwrap().last().unwrap());
    assert_eq!(channels.reduce(f32::max), Some(2.5));
}

#[test]
fn every_pull_is_written_largest_first() {
    let (document, blob) = read(skinned());
    let mesh = document.meshes().next().unwrap();
    let reader = mesh.primitives().next().unwrap();
    let reader = reader.reader(|_| Some(&blob));
    let joints: Vec<_> = reader.read_joints(0).unwrap().into_u16().collect();
    let weights: Vec<_> = reader.read_weights(0).unwrap().into_f32().collect();
    assert_eq!(joints[0], [2, 0, 1, 3]);
    assert!(weights[0].iter().zip([0.4, 0.25, 0.15, 0.1]).all(|(a, b): (&f32, f32)| (a - b).abs() < 1e-6));
    let joints: Vec<_> = reader.read_joints(1).unwrap().into_u16().collect();
    assert_eq!(joints[0], [4, 0, 0, 0]);
    let skin = document.skins().next().unwrap();
    assert_eq!(skin.skeleton().unwrap().name(), Some("hip"));
}

#[test]
fn a_hundred_joints_may_pull_at_a_vertex() {
    const MANY: u16 = 100;
    let (document, blob) = read(pulled(MANY));
    let mesh = document.meshes().next().unwrap();
    let reader = mesh.primitives().next().unwrap();
    let reader = reader.reader(|_| Some(&blob));
    for vertex in 0..3 {
        let (mut joints, mut weights) = (Vec::new(), Vec::new());
        for set in 0..25 {
            joints.extend(reader.read_joints(set).unwrap().into_u16().nth(vertex).unwrap());
            weights.extend(reader.read_weights(set).unwrap().into_f32().nth(vertex).unwrap());
        }
        // The last of the spikes pulls most, and each vertex begins with another.
        let first = u16::try_from(vertex).unwrap();
        let wanted: Vec<u16> = (0..MANY).rev().map(|spike| (spike + first) % MANY).collect();
        assert_eq!(joints, wanted);
        assert!(weights.is_sorted_by(|a: &f32, b| a > b));
        assert!((weights.iter().map(|weight| f64::from(*weight)).sum::<f64>() - 1.0).abs() < 1e-6);
    }
    assert!(reader.read_joints(25).is_none());
    let report = glb(pulled(MANY), &Options::default()).unwrap().1;
    let codes: Vec<&str> = report.findings().iter().map(|finding| finding.code.name).collect();
    assert_eq!(codes, ["gltf.four-influences"]);
}

#[test]
fn pictures_stand_beside_the_text_or_in_the_file() {
    let files = gltf(skinned(), &Options::default()).unwrap().0.named("a b").unwrap();
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["a b.gltf", "a b.bin", "a b_0.png"]);
    let json: Value = serde_json::from_slice(&files[0].bytes).unwrap();
    assert_eq!(json["images"][0]["uri"], "a%20b_0.png");
    assert_eq!(json["buffers"][0]["uri"], "a%20b.bin");
    let (document, blob) = read(skinned());
    let gltf::image::Source::View { view, mime_type } = document.images().next().unwrap().source() else {
        panic!("not in the file");
    };
    assert_eq!(mime_type, "image/png");
    assert_eq!(blob[view.offset()..][..view.length()], files[2].bytes);
}

#[test]
fn what_a_scene_was_made_of_stands_in_its_extras() {
    let kept = SourceFile { name: "a.msh".to_owned(), sha256: [0xAB; 32], bytes: Some(b"Ga".to_vec()) };
    let known = SourceFile { name: "b".to_owned(), sha256: [1; 32], bytes: None };
    let options = Options { format: "msh".to_owned(), files: vec![kept, known], ..Options::default() };
    let files = gltf(skinned(), &options).unwrap().0.named("a").unwrap();
    let json: Value = serde_json::from_slice(&files[0].bytes).unwrap();
    let text = json["scenes"][0]["extras"]["galvani"].as_str().unwrap();
    let own: Value = serde_json::from_str(text).unwrap();
    assert_eq!(own["format"], "msh");
    let wanted = json!([
        {"name": "a.msh", "sha256": format!("{}q6s", "q6ur".repeat(10)), "base64": "R2E="},
        {"name": "b", "sha256": format!("{}AQE", "AQEB".repeat(10))},
    ]);
    assert_eq!(own["files"], wanted);
}

#[test]
fn the_same_scene_gives_the_same_bytes() {
    let bytes = || glb(skinned(), &Options::default()).unwrap().0;
    assert_eq!(bytes(), bytes());
}

#[test]
fn a_scene_that_is_lent_gives_the_same_and_stays_as_it_is() {
    for scene in [plain(), skinned(), hiding()] {
        let before = scene.clone();
        let lent = glb(&scene, &Options::default()).unwrap();
        assert_eq!(scene, before);
        assert_eq!(lent, glb(scene, &Options::default()).unwrap());
    }
}

#[test]
fn an_empty_scene_is_a_file_too() {
    let (file, report) = glb(Scene::default(), &Options::default()).unwrap();
    assert_eq!(file.len() % 4, 0);
    assert_eq!(Gltf::from_slice(&file).unwrap().document.nodes().count(), 0);
    assert_eq!(report.tally(Severity::Note), 0);
}

#[test]
fn a_broken_scene_is_refused() {
    let mut scene = plain();
    scene.meshes[0].primitives[0].indices[1] = 3;
    let error = glb(scene, &Options::default()).unwrap_err().to_string();
    assert_eq!(
        error,
        "meshes[0].primitives[0].indices: gltf.scene: indices make no whole triangles: 3 indices up to 3, 3 vertices"
    );
}

#[test]
fn only_the_wanted_clips_are_written() {
    let mut scene = plain();
    scene.clips.push(Clip { name: "run".to_owned(), ..scene.clips[0].clone() });
    let options = Options { clips: Some(vec![galvani_scene::Id::new(2)]), ..Options::default() };
    let document = Gltf::from_slice(&glb(scene, &options).unwrap().0).unwrap().document;
    assert_eq!(
        document.animations().map(|clip| clip.name().unwrap().to_owned()).collect::<Vec<_>>(),
        ["run"]
    );
}
