//! MDL beside war3-model and mdx-m3-viewer, in Node: they make of our text what they make of the model, and their texts read back to it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]

use std::path::{Path, PathBuf};

use galvani_core::{ReadOptions, Severity};
use galvani_mdx::{Document, mdl, read};
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

/// Places where other readers take a text and a binary model for different things, whoever wrote them: counts that they make up, bits
/// that they do not set, bounds of geosets, keyed colours, which war3-model turns round (docs/formats/mdl.md#colours), and
/// values under tracks, which words cannot say.
const READ_OTHERWISE: &[&str] = &[
    ".Info.",
    ".Anims.",
    ".Flags",
    ".flags",
    ".Color.Keys.",
    ".geosetAnimations.0.color.",
    ".lights.0.intensity",
];

#[test]
fn others_make_of_a_text_what_they_make_of_the_model() {
    let (model, document) = lantern();
    let text = folder().join("lantern.mdl");
    std::fs::write(&text, mdl::print(&document).unwrap()).unwrap();
    let [model, text] = [model, text].map(|path| path.display().to_string());
    let said = Clients::in_folder(&folder()).ask(
        "mdl.mjs",
        &["read", &model, &text, "war3-model", "mdx-m3-viewer"],
        "",
    );
    // Rows of reader, place and both values.
    let rows: Vec<&str> = said.lines().collect();
    assert!(rows.iter().any(|row| row.starts_with("mdx-m3-viewer .lights.0.intensity 4")), "{said}");
    let others: Vec<&&str> =
        rows.iter().filter(|row| !READ_OTHERWISE.iter().any(|known| row.contains(known))).collect();
    assert!(others.is_empty(), "{others:#?}");
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

#[test]
fn texts_of_others_read_back_to_the_model() {
    let (model, document) = lantern();
    let [path, into] = [model, folder()].map(|path| path.display().to_string());
    Clients::in_folder(&folder()).ask("mdl.mjs", &["write", &path, &into], "");
    let lines = |document: &Document| -> Vec<String> {
        let text = String::from_utf8(mdl::print(document).unwrap()).unwrap();
        text.lines().filter(|line| !line.starts_with("//galvani:")).map(str::to_owned).collect()
    };
    let ours = lines(&document);
    // war3-model turns keyed colours round and leaves out colours without strength.
    let wanted = [
        ("mdx-m3-viewer", &[][..]),
        (
            "war3-model",
            &[
                "0: { 0.45, 0.8, 1 },",
                "2100: { 0.45, 0.8, 1 },",
                "4600: { 0.45, 0.8, 1 },",
                "5500: { 0.45, 0.8, 1 },",
                "6500: { 0.2, 0.4, 1 },",
                "static AmbColor { 1, 1, 1 },",
            ],
        ),
    ];
    for (writer, wanted) in wanted {
        let text = std::fs::read(folder().join(format!("{writer}.mdl"))).unwrap();
        let found = mdl::read(&text, &ReadOptions::default()).unwrap();
        let report = mdl::check(&found.document);
        let worst = report.tally(Severity::Error) + report.tally(Severity::Warning);
        assert_eq!(worst, 0, "{writer}: {:#?}", report.findings());
        let theirs = lines(found.document.model());
        assert_eq!(ours.len(), theirs.len(), "{writer}");
        let far: Vec<&str> =
            ours.iter().zip(&theirs).filter(|(a, b)| !is_near(a, b)).map(|(a, _)| a.trim()).collect();
        assert_eq!(far, wanted, "{writer}");
    }
}
