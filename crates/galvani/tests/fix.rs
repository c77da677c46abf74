//! What holds of every mend: the codes that it takes away are gone, a second time changes nothing, what was not damaged is as
//! it was, and nothing new is wrong.
#![cfg(all(
    feature = "parkan",
    feature = "ff7",
    feature = "mdx",
    feature = "texture",
    feature = "gltf",
    feature = "fs"
))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]

#[path = "common/damage.rs"]
mod damage;

use std::collections::{BTreeMap, BTreeSet};

use damage::{Dice, MODELS, MSH, PACKS};
use galvani::fix::{self, Fixed, MendChoice};
use galvani::formats::{self, Consent, FORMATS, Format, OpenOptions, Sampling, Step};
use galvani::{Report, Severity, samples};
use galvani_testkit::{case, cases};

/// What becomes of a file.
fn fixed(format: &'static dyn Format, file: &[u8], choice: &MendChoice) -> (Vec<u8>, Fixed) {
    let options = OpenOptions::default();
    let opened = format.open(file, &options).unwrap();
    let (document, fixed) = fix::run(opened, choice, file.len(), &options).unwrap();
    (document.write().unwrap(), fixed)
}

fn named(names: &[&str]) -> MendChoice {
    let words: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    fix::named(&words).unwrap()
}

fn check(format: &'static dyn Format, file: &[u8]) -> Report {
    format.open(file, &OpenOptions::default()).unwrap().document.check()
}

/// How often each code is found.
fn codes(report: &Report) -> BTreeMap<&'static str, u64> {
    let mut codes = BTreeMap::new();
    for finding in report.findings() {
        *codes.entry(finding.code.name).or_default() += finding.count;
    }
    codes
}

/// Every case and sample of a format, but for what does not read.
fn files(format: &'static dyn Format) -> Vec<(String, Vec<u8>)> {
    let id = format.info().id;
    let is_one = |file: &[u8]| formats::recognise(file, None).is_some_and(|found| found.info().id == id);
    let shipped = samples::all().into_iter().filter(|sample| is_one(&sample.bytes));
    let mut files = cases(id, 0);
    files.extend(shipped.map(|sample| (sample.name, sample.bytes)));
    files.retain(|(_, file)| format.open(file, &OpenOptions::default()).is_ok());
    files
}

/// The names of all codes that a format mends.
fn mended_by(format: &dyn Format, is_meant: impl Fn(Consent) -> bool) -> BTreeSet<&'static str> {
    let mends = format.info().mends.iter().filter(|mend| is_meant(mend.consent));
    mends.flat_map(|mend| mend.codes.iter().map(|code| code.name)).collect()
}

/// Codes that name what only a part of is mended: the rest would take a guess.
const PARTLY: &[&str] = &[
    // Keys of one time with different values; rotations without a length; nodes whose numbers have gaps.
    "mdx.key-repeated",
    "mdx.rotation-length",
    "mdx.pivot-count",
    // Events of Warcraft III keep tracks that are empty or outside: nothing would say that they are missing.
    "mdx.track-empty",
    "mdx.track-outside",
    // Timelines that are longer than their keys; maps of keys that are damaged themselves.
    "msh.frame-count",
    "msh.map-range",
    "msh.map-blocks",
    "msh.track-too-short",
    // Entries that stand in another place than their names belong.
    "lgp.not-listed",
];

#[test]
fn every_case_is_mended_once_and_for_all_and_nothing_new_is_wrong() {
    let mut seen = BTreeSet::new();
    for format in FORMATS {
        let everything: Vec<&str> = mended_by(*format, |_| true).into_iter().collect();
        let mut choices = vec![(MendChoice::Safe, mended_by(*format, |consent| consent == Consent::Given))];
        if !everything.is_empty() {
            choices.push((named(&everything), everything.into_iter().collect()));
        }
        for (name, file) in files(*format) {
            let before = check(*format, &file);
            for (choice, meant) in &choices {
                let (made, fixed) = fixed(*format, &file, choice);
                let place = format!("{} {name} {choice:?}", format.info().id);
                let after = check(*format, &made);
                assert!(after.tally(Severity::Error) <= before.tally(Severity::Error), "{place}");
                assert_eq!(fixed.has_changed(), made != file, "{place}");
                let (was, is) = (codes(&before), codes(&after));
                for code in codes(&fixed.mended).into_keys() {
                    seen.insert(code);
                    // What one mend brings out another mends.
                    let [was, is] = [&was, &is].map(|codes| codes.get(code).copied().unwrap_or(0));
                    assert!(is <= was, "{place}: {code}");
                }
                for code in meant.iter().filter(|code| !PARTLY.contains(code) && fixed.refused.is_empty()) {
                    assert!(!is.contains_key(code), "{place}: {code} is left");
                }
                let (again, second) = self::fixed(*format, &made, choice);
                assert!(again == made && !second.has_changed(), "{place}: not at rest");
            }
        }
    }
    let all: BTreeSet<&str> = FORMATS.iter().flat_map(|format| mended_by(*format, |_| true)).collect();
    let unseen: Vec<&&str> = all.difference(&seen).collect();
    assert!(unseen.is_empty(), "no case shows how these are mended: {unseen:?}");
}

#[test]
fn what_is_sound_stays_as_it_is() {
    for sample in samples::all() {
        let Some(format) = formats::recognise(&sample.bytes, Some(&sample.name)) else { continue };
        let (made, fixed) = fixed(format, &sample.bytes, &MendChoice::Safe);
        assert!(made == sample.bytes && !fixed.has_changed(), "{}", sample.name);
    }
}

fn sample(name: &str) -> Vec<u8> {
    samples::all().into_iter().find(|sample| sample.name == name).unwrap().bytes
}

fn format(id: &str) -> &'static dyn Format {
    formats::by_id(id).unwrap()
}

/// Every pose of a model, in words: not the numbers of its nodes, which may change.
fn poses(format: &'static dyn Format, file: &[u8]) -> String {
    let opened = format.open(file, &OpenOptions::default()).unwrap();
    let wanted = Sampling { times: "0..2000:100".parse().unwrap(), ..Sampling::default() };
    let poses = opened.as_animated().unwrap().sample(&wanted).unwrap().poses;
    let nodes = poses.flat_map(|pose| {
        let pose = pose.unwrap();
        let time = pose.time;
        pose.nodes.into_iter().map(move |node| format!("{time:?} {:?} {:?}", node.name, node.matrix))
    });
    nodes.collect::<Vec<_>>().join("\n")
}

/// Rounds of damage for each file.
const ROUNDS: u64 = 40;

#[test]
fn damaged_models_of_warcraft_and_wow_come_back_to_the_byte() {
    let mdx = format("mdx");
    for name in ["lantern.mdx", "lantern-wow.mdx"] {
        let whole = sample(name);
        for seed in 0..ROUNDS {
            let mut dice = Dice::new(seed);
            let mut model = mdx.open(&whole, &OpenOptions::default()).unwrap().into_document().unwrap();
            let mut done: Vec<&str> = Vec::new();
            for (code, damage) in MODELS {
                if dice.below(3) == 0 {
                    damage(&mut model, &mut dice);
                    done.push(code);
                }
            }
            let damaged = galvani::mdx::write(&model).unwrap();
            let found = codes(&check(mdx, &damaged));
            for code in &done {
                assert!(found.contains_key(code), "{name} {seed} {done:?}: no {code}");
            }
            if done.is_empty() {
                continue;
            }
            let (made, fixed) = fixed(mdx, &damaged, &named(&done));
            assert!(fixed.refused.is_empty(), "{name} {seed} {done:?}: {:?}", fixed.refused);
            assert!(made == whole, "{name} {seed}: {done:?} did not come back");
        }
    }
}

#[test]
fn mends_that_nobody_asked_for_remove_no_more_than_empty_chunks() {
    let mdx = format("mdx");
    for case_name in
        ["material-unused", "texture-unused", "global-unused", "track-outside", "node-id", "track-empty"]
    {
        let file = case("mdx", case_name);
        let (made, fixed) = fixed(mdx, &file, &MendChoice::Safe);
        assert!(made == file && !fixed.has_changed(), "{case_name}");
    }
}

#[test]
fn rotations_get_the_length_one_and_turn_as_they_did() {
    for name in ["rotation-length", "rotation-length-wow"] {
        let file = case("mdx", name);
        let (made, fixed) = fixed(format("mdx"), &file, &MendChoice::Safe);
        assert!(codes(&fixed.mended).contains_key("mdx.rotation-length") || name.ends_with("wow"), "{name}");
        assert!(!codes(&check(format("mdx"), &made)).contains_key("mdx.rotation-length"), "{name}");
    }
}

#[test]
fn removing_what_nobody_uses_changes_no_pose() {
    let mdx = format("mdx");
    let all: Vec<&str> = mended_by(mdx, |consent| consent == Consent::Asked).into_iter().collect();
    for (name, file) in files(mdx) {
        let (made, _) = fixed(mdx, &file, &named(&all));
        // A file without a sequence has a pose, too.
        assert!(poses(mdx, &file) == poses(mdx, &made), "{name}");
    }
}

#[test]
fn damaged_models_of_parkan_come_back_to_the_byte() {
    let (msh, whole) = (format("msh"), sample("walker.msh"));
    for seed in 0..ROUNDS {
        let mut dice = Dice::new(seed);
        let mut model = msh.open(&whole, &OpenOptions::default()).unwrap().into_document().unwrap();
        let mut done = Vec::new();
        for (code, damage) in MSH {
            if dice.below(2) == 0 {
                damage(&mut model, &mut dice);
                done.push(*code);
            }
        }
        let damaged = galvani::parkan::msh::write(&model).unwrap();
        let found = codes(&check(msh, &damaged));
        assert!(done.iter().all(|code| found.contains_key(code)), "{seed} {done:?}: {found:?}");
        let (made, fixed) = fixed(msh, &damaged, &MendChoice::Safe);
        assert!(fixed.refused.is_empty(), "{seed} {done:?}: {:?}", fixed.refused);
        assert!(made == whole, "{seed}: {done:?} did not come back");
    }
}

#[test]
fn bounds_of_a_model_of_parkan_are_those_of_its_first_pose() {
    let (msh, whole) = (format("msh"), sample("walker.msh"));
    let mut model: galvani::parkan::msh::Document =
        msh.open(&whole, &OpenOptions::default()).unwrap().into_document().unwrap();
    damage::shrink_bounds(&mut model);
    let damaged = galvani::parkan::msh::write(&model).unwrap();
    assert!(codes(&check(msh, &damaged)).contains_key("msh.model-box"));
    let (made, _) = fixed(msh, &damaged, &MendChoice::Safe);
    assert!(check(msh, &made).findings().is_empty());
    assert_eq!(poses(msh, &made), poses(msh, &whole));
}

#[test]
fn damaged_packs_are_repaired_entry_by_entry_to_the_byte() {
    let (pack, whole) = (format("ff7-pack"), sample("frog/zgda"));
    for seed in 0..ROUNDS {
        let mut dice = Dice::new(seed);
        let mut model = pack.open(&whole, &OpenOptions::default()).unwrap().into_document().unwrap();
        let (_, damage) = PACKS[0];
        damage(&mut model, &mut dice);
        let damaged = galvani::ff7::pack::write(&model).unwrap();
        let (made, fixed) = fixed(pack, &damaged, &MendChoice::Safe);
        assert!(codes(&fixed.mended).contains_key("ff7-pack.frame-count"), "{seed}");
        assert!(made == whole, "{seed}");
    }
}

#[test]
fn an_archive_is_mended_with_its_members_and_says_which() {
    let lgp = format("lgp");
    let opened = lgp.open(&sample("frog.lgp"), &OpenOptions::default()).unwrap();
    let mut archive: galvani::ff7::lgp::Document = opened.into_document().unwrap();
    let place = archive.entries.iter().position(|entry| entry.name.text() == b"zgda").unwrap();
    let mut pack = archive.payload(place).unwrap().to_vec();
    pack[4 + 12] ^= 1;
    archive.replace(place, &pack).unwrap();
    archive.entries[0].check = 3;
    let damaged = galvani::ff7::lgp::write(&archive).unwrap();
    let (made, fixed) = fixed(lgp, &damaged, &MendChoice::Safe);
    assert_eq!(codes(&fixed.mended).into_iter().collect::<Vec<_>>(), [("lgp.check-byte", 1)]);
    let [(label, member)] = fixed.members.as_slice() else { panic!("one member: {:?}", fixed.members) };
    assert_eq!((label.as_str(), codes(&member.mended)["ff7-pack.frame-count"]), ("zgda", 1));
    assert!(made == sample("frog.lgp"));
}

#[test]
fn a_mend_that_would_leave_an_error_is_not_done_and_says_so() {
    // A node of a number that others name is missing: renumbered, another one would be meant.
    let mdx = format("mdx");
    let file = case("mdx", "node-id");
    let mut model: galvani::mdx::Document =
        mdx.open(&file, &OpenOptions::default()).unwrap().into_document().unwrap();
    damage::name_a_missing_parent(&mut model);
    let file = galvani::mdx::write(&model).unwrap();
    let (made, fixed) = fixed(mdx, &file, &named(&["mdx.node-id"]));
    assert!(made == file && !fixed.has_changed());
    let [refused] = fixed.refused.as_slice() else { panic!("{:?}", fixed.refused) };
    assert_eq!(refused.code.name, "file.not-mended");
    assert!(refused.message.contains("mdx.edit-missing-node"), "{}", refused.message);
}

#[test]
fn a_mend_says_what_was_wrong_and_what_was_done() {
    let (_, fixed) = fixed(format("mdx"), &case("mdx", "key-order"), &MendChoice::Safe);
    let finding =
        fixed.mended.findings().iter().find(|finding| finding.code.name == "mdx.key-order").unwrap();
    assert_eq!(finding.severity, Severity::Note);
    assert!(finding.message.ends_with("; mended"), "{}", finding.message);
    assert_eq!(finding.help, "the keys of a track are put in the order of their times");
}

#[test]
fn a_glob_means_what_waits_for_nobody_and_a_name_means_itself() {
    let names =
        |words: &[&str]| match fix::named(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>()) {
            Ok(MendChoice::Named(names)) => Ok(names.into_iter().collect::<Vec<_>>()),
            Ok(MendChoice::Safe) => panic!("nothing was named"),
            Err(why) => Err(why),
        };
    assert_eq!(names(&["mdx.key-*"]), Ok(vec!["mdx.key-order", "mdx.key-repeated"]));
    assert_eq!(names(&["mdx.material-unused"]), Ok(vec!["mdx.material-unused"]));
    assert!(names(&["mdx.material-*"]).is_err_and(|why| why.starts_with("nothing mends `mdx.material-*`")));
    assert!(names(&["mdx.no-stand"]).is_err_and(|why| why.starts_with("nothing mends")));
    assert!(names(&["mdx.key-ordr"]).is_err_and(|why| why.contains("near it: mdx.key-order")));
}

#[test]
fn repairing_all_entries_passes_over_those_that_are_sound() {
    let (pack, whole) = (format("ff7-pack"), sample("frog/zgda"));
    let mut opened = pack.open(&whole, &OpenOptions::default()).unwrap();
    let step = Step::from_words(pack, &["repair", "all"]).unwrap();
    assert!(
        step.run(&mut *opened.document)
            .is_err_and(|error| error.cause.code.name == "ff7-pack.nothing-to-repair")
    );
    let mut model = pack.open(&whole, &OpenOptions::default()).unwrap().into_document().unwrap();
    let (_, damage) = PACKS[0];
    damage(&mut model, &mut Dice::new(7));
    let damaged = galvani::ff7::pack::write(&model).unwrap();
    let mut opened = pack.open(&damaged, &OpenOptions::default()).unwrap();
    step.run(&mut *opened.document).unwrap();
    assert!(opened.document.write().unwrap() == whole);
}
