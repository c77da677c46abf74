//! The precision of a stream.

use std::fmt;

/// How many low bits of every angle a stream leaves out: its `bKey`. Ordered from fine to coarse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AngleKey {
    /// All 12 bits of an angle.
    Zero,
    /// 10 bits.
    Two,
    /// 8 bits.
    Four,
}

impl AngleKey {
    /// Every key, from fine to coarse.
    pub const ALL: [AngleKey; 3] = [AngleKey::Zero, AngleKey::Two, AngleKey::Four];

    /// The key of a byte; `None` for all but 0, 2 and 4.
    pub fn from_byte(byte: u8) -> Option<Self> {
        AngleKey::ALL.into_iter().find(|key| key.byte() == byte)
    }

    /// The byte in the file.
    pub const fn byte(self) -> u8 {
        match self {
            AngleKey::Zero => 0,
            AngleKey::Two => 2,
            AngleKey::Four => 4,
        }
    }

    /// Bits that are left out.
    pub const fn shift(self) -> u32 {
        match self {
            AngleKey::Zero => 0,
            AngleKey::Two => 2,
            AngleKey::Four => 4,
        }
    }

    /// Bits of an angle, or of a difference that has no short code.
    pub const fn bits(self) -> u32 {
        match self {
            AngleKey::Zero => 12,
            AngleKey::Two => 10,
            AngleKey::Four => 8,
        }
    }

    /// Units between two angles that a stream of this key can say.
    pub const fn step(self) -> i16 {
        match self {
            AngleKey::Zero => 1,
            AngleKey::Two => 4,
            AngleKey::Four => 16,
        }
    }

    /// The nearest value that a stream of this key can say.
    pub fn nearest(self, value: i16) -> i16 {
        value.wrapping_add(self.step() / 2) & self.step().wrapping_neg()
    }

    /// Whether a stream of this key can say such a value.
    pub fn holds(self, value: i16) -> bool {
        value & self.step().wrapping_sub(1) == 0
    }
}

impl fmt::Display for AngleKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.byte())
    }
}
