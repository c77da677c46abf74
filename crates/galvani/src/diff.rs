//! What differs between two documents, by name rather than by byte.

#[cfg(feature = "mdx")]
mod parts;
mod pictures;

#[cfg(feature = "mdx")]
pub(crate) use parts::{Part, by_parts};

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use galvani_core::budget::is_exhaustion;
use galvani_core::{Diagnostic, Exhausted, Meter, Path, text};
use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::formats::{self, DECODED, Folder, OpenOptions, Opened};
use crate::render::json::float;
use crate::render::text::counted;
use crate::{budget, codes};

/// One difference.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// What differs, under its index in the first document, or in the second if it is new there.
    pub path: String,
    /// What stands in the first document; null if nothing.
    pub old: Value,
    /// What stands in the second document; null if nothing.
    pub new: Value,
    /// How far apart two numbers are, or how many bytes differ.
    pub distance: Option<f64>,
    /// The same in a sentence, where one says more than both sides.
    pub summary: Option<String>,
}

impl Change {
    /// What was and what is, without more.
    pub(crate) fn new(path: String, old: Value, new: Value) -> Self {
        Change { path, old, new, distance: None, summary: None }
    }
}

/// What differs between two texts, line by line. What they begin and end with alike is left out.
#[cfg(any(feature = "parkan", feature = "ff7"))]
pub(crate) fn lines(a: &[u8], b: &[u8]) -> Vec<Change> {
    let split = |text: &[u8]| -> Vec<String> {
        text.split_inclusive(|&byte| byte == b'\n')
            .map(|line| text::shown(line).trim_end().to_owned())
            .collect()
    };
    let (a, b) = (split(a), split(b));
    let most = a.len().min(b.len());
    let begin = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let end = a.iter().rev().zip(b.iter().rev()).take(most - begin).take_while(|(a, b)| a == b).count();
    let side = |lines: &[String], i: usize| match lines.get(i).filter(|_| i + end < lines.len()) {
        Some(line) => json!(line),
        None => Value::Null,
    };
    let change = |i: usize| Change::new(format!("lines[{}]", i + 1), side(&a, i), side(&b, i));
    (begin..a.len().max(b.len()) - end).map(change).collect()
}

/// A number in as many digits as people read.
#[cfg(feature = "ff7")]
pub(crate) fn short(number: f64) -> String {
    let text = format!("{number:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    (if text == "-0" { "0" } else { text }).to_owned()
}

/// Two documents cannot be compared.
#[derive(Debug, Clone, Error)]
#[error("{cause}")]
pub struct DiffError {
    /// Why.
    pub cause: Box<Diagnostic>,
}

/// The differences between two documents of one format. None if and only if their files are equal.
pub fn diff(a: &Opened, b: &Opened, options: &OpenOptions) -> Result<Vec<Change>, DiffError> {
    let (first, second) = (a.format.info(), b.format.info());
    if first.id != second.id {
        let found =
            format!("the first is {} ({}), the second {} ({})", first.id, first.name, second.id, second.name);
        return Err(DiffError { cause: Box::new(codes::TWO_FORMATS.at(Path::root()).saying(found)) });
    }
    let len = a.map.len().saturating_add(b.map.len());
    let meter = options.read.budget.meter(&budget::COMPARING, len);
    budget::charge_folder(&meter, len)?;
    let mut compare = Compare::new(options, meter);
    compare.documents("", a, b)?;
    Ok(compare.changes)
}

impl From<Exhausted> for DiffError {
    fn from(end: Exhausted) -> Self {
        DiffError { cause: end.cause }
    }
}

/// What stands where nothing does.
static NOTHING: Value = Value::Null;

struct Compare<'o> {
    options: &'o OpenOptions,
    meter: Meter,
    depth: u8,
    /// The path of the document that is being compared.
    root: String,
    /// Files of its folders that were compared.
    compared: BTreeSet<(String, String)>,
    changes: Vec<Change>,
}

impl<'o> Compare<'o> {
    fn new(options: &'o OpenOptions, meter: Meter) -> Self {
        let (depth, root) = (options.read.limits.depth, String::new());
        Compare { options, meter, depth, root, compared: BTreeSet::new(), changes: Vec::new() }
    }

    fn documents(&mut self, path: &str, a: &Opened, b: &Opened) -> Result<(), Exhausted> {
        let files = written(a)?.zip(written(b)?);
        if files.as_ref().is_some_and(|(a, b)| a == b) {
            return Ok(());
        }
        let before = self.changes.len();
        let outer = std::mem::replace(&mut self.root, path.to_owned());
        let compared = std::mem::take(&mut self.compared);
        self.changes.extend(pictures::compare(join(path, "picture"), a, b, &self.meter)?);
        if let Some(changes) = a.document.compare(&*b.document)? {
            let named = changes.into_iter().map(|change| Change { path: join(path, &change.path), ..change });
            self.changes.extend(named);
        } else {
            let folders = (a.document.comparable()?, b.document.comparable()?);
            self.values(path, &folders.0.manifest, &folders.1.manifest, (&folders.0, &folders.1))?;
        }
        // Equal payloads that swapped places have no name for what differs; their bytes do.
        if self.changes.len() == before
            && let Some((a, b)) = files
        {
            let path = if path.is_empty() { "file" } else { path };
            self.changes.push(bytes_change(path.to_owned(), &a, &b));
        }
        self.root = outer;
        self.compared = compared;
        Ok(())
    }

    fn values(
        &mut self,
        path: &str,
        old: &Value,
        new: &Value,
        folders: (&Folder, &Folder),
    ) -> Result<(), Exhausted> {
        match (old, new) {
            (Value::Object(a), Value::Object(b)) => return self.objects(path, a, b, folders),
            (Value::Array(a), Value::Array(b)) if named(a) && named(b) => {
                return self.named_lists(path, a, b, folders);
            }
            (Value::Array(a), Value::Array(b)) => return self.lists(path, a, b, folders),
            (Value::String(a), Value::String(b)) => {
                if let (Some(old), Some(new)) = (folders.0.files.get(a), folders.1.files.get(b)) {
                    return self.files(path, (a, old), (b, new), folders);
                }
            }
            _ => {}
        }
        self.leaf(path, old, new, folders);
        Ok(())
    }

    fn objects<'v>(
        &mut self,
        path: &str,
        a: &'v Map<String, Value>,
        b: &'v Map<String, Value>,
        folders: (&Folder, &Folder),
    ) -> Result<(), Exhausted> {
        let added = b.keys().filter(|key| !a.contains_key(*key));
        // What packed numbers stand for differs where they do.
        for key in a.keys().chain(added).filter(|key| *key != DECODED) {
            let path = join(path, key);
            let side = |object: &'v Map<String, Value>| object.get(key).unwrap_or(&NOTHING);
            self.values(&path, side(a), side(b), folders)?;
        }
        Ok(())
    }

    fn lists<'v>(
        &mut self,
        path: &str,
        a: &'v [Value],
        b: &'v [Value],
        folders: (&Folder, &Folder),
    ) -> Result<(), Exhausted> {
        for i in 0..a.len().max(b.len()) {
            let side = |list: &'v [Value]| list.get(i).unwrap_or(&NOTHING);
            self.values(&format!("{path}[{i}]"), side(a), side(b), folders)?;
        }
        Ok(())
    }

    /// Items with names are matched by name, so that one inserted in front does not make all differ.
    fn named_lists(
        &mut self,
        path: &str,
        a: &[Value],
        b: &[Value],
        folders: (&Folder, &Folder),
    ) -> Result<(), Exhausted> {
        let Partners { of_a, taken } = Partners::find(a, b, folders);
        for (i, (old, partner)) in a.iter().zip(&of_a).enumerate() {
            let path = format!("{path}[{i}]");
            match partner.and_then(|j| b.get(j)) {
                Some(new) => self.values(&path, old, new, folders)?,
                None => self.push(path, shown(old, folders.0), Value::Null, None),
            }
        }
        for (j, new) in b.iter().enumerate().filter(|(j, _)| taken.get(*j) == Some(&false)) {
            self.push(format!("{path}[{j}]"), Value::Null, shown(new, folders.1), None);
        }
        if !of_a.iter().flatten().is_sorted() {
            let moved = of_a.iter().enumerate().filter_map(|(i, j)| Some((i, (*j)?))).filter(|(i, j)| i != j);
            for (i, j) in moved {
                self.push(format!("{path}[{i}].index"), json!(i), json!(j), Some(as_f64(i.abs_diff(j))));
            }
        }
        Ok(())
    }

    /// Payloads that are lists of records or documents of one format are compared by name too.
    fn files(
        &mut self,
        path: &str,
        (name, a): (&str, &[u8]),
        (other, b): (&str, &[u8]),
        folders: (&Folder, &Folder),
    ) -> Result<(), Exhausted> {
        // Overlapping payloads name one file many times.
        if !self.compared.insert((name.to_owned(), other.to_owned())) || a == b {
            return Ok(());
        }
        if name.strip_suffix(LIST).is_some()
            && other.strip_suffix(LIST).is_some()
            && let (Ok(old), Ok(new)) =
                (serde_json::from_slice::<Value>(a), serde_json::from_slice::<Value>(b))
        {
            // Two lists in one file have names of their own; one that has none is that of what names the file.
            let path = match list_name(name) {
                Some(_) if old.is_object() => self.root.clone(),
                Some(list) => join(&self.root, list),
                None => path.strip_suffix(".file").unwrap_or(path).to_owned(),
            };
            return self.values(&path, &old, &new, folders);
        }
        let format = formats::recognise_content(a, None);
        let same = formats::recognise_content(b, None).map(|format| format.info().id);
        if let (Some(format), Some(depth)) = (format, self.depth.checked_sub(1))
            && same == Some(format.info().id)
            && let (Ok(a), Ok(b)) = (format.open(a, self.options), format.open(b, self.options))
        {
            let outer = std::mem::replace(&mut self.depth, depth);
            let compared = self.documents(path, &a, &b);
            self.depth = outer;
            return compared;
        }
        self.changes.push(bytes_change(path.to_owned(), a, b));
        Ok(())
    }

    fn leaf(&mut self, path: &str, old: &Value, new: &Value, folders: (&Folder, &Folder)) {
        // −0 equals 0, but is written otherwise.
        let is_signed = |value: &Value| value.as_f64().is_some_and(f64::is_sign_negative);
        if old != new || is_signed(old) != is_signed(new) {
            let distance = old.as_f64().zip(new.as_f64()).map(|(old, new)| (new - old).abs());
            let (a, b) = (shown(old, folders.0), shown(new, folders.1));
            // Two that are no numbers differ in their bits alone.
            let (a, b) = if a == b { (old.clone(), new.clone()) } else { (a, b) };
            self.push(path.to_owned(), a, b, distance);
        }
    }

    fn push(&mut self, path: String, old: Value, new: Value, distance: Option<f64>) {
        self.changes.push(Change { distance, ..Change::new(path, old, new) });
    }
}

/// The file of a document, if it can be written.
fn written(opened: &Opened) -> Result<Option<Vec<u8>>, Exhausted> {
    match opened.document.write() {
        Ok(file) => Ok(Some(file)),
        Err(error) if is_exhaustion(&error.cause) => Err(Exhausted { cause: error.cause }),
        Err(_) => Ok(None),
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// How the names of lists end.
const LIST: &str = ".json";

/// What a file of records is a list of: `keys` of `streams/0009-keys.json`.
fn list_name(file: &str) -> Option<&str> {
    file.strip_suffix(LIST)?.split_once('-').map(|(_, name)| name)
}

/// A value as it is shown: folders hold floats that are no numbers as their bits, and long runs of bytes as files.
fn shown(value: &Value, folder: &Folder) -> Value {
    match value {
        Value::String(text) => match (bits(text), folder.files.get(text)) {
            (Some(bits), _) => float(f32::from_bits(bits)),
            (None, Some(bytes)) => json!(counted(u64::try_from(bytes.len()).unwrap_or(u64::MAX), "byte")),
            (None, None) => value.clone(),
        },
        Value::Array(items) => items.iter().map(|item| shown(item, folder)).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, field)| (key.clone(), shown(field, folder)));
            Value::Object(fields.collect())
        }
        _ => value.clone(),
    }
}

/// The bits of a float that is no number.
fn bits(text: &str) -> Option<u32> {
    let bits = text.strip_prefix("bits:").filter(|bits| bits.len() == 8)?;
    u32::from_str_radix(bits, 16).ok()
}

fn named(list: &[Value]) -> bool {
    list.iter().all(|item| item.get("name").is_some())
}

/// Which items of two lists are the same.
struct Partners {
    of_a: Vec<Option<usize>>,
    taken: Vec<bool>,
}

impl Partners {
    /// By name; the rest by payload, as if renamed; in lists of one length the rest by place.
    fn find(a: &[Value], b: &[Value], folders: (&Folder, &Folder)) -> Self {
        let mut partners = Partners { of_a: vec![None; a.len()], taken: vec![false; b.len()] };
        partners.match_up(keys(a, name), keys(b, name));
        partners.match_up(keys(a, |item| payload(item, folders.0)), keys(b, |item| payload(item, folders.1)));
        if a.len() == b.len() {
            for (i, (partner, taken)) in partners.of_a.iter_mut().zip(&mut partners.taken).enumerate() {
                if partner.is_none() && !*taken {
                    *partner = Some(i);
                    *taken = true;
                }
            }
        }
        partners
    }

    /// Pairs what is still alone on both sides and has the same key, in order.
    fn match_up(&mut self, a: Vec<Option<Cow<'_, [u8]>>>, b: Vec<Option<Cow<'_, [u8]>>>) {
        let mut free: BTreeMap<Cow<'_, [u8]>, Vec<usize>> = BTreeMap::new();
        for (j, key) in b.into_iter().enumerate().rev() {
            if let (Some(key), Some(false)) = (key, self.taken.get(j)) {
                free.entry(key).or_default().push(j);
            }
        }
        for (partner, key) in self.of_a.iter_mut().zip(a) {
            if let (None, Some(key)) = (*partner, key)
                && let Some(j) = free.get_mut(&key).and_then(Vec::pop)
            {
                *partner = Some(j);
                self.taken.get_mut(j).into_iter().for_each(|taken| *taken = true);
            }
        }
    }
}

fn keys<'v>(
    list: &'v [Value],
    key: impl Fn(&'v Value) -> Option<Cow<'v, [u8]>>,
) -> Vec<Option<Cow<'v, [u8]>>> {
    list.iter().map(key).collect()
}

/// Name and type: a model's streams all have one name.
fn name(item: &Value) -> Option<Cow<'_, [u8]>> {
    let kind = item.get("type").map(Value::to_string).unwrap_or_default();
    item.get("name").map(|name| Cow::Owned(format!("{name} {kind}").into_bytes()))
}

/// The bytes of an item's file. Empty ones are all alike and say nothing.
fn payload<'f>(item: &Value, folder: &'f Folder) -> Option<Cow<'f, [u8]>> {
    let bytes = folder.files.get(item.get("payload")?.as_str()?)?;
    (!bytes.is_empty()).then_some(Cow::Borrowed(bytes))
}

/// Shows sixteen bytes of each side from the first difference on.
pub(crate) fn bytes_change(path: String, a: &[u8], b: &[u8]) -> Change {
    let common = a.len().min(b.len());
    let at = a.iter().zip(b).position(|(a, b)| a != b).unwrap_or(common);
    let side = |bytes: &[u8]| {
        let end = bytes.len().min(at + 16);
        json!({"size": bytes.len(), "offset": at, "hex": text::hex(bytes.get(at..end).unwrap_or_default())})
    };
    let differing = a.iter().zip(b).filter(|(a, b)| a != b).count() + a.len().abs_diff(b.len());
    Change { distance: Some(as_f64(differing)), ..Change::new(path, side(a), side(b)) }
}

#[allow(clippy::cast_precision_loss, reason = "counts of things in memory stay far below 2^53")]
fn as_f64(count: usize) -> f64 {
    count as f64
}
