//! Poses as the engine samples them: frame, key, and what lies between two keys
//! (docs/formats/msh-animation.md#sampling).
//!
//! Where the engine would read past a stream, this is an error that names the field.

use galvani_core::{Path, SampleError, codes, room};
use zerocopy::little_endian::{F32, U16};

use super::engine::{self, Matrix, Quaternion};
use super::{ModelView, NONE, values};

codes! {
    LEGACY_NODES = Error, "msh.sample-legacy-nodes",
        "the nodes are of the older form, which nobody knows",
        "such a model has no pose";
    NO_NODE = Error, "msh.sample-no-node",
        "there is no such node",
        "the outline lists the nodes";
    KEY_OUTSIDE = Error, "msh.sample-key-outside",
        "the engine would read past the keys",
        "the node table, the frame map or stream 8 is damaged; its findings say where";
    MAP_OUTSIDE = Error, "msh.sample-map-outside",
        "the engine would read past the frame map",
        "the node table or stream 19 is damaged; its findings say where";
    NO_PARENT = Error, "msh.sample-parent",
        "a node does not stand behind its parent",
        "the node table is damaged; its findings say where";
    NEITHER = Error blaming Request, "msh.sample-neither",
        "a blend with neither side",
        "give a time that is not negative to the side that counts";
}

/// How a pose came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Branch {
    /// The node's last key: no map, past the end, or the map says so.
    Fallback,
    /// Exactly on a key.
    Key,
    /// Between two keys.
    Segment,
    /// From no key: the model has none.
    Still,
}

impl Branch {
    /// The word for it in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Branch::Fallback => "fallback",
            Branch::Key => "key",
            Branch::Segment => "segment",
            Branch::Still => "none",
        }
    }
}

/// Where a node is, relative to its parent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LocalPose {
    /// Its place.
    pub position: [f32; 3],
    /// w, x, y, z as the engine holds them; not normalised.
    pub rotation: Quaternion,
}

impl LocalPose {
    /// The parent's own pose.
    pub const IDENTITY: LocalPose = LocalPose { position: [0.0; 3], rotation: engine::IDENTITY };

    /// The engine's matrix.
    #[inline]
    pub fn matrix(&self) -> Matrix {
        engine::matrix(self.rotation, self.position)
    }

    /// Another pose blended over this one: 0 is this one, 1 the other.
    #[must_use]
    pub fn blend(&self, other: &LocalPose, blend: f32) -> LocalPose {
        let rotation = engine::slerp(self.rotation, engine::nearer(self.rotation, other.rotation), blend);
        let ([ax, ay, az], [bx, by, bz]) = (self.position, other.position);
        let mix = |a: f32, b: f32| (1.0 - blend) * a + blend * b;
        LocalPose { position: [mix(ax, bx), mix(ay, by), mix(az, bz)], rotation }
    }
}

/// A node's pose at a time, as the engine samples it.
#[allow(clippy::float_cmp, reason = "the engine compares so, without an epsilon")]
pub fn sample_node_pose(
    model: &ModelView<'_>,
    node: usize,
    time: f32,
) -> Result<(LocalPose, Branch), SampleError> {
    let Some((word, index)) = mapped(model, node, time)? else { return fallback_pose(model, node) };
    let place = || Path::named("frame_map").index(word).field("key");
    let at = key(model, index, place)?;
    if time == at.time {
        return Ok((at.pose, Branch::Key));
    }
    let next = key(model, index.saturating_add(1), place)?;
    if time == next.time {
        return Ok((next.pose, Branch::Key));
    }
    let alpha = (time - at.time) / (next.time - at.time);
    let position = engine::lerp(at.pose.position, next.pose.position, alpha);
    let rotation = engine::slerp(at.pose.rotation, next.pose.rotation, alpha);
    Ok((LocalPose { position, rotation }, Branch::Segment))
}

/// Which pose a model has when nobody gives a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RestPose {
    /// The pose at time 0.
    #[default]
    Frame0,
    /// Every node on its fallback key, which is the last of an animated node.
    Fallback,
}

/// A node's pose when nobody gives a time.
pub fn rest_pose(
    model: &ModelView<'_>,
    node: usize,
    rest: RestPose,
) -> Result<(LocalPose, Branch), SampleError> {
    match rest {
        RestPose::Frame0 => sample_node_pose(model, node, 0.0),
        RestPose::Fallback => fallback_pose(model, node),
    }
}

/// Two poses of a node, one blended over the other. With one side only, that side.
pub fn blend_pose(
    model: &ModelView<'_>,
    node: usize,
    (time_a, time_b): (f32, f32),
    blend: f32,
) -> Result<(LocalPose, Option<Branch>, Option<Branch>), SampleError> {
    let (has_a, has_b) = sides((time_a, time_b), blend);
    let a = has_a.then(|| sample_node_pose(model, node, time_a)).transpose()?;
    let b = has_b.then(|| sample_node_pose(model, node, time_b)).transpose()?;
    match (a, b) {
        (Some((pose, branch)), None) => Ok((pose, Some(branch), None)),
        (None, Some((pose, branch))) => Ok((pose, None, Some(branch))),
        (Some((a, branch_a)), Some((b, branch_b))) => {
            Ok((a.blend(&b, blend), Some(branch_a), Some(branch_b)))
        }
        (None, None) => {
            let found = format!("times {time_a} and {time_b}, blend {blend}");
            Err(NEITHER.at(Path::named("nodes").index(node)).saying(found).into())
        }
    }
}

/// Which sides of a blend count.
pub(super) fn sides((time_a, time_b): (f32, f32), blend: f32) -> (bool, bool) {
    (blend < 1.0 && time_a >= 0.0, blend > 0.0 && time_b >= 0.0)
}

/// What to do with the translation of a first node without a parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RootTranslation {
    /// As the file says.
    #[default]
    Keep,
    /// None, as the engine poses: its controller moves the whole model instead.
    Clear,
}

/// The matrices of all nodes in the model's space, from each node's pose.
pub fn model_matrices(
    model: &ModelView<'_>,
    root: RootTranslation,
    mut pose_of: impl FnMut(usize) -> Result<LocalPose, SampleError>,
) -> Result<Vec<Matrix>, SampleError> {
    let count = node_count(model)?;
    let mut matrices: Vec<Matrix> = room::with_capacity(count)?;
    for node in 0..count {
        let mut pose = pose_of(node)?;
        let Some(parent) = parent_of(model, node)? else {
            if node == 0 && root == RootTranslation::Clear {
                pose.position = [0.0; 3];
            }
            matrices.push(pose.matrix());
            continue;
        };
        // It stands before, so it is there.
        let above = matrices.get(parent).ok_or_else(|| no_parent(node, parent))?;
        matrices.push(engine::compose(above, &pose.matrix()));
    }
    Ok(matrices)
}

/// The node that a node hangs under, which must stand before it.
pub fn parent_of(model: &ModelView<'_>, node: usize) -> Result<Option<usize>, SampleError> {
    let parent = track(model, node)?.parent;
    match usize::from(parent) {
        _ if parent == NONE => Ok(None),
        above if above < node => Ok(Some(above)),
        above => Err(no_parent(node, above)),
    }
}

fn no_parent(node: usize, parent: usize) -> SampleError {
    let found = format!("parent {parent} of node {node}");
    NO_PARENT.at(Path::named("nodes").index(node).field("parent")).saying(found).into()
}

/// The word of the frame map that counts and the key it names; `None` for the fallback.
fn mapped(model: &ModelView<'_>, node: usize, time: f32) -> Result<Option<(usize, usize)>, SampleError> {
    let Track { start, fallback, .. } = track(model, node)?;
    let frame = engine::frame(time);
    if frame >= model.frame_count() || start == NONE || model.is_still() {
        return Ok(None);
    }
    // The engine adds 32-bit numbers: a frame before 0 that an absurd frame count lets pass leads back.
    let at = usize::try_from(u32::from(start).wrapping_add(frame)).unwrap_or(usize::MAX);
    let words = model.frame_map.as_ref().map_or(&[][..], |map| map.rows);
    let Some(word) = words.get(at) else { return Err(map_outside(node, at, words.len())) };
    let key = word.key.get();
    Ok((key < fallback).then(|| (at, usize::from(key))))
}

pub(super) fn map_outside(node: usize, word: usize, count: usize) -> SampleError {
    let found = format!("word {word} of {count}");
    MAP_OUTSIDE.at(Path::named("nodes").index(node).field("map_start")).saying(found).into()
}

fn fallback_pose(model: &ModelView<'_>, node: usize) -> Result<(LocalPose, Branch), SampleError> {
    let index = usize::from(track(model, node)?.fallback);
    if model.is_still() {
        return Ok((LocalPose::IDENTITY, Branch::Still));
    }
    let key = key(model, index, || Path::named("nodes").index(node).field("fallback_key"))?;
    Ok((key.pose, Branch::Fallback))
}

/// A key, its numbers decoded.
#[derive(Clone, Copy)]
pub(super) struct DecodedKey {
    pub(super) time: f32,
    pub(super) pose: LocalPose,
}

/// A key, or an error at the place that names it.
pub(super) fn key(
    model: &ModelView<'_>,
    index: usize,
    place: impl FnOnce() -> Path,
) -> Result<DecodedKey, SampleError> {
    let keys = model.keys.as_ref().map_or(&[][..], |keys| keys.rows);
    let Some(key) = keys.get(index) else {
        let found = format!("key {index} of {}", keys.len());
        return Err(KEY_OUTSIDE.at(place()).saying(found).into());
    };
    let rotation = values::rotation(key, model.reading);
    Ok(DecodedKey {
        time: key.time.get(),
        pose: LocalPose { position: key.position.map(F32::get), rotation },
    })
}

/// What a node says about its animation.
#[derive(Clone, Copy)]
pub(super) struct Track {
    pub(super) parent: u16,
    pub(super) start: u16,
    pub(super) fallback: u16,
}

pub(super) fn track(model: &ModelView<'_>, node: usize) -> Result<Track, SampleError> {
    let count = node_count(model)?;
    let Some(node) = model.nodes.as_ref().and_then(|nodes| nodes.rows.get(node)) else {
        let found = format!("node {node} of {count}");
        return Err(NO_NODE.at(Path::named("nodes").index(node)).saying(found).into());
    };
    let [parent, start, fallback] = [node.parent, node.map_start, node.fallback_key].map(U16::get);
    Ok(Track { parent, start, fallback })
}

/// How many nodes can be posed; an error if nobody can read them.
pub(super) fn node_count(model: &ModelView<'_>) -> Result<usize, SampleError> {
    match model.legacy_nodes {
        Some(_) => Err(LEGACY_NODES.at(Path::named("nodes")).into()),
        None => Ok(model.node_count()),
    }
}
