//! Laws over generated models: good ones have no findings, and whatever reads is written back byte for byte.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

#[path = "common/msh.rs"]
mod common;

use common::raw::{Form, RawModel, archive, large};
use common::strategy::Dice;
use common::{found, reading, report, strictly};
use galvani_core::{Read, Reading, Severity, Strictness, WantedReading};
use galvani_parkan::msh::{Document, check, read, view, write};
use galvani_testkit::{reads_or_refuses, round_trips};
use proptest::prelude::*;

fn round_trip(file: &[u8], way: WantedReading) -> Read<Document> {
    round_trips(file, |file| read(file, &reading(way)), write)
}

/// Everything that must hold for one file, however odd.
fn obeys_the_laws(file: &[u8]) {
    for way in WantedReading::ALL {
        let found = round_trip(file, way);
        let told = report(&found, file);
        let model = view(file, &reading(way).readings).unwrap();
        let mut borrowed = galvani_parkan::nres::check(&found.document.archive);
        borrowed.append(check::model(&model));
        borrowed.locate(&found.map);
        assert_eq!(told, borrowed);
        let mut dumped = 0;
        found.map.rows(file, |row| dumped += row.len);
        assert_eq!(dumped, file.len(), "a dump shows every byte once");
    }
    let strict = strictly(Strictness::Strict);
    let report = report(&round_trip(file, WantedReading::Auto), file);
    if reads_or_refuses("msh", file, |file| read(file, &strict), write).is_none() {
        assert!(report.tally(Severity::Error) > 0, "what strictness stops at is an error");
    }
}

/// A good model has nothing worse than the notes that its form brings with it.
fn is_good(model: &RawModel, form: Form) {
    let file = model.file(form);
    let way = if form == Form::Observed { Reading::Observed } else { Reading::Documented };
    let found = round_trip(&file, way.into());
    let told = report(&found, &file);
    for finding in told.findings() {
        assert_eq!(finding.severity, Severity::Note, "{finding}\n{model:?}");
    }
    assert!(form == Form::Documented || told.findings().is_empty(), "{:?}", told.findings());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn a_model_that_obeys_every_rule_has_no_findings(seed in any::<u64>()) {
        let model = Dice(seed).model(6);
        is_good(&model, Form::Observed);
        is_good(&model, Form::Documented);
    }

    #[test]
    fn every_good_model_obeys_the_laws(seed in any::<u64>()) {
        obeys_the_laws(&Dice(seed).model(4).file(Form::Observed));
    }

    #[test]
    fn every_damaged_model_obeys_the_laws(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let form = [Form::Observed, Form::Documented][dice.below(2)];
        let mut streams = dice.model(4).streams(form);
        dice.damage(&mut streams);
        obeys_the_laws(&archive(&streams));
    }

    #[test]
    fn models_whose_streams_overlap_obey_the_laws(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let mut file = dice.model(3).file(Form::Observed);
        let count = usize::try_from(u32::from_le_bytes(file[8..12].try_into().unwrap())).unwrap();
        for _ in 0..3 {
            // Another record's offset, and a size that may still fit.
            let record = |i: usize| file.len() - 64 * (count - i);
            let (from, to) = (record(dice.below(count)) + 56, record(dice.below(count)) + 56);
            file.copy_within(from..from + 4, to);
            let size = u32::try_from(dice.below(300)).unwrap().to_le_bytes();
            file[to - 44..to - 40].copy_from_slice(&size);
        }
        obeys_the_laws(&file);
    }
}

#[test]
fn large_models_obey_the_laws() {
    for (parts, batches, side) in [(1, 1, 1), (38, 3, 6), (8, 10, 16)] {
        let model = large(parts, batches, side);
        is_good(&model, Form::Observed);
        is_good(&model, Form::Documented);
        obeys_the_laws(&model.file(Form::Observed));
    }
}

#[test]
fn the_reading_is_found_in_every_generated_model_of_its_form() {
    let model = large(9, 2, 4);
    assert_eq!(found(&model.file(Form::Observed), WantedReading::Auto).document.reading, Reading::Observed);
    assert_eq!(
        found(&model.file(Form::Documented), WantedReading::Auto).document.reading,
        Reading::Documented
    );
}
