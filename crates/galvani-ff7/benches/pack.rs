//! FF7's bit streams: decoding beside a bit at a time and a general reader of bits, encoding beside decoding.
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run may stop")]

#[path = "../tests/common/pack_raw.rs"]
mod raw;
#[path = "../tests/common/pack_reference.rs"]
mod reference;

use std::hint::black_box;

use bitter::{BigEndianReader, BitReader};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use galvani_ff7::pack::AngleKey;
use galvani_ff7::pack::codec::{Frames, Stop, Stream, encode};
use raw::Bits;
use reference::{Rule, load_all};

/// As many rotations as a player's model has, and as many frames as make a long stream.
const ROTATIONS: usize = 22;
const FRAMES: usize = 200;
/// Streams of each kind: so many that the processor does not know them by heart when they come again.
const STREAMS: u64 = 48;
const KEY: AngleKey = AngleKey::Four;

/// How often each code comes: no change, then the kinds 0 to 7.
type Mix = [u32; 9];

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

const CASES: &[(&str, Mix)] =
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
fn coded(mix: &Mix, seed: u64) -> Vec<u8> {
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

/// What one would write with a general reader of bits.
fn with_bitter(stream: &Stream<'_>, frames: &mut Frames) -> Option<()> {
    let bytes = &stream.bytes[..usize::from(stream.size)];
    let mut bits = BigEndianReader::new(bytes);
    let (shift, width) = (stream.key.shift(), stream.key.bits());
    frames.clear(stream.rotations);
    let short = |value: i64| i16::try_from(value).unwrap_or(0);
    let mut position = [0_i16; 3];
    let mut row = vec![[0_i16; 3]; stream.rotations];
    for value in &mut position {
        *value = short(bits.read_signed_bits(16)?);
    }
    for value in row.iter_mut().flatten() {
        *value = short(bits.read_signed_bits(width)?) << shift;
    }
    frames.push(position, &row);
    // Another frame as long as a byte is left that was not begun.
    while bits.bits_remaining()? >= 8 {
        for value in &mut position {
            let width = if bits.read_bit()? { 16 } else { 7 };
            *value = value.wrapping_add(short(bits.read_signed_bits(width)?));
        }
        for value in row.iter_mut().flatten() {
            if !bits.read_bit()? {
                continue;
            }
            let step = match bits.read_bits(3)? {
                0 => -1,
                7 => bits.read_signed_bits(width)?,
                count => {
                    let count = u32::try_from(count).ok()?;
                    let (step, half) = (bits.read_signed_bits(count)?, 1 << (count - 1));
                    if step < 0 { step - half } else { step + half }
                }
            };
            *value = value.wrapping_add(short(step << shift));
        }
        frames.push(position, &row);
    }
    Some(())
}

fn streams(c: &mut Criterion) {
    for (name, mix) in CASES {
        let bytes: Vec<Vec<u8>> = (0..STREAMS).map(|seed| coded(mix, seed)).collect();
        let stream = |bytes| {
            let size = u16::try_from(<[u8]>::len(bytes)).unwrap();
            Stream { bytes, size, key: KEY, rotations: ROTATIONS }
        };
        let all: Vec<Stream<'_>> = bytes.iter().map(|bytes| stream(bytes)).collect();
        let decoded: Vec<Frames> = all.iter().map(decode).collect();
        let mut rows = Frames::default();
        let mut group = c.benchmark_group(format!("ff7 pack {name}"));
        group.throughput(Throughput::Elements(ELEMENTS));
        let id = BenchmarkId::from_parameter;
        group.bench_function(id("decode"), |b| {
            b.iter(|| all.iter().map(|stream| stream.decode(Stop::Engine, &mut rows).frames).sum::<usize>());
        });
        group.bench_function(id("encode"), |b| {
            b.iter(|| decoded.iter().map(|frames| encode(black_box(frames), KEY, 0).bits).sum::<usize>());
        });
        group.bench_function(id("bitter"), |b| {
            b.iter(|| all.iter().filter_map(|stream| with_bitter(stream, &mut rows)).count());
        });
        group.bench_function(id("bit at a time"), |b| {
            let load = |it: &Stream<'_>| load_all(it.bytes, it.size, KEY.shift(), ROTATIONS, Rule::Engine);
            b.iter(|| all.iter().map(|stream| load(stream).frames.len()).sum::<usize>());
        });
        group.finish();
    }
}

/// Components of rotations in all streams of a kind.
const ELEMENTS: u64 = STREAMS * 3 * ROTATIONS as u64 * FRAMES as u64;

/// The frames of a stream, which both readers must find.
fn decode(stream: &Stream<'_>) -> Frames {
    let (mut frames, mut others) = (Frames::default(), Frames::default());
    assert_eq!(stream.decode(Stop::Engine, &mut frames).frames, FRAMES);
    with_bitter(stream, &mut others).unwrap();
    assert_eq!(frames, others);
    frames
}

criterion_group!(benches, streams);
criterion_main!(benches);
