//! Files that are small and were made to be costly, by plain byte pushing.

use std::path::Path;

use anyhow::{Context, Result};
use galvani::parkan::msh;
use galvani::{ReadOptions, samples};
use serde_json::{Value, json};

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
    put("bomb.tga", &picture(8000))?;
    put("crowd.msh", &crowd(sample("walker.msh")?)?)?;
    put("zeros.glb", &glb(&zeros())?)?;
    put("long.glb", &glb(&long())?)?;
    for (name, manifest) in [("model", model_manifest()), ("archive", archive_manifest())] {
        std::fs::create_dir(folder.join(name))?;
        put(&format!("{name}/manifest.json"), manifest.as_bytes())?;
        put(&format!("{name}/a.bin"), &vec![0; 1 << 20])?;
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

/// A picture of so many pixels in width and height, in runs of one colour.
fn picture(side: u16) -> Vec<u8> {
    let mut file = vec![0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    file.extend(side.to_le_bytes().repeat(2));
    file.extend([24, 0]);
    file.extend([0xff, 9, 9, 9].repeat(usize::from(side) * usize::from(side) / 128));
    file
}

/// Nodes of a model that show the same batches and triangles, and how many of these there are.
const NODES: usize = 2000;
const SHARED: u16 = 4096;

/// A model of which every node shows everything.
fn crowd(file: &[u8]) -> Result<Vec<u8>> {
    let mut made = msh::read(file, &ReadOptions::default())?.document;
    let model = made.model();
    let slots = model.slots.as_ref().context("no slots")?;
    let bounds = slots.stream.bytes.get(..140).context("no bounds")?.to_vec();
    let mut slot = *slots.rows.first().context("no slot")?;
    let mut node = *model.nodes.as_ref().context("no nodes")?.rows.first().context("no node")?;
    let batch = *model.batches.as_ref().context("no batches")?.rows.first().context("no batch")?;
    let face = *model.faces.as_ref().context("no faces")?.rows.first().context("no face")?;
    slot.tri_start = 0.into();
    slot.batch_start = 0.into();
    slot.tri_count = SHARED.into();
    slot.batch_count = SHARED.into();
    slot.aabb_min = [(-100.0).into(); 3];
    slot.aabb_max = [100.0.into(); 3];
    slot.sphere_center = [0.0.into(); 3];
    slot.sphere_radius = 200.0.into();
    node.slot_index[0] = 0.into();
    made.put_rows(1, &vec![node; NODES])?;
    made.put_rows(2, &[slot])?;
    let slots = made.model().slots.context("no slots")?.stream.bytes.to_vec();
    made.set_stream(2, [bounds, slots].concat(), [None; 3])?;
    made.put_rows(7, &vec![face; SHARED.into()])?;
    made.put_rows(13, &vec![batch; SHARED.into()])?;
    Ok(msh::write(&made)?)
}

/// A glTF without bytes beside its text.
fn glb(text: &Value) -> Result<Vec<u8>> {
    let mut text = text.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let len = u32::try_from(text.len())?;
    let mut file = b"glTF".to_vec();
    for word in [2, 20 + len, len] {
        file.extend(word.to_le_bytes());
    }
    file.extend(b"JSON");
    file.extend(text);
    Ok(file)
}

/// A model of points that are nowhere in its file: all of them are 0.
fn zeros() -> Value {
    json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{
            "componentType": 5126, "count": 99_999_999, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0],
        }],
    })
}

/// A model that takes half an hour to turn around.
fn long() -> Value {
    let times = "AAAAAAAA+kQ="; // 0 and 2000
    let turns = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAIA/AAAAAAAAAAA="; // none, and half of one
    let uri = |text: &str| format!("data:application/octet-stream;base64,{text}");
    json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "hub"}],
        "buffers": [{"byteLength": 8, "uri": uri(times)}, {"byteLength": 32, "uri": uri(turns)}],
        "bufferViews": [{"buffer": 0, "byteLength": 8}, {"buffer": 1, "byteLength": 32}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [2000]},
            {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC4"},
        ],
        "animations": [{
            "name": "slow",
            "samplers": [{"input": 0, "output": 1}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
        }],
    })
}

/// How often a manifest names one file.
const MENTIONS: usize = 4000;

fn model_manifest() -> String {
    let rows = vec![r#"{"tag": "MORE", "file": "a.bin"}"#; MENTIONS].join(",");
    format!(r#"{{"format": "mdx", "chunks": [{rows}]}}"#)
}

fn archive_manifest() -> String {
    let rows = vec![r#"{"file": "a.bin", "gap": "align"}"#; MENTIONS].join(",");
    format!(
        r#"{{"format": "nres", "version": 256, "entries": [], "sort_table": "computed",
        "layout": {{"lead": {{"hex": ""}}, "blocks": [{rows}]}}}}"#
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use galvani::formats::{Folder, OpenOptions, by_id, recognise};
    use galvani::{Diagnostic, Severity};

    use super::*;

    #[test]
    fn what_is_packed_a_thousandfold_is_recognised() {
        let walker = samples::all().into_iter().find(|sample| sample.name == "walker.msh").unwrap();
        for (id, file) in [
            ("msh", crowd(&walker.bytes).unwrap()),
            ("gltf", glb(&zeros()).unwrap()),
            ("gltf", glb(&long()).unwrap()),
        ] {
            let format = recognise(&file, None).unwrap();
            assert!(format.info().id == id && format.open(&file, &OpenOptions::default()).is_ok(), "{id}");
        }
        assert!(galvani::image::is_picture(&picture(128), Some("bomb.tga")));
        for (id, text) in [("mdx", model_manifest()), ("nres", archive_manifest())] {
            let folder = Folder {
                manifest: serde_json::from_str(&text).unwrap(),
                files: BTreeMap::from([("a.bin".to_owned(), vec![0; 4])]),
            };
            assert!(by_id(id).unwrap().pack(&folder).is_ok(), "{id}");
        }
    }

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
