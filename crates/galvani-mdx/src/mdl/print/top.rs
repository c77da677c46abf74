//! All blocks of a model, in the order of the games' own tools.

use std::collections::BTreeMap;

use galvani_core::{Path, WriteError, text};

use super::super::check;
use super::super::read::FIRST;
use super::super::words::{Block, Context};
use super::Printer;
use crate::held::{Held, Records};
use crate::model::{ModelChunk, Sequences};
use crate::{Chunk, Content, Document, Family, chunk};

/// The text of a model of Warcraft III.
pub fn print(document: &Document) -> Result<Vec<u8>, WriteError> {
    if document.family() != Family::Warcraft {
        return Err(check::FAMILY.at(Path::root()).saying("World of Warcraft").into());
    }
    let context = Context { version: document.version, inherit: document.inherit };
    let mut printer = Printer::new(context);
    printer.record_counts = counts(document);
    // Comments stand before blocks: some readers do not expect one at the end.
    printer.layout_of(document);
    printer.head_of(document);
    printer.lists_of(document);
    printer.records_of(document);
    match printer.problem {
        Some(problem) => Err(problem.into()),
        None => Ok(printer.out),
    }
}

/// What a chunk holds of one kind, in all chunks of a model.
fn all<'d, T: 'd>(document: &'d Document, pick: impl Fn(&'d Content) -> Option<&'d [T]>) -> Vec<&'d T> {
    document.chunks.iter().filter_map(|chunk| pick(&chunk.content)).flatten().collect()
}

/// The records of one kind.
macro_rules! records {
    ($document:expr, $variant:ident) => {
        all($document, |content| match content {
            Content::$variant(Records { items, .. }) => Some(items.as_slice()),
            _ => None,
        })
    };
}

/// The rows of one kind.
macro_rules! rows {
    ($document:expr, $variant:ident) => {
        all($document, |content| match content {
            Content::$variant(rows) => Some(rows.as_slice()),
            _ => None,
        })
    };
}

/// What the model says of how many records it has.
fn counts(document: &Document) -> Vec<(&'static str, usize)> {
    const WORDS: &[(&str, &str)] = &[
        ("NumGeosets", "GEOS"),
        ("NumGeosetAnims", "GEOA"),
        ("NumHelpers", "HELP"),
        ("NumLights", "LITE"),
        ("NumBones", "BONE"),
        ("NumAttachments", "ATCH"),
        ("NumParticleEmitters", "PREM"),
        ("NumParticleEmitters2", "PRE2"),
        ("NumRibbonEmitters", "RIBB"),
        ("NumEvents", "EVTS"),
        ("NumFaceFX", "FAFX"),
        ("NumParticleEmittersPopcorn", "CORN"),
    ];
    let count = |tag: &str| {
        let of = document.chunks.iter().filter(|chunk| chunk.content.name() == Some(tag));
        of.map(|chunk| chunk.content.len()).fold(0, usize::saturating_add)
    };
    WORDS.iter().map(|(word, tag)| (*word, count(tag))).collect()
}

impl Printer {
    /// Version and model.
    fn head_of(&mut self, document: &Document) {
        let versions: Vec<u32> = document
            .chunks
            .iter()
            .filter_map(
                |chunk| if let Content::Version(version) = &chunk.content { Some(*version) } else { None },
            )
            .collect();
        // What a reader would take otherwise.
        if versions.first().copied().unwrap_or(FIRST) != document.version {
            self.in_notes(|out| out.numbers("Layout", &[document.version.into()]));
        }
        for version in versions {
            self.word("Version");
            self.open();
            self.head("FormatVersion");
            self.number(version.into());
            self.end();
            self.close();
        }
        for chunk in &document.chunks {
            if let Content::Model(model) = &chunk.content {
                self.top(|out| out.record::<ModelChunk>("Model", model.as_ref()));
            }
        }
    }

    /// Everything that stands in lists.
    fn lists_of(&mut self, document: &Document) {
        let sequences = all(document, |content| match content {
            Content::Sequences(Sequences::Warcraft(rows)) => Some(rows.as_slice()),
            _ => None,
        });
        self.listed("Sequences", "Anim", &sequences);
        let globals = rows!(document, Globals);
        if !globals.is_empty() {
            self.counted("GlobalSequences", globals.len());
            for duration in globals {
                self.head("Duration");
                self.number(duration.get().into());
                self.end();
            }
            self.close();
        }
        self.listed("Textures", "Bitmap", &rows!(document, Textures));
        self.held_list("Materials", "Material", &records!(document, Materials));
        self.held_list("TextureAnims", "TVertexAnim", &records!(document, TextureAnimations));
    }

    fn listed<T: Block + Clone>(&mut self, word: &str, one: &'static str, list: &[&T]) {
        if list.is_empty() {
            return;
        }
        self.top(|out| {
            out.counted(word, list.len());
            for (i, record) in list.iter().enumerate() {
                out.within(one, Some(i), |out| out.record(one, *record));
            }
            out.close();
        });
    }

    fn held_list<T: Block + Clone>(&mut self, word: &str, one: &'static str, list: &[&Held<T>]) {
        if list.is_empty() {
            return;
        }
        let typed = list.iter().filter(|held| held.typed().is_some()).count();
        self.top(|out| {
            out.counted(word, typed);
            let mut count: usize = 0;
            for (i, held) in list.iter().enumerate() {
                match held {
                    Held::Typed(record) => {
                        out.within(one, Some(count), |out| out.record(one, record));
                        count = count.saturating_add(1);
                    }
                    Held::Raw(raw) => out.note_raw(one, i, &raw.bytes),
                }
            }
            out.close();
        });
    }

    /// Everything that stands alone.
    fn records_of(&mut self, document: &Document) {
        self.each("GEOS", "Geoset", &records!(document, Geosets));
        self.each("GEOA", "GeosetAnim", &records!(document, GeosetAnimations));
        self.each("BONE", "Bone", &records!(document, Bones));
        self.each("LITE", "Light", &records!(document, Lights));
        self.each("HELP", "Helper", &records!(document, Helpers));
        self.each("ATCH", "Attachment", &records!(document, Attachments));
        self.rows_of("PivotPoints", None, &rows!(document, Pivots));
        self.each("PREM", "ParticleEmitter", &records!(document, Emitters));
        self.each("PRE2", "ParticleEmitter2", &records!(document, Emitters2));
        self.each("CORN", "ParticleEmitterPopcorn", &records!(document, Popcorn));
        self.each("RIBB", "RibbonEmitter", &records!(document, Ribbons));
        self.each("CAMS", "Camera", &records!(document, Cameras));
        self.each("EVTS", "EventObject", &records!(document, Events));
        self.each("CLID", "CollisionShape", &records!(document, CollisionShapes));
        for record in rows!(document, FaceFx) {
            self.top(|out| out.record("FaceFX", record));
        }
        self.rows_of("BindPose", Some("Matrices"), &rows!(document, BindPoses));
    }

    fn each<T: Block + Clone>(&mut self, tag: &str, word: &str, list: &[&Held<T>]) {
        for record in list {
            match record {
                Held::Typed(record) => self.top(|out| out.record(word, record)),
                Held::Raw(raw) => self.note("Record", &[tag, &text::hex(&raw.bytes)]),
            }
        }
    }

    /// Rows of numbers that stand alone, perhaps in a block of their own.
    fn rows_of<T: galvani_core::record::Record>(&mut self, word: &str, inner: Option<&str>, rows: &[&T]) {
        if rows.is_empty() {
            return;
        }
        let rows: Vec<T> = rows.iter().map(|row| **row).collect();
        self.top(|out| {
            out.nans.clear();
            match inner {
                None => out.rows(word, &rows),
                Some(inner) => {
                    out.word(word);
                    out.open();
                    out.rows(inner, &rows);
                    out.close();
                }
            }
            out.note_nans();
        });
    }

    /// How chunks lie, if that does not follow from the records.
    fn layout_of(&mut self, document: &Document) {
        let has =
            |tag: [u8; 4]| document.chunks.iter().any(|chunk| chunk.tag == tag && !chunk.content.is_empty());
        let usual = chunk::tags().filter(|tag| has(*tag) || matches!(tag, b"VERS" | b"MODL"));
        let is_plain = |content: &Content| !matches!(content, Content::Raw(_)) && rest(content).is_none();
        let is_usual = document.chunks.iter().all(|chunk| is_plain(&chunk.content))
            && document.chunks.iter().map(|chunk| chunk.tag).eq(usual);
        if !is_usual {
            self.in_notes(|out| {
                out.word("Chunks");
                let mut counts: BTreeMap<[u8; 4], usize> = BTreeMap::new();
                for chunk in document.chunks.iter().filter(|chunk| !is_raw(chunk)) {
                    let count = counts.entry(chunk.tag).or_default();
                    *count = count.saturating_add(1);
                }
                for chunk in &document.chunks {
                    out.laid_chunk(chunk, counts.get(&chunk.tag).is_some_and(|count| *count > 1));
                }
            });
            for (i, chunk) in document.chunks.iter().enumerate() {
                if let Content::Raw(raw) = &chunk.content {
                    self.note("Raw", &[&tag_shown(chunk.tag), &text::hex(&raw.bytes)]);
                } else if let Some(rest) = rest(&chunk.content) {
                    self.note(&format!("Rest {i}"), &[&text::hex(rest)]);
                }
            }
        }
        if !document.tail.bytes.is_empty() {
            self.note("Tail", &[&text::hex(&document.tail.bytes)]);
        }
    }

    /// A chunk in the list of them: its tag, and its number of records where its kind is there several times; nothing
    /// for one that is kept as its bytes.
    fn laid_chunk(&mut self, chunk: &Chunk, is_one_of_several: bool) {
        if is_raw(chunk) {
            return self.put(b" \"\"");
        }
        self.put(b" \"");
        self.put(tag_shown(chunk.tag).as_bytes());
        self.put(b"\"");
        if is_one_of_several {
            self.put(b" ");
            self.number(i64::try_from(chunk.content.len()).unwrap_or(i64::MAX));
        }
    }
}

/// Whether a chunk is kept as its bytes.
fn is_raw(chunk: &Chunk) -> bool {
    matches!(chunk.content, Content::Raw(_))
}

/// A tag as a note has it: its letters, or its bytes in hex.
fn tag_shown(tag: [u8; 4]) -> String {
    if tag.iter().all(u8::is_ascii_alphanumeric) { text::shown(&tag).into_owned() } else { text::hex(&tag) }
}

/// What stands behind the records of a chunk.
fn rest(content: &Content) -> Option<&[u8]> {
    macro_rules! rest {
        ($($variant:ident)*) => {
            match content {
                $( Content::$variant(records) => Some(records.rest.bytes.as_slice()), )*
                _ => None,
            }
        };
    }
    let found = rest! {
        Materials TextureAnimations Geosets GeosetAnimations Bones Lights Helpers Attachments Emitters Emitters2
        Popcorn Ribbons Cameras Events CollisionShapes
    };
    found.filter(|bytes| !bytes.is_empty())
}
