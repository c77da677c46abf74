//! Operations one by one: each does what it says, changes the parts that it names and no others, and can be taken back.

use std::collections::{BTreeMap, BTreeSet};

use galvani::core::history::History;
use galvani::formats::{self, Files, Format, NamedFile, OpenOptions, Sampling, Selector, Step};
use galvani::{Report, Severity, mdx, parkan};

use crate::{open, sample};

fn format_of(name: &str) -> &'static dyn Format {
    formats::recognise(&sample(name), Some(name)).unwrap()
}

/// Samples by their names, and a folder of two files.
struct Shipped;

impl Files for Shipped {
    fn bytes(&mut self, name: &str) -> Result<Vec<u8>, String> {
        Ok(sample(name))
    }

    fn folder(&mut self, name: &str) -> Result<Vec<NamedFile>, String> {
        let file =
            |name: &str| NamedFile { name: name.to_owned(), bytes: format!("bytes of {name}").into_bytes() };
        match name {
            "fresh" => Ok(vec![file("aaaa.a"), file("aaab.b")]),
            "known" => Ok(vec![file("zgaa"), file("README.txt")]),
            _ => Err("no such folder".to_owned()),
        }
    }
}

/// What some operations make of a sample, and what they say of it; or the code of the refusal, and nothing has changed.
fn edited(name: &str, words: &[&str]) -> Result<(Vec<u8>, Report), &'static str> {
    let (format, whole) = (format_of(name), sample(name));
    let mut document = open(format, &whole).document;
    let mut words = words.iter().map(|&word| word.to_owned());
    let mut report = Report::default();
    for step in Step::all(format, &mut words, &mut Shipped).unwrap() {
        let before = document.write().unwrap();
        match step.run(&mut *document) {
            Ok(costs) => report.append(costs),
            Err(error) => {
                assert!(document.write().unwrap() == before, "{error}: refused, and yet something changed");
                return Err(error.cause.code.name);
            }
        }
    }
    let made = document.write().unwrap();
    let checked = open(format, &made).check();
    assert_eq!(checked.tally(Severity::Error), 0, "{:?}", checked.findings());
    Ok((made, report))
}

fn done(name: &str, words: &[&str]) -> Vec<u8> {
    edited(name, words).unwrap().0
}

/// The parts of a file, by what they are called: chunks, streams or members.
fn parts(name: &str, file: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let opened = open(format_of(name), file);
    if let Some(model) = opened.downcast::<mdx::Document>() {
        let mut parts: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        for chunk in &model.chunks {
            let alone = mdx::Document { chunks: vec![chunk.clone()], ..model.clone() };
            let tag = String::from_utf8_lossy(&chunk.tag).into_owned();
            parts.entry(tag).or_default().extend(mdx::write(&alone).unwrap());
        }
        return parts;
    }
    if let Some(model) = opened.downcast::<parkan::msh::Document>() {
        let entries = model.archive.entries.iter().enumerate();
        return entries
            .map(|(i, entry)| (entry.type_id.to_string(), model.archive.payload(i).unwrap().to_vec()))
            .collect();
    }
    if let Some(pack) = opened.downcast::<galvani::ff7::pack::Document>() {
        return pack
            .entries
            .iter()
            .enumerate()
            .map(|(i, entry)| (i.to_string(), entry.payload.clone()))
            .collect();
    }
    let archive = opened.as_archive().unwrap();
    let members = archive.members();
    (0..members.len()).map(|i| (members[i].shown(), archive.member(i).unwrap().to_vec())).collect()
}

/// The parts that differ, also those that are new or gone.
fn touched(name: &str, made: &[u8]) -> Vec<String> {
    let (old, new) = (parts(name, &sample(name)), parts(name, made));
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    names.into_iter().filter(|name| old.get(*name) != new.get(*name)).cloned().collect()
}

/// A pose of a model in words.
fn pose(name: &str, file: &[u8], clip: Option<&str>, times: &str) -> String {
    let opened = open(format_of(name), file);
    let wanted =
        Sampling { times: times.parse().unwrap(), clip: clip.map(Selector::new), ..Sampling::default() };
    let poses = opened.as_animated().unwrap().sample(&wanted).unwrap().poses;
    let nodes = poses.map(|pose| {
        let pose = pose.unwrap();
        let places =
            pose.nodes.iter().map(|node| (node.name.clone(), node.translation, node.rotation, node.scale));
        format!("{:?} {:?}", pose.time, places.collect::<Vec<_>>())
    });
    nodes.collect::<Vec<_>>().join("\n")
}

const LANTERN: &str = "lantern.mdx";
const LANTERN_WOW: &str = "lantern-wow.mdx";

#[test]
fn what_an_operation_does_not_name_keeps_its_bytes() {
    let cases: &[(&str, &[&str], &[&str])] = &[
        (LANTERN, &["set-sequence", "Walk", "speed", "270"], &["SEQS"]),
        (LANTERN, &["set-sequence", "Stand - 2", "rarity", "7"], &["SEQS"]),
        (LANTERN, &["set-sequence", "Death", "loop", "1"], &["SEQS"]),
        (LANTERN, &["set-sequence", "Death", "bounds", "9,-1,-2,-3,1,2,3"], &["SEQS"]),
        (LANTERN_WOW, &["set-sequence", "0", "replay", "1,4"], &["SEQS"]),
        (LANTERN_WOW, &["set-sequence", "0", "blend", "75"], &["SEQS"]),
        (LANTERN_WOW, &["set-sequence", "0", "frequency", "0.25"], &["SEQS"]),
        (LANTERN, &["sort-keys"], &[]),
        (LANTERN, &["remove-unused"], &[]),
        (LANTERN, &["renumber-nodes"], &[]),
        ("walker.msh", &["node-flags", "turret", "0x11"], &["1"]),
        ("walker.msh", &["batch-flags", "0", "0x12345"], &["13"]),
        ("walker.msh", &["set-slot", "turret", "2", "4", "0"], &["1"]),
        ("walker.msh", &["set-key", "turret", "12", "1,2,3", "none"], &["8"]),
        ("walker.msh", &["set-key", "turret", "12", "none", "0,0,0,1"], &["8"]),
        ("frog/zgda", &["copy-clip", "frog/zgda", "1"], &["2", "3"]),
        ("frog.lgp", &["add-folder", "fresh"], &["aaaa.a", "aaab.b"]),
        ("depot.rlb", &["add-folder", "fresh", "TEST"], &["aaaa.a", "aaab.b"]),
    ];
    for (name, words, wanted) in cases {
        let made = done(name, words);
        let found = touched(name, &made);
        if words[0] == "copy-clip" {
            assert!(!found.is_empty() && found.len() < parts(name, &made).len(), "{words:?}: {found:?}");
        } else {
            assert_eq!(found, *wanted, "{name} {words:?}");
        }
    }
}

#[test]
fn every_operation_can_be_taken_back_to_the_byte() {
    let whole = sample(LANTERN);
    let mut history: History<mdx::Document> =
        History::new(open(format_of(LANTERN), &whole).into_document().unwrap());
    let other: mdx::Document = open(format_of(LANTERN_WOW), &sample(LANTERN_WOW)).into_document().unwrap();
    history.edit(|model| mdx::edit::trim_sequence(model, 0, 100, 900)).unwrap();
    history.edit(|model| mdx::edit::copy_sequence(model, &other, 2)).unwrap();
    history.edit(mdx::edit::renumber_nodes).unwrap();
    history.edit(mdx::edit::remove_unused).unwrap();
    assert!(mdx::write(history.now()).unwrap() != whole);
    while history.undo() {}
    assert!(mdx::write(history.now()).unwrap() == whole);
}

#[test]
fn a_field_that_a_family_does_not_have_is_refused_and_so_is_a_wrong_number() {
    for (name, words, code) in [
        (LANTERN, &["set-sequence", "0", "replay", "1,2"][..], "mdx.edit-sequence-field"),
        (LANTERN, &["set-sequence", "0", "blend", "1"], "mdx.edit-sequence-field"),
        (LANTERN_WOW, &["set-sequence", "0", "rarity", "1"], "mdx.edit-sequence-field"),
        (LANTERN, &["set-sequence", "0", "speed", "1,2"], "mdx.edit-value-count"),
        (LANTERN, &["set-sequence", "0", "loop", "2"], "mdx.edit-value"),
        (LANTERN, &["set-sequence", "0", "bounds", "1,5,0,0,1,1,1"], "mdx.edit-value"),
        (LANTERN, &["set-sequence", "9", "speed", "1"], "mdx.edit-no-sequence"),
        (LANTERN, &["trim-sequence", "0", "900", "900"], "mdx.edit-window"),
        (LANTERN, &["trim-sequence", "0", "0", "9000"], "mdx.edit-window"),
        (LANTERN, &["copy-sequence", LANTERN_WOW, "Nowhere"], "mdx.edit-no-sequence"),
        ("walker.msh", &["set-slot", "0", "3", "0", "0"], "msh.edit-no-slot"),
        ("walker.msh", &["set-slot", "0", "0", "0", "999"], "msh.edit-no-slot"),
        ("walker.msh", &["remove-node", "0"], "msh.edit-children"),
        (
            "walker.msh",
            &["add-node", "a name of more bytes than there is room", "none"],
            "msh.edit-name-long",
        ),
        ("walker.msh", &["set-key", "0", "0.5", "none", "none"], "msh.edit-frame"),
        ("walker.msh", &["set-key", "0", "0", "1,2", "none"], "msh.edit-value"),
        ("frog/zgda", &["copy-clip", "frog/zgda", "99"], "ff7-pack.no-entry"),
        ("frog.lgp", &["add-folder", "known"], "lgp.name-taken"),
        ("frog.lgp", &["replace-folder", "fresh"], "lgp.no-entry"),
        ("depot.rlb", &["replace-folder", "fresh"], "nres.no-entry"),
    ] {
        assert_eq!(edited(name, words).map(drop), Err(code), "{name} {words:?}");
    }
}

#[test]
fn a_trimmed_sequence_shows_what_it_showed() {
    for name in [LANTERN, LANTERN_WOW] {
        let (made, report) = edited(name, &["trim-sequence", "Walk", "4700", "5300"]).unwrap();
        let (was, is) = (
            pose(name, &sample(name), Some("Walk"), "100..700:50"),
            pose(name, &made, Some("Walk"), "0..600:50"),
        );
        // Times differ, and the last digits of what was cut.
        let numbers = |text: &str| -> Vec<f64> {
            let lines = text.lines().map(|line| line.split_once(' ').unwrap().1);
            let words = lines.flat_map(|line| {
                line.split(|c: char| !(c.is_ascii_digit() || ".-e".contains(c)))
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            });
            words.filter_map(|word| word.parse().ok()).collect()
        };
        let (was, is) = (numbers(&was), numbers(&is));
        assert_eq!(was.len(), is.len());
        let most = was.iter().zip(&is).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(most < 2e-2, "{name}: {most}");
        assert!(
            report.findings().iter().all(|finding| finding.code.name == "mdx.edit-inexact"),
            "{report:?}"
        );
        for clip in ["Stand", "Death"] {
            assert_eq!(
                pose(name, &made, Some(clip), "0..1000:100"),
                pose(name, &sample(name), Some(clip), "0..1000:100")
            );
        }
    }
}

#[test]
fn a_copied_sequence_moves_the_nodes_of_the_same_names_and_names_the_others() {
    let (made, report) = edited(LANTERN, &["copy-sequence", LANTERN, "Walk"]).unwrap();
    let last = open(format_of(LANTERN), &made).downcast::<mdx::Document>().unwrap().sequences().len() - 1;
    let again = format!("#{last}");
    let (was, is) = (
        pose(LANTERN, &sample(LANTERN), Some("#2"), "0..800:50"),
        pose(LANTERN, &made, Some(&again), "0..800:50"),
    );
    assert_eq!(was, is);
    for clip in ["#0", "#1", "#2", "#3"] {
        assert_eq!(
            pose(LANTERN, &made, Some(clip), "0..700:50"),
            pose(LANTERN, &sample(LANTERN), Some(clip), "0..700:50")
        );
    }
    assert!(report.findings().iter().all(|finding| finding.code.name == "mdx.edit-not-copied"), "{report:?}");
    // A model whose nodes have other names shares none.
    let mut stranger: mdx::Document = open(format_of(LANTERN), &sample(LANTERN)).into_document().unwrap();
    for node in 0..stranger.nodes().len() {
        mdx::edit::rename_node(&mut stranger, node, &format!("Other {node}")).unwrap();
    }
    let mut model: mdx::Document = open(format_of(LANTERN), &sample(LANTERN)).into_document().unwrap();
    let refused = mdx::edit::copy_sequence(&mut model, &stranger, 0).unwrap_err();
    assert_eq!(refused.cause.code.name, "mdx.edit-no-shared-node");
    assert!(mdx::write(&model).unwrap() == sample(LANTERN));
    // One node that is called otherwise is named, and what moves it is left.
    let mut model: mdx::Document = open(format_of(LANTERN), &sample(LANTERN)).into_document().unwrap();
    let moving = model
        .nodes()
        .iter()
        .position(|placed| {
            placed.node.tracks.iter().any(|track| track.times.iter().any(|time| (4600..=5400).contains(time)))
        })
        .unwrap();
    let name = galvani::text::shown(&model.nodes()[moving].node.fixed.name.0).into_owned();
    mdx::edit::rename_node(&mut model, moving, "Somebody else").unwrap();
    let other: mdx::Document = open(format_of(LANTERN), &sample(LANTERN)).into_document().unwrap();
    let copied = mdx::edit::copy_sequence(&mut model, &other, 2).unwrap();
    assert!(copied.missing.contains(&name), "{copied:?}");
}

#[test]
fn a_sequence_of_the_other_family_is_copied_with_its_rotations() {
    for (here, there) in [(LANTERN, LANTERN_WOW), (LANTERN_WOW, LANTERN)] {
        let made = done(here, &["copy-sequence", there, "Walk"]);
        let count = open(format_of(here), &made).downcast::<mdx::Document>().unwrap().sequences().len();
        let whole =
            open(format_of(there), &sample(there)).downcast::<mdx::Document>().unwrap().sequences().len();
        assert!(count >= whole, "{here}");
    }
}

#[test]
fn a_node_that_is_added_and_removed_again_leaves_no_trace() {
    let whole = sample("walker.msh");
    let made = done("walker.msh", &["add-node", "flag", "turret"]);
    let opened = open(format_of("walker.msh"), &made);
    let model = opened.downcast::<parkan::msh::Document>().unwrap().model();
    let last = model.node_count() - 1;
    assert_eq!(model.node_name(last), b"flag");
    assert!(opened.check().findings().is_empty(), "{:?}", opened.check().findings());
    assert_eq!(
        touched("walker.msh", &made),
        ["1", "10", "8", "9"]
            .into_iter()
            .filter(|stream| parts("walker.msh", &whole).contains_key(*stream))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    );
    assert!(done("walker.msh", &["add-node", "flag", "turret", "remove-node", "flag"]) == whole);
}

#[test]
fn a_node_that_is_removed_takes_its_keys_and_frames_and_the_others_stay_where_they_are() {
    let whole = sample("walker.msh");
    let opened = open(format_of("walker.msh"), &whole);
    let model = opened.downcast::<parkan::msh::Document>().unwrap();
    let view = model.model();
    let is_leaf = |node: usize| {
        !view.nodes.as_ref().unwrap().rows.iter().any(|row| usize::from(row.parent.get()) == node)
    };
    let leaf = (0..view.node_count()).find(|node| is_leaf(*node)).unwrap();
    let name = String::from_utf8(view.node_name(leaf).to_vec()).unwrap();
    let made = done("walker.msh", &["remove-node", &format!("#{leaf}")]);
    let poses = |file: &[u8]| -> Vec<String> {
        let opened = open(format_of("walker.msh"), file);
        let wanted = Sampling { times: "0..8".parse().unwrap(), ..Sampling::default() };
        let animated = opened.as_animated().unwrap();
        let poses = animated.sample(&wanted).unwrap().poses;
        let nodes = poses.flat_map(|pose| {
            let pose = pose.unwrap();
            pose.nodes
                .into_iter()
                .map(move |node| (pose.time, node.name, node.position, node.rotation))
                .collect::<Vec<_>>()
        });
        nodes.filter(|(_, own, ..)| own.as_deref() != Some(&name)).map(|row| format!("{row:?}")).collect()
    };
    assert_eq!(poses(&made), poses(&whole));
}

#[test]
fn a_key_is_put_on_a_free_frame_and_changed_on_one_that_has_one() {
    let inserted = done("walker.msh", &["set-key", "turret", "5", "none", "0.7071,0,0,0.7071"]);
    let twice = done(
        "walker.msh",
        &["insert-key", "turret", "5", "set-rotation", "turret", "5", "0.7071", "0", "0", "0.7071"],
    );
    assert!(inserted == twice);
    let changed = done("walker.msh", &["set-key", "turret", "12", "1,2,3", "none"]);
    assert!(changed == done("walker.msh", &["set-position", "turret", "12", "1", "2", "3"]));
}

#[test]
fn reducing_all_tracks_is_reducing_each() {
    let model = open(format_of(LANTERN), &sample(LANTERN));
    let tracks = mdx::edit::tracks(model.downcast::<mdx::Document>().unwrap());
    let words: Vec<String> =
        tracks.iter().flat_map(|track| ["reduce".to_owned(), track.to_string(), "0.01".to_owned()]).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    assert!(done(LANTERN, &["reduce", "all", "0.01"]) == done(LANTERN, &words));
}

#[test]
fn flags_that_do_not_fit_are_refused_as_documented() {
    let options = OpenOptions::from(galvani::ReadOptions {
        readings: galvani::Readings { all: galvani::Reading::Documented.into(), topics: Vec::new() },
        ..galvani::ReadOptions::default()
    });
    let opened = format_of("walker.msh").open(&sample("walker.msh"), &options).unwrap();
    let mut model: parkan::msh::Document = opened.into_document().unwrap();
    let refused = parkan::msh::edit::set_batch_flags(&mut model, 0, 0x1_0000).unwrap_err();
    assert_eq!(refused.cause.code.name, "msh.edit-flags");
}

#[test]
fn entries_get_the_bytes_of_the_files_that_are_called_like_them() {
    let refused = edited("frog.lgp", &["replace-folder", "known"]).map(drop);
    assert_eq!(refused, Err("lgp.no-entry"), "README.txt is not there, so nothing is replaced");
    let made = done(
        "depot.rlb",
        &["add-folder", "fresh", "TEST", "rename", "aaaa.a", "zgaa", "replace-folder", "known"],
    );
    let members = parts("depot.rlb", &made);
    assert_eq!(members["zgaa"], b"bytes of zgaa");
    assert!(
        members
            .iter()
            .any(|(name, bytes)| name.eq_ignore_ascii_case("readme.txt") && bytes == b"bytes of README.txt")
    );
}
