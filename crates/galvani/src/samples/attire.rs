//! What the walker wears: a table of materials, the materials, and textures painted here, as the game holds them; and
//! an archive of signs, packed in every way.

use galvani_core::Image;
use galvani_parkan::mat0::edit::word;
use galvani_parkan::mat0::wire::Counts;
use galvani_parkan::mat0::{self, Fade, Head, Mode, Phase, PhaseKey, Track};
use galvani_parkan::nres::{self, NewEntry};
use galvani_parkan::rsli::{self, Method};
use galvani_parkan::texm::edit::{Levels, set_page};
use galvani_parkan::texm::{self, Document, Format, Match, Rect};
use zerocopy::FromZeros;

/// The materials of the walker in the order of its batches: name, texture, red, green and blue under light.
const ROWS: [(&str, &str, [u8; 3]); 5] = [
    ("ARMOUR", "PLATES.0", [255, 255, 255]),
    ("STEEL", "STEEL.0", [230, 235, 240]),
    ("GLASS", "GLASS.0", [160, 210, 255]),
    ("STRIPES", "STRIPES.0", [255, 255, 255]),
    ("BURNT", "PLATES.0", [60, 50, 45]),
];

/// Flags of the record of an ordinary skin, whose alpha is gloss; of glass, which is seen through.
const SKIN: u32 = 2;
const SEEN_THROUGH: u32 = 4;

/// Pixels of a side.
const SIDE: u32 = 32;

/// The table of materials beside the model.
pub(super) fn table() -> Vec<u8> {
    let rows = ROWS.iter().enumerate().map(|(i, (name, ..))| format!("{i} {name}\n"));
    [format!("{}\n", ROWS.len())].into_iter().chain(rows).collect::<Vec<_>>().concat().into_bytes()
}

/// The archive of materials.
pub(super) fn materials() -> Vec<u8> {
    let plain = |(name, texture, rgb): (&'static str, &str, [u8; 3])| match name {
        "GLASS" => (name, SEEN_THROUGH, glass()),
        _ => (name, SKIN, material(vec![phase(texture, rgb)], vec![still()])),
    };
    let default = ("DEFAULT", 0, material(vec![phase("", [200; 3])], vec![still()]));
    let all = [default].into_iter().chain(ROWS.into_iter().map(plain));
    archive(all.map(|(name, flags, bytes)| (name, mat0::TYPE, [flags, mat0::VERSION, 0], bytes)))
}

/// The archive of textures.
pub(super) fn textures() -> Vec<u8> {
    let all = [("PLATES.0", plates()), ("STEEL.0", steel()), ("GLASS.0", pane()), ("STRIPES.0", stripes())];
    archive(all.into_iter().map(|(name, bytes)| (name, texm::MAGIC, [0, 0, 1], bytes)))
}

fn archive(entries: impl Iterator<Item = (&'static str, [u8; 4], [u32; 3], Vec<u8>)>) -> Vec<u8> {
    let mut archive = nres::Document::default();
    for (name, tag, [attr1, attr2, attr3], bytes) in entries {
        if let Ok(name) = nres::Name::new(name.as_bytes()) {
            let type_id = u32::from_le_bytes(tag);
            let _ = archive.push(NewEntry { type_id, attr1, attr2, attr3, name }, bytes);
        }
    }
    nres::write(&archive).unwrap_or_default()
}

/// A material that glows and fades, and may be put out: two phases take turns, a third is dark.
pub(super) fn glass() -> Vec<u8> {
    let mut phases = vec![phase("GLASS.0", [160, 210, 255]); 3];
    for (phase, glow) in phases.iter_mut().zip([20, 90, 0]) {
        (phase.ambient, phase.ambient_alpha) = ([glow, glow, glow / 2], 60);
        (phase.specular, phase.power) = ([255; 3], 4);
    }
    let fade = Fade { ambient: true, ..Fade::default() };
    let key =
        |phase: u16, time: u16| PhaseKey { phase: phase.into(), time: time.into(), unknown_04: 0.into() };
    let breath =
        Track { word: word(Mode::PingPong, fade), keys: vec![key(0, 400), key(1, 800), key(0, 1000)] };
    let flicker = Track { word: word(Mode::Loop, Fade::default()), keys: vec![key(1, 70), key(0, 90)] };
    material(phases, vec![breath, flicker])
}

/// The only phase, without end.
fn still() -> Track {
    Track { word: 0, keys: vec![PhaseKey { phase: 0.into(), time: 1000.into(), unknown_04: 0.into() }] }
}

fn phase(texture: &str, diffuse: [u8; 3]) -> Phase {
    let mut phase = Phase {
        ambient_alpha: 100,
        diffuse,
        diffuse_alpha: 255,
        specular_alpha: 255,
        emissive_alpha: 255,
        cell: -1,
        ..Phase::new_zeroed()
    };
    for (room, &letter) in phase.texture.0.iter_mut().zip(texture.as_bytes()) {
        *room = letter;
    }
    phase
}

fn material(phases: Vec<Phase>, tracks: Vec<Track>) -> Vec<u8> {
    let count = |len: usize| u16::try_from(len).unwrap_or(0).into();
    let counts = Counts { phase_count: count(phases.len()), track_count: count(tracks.len()) };
    let head = Head { counts, ..Head::default() };
    mat0::write(&mat0::Document { head, phases, tracks, ..mat0::Document::default() }).unwrap_or_default()
}

/// A texture of a picture, with all its levels.
fn painted(format: Format, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Vec<u8> {
    let rgba = (0..SIDE * SIDE).map(|i| pixel(i % SIDE, i / SIDE)).collect();
    let image = Image { width: SIDE, height: SIDE, rgba };
    let made = Document::from_image(&image, format, Levels::Full, Match::Nearest);
    made.ok().and_then(|made| texm::write(&made).ok()).unwrap_or_default()
}

/// Something like chance.
fn grain(x: u32, y: u32) -> u8 {
    u8::try_from((x * 7 + y * 13 + x * y) % 24).unwrap_or(0)
}

/// Riveted plates whose alpha is gloss: the rivets shine.
fn plates() -> Vec<u8> {
    painted(Format::Argb8888, |x, y| {
        let seam = x % 16 == 0 || y % 16 == 0;
        let rivet = (x % 16).abs_diff(4).pow(2) + (y % 16).abs_diff(4).pow(2) <= 2;
        match (rivet, seam) {
            (true, _) => [0xb0, 0xb4, 0xa0, 0xf0],
            (_, true) => [0x38, 0x3c, 0x30, 0x20],
            _ => [0x60 + grain(x, y), 0x6c + grain(x, y), 0x50 + grain(y, x), 0x60],
        }
    })
}

/// Brushed steel.
fn steel() -> Vec<u8> {
    painted(Format::Rgb565, |x, y| {
        let shade = 0x70 + grain(0, y) * 2 + u8::try_from(x).unwrap_or(0);
        [shade, shade, shade + 8, 0xff]
    })
}

/// Glass with a streak of light.
fn pane() -> Vec<u8> {
    painted(Format::Argb4444, |x, y| {
        if (x + y) % SIDE < 6 { [0xff, 0xff, 0xff, 0xcc] } else { [0x33, 0x66, 0x99, 0x77] }
    })
}

/// Stripes of warning by a palette, and the halves of the texture as rectangles.
pub(super) fn stripes() -> Vec<u8> {
    let shade = |i: u8| if i < 8 { [20 + i * 2, 20 + i * 2, 18] } else { [200 + i * 2, 160 + i * 2, 10] };
    let palette: Vec<[u8; 3]> = (0..16).map(shade).collect();
    let index = |i: u32| {
        let (x, y) = (i % SIDE, i / SIDE);
        let is_yellow = (x + y) / 8 % 2 == 1;
        grain(x, y) % 8 + if is_yellow { 8 } else { 0 }
    };
    let indices = (0..SIDE * SIDE).map(index).collect();
    let half = |y: i16| Rect { x: 0.into(), width: 32.into(), y: y.into(), height: 16.into() };
    let made = Document::from_indices([SIDE; 2], &palette, indices, Levels::Full).and_then(|mut made| {
        set_page(&mut made, Some(vec![half(0), half(16)]))?;
        Ok(made)
    });
    made.ok().and_then(|made| texm::write(&made).ok()).unwrap_or_default()
}

/// Texts and a texture, each packed in another way.
pub(super) fn signs() -> Vec<u8> {
    let mut archive = rsli::Document { seed: 0x2c17, ..rsli::Document::default() };
    let note = b"KEEP OFF THE GRASS. KEEP OFF THE WALKER. KEEP OFF.\n";
    for method in Method::ALL {
        let (name, content) = match method {
            Method::Deflate => ("STRIPES.TEX".to_owned(), stripes()),
            _ => (format!("{}.TXT", method.word().replace('-', "").to_uppercase()), note.to_vec()),
        };
        if let Ok(name) = rsli::Name::new(name.as_bytes()) {
            let _ = archive.push(rsli::NewEntry::new(name, method), &content);
        }
    }
    rsli::write(&archive).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_files_are_those_we_make() {
        for (made, committed) in [
            (table(), &include_bytes!("../../../../samples/walker.wea")[..]),
            (materials(), include_bytes!("../../../../samples/material.lib")),
            (textures(), include_bytes!("../../../../samples/textures.lib")),
            (glass(), include_bytes!("../../../../samples/glass.mat0")),
            (stripes(), include_bytes!("../../../../samples/stripes.texm")),
            (signs(), include_bytes!("../../../../samples/signs.rlb")),
        ] {
            assert!(made == committed, "`galvani samples samples` writes it");
        }
    }
}
