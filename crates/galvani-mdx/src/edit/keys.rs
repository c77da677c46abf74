//! Single keys: inserted, deleted, moved, set.

use galvani_core::{EditError, Path, room};

use super::curve::{
    Curve, CurvePart, KeyWords, Point, Shape, decode, encode, inverse, length, minus, plus, turned,
};
use super::interpolation::ROUNDING;
use super::track::{self, Found, TrackRef};
use super::window::{CurvePosition, EVERYTHING, Window, apart, window_at, windows};
use super::{INTERPOLATION, KEY_ORDER, KEY_THERE, NO_CURVE, NO_KEY, NO_TANGENTS, TIME, VALUE, VALUE_COUNT};
use crate::track::{Track, TrackValue};
use crate::{Document, Sequence};

/// What became of an insertion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inserted {
    /// The place of the new key among the keys.
    pub key: usize,
    /// Whether the curve is what it was but for rounding, at every whole millisecond.
    pub is_exact: bool,
    /// How far the curve is from what it was, in units or in radians; more than rounding only where rotations
    /// have tangents, or where a value was given.
    pub off: f64,
    /// The length of the rotation that was given, if it was not 1 and so was normalised.
    pub odd_length: Option<f64>,
}

/// Puts a key at a time at which none is. Without a value it is what the curve shows there, and tangents
/// around it are such that the curve keeps its shape.
///
/// A value is as many numbers as it has, in the order of the file; a rotation those of [`Quat::to_array`](glam::Quat::to_array),
/// packed or not.
pub fn insert_key(
    document: &mut Document,
    name: &TrackRef,
    time: i32,
    values: Option<&[f64]>,
) -> Result<Inserted, EditError> {
    let found = track::find(document, name)?;
    let given = values.map(|values| value(&found, values)).transpose()?;
    let odd_length = given.and_then(|given| given.odd_length);
    let given = given.map(|given| given.point);
    let before = sorted(&found)?;
    is_on_timeline(document, &found, time)?;
    if let Some(key) = before.at(time) {
        return Err(KEY_THERE.at(key_path(found.path, key)).saying(format!("{time} ms")).into());
    }
    let window = window_at(&windows(document, found.track), time);
    let mut curve = before.clone();
    let key = if found.track.value == TrackValue::Moment {
        let key = curve.key(time, [0.0; 4], [0.0; 4], [0.0; 4]);
        place(&mut curve, key)
    } else {
        let key = match window {
            Some(window) => insert(&mut curve, window, time, given),
            None => insert_outside(&mut curve, time, given),
        };
        key.ok_or_else(|| NO_CURVE.at(found.path).saying(format!("at {time} ms")))?
    };
    let off = apart(&before, &curve, window.as_slice());
    let (index, made) = (found.index, found.made(&curve, found.track.interpolation)?);
    track::replace_track(document, index, made);
    let is_exact = off <= ROUNDING * before.largest().max(1.0);
    Ok(Inserted { key, is_exact, off, odd_length })
}

/// Deletes the key at a time. A track that is left without keys is removed; only `KEVT` of Warcraft III stays.
pub fn delete_key(document: &mut Document, name: &TrackRef, time: i32) -> Result<(), EditError> {
    let found = track::find(document, name)?;
    let mut curve = any(&found)?;
    let key = key_at(&found, &curve, time)?;
    curve.keys.remove(key);
    let (index, made) = (found.index, found.made(&curve, found.track.interpolation)?);
    track::replace_track(document, index, made);
    Ok(())
}

/// Moves the key at a time to another at which none is, its value and tangents with it. Keys stay in order.
pub fn move_key(document: &mut Document, name: &TrackRef, time: i32, to: i32) -> Result<(), EditError> {
    let found = track::find(document, name)?;
    let mut curve = sorted(&found)?;
    let key = key_at(&found, &curve, time)?;
    is_on_timeline(document, &found, to)?;
    if time == to {
        return Ok(());
    }
    if let Some(other) = curve.at(to) {
        return Err(KEY_THERE.at(key_path(found.path, other)).saying(format!("{to} ms")).into());
    }
    let moved = curve.keys.remove(key).at(to);
    place(&mut curve, moved);
    let (index, made) = (found.index, found.made(&curve, found.track.interpolation)?);
    track::replace_track(document, index, made);
    Ok(())
}

/// Gives the key at a time another value. Tangents keep what they are to it: those of bezier curves and of
/// rotations go with it. Says the length of a rotation that was not 1 and so was normalised.
pub fn set_key(
    document: &mut Document,
    name: &TrackRef,
    time: i32,
    values: &[f64],
) -> Result<Option<f64>, EditError> {
    let found = track::find(document, name)?;
    let given = value(&found, values)?;
    let mut curve = any(&found)?;
    let key = key_at(&found, &curve, time)?;
    revalue(&mut curve, key, given.point);
    let (index, made) = (found.index, found.made(&curve, found.track.interpolation)?);
    track::replace_track(document, index, made);
    Ok(given.odd_length)
}

/// Says how the curve arrives at the key at a time, and how it leaves it: as the file has tangents. Tangents of rotations are
/// rotations: gives the length of one that had another than 1 and was normalised.
pub fn set_tangents(
    document: &mut Document,
    name: &TrackRef,
    time: i32,
    arriving: &[f64],
    leaving: &[f64],
) -> Result<Option<f64>, EditError> {
    let found = track::find(document, name)?;
    let (inn, out) = (value(&found, arriving)?, value(&found, leaving)?);
    let mut curve = any(&found)?;
    let key = key_at(&found, &curve, time)?;
    if !found.track.has_tangents() {
        return Err(NO_TANGENTS.at(found.path).into());
    }
    curve.set(key, CurvePart::In, inn.point);
    curve.set(key, CurvePart::Out, out.point);
    let (index, made) = (found.index, found.made(&curve, found.track.interpolation)?);
    track::replace_track(document, index, made);
    Ok(inn.odd_length.or(out.odd_length))
}

/// Puts a key on a curve and says its place; nothing if no key tells its value.
pub(super) fn insert(curve: &mut Curve, window: Window, time: i32, given: Option<Point>) -> Option<usize> {
    let key = match window.position_at(curve, f64::from(time)) {
        Some(CurvePosition::Between { a, .. }) if curve.shape == Shape::Step => copy(curve, a, time)?,
        Some(CurvePosition::Between { a, b, u }) => {
            let cut = curve.segment(a, b).cut(u);
            curve.set(a, CurvePart::Out, cut.out);
            curve.set(b, CurvePart::In, cut.inn);
            let key = curve.key(time, cut.value, cut.arriving, cut.leaving);
            place(curve, key)
        }
        Some(spot @ (CurvePosition::Before(next) | CurvePosition::Behind(next))) => {
            // Where the sequence loops, the way leads back to an only key, too.
            if window.is_looping || spot == CurvePosition::Before(next) {
                curve.still(next, CurvePart::In);
            }
            if window.is_looping || spot == CurvePosition::Behind(next) {
                curve.still(next, CurvePart::Out);
            }
            copy(curve, next, time)?
        }
        None => {
            let value = given?;
            let key = curve.key(time, value, value, value);
            let key = place(curve, key);
            curve.still(key, CurvePart::In);
            curve.still(key, CurvePart::Out);
            key
        }
    };
    if let Some(value) = given {
        revalue(curve, key, value);
    }
    Some(key)
}

/// The same in no sequence: nobody sees the curve there, and the tangents of keys around may serve one.
pub(super) fn insert_outside(curve: &mut Curve, time: i32, given: Option<Point>) -> Option<usize> {
    let value = given.or_else(|| EVERYTHING.sample(curve, f64::from(time)))?;
    let key = curve.key(time, value, value, value);
    let key = place(curve, key);
    curve.still(key, CurvePart::In);
    curve.still(key, CurvePart::Out);
    Some(key)
}

/// A key with the value of another, at which the curve stands still.
fn copy(curve: &mut Curve, from: usize, time: i32) -> Option<usize> {
    let key = curve.keys.get(from)?.at(time);
    let at = place(curve, key);
    curve.still(at, CurvePart::In);
    curve.still(at, CurvePart::Out);
    Some(at)
}

fn place(curve: &mut Curve, key: KeyWords) -> usize {
    let at = curve.keys.partition_point(|other| other.time < key.time);
    curve.keys.insert(at, key);
    at
}

/// Another value for a key, its tangents with it.
fn revalue(curve: &mut Curve, key: usize, value: Point) {
    let old = curve.point(key, CurvePart::Value);
    for part in [CurvePart::In, CurvePart::Out] {
        let tangent = curve.point(key, part);
        match curve.shape {
            Shape::Bezier => curve.set(key, part, plus(tangent, minus(value, old))),
            Shape::Squad => curve.set(key, part, turned(turned(value, inverse(old)), tangent)),
            _ => {}
        }
    }
    curve.set(key, CurvePart::Value, value);
}

/// Refuses a time before the timeline begins, which is where its first sequence does, and at 0 at the latest.
pub(super) fn is_on_timeline(document: &Document, found: &Found<'_>, time: i32) -> Result<(), EditError> {
    let reaches = |(start, end): (i64, i64)| (start..=end).contains(&i64::from(time));
    let is_reached = || document.sequences().into_iter().map(Sequence::window).any(reaches);
    if time < 0 && (found.track.global != -1 || !is_reached()) {
        return Err(TIME.at(found.path).saying(format!("{time} ms")).into());
    }
    Ok(())
}

/// How often an edit holds the keys of its track at most: as they were, as a curve, as it becomes.
const CHANGING: usize = 8;

/// The curve of a track whose interpolation is known, if there is room to change it.
pub(super) fn any(found: &Found<'_>) -> Result<Curve, EditError> {
    room::probe(found.track.byte_len().saturating_mul(CHANGING))?;
    Curve::from_track(found.track).ok_or_else(|| {
        let said = format!("0 to 3 wanted, {} found", found.track.interpolation);
        INTERPOLATION.at(found.path.field("interpolation")).saying(said).into()
    })
}

/// The same with keys in order.
pub(super) fn sorted(found: &Found<'_>) -> Result<Curve, EditError> {
    let curve = any(found)?;
    if curve.is_sorted() { Ok(curve) } else { Err(KEY_ORDER.at(found.path).into()) }
}

/// The key at a time, or a refusal.
fn key_at(found: &Found<'_>, curve: &Curve, time: i32) -> Result<usize, EditError> {
    curve.at(time).ok_or_else(|| NO_KEY.at(found.path).saying(format!("{time} ms")).into())
}

fn key_path(path: Path, key: usize) -> Path {
    path.field("keys").index(key)
}

/// How far from 1 the length of a rotation may be to be stored as it was given: four digits of a root are.
const UNIT_TOLERANCE: f64 = 1e-3;

/// A value that was given, and the length of a rotation that was normalised.
#[derive(Debug, Clone, Copy)]
pub(super) struct Given {
    pub(super) point: Point,
    pub(super) odd_length: Option<f64>,
}

/// Numbers as the value of a key: rotations of length 1.
pub(super) fn value(found: &Found<'_>, values: &[f64]) -> Result<Given, EditError> {
    let point = point(found, values)?;
    let is_rotation = matches!(found.track.value, TrackValue::Quaternion | TrackValue::Packed);
    let odd = |length: &f64| is_rotation && (length - 1.0).abs() > UNIT_TOLERANCE;
    let odd_length = Some(length(point)).filter(odd);
    Ok(Given { point: odd_length.map_or(point, |length| point.map(|part| part / length)), odd_length })
}

/// Numbers as they may stand in a track.
pub(super) fn point(found: &Found<'_>, values: &[f64]) -> Result<Point, EditError> {
    let Track { value, .. } = *found.track;
    let count = if value == TrackValue::Packed { 4 } else { value.words() };
    if values.len() != count {
        let said = format!("{count} wanted, {} found", values.len());
        return Err(VALUE_COUNT.at(found.path).saying(said).into());
    }
    let mut point = [0.0; 4];
    point.iter_mut().zip(values).for_each(|(room, number)| *room = *number);
    let stored = decode(value, encode(value, point));
    let is_sound = match value {
        TrackValue::Number => length(minus(stored, point)) <= 0.0,
        TrackValue::Quaternion | TrackValue::Packed => length(point).is_normal(),
        _ => stored.iter().chain(values).all(|number| number.is_finite()),
    };
    if !is_sound {
        return Err(VALUE.at(found.path).saying(format!("{values:?}")).into());
    }
    Ok(point)
}
