//! The operations of `edit` on a model.

use galvani_core::{EditError, Path, Report, text};
use galvani_parkan::msh::Document;
use galvani_parkan::msh::edit::{self, Rotation};

use crate::formats::{Arg, EntryRef, Kind, Operation, Step, Value};

const NODE: Arg = Arg { name: "node", kind: Kind::Node };
const PARENT: Arg = Arg { name: "parent", kind: Kind::Node };
const FRAME: Arg = Arg { name: "frame", kind: Kind::Float };
const TO: Arg = Arg { name: "to", kind: Kind::Float };
const FIRST: Arg = Arg { name: "first", kind: Kind::Float };
const LAST: Arg = Arg { name: "last", kind: Kind::Float };
const SCALE: Arg = Arg { name: "scale", kind: Kind::Float };
const SHIFT: Arg = Arg { name: "shift", kind: Kind::Float };
const UNITS: Arg = Arg { name: "units", kind: Kind::Float };
const RADIANS: Arg = Arg { name: "radians", kind: Kind::Float };
const W: Arg = Arg { name: "w", kind: Kind::Float };
const X: Arg = Arg { name: "x", kind: Kind::Float };
const Y: Arg = Arg { name: "y", kind: Kind::Float };
const Z: Arg = Arg { name: "z", kind: Kind::Float };
const NAME: Arg = Arg { name: "name", kind: Kind::Text };
const BATCH: Arg = Arg { name: "batch", kind: Kind::Number };
const MATERIAL: Arg = Arg { name: "material", kind: Kind::Number };

/// Every operation.
pub(super) const OPERATIONS: &[Operation] = &[
    operation("insert-key", &[NODE, FRAME], "puts a key on a frame, with the pose that is there"),
    operation("delete-key", &[NODE, FRAME], "deletes the key on a frame"),
    operation("move-key", &[NODE, FRAME, TO], "moves a key to another frame"),
    operation("set-position", &[NODE, FRAME, X, Y, Z], "gives the key on a frame another position"),
    operation("set-rotation", &[NODE, FRAME, W, X, Y, Z], "gives the key on a frame another rotation"),
    operation("retime", &[NODE, SCALE, SHIFT], "multiplies the times of a node's keys and shifts them"),
    operation("trim", &[NODE, FIRST, LAST], "keeps the frames from first to last"),
    operation("reverse", &[NODE], "plays a node's keys backwards"),
    operation("offset", &[NODE, X, Y, Z], "moves all keys of a node"),
    operation("make-static", &[NODE, FRAME], "leaves a node the pose of one frame"),
    operation("make-animated", &[NODE], "gives a static node keys on the first and last frame"),
    operation("reduce", &[NODE, UNITS, RADIANS], "drops keys as long as no frame is off by more"),
    operation("rebuild-maps", &[], "builds every frame map from its keys"),
    operation("rename", &[NODE, NAME], "gives a node another name"),
    operation("label", &[NODE, NAME], "gives a node another label"),
    operation("reparent", &[NODE, PARENT], "hangs a node under another, or under `none`"),
    operation("material", &[BATCH, MATERIAL], "gives a batch another material"),
    operation("canonical", &[], "lays the archive out as the game's own writer does"),
];

const fn operation(name: &'static str, args: &'static [Arg], summary: &'static str) -> Operation {
    Operation { name, args, summary }
}

/// Does one operation.
pub(super) fn run(document: &mut Document, step: &Step) -> Result<Report, EditError> {
    if step.operation.name == "canonical" {
        return document.archive.make_canonical();
    }
    edit_model(document, step).map(|()| Report::default())
}

fn edit_model(document: &mut Document, step: &Step) -> Result<(), EditError> {
    use Value::{Bytes, Entry, Float, Number};
    match (step.operation.name, step.values.as_slice()) {
        ("insert-key", [Entry(node), Float(frame)]) => {
            edit::insert_key(document, find(document, node)?, *frame, None, None).map(drop)
        }
        ("delete-key", [Entry(node), Float(frame)]) => {
            let (node, key) = key(document, node, *frame)?;
            edit::delete_key(document, node, key)
        }
        ("move-key", [Entry(node), Float(frame), Float(to)]) => {
            let (node, key) = key(document, node, *frame)?;
            edit::move_key(document, node, key, *to).map(drop)
        }
        ("set-position", [Entry(node), Float(frame), Float(x), Float(y), Float(z)]) => {
            let (node, key) = key(document, node, *frame)?;
            edit::set_key(document, node, key, Some([*x, *y, *z]), None)
        }
        ("set-rotation", [Entry(node), Float(frame), Float(w), Float(x), Float(y), Float(z)]) => {
            let (node, key) = key(document, node, *frame)?;
            edit::set_key(document, node, key, None, Some(Rotation::Wxyz([*w, *x, *y, *z])))
        }
        ("retime", [Entry(node), Float(scale), Float(shift)]) => {
            edit::retime(document, find(document, node)?, *scale, *shift)
        }
        ("trim", [Entry(node), Float(first), Float(last)]) => {
            edit::trim(document, find(document, node)?, *first, *last)
        }
        ("reverse", [Entry(node)]) => edit::reverse(document, find(document, node)?),
        ("offset", [Entry(node), Float(x), Float(y), Float(z)]) => {
            edit::offset(document, find(document, node)?, [*x, *y, *z])
        }
        ("make-static", [Entry(node), Float(frame)]) => {
            edit::make_static(document, find(document, node)?, *frame)
        }
        ("make-animated", [Entry(node)]) => edit::make_animated(document, find(document, node)?, None),
        ("reduce", [Entry(node), Float(units), Float(radians)]) => {
            edit::reduce(document, find(document, node)?, *units, *radians).map(drop)
        }
        ("rebuild-maps", []) => edit::rebuild_maps(document),
        ("rename", [Entry(node), Bytes(name)]) => edit::rename(document, find(document, node)?, name),
        ("label", [Entry(node), Bytes(label)]) => edit::set_label(document, find(document, node)?, label),
        ("reparent", [Entry(node), Entry(parent)]) => {
            let parent = if *parent == EntryRef::new("none") { None } else { Some(find(document, parent)?) };
            edit::reparent(document, find(document, node)?, parent)
        }
        ("material", [Number(batch), Number(material)]) => {
            edit::set_material(document, usize::try_from(*batch).unwrap_or(usize::MAX), *material)
        }
        (other, _) => unreachable!("`{other}` is declared but not done"),
    }
}

/// A node by its index, or the first of its name in any case of letters.
fn find(document: &Document, node: &EntryRef) -> Result<usize, EditError> {
    let name = match node {
        EntryRef::Index(index) => return Ok(*index),
        EntryRef::Name(name) => name,
    };
    let model = document.model();
    let wanted = text::shown(name).to_lowercase();
    let is_it = |i: &usize| text::shown(model.node_name(*i)).to_lowercase() == wanted;
    (0..model.node_count())
        .find(is_it)
        .ok_or_else(|| edit::NO_NODE.at(Path::of("nodes")).saying(format!("`{}`", text::shown(name))).into())
}

/// A node and the place of its key on a frame.
fn key(document: &Document, node: &EntryRef, frame: f32) -> Result<(usize, usize), EditError> {
    let node = find(document, node)?;
    Ok((node, edit::key_at(document, node, frame)?))
}
