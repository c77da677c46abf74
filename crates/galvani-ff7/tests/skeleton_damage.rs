//! Damaged skeletons: cut at every byte, every word overwritten, and counts made to be costly.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

use galvani_core::ReadOptions;
use galvani_ff7::skeleton::{BONE_LEN, Document, HEADER_LEN, check, is_shaped, read, write};
use galvani_testkit::Subject;

const SKELETON: Subject<Document> = Subject { id: "ff7-skeleton", read, write, check, codes: check::ALL };

#[test]
fn a_file_cut_anywhere_keeps_what_is_there() {
    SKELETON.stands_truncation(HEADER_LEN);
}

#[test]
fn a_file_with_any_word_damaged_comes_back_or_is_refused() {
    SKELETON.stands_word_damage();
}

#[test]
fn a_cut_loses_the_bones_behind_it_and_no_other() {
    let file = SKELETON.case("plain");
    let whole = SKELETON.document(&file);
    for len in HEADER_LEN..file.len() {
        let cut = SKELETON.document(&file[..len]);
        let found = (len - HEADER_LEN) / BONE_LEN;
        assert_eq!(cut.bones, whole.bones[..found], "cut at {len}");
        assert_eq!(usize::try_from(cut.missing).unwrap(), whole.bones.len() - found);
        assert_eq!(cut.rest, file[HEADER_LEN + found * BONE_LEN..len]);
        assert!(!is_shaped(&file[..len]), "cut at {len}");
    }
}

#[test]
fn a_count_costs_no_more_memory_than_the_file_has_bytes() {
    let file = SKELETON.case("count-huge");
    let cost = allocation_counter::measure(|| drop(read(&file, &ReadOptions::default()).unwrap()));
    assert!(cost.bytes_max < 4096, "{} bytes for {}", cost.bytes_max, file.len());
}
