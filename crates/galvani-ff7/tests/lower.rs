//! Scenes as new models: lifted again they show the same triangles, frame by frame, and every file is sound.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failed step is a failed test")]
#![allow(clippy::float_cmp, reason = "what is copied is the same")]

mod common {
    pub(crate) mod lowered;
    #[path = "../../../galvani-scene/tests/common/scenes.rs"]
    pub(crate) mod scenes;
    #[allow(dead_code, reason = "another test needs the rest")]
    #[path = "../../../galvani-scene/tests/common/slow.rs"]
    pub(crate) mod slow;
}

use std::collections::{BTreeMap, BTreeSet};

use common::lowered::{lifted_battle, lifted_field, picture, reach, same, scaled, shown};
use common::scenes::scenes;
use galvani_core::image::Additive;
use galvani_core::{Image, LowerError, Meter, ReadOptions, Report};
use galvani_ff7::field::{a, hrc};
use galvani_ff7::lift::field::{Animation, Field, Resource};
use galvani_ff7::lift::{self, Battle};
use galvani_ff7::lower::findings::{in_battle, on_field, steps};
use galvani_ff7::lower::{self, Options};
use galvani_ff7::{p, pack, skeleton};
use galvani_scene::{
    AlphaMode, Camera, Clip, Curve, Event, Extras, Fact, Id, Influences, Joint, Light, LightForm, Look,
    LoweredScene, Material, Mesh, Node, Primitive, Pull, Scene, SceneImage, Skin, Socket, Texture, Track,
    UvTransform, Variant, Wrap, check,
};
use galvani_testkit::{codes_are_sound, every_code_is_provoked};
use glam::{Affine3A, Quat, Vec2, Vec3, Vec4, Vec4Swizzles};
use proptest::prelude::*;

/// How many nodes hang on each other at most.
fn depth(scene: &Scene) -> f64 {
    let most = (0..scene.nodes.len()).map(|node| scene.ancestors(node).count()).max().unwrap();
    f64::from(u32::try_from(most).unwrap())
}

fn battle(scene: &Scene, options: &Options) -> Result<LoweredScene, LowerError> {
    lower::battle(scene, options, &Meter::unlimited())
}

fn field(scene: &Scene, options: &Options) -> Result<LoweredScene, LowerError> {
    lower::field(scene, options, &Meter::unlimited())
}

/// What single precision makes of numbers that were turned over and over, as a part of how far things reach.
const SINGLE: f64 = 1e-5;

/// A step of a pack's angles: half of it on each of three axes, for every bone that things hang on.
const STEP: f64 = 1.5 * std::f64::consts::TAU / 4096.0;

/// Holds all frames of a model made of a scene against the scene.
fn same_frames(scene: &Scene, options: &Options, is_battle: bool) -> Result<LoweredScene, String> {
    let made = if is_battle { battle(scene, options) } else { field(scene, options) }.unwrap();
    let back = if is_battle { lifted_battle(&made) } else { lifted_field(&made) };
    let fps: f64 = if is_battle { 15.0 } else { 30.0 };
    let clips: Vec<&Clip> = match &options.clips {
        None => scene.clips.iter().collect(),
        Some(clips) => clips.iter().map(|clip| &scene.clips[clip.index()]).collect(),
    };
    let still = Clip::default();
    let clips = if clips.is_empty() { vec![&still] } else { clips };
    assert_eq!(back.clips.len(), clips.len());
    let scale = f64::from(options.scale);
    for (clip, lifted) in clips.into_iter().zip(&back.clips) {
        let duration = f64::from(clip.duration);
        let last = (duration * fps - 1e-3).ceil().max(0.0);
        assert!((f64::from(lifted.duration) * fps - last).abs() < 1e-3, "{} frames", lifted.duration);
        let mut frame = 0.0;
        while frame <= last {
            let wanted = scaled(shown(scene, clip, (frame / fps).min(duration)), scale);
            let found = shown(&back, lifted, f64::from(lifted.duration).min(frame / fps + 1e-9));
            let reach = reach(&wanted).max(reach(&found));
            // The farthest vertex of a chain of bones, each a step off, and the root, which stands on whole units.
            let near = if is_battle { reach * depth(&back) * STEP + 1.0 } else { reach * SINGLE };
            same(&wanted, &found, near).map_err(|told| format!("frame {frame}: {told}"))?;
            frame += if frame + 11.0 > last && frame < last { last - frame } else { 11.0 };
        }
    }
    Ok(made)
}

fn codes(report: &Report) -> BTreeSet<&'static str> {
    report.findings().iter().map(|finding| finding.code.name).collect()
}

/// A scene of which all can be held: sizes are even and stay, and nothing but what `may_move` says is moved.
fn holdable(mut scene: Scene, may_move: impl Fn(Id<Node>) -> bool) -> Scene {
    scene.nodes.iter_mut().for_each(|node| node.scale = Vec3::splat(node.scale.x));
    for clip in &mut scene.clips {
        clip.tracks.retain(|track| match track {
            Track::Translation(node, _) => may_move(*node),
            Track::Scale(..) => false,
            _ => true,
        });
    }
    scene
}

/// The options under which battle models are compared: whole units are small.
fn fine() -> Options {
    Options { scale: 64.0, ..Options::default() }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn models_show_the_same_triangles_in_every_frame(scene in scenes()) {
        for (is_battle, options, told) in
            [(false, Options::default(), "ff7-hrc.lost-translation"), (true, fine(), "ff7-skeleton.lost-translation")]
        {
            let moved = holdable(scene.clone(), |_| true);
            let lower = |scene: &Scene| if is_battle { battle(scene, &options) } else { field(scene, &options) };
            let is_lost = codes(&lower(&moved).unwrap().report).contains(told);
            let wanted = if is_lost { holdable(moved, |_| false) } else { moved };
            let made = same_frames(&wanted, &options, is_battle).map_err(TestCaseError::fail)?;
            prop_assert!(!codes(&made.report).contains(told));
        }
    }

    #[test]
    fn models_rest_as_scenes_of_any_scale_do(scene in scenes()) {
        let mut scene = scene;
        for (i, node) in scene.nodes.iter_mut().enumerate() {
            let signs = Vec3::from_array([1, 2, 4].map(|bit| if i & bit == 0 { 1.0 } else { -1.0 }));
            node.scale *= signs;
        }
        for (is_battle, options) in [(false, Options::default()), (true, fine())] {
            let options = Options { clips: Some(Vec::new()), ..options };
            same_frames(&scene, &options, is_battle).map_err(TestCaseError::fail)?;
        }
    }
}

// ——— What ships ———

macro_rules! sample {
    ($name:literal) => {
        include_bytes!(concat!("../../../samples/", $name)).as_slice()
    };
}

fn boat() -> Scene {
    let read = |bytes: &[u8]| p::read(bytes, &ReadOptions::default()).unwrap().document;
    let resource = |file: &str, bytes: &[u8], textures: &[usize]| {
        let resource = Resource { file: format!("{file}.p"), part: read(bytes), textures: textures.to_vec() };
        (file.to_owned(), resource)
    };
    let document = a::read(sample!("boat.a"), &ReadOptions::default()).unwrap().document;
    let model = Field {
        name: "boat".to_owned(),
        skeleton: hrc::read(sample!("boat.hrc"), &ReadOptions::default()).unwrap().document,
        resources: BTreeMap::from([
            resource("boat", sample!("boat.p"), &[0, 1]),
            resource("mast", sample!("mast.p"), &[0]),
            resource("lamp", sample!("lamp.p"), &[1]),
        ]),
        pictures: vec![picture("paper.tex"), picture("glow.tex")],
        animations: vec![Animation { name: "boat".to_owned(), file: "boat.a".to_owned(), document }],
    };
    lift::field::field(&model, Additive::Plain).unwrap().0
}

fn frog() -> Scene {
    let part =
        |bytes: &[u8]| Some((String::new(), p::read(bytes, &ReadOptions::default()).unwrap().document));
    let parts = vec![
        part(sample!("frog/zgam")),
        part(sample!("frog/zgan")),
        part(sample!("frog/zgao")),
        None,
        part(sample!("frog/zgaq")),
        part(sample!("frog/zgar")),
        None,
        part(sample!("frog/zgat")),
        part(sample!("frog/zgau")),
        None,
        part(sample!("frog/zgaw")),
        part(sample!("frog/zgax")),
        part(sample!("frog/zgay")),
        None,
        part(sample!("frog/zgba")),
        part(sample!("frog/zgbb")),
        part(sample!("frog/zgbc")),
    ];
    let model = Battle {
        name: "zgaa".to_owned(),
        skeleton: skeleton::read(sample!("frog/zgaa"), &ReadOptions::default()).unwrap().document,
        parts,
        textures: vec![picture("zgac")],
        weapons: vec![part(sample!("frog/zgck")).unwrap()],
        pack: Some((
            "zgda".to_owned(),
            pack::read(sample!("frog/zgda"), &ReadOptions::default()).unwrap().document,
        )),
    };
    lift::battle(&model, Additive::Plain).unwrap().0
}

fn file<'m>(made: &'m LoweredScene, name: &str) -> &'m [u8] {
    &made.files.iter().find(|(known, _)| known == name).unwrap().1
}

#[test]
fn the_boat_comes_back_bone_by_bone() {
    let scene = boat();
    let made = same_frames(&scene, &Options::default(), false).unwrap();
    assert!(codes(&made.report).is_empty(), "{:?}", made.report.findings());
    let names: Vec<&str> = made.files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        ["boat.hrc", "boat0.rsd", "boat0.p", "boat1.rsd", "boat1.p", "boat2.rsd", "boat2.p", "boat.a"]
    );
    let text = std::str::from_utf8(file(&made, "boat.hrc")).unwrap();
    assert!(text.contains("\r\nmast\r\nhull\r\n0.0\r\n1 BOAT1\r\n"), "{text}");
    assert!(text.contains("\r\nhull\r\nroot\r\n6.5\r\n1 BOAT0\r\n"), "{text}");
    // In battle it is the same boat, a little less exactly.
    same_frames(&scene, &Options::default(), true).unwrap();
}

#[test]
fn the_frog_comes_back_with_its_weapon_and_its_keys() {
    let scene = frog();
    let made = same_frames(&scene, &Options::default(), true).unwrap();
    assert!(codes(&made.report).is_empty(), "{:?}", made.report.findings());
    assert_eq!(made.pictures, [("zgac".to_owned(), Id::new(0))]);
    let read = |bytes: &[u8]| pack::read(bytes, &ReadOptions::default()).unwrap().document.entries;
    let (old, new) = (read(sample!("frog/zgda")), read(file(&made, "zgda")));
    // Empty slots are no clips: the body has 0 to 2, the weapon 4 to 6.
    let wanted: Vec<_> = old.into_iter().filter(|entry| !entry.is_empty()).collect();
    assert_eq!(new, wanted, "key by key and bit by bit");
    let skeleton = |bytes: &[u8]| skeleton::read(bytes, &ReadOptions::default()).unwrap().document;
    let (old, new) = (skeleton(sample!("frog/zgaa")), skeleton(file(&made, "zgaa")));
    let parents =
        |skeleton: &skeleton::Document| skeleton.bones.iter().map(|it| it.parent).collect::<Vec<_>>();
    assert_eq!(parents(&old), parents(&new));
    // On fields nobody holds anything.
    let made = field(&scene, &Options::default()).unwrap();
    assert!(codes(&made.report).contains("scene.hidden"));
    assert!(codes(&made.report).contains("ff7-hrc.lost-visibility"));
}

// ——— By hand ———

/// A triangle of nothing but places.
fn bare() -> Primitive {
    let positions = vec![Vec3::ZERO, Vec3::new(4.0, 0.0, 0.0), Vec3::new(0.0, 3.0, 1.0)];
    Primitive { positions, indices: vec![0, 1, 2], ..Primitive::default() }
}

fn mesh(primitive: Primitive) -> Mesh {
    Mesh { primitives: vec![primitive], ..Mesh::default() }
}

/// One node that shows a primitive.
fn scene_of(primitive: Primitive) -> Scene {
    let node = Node { name: "body".to_owned(), mesh: Some(Id::new(0)), ..Node::default() };
    Scene { name: "thing".to_owned(), nodes: vec![node], meshes: vec![mesh(primitive)], ..Scene::default() }
}

fn image(alpha: u8) -> SceneImage {
    SceneImage { name: String::new(), pixels: Image { width: 1, height: 1, rgba: vec![[9, 9, 9, alpha]] } }
}

/// So many nodes that show the same, each on the one before, turned this way in every frame.
fn chain(count: usize, frames: usize, turn: impl Fn(usize, usize) -> Quat) -> Scene {
    let mut scene = scene_of(bare());
    for i in 1..count {
        let node = Node { parent: Some(Id::new(i - 1)), translation: Vec3::Z, ..scene.nodes[0].clone() };
        scene.nodes.push(node);
    }
    if frames == 0 {
        return scene;
    }
    let times: Vec<f32> = (0..frames).map(|frame| f32::from(u16::try_from(frame).unwrap()) / 15.0).collect();
    let duration = *times.last().unwrap();
    let track = |node: usize| {
        let values = (0..frames).map(|frame| turn(node, frame)).collect();
        Track::Rotation(Id::new(node), Curve::linear(times.clone(), values))
    };
    scene.clips.push(Clip { duration, tracks: (0..count).map(track).collect(), ..Clip::default() });
    scene
}

/// Turns without any order.
fn wild(node: usize, frame: usize) -> Quat {
    let number = |salt: usize| {
        let hash = (node * 7919 + frame * 104_729 + salt * 1_299_709).wrapping_mul(2_654_435_761) >> 7;
        f32::from(u16::try_from(hash % 60_000).unwrap()) / 30_000.0 - 1.0
    };
    Quat::from_xyzw(number(1), number(2), number(3), number(4)).normalize()
}

fn part(made: &LoweredScene, name: &str) -> p::Document {
    p::read(file(made, name), &ReadOptions::default()).unwrap().document
}

fn floats(list: [zerocopy::little_endian::F32; 3]) -> [f32; 3] {
    list.map(zerocopy::little_endian::F32::get)
}

#[test]
fn what_is_missing_is_made() {
    let scene = scene_of(bare());
    let made = field(&scene, &Options::default()).unwrap();
    assert!(codes(&made.report).is_empty(), "{:?}", made.report.findings());
    assert_eq!(lifted_field(&made).clips[0].duration.to_bits(), 0.0_f32.to_bits(), "one frame");
    let part = part(&made, "thing0.p");
    assert!(part.vertex_colours.iter().all(|colour| colour.bgra == [255; 4]), "white");
    let flat = Vec3::new(0.0, -1.0, 3.0).normalize();
    // Half a turn about X.
    let wanted = [[flat.x, -flat.y, -flat.z]];
    let found: Vec<Vec3> = part.normals.iter().map(|it| Vec3::from_array(floats(it.normal))).collect();
    assert!(found.len() == 1 && found[0].distance(Vec3::from_array(wanted[0])) < 1e-6, "{found:?}");
    assert_eq!((part.texcoords.len(), part.groups[0].poly_type.get()), (0, 1));
    let made = battle(&scene, &Options::default()).unwrap();
    assert!(codes(&made.report).iter().all(|code| *code == "ff7-skeleton.renamed"));
    let names: Vec<&str> = made.files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["thaa", "tham", "thda"]);
    lifted_battle(&made);
}

#[test]
fn colours_pictures_and_coordinates_go_into_the_part() {
    let uvs = vec![vec![Vec2::ZERO; 3], vec![Vec2::new(0.25, 0.5); 3]];
    let colors = vec![Vec4::new(1.0, 0.502_886, 0.25, 1.0); 3];
    let mut scene =
        scene_of(Primitive { uvs, colors, material: Some(Id::new(0)), normals: vec![Vec3::X; 3], ..bare() });
    scene.images = vec![image(255), image(255)];
    let transform =
        UvTransform { offset: Vec2::new(0.5, 0.0), scale: Vec2::splat(2.0), ..UvTransform::default() };
    let wrap = [Wrap::Clamp, Wrap::Repeat];
    scene.materials.push(Material {
        base_color: Vec4::new(1.0, 1.0, 0.0, 0.5),
        texture: Some(Texture { uv_set: 1, transform, wrap, ..Texture::plain(Id::new(1)) }),
        alpha_mode: AlphaMode::Blend,
        two_sided: true,
        ..Material::default()
    });
    let made = field(&scene, &Options::default()).unwrap();
    assert_eq!(made.pictures, [("thingt0.tex".to_owned(), Id::new(1))]);
    let text = std::str::from_utf8(file(&made, "thing0.rsd")).unwrap();
    assert_eq!(
        text,
        "@RSD940102\r\nPLY=THING0.PLY\r\nMAT=THING0.MAT\r\nGRP=THING0.GRP\r\nNTEX=1\r\nTEX[0]=THINGT0.TIM\r\n"
    );
    let found = part(&made, "thing0.p");
    // By half, which the game does itself.
    assert_eq!(found.vertex_colours[0].bgra, [0, 188, 255, 255]);
    assert_eq!(found.texcoords[0].uv.map(zerocopy::little_endian::F32::get), [1.0, 1.0]);
    assert_eq!((found.hundreds[0].blend_mode.get(), found.groups[0].poly_type.get()), (0, 2));
    let back = lifted_field(&made);
    let material = &back.materials[0];
    assert_eq!(
        (material.alpha_mode, material.two_sided, material.base_color.w),
        (AlphaMode::Blend, true, 0.5)
    );
    assert_eq!(material.texture.as_ref().unwrap().wrap, wrap);
    assert_eq!(back.meshes[0].primitives[0].normals, [Vec3::X; 3]);
    // What the game added before is added again.
    scene.materials[0].extras.insert("blend_mode".to_owned(), Fact::Int(1));
    let made = battle(&scene, &Options::default()).unwrap();
    assert_eq!(part(&made, "tham").hundreds[0].blend_mode.get(), 1);
}

#[test]
fn what_moves_the_whole_model_is_kept_however_deep_it_is() {
    // As most programs export people: an armature, and hips that are moved below it.
    let mut scene = scene_of(bare());
    let armature = Node { rotation: Quat::from_rotation_x(-1.5), scale: Vec3::splat(2.0), ..Node::default() };
    let hips = Node { parent: Some(Id::new(0)), translation: Vec3::Y, ..Node::default() };
    let leg =
        Node { parent: Some(Id::new(1)), translation: Vec3::new(1.0, -2.0, 0.5), ..scene.nodes[0].clone() };
    let spine = Node { translation: Vec3::new(0.0, 2.0, 0.0), ..leg.clone() };
    scene.nodes = vec![armature, hips, leg, spine];
    let places = vec![Vec3::ZERO, Vec3::new(3.0, 1.0, 2.0)];
    let turns = vec![Quat::IDENTITY, Quat::from_rotation_y(2.0)];
    let tracks = vec![
        Track::Translation(Id::new(1), Curve::linear(vec![0.0, 1.0], places)),
        Track::Rotation(Id::new(1), Curve::linear(vec![0.0, 1.0], turns.clone())),
        Track::Rotation(Id::new(2), Curve::linear(vec![0.0, 1.0], turns)),
    ];
    scene.clips.push(Clip { name: "walk".to_owned(), duration: 1.0, tracks, ..Clip::default() });
    assert_eq!(check(&scene).findings(), []);
    let made = same_frames(&scene, &Options::default(), false).unwrap();
    assert!(!codes(&made.report).contains("ff7-hrc.lost-translation"));
    assert!(made.files.iter().any(|(name, _)| name == "walk.a"));
    same_frames(&scene, &fine(), true).unwrap();
    // A leg that is moved by itself is told, and stands where it began.
    scene.clips[0].tracks.push(Track::Translation(
        Id::new(2),
        Curve::linear(vec![0.0, 1.0], vec![Vec3::new(1.0, -2.0, 0.5), Vec3::ZERO]),
    ));
    let made = field(&scene, &Options::default()).unwrap();
    let told = made.report.findings().iter().find(|it| it.code.name == "ff7-hrc.lost-translation").unwrap();
    assert!(told.message.starts_with("`body`, by up to "), "{told}");
}

#[test]
fn angles_go_the_short_way_round() {
    let scene =
        chain(1, 40, |_, frame| Quat::from_rotation_z(f32::from(u16::try_from(frame).unwrap()) * 0.4));
    let made = field(&scene, &Options::default()).unwrap();
    let frames = a::read(file(&made, "thing.a"), &ReadOptions::default()).unwrap().document.frames;
    let turns: Vec<[f32; 3]> = frames.iter().map(|frame| frame.rotation).collect();
    assert!(turns.windows(2).all(|pair| (0..3).all(|i| (pair[0][i] - pair[1][i]).abs() < 45.0)), "{turns:?}");
}

#[test]
fn names_are_those_that_the_game_can_have() {
    let long = "a name that is much longer than anything that was ever written into an archive";
    let mut scene = chain(4, 0, wild);
    scene.name = "Лягушка".to_owned();
    for (node, name) in scene.nodes.iter_mut().zip(["ROOT", "Лапа", long, long]) {
        node.name = name.to_owned();
    }
    for name in ["Прыжок", long, long] {
        scene.clips.push(Clip { name: name.to_owned(), ..Clip::default() });
    }
    let made = field(&scene, &Options::default()).unwrap();
    assert!(codes(&made.report).contains("ff7-hrc.renamed"));
    let back = lifted_field(&made);
    let names: Vec<&str> = back.nodes.iter().map(|node| node.name.as_str()).collect();
    let [first, second] = ["a_name_that_is_much_longer_than", "a_name_that_is_much_longer_tha_1"];
    assert_eq!(names, ["root", "ROOT_1", "bone1", first, second]);
    let clips: Vec<&str> = back.clips.iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(clips, ["model", "a_name_that_i", "a_name_that_1"]);
    let made = battle(&scene, &Options::default()).unwrap();
    assert_eq!(made.files[0].0, "aaaa");
    lifted_battle(&made);
}

/// A scene of everything that no model holds, and of which nothing stops it.
fn rich() -> Scene {
    let mut scene = scene_of(Primitive {
        normals: vec![Vec3::X; 3],
        tangents: vec![Vec4::new(0.0, 1.0, 0.0, 1.0); 3],
        uvs: vec![vec![Vec2::ZERO; 3]; 2],
        material: Some(Id::new(0)),
        ..bare()
    });
    scene.images.push(image(0));
    let mirrored = Texture { wrap: [Wrap::Mirror; 2], ..Texture::plain(Id::new(0)) };
    let glow = Some(Texture::plain(Id::new(0)));
    scene.materials.push(Material { texture: Some(mirrored), glow, ..Material::default() });
    scene.meshes[0].primitives.push(Primitive { indices: vec![0, 1, 2, 0, 1, 3], ..bare() });
    scene.meshes[0].primitives[1].positions.push(Vec3::NAN);
    let child = Node { parent: Some(Id::new(0)), ..scene.nodes[0].clone() };
    let empty = Node { mesh: None, ..child.clone() };
    let torn = Node { rotation: Quat::from_array([0.0; 4]), translation: Vec3::NAN, ..child.clone() };
    scene.nodes.extend([child, empty, torn]);
    let light = Light {
        name: String::new(),
        form: LightForm::Point,
        color: Vec3::ONE,
        intensity: 1.0,
        range: None,
        extras: Extras::new(),
    };
    scene.lights.push(light);
    let camera = Camera { name: String::new(), fov_y: 1.0, near: 0.1, far: None, extras: Extras::new() };
    scene.cameras.push(camera);
    scene.sockets.push(Socket { name: "hand".to_owned(), node: Id::new(0) });
    scene.variants.push(Variant { level: 1, ..Variant::default() });
    scene.looks.push(Look::default());
    let ends = || vec![0.0, 0.51];
    let turns = vec![Quat::IDENTITY, Quat::from_rotation_x(0.1)];
    let tracks = vec![
        Track::Translation(Id::new(1), Curve::linear(ends(), vec![Vec3::ZERO, Vec3::X])),
        Track::Rotation(Id::new(0), Curve::step(ends(), turns.clone())),
        Track::Rotation(Id::new(2), Curve::linear(ends(), turns)),
        Track::Visibility(Id::new(1), Curve::step(ends(), vec![true, false])),
        Track::Color(Id::new(0), Curve::linear(ends(), vec![Vec3::ONE, Vec3::ZERO])),
    ];
    let events = vec![Event { name: "step".to_owned(), time: 0.2 }];
    scene.clips.push(Clip { name: "go!".to_owned(), duration: 0.51, tracks, events, ..Clip::default() });
    scene
}

/// Why a scene is refused, and what was wanted and found.
fn refusal(made: Result<LoweredScene, LowerError>) -> (&'static str, String) {
    let error = made.unwrap_err();
    (error.cause.code.name, error.cause.message.clone())
}

/// What all kinds of models refuse.
fn refusals(
    lower: fn(&Scene, &Options) -> Result<LoweredScene, LowerError>,
    (bones, pictures): (usize, usize),
) -> Vec<(&'static str, String)> {
    let mut told = Vec::new();
    let plain = || scene_of(bare());
    let mut refused = |scene: Scene, options: Options| told.push(refusal(lower(&scene, &options)));
    refused(plain(), Options { stem: Some("much too long".to_owned()), ..Options::default() });
    refused(plain(), Options { fps: Some(0.0), ..Options::default() });
    refused(plain(), Options { scale: f32::NAN, ..Options::default() });
    refused(plain(), Options { clips: Some(vec![Id::new(7)]), ..Options::default() });
    let mut empty = plain();
    empty.nodes[0].visible = false;
    refused(empty, Options::default());
    refused(chain(bones + 1, 2, wild), Options::default());
    let triangles = [0, 1, 2].repeat(0x1_0000);
    refused(scene_of(Primitive { indices: triangles, ..bare() }), Options::default());
    let positions = vec![Vec3::ONE; 65_538];
    refused(scene_of(Primitive { indices: (0..65_538).collect(), positions, ..bare() }), Options::default());
    let mut long = plain();
    long.clips.push(Clip { duration: 1e30, ..Clip::default() });
    refused(long, Options::default());
    let mut colourful = plain();
    for i in 0..=pictures {
        colourful.images.push(image(255));
        let texture = Some(Texture::plain(Id::new(i)));
        colourful.materials.push(Material { texture, ..Material::default() });
        colourful.meshes[0].primitives.push(Primitive { material: Some(Id::new(i)), ..bare() });
    }
    refused(colourful, Options::default());
    told
}

#[test]
fn every_loss_and_every_refusal_is_told_on_fields() {
    let made = field(&rich(), &Options::default()).unwrap();
    lifted_field(&made);
    let merged = field(&chain(4097, 0, wild), &Options::default()).unwrap();
    lifted_field(&merged);
    let refused = refusals(field, (4096, 1000));
    let of = |code: &str| refused.iter().find(|(known, _)| *known == code).unwrap().1.as_str();
    assert_eq!(of("ff7-hrc.too-many-bones"), "4097 bones became 4097, 4096 at most");
    assert_eq!(of("ff7-hrc.part-too-large"), "65536 triangles, 65535 at most");
    let others = refused.iter().map(|(code, _)| *code);
    let reports =
        [made.report, merged.report].map(|report| report.only(|it| it.code.name.starts_with("ff7-")));
    every_code_is_provoked(on_field::ALL, reports, others);
    codes_are_sound("ff7-hrc", on_field::ALL);
}

#[test]
fn every_loss_and_every_refusal_is_told_in_battle() {
    let made = battle(&rich(), &Options::default()).unwrap();
    lifted_battle(&made);
    let merged = battle(&chain(60, 0, wild), &Options::default()).unwrap();
    lifted_battle(&merged);
    let coarser = battle(&chain(40, 300, wild), &Options::default()).unwrap();
    lifted_battle(&coarser);
    let mut far = chain(1, 2, wild);
    let places = vec![Vec3::splat(0.5), Vec3::splat(40_000.0)];
    far.clips[0].tracks.push(Track::Translation(Id::new(0), Curve::linear(vec![0.0, 1.0 / 15.0], places)));
    let far = battle(&far, &Options::default()).unwrap();
    lifted_battle(&far);
    let mut refused = refusals(battle, (50, 10));
    refused.push(refusal(battle(&chain(40, 900, wild), &Options::default())));
    let mut many = scene_of(bare());
    many.clips = vec![Clip::default(); 65_537];
    refused.push(refusal(battle(&many, &Options::default())));
    let of = |code: &str| refused.iter().find(|(known, _)| *known == code).unwrap().1.as_str();
    assert_eq!(of("ff7-skeleton.too-many-bones"), "51 bones became 51, 50 at most");
    assert_eq!(of("ff7-skeleton.too-many-textures"), "11 pictures, 10 at most");
    assert_eq!(of("ff7-skeleton.too-many-motions"), "65537 entries, 65536 at most");
    let others = refused.iter().map(|(code, _)| *code);
    let all: Vec<_> = in_battle::ALL.iter().chain(steps::ALL).copied().collect();
    let reports =
        [made, merged, coarser, far].map(|made| made.report.only(|it| it.code.name.starts_with("ff7-")));
    every_code_is_provoked(&all, reports, others);
    codes_are_sound("ff7-skeleton", &all);
}

#[test]
fn nodes_that_never_turn_become_one_where_there_are_too_many() {
    let turn = |node: usize, frame: usize| if node % 3 == 1 { wild(node, frame) } else { wild(node, 0) };
    let mut scene = chain(72, 4, turn);
    for (i, node) in scene.nodes.iter_mut().enumerate() {
        node.translation = Vec4::from(wild(i, 99)).xyz() * 2.0;
    }
    let made = same_frames(&scene, &fine(), true).unwrap();
    let told = made.report.findings().iter().find(|it| it.code.name == "ff7-skeleton.merged-bones").unwrap();
    assert_eq!(told.message, "144 bones became 50, 50 at most");
}

#[test]
fn numbers_beyond_all_bounds_are_told() {
    let mut scene = chain(3, 2, wild);
    scene.nodes[1].translation = Vec3::splat(1e38);
    scene.nodes[1].scale = Vec3::splat(1e38);
    scene.meshes[0].primitives[0].positions[1] = Vec3::splat(f32::MAX);
    let made = field(&scene, &Options::default()).unwrap();
    assert!(codes(&made.report).contains("ff7-hrc.lost-values"));
    lifted_field(&made);
    let made = battle(&scene, &Options::default()).unwrap();
    assert!(codes(&made.report).contains("ff7-skeleton.lost-values"));
    lifted_battle(&made);
}

#[test]
fn a_scene_that_is_none_is_refused_with_its_own_finding() {
    let mut scene = scene_of(bare());
    scene.nodes[0].parent = Some(Id::new(0));
    assert_eq!(refusal(field(&scene, &Options::default())).0, "scene.parent");
    assert_eq!(refusal(battle(&scene, &Options::default())).0, "scene.parent");
}

#[test]
fn weapons_are_what_clips_show() {
    let mut scene = chain(2, 3, wild);
    let held = Node { visible: false, parent: None, translation: Vec3::ONE, ..scene.nodes[0].clone() };
    scene.nodes.push(held);
    scene.meshes.push(mesh(bare()));
    let shows = vec![(Id::new(2), Some(Id::new(1)))];
    scene.variants.push(Variant { state: 1, shows, ..Variant::default() });
    let empty_handed = scene.clips[0].clone();
    scene.clips[0].tracks.push(Track::Visibility(Id::new(2), Curve::still(true)));
    scene.clips.push(empty_handed);
    let made = same_frames(&scene, &Options::default(), true).unwrap();
    let names: Vec<&str> = made.files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["thaa", "tham", "than", "thck", "thcl", "thda"]);
    assert!(!codes(&made.report).contains("ff7-skeleton.lost-variants"));
    let entries = pack::read(file(&made, "thda"), &ReadOptions::default()).unwrap().document.entries;
    assert_eq!(entries.iter().map(pack::Entry::is_empty).collect::<Vec<_>>(), [false, false, false, true]);
}

#[test]
fn skins_are_taken_apart_joint_by_joint() {
    let mut scene = chain(2, 3, |node, frame| if frame == 0 { Quat::IDENTITY } else { wild(node, frame) });
    scene.nodes.iter_mut().for_each(|node| node.mesh = None);
    let joints = [0, 1].map(|node| Joint { node: Id::new(node), inverse_bind: Affine3A::IDENTITY });
    scene.skins.push(Skin { name: String::new(), joints: joints.to_vec() });
    let both = |weight: f32| vec![Pull { joint: 0, weight }, Pull { joint: 1, weight: 1.0 - weight }];
    scene.meshes[0].primitives[0].influences = [0.9, 0.2, 0.1].map(both).into_iter().collect::<Influences>();
    let (mesh, skin) = (Some(Id::new(0)), Some(Id::new(0)));
    scene.nodes.push(Node { name: "skin".to_owned(), mesh, skin, ..Node::default() });
    assert_eq!(check(&scene).findings(), []);
    let made = same_frames(&scene, &Options::default(), false).unwrap();
    assert!(codes(&made.report).contains("scene.one-joint"));
    same_frames(&scene, &fine(), true).unwrap();
}
