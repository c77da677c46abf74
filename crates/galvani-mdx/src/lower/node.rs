//! Nodes: where they turn, what they are, how they move from rest.

use std::collections::{BTreeMap, BTreeSet};

use galvani_core::Path;
use galvani_core::record::Text;
use galvani_scene::{Curve, Id, LightForm, Matrices, Moment, Node, Scene, Track, to_model};
use glam::{Affine3A, Mat3, Quat, Vec3};
use zerocopy::little_endian::{F32, I32, U32};

use super::clip::{Span, track, whole};
use super::{Lower, NOT_HELD, chunk, look};
use crate::lift::{axes_back, turned_back};
use crate::model::{self, Attachment, AttachmentFixed, Bone, Camera, Event, Light};
use crate::track::{Form, Track as FileTrack, TrackValue};
use crate::wire::node as wire;
use crate::{Chunk, Content};

/// What a node is in the file, in the order in which the chunks stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NodeKind {
    Bone,
    Light,
    Helper,
    Attachment,
}

/// A node of the file.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) kind: NodeKind,
    /// The node of the scene.
    pub(super) node: usize,
    /// Whether the node moves it; what only hangs on another has no tracks.
    moves: bool,
}

/// The nodes of the file and where they rest.
#[derive(Debug)]
pub(super) struct Rig {
    /// By their numbers.
    pub(super) entries: Vec<Entry>,
    /// The number of each node of the scene, or of the nearest above it that has one.
    pub(super) numbers: Vec<Option<i32>>,
    /// Where each node of the scene rests in the model.
    pub(super) rests: Vec<Affine3A>,
    turns: Vec<Quat>,
    parents: Vec<i32>,
}

/// A scale at rest that hides a node would hide it for ever.
fn shown(scale: Vec3) -> Vec3 {
    Vec3::from_array(scale.to_array().map(|part| if part.abs() < 1e-9 { 1.0 } else { part }))
}

impl Rig {
    pub(super) fn new(lower: &Lower<'_>) -> Self {
        let scene = lower.scene;
        let mut plain = Moment::at_rest(scene);
        for (i, node) in scene.nodes.iter().enumerate() {
            plain.scales.set(i, shown(node.scale));
        }
        let mut models = Matrices::identity(scene.nodes.len());
        to_model(scene, &plain, &mut models);
        let rests: Vec<Affine3A> = (0..scene.nodes.len()).map(|i| models.matrix(i)).collect();
        let mut turns: Vec<Quat> = Vec::with_capacity(scene.nodes.len());
        for node in &scene.nodes {
            let above = node.parent.and_then(|parent| turns.get(parent.index())).copied();
            turns.push(above.map_or(node.rotation, |above| above * node.rotation));
        }
        let mut entries = entries(lower);
        entries.sort_by_key(|entry| (entry.kind, entry.node));
        let mut rig = Rig { entries, numbers: Vec::new(), rests, turns, parents: Vec::new() };
        rig.number(scene);
        rig
    }

    /// Numbers nodes and finds what they hang on.
    fn number(&mut self, scene: &Scene) {
        let mut own: BTreeMap<usize, i32> = BTreeMap::new();
        for (number, entry) in (0..).zip(&self.entries) {
            if entry.moves {
                own.insert(entry.node, number);
            }
        }
        for (i, node) in scene.nodes.iter().enumerate() {
            let above = node.parent.and_then(|parent| self.numbers.get(parent.index()).copied().flatten());
            self.numbers.push(own.get(&i).copied().or(above));
        }
        let parent_of = |entry: &Entry| {
            if !entry.moves {
                return own.get(&entry.node).copied();
            }
            let above = scene.nodes.get(entry.node)?.parent?;
            self.numbers.get(above.index()).copied().flatten()
        };
        self.parents = self.entries.iter().map(|entry| parent_of(entry).unwrap_or(-1)).collect();
    }

    /// The place of a node at rest, in the games' axes.
    pub(super) fn pivot(&self, node: usize) -> Vec3 {
        axes_back(self.rests.get(node).map_or(Vec3::ZERO, |rest| rest.translation.into()))
    }
}

/// The nodes that a file needs, of whatever number: what only shows a bent mesh, or only looks, is none.
fn entries(lower: &Lower<'_>) -> Vec<Entry> {
    let scene = lower.scene;
    let parents: BTreeSet<usize> = scene.nodes.iter().filter_map(|node| node.parent).map(Id::index).collect();
    let joints = scene.skins.iter().flat_map(|skin| &skin.joints).map(|joint| joint.node.index());
    let (joints, sockets): (BTreeSet<usize>, BTreeSet<usize>) =
        (joints.collect(), scene.sockets.iter().map(|socket| socket.node.index()).collect());
    let moves = |node: usize| {
        let tracks = lower.tracks.nodes.get(&node);
        tracks.into_iter().flatten().any(|(_, track)| !matches!(track, Track::Visibility(..)))
    };
    let mut all = Vec::new();
    for (i, node) in scene.nodes.iter().enumerate() {
        let is_rigid = node.mesh.is_some() && node.skin.is_none();
        let is_joint = joints.contains(&i);
        let is_socket = sockets.contains(&i) || node.name.ends_with(" Ref");
        let is_bare = node.skin.is_some() || node.camera.is_some();
        if is_bare && !is_rigid && !is_joint && !parents.contains(&i) && !moves(i) {
            continue;
        }
        let kind = match node.light {
            _ if is_rigid || is_joint => NodeKind::Bone,
            Some(_) => NodeKind::Light,
            None if is_socket => NodeKind::Attachment,
            None => NodeKind::Helper,
        };
        all.push(Entry { kind, node: i, moves: true });
        if node.light.is_some() && kind != NodeKind::Light {
            all.push(Entry { kind: NodeKind::Light, node: i, moves: false });
        }
        if is_socket && kind != NodeKind::Attachment {
            all.push(Entry { kind: NodeKind::Attachment, node: i, moves: false });
        }
    }
    all
}

/// The chunks of nodes, cameras and events.
pub(super) fn chunks(lower: &mut Lower<'_>, rig: &Rig, spans: &[Span<'_>]) -> Vec<Chunk> {
    let (mut bones, mut lights, mut helpers, mut attachments) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (number, entry) in (0..).zip(&rig.entries) {
        let node = file_node(lower, rig, (number, entry), spans);
        match entry.kind {
            NodeKind::Bone => bones.push(Bone {
                node,
                fixed: wire::Bone { geoset_id: I32::new(-1), geoset_animation_id: I32::new(-1) },
            }),
            NodeKind::Light => lights.extend(light(lower, entry, node)),
            NodeKind::Helper => helpers.push(node),
            NodeKind::Attachment => attachments.push(node),
        }
    }
    let events = events(lower, rig, spans);
    let mut pivots: Vec<Vec3> = rig.entries.iter().map(|entry| rig.pivot(entry.node)).collect();
    pivots.resize(pivots.len().saturating_add(events.len()), Vec3::ZERO);
    let cameras = cameras(lower, rig);
    let mut made = Vec::new();
    if !bones.is_empty() {
        made.push(chunk(*b"BONE", Content::Bones(lower.records(bones))));
    }
    if !lights.is_empty() {
        made.push(chunk(*b"LITE", Content::Lights(lower.records(lights))));
    }
    if !helpers.is_empty() {
        made.push(chunk(*b"HELP", Content::Helpers(lower.records(helpers))));
    }
    if !attachments.is_empty() {
        let attachments: Vec<_> =
            (0..).zip(attachments).map(|(i, node)| attachment(lower, i, node)).collect();
        let last = u32::try_from(attachments.len().saturating_sub(1)).unwrap_or(0);
        made.push(chunk(*b"ATCH", Content::Attachments(lower.with_unused(last, attachments))));
    }
    if !pivots.is_empty() {
        made.push(chunk(*b"PIVT", Content::Pivots(pivots.into_iter().map(look::vector).collect())));
    }
    if !cameras.is_empty() {
        made.push(chunk(*b"CAMS", Content::Cameras(lower.records(cameras))));
    }
    if !events.is_empty() {
        made.push(chunk(*b"EVTS", Content::Events(lower.records(events))));
    }
    made
}

fn file_node(
    lower: &mut Lower<'_>,
    rig: &Rig,
    (number, entry): (i32, &Entry),
    spans: &[Span<'_>],
) -> model::Node {
    let scene = lower.scene;
    let name = scene.nodes.get(entry.node).map_or("", |node| node.name.as_str());
    let name = if name.is_empty() { format!("node {}", entry.node) } else { name.to_owned() };
    let parent = usize::try_from(number).ok().and_then(|number| rig.parents.get(number)).copied();
    let bits = match entry.kind {
        NodeKind::Bone => lower.either(0x100, 0),
        NodeKind::Light => lower.either(0x200, 0x100),
        NodeKind::Helper => 0,
        NodeKind::Attachment => lower.either(0x800, 0x400),
    };
    let tracks = if entry.moves { tracks(lower, rig, entry.node, spans) } else { Vec::new() };
    fixed_node(lower, &name, (number, parent.unwrap_or(-1)), bits, tracks)
}

fn fixed_node(
    lower: &mut Lower<'_>,
    name: &str,
    (number, parent): (i32, i32),
    bits: u32,
    tracks: Vec<FileTrack>,
) -> model::Node {
    let name: Text<80> = lower.text(name, Path::named("nodes"));
    let (object_id, parent_id) = (I32::new(number), I32::new(parent));
    model::Node { fixed: wire::Node { name, object_id, parent_id, flags: U32::new(bits) }, tracks }
}

/// How a node moves from rest, seen from where what it hangs on rests: nodes of the games rest unturned
/// (docs/formats/mdx.md#lower-nodes).
fn tracks(lower: &mut Lower<'_>, rig: &Rig, index: usize, spans: &[Span<'_>]) -> Vec<FileTrack> {
    let scene = lower.scene;
    let Some(node) = scene.nodes.get(index) else { return Vec::new() };
    let above = node.parent.map(Id::index);
    let linear = above.and_then(|it| rig.rests.get(it)).map_or(Mat3::IDENTITY, |it| Mat3::from(it.matrix3));
    let turn = above.and_then(|it| rig.turns.get(it)).copied().unwrap_or(Quat::IDENTITY);
    let (count, mut sheared) = (spans.len(), 0);
    let places = lower.tracks.of_node(index, count, |track| match track {
        Track::Translation(_, curve) => Some(moved(curve, node, linear)),
        _ => None,
    });
    let turns = lower.tracks.of_node(index, count, |track| match track {
        Track::Rotation(_, curve) => Some(rotated(curve, node, turn)),
        _ => None,
    });
    let sizes = lower.tracks.of_node(index, count, |track| match track {
        Track::Scale(_, curve) => Some(scaled(curve, node, turn, &mut sheared)),
        _ => None,
    });
    lower.sheared = lower.sheared.saturating_add(sheared);
    let tolerance = lower.options.tolerance;
    let length = tolerance * lower.size.max(f32::MIN_POSITIVE);
    let made = [
        track(lower, *b"KGTR", (spans, &places), (Vec3::ZERO, length)),
        track(lower, *b"KGRT", (spans, &turns), (Quat::IDENTITY, tolerance)),
        track(lower, *b"KGSC", (spans, &sizes), (Vec3::ONE, tolerance)),
    ];
    made.into_iter().flatten().collect()
}

/// The same curve of other values; tangents that are directions are given as such.
fn mapped<V: Copy>(curve: &Curve<V>, value: impl Fn(V) -> V, tangent: impl Fn(V) -> V) -> Curve<V> {
    Curve {
        times: curve.times.clone(),
        values: curve.values.iter().map(|it| value(*it)).collect(),
        tangents: curve.tangents.iter().map(|pair| pair.map(&tangent)).collect(),
        interp: curve.interp,
    }
}

fn moved(curve: &Curve<Vec3>, node: &Node, linear: Mat3) -> Curve<Vec3> {
    let way = |place: Vec3| axes_back(linear.mul_vec3(place));
    let value = |place: Vec3| way(place - node.translation);
    match curve.interp {
        galvani_scene::Interp::Bezier => mapped(curve, value, value),
        _ => mapped(curve, value, way),
    }
}

fn rotated(curve: &Curve<Quat>, node: &Node, turn: Quat) -> Curve<Quat> {
    let (before, after) = (turn, node.rotation.inverse() * turn.inverse());
    let value = |rotation: Quat| turned_back((before * rotation * after).normalize());
    mapped(curve, value, value)
}

fn scaled(curve: &Curve<Vec3>, node: &Node, turn: Quat, sheared: &mut usize) -> Curve<Vec3> {
    let (rest, across) = (shown(node.scale), Mat3::from_quat(turn * node.rotation));
    let stretch = |scale: Vec3| {
        let diagonal = Mat3::from_diagonal(scale / rest);
        across.mul_mat3(&diagonal).mul_mat3(&across.transpose())
    };
    let leans = |it: Mat3| {
        let off = [it.x_axis.y, it.x_axis.z, it.y_axis.x, it.y_axis.z, it.z_axis.x, it.z_axis.y];
        off.iter().any(|part| part.abs() > 1e-4)
    };
    let leaning = curve.values.iter().filter(|scale| leans(stretch(**scale))).count();
    *sheared = sheared.saturating_add(leaning);
    let value = |scale: Vec3| {
        let it = stretch(scale);
        axes_back(Vec3::new(it.x_axis.x, it.y_axis.y, it.z_axis.z))
    };
    mapped(curve, value, value)
}

fn light(lower: &mut Lower<'_>, entry: &Entry, node: model::Node) -> Option<Light> {
    let light = lower.scene.nodes.get(entry.node)?.light?.find_in(&lower.scene.lights)?;
    if let LightForm::Spot { .. } = light.form {
        lower.report.push(NOT_HELD.at(Path::named("lights")).saying(format!("the cone of {}", light.name)));
    }
    let end = light.range.unwrap_or(200.0);
    let color = look::shown_color(light.color);
    let fixed = wire::Light {
        kind: U32::new(u32::from(light.form == LightForm::Directional)),
        attenuation_start: F32::new(end * 0.4),
        attenuation_end: F32::new(end),
        color: lower.either(color, [color[2], color[1], color[0]]).map(F32::new),
        intensity: F32::new(light.intensity),
        ambient_color: [F32::new(1.0); 3],
        ambient_intensity: F32::new(0.0),
    };
    Some(Light { node, fixed, shadow: None, casting: None, falloff: None, tracks: Vec::new() })
}

fn attachment(lower: &Lower<'_>, number: i32, node: model::Node) -> Box<Attachment> {
    let attachment_id = I32::new(number);
    let path = Text([0; 260]);
    let fixed = lower.either(
        AttachmentFixed::Warcraft(wire::AttachmentWarcraft { path, attachment_id }),
        AttachmentFixed::Wow(wire::AttachmentWow { attachment_id, pad: u8::MAX, path }),
    );
    Box::new(Attachment { node, fixed, tracks: Vec::new() })
}

/// Cameras as they rest: how they move is not taken.
fn cameras(lower: &mut Lower<'_>, rig: &Rig) -> Vec<Camera> {
    /// How far before a camera lies what it looks at.
    const AHEAD: f32 = 100.0;
    let scene = lower.scene;
    let mut made = Vec::new();
    for (node, rest) in scene.nodes.iter().zip(&rig.rests) {
        let Some(camera) = node.camera.and_then(|camera| camera.find_in(&scene.cameras)) else { continue };
        let place: Vec3 = rest.translation.into();
        let ahead = rest.transform_vector3(Vec3::NEG_Z).normalize_or(Vec3::NEG_Z);
        let floats = |place: Vec3| axes_back(place).to_array().map(F32::new);
        let name = if node.name.is_empty() { &camera.name } else { &node.name };
        let fixed = crate::wire::Camera {
            name: lower.text(name, Path::named("CAMS")),
            position: floats(place),
            fov: F32::new(camera.fov_y),
            far_clip: F32::new(camera.far.unwrap_or(10_000.0)),
            near_clip: F32::new(camera.near),
            target: floats(place + ahead * AHEAD),
        };
        made.push(Camera { fixed, tracks: Vec::new() });
    }
    made
}

/// What happens, each name with all its moments.
fn events(lower: &mut Lower<'_>, rig: &Rig, spans: &[Span<'_>]) -> Vec<Event> {
    let mut moments: BTreeMap<&str, Vec<i32>> = BTreeMap::new();
    for span in spans {
        for event in span.clip.iter().flat_map(|clip| &clip.events) {
            let time = span.start.saturating_add(whole(event.time)).min(span.end);
            moments.entry(&event.name).or_default().push(time);
        }
    }
    let first = i32::try_from(rig.entries.len()).unwrap_or(i32::MAX);
    let (bits, is_sized) = (lower.either(0x400, 0x200), lower.is_wow());
    let mut made = Vec::new();
    for (number, (name, mut times)) in (first..).zip(moments) {
        times.sort_unstable();
        times.dedup();
        let track = FileTrack { times, ..FileTrack::new(*b"KEVT", Form::Simple, TrackValue::Moment) };
        let track = FileTrack { interpolation: 0, ..track };
        let node = fixed_node(lower, name, (number, -1), bits, Vec::new());
        made.push(Event { node, track: Some(track), is_sized });
    }
    made
}
