//! Scenes of models against the sampler: every node and every vertex where the game has it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]

mod common;

use std::collections::BTreeSet;

use common::animated::{Animated, animated};
use galvani_core::Severity;
use galvani_mdx::glam::{Affine3A, Mat3A, Vec3, Vec3A};
use galvani_mdx::lift::{Options, axes, lift, milliseconds};
use galvani_mdx::sample::{
    Clip, ClockTimes, Cursor, GeosetSkin, Influences, Poses, Rig, Skinned, WindowEdges,
};
use galvani_mdx::{Content, Document, Family};
use galvani_scene::{
    Id, Matrices, Moment as Still, Sampler, Scene, check, skin_palette, skinned_positions, to_model,
};
use proptest::prelude::*;
use zerocopy::little_endian::U16;

/// How far nodes and vertices may be from the sampler's, of the model's size, where nothing is baked.
const EXACT: f32 = 1e-5;

/// The same where something is: the tolerance, however many baked curves hang on one another, and as much again for what lies between
/// the places where baking looks; the farthest ever seen was 1.11e-4.
const BAKED: f32 = 2e-4;

/// How many times of a clip are looked at, about.
const DENSE: usize = 400;

/// A matrix of the games in the scene's axes.
fn in_scene(place: Affine3A, pivot: Vec3) -> Affine3A {
    let column = |column: Vec3A| Vec3A::from(axes(column.into()));
    let place = place * Affine3A::from_translation(pivot);
    let columns = place.matrix3;
    Affine3A {
        matrix3: Mat3A::from_cols(column(columns.y_axis), column(columns.z_axis), column(columns.x_axis)),
        translation: column(place.translation),
    }
}

/// Times of a clip: its ends, all keys of all curves and three places between each and the next; of very many keys every
/// second, third and so on. Where a curve jumps, between neighbouring numbers, the last bit of a time decides which side counts: there
/// nobody looks.
fn times(clip: &galvani_scene::Clip) -> Vec<f32> {
    let keys = clip.tracks.iter().flat_map(galvani_scene::Track::times).copied().chain([0.0, clip.duration]);
    let mut keys: Vec<f32> = keys.filter(|time| (0.0..=clip.duration).contains(time)).collect();
    keys.sort_by(f32::total_cmp);
    keys.dedup();
    let is_jump = |pair: &[f32]| pair[0].next_up().next_up() >= pair[1];
    let jumps = keys.windows(2).filter(|pair| is_jump(pair)).flatten();
    let jumps: BTreeSet<u32> = jumps.map(|time| time.to_bits()).collect();
    let between = |pair: &[f32]| [0.27, 0.5, 0.81].map(|part| pair[0] + (pair[1] - pair[0]) * part);
    let some = (4 * keys.len()).div_ceil(DENSE).max(1);
    let inside = keys.windows(2).filter(|pair| !is_jump(pair)).flat_map(between);
    let seen = |time: &f32| !jumps.contains(&time.to_bits());
    let all = keys.iter().copied().chain(inside).step_by(some).chain([0.0, clip.duration]);
    all.filter(seen).collect()
}

/// The diagonal of the box of all nodes and vertices, at least 1.
fn size_of(rig: &Rig, poses: &Poses, skins: &[GeosetSkin]) -> f32 {
    let nodes = poses.model.iter().enumerate();
    let mut all: Vec<Vec3> =
        nodes.map(|(i, model)| model.transform_point3(rig.pivot(i).unwrap_or_default())).collect();
    let mut skinned = Skinned::default();
    for skin in skins {
        skin.apply(&poses.model, &mut skinned);
        all.extend(&skinned.positions);
    }
    let low = all.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    all.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max).distance(low).max(1.0)
}

/// The longest axis of all nodes, at least 1.
fn longest_axis(poses: &Poses) -> f32 {
    let axes = poses.model.iter().map(|model| model.matrix3);
    let lengths = axes.flat_map(|it| [it.x_axis, it.y_axis, it.z_axis]).map(Vec3A::length);
    lengths.fold(1.0, f32::max)
}

/// The same model with a face on each of its vertices.
fn faced(mut document: Document) -> Document {
    let corners =
        |count: usize| (0..u16::try_from(count).unwrap()).flat_map(|it| [U16::new(it); 3]).collect();
    for chunk in &mut document.chunks {
        match &mut chunk.content {
            Content::Geosets(rows) => {
                for (_, geoset) in rows.typed_mut() {
                    geoset.indices = corners(geoset.vertices.len());
                }
            }
            Content::Batches(rows) => {
                for batch in rows {
                    batch.indices = corners(batch.vertices.len());
                }
            }
            _ => {}
        }
    }
    document
}

/// Which node of the scene each node of the file became.
fn nodes(scene: &Scene, document: &Document) -> Vec<Option<usize>> {
    let mut made: Vec<(usize, i32)> = Vec::new();
    for (i, node) in scene.nodes.iter().enumerate() {
        if let Some(galvani_scene::Fact::Int(id)) = node.extras.get("id") {
            made.push((i, *id));
        }
    }
    let placed = document.nodes();
    let ids: Vec<i32> = placed.iter().map(|placed| placed.node.fixed.object_id.get()).collect();
    let once = |id: &i32| ids.iter().filter(|other| *other == id).count() == 1;
    ids.iter()
        .map(|id| made.iter().find(|(_, own)| own == id).filter(|_| once(id)).map(|(i, _)| *i))
        .collect()
}

fn assert_poses(document: &Document, what: &str) {
    let (scene, report) = match lift(document, &[], &Options::default()) {
        Ok(lifted) => lifted,
        // Global sequences of a millisecond that turn half around.
        Err(refused) => return assert_eq!(refused.cause.code.name, "mdx.lift-too-much", "{what}"),
    };
    let found = check(&scene);
    assert_eq!(found.tally(Severity::Error), 0, "{what}: {:?}", found.findings());
    let is_told = |name: &str| report.findings().iter().any(|finding| finding.code.name == name);
    if is_told("mdx.lost-shear") || is_told("mdx.lost-keys") {
        return;
    }
    let near = if is_told("mdx.baked") { BAKED } else { EXACT };
    let rig = Rig::new(document);
    let skins = GeosetSkin::all(document, &rig, Influences::Game);
    let places = nodes(&scene, document);
    let (mut sampler, mut still) = (Sampler::new(&scene), Still::at_rest(&scene));
    let mut models = Matrices::identity(scene.nodes.len());
    let (mut cursor, mut poses, mut skinned) = (Cursor::default(), Poses::default(), Skinned::default());
    for (index, lifted) in scene.clips.iter().enumerate() {
        if lifted.extras.contains_key("made") {
            continue;
        }
        let clip = Clip::new(document, Some(index), WindowEdges::Auto).unwrap();
        for time in times(lifted) {
            sampler.sample(lifted, time, &mut still);
            to_model(&scene, &still, &mut models);
            let now = milliseconds(time);
            clip.pose(&rig, ClockTimes { time: now, global: now }, None, &mut cursor, &mut poses);
            let (size, longest) = (size_of(&rig, &poses, &skins), longest_axis(&poses));
            for (node, place) in places.iter().enumerate() {
                let Some(place) = place else { continue };
                let wanted = in_scene(poses.model[node], rig.pivot(node).unwrap());
                let found = models.matrix(*place);
                let pairs = found.to_cols_array().into_iter().zip(wanted.to_cols_array()).enumerate();
                // The last column is where it is, the others are its axes.
                let off = pairs.map(|(i, (a, b))| (a - b).abs() / if i < 9 { longest } else { size });
                let off = off.fold(0.0, f32::max);
                assert!(
                    off <= near,
                    "{what}, {} at {time} s: node {node} is {off} off\n{found:?}\n{wanted:?}",
                    lifted.name
                );
            }
            for node in &scene.nodes {
                let Some(mesh) = node.mesh.and_then(|mesh| mesh.find_in(&scene.meshes)) else { continue };
                let Some(galvani_scene::Fact::Int(geoset)) = node.extras.get("geoset") else {
                    panic!("{what}")
                };
                skins[usize::try_from(*geoset).unwrap()].apply(&poses.model, &mut skinned);
                let placed = vertices(&scene, node.skin, mesh, &models);
                for (found, wanted) in placed.iter().zip(&skinned.positions) {
                    let off = found.distance(axes(*wanted));
                    assert!(off <= near * size, "{what}, {} at {time} s: a vertex is {off} off", lifted.name);
                }
            }
        }
    }
}

fn vertices(
    scene: &Scene,
    skin: Option<Id<galvani_scene::Skin>>,
    mesh: &galvani_scene::Mesh,
    models: &Matrices,
) -> Vec<Vec3> {
    let primitive = &mesh.primitives[0];
    let Some(skin) = skin.and_then(|skin| skin.find_in(&scene.skins)) else {
        return primitive.positions.clone();
    };
    let (mut palette, mut places) =
        (Matrices::identity(skin.joints.len()), vec![Vec3::ZERO; primitive.positions.len()]);
    skin_palette(skin, models, &mut palette);
    skinned_positions(primitive, &palette, &mut places);
    places
}

fn families() -> impl Strategy<Value = Animated> {
    prop_oneof![animated(Family::Warcraft), animated(Family::Wow)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_scene_stands_as_the_game_has_it(model in families()) {
        assert_poses(&faced(model.document.clone()), &format!("{model:?}"));
    }
}
