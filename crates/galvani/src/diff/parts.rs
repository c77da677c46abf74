//! Documents whose parts have names, compared part by part and field by field.
//!
//! No part is held: one may be most of a file, and as values it would be fifty times as large. Fields are made again each time
//! they are looked at.

mod merge;

use std::collections::{BTreeMap, BTreeSet};

use galvani_core::Meter;
use galvani_core::record::Field;
use serde_json::{Value, json};

use super::{Compare, Tell, as_f64, join};
use crate::formats::{Comparable, OpenOptions};
use merge::{Matched, Shared, merge};

/// A part of a document by its name.
#[derive(Debug)]
pub(crate) struct ComparedPart {
    /// What it is one of; nothing for what there is one of.
    pub(crate) group: &'static str,
    /// Its name; of several alike each has one of its own.
    pub(crate) name: String,
}

/// A field of a part.
#[derive(Debug)]
pub(crate) struct PartField<'d> {
    /// Its path in the part.
    pub(crate) path: String,
    /// Its bytes.
    pub(crate) bytes: &'d [u8],
    /// What they are.
    pub(crate) kind: Field,
    /// What is said of them.
    pub(crate) say: fn(&[u8], &Field) -> Value,
}

impl PartField<'_> {
    fn value(&self) -> Value {
        (self.say)(self.bytes, &self.kind)
    }
}

/// The fields of a part in file order.
pub(crate) type Fields<'p> = Box<dyn Iterator<Item = PartField<'p>> + 'p>;

/// A document in parts.
pub(crate) struct Parts<'p> {
    /// All of them, in file order.
    pub(crate) all: &'p [ComparedPart],
    /// The fields of the part of that number.
    pub(crate) fields: &'p dyn Fn(usize) -> Fields<'p>,
}

/// One part of a document.
#[derive(Clone, Copy)]
struct OnePart<'s, 'p> {
    parts: &'s Parts<'p>,
    number: usize,
}

impl<'p> OnePart<'_, 'p> {
    fn fields(self) -> Fields<'p> {
        (self.parts.fields)(self.number)
    }
}

/// Last steps of fields that only say how much follows. They are told where nothing else is.
const FORM: [&str; 3] = ["size", "count", "tag"];

/// What differs between two documents whose parts have names.
pub(crate) fn by_parts(a: &Parts<'_>, b: &Parts<'_>, tell: &mut Tell<'_>) {
    let options = OpenOptions::default();
    let compare = Compare::new(&options, Meter::unlimited(), tell);
    let mut sides =
        BySides { compare, nothing: Comparable::new(Value::Null), is_form_told: false, has_form: false };
    sides.all(a, b);
    if sides.compare.told == 0 && sides.has_form {
        sides.is_form_told = true;
        sides.all(a, b);
    }
}

struct BySides<'o> {
    compare: Compare<'o>,
    /// What fields name.
    nothing: Comparable<'static>,
    /// Whether fields that only say how much follows are told.
    is_form_told: bool,
    /// Whether such a field differs.
    has_form: bool,
}

impl BySides<'_> {
    /// Parts are matched by name; those that have none alike by place, as if renamed, in groups of one size.
    fn all(&mut self, a: &Parts<'_>, b: &Parts<'_>) {
        let partners = partners(a.all, b.all);
        let mut taken = vec![false; b.all.len()];
        for (number, (old, partner)) in a.all.iter().zip(&partners).enumerate() {
            let (path, one) = (path(old), OnePart { parts: a, number });
            match *partner {
                Some(number) => {
                    taken.get_mut(number).into_iter().for_each(|taken| *taken = true);
                    self.part(&path, one, OnePart { parts: b, number });
                }
                None => self.compare.push(path, summary(one.fields()), Value::Null, None),
            }
        }
        for (number, new) in b.all.iter().enumerate().filter(|(j, _)| taken.get(*j) == Some(&false)) {
            let one = OnePart { parts: b, number };
            self.compare.push(path(new), Value::Null, summary(one.fields()), None);
        }
        self.tell_moves(a.all, b.all, &partners);
    }

    fn part(&mut self, path: &str, a: OnePart<'_, '_>, b: OnePart<'_, '_>) {
        match likeness(a.fields(), b.fields()) {
            Likeness::Same => {}
            Likeness::SamePaths => {
                for (old, new) in a.fields().zip(b.fields()) {
                    self.field(path, &old.path, Some(&old), Some(&new));
                }
            }
            Likeness::Unlike => self.unlike(path, a, b),
        }
    }

    /// A part that has other fields than its partner.
    fn unlike(&mut self, path: &str, a: OnePart<'_, '_>, b: OnePart<'_, '_>) {
        let (heads_a, heads_b) = (Heads::new(a.fields()), Heads::new(b.fields()));
        let (old, new) = (&heads_a.lists, &heads_b.lists);
        let a = Shared { part: a, alone: old.difference(new).map(String::as_str).collect() };
        let b = Shared { part: b, alone: new.difference(old).map(String::as_str).collect() };
        for (list, said) in summaries(a.part.fields(), &a.alone) {
            self.compare.push(join(path, list), said, Value::Null, None);
        }
        for (list, said) in summaries(b.part.fields(), &b.alone) {
            self.compare.push(join(path, list), Value::Null, said, None);
        }
        let keys = |side: &Shared<'_, '_, '_>, heads: &Heads, track: &str| {
            heads.keys.get(track).filter(|_| !side.is_alone(&format!("{track}.keys"))).copied()
        };
        let has_other_keys = |track: &str| keys(&a, &heads_a, track) != keys(&b, &heads_b, track);
        let others: BTreeSet<&str> = { heads_a.keys.keys().chain(heads_b.keys.keys()) }
            .map(String::as_str)
            .filter(|track| has_other_keys(track))
            .collect();
        let a = Matched { shared: a, others: &others };
        let b = Matched { shared: b, others: &others };
        if a.fields().map(|field| field.path).eq(b.fields().map(|field| field.path)) {
            for (old, new) in a.fields().zip(b.fields()) {
                self.field(path, &old.path, Some(&old), Some(&new));
            }
            return;
        }
        merge(&a, &b, &mut |field, old, new| self.field(path, field, old, new));
    }

    fn field(&mut self, part: &str, field: &str, old: Option<&PartField<'_>>, new: Option<&PartField<'_>>) {
        if let (Some(old), Some(new)) = (old, new)
            && old.bytes == new.bytes
            && (old.kind.kind, old.kind.count) == (new.kind.kind, new.kind.count)
        {
            return;
        }
        if is_form(field) != self.is_form_told {
            self.has_form |= is_form(field);
            return;
        }
        let value = |field: Option<&PartField<'_>>| field.map_or(Value::Null, PartField::value);
        let path = if field.starts_with('[') { format!("{part}{field}") } else { join(part, field) };
        // Without files nothing is unpacked, which is all that could lack room.
        let _ = self.compare.values(&path, &value(old), &value(new), (&self.nothing, &self.nothing));
    }

    /// Parts of a group that stand in another order say where each went.
    fn tell_moves(&mut self, a: &[ComparedPart], b: &[ComparedPart], partners: &[Option<usize>]) {
        let (places, others) = (ordinals(a), ordinals(b));
        let groups: BTreeSet<&str> =
            a.iter().map(|part| part.group).filter(|group| !group.is_empty()).collect();
        for group in groups {
            let pairs: Vec<(usize, usize, usize)> = { a.iter().zip(partners).enumerate() }
                .filter(|(_, (part, _))| part.group == group)
                .filter_map(|(i, (_, partner))| Some((i, *places.get(i)?, *others.get((*partner)?)?)))
                .collect();
            if pairs.iter().is_sorted_by_key(|(_, _, to)| *to) {
                continue;
            }
            for (i, from, to) in pairs.into_iter().filter(|(_, from, to)| from != to) {
                let path = a.get(i).map(path).unwrap_or_default();
                let distance = Some(as_f64(from.abs_diff(to)));
                self.compare.push(format!("{path}.index"), json!(from), json!(to), distance);
            }
        }
    }
}

fn path(part: &ComparedPart) -> String {
    if part.group.is_empty() { part.name.clone() } else { format!("{}[{}]", part.group, part.name) }
}

/// How alike two parts are.
enum Likeness {
    /// In every byte.
    Same,
    /// The same fields, not the same bytes.
    SamePaths,
    /// Other fields.
    Unlike,
}

fn likeness(mut a: Fields<'_>, mut b: Fields<'_>) -> Likeness {
    let mut found = Likeness::Same;
    loop {
        match (a.next(), b.next()) {
            (None, None) => return found,
            (Some(a), Some(b)) if a.path == b.path && a.bytes.len() == b.bytes.len() => {
                if a.bytes != b.bytes {
                    found = Likeness::SamePaths;
                }
            }
            _ => return Likeness::Unlike,
        }
    }
}

/// For each part the one it is compared with.
fn partners(a: &[ComparedPart], b: &[ComparedPart]) -> Vec<Option<usize>> {
    let names: BTreeMap<(&str, &str), usize> = key_places(b);
    let own = key_places(a);
    let mut found: Vec<Option<usize>> =
        a.iter().map(|part| names.get(&(part.group, part.name.as_str())).copied()).collect();
    let (sizes, other_sizes) = (sizes(a), sizes(b));
    let nameless = b.iter().zip(ordinals(b)).enumerate();
    let nameless = nameless.filter(|(_, (other, _))| !own.contains_key(&(other.group, other.name.as_str())));
    let by_place: BTreeMap<(&str, usize), usize> =
        nameless.map(|(j, (other, place))| ((other.group, place), j)).collect();
    for ((part, place), found) in a.iter().zip(ordinals(a)).zip(&mut found) {
        let is_alone = found.is_none() && !part.group.is_empty();
        if is_alone && sizes.get(part.group) == other_sizes.get(part.group) {
            *found = by_place.get(&(part.group, place)).copied();
        }
    }
    found
}

/// How many parts each group has.
fn sizes(parts: &[ComparedPart]) -> BTreeMap<&str, usize> {
    let mut sizes = BTreeMap::new();
    for part in parts {
        *sizes.entry(part.group).or_default() += 1;
    }
    sizes
}

fn key_places(parts: &[ComparedPart]) -> BTreeMap<(&str, &str), usize> {
    parts.iter().enumerate().map(|(i, part)| ((part.group, part.name.as_str()), i)).collect()
}

/// The place of each part in its group.
fn ordinals(parts: &[ComparedPart]) -> Vec<usize> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let next = |part: &ComparedPart| {
        let count = counts.entry(part.group).or_default();
        *count += 1;
        *count - 1
    };
    parts.iter().map(next).collect()
}

fn is_form(field: &str) -> bool {
    FORM.contains(&field.rsplit(['.', ']']).next().unwrap_or(field))
}

/// What a part lists.
#[derive(Default)]
struct Heads {
    /// The lists that have heads of their own: tracks, layers, vertices.
    lists: BTreeSet<String>,
    /// How many keys with times each track has.
    keys: BTreeMap<String, usize>,
}

impl Heads {
    fn new(fields: Fields<'_>) -> Self {
        let mut heads = Heads::default();
        for field in fields {
            if let Some(list) = field.path.strip_suffix(".tag") {
                heads.lists.insert(list.to_owned());
            } else if let Some((track, _, "time")) = key_of(&field.path) {
                match heads.keys.get_mut(track) {
                    Some(count) => *count += 1,
                    None => drop(heads.keys.insert(track.to_owned(), 1)),
                }
            }
        }
        heads
    }
}

/// What a part holds, but for what it lists.
fn summary(fields: Fields<'_>) -> Value {
    let own = |field: PartField<'_>| is_own(&field.path).then(|| (field.path.clone(), field.value()));
    fields.filter_map(own).collect()
}

/// What lists of a part hold, but for what they list.
fn summaries<'l>(fields: Fields<'_>, lists: &BTreeSet<&'l str>) -> BTreeMap<&'l str, Value> {
    let mut said: BTreeMap<&str, Value> = lists.iter().map(|list| (*list, json!({}))).collect();
    for field in fields.filter(|_| !lists.is_empty()) {
        for (dot, _) in field.path.match_indices('.') {
            let (list, rest) = field.path.split_at(dot);
            let rest = rest.get(1..).unwrap_or_default();
            if let Some(said) = said.get_mut(list).filter(|_| is_own(rest)) {
                said[rest] = field.value();
            }
        }
    }
    said
}

/// Whether a field is not of a list inside. A list inside says its name; its tag would be the same again.
fn is_own(field: &str) -> bool {
    !field.contains('[') && !matches!(field.rsplit('.').next(), Some("tag" | "size"))
}

/// Track, place and rest of the path of a key.
fn key_of(field: &str) -> Option<(&str, &str, &str)> {
    let (track, rest) = field.split_once(".keys[")?;
    let (key, rest) = rest.split_once("].")?;
    Some((track, key, rest))
}
