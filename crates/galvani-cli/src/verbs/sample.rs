//! `sample`: where the nodes of a model are, as its engine has it.

use galvani::formats::{
    NodePose, Pose, PoseBranch, PoseKind, PoseSource, PropertyValue, Samples, Sampling, Selector, Times,
};
use galvani::glam::{Quat, Vec3};
use galvani::render::json::{diagnostic, float};
use galvani::render::pose::{rows, time};
use galvani::render::table::TextTable;
use galvani::{Report, budget};
use serde_json::{Value, json};

use crate::args::{Common, Sample};
use crate::batch::single;
use crate::failure::{Failure, warn};
use crate::{Outcome, out, table};

pub(crate) fn run(args: &Sample, common: &Common) -> Outcome {
    let mut times = Times::default();
    times.extend(args.time.iter().cloned());
    let wanted = Sampling {
        times,
        node: args.node.as_deref().map(Selector::new),
        clip: args.clip.as_deref().map(Selector::new),
        settings: args.posing.0.clone(),
    };
    let (input, known) = single(&args.input, common)?;
    let opened = known.open(&input, common)?;
    let animated = opened.as_animated()?;
    // Everything is sampled once before anything is printed: half an answer is none.
    let meter = common.options().read.budget.meter(&budget::SAMPLING, known.source.bytes.len());
    meter.memory(known.source.bytes.len())?;
    let Samples { notes, mut poses } = animated.sample(&wanted)?;
    poses.try_for_each(|pose| Ok::<_, Failure>(meter.work(pose?.nodes.len().max(1))?))?;
    warn(opened.report.findings(), &input.shown);
    warn(notes.findings(), &input.shown);
    let poses = animated.sample(&wanted)?.poses.filter_map(Result::ok);
    if common.json {
        json(poses, &notes);
    } else {
        tables(poses);
    }
    Ok(0)
}

/// How many rows a table for people has at most; what is more begins another one.
const MOST_ROWS: usize = 4096;

/// Poses for people, a table at a time.
pub(super) fn tables(mut poses: impl Iterator<Item = Pose>) {
    let mut is_first = true;
    loop {
        let (mut some, mut count) = (Vec::new(), 0);
        while count < MOST_ROWS
            && let Some(pose) = poses.next()
        {
            let properties = match &pose.kind {
                PoseKind::Sequence { properties: Some(properties), .. } => properties.len(),
                _ => 0,
            };
            count += pose.nodes.len().max(properties).max(1);
            some.push(pose);
        }
        if some.is_empty() && !is_first {
            return;
        }
        out::text(&text(&some));
        is_first = false;
    }
}

/// Poses for machines, each printed before the next is made.
fn json(poses: impl Iterator<Item = Pose>, notes: &Report) {
    let mut list = out::JsonList::begin("samples");
    poses.flat_map(|pose| rows(&pose)).for_each(|row| list.push(&row));
    let findings: Vec<Value> = notes.findings().iter().map(diagnostic).collect();
    list.end(&if findings.is_empty() { json!({}) } else { json!({"findings": findings}) });
}

/// What people want to see of poses: a row per node or bone, and a table of properties where they were asked for.
fn text(poses: &[Pose]) -> String {
    let Some(first) = poses.first() else { return "no nodes\n".to_owned() };
    match &first.kind {
        PoseKind::Keyed { .. } if poses.iter().all(|pose| pose.nodes.is_empty()) => "no nodes\n".to_owned(),
        PoseKind::Keyed { .. } => table::outline(&keyed(poses)),
        PoseKind::Packed { .. } | PoseKind::Degrees { .. } => table::outline(&bones(poses)),
        PoseKind::Sequence { properties: None, .. } => table::outline(&moments(poses)),
        PoseKind::Sequence { properties: Some(_), .. } => {
            format!("{}\n{}", table::outline(&moments(poses)), table::outline(&properties(poses)))
        }
    }
}

/// Every node of every pose, with its pose.
fn nodes(poses: &[Pose]) -> impl Iterator<Item = (&Pose, &NodePose)> {
    poses.iter().flat_map(|pose| pose.nodes.iter().map(move |node| (pose, node)))
}

/// A row per bone of every frame.
fn bones(poses: &[Pose]) -> TextTable {
    let are_placed = nodes(poses).any(|(_, bone)| bone.position.is_some());
    let row = |(pose, bone): (&Pose, &NodePose)| {
        let (angle, degrees) = match bone.source {
            PoseSource::Angles(angles) => (angles.angle.map(f32::from).to_vec(), angles.degrees.to_vec()),
            PoseSource::Degrees(degrees) => (Vec::new(), degrees.to_vec()),
            PoseSource::Curves | PoseSource::Branches(..) => (Vec::new(), Vec::new()),
        };
        let root = match pose.kind {
            PoseKind::Packed { position } => position.map(|part| part.to_string()).join(" "),
            PoseKind::Degrees { position, .. } => vector(position),
            PoseKind::Keyed { .. } | PoseKind::Sequence { .. } => String::new(),
        };
        let mut row = vec![clip(pose), time(pose), json!(root), json!(bone.index)];
        if are_placed {
            row.push(json!(bone.position.map(vector)));
        }
        row.extend([json!(list(&angle)), json!(list(&degrees)), json!(rotation(bone.rotation))]);
        row
    };
    let columns: &[&str] = if are_placed {
        &["clip", "frame", "x y z", "bone", "in model x y z", "angle", "degrees", "w x y z"]
    } else {
        &["clip", "frame", "x y z", "bone", "angle", "degrees", "w x y z"]
    };
    TextTable { key: "samples", columns, optional: &[], rows: nodes(poses).map(row).collect() }
}

/// A row per node of every moment: where it is, then what its tracks do to it. The matrix is for machines.
fn moments(poses: &[Pose]) -> TextTable {
    let row = |(pose, node): (&Pose, &NodePose)| {
        vec![
            clip(pose),
            time(pose),
            json!(node.id),
            json!(node.name),
            json!(node.position.map(vector)),
            json!(vector(node.translation)),
            json!(rotation(node.rotation)),
            json!(vector(node.scale)),
        ]
    };
    let columns: &[&str] =
        &["clip", "time", "node", "name", "x y z", "moved x y z", "turned w x y z", "scaled x y z"];
    TextTable { key: "samples", columns, optional: &[], rows: nodes(poses).map(row).collect() }
}

/// A row per animated property of every moment.
fn properties(poses: &[Pose]) -> TextTable {
    let rows = poses.iter().flat_map(|pose| {
        let properties = match &pose.kind {
            PoseKind::Sequence { properties: Some(properties), .. } => properties.as_slice(),
            _ => &[],
        };
        properties.iter().map(move |property| {
            let value = match &property.value {
                PropertyValue::Index(index) => index.to_string(),
                PropertyValue::Number(number) => shown(*number),
                PropertyValue::Numbers(numbers) => list(numbers),
                PropertyValue::Rotation(turn) => rotation(*turn),
            };
            vec![clip(pose), time(pose), json!(property.path), json!(value)]
        })
    });
    let columns: &[&str] = &["clip", "time", "property", "value"];
    TextTable { key: "tracks", columns, optional: &[], rows: rows.collect() }
}

/// A row per node; the matrix is for machines.
fn keyed(poses: &[Pose]) -> TextTable {
    let word = |branch: Option<PoseBranch>| json!(branch.map(PoseBranch::word));
    let row = |(pose, node): (&Pose, &NodePose)| {
        let (branch, branch_b) = match node.source {
            PoseSource::Branches(branch, branch_b) => (word(branch), word(branch_b)),
            _ => Default::default(),
        };
        let (time_b, blend) = match pose.kind {
            PoseKind::Keyed { blend: Some((time_b, weight)) } => (float(time_b), float(weight)),
            _ => Default::default(),
        };
        let branch_b = if time_b.is_null() { Value::Null } else { branch_b };
        let place = json!(node.position.map(vector));
        let (index, name) = (json!(node.index), json!(node.name));
        vec![time(pose), index, name, branch, time_b, blend, branch_b, place, json!(rotation(node.rotation))]
    };
    let columns: &[&str] =
        &["time", "node", "name", "branch", "time_b", "blend", "branch_b", "x y z", "w x y z"];
    TextTable { key: "samples", columns, optional: &[], rows: nodes(poses).map(row).collect() }
}

/// The name of a pose's clip, or else its number.
fn clip(pose: &Pose) -> Value {
    let clip = pose.clip.as_ref();
    clip.map_or(Value::Null, |clip| clip.name.as_ref().map_or_else(|| json!(clip.index), |name| json!(name)))
}

fn vector(vector: Vec3) -> String {
    list(&vector.to_array())
}

/// Real part first.
fn rotation(rotation: Quat) -> String {
    let [x, y, z, w] = rotation.to_array();
    list(&[w, x, y, z])
}

fn list(numbers: &[f32]) -> String {
    numbers.iter().map(|number| shown(*number)).collect::<Vec<_>>().join(" ")
}

/// A number in as many digits as people read.
fn shown(number: f32) -> String {
    if !number.is_finite() {
        return float(number).as_str().unwrap_or_default().to_owned();
    }
    if number.abs() >= 1e6 {
        return format!("{number:e}");
    }
    let text = format!("{number:.5}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    (if text == "-0" { "0" } else { text }).to_owned()
}
