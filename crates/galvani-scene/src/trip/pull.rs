//! What pulls at vertices: a change is taken where the joints are those that went out, else told.

use std::collections::BTreeMap;

use super::mesh::{Corner, Shown};
use super::{Measure, NOT_TAKEN, Trip};
use crate::{Id, Mesh, Pull, Skin};

/// How many joints programs keep of those that pull at a vertex.
const KEPT: usize = 4;

/// By nodes that went out, how much each pulls; what is new pulls as nothing.
type Pulls = BTreeMap<Option<usize>, f32>;

/// Takes what else pulls at the vertices of a mesh than before. What pulls by joints that the skin had not is told, and by how much,
/// and so are weights that do not make 1 and what differs from what another node shows of the same.
pub(super) fn take(
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
    let joints: BTreeMap<usize, usize> =
        old_skin.joints.iter().enumerate().rev().map(|(i, joint)| (joint.node.index(), i)).collect();
    let (before, after) = (runs(old), runs(new));
    let mut made: Vec<Vec<Vec<Pull>>> =
        runs(&trip.made.meshes[shown.old.index()]).iter().map(|runs| owned(runs)).collect();
    let [mut untaken, mut torn] = [Untaken::default(), Untaken::default()];
    let mut is_changed = false;
    for (&(primitive, vertex), (other, there)) in vertices {
        let runs = before.get(primitive).and_then(|it| it.get(vertex));
        let Some((old, new)) = runs.zip(after.get(*other).and_then(|it| it.get(*there))) else { continue };
        let new = pulls(new, new_skin, |node| trip.origin_of(node));
        // Programs leave out the weakest of many.
        let all = [old.to_vec(), strongest(old)];
        let offs = all.map(|old| apart(&pulls(&old, old_skin, Some), &new));
        let Some(off) = trip.off_by(Measure::Part, offs[0].min(offs[1])) else { continue };
        let Some(slot) = made.get_mut(primitive).and_then(|runs| runs.get_mut(vertex)) else { continue };
        match by_joints(&new, &joints) {
            None => untaken.add(off),
            // All of a vertex make 1: more or less of the same is nothing.
            Some(run) if is_same(&run, old, trip.tolerances.part) => untaken.add(off),
            Some(run) if slot == old => {
                *slot = run;
                is_changed = true;
            }
            Some(run) if *slot == run => {}
            Some(_) => torn.add(off),
        }
    }
    if is_changed {
        for (primitive, runs) in trip.made.meshes[shown.old.index()].primitives.iter_mut().zip(made) {
            primitive.influences = runs.into_iter().collect();
        }
    }
    if let Some(said) = untaken.said() {
        trip.tell(&NOT_TAKEN, "skins", format!("`{}`: {said}", node.name));
    }
    if let Some(said) = torn.said() {
        let said = format!("`{}` differs from what shows the same: {said}", node.name);
        trip.tell(&NOT_TAKEN, "skins", said);
    }
}

/// Whether two runs of pulls by the same joints do the same.
fn is_same(one: &[Pull], other: &[Pull], most: f32) -> bool {
    let weights =
        |run: &[Pull]| -> Pulls { run.iter().map(|pull| (Some(pull.joint), pull.weight)).collect() };
    apart(&weights(one), &weights(other)) <= most
}

/// Vertices whose weights are not taken, and how far the farthest is off.
#[derive(Debug, Default)]
struct Untaken {
    count: usize,
    most: f32,
}

impl Untaken {
    fn add(&mut self, off: f32) {
        self.count += 1;
        self.most = self.most.max(off);
    }

    /// In words; nothing if it is nothing.
    fn said(&self) -> Option<String> {
        let Untaken { count, most } = self;
        (*count > 0).then(|| format!("the weights of {count} vertices, {most:.1e} off at most"))
    }
}

/// The pulls by joints of the skin that went out, which make 1 again; nothing if others pull, or nothing does.
fn by_joints(pulls: &Pulls, joints: &BTreeMap<usize, usize>) -> Option<Vec<Pull>> {
    let pulling = || pulls.iter().filter(|(_, weight)| **weight > 0.0);
    let whole: f32 = pulling().map(|(_, weight)| *weight).sum();
    let run: Option<Vec<Pull>> = pulling()
        .map(|(node, weight)| Some(Pull { joint: *joints.get(&(*node)?)?, weight: weight / whole }))
        .collect();
    run.filter(|run| !run.is_empty() && run.iter().all(|pull| pull.weight.is_finite()))
}

fn owned(runs: &[&[Pull]]) -> Vec<Vec<Pull>> {
    runs.iter().map(|run| run.to_vec()).collect()
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
