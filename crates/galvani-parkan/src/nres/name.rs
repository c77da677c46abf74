//! Names and their order (docs/formats/nres.md#sort-table).

use std::cmp::Ordering;

use super::{Entry, check};

/// Bytes of a name's room, the NUL included.
pub const NAME_LEN: usize = 36;

galvani_core::fixed_name! {
    /// A name in its 36 bytes, with whatever stands behind its NUL.
    pub struct Name: NAME_LEN;
    refused: check::NAME_REFUSED;
    too_long: check::NAME_TOO_LONG;
}

/// Names in the archive's order: A–Z folded to a–z, then byte by byte.
///
/// Folding up instead would put `_` behind the letters; 120 of 120 archives want it before them.
pub(super) fn folded_cmp(a: &[u8], b: &[u8]) -> Ordering {
    let folded = u8::to_ascii_lowercase;
    a.iter().map(folded).cmp(b.iter().map(folded))
}

/// The sort table of a directory: entry indices by folded name, equal names in directory order.
pub fn sorted(entries: &[Entry]) -> Vec<u32> {
    let mut order: Vec<(u32, &[u8])> = (0..).zip(entries.iter().map(|entry| entry.name.text())).collect();
    order.sort_by(|(_, a), (_, b)| folded_cmp(a, b));
    order.into_iter().map(|(index, _)| index).collect()
}
