//! Blocks of four by four pixels, decoded bit by bit and slowly, from the specification of each.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::as_conversions,
    reason = "references are written plainly, and each test file uses its part of them"
)]

/// The bits of a block, the lowest bit of the first byte first.
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    fn take(&mut self, count: u32) -> u32 {
        let mut value = 0;
        for i in 0..count {
            let bit = (self.bytes[self.at / 8] >> (self.at % 8)) & 1;
            value |= u32::from(bit) << i;
            self.at += 1;
        }
        value
    }
}

fn byte(value: u32) -> u8 {
    u8::try_from(value).unwrap()
}

/// A value of so many bits spread over eight by repeating its highest bits.
fn spread(value: u32, bits: u32) -> u32 {
    let mut wide = 0;
    for i in 0..8 {
        // Bit 7 - i is bit i from the top, again and again.
        let from_top = i % bits;
        let bit = (value >> (bits - 1 - from_top)) & 1;
        wide |= bit << (7 - i);
    }
    wide
}

/// The eight bytes of colours: two colours, then two bits for each pixel. `has_three` blocks may have three colours
/// and black.
fn colours(block: &[u8], has_three: bool, cutout: bool) -> Vec<[u8; 4]> {
    let mut bits = Bits { bytes: block, at: 0 };
    let mut ends = [[0; 3]; 2];
    let mut words = [0; 2];
    for (end, word) in ends.iter_mut().zip(&mut words) {
        let blue = bits.take(5);
        let green = bits.take(6);
        let red = bits.take(5);
        *word = red * 2048 + green * 32 + blue;
        *end = [spread(red, 5), spread(green, 6), spread(blue, 5)];
    }
    let [a, b] = ends;
    let is_four = !has_three || words[0] > words[1];
    (0..16)
        .map(|_| {
            let index = bits.take(2);
            let channel = |c: usize| match (index, is_four) {
                (0, _) => a[c],
                (1, _) => b[c],
                (2, true) => (2 * a[c] + b[c]) / 3,
                (3, true) => (a[c] + 2 * b[c]) / 3,
                (2, false) => u32::midpoint(a[c], b[c]),
                _ => 0,
            };
            let hidden = index == 3 && !is_four && cutout;
            [byte(channel(0)), byte(channel(1)), byte(channel(2)), if hidden { 0 } else { 255 }]
        })
        .collect()
}

/// Eight bytes of one channel: two ends, then three bits for each pixel.
fn ramp(block: &[u8]) -> Vec<u8> {
    let mut bits = Bits { bytes: block, at: 0 };
    let (a, b) = (bits.take(8), bits.take(8));
    (0..16)
        .map(|_| {
            let index = bits.take(3);
            byte(match (index, a > b) {
                (0, _) => a,
                (1, _) => b,
                (_, true) => ((8 - index) * a + (index - 1) * b) / 7,
                (6, false) => 0,
                (7, false) => 255,
                (_, false) => ((6 - index) * a + (index - 1) * b) / 5,
            })
        })
        .collect()
}

/// The same with ends from -127 to 127, shown as the nearest of 0 to 255.
fn signed_ramp(block: &[u8]) -> Vec<u8> {
    let mut bits = Bits { bytes: block, at: 0 };
    let mut end = || i32::from(i8::from_le_bytes([byte(bits.take(8))]).max(-127));
    let (a, b) = (end(), end());
    (0..16)
        .map(|_| {
            let index = bits.take(3);
            let i = i32::try_from(index).unwrap();
            let (value, parts) = match (index, a > b) {
                (0, _) => (a, 1),
                (1, _) => (b, 1),
                (_, true) => ((8 - i) * a + (i - 1) * b, 7),
                (6, false) => (-127, 1),
                (7, false) => (127, 1),
                (_, false) => ((6 - i) * a + (i - 1) * b, 5),
            };
            // The largest that is no more than half a step above the value.
            let fits = |shown: &i32| (2 * shown - 1) * 254 * parts <= 2 * 255 * (value + 127 * parts);
            byte((0..=255).rev().find(fits).unwrap().cast_unsigned())
        })
        .collect()
}

pub fn bc1(block: &[u8], cutout: bool) -> Vec<[u8; 4]> {
    colours(block, true, cutout)
}

pub fn bc2(block: &[u8]) -> Vec<[u8; 4]> {
    let mut bits = Bits { bytes: block, at: 0 };
    let mut pixels = colours(&block[8..], false, false);
    for pixel in &mut pixels {
        pixel[3] = byte(bits.take(4) * 17);
    }
    pixels
}

pub fn bc3(block: &[u8]) -> Vec<[u8; 4]> {
    let mut pixels = colours(&block[8..], false, false);
    for (pixel, alpha) in pixels.iter_mut().zip(ramp(block)) {
        pixel[3] = alpha;
    }
    pixels
}

pub fn bc4(block: &[u8], signed: bool) -> Vec<[u8; 4]> {
    let values = if signed { signed_ramp(block) } else { ramp(block) };
    values.into_iter().map(|grey| [grey, grey, grey, 255]).collect()
}

pub fn bc5(block: &[u8], signed: bool) -> Vec<[u8; 4]> {
    let read = if signed { signed_ramp } else { ramp };
    read(block).into_iter().zip(read(&block[8..])).map(|(red, green)| [red, green, 0, 255]).collect()
}

/// How the bits of a mode are shared out: subsets, bits of the partition, rotation, selector, a colour value, an
/// alpha value, whether each end or each pair of ends has a bit more, bits of an index and of a second one.
struct Mode {
    subsets: usize,
    partition: u32,
    rotation: u32,
    selector: u32,
    colour: u32,
    alpha: u32,
    end_bit: bool,
    pair_bit: bool,
    index: u32,
    second: u32,
}

const fn mode(numbers: [u32; 10]) -> Mode {
    let [subsets, partition, rotation, selector, colour, alpha, end_bit, pair_bit, index, second] = numbers;
    Mode {
        subsets: subsets as usize,
        partition,
        rotation,
        selector,
        colour,
        alpha,
        end_bit: end_bit == 1,
        pair_bit: pair_bit == 1,
        index,
        second,
    }
}

const MODES: [Mode; 8] = [
    mode([3, 4, 0, 0, 4, 0, 1, 0, 3, 0]),
    mode([2, 6, 0, 0, 6, 0, 0, 1, 3, 0]),
    mode([3, 6, 0, 0, 5, 0, 0, 0, 2, 0]),
    mode([2, 6, 0, 0, 7, 0, 1, 0, 2, 0]),
    mode([1, 0, 2, 1, 5, 6, 0, 0, 2, 3]),
    mode([1, 0, 2, 0, 7, 8, 0, 0, 2, 2]),
    mode([1, 0, 0, 0, 7, 7, 1, 0, 4, 0]),
    mode([2, 6, 0, 0, 5, 5, 1, 0, 2, 0]),
];

/// Which of two subsets a pixel is in: a bit each, the lowest the first.
const TWO: [u16; 64] = [
    0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8,
    0xff00, 0xfff0, 0xf000, 0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce, 0x088c, 0x3110,
    0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c, 0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696,
    0xa55a, 0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660, 0x0272, 0x04e4, 0x4e40, 0x2720,
    0xc936, 0x936c, 0x39c6, 0x639c, 0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
];

/// Which of three: two bits each.
const THREE: [u32; 64] = [
    0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050,
    0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250,
    0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
    0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200,
    0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
    0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
    0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414, 0x96960000,
    0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
];

/// The pixel of the second of two subsets whose index has a bit less.
const ANCHOR_TWO: [usize; 64] = [
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2, 8, 2, 2, 8, 8, 15, 2, 8, 2, 2, 8,
    8, 2, 2, 15, 15, 6, 8, 2, 8, 15, 15, 2, 8, 2, 2, 2, 15, 15, 6, 6, 2, 6, 8, 15, 15, 2, 2, 15, 15, 15, 15,
    15, 2, 2, 15,
];

/// The same of the second of three.
const ANCHOR_THREE: [usize; 64] = [
    3, 3, 15, 15, 8, 3, 15, 15, 8, 8, 6, 6, 6, 5, 3, 3, 3, 3, 8, 15, 3, 3, 6, 10, 5, 8, 8, 6, 8, 5, 15, 15,
    8, 15, 3, 5, 6, 10, 8, 15, 15, 3, 15, 5, 15, 15, 15, 15, 3, 15, 5, 5, 5, 8, 5, 10, 5, 10, 8, 13, 15, 12,
    3, 3,
];

/// And of the third.
const ANCHOR_LAST: [usize; 64] = [
    15, 8, 8, 3, 15, 15, 3, 8, 15, 15, 15, 15, 15, 15, 15, 8, 15, 8, 15, 3, 15, 8, 15, 8, 3, 15, 6, 10, 15,
    15, 10, 8, 15, 3, 15, 10, 10, 8, 9, 10, 6, 15, 8, 15, 3, 6, 6, 8, 15, 3, 15, 15, 15, 15, 15, 15, 15, 15,
    15, 15, 3, 15, 15, 8,
];

fn weight(index: u32, bits: u32) -> u32 {
    match bits {
        2 => [0, 21, 43, 64][index as usize],
        3 => [0, 9, 18, 27, 37, 46, 55, 64][index as usize],
        _ => [0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64][index as usize],
    }
}

pub fn bc7(block: &[u8]) -> Vec<[u8; 4]> {
    let mut bits = Bits { bytes: block, at: 0 };
    let Some(number) = (0..8).find(|_| bits.take(1) == 1) else { return vec![[0; 4]; 16] };
    let mode = &MODES[number];
    let partition = bits.take(mode.partition) as usize;
    let rotation = bits.take(mode.rotation);
    let selector = bits.take(mode.selector);

    // All values of red, then of green, blue and alpha; of each subset the first end and the second.
    let ends = mode.subsets * 2;
    let mut values = vec![[0; 4]; ends];
    for channel in 0..4 {
        let width = if channel == 3 { mode.alpha } else { mode.colour };
        for value in &mut values {
            value[channel] = bits.take(width);
        }
    }
    let mut widths = [mode.colour, mode.colour, mode.colour, mode.alpha];
    if mode.end_bit || mode.pair_bit {
        let extra: Vec<u32> = if mode.end_bit {
            (0..ends).map(|_| bits.take(1)).collect()
        } else {
            (0..mode.subsets).flat_map(|_| [bits.take(1); 2]).collect()
        };
        for (value, extra) in values.iter_mut().zip(extra) {
            *value = value.map(|value| value * 2 + extra);
        }
        widths = widths.map(|width| if width > 0 { width + 1 } else { 0 });
    }
    for value in &mut values {
        for channel in 0..4 {
            value[channel] = if widths[channel] == 0 { 255 } else { spread(value[channel], widths[channel]) };
        }
    }

    let subset = |pixel: usize| match mode.subsets {
        1 => 0,
        2 => usize::from((TWO[partition] >> pixel) & 1),
        _ => ((THREE[partition] >> (2 * pixel)) & 3) as usize,
    };
    let is_anchor = |pixel: usize| {
        pixel == 0
            || (mode.subsets == 2 && pixel == ANCHOR_TWO[partition])
            || (mode.subsets == 3 && (pixel == ANCHOR_THREE[partition] || pixel == ANCHOR_LAST[partition]))
    };
    let first: Vec<u32> = (0..16).map(|pixel| bits.take(mode.index - u32::from(is_anchor(pixel)))).collect();
    let second: Vec<u32> = if mode.second == 0 {
        first.clone()
    } else {
        (0..16).map(|pixel| bits.take(mode.second - u32::from(pixel == 0))).collect()
    };
    let second_bits = if mode.second == 0 { mode.index } else { mode.second };

    (0..16)
        .map(|pixel| {
            let (a, b) = (values[subset(pixel) * 2], values[subset(pixel) * 2 + 1]);
            let mut of_colour = weight(first[pixel], mode.index);
            let mut of_alpha = weight(second[pixel], second_bits);
            if selector == 1 {
                (of_colour, of_alpha) = (of_alpha, of_colour);
            }
            let mut shown = [0; 4];
            for channel in 0..4 {
                let weight = if channel == 3 { of_alpha } else { of_colour };
                shown[channel] = byte(((64 - weight) * a[channel] + weight * b[channel] + 32) / 64);
            }
            if rotation > 0 {
                shown.swap(3, rotation as usize - 1);
            }
            shown
        })
        .collect()
}
