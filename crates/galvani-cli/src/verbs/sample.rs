//! `sample`: where the nodes of a model are, as its engine has it.

use galvani::formats::{EntryRef, Sampling, Table};
use serde_json::{Value, json};

use crate::args::{Common, Sample};
use crate::batch::single;
use crate::failure::warn;
use crate::{Outcome, out, table};

pub(crate) fn run(args: &Sample, common: &Common) -> Outcome {
    let wanted = Sampling {
        times: args.time.iter().flat_map(|times| times.0.iter().copied()).collect(),
        blend: args.time_b.zip(args.blend),
        node: args.node.as_deref().map(EntryRef::node),
        space: args.space,
        root: args.root,
        rest: args.rest,
    };
    let (input, known) = single(&args.input, common)?;
    let opened = known.open(common)?;
    let samples = opened.document.sample(&wanted)?;
    warn(opened.report.findings(), &input.shown);
    if common.json {
        out::json(&json!({"samples": samples}));
    } else {
        out::text(&text(&samples));
    }
    Ok(0)
}

/// A row per sample; the matrix is for machines.
fn text(samples: &[Value]) -> String {
    let list = |value: &Value| {
        let numbers = value.as_array().into_iter().flatten();
        numbers.map(shown).collect::<Vec<_>>().join(" ")
    };
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
