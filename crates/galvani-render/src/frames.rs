//! Pictures that follow each other.

use galvani_core::{Image, Meter, Path, Report};
use galvani_scene::Clip;

use crate::check::{PACE, RenderError};
use crate::eye::{Direction, Eye, Fit, Lens};
use crate::stage::{Picture, Shot, Stage};
use crate::stance::Stance;

/// What moves while pictures follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Moves {
    /// The model only.
    #[default]
    Model,
    /// The eye goes around it once, too.
    Around,
}

/// Pictures that follow each other, the last by the first.
#[derive(Debug, Clone, Copy)]
pub struct Moving<'s> {
    /// The motion that is shown, once round; without one the model stands still.
    pub clip: Option<&'s Clip>,
    /// Pictures a second.
    pub fps: f32,
    /// What moves.
    pub moves: Moves,
}

/// When a picture is taken, and how long it is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// The time of the clip, in seconds.
    pub time: f32,
    /// How far around the eye is, in degrees.
    pub turn: f64,
    /// When the next is shown, in milliseconds from the first.
    pub end: u32,
}

/// Once around takes so many seconds at least.
const AROUND: f64 = 4.0;

/// Most pictures that follow each other.
const MOST_FRAMES: f64 = 10_000.0;

/// How many moments of a clip are looked at to see how far it reaches.
const MOST_LOOKED_AT: usize = 32;

impl Moving<'_> {
    /// The pictures in order. A clip that holds its end shows that, too; of one that begins again the end is its start.
    pub fn frames(&self) -> Result<Vec<Frame>, RenderError> {
        let fps = f64::from(self.fps);
        let wrong = |said: String| Err(PACE.at(Path::root()).saying(said).into());
        if !(fps > 0.0 && fps <= 1000.0) {
            return wrong(format!("{fps} pictures a second"));
        }
        let once = self.clip.map_or(0.0, |clip| f64::from(clip.duration)).max(0.0);
        let rounds = match self.moves {
            Moves::Model => 1.0,
            Moves::Around if once > 0.0 => libm::ceil(AROUND / once).max(1.0),
            Moves::Around => 1.0,
        };
        let whole = if once > 0.0 { once * rounds } else { self.still() };
        let count = libm::round(whole * fps).max(1.0);
        if count.is_nan() || count > MOST_FRAMES {
            return wrong(format!("{count} pictures"));
        }
        let count = count as u32;
        let holds = self.clip.is_some_and(|clip| clip.looping == galvani_scene::Looping::Hold);
        let more = u32::from(holds && self.moves == Moves::Model && once > 0.0);
        let step = whole / f64::from(count);
        let frame = |i: u32| {
            let at = f64::from(i) * step;
            let within = if once > 0.0 { at - libm::floor(at / once) * once } else { 0.0 };
            let time = if i == count && more == 1 { once } else { within };
            let turn =
                if self.moves == Moves::Around { f64::from(i) * 360.0 / f64::from(count) } else { 0.0 };
            let end = libm::round(f64::from(i + 1) * step * 1000.0) as u32;
            Frame { time: time.max(0.0) as f32, turn, end }
        };
        Ok((0..count + more).map(frame).collect())
    }

    /// How long it is looked at where nothing moves.
    fn still(&self) -> f64 {
        if self.moves == Moves::Around { AROUND } else { 0.0 }
    }
}

impl Stage<'_> {
    /// How the scene stands at a time of a clip, or at rest.
    pub fn stance(&self, clip: Option<&Clip>, time: f32) -> Stance {
        clip.map_or_else(|| Stance::at_rest(self.scene), |clip| Stance::at(self.scene, clip, time))
    }

    /// How the scene stands here and there in a clip, or at rest.
    pub fn stances(&self, clip: Option<&Clip>) -> Vec<Stance> {
        let Some(clip) = clip else { return vec![self.stance(None, 0.0)] };
        let steps = ((clip.duration * 10.0) as usize).clamp(2, MOST_LOOKED_AT);
        let time = |step: usize| clip.duration * step as f32 / steps as f32;
        (0..=steps).map(|step| self.stance(Some(clip), time(step))).collect()
    }

    /// An eye that sees all of these stances, wherever it goes.
    pub fn eye(
        &self,
        stances: &[Stance],
        (direction, lens, aspect): (Direction, Lens, f64),
        (zoom, moves): (f64, Moves),
    ) -> Eye {
        let mut fit = Fit::new(direction, lens, aspect);
        match moves {
            Moves::Model => stances.iter().for_each(|stance| self.fit(stance, &mut fit)),
            Moves::Around => self.fit_turning(stances, &mut fit),
        }
        fit.eye(zoom)
    }

    /// Pictures that follow each other; `shot` says how each is taken. What they take is charged first.
    pub fn film(
        &self,
        clip: Option<&Clip>,
        frames: &[Frame],
        shot: impl Fn(&Frame) -> Shot + Sync,
        meter: &Meter,
    ) -> Result<(Vec<(Image, u32)>, Report), RenderError> {
        let pixels = |frame: &Frame| {
            let shot = shot(frame);
            u64::from(shot.width) * u64::from(shot.height)
        };
        let bytes = frames.iter().map(pixels).sum::<u64>().saturating_mul(4);
        meter.result(&format!("{} pictures", frames.len()), bytes)?;
        let take = |frame: &Frame| -> Result<(Picture, u32), RenderError> {
            let stance = self.stance(clip, frame.time);
            Ok((self.picture(&stance, &shot(frame), &Meter::unlimited())?, frame.end))
        };
        #[cfg(feature = "parallel")]
        let taken: Result<Vec<_>, _> = {
            use rayon::prelude::*;
            frames.par_iter().map(take).collect()
        };
        #[cfg(not(feature = "parallel"))]
        let taken: Result<Vec<_>, _> = frames.iter().map(take).collect();
        let mut report = Report::default();
        let keep = |(picture, end): (Picture, u32)| {
            report.append(picture.report);
            (picture.image, end)
        };
        let images = taken?.into_iter().map(keep).collect();
        Ok((images, report))
    }
}

#[cfg(test)]
mod tests {
    use galvani_scene::Looping;

    use super::*;

    fn frames(duration: f32, looping: Looping, fps: f32, moves: Moves) -> Vec<Frame> {
        let clip = Clip { duration, looping, ..Clip::default() };
        Moving { clip: Some(&clip), fps, moves }.frames().unwrap()
    }

    #[test]
    fn a_clip_is_shown_once_round() {
        let all = frames(1.0, Looping::Wrap, 4.0, Moves::Model);
        let told: Vec<_> = all.iter().map(|frame| (frame.time, frame.end)).collect();
        assert_eq!(told, [(0.0, 250), (0.25, 500), (0.5, 750), (0.75, 1000)]);
        let all = frames(1.0, Looping::Hold, 2.0, Moves::Model);
        let told: Vec<_> = all.iter().map(|frame| (frame.time, frame.end)).collect();
        assert_eq!(told, [(0.0, 500), (0.5, 1000), (1.0, 1500)]);
    }

    #[test]
    fn ends_add_up_to_the_clip_whatever_its_length() {
        for duration in [0.01, 0.3, 1.7, 12.345] {
            let all = frames(duration, Looping::Wrap, 15.0, Moves::Model);
            assert_eq!(all.last().unwrap().end, (duration * 1000.0).round() as u32);
            assert!(all.iter().all(|frame| frame.time < duration));
        }
    }

    #[test]
    fn around_goes_once_and_the_clip_as_often_as_it_fits() {
        let all = frames(1.5, Looping::Wrap, 10.0, Moves::Around);
        assert_eq!((all.len(), all[15].time, all[0].turn), (45, 0.0, 0.0));
        assert!((all[44].turn - 352.0).abs() < 1e-9);
        let still = Moving { clip: None, fps: 15.0, moves: Moves::Around }.frames().unwrap();
        assert_eq!((still.len(), still[59].time), (60, 0.0));
    }

    #[test]
    fn nothing_that_moves_is_one_picture() {
        assert_eq!(Moving { clip: None, fps: 15.0, moves: Moves::Model }.frames().unwrap().len(), 1);
        assert_eq!(frames(0.0, Looping::Hold, 15.0, Moves::Model).len(), 1);
    }

    #[test]
    fn what_cannot_follow_is_refused() {
        let clip = Clip { duration: 1e9, ..Clip::default() };
        for fps in [0.0, -1.0, f32::NAN, f32::INFINITY, 15.0] {
            let moving = Moving { clip: Some(&clip), fps, moves: Moves::Model };
            assert_eq!(moving.frames().unwrap_err().cause.code.name, "render.pace", "{fps}");
        }
    }
}
