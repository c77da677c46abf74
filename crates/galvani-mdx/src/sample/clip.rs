//! A sequence made ready for sampling.

use std::sync::Arc;

use galvani_core::{Path, SampleError};
use glam::{Quat, Vec3};

use super::NO_SEQUENCE;
use super::curve::{Animated, Curve};
use super::property::{Keyed, Property, Sampled, keyed, properties};
use super::rig::Local;
use super::window::{Edges, Window};
use crate::model::ModelEnd;
use crate::track::{Shape, Track, Value};
use crate::{Content, Document};

/// The bit of MODL in WoW by which every track is linear (facts §5.10).
const ALWAYS_ANIMATED: u8 = 4;

/// When: what the two clocks say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// Milliseconds since the sequence began, over all its rounds.
    pub time: f64,
    /// Milliseconds of the clock that global sequences run by. It goes on when the sequence changes.
    pub global: f64,
}

/// A sequence made ready: the keys that count in it, decoded and in order.
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

/// Where playback stands: the caller's, one for each thing that plays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cursor {
    times: Vec<f64>,
    translations: Vec<usize>,
    rotations: Vec<usize>,
    scales: Vec<usize>,
    properties: Vec<usize>,
}

impl Clip {
    /// Makes a sequence ready; without one only tracks of global sequences move.
    pub fn new(document: &Document, sequence: Option<usize>, edges: Edges) -> Result<Self, SampleError> {
        Clip::with(document, properties(document).into(), sequence, edges)
    }

    /// The same, its properties known.
    pub(super) fn with(
        document: &Document,
        properties: Arc<[Property]>,
        sequence: Option<usize>,
        edges: Edges,
    ) -> Result<Self, SampleError> {
        let window = match sequence {
            None => Window::NONE,
            Some(index) => {
                let all = document.sequences();
                let Some(row) = all.get(index) else {
                    let found = format!("sequence {index} of {}", all.len());
                    return Err(NO_SEQUENCE.at(Path::of("SEQS").index(index)).saying(found).into());
                };
                Window::of(*row)
            }
        };
        let mut maker = Maker::new(document, window, edges);
        let nodes = document.nodes();
        let (mut translations, mut rotations, mut scales) = (Vec::new(), Vec::new(), Vec::new());
        for (i, placed) in nodes.iter().enumerate() {
            // Of two tracks of a kind the first counts.
            let track = |tag: &[u8; 4]| placed.node.tracks.iter().find(|track| track.tag == *tag);
            translations.extend(track(b"KGTR").and_then(|track| maker.channel(i, track)));
            rotations.extend(track(b"KGRT").and_then(|track| maker.channel(i, track)));
            scales.extend(track(b"KGSC").and_then(|track| maker.channel(i, track)));
        }
        let keyed = keyed(document, &mut maker);
        let clocks = maker.clocks;
        Ok(Clip { node_count: nodes.len(), clocks, translations, rotations, scales, properties, keyed })
    }

    /// The stretch of the timeline that it plays.
    pub fn window(&self) -> Window {
        self.clocks.first().copied().unwrap_or(Window::NONE)
    }

    /// What the nodes' own tracks say, node by node in file order. Allocates only if `cursor` and `out` have
    /// never been used for a model of this size.
    pub fn nodes(&self, moment: Moment, cursor: &mut Cursor, out: &mut Vec<Local>) {
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

    /// Every animated property in file order; [`properties`](Clip::properties) says what they are.
    pub fn values(&self, moment: Moment, cursor: &mut Cursor, out: &mut Vec<Sampled>) {
        let Cursor { times, properties, .. } = cursor;
        self.set(moment, times);
        properties.resize(self.keyed.len(), 0);
        out.clear();
        out.extend(self.properties.iter().map(|property| property.rest));
        for (keyed, passed) in self.keyed.iter().zip(properties) {
            if let Some((room, value)) = out.get_mut(keyed.index).zip(keyed.at(times, passed)) {
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
        self.keyed.binary_search_by_key(&property, |keyed| keyed.index).is_ok()
    }

    /// What each clock shows at a moment.
    fn set(&self, moment: Moment, times: &mut Vec<f64>) {
        times.clear();
        let globals = self.clocks.iter().skip(1).map(|clock| clock.at(moment.global));
        times.extend(std::iter::once(self.window().at(moment.time)).chain(globals));
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

/// Makes curves of tracks, and the clocks they need.
pub(super) struct Maker {
    clocks: Vec<Window>,
    /// Lengths of the global sequences, and the clock of each that is in use.
    globals: Vec<(u32, Option<usize>)>,
    /// The clock of global sequences that are not there: it stands still.
    missing: Option<usize>,
    edges: Edges,
    is_linear: bool,
}

impl Maker {
    fn new(document: &Document, window: Window, edges: Edges) -> Self {
        let globals = document.globals().into_iter().map(|length| (length, None)).collect();
        let is_linear = is_always_animated(document);
        Maker { clocks: vec![window], globals, missing: None, edges, is_linear }
    }

    fn channel<T: Animated>(&mut self, node: usize, track: &Track) -> Option<Channel<T>> {
        self.curve(track).map(|(clock, curve)| Channel { node, clock, curve })
    }

    /// The curve of a track and its clock; nothing if no key of it counts.
    pub(super) fn curve<T: Animated>(&mut self, track: &Track) -> Option<(usize, Curve<T>)> {
        let shape = if track.is_visibility() || track.value == Value::Number {
            Shape::Step
        } else if self.is_linear {
            Shape::Linear
        } else {
            track.shape()?
        };
        let clock = self.clock(track.global);
        let window = self.clocks.get(clock)?;
        let wraps = window.wraps(self.edges);
        let make = if clock == 0 { Curve::of } else { Curve::of_global };
        make(track, shape, window, wraps).map(|curve| (clock, curve))
    }

    /// The clock of a global sequence; of none, the sequence's own.
    fn clock(&mut self, global: i32) -> usize {
        let Ok(id) = usize::try_from(global) else { return 0 };
        let next = self.clocks.len();
        let (length, clock) = match self.globals.get_mut(id) {
            Some((length, clock)) => (*length, clock),
            None => (0, &mut self.missing),
        };
        if let Some(clock) = *clock {
            return clock;
        }
        *clock = Some(next);
        self.clocks.push(Window::global(length));
        next
    }
}

fn is_always_animated(document: &Document) -> bool {
    document.chunks.iter().any(|chunk| match &chunk.content {
        Content::Model(model) => match model.end {
            ModelEnd::Wow(end) => end.flags & ALWAYS_ANIMATED != 0,
            ModelEnd::Warcraft(_) => false,
        },
        _ => false,
    })
}
