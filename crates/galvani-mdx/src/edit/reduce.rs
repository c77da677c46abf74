//! Fewer keys for nearly the same curve.

use galvani_core::reach::furthest;
use galvani_core::{EditError, Exhausted, room};

use super::curve::{Curve, CurvePart, Point, Segment, Shape, fitted, minus, plus};
use super::keys::sorted;
use super::track::{self, TrackRef};
use super::window::{EVERYTHING, Window, windows};
use super::{Document, tolerable};
use crate::track::TrackValue;

/// Places in a millisecond at which curves are held against each other, and the fewest and the most between
/// two keys. Rotations with tangents can swing round within a millisecond.
const PLACES: u32 = 4;
const FEWEST_PLACES: u32 = 16;
const MOST_PLACES: u32 = 4096;

/// Between two places the curve may be a little further off than at them.
const CAUTION: f64 = 0.95;

/// Deletes keys of a track as long as the curve stays within a tolerance, in units or for rotations in
/// radians, and says how many.
///
/// The first and the last key of every sequence stay, and so do keys in no sequence. Keys that stay keep
/// their values; where keys between them went, their tangents are fitted anew. From each key that stays the
/// next is sought by doubling steps and then halving, so a few keys more than necessary may remain.
pub fn reduce(document: &mut Document, name: &TrackRef, tolerance: f64) -> Result<usize, EditError> {
    let tolerance = tolerable(tolerance)?;
    let found = track::find(document, name)?;
    let curve = sorted(&found)?;
    if found.track.value == TrackValue::Moment {
        return Ok(0);
    }
    let staying = staying(&curve, &windows(document, found.track))?;
    let mut made = Curve { keys: Vec::new(), ..curve.clone() };
    let mut next: Option<usize> = (!curve.keys.is_empty()).then_some(0);
    let mut arriving: Option<Point> = None;
    while let Some(at) = next {
        let mut joined = None;
        next = (at.saturating_add(1) < curve.keys.len()).then(|| {
            let limit = staying.get(staying.partition_point(|key| *key <= at)).copied();
            let (to, segment) =
                furthest(at, limit.unwrap_or(at), |to| joined_segment(&curve, at, to, tolerance));
            joined = segment;
            to
        });
        made.keys.extend(curve.keys.get(at));
        let last = made.keys.len().saturating_sub(1);
        if let Some(inn) = arriving.take() {
            made.set(last, CurvePart::In, inn);
        }
        if let Some(segment) = joined {
            made.set(last, CurvePart::Out, segment.out);
            arriving = Some(segment.inn);
        }
    }
    let removed = curve.keys.len().saturating_sub(made.keys.len());
    if removed > 0 {
        let (index, made) = (found.index, found.made(&made, found.track.interpolation)?);
        track::replace_track(document, index, made);
    }
    Ok(removed)
}

/// The keys that stay, in order: those at an end of a sequence, and those in none.
fn staying(curve: &Curve, windows: &[Window]) -> Result<Vec<usize>, Exhausted> {
    let count = curve.keys.len();
    let mut is_end = room::filled(false, count)?;
    // How many sequences begin at each key, less those that ended before it.
    let mut begun = room::filled(0_i64, count.saturating_add(1))?;
    let mut count_at = |key: usize, by: i64| {
        begun.get_mut(key).into_iter().for_each(|begun| *begun = begun.saturating_add(by));
    };
    for (first, last) in windows.iter().filter_map(|window| window.ends(curve)) {
        for end in [first, last] {
            is_end.get_mut(end).into_iter().for_each(|is_end| *is_end = true);
        }
        count_at(first, 1);
        count_at(last.saturating_add(1), -1);
    }
    let everything = windows.contains(&EVERYTHING);
    let mut open: i64 = 0;
    let stays = |(i, (is_end, begun)): (usize, (bool, i64))| {
        open = open.saturating_add(begun);
        (is_end || (open == 0 && !everything)).then_some(i)
    };
    room::collected(is_end.into_iter().zip(begun).enumerate().filter_map(stays))
}

/// One way instead of several, if it is near them everywhere.
fn joined_segment(curve: &Curve, from: usize, to: usize, tolerance: f64) -> Option<Segment> {
    let time = |key: usize| curve.keys.get(key).map_or(0.0, |key| f64::from(key.time));
    let (start, span) = (time(from), time(to) - time(from));
    let sample = |u: f64| {
        let moment = start + span * u;
        let b = curve.keys.partition_point(|key| f64::from(key.time) <= moment);
        let b = b.clamp(from.saturating_add(1), to);
        let a = b.saturating_sub(1);
        let len = time(b) - time(a);
        curve.segment(a, b).at(if len > 0.0 { (moment - time(a)) / len } else { 1.0 })
    };
    let (a, b) = (curve.point(from, CurvePart::Value), curve.point(to, CurvePart::Value));
    let (out, inn) = match curve.shape {
        Shape::Step | Shape::Linear => ([0.0; 4], [0.0; 4]),
        Shape::Squad => fitted(a, b, sample),
        Shape::Hermite | Shape::Bezier => {
            let second = from.saturating_add(1);
            let leave = span / (time(second) - start);
            let arrive = span / (time(to) - time(to.saturating_sub(1)));
            let (out, inn) = (curve.point(from, CurvePart::Out), curve.point(to, CurvePart::In));
            // Tangents count in the length of their way; those of bezier are points from which it is told.
            let by = |factor: f64, from: Point, tangent: Point| match curve.shape {
                Shape::Bezier => plus(from, minus(tangent, from).map(|number| number * factor)),
                _ => tangent.map(|number| number * factor),
            };
            (by(leave, a, out), by(arrive, b, inn))
        }
    };
    // As it will be stored.
    let mut stored =
        Curve { keys: [from, to].iter().filter_map(|key| curve.keys.get(*key)).copied().collect(), ..*curve };
    if curve.shape != Shape::Step && curve.shape != Shape::Linear {
        stored.set(0, CurvePart::Out, out);
        stored.set(1, CurvePart::In, inn);
    }
    let segment = stored.segment(0, 1);
    for key in from..to {
        let next = key.saturating_add(1);
        let len = time(next) - time(key);
        let wide = curve.keys.get(key).zip(curve.keys.get(next));
        let wide = wide.map_or(0, |(key, next)| next.time.abs_diff(key.time));
        let places = wide.saturating_mul(PLACES).clamp(FEWEST_PLACES, MOST_PLACES);
        for place in 0..places {
            let moment = time(key) + len * f64::from(place) / f64::from(places);
            let u = (moment - start) / span;
            let off = curve.distance(sample(u), segment.at(u));
            // What is no number is never near.
            if off.is_nan() || off > tolerance * CAUTION {
                return None;
            }
        }
    }
    Some(segment)
}
