//! Field models: every case of `testdata` with its report beside it, every code with a case, no byte lost in any
//! damage.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]
#![allow(clippy::float_cmp, reason = "exactly these numbers are wanted")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use galvani_core::{Code, EditError, Meter, Read, ReadError, ReadOptions, Report, Strictness};
use galvani_ff7::field::{a, hrc, rsd};
use galvani_ff7::pack::edit::Edge;
use galvani_testkit::{assemble_file, reads_or_refuses, truncations, word_damage};
use proptest::prelude::*;

const FORMATS: [&str; 3] = ["ff7-hrc", "ff7-rsd", "ff7-a"];

fn options(strictness: Strictness) -> ReadOptions {
    ReadOptions { strictness, ..ReadOptions::default() }
}

/// Everything that is wrong with a file, or why it does not read.
fn outcome(format: &str, file: &[u8], strictness: Strictness) -> Result<Report, ReadError> {
    fn report<D>(read: Read<D>, check: fn(&D) -> Report) -> Report {
        let mut report = read.report;
        report.append(check(&read.document));
        report.locate(&read.map);
        report
    }
    let options = options(strictness);
    Ok(match format {
        "ff7-hrc" => report(hrc::read(file, &options)?, hrc::check),
        "ff7-rsd" => report(rsd::read(file, &options)?, rsd::check),
        _ => report(a::read(file, &options)?, a::check),
    })
}

/// What reads comes back byte for byte, and every finding has its place.
fn obeys_the_laws(format: &str, file: &[u8]) {
    for strictness in [Strictness::Tolerant, Strictness::Strict] {
        let options = options(strictness);
        match format {
            "ff7-hrc" => drop(reads_or_refuses(format, file, |file| hrc::read(file, &options), hrc::write)),
            "ff7-rsd" => drop(reads_or_refuses(format, file, |file| rsd::read(file, &options), rsd::write)),
            _ => drop(reads_or_refuses(format, file, |file| a::read(file, &options), a::write)),
        }
        if let Ok(report) = outcome(format, file, strictness) {
            for finding in report.findings() {
                assert!(finding.offset.is_some(), "{finding} has no place");
            }
        }
    }
}

fn cases(format: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(format);
    let mut cases: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|case| case.unwrap().path()).collect();
    cases.sort();
    assert!(cases.len() > 10, "the cases are not where they should be");
    let name = |case: &Path| case.file_name().unwrap().display().to_string();
    cases.iter().map(|case| (name(case), assemble_file(&case.join("build.txt")))).collect()
}

fn case(format: &str, name: &str) -> Vec<u8> {
    cases(format).into_iter().find(|(found, _)| found == name).unwrap().1
}

fn skeleton(name: &str) -> hrc::Document {
    hrc::read(&case("ff7-hrc", name), &ReadOptions::default()).unwrap().document
}

fn resource(name: &str) -> rsd::Document {
    rsd::read(&case("ff7-rsd", name), &ReadOptions::default()).unwrap().document
}

fn animation(name: &str) -> a::Document {
    a::read(&case("ff7-a", name), &ReadOptions::default()).unwrap().document
}

#[test]
fn every_case_has_the_report_beside_it() {
    insta::glob!("../../../testdata", "ff7-{hrc,rsd,a}/*/build.txt", |listing| {
        let format = listing.ancestors().nth(2).unwrap().file_name().unwrap().display().to_string();
        let file = assemble_file(listing);
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(listing.parent().unwrap());
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.remove_snapshot_suffix();
        settings.remove_input_file();
        settings.bind(|| insta::assert_snapshot!("report", told(&format, &file)));
    });
}

/// What a reader of the file is told, in both strictnesses.
fn told(format: &str, file: &[u8]) -> String {
    let mut text = format!("{} bytes\n\ntolerant: ", file.len());
    let (reads, report) = match outcome(format, file, Strictness::Tolerant) {
        Ok(report) => ("reads", report),
        Err(error) => ("refused", error.into_report()),
    };
    writeln!(text, "{reads}").unwrap();
    for finding in report.findings() {
        writeln!(text, "{}: {finding}", finding.severity).unwrap();
        for spot in &finding.more {
            writeln!(text, "    also 0x{:08x} {}", spot.offset.unwrap(), spot.path).unwrap();
        }
    }
    text += "\nstrict: ";
    match outcome(format, file, Strictness::Strict) {
        Ok(_) => text += "reads\n",
        Err(error) => writeln!(text, "refused\n{}: {error}", error.cause.severity).unwrap(),
    }
    text
}

#[test]
fn every_code_is_provoked_by_a_case_or_an_edit() {
    let edits = [codes_of_skeletons(), codes_of_resources(), codes_of_animations()];
    let tables: [&[&Code]; 3] = [hrc::check::ALL, rsd::check::ALL, a::check::ALL];
    for ((format, edits), table) in FORMATS.into_iter().zip(edits).zip(tables) {
        let mut provoked: BTreeSet<&str> = edits.into_iter().collect();
        for (_, file) in cases(format) {
            let report = outcome(format, &file, Strictness::Tolerant).unwrap_or_else(ReadError::into_report);
            provoked.extend(report.findings().iter().map(|finding| finding.code.name));
        }
        let all: BTreeSet<&str> = table.iter().map(|code| code.name).collect();
        assert_eq!(provoked, all);
    }
}

fn code(result: Result<(), EditError>) -> &'static str {
    result.unwrap_err().cause.code.name
}

fn codes_of_skeletons() -> Vec<&'static str> {
    let mut plain = skeleton("plain");
    let mut report = Report::default();
    hrc::check::parts(&plain, |name| name == "AAAC.rsd", &mut report);
    assert_eq!(report.findings()[0].count, 2);
    vec![
        report.findings()[0].code.name,
        code(hrc::edit::set_length(&mut plain, 3, 1.0)),
        code(hrc::edit::set_length(&mut plain, 0, f32::NAN)),
        code(hrc::edit::rename(&mut plain, 0, b"pole")),
        code(hrc::edit::reparent(&mut plain, 1, Some(2))),
    ]
}

fn codes_of_resources() -> Vec<&'static str> {
    let mut plain = resource("plain");
    let mut report = Report::default();
    rsd::check::files(&plain, |name| name == "AAAB.p", &mut report);
    assert_eq!(report.findings()[0].count, 2);
    vec![
        report.findings()[0].code.name,
        code(rsd::edit::set_texture(&mut plain, 2, b"A.TIM")),
        code(rsd::edit::set_texture(&mut plain, 1, b"A\n.TIM")),
        code(rsd::edit::set_part(&mut resource("no-mesh"), rsd::edit::RsdFile::Ply, b"A.PLY")),
    ]
}

fn codes_of_animations() -> Vec<&'static str> {
    let mut plain = animation("plain");
    vec![
        a::edit::make_canonical(&mut animation("rest")).findings()[0].code.name,
        a::write(&a::Document { missing: u32::MAX, ..plain.clone() }).unwrap_err().cause.code.name,
        code(a::edit::trim(&mut plain, 1, 2)),
        code(a::edit::delete_frames(&mut plain, 0, 1)),
        code(a::edit::set_rotation(&mut plain, 0, 3, [0.0; 3])),
        code(a::edit::set_position(&mut plain, 0, [f32::INFINITY; 3])),
        code(a::edit::resample(&mut plain, 1, Edge::Loop, &Meter::unlimited())),
        code(a::edit::resample(&mut animation("rotation-order"), 2, Edge::Loop, &Meter::unlimited())),
    ]
}

#[test]
fn every_case_survives_every_damage() {
    for format in FORMATS {
        for (_, file) in cases(format) {
            obeys_the_laws(format, &file);
            truncations(&file).for_each(|cut| obeys_the_laws(format, cut));
            if format == "ff7-a" {
                word_damage(&file, |_, damaged| obeys_the_laws(format, damaged));
            } else {
                byte_damage(&file, |damaged| obeys_the_laws(format, damaged));
            }
        }
    }
}

/// A text with every byte in turn something that means something.
fn byte_damage(file: &[u8], mut each: impl FnMut(&[u8])) {
    let mut damaged = file.to_vec();
    for at in 0..file.len() {
        for byte in [0, b'\n', b' ', b'#', b':', b'=', b'9', 0xff] {
            damaged[at] = byte;
            each(&damaged);
        }
        damaged[at] = file[at];
    }
}

#[test]
fn a_skeleton_says_what_it_should() {
    let document = skeleton("comments");
    let view = document.skeleton();
    let [bone] = view.bones.as_slice() else { panic!("{view:?}") };
    assert_eq!((view.name.unwrap().bytes, bone.name.bytes), (&b"lamp"[..], &b"foot"[..]));
    assert_eq!(bone.length(), Some(4.5));
    assert_eq!(bone.parts.words().collect::<Vec<_>>(), [b"AAAB"]);
    assert!(hrc::check(&document).findings().is_empty());
}

#[test]
fn an_edit_of_a_skeleton_changes_its_own_words_only() {
    let changed = |edit: &dyn Fn(&mut hrc::Document) -> Result<(), EditError>| {
        let mut document = skeleton("plain");
        edit(&mut document).unwrap();
        assert!(hrc::check(&document).findings().is_empty());
        String::from_utf8(document.text).unwrap()
    };
    let plain = String::from_utf8(case("ff7-hrc", "plain")).unwrap();
    let renamed = changed(&|document| hrc::edit::rename(document, 1, b"long pole"));
    assert_eq!(renamed, plain.replace("\npole\r", "\nlong pole\r"), "also where others name it");
    let moved = changed(&|document| hrc::edit::reparent(document, 2, Some(0)));
    assert_eq!(moved, plain.replace("lamp\r\npole", "lamp\r\nfoot"));
    let rooted = changed(&|document| hrc::edit::reparent(document, 1, None));
    assert_eq!(rooted, plain.replace("pole\r\nfoot", "pole\r\nroot"));
    let longer = changed(&|document| hrc::edit::set_length(document, 1, 20.125));
    assert_eq!(longer, plain.replace("20.0", "20.125"));
    let bare = changed(&|document| hrc::edit::set_parts(document, 2, &[]));
    assert_eq!(bare, plain.replace("2 AAAC AAAD", "0"));
    let shown = changed(&|document| hrc::edit::set_parts(document, 1, &[b"X", b"Y"]));
    assert_eq!(shown, plain.replace("\r\n0\r\n", "\r\n2 X Y\r\n"));
    let named = changed(&|document| hrc::edit::set_name(document, b"torch"));
    assert_eq!(named, plain.replace(":SKELETON lamp", ":SKELETON torch"));
}

#[test]
fn an_edit_of_a_resource_changes_its_own_words_only() {
    let mut document = resource("plain");
    let plain = String::from_utf8(document.text.clone()).unwrap();
    rsd::edit::set_texture(&mut document, 1, b"NEW.TIM").unwrap();
    assert_eq!(document.text, plain.replace("AAAD.TIM", "NEW.TIM").into_bytes());
    rsd::edit::add_texture(&mut document, b"MORE.TIM").unwrap();
    assert!(document.text.ends_with(b"TEX[1]=NEW.TIM\r\nTEX[2]=MORE.TIM\r\n"));
    rsd::edit::remove_texture(&mut document).unwrap();
    rsd::edit::set_texture(&mut document, 1, b"AAAD.TIM").unwrap();
    assert_eq!(document.text, plain.clone().into_bytes());
    rsd::edit::set_part(&mut document, rsd::edit::RsdFile::Grp, b"AAAB.XYZ").unwrap();
    assert_eq!(document.text, plain.replace("AAAB.GRP", "AAAB.XYZ").into_bytes());
    assert!(rsd::check(&document).findings().is_empty());
    let mut unended = resource("comments");
    rsd::edit::add_texture(&mut unended, b"b.tim").unwrap();
    assert!(unended.text.ends_with(b"Tex[ 0 ]=aaac.tim\r\nTEX[1]=b.tim"));
    assert!(rsd::check(&unended).findings().is_empty());
}

#[test]
fn a_wrong_number_of_textures_is_set_by_what_changes_them() {
    let wrong = |number: &str| {
        let text = String::from_utf8(resource("plain").text).unwrap().replace("NTEX=2", number);
        rsd::Document { text: text.into_bytes() }
    };
    let mut document = wrong("NTEX=7");
    rsd::edit::add_texture(&mut document, b"MORE.TIM").unwrap();
    assert!(rsd::check(&document).findings().is_empty());
    let mut document = wrong("NTEX=many");
    rsd::edit::remove_texture(&mut document).unwrap();
    assert!(rsd::check(&document).findings().is_empty());
    // Without the line there is nothing to set.
    let refused = rsd::edit::add_texture(&mut wrong("OTHER=2"), b"MORE.TIM").unwrap_err();
    assert_eq!(refused.cause.code, &rsd::check::NO_LINE);
}

#[test]
fn frames_are_what_the_file_says() {
    let document = animation("plain");
    let frame = document.frames.get(1).unwrap();
    assert_eq!((frame.rotation, frame.position), ([0.0, 91.0, 0.0], [0.0, -21.5, 0.0]));
    assert_eq!(frame.bones, [[1.0, 0.0, -0.25], [11.0, 0.0, -1.25]]);
    assert_eq!(frame.degrees(2), Some([11.0, 0.0, -1.25]));
    assert!(document.frames.get(2).is_none());
    let cut = animation("frames-cut");
    assert_eq!((cut.frames.len(), cut.missing, cut.rest.len()), (2, 1, 20));
    assert_eq!((animation("bones-many").frames.len(), animation("frames-many").frames.len()), (0, 2));
}

#[test]
fn only_what_fits_exactly_has_the_shape() {
    for (name, file) in cases("ff7-a") {
        let wanted =
            ["plain", "no-bones", "no-frames", "run-time", "padding", "not-finite"].contains(&name.as_str());
        assert_eq!(a::is_shaped(&file), wanted, "{name}");
    }
}

#[test]
fn resampling_keeps_every_frame_and_goes_the_short_way() {
    let frames = |angles: &[f32]| {
        let mut frames = a::Frames::new(1);
        for &angle in angles {
            frames.push([0.0; 3], [angle, 0.0, 0.0], &[[0.0, angle, 0.0]]);
        }
        a::Document::new(frames)
    };
    let angles = |document: &a::Document| -> Vec<f32> {
        document.frames.iter().map(|frame| frame.bones[0][1].rem_euclid(360.0).round()).collect()
    };
    let mut looped = frames(&[170.0, -170.0]);
    a::edit::resample(&mut looped, 2, Edge::Loop, &Meter::unlimited()).unwrap();
    assert_eq!(angles(&looped), [170.0, 180.0, 190.0, 180.0]);
    let mut once = frames(&[170.0, -170.0, -170.0]);
    let before = once.clone();
    a::edit::resample(&mut once, 4, Edge::Once, &Meter::unlimited()).unwrap();
    assert_eq!(once.frames.len(), 9);
    assert_eq!(
        once.frames.picked([0, 4, 8].into_iter()).unwrap(),
        before.frames,
        "what was there is there bit for bit"
    );
    assert_eq!(once.frames.get(1).unwrap().position, [85.0, 0.0, 0.0]);
}

#[test]
fn edits_of_an_animation_do_what_they_say() {
    let xs = |document: &a::Document| -> Vec<f32> {
        document.frames.iter().map(|frame| frame.position[0]).collect()
    };
    let mut frames = a::Frames::new(0);
    (0..5_u8).for_each(|i| frames.push([0.0; 3], [f32::from(i), 1.0, 2.0], &[]));
    let mut document = a::Document::new(frames);
    a::edit::reverse(&mut document).unwrap();
    assert_eq!(xs(&document), [4.0, 3.0, 2.0, 1.0, 0.0]);
    a::edit::delete_frames(&mut document, 1, 2).unwrap();
    assert_eq!(xs(&document), [4.0, 1.0, 0.0]);
    a::edit::trim(&mut document, 0, 1).unwrap();
    a::edit::offset_position(&mut document, [1.0, 0.0, 0.0]).unwrap();
    a::edit::scale_position(&mut document, 2.0).unwrap();
    assert_eq!(xs(&document), [10.0, 4.0]);
    a::edit::set_rotation(&mut document, 1, 0, [1.0, 2.0, 3.0]).unwrap();
    assert_eq!(document.frames.get(1).unwrap().rotation, [1.0, 2.0, 3.0]);
    let before = document.clone();
    assert!(a::edit::scale_position(&mut document, f32::MAX).is_err());
    assert_eq!(document, before);
}

/// Something like a text of a skeleton or a resource.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        Just(":HEADER_BLOCK 2"),
        Just(":SKELETON x"),
        Just(":BONES 2"),
        Just("@RSD940102"),
        Just("PLY=A.PLY"),
        Just("NTEX=1"),
        Just("TEX[0]=B.TIM"),
        Just("a"),
        Just("b"),
        Just("root"),
        Just("1.5"),
        Just("1 A"),
        Just("0"),
        Just(""),
        Just("# c"),
        Just("\u{e9}"),
    ];
    let line = (word, prop_oneof![Just("\n"), Just("\r\n"), Just("")]);
    let line = line.prop_map(|(word, end)| format!("{word}{end}").into_bytes());
    proptest::collection::vec(line, 0..40).prop_map(|lines| lines.concat())
}

proptest! {
    #[test]
    fn any_text_obeys_the_laws_and_stays_whole_under_edits(
        text in text(),
        bone in 0..4_usize,
        other in 0..4_usize,
        value in any::<f32>(),
        name in "[ -~]{0,3}",
    ) {
        obeys_the_laws("ff7-hrc", &text);
        obeys_the_laws("ff7-rsd", &text);
        let mut skeleton = hrc::Document { text: text.clone() };
        let bones = skeleton.skeleton().bones.len();
        let _ = hrc::edit::rename(&mut skeleton, bone, name.as_bytes());
        let _ = hrc::edit::reparent(&mut skeleton, bone, Some(other));
        let _ = hrc::edit::set_length(&mut skeleton, bone, value);
        let _ = hrc::edit::set_parts(&mut skeleton, other, &[name.as_bytes()]);
        prop_assert_eq!(skeleton.skeleton().bones.len(), bones);
        let mut resource = rsd::Document { text };
        let textures = resource.resource().textures.len();
        let _ = rsd::edit::set_texture(&mut resource, 0, name.as_bytes());
        let _ = rsd::edit::set_part(&mut resource, rsd::edit::RsdFile::Ply, name.as_bytes());
        let added = rsd::edit::add_texture(&mut resource, name.as_bytes()).is_ok();
        prop_assert_eq!(resource.resource().textures.len(), textures + usize::from(added));
        if added {
            rsd::edit::remove_texture(&mut resource).unwrap();
        }
        prop_assert_eq!(resource.resource().textures.len(), textures);
    }

    #[test]
    fn any_animation_obeys_the_laws_and_edits_leave_one(
        mut bytes in proptest::collection::vec(any::<u8>(), 36..400),
        (frames, bones) in (0..8_u8, 0..4_u8),
        (first, last) in (0..8_usize, 0..8_usize),
        value in any::<f32>(),
    ) {
        bytes[4..8].copy_from_slice(&u32::from(frames).to_le_bytes());
        bytes[8..12].copy_from_slice(&u32::from(bones).to_le_bytes());
        obeys_the_laws("ff7-a", &bytes);
        let mut document = a::read(&bytes, &ReadOptions::default()).unwrap().document;
        document.rotation_order = a::ORDER;
        let _ = a::edit::trim(&mut document, first, last);
        let _ = a::edit::delete_frames(&mut document, last, first);
        let _ = a::edit::resample(&mut document, 3, Edge::Loop, &Meter::unlimited());
        let _ = a::edit::offset_position(&mut document, [value; 3]);
        let _ = a::edit::scale_position(&mut document, value);
        let _ = a::edit::set_rotation(&mut document, first, last, [value; 3]);
        a::edit::reverse(&mut document).unwrap();
        a::edit::make_canonical(&mut document);
        let again = a::read(&a::write(&document).unwrap(), &ReadOptions::default()).unwrap().document;
        prop_assert_eq!(again, document);
    }
}
