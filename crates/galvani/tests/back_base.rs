//! The way back with the file that a glTF was made of: what somebody changed is taken or told, and of what nobody did nothing is said.
#![cfg(all(feature = "parkan", feature = "ff7", feature = "mdx", feature = "texture", feature = "gltf"))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]

#[path = "common/way_back.rs"]
mod way_back;

use galvani::convert::{self, ModelTarget, ModelWish, Writing};
use galvani::formats::{self, Around, Links, Settings, Shelf, Site};
use galvani::{Meter, OpenOptions};
use serde_json::{Value, json};
use way_back::{NamedFiles, Samples, all_restored, at, doubled, glb, joined, parts, sample};

const MODELS: [&str; 5] = ["walker.msh", "lantern.mdx", "lantern-wow.mdx", "zgaa", "boat.hrc"];

/// Files, and what is told about them.
type Came = (NamedFiles, Vec<String>);

/// What a glTF becomes, and what is told, with the model that it was made of at hand if somebody names it.
fn made(model: &str, glb: &[u8], words: &[(&str, &str)], has_base: bool) -> Came {
    let bytes = sample(model);
    let site = Site::named(model, &Samples);
    let format = formats::recognise(&bytes, Some(model)).unwrap();
    let base = format.open_at(&bytes, &OpenOptions::default(), &site).unwrap();
    let came = formats::by_id("gltf").unwrap().open(glb, &OpenOptions::default()).unwrap();
    let settings = Settings::from_words(Writing::SETTINGS, words).unwrap();
    let target = ModelTarget::by_word(format.info().way_back.unwrap().word).unwrap();
    let wish = ModelWish { base: has_base.then_some((&base, &site)), ..ModelWish::default() };
    let made =
        convert::model(&came, &Site::NOWHERE, target, &wish, (&settings, &Meter::unlimited())).unwrap();
    let told = made.report.findings().iter().map(|it| format!("{}: {}", it.code.name, it.message)).collect();
    (made.files, told)
}

fn with_base(model: &str, glb: &[u8]) -> Came {
    made(model, glb, &[], true)
}

/// The files of a model that nobody changed.
fn untouched(model: &str) -> NamedFiles {
    let (files, told) = with_base(model, &glb(model, &sample(model), &[]));
    assert_eq!(told, Vec::<String>::new(), "{model}");
    assert!(files[0].1 == sample(model), "{model}");
    files
}

fn differing(old: &[u8], new: &[u8]) -> usize {
    assert_eq!(old.len(), new.len());
    old.iter().zip(new).filter(|(old, new)| old != new).count()
}

#[test]
fn of_what_nobody_changed_nothing_is_told() {
    for model in MODELS {
        untouched(model);
        let flags = ["lights", "lod-ext", "pointer", "variants", "unlit"].map(|flag| [(flag, "yes")]);
        for words in flags.iter().chain([&[("visibility", "extras")]]) {
            let (files, told) = made(model, &glb(model, &sample(model), words), words, true);
            assert!(files[0].1 == sample(model), "{model} {words:?}");
            assert_eq!(told, Vec::<String>::new(), "{model} {words:?}");
        }
    }
}

/// What only glTF says of a surface has no place in a file: that is told, with a base and without.
#[test]
fn shadows_and_strong_glows_that_were_painted_later_are_told() {
    for model in MODELS {
        let (mut text, bytes) = parts(&glb(model, &sample(model), &[]));
        text["materials"][0]["occlusionTexture"] = json!({"index": 0});
        let shaded = joined(&text, &bytes);
        text["materials"][0].as_object_mut().unwrap().remove("occlusionTexture");
        text["materials"][0]["emissiveFactor"] = json!([1.0, 0.0, 0.0]);
        text["materials"][0]["extensions"] =
            json!({"KHR_materials_emissive_strength": {"emissiveStrength": 8.0}});
        for changed in [shaded, joined(&text, &bytes)] {
            for has_base in [true, false] {
                let (files, told) = made(model, &changed, &[], has_base);
                assert!(files[0].1 == sample(model), "{model}");
                assert!(told.iter().any(|it| it.starts_with("gltf.lost-shading")), "{model}: {told:?}");
            }
        }
    }
}

/// The numbers of nodes that hang in a scene, and those below them.
fn nodes_of(text: &Value, scene: usize) -> Vec<usize> {
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let mut waiting: Vec<usize> =
        text["scenes"][scene]["nodes"].as_array().unwrap().iter().map(number).collect();
    let mut all = Vec::new();
    while let Some(node) = waiting.pop() {
        all.push(node);
        waiting.extend(text["nodes"][node]["children"].as_array().into_iter().flatten().map(number));
    }
    all
}

/// The same with one scene, as programs have it that put other states beside what is shown.
fn in_one_scene(text: &Value) -> Value {
    let mut text = text.clone();
    let scenes = text["scenes"].as_array_mut().unwrap();
    let others: Vec<Value> =
        scenes.drain(1..).flat_map(|scene| scene["nodes"].as_array().unwrap().clone()).collect();
    scenes[0]["nodes"].as_array_mut().unwrap().extend(others);
    text
}

/// A vertex of a mesh that only another level of detail or state shows is one of the file.
#[test]
fn meshes_of_other_states_are_taken() {
    for (model, least) in [("walker.msh", 2)] {
        let old = untouched(model);
        let (text, bytes) = parts(&glb(model, &sample(model), &[]));
        let number = |value: &Value| value.as_u64().map(|it| usize::try_from(it).unwrap());
        let mesh = |node: &usize| number(&text["nodes"][*node]["mesh"]);
        let shown: Vec<usize> = nodes_of(&text, 0).iter().filter_map(mesh).collect();
        let others = (1..text["scenes"].as_array().unwrap().len()).flat_map(|scene| nodes_of(&text, scene));
        let others: std::collections::BTreeSet<usize> =
            others.filter_map(|node| mesh(&node)).filter(|mesh| !shown.contains(mesh)).collect();
        assert!(others.len() >= least, "{model}: {others:?}");
        for mesh in others {
            let (mut text, mut changed) = (text.clone(), bytes.clone());
            let list = text["meshes"][mesh]["primitives"][0]["attributes"]["POSITION"].clone();
            // Equal lists are written once: one of its own is changed.
            let own = doubled(&mut text, &mut changed, &list);
            let place = at(&text, &own);
            text["meshes"][mesh]["primitives"][0]["attributes"]["POSITION"] = own;
            let old_number = f32::from_le_bytes(changed[place..place + 4].try_into().unwrap());
            changed[place..place + 4].copy_from_slice(&(old_number + 16.0).to_le_bytes());
            for text in [&text, &in_one_scene(&text)] {
                let (files, told) = with_base(model, &joined(text, &changed));
                assert_eq!(told, Vec::<String>::new(), "{model}: mesh {mesh}");
                let all = old.iter().zip(&files).map(|((_, old), (_, new))| differing(old, new));
                let count: usize = all.sum();
                assert!((1..=12).contains(&count), "{model}: mesh {mesh}: {count} bytes");
            }
        }
    }
}

/// What came of a glTF with one change; no file may have followed it.
fn told_of(model: &str, words: &[(&str, &str)], change: &dyn Fn(&mut Value, &mut Vec<u8>)) -> Vec<String> {
    let (mut text, mut bytes) = parts(&glb(model, &sample(model), words));
    change(&mut text, &mut bytes);
    let (files, told) = made(model, &joined(&text, &bytes), words, true);
    assert!(files[0].1 == sample(model), "{model}");
    told
}

/// A vertex that another joint pulls at has the group of that joint, or its byte; one that pulls otherwise than any group is refused.
#[test]
fn other_weights_are_taken() {
    for model in ["lantern.mdx", "lantern-wow.mdx"] {
        let old = untouched(model);
        let (text, bytes) = parts(&glb(model, &sample(model), &[]));
        let attributes = |mesh: &Value| mesh["primitives"][0]["attributes"].clone();
        let mut all = text["meshes"].as_array().unwrap().iter().map(attributes);
        let list = all.find(|list| !list["JOINTS_0"].is_null()).unwrap();
        let count = &text["accessors"][usize::try_from(list["JOINTS_0"].as_u64().unwrap()).unwrap()]["count"];
        let place = at(&text, &list["JOINTS_0"]);
        let joints = bytes[place..].chunks_exact(4).take(usize::try_from(count.as_u64().unwrap()).unwrap());
        let other = joints.map(|joints| joints[0]).find(|joint| *joint != bytes[place]).expect("two joints");
        let mut changed = bytes.clone();
        changed[place] = other;
        let (files, told) = with_base(model, &joined(&text, &changed));
        assert_eq!(told, Vec::<String>::new(), "{model}");
        let count = differing(&old[0].1, &files[0].1);
        assert!((1..=8).contains(&count), "{model}: {count} bytes");
    }
}

/// What a node hangs on, as Blender shows it, too.
#[test]
fn what_hangs_on_another_is_taken() {
    for model in ["walker.msh", "lantern.mdx", "zgaa"] {
        let old = untouched(model);
        let (mut text, bytes) = parts(&glb(model, &sample(model), &[]));
        let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
        let id = |text: &Value, node: usize| text["nodes"][node]["extras"]["galvani_id"].as_u64();
        let nodes = nodes_of(&text, 0);
        let children = |node: usize| -> Vec<usize> {
            text["nodes"][node]["children"].as_array().into_iter().flatten().map(number).collect()
        };
        // A leaf that hangs on what hangs on something itself moves up by one.
        let found = nodes.iter().find_map(|above| {
            let below = children(*above).into_iter().find(|node| {
                id(&text, *node).is_some()
                    && children(*node)
                        .iter()
                        .any(|leaf| id(&text, *leaf).is_some() && children(*leaf).is_empty())
            })?;
            let leaf = children(below)
                .into_iter()
                .find(|leaf| id(&text, *leaf).is_some() && children(*leaf).is_empty());
            Some((*above, below, leaf?))
        });
        let Some((above, below, leaf)) = found else { panic!("{model} has no leaf") };
        text["nodes"][below]["children"].as_array_mut().unwrap().retain(|node| *node != leaf);
        if text["nodes"][below]["children"].as_array().unwrap().is_empty() {
            text["nodes"][below].as_object_mut().unwrap().remove("children");
        }
        text["nodes"][above]["children"].as_array_mut().unwrap().push(json!(leaf));
        let (files, told) = with_base(model, &joined(&text, &bytes));
        assert!(!told.iter().any(|told| told.starts_with("scene.")), "{model}: {told:?}");
        assert!(files != old || told.iter().any(|told| told.contains("hangs on")), "{model}: {told:?}");
    }
}

/// Which triangles show a surface does not hang on what it is called.
#[test]
fn other_names_of_surfaces_are_told() {
    for model in MODELS {
        let told = told_of(model, &[], &|text, _| text["materials"][0]["name"] = json!("mine"));
        assert_eq!(told.len(), 1, "{model}: {told:?}");
        assert!(
            told[0].starts_with("scene.not-taken: ") && told[0].ends_with("is called `mine`"),
            "{told:?}"
        );
    }
}

/// What extensions say of surfaces.
#[test]
fn other_looks_and_motions_of_surfaces_are_told() {
    let look = told_of("lantern.mdx", &[("variants", "yes")], &|text, _| {
        text["extensions"]["KHR_materials_variants"]["variants"][0]["name"] = json!("mine");
    });
    assert!(look.len() == 1 && look[0].contains("`mine` is new"), "{look:?}");
    let moved = told_of("lantern.mdx", &[("pointer", "yes")], &|text, bytes| {
        let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
        let animations = text["animations"].as_array().unwrap().clone();
        let is_pointed = |channel: &&Value| channel["target"]["path"] == "pointer";
        let found = animations.iter().find_map(|animation| {
            let channel = animation["channels"].as_array().unwrap().iter().find(is_pointed)?;
            Some(animation["samplers"][number(&channel["sampler"])]["output"].clone())
        });
        let place = at(text, &found.expect("a motion of a surface"));
        bytes[place..place + 4].copy_from_slice(&0.125_f32.to_le_bytes());
    });
    assert!(moved.iter().any(|told| told.starts_with("scene.not-taken: the ")), "{moved:?}");
}

#[test]
fn other_cameras_are_told() {
    let told =
        told_of("lantern.mdx", &[], &|text, _| text["cameras"][0]["perspective"]["yfov"] = json!(0.25));
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("scene.not-taken: `") && told[0].contains("an angle of 0.25"), "{told:?}");
    let gone = told_of("lantern.mdx", &[], &|text, _| {
        text.as_object_mut().unwrap().remove("cameras");
        for node in text["nodes"].as_array_mut().unwrap() {
            node.as_object_mut().unwrap().remove("camera");
        }
    });
    assert!(gone.len() == 1 && gone[0].starts_with("scene.absent: the camera of"), "{gone:?}");
}

#[test]
fn other_lights_are_told() {
    let told = told_of("lantern.mdx", &[("lights", "yes")], &|text, _| {
        text["extensions"]["KHR_lights_punctual"]["lights"][0]["intensity"] = json!(77.0);
    });
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("scene.not-taken: `") && told[0].contains("a strength of 77"), "{told:?}");
}

/// What is hidden is scaled to nothing by a node of ours, at rest and by steps.
#[test]
fn what_is_hidden_otherwise_is_told() {
    let rest = told_of("zgaa", &[], &|text, _| {
        let is_nothing = |size: &Value| {
            size.as_array().is_some_and(|size| size.iter().all(|part| part.as_f64() == Some(0.0)))
        };
        let is_hider =
            |node: &&mut Value| node["extras"]["galvani_made"] == true && is_nothing(&node["scale"]);
        let node = text["nodes"].as_array_mut().unwrap().iter_mut().find(is_hider).unwrap();
        node.as_object_mut().unwrap().remove("scale");
    });
    assert!(rest.iter().any(|told| told.ends_with("is seen at rest")), "{rest:?}");
    let clip = told_of("zgaa", &[], &|text, bytes| {
        let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
        let mut lists = Vec::new();
        for animation in text["animations"].as_array().unwrap() {
            for channel in animation["channels"].as_array().unwrap() {
                let made = &text["nodes"][number(&channel["target"]["node"])]["extras"]["galvani_made"];
                let output = &animation["samplers"][number(&channel["sampler"])]["output"];
                if *made == true && channel["target"]["path"] == "scale" {
                    lists.push((at(text, output), number(&text["accessors"][number(output)]["count"])));
                }
            }
        }
        let is_shown = |place: &usize| bytes[*place..place + 4] == 1.0_f32.to_le_bytes();
        let (place, count) = *lists.iter().find(|(place, _)| is_shown(place)).expect("a weapon that is held");
        bytes[place..place + 12 * count].fill(0);
    });
    assert!(clip.iter().any(|told| told.contains("is hidden otherwise in")), "{clip:?}");
}

/// What another program puts in that scenes do not hold is told as well.
#[test]
fn what_no_scene_holds_is_told() {
    let told = told_of("boat.hrc", &[], &|text, _| {
        let primitive = &mut text["meshes"][0]["primitives"][0];
        primitive["targets"] = json!([{"POSITION": primitive["attributes"]["POSITION"]}]);
    });
    assert!(told.iter().any(|told| told.starts_with("gltf.lost-morph")), "{told:?}");
}

/// Other states stand where the first one does.
#[test]
fn nodes_of_other_states_that_were_moved_are_told() {
    let moved = |text: &mut Value| {
        let node =
            nodes_of(text, 1).into_iter().find(|node| !text["nodes"][*node]["mesh"].is_null()).unwrap();
        text["nodes"][node]["translation"] = json!([50.0, 0.0, 0.0]);
    };
    let kept = told_of("walker.msh", &[], &|text, _| moved(text));
    assert!(kept.len() == 1 && kept[0].starts_with("gltf.lost-place: 1 of"), "{kept:?}");
    let beside = told_of("walker.msh", &[], &|text, _| {
        moved(text);
        *text = in_one_scene(text);
    });
    assert!(beside.len() == 1 && beside[0].contains("is moved by"), "{beside:?}");
}

/// What goes into a scene and into no file says what it is, and by how much it is off.
#[test]
fn what_the_file_cannot_hold_is_told_by_name() {
    let told = told_of("walker.msh", &[], &|text, _| {
        let node = text["nodes"].as_array_mut().unwrap().iter_mut();
        let mut node = node.filter(|node| node["extras"]["galvani_id"].is_i64());
        node.nth(1).unwrap()["scale"] = json!([1.0, 2.0, 1.0]);
    });
    let is_said = told
        .iter()
        .any(|told| told.starts_with("file.lost-change: the size of `") && told.contains("1.0e0 off"));
    assert!(is_said, "{told:?}");
}

/// Every straight motion with a key in the middle of every two, as a program writes it that samples anew.
fn resampled(glb: &[u8]) -> Vec<u8> {
    let (mut text, mut bytes) = parts(glb);
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let floats = |text: &Value, bytes: &[u8], list: &Value, width: usize| -> Vec<f32> {
        let (start, count) = (at(text, list), number(&text["accessors"][number(list)]["count"]) * width);
        let words = bytes[start..start + 4 * count].chunks_exact(4);
        words.map(|word| f32::from_le_bytes(word.try_into().unwrap())).collect()
    };
    let add = |text: &mut Value, bytes: &mut Vec<u8>, list: &Value, values: &[f32], width: usize| {
        let twin = doubled(text, bytes, list);
        let view = text["accessors"][number(&twin)]["bufferView"].clone();
        let start = bytes.len();
        bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        text["bufferViews"][number(&view)]["byteOffset"] = json!(start);
        text["bufferViews"][number(&view)]["byteLength"] = json!(4 * values.len());
        text["accessors"][number(&twin)]["count"] = json!(values.len() / width);
        text["buffers"][0]["byteLength"] = json!(bytes.len());
        twin
    };
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let halved = |values: &[f32], width: usize| -> Vec<f32> {
        let rows: Vec<&[f32]> = values.chunks_exact(width).collect();
        let mut made = rows[0].to_vec();
        for pair in rows.windows(2) {
            made.extend(pair[0].iter().zip(pair[1]).map(|(a, b)| a + (b - a) / 2.0));
            made.extend(pair[1]);
        }
        made
    };
    let mut count = 0;
    for clip in 0..text["animations"].as_array().unwrap().len() {
        for channel in text["animations"][clip]["channels"].as_array().unwrap().clone() {
            let sampler = number(&channel["sampler"]);
            let it = text["animations"][clip]["samplers"][sampler].clone();
            let is_straight = it["interpolation"].is_null() || it["interpolation"] == "LINEAR";
            if !is_straight || channel["target"]["path"] != "translation" {
                continue;
            }
            let times = halved(&floats(&text, &bytes, &it["input"], 1), 1);
            let places = halved(&floats(&text, &bytes, &it["output"], 3), 3);
            let input = add(&mut text, &mut bytes, &it["input"], &times, 1);
            let output = add(&mut text, &mut bytes, &it["output"], &places, 3);
            text["animations"][clip]["samplers"]
                .as_array_mut()
                .unwrap()
                .push(json!({"input": input, "output": output}));
            let own = text["animations"][clip]["samplers"].as_array().unwrap().len() - 1;
            let channels = text["animations"][clip]["channels"].as_array_mut().unwrap();
            let place = channels.iter().position(|it| *it == channel).unwrap();
            channels[place]["sampler"] = json!(own);
            count += 1;
        }
    }
    assert!(count > 0);
    joined(&text, &bytes)
}

/// Files that travel along are the base of a glTF that another program wrote anew; without them a new model is made.
#[test]
fn embedded_files_are_the_base_of_what_was_sampled_anew() {
    for model in ["walker.msh", "lantern-wow.mdx"] {
        let embedded = resampled(&glb(model, &sample(model), &[("embed-source", "yes")]));
        assert_eq!(all_restored(&embedded).unwrap_err(), "file.other-count", "{model}");
        let (files, told) = made(model, &embedded, &[], false);
        assert!(files[0].1 == sample(model), "{model}");
        let is_said = |word: &str| told.iter().any(|told| told.starts_with(word));
        assert!(is_said("scene.resampled") && !is_said("file.rebuilt"), "{model}: {told:?}");
        let pictures =
            |files: &NamedFiles| files.iter().skip(1).map(|(name, _)| name.clone()).collect::<Vec<_>>();
        assert_eq!(pictures(&files), pictures(&untouched(model)), "{model}");
        let (_, told) = made(model, &resampled(&glb(model, &sample(model), &[])), &[], false);
        assert!(told.iter().any(|told| told.starts_with("file.rebuilt")), "{model}: {told:?}");
    }
    let (files, _) = made(
        "lantern-wow.mdx",
        &resampled(&glb("lantern-wow.mdx", &sample("lantern-wow.mdx"), &[("embed-source", "yes")])),
        &[],
        false,
    );
    assert!(is_jpeg_there(&files), "the JPEG that travelled along is there, too");
}

/// The texture of JPEG that ships.
fn jpeg() -> Vec<u8> {
    let file = sample("Lantern.blp");
    let kind = u32::from_le_bytes(file[4..8].try_into().unwrap());
    assert_eq!((&file[..4], kind), (b"BLP1".as_slice(), 0), "it is one");
    file
}

fn is_jpeg_there(files: &NamedFiles) -> bool {
    let found = files.iter().find(|(name, _)| name.ends_with("Lantern.blp"));
    found.is_some_and(|(_, bytes)| *bytes == jpeg())
}

/// A folder with one file in it.
#[derive(Debug)]
struct Folder(&'static str, Vec<u8>);

impl Links for Folder {
    fn find(&self, name: &str) -> Option<std::borrow::Cow<'_, [u8]>> {
        name.eq_ignore_ascii_case(self.0).then(|| self.1.as_slice().into())
    }

    fn names(&self, _: &str) -> Vec<String> {
        Vec::new()
    }
}

/// The JPEG of a texture that nobody changed is copied as it is: from the base, or from a folder that is pointed at if it is the
/// same there; else it is left alone, which is told.
#[test]
fn a_jpeg_is_copied_from_the_base_or_a_folder() {
    let model = "lantern-wow.mdx";
    let glb = glb(model, &sample(model), &[]);
    let (files, told) = made(model, &glb, &[], true);
    assert_eq!((is_jpeg_there(&files), told), (true, Vec::new()));
    let (files, told) = made(model, &glb, &[], false);
    assert!(!is_jpeg_there(&files) && told.iter().all(|told| told.starts_with("file.picture-left")));
    assert!(told.iter().any(|told| told.contains("Lantern.blp")), "{told:?}");
    let opened = formats::by_id("gltf").unwrap().open(&glb, &OpenOptions::default()).unwrap();
    let mut other = jpeg();
    *other.last_mut().unwrap() ^= 1;
    for (file, is_copied) in [(jpeg(), true), (other, false)] {
        let folder = Folder("Lantern.blp", file);
        let first = [Shelf { label: "skins", links: &folder }];
        let site = Site { around: Around { first: &first, after: &[] }, ..Site::NOWHERE };
        let came = convert::restored(&opened, &site, &Meter::unlimited()).unwrap();
        assert_eq!(is_jpeg_there(&came.files), is_copied);
        let is_left = came.report.findings().iter().any(|it| it.message.contains("Lantern.blp"));
        assert_eq!(is_left, !is_copied, "{:?}", came.report.findings());
    }
}
