//! What operations take: kinds of values, how a word becomes one, and which types of Rust they are.

use std::borrow::Cow;

use galvani_core::maths::Wxyz;
use galvani_core::text;

use super::Selector;

/// What an argument may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentKind {
    /// An unsigned number from one to another, decimal or `0x` hex.
    Number(u32, u32),
    /// The place of something that has no name: `3` or `#3`.
    Place,
    /// A whole number, also a negative one.
    Integer,
    /// A number with a point.
    Float,
    /// The same, of double precision.
    Double,
    /// Numbers with points, commas between them; or `none`.
    Floats,
    /// So many numbers with points, commas between them.
    Vector(usize),
    /// A type id: four characters or a number.
    Tag,
    /// Text, or `hex:` and bytes.
    Text,
    /// Which of several things is meant, as a [`Selector`] says it.
    One(Thing),
    /// The same, or a word for none of them.
    OneOr(Thing, &'static str),
    /// Several by their places: `3`, `2..7`, both with commas between them, or `all`.
    Several(Thing),
    /// The name of a file, of which the bytes are meant.
    File,
    /// The name of a file, of which both are meant.
    NamedFile,
    /// The name of a folder, of which the files in it are meant.
    Folder,
    /// A number, `=`, and the name of a file: `11=skin.blp`.
    NumberedFile,
    /// A number from one to another, or a colour as `#RRGGBB`.
    NumberOrColor(u32, u32),
    /// Any number of these.
    List(&'static ArgumentKind),
    /// One of these words.
    Word(&'static [&'static str]),
}

/// What a document may hold several of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thing {
    /// An entry of an archive.
    Entry,
    /// A node or bone.
    Node,
    /// An animation of several.
    Clip,
    /// A sequence of a model's one timeline.
    Sequence,
    /// A texture.
    Texture,
    /// A group of polygons.
    Group,
    /// One of the looks that a material goes through.
    Phase,
    /// A track: in MDX the path that findings give, `BONE[3].KGTR`, or its node and tag, `Body.KGTR`.
    Track,
    /// A track that is not there yet.
    NewTrack,
}

impl Thing {
    /// The word for one of them.
    pub fn word(self) -> &'static str {
        match self {
            Thing::Entry => "entry",
            Thing::Node => "node",
            Thing::Clip => "clip",
            Thing::Sequence => "sequence",
            Thing::Texture => "texture",
            Thing::Group => "group",
            Thing::Phase => "phase",
            Thing::Track | Thing::NewTrack => "track",
        }
    }
}

/// An argument that was given.
#[derive(Debug, Clone, PartialEq)]
pub enum ArgumentValue {
    /// A number or a type id.
    Number(u32),
    /// A whole number.
    Integer(i64),
    /// A number with a point.
    Float(f32),
    /// The same, of double precision.
    Double(f64),
    /// Several numbers.
    Floats(Vec<f64>),
    /// Text or the bytes of a file.
    Bytes(Vec<u8>),
    /// A file.
    File(NamedFile),
    /// A file for a number.
    NumberedFile(u32, NamedFile),
    /// Red, green and blue.
    Color([u8; 3]),
    /// Any number of values.
    List(Vec<ArgumentValue>),
    /// Which of several things is meant.
    One(Selector),
    /// The same once it is known: its place.
    Index(usize),
    /// The same for what has no place of its own: its path.
    Path(String),
    /// Which of them are meant.
    Several(Indices),
    /// One of the words allowed.
    Word(&'static str),
}

/// A file by its name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NamedFile {
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl ArgumentKind {
    /// The value that a word gives; `None` if it is none of this kind. Of a file, its name alone: whoever has the file
    /// puts its bytes there.
    pub fn value(self, word: &str) -> Option<ArgumentValue> {
        match self {
            ArgumentKind::Number(least, most) => {
                number(word).filter(|number| (least..=most).contains(number)).map(ArgumentValue::Number)
            }
            ArgumentKind::Place => number(word.strip_prefix('#').unwrap_or(word)).map(ArgumentValue::Number),
            ArgumentKind::Integer => word.parse().ok().map(ArgumentValue::Integer),
            ArgumentKind::Float => word.parse().ok().map(ArgumentValue::Float),
            ArgumentKind::Double => word.parse().ok().map(ArgumentValue::Double),
            ArgumentKind::Floats if word == "none" => Some(ArgumentValue::Floats(Vec::new())),
            ArgumentKind::Floats => numbers(word).map(ArgumentValue::Floats),
            ArgumentKind::Vector(len) => {
                numbers(word).filter(|all| all.len() == len).map(ArgumentValue::Floats)
            }
            ArgumentKind::Tag => tag(word).or_else(|| number(word)).map(ArgumentValue::Number),
            ArgumentKind::Text => match word.strip_prefix("hex:") {
                Some(hex) => text::from_hex(hex).map(ArgumentValue::Bytes),
                None => Some(ArgumentValue::Bytes(word.as_bytes().to_vec())),
            },
            ArgumentKind::OneOr(_, none) if word.eq_ignore_ascii_case(none) => {
                Some(ArgumentValue::Word(none))
            }
            ArgumentKind::One(_) | ArgumentKind::OneOr(..) => Some(ArgumentValue::One(Selector::new(word))),
            ArgumentKind::Several(_) => Indices::new(word).map(ArgumentValue::Several),
            ArgumentKind::File => Some(ArgumentValue::Bytes(word.as_bytes().to_vec())),
            ArgumentKind::NamedFile => Some(ArgumentValue::File(named(word))),
            // Whoever can read folders lists the files.
            ArgumentKind::Folder => None,
            ArgumentKind::NumberedFile => {
                let (id, name) = word.split_once('=')?;
                Some(ArgumentValue::NumberedFile(number(id)?, named(name)))
            }
            ArgumentKind::NumberOrColor(least, most) => match word.strip_prefix('#') {
                Some(hex) => color(hex).map(ArgumentValue::Color),
                None => ArgumentKind::Number(least, most).value(word),
            },
            ArgumentKind::List(kind) => kind.value(word).map(|value| ArgumentValue::List(vec![value])),
            ArgumentKind::Word(words) => {
                words.iter().find(|&&one| one == word).map(|&one| ArgumentValue::Word(one))
            }
        }
    }

    /// Whether a value of JSON is of a type that it may be said in: what is a number is one, or its text; what is text is
    /// text; lists are lists of either, or their text.
    pub fn takes(self, value: &serde_json::Value) -> bool {
        let is_said = |value: &serde_json::Value| value.is_number() || value.is_string();
        match self {
            ArgumentKind::Text
            | ArgumentKind::File
            | ArgumentKind::NamedFile
            | ArgumentKind::Folder
            | ArgumentKind::NumberedFile
            | ArgumentKind::Word(_) => value.is_string(),
            ArgumentKind::List(kind) => {
                let is_list = value.as_array().is_some_and(|items| items.iter().all(|item| kind.takes(item)));
                is_list || kind.takes(value)
            }
            ArgumentKind::Number(..)
            | ArgumentKind::Place
            | ArgumentKind::Integer
            | ArgumentKind::Float
            | ArgumentKind::Double
            | ArgumentKind::NumberOrColor(..)
            | ArgumentKind::Tag => is_said(value),
            ArgumentKind::One(_) | ArgumentKind::OneOr(..) => value.is_string() || value.is_u64(),
            ArgumentKind::Floats | ArgumentKind::Vector(_) | ArgumentKind::Several(_) => {
                is_said(value) || value.as_array().is_some_and(|items| items.iter().all(is_said))
            }
        }
    }

    /// What is wanted, in words.
    pub fn wanted(self) -> String {
        match self {
            ArgumentKind::Number(0, u32::MAX) => "a whole number from 0 on".to_owned(),
            ArgumentKind::Place => "a place (3, or #3)".to_owned(),
            ArgumentKind::Number(least, most) => format!("a whole number from {least} to {most}"),
            ArgumentKind::Integer => "a whole number".to_owned(),
            ArgumentKind::Float | ArgumentKind::Double => "a number".to_owned(),
            ArgumentKind::Vector(len) => format!("{len} numbers with commas between them"),
            ArgumentKind::Floats => "a list of numbers (0.5, or 0,0,1, or none)".to_owned(),
            ArgumentKind::Tag => "a type (four characters or a number)".to_owned(),
            ArgumentKind::Text => "text (or `hex:` and an even number of digits)".to_owned(),
            ArgumentKind::One(Thing::Entry) => "an entry".to_owned(),
            ArgumentKind::One(thing) => format!("a {}", thing.word()),
            ArgumentKind::OneOr(thing, none) => format!("a {}, or {none}", thing.word()),
            ArgumentKind::Several(_) => "a list of indices (3, 2..7, 0,4..6 or all)".to_owned(),
            ArgumentKind::File | ArgumentKind::NamedFile => "a file".to_owned(),
            ArgumentKind::Folder => "a folder".to_owned(),
            ArgumentKind::NumberedFile => "a number, `=` and a file".to_owned(),
            ArgumentKind::NumberOrColor(least, most) => {
                format!("a whole number from {least} to {most}, or a colour (#RRGGBB)")
            }
            ArgumentKind::List(kind) => kind.wanted(),
            ArgumentKind::Word(words) => format!("one of {}", words.join(", ")),
        }
    }
}

/// A type of Rust that an argument is taken as.
pub(crate) trait Argument: Sized {
    /// What it may be.
    const KIND: ArgumentKind;
    /// What was given; `None` if it is of another kind.
    fn from_value(value: &ArgumentValue) -> Option<Self>;
}

/// A number from one to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Within<const LEAST: u32, const MOST: u32>(pub u32);

impl<const LEAST: u32, const MOST: u32> Argument for Within<LEAST, MOST> {
    const KIND: ArgumentKind = ArgumentKind::Number(LEAST, MOST);

    fn from_value(value: &ArgumentValue) -> Option<Self> {
        u32::from_value(value).filter(|number| (LEAST..=MOST).contains(number)).map(Within)
    }
}

/// The place of something that has no name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place(pub(crate) usize);

/// A type id.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tag(pub(crate) u32);

/// Text as its bytes.
#[derive(Debug, Clone)]
pub(crate) struct Text(pub(crate) Vec<u8>);

impl Text {
    /// The text as people read it.
    pub(crate) fn shown(&self) -> Cow<'_, str> {
        text::shown(&self.0)
    }
}

/// The bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File(pub Vec<u8>);

/// The files of a folder, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FolderFiles(pub(crate) Vec<NamedFile>);

impl Argument for FolderFiles {
    const KIND: ArgumentKind = ArgumentKind::Folder;

    fn from_value(value: &ArgumentValue) -> Option<Self> {
        let ArgumentValue::List(files) = value else { return None };
        files.iter().map(NamedFile::from_value).collect::<Option<_>>().map(FolderFiles)
    }
}

/// As many as there are, in the order they were named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Each<A>(pub Vec<A>);

impl<A> Default for Each<A> {
    fn default() -> Self {
        Each(Vec::new())
    }
}

impl<A: Argument> Argument for Each<A> {
    const KIND: ArgumentKind = ArgumentKind::List(&A::KIND);

    fn from_value(value: &ArgumentValue) -> Option<Self> {
        match value {
            ArgumentValue::List(values) => values.iter().map(A::from_value).collect::<Option<_>>().map(Each),
            _ => None,
        }
    }
}

/// Declares how a type is taken from the one variant of [`ArgumentValue`] that holds it.
macro_rules! arguments {
    ($($type:ty = $kind:expr, $pattern:pat => $made:expr;)*) => {
        $(impl Argument for $type {
            const KIND: ArgumentKind = $kind;

            fn from_value(value: &ArgumentValue) -> Option<Self> {
                match value {
                    $pattern => Some($made),
                    _ => None,
                }
            }
        })*
    };
}

arguments! {
    u32 = ArgumentKind::Number(0, u32::MAX), ArgumentValue::Number(number) => *number;
    usize = ArgumentKind::Number(0, u32::MAX), ArgumentValue::Number(number) => usize::try_from(*number).unwrap_or(usize::MAX);
    Place = ArgumentKind::Place, ArgumentValue::Number(number) => Place(usize::try_from(*number).unwrap_or(usize::MAX));
    i64 = ArgumentKind::Integer, ArgumentValue::Integer(number) => *number;
    f32 = ArgumentKind::Float, ArgumentValue::Float(number) => *number;
    f64 = ArgumentKind::Double, ArgumentValue::Double(number) => *number;
    Vec<f64> = ArgumentKind::Floats, ArgumentValue::Floats(numbers) => numbers.clone();
    Tag = ArgumentKind::Tag, ArgumentValue::Number(id) => Tag(*id);
    Text = ArgumentKind::Text, ArgumentValue::Bytes(text) => Text(text.clone());
    File = ArgumentKind::File, ArgumentValue::Bytes(bytes) => File(bytes.clone());
    NamedFile = ArgumentKind::NamedFile, ArgumentValue::File(file) => file.clone();
    (u32, NamedFile) = ArgumentKind::NumberedFile, ArgumentValue::NumberedFile(number, file) => (*number, file.clone());
    String = ArgumentKind::Text, ArgumentValue::Bytes(text) => text::shown(text).into_owned();
}

/// What may be left out.
impl<A: Argument> Argument for Option<A> {
    const KIND: ArgumentKind = A::KIND;

    fn from_value(value: &ArgumentValue) -> Option<Self> {
        A::from_value(value).map(Some)
    }
}

impl<const N: usize> Argument for [f64; N] {
    const KIND: ArgumentKind = ArgumentKind::Vector(N);

    fn from_value(value: &ArgumentValue) -> Option<Self> {
        match value {
            ArgumentValue::Floats(numbers) => numbers.as_slice().try_into().ok(),
            _ => None,
        }
    }
}

impl Argument for Wxyz<f64> {
    const KIND: ArgumentKind = <[f64; 4]>::KIND;

    fn from_value(value: &ArgumentValue) -> Option<Self> {
        <[f64; 4]>::from_value(value).map(Wxyz)
    }
}

/// Declares types for one thing of several.
macro_rules! things {
    ($($(#[$doc:meta])* $type:ident = $thing:ident;)*) => {
        $($(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub(crate) struct $type(pub(crate) usize);

        arguments! { $type = ArgumentKind::One(Thing::$thing), ArgumentValue::Index(index) => $type(*index); })*
    };
}

things! {
    /// The place of an entry.
    Entry = Entry;
    /// The place of a node.
    Node = Node;
    /// The place of an animation.
    Clip = Clip;
    /// The place of a sequence.
    Sequence = Sequence;
    /// The place of a texture.
    Texture = Texture;
    /// The place of a group.
    Group = Group;
    /// The place of a phase.
    Phase = Phase;
    /// The place of a track that has no name.
    PhaseTrack = Track;
}

/// One clip or several, by whatever they go by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClipSelector(pub Selector);

arguments! { ClipSelector = ArgumentKind::One(Thing::Clip), ArgumentValue::One(wanted) => ClipSelector(wanted.clone()); }

/// Declares types for one thing of several, or none.
macro_rules! things_or_none {
    ($($(#[$doc:meta])* $type:ident = $thing:ident, $none:literal;)*) => {
        $($(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub(crate) struct $type(pub(crate) Option<usize>);

        impl Argument for $type {
            const KIND: ArgumentKind = ArgumentKind::OneOr(Thing::$thing, $none);

            fn from_value(value: &ArgumentValue) -> Option<Self> {
                match value {
                    ArgumentValue::Index(index) => Some($type(Some(*index))),
                    ArgumentValue::Word($none) => Some($type(None)),
                    _ => None,
                }
            }
        })*
    };
}

things_or_none! {
    /// The place of a node, or `none`.
    NodeOrNone = Node, "none";
    /// The place of a bone, or `root`.
    BoneOrRoot = Node, "root";
    /// The place of a texture, or `none`.
    TextureOrNone = Texture, "none";
}

/// The path of a track.
#[derive(Debug, Clone)]
pub(crate) struct Track(pub(crate) String);

/// The path of a track that is not there yet.
#[derive(Debug, Clone)]
pub(crate) struct NewTrack(pub(crate) String);

/// Animations, several of them.
#[derive(Debug, Clone)]
pub(crate) struct Clips(pub(crate) Indices);

arguments! {
    Track = ArgumentKind::One(Thing::Track), ArgumentValue::Path(path) => Track(path.clone());
    NewTrack = ArgumentKind::One(Thing::NewTrack), ArgumentValue::Path(path) => NewTrack(path.clone());
    Clips = ArgumentKind::Several(Thing::Clip), ArgumentValue::Several(indices) => Clips(indices.clone());
}

/// Declares an enum, of whichever crate, as an argument by the words for its variants.
macro_rules! words {
    ($type:ty { $($word:literal => $variant:expr),* $(,)? }) => {
        impl $crate::formats::argument::Argument for $type {
            const KIND: $crate::formats::argument::ArgumentKind =
                $crate::formats::argument::ArgumentKind::Word(&[$($word),*]);

            fn from_value(value: &$crate::formats::argument::ArgumentValue) -> Option<Self> {
                match value {
                    $($crate::formats::argument::ArgumentValue::Word($word) => Some($variant),)*
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use words;

words! { galvani_core::image::Additive {
    "bake" => galvani_core::image::Additive::Bake, "plain" => galvani_core::image::Additive::Plain,
} }

words! { bool { "yes" => true, "no" => false } }
words! { super::Space { "local" => super::Space::Local, "model" => super::Space::Model } }
words! { super::RootOption { "keep" => super::RootOption::Keep, "clear" => super::RootOption::Clear } }
words! { super::RestOption { "frame0" => super::RestOption::Frame0, "fallback" => super::RestOption::Fallback } }
words! { super::Y { "stored" => super::Y::Stored, "reversed" => super::Y::Reversed } }
words! { super::EdgesOption { "wrap" => super::EdgesOption::Wrap, "hold" => super::EdgesOption::Hold } }

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
        if word.eq_ignore_ascii_case("all") {
            return Some(Indices::All);
        }
        let range = |part: &str| {
            let part = part.strip_prefix('#').unwrap_or(part);
            let (first, last) = part.split_once("..").unwrap_or((part, part));
            let (first, last) = (first.parse().ok()?, last.parse().ok()?);
            (first <= last).then_some((first, last))
        };
        word.split(',').map(range).collect::<Option<_>>().map(Indices::Ranges)
    }

    /// The indices, of so many things; one that is not there is given as it is, once.
    pub fn among(&self, count: usize) -> Vec<usize> {
        match self {
            Indices::All => (0..count).collect(),
            Indices::Ranges(ranges) => {
                ranges.iter().flat_map(|&(first, last)| first..=last.min(count.max(first))).collect()
            }
        }
    }
}

fn numbers(word: &str) -> Option<Vec<f64>> {
    word.split(',').map(|part| part.trim().parse().ok()).collect()
}

fn number(word: &str) -> Option<u32> {
    match word.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => word.parse().ok(),
    }
}

/// A file of which only the name is known.
fn named(word: &str) -> NamedFile {
    NamedFile { name: word.to_owned(), bytes: Vec::new() }
}

/// A colour of six digits.
fn color(hex: &str) -> Option<[u8; 3]> {
    text::from_hex(hex)?.try_into().ok()
}

/// A FourCC. Four digits are a number: no game has a tag of digits only.
fn tag(word: &str) -> Option<u32> {
    let bytes: [u8; 4] = word.as_bytes().try_into().ok()?;
    let id = u32::from_le_bytes(bytes);
    (text::four_cc(id).is_some() && number(word).is_none()).then_some(id)
}
