//! The law of the way back with the file that a glTF was made of at hand: a change of what it states is a change of the file, or told,
//! or refused. Never ignored.
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

use galvani::convert::{self, ModelTarget, ModelWish, Writing};
use galvani::formats::{self, Links, Settings, Site};
use galvani::mdx::Family;
use galvani::{Meter, OpenOptions};
use law::{Made, Model, WayBack, fates, judged};
use way_back::{Samples, converted, sample};

/// Nodes, clips, surfaces and looks are known by their names; of other things programs make names of their own.
const CALLED: &str = "programs call it as they like";

/// What says nothing of a model, or nothing that is not said elsewhere, and why: nobody has to hear of it.
const SAYS_NOTHING: &[(&str, &str)] = &[
    (
        "NORMAL",
        "programs give vertices of triangles without a side normals of their own; all others are taken",
    ),
    ("cameras.name", CALLED),
    ("cameras.type", "the numbers beside it say the same"),
    ("extensions.KHR_lights_punctual.lights.name", CALLED),
    ("images.name", CALLED),
    ("meshes.name", CALLED),
    ("scene", "of a file with one scene there is no other that could be shown; of others it is told"),
    ("scenes.name", CALLED),
    ("skins.name", CALLED),
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

/// How many of a kind are changed in a model: each is compared with the whole of what it was made of.
const MOST: usize = 2;

/// How a glTF comes back with the file of that name at hand that it was made of.
fn with_base(
    name: &str,
    bytes: Vec<u8>,
    links: impl Links + 'static,
    words: &'static [(&str, &str)],
) -> WayBack {
    let format = formats::recognise(&bytes, Some(name)).unwrap();
    let name = name.to_owned();
    Box::new(move |glb| {
        let site = Site::named(&name, &links);
        let base = format.open_at(&bytes, &OpenOptions::default(), &site).unwrap();
        let opened = formats::by_id("gltf").unwrap().open(glb, &OpenOptions::default()).ok()?;
        let target = ModelTarget::by_word(format.info().way_back.unwrap().word).unwrap();
        let wish = ModelWish { base: Some((&base, &site)), ..ModelWish::default() };
        let settings = Settings::from_words(Writing::SETTINGS, words).unwrap();
        let made: Made =
            match convert::model(&opened, &Site::NOWHERE, target, &wish, (&settings, &Meter::unlimited())) {
                Ok(made) => Ok((made.files, made.report.findings().iter().map(|it| it.code.name).collect())),
                Err(error) if error.cause.code.name.starts_with("gltf.") => return None,
                Err(_) => Err(()),
            };
        Some(made)
    })
}

const WORDS: &[(&str, &str)] =
    &[("lights", "yes"), ("variants", "yes"), ("unlit", "yes"), ("pointer", "yes")];

/// No change of a sample may be ignored, and of these kinds some must be taken.
fn sample_keeps_the_law(name: &'static str, taken: &[&str]) {
    let glb = converted(name, &sample(name), WORDS).unwrap();
    keeps_the_law(Model::new(name, &glb, with_base(name, sample(name), Samples, WORDS)), taken);
}

fn kite_keeps_the_law(name: &'static str, files: kite::Files, taken: &[&str]) {
    let glb = files.glb();
    let (own, bytes) = files.0[0].clone();
    keeps_the_law(Model::new(name, &glb, with_base(&own, bytes, files, &[])), taken);
}

fn keeps_the_law(model: Model, taken: &[&str]) {
    let fates = fates(&[model], MOST);
    assert!(SAYS_NOTHING.iter().all(|(_, why)| !why.is_empty()));
    let says_nothing: BTreeSet<&str> = SAYS_NOTHING.iter().map(|(kind, _)| *kind).collect();
    let (ignored, never_taken) = judged(&fates, &says_nothing);
    assert_eq!(ignored, Vec::<String>::new());
    for kind in taken {
        assert!(fates.contains_key(*kind) && !never_taken.contains(kind), "{kind}");
    }
}

#[test]
fn nothing_that_a_walker_states_is_ignored() {
    sample_keeps_the_law("walker.msh", &["POSITION", "TEXCOORD_0", "keys of rotation", "nodes.name"]);
}

#[test]
fn nothing_that_a_boat_states_is_ignored() {
    sample_keeps_the_law("boat.hrc", &["POSITION", "COLOR_0", "keys of rotation", "nodes.name"]);
}

#[test]
fn nothing_that_a_soldier_states_is_ignored() {
    sample_keeps_the_law("zgaa", &["POSITION", "COLOR_0", "keys of rotation"]);
}

#[test]
fn nothing_that_a_lantern_states_is_ignored() {
    sample_keeps_the_law(
        "lantern.mdx",
        &["POSITION", "NORMAL", "JOINTS_0", "keys of translation", "nodes.name"],
    );
}

#[test]
fn nothing_that_a_lantern_of_another_world_states_is_ignored() {
    sample_keeps_the_law("lantern-wow.mdx", &["POSITION", "keys of translation", "nodes.name"]);
}

#[test]
fn nothing_that_kites_state_is_ignored() {
    let taken = ["POSITION", "JOINTS_0", "WEIGHTS_0", "nodes.children"];
    kite_keeps_the_law("kite 1000", kite::warcraft(Family::Warcraft, 1000), &taken);
    kite_keeps_the_law("kite 1500", kite::warcraft(Family::Wow, 1500), &taken);
}
