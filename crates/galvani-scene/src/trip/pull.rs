//! What pulls at vertices: files hold it in ways of their own, so that a change is told.

use std::collections::BTreeMap;

use super::mesh::{Corner, Shown};
use super::{Measure, NOT_TAKEN, Trip};
use crate::{Id, Mesh, Pull, Skin};

/// How many joints programs keep of those that pull at a vertex.
const KEPT: usize = 4;

/// By nodes that went out, how much each pulls; what is new pulls as nothing.
type Pulls = BTreeMap<Option<usize>, f32>;

/// Tells at how many vertices of a mesh something else pulls than before, and by how much.
pub(super) fn compare(
    trip: &mut Trip<'_>,
    shown: Shown,
    (old, new): (&Mesh, &Mesh),
    vertices: &BTreeMap<Corner, Corner>,
) {
    let (node, came) = (&trip.base.nodes[shown.node], &trip.found.nodes[shown.came]);
    let (old_skin, new_skin) = match (node.skin, came.skin) {
        (Some(old), Some(new)) => (old.find_in(&trip.base.skins), new.find_in(&trip.found.skins)),
        (None, None) => return,
        (is_bent, _) => {
            let what = if is_bent.is_some() { "follows no joints any more" } else { "follows joints now" };
            trip.tell(&NOT_TAKEN, "skins", format!("`{}` {what}", node.name));
            return;
        }
    };
    let (Some(old_skin), Some(new_skin)) = (old_skin, new_skin) else { return };
    let (before, after) = (runs(old), runs(new));
    let mut found: Option<(usize, f32)> = None;
    for ((primitive, vertex), (other, there)) in vertices {
        let runs = before.get(*primitive).and_then(|it| it.get(*vertex));
        let Some((old, new)) = runs.zip(after.get(*other).and_then(|it| it.get(*there))) else { continue };
        let new = pulls(new, new_skin, |node| trip.origin_of(node));
        // Programs leave out the weakest of many.
        let all = [old.to_vec(), strongest(old)];
        let offs = all.map(|old| apart(&pulls(&old, old_skin, Some), &new));
        if let Some(off) = trip.off_by(Measure::Part, offs[0].min(offs[1])) {
            let (count, most) = found.unwrap_or_default();
            found = Some((count + 1, most.max(off)));
        }
    }
    if let Some((count, most)) = found {
        let said = format!("`{}`: the weights of {count} vertices, {most:.1e} off at most", node.name);
        trip.tell(&NOT_TAKEN, "skins", said);
    }
}

/// The pulls of every vertex of every primitive.
fn runs(mesh: &Mesh) -> Vec<Vec<&[Pull]>> {
    mesh.primitives.iter().map(|primitive| primitive.influences.iter().collect()).collect()
}

fn pulls(run: &[Pull], skin: &Skin, origin: impl Fn(usize) -> Option<usize>) -> Pulls {
    let mut pulls = Pulls::new();
    for pull in run {
        let joint = skin.joints.get(pull.joint).map(|joint| Id::index(joint.node));
        *pulls.entry(joint.and_then(&origin)).or_default() += pull.weight;
    }
    pulls
}

/// The strongest pulls, which make 1 again.
fn strongest(run: &[Pull]) -> Vec<Pull> {
    let mut all = run.to_vec();
    all.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    all.truncate(KEPT);
    let whole: f32 = all.iter().map(|pull| pull.weight).sum();
    all.iter().map(|pull| Pull { weight: pull.weight / whole, ..*pull }).collect()
}

/// How far the pulls are apart that differ most.
fn apart(old: &Pulls, new: &Pulls) -> f32 {
    let off = |joint: &Option<usize>| {
        let weight = |pulls: &Pulls| pulls.get(joint).copied().unwrap_or_default();
        (weight(old) - weight(new)).abs()
    };
    old.keys().chain(new.keys()).map(off).fold(0.0, f32::max)
}
