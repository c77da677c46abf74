//! What is exported comes back: scenes of every kind, written in every way, read again.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]

#[path = "common/alike.rs"]
mod alike;
mod common;
#[path = "../../galvani-scene/tests/common/scenes.rs"]
mod scenes;

use std::io::Cursor;

use alike::{are_alike, every_way, names};
use common::{full, hiding, illegal, plain, pulled, skinned};
use galvani_core::{Meter, Report, Severity};
use galvani_gltf::document::Data;
use galvani_gltf::import::{self, AddedNodes, PictureFile, pictures};
use galvani_gltf::{Document, Imported, Options, RigOption, glb, gltf};
use galvani_scene::{Image, Scene, check};
use proptest::prelude::*;

/// The pictures of a document, decoded.
fn decoded(document: &Document) -> Vec<Option<Image>> {
    let view = document.view().unwrap();
    let data = Data::new(document, &view, &Meter::unlimited()).unwrap();
    let pixels = |file: &[u8]| {
        let mut reader = png::Decoder::new(Cursor::new(file)).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut bytes).unwrap();
        Image { width: frame.width, height: frame.height, rgba: bytes.as_chunks().0.to_vec() }
    };
    let all = pictures(&data).unwrap();
    all.iter()
        .map(|picture| match &picture.file {
            PictureFile::Inside(file) => Some(pixels(file)),
            _ => None,
        })
        .collect()
}

fn imported(file: &[u8], made: AddedNodes) -> Imported {
    let document = Document::read(file).unwrap();
    let pictures = decoded(&document);
    let options = import::Options { pictures: &pictures, made, ..import::Options::default() };
    let imported = galvani_gltf::import(&document, &options, &Meter::unlimited()).unwrap();
    let found = check(&imported.scene);
    assert_eq!(found.tally(Severity::Error), 0, "{:#?}", found.findings());
    assert_eq!(imported.nodes.len(), imported.scene.nodes.len());
    imported
}

/// The scene that is written and read again.
fn again(scene: &Scene, options: &Options) -> (Scene, Report) {
    let (file, _) = glb(scene.clone(), options).unwrap();
    let Imported { scene, report, .. } = imported(&file, AddedNodes::Undone);
    (scene, report)
}

#[test]
fn scenes_made_by_hand_come_back() {
    for scene in [plain(), skinned(), pulled(300), full(), hiding()] {
        for options in every_way() {
            let (found, _) = again(&scene, &options);
            are_alike(&scene, &found, &options);
        }
    }
}

/// A .glb whose text was changed.
fn with_text(file: &[u8], change: impl Fn(&mut serde_json::Value)) -> Vec<u8> {
    let size = |at: usize| usize::try_from(u32::from_le_bytes(file[at..at + 4].try_into().unwrap())).unwrap();
    let (text, rest) = (&file[20..20 + size(12)], &file[20 + size(12)..]);
    let mut value = serde_json::from_slice(text).unwrap();
    change(&mut value);
    let mut text = serde_json::to_vec(&value).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    let word = |size: usize| u32::try_from(size).unwrap().to_le_bytes();
    let head = [&file[..8], &word(20 + text.len() + rest.len()), &word(text.len()), b"JSON"].concat();
    [head, text, rest.to_vec()].concat()
}

#[test]
fn a_node_of_another_state_that_moved_is_told() {
    let (file, _) = glb(full(), &Options::default()).unwrap();
    let moved = with_text(&file, |text| {
        let index = |value: &serde_json::Value| value.as_u64().and_then(|it| usize::try_from(it).ok());
        let mut node = index(&text["scenes"][1]["nodes"][0]).unwrap();
        while let Some(child) = index(&text["nodes"][node]["children"][0]) {
            node = child;
        }
        text["nodes"][node]["translation"] = serde_json::json!([9, 9, 9]);
    });
    let told = |file: &[u8]| {
        let report = imported(file, AddedNodes::Undone).report;
        report.findings().iter().any(|finding| finding.code.name == "gltf.lost-place")
    };
    assert!(told(&moved) && !told(&file));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn generated_scenes_come_back(scene in scenes::scenes()) {
        for options in every_way() {
            let (found, _) = again(&scene, &options);
            are_alike(&scene, &found, &options);
        }
    }
}

#[test]
fn what_comes_back_is_written_the_same_again() {
    for scene in [plain(), skinned(), full(), hiding()] {
        for options in every_way() {
            let (first, _) = again(&scene, &options);
            let (second, _) = again(&first, &options);
            are_alike(&first, &second, &options);
        }
    }
}

#[test]
fn every_other_way_gives_a_sound_scene() {
    for scene in [plain(), skinned(), full(), hiding(), illegal()] {
        for options in [
            Options { rig: RigOption::Skin, ..Options::default() },
            Options { fps: Some(30.0), ..Options::default() },
            Options::default(),
        ] {
            let (found, _) = again(&scene, &options);
            assert_eq!(found.nodes.len(), scene.nodes.len(), "{options:?} {:?}", names(&found));
            let (file, _) = glb(scene.clone(), &options).unwrap();
            let kept = imported(&file, AddedNodes::Kept);
            assert!(kept.scene.nodes.len() >= scene.nodes.len());
        }
    }
}

#[test]
fn a_text_with_files_beside_it_is_the_same() {
    let scene = hiding();
    let (exported, _) = gltf(scene.clone(), &Options::default()).unwrap();
    let files = exported.named("a b").unwrap();
    let mut document = Document::read(&files[0].bytes).unwrap();
    document
        .fetch(|name| Ok(files.iter().find(|file| file.name == name).map(|file| file.bytes.clone())))
        .unwrap();
    assert_eq!(document.beside.len(), 1);
    let view = document.view().unwrap();
    let data = Data::new(&document, &view, &Meter::unlimited()).unwrap();
    let names: Vec<_> = pictures(&data).unwrap().into_iter().map(|picture| picture.file).collect();
    assert!(matches!(&names[..], [PictureFile::Beside(name)] if name == "a b_0.png"), "{names:?}");
    let pixels = vec![Some(scene.images[0].pixels.clone())];
    let options = import::Options { pictures: &pixels, ..import::Options::default() };
    let found = galvani_gltf::import(&document, &options, &Meter::unlimited()).unwrap();
    are_alike(&scene, &found.scene, &Options::default());
    assert!(found.kept.is_some_and(|own| own.clips.len() == scene.clips.len()));
}

#[test]
fn what_the_export_says_about_itself_is_known() {
    let scene = Scene { source: Some(r#"{"chunks":[1,2.5,"x"]}"#.to_owned()), ..plain() };
    let options = Options { format: "msh".to_owned(), ..Options::default() };
    let (file, _) = glb(scene.clone(), &options).unwrap();
    let found = imported(&file, AddedNodes::Undone);
    let own = found.kept.unwrap();
    assert_eq!((own.format.as_str(), own.source), ("msh", scene.source));
    assert_eq!(own.clips[1].animation, None);
    assert_eq!(found.scene.nodes[1].extras, scene.nodes[1].extras, "numbers of nodes");
    assert_eq!(found.nodes, [0, 1]);
    assert!(serde_json::from_str::<serde_json::Value>(&own.text).is_ok());
}

/// Looked at once or twice, it is the same; what is damaged is told and refused.
#[test]
fn what_is_checked_while_it_is_imported_is_the_same() {
    let (file, _) = glb(skinned(), &Options::default()).unwrap();
    let text = String::from_utf8_lossy(&file);
    let at = text.find("\"joints\":[").unwrap() + "\"joints\":[".len();
    let mut damaged = file.clone();
    damaged[at] = b'9';
    let unlimited = Meter::unlimited();
    for (file, is_sound) in [(file, true), (damaged, false)] {
        let document = Document::read(&file).unwrap();
        let (report, made) = import::checked(&document, &import::Options::default(), &unlimited);
        let alone = galvani_gltf::import(&document, &import::Options::default(), &unlimited);
        let told = |report: &Report| report.findings().iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(told(&report), told(&galvani_gltf::document::check(&document)));
        assert_eq!((report.tally(Severity::Error) == 0, made.is_ok()), (is_sound, is_sound));
        match (made, alone) {
            (Ok(made), Ok(alone)) => assert_eq!(made.scene, alone.scene),
            (Err(made), Err(alone)) => assert_eq!(made.cause.to_string(), alone.cause.to_string()),
            other => panic!("{other:?}"),
        }
    }
}
