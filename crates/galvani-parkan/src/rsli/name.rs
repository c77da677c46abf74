//! Names and their order (docs/formats/rsli.md#sort-table).

use super::{Entry, check};

/// Bytes of a name's room, all of which a name may use.
pub const NAME_LEN: usize = 12;

galvani_core::fixed_name! {
    /// A name in its 12 bytes, with whatever stands behind its NUL.
    pub struct Name: NAME_LEN, of at most NAME_LEN;
    refused: check::NAME_REFUSED;
    too_long: check::NAME_TOO_LONG;
}

/// The sort table of an archive: entry indices by name, byte by byte, equal names in the order of the table.
pub fn sorted(entries: &[Entry]) -> Vec<i16> {
    // No archive has more entries than its count can say.
    let mut order: Vec<(i16, &[u8])> =
        (0..=i16::MAX).zip(entries.iter().map(|entry| entry.name.text())).collect();
    order.sort_by_key(|&(_, name)| name);
    order.into_iter().map(|(index, _)| index).collect()
}
