//! Large files of several formats, two of each that differ in nearly every field. Tests of the library and of the command
//! share them.
#![allow(dead_code, unreachable_pub, reason = "tests use their own part each")]
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

use galvani::ff7::lgp;
use galvani::ff7::pack::{self, AngleKey, codec::Frames};
use galvani::parkan::nres;

/// The name of a file, and two of them.
pub type Pair = (&'static str, [Vec<u8>; 2]);

/// Of every format that takes much to be compared. Some have as many values on both sides, some do not.
pub fn pairs() -> Vec<Pair> {
    let lines = |from: u32| -> Vec<u8> {
        (from..from + 300_000).flat_map(|i| format!("{i}\n").into_bytes()).collect()
    };
    vec![
        ("bones.mdx", [bones(120, 1), bones(120, 2)]),
        ("keys.mdx", [bones(60, 1), bones(60, 3)]),
        ("vertices.mdx", [vertices(110_000, 0), vertices(110_000, 1)]),
        ("fewer.mdx", [vertices(60_000, 0), vertices(59_000, 1)]),
        ("model.msh", [model(0), model(1)]),
        ("many.rlb", [packed_resources(0), packed_resources(1)]),
        ("many.lgp", [files(0), files(1)]),
        ("zzda", [clips(0), clips(1)]),
        ("long.a", [frames(0.0), frames(1.0)]),
        ("large.p", [polygons(0.0), polygons(1.0)]),
        ("lines.hrc", [lines(0), lines(1_000_000)]),
    ]
}

/// A chunk or a list of a model: what it is, how much it has, and that.
fn put(file: &mut Vec<u8>, tag: &str, count: usize, bytes: &[u8]) {
    file.extend(tag.as_bytes());
    file.extend(u32::try_from(count).unwrap().to_le_bytes());
    file.extend(bytes);
}

fn words(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn floats(numbers: impl IntoIterator<Item = f32>) -> Vec<u8> {
    numbers.into_iter().flat_map(f32::to_le_bytes).collect()
}

/// A number of 16 bits as a float.
fn float(i: usize) -> f32 {
    f32::from(u16::try_from(i % 60_000).unwrap())
}

fn model_of(tag: &str, payload: &[u8]) -> Vec<u8> {
    let mut file = b"MDLX".to_vec();
    put(&mut file, "VERS", 4, &words(&[800]));
    put(&mut file, tag, payload.len(), payload);
    file
}

/// A model of so many bones that move in about 2000 steps each, or not at all. With 3 there are more steps at other times.
fn bones(count: u32, kind: u32) -> Vec<u8> {
    let mut chunk = Vec::new();
    for bone in 0..count {
        let mut record = format!("bone {bone}").into_bytes();
        record.resize(80, 0);
        record.extend(words(&[bone, u32::MAX, 0x100]));
        if kind > 0 {
            let keys = 1990 + 10 * kind;
            put(&mut record, "KGTR", usize::try_from(keys).unwrap(), &words(&[1, u32::MAX]));
            for key in 0..keys {
                record.extend((key * kind + kind / 3).to_le_bytes());
                let at = float(usize::try_from(key * kind).unwrap());
                record.extend(floats([at / 7.0, at + 0.5, -0.5 - at]));
            }
        }
        chunk.extend(u32::try_from(record.len() + 4).unwrap().to_le_bytes());
        chunk.extend(record);
        chunk.extend(words(&[0, u32::MAX]));
    }
    model_of("BONE", &chunk)
}

/// A model of one geoset of so many vertices.
fn vertices(count: usize, shift: u8) -> Vec<u8> {
    let at = |scale: f32| floats((0..count * 3).map(|i| float(i).mul_add(scale, f32::from(shift))));
    let mut geoset = Vec::new();
    put(&mut geoset, "VRTX", count, &at(0.25));
    put(&mut geoset, "NRMS", count, &at(0.5));
    put(&mut geoset, "PTYP", 1, &words(&[4]));
    put(&mut geoset, "PCNT", 1, &words(&[3]));
    put(&mut geoset, "PVTX", 3, &[0, 0, 1, 0, 2, 0]);
    put(&mut geoset, "GNDX", count, &vec![shift; count]);
    put(&mut geoset, "MTGC", 1, &words(&[1]));
    put(&mut geoset, "MATS", 1, &words(&[0]));
    geoset.extend(words(&[0; 3]));
    geoset.extend(floats([0.0; 7]));
    geoset.extend(words(&[0]));
    put(&mut geoset, "UVAS", 1, &[]);
    put(&mut geoset, "UVBS", count, &floats((0..count * 2).map(|i| float(i) + f32::from(shift))));
    model_of("GEOS", &[u32::try_from(geoset.len() + 4).unwrap().to_le_bytes().to_vec(), geoset].concat())
}

/// A model of Parkan with many places.
fn model(shift: u8) -> Vec<u8> {
    let walker = galvani::samples::all().into_iter().find(|sample| sample.name == "walker.msh").unwrap();
    let mut archive = nres::read(&walker.bytes, &galvani::ReadOptions::default()).unwrap().document;
    let positions = archive.entries.iter().position(|entry| entry.type_id == 3).unwrap();
    archive.replace(positions, floats((0..900_000).map(|i| float(i) + f32::from(shift)))).unwrap();
    nres::write(&archive).unwrap()
}

/// An archive of many small entries.
fn packed_resources(shift: u32) -> Vec<u8> {
    let mut archive = nres::Document::default();
    for i in 0..25_000 {
        let block = archive.blocks.len();
        archive.blocks.push(nres::Block { bytes: words(&[i + shift; 16]), gap: Vec::new() });
        archive.entries.push(nres::Entry {
            type_id: i % 7,
            attr1: shift,
            attr2: i + shift,
            attr3: 1,
            name: nres::Name::new(format!("entry {i}").as_bytes()).unwrap(),
            payload: nres::Payload::Held { block, start: 0, len: 64 },
            sort_index: 0,
        });
    }
    archive.rebuild_sort_table();
    nres::write(&archive).unwrap()
}

/// The same for Final Fantasy VII; of each second pair only one side has the file.
fn files(shift: u32) -> Vec<u8> {
    let mut archive = lgp::Document::default();
    for i in 0..25_000 {
        let name = format!("f{}.bin", if i % 2 == 0 { i } else { i * 2 + shift });
        let mut bytes = name.clone().into_bytes();
        bytes.resize(20, 0);
        bytes.extend(words(&[64]));
        bytes.extend(words(&[i + shift; 16]));
        let mut room = [0; 20];
        room[..name.len()].copy_from_slice(name.as_bytes());
        let place = lgp::RecordPlace::Held { block: archive.blocks.len(), start: 0, len: 64 };
        archive.blocks.push(lgp::Block { bytes, gap: Vec::new() });
        archive.entries.push(lgp::Entry { name: lgp::Name(room), check: 14, conflict: 0, place });
    }
    lgp::write(&archive).unwrap()
}

/// A pack of many short animations.
fn clips(shift: i16) -> Vec<u8> {
    let clip = |i: i16| {
        let mut frames = Frames::new(1);
        for frame in 0..4 {
            frames.push([i % 100 + shift, frame, 0], &[[i % 50 + shift, frame * (1 + shift), 0]]);
        }
        pack::edit::new_entry(&frames, AngleKey::Zero).unwrap()
    };
    let entries = (0..25_000).map(clip).collect();
    pack::write(&pack::Document { entries, ..pack::Document::default() }).unwrap()
}

/// An animation of a model on a field.
fn frames(shift: f32) -> Vec<u8> {
    let (frames, bones) = (1500, 100);
    let mut file = words(&[1, frames, bones]);
    file.extend([1, 0, 2, 0]);
    file.extend(words(&[0; 5]));
    for frame in 0..usize::try_from(frames).unwrap() {
        file.extend(floats((0..6 + 3 * 100).map(|i| float(frame + i) + shift)));
    }
    file
}

/// A part of a model.
fn polygons(shift: f32) -> Vec<u8> {
    let boat = galvani::samples::all().into_iter().find(|sample| sample.name == "boat.p").unwrap();
    let read = galvani::ff7::p::read(&boat.bytes, &galvani::ReadOptions::default()).unwrap();
    let (mut header, old) = (boat.bytes[..128].to_vec(), read.document.sections()[0].bytes.len());
    let places = floats((0..600_000).map(|i| float(i) + shift));
    header[12..16].copy_from_slice(&u32::try_from(places.len() / 12).unwrap().to_le_bytes());
    [header, places, boat.bytes[128 + old..].to_vec()].concat()
}
