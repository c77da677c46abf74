//! What Python says of options and arguments, as the library takes it: by the kinds that formats declare.

use std::ffi::OsString;
use std::path::PathBuf;

use galvani::formats::Format;
use galvani::formats::{
    ArgumentKind, ArgumentValue, FORMATS, NamedFile, Operation, Setting, Settings, Step, StepError,
};
use galvani::fs::{Follow, expand, files_in};
use galvani::{Budget, OpenOptions, Path, ReadOptions, Readings, Strictness, codes};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyDict, PyMemoryView, PyString};

use crate::failure::Failure;

/// What may be said of reading, whatever is read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reading {
    pub(crate) strict: bool,
    pub(crate) limit_memory: Option<u64>,
    pub(crate) limit_work: Option<u64>,
}

impl Reading {
    /// The library's options. A reading is a word, or a word for each topic.
    pub(crate) fn options(
        &self,
        reading: Option<&Bound<'_, PyAny>>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> Result<OpenOptions, Failure> {
        let wrong = |said: String| Failure::usage(said);
        let mut readings = Readings::default();
        if let Some(reading) = reading {
            if let Ok(topics) = reading.cast::<PyDict>() {
                for (topic, value) in topics {
                    let topic: String = topic.extract()?;
                    let known = FORMATS.iter().flat_map(|format| format.info().topics);
                    if !known.clone().any(|known| *known == topic) {
                        let all: Vec<&str> = known.copied().collect();
                        let said = format!("`{topic}` is no topic; topics: {}", all.join(", "));
                        return Err(Failure::usage(said));
                    }
                    readings.topics.push((topic, word(&value)?.parse().map_err(wrong)?));
                }
            } else {
                readings.all = word(reading)?.parse().map_err(wrong)?;
            }
        }
        let strictness = if self.strict { Strictness::Strict } else { Strictness::Tolerant };
        let budget = Budget { memory: self.limit_memory, work: self.limit_work };
        let read = ReadOptions { readings, strictness, budget, ..ReadOptions::default() };
        let declared: Vec<&[Setting]> = FORMATS.iter().map(|format| format.info().reading).collect();
        Ok(OpenOptions { read, settings: self::settings(settings, &declared)? })
    }
}

/// Text, and nothing else.
fn word(object: &Bound<'_, PyAny>) -> Result<String, Failure> {
    Ok(object.cast::<PyString>().map_err(PyErr::from)?.extract()?)
}

/// Options by their names; `_` stands for the hyphens of the command's.
pub(crate) fn settings(
    given: Option<&Bound<'_, PyDict>>,
    declared: &[&[Setting]],
) -> Result<Settings, Failure> {
    let mut settings = Settings::default();
    for (name, object) in given.into_iter().flatten() {
        let name = word(&name)?.replace('_', "-");
        let Some(setting) = declared.iter().copied().flatten().find(|setting| setting.name == name) else {
            return Err(codes::NO_FLAG.at(Path::root()).saying(format!("`{name}`")).into());
        };
        if object.is_none() {
            continue;
        }
        let value = value(setting.kind, &object)?.ok_or_else(|| {
            Failure::usage(format!("{name}: {} is wanted, `{object}` was given", setting.kind.wanted()))
        })?;
        settings.set(setting.name, value);
    }
    Ok(settings)
}

/// A value of a kind; nothing if it is none of that kind.
fn value(kind: ArgumentKind, object: &Bound<'_, PyAny>) -> Result<Option<ArgumentValue>, Failure> {
    Ok(match kind {
        ArgumentKind::List(kind) => {
            let values = match object.cast::<PyDict>() {
                Ok(numbered) => numbered.iter().map(|(number, file)| numbered_file(&number, &file)).collect(),
                Err(_) if is_plain(object) => {
                    value(*kind, object).map(|one| one.into_iter().collect::<Vec<_>>())
                }
                Err(_) => {
                    let each = |item: PyResult<Bound<'_, PyAny>>| value(*kind, &item?);
                    let all = object.try_iter()?.map(each).collect::<Result<Option<Vec<_>>, Failure>>()?;
                    let Some(all) = all else { return Ok(None) };
                    Ok(all)
                }
            };
            Some(ArgumentValue::List(values?))
        }
        ArgumentKind::File => Some(ArgumentValue::Bytes(file(object)?.bytes)),
        ArgumentKind::NamedFile => Some(ArgumentValue::File(file(object)?)),
        ArgumentKind::Folder => {
            let files =
                files_in(&PathBuf::from(path(object)?), Follow::No, &OpenOptions::default().read.limits)?;
            Some(ArgumentValue::List(files.into_iter().map(ArgumentValue::File).collect()))
        }
        ArgumentKind::NumberedFile => {
            let (number, of): (Bound<'_, PyAny>, Bound<'_, PyAny>) = object.extract()?;
            Some(numbered_file(&number, &of)?)
        }
        ArgumentKind::Text => match bytes(object)? {
            Some(text) => Some(ArgumentValue::Bytes(text)),
            None => kind.value(&said(object)?),
        },
        kind => kind.value(&said(object)?),
    })
}

/// A file for a number.
fn numbered_file(number: &Bound<'_, PyAny>, of: &Bound<'_, PyAny>) -> Result<ArgumentValue, Failure> {
    Ok(ArgumentValue::NumberedFile(number.extract()?, file(of)?))
}

/// Whether a value is one, and not a list of several.
fn is_plain(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyString>() || object.hasattr("__fspath__").unwrap_or(false) || is_number(object)
}

fn is_number(object: &Bound<'_, PyAny>) -> bool {
    ["__index__", "__float__"].iter().any(|name| object.hasattr(*name).unwrap_or(false))
        && object.len().is_err()
}

/// A value as the command's words have it: numbers as digits, lists with commas.
fn said(object: &Bound<'_, PyAny>) -> Result<String, Failure> {
    if let Ok(yes) = object.cast::<PyBool>() {
        return Ok(if yes.is_true() { "yes" } else { "no" }.to_owned());
    }
    if object.is_instance_of::<PyString>() || is_number(object) {
        return Ok(object.str()?.extract()?);
    }
    let words: Vec<String> = object
        .try_iter()
        .map_err(|_| {
            PyTypeError::new_err(format!("text, numbers or lists of them are wanted, not {object}"))
        })?
        .map(|item| said(&item?))
        .collect::<Result<_, Failure>>()?;
    Ok(words.join(","))
}

/// The bytes that an object is, if it is any.
pub(crate) fn bytes(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<u8>>> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(Some(bytes.as_bytes().to_vec()));
    }
    if object.is_instance_of::<PyByteArray>() || object.is_instance_of::<PyMemoryView>() {
        let bytes = object.py().get_type::<PyBytes>().call1((object,))?;
        return Ok(Some(bytes.cast::<PyBytes>()?.as_bytes().to_vec()));
    }
    Ok(None)
}

/// The word for a path; a file that is called like standard input is meant as a file.
pub(crate) fn path(object: &Bound<'_, PyAny>) -> PyResult<OsString> {
    let path: PathBuf = object.extract()?;
    Ok(if path.as_os_str() == "-" { OsString::from("./-") } else { path.into_os_string() })
}

/// A file by its path, or its bytes.
fn file(object: &Bound<'_, PyAny>) -> Result<NamedFile, Failure> {
    if let Some(bytes) = bytes(object)? {
        return Ok(NamedFile { name: String::new(), bytes });
    }
    let word = path(object)?;
    let name = word.to_string_lossy().into_owned();
    let options = OpenOptions::default();
    let inputs = expand(&[word], Follow::No, &options);
    let [input] = inputs.as_slice() else {
        return Err(Failure::usage(format!("`{name}`: one file is wanted")));
    };
    Ok(NamedFile { name, bytes: input.source(&options)?.bytes })
}

/// A step: an operation of a format with its arguments in order.
pub(crate) fn step(format: &dyn Format, name: &str, given: &[Bound<'_, PyAny>]) -> Result<Step, Failure> {
    let operation = operation(format, name)?;
    if let Some(arg) = operation.args.get(given.len()) {
        return Err(StepError::Missing(operation.name, operation.usage(), arg.name, String::new()).into());
    }
    if let Some(word) = given.get(operation.args.len()) {
        let usage = if operation.args.is_empty() { "its name".to_owned() } else { operation.usage() };
        return Err(StepError::Stray {
            word: word.str()?.extract()?,
            format: format.info().id,
            operation: operation.name,
            usage,
            hint: "",
        }
        .into());
    }
    let values = operation.args.iter().zip(given).map(|(arg, object)| {
        value(arg.kind, object)?.ok_or_else(|| {
            let (wanted, word) = (arg.kind.wanted(), object.to_string());
            StepError::Wrong { operation: operation.name, arg: arg.name, word, wanted }.into()
        })
    });
    Ok(Step { operation, values: values.collect::<Result<_, Failure>>()? })
}

/// The operation of a name.
pub(crate) fn operation(format: &dyn Format, name: &str) -> Result<&'static Operation, Failure> {
    let info = format.info();
    let found = info.operations.iter().find(|operation| operation.name == name);
    found.ok_or_else(|| StepError::Unknown(name.to_owned(), info.id).into())
}
