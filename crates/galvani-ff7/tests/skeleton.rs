//! Skeletons: read and written without loss.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

use galvani_core::{ReadOptions, Readings, Strictness};
use galvani_ff7::pack;
use galvani_ff7::skeleton::{self, Parent, read, write};
use galvani_testkit::every_byte_is_owned;
use proptest::prelude::*;

/// Three bones, two textures, 52 animations of the body and 42 of the weapon.
fn file() -> Vec<u8> {
    let header = [2_u32, 1, 1, 3, 0, 0, 2, 52, 54, 1, 42, 0, 0];
    let bones = [(-1_i32, -39.0_f32, 1_u32), (0, -12.5, 0), (0, 0.0, 1)];
    let bones = bones.iter().flat_map(|(parent, length, model)| {
        [parent.to_le_bytes(), length.to_le_bytes(), model.to_le_bytes()].concat()
    });
    header.iter().flat_map(|word| word.to_le_bytes()).chain(bones).collect()
}

#[test]
fn a_skeleton_says_what_it_should() {
    let document = read(&file(), &ReadOptions::default()).unwrap().document;
    assert_eq!((document.kind, document.texture_count, document.weapon_count), (2, 2, 1));
    assert_eq!(document.bones[1], skeleton::Bone { parent: 0, length: -12.5, has_model: 0 });
    assert_eq!(document.parents(), [Parent::Root, Parent::Bone(0), Parent::Bone(0)]);
    assert_eq!(pack::Skeleton::from(&document), pack::Skeleton { bones: 3, body_animations: 52 });
    assert!(skeleton::check::check(&document).findings().is_empty());
}

#[test]
fn damage_is_found() {
    let told = read(&file()[..51], &ReadOptions::default()).unwrap_err().to_string();
    assert!(told.contains("ff7-skeleton.truncated"), "{told}");
    let mut document = read(&file()[..80], &ReadOptions::default()).unwrap().document;
    assert_eq!((document.bones.len(), document.missing, document.rest.len()), (2, 1, 4));
    document.bones[0].parent = 1;
    document.bones[1].parent = -2;
    assert_eq!(document.parents(), [Parent::Bone(1), Parent::Nowhere]);
    let report = skeleton::check::check(&document);
    let told: Vec<String> = report.findings().iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "bone_count: ff7-skeleton.count: 3 bones wanted, 2 found",
            "bones[0].parent: ff7-skeleton.parent: -1 or less than 0 wanted, 1 found",
        ]
    );
    assert_eq!(report.findings()[1].count, 2);
    let strict =
        ReadOptions { strictness: Strictness::Strict, readings: Readings::default(), ..Default::default() };
    assert!(read(&file()[..80], &strict).unwrap_err().to_string().contains("ff7-skeleton.count"));
}

proptest! {
    #[test]
    fn every_byte_comes_back(bytes in proptest::collection::vec(any::<u8>(), 52..200), bones in 0..20_u8) {
        let mut bytes = bytes;
        bytes[12..16].copy_from_slice(&u32::from(bones).to_le_bytes());
        let read = read(&bytes, &ReadOptions::default()).unwrap();
        every_byte_is_owned(&read.map, bytes.len());
        prop_assert_eq!(write(&read.document).unwrap(), bytes);
    }
}
