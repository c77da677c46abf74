//! What a document holds, in typed parts for every format: people get words and tables of them, machines JSON.

mod cell;
mod section;

pub use cell::{Cell, Flags, Span};
pub use section::{Audience, Column, ListStyle, MEMBER, Section};

use serde_json::{Map, Value, json};

use super::tag_value;

/// What a document holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outline {
    /// How many of what.
    pub counts: Vec<OutlineCount>,
    /// What else there is to say.
    pub facts: Vec<Fact>,
    /// Lists, each with a title.
    pub sections: Vec<Section>,
    /// Parts that nobody can explain. Kept.
    pub unknown: Vec<Unknown>,
}

/// How many of something there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutlineCount {
    /// Its key in JSON.
    pub key: &'static str,
    /// The word for one; nothing where people learn the number elsewhere.
    pub one: Option<&'static str>,
    /// The word for several, where it is not the key with spaces.
    pub many: Option<&'static str>,
    /// How many.
    pub count: u64,
}

/// Something to say in a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// Its key in JSON; nothing if it is for people.
    pub key: Option<&'static str>,
    /// What people call it; nothing if it is for machines.
    pub title: Option<&'static str>,
    /// What there is to say.
    pub value: Cell,
}

/// A part that nobody can explain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unknown {
    /// Its type.
    pub kind: u32,
    /// Its bytes.
    pub size: u64,
}

impl Outline {
    /// The keys of this outline in JSON.
    pub fn to_json(&self) -> Map<String, Value> {
        let mut object = self.plain_json();
        for section in &self.sections {
            object.extend(section.key.map(|key| (key.to_owned(), section.to_json())));
        }
        object
    }

    /// The same without the lists.
    pub(crate) fn plain_json(&self) -> Map<String, Value> {
        let mut object = Map::new();
        let counts = self.counts.iter().map(|count| (count.key.to_owned(), json!(count.count)));
        object.insert("counts".to_owned(), counts.collect::<Map<_, _>>().into());
        object.insert("nodes".to_owned(), json!([]));
        let unknown = self.unknown.iter();
        let unknown = unknown.map(|part| json!({"type": tag_value(part.kind), "size": part.size}));
        object.insert("unknown".to_owned(), unknown.collect());
        for fact in &self.facts {
            object.extend(fact.key.map(|key| (key.to_owned(), fact.value.to_json())));
        }
        object
    }
}

impl OutlineCount {
    /// So many things.
    pub fn new(key: &'static str, one: &'static str, count: usize) -> Self {
        OutlineCount { key, one: Some(one), many: None, count: wide(count) }
    }

    /// A number for machines, which people learn elsewhere.
    pub fn machines(key: &'static str, count: usize) -> Self {
        OutlineCount { key, one: None, many: None, count: wide(count) }
    }

    /// The same with another word for several.
    #[must_use]
    pub fn many(self, many: &'static str) -> Self {
        OutlineCount { many: Some(many), ..self }
    }

    /// `1 vertex`, `2 vertices`; nothing to say of nothing.
    pub fn words(&self) -> Option<String> {
        match (self.count, self.one) {
            (0, _) | (_, None) => None,
            (1, Some(one)) => Some(format!("1 {one}")),
            (count, Some(_)) => {
                let key = self.key.replace('_', " ");
                Some(format!("{count} {}", self.many.unwrap_or(&key)))
            }
        }
    }
}

impl Fact {
    /// Something for everyone.
    pub fn new(key: &'static str, title: &'static str, value: Cell) -> Self {
        Fact { key: Some(key), title: Some(title), value }
    }

    /// Something for people.
    pub fn people(title: &'static str, value: Cell) -> Self {
        Fact { key: None, title: Some(title), value }
    }

    /// Something for machines.
    pub fn machines(key: &'static str, value: Cell) -> Self {
        Fact { key: Some(key), title: None, value }
    }
}

/// What there is in one line: the counts that are not zero.
pub(super) fn in_a_line(counts: &[OutlineCount]) -> String {
    let words: Vec<String> = counts.iter().filter_map(OutlineCount::words).collect();
    words.join(", ")
}

pub(super) fn wide(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
