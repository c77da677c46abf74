//! What a pixel is (docs/formats/texm.md#formats).

use std::fmt;

/// What a pixel is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// 0: an index into the texture's own palette.
    Indexed,
    /// 2: an index into a palette elsewhere; letters of fonts.
    External,
    /// 565: five bits of red, six of green, five of blue.
    Rgb565,
    /// 556: five bits of red, five of green, six of blue.
    Rgb556,
    /// 4444: four bits of alpha, red, green, blue.
    Argb4444,
    /// 88: luminance below alpha.
    LumAlpha88,
    /// 888: blue, green, red and a byte without meaning.
    Rgb888,
    /// 8888: blue, green, red, alpha.
    Argb8888,
}

/// How many bits blue, green, red and alpha have, from the lowest on.
type Bits = [u32; 4];

impl Format {
    /// Every format.
    pub const ALL: [Format; 8] = [
        Format::Indexed,
        Format::External,
        Format::Rgb565,
        Format::Rgb556,
        Format::Argb4444,
        Format::LumAlpha88,
        Format::Rgb888,
        Format::Argb8888,
    ];

    /// The format of a number.
    pub fn from_number(number: u32) -> Option<Self> {
        Format::ALL.into_iter().find(|format| format.number() == number)
    }

    /// Its number in a header, in which people read its bits.
    pub fn number(self) -> u32 {
        match self {
            Format::Indexed => 0,
            Format::External => 2,
            Format::Rgb565 => 565,
            Format::Rgb556 => 556,
            Format::Argb4444 => 4444,
            Format::LumAlpha88 => 88,
            Format::Rgb888 => 888,
            Format::Argb8888 => 8888,
        }
    }

    /// Bytes of a pixel.
    pub fn pixel_bytes(self) -> usize {
        match self {
            Format::Indexed | Format::External => 1,
            Format::Rgb565 | Format::Rgb556 | Format::Argb4444 | Format::LumAlpha88 => 2,
            Format::Rgb888 | Format::Argb8888 => 4,
        }
    }

    /// Whether pixels are indices.
    pub fn is_indexed(self) -> bool {
        self.pixel_bytes() == 1
    }

    /// Whether a pixel has bits of alpha.
    pub fn has_alpha(self) -> bool {
        matches!(self, Format::Argb4444 | Format::LumAlpha88 | Format::Argb8888)
    }

    /// The bits of the channels; none of indices.
    fn bits(self) -> Bits {
        match self {
            Format::Indexed | Format::External => [0; 4],
            Format::Rgb565 => [5, 6, 5, 0],
            Format::Rgb556 => [6, 5, 5, 0],
            Format::Argb4444 => [4; 4],
            Format::LumAlpha88 => [8, 0, 0, 8],
            Format::Rgb888 | Format::Argb8888 => [8; 4],
        }
    }

    /// The channels of a pixel as they stand in it, from the lowest on.
    pub(super) fn channels(self, value: u32) -> [u32; 4] {
        let mut rest = value;
        self.bits().map(|bits| {
            let channel = rest & low(bits);
            rest = rest.checked_shr(bits).unwrap_or(0);
            channel
        })
    }

    /// The pixel of such channels.
    pub(super) fn value(self, channels: [u32; 4]) -> u32 {
        let mut shift = 0_u32;
        self.bits().into_iter().zip(channels).fold(0, |value, (bits, channel)| {
            let placed = (channel & low(bits)).checked_shl(shift).unwrap_or(0);
            shift = shift.saturating_add(bits);
            value | placed
        })
    }

    /// A pixel with the alpha of another.
    pub(super) fn with_alpha_of(self, pixel: u32, other: u32) -> u32 {
        let ([blue, green, red, own], [_, _, _, others]) = (self.channels(pixel), self.channels(other));
        self.value([blue, green, red, if self.has_alpha() { others } else { own }])
    }

    /// What a pixel shows: its high bits again in the low ones that it does not have. Without alpha it is opaque.
    pub(super) fn rgba(self, value: u32) -> [u8; 4] {
        let [blue_bits, green_bits, red_bits, alpha_bits] = self.bits();
        let [blue, green, red, alpha] = self.channels(value);
        let luminance = widened(blue, blue_bits);
        let opaque = if self.has_alpha() { widened(alpha, alpha_bits) } else { 0xff };
        match self {
            Format::LumAlpha88 => [luminance, luminance, luminance, opaque],
            _ => [widened(red, red_bits), widened(green, green_bits), luminance, opaque],
        }
    }

    /// The pixel that comes nearest to a colour; what has no meaning is 0.
    pub(super) fn nearest(self, [red, green, blue, alpha]: [u8; 4]) -> u32 {
        let alpha = if self.has_alpha() { alpha } else { 0 };
        let shown = match self {
            Format::LumAlpha88 => [luminance([red, green, blue]), 0, 0, alpha],
            _ => [blue, green, red, alpha],
        };
        let mut channels = [0; 4];
        for ((channel, shown), bits) in channels.iter_mut().zip(shown).zip(self.bits()) {
            *channel = narrowed(shown, bits);
        }
        self.value(channels)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

/// So many bits, all set.
fn low(bits: u32) -> u32 {
    u32::MAX.checked_shr(32_u32.saturating_sub(bits)).unwrap_or(0)
}

/// A channel as a byte.
fn widened(channel: u32, bits: u32) -> u8 {
    let high = channel.checked_shl(8_u32.saturating_sub(bits)).unwrap_or(0);
    let again = high.checked_shr(bits).unwrap_or(0);
    u8::try_from(high | again).unwrap_or(u8::MAX)
}

/// The channel that comes nearest to a byte.
fn narrowed(shown: u8, bits: u32) -> u32 {
    u32::from(shown).saturating_mul(low(bits)).saturating_add(127) / 255
}

/// How bright a colour is.
fn luminance([red, green, blue]: [u8; 3]) -> u8 {
    let parts = [(red, 299_u32), (green, 587), (blue, 114)];
    let sum = parts
        .into_iter()
        .fold(500_u32, |sum, (channel, part)| sum.saturating_add(part.saturating_mul(channel.into())));
    u8::try_from(sum / 1000).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_pixel_shows_is_that_pixel_again() {
        for format in Format::ALL.into_iter().filter(|format| format.pixel_bytes() == 2) {
            for value in 0..=0xffff {
                assert_eq!(format.nearest(format.rgba(value)), value, "{format} {value:#06x}");
                assert_eq!(format.value(format.channels(value)), value);
            }
        }
        for value in [0, 0xffff_ffff, 0x1234_5678] {
            assert_eq!(Format::Argb8888.nearest(Format::Argb8888.rgba(value)), value);
            assert_eq!(Format::Rgb888.nearest(Format::Rgb888.rgba(value)), value & 0x00ff_ffff);
        }
    }

    #[test]
    fn no_other_pixel_comes_nearer() {
        for format in [Format::Rgb565, Format::Rgb556, Format::Argb4444] {
            for shown in 0..=255_u8 {
                let [red, ..] = format.rgba(format.nearest([shown; 4]));
                let others = (0..=0xffff).map(|value| format.rgba(value)[0].abs_diff(shown));
                // The mean of two steps may go either way by one.
                assert!(red.abs_diff(shown) <= others.min().unwrap() + 1, "{format} {shown}");
            }
        }
    }
}
