//! Scenes of models against the sampler: every node and every vertex where the game has it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]

mod common;

use std::cell::OnceCell;
use std::collections::BTreeSet;

use common::animated::{Animated, animated};
use common::sound::{held, lost, nodes, sound};
use galvani_core::Severity;
use galvani_mdx::glam::{Affine3A, Mat3A, Vec3, Vec3A};
use galvani_mdx::lift::{Options, TOLERANCE, axes, lift, milliseconds};
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

/// The same where something is: the tolerance, however many baked curves hang on one another.
const BAKED: f32 = TOLERANCE;

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

/// How much was compared.
#[derive(Debug, Clone, Copy, Default)]
struct Compared {
    /// Nodes that hang on no other since they do not take over everything, in each clip in which they have keys.
    detached: usize,
    /// Of those, in models of which other nodes are sheared.
    beside_sheared: usize,
    vertices: usize,
}

/// A clip of a model as the game plays it.
struct Game<'r> {
    rig: &'r Rig,
    skins: &'r [GeosetSkin],
    clip: Clip,
}

impl Game<'_> {
    fn at(&self, time: f32) -> Poses {
        let (now, mut poses) = (milliseconds(time), Poses::default());
        let moment = ClockTimes { time: now, global: now };
        self.clip.pose(self.rig, moment, None, &mut Cursor::default(), &mut poses);
        poses
    }

    /// A node in the scene's axes.
    fn node(&self, poses: &Poses, node: usize) -> Affine3A {
        in_scene(poses.model[node], self.rig.pivot(node).unwrap())
    }

    fn vertices(&self, poses: &Poses, geoset: usize) -> Vec<Vec3> {
        let mut skinned = Skinned::default();
        self.skins[geoset].apply(&poses.model, &mut skinned);
        skinned.positions.into_iter().map(axes).collect()
    }
}

/// A moment of a clip, and what lies around it.
///
/// Seconds of single precision have a last bit, and so have the keys' own: how far the game moves within it nobody can tell, and what is
/// fast is allowed that much more.
struct Instant<'g> {
    game: &'g Game<'g>,
    time: f32,
    duration: f32,
    poses: Poses,
    around: OnceCell<[Poses; 2]>,
}

impl<'g> Instant<'g> {
    fn new(game: &'g Game<'g>, time: f32, duration: f32) -> Self {
        Instant { game, time, duration, poses: game.at(time), around: OnceCell::new() }
    }

    /// How far apart two things of the pose are just before and just behind it.
    fn blur(&self, off: impl Fn(&Poses, &Poses) -> f32) -> f32 {
        let [before, behind] = self.around.get_or_init(|| {
            let times = [self.time.next_down(), self.time.next_up()];
            times.map(|time| self.game.at(time.clamp(0.0, self.duration)))
        });
        off(before, behind)
    }
}

/// How far apart two places are: axes as parts of the longest, the rest as a part of the size.
fn apart(a: Affine3A, b: Affine3A, size: f32, longest: f32) -> f32 {
    let pairs = a.to_cols_array().into_iter().zip(b.to_cols_array()).enumerate();
    // The last column is where it is, the others are its axes.
    pairs.map(|(i, (a, b))| (a - b).abs() / if i < 9 { longest } else { size }).fold(0.0, f32::max)
}

/// A scene beside the model that it was made of.
struct Lifted<'d> {
    document: &'d Document,
    scene: Scene,
    /// Which node of it each of the file became, and which of its nodes are right.
    places: Vec<Option<usize>>,
    sound: Vec<bool>,
    is_sheared: bool,
    near: f32,
}

fn assert_poses(document: &Document, what: &str) -> Compared {
    let (scene, report) = match lift(document, &[], &Options::default()) {
        Ok(lifted) => lifted,
        // Global sequences of a millisecond that turn half around.
        Err(refused) => {
            assert_eq!(refused.cause.code.name, "mdx.lift-too-much", "{what}");
            return Compared::default();
        }
    };
    let found = check(&scene);
    assert_eq!(found.tally(Severity::Error), 0, "{what}: {:?}", found.findings());
    let is_told = |name: &str| report.findings().iter().any(|finding| finding.code.name == name);
    let Some(lost) = lost(&report) else { return Compared::default() };
    let places = nodes(&scene, document);
    let sound = sound(&scene, document, &places, &lost);
    let near = if is_told("mdx.baked") { BAKED } else { EXACT };
    let is_sheared = is_told("mdx.lost-shear");
    Lifted { document, scene, places, sound, is_sheared, near }.compare(what)
}

impl Lifted<'_> {
    fn compare(&self, what: &str) -> Compared {
        let mut compared = Compared::default();
        let rig = Rig::new(self.document);
        let skins = GeosetSkin::all(self.document, &rig, Influences::Game);
        let (mut sampler, mut still) = (Sampler::new(&self.scene), Still::at_rest(&self.scene));
        let mut models = Matrices::identity(self.scene.nodes.len());
        for (index, lifted) in self.scene.clips.iter().enumerate() {
            if lifted.extras.contains_key("made") {
                continue;
            }
            let clip = Clip::new(self.document, Some(index), WindowEdges::Auto).unwrap();
            let game = Game { rig: &rig, skins: &skins, clip };
            let detached = self.detached(lifted);
            compared.detached += detached;
            compared.beside_sheared += if self.is_sheared { detached } else { 0 };
            for time in times(lifted) {
                sampler.sample(lifted, time, &mut still);
                to_model(&self.scene, &still, &mut models);
                let instant = Instant::new(&game, time, lifted.duration);
                let what = format!("{what}, {} at {time} s", lifted.name);
                compared.vertices += self.assert_moment(&instant, &models, &what);
            }
        }
        compared
    }

    /// How many nodes that are right and hang on no other move in a clip.
    fn detached(&self, clip: &galvani_scene::Clip) -> usize {
        let moving: BTreeSet<usize> =
            clip.tracks.iter().filter_map(galvani_scene::Track::node).map(Id::index).collect();
        let is_detached = |place: &usize| self.scene.nodes[*place].extras.contains_key("parent");
        let sound = self.places.iter().flatten().filter(|place| self.sound[**place]);
        sound.filter(|place| moving.contains(place) && is_detached(place)).count()
    }

    /// Compares every node and vertex that is right; says how many vertices.
    fn assert_moment(&self, instant: &Instant<'_>, models: &Matrices, what: &str) -> usize {
        let Instant { game, poses, .. } = instant;
        let (size, longest) = (size_of(game.rig, poses, game.skins), longest_axis(poses));
        for (node, place) in self.places.iter().enumerate() {
            let Some(place) = place.filter(|place| self.sound[*place]) else { continue };
            let (found, wanted) = (models.matrix(place), game.node(poses, node));
            let off = apart(found, wanted, size, longest);
            let blur = || instant.blur(|a, b| apart(game.node(a, node), game.node(b, node), size, longest));
            let is_near = off <= self.near || off <= self.near + blur();
            assert!(is_near, "{what}: node {node} is {off} off, {} blurred\n{found:?}\n{wanted:?}", blur());
        }
        let mut count = 0;
        for node in &self.scene.nodes {
            let Some(mesh) = node.mesh.and_then(|mesh| mesh.find_in(&self.scene.meshes)) else { continue };
            let Some(galvani_scene::Fact::Int(geoset)) = node.extras.get("geoset") else { panic!("{what}") };
            let geoset = usize::try_from(*geoset).unwrap();
            let (placed, wanted) =
                (vertices(&self.scene, node.skin, mesh, models), game.vertices(poses, geoset));
            let held = held(&self.scene, node.skin, mesh, &self.sound);
            for (i, (found, wanted)) in placed.iter().zip(&wanted).enumerate().filter(|(i, _)| held[*i]) {
                let off = found.distance(*wanted) / size;
                let place = |poses: &Poses| game.vertices(poses, geoset)[i];
                let blur = || instant.blur(|a, b| place(a).distance(place(b)) / size);
                let is_near = off <= self.near || off <= self.near + blur();
                assert!(is_near, "{what}: vertex {i} of {geoset} is {off} off, {} blurred", blur());
                count += 1;
            }
        }
        count
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

/// That the law above is not about nothing.
#[test]
fn nodes_that_hang_on_no_other_are_compared_even_where_some_are_sheared() {
    let mut all = Compared::default();
    for seed in 0..24 {
        for family in [Family::Warcraft, Family::Wow] {
            let model = common::animated::model(family, seed, 4);
            let compared = assert_poses(&faced(model), &format!("{family:?} {seed}"));
            all.detached += compared.detached;
            all.beside_sheared += compared.beside_sheared;
            all.vertices += compared.vertices;
        }
    }
    assert!(all.detached >= 40 && all.beside_sheared >= 10 && all.vertices >= 10_000, "{all:?}");
}
