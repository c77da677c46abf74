//! What a track shows at a time (docs/formats/mat0.md#playing).

use super::{Document, Phase, PhaseKey, Track};

/// How a track goes on behind its last key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// It begins again.
    Loop,
    /// It goes back.
    PingPong,
    /// It stays.
    Once,
    /// It jumps to a time by chance.
    Random,
}

/// What goes over gradually from phase to phase; everything else changes at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(clippy::struct_excessive_bools, reason = "five bits of the file")]
pub struct Fade {
    /// The ambient colour.
    pub ambient: bool,
    /// The diffuse colour.
    pub diffuse: bool,
    /// The specular colour.
    pub specular: bool,
    /// The emissive colour.
    pub emissive: bool,
    /// The ambient alpha.
    pub ambient_alpha: bool,
}

/// What a track shows at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PhaseMix {
    /// The phase.
    pub phase: usize,
    /// The phase that comes next.
    pub next: usize,
    /// How far it has gone over to that, from 0 on and below 1.
    pub part: f32,
}

impl Track {
    /// How it goes on behind its last key; `None` where the game has no such way.
    pub fn mode(&self) -> Option<Mode> {
        match self.word & 7 {
            0 => Some(Mode::Loop),
            1 => Some(Mode::PingPong),
            2 => Some(Mode::Once),
            3 => Some(Mode::Random),
            _ => None,
        }
    }

    /// What goes over gradually.
    pub fn fade(&self) -> Fade {
        let bit = |bit: u32| self.word >> 3 & 1 << bit != 0;
        Fade { ambient: bit(0), diffuse: bit(1), specular: bit(2), emissive: bit(3), ambient_alpha: bit(4) }
    }

    /// The time of its last key, in milliseconds.
    pub fn period(&self) -> u16 {
        self.keys.last().map_or(0, |key| key.time.get())
    }

    /// What it shows so many milliseconds after its start, within its period or folded into it; of a random track
    /// without its jumps. `None` without keys or time.
    pub fn shown(&self, time: u32) -> Option<PhaseMix> {
        let period = u32::from(self.period());
        let turn = time.checked_rem(period)?;
        let time = match self.mode() {
            Some(Mode::PingPong) if time.checked_div(period)? % 2 == 1 => period.saturating_sub(turn),
            Some(Mode::Once) if time >= period => return self.last(),
            _ => turn,
        };
        let i = self.keys.iter().position(|key| time < u32::from(key.time.get()));
        // Going back starts at the very end.
        let Some(i) = i else { return self.last() };
        let start =
            i.checked_sub(1).and_then(|i| self.keys.get(i)).map_or(0, |key| u32::from(key.time.get()));
        let key = self.keys.get(i)?;
        let next = self.keys.get(i.saturating_add(1)).or(self.keys.first())?;
        let whole = u32::from(key.time.get()).checked_sub(start)?;
        let part = ratio(time.saturating_sub(start), whole);
        Some(PhaseMix { phase: phase(*key), next: phase(*next), part })
    }

    fn last(&self) -> Option<PhaseMix> {
        let phase = phase(*self.keys.last()?);
        Some(PhaseMix { phase, next: phase, part: 0.0 })
    }
}

fn phase(key: PhaseKey) -> usize {
    key.phase.get().into()
}

/// A part of a whole, both far below what a float holds.
fn ratio(part: u32, whole: u32) -> f32 {
    let number = |value: u32| f32::from(u16::try_from(value).unwrap_or(u16::MAX));
    if whole == 0 { 0.0 } else { number(part) / number(whole) }
}

impl Document {
    /// What a track shows at a time: the phase, with what goes over gradually on its way to the next.
    pub fn phase_at(&self, track: usize, time: u32) -> Option<Phase> {
        let track = self.tracks.get(track)?;
        let PhaseMix { phase, next, part } = track.shown(time)?;
        let (mut shown, next) = (*self.phases.get(phase)?, self.phases.get(next)?);
        let fade = track.fade();
        let colours = [
            (fade.ambient, &mut shown.ambient, next.ambient),
            (fade.diffuse, &mut shown.diffuse, next.diffuse),
            (fade.specular, &mut shown.specular, next.specular),
            (fade.emissive, &mut shown.emissive, next.emissive),
        ];
        for (_, colour, next) in colours.into_iter().filter(|(fades, ..)| *fades) {
            for (channel, next) in colour.iter_mut().zip(next) {
                *channel = between(*channel, next, part);
            }
        }
        if fade.ambient_alpha {
            shown.ambient_alpha = between(shown.ambient_alpha, next.ambient_alpha, part);
        }
        Some(shown)
    }
}

/// A byte on its way to another, rounded.
#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "what lies between two bytes fits one"
)]
fn between(from: u8, to: u8, part: f32) -> u8 {
    let (from, to) = (f32::from(from), f32::from(to));
    (from + (to - from) * part).round() as u8
}
