//! Damage never passes as another form: every wrong count and interpolation of every track is told.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

mod common;

use common::make::{Dice, KINDS, Make};
use common::raw::{Bytes, bytes, chunk, file, head, modl_wow, node, sized, vers};
use common::{report, strictly};
use galvani_core::{Reading, Severity, Strictness};
use galvani_mdx::track::{Form, Owner, TrackValue, name_of, value_of};
use galvani_mdx::{Family, read, write};

/// Tracks of a record in one form, each with a few keys.
struct Tracks {
    form: Form,
    dice: Dice,
}

impl Tracks {
    fn of(&mut self, owner: Owner, tags: &[&str]) -> Vec<u8> {
        let chosen: Vec<&str> = tags.iter().copied().filter(|_| self.dice.below(4) > 0).collect();
        chosen.into_iter().flat_map(|tag| self.track(owner, tag).0).collect()
    }

    fn track(&mut self, owner: Owner, tag: &str) -> Bytes {
        let (_, value) = value_of(owner, Family::Wow, tag.as_bytes().try_into().unwrap()).unwrap();
        let count = self.dice.below(5);
        let interpolation = if self.form == Form::Generic { self.dice.below(4) } else { 0 };
        let mut all = match self.form {
            Form::Generic => {
                let global = [-1, -1, 0][self.dice.below(3) as usize];
                head(tag, count, interpolation, global)
            }
            _ => bytes().tag(tag).u32(count),
        };
        let words = match (self.form, tag) {
            (Form::Documented, "KPLN" | "KP2G" | "KP2E") if owner == Owner::Emitter2 => 3,
            _ => value.words(),
        };
        let mut time = self.dice.below(2);
        for _ in 0..count {
            all = all.u32(time);
            time += 1 + self.dice.below(400);
            for _ in 0..words * if interpolation >= 2 { 3 } else { 1 } {
                all = self.number(all, value);
            }
        }
        all
    }

    /// A number as values have it: mostly small, and often 0.
    fn number(&mut self, all: Bytes, value: TrackValue) -> Bytes {
        match value {
            TrackValue::Number if self.form == Form::Generic => all.u32(self.dice.below(3)),
            TrackValue::Packed => all.u32(self.dice.word()),
            _ => all.f32s(&[[0., 0., 1., -1., 0.5, 255., 1e-3, 3.75][self.dice.below(8) as usize]]),
        }
    }
}

/// A model of every kind of record that has tracks, some of each, all tracks of one form.
fn model(form: Form, seed: u64) -> Vec<u8> {
    let mut t = Tracks { form, dice: Dice::new(seed) };
    let list =
        |records: Vec<Vec<u8>>| bytes().u32(u32::try_from(records.len()).unwrap()).raw(records.concat());
    let turns = |t: &mut Tracks, id| node("n", id, -1, 0, t.of(Owner::Node, &["KGTR", "KGRT", "KGSC"]));
    let layer = |t: &mut Tracks| {
        let tracks = t.of(Owner::Layer, &["KMTF", "KMTA"]);
        sized(bytes().u32(0).u32(0).i32(0).i32(-1).i32(0).f32s(&[1.]).raw(tracks))
    };
    let layers = [layer(&mut t), layer(&mut t)];
    let material = sized(bytes().i32(0).u32(2).raw(layers.concat()));
    let geoset_animation = |t: &mut Tracks| {
        let tracks = t.of(Owner::GeosetAnimation, &["KGAO", "KGAC"]);
        sized(bytes().i32(0).f32s(&[1., 1., 1., 1.]).u32(0).raw(tracks))
    };
    let bone = |t: &mut Tracks, id| bytes().raw(turns(t, id)).i32(-1).i32(-1).0;
    let light = |t: &mut Tracks| {
        let tags = ["KLAS", "KLAE", "KLAC", "KLAI", "KLBC", "KLBI", "KVIS"];
        sized(bytes().raw(turns(t, 3)).raw([0; 44]).raw(t.of(Owner::Light, &tags)))
    };
    let emitter = |t: &mut Tracks| {
        let tags = ["KP2S", "KP2R", "KP2L", "KPLN", "KP2G", "KLIF", "KP2E", "KP2W", "KP2N", "KP2Z", "KVIS"];
        sized(bytes().raw(turns(t, 4)).u32(795).raw([0; 791]).raw(t.of(Owner::Emitter2, &tags)))
    };
    let ribbon = |t: &mut Tracks| {
        let tags = ["KRHA", "KRHB", "KRAL", "KRCO", "KRTX", "KVIS"];
        sized(bytes().raw(turns(t, 5)).u32(56).raw([0; 52]).raw(t.of(Owner::Ribbon, &tags)))
    };
    let camera = |t: &mut Tracks| {
        let tags = ["KCTR", "KTTR", "KCRL", "KVIS"];
        sized(bytes().raw([0; 116]).raw(t.of(Owner::Camera, &tags)))
    };
    let moving = |t: &mut Tracks| sized(t.of(Owner::TextureAnimation, &["KTAT", "KTAR", "KTAS"]));
    file(&[
        vers(1300),
        modl_wow(),
        chunk("GLBS", bytes().u32(1000)),
        chunk("MTLS", bytes().u32(1).u32(0).raw(material)),
        chunk("TXAN", list(vec![moving(&mut t), moving(&mut t)])),
        chunk("GEOA", list(vec![geoset_animation(&mut t), geoset_animation(&mut t)])),
        chunk("BONE", list(vec![bone(&mut t, 0), bone(&mut t, 1), bone(&mut t, 2)])),
        chunk("LITE", list(vec![light(&mut t)])),
        chunk("PRE2", list(vec![emitter(&mut t)])),
        chunk("RIBB", list(vec![ribbon(&mut t)])),
        chunk("CAMS", list(vec![camera(&mut t)])),
    ])
}

/// Where the heads of tracks stand: their tags are nowhere else.
fn heads(file: &[u8]) -> Vec<usize> {
    let is_tag = |four: &[u8]| name_of(four.try_into().unwrap()).is_some();
    file.windows(4).enumerate().filter(|(_, four)| is_tag(four)).map(|(at, _)| at).collect()
}

fn word(file: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(file[at..at + 4].try_into().unwrap())
}

/// A damaged model is told of with a place, and strictness ends there.
fn is_told(file: &[u8], at: usize, word: u32, what: &str) {
    let mut damaged = file.to_vec();
    damaged[at..at + 4].copy_from_slice(&word.to_le_bytes());
    let found = read(&damaged, &strictly(Strictness::Tolerant)).unwrap();
    assert_eq!(write(&found.document).unwrap(), damaged, "{what}");
    let told = report(&found);
    let errors = || told.findings().iter().filter(|finding| finding.severity == Severity::Error);
    assert!(errors().count() > 0, "{what}: nothing is told");
    assert!(errors().all(|finding| finding.offset.is_some()), "{what}: no place");
    let strict = read(&damaged, &strictly(Strictness::Strict)).unwrap_err();
    assert!(strict.cause.offset.is_some(), "{what}: strictness has no place");
}

/// Every count off by one and two, and every interpolation that is none, one after the other.
fn every_damage_is_told(file: &[u8], has_interpolation: bool, what: &str) -> usize {
    let mut cases = 0;
    for at in heads(file) {
        let tag = name_of(file[at..at + 4].try_into().unwrap()).unwrap();
        let count = word(file, at + 4);
        for off in [-2, -1, 1, 2] {
            if let Some(wrong) = count.checked_add_signed(off) {
                is_told(file, at + 4, wrong, &format!("{what}: {tag} at {at:#x}, {count} keys {off:+}"));
                cases += 1;
            }
        }
        for wrong in 4..=8 {
            if has_interpolation && tag != "KEVT" {
                is_told(file, at + 8, wrong, &format!("{what}: {tag} at {at:#x}, interpolation {wrong}"));
                cases += 1;
            }
        }
    }
    cases
}

#[test]
fn every_wrong_count_and_interpolation_of_either_form_is_told() {
    for (form, reading) in [(Form::Generic, Reading::Observed), (Form::Documented, Reading::Documented)] {
        let mut cases = 0;
        for seed in 0..10 {
            let file = model(form, seed);
            let found = read(&file, &strictly(Strictness::Strict)).unwrap();
            assert_eq!(found.document.tracks, reading, "{form:?} {seed}");
            found.document.each_track(|path, track| assert_eq!(track.form, form, "{seed}: {path}"));
            cases += every_damage_is_told(&file, form == Form::Generic, &format!("{form:?} {seed}"));
        }
        assert!(cases > 1_000, "{cases}");
    }
}

#[test]
fn every_wrong_count_and_interpolation_of_warcraft_is_told() {
    let mut cases = 0;
    for kind in KINDS.iter().filter(|kind| !kind.wow) {
        for seed in 0..2 {
            let file = Make::new(*kind, seed, 3).model();
            cases += every_damage_is_told(&file, true, &format!("{kind:?} {seed}"));
        }
    }
    assert!(cases > 1_000, "{cases}");
}

#[test]
fn three_records_are_enough() {
    for (form, keys) in [(Form::Generic, 1..4), (Form::Documented, 1..4)] {
        for count in keys {
            let file = three(form, count);
            every_damage_is_told(&file, form == Form::Generic, &format!("{form:?}, {count} keys"));
        }
    }
}

/// Three layers whose alpha has so many keys: the track for which damage passes most easily.
fn three(form: Form, count: u32) -> Vec<u8> {
    let head = match form {
        Form::Generic => head("KMTA", count, 1, -1),
        _ => bytes().tag("KMTA").u32(count),
    };
    let track = (0..count).fold(head, |track, i| track.u32(i * 100).f32s(&[0.5]));
    let layer = sized(bytes().u32(0).u32(0).i32(0).i32(-1).i32(0).f32s(&[1.]).raw(track));
    let material = sized(bytes().i32(0).u32(3).raw(layer.repeat(3)));
    file(&[vers(1300), modl_wow(), chunk("MTLS", bytes().u32(1).u32(0).raw(material))])
}
