//! A paper boat of our own, for a pond on some field: hull, mast and lantern, rocking on the water.

use galvani_ff7::field::a::{Document, Frames, write};

/// Frames of one rocking: less than a second.
const FRAMES: u8 = 24;

/// How far the boat leans to either side, in degrees.
const LEAN: f32 = 12.0;

/// How high the water lifts it.
const LIFT: f32 = 2.5;

/// The skeleton's text.
pub(super) fn skeleton() -> Vec<u8> {
    let lines = [
        ":HEADER_BLOCK 2",
        "# A paper boat. The lantern hangs on the hull, not on the mast.",
        ":SKELETON boat",
        ":BONES 3",
        "",
        "hull",
        "root",
        "6.5",
        "1 BOAT",
        "",
        "mast",
        "hull",
        "14.25",
        "0",
        "",
        "lantern",
        "hull",
        "3.0",
        "1 BOAT",
    ];
    text(&lines)
}

/// The resource's text.
pub(super) fn resource() -> Vec<u8> {
    let lines = [
        "@RSD940102",
        "# Folded from one sheet.",
        "PLY=BOAT.PLY",
        "MAT=BOAT.MAT",
        "GRP=BOAT.GRP",
        "NTEX=2",
        "TEX[0]=PAPER.TIM",
        "TEX[1]=GLOW.TIM",
    ];
    text(&lines)
}

/// The animation's bytes: hull, mast and lantern each lag a little behind the one before.
pub(super) fn animation() -> Vec<u8> {
    let mut frames = Frames::new(3);
    for frame in 0..FRAMES {
        let swing = |lag: f32| {
            let turn = (f32::from(frame) - lag) / f32::from(FRAMES) * std::f32::consts::TAU;
            // A sine of few digits is the same on every machine.
            (turn.sin() * 64.0).round() / 64.0
        };
        let hull = [3.0 * swing(6.0), 0.0, LEAN * swing(0.0)];
        let mast = [-90.0 + 2.0 * swing(2.0), 0.0, 0.0];
        let lantern = [0.0, 0.0, -1.5 * LEAN * swing(4.0)];
        let position = [0.0, -20.0 - LIFT * swing(3.0), 0.0];
        frames.push([0.0, 90.0, 0.0], position, &[hull, mast, lantern]);
    }
    write(&Document::new(frames)).unwrap_or_default()
}

/// Lines as the game's own texts end them.
fn text(lines: &[&str]) -> Vec<u8> {
    lines.iter().flat_map(|line| [line.as_bytes(), b"\r\n"]).flatten().copied().collect()
}
