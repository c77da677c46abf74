//! Other states and levels of detail: they come back as scenes of their own, or as nodes beside those that they stand in for.

use std::collections::BTreeMap;

use glam::Vec3;

use super::mesh::Shown;
use super::{ABSENT, Measure, NOT_TAKEN, Trip, name};
use crate::origin::number_of;
use crate::{Blend, Id, Mesh, Node, Scene, Variant};

/// Nodes that came back for other states and levels: of which variant, and for which node that went out.
pub(super) type Levels = BTreeMap<usize, (usize, usize)>;

/// Finds the nodes that other states and levels came back as, if programs put them beside the others.
pub(super) fn found(base: &Scene, found: &Scene, came: &BTreeMap<usize, usize>) -> Levels {
    let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
    for (i, node) in base.nodes.iter().enumerate().rev() {
        numbers.extend(number_of(node).map(|number| (number, i)));
    }
    let ends: Vec<String> = base.variants.iter().map(end).collect();
    let mut levels = Levels::new();
    for (i, node) in found.nodes.iter().enumerate().filter(|(i, _)| !came.contains_key(i)) {
        // What ends in one may end in another, too: `_LOD1` and `_damaged_LOD1`.
        let all = ends.iter().enumerate().filter(|(_, end)| name::ends_in(&node.name, end));
        let Some((variant, end)) = all.max_by_key(|(_, end)| end.len()) else { continue };
        let numbered = number_of(node).and_then(|number| numbers.get(&number).copied());
        let own = numbered.or_else(|| base.nodes.iter().position(|own| is_called(&node.name, own, end)));
        levels.extend(own.map(|own| (i, (variant, own))));
    }
    levels
}

/// What the names of a variant's nodes end in, as glTF has them.
fn end(variant: &Variant) -> String {
    let state = match variant.state {
        0 => String::new(),
        state if variant.name.is_empty() => format!("_state{state}"),
        _ => format!("_{}", variant.name),
    };
    format!("{state}_LOD{}", variant.level)
}

/// Whether a node without a number is called as one of a variant, or as one that was made to hide it or to carry its skin.
fn is_called(name: &str, own: &Node, end: &str) -> bool {
    ["", "_shown", "_mesh", "_shown_mesh"]
        .iter()
        .any(|made| name::is_spelling(&format!("{}{made}{end}", own.name), name))
}

/// What came back of the meshes of other states and levels; tells what is gone, and what stands elsewhere.
pub(super) fn shown(trip: &mut Trip<'_>) -> Vec<Shown> {
    let (base, found) = (trip.base, trip.found);
    let mut all = Vec::new();
    for (i, variant) in base.variants.iter().enumerate() {
        let is_same = |other: &&Variant| (other.state, other.level) == (variant.state, variant.level);
        match found.variants.iter().find(is_same) {
            Some(scene) => all.extend(of_scene(trip, variant, scene)),
            None => all.extend(of_nodes(trip, i, variant)),
        }
    }
    let is_known =
        |new: &&Variant| base.variants.iter().any(|it| (it.state, it.level) == (new.state, new.level));
    for new in found.variants.iter().filter(|new| !is_known(new)) {
        trip.tell(&NOT_TAKEN, "variants", format!("`{}` is new", end(new).trim_start_matches('_')));
    }
    for (node, (variant, own)) in trip.levels.clone() {
        let is_only_here = !base.variants[variant].shows.iter().any(|(shown, _)| shown.index() == own);
        if let (Some(old), Some(new)) =
            (base.nodes[own].mesh.filter(|_| is_only_here), found.nodes[node].mesh)
        {
            all.push(Shown { old, new, node: own, came: node });
        }
        moved(trip, node, own);
    }
    all
}

/// A variant that is still a scene of its own.
fn of_scene(trip: &mut Trip<'_>, variant: &Variant, scene: &Variant) -> Vec<Shown> {
    let (base, found) = (trip.base, trip.found);
    let mut shows: BTreeMap<usize, Option<Id<Mesh>>> =
        variant.shows.iter().map(|(node, mesh)| (node.index(), *mesh)).collect();
    // What a variant does not name shows what it always shows.
    for own in scene.shows.iter().filter_map(|(there, _)| trip.came.get(&there.index())) {
        shows.entry(*own).or_insert(base.nodes[*own].mesh);
    }
    let now = |there: usize| {
        let named = scene.shows.iter().find(|(node, _)| node.index() == there);
        named.map_or(found.nodes[there].mesh, |(_, mesh)| *mesh)
    };
    let mut all = Vec::new();
    for (own, old) in shows {
        if let Some(there) = trip.nodes[own] {
            all.extend(paired(trip, variant, (own, there), (old, now(there))));
        }
    }
    all
}

/// A variant that came back as nodes; where none of them did, the program wrote no other scenes.
fn of_nodes(trip: &mut Trip<'_>, index: usize, variant: &Variant) -> Vec<Shown> {
    let mut came: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (node, (_, own)) in trip.levels.iter().filter(|(_, (variant, _))| *variant == index) {
        came.entry(*own).or_default().push(*node);
    }
    if came.is_empty() {
        trip.tell(&ABSENT, "variants", format!("`{}` is gone", end(variant).trim_start_matches('_')));
        return Vec::new();
    }
    let mut all = Vec::new();
    for (node, old) in &variant.shows {
        let Some(there) = came.get(&node.index()) else {
            if old.is_some() {
                let what = format!("`{}{}` is gone", trip.base.nodes[node.index()].name, end(variant));
                trip.tell(&NOT_TAKEN, "variants", what);
            }
            continue;
        };
        // What shows it may hang on one that only carries it.
        let shows = |at: &&usize| trip.found.nodes[**at].mesh.is_some();
        let at = there.iter().find(shows).or(there.first()).copied();
        let Some(at) = at else { continue };
        let new = trip.found.nodes[at].mesh;
        all.extend(paired(trip, variant, (node.index(), at), (*old, new)));
    }
    all
}

/// A mesh that went out and the one that came back; tells if there is only one of them.
fn paired(
    trip: &mut Trip<'_>,
    variant: &Variant,
    (node, came): (usize, usize),
    meshes: (Option<Id<Mesh>>, Option<Id<Mesh>>),
) -> Option<Shown> {
    let what = match meshes {
        (Some(old), Some(new)) => return Some(Shown { old, new, node, came }),
        (None, None) => return None,
        (Some(_), None) => "shows nothing any more",
        (None, Some(_)) => "shows something now",
    };
    let said = format!("`{}{}` {what}", trip.base.nodes[node].name, end(variant));
    trip.tell(&NOT_TAKEN, "variants", said);
    None
}

/// Tells if a node of another state or level was moved: it stands where the one does that it stands in for.
fn moved(trip: &mut Trip<'_>, node: usize, own: usize) {
    let (old, new) = (&trip.base.nodes[own], &trip.found.nodes[node]);
    // Those without a number only carry what others show.
    if number_of(new).is_none() || new.skin.is_some() {
        return;
    }
    // What is hidden by its size is seen where another state or level shows it.
    let is_unhidden = old.scale == Vec3::ZERO;
    let offs = [
        (Measure::Place, old.translation.distance(new.translation), "moved"),
        (Measure::Turn, old.rotation.distance(new.rotation), "turned"),
        (Measure::Part, if is_unhidden { 0.0 } else { old.scale.distance(new.scale) }, "resized"),
    ];
    for (measure, off, word) in offs {
        if let Some(off) = trip.off_by(measure, off) {
            trip.tell(&NOT_TAKEN, "variants", format!("`{}` is {word} by {off:.1e}", new.name));
        }
    }
}
