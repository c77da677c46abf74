//! What a glTF states, place by place, and whether a change of it arrived in the files, and only that.
#![allow(dead_code, reason = "each test uses what it needs")]

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{at, is_direction_name};

/// What two values are alike by: one that stands once in the files may stand at several places of the same kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Numbers of this many parts that are as they are.
    Numbers,
    /// A direction: its length says nothing.
    Direction,
    /// A rotation: its sign says nothing.
    Turn,
    /// Seconds.
    Times,
    /// Whole numbers and words, which are the same or not.
    Word,
}

/// A list of rows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rows {
    pub(crate) kind: Kind,
    /// What it is of, such as `POSITION` or `translation`.
    pub(crate) name: String,
    parts: usize,
    numbers: Vec<f32>,
}

impl Rows {
    fn row(&self, index: usize) -> &[f32] {
        &self.numbers[index * self.parts..(index + 1) * self.parts]
    }

    fn len(&self) -> usize {
        self.numbers.len() / self.parts
    }
}

/// All that a glTF states: lists of numbers, and words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stated {
    pub(crate) lists: BTreeMap<String, Rows>,
    pub(crate) words: BTreeMap<String, Value>,
}

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

fn each(value: &Value) -> impl Iterator<Item = (usize, &Value)> {
    value.as_array().into_iter().flatten().enumerate()
}

/// The numbers of an accessor, and how many parts each has.
fn listed(text: &Value, bytes: &[u8], index: &Value) -> (usize, Vec<f32>) {
    let accessor = &text["accessors"][number(index)];
    let parts = match accessor["type"].as_str().unwrap() {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        _ => 16,
    };
    let (start, count) = (at(text, index), number(&accessor["count"]) * parts);
    let words = |width: usize| bytes[start..start + count * width].chunks_exact(width);
    let wide = |bytes: &[u8]| bytes.iter().rev().fold(0_u32, |word, byte| word << 8 | u32::from(*byte));
    #[allow(clippy::as_conversions, clippy::cast_precision_loss, reason = "numbers of vertices are small")]
    let whole = |width: usize| words(width).map(|bytes| wide(bytes) as f32).collect();
    let numbers = match accessor["componentType"].as_u64() {
        Some(5126) => words(4).map(|word| f32::from_bits(wide(word))).collect(),
        Some(5125) => whole(4),
        Some(5123) => whole(2),
        Some(5121) => whole(1),
        other => panic!("{other:?}"),
    };
    (parts, numbers)
}

/// What programs may write in another way, or what is looked at by itself.
const APART: [&str; 13] = [
    "extras",
    "attributes",
    "indices",
    "samplers",
    "sampler",
    "inverseBindMatrices",
    "translation",
    "rotation",
    "scale",
    "bufferView",
    "joints",
    "input",
    "output",
];

impl Stated {
    pub(crate) fn new(text: &Value, bytes: &[u8]) -> Self {
        let mut stated = Stated { lists: BTreeMap::new(), words: BTreeMap::new() };
        for list in ["nodes", "meshes", "materials", "textures", "images", "skins", "cameras", "animations"] {
            stated.words(list, &text[list]);
        }
        for (i, node) in each(&text["nodes"]) {
            stated.node(&format!("nodes/{i}"), node);
            if !node["skin"].is_null() {
                stated.pulls(&format!("nodes/{i}"), (text, bytes), node);
            }
        }
        for (i, mesh) in each(&text["meshes"]) {
            for (j, primitive) in each(&mesh["primitives"]) {
                stated.primitive(&format!("meshes/{i}/{j}"), (text, bytes), primitive);
            }
        }
        for (i, animation) in each(&text["animations"]) {
            for (_, channel) in each(&animation["channels"]) {
                stated.channel(&format!("animations/{i}"), (text, bytes), (animation, channel));
            }
        }
        for (i, skin) in each(&text["skins"]) {
            if !skin["inverseBindMatrices"].is_null() {
                let place = format!("skins/{i}/bind");
                stated.list(place, "bind", Kind::Numbers, listed(text, bytes, &skin["inverseBindMatrices"]));
            }
        }
        stated
    }

    fn list(&mut self, place: String, name: &str, kind: Kind, (parts, numbers): (usize, Vec<f32>)) {
        self.lists.insert(place, Rows { kind, name: name.to_owned(), parts, numbers });
    }

    fn words(&mut self, place: &str, value: &Value) {
        match value {
            Value::Object(members) => {
                for (name, member) in members.iter().filter(|(name, _)| !APART.contains(&name.as_str())) {
                    self.words(&format!("{place}/{name}"), member);
                }
            }
            Value::Array(all) => {
                all.iter().enumerate().for_each(|(i, one)| self.words(&format!("{place}/{i}"), one));
            }
            Value::Null => {}
            word => drop(self.words.insert(place.to_owned(), word.clone())),
        }
    }

    fn node(&mut self, place: &str, node: &Value) {
        let usual = [
            ("translation", Kind::Numbers, json!([0, 0, 0])),
            ("rotation", Kind::Turn, json!([0, 0, 0, 1])),
            ("scale", Kind::Numbers, json!([1, 1, 1])),
        ];
        for (name, kind, usual) in usual {
            let found = if node[name].is_null() { &usual } else { &node[name] };
            #[allow(clippy::as_conversions, clippy::cast_possible_truncation, reason = "as readers do")]
            let numbers: Vec<f32> = each(found).map(|(_, it)| it.as_f64().unwrap() as f32).collect();
            self.list(format!("{place}/{name}"), name, kind, (numbers.len(), numbers));
        }
    }

    fn primitive(&mut self, place: &str, (text, bytes): (&Value, &[u8]), primitive: &Value) {
        for (name, list) in primitive["attributes"].as_object().unwrap() {
            // Which joint has which number is the skin's business.
            if name.starts_with("JOINTS") || name.starts_with("WEIGHTS") {
                continue;
            }
            let kind = if is_direction_name(name) { Kind::Direction } else { Kind::Numbers };
            self.list(format!("{place}/{name}"), name, kind, listed(text, bytes, list));
        }
        let corners = listed(text, bytes, &primitive["indices"]);
        self.list(format!("{place}/indices"), "indices", Kind::Word, corners);
    }

    /// How much each node pulls at each vertex of what a node shows: a row for each vertex, a number for each node.
    fn pulls(&mut self, place: &str, (text, bytes): (&Value, &[u8]), node: &Value) {
        let nodes = text["nodes"].as_array().unwrap().len();
        let joints = &text["skins"][number(&node["skin"])]["joints"];
        for (j, primitive) in each(&text["meshes"][number(&node["mesh"])]["primitives"]) {
            let attributes = &primitive["attributes"];
            let mut pulls: Vec<f32> = Vec::new();
            for set in 0..8 {
                let (own, weights) =
                    (&attributes[format!("JOINTS_{set}")], &attributes[format!("WEIGHTS_{set}")]);
                if own.is_null() {
                    break;
                }
                let [(_, own), (_, weights)] = [own, weights].map(|list| listed(text, bytes, list));
                pulls.resize(own.len() / 4 * nodes, 0.0);
                for (i, (joint, weight)) in own.iter().zip(weights).enumerate() {
                    #[allow(
                        clippy::as_conversions,
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "it was whole"
                    )]
                    let joint = number(&joints[*joint as usize]);
                    pulls[i / 4 * nodes + joint] += weight;
                }
            }
            for row in pulls.chunks_mut(nodes) {
                let sum: f32 = row.iter().sum();
                for weight in row {
                    *weight /= sum;
                }
            }
            self.list(format!("{place}/{j}/pulls"), "pulls", Kind::Numbers, (nodes, pulls));
        }
    }

    fn channel(
        &mut self,
        place: &str,
        (text, bytes): (&Value, &[u8]),
        (animation, channel): (&Value, &Value),
    ) {
        let (target, sampler) = (&channel["target"], &animation["samplers"][number(&channel["sampler"])]);
        let path = target["path"].as_str().unwrap();
        let place = format!("{place}/{}/{path}", target["node"]);
        let (parts, mut numbers) = listed(text, bytes, &sampler["output"]);
        let (_, times) = listed(text, bytes, &sampler["input"]);
        self.words.insert(format!("{place}/interpolation"), sampler["interpolation"].clone());
        if sampler["interpolation"] == "CUBICSPLINE" {
            let thirds = |which: usize| -> Vec<f32> {
                let keys = numbers.chunks(3 * parts);
                keys.flat_map(|key| key[which * parts..(which + 1) * parts].to_vec()).collect()
            };
            let [arriving, values, leaving] = [0, 1, 2].map(thirds);
            self.list(format!("{place}/arriving"), "slope", Kind::Numbers, (parts, arriving));
            self.list(format!("{place}/leaving"), "slope", Kind::Numbers, (parts, leaving));
            numbers = values;
        }
        let kind = if path == "rotation" { Kind::Turn } else { Kind::Numbers };
        self.list(format!("{place}/times"), "times", Kind::Times, (1, times));
        self.list(format!("{place}/keys"), path, kind, (parts, numbers));
    }
}

/// How far a number may be off in its file, of its own size; more is told.
const OFF: f32 = 0.02;

/// How far two rows are from each other, and how large the second is.
fn apart(kind: Kind, found: &[f32], wanted: &[f32]) -> (f32, f32) {
    let length = |row: &[f32]| row.iter().map(|part| part * part).sum::<f32>().sqrt();
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    let off = |a: f32, b: f32| {
        found.iter().zip(wanted).map(|(x, y)| (x / a - y / b) * (x / a - y / b)).sum::<f32>().sqrt()
    };
    match kind {
        Kind::Numbers | Kind::Times | Kind::Word => (off(1.0, 1.0), length(wanted)),
        Kind::Direction => {
            // The side of a tangent is no part of its direction.
            let [found, wanted] = [found, wanted].map(|row| &row[..3]);
            let (a, b) = (length(found).max(f32::MIN_POSITIVE), length(wanted).max(f32::MIN_POSITIVE));
            let off = found.iter().zip(wanted).map(|(x, y)| (x / a - y / b) * (x / a - y / b));
            (off.sum::<f32>().sqrt(), 1.0)
        }
        Kind::Turn => {
            let side = if dot(found, wanted) < 0.0 { -1.0 } else { 1.0 };
            (off(side * length(found), length(wanted)), 1.0)
        }
    }
}

/// A change that was made.
struct Change<'s> {
    rows: &'s Rows,
    place: &'s str,
    index: usize,
    old: &'s [f32],
    new: &'s [f32],
}

/// Lists of the vertices of a primitive, corner by corner: which vertices there are may follow from that.
fn by_corner(stated: &Stated, primitive: &str) -> Vec<(String, Rows)> {
    let corners = &stated.lists[&format!("{primitive}/indices")].numbers;
    let own = stated.lists.iter().filter(|(place, rows)| {
        place.rsplit_once('/').is_some_and(|(above, _)| above == primitive) && rows.name != "indices"
    });
    #[allow(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it was whole"
    )]
    let expanded = |rows: &Rows| {
        let numbers = corners.iter().flat_map(|corner| rows.row(*corner as usize).to_vec()).collect();
        Rows { numbers, ..rows.clone() }
    };
    own.map(|(place, rows)| (place.clone(), expanded(rows))).collect()
}

/// The same glTF with the corners of some primitives in place of their vertices.
fn cornered(stated: &Stated, primitives: &[String]) -> Stated {
    let mut stated = stated.clone();
    for primitive in primitives {
        let own = by_corner(&stated, primitive);
        stated.lists.retain(|place, _| place.rsplit_once('/').is_none_or(|(above, _)| above != primitive));
        stated.lists.extend(own);
    }
    stated
}

/// What is wrong with the glTF of files that a changed glTF made: what did not arrive although nothing is told, and what is not as
/// it was although nobody changed it.
pub(crate) fn faults(old: &Stated, wanted: &Stated, found: &Stated, is_told: bool) -> Vec<String> {
    let corners = old.lists.keys().filter(|place| {
        let is_other = |stated: &Stated| stated.lists.get(*place) != old.lists.get(*place);
        place.ends_with("/indices") && (is_other(wanted) || is_other(found))
    });
    let primitives: Vec<String> = corners.map(|place| place.rsplit_once('/').unwrap().0.to_owned()).collect();
    let all = [old, wanted, found].map(|stated| cornered(stated, &primitives));
    let [old, wanted, found] = &all;
    let mut faults = Vec::new();
    let mut changes = Vec::new();
    for (place, was) in &old.lists {
        let Some(is) = wanted.lists.get(place) else { continue };
        let differing = (0..was.len().min(is.len())).filter(|i| was.row(*i) != is.row(*i));
        changes.extend(differing.map(|index| Change {
            rows: is,
            place,
            index,
            old: was.row(index),
            new: is.row(index),
        }));
    }
    // When a key is says how long the curve takes to it: with that its slopes change, and what lies beyond the ends.
    let timed: Vec<&str> = changes
        .iter()
        .filter(|change| change.rows.kind == Kind::Times)
        .map(|change| change.place.rsplit_once('/').unwrap().0)
        .collect();
    // Slopes at a key may be given by points that stay where they are.
    let keyed = |place: &str| {
        place.contains("/arriving")
            || place.contains("/leaving")
            || timed.iter().any(|it| place.starts_with(it))
    };
    let moved = changes.iter().any(|change| change.place.starts_with("nodes/"));
    for (place, was) in &old.lists {
        let Some(is) = found.lists.get(place) else {
            faults.push(format!("{place} is gone"));
            continue;
        };
        let is_excused = keyed(place) || was.name == "bind" && moved;
        if is == was || is_excused {
            continue;
        }
        if is.len() != was.len() {
            faults.push(format!("{place} has {} rows, {} before", is.len(), was.len()));
            continue;
        }
        for index in (0..was.len()).filter(|i| was.row(*i) != is.row(*i)) {
            let (off, _) = apart(was.kind, is.row(index), was.row(index));
            let own = changes.iter().any(|change| change.place == place && change.index == index);
            let is_copy = |change: &Change<'_>| {
                let arrived = found.lists.get(change.place).map(|rows| rows.row(change.index));
                let is_alike = |a: &[f32], b: &[f32]| {
                    a.len() == b.len() && apart(was.kind, a, b).0 <= 1e-4 * (1.0 + apart(was.kind, a, b).1)
                };
                change.rows.name == was.name
                    && is_alike(change.old, was.row(index))
                    && arrived.is_some_and(|arrived| is_alike(arrived, is.row(index)))
            };
            if off > 1e-6 && !own && !changes.iter().any(is_copy) {
                faults.push(format!("{place} {index}: {:?} was {:?}", is.row(index), was.row(index)));
            }
        }
    }
    for change in changes.iter().filter(|_| !is_told) {
        let Some(is) = found.lists.get(change.place).filter(|rows| rows.len() > change.index) else {
            continue;
        };
        let is = is.row(change.index);
        let ((off, size), (left, _)) =
            (apart(change.rows.kind, is, change.new), apart(change.rows.kind, is, change.old));
        let (wish, _) = apart(change.rows.kind, change.new, change.old);
        // What is less than the file tells apart may stay.
        let is_there = off <= OFF * size.max(f32::MIN_POSITIVE) && (off <= left || wish <= OFF * size);
        if !is_there && !keyed(change.place) {
            let Change { place, index, old, new, .. } = change;
            faults.push(format!("{place} {index}: {new:?} wanted, {is:?} found, {old:?} before"));
        }
    }
    faults.extend(words(old, wanted, found, is_told));
    faults
}

/// The same of words: one may stand at several places.
fn words(old: &Stated, wanted: &Stated, found: &Stated, is_told: bool) -> Vec<String> {
    let changed: Vec<(&Value, &Value)> = old
        .words
        .iter()
        .filter_map(|(place, was)| Some((was, wanted.words.get(place)?)))
        .filter(|(was, is)| was != is)
        .collect();
    let mut faults = Vec::new();
    for place in old.words.keys().chain(found.words.keys().filter(|it| !old.words.contains_key(*it))) {
        let [was, wish, is] = [old, wanted, found].map(|stated| stated.words.get(place));
        let is_copy = || {
            changed
                .iter()
                .any(|(old, new)| was == Some(old) && is == Some(new) || suffixed(was, is, (old, new)))
        };
        if was == wish && is != was && !is_copy() || was != wish && is != wish && !is_told {
            faults.push(format!("{place}: {is:?}, wanted {wish:?}, before {was:?}"));
        }
    }
    faults
}

/// Whether a name is another as the nodes of other states and levels are called after those that they stand in for.
fn suffixed(was: Option<&Value>, is: Option<&Value>, (old, new): (&Value, &Value)) -> bool {
    let [was, is] = [was, is].map(|name| name.and_then(Value::as_str).unwrap_or_default());
    let [old, new] = [old, new].map(|name| name.as_str().unwrap_or_default());
    let end = was.strip_prefix(old).filter(|end| end.starts_with('_') && !old.is_empty());
    end.is_some_and(|end| is.strip_prefix(new) == Some(end))
}
