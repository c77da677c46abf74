//! A model → text. Counts are right, numbers have the fewest digits that read back, what words cannot say stands in
//! comments (docs/formats/mdl.md#notes).

mod geoset;
mod note;
mod number;
mod top;

pub(super) use geoset::{SKIN_ROW, TRIANGLES, WIDE_SKIN};
pub(super) use note::path_shown;
pub use top::print;

use galvani_core::diag::Diagnostic;
use galvani_core::{room, text};
use zerocopy::little_endian::{F32, I32, U32};

use super::words::{Block, Context, Still, Tracks, When, Whole, Words};
use crate::Family;
use crate::held::Held;
use crate::model::{LayerTextures, StoredSkin};
use crate::track::{Owner, Track, TrackValue, place_of};
use crate::wire::geoset::Vec2;
use number::{put_float, put_whole};

/// What layers of version 1100 and above call the textures of each slot.
pub(super) const SLOTS: [&str; 6] = [
    "TextureID",
    "NormalTextureID",
    "ORMTextureID",
    "EmissiveTextureID",
    "TeamColorTextureID",
    "ReflectionsTextureID",
];

/// What interpolations are called, by their numbers.
pub(super) const INTERPOLATIONS: [&str; 4] = ["DontInterp", "Linear", "Hermite", "Bezier"];

/// The bit of a geoset animation that makes its colour count.
pub(super) const USES_COLOR: u32 = 2;

/// Bytes that no number takes more of.
const NUMBER_LEN: usize = 32;

/// Before the bits of a number that is none, where it stands in a comment.
pub(super) const NOTED_NAN: &str = "NaN_";

/// What stands in a text for a byte that no text may have.
const STAND_IN: u8 = b'_';

/// Collects a text.
#[derive(Debug)]
pub(super) struct Printer {
    pub(super) out: Vec<u8>,
    /// Why it cannot be made.
    pub(super) problem: Option<Diagnostic>,
    context: Context,
    depth: usize,
    /// Whether what is being written stands in a comment, all of it on one line.
    is_noted: bool,
    /// The comments of the block that is being written, which stand before it: many readers know none inside.
    notes: Vec<u8>,
    /// The parts of that block that are being written, by word and number.
    path: Vec<(&'static str, Option<usize>)>,
    /// Where that block begins.
    top: Option<usize>,
    /// The bits of the numbers of a record that are no numbers.
    nans: Vec<u32>,
    pub(super) record_counts: Vec<(&'static str, usize)>,
}

/// The bits of a number that is none, where nothing else is said.
pub(super) const NAN: u32 = 0x7fc0_0000;

impl Printer {
    pub(super) fn new(context: Context) -> Self {
        Printer {
            out: Vec::new(),
            problem: None,
            context,
            depth: 0,
            is_noted: false,
            notes: Vec::new(),
            path: Vec::new(),
            top: None,
            nans: Vec::new(),
            record_counts: Vec::new(),
        }
    }

    pub(super) fn put(&mut self, bytes: &[u8]) {
        match room::append(&mut self.out, bytes) {
            Ok(()) => {}
            Err(end) => drop(self.problem.get_or_insert(*end.cause)),
        }
    }

    /// The beginning of a line.
    pub(super) fn start(&mut self) {
        if self.is_noted {
            return self.put(b" ");
        }
        for _ in 0..self.depth {
            self.put(b"\t");
        }
    }

    /// The end of a line that is a word with its values.
    pub(super) fn end(&mut self) {
        self.put(if self.is_noted { b"," } else { b",\n" });
    }

    /// A word that begins a line.
    fn word(&mut self, word: &str) {
        self.start();
        self.put(word.as_bytes());
    }

    /// The same with a blank behind it.
    fn head(&mut self, word: &str) {
        self.word(word);
        self.put(b" ");
    }

    /// Room for a number.
    fn make_room(&mut self) {
        if let Err(end) = room::reserve(&mut self.out, NUMBER_LEN) {
            self.problem.get_or_insert(*end.cause);
        }
    }

    pub(super) fn number(&mut self, value: i64) {
        self.make_room();
        put_whole(&mut self.out, value);
    }

    pub(super) fn real(&mut self, value: F32) {
        self.make_room();
        let value = value.get();
        if value.is_nan() && self.is_noted {
            return self.put(format!("{NOTED_NAN}{:08x}", value.to_bits()).as_bytes());
        }
        if value.is_nan()
            && let Err(end) = room::push(&mut self.nans, value.to_bits())
        {
            self.problem.get_or_insert(*end.cause);
        }
        put_float(&mut self.out, value);
    }

    /// Numbers in braces.
    pub(super) fn tuple(&mut self, values: impl Iterator<Item = F32>) {
        self.put(b"{ ");
        for (i, value) in values.enumerate() {
            if i > 0 {
                self.put(b", ");
            }
            self.real(value);
        }
        self.put(b" }");
    }

    /// Opens a block whose line is written up to there.
    pub(super) fn open(&mut self) {
        self.put(if self.is_noted { b" {" } else { b" {\n" });
        self.depth = self.depth.saturating_add(1);
    }

    /// Closes it again.
    pub(super) fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.start();
        self.put(if self.is_noted { b"}" } else { b"}\n" });
    }

    /// A word with a count, opened.
    pub(super) fn counted(&mut self, word: &str, count: usize) {
        self.head(word);
        self.number(i64::try_from(count).unwrap_or(i64::MAX));
        self.open();
    }

    fn quoted(&mut self, room: &[u8]) {
        self.put(b"\"");
        let said = said(room);
        self.put(&said);
        self.put(b"\"");
    }

    /// A record with all that it says, and the bits of its numbers that are none.
    pub(super) fn record<T: Block + Clone>(&mut self, word: &str, block: &T) {
        self.nans.clear();
        self.part(word, block);
        self.note_nans();
    }

    /// A block inside a record.
    fn part<T: Block + Clone>(&mut self, word: &str, block: &T) {
        let mut block = block.clone();
        self.word(word);
        if let Some(room) = block.name() {
            self.put(b" ");
            self.quoted(room);
        }
        self.open();
        block.words(self);
        self.close();
    }

    fn track(&mut self, word: &str, track: &Track) {
        self.counted(word, track.times.len());
        let known = usize::try_from(track.interpolation).ok().and_then(|at| INTERPOLATIONS.get(at));
        self.word(known.copied().unwrap_or("Bezier"));
        self.end();
        if track.global != -1 {
            self.head("GlobalSeqId");
            self.number(track.global.into());
            self.end();
        }
        let words = track.value.words().max(1);
        let values = track.values.chunks_exact(words);
        let arriving = track.in_tangents.chunks_exact(words);
        let leaving = track.out_tangents.chunks_exact(words);
        let mut tangents = arriving.zip(leaving);
        for (time, value) in track.times.iter().zip(values) {
            self.start();
            self.number((*time).into());
            self.put(b": ");
            self.value(track.value, value);
            self.end();
            if let Some((arriving, leaving)) = tangents.next() {
                for (word, tangent) in [("\tInTan ", arriving), ("\tOutTan ", leaving)] {
                    self.word(word);
                    self.value(track.value, tangent);
                    self.end();
                }
            }
        }
        self.close();
    }

    fn value(&mut self, kind: TrackValue, words: &[u32]) {
        let mut reals = words.iter().map(|bits| F32::from_bytes(bits.to_le_bytes()));
        match (kind, words) {
            (TrackValue::Number, [one]) => self.number((*one).into()),
            (_, [_]) => reals.by_ref().for_each(|real| self.real(real)),
            _ => self.tuple(reals),
        }
    }

    /// A word with whole numbers.
    fn numbers(&mut self, word: &str, numbers: &[i64]) {
        self.word(word);
        for number in numbers {
            self.put(b" ");
            self.number(*number);
        }
        self.end();
    }

    fn still(&mut self, word: &str, still: &Still<'_>, is_wanted: bool) {
        let differs = match still {
            Still::None => return,
            Still::Float(value, missing) => value.get().to_bits() != missing.to_bits(),
            Still::Straight(color, missing) | Still::Reversed(color, missing) => {
                **color != missing.map(F32::new)
            }
            Still::Index(value, missing) => value.value() != *missing,
        };
        if !differs && !is_wanted {
            return;
        }
        self.start();
        self.put(b"static ");
        self.put(word.as_bytes());
        self.put(b" ");
        match still {
            Still::None => {}
            Still::Float(value, _) => self.real(**value),
            Still::Straight(color, _) => self.tuple(color.iter().copied()),
            Still::Reversed(color, _) => self.tuple(color.iter().rev().copied()),
            Still::Index(value, _) => self.number(value.value()),
        }
        self.end();
    }
}

/// A room as a text may have it: up to its NUL, without what would end it.
pub(super) fn said(room: &[u8]) -> Vec<u8> {
    let is_odd = |byte: u8| matches!(byte, b'"' | b'\n' | b'\r');
    text::before_nul(room).iter().map(|&byte| if is_odd(byte) { STAND_IN } else { byte }).collect()
}

/// Whether the text of a room says all of it.
fn says_all(room: &[u8]) -> bool {
    let before = text::before_nul(room);
    said(room) == before && room.iter().skip(before.len()).all(|byte| *byte == 0)
}

/// A room in hex, without the zeros at its end.
fn room_in_hex(room: &[u8]) -> String {
    let len = room.iter().rposition(|byte| *byte != 0).map_or(0, |last| last.saturating_add(1));
    text::hex(room.get(..len).unwrap_or_default())
}

/// Whether tracks stand in the order in which the table of tags has them.
fn is_in_order(owner: Owner, tracks: &[Track]) -> bool {
    tracks.iter().map(|track| place_of(owner, Family::Warcraft, track.tag)).is_sorted()
}

impl Words for Printer {
    fn context(&self) -> Context {
        self.context
    }

    fn whole(&mut self, word: &'static str, value: &mut dyn Whole, when: When<i64>) {
        self.named(word, &[], value, when);
    }

    fn named(
        &mut self,
        word: &'static str,
        names: &[(&'static str, i64)],
        value: &mut dyn Whole,
        when: When<i64>,
    ) {
        let value = value.value();
        if matches!(when, When::Unless(missing) if missing == value) {
            return;
        }
        self.head(word);
        match names.iter().find(|(_, named)| *named == value) {
            Some((name, _)) => self.put(name.as_bytes()),
            None => self.number(value),
        }
        self.end();
    }

    fn wholes<T: Whole>(&mut self, word: &'static str, values: &mut [T], when: When<i64>) {
        if matches!(when, When::Unless(missing) if values.iter().all(|value| value.value() == missing)) {
            return;
        }
        self.head(word);
        self.put(b"{ ");
        for (i, value) in values.iter().enumerate() {
            if i > 0 {
                self.put(b", ");
            }
            self.number(value.value());
        }
        self.put(b" }");
        self.end();
    }

    fn float(&mut self, word: &'static str, value: &mut F32, when: When<f32>) {
        if matches!(when, When::Unless(missing) if missing.to_bits() == value.get().to_bits()) {
            return;
        }
        self.head(word);
        self.real(*value);
        self.end();
    }

    fn floats(&mut self, word: &'static str, values: &mut [F32], when: When<f32>) {
        let is_missing = |missing: f32| values.iter().all(|value| value.get().to_bits() == missing.to_bits());
        if matches!(when, When::Unless(missing) if is_missing(missing)) {
            return;
        }
        self.head(word);
        self.tuple(values.iter().copied());
        self.end();
    }

    fn text(&mut self, word: &'static str, room: &mut [u8], is_always: bool) {
        let is_odd = !says_all(room);
        if is_always || is_odd || room.first().is_some_and(|byte| *byte != 0) {
            self.head(word);
            self.quoted(room);
            self.end();
        }
        if is_odd {
            let hex = room_in_hex(room);
            self.note(&format!("Bytes {word}"), &[&hex]);
        }
    }

    fn name_bytes(&mut self, room: &mut [u8]) {
        if !says_all(room) {
            let hex = room_in_hex(room);
            self.note("NameBytes", &[&hex]);
        }
    }

    fn flag(&mut self, word: &'static str, bits: &mut dyn Whole, bit: u32) {
        if bits.value() & i64::from(bit) != 0 {
            self.word(word);
            self.end();
        }
    }

    fn flags(&mut self, word: &'static str, bits: &mut U32, names: &[(&'static str, u32)]) {
        let set: Vec<&str> =
            names.iter().filter(|(_, bit)| bits.get() & bit != 0).map(|(name, _)| *name).collect();
        if !set.is_empty() {
            self.head(word);
            self.put(b"{ ");
            self.put(set.join(", ").as_bytes());
            self.put(b" }");
            self.end();
        }
    }

    fn bits(&mut self, word: &'static str, bits: &mut dyn Whole, known: u32, implied: u32) {
        let odd = (bits.value() ^ i64::from(implied)) & i64::from(!known);
        if odd != 0 {
            self.in_notes(|out| {
                out.head(word);
                out.number(odd & i64::from(u32::MAX));
                out.end();
            });
        }
    }

    fn choice(&mut self, name: &'static str, words: &[&'static str], value: &mut U32) {
        if let Some(word) = usize::try_from(value.get()).ok().and_then(|at| words.get(at)) {
            self.word(word);
            self.end();
        } else {
            self.in_notes(|out| {
                out.head(name);
                out.number(value.get().into());
                out.end();
            });
        }
    }

    fn animated(
        &mut self,
        word: &'static str,
        tag: &'static str,
        still: Still<'_>,
        is_always: bool,
        (_, tracks): Tracks<'_>,
    ) {
        let mut is_animated = false;
        for track in tracks.iter().filter(|track| track.tag == tag.as_bytes()) {
            self.track(word, track);
            is_animated = true;
        }
        if is_animated {
            self.in_notes(|out| out.still(word, &still, false));
        } else {
            self.still(word, &still, is_always);
        }
    }

    fn order(&mut self, word: &'static str, (owner, tracks): Tracks<'_>) {
        for (i, track) in tracks.iter().enumerate() {
            if usize::try_from(track.interpolation).is_ok_and(|at| at < INTERPOLATIONS.len()) {
                continue;
            }
            let before =
                tracks.get(..i).unwrap_or_default().iter().filter(|other| other.tag == track.tag).count();
            self.in_notes(|out| {
                out.word("Interpolation");
                out.put(b" \"");
                out.put(&track.tag);
                out.put(b"\" ");
                out.number(i64::try_from(before).unwrap_or(i64::MAX));
                out.put(b" ");
                out.number(track.interpolation.into());
                out.end();
            });
        }
        if is_in_order(owner, tracks) {
            return;
        }
        let tags: Vec<_> = tracks.iter().map(|track| text::shown(&track.tag).into_owned()).collect();
        let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
        self.note(word, &tags);
    }

    fn inside(&mut self, word: &'static str, _: bool, inner: &mut dyn FnMut(&mut Self)) {
        self.word(word);
        self.open();
        self.within(word, None, |out| inner(out));
        self.close();
    }

    fn noted(&mut self, inner: &mut dyn FnMut(&mut Self)) {
        self.in_notes(|out| inner(out));
    }

    fn blocks<T: Block + Clone>(&mut self, word: &'static str, list: &mut Vec<T>) {
        for (i, block) in list.iter().enumerate() {
            self.within(word, Some(i), |out| out.part(word, block));
        }
    }

    fn held_blocks<T: Block + Clone>(&mut self, word: &'static str, list: &mut Vec<Held<T>>) {
        let mut count: usize = 0;
        for (i, held) in list.iter().enumerate() {
            match held {
                Held::Typed(block) => {
                    self.within(word, Some(count), |out| out.part(word, block));
                    count = count.saturating_add(1);
                }
                Held::Raw(raw) => self.note_raw(word, i, &raw.bytes),
            }
        }
    }

    fn counts(&mut self) {
        for (word, count) in std::mem::take(&mut self.record_counts) {
            if count > 0 {
                self.head(word);
                self.number(i64::try_from(count).unwrap_or(i64::MAX));
                self.end();
            }
        }
    }

    fn tint(&mut self, bits: &mut U32, color: &mut [F32; 3], (_, tracks): Tracks<'_>) {
        let (word, counts) = ("Color", bits.get() & USES_COLOR != 0);
        let still = Still::Reversed(color, [1.0; 3]);
        let mut is_animated = false;
        for track in tracks.iter().filter(|track| track.tag == *b"KGAC") {
            self.track(word, track);
            is_animated = true;
        }
        match (is_animated, counts) {
            (false, true) => self.still(word, &still, true),
            (true, true) => self.in_notes(|out| out.still(word, &still, false)),
            (is_animated, false) => self.in_notes(|out| {
                out.still(word, &still, false);
                if is_animated {
                    out.word("ColorUnused");
                    out.end();
                }
            }),
        }
    }

    fn slots(&mut self, textures: &mut LayerTextures, before: &mut I32) {
        for (i, texture) in textures.list.iter().enumerate() {
            let (slot, id) = (texture.fixed.slot.get(), i64::from(texture.fixed.texture_id.get()));
            let at = i64::try_from(i).unwrap_or(i64::MAX);
            let word = usize::try_from(slot).ok().and_then(|slot| SLOTS.get(slot).copied());
            match (word, &texture.track) {
                (Some(word), None) => self.numbers(&format!("static {word}"), &[id]),
                (Some(word), Some(track)) => {
                    self.track(word, track);
                    if id != 0 {
                        self.in_notes(|out| out.numbers("SlotStill", &[at, id]));
                    }
                }
                (None, None) => self.in_notes(|out| out.numbers("Slot", &[at, slot.into(), id])),
                (None, Some(track)) => self.in_notes(|out| {
                    out.numbers("Slot", &[at, slot.into(), id]);
                    out.track(&format!("SlotTrack {at}"), track);
                }),
            }
            let interpolation = texture.track.as_ref().map_or(0, |track| track.interpolation);
            if interpolation > 3 {
                self.in_notes(|out| out.numbers("SlotInterpolation", &[at, interpolation.into()]));
            }
        }
        let first = textures.list.first().map_or(0, |texture| texture.fixed.texture_id.get());
        if before.get() != first.cast_signed() {
            self.in_notes(|out| out.numbers("LayerTexture", &[before.get().into()]));
        }
    }

    fn table<T: galvani_core::record::Record>(&mut self, word: &'static str, rows: &mut Vec<T>) {
        if !rows.is_empty() {
            self.rows(word, rows);
        }
    }

    fn optional_table<T: galvani_core::record::Record>(
        &mut self,
        word: &'static str,
        rows: &mut Option<Vec<T>>,
    ) {
        if let Some(rows) = rows {
            self.rows(word, rows);
        }
    }

    fn sets(&mut self, word: &'static str, sets: &mut Vec<Vec<Vec2>>) {
        for set in sets {
            self.rows(word, set);
        }
    }

    fn vertex_groups(&mut self, word: &'static str, groups: &mut Vec<u8>) {
        self.print_vertex_groups(word, groups);
    }

    fn skin(&mut self, skin: &mut Option<StoredSkin>) {
        self.print_skin(skin.as_ref());
    }

    fn faces(
        &mut self,
        kinds: &mut Vec<U32>,
        counts: &mut Vec<U32>,
        corners: &mut Vec<zerocopy::little_endian::U16>,
    ) {
        self.print_faces(kinds, counts, corners);
    }

    fn groups(&mut self, sizes: &mut Vec<U32>, matrices: &mut Vec<U32>) {
        self.print_groups(sizes, matrices);
    }

    fn segment_colors(&mut self, word: &'static str, colors: &mut [F32; 9]) {
        self.word(word);
        self.open();
        for color in colors.chunks_exact(3) {
            self.head("Color");
            self.tuple(color.iter().rev().copied());
            self.end();
        }
        self.depth = self.depth.saturating_sub(1);
        self.word("}");
        self.end();
    }

    fn moments(&mut self, track: &mut Option<Track>) {
        let Some(track) = track else { return };
        self.counted("EventTrack", track.times.len());
        if track.global != -1 {
            self.head("GlobalSeqId");
            self.number(track.global.into());
            self.end();
        }
        for time in &track.times {
            self.start();
            self.number((*time).into());
            self.end();
        }
        self.close();
    }

    fn shape(&mut self, kind: &mut u32, measures: &mut Vec<F32>) {
        self.print_shape(*kind, measures);
    }
}
