//! A clip for each sequence: what moves, what fades, what happens (docs/formats/mdx.md#scene-clips).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use galvani_core::{LiftError, Path, text};
use galvani_scene::{
    Clip, Curve, Event, Extras, Fact, Id, Interp, Looping, Material, Node, SceneImage, Track,
};
use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

use super::eye::{Eye, looking};
use super::look::Looks;
use super::place::{self, NodePlace};
use super::run::{Clock, Cut, Run};
use super::spend::Measure;
use super::surface::{Drawn, SEEN, Surface};
use super::uv::Turning;
use super::{
    LOST_KEYS, LOST_SHEAR, LOST_TRACKS, LOST_UVS, Lift, axes, axes_back, facts, fade, origin, seconds,
    turned, turned_back, uv,
};
use crate::sample::{AnyKeys, Loaded, Local, PropertyPart, Source, Window};
use crate::{Content, Sequence};

/// How far baked colours and opacities may be off whatever the tolerance: less than a byte can say.
const FINE: f32 = 1e-3;

/// How much farther they may be off than what moves.
const COARSER: f32 = 10.0;

/// Tracks that clips hold in some form; visibility aside.
const HELD: [&[u8; 4]; 12] = [
    b"KGTR", b"KGRT", b"KGSC", b"KMTA", b"KMTF", b"KTAT", b"KTAR", b"KTAS", b"KGAO", b"KGAC", b"KCTR",
    b"KTTR",
];

/// The roll of a camera, which is held too.
const ROLL: &[u8; 4] = b"KCRL";

/// Adds a clip for each sequence; for a model without any, one of all its global sequences.
pub(super) fn all(
    lift: &mut Lift<'_>,
    surfaces: &[Surface],
    eyes: &[Eye],
    looks: &mut Looks,
) -> Result<(), LiftError> {
    let source = Arc::clone(&lift.source);
    let shown = Shown::new(lift, &source, surfaces, eyes, looks)?;
    let sequences = lift.document.sequences();
    for (i, sequence) in sequences.iter().enumerate() {
        let window = Window::from_sequence(*sequence);
        let clip = Clip {
            name: lift.document.sequence_name(*sequence).into_owned(),
            index: u32::try_from(i).unwrap_or(u32::MAX),
            looping: if window.is_looping { Looping::Wrap } else { Looping::Hold },
            extras: sequence_facts(lift, *sequence),
            ..Clip::default()
        };
        let clip = Take { lift, shown: &shown, window, duration: window.length.max(0.0), clip }.make()?;
        lift.scene.clips.push(clip);
        origin::of_sequence(lift, i);
    }
    let longest = source.tracks.iter().filter_map(|track| source.length_of(track.global)).max();
    if let Some(longest) = longest.filter(|longest| sequences.is_empty() && *longest > 0) {
        let name = "global sequences".to_owned();
        let extras = Extras::from([("made".to_owned(), Fact::Flag(true))]);
        let clip = Clip { name, looping: Looping::Wrap, extras, ..Clip::default() };
        let (window, duration) = (Window::NONE, f64::from(longest));
        let clip = Take { lift, shown: &shown, window, duration, clip }.make()?;
        lift.scene.clips.push(clip);
    }
    tell_lost(lift, &source);
    Ok(())
}

/// Says which tracks have no place in a scene.
fn tell_lost(lift: &mut Lift<'_>, source: &Source) {
    let is_held = |tag: &[u8; 4]| HELD.contains(&tag) || tag == ROLL || crate::track::is_visibility(*tag);
    for property in source.properties.iter().filter(|property| !is_held(&property.tag)) {
        lift.report.push(LOST_TRACKS.at(property.path));
    }
}

/// The raw numbers of a sequence, under the reading of the document.
fn sequence_facts(lift: &Lift<'_>, sequence: Sequence<'_>) -> Extras {
    let mut extras = match sequence {
        Sequence::Warcraft(row) => facts::of_record(row),
        Sequence::Wow(row) if lift.document.seqs == galvani_core::Reading::Documented => {
            facts::of_record(&row.documented())
        }
        Sequence::Wow(row) => facts::of_record(row),
    };
    extras.remove("name");
    extras.retain(|name, _| !name.starts_with("zero_") && !name.starts_with("unknown_"));
    extras
}

/// What clips are made of: the same for all of them.
struct Shown<'a> {
    source: &'a Source,
    surfaces: &'a [Surface],
    eyes: &'a [Eye],
    /// The tracks by where they stand; of two of a kind the first.
    tracks: BTreeMap<Path, usize>,
    /// Tracks that say when a node is seen.
    seen: Vec<(Id<Node>, usize)>,
    /// What numbers of textures mean in the flip books of materials.
    pictures: BTreeMap<Id<Material>, BTreeMap<u32, Option<Id<SceneImage>>>>,
    /// The nodes that stand above each that is detached, from the top down to itself.
    chains: Vec<(usize, Vec<usize>)>,
    /// The tracks as the file has them.
    stored: BTreeMap<Path, origin::Stored>,
}

impl<'a> Shown<'a> {
    fn new(
        lift: &mut Lift<'_>,
        source: &'a Source,
        surfaces: &'a [Surface],
        eyes: &'a [Eye],
        looks: &mut Looks,
    ) -> Result<Self, LiftError> {
        let mut tracks = BTreeMap::new();
        for (i, track) in source.tracks.iter().enumerate() {
            if let Some(property) = source.properties.get(track.property) {
                tracks.entry(property.path).or_insert(i);
            }
        }
        let nodes = lift.placed.iter().zip(&lift.nodes).map(|(placed, node)| (placed.path, *node));
        let nodes: BTreeMap<Path, Id<Node>> =
            nodes.chain(eyes.iter().map(|eye| (eye.path, eye.node))).collect();
        let seen = tracks.iter().filter_map(|(path, track)| {
            let loaded = source.tracks.get(*track)?;
            let tag = source.properties.get(loaded.property)?.tag;
            let node = nodes.get(&path.parent()).filter(|_| crate::track::is_visibility(tag))?;
            Some((*node, *track))
        });
        let mut shown = Shown {
            source,
            surfaces,
            eyes,
            seen: seen.collect(),
            tracks,
            pictures: BTreeMap::new(),
            chains: chains(lift),
            stored: origin::stored(lift),
        };
        let drawn = surfaces.iter().flat_map(|surface| surface.drawn.iter().chain(&surface.others));
        for drawn in drawn {
            let Some(AnyKeys::Index(keys)) = shown.track(drawn.picture, "KMTF").map(|track| &track.keys)
            else {
                continue;
            };
            let mut pictures = BTreeMap::new();
            for &value in &keys.values {
                let texture = usize::try_from(value).unwrap_or(usize::MAX);
                if let std::collections::btree_map::Entry::Vacant(room) = pictures.entry(value) {
                    looks.miss(lift, texture);
                    room.insert(looks.image(lift, texture, drawn.treatment, drawn.team)?);
                }
            }
            shown.pictures.insert(drawn.material, pictures);
        }
        Ok(shown)
    }

    fn track(&self, record: Path, name: &'static str) -> Option<&'a Loaded> {
        self.tracks.get(&record.field(name)).and_then(|track| self.source.tracks.get(*track))
    }
}

fn chains(lift: &Lift<'_>) -> Vec<(usize, Vec<usize>)> {
    let detached = (0..lift.nodes.len()).filter(|node| lift.is_detached(*node));
    let chain = |node: usize| {
        let mut chain: Vec<usize> =
            std::iter::successors(Some(node), |node| lift.rig.parent(*node)).collect();
        chain.reverse();
        (node, chain)
    };
    detached.map(chain).collect()
}

/// What a node's own tracks do in a clip.
#[derive(Debug, Clone, Default)]
struct Motion {
    translation: Option<Curve<Vec3>>,
    rotation: Option<Curve<Quat>>,
    scale: Option<Curve<Vec3>>,
}

impl Motion {
    /// What its tracks say at a time, in the games' axes.
    fn at(&self, time: f32) -> Local {
        let still = Local::IDENTITY;
        let vector =
            |curve: &Option<Curve<Vec3>>| curve.as_ref().and_then(|curve| curve.at(time)).map(axes_back);
        let turn = self.rotation.as_ref().and_then(|curve| curve.at(time)).map(turned_back);
        Local {
            translation: vector(&self.translation).unwrap_or(still.translation),
            rotation: turn.unwrap_or(still.rotation),
            scale: vector(&self.scale).unwrap_or(still.scale),
        }
    }

    fn times(&self) -> impl Iterator<Item = (&[f32], Interp)> {
        let vectors = [&self.translation, &self.scale].into_iter().flatten();
        let vectors = vectors.map(|curve| (&curve.times[..], curve.interp));
        vectors.chain(self.rotation.iter().map(|curve| (&curve.times[..], curve.interp)))
    }
}

/// Times at which curves have keys, and just before them where they jump; both ends of the clip with them.
pub(super) fn stops<'c, C: Iterator<Item = (&'c [f32], Interp)>>(curves: C, duration: f32) -> Vec<f32> {
    let mut stops = vec![0.0, duration];
    for (times, interp) in curves {
        stops.extend_from_slice(times);
        if interp == Interp::Step {
            stops.extend(times.iter().map(|time| time.next_down()));
        }
    }
    stops.retain(|stop| (0.0..=duration).contains(stop));
    stops.sort_by(f32::total_cmp);
    stops.dedup();
    stops
}

/// A clip in the making.
struct Take<'l, 'm, 's> {
    lift: &'l mut Lift<'m>,
    shown: &'s Shown<'s>,
    window: Window,
    /// In milliseconds.
    duration: f64,
    clip: Clip,
}

impl Take<'_, '_, '_> {
    fn make(mut self) -> Result<Clip, LiftError> {
        let (tracks, surfaces) = (self.shown.source.tracks.len(), self.shown.surfaces.len());
        self.lift.spent.looks(tracks.saturating_add(surfaces))?;
        self.clip.duration = seconds(self.duration);
        let motions = self.motions()?;
        self.add_nodes(&motions);
        for (node, chain) in &self.shown.chains {
            self.add_detached(*node, chain, &motions)?;
        }
        self.add_seen()?;
        self.add_surfaces()?;
        for eye in self.shown.eyes {
            self.add_eye(eye)?;
        }
        self.add_events()?;
        self.add_origins();
        Ok(self.clip)
    }

    /// Says where the keys of nodes come from.
    fn add_origins(&mut self) {
        for track in &self.shown.source.tracks {
            let property = self.shown.source.properties.get(track.property);
            let stored =
                property.and_then(|property| Some((property.path, *self.shown.stored.get(&property.path)?)));
            let Some((path, stored)) = stored else { continue };
            let clock = self.clock(track.global);
            origin::of_track(self.lift, &self.clip, (track, path, stored), &clock);
        }
    }

    /// How far each motion may be off.
    fn tolerance(&self) -> f32 {
        self.lift.options.tolerance * self.lift.share
    }

    /// How far colours and opacities may be off.
    fn fine(&self) -> f32 {
        (self.lift.options.tolerance * COARSER).min(FINE)
    }

    /// What a track runs by.
    fn clock(&self, global: i32) -> Clock {
        match self.shown.source.length_of(global) {
            Some(length) => {
                Clock { window: Window::global(length), is_global: true, duration: self.duration }
            }
            None => Clock { window: self.window, is_global: false, duration: self.duration },
        }
    }

    /// The curve of a run; says where keys lie too close together.
    fn written<V: Cut>(
        &mut self,
        run: Option<Run<V>>,
        track: &Loaded,
    ) -> Result<Option<Curve<V>>, LiftError> {
        let Some(run) = run else { return Ok(None) };
        let tolerance = self.tolerance();
        let (curve, is_crowded) = run.curve(&mut self.lift.spent, tolerance)?;
        self.tell_crowded(track, is_crowded);
        Ok(Some(curve))
    }

    /// Says where keys lie too close together, if they do.
    fn tell_crowded(&mut self, track: &Loaded, is_crowded: bool) {
        if let Some(property) = self.shown.source.properties.get(track.property).filter(|_| is_crowded) {
            self.lift.report.push(LOST_KEYS.at(property.path).saying(self.clip.name.clone()));
        }
    }

    /// A track of vectors that something makes of the source's.
    fn vectors(
        &mut self,
        track: Option<&Loaded>,
        value: impl Fn(Vec3) -> Vec3,
    ) -> Result<Option<Curve<Vec3>>, LiftError> {
        let Some((track, AnyKeys::Vector(keys))) = track.map(|track| (track, &track.keys)) else {
            return Ok(None);
        };
        let clock = self.clock(track.global);
        let run = Run::new(keys, track.shape, &clock, &mut self.lift.spent, value)?;
        self.written(run, track)
    }

    fn rotations(
        &mut self,
        track: Option<&Loaded>,
        value: impl Fn(Quat) -> Quat,
    ) -> Result<Option<Curve<Quat>>, LiftError> {
        let Some((track, AnyKeys::Rotation(keys))) = track.map(|track| (track, &track.keys)) else {
            return Ok(None);
        };
        let clock = self.clock(track.global);
        let run = Run::new(keys, track.shape, &clock, &mut self.lift.spent, value)?;
        self.written(run, track)
    }

    /// A track of numbers; as documented there may be several, of which the first counts.
    fn numbers(&mut self, track: Option<&Loaded>) -> Result<Option<Curve<f32>>, LiftError> {
        let Some(track) = track else { return Ok(None) };
        let (clock, spent) = (self.clock(track.global), &mut self.lift.spent);
        let run = match &track.keys {
            AnyKeys::Float(keys) => Run::new(keys, track.shape, &clock, spent, |number| number)?,
            AnyKeys::Pair(keys) => Run::new(keys, track.shape, &clock, spent, |pair| pair.x)?,
            AnyKeys::Vector(keys) => Run::new(keys, track.shape, &clock, spent, |vector| vector.x)?,
            AnyKeys::Index(_) | AnyKeys::Rotation(_) => None,
        };
        self.written(run, track)
    }

    /// What the tracks of every node do, by its place in the file.
    fn motions(&mut self) -> Result<BTreeMap<usize, Motion>, LiftError> {
        let mut motions: BTreeMap<usize, Motion> = BTreeMap::new();
        for track in &self.shown.source.tracks {
            let Some((node, part)) = track.moves else { continue };
            let motion = motions.entry(node).or_default();
            match part {
                PropertyPart::Translation => motion.translation = self.vectors(Some(track), axes)?,
                PropertyPart::Rotation => motion.rotation = self.rotations(Some(track), turned)?,
                PropertyPart::Scale => motion.scale = self.vectors(Some(track), axes)?,
            }
        }
        Ok(motions)
    }

    fn add_nodes(&mut self, motions: &BTreeMap<usize, Motion>) {
        for (&index, motion) in motions {
            if self.lift.is_detached(index) {
                continue;
            }
            let Some(id) = self.lift.node_of(index) else { continue };
            let rest = id.find_in(&self.lift.scene.nodes).map(|node| node.translation).unwrap_or_default();
            let place = motion.translation.as_ref().filter(|curve| is_moving(curve, Vec3::ZERO));
            let turn = motion.rotation.as_ref().filter(|curve| is_moving(curve, Quat::IDENTITY));
            let size = motion.scale.as_ref().filter(|curve| is_moving(curve, Vec3::ONE));
            let tracks = &mut self.clip.tracks;
            tracks.extend(place.map(|curve| Track::Translation(id, shifted(curve, rest))));
            tracks.extend(turn.map(|curve| Track::Rotation(id, curve.clone())));
            tracks.extend(size.map(|curve| Track::Scale(id, curve.clone())));
        }
    }

    /// Bakes a node that does not take over everything, where anything above it moves.
    fn add_detached(
        &mut self,
        node: usize,
        chain: &[usize],
        motions: &BTreeMap<usize, Motion>,
    ) -> Result<(), LiftError> {
        let still = Motion::default();
        let motions: Vec<&Motion> = chain.iter().map(|node| motions.get(node).unwrap_or(&still)).collect();
        let stops = stops(motions.iter().flat_map(|motion| motion.times()), self.clip.duration);
        let (true, Some(id)) =
            (motions.iter().any(|motion| motion.times().next().is_some()), self.lift.node_of(node))
        else {
            return Ok(());
        };
        let rig = &self.lift.rig;
        let pivot = rig.pivot(node).unwrap_or_default();
        let mut locals = Vec::with_capacity(chain.len());
        let mut shear = 0.0_f32;
        let mut place = |time: f32| {
            locals.clear();
            locals.extend(chain.iter().zip(&motions).map(|(node, motion)| (*node, motion.at(time))));
            let (placed, off) = parts(rig.place_last(&locals), pivot);
            shear = shear.max(off);
            placed
        };
        let (cost, tolerance) = (chain.len().saturating_add(1), self.tolerance());
        let length = tolerance * self.lift.size;
        let measure = Measure::Both(length, tolerance);
        let places = self.lift.spent.baked(&stops, (measure, 1.0), cost, |time| {
            let (translation, rotation, scale) = place(time);
            NodePlace { translation, rotation, scale, tolerances: [length, tolerance] }
        })?;
        self.clip.tracks.extend(place::tracks(id, places));
        if shear > self.lift.options.tolerance {
            let path = self.lift.placed.get(node).map_or_else(Path::root, |placed| placed.path);
            let said = format!("{}: by {shear:.4} at most", self.clip.name);
            self.lift.report.push(LOST_SHEAR.at(path).saying(said));
        }
        Ok(())
    }

    /// When lights, attachments, emitters, bands and cameras are seen.
    fn add_seen(&mut self) -> Result<(), LiftError> {
        let mut met = BTreeSet::new();
        for &(node, track) in &self.shown.seen {
            let Some(curve) = self.numbers(self.shown.source.tracks.get(track))? else { continue };
            let values: Vec<bool> = curve.values.iter().map(|value| *value > 0.0).collect();
            if values.contains(&false) && met.insert(node) {
                self.clip.tracks.push(Track::Visibility(node, Curve::step(curve.times, values)));
            }
        }
        Ok(())
    }

    fn add_surfaces(&mut self) -> Result<(), LiftError> {
        let (mut met, mut nodes) = (BTreeSet::new(), BTreeSet::new());
        for surface in self.shown.surfaces {
            let alpha = match surface.tint.path {
                Some(path) => self.numbers(self.shown.track(path, "KGAO"))?,
                None => None,
            };
            let mut layers = Vec::new();
            for drawn in &surface.drawn {
                let own = self.numbers(self.shown.track(drawn.path, "KMTA"))?;
                if met.insert(drawn.material) {
                    self.add_material(surface, drawn, alpha.as_ref(), own.as_ref())?;
                }
                layers.push((drawn, own));
            }
            for drawn in &surface.others {
                if met.insert(drawn.material) {
                    let own = self.numbers(self.shown.track(drawn.path, "KMTA"))?;
                    self.add_material(surface, drawn, alpha.as_ref(), own.as_ref())?;
                }
            }
            // Meshes of coarser levels stand on the same nodes.
            if nodes.insert(surface.node) {
                self.add_visibility(surface, alpha.as_ref(), &layers);
            }
        }
        Ok(())
    }

    /// When a geoset is seen: its own opacity counts, and that of the layers that fade.
    fn add_visibility(
        &mut self,
        surface: &Surface,
        alpha: Option<&Curve<f32>>,
        layers: &[(&Drawn, Option<Curve<f32>>)],
    ) {
        let curves = alpha.into_iter().chain(layers.iter().filter_map(|(_, own)| own.as_ref()));
        let stops = stops(curves.map(|curve| (&curve.times[..], curve.interp)), self.clip.duration);
        let value = |curve: Option<&Curve<f32>>, time: f32| curve.and_then(|curve| curve.at(time));
        let layer = |(drawn, own): &(&Drawn, Option<Curve<f32>>), time: f32| {
            if drawn.fades { value(own.as_ref(), time).unwrap_or(drawn.alpha) } else { 1.0 }
        };
        let opacity = |time: f32| {
            let most = layers.iter().map(|one| layer(one, time)).reduce(f32::max).unwrap_or(1.0);
            value(alpha, time).unwrap_or(surface.tint.alpha) * most
        };
        let rest = surface.tint.alpha >= SEEN;
        let seen = fade::seen(&stops, opacity);
        if seen.values != [rest] && !seen.values.is_empty() {
            self.clip.tracks.push(Track::Visibility(surface.node, seen));
        }
    }

    fn add_material(
        &mut self,
        surface: &Surface,
        drawn: &Drawn,
        alpha: Option<&Curve<f32>>,
        own: Option<&Curve<f32>>,
    ) -> Result<(), LiftError> {
        let material = drawn.material;
        let (duration, fine) = (self.clip.duration, self.fine());
        let opacity = match (alpha, own) {
            _ if !drawn.fades => None,
            (None, None) => None,
            (Some(alpha), None) => Some(fade::scaled(alpha, drawn.alpha)),
            (None, Some(own)) => Some(fade::scaled(own, surface.tint.alpha)),
            (Some(alpha), Some(own)) => {
                let times = [alpha, own].map(|curve| (&curve.times[..], curve.interp));
                let stops = stops(times.into_iter(), duration);
                let product = |time: f32| alpha.at(time).unwrap_or(1.0) * own.at(time).unwrap_or(1.0);
                Some(self.lift.spent.baked(&stops, (Measure::Part, fine), 1, product)?)
            }
        };
        let rest = surface.tint.alpha * drawn.alpha;
        let opacity = opacity.filter(|curve| is_moving(curve, rest));
        self.clip.tracks.extend(opacity.map(|curve| Track::Alpha(material, curve)));
        let color = self.colors(surface, drawn)?;
        let color = color.filter(|curve| is_moving(curve, surface.tint.color * drawn.color));
        self.clip.tracks.extend(color.map(|curve| Track::Color(material, curve)));
        if let Some(pictures) = self.pictures(drawn)? {
            self.clip.tracks.push(Track::Texture(material, pictures));
        }
        self.add_uvs(drawn)
    }

    /// The colour of a geoset as light: what is straight between keys is not so there.
    fn colors(&mut self, surface: &Surface, drawn: &Drawn) -> Result<Option<Curve<Vec3>>, LiftError> {
        let Some(path) = surface.tint.path else { return Ok(None) };
        // Blue comes first in keys.
        let red_first = |Vec3 { x, y, z }: Vec3| Vec3::new(z, y, x);
        let Some(curve) = self.vectors(self.shown.track(path, "KGAC"), red_first)? else { return Ok(None) };
        let light = |color: Vec3| facts::linear_color(color) * drawn.color;
        if curve.interp == Interp::Step {
            let values = curve.values.iter().map(|color| light(*color)).collect();
            return Ok(Some(Curve::step(curve.times, values)));
        }
        let stops = stops(std::iter::once((&curve.times[..], curve.interp)), self.clip.duration);
        let motion = |time: f32| light(curve.at(time).unwrap_or(Vec3::ONE));
        let fine = self.fine();
        self.lift.spent.baked(&stops, (Measure::Part, fine), 1, motion).map(Some)
    }

    /// The pictures of a flip book.
    fn pictures(&mut self, drawn: &Drawn) -> Result<Option<Curve<Option<Id<SceneImage>>>>, LiftError> {
        let (Some(track), Some(pictures)) =
            (self.shown.track(drawn.picture, "KMTF"), self.shown.pictures.get(&drawn.material))
        else {
            return Ok(None);
        };
        let AnyKeys::Index(keys) = &track.keys else { return Ok(None) };
        let clock = self.clock(track.global);
        let image = |number: u32| pictures.get(&number).copied().flatten();
        let run = Run::new(keys, track.shape, &clock, &mut self.lift.spent, image)?;
        self.written(run, track)
    }

    fn add_uvs(&mut self, drawn: &Drawn) -> Result<(), LiftError> {
        let Some(animation) = drawn.animation else { return Ok(()) };
        let path = Path::named("TXAN").index(animation);
        let translation = self.vectors(self.shown.track(path, "KTAT"), |moved| moved)?;
        let rotation = self.turning(self.shown.track(path, "KTAR"))?;
        let scale = self.vectors(self.shown.track(path, "KTAS"), |scale| scale)?;
        let (duration, tolerance) = (self.clip.duration, self.lift.options.tolerance);
        let spent = &mut self.lift.spent;
        let moved =
            uv::moved(translation.as_ref(), rotation.as_ref(), scale.as_ref(), duration, tolerance, spent)?;
        if moved.is_sheared {
            self.lift.report.push(LOST_UVS.at(path));
        }
        let tracks = &mut self.clip.tracks;
        tracks.extend(moved.offset.map(|curve| Track::UvOffset(drawn.material, curve)));
        tracks.extend(moved.rotation.map(|curve| Track::UvRotation(drawn.material, curve)));
        tracks.extend(moved.scale.map(|curve| Track::UvScale(drawn.material, curve)));
        Ok(())
    }

    /// How a picture is turned.
    fn turning(&mut self, track: Option<&Loaded>) -> Result<Option<Turning>, LiftError> {
        let Some((track, AnyKeys::Rotation(keys))) = track.map(|track| (track, &track.keys)) else {
            return Ok(None);
        };
        let (clock, tolerance, spent) =
            (self.clock(track.global), self.lift.options.tolerance, &mut self.lift.spent);
        let Some(run) = Run::new(keys, track.shape, &clock, spent, |turn| turn)? else { return Ok(None) };
        let (turning, is_crowded) = Turning::new(run, tolerance, spent)?;
        self.tell_crowded(track, is_crowded);
        Ok(Some(turning))
    }

    fn add_eye(&mut self, eye: &Eye) -> Result<(), LiftError> {
        let place = self.vectors(self.shown.track(eye.path, "KCTR"), axes)?;
        let target = self.vectors(self.shown.track(eye.path, "KTTR"), axes)?;
        let roll = self.numbers(self.shown.track(eye.path, "KCRL"))?;
        let vectors = [&place, &target].into_iter().flatten().map(|curve| (&curve.times[..], curve.interp));
        let rolls = roll.iter().map(|curve| (&curve.times[..], curve.interp));
        let stops = stops(vectors.chain(rolls), self.clip.duration);
        if place.is_some() || target.is_some() || roll.is_some() {
            let off = |curve: &Option<Curve<Vec3>>, time| {
                curve.as_ref().and_then(|it| it.at(time)).unwrap_or_default()
            };
            let turn = |time: f32| {
                let roll = roll.as_ref().and_then(|curve| curve.at(time)).unwrap_or_default();
                looking(eye.position + off(&place, time), eye.target + off(&target, time), roll)
            };
            let tolerance = self.lift.options.tolerance;
            let turn = self.lift.spent.baked(&stops, (Measure::Angle, tolerance), 1, turn)?;
            self.clip.tracks.push(Track::Rotation(eye.node, turn));
        }
        self.clip
            .tracks
            .extend(place.map(|curve| Track::Translation(eye.node, shifted(&curve, eye.position))));
        Ok(())
    }

    /// What happens, and when.
    fn add_events(&mut self) -> Result<(), LiftError> {
        let mut moments: Vec<(f64, usize, String)> = Vec::new();
        for (_, first, chunk) in self.lift.document.placed() {
            let Content::Events(rows) = &chunk.content else { continue };
            for (i, event) in rows.typed() {
                let Some(track) = &event.track else { continue };
                let clock = self.clock(track.global);
                let (window, place) = (clock.window, first.saturating_add(i));
                let name = text::shown(&event.node.fixed.name.0);
                for time in track.times.iter().filter(|time| window.holds(**time)) {
                    let mut at = f64::from(*time) - window.start;
                    while at <= self.duration {
                        self.lift.spent.keys(1)?;
                        moments.push((at, place, name.clone().into_owned()));
                        if !clock.is_global || window.length <= 0.0 {
                            break;
                        }
                        at += window.length;
                    }
                }
            }
        }
        moments.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let event = |(time, _, name)| Event { name, time: seconds(time) };
        self.clip.events = moments.into_iter().map(event).collect();
        Ok(())
    }
}

/// Whether a curve is anything but a value at rest.
fn is_moving<V: Copy + PartialEq>(curve: &Curve<V>, rest: V) -> bool {
    curve.values.iter().any(|value| *value != rest)
        || curve
            .tangents
            .as_flattened()
            .iter()
            .any(|tangent| curve.interp == Interp::Hermite || *tangent != rest)
}

/// A curve whose values are all moved: slopes are not, control points are.
fn shifted(curve: &Curve<Vec3>, by: Vec3) -> Curve<Vec3> {
    let tangent = |tangent: Vec3| if curve.interp == Interp::Bezier { tangent + by } else { tangent };
    Curve {
        times: curve.times.clone(),
        values: curve.values.iter().map(|value| *value + by).collect(),
        tangents: curve.tangents.iter().map(|both| both.map(tangent)).collect(),
        interp: curve.interp,
    }
}

/// A node's place in the model, turn and scale in the scene's axes, and how far that is from what it is.
fn parts(matrix: Affine3A, pivot: Vec3) -> ((Vec3, Quat, Vec3), f32) {
    let column = |column: Vec3A| Vec3A::from(axes(column.into()));
    let Mat3A { x_axis, y_axis, z_axis } = matrix.matrix3;
    let turned = Mat3A::from_cols(column(y_axis), column(z_axis), column(x_axis));
    let (scale, rotation, _) =
        Affine3A { matrix3: turned, translation: Vec3A::ZERO }.to_scale_rotation_translation();
    let rotation = if rotation.is_finite() { rotation.normalize() } else { Quat::IDENTITY };
    let again = Mat3A::from_quat(rotation) * Mat3A::from_diagonal(scale);
    let off = [again.x_axis - turned.x_axis, again.y_axis - turned.y_axis, again.z_axis - turned.z_axis]
        .map(Vec3A::length)
        .into_iter()
        .fold(0.0, f32::max);
    ((axes(matrix.transform_point3(pivot)), rotation, scale), off)
}
