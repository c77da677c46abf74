//! How skins are bound: files say it in ways of their own, so that a change is told.

use std::collections::{BTreeMap, BTreeSet};

use glam::{Affine3A, Vec3A};

use super::{NOT_TAKEN, Trip};
use crate::{Matrices, Moment, Scene, to_model};

/// How many times the tolerance a binding may be off: what joints are and what undoes them are each off themselves.
const SLACK: f32 = 10.0;

/// Tells which skins hold their meshes elsewhere than they did. Where a joint itself was moved at rest, that is the change.
pub(super) fn all(trip: &mut Trip<'_>) {
    let (base, found) = (trip.base, trip.found);
    let worn = base.nodes.iter().zip(&trip.nodes);
    let worn = worn.filter_map(|(old, new)| Some((old.skin?.index(), found.nodes[(*new)?].skin?.index())));
    let worn: BTreeSet<(usize, usize)> = worn.collect();
    if worn.is_empty() {
        return;
    }
    let [before, after] = [base, found].map(at_rest);
    let (mut said, size, length) = (Vec::new(), base.size(), trip.tolerances.length);
    for (old, new) in worn {
        let (Some(old), Some(new)) = (base.skins.get(old), found.skins.get(new)) else { continue };
        let came: BTreeMap<usize, (usize, Affine3A)> = new
            .joints
            .iter()
            .filter_map(|joint| {
                let there = joint.node.index();
                Some((trip.origin_of(there)?, (there, joint.inverse_bind)))
            })
            .collect();
        for joint in &old.joints {
            let node = joint.node.index();
            let Some((there, inverse_bind)) = came.get(&node) else { continue };
            let (old, new) = (before.matrix(node), after.matrix(*there));
            let off = apart(old * joint.inverse_bind, new * *inverse_bind, size);
            if apart(old, new, size) <= length && off > SLACK * length {
                said.push(format!("`{}` is bound {off:.1e} off", base.nodes[node].name));
            }
        }
    }
    for said in said {
        trip.tell(&NOT_TAKEN, "skins", said);
    }
}

fn at_rest(scene: &Scene) -> Matrices {
    let mut models = Matrices::identity(scene.nodes.len());
    to_model(scene, &Moment::at_rest(scene), &mut models);
    models
}

/// How far apart two places put what is no farther than this from them.
fn apart(old: Affine3A, new: Affine3A, size: f32) -> f32 {
    let corners = [Vec3A::ZERO, Vec3A::X, Vec3A::Y, Vec3A::Z].map(|corner| corner * size);
    corners
        .map(|corner| old.transform_point3a(corner).distance(new.transform_point3a(corner)))
        .into_iter()
        .fold(0.0, f32::max)
}
