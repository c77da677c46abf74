//! What Blender makes of the models that ship: where it has their nodes, bones and vertices at the times of keys.
//!
//! Python 3.11 must be there; Blender is installed as a module into the target folder, as `tests/blender` pins it.
#![cfg(all(feature = "parkan", feature = "ff7", feature = "mdx", feature = "texture", feature = "gltf"))]
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

mod common;
#[path = "../../galvani-gltf/tests/common/mod.rs"]
mod scenes;
#[path = "../../galvani-scene/tests/common/shown.rs"]
mod shown;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use common::beside::{Damaged, Samples};
use common::blender::{blender, models};
use galvani::ff7::pack;
use galvani::formats::{self, Links, Settings, Site};
use galvani::gltf::{Options, glb};
use galvani::scene::{Clip, Id, Joint, Matrices, Mesh, Moment, Node, Sampler, Scene, Track, to_model};
use galvani::{Meter, OpenOptions, ReadOptions, convert};
use galvani_testkit::Python;
use glam::Vec3;
use scenes::{hiding, pulled};
use serde_json::{Value, json};

/// How far Blender may be from our own sampler, of the model's size.
const NEAR: f32 = 1e-5;

/// Times of keys that are looked at in a clip.
const TIMES: usize = 24;

/// Frames a second of which keys may be on the grid.
const RATES: [u16; 4] = [15, 30, 60, 1000];

#[test]
fn blender_shows_what_the_sampler_says() {
    let Some(python) = blender() else { return };
    let models = models();
    assert!(models.len() > 1);
    let (mut hidden, mut beside) = (BTreeMap::new(), Damaged::default());
    beside.put("zgda", without_a_spear());
    for (name, opened) in &models {
        let site = Site::named(name, &beside);
        let (scene, _) = opened.as_model().unwrap().lift(&Settings::default(), &site).unwrap();
        let settings = Settings::default();
        let bytes = convert::glb(opened, &site, &settings, &Meter::unlimited()).unwrap().files;
        hidden.insert(name.as_str(), hidden_in_blender(&python, name, &scene, &bytes));
    }
    for name in ["lantern.mdx", "zgaa"] {
        assert!(hidden[name] > 0, "nothing of {name} was hidden: {hidden:?}");
    }
}

/// The frog's animations, of which the third has no spear.
fn without_a_spear() -> Vec<u8> {
    let file = Samples.find("zgda").unwrap();
    let mut pack = pack::read(&file, &ReadOptions::default()).unwrap().document;
    pack.entries[6] = pack.entries[7].clone();
    pack::write(&pack).unwrap()
}

/// Surfaces on a skin that come and go, and corners at which more joints pull than one set of them holds.
#[test]
fn blender_shows_what_comes_and_goes_on_a_skin_and_all_that_pulls() {
    let Some(python) = blender() else { return };
    for (name, mut scene, hides) in [("hiding", hiding(), true), ("pulled", pulled(9), false)] {
        for (index, clip) in (0..).zip(&mut scene.clips) {
            clip.index = index;
        }
        with_every_joint(&mut scene);
        let bytes = glb(&scene, &Options::default()).unwrap().0;
        let hidden = hidden_in_blender(&python, name, &scene, &bytes);
        assert_eq!(hidden > 0, hides, "{hidden} meshes of {name} were hidden");
    }
}

/// Binds what joints hang on, too: Blender guesses where it was when the skin was made, and not well.
fn with_every_joint(scene: &mut Scene) {
    let mut models = Matrices::identity(scene.nodes.len());
    to_model(scene, &Moment::at_rest(scene), &mut models);
    let parents: Vec<Option<Id<Node>>> = scene.nodes.iter().map(|node| node.parent).collect();
    for skin in &mut scene.skins {
        let mut bound: BTreeSet<Id<Node>> = skin.joints.iter().map(|joint| joint.node).collect();
        for joint in skin.joints.clone() {
            let mut above = parents[joint.node.index()];
            while let Some(node) = above.filter(|node| bound.insert(*node)) {
                let inverse_bind = models.matrix(node.index()).inverse();
                skin.joints.push(Joint { node, inverse_bind });
                above = parents[node.index()];
            }
        }
    }
}

/// Fails unless Blender has everything of a file where the scene has it; how often a mesh was met that is hidden.
fn hidden_in_blender(python: &Python, name: &str, scene: &Scene, bytes: &[u8]) -> usize {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("blender_files");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{name}.glb"));
    std::fs::write(&file, bytes).unwrap();
    let asked = Question::new(scene, bytes);
    let request = json!({"file": file.display().to_string(), "fps": asked.fps, "poses": asked.poses()});
    let answer: Value = serde_json::from_str(&python.ask("pose.py", &[], &request.to_string())).unwrap();
    asked.compare(name, &answer)
}

/// A model that was made in Blender becomes one of every game.
#[test]
fn a_model_that_was_made_in_blender_becomes_one_of_every_game() {
    let Some(python) = blender() else { return };
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("made.glb");
    let clips = python.ask("make.py", &[], &json!({"out": out.display().to_string()}).to_string());
    assert_eq!(serde_json::from_str::<Vec<String>>(&clips).unwrap(), ["Death", "Stand"]);
    let glb =
        formats::by_id("gltf").unwrap().open(&std::fs::read(&out).unwrap(), &OpenOptions::default()).unwrap();
    let (wish, settings, meter) = (
        convert::ModelWish { stem: Some("made"), ..convert::ModelWish::default() },
        Settings::default(),
        Meter::unlimited(),
    );
    let targets = convert::ModelTarget::all().filter(|target| target.format.info().lowering.is_some());
    for target in targets {
        let made = convert::model(&glb, &Site::NOWHERE, target, &wish, (&settings, &meter)).unwrap();
        for (file, bytes) in &made.files {
            let opened =
                formats::recognise(bytes, Some(file)).unwrap().open(bytes, &OpenOptions::default()).unwrap();
            let mut found = opened.report;
            found.append(opened.document.check());
            let loud = found.findings().iter().filter(|it| it.severity > galvani::Severity::Note);
            assert_eq!(loud.count(), 0, "{}: {file}", target.word);
        }
    }
}

/// What Blender is asked of a file.
struct Question<'s> {
    scene: &'s Scene,
    fps: u16,
    /// What the file calls its nodes, which begin with the scene's.
    names: Vec<String>,
    /// Clips, what the file calls them, and a time of one of their keys.
    moments: Vec<(&'s Clip, String, f32)>,
}

impl<'s> Question<'s> {
    fn new(scene: &'s Scene, file: &[u8]) -> Self {
        let json_len = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
        let root: Value = serde_json::from_slice(&file[20..20 + json_len]).unwrap();
        let text = |value: &Value| value["name"].as_str().unwrap().to_owned();
        let names = root["nodes"].as_array().unwrap().iter().map(text).collect();
        let mut moments = Vec::new();
        for animation in root["animations"].as_array().into_iter().flatten() {
            let index = animation["extras"]["galvani_clip"].as_u64().unwrap();
            let clip = scene.clips.iter().find(|clip| u64::from(clip.index) == index).unwrap();
            moments.extend(key_times(clip).into_iter().map(|time| (clip, text(animation), time)));
        }
        let is_on = |fps: &u16| moments.iter().all(|(.., time)| off_grid(*time, *fps) < 1e-3);
        let fps = RATES.into_iter().find(is_on).unwrap_or_else(|| panic!("{}: no grid", scene.name));
        Question { scene, fps, names, moments }
    }

    fn poses(&self) -> Value {
        self.moments.iter().map(|(_, name, time)| json!([name, time])).collect()
    }

    fn compare(&self, model: &str, answer: &Value) -> usize {
        let clips: BTreeSet<&str> = self.moments.iter().map(|(_, name, _)| name.as_str()).collect();
        let shown: BTreeSet<&str> =
            answer["clips"].as_array().unwrap().iter().map(|clip| clip.as_str().unwrap()).collect();
        assert_eq!(shown, clips, "{model}");
        let (mut sampler, mut hidden) = (Sampler::new(self.scene), 0);
        for ((clip, name, time), answer) in self.moments.iter().zip(answer["poses"].as_array().unwrap()) {
            let mut moment = Moment::at_rest(self.scene);
            let mut models = Matrices::identity(self.scene.nodes.len());
            sampler.sample(clip, *time, &mut moment);
            to_model(self.scene, &moment, &mut models);
            let what = format!("{model}, {name} at {time}");
            hidden += self.compare_hidden(&what, answer, &moment, &models);
            if !is_between(clip, *time) {
                self.compare_pose(&what, answer, &moment, &models);
            }
        }
        hidden
    }

    /// What is hidden is a point; how many meshes are.
    fn compare_hidden(&self, what: &str, answer: &Value, moment: &Moment, models: &Matrices) -> usize {
        let near = NEAR * shown::size(self.scene, models);
        let meshes = shown::meshes(&answer["meshes"]);
        let hidden = self.shown().filter(|(i, _)| !moment.visible[*i]);
        let check = |(i, _): (usize, _)| {
            let name = self.names[i].as_str();
            let off = shown::spread(&meshes[name]);
            assert!(off <= near, "{what}: hidden {name} is {off} large");
        };
        hidden.map(check).count()
    }

    fn compare_pose(&self, what: &str, answer: &Value, moment: &Moment, models: &Matrices) {
        let scene = self.scene;
        let near = NEAR * shown::size(scene, models);
        for (i, name) in self.names.iter().enumerate().take(scene.nodes.len()) {
            let Some(found) = answer["nodes"].get(name).filter(|_| scene.nodes[i].skin.is_none()) else {
                continue;
            };
            let off = shown::vector(found).distance(models.matrix(i).translation.into());
            assert!(off <= near, "{what}: {name} is {off} off, {near} at most");
        }
        let meshes = shown::meshes(&answer["meshes"]);
        for (i, mesh) in self.shown().filter(|(i, _)| moment.visible[*i]) {
            let name = self.names[i].as_str();
            let (found, wanted) = (&meshes[name], shown::vertices(scene, i, mesh, models, usize::MAX));
            // Blender leaves out vertices that no triangle has, so that all of its own are looked for among ours.
            let off = found.iter().map(|place| nearest(*place, &wanted)).fold(0.0, f32::max);
            assert!(
                !found.is_empty() && off <= near,
                "{what}: a vertex of {name} is {off} off, {near} at most"
            );
            let off = corners(mesh, &wanted).map(|place| nearest(place, found)).fold(0.0, f32::max);
            assert!(off <= near, "{what}: a corner of {name} is {off} away from all of Blender's");
        }
    }

    /// Nodes that show a mesh.
    fn shown(&self) -> impl Iterator<Item = (usize, &'s Mesh)> {
        let scene = self.scene;
        let nodes = scene.nodes.iter().enumerate();
        nodes.filter_map(|(i, node)| Some((i, node.mesh?.find_in(&scene.meshes)?)))
    }
}

/// Whether a rotation of a clip lies between two keys at a time: there Blender blends its parts one by one.
fn is_between(clip: &Clip, time: f32) -> bool {
    let turns = clip.tracks.iter().filter(|track| matches!(track, Track::Rotation(..)));
    turns.map(Track::times).any(|times| {
        let is_inside = times.first() < Some(&time) && Some(&time) < times.last();
        is_inside && !times.contains(&time)
    })
}

/// Some of the times of a clip's keys at which no rotation lies between two, the first and the last among them; and those at which
/// something comes or goes.
fn key_times(clip: &Clip) -> Vec<f32> {
    let mut times: Vec<f32> = clip.tracks.iter().flat_map(|track| track.times().to_vec()).collect();
    times.retain(|time| (0.0..=clip.duration).contains(time) && !is_between(clip, *time));
    times.sort_by(f32::total_cmp);
    times.dedup();
    let step = times.len().div_ceil(TIMES).max(1);
    let last = times.last().copied();
    let hiding = clip.tracks.iter().filter(|track| matches!(track, Track::Visibility(..)));
    let hiding = hiding.flat_map(|track| track.times().to_vec()).take(TIMES);
    times.into_iter().step_by(step).chain(last).chain(hiding).collect()
}

/// How far a time is from a frame, in frames.
fn off_grid(time: f32, fps: u16) -> f32 {
    let frame = time * f32::from(fps);
    (frame - frame.round()).abs()
}

fn nearest(place: Vec3, among: &[Vec3]) -> f32 {
    among.iter().map(|other| other.distance(place)).fold(f32::INFINITY, f32::min)
}

/// The corners of the triangles of a mesh whose vertices are there.
fn corners<'a>(mesh: &'a Mesh, places: &'a [Vec3]) -> impl Iterator<Item = Vec3> + 'a {
    let starts = mesh.primitives.iter().scan(0, |next, primitive| {
        let start = *next;
        *next += primitive.positions.len();
        Some(start)
    });
    let all = mesh.primitives.iter().zip(starts);
    all.flat_map(move |(primitive, start)| {
        primitive.indices.iter().map(move |&index| places[start + index as usize])
    })
}
