//! Nodes with their names, what they show and how they move.

use galvani_core::{LowerError, Path, Report, room};
use galvani_scene::{Clip, Extras, Fact, Scene};

use super::look::Wardrobe;
use super::names::{NameKind, Names};
use super::{Options, ROOT, motion, names, states};
use crate::msh::build::{COCKPIT_FLAG, KeyPlan, NodePlan};

/// What a node is called that is put before all others.
const BASE: &str = "base";

/// A node for each of the scene's, perhaps behind one more.
pub(super) fn plans(
    scene: &Scene,
    clip: Option<&Clip>,
    wardrobe: &Wardrobe,
    options: &Options,
    report: &mut Report,
) -> Result<Vec<NodePlan>, LowerError> {
    let stage = states::stage(scene, clip, None, report)?;
    let tracks = motion::tracks(&stage, options, report)?;
    let slots = states::slots(scene, &stage, wardrobe, report)?;
    let mut names = Names::new(NameKind::Node);
    let mut plans: Vec<NodePlan> = room::with_capacity(scene.nodes.len().saturating_add(1))?;
    let base = base(scene, &tracks, report);
    let shift = usize::from(base);
    if base {
        plans.push(NodePlan::default());
    }
    for (i, ((node, track), slots)) in scene.nodes.iter().zip(tracks).zip(slots).enumerate() {
        let path = Path::named("nodes").index(i).field("name");
        let parent = node.parent.map(|parent| parent.index().saturating_add(shift));
        plans.push(NodePlan {
            name: names.take(&node.name, &format!("node_{i}"), path, report),
            label: label(scene, &node.extras),
            parent: parent.or(base.then_some(0)),
            flags: flags(scene, &node.extras),
            track,
            slots,
        });
    }
    if let Some(first) = plans.first_mut().filter(|_| base) {
        // The others have the first choice.
        first.name = names.take(BASE, BASE, Path::named("nodes"), report);
    }
    Ok(plans)
}

/// Whether a node must be put before all others: the game puts the first at the origin.
fn base(scene: &Scene, tracks: &[Vec<KeyPlan>], report: &mut Report) -> bool {
    let roots = scene.nodes.iter().filter(|node| node.parent.is_none()).count();
    let is_away = |key: &KeyPlan| key.position.iter().any(|part| part.abs() > 0.0);
    let is_off = tracks.first().is_some_and(|track| track.iter().any(is_away));
    let wanted = roots > 1 || is_off;
    if wanted {
        let said =
            if is_off { "the first node is not at the origin" } else { "several nodes hang on nothing" };
        report.push(ROOT.at(Path::named("nodes")).saying(said));
    }
    wanted
}

/// What a node of a model was flagged with, the cockpit aside, which follows from what it shows.
fn flags(scene: &Scene, extras: &Extras) -> u16 {
    match extras.get("flags") {
        Some(Fact::Int(flags)) if is_ours(scene) => u16::try_from(*flags).unwrap_or(0) & !COCKPIT_FLAG,
        _ => 0,
    }
}

/// What a node of a model was labelled with.
fn label(scene: &Scene, extras: &Extras) -> Vec<u8> {
    match extras.get("label") {
        Some(Fact::Text(label)) if is_ours(scene) => names::bytes(label),
        _ => Vec::new(),
    }
}

/// Whether a scene comes from a model of this format.
fn is_ours(scene: &Scene) -> bool {
    matches!(scene.extras.get("format"), Some(Fact::Text(format)) if format == "msh")
}
