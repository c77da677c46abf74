//! What a file does not say is told.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

mod common;

use common::{full, hiding, illegal, plain, skinned};
use galvani_core::Report;
use galvani_gltf::{ALL, Options, Visibility, glb};
use galvani_scene::{Curve, Id, Influences, Joint, Primitive, Pull, Scene, Track};
use galvani_testkit::{codes_are_sound, every_code_is_provoked};

fn report(scene: Scene) -> Report {
    glb(scene, &Options::default()).unwrap().1
}

fn told(report: &Report) -> Vec<String> {
    report.findings().iter().map(ToString::to_string).collect()
}

/// A skin with more joints than two bytes tell apart.
fn crowded() -> Scene {
    let mut scene = skinned();
    let node = scene.nodes[0].clone();
    let first = scene.nodes.len();
    scene.nodes.resize(first + 66_000, node);
    let joint = scene.skins[0].joints[0];
    let more = (first..scene.nodes.len()).map(|node| Joint { node: Id::new(node), ..joint });
    scene.skins[0].joints.extend(more);
    scene
}

/// A vertex that thousands of joints pull at, among thousands that one holds each.
fn pulled() -> Scene {
    const MANY: u16 = 4096;
    let mut scene = skinned();
    let node = scene.nodes[0].clone();
    let first = scene.nodes.len();
    scene.nodes.resize(first + usize::from(MANY), node);
    let joint = scene.skins[0].joints[0];
    let more = (first..scene.nodes.len()).map(|node| Joint { node: Id::new(node), ..joint });
    scene.skins[0].joints.extend(more);
    let all = (0..MANY).map(|joint| Pull { joint: joint.into(), weight: 1.0 / f32::from(MANY) }).collect();
    let one = |joint| vec![Pull { joint, weight: 1.0 }];
    let body = &mut scene.meshes[0].primitives[0];
    let count = usize::from(MANY);
    *body = Primitive {
        positions: vec![body.positions[0]; count],
        influences: std::iter::once(all).chain((1..count).map(one)).collect::<Influences>(),
        indices: vec![0, 1, 2],
        material: body.material,
        ..Primitive::default()
    };
    scene
}

#[test]
fn what_would_be_out_of_proportion_is_left_out_and_told() {
    let told = told(&report(pulled()));
    let lost = told.iter().find(|told| told.contains("lost-influences")).unwrap();
    assert_eq!(lost, "meshes[0]: gltf.lost-influences: 1024 at most wanted, 4096 found");
}

#[test]
fn every_code_is_sound_and_provoked() {
    codes_are_sound("gltf", ALL);
    let mut broken = plain();
    broken.meshes[0].primitives.clear();
    let refused =
        [broken, crowded()].map(|scene| glb(scene, &Options::default()).unwrap_err().cause.code.name);
    let reports = [plain(), skinned(), full(), illegal(), pulled()].map(report);
    let on_grid = glb(plain(), &Options { fps: Some(7.0), ..Options::default() }).unwrap().1;
    every_code_is_provoked(ALL, reports.into_iter().chain([on_grid]), refused);
}

#[test]
fn losses_are_told_with_their_place() {
    assert_eq!(
        told(&report(hiding())),
        [
            "materials[1]: gltf.lost-unlit: core glTF lights every surface",
            "looks: gltf.lost-look: 1 looks",
            "lights[0]: gltf.lost-light: core glTF has no lights",
            "meshes[0]: gltf.four-influences: vertices are pulled at by more than four joints, and some readers take only four",
            "variants: gltf.at-rest: other states and levels of detail stand at rest, in scenes of their own",
            "clips[0].tracks[6].color: gltf.lost-track: core glTF has no place for what this track moves",
            "clips[0].tracks[7].alpha: gltf.lost-track: core glTF has no place for what this track moves",
            "clips[0].tracks[8].texture: gltf.lost-track: core glTF has no place for what this track moves",
            "clips[0].tracks[9].uv_offset: gltf.lost-track: core glTF has no place for what this track moves",
            "clips[0].tracks[10].uv_rotation: gltf.lost-track: core glTF has no place for what this track moves",
            "clips[0].tracks[11].uv_scale: gltf.lost-track: core glTF has no place for what this track moves",
            "clips: gltf.baked: 1 tracks have 235 keys and are at most 0.000020 rad from the source",
        ]
    );
}

#[test]
fn hidden_things_are_lost_only_if_nothing_hides_them() {
    let lost = |visibility| {
        let report = glb(hiding(), &Options { visibility, ..Options::default() }).unwrap().1;
        told(&report).iter().any(|told| told.contains("visibility: gltf.lost-track"))
    };
    assert_eq!(
        [Visibility::Joints, Visibility::Extension, Visibility::Extras].map(lost),
        [false, false, true]
    );
}

#[test]
fn what_shows_nothing_is_not_lost_when_it_is_hidden() {
    let mut scene = plain();
    scene.nodes[1].mesh = None;
    let seen = Curve::step(vec![0.0, 0.5], vec![true, false]);
    scene.clips[0].tracks.push(Track::Visibility(Id::new(1), seen));
    assert!(!told(&report(scene)).iter().any(|told| told.contains("lost-track")));
}

#[test]
fn illegal_numbers_become_the_nearest_legal_ones() {
    let told = told(&report(illegal()));
    assert!(told.contains(
        &"nodes[0].rotation: gltf.lost-value: a rotation or direction is not of length 1: [0.0, 0.0, 0.0, 0.0]".to_owned()
    ), "{told:#?}");
    assert!(told.iter().any(|told| told.starts_with("clips[0].tracks[0]: gltf.lost-value")));
}
