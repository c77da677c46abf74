//! MDL through the common door: texts obey the laws of every format, and say what their models do.
#![cfg(feature = "mdx")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]

#[path = "common/laws.rs"]
mod laws;

use galvani::diff::diff;
use galvani::formats::{self, Format, OpenOptions, Opened, Sampling, Step};
use galvani::mdx::mdl;
use galvani_testkit::cases;
use laws::{answers, compares, edits, strict_agrees};

fn format(id: &str) -> &'static dyn Format {
    formats::by_id(id).unwrap()
}

fn open(id: &str, file: &[u8]) -> Opened {
    format(id).open(file, &OpenOptions::default()).unwrap()
}

/// The shipped lantern of Warcraft III, and its text.
fn lantern() -> (Vec<u8>, Vec<u8>) {
    let binary = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/lantern.mdx")).unwrap();
    let text = mdl::print(open("mdx", &binary).downcast().unwrap()).unwrap();
    (binary, text)
}

#[test]
fn every_case_obeys_the_laws_of_formats() {
    let mut opened = Vec::new();
    for (name, file) in cases("mdl", 10) {
        if !["empty", "no-model"].contains(&name.as_str()) {
            assert_eq!(formats::recognise(&file, None).map(|found| found.info().id), Some("mdl"), "{name}");
        }
        strict_agrees(format("mdl"), &file);
        opened.extend(answers(format("mdl"), &file));
    }
    opened.windows(2).for_each(|pair| compares(&pair[0], &pair[1]));
}

#[test]
fn blind_edits_are_done_or_refused() {
    let (_, text) = lantern();
    for (_, file) in cases("mdl", 10).into_iter().chain([("lantern".to_owned(), text)]) {
        for round in 0..6_u8 {
            edits(format("mdl"), &file, (0..64_u8).map(|i| i.wrapping_mul(151) ^ round.wrapping_mul(37)));
        }
    }
}

#[test]
fn a_text_and_its_model_are_equal_and_move_alike() {
    let (binary, text) = lantern();
    let (model, text) = (open("mdx", &binary), open("mdl", &text));
    let options = OpenOptions::default();
    assert_eq!(diff(&model, &text, &options).unwrap(), []);
    let poses = |opened: &Opened| {
        let wanted = Sampling::default();
        let samples = opened.as_animated().unwrap().sample(&wanted).unwrap();
        samples.poses.map(|pose| format!("{:?}", pose.unwrap())).collect::<Vec<_>>()
    };
    assert_eq!(poses(&model), poses(&text));
    let mut changed = open("mdl", &text.document.write().unwrap());
    let step = Step::from_words(format("mdl"), &["rename-sequence", "Walk", "Walk Fast"]).unwrap();
    step.run(&mut *changed.document).unwrap();
    let changed = open("mdl", &changed.document.write().unwrap());
    let told = diff(&model, &changed, &options).unwrap();
    assert!(!told.is_empty() && told.len() <= 2, "{told:?}");
    let told = diff(&text, &changed, &options).unwrap();
    assert!(!told.is_empty() && told.len() <= 2, "{told:?}");
}
