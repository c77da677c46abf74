//! The operations of `edit` on a model.

use galvani_core::{EditError, Path, Report, text};
use galvani_parkan::msh::Document;
use galvani_parkan::msh::edit::{self, Rotation};

use crate::formats::argument::{Node, NodeOrNone, Place, Text};
use crate::formats::operation::{Editable, operations};
use crate::formats::select::Candidates;
use crate::formats::{ArgumentValue, Operation, Selector, Thing};

/// Every operation.
pub(super) const OPERATIONS: &[Operation] = operations! { Document;
    "puts a key on a frame, with the pose that is there"
    "insert-key" (node: Node = "which", frame: f32 = "which")
    |document| edit::insert_key(document, node.0, frame, None, None).map(drop);

    "deletes the key on a frame"
    "delete-key" (node: Node = "which", frame: f32 = "which")
    |document| edit::delete_key(document, node.0, edit::key_at(document, node.0, frame)?);

    "moves a key to another frame"
    "move-key" (node: Node = "which", frame: f32 = "which", to: f32 = "where to")
    |document| edit::move_key(document, node.0, edit::key_at(document, node.0, frame)?, to).map(drop);

    "gives the key on a frame another position"
    "set-position" (node: Node = "which", frame: f32 = "which", x: f32 = "x", y: f32 = "y", z: f32 = "z")
    |document| edit::set_key(document, node.0, edit::key_at(document, node.0, frame)?, Some([x, y, z]), None);

    "gives the key on a frame another rotation"
    "set-rotation" (
        node: Node = "which",
        frame: f32 = "which",
        w: f32 = "real part",
        x: f32 = "x",
        y: f32 = "y",
        z: f32 = "z",
    )
    |document| set_rotation(document, node.0, frame, Rotation::Wxyz([w, x, y, z]));

    "multiplies the times of a node's keys and shifts them"
    "retime" (node: Node = "which", scale: f32 = "by how much", shift: f32 = "by how many frames")
    |document| edit::retime(document, node.0, scale, shift);

    "keeps the frames from first to last"
    "trim" (node: Node = "which", first: f32 = "the first that stays", last: f32 = "the last that stays")
    |document| edit::trim(document, node.0, first, last);

    "plays a node's keys backwards"
    "reverse" (node: Node = "which")
    |document| edit::reverse(document, node.0);

    "moves all keys of a node"
    "offset" (node: Node = "which", x: f32 = "x", y: f32 = "y", z: f32 = "z")
    |document| edit::offset(document, node.0, [x, y, z]);

    "leaves a node the pose of one frame"
    "make-static" (node: Node = "which", frame: f32 = "which")
    |document| edit::make_static(document, node.0, frame);

    "gives a static node keys on the first and last frame"
    "make-animated" (node: Node = "which")
    |document| edit::make_animated(document, node.0, None);

    "drops keys as long as no frame is off by more"
    "reduce" (
        node: Node = "which",
        units: f32 = "how far off places may be",
        radians: f32 = "how far off turns may be",
    )
    |document| edit::reduce(document, node.0, units, radians).map(drop);

    "builds every frame map from its keys"
    "rebuild-maps" ()
    |document| edit::rebuild_maps(document);

    "gives a node another name"
    "rename" (node: Node = "which", name: Text = "its new name")
    |document| edit::rename(document, node.0, &name.0);

    "gives a node another label"
    "label" (node: Node = "which", name: Text = "its new label")
    |document| edit::set_label(document, node.0, &name.0);

    "hangs a node under another, or under `none`"
    "reparent" (node: Node = "which", parent: NodeOrNone = "under which, or none")
    |document| edit::reparent(document, node.0, parent.0);

    "gives a batch another material"
    "material" (batch: Place = "which", material: u32 = "the material's row")
    |document| edit::set_material(document, batch.0, material);

    "lays the archive out as the game's own writer does"
    "canonical" ()
    |document| document.archive.make_canonical();
};

impl Editable for Document {
    fn select(
        &self,
        _: Thing,
        wanted: &Selector,
        notes: &mut Report,
    ) -> Result<Vec<ArgumentValue>, EditError> {
        let model = self.model();
        if model.legacy_nodes.is_some() {
            return Err(edit::LEGACY_NODES.at(Path::named("nodes")).into());
        }
        let names = (0..model.node_count()).map(|i| text::shown(model.node_name(i)).into_owned());
        Candidates::named("node", Path::named("nodes"), &edit::NO_NODE, names).values(wanted, notes)
    }
}

/// Another rotation for a key; the report says whether it was normalised.
fn set_rotation(
    document: &mut Document,
    node: usize,
    frame: f32,
    rotation: Rotation,
) -> Result<Report, EditError> {
    let key = edit::key_at(document, node, frame)?;
    edit::set_key(document, node, key, None, Some(rotation))?;
    let mut report = Report::default();
    if let Some(length) = rotation.odd_length() {
        let path = Path::named("nodes").index(node);
        let found = format!("a length of 1 wanted, {length} found");
        report.push(edit::ROTATION_NORMALISED.at(path).saying(found));
    }
    Ok(report)
}
