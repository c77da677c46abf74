//! Bits → frames.

use galvani_core::BitReader;
use galvani_core::bytes::top_signed;

use super::codes::{self, Table};
use super::{Frames, first_frame_bits, least_frame_bits};
use crate::pack::AngleKey;

/// A stream and what is needed to read it.
#[derive(Debug, Clone, Copy)]
pub struct Stream<'a> {
    /// Its bytes, and whatever follows them in the entry.
    pub bytes: &'a [u8],
    /// Bytes it says it has.
    pub size: u16,
    /// Its precision.
    pub key: AngleKey,
    /// Rotations in a frame.
    pub rotations: usize,
}

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stop {
    /// As the game does: the bytes begun are counted whole and without a sign, and no frame reaches past the
    /// stream (docs/formats/ff7-pack.md#stop-rule).
    #[default]
    Engine,
    /// As the format's first description prints it: whole bytes read, in signed 16 bits. It reads on into what
    /// follows the stream and, behind that, zeros. Its counter overflows at 32 768 bytes; there we stop.
    Printed,
}

/// Where reading ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct End {
    /// Whole frames.
    pub frames: usize,
    /// The bit behind the last of them.
    pub bit: usize,
    /// Whether the stream ends inside a frame.
    pub is_cut: bool,
}

/// One frame, to be filled again and again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frame {
    /// Where the root is.
    pub position: [i16; 3],
    /// X, Y and Z of each rotation, the root's first.
    pub bones: Vec<[i16; 3]>,
}

#[cfg(test)]
thread_local! {
    /// Streams decoded so far.
    pub(crate) static DECODED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

impl<'a> Stream<'a> {
    /// All frames into rows that keep their room: once they have grown, nothing is allocated.
    pub fn decode(&self, stop: Stop, frames: &mut Frames) -> End {
        #[cfg(test)]
        DECODED.set(DECODED.get().saturating_add(1));
        frames.clear(self.rotations);
        let bytes = self.readable(stop);
        let total = bytes.len().saturating_mul(8);
        if first_frame_bits(self.rotations, self.key) > total {
            return End { is_cut: true, ..End::default() };
        }
        let mut bits = BitReader::new(bytes, 0);
        frames.positions.push(plain_position(&mut bits));
        frames
            .angles
            .extend(std::iter::repeat_with(|| plain_rotation(&mut bits, self.key)).take(self.rotations));
        let table = codes::table(self.key);
        let mut end = End { frames: 1, bit: bits.bit(), is_cut: false };
        while self.goes_on(stop, end.bit) {
            if stop == Stop::Engine && end.bit.saturating_add(least_frame_bits(self.rotations)) > total {
                return End { is_cut: true, ..end };
            }
            next_row(&mut bits, table, frames);
            if stop == Stop::Engine && bits.is_past() {
                frames.pop();
                return End { is_cut: true, ..end };
            }
            end = End { frames: end.frames.saturating_add(1), bit: bits.bit(), is_cut: false };
        }
        end
    }

    /// One frame, as the format's first description has it: from a bit offset, 0 for the first frame, into a
    /// buffer that holds the frame before. Gives the offset of the next frame, or 0 behind the last. What is
    /// missing of a frame that the stream cuts is read as zeros.
    pub fn load_frame(&self, stop: Stop, bit: usize, frame: &mut Frame) -> usize {
        let end = self.fill(stop, bit, frame);
        if self.goes_on(stop, end) { end } else { 0 }
    }

    /// Fills a frame and gives the bit behind it.
    fn fill(&self, stop: Stop, bit: usize, frame: &mut Frame) -> usize {
        let mut bits = BitReader::new(self.readable(stop), bit);
        frame.bones.resize(self.rotations, [0; 3]);
        if bit == 0 {
            frame.position = plain_position(&mut bits);
            frame.bones.fill_with(|| plain_rotation(&mut bits, self.key));
        } else {
            frame.position = added(frame.position, position_delta(&mut bits));
            for bone in &mut frame.bones {
                *bone = added(*bone, rotation_delta(&mut bits, codes::table(self.key)));
            }
        }
        bits.bit()
    }

    /// Whole frames, one after the other, each with the bit it starts at.
    pub fn frames(&self, stop: Stop) -> FrameIter<'a> {
        FrameIter { stream: *self, stop, bit: Some(0), frame: Frame::default() }
    }

    /// How many frames the rule finds, and where the last one ends.
    pub fn end(&self, stop: Stop, rows: &mut Frames) -> End {
        let held = u16::try_from(self.bytes.len()).unwrap_or(u16::MAX);
        if stop == Stop::Engine || self.size <= held || self.size.cast_signed() < 0 {
            return self.decode(stop, rows);
        }
        // Behind the entry's last byte every frame is the same few zeros: they are counted, not read.
        let inside = Stream { size: held, ..*self };
        let mut end = inside.decode(stop, rows);
        if end.frames > 0 && self.goes_on(stop, end.bit) {
            let wanted = usize::from(self.size).saturating_mul(8).saturating_sub(end.bit);
            let more = wanted.div_ceil(least_frame_bits(self.rotations).max(1));
            end.frames = end.frames.saturating_add(more);
            end.bit = end.bit.saturating_add(more.saturating_mul(least_frame_bits(self.rotations)));
        }
        end
    }

    /// The bytes that the rule may look at.
    fn readable(&self, stop: Stop) -> &'a [u8] {
        match stop {
            Stop::Engine => self.bytes.get(..usize::from(self.size)).unwrap_or(self.bytes),
            Stop::Printed => self.bytes,
        }
    }

    /// Whether another frame follows the bit at which one ended.
    fn goes_on(&self, stop: Stop, bit: usize) -> bool {
        match stop {
            Stop::Engine => bit.div_ceil(8) < usize::from(self.size),
            Stop::Printed => i16::try_from(bit / 8).is_ok_and(|bytes| bytes < self.size.cast_signed()),
        }
    }
}

/// Whole frames, one after the other.
#[derive(Debug, Clone)]
pub struct FrameIter<'a> {
    stream: Stream<'a>,
    stop: Stop,
    bit: Option<usize>,
    frame: Frame,
}

impl Iterator for FrameIter<'_> {
    /// The bit a frame starts at, and the frame.
    type Item = (usize, Frame);

    fn next(&mut self) -> Option<Self::Item> {
        let (start, stream) = (self.bit?, self.stream);
        let total = stream.readable(self.stop).len().saturating_mul(8);
        let least = match start {
            0 => first_frame_bits(stream.rotations, stream.key),
            _ => start.saturating_add(least_frame_bits(stream.rotations)),
        };
        if least > total && (start == 0 || self.stop == Stop::Engine) {
            self.bit = None;
            return None;
        }
        let end = stream.fill(self.stop, start, &mut self.frame);
        self.bit = stream.goes_on(self.stop, end).then_some(end);
        if self.stop == Stop::Engine && end > total {
            self.bit = None;
            return None;
        }
        Some((start, self.frame.clone()))
    }
}

fn plain_position(bits: &mut BitReader<'_>) -> [i16; 3] {
    [(); 3].map(|()| low(bits.signed(16)))
}

fn plain_rotation(bits: &mut BitReader<'_>, key: AngleKey) -> [i16; 3] {
    [(); 3].map(|()| low(bits.signed(key.bits())).wrapping_shl(key.shift()))
}

/// A row behind the last one: each value that one's and its difference.
fn next_row(bits: &mut BitReader<'_>, table: &Table, frames: &mut Frames) {
    let before = frames.positions.last().copied().unwrap_or_default();
    frames.positions.push(added(before, position_delta(bits)));
    let start = frames.angles.len().saturating_sub(frames.rotations);
    frames.angles.resize(frames.angles.len().saturating_add(frames.rotations), [0; 3]);
    let Some((before, after)) =
        frames.angles.get_mut(start..).and_then(|rows| rows.split_at_mut_checked(frames.rotations))
    else {
        return;
    };
    let mut at = *bits;
    for (before, after) in before.iter().zip(after) {
        *after = added(*before, rotation_delta(&mut at, table));
    }
    *bits = at;
}

#[inline]
fn added(before: [i16; 3], delta: [i16; 3]) -> [i16; 3] {
    let ([x, y, z], [dx, dy, dz]) = (before, delta);
    [x.wrapping_add(dx), y.wrapping_add(dy), z.wrapping_add(dz)]
}

/// The differences of a position: one window serves all three, 51 bits at most.
#[inline]
fn position_delta(bits: &mut BitReader<'_>) -> [i16; 3] {
    let window = bits.window();
    let (x, first) = shift(window);
    let (y, second) = shift(window << first);
    let second = first.wrapping_add(second);
    let (z, third) = shift(window << second);
    bits.skip(second.wrapping_add(third));
    [x, y, z]
}

/// The difference on top of a window, and its bits: 7 behind a 0, 16 behind a 1.
#[inline]
fn shift(window: u64) -> (i16, u32) {
    let nine_less = if window >> 63 == 0 { 9 } else { 0 };
    (low(top_signed(window << 1, 16)) >> nine_less, 17_u32.wrapping_sub(nine_less))
}

/// The differences of a rotation: one window serves all three, 48 bits at most. Written out, for each code
/// waits for the length of the one before, and should wait for nothing else.
#[inline]
fn rotation_delta(bits: &mut BitReader<'_>, table: &Table) -> [i16; 3] {
    let window = bits.window();
    let first = table.more_bits(window);
    let behind_first = window << 1 << first;
    let second = table.more_bits(behind_first);
    let behind_second = behind_first << 1 << second;
    let third = table.more_bits(behind_second);
    let taken = first.wrapping_add(second).wrapping_add(third).wrapping_add(3);
    bits.skip(u32::try_from(taken).unwrap_or(0));
    [window, behind_first, behind_second].map(|window| table.delta(window))
}

/// A number of at most 16 signed bits.
#[inline]
fn low(value: i32) -> i16 {
    i16::try_from(value).unwrap_or(0)
}
