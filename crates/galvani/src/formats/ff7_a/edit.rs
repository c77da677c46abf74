//! The operations of `edit` on an animation.

use galvani_core::{EditError, Path, Report};
use galvani_ff7::field::a::check::NO_BONE;
use galvani_ff7::field::a::{Document, edit};
use galvani_ff7::pack::edit::Edge;

use crate::formats::argument::Node;
use crate::formats::operation::{Editable, operations};
use crate::formats::select::Candidates;
use crate::formats::{ArgumentValue, Operation, Selector, Thing};

/// Every operation.
pub(super) const OPERATIONS: &[Operation] = operations! { Document;
    "keeps the frames from first to last"
    "trim" (first: usize = "the first that stays", last: usize = "the last that stays")
    |document| edit::trim(document, first, last);

    "deletes frames"
    "delete-frames" (first: usize = "the first that goes", last: usize = "the last that goes")
    |document| edit::delete_frames(document, first, last);

    "plays the animation backwards"
    "reverse" ()
    |document| edit::reverse(document);

    "gives a frame another position"
    "set-position" (frame: usize = "which", x: f32 = "across", y: f32 = "down", z: f32 = "along")
    |document| edit::set_position(document, frame, [x, y, z]);

    "gives a bone other angles in a frame, in degrees"
    "set-rotation" (
        frame: usize = "which",
        bone: Node = "which, 0 being the root",
        x: f32 = "about x",
        y: f32 = "about y",
        z: f32 = "about z",
    )
    |document| edit::set_rotation(document, frame, bone.0, [x, y, z]);

    "moves all frames"
    "offset-position" (x: f32 = "across", y: f32 = "down", z: f32 = "along")
    |document| edit::offset_position(document, [x, y, z]);

    "multiplies all positions"
    "scale-position" (scale: f32 = "by how much")
    |document| edit::scale_position(document, scale);

    "puts frames between frames"
    "resample" (factor: u32 = "how many for each", edge: Edge = "whether the last leads to the first")
    |document, meter| edit::resample(document, factor, edge, meter);

    "drops what follows the last whole frame, clears what the game fills in"
    "canonical" ()
    |document| edit::make_canonical(document);
};

/// Bones have no names.
impl Editable for Document {
    fn select(
        &self,
        _: Thing,
        wanted: &Selector,
        notes: &mut Report,
    ) -> Result<Vec<ArgumentValue>, EditError> {
        let bones = self.frames.get(0).map_or(0, |frame| frame.bones.len()).saturating_add(1);
        Candidates::nameless("bone", Path::named("frames"), &NO_BONE, bones).values(wanted, notes)
    }
}
