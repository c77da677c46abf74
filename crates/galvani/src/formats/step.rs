//! Edits as data: operations that formats declare, and steps that name one with its arguments.

use galvani_core::text;
use thiserror::Error;

use super::{Format, Selector};

/// Something `edit` can do.
#[derive(Debug)]
pub struct Operation {
    /// Its name.
    pub name: &'static str,
    /// Its arguments, all of them needed.
    pub args: &'static [Arg],
    /// What it does, in one sentence.
    pub summary: &'static str,
}

/// An argument of an operation.
#[derive(Debug)]
pub struct Arg {
    /// Its name, also the key in a recipe.
    pub name: &'static str,
    /// What it may be.
    pub kind: Kind,
}

/// What an argument may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An unsigned number, decimal or `0x` hex.
    Number,
    /// A type id: four characters or a number.
    Tag,
    /// Text, or `hex:` and bytes.
    Text,
    /// A number with a point.
    Float,
    /// An entry, as a [`Selector`] says it; so are the next six.
    Entry,
    /// A node.
    Node,
    /// A node, or a word for none.
    NodeOr(&'static str),
    /// A sequence.
    Sequence,
    /// A texture.
    Texture,
    /// A texture, or a word for none.
    TextureOr(&'static str),
    /// A track: the path that findings give, `BONE[3].KGTR`, or its node and tag, `Body.KGTR`.
    Track,
    /// A whole number, also a negative one.
    Integer,
    /// Numbers with points, commas between them; or `none`.
    Floats,
    /// Several indices: `3`, `2..7`, both with commas between them, or `all`.
    Indices,
    /// The name of a file, of which the bytes are meant.
    File,
    /// One of these words.
    Word(&'static [&'static str]),
}

/// An argument that was given.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number or a type id.
    Number(u32),
    /// A number with a point.
    Float(f32),
    /// Text or the bytes of a file.
    Bytes(Vec<u8>),
    /// Which of several things is meant.
    Entry(Selector),
    /// The same once it is known which one that is.
    Index(usize),
    /// Several indices.
    Indices(Indices),
    /// A whole number.
    Integer(i64),
    /// Several numbers.
    Floats(Vec<f64>),
    /// One of the words allowed.
    Word(&'static str),
}

/// Several indices, in the order they were named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Indices {
    /// All there are.
    All,
    /// Ranges with both their ends.
    Ranges(Vec<(usize, usize)>),
}

impl Indices {
    /// `all`, or indices and ranges with commas between them.
    pub fn new(word: &str) -> Option<Self> {
        if word == "all" {
            return Some(Indices::All);
        }
        let range = |part: &str| {
            let (first, last) = part.split_once("..").unwrap_or((part, part));
            let (first, last) = (first.parse().ok()?, last.parse().ok()?);
            (first <= last).then_some((first, last))
        };
        word.split(',').map(range).collect::<Option<_>>().map(Indices::Ranges)
    }

    /// The indices, of so many things; one that is not there is given as it is, once.
    pub fn of(&self, count: usize) -> Vec<usize> {
        match self {
            Indices::All => (0..count).collect(),
            Indices::Ranges(ranges) => {
                ranges.iter().flat_map(|&(first, last)| first..=last.min(count.max(first))).collect()
            }
        }
    }
}

/// One edit: an operation with its arguments.
#[derive(Debug, Clone)]
pub struct Step {
    /// What to do.
    pub operation: &'static Operation,
    /// One value per argument.
    pub values: Vec<Value>,
}

/// A step that makes no sense, before anything was touched.
#[derive(Debug, Error)]
pub enum StepError {
    /// The format has no such operation.
    #[error("`{0}` is no operation of {1}; `edit --list` shows all")]
    Unknown(String, &'static str),
    /// An argument is missing.
    #[error("`{0}` needs {1}; `{2}` is missing")]
    Missing(&'static str, String, &'static str),
    /// An argument is not what it should be.
    #[error("`{word}` is no {wanted} for `{arg}` of `{operation}`")]
    Wrong {
        /// The operation.
        operation: &'static str,
        /// The argument.
        arg: &'static str,
        /// What was given.
        word: String,
        /// What was wanted.
        wanted: String,
    },
    /// A file argument could not be read.
    #[error("{0}")]
    File(String),
}

impl Step {
    /// A step from its words; a file argument stands for its own bytes.
    pub fn from_words(format: &dyn Format, words: &[&str]) -> Result<Self, StepError> {
        let mut words = words.iter().map(|&word| word.to_owned());
        Step::next(format, &mut words, &mut |word| Ok(word.as_bytes().to_vec()))?
            .ok_or_else(|| StepError::Unknown(String::new(), format.info().id))
    }

    /// The next step of a row of words, each file argument turned into bytes by `open`.
    pub fn next(
        format: &dyn Format,
        words: &mut dyn Iterator<Item = String>,
        open: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Option<Self>, StepError> {
        let Some(name) = words.next() else { return Ok(None) };
        Step::with_args(format, &name, &mut |_| words.next(), open).map(Some)
    }

    /// A step from its operation's name and its arguments by name.
    pub fn with_args(
        format: &dyn Format,
        name: &str,
        given: &mut dyn FnMut(&'static str) -> Option<String>,
        open: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Self, StepError> {
        let info = format.info();
        let operation = info.operations.iter().find(|operation| operation.name == name);
        let operation = operation.ok_or_else(|| StepError::Unknown(name.to_owned(), info.id))?;
        let mut values = Vec::with_capacity(operation.args.len());
        for arg in operation.args {
            let Some(word) = given(arg.name) else {
                return Err(StepError::Missing(operation.name, operation.usage(), arg.name));
            };
            let value = if arg.kind == Kind::File {
                Some(Value::Bytes(open(&word).map_err(StepError::File)?))
            } else {
                arg.kind.value(&word)
            };
            values.push(value.ok_or_else(|| StepError::Wrong {
                operation: operation.name,
                arg: arg.name,
                word,
                wanted: arg.kind.wanted(),
            })?);
        }
        Ok(Step { operation, values })
    }

    /// The same with another value for one of its arguments.
    #[cfg(any(feature = "parkan", feature = "ff7", feature = "mdx"))]
    pub(crate) fn with(&self, arg: usize, value: Value) -> Self {
        let mut made = self.clone();
        if let Some(room) = made.values.get_mut(arg) {
            *room = value;
        }
        made
    }
}

impl Operation {
    /// Its arguments as they are written: `ENTRY NAME`.
    pub fn usage(&self) -> String {
        self.args.iter().map(|arg| arg.name.to_uppercase()).collect::<Vec<_>>().join(" ")
    }
}

impl Kind {
    fn value(self, word: &str) -> Option<Value> {
        match self {
            Kind::Number => number(word).map(Value::Number),
            Kind::Tag => tag(word).or_else(|| number(word)).map(Value::Number),
            Kind::Text => match word.strip_prefix("hex:") {
                Some(hex) => text::from_hex(hex).map(Value::Bytes),
                None => Some(Value::Bytes(word.as_bytes().to_vec())),
            },
            Kind::Float => word.parse().ok().map(Value::Float),
            Kind::NodeOr(none) | Kind::TextureOr(none) if word.eq_ignore_ascii_case(none) => {
                Some(Value::Word(none))
            }
            Kind::Entry
            | Kind::Node
            | Kind::NodeOr(_)
            | Kind::Sequence
            | Kind::Texture
            | Kind::TextureOr(_)
            | Kind::Track => Some(Value::Entry(Selector::new(word))),
            Kind::Integer => word.parse().ok().map(Value::Integer),
            Kind::Floats if word == "none" => Some(Value::Floats(Vec::new())),
            Kind::Floats => {
                let numbers: Option<Vec<f64>> =
                    word.split(',').map(|part| part.trim().parse().ok()).collect();
                numbers.map(Value::Floats)
            }
            Kind::Indices => Indices::new(word).map(Value::Indices),
            Kind::File => None,
            Kind::Word(words) => words.iter().find(|&&one| one == word).map(|&one| Value::Word(one)),
        }
    }

    fn wanted(self) -> String {
        match self {
            Kind::Number => "number".to_owned(),
            Kind::Tag => "type (four characters or a number)".to_owned(),
            Kind::Text => "text (or `hex:` and an even number of digits)".to_owned(),
            Kind::Float => "number".to_owned(),
            Kind::Entry => "entry".to_owned(),
            Kind::Node | Kind::NodeOr(_) => "node".to_owned(),
            Kind::Sequence => "sequence".to_owned(),
            Kind::Texture | Kind::TextureOr(_) => "texture".to_owned(),
            Kind::Track => "track".to_owned(),
            Kind::Integer => "whole number".to_owned(),
            Kind::Floats => "list of numbers (0.5, or 0,0,1, or none)".to_owned(),
            Kind::Indices => "list of indices (3, 2..7, 0,4..6 or all)".to_owned(),
            Kind::File => "file".to_owned(),
            Kind::Word(words) => format!("choice ({})", words.join(", ")),
        }
    }
}

fn number(word: &str) -> Option<u32> {
    match word.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => word.parse().ok(),
    }
}

/// A FourCC. Four digits are a number: no game has a tag of digits only.
fn tag(word: &str) -> Option<u32> {
    let bytes: [u8; 4] = word.as_bytes().try_into().ok()?;
    let id = u32::from_le_bytes(bytes);
    (text::four_cc(id).is_some() && number(word).is_none()).then_some(id)
}
