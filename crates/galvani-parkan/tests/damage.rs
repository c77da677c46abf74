//! Damaged files: cut at every byte, every word overwritten, and files made to be costly.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

mod common;

use common::raw::{RawArchive, RawRecord, number, room};
use common::{cases, document};
use galvani_core::Strictness;
use galvani_parkan::nres::{Archive, check, read, write};
use galvani_testkit::{
    findings_are_placed, options, reads_or_refuses, round_trips, truncations, word_damage,
};

/// Whether a file reads; if so it must come back, and if not say why.
fn reads(file: &[u8], strictness: Strictness) -> bool {
    let options = options(strictness);
    let found = reads_or_refuses("nres", file, |file| read(file, &options), write);
    if let Some(found) = &found {
        findings_are_placed(found, file.len(), check);
    }
    found.is_some()
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    for (case, file) in cases::all() {
        let whole = match Archive::open(&file) {
            Ok(archive) => file.len() - archive.tail().len(),
            Err(_) => file.len(),
        };
        for cut in truncations(&file) {
            for strictness in [Strictness::Tolerant, Strictness::Strict] {
                let frame_is_whole = cut.len() >= whole && strictness == Strictness::Tolerant;
                let wanted = frame_is_whole || (cut.len() == whole && reads(&file[..whole], strictness));
                assert_eq!(reads(cut, strictness), wanted, "{case} cut at {}", cut.len());
            }
        }
    }
}

#[test]
fn a_cut_names_the_header_or_the_end_that_is_missing() {
    for cut in truncations(&cases::case("worked-example")) {
        let error = read(cut, &options(Strictness::Tolerant)).unwrap_err();
        let wanted = if cut.len() < 16 { &check::TRUNCATED } else { &check::DIRECTORY_END };
        assert_eq!(error.cause.code, wanted, "{error}");
    }
}

#[test]
fn a_file_with_any_word_damaged_comes_back_or_is_refused() {
    let mut outcomes = [0_u32; 2];
    for (_, file) in cases::all() {
        word_damage(&file, |_, damaged| {
            let tolerant = reads(damaged, Strictness::Tolerant);
            let strict = reads(damaged, Strictness::Strict);
            assert!(tolerant || !strict, "strictness read more");
            outcomes[usize::from(tolerant)] += 1;
        });
    }
    let [refused, read] = outcomes;
    assert!(refused > 100 && read > 1000, "{refused} refused, {read} read");
}

/// As many entries as a hostile file of four megabytes may have.
const CROWD: usize = 60_000;

/// An archive of `CROWD` entries, the claim of each on `data` given by its index.
fn crowd(data: usize, claim: impl Fn(usize) -> (usize, usize)) -> RawArchive {
    let record = |i: usize| {
        let (start, len) = claim(i);
        RawRecord {
            type_id: 1,
            attr1: 0,
            attr2: 0,
            size: number(len),
            attr3: 1,
            name: room(format!("{i:05}").as_bytes()),
            data_offset: number(16 + start),
            sort_index: number(i),
        }
    };
    let data = (0..data).map(|i| u8::try_from(i % 251).unwrap()).collect();
    RawArchive { version: 0x100, data, records: (0..CROWD).map(record).collect(), tail: vec![] }
}

/// Reads, maps, checks and writes; held bytes stay those of the file.
fn stands_the_crowd(raw: &RawArchive, overlaps: usize) {
    let file = raw.bytes();
    let options = options(Strictness::Strict);
    let found = round_trips(&file, |file| read(file, &options), write);
    let held: usize = found.document.blocks.iter().map(|block| block.bytes.len() + block.gap.len()).sum();
    assert_eq!(held + found.document.lead.len(), raw.data.len());
    for i in [0, 1, CROWD / 2, CROWD - 1] {
        assert_eq!(found.document.payload(i), raw.payload(i));
    }
    let mut report = check(&found.document);
    report.locate(&found.map);
    let named = report.findings().iter().find(|finding| finding.code == &check::PAYLOAD_OVERLAP);
    assert_eq!(named.map_or(0, |finding| finding.count), overlaps as u64);
    let archive = Archive::open(&file).unwrap();
    assert_eq!(archive.find(b"59999"), Some(CROWD - 1));
}

#[test]
fn a_crowd_that_claims_the_same_bytes_costs_no_more_than_its_file() {
    let raw = crowd(1 << 20, |_| (0, 1 << 20));
    stands_the_crowd(&raw, CROWD - 1);
    let mut document = document(&raw.bytes());
    let before = document.clone();
    let refusal = document.make_canonical().unwrap_err();
    assert_eq!(refusal.cause.code, &check::TOO_LARGE);
    assert_eq!(document, before);
}

#[test]
fn a_crowd_that_claims_interleaved_bytes_costs_no_more_than_its_file() {
    // Each claim starts two bytes behind the one before and reaches over the next thousand.
    let raw = crowd(2 * CROWD + 2000, |i| (2 * i, 2000));
    stands_the_crowd(&raw, CROWD - 1);
    let refusal = document(&raw.bytes()).make_canonical().unwrap_err();
    assert_eq!(refusal.cause.code, &check::TOO_LARGE);
}

#[test]
fn a_crowd_that_claims_from_the_outside_in_costs_no_more_than_its_file() {
    let raw = crowd(2 * CROWD, |i| (i, 2 * (CROWD - i)));
    stands_the_crowd(&raw, CROWD - 1);
}

#[test]
fn a_crowd_of_islands_under_one_late_claim_costs_no_more_than_its_file() {
    let whole = 2 * CROWD;
    let raw = crowd(whole, |i| if i + 1 < CROWD { (2 * i, 1) } else { (0, whole) });
    stands_the_crowd(&raw, 1);
}

#[test]
fn a_crowd_of_empty_payloads_at_one_place_costs_no_more_than_its_file() {
    stands_the_crowd(&crowd(8, |_| (0, 0)), 0);
}

#[test]
fn a_crowd_can_be_edited() {
    let raw = crowd(1 << 16, |_| (0, 1 << 16));
    let mut edited = document(&raw.bytes());
    edited.replace(7, b"seven".to_vec()).unwrap();
    edited.remove(0).unwrap();
    edited.insert(30_000, common::named("new"), b"new".to_vec()).unwrap();
    let again = document(&write(&edited).unwrap());
    assert_eq!(again.payload(6), Some(&b"seven"[..]));
    assert_eq!(again.payload(30_000), Some(&b"new"[..]));
    assert_eq!(again.payload(30_001), raw.payload(30_000));
    assert_eq!(again, edited);
}
