//! Clips: one animation each.

use std::borrow::Cow;

use galvani_core::Path;
use galvani_scene::{Baked, Blend, Clip, Curve, Id, Interp, Scene, Track, bake, share};
use glam::{Quat, Vec3};
use serde_json::{Value, json};

use crate::export::Writer;
use crate::names::Names;
use crate::unique::Unique;
use crate::{BAKED, LOST_TRACK, ON_GRID, STILL, Visibility, extras, pointer, schema};

/// Writes all clips in which something moves; what is known of each beyond its curves.
pub(crate) fn write(writer: &mut Writer<'_>) -> Vec<Value> {
    let (mut names, mut tally) = (Names::default(), Tally::default());
    let mut table = Vec::new();
    let tracks = || writer.scene.clips.iter().flat_map(|clip| &clip.tracks);
    let keys = tracks().map(|track| track.times().len()).fold(0, usize::saturating_add);
    let count = tracks().count();
    writer.bytes.expect_values(keys.saturating_mul(KEY_LEN), count);
    for (i, clip) in writer.scene.clips.iter().enumerate() {
        let path = Path::named("clips").index(i);
        let Channels { list: channels, samplers, lost } = channels_of(writer, clip, path, &mut tally);
        if channels.is_empty() {
            writer.report.push(STILL.at(path).saying(clip.name.clone()));
            table.push(extras::clip(clip, None, &lost));
            continue;
        }
        let name = names.give(&clip.name, &format!("clip_{}", clip.index));
        let known = extras::clip(clip, Some(&name), &lost);
        let mut extras = extras::scalars(&clip.extras);
        extras.insert(format!("{}clip", extras::PREFIX), json!(clip.index));
        extras.insert(format!("{}loop", extras::PREFIX), json!(clip.looping.word()));
        extras.insert("galvani".to_owned(), json!(extras::clip(clip, Some(&name), &[]).to_string()));
        table.push(known);
        writer.root.animations.push(schema::Animation {
            name,
            channels,
            samplers: samplers.into_list(),
            extras,
        });
    }
    if tally.tracks > 0 {
        let Tally { tracks, keys, error, .. } = tally;
        let said = format!("{tracks} tracks have {keys} keys and are at most {error:.6} rad from the source");
        writer.report.push(BAKED.at(Path::named("clips")).saying(said));
    }
    if tally.grid.tracks > 0 {
        let Tally { grid: Grid { tracks, keys }, length, angle, .. } = tally;
        let said = format!(
            "{tracks} tracks have {keys} keys and are at most {length:.6} and {angle:.6} rad from the source"
        );
        writer.report.push(ON_GRID.at(Path::named("clips")).saying(said));
    }
    table
}

/// What a key takes at most, but for cubics.
const KEY_LEN: usize = 16;

/// What was baked, and what was put on a grid.
#[derive(Debug, Default)]
struct Tally {
    tracks: usize,
    keys: usize,
    error: f32,
    grid: Grid,
    /// How far from the source what was put on a grid is at most.
    length: f32,
    angle: f32,
}

/// Curves that were put on a grid, and their keys.
#[derive(Debug, Default)]
struct Grid {
    tracks: usize,
    keys: usize,
}

impl Grid {
    /// Counts a curve if it was put on a grid; how far that is from it at most, at its own keys and between the new ones.
    fn add<V: Blend>(&mut self, curve: &Curve<V>, made: &Curve<V>) -> f32 {
        if std::ptr::eq(curve, made) {
            return 0.0;
        }
        self.tracks = self.tracks.saturating_add(1);
        self.keys = self.keys.saturating_add(made.times.len());
        let between =
            made.times.windows(2).filter_map(|pair| Some(f32::midpoint(*pair.first()?, *pair.last()?)));
        let off = |time: f32| Some(curve.at(time)?.distance(made.at(time)?));
        curve.times.iter().copied().chain(between).filter_map(off).fold(0.0, f32::max)
    }
}

/// The channels of an animation. Samplers that are the same are there once.
#[derive(Debug)]
pub(crate) struct Channels {
    list: Vec<schema::Channel>,
    samplers: Unique<schema::Sampler>,
    /// Tracks that are not among them.
    lost: Vec<Value>,
}

impl Channels {
    fn with_capacity(count: usize) -> Self {
        Channels { list: Vec::with_capacity(count), samplers: Unique::with_capacity(count), lost: Vec::new() }
    }

    pub(crate) fn add(&mut self, sampler: schema::Sampler, target: schema::Target) {
        let sampler = self.samplers.place(sampler);
        self.list.push(schema::Channel { sampler, target });
    }
}

fn channels_of(writer: &mut Writer<'_>, clip: &Clip, path: Path, tally: &mut Tally) -> Channels {
    let mut made = Channels::with_capacity(clip.tracks.len());
    let mut lacks = Lacks::in_clip(clip);
    let tolerance = writer.options.tolerance * share_of_each(writer.scene, clip);
    for (i, track) in clip.tracks.iter().enumerate() {
        let node = track.node().map(Id::index);
        let target = |path| schema::Target { node, path, pointer: None };
        let fps = writer.options.fps;
        let (sampler, target) = match track {
            Track::Translation(_, curve) | Track::Scale(_, curve) => {
                let (ends, on_grid) = (std::mem::take(&mut lacks), gridded(curve, fps));
                tally.length = tally.length.max(tally.grid.add(curve, &on_grid));
                (vectors(writer, &on_grid, ends, Vec3::to_array), target(track.word()))
            }
            Track::Rotation(_, curve) => {
                let (ends, on_grid) = (std::mem::take(&mut lacks), gridded(curve, fps));
                tally.angle = tally.angle.max(tally.grid.add(curve, &on_grid));
                (rotations(writer, &on_grid, ends, (tolerance, &mut *tally)), target(track.word()))
            }
            other => {
                if !pointer::write(writer, clip, other, &mut made) && is_lost(writer, other) {
                    made.lost.push(extras::track(other));
                    if other.node().is_none_or(|node| writer.showing.contains(&node)) {
                        let path = path.field("tracks").index(i).field(other.word());
                        writer.report.push(LOST_TRACK.at(path));
                    }
                }
                continue;
            }
        };
        made.add(sampler, target);
    }
    made
}

/// The part of the tolerance that each turn may take that is baked. What is on straight lines may have been baked already.
fn share_of_each(scene: &Scene, clip: &Clip) -> f32 {
    if !clip.tracks.iter().any(is_squad) {
        return 1.0;
    }
    let mut counts = vec![0_usize; scene.nodes.len()];
    for track in &clip.tracks {
        let may_be_off = track.interp() == Interp::Linear || is_squad(track);
        let node = track.node().filter(|_| may_be_off);
        if let Some(count) = node.and_then(|node| counts.get_mut(node.index())) {
            *count = count.saturating_add(1);
        }
    }
    share(scene.nodes.iter().map(|node| node.parent.map(Id::index)).zip(counts))
}

/// Turns that glTF's cubic cannot say.
fn is_squad(track: &Track) -> bool {
    matches!(track, Track::Rotation(_, curve) if curve.interp.has_tangents())
}

/// Whether a track that cannot be written says something.
fn is_lost(writer: &Writer<'_>, track: &Track) -> bool {
    match track {
        Track::Visibility(_, curve) => {
            curve.values.contains(&false) || writer.options.visibility == Visibility::Extras
        }
        _ => true,
    }
}

/// The most keys that a grid gives a curve; a longer one keeps its own.
const MOST_KEYS: u16 = u16::MAX;

/// The same on a grid of so many keys a second, if that is wanted and there is something between keys.
fn gridded<V: Blend>(curve: &Curve<V>, fps: Option<f32>) -> Cow<'_, Curve<V>> {
    let ends = curve.times.first().zip(curve.times.last()).filter(|_| curve.interp != Interp::Step);
    let (Some(fps), Some((&first, &last))) = (fps.filter(|fps| *fps > 0.0), ends) else {
        return Cow::Borrowed(curve);
    };
    if last * fps >= f32::from(MOST_KEYS) || first >= last {
        return Cow::Borrowed(curve);
    }
    let grid = (0..=MOST_KEYS).map(|key| f32::from(key) / fps);
    let inside = grid.skip_while(|time| *time <= first).take_while(|time| *time < last);
    let times: Vec<f32> = std::iter::once(first).chain(inside).chain([last]).collect();
    let values = times.iter().filter_map(|time| curve.at(*time)).collect();
    Cow::Owned(Curve::linear(times, values))
}

/// Writes vectors, to the last few bits.
pub(crate) fn vectors<V: Blend, const N: usize>(
    writer: &mut Writer<'_>,
    curve: &Curve<V>,
    lacks: Lacks,
    row: impl Fn(&V) -> [f32; N],
) -> schema::Sampler {
    let Curve { times, values, tangents, interp } = curve;
    if !interp.has_tangents() || times.len() < 2 {
        let interpolation = if *interp == Interp::Linear { "LINEAR" } else { "STEP" };
        return write_keys(writer, times, values.iter().map(row), interpolation, lacks);
    }
    let values: Vec<[f32; N]> = values.iter().map(&row).collect();
    let tangents: Vec<[[f32; N]; 2]> = tangents.iter().map(|both| both.each_ref().map(&row)).collect();
    let rows = cubic(times, &values, &tangents, *interp);
    write_keys(writer, times, rows.into_iter(), CUBIC, lacks)
}

/// Three rows for each key: the slope per second with which the curve arrives, the value, and with which it leaves.
fn cubic<const N: usize>(
    times: &[f32],
    values: &[[f32; N]],
    tangents: &[[[f32; N]; 2]],
    interp: Interp,
) -> Vec<[f32; N]> {
    let span = |key: usize| times.get(key).zip(times.get(key.saturating_add(1))).map(|(a, b)| b - a);
    // A control point is a third of the slope away from its key.
    let slope = |value: &[f32; N], tangent: &[f32; N], seconds: Option<f32>, side: f32| {
        let mut parts = value.iter().zip(tangent);
        [(); N].map(|()| match (seconds, parts.next()) {
            (Some(seconds), Some((value, control))) if interp == Interp::Bezier => {
                3.0 * side * (control - value) / seconds
            }
            (Some(seconds), Some((_, tangent))) => tangent / seconds,
            _ => 0.0,
        })
    };
    let mut rows = Vec::with_capacity(values.len().saturating_mul(3));
    for (key, (value, [arriving, leaving])) in values.iter().zip(tangents).enumerate() {
        rows.push(slope(value, arriving, key.checked_sub(1).and_then(span), -1.0));
        rows.push(*value);
        rows.push(slope(value, leaving, span(key), 1.0));
    }
    rows
}

/// Writes rotations, each on the side of the one before it, since some readers know no shorter arc. glTF's cubic is not
/// the games' `squad`: such curves are baked.
fn rotations(
    writer: &mut Writer<'_>,
    curve: &Curve<Quat>,
    lacks: Lacks,
    (tolerance, tally): (f32, &mut Tally),
) -> schema::Sampler {
    let baked;
    let (curve, interpolation) = match curve.interp {
        Interp::Step => (curve, "STEP"),
        Interp::Linear => (curve, "LINEAR"),
        Interp::Hermite | Interp::Bezier => {
            let at = |time| curve.at(time).unwrap_or_default();
            let Baked { curve: lines, error } = bake(&curve.times, tolerance, at);
            tally.tracks = tally.tracks.saturating_add(1);
            tally.keys = tally.keys.saturating_add(lines.times.len());
            tally.error = tally.error.max(error);
            baked = lines;
            (&baked, "LINEAR")
        }
    };
    let mut before = curve.values.first().copied().unwrap_or_default();
    let side = |turn: &Quat| {
        before = if before.dot(*turn) < 0.0 { -*turn } else { *turn };
        before.to_array()
    };
    write_keys(writer, &curve.times, curve.values.iter().map(side), interpolation, lacks)
}

/// Which keys a clip lacks at its ends: readers take the keys for the clip's length.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Lacks {
    start: bool,
    end: Option<f32>,
}

impl Lacks {
    fn in_clip(clip: &Clip) -> Self {
        let is_channel =
            |track: &&Track| matches!(track, Track::Translation(..) | Track::Rotation(..) | Track::Scale(..));
        let moving = || clip.tracks.iter().filter(is_channel).map(Track::times);
        let start = moving().filter_map(<[f32]>::first).all(|first| *first > 0.0);
        let ends = moving().filter_map(<[f32]>::last).all(|last| *last < clip.duration);
        Lacks { start, end: ends.then_some(clip.duration) }
    }
}

/// The word for cubics: a key is three rows, how it arrives, the value, how it leaves.
const CUBIC: &str = "CUBICSPLINE";

/// Writes keys, with those that the clip lacks.
pub(crate) fn write_keys<const N: usize>(
    writer: &mut Writer<'_>,
    times: &[f32],
    rows: impl ExactSizeIterator<Item = [f32; N]>,
    interpolation: &'static str,
    lacks: Lacks,
) -> schema::Sampler {
    if lacks != Lacks::default() {
        let (times, rows) = with_ends(times, rows.collect(), interpolation, lacks);
        return write_keys(writer, &times, rows.into_iter(), interpolation, Lacks::default());
    }
    let (input, output) = (writer.bytes.times(times), writer.bytes.values(rows));
    schema::Sampler { input, output, interpolation }
}

/// Keys, with those that the clip lacks.
fn with_ends<const N: usize>(
    times: &[f32],
    mut rows: Vec<[f32; N]>,
    interpolation: &str,
    lacks: Lacks,
) -> (Vec<f32>, Vec<[f32; N]>) {
    let mut times = times.to_vec();
    let is_cubic = interpolation == CUBIC;
    let held = |value: [f32; N]| if is_cubic { vec![[0.0; N], value, [0.0; N]] } else { vec![value] };
    let middle = usize::from(is_cubic);
    let (first, last) = (rows.get(middle).copied(), rows.iter().rev().nth(middle).copied());
    if let Some(value) = first.filter(|_| lacks.start) {
        times.insert(0, 0.0);
        rows.splice(0..0, held(value));
    }
    if let Some((end, value)) = lacks.end.zip(last) {
        times.push(end);
        rows.extend(held(value));
    }
    (times, rows)
}
