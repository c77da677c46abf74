//! What can be wrong with a model. Rules: the original documentation's, which are errors, and what later findings
//! saw in every game model, which are warnings.
//!
//! That a batch's material is a row of the model's WEAR, and lightmaps are in both or none, is held against another
//! file: [`materials`] wants its text from whoever has it.

mod animation;
pub(super) mod budget;
mod faces;
mod geometry;
mod materials;
mod pose;
mod ranges;
pub(super) mod spans;
mod structure;

use galvani_core::{Report, codes};

pub use animation::animation;
pub use geometry::geometry;
pub(super) use geometry::{Mesh, is_slot_box_wrong, slot_extents};
pub use materials::materials;
pub(super) use pose::posed_points;
pub use ranges::ranges;
pub use structure::{damage, structure};

use super::{Document, ModelView};
use crate::nres;

codes! {
    TRUNCATED = Error, "msh.truncated",
        "the bytes end inside a field",
        "the file was cut short";
    FRAME = Error, "msh.frame",
        "the archive around the streams cannot be read",
        "a model is an NRes archive; read as nres it shows what is left of it";
    MISSING = Error, "msh.stream-missing",
        "streams without which there is no model are missing",
        "nodes, slots, positions, indices and batches must be there";
    MISSING_USUAL = Warning, "msh.stream-missing-usual",
        "streams that every game model has are missing",
        "the game may look for them";
    MISSING_OPTIONAL = Note, "msh.stream-missing-optional",
        "streams that nearly every game model has are missing",
        "the game does without them";
    REPEATED = Warning, "msh.stream-repeated",
        "a stream is there twice",
        "the game takes the first; remove the other";
    UNKNOWN = Note, "msh.stream-unknown",
        "nobody knows what this stream is",
        "its bytes are kept";
    LEGACY = Note, "msh.legacy-nodes",
        "the nodes are of an older form that nobody can read",
        "they are kept; rules about nodes of 38 bytes were not applied";
    REST = Error, "msh.rest-bytes",
        "bytes are left over behind the last whole record of a stream",
        "the stream is damaged or its records have another size; the bytes are kept";
    BOUNDS_SHORT = Error, "msh.bounds-short",
        "stream 2 ends inside the bounds of the model",
        "the stream is damaged; its bytes are kept";
    LABEL_CUT = Error, "msh.label-cut",
        "stream 10 ends inside a label",
        "a length is damaged; the bytes are kept";
    HALLWAYS_SIZE = Error, "msh.hallways-size",
        "the attributes of stream 17 do not give its size",
        "attr1 counts waypoints of 20 bytes, attr2 links of 40; the bytes are kept";
    ATTR1 = Error, "msh.attr1",
        "the stream's attr1 is not the number of records",
        "set it to the number wanted";
    ATTR2 = Error, "msh.attr2",
        "the stream's attr2 is not what this stream must have",
        "set it to the number wanted";
    ATTR3 = Error, "msh.attr3",
        "the stream's attr3 is not what this stream must have",
        "set it to the number wanted";
    ATTR1_UNUSUAL = Warning, "msh.attr1-unusual",
        "the stream's attr1 is not the number of records, as in every game model",
        "set it to the number wanted";
    ATTR2_UNUSUAL = Warning, "msh.attr2-unusual",
        "the stream's attr2 is not what every game model has",
        "set it to the number wanted";
    ATTR3_UNUSUAL = Warning, "msh.attr3-unusual",
        "the stream's attr3 is not what every game model has",
        "set it to the number wanted";
    VERTICES_SHORT = Error, "msh.vertex-stream-short",
        "a stream has fewer records than there are vertices",
        "give every vertex a record";
    VERTICES_LONG = Note, "msh.vertex-stream-long",
        "a stream has more records than there are vertices",
        "nobody looks at the last ones";
    LABELS_FEW = Error, "msh.labels-too-few",
        "stream 10 has fewer labels than there are nodes",
        "the game would read behind the stream; give every node a label, empty ones too";
    LABELS_MANY = Warning, "msh.labels-too-many",
        "stream 10 has more labels than there are nodes",
        "nobody looks at the last ones";
    LABEL_UNTERMINATED = Warning, "msh.label-unterminated",
        "no NUL follows a label",
        "the game would read on into the next one";
    NAME_COUNT = Warning, "msh.name-count",
        "stream 9 does not have a name for every node",
        "give it 32 bytes per node";
    NAME_UNTERMINATED = Warning, "msh.name-unterminated",
        "a name fills its 32 bytes without a NUL",
        "names have at most 31 bytes";
    LIGHTMAP_PAIR = Warning, "msh.lightmap-pair",
        "only one of the streams 18 and 20 is there",
        "lightmapped models have both, others none";
    PARENT_RANGE = Error, "msh.parent-range",
        "a parent is no node",
        "it must be a node or 0xFFFF";
    PARENT_CYCLE = Error, "msh.parent-cycle",
        "a node is its own ancestor",
        "give one of them another parent";
    PARENT_ORDER = Warning, "msh.parent-order",
        "a node stands before its parent",
        "in every game model parents come first";
    SLOT_INDEX = Error, "msh.slot-index",
        "a node names a slot that is not there",
        "it must be a slot or 0xFFFF";
    VARIANT_ORDER = Warning, "msh.variant-order",
        "a node has geometry for a damage state but none for the state before",
        "fill the states in order";
    COCKPIT = Warning, "msh.cockpit-flag",
        "the cockpit flag 0x20 and cockpit geometry do not go together",
        "nodes with geometry at level 4 alone have the flag, others do not";
    SLOT_TRIANGLES = Error, "msh.slot-triangles",
        "the triangles of a slot reach behind stream 7",
        "the slot is damaged";
    SLOT_BATCHES = Error, "msh.slot-batches",
        "the batches of a slot reach behind stream 13",
        "the slot is damaged";
    BATCH_INDICES = Error, "msh.batch-indices",
        "the indices of a batch reach behind stream 6",
        "the batch is damaged";
    VERTEX_RANGE = Error, "msh.vertex-range",
        "a batch uses a vertex that is not there",
        "its base and its highest index must stay below the number of vertices";
    INDEX_COUNT = Warning, "msh.index-count",
        "the indices of a batch make no whole triangles",
        "their number must be a multiple of 3";
    VERTEX_COUNT = Warning, "msh.vertex-count",
        "the vertex count of a batch is not its highest index and one",
        "set it to the number wanted";
    BATCH_TILING = Warning, "msh.batch-tiling",
        "the batches leave out or share indices",
        "in every game model each index belongs to one batch";
    FALLBACK_RANGE = Error, "msh.fallback-range",
        "the fallback of a node is no key",
        "it must be the last key of the node's track";
    MAP_RANGE = Error, "msh.map-range",
        "the frames of a node reach behind stream 19",
        "give the node as many words as there are frames";
    MAP_KEY = Error, "msh.map-key",
        "a frame leads to a key without a next one",
        "between two keys there must be two keys";
    KEY_TIMES = Error, "msh.key-times",
        "the times of a track do not rise",
        "each key must be later than the one before";
    TRACK_SHORT = Error, "msh.track-too-short",
        "a node with frames has fewer than two keys",
        "give it a second key, or 0xFFFF for its frames";
    FRAME_COUNT_ZERO = Error, "msh.frame-count-zero",
        "the timeline has no frame",
        "attr2 of stream 19 is 1 for models that do not move";
    FALLBACK_ORDER = Warning, "msh.fallback-order",
        "the fallbacks do not rise from node to node",
        "tracks follow each other in the order of the nodes";
    TRACK_START = Warning, "msh.track-start",
        "a track does not start at frame 0",
        "its first key stands at 0 in every game model";
    FRAME_COUNT = Warning, "msh.frame-count",
        "the timeline does not end with its last key",
        "`rebuild-maps` gives it as many frames as its keys want";
    MAP_BLOCKS = Note, "msh.map-blocks",
        "the frames of the nodes do not follow each other",
        "they stand in the order of the nodes, without holes, and fill stream 19";
    KEY_TIME_FRACTION = Warning, "msh.key-time-fraction",
        "the time of a key is no whole frame from 0 on",
        "times are 0, 1, 2… in every game model";
    ROTATION_LENGTH = Warning, "msh.rotation-length",
        "the rotation of a key has not the length 1",
        "the game does not normalise it and shears the node; give it one of length 1 with `set-rotation`";
    STATIC_NODE = Warning, "msh.static-node",
        "a node without frames has more than one key",
        "only its last key is ever seen";
    STATIC_MODEL = Note, "msh.static-model",
        "no node has frames, but stream 19 is not empty or does not count 1 frame",
        "empty it and set its attr2 to 1";
    MAP_WORD = Warning, "msh.map-word",
        "a frame does not lead to the last key that is not later",
        "the game interpolates from another key here";
    MAP_PAST_FALLBACK = Note, "msh.map-past-fallback",
        "a frame leads behind the fallback instead of to it",
        "the game takes the fallback either way";
    NOT_FINITE = Warning, "msh.not-finite",
        "a number is infinite or none at all",
        "the bytes are kept; nothing can be computed from it";
    VERTEX_UNUSED = Note, "msh.vertex-unused",
        "no batch uses a vertex",
        "in every game model all are used";
    VERTEX_SHARED = Note, "msh.vertex-shared",
        "two nodes use a vertex",
        "each draws it where it is itself; game models give every node its own";
    FACE_COUNT = Warning, "msh.face-count",
        "stream 7 does not have a record for every triangle",
        "it has one for every three indices";
    NEIGHBOUR_RANGE = Warning, "msh.neighbour-range",
        "the neighbour of a triangle is not there",
        "it must be a triangle or 0xFFFF";
    NEIGHBOUR_APART = Warning, "msh.neighbour-apart",
        "a triangle and its neighbour do not share two positions",
        "collision would walk to a place elsewhere";
    SELECTOR_NONE = Warning, "msh.selector-none",
        "a triangle has a neighbour without a selector, or a selector without a neighbour",
        "the selector is 3 where there is no neighbour";
    SELECTOR_EDGE = Warning, "msh.selector-edge",
        "a selector is not the neighbour's edge with the same two positions",
        "set it to that edge";
    SLOT_BOX = Warning, "msh.slot-box",
        "the box of a slot is not that of its vertices",
        "the game hides what its box does not show";
    MODEL_BOX = Warning, "msh.model-box",
        "the posed model does not fit its box",
        "the game hides what its box does not show";
    MATERIAL_ROW = Warning, "msh.material-row",
        "the material of a batch is no row of the WEAR beside the model",
        "give the batch a material below the number of rows, or the table more rows";
    LIGHTMAP_TABLE = Warning, "msh.lightmap-table",
        "the model has streams of lightmaps, or the WEAR beside it a table of them, but not both",
        "lightmapped models have the streams 18 and 20, and a WEAR with LIGHTMAPS";
    ENTANGLED = Warning, "msh.entangled",
        "ranges overlap so often that rules over all they cover were left out",
        "no game model does this; mend the ranges first";
}

/// Every rule the document alone can break: those of its archive, then those of its streams.
///
/// The game looks for streams by their numbers, never by name, so a sort table that is off is no harm here.
pub fn check(document: &Document) -> Report {
    let mut report = archive(&document.archive);
    report.append(model(&document.model()));
    report
}

/// Every rule the archive of a model can break: nobody looks for its streams by name.
pub fn archive(archive: &nres::Document) -> Report {
    let sorting = [&nres::check::SORT_TABLE_BROKEN, &nres::check::SORT_TABLE_ORDER];
    nres::check(archive).lowered(|finding| sorting.contains(&finding.code))
}

/// Every rule the streams can break, also of a model that nobody copied.
pub fn model(model: &ModelView<'_>) -> Report {
    let mut report = Report::default();
    structure(model, &mut report);
    ranges(model, &mut report);
    animation(model, &mut report);
    geometry(model, &mut report);
    report
}
