//! Values packed into small integers, both ways (docs/formats/msh-streams.md#vertices).

use galvani_core::Reading;
use galvani_core::maths::{Wxyz, single};

use zerocopy::little_endian::I16;

use super::{NONE, wire};

/// What a unit component of a packed normal is divided by. Not 128: so -128 is clamped.
const NORMAL_SCALE: f32 = 127.0;
/// What a texture coordinate is divided by.
const UV_SCALE: f32 = 1024.0;
/// What a component of a quaternion or a triangle's normal is divided by.
const UNIT_SCALE: f32 = 32767.0;

/// A component of a packed normal, tangent or bitangent.
pub fn normal(component: i8) -> f32 {
    (f32::from(component) / NORMAL_SCALE).clamp(-1.0, 1.0)
}

/// The nearest component of a packed normal; halves go away from zero.
pub fn pack_normal(component: f32) -> i8 {
    round_i8(component.clamp(-1.0, 1.0) * NORMAL_SCALE)
}

/// A texture coordinate: signed as documented, unsigned as observed.
pub fn uv(word: u16, reading: Reading) -> f32 {
    match reading {
        Reading::Observed => f32::from(word) / UV_SCALE,
        Reading::Documented => f32::from(word.cast_signed()) / UV_SCALE,
    }
}

/// The nearest word for a texture coordinate; what does not fit is clamped.
pub fn pack_uv(coordinate: f32, reading: Reading) -> u16 {
    let scaled = coordinate * UV_SCALE;
    match reading {
        Reading::Observed => round_u16(scaled),
        Reading::Documented => round_i16(scaled).cast_unsigned(),
    }
}

/// A component of a triangle's normal.
pub fn face_normal(component: i16) -> f32 {
    f32::from(component) / UNIT_SCALE
}

/// The nearest component of a triangle's normal.
pub fn pack_face_normal(component: f32) -> i16 {
    round_i16((component.clamp(-1.0, 1.0)) * UNIT_SCALE)
}

/// A component of a rotation: `f32(i16) · f32(1/32767)`.
pub fn component(component: i16) -> f32 {
    f32::from(component) * (1.0 / UNIT_SCALE)
}

/// The nearest component of a rotation, clamped to ±32767 as in the game's files.
pub fn pack_component(component: f32) -> i16 {
    round_i16((component * UNIT_SCALE).clamp(-UNIT_SCALE, UNIT_SCALE))
}

/// A key's rotation.
pub fn rotation(key: &wire::Key, reading: Reading) -> Wxyz<f32> {
    rotation_of(key.rotation.map(I16::get), reading)
}

/// The rotation of components as a key has them.
pub fn rotation_of(raw: [i16; 4], reading: Reading) -> Wxyz<f32> {
    let [a, b, c, d] = raw.map(component);
    match reading {
        Reading::Observed => Wxyz([a, b, c, d]),
        Reading::Documented => Wxyz([d, a, b, c]),
    }
}

/// The nearest raw rotation.
pub fn pack_rotation(Wxyz([w, x, y, z]): Wxyz<f32>, reading: Reading) -> [i16; 4] {
    match reading {
        Reading::Observed => [w, x, y, z].map(pack_component),
        Reading::Documented => [x, y, z, w].map(pack_component),
    }
}

/// How far from 1 the length of a rotation may be; all but eleven of the game's 34 049 keys are within it.
const UNIT_TOLERANCE: f32 = 1e-3;

/// Whether a rotation of that length is one as far as sixteen bits can say.
pub fn is_unit(length: f32) -> bool {
    (length - 1.0).abs() <= UNIT_TOLERANCE
}

/// The length of a key's rotation, if it is not one.
pub fn odd_length(key: &wire::Key) -> Option<f32> {
    if is_surely_unit(key) {
        return None;
    }
    // Of any order of components the length is the same.
    Some(length(rotation(key, Reading::Observed))).filter(|&length| !is_unit(length))
}

/// Whether the length of a key's rotation is 1 beyond doubt; most keys pass so, without a root.
pub fn is_surely_unit(key: &wire::Key) -> bool {
    // Three in four thousandths on the square are well within the tolerance.
    const WHOLE: u32 = 32767 * 32767;
    // Only four times the least number leaves the room of a sum, and nothing of it.
    let square = |sum: u32, raw: &I16| sum.wrapping_add(i32::from(raw.get()).pow(2).cast_unsigned());
    key.rotation.iter().fold(0, square).abs_diff(WHOLE) <= WHOLE / 4000 * 3
}

/// The length of a rotation.
pub fn length(wxyz: Wxyz<f32>) -> f32 {
    single(exact_length(wxyz))
}

/// A rotation of length 1 that turns as one with a length does.
pub fn normalised(wxyz: Wxyz<f32>) -> Wxyz<f32> {
    let length = exact_length(wxyz);
    Wxyz(wxyz.0.map(|component| single(f64::from(component) / length)))
}

/// In double precision, so that no finite number overflows.
fn exact_length(Wxyz(wxyz): Wxyz<f32>) -> f64 {
    wxyz.iter().map(|&component| f64::from(component) * f64::from(component)).sum::<f64>().sqrt()
}

/// The selector of an edge: 0, 1, 2, or none for 3.
pub fn selector(word: u16, edge: usize) -> u16 {
    let bits = [word, word >> 2, word >> 4].get(edge).map_or(3, |bits| bits & 3);
    if bits == 3 { NONE } else { bits }
}

/// The selectors of three edges, none as 3.
pub fn pack_selectors(edges: [u16; 3]) -> u16 {
    let [a, b, c] = edges.map(|edge| edge.min(3));
    a | (b << 2) | (c << 4)
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::as_conversions,
    reason = "`as` rounds towards zero and saturates"
)]
fn round_i8(value: f32) -> i8 {
    value.round() as i8
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::as_conversions,
    reason = "`as` rounds towards zero and saturates"
)]
fn round_i16(value: f32) -> i16 {
    value.round() as i16
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::as_conversions,
    reason = "`as` rounds towards zero and saturates"
)]
fn round_u16(value: f32) -> u16 {
    value.round() as u16
}
