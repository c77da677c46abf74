//! The way back of FF7: a glTF of ours, untouched, is every file of the model again; changed, only the change has changed.
#![cfg(all(feature = "ff7", feature = "gltf", feature = "fs"))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]

#[path = "common/way_back.rs"]
mod way_back;

use galvani::ReadOptions;
use galvani::ff7::pack::edit::frames_of;
use galvani::ff7::pack::read;
use galvani::glam::Quat;
use way_back::{all_restored, at, extras_and_source, glb, joined, nothing_is_lost, parts, sample};

const FIELD: [&str; 10] = [
    "boat.hrc",
    "boat.a",
    "boat.p",
    "boat.rsd",
    "lamp.p",
    "lamp.rsd",
    "mast.p",
    "mast.rsd",
    "glow.tex",
    "paper.tex",
];

#[test]
fn an_untouched_boat_is_itself_again() {
    let (files, told) = all_restored(&glb("boat.hrc", &sample("boat.hrc"), &[])).unwrap();
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!((names, told), (FIELD.to_vec(), Vec::new()));
    for (name, bytes) in files {
        assert!(bytes == sample(&name), "{name}");
    }
}

#[test]
fn an_untouched_frog_is_itself_again() {
    for words in [&[][..], &[("variants", "yes")]] {
        let (files, told) = all_restored(&glb("zgaa", &sample("zgaa"), words)).unwrap();
        assert_eq!((files.len(), told.len()), (17, 0));
        assert!(files.iter().any(|(name, _)| name == "zgda"));
        for (name, bytes) in files {
            assert!(bytes == sample(&name), "{name} {words:?}");
        }
    }
}

#[test]
fn a_part_by_itself_comes_back() {
    // With the textures that the part names.
    for (name, pieces) in [("boat.p", 3), ("boat.rsd", 4)] {
        let (files, _) = all_restored(&glb(name, &sample(name), &[])).unwrap();
        assert_eq!(files.len(), pieces);
        assert!(files.iter().all(|(name, bytes)| *bytes == sample(name)), "{name}");
    }
}

#[test]
fn the_extras_are_small() {
    for name in ["zgaa", "boat.hrc"] {
        let (extras, source) = extras_and_source(name);
        assert!(extras * 3 <= source, "{name}: {extras} of {source} bytes");
    }
}

#[test]
fn no_change_is_lost_without_a_word() {
    let before: Vec<u8> = FIELD.iter().flat_map(|name| sample(name)).collect();
    let taken = nothing_is_lost("boat", &before, &glb("boat.hrc", &sample("boat.hrc"), &[]));
    assert!(taken > 10, "{taken}");
}

#[test]
fn no_change_of_a_frog_is_lost_without_a_word() {
    let glb = glb("zgaa", &sample("zgaa"), &[]);
    let (files, _) = all_restored(&glb).unwrap();
    let before: Vec<u8> = files.into_iter().flat_map(|(_, bytes)| bytes).collect();
    let taken = nothing_is_lost("frog", &before, &glb);
    assert!(taken > 10, "{taken}");
}

/// A rotation in a pack changes the stream of its animation, and nothing of the others.
#[test]
fn a_changed_frame_of_a_pack_is_a_changed_frame() {
    let file = sample("zgda");
    let before = read(&file, &ReadOptions::default()).unwrap().document;
    let (text, bytes) = parts(&glb("zgaa", &sample("zgaa"), &[]));
    let channels = text["animations"][1]["channels"].as_array().unwrap();
    let turning = channels.iter().filter(|channel| channel["target"]["path"] == "rotation").nth(2).unwrap();
    let sampler = usize::try_from(turning["sampler"].as_u64().unwrap()).unwrap();
    let place = at(&text, &text["animations"][1]["samplers"][sampler]["output"]) + 16;
    let mut changed = bytes;
    let turn = Quat::from_rotation_x(0.75).to_array();
    for (word, part) in changed[place..place + 16].chunks_mut(4).zip(turn) {
        word.copy_from_slice(&part.to_le_bytes());
    }
    let (files, told) = all_restored(&joined(&text, &changed)).unwrap();
    assert!(told.is_empty(), "{told:?}");
    for (name, made) in files {
        if name != "zgda" {
            assert!(made == sample(&name), "{name}");
            continue;
        }
        let after = read(&made, &ReadOptions::default()).unwrap().document;
        let entries = before.entries.iter().zip(&after.entries).enumerate();
        let differing: Vec<usize> = entries.filter(|(_, (a, b))| a != b).map(|(i, _)| i).collect();
        assert_eq!((before.entries.len(), differing), (after.entries.len(), vec![1]));
        let (old, _) = frames_of(&before, 1).unwrap();
        let (new, _) = frames_of(&after, 1).unwrap();
        for (i, (a, b)) in old.iter().zip(new.iter()).enumerate() {
            let bones = a.bones.iter().zip(b.bones).filter(|(a, b)| a != b).count();
            assert_eq!((a.position == b.position, bones), (true, usize::from(i == 1)), "frame {i}");
        }
    }
}

/// A rotation of a bone changes its own angles, and nothing else.
#[test]
fn a_changed_frame_is_a_changed_frame() {
    let (text, bytes) = parts(&glb("boat.hrc", &sample("boat.hrc"), &[]));
    let channels = text["animations"][0]["channels"].as_array().unwrap();
    let turning = channels.iter().filter(|channel| channel["target"]["path"] == "rotation").nth(2).unwrap();
    let sampler = usize::try_from(turning["sampler"].as_u64().unwrap()).unwrap();
    let place = at(&text, &text["animations"][0]["samplers"][sampler]["output"]) + 16;
    let mut changed = bytes;
    let turn = Quat::from_rotation_x(0.3).to_array();
    for (word, part) in changed[place..place + 16].chunks_mut(4).zip(turn) {
        word.copy_from_slice(&part.to_le_bytes());
    }
    let (files, told) = all_restored(&joined(&text, &changed)).unwrap();
    assert!(told.is_empty(), "{told:?}");
    for (name, made) in files {
        let file = sample(&name);
        let differing: Vec<usize> = (0..file.len()).filter(|i| file[*i] != made[*i]).collect();
        if name == "boat.a" {
            assert!(differing.last().unwrap() - differing[0] < 12, "{differing:?}");
        } else {
            assert!(differing.is_empty(), "{name}: {differing:?}");
        }
    }
}
