//! A library of models as people make them, with the habits of real files in their usual shares
//! (docs/formats/mdx.md#chunks, docs/formats/mdx-records.md#node-records, docs/notes/mdx-runtime.md#keys): a
//! warning there is one that a careful author would act upon.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

mod common;

use std::collections::BTreeMap;

use common::make::Dice;
use common::raw::{
    Bytes, bytes, chunk, file, floats, head, modl_warcraft, sequence_warcraft, sized, vectors, vers,
};
use common::{found, report};
use galvani_core::diag::Scrutiny;
use galvani_core::{Report, Severity};

/// How many models there are.
const MODELS: u64 = 500;

/// What the model is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Unit,
    Building,
    Effect,
    Scenery,
    Portrait,
}

struct Maker {
    dice: Dice,
    role: Role,
    /// Whether anything moves.
    is_moving: bool,
}

impl Maker {
    fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let role = [Role::Unit, Role::Unit, Role::Building, Role::Effect, Role::Scenery, Role::Portrait];
        let role = role[dice.below(6) as usize];
        Maker { is_moving: role != Role::Scenery, dice, role }
    }

    /// Whether something that so many of a thousand files have is here.
    fn has(&mut self, of_a_thousand: u32) -> bool {
        self.dice.below(1000) < of_a_thousand
    }

    fn model(&mut self) -> Vec<u8> {
        let sequences = self.sequences();
        let mut chunks = vec![vers(800), modl_warcraft(), chunk("SEQS", sequences.concat())];
        chunks.push(chunk("MTLS", self.material()));
        chunks.push(self.textures());
        chunks.push(chunk("GEOS", self.geoset(sequences.len())));
        chunks.push(chunk("GEOA", self.animation()));
        chunks.push(chunk("BONE", self.bones()));
        // 15 in a thousand files have other than one pivot per node.
        let pivots = 3 + self.dice.below(2) * u32::from(self.has(30));
        chunks.push(chunk("PIVT", vec![0; 12 * pivots as usize]));
        if self.has(130) {
            chunks.push(chunk("PREM", []));
        }
        if self.has(31) {
            chunks.push(chunk("MDVI", [7; 40]));
        }
        file(&chunks)
    }

    fn sequences(&mut self) -> Vec<Vec<u8>> {
        let names: &[&str] = match self.role {
            Role::Unit => &["Stand", "Stand - 2", "Walk", "Attack", "Death", "Decay Flesh"],
            Role::Building => &["Birth", "Stand", "Stand Work", "Death"],
            Role::Effect => &["Birth", "Stand", "Death"],
            Role::Scenery => &["Stand"],
            Role::Portrait => &["Portrait", "Portrait Talk"],
        };
        let names = if self.role == Role::Effect && self.has(400) { &names[..1] } else { names };
        let mut at = if self.has(20) { 0_u32.wrapping_sub(167) } else { 333 };
        let mut rows = Vec::new();
        for name in names {
            // Still models have a moment for a sequence.
            let length = if self.is_moving { 1000 } else { 0 };
            let mut row = sequence_warcraft(name, at, at.wrapping_add(length)).0;
            if self.has(40) {
                row[96..100].copy_from_slice(&4_f32.to_le_bytes());
            }
            self.leftover(&mut row[..80]);
            rows.push(row);
            at = at.wrapping_add(length).wrapping_add(1000);
        }
        rows
    }

    /// A shorter name over a longer one.
    fn leftover(&mut self, room: &mut [u8]) {
        if self.has(150) {
            let end = room.iter().position(|byte| *byte == 0).unwrap();
            room[end + 1..end + 5].copy_from_slice(b"old ");
        }
    }

    fn material(&mut self) -> Vec<u8> {
        let layer = sized(bytes().u32(0).u32(0).i32(0).i32(-1).i32(0).f32s(&[1.]));
        let one = |layer: &Vec<u8>| sized(bytes().i32(0).u32(0).tag("LAYS").u32(1).raw(layer));
        // What a geoset that was removed leaves behind.
        let count = if self.has(100) { 2 } else { 1 };
        one(&layer).repeat(count)
    }

    fn textures(&mut self) -> Vec<u8> {
        let texture = |path: &str| bytes().u32(0).text(260, path).u32(0);
        let mut rows = vec![texture("Textures\\Stone.blp")];
        if self.has(150) {
            rows.push(texture("Textures\\Old.blp"));
        }
        chunk("TEXS", rows.iter().fold(bytes(), Bytes::raw))
    }

    fn geoset(&mut self, sequences: usize) -> Vec<u8> {
        let list = |all: Bytes, tag: &str, count: u32, elements: Bytes| all.tag(tag).u32(count).raw(elements);
        let corners = bytes().f32s(&[0., 0., 0., 1., 0., 0., 0., 1., 0.]);
        let mut all = list(bytes(), "VRTX", 3, corners.clone());
        all = list(all, "NRMS", 3, corners);
        all = list(all, "PTYP", 1, bytes().u32(4));
        all = list(all, "PCNT", 1, bytes().u32(3));
        all = list(all, "PVTX", 3, bytes().u16(0).u16(1).u16(2));
        all = list(all, "GNDX", 3, bytes().raw([0; 3]));
        // One geoset in a hundred has no groups.
        let groups = u32::from(!self.has(10));
        all = list(all, "MTGC", groups, bytes().raw(1_u32.to_le_bytes().repeat(groups as usize)));
        all = list(all, "MATS", groups, bytes().raw(0_u32.to_le_bytes().repeat(groups as usize)));
        // 37 of a hundred geosets have bounds for another number of sequences.
        let extents = if self.has(370) { 0 } else { sequences };
        let bounds = bytes().f32s(&[1., -1., -1., -1., 1., 1., 1.]);
        all = all.u32(0).u32(0).u32(0).raw(&bounds).u32(u32::try_from(extents).unwrap());
        all = (0..extents).fold(all, |all, _| all.raw(&bounds));
        all = all.tag("UVAS").u32(1).tag("UVBS").u32(3).raw([0; 24]);
        sized(all)
    }

    fn animation(&mut self) -> Vec<u8> {
        // A key at 0, where no sequence is, is all that many tracks have.
        let track = if self.has(100) { floats("KGAO", &[(0, 1.)]) } else { bytes() };
        sized(bytes().f32s(&[1.]).u32(0).f32s(&[1., 1., 1.]).i32(0).raw(track))
    }

    fn bones(&mut self) -> Vec<u8> {
        let mut all = bytes();
        for id in 0..3_i32 {
            // One node in ten stands before its parent.
            let parent = if id == 0 && self.has(300) { 2 } else { -1 };
            let mut name = bytes().text(80, &format!("Bone_{id}")).0;
            self.leftover(&mut name);
            let tracks = if self.is_moving { self.track() } else { bytes() };
            let node = sized(bytes().raw(name).i32(id).i32(parent).u32(0x100).raw(tracks));
            all = all.raw(node).i32(0).i32(-1);
        }
        all.0
    }

    fn track(&mut self) -> Bytes {
        let at = |time: i32| (time, [0., 0., 1.]);
        match self.dice.below(100) {
            // The rare mistakes: keys in disorder, and two of one time.
            0 => vectors("KGTR", &[at(900), at(600)]),
            1 => vectors("KGTR", &[at(600), at(600)]),
            2 => head("KGTR", 1, 1, 4).i32(0).f32s(&[0.; 3]),
            _ => vectors("KGTR", &[at(333), at(900), at(1333)]),
        }
    }
}

/// Findings of the whole library: those of each severity, models that have any, and how often each code is told.
fn told(scrutiny: Scrutiny) -> ([u64; 3], [u64; 3], BTreeMap<&'static str, u64>) {
    const ALL: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Note];
    let (mut findings, mut models, mut codes) = ([0; 3], [0; 3], BTreeMap::new());
    for seed in 0..MODELS {
        let report: Report = report(&found(&Maker::new(seed).model())).seen(scrutiny);
        for (i, severity) in ALL.into_iter().enumerate() {
            findings[i] += report.tally(severity);
            models[i] += u64::from(report.tally(severity) > 0);
        }
        for finding in report.findings() {
            *codes.entry(finding.code.name).or_default() += finding.count;
        }
    }
    (findings, models, codes)
}

#[test]
fn a_warning_stands_only_where_a_careful_author_would_change_something() {
    let (findings, models, codes) = told(Scrutiny::Usual);
    println!("errors, warnings, notes: {findings:?} in {models:?} of {MODELS} models: {codes:?}");
    let [errors, warned, noted] = models;
    assert_eq!(errors, 0);
    assert!(warned * 10 < MODELS, "{warned} models have warnings: {codes:?}");
    assert!(noted * 10 < MODELS * 7, "{noted} models have notes: {codes:?}");
    for quiet in
        ["mdx.no-stand", "mdx.no-death", "mdx.extent-count", "mdx.chunk-empty", "mdx.sequence-fields"]
    {
        assert!(!codes.contains_key(quiet), "{quiet}");
    }
}

#[test]
fn the_pedantic_are_told_everything() {
    let (_, _, codes) = told(Scrutiny::Pedantic);
    for quiet in [
        "mdx.no-stand",
        "mdx.no-death",
        "mdx.extent-count",
        "mdx.chunk-empty",
        "mdx.sequence-fields",
        "mdx.name-tail",
    ] {
        assert!(codes.contains_key(quiet), "{quiet}");
    }
}
