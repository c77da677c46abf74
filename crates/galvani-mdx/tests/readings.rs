//! Where the document and real files disagree: each topic flips by evidence alone, and forced readings differ.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

mod common;

use common::raw::{Bytes, bytes, chunk, file, floats, head, modl_wow, sequence_wow, sized, vers};
use common::{case, codes, found};
use galvani_core::{Diagnostic, Path, Read, ReadOptions, Reading, Readings, Severity, WantedReading};
use galvani_mdx::model::Sequences;
use galvani_mdx::track::{Form, TrackValue};
use galvani_mdx::{Content, Document, Family, Track, read, write};

fn taken(found: &Read<Document>, topic: &str) -> Reading {
    found.readings.iter().find(|verdict| verdict.topic == topic).unwrap().taken
}

fn asked(file: &[u8], topic: &str, way: impl Into<WantedReading>) -> Read<Document> {
    let readings = Readings { all: WantedReading::Auto, topics: vec![(topic.to_owned(), way.into())] };
    read(file, &ReadOptions { readings, ..ReadOptions::default() }).unwrap()
}

fn wow(more: Vec<Vec<u8>>) -> Vec<u8> {
    file(&[vec![vers(1300), modl_wow()], more].concat())
}

fn sequences(rows: &[Bytes]) -> Vec<u8> {
    let count = u32::try_from(rows.len()).unwrap();
    wow(vec![chunk("SEQS", rows.iter().fold(bytes().u32(count), Bytes::raw))])
}

/// A sequence without a name whose bounds are in order only if the box comes first.
fn box_first() -> Bytes {
    let head = bytes().raw([0; 80]).i32(0).i32(100).f32s(&[0.]).u32(0);
    head.f32s(&[-3., -2., -1., 1., 1., 1., 0.5]).u32(25).u32(1).u32(0).u32(0)
}

/// The same with the radius first.
fn radius_first() -> Bytes {
    let head = bytes().raw([0; 80]).i32(0).i32(100).f32s(&[0.]).u32(0);
    head.f32s(&[9., -2., -1., -3., 1., 1., 1., 1.]).u32(0).u32(0).u32(0)
}

#[test]
fn sequences_with_names_are_those_of_real_files() {
    let found = found(&sequences(&[sequence_wow("Run", 0, 10)]));
    assert_eq!(taken(&found, "seqs"), Reading::Observed);
    assert_eq!(found.document.seqs, Reading::Observed);
}

#[test]
fn bounds_speak_where_names_do_not() {
    assert_eq!(taken(&found(&sequences(&[box_first()])), "seqs"), Reading::Documented);
    assert_eq!(taken(&found(&sequences(&[radius_first()])), "seqs"), Reading::Observed);
}

#[test]
fn the_majority_of_sequences_counts_and_a_tie_is_documented() {
    let (named, boxed) = (sequence_wow("Run", 0, 10), box_first());
    let verdict = |rows: &[Bytes]| taken(&found(&sequences(rows)), "seqs");
    assert_eq!(verdict(&[named.clone(), boxed.clone()]), Reading::Documented);
    assert_eq!(verdict(&[named.clone(), boxed.clone(), named.clone()]), Reading::Observed);
    assert_eq!(verdict(&[named, boxed.clone(), boxed]), Reading::Documented);
    assert_eq!(verdict(&[]), Reading::Documented);
}

#[test]
fn a_name_of_two_letters_or_without_an_end_does_not_speak() {
    assert_eq!(taken(&found(&sequences(&[box_first().clone()])), "seqs"), Reading::Documented);
    let mut short = box_first();
    short.0[..2].copy_from_slice(b"ab");
    assert_eq!(taken(&found(&sequences(&[short.clone()])), "seqs"), Reading::Documented);
    short.0[..80].copy_from_slice(&[b'x'; 80]);
    assert_eq!(taken(&found(&sequences(&[short.clone()])), "seqs"), Reading::Documented);
    short.0[3] = 0;
    assert_eq!(taken(&found(&sequences(&[short])), "seqs"), Reading::Observed);
}

#[test]
fn both_readings_of_a_sequence_are_of_the_same_bytes() {
    let file = sequences(&[sequence_wow("Run", 3333, 4000)]);
    let document = found(&file).document;
    let Content::Sequences(Sequences::Wow(rows)) = &document.chunks[2].content else {
        panic!("no sequences")
    };
    let (observed, documented) = (&rows[0], rows[0].documented());
    assert_eq!((observed.start.get(), observed.end.get()), (3333, 4000));
    assert_eq!((documented.start.get(), documented.end.get()), (3333, 4000));
    assert_eq!(documented.anim_id.get(), u32::from_le_bytes(*b"Run\0"));
    assert_eq!(documented.min[0], observed.radius);
    assert_eq!(documented.max[0], observed.min[2]);
    assert_eq!(documented.blend_time, observed.max[2]);
    assert_eq!(documented.playback_speed.get(), observed.frequency.get().to_bits());
    assert_eq!(documented.frequency, observed.replay_min);
    assert_eq!(documented.unknown_84, observed.replay_max);
    assert_eq!(documented.unknown_88, observed.blend_time);
}

#[test]
fn forced_readings_of_sequences_name_other_fields_and_write_the_same() {
    let file = sequences(&[sequence_wow("Run", 0, 10)]);
    let place =
        |way, field| asked(&file, "seqs", way).map.offset_of(&Path::named("SEQS").index(0).field(field));
    assert!(place(Reading::Observed, "radius").is_some());
    assert!(place(Reading::Observed, "playback_speed").is_none());
    assert!(place(Reading::Documented, "radius").is_none());
    assert!(place(Reading::Documented, "playback_speed").is_some());
    for way in [Reading::Observed, Reading::Documented] {
        assert_eq!(write(&asked(&file, "seqs", way).document).unwrap(), file);
    }
}

/// A model of one layer with these tracks.
fn layered(tracks: &Bytes, globals: usize) -> Vec<u8> {
    let layer = sized(bytes().u32(0).u32(0).i32(0).i32(-1).i32(0).f32s(&[1.]).raw(tracks));
    let material = sized(bytes().i32(0).u32(1).raw(layer));
    let globals = chunk("GLBS", vec![1; globals * 4]);
    wow(vec![chunk("MTLS", bytes().u32(1).u32(0).raw(material)), globals])
}

fn only_track(found: &Read<Document>) -> Track {
    let mut all = Vec::new();
    found.document.each_track(|_, track| all.push(track.clone()));
    assert_eq!(all.len(), 1);
    all.remove(0)
}

#[test]
fn the_head_of_a_track_is_the_one_that_fits() {
    let generic = layered(&floats("KMTA", &[(0, 1.), (5, 2.)]), 0);
    assert_eq!(only_track(&found(&generic)).form, Form::Generic);
    let simple = layered(&bytes().tag("KMTF").u32(2).i32(-1).i32(0).u32(7).i32(9).u32(8), 0);
    let track = only_track(&found(&simple));
    assert_eq!((track.form, track.times, track.values), (Form::Simple, vec![0, 9], vec![7, 8]));
    let whole = layered(&head("KMTF", 2, 0, -1).i32(0).u32(7).i32(9).u32(8), 0);
    let track = only_track(&found(&whole));
    assert_eq!((track.form, track.times, track.values), (Form::Generic, vec![0, 9], vec![7, 8]));
    let bare = layered(&bytes().tag("KMTA").u32(2).i32(0).f32s(&[1.]).i32(9).f32s(&[2.]), 0);
    let found = found(&bare);
    assert_eq!(only_track(&found).form, Form::Documented);
    assert_eq!(taken(&found, "tracks"), Reading::Documented);
}

#[test]
fn as_documented_the_texture_of_a_layer_moves_by_floats() {
    for width in 1..=3_usize {
        let numbers: Vec<f32> = [0.25, 0.5, 0.75].into_iter().take(width).collect();
        let keys = bytes().tag("KMTF").u32(1).i32(40).f32s(&numbers);
        let found = asked(&layered(&keys, 0), "tracks", Reading::Documented);
        let mut seen = Vec::new();
        found.document.each_track(|_, track| seen.push(track.clone()));
        assert_eq!(seen.len(), 1, "{width}");
        assert_eq!((seen[0].form, seen[0].value.words()), (Form::Documented, width));
        assert_eq!(seen[0].floats(0).unwrap().as_slice(), numbers);
    }
}

#[test]
fn a_documented_value_has_as_many_floats_as_fit() {
    for (count, value) in [(1, TrackValue::Float), (2, TrackValue::Pair), (3, TrackValue::Vector)] {
        let floats = &[1., 2., 3.][..count];
        // Three keys fit no other head.
        let keys = (0..3).fold(bytes().tag("KMTA").u32(3), |all, i| all.i32(i).f32s(floats));
        let track = only_track(&found(&layered(&keys, 0)));
        assert_eq!((track.form, track.value, track.times), (Form::Documented, value, vec![0, 1, 2]));
        assert_eq!(track.values.len(), 3 * count);
    }
}

#[test]
fn what_fits_either_form_or_none_is_as_real_files_have_it() {
    // One key of four words: a head and a float, or a time and three floats.
    let tie = |interpolation, global| layered(&head("KMTA", 1, interpolation, global).i32(0).f32s(&[1.]), 2);
    for file in [tie(1, -1), tie(0, 1), tie(1, 2), tie(1, -2)] {
        assert_eq!(taken(&found(&file), "tracks"), Reading::Observed);
        assert_eq!(only_track(&found(&file)).form, Form::Generic);
        assert_eq!(write(&found(&file).document).unwrap(), file);
    }
}

/// A model of layers with these tracks.
fn layers(all: &[Bytes]) -> Vec<u8> {
    let layer = |tracks| sized(bytes().u32(0).u32(0).i32(0).i32(-1).i32(0).f32s(&[1.]).raw(tracks));
    let count = u32::try_from(all.len()).unwrap();
    let layers = all.iter().fold(bytes().i32(0).u32(count), |rows, tracks| rows.raw(layer(tracks)));
    wow(vec![chunk("MTLS", bytes().u32(1).u32(0).raw(sized(layers)))])
}

fn forms(found: &Read<Document>) -> Vec<Form> {
    let mut all = Vec::new();
    found.document.each_track(|_, track| all.push(track.form));
    all
}

/// Two keys with the document's head.
fn bare() -> Bytes {
    bytes().tag("KMTA").u32(2).i32(5).f32s(&[1.]).i32(9).f32s(&[2.])
}

#[test]
fn the_majority_of_records_decides_for_all_and_a_tie_is_observed() {
    let (real, bare) = (floats("KMTA", &[(0, 1.), (5, 2.)]), bare());
    let (generic, documented) = (Form::Generic, Form::Documented);
    for (records, wanted) in [
        (vec![&real, &real, &bare], vec![generic; 2]),
        (vec![&bare, &real, &bare], vec![documented; 2]),
        (vec![&bare, &real], vec![generic]),
        (vec![&bare, &bare, &bare], vec![documented; 3]),
    ] {
        let file = layers(&records.into_iter().cloned().collect::<Vec<_>>());
        let found = found(&file);
        assert_eq!(forms(&found), wanted);
        assert_eq!(write(&found.document).unwrap(), file);
        let is_error = |finding: &&Diagnostic| finding.severity == Severity::Error;
        let broken = common::report(&found).findings().iter().filter(is_error).count();
        assert_eq!(broken, usize::from(wanted.len() < 3), "what is of the other form is kept as it is");
    }
}

#[test]
fn fewer_than_three_votes_are_told() {
    let (real, bare) = (floats("KMTA", &[(0, 1.), (5, 2.)]), bare());
    let told = |records: &[&Bytes]| {
        let file = layers(&records.iter().copied().cloned().collect::<Vec<_>>());
        codes(&file).contains(&"mdx.tracks-evidence")
    };
    assert!(told(&[&real]) && told(&[&bare]) && told(&[&bare, &real]));
    assert!(!told(&[&real, &real, &bare]) && !told(&[&bare, &bare, &bare]));
    assert!(!told(&[&bytes()]), "where nothing was decided nothing is doubtful");
    // Whoever asked knows.
    let forced = asked(&layers(&[real]), "tracks", Reading::Observed);
    assert!(forced.report.findings().is_empty());
}

#[test]
fn forced_readings_of_tracks_differ() {
    // A head that runs by the first global sequence and one key, or a time and three floats.
    let file = layered(&head("KMTA", 1, 1, 0).i32(0).f32s(&[1.]), 1);
    assert_eq!(only_track(&asked(&file, "tracks", Reading::Observed)).form, Form::Generic);
    assert_eq!(only_track(&asked(&file, "tracks", Reading::Documented)).form, Form::Documented);
    // What does not fit the reading asked for is kept as it is.
    let two = layered(&floats("KMTA", &[(0, 1.), (5, 2.), (6, 3.)]), 0);
    let forced = asked(&two, "tracks", Reading::Documented);
    forced.document.each_track(|path, _| panic!("{path} was read"));
    assert_eq!(write(&forced.document).unwrap(), two);
}

#[test]
fn warcraft_has_one_form_whatever_is_asked_for() {
    let file = case("plain-warcraft");
    let found = read(&file, &common::reading(Reading::Documented)).unwrap();
    assert_eq!(found.document.family(), Family::Warcraft);
    assert_eq!(taken(&found, "seqs"), Reading::Observed);
    assert_eq!(taken(&found, "tracks"), Reading::Observed);
    assert_eq!(taken(&found, "inherit"), Reading::Documented);
    assert_eq!(found.document.inherit, Reading::Documented);
    assert_eq!(found.document.chunks, common::found(&file).document.chunks);
}

#[test]
fn the_size_of_modl_tells_the_family_whatever_the_version() {
    for version in [800, 1300, 1400, 1500] {
        let warcraft = file(&[vers(version), common::raw::modl_warcraft()]);
        assert_eq!(found(&warcraft).document.family(), Family::Warcraft);
        let wow = file(&[vers(version), modl_wow()]);
        assert_eq!(found(&wow).document.family(), Family::Wow);
    }
}

#[test]
fn without_modl_other_signs_tell_the_family() {
    let told = |chunks: &[Vec<u8>]| found(&file(chunks)).document.family();
    assert_eq!(told(&[vers(800), chunk("HTST", [])]), Family::Wow);
    assert_eq!(told(&[vers(1300), chunk("MTLS", b"....LAYS")]), Family::Warcraft);
    assert_eq!(told(&[vers(800), chunk("GEOS", b"....BIDX")]), Family::Wow);
    assert_eq!(told(&[vers(1300)]), Family::Wow);
    assert_eq!(told(&[vers(1000)]), Family::Warcraft);
    assert!(codes(&file(&[vers(1300)])).contains(&"mdx.family"));
}

#[test]
fn keys_that_begin_with_zeros_speak_for_the_document_where_there_are_global_sequences() {
    let tracks = bytes().tag("KMTA").u32(2).i32(0).f32s(&[0.]).i32(9).f32s(&[2.]);
    let layer = || sized(bytes().u32(0).u32(0).i32(0).i32(-1).i32(0).f32s(&[1.]).raw(&tracks));
    let material = || sized(bytes().i32(0).u32(1).raw(layer()));
    let materials = bytes().u32(3).u32(0).raw(material()).raw(material()).raw(material());
    let found = found(&wow(vec![chunk("MTLS", materials), chunk("GLBS", vec![1; 4])]));
    assert_eq!(taken(&found, "tracks"), Reading::Documented);
    let errors =
        found.document.chunks.iter().filter(|chunk| matches!(chunk.content, Content::Raw(_))).count();
    assert_eq!(errors, 0);
}
