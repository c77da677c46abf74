//! Scenes made into models: what the games show of them is what the scenes show.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

#[path = "../../galvani-scene/tests/common/scenes.rs"]
mod scenes;
#[allow(dead_code, reason = "other tests need the rest")]
#[path = "../../galvani-scene/tests/common/slow.rs"]
mod slow;

use galvani_core::{Report, Severity};
use galvani_mdx::lift::{self, lift};
use galvani_mdx::lower::{Options, lower};
use galvani_mdx::{Document, Family, check, read, write};
use galvani_scene::{
    Camera, Clip, Curve, Event, Extras, Id, Image, Influences, Interp, Joint, Light, LightForm, Material,
    Mesh, Node, Primitive, Pull, Scene, SceneImage, Skin, Socket, Texture, Track, Variant,
};
use glam::{Affine3A, DMat4, DVec3, Quat, Vec2, Vec3, Vec4};
use proptest::prelude::*;
use scenes::scenes;

/// Every version that is made.
const VERSIONS: [(Family, u32); 7] = [
    (Family::Warcraft, 800),
    (Family::Warcraft, 900),
    (Family::Warcraft, 1000),
    (Family::Warcraft, 1100),
    (Family::Wow, 1300),
    (Family::Wow, 1400),
    (Family::Wow, 1500),
];

fn options((family, version): (Family, u32)) -> Options {
    Options { family, version, ..Options::default() }
}

/// The model of a scene, of which nothing is to be said above a note, and what its making cost.
fn made(scene: &Scene, version: (Family, u32)) -> (Document, Report) {
    let lowered = lower(scene, &options(version)).unwrap();
    assert_eq!(lowered.files.len(), 1);
    let (_, bytes) = &lowered.files[0];
    let opened = read(bytes, &galvani_core::ReadOptions::default()).unwrap();
    let mut found = opened.report;
    found.append(check(&opened.document));
    let above = found.findings().iter().filter(|it| it.severity > Severity::Note);
    assert_eq!(above.map(ToString::to_string).collect::<Vec<_>>(), Vec::<String>::new());
    assert_eq!(write(&opened.document).unwrap(), *bytes);
    (opened.document, lowered.report)
}

fn lifted(document: &Document) -> Scene {
    let white = Image { width: 1, height: 1, rgba: vec![[255; 4]] };
    let picture = lift::Picture { image: Some(white), looked: Vec::new() };
    lift(document, &vec![picture; 9], &lift::Options::default()).unwrap().0
}

/// Codes of what was said.
fn said(report: &Report) -> Vec<&str> {
    report.findings().iter().map(|finding| finding.code.name).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn models_move_as_their_scenes(scene in scenes(), part in 0.0..1.0_f32, version in 0..VERSIONS.len()) {
        let version = VERSIONS[version];
        let scene = held(scene, version);
        let found = lifted(&made(&scene, version).0);
        prop_assert_eq!(found.clips.len(), scene.clips.len());
        // Weights are bytes.
        let far = f64::from(scene.size()).max(1.0) * if holds_weights(version) { 2e-2 } else { 2e-3 };
        for (own, other) in scene.clips.iter().zip(&found.clips) {
            prop_assert!((own.duration - other.duration).abs() < 1e-6);
            for time in [0.0, part * own.duration, own.duration] {
                if is_at_a_jump(own, time) {
                    continue;
                }
                near(triangles(&scene, own, time), triangles(&found, other, time), far)?;
            }
        }
    }
}

fn holds_weights((family, version): (Family, u32)) -> bool {
    family == Family::Warcraft && version >= 900 || version == 1500
}

/// The scene as far as any version holds it: even scales, whole milliseconds, one joint for a vertex where weights are not held.
fn held(mut scene: Scene, version: (Family, u32)) -> Scene {
    let whole = |time: f32| lift::seconds(lift::milliseconds(time).round());
    scene.nodes.iter_mut().for_each(|node| node.scale = Vec3::splat(node.scale.x.abs().max(0.1)));
    let rests: Vec<DMat4> = slow::models(&scene, &Clip::default(), 0.0);
    for joint in scene.skins.iter_mut().flat_map(|skin| &mut skin.joints) {
        joint.inverse_bind = Affine3A::from_mat4(rests[joint.node.index()].inverse().as_mat4());
    }
    for clip in &mut scene.clips {
        clip.duration = whole(clip.duration);
        let tracks = std::mem::take(&mut clip.tracks);
        clip.tracks = tracks.into_iter().map(|track| snapped(track, whole)).collect();
        let duration = clip.duration;
        clip.tracks.retain(|track| track.times().iter().all(|time| *time <= duration));
    }
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        let most = if holds_weights(version) { 4 } else { 1 };
        let kept = |pulls: &[Pull]| {
            let mut pulls = pulls.to_vec();
            pulls.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
            pulls.truncate(most);
            let sum: f32 = pulls.iter().map(|pull| pull.weight).sum();
            pulls.into_iter().map(|pull| Pull { weight: pull.weight / sum, ..pull }).collect::<Vec<_>>()
        };
        primitive.influences = primitive.influences.iter().map(kept).collect::<Influences>();
    }
    scene
}

fn snapped(track: Track, whole: impl Fn(f32) -> f32) -> Track {
    fn on_grid<V>(curve: &mut Curve<V>, whole: impl Fn(f32) -> f32) {
        curve.times.iter_mut().for_each(|time| *time = whole(*time));
    }
    match track {
        Track::Translation(node, mut curve) => {
            on_grid(&mut curve, whole);
            Track::Translation(node, curve)
        }
        Track::Rotation(node, mut curve) => {
            on_grid(&mut curve, whole);
            Track::Rotation(node, curve)
        }
        Track::Scale(node, mut curve) => {
            on_grid(&mut curve, whole);
            let even = |size: &mut Vec3| *size = Vec3::splat(size.x.abs().max(0.1));
            curve.values.iter_mut().for_each(even);
            curve.tangents.as_flattened_mut().iter_mut().for_each(even);
            Track::Scale(node, curve)
        }
        other => other,
    }
}

/// Whether something jumps there: up to a millisecond earlier or later is as good.
fn is_at_a_jump(clip: &Clip, time: f32) -> bool {
    let steps = clip.tracks.iter().filter(|track| track.interp() == Interp::Step);
    steps.flat_map(Track::times).any(|at| *at > 0.0 && (at - time).abs() < 2e-3)
}

/// Every triangle where it is.
fn triangles(scene: &Scene, clip: &Clip, time: f32) -> Vec<[DVec3; 3]> {
    let models = slow::models(scene, clip, f64::from(time));
    let mut all = Vec::new();
    for (node, model) in scene.nodes.iter().zip(&models) {
        let skin = node.skin.map(|skin| skin.find_in(&scene.skins).unwrap());
        let mesh = node.mesh.map(|mesh| mesh.find_in(&scene.meshes).unwrap());
        for primitive in mesh.iter().flat_map(|mesh| &mesh.primitives) {
            let places = match skin {
                Some(skin) => slow::vertices(primitive, skin, &models),
                None => hung(primitive, *model),
            };
            let corners = primitive.indices.as_chunks::<3>().0;
            all.extend(corners.iter().map(|it| it.map(|corner| places[usize::try_from(corner).unwrap()])));
        }
    }
    all
}

fn hung(primitive: &Primitive, model: DMat4) -> Vec<DVec3> {
    primitive.positions.iter().map(|place| model.transform_point3(place.as_dvec3())).collect()
}

/// Two lists of triangles are the same, whatever their order.
fn near(wanted: Vec<[DVec3; 3]>, found: Vec<[DVec3; 3]>, far: f64) -> Result<(), TestCaseError> {
    prop_assert_eq!(wanted.len(), found.len());
    let mut left = found;
    for triangle in wanted {
        let apart = |other: &[DVec3; 3]| {
            let corners = triangle
                .iter()
                .map(|corner| other.iter().map(|it| corner.distance(*it)).fold(f64::INFINITY, f64::min));
            corners.fold(0.0, f64::max)
        };
        let best = (0..left.len()).min_by(|a, b| apart(&left[*a]).total_cmp(&apart(&left[*b]))).unwrap();
        let error = apart(&left[best]);
        prop_assert!(error < far, "{triangle:?} is off by {error}, {far} at most");
        left.swap_remove(best);
    }
    Ok(())
}

/// A triangle on a node that turns half way round in a second.
fn flag() -> Scene {
    let primitive = Primitive {
        material: Some(Id::new(0)),
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        normals: vec![Vec3::Z; 3],
        uvs: vec![vec![Vec2::ZERO, Vec2::X, Vec2::Y]],
        indices: vec![0, 1, 2],
        ..Primitive::default()
    };
    let turn = Curve::linear(vec![0.0, 1.0], vec![Quat::IDENTITY, Quat::from_rotation_y(3.0)]);
    let clip = Clip {
        name: "Stand".to_owned(),
        duration: 1.0,
        tracks: vec![Track::Rotation(Id::new(1), turn)],
        ..Clip::default()
    };
    Scene {
        name: "flag".to_owned(),
        nodes: vec![
            Node { name: "Root".to_owned(), ..Node::default() },
            Node {
                name: "Flag".to_owned(),
                parent: Some(Id::new(0)),
                translation: Vec3::new(0.0, 2.0, 0.0),
                mesh: Some(Id::new(0)),
                ..Node::default()
            },
        ],
        meshes: vec![Mesh { name: "cloth".to_owned(), primitives: vec![primitive], ..Mesh::default() }],
        materials: vec![Material { texture: Some(Texture::plain(Id::new(0))), ..Material::default() }],
        images: vec![SceneImage {
            name: "Cloth, red".to_owned(),
            pixels: Image { width: 1, height: 1, rgba: vec![[200, 0, 0, 255]] },
        }],
        clips: vec![clip],
        ..Scene::default()
    }
}

/// What making the flag costs after a change, for Warcraft III 800.
fn cost(change: impl FnOnce(&mut Scene)) -> Vec<String> {
    let mut scene = flag();
    change(&mut scene);
    let (_, report) = made(&scene, VERSIONS[0]);
    report.findings().iter().map(|it| format!("{}: {}", it.code.name, it.message)).collect()
}

#[test]
fn a_plain_scene_costs_nothing_and_names_its_pictures() {
    for version in VERSIONS {
        let lowered = lower(&flag(), &options(version)).unwrap();
        assert_eq!(said(&lowered.report), Vec::<&str>::new());
        assert_eq!(lowered.pictures, [("Cloth__red.blp".to_owned(), Id::new(0))]);
        assert_eq!(lowered.files[0].0, "flag.mdx");
        let found = lifted(&made(&flag(), version).0);
        assert_eq!(found.clips[0].name, "Stand");
        let names: Vec<&str> = found.nodes.iter().map(|node| node.name.as_str()).collect();
        assert!(names.contains(&"Root") && names.contains(&"Flag"), "{names:?}");
    }
}

#[test]
fn an_unknown_version_is_refused() {
    for version in [(Family::Warcraft, 1300), (Family::Wow, 800), (Family::Warcraft, 1800)] {
        let refused = lower(&flag(), &options(version)).unwrap_err();
        assert_eq!(refused.cause.code.name, "mdx.no-such-version");
    }
}

#[test]
fn places_that_are_no_numbers_are_refused() {
    let mut scene = flag();
    scene.meshes[0].primitives[0].positions[1].x = f32::NAN;
    let refused = lower(&scene, &Options::default()).unwrap_err();
    assert_eq!(refused.cause.code.name, "scene.not-finite");
}

#[test]
fn sizes_that_no_number_can_say_are_refused() {
    let mut scene = flag();
    scene.nodes.iter_mut().for_each(|node| node.scale = Vec3::splat(1e30));
    let refused = lower(&scene, &Options::default()).unwrap_err();
    assert_eq!(refused.cause.code.name, "mdx.beyond-numbers");
}

#[test]
fn clips_longer_than_the_timeline_are_refused() {
    let mut scene = flag();
    scene.clips[0].duration = 3e6;
    let refused = lower(&scene, &Options::default()).unwrap_err();
    assert_eq!(refused.cause.code.name, "mdx.too-long");
}

#[test]
fn only_wanted_clips_are_taken() {
    let mut scene = flag();
    scene.clips.push(Clip { name: "Death".to_owned(), duration: 0.5, ..Clip::default() });
    let wanted = Options { clips: Some(vec![Id::new(1)]), ..Options::default() };
    let lowered = lower(&scene, &wanted).unwrap();
    let document = read(&lowered.files[0].1, &galvani_core::ReadOptions::default()).unwrap().document;
    let clips = lifted(&document).clips;
    assert_eq!(clips.iter().map(|clip| clip.name.as_str()).collect::<Vec<_>>(), ["Death"]);
}

#[test]
fn a_scene_without_clips_stands() {
    assert_eq!(
        cost(|scene| scene.clips.clear()),
        ["mdx.made-sequence: there is no clip, and the games show nothing that has none"]
    );
}

#[test]
fn names_are_cut_between_characters() {
    let name = "\u{436}".repeat(60);
    assert_eq!(
        cost(|scene| scene.nodes[1].name.clone_from(&name)),
        [format!("mdx.cut-name: `{name}`, 79 bytes at most")]
    );
}

#[test]
fn keys_beside_the_grid_are_moved() {
    let late = |scene: &mut Scene| {
        if let Track::Rotation(_, curve) = &mut scene.clips[0].tracks[0] {
            curve.times[0] = 1.0 / 24.0;
        }
    };
    assert_eq!(cost(late), ["mdx.moved-keys: 1 keys"]);
}

#[test]
fn curves_of_several_kinds_become_straight() {
    let mixed = |scene: &mut Scene| {
        let step = Curve::step(vec![0.0, 0.5], vec![Quat::IDENTITY, Quat::from_rotation_x(1.0)]);
        let tracks = vec![Track::Rotation(Id::new(1), step)];
        scene.clips.push(Clip { name: "Walk".to_owned(), duration: 1.0, tracks, ..Clip::default() });
    };
    assert_eq!(cost(mixed), ["mdx.baked-curves: 1 curves"]);
}

#[test]
fn stretching_across_the_axes_is_told() {
    let leaning = |scene: &mut Scene| {
        scene.nodes[0].rotation = Quat::from_rotation_x(0.5);
        let sizes = Curve::linear(vec![0.0, 1.0], vec![Vec3::ONE, Vec3::new(1.0, 2.0, 1.0)]);
        scene.clips[0].tracks.push(Track::Scale(Id::new(1), sizes));
    };
    assert_eq!(cost(leaning), ["mdx.sheared: 1 keys"]);
}

#[test]
fn what_the_games_have_no_place_for_is_told() {
    let rich = |scene: &mut Scene| {
        scene.meshes[0].primitives[0].colors = vec![Vec4::splat(0.5); 3];
        scene.materials[0].glow = Some(Texture::plain(Id::new(0)));
        let still = Curve::still(Vec2::ONE);
        scene.clips[0].tracks.push(Track::UvOffset(Id::new(0), still));
        scene.variants.push(Variant { name: String::new(), state: 1, level: 0, shows: Vec::new() });
        scene.lights.push(Light {
            name: "torch".to_owned(),
            form: LightForm::Spot { inner: 0.1, outer: 0.2 },
            color: Vec3::ONE,
            intensity: 1.0,
            range: None,
            extras: Extras::new(),
        });
        scene.nodes[0].light = Some(Id::new(0));
    };
    assert_eq!(
        cost(rich),
        [
            "mdx.not-held: colours of vertices: 1",
            "mdx.not-held: pictures of light, roughness and directions: 1",
            "mdx.not-held: moving pictures: 1",
            "mdx.not-held: other states and levels of detail: 1",
            "mdx.not-held: the cone of torch",
        ]
    );
}

/// The flag bent by its own node and others, by these weights at every vertex.
fn bent(weights: &[f32]) -> Scene {
    let mut scene = flag();
    let mut joints = Vec::new();
    for i in 0..weights.len() {
        let node = Id::new(scene.nodes.len());
        let place = Vec3::X * f32::from(u16::try_from(i).unwrap());
        scene.nodes.push(Node { name: format!("Joint {i}"), translation: place, ..Node::default() });
        joints.push(Joint { node, inverse_bind: Affine3A::from_translation(-place) });
    }
    scene.skins.push(Skin { name: String::new(), joints });
    scene.nodes[1].skin = Some(Id::new(0));
    scene.clips[0].tracks.clear();
    let pulls = || weights.iter().enumerate().map(|(joint, weight)| Pull { joint, weight: *weight });
    scene.meshes[0].primitives[0].influences = (0..3).map(|_| pulls()).collect::<Influences>();
    scene
}

#[test]
fn weights_are_made_even_or_bytes() {
    let uneven = bent(&[0.7, 0.3]);
    assert_eq!(said(&made(&uneven, VERSIONS[0]).1), ["mdx.even-weights"]);
    assert_eq!(said(&made(&uneven, VERSIONS[1]).1), Vec::<&str>::new());
    let found = lifted(&made(&uneven, VERSIONS[1]).0);
    let mesh = &found.meshes[0].primitives[0];
    let weights: Vec<f32> = mesh.influences.pulls().iter().take(2).map(|pull| pull.weight).collect();
    assert!((weights[0] - 0.7).abs() < 3e-3 && (weights[1] - 0.3).abs() < 3e-3, "{weights:?}");
    let even = bent(&[0.5, 0.5]);
    assert_eq!(said(&made(&even, VERSIONS[0]).1), Vec::<&str>::new());
    let five = bent(&[0.3, 0.25, 0.2, 0.15, 0.1]);
    assert_eq!(said(&made(&five, VERSIONS[2]).1), ["mdx.four-weights"]);
}

#[test]
fn joints_that_rest_apart_from_where_they_were_bound_are_told() {
    let mut scene = bent(&[0.5, 0.5]);
    scene.nodes[3].translation += Vec3::Z;
    assert_eq!(said(&made(&scene, VERSIONS[1]).1), ["mdx.other-rest"]);
}

#[test]
fn more_nodes_than_a_byte_counts_are_refused_where_one_counts_them() {
    let mut scene = bent(&[1.0]);
    for i in 0..300 {
        let name = format!("node {i}");
        scene.skins[0]
            .joints
            .push(Joint { node: Id::new(scene.nodes.len()), inverse_bind: Affine3A::IDENTITY });
        scene.nodes.push(Node { name, ..Node::default() });
    }
    let last = [Pull { joint: 300, weight: 1.0 }];
    scene.meshes[0].primitives[0].influences = (0..3).map(|_| last).collect::<Influences>();
    let refused = lower(&scene, &options(VERSIONS[1])).unwrap_err();
    assert_eq!(refused.cause.code.name, "mdx.too-many-nodes");
    assert_eq!(said(&made(&scene, VERSIONS[0]).1), Vec::<&str>::new());
}

#[test]
fn large_meshes_are_parted() {
    let mut scene = flag();
    let count: u16 = 60_000;
    let place = |i: u16| Vec3::new(f32::from(i), f32::from(i % 7), f32::from(i % 11));
    let mesh = &mut scene.meshes[0].primitives[0];
    let twice = || (0..count).chain(0..count);
    mesh.positions = twice().map(place).collect();
    (mesh.normals, mesh.uvs) = (Vec::new(), Vec::new());
    mesh.indices = (0..2 * u32::from(count)).collect();
    for version in [VERSIONS[0], VERSIONS[6]] {
        let (file, told) = made(&scene, version);
        let found = lifted(&file);
        assert!(found.meshes.len() > 1);
        let parted = told.findings().iter().find(|it| it.code.name == "mdx.parted").unwrap();
        assert_eq!(parted.severity, Severity::Note);
        let corners: usize = found.meshes.iter().map(|mesh| mesh.primitives[0].indices.len()).sum();
        assert_eq!(corners, 2 * usize::from(count));
    }
}

#[test]
fn lights_cameras_sockets_and_events_come_along() {
    let mut scene = flag();
    scene.lights.push(Light {
        name: "lamp".to_owned(),
        form: LightForm::Point,
        color: Vec3::new(1.0, 0.5, 0.25),
        intensity: 3.0,
        range: Some(50.0),
        extras: Extras::new(),
    });
    scene.cameras.push(Camera {
        name: "eye".to_owned(),
        fov_y: 0.8,
        near: 1.0,
        far: None,
        extras: Extras::new(),
    });
    let lamp = Node { name: "Lamp".to_owned(), light: Some(Id::new(0)), ..Node::default() };
    let eye =
        Node { name: "Eye".to_owned(), camera: Some(Id::new(0)), translation: Vec3::Z, ..Node::default() };
    let hand = Node { name: "Hand".to_owned(), parent: Some(Id::new(1)), ..Node::default() };
    scene.nodes.extend([lamp, eye, hand, Node { name: "Origin Ref".to_owned(), ..Node::default() }]);
    scene.sockets.push(Socket { name: "Hand".to_owned(), node: Id::new(4) });
    scene.clips[0].events.push(Event { name: "SNDxTEST".to_owned(), time: 0.25 });
    for version in VERSIONS {
        let found = lifted(&made(&scene, version).0);
        assert_eq!(found.lights.len(), 1);
        assert!((found.lights[0].color - scene.lights[0].color).length() < 1e-5);
        assert_eq!(found.cameras.len(), 1);
        let mut sockets: Vec<&str> = found.sockets.iter().map(|socket| socket.name.as_str()).collect();
        sockets.sort_unstable();
        assert_eq!(sockets, ["Hand", "Origin Ref"]);
        assert_eq!(found.clips[0].events, [Event { name: "SNDxTEST".to_owned(), time: 0.25 }]);
    }
}

#[test]
fn colours_fade_and_things_hide_as_in_the_scene() {
    let mut scene = flag();
    scene.materials[0].base_color = Vec4::new(0.5, 0.25, 1.0, 0.5);
    scene.materials[0].alpha_mode = galvani_scene::AlphaMode::Blend;
    let alphas = Curve::linear(vec![0.0, 1.0], vec![0.5, 1.0]);
    let seen = Curve::step(vec![0.0, 0.5], vec![true, false]);
    scene.clips[0].tracks.push(Track::Alpha(Id::new(0), alphas));
    scene.clips[0].tracks.push(Track::Visibility(Id::new(1), seen));
    for version in VERSIONS {
        let found = lifted(&made(&scene, version).0);
        let color = found.materials[0].base_color;
        assert!((color - scene.materials[0].base_color).truncate().length() < 1e-4, "{color}");
        let shows = found.nodes.iter().position(|node| node.mesh.is_some()).map(Id::new);
        let clip = &found.clips[0];
        let alpha = clip.tracks.iter().find_map(|track| match track {
            Track::Alpha(_, curve) => curve.at(0.25),
            _ => None,
        });
        assert!((alpha.unwrap() - 0.625).abs() < 1e-3, "{alpha:?}");
        let seen = |time: f32| {
            clip.tracks.iter().find_map(|track| match track {
                Track::Visibility(node, curve) if Some(*node) == shows => curve.at(time),
                _ => None,
            })
        };
        assert_eq!([seen(0.25), seen(0.75)], [Some(true), Some(false)]);
    }
}
