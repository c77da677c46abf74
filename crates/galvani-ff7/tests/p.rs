//! Polygon files: cases with their reports, records as docs/formats/ff7-p.md#sections lays them out, laws and
//! damage.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

use galvani_core::record::Raw;
use galvani_core::{Diagnostic, Severity, Strictness};
use galvani_ff7::p::{
    self, BoundingBox, Colour, Document, Edge, Group, Header, Hundred, Normal, NormalIndex, Poly, TexCoord,
    Triangle, Unknown1, Unknown2, Unknown3, Vertex, check, is_shaped, read, write,
};
use galvani_testkit::{Dice, Subject, snapshot_beside};
use proptest::prelude::*;
use zerocopy::little_endian::{F32, U16, U32};
use zerocopy::{FromBytes, FromZeros, IntoBytes};

const P: Subject<Document> = Subject { id: "ff7-p", read, write, check, codes: check::ALL };

#[test]
fn every_case_has_the_report_beside_it() {
    insta::glob!("../../../testdata/ff7-p", "*/build.txt", |listing| {
        snapshot_beside!(listing, P.report_text(listing));
    });
}

#[test]
fn every_code_is_provoked() {
    let mut document = P.document(&P.case("plain"));
    document.boxes.clear();
    document.boxes.extend([BoundingBox::new_zeroed(); 2]);
    let refused = write(&document).unwrap_err();
    P.every_code_is_provoked(&[refused.cause.code.name]);
}

#[test]
fn a_good_file_has_no_findings() {
    assert_eq!(P.outcome(&P.case("plain")).findings(), Vec::<Diagnostic>::new());
}

#[test]
fn a_file_cut_anywhere_keeps_what_is_there() {
    P.stands_truncation(p::HEADER_LEN);
}

#[test]
fn a_file_with_any_word_damaged_comes_back_or_is_refused() {
    P.stands_word_damage();
}

fn floats<const N: usize>(values: [f32; N]) -> [F32; N] {
    values.map(F32::new)
}

fn words<const N: usize>(values: [u16; N]) -> [U16; N] {
    values.map(U16::new)
}

/// The plain case as a value, spelt out.
fn plain() -> Document {
    let vertex = |position| Vertex { position: floats(position) };
    let poly = |vertices, normals, edges| Poly {
        unknown_00: U16::ZERO,
        vertices: words(vertices),
        normals: words(normals),
        edges: words(edges),
        tag: U32::new(0x0cfc_ea00),
    };
    let hundred = |features, texture: u32| Hundred {
        unknown_00: 1.into(),
        options: U32::new(0x0003_801e),
        features: U32::new(features),
        texture_id: texture.into(),
        shade_mode: 2.into(),
        source_blend: 2.into(),
        destination_blend: 1.into(),
        blend_mode: 4.into(),
        vertex_alpha: 255.into(),
        ..Hundred::new_zeroed()
    };
    let group = |[a, b, c, d, e, f, g]: [u32; 7]| Group {
        poly_type: a.into(),
        poly_start: b.into(),
        poly_count: c.into(),
        vertex_start: d.into(),
        vertex_count: e.into(),
        edge_start: f.into(),
        edge_count: g.into(),
        ..Group::new_zeroed()
    };
    let colour = |bgra| Colour { bgra };
    let mut document = Document {
        verts: [
            [0.0, 0.0, 0.0],
            [2.0, 0.0, 0.0],
            [0.0, 2.0, 0.0],
            [-1.0, -1.0, -4.0],
            [1.0, -1.0, -4.0],
            [1.0, 1.0, -4.0],
            [-1.0, 1.0, -4.0],
        ]
        .map(vertex)
        .to_vec(),
        normals: [1.0, -1.0].map(|z| Normal { normal: floats([0.0, 0.0, z]) }).to_vec(),
        unknown1: vec![Unknown1 { unknown_00: Raw([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) }],
        texcoords: [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
            .map(|uv| TexCoord { uv: floats(uv) })
            .to_vec(),
        vertex_colours: [[0, 0, 255, 255], [0, 255, 0, 255], [255, 0, 0, 255]]
            .into_iter()
            .chain([[255; 4]; 4])
            .map(colour)
            .collect(),
        polygon_colours: [[10, 20, 30, 255], [40, 50, 60, 255], [70, 80, 90, 255]].map(colour).to_vec(),
        edges: [[0, 1], [1, 2], [2, 0], [0, 1], [1, 2], [2, 0], [2, 3], [3, 0]]
            .map(|ends| Edge { vertices: words(ends) })
            .to_vec(),
        polys: vec![
            poly([0, 1, 2], [0; 3], [0, 1, 2]),
            poly([0, 1, 2], [1; 3], [0, 1, 2]),
            poly([0, 2, 3], [1; 3], [2, 3, 4]),
        ],
        unknown2: vec![Unknown2 { unknown_00: Raw([0; 24]) }],
        unknown3: vec![Unknown3 { unknown_00: Raw([0xaa, 0xbb, 0xcc]) }],
        hundreds: vec![hundred(0x0003_800c, 0), hundred(0x0003_800e, 3)],
        groups: vec![
            group([1, 0, 1, 0, 3, 0, 3]),
            Group { textured: 1.into(), texture_number: 3.into(), ..group([2, 1, 2, 3, 4, 3, 5]) },
        ],
        boxes: vec![BoundingBox {
            unknown_00: U32::ZERO,
            max: floats([2.0, 2.0, 0.0]),
            min: floats([-1.0, -1.0, -4.0]),
        }],
        normal_index: [0, 0, 0, 1, 1, 1, 1].map(|normal: u32| NormalIndex { normal: normal.into() }).to_vec(),
        ..Document::default()
    };
    document.count();
    document.header.run_time = std::array::from_fn(|i| U32::new(u32::try_from(i).unwrap() + 1));
    document
}

#[test]
fn the_bytes_read_as_the_value_and_the_value_writes_as_the_bytes() {
    let file = P.case("plain");
    assert_eq!(P.round_trip(&file), plain());
    assert_eq!(write(&plain()).unwrap(), file);
}

#[test]
fn triangles_have_places_in_the_file() {
    let document = plain();
    assert_eq!(
        document.triangles(0).collect::<Vec<_>>(),
        [Triangle { poly: 0, vertices: [0, 1, 2], texcoords: None, normals: [0; 3] }]
    );
    let textured: Vec<Triangle> = document.triangles(1).collect();
    assert_eq!(textured[1].vertices, [3, 5, 6]);
    assert_eq!(textured[1].texcoords, Some([0, 2, 3]));
    assert_eq!((textured[1].poly, textured[1].normals), (2, [1; 3]));
    assert_eq!(textured[1].reversed().vertices, [3, 6, 5]);
    assert_eq!(textured[1].reversed().texcoords, Some([0, 3, 2]));
    assert_eq!(document.triangles(2).count(), 0);
    // What leads out of the file is left out.
    assert_eq!(P.document(&P.case("polys")).triangles(1).count(), 1);
    assert_eq!(P.document(&P.case("group-range")).triangles(0).count(), 0);
}

#[test]
fn edits_change_what_they_say_and_nothing_when_refused() {
    use p::edit;
    let mut document = plain();
    edit::set_texture(&mut document, 1, 7).unwrap();
    assert_eq!((document.groups[1].texture_number.get(), document.hundreds[1].texture_id.get()), (7, 7));
    edit::scale(&mut document, 2.5).unwrap();
    assert_eq!(document.verts[1].position, floats([5.0, 0.0, 0.0]));
    assert_eq!(document.boxes[0].min, floats([-2.5, -2.5, -10.0]));
    document.boxes[0] = BoundingBox { unknown_00: 9.into(), ..BoundingBox::new_zeroed() };
    edit::recompute_bounds(&mut document).unwrap();
    assert_eq!(
        document.boxes,
        [BoundingBox {
            unknown_00: 9.into(),
            max: floats([5.0, 5.0, 0.0]),
            min: floats([-2.5, -2.5, -10.0])
        }]
    );
    document.rest = vec![1];
    assert_eq!(edit::make_canonical(&mut document).unwrap().findings().len(), 1);
    assert!(check(&document).findings().is_empty());

    let same = document.clone();
    let name = |refused: galvani_core::EditError| refused.cause.code.name;
    let mut said = vec![
        name(edit::set_texture(&mut document, 2, 0).unwrap_err()),
        name(edit::set_texture(&mut document, 0, 0).unwrap_err()),
    ];
    for factor in [0.0, -1.0, f32::NAN, f32::INFINITY, f32::MAX] {
        said.push(name(edit::scale(&mut document, factor).unwrap_err()));
    }
    assert_eq!(document, same);
    document.boxes.extend(same.boxes.clone());
    document.count();
    said.push(name(edit::recompute_bounds(&mut document).unwrap_err()));
    document.boxes.clear();
    document.count();
    document.verts[0].position[0] = F32::new(f32::NAN);
    said.push(name(edit::recompute_bounds(&mut document).unwrap_err()));
    document.verts[0].position[0] = F32::new(0.0);
    edit::recompute_bounds(&mut document).unwrap();
    assert_eq!(document.header.boxes.get(), 1);
    let mut cut = P.document(&P.case("cut"));
    said.push(name(edit::recompute_bounds(&mut cut).unwrap_err()));
    said.push(name(edit::make_canonical(&mut cut).unwrap_err()));
    said.sort_unstable();
    said.dedup();
    let mut all: Vec<&str> = edit::ALL.iter().map(|code| code.name).collect();
    all.sort_unstable();
    assert_eq!(said, all);
}

#[test]
fn half_a_box_and_what_stands_behind_it_are_no_reason_to_refuse_a_new_one() {
    let plain = P.case("plain");
    let whole = P.document(&plain);
    let behind = size_of::<NormalIndex>() * whole.normal_index.len();
    // Inside the box, and inside what follows it, if anything does.
    for cut in [behind + 5, behind.min(3)] {
        let mut document = P.document(&plain[..plain.len() - cut]);
        p::edit::recompute_bounds(&mut document).unwrap();
        assert_eq!(document.boxes, whole.boxes, "cut by {cut}");
        assert!(document.cut().is_none_or(|section| section.name == "normal_index"));
    }
}

#[test]
fn only_counts_that_add_up_are_a_shape() {
    let shaped: Vec<String> =
        P.cases().into_iter().filter(|(_, file)| is_shaped(file)).map(|(name, _)| name).collect();
    let not = ["cut", "cut-inside", "cut-normals", "rest", "truncated", "version"];
    assert!(not.iter().all(|name| !shaped.iter().any(|shaped| shaped == name)), "{shaped:?}");
    assert_eq!(shaped.len(), P.cases().len() - not.len());
    let file = P.case("plain");
    assert!(!is_shaped(&file[..file.len() - 1]) && !is_shaped(&[&file[..], &[0]].concat()));
    let mut zeros = vec![0; p::HEADER_LEN];
    assert!(!is_shaped(&zeros));
    (zeros[0], zeros[4]) = (1, 1);
    assert!(!is_shaped(&zeros), "nothing in it");
}

#[test]
fn groups_that_all_have_all_polygons_cost_no_more_than_their_file() {
    let mut document = plain();
    document.polys = vec![document.polys[0]; 40_000];
    document.polygon_colours = vec![document.polygon_colours[0]; 40_000];
    let all = Group { poly_start: 0.into(), poly_count: 40_000.into(), ..document.groups[0] };
    document.groups = vec![all; 20_000];
    document.hundreds = vec![document.hundreds[0]; 20_000];
    document.count();
    let clock = std::time::Instant::now();
    let report = check(&document);
    assert!(clock.elapsed() < std::time::Duration::from_secs(5), "{:?}", clock.elapsed());
    assert_eq!(report.tally(Severity::Warning), 19_999);
}

#[test]
fn a_document_that_would_read_back_otherwise_is_not_written() {
    let refuses = |change: fn(&mut Document)| {
        let mut document = plain();
        change(&mut document);
        assert_eq!(write(&document).unwrap_err().cause.code, &check::COUNT);
    };
    refuses(|document| document.verts.push(Vertex::new_zeroed()));
    refuses(|document| document.verts.truncate(2));
    refuses(|document| {
        document.normal_index.clear();
        document.rest = vec![0; 4];
    });
    refuses(|document| document.polygon_colours.clear());
}

/// A file whose header is mostly small numbers, and random bytes behind it.
fn random(seed: u64) -> Vec<u8> {
    let mut dice = Dice(seed);
    let mut header = Header::new_zeroed();
    let small = |dice: &mut Dice| U32::new(dice.below(6));
    (header.version, header.verts, header.normals) = (1.into(), small(&mut dice), small(&mut dice));
    (header.texcoords, header.vertex_colours, header.edges) =
        (small(&mut dice), small(&mut dice), small(&mut dice));
    (header.polys, header.hundreds, header.groups) = (small(&mut dice), small(&mut dice), small(&mut dice));
    (header.unknown1, header.unknown2, header.unknown3) =
        (small(&mut dice), small(&mut dice), small(&mut dice));
    (header.boxes, header.has_normal_index) = (small(&mut dice), dice.below(2).into());
    let mut file = header.as_bytes().to_vec();
    for _ in 0..dice.below(2000) {
        let byte = if dice.below(3) == 0 { dice.byte() } else { 0 };
        file.push(byte);
    }
    file
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_come_back_or_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        P.obeys(&bytes, Strictness::Tolerant);
        P.obeys(&bytes, Strictness::Strict);
    }

    #[test]
    fn arbitrary_sections_come_back(seed in any::<u64>()) {
        let file = random(seed);
        prop_assert!(P.obeys(&file, Strictness::Tolerant));
        P.obeys(&file, Strictness::Strict);
        let document = P.document(&file);
        for group in 0..document.groups.len() {
            for triangle in document.triangles(group) {
                prop_assert!(triangle.vertices.iter().all(|&vertex| vertex < document.verts.len()));
            }
        }
        prop_assert_eq!(Header::read_from_prefix(&file).unwrap().0, document.header);
    }
}
