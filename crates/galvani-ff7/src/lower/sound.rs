//! Numbers that are none, done away with before anything is computed from them.

use galvani_scene::{Curve, Node, Scene, Track};
use glam::{Affine3A, Quat, Vec3};

/// The largest number of a place: larger ones are none once they are added up.
const FARTHEST: f32 = 1e30;

/// Puts what changes nothing in the place of numbers of nodes, joints and curves that are none, and says how many there were.
pub(super) fn make(scene: &mut Scene) -> usize {
    let mut lacking = 0;
    for node in &mut scene.nodes {
        place(&mut node.translation, Vec3::ZERO, &mut lacking);
        turn(&mut node.rotation, Quat::IDENTITY, &mut lacking);
        place(&mut node.scale, Vec3::ONE, &mut lacking);
    }
    for joint in scene.skins.iter_mut().flat_map(|skin| &mut skin.joints) {
        mend(&mut joint.inverse_bind, Affine3A::IDENTITY, Affine3A::is_finite, &mut lacking);
    }
    let nodes = &scene.nodes;
    for track in scene.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
        let Some(node) = track.node().and_then(|node| node.find_in(nodes)) else { continue };
        of_track(track, node, &mut lacking);
    }
    lacking
}

fn of_track(track: &mut Track, node: &Node, lacking: &mut usize) {
    match track {
        Track::Translation(_, curve) => each(curve, |value| place(value, node.translation, lacking)),
        Track::Rotation(_, curve) => each(curve, |value| turn(value, node.rotation, lacking)),
        _ => {}
    }
}

fn each<V>(curve: &mut Curve<V>, change: impl FnMut(&mut V)) {
    curve.values.iter_mut().chain(curve.tangents.as_flattened_mut()).for_each(change);
}

fn place(value: &mut Vec3, instead: Vec3, lacking: &mut usize) {
    mend(value, instead, |value| value.is_finite() && value.abs().max_element() <= FARTHEST, lacking);
}

/// A rotation of another length is none: it is made one if it has a direction.
fn turn(value: &mut Quat, instead: Quat, lacking: &mut usize) {
    let length = value.length();
    mend(value, instead, |_| length.is_finite() && length > f32::MIN_POSITIVE, lacking);
    *value = value.normalize();
}

fn mend<V: Copy>(value: &mut V, instead: V, is_sound: impl Fn(&V) -> bool, lacking: &mut usize) {
    if !is_sound(value) {
        *value = instead;
        *lacking = lacking.saturating_add(1);
    }
}
