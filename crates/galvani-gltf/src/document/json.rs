//! JSON as it lies in a file: a text and where each of its values stands. Nothing of it is copied, changed or lost.

use std::borrow::Cow;
use std::ops::Range;

use galvani_core::{Exhausted, room};

use super::names::Name;
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
    /// What it is called in its object.
    pub(super) name: Name,
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
    pub fn root(&self) -> JsonValue<'_> {
        self.value(0)
    }

    /// The value of an entry.
    pub(crate) fn value(&self, entry: u32) -> JsonValue<'_> {
        let Entry { start, end, .. } = self.entry(entry);
        JsonValue { json: self, entry, start, end }
    }

    /// Without an entry at that place, one of nothing.
    fn entry(&self, entry: u32) -> Entry {
        let none = Entry { start: 0, end: 0, next: u32::MAX, name: Name::OTHER };
        self.tape.get(place(entry)).copied().unwrap_or(none)
    }
}

/// An offset as an index; a text is no longer than either can count.
pub(super) fn place(offset: u32) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

/// An index as an offset.
pub(super) fn short(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// A value where it stands in its text.
#[derive(Debug, Clone, Copy)]
pub struct JsonValue<'a> {
    json: &'a Json,
    /// Its entry, or [`NO_ENTRY`].
    entry: u32,
    start: u32,
    end: u32,
}

/// The entry of values that have none.
const NO_ENTRY: u32 = u32::MAX;

/// A value of an object.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field<'a> {
    /// What glTF calls it.
    pub(super) name: Name,
    pub(super) value: JsonValue<'a>,
    /// Where the value before it ends, or the object begins.
    from: u32,
}

impl<'a> Field<'a> {
    /// Its name where it stands.
    pub(super) fn key(&self) -> JsonValue<'a> {
        let JsonValue { json, .. } = self.value;
        let start = json.skip(place(self.from), |byte| byte != b'"');
        let end = parse::string_end(&json.text, start).unwrap_or(start);
        JsonValue { json, entry: NO_ENTRY, start: short(start), end: short(end) }
    }

    /// The same in words.
    pub(super) fn word(&self) -> Cow<'a, str> {
        match self.name.word() {
            Some(word) => Cow::Borrowed(word),
            None => self.key().text().unwrap_or_default(),
        }
    }
}

/// So many digits are a number that fits, whatever they are.
const MOST_DIGITS: usize = 9;

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonKind {
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

impl JsonKind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            JsonKind::Object => "an object",
            JsonKind::Array => "an array",
            JsonKind::Text => "a string",
            JsonKind::Number => "a number",
            JsonKind::Truth => "a truth value",
            JsonKind::Null => "null",
        }
    }
}

impl<'a> JsonValue<'a> {
    /// What it is.
    pub fn kind(self) -> JsonKind {
        match self.raw().first() {
            Some(b'{') => JsonKind::Object,
            Some(b'[') => JsonKind::Array,
            Some(b'"') => JsonKind::Text,
            Some(b't' | b'f') => JsonKind::Truth,
            Some(b'n') | None => JsonKind::Null,
            Some(_) => JsonKind::Number,
        }
    }

    /// Where it stands in the text.
    pub fn range(self) -> Range<usize> {
        place(self.start)..place(self.end)
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
        Some(self.entry).filter(|entry| *entry != NO_ENTRY)
    }

    /// Its words, if it is a string; what is no UTF-8 is replaced.
    pub fn text(self) -> Option<Cow<'a, str>> {
        let inner = self.raw().strip_prefix(b"\"")?.strip_suffix(b"\"")?;
        if inner.contains(&b'\\') {
            return Some(Cow::Owned(unescaped(inner)));
        }
        Some(std::str::from_utf8(inner).map_or_else(|_| String::from_utf8_lossy(inner), Cow::Borrowed))
    }

    /// The letters of its words, for whoever knows the words that they look for.
    pub(crate) fn letters(self) -> Option<Cow<'a, [u8]>> {
        let inner = self.raw().strip_prefix(b"\"")?.strip_suffix(b"\"")?;
        Some(if inner.contains(&b'\\') {
            Cow::Owned(unescaped(inner).into_bytes())
        } else {
            Cow::Borrowed(inner)
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
        if self.kind() != JsonKind::Number {
            return None;
        }
        std::str::from_utf8(self.raw()).ok()?.parse().ok()
    }

    /// Its number, if that is whole and not below 0; `3.0` is 3.
    pub fn index(self) -> Option<usize> {
        let few = self.raw();
        // As nearly all are: a few digits and nothing else.
        if (1..=MOST_DIGITS).contains(&few.len())
            && let Some(index) = few.iter().try_fold(0_usize, |index, byte| {
                let digit = byte.wrapping_sub(b'0');
                (digit < 10).then(|| index.wrapping_mul(10).wrapping_add(usize::from(digit)))
            })
        {
            return Some(index);
        }
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
    pub fn members(self) -> impl Iterator<Item = (Cow<'a, str>, JsonValue<'a>)> {
        self.fields().map(|field| (field.word(), field.value))
    }

    /// The same, and what glTF calls them.
    pub(crate) fn fields(self) -> impl Iterator<Item = Field<'a>> {
        let json = self.json;
        let end = if self.kind() == JsonKind::Object { self.next() } else { 0 };
        let mut next = self.entry.saturating_add(1);
        let mut from = self.start.saturating_add(1);
        std::iter::from_fn(move || {
            let entry = (next < end).then(|| json.entry(next))?;
            let value = JsonValue { json, entry: next, start: entry.start, end: entry.end };
            let field = Field { name: entry.name, value, from };
            (next, from) = (entry.next, entry.end);
            Some(field)
        })
    }

    /// The value of a name; of several the last.
    pub fn member(self, name: &str) -> Option<JsonValue<'a>> {
        let known = Name::find(name.as_bytes());
        let is_it = |field: &Field<'a>| field.name == known && (known != Name::OTHER || field.word() == name);
        self.fields().filter(is_it).last().map(|field| field.value)
    }

    /// The values of an array, in order.
    pub fn elements(self) -> impl Iterator<Item = JsonValue<'a>> {
        let is_array = self.kind() == JsonKind::Array;
        let end = if is_array { self.next() } else { 0 };
        let is_flat = is_array && (self.entry == NO_ENTRY || end == self.entry.saturating_add(1));
        let from = if is_flat { self.start.saturating_add(1) } else { self.end };
        self.entries(end).chain(self.flat_from(place(from)))
    }

    /// The entry behind it and all that it holds; 0 if it has none.
    fn next(self) -> u32 {
        self.entry().map_or(0, |entry| self.json.entry(entry).next)
    }

    /// Values that have entries of their own, up to one.
    fn entries(self, end: u32) -> impl Iterator<Item = JsonValue<'a>> {
        let mut next = self.entry.saturating_add(1);
        std::iter::from_fn(move || {
            let value = (next < end).then(|| self.json.value(next))?;
            next = self.json.entry(next).next;
            Some(value)
        })
    }

    /// Values without entries, from a place on.
    fn flat_from(self, mut from: usize) -> impl Iterator<Item = JsonValue<'a>> {
        let JsonValue { json, end, .. } = self;
        let end = place(end);
        std::iter::from_fn(move || {
            let start = json.skip(from, |byte| matches!(byte, b',' | b' ' | b'\t' | b'\r' | b'\n'));
            if start.saturating_add(1) >= end {
                return None;
            }
            from = parse::scalar_end(&json.text, start).ok()?;
            Some(JsonValue { json, entry: NO_ENTRY, start: short(start), end: short(from) })
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
pub(super) fn unescaped(inner: &[u8]) -> String {
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
