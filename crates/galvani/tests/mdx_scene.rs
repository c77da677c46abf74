//! What Khronos' validator and three.js make of MDX models: the samples, and models that move in every way.
#![cfg(all(feature = "mdx", feature = "texture", feature = "gltf", feature = "fs"))]
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]
#![allow(clippy::cast_possible_truncation, reason = "numbers are only compared")]

#[path = "../../galvani-mdx/tests/common/mod.rs"]
mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use common::sound::{held, lost, nodes, sound};
use galvani::formats::{self, Links, Settings, Site};
use galvani::glam::{Affine3A, Mat3A, Mat4, Vec3, Vec3A};
use galvani::mdx::lift::{Options, axes, lift, milliseconds};
use galvani::mdx::sample::{
    Clip, ClockTimes, Cursor, GeosetSkin, Influences, Poses, Rig, Skinned, WindowEdges,
};
use galvani::mdx::{Content, Document, Family, Records, write};
use galvani::{Meter, OpenOptions, Report, Severity, convert, samples};
use galvani_scene::Fact;
use galvani_testkit::Clients;
use serde_json::{Value, json};
use zerocopy::little_endian::U16;

/// How far three.js may be from the sampler, of the model's size.
const NEAR: f32 = 1e-5;

/// The same where curves are baked: the tolerance, however many hang on one another.
const NEAR_BAKED: f32 = 1e-4;

fn clients() -> &'static Clients {
    static CLIENTS: OnceLock<Clients> = OnceLock::new();
    CLIENTS.get_or_init(|| Clients::in_folder(Path::new(env!("CARGO_TARGET_TMPDIR"))))
}

/// A folder for the files of a test.
fn desk(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mdx_scene").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The samples, as neighbours of each other.
#[derive(Debug)]
struct Samples;

impl Links for Samples {
    fn find(&self, name: &str) -> Option<std::borrow::Cow<'_, [u8]>> {
        let found = samples::all().into_iter().find(|sample| sample.name.eq_ignore_ascii_case(name));
        found.map(|sample| sample.bytes.into())
    }
}

/// A model, and whether anything of it is baked.
struct Written {
    name: String,
    document: Document,
    glb: Vec<u8>,
    is_baked: bool,
    sound: Sound,
}

/// What of a model is as the game has it, by what its report says: nodes in file order, and the vertices of each geoset.
struct Sound {
    nodes: Vec<bool>,
    vertices: BTreeMap<usize, Vec<bool>>,
    /// How many of the nodes hang on no other since they do not take over everything.
    detached: usize,
}

impl Sound {
    fn new(document: &Document, report: &Report) -> Self {
        let (scene, _) = lift(document, &[], &Options::default()).unwrap();
        let places = nodes(&scene, document);
        let sound = match lost(report) {
            Some(lost) => sound(&scene, document, &places, &lost),
            None => vec![false; scene.nodes.len()],
        };
        let mut vertices = BTreeMap::new();
        for node in &scene.nodes {
            let Some(mesh) = node.mesh.and_then(|mesh| mesh.find_in(&scene.meshes)) else { continue };
            let Some(Fact::Int(geoset)) = node.extras.get("geoset") else { panic!("a mesh is no geoset") };
            vertices.insert(usize::try_from(*geoset).unwrap(), held(&scene, node.skin, mesh, &sound));
        }
        let is_detached = |place: &usize| sound[*place] && scene.nodes[*place].extras.contains_key("parent");
        let detached = places.iter().flatten().filter(|place| is_detached(place)).count();
        let nodes = places.iter().map(|place| place.is_some_and(|place| sound[place])).collect();
        Sound { nodes, vertices, detached }
    }
}

fn written(name: &str, file: &[u8], words: &[(&str, &str)]) -> Option<Written> {
    let format = formats::by_id("mdx").unwrap();
    let site = Site::named(name, &Samples);
    let opened = format.open_at(file, &OpenOptions::default(), &site).unwrap();
    let settings = Settings::from_words(format.info().lifting, words).unwrap();
    let convert::Converted { files: glb, report, .. } =
        match convert::glb(&opened, &site, &settings, &Meter::unlimited()) {
            Ok(written) => written,
            Err(refused) => {
                assert_eq!(refused.cause.code.name, "mdx.lift-too-much", "{name}");
                return None;
            }
        };
    assert_eq!(report.tally(Severity::Error), 0, "{name}: {:?}", report.findings());
    let is_told = |code: &str| report.findings().iter().any(|finding| finding.code.name == code);
    let document = opened.into_document().unwrap();
    let (is_baked, sound) = (is_told("mdx.baked") || is_told("gltf.baked"), Sound::new(&document, &report));
    Some(Written { name: name.to_owned(), document, glb, is_baked, sound })
}

fn sample(name: &str) -> Vec<u8> {
    samples::all().into_iter().find(|sample| sample.name == name).unwrap().bytes
}

/// Models of both families that move in every way, each with faces on its vertices.
fn generated() -> Vec<Written> {
    let mut all = Vec::new();
    for seed in 0..24 {
        for family in [Family::Warcraft, Family::Wow] {
            let mut document = common::animated::model(family, seed * 7 + 1, 2);
            if is_doubtful(&document) {
                continue;
            }
            add_faces(&mut document);
            let file = write(&document).unwrap();
            all.extend(written(&format!("{family:?}_{seed}"), &file, &[]));
        }
    }
    all
}

/// Whether rotations are half a turn apart: either way round is the shorter one.
fn is_doubtful(document: &Document) -> bool {
    let mut doubts = false;
    document.each_track(|_, track| {
        let turns = (0..track.times.len()).filter_map(|key| track.floats(key));
        let turns: Vec<Vec<f32>> =
            turns.map(|turn| turn.as_slice().to_vec()).filter(|turn| turn.len() == 4).collect();
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        doubts |= turns.iter().any(|a| turns.iter().any(|b| dot(a, b).abs() < 1e-3));
    });
    doubts
}

fn add_faces(document: &mut Document) {
    for chunk in &mut document.chunks {
        let Content::Geosets(rows) = &mut chunk.content else { continue };
        for (_, geoset) in rows.typed_mut() {
            let count = u16::try_from(geoset.vertices.len()).unwrap();
            geoset.indices = (0..count).flat_map(|it| [U16::new(it); 3]).collect();
        }
    }
}

fn lanterns() -> Vec<Written> {
    ["lantern.mdx", "lantern-wow.mdx"]
        .into_iter()
        .filter_map(|name| written(name, &sample(name), &[]))
        .collect()
}

#[test]
fn khronos_finds_nothing_wrong_with_models() {
    let desk = desk("khronos");
    let ways: [&[(&str, &str)]; 3] = [
        &[("layers", "stack"), ("additive", "plain"), ("team", "5")],
        &[("team", "#12ab34")],
        &[("variants", "yes")],
    ];
    let others = ways.iter().enumerate().map(|(i, words)| {
        let mut one = written("lantern.mdx", &sample("lantern.mdx"), words).unwrap();
        one.name = format!("lantern_{i}");
        one
    });
    let mut files = Vec::new();
    for one in lanterns().into_iter().chain(others).chain(generated()) {
        let file = desk.join(format!("{}.glb", one.name));
        std::fs::write(&file, one.glb).unwrap();
        files.push(file.display().to_string());
    }
    assert!(files.len() > 12, "{files:?}");
    clients().validate(&files);
}

#[test]
fn three_js_shows_what_the_games_show() {
    let mut detached = 0;
    for one in lanterns().into_iter().chain(generated()) {
        detached += one.sound.detached;
        let worst = compare(&one);
        eprintln!("{}: off by {worst:.1e} of its size", one.name);
        let near = if one.is_baked { NEAR_BAKED } else { NEAR };
        assert!(worst <= near, "{}: off by {worst} of its size", one.name);
    }
    assert!(detached >= 5, "only {detached} nodes that hang on no other were compared");
}

/// How far anything is from where the sampler has it, of the model's size.
fn compare(one: &Written) -> f32 {
    let file = desk("three").join(format!("{}.glb", one.name));
    std::fs::write(&file, &one.glb).unwrap();
    let root = json_of(&one.glb);
    let mut requests = Vec::new();
    for animation in root["animations"].as_array().into_iter().flatten() {
        let index = usize::try_from(animation["extras"]["galvani_clip"].as_u64().unwrap()).unwrap();
        let known: Value = serde_json::from_str(animation["extras"]["galvani"].as_str().unwrap()).unwrap();
        let duration = number(&known["duration"]);
        let times = (0_u8..=24).map(|i| duration * f32::from(i) / 24.0);
        requests.extend(times.map(|time| (index, time, animation["name"].clone())));
    }
    let input: Value = requests.iter().map(|(_, time, name)| json!([name, time])).collect();
    let answers = clients().ask("scene.mjs", &[&file.display().to_string()], &input.to_string());
    let answers: Vec<Value> = serde_json::from_str(&answers).unwrap();
    let off = requests
        .iter()
        .zip(&answers)
        .map(|((clip, time, _), answer)| of_moment(one, &root, *clip, *time, answer));
    off.fold(0.0, f32::max)
}

/// The same at one moment.
fn of_moment(one: &Written, root: &Value, index: usize, time: f32, answer: &Value) -> f32 {
    let document = &one.document;
    if index >= document.sequences().len() {
        return 0.0;
    }
    let clip = Clip::new(document, Some(index), WindowEdges::Auto).unwrap();
    let rig = Rig::new(document);
    let (mut cursor, mut poses, mut values) = (Cursor::default(), Poses::default(), Vec::new());
    let now = ClockTimes { time: milliseconds(time), global: milliseconds(time) };
    clip.pose(&rig, now, None, &mut cursor, &mut poses);
    clip.values(now, &mut cursor, &mut values);
    let skins = GeosetSkin::all(document, &rig, Influences::Game);
    let (size, longest) = (size_of(&rig, &poses, &skins), longest_axis(&poses));
    let ids: Vec<i32> = document.nodes().iter().map(|placed| placed.node.fixed.object_id.get()).collect();
    let mut worst = 0.0_f32;
    for (i, node) in root["nodes"].as_array().unwrap().iter().enumerate() {
        let Some(id) = node["extras"]["galvani_id"].as_i64() else { continue };
        let mut same = ids.iter().enumerate().filter(|(_, other)| i64::from(**other) == id);
        let (Some((place, _)), None) = (same.next(), same.next()) else { continue };
        let Some(found) = answer["nodes"][i].as_array().filter(|_| one.sound.nodes[place]) else { continue };
        let wanted = Mat4::from(in_scene(poses.model[place], rig.pivot(place).unwrap())).to_cols_array();
        // The last column is where it is, the others are its axes.
        let parts = found.iter().zip(wanted).enumerate();
        let off = parts.map(|(i, (a, b))| (number(a) - b).abs() / if i < 12 { longest } else { size });
        worst = off.fold(worst, f32::max);
    }
    for (geoset, skin) in skins.iter().enumerate() {
        let Some(found) = answer["meshes"][format!("geoset {geoset}")].as_array() else { continue };
        let found: Vec<Vec3> = found.iter().map(vector).collect();
        if opacity(document, &clip, &values, geoset) < 1.0 / 255.0 {
            let large = found.iter().map(|place| place.distance(found[0])).fold(0.0, f32::max);
            assert!(large <= 1e-4 * size, "{} at {time}: hidden geoset {geoset} is {large} large", one.name);
            continue;
        }
        let mut skinned = Skinned::default();
        skin.apply(&poses.model, &mut skinned);
        assert_eq!(found.len(), skinned.positions.len());
        let pairs = found.iter().zip(&skinned.positions).zip(&one.sound.vertices[&geoset]);
        let pairs = pairs.filter(|(_, is_sound)| **is_sound);
        let off = pairs.map(|((a, b), _)| a.distance(axes(*b)) / size);
        worst = off.fold(worst, f32::max);
    }
    worst
}

/// The diagonal of the box of all nodes and vertices, at least 1.
fn size_of(rig: &Rig, poses: &Poses, skins: &[GeosetSkin]) -> f32 {
    let nodes = poses.model.iter().enumerate();
    let mut all: Vec<Vec3> =
        nodes.map(|(i, model)| model.transform_point3(rig.pivot(i).unwrap_or_default())).collect();
    let mut skinned = Skinned::default();
    for skin in skins {
        skin.apply(&poses.model, &mut skinned);
        all.extend(&skinned.positions);
    }
    let low = all.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    all.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max).distance(low).max(1.0)
}

/// The longest axis of all nodes, at least 1.
fn longest_axis(poses: &Poses) -> f32 {
    let axes = poses.model.iter().map(|model| model.matrix3);
    let lengths = axes.flat_map(|it| [it.x_axis, it.y_axis, it.z_axis]).map(Vec3A::length);
    lengths.fold(1.0, f32::max)
}

/// How opaque a geoset is: as the sampler says, or else its record.
fn opacity(document: &Document, clip: &Clip, values: &[galvani::mdx::sample::Sampled], geoset: usize) -> f32 {
    let rows = document.chunks.iter().filter_map(|chunk| match &chunk.content {
        Content::GeosetAnimations(rows) => Some(rows),
        _ => None,
    });
    let mut tints = rows.flat_map(Records::typed);
    let Some((i, tint)) = tints.find(|(_, tint)| usize::try_from(tint.geoset_id()) == Ok(geoset)) else {
        return 1.0;
    };
    let path = format!("GEOA[{i}].KGAO");
    match clip.properties().iter().position(|property| property.path.to_string() == path) {
        Some(place) => match &values[place] {
            galvani::mdx::sample::Sampled::Floats(floats) => floats.as_slice()[0],
            galvani::mdx::sample::Sampled::Index(_) => 1.0,
        },
        None => match &tint.fixed {
            galvani::mdx::model::GeosetAnimationFixed::Warcraft(fixed) => fixed.alpha.get(),
            galvani::mdx::model::GeosetAnimationFixed::Wow(fixed) => fixed.alpha.get(),
        },
    }
}

/// A matrix of the games in the scene's axes.
fn in_scene(place: Affine3A, pivot: Vec3) -> Affine3A {
    let column = |column: Vec3A| Vec3A::from(axes(column.into()));
    let place = place * Affine3A::from_translation(pivot);
    let Mat3A { x_axis, y_axis, z_axis } = place.matrix3;
    let matrix3 = Mat3A::from_cols(column(y_axis), column(z_axis), column(x_axis));
    Affine3A { matrix3, translation: column(place.translation) }
}

/// The JSON of a `.glb`.
fn json_of(glb: &[u8]) -> Value {
    let len = u32::from_le_bytes(glb[12..16].try_into().unwrap());
    serde_json::from_slice(&glb[20..20 + usize::try_from(len).unwrap()]).unwrap()
}

fn vector(value: &Value) -> Vec3 {
    let parts: Vec<f32> = value.as_array().unwrap().iter().map(number).collect();
    Vec3::from_slice(&parts)
}

fn number(value: &Value) -> f32 {
    value.as_f64().unwrap() as f32
}

#[test]
fn a_skin_stands_in_for_a_picture_of_the_game() {
    let file = sample("lantern-wow.mdx");
    let format = formats::by_id("mdx").unwrap();
    let site = Site::named("lantern-wow.mdx", &Samples);
    let opened = format.open_at(&file, &OpenOptions::default(), &site).unwrap();
    let mut settings = Settings::default();
    let skin = |name: &str, bytes: Vec<u8>| {
        let file = formats::NamedFile { name: name.to_owned(), bytes };
        formats::ArgumentValue::List(vec![formats::ArgumentValue::NumberedFile(11, file)])
    };
    settings.set("skin", skin("boar.blp", sample("Textures/Lantern.blp")));
    let model = opened.as_model().unwrap();
    let (scene, report) = model.lift(&settings, &site).unwrap();
    let lost = report.findings().iter().filter(|finding| finding.code.name == "mdx.lost-texture").count();
    assert_eq!(lost, 0);
    assert!(scene.images.iter().any(|image| image.name == "replaceable 11"));
    let mut wrong = Settings::default();
    wrong.set("skin", skin("boar.txt", b"no picture".to_vec()));
    assert_eq!(model.lift(&wrong, &site).unwrap_err().cause.code.name, "file.setting");
    let zero = Settings::from_words(format.info().lifting, &[("tolerance", "0")]).unwrap();
    assert_eq!(model.lift(&zero, &site).unwrap_err().cause.code.name, "file.setting");
}
