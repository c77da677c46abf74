//! What of a scene no model of the game has, told once each.

use galvani_core::{Code, Path, Report};
use galvani_scene::lower::HIDDEN;
use galvani_scene::{Scene, Track};

use super::findings::ModelCodes;
use super::weapon::Weapon;

/// Tells of everything of a scene that is left out; `own` is what is looked at of it.
pub(super) fn scene(
    scene: &Scene,
    own: &Scene,
    weapon: Option<&Weapon>,
    codes: &'static ModelCodes,
    report: &mut Report,
) {
    let held = weapon.map_or(0, |weapon| weapon.meshes.len().saturating_sub(1));
    let lists: [(&'static Code, &'static str, usize); 5] = [
        (codes.lights, "lights", scene.lights.len()),
        (codes.cameras, "cameras", scene.cameras.len()),
        (codes.sockets, "sockets", scene.sockets.len()),
        (codes.variants, "variants", scene.variants.len().saturating_sub(held)),
        (codes.variants, "looks", scene.looks.len()),
    ];
    for (code, name, count) in lists.into_iter().filter(|(.., count)| *count > 0) {
        report.push(code.at(Path::named(name)).saying(format!("{count} of them")));
    }
    for (i, node) in own.nodes.iter().enumerate() {
        if node.mesh.is_some() && !node.visible && weapon.is_none_or(|weapon| weapon.node != i) {
            report.push(HIDDEN.at(Path::named("nodes").index(i)).saying(node.name.clone()));
        }
    }
    tracks(own, weapon, codes, report);
}

fn tracks(own: &Scene, weapon: Option<&Weapon>, codes: &'static ModelCodes, report: &mut Report) {
    let useful = useful(own);
    for (i, clip) in own.clips.iter().enumerate() {
        let path = Path::named("clips").index(i);
        if !clip.events.is_empty() {
            let said = format!("{} in `{}`", clip.events.len(), clip.name);
            report.push(codes.events.at(path.field("events")).saying(said));
        }
        for (j, track) in clip.tracks.iter().enumerate() {
            let path = path.field("tracks").index(j);
            if let Some((code, said)) = of_track(own, track, &useful, weapon, codes) {
                report.push(code.at(path).saying(said));
            }
        }
    }
}

/// What of a track is lost whatever its values.
fn of_track(
    own: &Scene,
    track: &Track,
    useful: &[bool],
    weapon: Option<&Weapon>,
    codes: &'static ModelCodes,
) -> Option<(&'static Code, String)> {
    if let Some(material) = track.material().and_then(|material| material.find_in(&own.materials)) {
        return Some((codes.track, format!("{} of `{}`", track.word(), material.name)));
    }
    let index = track.node()?.index();
    let node = own.nodes.get(index)?;
    let is_weapon = weapon.is_some_and(|weapon| weapon.node == index);
    if let Track::Visibility(_, curve) = track {
        // A weapon is there or not for a whole motion.
        let stays = if is_weapon { curve.values.first().copied()? } else { node.visible };
        let changes = node.mesh.is_some() && curve.values.iter().any(|value| *value != stays);
        return changes.then(|| (codes.visibility, node.name.clone()));
    }
    let is_left_out = !is_weapon && useful.get(index) != Some(&true);
    is_left_out.then(|| (codes.node, node.name.clone()))
}

/// Which nodes show something, or have something on them that does.
pub(super) fn useful(scene: &Scene) -> Vec<bool> {
    let mut useful: Vec<bool> = scene.nodes.iter().map(|node| node.mesh.is_some() && node.visible).collect();
    for (i, node) in scene.nodes.iter().enumerate().rev() {
        let above = node.parent.filter(|_| useful.get(i) == Some(&true));
        if let Some(above) = above.and_then(|above| useful.get_mut(above.index())) {
            *above = true;
        }
    }
    useful
}
