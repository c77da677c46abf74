//! Which keys of a track count and what time it is (docs/notes/mdx-runtime.md#time, #keys).

use galvani_mdx::model::ModelEnd;
use galvani_mdx::track::{TrackValue, floats};
use galvani_mdx::{Content, Document, Sequence, Track};

use super::curve::{Key, SlowShape, curve};
use super::math::unit;
use super::{Edges, Moment};

/// Tracks that switch something on or off, which the game never blends (docs/notes/mdx-runtime.md#keys).
const SWITCHES: [&[u8; 4]; 6] = [b"KLAV", b"KATV", b"KPEV", b"KP2V", b"KRVS", b"KVIS"];

/// "Always animate" among the flags of MODL in WoW (docs/formats/mdx-records.md#modl).
const ALWAYS_ANIMATE: u8 = 4;

/// A stretch of a timeline, both ends in it.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    pub start: f64,
    pub end: f64,
    pub loops: bool,
}

impl Window {
    pub fn length(self) -> f64 {
        self.end - self.start
    }

    pub fn holds(self, time: f64) -> bool {
        self.start <= time && time <= self.end
    }
}

/// The value of a track, if a key applies.
pub fn sample(
    document: &Document,
    track: &Track,
    sequence: Option<usize>,
    moment: Moment,
    edges: Edges,
) -> Option<Vec<f64>> {
    let way = way(document, track)?;
    let keys = keys(track);
    let window =
        if track.global >= 0 { global(document, track.global) } else { window(document, sequence?)? };
    let inside: Vec<Key> = keys.iter().filter(|key| window.holds(key.time)).cloned().collect();
    if track.global >= 0 && inside.is_empty() {
        return keys.first().filter(|key| key.time > window.end).map(|key| key.value.clone());
    }
    let time = if track.global >= 0 { global_now(window, moment.global) } else { now(window, moment.time) };
    let wraps = match edges {
        Edges::ByFlag => window.loops,
        Edges::Wrap => true,
        Edges::Hold => false,
    };
    curve(&inside, way, track.value.is_rotation(), window, time, wraps)
}

/// The window of a sequence.
pub fn window(document: &Document, sequence: usize) -> Option<Window> {
    let rows = document.sequences();
    let row: &Sequence<'_> = rows.get(sequence)?;
    Some(Window { start: number(row.start()), end: number(row.end()), loops: row.flags() & 1 == 0 })
}

/// The window of a global sequence; one that is not there has no length.
fn global(document: &Document, id: i32) -> Window {
    let length = document.globals().get(usize::try_from(id).unwrap()).copied().unwrap_or(0);
    Window { start: 0.0, end: f64::from(length), loops: true }
}

/// What the timeline shows after so much of the clock.
fn now(window: Window, time: f64) -> f64 {
    let length = window.length();
    if length <= 0.0 {
        return window.start;
    }
    if !window.loops {
        return window.start + time.clamp(0.0, length);
    }
    // The end is the end's own pose; only beyond it does it begin again.
    if time >= 0.0 && time <= length { window.start + time } else { global_now(window, time) }
}

/// The same for global sequences, whose clock is taken modulo their length (docs/notes/mdx-runtime.md#time).
fn global_now(window: Window, time: f64) -> f64 {
    let length = window.length();
    if length <= 0.0 {
        return window.start;
    }
    // A hair before zero rounds to the whole length.
    let gone = time.rem_euclid(length);
    window.start + if gone < length { gone } else { 0.0 }
}

/// The value of a track at a moment of a window, all by itself.
pub fn at(track: &Track, window: Window, time: f64) -> Option<Vec<f64>> {
    let inside: Vec<Key> = keys(track).into_iter().filter(|key| window.holds(key.time)).collect();
    let way = if is_stepped(track) { SlowShape::Step } else { said(track)? };
    curve(&inside, way, track.value.is_rotation(), window, time, window.loops)
}

/// How a track goes from key to key, if anyone knows.
fn way(document: &Document, track: &Track) -> Option<SlowShape> {
    if is_stepped(track) {
        return Some(SlowShape::Step);
    }
    if is_always_linear(document) { Some(SlowShape::Linear) } else { said(track) }
}

fn is_stepped(track: &Track) -> bool {
    track.value == TrackValue::Number || SWITCHES.contains(&&track.tag)
}

/// What the head of a track says.
fn said(track: &Track) -> Option<SlowShape> {
    match track.interpolation {
        0 => Some(SlowShape::Step),
        1 => Some(SlowShape::Linear),
        2 => Some(SlowShape::Hermite),
        3 => Some(SlowShape::Bezier),
        _ => None,
    }
}

fn is_always_linear(document: &Document) -> bool {
    document.chunks.iter().any(|chunk| match &chunk.content {
        Content::Model(model) => match &model.end {
            ModelEnd::Wow(end) => end.flags & ALWAYS_ANIMATE != 0,
            ModelEnd::Warcraft(_) => false,
        },
        _ => false,
    })
}

/// The keys of a track in order of time, those of one time in file order.
fn keys(track: &Track) -> Vec<Key> {
    let mut keys = Vec::new();
    for (i, time) in track.times.iter().enumerate() {
        let value = numbers(track.value, track.words(i).unwrap());
        let (arriving, leaving) = match track.tangents(i) {
            Some((arriving, leaving)) => (numbers(track.value, arriving), numbers(track.value, leaving)),
            None => (Vec::new(), Vec::new()),
        };
        keys.push(Key { time: f64::from(*time), value, arriving, leaving });
    }
    keys.sort_by(|a, b| a.time.total_cmp(&b.time));
    keys
}

/// A value or a tangent; turns have length one.
fn numbers(value: TrackValue, words: &[u32]) -> Vec<f64> {
    if value == TrackValue::Number {
        return words.iter().map(|word| f64::from(*word)).collect();
    }
    let found: Vec<f64> =
        floats(value, words).unwrap().as_slice().iter().map(|number| f64::from(*number)).collect();
    if value.is_rotation() { unit([found[0], found[1], found[2], found[3]]).to_vec() } else { found }
}

#[allow(clippy::cast_precision_loss, reason = "times of a file have 32 bits")]
fn number(value: i64) -> f64 {
    value as f64
}
