//! MAT0: the material of Parkan (docs/formats/mat0.md#head).
//!
//! ```text
//! counts of phases and tracks, then as much of the head as the version has
//! phases, 34 bytes each: colours, highlights, texture and its cell
//! tracks: how they are played, and keys, each a phase and a time
//! ```
//! The version, and how the material is blended, stand in the archive's record (`attr2` and `attr1`). A file by itself
//! is read as version 6, which all of the game's have, unless only another fits to the last byte.

mod blend;
pub mod check;
pub mod edit;
mod play;
mod read;
pub mod wire;
mod write;

pub use blend::Blend;
pub use check::check;
pub use play::{Fade, Mode, PhaseMix};
pub use read::{is_shaped, read, read_as};
pub use wire::{Phase, PhaseKey};
pub use write::write;

use wire::{Counts, Damage, Speed, Surface};

/// The four letters of its type in an archive.
pub const TYPE: [u8; 4] = *b"MAT0";

/// The version of every material of the game.
pub const VERSION: u32 = 6;

/// Tracks that the game refuses.
pub const TOO_MANY_TRACKS: u16 = 20;

/// A material as a value: every byte of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The version that its archive's record gives it. It decides which of the head's parts are there.
    pub version: u32,
    /// The head.
    pub head: Head,
    /// The phases.
    pub phases: Vec<Phase>,
    /// The tracks.
    pub tracks: Vec<Track>,
    /// Bytes behind all that. Kept, not understood.
    pub rest: Vec<u8>,
}

/// What stands before the phases. Parts that a version does not have are what the game takes instead.
#[derive(Debug, Clone, PartialEq)]
pub struct Head {
    /// How many phases and tracks there should be, as the file has it.
    pub counts: Counts,
    /// What the ground is, from version 2 on.
    pub surface: Surface,
    /// How fast one goes, from version 3 on.
    pub speed: Speed,
    /// What it does to who stands there, from version 4 on.
    pub damage: Damage,
}

/// Phases one after the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// How it is played, and what goes over gradually.
    pub word: u32,
    /// The keys.
    pub keys: Vec<PhaseKey>,
}

impl Default for Head {
    fn default() -> Self {
        Head {
            counts: Counts { phase_count: 0.into(), track_count: 0.into() },
            surface: Surface { class: 255, unknown_05: 255 },
            speed: Speed { ground_speed: 1.0.into() },
            damage: Damage { damage_rate: 0.0.into() },
        }
    }
}

impl Default for Document {
    /// A material without phases.
    fn default() -> Self {
        Document {
            version: VERSION,
            head: Head::default(),
            phases: Vec::new(),
            tracks: Vec::new(),
            rest: Vec::new(),
        }
    }
}

/// Bytes of the head of a version.
pub fn head_len(version: u32) -> usize {
    match version {
        0..=1 => 4,
        2 => 6,
        3 => 10,
        _ => 14,
    }
}

impl Document {
    /// The first part that is cut short.
    pub fn cut(&self) -> Option<Mat0Part> {
        let Counts { phase_count, track_count } = self.head.counts;
        if self.phases.len() < usize::from(phase_count.get()) {
            return Some(Mat0Part::Phases);
        }
        (self.tracks.len() < usize::from(track_count.get())).then_some(Mat0Part::Tracks)
    }
}

/// A part of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mat0Part {
    /// Phases.
    Phases,
    /// Tracks.
    Tracks,
}

impl Mat0Part {
    /// Its path.
    pub fn name(self) -> &'static str {
        match self {
            Mat0Part::Phases => "phases",
            Mat0Part::Tracks => "tracks",
        }
    }
}
