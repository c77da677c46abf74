//! Files that are small and were made to be costly, by plain byte pushing.

use std::path::Path;

use anyhow::{Context, Result};
use galvani::samples;

/// Rows of an archive that lead to one payload.
const ROWS: u32 = 1600;

/// Rotations of a frame: of 255 bones.
const ROTATIONS: u32 = 255;

/// Bits of the first frame and of every other in which nothing moves (docs/formats/ff7-pack.md#stream).
const FIRST: u32 = 3 * 16 + 3 * 12 * ROTATIONS;
const OTHER: u32 = 3 * 8 + 3 * ROTATIONS;

/// Most frames of a stream: the number of its bytes has 16 bits.
const MOST: u16 = 653;

/// Puts every file that is measured into a folder.
pub(super) fn all(folder: &Path) -> Result<()> {
    let put = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).context(name.to_owned());
    let (one, small) = (pack(&[MOST])?, pack(&[20])?);
    put("aada", &one)?;
    put("bbda", &pack(&[MOST, MOST, MOST, MOST, MOST, 170])?)?;
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

/// A pack of animations in which nothing moves, so that frames are as short as can be; an entry per number of frames
/// (docs/formats/ff7-pack.md#header).
fn pack(clips: &[u16]) -> Result<Vec<u8>> {
    let mut file = u32::try_from(clips.len())?.to_le_bytes().to_vec();
    for &frames in clips {
        let size = (FIRST + OTHER * u32::from(frames - 1)).div_ceil(8);
        for word in [ROTATIONS, frames.into(), 5 + size] {
            file.extend(word.to_le_bytes());
        }
        file.extend(frames.to_le_bytes());
        file.extend(u16::try_from(size)?.to_le_bytes());
        file.push(0);
        file.resize(file.len() + usize::try_from(size)?, 0);
    }
    Ok(file)
}

/// The name of a row, ending as those of animation packs do; they stand in order.
fn name(row: u32) -> [u8; 5] {
    let letter = |n: u32| b'a' + u8::try_from(n % 26).unwrap_or(0);
    [letter(row / 26 / 26), letter(row / 26), letter(row), b'd', b'a']
}

/// An NRes archive of rows that all lead to one payload (docs/formats/nres.md#directory).
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
        file.extend([0; 31]);
        for word in [16, row] {
            file.extend(word.to_le_bytes());
        }
    }
    Ok(file)
}

/// An LGP archive of the same (docs/formats/lgp.md#toc). The rows of a slot stand together.
fn lgp(rows: u32, payload: &[u8]) -> Result<Vec<u8>> {
    let mut file = b"\0\0SQUARESOFT".to_vec();
    file.extend(rows.to_le_bytes());
    let record = 16 + 27 * rows + 4 * 900 + 2;
    let mut slots = vec![[0_u16; 2]; 900];
    for row in 0..rows {
        file.extend(name(row));
        file.extend([0; 15]);
        file.extend(record.to_le_bytes());
        file.extend([14, 0, 0]);
        let slot = usize::try_from(row / 26 / 26 * 30 + row / 26 % 26 + 1)?;
        if let Some([first, count]) = slots.get_mut(slot) {
            *first = if *count == 0 { u16::try_from(row + 1)? } else { *first };
            *count += 1;
        }
    }
    file.extend(slots.as_flattened().iter().flat_map(|word| word.to_le_bytes()));
    file.extend([0, 0]);
    file.extend(name(0));
    file.extend([0; 15]);
    file.extend(u32::try_from(payload.len())?.to_le_bytes());
    file.extend(payload);
    file.extend(b"FINAL FANTASY7");
    Ok(file)
}

#[cfg(test)]
mod tests {
    use galvani::formats::{OpenOptions, recognise};
    use galvani::{Diagnostic, Severity};

    use super::*;

    #[test]
    fn crafted_files_are_sound_and_of_their_format() {
        let one = pack(&[MOST]).unwrap();
        for (id, file) in [
            ("ff7-pack", one.clone()),
            ("ff7-pack", pack(&[MOST, 20]).unwrap()),
            ("nres", nres(ROWS, &one).unwrap()),
            ("lgp", lgp(ROWS, &one).unwrap()),
        ] {
            let format = recognise(&file, None).unwrap();
            let opened = format.open(&file, &OpenOptions::default()).unwrap();
            let is_meant = |code: &str| code == "nres.payload-overlap";
            let is_sound = |one: &Diagnostic| one.severity < Severity::Error || is_meant(one.code.name);
            assert!(format.info().id == id && opened.check().findings().iter().all(is_sound), "{id}");
            if id != "ff7-pack" {
                let archive = opened.as_archive().unwrap();
                let count = archive.members().len();
                assert!((0..count).all(|i| archive.member(i) == Some(&one)));
                assert_eq!(u32::try_from(count), Ok(ROWS));
            }
        }
    }
}
