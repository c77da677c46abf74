//! NRes archives by plain byte pushing: a second hand beside the writer under test.

/// Offset of a field inside a directory record of 64 bytes.
pub(crate) const SIZE: usize = 0x0c;
/// Where the name starts in a record.
pub(crate) const NAME: usize = 0x14;
/// Where the payload's offset stands in a record.
pub(crate) const DATA_OFFSET: usize = 0x38;
/// Where the slot of the sort table stands in a record.
pub(crate) const SORT_INDEX: usize = 0x3c;

/// An archive in the layout of the game's own writer, every entry of type `DATA` with attributes 0, 0, 1.
pub(crate) fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let raw: Vec<(&[u8], &[u8])> = entries.iter().map(|&(name, bytes)| (name.as_bytes(), bytes)).collect();
    archive_raw(&raw)
}

/// The same for names that are no text.
pub(crate) fn archive_raw(entries: &[(&[u8], &[u8])]) -> Vec<u8> {
    let mut file = b"NRes\x00\x01\x00\x00".to_vec();
    push(&mut file, entries.len());
    push(&mut file, 0);
    let mut places = Vec::new();
    for (_, payload) in entries {
        places.push(file.len());
        file.extend_from_slice(payload);
        while !file.len().is_multiple_of(8) {
            file.push(0);
        }
    }
    let slots = slots(entries);
    for (i, (name, payload)) in entries.iter().enumerate() {
        file.extend_from_slice(b"DATA");
        push(&mut file, 0);
        push(&mut file, 0);
        push(&mut file, payload.len());
        push(&mut file, 1);
        file.extend_from_slice(name);
        file.resize(file.len() + 36 - name.len(), 0);
        push(&mut file, places[i]);
        push(&mut file, slots[i]);
    }
    let total = file.len();
    poke(&mut file, 12, total);
    file
}

/// Entry indices by folded name; a stable insertion sort, as the game's bubble sort is stable.
fn slots(entries: &[(&[u8], &[u8])]) -> Vec<usize> {
    let fold = |i: usize| entries[i].0.to_ascii_lowercase();
    let mut slots: Vec<usize> = Vec::new();
    for i in 0..entries.len() {
        let at = slots.iter().position(|&other| fold(other) > fold(i)).unwrap_or(slots.len());
        slots.insert(at, i);
    }
    slots
}

/// Appends a 32-bit word.
pub(crate) fn push(file: &mut Vec<u8>, number: usize) {
    file.extend_from_slice(&u32::try_from(number).unwrap().to_le_bytes());
}

/// Overwrites a 32-bit word.
pub(crate) fn poke(file: &mut [u8], at: usize, number: usize) {
    file[at..at + 4].copy_from_slice(&u32::try_from(number).unwrap().to_le_bytes());
}

/// The 32-bit word at a place.
pub(crate) fn peek(file: &[u8], at: usize) -> usize {
    usize::try_from(u32::from_le_bytes(file[at..at + 4].try_into().unwrap())).unwrap()
}

/// Where record `i` of an archive starts.
pub(crate) fn record(file: &[u8], i: usize) -> usize {
    peek(file, 12) - 64 * peek(file, 8) + 64 * i
}
