//! Through Blender and back, with every model that ships, at the frame rate of its format and at Blender's own: what nobody changed
//! comes back byte for byte, and of a changed key only the poses around it are others.
//!
//! Python 3.11 must be there; Blender is installed as a module into the target folder, as `tests/blender` pins it.
#![cfg(all(feature = "parkan", feature = "ff7", feature = "mdx", feature = "texture", feature = "gltf"))]
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

mod common;

use std::path::Path;

use common::beside::{SAMPLES, Samples, own_name};
use common::blender::{blender, models};
use galvani::convert::{self, ModelTarget, ModelWish};
use galvani::formats::{self, NodePose, Opened, Pose, PoseKind, Sampling, Selector, Settings, Site, Times};
use galvani::scene::{Blend, Scene, Track};
use galvani::{Meter, OpenOptions, Severity};
use galvani_testkit::Python;
use glam::{IVec3, Quat, Vec3};
use serde_json::{Value, json};

/// Frames a second where nobody says how many.
const BLENDERS: f32 = 24.0;

/// How a model goes on its trips.
struct Traveller {
    name: String,
    opened: Opened,
    scene: Scene,
    /// Frames a second of its format, which are also the unit of its times.
    rate: u16,
    /// The file that its motions stand in.
    moves: &'static str,
    /// How far a turn may be from the one that was made, in degrees, and a place, in units.
    near: (f32, f32),
}

fn travellers() -> Vec<Traveller> {
    let models = models().into_iter().filter(|(_, opened)| opened.format.info().way_back.is_some());
    let all: Vec<Traveller> = models.map(|(name, opened)| traveller(name, opened)).collect();
    let names: Vec<&str> = all.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["walker.msh", "lantern.mdx", "lantern-wow.mdx", "zgaa", "boat.hrc"]);
    all
}

fn traveller(name: String, opened: Opened) -> Traveller {
    let site = Site::named(&name, &Samples);
    let (scene, _) = opened.as_model().unwrap().lift(&Settings::default(), &site).unwrap();
    let size = scene.size();
    // Keys of 16 bits and of singles are near enough to be called exact; a step of a pack is 0.088 degrees, and a unit.
    let (rate, moves, near) = match name.as_str() {
        "walker.msh" => (15, "walker.msh", (0.05, 1e-4 * size)),
        "lantern.mdx" => (1000, "lantern.mdx", (0.05, 1e-4 * size)),
        "lantern-wow.mdx" => (1000, "lantern-wow.mdx", (0.05, 1e-4 * size)),
        "zgaa" => (15, "zgda", (0.15, 0.75)),
        "boat.hrc" => (30, "boat.a", (0.05, 1e-4 * size)),
        other => panic!("{other} has no trip"),
    };
    Traveller { name, opened, scene, rate, moves, near }
}

impl Traveller {
    fn site(&self) -> Site<'_> {
        Site::named(&self.name, &Samples)
    }

    /// The files that the model becomes, having gone through Blender, and the names of what is told about that.
    fn travelled(
        &self,
        python: &Python,
        fps: Option<u16>,
        edit: &Value,
    ) -> (Vec<(String, Vec<u8>)>, Vec<&'static str>) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("blender_trips");
        std::fs::create_dir_all(&folder).unwrap();
        // Tests run side by side.
        let trip = if edit.is_null() { "unchanged" } else { "changed" };
        let path = |way: &str| folder.join(format!("{}.{trip}.{way}.glb", self.name)).display().to_string();
        let (file, out, site) = (path("out"), path("in"), self.site());
        let (settings, meter) = (Settings::default(), Meter::unlimited());
        let there = convert::glb(&self.opened, &site, &settings, &meter).unwrap();
        std::fs::write(&file, there.files).unwrap();
        let request = json!({"file": file, "out": out, "fps": fps, "edit": edit});
        python.ask("trip.py", &[], &request.to_string());
        let glb = formats::by_id("gltf").unwrap();
        let glb = glb.open(&std::fs::read(&out).unwrap(), &OpenOptions::default()).unwrap();
        let target = ModelTarget::by_word(self.opened.format.info().way_back.unwrap().word).unwrap();
        let wish = ModelWish { base: Some((&self.opened, &site)), ..ModelWish::default() };
        let made = convert::model(&glb, &Site::NOWHERE, target, &wish, (&settings, &meter));
        let made = made.unwrap_or_else(|error| panic!("{} at {fps:?}, {edit}: {error}", self.name));
        let loud = made.report.findings().iter().filter(|it| it.severity > Severity::Note);
        let loud: Vec<String> = loud.map(ToString::to_string).collect();
        assert_eq!(loud, Vec::<String>::new(), "{} at {fps:?}, {edit}", self.name);
        let told = made.report.findings().iter().map(|finding| finding.code.name).collect();
        (made.files, told)
    }

    /// Poses of every clip, as the format samples them.
    fn poses(&self, file: &[u8]) -> Vec<Row> {
        let site = Site::named(self.moves, &Samples);
        let format = formats::recognise(file, Some(self.moves)).unwrap();
        let opened = format.open_at(file, &OpenOptions::default(), &site).unwrap();
        let mut rows = Vec::new();
        for (number, clip) in self.scene.clips.iter().enumerate() {
            // Only some have several clips, and only some have something between frames.
            let is_one = self.scene.clips.len() == 1;
            let step = if self.name == "walker.msh" { 0.5 } else { 1.0 };
            let last = (clip.duration * f32::from(self.rate)).round();
            let times: Times = format!("0..{last}:{step}").parse().unwrap();
            let wanted = Sampling {
                times,
                clip: (!is_one).then(|| Selector::Index(usize::try_from(clip.index).unwrap())),
                ..Sampling::default()
            };
            let samples = opened.as_animated().unwrap().sample(&wanted).unwrap();
            rows.extend(samples.poses.flat_map(|pose| self.rows(number, &pose.unwrap())));
        }
        rows
    }

    fn rows(&self, clip: usize, pose: &Pose) -> Vec<Row> {
        let seconds = pose.time.unwrap() / f64::from(self.rate);
        let row = |node: &NodePose| Row {
            clip,
            seconds,
            node: node.name.clone().unwrap_or_else(|| self.scene.nodes[node.index].name.clone()),
            place: node.translation,
            turn: node.rotation,
        };
        let mut rows: Vec<Row> = pose.nodes.iter().map(row).collect();
        // Of the bones of FF7 only the root has a place, which stands apart.
        match pose.kind {
            PoseKind::Packed { position } => rows[0].place = IVec3::from(position).as_vec3(),
            PoseKind::Degrees { position, .. } => rows[0].place = position,
            _ => {}
        }
        rows
    }
}

/// Where a node is at a moment.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    /// Which clip of the scene.
    clip: usize,
    seconds: f64,
    node: String,
    place: Vec3,
    turn: Quat,
}

/// One key that is changed.
struct Edit {
    node: String,
    clip: usize,
    /// Times of the key before, the key, and the key behind.
    times: [f32; 3],
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Turn(f32),
    Move(f32),
}

/// A key of the longest motion of each kind that is straight, in the middle of it.
fn edits(traveller: &Traveller) -> Vec<Edit> {
    let scene = &traveller.scene;
    let far = (scene.size() * 0.1).round().max(0.125);
    let all = scene.clips.iter().enumerate().flat_map(|(i, clip)| clip.tracks.iter().map(move |it| (i, it)));
    // What is held in battle moves by entries of its own.
    let is_held = |track: &Track| {
        track.node().and_then(|it| it.find_in(&scene.nodes)).is_some_and(|it| it.name == "weapon")
    };
    let is_fit =
        |track: &Track| !track.interp().has_tangents() && track.times().len() >= 3 && !is_held(track);
    let all: Vec<(usize, &Track)> = all.filter(|(_, track)| is_fit(track)).collect();
    let longest = |is_meant: fn(&Track) -> bool| {
        let meant = all.iter().filter(|(_, track)| is_meant(track));
        meant.max_by_key(|(clip, track)| (track.times().len(), std::cmp::Reverse(*clip)))
    };
    let edit = |(clip, track): &(usize, &Track), kind| {
        let (times, node) = (track.times(), track.node().unwrap());
        let key = times.len() / 2;
        let name = node.find_in(&scene.nodes).unwrap().name.clone();
        Edit { node: name, clip: *clip, times: [times[key - 1], times[key], times[key + 1]], kind }
    };
    let turn = longest(|track| matches!(track, Track::Rotation(..))).map(|it| edit(it, Kind::Turn(20.0)));
    let go = longest(|track| matches!(track, Track::Translation(..))).map(|it| edit(it, Kind::Move(far)));
    turn.into_iter().chain(go).collect()
}

impl Edit {
    fn request(&self, scene: &Scene) -> Value {
        let mut request =
            json!({"node": self.node, "clip": scene.clips[self.clip].name, "time": self.times[1]});
        match self.kind {
            Kind::Turn(degrees) => request["degrees"] = json!(degrees),
            Kind::Move(far) => request["move"] = json!(far),
        }
        request
    }

    /// Poses are others where the key reaches, and by so much at the key itself.
    fn compare(&self, traveller: &Traveller, what: &str, before: &[Row], after: &[Row]) {
        assert_eq!(before.len(), after.len(), "{what}");
        let [from, at, to] = self.times.map(f64::from);
        // Poses are half a frame apart, or a whole one.
        let moment = 0.25 / f64::from(traveller.rate);
        let mut is_met = false;
        for (old, new) in before.iter().zip(after) {
            let is_reached = old.clip == self.clip
                && old.node == self.node
                && from + moment < old.seconds
                && old.seconds < to - moment;
            if !is_reached {
                assert_eq!(old, new, "{what}");
            } else if (old.seconds - at).abs() < moment {
                is_met = true;
                self.meet(traveller, what, old, new);
            }
        }
        assert!(is_met, "{what}: no pose at {at}");
    }

    fn meet(&self, traveller: &Traveller, what: &str, old: &Row, new: &Row) {
        let (turned, moved) = (old.turn.distance(new.turn).to_degrees(), old.place.distance(new.place));
        let (wanted, near) = match self.kind {
            Kind::Turn(degrees) => ((degrees, 0.0), traveller.near),
            Kind::Move(far) => ((0.0, far), traveller.near),
        };
        assert!((turned - wanted.0).abs() <= near.0, "{what}: turned by {turned} degrees, {wanted:?} wanted");
        assert!((moved - wanted.1).abs() <= near.1, "{what}: moved by {moved}, {wanted:?} wanted");
    }
}

fn sample(name: &str) -> &'static [u8] {
    shipped(name).unwrap()
}

/// A sample; nothing if it is in an archive.
fn shipped(name: &str) -> Option<&'static [u8]> {
    let base = name.rsplit(['/', '\\']).next()?;
    let found = SAMPLES.iter().find(|sample| own_name(sample).eq_ignore_ascii_case(base));
    found.map(|sample| sample.bytes.as_slice())
}

/// Blender samples every motion anew, at its own rate or at the file's, and writes vertices as it likes: nothing of that is a change.
#[test]
fn what_blender_merely_writes_anew_changes_no_byte() {
    let Some(python) = blender() else { return };
    for traveller in travellers() {
        for fps in [None, Some(traveller.rate)] {
            let (files, told) = traveller.travelled(&python, fps, &Value::Null);
            assert!(told.contains(&"scene.resampled"), "{} at {fps:?}: {told:?}", traveller.name);
            assert!(!told.contains(&"scene.off-grid"), "{} at {fps:?}: {told:?}", traveller.name);
            assert!(files.iter().any(|(name, _)| name == traveller.moves), "{}", traveller.name);
            for (file, bytes) in files {
                assert!(
                    shipped(&file).is_none_or(|old| old == bytes),
                    "{} at {fps:?}: {file}",
                    traveller.name
                );
            }
        }
    }
}

/// A key that was turned or moved in Blender is turned or moved in the file, by so much, and nothing else is.
#[test]
fn a_key_that_was_changed_in_blender_is_changed_in_the_file() {
    let Some(python) = blender() else { return };
    for traveller in travellers() {
        let before = traveller.poses(sample(traveller.moves));
        let edits = edits(&traveller);
        assert!(!edits.is_empty(), "{}", traveller.name);
        for edit in edits {
            for fps in [None, Some(traveller.rate)] {
                let request = edit.request(&traveller.scene);
                let what = format!("{} at {fps:?}, {request}", traveller.name);
                let (files, told) = traveller.travelled(&python, fps, &request);
                // Beside Blender's own frames a key is put back on its own time, which is told; on the format's frames none is.
                let frame = edit.times[1] * BLENDERS;
                let is_off = fps.is_none() && (frame - frame.round()).abs() > 0.1;
                let is_told = told.contains(&"scene.off-grid");
                assert!(is_told || !is_off, "{what}: {told:?}");
                assert!(!is_told || fps.is_none(), "{what}: {told:?}");
                for (file, bytes) in files {
                    if file != traveller.moves {
                        assert!(shipped(&file).is_none_or(|old| old == bytes), "{what}: {file}");
                        continue;
                    }
                    edit.compare(&traveller, &what, &before, &traveller.poses(&bytes));
                }
            }
        }
    }
}
