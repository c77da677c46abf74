//! Where three.js has the nodes and vertices of models of Final Fantasy VII, on frames and between them.
//!
//! Node and npm must be there, as for `clients.rs`.
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]
#![allow(clippy::cast_precision_loss, reason = "counts are small")]

mod common;

use std::path::Path;

use common::Desk;
use galvani::ReadOptions;
use galvani::ff7::pack::codec::Frames;
use galvani::ff7::pose::{BattleRig, SkeletonPose, weapon};
use galvani::ff7::skeleton::Parent;
use galvani::ff7::{field, p, pack, skeleton};
use galvani_testkit::Clients;
use glam::{DMat4, DQuat, DVec3};
use serde_json::{Value, json};

/// How far three.js may be from the game, of the model's size, and of an axis: nothing of these models is baked.
const NEAR: f64 = 1e-5;

/// Where between two frames it is looked, from the one to the other.
const BETWEEN: [f64; 3] = [0.0, 0.25, 0.7];

/// A clip of a model as the game has it.
struct InGame {
    /// What the file calls it.
    clip: String,
    /// Frames a second.
    rate: f64,
    /// What each node hangs on, in the order of the file.
    parents: Vec<Option<usize>>,
    /// Where the nodes are in each frame; the last is held.
    frames: Vec<Vec<DMat4>>,
    /// What is shown: the node that carries it, what the file calls the one that shows it, and its corners; none of what is
    /// hidden.
    parts: Vec<(usize, String, Option<Vec<DVec3>>)>,
}

impl InGame {
    /// Where the nodes are some way behind a frame: each turns the shorter way upon what it hangs on.
    fn at(&self, frame: usize, behind: f64) -> Vec<DMat4> {
        let last = self.frames.len() - 1;
        let [from, to] = [frame, frame + 1].map(|frame| &self.frames[frame.min(last)]);
        let mut all: Vec<DMat4> = Vec::new();
        for (node, &parent) in self.parents.iter().enumerate() {
            let own = |all: &[DMat4]| parent.map_or(all[node], |parent| all[parent].inverse() * all[node]);
            let parts = |all: &[DMat4]| own(all).to_scale_rotation_translation();
            let ((_, turn, place), (_, next, there)): ((_, DQuat, DVec3), _) = (parts(from), parts(to));
            let own = DMat4::from_rotation_translation(turn.slerp(next, behind), place.lerp(there, behind));
            all.push(parent.map_or(own, |parent| all[parent] * own));
        }
        all
    }

    /// Asks three.js all over the clip; how many vertices it was asked for.
    fn compare(&self, clients: &Clients, file: &str) -> usize {
        let frames = 0..self.frames.len();
        let moments: Vec<(usize, f64)> =
            frames.flat_map(|frame| BETWEEN.map(|behind| (frame, behind))).collect();
        let asked =
            moments.iter().map(|(frame, behind)| json!([self.clip, (*frame as f64 + behind) / self.rate]));
        let shown = clients.ask("scene.mjs", &[file], &asked.collect::<Value>().to_string());
        let shown: Vec<Value> = serde_json::from_str(&shown).unwrap();
        let pairs = moments.iter().zip(&shown);
        pairs.map(|((frame, behind), shown)| self.compare_moment((*frame, *behind), shown)).sum()
    }

    fn compare_moment(&self, (frame, behind): (usize, f64), shown: &Value) -> usize {
        let what = format!("{} at frame {frame} + {behind}", self.clip);
        let nodes = self.at(frame, behind);
        let corners = |(node, name, corners): &(usize, String, Option<Vec<DVec3>>)| {
            let placed =
                |corner: &DVec3| half_turn().transform_point3(nodes[*node].transform_point3(*corner));
            (name.clone(), corners.as_ref().map(|corners| corners.iter().map(placed).collect::<Vec<_>>()))
        };
        let parts: Vec<(String, Option<Vec<DVec3>>)> = self.parts.iter().map(corners).collect();
        let near = NEAR * size(parts.iter().flat_map(|(_, corners)| corners.iter().flatten().copied()));
        for (node, (place, shown)) in nodes.iter().zip(shown["nodes"].as_array().unwrap()).enumerate() {
            let wanted = (half_turn() * *place * half_turn()).to_cols_array();
            let found = floats(shown);
            // The last column is where it is, the others are its axes.
            for (part, near) in [(0..12, NEAR), (12..16, near)] {
                let pairs = found[part.clone()].iter().zip(&wanted[part]);
                let off = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(off <= near, "{what}: node {node} is {off} off, {near} at most");
            }
        }
        for (name, wanted) in &parts {
            let told = shown["meshes"][name].as_array().unwrap_or_else(|| panic!("{what}: no {name}"));
            let found: Vec<DVec3> = told.iter().map(|place| DVec3::from_slice(&floats(place))).collect();
            let off = match wanted {
                // What is hidden is a point.
                None => farthest(&found, &found[..1]),
                Some(wanted) => farthest(&found, wanted).max(farthest(wanted, &found)),
            };
            assert!(off <= near, "{what}: {name} is {off} off, {near} at most");
        }
        parts.iter().flat_map(|(_, corners)| corners).map(Vec::len).sum()
    }
}

/// Y and Z point the other way in the scene.
fn half_turn() -> DMat4 {
    DMat4::from_diagonal(DVec3::new(1.0, -1.0, -1.0).extend(1.0))
}

fn floats(told: &Value) -> Vec<f64> {
    told.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// The diagonal of the box of places.
fn size(places: impl Iterator<Item = DVec3> + Clone) -> f64 {
    let low = places.clone().fold(DVec3::INFINITY, DVec3::min);
    places.fold(DVec3::NEG_INFINITY, DVec3::max).distance(low)
}

/// How far the farthest place is from the nearest of others.
fn farthest(places: &[DVec3], others: &[DVec3]) -> f64 {
    let nearest =
        |place: &DVec3| others.iter().map(|other| other.distance(*place)).fold(f64::INFINITY, f64::min);
    places.iter().map(nearest).fold(0.0, f64::max)
}

/// The corners of a polygon file.
fn corners(file: &[u8]) -> Vec<DVec3> {
    let part = p::read(file, &ReadOptions::default()).unwrap().document;
    let triangles = (0..part.groups.len()).flat_map(|group| part.triangles(group));
    let place = |vertex: usize| DVec3::from_array(part.verts[vertex].position.map(|it| f64::from(it.get())));
    triangles.flat_map(|triangle| triangle.vertices.map(place)).collect()
}

/// The samples.
fn samples() -> Desk {
    let desk = Desk::new();
    assert_eq!(desk.run(&["samples", "."]).code, 0);
    desk
}

/// One of them as a `.glb` that the validator passes.
fn converted(clients: &Clients, desk: &Desk, name: &str) -> String {
    let done = desk.run(&["convert", name, "-o", "model.glb", "--force"]);
    assert_eq!(done.code, 0, "{}", done.all());
    let file = desk.path("model.glb").display().to_string();
    clients.validate(std::slice::from_ref(&file));
    file
}

fn clients() -> Clients {
    Clients::in_folder(Path::new(env!("CARGO_TARGET_TMPDIR")))
}

/// The letters of a battle model's file: `zgam` is that of its first bone.
fn of_bone(bone: usize) -> String {
    let letter = |i: usize| char::from(b'a' + u8::try_from(i).unwrap());
    format!("frog/zg{}{}", letter((bone + 12) / 26), letter((bone + 12) % 26))
}

#[test]
fn the_frog_moves_in_three_js_as_in_the_game() {
    let (clients, desk, options) = (clients(), samples(), ReadOptions::default());
    let bones = skeleton::read(&desk.read("frog/zgaa"), &options).unwrap().document;
    let mut pack = pack::read(&desk.read("frog/zgda"), &options).unwrap().document;
    // In its third clip it has no spear any more.
    pack.entries[6] = pack.entries[7].clone();
    desk.put("frog/zgda", pack::write(&pack).unwrap());
    let file = converted(&clients, &desk, "frog/zgaa");
    let survey = pack::survey(&pack, None);
    let frames = |entry: usize| -> Option<Frames> {
        Some(survey.entries.get(entry)?.clip()?.frames(&pack.entries[entry], pack.stop()))
    };
    // The root stands before the bones, the weapon behind them.
    let weapon_node = bones.bones.len() + 1;
    let on_what = bones.parents().into_iter().map(|parent| match parent {
        Parent::Root => Some(0),
        Parent::Bone(bone) => Some(bone + 1),
        Parent::Nowhere => panic!("a bone that hangs on nothing"),
    });
    let parents: Vec<_> = std::iter::once(None).chain(on_what).chain([None]).collect();
    let has_part = |bone: &usize| desk.path(&of_bone(*bone)).exists();
    let shown = |bone: usize| (bone + 1, format!("bone {bone}"), Some(corners(&desk.read(&of_bone(bone)))));
    let shown: Vec<_> = (0..bones.bones.len()).filter(has_part).map(shown).collect();
    assert!(shown.len() > 10);
    let (rig, mut pose, mut hidden) = (BattleRig::new(&bones).unwrap(), SkeletonPose::default(), 0);
    for clip in 0..survey.border() {
        let Some(body) = frames(clip) else { continue };
        let held = frames(survey.border() + clip);
        let places = (0..body.len().max(held.as_ref().map_or(0, Frames::len))).map(|frame| {
            rig.pose(body.get(frame.min(body.len() - 1)).unwrap(), &mut pose).unwrap();
            let spear = held.as_ref().map(|held| weapon(held.get(frame.min(held.len() - 1)).unwrap()));
            let all = std::iter::once(pose.root()).chain(pose.bones()).chain(spear);
            all.map(|place| place.as_dmat4()).collect::<Vec<_>>()
        });
        let spear = held.as_ref().map(|_| corners(&desk.read("frog/zgck")));
        hidden += usize::from(spear.is_none());
        let parts = [&shown[..], &[(weapon_node, "weapon_shown".to_owned(), spear)]].concat();
        let frames: Vec<_> = places.collect();
        let parents = parents[..frames[0].len()].to_vec();
        let game = InGame { clip: format!("animation {clip}"), rate: 15.0, parents, frames, parts };
        assert!(game.compare(&clients, &file) > 1000);
    }
    assert_eq!(hidden, 1, "clips hide the spear");
}

#[test]
fn the_boat_moves_in_three_js_as_in_the_game() {
    let (clients, desk) = (clients(), samples());
    for name in ["boat.rsd", "lamp.p"] {
        converted(&clients, &desk, name);
    }
    let file = converted(&clients, &desk, "boat.hrc");
    let animation = field::a::read(&desk.read("boat.a"), &ReadOptions::default()).unwrap().document;
    // Hull, mast and lantern: what each hangs on, and how far away that one's end is.
    let bones = [(0, 0.0), (1, 6.5), (1, 6.5)];
    let turned = |degrees| DMat4::from_quat(field::a::sample::rotation(degrees, [1, 0, 2]));
    let places = animation.frames.iter().map(|frame| {
        let at = DVec3::from_array(frame.position.map(f64::from));
        let mut all = vec![DMat4::from_translation(at) * turned(frame.rotation)];
        for ((parent, length), degrees) in bones.iter().zip(frame.bones) {
            let end = DMat4::from_translation(DVec3::new(0.0, 0.0, -length));
            all.push(all[*parent] * end * turned(*degrees));
        }
        all
    });
    let part =
        |(i, (bone, file)): (usize, (&str, &str))| (i + 1, bone.to_owned(), Some(corners(&desk.read(file))));
    let named = [("hull", "boat.p"), ("mast", "mast.p"), ("lantern", "lamp.p")];
    let game = InGame {
        clip: "boat".to_owned(),
        rate: 30.0,
        parents: std::iter::once(None).chain(bones.map(|(parent, _)| Some(parent))).collect(),
        frames: places.collect(),
        parts: named.into_iter().enumerate().map(part).collect(),
    };
    assert!(game.compare(&clients, &file) > 1000);
}
