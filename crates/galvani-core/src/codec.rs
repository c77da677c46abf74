//! Values as bytes, both ways.

use crate::image::linear;

/// How a value lies in bytes, both ways. Some count from others of the file: the bytes of those are their bases.
///
/// A value is four plain numbers, whatever it is, since the lists of a scene are compared, digested and folded alike; what they mean
/// is the business of the codec and of whoever put it on a list. A rotation and a colour have all four, in the order of
/// `glam::Quat::to_array` and `glam::Vec4::to_array` (red first), a place or direction three, a place in a picture two, a number one.
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
    /// How a value is spelled where the file is a text, in as many letters as it takes; nothing where it has always as many bytes.
    pub spelled: Option<fn([f32; 4]) -> Vec<u8>>,
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
    lower: |[u, v, ..], _, bytes| write_parts(&[u, v].map(f32::to_le_bytes), bytes),
    is_signless: false,
    spelled: None,
};

/// The number of a vertex.
pub const CORNER: Codec = Codec {
    name: "corner",
    len: 2,
    lift: |bytes, _| {
        [bytes.first_chunk().map_or(0.0, |word| f32::from(u16::from_le_bytes(*word))), 0.0, 0.0, 0.0]
    },
    lower: |[corner, ..], _, bytes| write_parts(&[whole(corner).to_le_bytes()], bytes),
    is_signless: false,
    spelled: None,
};

/// A colour: blue, green, red as pictures have them, and alpha.
pub const COLOUR: Codec = Codec {
    name: "colour",
    len: 4,
    lift: |bytes, _| {
        let [blue, green, red, alpha] = bytes.first_chunk().copied().unwrap_or_default();
        [linear(red), linear(green), linear(blue), f32::from(alpha) / 255.0]
    },
    lower: |[red, green, blue, alpha], _, bytes| {
        let made = [stored(blue), stored(green), stored(red), nearest(alpha, |byte| f32::from(byte) / 255.0)];
        write_parts(&[made], bytes);
    },
    is_signless: false,
    spelled: None,
};

/// A number of four bytes: which node one hangs on, -1 for none.
pub const PARENT: Codec = Codec {
    name: "parent",
    len: 4,
    lift: |bytes, _| {
        let number = bytes.first_chunk().map_or(0, |word| i32::from_le_bytes(*word));
        // Larger ones are no numbers of nodes.
        [i16::try_from(number).map_or(f32::NAN, f32::from), 0.0, 0.0, 0.0]
    },
    lower: |[number, ..], _, bytes| write_parts(&[signed(number).to_le_bytes()], bytes),
    is_signless: false,
    spelled: None,
};

/// The byte of a colour that is nearest to this much light.
fn stored(light: f32) -> u8 {
    nearest(light, linear)
}

/// The byte whose value is nearest; values rise.
fn nearest(wanted: f32, value: impl Fn(u8) -> f32) -> u8 {
    let off = |byte: &u8| (value(*byte) - wanted).abs();
    (0..=u8::MAX).min_by(|one, other| off(one).total_cmp(&off(other))).unwrap_or_default()
}

#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "what is no such number is the nearest"
)]
fn signed(number: f32) -> i32 {
    number.round() as i32
}

/// The numbers that bytes are, as many as are asked for.
pub fn numbers<const N: usize>(bytes: &[u8]) -> [f32; N] {
    let mut numbers = [0.0; N];
    for (number, word) in numbers.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *number = f32::from_le_bytes(*word);
    }
    numbers
}

/// Writes parts one behind the other, as far as there is room.
pub fn write_parts<const N: usize>(parts: &[[u8; N]], bytes: &mut [u8]) {
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
