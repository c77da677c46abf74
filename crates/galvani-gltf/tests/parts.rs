//! What stands in which scene, and what is added to hide things.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

mod common;

use std::collections::BTreeSet;

use common::{full, hiding, skinned};
use galvani_gltf::{Extension, Options, glb};
use galvani_scene::{Clip, Curve, Id, Influences, Pull, Scene, Track};
use gltf::{Document, Gltf, Node};

fn read(scene: Scene, options: &Options) -> Document {
    Gltf::from_slice(&glb(scene, options).unwrap().0).unwrap().document
}

/// The names of the meshes that a scene of the file shows.
fn meshes_in(document: &Document, scene: usize) -> BTreeSet<String> {
    fn walk(node: &Node<'_>, into: &mut BTreeSet<String>) {
        into.extend(node.mesh().map(|mesh| mesh.name().unwrap().to_owned()));
        node.children().for_each(|child| walk(&child, into));
    }
    let mut found = BTreeSet::new();
    document.scenes().nth(scene).unwrap().nodes().for_each(|root| walk(&root, &mut found));
    found
}

#[test]
fn only_the_intact_state_at_the_finest_level_stands_in_the_first_scene() {
    let document = read(full(), &Options::default());
    assert_eq!(document.default_scene().unwrap().index(), 0);
    let names: Vec<_> = document.scenes().map(|scene| scene.name().unwrap().to_owned()).collect();
    assert_eq!(names, ["snake", "snake_LOD1", "snake_broken_LOD0"]);
    let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(meshes_in(&document, 0), set(&["body", "hat"]));
    assert_eq!(meshes_in(&document, 1), set(&["coarse body", "coarse hat"]));
    assert_eq!(meshes_in(&document, 2), set(&["body"]));
    assert!(document.nodes().any(|node| node.name() == Some("hat_LOD1")));
}

#[test]
fn levels_hang_on_their_nodes_where_the_extension_is_asked_for() {
    let options = Options { extensions: BTreeSet::from([Extension::Lod]), ..Options::default() };
    let document = read(full(), &options);
    assert_eq!(document.scenes().count(), 2, "the broken state stays a scene of its own");
    assert!(document.extensions_used().any(|name| name == "MSFT_lod"));
    assert!(document.nodes().any(|node| node.name() == Some("hat_LOD1") && node.mesh().is_some()));
}

#[test]
fn nothing_is_added_where_nothing_is_hidden() {
    let document = read(skinned(), &Options::default());
    assert_eq!(document.nodes().count(), skinned().nodes.len());
}

#[test]
fn a_mesh_on_one_bone_is_hidden_by_one_joint_below_it() {
    let mut scene = skinned();
    let held = |_| [Pull { joint: 2, weight: 1.0 }];
    scene.meshes[0].primitives[0].influences = (0..3).map(held).collect::<Influences>();
    let seen = Curve::step(vec![0.0, 0.5], vec![true, false]);
    scene.clips[0].tracks.push(Track::Visibility(Id::new(5), seen));
    let document = read(scene.clone(), &Options::default());
    assert_eq!(document.nodes().count(), scene.nodes.len() + 1);
    let bone = document.nodes().nth(2).unwrap();
    assert!(bone.children().any(|child| child.name() == Some("body_shown")));
}

#[test]
fn every_clip_says_what_is_seen() {
    let mut scene = hiding();
    scene.clips.push(Clip { name: "still".to_owned(), ..Clip::default() });
    let document = read(scene, &Options::default());
    let scales = |name: &str| {
        let clip = document.animations().find(|clip| clip.name() == Some(name)).unwrap();
        let names = clip.channels().map(|channel| channel.target().node().name().unwrap().to_owned());
        names.filter(|name| name.ends_with("_shown")).collect::<BTreeSet<_>>()
    };
    assert_eq!(scales("bend"), scales("lie"));
    assert_eq!(scales("lie").len(), 2);
    assert_eq!(document.animations().count(), 2, "a clip in which nothing moves stays out");
}
