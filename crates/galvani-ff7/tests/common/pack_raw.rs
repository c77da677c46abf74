//! Packs put together by hand: a plain packer of bits, and coders that share nothing with ours.
#![allow(dead_code, unreachable_pub, reason = "tests and benchmarks each use their part of this")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

use galvani_ff7::pack::AngleKey;

/// Bits one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bits(pub Vec<bool>);

impl Bits {
    /// The low bits of a number, the highest of them first.
    pub fn put(&mut self, value: i32, count: u32) -> &mut Self {
        for place in (0..count).rev() {
            self.0.push(value >> place & 1 == 1);
        }
        self
    }

    /// Bits as text; blanks are for the eye.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.0.extend(text.chars().filter(|c| !c.is_whitespace()).map(|c| c == '1'));
        self
    }

    /// Whole bytes; what is left over in the last one are the low bits of `slack`.
    pub fn bytes(&self, slack: u8) -> Vec<u8> {
        let mut bytes = Vec::new();
        for bits in self.0.chunks(8) {
            let mut byte = bits.iter().fold(0, |byte, &bit| byte << 1 | u8::from(bit));
            if bits.len() < 8 {
                byte = byte << (8 - bits.len()) | slack & ((1 << (8 - bits.len())) - 1);
            }
            bytes.push(byte);
        }
        bytes
    }
}

/// Who writes the differences of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coder {
    /// The game's own tool: the shortest code.
    Shortest,
    /// Kimera: a negative difference has no short code, nor has −1 one of its own
    /// (docs/formats/ff7-pack.md#kimera).
    Kimera,
}

impl Coder {
    /// A difference of a rotation in steps of the key.
    pub fn turn(self, bits: &mut Bits, step: i32, key: AngleKey) {
        if step == 0 {
            bits.text("0");
        } else if step == -1 && self == Coder::Shortest {
            bits.text("1000");
        } else if step < 0 && self == Coder::Kimera {
            bits.text("1111").put(step, key.bits());
        } else {
            // The first width whose range holds it.
            let fits = |n: &i32| {
                let half = 1 << (n - 1);
                (half..2 * half).contains(&step) || (-2 * half..-half).contains(&step)
            };
            match (1..=6).find(fits) {
                Some(n) => {
                    let half = 1 << (n - 1);
                    let rest = if step > 0 { step - half } else { step + half };
                    bits.text("1").put(n, 3).put(rest, n.cast_unsigned())
                }
                None => bits.text("1111").put(step, key.bits()),
            };
        }
    }
}

/// A difference of a position, which every coder writes alike.
fn shift(bits: &mut Bits, delta: i16) {
    if (-64..64).contains(&delta) {
        bits.text("0").put(delta.into(), 7);
    } else {
        bits.text("1").put(delta.into(), 16);
    }
}

/// A frame of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawFrame {
    pub position: [i16; 3],
    pub rotations: Vec<[i16; 3]>,
}

/// A stream of frames whose every angle the key can say.
pub fn stream(frames: &[RawFrame], key: AngleKey, coder: Coder) -> Bits {
    let mut bits = Bits::default();
    for value in frames[0].position {
        bits.put(value.into(), 16);
    }
    for &angle in frames[0].rotations.iter().flatten() {
        bits.put(i32::from(angle) >> key.shift(), key.bits());
    }
    for pair in frames.windows(2) {
        for axis in 0..3 {
            shift(&mut bits, pair[1].position[axis].wrapping_sub(pair[0].position[axis]));
        }
        for (now, then) in pair[1].rotations.iter().flatten().zip(pair[0].rotations.iter().flatten()) {
            let turn = i32::from(now.wrapping_sub(*then));
            let short_way = (turn + 2048).rem_euclid(4096) - 2048;
            coder.turn(&mut bits, short_way >> key.shift(), key);
        }
    }
    bits
}

/// The payload of an animation: header, stream, and what follows it.
pub fn payload(s_frames: u16, key: u8, stream: &[u8], trailing: &[u8]) -> Vec<u8> {
    let mut payload = s_frames.to_le_bytes().to_vec();
    payload.extend(short_payload(key, stream, trailing));
    payload
}

/// The same without `sFrames`.
pub fn short_payload(key: u8, stream: &[u8], trailing: &[u8]) -> Vec<u8> {
    let mut payload = u16::try_from(stream.len()).unwrap().to_le_bytes().to_vec();
    payload.push(key);
    payload.extend(stream);
    payload.extend(trailing);
    payload
}

/// Zeros up to a multiple of 4, as the game's own files have them.
pub fn padding(header: usize, stream: usize) -> Vec<u8> {
    vec![0; (header + stream).next_multiple_of(4) - header - stream]
}

/// An entry as it lies in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawEntry {
    pub dw_bones: u32,
    pub dw_frames: u32,
    pub dw_chunk_size: u32,
    pub payload: Vec<u8>,
}

impl RawEntry {
    /// An entry whose header counts its payload.
    pub fn new(dw_bones: u32, dw_frames: u32, payload: Vec<u8>) -> Self {
        RawEntry { dw_bones, dw_frames, dw_chunk_size: u32::try_from(payload.len()).unwrap(), payload }
    }

    /// A sound animation of those frames.
    pub fn animation(frames: &[RawFrame], key: AngleKey, coder: Coder) -> Self {
        let (bones, count) = (frames[0].rotations.len(), u16::try_from(frames.len()).unwrap());
        let stream = stream(frames, key, coder).bytes(0);
        let payload = payload(count, key.byte(), &stream, &padding(5, stream.len()));
        RawEntry::new(u32::try_from(bones).unwrap(), count.into(), payload)
    }

    /// An empty slot that says one size and takes another.
    pub fn empty(dw_bones: u32, dw_chunk_size: u32, payload: Vec<u8>) -> Self {
        RawEntry { dw_bones, dw_frames: 1, dw_chunk_size, payload }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = [self.dw_bones, self.dw_frames, self.dw_chunk_size].map(u32::to_le_bytes).concat();
        bytes.extend(&self.payload);
        bytes
    }
}

/// A pack.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RawPack {
    /// By how many the count is more than the entries.
    pub missing: u32,
    pub entries: Vec<RawEntry>,
    pub rest: Vec<u8>,
}

impl RawPack {
    pub fn of(entries: Vec<RawEntry>) -> Self {
        RawPack { entries, ..RawPack::default() }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let count = u32::try_from(self.entries.len()).unwrap() + self.missing;
        let mut bytes = count.to_le_bytes().to_vec();
        self.entries.iter().for_each(|entry| bytes.extend(entry.bytes()));
        bytes.extend(&self.rest);
        bytes
    }
}
