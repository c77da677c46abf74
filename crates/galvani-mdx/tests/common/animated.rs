//! Models that move in every way a file can say and in some that none should, their numbers of ordinary size.

use std::fmt;

use galvani_core::Reading;
use galvani_mdx::glam::Quat;
use galvani_mdx::{Content, Document, Family, quaternion, read};
use proptest::prelude::*;

use super::make::Dice;
use super::raw::{Bytes, bytes, chunk, file, sized, vers};
use super::reading;

/// A model and what it was made from.
#[derive(Clone)]
pub struct Animated {
    pub family: Family,
    pub seed: u64,
    pub size: u32,
    pub document: Document,
}

impl fmt::Debug for Animated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "animated::model(Family::{:?}, {}, {})", self.family, self.seed, self.size)
    }
}

/// Models of a family, smaller ones when a test fails.
pub fn animated(family: Family) -> impl Strategy<Value = Animated> {
    (any::<u64>(), 1_u32..8).prop_map(move |(seed, size)| Animated {
        family,
        seed,
        size,
        document: model(family, seed, size),
    })
}

/// One model: the same again from the same numbers. Lists have at most `size` records, tracks some more keys.
pub fn model(family: Family, seed: u64, size: u32) -> Document {
    let mut maker = Maker::new(family, seed, size);
    let file = maker.file();
    let mut document = read(&file, &reading(Reading::Observed)).unwrap().document;
    let raw = document.chunks.iter().find(|chunk| matches!(chunk.content, Content::Raw(_)));
    assert!(raw.is_none(), "a chunk could not be read");
    document.inherit = if maker.one_in(3) { Reading::Documented } else { Reading::Observed };
    document
}

/// What a value of a track is and how large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Float,
    Vector,
    Scale,
    Rotation,
    Index,
}

/// A sequence before it is written.
#[derive(Debug, Clone, Copy)]
struct Window {
    start: i32,
    end: i32,
}

struct Maker {
    wow: bool,
    version: u32,
    size: u32,
    dice: Dice,
    windows: Vec<Window>,
    globals: Vec<u32>,
    /// The number of the next node.
    next: i32,
    /// About how many nodes there will be.
    nodes: i32,
}

impl Maker {
    fn new(family: Family, seed: u64, size: u32) -> Self {
        let wow = family == Family::Wow;
        let mut dice = Dice::new(seed);
        dice.word();
        let versions: &[u32] = if wow { &[1300, 1300, 1400, 1500] } else { &[800, 800, 1000, 1400] };
        let version = versions[dice.below(4) as usize];
        let nodes = i32::try_from(5 * size).unwrap();
        Maker { wow, version, size, dice, windows: vec![], globals: vec![], next: 0, nodes }
    }

    fn file(&mut self) -> Vec<u8> {
        self.globals = (0..self.dice.below(4)).map(|_| self.pick(&[0, 1, 90, 400, 1000])).collect();
        self.windows = (0..=self.dice.below(4)).map(|_| self.window()).collect();
        let mut chunks = vec![vers(self.version), self.modl(), self.seqs()];
        let lengths = self.globals.iter().fold(bytes(), |all, length| all.u32(*length));
        chunks.push(chunk("GLBS", lengths));
        for tag in ["MTLS", "TXAN", "GEOS", "GEOA"] {
            let made = if tag == "GEOS" && self.version == 1500 { self.batches() } else { self.records(tag) };
            chunks.push(chunk(tag, made));
        }
        for tag in ["BONE", "LITE", "HELP", "ATCH", "PREM", "PRE2", "RIBB", "CAMS", "EVTS"] {
            chunks.push(chunk(tag, self.records(tag)));
        }
        let shapes = if self.wow { "HTST" } else { "CLID" };
        chunks.push(chunk(shapes, self.records(shapes)));
        let pivots = self.dice.below(u32::try_from(self.next).unwrap() + 2);
        let pivots = (0..pivots).fold(bytes(), |all, _| all.f32s(&self.vector(20.0)));
        chunks.push(chunk("PIVT", pivots));
        file(&chunks)
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.dice.below(u32::try_from(of.len()).unwrap()) as usize]
    }

    fn one_in(&mut self, chances: u32) -> bool {
        self.dice.below(chances) == 0
    }

    /// A number from −`reach` to `reach`, a multiple of a small step.
    fn number(&mut self, reach: f32) -> f32 {
        (f32::from(u16::try_from(self.dice.below(20_001)).unwrap()) / 10_000.0 - 1.0) * reach
    }

    fn vector(&mut self, reach: f32) -> [f32; 3] {
        [0; 3].map(|_| self.number(reach))
    }

    fn below(&mut self, limit: i32) -> i32 {
        i32::try_from(self.dice.below(u32::try_from(limit).unwrap())).unwrap()
    }

    fn window(&mut self) -> Window {
        let start = self.below(2000) - if self.wow && self.one_in(4) { 1000 } else { 0 };
        let length = match self.below(8) {
            0 => 0,
            1 => -(self.below(start.max(0) + 1)),
            2 => 1,
            _ => 1 + self.below(1000),
        };
        Window { start, end: start + length }
    }

    fn modl(&mut self) -> Vec<u8> {
        let all = bytes().text(80, "Model").text(260, "").f32s(&[0.0; 7]);
        let flags = self.pick(&[0, 1, 2, 4]);
        chunk("MODL", if self.wow { all.u8(flags).u32(0) } else { all.u32(150) })
    }

    fn seqs(&mut self) -> Vec<u8> {
        let mut all =
            if self.wow { bytes().u32(u32::try_from(self.windows.len()).unwrap()) } else { bytes() };
        for Window { start, end } in self.windows.clone() {
            all = all.text(80, "Stand").i32(start).i32(end).f32s(&[0.0]).u32(self.dice.below(2));
            all = all.raw(vec![0; if self.wow { 44 } else { 36 }]);
        }
        chunk("SEQS", all)
    }

    /// Records of a chunk, behind their count in WoW.
    fn records(&mut self, tag: &str) -> Bytes {
        let count = self.dice.below(self.size + 1);
        let mut all = if self.wow { bytes().u32(count) } else { bytes() };
        if self.wow && ["MTLS", "ATCH"].contains(&tag) {
            all = all.u32(0);
        }
        for _ in 0..count {
            all = all.raw(self.record(tag));
        }
        all
    }

    fn record(&mut self, tag: &str) -> Vec<u8> {
        let wow = self.wow;
        let zeros = |count: usize| bytes().raw(vec![0; count]);
        let seen = |warcraft| if wow { "KVIS" } else { warcraft };
        let (fixed, tags): (Bytes, Vec<&str>) = match tag {
            "MTLS" => return self.material(),
            "GEOS" => return sized(self.geoset()),
            "EVTS" => return self.event(),
            "TXAN" => return sized(self.tracks(&["KTAT", "KTAR", "KTAS"])),
            "GEOA" => return sized(zeros(24).raw(self.tracks(&["KGAO", "KGAC"]))),
            "CAMS" => {
                let tags = ["KCTR", "KTTR", "KCRL", "KVIS"];
                return sized(zeros(116).raw(self.tracks(&tags[..if wow { 4 } else { 3 }])));
            }
            "BONE" => return bytes().raw(self.node()).i32(-1).i32(-1).0,
            "HELP" => return self.node(),
            "CLID" => return bytes().raw(self.node()).u32(2).f32s(&[0.0; 4]).0,
            "HTST" => return sized(bytes().raw(self.node()).u8(2).f32s(&[0.0; 4])),
            "LITE" => {
                let more = if !wow && self.version >= 1300 { 16 } else { 0 };
                (zeros(44 + more), vec!["KLAS", "KLAC", "KLBI", seen("KLAV")])
            }
            "ATCH" => (zeros(if wow { 265 } else { 264 }), vec![seen("KATV")]),
            "PREM" => (zeros(284), vec!["KPEE", "KPEG", "KPLN", seen("KPEV")]),
            "PRE2" if wow => (bytes().u32(795).raw(zeros(791)), vec!["KP2S", "KPLN", "KLIF", "KVIS"]),
            "PRE2" => (zeros(171), vec!["KP2S", "KP2N", "KP2W", "KP2V"]),
            "RIBB" => {
                let fixed = if wow { bytes().u32(56) } else { bytes() };
                (fixed.raw(zeros(52)), vec!["KRHA", "KRCO", "KRTX", seen("KRVS")])
            }
            _ => panic!("no record of {tag}"),
        };
        sized(bytes().raw(self.node()).raw(fixed).raw(self.tracks(&tags)))
    }

    fn material(&mut self) -> Vec<u8> {
        let count = self.dice.below(3);
        let mut all = bytes().i32(0);
        if !self.wow {
            let shader = if (900..1100).contains(&self.version) { 80 } else { 0 };
            all = all.u32(0).raw(vec![0; shader]).tag("LAYS");
        }
        all = all.u32(count);
        for _ in 0..count {
            let version = if self.wow { 0 } else { self.version };
            let mut layer = bytes().raw(vec![0; 24]);
            layer = layer.raw(vec![0; if version >= 1000 { 24 } else { 0 }]);
            if version >= 1100 {
                layer = layer.u32(0).u32(1).u32(0).u32(0).raw(self.track("KMTF"));
            }
            all = all.raw(sized(layer.raw(self.tracks(&["KMTA", "KMTF"]))));
        }
        sized(all)
    }

    fn event(&mut self) -> Vec<u8> {
        let mut all = bytes().raw(self.node());
        if !self.wow || !self.one_in(4) {
            let times = self.times();
            all = all.tag("KEVT").u32(u32::try_from(times.len()).unwrap()).i32(self.global());
            all = times.into_iter().fold(all, Bytes::i32);
        }
        if self.wow { sized(all) } else { all.0 }
    }

    fn node(&mut self) -> Vec<u8> {
        let id = match self.below(16) {
            0 => self.below(self.nodes),
            1 => -1 - self.below(3),
            _ => self.next,
        };
        self.next += 1;
        let parent = if self.one_in(4) { -1 } else { self.below(self.nodes + 2) };
        let mut flags = 0;
        for (bit, chances) in [(1, 5), (2, 5), (4, 5), (8, 8), (0x10, 10), (0x20, 10), (0x40, 10)] {
            flags |= if self.one_in(chances) { bit } else { 0 };
        }
        let mut tracks = self.tracks(&["KGTR", "KGRT", "KGSC"]);
        if self.one_in(8) {
            let tag = self.pick(&["KGTR", "KGRT", "KGSC"]);
            tracks.extend(self.track(tag));
        }
        sized(bytes().text(80, "Node").i32(id).i32(parent).u32(flags).raw(tracks))
    }

    /// Most of these tracks, in this order.
    fn tracks(&mut self, tags: &[&str]) -> Vec<u8> {
        let chosen: Vec<&str> = tags.iter().copied().filter(|_| !self.one_in(3)).collect();
        chosen.into_iter().flat_map(|tag| self.track(tag)).collect()
    }

    fn track(&mut self, tag: &str) -> Vec<u8> {
        let kind = match tag {
            "KGSC" | "KTAS" => Kind::Scale,
            "KGTR" | "KTAT" | "KGAC" | "KLAC" | "KRCO" | "KCTR" | "KTTR" => Kind::Vector,
            "KGRT" | "KTAR" => Kind::Rotation,
            "KMTF" | "KRTX" => Kind::Index,
            _ => Kind::Float,
        };
        let times = self.times();
        let interpolation = if self.one_in(40) { 5 } else { self.dice.below(4) };
        let head = bytes().tag(tag).u32(u32::try_from(times.len()).unwrap());
        let mut all = head.u32(interpolation).i32(self.global());
        for time in times {
            all = all.i32(time).raw(self.value(kind, false, interpolation));
            if interpolation >= 2 {
                all = all.raw(self.value(kind, true, interpolation));
                all = all.raw(self.value(kind, true, interpolation));
            }
        }
        all.0
    }

    fn global(&mut self) -> i32 {
        match self.below(8) {
            0 => 7,
            1 => -2,
            2 | 3 => self.below(3),
            _ => -1,
        }
    }

    /// Times in and around the sequences, at their ends, twice, out of order.
    fn times(&mut self) -> Vec<i32> {
        let mut times = Vec::new();
        for _ in 0..self.dice.below(4 + 2 * self.size) {
            let window = self.windows[self.dice.below(u32::try_from(self.windows.len()).unwrap()) as usize];
            times.push(match self.below(10) {
                0 => window.start,
                1 => window.end,
                2 => self.below(4000) - 500,
                3 => self.below(400),
                4 if !times.is_empty() => self.pick(&times),
                _ => window.start + self.below((window.end - window.start).abs() + 1),
            });
        }
        if !self.one_in(4) {
            times.sort_unstable();
        }
        times
    }

    fn value(&mut self, kind: Kind, is_tangent: bool, interpolation: u32) -> Vec<u8> {
        match kind {
            Kind::Float => bytes().f32s(&[self.number(99.0)]).0,
            Kind::Vector => bytes().f32s(&self.vector(99.0)).0,
            Kind::Index => {
                let far = self.one_in(10);
                bytes().u32(if far { u32::MAX } else { self.dice.below(9) }).0
            }
            Kind::Scale => bytes().f32s(&[0; 3].map(|_| self.scale(is_tangent, interpolation))).0,
            Kind::Rotation => self.rotation(),
        }
    }

    /// 0.1 to 3, or now and then 0. Hermite curves never pass through 0, which nobody could divide by.
    fn scale(&mut self, is_tangent: bool, interpolation: u32) -> f32 {
        if interpolation == 2 && is_tangent {
            return self.number(0.3);
        }
        if interpolation != 2 && self.one_in(40) { 0.0 } else { 1.55 + self.number(1.45) }
    }

    fn rotation(&mut self) -> Vec<u8> {
        let any = [0; 4].map(|_| self.number(1.0));
        let length = any.iter().map(|part| part * part).sum::<f32>().sqrt().max(0.01);
        let q = match self.below(12) {
            0 => [0.0; 4],
            1 => [0.0, 0.0, 0.0, 1.0],
            2 | 3 => any.map(|part| part * 9.0),
            _ => any.map(|part| part / length),
        };
        let [low, high] = quaternion::words(quaternion::encode(Quat::from_array(q)));
        if self.wow { bytes().u32(low).u32(high).0 } else { bytes().f32s(&q).0 }
    }

    fn geoset(&mut self) -> Bytes {
        let count = self.dice.below(2 * self.size + 2);
        let mut all = bytes().tag("VRTX").u32(count);
        for _ in 0..count {
            all = all.f32s(&self.vector(50.0));
        }
        all = all.tag("NRMS").u32(count).raw(vec![0; 12 * count as usize]);
        if self.wow {
            all = all.tag("UVAS").u32(0);
        }
        all = all.tag("PTYP").u32(0).tag("PCNT").u32(0).tag("PVTX").u32(0);
        let groups = self.dice.below(5);
        let grouped = if self.one_in(6) { self.dice.below(count + 3) } else { count };
        all = all.tag("GNDX").u32(grouped);
        for _ in 0..grouped {
            all = all.u8(u8::try_from(self.below(5)).unwrap());
        }
        let sizes: Vec<u32> = (0..groups).map(|_| self.dice.below(4)).collect();
        all = sizes.iter().fold(all.tag("MTGC").u32(groups), |all, size| all.u32(*size));
        let whole: u32 = sizes.iter().sum();
        let listed = if self.one_in(6) { self.dice.below(whole + 2) } else { whole };
        all = all.tag("MATS").u32(listed);
        for _ in 0..listed {
            all = all.u32(self.id());
        }
        if self.wow { self.wow_end(all, count) } else { self.warcraft_end(all, count) }
    }

    fn id(&mut self) -> u32 {
        self.dice.below(u32::try_from(self.nodes).unwrap() + 2)
    }

    fn wow_end(&mut self, mut all: Bytes, count: u32) -> Bytes {
        let listed = if self.one_in(6) { self.dice.below(count + 2) } else { count };
        all = all.tag("BIDX").u32(listed);
        for _ in 0..4 * listed {
            all = all.u8(u8::try_from(self.id()).unwrap());
        }
        all = all.tag("BWGT").u32(listed);
        for _ in 0..4 * listed {
            all = all.u8(self.weight());
        }
        all.raw(vec![0; 12 + 28]).u32(0)
    }

    fn weight(&mut self) -> u8 {
        if self.one_in(2) { 0 } else { self.dice.word().to_le_bytes()[0] }
    }

    fn warcraft_end(&mut self, mut all: Bytes, count: u32) -> Bytes {
        let detail = if self.version >= 900 { 84 } else { 0 };
        all = all.raw(vec![0; 12 + detail + 28]).u32(0);
        if self.version >= 900 && self.one_in(2) {
            let numbers = 8 * if self.one_in(6) { self.dice.below(count + 2) } else { count };
            all = all.tag("SKIN").u32(numbers);
            for i in 0..numbers {
                let own = if i % 8 < 4 { u8::try_from(self.id()).unwrap() } else { self.weight() };
                all = if self.version >= 1400 { all.u16(own.into()) } else { all.u8(own) };
            }
        }
        all.tag("UVAS").u32(0)
    }

    fn batches(&mut self) -> Bytes {
        let counts: Vec<u32> = (0..self.dice.below(self.size + 1)).map(|_| self.dice.below(9)).collect();
        let mut all = bytes().u32(u32::try_from(counts.len()).unwrap());
        for count in &counts {
            all = all.raw(vec![0; 32]).tag("PVTX").u32(*count).tag("PTYP").u32(1);
            all = all.tag("PVTX").u32(0).u32(0).u32(0);
        }
        for count in counts {
            for _ in 0..count {
                all = all.f32s(&self.vector(50.0));
                all = (0..4).fold(all, |all, _| all.u8(self.weight()));
                all = (0..4).fold(all, |all, _| all.u8(u8::try_from(self.id()).unwrap()));
                all = all.raw(vec![0; 28]);
            }
            all = all.u32(3).raw(vec![0; 12]);
        }
        all
    }
}
