//! The law of the way back, walked through: every kind of thing that a glTF states is changed, one after the other.
#![allow(dead_code, reason = "each test uses what it needs")]

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::way_back::{NamedFiles, at, is_outside, is_unused, joined, parts};

/// What became of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fate {
    Taken,
    Told,
    Refused,
    Ignored,
}

/// What a glTF becomes: its files and what is told; or it is refused.
pub(crate) type Made = Result<(NamedFiles, BTreeSet<&'static str>), ()>;

/// The way back of a glTF; nothing if it is none.
pub(crate) type WayBack = Box<dyn Fn(&[u8]) -> Option<Made>>;

/// A glTF, and the files that it makes.
pub(crate) struct Model {
    name: &'static str,
    text: Value,
    bytes: Vec<u8>,
    files: NamedFiles,
    told: BTreeSet<&'static str>,
    back: WayBack,
}

impl Model {
    pub(crate) fn new(name: &'static str, glb: &[u8], back: WayBack) -> Self {
        let (text, bytes) = parts(glb);
        let (files, told) = back(glb).unwrap().unwrap();
        Model { name, text, bytes, files, told, back }
    }

    /// What becomes of another text and bytes; nothing if they are no glTF.
    fn fate(&self, text: &Value, bytes: &[u8]) -> Option<Fate> {
        Some(match (self.back)(&joined(text, bytes))? {
            Err(()) => Fate::Refused,
            Ok((files, _)) if files != self.files => Fate::Taken,
            Ok((_, told)) if told != self.told => Fate::Told,
            Ok(_) => Fate::Ignored,
        })
    }
}

/// What became of the changes of each kind, and where each was made.
pub(crate) type Fates = BTreeMap<String, Vec<(Fate, String)>>;

/// Changes so many of each kind in every model.
pub(crate) fn fates(models: &[Model], most: usize) -> Fates {
    let mut fates = Fates::new();
    for model in models {
        of_text(model, most, &mut fates);
        of_lists(model, most, &mut fates);
    }
    fates
}

/// What was ignored, but for the kinds that say nothing, and the kinds of which nothing was taken.
pub(crate) fn judged<'f>(
    fates: &'f Fates,
    says_nothing: &BTreeSet<&str>,
) -> (Vec<String>, BTreeSet<&'f str>) {
    let mut ignored = Vec::new();
    let mut never_taken = BTreeSet::new();
    let kinds = fates.iter().filter(|(kind, all)| !all.is_empty() && !says_nothing.contains(kind.as_str()));
    for (kind, all) in kinds {
        let silent = all.iter().filter(|(fate, _)| *fate == Fate::Ignored);
        ignored.extend(silent.map(|(_, place)| format!("{kind}: {place}")));
        if !all.iter().any(|(fate, _)| *fate == Fate::Taken) {
            never_taken.insert(kind.as_str());
        }
    }
    (ignored, never_taken)
}

/// Every value of a text by its kind: its path without numbers.
fn values(text: &Value) -> BTreeMap<String, Vec<String>> {
    let mut all = BTreeMap::new();
    collect(text, (String::new(), String::new()), &mut all);
    all
}

/// Lists of bytes are looked at by those who name them; extras are no glTF's.
const APART: [&str; 6] = ["accessors", "bufferViews", "buffers", "asset", "extras", "extensionsUsed"];

fn collect(value: &Value, (kind, path): (String, String), all: &mut BTreeMap<String, Vec<String>>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members.iter().filter(|(name, _)| !APART.contains(&name.as_str())) {
                let escaped = name.replace('~', "~0").replace('/', "~1");
                collect(member, (format!("{kind}.{name}"), format!("{path}/{escaped}")), all);
            }
        }
        Value::Array(elements) => {
            for (i, element) in elements.iter().enumerate() {
                collect(element, (kind.clone(), format!("{path}/{i}")), all);
            }
        }
        _ => all.entry(kind.trim_start_matches('.').to_owned()).or_default().push(path),
    }
}

/// What a value may be instead; the first that makes a glTF counts.
fn others(value: &Value) -> Vec<Value> {
    match value {
        Value::Bool(is) => vec![json!(!is)],
        Value::Number(number) if number.is_u64() => match number.as_u64().unwrap() {
            // Ways of pictures.
            9728 => vec![json!(9729)],
            9729 => vec![json!(9728)],
            9984..=9987 => vec![json!(9728)],
            10497 => vec![json!(33071)],
            33071 | 33648 => vec![json!(10497)],
            number => {
                let below = number.checked_sub(1).map(|it| json!(it));
                [json!(number + 1)].into_iter().chain(below).collect()
            }
        },
        Value::Number(number) => {
            let number = number.as_f64().unwrap();
            vec![json!(if number > 0.5 { number - 0.125 } else { number + 0.125 })]
        }
        Value::String(word) => match word.as_str() {
            "LINEAR" => vec![json!("STEP")],
            "STEP" => vec![json!("LINEAR")],
            "OPAQUE" | "MASK" => vec![json!("BLEND")],
            "BLEND" => vec![json!("OPAQUE")],
            "translation" => vec![json!("scale")],
            "rotation" | "scale" => vec![json!("translation")],
            "point" => vec![json!("directional")],
            // What it points at is changed beside it.
            "pointer" => Vec::new(),
            "directional" => vec![json!("point")],
            other => vec![json!(format!("{other}s"))],
        },
        _ => Vec::new(),
    }
}

/// Up to so many of a list, from all over it.
fn some<T>(list: &[T], most: usize) -> impl Iterator<Item = &T> {
    let step = list.len().div_ceil(most).max(1);
    list.iter().step_by(step)
}

/// Nodes of the scene that is shown: others repeat them in other states.
fn shown(text: &Value) -> BTreeSet<usize> {
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let roots = text["scenes"][number(&text["scene"])]["nodes"].as_array().unwrap();
    let mut waiting: Vec<usize> = roots.iter().map(number).collect();
    let mut shown = BTreeSet::new();
    while let Some(node) = waiting.pop() {
        shown.insert(node);
        waiting.extend(text["nodes"][node]["children"].as_array().into_iter().flatten().map(number));
    }
    shown
}

/// Whether a place in a text says nothing: of a node that is repeated or that only hides others, or of a single key.
fn is_silent(text: &Value, path: &str) -> bool {
    let words: Vec<&str> = path.split('/').skip(1).collect();
    let number = |word: &str| word.parse::<usize>().unwrap();
    let is_made = |node: &Value| node["extras"]["galvani_made"] == true;
    let target = |channel: &Value| match &channel["target"]["node"] {
        Value::Number(node) => is_made(&text["nodes"][usize::try_from(node.as_u64().unwrap()).unwrap()]),
        _ => false,
    };
    match words.as_slice() {
        ["nodes", node, of, ..] => {
            let hides = *of == "scale" && is_made(&text["nodes"][number(node)]);
            hides || !shown(text).contains(&number(node))
        }
        ["animations", animation, "channels", channel, ..] => {
            target(&text["animations"][number(animation)]["channels"][number(channel)])
        }
        ["animations", animation, "samplers", sampler, "interpolation"] => {
            let animation = &text["animations"][number(animation)];
            let input = animation["samplers"][number(sampler)]["input"].as_u64().unwrap();
            let keys = &text["accessors"][usize::try_from(input).unwrap()]["count"];
            let channels = animation["channels"].as_array().unwrap().iter();
            let mut own = channels.filter(|channel| channel["sampler"] == json!(number(sampler)));
            *keys == 1 || own.all(target)
        }
        _ => false,
    }
}

/// The fates of a text's values.
fn of_text(model: &Model, most: usize, fates: &mut Fates) {
    for (kind, paths) in values(&model.text) {
        let paths: Vec<String> = paths.into_iter().filter(|path| !is_silent(&model.text, path)).collect();
        for path in some(&paths, most) {
            let fate = others(model.text.pointer(path).unwrap()).into_iter().find_map(|other| {
                let mut text = model.text.clone();
                *text.pointer_mut(path).unwrap() = other;
                model.fate(&text, &model.bytes)
            });
            let place = || format!("{} {path}", model.name);
            fates.entry(kind.clone()).or_default().extend(fate.map(|fate| (fate, place())));
        }
    }
}

/// Lists of numbers by what names them.
fn lists(text: &Value) -> BTreeMap<String, BTreeSet<usize>> {
    let mut lists: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    let each = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let mut add = |kind: String, list: &Value| {
        lists.entry(kind).or_default().extend(list.as_u64().map(|list| usize::try_from(list).unwrap()));
    };
    for primitive in each(&text["meshes"]).iter().flat_map(|mesh| each(&mesh["primitives"])) {
        for (name, list) in primitive["attributes"].as_object().unwrap() {
            add(name.clone(), list);
        }
        add("indices".to_owned(), &primitive["indices"]);
    }
    for skin in each(&text["skins"]) {
        add("inverse bind matrices".to_owned(), &skin["inverseBindMatrices"]);
    }
    for animation in each(&text["animations"]) {
        for channel in each(&animation["channels"]) {
            let sampler = &animation["samplers"][number(&channel["sampler"])];
            let made = match &channel["target"]["node"] {
                Value::Null => false,
                node => text["nodes"][number(node)]["extras"]["galvani_made"] == true,
            };
            let path = if made { "hiding" } else { channel["target"]["path"].as_str().unwrap() };
            add(format!("times of {path}"), &sampler["input"]);
            add(format!("keys of {path}"), &sampler["output"]);
        }
    }
    lists
}

/// The fates of the numbers in lists.
fn of_lists(model: &Model, most: usize, fates: &mut Fates) {
    for (kind, lists) in lists(&model.text) {
        let lists: Vec<usize> = lists.into_iter().collect();
        for &list in some(&lists, most) {
            let accessor = &model.text["accessors"][list];
            let (width, is_float) = match accessor["componentType"].as_u64() {
                Some(5126) => (4, true),
                Some(5125) => (4, false),
                Some(5123) => (2, false),
                Some(5121) => (1, false),
                other => panic!("{other:?}"),
            };
            let parts = match accessor["type"].as_str().unwrap() {
                "SCALAR" => 1,
                "VEC2" => 2,
                "VEC3" => 3,
                "VEC4" => 4,
                _ => 16,
            };
            let count = usize::try_from(accessor["count"].as_u64().unwrap()).unwrap();
            let numbers: Vec<usize> = (0..count * parts).collect();
            for number in some(&numbers, most) {
                // The last row of a matrix is always the same.
                let is_row = kind == "inverse bind matrices" && number % 4 == 3;
                let is_idle = is_unused(&model.text, &model.bytes, (list, *number))
                    || is_outside(&model.text, list, (*number, numbers.len()), parts);
                if is_row || is_idle {
                    continue;
                }
                let place = at(&model.text, &json!(list)) + number * width;
                let mut bytes = model.bytes.clone();
                let mut add = |place: usize, by: f32| {
                    let old = f32::from_le_bytes(bytes[place..place + 4].try_into().unwrap());
                    bytes[place..place + 4].copy_from_slice(&(old + by).to_le_bytes());
                };
                match kind.as_str() {
                    // How long a direction is says nothing.
                    "NORMAL" | "TANGENT" | "keys of rotation" => {
                        add(place, 0.25);
                        let beside = if number % parts == 0 { place + 4 } else { place - 4 };
                        add(beside, -0.375);
                    }
                    _ if is_float => add(place, if parts == 1 { 0.001 } else { 0.25 }),
                    _ => bytes[place] ^= 1,
                }
                let fate = model.fate(&model.text, &bytes);
                let said = format!("{} list {list} number {number} of {}", model.name, numbers.len());
                fates.entry(kind.clone()).or_default().extend(fate.map(|fate| (fate, said)));
            }
        }
    }
}
