//! Scenes of every kind as new models: valid ones, that show and move the same.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failed step is a failed test")]
#![allow(clippy::cast_possible_truncation, reason = "small numbers, and times of single precision")]

mod common {
    #[path = "../common/lowered.rs"]
    pub(crate) mod lowered;
}
#[path = "../../galvani-scene/tests/common/scenes.rs"]
mod scenes;
#[path = "../../galvani-scene/tests/common/slow.rs"]
#[allow(dead_code, reason = "another test needs the rest")]
mod slow;

use std::collections::BTreeSet;

use common::lowered::{again, attire, bound, corners, exact, file, model, same, triangles, varied};
use galvani_core::room::faults;
use galvani_core::{LowerError, ReadOptions, Severity, text};
use galvani_parkan::msh;
use galvani_parkan::msh::lift;
use galvani_parkan::msh::lower::{self, Options};
use galvani_parkan::{mat0, nres, texm};
use galvani_scene::lower::{rigid, unscaled};
use galvani_scene::{
    AlphaMode, Camera, Clip, Curve, Event, Extras, Fact, Id, Image, Influences, Interp, Joint, Light,
    LightForm, Look, LoweredScene, Material, Mesh, Node, Primitive, Pull, Scene, SceneImage, Skin, Socket,
    Texture, Track, UvTransform, Variant, Wrap,
};
use galvani_testkit::{codes_are_sound, every_code_is_provoked};
use glam::{Affine3A, Quat, Vec2, Vec3, Vec4};
use proptest::prelude::*;
use scenes::scenes;
use zerocopy::little_endian::{F32, U16};

const TOLERANCE: f64 = 1e-4;
const FPS: f64 = 15.0;

fn lowered(scene: &Scene) -> LoweredScene {
    msh::lower(scene, &Options::default()).unwrap()
}

fn refusal(scene: &Scene) -> String {
    let error: LowerError = msh::lower(scene, &Options::default()).unwrap_err();
    format!("{}: {}", error.cause.code.name, error.cause.message)
}

fn told(lowered: &LoweredScene) -> BTreeSet<&'static str> {
    lowered.report.findings().iter().map(|finding| finding.code.name).collect()
}

/// A clip's frames, the last one perhaps behind its end.
fn frames(clip: &Clip) -> impl Iterator<Item = f64> {
    let last = (f64::from(clip.duration) * FPS - 1e-3).ceil();
    (0_u32..).map(f64::from).take_while(move |frame| *frame <= last)
}

/// How a clip that was lifted stands at a time.
fn at(scene: &Scene, time: f64) -> Vec<common::lowered::Triangle> {
    triangles(scene, scene.clips.first().unwrap_or(&Clip::default()), time)
}

/// The scene with only its first clip, whose keys stand on even frames, with straight lines between them.
fn on_grid(mut scene: Scene) -> Scene {
    scene.clips.truncate(1);
    for clip in &mut scene.clips {
        for track in &mut clip.tracks {
            match track {
                Track::Translation(_, curve) => snap(curve),
                Track::Rotation(_, curve) => snap(curve),
                _ => {}
            }
        }
        clip.tracks.retain(|track| matches!(track, Track::Translation(..) | Track::Rotation(..)));
        let ends = clip.tracks.iter().filter_map(|track| track.times().last().copied());
        clip.duration = ends.fold(0.0, f32::max);
    }
    scene.nodes.iter_mut().for_each(|node| node.scale = Vec3::ONE);
    scene
}

fn snap<V: Clone>(curve: &mut Curve<V>) {
    let frames: Vec<i32> = curve.times.iter().map(|time| (time * 7.5).round() as i32 * 2).collect();
    let mut keys: Vec<(i32, V)> = frames.into_iter().zip(curve.values.clone()).collect();
    keys.dedup_by_key(|key| key.0);
    let time = |frame: i32| (f64::from(frame) / FPS) as f32;
    *curve = Curve::linear(
        keys.iter().map(|key| time(key.0)).collect(),
        keys.into_iter().map(|key| key.1).collect(),
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn what_rests_is_where_it_was(scene in scenes()) {
        let scene = Scene { clips: Vec::new(), ..scene };
        let found = again(&lowered(&scene));
        prop_assert!(found.clips.is_empty());
        let wanted = triangles(&scene, &Clip::default(), 0.0);
        prop_assert_eq!(same(&wanted, &at(&found, 0.0), bound(&scene, &wanted, TOLERANCE)), Ok(()));
    }

    #[test]
    fn on_every_frame_all_is_where_it_was(scene in scenes()) {
        let made = lowered(&scene);
        let found = again(&made);
        // What becomes of scales that change is told, and another test's business.
        let (plain, _) = unscaled(&rigid(&scene).0);
        let clip = &plain.clips[0];
        for frame in frames(clip) {
            // As clips have their times: of what jumps, a digit decides.
            let time = f64::from((frame / FPS) as f32).min(clip.duration.into());
            let wanted = triangles(&plain, clip, time);
            prop_assert_eq!(same(&wanted, &at(&found, frame / FPS), bound(&plain, &wanted, TOLERANCE)), Ok(()));
        }
        let wanted = triangles(&plain, clip, 0.0);
        prop_assert_eq!(
            same(&wanted, &triangles(&found, &Clip::default(), 0.0), bound(&plain, &wanted, TOLERANCE)), Ok(())
        );
    }

    #[test]
    fn motions_of_frames_are_the_same_at_every_time(scene in scenes(), parts in [0.0..1.0_f64, 0.0..1.0, 0.0..1.0]) {
        let scene = on_grid(scene);
        let made = lowered(&scene);
        prop_assert!(!told(&made).contains("msh.off-grid"), "{:?}", made.report.findings());
        let found = again(&made);
        let clip = &scene.clips[0];
        for part in parts.into_iter().chain([1.0]) {
            let time = part * f64::from(clip.duration);
            let wanted = triangles(&scene, clip, time);
            prop_assert_eq!(same(&wanted, &at(&found, time), bound(&scene, &wanted, 2.0 * TOLERANCE)), Ok(()));
        }
    }
}

fn walker() -> Scene {
    let options = ReadOptions::default();
    let bytes = include_bytes!("../../../samples/walker.msh");
    let attire = attire(
        include_bytes!("../../../samples/walker.wea"),
        include_bytes!("../../../samples/material.lib"),
        Some(include_bytes!("../../../samples/textures.lib")),
    );
    let model = msh::read(bytes, &options).unwrap().document;
    let (mut scene, _) = lift::lift(&model.model(), &attire, lift::Options::default()).unwrap();
    "walker".clone_into(&mut scene.name);
    exact(scene)
}

#[test]
fn the_walker_walks_on() {
    let scene = walker();
    let made = lowered(&scene);
    assert_eq!(made.report.findings(), []);
    let found = again(&made);
    let names = |scene: &Scene| -> Vec<String> { scene.nodes.iter().map(|node| node.name.clone()).collect() };
    assert_eq!(names(&found), names(&scene));
    let facts = |scene: &Scene| -> Vec<_> { scene.nodes.iter().map(|node| node.extras.clone()).collect() };
    assert_eq!(facts(&found), facts(&scene));
    assert_eq!(found.clips[0].duration.to_bits(), scene.clips[0].duration.to_bits());
    let keys = |scene: &Scene| scene.clips[0].tracks.iter().map(|track| track.times().len()).sum::<usize>();
    assert!(keys(&found) <= keys(&scene), "{} of {}", keys(&found), keys(&scene));
    for time in (0..90).map(|step| f64::from(step) / 40.0) {
        let wanted = at(&scene, time);
        same(&wanted, &at(&found, time), bound(&scene, &wanted, TOLERANCE)).unwrap();
    }
}

#[test]
fn the_walker_breaks_as_it_did() {
    let scene = walker();
    let found = again(&lowered(&scene));
    let cells = |scene: &Scene| -> Vec<_> {
        scene.variants.iter().map(|it| (it.name.clone(), it.state, it.level)).collect()
    };
    assert_eq!(cells(&found), cells(&scene));
    for (wanted, found) in scene
        .variants
        .iter()
        .map(|it| varied(&scene, it))
        .zip(found.variants.iter().map(|it| varied(&found, it)))
    {
        same(&at(&wanted, 0.0), &at(&found, 0.0), 1e-3).unwrap();
    }
}

#[test]
fn the_walker_looks_as_it_did() {
    let scene = walker();
    let found = again(&lowered(&scene));
    for wanted in &scene.materials {
        let material = found.materials.iter().find(|it| it.name == wanted.name).unwrap();
        assert_eq!((material.base_color, material.emissive), (wanted.base_color, wanted.emissive));
        assert_eq!(material.alpha_mode, wanted.alpha_mode);
        let image = |scene: &Scene, material: &Material| {
            material.texture.as_ref().map(|it| it.image.find_in(&scene.images).unwrap().clone())
        };
        assert_eq!(image(&found, material), image(&scene, wanted));
    }
    // Cells of a picture are now where its coordinates are.
    let vertices = |scene: &Scene| -> Vec<BTreeSet<[i64; 8]>> {
        let of_node = |node: &Node| {
            let mesh = node.mesh.map(|mesh| mesh.find_in(&scene.meshes).unwrap());
            let primitives = mesh.iter().flat_map(|mesh| &mesh.primitives);
            primitives.flat_map(|primitive| corners_of(scene, primitive)).collect()
        };
        scene.nodes.iter().map(of_node).collect()
    };
    assert_eq!(vertices(&found), vertices(&scene));
}

/// Place, direction and coordinates of every corner, in steps that are coarse enough.
fn corners_of(scene: &Scene, primitive: &Primitive) -> Vec<[i64; 8]> {
    let texture = primitive.material.unwrap().find_in(&scene.materials).unwrap().texture.clone().unwrap();
    let corner = |corner: usize| {
        let (place, normal) = (primitive.positions[corner], primitive.normals[corner]);
        let uv = texture.transform.apply(primitive.uvs[0][corner]);
        let near = |part: f32, steps: f32| (part * steps).round() as i64;
        let ([a, b, c], [d, e, f]) = (place.to_array(), normal.to_array());
        let [x, y, z] = [a, b, c].map(|part| near(part, 1000.0));
        let [nx, ny, nz] = [d, e, f].map(|part| near(part, 20.0));
        [x, y, z, nx, ny, nz, near(uv.x, 512.0), near(uv.y, 512.0)]
    };
    corners(primitive).flatten().map(corner).collect()
}

fn triangle() -> Primitive {
    Primitive {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        normals: vec![Vec3::Z; 3],
        uvs: vec![vec![Vec2::ZERO, Vec2::X, Vec2::Y]],
        indices: vec![0, 1, 2],
        ..Primitive::default()
    }
}

fn mesh(primitive: Primitive) -> Mesh {
    Mesh { primitives: vec![primitive], ..Mesh::default() }
}

/// A node that shows a triangle.
fn plain() -> Scene {
    Scene {
        name: "плита".to_owned(),
        nodes: vec![Node { name: "root".to_owned(), mesh: Some(Id::new(0)), ..Node::default() }],
        meshes: vec![mesh(triangle())],
        ..Scene::default()
    }
}

fn image(alpha: [u8; 4]) -> SceneImage {
    let rgba = alpha.map(|alpha| [10, 200, 30, alpha]).to_vec();
    SceneImage { name: "wall.png".to_owned(), pixels: Image { width: 2, height: 2, rgba } }
}

/// The same with a picture.
fn painted(material: Material) -> Scene {
    let mut scene = plain();
    scene.meshes[0].primitives[0].material = Some(Id::new(0));
    scene.images.push(image([0, 100, 128, 255]));
    scene.materials.push(Material { texture: Some(Texture::plain(Id::new(0))), two_sided: true, ..material });
    scene
}

/// A clip that moves the only node of a scene.
fn moving(mut scene: Scene, times: &[f32], places: &[Vec3], interp: Interp) -> Scene {
    let curve = Curve { interp, ..Curve::linear(times.to_vec(), places.to_vec()) };
    let tracks = vec![Track::Translation(Id::new(0), curve)];
    let duration = times.last().copied().unwrap();
    scene.clips.push(Clip { name: "go".to_owned(), duration, tracks, ..Clip::default() });
    scene
}

#[test]
fn files_are_called_as_the_scene_is() {
    let names =
        |scene: &Scene| -> Vec<String> { lowered(scene).files.into_iter().map(|(name, _)| name).collect() };
    assert_eq!(names(&plain()), ["плита.msh", "плита.wea", "Material.lib"]);
    let unnamed = Scene { name: "a/b:..".to_owned(), ..painted(Material::default()) };
    assert_eq!(names(&unnamed), ["model.msh", "model.wea", "Material.lib", "Textures.lib"]);
}

#[test]
fn what_is_bare_gets_normals_of_its_triangles_and_coordinates_of_nothing() {
    let mut scene = plain();
    scene.meshes[0].primitives[0] = Primitive {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y, -Vec3::Z],
        indices: vec![0, 1, 2, 1, 0, 3],
        ..Primitive::default()
    };
    let made = lowered(&scene);
    assert_eq!(told(&made), BTreeSet::from(["msh.lower-made"]));
    let found = again(&made);
    let primitive = &found.meshes[0].primitives[0];
    assert_eq!(primitive.positions.len(), 6);
    for [a, b, c] in corners(primitive) {
        let across = (primitive.positions[b] - primitive.positions[a])
            .cross(primitive.positions[c] - primitive.positions[a])
            .normalize();
        assert!([a, b, c].iter().all(|corner| primitive.normals[*corner].distance(across) < 1e-5));
    }
    assert!(primitive.uvs[0].iter().all(|uv| *uv == Vec2::ZERO));
    assert_eq!(found.materials[0].name, "unpainted");
    assert_eq!(&found.nodes[0].name, "root");
}

#[test]
fn nodes_without_a_mesh_are_a_model_too() {
    let scene = Scene { nodes: vec![Node::default()], ..Scene::default() };
    let found = again(&lowered(&scene));
    assert_eq!((found.nodes.len(), found.nodes[0].name.as_str()), (1, "node_0"));
    assert!(refusal(&Scene::default()).starts_with("msh.build-no-nodes"));
}

#[test]
fn names_are_in_the_games_letters_cut_and_each_once() {
    let mut scene = plain();
    scene.nodes[0].mesh = None;
    let long = "x".repeat(40);
    for name in ["Башня", "башня", "tank", "TANK", "漢", &long, ""] {
        let parent = Some(Id::new(0));
        scene.nodes.push(Node { name: name.to_owned(), parent, ..Node::default() });
    }
    let model = model(&lowered(&scene));
    let names: Vec<Vec<u8>> = (1..8).map(|node| model.model().node_name(node).to_vec()).collect();
    let tower = [0xc1, 0xe0, 0xf8, 0xed, 0xff];
    assert_eq!(names[0], tower);
    assert_eq!(names[1], [&[0xe1], &tower[1..], b"_2"].concat());
    let ascii: Vec<_> = names[2..].iter().map(|name| text::shown(name)).collect();
    assert_eq!(ascii, ["tank", "TANK_2", "_", &"x".repeat(31), "node_7"]);
}

#[test]
fn a_first_node_off_the_origin_hangs_on_another() {
    let mut scene = plain();
    scene.nodes[0].translation = Vec3::new(1.0, 2.0, 3.0);
    scene.nodes[0].name = "base".to_owned();
    let made = lowered(&scene);
    assert!(told(&made).contains("msh.lower-root"));
    let found = again(&made);
    assert_eq!(found.nodes[0].name, "base_2");
    assert_eq!(
        (found.nodes[0].translation, found.nodes[1].translation),
        (Vec3::ZERO, Vec3::new(1.0, 2.0, 3.0))
    );
    assert_eq!(found.nodes[1].parent, Some(Id::new(0)));
    let mut two = plain();
    two.nodes.push(Node { name: "other".to_owned(), ..Node::default() });
    assert_eq!(again(&lowered(&two)).nodes.len(), 3);
}

#[test]
fn levels_that_are_not_given_show_the_finer_one() {
    let model = model(&lowered(&plain()));
    let model = model.model();
    let slots = model.nodes.as_ref().unwrap().rows[0].slot_index.map(U16::get);
    assert_eq!(slots[..5], [0, 0, 0, 0, msh::NONE]);
    assert!(slots[5..].iter().all(|slot| *slot == msh::NONE));
    assert_eq!(model.slots.as_ref().unwrap().rows.len(), 1);
}

#[test]
fn other_states_are_as_large_as_the_first() {
    let mut scene = plain();
    scene.nodes[0].scale = Vec3::new(2.0, 3.0, 4.0);
    let other = Primitive { positions: vec![Vec3::ONE, Vec3::X, Vec3::Z], ..triangle() };
    scene.meshes.push(mesh(other));
    let shows = vec![(Id::new(0), Some(Id::new(1)))];
    let variant = |state, level| Variant { state, level, shows: shows.clone(), ..Variant::default() };
    scene.variants = vec![variant(0, 2), variant(1, 1)];
    let found = again(&lowered(&scene));
    let cells: Vec<_> = found.variants.iter().map(|it| (it.state, it.level)).collect();
    // What is not given is as the finer level; the finest of the second state is that of the first.
    assert_eq!(cells, [(0, 2), (0, 3), (1, 1), (1, 2), (1, 3)]);
    for variant in &found.variants {
        same(&at(&varied(&scene, &scene.variants[0]), 0.0), &at(&varied(&found, variant), 0.0), 1e-5)
            .unwrap();
    }
}

#[test]
fn a_skin_follows_the_joints_that_pull_most() {
    let mut scene = plain();
    scene.nodes[0].skin = Some(Id::new(0));
    scene.nodes.push(Node { name: "hand".to_owned(), translation: Vec3::X, ..Node::default() });
    let joint = |node: usize, bind: Vec3| Joint {
        node: Id::new(node),
        inverse_bind: Affine3A::from_translation(bind),
    };
    scene.skins.push(Skin { name: String::new(), joints: vec![joint(0, Vec3::ZERO), joint(1, -Vec3::X)] });
    let pulls = [Pull { joint: 0, weight: 0.25 }, Pull { joint: 1, weight: 0.75 }];
    scene.meshes[0].primitives[0].influences = (0..3).map(|_| pulls).collect::<Influences>();
    let turn = Curve::linear(vec![0.0, 2.0], vec![Quat::IDENTITY, Quat::from_rotation_y(2.0)]);
    scene.clips.push(Clip {
        duration: 2.0,
        tracks: vec![Track::Rotation(Id::new(1), turn)],
        ..Clip::default()
    });
    let made = lowered(&scene);
    assert!(told(&made).contains("scene.one-joint"));
    let found = again(&made);
    for step in 0..=40 {
        let time = f64::from(step) / 20.0;
        let wanted = at(&scene, time);
        same(&wanted, &at(&found, time), 1e-3).unwrap();
    }
}

#[test]
fn mirrored_and_stretched_nodes_stay_where_they_were_and_outside_out() {
    let mut scene = plain();
    scene.nodes[0].scale = Vec3::new(-1.0, 2.0, 0.5);
    scene.nodes[0].rotation = Quat::from_rotation_z(0.7);
    scene.nodes.push(Node {
        name: "arm".to_owned(),
        parent: Some(Id::new(0)),
        translation: Vec3::new(1.0, 2.0, 3.0),
        rotation: Quat::from_rotation_x(0.3),
        scale: Vec3::new(1.0, -3.0, -1.0),
        mesh: Some(Id::new(0)),
        ..Node::default()
    });
    let found = again(&lowered(&scene));
    // A mirror turns triangles inside out, which the model undoes.
    let mirrored = |mut triangles: Vec<common::lowered::Triangle>| {
        for (places, _) in &mut triangles {
            places.swap(1, 2);
        }
        triangles
    };
    same(&mirrored(at(&scene, 0.0)), &at(&found, 0.0), 5e-4).unwrap();
}

/// Triangles that share no vertex.
fn many(count: u32) -> Scene {
    let mut scene = plain();
    let corner = |i: u32| {
        let (row, column) = (f64::from(i / 3 / 256), f64::from(i / 3 % 256));
        let [x, y] = [[0.0, 0.0], [0.5, 0.0], [0.0, 0.5]][usize::try_from(i % 3).unwrap()];
        glam::DVec3::new(column + x, row + y, 0.0).as_vec3()
    };
    scene.meshes[0].primitives[0] = Primitive {
        positions: (0..count * 3).map(corner).collect(),
        indices: (0..count * 3).collect(),
        ..Primitive::default()
    };
    scene
}

#[test]
fn more_vertices_than_an_index_reaches_are_drawn_in_parts() {
    let scene = many(22_000);
    let made = lowered(&scene);
    let document = model(&made);
    assert_eq!(document.model().positions.as_ref().unwrap().rows.len(), 66_000);
    let batches = document.model().batches.as_ref().unwrap().rows.len();
    assert!(batches > 1);
    let told = made.report.findings().iter().find(|finding| finding.code.name == "msh.build-split").unwrap();
    assert_eq!((told.severity, told.message.clone()), (Severity::Note, format!("{batches} for 1")));
    let places = |scene: &Scene| -> BTreeSet<[u32; 3]> {
        let all = scene.meshes.iter().flat_map(|mesh| &mesh.primitives).flat_map(|it| &it.positions);
        all.map(|place| (*place + Vec3::ZERO).to_array().map(f32::to_bits)).collect()
    };
    assert_eq!(places(&again(&made)), places(&scene));
}

#[test]
fn more_triangles_than_can_be_told_apart_are_refused() {
    let found = refusal(&many(65_536));
    assert_eq!(found, "msh.build-too-many-triangles: 65536 triangles, at most 65535 fit");
}

#[test]
fn what_is_no_number_is_refused() {
    let mut scene = plain();
    scene.meshes[0].primitives[0].positions[1].y = f32::NAN;
    assert!(refusal(&scene).starts_with("scene.not-finite"), "{}", refusal(&scene));
    let mut scene = plain();
    scene.nodes[0].scale = Vec3::splat(f32::MAX);
    scene.meshes[0].primitives[0].positions[1].y = f32::MAX;
    assert!(refusal(&scene).starts_with("msh.build-not-finite"), "{}", refusal(&scene));
    let mut scene = plain();
    scene.nodes[0].mesh = Some(Id::new(7));
    assert!(refusal(&scene).starts_with("scene.missing"));
}

#[test]
fn odd_numbers_make_no_odd_model() {
    let mut scene = moving(painted(Material::default()), &[0.0, 1.0], &[Vec3::ZERO, Vec3::X], Interp::Linear);
    scene.nodes[0].rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let turns = vec![Quat::from_xyzw(0.0, 0.0, 0.0, 3.0), Quat::from_xyzw(0.0, 0.1, 0.0, 0.1)];
    scene.clips[0].tracks.push(Track::Rotation(Id::new(0), Curve::linear(vec![0.0, 1.0], turns)));
    let primitive = &mut scene.meshes[0].primitives[0];
    primitive.normals = vec![Vec3::ZERO, Vec3::Z * 3.0, Vec3::Z * f32::MAX];
    primitive.uvs[0] = vec![Vec2::splat(1e30), Vec2::splat(1e30), Vec2::splat(1e30)];
    primitive.indices.extend([1, 1, 1]);
    let made = lowered(&scene);
    assert!(told(&made).contains("scene.not-unit"));
    let found = again(&made);
    assert!(found.meshes[0].primitives[0].normals[..3].iter().all(|normal| *normal == Vec3::Z));
}

#[test]
fn more_frames_than_a_timeline_has_are_refused() {
    let places = [Vec3::ZERO, Vec3::X];
    let found = refusal(&moving(plain(), &[0.0, 1e6], &places, Interp::Linear));
    assert_eq!(found, "msh.lower-frames: 15000000 frames, fewer than 8388608 fit");
    let mut scene = moving(plain(), &[0.0, 3000.0], &places, Interp::Linear);
    scene.nodes.push(Node { parent: Some(Id::new(0)), ..Node::default() });
    let other = Curve::linear(vec![0.0, 3000.0], vec![Vec3::ZERO, Vec3::Y]);
    scene.clips[0].tracks.push(Track::Translation(Id::new(1), other));
    assert!(lowered(&scene).report.findings().len() < 9);
    scene.nodes.push(Node { parent: Some(Id::new(0)), ..Node::default() });
    let other = Curve::linear(vec![0.0, 3000.0], vec![Vec3::ZERO, Vec3::Z]);
    scene.clips[0].tracks.push(Track::Translation(Id::new(2), other));
    let found = refusal(&scene);
    assert!(found.starts_with("msh.build-too-many-frames: with 3 moving nodes and 45001 frames"), "{found}");
}

#[test]
fn more_keys_than_can_be_told_apart_are_refused() {
    let times: Vec<f32> = (0_u32..70_000).map(|frame| (f64::from(frame) / FPS) as f32).collect();
    let places: Vec<Vec3> =
        (0..70_000).map(|frame| if frame % 2 == 0 { Vec3::ZERO } else { Vec3::X }).collect();
    let found = refusal(&moving(plain(), &times, &places, Interp::Linear));
    assert_eq!(found, "msh.build-too-many-keys: 70000 keys, at most 65535 fit");
}

#[test]
fn labels_and_flags_of_models_come_back() {
    let mut scene = plain();
    let label = ("label".to_owned(), Fact::Text("централь".to_owned()));
    scene.nodes[0].extras = Extras::from([label, ("flags".to_owned(), Fact::Int(0x61))]);
    let read = |scene: &Scene| {
        let document = model(&lowered(scene));
        let flags = document.model().nodes.as_ref().unwrap().rows[0].flags.get();
        (document.model().label(0).to_vec(), flags)
    };
    // Elsewhere these words may mean anything.
    assert_eq!(read(&scene), (vec![], 0));
    scene.extras.insert("format".to_owned(), Fact::Text("msh".to_owned()));
    assert_eq!(read(&scene), (vec![0xf6, 0xe5, 0xed, 0xf2, 0xf0, 0xe0, 0xeb, 0xfc], 0x41));
}

#[test]
fn a_straight_line_needs_two_keys_and_a_clip_keeps_its_length() {
    let places = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0, Vec3::X * 2.0];
    let made = lowered(&moving(plain(), &[0.0, 1.0, 2.0, 4.0], &places, Interp::Linear));
    let document = model(&made);
    let model = document.model();
    assert_eq!(model.frame_count(), 61);
    let keys = &model.keys.as_ref().unwrap().rows;
    // The root before it, where the line begins and ends, and the end of the clip.
    let times: Vec<f32> = keys.iter().map(|key| key.time.get()).collect();
    assert_eq!(times, [0.0, 0.0, 30.0, 60.0]);
    // Another node that ends later takes the key at the end away.
    let mut scene = moving(plain(), &[0.0, 2.0, 4.0], &[Vec3::ZERO, Vec3::X, Vec3::X], Interp::Linear);
    scene.nodes.push(Node { parent: Some(Id::new(0)), ..Node::default() });
    let other = Curve::linear(vec![0.0, 4.0], vec![Vec3::ZERO, Vec3::Y]);
    scene.clips[0].tracks.push(Track::Translation(Id::new(1), other));
    let document = common::lowered::model(&lowered(&scene));
    let model = document.model();
    let times: Vec<f32> = model.keys.as_ref().unwrap().rows.iter().map(|key| key.time.get()).collect();
    assert_eq!(times, [0.0, 0.0, 30.0, 0.0, 60.0]);
}

#[test]
fn another_clip_can_be_chosen() {
    let scene = moving(plain(), &[0.0, 2.0], &[Vec3::ZERO, Vec3::X], Interp::Linear);
    let scene = moving(scene, &[0.0, 1.0], &[Vec3::ZERO, Vec3::Y], Interp::Linear);
    let made = msh::lower(&scene, &Options { clip: Some(Id::new(1)), ..Options::default() }).unwrap();
    let lost: Vec<_> = made.report.findings().iter().filter(|it| it.code.name == "msh.lost-clip").collect();
    assert_eq!((lost.len(), lost[0].path.to_string().as_str()), (1, "clips[0]"));
    assert_eq!(again(&made).clips[0].duration.to_bits(), 1.0_f32.to_bits());
}

#[test]
fn more_frames_a_second_are_nearer() {
    let scene = moving(plain(), &[0.0, 0.1, 0.2], &[Vec3::ZERO, Vec3::X, Vec3::ZERO], Interp::Linear);
    assert!(told(&lowered(&scene)).contains("msh.off-grid"));
    let made = msh::lower(&scene, &Options { fps: 30.0, ..Options::default() }).unwrap();
    assert!(!told(&made).contains("msh.off-grid"));
}

#[test]
fn pictures_move_with_their_coordinates() {
    let mut scene = painted(Material::default());
    let texture = scene.materials[0].texture.as_mut().unwrap();
    (texture.uv_set, texture.transform) =
        (1, UvTransform { offset: Vec2::new(-3.0, 0.5), rotation: 0.4, scale: Vec2::new(2.0, 1.0) });
    let transform = texture.transform;
    let set = vec![Vec2::new(0.1, 0.2), Vec2::new(0.6, 0.2), Vec2::new(0.1, 0.9)];
    scene.meshes[0].primitives[0].uvs = vec![vec![Vec2::ZERO; 3], set.clone()];
    let found = again(&lowered(&scene));
    for (uv, found) in set.iter().zip(&found.meshes[0].primitives[0].uvs[0]) {
        let off = transform.apply(*uv) - *found;
        assert!((off - off.round()).abs().max_element() < 1.0 / 2000.0 && found.min_element() >= 0.0);
    }
}

#[test]
fn coordinates_far_apart_are_brought_near_triangle_by_triangle() {
    let mut scene = painted(Material::default());
    let primitive = &mut scene.meshes[0].primitives[0];
    primitive.positions.push(Vec3::Z);
    primitive.normals.push(Vec3::Z);
    primitive.indices = vec![0, 1, 2, 2, 1, 3];
    primitive.uvs =
        vec![vec![Vec2::new(-40.5, 0.0), Vec2::new(0.25, 0.0), Vec2::new(0.0, 0.5), Vec2::new(60.0, 0.0)]];
    let made = lowered(&scene);
    assert!(!told(&made).contains("msh.build-uv-range"));
    let found = &again(&made).meshes[0].primitives[0];
    assert_eq!(found.uvs[0][0], Vec2::new(0.5, 0.0));
    assert_eq!(found.positions.len(), 6);
    scene.meshes[0].primitives[0].uvs[0][0].x = -80.0;
    assert!(told(&lowered(&scene)).contains("msh.build-uv-range"));
}

/// The only texture, and the flags of the only material.
fn worn(lowered: &LoweredScene) -> (texm::Document, u32, mat0::Document, String) {
    let library = |name: &str| nres::read(file(lowered, name), &ReadOptions::default()).unwrap().document;
    let (textures, materials) = (library("Textures.lib"), library("Material.lib"));
    let options = ReadOptions::default();
    let texture = texm::read(textures.payload(0).unwrap(), &options).unwrap().document;
    let material = mat0::read(materials.payload(0).unwrap(), &options).unwrap().document;
    let name = text::shown(textures.entries[0].name.text()).into_owned();
    (texture, materials.entries[0].attr1, material, name)
}

#[test]
fn alpha_is_dropped_kept_or_cut() {
    let alpha = |mode: AlphaMode| {
        let base_color = Vec4::new(1.0, 1.0, 1.0, 0.5);
        let made = lowered(&painted(Material { alpha_mode: mode, base_color, ..Material::default() }));
        let (texture, flags, material, name) = worn(&made);
        assert_eq!(
            (name.as_str(), text::shown(&material.phases[0].texture.0).as_ref()),
            ("wall.0", "wall.0")
        );
        let pixels = texm::decode(&texture, 0, &texm::DecodeOptions::default()).unwrap().rgba;
        let batch = model(&made).model().batches.as_ref().unwrap().rows[0].head[0].get();
        (
            pixels.iter().map(|[.., alpha]| *alpha).collect::<Vec<u8>>(),
            flags,
            material.phases[0].ambient_alpha,
            batch,
        )
    };
    assert_eq!(alpha(AlphaMode::Opaque), (vec![255; 4], 2, 100, 0));
    assert_eq!(alpha(AlphaMode::Blend), (vec![0, 100, 128, 255], 4, 50, 0x100));
    assert_eq!(alpha(AlphaMode::Mask(0.25)), (vec![0, 0, 255, 255], 4, 100, 0x100));
}

#[test]
fn colours_need_no_picture() {
    let mut scene = painted(Material { base_color: Vec4::new(0.2, 0.4, 0.6, 1.0), ..Material::default() });
    scene.materials[0].texture = None;
    scene.materials[0].emissive = Vec3::new(0.0, 1.0, 0.0);
    let made = lowered(&scene);
    assert_eq!(made.files.len(), 3);
    let found = &again(&made).materials[0];
    assert!(found.base_color.distance(scene.materials[0].base_color) < 4e-3);
    assert_eq!(found.emissive, Vec3::new(0.0, 1.0, 0.0));
}

#[test]
fn rows_are_as_many_as_a_byte_tells_apart() {
    let mut scene = plain();
    scene.materials = vec![Material::default(); 300];
    scene.meshes[0].primitives[0].material = Some(Id::new(299));
    let found = again(&lowered(&scene));
    assert_eq!(found.materials[0].name, "material_299");
    scene.meshes[0].primitives =
        (0..257).map(|i| Primitive { material: Some(Id::new(i)), ..triangle() }).collect();
    assert_eq!(refusal(&scene), "msh.lower-materials: 257 materials, at most 256 fit");
}

/// A scene with everything that a model cannot hold.
fn overloaded() -> Scene {
    let mut scene =
        painted(Material { unlit: true, alpha_mode: AlphaMode::Mask(0.5), ..Material::default() });
    scene.materials[0].two_sided = false;
    scene.materials[0].texture.as_mut().unwrap().wrap = [Wrap::Clamp, Wrap::Mirror];
    let primitive = &mut scene.meshes[0].primitives[0];
    primitive.colors = vec![Vec4::ONE; 3];
    primitive.normals.clear();
    primitive.uvs[0][1].y = 1.5;
    scene.nodes[0].translation = Vec3::X;
    let parent = Some(Id::new(0));
    scene.nodes.push(Node { parent, ..Node::default() });
    scene.nodes.push(Node {
        name: "hidden".to_owned(),
        visible: false,
        mesh: Some(Id::new(0)),
        parent,
        ..Node::default()
    });
    let form = LightForm::Point;
    let (name, range, extras) = (String::new(), None, Extras::new());
    scene.lights.push(Light { name, form, color: Vec3::ONE, intensity: 1.0, range, extras });
    let (name, far, extras) = (String::new(), None, Extras::new());
    scene.cameras.push(Camera { name, fov_y: 1.0, near: 0.1, far, extras });
    scene.looks.push(Look::default());
    scene.sockets.push(Socket { name: "hand".to_owned(), node: Id::new(1) });
    let shows = vec![(Id::new(1), Some(Id::new(0)))];
    scene.variants.push(Variant { state: 1, shows, ..Variant::default() });
    scene.variants.push(Variant { level: 9, ..Variant::default() });
    let mut scene = moving(scene, &[0.05, 0.3], &[Vec3::ZERO, Vec3::X], Interp::Step);
    scene.clips[0].events.push(Event { name: "bang".to_owned(), time: 0.1 });
    scene.clips[0].tracks.push(Track::Visibility(Id::new(1), Curve::still(false)));
    scene.clips[0].tracks.push(Track::Alpha(Id::new(0), Curve::still(0.5)));
    scene.clips.push(Clip { name: "other".to_owned(), ..Clip::default() });
    scene
}

#[test]
fn every_code_is_provoked_and_none_leaves_a_bad_model() {
    let made = lowered(&overloaded());
    again(&made);
    assert!(told(&made).contains("scene.hidden"));
    let ours = |report: galvani_core::Report| report.only(|it| lower::ALL.contains(&it.code));
    let bad = Options { fps: 0.0, ..Options::default() };
    let refused = [
        msh::lower(&plain(), &bad).unwrap_err(),
        msh::lower(&plain(), &Options { clip: Some(Id::new(0)), ..Options::default() }).unwrap_err(),
        msh::lower(&plain(), &Options { tolerance: f32::NAN, ..Options::default() }).unwrap_err(),
        msh::lower(&moving(plain(), &[0.0, 1e6], &[Vec3::X, Vec3::Y], Interp::Linear), &Options::default())
            .unwrap_err(),
    ];
    let refused = refused.map(|error| error.cause.code.name);
    assert_eq!(refused[..3], ["msh.lower-option"; 3]);
    codes_are_sound("msh", lower::ALL);
    every_code_is_provoked(
        lower::ALL,
        [ours(made.report)],
        refused.into_iter().chain(["msh.lower-materials"]),
    );
}

#[test]
fn a_clip_in_which_nothing_moves_is_told() {
    let scene = moving(plain(), &[0.0, 1.0], &[Vec3::ZERO; 2], Interp::Linear);
    let made = lowered(&scene);
    assert_eq!(told(&made), BTreeSet::from(["msh.lost-clip"]));
    assert!(again(&made).clips.is_empty());
}

#[test]
fn without_room_there_is_a_refusal_each_time() {
    let scene = moving(painted(Material::default()), &[0.0, 1.0], &[Vec3::ZERO, Vec3::X], Interp::Linear);
    let wanted = lowered(&scene).files;
    for number in 0.. {
        let (made, has_failed) = faults::at(number, || msh::lower(&scene, &Options::default()));
        match made {
            Ok(made) => {
                assert!(!has_failed && number > 20, "call {number}");
                assert_eq!(made.files, wanted);
                return;
            }
            Err(error) => assert_eq!(error.cause.code.name, "file.out-of-memory", "call {number}"),
        }
    }
}

#[test]
fn the_axes_are_the_games() {
    let model = model(&lowered(&plain()));
    let model = model.model();
    let found: Vec<[f32; 3]> =
        model.positions.as_ref().unwrap().rows.iter().map(|row| row.position.map(F32::get)).collect();
    assert_eq!(found, [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
}
