//! What `fix` does about models.

use galvani_mdx::check::{
    BOUNDS, BOUNDS_SMALL, CHUNK_EMPTY, EMITTER_SIZE, EXTENTS, GLOBAL_UNUSED, KEY_ORDER, KEY_REPEATED,
    MATERIAL_UNUSED, NODE_ID, NODE_REPEATED, NODE_TYPE, PIVOT_COUNT, ROTATION, SEQUENCE_UNUSED,
    TEXTURE_UNUSED, TRACK_EMPTY, TRACK_OUTSIDE,
};
use galvani_mdx::{Document, edit};

use crate::formats::Mend;
use crate::formats::mend::mends;

/// Every mend.
pub(in crate::formats) const MENDS: &[Mend] = mends! { Document;
    [KEY_ORDER] "the keys of a track are put in the order of their times"
    |document| edit::sort_keys(document).map(drop);

    [KEY_REPEATED] "of keys of one time and value one stays"
    leaving [KEY_REPEATED => "keys of one time with different values: nobody can say which of them counts"]
    |document| edit::drop_repeated_keys(document).map(drop);

    [ROTATION] "rotations with a length get the length 1"
    leaving [ROTATION => "those without one: nobody knows where they point"]
    |document| edit::normalise_rotations(document).map(drop);

    [BOUNDS, BOUNDS_SMALL] "the box and its radius are computed from the vertices"
    |document, meter| edit::mend_bounds(document, meter).map(drop);

    asked [EXTENTS] "the boxes of the geoset in all sequences are computed from where they take its vertices"
    |document, meter| edit::fill_extents(document, meter).map(drop);

    [NODE_TYPE] "the flag is set"
    |document| {
        edit::set_kind_flags(document);
    };

    [EMITTER_SIZE] "the size is set"
    |document| {
        edit::set_emitter_sizes(document);
    };

    asked [NODE_ID, NODE_REPEATED] "nodes are numbered 0, 1, 2 and so on, and what names them follows"
    |document| edit::renumber_nodes(document).map(drop);

    [PIVOT_COUNT] "pivots that are missing are put at the origin, those behind the last node go"
    leaving [PIVOT_COUNT => "those of nodes whose numbers have gaps: pivots go by these numbers"]
    |document| edit::match_pivots(document).map(drop);

    asked [SEQUENCE_UNUSED] "the sequence is removed, and the boxes of geosets in it"
    |document| edit::remove_unused_sequences(document).map(drop);

    asked [TRACK_OUTSIDE] "the track is removed"
    leaving [TRACK_OUTSIDE => "those of events in Warcraft III, where nothing would say that they are missing"]
    |document| edit::remove_outside_tracks(document).map(drop);

    asked [TRACK_EMPTY] "the track is removed"
    leaving [TRACK_EMPTY => "those of events in Warcraft III, where nothing would say that they are missing"]
    |document| {
        edit::remove_empty_tracks(document);
    };

    asked [MATERIAL_UNUSED] "the material is removed, and indices follow"
    |document| edit::remove_unused_materials(document).map(drop);

    asked [TEXTURE_UNUSED] "the texture is removed, and indices follow"
    |document| edit::remove_unused_textures(document).map(drop);

    asked [GLOBAL_UNUSED] "the global sequence is removed, and indices follow"
    |document| edit::remove_unused_globals(document).map(drop);

    [CHUNK_EMPTY] "the chunk is dropped"
    |document| {
        edit::drop_empty_chunks(document);
    };
};
