//! How the frog moves, in degrees: fifteen frames a second, Y pointing down, every bone along its own −Z.
//!
//! A limb is given by how steep each of its bones points in the world (0 forward, 90 down, 180 back); the
//! angles of the file are the differences along the limb.

use std::f64::consts::{PI, TAU};

use super::ROTATIONS;

/// Lengths of thigh, shin and foot.
const LEG: [f64; 3] = [22.0, 22.0, 20.0];

/// How far the legs point outwards.
const SPREAD: f64 = 35.0;

/// How thick a foot is.
const SOLE: f64 = 2.0;

/// The frog at one moment.
pub(super) struct Moment {
    /// Where its root is.
    pub(super) position: [f64; 3],
    /// The root's rotation and those of the bones.
    pub(super) angles: [[f64; 3]; ROTATIONS],
    /// How far the spear leans forward.
    pub(super) lean: f64,
}

/// How steep everything points, and how high above the ground it is.
#[derive(Clone, Copy)]
struct Stance {
    torso: f64,
    head: f64,
    /// The head turned to the side.
    look: f64,
    jaw: f64,
    /// Upper arm and forearm.
    arm: [f64; 2],
    /// Thigh, shin and foot, left and right.
    legs: [[f64; 3]; 2],
    /// Above the height at which it stands.
    lift: f64,
}

/// Crouched, as frogs sit.
const SITTING: Stance = Stance {
    torso: -28.0,
    head: -8.0,
    look: 0.0,
    jaw: 8.0,
    arm: [62.0, 104.0],
    legs: [[-24.0, 152.0, 4.0]; 2],
    lift: 0.0,
};

/// Breathes and croaks, two seconds; the last frame leads into the first.
pub(super) fn breathe() -> Vec<Moment> {
    let frame = |frame: u32| {
        let turn = TAU * f64::from(frame) / 30.0;
        let croak = (turn * 2.0).sin().max(0.0).powi(2);
        Stance {
            torso: SITTING.torso + 2.0 * turn.sin(),
            head: SITTING.head + 1.5 * (turn + 0.6).sin(),
            look: 6.0 * turn.sin(),
            jaw: SITTING.jaw + 14.0 * croak,
            ..SITTING
        }
        .pose(2.0 * turn.sin())
    };
    (0..30).map(frame).collect()
}

/// Crouches, leaps with legs stretched, lands and sits again.
pub(super) fn hop() -> Vec<Moment> {
    let legs = |leg: [f64; 3]| [leg; 2];
    let moments = [
        (0, SITTING),
        (5, Stance { torso: -14.0, arm: [50.0, 110.0], legs: legs([-34.0, 162.0, 2.0]), ..SITTING }),
        (8, Stance { torso: -44.0, arm: [24.0, 12.0], legs: legs([128.0, 124.0, 118.0]), ..SITTING }),
        (
            12,
            Stance {
                torso: -30.0,
                arm: [10.0, 4.0],
                legs: legs([118.0, 140.0, 104.0]),
                lift: 30.0,
                ..SITTING
            },
        ),
        (
            16,
            Stance { torso: -8.0, arm: [56.0, 66.0], legs: legs([24.0, 132.0, 22.0]), lift: 14.0, ..SITTING },
        ),
        (18, Stance { torso: -12.0, arm: [54.0, 112.0], legs: legs([-34.0, 162.0, 2.0]), ..SITTING }),
        (23, SITTING),
    ];
    let frame = |frame: u32| {
        let pair = moments.windows(2).find_map(|pair| match pair {
            [(start, a), (end, b)] if (*start..=*end).contains(&frame) => {
                Some(a.towards(b, smooth(f64::from(frame - start) / f64::from(end - start))))
            }
            _ => None,
        });
        let stance = pair.unwrap_or(SITTING);
        stance.pose((SITTING.torso - stance.torso) * 0.6)
    };
    (0..24).map(frame).collect()
}

/// Kicks, as a leg does that a spark runs through: less and less.
pub(super) fn twitch() -> Vec<Moment> {
    let kick = |frame: f64| (-frame / 5.0).exp() * (PI * frame / 3.0).sin().powi(2);
    let frame = |frame: u32| {
        let at = f64::from(frame);
        let [left, right] = [kick(at), 0.6 * kick((at - 1.0).max(0.0))];
        let leg = |kick: f64| {
            let [thigh, shin, foot] = SITTING.legs[0];
            [thigh + 80.0 * kick, shin - 50.0 * kick, foot + 60.0 * kick]
        };
        Stance { jaw: SITTING.jaw + 26.0 * left, legs: [leg(left), leg(right)], ..SITTING }.pose(8.0 * left)
    };
    (0..18).map(frame).collect()
}

impl Stance {
    /// Part of the way to another.
    fn towards(&self, other: &Stance, part: f64) -> Stance {
        let mix = |a: f64, b: f64| a + (b - a) * part;
        let leg = |side: usize| [0, 1, 2].map(|bone| mix(self.legs[side][bone], other.legs[side][bone]));
        Stance {
            torso: mix(self.torso, other.torso),
            head: mix(self.head, other.head),
            look: mix(self.look, other.look),
            jaw: mix(self.jaw, other.jaw),
            arm: [mix(self.arm[0], other.arm[0]), mix(self.arm[1], other.arm[1])],
            legs: [leg(0), leg(1)],
            lift: mix(self.lift, other.lift),
        }
    }

    /// The bones' own angles, and the spear leaning by some degrees.
    fn pose(&self, lean: f64) -> Moment {
        let Stance { torso, head, look, jaw, arm: [upper, fore], legs, lift } = *self;
        let steep = |angle: f64| [angle, 0.0, 0.0];
        let mut angles = vec![steep(0.0), steep(torso), [head - torso, look, 0.0], steep(jaw - torso)];
        for side in [1.0, -1.0] {
            // A shoulder points sideways; the arm turns forward again.
            angles.extend([[0.0, -90.0 * side, 0.0], [upper - torso, 90.0 * side, 0.0], steep(fore - upper)]);
        }
        for (side, [thigh, shin, foot]) in [1.0, -1.0].into_iter().zip(legs) {
            let outwards = (90.0 - SPREAD) * side;
            angles.extend([[0.0, -90.0 * side, 0.0], [thigh, outwards, 0.0]]);
            angles.extend([steep(shin - thigh), steep(foot - shin)]);
        }
        // It stands on whichever foot reaches further down.
        let down = |leg: [f64; 3]| {
            LEG.iter().zip(leg).map(|(length, steep)| length * steep.to_radians().sin()).sum()
        };
        let stands = legs.map(down).into_iter().fold(0.0, f64::max) + SOLE;
        let position = [0.0, -stands - lift, 0.0];
        let mut rows = [[0.0; 3]; ROTATIONS];
        for (row, angle) in rows.iter_mut().zip(angles) {
            *row = angle;
        }
        Moment { position, angles: rows, lean }
    }
}

/// From 0 to 1 without a jerk at either end.
fn smooth(part: f64) -> f64 {
    part * part * (3.0 - 2.0 * part)
}
