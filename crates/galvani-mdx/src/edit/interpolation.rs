//! Another interpolation for the same curve: exactly where that can be, else near enough.

use std::cell::Cell;

use galvani_core::EditError;

use super::curve::{Curve, CurvePart, Point, Shape, minus, sum};
use super::keys::{insert, sorted};
use super::track::{self, TrackRef};
use super::window::{EVERYTHING, Window, apart, windows};
use super::{INTERPOLATION, TOO_MANY_KEYS, tolerable};
use crate::Document;
use crate::track::{Form, TrackValue};

/// How values follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Interpolation {
    /// The value of the last key.
    Step,
    /// A straight line; the shortest turn.
    Linear,
    /// Tangents are how fast the curve leaves and arrives.
    Hermite,
    /// Tangents are points to which the curve leaves and from which it arrives.
    Bezier,
}

impl Interpolation {
    /// The number for it in a file.
    pub fn number(self) -> u32 {
        match self {
            Interpolation::Step => 0,
            Interpolation::Linear => 1,
            Interpolation::Hermite => 2,
            Interpolation::Bezier => 3,
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Interpolation::Step => "step",
            Interpolation::Linear => "linear",
            Interpolation::Hermite => "hermite",
            Interpolation::Bezier => "bezier",
        }
    }

    /// What a word or a number says.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Step, Self::Linear, Self::Hermite, Self::Bezier]
            .into_iter()
            .find(|kind| kind.word() == word || kind.number().to_string() == word)
    }
}

/// What became of a change of interpolation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Changed {
    /// Whether the new curve is the old one but for rounding, at every whole millisecond.
    pub is_exact: bool,
    /// How far they are from each other, in units or in radians.
    pub off: f64,
    /// Keys before.
    pub keys_before: usize,
    /// Keys now.
    pub keys: usize,
}

/// Keys that a track may get.
const MOST_KEYS: usize = 1 << 20;

/// Milliseconds of a track that are looked at one by one: more than an hour.
const MOST_MOMENTS: u32 = 1 << 22;

/// How far rounding may take a value of 1 from where it was.
pub(super) const ROUNDING: f64 = 1e-5;

/// Moments at which a line is held against the curve.
const MOMENTS: u32 = 1024;

/// Gives a track another interpolation and the keys that the curve then needs.
///
/// From linear to hermite and bezier, between these two, and from step to all (by a key one millisecond before
/// each change) it stays what it was. To linear and to step keys are added until it is within the tolerance at
/// every whole millisecond, in units or for rotations in radians; to step a curve that changes by more in one
/// millisecond cannot be nearer.
pub fn set_interpolation(
    document: &mut Document,
    name: &TrackRef,
    kind: Interpolation,
    tolerance: f64,
) -> Result<Changed, EditError> {
    let tolerance = tolerable(tolerance)?;
    let found = track::find(document, name)?;
    let before = sorted(&found)?;
    let count = before.keys.len();
    let now = found.track.interpolation;
    if now == kind.number() {
        return Ok(Changed { is_exact: true, off: 0.0, keys_before: count, keys: count });
    }
    if found.track.form != Form::Generic
        || matches!(found.track.value, TrackValue::Number | TrackValue::Moment)
    {
        let said = format!("{} of the {} form", found.track.name(), found.track.form.word());
        return Err(INTERPOLATION.at(found.path).saying(said).into());
    }
    let windows = windows(document, found.track);
    let too_many = || EditError::from(TOO_MANY_KEYS.at(found.path).saying(format!("more than {MOST_KEYS}")));
    let (made, is_exact) = match (before.shape, kind) {
        (Shape::Step, Interpolation::Step) | (Shape::Linear, Interpolation::Linear) => (before.clone(), true),
        (Shape::Step, kind) => {
            let linear = held(&before, &windows);
            (smooth(&linear, kind, &windows), true)
        }
        (Shape::Linear, Interpolation::Hermite | Interpolation::Bezier) => {
            (smooth(&before, kind, &windows), true)
        }
        (Shape::Hermite, Interpolation::Bezier) | (Shape::Bezier, Interpolation::Hermite) => {
            (other_spline(&before), true)
        }
        (Shape::Squad, Interpolation::Hermite | Interpolation::Bezier) => (before.clone(), true),
        (_, Interpolation::Hermite | Interpolation::Bezier) => (before.clone(), true),
        (_, Interpolation::Linear) => {
            let made = baked(&before, &windows, Shape::Linear, |made, shown, from, to| {
                lines(made, shown, from, to, tolerance)
            });
            (made.ok_or_else(too_many)?, false)
        }
        (_, Interpolation::Step) => {
            let left = Cell::new(MOST_MOMENTS);
            let made = baked(&before, &windows, Shape::Step, |made, shown, from, to| {
                let rest = left.get().checked_sub(to.abs_diff(from));
                left.set(rest.unwrap_or(0));
                rest.is_some() && steps(made, shown, from, to, tolerance)
            });
            (made.ok_or_else(too_many)?, false)
        }
    };
    let off = apart(&before, &made, &windows);
    // A key at which one sequence ends and the next begins cannot always serve both.
    let is_exact = is_exact && off <= ROUNDING * before.largest().max(1.0);
    let keys = made.keys.len();
    let (index, made) = (found.index, found.made(&made, kind.number())?);
    track::replace_track(document, index, made);
    Ok(Changed { is_exact, off, keys_before: count, keys })
}

/// Steps as lines: before each change a key that holds the value.
fn held(curve: &Curve, windows: &[Window]) -> Curve {
    let closed = closed(curve, windows);
    let ends: Vec<(usize, usize)> = windows.iter().filter_map(|window| window.ends(&closed)).collect();
    let mut made = Curve { keys: Vec::new(), shape: Shape::Linear, ..closed.clone() };
    for (i, key) in closed.keys.iter().enumerate() {
        if let Some(before) = i.checked_sub(1).and_then(|i| closed.keys.get(i)) {
            let moment = key.time.saturating_sub(1);
            // Between two sequences nobody sees the way, and a key there might lie in the second.
            let shown = ends.iter().any(|(first, last)| *first < i && i <= *last);
            if shown && moment > before.time && !before.has_value_of(key) {
                made.keys.push(before.at(moment));
            }
        }
        made.keys.push(*key);
    }
    made
}

/// Lines as splines.
fn smooth(linear: &Curve, kind: Interpolation, windows: &[Window]) -> Curve {
    let mut made = linear.clone();
    made.shape = match (kind, linear.value.is_rotation()) {
        (Interpolation::Step | Interpolation::Linear, _) => return made,
        (_, true) => Shape::Squad,
        (Interpolation::Hermite, false) => Shape::Hermite,
        (Interpolation::Bezier, false) => Shape::Bezier,
    };
    let count = linear.keys.len();
    if made.shape == Shape::Squad {
        // Rotations whose tangents are the rotations themselves turn as straight as without.
        for key in 0..count {
            made.still(key, CurvePart::In);
            made.still(key, CurvePart::Out);
        }
        return made;
    }
    let mut line = |a: usize, b: usize| {
        let (from, to) = (linear.point(a, CurvePart::Value), linear.point(b, CurvePart::Value));
        let way = minus(to, from);
        let third =
            |start: Point, factor: f64| sum([(1.0, start), (factor / 3.0, way), (0.0, way), (0.0, way)]);
        let (out, inn) =
            if made.shape == Shape::Bezier { (third(from, 1.0), third(to, -1.0)) } else { (way, way) };
        made.set(a, CurvePart::Out, out);
        made.set(b, CurvePart::In, inn);
    };
    // Where a sequence loops its last key leads to its first. Ways inside of a sequence come after those, since
    // a key at which one sequence ends and the next begins can lead one way only.
    let ends: Vec<(usize, usize)> = windows.iter().filter_map(|window| window.ends(linear)).collect();
    let next = |key: usize| (key, key.saturating_add(1));
    let all = (0..count.saturating_sub(1)).map(next);
    let loops = ends.iter().map(|(first, last)| (*last, *first));
    let inside = ends.iter().flat_map(|(first, last)| (*first..*last).map(next));
    if let Some(last) = count.checked_sub(1) {
        line(last, 0);
    }
    for (a, b) in all.chain(loops).chain(inside) {
        line(a, b);
    }
    made
}

/// Hermite as bezier and back.
fn other_spline(curve: &Curve) -> Curve {
    let mut made = curve.clone();
    let to_bezier = curve.shape == Shape::Hermite;
    made.shape = if to_bezier { Shape::Bezier } else { Shape::Hermite };
    for key in 0..curve.keys.len() {
        let value = curve.point(key, CurvePart::Value);
        for (part, sign) in [(CurvePart::In, -1.0), (CurvePart::Out, 1.0)] {
            let tangent = curve.point(key, part);
            let new = if to_bezier {
                sum([(1.0, value), (sign / 3.0, tangent), (0.0, value), (0.0, value)])
            } else {
                let (from, to) = if part == CurvePart::In { (tangent, value) } else { (value, tangent) };
                minus(to, from).map(|number| number * 3.0)
            };
            made.set(key, part, new);
        }
    }
    made
}

/// The curve as it was at a whole millisecond.
type Shown<'a> = &'a dyn Fn(i32) -> Point;

/// The curve with keys added in all windows, by a function that adds those between two moments, or says no if
/// there are too many.
fn baked(
    curve: &Curve,
    windows: &[Window],
    shape: Shape,
    bake: impl Fn(&mut Curve, Shown<'_>, i32, i32) -> bool,
) -> Option<Curve> {
    let closed = closed(curve, windows);
    let mut made = Curve { keys: Vec::new(), shape, ..closed.clone() };
    let shows = |window: &&Window, key: usize| {
        window.ends(&closed).is_some_and(|(first, last)| first <= key && key < last)
    };
    for (i, key) in closed.keys.iter().enumerate() {
        made.keys.push(*key);
        let window = windows.iter().find(|window| shows(window, i));
        if let (Some(window), Some(next)) = (window, closed.keys.get(i.saturating_add(1))) {
            let shown = |moment: i32| window.sample(curve, f64::from(moment)).unwrap_or_default();
            if !bake(&mut made, &shown, key.time, next.time) {
                return None;
            }
        }
    }
    Some(made)
}

/// The same curve with keys at both ends of sequences that loop, so that no way leads around.
fn closed(curve: &Curve, windows: &[Window]) -> Curve {
    let mut closed = curve.clone();
    for window in windows.iter().filter(|window| window.is_looping && **window != EVERYTHING) {
        if window.ends(&closed).is_none_or(|(first, last)| first == last) {
            continue;
        }
        for time in [window.end, window.start] {
            if closed.at(time).is_none() {
                insert(&mut closed, *window, time, None);
            }
        }
    }
    closed
}

/// Halves the way until lines are near enough.
fn lines(made: &mut Curve, shown: Shown<'_>, start: i32, end: i32, tolerance: f64) -> bool {
    // Ways still to be looked at, the next one last.
    let mut ways = vec![(start, end)];
    while let Some((from, to)) = ways.pop() {
        let key = |moment: i32| made.key(moment, shown(moment), [0.0; 4], [0.0; 4]);
        let line = Curve { keys: vec![key(from), key(to)], ..*made }.segment(0, 1);
        let len = to.abs_diff(from);
        let is_near = |moment: i32| {
            let u = f64::from(moment.abs_diff(from)) / f64::from(len);
            made.distance(line.at(u), shown(moment)) <= tolerance
        };
        let stride = usize::try_from(len / MOMENTS).unwrap_or(1).max(1);
        if len > 1 && !(from.saturating_add(1)..to).step_by(stride).all(is_near) {
            let middle = from.midpoint(to);
            ways.push((middle, to));
            ways.push((from, middle));
        } else if to != end {
            let key = key(to);
            made.keys.push(key);
        }
        if made.keys.len().saturating_add(ways.len()) > MOST_KEYS {
            return false;
        }
    }
    true
}

/// A key wherever the value has gone too far from the last key's.
fn steps(made: &mut Curve, shown: Shown<'_>, start: i32, end: i32, tolerance: f64) -> bool {
    let mut value = shown(start);
    for moment in start.saturating_add(1)..end {
        let now = shown(moment);
        if made.distance(value, now) > tolerance {
            made.keys.push(made.key(moment, now, now, now));
            value = now;
        }
        if made.keys.len() > MOST_KEYS {
            return false;
        }
    }
    true
}
