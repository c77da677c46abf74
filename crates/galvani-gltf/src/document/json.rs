//! JSON as it lies in a file: a text and where each of its values stands. Nothing of it is copied, changed or lost.

use std::borrow::Cow;
use std::ops::Range;

use galvani_core::{Exhausted, room};

use super::parse::{self, Flaw};

/// A text that is JSON, and where its values are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Json {
    text: Vec<u8>,
    tape: Vec<Entry>,
}

/// Where a value stands. Values of arrays that hold no arrays or objects have no entries: such an array is the last
/// of its branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) start: u32,
    pub(super) end: u32,
    /// The entry behind it and all that it holds.
    pub(super) next: u32,
}

/// Why a text is no JSON.
#[derive(Debug, Clone)]
pub(crate) enum Refusal {
    /// Something is wrong with it.
    Flaw(Flaw),
    /// There is no room.
    Exhausted(Exhausted),
}

impl From<Exhausted> for Refusal {
    fn from(exhausted: Exhausted) -> Self {
        Refusal::Exhausted(exhausted)
    }
}

impl Json {
    /// Finds the values of a text.
    pub(crate) fn read(text: &[u8]) -> Result<Self, Refusal> {
        let tape = parse::tape(text)?;
        Ok(Json { text: room::copied(text)?, tape })
    }

    /// The text itself.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The value that the whole text is.
    pub fn root(&self) -> Value<'_> {
        self.value(0)
    }

    /// The value of an entry.
    pub(crate) fn value(&self, entry: u32) -> Value<'_> {
        let Entry { start, end, .. } = self.entry(entry);
        Value { json: self, entry: Some(entry), start: place(start), end: place(end) }
    }

    /// Without an entry at that place, one of nothing.
    fn entry(&self, entry: u32) -> Entry {
        self.tape.get(place(entry)).copied().unwrap_or(Entry { start: 0, end: 0, next: u32::MAX })
    }
}

/// An offset as an index; a text is no longer than either can count.
pub(super) fn place(offset: u32) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

/// A value where it stands in its text.
#[derive(Debug, Clone, Copy)]
pub struct Value<'a> {
    json: &'a Json,
    entry: Option<u32>,
    start: usize,
    end: usize,
}

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Named values.
    Object,
    /// Values in order.
    Array,
    /// Words.
    Text,
    /// A number.
    Number,
    /// Yes or no.
    Truth,
    /// Nothing.
    Null,
}

impl Kind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Object => "an object",
            Kind::Array => "an array",
            Kind::Text => "a string",
            Kind::Number => "a number",
            Kind::Truth => "a truth value",
            Kind::Null => "null",
        }
    }
}

impl<'a> Value<'a> {
    /// What it is.
    pub fn kind(self) -> Kind {
        match self.raw().first() {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'"') => Kind::Text,
            Some(b't' | b'f') => Kind::Truth,
            Some(b'n') | None => Kind::Null,
            Some(_) => Kind::Number,
        }
    }

    /// Where it stands in the text.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// Its own text.
    pub fn raw(self) -> &'a [u8] {
        self.json.text.get(self.range()).unwrap_or_default()
    }

    /// The text that it stands in.
    pub(super) fn json(self) -> &'a Json {
        self.json
    }

    /// Its entry, if it has one.
    pub(crate) fn entry(self) -> Option<u32> {
        self.entry
    }

    /// Its words, if it is a string; what is no UTF-8 is replaced.
    pub fn text(self) -> Option<Cow<'a, str>> {
        let inner = self.raw().strip_prefix(b"\"")?.strip_suffix(b"\"")?;
        Some(if inner.contains(&b'\\') {
            Cow::Owned(unescaped(inner))
        } else {
            String::from_utf8_lossy(inner)
        })
    }

    /// Its number, if it is one, rounded once.
    pub fn single(self) -> Option<f32> {
        self.number()
    }

    /// The same in double precision.
    pub fn double(self) -> Option<f64> {
        self.number()
    }

    fn number<T: std::str::FromStr>(self) -> Option<T> {
        if self.kind() != Kind::Number {
            return None;
        }
        std::str::from_utf8(self.raw()).ok()?.parse().ok()
    }

    /// Its number, if that is whole and not below 0; `3.0` is 3.
    pub fn index(self) -> Option<usize> {
        self.number().or_else(|| {
            let number = self.double().filter(|number| number.fract() == 0.0)?;
            format!("{number:.0}").parse().ok()
        })
    }

    /// Its truth, if it is one.
    pub fn truth(self) -> Option<bool> {
        match self.raw() {
            b"true" => Some(true),
            b"false" => Some(false),
            _ => None,
        }
    }

    /// The named values of an object, in order.
    pub fn members(self) -> impl Iterator<Item = (Cow<'a, str>, Value<'a>)> {
        self.keyed().map(|(key, value)| (key.text().unwrap_or_default(), value))
    }

    /// The same with their names as values.
    pub(super) fn keyed(self) -> impl Iterator<Item = (Value<'a>, Value<'a>)> {
        let mut from = self.start.saturating_add(1);
        let values = self.entries().filter(move |_| self.kind() == Kind::Object);
        values.map(move |value| {
            let start = self.json.skip(from, |byte| byte != b'"');
            let end = parse::string_end(&self.json.text, start).unwrap_or(start);
            from = value.end;
            (Value { entry: None, start, end, ..self }, value)
        })
    }

    /// The value of a name; of several the last.
    pub fn member(self, name: &str) -> Option<Value<'a>> {
        self.members().filter(|(key, _)| key == name).last().map(|(_, value)| value)
    }

    /// The values of an array, in order.
    pub fn elements(self) -> impl Iterator<Item = Value<'a>> {
        let is_array = self.kind() == Kind::Array;
        let with_entries = self.entries().filter(move |_| is_array);
        let from = if is_array && self.is_flat() { self.start.saturating_add(1) } else { self.end };
        with_entries.chain(self.flat_from(from))
    }

    /// Whether none of what it holds has an entry.
    fn is_flat(self) -> bool {
        self.entry.is_none_or(|entry| self.json.entry(entry).next == entry.saturating_add(1))
    }

    /// Values that have entries of their own.
    fn entries(self) -> impl Iterator<Item = Value<'a>> {
        let end = self.entry.map_or(0, |entry| self.json.entry(entry).next);
        let mut next = self.entry.map_or(0, |entry| entry.saturating_add(1));
        std::iter::from_fn(move || {
            let value = (next < end).then(|| self.json.value(next))?;
            next = self.json.entry(next).next;
            Some(value)
        })
    }

    /// Values without entries, from a place on.
    fn flat_from(self, mut from: usize) -> impl Iterator<Item = Value<'a>> {
        let Value { json, end, .. } = self;
        std::iter::from_fn(move || {
            let start = json.skip(from, |byte| matches!(byte, b',' | b' ' | b'\t' | b'\r' | b'\n'));
            if start.saturating_add(1) >= end {
                return None;
            }
            from = parse::scalar_end(&json.text, start).ok()?;
            Some(Value { json, entry: None, start, end: from })
        })
    }
}

impl Json {
    /// The first place from one on whose byte is not to be passed over.
    fn skip(&self, from: usize, is_passed: impl Fn(u8) -> bool) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        from.saturating_add(rest.iter().position(|byte| !is_passed(*byte)).unwrap_or(rest.len()))
    }
}

/// What a string with escapes says. Halves of characters that stand alone are replaced.
fn unescaped(inner: &[u8]) -> String {
    let mut made = String::new();
    let mut rest = inner;
    while let Some(at) = rest.iter().position(|byte| *byte == b'\\') {
        let (before, behind) = rest.split_at_checked(at).unwrap_or((rest, &[]));
        made.push_str(&String::from_utf8_lossy(before));
        let (letter, behind) = behind.get(1..).and_then(<[u8]>::split_first).unwrap_or((&b'\\', &[]));
        rest = behind;
        made.push(match letter {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => hex_character(&mut rest),
            plain => char::from(*plain),
        });
    }
    made.push_str(&String::from_utf8_lossy(rest));
    made
}

/// The character whose digits come next, both halves if it has two.
fn hex_character(rest: &mut &[u8]) -> char {
    let first = hex(rest.get(..4));
    *rest = rest.get(4..).unwrap_or_default();
    let second = || hex(rest.strip_prefix(b"\\u").and_then(|digits| digits.get(..4)));
    let units = match first {
        0xD800..=0xDBFF => [first, second()],
        _ => [first, 0],
    };
    let count = if matches!(units, [0xD800..=0xDBFF, 0xDC00..=0xDFFF]) { 2 } else { 1 };
    if count == 2 {
        *rest = rest.get(6..).unwrap_or_default();
    }
    let found = char::decode_utf16(units.into_iter().take(count)).next();
    found.and_then(Result::ok).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn hex(digits: Option<&[u8]>) -> u16 {
    let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
    digits.and_then(|digits| u16::from_str_radix(digits, 16).ok()).unwrap_or_default()
}
