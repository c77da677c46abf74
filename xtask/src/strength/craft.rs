//! Files that are small and were made to be costly, by plain byte pushing.

use std::path::Path;

use anyhow::{Context, Result};
use galvani::samples;

/// Rows of an archive that lead to one payload.
const ROWS: u32 = 1600;

/// Rotations of a frame: as many bones as a model may well have, and the root.
const ROTATIONS: u32 = 256;

/// Bytes of a stream: its length is a word of 16 bits.
const STREAM: u16 = u16::MAX;

/// Puts every file that is measured into a folder.
pub(super) fn all(folder: &Path) -> Result<()> {
    let put = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).context(name.to_owned());
    let (one, small) = (pack(&[STREAM]), pack(&[2000]));
    put("aada", &one)?;
    put("bbda", &pack(&[STREAM, STREAM, STREAM, STREAM, STREAM, 25_000]))?;
    put("ccda", &small)?;
    for (name, rows, payload) in [("shared", ROWS, &one), ("alone", 1, &one), ("other", ROWS, &small)] {
        put(&format!("{name}.rlb"), &nres(rows, payload)?)?;
        put(&format!("{name}.lgp"), &lgp(rows, payload)?)?;
    }
    let shipped = samples::all();
    let sample = |name: &str| {
        let found = shipped.iter().find(|sample| sample.name == name);
        found.map(|sample| &sample.bytes[..]).with_context(|| format!("no sample {name}"))
    };
    for name in ["walker.msh", "boat.a"] {
        put(name, sample(name)?)?;
    }
    std::fs::create_dir(folder.join("models"))?;
    for i in 0..100 {
        put(&format!("models/{i:03}.mdx"), sample("lantern.mdx")?)?;
    }
    Ok(())
}

/// A pack of animations in which nothing moves, so that every frame is as short as can be: an entry per stream
/// (docs/formats/ff7-pack.md#header).
fn pack(streams: &[u16]) -> Vec<u8> {
    let mut file = Vec::new();
    file.extend(u32::try_from(streams.len()).unwrap_or(u32::MAX).to_le_bytes());
    for &size in streams {
        // Three axes of a byte each, and a bit for every axis of a rotation, after a first frame of 12 bits each.
        let first = 48 + 36 * ROTATIONS;
        let frames = 1 + (u32::from(size) * 8).saturating_sub(first) / (24 + 3 * ROTATIONS);
        for word in [ROTATIONS, frames, u32::from(size) + 5] {
            file.extend(word.to_le_bytes());
        }
        file.extend(u16::try_from(frames).unwrap_or(u16::MAX).to_le_bytes());
        file.extend(size.to_le_bytes());
        file.push(0);
        file.resize(file.len() + usize::from(size), 0);
    }
    file
}

/// The name of a row, as animation packs are called.
fn name(row: u32) -> [u8; 4] {
    let letter = |n: u32| b'a' + u8::try_from(n % 26).unwrap_or(0);
    [letter(row / 26), letter(row), b'd', b'a']
}

/// An NRes archive of rows that all lead to one payload (docs/formats/nres.md).
fn nres(rows: u32, payload: &[u8]) -> Result<Vec<u8>> {
    let mut file = b"NRes\x00\x01\x00\x00".to_vec();
    let len = u32::try_from(payload.len())?;
    let padded = len.next_multiple_of(8);
    for word in [rows, 16 + padded + 64 * rows] {
        file.extend(word.to_le_bytes());
    }
    file.extend(payload);
    file.resize(usize::try_from(16 + padded)?, 0);
    for row in 0..rows {
        for word in [u32::from_le_bytes(*b"DATA"), 0, 0, len, 1] {
            file.extend(word.to_le_bytes());
        }
        file.extend(name(row));
        file.extend([0; 32]);
        for word in [16, row] {
            file.extend(word.to_le_bytes());
        }
    }
    Ok(file)
}

/// An LGP archive of the same (docs/formats/lgp.md). The rows of a slot stand together.
fn lgp(rows: u32, payload: &[u8]) -> Result<Vec<u8>> {
    let mut file = b"\0\0SQUARESOFT".to_vec();
    file.extend(rows.to_le_bytes());
    let record = 16 + 27 * rows + 4 * 900 + 2;
    let mut slots = vec![[0_u16; 2]; 900];
    for row in 0..rows {
        file.extend(name(row));
        file.extend([0; 16]);
        file.extend(record.to_le_bytes());
        file.extend([14, 0, 0]);
        let slot = usize::try_from(row / 26 % 26 * 30 + row % 26 + 1)?;
        if let Some([first, count]) = slots.get_mut(slot) {
            *first = if *count == 0 { u16::try_from(row + 1)? } else { *first };
            *count += 1;
        }
    }
    file.extend(slots.as_flattened().iter().flat_map(|word| word.to_le_bytes()));
    file.extend([0, 0]);
    file.extend(name(0));
    file.extend([0; 16]);
    file.extend(u32::try_from(payload.len())?.to_le_bytes());
    file.extend(payload);
    file.extend(b"FINAL FANTASY7");
    Ok(file)
}
