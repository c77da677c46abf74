//! The operations of `edit` on an MDX model.

use galvani_core::{EditError, Path, ReadOptions, Report};
use galvani_mdx::edit::{self, Interpolation, Keys, SequenceField, TrackRef};
use galvani_mdx::{Document, mdl};

use super::select::{every_track, new_tracks, nodes, sequences, textures};
use crate::formats::argument::{
    File, NewTrack, Node, NodeOrNone, Place, Sequence, Text, Texture, TextureOrNone, Track, Within, words,
};
use crate::formats::operation::{Editable, operations};
use crate::formats::{ArgumentValue, Operation, Selector, Thing};

/// Every operation.
pub(in crate::formats) const OPERATIONS: &[Operation] = operations! { Document;
    "adds a sequence behind the others, in milliseconds"
    "add-sequence" (
        name: Text = "its name",
        start: i64 = "its first millisecond",
        end: i64 = "its last millisecond",
    )
    |document| edit::add_sequence(document, &name.shown(), start, end).map(drop);

    "removes a sequence, and its keys if they are to be dropped"
    "remove-sequence" (sequence: Sequence = "which", keys: Keys = "what becomes of its keys")
    |document| edit::remove_sequence(document, sequence.0, keys).map(drop);

    "gives a sequence another name"
    "rename-sequence" (sequence: Sequence = "which", name: Text = "its new name")
    |document| edit::rename_sequence(document, sequence.0, &name.shown());

    "moves a sequence and its keys to another time"
    "move-sequence" (sequence: Sequence = "which", start: i64 = "its new first millisecond")
    |document| edit::move_sequence(document, sequence.0, start);

    "stretches a sequence and its keys; what follows makes room"
    "retime-sequence" (sequence: Sequence = "which", factor: f64 = "by how much")
    |document| edit::retime_sequence(document, sequence.0, factor);

    "sets a field of a sequence: speed, rarity, frequency, blend and loop (1 or 0) take a number, replay least and most, bounds a radius and two corners"
    "set-sequence" (
        sequence: Sequence = "which",
        field: SequenceField = "which field",
        values: Vec<f64> = "one number, or several: 1,2,3",
    )
    |document| edit::set_sequence(document, sequence.0, field, &values);

    "keeps a part of a sequence, which shows what it showed"
    "trim-sequence" (
        sequence: Sequence = "which",
        start: i64 = "its new first millisecond",
        end: i64 = "its new last millisecond",
    )
    |document| {
        let trimmed = edit::trim_sequence(document, sequence.0, start, end)?;
        Ok::<_, EditError>(inexact(trimmed.is_exact, || format!("off by {} at most", trimmed.off)))
    };

    "adds a sequence of another model; nodes are matched by their names"
    "copy-sequence" (file: File = "the other model", name: Text = "which of its sequences")
    |document| copied(document, &file.0, &name.shown());

    "puts the keys of every track in the order of their times"
    "sort-keys" ()
    |document| edit::sort_keys(document).map(drop);

    "computes every box of the model, its geosets and its sequences from where the vertices are"
    "recompute-bounds" ()
    |document, meter| edit::recompute_bounds(document, meter);

    "removes materials, textures and global sequences that nobody uses"
    "remove-unused" ()
    |document| edit::remove_unused(document).map(drop);

    "numbers the nodes 0, 1, 2 and so on; what names them follows"
    "renumber-nodes" ()
    |document| edit::renumber_nodes(document).map(drop);

    "gives a record a track with one key; `none` for the values of events"
    "add-track" (
        track: NewTrack = "which: BONE[3].KGTR, or Body.KGTR",
        interpolation: Interpolation = "how it goes from key to key",
        time: i64 = "when, in milliseconds",
        values: Vec<f64> = "one number, or several: 1,2,3",
    )
    |document| edit::add_track(document, &track.0.parse()?, interpolation, moment(time)?, &values).map(normalised);

    "removes a track and its keys"
    "remove-track" (track: Track = "which: BONE[3].KGTR, or Body.KGTR")
    |document| edit::remove_track(document, &track.0.parse()?);

    "puts a key where the curve is"
    "insert-key" (
        track: Track = "which: BONE[3].KGTR, or Body.KGTR",
        time: i64 = "when, in milliseconds",
    )
    |document| inserted(edit::insert_key(document, &track.0.parse()?, moment(time)?, None)?);

    "puts a key with a value of its own"
    "add-key" (
        track: Track = "which: BONE[3].KGTR, or Body.KGTR",
        time: i64 = "when, in milliseconds",
        values: Vec<f64> = "one number, or several: 1,2,3",
    )
    |document| {
        let inserted = edit::insert_key(document, &track.0.parse()?, moment(time)?, Some(&values))?;
        normalised(inserted.odd_length)
    };

    "deletes a key"
    "delete-key" (
        track: Track = "which: BONE[3].KGTR, or Body.KGTR",
        time: i64 = "when, in milliseconds",
    )
    |document| edit::delete_key(document, &track.0.parse()?, moment(time)?);

    "moves a key to another time"
    "move-key" (
        track: Track = "which: BONE[3].KGTR, or Body.KGTR",
        time: i64 = "when, in milliseconds",
        to: i64 = "its new time",
    )
    |document| edit::move_key(document, &track.0.parse()?, moment(time)?, moment(to)?);

    "gives a key another value"
    "set-key" (
        track: Track = "which: BONE[3].KGTR, or Body.KGTR",
        time: i64 = "when, in milliseconds",
        values: Vec<f64> = "one number, or several: 1,2,3",
    )
    |document| edit::set_key(document, &track.0.parse()?, moment(time)?, &values).map(normalised);

    "says how a hermite or bezier curve arrives at a key and leaves it"
    "set-tangents" (
        track: Track = "which: BONE[3].KGTR, or Body.KGTR",
        time: i64 = "when, in milliseconds",
        arriving: Vec<f64> = "one number, or several: 1,2,3",
        leaving: Vec<f64> = "one number, or several: 1,2,3",
    )
    |document| edit::set_tangents(document, &track.0.parse()?, moment(time)?, &arriving, &leaving).map(normalised);

    "drops keys as long as nothing is off by more"
    "reduce" (track: Track = "which: BONE[3].KGTR, or Body.KGTR", tolerance: f64 = "by how much")
    |document| edit::reduce(document, &track.0.parse()?, tolerance).map(drop);

    "changes how a track is interpolated, exactly or to a tolerance"
    "set-interpolation" (
        track: Track = "which: BONE[3].KGTR, or Body.KGTR",
        interpolation: Interpolation = "how it goes from key to key",
        tolerance: f64 = "by how much it may be off",
    )
    |document| changed(&edit::set_interpolation(document, &track.0.parse()?, interpolation, tolerance)?);

    "gives a texture another file"
    "set-texture" (texture: Texture = "which", path: Text = "its file")
    |document| edit::set_texture(document, texture.0, &path.shown());

    "says which texture the game puts there, 0 for none"
    "set-replaceable" (texture: Texture = "which", id: u32 = "the game's number")
    |document| edit::set_texture_replaceable(document, texture.0, id);

    "says whether a texture wraps: 0 no, 1 across, 2 down, 3 both"
    "texture-flags" (texture: Texture = "which", flags: Within<0, 3> = "in which directions")
    |document| edit::set_texture_flags(document, texture.0, flags.0);

    "adds a texture behind the others"
    "add-texture" (path: Text = "its file")
    |document| edit::add_texture(document, &path.shown(), 0, 0).map(drop);

    "removes a texture; what used it uses another, or `none` does"
    "remove-texture" (
        texture: Texture = "which",
        instead: TextureOrNone = "what is used instead, or none",
    )
    |document| edit::remove_texture(document, texture.0, instead.0);

    "gives an attachment (`ATCH[0]`) or emitter (`PREM[0]`) another model"
    "set-path" (record: Node = "which: ATCH[0], or its node's name", path: Text = "its file")
    |document| set_path(document, record.0, &path.shown());

    "gives a node another name"
    "rename-node" (node: Node = "which", name: Text = "its new name")
    |document| edit::rename_node(document, node.0, &name.shown());

    "hangs a node under another, or under `none`"
    "reparent-node" (node: Node = "which", parent: NodeOrNone = "under which, or none")
    |document| edit::reparent_node(document, node.0, parent.0);

    "gives a layer another alpha, 0 to 1"
    "set-alpha" (material: Place = "which", layer: Place = "which", alpha: f32 = "from 0 to 1")
    |document| edit::set_layer_alpha(document, material.0, layer.0, alpha);

    "gives a layer another filter mode, 0 to 6"
    "set-filter" (material: Place = "which", layer: Place = "which", filter: Within<0, 6> = "how it covers what is behind it")
    |document| edit::set_layer_filter(document, material.0, layer.0, filter.0);
};

words! {
    SequenceField {
        "speed" => SequenceField::Speed,
        "rarity" => SequenceField::Rarity,
        "frequency" => SequenceField::Frequency,
        "loop" => SequenceField::Loop,
        "bounds" => SequenceField::Bounds,
        "replay" => SequenceField::Replay,
        "blend" => SequenceField::Blend,
    }
}
words! { Keys { "keep" => Keys::Keep, "drop" => Keys::Drop } }
words! {
    Interpolation {
        "step" => Interpolation::Step,
        "linear" => Interpolation::Linear,
        "hermite" => Interpolation::Hermite,
        "bezier" => Interpolation::Bezier,
    }
}

impl Editable for Document {
    fn select(
        &self,
        thing: Thing,
        wanted: &Selector,
        notes: &mut Report,
    ) -> Result<Vec<ArgumentValue>, EditError> {
        let paths = |tracks: Vec<TrackRef>| {
            tracks.iter().map(|track| ArgumentValue::Path(track.to_string())).collect()
        };
        match thing {
            Thing::Track => every_track(self, wanted, notes).map(paths),
            Thing::NewTrack => new_tracks(self, wanted, notes).map(paths),
            Thing::Sequence => sequences(self, &edit::NO_SEQUENCE).values(wanted, notes),
            Thing::Texture => textures(self).values(wanted, notes),
            _ => nodes(self, &edit::NO_NODE).values(wanted, notes),
        }
    }
}

/// Adds a sequence of another model, and tells what of it has no match.
fn copied(document: &mut Document, file: &[u8], name: &str) -> Result<Report, EditError> {
    let options = ReadOptions::default();
    let text = mdl::is_shaped(file).then(|| mdl::read(file, &options).map(|read| read.document.into_model()));
    let other = text.unwrap_or_else(|| galvani_mdx::read(file, &options).map(|read| read.document));
    let other = other.map_err(|error| EditError { cause: error.cause })?;
    let mut report = Report::default();
    let wanted = Selector::new(name);
    let sequence = sequences(&other, &edit::NO_SEQUENCE).one::<EditError>(&wanted, &mut report)?;
    let copied = edit::copy_sequence(document, &other, sequence)?;
    report.append(inexact(copied.off <= 0.0, || format!("off by {} at most", copied.off)));
    for missing in copied.missing {
        report.push(edit::NOT_COPIED.at(Path::root()).saying(format!("`{missing}`")).apart());
    }
    Ok(report)
}

/// What is told of a key that was put where the curve is: how far the curve moved, if it did.
fn inserted(inserted: edit::Inserted) -> Report {
    inexact(inserted.is_exact, || format!("off by {} at most", inserted.off))
}

/// What is told of another interpolation: how far the curve moved, if it did.
fn changed(changed: &edit::Changed) -> Report {
    inexact(changed.is_exact, || {
        format!("off by {} at most; {} keys, {} before", changed.off, changed.keys, changed.keys_before)
    })
}

fn inexact(is_exact: bool, found: impl FnOnce() -> String) -> Report {
    let mut report = Report::default();
    if !is_exact {
        report.push(edit::INEXACT.at(Path::root()).saying(found()));
    }
    report
}

/// What is told of a value that is a rotation of another length than 1: that it was normalised.
fn normalised(odd_length: Option<f64>) -> Report {
    let mut report = Report::default();
    if let Some(length) = odd_length {
        let found = format!("a length of 1 wanted, {length} found");
        report.push(edit::ROTATION_NORMALISED.at(Path::root()).saying(found));
    }
    report
}

/// Gives a node whose record names a file another one.
fn set_path(document: &mut Document, node: usize, path: &str) -> Result<(), EditError> {
    let record = document.nodes().get(node).map_or(Path::root(), |placed| placed.path);
    let index =
        |index: Option<u32>| index.and_then(|index| usize::try_from(index).ok()).unwrap_or(usize::MAX);
    match record.first() {
        Some(("ATCH", place)) => edit::set_attachment_path(document, index(place), path),
        Some(("PREM", place)) => edit::set_emitter_path(document, index(place), path),
        _ => Err(edit::NO_RECORD.at(record).saying("neither an attachment nor an emitter of models").into()),
    }
}

fn moment(time: i64) -> Result<i32, EditError> {
    i32::try_from(time).map_err(|_| edit::TIME.at(Path::root()).saying("32 bits are wanted").into())
}
