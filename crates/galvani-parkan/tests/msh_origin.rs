//! What the way back stands on: a file without what its scene says, and the scene, make the file again.
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]

mod common {
    #[path = "../common/msh.rs"]
    pub mod msh;
    #[path = "../common/msh_build_plans.rs"]
    pub mod plans;
}

use common::msh::{cases, found, reading};
use common::plans::plans;
use galvani_core::WantedReading;
use galvani_parkan::msh::lift::{Attire, CODECS, Options, lift};
use galvani_parkan::msh::{Document, build, read, write};
use galvani_scene::origin::{Misfit, placed, put_back, taken_out};
use galvani_scene::{Origin, Scene, Track, Values};
use proptest::prelude::*;

/// A scene, what it leaves of the file and where its values lie in it.
fn parted(document: &Document) -> Option<(Scene, Vec<u8>, Vec<Origin>)> {
    let (mut scene, _) = lift(&document.model(), &Attire::default(), Options::default()).ok()?;
    let origins = placed(std::mem::take(&mut scene.origins), &document.archive.offsets());
    let mut left = write(document).unwrap();
    let origins = taken_out(&mut left, &scene, origins, CODECS);
    Some((scene, left, origins))
}

fn made(scene: &Scene, left: &[u8], origins: &[Origin]) -> Result<Vec<u8>, Misfit> {
    let mut file = left.to_vec();
    put_back(&mut file, scene, origins, CODECS)?;
    Ok(file)
}

fn walker() -> (Vec<u8>, Document) {
    let file = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/walker.msh")).unwrap();
    let document = found(&file, WantedReading::Auto).document;
    (file, document)
}

#[test]
fn what_is_left_and_the_scene_are_the_file() {
    for (name, file) in cases() {
        // Damaged ones that do not read have no scene.
        let Ok(read) = read(&file, &reading(WantedReading::Auto)) else { continue };
        let Some((scene, left, origins)) = parted(&read.document) else { continue };
        assert_eq!(made(&scene, &left, &origins), Ok(file), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn so_it_is_for_every_model(plan in plans()) {
        let document = build::build(&plan).unwrap().document;
        let (scene, left, origins) = parted(&document).unwrap();
        prop_assert_eq!(made(&scene, &left, &origins), Ok(write(&document).unwrap()));
    }
}

/// Vertices, corners, coordinates, keys and their times are zeros: nothing of them stands in what is left.
#[test]
fn what_the_scene_says_is_not_left() {
    let (file, document) = walker();
    let (_, left, origins) = parted(&document).unwrap();
    let model = document.model();
    let offsets = document.archive.offsets();
    for table in [model.positions.unwrap().stream, model.uv0.unwrap().stream, model.indices.unwrap().stream] {
        let at = offsets[table.entry];
        let bytes = &left[at..at + table.bytes.len()];
        assert!(bytes.iter().all(|byte| *byte == 0), "stream {}", table.type_id);
        assert!(table.bytes.iter().any(|byte| *byte != 0));
    }
    assert!(origins.iter().any(|origin| matches!(origin.values, Values::Turns(..))));
    let packed = miniz_oxide::deflate::compress_to_vec(&left, 9).len();
    assert!(packed * 4 < file.len(), "{packed} of {} bytes are left", file.len());
}

/// A changed vertex, coordinate and key change their own bytes and no other, and the lift shows the change.
#[test]
fn a_change_stays_where_it_is() {
    let (file, document) = walker();
    let (scene, left, origins) = parted(&document).unwrap();
    let changes: [fn(&mut Scene); 3] = [
        |scene| scene.meshes[0].primitives[0].positions[2].x += 0.5,
        |scene| scene.meshes[0].primitives[0].uvs[0][1].y += 0.25,
        |scene| {
            let curve = scene.clips[0].tracks.iter_mut().find_map(|track| match track {
                Track::Translation(_, curve) => Some(curve),
                _ => None,
            });
            curve.unwrap().values[1].y += 1.0;
        },
    ];
    for (i, change) in changes.into_iter().enumerate() {
        let mut changed = scene.clone();
        change(&mut changed);
        let other = made(&changed, &left, &origins).unwrap();
        let differing = file.iter().zip(&other).filter(|(a, b)| a != b).count();
        assert!((1..=4).contains(&differing), "change {i}: {differing} bytes");
        let again = found(&other, WantedReading::Auto).document;
        let (shown, _) = lift(&again.model(), &Attire::default(), Options::default()).unwrap();
        assert_eq!(shown.meshes, changed.meshes, "change {i}");
        assert_eq!(shown.clips, changed.clips, "change {i}");
    }
}

#[test]
fn a_list_of_another_length_is_told() {
    let (_, document) = walker();
    let (mut scene, left, origins) = parted(&document).unwrap();
    scene.meshes[0].primitives[0].positions.pop();
    let Err(Misfit::Count { values, wanted, found }) = made(&scene, &left, &origins) else { panic!() };
    assert_eq!((values, found + 1), (Values::Positions(0, 0), wanted));
}
