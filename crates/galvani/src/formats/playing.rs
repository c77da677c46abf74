//! What is asked of documents whose engine plays them, and what they answer.

use super::{Pose, Selector, Settings, Times};

/// What is to be played, and when it is to be looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Playback {
    /// What is played from the beginning: an animation, of whose variations chance takes one after the other, or a sequence.
    pub clip: Selector,
    /// What is played then: from a time on, in milliseconds since the beginning, or else when what played before has come to its
    /// end for the first time.
    pub then: Vec<(Option<f64>, Selector)>,
    /// When it is looked at, in milliseconds since the beginning.
    pub times: Times,
    /// One node; without it, all of them.
    pub node: Option<Selector>,
    /// What chance begins with: the same number makes the same choices.
    pub seed: u64,
    /// What only some formats have.
    pub settings: Settings,
}

/// A moment of something that plays.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayedMoment {
    /// What it shows. Its time is that since the beginning.
    pub pose: Pose,
    /// Milliseconds since its sequence began, over all rounds.
    pub since: f64,
    /// Whether a sequence that does not loop has come to its end.
    pub is_over: bool,
    /// How much of the pose before the sequence is left, from 1 down to 0.
    pub fade: f32,
    /// What was passed since the moment before, in order.
    pub events: Vec<PlayedEvent>,
}

/// Something that happened while something played.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayedEvent {
    /// When, in milliseconds since the beginning.
    pub time: f64,
    /// What it is called.
    pub name: String,
    /// Where on the model's timeline it stands.
    pub moment: i32,
}
