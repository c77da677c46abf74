//! The way into a game: what formats that hold less than a scene ask of it first.
//!
//! [`rigid`] takes skins apart for formats whose vertices follow one node each, [`unscaled`] does away with scales for formats
//! that have none. Both change nothing that was like that already. [`like`] gives a scene the structure of another model.

mod like;
mod rigid;
mod unscaled;

use galvani_core::{Code, Diagnostic, LowerError, Report, Severity, codes};
use glam::{Quat, Vec4};

use crate::{Id, Scene, SceneImage, Track, check};

pub use like::like;
pub use rigid::rigid;
pub use unscaled::unscaled;

codes! {
    ONE_JOINT = Warning, "scene.one-joint",
        "vertices that several joints pull at follow one of them",
        "each triangle goes with the joint that pulls at it most; paint weights of 1 to decide yourself";
    NO_SCALING = Warning, "scene.no-scaling",
        "a node changes its size over time, which the format cannot hold",
        "it stays as large as it is at rest";
    UNEVEN = Warning, "scene.uneven",
        "a node that moves hangs below one that is stretched unevenly",
        "it is right at rest; apply the scale to the mesh before exporting";
    HIDDEN = Note, "scene.hidden",
        "what is hidden at rest was left out",
        "the format cannot hide anything; show it before exporting if it is wanted";
    UNLIKE = Note, "scene.unlike",
        "nodes of the example are not in the scene",
        "nodes are known by their names; those that are there stand in the example's order";
}

/// A model as files of a game, and the pictures of the scene that these name.
pub type LoweredScene = galvani_core::Lowered<Id<SceneImage>>;

/// Makes every turn of length 1; what has no direction is none.
pub fn unit_turns(scene: &mut Scene) {
    let unit = |turn: &mut Quat| {
        let is_unit = (turn.length() - 1.0).abs() <= check::UNIT_TOLERANCE;
        if !is_unit {
            *turn = Vec4::from(*turn).try_normalize().map_or(Quat::IDENTITY, Quat::from_vec4);
        }
    };
    scene.nodes.iter_mut().for_each(|node| unit(&mut node.rotation));
    for track in scene.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
        if let Track::Rotation(_, curve) = track {
            curve.values.iter_mut().chain(curve.tangents.as_flattened_mut()).for_each(unit);
        }
    }
}

/// What is odd about a scene. What nobody could show, and numbers that are none, are refused.
pub fn usable(scene: &Scene) -> Result<Report, LowerError> {
    let found = check(scene);
    let is_unfit = |code: &Code| code.severity == Severity::Error || code.name == check::NOT_FINITE.name;
    match found.findings().iter().find(|finding| is_unfit(finding.code)) {
        Some(refusal) => Err(Diagnostic { severity: Severity::Error, ..refusal.clone() }.into()),
        None => Ok(found),
    }
}
