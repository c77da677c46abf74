//! There and back: what tests of the way back share.
#![allow(dead_code, reason = "each test uses what it needs")]

#[path = "again.rs"]
mod again;

use again::{Stated, faults};
use galvani::formats::{self, Links, Settings, Site};
use galvani::glam::{Quat, Vec3};
use galvani::{Meter, OpenOptions, convert, samples};
use serde_json::{Value, json};

/// The samples, as neighbours of each other.
#[derive(Debug)]
pub(crate) struct Samples;

impl Links for Samples {
    fn find(&self, name: &str) -> Option<std::borrow::Cow<'_, [u8]>> {
        let is_meant = |own: &str| own.rsplit('/').next().is_some_and(|own| own.eq_ignore_ascii_case(name));
        let found = samples::all().into_iter().find(|sample| is_meant(&sample.name));
        found.map(|sample| sample.bytes.into())
    }

    fn names(&self, extension: &str) -> Vec<String> {
        let names = samples::all().into_iter().map(|sample| sample.name);
        names.filter(|name| name.ends_with(&format!(".{extension}"))).collect()
    }
}

pub(crate) fn sample(name: &str) -> Vec<u8> {
    Samples.find(name).unwrap().into_owned()
}

pub(crate) fn glb(name: &str, file: &[u8], words: &[(&str, &str)]) -> Vec<u8> {
    converted(name, file, words).unwrap()
}

/// The glTF of a sample whose own files are others now.
pub(crate) fn again(files: &NamedFiles) -> Vec<u8> {
    let (name, bytes) = &files[0];
    let own = Changed(files);
    let site = Site::named(name, &own);
    let opened = formats::recognise(bytes, Some(name)).unwrap();
    let opened = opened.open_at(bytes, &OpenOptions::default(), &site).unwrap();
    convert::glb(&opened, &site, &Settings::default(), &Meter::unlimited()).unwrap().files
}

/// Files before the samples of their names.
#[derive(Debug)]
struct Changed<'f>(&'f NamedFiles);

impl Links for Changed<'_> {
    fn find(&self, name: &str) -> Option<std::borrow::Cow<'_, [u8]>> {
        let own = self.0.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
        own.map(|(_, bytes)| bytes.as_slice().into()).or_else(|| Samples.find(name))
    }

    fn names(&self, extension: &str) -> Vec<String> {
        Samples.names(extension)
    }
}

/// Nothing where a file does not read, or has no scene.
pub(crate) fn converted(name: &str, file: &[u8], words: &[(&str, &str)]) -> Option<Vec<u8>> {
    made(name, file, words).map(|made| made.files)
}

fn made(name: &str, file: &[u8], words: &[(&str, &str)]) -> Option<convert::Converted<Vec<u8>>> {
    let site = Site::named(name, &Samples);
    let format = formats::recognise(file, Some(name))?;
    let opened = format.open_at(file, &OpenOptions::default(), &site).ok()?;
    let settings = [opened.format.info().lifting, convert::Writing::SETTINGS].concat();
    let settings = Settings::from_words(&settings, words).unwrap();
    convert::glb(&opened, &site, &settings, &Meter::unlimited()).ok()
}

/// Files with their names.
pub(crate) type NamedFiles = Vec<(String, Vec<u8>)>;

pub(crate) fn back(glb: &[u8]) -> Result<Vec<u8>, &'static str> {
    restored(glb).map(|(bytes, _)| bytes)
}

/// The file, and the names of what is told about it.
pub(crate) fn restored(glb: &[u8]) -> Result<(Vec<u8>, Vec<&'static str>), &'static str> {
    let (files, told) = all_restored(glb)?;
    Ok((files.into_iter().next().unwrap().1, told))
}

/// All files with their names, and the names of what is told about them.
pub(crate) fn all_restored(glb: &[u8]) -> Result<(NamedFiles, Vec<&'static str>), &'static str> {
    let opened = formats::by_id("gltf").unwrap().open(glb, &OpenOptions::default()).unwrap();
    let restored = convert::restored(&opened, &Site::NOWHERE, &Meter::unlimited())
        .map_err(|refused| refused.cause.code.name)?;
    let told = restored.report.findings().iter().map(|finding| finding.code.name);
    let told = told.collect();
    Ok((restored.files, told))
}

/// Bytes of what a sample's glTF carries for the way back, which is what is told of it, and of the files that it is made of.
pub(crate) fn extras_and_source(name: &str) -> (usize, usize) {
    let glb = glb(name, &sample(name), &[("embed-source", "yes")]);
    let source = all_restored(&glb).unwrap().0.iter().map(|(_, bytes)| bytes.len()).sum();
    let made = made(name, &sample(name), &[]).unwrap();
    let (text, _) = parts(&made.files);
    let text = text["scenes"][0]["extras"]["galvani"].as_str().unwrap();
    assert_eq!(made.kept, text.len(), "{name}");
    (made.kept, source)
}

/// Changes one number of every list of a glTF a little, one after the other; how many changes went into the file. None may be
/// lost without a word.
pub(crate) fn nothing_is_lost(name: &str, file: &[u8], glb: &[u8]) -> usize {
    let (text, bytes) = parts(glb);
    let (_, usual) = all_restored(glb).unwrap();
    let (mut taken, hiding) = (0, hiding(&text));
    for (index, accessor) in text["accessors"].as_array().unwrap().iter().enumerate() {
        let count = accessor["count"].as_u64().unwrap();
        // When a single key is says nothing.
        if count == 1 && accessor["type"] == "SCALAR" || hiding.contains(&json!(index)) {
            continue;
        }
        let (width, is_float) = match accessor["componentType"].as_u64() {
            Some(5126) => (4, true),
            Some(5121) => (1, false),
            Some(5123) => (2, false),
            Some(5125) => (4, false),
            _ => continue,
        };
        let numbers = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => continue,
        };
        let place = at(&text, &json!(index)) + usize::try_from(count / 2 * numbers * width).unwrap();
        let mut changed = bytes.clone();
        if is_float {
            // The length of a normal says nothing, its direction does.
            let first = if accessor["type"] == "SCALAR" { 0.001 } else { 0.125 };
            for (at, by) in
                [(place, first), (place + 4, -0.25)].into_iter().take(usize::try_from(numbers).unwrap())
            {
                let number = f32::from_le_bytes(changed[at..at + 4].try_into().unwrap());
                changed[at..at + 4].copy_from_slice(&(number + by).to_le_bytes());
            }
        } else {
            changed[place] ^= 1;
        }
        // A refusal is a word, too.
        if let Ok((files, told)) = all_restored(&joined(&text, &changed)) {
            let made: Vec<u8> = files.into_iter().flat_map(|(_, bytes)| bytes).collect();
            assert!(made != file || told != usual, "{name}: accessor {index}, {accessor}");
            taken += usize::from(made != file);
        }
    }
    taken
}

/// The text and the bytes of a `.glb`.
pub(crate) fn parts(glb: &[u8]) -> (Value, Vec<u8>) {
    let len = usize::try_from(u32::from_le_bytes(glb[12..16].try_into().unwrap())).unwrap();
    (serde_json::from_slice(&glb[20..20 + len]).unwrap(), glb[28 + len..].to_vec())
}

pub(crate) fn joined(text: &Value, bytes: &[u8]) -> Vec<u8> {
    let mut text = serde_json::to_vec(text).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    let word = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
    let head = [*b"glTF", word(2), word(28 + text.len() + bytes.len()), word(text.len()), *b"JSON"];
    [&head.concat(), &text, &word(bytes.len())[..], b"BIN\0", bytes].concat()
}

/// Where the values of an accessor begin in the bytes.
pub(crate) fn at(text: &Value, accessor: &Value) -> usize {
    let accessor = &text["accessors"][usize::try_from(accessor.as_u64().unwrap()).unwrap()];
    let view = &text["bufferViews"][usize::try_from(accessor["bufferView"].as_u64().unwrap()).unwrap()];
    let offset = |value: &Value| usize::try_from(value["byteOffset"].as_u64().unwrap_or(0)).unwrap();
    offset(accessor) + offset(view)
}

/// Lists of nodes that were only made to hide others: what counts of them is whether they are there or not.
fn hiding(text: &Value) -> Vec<Value> {
    let mut lists = Vec::new();
    for animation in text["animations"].as_array().into_iter().flatten() {
        for channel in animation["channels"].as_array().unwrap() {
            let place = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
            let node = &text["nodes"][place(&channel["target"]["node"])];
            let sampler = &animation["samplers"][place(&channel["sampler"])];
            lists.extend((node["extras"]["galvani_made"] == true).then(|| sampler["output"].clone()));
        }
    }
    lists
}

/// How often a list of a glTF is meant: equal lists are there once.
fn uses(text: &Value, accessor: usize) -> usize {
    let is_it = |value: &Value| value.as_u64() == u64::try_from(accessor).ok();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let primitives =
        list(&text["meshes"]).iter().flat_map(|mesh| list(&mesh["primitives"])).collect::<Vec<_>>();
    let named = |primitive: &Value| {
        let attributes = primitive["attributes"].as_object().unwrap();
        attributes.values().chain([&primitive["indices"]]).filter(|value| is_it(value)).count()
    };
    let mut count: usize = primitives.iter().map(named).sum();
    for animation in list(&text["animations"]) {
        for channel in list(&animation["channels"]) {
            let sampler = usize::try_from(channel["sampler"].as_u64().unwrap()).unwrap();
            let sampler = &animation["samplers"][sampler];
            count += [&sampler["input"], &sampler["output"]].into_iter().filter(|value| is_it(value)).count();
        }
    }
    count
}

/// Bytes of a value in a file, at most: four numbers.
const VALUE: usize = 16;

/// Packs of animations are folded: a frame is told by the one before it.
fn is_folded(name: &str) -> bool {
    name.ends_with("da")
}

/// A model whose numbers and names are changed one by one.
struct Walk<'w> {
    text: Value,
    bytes: Vec<u8>,
    files: NamedFiles,
    told: Vec<&'static str>,
    stated: Stated,
    again: &'w dyn Fn(&NamedFiles) -> Vec<u8>,
    /// How many changes there were, and how many went into files.
    count: usize,
    taken: usize,
}

/// Changes what a glTF states one by one, every so many of them: each is changed in its file and nothing else is, so that the glTF of
/// those files has the change and is otherwise as it was; or it is told or refused. How many there are, and how many went into files.
pub(crate) fn only_the_change(
    glb: &[u8],
    every: usize,
    again: &dyn Fn(&NamedFiles) -> Vec<u8>,
) -> (usize, usize) {
    let (text, bytes) = parts(glb);
    let (files, told) = all_restored(glb).unwrap();
    let stated = Stated::new(&text, &bytes);
    let (own, rest) = parts(&again(&files));
    assert!(stated == Stated::new(&own, &rest), "files that came back make the same glTF");
    let mut walk = Walk { text, bytes, files, told, stated, again, count: 0, taken: 0 };
    walk.lists(every);
    walk.nodes(every.div_ceil(NODES));
    (walk.count, walk.taken)
}

impl Walk<'_> {
    /// Every number of every list.
    fn lists(&mut self, every: usize) {
        let mut turn = 0;
        for (index, accessor) in self.text["accessors"].as_array().unwrap().clone().iter().enumerate() {
            let (width, is_float) = match accessor["componentType"].as_u64() {
                Some(5126) => (4, true),
                Some(5121) => (1, false),
                Some(5123) => (2, false),
                Some(5125) => (4, false),
                _ => continue,
            };
            let parts = match accessor["type"].as_str().unwrap() {
                "SCALAR" => 1,
                "VEC2" => 2,
                "VEC3" => 3,
                "VEC4" => 4,
                _ => continue,
            };
            let numbers = parts * usize::try_from(accessor["count"].as_u64().unwrap()).unwrap();
            for number in 0..numbers {
                turn += 1;
                if turn % every == 0 {
                    self.number(index, (number, numbers), (parts, width, is_float));
                }
            }
        }
    }

    fn number(
        &mut self,
        index: usize,
        (number, numbers): (usize, usize),
        (parts, width, is_float): (usize, usize, bool),
    ) {
        let start = at(&self.text, &json!(index));
        let (place, value) = (start + number * width, start + number / parts * parts * width);
        let mut changed = self.bytes.clone();
        if is_float {
            let old = f32::from_le_bytes(changed[place..place + 4].try_into().unwrap());
            let by = if parts == 1 { 0.001 } else { 0.125 };
            changed[place..place + 4].copy_from_slice(&(old + by).to_le_bytes());
        } else {
            changed[place] ^= 1;
        }
        let said = format!("accessor {index}, number {number}: {}", self.text["accessors"][index]);
        let values = [&self.bytes, &changed].map(|bytes| bytes[value..value + parts * width].to_vec());
        let most = VALUE * uses(&self.text, index);
        let text = self.text.clone();
        let is_idle = || {
            is_idle(&text, index, numbers, [&values[0], &values[1]])
                || is_unused(&text, &changed, (index, number))
                || is_outside(&text, index, (number, numbers), parts)
        };
        self.change((&text, &changed), most, (&said, &is_idle));
    }

    /// Where every node is at rest, how it is turned and how large it is, and what nodes and motions are called.
    fn nodes(&mut self, every: usize) {
        let mut turn = 0;
        let mut waiting: Vec<Value> = self.text["scenes"][0]["nodes"].as_array().unwrap().clone();
        let mut changes: Vec<(String, Value)> = Vec::new();
        while let Some(number) = waiting.pop() {
            let node = &self.text["nodes"][usize::try_from(number.as_u64().unwrap()).unwrap()];
            waiting.extend(node["children"].as_array().into_iter().flatten().cloned());
            if node["extras"]["galvani_made"] == true {
                continue;
            }
            let path = |member: &str| format!("/nodes/{number}/{member}");
            changes.push((path("name"), json!(format!("{}x", node["name"].as_str().unwrap()))));
            for (member, usual) in
                [("translation", json!([0.0, 0.0, 0.0])), ("scale", json!([1.0, 1.0, 1.0]))]
            {
                let old = if node[member].is_null() { &usual } else { &node[member] };
                for part in 0..3 {
                    let mut new = old.clone();
                    new[part] = json!(old[part].as_f64().unwrap() + 0.125);
                    changes.push((path(member), new));
                }
            }
            let turned = |axis: Vec3| {
                let old: [f32; 4] =
                    serde_json::from_value(node["rotation"].clone()).unwrap_or([0.0, 0.0, 0.0, 1.0]);
                (Quat::from_array(old) * Quat::from_axis_angle(axis, 0.25)).normalize().to_array()
            };
            changes.extend([Vec3::X, Vec3::Y, Vec3::Z].map(|axis| (path("rotation"), json!(turned(axis)))));
        }
        for (i, animation) in self.text["animations"].as_array().into_iter().flatten().enumerate() {
            let name = json!(format!("{}x", animation["name"].as_str().unwrap()));
            changes.push((format!("/animations/{i}/name"), name));
        }
        for (path, value) in changes {
            turn += 1;
            if turn % every != 0 {
                continue;
            }
            let (mut text, bytes) = (self.text.clone(), self.bytes.clone());
            let (above, member) = path.rsplit_once('/').unwrap();
            text.pointer_mut(above).unwrap()[member] = value;
            let most = if member == "name" { NAME } else { VALUE * PLACES };
            let said = format!("{path}, {}", self.text.pointer(above).unwrap());
            self.change((&text, &bytes), most, (&said, &|| false));
        }
    }

    /// What becomes of one change, which may change so many bytes at most.
    fn change(
        &mut self,
        (text, bytes): (&Value, &[u8]),
        most: usize,
        (said, is_idle): (&str, &dyn Fn() -> bool),
    ) {
        self.count += 1;
        let Ok((files, told)) = all_restored(&joined(text, bytes)) else { return };
        assert_eq!(files.len(), self.files.len(), "{said}");
        let mut differing = 0;
        for ((name, old), (_, new)) in self.files.iter().zip(&files) {
            // A text is as long as it needs to be.
            if is_folded(name) || old.len() != new.len() {
                assert!(
                    is_folded(name) || old.is_ascii() && old.len().abs_diff(new.len()) <= most,
                    "{name}: {said}"
                );
                differing += usize::from(old != new);
            } else {
                differing += old.iter().zip(new).filter(|(old, new)| old != new).count();
            }
        }
        assert!(differing <= most, "{differing} bytes: {said}, {told:?}");
        let is_told = told != self.told;
        assert!(differing > 0 || is_told || is_idle(), "{said}, {told:?}");
        if differing == 0 {
            return;
        }
        self.taken += 1;
        let (wanted, (text, bytes)) = (Stated::new(text, bytes), parts(&(self.again)(&files)));
        let faults = faults(&self.stated, &wanted, &Stated::new(&text, &bytes), is_told);
        let first: Vec<&String> = faults.iter().take(6).collect();
        assert!(faults.is_empty(), "{said}, {told:?}: {} faults: {first:#?}", faults.len());
    }
}

/// How many numbers of lists there are for one of nodes that is changed, where not all are.
const NODES: usize = 8;

/// Bytes of a name at most.
const NAME: usize = 80;

/// Places at which a file may have where a node is at rest.
const PLACES: usize = 8;

/// Whether a number of a list says nothing: when the only key of a curve is, how a node is scaled that is only there to hide others,
/// how long a direction is.
fn is_idle(text: &Value, accessor: usize, numbers: usize, [old, new]: [&[u8]; 2]) -> bool {
    let direction = |bytes: &[u8]| -> Vec<f32> {
        let numbers: Vec<f32> =
            bytes.chunks_exact(4).map(|word| f32::from_le_bytes(word.try_into().unwrap())).collect();
        let length = numbers.iter().map(|number| number * number).sum::<f32>().sqrt();
        numbers.iter().map(|number| number / length).collect()
    };
    let turned = || direction(old).iter().zip(direction(new)).any(|(old, new)| (old - new).abs() > 0.02);
    numbers == 1 || hiding(text).contains(&json!(accessor)) || is_direction(text, accessor) && !turned()
}

/// Whether a number says how a curve comes to its first key, or leaves its last.
pub(crate) fn is_outside(
    text: &Value,
    accessor: usize,
    (number, numbers): (usize, usize),
    parts: usize,
) -> bool {
    let is_it = |value: &Value| value.as_u64() == u64::try_from(accessor).ok();
    let animations = text["animations"].as_array().into_iter().flatten();
    let mut samplers = animations.flat_map(|animation| animation["samplers"].as_array().unwrap());
    let is_cubic = samplers.any(|it| is_it(&it["output"]) && it["interpolation"] == "CUBICSPLINE");
    is_cubic && (number < parts || number + parts >= numbers)
}

/// Whether a number of a list is a joint that pulls not at all.
pub(crate) fn is_unused(text: &Value, bytes: &[u8], (accessor, number): (usize, usize)) -> bool {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let is_it = |value: &Value| value.as_u64() == u64::try_from(accessor).ok();
    let primitives = list(&text["meshes"]).into_iter().flat_map(|mesh| list(&mesh["primitives"]));
    let mut weights = Vec::new();
    for attributes in primitives.map(|primitive| primitive["attributes"].clone()) {
        let sets = (0..2).filter(|set| is_it(&attributes[format!("JOINTS_{set}")]));
        for set in sets {
            let place = at(text, &attributes[format!("WEIGHTS_{set}")]) + number * 4;
            weights.push(f32::from_le_bytes(bytes[place..place + 4].try_into().unwrap()));
        }
    }
    !weights.is_empty() && weights.iter().all(|weight| *weight == 0.0)
}

/// Whether a list of that name has normals or tangents.
fn is_direction_name(name: &str) -> bool {
    matches!(name, "NORMAL" | "TANGENT")
}

/// Whether a list has normals, tangents or turns.
fn is_direction(text: &Value, accessor: usize) -> bool {
    let is_it = |value: &Value| value.as_u64() == u64::try_from(accessor).ok();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let in_mesh = list(&text["meshes"]).iter().flat_map(|mesh| list(&mesh["primitives"])).any(|primitive| {
        is_it(&primitive["attributes"]["NORMAL"]) || is_it(&primitive["attributes"]["TANGENT"])
    });
    let in_clip = list(&text["animations"]).iter().any(|animation| {
        list(&animation["channels"]).iter().any(|channel| {
            let sampler = usize::try_from(channel["sampler"].as_u64().unwrap()).unwrap();
            channel["target"]["path"] == "rotation" && is_it(&animation["samplers"][sampler]["output"])
        })
    });
    in_mesh || in_clip
}

/// A list of its own with the values of another, as programs write them that do not share lists: its number.
pub(crate) fn doubled(text: &mut Value, bytes: &mut Vec<u8>, accessor: &Value) -> Value {
    let start = at(text, accessor);
    let mut twin = text["accessors"][usize::try_from(accessor.as_u64().unwrap()).unwrap()].clone();
    let width = match twin["type"].as_str().unwrap() {
        "SCALAR" => 4,
        "VEC2" => 8,
        "VEC3" => 12,
        _ => 16,
    };
    let len = width * usize::try_from(twin["count"].as_u64().unwrap()).unwrap();
    let view = json!({"buffer": 0, "byteOffset": bytes.len(), "byteLength": len});
    bytes.extend_from_within(start..start + len);
    text["buffers"][0]["byteLength"] = json!(bytes.len());
    let views = text["bufferViews"].as_array_mut().unwrap();
    views.push(view);
    (twin["bufferView"], twin["byteOffset"]) = (json!(views.len() - 1), json!(0));
    let accessors = text["accessors"].as_array_mut().unwrap();
    accessors.push(twin);
    json!(accessors.len() - 1)
}
