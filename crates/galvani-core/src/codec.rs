//! Values as bytes, both ways.

/// How a value lies in bytes, both ways. Some count from others of the file: the bytes of those are their bases.
#[derive(Debug, Clone, Copy)]
pub struct Codec {
    /// What it is called by in files.
    pub name: &'static str,
    /// Bytes of a value: [`MOST_BYTES`] at most.
    pub len: usize,
    /// The value that bytes make in a scene; numbers that it has not are 0.
    pub lift: fn(&[u8], &[BaseBytes]) -> [f32; 4],
    /// The bytes that a value makes, into as many as there are.
    pub lower: fn([f32; 4], &[BaseBytes], &mut [u8]),
    /// Whether a value and its negative are the same, as of rotations.
    pub is_signless: bool,
}

/// The most bytes that a value has.
pub const MOST_BYTES: usize = 16;

/// The bytes from the start of a value on; zeros behind the end of the file.
pub type BaseBytes = [u8; MOST_BYTES];

/// Two numbers: a place in a picture.
pub const UV: Codec = Codec {
    name: "uv",
    len: 8,
    lift: |bytes, _| {
        let [u, v] = numbers(bytes);
        [u, v, 0.0, 0.0]
    },
    lower: |[u, v, ..], _, bytes| put(&[u, v].map(f32::to_le_bytes), bytes),
    is_signless: false,
};

/// The number of a vertex.
pub const CORNER: Codec = Codec {
    name: "corner",
    len: 2,
    lift: |bytes, _| {
        [bytes.first_chunk().map_or(0.0, |word| f32::from(u16::from_le_bytes(*word))), 0.0, 0.0, 0.0]
    },
    lower: |[corner, ..], _, bytes| put(&[whole(corner).to_le_bytes()], bytes),
    is_signless: false,
};

/// The numbers that bytes are, as many as are asked for.
pub fn numbers<const N: usize>(bytes: &[u8]) -> [f32; N] {
    let mut numbers = [0.0; N];
    for (number, word) in numbers.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *number = f32::from_le_bytes(*word);
    }
    numbers
}

/// Puts parts one behind the other, as far as there is room.
pub fn put<const N: usize>(parts: &[[u8; N]], bytes: &mut [u8]) {
    bytes.iter_mut().zip(parts.as_flattened()).for_each(|(byte, part)| *byte = *part);
}

#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "what is no such number is the nearest"
)]
fn whole(number: f32) -> u16 {
    number.round() as u16
}
