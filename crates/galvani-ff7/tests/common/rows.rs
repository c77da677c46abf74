//! Animations as plain lists, and their bytes put together bit by bit as text: nothing here knows the crate's
//! own encoder.

use galvani_ff7::pack::codec::{Frames, angle};
use galvani_ff7::pack::{AngleKey, Document, Entry, edit};
use proptest::collection::vec;
use proptest::prelude::*;

/// A position and rotations.
pub type Row = ([i16; 3], Vec<[i16; 3]>);

/// How a stream is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Shortest codes.
    Short,
    /// No short code is ever taken.
    Long,
}

/// The lowest bits of a number, as text.
fn bits(value: i32, count: u32) -> String {
    (0..count).rev().map(|bit| if value >> bit & 1 == 1 { '1' } else { '0' }).collect()
}

fn position_code(delta: i16, style: Style) -> String {
    match delta {
        -64..=63 if style == Style::Short => format!("0{}", bits(delta.into(), 7)),
        _ => format!("1{}", bits(delta.into(), 16)),
    }
}

fn rotation_code(delta: i32, key: AngleKey, style: Style) -> String {
    // The short way round, in steps of the key.
    let turn = 4096 >> key.shift();
    let mut steps = (delta >> key.shift()).rem_euclid(turn);
    if steps >= turn / 2 {
        steps -= turn;
    }
    let magnitude = if steps < 0 { !steps } else { steps };
    let count = 32 - magnitude.leading_zeros();
    match steps {
        _ if style == Style::Long => format!("1111{}", bits(steps, key.bits())),
        0 => "0".to_owned(),
        -1 => "1000".to_owned(),
        -64..=63 => {
            let half = 1 << (count - 1);
            let rest = if steps < 0 { steps + half } else { steps - half };
            format!("1{}{}", bits(count.cast_signed(), 3), bits(rest, count))
        }
        _ => format!("1111{}", bits(steps, key.bits())),
    }
}

/// The stream of an animation, slack bits 0.
pub fn stream(rows: &[Row], key: AngleKey, style: Style) -> Vec<u8> {
    let mut text = String::new();
    for (i, (position, bones)) in rows.iter().enumerate() {
        let before = i.checked_sub(1).map(|before| &rows[before]);
        for (axis, &now) in position.iter().enumerate() {
            text += &match before {
                None => bits(now.into(), 16),
                Some(before) => position_code(now.wrapping_sub(before.0[axis]), style),
            };
        }
        for (bone, angles) in bones.iter().enumerate() {
            for (axis, now) in angles.map(i32::from).into_iter().enumerate() {
                text += &match before {
                    None => bits(now >> key.shift(), key.bits()),
                    Some(before) => rotation_code(now - i32::from(before.1[bone][axis]), key, style),
                };
            }
        }
    }
    let byte = |chunk: &[u8]| {
        let digits = format!("{:0<8}", std::str::from_utf8(chunk).unwrap());
        u8::from_str_radix(&digits, 2).unwrap()
    };
    text.as_bytes().chunks(8).map(byte).collect()
}

/// The payload of an animation, padded to a multiple of 4.
pub fn payload(rows: &[Row], key: AngleKey, style: Style) -> Vec<u8> {
    let stream = stream(rows, key, style);
    let mut bytes = u16::try_from(rows.len()).unwrap().to_le_bytes().to_vec();
    bytes.extend(u16::try_from(stream.len()).unwrap().to_le_bytes());
    bytes.push(key.byte());
    bytes.extend(stream);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

/// An entry of these rows.
pub fn entry(rows: &[Row], key: AngleKey) -> Entry {
    let count = |count: usize| u32::try_from(count).unwrap();
    Entry::new(count(rows[0].1.len()), count(rows.len()), payload(rows, key, Style::Short))
}

/// A pack of these entries.
pub fn pack(entries: Vec<Entry>) -> Document {
    Document { entries, ..Document::default() }
}

/// The rows of frames, angles from 0 to 4095.
pub fn rows(frames: &Frames) -> Vec<Row> {
    let row = |frame: galvani_ff7::pack::codec::FrameRef<'_>| {
        (frame.position, frame.bones.iter().map(|bone| turned(*bone)).collect())
    };
    frames.iter().map(row).collect()
}

/// The rows of an entry, angles from 0 to 4095.
pub fn rows_of(document: &Document, entry: usize) -> Vec<Row> {
    rows(&edit::frames_of(document, entry).unwrap().0)
}

/// The same rows with angles from 0 to 4095.
pub fn modulo(rows: &[Row]) -> Vec<Row> {
    rows.iter().map(|(position, bones)| (*position, bones.iter().copied().map(turned).collect())).collect()
}

fn turned(bone: [i16; 3]) -> [i16; 3] {
    bone.map(|raw| angle(raw).cast_signed())
}

pub fn frames(rows: &[Row]) -> Frames {
    let mut frames = Frames::new(rows[0].1.len());
    for (position, bones) in rows {
        frames.push(*position, bones);
    }
    frames
}

pub fn any_key() -> impl Strategy<Value = AngleKey> {
    (0..3_usize).prop_map(|key| AngleKey::ALL[key])
}

/// Rows with so many rotations, on the grid of a key; small steps and leaps.
pub fn any_rows(rotations: usize, key: AngleKey) -> impl Strategy<Value = Vec<Row>> {
    let angle = prop_oneof![-20..20_i16, any::<i16>()].prop_map(move |raw| raw << key.shift());
    let position = prop_oneof![-70..70_i16, any::<i16>()];
    let row = (
        [position.clone(), position.clone(), position],
        vec([angle.clone(), angle.clone(), angle], rotations),
    );
    vec(row, 1..9)
}

/// A key and rows of one to three rotations on its grid.
pub fn any_animation() -> impl Strategy<Value = (AngleKey, Vec<Row>)> {
    (any_key(), 1..4_usize).prop_flat_map(|(key, rotations)| (Just(key), any_rows(rotations, key)))
}
