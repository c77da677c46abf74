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
use std::process::Command;

use common::steps::{SAMPLES, Samples, own_name};
use galvani::formats::{self, Opened, Settings, Site};
use galvani::scene::{Clip, Matrices, Moment, Sampler, Scene, Track, to_model};
use galvani::{Meter, OpenOptions, convert};
use galvani_testkit::Python;
use glam::Vec3;
use serde_json::{Value, json};

/// Set where there is no Blender to ask: `cargo xtask ci --no-blender`.
const WITHOUT: &str = "GALVANI_NO_BLENDER";

/// How far Blender may be from our own sampler, of the model's size.
const NEAR: f32 = 1e-5;

/// Times of keys that are looked at in a clip.
const TIMES: usize = 24;

/// Frames a second of which keys may be on the grid.
const RATES: [u16; 4] = [15, 30, 60, 1000];

/// What Blender lacks on a machine without a desktop, as Debian calls it.
const LIBRARIES: [&str; 7] =
    ["libegl1", "libgl1", "libsm6", "libxfixes3", "libxi6", "libxkbcommon0", "libxrender1"];

fn blender() -> Option<Python> {
    if std::env::var_os(WITHOUT).is_some() {
        return None;
    }
    let python = Python::in_folder(Path::new(env!("CARGO_TARGET_TMPDIR")), "blender");
    if python.has("bpy").is_err_and(|lack| lack.contains("cannot open shared object")) {
        for words in [&["update", "-qq"][..], &[&["install", "-qq", "-y"][..], &LIBRARIES].concat()] {
            let _ = Command::new("apt-get").args(words).status();
        }
    }
    python
        .has("bpy")
        .unwrap_or_else(|lack| panic!("no Blender; `cargo xtask ci --no-blender` does without: {lack}"));
    Some(python)
}

/// The models of games among the samples, each once.
fn models() -> Vec<(String, Opened)> {
    let mut all = Vec::new();
    for sample in SAMPLES.iter() {
        let site = Site::named(own_name(sample), &Samples);
        let Some(format) = formats::recognise(&sample.bytes, Some(site.name)) else { continue };
        if format.info().id == "gltf" {
            continue;
        }
        let Ok(opened) = format.open_at(&sample.bytes, &OpenOptions::default(), &site) else { continue };
        let Ok(model) = opened.as_model() else { continue };
        if model.belongs_to(&site).is_none() && model.lift(&Settings::default(), &site).is_ok() {
            all.push((own_name(sample).to_owned(), opened));
        }
    }
    all
}

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
        let asked = Asked::new(&scene, &bytes);
        let request = json!({"file": file.display().to_string(), "fps": asked.fps, "poses": asked.poses()});
        let answer: Value = serde_json::from_str(&python.ask("pose.py", &[], &request.to_string())).unwrap();
        asked.compare(name, &answer);
    }
}

/// The files that a glTF which went through Blender makes of the model that it was made of.
fn travelled(
    python: &Python,
    model: &Opened,
    site: &Site<'_>,
    fps: Option<u16>,
    edit: &Value,
) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("blender_files");
    std::fs::create_dir_all(&folder).unwrap();
    let name = site.name;
    let [file, out] = ["out", "in"].map(|way| folder.join(format!("{name}.{way}.glb")).display().to_string());
    let (settings, meter) = (Settings::default(), Meter::unlimited());
    std::fs::write(&file, convert::glb(model, site, &settings, &meter).unwrap().files).unwrap();
    let request = json!({"file": file, "out": out, "fps": fps, "edit": edit});
    python.ask("trip.py", &[], &request.to_string());
    let glb =
        formats::by_id("gltf").unwrap().open(&std::fs::read(&out).unwrap(), &OpenOptions::default()).unwrap();
    let info = model.format.info();
    let target = convert::ModelTarget::by_word(info.way_back.unwrap().word).unwrap();
    let wish = convert::ModelWish { base: Some((model, site)), ..convert::ModelWish::default() };
    let made = convert::model(&glb, &Site::NOWHERE, target, &wish, (&settings, &meter)).unwrap();
    let loud = made.report.findings().iter().filter(|it| it.severity > galvani::Severity::Note);
    assert_eq!(loud.map(ToString::to_string).collect::<Vec<_>>(), Vec::<String>::new(), "{name}");
    made.files
}

/// Blender samples every motion anew, at its own rate or at the file's, and writes vertices as it likes: nothing of that is a change.
#[test]
fn what_blender_merely_writes_anew_changes_no_byte() {
    let Some(python) = blender() else { return };
    for (name, opened) in &models() {
        let site = Site::named(name, &Samples);
        if opened.format.info().way_back.is_none() {
            continue;
        }
        for fps in [None, Some(if name.ends_with("msh") { 15 } else { 30 })] {
            let files = travelled(&python, opened, &site, fps, &Value::Null);
            assert!(!files.is_empty());
            for (file, bytes) in files {
                let is_meant =
                    |sample: &&galvani::samples::Sample| own_name(sample).eq_ignore_ascii_case(&file);
                let sample = SAMPLES.iter().find(is_meant).unwrap();
                assert!(sample.bytes == bytes, "{name} at {fps:?}: {file}");
            }
        }
    }
}

/// A key that was turned in Blender is turned in the file, by so much, and nothing else is.
#[test]
fn a_key_that_was_changed_in_blender_is_changed_in_the_file() {
    let Some(python) = blender() else { return };
    let (name, opened) = models().into_iter().find(|(name, _)| name == "walker.msh").unwrap();
    let (site, before) = (Site::named(&name, &Samples), opened.document.write().unwrap());
    // The turret has a key at frame 8 of 15 a second, which is 12.8 of 24.
    for (fps, frame) in [(Some(15), 8), (None, 13)] {
        let edit = json!({"object": "turret", "clip": "timeline", "frame": frame, "degrees": 20});
        let files = travelled(&python, &opened, &site, fps, &edit);
        let after = &files.first().unwrap().1;
        let changed: Vec<usize> = (0..before.len()).filter(|at| before[*at] != after[*at]).collect();
        assert_eq!(after.len(), before.len());
        // The four numbers of a quaternion, of 16 bits each.
        assert!(!changed.is_empty() && changed.last().unwrap() - changed[0] < 8, "{fps:?}: {changed:?}");
        let start = changed[0] - changed[0] % 2;
        let turn = |file: &[u8]| {
            let part =
                |i: usize| f64::from(i16::from_le_bytes([file[start + 2 * i], file[start + 2 * i + 1]]));
            glam::DQuat::from_xyzw(part(0), part(1), part(2), part(3)).normalize()
        };
        let angle = turn(&before).angle_between(turn(after)).to_degrees();
        assert!((angle - 20.0).abs() < 0.1, "{fps:?}: {angle}");
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
struct Asked<'s> {
    scene: &'s Scene,
    fps: u16,
    /// What the file calls its nodes, which begin with the scene's.
    names: Vec<String>,
    /// Clips, what the file calls them, and a time of one of their keys.
    moments: Vec<(&'s Clip, String, f32)>,
}

impl<'s> Asked<'s> {
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
        Asked { scene, fps, names, moments }
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
