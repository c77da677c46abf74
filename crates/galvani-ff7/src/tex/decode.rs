//! A texture as a picture of 8 bits per channel.

use galvani_core::{Diagnostic, Path, codes, room};
use zerocopy::little_endian::U32;

use super::{Document, Header, Image, MOST_PIXEL_BYTES, REFERENCE};

codes! {
    PIXELS_MISSING = Error, "ff7-tex.decode-pixels",
        "there are fewer pixels than the picture has",
        "the file was cut short; its findings say where";
    PIXEL_BYTES = Error, "ff7-tex.decode-pixel-bytes",
        "pixels of this size are no colours and no indices",
        "indices have one byte, colours two to four";
    NO_PALETTE = Error, "ff7-tex.decode-palette",
        "there is no such palette",
        "the outline says how many there are; textures without palettes have only palette 0";
}

/// The picture as one of the palettes colours it. Pixels without a colour in the palette are transparent black.
pub fn decode(document: &Document, palette: usize) -> Result<Image, Box<Diagnostic>> {
    let header = &document.header;
    let bytes = pixel_bytes(document)?;
    let wanted = u64::from(header.width.get()).saturating_mul(header.height.get().into());
    let found = document.pixels.len().checked_div(bytes).unwrap_or(0);
    let Some(count) = usize::try_from(wanted).ok().filter(|&wanted| wanted <= found) else {
        let said = format!("{wanted} pixels wanted, {found} found");
        return Err(Box::new(PIXELS_MISSING.at(Path::named("pixels")).saying(said)));
    };
    let mut rgba = room::with_capacity(count)?;
    if document.is_paletted() {
        let mut table = [[0; 4]; 256];
        for (place, colour) in table.iter_mut().zip(colours(document, palette)?) {
            *place = colour;
        }
        let shown = |&index: &u8| table.get(usize::from(index)).copied().unwrap_or_default();
        rgba.extend(document.pixels.iter().take(count).map(shown));
    } else {
        only_palette(palette)?;
        match NarrowChannels::new(header) {
            Some(channels) if bytes == size_of::<u16>() => {
                let (pixels, _) = document.pixels.as_chunks();
                rgba.extend(pixels.iter().take(count).map(|pixel| channels.rgba(u16::from_le_bytes(*pixel))));
            }
            _ => {
                let channels = Channels::new(header);
                let pixels = document.pixels.chunks_exact(bytes).take(count);
                rgba.extend(pixels.map(|pixel| channels.rgba(value(pixel))));
            }
        }
    }
    Ok(Image { width: header.width.get(), height: header.height.get(), rgba })
}

/// What each index of a palette shows.
pub fn colours(document: &Document, palette: usize) -> Result<Vec<[u8; 4]>, Box<Diagnostic>> {
    let Some(colours) = document.palette(palette) else {
        let there = document.palette.len().checked_div(document.palette_len()).unwrap_or(0);
        let said = format!("palette {palette} of {there}");
        return Err(Box::new(NO_PALETTE.at(Path::named("palette")).saying(said)));
    };
    let reference = u8::try_from(document.header.reference_alpha.get().min(0xff)).unwrap_or(0xff);
    let shown = |colour: &super::Colour| {
        let [blue, green, red, alpha] = colour.bgra;
        [red, green, blue, if alpha == REFERENCE { reference } else { alpha }]
    };
    let mut colours: Vec<[u8; 4]> = colours.iter().map(shown).collect();
    if document.is_keyed(palette)
        && let Some([_, _, _, alpha]) = colours.first_mut()
    {
        *alpha = 0;
    }
    Ok(colours)
}

/// Bytes of a pixel, if such pixels can be decoded.
pub(super) fn pixel_bytes(document: &Document) -> Result<usize, Box<Diagnostic>> {
    let bytes = document.header.bytes_per_pixel.get();
    let known = if document.is_paletted() { 1..=1 } else { 2..=MOST_PIXEL_BYTES };
    if !known.contains(&bytes) {
        let said = format!("{} to {} bytes wanted, {bytes} found", known.start(), known.end());
        return Err(Box::new(PIXEL_BYTES.at(Path::named("header").field("bytes_per_pixel")).saying(said)));
    }
    Ok(usize::try_from(bytes).unwrap_or(usize::MAX))
}

/// Colours have one look only.
pub(super) fn only_palette(palette: usize) -> Result<(), Box<Diagnostic>> {
    if palette == 0 {
        return Ok(());
    }
    let said = format!("palette {palette} of a texture without palettes");
    Err(Box::new(NO_PALETTE.at(Path::named("palette")).saying(said)))
}

/// The number that a pixel's bytes are.
pub(super) fn value(pixel: &[u8]) -> u32 {
    pixel.iter().rev().fold(0, |value, &byte| (value << 8) | u32::from(byte))
}

/// Where the channels of a pixel stand.
#[derive(Debug, Clone)]
pub(super) struct Channels([Channel; 4]);

#[derive(Debug, Clone)]
struct Channel {
    mask: u32,
    shift: u32,
    highest: u32,
    /// What the lowest numbers show: division takes most of the time of a picture.
    shown: [u8; 256],
}

impl Channels {
    pub(super) fn new(header: &Header) -> Self {
        let ([mr, mg, mb, ma], [sr, sg, sb, sa], [hr, hg, hb, ha]) =
            (header.masks, header.shifts, header.highest);
        let channel = |[mask, shift, highest]: [U32; 3]| {
            let mut shown = [0; 256];
            for (raw, shown) in (0..).zip(&mut shown) {
                *shown = scaled(raw, highest.get());
            }
            Channel { mask: mask.get(), shift: shift.get(), highest: highest.get(), shown }
        };
        Channels([[mr, sr, hr], [mg, sg, hg], [mb, sb, hb], [ma, sa, ha]].map(channel))
    }

    /// What a pixel shows. Without alpha it is opaque.
    pub(super) fn rgba(&self, value: u32) -> [u8; 4] {
        let [red, green, blue, alpha] = &self.0;
        let opaque = if alpha.is_absent() { 0xff } else { alpha.get(value) };
        [red.get(value), green.get(value), blue.get(value), opaque]
    }

    /// The pixel that comes nearest, its bits outside the masks 0.
    pub(super) fn value(&self, rgba: [u8; 4]) -> u32 {
        self.0.iter().zip(rgba).fold(0, |value, (channel, shown)| value | channel.stored(shown))
    }
}

/// Channels of two bytes none of whose numbers is above its highest, and that below 256, as all games' are: without tables, of
/// steps that are the same for each pixel, so that several are worked on at once.
struct NarrowChannels {
    channels: [NarrowChannel; 4],
    /// Without alpha every pixel is opaque.
    opaque: u16,
}

/// `raw * 255 / highest` is `raw * factor >> 16` with the factor rounded up, as long as both numbers are below 256: what that
/// adds is less than one of `highest`. The factor is in two halves, so that everything has sixteen bits.
struct NarrowChannel {
    mask: u16,
    shift: u32,
    factor: [u16; 2],
}

impl NarrowChannels {
    /// Nothing if some channel is wider.
    fn new(header: &Header) -> Option<Self> {
        let mut channels = [const { NarrowChannel { mask: 0, shift: 0, factor: [0; 2] } }; 4];
        let parts = header.masks.iter().zip(&header.shifts).zip(&header.highest);
        let parts = parts.map(|((mask, shift), highest)| (mask.get(), shift.get(), highest.get()));
        for (room, (mask, shift, highest)) in channels.iter_mut().zip(parts) {
            if mask == 0 || highest == 0 {
                continue;
            }
            let (mask, highest) = (u16::try_from(mask).ok()?, u8::try_from(highest).ok()?);
            mask.checked_shr(shift).filter(|most| *most <= highest.into())?;
            let factor = (0xff_u32 << 16).div_ceil(highest.into());
            let [a, b, c, d] = factor.to_le_bytes();
            let factor = [[a, b], [c, d]].map(u16::from_le_bytes);
            *room = NarrowChannel { mask, shift, factor };
        }
        let [_, _, _, alpha] = &channels;
        let opaque = if alpha.mask == 0 { 0xff } else { 0 };
        Some(NarrowChannels { channels, opaque })
    }

    fn rgba(&self, pixel: u16) -> [u8; 4] {
        let [red, green, blue, alpha] = self.channels.each_ref().map(|channel| channel.get(pixel));
        let words = u32::from(red | green << 8) | u32::from(blue | (alpha | self.opaque) << 8) << 16;
        words.to_le_bytes()
    }
}

impl NarrowChannel {
    /// At most 255.
    fn get(&self, pixel: u16) -> u16 {
        let (raw, [low, high]) = ((pixel & self.mask).wrapping_shr(self.shift), self.factor);
        let [_, _, carry @ ..] = (u32::from(raw).wrapping_mul(low.into())).to_le_bytes();
        raw.wrapping_mul(high).wrapping_add(u16::from_le_bytes(carry))
    }
}

impl Channel {
    fn is_absent(&self) -> bool {
        self.mask == 0 || self.highest == 0
    }

    fn get(&self, value: u32) -> u8 {
        let raw = (value & self.mask).checked_shr(self.shift).unwrap_or(0);
        let low = usize::try_from(raw).ok().and_then(|raw| self.shown.get(raw));
        low.map_or_else(|| scaled(raw, self.highest), |&shown| shown)
    }

    /// The lowest number that shows this or more, or the one below it if that comes nearer.
    fn stored(&self, shown: u8) -> u32 {
        if self.is_absent() {
            return 0;
        }
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

/// A number of a channel in eight bits.
fn scaled(raw: u32, highest: u32) -> u8 {
    let shown = u64::from(raw).saturating_mul(0xff).checked_div(highest.into()).unwrap_or(0);
    u8::try_from(shown.min(0xff)).unwrap_or(0xff)
}
