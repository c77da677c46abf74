//! LZSS: eight items behind a byte that says which of them are literals (docs/formats/rsli.md#lzss).

use super::matches::{Match, Matches};
use super::{Failure, SHORTEST, Unpacked, WINDOW, copy, room_for};

/// The place in the window where content begins.
const FIRST: usize = 0xfee;

/// The most bytes that a match copies.
const LONGEST: usize = 18;

/// Items behind a control byte.
const ITEMS: usize = 8;

pub(super) fn unpack(packed: &[u8], len: usize) -> Result<Unpacked, Failure> {
    let mut made = room_for(len.min(packed.len().saturating_mul(LONGEST / 2)))?;
    let mut bytes = packed.iter().copied();
    let mut control = 0_u8;
    let mut left = 0_usize;
    while made.len() < len {
        let short = Failure::Short { made: made.len() };
        if left == 0 {
            (control, left) = (bytes.next().ok_or(short)?, ITEMS);
        }
        if control & 1 != 0 {
            made.push(bytes.next().ok_or(short)?);
        } else {
            let (low, high) = bytes.next().zip(bytes.next()).ok_or(short)?;
            let place = usize::from(low) | (usize::from(high & 0xf0) << 4);
            let count = usize::from(high & 0x0f).saturating_add(SHORTEST);
            let here = made.len().wrapping_add(FIRST);
            // A place counts from the start of the window, and the window's own place is as far as can be.
            let distance = (here.wrapping_sub(place).wrapping_sub(1) % WINDOW).saturating_add(1);
            copy(&mut made, distance, count, len);
        }
        (control, left) = (control >> 1, left.saturating_sub(1));
    }
    Ok(Unpacked { bytes: made, used: packed.len().saturating_sub(bytes.len()) })
}

pub(super) fn pack(content: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut matches = Matches::new(content, LONGEST);
    let mut at = 0;
    while at < content.len() {
        let mut control = 0;
        let mut items = Vec::with_capacity(ITEMS.saturating_mul(2));
        for item in 0..ITEMS {
            let Some(&literal) = content.get(at) else { break };
            if let Some(found) = matches.at(at) {
                items.extend(matched(at, found));
                at = at.saturating_add(found.len);
            } else {
                control |= 1 << item;
                items.push(literal);
                at = at.saturating_add(1);
            }
        }
        packed.push(control);
        packed.extend(items);
    }
    packed
}

/// The two bytes of a match.
fn matched(at: usize, found: Match) -> [u8; 2] {
    let place = at.wrapping_add(FIRST).wrapping_sub(found.distance) % WINDOW;
    let [low, high, ..] = place.to_le_bytes();
    let count = u8::try_from(found.len.saturating_sub(SHORTEST)).unwrap_or(0);
    [low, (high << 4) | count]
}
