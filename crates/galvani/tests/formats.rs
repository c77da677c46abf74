//! The registry: formats are recognised in the right order and do everything they declare; every code
//! that no format is to blame for can happen.
#![cfg(all(feature = "parkan", feature = "ff7", feature = "mdx", feature = "gltf", feature = "fs"))]
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

mod common;

use std::collections::BTreeSet;

use common::archive::archive;
use common::steps::{plausible_steps, sample, subject};
use common::{nres, unpack};
use galvani::formats::{
    self, ArgumentValue, FORMATS, Format, Likelihood, Operation, Selector, Setting, Settings, Site, Step,
};
use galvani::fs::{self, Input};
use galvani::image::from_png;
use galvani::nested::{self, ReplaceError};
use galvani::{Code, Limits, Meter, OpenOptions, ReadOptions, Scrutiny, Severity, codes, samples};
use serde_json::json;
use tempfile::TempDir;

fn id(format: Option<&'static dyn Format>) -> Option<&'static str> {
    format.map(|format| format.info().id)
}

#[test]
fn magic_says_more_than_shape_and_shape_more_than_a_name() {
    assert!(Likelihood::ByMagic > Likelihood::ByShape);
    assert!(Likelihood::ByShape > Likelihood::ByName);
    assert!(Likelihood::ByName > Likelihood::No);
}

#[test]
fn magic_is_enough_whatever_the_name() {
    for name in [None, Some("x"), Some("picture.png"), Some("a.rlb")] {
        assert_eq!(id(formats::recognise(b"NRes", name)), Some("nres"), "{name:?}");
        assert_eq!(id(formats::recognise_content(b"NRes", name)), Some("nres"), "{name:?}");
    }
}

#[test]
fn a_name_is_enough_only_where_somebody_pointed() {
    for name in ["a.rlb", "A.RLB", "x.lib", "land.map"] {
        assert_eq!(id(formats::recognise(b"junk", Some(name))), Some("nres"), "{name}");
        assert_eq!(id(formats::recognise_content(b"junk", Some(name))), None, "{name}");
    }
}

#[test]
fn what_nothing_speaks_for_is_no_format() {
    for (file, name) in [(&b""[..], None), (b"NRe", None), (b"nres", None), (b"junk", Some("a.rlb.txt"))] {
        assert_eq!(id(formats::recognise(file, name)), None, "{file:?} {name:?}");
    }
    assert_eq!(id(formats::recognise(b"", Some("rlb"))), None, "an extension needs a dot");
}

#[test]
fn every_format_is_found_by_its_id_and_by_no_other() {
    let ids: Vec<&str> = FORMATS.iter().map(|format| format.info().id).collect();
    let unique: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), unique.len());
    for one in ids {
        assert_eq!(id(formats::by_id(one)), Some(one));
    }
    assert_eq!(id(formats::by_id("NRES")), None);
    assert_eq!(id(formats::by_id("")), None);
}

#[test]
fn every_code_starts_with_the_id_of_its_format_and_has_a_name_of_its_own() {
    for format in FORMATS {
        let info = format.info();
        let prefix = format!("{}.", info.id);
        assert!(
            info.codes.iter().copied().flatten().all(|code| code.name.starts_with(&prefix)),
            "{}",
            info.id
        );
    }
    assert!(codes::ALL.iter().all(|code| code.name.starts_with("file.")));
    let names: Vec<&str> = codes::all().iter().map(|code| code.name).collect();
    let unique: BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(names.len(), unique.len());
    assert!(names.is_sorted());
}

#[test]
fn field_models_are_taken_for_nothing_else_and_nothing_else_for_them() {
    let field = [
        ("boat.hrc", "ff7-hrc"),
        ("boat.rsd", "ff7-rsd"),
        ("mast.rsd", "ff7-rsd"),
        ("lamp.rsd", "ff7-rsd"),
        ("boat.a", "ff7-a"),
    ];
    for sample in samples::all() {
        let own = field.iter().find(|(name, _)| *name == sample.name).map(|&(_, id)| id);
        let sure = |format: &&&dyn Format| format.recognise(&sample.bytes, None) >= Likelihood::ByShape;
        let ids: Vec<&str> = FORMATS.iter().filter(sure).map(|format| format.info().id).collect();
        match own {
            Some(own) => assert_eq!(ids, [own], "{}", sample.name),
            None => assert!(field.iter().all(|(_, id)| !ids.contains(id)), "{}: {ids:?}", sample.name),
        }
    }
    for (name, wanted) in [("x.HRC", "ff7-hrc"), ("x.rsd", "ff7-rsd"), ("aaaa.a", "ff7-a")] {
        assert_eq!(id(formats::recognise(b"junk", Some(name))), Some(wanted));
        assert_eq!(id(formats::recognise_content(b"junk", Some(name))), None);
    }
}

/// Does every edit that an operation's plausible arguments make; what is refused is left out.
fn edits(format: &'static dyn Format, operation: &Operation) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut done = Vec::new();
    for step in plausible_steps(format, operation) {
        let mut opened = subject(format, operation);
        let before = opened.document.write().unwrap();
        if step.run(&mut *opened.document).is_ok() {
            done.push((before, opened.document.write().unwrap()));
        }
    }
    done
}

#[test]
fn every_operation_that_a_format_declares_is_done_and_leaves_no_error() {
    for &format in FORMATS {
        for operation in format.info().operations {
            let done = edits(format, operation);
            assert!(!done.is_empty(), "{} of {} is always refused", operation.name, format.info().id);
            for (_, written) in done {
                let again = format.open(&written, &OpenOptions::default()).unwrap();
                assert_eq!(again.check().tally(Severity::Error), 0, "{}", operation.name);
            }
        }
    }
}

#[test]
fn every_operation_that_takes_arguments_changes_something() {
    for &format in FORMATS {
        for operation in format.info().operations.iter().filter(|operation| !operation.args.is_empty()) {
            let changed = edits(format, operation).into_iter().any(|(before, after)| before != after);
            assert!(changed, "{} does nothing", operation.name);
        }
    }
}

#[test]
fn an_edit_that_is_refused_changes_nothing() {
    for words in [
        &["remove", "#99"][..],
        &["rename", "#0", ""],
        &["move", "#0", "99"],
        &["insert", "99", "x", "1", ""],
    ] {
        let mut opened = sample(nres());
        let before = opened.document.write().unwrap();
        let step = Step::from_words(nres(), words).unwrap();
        assert!(step.run(&mut *opened.document).is_err(), "{words:?}");
        assert!(opened.document.write().unwrap() == before, "{words:?}");
    }
}

#[test]
fn words_that_make_no_step_say_why() {
    let why = |words: &[&str]| Step::from_words(nres(), words).unwrap_err().to_string();
    assert_eq!(why(&["fly"]), "`fly` is no operation of nres; the list of operations shows all");
    assert_eq!(why(&["rename", "#0"]), "`rename` needs ENTRY NAME; `name` is missing");
    assert_eq!(why(&["move", "#0", "-1"]), "`index` of `move` must be a whole number from 0 on, not `-1`");
}

/// The only input that a word names.
fn input(word: &str, options: &OpenOptions) -> Input {
    let mut inputs = fs::expand(&[word.into()], fs::Follow::No, options);
    assert_eq!(inputs.len(), 1);
    inputs.remove(0)
}

/// Why an input has no bytes.
fn why_not(word: &str) -> &'static Code {
    let options = OpenOptions::default();
    input(word, &options).source(&options).unwrap_err().cause.code
}

/// Each code of `file.*` once, except `file.unwritable`: the library hands the disk's own error on, and
/// the command gives it that name (its tests provoke it with full disks and closed folders).
#[test]
fn every_code_of_files_can_happen() {
    let disk = TempDir::new().unwrap();
    let at = |name: &str| disk.path().join(name).to_string_lossy().into_owned();
    std::fs::write(at("a.rlb"), archive(&[("same", b"1"), ("SAME", b"2")])).unwrap();
    std::fs::write(at("note.txt"), b"no archive").unwrap();
    let options = OpenOptions::default();
    let mut happened = BTreeSet::new();

    happened.insert(why_not(&at("missing")).name);
    happened.insert(why_not(&at("note.txt/member")).name);
    happened.insert(fs::read(disk.path(), &options.read.limits).unwrap_err().cause.code.name);
    let small = Limits { bytes: 4, ..Limits::default() };
    happened.insert(fs::read(disk.path().join("a.rlb").as_path(), &small).unwrap_err().cause.code.name);
    let twice = input(&at("a.rlb/same"), &options).source(&options).unwrap();
    happened.insert(twice.notes[0].code.name);

    let limits = Limits { depth: 0, ..Limits::default() };
    let shallow = OpenOptions::from(ReadOptions { limits, ..ReadOptions::default() });
    let nest = archive(&[("in.rlb", &archive(&[]))]);
    let rows = nested::check("nest.rlb", &Site::NOWHERE, nres(), &nest, &shallow, Scrutiny::Usual);
    happened.insert(rows[0].report.findings()[0].code.name);

    let Err(ReplaceError::Lost(cause)) = nested::replace(b"junk", None, &[0], (b"", Vec::new()), &options)
    else {
        panic!("junk has members");
    };
    happened.insert(cause.code.name);

    let table = formats::by_id("wear").unwrap().open(b"1\n0 RUST\n", &options).unwrap();
    let missing = table.check_at(&Site::NOWHERE, Scrutiny::Pedantic);
    happened.insert(missing.findings()[0].code.name);

    let mut folder = unpack(&archive(&[]));
    folder.manifest["version"] = json!("new");
    happened.insert(nres().pack(&folder).unwrap_err().cause.code.name);

    let mut bomb = archive(&[("a", &[7; 4096])]);
    let record = bomb.split_off(bomb.len() - 64);
    bomb.extend(record.repeat(100));
    let (count, len) = (100_u32, u32::try_from(bomb.len()).unwrap());
    bomb[8..12].copy_from_slice(&count.to_le_bytes());
    bomb[12..16].copy_from_slice(&len.to_le_bytes());
    let bomb = nres().open(&bomb, &options).unwrap();
    happened.insert(
        nested::allow_extraction(bomb.as_archive().unwrap(), bomb.map.len(), &options)
            .unwrap_err()
            .cause
            .code
            .name,
    );
    let empty = nres().open(&archive(&[]), &options).unwrap();
    happened.insert(empty.as_drawn().err().unwrap().cause.code.name);
    happened.insert(empty.as_animated().err().unwrap().cause.code.name);
    happened.insert(empty.as_model().err().unwrap().cause.code.name);
    happened.insert(empty.as_picture().err().unwrap().cause.code.name);

    let by_id = |id: &str| formats::by_id(id).unwrap();
    let clip = |word: &str| formats::Sampling { clip: Some(Selector::new(word)), ..Default::default() };
    let refusal = |id: &str, wanted: &formats::Sampling| {
        sample(by_id(id)).as_animated().unwrap().sample(wanted).unwrap_err().cause.code.name
    };
    happened.insert(refusal("msh", &clip("1")));
    let set = |declared: &[Setting], words: &[(&str, &str)]| {
        let settings = Settings::from_words(declared, words).unwrap();
        formats::Sampling { settings, ..Default::default() }
    };
    happened.insert(refusal("msh", &set(formats::mdx::Posing::SETTINGS, &[("tracks", "yes")])));
    happened.insert(refusal("msh", &set(formats::msh::Posing::SETTINGS, &[("blend", "0.5")])));
    let none = Settings::from_words(formats::mdx::Lifting::SETTINGS, &[("tolerance", "0")]).unwrap();
    let model = sample(by_id("mdx"));
    happened.insert(model.as_model().unwrap().lift(&none, &Site::NOWHERE).unwrap_err().cause.code.name);
    let node = formats::Sampling { node: Some(Selector::new("hip")), ..Default::default() };
    happened.insert(refusal("ff7-a", &node));
    let playback = formats::Playback {
        clip: Selector::All,
        then: Vec::new(),
        times: formats::Times::at(0.0),
        node: None,
        seed: 0,
        settings: Settings::default(),
    };
    let still = sample(by_id("ff7-pack"));
    let played = still.as_animated().unwrap().play(&playback, &Meter::unlimited(), &mut |_| ());
    happened.insert(played.unwrap_err().cause.code.name);
    let skeleton =
        Settings::from_words(formats::ff7_pack::KnownModel::SETTINGS, &[("skeleton", "none")]).unwrap();
    let told = OpenOptions { settings: skeleton, ..OpenOptions::default() };
    let pack = sample(by_id("ff7-pack")).document.write().unwrap();
    happened.insert(by_id("ff7-pack").open(&pack, &told).unwrap_err().cause.code.name);
    let step = Step::from_words(by_id("ff7-pack"), &["add", "body", "{\"unit\": \"miles\"}"]).unwrap();
    happened.insert(step.run(&mut *sample(by_id("ff7-pack")).document).unwrap_err().cause.code.name);
    let step = Step::from_words(by_id("mdx"), &["reparent-node", "1", "all"]).unwrap();
    happened.insert(step.run(&mut *sample(by_id("mdx")).document).unwrap_err().cause.code.name);
    let other = Step::from_words(nres(), &["canonical"]).unwrap();
    happened.insert(other.run(&mut *sample(by_id("mdx")).document).unwrap_err().cause.code.name);
    let wrong = Step { values: vec![ArgumentValue::Integer(0)], ..step.clone() };
    happened.insert(wrong.run(&mut *sample(by_id("mdx")).document).unwrap_err().cause.code.name);
    let two = galvani::diff::diff(&sample(nres()), &sample(by_id("mdx")), &options);
    happened.insert(two.unwrap_err().cause.code.name);
    happened.insert(from_png(b"junk").unwrap_err().cause.code.name);
    let slow = Settings::from_words(galvani::convert::Writing::SETTINGS, &[("fps", "0")]).unwrap();
    let meter = options.read.budget.meter(&galvani::budget::CONVERTING, 1 << 20);
    let frog = sample(by_id("ff7-skeleton"));
    let slow = galvani::convert::glb(&frog, &Site::NOWHERE, &slow, &meter);
    happened.insert(slow.unwrap_err().cause.code.name);
    let swim = Settings::from_words(galvani::convert::Writing::SETTINGS, &[("clip", "Swim")]).unwrap();
    let swim = galvani::convert::glb(&sample(by_id("mdx")), &Site::NOWHERE, &swim, &meter);
    happened.insert(swim.unwrap_err().cause.code.name);

    happened.extend(what_keeps_files_from_being_written());

    let mut wanted: BTreeSet<&str> = codes::ALL.iter().map(|code| code.name).collect();
    // These are the command's own, and provoked by its tests; one wants a link, one a minute of patience.
    let others = [
        "file.unwritable",
        "file.empty",
        "file.folder-not-empty",
        "file.no-operation",
        "file.usage",
        "file.example",
        "file.nothing-mends",
    ];
    // That one is provoked by tests/edits/fix.rs.
    assert!(wanted.remove("file.not-mended"));
    // These belong to the way back, and are provoked by tests/back.rs, back_names.rs, back_pictures.rs and lower.rs; the last by the
    // command's tests.
    let back = [
        "no-way-back",
        "broken-way-back",
        "other-count",
        "change-not-taken",
        "lost-change",
        "fitted-name",
        "copies-differ",
        "rebuilt",
        "repainted",
        "picture-left",
        "not-in-stream",
        "example-left",
    ];
    let back = back.map(|name| format!("file.{name}"));
    let back = back.iter().map(String::as_str);
    for name in others.into_iter().chain(["file.dead-link", "file.busy"]).chain(back) {
        assert!(wanted.remove(name), "{name}");
    }
    assert_eq!(happened, wanted);
}

fn what_keeps_files_from_being_written() -> Vec<&'static str> {
    let disk = TempDir::new().unwrap();
    let (tree, at) = (fs::Tree::new(disk.path()), |name: &str| disk.path().join(name));
    let mut free = fs::Overwrite::default();
    tree.write_file("a", b"old", &free).unwrap();
    tree.write_file("deep/b", b"old", &free).unwrap();
    let code = |error: fs::SaveError| error.cause.code.name;
    let mut happened: Vec<&str> =
        ["a", "deep", "../a"].map(|name| code(tree.write_file(name, b"new", &free).unwrap_err())).to_vec();
    let late = fs::Output::new(&at("a"), &free).unwrap();
    fs::Output::new(&at("a"), &free).unwrap().write(b"first").unwrap();
    happened.push(code(late.write(b"second").unwrap_err()));
    std::fs::hard_link(at("a"), at("other")).unwrap();
    let saved = fs::Output::new(&at("a"), &free).unwrap().write(b"third").unwrap();
    happened.push(saved.notes[0].code.name);
    let mut rights = std::fs::metadata(at("other")).unwrap().permissions();
    rights.set_readonly(true);
    std::fs::set_permissions(at("other"), rights).unwrap();
    happened.push(code(fs::Output::new(&at("other"), &free).unwrap_err()));
    free.spare(&at("a"));
    happened.push(code(fs::Output::new(&at("a"), &free).unwrap_err()));
    happened
}

#[test]
fn a_file_of_exactly_the_limit_is_read() {
    let disk = TempDir::new().unwrap();
    let path = disk.path().join("four");
    std::fs::write(&path, b"four").unwrap();
    let limits = |bytes| Limits { bytes, ..Limits::default() };
    assert_eq!(fs::read(&path, &limits(4)).unwrap(), b"four");
    assert_eq!(fs::read(&path, &limits(3)).unwrap_err().cause.code, &codes::TOO_LARGE);
}

/// What people read of codes and operations speaks of the library; the command has words of its own.
#[test]
fn no_text_of_the_library_names_a_flag_or_a_verb() {
    let verbs = [
        "validate",
        "info",
        "dump",
        "list",
        "unpack",
        "pack",
        "edit",
        "rewrite",
        "sample",
        "extract",
        "convert",
        "diff",
        "draw",
        "pick",
        "samples",
        "completions",
        "man",
    ];
    let names_one = |text: &str| {
        let is_flag = |word: &str| word.starts_with("--") && word.len() > 3;
        let is_verb =
            |verb: &&str| text.contains(&format!("`{verb}`")) || text.contains(&format!("`{verb} "));
        text.split([' ', '`']).any(is_flag) || verbs.iter().any(is_verb) || text.contains("galvani ")
    };
    assert!(names_one("say --force") && names_one("`validate` says where") && !names_one("a -- b"));
    let mut texts: Vec<&str> = codes::all().iter().flat_map(|code| [code.summary, code.help]).collect();
    for info in FORMATS.iter().map(|format| format.info()) {
        let settings = [info.reading, info.sampling, info.lifting, info.picturing];
        texts.extend(settings.into_iter().flatten().map(|setting| setting.help));
        texts.extend(info.operations.iter().map(|operation| operation.summary));
        texts.extend(info.operations.iter().flat_map(|operation| operation.args).map(|arg| arg.help));
    }
    let wrong: Vec<&&str> = texts.iter().filter(|text| names_one(text)).collect();
    assert!(texts.len() > 500 && wrong.is_empty(), "{wrong:#?}");
}

/// Options of one name are one: the command has a flag for each name.
#[test]
fn options_of_one_name_are_of_one_kind() {
    let mut kinds = std::collections::BTreeMap::new();
    for info in FORMATS.iter().map(|format| format.info()) {
        for setting in [info.reading, info.sampling, info.lifting, info.picturing].into_iter().flatten() {
            let kind = *kinds.entry(setting.name).or_insert(setting.kind);
            assert_eq!(kind, setting.kind, "{}: {}", info.id, setting.name);
        }
    }
    assert!(kinds.len() > 10);
}

/// A document comes back as the type that its family's crate gives it.
#[test]
fn an_opened_file_gives_its_familys_document() {
    let opened = sample(formats::by_id("mdx").unwrap());
    assert!(opened.downcast::<galvani_mdx::Document>().is_some());
    assert!(opened.downcast::<galvani_ff7::pack::Document>().is_none());
    let pack = sample(formats::by_id("ff7-pack").unwrap());
    let document = pack.into_document::<galvani_ff7::pack::Document>().unwrap();
    assert!(!document.entries.is_empty());
}
