//! What a scene became, read back; and where its triangles are, computed plainly and slowly.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a helper that fails is a failed test")]

use std::collections::BTreeMap;

use galvani_core::{ReadOptions, Report, Severity, text};
use galvani_parkan::msh::lift::{Attire, Coat, MaterialRow};
use galvani_parkan::msh::{self, check as model_check, lift};
use galvani_parkan::{mat0, nres, texm, wear};
use galvani_scene::{Clip, LoweredScene, Primitive, Scene, Track, Variant, check};
use glam::{DMat4, DVec3};

use crate::slow;

/// The bytes of a file of that name.
pub(crate) fn file<'a>(lowered: &'a LoweredScene, name: &str) -> &'a [u8] {
    &lowered.files.iter().find(|(known, _)| known == name).unwrap().1
}

/// The model, read back. Every file of it is without a fault, and written again as it is.
pub(crate) fn model(lowered: &LoweredScene) -> msh::Document {
    let options = ReadOptions::default();
    let (name, bytes) = &lowered.files[0];
    assert!(name.contains(".msh") && lowered.pictures.is_empty());
    let read = msh::read(bytes, &options).unwrap();
    assert_eq!(read.document.reading, galvani_core::Reading::Observed);
    assert_eq!(&msh::write(&read.document).unwrap(), bytes);
    let mut report = read.report;
    report.append(msh::check(&read.document));
    let table = wear::read(&lowered.files[1].1, &options).unwrap();
    assert_eq!(wear::write(&table.document).unwrap(), lowered.files[1].1);
    report.append(wear::check(&table.document));
    model_check::materials(&read.document.model(), &table.document.text, &mut report);
    for (name, bytes) in &lowered.files[2..] {
        let library = nres::read(bytes, &options).unwrap().document;
        assert_eq!(&nres::write(&library).unwrap(), bytes, "{name}");
        report.append(nres::check(&library));
        for (i, entry) in library.entries.iter().enumerate() {
            let member = library.payload(i).unwrap();
            report.append(match entry.type_id.to_le_bytes() {
                mat0::TYPE => mat0::check(&mat0::read_as(member, entry.attr2, &options).unwrap().document),
                _ => texm::check(&texm::read(member, &options).unwrap().document),
            });
        }
    }
    sound(&report);
    read.document
}

/// Nothing above a note.
pub(crate) fn sound(report: &Report) {
    let faults: Vec<_> = report.findings().iter().filter(|it| it.code.severity != Severity::Note).collect();
    assert!(faults.is_empty(), "{faults:?}");
}

/// What the table and the libraries say, as whoever finds files gathers it.
pub(crate) fn attire(table: &[u8], materials: &[u8], textures: Option<&[u8]>) -> Attire {
    let options = ReadOptions::default();
    let library = |bytes: &[u8]| nres::read(bytes, &options).unwrap().document;
    let materials = library(materials);
    let table = wear::read(table, &options).unwrap().document;
    let row = |row: &wear::WearRow<'_>| {
        let entry = materials.find(row.name.bytes).unwrap();
        let attr = &materials.entries[entry];
        let material = mat0::read_as(materials.payload(entry).unwrap(), attr.attr2, &options).unwrap();
        let coat = Coat { flags: Some(attr.attr1), material: material.document };
        MaterialRow { name: row.name.shown().into_owned(), coat: Some(coat) }
    };
    let rows = table.table().materials.rows.iter().map(row).collect();
    let mut found = BTreeMap::new();
    if let Some(textures) = textures.map(library) {
        for (i, entry) in textures.entries.iter().enumerate() {
            let name = text::shown(entry.name.text()).to_lowercase();
            found.insert(name, texm::read(textures.payload(i).unwrap(), &options).unwrap().document);
        }
    }
    Attire { rows, textures: found, ..Attire::default() }
}

/// The scene of the files.
pub(crate) fn again(lowered: &LoweredScene) -> Scene {
    let document = model(lowered);
    let textures = lowered.files.iter().find(|(name, _)| name == "Textures.lib");
    let textures = textures.map(|(_, bytes)| bytes.as_slice());
    let attire = attire(&lowered.files[1].1, file(lowered, "Material.lib"), textures);
    let (scene, _) = lift::lift(&document.model(), &attire, lift::Options::default()).unwrap();
    assert_eq!(check(&scene).findings(), []);
    exact(scene)
}

/// The same with rotations of exactly the length 1, which those of sixteen bits have not and slow arithmetic asks for.
pub(crate) fn exact(mut scene: Scene) -> Scene {
    scene.nodes.iter_mut().for_each(|node| node.rotation = node.rotation.normalize());
    for track in scene.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
        if let Track::Rotation(_, curve) = track {
            curve.values.iter_mut().for_each(|turn| *turn = turn.normalize());
        }
    }
    scene
}

/// A triangle in the model's space, and the name of its material.
pub(crate) type Triangle = ([DVec3; 3], String);

/// Everything that hangs on nodes or is bent by skins, each triangle where the joint that pulls at it most puts it.
pub(crate) fn triangles(scene: &Scene, clip: &Clip, time: f64) -> Vec<Triangle> {
    let models = slow::models(scene, clip, time);
    let mut all = Vec::new();
    for (node, model) in scene.nodes.iter().zip(&models) {
        let Some(mesh) = node.mesh.map(|mesh| mesh.find_in(&scene.meshes).unwrap()) else { continue };
        for primitive in &mesh.primitives {
            let material = primitive.material.map(|it| it.find_in(&scene.materials).unwrap().name.clone());
            for corners in corners(primitive) {
                let model = match node.skin {
                    None => *model,
                    Some(skin) => {
                        joint(&skin.find_in(&scene.skins).unwrap().joints, primitive, corners, &models)
                    }
                };
                let place = |corner: usize| model.transform_point3(primitive.positions[corner].as_dvec3());
                all.push((corners.map(place), material.clone().unwrap_or_default()));
            }
        }
    }
    all
}

fn joint(
    joints: &[galvani_scene::Joint],
    primitive: &Primitive,
    corners: [usize; 3],
    models: &[DMat4],
) -> DMat4 {
    let pulls: Vec<_> = primitive.influences.iter().collect();
    let mut weights = vec![0.0; joints.len()];
    for pull in corners.iter().flat_map(|corner| pulls[*corner]) {
        weights[pull.joint] += pull.weight;
    }
    let most = (0..weights.len()).rev().max_by(|a, b| weights[*a].total_cmp(&weights[*b])).unwrap();
    models[joints[most].node.index()] * glam::Mat4::from(joints[most].inverse_bind).as_dmat4()
}

pub(crate) fn corners(primitive: &Primitive) -> impl Iterator<Item = [usize; 3]> {
    primitive.indices.as_chunks::<3>().0.iter().map(|it| it.map(|corner| usize::try_from(corner).unwrap()))
}

/// How far off triangles may be: at each node on the way to them a place by its tolerance, and a turn by its own, which
/// moves what is at its end.
pub(crate) fn bound(scene: &Scene, shown: &[Triangle], tolerance: f64) -> f64 {
    let chain = (0..scene.nodes.len()).map(|node| scene.ancestors(node).count() + 1).max().unwrap_or(1);
    let far = shown.iter().flat_map(|(places, _)| places).map(|place| place.length()).fold(1.0, f64::max);
    let arms: f64 = scene.nodes.iter().map(|node| f64::from(node.translation.length())).sum();
    let size = f64::from(scene.size()).max(1.0);
    f64::from(u32::try_from(chain).unwrap()) * tolerance * (size + far + arms + 4.0) + 1e-5 * (far + arms)
}

/// Two lists of triangles are the same, whatever their order, and whichever corner comes first; none is inside out.
pub(crate) fn same(wanted: &[Triangle], found: &[Triangle], bound: f64) -> Result<(), String> {
    if wanted.len() != found.len() {
        return Err(format!("{} triangles wanted, {} found", wanted.len(), found.len()));
    }
    let turned = |[a, b, c]: [DVec3; 3]| [[a, b, c], [b, c, a], [c, a, b]];
    let is_near = |a: &Triangle, b: &Triangle| {
        let near = |it: [DVec3; 3]| it.iter().zip(b.0).all(|(a, b)| a.distance(b) <= bound);
        (a.1.is_empty() || a.1 == b.1) && turned(a.0).into_iter().any(near)
    };
    let mut left: Vec<&Triangle> = found.iter().collect();
    for triangle in wanted {
        let Some(at) = left.iter().position(|other| is_near(triangle, other)) else {
            return Err(format!("{triangle:?} not within {bound} of {left:?}"));
        };
        left.swap_remove(at);
    }
    Ok(())
}

/// A scene as a variant of it shows it.
pub(crate) fn varied(scene: &Scene, variant: &Variant) -> Scene {
    let mut scene = scene.clone();
    for (node, mesh) in &variant.shows {
        scene.nodes[node.index()].mesh = *mesh;
    }
    scene
}
