//! What Blender makes of the models that ship: where it has their nodes, bones and vertices at the times of keys.
//!
//! Python 3.11 must be there; Blender is installed as a module into the target folder, as `tests/blender` pins it.
#![cfg(all(feature = "parkan", feature = "ff7", feature = "mdx", feature = "texture", feature = "gltf"))]
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

mod common;
#[path = "../../galvani-scene/tests/common/shown.rs"]
mod shown;

use std::collections::BTreeSet;
use std::path::Path;

use common::beside::Samples;
use common::blender::{blender, models};
use galvani::formats::{self, Settings, Site};
use galvani::scene::{Clip, Matrices, Moment, Sampler, Scene, Track, to_model};
use galvani::{Meter, OpenOptions, convert};
use glam::Vec3;
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
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("blender_files");
    std::fs::create_dir_all(&folder).unwrap();
    let models = models();
    assert!(models.len() > 1);
    for (name, opened) in &models {
        let site = Site::named(name, &Samples);
        let (scene, _) = opened.as_model().unwrap().lift(&Settings::default(), &site).unwrap();
        let settings = Settings::default();
        let bytes = convert::glb(opened, &site, &settings, &Meter::unlimited()).unwrap().files;
        let file = folder.join(format!("{name}.glb"));
        std::fs::write(&file, &bytes).unwrap();
        let asked = Question::new(&scene, &bytes);
        let request = json!({"file": file.display().to_string(), "fps": asked.fps, "poses": asked.poses()});
        let answer: Value = serde_json::from_str(&python.ask("pose.py", &[], &request.to_string())).unwrap();
        asked.compare(name, &answer);
    }
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

    fn compare(&self, model: &str, answer: &Value) {
        let clips: BTreeSet<&str> = self.moments.iter().map(|(_, name, _)| name.as_str()).collect();
        let shown: BTreeSet<&str> =
            answer["clips"].as_array().unwrap().iter().map(|clip| clip.as_str().unwrap()).collect();
        assert_eq!(shown, clips, "{model}");
        let mut sampler = Sampler::new(self.scene);
        for ((clip, name, time), answer) in self.moments.iter().zip(answer["poses"].as_array().unwrap()) {
            let mut moment = Moment::at_rest(self.scene);
            let mut models = Matrices::identity(self.scene.nodes.len());
            sampler.sample(clip, *time, &mut moment);
            to_model(self.scene, &moment, &mut models);
            let what = format!("{model}, {name} at {time}");
            self.compare_pose(&what, answer, &moment, &models);
        }
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
        for (i, node) in scene.nodes.iter().enumerate() {
            let Some(mesh) = node.mesh.and_then(|mesh| mesh.find_in(&scene.meshes)) else { continue };
            let name = self.names[i].as_str();
            let found = &meshes[name];
            if !moment.visible[i] {
                let off = shown::spread(found);
                assert!(off <= near, "{what}: hidden {name} is {off} large");
                continue;
            }
            let wanted = shown::vertices(scene, i, mesh, models, usize::MAX);
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
}

/// Whether a rotation of a clip lies between two keys at a time: there Blender blends its parts one by one.
fn is_between(clip: &Clip, time: f32) -> bool {
    let turns = clip.tracks.iter().filter(|track| matches!(track, Track::Rotation(..)));
    turns.map(Track::times).any(|times| {
        let is_inside = times.first() < Some(&time) && Some(&time) < times.last();
        is_inside && !times.contains(&time)
    })
}

/// Some of the times of a clip's keys, the first and the last among them.
fn key_times(clip: &Clip) -> Vec<f32> {
    let mut times: Vec<f32> = clip.tracks.iter().flat_map(|track| track.times().to_vec()).collect();
    times.retain(|time| (0.0..=clip.duration).contains(time) && !is_between(clip, *time));
    times.sort_by(f32::total_cmp);
    times.dedup();
    let step = times.len().div_ceil(TIMES).max(1);
    let last = times.last().copied();
    times.into_iter().step_by(step).chain(last).collect()
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
fn corners<'a>(mesh: &'a galvani::scene::Mesh, places: &'a [Vec3]) -> impl Iterator<Item = Vec3> + 'a {
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
