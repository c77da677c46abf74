//! FF7 polygon files and textures under the fuzzer.

use galvani_core::{Read, ReadOptions, Report, Strictness};
use galvani_ff7::tex::Match;
use galvani_ff7::{p, tex};
use galvani_testkit::{every_byte_is_owned, reads_or_refuses};

/// Reads in both strictnesses, checks, places the findings, dumps every value and looks at every triangle.
pub(crate) fn read_p(data: &[u8]) {
    for options in options() {
        let Ok(found) = p::read(data, &options) else { continue };
        check_report(data, &found, p::check(&found.document));
        let document = &found.document;
        let groups = document.groups.len().min(64);
        for triangle in (0..groups).flat_map(|group| document.triangles(group).take(1000)) {
            assert!(triangle.vertices.iter().all(|&vertex| vertex < document.verts.len()));
            let mut texcoords = triangle.texcoords.iter().flatten();
            assert!(texcoords.all(|&texcoord| texcoord < document.texcoords.len()));
        }
    }
}

/// What reads is written back byte for byte, what does not says why under the format's name.
pub(crate) fn round_trip_p(data: &[u8]) {
    for options in options() {
        reads_or_refuses("ff7-p", data, |file| p::read(file, &options), p::write);
    }
}

/// Reads in both strictnesses, checks, places the findings, dumps every value and decodes every picture; each
/// picture gives the same texture back.
pub(crate) fn read_tex(data: &[u8]) {
    for options in options() {
        let Ok(found) = tex::read(data, &options) else { continue };
        check_report(data, &found, tex::check(&found.document));
        for palette in 0..3 {
            let Ok(image) = tex::decode::decode(&found.document, palette) else { continue };
            let mut again = found.document.clone();
            if tex::edit::replace_image(&mut again, palette, &image, Match::Exact).is_ok() {
                assert_eq!(again, found.document, "a picture of a texture gives the same texture");
            } else {
                assert!(
                    image.rgba.is_empty() || found.document.cut().is_some(),
                    "what is shown can be put back"
                );
            }
        }
    }
}

/// What reads is written back byte for byte, what does not says why under the format's name.
pub(crate) fn round_trip_tex(data: &[u8]) {
    for options in options() {
        reads_or_refuses("ff7-tex", data, |file| tex::read(file, &options), tex::write);
    }
}

/// Every finding has its place, and a dump shows every byte once.
fn check_report<D>(data: &[u8], found: &Read<D>, mut report: Report) {
    every_byte_is_owned(&found.map, data.len());
    report.locate(&found.map);
    for finding in report.findings() {
        assert!(finding.offset.is_some(), "{finding} has no place");
    }
    let mut dumped = 0;
    found.map.rows(data, |row| dumped += row.len);
    assert_eq!(dumped, data.len(), "a dump shows every byte once");
}

fn options() -> [ReadOptions; 2] {
    [Strictness::Tolerant, Strictness::Strict]
        .map(|strictness| ReadOptions { strictness, ..ReadOptions::default() })
}
