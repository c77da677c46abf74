//! Poses as JSON, each kind in the shape that docs/cli.md#json gives it.

use galvani_core::maths::single;
use glam::{Mat4, Quat, Vec3};
use serde_json::{Map, Value, json};

use super::json::float;
use crate::formats::{
    Angles, NodePose, PlayedEvent, PlayedMoment, Pose, PoseBranch, PoseKind, PoseProperty, PoseSource,
    PropertyValue,
};

/// The rows of a pose: one, or one per node where nodes are sampled by themselves.
pub fn rows(pose: &Pose) -> Vec<Value> {
    match &pose.kind {
        PoseKind::Keyed { blend } => pose.nodes.iter().map(|node| keyed(pose, node, *blend)).collect(),
        PoseKind::Packed { position } => vec![frame(pose, json!(position), None)],
        PoseKind::Degrees { position, rotation } => vec![frame(pose, vector(*position), Some(*rotation))],
        PoseKind::Sequence { global_time, properties } => {
            vec![sequence(pose, *global_time, properties.as_deref())]
        }
    }
}

/// The rows of a moment of something that plays: those of its pose, with what plays and what happened.
pub fn played(moment: &PlayedMoment) -> Vec<Value> {
    let mut rows = rows(&moment.pose);
    for row in &mut rows {
        row["playing"] = playing(moment);
        row["events"] = moment.events.iter().map(event).collect();
    }
    rows
}

/// What plays.
pub fn playing(moment: &PlayedMoment) -> Value {
    let clip = moment.pose.clip.as_ref();
    json!({
        "clip": clip.and_then(|clip| clip.index),
        "name": clip.and_then(|clip| clip.name.as_deref()),
        "since": whole(moment.since),
        "over": moment.is_over,
        "fade": float(moment.fade),
    })
}

/// Something that happened.
pub fn event(event: &PlayedEvent) -> Value {
    json!({"time": whole(event.time), "name": event.name, "moment": event.moment})
}

/// When a pose is.
pub fn time(pose: &Pose) -> Value {
    match (&pose.kind, pose.time) {
        (_, None) => Value::Null,
        (PoseKind::Keyed { .. }, Some(time)) => float(single(time)),
        (_, Some(time)) => whole(time),
    }
}

/// A node on its own key track.
fn keyed(pose: &Pose, node: &NodePose, blend: Option<(f32, f32)>) -> Value {
    let word = |branch: Option<PoseBranch>| json!(branch.map(PoseBranch::word));
    let (branch, branch_b) = match node.source {
        PoseSource::Branches(branch, branch_b) => (branch, branch_b),
        _ => (None, None),
    };
    let mut object = json!({
        "node": node.index,
        "name": node.name,
        "time": time(pose),
        "position": vector(node.position.unwrap_or_default()),
        "rotation": rotation(node.rotation),
        "matrix": matrix(node.matrix),
        "branch": word(branch),
    });
    if let (Some((time_b, weight)), Some(object)) = (blend, object.as_object_mut()) {
        object.insert("time_b".to_owned(), float(time_b));
        object.insert("blend".to_owned(), float(weight));
        object.insert("branch_b".to_owned(), word(branch_b));
    }
    object
}

/// A frame of bones.
fn frame(pose: &Pose, position: Value, root: Option<Quat>) -> Value {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| drop(object.insert(key.to_owned(), value));
    put("clip", json!(pose.clip.as_ref().and_then(|clip| clip.index)));
    put("frame", time(pose));
    put("position", position);
    if let Some(root) = root {
        put("rotation_root", rotation(root));
    }
    put("bones", pose.nodes.iter().map(bone).collect());
    Value::Object(object)
}

/// A bone in every form there is.
fn bone(node: &NodePose) -> Value {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| drop(object.insert(key.to_owned(), value));
    put("bone", json!(node.index));
    match node.source {
        PoseSource::Angles(Angles { raw, int, float: seed, angle, degrees }) => {
            put("raw", json!(raw));
            put("int", json!(int));
            put("float", floats(&seed));
            put("angle", json!(angle));
            put("degrees", floats(&degrees));
        }
        PoseSource::Degrees(degrees) => put("degrees", floats(&degrees)),
        PoseSource::Curves | PoseSource::Branches(..) => {}
    }
    put("rotation", rotation(node.rotation));
    if node.matrix.is_some() {
        put("matrix", matrix(node.matrix));
    }
    Value::Object(object)
}

/// A moment of a sequence.
fn sequence(pose: &Pose, global_time: f64, properties: Option<&[PoseProperty]>) -> Value {
    let node = |node: &NodePose| {
        json!({
            "node": node.id,
            "index": node.index,
            "name": node.name,
            "position": vector(node.position.unwrap_or_default()),
            "translation": vector(node.translation),
            "rotation": rotation(node.rotation),
            "scale": vector(node.scale),
            "matrix": matrix(node.matrix),
        })
    };
    let clip = pose.clip.as_ref();
    let mut object = json!({
        "clip": clip.and_then(|clip| clip.index),
        "name": clip.and_then(|clip| clip.name.as_deref()),
        "time": time(pose),
        "global_time": whole(global_time),
        "nodes": pose.nodes.iter().map(node).collect::<Vec<_>>(),
    });
    if let (Some(properties), Some(object)) = (properties, object.as_object_mut()) {
        object.insert("tracks".to_owned(), properties.iter().map(property).collect());
    }
    object
}

fn property(property: &PoseProperty) -> Value {
    let value = match &property.value {
        PropertyValue::Index(index) => json!(index),
        PropertyValue::Number(number) => float(*number),
        PropertyValue::Numbers(numbers) => floats(numbers),
        PropertyValue::Rotation(turn) => rotation(*turn),
    };
    json!({"path": property.path, "value": value, "keyed": property.keyed})
}

fn vector(vector: Vec3) -> Value {
    floats(&vector.to_array())
}

/// Real part first.
fn rotation(rotation: Quat) -> Value {
    let [x, y, z, w] = rotation.to_array();
    floats(&[w, x, y, z])
}

/// Sixteen numbers, row by row.
fn matrix(matrix: Option<Mat4>) -> Value {
    matrix.map_or(Value::Null, |matrix| floats(&matrix.transpose().to_cols_array()))
}

fn floats(numbers: &[f32]) -> Value {
    numbers.iter().map(|&number| float(number)).collect()
}

/// A time: whole ones as whole numbers.
#[allow(clippy::cast_possible_truncation, reason = "a whole number that is small enough")]
fn whole(time: f64) -> Value {
    let is_whole = time.fract() == 0.0 && time.abs() < 1e15;
    if is_whole { json!(time as i64) } else { json!(time) }
}
