//! Textures beside memcpy: reading, and decoding with a palette or masks.
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run may stop")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use galvani_core::ReadOptions;
use galvani_ff7::tex::decode::decode;
use galvani_ff7::tex::{Colour, Document, read, write};
use zerocopy::little_endian::U32;

/// Sides of pictures: a small one, as large as the game has them, as large as mods have them.
const CASES: &[(&str, u32)] = &[("tex 64 x 64", 64), ("tex 256 x 256", 256), ("tex 1024 x 1024", 1024)];

fn paletted(side: u32) -> Document {
    let palette: Vec<Colour> = (0..=255).map(|i| Colour { bgra: [i, 255 - i, i / 2, 254 + i % 2] }).collect();
    let indices = (0..side * side).map(|i| (i * 31 + i / side * 7).to_le_bytes()[0]).collect();
    Document::from_indices(side, side, &[palette.clone(), palette], indices, true).unwrap()
}

/// The same size with five, six and five bits per pixel.
fn direct(side: u32) -> Document {
    let mut header = paletted(side).header;
    (header.has_palette, header.palettes, header.palette_entries) = (0.into(), 0.into(), 0.into());
    (header.bytes_per_pixel, header.bits_per_pixel) = (2.into(), 16.into());
    let words = |words: [u32; 4]| words.map(U32::new);
    (header.masks, header.shifts) = (words([0xf800, 0x07e0, 0x001f, 0]), words([11, 5, 0, 0]));
    (header.channel_bits, header.highest) = (words([5, 6, 5, 0]), words([31, 63, 31, 0]));
    let pixels = (0..side * side * 2).map(|i| (i * 31 + i / side).to_le_bytes()[0]).collect();
    Document { pixels, ..Document::with_header(header) }
}

fn tex(c: &mut Criterion) {
    let options = ReadOptions::default();
    for &(name, side) in CASES {
        let (eight, sixteen) = (paletted(side), direct(side));
        let file = write(&eight).unwrap();
        let picture = decode(&eight, 0).unwrap().rgba;
        let mut buffer = picture.clone();
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Elements((side * side).into()));
        let id = |case: &str| BenchmarkId::from_parameter(case);
        group.bench_function(id("to_vec"), |b| b.iter(|| black_box(file.as_slice()).to_vec()));
        group.bench_function(id("memcpy of the picture"), |b| {
            b.iter(|| black_box(&mut buffer).copy_from_slice(black_box(&picture)));
        });
        group.bench_function(id("read"), |b| b.iter(|| read(black_box(&file), &options).unwrap()));
        group.bench_function(id("decode 8 bit"), |b| b.iter(|| decode(black_box(&eight), 1).unwrap()));
        group.bench_function(id("decode 16 bit"), |b| b.iter(|| decode(black_box(&sixteen), 0).unwrap()));
        group.finish();
    }
}

criterion_group!(benches, tex);
criterion_main!(benches);
