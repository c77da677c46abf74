//! What differs between two documents, by name rather than by byte.
//!
//! Each difference is told as soon as it is known: none is held, however many there are.

#[cfg(any(feature = "parkan", feature = "ff7", feature = "mdx"))]
mod lines;
mod partners;
#[cfg(feature = "mdx")]
mod parts;
mod pictures;

#[cfg(any(feature = "parkan", feature = "ff7", feature = "mdx"))]
pub(crate) use lines::lines;
#[cfg(feature = "mdx")]
pub(crate) use parts::{ComparedPart, Fields, PartField, Parts, by_parts};

use std::any::Any;
use std::borrow::Cow;
use std::collections::BTreeSet;

use galvani_core::budget::{is_exhaustion, unless_exhausted};
use galvani_core::{Diagnostic, Exhausted, Meter, Path, text};
use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::formats::{self, Comparable, DECODED, Document, NamedContent, OpenOptions, Opened};
use crate::render::json::float;
use crate::render::text::counted;
use crate::{budget, codes};
use partners::{Items, Partners};

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

/// Who is told each difference.
pub(crate) type Tell<'t> = dyn FnMut(Change) + 't;

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

/// The differences between two documents of one format, or of a text and what it stands for. None if and only if their files
/// are equal, or say the same.
pub fn diff(a: &Opened, b: &Opened, options: &OpenOptions) -> Result<Vec<Change>, DiffError> {
    let mut changes = Vec::new();
    each_change(a, b, options, &mut |change| changes.push(change))?;
    Ok(changes)
}

/// The same, each told as soon as it is known, in an order that is always the same. What is told before an error is not all.
pub fn each_change(
    a: &Opened,
    b: &Opened,
    options: &OpenOptions,
    tell: &mut dyn FnMut(Change),
) -> Result<(), DiffError> {
    let (first, second) = (a.format.info(), b.format.info());
    let len = a.map.len().saturating_add(b.map.len());
    if first.id != second.id {
        if let Some((a, b)) = one_form(a, b) {
            let meter = options.read.budget.meter(&budget::COMPARING, len);
            budget::charge_comparing(&meter, len)?;
            return Ok(forms(a, b, tell)?);
        }
        let found =
            format!("the first is {} ({}), the second {} ({})", first.id, first.name, second.id, second.name);
        return Err(DiffError { cause: Box::new(codes::TWO_FORMATS.at(Path::root()).saying(found)) });
    }
    let meter = options.read.budget.meter(&budget::COMPARING, len);
    budget::charge_comparing(&meter, len)?;
    Ok(Compare::new(options, meter, tell).documents("", a, b)?)
}

/// What two documents of two formats say in one form, if they have one: of a text the document that it stands for.
fn one_form<'o>(a: &'o Opened, b: &'o Opened) -> Option<(&'o dyn Document, &'o dyn Document)> {
    let said = |opened: &'o Opened| opened.document.stands_for().unwrap_or(&*opened.document);
    let type_of = |document: &dyn Document| {
        let document: &dyn Any = document;
        document.type_id()
    };
    let (a, b) = (said(a), said(b));
    (type_of(a) == type_of(b)).then_some((a, b))
}

/// The differences between two documents of one form.
fn forms(a: &dyn Document, b: &dyn Document, tell: &mut dyn FnMut(Change)) -> Result<(), Exhausted> {
    let written = |document: &dyn Document| unless_exhausted(document.write().map_err(|error| error.cause));
    let both = written(a)?.zip(written(b)?);
    if both.as_ref().is_some_and(|(a, b)| a == b) {
        return Ok(());
    }
    let mut told = false;
    let mut noticing = |change: Change| {
        told = true;
        tell(change);
    };
    a.compare(b, &mut noticing)?;
    if let Some((a, b)) = both.filter(|_| !told) {
        tell(bytes_change("file".to_owned(), &a, &b));
    }
    Ok(())
}

impl From<Exhausted> for DiffError {
    fn from(end: Exhausted) -> Self {
        DiffError { cause: end.cause }
    }
}

/// What stands where nothing does.
static NOTHING: Value = Value::Null;

/// What both documents say of themselves.
type Sides<'s> = (&'s Comparable<'s>, &'s Comparable<'s>);

struct Compare<'o> {
    options: &'o OpenOptions,
    meter: Meter,
    depth: u8,
    /// The path of the document that is being compared.
    root: String,
    /// Files of its folders that were compared.
    compared: BTreeSet<(String, String)>,
    /// How many differences were told.
    told: usize,
    tell: &'o mut Tell<'o>,
}

impl<'o> Compare<'o> {
    fn new(options: &'o OpenOptions, meter: Meter, tell: &'o mut Tell<'_>) -> Self {
        let (depth, root) = (options.read.limits.depth, String::new());
        Compare { options, meter, depth, root, compared: BTreeSet::new(), told: 0, tell }
    }

    fn documents(&mut self, path: &str, a: &Opened, b: &Opened) -> Result<(), Exhausted> {
        let equality = are_equal(a, b)?;
        if equality == Some(true) {
            return Ok(());
        }
        let before = self.told;
        let outer = std::mem::replace(&mut self.root, path.to_owned());
        let compared = std::mem::take(&mut self.compared);
        if let Some(change) = pictures::compare(join(path, "picture"), a, b, &self.meter)? {
            self.tell(change);
        }
        let mut tell = |change: Change| self.tell(Change { path: join(path, &change.path), ..change });
        if !a.document.compare(&*b.document, &mut tell)? {
            let (a, b) = (a.document.comparable()?, b.document.comparable()?);
            self.values(path, &a.manifest, &b.manifest, (&a, &b))?;
        }
        // Equal payloads that swapped places have no name for what differs; their bytes do.
        if self.told == before
            && equality.is_some()
            && let Some((a, b)) = written(a)?.zip(written(b)?)
        {
            let path = if path.is_empty() { "file" } else { path };
            self.tell(bytes_change(path.to_owned(), &a, &b));
        }
        self.root = outer;
        self.compared = compared;
        Ok(())
    }

    fn values(&mut self, path: &str, old: &Value, new: &Value, sides: Sides<'_>) -> Result<(), Exhausted> {
        if let (Value::Object(a), Value::Object(b)) = (old, new) {
            return self.objects(path, a, b, sides);
        }
        if let Some((a, b)) = Items::in_value(old, sides.0).zip(Items::in_value(new, sides.1)) {
            let are_named = a.have_names() && b.have_names();
            return if are_named {
                self.named_lists(path, a, b, sides)
            } else {
                self.lists(path, a, b, sides)
            };
        }
        if let (Value::String(a), Value::String(b)) = (old, new)
            && let (Some(old), Some(new)) = (sides.0.named.get(a), sides.1.named.get(b))
        {
            return self.contents(path, (a, old), (b, new), sides);
        }
        self.leaf(path, old, new, sides);
        Ok(())
    }

    fn objects<'v>(
        &mut self,
        path: &str,
        a: &'v Map<String, Value>,
        b: &'v Map<String, Value>,
        sides: Sides<'_>,
    ) -> Result<(), Exhausted> {
        let added = b.keys().filter(|key| !a.contains_key(*key));
        // What packed numbers stand for differs where they do.
        for key in a.keys().chain(added).filter(|key| *key != DECODED) {
            let path = join(path, key);
            let side = |object: &'v Map<String, Value>| object.get(key).unwrap_or(&NOTHING);
            self.values(&path, side(a), side(b), sides)?;
        }
        Ok(())
    }

    fn lists(&mut self, path: &str, a: Items<'_>, b: Items<'_>, sides: Sides<'_>) -> Result<(), Exhausted> {
        for i in 0..a.len().max(b.len()) {
            self.values(&format!("{path}[{i}]"), &a.item(i), &b.item(i), sides)?;
        }
        Ok(())
    }

    /// Items with names are matched by name, so that one inserted in front does not make all differ.
    fn named_lists(
        &mut self,
        path: &str,
        a: Items<'_>,
        b: Items<'_>,
        sides: Sides<'_>,
    ) -> Result<(), Exhausted> {
        let Partners { of_a, taken } = Partners::find(a, b, sides);
        for (i, partner) in of_a.iter().enumerate() {
            let (path, old) = (format!("{path}[{i}]"), a.item(i));
            match *partner {
                Some(j) => self.values(&path, &old, &b.item(j), sides)?,
                None => self.push(path, shown(&old, sides.0), Value::Null, None),
            }
        }
        for (j, _) in taken.iter().enumerate().filter(|(_, taken)| !**taken) {
            self.push(format!("{path}[{j}]"), Value::Null, shown(&b.item(j), sides.1), None);
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
    fn contents(
        &mut self,
        path: &str,
        (name, old): (&str, &NamedContent<'_>),
        (other, new): (&str, &NamedContent<'_>),
        sides: Sides<'_>,
    ) -> Result<(), Exhausted> {
        // Overlapping payloads name one file many times.
        if !self.compared.insert((name.to_owned(), other.to_owned())) || is_same(old, new) {
            return Ok(());
        }
        if let Some((old, new)) = said(name, old).zip(said(other, new)) {
            // Two lists in one file have names of their own; one that has none is that of what names the file.
            let path = match list_name(name) {
                Some(_) if old.is_object() => self.root.clone(),
                Some(list) => join(&self.root, list),
                None => path.strip_suffix(".file").unwrap_or(path).to_owned(),
            };
            return self.values(&path, &old, &new, sides);
        }
        let (a, b) = (old.bytes(), new.bytes());
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
        self.tell(bytes_change(path.to_owned(), a, b));
        Ok(())
    }

    fn leaf(&mut self, path: &str, old: &Value, new: &Value, sides: Sides<'_>) {
        // −0 equals 0, but is written otherwise.
        let is_signed = |value: &Value| value.as_f64().is_some_and(f64::is_sign_negative);
        if old != new || is_signed(old) != is_signed(new) {
            let distance = old.as_f64().zip(new.as_f64()).map(|(old, new)| (new - old).abs());
            let (a, b) = (shown(old, sides.0), shown(new, sides.1));
            // Two that are no numbers differ in their bits alone.
            let (a, b) = if a == b { (old.clone(), new.clone()) } else { (a, b) };
            self.push(path.to_owned(), a, b, distance);
        }
    }

    fn push(&mut self, path: String, old: Value, new: Value, distance: Option<f64>) {
        self.tell(Change { distance, ..Change::new(path, old, new) });
    }

    fn tell(&mut self, change: Change) {
        self.told = self.told.saturating_add(1);
        (self.tell)(change);
    }
}

/// Whether both files are equal; nothing where one cannot be written.
fn are_equal(a: &Opened, b: &Opened) -> Result<Option<bool>, Exhausted> {
    Ok(written(a)?.zip(written(b)?).map(|(a, b)| a == b))
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

fn is_same(a: &NamedContent<'_>, b: &NamedContent<'_>) -> bool {
    match (a, b) {
        (NamedContent::Bytes(a), NamedContent::Bytes(b)) => a == b,
        (NamedContent::Records(a), NamedContent::Records(b)) => a.is_same(b),
        _ => false,
    }
}

/// How the names of lists end.
const LIST: &str = ".json";

/// What a file says, if it is values.
fn said<'c>(name: &str, content: &'c NamedContent<'_>) -> Option<Cow<'c, Value>> {
    match content {
        NamedContent::Records(records) => Some(Cow::Borrowed(&records.said)),
        NamedContent::Bytes(bytes) if name.ends_with(LIST) => {
            serde_json::from_slice(bytes).ok().map(Cow::Owned)
        }
        NamedContent::Bytes(_) | NamedContent::List(_) => None,
    }
}

/// What a file of records is a list of: `keys` of `streams/0009-keys.json`.
fn list_name(file: &str) -> Option<&str> {
    file.strip_suffix(LIST)?.split_once('-').map(|(_, name)| name)
}

/// A value as it is shown: folders hold floats that are no numbers as their bits, and long runs of bytes as files.
fn shown(value: &Value, side: &Comparable<'_>) -> Value {
    match value {
        Value::String(text) => match (bits(text), side.named.get(text)) {
            (Some(bits), _) => float(f32::from_bits(bits)),
            (None, Some(NamedContent::Bytes(bytes))) => len_shown(bytes.len()),
            (None, Some(NamedContent::Records(records))) => len_shown(records.text_len(&side.named)),
            (None, Some(NamedContent::List(list))) => {
                (0..list.len).map(|i| shown(&list.item(i), side)).collect()
            }
            (None, None) => value.clone(),
        },
        Value::Array(items) => items.iter().map(|item| shown(item, side)).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, field)| (key.clone(), shown(field, side)));
            Value::Object(fields.collect())
        }
        _ => value.clone(),
    }
}

fn len_shown(len: usize) -> Value {
    json!(counted(u64::try_from(len).unwrap_or(u64::MAX), "byte"))
}

/// The bits of a float that is no number.
fn bits(text: &str) -> Option<u32> {
    let bits = text.strip_prefix("bits:").filter(|bits| bits.len() == 8)?;
    u32::from_str_radix(bits, 16).ok()
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
