//! The operations of `edit` on a pack.

use galvani_core::{EditError, Path, Report};
use galvani_ff7::pack::edit::{self, Edge};
use galvani_ff7::pack::quantise::{Precision, Rounding};
use galvani_ff7::pack::{Content, Document, Entry, Key, Role, survey};
use galvani_ff7::skeleton;

use super::animation::{self, Animation};
use super::{Moves, place};
use crate::formats::ff7_model::Beside;
use crate::formats::{Arg, Indices, Kind, Operation, Step, Value};

const CLIP: Arg = Arg { name: "clip", kind: Kind::Number };
const CLIPS: Arg = Arg { name: "clips", kind: Kind::Indices };
const TO_CLIP: Arg = Arg { name: "to-clip", kind: Kind::Number };
const BONE: Arg = Arg { name: "bone", kind: Kind::Number };
const FRAME: Arg = Arg { name: "frame", kind: Kind::Number };
const FIRST: Arg = Arg { name: "first", kind: Kind::Number };
const LAST: Arg = Arg { name: "last", kind: Kind::Number };
const TO: Arg = Arg { name: "to", kind: Kind::Number };
const FACTOR: Arg = Arg { name: "factor", kind: Kind::Number };
const SCALE: Arg = Arg { name: "scale", kind: Kind::Float };
const DEGREES: Arg = Arg { name: "degrees", kind: Kind::Float };
const KEY: Arg = Arg { name: "key", kind: Kind::Number };
const ROUNDING: Arg = Arg { name: "rounding", kind: Kind::Word(&["nearest", "down"]) };
const X: Arg = Arg { name: "x", kind: Kind::Float };
const Y: Arg = Arg { name: "y", kind: Kind::Float };
const Z: Arg = Arg { name: "z", kind: Kind::Float };
const EDGE: Arg = Arg { name: "edge", kind: Kind::Word(&["loop", "once"]) };
const ROLE: Arg = Arg { name: "role", kind: Kind::Word(&["body", "weapon"]) };
const FILE: Arg = Arg { name: "file", kind: Kind::File };

/// Every operation.
pub(super) const OPERATIONS: &[Operation] = &[
    operation("insert-frame", &[CLIP, FRAME], "puts a copy of a frame before it, or behind the last"),
    operation("delete-frames", &[CLIP, FIRST, LAST], "deletes frames"),
    operation("move-frames", &[CLIP, FIRST, LAST, TO], "moves frames, the first of them to a place"),
    operation("copy-frames", &[CLIP, FIRST, LAST, TO_CLIP, TO], "copies frames before a frame of a clip"),
    operation("blend-frames", &[CLIP, FIRST, LAST], "leads from a frame to another the shortest way"),
    operation("trim", &[CLIP, FIRST, LAST], "keeps the frames from first to last"),
    operation("reverse", &[CLIP], "plays a clip backwards"),
    operation("set-position", &[CLIP, FRAME, X, Y, Z], "gives a frame another position"),
    operation(
        "set-rotation",
        &[CLIP, FRAME, BONE, X, Y, Z],
        "gives a bone other angles in a frame, in degrees",
    ),
    operation("offset-position", &[CLIP, X, Y, Z], "moves all frames of a clip"),
    operation("scale-position", &[CLIP, SCALE], "multiplies the positions of a clip"),
    operation("offset-rotation", &[CLIP, BONE, X, Y, Z], "turns a bone in all frames, in degrees"),
    operation("scale-rotation", &[CLIP, BONE, SCALE], "multiplies how far a bone turns from its first frame"),
    operation("resample", &[CLIPS, FACTOR, EDGE, DEGREES], "puts frames between frames, bone by bone"),
    operation(
        "resample-model",
        &[CLIPS, FACTOR, EDGE, DEGREES],
        "puts frames between frames, on the rotations of the whole model; wants its skeleton beside it",
    ),
    operation("quantise", &[CLIP, DEGREES], "takes the coarsest key that is off by no more"),
    operation("recode", &[CLIP, KEY, ROUNDING], "takes another key, whatever that loses"),
    operation("repair", &[CLIP], "mends the header of a damaged clip and drops half frames"),
    operation("replace", &[CLIP, FILE], "gives an entry a payload, or frames in JSON"),
    operation("add", &[ROLE, FILE], "adds an entry behind the others of body or weapon"),
    operation("clear", &[CLIP], "makes an entry an empty slot"),
    operation("remove", &[CLIP], "removes an entry; those behind it get other numbers"),
    operation("canonical", &[], "re-encodes every sound clip as short as it can be"),
];

const fn operation(name: &'static str, args: &'static [Arg], summary: &'static str) -> Operation {
    Operation { name, args, summary }
}

/// Does one operation.
pub(super) fn run(moves: &mut Moves, step: &Step) -> Result<Report, EditError> {
    let Moves { document, beside } = moves;
    if step.operation.name == "canonical" {
        return edit::make_canonical(document);
    }
    let name = step.operation.name;
    let mut report = edit::guesses(document, decoded(step, document.entries.len()));
    let done = frames(document, name, &step.values)
        .or_else(|| bones(document, name, &step.values))
        .map(|done| done.map(|()| Report::default()))
        .or_else(|| entries(document, beside, name, &step.values))
        .unwrap_or_else(|| unreachable!("`{name}` is declared but not done"))?;
    report.append(done);
    Ok(report)
}

/// The entries whose frames an operation looks at.
fn decoded(step: &Step, count: usize) -> Vec<usize> {
    let takes_any = ["clear", "remove", "replace"].contains(&step.operation.name);
    match step.values.first() {
        Some(Value::Number(clip)) if !takes_any => vec![index(*clip)],
        Some(Value::Indices(clips)) => clips.of(count),
        _ => Vec::new(),
    }
}

type Done = Option<Result<(), EditError>>;

/// Operations on frames.
fn frames(document: &mut Document, name: &str, values: &[Value]) -> Done {
    use Value::{Float, Number};
    Some(match (name, values) {
        ("insert-frame", &[Number(clip), Number(frame)]) => {
            edit::insert_frame(document, index(clip), index(frame))
        }
        ("delete-frames", &[Number(clip), Number(first), Number(last)]) => {
            edit::delete_frames(document, index(clip), index(first), index(last))
        }
        ("move-frames", &[Number(clip), Number(first), Number(last), Number(to)]) => {
            edit::move_frames(document, index(clip), index(first), index(last), index(to))
        }
        ("copy-frames", &[Number(clip), Number(first), Number(last), Number(to_clip), Number(to)]) => {
            let from = (index(clip), index(first), index(last));
            edit::copy_frames(document, from.0, from.1, from.2, index(to_clip), index(to))
        }
        ("blend-frames", &[Number(clip), Number(first), Number(last)]) => {
            edit::blend_frames(document, index(clip), index(first), index(last))
        }
        ("trim", &[Number(clip), Number(first), Number(last)]) => {
            edit::trim(document, index(clip), index(first), index(last))
        }
        ("reverse", &[Number(clip)]) => edit::reverse(document, index(clip)),
        ("set-position", &[Number(clip), Number(frame), Float(x), Float(y), Float(z)]) => {
            whole([x, y, z]).and_then(|at| edit::set_position(document, index(clip), index(frame), at))
        }
        ("set-rotation", &[Number(clip), Number(frame), Number(bone), Float(x), Float(y), Float(z)]) => {
            edit::set_rotation(document, index(clip), index(frame), index(bone), wide([x, y, z]))
        }
        _ => return None,
    })
}

/// Operations on a bone, the root or the key of a whole clip.
fn bones(document: &mut Document, name: &str, values: &[Value]) -> Done {
    use Value::{Float, Number, Word};
    Some(match (name, values) {
        ("offset-position", &[Number(clip), Float(x), Float(y), Float(z)]) => {
            edit::offset_position(document, index(clip), wide([x, y, z]))
        }
        ("scale-position", &[Number(clip), Float(scale)]) => {
            edit::scale_position(document, index(clip), f64::from(scale))
        }
        ("offset-rotation", &[Number(clip), Number(bone), Float(x), Float(y), Float(z)]) => {
            edit::offset_rotation(document, index(clip), index(bone), wide([x, y, z]))
        }
        ("scale-rotation", &[Number(clip), Number(bone), Float(scale)]) => {
            edit::scale_rotation(document, index(clip), index(bone), f64::from(scale))
        }
        ("quantise", &[Number(clip), Float(degrees)]) => {
            let precision = Precision::Tolerance(f64::from(degrees));
            edit::quantise(document, index(clip), precision, Rounding::Nearest).map(drop)
        }
        ("recode", &[Number(clip), Number(key), Word(rounding)]) => {
            let rounding = if rounding == "down" { Rounding::Down } else { Rounding::Nearest };
            let key = u8::try_from(key).ok().and_then(Key::of);
            let refused = || edit::PRECISION.at(place(index(clip))).saying("0, 2 or 4 is wanted").into();
            let key = key.ok_or_else(refused);
            key.and_then(|key| edit::quantise(document, index(clip), Precision::Key(key), rounding).map(drop))
        }
        _ => return None,
    })
}

/// Operations on whole entries.
fn entries(
    document: &mut Document,
    beside: &Beside,
    name: &str,
    values: &[Value],
) -> Option<Result<Report, EditError>> {
    use Value::{Bytes, Float, Indices, Number, Word};
    let done = match (name, values) {
        ("resample", [Indices(clips), Number(factor), Word(edge), Float(degrees)]) => {
            return Some(resample(document, clips, *factor, edge, *degrees, None));
        }
        ("resample-model", [Indices(clips), Number(factor), Word(edge), Float(degrees)]) => {
            let Some(skeleton) = &beside.skeleton else {
                return Some(Err(edit::NO_SKELETON.at(Path::root()).into()));
            };
            return Some(resample(document, clips, *factor, edge, *degrees, Some(skeleton)));
        }
        ("repair", &[Number(clip)]) => {
            return Some(edit::repair(document, index(clip)).map(|(_, report)| report));
        }
        ("replace", [Number(clip), Bytes(file)]) => replace(document, index(*clip), file),
        ("add", [Word(role), Bytes(file)]) => {
            add(document, if *role == "weapon" { Role::Weapon } else { Role::Body }, file)
        }
        ("clear", &[Number(clip)]) => edit::clear(document, index(clip)),
        ("remove", &[Number(clip)]) => edit::remove(document, index(clip)).map(drop),
        _ => return None,
    };
    Some(done.map(|()| Report::default()))
}

fn replace(document: &mut Document, clip: usize, file: &[u8]) -> Result<(), EditError> {
    match animation::of_file(file)? {
        Animation::Payload(payload) => edit::replace(document, clip, payload),
        Animation::Frames(frames, key) => edit::replace_frames(document, clip, &frames, key),
    }
}

/// A payload alone does not say how many rotations it has: as many as its neighbours.
fn add(document: &mut Document, role: Role, file: &[u8]) -> Result<(), EditError> {
    let entry = match animation::of_file(file)? {
        Animation::Frames(frames, key) => edit::new_entry(&frames, key)?,
        Animation::Payload(payload) => {
            let bones = match role {
                Role::Body => document.entries.first().map_or(1, |entry| entry.dw_bones),
                Role::Weapon => 1,
            };
            let frames = payload.first_chunk().map_or(1, |count| u32::from(u16::from_le_bytes(*count)));
            Entry::new(bones, frames, payload)
        }
    };
    edit::add(document, role, entry).map(drop)
}

/// Puts frames between frames; where all are meant, empty and damaged entries are passed over.
fn resample(
    document: &mut Document,
    asked: &Indices,
    factor: u32,
    edge: &str,
    degrees: f32,
    skeleton: Option<&skeleton::Document>,
) -> Result<Report, EditError> {
    let mut clips = asked.of(document.entries.len());
    if *asked == Indices::All {
        let survey = survey(document, document.skeleton.as_ref());
        let is_sound = |clip: usize| {
            survey.entries.get(clip).is_some_and(|entry| matches!(entry.content, Content::Animation(_)))
        };
        clips.retain(|&clip| is_sound(clip));
    }
    let edge = if edge == "once" { Edge::Once } else { Edge::Loop };
    edit::resample(document, &clips, factor, edge, f64::from(degrees), skeleton)
}

/// Whole numbers of 16 bits.
fn whole(values: [f32; 3]) -> Result<[i16; 3], EditError> {
    let number = |value: f32| {
        // A whole number is written without a point.
        let whole = value.to_string().parse();
        whole.map_err(|_| {
            EditError::from(edit::VALUE.at(place(0).field("position")).saying(value.to_string()))
        })
    };
    let [x, y, z] = values.map(number);
    Ok([x?, y?, z?])
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn wide(values: [f32; 3]) -> [f64; 3] {
    values.map(f64::from)
}
