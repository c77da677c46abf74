//! A model as a scene: hierarchy, geometry by damage state and level of detail, materials by row, the timeline as a
//! clip (docs/formats/msh.md#scene).
//!
//! The engine's world has Z up and glTF's has Y up: [`axes`] is the one place where that changes. A rotation
//! acts in the engine as its conjugate; the scene holds the one that acts as itself. Units are metres in both, and
//! seconds are frames by [`Options::frame_rate`].

mod bake;
mod clip;
mod look;
mod mesh;
mod origin;
mod states;

use std::ops::RangeInclusive;

use galvani_core::image::Additive;
use galvani_core::maths::{Wxyz, single};
use galvani_core::{LiftError, Path, Reading, Report, codes, text};
use galvani_scene::{Extras, Fact, Id, Node, Scene, Socket, share};
use glam::{Quat, Vec3};

use super::engine::{self, Quaternion};
use super::sample::{LocalPose, RootTranslation, sample_node_pose};
use super::{ModelView, NONE, streams};

pub use look::{Attire, Coat, MaterialRow};
pub use mesh::material_rows;
pub use origin::CODECS;

codes! {
    LEGACY_NODES = Error, "msh.lift-legacy-nodes",
        "the nodes are of the older form, which nobody knows",
        "such a model has no hierarchy to show";
    OPTION = Error, "msh.lift-option",
        "there is no such level, group, frame rate or tolerance",
        "levels are 0 to 2, groups 0 to 4, frame rates 0.001 to 10000, tolerances above 0";
    ENTANGLED = Error, "msh.lift-entangled",
        "slots or maps share so much that the result would be out of proportion",
        "no model of the game does this; the file is damaged";
    LOST_PARENT = Warning, "msh.lost-parent",
        "a node does not stand behind its parent: it hangs on nothing",
        "the node table is damaged; its findings say where";
    LOST_SLOT = Warning, "msh.lost-slot",
        "a node shows a slot, or a slot has batches, that are not there",
        "the node table, stream 2 or 13 is damaged; its findings say where";
    LOST_BATCH = Warning, "msh.lost-batch",
        "a batch has indices that are not there: it is not shown",
        "stream 13 or 6 is damaged; its findings say where";
    LOST_TRIANGLES = Warning, "msh.lost-triangles",
        "triangles were left out whose corners are not there or no numbers",
        "stream 13, 6 or 3 is damaged; its findings say where";
    LOST_INDICES = Warning, "msh.lost-indices",
        "indices that make no whole triangle were left out",
        "the batch is damaged; its findings say where";
    LOST_NORMAL = Warning, "msh.lost-normal",
        "a normal without a direction was replaced",
        "give the vertex a normal";
    LOST_TANGENT = Warning, "msh.lost-tangent",
        "a tangent without a direction was replaced",
        "give the vertex a tangent";
    LOST_POSITION = Warning, "msh.lost-position",
        "the place of a node is infinite or no number: it stands where its parent is",
        "stream 8 is damaged; its findings say where";
    LOST_ROTATION = Warning, "msh.lost-rotation",
        "a rotation has not the length 1, and a scene knows no other",
        "the engine shears the node; the scene turns it as nearly as it can";
    LOST_MOTION = Warning, "msh.lost-motion",
        "keys or words of the frame map are not there: the node stays as it is",
        "stream 1, 8 or 19 is damaged; its findings say where";
    BAKED = Note, "msh.baked",
        "a node's map or times are not those of the game's files: its motion was put on keys of its own",
        "between keys it is within the tolerance of what the engine shows";
    LOST_ROW = Warning, "msh.lost-row",
        "a batch names a row that the material table has not",
        "give the table that row, or the batch another";
    LOST_TEXTURE = Warning, "msh.lost-texture",
        "a material, its table or its texture is not where the game looks for it",
        "put it there, or point at the folder or archive that has it";
    LOST_BLENDING = Note, "msh.lost-blending",
        "how the material lies over what is behind it cannot be said, or is not known",
        "it is shown as nearly as it can be; what the game does stands with the material";
    LOST_LIGHTMAP = Note, "msh.lost-lightmap",
        "other programs know no lightmaps: the light that was painted is not seen",
        "the second set of coordinates is there, and its picture's name stands with the material";
    LOST_PHASES = Note, "msh.lost-phases",
        "the material changes with time, which the scene does not: it shows the first phase",
        "the tracks stand with the material";
    LOST_STREAMS = Warning, "msh.lost-streams",
        "what these streams hold has no place in a scene",
        "their bytes travel along as a text; keep the model";
    LEFT_SLOTS = Note, "msh.lift-other-slots",
        "geometry of other levels and groups was left out",
        "choose another level and group to see it";
    LEFT_STREAMS = Note, "msh.lift-left-streams",
        "collision data and unknown bytes of vertices, which every model has, were left out",
        "their bytes travel along as a text; keep the model";
}

/// Frames a second unless somebody knows better. The file does not say; the game's controllers set the pace.
pub const FRAME_RATE: f32 = 15.0;

/// What the one motion is called.
pub const TIMELINE: &str = "timeline";

/// Frame rates at which single-precision seconds tell frames apart.
pub(super) const FRAME_RATES: RangeInclusive<f32> = 0.001..=10_000.0;

/// How far rotations that have to be baked may be from the engine's, in radians, unless somebody says otherwise.
const TOLERANCE: f32 = 1e-4;

/// How far the length of a rotation may be from 1 because its components have sixteen bits.
const SIXTEEN_BITS: f64 = 5e-5;

/// The group of what is seen from inside; its nodes carry this flag.
const COCKPIT_GROUP: u8 = 4;
const COCKPIT_FLAG: u16 = 0x20;

/// What to lift.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// First index of the slots: as observed, the damage state.
    pub lod: u8,
    /// Second index of the slots: as observed, the level of detail.
    pub group: u8,
    /// Frames a second.
    pub frame_rate: f32,
    /// What to do with the translation of the first node.
    pub root: RootTranslation,
    /// What becomes of materials that are added to what is behind them.
    pub additive: Additive,
    /// How far rotations that have to be baked may be from the engine's, in radians.
    pub tolerance: f32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            lod: 0,
            group: 0,
            frame_rate: FRAME_RATE,
            root: RootTranslation::Keep,
            additive: Additive::Bake,
            tolerance: TOLERANCE,
        }
    }
}

/// The scene of a model, and what it does not say. Without a choice of slots it has all of them: the intact state at
/// its finest, the others as variants.
pub fn lift(model: &ModelView<'_>, attire: &Attire, options: Options) -> Result<(Scene, Report), LiftError> {
    let cell = cell(options)?;
    if let Some(stream) = model.legacy_nodes {
        let found = format!("records of 38 bytes wanted, of {} found", stream.attr[2]);
        return Err(LEGACY_NODES.at(Path::named("nodes")).saying(found).into());
    }
    let scene = Scene { extras: facts(model, options), ..Scene::default() };
    let share = share_of_each(model);
    let mut lift = Lift { model, attire, options, scene, report: Report::default(), share };
    for index in 0..model.node_count() {
        let node = lift.node(index);
        lift.scene.nodes.push(node);
        origin::of_name(&mut lift, index);
        origin::of_node(&mut lift, index);
    }
    lift.sockets();
    states::attach(&mut lift, cell)?;
    clip::timeline(&mut lift)?;
    lift.left_out(cell);
    Ok((lift.scene, lift.report))
}

/// From the engine's axes to the scene's: Z up becomes Y up by a quarter turn about X; nothing is mirrored.
pub fn axes([x, y, z]: [f32; 3]) -> [f32; 3] {
    // Adding zero leaves no negative ones.
    [x, z, -y].map(|part| part + 0.0)
}

/// From the scene's axes to the engine's.
pub(super) fn from_axes([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x, -z, y].map(|part| part + 0.0)
}

/// The place of the wanted slot in a node's list.
fn cell(options: Options) -> Result<usize, LiftError> {
    let Options { lod, group, frame_rate, tolerance, .. } = options;
    let is_known = lod <= 2 && group <= COCKPIT_GROUP && FRAME_RATES.contains(&frame_rate);
    let is_sound = tolerance > 0.0 && tolerance.is_finite();
    if !(is_known && is_sound) {
        let found =
            format!("level {lod}, group {group}, {frame_rate} frames a second, tolerance {tolerance}");
        return Err(OPTION.at(Path::root()).saying(found).into());
    }
    Ok(usize::from(lod).saturating_mul(5).saturating_add(group.into()))
}

fn facts(model: &ModelView<'_>, options: Options) -> Extras {
    let facts = [
        ("format", Fact::Text("msh".to_owned())),
        ("reading", Fact::Text(model.reading.word().to_owned())),
        ("lod", Fact::Int(options.lod.into())),
        ("group", Fact::Int(options.group.into())),
        ("frame_rate", Fact::Float(options.frame_rate.into())),
        ("frame_count", Fact::Int(whole(model.frame_count()))),
    ];
    facts.into_iter().map(|(key, fact)| (key.to_owned(), fact)).collect()
}

fn whole(number: impl TryInto<i32>) -> i32 {
    number.try_into().unwrap_or(i32::MAX)
}

/// The part of the tolerance that each motion may take that is baked: any of those that hang on one another may be.
fn share_of_each(model: &ModelView<'_>) -> f32 {
    let rows = model.nodes.iter().flat_map(|nodes| nodes.rows);
    share(rows.map(|node| {
        let above = Some(node.parent.get()).filter(|parent| *parent != NONE);
        (above.map(usize::from), usize::from(node.map_start.get() != NONE))
    }))
}

/// A scene in the making.
struct Lift<'l, 'm> {
    model: &'l ModelView<'m>,
    attire: &'l Attire,
    options: Options,
    scene: Scene,
    report: Report,
    /// The part of the tolerance that each baked motion may take.
    share: f32,
}

impl Lift<'_, '_> {
    /// A node at rest: as it is on frame 0.
    fn node(&mut self, index: usize) -> Node {
        let Some(record) = self.model.nodes.as_ref().and_then(|nodes| nodes.rows.get(index)) else {
            return Node::default();
        };
        let parent = match record.parent.get() {
            NONE => None,
            parent if usize::from(parent) < index => Some(Id::new(parent.into())),
            parent => {
                let path = Path::named("nodes").index(index).field("parent");
                self.report.push(LOST_PARENT.at(path).saying(format!("parent {parent} of node {index}")));
                None
            }
        };
        let pose = match sample_node_pose(self.model, index, 0.0) {
            Ok((pose, _)) => pose,
            Err(error) => {
                self.report.push(LOST_MOTION.at(Path::named("nodes").index(index)).saying(error.to_string()));
                LocalPose::IDENTITY
            }
        };
        let (translation, rotation) = self.placed(index, pose);
        let mut extras = Extras::from([
            ("id".to_owned(), Fact::Int(whole(index))),
            ("flags".to_owned(), Fact::Int(record.flags.get().into())),
        ]);
        let label = self.model.label(index);
        // As documented it is the name.
        if !label.is_empty() && self.model.reading == Reading::Observed {
            extras.insert("label".to_owned(), Fact::Text(text::shown(label).into_owned()));
        }
        let name = text::shown(self.model.node_name(index)).into_owned();
        Node { name, parent, translation, rotation, extras, ..Node::default() }
    }

    /// A node's pose in the scene's axes.
    fn placed(&mut self, node: usize, pose: LocalPose) -> (Vec3, Quat) {
        let path = Path::named("nodes").index(node);
        let first = self.model.nodes.as_ref().and_then(|nodes| nodes.rows.first());
        let is_root = node == 0 && first.is_some_and(|first| first.parent.get() == NONE);
        let cleared = is_root && self.options.root == RootTranslation::Clear;
        let mut position = if cleared { [0.0; 3] } else { axes(pose.position) };
        if !position.iter().all(|part| part.is_finite()) {
            self.report.push(LOST_POSITION.at(path).saying(format!("position {:?}", pose.position)));
            position = [0.0; 3];
        }
        let rotation = nearest(pose.rotation).unwrap_or_else(|nearest| {
            let found = format!("w, x, y, z are {:?}", pose.rotation);
            self.report.push(LOST_ROTATION.at(path).saying(found));
            nearest
        });
        (Vec3::from_array(position), turned(rotation))
    }

    /// Nodes that other models are put on: those that show nothing and are named so.
    fn sockets(&mut self) {
        let records = self.model.nodes.iter().flat_map(|nodes| nodes.rows);
        for (i, (record, node)) in records.zip(&self.scene.nodes).enumerate() {
            if is_socket_name(&node.name) && record.slot_index.iter().all(|slot| slot.get() == NONE) {
                self.scene.sockets.push(Socket { name: node.name.clone(), node: Id::new(i) });
            }
        }
    }

    /// Says what the model has and the scene has not.
    fn left_out(&mut self, cell: usize) {
        let model = self.model;
        let lost: Vec<String> = lost_streams(model).collect();
        if !lost.is_empty() {
            self.report.push(LOST_STREAMS.at(Path::named("streams")).saying(lost.join(", ")));
        }
        let faces = model.faces.as_ref().is_some_and(|table| !table.rows.is_empty());
        if faces || model.extra15.as_ref().is_some_and(|table| !table.rows.is_empty()) {
            self.report.push(LEFT_STREAMS.at(Path::named("streams")));
        }
        if cell == 0 {
            return;
        }
        for (i, node) in model.nodes.iter().flat_map(|nodes| nodes.rows).enumerate() {
            let shown = node.slot_index.get(cell).map(|slot| slot.get());
            let other = |slot: u16| slot != NONE && Some(slot) != shown;
            if node.slot_index.iter().any(|slot| other(slot.get())) {
                self.report.push(LEFT_SLOTS.at(Path::named("nodes").index(i).field("slot_index")));
            }
        }
    }
}

/// What the names of sockets start with (docs/formats/msh-streams.md#attaching).
const SOCKET: &str = "Base_";

/// Whether a node that shows nothing is a socket by its name.
pub(super) fn is_socket_name(name: &str) -> bool {
    name.get(..SOCKET.len()).is_some_and(|start| start.eq_ignore_ascii_case(SOCKET))
}

/// Streams with something in them that not every model has and no scene can hold.
fn lost_streams(model: &ModelView<'_>) -> impl Iterator<Item = String> {
    let known =
        [model.waypoints.as_ref().map(|table| table.stream), model.probes.as_ref().map(|table| table.stream)];
    let all = known.into_iter().flatten().chain(model.others.clone());
    all.filter(|stream| !stream.bytes.is_empty()).map(|stream| {
        let name = streams::by_id(stream.type_id).map_or("unknown", |spec| spec.name);
        format!("{name} ({})", stream.type_id)
    })
}

/// The rotation that acts in the scene as another does in the engine.
fn turned(Wxyz([w, x, y, z]): Quaternion) -> Quat {
    let [x, y, z] = axes([-x, -y, -z]);
    Quat::from_xyzw(x, y, z, w)
}

/// A rotation whose length is 1 as nearly as sixteen bits can say, as it is: the engine does not normalise,
/// and readers that do not either show the same. Else, as an error, the nearest rotation to what the engine
/// does with the numbers: in the plane of the turn its matrix is the complex number 1 - 2s² + 2iws, s being
/// the length of x, y, z.
fn nearest(rotation: Quaternion) -> Result<Quaternion, Quaternion> {
    let [w, x, y, z] = rotation.0.map(f64::from);
    let sine = (x * x + y * y + z * z).sqrt();
    if ((w * w + sine * sine).sqrt() - 1.0).abs() < SIXTEEN_BITS {
        return Ok(rotation);
    }
    let half = (2.0 * w * sine).atan2(1.0 - 2.0 * sine * sine) / 2.0;
    let scale = if sine > 0.0 { half.sin() / sine } else { 0.0 };
    let nearest = [half.cos(), x * scale, y * scale, z * scale].map(single);
    Err(if nearest.iter().all(|part| part.is_finite()) { Wxyz(nearest) } else { engine::IDENTITY })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axes_are_turned_and_not_mirrored() {
        let [a, b, c] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(axes);
        let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
        let determinant: f32 = a.iter().zip(cross).map(|(a, b)| a * b).sum();
        assert!((determinant - 1.0).abs() < f32::EPSILON);
        // Up is up, and what was ahead of the viewer (+Y, north) is away from him (-Z).
        assert_eq!((c, b), ([0.0, 1.0, 0.0], [0.0, 0.0, -1.0]));
    }

    #[test]
    fn rotations_are_kept_or_made_of_length_one() {
        let quantised = Wxyz([0.5 + 1e-5, 0.5, 0.5, 0.5]);
        assert_eq!(nearest(quantised), Ok(quantised));
        assert_eq!(nearest(Wxyz([0.0; 4])), Err(engine::IDENTITY));
        assert_eq!(nearest(Wxyz([f32::NAN; 4])), Err(engine::IDENTITY));
        let found = nearest(Wxyz([0.0, 2.0, 0.0, 0.0])).unwrap_err();
        assert!((found.0[1].abs() - 1.0).abs() < 1e-6, "{found:?}");
    }
}
