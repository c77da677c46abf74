//! The operations of `edit` on a model.

use galvani_core::{EditError, Path, Report, text};
use galvani_parkan::msh::Document;
use galvani_parkan::msh::edit::{self, Rotation};

use crate::formats::select::{self, Candidates};
use crate::formats::{Arg, Kind, Operation, Step, Value};

const NODE: Arg = Arg { name: "node", kind: Kind::Node };
const PARENT: Arg = Arg { name: "parent", kind: Kind::NodeOr("none") };
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
    let names_node = step.values.iter().any(|value| matches!(value, Value::Entry(_)));
    if names_node && document.model().legacy_nodes.is_some() {
        return Err(edit::LEGACY_NODES.at(Path::of("nodes")).into());
    }
    select::each(document, step, |document, _| nodes(document), edit_one)
}

/// An edit whose nodes were found.
fn edit_one(document: &mut Document, step: &Step) -> Result<Report, EditError> {
    use Value::{Float, Index};
    match (step.operation.name, step.values.as_slice()) {
        ("set-rotation", [Index(node), Float(frame), Float(w), Float(x), Float(y), Float(z)]) => {
            set_rotation(document, *node, *frame, Rotation::Wxyz([*w, *x, *y, *z]))
        }
        _ => edit_model(document, step).map(|()| Report::default()),
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
        let path = Path::of("nodes").index(node);
        let found = format!("a length of 1 wanted, {length} found");
        report.push(edit::ROTATION_NORMALISED.at(path).saying(found));
    }
    Ok(report)
}

fn edit_model(document: &mut Document, step: &Step) -> Result<(), EditError> {
    use Value::{Bytes, Float, Index, Number, Word};
    match (step.operation.name, step.values.as_slice()) {
        ("insert-key", [Index(node), Float(frame)]) => {
            edit::insert_key(document, *node, *frame, None, None).map(drop)
        }
        ("delete-key", [Index(node), Float(frame)]) => {
            let key = edit::key_at(document, *node, *frame)?;
            edit::delete_key(document, *node, key)
        }
        ("move-key", [Index(node), Float(frame), Float(to)]) => {
            let key = edit::key_at(document, *node, *frame)?;
            edit::move_key(document, *node, key, *to).map(drop)
        }
        ("set-position", [Index(node), Float(frame), Float(x), Float(y), Float(z)]) => {
            let key = edit::key_at(document, *node, *frame)?;
            edit::set_key(document, *node, key, Some([*x, *y, *z]), None)
        }
        ("retime", [Index(node), Float(scale), Float(shift)]) => {
            edit::retime(document, *node, *scale, *shift)
        }
        ("trim", [Index(node), Float(first), Float(last)]) => edit::trim(document, *node, *first, *last),
        ("reverse", [Index(node)]) => edit::reverse(document, *node),
        ("offset", [Index(node), Float(x), Float(y), Float(z)]) => {
            edit::offset(document, *node, [*x, *y, *z])
        }
        ("make-static", [Index(node), Float(frame)]) => edit::make_static(document, *node, *frame),
        ("make-animated", [Index(node)]) => edit::make_animated(document, *node, None),
        ("reduce", [Index(node), Float(units), Float(radians)]) => {
            edit::reduce(document, *node, *units, *radians).map(drop)
        }
        ("rebuild-maps", []) => edit::rebuild_maps(document),
        ("rename", [Index(node), Bytes(name)]) => edit::rename(document, *node, name),
        ("label", [Index(node), Bytes(label)]) => edit::set_label(document, *node, label),
        ("reparent", [Index(node), Word(_)]) => edit::reparent(document, *node, None),
        ("reparent", [Index(node), Index(parent)]) => edit::reparent(document, *node, Some(*parent)),
        ("material", [Number(batch), Number(material)]) => {
            edit::set_material(document, usize::try_from(*batch).unwrap_or(usize::MAX), *material)
        }
        (other, _) => unreachable!("`{other}` is declared but not done"),
    }
}

fn nodes(document: &Document) -> Candidates<'_> {
    let model = document.model();
    let names = (0..model.node_count()).map(|i| text::shown(model.node_name(i)).into_owned());
    Candidates::named("node", Path::of("nodes"), &edit::NO_NODE, names)
}
