//! LZHUF: literals and lengths in codes of a tree that follows them, places in fixed codes
//! (docs/formats/rsli.md#lzhuf).

use galvani_core::{BitReader, BitWriter};

use super::matches::Matches;
use super::tree::Tree;
use super::{Failure, SHORTEST, Unpacked, copy, room_for};

/// The most bytes that a match copies.
const LONGEST: usize = 60;

/// What a length is counted from among the symbols: 256 literals come before the shortest.
const LENGTHS: usize = 256 - SHORTEST;

/// Bits of a place that stand as they are.
const LOW_BITS: u32 = 6;

/// Codes of the high bits of a place: how many bits a code has, and how many codes of so many bits there are.
const HIGH_CODES: [(u32, u32); 6] = [(3, 1), (4, 3), (5, 8), (6, 12), (7, 24), (8, 16)];

pub(super) fn unpack(packed: &[u8], len: usize) -> Result<Unpacked, Failure> {
    let mut tree = Tree::new();
    let mut bits = BitReader::new(packed, 0);
    // The shortest code of a symbol has a bit, that of a place nine.
    let most = packed.len().saturating_mul(8).saturating_mul(LONGEST) / 10;
    let mut made = room_for(len.min(most))?;
    while made.len() < len {
        let symbol = tree.next(&mut bits);
        let before = made.len();
        if let Ok(literal) = u8::try_from(symbol) {
            made.push(literal);
        } else {
            let count = symbol.saturating_sub(LENGTHS);
            copy(&mut made, place(&mut bits).saturating_add(1), count, len);
        }
        if bits.is_past() {
            return Err(Failure::Short { made: before });
        }
    }
    Ok(Unpacked { bytes: made, used: bits.bit().div_ceil(8) })
}

/// How far a match lies before the last byte.
fn place(bits: &mut BitReader<'_>) -> usize {
    let window = bits.window();
    let mut first = 0_u32;
    let mut high = 0_u32;
    for (len, count) in HIGH_CODES {
        let code = top(window, len).wrapping_sub(first);
        if code < count {
            let low = top(window << len, LOW_BITS);
            bits.skip(len.saturating_add(LOW_BITS));
            let place = (high.wrapping_add(code) << LOW_BITS) | low;
            return usize::try_from(place).unwrap_or(0);
        }
        high = high.wrapping_add(count);
        first = first.wrapping_add(count) << 1;
    }
    0
}

/// The top bits of a window.
fn top(window: u64, bits: u32) -> u32 {
    u32::try_from(window >> 64_u32.saturating_sub(bits)).unwrap_or(0)
}

pub(super) fn pack(content: &[u8]) -> Vec<u8> {
    let mut tree = Tree::new();
    let mut bits = BitWriter::default();
    let mut matches = Matches::new(content, LONGEST);
    let mut at = 0;
    while let Some(&literal) = content.get(at) {
        if let Some(found) = matches.at(at) {
            tree.write_symbol(found.len.saturating_add(LENGTHS), &mut bits);
            put_place(found.distance.saturating_sub(1), &mut bits);
            at = at.saturating_add(found.len);
        } else {
            tree.write_symbol(usize::from(literal), &mut bits);
            at = at.saturating_add(1);
        }
    }
    bits.finish(0)
}

fn put_place(place: usize, bits: &mut BitWriter) {
    let place = u32::try_from(place).unwrap_or(0);
    let (mut high, mut first) = (place >> LOW_BITS, 0_u32);
    for (len, count) in HIGH_CODES {
        if high < count {
            bits.push_bits(first.wrapping_add(high), len);
            bits.push_bits(place, LOW_BITS);
            return;
        }
        high = high.wrapping_sub(count);
        first = first.wrapping_add(count) << 1;
    }
}
