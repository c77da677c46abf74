//! Bit strings, most significant bit of the first byte first.

/// How many bits a [`BitReader::window`] holds at least.
pub const WINDOW: usize = 56;

/// A place in a bit string. Behind the last byte stand zeros without end; whoever reads asks [`BitReader::is_past`].
#[derive(Debug, Clone, Copy)]
pub struct BitReader<'a> {
    bytes: &'a [u8],
    /// The byte from which bits are fetched next.
    next: usize,
    /// Bits that are fetched and not taken, on top; below them zeros, or what follows them.
    held: u64,
    /// How many of them are counted, at most 63.
    count: u32,
}

impl<'a> BitReader<'a> {
    /// A reader at a bit of a string of bytes.
    pub fn new(bytes: &'a [u8], bit: usize) -> Self {
        let mut reader = BitReader { bytes, next: bit >> 3, held: 0, count: 0 };
        reader.fetch();
        reader.skip(u32::try_from(bit & 7).unwrap_or(0));
        reader
    }

    /// The bit that comes next.
    #[inline]
    pub fn bit(&self) -> usize {
        let held = usize::try_from(self.count).unwrap_or(0);
        self.next.wrapping_mul(8).wrapping_sub(held)
    }

    /// Whether bits were taken that are not there.
    #[inline]
    pub fn is_past(&self) -> bool {
        self.bit() > self.bytes.len().saturating_mul(8)
    }

    /// The next bits, the first of them on top: [`WINDOW`] of them are true, those below may be anything.
    #[inline]
    pub fn window(&mut self) -> u64 {
        self.fetch();
        self.held
    }

    /// Moves on by bits of the window that was last asked for.
    #[inline]
    pub fn skip(&mut self, bits: u32) {
        debug_assert!(bits <= self.count, "{bits} bits of {}", self.count);
        self.held = self.held.wrapping_shl(bits);
        self.count = self.count.wrapping_sub(bits);
    }

    /// Fills up with whole bytes. Where to fetch from was known before the last bits were taken, so that the
    /// processor need not wait for them.
    #[inline]
    fn fetch(&mut self) {
        let bits = match self.bytes.get(self.next..).and_then(|rest| rest.first_chunk()) {
            Some(bytes) => u64::from_be_bytes(*bytes),
            None => self.last_bits(self.next),
        };
        self.held |= bits.wrapping_shr(self.count);
        let whole = 63_u32.wrapping_sub(self.count) >> 3;
        self.next = self.next.wrapping_add(usize::try_from(whole).unwrap_or(0));
        self.count |= 0b11_1000;
    }

    /// The next bits as a signed number, at most 32 of them.
    #[inline]
    pub fn signed(&mut self, bits: u32) -> i32 {
        let value = top_signed(self.window(), bits);
        self.skip(bits);
        value
    }

    /// The bits from the last few bytes on, and zeros.
    #[cold]
    fn last_bits(&self, byte: usize) -> u64 {
        let mut word = [0; 8];
        let rest = self.bytes.get(byte..).unwrap_or_default();
        for (place, &byte) in word.iter_mut().zip(rest) {
            *place = byte;
        }
        u64::from_be_bytes(word)
    }
}

/// The top bits of a window as a signed number, at most 32 of them.
#[inline]
pub fn top_signed(window: u64, bits: u32) -> i32 {
    match bits {
        0 => 0,
        _ => i32::try_from(window.cast_signed() >> 64_u32.saturating_sub(bits)).unwrap_or(0),
    }
}

/// Bits in the making.
#[derive(Debug, Clone, Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that fill no byte yet, in the low end.
    open: u64,
    /// How many of them.
    count: u32,
}

impl BitWriter {
    /// A writer that goes on behind the bytes of a buffer, whose room it keeps.
    pub fn behind(bytes: Vec<u8>) -> Self {
        BitWriter { bytes, open: 0, count: 0 }
    }

    /// Appends the low bits of a word, at most 32 of them; what stands above them is left out.
    #[inline]
    pub fn push_bits(&mut self, word: u32, bits: u32) {
        let bits = bits.min(32);
        let kept = u64::from(word) & (1_u64 << bits).wrapping_sub(1);
        self.open = self.open << bits | kept;
        self.count = self.count.wrapping_add(bits);
        if self.count >= 32 {
            self.count = self.count.wrapping_sub(32);
            let whole = u32::try_from(self.open >> self.count & u64::from(u32::MAX)).unwrap_or(0);
            self.bytes.extend_from_slice(&whole.to_be_bytes());
        }
    }

    /// How many bits there are, those of the bytes it started behind included.
    pub fn bits(&self) -> usize {
        let open = usize::try_from(self.count).unwrap_or(0);
        self.bytes.len().saturating_mul(8).saturating_add(open)
    }

    /// The bytes; bits that are left over in the last one are those of `slack`, counted from its low end.
    pub fn finish(mut self, slack: u8) -> Vec<u8> {
        let spare = (8_u32.wrapping_sub(self.count % 8)) % 8;
        self.push_bits(u32::from(slack), spare);
        while self.count >= 8 {
            self.count = self.count.wrapping_sub(8);
            self.bytes.push(u8::try_from(self.open >> self.count & 0xff).unwrap_or(0));
        }
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_most_significant_first_and_signed() {
        let mut bits = BitReader::new(&[0b1011_0010, 0b0100_0000], 0);
        assert_eq!((bits.signed(4), bits.signed(3), bits.signed(5)), (-5, 1, 4));
        assert_eq!((bits.bit(), bits.is_past()), (12, false));
    }

    #[test]
    fn behind_the_last_byte_stand_zeros() {
        let mut bits = BitReader::new(&[0xff], 4);
        assert_eq!(bits.signed(16), i32::from(0xf000_u16.cast_signed()));
        assert!(bits.is_past());
        let mut far = BitReader::new(&[], 1 << 30);
        assert_eq!((far.window(), far.bit(), far.is_past()), (0, 1 << 30, true));
    }

    #[test]
    fn a_window_is_the_same_wherever_it_starts() {
        let bytes: Vec<u8> = (0..=255_u8).map(|i| i.wrapping_mul(151)).collect();
        for at in 0..bytes.len() * 8 {
            let slow = (at..at + WINDOW).fold(0_u64, |word, bit| {
                let byte = bytes.get(bit / 8).copied().unwrap_or(0);
                word << 1 | u64::from(byte >> (7 - bit % 8) & 1)
            });
            assert_eq!(BitReader::new(&bytes, at).window() >> (64 - WINDOW), slow, "bit {at}");
        }
    }

    #[test]
    fn a_reader_that_moved_is_one_that_started_there() {
        let bytes: Vec<u8> = (0..40_u8).map(|i| i.wrapping_mul(151)).collect();
        for bits in 1..=56_u32 {
            let (mut moved, mut at) = (BitReader::new(&bytes, 3), 3);
            while at < 400 {
                assert_eq!(
                    moved.window() >> (64 - WINDOW),
                    BitReader::new(&bytes, at).window() >> (64 - WINDOW)
                );
                assert_eq!(moved.bit(), at);
                moved.skip(bits);
                at += usize::try_from(bits).unwrap();
            }
            assert!(moved.is_past());
        }
    }

    #[test]
    fn what_is_put_is_read_again() {
        let words: Vec<(u32, u32)> =
            (0..200_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 3, i % 33)).collect();
        let mut bits = BitWriter::behind(vec![0xaa]);
        for &(word, count) in &words {
            bits.push_bits(word, count);
        }
        let total = bits.bits();
        let bytes = bits.finish(0xff);
        assert_eq!(bytes.len(), total.div_ceil(8));
        let mut bits = BitReader::new(&bytes, 8);
        for (i, (word, count)) in words.into_iter().enumerate() {
            let mask = u32::try_from((1_u64 << count) - 1).unwrap();
            assert_eq!(bits.signed(count).cast_unsigned() & mask, word & mask, "word {i}");
        }
        assert_eq!(bits.bit(), total);
        let slack = u32::try_from(bytes.len() * 8 - total).unwrap();
        assert_eq!(bits.signed(slack), if slack == 0 { 0 } else { -1 });
    }
}
