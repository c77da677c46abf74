//! Text → a model: a word at a time, each taken by whoever declared it. What nobody takes is passed over and reported.

mod geoset;
mod note;
mod slot;
mod track;
mod value;

use std::collections::{BTreeMap, VecDeque};

use galvani_core::budget::Exhausted;
use galvani_core::record::Record;
use galvani_core::{Code, Meter, Path, Report, text};
use zerocopy::little_endian::{F32, I32, U16, U32};

use super::check;
use super::lex::{Kind, Lexer, Lines, Token};
use super::print::USES_COLOR;
use super::words::{Block, Context, Still, Tracks, When, Whole, Words, fresh};
use crate::Family;
use crate::held::{Held, Raw};
use crate::model::{Layer, LayerTextures, StoredSkin};
use crate::track::{Track, place_of};
use crate::wire::Shader;
use crate::wire::geoset::Vec2;
use note::Pending;
use slot::{Folded, SlotNote};

/// Blocks that stand in no other block: where one begins, all others have ended.
const TOP: &[&[u8]] = &[
    b"Version",
    b"Model",
    b"Sequences",
    b"GlobalSequences",
    b"Textures",
    b"Materials",
    b"TextureAnims",
    b"Geoset",
    b"GeosetAnim",
    b"Bone",
    b"Light",
    b"Helper",
    b"Attachment",
    b"PivotPoints",
    b"ParticleEmitter",
    b"ParticleEmitter2",
    b"ParticleEmitterPopcorn",
    b"RibbonEmitter",
    b"Camera",
    b"EventObject",
    b"CollisionShape",
    b"FaceFX",
    b"BindPose",
];

/// Whether this is the word of a block that stands in no other.
pub(super) fn is_top(word: &[u8]) -> bool {
    TOP.contains(&word)
}

/// What comes next in a block.
#[derive(Debug)]
pub(super) enum Item<'a> {
    /// A word, which begins something.
    Word(Token<'a>),
    /// The end of the block.
    End,
    /// The end of the text.
    TextEnd,
}

/// What a word is, when somebody is asked to take it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// A word stands there.
    Word,
    /// All were taken; what follows from them is set.
    End,
}

/// Goes through a text.
#[allow(clippy::struct_excessive_bools, reason = "each is about something else")]
#[derive(Debug)]
pub(super) struct Parser<'a> {
    lexer: Lexer<'a>,
    ahead: Option<Token<'a>>,
    context: Context,
    lines: Lines<'a>,
    /// The record that is read, for findings.
    pub(super) place: Path,
    pub(super) findings: Report,
    /// What is left of the memory that records may take.
    meter: Meter,
    /// There is no room for what was read.
    pub(super) exhausted: Option<Exhausted>,
    phase: Phase,
    /// The word that is to be taken.
    pub(super) word: Token<'a>,
    /// Whether `static` stands before it.
    is_static: bool,
    /// Whether `Bytes` stands before it.
    is_bytes: bool,
    /// Whether somebody took it.
    pub(super) is_taken: bool,
    /// A word that differs from it only in its capitals.
    near: Option<&'static str>,
    /// Whether whoever is asked has words for comments only.
    wants_note: bool,
    /// How many blocks are open.
    pub(super) depth: usize,
    /// Whether it was told that the text ends too soon.
    has_ended: bool,
    /// The bits of numbers that are none, in order, as the record notes them.
    nans: VecDeque<u32>,
    notes: Notes,
    /// Comments of ours that are about the next block, or a part of it, by the path to that.
    pending: BTreeMap<String, Vec<Pending<'a>>>,
    /// The parts of that block that are being read, by word and number.
    path: Vec<(&'static str, Option<usize>)>,
    /// Records that could not be read, by the word of their kind, each with its number.
    raws: BTreeMap<&'static str, Vec<(usize, Raw)>>,
    /// What one layer says of others.
    folded: Folded<'a>,
}

/// What comments said of a record that can only be applied when all of it was read.
#[derive(Debug, Default)]
struct Notes {
    orders: Vec<(&'static str, Vec<[u8; 4]>)>,
    face_kinds: Option<(usize, Vec<U32>, Vec<U32>)>,
    group_sizes: Option<(usize, Vec<U32>)>,
    has_layer_texture: bool,
    is_skin_narrow: bool,
    shape: ShapeNotes,
    /// Of textures of a layer, by their number.
    slots: Vec<(usize, SlotNote)>,
}

/// What a collision shape said.
#[derive(Debug, Default)]
struct ShapeNotes {
    word: Option<&'static str>,
    corners: Vec<F32>,
    radius: F32,
    measures: Vec<F32>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a [u8], context: Context, meter: Meter) -> Self {
        let nothing = Token { kind: Kind::End, bytes: &[], at: 0, is_noted: false };
        Parser {
            lexer: Lexer::new(text),
            ahead: None,
            context,
            lines: Lines::new(text),
            place: Path::root(),
            findings: Report::default(),
            meter,
            exhausted: None,
            phase: Phase::Word,
            word: nothing,
            is_static: false,
            is_bytes: false,
            is_taken: false,
            near: None,
            wants_note: false,
            depth: 0,
            has_ended: false,
            nans: VecDeque::new(),
            notes: Notes::default(),
            pending: BTreeMap::new(),
            path: Vec::new(),
            raws: BTreeMap::new(),
            folded: Folded::default(),
        }
    }

    pub(super) fn next(&mut self) -> Token<'a> {
        match self.ahead.take() {
            Some(token) => token,
            None => self.lexer.next(),
        }
    }

    pub(super) fn peek(&mut self) -> Token<'a> {
        let token = self.next();
        self.ahead = Some(token);
        token
    }

    /// Takes the next token if it is of that kind.
    pub(super) fn take_if(&mut self, kind: Kind) -> Option<Token<'a>> {
        if self.peek().kind == kind { Some(self.next()) } else { None }
    }

    /// Tells what is wrong at a place.
    #[cold]
    pub(super) fn tell(&mut self, code: &'static Code, at: usize, said: impl Into<String>) {
        let (line, column) = self.lines.position(at);
        self.findings.push(code.at(self.place).offset(at).in_line(line, column).saying(said));
    }

    /// Remembers that there was no room.
    pub(super) fn room<T>(&mut self, made: Result<T, Exhausted>) -> Option<T> {
        match made {
            Ok(made) => Some(made),
            Err(end) => {
                self.exhausted.get_or_insert(end);
                None
            }
        }
    }

    /// Charges what a record takes before it is made.
    pub(super) fn charge(&mut self, len: usize) {
        let charged = self.meter.memory(len);
        self.room(charged);
    }

    /// What comes next in a block. Values that no word stands before are passed over.
    pub(super) fn item(&mut self) -> Item<'a> {
        loop {
            let token = self.peek();
            match token.kind {
                Kind::Word => {
                    if self.depth > 0 && self.is_next_block(&token) {
                        return Item::End;
                    }
                    return Item::Word(self.next());
                }
                Kind::Close if self.depth > 0 => {
                    self.next();
                    return Item::End;
                }
                Kind::End => {
                    if self.depth > 0 {
                        self.tell_end(token.at);
                    }
                    return Item::TextEnd;
                }
                _ => {
                    self.next();
                    self.tell(
                        &check::STRAY,
                        token.at,
                        format!("a word wanted, `{}` found", shown(token.bytes)),
                    );
                    if token.kind == Kind::Open {
                        self.skip_group();
                    }
                }
            }
        }
    }

    /// Whether a token begins a block that stands in no other, so that everything which is open ends before it; tells that it does.
    fn is_next_block(&mut self, token: &Token<'a>) -> bool {
        let is_next = token.kind == Kind::Word && !token.is_noted && is_top(token.bytes);
        if is_next {
            let said = format!("`}}` wanted before `{}`", shown(token.bytes));
            self.tell(&check::UNCLOSED, token.at, said);
        }
        is_next
    }

    /// Tells once that the text ends where blocks are open.
    pub(super) fn tell_end(&mut self, at: usize) {
        if !std::mem::replace(&mut self.has_ended, true) {
            self.tell(&check::UNCLOSED, at, "`}` wanted, the end of the text found");
        }
    }

    /// Passes over a group whose brace was taken, however deep it is.
    fn skip_group(&mut self) {
        let mut depth: usize = 1;
        while depth > 0 {
            match self.next().kind {
                Kind::Open => depth = depth.saturating_add(1),
                Kind::Close => depth = depth.saturating_sub(1),
                Kind::End => return,
                _ => {}
            }
        }
    }

    /// Passes over the values of a word that nobody took.
    pub(super) fn skip_values(&mut self) {
        loop {
            match self.peek().kind {
                Kind::Number | Kind::Text | Kind::TornText | Kind::Slot | Kind::Strange => drop(self.next()),
                Kind::Open => {
                    self.next();
                    self.skip_group();
                }
                Kind::Word | Kind::Close | Kind::End => return,
            }
        }
    }

    /// Opens a block: its brace. Where there is none, nothing is opened.
    pub(super) fn open(&mut self) -> bool {
        let token = self.peek();
        if token.kind == Kind::Open {
            self.next();
            self.depth = self.depth.saturating_add(1);
            return true;
        }
        self.tell(&check::VALUE, token.at, format!("`{{` wanted, `{}` found", shown(token.bytes)));
        false
    }

    /// Goes through the items of a block that is open, each taken by `each`; whether the block is whole.
    pub(super) fn items(&mut self, mut each: impl FnMut(&mut Self)) -> bool {
        loop {
            match self.item() {
                Item::Word(word) => self.offer(word, &mut each),
                end => {
                    self.depth = self.depth.saturating_sub(1);
                    return matches!(end, Item::End);
                }
            }
            if self.exhausted.is_some() {
                return false;
            }
        }
    }

    /// Offers a word to whoever takes it.
    pub(super) fn offer(&mut self, word: Token<'a>, each: &mut impl FnMut(&mut Self)) {
        self.word = word;
        (self.is_static, self.is_bytes) = (false, false);
        if word.bytes == b"static" || word.is_noted && word.bytes == b"Bytes" {
            let is_static = word.bytes == b"static";
            if let Some(next) = self.take_if(Kind::Word) {
                self.word = next;
                (self.is_static, self.is_bytes) = (is_static, !is_static);
            }
        }
        (self.is_taken, self.near, self.phase) = (false, None, Phase::Word);
        let before = self.word;
        each(self);
        self.word = before;
        if !self.is_taken {
            let near = self.near.map(|near| format!("; `{near}` is one")).unwrap_or_default();
            let code = if word.is_noted { &check::NOTE } else { &check::UNKNOWN_WORD };
            let said = format!("`{}` is no word here{near}", shown(self.word.bytes));
            self.tell(code, word.at, said);
            self.skip_values();
        }
    }

    /// A block of a kind whose word was taken; whether it is whole.
    pub(super) fn block<T: Block>(&mut self) -> (T, bool) {
        self.charge(T::LEN);
        let mut block: T = fresh(self.context);
        if let Some(room) = block.name()
            && let Some(name) = self.text_value()
        {
            self.fill(room, name);
        }
        if !self.open() {
            return (block, false);
        }
        let is_whole = self.items(|parser| block.words(parser));
        self.apply_notes(&mut |parser| block.words(parser));
        self.phase = Phase::End;
        block.words(self);
        self.phase = Phase::Word;
        self.is_taken = true;
        (block, is_whole)
    }

    /// A record: the same with notes of its own.
    pub(super) fn record<T: Block>(&mut self) -> (T, bool) {
        self.nans.clear();
        self.notes = Notes::default();
        self.take_nans();
        self.block()
    }

    /// Whether this is the word that is to be taken.
    pub(super) fn is(&mut self, word: &'static str) -> bool {
        if self.phase == Phase::End || self.is_taken || self.is_bytes || self.wants_note != self.word.is_noted
        {
            return false;
        }
        self.is_spelled(word)
    }

    fn is_spelled(&mut self, word: &'static str) -> bool {
        if self.word.bytes == word.as_bytes() {
            self.is_taken = true;
            return true;
        }
        if self.word.bytes.eq_ignore_ascii_case(word.as_bytes()) {
            self.near = Some(word);
        }
        false
    }

    /// Whether this is the word in a comment that is to be taken.
    pub(super) fn is_note(&mut self, word: &'static str) -> bool {
        let is_asked = self.phase == Phase::Word && !self.is_taken && self.word.is_noted;
        is_asked && !self.is_bytes && self.is_spelled(word)
    }

    fn still(&mut self, still: Still<'_>) {
        match still {
            Still::None => self.skip_values(),
            Still::Float(value, _) => {
                if let Some(read) = self.real() {
                    *value = read;
                }
            }
            Still::Straight(color, _) => self.tuple(color),
            Still::Reversed(color, _) => {
                color.reverse();
                self.tuple(color);
                color.reverse();
            }
            Still::Index(value, _) => {
                if let Some(read) = self.integer() {
                    value.take(read);
                }
            }
        }
    }

    /// Whether a track follows: a brace, or a count and a brace.
    fn is_track(&mut self) -> bool {
        if self.is_static {
            return false;
        }
        if self.peek().kind == Kind::Open {
            return true;
        }
        let mut ahead = self.lexer.clone();
        self.peek().kind == Kind::Number && ahead.next().kind == Kind::Open
    }

    /// Puts tracks into the order of the table, or of a note that names just these.
    fn sort(&mut self, word: &'static str, (owner, tracks): Tracks<'_>) {
        tracks.sort_by_key(|track| place_of(owner, Family::Warcraft, track.tag));
        let Some(at) = self.notes.orders.iter().position(|(noted, _)| *noted == word) else { return };
        let (_, order) = self.notes.orders.swap_remove(at);
        let mut sorted = order.clone();
        sorted.sort_by_key(|tag| place_of(owner, Family::Warcraft, *tag));
        if sorted.iter().eq(tracks.iter().map(|track| &track.tag)) {
            let mut left: Vec<Option<Track>> = tracks.drain(..).map(Some).collect();
            for tag in order {
                let found =
                    left.iter_mut().find(|track| track.as_ref().is_some_and(|track| track.tag == tag));
                tracks.extend(found.and_then(Option::take));
            }
        }
    }
}

/// As people read it, of a length that fits into a message.
pub(super) fn shown(bytes: &[u8]) -> String {
    const SHOWN: usize = 40;
    if bytes.is_empty() {
        return "the end".to_owned();
    }
    match bytes.get(..SHOWN) {
        Some(start) if bytes.len() > SHOWN => format!("{}…", text::shown(start)),
        _ => text::shown(bytes).into_owned(),
    }
}

impl Words for Parser<'_> {
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
        _: When<i64>,
    ) {
        if !self.is(word) {
            return;
        }
        let next = self.peek();
        let name = names.iter().find(|(name, _)| next.kind == Kind::Word && name.as_bytes() == next.bytes);
        if let Some((_, named)) = name {
            self.next();
            value.take(*named);
        } else if let Some(read) = self.integer() {
            value.take(read);
        }
    }

    fn wholes<T: Whole>(&mut self, word: &'static str, values: &mut [T], _: When<i64>) {
        if self.is(word) {
            self.whole_tuple(values);
        }
    }

    fn float(&mut self, word: &'static str, value: &mut F32, _: When<f32>) {
        if self.is(word)
            && let Some(read) = self.real()
        {
            *value = read;
        }
    }

    fn floats(&mut self, word: &'static str, values: &mut [F32], _: When<f32>) {
        if self.is(word) {
            self.tuple(values);
        }
    }

    fn text(&mut self, word: &'static str, room: &mut [u8], _: bool) {
        if self.is_bytes && self.phase == Phase::Word && !self.is_taken && self.is_spelled(word) {
            self.fill_by_bytes(room);
        } else if self.is(word)
            && let Some(text) = self.text_value()
        {
            self.fill(room, text);
        }
    }

    fn name_bytes(&mut self, room: &mut [u8]) {
        if self.is_note("NameBytes") {
            self.fill_by_bytes(room);
        }
    }

    fn flag(&mut self, word: &'static str, bits: &mut dyn Whole, bit: u32) {
        if self.is(word) {
            bits.take(bits.value() | i64::from(bit));
        }
    }

    fn other_flag(&mut self, word: &'static str, bits: &mut dyn Whole, bit: u32) {
        self.flag(word, bits, bit);
    }

    fn other_bits(&mut self, word: &'static str, bits: &mut dyn Whole) {
        if self.is(word)
            && let Some(read) = self.integer()
        {
            bits.take(bits.value() | read);
        }
    }

    fn flags(&mut self, word: &'static str, bits: &mut U32, names: &[(&'static str, u32)]) {
        if !self.is(word) || !self.open() {
            return;
        }
        self.items(|parser| {
            for (name, bit) in names {
                parser.flag(name, bits, *bit);
            }
        });
        self.is_taken = true;
    }

    fn bits(&mut self, word: &'static str, bits: &mut dyn Whole, known: u32, _: u32) {
        if self.is_note(word)
            && let Some(read) = self.integer()
        {
            bits.take(bits.value() ^ (read & i64::from(!known)));
        }
    }

    fn choice(&mut self, name: &'static str, words: &[&'static str], value: &mut U32) {
        for (word, number) in words.iter().zip(0..) {
            if self.is(word) {
                *value = U32::new(number);
            }
        }
        if self.is_note(name)
            && let Some(read) = self.integer()
        {
            value.take(read);
        }
    }

    fn animated(
        &mut self,
        word: &'static str,
        tag: &'static str,
        still: Still<'_>,
        _: bool,
        (owner, tracks): Tracks<'_>,
    ) {
        // Beside a track the other value stands in a comment.
        let is_still = self.is_static && self.is_note(word);
        if !is_still && !self.is(word) {
            return;
        }
        if self.is_track() {
            let track = self.track(owner, tag);
            self.keep(tracks, track);
        } else {
            self.still(still);
        }
    }

    fn order(&mut self, word: &'static str, tracks: Tracks<'_>) {
        if self.phase == Phase::End {
            self.sort(word, tracks);
        } else if self.word.bytes == b"Interpolation" {
            self.interpolation_of(tracks);
        } else if self.is_note(word) {
            let mut order = Vec::new();
            while let Some(tag) = self.take_if(Kind::Text) {
                order.extend(<[u8; 4]>::try_from(tag.bytes));
            }
            self.notes.orders.push((word, order));
        }
    }

    fn inside(&mut self, word: &'static str, _: bool, inner: &mut dyn FnMut(&mut Self)) {
        if self.phase == Phase::End {
            inner(self);
        } else if self.is(word) && self.open() {
            self.within(word, None, |parser| {
                parser.items(|parser| inner(parser));
                parser.apply_notes(&mut |parser| inner(parser));
            });
            self.is_taken = true;
        }
    }

    fn noted(&mut self, inner: &mut dyn FnMut(&mut Self)) {
        let outer = std::mem::replace(&mut self.wants_note, true);
        inner(self);
        self.wants_note = outer;
    }

    fn blocks<T: Block + Clone>(&mut self, word: &'static str, list: &mut Vec<T>) {
        if self.is(word) {
            let (block, is_whole) = self.within(word, Some(list.len()), Self::block);
            if is_whole {
                self.keep(list, Some(block));
            }
        }
    }

    fn held_blocks<T: Block + Clone>(&mut self, word: &'static str, list: &mut Vec<Held<T>>) {
        if self.phase == Phase::End {
            self.place_raws(word, list);
        } else if self.is(word) {
            let (block, is_whole) = self.within(word, Some(list.len()), Self::block);
            if is_whole {
                self.keep(list, Some(Held::Typed(block)));
            }
        } else {
            self.raw_in(word);
        }
    }

    fn counts(&mut self) {
        if self.phase == Phase::Word && !self.is_taken && self.word.bytes.starts_with(b"Num") {
            self.is_taken = true;
            self.skip_values();
        }
    }

    fn tint(&mut self, bits: &mut U32, color: &mut [F32; 3], (owner, tracks): Tracks<'_>) {
        let is_noted = self.word.is_noted;
        if self.is_note("ColorUnused") {
            *bits &= !USES_COLOR;
        } else if self.is("Color") || self.is_static && self.is_note("Color") {
            if self.is_track() {
                let track = self.track(owner, "KGAC");
                self.keep(tracks, track);
            } else {
                self.still(Still::Reversed(color, [1.0; 3]));
            }
            if !is_noted {
                *bits |= USES_COLOR;
            }
        }
    }

    fn texture(&mut self, id: &mut I32, tracks: Tracks<'_>) {
        self.parse_texture(id, tracks);
    }

    fn unfold(&mut self, shader: Option<&mut Shader>, layers: &mut Vec<Held<Layer>>) {
        self.parse_unfold(shader, layers);
    }

    fn slots(&mut self, textures: &mut LayerTextures, before: &mut I32) {
        self.parse_slots(textures, before);
    }

    fn table<T: Record>(&mut self, word: &'static str, rows: &mut Vec<T>) {
        if self.is(word) {
            *rows = self.rows();
        }
    }

    fn optional_table<T: Record>(&mut self, word: &'static str, rows: &mut Option<Vec<T>>) {
        if self.is(word) {
            *rows = Some(self.rows());
        }
    }

    fn sets(&mut self, word: &'static str, sets: &mut Vec<Vec<Vec2>>) {
        if self.is(word) {
            let set = self.rows();
            self.keep(sets, Some(set));
        }
    }

    fn vertex_groups(&mut self, word: &'static str, groups: &mut Vec<u8>) {
        if self.is(word) {
            let (at, count) = (self.peek().at, self.count());
            *groups = self.whole_list(None);
            self.compare(at, count, groups.len());
        }
    }

    fn skin(&mut self, skin: &mut Option<StoredSkin>) {
        self.parse_skin(skin);
    }

    fn faces(&mut self, kinds: &mut Vec<U32>, counts: &mut Vec<U32>, corners: &mut Vec<U16>) {
        self.parse_faces(kinds, counts, corners);
    }

    fn groups(&mut self, sizes: &mut Vec<U32>, matrices: &mut Vec<U32>) {
        self.parse_groups(sizes, matrices);
    }

    fn segment_colors(&mut self, word: &'static str, colors: &mut [F32; 9]) {
        if !self.is(word) || !self.open() {
            return;
        }
        let mut each = colors.as_chunks_mut::<3>().0.iter_mut();
        self.items(|parser| {
            if parser.is("Color") {
                match each.next() {
                    Some(color) => parser.still(Still::Reversed(color, [1.0; 3])),
                    None => parser.is_taken = false,
                }
            }
        });
        self.is_taken = true;
    }

    fn moments(&mut self, track: &mut Option<Track>) {
        if self.is("EventTrack") {
            *track = self.event_track();
        }
    }

    fn shape(&mut self, kind: &mut u32, measures: &mut Vec<F32>) {
        self.parse_shape(kind, measures);
    }
}
