//! The operations of `edit` on an MDX model.

use galvani_core::{EditError, Path, Report, text};
use galvani_mdx::Document;
use galvani_mdx::edit::{self, Interpolation, Keys, TrackRef};

use super::select::{every_track, new_tracks, nodes, sequences as all_sequences, textures};
use crate::formats::select::{self, Candidates};
use crate::formats::{Arg, Kind, Operation, Selector, Step, Value};

const SEQUENCE: Arg = Arg { name: "sequence", kind: Kind::Sequence };
const NAME: Arg = Arg { name: "name", kind: Kind::Text };
const START: Arg = Arg { name: "start", kind: Kind::Integer };
const END: Arg = Arg { name: "end", kind: Kind::Integer };
const KEYS: Arg = Arg { name: "keys", kind: Kind::Word(&["keep", "drop"]) };
const FACTOR: Arg = Arg { name: "factor", kind: Kind::Float };
const TRACK: Arg = Arg { name: "track", kind: Kind::Track };
const TIME: Arg = Arg { name: "time", kind: Kind::Integer };
const VALUES: Arg = Arg { name: "values", kind: Kind::Floats };
const TO: Arg = Arg { name: "to", kind: Kind::Integer };
const ARRIVING: Arg = Arg { name: "arriving", kind: Kind::Floats };
const LEAVING: Arg = Arg { name: "leaving", kind: Kind::Floats };
const TOLERANCE: Arg = Arg { name: "tolerance", kind: Kind::Float };
const INTERPOLATION: Arg =
    Arg { name: "interpolation", kind: Kind::Word(&["step", "linear", "hermite", "bezier"]) };
const TEXTURE: Arg = Arg { name: "texture", kind: Kind::Texture };
const PATH: Arg = Arg { name: "path", kind: Kind::Text };
const INSTEAD: Arg = Arg { name: "instead", kind: Kind::TextureOr("none") };
const RECORD: Arg = Arg { name: "record", kind: Kind::Text };
const ID: Arg = Arg { name: "id", kind: Kind::Number };
const NODE: Arg = Arg { name: "node", kind: Kind::Node };
const PARENT: Arg = Arg { name: "parent", kind: Kind::NodeOr("none") };
const MATERIAL: Arg = Arg { name: "material", kind: Kind::Number };
const LAYER: Arg = Arg { name: "layer", kind: Kind::Number };
const ALPHA: Arg = Arg { name: "alpha", kind: Kind::Float };
const FLAGS: Arg = Arg { name: "flags", kind: Kind::Number };
const FILTER: Arg = Arg { name: "filter", kind: Kind::Number };

/// Every operation.
pub(super) const OPERATIONS: &[Operation] = &[
    operation("add-sequence", &[NAME, START, END], "adds a sequence behind the others, in milliseconds"),
    operation(
        "remove-sequence",
        &[SEQUENCE, KEYS],
        "removes a sequence, and its keys if they are to be dropped",
    ),
    operation("rename-sequence", &[SEQUENCE, NAME], "gives a sequence another name"),
    operation("move-sequence", &[SEQUENCE, START], "moves a sequence and its keys to another time"),
    operation(
        "retime-sequence",
        &[SEQUENCE, FACTOR],
        "stretches a sequence and its keys; what follows makes room",
    ),
    operation(
        "add-track",
        &[TRACK, INTERPOLATION, TIME, VALUES],
        "gives a record a track with one key; `none` for the values of events",
    ),
    operation("remove-track", &[TRACK], "removes a track and its keys"),
    operation("insert-key", &[TRACK, TIME], "puts a key where the curve is"),
    operation("add-key", &[TRACK, TIME, VALUES], "puts a key with a value of its own"),
    operation("delete-key", &[TRACK, TIME], "deletes a key"),
    operation("move-key", &[TRACK, TIME, TO], "moves a key to another time"),
    operation("set-key", &[TRACK, TIME, VALUES], "gives a key another value"),
    operation(
        "set-tangents",
        &[TRACK, TIME, ARRIVING, LEAVING],
        "says how a hermite or bezier curve arrives at a key and leaves it",
    ),
    operation("reduce", &[TRACK, TOLERANCE], "drops keys as long as nothing is off by more"),
    operation(
        "set-interpolation",
        &[TRACK, INTERPOLATION, TOLERANCE],
        "changes how a track is interpolated, exactly or to a tolerance",
    ),
    operation("set-texture", &[TEXTURE, PATH], "gives a texture another file"),
    operation("set-replaceable", &[TEXTURE, ID], "says which texture the game puts there, 0 for none"),
    operation(
        "texture-flags",
        &[TEXTURE, FLAGS],
        "says whether a texture wraps: 0 no, 1 across, 2 down, 3 both",
    ),
    operation("add-texture", &[PATH], "adds a texture behind the others"),
    operation(
        "remove-texture",
        &[TEXTURE, INSTEAD],
        "removes a texture; what used it uses another, or `none` does",
    ),
    operation(
        "set-path",
        &[RECORD, PATH],
        "gives an attachment (`ATCH[0]`) or emitter (`PREM[0]`) another model",
    ),
    operation("rename-node", &[NODE, NAME], "gives a node another name"),
    operation("reparent-node", &[NODE, PARENT], "hangs a node under another, or under `none`"),
    operation("set-alpha", &[MATERIAL, LAYER, ALPHA], "gives a layer another alpha, 0 to 1"),
    operation("set-filter", &[MATERIAL, LAYER, FILTER], "gives a layer another filter mode, 0 to 6"),
];

const fn operation(name: &'static str, args: &'static [Arg], summary: &'static str) -> Operation {
    Operation { name, args, summary }
}

/// Does one operation, for everything that its words mean.
pub(super) fn run(document: &mut Document, step: &Step) -> Result<Report, EditError> {
    let track = step.operation.args.iter().position(|arg| arg.kind == Kind::Track);
    let Some((i, Value::Entry(wanted))) = track.and_then(|i| Some((i, step.values.get(i)?))) else {
        return select::each(document, step, things, one);
    };
    let mut notes = Report::default();
    let find = if step.operation.name == "add-track" { new_tracks } else { every_track };
    let tracks = find(document, wanted, &mut notes)?;
    let with = |track: &TrackRef| step.with(i, Value::Bytes(track.to_string().into_bytes()));
    // The last one first: a track without keys is removed, and those behind it move up.
    let rounds: Vec<Step> = tracks.iter().rev().map(with).collect();
    notes.append(select::all_or_none(document, &rounds, one)?);
    Ok(notes)
}

fn things(document: &Document, kind: Kind) -> Candidates<'_> {
    match kind {
        Kind::Sequence => all_sequences(document, &edit::NO_SEQUENCE),
        Kind::Texture | Kind::TextureOr(_) => textures(document),
        _ => nodes(document, &edit::NO_NODE),
    }
}

/// Does one operation once.
fn one(document: &mut Document, step: &Step) -> Result<Report, EditError> {
    let (name, values) = (step.operation.name, step.values.as_slice());
    let told = interpolation(document, name, values)
        .or_else(|| insertion(document, name, values))
        .or_else(|| valued(document, name, values));
    if let Some(done) = told {
        return done;
    }
    sequences(document, name, values)
        .or_else(|| keys(document, name, values))
        .or_else(|| parts(document, name, values))
        .unwrap_or_else(|| unreachable!("`{name}` is declared but not done"))
        .map(|()| Report::default())
}

type Done = Option<Result<(), EditError>>;

fn sequences(document: &mut Document, name: &str, values: &[Value]) -> Done {
    use Value::{Bytes, Float, Index, Integer, Word};
    Some(match (name, values) {
        ("add-sequence", [Bytes(name), Integer(start), Integer(end)]) => {
            edit::add_sequence(document, &text::shown(name), *start, *end).map(drop)
        }
        ("remove-sequence", &[Index(sequence), Word(keys)]) => {
            let keys = if keys == "drop" { Keys::Drop } else { Keys::Keep };
            edit::remove_sequence(document, sequence, keys).map(drop)
        }
        ("rename-sequence", [Index(sequence), Bytes(name)]) => {
            edit::rename_sequence(document, *sequence, &text::shown(name))
        }
        ("move-sequence", &[Index(sequence), Integer(start)]) => {
            edit::move_sequence(document, sequence, start)
        }
        ("retime-sequence", &[Index(sequence), Float(factor)]) => {
            edit::retime_sequence(document, sequence, f64::from(factor))
        }
        _ => return None,
    })
}

fn keys(document: &mut Document, name: &str, values: &[Value]) -> Done {
    use Value::{Bytes, Float, Floats, Integer};
    Some(match (name, values) {
        ("remove-track", [Bytes(track)]) => {
            track_ref(track).and_then(|track| edit::remove_track(document, &track))
        }
        ("move-key", [Bytes(track), Integer(time), Integer(to)]) => placed(track, *time)
            .and_then(|(track, time)| edit::move_key(document, &track, time, moment(*to)?)),
        ("set-tangents", [Bytes(track), Integer(time), Floats(arriving), Floats(leaving)]) => {
            placed(track, *time)
                .and_then(|(track, time)| edit::set_tangents(document, &track, time, arriving, leaving))
        }
        ("delete-key", [Bytes(track), Integer(time)]) => {
            placed(track, *time).and_then(|(track, time)| edit::delete_key(document, &track, time))
        }
        ("reduce", [Bytes(track), Float(tolerance)]) => {
            track_ref(track).and_then(|track| edit::reduce(document, &track, f64::from(*tolerance)).map(drop))
        }
        _ => return None,
    })
}

/// A key where the curve is; the report says how far the curve moved, if it did.
fn insertion(document: &mut Document, name: &str, values: &[Value]) -> Option<Result<Report, EditError>> {
    let ("insert-key", [Value::Bytes(track), Value::Integer(time)]) = (name, values) else { return None };
    let inserted =
        placed(track, *time).and_then(|(track, time)| edit::insert_key(document, &track, time, None));
    Some(inserted.map(|inserted| {
        let mut report = Report::default();
        if !inserted.is_exact {
            let found = format!("off by {} at most", inserted.off);
            report.push(edit::INEXACT.at(Path::root()).saying(found));
        }
        report
    }))
}

/// A key with a value of its own; the report says whether that is a rotation that was normalised.
fn valued(document: &mut Document, name: &str, values: &[Value]) -> Option<Result<Report, EditError>> {
    use Value::{Bytes, Floats, Integer, Word};
    let done = match (name, values) {
        ("add-track", [Bytes(track), Word(kind), Integer(time), Floats(values)]) => placed(track, *time)
            .and_then(|(track, time)| edit::add_track(document, &track, kind_of(kind), time, values)),
        ("add-key", [Bytes(track), Integer(time), Floats(values)]) => placed(track, *time)
            .and_then(|(track, time)| edit::insert_key(document, &track, time, Some(values)))
            .map(|inserted| inserted.odd_length),
        ("set-key", [Bytes(track), Integer(time), Floats(values)]) => {
            placed(track, *time).and_then(|(track, time)| edit::set_key(document, &track, time, values))
        }
        _ => return None,
    };
    Some(done.map(|odd_length| {
        let mut report = Report::default();
        if let Some(length) = odd_length {
            let found = format!("a length of 1 wanted, {length} found");
            report.push(edit::ROTATION_NORMALISED.at(Path::root()).saying(found));
        }
        report
    }))
}

/// Another interpolation; the report says how far the curve moved.
fn interpolation(document: &mut Document, name: &str, values: &[Value]) -> Option<Result<Report, EditError>> {
    let ("set-interpolation", [Value::Bytes(track), Value::Word(kind), Value::Float(tolerance)]) =
        (name, values)
    else {
        return None;
    };
    let changed = track_ref(track)
        .and_then(|track| edit::set_interpolation(document, &track, kind_of(kind), f64::from(*tolerance)));
    Some(changed.map(|changed| {
        let mut report = Report::default();
        if !changed.is_exact {
            let found = format!(
                "off by {} at most; {} keys, {} before",
                changed.off, changed.keys, changed.keys_before
            );
            report.push(edit::INEXACT.at(Path::root()).saying(found));
        }
        report
    }))
}

fn parts(document: &mut Document, name: &str, values: &[Value]) -> Done {
    use Value::{Bytes, Float, Index, Number, Word};
    Some(match (name, values) {
        ("set-texture", [Index(texture), Bytes(path)]) => {
            edit::set_texture(document, *texture, &text::shown(path))
        }
        ("set-replaceable", &[Index(texture), Number(id)]) => {
            edit::set_texture_replaceable(document, texture, id)
        }
        ("texture-flags", &[Index(texture), Number(flags)]) => {
            edit::set_texture_flags(document, texture, flags)
        }
        ("add-texture", [Bytes(path)]) => edit::add_texture(document, &text::shown(path), 0, 0).map(drop),
        ("remove-texture", &[Index(texture), Word(_)]) => edit::remove_texture(document, texture, None),
        ("remove-texture", &[Index(texture), Index(instead)]) => {
            edit::remove_texture(document, texture, Some(instead))
        }
        ("set-path", [Bytes(record), Bytes(path)]) => {
            set_path(document, &text::shown(record), &text::shown(path))
        }
        ("rename-node", [Index(node), Bytes(name)]) => edit::rename_node(document, *node, &text::shown(name)),
        ("reparent-node", &[Index(node), Word(_)]) => edit::reparent_node(document, node, None),
        ("reparent-node", &[Index(node), Index(parent)]) => edit::reparent_node(document, node, Some(parent)),
        ("set-alpha", &[Number(material), Number(layer), Float(alpha)]) => {
            edit::set_layer_alpha(document, index(material), index(layer), alpha)
        }
        ("set-filter", &[Number(material), Number(layer), Number(filter)]) => {
            edit::set_layer_filter(document, index(material), index(layer), filter)
        }
        _ => return None,
    })
}

/// Gives a record that names a file another one; it goes by its path or as the node it is.
fn set_path(document: &mut Document, record: &str, path: &str) -> Result<(), EditError> {
    let place = |word: &str| {
        let (tag, index) = word.strip_suffix(']')?.split_once('[')?;
        Some((tag.to_uppercase(), index.parse().ok()?))
    };
    let as_node = || -> Result<_, EditError> {
        let nodes = nodes(document, &edit::NO_RECORD);
        let node = nodes.one::<EditError>(&Selector::new(record), &mut Report::default())?;
        Ok(document.nodes().get(node).and_then(|placed| place(&placed.path.to_string())))
    };
    let found = match place(record) {
        Some(found) => Some(found),
        None => as_node()?,
    };
    match found.as_ref().map(|(tag, index)| (tag.as_str(), *index)) {
        Some(("ATCH", index)) => edit::set_attachment_path(document, index, path),
        Some(("PREM", index)) => edit::set_emitter_path(document, index, path),
        _ => Err(edit::NO_RECORD.at(Path::root()).saying(format!("`{record}`")).into()),
    }
}

fn track_ref(name: &[u8]) -> Result<TrackRef, EditError> {
    text::shown(name).parse()
}

/// The interpolation of a word; the words are declared with the argument.
fn kind_of(word: &str) -> Interpolation {
    Interpolation::from_word(word).unwrap_or(Interpolation::Linear)
}

/// A track and a time that its keys can have.
fn placed(track: &[u8], time: i64) -> Result<(TrackRef, i32), EditError> {
    Ok((track_ref(track)?, moment(time)?))
}

fn moment(time: i64) -> Result<i32, EditError> {
    i32::try_from(time).map_err(|_| edit::TIME.at(Path::root()).saying("32 bits are wanted").into())
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
