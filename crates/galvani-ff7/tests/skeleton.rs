//! Skeletons: read and written without loss, edited to the byte.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

use galvani_core::{ReadOptions, Readings, Strictness};
use galvani_ff7::pack;
use galvani_ff7::skeleton::{self, Parent, edit, read, write};
use galvani_testkit::round_trips;
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
    assert_eq!(pack::KnownSkeleton::from(&document), pack::KnownSkeleton::beside(3, 52));
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

/// The three bones, to be edited; with it the document as it was.
fn edited(edit: impl FnOnce(&mut skeleton::Document)) -> (skeleton::Document, skeleton::Document) {
    let before = read(&file(), &ReadOptions::default()).unwrap().document;
    let mut after = before.clone();
    edit(&mut after);
    (before, after)
}

#[test]
fn an_edit_changes_one_field_and_no_other_byte() {
    type Edit = fn(&mut skeleton::Document);
    let edits: [(Edit, usize, [u8; 4]); 6] = [
        (|it| edit::reparent(it, 2, Some(1)).unwrap(), 52 + 24, 1_i32.to_le_bytes()),
        (|it| edit::reparent(it, 2, None).unwrap(), 52 + 24, (-1_i32).to_le_bytes()),
        (|it| edit::set_length(it, 1, -7.5).unwrap(), 52 + 16, (-7.5_f32).to_le_bytes()),
        (|it| edit::set_length(it, 2, -0.0).unwrap(), 52 + 28, (-0.0_f32).to_le_bytes()),
        (|it| edit::set_model(it, 1, true).unwrap(), 52 + 20, 1_u32.to_le_bytes()),
        (|it| edit::set_model(it, 0, false).unwrap(), 52 + 8, 0_u32.to_le_bytes()),
    ];
    for (edit, at, field) in edits {
        let (_, after) = edited(edit);
        let mut wanted = file();
        wanted[at..at + 4].copy_from_slice(&field);
        assert_ne!(wanted, file(), "at {at}");
        assert_eq!(write(&after).unwrap(), wanted, "at {at}");
    }
}

#[test]
fn an_edit_that_changes_nothing_leaves_every_bit() {
    let (_, mut document) = edited(|it| it.bones[0].has_model = 7);
    edit::set_model(&mut document, 0, true).unwrap();
    assert_eq!(document.bones[0].has_model, 7, "a number that says so already is kept");
    let (before, after) = edited(|it| {
        edit::set_model(it, 1, false).unwrap();
        edit::reparent(it, 1, Some(0)).unwrap();
        edit::set_length(it, 1, -12.5).unwrap();
        assert!(edit::make_canonical(it).findings().is_empty());
    });
    assert_eq!(after, before);
}

#[test]
fn a_refusal_says_why_and_changes_nothing() {
    let (before, mut document) = edited(|_| ());
    let far = format!("bone {} of 3", usize::MAX);
    for (refused, wanted) in [
        (
            edit::reparent(&mut document, 1, Some(1)),
            "bones[1].parent: ff7-skeleton.parent-refused: less than 1 wanted, 1 found",
        ),
        (
            edit::reparent(&mut document, 0, Some(2)),
            "bones[0].parent: ff7-skeleton.parent-refused: less than 0 wanted, 2 found",
        ),
        (edit::reparent(&mut document, 3, None), "bones[3]: ff7-skeleton.no-bone: bone 3 of 3"),
        (edit::set_length(&mut document, 3, -1.0), "bones[3]: ff7-skeleton.no-bone: bone 3 of 3"),
        (edit::set_model(&mut document, usize::MAX, true), &far),
        (edit::set_length(&mut document, 1, f32::INFINITY), "bones[1].length: ff7-skeleton.value: inf found"),
        (edit::set_length(&mut document, 1, f32::NAN), "bones[1].length: ff7-skeleton.value: NaN found"),
    ] {
        let told = refused.unwrap_err().to_string();
        assert!(told.ends_with(wanted), "{told}");
    }
    assert_eq!(document, before);
}

#[test]
fn canonical_drops_what_follows_the_bones_and_says_so() {
    let padded = [file(), vec![1, 2, 3]].concat();
    let mut document = read(&padded, &ReadOptions::default()).unwrap().document;
    let report = edit::make_canonical(&mut document);
    let told: Vec<String> = report.findings().iter().map(ToString::to_string).collect();
    assert_eq!(told, ["rest: ff7-skeleton.lost-bytes: 3 bytes"]);
    assert_eq!(write(&document).unwrap(), file());
    // What is left of a bone in a file that was cut short is not dropped.
    let mut cut = read(&file()[..80], &ReadOptions::default()).unwrap().document;
    assert!(edit::make_canonical(&mut cut).findings().is_empty());
    assert_eq!(write(&cut).unwrap(), file()[..80]);
}

#[test]
fn a_length_of_any_bits_is_kept_and_equal_to_itself() {
    for bits in [0x7f80_0001_u32, 0x7fc0_0000, 0xffff_ffff, 0xff80_0000, 0x8000_0000, 1] {
        let mut odd = file();
        odd[56..60].copy_from_slice(&bits.to_le_bytes());
        let document = round_trips(&odd, |file| read(file, &ReadOptions::default()), write).document;
        assert_eq!(document.bones[0].length.to_bits(), bits);
    }
}

/// What an editor makes of a location each time it saves one.
fn location(pieces: u32, appended: &[u8]) -> Vec<u8> {
    let header = [1_u32, 1, 1, 0, 0, pieces, 1, 0, 0, 0, 0, 0, 0];
    header.iter().flat_map(|word| word.to_le_bytes()).chain(appended.iter().copied()).collect()
}

proptest! {
    #[test]
    fn what_is_appended_to_a_location_is_known_kept_and_can_be_dropped(
        pieces in 1..50_usize,
        fill: u8,
        over in 1..12_usize,
    ) {
        let count = u32::try_from(pieces).unwrap();
        let appended = location(count, &vec![fill; 12 * pieces]);
        prop_assert!(skeleton::is_shaped(&appended));
        let mut document = round_trips(&appended, |file| read(file, &ReadOptions::default()), write).document;
        prop_assert_eq!((document.bones.len(), document.rest.len()), (0, 12 * pieces));
        let code = |document: &skeleton::Document| {
            skeleton::check(document).findings().iter().map(|finding| finding.code).collect::<Vec<_>>()
        };
        prop_assert_eq!(code(&document), [&skeleton::check::APPENDED]);
        document.rest.truncate(12 * pieces - over);
        prop_assert_eq!(code(&document), [&skeleton::check::REST]);
        prop_assert!(!skeleton::is_shaped(&write(&document).unwrap()));
        edit::make_canonical(&mut document);
        prop_assert_eq!(write(&document).unwrap(), location(count, &[]));
    }

    #[test]
    fn every_byte_comes_back(
        bytes in proptest::collection::vec(any::<u8>(), 52..300),
        bones in prop_oneof![0..24_u32, any::<u32>()],
    ) {
        let mut bytes = bytes;
        bytes[12..16].copy_from_slice(&bones.to_le_bytes());
        let read = round_trips(&bytes, |file| read(file, &ReadOptions::default()), write);
        let found = u32::try_from(read.document.bones.len()).unwrap();
        prop_assert_eq!(found.checked_add(read.document.missing), Some(bones));
        let mut report = skeleton::check(&read.document);
        report.locate(&read.map);
        prop_assert!(report.findings().iter().all(|finding| finding.offset.is_some()));
    }
}
