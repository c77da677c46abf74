//! Edits as data: operations that formats declare once, and steps that name one with its arguments.
//!
//! Everything that offers edits is made from the one declaration that `operations!` takes: the command line, recipes,
//! lists, completions, the manual, bindings.

use std::any::Any;

use galvani_core::{EditError, Meter, Path, Report, room};
use thiserror::Error;

use super::argument::{Argument, ArgumentKind, ArgumentValue, NamedFile, Thing};
use super::{Document, Format, Selector};
use crate::codes;

/// Something that can be done to the documents of one format.
#[derive(Debug)]
pub struct Operation {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// Its arguments, all of them needed.
    pub args: &'static [Arg],
    /// Does it; takes the values apart as `args` says.
    pub(crate) call: fn(&mut dyn Document, &[ArgumentValue], &Meter) -> Result<Report, EditError>,
}

/// An argument of an operation.
#[derive(Debug)]
pub struct Arg {
    /// Its name, also the key in a recipe.
    pub name: &'static str,
    /// What it means.
    pub help: &'static str,
    /// What it may be.
    pub kind: ArgumentKind,
}

/// Declares the operations of a format: the type of its documents, then for each operation what it does, its name, its
/// arguments with their types and what they mean, and its call, which gives what it cost. A call that makes more than there
/// was takes a meter, too, and charges it first.
macro_rules! operations {
    ($document:ty; $(
        $summary:literal
        $name:literal ( $($arg:ident $(as $shown:literal)? : $type:ty = $help:literal),* $(,)? )
        |$target:ident $(, $meter:ident)?| $call:expr;
    )*) => {
        &[$($crate::formats::Operation {
            name: $name,
            summary: $summary,
            args: &[$($crate::formats::Arg {
                name: $crate::formats::operation::operations!(@name $arg $($shown)?),
                help: $help,
                kind: <$type as $crate::formats::argument::Argument>::KIND,
            }),*],
            call: |document, values, meter| {
                let kinds = &[$(<$type as $crate::formats::argument::Argument>::KIND),*];
                $crate::formats::operation::perform::<$document>(document, kinds, values, |$target, values| {
                    $(let $meter = meter;)?
                    let _ = meter;
                    #[allow(unused_mut, unused_variables, reason = "some operations take nothing")]
                    let mut values = values.iter();
                    $(let $arg: $type = $crate::formats::operation::next(&mut values)?;)*
                    $crate::formats::operation::Cost::into_report($call)
                })
            },
        }),*]
    };
    (@name $arg:ident) => { stringify!($arg) };
    (@name $arg:ident $shown:literal) => { $shown };
}
pub(crate) use operations;

/// What an operation gives back: nothing, or what it cost.
pub(crate) trait Cost {
    fn into_report(self) -> Result<Report, EditError>;
}

impl Cost for () {
    fn into_report(self) -> Result<Report, EditError> {
        Ok(Report::default())
    }
}

impl Cost for Report {
    fn into_report(self) -> Result<Report, EditError> {
        Ok(self)
    }
}

impl<C: Cost, E: Into<EditError>> Cost for Result<C, E> {
    fn into_report(self) -> Result<Report, EditError> {
        self.map_err(Into::into).and_then(Cost::into_report)
    }
}

/// How often the bytes of a file are held in a copy of its document.
const COPIED: usize = 3;

/// A document that operations are declared for.
pub(crate) trait Editable: Document + Clone {
    /// Fails where there is no room for another one.
    fn room_for_copy(&self) -> Result<(), EditError> {
        Ok(room::probe(self.file_len()?.saturating_mul(COPIED))?)
    }

    /// What a word means among its things of that kind: for each an index, or a path.
    fn select(
        &self,
        thing: Thing,
        wanted: &Selector,
        _notes: &mut Report,
    ) -> Result<Vec<ArgumentValue>, EditError> {
        let found = format!("`{wanted}`: there is no {} here", thing.word());
        Err(codes::NOT_FOUND.at(Path::root()).saying(found).into())
    }
}

/// Does an operation once it is known what its words mean: for every one where the first of them says `all`, and then
/// all of it or nothing. The last comes first, since what removes things renumbers those behind them.
pub(crate) fn perform<D: Editable>(
    document: &mut dyn Document,
    kinds: &[ArgumentKind],
    values: &[ArgumentValue],
    once: impl Fn(&mut D, &[ArgumentValue]) -> Result<Report, EditError>,
) -> Result<Report, EditError> {
    let document = meant::<D>(document)?;
    let mut notes = Report::default();
    let mut rounds = vec![values.to_vec()];
    let mut is_first = true;
    for (i, (kind, value)) in kinds.iter().zip(values).enumerate() {
        let (ArgumentKind::One(thing) | ArgumentKind::OneOr(thing, _), ArgumentValue::One(wanted)) =
            (kind, value)
        else {
            continue;
        };
        let meant = document.select(*thing, wanted, &mut notes)?;
        if std::mem::take(&mut is_first) {
            rounds = meant.into_iter().rev().map(|value| with(values, i, value)).collect();
        } else if let [only] = meant.as_slice() {
            rounds = rounds.iter().map(|round| with(round, i, only.clone())).collect();
        } else {
            let found = format!("one {} is wanted, `{wanted}` means {}", thing.word(), meant.len());
            return Err(codes::NOT_ONE.at(Path::root()).saying(found).into());
        }
    }
    notes.append(all_or_none(document, &rounds, once)?);
    Ok(notes)
}

/// The document of the type that something is declared for: this one, or what it is the text of.
pub(crate) fn meant<D: Editable>(document: &mut dyn Document) -> Result<&mut D, EditError> {
    let is_text = document.stands_for().is_some();
    let said = if is_text { document.stands_for_mut() } else { Some(document) };
    let said = said.map(|document| -> &mut dyn Any { document });
    let document = said.and_then(|document| document.downcast_mut::<D>());
    document.ok_or_else(|| codes::OTHER_FORMAT.at(Path::root()).into())
}

fn with(values: &[ArgumentValue], at: usize, value: ArgumentValue) -> Vec<ArgumentValue> {
    let mut values = values.to_vec();
    if let Some(room) = values.get_mut(at) {
        *room = value;
    }
    values
}

/// Changes a document in several steps, or not at all.
pub(crate) fn together<D: Editable>(
    document: &mut D,
    change: impl FnOnce(&mut D) -> Result<(), EditError>,
) -> Result<(), EditError> {
    document.room_for_copy()?;
    let mut made = document.clone();
    change(&mut made)?;
    *document = made;
    Ok(())
}

/// Does an operation several times, or not at all.
fn all_or_none<D: Editable>(
    document: &mut D,
    rounds: &[Vec<ArgumentValue>],
    once: impl Fn(&mut D, &[ArgumentValue]) -> Result<Report, EditError>,
) -> Result<Report, EditError> {
    if let [only] = rounds {
        return once(document, only);
    }
    document.room_for_copy()?;
    let (mut made, mut report) = (document.clone(), Report::default());
    for round in rounds {
        report.append(once(&mut made, round)?);
    }
    *document = made;
    Ok(report)
}

/// The next argument as its type; one that is missing or of another kind is refused.
pub(crate) fn next<A: Argument>(values: &mut std::slice::Iter<'_, ArgumentValue>) -> Result<A, EditError> {
    let value = values.next();
    value.and_then(A::from_value).ok_or_else(|| {
        let found = format!("{} is wanted, {value:?} was given", A::KIND.wanted());
        codes::ARGUMENT.at(Path::root()).saying(found).into()
    })
}

/// One edit: an operation with its arguments.
#[derive(Debug, Clone)]
pub struct Step {
    /// What to do.
    pub operation: &'static Operation,
    /// One value per argument.
    pub values: Vec<ArgumentValue>,
}

impl Step {
    /// Does it to a document, or is refused and leaves it as it is; the report says what it cost. A document of another
    /// format refuses.
    pub fn run(&self, document: &mut dyn Document) -> Result<Report, EditError> {
        self.run_within(document, &Meter::unlimited())
    }

    /// The same within a budget.
    pub fn run_within(&self, document: &mut dyn Document, meter: &Meter) -> Result<Report, EditError> {
        (self.operation.call)(document, &self.values, meter)
    }
}

/// A step that makes no sense, before anything was touched.
#[derive(Debug, Error)]
pub enum StepError {
    /// The format has no such operation.
    #[error("`{0}` is no operation of {1}; the list of operations shows all")]
    Unknown(String, &'static str),
    /// A word behind the arguments of an operation is none itself.
    #[error("`{word}` is no operation of {format}, and `{operation}` takes no more than {usage}{hint}")]
    Stray {
        /// The word.
        word: String,
        /// The format's id.
        format: &'static str,
        /// The operation before it.
        operation: &'static str,
        /// Its arguments.
        usage: String,
        /// How the last of them is written, where several words look like it.
        hint: &'static str,
    },
    /// An argument is missing.
    #[error("`{0}` needs {1}; `{2}` is missing{3}")]
    Missing(&'static str, String, &'static str, String),
    /// An argument is not what it should be.
    #[error("`{arg}` of `{operation}` must be {wanted}, not `{word}`")]
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

/// What file and folder arguments are read from. A function from names to bytes is one without folders.
pub trait Files {
    /// The bytes of a file, or why there are none.
    fn bytes(&mut self, name: &str) -> Result<Vec<u8>, String>;
    /// The files of a folder by their names, or why there are none.
    fn folder(&mut self, name: &str) -> Result<Vec<NamedFile>, String> {
        Err(format!("`{name}`: there are no folders here"))
    }
}

impl<F: FnMut(&str) -> Result<Vec<u8>, String>> Files for F {
    fn bytes(&mut self, name: &str) -> Result<Vec<u8>, String> {
        self(name)
    }
}

impl Step {
    /// A step from its words; a file argument stands for its own bytes.
    pub fn from_words(format: &dyn Format, words: &[&str]) -> Result<Self, StepError> {
        let mut words = words.iter().map(|&word| word.to_owned());
        Step::next(format, &mut words, &mut |word: &str| Ok(word.as_bytes().to_vec()))?
            .ok_or_else(|| StepError::Unknown(String::new(), format.info().id))
    }

    /// The next step of a row of words, file arguments turned into bytes by `files`.
    pub fn next(
        format: &dyn Format,
        words: &mut dyn Iterator<Item = String>,
        files: &mut dyn Files,
    ) -> Result<Option<Self>, StepError> {
        let Some(name) = words.next() else { return Ok(None) };
        Step::with_args(format, &name, &mut |_| words.next(), files).map(Some)
    }

    /// All steps of a row of words, file arguments turned into bytes by `files`.
    pub fn all(
        format: &dyn Format,
        words: &mut dyn Iterator<Item = String>,
        files: &mut dyn Files,
    ) -> Result<Vec<Self>, StepError> {
        let mut steps: Vec<Step> = Vec::new();
        loop {
            match (Step::next(format, words, files), steps.last()) {
                (Ok(Some(step)), _) => steps.push(step),
                (Ok(None), _) => return Ok(steps),
                (Err(StepError::Unknown(word, format)), Some(before)) => {
                    return Err(before.operation.stray(word, format));
                }
                (Err(error), _) => return Err(error),
            }
        }
    }

    /// A step from its operation's name and its arguments by name.
    pub fn with_args(
        format: &dyn Format,
        name: &str,
        given: &mut dyn FnMut(&'static str) -> Option<String>,
        files: &mut dyn Files,
    ) -> Result<Self, StepError> {
        let info = format.info();
        let find = |name: &str| info.operations.iter().find(|operation| operation.name == name);
        let operation = find(name).ok_or_else(|| StepError::Unknown(name.to_owned(), info.id))?;
        let mut values = Vec::with_capacity(operation.args.len());
        for arg in operation.args {
            let missing = |why| StepError::Missing(operation.name, operation.usage(), arg.name, why);
            let Some(word) = given(arg.name) else { return Err(missing(String::new())) };
            let value = match arg.kind {
                ArgumentKind::File => {
                    Some(ArgumentValue::Bytes(files.bytes(&word).map_err(StepError::File)?))
                }
                ArgumentKind::Folder => {
                    let all = files.folder(&word).map_err(StepError::File)?;
                    Some(ArgumentValue::List(all.into_iter().map(ArgumentValue::File).collect()))
                }
                kind => kind.value(&word),
            };
            let wrong = || match find(&word) {
                // Whoever forgot an argument gave the next operation in its place.
                Some(_) => missing(format!(": the next word, `{word}`, is an operation itself")),
                None => StepError::Wrong {
                    operation: operation.name,
                    arg: arg.name,
                    wanted: arg.kind.wanted(),
                    word: word.clone(),
                },
            };
            values.push(value.ok_or_else(wrong)?);
        }
        Ok(Step { operation, values })
    }
}

impl Operation {
    /// Its arguments with how lists of numbers are written: `TRACK TIME VALUES (1,2,3)`.
    pub fn form(&self) -> String {
        let word = |arg: &Arg| match arg.kind {
            ArgumentKind::Floats => format!("{} (1,2,3)", arg.name.to_uppercase()),
            _ => arg.name.to_uppercase(),
        };
        self.args.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    fn stray(&self, word: String, format: &'static str) -> StepError {
        let hint = match self.args.last() {
            Some(Arg { kind: ArgumentKind::Floats, .. }) => {
                "; numbers of one value have commas between them: 1,2,3"
            }
            _ => "",
        };
        let usage = if self.args.is_empty() { "its name".to_owned() } else { self.usage() };
        StepError::Stray { word, format, operation: self.name, usage, hint }
    }

    /// Its arguments as they are written: `ENTRY NAME`.
    pub fn usage(&self) -> String {
        self.args.iter().map(|arg| arg.name.to_uppercase()).collect::<Vec<_>>().join(" ")
    }
}
