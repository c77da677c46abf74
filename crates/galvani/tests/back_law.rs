//! The law of the way back: what a glTF states is in no other place, so that a change of it is a change of the file, or told, or
//! refused. Never ignored.
#![cfg(all(
    feature = "parkan",
    feature = "ff7",
    feature = "mdx",
    feature = "texture",
    feature = "gltf",
    feature = "fs"
))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]

#[path = "common/kite.rs"]
mod kite;
#[path = "common/law.rs"]
mod law;
#[path = "common/way_back.rs"]
mod way_back;

use std::collections::BTreeSet;

use galvani::formats::{self, Site};
use galvani::mdx::Family;
use galvani::{Meter, OpenOptions, convert};
use law::{Made, Model, fates, judged};
use way_back::{converted, sample};

/// Why what never goes back does not.
const MOTIONS: &str = "which motions there are, and their slopes, are records of the file that are counted";
const EYES: &str = "cameras and lights are called as their nodes";
const LOOKS: &str = "surfaces are made of layers, tints and pictures together";
const RECORDS: &str = "what there is, and what belongs to what, are records of the file that are counted";

/// What never goes back, but is told or refused, and why.
const ONLY_TOLD: &[(&str, &str)] = &[
    ("animations.channels.target.extensions.KHR_animation_pointer.pointer", MOTIONS),
    ("animations.channels.target.node", MOTIONS),
    ("animations.channels.target.path", MOTIONS),
    ("cameras.name", EYES),
    ("extensions.KHR_lights_punctual.lights.name", EYES),
    ("extensions.KHR_materials_variants.variants.name", LOOKS),
    ("images.name", LOOKS),
    ("inverse bind matrices", "they say again where nodes turn"),
    ("keys of pointer", MOTIONS),
    ("materials.emissiveFactor", LOOKS),
    ("materials.emissiveTexture.index", LOOKS),
    ("materials.name", LOOKS),
    ("materials.pbrMetallicRoughness.baseColorFactor", LOOKS),
    ("materials.pbrMetallicRoughness.baseColorTexture.extensions.KHR_texture_transform.offset", LOOKS),
    ("materials.pbrMetallicRoughness.baseColorTexture.extensions.KHR_texture_transform.rotation", LOOKS),
    ("materials.pbrMetallicRoughness.baseColorTexture.extensions.KHR_texture_transform.scale", LOOKS),
    ("materials.pbrMetallicRoughness.baseColorTexture.index", LOOKS),
    ("meshes.name", RECORDS),
    ("meshes.primitives.material", RECORDS),
    ("nodes.children", "a node that hangs on two others or on none; one that hangs on another goes back"),
    ("nodes.mesh", RECORDS),
    ("nodes.rotation", "what turns at rest here are cameras that move, and their clips begin there"),
    ("samplers.magFilter", LOOKS),
    ("scene", RECORDS),
    ("scenes.name", RECORDS),
    ("scenes.nodes", RECORDS),
    ("skins.joints", "all that pulls by a joint would follow another node, for which there may be no group"),
    ("skins.name", RECORDS),
    ("textures.source", LOOKS),
];

/// What says nothing of a model, or nothing that is not said elsewhere, and why: nobody has to hear of it.
const SAYS_NOTHING: &[(&str, &str)] = &[
    ("cameras.type", "the numbers beside it say the same"),
    ("images.mimeType", "the bytes of the picture say it"),
    ("keys of hiding", "sizes between hidden and seen are neither"),
    ("times of hiding", "a single key holds from the start on"),
    ("materials.pbrMetallicRoughness.metallicFactor", "no game has metals: it is the same in every glTF"),
    ("materials.pbrMetallicRoughness.roughnessFactor", "no game has rough surfaces"),
    (
        "meshes.primitives.extensions.KHR_materials_variants.mappings.material",
        "every primitive of a material says it, and one of them counts",
    ),
    ("meshes.primitives.extensions.KHR_materials_variants.mappings.variants", "the same"),
    ("nodes.skin", "skins of the same joints are one"),
    ("samplers.minFilter", "no model says how pictures become smaller"),
    ("skins.skeleton", "the joints say it"),
    ("textures.sampler", "these models have one way to show pictures; what is in it is changed by itself"),
];

/// How many of a kind are changed in a model.
const MOST: usize = 6;

/// The files of a glTF and what is told; nothing if it is none.
fn restored(glb: &[u8]) -> Option<Made> {
    let opened = formats::by_id("gltf").unwrap().open(glb, &OpenOptions::default()).ok()?;
    Some(match convert::restored(&opened, &Site::NOWHERE, &Meter::unlimited()) {
        Ok(made) => Ok((made.files, made.report.findings().iter().map(|it| it.code.name).collect())),
        Err(error) if error.cause.code.name.starts_with("gltf.") => return None,
        Err(_) => Err(()),
    })
}

fn models() -> Vec<Model> {
    let mut all = Vec::new();
    let words = [("lights", "yes"), ("variants", "yes"), ("unlit", "yes"), ("pointer", "yes")];
    for name in ["walker.msh", "boat.hrc", "zgaa", "lantern.mdx", "lantern-wow.mdx"] {
        all.push(Model::new(name, &converted(name, &sample(name), &words).unwrap(), Box::new(restored)));
    }
    all.push(Model::new("kite 1000", &kite::warcraft(Family::Warcraft, 1000).glb(), Box::new(restored)));
    all.push(Model::new("kite 1500", &kite::warcraft(Family::Wow, 1500).glb(), Box::new(restored)));
    all
}

#[test]
fn nothing_that_a_gltf_states_is_ignored() {
    let fates = fates(&models(), MOST);
    let named = |list: &[(&'static str, &str)]| -> BTreeSet<&str> {
        assert!(list.iter().all(|(_, why)| !why.is_empty()));
        list.iter().map(|(kind, _)| *kind).collect()
    };
    let (ignored, never_taken) = judged(&fates, &named(SAYS_NOTHING));
    assert_eq!(ignored, Vec::<String>::new());
    assert_eq!(never_taken, named(ONLY_TOLD));
}
