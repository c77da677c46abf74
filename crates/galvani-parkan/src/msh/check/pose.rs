//! The model at rest, and whether it fits its box.

use galvani_core::budget::{is_exhaustion, unless_exhausted};
use galvani_core::{Diagnostic, Path, Report, SampleError};
use zerocopy::little_endian::F32;

use super::animation::tracks;
use super::geometry::{Extent, Mesh};
use super::ranges::COCKPIT_FLAG;
use super::{ENTANGLED, MODEL_BOX};
use crate::msh::engine::{self, Matrix};
use crate::msh::sample::{self, LocalPose, RootTranslation};
use crate::msh::{ModelView, NONE, wire};

/// How far the model may reach out of its box, for the size of the box. Game models reach out by 0.001 of it.
const TOLERANCE: f32 = 0.01;

/// The first level of the first group, posed at frame 0, fits the box. Cockpits do not count. The engine
/// clears the translation of the first node, authors may not have: either way is good.
pub(super) fn model_box(model: &ModelView<'_>, mesh: &Mesh<'_>, report: &mut Report) {
    let Some(bounds) = model.bounds else { return };
    let hull = Extent::around(bounds.hull.iter().map(|corner| corner.map(F32::get)));
    let kept = match posed(model, mesh, RootTranslation::Keep) {
        Ok(Some(extent)) if hull.is_finite() && extent.is_finite() => extent,
        Ok(_) => return,
        Err(why) => return report.push(*why),
    };
    if fits(&kept, &hull) {
        return;
    }
    match posed(model, mesh, RootTranslation::Clear) {
        Ok(Some(cleared)) if fits(&cleared, &hull) => return,
        Err(why) if is_exhaustion(&why) => return report.push(*why),
        _ => {}
    }
    let found = format!(
        "a model from {:?} to {:?} wanted, from {:?} to {:?} found",
        hull.min, hull.max, kept.min, kept.max
    );
    report.push(MODEL_BOX.at(Path::named("bounds").field("hull")).saying(found));
}

fn fits(model: &Extent, hull: &Extent) -> bool {
    let tolerance = TOLERANCE * hull.size().max(1.0);
    let low = model.min.iter().zip(hull.min).all(|(model, hull)| *model >= hull - tolerance);
    low && model.max.iter().zip(hull.max).all(|(model, hull)| *model <= hull + tolerance)
}

/// The extent of the posed model; `None` where it cannot be posed or has no geometry, a finding where looking
/// at its vertices costs too much.
fn posed(
    model: &ModelView<'_>,
    mesh: &Mesh<'_>,
    root: RootTranslation,
) -> Result<Option<Extent>, Box<Diagnostic>> {
    let mut all = Extent::NOTHING;
    let is_posed = each_point(model, mesh, root, &mut |point| {
        all = all.join(Extent::around(std::iter::once(point)));
    })?;
    Ok(Some(all).filter(|all| is_posed && all.is_finite()))
}

/// Calls `each` with the vertices of the posed model; says whether it can be posed.
pub(in crate::msh) fn posed_points(
    model: &ModelView<'_>,
    mesh: &Mesh<'_>,
    each: &mut dyn FnMut([f32; 3]),
) -> Result<bool, Box<Diagnostic>> {
    each_point(model, mesh, RootTranslation::Keep, each)
}

fn each_point(
    model: &ModelView<'_>,
    mesh: &Mesh<'_>,
    root: RootTranslation,
    each: &mut dyn FnMut([f32; 3]),
) -> Result<bool, Box<Diagnostic>> {
    let (Some(nodes), Some(slots)) = (&model.nodes, &model.slots) else { return Ok(false) };
    let matrices = matrices(model, nodes.rows, root).map_err(|error| error.cause);
    let Some(matrices) = unless_exhausted(matrices)? else { return Ok(false) };
    let mut budget = mesh.budget(nodes.rows.len());
    for ((i, node), matrix) in nodes.rows.iter().enumerate().zip(&matrices) {
        let [first, ..] = node.slot_index;
        let Some(slot) = slots.rows.get(usize::from(first.get())) else { continue };
        if first.get() == NONE || node.flags.get() & COCKPIT_FLAG != 0 {
            continue;
        }
        for batch in mesh.batches_of(slot) {
            if !budget.pays(batch.index_count.get().into()) {
                let path = Path::named("nodes").index(i).field("slot_index");
                let said = "slots of other nodes wanted elsewhere, found here";
                return Err(Box::new(ENTANGLED.at(path).saying(said)));
            }
            mesh.points(batch).for_each(|point| each(engine::transform(matrix, point)));
        }
    }
    Ok(true)
}

/// The matrix of every node at rest, if each comes behind its parent and has a key, or none has.
fn matrices(
    model: &ModelView<'_>,
    nodes: &[wire::Node],
    root: RootTranslation,
) -> Result<Vec<Matrix>, SampleError> {
    if model.is_still() {
        return sample::model_matrices(model, root, |_| Ok(LocalPose::IDENTITY));
    }
    let mut tracks = tracks(nodes);
    let rest = |node: usize| {
        let first = tracks.next().map(|track| {
            let moves = track.map_start.is_some() && track.start <= track.fallback;
            if moves { track.start } else { track.fallback }
        });
        let place = || Path::named("nodes").index(node);
        let first = first.ok_or_else(|| SampleError::from(sample::NO_NODE.at(place())))?;
        Ok(sample::key(model, first, place)?.pose)
    };
    sample::model_matrices(model, root, rest)
}
