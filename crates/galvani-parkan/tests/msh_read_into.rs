//! Reading into a used model: the same model as reading afresh, and no allocation.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

#[path = "common/msh.rs"]
mod common;

use allocation_counter::measure;
use common::raw::{Form, archive, large};
use common::strategy::Dice;
use common::{cases, found, reading, strictly};
use galvani_core::{ReadOptions, Strictness, WantedReading};
use galvani_parkan::msh::{Document, read, read_into};
use proptest::prelude::*;

/// A model of either form, good or damaged.
fn file(dice: &mut Dice) -> Vec<u8> {
    let form = [Form::Observed, Form::Documented][dice.below(2)];
    let mut streams = dice.model(4).streams(form);
    if dice.below(2) == 0 {
        dice.damage(&mut streams);
    }
    archive(&streams)
}

/// Reads a file both ways and compares what is told and what is left.
fn becomes_that_of_the_file(into: &mut Document, file: &[u8], options: &ReadOptions) {
    let told = read_into(into, file, options);
    match read(file, options) {
        Ok(found) => assert_eq!((told.is_ok(), &*into), (true, &found.document)),
        Err(error) => {
            let told = told.unwrap_err();
            assert_eq!((told.cause, told.before), (error.cause, error.before));
            let tolerant = ReadOptions { strictness: Strictness::Tolerant, ..options.clone() };
            assert_eq!(*into, read(file, &tolerant).unwrap().document);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn a_used_document_becomes_that_of_the_file(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let mut into = Document::default();
        for _ in 0..3 {
            let file = file(&mut dice);
            for way in WantedReading::ALL {
                becomes_that_of_the_file(&mut into, &file, &reading(way));
            }
            becomes_that_of_the_file(&mut into, &file, &strictly(Strictness::Strict));
        }
    }

    #[test]
    fn a_second_read_allocates_nothing(seed in any::<u64>()) {
        let file = file(&mut Dice(seed));
        let mut into = found(&file, WantedReading::Auto).document;
        let counted = measure(|| read_into(&mut into, &file, &ReadOptions::default()).unwrap());
        prop_assert_eq!(counted.count_total, 0);
    }
}

#[test]
fn a_large_model_allocates_nothing_in_the_buffers_of_another() {
    let [one, other] = [Form::Observed, Form::Documented].map(|form| large(12, 6, 4).file(form));
    let mut into = found(&other, WantedReading::Auto).document;
    read_into(&mut into, &one, &ReadOptions::default()).unwrap();
    let counted = measure(|| read_into(&mut into, &one, &ReadOptions::default()).unwrap());
    assert_eq!(counted.count_total, 0);
    assert_eq!(into, found(&one, WantedReading::Auto).document);
}

#[test]
fn where_there_is_no_directory_the_document_stays() {
    for (name, file) in cases() {
        let Ok(found) = read(&file, &ReadOptions::default()) else { continue };
        let mut into = found.document.clone();
        let error = read_into(&mut into, &file[..20], &ReadOptions::default()).unwrap_err();
        assert_eq!(error.cause.code.name, "msh.frame", "{name}");
        assert_eq!(into, found.document, "{name}");
    }
}
