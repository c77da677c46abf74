//! The operations of `edit` on a model.

use galvani_core::maths::single;
use galvani_core::{EditError, Path, Report, text};
use galvani_parkan::msh::Document;
use galvani_parkan::msh::edit::{self, Rotation};

use crate::formats::argument::{Node, NodeOrNone, Place, Text, Within};
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

    "gives a node other flags"
    "node-flags" (node: Node = "which", flags: Within<0, 65535> = "its flags, 16 bits")
    |document| edit::set_node_flags(document, node.0, u16::try_from(flags.0).unwrap_or(u16::MAX));

    "says which slot a node shows at a level and group; -1 for none"
    "set-slot" (
        node: Node = "which",
        level: usize = "0 to 2, as observed the damage state",
        group: usize = "0 to 4, as observed the level of detail",
        slot: i64 = "which slot, or -1 for none",
    )
    |document| edit::set_slot(document, node.0, level, group, slot_of(slot));

    "adds a node behind the others, under another or under `none`"
    "add-node" (name: Text = "its name", parent: NodeOrNone = "under which, or none")
    |document| edit::add_node(document, &name.0, parent.0).map(drop);

    "removes a node on which no other hangs, with its keys"
    "remove-node" (node: Node = "which")
    |document| edit::remove_node(document, node.0);

    "puts a key on a frame, or gives the one there another position and rotation; `none` leaves what is there"
    "set-key" (
        node: Node = "which",
        frame: f32 = "which",
        position: Vec<f64> = "x,y,z, or none",
        rotation: Vec<f64> = "w,x,y,z, or none",
    )
    |document| set_key(document, node.0, frame, &position, &rotation);

    "gives a batch other flags"
    "batch-flags" (batch: Place = "which", flags: u32 = "its flags: 32 bits as observed, 16 as documented")
    |document| edit::set_batch_flags(document, batch.0, flags);

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
    Ok(normalised(node, Some(rotation)))
}

/// A slot by its number; a negative one means none.
fn slot_of(number: i64) -> Option<usize> {
    (number >= 0).then(|| usize::try_from(number).unwrap_or(usize::MAX))
}

/// Puts a key on a frame, or changes the one that is there.
fn set_key(
    document: &mut Document,
    node: usize,
    frame: f32,
    position: &[f64],
    rotation: &[f64],
) -> Result<Report, EditError> {
    let position = numbers(position)?;
    let rotation = numbers(rotation)?.map(Rotation::Wxyz);
    match edit::key_at(document, node, frame) {
        Ok(key) => edit::set_key(document, node, key, position, rotation)?,
        Err(error) if error.cause.code == &edit::NO_KEY => {
            edit::insert_key(document, node, frame, position, rotation)?;
        }
        Err(error) => return Err(error),
    }
    Ok(normalised(node, rotation))
}

/// So many numbers, or none.
fn numbers<const N: usize>(values: &[f64]) -> Result<Option<[f32; N]>, EditError> {
    if values.is_empty() {
        return Ok(None);
    }
    let values = <[f64; N]>::try_from(values).map_err(|_| {
        let found = format!("{N} numbers wanted, {} found", values.len());
        EditError::from(edit::VALUE.at(Path::root()).saying(found))
    })?;
    Ok(Some(values.map(single)))
}

/// What is told of a rotation that had another length than 1.
fn normalised(node: usize, rotation: Option<Rotation>) -> Report {
    let mut report = Report::default();
    if let Some(length) = rotation.and_then(|rotation| rotation.odd_length()) {
        let path = Path::named("nodes").index(node);
        let found = format!("a length of 1 wanted, {length} found");
        report.push(edit::ROTATION_NORMALISED.at(path).saying(found));
    }
    report
}
