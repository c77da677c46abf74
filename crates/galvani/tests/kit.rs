//! What every format of the registry must do, on the cases and samples it brings along: nothing here names one.
#![cfg(all(feature = "parkan", feature = "ff7", feature = "mdx", feature = "texture", feature = "gltf"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

#[path = "common/beside.rs"]
mod beside;
#[path = "common/laws.rs"]
mod laws;

use std::collections::BTreeSet;

use beside::{Damaged, own_name, samples_of};
use galvani::formats::{self, FORMATS, Format, Links, OpenOptions, Settings, Site};
use galvani::samples;
use galvani_testkit::cases;
use laws::{answers, compares, edits, lifts, strict_agrees};

/// The cases of a format and the samples that are recognised as such, by name.
fn files(format: &'static dyn Format) -> Vec<(String, Vec<u8>)> {
    let id = format.info().id;
    let mut files = cases(id, 0);
    let is_one = |file: &[u8]| formats::recognise(file, None).is_some_and(|found| found.info().id == id);
    let shipped = samples::all().into_iter().filter(|sample| is_one(&sample.bytes));
    files.extend(shipped.map(|sample| (sample.name, sample.bytes)));
    files
}

#[test]
fn every_format_ships_a_sample_that_is_sound() {
    for format in FORMATS {
        let sound = files(*format).iter().any(|(name, file)| {
            let is_shipped = samples::all().iter().any(|sample| sample.name == *name);
            is_shipped && answers(*format, file).is_some_and(|opened| opened.check().findings().is_empty())
        });
        assert!(sound, "{}", format.info().id);
    }
}

#[test]
fn every_case_is_written_back_told_and_shown() {
    for format in FORMATS {
        let mut opened = Vec::new();
        for (_, file) in files(*format) {
            strict_agrees(*format, &file);
            opened.extend(answers(*format, &file));
        }
        assert!(!opened.is_empty(), "{}: nothing reads", format.info().id);
        opened.windows(2).for_each(|pair| compares(&pair[0], &pair[1]));
    }
}

/// How many ways to damage each file are tried; every byte of every case is tried by the format's own tests.
const TRIES: usize = 48;

#[test]
fn damage_is_read_or_refused() {
    for format in FORMATS {
        for (_, file) in files(*format).iter().filter(|(_, file)| file.len() < 1 << 16) {
            let step = (file.len() / TRIES).max(1);
            for at in (0..file.len()).step_by(step) {
                answers(*format, &file[..at]);
                let mut damaged = file.clone();
                damaged[at] = !damaged[at];
                answers(*format, &damaged);
            }
        }
    }
}

/// How many ways to damage each neighbour of a model are tried.
const TRIES_BESIDE: usize = 8;

/// Lifts a sample over and over, each time beside neighbours of which one is cut or has a byte that differs; the
/// neighbours that it asks for.
fn lifts_beside_damage(format: &'static dyn Format, sample: &samples::Sample) -> Vec<String> {
    let whole = Damaged::default();
    let lifts = |beside: &Damaged| {
        let site = Site::named(own_name(sample), beside);
        let opened = format.open_at(&sample.bytes, &OpenOptions::default(), &site);
        opened.is_ok_and(|opened| lifts(&opened, &Settings::default(), &site))
    };
    if !lifts(&whole) {
        return Vec::new();
    }
    for name in whole.met() {
        let len = whole.find(&name).unwrap().len();
        for at in (0..len).step_by((len / TRIES_BESIDE).max(1)) {
            let (mut cut, mut flipped) = (Damaged::default(), Damaged::default());
            cut.cut(&name, at);
            flipped.flip(&name, at, u8::MAX);
            lifts(&cut);
            lifts(&flipped);
        }
    }
    whole.met()
}

#[test]
fn a_model_beside_damage_becomes_a_scene_that_is_sound() {
    let mut met = BTreeSet::new();
    for format in FORMATS {
        samples_of(*format).for_each(|sample| met.extend(lifts_beside_damage(*format, sample)));
    }
    // Of every kind: a pack, an animation, parts, a texture of each game, what a model wears and its library.
    for name in
        ["zgda", "boat.a", "boat.rsd", "boat.p", "glow.tex", "walker.wea", "material.lib", "lantern.blp"]
    {
        assert!(met.contains(name), "{name}: {met:?}");
    }
}

#[test]
fn every_format_reads_every_other_formats_files_without_harm() {
    let all: Vec<Vec<u8>> = samples::all().into_iter().map(|sample| sample.bytes).collect();
    for format in FORMATS {
        all.iter().filter(|file| file.len() < 1 << 16).for_each(|file| drop(answers(*format, file)));
    }
}

/// Numbers that look like nothing in particular, the same every time.
fn dice(mut seed: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Some(seed.to_be_bytes()[0])
    })
}

#[test]
fn blind_edits_are_done_or_refused() {
    for format in FORMATS {
        for (i, (_, file)) in files(*format).iter().enumerate().filter(|(_, (_, file))| file.len() < 1 << 15)
        {
            for round in 0..6 {
                edits(*format, file, dice(u32::try_from(i).unwrap() * 31 + round));
            }
        }
    }
}
