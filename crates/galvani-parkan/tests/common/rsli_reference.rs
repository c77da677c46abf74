//! A second, slow account of how RsLi packs, written from docs/formats/rsli.md#methods alone.

/// The content of a payload, or `None` where the packed bytes do not give exactly so many.
pub fn unpacked(flags: u16, key: u16, packed: &[u8], len: usize) -> Option<Vec<u8>> {
    match flags & 0x1e0 {
        0x000 => (packed.len() == len).then(|| packed.to_vec()),
        0x020 => (packed.len() == len).then(|| xor(key, packed)),
        0x040 => lzss(packed, len),
        0x060 => lzss(&xor(key, packed), len),
        0x080 => lzhuf(packed, len),
        0x0a0 => lzhuf(&xor(key, packed), len),
        0x100 => inflate(packed, len).filter(|content| content.len() == len),
        _ => None,
    }
}

/// Name and content of every entry, straight from a file and the page.
pub fn contents(file: &[u8]) -> Vec<(Vec<u8>, Option<Vec<u8>>)> {
    let word = |bytes: &[u8], at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let half = |bytes: &[u8], at: usize| u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap());
    let count = usize::from(half(file, 4));
    let table = xor(half(file, 0x14), &file[32..32 + 32 * count]);
    let records: Vec<&[u8]> = table.chunks(32).collect();
    let name = |record: &[u8]| record[..12].split(|&byte| byte == 0).next().unwrap().to_vec();
    let mut keys: Vec<u16> = records.iter().map(|record| half(record, 0x12)).collect();
    if half(file, 0x0e) != 0xabba {
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&i| name(records[i]));
        keys = order.into_iter().map(|i| u16::try_from(i).unwrap()).collect();
    }
    let behind = &file[32 + 32 * count..];
    let has_trailer = behind.len() >= 6 && behind[behind.len() - 6..].starts_with(b"AO");
    let overlay = if has_trailer { word(file, file.len() - 4) } else { 0 };
    let end = if has_trailer { file.len() - 6 } else { file.len() };
    let content = |(record, key): (&&[u8], u16)| {
        let flags = half(record, 0x10);
        // Numbers as wide as their sums: a word may be as large as a machine's own.
        let (end, first) = (u64::try_from(end).unwrap(), u64::try_from(32 + 32 * count).unwrap());
        let start = u64::from(word(record, 0x18)) + u64::from(overlay);
        let mut size = u64::from(word(record, 0x1c));
        if flags & 0x1e0 == 0x100 && !has_trailer && start < end && start + size == end + 1 {
            size -= 1;
        }
        if start < first || start + size > end || start > u64::from(u32::MAX) {
            return None;
        }
        let (start, size) = (usize::try_from(start).unwrap(), usize::try_from(size).unwrap());
        unpacked(
            flags,
            key,
            &file[start..start + size],
            usize::try_from(word(record, 0x14)).unwrap().min(1 << 20),
        )
    };
    let contents = records.iter().zip(keys).map(content);
    records.iter().map(|record| name(record)).zip(contents).collect()
}

/// Every byte and the two halves of the state, one step at a time.
pub fn xor(key: u16, bytes: &[u8]) -> Vec<u8> {
    let (mut lo, mut hi) = (u32::from(key) & 0xff, u32::from(key) >> 8);
    let mut made = Vec::new();
    for &byte in bytes {
        lo = hi ^ ((lo << 1) & 0xff);
        made.push(u8::try_from(u32::from(byte) ^ lo).unwrap());
        hi = lo ^ (hi >> 1);
    }
    made
}

/// With a ring of bytes, as the game has it.
pub fn lzss(packed: &[u8], len: usize) -> Option<Vec<u8>> {
    let mut ring = [0x20_u8; 4096];
    let mut write = 0xfee;
    let mut made = Vec::new();
    let mut at = 0;
    while made.len() < len {
        let control = *packed.get(at)?;
        at += 1;
        for bit in 0..8 {
            if made.len() == len {
                break;
            }
            if control >> bit & 1 == 1 {
                let byte = *packed.get(at)?;
                at += 1;
                made.push(byte);
                ring[write] = byte;
                write = (write + 1) % 4096;
            } else {
                let (b0, b1) = (usize::from(*packed.get(at)?), usize::from(*packed.get(at + 1)?));
                at += 2;
                let index = b0 | (b1 & 0xf0) << 4;
                for i in 0..(b1 & 0x0f) + 3 {
                    if made.len() == len {
                        break;
                    }
                    let byte = ring[(index + i) % 4096];
                    made.push(byte);
                    ring[write] = byte;
                    write = (write + 1) % 4096;
                }
            }
        }
    }
    Some(made)
}

/// What stands at a place of the tree's row.
#[derive(Clone, Copy, PartialEq)]
enum Node {
    Symbol(usize),
    /// The place of the first of two children that stand beside each other.
    Pair(usize),
}

/// The row of nodes, lightest first; whoever needs a parent goes and looks for it.
struct Row(Vec<(u32, Node)>);

impl Row {
    fn new() -> Self {
        let mut row: Vec<(u32, Node)> = (0..314).map(|symbol| (1, Node::Symbol(symbol))).collect();
        let mut child = 0;
        while row.len() < 627 {
            row.push((row[child].0 + row[child + 1].0, Node::Pair(child)));
            child += 2;
        }
        Row(row)
    }

    fn count(&mut self, symbol: usize) {
        if self.0[626].0 == 0x8000 {
            self.rebuild();
        }
        let mut place = self.0.iter().position(|&(_, node)| node == Node::Symbol(symbol)).unwrap();
        loop {
            self.0[place].0 += 1;
            let weight = self.0[place].0;
            // The last of those behind it that are now too light changes places with it.
            let lighter = self.0[place + 1..].iter().take_while(|(other, _)| *other < weight).count();
            self.0.swap(place, place + lighter);
            place += lighter;
            if place == 626 {
                return;
            }
            let above =
                |&(_, node): &(u32, Node)| node == Node::Pair(place) || node == Node::Pair(place - place % 2);
            place = self.0.iter().position(above).unwrap();
        }
    }

    fn rebuild(&mut self) {
        let leaves = self.0.iter().filter(|(_, node)| matches!(node, Node::Symbol(_)));
        let mut row: Vec<(u32, Node)> = leaves.map(|&(weight, node)| (weight.div_ceil(2), node)).collect();
        let mut child = 0;
        while row.len() < 627 {
            let weight = row[child].0 + row[child + 1].0;
            let place = row.iter().rposition(|(other, _)| *other <= weight).map_or(0, |place| place + 1);
            row.insert(place, (weight, Node::Pair(child)));
            child += 2;
        }
        self.0 = row;
    }
}

/// Bit by bit, with the tables of the page spelt out.
pub fn lzhuf(packed: &[u8], len: usize) -> Option<Vec<u8>> {
    let mut d_code = Vec::new();
    let mut d_len = Vec::new();
    let mut code = 0_usize;
    for (count, run) in [(1, 32), (3, 16), (8, 8), (12, 4), (24, 2), (16, 1)] {
        for _ in 0..count {
            d_code.extend(std::iter::repeat_n(code, run));
            code += 1;
        }
    }
    for (count, bits) in [(32, 3), (48, 4), (64, 5), (48, 6), (48, 7), (16, 8)] {
        d_len.extend(std::iter::repeat_n(bits, count));
    }
    assert_eq!((d_code.len(), d_len.len()), (256, 256));
    let mut bits = packed.iter().flat_map(|byte| (0..8).rev().map(move |bit| usize::from(byte >> bit & 1)));
    let mut row = Row::new();
    let mut ring = [0x20_u8; 4096];
    let mut write = 4036;
    let mut made = Vec::new();
    while made.len() < len {
        let mut place = 626;
        let symbol = loop {
            match row.0[place].1 {
                Node::Symbol(symbol) => break symbol,
                Node::Pair(child) => place = child + bits.next()?,
            }
        };
        row.count(symbol);
        if symbol < 256 {
            let byte = u8::try_from(symbol).unwrap();
            made.push(byte);
            ring[write] = byte;
            write = (write + 1) % 4096;
            continue;
        }
        let mut i = 0;
        for _ in 0..8 {
            i = i << 1 | bits.next()?;
        }
        let high = d_code[i] << 6;
        for _ in 0..d_len[i] - 2 {
            i = i << 1 | bits.next()?;
        }
        let position = high | (i & 0x3f);
        let source = (write + 4096 - position - 1) % 4096;
        for k in 0..symbol - 253 {
            if made.len() == len {
                break;
            }
            let byte = ring[(source + k) % 4096];
            made.push(byte);
            ring[write] = byte;
            write = (write + 1) % 4096;
        }
    }
    Some(made)
}

/// RFC 1951 word by word; `None` where the stream is none or gives more than `most` bytes.
pub fn inflate(packed: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut bits = Bits { bytes: packed, at: 0 };
    let mut made = Vec::new();
    loop {
        let last = bits.number(1)?;
        match bits.number(2)? {
            0 => {
                bits.at = bits.at.next_multiple_of(8);
                let (len, check) = (bits.number(16)?, bits.number(16)?);
                if len != !check & 0xffff {
                    return None;
                }
                for _ in 0..len {
                    made.push(u8::try_from(bits.number(8)?).unwrap());
                }
            }
            1 => {
                let literals = |i| match i {
                    0..=143 => 8,
                    144..=255 => 9,
                    256..=279 => 7,
                    _ => 8,
                };
                codes(&mut bits, &(0..288).map(literals).collect::<Vec<_>>(), &[5; 30], &mut made, most)?;
            }
            2 => {
                let (literals, distances) = (bits.number(5)? + 257, bits.number(5)? + 1);
                let count = bits.number(4)? + 4;
                let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
                let mut lens = [0; 19];
                for &place in &order[..count] {
                    lens[place] = bits.number(3)?;
                }
                let mut all: Vec<usize> = Vec::new();
                while all.len() < literals + distances {
                    match bits.symbol(&lens)? {
                        16 => {
                            let before = *all.last()?;
                            all.extend(std::iter::repeat_n(before, bits.number(2)? + 3));
                        }
                        17 => all.extend(std::iter::repeat_n(0, bits.number(3)? + 3)),
                        18 => all.extend(std::iter::repeat_n(0, bits.number(7)? + 11)),
                        len => all.push(len),
                    }
                }
                codes(&mut bits, &all[..literals], &all[literals..literals + distances], &mut made, most)?;
            }
            _ => return None,
        }
        if made.len() > most {
            return None;
        }
        if last == 1 {
            return Some(made);
        }
    }
}

fn codes(
    bits: &mut Bits<'_>,
    literals: &[usize],
    distances: &[usize],
    made: &mut Vec<u8>,
    most: usize,
) -> Option<()> {
    const LENGTHS: [usize; 29] = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163,
        195, 227, 258,
    ];
    const STEPS: [usize; 30] = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
        3073, 4097, 6145, 8193, 12289, 16385, 24577,
    ];
    while made.len() <= most {
        let symbol = bits.symbol(literals)?;
        if symbol < 256 {
            made.push(u8::try_from(symbol).unwrap());
            continue;
        }
        if symbol == 256 {
            return Some(());
        }
        let length = *LENGTHS.get(symbol - 257)?;
        let more = if (8..28).contains(&(symbol - 257)) { (symbol - 257) / 4 - 1 } else { 0 };
        let length = length + bits.number(more)?;
        let step = bits.symbol(distances)?;
        let distance = *STEPS.get(step)? + bits.number(if step < 4 { 0 } else { step / 2 - 1 })?;
        for _ in 0..length {
            made.push(made[made.len().checked_sub(distance)?]);
        }
    }
    Some(())
}

struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    fn number(&mut self, count: usize) -> Option<usize> {
        let mut number = 0;
        for i in 0..count {
            let byte = *self.bytes.get(self.at / 8)?;
            number |= usize::from(byte >> (self.at % 8) & 1) << i;
            self.at += 1;
        }
        Some(number)
    }

    /// The symbol whose code comes next: codes of one length are numbered in the order of their symbols.
    fn symbol(&mut self, lens: &[usize]) -> Option<usize> {
        let (mut code, mut first) = (0, 0);
        for len in 1..16 {
            code |= self.number(1)?;
            let symbols: Vec<usize> = (0..lens.len()).filter(|&symbol| lens[symbol] == len).collect();
            if code < first + symbols.len() {
                return Some(symbols[code - first]);
            }
            first = (first + symbols.len()) << 1;
            code <<= 1;
        }
        None
    }
}
