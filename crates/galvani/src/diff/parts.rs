//! Documents whose parts have names, compared part by part.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use galvani_core::Meter;
use serde_json::{Value, json};

use super::{Change, Compare, as_f64, join};
use crate::formats::{Folder, OpenOptions};

/// A part of a document by its name.
#[derive(Debug)]
pub(crate) struct Part {
    /// What it is one of; nothing for what there is one of.
    pub(crate) group: &'static str,
    /// Its name; of several alike each has one of its own.
    pub(crate) name: String,
    /// Its fields in file order.
    pub(crate) fields: Vec<Field>,
}

/// A field of a part: its path inside it, and its value.
type Field = (String, Value);

/// Last steps of fields that only say how much follows. They are told where nothing else is.
const FORM: [&str; 3] = ["size", "count", "tag"];

/// What differs between two documents whose parts have names.
pub(crate) fn by_parts(a: &[Part], b: &[Part]) -> Vec<Change> {
    let options = OpenOptions::default();
    let mut compare = Compare::new(&options, Meter::unlimited());
    compare.parts(a, b);
    compare.changes
}

impl Compare<'_> {
    /// Parts are matched by name; those that have none alike by place, as if renamed, in groups of one size.
    fn parts(&mut self, a: &[Part], b: &[Part]) {
        let before = self.changes.len();
        let mut form = Vec::new();
        let partners = partners(a, b);
        let taken: BTreeSet<usize> = partners.iter().flatten().copied().collect();
        for (old, partner) in a.iter().zip(&partners) {
            match partner.and_then(|j| b.get(j)) {
                Some(new) => self.part(old, new, &mut form),
                None => self.push(self.path(old), summary(&old.fields, ""), Value::Null, None),
            }
        }
        for (_, new) in b.iter().enumerate().filter(|(j, _)| !taken.contains(j)) {
            self.push(self.path(new), Value::Null, summary(&new.fields, ""), None);
        }
        self.moves(a, b, &partners);
        if self.changes.len() == before {
            self.changes.append(&mut form);
        }
    }

    fn path(&self, part: &Part) -> String {
        let own =
            if part.group.is_empty() { part.name.clone() } else { format!("{}[{}]", part.group, part.name) };
        join(&self.root, &own)
    }

    fn part(&mut self, a: &Part, b: &Part, form: &mut Vec<Change>) {
        let path = self.path(a);
        let (old, new) = (lists(&a.fields), lists(&b.fields));
        let (gone, added) = (old.difference(&new), new.difference(&old));
        for (list, fields, is_new) in
            gone.map(|list| (list, &a.fields, false)).chain(added.map(|list| (list, &b.fields, true)))
        {
            let (there, place) = (summary(fields, list), join(&path, list));
            let (old, new) = if is_new { (Value::Null, there) } else { (there, Value::Null) };
            self.push(place, old, new, None);
        }
        let both: BTreeSet<&str> = old.intersection(&new).copied().collect();
        let (old, new) = timed(&shared(&a.fields, &both), &shared(&b.fields, &both));
        if old.iter().map(|(field, _)| field).eq(new.iter().map(|(field, _)| field)) {
            for ((field, old), (_, new)) in old.iter().zip(&new) {
                self.field(&path, field, old, new, form);
            }
            return;
        }
        let mut others: BTreeMap<&str, VecDeque<&Value>> = BTreeMap::new();
        for (field, value) in &new {
            others.entry(field).or_default().push_back(value);
        }
        for (field, value) in &old {
            let other = others.get_mut(&**field).and_then(VecDeque::pop_front);
            self.field(&path, field, value, other.unwrap_or(&Value::Null), form);
        }
        for (field, _) in &new {
            if let Some(value) = others.get_mut(&**field).and_then(VecDeque::pop_front) {
                self.field(&path, field, &Value::Null, value, form);
            }
        }
    }

    fn field(&mut self, part: &str, field: &str, old: &Value, new: &Value, form: &mut Vec<Change>) {
        // Floats are looked at more closely: −0 equals 0.
        if old == new && (old.is_u64() || old.is_i64() || old.is_string()) {
            return;
        }
        let before = self.changes.len();
        let path = if field.starts_with('[') { format!("{part}{field}") } else { join(part, field) };
        let none = Folder { manifest: Value::Null, files: BTreeMap::new() };
        // Without files nothing is unpacked, which is all that could lack room.
        let _ = self.values(&path, old, new, (&none, &none));
        if is_form(field) {
            form.extend(self.changes.drain(before..));
        }
    }

    /// Parts of a group that stand in another order say where each went.
    fn moves(&mut self, a: &[Part], b: &[Part], partners: &[Option<usize>]) {
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
                let path = a.get(i).map(|part| self.path(part)).unwrap_or_default();
                self.push(format!("{path}.index"), json!(from), json!(to), Some(as_f64(from.abs_diff(to))));
            }
        }
    }
}

/// For each part the one it is compared with.
fn partners(a: &[Part], b: &[Part]) -> Vec<Option<usize>> {
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
fn sizes(parts: &[Part]) -> BTreeMap<&str, usize> {
    let mut sizes = BTreeMap::new();
    for part in parts {
        *sizes.entry(part.group).or_default() += 1;
    }
    sizes
}

fn key_places(parts: &[Part]) -> BTreeMap<(&str, &str), usize> {
    parts.iter().enumerate().map(|(i, part)| ((part.group, part.name.as_str()), i)).collect()
}

/// The place of each part in its group.
fn ordinals(parts: &[Part]) -> Vec<usize> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let next = |part: &Part| {
        let count = counts.entry(part.group).or_default();
        *count += 1;
        *count - 1
    };
    parts.iter().map(next).collect()
}

fn is_form(field: &str) -> bool {
    FORM.contains(&field.rsplit(['.', ']']).next().unwrap_or(field))
}

/// The lists of a part that have heads of their own: tracks, layers, vertices.
fn lists(fields: &[Field]) -> BTreeSet<&str> {
    fields.iter().filter_map(|(field, _)| field.strip_suffix(".tag")).collect()
}

/// The fields that stand in no list, or in one that both sides have.
fn shared<'f>(fields: &'f [Field], both: &BTreeSet<&str>) -> Vec<&'f Field> {
    let alone: BTreeSet<&str> = lists(fields).into_iter().filter(|list| !both.contains(list)).collect();
    let is_in = |field: &str| {
        let mut above = field.match_indices(['.', '[']).filter_map(|(end, _)| field.get(..end));
        !alone.is_empty() && above.any(|list| alone.contains(list))
    };
    fields.iter().filter(|(field, _)| !is_in(field)).collect()
}

/// What a part, or a list of it, holds, but for what it lists.
fn summary(fields: &[Field], list: &str) -> Value {
    let inside = |field: &str| {
        let rest = if list.is_empty() { Some(field) } else { field.strip_prefix(list)?.strip_prefix('.') };
        // A list inside says its name; its tag would be the same again.
        let is_head = |rest: &&str| matches!(rest.rsplit('.').next(), Some("tag" | "size"));
        rest.filter(|rest| !rest.contains('[') && !is_head(rest)).map(str::to_owned)
    };
    fields.iter().filter_map(|(field, value)| Some((inside(field)?, value.clone()))).collect()
}

/// A field under the path by which it is compared.
type Matched<'f> = (Cow<'f, str>, &'f Value);

/// Keys of tracks that have more on one side than on the other are matched by their times, not by their places.
fn timed<'f>(a: &[&'f Field], b: &[&'f Field]) -> (Vec<Matched<'f>>, Vec<Matched<'f>>) {
    let (before, after) = (key_counts(a), key_counts(b));
    let differs = |track: &str| before.get(track) != after.get(track);
    (by_time(a, &differs), by_time(b, &differs))
}

/// How many keys with times each track has.
fn key_counts<'f>(fields: &[&'f Field]) -> BTreeMap<&'f str, usize> {
    let mut counts = BTreeMap::new();
    for (track, _, rest) in fields.iter().filter_map(|field| key_of(&field.0)) {
        if rest == "time" {
            *counts.entry(track).or_default() += 1;
        }
    }
    counts
}

/// Track, place and rest of the path of a key.
fn key_of(field: &str) -> Option<(&str, &str, &str)> {
    let (track, rest) = field.split_once(".keys[")?;
    let (key, rest) = rest.split_once("].")?;
    Some((track, key, rest))
}

fn by_time<'f>(fields: &[&'f Field], differs: &dyn Fn(&str) -> bool) -> Vec<Matched<'f>> {
    let keys = || {
        let keys = fields.iter().filter_map(|field| Some((key_of(&field.0)?, &field.1)));
        keys.filter(|((track, ..), _)| differs(track))
    };
    let times: BTreeMap<(&str, &str), &Value> = { keys() }
        .filter(|((_, _, rest), _)| *rest == "time")
        .map(|((track, key, _), time)| ((track, key), time))
        .collect();
    let valued: BTreeSet<(&str, &str)> =
        keys().filter(|((_, _, rest), _)| *rest != "time").map(|((track, key, _), _)| (track, key)).collect();
    let renamed = |field: &&'f Field| {
        let (path, value) = (&field.0, &field.1);
        let Some((track, key, rest)) = key_of(path).filter(|(track, ..)| differs(track)) else {
            return Some((Cow::Borrowed(path.as_str()), value));
        };
        // A key that has a value is told by it.
        if rest == "time" && valued.contains(&(track, key)) {
            return None;
        }
        let time = times.get(&(track, key))?;
        Some((Cow::Owned(format!("{track}.keys[{time} ms].{rest}")), value))
    };
    fields.iter().filter_map(renamed).collect()
}
