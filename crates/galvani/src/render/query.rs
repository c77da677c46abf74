//! What is drawn and what a ray meets, as rows.

use serde_json::{Value, json};

use super::json::float;
use super::table::TextTable;
use crate::formats::{DrawCall, EdgeNeighbour, RayHit, SlotChoice};

/// One row per draw call.
pub fn draws(calls: &[DrawCall]) -> TextTable {
    let row = |call: &DrawCall| {
        let mut row = vec![json!(call.node), json!(call.name)];
        row.extend(slots(call.slots));
        row.extend([json!(call.slot), json!(call.batch), json!(call.flags), json!(call.material)]);
        row.extend([json!(call.index_start), json!(call.index_count), json!(call.base_vertex)]);
        row
    };
    let columns = &[
        "node",
        "name",
        "lod",
        "group",
        "damage_state",
        "level_of_detail",
        "slot",
        "batch",
        "flags",
        "material",
        "index_start",
        "index_count",
        "base_vertex",
    ];
    TextTable { key: "draws", columns, optional: columns, rows: calls.iter().map(row).collect() }
}

/// One row, or none if the ray meets nothing.
pub fn hit(hit: Option<&RayHit>) -> TextTable {
    hit_with(hit, |found| found.neighbours.into_iter().map(neighbour).collect())
}

/// The same for people: a neighbour is `triangle:edge`.
pub fn hit_in_words(hit: Option<&RayHit>) -> TextTable {
    let number = |number: Option<u16>| number.map_or_else(|| "–".to_owned(), |number| number.to_string());
    let neighbour = |it: EdgeNeighbour| match it.triangle {
        Some(_) => format!("{}:{}", number(it.triangle), number(it.edge)),
        None => number(None),
    };
    hit_with(hit, |found| found.neighbours.into_iter().map(neighbour).collect())
}

fn hit_with(hit: Option<&RayHit>, neighbours: impl Fn(&RayHit) -> Value) -> TextTable {
    let row = |hit: &RayHit| {
        let mut row = vec![json!(hit.node), json!(hit.name)];
        row.extend(slots(hit.slots));
        row.extend([json!(hit.slot), json!(hit.batch), json!(hit.triangle), json!(hit.flags)]);
        row.extend([float(hit.distance), floats(hit.position.to_array()), floats(hit.barycentrics)]);
        row.extend([neighbours(hit), json!(hit.node_tests)]);
        row
    };
    let columns = &[
        "node",
        "name",
        "lod",
        "group",
        "damage_state",
        "level_of_detail",
        "slot",
        "batch",
        "triangle",
        "flags",
        "distance",
        "position",
        "barycentrics",
        "neighbours",
        "node_tests",
    ];
    TextTable { key: "hit", columns, optional: columns, rows: hit.map(row).into_iter().collect() }
}

/// As the documentation calls them, then as later findings do.
fn slots(slots: SlotChoice) -> [Value; 4] {
    let (lod, group) = (json!(slots.lod), json!(slots.group));
    if slots.is_observed {
        [lod.clone(), group.clone(), lod, group]
    } else {
        [lod, group, Value::Null, Value::Null]
    }
}

fn floats(numbers: [f32; 3]) -> Value {
    numbers.into_iter().map(float).collect()
}

fn neighbour(neighbour: EdgeNeighbour) -> Value {
    json!({"triangle": neighbour.triangle, "edge": neighbour.edge})
}
