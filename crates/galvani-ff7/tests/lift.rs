//! Battle models as scenes: posed as the game poses them, with what they show.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failed step is a failed test")]

#[path = "common/rows.rs"]
#[allow(dead_code, unreachable_pub, reason = "each test file uses its part of this")]
mod rows;
#[path = "common/triangle.rs"]
mod triangle;

use galvani_core::image::Additive;
use galvani_core::{Image, Severity};
use galvani_ff7::lift::{Battle, FRAME_RATE, Picture, battle};
use galvani_ff7::p;
use galvani_ff7::pack::codec::FrameRef;
use galvani_ff7::pack::{AngleKey, Document, EMPTY_PAYLOAD, Entry};
use galvani_ff7::pose::{BattleRig, SkeletonPose, weapon};
use galvani_ff7::skeleton::{self, Bone};
use galvani_scene::{AlphaMode, Id, Material, Matrices, Moment, Sampler, Scene, Wrap, check, to_model};
use glam::{Mat4, Vec3};
use proptest::collection::vec;
use proptest::prelude::*;
use rows::{Row, entry};

fn skeleton(bones: &[(i32, f32)], animations: usize) -> skeleton::Document {
    let bone = |&(parent, length): &(i32, f32)| Bone { parent, length, has_model: 1 };
    skeleton::Document {
        bones: bones.iter().map(bone).collect(),
        body_animation_count: animations.try_into().unwrap(),
        ..skeleton::Document::default()
    }
}

/// Where the nodes of a scene are at a frame of a clip.
fn places(scene: &Scene, clip: usize, frame: usize) -> (Moment, Vec<Mat4>) {
    let (mut sampler, mut moment) = (Sampler::new(scene), Moment::at_rest(scene));
    let time = f32::from(u16::try_from(frame).unwrap()) / FRAME_RATE;
    sampler.sample(&scene.clips[clip], time, &mut moment);
    let mut models = Matrices::identity(scene.nodes.len());
    to_model(scene, &moment, &mut models);
    let all = (0..scene.nodes.len()).map(|node| Mat4::from(models.matrix(node))).collect();
    (moment, all)
}

/// The game's matrix in the scene's axes: both sides turned half about X.
fn in_scene(place: Mat4) -> Mat4 {
    let half = Mat4::from_diagonal(Vec3::new(1.0, -1.0, -1.0).extend(1.0));
    half * place * half
}

#[track_caller]
fn assert_near(found: Mat4, wanted: Mat4, size: f32) {
    let off = (found - wanted).to_cols_array().into_iter().fold(0.0_f32, |most, part| most.max(part.abs()));
    assert!(off <= 1e-5 * size, "{found} found, {wanted} wanted");
}

/// Bones that hang on bones before them, and rows with a rotation for the root and each of them.
fn model() -> impl Strategy<Value = (Vec<(i32, f32)>, Vec<Row>)> {
    (1_usize..12).prop_flat_map(|count| {
        let bone = (any::<prop::sample::Index>(), -40_i8..1);
        let row = (any::<[i8; 3]>(), vec(any::<[i16; 3]>(), count + 1));
        (vec(bone, count), vec(row, 1..6)).prop_map(|(bones, rows)| {
            let bone = |(i, (parent, length)): (usize, (prop::sample::Index, i8))| {
                (i32::try_from(parent.index(i + 1)).unwrap() - 1, f32::from(length))
            };
            let turn = |angle: i16| angle.rem_euclid(4096);
            let row = |(place, turns): ([i8; 3], Vec<[i16; 3]>)| {
                (place.map(i16::from), turns.into_iter().map(|angles| angles.map(turn)).collect())
            };
            (bones.into_iter().enumerate().map(bone).collect(), rows.into_iter().map(row).collect())
        })
    })
}

/// A pack as it is gathered.
fn pack(entries: Vec<Entry>) -> (String, Document) {
    ("pack".to_owned(), rows::pack(entries))
}

/// A part as it is gathered.
fn named(part: p::Document) -> (String, p::Document) {
    ("part".to_owned(), part)
}

proptest! {
#[test]
    fn every_bone_is_where_the_game_has_it((bones, rows) in model()) {
        let model = Battle {
            skeleton: skeleton(&bones, 1),
            pack: Some(pack(vec![entry(&rows, AngleKey::Zero)])),
            ..Battle::default()
        };
        let (scene, report) = battle(&model, Additive::Bake).unwrap();
        prop_assert!(report.findings().is_empty(), "{:?}", report.findings());
        prop_assert!(check(&scene).findings().iter().all(|one| one.severity != Severity::Error));
        let (rig, mut pose) = (BattleRig::new(&model.skeleton).unwrap(), SkeletonPose::default());
        for (frame, (position, turns)) in rows.iter().enumerate() {
            rig.pose(FrameRef { position: *position, bones: turns }, &mut pose).unwrap();
            let (_, found) = places(&scene, 0, frame);
            assert_near(found[0], in_scene(pose.root()), 600.0);
            for (i, wanted) in pose.bones().enumerate() {
                assert_near(found[i + 1], in_scene(wanted), 600.0);
            }
        }
    }
}

#[test]
fn a_single_rotation_turns_the_root_only() {
    let rows = vec![([3, -4, 5], vec![[300, -1024 + 4096, 77]])];
    let model = Battle {
        skeleton: skeleton(&[(-1, -20.0)], 1),
        pack: Some(pack(vec![entry(&rows, AngleKey::Zero)])),
        ..Battle::default()
    };
    let (scene, _) = battle(&model, Additive::Bake).unwrap();
    let (_, found) = places(&scene, 0, 0);
    assert_near(found[1], found[0], 1.0);
}

/// One triangle, perhaps with a texture.
fn triangle(texture: Option<u32>, blend_mode: u32) -> p::Document {
    triangle::triangle(texture, blend_mode, [0, 0, 255, 255], None)
}

fn painted(image: Image) -> Picture {
    Picture { name: "skin".to_owned(), image: Some(image), ..Picture::default() }
}

fn picture(alpha: u8) -> Image {
    Image { width: 1, height: 1, rgba: vec![[9, 8, 7, alpha]] }
}

#[test]
fn parts_stand_on_their_bones_seen_from_the_right_side() {
    let model = Battle {
        skeleton: skeleton(&[(-1, -5.0), (0, -5.0)], 0),
        parts: vec![None, Some(named(triangle(Some(0), 4)))],
        textures: vec![painted(picture(0))],
        ..Battle::default()
    };
    let (scene, report) = battle(&model, Additive::Bake).unwrap();
    assert!(report.findings().is_empty(), "{:?}", report.findings());
    assert_eq!((scene.nodes[1].mesh, scene.nodes[2].mesh.map(Id::index)), (None, Some(0)));
    let primitive = &scene.meshes[0].primitives[0];
    assert_eq!(primitive.positions[1], Vec3::new(0.0, -2.0, -3.0), "the corners in the other order");
    assert_eq!(primitive.indices, [0, 1, 2]);
    assert_eq!((primitive.colors[0].x, primitive.colors[0].z), (1.0, 0.0), "blue comes first in the file");
    let material = &scene.materials[0];
    assert_eq!(material.alpha_mode, AlphaMode::Mask(0.5));
    assert_eq!(material.texture.as_ref().map(|texture| texture.image.index()), Some(0));
    assert_eq!(scene.images[0].pixels, picture(0));
}

#[test]
fn what_a_scene_does_not_say_is_told() {
    let mut torn = triangle(None, 4);
    torn.polys[0].vertices[2] = 9.into();
    let parts = [triangle(Some(3), 4), triangle(None, 1), torn].map(|part| Some(named(part))).to_vec();
    let damaged = Entry::new(4, 1, vec![1, 0, 20, 0, 9, 1, 2, 3, 4, 5, 6, 7]);
    let rows = vec![([0; 3], vec![[0; 3]])];
    let model = Battle {
        skeleton: skeleton(&[(-1, -5.0), (0, -5.0), (1, -5.0)], 2),
        parts,
        pack: Some(pack(vec![
            damaged,
            entry(&[([0; 3], vec![[0; 3]; 4])], AngleKey::Zero),
            Entry::new(1, 1, EMPTY_PAYLOAD.to_vec()),
            entry(&rows, AngleKey::Zero),
        ])),
        ..Battle::default()
    };
    let (scene, report) = battle(&model, Additive::Bake).unwrap();
    let told: Vec<&str> = report.findings().iter().map(|finding| finding.code.name).collect();
    let wanted = ["texture", "blending", "polygons", "animation", "weapon"];
    assert_eq!(told, wanted.map(|what| format!("ff7-skeleton.lost-{what}")));
    assert_eq!(scene.clips.len(), 1);
    assert_eq!(scene.clips[0].index, 1);
}

#[test]
fn a_weapon_is_seen_in_the_clips_that_move_it_and_its_others_are_variants() {
    let body = vec![([0; 3], vec![[0; 3]; 2]); 2];
    let held = vec![([7, 8, 9], vec![[1024, 0, 0]]); 2];
    let model = Battle {
        skeleton: skeleton(&[(-1, -5.0)], 2),
        weapons: vec![named(triangle(None, 4)), named(triangle(None, 4))],
        pack: Some(pack(vec![
            entry(&body, AngleKey::Zero),
            entry(&body, AngleKey::Zero),
            Entry::new(1, 1, EMPTY_PAYLOAD.to_vec()),
            entry(&held, AngleKey::Zero),
        ])),
        ..Battle::default()
    };
    let (scene, _) = battle(&model, Additive::Bake).unwrap();
    let node = scene.nodes.len() - 1;
    assert_eq!(scene.nodes[node].name, "weapon");
    let (moment, _) = places(&scene, 0, 1);
    assert!(!moment.visible[node]);
    let (moment, found) = places(&scene, 1, 1);
    assert!(moment.visible[node]);
    assert_near(
        found[node],
        in_scene(weapon(FrameRef { position: [7, 8, 9], bones: &[[1024, 0, 0]] })),
        10.0,
    );
    assert_eq!(scene.variants.len(), 1);
}

/// A weapon that moves longer than the body makes the clip as long as it is.
#[test]
fn a_weapon_may_move_on() {
    let body = vec![([0; 3], vec![[0; 3]; 2]); 2];
    let held = vec![([7, 8, 9], vec![[1024, 0, 0]]); 9];
    let model = Battle {
        skeleton: skeleton(&[(-1, -5.0)], 1),
        weapons: vec![named(triangle(None, 4))],
        pack: Some(pack(vec![entry(&body, AngleKey::Zero), entry(&held, AngleKey::Zero)])),
        ..Battle::default()
    };
    let (scene, _) = battle(&model, Additive::Bake).unwrap();
    let found = check(&scene);
    assert!(found.findings().is_empty(), "{:?}", found.findings());
    assert!((scene.clips[0].duration - 8.0 / 15.0).abs() < 1e-6, "{}", scene.clips[0].duration);
}

/// A material of a triangle that blends so, over a picture of one pixel, and what was told.
fn looked_at(
    blend_mode: u32,
    features: u32,
    alpha: u8,
    additive: Additive,
) -> (Material, [u8; 4], Vec<&'static str>) {
    let mut part = triangle(Some(0), blend_mode);
    part.hundreds[0].features = features.into();
    part.hundreds[0].options = 0x60.into();
    let model = Battle {
        skeleton: skeleton(&[(-1, -5.0)], 0),
        parts: vec![Some(named(part))],
        textures: vec![painted(Image { width: 1, height: 1, rgba: vec![[100, 50, 0, alpha]] })],
        ..Battle::default()
    };
    let (scene, report) = battle(&model, additive).unwrap();
    assert_eq!(check(&scene).findings(), []);
    let told = report.findings().iter().map(|finding| finding.code.name).collect();
    (scene.materials[0].clone(), scene.images[0].pixels.rgba[0], told)
}

#[test]
fn groups_blend_as_their_hundreds_say() {
    let blending = vec!["ff7-skeleton.lost-blending"];
    for (mode, alpha, wanted, factor, told) in [
        (0, 255, AlphaMode::Blend, 0.5, vec![]),
        (1, 255, AlphaMode::Blend, 1.0, blending.clone()),
        (2, 255, AlphaMode::Blend, 0.5, blending.clone()),
        (3, 255, AlphaMode::Blend, 0.5, blending.clone()),
        (4, 255, AlphaMode::Opaque, 1.0, vec![]),
        (4, 0, AlphaMode::Mask(0.5), 1.0, vec![]),
        (4, 200, AlphaMode::Blend, 1.0, vec![]),
    ] {
        let (material, pixel, found) = looked_at(mode, 0x60, alpha, Additive::Bake);
        assert_eq!((material.alpha_mode, material.base_color.w), (wanted, factor), "{mode} {alpha}");
        // Added: 100 is the most, so 255, 255 · 50 / 100, and 100 of alpha.
        let shown = if mode == 1 { [255, 128, 0, 100] } else { [100, 50, 0, alpha] };
        assert_eq!((pixel, found), (shown, told), "{mode} {alpha}");
    }
    assert_eq!(looked_at(1, 0x60, 255, Additive::Plain).1, [100, 50, 0, 255]);
}

#[test]
fn pictures_wrap_and_backs_are_seen_as_the_features_say() {
    for (features, wrap, two_sided) in [
        (0x60, [Wrap::Repeat; 2], false),
        (0x20, [Wrap::Repeat, Wrap::Clamp], false),
        (0x4000, [Wrap::Clamp; 2], true),
    ] {
        let (material, ..) = looked_at(4, features, 255, Additive::Bake);
        assert_eq!((material.texture.unwrap().wrap, material.two_sided), (wrap, two_sided));
    }
}

/// A picture of one pixel, by several palettes.
fn palettes(name: &str, colours: &[[u8; 4]]) -> Picture {
    let mut images = colours.iter().map(|&rgba| Image { width: 1, height: 1, rgba: vec![rgba] });
    let name = name.to_owned();
    Picture { name, image: images.next(), palettes: images.collect(), ..Picture::default() }
}

/// Parts on one bone each, with pictures.
fn dressed(parts: Vec<p::Document>, textures: Vec<Picture>) -> Scene {
    let bones = vec![(-1, -5.0); parts.len()];
    let parts = parts.into_iter().map(|part| Some(named(part))).collect();
    let model = Battle { skeleton: skeleton(&bones, 0), parts, textures, ..Battle::default() };
    let (scene, report) = battle(&model, Additive::Bake).unwrap();
    assert_eq!(check(&scene).findings(), []);
    let told: Vec<u64> = report.findings().iter().map(|finding| finding.count).collect();
    assert!(told.iter().all(|&count| count == 1), "nothing is told twice: {told:?}");
    scene
}

/// Name, alpha and pixel of what stands in for which materials.
fn swapped(scene: &Scene, look: usize) -> Vec<(usize, &str, AlphaMode, [u8; 4])> {
    let row = |&(own, other): &(Id<Material>, Id<Material>)| {
        let material = &scene.materials[other.index()];
        let image = material.texture.as_ref().unwrap().image.index();
        (own.index(), material.name.as_str(), material.alpha_mode, scene.images[image].pixels.rgba[0])
    };
    scene.looks[look].swaps.iter().map(row).collect()
}

#[test]
fn every_palette_behind_the_first_is_a_look() {
    let skin = palettes("skin", &[[9, 8, 7, 255], [1, 2, 3, 0], [4, 5, 6, 255]]);
    let coat = palettes("coat", &[[9, 9, 9, 255], [100, 50, 0, 255]]);
    let parts = vec![
        triangle(None, 4),
        triangle(Some(0), 4),
        triangle(Some(1), 1),
        triangle(Some(0), 4),
        triangle(Some(2), 4),
    ];
    let scene = dressed(parts, vec![skin, coat, palettes("plain", &[[7; 4]])]);
    let names: Vec<&str> = scene.looks.iter().map(|look| look.name.as_str()).collect();
    assert_eq!(names, ["palette 1", "palette 2"]);
    // Its key makes a hole in the skin; the coat is added, its brightest part being 100.
    let first = [
        (1, "skin palette 1", AlphaMode::Mask(0.5), [1, 2, 3, 0]),
        (2, "coat palette 1", AlphaMode::Blend, [255, 128, 0, 100]),
    ];
    assert_eq!(swapped(&scene, 0), first);
    assert_eq!(swapped(&scene, 1), [(1, "skin palette 2", AlphaMode::Opaque, [4, 5, 6, 255])]);
    let [_, other] = [1, 2].map(|i| &scene.materials[scene.looks[0].swaps[i - 1].1.index()]);
    assert_eq!(other.extras, scene.materials[2].extras, "how it blends stands with it as well");
}

#[test]
fn palettes_that_show_the_same_are_no_look() {
    let skin = palettes("skin", &[[9, 8, 7, 255]; 3]);
    let scene = dressed(vec![triangle(Some(0), 4), triangle(Some(0), 1)], vec![skin]);
    assert_eq!((scene.looks.len(), scene.materials.len(), scene.images.len()), (0, 2, 2));
    let unused = palettes("unused", &[[1; 4], [2; 4]]);
    assert_eq!(dressed(vec![triangle(None, 4)], vec![unused]).looks, []);
    let skin = palettes("skin", &[[9, 8, 7, 255], [9, 8, 7, 255], [6, 5, 4, 255]]);
    let scene = dressed(vec![triangle(Some(0), 4)], vec![skin]);
    assert_eq!(scene.looks.len(), 1);
    assert_eq!(scene.looks[0].name, "palette 2", "a look goes by the number of its palette");
}

#[test]
fn a_model_stands_as_its_first_animation_begins() {
    let rows = vec![([3, -4, 5], vec![[0, 1024, 0], [512, 0, 0]]), ([9, 9, 9], vec![[0; 3]; 2])];
    let model = Battle {
        skeleton: skeleton(&[(-1, -20.0)], 1),
        pack: Some(pack(vec![entry(&rows, AngleKey::Zero)])),
        ..Battle::default()
    };
    let (scene, _) = battle(&model, Additive::Bake).unwrap();
    let (_, first) = places(&scene, 0, 0);
    let mut models = Matrices::identity(scene.nodes.len());
    to_model(&scene, &Moment::at_rest(&scene), &mut models);
    for (node, wanted) in first.into_iter().enumerate() {
        assert_near(Mat4::from(models.matrix(node)), wanted, 1.0);
    }
}
