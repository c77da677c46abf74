//! What is drawn of a model, and what a ray meets.

use galvani_core::{Meter, Reading, SampleError, room, text};
use galvani_parkan::msh::draw::{Choice, Draw, DrawInstance, Filter, Posed, View};
use galvani_parkan::msh::engine::Matrix;
use galvani_parkan::msh::node_test::NodeTest;
use galvani_parkan::msh::pick::{self, Hit, Neighbour};
use galvani_parkan::msh::sample::{self, model_matrices, sample_node_pose};
use galvani_parkan::msh::{Document, ModelView};
use glam::Vec3;

use crate::budget;
use crate::formats::{DrawCall, DrawView, EdgeNeighbour, Plane, Ray, RayHit, RootOption, SlotChoice};

/// The draw calls in the engine's order.
pub(super) fn draw(
    document: &Document,
    view: &DrawView,
    planes: &[Plane],
    meter: &Meter,
) -> Result<Vec<DrawCall>, SampleError> {
    let model = document.model();
    let matrices = matrices(&model, view)?;
    let posed = Posed::new(&model, &matrices, DrawInstance::default())?;
    let draws = posed.draw(&View { choice: choice(view), filter: filter(view), planes }, meter)?;
    let call = |draw: Draw| {
        let Draw { node, slot, batch, flags, material, index_start, index_count, base_vertex } = draw;
        let (name, slots) = (text::shown(model.node_name(node)), slots(view, model.reading));
        budget::charge_call(meter, &name)?;
        let name = name.into_owned();
        Ok(DrawCall {
            node,
            name,
            slots,
            slot,
            batch,
            flags,
            material,
            index_start,
            index_count,
            base_vertex,
        })
    };
    room::try_collected(draws.into_iter().map(call))
}

/// What a ray meets first, if anything.
pub(super) fn pick(
    document: &Document,
    view: &DrawView,
    ray: Ray,
    meter: &Meter,
) -> Result<Option<RayHit>, SampleError> {
    let model = document.model();
    let matrices = matrices(&model, view)?;
    let posed = Posed::new(&model, &matrices, DrawInstance::default())?;
    let [x, y, z, dx, dy, dz] = ray;
    let ray = pick::Ray { origin: [x, y, z], direction: [dx, dy, dz] };
    let hit = posed.pick(&ray, (choice(view), filter(view)), meter)?;
    let told = |hit: Hit| {
        let Hit { node, slot, batch, triangle, flags, distance, barycentrics, position, neighbours } = hit;
        let tests = NodeTest::ALL.iter().filter(|test| test.holds(&model, node)).map(|test| test.word());
        RayHit {
            node,
            name: text::shown(model.node_name(node)).into_owned(),
            slots: slots(view, model.reading),
            slot,
            batch,
            triangle,
            flags,
            distance,
            position: Vec3::from_array(position),
            barycentrics,
            neighbours: neighbours.map(|Neighbour { triangle, edge }| EdgeNeighbour { triangle, edge }),
            node_tests: tests.collect(),
        }
    };
    Ok(hit.map(told))
}

fn matrices(model: &ModelView<'_>, view: &DrawView) -> Result<Vec<Matrix>, SampleError> {
    let root = match view.root {
        RootOption::Keep => sample::RootTranslation::Keep,
        RootOption::Clear => sample::RootTranslation::Clear,
    };
    model_matrices(model, root, |node| Ok(sample_node_pose(model, node, view.time)?.0))
}

/// A negative number is the engine's -1: the current one.
fn choice(view: &DrawView) -> Choice {
    Choice { lod: usize::try_from(view.lod).ok(), group: usize::try_from(view.group).ok() }
}

fn filter(view: &DrawView) -> Filter {
    Filter { with: view.mask, without: view.without }
}

/// A file's own current level and group are 0.
fn slots(view: &DrawView, reading: Reading) -> SlotChoice {
    let index = |one: i8| u8::try_from(one).unwrap_or(0);
    SlotChoice { lod: index(view.lod), group: index(view.group), is_observed: reading == Reading::Observed }
}
