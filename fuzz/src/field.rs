//! FF7 field models under the fuzzer.

use galvani_core::{Meter, Read, ReadOptions, Report, Strictness};
use galvani_ff7::field::{a, hrc, rsd};
use galvani_ff7::pack::edit::Edge;
use galvani_testkit::{every_byte_is_owned, reads_or_refuses};

/// Reads, checks, places the findings, dumps every value and edits; a skeleton keeps its bones.
pub(crate) fn read_hrc(data: &[u8]) {
    for options in options() {
        let Ok(found) = hrc::read(data, &options) else { continue };
        look(data, &found, hrc::check);
        let (mut document, bones) = (found.document.clone(), found.document.skeleton().bones.len());
        for bone in 0..bones.min(8) {
            let _ = hrc::edit::rename(&mut document, bone, b"another bone");
            let _ = hrc::edit::reparent(&mut document, bone, bone.checked_sub(1));
            let _ = hrc::edit::set_length(&mut document, bone, 1.5);
            let _ = hrc::edit::set_parts(&mut document, bone, &[b"AAAA"]);
        }
        assert_eq!(document.skeleton().bones.len(), bones);
    }
}

/// The same for a resource, which keeps its textures.
pub(crate) fn read_rsd(data: &[u8]) {
    for options in options() {
        let Ok(found) = rsd::read(data, &options) else { continue };
        look(data, &found, rsd::check);
        let (mut document, textures) = (found.document.clone(), found.document.resource().textures.len());
        let _ = rsd::edit::set_texture(&mut document, 0, b"AAAA.TIM");
        if rsd::edit::add_texture(&mut document, b"BBBB.TIM").is_ok() {
            rsd::edit::remove_texture(&mut document).expect("what was added can go");
        }
        assert_eq!(document.resource().textures.len(), textures);
    }
}

/// The same for an animation, which can be written and read whatever was done to it.
pub(crate) fn read_a(data: &[u8]) {
    for options in options() {
        let Ok(found) = a::read(data, &options) else { continue };
        look(data, &found, a::check);
        let mut document = found.document.clone();
        let _ = a::edit::delete_frames(&mut document, 1, 1);
        let _ = a::edit::offset_position(&mut document, [1.0, -2.0, 3.0]);
        let _ = a::edit::resample(&mut document, 2, Edge::Loop, &Meter::unlimited());
        a::edit::reverse(&mut document).unwrap();
        a::edit::make_canonical(&mut document);
        let written = a::write(&document).expect("what was edited can be written");
        let again = a::read(&written, &ReadOptions::default()).expect("and read");
        assert!(again.document == document);
    }
}

/// What reads is written back byte for byte, what does not says why under the format's name.
pub(crate) fn round_trip_hrc(data: &[u8]) {
    for options in options() {
        reads_or_refuses("ff7-hrc", data, |file| hrc::read(file, &options), hrc::write);
    }
}

/// The same for a resource.
pub(crate) fn round_trip_rsd(data: &[u8]) {
    for options in options() {
        reads_or_refuses("ff7-rsd", data, |file| rsd::read(file, &options), rsd::write);
    }
}

/// The same for an animation.
pub(crate) fn round_trip_a(data: &[u8]) {
    for options in options() {
        reads_or_refuses("ff7-a", data, |file| a::read(file, &options), a::write);
    }
}

/// Every byte is owned and dumped once, and every finding has its place.
fn look<D>(data: &[u8], found: &Read<D>, check: impl Fn(&D) -> Report) {
    every_byte_is_owned(&found.map, data.len());
    let mut report = check(&found.document);
    report.locate(&found.map);
    for finding in report.findings() {
        assert!(finding.offset.is_some(), "{finding} has no place");
    }
    let mut dumped = 0;
    found.map.rows(data, |row| dumped += row.len);
    assert_eq!(dumped, data.len(), "a dump shows every byte once");
}

fn options() -> impl Iterator<Item = ReadOptions> {
    let strictness = [Strictness::Tolerant, Strictness::Strict];
    strictness.into_iter().map(|strictness| ReadOptions { strictness, ..ReadOptions::default() })
}
