//! `sample`: where the nodes of a model are, as its engine has it.

use galvani::formats::{Sampling, Selector, Table};
use galvani::render;
use serde_json::{Value, json};

use crate::args::{Common, Sample};
use crate::batch::single;
use crate::failure::warn;
use crate::{Outcome, out, table};

pub(crate) fn run(args: &Sample, common: &Common) -> Outcome {
    let wanted = Sampling {
        times: args.time.iter().flat_map(|times| times.0.iter().copied()).collect(),
        blend: args.time_b.zip(args.blend),
        node: args.node.as_deref().map(Selector::new),
        clip: args.clip.as_deref().map(Selector::new),
        y: args.y,
        space: args.space,
        root: args.root,
        rest: args.rest,
        global_time: args.global_time,
        edges: args.edges,
        tracks: args.tracks,
        camera: args.camera,
    };
    let (input, known) = single(&args.input, common)?;
    let opened = known.open(&input, common)?;
    let samples = opened.sample(&wanted)?;
    warn(opened.report.findings(), &input.shown);
    warn(samples.notes.findings(), &input.shown);
    if common.json {
        let mut answer = json!({"samples": samples.rows});
        if !samples.notes.findings().is_empty() {
            answer["findings"] = samples.notes.findings().iter().map(render::json::diagnostic).collect();
        }
        out::json(&answer);
    } else {
        out::text(&text(&samples.rows));
    }
    Ok(0)
}

/// What people want to see of samples: rows of bones where each is a frame, of nodes and properties where each
/// is a moment of a sequence, else rows of nodes.
fn text(samples: &[Value]) -> String {
    let has = |key: &str| samples.iter().any(|sample| sample.get(key).is_some());
    if has("bones") {
        table::outline(&bones(samples))
    } else if has("tracks") {
        format!("{}\n{}", table::outline(&moments(samples)), table::outline(&properties(samples)))
    } else if has("nodes") {
        table::outline(&moments(samples))
    } else {
        nodes(samples)
    }
}

/// A row per bone of every frame.
fn bones(samples: &[Value]) -> Table {
    let rows = samples.iter().flat_map(|frame| {
        frame["bones"].as_array().into_iter().flatten().map(move |bone| {
            let [angle, degrees, rotation] =
                ["angle", "degrees", "rotation"].map(|key| json!(list(&bone[key])));
            let position = json!(list(&frame["position"]));
            vec![
                frame["clip"].clone(),
                frame["frame"].clone(),
                position,
                bone["bone"].clone(),
                place(&bone["matrix"]),
                angle,
                degrees,
                rotation,
            ]
        })
    });
    let columns: &[&str] =
        &["clip", "frame", "x y z", "bone", "in model x y z", "angle", "degrees", "w x y z"];
    let mut rows: Vec<Vec<Value>> = rows.collect();
    if rows.iter().any(|row| !row[PLACE].is_null()) {
        return Table { key: "samples", columns, optional: &[], rows };
    }
    for row in &mut rows {
        row.remove(PLACE);
    }
    let columns: &[&str] = &["clip", "frame", "x y z", "bone", "angle", "degrees", "w x y z"];
    Table { key: "samples", columns, optional: &[], rows }
}

/// The column of a bone's place.
const PLACE: usize = 4;

/// Where a matrix puts what it moves; null without one.
fn place(matrix: &Value) -> Value {
    match matrix.as_array().map(Vec::as_slice) {
        Some([_, _, _, x, _, _, _, y, _, _, _, z, ..]) => json!([x, y, z].map(shown).join(" ")),
        _ => Value::Null,
    }
}

/// A row per node of every moment: where it is, then what its tracks do to it. The matrix is for machines.
fn moments(samples: &[Value]) -> Table {
    let rows = samples.iter().flat_map(|sample| {
        sample["nodes"].as_array().into_iter().flatten().map(move |node| {
            let [position, translation, rotation, scale] =
                ["position", "translation", "rotation", "scale"].map(|key| json!(list(&node[key])));
            let clip = if sample["name"].is_null() { &sample["clip"] } else { &sample["name"] };
            let (time, id, name) = (sample["time"].clone(), node["node"].clone(), node["name"].clone());
            vec![clip.clone(), time, id, name, position, translation, rotation, scale]
        })
    });
    let columns: &[&str] =
        &["clip", "time", "node", "name", "x y z", "moved x y z", "turned w x y z", "scaled x y z"];
    Table { key: "samples", columns, optional: &[], rows: rows.collect() }
}

/// A row per animated property of every moment.
fn properties(samples: &[Value]) -> Table {
    let rows = samples.iter().flat_map(|sample| {
        sample["tracks"].as_array().into_iter().flatten().map(move |track| {
            let value = &track["value"];
            let value = if value.is_array() { list(value) } else { shown(value) };
            vec![sample["name"].clone(), sample["time"].clone(), track["path"].clone(), json!(value)]
        })
    });
    let columns: &[&str] = &["clip", "time", "property", "value"];
    Table { key: "tracks", columns, optional: &[], rows: rows.collect() }
}

fn list(value: &Value) -> String {
    let numbers = value.as_array().into_iter().flatten();
    numbers.map(shown).collect::<Vec<_>>().join(" ")
}

/// A row per node; the matrix is for machines.
fn nodes(samples: &[Value]) -> String {
    let row = |sample: &Value| {
        let [position, rotation] = ["position", "rotation"].map(|key| json!(list(&sample[key])));
        let cell = |key: &str| sample.get(key).cloned().unwrap_or_default();
        let (time, node, name, branch) = (cell("time"), cell("node"), cell("name"), cell("branch"));
        vec![time, node, name, branch, cell("time_b"), cell("blend"), cell("branch_b"), position, rotation]
    };
    let columns: &[&str] =
        &["time", "node", "name", "branch", "time_b", "blend", "branch_b", "x y z", "w x y z"];
    if samples.is_empty() {
        return "no nodes\n".to_owned();
    }
    table::outline(&Table { key: "samples", columns, optional: &[], rows: samples.iter().map(row).collect() })
}

/// A number in as many digits as people read.
fn shown(value: &Value) -> String {
    match value.as_f64() {
        Some(number) if number.abs() < 1e6 => {
            let text = format!("{number:.5}");
            let text = text.trim_end_matches('0').trim_end_matches('.');
            (if text == "-0" { "0" } else { text }).to_owned()
        }
        Some(number) => format!("{number:e}"),
        None => value.as_str().unwrap_or_default().to_owned(),
    }
}
