//! Numbers and words of records, for whoever wants to know more than the scene says.

use galvani_core::record::{Field, FieldKind, Record};
use galvani_core::{image, text};
use galvani_scene::{Extras, Fact};
use glam::Vec3;
use zerocopy::little_endian::F32;

use crate::Family;

/// A whole number; those that are too large for one are written with a point.
pub(super) fn whole(number: u32) -> Fact {
    i32::try_from(number).map_or_else(|_| Fact::Float(number.into()), Fact::Int)
}

/// A number; what is none is a word.
pub(super) fn number(number: f32) -> Fact {
    if number.is_finite() { Fact::Float(number.into()) } else { Fact::Text(number.to_string()) }
}

/// A list of numbers as words.
pub(super) fn numbers(all: impl IntoIterator<Item = f32>) -> Fact {
    Fact::Text(all.into_iter().map(|one| one.to_string()).collect::<Vec<_>>().join(", "))
}

/// The fields of a record, lists as words.
pub(super) fn of_record<T: Record>(record: &T) -> Extras {
    let bytes = record.as_bytes();
    let fact = |field: &Field| {
        let room = bytes.get(field.offset..)?.get(..field.size)?;
        Some((field.name.to_owned(), fact(field, room)?))
    };
    T::FIELDS.iter().filter_map(fact).collect()
}

fn fact(field: &Field, room: &[u8]) -> Option<Fact> {
    let (words, _) = room.as_chunks::<4>();
    let one = words.first().filter(|_| field.count == 1);
    Some(match (field.kind, one) {
        (FieldKind::F32, Some(word)) => number(f32::from_le_bytes(*word)),
        (FieldKind::U32, Some(word)) => whole(u32::from_le_bytes(*word)),
        (FieldKind::I32, Some(word)) => Fact::Int(i32::from_le_bytes(*word)),
        (FieldKind::F32, None) => numbers(words.iter().map(|word| f32::from_le_bytes(*word))),
        (FieldKind::U32, None) => {
            let words = words.iter().map(|word| u32::from_le_bytes(*word).to_string());
            Fact::Text(words.collect::<Vec<_>>().join(", "))
        }
        (FieldKind::U8, _) => Fact::Text(room.iter().map(u8::to_string).collect::<Vec<_>>().join(", ")),
        (FieldKind::Text, _) => Fact::Text(text::shown(room).into_owned()),
        _ => return None,
    })
}

/// A colour that stands still, red first, as the scene has it: linear, from 0 to 1.
pub(super) fn color(color: [F32; 3], family: Family) -> Vec3 {
    let [a, b, c] = color.map(F32::get);
    let red_first = match family {
        Family::Warcraft => Vec3::new(a, b, c),
        Family::Wow => Vec3::new(c, b, a),
    };
    linear_color(red_first)
}

/// A colour as pictures have it, as light.
pub(super) fn linear_color(color: Vec3) -> Vec3 {
    Vec3::from_array(color.to_array().map(linear))
}

/// A part of a colour as light.
fn linear(part: f32) -> f32 {
    if part.is_nan() { 0.0 } else { image::light(part.clamp(0.0, 1.0)) }
}
