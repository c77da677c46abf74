//! Streams of bits as packs have them, of codes in shares that somebody gives.

use galvani_ff7::pack::AngleKey;

use crate::raw::Bits;

/// As many rotations as a player's model has, and as many frames as make a long stream.
pub(crate) const ROTATIONS: usize = 22;
pub(crate) const FRAMES: usize = 200;
/// Streams of each kind: so many that the processor does not know them by heart when they come again.
pub(crate) const STREAMS: u64 = 48;
pub(crate) const KEY: AngleKey = AngleKey::Four;

/// How often each code comes: no change, then the kinds 0 to 7.
pub(crate) type Mix = [u32; 9];

/// The shares of docs/formats/ff7-pack.md#codes with as many zeros as make 5 bits a value.
const TYPICAL: Mix = [35_000, 13_632, 19_702, 16_894, 14_662, 10_920, 7_133, 4_035, 3_835];
/// The shares as they are: 3.3 bits a value.
const OWN: Mix = [129_222, 13_632, 19_702, 16_894, 14_662, 10_920, 7_133, 4_035, 3_835];
/// Every code as likely as the others.
const BUSY: Mix = [1; 9];
/// Nothing but raw codes and zeros, half of each.
const RAW: Mix = [1, 0, 0, 0, 0, 0, 0, 0, 1];
/// Hardly anything moves.
const QUIET: Mix = [97, 1, 1, 1, 0, 0, 0, 0, 0];

pub(crate) const CASES: &[(&str, Mix)] =
    &[("typical", TYPICAL), ("own", OWN), ("busy", BUSY), ("raw", RAW), ("quiet", QUIET)];

/// Numbers in no order.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((self.0 >> 32) % u64::from(end)).unwrap()
    }

    fn bits(&mut self) -> i32 {
        i32::try_from(self.below(1 << 20)).unwrap()
    }
}

/// A stream of those codes, each seed another one.
pub(crate) fn coded(mix: &Mix, seed: u64) -> Vec<u8> {
    let (mut bits, mut random) = (Bits::default(), Random(seed));
    for _ in 0..48 + 24 * ROTATIONS {
        bits.put(random.bits() >> 9, 1);
    }
    let total = mix.iter().sum();
    for _ in 1..FRAMES {
        for _ in 0..3 {
            // One in twenty positions moves far.
            let is_far = random.below(20) == 0;
            bits.put(is_far.into(), 1).put(random.bits(), if is_far { 16 } else { 7 });
        }
        for _ in 0..3 * ROTATIONS {
            let mut pick = random.below(total);
            let kind = mix.iter().position(|&share| {
                let is_here = pick < share;
                pick = pick.wrapping_sub(share);
                is_here
            });
            match kind.unwrap() {
                0 => bits.text("0"),
                8 => bits.text("1111").put(random.bits(), KEY.bits()),
                kind => {
                    let count = u32::try_from(kind - 1).unwrap();
                    bits.text("1").put(count.cast_signed(), 3).put(random.bits(), count)
                }
            };
        }
    }
    bits.bytes(0)
}
