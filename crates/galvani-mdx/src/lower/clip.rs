//! Clips one behind the other on the timeline, and their curves as tracks.

use std::collections::BTreeMap;

use galvani_core::{LowerError, Path};
use galvani_scene::{Blend, Clip, Curve, Interp, Looping, Track as Moving, bake_on};
use glam::{Quat, Vec3};

use super::{Lower, MADE_SEQUENCE, TOO_LONG};
use crate::lift::milliseconds;
use crate::quaternion;
use crate::track::{Form, Track, TrackValue};

/// Milliseconds between the end of a sequence and the start of the next.
const GAP: i32 = 1000;

/// How far from rest, in tolerances, something may be that does not move.
const STILL_PART: f32 = 0.1;

/// Milliseconds of a sequence in which everything rests.
const STILL: i32 = 1000;

/// Where a clip lies on the timeline.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span<'s> {
    /// Nothing for a sequence in which everything rests.
    pub(super) clip: Option<&'s Clip>,
    pub(super) start: i32,
    pub(super) end: i32,
}

impl Span<'_> {
    pub(super) fn name(&self) -> &str {
        self.clip.map(|clip| clip.name.as_str()).filter(|name| !name.is_empty()).unwrap_or("Stand")
    }

    pub(super) fn is_looping(&self) -> bool {
        self.clip.is_none_or(|clip| clip.looping == Looping::Wrap)
    }
}

/// What moves, by what it moves: the numbers of spans, and the tracks there.
#[derive(Debug, Default)]
pub(super) struct TrackIndex<'s> {
    pub(super) nodes: BTreeMap<usize, Vec<(usize, &'s Moving)>>,
    materials: BTreeMap<usize, Vec<(usize, &'s Moving)>>,
}

impl<'s> TrackIndex<'s> {
    pub(super) fn new(spans: &[Span<'s>]) -> Self {
        let mut index = TrackIndex::default();
        for (i, span) in spans.iter().enumerate() {
            for track in span.clip.iter().flat_map(|clip| &clip.tracks) {
                if let Some(node) = track.node() {
                    index.nodes.entry(node.index()).or_default().push((i, track));
                }
                if let Some(material) = track.material() {
                    index.materials.entry(material.index()).or_default().push((i, track));
                }
            }
        }
        index
    }

    /// What a property of a node does in each of so many spans.
    pub(super) fn of_node<V>(
        &self,
        node: usize,
        spans: usize,
        own: impl FnMut(&Moving) -> Option<Curve<V>>,
    ) -> Motions<V> {
        motions(self.nodes.get(&node), spans, own)
    }

    /// What a property of a material does in each of so many spans.
    pub(super) fn of_material<V>(
        &self,
        material: usize,
        spans: usize,
        own: impl FnMut(&Moving) -> Option<Curve<V>>,
    ) -> Motions<V> {
        motions(self.materials.get(&material), spans, own)
    }
}

fn motions<V>(
    tracks: Option<&Vec<(usize, &Moving)>>,
    spans: usize,
    mut own: impl FnMut(&Moving) -> Option<Curve<V>>,
) -> Motions<V> {
    let mut motions: Motions<V> = (0..spans).map(|_| None).collect();
    for (span, track) in tracks.into_iter().flatten() {
        if let (Some(motion @ None), Some(curve)) = (motions.get_mut(*span), own(track)) {
            *motion = Some(curve);
        }
    }
    motions
}

/// The clips on the timeline; if there are none, one in which everything rests.
pub(super) fn spans<'s>(lower: &mut Lower<'s>) -> Result<Vec<Span<'s>>, LowerError> {
    let is_wanted = |i: usize| {
        let wanted = lower.options.clips.as_ref();
        wanted.is_none_or(|wanted| wanted.iter().any(|clip| clip.index() == i))
    };
    let clips = lower.scene.clips.iter().enumerate().filter(|(i, _)| is_wanted(*i));
    let (mut spans, mut start) = (Vec::new(), 0_i32);
    for (i, clip) in clips {
        let end = whole(clip.duration).max(1).checked_add(start).filter(|end| *end < i32::MAX - GAP);
        let end = end.ok_or_else(|| TOO_LONG.at(Path::named("clips").index(i)).saying(clip.name.clone()))?;
        spans.push(Span { clip: Some(clip), start, end });
        start = end.saturating_add(GAP);
    }
    if spans.is_empty() {
        lower.report.push(MADE_SEQUENCE.at(Path::named("clips")));
        spans.push(Span { clip: None, start: 0, end: STILL });
    }
    Ok(spans)
}

/// Seconds in whole milliseconds, the nearest.
#[allow(clippy::as_conversions, clippy::cast_possible_truncation, reason = "what is too long is refused")]
pub(super) fn whole(seconds: f32) -> i32 {
    milliseconds(seconds).round() as i32
}

/// What a property of something does in each sequence; nothing where it rests.
pub(super) type Motions<V> = Vec<Option<Curve<V>>>;

/// A key on the timeline: its value, and how the curve arrives and leaves.
#[derive(Debug, Clone, Copy)]
struct TimelineKey<V> {
    time: i32,
    value: V,
    tangents: [V; 2],
}

/// Values that tracks hold.
pub(super) trait Held: Blend {
    /// The words of one in a file.
    fn words(self, is_wow: bool) -> Vec<u32>;

    /// What one is in files.
    fn kind(is_wow: bool) -> TrackValue;

    /// The tangent of a curve that rests at a value.
    fn still(self, interp: Interp) -> Self;
}

impl Held for f32 {
    fn words(self, _: bool) -> Vec<u32> {
        vec![self.to_bits()]
    }

    fn kind(_: bool) -> TrackValue {
        TrackValue::Float
    }

    fn still(self, interp: Interp) -> Self {
        if interp == Interp::Bezier { self } else { 0.0 }
    }
}

impl Held for Vec3 {
    fn words(self, _: bool) -> Vec<u32> {
        self.to_array().map(f32::to_bits).to_vec()
    }

    fn kind(_: bool) -> TrackValue {
        TrackValue::Vector
    }

    fn still(self, interp: Interp) -> Self {
        if interp == Interp::Bezier { self } else { Vec3::ZERO }
    }
}

impl Held for Quat {
    fn words(self, is_wow: bool) -> Vec<u32> {
        if is_wow {
            quaternion::words(quaternion::encode(self)).to_vec()
        } else {
            self.to_array().map(f32::to_bits).to_vec()
        }
    }

    fn kind(is_wow: bool) -> TrackValue {
        if is_wow { TrackValue::Packed } else { TrackValue::Quaternion }
    }

    fn still(self, _: Interp) -> Self {
        self
    }
}

/// The track of a property; nothing if it rests in every sequence. A sequence in which it rests, or whose curve begins late
/// or ends early, gets keys of its own: what the games do beyond the first and the last is not what a scene does.
pub(super) fn track<V: Held>(
    lower: &mut Lower<'_>,
    tag: [u8; 4],
    (spans, motions): (&[Span<'_>], &Motions<V>),
    (rest, tolerance): (V, f32),
) -> Option<Track> {
    let rests =
        |curve: &Curve<V>| curve.values.iter().all(|value| value.distance(rest) <= STILL_PART * tolerance);
    if motions.iter().flatten().all(rests) {
        return None;
    }
    Some(held(lower, tag, (spans, motions), (rest, tolerance)))
}

/// The same, also of what rests in every sequence.
fn held<V: Held>(
    lower: &mut Lower<'_>,
    tag: [u8; 4],
    (spans, motions): (&[Span<'_>], &Motions<V>),
    (rest, tolerance): (V, f32),
) -> Track {
    let interp = common(spans, motions);
    let mut keys: Vec<TimelineKey<V>> = Vec::new();
    for (span, motion) in spans.iter().zip(motions) {
        let still = Curve::still(rest);
        let curve = motion.as_ref().unwrap_or(&still);
        let baked = interp.is_none().then(|| baked(span, curve, tolerance));
        let curve = baked.as_ref().unwrap_or(curve);
        push(&mut keys, span, curve, interp.unwrap_or(Interp::Linear), &mut lower.moved);
    }
    lower.baked = lower.baked.saturating_add(usize::from(interp.is_none()));
    let (is_wow, interp) = (lower.is_wow(), interp.unwrap_or(Interp::Linear));
    let words = |values: &dyn Fn(&TimelineKey<V>) -> V| {
        keys.iter().flat_map(|key| values(key).words(is_wow)).collect()
    };
    let tangents = |side: usize| {
        let own = |key: &TimelineKey<V>| key.tangents.get(side).copied().unwrap_or(key.value);
        if interp.has_tangents() { words(&own) } else { Vec::new() }
    };
    Track {
        tag,
        form: Form::Generic,
        interpolation: number(interp),
        global: -1,
        value: V::kind(is_wow),
        times: keys.iter().map(|key| key.time).collect(),
        values: words(&|key| key.value),
        in_tangents: tangents(0),
        out_tangents: tangents(1),
    }
}

/// The track of a property that rests in every sequence.
pub(super) fn resting<V: Held>(lower: &mut Lower<'_>, tag: [u8; 4], spans: &[Span<'_>], rest: V) -> Track {
    let motions: Motions<V> = spans.iter().map(|_| None).collect();
    held(lower, tag, (spans, &motions), (rest, 0.0))
}

/// How files count the ways between two keys.
fn number(interp: Interp) -> u32 {
    match interp {
        Interp::Step => 0,
        Interp::Linear => 1,
        Interp::Hermite => 2,
        Interp::Bezier => 3,
    }
}

/// The one way in which all curves go, if there is one: those of a single key go any way. Curves with tangents must reach from
/// end to end.
fn common<V>(spans: &[Span<'_>], motions: &Motions<V>) -> Option<Interp> {
    let mut common = None;
    for (span, curve) in spans.iter().zip(motions).filter_map(|(span, it)| Some((span, it.as_ref()?))) {
        if curve.times.len() < 2 {
            continue;
        }
        let ends = [curve.times.first(), curve.times.last()].map(|time| time.map_or(0, |time| whole(*time)));
        let is_whole = ends == [0, span.end.saturating_sub(span.start)];
        let is_fine = !curve.interp.has_tangents() || is_whole && curve.tangents.len() == curve.values.len();
        if !is_fine || common.is_some_and(|common| common != curve.interp) {
            return None;
        }
        common = Some(curve.interp);
    }
    Some(common.unwrap_or(Interp::Linear))
}

/// A curve on straight lines, from key to key; before every jump there is a key that waits for it.
fn baked<V: Blend>(span: &Span<'_>, curve: &Curve<V>, tolerance: f32) -> Curve<V> {
    let end = crate::lift::seconds(f64::from(span.end.saturating_sub(span.start)));
    let before = |time: f32| crate::lift::seconds(f64::from(whole(time).saturating_sub(1)));
    let waits = curve.times.iter().copied().filter(|_| curve.interp == Interp::Step).map(before);
    let mut stops: Vec<f32> = curve.times.iter().copied().chain(waits).chain([0.0, end]).collect();
    stops.retain(|time| (0.0..=end).contains(time));
    stops.sort_by(f32::total_cmp);
    stops.dedup();
    let middle = |from: f32, to: f32| crate::lift::seconds(f64::from(whole(from + (to - from) * 0.5)));
    let first = curve.values.first().copied();
    match first {
        Some(first) => bake_on(&stops, tolerance, middle, |time| curve.at(time).unwrap_or(first)).curve,
        None => Curve::linear(Vec::new(), Vec::new()),
    }
}

/// Adds the keys of a curve. Of several in one millisecond the last counts.
fn push<V: Held>(
    keys: &mut Vec<TimelineKey<V>>,
    span: &Span<'_>,
    curve: &Curve<V>,
    interp: Interp,
    moved: &mut usize,
) {
    let first = keys.len();
    let length = span.end.saturating_sub(span.start);
    let still = |time: i32, value: V| TimelineKey {
        time: span.start.saturating_add(time),
        value,
        tangents: [value.still(interp); 2],
    };
    for (i, (&seconds, &value)) in curve.times.iter().zip(&curve.values).enumerate() {
        let time = whole(seconds).clamp(0, length);
        let exact = milliseconds(seconds);
        *moved = moved.saturating_add(usize::from((exact - exact.round()).abs() > 1e-2));
        let own = curve.tangents.get(i).copied().filter(|_| curve.interp == interp);
        let mut key = still(time, value);
        key.tangents = own.unwrap_or(key.tangents);
        if keys.len() == first && time > 0 {
            keys.push(still(0, value));
        }
        match keys.last_mut().filter(|last| last.time == key.time) {
            Some(last) => *last = key,
            None => keys.push(key),
        }
    }
    if let Some(last) =
        keys.last().copied().filter(|last| last.time < span.end && keys.len() > first.saturating_add(1))
    {
        keys.push(still(length, last.value));
    }
}
