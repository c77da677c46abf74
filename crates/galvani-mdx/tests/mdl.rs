//! MDL: every model of Warcraft III becomes a text and the same model again.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]

mod common;

use common::make::{KINDS, Kind, Make};
use common::{cases, found};
use galvani_core::{ReadOptions, Report, Severity};
use galvani_mdx::edit::{self, TrackRef};
use galvani_mdx::{Document, Family, mdl, read, write};
use galvani_testkit::{
    assemble_file, every_code_is_provoked, located, reads_or_refuses, report_text, round_trips,
    snapshot_beside, truncations,
};
use proptest::prelude::*;

/// The kinds of Warcraft III.
fn kinds() -> impl Strategy<Value = Kind> {
    prop::sample::select(KINDS.iter().copied().filter(|kind| !kind.wow).collect::<Vec<_>>())
}

fn text_of(model: &Document) -> Vec<u8> {
    mdl::from_model(model).unwrap().text().to_vec()
}

/// The model of a text that reads.
fn said(text: &[u8]) -> mdl::Document {
    mdl::read(text, &ReadOptions::default()).unwrap().document
}

/// A model that became a text and a model again is the same, byte by byte.
fn comes_back(name: &str, file: &[u8]) -> Vec<u8> {
    let model = found(file).document;
    let text = text_of(&model);
    let again = write(said(&text).model()).unwrap();
    if again != file {
        let at = again.iter().zip(file).position(|(a, b)| a != b).unwrap_or(again.len().min(file.len()));
        let other = read(&again, &ReadOptions::default());
        let place = found(file)
            .map
            .regions()
            .filter(|region| region.start <= at)
            .max_by_key(|region| region.start)
            .map(|region| region.path.to_string());
        panic!(
            "{name}: differs at byte {at} of {} ({} now), in {place:?}; reads again: {}\n{}",
            file.len(),
            again.len(),
            other.is_ok(),
            String::from_utf8_lossy(&text)
        );
    }
    text
}

proptest! {
    #[test]
    fn models_of_every_version_come_back(kind in kinds(), seed: u64, most in 0_u32..4) {
        comes_back(&format!("{kind:?} {seed}"), &Make::new(kind, seed, most).model());
    }
}

#[test]
fn every_case_comes_back() {
    let mut count = 0;
    for (name, file) in cases() {
        let Ok(found) = read(&file, &ReadOptions::default()) else { continue };
        if found.document.family() == Family::Warcraft {
            comes_back(&name, &file);
            count += 1;
        }
    }
    assert!(count > 40, "{count}");
}

#[test]
fn a_model_without_oddities_has_no_comments() {
    let binary = write(said(&case("plain")).model()).unwrap();
    let text = String::from_utf8(comes_back("plain", &binary)).unwrap();
    assert!(!text.contains("//galvani:"), "{text}");
    // What the lantern has under two of its tracks is seen nowhere, and yet it is there.
    let file = shipped("lantern.mdx");
    let text = comes_back("lantern", &file);
    let report = mdl::check(&said(&text));
    assert_eq!(report.tally(Severity::Error) + report.tally(Severity::Warning), 0, "{:?}", report.findings());
    assert_eq!(
        notes(&String::from_utf8(text).unwrap()),
        ["static Color { 0.45, 0.8, 1 },", "static Intensity 4,"]
    );
}

/// The comments of ours in a text.
fn notes(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.trim_start().strip_prefix("//galvani: ")).collect()
}

/// The text of the shipped lantern.
fn lantern() -> String {
    String::from_utf8(text_of(&found(&shipped("lantern.mdx")).document)).unwrap()
}

fn shipped(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/../../samples/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The bytes of a case of texts.
fn case(name: &str) -> Vec<u8> {
    galvani_testkit::case("mdl", name)
}

#[test]
fn every_case_of_a_text_has_the_report_beside_it() {
    insta::glob!("../../../testdata/mdl", "*/build.txt", |listing| {
        let file = assemble_file(listing);
        let text = report_text(&file, mdl::read, |found| ("reads\n".to_owned(), located(found, mdl::check)));
        snapshot_beside!(listing, text);
    });
}

#[test]
fn every_code_of_texts_is_provoked() {
    let report = |file: &[u8]| match mdl::read(file, &ReadOptions::default()) {
        Ok(found) => located(&found, mdl::check),
        Err(error) => error.into_report(),
    };
    // What the model does is told by the codes of the binary form.
    let own = |report: Report| report.only(|finding| finding.code.name.starts_with("mdl."));
    let reports = galvani_testkit::cases("mdl", 10).into_iter().map(|(_, file)| own(report(&file)));
    let wow = mdl::from_model(&found(&shipped("lantern-wow.mdx")).document).unwrap_err();
    every_code_is_provoked(mdl::check::ALL, reports, [wow.cause.code.name]);
}

#[test]
fn every_case_of_a_text_comes_back_and_builds_a_model_that_reads() {
    for (name, file) in galvani_testkit::cases("mdl", 10) {
        if mdl::read(&file, &ReadOptions::default()).is_err() {
            continue;
        }
        let read_text = round_trips(&file, |file| mdl::read(file, &ReadOptions::default()), mdl::write);
        let binary = write(read_text.document.model()).unwrap();
        let again = found(&binary).document;
        assert_eq!(write(&again).unwrap(), binary, "{name}");
        // What a text of another tool says is said the same by ours.
        assert_eq!(write(said(&text_of(&again)).model()).unwrap(), binary, "{name}");
    }
}

#[test]
fn texts_that_are_cut_read_or_are_refused() {
    for name in ["plain", "dialect-old", "note"] {
        for cut in truncations(&case(name)) {
            reads_or_refuses("mdl", cut, |file| mdl::read(file, &ReadOptions::default()), mdl::write);
        }
    }
}

#[test]
fn where_both_speak_words_win() {
    let mut model = found(&shipped("lantern.mdx")).document;
    let first = model.nodes()[0].path;
    assert_eq!(first.to_string(), "BONE[0]");
    // A name with bytes behind its end, and a bit that no word says.
    for chunk in &mut model.chunks {
        if let galvani_mdx::Content::Bones(bones) = &mut chunk.content {
            let (_, bone) = bones.typed_mut().next().unwrap();
            bone.node.fixed.name.0[70] = 7;
            bone.node.fixed.flags |= 0x100_0000;
        }
    }
    let text = String::from_utf8(text_of(&model)).unwrap();
    assert_eq!(notes(&text).len(), 4, "{text}");
    assert_eq!(write(said(text.as_bytes()).model()).unwrap(), write(&model).unwrap());
    let name = galvani_core::text::shown(&model.nodes()[0].node.fixed.name.0).into_owned();
    let renamed = text.replace(&format!("Bone \"{name}\""), "Bone \"Other\"");
    assert_ne!(renamed, text);
    let said_now = said(renamed.as_bytes());
    let fixed = said_now.model().nodes()[0].node.fixed;
    assert_eq!(&fixed.name.0[..6], b"Other\0");
    assert_eq!((fixed.name.0[70], fixed.flags.get() & 0x100_0000), (0, 0x100_0000));
}

#[test]
fn a_number_changed_in_the_text_is_changed_in_the_model() {
    let text = lantern();
    let changed = text.replacen("Interval { ", "Interval { 5", 1);
    let (before, after) = (said(text.as_bytes()), said(changed.as_bytes()));
    let start = |model: &mdl::Document| model.model().sequences()[0].start();
    assert_ne!(start(&before), start(&after));
}

/// What an edit makes of a text, by lines that differ: those that went and those that came.
fn edited(text: &str, change: impl FnOnce(&mut Document)) -> (Vec<String>, Vec<String>) {
    let mut document = said(text.as_bytes());
    change(document.model_mut());
    let after = String::from_utf8(mdl::write(&document).unwrap()).unwrap();
    assert_eq!(write(said(after.as_bytes()).model()).unwrap(), write(document.model()).unwrap(), "{after}");
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let (old, new) = (lines(text), lines(&after));
    let gone = old.iter().filter(|line| !new.contains(line)).cloned().collect();
    let come = new.iter().filter(|line| !old.contains(line)).cloned().collect();
    (gone, come)
}

#[test]
fn an_edit_changes_one_word_and_keeps_every_other_byte() {
    let plain = String::from_utf8(case("plain")).unwrap();
    let text = plain.replace("0.5 },", "0.50 }, // half").replace("\tBlendTime 150", "\tBlendTime   +150.0");
    let (gone, come) = edited(&text, |model| edit::rename_node(model, 1, "Ear").unwrap());
    assert_eq!((gone, come), (vec!["Helper \"Eye\" {".to_owned()], vec!["Helper \"Ear\" {".to_owned()]));
    let track: TrackRef = "TXAN[0].KTAT".parse().unwrap();
    let (gone, come) = edited(&text, |model| {
        edit::set_key(model, &track, 1000, &[0.0, -2.0, 0.0]).unwrap();
    });
    assert_eq!(
        (gone, come),
        (vec!["\t\t\t1000: { 0, -1, 0 },".to_owned()], vec!["\t\t\t1000: { 0, -2, 0 },".to_owned()])
    );
    let (gone, come) = edited(&text, |model| edit::set_layer_alpha(model, 0, 0, 0.5).unwrap());
    assert_eq!((gone, come), (vec![], vec!["\t\t\tstatic Alpha 0.5,".to_owned()]));
}

#[test]
fn an_edit_adds_and_removes_blocks() {
    let text = String::from_utf8(case("plain")).unwrap().replace("Interval { 1500", "Interval {  1500");
    let (gone, come) = edited(&text, |model| {
        edit::add_sequence(model, "Walk", 3000, 4000).unwrap();
    });
    assert_eq!(gone, ["Sequences 2 {"]);
    assert!(
        come.contains(&"\tAnim \"Walk\" {".to_owned()) && come.contains(&"Sequences 3 {".to_owned()),
        "{come:?}"
    );
    let (gone, come) = edited(&text, |model| {
        edit::remove_sequence(model, 1, edit::Keys::Keep).unwrap();
    });
    assert!(gone.contains(&"\tAnim \"Death\" {".to_owned()), "{gone:?}");
    assert_eq!(come, ["Sequences 1 {"]);
}

#[test]
fn a_model_of_another_family_has_no_text() {
    let refused = mdl::from_model(&found(&shipped("lantern-wow.mdx")).document).unwrap_err();
    assert_eq!(refused.cause.code.name, "mdl.family");
}

#[test]
fn a_text_of_nothing_but_braces_is_refused_and_one_with_a_block_reads() {
    for (file, reads) in [
        ("{".repeat(1 << 22), false),
        ("Bone \"a\" {".repeat(1 << 16), true),
        ("Bone { x {".repeat(1 << 16), true),
    ] {
        let found = mdl::read(file.as_bytes(), &ReadOptions::default());
        assert_eq!(found.is_ok(), reads);
        if let Ok(found) = found {
            assert!(!mdl::check(&found.document).findings().is_empty());
        }
    }
}

#[test]
fn findings_say_line_and_column() {
    let found = mdl::read(&case("unclosed"), &ReadOptions::default()).unwrap();
    let report = mdl::check(&found.document);
    let unclosed = report.findings().iter().find(|finding| finding.code.name == "mdl.unclosed").unwrap();
    assert_eq!(unclosed.line, Some((16, 1)));
    assert!(report.findings().iter().all(|finding| finding.line.is_some()), "{:?}", report.findings());
}

#[test]
fn layers_that_are_said_in_one_are_layers_again() {
    let document = said(&case("dialect-hivewe")).into_model();
    let galvani_mdx::Content::Materials(materials) =
        &document.chunks.iter().find(|chunk| chunk.tag == *b"MTLS").unwrap().content
    else {
        panic!("no materials")
    };
    let material = materials.items[0].typed().unwrap();
    assert!(material.shader.unwrap().shader.0.starts_with(b"Shader_HD_DefaultUnit\0"));
    let layers: Vec<_> = material.layers.iter().map(|layer| layer.typed().unwrap().fixed).collect();
    let said: Vec<(i32, u32)> =
        layers.iter().map(|layer| (layer.texture_id.get(), layer.flags.get())).collect();
    assert_eq!(said, [0, 1, 2, 3, 4, 5].map(|texture| (texture, 0x20)));
}
