//! The lantern's skins: metal with seams, rivets and enamel, and a glow that fades out.

use galvani_core::Image;
use galvani_texture::blp::{self, LevelKind};
use galvani_texture::dds::{self, PixelFormat};
use galvani_texture::mips::Mips;

/// Pixels of a side.
const SIDE: u32 = 32;

/// The metal as JPEG, with alpha.
pub(super) fn metal() -> Vec<u8> {
    texture(&painted(enamelled), &blp::Options::default())
}

/// The glow with a palette, and alpha.
pub(super) fn glow() -> Vec<u8> {
    texture(&painted(light), &blp::Options { kind: LevelKind::Palette, ..blp::Options::default() })
}

/// The metal as blocks.
pub(super) fn blocks() -> Vec<u8> {
    let options = dds::Options { pixels: PixelFormat::BC1, mips: Mips::Full };
    let texture = dds::Document::new(&painted(brass), &options);
    texture.ok().and_then(|texture| dds::write(&texture).ok()).unwrap_or_default()
}

fn texture(image: &Image, options: &blp::Options) -> Vec<u8> {
    let texture = blp::Document::new(image, options);
    texture.ok().and_then(|texture| blp::write(&texture).ok()).unwrap_or_default()
}

fn painted(pixel: fn(u32, u32) -> [u8; 4]) -> Image {
    let rgba = (0..SIDE * SIDE).map(|i| pixel(i % SIDE, i / SIDE)).collect();
    Image { width: SIDE, height: SIDE, rgba }
}

/// Brass that is darker towards the seams, with a rivet in every corner of a plate.
fn brass(x: u32, y: u32) -> [u8; 4] {
    let (x, y) = (x % 16, y % 16);
    let edge = x.min(15 - x).min(y.min(15 - y));
    let is_rivet =
        [x.abs_diff(3), x.abs_diff(12)].contains(&0) && [y.abs_diff(3), y.abs_diff(12)].contains(&0);
    let shade = if is_rivet { 70 } else { edge * 7 };
    let part = |base: u32, percent: u32| u8::try_from(base + shade * percent / 100).unwrap_or(u8::MAX);
    [part(120, 150), part(84, 120), part(30, 60), 255]
}

/// Brass with a round hole in every plate, where the team's colour is seen.
fn enamelled(x: u32, y: u32) -> [u8; 4] {
    let [red, green, blue, alpha] = brass(x, y);
    let off = |at: u32| (2 * (at % 16)).abs_diff(15);
    let is_hole = off(x).pow(2) + off(y).pow(2) < 80;
    [red, green, blue, if is_hole { 0 } else { alpha }]
}

/// Warm light, less of it towards the edge.
fn light(x: u32, y: u32) -> [u8; 4] {
    let off = |at: u32| (2 * at + 1).abs_diff(SIDE);
    let far = (off(x).pow(2) + off(y).pow(2)).min(SIDE.pow(2));
    let bright = 255 - far * 255 / SIDE.pow(2);
    // Sixteen steps: a palette has them all.
    let step = u8::try_from(bright / 16 * 17).unwrap_or(u8::MAX);
    [step, step / 4 * 3, step / 3, step]
}
