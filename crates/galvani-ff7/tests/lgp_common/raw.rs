//! A second, slow account of the format: archives as plain parts, laid out by hand.

/// An archive file before it is bytes. Nothing in it has to be right.
#[derive(Debug, Clone)]
pub struct RawArchive {
    pub magic: [u8; 12],
    pub rows: Vec<RawRow>,
    /// First and count of 900 slots.
    pub lookup: Vec<[u16; 2]>,
    /// Everything behind the lookup table.
    pub rest: Vec<u8>,
}

/// A row of the table of contents.
#[derive(Debug, Clone, Copy)]
pub struct RawRow {
    pub name: [u8; 20],
    pub offset: u32,
    pub check: u8,
    pub conflict: u16,
}

impl RawArchive {
    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut file = self.magic.to_vec();
        file.extend(number(self.rows.len()).to_le_bytes());
        for row in &self.rows {
            file.extend(row.name);
            file.extend(row.offset.to_le_bytes());
            file.push(row.check);
            file.extend(row.conflict.to_le_bytes());
        }
        for word in self.lookup.iter().flatten() {
            file.extend(word.to_le_bytes());
        }
        file.extend(&self.rest);
        file
    }

    /// Where the lookup table ends.
    pub fn tables(&self) -> usize {
        tables(self.rows.len())
    }

    /// Where records may begin: behind the conflict table, if it ends before anything a row points at.
    pub fn records(&self) -> usize {
        let file = self.bytes();
        let mut end = file.len();
        for row in &self.rows {
            let offset = usize::try_from(row.offset).unwrap();
            if offset >= self.tables() && offset < end {
                end = offset;
            }
        }
        let word = |at: usize| {
            if at + 2 > end { None } else { Some(usize::from(u16::from_le_bytes([file[at], file[at + 1]]))) }
        };
        let mut at = self.tables();
        let Some(groups) = word(at) else { return self.tables() };
        at += 2;
        for _ in 0..groups {
            let Some(rows) = word(at) else { return self.tables() };
            at += 2 + 130 * rows;
        }
        if at > end { self.tables() } else { at }
    }

    /// The bytes of an entry's file, if its whole record lies behind the tables.
    pub fn payload(&self, index: usize) -> Option<Vec<u8>> {
        let file = self.bytes();
        let start = usize::try_from(self.rows[index].offset).unwrap();
        if start < self.records() || start + 24 > file.len() {
            return None;
        }
        let size = u32::from_le_bytes(file[start + 20..start + 24].try_into().unwrap());
        file.get(start + 24..start + 24 + usize::try_from(size).unwrap()).map(<[u8]>::to_vec)
    }

    /// Gives the table the slots of its names: for each, the first run of rows.
    pub fn index(&mut self) {
        let slots: Vec<Option<usize>> = self.rows.iter().map(|row| slot(before_nul(&row.name))).collect();
        for number in 0..900 {
            let first = slots.iter().position(|slot| *slot == Some(number));
            let rows = first
                .map_or(0, |first| slots[first..].iter().take_while(|slot| **slot == Some(number)).count());
            self.lookup[number] = first.map_or([0, 0], |first| [number_16(first + 1), number_16(rows)]);
        }
    }
}

/// Where the lookup table of an archive of so many rows ends.
pub fn tables(rows: usize) -> usize {
    16 + 27 * rows + 3600
}

/// What a writer makes of these files by docs/formats/lgp.md#toc, #lookup and #record: rows by slot, records in their order.
pub fn canonical(files: &[([u8; 20], Vec<u8>)]) -> Vec<u8> {
    let mut files = files.to_vec();
    files.sort_by_key(|(name, _)| slot(before_nul(name)).unwrap_or(900));
    let mut archive = RawArchive {
        magic: *b"\0\0SQUARESOFT",
        rows: Vec::new(),
        lookup: vec![[0, 0]; 900],
        rest: vec![0, 0],
    };
    for (name, bytes) in &files {
        let offset = number(tables(files.len()) + archive.rest.len());
        archive.rows.push(RawRow { name: zero_filled(*name), offset, check: 14, conflict: 0 });
        archive.rest.extend(record(*name, bytes));
    }
    archive.rest.extend(b"FINAL FANTASY7");
    archive.index();
    archive.bytes()
}

/// A record: name, size, bytes.
pub fn record(name: [u8; 20], bytes: &[u8]) -> Vec<u8> {
    [&name[..], &number(bytes.len()).to_le_bytes(), bytes].concat()
}

/// The slot of a name by the table of docs/formats/lgp.md#lookup, character by character.
pub fn slot(name: &[u8]) -> Option<usize> {
    const VALUES: &str = "abcdefghijklmnopqrstuvwxyz";
    let value = |byte: u8| -> Option<i32> {
        let c = char::from(byte).to_ascii_lowercase();
        match c {
            '.' => Some(-1),
            '_' => Some(10),
            '-' => Some(11),
            '0'..='9' => c.to_digit(10)?.try_into().ok(),
            _ => VALUES.find(c)?.try_into().ok(),
        }
    };
    let slot = value(*name.first()?)? * 30 + value(*name.get(1)?)? + 1;
    usize::try_from(slot).ok()
}

/// The bytes before the first zero.
pub fn before_nul(name: &[u8]) -> &[u8] {
    match name.iter().position(|&byte| byte == 0) {
        Some(len) => &name[..len],
        None => name,
    }
}

/// A name with zeros behind its NUL.
pub fn zero_filled(name: [u8; 20]) -> [u8; 20] {
    room(before_nul(&name))
}

/// A text in its room.
pub fn room(text: &[u8]) -> [u8; 20] {
    let mut room = [0; 20];
    room[..text.len()].copy_from_slice(text);
    room
}

/// A length in its field.
pub fn number(len: usize) -> u32 {
    u32::try_from(len).unwrap()
}

/// A length in a short field.
pub fn number_16(len: usize) -> u16 {
    u16::try_from(len).unwrap()
}
