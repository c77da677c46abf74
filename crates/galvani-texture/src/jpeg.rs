//! JPEG streams of four components that are stored as they are: blue, green, red, alpha
//! (docs/formats/blp.md#jpeg).
//!
//! Libraries take such a stream for CMYK and turn it into something else; here no colour is converted, inverted or
//! multiplied.

use galvani_core::Image;
use jpeg_encoder::{Encoder, ImageBuffer, JpegColorType, QuantizationTableType, SamplingFactor};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

use crate::numbers::is_whole;

/// The quality of new streams unless somebody asks for another.
pub const QUALITY: u8 = 90;

/// Longest side that the size fields of a stream can say.
pub const MOST_SIDE: u32 = 65_535;

/// What the four components are.
pub const COMPONENTS: u8 = 4;

/// A stream in two pieces: what several streams begin with, and the rest of one of them. The cut may be anywhere.
#[derive(Debug, Clone, Copy)]
pub struct Stream<'a> {
    /// The common beginning.
    pub head: &'a [u8],
    /// What follows it.
    pub body: &'a [u8],
}

/// What a stream says of its picture before the picture begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    /// Pixels in a row.
    pub width: u16,
    /// Rows.
    pub height: u16,
    /// Bits of a value.
    pub precision: u8,
    /// Components.
    pub components: u8,
    /// Whether every component has a value for every pixel.
    pub is_full: bool,
    /// Whether the picture comes in several passes.
    pub is_progressive: bool,
    /// Whether a marker of Adobe's says how colours are to be converted.
    pub has_adobe: bool,
}

/// Markers, their second bytes.
mod marker {
    pub(super) const SOF0: u8 = 0xc0;
    pub(super) const SOF2: u8 = 0xc2;
    pub(super) const DHT: u8 = 0xc4;
    pub(super) const JPG: u8 = 0xc8;
    pub(super) const DAC: u8 = 0xcc;
    pub(super) const SOF15: u8 = 0xcf;
    pub(super) const RST0: u8 = 0xd0;
    pub(super) const SOI: u8 = 0xd8;
    pub(super) const EOI: u8 = 0xd9;
    pub(super) const SOS: u8 = 0xda;
    pub(super) const DQT: u8 = 0xdb;
    pub(super) const APP14: u8 = 0xee;
    pub(super) const TEM: u8 = 0x01;

    /// Whether this begins a frame.
    pub(super) fn is_frame(marker: u8) -> bool {
        (SOF0..=SOF15).contains(&marker) && ![DHT, JPG, DAC].contains(&marker)
    }
}

/// A marker and where its segment lies behind the length.
#[derive(Debug, Clone, Copy)]
struct Segment {
    marker: u8,
    /// First byte of the marker.
    at: usize,
    /// First byte behind the length.
    start: usize,
    /// Behind the last byte.
    end: usize,
}

impl Stream<'_> {
    /// Bytes of the whole stream.
    pub fn len(&self) -> usize {
        self.head.len().saturating_add(self.body.len())
    }

    /// Whether there is nothing at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The stream in one piece.
    pub fn joined(&self) -> Vec<u8> {
        [self.head, self.body].concat()
    }

    /// What the stream says of its picture; none if it does not come to that.
    pub fn frame(&self) -> Option<Frame> {
        let mut has_adobe = false;
        for segment in self.segments() {
            has_adobe |= segment.marker == marker::APP14;
            if marker::is_frame(segment.marker) {
                return self.frame_at(segment, has_adobe);
            }
        }
        None
    }

    fn frame_at(&self, Segment { marker, start, end, .. }: Segment, has_adobe: bool) -> Option<Frame> {
        let at =
            |behind: usize| self.get(start.checked_add(behind)?).filter(|_| behind < end.wrapping_sub(start));
        let word = |behind: usize| Some(u16::from_be_bytes([at(behind)?, at(behind.checked_add(1)?)?]));
        let components = at(5)?;
        let sampling = |i: usize| at(i.checked_mul(3)?.checked_add(7)?);
        let is_full = (0..usize::from(components)).all(|i| sampling(i) == Some(0x11));
        let is_progressive = marker == marker::SOF2;
        let (height, width) = (word(1)?, word(3)?);
        Some(Frame { width, height, precision: at(0)?, components, is_full, is_progressive, has_adobe })
    }

    /// The quality whose table of divisors comes nearest to the stream's first one.
    pub fn quality(&self) -> Option<u8> {
        let table = self.segments().find(|segment| segment.marker == marker::DQT)?;
        let first = table.start.checked_add(1)?;
        let values = (first..first.checked_add(64)?).map(|i| self.get(i).map(u32::from));
        let sum: u32 = values.sum::<Option<u32>>()?;
        let off = |quality: &u8| divisors(*quality).iter().map(|&d| u32::from(d)).sum::<u32>().abs_diff(sum);
        (1..=100).rev().min_by_key(off)
    }

    /// Whether so few bytes can be a picture of that size: a block of 64 pixels takes a bit at least.
    pub fn can_hold(&self, width: u32, height: u32) -> bool {
        const MOST_PIXELS: u64 = 8 * 64;
        let len = u64::try_from(self.len()).unwrap_or(u64::MAX);
        u64::from(width).saturating_mul(height.into()) <= len.saturating_mul(MOST_PIXELS)
    }

    /// The picture, no larger than this. Without alpha every pixel is to be seen.
    pub fn decode(&self, most: (u32, u32), has_alpha: bool) -> Result<Image, String> {
        let frame = self.frame().ok_or("no frame in the stream")?;
        if frame.components != COMPONENTS {
            return Err(format!("{COMPONENTS} components wanted, {} found", frame.components));
        }
        let (width, height) = (u32::from(frame.width), u32::from(frame.height));
        if width == 0 || height == 0 || width > most.0 || height > most.1 {
            let (w, h) = most;
            return Err(format!("at most {w} × {h} pixels wanted, {width} × {height} found"));
        }
        if !self.can_hold(width, height) {
            return Err(format!("{width} × {height} pixels in {} bytes", self.len()));
        }
        let mut rgba = vec![[0; 4]; usize::from(frame.width).saturating_mul(frame.height.into())];
        let joined = self.joined();
        let options = DecoderOptions::default()
            .jpeg_set_out_colorspace(ColorSpace::CMYK)
            .set_max_width(frame.width.into())
            .set_max_height(frame.height.into());
        let mut decoder = JpegDecoder::new_with_options(ZCursor::new(joined.as_slice()), options);
        decoder.decode_headers().map_err(|error| error.to_string())?;
        // Whoever finds two frames in a stream may take another one than we did.
        if decoder.dimensions() != Some((frame.width.into(), frame.height.into()))
            || decoder.output_buffer_size() != Some(rgba.as_flattened().len())
            || decoder.input_colorspace() != Some(ColorSpace::CMYK)
        {
            return Err("the stream does not keep to its first frame".to_owned());
        }
        decoder.decode_into(rgba.as_flattened_mut()).map_err(|error| error.to_string())?;
        for pixel in &mut rgba {
            let [blue, green, red, alpha] = *pixel;
            *pixel = [red, green, blue, if has_alpha { alpha } else { 255 }];
        }
        Ok(Image { width, height, rgba })
    }

    /// Segments up to the first that begins a picture's values.
    fn segments(&self) -> impl Iterator<Item = Segment> {
        let mut next = 0_usize;
        std::iter::from_fn(move || {
            let segment = self.segment(next)?;
            next = segment.end;
            Some(segment).filter(|segment| segment.marker != marker::SOS && segment.marker != marker::EOI)
        })
    }

    fn segment(&self, at: usize) -> Option<Segment> {
        if self.get(at)? != 0xff {
            return None;
        }
        let behind = (at.checked_add(1)?..self.len()).find(|&i| self.get(i) != Some(0xff))?;
        let marker = self.get(behind)?;
        let start = behind.checked_add(1)?;
        if (marker::RST0..=marker::SOI).contains(&marker) || marker == marker::TEM || marker == marker::EOI {
            return Some(Segment { marker, at, start, end: start });
        }
        let len = u16::from_be_bytes([self.get(start)?, self.get(start.checked_add(1)?)?]);
        let end = start.checked_add(usize::from(len).max(2))?;
        Some(Segment { marker, at, start: start.checked_add(2)?, end })
    }

    fn get(&self, at: usize) -> Option<u8> {
        let into_body = at.checked_sub(self.head.len());
        into_body.map_or_else(|| self.head.get(at), |at| self.body.get(at)).copied()
    }
}

/// The divisors of a quality from 1 to 100, as the Independent JPEG Group scales the standard's own.
fn divisors(quality: u8) -> [u16; 64] {
    #[rustfmt::skip]
    const STANDARD: [u16; 64] = [
        16, 11, 10, 16,  24,  40,  51,  61,
        12, 12, 14, 19,  26,  58,  60,  55,
        14, 13, 16, 24,  40,  57,  69,  56,
        14, 17, 22, 29,  51,  87,  80,  62,
        18, 22, 37, 56,  68, 109, 103,  77,
        24, 35, 55, 64,  81, 104, 113,  92,
        49, 64, 78, 87, 103, 121, 120, 101,
        72, 92, 95, 98, 112, 100, 103,  99,
    ];
    let quality = u32::from(quality.clamp(1, 100));
    let percent = if quality < 50 {
        5000_u32.checked_div(quality).unwrap_or(5000)
    } else {
        200_u32.saturating_sub(quality.saturating_mul(2))
    };
    STANDARD.map(|divisor| {
        let scaled = u32::from(divisor).saturating_mul(percent).saturating_add(50) / 100;
        u16::try_from(scaled.clamp(1, 255)).unwrap_or(255)
    })
}

/// A picture as a stream, with alpha or without; none if it has not as many pixels as its size says, or more than
/// a stream can hold.
pub fn encode(image: &Image, quality: u8, has_alpha: bool) -> Option<Vec<u8>> {
    if !is_whole(image) {
        return None;
    }
    let planes = Planes {
        width: u16::try_from(image.width).ok()?,
        height: u16::try_from(image.height).ok()?,
        rgba: &image.rgba,
        has_alpha,
    };
    let mut stream = Vec::new();
    let mut encoder = Encoder::new(&mut stream, quality.clamp(1, 100));
    let table = || QuantizationTableType::Custom(Box::new(divisors(quality)));
    // Colour and alpha are alike to a texture: one table for all.
    encoder.set_quantization_tables(table(), table());
    encoder.set_sampling_factor(SamplingFactor::F_1_1);
    encoder.encode_image(planes).ok()?;
    ordered(&stream)
}

/// The rows of a picture as the encoder wants them.
struct Planes<'a> {
    width: u16,
    height: u16,
    rgba: &'a [[u8; 4]],
    has_alpha: bool,
}

impl ImageBuffer for Planes<'_> {
    /// The kind of four components of which two share each set of codes; nothing is converted on the way.
    fn get_jpeg_color_type(&self) -> JpegColorType {
        JpegColorType::Ycck
    }

    fn width(&self) -> u16 {
        self.width
    }

    fn height(&self) -> u16 {
        self.height
    }

    fn fill_buffers(&self, y: u16, [blues, greens, reds, alphas]: &mut [Vec<u8>; 4]) {
        let row = self.rgba.chunks(usize::from(self.width).max(1)).nth(y.into()).unwrap_or_default();
        for &[red, green, blue, alpha] in row {
            blues.push(blue);
            greens.push(green);
            reds.push(red);
            alphas.push(if self.has_alpha { alpha } else { 255 });
        }
    }
}

/// The same stream without what only viewers look at, tables before the frame, and one table of divisors for all.
fn ordered(stream: &[u8]) -> Option<Vec<u8>> {
    let whole = Stream { head: &[], body: stream };
    let bytes = |segment: &Segment| stream.get(segment.at..segment.end);
    let mut ordered = vec![0xff, marker::SOI];
    let (mut frame, mut end) = (None, 0);
    for segment in whole.segments() {
        match segment.marker {
            marker::DQT if stream.get(segment.start) == Some(&0) => ordered.extend(bytes(&segment)?),
            marker::DHT => ordered.extend(bytes(&segment)?),
            marker::SOF0 => frame = Some(bytes(&segment)?.to_vec()),
            _ => {}
        }
        end = segment.end;
    }
    let mut frame = frame?;
    // Behind marker, length, precision, size and count: id, sampling, table of each component.
    let tables = frame.get_mut(10..)?.iter_mut().skip(2).step_by(3);
    tables.for_each(|table| *table = 0);
    ordered.extend(frame);
    ordered.extend(stream.get(end..)?);
    Some(ordered)
}

/// Streams as what all begin with, and the rest of each. The cut falls before the first frame where all are alike
/// so far.
pub fn shared_head(streams: &[Vec<u8>]) -> usize {
    let Some((first, others)) = streams.split_first() else { return 0 };
    let common = |other: &Vec<u8>| first.iter().zip(other).take_while(|(a, b)| a == b).count();
    let alike = others.iter().map(common).fold(first.len(), usize::min);
    let whole = Stream { head: &[], body: first };
    let frame = whole.segments().find(|segment| marker::is_frame(segment.marker));
    frame.map_or(alike, |frame| frame.at.min(alike))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture() -> Image {
        let shade = |i: u32| {
            [i * 7 % 256, i * 3 % 256, 255 - i % 256, i * 11 % 200].map(|v| u8::try_from(v).unwrap())
        };
        Image { width: 16, height: 11, rgba: (0..176).map(|i| shade(i / 4)).collect() }
    }

    #[test]
    fn a_stream_says_what_it_is_and_which_quality_it_has() {
        for quality in [5, 30, 50, 75, 90, 95, 100] {
            let bytes = encode(&picture(), quality, true).unwrap();
            for cut in [0, 2, bytes.len() / 2, bytes.len()] {
                let (head, body) = bytes.split_at(cut);
                let stream = Stream { head, body };
                let frame = stream.frame().unwrap();
                assert_eq!((frame.width, frame.height, frame.components), (16, 11, 4));
                assert!(frame.is_full && !frame.is_progressive && !frame.has_adobe);
                assert_eq!(stream.quality(), Some(quality));
                assert_eq!((stream.len(), stream.is_empty()), (bytes.len(), false));
            }
        }
    }

    #[test]
    fn a_picture_larger_than_its_bytes_can_say_is_refused() {
        let mut bytes = encode(&picture(), 90, true).unwrap();
        let frame = bytes.windows(2).position(|marker| marker == [0xff, 0xc0]).unwrap();
        bytes[frame + 5..frame + 9].copy_from_slice(&[0xff; 4]);
        let stream = Stream { head: &[], body: &bytes };
        assert!(!stream.can_hold(65_535, 65_535) && stream.can_hold(16, 11));
        let said = stream.decode((65_535, 65_535), true).unwrap_err();
        assert_eq!(said, format!("65535 × 65535 pixels in {} bytes", bytes.len()));
    }

    #[test]
    fn the_best_quality_is_nearly_the_picture() {
        let (image, bytes) = (picture(), encode(&picture(), 100, true).unwrap());
        let shown = Stream { head: &bytes, body: &[] }.decode((16, 11), true).unwrap();
        let found = galvani_core::image::difference(&image, &shown).unwrap();
        assert!(found.most <= 3, "{found:?}");
        let opaque = Stream { head: &bytes, body: &[] }.decode((16, 11), false).unwrap();
        assert!(opaque.rgba.iter().all(|&[.., alpha]| alpha == 255));
    }

    #[test]
    fn streams_share_what_stands_before_the_frame() {
        let small = Image { width: 1, height: 1, rgba: vec![[1, 2, 3, 4]] };
        let streams = [encode(&picture(), 90, true).unwrap(), encode(&small, 90, true).unwrap()];
        let cut = shared_head(&streams);
        assert_eq!(streams[0][cut..cut + 2], [0xff, 0xc0]);
        assert_eq!(shared_head(&streams[..1]), cut);
        let other = encode(&small, 10, true).unwrap();
        assert!(shared_head(&[streams[0].clone(), other]) < cut);
        assert_eq!(shared_head(&[]), 0);
        assert_eq!(shared_head(&[vec![1, 2], vec![]]), 0);
    }

    #[test]
    fn a_picture_larger_than_promised_is_not_decoded() {
        let bytes = encode(&picture(), 90, true).unwrap();
        let refused = Stream { head: &bytes, body: &[] }.decode((16, 10), true).unwrap_err();
        assert_eq!(refused, "at most 16 × 10 pixels wanted, 16 × 11 found");
        assert_eq!(encode(&Image { width: 2, ..picture() }, 90, true), None);
    }
}
