//! A sequence made ready for sampling.

use std::sync::Arc;

use galvani_core::{Path, SampleError};
use glam::{Quat, Vec3};

use super::NO_SEQUENCE;
use super::curve::{Animated, Curve, Keys};
use super::property::{AnyCurve, Property, Sampled};
use super::rig::{Local, Poses, Rig};
use super::source::{AnyKeys, Loaded, PropertyPart, Source};
use super::window::{Window, WindowEdges};
use crate::track::Shape;
use crate::{Document, Sequence};

/// When: what the two clocks say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClockTimes {
    /// Milliseconds since the sequence began, over all its rounds.
    pub time: f64,
    /// Milliseconds of the clock that global sequences run by. It goes on when the sequence changes.
    pub global: f64,
}

/// A sequence made ready: which keys count in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Clip {
    node_count: usize,
    /// The sequence's own, then those of the global sequences that tracks run by.
    clocks: Vec<Window>,
    translations: Vec<Channel<Vec3>>,
    rotations: Vec<Channel<Quat>>,
    scales: Vec<Channel<Vec3>>,
    /// The same for every sequence of a model.
    properties: Arc<[Property]>,
    keyed: Vec<Keyed>,
}

/// A curve, what it moves, and the clock it runs by.
#[derive(Debug, Clone, PartialEq)]
struct Channel<T> {
    node: usize,
    clock: usize,
    curve: Curve<T>,
}

/// A property of which any key counts.
#[derive(Debug, Clone, PartialEq)]
struct Keyed {
    property: usize,
    clock: usize,
    curve: AnyCurve,
}

/// Where playback stands: the caller's, one for each thing that plays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cursor {
    times: Vec<f64>,
    translations: Vec<usize>,
    rotations: Vec<usize>,
    scales: Vec<usize>,
    properties: Vec<usize>,
}

impl Cursor {
    /// Makes room for a clip, so that sampling it finds it there.
    pub fn fit(&mut self, clip: &Clip) {
        let room = |list: &mut Vec<usize>, len: usize| list.reserve(len.saturating_sub(list.len()));
        self.times.reserve(clip.clocks.len().saturating_sub(self.times.len()));
        room(&mut self.translations, clip.translations.len());
        room(&mut self.rotations, clip.rotations.len());
        room(&mut self.scales, clip.scales.len());
        room(&mut self.properties, clip.keyed.len());
    }
}

impl Clip {
    /// Makes a sequence ready; without one only tracks of global sequences move.
    pub fn new(
        document: &Document,
        sequence: Option<usize>,
        edges: WindowEdges,
    ) -> Result<Self, SampleError> {
        let window = window(&document.sequences(), sequence)?;
        Ok(Clip::in_window(&Source::from_document(document)?, window, edges))
    }

    /// Makes several sequences of a model ready, one after the other: its tracks are decoded once.
    pub fn each(
        document: &Document,
        sequences: impl IntoIterator<Item = Option<usize>>,
        edges: WindowEdges,
    ) -> Result<impl Iterator<Item = Result<Self, SampleError>>, SampleError> {
        let (source, all) = (Source::from_document(document)?, document.sequences());
        let ready = move |sequence| Ok(Clip::in_window(&source, window(&all, sequence)?, edges));
        Ok(sequences.into_iter().map(ready))
    }

    pub(super) fn in_window(source: &Source, window: Window, edges: WindowEdges) -> Self {
        let mut clip = Clip {
            node_count: source.node_count,
            clocks: Vec::new(),
            translations: Vec::new(),
            rotations: Vec::new(),
            scales: Vec::new(),
            properties: Arc::clone(&source.properties),
            keyed: Vec::new(),
        };
        let mut clocks = Clocks::new(window, &source.globals);
        for track in &source.tracks {
            clip.add(track, clocks.clock_of(track.global), &clocks.windows, edges);
        }
        clip.clocks = clocks.windows;
        clip
    }

    /// Adds a track, if any key of it counts.
    fn add(&mut self, track: &Loaded, clock: usize, clocks: &[Window], edges: WindowEdges) {
        let Some(window) = clocks.get(clock) else { return };
        let place = TrackRun { shape: track.shape, window, is_global: clock > 0, wraps: window.wraps(edges) };
        let curve = match &track.keys {
            AnyKeys::Float(keys) => place.curve(keys).map(AnyCurve::Float),
            AnyKeys::Index(keys) => place.curve(keys).map(AnyCurve::Index),
            AnyKeys::Pair(keys) => place.curve(keys).map(AnyCurve::Pair),
            AnyKeys::Vector(keys) => place.curve(keys).map(AnyCurve::Vector),
            AnyKeys::Rotation(keys) => place.curve(keys).map(AnyCurve::Rotation),
        };
        let Some(curve) = curve else { return };
        match (track.moves, &curve) {
            (Some((node, PropertyPart::Translation)), AnyCurve::Vector(curve)) => {
                self.translations.push(Channel { node, clock, curve: curve.clone() });
            }
            (Some((node, PropertyPart::Rotation)), AnyCurve::Rotation(curve)) => {
                self.rotations.push(Channel { node, clock, curve: curve.clone() });
            }
            (Some((node, PropertyPart::Scale)), AnyCurve::Vector(curve)) => {
                self.scales.push(Channel { node, clock, curve: curve.clone() });
            }
            _ => {}
        }
        self.keyed.push(Keyed { property: track.property, clock, curve });
    }

    /// The stretch of the timeline that it plays.
    pub fn window(&self) -> Window {
        self.clocks.first().copied().unwrap_or(Window::NONE)
    }

    /// The whole pose: what the nodes' tracks say, and where that puts them by a rig of the same model, its
    /// billboards facing a camera as [`Rig::place`] has it.
    pub fn pose(
        &self,
        rig: &Rig,
        moment: ClockTimes,
        camera: Option<Quat>,
        cursor: &mut Cursor,
        out: &mut Poses,
    ) {
        self.nodes(moment, cursor, &mut out.local);
        rig.place(out, camera);
    }

    /// What the nodes' own tracks say, node by node in file order. Allocates only where `cursor` and `out` have
    /// not held as much before.
    pub fn nodes(&self, moment: ClockTimes, cursor: &mut Cursor, out: &mut Vec<Local>) {
        let Cursor { times, translations, rotations, scales, .. } = cursor;
        self.set(moment, times);
        out.clear();
        out.resize(self.node_count, Local::IDENTITY);
        sample(&self.translations, times, translations, |node, value| {
            if let Some(local) = out.get_mut(node) {
                local.translation = value;
            }
        });
        sample(&self.rotations, times, rotations, |node, value| {
            if let Some(local) = out.get_mut(node) {
                local.rotation = value;
            }
        });
        sample(&self.scales, times, scales, |node, value| {
            if let Some(local) = out.get_mut(node) {
                local.scale = value;
            }
        });
    }

    /// Every animated property in file order; [`properties`](Clip::properties) says what they are. Allocates
    /// as [`nodes`](Clip::nodes) does.
    pub fn values(&self, moment: ClockTimes, cursor: &mut Cursor, out: &mut Vec<Sampled>) {
        let Cursor { times, properties, .. } = cursor;
        self.set(moment, times);
        properties.resize(self.keyed.len(), 0);
        out.clear();
        out.extend(self.properties.iter().map(|property| property.rest));
        for (keyed, passed) in self.keyed.iter().zip(properties) {
            let value = times.get(keyed.clock).and_then(|time| keyed.curve.at(*time, passed));
            if let Some((room, value)) = out.get_mut(keyed.property).zip(value) {
                *room = value;
            }
        }
    }

    /// What is animated, in file order.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// Whether any key of a property counts in the sequence.
    pub fn has_keys(&self, property: usize) -> bool {
        self.keyed.binary_search_by_key(&property, |keyed| keyed.property).is_ok()
    }

    /// What each clock shows at a moment.
    fn set(&self, moment: ClockTimes, times: &mut Vec<f64>) {
        times.clear();
        let globals = self.clocks.iter().skip(1).map(|clock| clock.round(moment.global));
        times.extend(std::iter::once(self.window().at(moment.time)).chain(globals));
    }
}

/// The window of a sequence, which must be there if there is to be one.
fn window(all: &[Sequence<'_>], sequence: Option<usize>) -> Result<Window, SampleError> {
    let Some(index) = sequence else { return Ok(Window::NONE) };
    all.get(index).map(|row| Window::from_sequence(*row)).ok_or_else(|| missing(index, all.len()))
}

/// The refusal of a sequence that is not there.
pub(super) fn missing(index: usize, count: usize) -> SampleError {
    let found = format!("sequence {index} of {count}");
    NO_SEQUENCE.at(Path::named("SEQS").index(index)).saying(found).into()
}

/// Where a track is to run.
struct TrackRun<'a> {
    shape: Shape,
    window: &'a Window,
    is_global: bool,
    wraps: bool,
}

impl TrackRun<'_> {
    fn curve<T: Animated>(&self, keys: &Arc<Keys<T>>) -> Option<Curve<T>> {
        let make = if self.is_global { Curve::of_global } else { Curve::from_keys };
        make(keys, self.shape, self.window, self.wraps)
    }
}

fn sample<T: Animated>(
    channels: &[Channel<T>],
    times: &[f64],
    passed: &mut Vec<usize>,
    mut put: impl FnMut(usize, T),
) {
    passed.resize(channels.len(), 0);
    for (channel, passed) in channels.iter().zip(passed) {
        let time = times.get(channel.clock);
        if let Some(value) = time.and_then(|time| channel.curve.at(*time, passed)) {
            put(channel.node, value);
        }
    }
}

/// The clocks that a clip needs.
struct Clocks {
    windows: Vec<Window>,
    /// Lengths of the global sequences, and the clock of each that is in use.
    globals: Vec<(u32, Option<usize>)>,
    /// The clock of global sequences that are not there: it stands still.
    missing: Option<usize>,
}

impl Clocks {
    fn new(window: Window, globals: &[u32]) -> Self {
        let globals = globals.iter().map(|length| (*length, None)).collect();
        Clocks { windows: vec![window], globals, missing: None }
    }

    /// The clock of a global sequence; of none, the sequence's own.
    fn clock_of(&mut self, global: i32) -> usize {
        let Ok(id) = usize::try_from(global) else { return 0 };
        let next = self.windows.len();
        let (length, clock) = match self.globals.get_mut(id) {
            Some((length, clock)) => (*length, clock),
            None => (0, &mut self.missing),
        };
        if let Some(clock) = *clock {
            return clock;
        }
        *clock = Some(next);
        self.windows.push(Window::global(length));
        next
    }
}
