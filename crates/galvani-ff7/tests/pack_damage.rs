//! Damaged packs: cut at every byte, every word overwritten, and packs made to be costly.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

#[path = "common/pack.rs"]
mod common;

use std::time::{Duration, Instant};

use common::raw::{RawEntry, RawPack, payload};
use common::{cases, reading, report};
use galvani_core::{ReadOptions, Severity, Strictness, WantedReading};
use galvani_ff7::pack::codec::{Frames, Stop};
use galvani_ff7::pack::{KnownSkeleton, check, is_shaped, read, survey, write};
use galvani_testkit::{reads_or_refuses, truncations, word_damage};

/// Whether a file reads; if so it must come back, with every finding in its place, and if not say why.
fn reads(file: &[u8], options: &ReadOptions) -> bool {
    let found = reads_or_refuses("ff7-pack", file, |file| read(file, options), write);
    if let Some(found) = &found {
        let errors = report(found, file).tally(Severity::Error);
        assert!(options.strictness == Strictness::Tolerant || errors == 0);
        let _ = is_shaped(file);
    }
    found.is_some()
}

/// Reads under every reading and strictness; tolerance reads all that has a count.
fn stands(file: &[u8]) {
    for way in WantedReading::ALL {
        let tolerant = reads(file, &reading(way));
        let strict = reads(file, &ReadOptions { strictness: Strictness::Strict, ..reading(way) });
        assert_eq!(tolerant, file.len() >= 4);
        assert!(tolerant || !strict, "strictness read more");
    }
}

#[test]
fn a_pack_cut_anywhere_comes_back() {
    for (_, file) in cases() {
        truncations(&file).for_each(stands);
    }
}

#[test]
fn a_pack_with_any_word_damaged_comes_back() {
    for (name, file) in cases() {
        // The broken entry is long and says what a shorter one says.
        if name != "no-frame-count" {
            word_damage(&file, |_, damaged| stands(damaged));
        }
    }
}

#[test]
fn a_pack_with_any_half_word_damaged_comes_back() {
    for (_, file) in cases() {
        let mut damaged = file.clone();
        for at in 0..file.len().saturating_sub(1) {
            for word in [0_u16, 1, 0x7fff, 0x8000, u16::MAX] {
                damaged[at..at + 2].copy_from_slice(&word.to_le_bytes());
                assert_eq!(reads(&damaged, &ReadOptions::default()), file.len() >= 4, "at {at}");
            }
            damaged[at..at + 2].copy_from_slice(&file[at..at + 2]);
        }
    }
}

/// Reads, surveys, checks and counts frames by both rules, and gives the time.
fn costs(file: &[u8]) -> Duration {
    let start = Instant::now();
    let found = read(file, &ReadOptions::default()).unwrap();
    let skeleton = KnownSkeleton::beside(3, 1);
    check(&found.document, Some(&skeleton));
    let mut rows = Frames::default();
    for (entry, surveyed) in found.document.entries.iter().zip(&survey(&found.document, None).entries) {
        if let Some(clip) = surveyed.clip() {
            clip.stream(entry).end(Stop::Printed, &mut rows);
        }
    }
    start.elapsed()
}

/// More than any of these takes on a slow machine, and far less than a square would.
const MOST: Duration = Duration::from_secs(20);

#[test]
fn many_small_entries_that_promise_long_streams_cost_no_more_than_their_bytes() {
    // 40 000 entries of 14 bytes each say that 32 767 bytes follow.
    let mut small = payload(1, 4, &[0; 9], &[]);
    small[2..4].copy_from_slice(&32767_u16.to_le_bytes());
    let pack = RawPack::of(vec![RawEntry::new(1, 1, small); 40_000]);
    assert!(costs(&pack.bytes()) < MOST);
}

#[test]
fn long_streams_that_never_end_well_cost_no_more_than_their_bytes() {
    // 60 streams of 65 535 bytes, none of which ends where it should with any number of rotations.
    let stream: Vec<u8> = (0..65535_u32).map(|i| u8::try_from(i * 151 % 256).unwrap()).collect();
    let entry = |bones| RawEntry::new(bones, 7, payload(7, 4, &stream, &[1, 2, 3]));
    let pack = RawPack::of((1..61).map(entry).collect());
    assert!(costs(&pack.bytes()) < MOST);
}

#[test]
fn as_many_empty_slots_as_fit_cost_no_more_than_their_bytes() {
    let mut file = u32::MAX.to_le_bytes().to_vec();
    file.resize(1 << 20, 0);
    assert!(costs(&file) < MOST);
}
