//! Pixels that stand each by itself, their channels under masks.

use galvani_core::{Exhausted, room};

use crate::numbers::{count, low};

/// Pixels of one to four bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plain {
    bytes: u8,
    masks: [u32; 4],
}

/// Blue, green, red and alpha a byte each, the order of most files.
const BGRA: [u32; 4] = [0xff_0000, 0xff00, 0xff, 0xff00_0000];
/// The same without alpha.
const BGRX: [u32; 4] = [0xff_0000, 0xff00, 0xff, 0];
/// The order of pictures in memory.
const RGBA: [u32; 4] = [0xff, 0xff00, 0xff_0000, 0xff00_0000];

impl Plain {
    /// Pixels of whole bytes, whose masks are one run of bits each; none if that is not so.
    pub(super) fn new(bits: u32, masks: [u32; 4]) -> Option<Self> {
        let bytes = match bits {
            8 => 1,
            16 => 2,
            24 => 3,
            32 => 4,
            _ => return None,
        };
        let room = u32::MAX.checked_shr(32_u32.saturating_sub(bits)).unwrap_or(0);
        let is_run = |mask: &u32| {
            let low = mask.checked_shr(mask.trailing_zeros()).unwrap_or(0);
            mask & !room == 0 && low.wrapping_add(1) & low == 0
        };
        (masks.iter().all(is_run) && masks != [0; 4]).then_some(Plain { bytes, masks })
    }

    /// Bytes of a pixel.
    pub fn bytes(self) -> u8 {
        self.bytes
    }

    /// Whether pixels have alpha.
    pub fn has_alpha(self) -> bool {
        let [.., alpha] = self.masks;
        alpha != 0
    }

    /// The pixels that bytes show. Without alpha they are opaque; what has only alpha is black.
    pub(super) fn decode(self, bytes: &[u8]) -> Result<Vec<[u8; 4]>, Exhausted> {
        let four = || bytes.as_chunks::<4>().0.iter();
        match (self.bytes, self.masks) {
            (4, BGRA) => room::collected(four().map(|&[blue, green, red, alpha]| [red, green, blue, alpha])),
            (4, BGRX) => room::collected(four().map(|&[blue, green, red, _]| [red, green, blue, 255])),
            (4, RGBA) => room::collected(four().copied()),
            (3, BGRX) => {
                let three = bytes.as_chunks::<3>().0.iter();
                room::collected(three.map(|&[blue, green, red]| [red, green, blue, 255]))
            }
            _ => self.decode_any(bytes),
        }
    }

    fn decode_any(self, bytes: &[u8]) -> Result<Vec<[u8; 4]>, Exhausted> {
        let [red, green, blue, alpha] = self.masks.map(Channel::new);
        let value =
            |pixel: &[u8]| pixel.iter().rev().fold(0_u32, |value, &byte| (value << 8) | u32::from(byte));
        let shown = |pixel: &[u8]| {
            let value = value(pixel);
            let alpha = if self.has_alpha() { alpha.get(value) } else { 255 };
            [red.get(value), green.get(value), blue.get(value), alpha]
        };
        room::collected(bytes.chunks_exact(usize::from(self.bytes).max(1)).map(shown))
    }

    /// The bytes that come nearest to pixels.
    pub(super) fn encode(self, rgba: &[[u8; 4]]) -> Result<Vec<u8>, Exhausted> {
        let channels = self.masks.map(Channel::new);
        let len = usize::from(self.bytes);
        let mut bytes = room::with_capacity(rgba.len().saturating_mul(len))?;
        for pixel in rgba {
            let value =
                channels.iter().zip(pixel).fold(0, |value, (channel, &shown)| value | channel.stored(shown));
            bytes.extend(value.to_le_bytes().iter().take(len));
        }
        Ok(bytes)
    }
}

/// Where a channel stands.
struct Channel {
    mask: u32,
    shift: u32,
    highest: u32,
    /// What the lowest numbers show: division takes most of the time of a picture.
    shown: [u8; 256],
}

impl Channel {
    fn new(mask: u32) -> Self {
        let shift = mask.trailing_zeros();
        let highest = mask.checked_shr(shift).unwrap_or(0);
        let mut shown = [0; 256];
        for (raw, shown) in (0..).zip(&mut shown) {
            *shown = scaled(raw, highest);
        }
        Channel { mask, shift, highest, shown }
    }

    fn get(&self, value: u32) -> u8 {
        let raw = (value & self.mask).checked_shr(self.shift).unwrap_or(0);
        self.shown.get(count(raw)).copied().unwrap_or_else(|| scaled(raw, self.highest))
    }

    /// The lowest number that shows this or more, or the one below it if that comes nearer.
    fn stored(&self, shown: u8) -> u32 {
        let highest = u64::from(self.highest);
        let above = u64::from(shown).saturating_mul(highest).div_ceil(0xff).min(highest);
        let placed = |raw: u64| {
            let raw = u32::try_from(raw).unwrap_or(u32::MAX);
            raw.checked_shl(self.shift).unwrap_or(0) & self.mask
        };
        let off = |raw: u64| self.get(placed(raw)).abs_diff(shown);
        let below = above.saturating_sub(1);
        if off(below) < off(above) { placed(below) } else { placed(above) }
    }
}

/// A number of a channel in eight bits, rounded down.
fn scaled(raw: u32, highest: u32) -> u8 {
    let shown = u64::from(raw).saturating_mul(0xff).checked_div(highest.into()).unwrap_or(0);
    low(u32::try_from(shown.min(0xff)).unwrap_or(0xff))
}
