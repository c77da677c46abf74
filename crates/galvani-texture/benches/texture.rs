//! Decoding of textures beside memcpy, the `image` crate and the best of each kind that was found.
#![allow(missing_docs, reason = "criterion's macros make public functions")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run may stop")]

#[path = "../tests/common/pictures.rs"]
mod pictures;

use std::hint::black_box;
use std::io::Cursor;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use galvani_core::Image;
use galvani_core::image::MOST_PIXELS;
use galvani_texture::dds::{ImageIndex, PixelFormat};
use galvani_texture::mips::Mips;
use galvani_texture::{blp, tga};
use image::ImageFormat;
use pictures::painted;

/// Sides of pictures: as large as games have them, as large as mods have them.
const CASES: &[(&str, u32)] = &[("texture 256 x 256", 256), ("texture 1024 x 1024", 1024)];

fn blp(image: &Image, kind: blp::LevelKind) -> blp::Document {
    let options = blp::Options { kind, mips: Mips::One, alpha_bits: Some(8), ..blp::Options::default() };
    blp::Document::new(image, &options).unwrap()
}

fn dds(image: &Image, pixels: PixelFormat) -> galvani_texture::dds::Document {
    let options = galvani_texture::dds::Options { pixels, mips: Mips::One };
    galvani_texture::dds::Document::new(image, &options).unwrap()
}

/// A file of plain pixels from the top.
fn tga_file(image: &Image) -> Vec<u8> {
    let side = u16::try_from(image.width).unwrap().to_le_bytes();
    let mut file = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    file.extend([side, side].concat());
    file.extend([32, 0x28]);
    file.extend(image.rgba.iter().flat_map(|&[red, green, blue, alpha]| [blue, green, red, alpha]));
    file
}

/// The same level decoded by the crate that also encodes them for us.
fn by_dds(blocks: &[u8], side: u32, format: dds::Format, pixels: &mut [u8]) {
    let size = dds::Size::new(side, side);
    let view = dds::ImageViewMut::new(pixels, size, dds::ColorFormat::RGBA_U8).unwrap();
    dds::decode(&mut &*blocks, view, format, &dds::DecodeOptions::default()).unwrap();
}

/// Blocks of BC7 one by one.
fn by_bcdec(blocks: &[u8], side: u32) -> Vec<u8> {
    let (across, pitch) = (side as usize / 4, side as usize * 4);
    let mut pixels = vec![0; pitch * side as usize];
    for (i, block) in blocks.chunks_exact(16).enumerate() {
        let at = i / across * 4 * pitch + i % across * 16;
        bcdec_rs::bc7(block, &mut pixels[at..], pitch);
    }
    pixels
}

fn texture(c: &mut Criterion) {
    for &(name, side) in CASES {
        let picture = painted(side, side);
        let mut buffer = picture.rgba.clone();
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Elements((side * side).into()));
        let id = |case: &str| BenchmarkId::from_parameter(case);
        group.bench_function(id("memcpy of the picture"), |b| {
            b.iter(|| black_box(&mut buffer).copy_from_slice(black_box(&picture.rgba)));
        });
        group.bench_function(id("to_vec of the picture"), |b| b.iter(|| black_box(&picture.rgba).clone()));

        for (kind, case) in [(blp::LevelKind::Palette, "palette"), (blp::LevelKind::Jpeg, "jpeg")] {
            let document = blp(&picture, kind);
            let file = blp::write(&document).unwrap();
            group.bench_function(id(case), |b| {
                b.iter(|| blp::decode(black_box(&document), 0, MOST_PIXELS).unwrap());
            });
            let theirs = wc3::blp::BlpRef::read(&file).unwrap();
            group.bench_function(id(&format!("{case} by wc3")), |b| {
                b.iter(|| black_box(&theirs).decode_mip(0).unwrap());
            });
        }

        for (pixels, format, case) in [
            (PixelFormat::BC1, dds::Format::BC1_UNORM, "bc1"),
            (PixelFormat::BC3, dds::Format::BC3_UNORM, "bc3"),
            (PixelFormat::BC7, dds::Format::BC7_UNORM, "bc7"),
        ] {
            let document = dds(&picture, pixels);
            let file = galvani_texture::dds::write(&document).unwrap();
            group.bench_function(id(case), |b| {
                b.iter(|| {
                    galvani_texture::dds::decode(black_box(&document), ImageIndex::default(), MOST_PIXELS)
                        .unwrap()
                });
            });
            // Our BC7 is the decoder of `dds`: beside itself it would show nothing.
            if pixels.dxgi.is_some() {
                group.bench_function(id("bc7 by bcdec_rs"), |b| {
                    b.iter(|| by_bcdec(black_box(&document.data), side));
                });
                continue;
            }
            group.bench_function(id(&format!("{case} by dds")), |b| {
                b.iter(|| {
                    let mut pixels = vec![0; picture.rgba.len() * 4];
                    by_dds(black_box(&document.data), side, format, &mut pixels);
                    pixels
                });
            });
            group.bench_function(id(&format!("{case} by image")), |b| {
                b.iter(|| image::load(Cursor::new(black_box(&file)), ImageFormat::Dds).unwrap());
            });
        }

        let file = tga_file(&picture);
        group.bench_function(id("tga"), |b| b.iter(|| tga::decode(black_box(&file), MOST_PIXELS).unwrap()));
        group.bench_function(id("tga by image"), |b| {
            b.iter(|| image::load_from_memory_with_format(black_box(&file), ImageFormat::Tga).unwrap());
        });
        group.finish();
    }
}

criterion_group!(benches, texture);
criterion_main!(benches);
