//! The way back of FF7, over models that were made up: untouched, every file comes back byte for byte.
#![cfg(all(feature = "ff7", feature = "gltf", feature = "fs"))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]

#[path = "../../galvani-ff7/tests/common/pack_raw.rs"]
mod raw;
#[path = "../../galvani-scene/tests/common/scenes.rs"]
mod scenes;
#[path = "../../galvani-ff7/tests/common/pack_strategy.rs"]
#[allow(dead_code, unreachable_pub, reason = "other tests need the rest")]
mod strategy;

use std::borrow::Cow;

use galvani::ff7::lower;
use galvani::ff7::skeleton::{self, Bone};
use galvani::formats::{self, Links, Settings, Site};
use galvani::{Meter, OpenOptions, convert};
use proptest::prelude::*;

/// Files beside each other.
#[derive(Debug)]
struct Files(Vec<(String, Vec<u8>)>);

impl Links for Files {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let found = self.0.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
        found.map(|(_, bytes)| bytes.as_slice().into())
    }

    fn names(&self, extension: &str) -> Vec<String> {
        let end = format!(".{extension}");
        self.0.iter().map(|(name, _)| name.clone()).filter(|name| name.ends_with(&end)).collect()
    }
}

/// Goes there and back by the first of the files; how many came back, all of them as they were.
fn come_back(files: &Files) -> Result<usize, TestCaseError> {
    let (name, bytes) = &files.0[0];
    let site = Site::named(name, files);
    let format = formats::recognise(bytes, Some(name)).unwrap();
    let opened = format.open_at(bytes, &OpenOptions::default(), &site).unwrap();
    let meter = Meter::unlimited();
    let glb = convert::glb(&opened, &site, &Settings::default(), &meter).unwrap().files;
    let glb = formats::by_id("gltf").unwrap().open(&glb, &OpenOptions::default()).unwrap();
    let made = convert::restored(&glb, &Site::NOWHERE, &meter).unwrap();
    let told: Vec<String> = made.report.findings().iter().map(ToString::to_string).collect();
    prop_assert_eq!(told, Vec::<String>::new());
    for (name, bytes) in &made.files {
        prop_assert!(files.find(name).unwrap() == *bytes, "{name}");
    }
    Ok(made.files.len())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn every_field_model_comes_back(scene in scenes::scenes()) {
        let made = lower::field(&scene, &lower::Options::default(), &Meter::unlimited());
        prop_assume!(made.is_ok());
        let files = Files(made.unwrap().files);
        prop_assert_eq!(come_back(&files)?, files.0.len());
    }

    #[test]
    fn every_battle_model_comes_back(scene in scenes::scenes()) {
        let made = lower::battle(&scene, &lower::Options::default(), &Meter::unlimited());
        prop_assume!(made.is_ok());
        let files = Files(made.unwrap().files);
        prop_assert_eq!(come_back(&files)?, files.0.len());
    }

    /// Packs as tools leave them: empty slots, counts that lie, bytes between and behind, entries that are none.
    #[test]
    fn odd_packs_come_back(pack in strategy::pack(), lengths in prop::collection::vec(-40_i8..1, 0..5), rest in any::<[u8; 3]>()) {
        let bone = |(i, length): (usize, &i8)| {
            let parent = i32::try_from(i).unwrap() - 1;
            Bone { parent, length: f32::from(*length), has_model: u32::from(i == 0) }
        };
        let skeleton = skeleton::Document {
            bones: lengths.iter().enumerate().map(bone).collect(),
            body_animation_count: u32::try_from(pack.entries.len()).unwrap(),
            rest: rest.to_vec(),
            ..skeleton::Document::default()
        };
        let mut files = vec![
            ("aaaa".to_owned(), skeleton::write(&skeleton).unwrap()),
            ("aada".to_owned(), pack.bytes()),
        ];
        let boat = galvani::samples::all().into_iter().find(|sample| sample.name == "boat.p").unwrap();
        if !lengths.is_empty() {
            files.push(("aaam".to_owned(), boat.bytes));
        }
        prop_assert!(come_back(&Files(files))? >= 1);
    }
}
