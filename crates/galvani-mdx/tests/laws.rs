//! The laws: what reads is written back byte by byte, every byte has an owner, and models of every chunk,
//! family and version are typed throughout.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

mod common;

use common::make::{KINDS, Kind, Make};
use common::raw::file;
use common::{found, report, strictly};
use galvani_core::{ReadOptions, Reading, Strictness};
use galvani_mdx::{Content, Family, read, write};
use galvani_testkit::{reads_or_refuses, round_trips};
use proptest::prelude::*;

fn kinds() -> impl Strategy<Value = Kind> {
    prop::sample::select(KINDS)
}

proptest! {
    #[test]
    fn models_of_every_kind_are_typed_throughout_and_come_back(kind in kinds(), seed: u64, most in 0_u32..4) {
        let file = Make::new(kind, seed, most).model();
        // Strictness lets nothing pass that is not typed.
        let found = round_trips(&file, |file| read(file, &strictly(Strictness::Strict)), write);
        prop_assert_eq!(found.document.family() == Family::Wow, kind.wow);
        prop_assert_eq!(found.document.version, kind.version);
        for chunk in &found.document.chunks {
            let raw = matches!(&chunk.content, Content::Raw(_));
            prop_assert!(!raw, "{:?} is raw", chunk.tag);
        }
        for finding in report(&found).findings() {
            prop_assert!(finding.offset.is_some(), "{finding}: no place");
        }
    }

    #[test]
    fn chunks_in_any_order_and_number_come_back(
        kind in kinds(), seed: u64, picks in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let mut make = Make::new(kind, seed, 2);
        let tags = make.tags();
        let file = file(&picks.iter().map(|pick| make.chunk(tags[pick.index(tags.len())])).collect::<Vec<_>>());
        round_trips(&file, |file| read(file, &ReadOptions::default()), write);
    }

    #[test]
    fn forced_readings_come_back_too(kind in kinds(), seed: u64) {
        let file = Make::new(kind, seed, 2).model();
        for way in [Reading::Documented, Reading::Observed] {
            round_trips(&file, |file| read(file, &common::reading(way)), write);
        }
    }

    #[test]
    fn made_models_with_bytes_changed_put_in_and_taken_out_come_back(
        kind in kinds(), seed: u64, hits in prop::collection::vec((any::<prop::sample::Index>(), 0..6_u8, any::<u8>()), 1..8),
    ) {
        let mut file = Make::new(kind, seed, 2).model();
        for (at, how, byte) in hits {
            // The magic stays; a made model has at least a version behind it.
            let at = 4 + at.index(file.len() - 4);
            match how {
                0 => file.insert(at, byte),
                1 if file.len() > 8 => drop(file.remove(at)),
                2 => file[at] ^= 1 << (byte % 8),
                _ => file[at] = byte,
            }
        }
        for strictness in [Strictness::Tolerant, Strictness::Strict] {
            let found = reads_or_refuses("mdx", &file, |file| read(file, &strictly(strictness)), write);
            if let Some(found) = found {
                report(&found);
                let mut shown = 0;
                found.map.rows(&file, |row| shown += row.len);
                prop_assert_eq!(shown, file.len());
            }
        }
    }

    #[test]
    fn any_bytes_read_or_are_refused(mut bytes in prop::collection::vec(any::<u8>(), 0..600), magic: bool) {
        if magic && bytes.len() >= 4 {
            bytes[..4].copy_from_slice(b"MDLX");
        }
        for strictness in [Strictness::Tolerant, Strictness::Strict] {
            reads_or_refuses("mdx", &bytes, |file| read(file, &strictly(strictness)), write);
        }
    }

    #[test]
    fn any_bytes_in_a_known_chunk_read_or_are_refused(
        kind in kinds(), which: prop::sample::Index, payload in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        let mut make = Make::new(kind, 1, 1);
        let tag = make.tags()[which.index(make.tags().len())];
        let file = file(&[make.chunk("VERS"), make.chunk("MODL"), common::raw::chunk(tag, &payload)]);
        let found = reads_or_refuses("mdx", &file, |file| read(file, &ReadOptions::default()), write);
        prop_assert!(found.is_some());
    }
}

#[test]
fn nothing_of_a_sound_model_is_an_unreadable_part() {
    for kind in KINDS {
        for seed in 0..20 {
            let file = Make::new(*kind, seed, 3).model();
            let found = found(&file);
            let told = report(&found);
            let damage = ["mdx.truncated", "mdx.record-size", "mdx.record-slack", "mdx.record-count"];
            for finding in told.findings() {
                assert!(!damage.contains(&finding.code.name), "{kind:?}: {finding}");
            }
        }
    }
}
