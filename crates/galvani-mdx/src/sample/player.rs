//! A playback: which sequence, how far, what it fades from, what it passed (facts §5.2, §5.14 to §5.16).

use std::collections::BTreeMap;
use std::sync::Arc;

use galvani_core::{Path, Reading, SampleError};
use glam::Quat;

use super::NO_SEQUENCE;
use super::choice::{Random, Variations, below};
use super::clip::{Clip, Cursor, Moment};
use super::curve::single;
use super::events::{Crossing, Events};
use super::property::{Property, Sampled, properties};
use super::rig::{Local, Pose, Rig};
use super::window::Edges;
use crate::model::ModelEnd;
use crate::{Content, Document, Sequence};

/// A time before every moment of a sequence.
const BEFORE: f64 = -1.0;

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
    /// Makes every sequence of a model ready.
    pub fn new(document: &Document, edges: Edges) -> Result<Self, SampleError> {
        let sequences = document.sequences();
        let properties: Arc<[Property]> = properties(document).into();
        let mut clips = Vec::with_capacity(sequences.len());
        for (i, &sequence) in sequences.iter().enumerate() {
            let clip = Clip::with(document, Arc::clone(&properties), Some(i), edges)?;
            let events = Events::of(document, clip.window());
            clips.push(Ready {
                clip,
                events,
                blend: blend(document, sequence),
                replay: replay(document, sequence),
            });
        }
        let still = Clip::with(document, properties, None, edges)?;
        let (globals, variations) = (Events::globals(document), Variations::all(document));
        Ok(Animations { rig: Rig::new(document), clips, still, globals, variations })
    }

    /// The nodes.
    pub fn rig(&self) -> &Rig {
        &self.rig
    }

    /// A sequence made ready.
    pub fn clip(&self, sequence: usize) -> Option<&Clip> {
        self.clips.get(sequence).map(|ready| &ready.clip)
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
        (Sequence::Warcraft(_), _) => {
            let of_model = document.chunks.iter().find_map(|chunk| match &chunk.content {
                Content::Model(model) => match model.end {
                    ModelEnd::Warcraft(end) => Some(end.blend_time.get()),
                    ModelEnd::Wow(_) => None,
                },
                _ => None,
            });
            of_model.unwrap_or(0).into()
        }
    }
}

/// How often a sequence is repeated once it is chosen; only WoW says so, and not as documented.
fn replay(document: &Document, sequence: Sequence<'_>) -> (u32, u32) {
    match (sequence, document.seqs) {
        (Sequence::Wow(row), Reading::Observed | Reading::Auto) => {
            (row.replay_min.get(), row.replay_max.get())
        }
        _ => (0, 0),
    }
}

/// One thing that plays a model's sequences. Only [`play`](Player::play) and the first pose allocate.
#[derive(Debug, Clone)]
pub struct Player<'a> {
    animations: &'a Animations,
    sequence: Option<usize>,
    /// The animation whose variations take turns, and when the next is due; nothing where one sequence plays on.
    turns: Option<(&'a Variations, f64)>,
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

impl<'a> Player<'a> {
    /// A player at rest.
    pub fn new(animations: &'a Animations) -> Self {
        Player {
            animations,
            sequence: None,
            turns: None,
            time: 0.0,
            global: 0.0,
            told: (BEFORE, BEFORE),
            cursor: Cursor::default(),
            old: Vec::new(),
            left: 0.0,
            whole: 0.0,
            scratch: Vec::new(),
        }
    }

    /// The sequence that plays.
    pub fn sequence(&self) -> Option<usize> {
        self.sequence
    }

    /// What its two clocks say.
    pub fn moment(&self) -> Moment {
        Moment { time: self.time, global: self.global }
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
        let Some(ready) = self.animations.clips.get(sequence) else {
            let found = format!("sequence {sequence} of {}", self.animations.clips.len());
            return Err(NO_SEQUENCE.at(Path::of("SEQS").index(sequence)).saying(found).into());
        };
        self.turns = None;
        self.change(sequence, ready.blend);
        Ok(())
    }

    /// Plays an animation by its name: its variations take turns as chance has it.
    pub fn play_animation(&mut self, name: &str, random: Random<'_>) -> Result<(), SampleError> {
        let variations = self.animations.variations.get(&name.trim().to_lowercase());
        let chosen = variations.and_then(|all| Some((all, all.choose(random)?)));
        let Some((variations, sequence)) = chosen else {
            return Err(NO_SEQUENCE.at(Path::of("SEQS")).saying(format!("no animation `{name}`")).into());
        };
        self.turn(variations, sequence, random);
        Ok(())
    }

    /// Lets milliseconds pass. Calls `each` with every event passed. A call changes the variation at most
    /// once: what is left of it is time in the new one.
    pub fn advance(&mut self, elapsed: f64, random: Random<'_>, mut each: impl FnMut(Crossing)) {
        if elapsed < 0.0 || !elapsed.is_finite() {
            return;
        }
        self.global += elapsed;
        self.left = (self.left - elapsed).max(0.0);
        self.time += elapsed;
        if let Some((variations, due)) = self.turns.filter(|(_, due)| self.time >= *due) {
            let beyond = self.time - due;
            self.tell(due, &mut each);
            if let Some(next) = variations.choose(random) {
                self.turn(variations, next, random);
            }
            self.time = beyond;
            self.left = (self.left - beyond).max(0.0);
        }
        self.tell(self.time, &mut each);
        for events in &self.animations.globals {
            events.crossed(self.told.1, self.global, &mut each);
        }
        self.told.1 = self.global;
    }

    /// The pose of this moment, in the model's space.
    pub fn pose(&mut self, camera: Option<Quat>, out: &mut Pose) {
        let (moment, clip) = (self.moment(), self.clip());
        clip.nodes(moment, &mut self.cursor, &mut out.locals);
        fade(&mut out.locals, &self.old, self.ratio());
        self.animations.rig.place(out, camera);
    }

    /// Every animated property at this moment; they do not fade.
    pub fn values(&mut self, out: &mut Vec<Sampled>) {
        let (moment, clip) = (self.moment(), self.clip());
        clip.values(moment, &mut self.cursor, out);
    }

    fn clip(&self) -> &'a Clip {
        let playing = self.sequence.and_then(|sequence| self.animations.clip(sequence));
        playing.unwrap_or(&self.animations.still)
    }

    /// How much of the old pose is left.
    fn ratio(&self) -> f32 {
        if self.left > 0.0 { single(self.left / self.whole) } else { 0.0 }
    }

    /// Plays a variation, and says when the next is due: one that does not loop stays, and so does one
    /// without a length.
    fn turn(&mut self, variations: &'a Variations, sequence: usize, random: Random<'_>) {
        let Some(ready) = self.animations.clips.get(sequence) else { return };
        let window = ready.clip.window();
        let (least, most) = ready.replay;
        let choices = usize::try_from(most.saturating_sub(least)).unwrap_or(usize::MAX).saturating_add(1);
        let more = if choices > 1 { below(random, choices) } else { 0 };
        #[allow(
            clippy::as_conversions,
            clippy::cast_precision_loss,
            reason = "repetitions have 32 bits, which a float of 64 holds"
        )]
        let rounds = 1.0 + f64::from(least) + more as f64;
        let due = window.is_looping && window.length > 0.0;
        self.turns = due.then_some((variations, rounds * window.length));
        self.change(sequence, ready.blend);
    }

    /// Begins a sequence; what was shown before fades.
    fn change(&mut self, sequence: usize, blend: f64) {
        if self.sequence.is_some() {
            let (moment, clip, ratio) = (self.moment(), self.clip(), self.ratio());
            clip.nodes(moment, &mut self.cursor, &mut self.scratch);
            fade(&mut self.scratch, &self.old, ratio);
            std::mem::swap(&mut self.old, &mut self.scratch);
            (self.left, self.whole) = (blend, blend);
        }
        self.sequence = Some(sequence);
        self.time = 0.0;
        self.told.0 = BEFORE;
    }

    /// Tells the events of the sequence up to a time.
    fn tell(&mut self, time: f64, each: &mut impl FnMut(Crossing)) {
        if let Some(ready) = self.sequence.and_then(|sequence| self.animations.clips.get(sequence)) {
            ready.events.crossed(self.told.0, time, each);
        }
        self.told.0 = time;
    }
}

/// Blends an old pose over a new one.
fn fade(new: &mut [Local], old: &[Local], ratio: f32) {
    if ratio > 0.0 {
        new.iter_mut().zip(old).for_each(|(new, old)| *new = new.blend(old, ratio));
    }
}
