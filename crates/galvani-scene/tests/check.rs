//! Scenes that break a rule are told which.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

use galvani_scene::check::ALL;
use galvani_scene::{
    AlphaMode, Camera, Clip, Curve, Event, Extras, Id, Image, Influences, Interp, Joint, Light, LightForm,
    Look, Material, Mesh, Node, Primitive, Pull, Scene, SceneImage, Skin, Socket, Texture, Track, Variant,
    check,
};
use galvani_testkit::{codes_are_sound, every_code_is_provoked};
use glam::{Affine3A, Quat, Vec2, Vec3, Vec4};

/// A skinned triangle that moves.
fn sound() -> Scene {
    let primitive = Primitive {
        material: Some(Id::new(0)),
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        normals: vec![Vec3::Z; 3],
        tangents: vec![Vec4::new(1.0, 0.0, 0.0, 1.0); 3],
        uvs: vec![vec![Vec2::ZERO; 3]],
        colors: vec![Vec4::ONE; 3],
        influences: (0..3).map(|_| [Pull { joint: 0, weight: 1.0 }]).collect::<Influences>(),
        indices: vec![0, 1, 2],
    };
    let body = Node { mesh: Some(Id::new(0)), skin: Some(Id::new(0)), ..Node::default() };
    let curve = Curve::linear(vec![0.0, 1.0], vec![Quat::IDENTITY; 2]);
    let clip = Clip { duration: 1.0, tracks: vec![Track::Rotation(Id::new(0), curve)], ..Clip::default() };
    Scene {
        nodes: vec![Node::default(), body],
        meshes: vec![Mesh { primitives: vec![primitive], ..Mesh::default() }],
        skins: vec![Skin {
            joints: vec![Joint { node: Id::new(0), inverse_bind: Affine3A::IDENTITY }],
            ..Skin::default()
        }],
        materials: vec![Material::default()],
        images: vec![SceneImage {
            name: String::new(),
            pixels: Image { width: 1, height: 1, rgba: vec![[0; 4]] },
        }],
        clips: vec![clip],
        ..Scene::default()
    }
}

type Break = fn(&mut Scene);

/// What is done to a sound scene, and what is said then.
const BROKEN: &[(Break, &str)] = &[
    (|s| s.nodes[0].parent = Some(Id::new(0)), "nodes[0]: scene.parent: parent #0 of node #0"),
    (|s| s.nodes[0].mesh = Some(Id::new(9)), "nodes[0].mesh: scene.missing: #9 of 1"),
    (|s| s.nodes[0].light = Some(Id::new(0)), "nodes[0].light: scene.missing: #0 of 0"),
    (|s| s.nodes[0].translation.x = f32::NAN, "nodes[0].translation: scene.not-finite: [NaN, 0.0, 0.0]"),
    (|s| s.nodes[0].rotation.w = 0.5, "nodes[0].rotation: scene.not-unit: [0.0, 0.0, 0.0, 0.5]"),
    (
        |s| s.sockets = vec![Socket { name: String::new(), node: Id::new(2) }],
        "sockets[0].node: scene.missing: #2 of 2",
    ),
    (|s| s.meshes[0].primitives.clear(), "meshes[0]: scene.empty: no primitives"),
    (
        |s| s.meshes[0].primitives[0].indices[0] = 3,
        "meshes[0].primitives[0].indices: scene.triangles: 3 indices up to 3, 3 vertices",
    ),
    (
        |s| s.meshes[0].primitives[0].normals.truncate(2),
        "meshes[0].primitives[0].normals: scene.count: 3 wanted, 2 found",
    ),
    (
        |s| s.meshes[0].primitives[0].uvs[0].truncate(1),
        "meshes[0].primitives[0].uvs[0]: scene.count: 3 wanted, 1 found",
    ),
    (
        |s| s.meshes[0].primitives[0].tangents[1].x = 2.0,
        "meshes[0].primitives[0].tangents: scene.not-unit: [2.0, 0.0, 0.0]",
    ),
    (
        |s| s.meshes[0].primitives[0].colors[1].x = 2.0,
        "meshes[0].primitives[0].colors: scene.range: 0 to 1 wanted, [2.0, 1.0, 1.0, 1.0] found",
    ),
    (
        |s| s.meshes[0].primitives[0].influences.pulls_mut()[0].joint = 4,
        "meshes[0].primitives[0].influences: scene.missing: joint 4 of 1",
    ),
    (
        |s| s.meshes[0].primitives[0].influences.pulls_mut()[0].weight = 0.5,
        "meshes[0].primitives[0].influences: scene.weights: 1 weights make 0.5",
    ),
    (
        |s| s.meshes[0].primitives[0].influences = Influences::default(),
        "meshes[0].primitives[0].influences: scene.count: 3 wanted, 0 found",
    ),
    (|s| s.skins[0].joints.clear(), "skins[0]: scene.empty: no joints"),
    (
        |s| s.skins[0].joints.extend_from_within(..),
        "skins[0].joints[1]: scene.twice: node #0 is a joint twice",
    ),
    (
        |s| s.materials[0].alpha_mode = AlphaMode::Mask(2.0),
        "materials[0].alpha_mode: scene.range: 0 to 1 wanted, [2.0] found",
    ),
    (
        |s| s.materials[0].texture = Some(Texture { uv_set: 9, ..Texture::plain(Id::new(0)) }),
        "materials[0].uv_set: scene.range: 8 sets at most, set 9 found",
    ),
    (|s| s.images[0].pixels.width = 0, "images[0]: scene.empty: 0 × 1 pixels"),
    (|s| s.images[0].pixels.width = 2, "images[0]: scene.count: 2 pixels wanted, 1 found"),
    (
        |s| {
            let (form, color) = (LightForm::Spot { inner: 1.0, outer: 0.5 }, Vec3::ONE);
            let (name, extras) = (String::new(), Extras::new());
            s.lights = vec![Light { name, form, color, intensity: 1.0, range: None, extras }];
        },
        "lights[0]: scene.range: Spot { inner: 1.0, outer: 0.5 }, intensity 1, range None",
    ),
    (
        |s| {
            let (name, extras) = (String::new(), Extras::new());
            s.cameras = vec![Camera { name, fov_y: 4.0, near: 0.1, far: None, extras }];
        },
        "cameras[0]: scene.range: angle 4, from 0.1 to None",
    ),
    (|s| s.variants = vec![Variant::default()], "variants[0]: scene.twice: state 0, level 0"),
    (
        |s| s.looks = vec![Look { swaps: vec![(Id::new(0), Id::new(1))], ..Look::default() }],
        "looks[0]: scene.missing: #1 of 1",
    ),
    (|s| s.clips[0].duration = -1.0, "clips[0]: scene.times: -1 seconds long"),
    (
        |s| s.clips[0].events = vec![Event { name: String::new(), time: 2.0 }],
        "clips[0].events: scene.times: [2.0]",
    ),
    (
        |s| s.clips[0].tracks = vec![Track::Alpha(Id::new(0), Curve::step(vec![0.0, 0.0], vec![0.0; 2]))],
        "clips[0].tracks[0].times: scene.times: 0 to 1 and rising wanted, [0.0, 0.0] found",
    ),
    (
        |s| s.clips[0].tracks = vec![Track::Alpha(Id::new(0), Curve::step(vec![], vec![]))],
        "clips[0].tracks[0]: scene.empty: no keys",
    ),
    (
        |s| s.clips[0].tracks = vec![Track::Alpha(Id::new(0), Curve::still(f32::NAN))],
        "clips[0].tracks[0]: scene.not-finite: a number is infinite or none",
    ),
    (
        |s| {
            s.clips[0].tracks =
                vec![Track::Rotation(Id::new(0), Curve::still(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)))];
        },
        "clips[0].tracks[0]: scene.not-unit: Quat(0.0, 0.0, 0.0, 0.0)",
    ),
    (
        |s| s.clips[0].tracks.extend_from_within(..),
        "clips[0].tracks[1]: scene.twice: another track of rotation",
    ),
    (
        |s| {
            let curve = Curve { interp: Interp::Linear, ..Curve::still(true) };
            s.clips[0].tracks.push(Track::Visibility(Id::new(0), curve));
        },
        "clips[0].tracks[1]: scene.steps: Linear",
    ),
    (
        |s| {
            let curve = Curve { interp: Interp::Hermite, ..Curve::still(Vec3::ONE) };
            s.clips[0].tracks.push(Track::Scale(Id::new(0), curve));
        },
        "clips[0].tracks[1].tangents: scene.count: 1 wanted, 0 found",
    ),
    (
        |s| s.clips[0].tracks.push(Track::Texture(Id::new(0), Curve::still(Some(Id::new(3))))),
        "clips[0].tracks[1]: scene.missing: #3 of 1",
    ),
];

#[test]
fn a_sound_scene_is_not_blamed() {
    assert_eq!(check(&sound()).findings(), []);
}

#[test]
fn every_rule_is_told_with_its_place() {
    for (harm, wanted) in BROKEN {
        let mut scene = sound();
        harm(&mut scene);
        let told: Vec<String> = check(&scene).findings().iter().map(ToString::to_string).collect();
        assert!(told.iter().any(|told| told == wanted), "{wanted} wanted, {told:#?} found");
    }
}

#[test]
fn every_code_is_sound_and_provoked() {
    codes_are_sound("scene", ALL);
    let reports = BROKEN.iter().map(|(harm, _)| {
        let mut scene = sound();
        harm(&mut scene);
        check(&scene)
    });
    every_code_is_provoked(ALL, reports, []);
}
