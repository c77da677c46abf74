//! There and back: what tests of the way back share.
#![allow(dead_code, reason = "each test uses what it needs")]

use galvani::formats::{self, Links, Settings, Site};
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

/// Nothing where a file does not read, or has no scene.
pub(crate) fn converted(name: &str, file: &[u8], words: &[(&str, &str)]) -> Option<Vec<u8>> {
    let site = Site::named(name, &Samples);
    let format = formats::recognise(file, Some(name))?;
    let opened = format.open_at(file, &OpenOptions::default(), &site).ok()?;
    let settings = [opened.format.info().lifting, convert::Writing::SETTINGS].concat();
    let settings = Settings::from_words(&settings, words).unwrap();
    convert::glb(&opened, &site, &settings, &Meter::unlimited()).ok().map(|made| made.files)
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

/// Bytes of what a sample's glTF carries for the way back, and of the files that it is made of.
pub(crate) fn extras_and_source(name: &str) -> (usize, usize) {
    let glb = glb(name, &sample(name), &[("embed-source", "yes")]);
    let source = all_restored(&glb).unwrap().0.iter().map(|(_, bytes)| bytes.len()).sum();
    let (text, _) = parts(&converted(name, &sample(name), &[]).unwrap());
    (text["scenes"][0]["extras"]["galvani"].as_str().unwrap().len(), source)
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

/// Changes the numbers of a glTF one by one, every so many of them: each is changed in its file and nothing else is, or it is told or
/// refused. How many there are, and how many went into files.
pub(crate) fn only_the_change(glb: &[u8], every: usize, is_folded: fn(&str) -> bool) -> (usize, usize) {
    let (text, bytes) = parts(glb);
    let (before, usual) = all_restored(glb).unwrap();
    let (mut count, mut taken, mut turn) = (0, 0, 0);
    for (index, accessor) in text["accessors"].as_array().unwrap().iter().enumerate() {
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
            if turn % every != 0 {
                continue;
            }
            let place = at(&text, &json!(index)) + number * width;
            let mut changed = bytes.clone();
            if is_float {
                let old = f32::from_le_bytes(changed[place..place + 4].try_into().unwrap());
                let by = if parts == 1 { 0.001 } else { 0.125 };
                changed[place..place + 4].copy_from_slice(&(old + by).to_le_bytes());
            } else {
                changed[place] ^= 1;
            }
            count += 1;
            let Ok((after, told)) = all_restored(&joined(&text, &changed)) else { continue };
            let value = at(&text, &json!(index)) + number / parts * parts * width;
            let values = [&bytes, &changed].map(|bytes| &bytes[value..value + parts * width]);
            let said = format!("accessor {index}, number {number}: {accessor}, {told:?}");
            assert_eq!(after.len(), before.len(), "{said}");
            let mut differing = 0;
            for ((name, old), (_, new)) in before.iter().zip(&after) {
                if is_folded(name) {
                    differing += usize::from(old != new);
                } else {
                    assert_eq!(old.len(), new.len(), "{name}: {said}");
                    differing += old.iter().zip(new).filter(|(old, new)| old != new).count();
                }
            }
            assert!(differing <= VALUE * uses(&text, index), "{differing} bytes: {said}");
            let is_idle = || {
                is_idle(&text, index, numbers, values)
                    || is_unused(&text, &bytes, (index, number))
                    || is_outside(&text, index, (number, numbers), parts)
            };
            assert!(differing > 0 || told != usual || is_idle(), "{said}");
            taken += usize::from(differing > 0);
        }
    }
    (count, taken)
}

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
