//! What holds of every mend: the codes that it takes away are gone, a second time changes nothing, what was not damaged is as
//! it was, and nothing new is wrong.

use std::collections::{BTreeMap, BTreeSet};

use galvani::fix::{self, Fixed, MendChoice};
use galvani::formats::{self, Consent, FORMATS, Format, OpenOptions, Sampling, Step};
use galvani::{Report, Severity, samples};
use galvani_testkit::{case, cases};

use crate::damage::{self, Dice, MODELS, MSH, PACKS};
use crate::poses::differing;
use crate::{format, open, sample};

type Mdx = galvani::mdx::Document;
type Msh = galvani::parkan::msh::Document;

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
    open(format, file).document.check()
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

/// The codes of which the mends of a format leave some, as they say themselves.
fn left_by(format: &dyn Format) -> BTreeSet<&'static str> {
    format.info().mends.iter().flat_map(|mend| mend.leaves).map(|(code, _)| code.name).collect()
}

#[test]
fn every_case_is_mended_once_and_for_all_and_nothing_new_is_wrong() {
    let (mut seen, mut left) = (BTreeSet::new(), BTreeSet::new());
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
                for code in meant.iter().filter(|code| is.contains_key(*code) && fixed.refused.is_empty()) {
                    assert!(left_by(*format).contains(code), "{place}: {code} is left");
                    left.insert(*code);
                }
                let (again, second) = self::fixed(*format, &made, choice);
                assert!(again == made && !second.has_changed(), "{place}: not at rest");
            }
        }
    }
    let all: BTreeSet<&str> = FORMATS.iter().flat_map(|format| mended_by(*format, |_| true)).collect();
    let unseen: Vec<&&str> = all.difference(&seen).collect();
    assert!(unseen.is_empty(), "no case shows how these are mended: {unseen:?}");
    let said: BTreeSet<&str> = FORMATS.iter().flat_map(|format| left_by(*format)).collect();
    assert_eq!(left, said, "mends say that they leave what no case shows");
}

/// Codes whose mends change how something moves, and are to.
const OF_MOTION: &[&str] = &[
    "mdx.key-order",
    "mdx.rotation-length",
    "msh.frame-count",
    "msh.map-blocks",
    "msh.map-past-fallback",
    "msh.map-range",
    "msh.map-word",
    "msh.static-model",
    "msh.track-too-short",
];

#[test]
fn what_is_not_mended_shows_what_it_showed() {
    let mut count = 0;
    for format in FORMATS {
        for (name, file) in files(*format) {
            let (made, fixed) = fixed(*format, &file, &MendChoice::Safe);
            if !fixed.has_changed() {
                continue;
            }
            let Some(differ) = differing(*format, &file, &made) else { continue };
            let moving = fixed.mended.findings().iter().find(|one| OF_MOTION.contains(&one.code.name));
            let other = moving_parts(*format, &file, &made);
            let is_meant = |node: &usize| moving.is_some() && other.contains(node);
            assert!(differ.iter().all(is_meant), "{} {name}: {differ:?}", format.info().id);
            count += 1;
        }
    }
    assert!(count > 10, "{count}");
}

/// The places of nodes by whose own tracks or frames two files of a format differ.
fn moving_parts(format: &'static dyn Format, before: &[u8], after: &[u8]) -> BTreeSet<usize> {
    let [before, after] = [before, after].map(|file| open(format, file));
    if let Some((before, after)) = before.downcast::<Mdx>().zip(after.downcast::<Mdx>()) {
        let pairs = before.nodes().into_iter().zip(after.nodes()).enumerate();
        return pairs.filter(|(_, (a, b))| a.node.tracks != b.node.tracks).map(|(i, _)| i).collect();
    }
    let (Some(before), Some(after)) = (before.downcast::<Msh>(), after.downcast::<Msh>()) else {
        return BTreeSet::new();
    };
    let frames = |model: &Msh, node: usize| {
        let view = model.model();
        let start = view.nodes.as_ref().unwrap().rows[node].map_start.get();
        let len = usize::try_from(view.frame_count()).unwrap();
        let rows = view.frame_map.as_ref().map_or(&[][..], |map| map.rows);
        let own = rows.iter().skip(start.into()).take(len).map(|word| word.key.get());
        (start != u16::MAX).then(|| own.collect::<Vec<_>>())
    };
    let count = before.model().node_count();
    (0..count).filter(|node| frames(before, *node) != frames(after, *node)).collect()
}

#[test]
fn what_is_sound_stays_as_it_is() {
    for sample in samples::all() {
        let Some(format) = formats::recognise(&sample.bytes, Some(&sample.name)) else { continue };
        let (made, fixed) = fixed(format, &sample.bytes, &MendChoice::Safe);
        assert!(made == sample.bytes && !fixed.has_changed(), "{}", sample.name);
    }
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
    for case_name in [
        "material-unused",
        "texture-unused",
        "global-unused",
        "track-outside",
        "node-id",
        "track-empty",
        "sequence-unused",
    ] {
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
    let mut all: Vec<&str> = mended_by(mdx, |consent| consent == Consent::Asked).into_iter().collect();
    // One sequence less is one pose less.
    all.retain(|code| *code != "mdx.sequence-unused");
    for (name, file) in files(mdx) {
        let (made, _) = fixed(mdx, &file, &named(&all));
        // A file without a sequence has a pose, too.
        assert!(poses(mdx, &file) == poses(mdx, &made), "{name}");
    }
}

#[test]
fn a_sequence_that_nobody_uses_goes_and_the_others_show_what_they_showed() {
    let (mdx, file) = (format("mdx"), case("mdx", "sequence-unused"));
    let (made, fixed) = fixed(mdx, &file, &named(&["mdx.sequence-unused"]));
    assert_eq!(codes(&fixed.mended)["mdx.sequence-unused"], 1);
    let names = |file: &[u8]| open(mdx, file).as_animated().unwrap().clips().unwrap().len();
    assert_eq!((names(&file), names(&made)), (2, 1));
    assert_eq!(differing(mdx, &made, &file), Some(BTreeSet::new()));
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

/// Members of a generated library.
const MEMBERS: usize = 12;

/// An archive of damaged models of Parkan; how often each code is to be found in it.
fn damaged_library(seed: u64) -> (Vec<u8>, BTreeMap<&'static str, u64>) {
    let (whole, mut dice) = (sample("walker.msh"), Dice::new(seed));
    let mut archive = galvani::parkan::nres::Document::default();
    let mut wanted: BTreeMap<&str, u64> = BTreeMap::new();
    for i in 0..MEMBERS {
        let mut model: Msh = open(format("msh"), &whole).into_document().unwrap();
        for (code, damage) in MSH {
            if dice.below(3) == 0 {
                damage(&mut model, &mut dice);
                *wanted.entry(code).or_default() += 1;
            }
        }
        let name = galvani::parkan::nres::Name::new(format!("M{i}.MSH").as_bytes()).unwrap();
        let entry =
            galvani::parkan::nres::NewEntry { type_id: 0x4853_454d, attr1: 0, attr2: 0, attr3: 1, name };
        archive.insert(i, entry, galvani::parkan::msh::write(&model).unwrap()).unwrap();
    }
    (galvani::parkan::nres::write(&archive).unwrap(), wanted)
}

/// How often each code is found in the members of an archive: of several findings in a member the first.
fn found_in_members(archive: &[u8]) -> BTreeMap<&'static str, u64> {
    let opened = open(format("nres"), archive);
    let archive = opened.as_archive().unwrap();
    let mut found: BTreeMap<&str, u64> = BTreeMap::new();
    for i in 0..archive.members().len() {
        for code in codes(&check(format("msh"), archive.member(i).unwrap())).into_keys() {
            *found.entry(code).or_default() += 1;
        }
    }
    found
}

#[test]
fn generated_libraries_are_as_wrong_as_they_were_made_and_sound_when_they_are_mended() {
    let nres = format("nres");
    for seed in 0..8 {
        let (library, wanted) = damaged_library(seed);
        assert_eq!(found_in_members(&library), wanted, "{seed}");
        let (made, fixed) = fixed(nres, &library, &MendChoice::Safe);
        assert_eq!(found_in_members(&made), BTreeMap::new(), "{seed}");
        let mut mended: BTreeMap<&str, u64> = BTreeMap::new();
        for (_, member) in &fixed.members {
            for code in codes(&member.mended).into_keys() {
                *mended.entry(code).or_default() += 1;
            }
        }
        assert_eq!(mended, wanted, "{seed}");
        let opened = open(nres, &made);
        let archive = opened.as_archive().unwrap();
        assert!((0..MEMBERS).all(|i| archive.member(i).unwrap() == sample("walker.msh")), "{seed}");
    }
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
