//! Poses as the engine samples them: frame, key, and what lies between two keys.
//!
//! Where the engine would read past a stream, this is an error that names the field.

use galvani_core::{Path, SampleError, codes};
use zerocopy::little_endian::F32;

use super::engine::{self, Matrix, Quaternion};
use super::{Model, NONE, values, wire};

codes! {
    LEGACY_NODES = Error, "msh.sample-legacy-nodes",
        "the nodes are of the older form, which nobody knows",
        "such a model has no pose";
    NO_NODE = Error, "msh.sample-no-node",
        "there is no such node",
        "`info` lists the nodes";
    KEY_OUTSIDE = Error, "msh.sample-key-outside",
        "the engine would read past the keys",
        "the node table, the frame map or stream 8 is damaged; `validate` says where";
    MAP_OUTSIDE = Error, "msh.sample-map-outside",
        "the engine would read past the frame map",
        "the node table or stream 19 is damaged; `validate` says where";
    NO_PARENT = Error, "msh.sample-parent",
        "a node does not stand behind its parent",
        "the node table is damaged; `validate` says where";
    NEITHER = Error, "msh.sample-neither",
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
}

impl Branch {
    /// The word for it in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Branch::Fallback => "fallback",
            Branch::Key => "key",
            Branch::Segment => "segment",
        }
    }
}

/// Where a node is, relative to its parent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Its place.
    pub position: [f32; 3],
    /// w, x, y, z as the engine holds them; not normalised.
    pub rotation: Quaternion,
}

impl Pose {
    /// The engine's matrix.
    pub fn matrix(&self) -> Matrix {
        engine::matrix(self.rotation, self.position)
    }
}

/// A node's pose at a time, as the engine samples it.
#[allow(clippy::float_cmp, reason = "the engine compares so, without an epsilon")]
pub fn sample_node_pose(model: &Model<'_>, node: usize, time: f32) -> Result<(Pose, Branch), SampleError> {
    let Some(index) = key_index(model, node, time)? else {
        let fallback = node_of(model, node)?.fallback_key.get();
        return Ok((of(key(model, node, fallback.into(), "fallback_key")?, model), Branch::Fallback));
    };
    let at = key(model, node, index, "map_start")?;
    if time == at.time.get() {
        return Ok((of(at, model), Branch::Key));
    }
    let next = key(model, node, index.saturating_add(1), "map_start")?;
    if time == next.time.get() {
        return Ok((of(next, model), Branch::Key));
    }
    let alpha = (time - at.time.get()) / (next.time.get() - at.time.get());
    let (a, b) = (of(at, model), of(next, model));
    let position = engine::lerp(a.position, b.position, alpha);
    Ok((Pose { position, rotation: engine::slerp(a.rotation, b.rotation, alpha) }, Branch::Segment))
}

/// Two poses of a node, one blended over the other. With one side only, that side.
pub fn blend_pose(
    model: &Model<'_>,
    node: usize,
    (time_a, time_b): (f32, f32),
    blend: f32,
) -> Result<(Pose, Option<Branch>, Option<Branch>), SampleError> {
    let a = (blend < 1.0 && time_a >= 0.0).then(|| sample_node_pose(model, node, time_a)).transpose()?;
    let b = (blend > 0.0 && time_b >= 0.0).then(|| sample_node_pose(model, node, time_b)).transpose()?;
    match (a, b) {
        (Some((pose, branch)), None) => Ok((pose, Some(branch), None)),
        (None, Some((pose, branch))) => Ok((pose, None, Some(branch))),
        (Some((a, branch_a)), Some((b, branch_b))) => {
            let rotation = engine::slerp(a.rotation, engine::nearer(a.rotation, b.rotation), blend);
            let ([ax, ay, az], [bx, by, bz]) = (a.position, b.position);
            let mix = |a: f32, b: f32| (1.0 - blend) * a + blend * b;
            let position = [mix(ax, bx), mix(ay, by), mix(az, bz)];
            Ok((Pose { position, rotation }, Some(branch_a), Some(branch_b)))
        }
        (None, None) => {
            let found = format!("times {time_a} and {time_b}, blend {blend}");
            Err(NEITHER.at(Path::of("nodes").index(node)).saying(found).into())
        }
    }
}

/// What to do with the translation of a first node without a parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Root {
    /// As the file says.
    #[default]
    Keep,
    /// None, as the engine poses: its controller moves the whole model instead.
    Clear,
}

/// The matrices of all nodes in the model's space, from each node's pose.
pub fn model_matrices(
    model: &Model<'_>,
    root: Root,
    mut pose_of: impl FnMut(usize) -> Result<Pose, SampleError>,
) -> Result<Vec<Matrix>, SampleError> {
    let nodes = nodes(model)?;
    let mut matrices: Vec<Matrix> = Vec::with_capacity(nodes.len());
    for (i, node) in nodes.iter().enumerate() {
        let mut pose = pose_of(i)?;
        let parent = node.parent.get();
        if parent == NONE {
            if i == 0 && root == Root::Clear {
                pose.position = [0.0; 3];
            }
            matrices.push(pose.matrix());
            continue;
        }
        let Some(above) = matrices.get(usize::from(parent)) else {
            let found = format!("parent {parent} of node {i}");
            return Err(NO_PARENT.at(Path::of("nodes").index(i).field("parent")).saying(found).into());
        };
        matrices.push(engine::compose(above, &pose.matrix()));
    }
    Ok(matrices)
}

/// The key that the frame map names; `None` for the fallback.
fn key_index(model: &Model<'_>, node: usize, time: f32) -> Result<Option<usize>, SampleError> {
    let record = node_of(model, node)?;
    let (start, fallback) = (record.map_start.get(), record.fallback_key.get());
    let frame = engine::frame(time);
    if frame >= model.frame_count() || start == NONE {
        return Ok(None);
    }
    let at = usize::from(start).saturating_add(usize::try_from(frame).unwrap_or(usize::MAX));
    let words = model.frame_map.as_ref().map_or(&[][..], |map| map.rows);
    let Some(word) = words.get(at) else {
        let found = format!("word {at} of {}", words.len());
        return Err(MAP_OUTSIDE.at(Path::of("nodes").index(node).field("map_start")).saying(found).into());
    };
    let key = word.key.get();
    Ok((key < fallback).then(|| usize::from(key)))
}

/// The pose of a key.
pub(super) fn of(key: &wire::Key, model: &Model<'_>) -> Pose {
    Pose { position: key.position.map(F32::get), rotation: values::rotation(key, model.reading) }
}

fn key<'a>(
    model: &Model<'a>,
    node: usize,
    index: usize,
    field: &'static str,
) -> Result<&'a wire::Key, SampleError> {
    let keys = model.keys.as_ref().map_or(&[][..], |keys| keys.rows);
    keys.get(index).ok_or_else(|| {
        let found = format!("key {index} of {}", keys.len());
        KEY_OUTSIDE.at(Path::of("nodes").index(node).field(field)).saying(found).into()
    })
}

fn nodes<'a>(model: &Model<'a>) -> Result<&'a [wire::Node], SampleError> {
    match (&model.nodes, model.legacy_nodes) {
        (Some(nodes), _) => Ok(nodes.rows),
        (None, Some(_)) => Err(LEGACY_NODES.at(Path::of("nodes")).into()),
        (None, None) => Ok(&[]),
    }
}

fn node_of<'a>(model: &Model<'a>, node: usize) -> Result<&'a wire::Node, SampleError> {
    let nodes = nodes(model)?;
    nodes.get(node).ok_or_else(|| {
        let found = format!("node {node} of {}", nodes.len());
        NO_NODE.at(Path::of("nodes").index(node)).saying(found).into()
    })
}
