//! Animations as clips.

use std::collections::BTreeMap;
use std::mem::{Discriminant, discriminant};

use galvani_core::{Exhausted, Path};
use galvani_scene::{Clip, Curve, Id, Interp, Track};
use glam::{Quat, Vec2, Vec3};

use super::curve::Keys;
use super::kept::{self, RecordedClip};
use super::node::Tree;
use super::{BAKED_TURNS, From, LOST_CHANNEL, Outcome, pointer};
use crate::document::JsonValue;
use crate::document::check::INDEX;
use crate::document::view::{Animation, Channel, Shape, TargetPath};
use crate::unique::Unique;

/// Takes all animations, and clips of our own files that had none.
///
/// For each clip the number of its animation.
pub(super) fn import(from: &mut From<'_, '_>, tree: &Tree) -> Outcome<Vec<Option<usize>>> {
    let table = from.kept.map_or(&[][..], |own| own.clips.as_slice());
    let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
    for (i, row) in table.iter().enumerate() {
        rows.extend(row.animation.as_deref().map(|name| (name, i)));
    }
    let mut clips: BTreeMap<usize, (Clip, Option<usize>)> = BTreeMap::new();
    let mut baked = Baked::default();
    for (i, animation) in from.view.animations.iter().enumerate() {
        let beside = beside(&animation)?;
        // Of several with one name the first is the one that was written; what was renamed says still what it was called.
        let called = beside.as_ref().and_then(|known| known.animation.as_deref());
        let row = rows.get(&*animation.name).or_else(|| rows.get(called?)).copied();
        let row = row.filter(|row| !clips.contains_key(row));
        let clip = ClipPlan::new(beside.clone(), row.and_then(|row| table.get(row)), &animation, i);
        let clip = of_animation(from, tree, &animation, clip, row, &mut baked)?;
        clips.insert(row.unwrap_or_else(|| table.len().saturating_add(i)), (clip, Some(i)));
    }
    for (i, row) in table.iter().enumerate().filter(|(_, row)| row.animation.is_none()) {
        let mut clip = ClipPlan::from_known(row.clone());
        clip.take_lost(from, tree, i);
        clips.insert(i, (clip.finish(), None));
    }
    baked.tell(from);
    let numbers: Vec<Option<usize>>;
    (from.scene.clips, numbers) = clips.into_values().unzip();
    Ok(numbers)
}

/// What stands beside an animation of our own.
fn beside(animation: &Animation<'_>) -> Result<Option<RecordedClip>, Exhausted> {
    let text = animation.extras.and_then(|extras| extras.member("galvani")?.text());
    let json = text.map(|text| kept::read(&text)).transpose()?.flatten();
    Ok(json.map(|json| kept::clip(json.root())))
}

/// Turns that became straight lines.
#[derive(Debug, Default)]
struct Baked {
    tracks: usize,
    keys: usize,
    error: f32,
}

impl Baked {
    fn tell(&self, from: &mut From<'_, '_>) {
        if self.tracks > 0 {
            let said = format!(
                "{} tracks have {} keys and are at most {:.6} rad away",
                self.tracks, self.keys, self.error
            );
            from.note(&BAKED_TURNS, Path::named("animations"), None, said);
        }
    }
}

fn of_animation(
    from: &mut From<'_, '_>,
    tree: &Tree,
    animation: &Animation<'_>,
    mut clip: ClipPlan,
    row: Option<usize>,
    baked: &mut Baked,
) -> Outcome<Clip> {
    // What an older file says beside the animation itself.
    if let Some(index) = kept::scalar(animation.extras, "clip").and_then(JsonValue::index) {
        clip.known.index = u32::try_from(index).unwrap_or(u32::MAX);
    }
    if let Some(word) = kept::scalar(animation.extras, "loop") {
        clip.known.looping = kept::looping(Some(word));
    }
    clip.moved = Unique::with_capacity(animation.channels.len());
    for (i, channel) in animation.channels.iter().enumerate() {
        let at = animation.channels.at(i);
        let sampler = channel.sampler.and_then(|sampler| Some((sampler, animation.samplers.get(sampler)?)));
        let Some((index, sampler)) = sampler else {
            return Err(from.lists.wrong(&INDEX, at.path().field("sampler"), at.value(), String::new()));
        };
        let keys = Keys { sampler: &sampler, at: animation.samplers.at(index) };
        let tracks = of_channel(from, tree, &channel, &keys, baked)?;
        if tracks.is_empty() {
            from.note(&LOST_CHANNEL, at.path().field("target"), at.value(), channel_in_words(&channel));
        }
        for track in tracks {
            clip.push(track);
        }
    }
    if let Some(row) = row {
        clip.take_lost(from, tree, row);
    }
    Ok(clip.finish())
}

fn channel_in_words(channel: &Channel<'_>) -> String {
    let pointer = channel.target.extensions.pointer.as_deref();
    pointer.map_or_else(
        || channel.target.path.map_or(String::new(), |path| format!("{path:?}")),
        |pointer| format!("`{}`", crate::document::view::typed::shortened(&pointer.pointer)),
    )
}

/// What a channel moves; nothing, if that is nothing that a scene can move.
fn of_channel(
    from: &mut From<'_, '_>,
    tree: &Tree,
    channel: &Channel<'_>,
    keys: &Keys<'_, '_>,
    baked: &mut Baked,
) -> Outcome<Vec<Track>> {
    if let Some(pointer) = &channel.target.extensions.pointer {
        return pointer::tracks(from, tree, &pointer.pointer, keys);
    }
    let node = channel.target.node.and_then(|node| tree.place(node));
    let (Some(node), Some(path)) = (node, channel.target.path) else { return Ok(Vec::new()) };
    Ok(match path {
        TargetPath::Translation => {
            vec![Track::Translation(node, keys.curve(from, Shape::Vec3, Vec3::from_array)?)]
        }
        TargetPath::Scale => vec![Track::Scale(node, keys.curve(from, Shape::Vec3, Vec3::from_array)?)],
        TargetPath::Rotation => {
            let (curve, error) = keys.turns(from)?;
            if let Some(error) = error {
                baked.tracks = baked.tracks.saturating_add(1);
                baked.keys = baked.keys.saturating_add(curve.times.len());
                baked.error = baked.error.max(error);
            }
            vec![Track::Rotation(node, curve)]
        }
        TargetPath::Weights | TargetPath::Pointer => Vec::new(),
    })
}

/// A clip in the making.
struct ClipPlan {
    known: RecordedClip,
    tracks: Vec<Track>,
    /// What is moved, and the node or material that it is of.
    moved: Unique<(Discriminant<Track>, usize)>,
    /// How long it is at least, whatever its keys.
    least: f32,
}

impl ClipPlan {
    /// A clip as long as it is said to be.
    fn from_known(known: RecordedClip) -> Self {
        ClipPlan { least: known.duration, known, tracks: Vec::new(), moved: Unique::default() }
    }

    /// That of an animation. What stands beside it was not touched; programs that drop that keep only the scene's table,
    /// and may have changed the keys, which then say how long it is.
    fn new(
        beside: Option<RecordedClip>,
        row: Option<&RecordedClip>,
        animation: &Animation<'_>,
        index: usize,
    ) -> Self {
        if let Some(mut known) = beside {
            // Names are changed where glTF has them; ours may be longer.
            let called = known.animation.as_deref().unwrap_or(&known.name);
            if called != animation.name {
                known.name = animation.name.clone().into_owned();
            }
            return ClipPlan::from_known(known);
        }
        let known = row.cloned().unwrap_or_else(|| RecordedClip {
            name: animation.name.clone().into_owned(),
            index: u32::try_from(index).unwrap_or(u32::MAX),
            ..RecordedClip::default()
        });
        ClipPlan { least: 0.0, ..ClipPlan::from_known(known) }
    }

    /// Adds a track unless there is one already that moves the same.
    fn push(&mut self, track: Track) {
        let of = track.node().map(Id::index).or(track.material().map(Id::index)).unwrap_or_default();
        if self.moved.is_new((discriminant(&track), of)) {
            self.tracks.push(track);
        }
    }

    /// Adds what no channel could say.
    fn take_lost(&mut self, from: &mut From<'_, '_>, tree: &Tree, row: usize) {
        let Some(own) = from.kept else { return };
        for (i, value) in own.tracks(row).enumerate() {
            if let Some(track) = lost_track(from, tree, value) {
                self.push(track);
            } else {
                let path = Path::named("clips").index(row).field("tracks").index(i);
                from.note(&LOST_CHANNEL, path, None, "what the extras say of it does not fit the scene");
            }
        }
    }

    fn finish(self) -> Clip {
        let ClipPlan { known, tracks, least, .. } = self;
        let last = tracks.iter().filter_map(|track| track.times().last().copied()).fold(0.0, f32::max);
        let duration = if least.is_finite() { last.max(least) } else { last };
        let mut events = known.events;
        events.retain(|event| (0.0..=duration).contains(&event.time));
        events.sort_by(|a, b| a.time.total_cmp(&b.time));
        Clip {
            name: known.name,
            index: known.index,
            duration,
            looping: known.looping,
            tracks,
            events,
            extras: known.extras,
        }
    }
}

/// A track that our own extras say; nothing if it does not fit the scene.
fn lost_track(from: &From<'_, '_>, tree: &Tree, value: JsonValue<'_>) -> Option<Track> {
    let index = |name: &str| value.member(name).and_then(JsonValue::index);
    let node = || tree.place(index("node")?);
    let material = || index("material").filter(|it| *it < from.scene.materials.len()).map(Id::new);
    let vec3 = |value: JsonValue<'_>| numbers::<3>(value).map(Vec3::from_array);
    let vec2 = |value: JsonValue<'_>| numbers::<2>(value).map(Vec2::from_array);
    let image = |value: JsonValue<'_>| match value.index() {
        Some(image) => (image < from.scene.images.len()).then(|| Some(Id::new(image))),
        None => Some(None),
    };
    Some(match &*value.member("moves")?.text()? {
        "translation" => Track::Translation(node()?, curve(value, vec3)?),
        "rotation" => Track::Rotation(node()?, curve(value, |it| numbers::<4>(it).map(Quat::from_array))?),
        "scale" => Track::Scale(node()?, curve(value, vec3)?),
        "visibility" => Track::Visibility(node()?, curve(value, JsonValue::truth)?),
        "color" => Track::Color(material()?, curve(value, vec3)?),
        "alpha" => Track::Alpha(material()?, curve(value, JsonValue::single)?),
        "texture" => Track::Texture(material()?, curve(value, image)?),
        "uv_offset" => Track::UvOffset(material()?, curve(value, vec2)?),
        "uv_rotation" => Track::UvRotation(material()?, curve(value, JsonValue::single)?),
        "uv_scale" => Track::UvScale(material()?, curve(value, vec2)?),
        _ => return None,
    })
}

fn numbers<const N: usize>(value: JsonValue<'_>) -> Option<[f32; N]> {
    let mut made = [0.0; N];
    let mut elements = value.elements();
    for slot in &mut made {
        *slot = elements.next()?.single()?;
    }
    Some(made)
}

fn curve<'v, V: Copy>(value: JsonValue<'v>, of: impl Fn(JsonValue<'v>) -> Option<V>) -> Option<Curve<V>> {
    let elements = |name: &str| value.member(name).into_iter().flat_map(JsonValue::elements);
    let times: Vec<f32> = elements("times").map(JsonValue::single).collect::<Option<_>>()?;
    let values: Vec<V> = elements("values").map(&of).collect::<Option<_>>()?;
    let tangents = elements("tangents").map(|pair| {
        let mut sides = pair.elements();
        Some([of(sides.next()?)?, of(sides.next()?)?])
    });
    let tangents: Vec<[V; 2]> = tangents.collect::<Option<_>>()?;
    let interp = match &*value.member("interpolation")?.text()? {
        "step" => Interp::Step,
        "linear" => Interp::Linear,
        "hermite" => Interp::Hermite,
        "bezier" => Interp::Bezier,
        _ => return None,
    };
    let wanted = if interp.has_tangents() { times.len() } else { 0 };
    let rises = times.is_sorted_by(|a, b| a < b) && times.first().is_some_and(|first| *first >= 0.0);
    let fits = values.len() == times.len() && tangents.len() == wanted;
    let ends = times.last().is_some_and(|last| last.is_finite());
    (rises && fits && ends).then_some(Curve { times, values, tangents, interp })
}
