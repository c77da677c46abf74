//! Edits of a model: each keeps what it does not mean as it is, and changes nothing when it is refused.
//!
//! Sequences, textures, nodes, materials and layers are named by their index; nodes and textures in the order
//! of the file. A track is named as `validate` prints it, `BONE[3].node.KGTR`; a key by its track and its
//! time. Sizes and counts are right when the document is written. Undo is
//! [`galvani_core::history::History`].
//!
//! The curve of a track is that of docs/notes/mdx-runtime.md#curves: a sequence shows only the keys in its
//! window; where it loops, the curve goes on from the last of them to the first; where it does not, it stands
//! still there.

mod add_track;
mod bounds;
mod copy;
mod curve;
mod interpolation;
mod keys;
mod layers;
mod mend;
mod nodes;
mod paths;
mod reduce;
mod renumber;
mod sequences;
mod set_sequence;
mod textures;
mod timing;
mod track;
mod trim;
mod unused;
mod window;

pub use add_track::{add_track, remove_track};
pub use bounds::{fill_extents, mend_bounds, recompute_bounds};
pub use copy::{Copied, copy_sequence};
pub use interpolation::{Changed, Interpolation, set_interpolation};
pub use keys::{Inserted, delete_key, insert_key, move_key, set_key, set_tangents};
pub use layers::{set_layer_alpha, set_layer_filter};
pub use mend::{
    drop_empty_chunks, drop_repeated_keys, match_pivots, normalise_rotations, set_emitter_sizes,
    set_kind_flags, sort_keys,
};
pub use nodes::{node_of, rename_node, reparent_node};
pub use paths::{set_attachment_path, set_emitter_path};
pub use reduce::reduce;
pub use renumber::renumber_nodes;
pub use sequences::{Keys, add_sequence, remove_sequence, rename_sequence};
pub use set_sequence::{SequenceField, set_sequence};
pub use textures::{add_texture, remove_texture, set_texture, set_texture_flags, set_texture_replaceable};
pub use timing::{move_sequence, retime_sequence};
pub use track::{TrackRef, tracks};
pub use trim::{Trimmed, trim_sequence};
pub use unused::{
    Removed, remove_empty_tracks, remove_outside_tracks, remove_unused, remove_unused_globals,
    remove_unused_materials, remove_unused_sequences, remove_unused_textures,
};

use galvani_core::{EditError, Path, codes};

use crate::visit::Seen;
use crate::{Chunk, Content, Document, Raw, chunk};

codes! {
    DAMAGED = Error, "mdx.edit-damaged",
        "a part that the edit would have to change could not be read",
        "its findings say what is wrong with it";
    NAME = Error, "mdx.edit-name",
        "a name or path does not fit its room",
        "names have at most 79 bytes, paths 259, and no NUL inside";
    IDS = Error, "mdx.edit-ids",
        "sequences have numbers instead of names in the documented reading",
        "give a number, or two with a dot between them: 4.1; or read the model as observed";
    NO_SEQUENCE = Error, "mdx.edit-no-sequence",
        "there is no such sequence",
        "the outline lists the sequences, counted from 0";
    SEQUENCE_COUNT = Error, "mdx.edit-sequence-count",
        "there are as many sequences as the client takes",
        "remove one first";
    WINDOW = Error, "mdx.edit-window",
        "a sequence must lie on the timeline, and end behind its start",
        "give two whole milliseconds between -2147483648 and 2147483647, the start first";
    SEQUENCE_FIELD = Error, "mdx.edit-sequence-field",
        "sequences of this family, so read, have no such field",
        "rarity is Warcraft III's, frequency and blend are WoW's, replay only as observed; Warcraft III blends by the whole model";
    NO_SHARED_NODE = Error, "mdx.edit-no-shared-node",
        "no node of the other model is called like one of this",
        "rename nodes so that those that belong together have one name";
    NOT_COPIED = Note, "mdx.edit-not-copied",
        "something moves in the other model's sequence that has no match here",
        "rename or add it here, and copy again";
    MEETS = Error, "mdx.edit-meets",
        "the sequence would meet another one",
        "choose a part of the timeline that is free, or move the other one first";
    SHARED = Error, "mdx.edit-shared",
        "the sequence shares a part of the timeline with another one",
        "what is done to one would be done to both; add a sequence of its own first";
    FOREIGN_KEYS = Error, "mdx.edit-foreign-keys",
        "there are keys where the sequence is to be",
        "choose a part of the timeline that is free, or delete the keys";
    FACTOR = Error, "mdx.edit-factor",
        "the factor is not a number above 0 that the timeline has room for",
        "2 makes a sequence twice as long, 0.5 half as long";
    COLLAPSED = Error, "mdx.edit-collapsed",
        "two keys would fall on one moment",
        "reduce the keys first, or choose a larger factor";
    TRACK_NAME = Error, "mdx.edit-track-name",
        "this does not name a track",
        "name it as findings do: BONE[3].node.KGTR, MTLS[0].LAYS[1].KMTA";
    NO_TRACK = Error, "mdx.edit-no-track",
        "there is no such track",
        "the dump of its fields lists the tracks";
    TRACK_REPEATED = Error, "mdx.edit-track-repeated",
        "the record has two tracks of this kind",
        "nobody knows which one is meant";
    TRACK_THERE = Error, "mdx.edit-track-there",
        "the record has such a track already",
        "insert keys into it, or remove it first";
    TRACK_OWNER = Error, "mdx.edit-track-owner",
        "records of this kind have no such track in this version",
        "the message says which ones they may have";
    KEY_ORDER = Error, "mdx.edit-key-order",
        "the keys of the track are not in the order of their times",
        "delete those that are not, and set them anew";
    KEY_THERE = Error, "mdx.edit-key-there",
        "there is a key at this time already",
        "set that key, or delete it first";
    NO_KEY = Error, "mdx.edit-no-key",
        "there is no key at this time",
        "the dump of its fields lists the keys; insert one first";
    NO_CURVE = Error, "mdx.edit-no-curve",
        "the sequence has no key that would tell the value",
        "give the value";
    NO_TANGENTS = Error, "mdx.edit-no-tangents",
        "the keys of the track have no tangents",
        "only hermite and bezier have; set the interpolation first";
    TIME = Error, "mdx.edit-time",
        "a key lies before the timeline begins",
        "give milliseconds from 0 on, or of a sequence that starts before 0";
    VALUE = Error, "mdx.edit-value",
        "a number is not one that can be stored there",
        "give finite numbers in range; rotations as x, y, z, w and not all 0";
    VALUE_COUNT = Error, "mdx.edit-value-count",
        "there are not as many numbers as a value has",
        "1 for numbers, 3 for vectors and colours, 4 for rotations, none for events";
    INTERPOLATION = Error, "mdx.edit-interpolation",
        "the interpolation of the track cannot be changed or is not known",
        "indices and events never blend; the documented form of a track has no place to say it";
    ROTATION_NORMALISED = Note, "mdx.rotation-normalised",
        "a rotation was not of length 1 and was normalised",
        "give x, y, z, w of length 1 to have them stored as they are";
    INEXACT = Note, "mdx.edit-inexact",
        "the new curve is not quite the old one",
        "more keys come nearer; where a tolerance can be given, a smaller one gives them";
    TOLERANCE = Error, "mdx.edit-tolerance",
        "the tolerance is not a number from 0 on",
        "give it in the units of the track, for rotations in radians";
    TOO_MANY_KEYS = Error, "mdx.edit-too-many-keys",
        "the curve would need too many keys",
        "allow for a larger tolerance";
    NO_RECORD = Error, "mdx.edit-no-record",
        "there is no such record, or it is of a kind for which the edit has no meaning",
        "the dump of its fields lists the records; each kind is counted from 0";
    NO_TEXTURE = Error, "mdx.edit-no-texture",
        "there is no such texture",
        "the outline lists the textures, counted from 0";
    TEXTURE_USED = Error, "mdx.edit-texture-used",
        "something uses the texture",
        "say which one is to be used instead";
    NO_NODE = Error, "mdx.edit-no-node",
        "there is no such node",
        "the outline lists the nodes, counted from 0";
    MISSING_NODE = Error, "mdx.edit-missing-node",
        "something names a node that is not there, or whose new number has no room there",
        "name another node there: after renumbering the number might be another node's";
    BIND_POSES = Error, "mdx.edit-bind-poses",
        "the model has bind poses, and nobody knows how they go with the numbers of nodes",
        "leave the numbers as they are";
    PARENT = Error, "mdx.edit-parent",
        "the node cannot be a parent: its number is not its own",
        "renumber the nodes first";
    CYCLE = Error, "mdx.edit-cycle",
        "the node would be its own ancestor",
        "choose another parent";
    NO_LAYER = Error, "mdx.edit-no-layer",
        "there is no such layer",
        "the dump of its fields lists materials and layers, counted from 0";
    FILTER = Error, "mdx.edit-filter",
        "there is no such filter mode",
        "0 none, 1 transparent, 2 blend, 3 additive, 4 add alpha, 5 modulate, 6 modulate twice";
}

/// Refuses a document of which a part with keys or sequences could not be read: it would not follow.
fn whole_timeline(document: &Document) -> Result<(), EditError> {
    whole_if(document, |tag| tag == *b"SEQS" || chunk::has_tracks(tag))?;
    // What is left of a record may have no chunk's tag in it, but its tracks have theirs.
    let has_track = tags_in(&document.tail).any(|tag| crate::track::name_of(tag).is_some());
    if has_track { Err(DAMAGED.at(Path::named("tail")).into()) } else { Ok(()) }
}

/// Refuses a document of which a part in chunks of these tags could not be read. Damage elsewhere does not
/// matter, nor does a tail in which none of them begins.
fn whole(document: &Document, tags: &[&[u8; 4]]) -> Result<(), EditError> {
    whole_if(document, |tag| tags.contains(&&tag))
}

/// The same for the tags that a function says yes to.
fn whole_if(document: &Document, is_wanted: impl Fn([u8; 4]) -> bool) -> Result<(), EditError> {
    let cut = tags_in(&document.tail).any(&is_wanted);
    let mut found: Option<Path> = cut.then(|| Path::named("tail"));
    for (i, first, chunk) in document.placed() {
        if !is_wanted(chunk.tag) {
            continue;
        }
        if matches!(&chunk.content, Content::Raw(raw) if raw.damage.is_some()) {
            found.get_or_insert(Path::named("chunks").index(i));
        }
        chunk.content.held(first, &mut |at, seen| match seen {
            Seen::Raw(_) => {
                found.get_or_insert_with(at);
            }
            Seen::Typed(record) => record.broken(at, &mut |at, _| {
                found.get_or_insert_with(at);
            }),
        });
    }
    found.map_or(Ok(()), |path| Err(DAMAGED.at(path).into()))
}

/// All that may be a tag in bytes that could not be read.
fn tags_in(raw: &Raw) -> impl Iterator<Item = [u8; 4]> {
    let bytes = if raw.damage.is_some() { raw.bytes.as_slice() } else { &[] };
    bytes.windows(4).filter_map(|tag| tag.try_into().ok())
}

/// Puts a text into its room and zeros behind it.
fn text<const N: usize>(path: Path, text: &str) -> Result<[u8; N], EditError> {
    let mut room = [0; N];
    match room.get_mut(..text.len()) {
        Some(start) if text.len() < N && !text.as_bytes().contains(&0) => {
            start.copy_from_slice(text.as_bytes());
        }
        _ => {
            let found =
                format!("`{text}` has {} bytes, there is room for {}", text.len(), N.saturating_sub(1));
            return Err(NAME.at(path).saying(found).into());
        }
    }
    Ok(room)
}

/// Puts a new chunk behind the last one of those that the games' tools write before it.
fn put_chunk(document: &mut Document, tag: [u8; 4], content: Content) {
    let own = chunk::place(tag);
    let is_before = |chunk: &Chunk| chunk::place(chunk.tag).is_some_and(|place| Some(place) < own);
    let last = document.chunks.iter().rposition(is_before);
    let place = last.map_or(0, |last| last.saturating_add(1));
    document.chunks.insert(place, Chunk { tag, content });
}

/// A tolerance, if it is one.
fn tolerable(tolerance: f64) -> Result<f64, EditError> {
    if tolerance.is_finite() && tolerance >= 0.0 {
        return Ok(tolerance);
    }
    Err(TOLERANCE.at(Path::root()).saying(tolerance.to_string()).into())
}
