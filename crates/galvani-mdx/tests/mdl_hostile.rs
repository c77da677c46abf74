//! Texts that are made to take much: they read, or are refused, in time and memory that follow from their length.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

use std::time::{Duration, Instant};

use galvani_core::{Budget, ReadError, ReadOptions};
use galvani_mdx::{mdl, write};

/// What the slowest of these takes unoptimised on a busy machine, several times over. One whose time grew with the square of its
/// length would take hours.
const PATIENCE: Duration = Duration::from_secs(100);

/// Reads a text and checks it, in time.
fn in_time(name: &str, text: &str) -> Result<mdl::Document, ReadError> {
    let start = Instant::now();
    let read = mdl::read(text.as_bytes(), &ReadOptions::default()).map(|read| read.document);
    if let Ok(document) = &read {
        assert!(mdl::check(document).findings().iter().all(|finding| finding.line.is_some()), "{name}");
    }
    assert!(start.elapsed() < PATIENCE, "{name}: {:?}", start.elapsed());
    read
}

const HEAD: &str = "Version {\n\tFormatVersion 1100,\n}\nModel \"a\" {\n}\n";

#[test]
fn a_hundred_megabytes_of_nesting_end_in_a_finding_with_line_and_column() {
    let text = format!("{HEAD}Bone \"a\" {{\n\tx {}", "{".repeat(100_000_000));
    let document = in_time("nesting", &text).unwrap();
    let report = mdl::check(&document);
    let codes: Vec<_> = report.findings().iter().map(|finding| (finding.code.name, finding.line)).collect();
    assert!(codes.contains(&("mdl.unknown-word", Some((7, 2)))), "{codes:?}");
    assert!(codes.contains(&("mdl.unclosed", Some((7, 100_000_004)))), "{codes:?}");
}

#[test]
fn time_follows_from_length() {
    let anims = "\tAnim {\n\t}\n".repeat(100_000);
    let rows = "{ 0, 0, 0 },\n".repeat(100_000);
    let notes = |line: &str| format!("//galvani: {line}\n").repeat(60_000);
    let texts = [
        ("blocks that are not closed", "Bone \"a\" {".repeat(200_000)),
        ("a comment that does not end", format!("{HEAD}{}", "/* /".repeat(1 << 20))),
        ("texts that do not end", "Bone \"\n".repeat(200_000)),
        ("comments about nothing", format!("{}Geoset {{\n{anims}}}\n", notes("in \"Anim[7]\" x"))),
        (
            "textures before all others",
            format!(
                "Materials {{ Material {{ Layer {{\n{}{} }} }} }}",
                "TextureID 0\n".repeat(60_000),
                notes("Slot 0 9 9")
            ),
        ),
        (
            "records before all others",
            format!("Materials {{ {}\n{} }}", "Material {} ".repeat(60_000), notes("Material 0 \"00\"")),
        ),
        (
            "as many chunks as rows",
            format!("//galvani: Chunks{}\nPivotPoints {{ {rows} }}\n", " \"PIVT\" 1".repeat(100_000)),
        ),
        (
            "what stands behind records",
            format!("//galvani: Chunks{}\n{}", " \"BONE\"".repeat(60_000), notes("Rest 7 \"00\"")),
        ),
        ("findings backwards", "Geoset { Vertices 9 { { 0 } x } }\n".repeat(60_000)),
    ];
    for (name, text) in texts {
        let text = format!("{HEAD}{text}");
        let document = in_time(name, &text).unwrap();
        let start = Instant::now();
        let binary = write(document.model()).unwrap();
        assert_eq!(mdl::write(&document).unwrap(), text.as_bytes(), "{name}");
        if let Ok(again) = galvani_mdx::read(&binary, &ReadOptions::default()) {
            let again = mdl::from_model(&again.document).unwrap();
            assert!(write(again.model()).unwrap() == binary, "{name}");
        }
        assert!(start.elapsed() < PATIENCE, "{name}: {:?}", start.elapsed());
    }
}

#[test]
fn short_words_do_not_make_long_records_without_end() {
    for word in ["Geoset{}", "Camera\"\"{}", "Textures{Bitmap{}}"] {
        let text = format!("{HEAD}{}", word.repeat((8 << 20) / word.len()));
        let budget = Budget { memory: Some(16 << 20), ..Budget::default() };
        let read = mdl::read(text.as_bytes(), &ReadOptions { budget, ..ReadOptions::default() });
        assert_eq!(read.unwrap_err().cause.code.name, "file.out-of-memory", "{word}");
    }
    let text = format!("{HEAD}Textures{{{}}}", "Bitmap{}".repeat(1 << 20));
    assert_eq!(in_time("textures", &text).unwrap_err().cause.code.name, "file.out-of-memory");
}

#[test]
fn an_edit_of_everything_takes_time_as_long_as_the_text() {
    let bone = |i| format!("Bone \"b\" {{\n\tObjectId   {i},\n}}\n");
    let bones: Vec<String> = (0..60_000).map(bone).collect();
    let mut document = in_time("bones", &format!("{HEAD}{}", bones.concat())).unwrap();
    for chunk in &mut document.model_mut().chunks {
        if let galvani_mdx::Content::Bones(bones) = &mut chunk.content {
            for (_, bone) in bones.typed_mut() {
                bone.node.fixed.object_id = (bone.node.fixed.object_id.get() + 1).into();
            }
        }
    }
    let start = Instant::now();
    let text = String::from_utf8(mdl::write(&document).unwrap()).unwrap();
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    assert!(text.ends_with("Bone \"b\" {\n\tObjectId   60000,\n}\n"));
}
