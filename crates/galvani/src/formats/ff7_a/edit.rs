//! The operations of `edit` on an animation.

use galvani_core::{EditError, Report};
use galvani_ff7::field::a::{Document, edit};
use galvani_ff7::pack::edit::Edge;

use crate::formats::{Arg, Kind, Operation, Step, Value};

const FRAME: Arg = Arg { name: "frame", kind: Kind::Number };
const BONE: Arg = Arg { name: "bone", kind: Kind::Number };
const FIRST: Arg = Arg { name: "first", kind: Kind::Number };
const LAST: Arg = Arg { name: "last", kind: Kind::Number };
const FACTOR: Arg = Arg { name: "factor", kind: Kind::Number };
const SCALE: Arg = Arg { name: "scale", kind: Kind::Float };
const X: Arg = Arg { name: "x", kind: Kind::Float };
const Y: Arg = Arg { name: "y", kind: Kind::Float };
const Z: Arg = Arg { name: "z", kind: Kind::Float };
const EDGE: Arg = Arg { name: "edge", kind: Kind::Word(&["loop", "once"]) };

/// Every operation.
pub(super) const OPERATIONS: &[Operation] = &[
    operation("trim", &[FIRST, LAST], "keeps the frames from first to last"),
    operation("delete-frames", &[FIRST, LAST], "deletes frames"),
    operation("reverse", &[], "plays the animation backwards"),
    operation("set-position", &[FRAME, X, Y, Z], "gives a frame another position"),
    operation("set-rotation", &[FRAME, BONE, X, Y, Z], "gives a bone other angles in a frame, in degrees"),
    operation("offset-position", &[X, Y, Z], "moves all frames"),
    operation("scale-position", &[SCALE], "multiplies all positions"),
    operation("resample", &[FACTOR, EDGE], "puts frames between frames"),
    operation("canonical", &[], "drops what follows the last whole frame, clears what the game fills in"),
];

const fn operation(name: &'static str, args: &'static [Arg], summary: &'static str) -> Operation {
    Operation { name, args, summary }
}

/// Does one operation.
pub(super) fn run(document: &mut Document, step: &Step) -> Result<Report, EditError> {
    use Value::{Float, Number, Word};
    let index = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    match (step.operation.name, step.values.as_slice()) {
        ("trim", &[Number(first), Number(last)]) => edit::trim(document, index(first), index(last))?,
        ("delete-frames", &[Number(first), Number(last)]) => {
            edit::delete_frames(document, index(first), index(last))?;
        }
        ("reverse", []) => edit::reverse(document),
        ("set-position", &[Number(frame), Float(x), Float(y), Float(z)]) => {
            edit::set_position(document, index(frame), [x, y, z])?;
        }
        ("set-rotation", &[Number(frame), Number(bone), Float(x), Float(y), Float(z)]) => {
            edit::set_rotation(document, index(frame), index(bone), [x, y, z])?;
        }
        ("offset-position", &[Float(x), Float(y), Float(z)]) => edit::offset_position(document, [x, y, z])?,
        ("scale-position", &[Float(scale)]) => edit::scale_position(document, scale)?,
        ("resample", &[Number(factor), Word(edge)]) => {
            let edge = if edge == "once" { Edge::Once } else { Edge::Loop };
            edit::resample(document, factor, edge)?;
        }
        ("canonical", []) => return Ok(edit::make_canonical(document)),
        (name, _) => unreachable!("`{name}` is declared but not done"),
    }
    Ok(Report::default())
}
