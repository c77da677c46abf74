//! What Khronos' validator and three.js make of scenes of every kind.
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

mod common;
#[path = "../../galvani-scene/tests/common/scenes.rs"]
mod scenes;
#[path = "../../galvani-scene/tests/common/shown.rs"]
mod shown;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use common::{full, hiding, illegal, plain, pulled, skinned, triangle, with_directions};
use galvani_gltf::{Extension, Options, RigOption, Visibility, glb, gltf};
use galvani_scene::{Clip, Matrices, Moment, Sampler, Scene, to_model};
use galvani_testkit::Clients;
use glam::Mat4;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

/// How far three.js may be from our own sampler, of the model's size, and of its longest axis.
const NEAR: f32 = 1e-5;

/// How far it may be where turns are baked: the tolerance, however many hang on one another.
const NEAR_BAKED: f32 = 1e-4;

/// How many joints three.js takes for a vertex.
const FOUR: usize = 4;

/// How many generated scenes are shown.
const GENERATED: usize = 40;

fn clients() -> &'static Clients {
    static CLIENTS: OnceLock<Clients> = OnceLock::new();
    CLIENTS.get_or_init(|| Clients::in_folder(Path::new(env!("CARGO_TARGET_TMPDIR"))))
}

fn generated() -> Vec<(String, Scene)> {
    let mut runner = TestRunner::deterministic();
    let scene = |i| (format!("generated_{i}"), scenes::scenes().new_tree(&mut runner).unwrap().current());
    (0..GENERATED).map(scene).collect()
}

fn every_scene() -> Vec<(String, Scene)> {
    let made = [
        ("plain", plain()),
        ("skinned", skinned()),
        ("pulled", pulled(40)),
        ("full", full()),
        ("hiding", hiding()),
        ("illegal", illegal()),
        ("directions", with_directions(triangle())),
    ];
    made.into_iter().map(|(name, scene)| (name.to_owned(), scene)).chain(generated()).collect()
}

/// Every way to write that changes more than the amount.
fn every_way() -> Vec<(&'static str, Options)> {
    use Extension::{Lights, Lod, Pointer, Unlit, Variants};
    let usual = Options::default;
    let extensions = BTreeSet::from([Unlit, Pointer, Lod, Variants, Lights]);
    vec![
        ("usual", usual()),
        ("skin", Options { rig: RigOption::Skin, ..usual() }),
        ("fps", Options { fps: Some(30.0), ..usual() }),
        ("extras", Options { visibility: Visibility::Extras, ..usual() }),
        ("extensions", Options { visibility: Visibility::Extension, extensions, ..usual() }),
    ]
}

/// A folder for the files of a test.
fn desk(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gltf").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn khronos_finds_nothing_wrong() {
    let desk = desk("khronos");
    let mut files = Vec::new();
    for (name, scene) in every_scene() {
        for (way, options) in every_way() {
            let file = desk.join(format!("{name}_{way}.glb"));
            std::fs::write(&file, glb(scene.clone(), &options).unwrap().0).unwrap();
            files.push(file.display().to_string());
        }
    }
    for file in gltf(hiding(), &Options::default()).unwrap().0.named("beside").unwrap() {
        std::fs::write(desk.join(&file.name), file.bytes).unwrap();
    }
    files.push(desk.join("beside.gltf").display().to_string());
    clients().validate(&files);
}

#[test]
fn three_js_shows_what_the_sampler_says() {
    let ways = every_way();
    let sound = every_scene().into_iter().filter(|(name, _)| name != "illegal");
    for (name, mut scene) in sound {
        // They are told apart by their names.
        for (i, node) in scene.nodes.iter_mut().enumerate() {
            node.name = format!("thing_{i}");
        }
        for (way, options) in ways.iter().filter(|(way, _)| ["usual", "skin"].contains(way)) {
            let told = told(&format!("{name}_{way}"), &scene, options);
            for (clip, time, answer) in told {
                compare(&scene, &clip, time, &answer, &format!("{name} {way} {} at {time}", clip.name));
            }
        }
    }
}

/// What three.js shows of every clip that was written, at many times.
fn told(name: &str, scene: &Scene, options: &Options) -> Vec<(Clip, f32, Value)> {
    let file = desk("three").join(format!("{name}.glb"));
    let bytes = glb(scene.clone(), options).unwrap().0;
    std::fs::write(&file, &bytes).unwrap();
    let document = ::gltf::Gltf::from_slice(&bytes).unwrap().document;
    let names: Vec<String> = document.animations().map(|clip| clip.name().unwrap().to_owned()).collect();
    let moving = scene.clips.iter().filter(|clip| clip.tracks.iter().any(|track| track.node().is_some()));
    let mut requests = Vec::new();
    for (clip, name) in moving.zip(&names) {
        let times = (0_u8..=16).map(|i| clip.duration * f32::from(i) / 16.0);
        let keys = clip.tracks.iter().flat_map(|track| track.times().to_vec());
        requests.extend(times.chain(keys).map(|time| (clip.clone(), time, name.clone())));
    }
    let input: Value = requests.iter().map(|(_, time, name)| json!([name, time])).collect();
    let answers = clients().ask("scene.mjs", &[&file.display().to_string()], &input.to_string());
    let answers: Vec<Value> = serde_json::from_str(&answers).unwrap();
    requests.into_iter().zip(answers).map(|((clip, time, _), answer)| (clip, time, answer)).collect()
}

fn compare(scene: &Scene, clip: &Clip, time: f32, answer: &Value, what: &str) {
    let (mut sampler, mut moment) = (Sampler::new(scene), Moment::at_rest(scene));
    let mut models = Matrices::identity(scene.nodes.len());
    sampler.sample(clip, time, &mut moment);
    to_model(scene, &moment, &mut models);
    let near = tolerance(clip) * shown::size(scene, &models);
    let near_axes = tolerance(clip) * shown::longest_axis(scene, &models);
    for (i, matrix) in answer["nodes"].as_array().unwrap().iter().take(scene.nodes.len()).enumerate() {
        // Where a skinned mesh's own node is does not count.
        let Some(matrix) = matrix.as_array().filter(|_| scene.nodes[i].skin.is_none()) else { continue };
        let found: Vec<f32> = matrix.iter().map(shown::number).collect();
        let wanted = Mat4::from(models.matrix(i)).to_cols_array();
        // The last column is where it is, the others are its axes.
        for (part, near) in [(0..12, near_axes), (12..16, near)] {
            let pairs = found[part.clone()].iter().zip(&wanted[part]);
            let off = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(off <= near, "{what}: node {i} is {off} off, {near} at most");
        }
    }
    let meshes = shown::meshes(&answer["meshes"]);
    for (i, node) in scene.nodes.iter().enumerate() {
        let Some(mesh) = node.mesh.and_then(|mesh| mesh.find_in(&scene.meshes)) else { continue };
        let found = &meshes[node.name.as_str()];
        if moment.visible[i] {
            let wanted = shown::vertices(scene, i, mesh, &models, FOUR);
            let off = found.iter().zip(&wanted).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            assert_eq!(found.len(), wanted.len());
            assert!(off <= near, "{what}: a vertex of {} is {off} off, {near} at most", node.name);
        } else {
            let off = shown::spread(found);
            assert!(off <= near, "{what}: hidden {} is {off} large", node.name);
        }
    }
}

/// Curves are exact, but turns that are baked.
fn tolerance(clip: &Clip) -> f32 {
    let is_baked = |track: &galvani_scene::Track| {
        matches!(track, galvani_scene::Track::Rotation(..)) && track.interp().has_tangents()
    };
    if clip.tracks.iter().any(is_baked) { NEAR_BAKED } else { NEAR }
}
