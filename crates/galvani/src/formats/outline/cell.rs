//! Values of an outline.

use std::borrow::Cow;

use galvani_core::text;
use serde_json::{Value, json};

use super::super::{tag_value, text_value};
use super::wide;
use crate::render::json::float;
use crate::render::text::printable;

/// A value that machines read as JSON and people as a few words.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Cell {
    /// Nothing.
    #[default]
    Nothing,
    /// A count or an index.
    Count(u64),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f32),
    /// A point.
    Point([f32; 3]),
    /// Whether it is so.
    Truth(bool),
    /// Words.
    Text(Cow<'static, str>),
    /// A type: four letters or a number.
    Tag(u32),
    /// Bits with names.
    Flags(Flags),
    /// How long something takes; for machines in seconds.
    Span(Span),
    /// An angle in radians; for people in degrees.
    Angle(f32),
    /// Several values.
    List(Vec<Cell>),
    /// Values with names.
    Parts(Vec<(Cow<'static, str>, Cell)>),
}

/// Bits, and what those that are set are called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flags {
    /// All bits.
    pub bits: u32,
    /// Names of those set.
    pub names: Vec<&'static str>,
    /// Those that nobody can name.
    pub unknown: u32,
}

/// How long something takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// In milliseconds.
    pub milliseconds: i64,
}

impl Flags {
    /// Bits by their names; one whose name is empty goes without saying.
    pub fn new(bits: u32, names: &[(u32, &'static str)]) -> Self {
        let set = names.iter().filter(|(bit, _)| bits & bit == *bit);
        let known = set.clone().fold(0, |known, (bit, _)| known | bit);
        let names = set.map(|(_, name)| *name).filter(|name| !name.is_empty());
        Flags { bits, names: names.collect(), unknown: bits & !known }
    }

    fn words(&self) -> String {
        let unknown = (self.unknown != 0).then(|| format!("{:#x}", self.unknown));
        let names = self.names.iter().copied().map(str::to_owned);
        names.chain(unknown).collect::<Vec<_>>().join(", ")
    }
}

impl Span {
    /// So many frames at so many a second.
    pub fn frames(frames: usize, rate: f32) -> Self {
        let frames = u32::try_from(frames).unwrap_or(u32::MAX);
        let milliseconds = (f64::from(frames) * 1000.0 / f64::from(rate)).round();
        #[allow(clippy::cast_possible_truncation, reason = "what is too long saturates")]
        Span { milliseconds: milliseconds as i64 }
    }

    fn decimal(self) -> String {
        let sign = if self.milliseconds < 0 { "-" } else { "" };
        let length = self.milliseconds.unsigned_abs();
        let decimal = format!("{sign}{}.{:03}", length / 1000, length % 1000);
        decimal.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

impl Cell {
    /// A count or an index.
    pub fn count(count: usize) -> Self {
        Cell::Count(wide(count))
    }

    /// Words of ours.
    pub fn word(word: &'static str) -> Self {
        Cell::Text(Cow::Borrowed(word))
    }

    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        Cell::Text(Cow::Owned(text.into()))
    }

    /// Text from a file, and the raw bytes in hex where they say more.
    pub fn room(room: &[u8]) -> [Self; 2] {
        let (_, hex) = text_value(room);
        let hex = hex.as_str().map_or(Cell::Nothing, Cell::text);
        [Cell::text(text::shown(room)), hex]
    }

    /// A value with a name.
    pub fn part(name: &'static str, value: impl Into<Cell>) -> (Cow<'static, str>, Self) {
        (Cow::Borrowed(name), value.into())
    }

    /// For machines.
    pub fn to_json(&self) -> Value {
        match self {
            Cell::Nothing => Value::Null,
            Cell::Count(number) => json!(number),
            Cell::Int(number) => json!(number),
            Cell::Float(number) | Cell::Angle(number) => float(*number),
            Cell::Point(point) => point.iter().map(|&number| float(number)).collect(),
            Cell::Truth(so) => json!(so),
            Cell::Text(text) => json!(text),
            Cell::Tag(id) => tag_value(*id),
            Cell::Flags(flags) => json!(flags.bits),
            Cell::Span(span) => span.decimal().parse::<f64>().map_or(Value::Null, |seconds| json!(seconds)),
            Cell::List(cells) => cells.iter().map(Cell::to_json).collect(),
            Cell::Parts(parts) => {
                Value::Object(parts.iter().map(|(name, part)| (name.to_string(), part.to_json())).collect())
            }
        }
    }

    /// For people: short, without control characters; empty where there is nothing to say.
    pub fn words(&self) -> String {
        match self {
            Cell::Nothing => String::new(),
            Cell::Count(number) => number.to_string(),
            Cell::Int(number) => number.to_string(),
            Cell::Float(number) => short(*number),
            Cell::Point(point) => point.map(short).join(", "),
            Cell::Truth(so) => if *so { "yes" } else { "no" }.to_owned(),
            Cell::Text(text) => printable(text),
            Cell::Tag(id) => text::four_cc(*id).unwrap_or_else(|| id.to_string()),
            Cell::Flags(flags) => flags.words(),
            Cell::Span(span) => format!("{} s", span.decimal()),
            Cell::Angle(radians) => format!("{}°", radians.to_degrees().round()),
            Cell::List(cells) => joined(cells.iter().map(Cell::words)),
            Cell::Parts(parts) => joined(parts.iter().map(|(name, part)| match part.words() {
                words if words.is_empty() => words,
                words => format!("{} {words}", printable(&name.replace('_', " "))),
            })),
        }
    }

    /// Whether people are better off without it: nothing, none, no.
    pub fn is_idle(&self) -> bool {
        match self {
            Cell::Count(number) => *number == 0,
            Cell::Int(number) => *number == 0,
            Cell::Float(number) => *number == 0.0,
            Cell::Truth(so) => !so,
            other => other.words().is_empty(),
        }
    }

    /// Whether it is a number, which people want to see under each other.
    pub fn is_number(&self) -> bool {
        matches!(self, Cell::Count(_) | Cell::Int(_) | Cell::Float(_) | Cell::Span(_) | Cell::Angle(_))
    }
}

/// What says something, with commas between.
fn joined(words: impl Iterator<Item = String>) -> String {
    words.filter(|words| !words.is_empty()).collect::<Vec<_>>().join(", ")
}

/// A number with three places at most, unless that would say nothing.
fn short(number: f32) -> String {
    if !number.is_finite() || (number != 0.0 && number.abs() < 0.001) || number.abs() >= 1e7 {
        return format!("{number:?}");
    }
    let places = format!("{number:.3}");
    let places = places.trim_end_matches('0').trim_end_matches('.');
    if places == "-0" { "0".to_owned() } else { places.to_owned() }
}

impl From<usize> for Cell {
    fn from(count: usize) -> Self {
        Cell::count(count)
    }
}

impl From<u8> for Cell {
    fn from(number: u8) -> Self {
        Cell::Count(number.into())
    }
}

impl From<u16> for Cell {
    fn from(number: u16) -> Self {
        Cell::Count(number.into())
    }
}

impl From<u32> for Cell {
    fn from(number: u32) -> Self {
        Cell::Count(number.into())
    }
}

impl From<u64> for Cell {
    fn from(number: u64) -> Self {
        Cell::Count(number)
    }
}

impl From<i32> for Cell {
    fn from(number: i32) -> Self {
        Cell::Int(number.into())
    }
}

impl From<i64> for Cell {
    fn from(number: i64) -> Self {
        Cell::Int(number)
    }
}

impl From<f32> for Cell {
    fn from(number: f32) -> Self {
        Cell::Float(number)
    }
}

impl From<bool> for Cell {
    fn from(so: bool) -> Self {
        Cell::Truth(so)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Cell::Text(Cow::Owned(text))
    }
}

impl From<&'static str> for Cell {
    fn from(word: &'static str) -> Self {
        Cell::word(word)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Cell::Nothing, Into::into)
    }
}

impl<T: Into<Cell>> From<Vec<T>> for Cell {
    fn from(values: Vec<T>) -> Self {
        Cell::List(values.into_iter().map(Into::into).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_for_people_and_whole_for_machines() {
        let words = [0.0, -0.0, 120.0, 0.1, 1.23456, -0.0004, 1e-7, f32::NAN].map(|n| Cell::Float(n).words());
        assert_eq!(words, ["0", "0", "120", "0.1", "1.235", "-0.0004", "1e-7", "NaN"]);
        assert_eq!(Cell::Float(1.23456).to_json(), json!(1.23456));
    }

    #[test]
    fn spans_are_seconds() {
        let words = [0, 5, 800, 2000, 61_500, -167].map(|milliseconds| Cell::Span(Span { milliseconds }));
        assert_eq!(
            words.clone().map(|span| span.words()),
            ["0 s", "0.005 s", "0.8 s", "2 s", "61.5 s", "-0.167 s"]
        );
        assert_eq!(words[2].to_json(), json!(0.8));
        assert_eq!(Span::frames(8, 15.0), Span { milliseconds: 533 });
    }

    #[test]
    fn bits_have_names_and_strange_ones_are_hex() {
        let flags = Flags::new(0b1_0101, &[(1, "unshaded"), (2, "other"), (4, "")]);
        assert_eq!((flags.names.as_slice(), flags.unknown), (&["unshaded"][..], 0x10));
        assert_eq!(Cell::Flags(flags).words(), "unshaded, 0x10");
    }

    #[test]
    fn control_characters_of_a_file_are_not_obeyed() {
        assert_eq!(Cell::text("a\u{1b}[31m").words(), "a·[31m");
    }
}
