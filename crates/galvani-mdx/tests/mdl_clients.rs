//! MDL beside war3-model and mdx-m3-viewer, in Node: they make of our text what they make of the model, and their texts read back to it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]

use std::path::{Path, PathBuf};

use galvani_core::{Image, ReadOptions, Severity};
use galvani_mdx::lower::{Options, lower};
use galvani_mdx::{Content, Document, lift, mdl, read, write};
use galvani_testkit::Clients;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// The shipped lantern, where it lies and what it is.
fn lantern() -> (PathBuf, Document) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/lantern.mdx");
    let document = read(&std::fs::read(&path).unwrap(), &ReadOptions::default()).unwrap().document;
    (path, document)
}

/// The lantern in another version, by way of its scene.
fn lantern_of(version: u32) -> (PathBuf, Document) {
    let white = Image { width: 1, height: 1, rgba: vec![[255; 4]] };
    let pictures = vec![lift::Picture { image: Some(white), looked: Vec::new() }; 9];
    let (scene, _) = lift::lift(&lantern().1, &pictures, &lift::Options::default()).unwrap();
    let made = lower(&scene, &Options { version, ..Options::default() }).unwrap();
    let path = folder().join(format!("lantern-{version}.mdx"));
    std::fs::write(&path, &made.files[0].1).unwrap();
    let document = read(&made.files[0].1, &ReadOptions::default()).unwrap().document;
    assert_eq!(document.version, version);
    (path, document)
}

/// The lantern without the weights of its vertices: war3-model reads them only in braces, mdx-m3-viewer only without.
fn without_weights((path, mut document): (PathBuf, Document)) -> (PathBuf, Document) {
    for chunk in &mut document.chunks {
        if let Content::Geosets(geosets) = &mut chunk.content {
            geosets.typed_mut().for_each(|(_, geoset)| geoset.skin = None);
        }
    }
    let path = path.with_extension("bare.mdx");
    std::fs::write(&path, write(&document).unwrap()).unwrap();
    (path, document)
}

/// The later versions, and who reads and writes them in both forms. mdx-m3-viewer takes layers of 900 for longer than they are, and does
/// not know those of 1100.
const LATER: [(u32, &[&str]); 3] =
    [(900, &["war3-model"]), (1000, &["war3-model", "mdx-m3-viewer"]), (1100, &["war3-model"])];

/// Places where other readers take a text and a binary model for different things, whoever wrote them: counts that they make up, bits
/// that they do not set, bounds of geosets, keyed colours, which war3-model turns round (docs/formats/mdl.md#colours),
/// values under tracks, which words cannot say, and gains and colours that go without saying and are nothing to war3-model then.
const READ_OTHERWISE: &[&str] = &[
    ".Info.",
    ".Anims.",
    ".Flags",
    ".flags",
    ".Color.Keys.",
    ".geosetAnimations.0.color.",
    ".lights.0.intensity",
    ".EmissiveGain 1 null",
    ".FresnelColor [1,1,1] null",
];

/// Where others make of a text something else than of the model, a line each: who, where, and both values.
fn differences((path, document): &(PathBuf, Document), readers: &[&str]) -> String {
    let text = path.with_extension("mdl");
    let text = folder().join(text.file_name().unwrap());
    std::fs::write(&text, mdl::print(document).unwrap()).unwrap();
    let [model, text] = [path, &text].map(|path| path.display().to_string());
    let words: Vec<&str> = ["read", &model, &text].into_iter().chain(readers.iter().copied()).collect();
    Clients::in_folder(&folder()).ask("mdl.mjs", &words, "")
}

fn unknown(said: &str) -> Vec<&str> {
    said.lines().filter(|row| !READ_OTHERWISE.iter().any(|known| row.contains(known))).collect()
}

#[test]
fn others_make_of_a_text_what_they_make_of_the_model() {
    let said = differences(&lantern(), &["war3-model", "mdx-m3-viewer"]);
    assert!(said.lines().any(|row| row.starts_with("mdx-m3-viewer .lights.0.intensity 4")), "{said}");
    assert_eq!(unknown(&said), [""; 0]);
}

#[test]
fn others_make_the_same_of_texts_of_later_versions() {
    for (version, readers) in LATER {
        for reader in readers {
            let lantern = lantern_of(version);
            let lantern = if *reader == "war3-model" { lantern } else { without_weights(lantern) };
            assert_eq!(unknown(&differences(&lantern, &[reader])), [""; 0], "{version}");
        }
    }
}

/// How far numbers of six places after the point are off at most; some writers cut the rest off.
const SIX_PLACES: f64 = 1.1e-6;

/// Whether two lines say the same but for that.
fn is_near(a: &str, b: &str) -> bool {
    let words = |line: &str| line.split([' ', ',', ':']).map(str::to_owned).collect::<Vec<_>>();
    let (a, b) = (words(a), words(b));
    let near = |a: &String, b: &String| {
        let numbers = a.parse::<f64>().ok().zip(b.parse::<f64>().ok());
        // And what is left over is rounded to 32 bits.
        let far = |(a, b): (f64, f64)| (a - b).abs() > SIX_PLACES + a.abs() * f64::from(f32::EPSILON);
        a == b || numbers.is_some_and(|both| !far(both))
    };
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| near(a, b))
}

/// What others write of a model as text, read back; nothing about it is worth more than a note.
fn written_by_others(model: &Path, writers: &[&'static str]) -> Vec<(&'static str, Document)> {
    let into = model.with_extension("written");
    let into = folder().join(into.file_name().unwrap());
    std::fs::create_dir_all(&into).unwrap();
    let [model, folder_name] = [model, &into].map(|path| path.display().to_string());
    let words: Vec<&str> =
        ["write", &model, &folder_name].into_iter().chain(writers.iter().copied()).collect();
    Clients::in_folder(&folder()).ask("mdl.mjs", &words, "");
    let read_text = |writer: &&'static str| {
        let text = std::fs::read(into.join(format!("{writer}.mdl"))).unwrap();
        let found = mdl::read(&text, &ReadOptions::default()).unwrap();
        let report = mdl::check(&found.document);
        let worst = report.tally(Severity::Error) + report.tally(Severity::Warning);
        assert_eq!(worst, 0, "{writer}: {:#?}", report.findings());
        (*writer, found.document.into_model())
    };
    writers.iter().map(read_text).collect()
}

#[test]
fn texts_of_others_read_back_to_the_model() {
    let (model, document) = lantern();
    let written = written_by_others(&model, &["mdx-m3-viewer", "war3-model"]);
    let lines = |document: &Document| -> Vec<String> {
        let text = String::from_utf8(mdl::print(document).unwrap()).unwrap();
        text.lines().filter(|line| !line.starts_with("//galvani:")).map(str::to_owned).collect()
    };
    let ours = lines(&document);
    // war3-model turns keyed colours round and leaves out colours without strength.
    let wanted = [
        &[][..],
        &[
            "0: { 0.45, 0.8, 1 },",
            "2100: { 0.45, 0.8, 1 },",
            "4600: { 0.45, 0.8, 1 },",
            "5500: { 0.45, 0.8, 1 },",
            "6500: { 0.2, 0.4, 1 },",
            "static AmbColor { 1, 1, 1 },",
        ],
    ];
    for ((writer, document), wanted) in written.iter().zip(wanted) {
        let theirs = lines(document);
        assert_eq!(ours.len(), theirs.len(), "{writer}");
        let far: Vec<&str> =
            ours.iter().zip(&theirs).filter(|(a, b)| !is_near(a, b)).map(|(a, _)| a.trim()).collect();
        assert_eq!(far, wanted, "{writer}");
    }
}

#[test]
fn texts_of_later_versions_by_others_read_back_to_sound_models() {
    for (version, writers) in LATER {
        let (model, document) = lantern_of(version);
        let shape = |document: &Document| -> Vec<([u8; 4], usize)> {
            document.chunks.iter().map(|chunk| (chunk.tag, chunk.content.len())).collect()
        };
        for (writer, theirs) in written_by_others(&model, writers) {
            assert_eq!(shape(&document), shape(&theirs), "{writer}, {version}");
            let (ours, theirs) = (write(&document).unwrap(), write(&theirs).unwrap());
            assert_eq!(ours.len(), theirs.len(), "{writer}, {version}");
        }
    }
}
