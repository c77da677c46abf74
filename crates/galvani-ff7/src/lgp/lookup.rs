//! The lookup table: from the first two characters of a name to a run of rows (docs/formats/lgp.md#lookup).

use std::ops::Range;

/// Slots of the table: 30 for each of 30 first characters.
pub const SLOTS: usize = 900;

/// Slots for each first character.
const PER_CHARACTER: i32 = 30;

/// A slot of the table: a run of rows of the table of contents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Slot {
    /// The first row, counted from 1; 0 for none.
    pub first: u16,
    /// Rows from there on.
    pub count: u16,
}

impl Slot {
    /// The rows that the slot names, counted from 0; empty for none.
    pub fn rows(self) -> Range<usize> {
        match self.first.checked_sub(1) {
            Some(first) => usize::from(first)..usize::from(first).saturating_add(self.count.into()),
            None => 0..0,
        }
    }
}

/// The slot that lists a name; `None` if one of its first two characters has no value, or there is none.
///
/// A dot counts −1, so that names of one letter before it have the slot before those of its `a`.
pub fn slot_of(name: &[u8]) -> Option<usize> {
    let [first, second, ..] = name else { return None };
    let slot = value(*first)?.checked_mul(PER_CHARACTER)?.checked_add(value(*second)?)?.checked_add(1)?;
    usize::try_from(slot).ok().filter(|&slot| slot < SLOTS)
}

/// What a character counts: letters and digits from 0, both cases alike.
fn value(character: u8) -> Option<i32> {
    let from = |first: u8| Some(i32::from(character.to_ascii_lowercase().wrapping_sub(first)));
    match character {
        b'a'..=b'z' | b'A'..=b'Z' => from(b'a'),
        b'0'..=b'9' => from(b'0'),
        b'_' => Some(10),
        b'-' => Some(11),
        b'.' => Some(-1),
        _ => None,
    }
}

/// The lookup table of a table of contents, given its names in order.
///
/// A slot names one run of rows: where its names do not stand together, only the first run is listed. Rows
/// that a 16-bit number does not reach are not listed either.
pub fn build_lookup(names: impl IntoIterator<Item: AsRef<[u8]>>) -> Box<[Slot; SLOTS]> {
    let mut table = Box::new([Slot::default(); SLOTS]);
    let mut before = None;
    for (row, name) in names.into_iter().enumerate() {
        let number = slot_of(name.as_ref());
        let goes_on = number == before;
        before = number;
        let Some(slot) = number.and_then(|number| table.get_mut(number)) else { continue };
        if slot.count == 0 {
            if let Some(first) = row.checked_add(1).and_then(|first| u16::try_from(first).ok()) {
                *slot = Slot { first, count: 1 };
            }
        } else if goes_on && slot.rows().end == row {
            slot.count = slot.count.saturating_add(1);
        }
    }
    table
}

/// Whether the names of every slot stand together.
pub fn is_grouped(names: impl IntoIterator<Item: AsRef<[u8]>>) -> bool {
    ungrouped(names).is_empty()
}

/// The rows that start a second run of their slot.
pub(super) fn ungrouped(names: impl IntoIterator<Item: AsRef<[u8]>>) -> Vec<usize> {
    let mut seen = vec![false; SLOTS];
    let mut before = None;
    let mut strays = Vec::new();
    for (row, name) in names.into_iter().enumerate() {
        let slot = slot_of(name.as_ref());
        if slot != before
            && let Some(seen) = slot.and_then(|slot| seen.get_mut(slot))
            && std::mem::replace(seen, true)
        {
            strays.push(row);
        }
        before = slot;
    }
    strays
}

/// Where a name stands in a canonical table of contents: by slot, those without one last.
pub(super) fn rank(name: &[u8]) -> usize {
    slot_of(name).unwrap_or(SLOTS)
}
