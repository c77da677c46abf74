//! A playback: which sequence, how far, what it fades from, what it passed
//! (docs/notes/mdx-runtime.md#playing).

use std::collections::BTreeMap;

use galvani_core::{Path, Reading, SampleError};
use glam::Quat;

use super::choice::{Random, Variations, below};
use super::clip::{Clip, ClockTimes, Cursor, missing};
use super::events::{Crossing, Events};
use super::property::{Property, Sampled};
use super::rig::{Local, Poses, Rig};
use super::source::Source;
use super::window::{Window, WindowEdges};
use super::{NO_SEQUENCE, TOO_MANY};
use crate::model::ModelEnd;
use crate::{Document, Sequence};
use galvani_core::maths::single;

/// A time before every moment of a sequence.
const BEFORE: f64 = -1.0;

/// Most turns of variations in one step; more are taken as none.
const TURNS: usize = 1000;

/// Most tracks, events and global sequences that are made ready, over all sequences together. Files have four
/// sequences and sixteen tracks on average (docs/notes/mdx-runtime.md#limits).
const MOST: usize = 1 << 20;

/// Every sequence of a model made ready, shared by any number of players.
#[derive(Debug, Clone, PartialEq)]
pub struct Animations {
    rig: Rig,
    clips: Vec<Ready>,
    /// What moves while no sequence plays.
    still: Clip,
    globals: Vec<Events>,
    variations: BTreeMap<String, Variations>,
}

/// A sequence made ready, and what its record says of playing it.
#[derive(Debug, Clone, PartialEq)]
struct Ready {
    clip: Clip,
    events: Events,
    /// Milliseconds in which the pose before fades into it.
    blend: f64,
    /// Least and greatest number of repetitions.
    replay: (u32, u32),
}

impl Animations {
    /// Makes every sequence of a model ready; refused where that is more than any real model asks for.
    pub fn new(document: &Document, edges: WindowEdges) -> Result<Self, SampleError> {
        let (source, sequences) = (Source::from_document(document)?, document.sequences());
        let events = Events::in_window(document, Window::ALL);
        let each = [source.tracks.len(), source.globals.len(), events.len()];
        let all = each.into_iter().fold(1, usize::saturating_add).saturating_mul(sequences.len());
        if all > MOST {
            let found = format!("{} sequences with {} tracks", sequences.len(), source.tracks.len());
            return Err(TOO_MANY.at(Path::named("SEQS")).saying(found).into());
        }
        let clips = sequences.iter().map(|&sequence| {
            let window = Window::from_sequence(sequence);
            Ready {
                clip: Clip::in_window(&source, window, edges),
                events: events.within(window),
                blend: blend(document, sequence),
                replay: replay(document, sequence),
            }
        });
        Ok(Animations {
            rig: Rig::new(document),
            clips: clips.collect(),
            still: Clip::in_window(&source, Window::NONE, edges),
            globals: Events::globals(document),
            variations: Variations::all(document),
        })
    }

    /// The nodes.
    pub fn rig(&self) -> &Rig {
        &self.rig
    }

    /// A sequence made ready.
    pub fn clip(&self, sequence: usize) -> Option<&Clip> {
        self.clips.get(sequence).map(|ready| &ready.clip)
    }

    /// What is animated, in file order.
    pub fn properties(&self) -> &[Property] {
        self.still.properties()
    }
}

/// Milliseconds in which the pose before a sequence fades into it: the model's in Warcraft III, the sequence's
/// own in WoW.
fn blend(document: &Document, sequence: Sequence<'_>) -> f64 {
    match (sequence, document.seqs) {
        (Sequence::Wow(row), Reading::Documented) => {
            let time = f64::from(row.documented().blend_time.get());
            if time.is_finite() { time.max(0.0) } else { 0.0 }
        }
        (Sequence::Wow(row), _) => row.blend_time.get().into(),
        (Sequence::Warcraft(_), _) => document.model().map_or(0.0, |model| match model.end {
            ModelEnd::Warcraft(end) => end.blend_time.get().into(),
            ModelEnd::Wow(_) => 0.0,
        }),
    }
}

/// How often a sequence is repeated once it is chosen; only WoW says so, and not as documented.
fn replay(document: &Document, sequence: Sequence<'_>) -> (u32, u32) {
    match (sequence, document.seqs) {
        (Sequence::Wow(row), Reading::Observed) => (row.replay_min.get(), row.replay_max.get()),
        _ => (0, 0),
    }
}

/// One thing that plays a model's sequences. Once it is made, only finding an animation by its name allocates.
#[derive(Debug, Clone)]
pub struct Player<'a> {
    animations: &'a Animations,
    sequence: Option<usize>,
    turn: Option<Turn<'a>>,
    time: f64,
    global: f64,
    /// Up to when events were told, on either clock.
    told: (f64, f64),
    cursor: Cursor,
    /// What the pose fades from, the milliseconds left and those there were.
    old: Vec<Local>,
    left: f64,
    whole: f64,
    scratch: Vec<Local>,
}

/// The turn of a variation: for so many rounds it plays, then chance chooses again.
#[derive(Debug, Clone, Copy)]
struct Turn<'a> {
    variations: &'a Variations,
    rounds: f64,
    /// When it is over.
    due: f64,
}

impl<'a> Player<'a> {
    /// A player at rest.
    pub fn new(animations: &'a Animations) -> Self {
        let mut cursor = Cursor::default();
        cursor.fit(&animations.still);
        animations.clips.iter().for_each(|ready| cursor.fit(&ready.clip));
        let [old, scratch] = [(), ()].map(|()| Vec::with_capacity(animations.rig.len()));
        Player {
            animations,
            sequence: None,
            turn: None,
            time: 0.0,
            global: 0.0,
            told: (BEFORE, BEFORE),
            cursor,
            old,
            left: 0.0,
            whole: 0.0,
            scratch,
        }
    }

    /// The sequence that plays.
    pub fn sequence(&self) -> Option<usize> {
        self.sequence
    }

    /// What its two clocks say.
    pub fn moment(&self) -> ClockTimes {
        ClockTimes { time: self.time, global: self.global }
    }

    /// Whether a sequence that does not loop has come to its end.
    pub fn is_over(&self) -> bool {
        self.sequence.and_then(|sequence| self.animations.clip(sequence)).is_some_and(|clip| {
            let window = clip.window();
            !window.is_looping && self.time >= window.length
        })
    }

    /// Plays a sequence from its beginning, and on and on if it loops.
    pub fn play(&mut self, sequence: usize) -> Result<(), SampleError> {
        let clips = &self.animations.clips;
        let ready = clips.get(sequence).ok_or_else(|| missing(sequence, clips.len()))?;
        self.turn = None;
        self.change(sequence, ready.blend);
        Ok(())
    }

    /// Plays an animation by its name: its variations take turns as chance has it.
    pub fn play_animation(&mut self, name: &str, random: Random<'_>) -> Result<(), SampleError> {
        let variations = self.animations.variations.get(&name.trim().to_lowercase());
        let chosen = variations.and_then(|all| Some((all, all.choose(random)?)));
        let Some((variations, sequence)) = chosen else {
            return Err(NO_SEQUENCE.at(Path::named("SEQS")).saying(format!("`{name}`")).into());
        };
        self.take_turn(variations, sequence, random);
        Ok(())
    }

    /// Lets milliseconds pass. Calls `each` with every event passed: the same, however a time is cut into
    /// steps, but of a step over more than a thousand turns only those of the first thousand.
    pub fn advance(&mut self, elapsed: f64, random: Random<'_>, mut each: impl FnMut(Crossing)) {
        if elapsed < 0.0 || !elapsed.is_finite() {
            return;
        }
        let mut rest = elapsed;
        for _ in 0..TURNS {
            let Some(turn) = self.turn.filter(|turn| self.time + rest >= turn.due) else { break };
            let step = turn.due - self.time;
            self.pass(step);
            rest -= step;
            if let Some(ready) = self.ready() {
                ready.events.ended(self.told.0, turn.rounds, &mut each);
            }
            if let Some(next) = turn.variations.choose(random) {
                self.take_turn(turn.variations, next, random);
            }
        }
        let beyond = self.turn.filter(|turn| self.time + rest >= turn.due);
        self.pass(rest);
        if let Some(turn) = beyond {
            self.time = rest.rem_euclid(turn.due);
        }
        if let Some(ready) = self.ready() {
            ready.events.crossed(self.told.0, self.time, &mut each);
        }
        self.told.0 = self.time;
        for events in &self.animations.globals {
            events.crossed(self.told.1, self.global, &mut each);
        }
        self.told.1 = self.global;
    }

    /// The pose of this moment, in the model's space.
    pub fn pose(&mut self, camera: Option<Quat>, out: &mut Poses) {
        let (moment, clip) = (self.moment(), self.clip());
        clip.nodes(moment, &mut self.cursor, &mut out.local);
        fade(&mut out.local, &self.old, self.fade());
        self.animations.rig.place(out, camera);
    }

    /// Every animated property at this moment, as [`Animations::properties`] lists them; they do not fade.
    pub fn values(&mut self, out: &mut Vec<Sampled>) {
        let (moment, clip) = (self.moment(), self.clip());
        clip.values(moment, &mut self.cursor, out);
    }

    fn ready(&self) -> Option<&'a Ready> {
        self.animations.clips.get(self.sequence?)
    }

    fn clip(&self) -> &'a Clip {
        self.ready().map_or(&self.animations.still, |ready| &ready.clip)
    }

    /// How much is left of the pose that was shown before the sequence, from 1 down to 0.
    pub fn fade(&self) -> f32 {
        if self.left > 0.0 { single(self.left / self.whole) } else { 0.0 }
    }

    /// Moves the clocks on.
    fn pass(&mut self, step: f64) {
        self.time += step;
        self.global += step;
        self.left = (self.left - step).max(0.0);
    }

    /// Plays a variation for its turn; one that does not loop stays, and so does one without a length.
    fn take_turn(&mut self, variations: &'a Variations, sequence: usize, random: Random<'_>) {
        let Some(ready) = self.animations.clips.get(sequence) else { return };
        let window = ready.clip.window();
        let (least, most) = ready.replay;
        let choices = usize::try_from(most.saturating_sub(least)).unwrap_or(usize::MAX).saturating_add(1);
        let more = if choices > 1 { below(random, choices) } else { 0 };
        let rounds = 1.0 + f64::from(least) + u32::try_from(more).map_or(0.0, f64::from);
        let ends = window.is_looping && window.length > 0.0;
        self.turn = ends.then_some(Turn { variations, rounds, due: rounds * window.length });
        self.change(sequence, ready.blend);
    }

    /// Begins a sequence; what was shown before fades.
    fn change(&mut self, sequence: usize, blend: f64) {
        if self.sequence.is_some() {
            let (moment, clip, ratio) = (self.moment(), self.clip(), self.fade());
            clip.nodes(moment, &mut self.cursor, &mut self.scratch);
            fade(&mut self.scratch, &self.old, ratio);
            std::mem::swap(&mut self.old, &mut self.scratch);
            (self.left, self.whole) = (blend, blend);
        }
        self.sequence = Some(sequence);
        self.time = 0.0;
        self.told.0 = BEFORE;
    }
}

/// Blends an old pose over a new one.
fn fade(new: &mut [Local], old: &[Local], ratio: f32) {
    if ratio > 0.0 {
        new.iter_mut().zip(old).for_each(|(new, old)| *new = new.blend(old, ratio));
    }
}
