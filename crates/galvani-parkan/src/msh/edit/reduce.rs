//! Fewer keys for nearly the same motion.

use galvani_core::maths::Wxyz;
use galvani_core::reach::furthest;
use galvani_core::{EditError, Exhausted, Path, Reading, room};

use super::pose::{self, finite};
use super::{Document, VALUE, change, rising};
use crate::msh::animation::{AnimKey, whole};
use crate::msh::sample::LocalPose;

/// Deletes keys of a node as long as no frame is further off than the tolerances, and says how many.
///
/// The position may be off by `position` units and the rotation by `angle` radians, at every whole frame,
/// against the motion before. Keys that stay keep their bits, and the first and the last stay. From each key
/// that stays the next is sought by doubling steps and then halving, so a few keys more than necessary may
/// remain.
pub fn reduce(document: &mut Document, node: usize, position: f32, angle: f32) -> Result<usize, EditError> {
    finite("tolerance", [position, angle])?;
    if position < 0.0 || angle < 0.0 {
        let found = format!("{position} and {angle}: a tolerance is 0 or more");
        return Err(VALUE.at(Path::named("tolerance")).saying(found).into());
    }
    let tolerance = Tolerance { position: f64::from(position), angle: f64::from(angle) };
    let reading = document.reading;
    change(document, node, |anim, keys| {
        if keys.len() > 2 {
            rising(anim, node, keys)?;
        }
        let kept = kept(keys, tolerance, reading)?;
        let removed = keys.len().saturating_sub(kept.len());
        *keys = kept;
        Ok(removed)
    })
}

#[derive(Debug, Clone, Copy)]
struct Tolerance {
    position: f64,
    angle: f64,
}

fn kept(keys: &[AnimKey], tolerance: Tolerance, reading: Reading) -> Result<Vec<AnimKey>, Exhausted> {
    let mut kept: Vec<AnimKey> = room::with_capacity(keys.len())?;
    kept.extend(keys.first());
    let last = keys.len().saturating_sub(1);
    let mut at = 0;
    while at < last {
        at = furthest(at, last, |to| skips(keys, at, to, tolerance, reading).then_some(())).0;
        kept.extend(keys.get(at));
    }
    Ok(kept)
}

/// Whether the keys between two may go: every frame between them stays near.
fn skips(keys: &[AnimKey], from: usize, to: usize, tolerance: Tolerance, reading: Reading) -> bool {
    let Some(run) = keys.get(from..=to) else { return false };
    let [a, .., b] = run else { return false };
    // Keys between frames are never hit, and beyond the last frame times no longer count by one.
    let on_frames = |key: &AnimKey| key.time.fract() == 0.0 && whole(key.time).is_some();
    if !run.iter().all(on_frames) {
        return false;
    }
    let mut time = a.time + 1.0;
    while time < b.time {
        let was = pose::at(run, time, reading);
        let near = was.is_some_and(|was| is_near(was, pose::between(a, b, time, reading), tolerance));
        if !near {
            return false;
        }
        time += 1.0;
    }
    true
}

/// Whether two poses are near. Those with numbers that are none never are.
fn is_near(a: LocalPose, b: LocalPose, tolerance: Tolerance) -> bool {
    distance(a.position, b.position) <= tolerance.position && angle(a.rotation, b.rotation) <= tolerance.angle
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f64 {
    length(a.iter().zip(b).map(|(&a, b)| f64::from(a) - f64::from(b)))
}

/// The angle of the rotation from one to the other; no number if one has no length.
fn angle(a: Wxyz<f32>, b: Wxyz<f32>) -> f64 {
    let [a, b] = [a, b].map(|q| {
        let len = length(q.0.iter().map(|&component| f64::from(component)));
        q.0.map(|component| f64::from(component) / len)
    });
    let minus = length(a.iter().zip(b).map(|(a, b)| a - b));
    let plus = length(a.iter().zip(b).map(|(a, b)| a + b));
    // q and -q are one rotation; between quaternions lies half the angle.
    4.0 * minus.min(plus).atan2(minus.max(plus))
}

fn length(components: impl Iterator<Item = f64>) -> f64 {
    components.map(|component| component * component).sum::<f64>().sqrt()
}
