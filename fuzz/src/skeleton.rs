//! FF7 battle skeletons under the fuzzer.

use galvani_core::{ReadOptions, Strictness};
use galvani_ff7::pack::codec::FrameRef;
use galvani_ff7::pose::{BattleRig, SkeletonPose};
use galvani_ff7::skeleton::{self, edit};
use galvani_testkit::{every_byte_is_owned, reads_or_refuses};

/// Reads, checks, places the findings, dumps every value, poses and edits; a skeleton keeps its bones.
pub(crate) fn read(data: &[u8]) {
    for options in options() {
        let Ok(found) = skeleton::read(data, &options) else { continue };
        every_byte_is_owned(&found.map, data.len());
        let mut report = skeleton::check(&found.document);
        skeleton::check::files(&found.document, &|file| file == galvani_ff7::names::File::Pack, &mut report);
        skeleton::check::animations(&found.document, 94, &mut report);
        report.locate(&found.map);
        for finding in report.findings() {
            assert!(finding.offset.is_some(), "{finding} has no place");
        }
        let mut dumped = 0;
        found.map.rows(data, |row| dumped += row.len);
        assert_eq!(dumped, data.len(), "a dump shows every byte once");
        let mut document = found.document;
        let bones = document.bones.len();
        pose(&document);
        // Hung on one another they can be posed, whatever they were before.
        for bone in 0..bones {
            edit::reparent(&mut document, bone, bone.checked_sub(1)).expect("an earlier bone");
            edit::set_length(&mut document, bone, -1.5).expect("a number");
            edit::set_model(&mut document, bone, bone % 2 == 0).expect("a bone that is there");
        }
        assert!(edit::set_length(&mut document, bones, 0.0).is_err());
        assert!(pose(&document), "a chain can be posed");
        edit::make_canonical(&mut document);
        let written = skeleton::write(&document).expect("what was edited can be written");
        let again = skeleton::read(&written, &ReadOptions::default()).expect("and read");
        assert_eq!(again.document, document);
        assert_eq!(document.bones.len(), bones);
    }
    let _ = skeleton::is_shaped(data);
}

/// What reads is written back byte for byte, what does not says why under the format's name.
pub(crate) fn round_trip(data: &[u8]) {
    for options in options() {
        reads_or_refuses("ff7-skeleton", data, |file| skeleton::read(file, &options), skeleton::write);
    }
}

/// Whether a skeleton can be posed; if so its bones have places.
fn pose(document: &skeleton::Document) -> bool {
    let Ok(rig) = BattleRig::new(document) else { return false };
    let rotations = vec![[100, -2000, 3000]; rig.len() + 1];
    let mut pose = SkeletonPose::default();
    rig.pose(FrameRef { position: [1, -466, 2], bones: &rotations }, &mut pose).expect("as many as bones");
    assert_eq!(pose.bones().count(), rig.len());
    let is_whole = document.bones.iter().all(|bone| bone.length.abs() < 1e6);
    assert!(!is_whole || pose.bones().all(|matrix| matrix.is_finite()));
    true
}

fn options() -> [ReadOptions; 2] {
    [Strictness::Tolerant, Strictness::Strict]
        .map(|strictness| ReadOptions { strictness, ..ReadOptions::default() })
}
