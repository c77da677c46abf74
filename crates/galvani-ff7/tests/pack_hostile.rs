//! Edits of packs that are anything: they are made or refused, and what is left can be written and read.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

#[path = "common/rows.rs"]
#[allow(dead_code, unreachable_pub, reason = "each test file uses its part of this")]
mod common;

use common::{any_animation, entry, pack};
use galvani_core::{EditError, Meter, ReadOptions, Reading, Readings};
use galvani_ff7::pack::edit::{self, Edge};
use galvani_ff7::pack::quantise::{Precision, Rounding};
use galvani_ff7::pack::{AngleKey, Document, read, write};
use proptest::prelude::*;

type Numbers = (usize, usize, usize, f64);

fn make(op: u8, document: &mut Document, (entry, first, last, value): Numbers) -> Result<(), EditError> {
    match op {
        0 => edit::insert_frame(document, entry, first),
        1 => edit::delete_frames(document, entry, first, last),
        2 => edit::move_frames(document, entry, first, last, 1),
        3 => edit::copy_frames(document, entry, first, last, 0, 1),
        4 => edit::blend_frames(document, entry, first, last),
        5 => edit::trim(document, entry, first, last),
        6 => edit::reverse(document, entry),
        7 => edit::set_rotation(document, entry, first, last, [value; 3]),
        8 => edit::offset_rotation(document, entry, first, [value; 3]),
        9 => edit::scale_rotation(document, entry, first, value),
        10 => edit::offset_position(document, entry, [value; 3]),
        11 => edit::scale_position(document, entry, value),
        12 => edit::clear(document, entry),
        13 => edit::remove(document, entry).map(|_| ()),
        14 => edit::repair(document, entry).map(|_| ()),
        15 => edit::quantise(document, entry, Precision::Tolerance(value), Rounding::Down).map(|_| ()),
        16 => edit::quantise(document, entry, Precision::Key(AngleKey::Four), Rounding::Nearest).map(|_| ()),
        17 => edit::resample(document, &[entry], 3, Edge::Loop, value, None, &Meter::unlimited()).map(|_| ()),
        18 => edit::canonical_entry(document, entry).map(|_| ()),
        _ => edit::make_canonical(document).map(|_| ()),
    }
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![-2.0..2.0, any::<f64>(), Just(0.05), Just(1e300)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn whatever_an_edit_leaves_can_be_written_and_read(
        animations in proptest::collection::vec(any_animation(), 1..4),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        readings in any::<[bool; 2]>(),
        ops in proptest::collection::vec((0..20_u8, (0..4_usize, 0..5_usize, 0..6_usize, number())), 1..8),
    ) {
        let mut file = write(&pack(animations.iter().map(|(key, rows)| entry(rows, *key)).collect())).unwrap();
        for (at, byte) in damage {
            let at = at.index(file.len());
            file[at] = byte;
        }
        let [walk, frames] = readings.map(|it| if it { Reading::Documented } else { Reading::Observed });
        let topics = vec![("walk".to_owned(), walk.into()), ("frames".to_owned(), frames.into())];
        let readings = Readings { topics, ..Readings::default() };
        let options = ReadOptions { readings, ..ReadOptions::default() };
        let mut document = read(&file, &options).unwrap().document;
        for (op, numbers) in ops {
            let before = document.clone();
            if let Err(error) = make(op, &mut document, numbers) {
                prop_assert_eq!(&document, &before, "{} was refused", error);
                prop_assert!(error.cause.code.name.starts_with("ff7-pack."));
            }
            let written = write(&document).unwrap();
            let again = read(&written, &options).unwrap().document;
            // Bytes behind the last entry may become entries when an edit moves their border.
            if document.rest.is_empty() {
                prop_assert_eq!(&again, &document);
            }
            prop_assert_eq!(write(&again).unwrap(), written);
        }
    }
}
