//! Which nodes and vertices of a scene are as the game has them, by what its report says of it.

use std::collections::BTreeSet;

use galvani_core::{Path, Report};
use galvani_mdx::Document;
use galvani_mdx::sample::Rig;
use galvani_scene::{Fact, Id, Mesh, Scene, Skin};

/// Which node of the scene each node of the file became.
pub fn nodes(scene: &Scene, document: &Document) -> Vec<Option<usize>> {
    let mut made: Vec<(usize, i32)> = Vec::new();
    for (i, node) in scene.nodes.iter().enumerate() {
        if let Some(Fact::Int(id)) = node.extras.get("id") {
            made.push((i, *id));
        }
    }
    let placed = document.nodes();
    let ids: Vec<i32> = placed.iter().map(|placed| placed.node.fixed.object_id.get()).collect();
    let once = |id: &i32| ids.iter().filter(|other| *other == id).count() == 1;
    ids.iter()
        .map(|id| made.iter().find(|(_, own)| own == id).filter(|_| once(id)).map(|(i, _)| *i))
        .collect()
}

/// Records of nodes of which the scene says that it does not show them right: what is sheared, and whose keys lie too close together.
/// Nothing if there are more than the report names.
pub fn lost(report: &Report) -> Option<BTreeSet<Path>> {
    let mut lost = BTreeSet::new();
    for finding in report.findings() {
        let record: fn(Path) -> Path = match finding.code.name {
            "mdx.lost-shear" => |path| path,
            "mdx.lost-keys" => Path::parent,
            _ => continue,
        };
        let all: Vec<Path> =
            std::iter::once(finding.path).chain(finding.more.iter().map(|more| more.path)).collect();
        if u64::try_from(all.len()).unwrap() < finding.count {
            return None;
        }
        lost.extend(all.into_iter().map(record));
    }
    Some(lost)
}

/// The nodes of the scene that are as they should be: neither those that are lost nor what hangs on them, in the file or in the scene.
pub fn sound(
    scene: &Scene,
    document: &Document,
    places: &[Option<usize>],
    lost: &BTreeSet<Path>,
) -> Vec<bool> {
    let (rig, placed) = (Rig::new(document), document.nodes());
    let mut sound = vec![true; scene.nodes.len()];
    for (node, place) in places.iter().enumerate() {
        let mut above = std::iter::successors(Some(node), |node| rig.parent(*node));
        if !above.any(|node| lost.contains(&placed[node].path)) {
            continue;
        }
        // One whose number is another's, too, cannot be told from it.
        let Some(place) = place else { return vec![false; scene.nodes.len()] };
        sound[*place] = false;
    }
    for (i, node) in scene.nodes.iter().enumerate() {
        sound[i] &= node.parent.is_none_or(|parent| sound[parent.index()]);
    }
    sound
}

/// Which vertices only sound nodes pull at.
pub fn held(scene: &Scene, skin: Option<Id<Skin>>, mesh: &Mesh, sound: &[bool]) -> Vec<bool> {
    let primitive = &mesh.primitives[0];
    let Some(skin) = skin.and_then(|skin| skin.find_in(&scene.skins)) else {
        return vec![true; primitive.positions.len()];
    };
    let is_sound = |joint: usize| sound[skin.joints[joint].node.index()];
    let all = primitive.influences.iter();
    all.map(|pulls| pulls.iter().all(|pull| pull.weight == 0.0 || is_sound(pull.joint))).collect()
}
