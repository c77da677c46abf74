//! The weapon of a battle model, as its scene has one: hidden at rest, and shown by motions that move it.

use std::collections::BTreeSet;

use galvani_scene::{Id, Mesh, Scene, Track};
use glam::Vec3;

use crate::names;

/// What a model holds in some of its motions.
#[derive(Debug)]
pub(super) struct Weapon {
    /// Where it is.
    pub(super) node: usize,
    /// What it looks like, and what others that may be held instead do.
    pub(super) meshes: Vec<Id<Mesh>>,
}

/// The first node that hangs on nothing, has nothing hanging on it, shows something, is hidden at rest and shown by a clip.
/// `source` is the scene with its scales.
pub(super) fn weapon(source: &Scene, own: &Scene) -> Option<Weapon> {
    let parents: BTreeSet<usize> = own.nodes.iter().filter_map(|node| node.parent).map(Id::index).collect();
    let tracks = own.clips.iter().flat_map(|clip| &clip.tracks);
    let shown: BTreeSet<usize> = tracks.filter_map(shown).collect();
    let (node, own_node) = own.nodes.iter().enumerate().find(|(i, node)| {
        let is_hidden = !node.visible && node.mesh.is_some() && node.parent.is_none();
        is_hidden && shown.contains(i) && !parents.contains(i)
    })?;
    let mut meshes = vec![own_node.mesh?];
    // What stands in for it has the size that it has itself only if there is no scale.
    if source.nodes.get(node)?.scale == Vec3::ONE {
        meshes.extend(own.variants.iter().filter_map(|variant| match variant.shows.as_slice() {
            [(shown, Some(mesh))] if shown.index() == node => Some(*mesh),
            _ => None,
        }));
    }
    meshes.truncate(names::WEAPONS);
    Some(Weapon { node, meshes })
}

/// The node that a track shows from its start on.
fn shown(track: &Track) -> Option<usize> {
    match track {
        Track::Visibility(node, curve) if curve.values.first() == Some(&true) => Some(node.index()),
        _ => None,
    }
}
