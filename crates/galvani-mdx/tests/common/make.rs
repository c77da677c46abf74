//! Models of every chunk, family and version, filled by dice.

use super::raw::{Bytes, bytes, chunk, file, sized};

/// A source of numbers that gives the same again.
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(2).wrapping_add(0x9e37_79b9_7f4a_7c15))
    }

    pub fn word(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        u32::try_from(self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32).unwrap()
    }

    pub fn below(&mut self, limit: u32) -> u32 {
        self.word() % limit
    }

    /// So many words, some of them odd on purpose: NaN with a payload, infinities, −0.
    pub fn words(&mut self, count: usize) -> Vec<u8> {
        let mut all = Vec::new();
        for _ in 0..count {
            let word = match self.below(8) {
                0 => 0x7fc0_1234,
                1 => 0x8000_0000,
                2 => 0xff80_0000,
                3 => 0,
                _ => self.word(),
            };
            all.extend(word.to_le_bytes());
        }
        all
    }

    /// Text with garbage behind its NUL, now and then without a NUL.
    pub fn text(&mut self, room: usize) -> Vec<u8> {
        let mut text: Vec<u8> = (0..room).map(|_| b'a' + u8::try_from(self.below(26)).unwrap()).collect();
        if self.below(8) > 0 {
            text[usize::try_from(self.below(8)).unwrap()] = 0;
        }
        text
    }
}

/// Which models to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    pub wow: bool,
    pub version: u32,
}

/// Every version of both families.
pub const KINDS: &[Kind] = &[
    Kind { wow: false, version: 800 },
    Kind { wow: false, version: 900 },
    Kind { wow: false, version: 1000 },
    Kind { wow: false, version: 1100 },
    Kind { wow: false, version: 1200 },
    Kind { wow: false, version: 1300 },
    Kind { wow: false, version: 1400 },
    Kind { wow: false, version: 1600 },
    Kind { wow: false, version: 1800 },
    Kind { wow: true, version: 1300 },
    Kind { wow: true, version: 1400 },
    Kind { wow: true, version: 1500 },
];

/// Makes models.
#[derive(Debug, Clone)]
pub struct Make {
    pub kind: Kind,
    pub dice: Dice,
    /// Records in a list, at most.
    pub most: u32,
}

impl Make {
    pub fn new(kind: Kind, seed: u64, most: u32) -> Self {
        Make { kind, dice: Dice::new(seed), most }
    }

    /// A model with every chunk of its kind.
    pub fn model(&mut self) -> Vec<u8> {
        let chunks: Vec<Vec<u8>> = self.tags().into_iter().map(|tag| self.chunk(tag)).collect();
        file(&chunks)
    }

    /// The chunks of its kind.
    pub fn tags(&self) -> Vec<&'static str> {
        let mut tags = vec![
            "VERS", "MODL", "SEQS", "GLBS", "MTLS", "TEXS", "TXAN", "GEOS", "GEOA", "BONE", "LITE", "HELP",
            "ATCH", "PIVT", "PREM", "PRE2", "RIBB", "CAMS", "EVTS", "CLID",
        ];
        tags.extend(if self.kind.wow { &["HTST"][..] } else { &["CORN", "FAFX", "BPOS"] });
        tags
    }

    /// One chunk.
    pub fn chunk(&mut self, tag: &str) -> Vec<u8> {
        let payload = match tag {
            "VERS" => bytes().u32(self.kind.version).0,
            "MODL" => self.modl(),
            "SEQS" => self.seqs(),
            "GLBS" => self.dice.words(3),
            "TEXS" => self.many(|make| make.parts(&[4, 0, 4], 260)),
            "PIVT" => self.many(|make| make.dice.words(3)),
            "FAFX" => self.many(|make| [make.dice.text(80), make.dice.text(260)].concat()),
            "BPOS" => {
                let count = self.dice.below(self.most + 1);
                bytes().u32(count).raw(self.dice.words(12 * count as usize)).0
            }
            "GEOS" if self.kind.wow && self.kind.version == 1500 => self.batches(),
            "CLID" if self.kind.wow => self.mesh(),
            _ => self.records(tag),
        };
        chunk(tag, payload)
    }

    fn many(&mut self, mut one: impl FnMut(&mut Self) -> Vec<u8>) -> Vec<u8> {
        (0..self.dice.below(self.most + 1)).flat_map(|_| one(self)).collect()
    }

    /// Words, with text where a part is 0.
    fn parts(&mut self, parts: &[usize], text: usize) -> Vec<u8> {
        let mut all = Vec::new();
        for &part in parts {
            all.extend(if part == 0 { self.dice.text(text) } else { self.dice.words(part / 4) });
        }
        all
    }

    fn modl(&mut self) -> Vec<u8> {
        let start = bytes().raw(self.dice.text(80)).raw(self.dice.text(260)).raw(self.dice.words(7));
        if self.kind.wow { start.u8(self.dice.word().to_le_bytes()[0]) } else { start }
            .raw(self.dice.words(1))
            .0
    }

    fn seqs(&mut self) -> Vec<u8> {
        let count = self.dice.below(self.most + 1);
        let words = if self.kind.wow { 15 } else { 13 };
        let rows: Vec<u8> =
            (0..count).flat_map(|_| [self.dice.text(80), self.dice.words(words)].concat()).collect();
        if self.kind.wow { bytes().u32(count).raw(rows).0 } else { rows }
    }

    /// A chunk of records, behind their count in WoW.
    fn records(&mut self, tag: &str) -> Vec<u8> {
        let count = self.dice.below(self.most + 1);
        let mut all = bytes();
        if self.kind.wow {
            all = all.u32(count);
            if ["MTLS", "ATCH"].contains(&tag) {
                all = all.u32(self.dice.word());
            }
        }
        for _ in 0..count {
            all = all.raw(self.record(tag));
        }
        all.0
    }

    fn record(&mut self, tag: &str) -> Vec<u8> {
        let wow = self.kind.wow;
        let version = if wow { 0 } else { self.kind.version };
        match tag {
            "MTLS" => self.material(),
            "TXAN" => sized(self.tracks(&["KTAT", "KTAR", "KTAS"])),
            "GEOS" => sized(self.geoset()),
            "GEOA" => sized([self.dice.words(6), self.tracks(&["KGAO", "KGAC"])].concat()),
            "BONE" => [self.node(), self.dice.words(2)].concat(),
            "HELP" => self.node(),
            "LITE" => {
                let more = [(1200, 1), (1300, 3), (1600, 3)].iter().filter(|(from, _)| version >= *from);
                let words = 11 + more.map(|(_, words)| words).sum::<usize>();
                let seen = if wow { "KVIS" } else { "KLAV" };
                let later = [(1300, "KLSS"), (1300, "KLSE"), (1600, "KLQF"), (1600, "KLLF"), (1600, "KLDA")];
                let later = later.into_iter().filter(|(from, _)| version >= *from).map(|(_, tag)| tag);
                let tags = ["KLAS", "KLAE", "KLAC", "KLAI", "KLBC", "KLBI", seen];
                let tags: Vec<&str> = tags.into_iter().chain(later).collect();
                sized([self.node(), self.dice.words(words), self.tracks(&tags)].concat())
            }
            "ATCH" if wow => {
                let fixed = bytes().raw(self.dice.words(1)).u8(0xff).raw(self.dice.text(260));
                sized([self.node(), fixed.0, self.tracks(&["KVIS"])].concat())
            }
            "ATCH" => sized([self.node(), self.parts(&[0, 4], 260), self.tracks(&["KATV"])].concat()),
            "PREM" => {
                let seen = if wow { "KVIS" } else { "KPEV" };
                let tags = ["KPEE", "KPEG", "KPLN", "KPLT", "KPEL", "KPES", seen];
                sized([self.node(), self.parts(&[16, 0, 8], 260), self.tracks(&tags)].concat())
            }
            "PRE2" => self.emitter2(),
            "RIBB" => {
                let seen = if wow { "KVIS" } else { "KRVS" };
                let tags = ["KRHA", "KRHB", "KRAL", "KRCO", "KRTX", seen];
                let size = if wow { bytes().u32(56).0 } else { vec![] };
                sized([self.node(), size, self.dice.words(13), self.tracks(&tags)].concat())
            }
            "CAMS" => {
                let tags = ["KCTR", "KTTR", "KCRL", "KVIS"];
                let tags = &tags[..if wow { 4 } else { 3 }];
                sized([self.dice.text(80), self.dice.words(9), self.tracks(tags)].concat())
            }
            "EVTS" => self.event(),
            "CLID" => {
                let kind = self.dice.below(4);
                let measures = [6, 5, 4, 2][kind as usize];
                bytes().raw(self.node()).u32(kind).raw(self.dice.words(measures)).0
            }
            "HTST" => {
                let kind = self.dice.below(4);
                let measures = [6, 5, 4, 2][kind as usize];
                sized(bytes().raw(self.node()).u8(kind.to_le_bytes()[0]).raw(self.dice.words(measures)))
            }
            "CORN" => {
                let tags = ["KPPA", "KPPC", "KPPE", "KPPL", "KPPS", "KPPV"];
                sized([self.node(), self.parts(&[32, 0, 0], 260), self.tracks(&tags)].concat())
            }
            _ => panic!("no record of {tag}"),
        }
    }

    fn node(&mut self) -> Vec<u8> {
        let fixed = [self.dice.text(80), self.dice.words(3)].concat();
        sized([fixed, self.tracks(&["KGTR", "KGRT", "KGSC"])].concat())
    }

    fn event(&mut self) -> Vec<u8> {
        let mut all = bytes().raw(self.node());
        if !self.kind.wow || self.dice.below(3) > 0 {
            let count = self.dice.below(self.most + 1);
            all = all.tag("KEVT").u32(count).i32(-1).raw(self.dice.words(count as usize));
        }
        if self.kind.wow { sized(all) } else { all.0 }
    }

    fn material(&mut self) -> Vec<u8> {
        let count = self.dice.below(self.most + 1);
        let mut all = bytes().raw(self.dice.words(1));
        if !self.kind.wow {
            all = all.raw(self.dice.words(1));
            if (900..1100).contains(&self.kind.version) {
                all = all.raw(self.dice.text(80));
            }
            all = all.tag("LAYS");
        }
        all = all.u32(count);
        for _ in 0..count {
            all = all.raw(self.layer());
        }
        sized(all)
    }

    fn layer(&mut self) -> Vec<u8> {
        let version = if self.kind.wow { 0 } else { self.kind.version };
        let mut all = bytes().raw(self.dice.words(6));
        if version >= 900 {
            all = all.raw(self.dice.words(1));
        }
        if version >= 1000 {
            all = all.raw(self.dice.words(5));
        }
        let mut tags = vec!["KMTA", "KMTF"];
        if version >= 900 {
            tags.push("KMTE");
        }
        if version >= 1000 {
            tags.extend(["KFC3", "KFCA", "KFTC"]);
        }
        if version >= 1100 {
            let count = self.dice.below(3);
            all = all.raw(self.dice.words(1)).u32(count);
            for _ in 0..count {
                all = all.raw(self.dice.words(2));
                if self.dice.below(2) == 0 {
                    all = all.raw(self.track("KMTF"));
                }
            }
        }
        sized(all.raw(self.tracks(&tags)))
    }

    fn geoset(&mut self) -> Vec<u8> {
        let vertices = self.dice.below(self.most + 2);
        let wow = self.kind.wow;
        let mut all = bytes();
        all = self.list(all, "VRTX", vertices, 12);
        all = self.list(all, "NRMS", vertices, 12);
        if wow {
            let sets = self.dice.below(3);
            all = all.tag("UVAS").u32(sets).raw(self.dice.words((sets * vertices * 2) as usize));
        }
        for (tag, size) in [
            ("PTYP", if wow { 1 } else { 4 }),
            ("PCNT", 4),
            ("PVTX", 2),
            ("GNDX", 1),
            ("MTGC", 4),
            ("MATS", 4),
        ] {
            let count = self.dice.below(self.most + 2);
            all = self.list(all, tag, count, size);
        }
        if wow {
            all = self.list(all, "BIDX", vertices, 4);
            all = self.list(all, "BWGT", vertices, 4);
        }
        all = all.raw(self.dice.words(3));
        if !wow && self.kind.version >= 900 {
            all = all.raw(self.dice.words(1)).raw(self.dice.text(80));
        }
        let extents = self.dice.below(self.most + 1);
        all = all.raw(self.dice.words(7)).u32(extents).raw(self.dice.words(7 * extents as usize));
        if wow { all.0 } else { self.geoset_end(all, vertices) }
    }

    fn geoset_end(&mut self, mut all: Bytes, vertices: u32) -> Vec<u8> {
        if self.kind.version >= 900 && self.dice.below(2) == 0 {
            all = self.list(all, "TANG", vertices, 16);
            let size = if self.kind.version >= 1400 { 2 } else { 1 };
            all = self.list(all, "SKIN", vertices * 8, size);
        }
        let sets = self.dice.below(3);
        all = all.tag("UVAS").u32(sets);
        for _ in 0..sets {
            all = self.list(all, "UVBS", vertices, 8);
        }
        all.0
    }

    fn list(&mut self, all: Bytes, tag: &str, count: u32, size: usize) -> Bytes {
        let len = count as usize * size;
        let mut elements = self.dice.words(len.div_ceil(4));
        elements.truncate(len);
        all.tag(tag).u32(count).raw(elements)
    }

    fn batches(&mut self) -> Vec<u8> {
        let count = self.dice.below(self.most + 1);
        let counts: Vec<[u32; 2]> = (0..count).map(|_| [self.dice.below(4), self.dice.below(20)]).collect();
        let mut all = bytes().u32(count);
        for [vertices, indices] in &counts {
            all = all.raw(self.dice.words(8)).tag("PVTX").u32(*vertices).tag("PTYP").u32(1);
            all = all.tag("PVTX").u32(*indices).u32(0).u32(0);
        }
        for [vertices, indices] in counts {
            all = all.raw(self.dice.words(12 * vertices as usize)).u32(3).u32(0);
            all = all.u16(u16::try_from(indices).unwrap()).u16(0).u16(0).u16(0);
            for _ in 0..indices.next_multiple_of(8) {
                all = all.u16(u16::try_from(self.dice.below(9)).unwrap());
            }
        }
        all.0
    }

    fn mesh(&mut self) -> Vec<u8> {
        let [vertices, corners] = [self.dice.below(5), self.dice.below(9)];
        let mut all = self.list(bytes(), "VRTX", vertices, 12);
        all = self.list(all, "TRI ", corners, 2);
        self.list(all, "NRMS", corners / 3, 12).0
    }

    fn emitter2(&mut self) -> Vec<u8> {
        let node = self.node();
        let mut tags = vec!["KP2S", "KP2R", "KP2L", "KP2G", "KP2E", "KP2N", "KP2W"];
        if !self.kind.wow {
            tags.push("KP2V");
            let alpha = bytes().u8(1).u8(2).u8(3).0;
            let fixed = [self.dice.words(23), alpha, self.dice.words(19)].concat();
            return sized([node, fixed, self.tracks(&tags)].concat());
        }
        tags.extend(["KPLN", "KLIF", "KP2Z", "KVIS"]);
        let points = self.dice.below(3);
        let mut block = bytes().u32(795 + 12 * points).raw(self.dice.words(25)).u8(9).u8(8).u8(7);
        block = block.raw(self.dice.words(19)).raw(self.dice.text(260)).raw(self.dice.text(260));
        block = block.raw(self.dice.words(21)).u32(points).raw(self.dice.words(3 * points as usize));
        let block = block.raw(self.dice.words(1));
        sized([node, block.0, self.tracks(&tags)].concat())
    }

    /// Some of these tracks, in this order.
    fn tracks(&mut self, tags: &[&str]) -> Vec<u8> {
        let chosen: Vec<&str> = tags.iter().copied().filter(|_| self.dice.below(3) == 0).collect();
        chosen.into_iter().flat_map(|tag| self.track(tag)).collect()
    }

    /// One track in the form of real files.
    pub fn track(&mut self, tag: &str) -> Vec<u8> {
        let words = match tag {
            "KGTR" | "KGSC" | "KTAT" | "KTAS" | "KGAC" | "KLAC" | "KLBC" | "KRCO" | "KCTR" | "KTTR"
            | "KFC3" | "KPPC" => 3,
            "KGRT" | "KTAR" if self.kind.wow => 2,
            "KGRT" | "KTAR" => 4,
            _ => 1,
        };
        let (count, interpolation) = (self.dice.below(self.most + 1), self.dice.below(4));
        let global = [-1, -1, -1, 2][self.dice.below(4) as usize];
        let values = if interpolation >= 2 { 3 } else { 1 };
        let keys = self.dice.words(count as usize * (1 + values * words));
        bytes().tag(tag).u32(count).u32(interpolation).i32(global).raw(keys).0
    }
}
