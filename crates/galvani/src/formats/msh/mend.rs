//! What `fix` does about models.

use galvani_parkan::msh::check::{
    FRAME_COUNT, MAP_BLOCKS, MAP_PAST_FALLBACK, MAP_RANGE, MAP_WORD, MODEL_BOX, SLOT_BOX, STATIC_MODEL,
    TRACK_SHORT,
};
use galvani_parkan::msh::{Document, edit};
use galvani_parkan::nres::check::{SORT_TABLE_BROKEN, SORT_TABLE_ORDER};

use crate::formats::Mend;
use crate::formats::mend::mends;

/// Every mend.
pub(super) const MENDS: &[Mend] = mends! { Document;
    [SORT_TABLE_BROKEN, SORT_TABLE_ORDER] "the sort table is made again"
    |document| document.archive.rebuild_sort_table();

    [MAP_WORD, MAP_PAST_FALLBACK, MAP_BLOCKS, MAP_RANGE, FRAME_COUNT, TRACK_SHORT, STATIC_MODEL]
    "the maps of nodes with frames are made again from their keys, a timeline that is too short is made longer"
    leaving [
        FRAME_COUNT => "a timeline that is longer than its keys: it may be meant to be",
        MAP_RANGE => "maps of nodes whose keys are damaged",
    ]
    |document| edit::mend_maps(document);

    [SLOT_BOX] "the box and sphere of the slot are computed from its vertices"
    |document| edit::mend_slot_boxes(document).map(drop);

    [MODEL_BOX] "the bounds of the model are computed from its first pose"
    |document| edit::mend_model_box(document);
};
