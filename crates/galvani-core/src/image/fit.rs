//! Pictures for textures that do not have every colour.

use crate::diag::{Code, EditError};
use crate::path::Path;

/// What to do about colours that a texture does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Match {
    /// Refuse them.
    Exact,
    /// Take the nearest.
    Nearest,
}

/// How unlike two colours are: the squares of what the channels are off, alpha counting most.
pub fn distance(a: [u8; 4], b: [u8; 4]) -> u32 {
    let square = |(a, b): (u8, u8)| u32::from(a.abs_diff(b)).saturating_pow(2);
    let ([ar, ag, ab, aa], [br, bg, bb, ba]) = (a, b);
    let colour = [(ar, br), (ag, bg), (ab, bb)].map(square).into_iter().fold(0, u32::saturating_add);
    colour.saturating_add(square((aa, ba)).saturating_mul(3))
}

/// The first of at most 256 colours that comes nearest.
pub fn nearest(colours: &[[u8; 4]], wanted: [u8; 4]) -> Option<u8> {
    let all = (0..=u8::MAX).zip(colours.iter().copied());
    all.min_by_key(|(_, shown)| distance(*shown, wanted)).map(|(index, _)| index)
}

/// Colours that a texture does not have.
#[derive(Debug, Clone, Default)]
pub struct Lost {
    pixels: usize,
    first: Option<[u8; 4]>,
}

impl Lost {
    /// Counts a pixel of such a colour.
    pub fn count(&mut self, colour: [u8; 4]) {
        self.pixels = self.pixels.saturating_add(1);
        self.first.get_or_insert(colour);
    }

    /// Refuses them, unless the nearest will do.
    pub fn refuse(&self, how: Match, code: &'static Code, path: Path) -> Result<(), EditError> {
        let Some([red, green, blue, alpha]) = self.first.filter(|_| how == Match::Exact) else {
            return Ok(());
        };
        let said = format!(
            "{} pixels, the first of #{red:02x}{green:02x}{blue:02x} with alpha {alpha}",
            self.pixels
        );
        Err(code.at(path).saying(said).into())
    }
}
