//! A paper boat of our own, for a pond on some field: hull, mast and lantern, rocking on the water.

mod parts;
mod sheets;

use galvani_ff7::field::a::{Document, Frames, write};

/// Every file of the boat: its name, what it shows, and its bytes.
pub(super) fn files() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    vec![
        ("boat.hrc", "an FF7 field skeleton: a paper boat with a mast and a lantern", skeleton()),
        ("boat.rsd", "an FF7 field resource: its paper", resource("BOAT", &["PAPER", "GLOW"])),
        ("mast.rsd", "the resource of its mast and sail", resource("MAST", &["PAPER"])),
        ("lamp.rsd", "the resource of its lantern", resource("LAMP", &["GLOW"])),
        ("boat.p", "an FF7 polygon file: the hull, folded from one sheet", parts::hull()),
        ("mast.p", "its mast and sail", parts::mast()),
        ("lamp.p", "its lantern, with a glow that is added to what is behind it", parts::lamp()),
        ("paper.tex", "an FF7 texture: ruled paper", sheets::paper()),
        ("glow.tex", "an FF7 texture: light on black", sheets::glow()),
        ("boat.a", "an FF7 field animation: it rocks", animation()),
    ]
}

/// Frames of one rocking: less than a second.
const FRAMES: u8 = 24;

/// How far the boat leans to either side, in degrees.
const LEAN: f32 = 12.0;

/// How high the water lifts it.
const LIFT: f32 = 2.5;

/// The skeleton's text.
fn skeleton() -> Vec<u8> {
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
        "1 MAST",
        "",
        "lantern",
        "hull",
        "3.0",
        "1 LAMP",
    ];
    text(&lines)
}

/// A resource's text.
fn resource(mesh: &str, textures: &[&str]) -> Vec<u8> {
    let mut lines = vec!["@RSD940102".to_owned(), "# Folded from one sheet.".to_owned()];
    lines.extend(["PLY", "MAT", "GRP"].map(|part| format!("{part}={mesh}.{part}")));
    lines.push(format!("NTEX={}", textures.len()));
    lines.extend(textures.iter().enumerate().map(|(i, name)| format!("TEX[{i}]={name}.TIM")));
    text(&lines)
}

/// The animation's bytes: hull, mast and lantern each lag a little behind the one before.
fn animation() -> Vec<u8> {
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
fn text(lines: &[impl AsRef<str>]) -> Vec<u8> {
    lines.iter().flat_map(|line| [line.as_ref().as_bytes(), b"\r\n"]).flatten().copied().collect()
}
