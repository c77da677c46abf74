//! The player of a model, for `play`: what it shows at a time, and the events that it passed.

use std::collections::VecDeque;

use galvani_core::{Meter, Path, Report, SampleError, text};
use galvani_mdx::sample::{Animations, Crossing, NO_SEQUENCE, Player, TIME, Variations};
use galvani_mdx::{Content, Document};

use super::sample::{PoseQuery, edges, times};
use super::{Playing, select};
use crate::formats::{ClipLabel, Playback, PlayedEvent, PlayedMoment, Selector};

/// What a step of the clock costs beside the nodes.
const STEP: usize = 1024;

/// Milliseconds that a clock counts one by one, as keys do.
const MOST: f64 = 2_147_483_647.0;

/// Plays what is asked for and calls `each` with every moment that is looked at.
pub(super) fn run(
    document: &Document,
    wanted: &Playback,
    settings: &Playing,
    meter: &Meter,
    each: &mut dyn FnMut(PlayedMoment),
) -> Result<Report, SampleError> {
    let mut notes = Report::default();
    let moments = moments(wanted)?;
    let mut query = PoseQuery::new(document, wanted.node.as_ref(), settings.posing(), &mut notes)?;
    let animations = Animations::new(document, edges(settings.edges))?;
    let changes = changes(document, wanted, &mut notes)?;
    let mut stage = Stage {
        player: Player::new(&animations),
        dice: Dice(wanted.seed),
        names: event_names(document),
        clock: 0.0,
        events: Vec::new(),
        meter,
    };
    let mut changes: VecDeque<Change> = changes.into();
    for time in moments {
        while let Some(at) = stage.next_change(&changes, &animations).filter(|at| *at <= time) {
            stage.advance(at)?;
            let Some(change) = changes.pop_front() else { break };
            stage.change(&change.what)?;
        }
        stage.advance(time)?;
        meter.work(query.shown_count().saturating_add(STEP))?;
        each(stage.moment(document, &animations, &mut query, time));
    }
    Ok(notes)
}

/// Times in order, none before the beginning; changes must not go back in time either.
fn moments(wanted: &Playback) -> Result<Vec<f64>, SampleError> {
    let wrong = |time: f64, why: &str| -> SampleError {
        TIME.at(Path::root()).saying(format!("{time}: {why}")).into()
    };
    let ats = wanted.then.iter().filter_map(|(at, _)| *at);
    let is_time = |time: &f64| (0.0..=MOST).contains(time);
    if let Some(time) = wanted.times.ends().chain(ats.clone()).find(|time| !is_time(time)) {
        return Err(wrong(time, "milliseconds from 0 to 2147483647 are wanted"));
    }
    let mut before = 0.0;
    for at in ats {
        if at < before {
            return Err(wrong(at, "what is played then begins before what is played before it"));
        }
        before = at;
    }
    Ok(times(&wanted.times).collect())
}

/// Something that begins to play.
struct Change {
    /// When, if that is said.
    at: Option<f64>,
    what: Cue,
}

/// What is played.
enum Cue {
    /// An animation, of whose variations chance takes one.
    Animation(String),
    /// A sequence, and no other.
    Sequence(usize),
}

fn changes(document: &Document, wanted: &Playback, notes: &mut Report) -> Result<Vec<Change>, SampleError> {
    let first = (Some(0.0), wanted.clip.clone());
    let all = std::iter::once(&first).chain(&wanted.then);
    all.map(|(at, clip)| Ok(Change { at: *at, what: cue(document, clip, notes)? })).collect()
}

/// An animation goes by its name, which all its variations begin with; whatever else a word may mean is one sequence.
fn cue(document: &Document, clip: &Selector, notes: &mut Report) -> Result<Cue, SampleError> {
    if let Selector::Word(word) = clip
        && Variations::all(document).contains_key(&word.trim().to_lowercase())
    {
        return Ok(Cue::Animation(word.clone()));
    }
    let one = select::sequences(document, &NO_SEQUENCE).one::<SampleError>(clip, notes)?;
    Ok(Cue::Sequence(one))
}

/// A player, its clock, and what it passed.
struct Stage<'a> {
    player: Player<'a>,
    dice: Dice,
    names: Vec<String>,
    /// Milliseconds since the beginning.
    clock: f64,
    events: Vec<PlayedEvent>,
    meter: &'a Meter,
}

impl Stage<'_> {
    /// When the next change is due: when it says, or when what plays has come to its end once.
    fn next_change(&self, changes: &VecDeque<Change>, animations: &Animations) -> Option<f64> {
        let change = changes.front()?;
        let end = || {
            let length = animations.clip(self.player.sequence()?).map(|clip| clip.window().length)?;
            Some(self.clock + (length - self.player.moment().time).max(0.0))
        };
        Some(change.at.or_else(end).unwrap_or(self.clock).max(self.clock))
    }

    fn change(&mut self, what: &Cue) -> Result<(), SampleError> {
        let dice = &mut self.dice;
        match what {
            Cue::Animation(name) => self.player.play_animation(name, &mut || dice.roll())?,
            Cue::Sequence(sequence) => self.player.play(*sequence)?,
        }
        // What stands at its very beginning happens now.
        self.step(0.0)
    }

    /// Lets time pass up to a moment, from one whole millisecond of either clock to the next: keys stand on those, so that each event
    /// is told with its own time.
    fn advance(&mut self, to: f64) -> Result<(), SampleError> {
        if self.names.is_empty() {
            return self.step((to - self.clock).max(0.0));
        }
        while self.clock < to {
            let moment = self.player.moment();
            let left = |time: f64| time.floor() + 1.0 - time;
            let step = left(moment.time).min(left(moment.global)).min(to - self.clock);
            self.step(step)?;
        }
        Ok(())
    }

    fn step(&mut self, elapsed: f64) -> Result<(), SampleError> {
        self.meter.work(STEP)?;
        self.clock += elapsed;
        let Stage { player, dice, names, clock, events, .. } = self;
        player.advance(elapsed, &mut || dice.roll(), |crossing: Crossing| {
            let name = names.get(crossing.event).cloned().unwrap_or_default();
            let event = PlayedEvent { time: *clock, name, moment: crossing.time };
            events.extend((0..crossing.count).map(|_| event.clone()));
        });
        Ok(())
    }

    fn moment(
        &mut self,
        document: &Document,
        animations: &Animations,
        query: &mut PoseQuery<'_>,
        time: f64,
    ) -> PlayedMoment {
        let sequence = self.player.sequence();
        let row = sequence.and_then(|index| document.sequences().get(index).copied());
        let name = row.map(|row| document.sequence_name(row).into_owned());
        let label = ClipLabel { index: sequence, name };
        let clip = sequence.and_then(|index| animations.clip(index));
        PlayedMoment {
            pose: query.played(&mut self.player, clip, label, time),
            since: self.player.moment().time,
            is_over: self.player.is_over(),
            fade: self.player.fade(),
            events: std::mem::take(&mut self.events),
        }
    }
}

/// The names of the events in file order, those that could not be read without one; none where no event has a moment.
fn event_names(document: &Document) -> Vec<String> {
    let mut names = Vec::new();
    let mut has_moments = false;
    for chunk in &document.chunks {
        let Content::Events(records) = &chunk.content else { continue };
        for item in &records.items {
            let event = item.typed();
            has_moments |=
                event.and_then(|event| event.track.as_ref()).is_some_and(|track| !track.times.is_empty());
            names.push(
                event.map_or_else(String::new, |event| text::shown(&event.node.fixed.name.0).into_owned()),
            );
        }
    }
    if has_moments { names } else { Vec::new() }
}

/// Numbers from 0 up to but not 1, the same for the same seed on every machine (splitmix64).
struct Dice(u64);

impl Dice {
    #[allow(clippy::as_conversions, clippy::cast_precision_loss, reason = "53 bits fit a double")]
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}
