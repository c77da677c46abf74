//! What is exported comes back: scenes of every kind, written in every way, read again.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

mod common;
#[path = "../../galvani-scene/tests/common/scenes.rs"]
mod scenes;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

use common::{full, hiding, illegal, plain, skinned};
use galvani_core::{Meter, Report, Severity};
use galvani_gltf::document::Data;
use galvani_gltf::import::{self, Made, PictureFile, pictures};
use galvani_gltf::{Document, Extension, Imported, Options, Rig, Visibility, glb, gltf};
use galvani_scene::{
    Clip, Id, Interp, Mesh, Moment, Node, Pixels, Primitive, Sampler, Scene, Skin, Track, UvTransform, check,
};
use glam::Vec2;
use proptest::prelude::*;

/// How far a motion may be from the one that was written: cubics are written by other slopes.
const NEAR: f32 = 2e-5;

/// How far where turns were baked to 1e-4 rad.
const NEAR_BAKED: f32 = 1e-3;

/// The pictures of a document, decoded.
fn decoded(document: &Document) -> Vec<Option<Pixels>> {
    let view = document.view().unwrap();
    let data = Data::new(document, &view, &Meter::unlimited()).unwrap();
    let pixels = |file: &[u8]| {
        let mut reader = png::Decoder::new(Cursor::new(file)).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut bytes).unwrap();
        Pixels { width: frame.width, height: frame.height, rgba: bytes.as_chunks().0.to_vec() }
    };
    let all = pictures(&data).unwrap();
    all.iter()
        .map(|picture| match &picture.file {
            PictureFile::Inside(file) => Some(pixels(file)),
            _ => None,
        })
        .collect()
}

fn imported(file: &[u8], made: Made) -> Imported {
    let document = Document::read(file).unwrap();
    let pictures = decoded(&document);
    let options = import::Options { pictures: &pictures, made, ..import::Options::default() };
    let imported = galvani_gltf::import(&document, &options, &Meter::unlimited()).unwrap();
    let found = check(&imported.scene);
    assert_eq!(found.tally(Severity::Error), 0, "{:#?}", found.findings());
    assert_eq!(imported.nodes.len(), imported.scene.nodes.len());
    imported
}

/// The scene that is written and read again.
fn again(scene: &Scene, options: &Options) -> (Scene, Report) {
    let (file, _) = glb(scene.clone(), options).unwrap();
    let Imported { scene, report, .. } = imported(&file, Made::Undone);
    (scene, report)
}

/// Fails unless the second is what export leaves of the first.
fn are_alike(a: &Scene, b: &Scene, options: &Options) {
    assert_eq!((&a.name, &a.extras, &a.source), (&b.name, &b.extras, &b.source));
    assert_eq!((&a.images, &a.cameras), (&b.images, &b.cameras));
    assert_eq!(a.sockets, b.sockets);
    if options.extensions.contains(&Extension::Lights) {
        assert_eq!(a.lights, b.lights);
    }
    if options.extensions.contains(&Extension::Variants) {
        assert_eq!(a.looks, b.looks);
    }
    materials(a, b, options);
    assert_eq!(names(a).len(), names(b).len(), "{:?} {:?}", names(a), names(b));
    for (i, (one, two)) in a.nodes.iter().zip(&b.nodes).enumerate() {
        node(a, b, i, one, two, options);
    }
    assert_eq!(a.variants.len(), b.variants.len(), "variants");
    for (one, two) in a.variants.iter().zip(&b.variants) {
        assert_eq!((&one.name, one.level), (&two.name, two.level));
        let shown =
            |scene: &Scene, shows: &[(Id<Node>, Option<Id<Mesh>>)]| -> BTreeMap<Id<Node>, Option<String>> {
                let name = |mesh: Id<Mesh>| scene.meshes[mesh.index()].name.clone();
                shows.iter().map(|(node, mesh)| (*node, mesh.map(name))).collect()
            };
        assert_eq!(shown(a, &one.shows), shown(b, &two.shows));
    }
    assert_eq!(a.clips.len(), b.clips.len(), "clips");
    for (i, (one, two)) in a.clips.iter().zip(&b.clips).enumerate() {
        assert_eq!((&one.name, one.index, one.looping), (&two.name, two.index, two.looping));
        assert_eq!(
            (one.duration.to_bits(), &one.events, &one.extras),
            (two.duration.to_bits(), &two.events, &two.extras)
        );
        clips(a, b, i, options);
    }
}

fn names(scene: &Scene) -> Vec<&str> {
    scene.nodes.iter().map(|node| node.name.as_str()).collect()
}

fn materials(a: &Scene, b: &Scene, options: &Options) {
    let mut wanted = a.materials.clone();
    for material in &mut wanted {
        material.unlit &= options.extensions.contains(&Extension::Unlit);
        let textures = [&mut material.texture, &mut material.normal, &mut material.orm, &mut material.glow];
        for texture in textures.into_iter().flatten() {
            if !options.extensions.contains(&Extension::Pointer) {
                texture.transform = UvTransform::default();
            }
        }
    }
    assert_eq!(wanted, b.materials);
}

fn node(a: &Scene, b: &Scene, i: usize, one: &Node, two: &Node, options: &Options) {
    let name = if one.name.is_empty() { format!("node_{i}") } else { one.name.clone() };
    assert_eq!(name, two.name);
    assert_eq!(
        (one.parent, one.translation, one.rotation, one.scale),
        (two.parent, two.translation, two.rotation, two.scale),
        "{name}"
    );
    let is_told = options.visibility != Visibility::Extras && (one.mesh.is_some() || one.light.is_some());
    assert!(one.visible == two.visible || !is_told, "{name} is seen");
    assert_eq!((one.camera, &one.extras), (two.camera, &two.extras), "{name}");
    if options.extensions.contains(&Extension::Lights) {
        assert_eq!(one.light, two.light);
    }
    assert_eq!(one.mesh.is_some(), two.mesh.is_some(), "{name} shows something");
    let (Some(first), Some(second)) = (one.mesh, two.mesh) else { return };
    let (first, second) = (&a.meshes[first.index()], &b.meshes[second.index()]);
    assert_eq!((&first.name, &first.extras), (&second.name, &second.extras));
    assert_eq!(first.primitives.len(), second.primitives.len());
    for (one, two) in first.primitives.iter().zip(&second.primitives) {
        primitive(a, one, two, options);
    }
    let skin = |scene: &Scene, skin: Option<Id<Skin>>| skin.map(|skin| scene.skins[skin.index()].clone());
    assert_eq!(skin(a, one.skin), skin(b, two.skin), "{name}");
    if one.skin.is_some() {
        for (one, two) in first.primitives.iter().zip(&second.primitives) {
            influences(one, two);
        }
    }
}

fn primitive(scene: &Scene, one: &Primitive, two: &Primitive, options: &Options) {
    assert_eq!((one.material, &one.positions, &one.normals), (two.material, &two.positions, &two.normals));
    assert_eq!((&one.colors, &one.indices), (&two.colors, &two.indices));
    if !one.normals.is_empty() {
        assert_eq!(one.tangents, two.tangents);
    }
    let material = one.material.map(|material| &scene.materials[material.index()]);
    let textures = material.map(|it| [&it.texture, &it.normal, &it.orm, &it.glow]);
    for (set, uvs) in one.uvs.iter().enumerate() {
        let mut of_set = textures.iter().flatten().copied().flatten().filter(|texture| texture.uv_set == set);
        let transform = of_set.next().map(|texture| texture.transform);
        let transform = transform.filter(|_| !options.extensions.contains(&Extension::Pointer));
        let moved =
            |uv: &Vec2| transform.filter(|it| *it != UvTransform::default()).map_or(*uv, |it| it.apply(*uv));
        assert_eq!(uvs.iter().map(moved).collect::<Vec<_>>(), two.uvs[set]);
    }
}

/// The same joints pull as much, in any order.
fn influences(one: &Primitive, two: &Primitive) {
    assert_eq!(one.influences.len(), two.influences.len());
    for (one, two) in one.influences.iter().zip(two.influences.iter()) {
        let mut all: BTreeMap<usize, f32> = BTreeMap::new();
        for pull in one {
            *all.entry(pull.joint).or_default() += pull.weight;
        }
        for pull in two {
            *all.entry(pull.joint).or_default() -= pull.weight;
        }
        assert!(all.values().all(|rest| rest.abs() < 1e-5), "{one:?} {two:?}");
    }
}

/// What moves in a clip stands where it stood, at its keys and between them.
fn clips(a: &Scene, b: &Scene, index: usize, options: &Options) {
    let (one, two) = (&a.clips[index], &b.clips[index]);
    let is_baked = one
        .tracks
        .iter()
        .any(|track| matches!(track, Track::Rotation(_, curve) if curve.interp.has_tangents()));
    let near = if is_baked { NEAR_BAKED } else { NEAR };
    let moments = (Moment::at_rest(a), Moment::at_rest(b));
    let (mut first, mut second) = moments;
    for time in times(one) {
        Sampler::new(a).sample(one, time, &mut first);
        Sampler::new(b).sample(two, time, &mut second);
        for (i, node) in a.nodes.iter().enumerate() {
            let (local, other) = (first.local(i), second.local(i));
            let size = local.translation.length().max(1.0);
            assert!(local.abs_diff_eq(other, near * size), "{} at {time}: {local} is not {other}", node.name);
            let is_lit = node.light.is_some() && options.extensions.contains(&Extension::Lights);
            // Only told, what is hidden at rest is not.
            let is_told = options.visibility != Visibility::Extras || hides(one, i);
            let is_shown = node.mesh.is_some() || is_lit;
            assert!(
                !is_told || !is_shown || first.visible[i] == second.visible[i],
                "{} is seen at {time}: {options:?}",
                node.name
            );
        }
        for (i, material) in a.materials.iter().enumerate() {
            let parts = first.colors.get(i).into_iter().zip(second.colors.get(i));
            let is_one = options.extensions.contains(&Extension::Pointer);
            // Colours and alpha are one value where an extension says them: baked, and cut to what can be seen.
            let far = parts.map(|(a, b)| if is_one { a.clamp(0.0, 1.0) - b } else { a - b }.abs());
            let far = far.fold(0.0, f32::max);
            let near = if is_one { 2e-3 } else { 1e-6 };
            assert!(far < near || (is_one && has_steps(one, i)), "{} at {time}: {far}", material.name);
            assert_eq!(first.images[i], second.images[i], "{} at {time}", material.name);
        }
    }
}

fn hides(clip: &Clip, node: usize) -> bool {
    clip.tracks.iter().any(|track| matches!(track, Track::Visibility(of, _) if of.index() == node))
}

/// Whether a material's colour or alpha jumps: with the other it becomes one slope.
fn has_steps(clip: &Clip, material: usize) -> bool {
    let of = clip.tracks.iter().filter(|track| track.material() == Some(Id::new(material)));
    of.filter(|track| matches!(track, Track::Color(..) | Track::Alpha(..)))
        .any(|track| track.interp() == Interp::Step)
}

/// Its keys, and what lies between them. Where it jumps, what was baked is on its way for an instant.
fn times(clip: &Clip) -> Vec<f32> {
    let all = clip.tracks.iter().flat_map(Track::times).copied();
    let keys: BTreeSet<u32> = all.chain([0.0, clip.duration]).map(f32::to_bits).collect();
    let keys: Vec<f32> = keys.into_iter().map(f32::from_bits).collect();
    let between = keys.windows(2).map(|pair| pair[0] + (pair[1] - pair[0]) * 0.37);
    keys.iter().copied().chain(between).collect()
}

/// Every way to write that keeps all of it.
fn every_way() -> Vec<Options> {
    use Extension::{Lights, Lod, Pointer, Unlit, Variants};
    let extensions = BTreeSet::from([Unlit, Pointer, Lod, Variants, Lights]);
    let usual = Options::default;
    vec![
        usual(),
        Options { visibility: Visibility::Extras, ..usual() },
        Options { visibility: Visibility::Extension, extensions, ..usual() },
        Options { extensions: BTreeSet::from([Lights, Unlit]), ..usual() },
    ]
}

#[test]
fn scenes_made_by_hand_come_back() {
    for scene in [plain(), skinned(), full(), hiding()] {
        for options in every_way() {
            let (found, _) = again(&scene, &options);
            are_alike(&scene, &found, &options);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn generated_scenes_come_back(scene in scenes::scenes()) {
        for options in every_way() {
            let (found, _) = again(&scene, &options);
            are_alike(&scene, &found, &options);
        }
    }
}

#[test]
fn what_comes_back_is_written_the_same_again() {
    for scene in [plain(), skinned(), full(), hiding()] {
        for options in every_way() {
            let (first, _) = again(&scene, &options);
            let (second, _) = again(&first, &options);
            are_alike(&first, &second, &options);
        }
    }
}

#[test]
fn every_other_way_gives_a_sound_scene() {
    for scene in [plain(), skinned(), full(), hiding(), illegal()] {
        for options in [
            Options { rig: Rig::Skin, ..Options::default() },
            Options { fps: Some(30.0), ..Options::default() },
            Options::default(),
        ] {
            let (found, _) = again(&scene, &options);
            assert_eq!(found.nodes.len(), scene.nodes.len(), "{options:?} {:?}", names(&found));
            let (file, _) = glb(scene.clone(), &options).unwrap();
            let kept = imported(&file, Made::Kept);
            assert!(kept.scene.nodes.len() >= scene.nodes.len());
        }
    }
}

#[test]
fn a_text_with_files_beside_it_is_the_same() {
    let scene = hiding();
    let (exported, _) = gltf(scene.clone(), &Options::default()).unwrap();
    let files = exported.named("a b").unwrap();
    let mut document = Document::read(&files[0].bytes).unwrap();
    document
        .fetch(|name| Ok(files.iter().find(|file| file.name == name).map(|file| file.bytes.clone())))
        .unwrap();
    assert_eq!(document.beside.len(), 1);
    let view = document.view().unwrap();
    let data = Data::new(&document, &view, &Meter::unlimited()).unwrap();
    let names: Vec<_> = pictures(&data).unwrap().into_iter().map(|picture| picture.file).collect();
    assert!(matches!(&names[..], [PictureFile::Beside(name)] if name == "a b_0.png"), "{names:?}");
    let pixels = vec![Some(scene.images[0].pixels.clone())];
    let options = import::Options { pictures: &pixels, ..import::Options::default() };
    let found = galvani_gltf::import(&document, &options, &Meter::unlimited()).unwrap();
    are_alike(&scene, &found.scene, &Options::default());
    assert!(found.own.is_some_and(|own| own.clips.len() == scene.clips.len()));
}

#[test]
fn what_the_export_says_about_itself_is_known() {
    let scene = Scene { source: Some(r#"{"chunks":[1,2.5,"x"]}"#.to_owned()), ..plain() };
    let options = Options { format: "msh".to_owned(), ..Options::default() };
    let (file, _) = glb(scene.clone(), &options).unwrap();
    let found = imported(&file, Made::Undone);
    let own = found.own.unwrap();
    assert_eq!((own.format.as_str(), own.source), ("msh", scene.source));
    assert_eq!(own.clips[1].animation, None);
    assert_eq!(found.scene.nodes[1].extras, scene.nodes[1].extras, "numbers of nodes");
    assert_eq!(found.nodes, [0, 1]);
    assert!(serde_json::from_str::<serde_json::Value>(&own.text).is_ok());
}
