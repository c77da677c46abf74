//! The codes of a rotation's difference, one way and the other.

use galvani_core::bytes::top_signed;

use crate::pack::AngleKey;

/// Bits of the longest short code, and so of the table's index.
pub(super) const INDEX: u32 = 10;

/// The codes of a key.
#[derive(Debug)]
pub(super) struct Table {
    /// One less than the bits of a code, for each of the 16 ways to start one, four bits each: what the next
    /// code waits for is in a register.
    lengths: u64,
    /// The code that some ten bits start with.
    codes: [Code; 1 << INDEX],
}

/// What ten bits start with.
#[derive(Debug, Clone, Copy)]
struct Code {
    /// The difference in units of an angle; 0 if it stands behind the four bits as it is.
    delta: i16,
    /// Which of the 12 bits behind the first four are the difference then; otherwise none.
    raw: i16,
}

impl Table {
    /// One less than the bits of the code on top of a window.
    #[inline]
    pub(super) fn more_bits(&self, window: u64) -> u64 {
        self.lengths >> (window >> 58 & 0b11_1100) & 0b1111
    }

    /// The difference on top of a window, in units of an angle.
    #[inline]
    pub(super) fn delta(&self, window: u64) -> i16 {
        let index = usize::try_from(window >> (64 - INDEX)).unwrap_or(0);
        let Some(code) = self.codes.get(index) else { return 0 };
        // Either part is 0: no guess of the processor can be wrong.
        let raw = i16::try_from(top_signed(window << 4, 12)).unwrap_or(0);
        code.delta | raw & code.raw
    }
}

/// A difference's short code.
#[derive(Debug, Clone, Copy)]
pub(super) struct Short {
    /// The code in the low bits.
    pub(super) word: u16,
    /// How many bits it has.
    pub(super) bits: u8,
}

/// The table of a key.
pub(super) fn table(key: AngleKey) -> &'static Table {
    match key {
        AngleKey::Zero => &ZERO,
        AngleKey::Two => &TWO,
        AngleKey::Four => &FOUR,
    }
}

/// The differences from −64 to 63, in steps of the key.
pub(super) static SHORT: [Short; 128] = shorts();

static ZERO: Table = table_of(AngleKey::Zero);
static TWO: Table = table_of(AngleKey::Two);
static FOUR: Table = table_of(AngleKey::Four);

/// The table of a key, from what the first bits say.
#[allow(
    clippy::as_conversions,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "the compiler runs it: what does not fit does not build"
)]
const fn table_of(key: AngleKey) -> Table {
    let mut codes = [Code { delta: 0, raw: 0 }; 1 << INDEX];
    let mut index = 1 << (INDEX - 1);
    while index < codes.len() {
        let kind = index >> 6 & 7;
        codes[index] = match kind {
            0 => Code { delta: -1 << key.shift(), raw: 0 },
            7 => Code { delta: 0, raw: -key.step() },
            count => {
                let half: i16 = 1 << (count - 1);
                let value = (index >> (6 - count)) as i16 & (2 * half - 1);
                // The bits are signed; away from 0 by half of what they span.
                let step = if value < half { value + half } else { value - 3 * half };
                Code { delta: step << key.shift(), raw: 0 }
            }
        };
        index += 1;
    }
    let mut lengths = 0;
    let mut kind: u64 = 0;
    while kind < 8 {
        let more = if kind == 7 { key.bits() as u64 } else { kind };
        lengths |= (3 + more) << (4 * (8 + kind));
        kind += 1;
    }
    Table { lengths, codes }
}

/// Shortest codes: as many bits as the difference, or its complement, has.
#[allow(
    clippy::as_conversions,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "the compiler runs it: what does not fit does not build"
)]
const fn shorts() -> [Short; 128] {
    let mut table = [Short { word: 0, bits: 1 }; 128];
    let mut index = 0;
    while index < table.len() {
        let step = index as i16 - 64;
        table[index] = match step {
            0 => Short { word: 0, bits: 1 },
            -1 => Short { word: 0b1000, bits: 4 },
            _ => {
                let size = if step > 0 { step } else { !step };
                let count = (u16::BITS - (size as u16).leading_zeros()) as u16;
                let half = 1 << (count - 1);
                let rest = if step > 0 { step - half } else { step + half };
                let low = (rest as u16) & ((1 << count) - 1);
                Short { word: (0b1000 | count) << count | low, bits: 4 + count as u8 }
            }
        };
        index += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// docs/formats/ff7-pack.md#codes: the table, checked by hand.
    const EXAMPLES: &[(i16, &str)] = &[
        (0, "0"),
        (-1, "1000"),
        (1, "10010"),
        (-2, "10011"),
        (2, "101000"),
        (3, "101001"),
        (-3, "101011"),
        (-4, "101010"),
        (4, "1011000"),
        (-5, "1011111"),
        (-8, "1011100"),
        (15, "11000111"),
        (-9, "11001111"),
        (-13, "11001011"),
        (-16, "11001000"),
        (16, "110100000"),
        (30, "110101110"),
        (-17, "110111111"),
        (-32, "110110000"),
        (32, "1110000000"),
        (63, "1110011111"),
        (-33, "1110111111"),
        (-64, "1110100000"),
    ];

    #[test]
    fn the_examples_of_the_format_are_its_short_codes() {
        for &(step, bits) in EXAMPLES {
            let Short { word, bits: count } = SHORT[usize::try_from(step + 64).unwrap()];
            assert_eq!(format!("{word:0width$b}", width = usize::from(count)), bits, "{step}");
        }
    }

    #[test]
    fn every_short_code_is_what_the_table_finds_at_every_key() {
        for key in AngleKey::ALL {
            for (step, short) in (-64_i16..).zip(SHORT) {
                let index = usize::from(short.word) << (INDEX - u32::from(short.bits));
                for below in 0..1 << (INDEX - u32::from(short.bits)) {
                    let window = u64::try_from(index + below).unwrap() << (64 - INDEX);
                    let found = (table(key).delta(window), table(key).more_bits(window) + 1);
                    assert_eq!(found, (step << key.shift(), u64::from(short.bits)));
                }
            }
        }
    }
}
