//! Frames → bits, in the shortest codes there are: what the game's own files hold
//! (docs/formats/ff7-pack.md#canonical).

use galvani_core::BitWriter;

use super::codes::{SHORT, Short};
use super::{Frames, reduced};
use crate::pack::AngleKey;

/// A stream in the making.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coded {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Bits that mean something; the rest of the last byte is slack.
    pub bits: usize,
}

/// Writes frames at a precision that holds them; low bits that it does not hold are lost. `slack` fills the
/// last byte. Differences are taken the short way round, so that angles come back as they were modulo a turn,
/// and exactly if no frame leapt by half a turn.
pub fn encode(frames: &Frames, key: AngleKey, slack: u8) -> Coded {
    // Five bits a value is what the game's own streams take.
    let room = frames.angles.len().saturating_mul(2).saturating_add(frames.positions.len().saturating_mul(4));
    let mut bits = BitWriter::behind(Vec::with_capacity(room.min(1 << 16)));
    let mut rows = frames.iter();
    let Some(mut before) = rows.next() else { return Coded { bytes: Vec::new(), bits: 0 } };
    for value in before.position {
        bits.push_bits(wide(value), 16);
    }
    for &angle in before.bones.iter().flatten() {
        bits.push_bits(wide(angle >> key.shift()), key.bits());
    }
    for row in rows {
        for (now, then) in row.position.into_iter().zip(before.position) {
            put_position(&mut bits, now.wrapping_sub(then));
        }
        for (now, then) in row.bones.iter().zip(before.bones) {
            put_rotation(&mut bits, *now, *then, key);
        }
        before = row;
    }
    let count = bits.bits();
    Coded { bytes: bits.finish(slack), bits: count }
}

fn put_position(bits: &mut BitWriter, delta: i16) {
    match delta {
        -64..=63 => bits.push_bits(wide(delta) & 0x7f, 8),
        _ => bits.push_bits(1 << 16 | wide(delta), 17),
    }
}

#[inline]
fn put_rotation(bits: &mut BitWriter, now: [i16; 3], then: [i16; 3], key: AngleKey) {
    for (now, then) in now.into_iter().zip(then) {
        // Each end is brought to the grid first, so that what is lost never adds up.
        let step = (now >> key.shift()).wrapping_sub(then >> key.shift());
        let step = reduced(step.wrapping_shl(key.shift())) >> key.shift();
        let short = usize::try_from(step.wrapping_add(64)).ok().and_then(|index| SHORT.get(index));
        if let Some(&Short { word, bits: count }) = short {
            bits.push_bits(u32::from(word), u32::from(count));
        } else {
            let low = wide(step) & (1_u32 << key.bits()).wrapping_sub(1);
            bits.push_bits(0b1111 << key.bits() | low, key.bits().wrapping_add(4));
        }
    }
}

fn wide(value: i16) -> u32 {
    u32::from(value.cast_unsigned())
}
