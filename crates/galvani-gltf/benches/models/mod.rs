//! Models to write and to read.
#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "counts are small")]

use galvani_scene::{Clip, Curve, Id, Mesh, Node, Primitive, Scene, Track};
use glam::{Quat, Vec2, Vec3};

/// Models by the number of their bones and clips: a field model, a large unit.
pub(crate) const CASES: &[(&str, usize, usize)] =
    &[("glTF 20 bones, 4 clips", 20, 4), ("glTF 60 bones, 20 clips", 60, 20)];

/// Keys of a track.
const KEYS: usize = 30;

/// Vertices of a part.
const VERTICES: usize = 120;

/// A chain of bones, each with a part, all of which turn and move in every clip.
pub(crate) fn model(bones: usize, clips: usize) -> Scene {
    let node = |i: usize| Node {
        name: format!("bone {i}"),
        parent: i.checked_sub(1).map(Id::new),
        translation: Vec3::new(0.0, 1.0, 0.25),
        mesh: Some(Id::new(i)),
        ..Node::default()
    };
    let clip = |index: usize| {
        let tracks = (0..bones).flat_map(|bone| [turning(bone, index), moving(bone, index)]).collect();
        Clip { name: format!("clip {index}"), index: index as u32, duration: 2.0, tracks, ..Clip::default() }
    };
    Scene {
        name: "model".to_owned(),
        nodes: (0..bones).map(node).collect(),
        meshes: (0..bones).map(part).collect(),
        clips: (0..clips).map(clip).collect(),
        ..Scene::default()
    }
}

fn part(bone: usize) -> Mesh {
    let place = |i: usize| {
        let (turn, height) = (i as f32 * 0.7, i as f32 / VERTICES as f32);
        Vec3::new(turn.sin(), height + bone as f32, turn.cos())
    };
    let positions: Vec<Vec3> = (0..VERTICES).map(place).collect();
    let normals = positions.iter().map(|place| place.normalize()).collect();
    let uvs = vec![positions.iter().map(|place| Vec2::new(place.x, place.y)).collect()];
    let indices = (0..VERTICES as u32 - 2).flat_map(|i| [i, i + 1, i + 2]).collect();
    let primitive = Primitive { positions, normals, uvs, indices, ..Primitive::default() };
    Mesh { name: format!("part {bone}"), primitives: vec![primitive], ..Mesh::default() }
}

fn times() -> Vec<f32> {
    (0..KEYS).map(|key| key as f32 / 15.0).collect()
}

fn turning(bone: usize, clip: usize) -> Track {
    let turn = |key: usize| Quat::from_rotation_x((key + bone * 3 + clip) as f32 * 0.1);
    Track::Rotation(Id::new(bone), Curve::linear(times(), (0..KEYS).map(turn).collect()))
}

fn moving(bone: usize, clip: usize) -> Track {
    let place = |key: usize| Vec3::new(key as f32, clip as f32, bone as f32) * 0.01;
    Track::Translation(Id::new(bone), Curve::linear(times(), (0..KEYS).map(place).collect()))
}
