//! A file without what its scene says, and the file again.
//!
//! [`taken_out`] leaves of a file what its scene does not say: where bytes are what a value makes of itself, nothing. [`put_back`]
//! makes of that and a scene the file again. A value that was changed in between is changed in the file, and nothing else is.

use std::ops::Range;

use galvani_core::Codec;
use galvani_scene::origin::{Lists, seal};
use galvani_scene::{Origin, Scene, Values};

/// Why a scene and what was left of a file make no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Misfit {
    /// A list has not as many values as places in the file.
    Count {
        /// Which list.
        values: Values,
        /// How many there are places for.
        wanted: usize,
        /// How many there are.
        found: usize,
    },
    /// Two values that lie at one place of the file differ.
    Copies {
        /// The list that differs from another.
        values: Values,
        /// Which of its values.
        index: usize,
    },
    /// A list was changed that the scene says in another way than the file.
    Fixed(Values),
    /// What was left of the file names bytes or ways of writing that are not there.
    Broken(Values),
}

/// Leaves of a file what its scene does not say, and of the origins those that hold.
pub(super) fn taken_out(
    file: &mut [u8],
    scene: &Scene,
    origins: Vec<Origin>,
    codecs: &[Codec],
) -> Vec<Origin> {
    let mut is_done = vec![false; file.len()];
    let (lists, whole_file, mut kept) = (Lists::new(scene), file.to_vec(), Vec::new());
    for mut origin in origins {
        if origin.codec.is_empty() {
            origin.seal = origin.listed(&lists).as_deref().map_or(0, seal);
            kept.push(origin);
            continue;
        }
        let codec = codecs.iter().find(|codec| codec.name == origin.codec);
        let list = origin.listed(&lists).filter(|list| list.len() == origin.count());
        let (Some(codec), Some(list)) = (codec, list) else { continue };
        if origin.places(codec.len).any(|place| place.end > file.len()) {
            continue;
        }
        origin.seal = seal(&list);
        let is_own = |(value, place): (&[f32; 4], Range<usize>)| is_same(&whole_file, place, codec, *value);
        if !list.iter().zip(origin.places(codec.len)).all(is_own) {
            origin.codec.clear();
            origin.rows.clear();
            kept.push(origin);
            continue;
        }
        for (value, place) in list.iter().zip(origin.places(codec.len)) {
            let done = is_done.get_mut(place.clone()).unwrap_or_default();
            if !done.contains(&true) {
                done.fill(true);
                differ(file, place, codec, *value);
            }
        }
        kept.push(origin);
    }
    kept
}

/// Makes a file of what was left of it and a scene.
pub(super) fn put_back(
    file: &mut [u8],
    scene: &Scene,
    origins: &[Origin],
    codecs: &[Codec],
) -> Result<(), Misfit> {
    let mut is_done = vec![false; file.len()];
    let (lists, mut listed) = (Lists::new(scene), Vec::new());
    for origin in origins {
        let (values, wanted) = (origin.values, origin.count());
        let list = origin.listed(&lists).unwrap_or_default();
        if origin.codec.is_empty() {
            if !list.is_empty() && seal(&list) != origin.seal {
                return Err(Misfit::Fixed(values));
            }
            continue;
        }
        if list.len() != wanted {
            return Err(Misfit::Count { values, wanted, found: list.len() });
        }
        let codec = codecs.iter().find(|codec| codec.name == origin.codec).ok_or(Misfit::Broken(values))?;
        listed.push((seal(&list) == origin.seal, origin, codec, list));
    }
    // Of the copies of a value the one that was changed counts.
    listed.sort_by_key(|(is_untouched, ..)| *is_untouched);
    for (is_untouched, origin, codec, list) in listed {
        for (index, (value, place)) in list.iter().zip(origin.places(codec.len)).enumerate() {
            let done = is_done.get_mut(place.clone()).ok_or(Misfit::Broken(origin.values))?;
            if !done.contains(&true) {
                done.fill(true);
                restore(file, place, codec, *value);
            } else if !is_untouched && !is_same(file, place, codec, *value) {
                return Err(Misfit::Copies { values: origin.values, index });
            }
        }
    }
    Ok(())
}

/// Leaves of the bytes of a value how they differ from what it makes of itself.
fn differ(file: &mut [u8], place: Range<usize>, codec: &Codec, value: [f32; 4]) {
    let mut made = [0; MOST_BYTES];
    let made = made.get_mut(..codec.len).unwrap_or_default();
    (codec.lower)(value, made);
    let bytes = file.get_mut(place).unwrap_or_default();
    bytes.iter_mut().zip(made).for_each(|(byte, made)| *byte ^= *made);
}

/// The bytes of a value: those that it came from, as long as they make that value.
fn restore(file: &mut [u8], place: Range<usize>, codec: &Codec, value: [f32; 4]) {
    differ(file, place.clone(), codec, value);
    if !is_same(file, place.clone(), codec, value) {
        (codec.lower)(value, file.get_mut(place).unwrap_or_default());
    }
}

/// Whether the bytes at a place make a value.
fn is_same(file: &[u8], place: Range<usize>, codec: &Codec, value: [f32; 4]) -> bool {
    let found = (codec.lift)(file.get(place).unwrap_or_default());
    let bits = |value: [f32; 4]| value.map(|part| (part + 0.0).to_bits());
    bits(found) == bits(value) || codec.is_signless && bits(found.map(|part| -part)) == bits(value)
}

/// The most bytes that a value has.
const MOST_BYTES: usize = 16;
