//! Models that were made of scenes, lifted again, and what scenes show, computed plainly and slowly.

use std::collections::{BTreeMap, BTreeSet};

use galvani_core::image::Additive;
use galvani_core::{Image, ReadOptions, Report, Severity};
use galvani_ff7::field::{a, hrc, rsd};
use galvani_ff7::lift::field::{Animation, Field, Resource};
use galvani_ff7::lift::{self, Battle, Picture};
use galvani_ff7::names::{BattleModelName, File};
use galvani_ff7::pack::{KnownSkeleton, Word};
use galvani_ff7::{p, pack, skeleton};
use galvani_scene::{Clip, LoweredScene, Primitive, Scene, Track, check};
use glam::{DMat4, DVec3};

use super::slow;

pub(crate) type Triangles = Vec<[DVec3; 3]>;

pub(crate) fn picture(name: &str) -> Picture {
    let image = Image { width: 1, height: 1, rgba: vec![[9, 8, 7, 255]] };
    Picture { name: name.to_owned(), image: Some(image), ..Picture::default() }
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
pub(crate) fn lifted_field(made: &LoweredScene) -> Scene {
    let files: BTreeMap<&str, &Vec<u8>> =
        made.files.iter().map(|(name, bytes)| (name.as_str(), bytes)).collect();
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
                let of =
                    |name: &str| names.iter().position(|known| *known == name.to_ascii_lowercase()).unwrap();
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
pub(crate) fn lifted_battle(made: &LoweredScene) -> Scene {
    let files: BTreeMap<&str, &Vec<u8>> =
        made.files.iter().map(|(name, bytes)| (name.as_str(), bytes)).collect();
    let (model, first) = BattleModelName::from_file_name(&made.files[0].0).unwrap();
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
    let model =
        Battle { name: "back".to_owned(), skeleton: bones, parts, textures, weapons, pack: Some(pack) };
    let (scene, report) = lift::battle(&model, Additive::Plain).unwrap();
    sound(&report, "lifted");
    assert_eq!(check(&scene).findings(), []);
    scene
}

/// The triangles of everything that hangs on nodes and is seen at rest, in the model's space.
pub(crate) fn shown(scene: &Scene, clip: &Clip, time: f64) -> Triangles {
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
                let most =
                    (0..weights.len()).rev().max_by(|a, b| weights[*a].total_cmp(&weights[*b])).unwrap();
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
pub(crate) fn same(wanted: &Triangles, found: &Triangles, near: f64) -> Result<(), String> {
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

pub(crate) fn scaled(triangles: Triangles, by: f64) -> Triangles {
    triangles.into_iter().map(|corners| corners.map(|corner| corner * by)).collect()
}

pub(crate) fn reach(triangles: &Triangles) -> f64 {
    triangles.iter().flatten().map(|corner| corner.length()).fold(1.0, f64::max)
}
