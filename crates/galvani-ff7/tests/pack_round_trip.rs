//! Laws over generated packs: what reads is written back byte for byte, and every byte is known.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

#[path = "common/pack.rs"]
mod common;

use common::raw::{Coder, RawEntry, RawPack, padding, payload, stream};
use common::strategy::{clip, coder, pack};
use common::{found, reading, report, strictly};
use galvani_core::{Read, ReadOptions, Reading, Severity, Strictness, WantedReading};
use galvani_ff7::pack::codec::{Stop, encode};
use galvani_ff7::pack::{Document, EntryContent, check, read, survey, write};
use galvani_testkit::{reads_or_refuses, round_trips};
use proptest::collection::vec;
use proptest::prelude::*;

const READINGS: [WantedReading; 3] = WantedReading::ALL;

fn round_trip(file: &[u8], options: &ReadOptions) -> Read<Document> {
    round_trips(file, |file| read(file, options), write)
}

/// Everything that must hold for one pack, however odd.
fn obeys_the_laws(file: &[u8]) {
    for way in READINGS {
        let found = round_trip(file, &reading(way));
        let report = report(&found, file);
        let strict = ReadOptions { strictness: Strictness::Strict, ..reading(way) };
        let read_strictly = reads_or_refuses("ff7-pack", file, |file| read(file, &strict), write);
        assert_eq!(read_strictly.is_none(), report.tally(Severity::Error) > 0, "{report:?}");
        recodes(&found.document);
    }
}

/// Every clip that can be had is encoded to a stream that says the same.
fn recodes(document: &Document) {
    for (entry, surveyed) in document.entries.iter().zip(&survey(document, None).entries) {
        let Some(clip) = surveyed.clip() else { continue };
        let frames = clip.frames(entry, Stop::Engine);
        let coded = encode(&frames, clip.key, clip.slack(entry));
        assert!(coded.bits <= clip.engine.bit);
        let trailing = clip.trailing(entry).to_vec();
        assert_eq!(clip.header.byte_len() + clip.range(entry).len() + trailing.len(), entry.payload.len());
        let mut again = Document { entries: vec![entry.clone()], ..Document::default() };
        let s_frames = u16::try_from(frames.len()).unwrap();
        again.entries[0].payload = payload(s_frames, clip.key.byte(), &coded.bytes, &trailing);
        again.entries[0].dw_chunk_size = u32::try_from(again.entries[0].payload.len()).unwrap();
        again.entries[0].dw_bones = u32::try_from(clip.rotations).unwrap();
        let EntryContent::Animation(recoded) = &survey(&again, None).entries[0].content else {
            panic!("unsound")
        };
        assert_eq!(recoded.frames(&again.entries[0], Stop::Engine), frames);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn every_pack_is_written_back_the_same(raw in pack()) {
        obeys_the_laws(&raw.bytes());
    }

    #[test]
    fn any_bytes_are_written_back_the_same_or_refused(bytes in vec(any::<u8>(), 0..200), count in 0_u8..9) {
        let mut file = bytes;
        for (byte, value) in file.iter_mut().zip([count, 0, 0, 0]) {
            *byte = value;
        }
        let is_read = reads_or_refuses("ff7-pack", &file, |file| read(file, &ReadOptions::default()), write);
        prop_assert_eq!(is_read.is_some(), file.len() >= 4);
        if is_read.is_some() {
            obeys_the_laws(&file);
        }
    }

    #[test]
    fn a_sound_pack_has_no_findings_and_its_frames_are_those_it_was_made_of(
        (key, frames) in clip(1..=8, 8), coder in coder(), slack: u8,
    ) {
        let bits = stream(&frames, key, coder);
        let bytes = bits.bytes(slack);
        let count = u16::try_from(frames.len()).unwrap();
        let whole = payload(count, key.byte(), &bytes, &padding(5, bytes.len()));
        let entry = RawEntry::new(u32::try_from(frames[0].rotations.len()).unwrap(), count.into(), whole);
        let file = RawPack::of(vec![entry]).bytes();
        let found = round_trip(&file, &strictly(Strictness::Strict));
        let report = check(&found.document, None);
        prop_assert!(report.findings().iter().all(|it| it.code == &check::ROOT_ROTATION), "{:?}", report);
        let entry = &found.document.entries[0];
        let survey = survey(&found.document, None);
        let clip = survey.entries[0].clip().unwrap();
        prop_assert_eq!(clip.engine.bit, bits.0.len());
        prop_assert_eq!(clip.slack_bits(entry), bytes.len() * 8 - bits.0.len());
        let decoded = clip.frames(entry, Stop::Engine);
        prop_assert_eq!(decoded.len(), frames.len());
        for (frame, wanted) in decoded.iter().zip(&frames) {
            prop_assert_eq!((frame.position, frame.bones), (wanted.position, &wanted.rotations[..]));
        }
        // The game's own coding is ours, to the last bit of slack.
        let again = encode(&decoded, key, clip.slack(entry));
        prop_assert_eq!(again.bytes == bytes, coder == Coder::Shortest || again.bits == bits.0.len());
    }
}

#[test]
fn empty_slots_of_every_size_come_back_under_both_walks() {
    for size in 0..=10_u32 {
        for by_eight in [false, true] {
            let len = if by_eight { 8 } else { size };
            let slot = |byte| RawEntry::empty(3, size, vec![byte; usize::try_from(len).unwrap()]);
            let raw = RawPack { rest: vec![9, 9], ..RawPack::of(vec![slot(1), slot(0), slot(0xff)]) };
            obeys_the_laws(&raw.bytes());
            let way = if by_eight { Reading::Documented } else { Reading::Observed };
            let document = found(&raw.bytes(), way).document;
            let payloads: Vec<_> = document.entries.iter().map(|entry| &entry.payload).collect();
            assert_eq!(payloads, raw.entries.iter().map(|entry| &entry.payload).collect::<Vec<_>>());
            assert_eq!((document.missing, &document.rest), (0, &raw.rest));
        }
    }
}

#[test]
fn a_count_beyond_all_packs_is_kept_without_its_entries() {
    let raw = RawPack { missing: u32::MAX, entries: vec![], rest: vec![0; 12 * 70_000] };
    let file = raw.bytes();
    for way in READINGS {
        let found = round_trip(&file, &reading(way));
        assert!(found.document.entries.len() <= 1 << 16);
        assert!(!report(&found, &file).findings().is_empty());
    }
}
