//! How the walker moves: a slow walk, one leg in the air at a time, that ends as it begins.
//!
//! Feet are set on the ground first; the legs are bent to reach them. Angles never occur: a joint's frame is
//! made from the points it has to join.

use galvani_core::maths::Wxyz;
use galvani_parkan::msh::build::KeyPlan;

use super::super::shapes::{cosine, sine};

/// Frames of a cycle.
const CYCLE: u32 = 32;
/// How far the machine goes in a cycle.
const STRIDE: f32 = 1.5;
/// How high a foot is lifted.
const LIFT: f32 = 0.55;
/// Part of the cycle that a foot is in the air.
const SWING: f32 = 0.25;
/// Height of the hips while standing.
const STAND: f32 = 1.75;
/// Height of an ankle on the ground.
pub(super) const ANKLE: f32 = 0.3;
/// From hip to knee.
pub(super) const THIGH: f32 = 1.45;
/// From knee to ankle.
pub(super) const SHIN: f32 = 2.15;

/// A leg: where it is hung up, and when in the cycle it starts to swing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leg {
    /// What its nodes are called.
    pub(super) name: &'static str,
    /// Its hip in the hull's space.
    pub(super) hip: [f32; 3],
    /// Where its ankle stands in the middle of a step, seen from below the hull's centre.
    stand: [f32; 2],
    start: f32,
}

/// Rear left, front left, rear right, front right: so the machine always stands on three feet.
pub(super) const LEGS: [Leg; 4] = [
    Leg { name: "front_left", hip: [1.15, 0.95, 0.0], stand: [1.95, 2.25], start: 0.25 },
    Leg { name: "front_right", hip: [1.15, -0.95, 0.0], stand: [1.95, -2.25], start: 0.75 },
    Leg { name: "rear_left", hip: [-1.25, 0.95, 0.0], stand: [-2.05, 2.25], start: 0.0 },
    Leg { name: "rear_right", hip: [-1.25, -0.95, 0.0], stand: [-2.05, -2.25], start: 0.5 },
];

type Vector = [f32; 3];

/// A frame: its axes as they are seen from outside it, and its origin.
#[derive(Debug, Clone, Copy)]
struct Frame {
    axes: [Vector; 3],
    at: Vector,
}

/// The track of the hull.
pub(super) fn hull() -> Vec<KeyPlan> {
    track(|time| time.is_multiple_of(4), |phase| key(&hull_frame(phase)))
}

/// The tracks of a leg's thigh, shin and foot: close keys while it swings, wide ones while it stands.
pub(super) fn leg(leg: &Leg) -> [Vec<KeyPlan>; 3] {
    let swings = |time: u32| since(leg, phase(time)) < SWING;
    let wanted = |time: u32| time.is_multiple_of(4) || (time.is_multiple_of(2) && swings(time));
    [0, 1, 2].map(|joint| track(wanted, |phase| key(&joints(leg, phase)[joint])))
}

/// The track of the turret: it looks to both sides.
pub(super) fn turret(at: Vector) -> Vec<KeyPlan> {
    track(|time| time.is_multiple_of(4), |phase| key(&turned(at, [0.0, 0.0, 1.0], sine(phase) * 0.09)))
}

/// The track of the gun: it rises and sinks twice in a cycle.
pub(super) fn gun(at: Vector) -> Vec<KeyPlan> {
    let rise = |phase: f32| -0.015 + cosine(2.0 * phase) * 0.012;
    track(|time| time.is_multiple_of(4), |phase| key(&turned(at, [0.0, 1.0, 0.0], rise(phase))))
}

/// The track of the antenna: it lags behind the hull's steps.
pub(super) fn antenna(at: Vector) -> Vec<KeyPlan> {
    let sway = |phase: f32| sine(4.0 * phase - 0.1) * 0.015;
    track(|time| time.is_multiple_of(2), |phase| key(&turned(at, [0.0, 1.0, 0.0], sway(phase))))
}

/// Keys at the wanted frames of a cycle, the last as the first.
fn track(wanted: impl Fn(u32) -> bool, pose: impl Fn(f32) -> KeyPlan) -> Vec<KeyPlan> {
    (0..=CYCLE).filter(|&time| wanted(time)).map(|time| KeyPlan { time, ..pose(phase(time)) }).collect()
}

/// The part of the cycle that a frame is at.
fn phase(time: u32) -> f32 {
    f32::from(u16::try_from(time % CYCLE).unwrap_or(0)) / 32.0
}

/// The part of the cycle since a leg started to swing.
fn since(leg: &Leg, phase: f32) -> f32 {
    let since = phase - leg.start;
    since - since.floor()
}

/// The hull sinks twice in a cycle and leans away from the legs in the air.
fn hull_frame(phase: f32) -> Frame {
    let at = [sine(2.0 * phase) * 0.04, sine(phase + 0.1) * -0.12, STAND + sine(2.0 * phase - 0.1) * 0.06];
    let roll = turned([0.0; 3], [1.0, 0.0, 0.0], sine(phase + 0.1) * 0.006);
    let pitch = turned(at, [0.0, 1.0, 0.0], sine(2.0 * phase + 0.3) * 0.005);
    Frame { axes: roll.axes.map(|axis| pitch.turn(axis)), at }
}

/// Where the ankle of a leg is, in the space of the ground under the machine.
fn ankle(leg: &Leg, phase: f32) -> Vector {
    let since = since(leg, phase);
    let [x, y] = leg.stand;
    if since < SWING {
        let part = since / SWING;
        let forward = part * part * (3.0 - 2.0 * part);
        let up = 4.0 * part * (1.0 - part);
        return [x + STRIDE * (forward - 0.5) * (1.0 - SWING), y, ANKLE + LIFT * up];
    }
    let part = (since - SWING) / (1.0 - SWING);
    [x + STRIDE * (0.5 - part) * (1.0 - SWING), y, ANKLE]
}

/// Thigh, shin and foot, each in the space of the one before, the thigh in the hull's.
fn joints(leg: &Leg, phase: f32) -> [Frame; 3] {
    let hull = hull_frame(phase);
    let hip = plus(hull.turn(leg.hip), hull.at);
    let ankle = ankle(leg, phase);
    let reach = minus(ankle, hip);
    let far = length(reach);
    let along = scaled(reach, 1.0 / far);
    // Upright in the plane of the leg.
    let side = unit(cross([0.0, 0.0, 1.0], along));
    let up = cross(along, side);
    let before = (THIGH * THIGH - SHIN * SHIN + far * far) / (2.0 * far);
    let above = (THIGH * THIGH - before * before).max(0.0).sqrt();
    let knee = plus(hip, plus(scaled(along, before), scaled(up, above)));
    let thigh = limb(hip, knee, side);
    let shin = limb(knee, ankle, side);
    let level = Frame { axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], at: ankle };
    [hull.inside(&thigh), thigh.inside(&shin), shin.inside(&level)]
}

/// A limb's frame: x along it, y across the leg.
fn limb(from: Vector, to: Vector, side: Vector) -> Frame {
    let along = unit(minus(to, from));
    Frame { axes: [along, side, cross(along, side)], at: from }
}

/// A frame turned about an axis by an angle in turns.
fn turned(at: Vector, axis: Vector, turns: f32) -> Frame {
    let (sin, cos) = (sine(turns), cosine(turns));
    let turn = |v: Vector| {
        let along = scaled(axis, dot(axis, v) * (1.0 - cos));
        plus(plus(scaled(v, cos), scaled(cross(axis, v), sin)), along)
    };
    Frame { axes: [turn([1.0, 0.0, 0.0]), turn([0.0, 1.0, 0.0]), turn([0.0, 0.0, 1.0])], at }
}

impl Frame {
    /// A direction of this frame as it is seen from outside.
    fn turn(&self, [x, y, z]: Vector) -> Vector {
        let [a, b, c] = self.axes;
        plus(plus(scaled(a, x), scaled(b, y)), scaled(c, z))
    }

    /// A direction from outside as it is seen in this frame.
    fn turn_back(&self, vector: Vector) -> Vector {
        self.axes.map(|axis| dot(axis, vector))
    }

    /// Another frame of the outside as it is seen in this one.
    fn inside(&self, other: &Frame) -> Frame {
        let axes = other.axes.map(|axis| self.turn_back(axis));
        Frame { axes, at: self.turn_back(minus(other.at, self.at)) }
    }
}

/// A frame as a key. A key's rotation acts as its conjugate, so the frame's own is conjugated.
fn key(frame: &Frame) -> KeyPlan {
    let [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = frame.axes;
    let trace = xx + yy + zz;
    let [w, x, y, z] = if trace > 0.0 {
        [1.0 + trace, yz - zy, zx - xz, xy - yx]
    } else if xx > yy && xx > zz {
        [yz - zy, 1.0 + xx - yy - zz, xy + yx, zx + xz]
    } else if yy > zz {
        [zx - xz, xy + yx, 1.0 - xx + yy - zz, yz + zy]
    } else {
        [xy - yx, zx + xz, yz + zy, 1.0 - xx - yy + zz]
    };
    let length = (w * w + x * x + y * y + z * z).sqrt();
    let rotation = whole(Wxyz([w / length, -x / length, -y / length, -z / length]));
    KeyPlan { time: 0, position: frame.at, rotation }
}

/// Of the rotations near this one that a key can hold, the one whose length is nearest to 1. The engine does
/// not normalise, other programs do: at length 1 they agree.
fn whole(rotation: Wxyz<f32>) -> Wxyz<f32> {
    /// What a component of a key is divided by.
    const SCALE: f32 = 32767.0;
    const STEPS: [f32; 3] = [0.0, 1.0, -1.0];
    let nearest = rotation.0.map(|part| (part * SCALE).round());
    let off = |parts: [f32; 4]| {
        let square: f64 = parts.iter().map(|part| f64::from(*part) * f64::from(*part)).sum();
        (square - f64::from(SCALE) * f64::from(SCALE)).abs()
    };
    let mut best = nearest;
    for a in STEPS {
        for b in STEPS {
            for c in STEPS {
                for d in STEPS {
                    let [w, x, y, z] = nearest;
                    let tried = [w + a, x + b, y + c, z + d];
                    let fits = tried.iter().all(|part| part.abs() <= SCALE);
                    if fits && off(tried) < off(best) {
                        best = tried;
                    }
                }
            }
        }
    }
    Wxyz(best.map(|part| part / SCALE))
}

fn plus([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> Vector {
    [ax + bx, ay + by, az + bz]
}

fn minus([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> Vector {
    [ax - bx, ay - by, az - bz]
}

fn scaled(vector: Vector, by: f32) -> Vector {
    vector.map(|component| component * by)
}

fn dot([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> f32 {
    ax * bx + ay * by + az * bz
}

fn cross([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> Vector {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

fn length(vector: Vector) -> f32 {
    dot(vector, vector).sqrt()
}

fn unit(vector: Vector) -> Vector {
    scaled(vector, 1.0 / length(vector))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_leg_reaches_its_foot() {
        for leg in &LEGS {
            for time in 0..CYCLE {
                let [thigh, shin, foot] = joints(leg, phase(time));
                for (found, wanted) in
                    [(thigh.at, leg.hip), (shin.at, [THIGH, 0.0, 0.0]), (foot.at, [SHIN, 0.0, 0.0])]
                {
                    assert!(length(minus(found, wanted)) < 1e-5, "{} at {time}: {found:?}", leg.name);
                }
            }
        }
    }

    #[test]
    fn one_foot_is_in_the_air_at_a_time() {
        for time in 0..CYCLE {
            let lifted = LEGS.iter().filter(|leg| ankle(leg, phase(time))[2] > ANKLE).count();
            assert!(lifted <= 1, "{lifted} at {time}");
        }
    }

    #[test]
    fn a_foot_on_the_ground_goes_back_as_fast_as_the_machine_goes_on() {
        for leg in &LEGS {
            for time in 0..CYCLE {
                let (here, next) = (phase(time), phase(time + 1));
                if since(leg, here) >= SWING && since(leg, next) > since(leg, here) {
                    let step = ankle(leg, here)[0] - ankle(leg, next)[0];
                    assert!((step * 32.0 - STRIDE).abs() < 1e-4, "{step} at {time}");
                }
            }
        }
    }
}
