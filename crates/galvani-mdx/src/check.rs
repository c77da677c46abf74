//! What can be wrong with a model: the client's rules, and what people who make models look for
//! (docs/formats/mdx.md#checks).

mod container;
mod geosets;
mod materials;
mod nodes;
mod sequences;
mod summary;
mod tracks;

use galvani_core::diag::ByteCodes;
use galvani_core::{Report, codes};

pub(crate) use container::damage;
pub(crate) use geosets::is_box_small;
pub(crate) use nodes::{RIBBON_BLOCK, emitter_size, kind_bit};
pub(crate) use sequences::{in_order, is_point};
pub(crate) use tracks::{is_odd_length, unused_sequences};

use crate::Document;

codes! {
    TRUNCATED = Error, "mdx.truncated",
        "the bytes end inside a field",
        "the file was cut short, or a count in it is damaged";
    MAGIC = Error, "mdx.magic",
        "the file does not start with `MDLX`",
        "this is no MDX model; let its format be recognised to see what it is";
    CHUNK_OVERRUN = Error, "mdx.chunk-overrun",
        "a chunk reaches behind the end of the file",
        "the client stops here with a fatal error; what follows is kept as it is";
    TRAILING = Error, "mdx.trailing-bytes",
        "bytes behind the last chunk are too few for another",
        "the file was cut short or something was appended to it; the bytes are kept";
    PADDING = Note, "mdx.padding",
        "zeros follow the last chunk",
        "the game does not mind; the bytes are kept";
    CHUNK_SIZE = Error, "mdx.chunk-size",
        "the size of a chunk is not that of its records",
        "the client stops here with a fatal error; the chunk is kept as it is";
    SEQS_SIZE = Error, "mdx.seqs-size",
        "the size of SEQS is not that of its sequences",
        "the client stops with \"Invalid SEQX section detected\"; the chunk is kept as it is";
    RECORD_SIZE = Error, "mdx.record-size",
        "the size of a record is too small for it, or reaches out of its chunk",
        "the size is damaged; what follows in the chunk is kept as it is";
    RECORD_SLACK = Error, "mdx.record-slack",
        "a record does not end where its size says",
        "its size or a count in it is damaged; the record is kept as it is";
    RECORD_COUNT = Error, "mdx.record-count",
        "a chunk does not have as many records as it counts",
        "the client reads as many as are counted; set the count";
    TRACK_UNKNOWN = Error, "mdx.track-unknown",
        "a record has a track that records of its kind do not have",
        "tracks have no size, so nobody can step over it; the record is kept as it is";
    KEY_COUNT = Error, "mdx.key-count",
        "a track counts more keys than it has",
        "the count is damaged; the record is kept as it is";
    INTERPOLATION = Error, "mdx.interpolation",
        "the interpolation of a track is none of 0 to 3",
        "0 is step, 1 linear, 2 hermite, 3 bezier";
    TRACKS_EVIDENCE = Warning, "mdx.tracks-evidence",
        "few records tell which form the heads of tracks have",
        "if the values make no sense, ask for the other reading of the topic tracks";
    SUB_CHUNK = Error, "mdx.sub-chunk",
        "a list of a geoset is not the one that stands in its place",
        "the client wants every list and all in order; the record is kept as it is";
    SHAPE_TYPE = Error, "mdx.shape-type",
        "the type of a shape is none of 0 to 3",
        "0 is a box, 1 a cylinder, 2 a sphere, 3 a plane; the record is kept as it is";
    VERSION_MISSING = Error, "mdx.version-missing",
        "no chunk says which version the model has",
        "the first version of its family is taken";
    MODEL_MISSING = Error, "mdx.model-missing",
        "there is no MODL chunk",
        "the client refuses the file";
    VERSION = Warning, "mdx.version",
        "the version is none that the family is known to have",
        "layouts are those of the nearest version below";
    FAMILY = Warning, "mdx.family",
        "the size of MODL does not tell the family, or something speaks against it",
        "372 bytes are Warcraft III, 373 are WoW";
    CHUNK_ORDER = Note, "mdx.chunk-order",
        "the chunks are not in the order that the games' own tools write",
        "the game does not mind";
    CHUNK_REPEATED = Warning, "mdx.chunk-repeated",
        "a chunk is there a second time",
        "no game file has this; its records count as if they followed those of the first";
    CHUNK_EMPTY = Note, "mdx.chunk-empty",
        "a chunk has no bytes",
        "the game does not mind; it is kept";
    CHUNK_UNKNOWN = Warning, "mdx.chunk-unknown",
        "a chunk is none of the game's",
        "the game steps over it; it is kept";
    NAME_UNTERMINATED = Warning, "mdx.name-unterminated",
        "text fills its room without a NUL",
        "shorten it by a byte";
    NAME_TAIL = Note, "mdx.name-tail",
        "bytes behind the NUL of a text are not zero",
        "the game does not mind; the bytes are kept";
    SEQUENCE_COUNT = Error, "mdx.sequence-count",
        "there are more sequences than the client takes",
        "at most 255";
    SEQUENCE_EMPTY = Warning, "mdx.sequence-empty",
        "a sequence starts and ends at the same moment",
        "its tracks have one value each";
    SEQUENCE_REVERSED = Warning, "mdx.sequence-reversed",
        "a sequence ends before it starts",
        "no key lies in it; set another start or end";
    SEQUENCE_OVERLAP = Warning, "mdx.sequence-overlap",
        "two sequences share a part of the timeline",
        "moving the keys of one moves those of the other";
    SEQUENCE_UNUSED = Note, "mdx.sequence-unused",
        "no key lies in a sequence, though others have some",
        "it shows the model at rest; remove it if nobody plays it";
    SEQUENCE_FLAGS = Note, "mdx.sequence-flags",
        "a sequence has flags that nobody knows",
        "bit 0 is known: not looping; the others are kept";
    SEQUENCE_FIELDS = Note, "mdx.sequence-fields",
        "a sequence has a value other than the usual in a field that few files use",
        "the value is kept; the outline shows it";
    STAND = Warning, "mdx.no-stand",
        "no sequence is called Stand",
        "the game plays it when nothing else is to be played";
    DEATH = Note, "mdx.no-death",
        "no sequence is called Death",
        "units and buildings need one, effects and scenery do not";
    BOUNDS = Note, "mdx.bounds",
        "the least corner of a box is not below its greatest",
        "the game may think that the model is out of sight";
    BOUNDS_SMALL = Note, "mdx.bounds-small",
        "vertices lie outside of a box that is to hold them",
        "the game may think that they are out of sight; compute the box again";
    GLOBAL_ZERO = Warning, "mdx.global-zero",
        "a global sequence has no length",
        "its tracks stay at their beginning";
    GLOBAL_UNUSED = Note, "mdx.global-unused",
        "no track runs by a global sequence",
        "it can be removed";
    GLOBAL_RANGE = Warning, "mdx.global-range",
        "a track runs by a global sequence that is not there",
        "set it to -1 or to one that is there";
    TRACK_EMPTY = Warning, "mdx.track-empty",
        "a track has no keys",
        "it can be removed";
    TRACK_REPEATED = Warning, "mdx.track-repeated",
        "a record has two tracks of one kind",
        "the game takes one of them; remove the other";
    TRACK_OUTSIDE = Note, "mdx.track-outside",
        "no key of a track lies in any sequence",
        "it never has an effect; nothing changes if it is removed";
    TRACK_FORM = Note, "mdx.track-form",
        "the head of a track is not the one that every known file has",
        "it was told by what fits the records, and is written back the same";
    KEY_ORDER = Warning, "mdx.key-order",
        "a key stands behind a later one",
        "sort the keys by time";
    KEY_REPEATED = Warning, "mdx.key-repeated",
        "two keys have the same time",
        "remove one of them";
    KEY_NEGATIVE = Note, "mdx.key-negative",
        "a key lies before the timeline begins",
        "no sequence reaches it";
    KEY_NOT_FINITE = Error, "mdx.key-not-finite",
        "a key has a value that is no number",
        "what it moves disappears; set it";
    ROTATION = Warning, "mdx.rotation-length",
        "a rotation is not of length 1",
        "the game scales or normalises it; normalise it";
    TEXTURE_PATH = Warning, "mdx.texture-path",
        "a texture has neither a file nor an id that the game replaces",
        "give it a path";
    TEXTURE_RANGE = Warning, "mdx.texture-range",
        "something uses a texture that is not there",
        "add the texture or name another";
    TEXTURE_UNUSED = Note, "mdx.texture-unused",
        "nothing uses a texture",
        "it can be removed";
    TEXTURE_ANIMATION_RANGE = Warning, "mdx.texture-animation-range",
        "a layer uses a texture animation that is not there",
        "set it to -1 or to one that is there";
    MATERIAL_RANGE = Error, "mdx.material-range",
        "something uses a material that is not there",
        "the client refuses the geoset; add the material or name another";
    MATERIAL_UNUSED = Note, "mdx.material-unused",
        "nothing uses a material",
        "it can be removed";
    MATERIAL_EMPTY = Warning, "mdx.material-empty",
        "a material has no layers",
        "what uses it is not seen";
    FILTER_MODE = Warning, "mdx.filter-mode",
        "a filter mode is none that the game knows",
        "0 to 6 in layers, 0 to 4 in emitters";
    FLAGS = Note, "mdx.unknown-flags",
        "flags are set that nobody knows",
        "they are kept";
    GEOSET_COUNT = Error, "mdx.geoset-count",
        "there are more geosets than the client takes",
        "at most 255";
    GEOSET_RANGE = Warning, "mdx.geoset-range",
        "something uses a geoset that is not there",
        "set it to -1 or to one that is there";
    VERTEX_COUNTS = Error, "mdx.vertex-counts",
        "the lists of a geoset are not of one length",
        "every vertex has a normal, a group and a place on the texture";
    VERTEX_RANGE = Warning, "mdx.vertex-range",
        "a face has a corner at a vertex that is not there",
        "the face is garbage or crashes the game";
    FACES = Warning, "mdx.faces",
        "the corners of a geoset are not those of its triangles",
        "counts must add up, and be multiples of three";
    FACE_TYPE = Note, "mdx.face-type",
        "the faces of a geoset are not triangles",
        "every file seen has triangles";
    GROUP_RANGE = Warning, "mdx.group-range",
        "a vertex is in a matrix group that is not there",
        "it does not move with any node";
    GROUP_SIZE = Note, "mdx.group-size",
        "a matrix group has no nodes, or more than four",
        "other formats hold up to four per vertex";
    MATRIX_SUM = Warning, "mdx.matrix-sum",
        "the matrix groups do not add up to the matrices",
        "groups take the wrong nodes; rebuild them";
    MATRIX_NODE = Warning, "mdx.matrix-node",
        "a matrix names a node that is not there",
        "its vertices do not move";
    WEIGHTS = Warning, "mdx.weights",
        "the weights of a vertex do not add up to 255",
        "the vertex is drawn to the origin or away from it";
    EXTENTS = Note, "mdx.extent-count",
        "a geoset does not have bounds for every sequence",
        "a third of all geosets are like this; the game takes the general bounds";
    RESERVED = Note, "mdx.reserved",
        "bytes that are zero in every known file are not",
        "they are kept";
    NODE_ID = Warning, "mdx.node-id",
        "the numbers of the nodes are not 0, 1, 2 and so on",
        "number the nodes 0, 1, 2 and so on, parents and matrices with them";
    NODE_REPEATED = Warning, "mdx.node-repeated",
        "two nodes have the same number",
        "parents and matrices mean one of them; renumber the nodes";
    NODE_TYPE = Note, "mdx.node-type",
        "the flags of a node do not say what it belongs to",
        "the game goes by the chunk; set the flag";
    PARENT_SELF = Error, "mdx.parent-self",
        "a node is its own parent",
        "set its parent to -1 or to another node";
    PARENT_CYCLE = Error, "mdx.parent-cycle",
        "a node is its own ancestor",
        "set the parent of one of them to -1";
    PARENT_MISSING = Warning, "mdx.parent-missing",
        "the parent of a node is not there",
        "it counts as having none";
    PARENT_FORWARD = Note, "mdx.parent-forward",
        "the parent of a node has a higher number",
        "one node in ten is like this, and the game does not mind";
    PIVOT_COUNT = Warning, "mdx.pivot-count",
        "there are not as many pivots as nodes",
        "nodes without a pivot turn about the origin";
    EVENT_EMPTY = Note, "mdx.event-empty",
        "an event has no moments",
        "it never happens";
    EMITTER_SIZE = Warning, "mdx.emitter-size",
        "the second size of an emitter is not that of its block",
        "the record was told by its own size; set the second one";
    LISTS = Error, "mdx.lists",
        "lists of a document that belong together are not of one length",
        "the document was put together wrongly";
    TOO_LARGE = Error, "mdx.too-large",
        "the model would be larger than its sizes can say",
        "remove something";
}

/// The byte layer's codes under this format's name.
pub(crate) static BYTES: ByteCodes = ByteCodes { truncated: &TRUNCATED };

/// Every rule the document can break.
pub fn check(document: &Document) -> Report {
    let mut report = Report::default();
    let summary = summary::Summary::from_document(document);
    damage(document, &mut report);
    container::layout(document, &summary, &mut report);
    container::names(document, &summary, &mut report);
    sequences::sequences(document, &summary, &mut report);
    materials::textures(&summary, &mut report);
    materials::materials(document, &summary, &mut report);
    geosets::geosets(document, &summary, &mut report);
    nodes::nodes(document, &summary, &mut report);
    nodes::parts(&summary, &mut report);
    tracks::tracks(document, &summary, &mut report);
    report
}
