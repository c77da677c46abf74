//! Other states, levels of detail and looks.

use std::collections::BTreeMap;

use galvani_core::room;
use galvani_scene::{Id, Look, Mesh, Node, Variant};

use super::node::{Tree, below, parents};
use super::{From, LOST_LOOKS, LOST_PLACE, LOST_SCENE, Outcome, kept};
use crate::document::JsonValue;
use crate::document::view::View;

/// What looking at a node costs, in steps.
const LOOKING: usize = 16;

/// Takes levels of detail that hang on nodes, other scenes of our own files, and other looks.
pub(super) fn import(from: &mut From<'_, '_>, tree: &Tree, meshes: &[Option<Id<Mesh>>]) -> Outcome<()> {
    let mut found: BTreeMap<(u32, u32), Variant> = BTreeMap::new();
    levels(from, tree, meshes, &mut found);
    let parents = parents(from.lists.data)?;
    let shown = from.view.scene.unwrap_or(0);
    let first = own_nodes(from, &tree.order);
    for (i, scene) in from.view.scenes.iter().enumerate().filter(|(i, _)| *i != shown) {
        from.meter.work(parents.len().saturating_mul(LOOKING))?;
        let nodes = below(from.lists.data, &scene.nodes, &parents)?;
        let others = [first.as_slice(), &own_nodes(from, &nodes)];
        let variant = from.kept.and_then(|_| variant(from, tree, meshes, &scene.name, others, &found));
        match variant {
            Some(variant) => {
                let moved = moved(from, others);
                if moved > 0 {
                    let said = format!("{moved} of `{}`", scene.name);
                    from.note(&LOST_PLACE, from.view.scenes.path(i), from.view.scenes.value(i), said);
                }
                found.insert((variant.state, variant.level), variant);
            }
            None if nodes.iter().all(|node| tree.place(*node).is_some()) => {}
            None => from.note(
                &LOST_SCENE,
                from.view.scenes.path(i),
                from.view.scenes.value(i),
                scene.name.clone(),
            ),
        }
    }
    from.scene.variants = found.into_values().collect();
    looks(from)
}

/// What hangs on nodes by `MSFT_lod`.
fn levels(
    from: &From<'_, '_>,
    tree: &Tree,
    meshes: &[Option<Id<Mesh>>],
    found: &mut BTreeMap<(u32, u32), Variant>,
) {
    for (i, index) in tree.order.iter().enumerate() {
        let node = from.view.nodes.get(*index).unwrap_or_default();
        for (j, id) in node.extensions.lods.iter().flat_map(|lods| &lods.ids).enumerate() {
            let coarse = from.view.nodes.get(*id).unwrap_or_default();
            let level = coarse.name.rsplit_once("_LOD").and_then(|(_, level)| level.parse().ok());
            let level = level.unwrap_or_else(|| u32::try_from(j.saturating_add(1)).unwrap_or(u32::MAX));
            let mesh = coarse.mesh.and_then(|mesh| meshes.get(mesh).copied().flatten());
            let Some(mesh) = mesh.filter(|mesh| is_worn_well(from, Id::new(i), *mesh)) else { continue };
            let variant = found.entry((0, level)).or_insert_with(|| Variant { level, ..Variant::default() });
            if level > 0 && !variant.shows.iter().any(|(node, _)| *node == Id::new(i)) {
                variant.shows.push((Id::new(i), Some(mesh)));
            }
        }
    }
    found.remove(&(0, 0));
}

/// Whether a node can show a mesh with its skin, if it has one.
fn is_worn_well(from: &From<'_, '_>, node: Id<Node>, mesh: Id<Mesh>) -> bool {
    let skin = node.find_in(&from.scene.nodes).and_then(|node| node.skin?.find_in(&from.scene.skins));
    let (Some(skin), Some(mesh)) = (skin, mesh.find_in(&from.scene.meshes)) else { return true };
    mesh.primitives.iter().all(|primitive| {
        let most = primitive.influences.pulls().iter().map(|pull| pull.joint).max().unwrap_or(0);
        primitive.influences.len() == primitive.positions.len() && most < skin.joints.len()
    })
}

/// What another scene of our own shows differently: its nodes are those of the first, in the same order.
fn variant(
    from: &From<'_, '_>,
    tree: &Tree,
    meshes: &[Option<Id<Mesh>>],
    name: &str,
    [first, other]: [&[usize]; 2],
    found: &BTreeMap<(u32, u32), Variant>,
) -> Option<Variant> {
    let rest = name.strip_prefix(from.scene.name.as_str())?;
    let (name, level) = rest.rsplit_once("_LOD")?;
    let (name, level) = (name.strip_prefix('_').unwrap_or(""), level.parse().ok()?);
    let known = found.values().find(|variant| variant.name == name).map(|variant| variant.state);
    let state = match name.strip_prefix("state").and_then(|number| number.parse().ok()) {
        Some(state) => state,
        None if name.is_empty() => 0,
        None => known
            .unwrap_or_else(|| found.keys().map(|(state, _)| *state).max().unwrap_or(0).saturating_add(1)),
    };
    if (state, level) == (0, 0) || found.contains_key(&(state, level)) {
        return None;
    }
    if first.len() != other.len() {
        return None;
    }
    let mesh = |node: usize| from.view.nodes.get(node).and_then(|node| node.mesh);
    let mut shows = Vec::new();
    for (&first, &other) in first.iter().zip(other) {
        let (before, after) = (mesh(first), mesh(other));
        if before == after {
            continue;
        }
        let (node, after) = (tree.place(first)?, after.and_then(|mesh| meshes.get(mesh).copied().flatten()));
        if !after.is_none_or(|mesh| is_worn_well(from, node, mesh)) {
            return None;
        }
        shows.push((node, after));
    }
    let name = if name == format!("state{state}") { String::new() } else { name.to_owned() };
    Some(Variant { name, state, level, shows })
}

/// How many nodes of another scene of our own stand elsewhere than those of the first. What is hidden by its size is seen where another
/// scene shows it.
fn moved(from: &From<'_, '_>, [first, other]: [&[usize]; 2]) -> usize {
    let is_moved = |(first, other): &(&usize, &usize)| {
        let [old, new] = [**first, **other].map(|node| from.view.nodes.get(node).unwrap_or_default());
        let is_hidden = old.scale == Some([0.0; 3]);
        let places = old.translation != new.translation || old.rotation != new.rotation;
        places || old.matrix != new.matrix || !is_hidden && old.scale != new.scale
    };
    first.iter().zip(other).filter(is_moved).count()
}

/// Nodes but those that only carry all others.
fn own_nodes(from: &From<'_, '_>, nodes: &[usize]) -> Vec<usize> {
    nodes.iter().copied().filter(|node| !is_root_of_all(from.view, *node, &from.scene.name)).collect()
}

/// Whether a node only carries all others.
fn is_root_of_all(view: &View<'_>, node: usize, scene: &str) -> bool {
    let node = view.nodes.get(node).unwrap_or_default();
    let is_made = kept::scalar(node.extras, "made").and_then(JsonValue::truth) == Some(true);
    is_made && node.mesh.is_none() && node.name.starts_with(&format!("{scene}_root"))
}

/// Materials that stand in for others: a scene says so for all that have one.
fn looks(from: &mut From<'_, '_>) -> Outcome<()> {
    let names = from.view.extensions.variants.variants.iter();
    let mut looks: Vec<Look> =
        names.map(|variant| Look { name: variant.name.clone().into_owned(), swaps: Vec::new() }).collect();
    if looks.is_empty() {
        return Ok(());
    }
    let count = from.scene.materials.len();
    let mut swaps: Vec<BTreeMap<usize, usize>> = room::filled(BTreeMap::new(), looks.len())?;
    let mut is_said = true;
    for mesh in from.view.meshes.iter() {
        for primitive in mesh.primitives.iter() {
            for mapping in primitive.extensions.variants.mappings.iter() {
                let pair = primitive.material.zip(mapping.material).filter(|(a, b)| *a < count && *b < count);
                for look in &mapping.variants {
                    let known = pair.zip(swaps.get_mut(*look));
                    is_said &=
                        known.is_some_and(|((of, with), swaps)| *swaps.entry(of).or_insert(with) == with);
                }
            }
        }
    }
    for (look, swaps) in looks.iter_mut().zip(swaps) {
        look.swaps = swaps.into_iter().map(|(of, with)| (Id::new(of), Id::new(with))).collect();
    }
    if !is_said {
        from.note(&LOST_LOOKS, galvani_core::Path::named("meshes"), None, "");
    }
    from.scene.looks = looks;
    Ok(())
}
