//! Whether what comes back is what was written, as far as glTF says it. Also used by the tests of all formats.
#![allow(dead_code, reason = "not every test uses all of it")]

use std::collections::{BTreeMap, BTreeSet};

use galvani_gltf::{Extension, Options, Visibility};
use galvani_scene::{
    Clip, Id, Interp, Mesh, Moment, Node, Primitive, Sampler, Scene, Skin, Track, UvTransform,
};
use glam::Vec2;

/// How far a motion may be from the one that was written: cubics are written by other slopes.
const NEAR: f32 = 2e-5;

/// How far where turns were baked: 1e-4 rad of half the angle on either side of a length of 1.
const NEAR_BAKED: f32 = 1e-4;

/// Fails unless the second is what export leaves of the first.
pub(crate) fn are_alike(a: &Scene, b: &Scene, options: &Options) {
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
        // The extension for levels cannot say that nothing is shown.
        let is_level = one.state == 0 && options.extensions.contains(&Extension::Lod);
        let shown = |scene: &Scene, shows: &[(Id<Node>, Option<Id<Mesh>>)]| {
            let name = |mesh: Id<Mesh>| scene.meshes[mesh.index()].name.clone();
            let said = shows.iter().filter(|(_, mesh)| mesh.is_some() || !is_level);
            said.map(|(node, mesh)| (*node, mesh.map(name))).collect::<BTreeMap<_, _>>()
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

pub(crate) fn names(scene: &Scene) -> Vec<&str> {
    scene.nodes.iter().map(|node| node.name.as_str()).collect()
}

fn materials(a: &Scene, b: &Scene, options: &Options) {
    let mut wanted = a.materials.clone();
    let names: BTreeSet<&str> = b.materials.iter().map(|material| material.name.as_str()).collect();
    assert_eq!(names.len(), b.materials.len(), "each has a name of its own");
    for (material, made) in wanted.iter_mut().zip(&b.materials) {
        if made.name.starts_with(&format!("{}_", material.name)) || material.name.is_empty() {
            material.name.clone_from(&made.name);
        }
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
            let parts = first.colors.get(i).to_array().into_iter().zip(second.colors.get(i).to_array());
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
pub(crate) fn every_way() -> Vec<Options> {
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
