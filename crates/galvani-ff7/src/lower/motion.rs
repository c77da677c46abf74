//! Clips frame by frame.

use galvani_core::maths::single;
use galvani_core::{LowerError, Meter, Path, Report, room};
use galvani_scene::{Blend, Clip, Moment, Sampler, Scene};
use glam::{DQuat, DVec3, Quat, Vec3};

use super::{Options, Target};
use crate::pack::rotation::normalised;

/// The frames of a clip, in the scene's axes and units.
#[derive(Debug)]
pub(super) struct Motion {
    /// What the clip is called.
    pub(super) name: String,
    /// How many frames it has, at least one.
    pub(super) frames: usize,
    /// What is seen at its start, node by node.
    pub(super) visible: Vec<bool>,
    /// How all nodes are turned in the first frame, then in the second, and so on.
    turns: Vec<Quat>,
    /// Where they are.
    places: Vec<Vec3>,
}

impl Motion {
    /// How a node is turned in a frame.
    pub(super) fn turn(&self, frame: usize, node: usize) -> DQuat {
        let turn = self.turns.get(self.row(frame, node)).copied().unwrap_or(Quat::IDENTITY);
        normalised(turn.as_dquat()).unwrap_or(DQuat::IDENTITY)
    }

    /// Where it is.
    pub(super) fn place(&self, frame: usize, node: usize) -> DVec3 {
        self.places.get(self.row(frame, node)).copied().unwrap_or_default().as_dvec3()
    }

    fn row(&self, frame: usize, node: usize) -> usize {
        frame.saturating_mul(self.visible.len()).saturating_add(node)
    }
}

/// The most frames of a motion: what a pack can count.
pub(super) const MOST_FRAMES: usize = 0xffff;

/// How far a time may be from a frame and still be on it, in frames.
const ON_GRID: f64 = 1e-3;

/// The motions of all clips; of a scene without clips, the one frame of its rest.
pub(super) fn all(
    scene: &Scene,
    (fps, options): (f32, &Options),
    target: &Target,
    meter: &Meter,
    report: &mut Report,
) -> Result<Vec<Motion>, LowerError> {
    let mut sampler = Sampler::new(scene);
    let mut moment = Moment::at_rest(scene);
    if scene.clips.is_empty() {
        let mut motion = empty(scene, String::new(), 1)?;
        add(&mut motion, &moment, scene.nodes.len());
        return Ok(vec![motion]);
    }
    let near = Near { tolerance: options.tolerance, size: scene.size() };
    let mut motions = Vec::new();
    for (i, clip) in scene.clips.iter().enumerate() {
        let path = Path::named("clips").index(i);
        let frames = frames(clip, fps, scene.nodes.len(), path, (target, meter))?;
        let span = f64::from(clip.duration) * f64::from(fps);
        if (span - span.round()).abs() > ON_GRID {
            let said = format!("`{}` is {span:.3} frames long and gets {frames}", clip.name);
            report.push(target.codes.grid.at(path.field("duration")).saying(said));
        }
        let mut motion = empty(scene, clip.name.clone(), frames)?;
        for frame in 0..frames {
            sampler.sample(clip, time(clip, frame, fps), &mut moment);
            add(&mut motion, &moment, scene.nodes.len());
            if frame == 0 {
                motion.visible.clone_from(&moment.visible);
            }
        }
        let off = between(&motion, clip, fps, (&mut sampler, &mut moment));
        if near.is_far(off) {
            let (turn, way) = off;
            let said = format!("`{}`: {turn:.5} radians and {way:.5} units at most", clip.name);
            report.push(target.codes.between.at(path).saying(said));
        }
        motions.push(motion);
    }
    Ok(motions)
}

/// What counts as being there.
struct Near {
    tolerance: f32,
    size: f32,
}

impl Near {
    fn is_far(&self, (turn, way): (f32, f32)) -> bool {
        turn > self.tolerance || way > self.tolerance * self.size.max(f32::MIN_POSITIVE)
    }
}

fn empty(scene: &Scene, name: String, frames: usize) -> Result<Motion, LowerError> {
    let count = frames.saturating_mul(scene.nodes.len());
    let visible = scene.nodes.iter().map(|node| node.visible).collect();
    Ok(Motion {
        name,
        frames,
        visible,
        turns: room::with_capacity(count)?,
        places: room::with_capacity(count)?,
    })
}

fn add(motion: &mut Motion, moment: &Moment, nodes: usize) {
    for node in 0..nodes {
        motion.turns.push(moment.rotations.get(node));
        motion.places.push(moment.translations.get(node));
    }
}

/// How many frames a clip has, which is charged: its end is one, whether it is on the grid or not.
fn frames(
    clip: &Clip,
    fps: f32,
    nodes: usize,
    path: Path,
    (target, meter): (&Target, &Meter),
) -> Result<usize, LowerError> {
    let count = (f64::from(clip.duration) * f64::from(fps) - ON_GRID).ceil().max(0.0) + 1.0;
    let most = u32::try_from(MOST_FRAMES).unwrap_or(u32::MAX);
    if count > f64::from(most) {
        let said = format!("`{}` has {count} frames, {MOST_FRAMES} at most", clip.name);
        return Err(target.codes.frames.at(path).saying(said).into());
    }
    let count = whole(count);
    let bytes = count.saturating_mul(nodes).saturating_mul(size_of::<(Quat, Vec3)>());
    let wide = u64::try_from(bytes).unwrap_or(u64::MAX);
    meter.result(&format!("{count} frames of `{}`, which take {bytes} bytes", clip.name), wide)?;
    Ok(count)
}

/// A number of frames that are not too many.
#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` rounds towards zero and saturates"
)]
fn whole(count: f64) -> usize {
    count as usize
}

/// The time of a frame within a clip.
fn time(clip: &Clip, frame: usize, fps: f32) -> f32 {
    let frame = f64::from(u32::try_from(frame).unwrap_or(u32::MAX));
    single(frame / f64::from(fps)).min(clip.duration)
}

/// How far a clip is half way between two frames from where straight lines between these are: by turn, and by place.
fn between(
    motion: &Motion,
    clip: &Clip,
    fps: f32,
    (sampler, moment): (&mut Sampler, &mut Moment),
) -> (f32, f32) {
    let (mut turned, mut moved) = (0.0_f32, 0.0_f32);
    for frame in 1..motion.frames {
        let [from, to] = [frame.saturating_sub(1), frame].map(|frame| time(clip, frame, fps));
        sampler.sample(clip, from + (to - from) * 0.5, moment);
        for node in 0..motion.visible.len() {
            let rows = [frame.saturating_sub(1), frame].map(|frame| motion.row(frame, node));
            if let [Some(&a), Some(&b)] = rows.map(|row| motion.turns.get(row)) {
                let found = moment.rotations.get(node);
                turned = turned.max(Quat::linear(a, b, 0.5).normalize().distance(found.normalize()));
            }
            if let [Some(&a), Some(&b)] = rows.map(|row| motion.places.get(row)) {
                let found = moment.translations.get(node);
                moved = moved.max(Blend::distance(Vec3::linear(a, b, 0.5), found));
            }
        }
    }
    (turned, moved)
}
