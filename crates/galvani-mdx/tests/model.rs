//! What the sound models say, field by field, and that every byte of them has a name.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

mod common;

use common::raw::{chunk, file, modl_warcraft, node, vers};
use common::{case, found};
use galvani_core::record::FieldKind;
use galvani_core::{Reading, text};
use galvani_mdx::glam::Quat;
use galvani_mdx::model::{Block2, ModelEnd, PrimitiveTypes, Texcoords};
use galvani_mdx::track::{Floats, Form, TrackValue};
use galvani_mdx::{Content, Document, Held, NodeKind, Track, write};

fn document(name: &str) -> Document {
    found(&case(name)).document
}

/// The content of the first chunk of a tag.
fn content<'a>(document: &'a Document, tag: &str) -> &'a Content {
    &document.chunks.iter().find(|chunk| chunk.tag == tag.as_bytes()).unwrap().content
}

fn tracks(document: &Document) -> Vec<(String, Track)> {
    let mut all = Vec::new();
    document.each_track(|path, track| all.push((path.to_string(), track.clone())));
    all
}

#[test]
fn every_byte_of_a_sound_model_has_a_meaning() {
    for name in ["plain-warcraft", "plain-wow", "plain-1500", "plain-900"] {
        let (bytes, mut rows) = (case(name), 0);
        found(&bytes).map.rows(&bytes, |row| {
            assert!(
                row.kind != FieldKind::Raw && row.kind != FieldKind::Payload,
                "{name}: {} is raw",
                row.path
            );
            rows += 1;
        });
        assert!(rows > 80, "{rows} rows");
    }
}

#[test]
fn nodes_of_all_chunks_are_listed_in_file_order() {
    for (name, kinds) in [
        (
            "plain-warcraft",
            [
                NodeKind::Bone,
                NodeKind::Light,
                NodeKind::Helper,
                NodeKind::Attachment,
                NodeKind::Emitter,
                NodeKind::Emitter2,
                NodeKind::Ribbon,
                NodeKind::Event,
                NodeKind::CollisionShape,
            ],
        ),
        (
            "plain-wow",
            [
                NodeKind::Bone,
                NodeKind::Light,
                NodeKind::Helper,
                NodeKind::Attachment,
                NodeKind::Emitter,
                NodeKind::Emitter2,
                NodeKind::Ribbon,
                NodeKind::Event,
                NodeKind::HitTest,
            ],
        ),
    ] {
        let document = document(name);
        let nodes = document.nodes();
        assert_eq!(nodes.iter().map(|placed| placed.kind).collect::<Vec<_>>(), kinds);
        let ids: Vec<i32> = nodes.iter().map(|placed| placed.node.fixed.object_id.get()).collect();
        assert_eq!(ids, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(text::shown(&nodes[0].node.fixed.name.0), "Root");
        assert_eq!(nodes[0].path.to_string(), "BONE[0]");
    }
}

#[test]
fn tracks_have_their_owners_paths() {
    let paths: Vec<String> = tracks(&document("plain-warcraft")).into_iter().map(|(path, _)| path).collect();
    assert_eq!(
        paths.join(" "),
        "MTLS[0].LAYS[0].KMTA MTLS[0].LAYS[0].KMTF TXAN[0].KTAT GEOA[0].KGAO GEOA[0].KGAC BONE[0].node.KGTR BONE[0].node.KGRT BONE[0].node.KGSC LITE[0].KLAV ATCH[0].KATV PREM[0].KPEE PRE2[0].KP2V RIBB[0].KRVS CAMS[0].KCRL EVTS[0].KEVT"
    );
}

#[test]
fn keys_of_a_track_have_values_and_tangents() {
    let all = tracks(&document("plain-warcraft"));
    let of = |name: &str| &all.iter().find(|(path, _)| path.ends_with(name)).unwrap().1;
    let moved = of("KGTR");
    assert_eq!((moved.form, moved.interpolation, moved.global), (Form::Generic, 2, -1));
    assert_eq!(moved.times, [0, 1000]);
    assert_eq!(moved.floats(1), Some(Floats::Three([1., 0., 0.])));
    assert_eq!(moved.tangents(1), Some(([0, 0, 0].as_slice(), [0, 0, 0].as_slice())));
    assert_eq!(moved.floats(2), None);
    let turned = of("KGRT");
    assert_eq!(
        (turned.value, turned.floats(1)),
        (TrackValue::Quaternion, Some(Floats::Rotation(Quat::from_xyzw(0., 0., 0.6, 0.8))))
    );
    assert_eq!(of("KEVT").times, [10, 1500]);
    assert_eq!(of("KTAT").global, 0);
    assert_eq!((of("KMTF").value, of("KMTF").values.as_slice()), (TrackValue::Number, [1].as_slice()));
}

#[test]
fn rotations_of_wow_are_packed() {
    let all = tracks(&document("plain-wow"));
    let (_, track) = all.iter().find(|(path, _)| path == "BONE[0].node.KGRT").unwrap();
    assert_eq!((track.value, track.times.as_slice()), (TrackValue::Packed, [0, 1000].as_slice()));
    let Some(Floats::Rotation(turn)) = track.floats(1) else { panic!("no rotation") };
    // The highest bits are x: 0x40000000 of the upper half is half of its range.
    assert_eq!([turn.x, turn.y, turn.z].map(f32::to_bits), [0.5_f32, 0., 0.].map(f32::to_bits));
    assert!((turn.w - 0.75_f32.sqrt()).abs() < 1e-6);
}

#[test]
fn the_two_ends_of_modl_say_different_things() {
    let document = document("plain-wow");
    let Content::Model(model) = content(&document, "MODL") else { panic!("no model") };
    let ModelEnd::Wow(end) = model.end else { panic!("not of WoW") };
    assert_eq!((end.flags, end.unknown_171.get()), (1, 10));
    assert_eq!(model.fixed.min[0].get().to_bits(), (-1.0_f32).to_bits());
    let warcraft = self::document("plain-warcraft");
    let Content::Model(model) = content(&warcraft, "MODL") else { panic!("no model") };
    let ModelEnd::Warcraft(end) = model.end else { panic!("not of Warcraft III") };
    assert_eq!(end.blend_time.get(), 150);
}

#[test]
fn counts_and_unused_words_of_wow_are_kept() {
    let document = document("plain-wow");
    let Content::Attachments(records) = content(&document, "ATCH") else { panic!("no attachments") };
    assert_eq!((records.count, records.unused), (Some(1), Some(34)));
    let attachment = records.items[0].typed().unwrap();
    assert_eq!(attachment.attachment_id(), 34);
    let Content::Bones(records) = content(&document, "BONE") else { panic!("no bones") };
    assert_eq!((records.count, records.unused), (Some(1), None));
}

#[test]
fn geosets_of_three_layouts_have_the_same_triangle() {
    for name in ["plain-warcraft", "plain-wow", "plain-900"] {
        let document = document(name);
        let Content::Geosets(records) = content(&document, "GEOS") else { panic!("no geosets") };
        let geoset = records.items[0].typed().unwrap();
        assert_eq!(geoset.indices.iter().map(|index| index.get()).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(geoset.primitive_types.values(), [4]);
        assert_eq!(geoset.vertices[2].y.get().to_bits(), 1.0_f32.to_bits());
        let places = geoset.texcoords.set(0, geoset.vertices.len()).unwrap();
        assert_eq!((places.len(), places[2].v.get().to_bits()), (3, 1.0_f32.to_bits()));
        assert_eq!(geoset.texcoords.set(1, geoset.vertices.len()), None);
        assert_eq!(matches!(geoset.primitive_types, PrimitiveTypes::Bytes(_)), name == "plain-wow");
        assert_eq!(matches!(geoset.texcoords, Texcoords::Flat { .. }), name == "plain-wow");
        assert_eq!(geoset.skin.is_some(), name == "plain-900");
    }
    let newest = document("plain-1500");
    let Content::Batches(batches) = content(&newest, "GEOS") else { panic!("no batches") };
    assert_eq!(batches[0].indices.iter().map(|index| index.get()).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!((batches[0].vertices[2].weights, batches[0].padding.len()), ([128, 127, 0, 0], 10));
}

#[test]
fn emitters_of_both_families_are_read_to_their_last_field() {
    let wow = document("plain-wow");
    let Content::Emitters2(records) = content(&wow, "PRE2") else { panic!("no emitters") };
    let Block2::Wow { fixed, spline, squirts } = &records.items[0].typed().unwrap().block else {
        panic!("not of WoW")
    };
    assert_eq!((fixed.emitter_size.get(), fixed.texture_id.get()), (807, 1));
    assert_eq!((spline.len(), spline[0].z.get().to_bits(), *squirts), (1, 1.0_f32.to_bits(), 0));
    assert_eq!(fixed.segment_alpha, [255, 255, 0]);
    let warcraft = document("plain-warcraft");
    let Content::Emitters2(records) = content(&warcraft, "PRE2") else { panic!("no emitters") };
    assert_eq!(records.items[0].typed().unwrap().block.texture_id(), 1);
}

#[test]
fn a_broken_record_leaves_its_neighbours_typed() {
    let document = document("record-alone");
    let Content::Helpers(records) = content(&document, "HELP") else { panic!("no helpers") };
    let [Held::Typed(a), Held::Raw(raw), Held::Typed(c)] = records.items.as_slice() else {
        panic!("{records:?}")
    };
    assert_eq!((text::shown(&a.fixed.name.0), text::shown(&c.fixed.name.0)), ("a".into(), "c".into()));
    assert_eq!(raw.bytes.len(), 100);
    let layers = self::document("key-count");
    let Content::Materials(records) = content(&layers, "MTLS") else { panic!("no materials") };
    let material = records.items[0].typed().unwrap();
    assert!(matches!(material.layers[0], Held::Raw(_)), "only the layer is raw");
    assert!(records.items[1].typed().is_some());
}

#[test]
fn chunks_that_are_there_twice_count_on() {
    let file = file(&[
        vers(800),
        modl_warcraft(),
        chunk("HELP", node("a", 0, -1, 0, [])),
        chunk("HELP", node("b", 1, 0, 0, [])),
    ]);
    let document = found(&file).document;
    let paths: Vec<String> = document.nodes().iter().map(|placed| placed.path.to_string()).collect();
    assert_eq!(paths, ["HELP[0]", "HELP[1]"]);
    assert_eq!(write(&document).unwrap(), file);
}

#[test]
fn an_edited_document_is_written_with_its_sizes() {
    let mut document = document("plain-warcraft");
    for chunk in &mut document.chunks {
        if let Content::Bones(records) = &mut chunk.content {
            let (_, bone) = records.typed_mut().next().unwrap();
            bone.node.tracks.remove(0);
        }
    }
    let written = write(&document).unwrap();
    assert_eq!(found(&written).document, document);
    assert_eq!(case("plain-warcraft").len() - written.len(), 16 + 2 * 40);
}

#[test]
fn sequences_and_lengths_are_had_from_either_family() {
    for (name, first) in [("plain-warcraft", "Stand"), ("plain-wow", "Stand - Var1")] {
        let document = document(name);
        let windows: Vec<_> =
            document.sequences().iter().map(|it| (it.start(), it.end(), it.is_looping())).collect();
        assert_eq!(windows, [(0, 1000, true), (1100, 2000, false)]);
        let names: Vec<_> = document.sequences().iter().map(|it| document.sequence_name(*it)).collect();
        assert_eq!(names, [first, "Death"]);
        assert_eq!(
            (document.globals(), document.pivots().len(), document.textures().len()),
            (vec![500], 9, 2)
        );
    }
}

#[test]
fn the_reading_names_two_bits_of_a_node() {
    let file = file(&[vers(800), modl_warcraft(), chunk("HELP", node("a", 0, -1, 4, []))]);
    for (way, rotation) in [(Reading::Observed, false), (Reading::Documented, true)] {
        let found = galvani_mdx::read(&file, &common::reading(way)).unwrap();
        let inherits = found.document.inherits(found.document.nodes()[0].node);
        assert_eq!((inherits.translation, inherits.rotation, inherits.scaling), (true, rotation, !rotation));
    }
}
