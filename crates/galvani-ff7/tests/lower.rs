//! Scenes as new models: lifted again they show the same triangles, frame by frame, and every file is sound.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failed step is a failed test")]

mod common {
    #[path = "../../../galvani-scene/tests/common/scenes.rs"]
    pub(crate) mod scenes;
    #[allow(dead_code, reason = "another test needs the rest")]
    #[path = "../../../galvani-scene/tests/common/slow.rs"]
    pub(crate) mod slow;
}

use std::collections::{BTreeMap, BTreeSet};

use common::scenes::scenes;
use common::slow;
use galvani_core::image::Additive;
use galvani_core::{Image as Pixels, ReadOptions, Report, Severity};
use galvani_ff7::field::{a, hrc, rsd};
use galvani_ff7::lift::field::{Animation, Field, Resource};
use galvani_ff7::lift::{self, Battle, Picture};
use galvani_ff7::lower::told::{in_battle, on_field, steps};
use galvani_ff7::lower::{Options, battle, field};
use galvani_ff7::names::{File, Model};
use galvani_ff7::pack::{KnownSkeleton, Word};
use galvani_ff7::{p, pack, skeleton};
use galvani_scene::{
    AlphaMode, Camera, Clip, Curve, Event, Fact, Id, Image, Influences, Joint, Light, LightForm, Look,
    Lowered, Material, Mesh, Node, Primitive, Pull, Scene, Skin, Socket, Texture, Track, UvTransform,
    Variant, Wrap, check,
};
use galvani_testkit::{codes_are_sound, every_code_is_provoked};
use glam::{Affine3A, DMat4, DVec3, Quat, Vec2, Vec3, Vec4};
use proptest::prelude::*;

type Triangles = Vec<[DVec3; 3]>;

// ——— What comes back ———

fn picture(name: &str) -> Picture {
    let image = Pixels { width: 1, height: 1, rgba: vec![[9, 8, 7, 255]] };
    Picture { name: name.to_owned(), image: Some(image), looked: Vec::new() }
}

fn sound(report: &Report, file: &str) {
    let bad = report.findings().iter().find(|finding| finding.severity > Severity::Note);
    assert!(bad.is_none(), "{file}: {}", bad.unwrap());
}

/// Reads a file that must be sound, and comes back byte for byte.
macro_rules! read {
    ($format:path, $name:expr, $bytes:expr) => {{
        use $format as format;
        let read = format::read($bytes, &ReadOptions::default()).unwrap();
        assert!(format::write(&read.document).unwrap() == $bytes.as_slice(), "{} comes back", $name);
        read.document
    }};
}

/// The scene of a field model's files, all of which are looked at.
fn lifted_field(made: &Lowered) -> Scene {
    let files: BTreeMap<&str, &Vec<u8>> = made.files.iter().map(|(name, bytes)| (name.as_str(), bytes)).collect();
    assert_eq!(files.len(), made.files.len(), "no two files have one name");
    let names: Vec<&str> = made.pictures.iter().map(|(name, _)| name.as_str()).collect();
    let there = |name: &str| {
        let name = name.to_ascii_lowercase();
        files.contains_key(name.as_str()) || names.contains(&name.as_str())
    };
    let mut model = Field { name: "back".to_owned(), ..Field::default() };
    model.pictures = names.iter().map(|name| picture(name)).collect();
    for (i, (name, bytes)) in made.files.iter().enumerate() {
        assert!(name.len() <= 15, "{name}");
        let (stem, extension) = name.rsplit_once('.').unwrap();
        match extension {
            "hrc" => {
                assert_eq!(i, 0, "the model's own file comes first");
                model.skeleton = read!(hrc, name, bytes);
                let mut report = hrc::check(&model.skeleton);
                hrc::check::parts(&model.skeleton, there, &mut report);
                assert_eq!(report.findings(), [], "{name}");
            }
            "rsd" => {
                let text = read!(rsd, name, bytes);
                let mut report = rsd::check(&text);
                rsd::check::files(&text, there, &mut report);
                assert_eq!(report.findings(), [], "{name}");
                let file = format!("{stem}.p");
                let part = read!(p, file, files[file.as_str()]);
                sound(&p::check(&part), &file);
                let of = |name: &str| names.iter().position(|known| *known == name.to_ascii_lowercase()).unwrap();
                let textures = text.resource().files()[1..].iter().map(|(name, _)| of(name)).collect();
                model.resources.insert(stem.to_owned(), Resource { file, part, textures });
            }
            "a" => {
                let document = read!(a, name, bytes);
                assert_eq!(a::check(&document).findings(), [], "{name}");
                model.animations.push(Animation { name: stem.to_owned(), file: name.clone(), document });
            }
            other => assert_eq!(other, "p"),
        }
    }
    let (scene, report) = lift::field::field(&model, Additive::Plain).unwrap();
    sound(&report, "lifted");
    assert_eq!(check(&scene).findings(), []);
    scene
}

/// The scene of a battle model's files, all of which are looked at.
fn lifted_battle(made: &Lowered) -> Scene {
    let files: BTreeMap<&str, &Vec<u8>> = made.files.iter().map(|(name, bytes)| (name.as_str(), bytes)).collect();
    let (model, first) = Model::from_file_name(&made.files[0].0).unwrap();
    assert_eq!((first, files.len()), (File::Skeleton, made.files.len()));
    let bones = read!(skeleton, "skeleton", &made.files[0].1);
    let file = |file: File| model.name(file).and_then(|name| Some((name.clone(), files.get(name.as_str())?)));
    let pack = {
        let (name, bytes) = file(File::Pack).unwrap();
        let mut pack = read!(pack, name, bytes);
        let known = KnownSkeleton {
            bones: bones.bones.len(),
            body_animations: usize::try_from(bones.body_animation_count).ok(),
            word: Word::Beside,
        };
        sound(&pack::check(&pack, Some(&known)), &name);
        pack.skeleton = Some(known);
        let mut report = Report::default();
        pack::check::skeleton_bones(&pack, &mut report);
        skeleton::check::animations(&bones, pack.entries.len(), &mut report);
        assert_eq!(report.findings(), []);
        (name, pack)
    };
    let names: BTreeSet<&str> = made.pictures.iter().map(|(name, _)| name.as_str()).collect();
    let is_there = |wanted: File| {
        file(wanted).is_some() || model.name(wanted).is_some_and(|name| names.contains(name.as_str()))
    };
    let mut report = skeleton::check(&bones);
    skeleton::check::files(&bones, &is_there, &mut report);
    assert_eq!(report.findings(), []);
    let part = |wanted: File| {
        let (name, bytes) = file(wanted)?;
        let part = read!(p, name, bytes);
        sound(&p::check(&part), &name);
        assert!(part.normals.is_empty(), "battle has none");
        Some((name, part))
    };
    let parts: Vec<_> = (0..bones.bones.len()).map(|bone| part(File::Part(bone))).collect();
    let weapons: Vec<_> = (0..16).map_while(|weapon| part(File::Weapon(weapon))).collect();
    let count = parts.iter().flatten().count() + weapons.len() + 2;
    assert_eq!(count, made.files.len(), "every file belongs to the model");
    let textures = made.pictures.iter().map(|(name, _)| picture(name)).collect();
    let model = Battle { name: "back".to_owned(), skeleton: bones, parts, textures, weapons, pack: Some(pack) };
    let (scene, report) = lift::battle(&model, Additive::Plain).unwrap();
    sound(&report, "lifted");
    assert_eq!(check(&scene).findings(), []);
    scene
}

// ——— What is shown, plainly and slowly ———

/// The triangles of everything that hangs on nodes and is seen at rest, in the model's space.
fn shown(scene: &Scene, clip: &Clip, time: f64) -> Triangles {
    let models = slow::models(scene, clip, time);
    let mut all = Vec::new();
    for (i, node) in scene.nodes.iter().enumerate() {
        if node.skin.is_some() || !seen(scene, clip, i) {
            continue;
        }
        let mesh = node.mesh.map(|mesh| mesh.find_in(&scene.meshes).unwrap());
        for primitive in mesh.iter().flat_map(|mesh| &mesh.primitives) {
            all.extend(corners(primitive).map(|corners| placed(primitive, corners, models[i])));
        }
    }
    all.extend(skinned(scene, &models));
    all
}

/// Whether a node is seen: at rest, or, if it is not, from the start of a clip on.
fn seen(scene: &Scene, clip: &Clip, index: usize) -> bool {
    let shows = |track: &Track| match track {
        Track::Visibility(node, curve) => node.index() == index && curve.values[0],
        _ => false,
    };
    scene.nodes[index].visible || clip.tracks.iter().any(shows)
}

/// The triangles of skins, each where the joint that pulls at it most puts it.
fn skinned(scene: &Scene, models: &[DMat4]) -> Triangles {
    let mut all = Vec::new();
    for node in &scene.nodes {
        let Some(skin) = node.skin.map(|skin| skin.find_in(&scene.skins).unwrap()) else { continue };
        for primitive in &node.mesh.unwrap().find_in(&scene.meshes).unwrap().primitives {
            let pulls: Vec<_> = primitive.influences.iter().collect();
            for corners in corners(primitive) {
                let mut weights = vec![0.0; skin.joints.len()];
                for pull in corners.iter().flat_map(|corner| pulls[*corner]) {
                    weights[pull.joint] += pull.weight;
                }
                let most = (0..weights.len()).rev().max_by(|a, b| weights[*a].total_cmp(&weights[*b])).unwrap();
                let joint = skin.joints[most];
                let bind = glam::Mat4::from(joint.inverse_bind).as_dmat4();
                all.push(placed(primitive, corners, models[joint.node.index()] * bind));
            }
        }
    }
    all
}

fn corners(primitive: &Primitive) -> impl Iterator<Item = [usize; 3]> {
    primitive.indices.as_chunks::<3>().0.iter().map(|it| it.map(|corner| usize::try_from(corner).unwrap()))
}

/// A triangle where it is; one that is mirrored is seen from its other side, so its corners come in the other order.
fn placed(primitive: &Primitive, corners: [usize; 3], model: DMat4) -> [DVec3; 3] {
    let [a, b, c] = corners.map(|corner| model.transform_point3(primitive.positions[corner].as_dvec3()));
    if model.determinant() < 0.0 { [a, c, b] } else { [a, b, c] }
}

/// Two lists of triangles are the same, whatever their order, and whichever corner comes first.
fn same(wanted: &Triangles, found: &Triangles, near: f64) -> Result<(), String> {
    let is_near = |a: &[DVec3; 3], b: &[DVec3; 3]| {
        (0..3).any(|turn| (0..3).all(|i| a[i].distance(b[(i + turn) % 3]) <= near))
    };
    let covers = |some: &Triangles, others: &Triangles| {
        some.iter().find(|one| !others.iter().any(|other| is_near(one, other))).copied()
    };
    if wanted.len() != found.len() {
        return Err(format!("{} triangles wanted, {} found", wanted.len(), found.len()));
    }
    match covers(wanted, found).or(covers(found, wanted)) {
        Some(lost) => Err(format!("{lost:?} is on one side only, {near} allowed: {wanted:?} {found:?}")),
        None => Ok(()),
    }
}

fn scaled(triangles: Triangles, by: f64) -> Triangles {
    triangles.into_iter().map(|corners| corners.map(|corner| corner * by)).collect()
}

fn reach(triangles: &Triangles) -> f64 {
    triangles.iter().flatten().map(|corner| corner.length()).fold(1.0, f64::max)
}

/// How many nodes hang on each other at most.
fn depth(scene: &Scene) -> f64 {
    let most = (0..scene.nodes.len()).map(|node| scene.ancestors(node).count()).max().unwrap();
    f64::from(u32::try_from(most).unwrap())
}

/// What single precision makes of numbers that were turned over and over, as a part of how far things reach.
const SINGLE: f64 = 1e-5;

/// A step of a pack's angles: half of it on each of three axes, for every bone that things hang on.
const STEP: f64 = 1.5 * std::f64::consts::TAU / 4096.0;

/// Holds all frames of a model made of a scene against the scene.
fn same_frames(scene: &Scene, options: &Options, is_battle: bool) -> Result<Lowered, String> {
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
    let part = |bytes: &[u8]| {
        Some((String::new(), p::read(bytes, &ReadOptions::default()).unwrap().document))
    };
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

fn file<'m>(made: &'m Lowered, name: &str) -> &'m [u8] {
    &made.files.iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("{name}")).1
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
    // Empty slots are no clips: body 0 to 2, then weapon 4 to 6. The same streams, save for slack bits.
    for (old, new) in [0, 1, 2, 4, 5, 6].into_iter().zip(&new) {
        assert_eq!((old, new.dw_bones, new.dw_frames), (old, old_bones(old), new.dw_frames));
        assert_eq!(old_entry(&read(sample!("frog/zgda")), old).payload.len(), new.payload.len());
    }
    assert_eq!(old.len() - 2, new.len());
    same_frames(&scene, &Options::default(), false).unwrap_err();
}
