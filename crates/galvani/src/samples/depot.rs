//! An NRes archive as the game would hold one: a note, a material table, a picture and an archive inside.

use galvani_parkan::nres::{Document, Name, NewEntry, write};

/// The archive's bytes.
pub(super) fn archive() -> Vec<u8> {
    let mut depot = Document::default();
    add(
        &mut depot,
        "readme.txt",
        *b"TEXT",
        (0, 0, 1),
        b"Everything here was drawn by galvani's own code.\n".to_vec(),
    );
    add(&mut depot, "crane.wea", *b"WEAR", (0, 0, 1), b"2\n0 RUST\n1 GLASS\n".to_vec());
    add(&mut depot, "RUST.0", *b"Texm", (0, 0, 1), picture(32));
    let mut parts = Document::default();
    for (name, colour) in [("boom", 0x20_u8), ("cabin", 0x60), ("hook", 0xa0)] {
        add(&mut parts, name, *b"SWCH", (4, 0, 4), [colour, 0x40, 0xff - colour, 0xff].repeat(4));
    }
    add(&mut depot, "swatches.rlb", *b"NRES", (3, 0, 1), write(&parts).unwrap_or_default());
    write(&depot).unwrap_or_default()
}

fn add(
    archive: &mut Document,
    name: &str,
    tag: [u8; 4],
    (attr1, attr2, attr3): (u32, u32, u32),
    bytes: Vec<u8>,
) {
    if let Ok(name) = Name::new(name.as_bytes()) {
        let _ = archive.push(NewEntry { type_id: u32::from_le_bytes(tag), attr1, attr2, attr3, name }, bytes);
    }
}

/// A texture of the game: a header of 32 bytes and one level of B, G, R, A. Rust, with rivets.
fn picture(side: u32) -> Vec<u8> {
    let header = [u32::from_le_bytes(*b"Texm"), side, side, 1, 0, 0, 0, 8888];
    let pixel = |x: u32, y: u32| {
        let rivet = (x % 8).abs_diff(4).pow(2) + (y % 8).abs_diff(4).pow(2) <= 2;
        let grain = u8::try_from((x * 7 + y * 13 + x * y) % 32).unwrap_or(0);
        if rivet { [0x90, 0xa0, 0xa8, 0xff] } else { [0x20 + grain, 0x40 + grain, 0x90 + grain, 0xff] }
    };
    let pixels = (0..side).flat_map(|y| (0..side).flat_map(move |x| pixel(x, y)));
    header.into_iter().flat_map(u32::to_le_bytes).chain(pixels).collect()
}
