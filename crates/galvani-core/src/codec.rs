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
