//! A second, slow account of the format: archives as plain parts, laid out by hand.

/// An archive file before it is bytes. Nothing in it has to be right.
#[derive(Debug, Clone)]
pub struct RawArchive {
    pub version: u32,
    /// Everything between the header and the directory.
    pub data: Vec<u8>,
    pub records: Vec<RawRecord>,
    /// Bytes behind the directory.
    pub tail: Vec<u8>,
}

/// A record of the directory, in the order of its fields but for the name.
#[derive(Debug, Clone)]
pub struct RawRecord {
    pub type_id: u32,
    pub attr1: u32,
    pub attr2: u32,
    pub size: u32,
    pub attr3: u32,
    pub name: [u8; 36],
    pub data_offset: u32,
    pub sort_index: u32,
}

impl RawArchive {
    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        let total = 16 + self.data.len() + 64 * self.records.len();
        let mut file = b"NRes".to_vec();
        for word in [self.version, number(self.records.len()), number(total)] {
            file.extend(word.to_le_bytes());
        }
        file.extend(&self.data);
        for record in &self.records {
            for word in [record.type_id, record.attr1, record.attr2, record.size, record.attr3] {
                file.extend(word.to_le_bytes());
            }
            file.extend(record.name);
            file.extend(record.data_offset.to_le_bytes());
            file.extend(record.sort_index.to_le_bytes());
        }
        file.extend(&self.tail);
        file
    }

    /// The bytes that a record claims, if all of them lie between header and directory.
    pub fn payload(&self, index: usize) -> Option<&[u8]> {
        let record = &self.records[index];
        let start = u64::from(record.data_offset).checked_sub(16)?;
        let end = start + u64::from(record.size);
        self.data.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
    }

    /// The same archive without the records whose payloads it does not have.
    pub fn without_strays(mut self) -> Self {
        let held: Vec<bool> = (0..self.records.len()).map(|i| self.payload(i).is_some()).collect();
        let mut held = held.into_iter();
        self.records.retain(|_| held.next() == Some(true));
        self
    }

    /// Which bytes of the data nobody claims.
    pub fn unclaimed(&self) -> Vec<bool> {
        let mut unclaimed = vec![true; self.data.len()];
        for (i, record) in self.records.iter().enumerate() {
            if let Some(payload) = self.payload(i) {
                let start = usize::try_from(record.data_offset).unwrap() - 16;
                unclaimed[start..start + payload.len()].fill(false);
            }
        }
        unclaimed
    }

    /// Gives every record the slot of the right sort table.
    pub fn sort(&mut self) {
        let names: Vec<[u8; 36]> = self.records.iter().map(|record| record.name).collect();
        let table = sort_table(&names);
        for (record, index) in self.records.iter_mut().zip(table) {
            record.sort_index = index;
        }
    }
}

/// What an entry is, for the writer of docs/formats/nres.md#canonical.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plain {
    /// Type, attr1, attr2, attr3.
    pub words: [u32; 4],
    pub name: [u8; 36],
    pub bytes: Vec<u8>,
}

/// The archive as the game's own tool writes it: each payload in directory order, then zeros up to a
/// multiple of 8, then the directory.
pub fn canonical(version: u32, entries: &[Plain]) -> Vec<u8> {
    let mut archive = RawArchive { version, data: Vec::new(), records: Vec::new(), tail: Vec::new() };
    for entry in entries {
        let [type_id, attr1, attr2, attr3] = entry.words;
        archive.records.push(RawRecord {
            type_id,
            attr1,
            attr2,
            size: number(entry.bytes.len()),
            attr3,
            name: zero_filled(entry.name),
            data_offset: number(16 + archive.data.len()),
            sort_index: 0,
        });
        archive.data.extend(&entry.bytes);
        while !archive.data.len().is_multiple_of(8) {
            archive.data.push(0);
        }
    }
    archive.sort();
    archive.bytes()
}

/// A bubble sort, as the engine does it: stable, and slow enough to be plain.
pub fn sort_table(names: &[[u8; 36]]) -> Vec<u32> {
    let mut slots: Vec<(u32, Vec<u8>)> =
        (0..).zip(names.iter().map(|name| folded(before_nul(name)))).collect();
    let mut swapped = true;
    while swapped {
        swapped = false;
        for i in 1..slots.len() {
            if slots[i - 1].1 > slots[i].1 {
                slots.swap(i - 1, i);
                swapped = true;
            }
        }
    }
    slots.into_iter().map(|(index, _)| index).collect()
}

/// A to Z as a to z, every other byte as it is.
pub fn folded(name: &[u8]) -> Vec<u8> {
    name.iter().map(|&byte| if (65..=90).contains(&byte) { byte + 32 } else { byte }).collect()
}

/// The bytes before the first zero.
pub fn before_nul(name: &[u8]) -> &[u8] {
    match name.iter().position(|&byte| byte == 0) {
        Some(len) => &name[..len],
        None => name,
    }
}

/// A name with zeros behind its NUL.
pub fn zero_filled(name: [u8; 36]) -> [u8; 36] {
    let mut filled = [0; 36];
    let text = before_nul(&name);
    filled[..text.len()].copy_from_slice(text);
    filled
}

/// A text in its room.
pub fn room(text: &[u8]) -> [u8; 36] {
    let mut room = [0; 36];
    room[..text.len()].copy_from_slice(text);
    room
}

/// A length in its field.
pub fn number(len: usize) -> u32 {
    u32::try_from(len).unwrap()
}
