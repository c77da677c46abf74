//! A sequence made ready for sampling.

use std::collections::BTreeMap;
use std::sync::Arc;

use galvani_core::{Path, SampleError};
use glam::{Quat, Vec3};

use super::NO_SEQUENCE;
use super::curve::{Animated, Curve, KeyRun, Spot};
use super::property::{AnyCurve, Property, Sampled};
use super::rig::{Local, Poses, Rig};
use super::source::{AnyKeys, Loaded, PropertyPart, Source};
use super::window::{Window, WindowEdges};
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
    /// Where the keys of what moves nodes are looked for.
    moving: Vec<Run>,
    translations: Vec<Channel<Vec3>>,
    rotations: Vec<Channel<Quat>>,
    scales: Vec<Channel<Vec3>>,
    /// The same for every sequence of a model.
    properties: Arc<[Property]>,
    /// Where the keys of all properties are looked for.
    runs: Vec<Run>,
    keyed: Vec<Keyed>,
}

/// Keys that count, and the clock they run by.
#[derive(Debug, Clone, PartialEq)]
struct Run {
    clock: usize,
    keys: KeyRun,
}

/// A curve, what it moves, and which of the runs its keys are.
#[derive(Debug, Clone, PartialEq)]
struct Channel<T: Animated> {
    node: usize,
    run: usize,
    curve: Curve<T>,
}

/// A property of which any key counts.
#[derive(Debug, Clone, PartialEq)]
struct Keyed {
    property: usize,
    run: usize,
    curve: AnyCurve,
}

/// Where playback stands: the caller's, one for each thing that plays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cursor {
    times: Vec<f64>,
    moving: Vec<usize>,
    runs: Vec<usize>,
    spots: Vec<Option<Spot>>,
}

impl Cursor {
    /// Makes room for a clip, so that sampling it finds it there.
    pub fn fit(&mut self, clip: &Clip) {
        fn room<T>(list: &mut Vec<T>, len: usize) {
            list.reserve(len.saturating_sub(list.len()));
        }
        room(&mut self.times, clip.clocks.len());
        room(&mut self.moving, clip.moving.len());
        room(&mut self.runs, clip.runs.len());
        room(&mut self.spots, clip.runs.len());
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
            moving: Vec::new(),
            translations: Vec::new(),
            rotations: Vec::new(),
            scales: Vec::new(),
            properties: Arc::clone(&source.properties),
            runs: Vec::new(),
            keyed: Vec::new(),
        };
        let mut clocks = Clocks::new(window, &source.globals);
        let mut known = KnownRuns::default();
        for track in &source.tracks {
            clip.add(track, clocks.clock_of(track.global), &clocks.windows, edges, &mut known);
        }
        clip.clocks = clocks.windows;
        clip
    }

    /// Adds a track, if any key of it counts.
    fn add(
        &mut self,
        track: &Loaded,
        clock: usize,
        clocks: &[Window],
        edges: WindowEdges,
        known: &mut KnownRuns,
    ) {
        let Some(window) = clocks.get(clock) else { return };
        let times = track.keys.times();
        let id = (times.as_ptr(), clock);
        let make = || {
            let of = if clock > 0 { KeyRun::of_global } else { KeyRun::new };
            of(times, window, window.wraps(edges)).map(|keys| Run { clock, keys })
        };
        let Some(run) = place(&mut self.runs, &mut known.all, id, make) else { return };
        let curve = match &track.keys {
            AnyKeys::Float(keys) => AnyCurve::Float(Curve::new(keys, track.shape)),
            AnyKeys::Index(keys) => AnyCurve::Index(Curve::new(keys, track.shape)),
            AnyKeys::Pair(keys) => AnyCurve::Pair(Curve::new(keys, track.shape)),
            AnyKeys::Vector(keys) => AnyCurve::Vector(Curve::new(keys, track.shape)),
            AnyKeys::Rotation(keys) => AnyCurve::Rotation(Curve::new(keys, track.shape)),
        };
        if let Some((node, part)) = track.moves
            && let Some(run) = place(&mut self.moving, &mut known.moving, id, make)
        {
            match (part, &curve) {
                (PropertyPart::Translation, AnyCurve::Vector(curve)) => {
                    self.translations.push(Channel { node, run, curve: curve.clone() });
                }
                (PropertyPart::Rotation, AnyCurve::Rotation(curve)) => {
                    self.rotations.push(Channel { node, run, curve: curve.clone() });
                }
                (PropertyPart::Scale, AnyCurve::Vector(curve)) => {
                    self.scales.push(Channel { node, run, curve: curve.clone() });
                }
                _ => {}
            }
        }
        self.keyed.push(Keyed { property: track.property, run, curve });
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
        let Cursor { times, moving, spots, .. } = cursor;
        self.set(moment, times);
        look(&self.moving, times, moving, spots);
        out.clear();
        out.resize(self.node_count, Local::IDENTITY);
        sample(&self.translations, spots, out, |local, value| local.translation = value);
        sample(&self.rotations, spots, out, |local, value| local.rotation = value);
        sample(&self.scales, spots, out, |local, value| local.scale = value);
    }

    /// Every animated property in file order; [`properties`](Clip::properties) says what they are. Allocates
    /// as [`nodes`](Clip::nodes) does.
    pub fn values(&self, moment: ClockTimes, cursor: &mut Cursor, out: &mut Vec<Sampled>) {
        let Cursor { times, runs, spots, .. } = cursor;
        self.set(moment, times);
        look(&self.runs, times, runs, spots);
        out.clear();
        out.extend(self.properties.iter().map(|property| property.rest));
        for keyed in &self.keyed {
            let value = spots.get(keyed.run).and_then(|spot| keyed.curve.at((*spot)?));
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

/// Which run the keys at some times by some clock are; of times of which none counts, none.
type RunsByTimes = BTreeMap<(*const i32, usize), Option<usize>>;

/// The runs that are there already, among those of nodes and among all.
#[derive(Default)]
struct KnownRuns {
    moving: RunsByTimes,
    all: RunsByTimes,
}

/// The place of a run in a list, where it is put if it is not there yet.
fn place(
    runs: &mut Vec<Run>,
    known: &mut RunsByTimes,
    id: (*const i32, usize),
    make: impl FnOnce() -> Option<Run>,
) -> Option<usize> {
    *known.entry(id).or_insert_with(|| {
        make().map(|run| {
            runs.push(run);
            runs.len().saturating_sub(1)
        })
    })
}

/// Where the time of its clock lies in each run.
fn look(runs: &[Run], times: &[f64], passed: &mut Vec<usize>, spots: &mut Vec<Option<Spot>>) {
    passed.resize(runs.len(), 0);
    spots.clear();
    let spot = |(run, passed): (&Run, &mut usize)| run.keys.spot(*times.get(run.clock)?, passed);
    spots.extend(runs.iter().zip(passed).map(spot));
}

fn sample<T: Animated>(
    channels: &[Channel<T>],
    spots: &[Option<Spot>],
    out: &mut [Local],
    put: impl Fn(&mut Local, T),
) {
    for channel in channels {
        let value = spots.get(channel.run).and_then(|spot| channel.curve.at((*spot)?));
        if let Some((local, value)) = out.get_mut(channel.node).zip(value) {
            put(local, value);
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
