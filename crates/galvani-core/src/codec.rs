//! Values as bytes, both ways.

/// How a value lies in bytes, both ways.
#[derive(Debug, Clone, Copy)]
pub struct Codec {
    /// What it is called by in files.
    pub name: &'static str,
    /// Bytes of a value.
    pub len: usize,
    /// The value that bytes make in a scene; numbers that it has not are 0.
    pub lift: fn(&[u8]) -> [f32; 4],
    /// The bytes that a value makes, into as many as there are.
    pub lower: fn([f32; 4], &mut [u8]),
    /// Whether a value and its negative are the same, as of rotations.
    pub is_signless: bool,
}
