//! Single keys: insert, move, delete, set.

use galvani_core::maths::Wxyz;
use galvani_core::{EditError, Path, Reading};

use super::pose::{self, finite};
use super::{
    Document, FIRST_KEY, KEY_THERE, NO_KEY, VALUE, change, change_values, frame, own_keys, time_place,
};
use crate::msh::animation::{AnimKey, AnimModel};
use crate::msh::values;

/// A rotation for a key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rotation {
    /// Rounded to the nearest stored form in the order of the reading. Normalised if its length is
    /// not 1: the engine never does that and would shear the node.
    Wxyz([f32; 4]),
    /// As stored.
    Raw([i16; 4]),
}

impl Rotation {
    /// Its length, if that is not 1 and it is stored normalised.
    pub fn odd_length(&self) -> Option<f32> {
        match self {
            Rotation::Wxyz(wxyz) => {
                Some(values::length(Wxyz(*wxyz))).filter(|&length| !values::is_unit(length))
            }
            Rotation::Raw(_) => None,
        }
    }
}

/// The place of the key on a frame among the node's keys.
pub fn key_at(document: &Document, node: usize, frame: f32) -> Result<usize, EditError> {
    let keys = own_keys(document, node)?;
    stand_on(&keys, frame).next().ok_or_else(|| {
        NO_KEY.at(Path::named("nodes").index(node)).saying(format!("no key stands on frame {frame}")).into()
    })
}

/// Puts a key on a frame on which none stands and says its place. What is not given is what the keys show
/// there, so that nothing moves but by rounding. A second key makes a node animated.
pub fn insert_key(
    document: &mut Document,
    node: usize,
    at: f32,
    position: Option<[f32; 3]>,
    rotation: Option<Rotation>,
) -> Result<usize, EditError> {
    let (reading, at) = (document.reading, frame(at)?);
    let is_still = document.model().is_still();
    change(document, node, |anim, keys| {
        let shown = pose::key(keys, at, reading).unwrap_or_default();
        if is_still && at <= 0.0 {
            // The key of a model without keys is none that stands in anybody's way.
            keys.clear();
        } else {
            is_free(anim, node, keys, at, None)?;
        }
        Ok(place(keys, with(shown, position, rotation, reading)?))
    })
}

/// Moves a key to a frame on which none stands, past others if need be, and says its new place.
pub fn move_key(document: &mut Document, node: usize, key: usize, to: f32) -> Result<usize, EditError> {
    let to = frame(to)?;
    change(document, node, |anim, keys| {
        let moved = AnimKey { time: to, ..*key_of_node(keys, node, key)? };
        if keys.len() == 1 && to > 0.0 {
            let found = format!("the node's only key wanted on frame {to}");
            return Err(FIRST_KEY.at(time_place(anim, node, key)).saying(found).into());
        }
        is_free(anim, node, keys, to, Some(key))?;
        keys.remove(key);
        Ok(place(keys, moved))
    })
}

/// Deletes a key. A node needs one; a node left with one becomes static.
pub fn delete_key(document: &mut Document, node: usize, key: usize) -> Result<(), EditError> {
    change(document, node, |_, keys| {
        key_of_node(keys, node, key)?;
        keys.remove(key);
        Ok(())
    })
}

/// Gives a key another position, rotation, or both. No other byte of the model changes.
pub fn set_key(
    document: &mut Document,
    node: usize,
    key: usize,
    position: Option<[f32; 3]>,
    rotation: Option<Rotation>,
) -> Result<(), EditError> {
    let reading = document.reading;
    change_values(document, node, |keys| {
        let new = with(*key_of_node(keys, node, key)?, position, rotation, reading)?;
        keys.iter_mut().skip(key).take(1).for_each(|key| *key = new);
        Ok(())
    })
}

/// Puts a key among others by its time.
fn place(keys: &mut Vec<AnimKey>, key: AnimKey) -> usize {
    let at = keys.iter().take_while(|other| other.time < key.time).count();
    keys.insert(at, key);
    at
}

/// Refuses a frame on which another key stands than the one to be moved.
fn is_free(
    anim: &AnimModel,
    node: usize,
    keys: &[AnimKey],
    frame: f32,
    moved: Option<usize>,
) -> Result<(), EditError> {
    match stand_on(keys, frame).find(|&there| Some(there) != moved) {
        Some(there) => {
            let found = format!("key {there} of node {node} stands on frame {frame}");
            Err(KEY_THERE.at(time_place(anim, node, there)).saying(found).into())
        }
        None => Ok(()),
    }
}

#[allow(clippy::float_cmp, reason = "a key stands exactly on a frame or not at all")]
fn stand_on(keys: &[AnimKey], frame: f32) -> impl Iterator<Item = usize> {
    let there = move |(_, key): &(usize, &AnimKey)| key.time == frame;
    keys.iter().enumerate().filter(there).map(|(i, _)| i)
}

/// A node's key, or a refusal.
fn key_of_node(keys: &[AnimKey], node: usize, key: usize) -> Result<&AnimKey, EditError> {
    keys.get(key).ok_or_else(|| {
        let found = format!("key {key} of {}", keys.len());
        NO_KEY.at(Path::named("nodes").index(node)).saying(found).into()
    })
}

/// A key with what is given.
fn with(
    key: AnimKey,
    position: Option<[f32; 3]>,
    rotation: Option<Rotation>,
    reading: Reading,
) -> Result<AnimKey, EditError> {
    let position = position.map_or(Ok(key.position), |position| finite("position", position))?;
    let rotation = match rotation {
        None => key.rotation,
        Some(Rotation::Raw(raw)) => raw,
        Some(Rotation::Wxyz(wxyz)) => values::pack_rotation(unit(Wxyz(wxyz))?, reading),
    };
    Ok(AnimKey { position, rotation, ..key })
}

/// A rotation of length 1; refused where there is no such.
fn unit(wxyz: Wxyz<f32>) -> Result<Wxyz<f32>, EditError> {
    finite("rotation", wxyz.0)?;
    let length = values::length(wxyz);
    if length == 0.0 {
        return Err(VALUE.at(Path::named("rotation")).saying("0 0 0 0 is no rotation").into());
    }
    Ok(if values::is_unit(length) { wxyz } else { values::normalised(wxyz) })
}
