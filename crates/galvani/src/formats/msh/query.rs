//! What is drawn of a model, and what a ray meets, as tables.

use galvani_core::{Reading, SampleError, text};
use galvani_parkan::msh::draw::{Choice, Draw, Filter, Instance, Posed, View};
use galvani_parkan::msh::engine::Matrix;
use galvani_parkan::msh::node_test::NodeTest;
use galvani_parkan::msh::pick::{self, Hit, Neighbour};
use galvani_parkan::msh::sample::{self, model_matrices, sample_node_pose};
use galvani_parkan::msh::{Document, Model};
use serde_json::{Value, json};

use crate::formats::Table;
use crate::formats::{Plane, Ray, Root, Shown};
use crate::render::json::float;

/// One row per draw call.
pub(super) fn draw(document: &Document, scene: &Shown, planes: &[Plane]) -> Result<Table, SampleError> {
    let model = document.model();
    let matrices = matrices(&model, scene)?;
    let posed = Posed::new(&model, &matrices, Instance::default())?;
    let draws = posed.draw(&View { choice: choice(scene), filter: filter(scene), planes })?;
    let row = |draw: &Draw| {
        let mut row = vec![json!(draw.node), json!(text::shown(model.node_name(draw.node)))];
        row.extend(place(scene, model.reading));
        row.extend([json!(draw.slot), json!(draw.batch), json!(draw.flags), json!(draw.material)]);
        row.extend([json!(draw.index_start), json!(draw.index_count), json!(draw.base_vertex)]);
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
    Ok(Table { key: "draws", columns, optional: columns, rows: draws.iter().map(row).collect() })
}

/// One row, or none if the ray meets nothing.
pub(super) fn pick(document: &Document, scene: &Shown, ray: Ray) -> Result<Table, SampleError> {
    let model = document.model();
    let matrices = matrices(&model, scene)?;
    let posed = Posed::new(&model, &matrices, Instance::default())?;
    let [x, y, z, dx, dy, dz] = ray;
    let ray = pick::Ray { origin: [x, y, z], direction: [dx, dy, dz] };
    let hit = posed.pick(&ray, choice(scene), filter(scene))?;
    let row = |hit: Hit| {
        let tests = NodeTest::ALL.iter().filter(|test| test.holds(&model, hit.node)).map(|test| test.word());
        let mut row = vec![json!(hit.node), json!(text::shown(model.node_name(hit.node)))];
        row.extend(place(scene, model.reading));
        row.extend([json!(hit.slot), json!(hit.batch), json!(hit.triangle), json!(hit.flags)]);
        row.extend([float(hit.distance), floats(hit.position), floats(hit.barycentrics)]);
        row.extend([hit.neighbours.into_iter().map(neighbour).collect(), tests.collect()]);
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
    Ok(Table { key: "hit", columns, optional: columns, rows: hit.into_iter().map(row).collect() })
}

fn matrices(model: &Model<'_>, scene: &Shown) -> Result<Vec<Matrix>, SampleError> {
    let root = match scene.root {
        Root::Keep => sample::Root::Keep,
        Root::Clear => sample::Root::Clear,
    };
    model_matrices(model, root, |node| Ok(sample_node_pose(model, node, scene.time)?.0))
}

/// A negative number is the engine's -1: the current one.
fn choice(scene: &Shown) -> Choice {
    Choice { lod: usize::try_from(scene.lod).ok(), group: usize::try_from(scene.group).ok() }
}

fn filter(scene: &Shown) -> Filter {
    Filter { with: scene.mask, without: scene.without }
}

/// Level and group as the documentation calls them, then as later findings do. A file's own current ones are
/// 0.
fn place(scene: &Shown, reading: Reading) -> [Value; 4] {
    let (lod, group) = (json!(scene.lod.max(0)), json!(scene.group.max(0)));
    match reading {
        Reading::Observed => [lod.clone(), group.clone(), lod, group],
        _ => [lod, group, Value::Null, Value::Null],
    }
}

fn floats(numbers: [f32; 3]) -> Value {
    numbers.into_iter().map(float).collect()
}

fn neighbour(neighbour: Neighbour) -> Value {
    json!({"triangle": neighbour.triangle, "edge": neighbour.edge})
}
