//! How the lantern moves: tracks on one timeline, and the windows that are its sequences.

use galvani_mdx::glam::Quat;
use galvani_mdx::track::{Form, Track, TrackValue};
use galvani_mdx::{Family, quaternion};

use super::LanternKind;

/// Name, first and last millisecond, whether it loops, speed over ground, how often it is chosen of 10 times.
pub(super) const SEQUENCES: &[(&str, u16, u16, bool, f32, f32)] = &[
    ("Stand", STAND, STAND + 2000, true, 0.0, 8.0),
    ("Stand - 2", LOOK, LOOK + 2400, true, 0.0, 2.0),
    ("Walk", WALK, WALK + 800, true, 120.0, 10.0),
    ("Death", DEATH, DEATH + 1600, false, 0.0, 10.0),
];

const STAND: u16 = 0;
const LOOK: u16 = 2100;
const WALK: u16 = 4600;
const DEATH: u16 = 5500;

/// When a foot comes down.
pub(super) const STEPS: [u16; 2] = [WALK + 200, WALK + 600];

/// The global sequence by which the glow drifts and flickers.
pub(super) const DRIFT: i32 = 0;

/// Its length in milliseconds.
pub(super) const DRIFT_LEN: u16 = 3000;

/// Step, straight, or eased at every key.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Ease {
    Step,
    Linear,
    Hermite,
}

/// The root falls over when the light goes out.
pub(super) fn root(kind: LanternKind) -> Vec<Track> {
    let still = [(STAND, 0.0), (LOOK, 0.0), (WALK, 0.0)];
    let falls = [(DEATH, 0.0), (DEATH + 300, -0.03), (DEATH + 900, 0.42), (DEATH + 1100, 0.38)];
    let turns: Vec<(u16, f32)> = still.into_iter().chain(falls).chain([(DEATH + 1600, 0.4)]).collect();
    vec![turn(kind, *b"KGRT", [0.0, 1.0, 0.0], &turns)]
}

/// The body breathes, looks around, and bobs with every step.
pub(super) fn body(kind: LanternKind) -> Vec<Track> {
    let lifts = [
        (STAND, 0.0),
        (STAND + 1000, 1.5),
        (STAND + 2000, 0.0),
        (LOOK, 0.0),
        (LOOK + 1200, 2.0),
        (LOOK + 2400, 0.0),
        (WALK, 3.0),
        (WALK + 200, 0.0),
        (WALK + 400, 3.0),
        (WALK + 600, 0.0),
        (WALK + 800, 3.0),
        (DEATH, 0.0),
        (DEATH + 300, 4.0),
        (DEATH + 900, 0.0),
    ];
    let lifts: Vec<(u16, [f32; 3])> = lifts.iter().map(|&(at, lift)| (at, [0.0, 0.0, lift])).collect();
    let turns = [
        (STAND, 0.0),
        (LOOK, 0.0),
        (LOOK + 500, 0.18),
        (LOOK + 1000, 0.18),
        (LOOK + 1500, -0.18),
        (LOOK + 2000, -0.18),
        (LOOK + 2400, 0.0),
        (WALK, 0.0),
        (DEATH, 0.0),
    ];
    let sizes = [(DEATH, [1.0; 3]), (DEATH + 900, [1.0; 3]), (DEATH + 1600, [1.05, 1.05, 0.9])];
    vec![
        vectors(*b"KGTR", Ease::Hermite, kind.scale, &lifts),
        turn(kind, *b"KGRT", [0.0, 0.0, 1.0], &turns),
        vectors(*b"KGSC", Ease::Linear, 1.0, &sizes),
    ]
}

/// The handle swings late.
pub(super) fn handle(kind: LanternKind) -> Vec<Track> {
    let swings = [
        (STAND, 0.02),
        (STAND + 1000, -0.02),
        (STAND + 2000, 0.02),
        (LOOK, 0.02),
        (LOOK + 700, -0.06),
        (LOOK + 1700, 0.06),
        (LOOK + 2400, 0.02),
        (WALK, 0.08),
        (WALK + 400, -0.08),
        (WALK + 800, 0.08),
        (DEATH, 0.02),
        (DEATH + 700, -0.25),
        (DEATH + 1600, 0.35),
    ];
    vec![turn(kind, *b"KGRT", [0.0, 1.0, 0.0], &swings)]
}

/// One foot: forward in the air, backward on the ground; the other half a step later.
pub(super) fn foot(kind: LanternKind, is_late: bool) -> Vec<Track> {
    const STEP: [[f32; 3]; 4] = [[10.0, 0.0, 0.0], [0.0, 0.0, 0.0], [-10.0, 0.0, 0.0], [0.0, 0.0, 6.0]];
    let late = if is_late { 2 } else { 0 };
    let mut keys = vec![(STAND, [0.0; 3]), (LOOK, [0.0; 3])];
    for quarter in 0..=4_u16 {
        let place = STEP.iter().cycle().nth(usize::from(quarter).saturating_add(late));
        keys.push((WALK + 200 * quarter, place.copied().unwrap_or_default()));
    }
    keys.push((DEATH, [0.0; 3]));
    vec![vectors(*b"KGTR", Ease::Linear, kind.scale, &keys)]
}

/// How bright the glass is: it flickers, and goes out.
pub(super) fn glow() -> Vec<Track> {
    let alphas = [
        (STAND, 0.8),
        (STAND + 900, 1.0),
        (STAND + 1300, 0.7),
        (STAND + 2000, 0.8),
        (LOOK, 0.8),
        (LOOK + 1200, 1.0),
        (LOOK + 2400, 0.8),
        (WALK, 0.9),
        (WALK + 400, 0.7),
        (WALK + 800, 0.9),
        (DEATH, 0.8),
        (DEATH + 900, 1.0),
        (DEATH + 1100, 0.0),
    ];
    // Blue first, as keyed colours are in both families.
    let colours = [
        (STAND, [0.45, 0.8, 1.0]),
        (LOOK, [0.45, 0.8, 1.0]),
        (WALK, [0.45, 0.8, 1.0]),
        (DEATH, [0.45, 0.8, 1.0]),
        (DEATH + 1000, [0.2, 0.4, 1.0]),
    ];
    vec![numbers(*b"KGAO", Ease::Linear, -1, &alphas), vectors(*b"KGAC", Ease::Linear, 1.0, &colours)]
}

/// The picture on the glass drifts upward without end.
pub(super) fn drift() -> Vec<Track> {
    let keys = [(0, [0.0; 3]), (DRIFT_LEN, [0.0, 1.0, 0.0])];
    vec![Track { global: DRIFT, ..vectors(*b"KTAT", Ease::Linear, 1.0, &keys) }]
}

/// The layer of the glow pulses by the same clock.
pub(super) fn pulse() -> Vec<Track> {
    let keys = [(0, 0.9), (DRIFT_LEN / 3, 0.75), (DRIFT_LEN / 2, 1.0), (DRIFT_LEN, 0.9)];
    vec![numbers(*b"KMTA", Ease::Linear, DRIFT, &keys)]
}

/// On until the light goes out.
pub(super) fn lit(tag: [u8; 4]) -> Vec<Track> {
    let keys = [(STAND, 1.0), (LOOK, 1.0), (WALK, 1.0), (DEATH, 1.0), (DEATH + 1100, 0.0)];
    vec![numbers(tag, Ease::Step, -1, &keys)]
}

/// On while it walks.
pub(super) fn walking(tag: [u8; 4]) -> Vec<Track> {
    let keys = [(STAND, 0.0), (LOOK, 0.0), (WALK, 1.0), (DEATH, 0.0)];
    vec![numbers(tag, Ease::Step, -1, &keys)]
}

/// The light flickers.
pub(super) fn flicker() -> Track {
    let keys = [(0, 4.0), (DRIFT_LEN / 4, 5.0), (DRIFT_LEN / 2, 3.5), (DRIFT_LEN, 4.0)];
    numbers(*b"KLAI", Ease::Linear, DRIFT, &keys)
}

/// The camera breathes with the body.
pub(super) fn camera(kind: LanternKind) -> Vec<Track> {
    let keys = [(STAND, [0.0; 3]), (STAND + 1000, [0.0, 0.0, 1.0]), (STAND + 2000, [0.0; 3])];
    vec![vectors(*b"KTTR", Ease::Linear, kind.scale, &keys)]
}

/// The moments of an event.
pub(super) fn moments() -> Track {
    let times = STEPS.iter().map(|&time| time.into()).collect();
    Track { form: Form::Simple, ..track(*b"KEVT", Ease::Step, TrackValue::Moment, times, Vec::new()) }
}

fn numbers(tag: [u8; 4], ease: Ease, global: i32, keys: &[(u16, f32)]) -> Track {
    let (times, values) = keys.iter().map(|&(time, value)| (i32::from(time), value.to_bits())).unzip();
    Track { global, ..track(tag, ease, TrackValue::Float, times, values) }
}

fn vectors(tag: [u8; 4], ease: Ease, scale: f32, keys: &[(u16, [f32; 3])]) -> Track {
    let times = keys.iter().map(|&(time, _)| time.into()).collect();
    let values = keys.iter().flat_map(|(_, value)| value.map(|part| (part * scale).to_bits())).collect();
    track(tag, ease, TrackValue::Vector, times, values)
}

/// Turns about an axis, each given as the tangent of a quarter of its angle: no sine is needed for that.
fn turn(kind: LanternKind, tag: [u8; 4], axis: [f32; 3], keys: &[(u16, f32)]) -> Track {
    let times = keys.iter().map(|&(time, _)| time.into()).collect();
    let (mut values, mut packed) = (Vec::new(), Vec::new());
    for &(_, t) in keys {
        let (sine, cosine) = (2.0 * t / (1.0 + t * t), (1.0 - t * t) / (1.0 + t * t));
        let [x, y, z] = axis.map(|part| part * sine);
        values.extend([x, y, z, cosine].map(f32::to_bits));
        packed.extend(quaternion::words(quaternion::encode(Quat::from_xyzw(x, y, z, cosine))));
    }
    match kind.family {
        Family::Warcraft => track(tag, Ease::Linear, TrackValue::Quaternion, times, values),
        Family::Wow => track(tag, Ease::Linear, TrackValue::Packed, times, packed),
    }
}

fn track(tag: [u8; 4], ease: Ease, value: TrackValue, times: Vec<i32>, values: Vec<u32>) -> Track {
    // Tangents of zero: the curve rests at every key.
    let rests = if ease == Ease::Hermite { vec![0; values.len()] } else { Vec::new() };
    Track {
        tag,
        form: Form::Generic,
        interpolation: match ease {
            Ease::Step => 0,
            Ease::Linear => 1,
            Ease::Hermite => 2,
        },
        global: -1,
        value,
        times,
        values,
        in_tangents: rests.clone(),
        out_tangents: rests,
    }
}
