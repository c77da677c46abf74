//! FF7's bit streams: decoding beside a bit at a time and a general reader of bits, encoding beside decoding.
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run may stop")]

mod common {
    pub(crate) mod coded;
}
#[path = "../tests/common/pack_raw.rs"]
mod raw;
#[path = "../tests/common/pack_reference.rs"]
mod reference;

use std::hint::black_box;

use bitter::{BigEndianReader, BitReader};
use common::coded::{CASES, FRAMES, KEY, ROTATIONS, STREAMS, coded};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use galvani_ff7::pack::codec::{Frames, Stop, Stream, encode};
use reference::{Rule, load_all};

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
