//! Scales done away with: what they made larger is larger by itself.

use std::collections::BTreeSet;

use galvani_core::{Path, Report};
use glam::{Affine3A, Mat3, Quat, Vec3};

use super::rigid::placed;
use super::{NO_SCALING, UNEVEN};
use crate::{Curve, Id, Matrices, Moment, Scene, Track, to_model};

/// How far a stretch may be from an even one before it counts as uneven, in parts of it.
const EVEN: f32 = 1e-4;

/// The same scene at rest without a scale anywhere: vertices, and the places of nodes, are where the scales had put them.
pub fn unscaled(scene: &Scene) -> (Scene, Report) {
    let (mut made, mut report) = (scene.clone(), Report::default());
    let stretches = stretches(scene);
    for (i, node) in scene.nodes.iter().enumerate() {
        let own = &mut made.nodes[i];
        own.scale = Vec3::ONE;
        if let Some(stretch) = node.parent.and_then(|parent| stretches[parent.index()]) {
            own.translation = stretch * node.translation;
        }
        let (Some(stretch), Some(mesh)) = (stretches[i], node.mesh.filter(|_| node.skin.is_none())) else {
            continue;
        };
        let Some(mut mesh) = mesh.find_in(&scene.meshes).cloned() else { continue };
        let place = Affine3A::from_mat3(stretch);
        mesh.primitives.iter_mut().for_each(|primitive| *primitive = placed(primitive, place));
        own.mesh = Some(Id::new(made.meshes.len()));
        made.meshes.push(mesh);
    }
    for joint in made.skins.iter_mut().flat_map(|skin| &mut skin.joints) {
        if let Some(stretch) = stretches[joint.node.index()] {
            joint.inverse_bind = Affine3A::from_mat3(stretch) * joint.inverse_bind;
        }
    }
    for clip in &mut made.clips {
        let tracks = std::mem::take(&mut clip.tracks);
        clip.tracks =
            tracks.into_iter().filter_map(|track| without_scale(track, scene, &stretches)).collect();
    }
    tell(scene, &stretches, &mut report);
    (made, report)
}

/// What every node does to what hangs on it, beside moving and turning it; nothing if that is all.
fn stretches(scene: &Scene) -> Vec<Option<Mat3>> {
    let mut models = Matrices::identity(scene.nodes.len());
    to_model(scene, &Moment::at_rest(scene), &mut models);
    let mut turns: Vec<Quat> = Vec::with_capacity(scene.nodes.len());
    let mut stretches: Vec<Option<Mat3>> = Vec::with_capacity(scene.nodes.len());
    for (i, node) in scene.nodes.iter().enumerate() {
        let above = node.parent.map(Id::index);
        let turn = above.map_or(node.rotation, |above| turns[above] * node.rotation);
        turns.push(turn);
        let is_scaled = node.scale != Vec3::ONE || above.is_some_and(|above| stretches[above].is_some());
        let stretch = || Mat3::from_quat(turn.inverse()) * Mat3::from(models.matrix(i).matrix3);
        stretches.push(is_scaled.then(stretch));
    }
    stretches
}

/// A track of the scene without scales; nothing if it is one.
fn without_scale(track: Track, scene: &Scene, stretches: &[Option<Mat3>]) -> Option<Track> {
    match track {
        Track::Scale(..) => None,
        Track::Translation(id, mut curve) => {
            let above = id.find_in(&scene.nodes).and_then(|node| node.parent);
            if let Some(stretch) = above.and_then(|above| stretches[above.index()]) {
                stretched(&mut curve, stretch);
            }
            Some(Track::Translation(id, curve))
        }
        other => Some(other),
    }
}

fn stretched(curve: &mut Curve<Vec3>, stretch: Mat3) {
    curve.values.iter_mut().chain(curve.tangents.as_flattened_mut()).for_each(|it| *it = stretch * *it);
}

fn tell(scene: &Scene, stretches: &[Option<Mat3>], report: &mut Report) {
    let mut told: BTreeSet<(usize, &'static str)> = BTreeSet::new();
    for track in scene.clips.iter().flat_map(|clip| &clip.tracks) {
        let Some(named) = track.node().and_then(|node| node.find_in(&scene.nodes)) else { continue };
        let node = track.node().map_or(0, Id::index);
        let above = named.parent.and_then(|above| stretches[above.index()]);
        let code = match track {
            Track::Scale(_, curve) if curve.values.iter().all(|size| is_near(*size, named.scale)) => continue,
            Track::Scale(..) => &NO_SCALING,
            Track::Rotation(..) if above.is_some_and(|above| !is_even(above)) => &UNEVEN,
            _ => continue,
        };
        if told.insert((node, code.name)) {
            report.push(code.at(Path::named("nodes").index(node)).saying(named.name.clone()));
        }
    }
}

/// Whether a stretch is the same whichever way one turns: a mirror image is not.
/// Whether two sizes are the same, as far as anybody sees.
fn is_near(size: Vec3, other: Vec3) -> bool {
    size.distance(other) <= EVEN * other.length()
}

fn is_even(stretch: Mat3) -> bool {
    let size = stretch.x_axis.x;
    let off = (stretch - Mat3::from_diagonal(Vec3::splat(size))).to_cols_array();
    off.iter().all(|part| part.abs() <= EVEN * size.abs())
}
