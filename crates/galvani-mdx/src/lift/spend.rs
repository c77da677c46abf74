//! How much a scene may take, and what was baked.

use galvani_core::{LiftError, Path, Report};
use galvani_scene::{Blend, Curve, Interp, bake_on};

use super::{BAKED, TOO_MUCH, milliseconds, seconds};
use crate::Document;

/// Keys that a scene may have beyond some times those of its file; no model comes near it.
const MOST_KEYS: usize = 1 << 20;

/// How often a file's own keys may be there: sequences overlap in some files.
const OFTEN: usize = 8;

/// How often curves are looked at while they are baked.
const MOST_LOOKS: usize = 1 << 26;

/// Pixels that a scene may have.
const MOST_PIXELS: u64 = 4 * galvani_core::image::MOST_PIXELS;

/// What is left of everything that a file could ask too much of.
#[derive(Debug)]
pub(super) struct Spent {
    keys: usize,
    looks: usize,
    pixels: u64,
    tracks: usize,
    baked: usize,
    length: f32,
    angle: f32,
    part: f32,
}

/// What the numbers of a curve are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Measure {
    /// Lengths.
    Length,
    /// Rotations.
    Angle,
    /// Colours, opacities, places on pictures: from 0 to 1 or so.
    Part,
    /// Places and rotations in one, in parts of these tolerances.
    Both(f32, f32),
}

impl Spent {
    pub(super) fn new(document: &Document) -> Self {
        let mut keys: usize = 0;
        document.each_track(|_, track| keys = keys.saturating_add(track.times.len()));
        let keys = keys.saturating_mul(OFTEN).saturating_add(MOST_KEYS);
        Spent {
            keys,
            looks: MOST_LOOKS,
            pixels: MOST_PIXELS,
            tracks: 0,
            baked: 0,
            length: 0.0,
            angle: 0.0,
            part: 0.0,
        }
    }

    /// Pays for keys.
    pub(super) fn keys(&mut self, count: usize) -> Result<(), LiftError> {
        self.keys =
            self.keys.checked_sub(count).ok_or_else(|| too_much("more keys than all of its tracks"))?;
        Ok(())
    }

    /// Pays for looking at so many things.
    pub(super) fn looks(&mut self, count: usize) -> Result<(), LiftError> {
        self.looks = self.looks.checked_sub(count).ok_or_else(|| too_much("sequences and tracks"))?;
        Ok(())
    }

    /// Pays for the pixels of a picture.
    pub(super) fn pixels(&mut self, width: u32, height: u32) -> Result<(), LiftError> {
        let wanted = u64::from(width).saturating_mul(height.into());
        self.pixels = self.pixels.checked_sub(wanted).ok_or_else(|| too_much("pictures"))?;
        Ok(())
    }

    /// A motion on straight lines no farther from it than the tolerance. `stops` rise; two of them that follow each other
    /// at once are a jump. Each look costs as much as `cost`.
    pub(super) fn baked<V: Blend>(
        &mut self,
        stops: &[f32],
        (measure, tolerance): (Measure, f32),
        cost: usize,
        mut motion: impl FnMut(f32) -> V,
    ) -> Result<Curve<V>, LiftError> {
        let mut curve =
            Curve { times: Vec::new(), values: Vec::new(), tangents: Vec::new(), interp: Interp::Linear };
        let mut error = 0.0_f32;
        for piece in stops.chunk_by(|a, b| a.next_up() < *b) {
            let looks = &mut self.looks;
            let mut last = None;
            let made = bake_on(piece, tolerance, middle, |time| {
                *looks = looks.saturating_sub(cost);
                // Once there is no more to spend nothing moves: the end comes soon.
                let value = last.filter(|_| *looks == 0).unwrap_or_else(|| motion(time));
                *last.insert(value)
            });
            if self.looks == 0 {
                return Err(too_much("curves that no line comes near"));
            }
            self.keys(made.curve.times.len())?;
            error = error.max(made.error);
            curve.times.extend(made.curve.times);
            curve.values.extend(made.curve.values);
        }
        self.tracks = self.tracks.saturating_add(1);
        self.baked = self.baked.saturating_add(curve.times.len());
        match measure {
            Measure::Length => self.length = self.length.max(error),
            Measure::Angle => self.angle = self.angle.max(error),
            Measure::Part => self.part = self.part.max(error),
            Measure::Both(length, angle) => {
                self.length = self.length.max(error * length);
                self.angle = self.angle.max(error * angle);
            }
        }
        Ok(curve)
    }

    /// Says what was baked.
    pub(super) fn tell(&self, report: &mut Report, size: f32) {
        if self.tracks == 0 {
            return;
        }
        let Spent { tracks, baked, length, angle, part, .. } = self;
        let length = length / size;
        let said = format!(
            "{tracks} curves have {baked} keys and are at most {length:.6} of the model's size, {angle:.6} rad and {part:.6} of a colour, \
             opacity or picture from the source"
        );
        report.push(BAKED.at(Path::named("clips")).saying(said));
    }
}

/// The middle between two times: a whole millisecond, as keys of the games have it, unless only less will do.
fn middle(from: f32, to: f32) -> f32 {
    let whole = seconds(f64::midpoint(milliseconds(from), milliseconds(to)).round());
    if from < whole && whole < to { whole } else { from + (to - from) * 0.5 }
}

fn too_much(what: &str) -> LiftError {
    TOO_MUCH.at(Path::root()).saying(what).into()
}
