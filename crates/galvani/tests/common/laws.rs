//! What holds for any bytes as a file of any format, asked through the one door. Tests and fuzz targets share it.
#![allow(dead_code, reason = "each test binary uses its own part")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken law is a failed test")]

use galvani::formats::{Format, OpenOptions, Opened, Sampling, Settings, Shown, Site};
use galvani::{ReadOptions, Severity, Strictness, diff};

/// Poses that are looked at of one document.
const POSES: usize = 40;

/// Everything a document can be asked, of bytes that read; bytes that do not are refused under the format's name, in
/// their place.
pub(crate) fn answers(format: &'static dyn Format, file: &[u8]) -> Option<Opened> {
    let opened = match format.open(file, &OpenOptions::default()) {
        Ok(opened) => opened,
        Err(error) => {
            let prefix = format!("{}.", format.info().id);
            assert!(error.cause.code.name.starts_with(&prefix), "{error}: not under the format's name");
            assert!(error.cause.offset.is_some() || !error.cause.path.is_root(), "{error}: no place");
            return None;
        }
    };
    is_written_back(&opened, file);
    is_told(&opened, file);
    shows_what_it_can(&opened);
    Some(opened)
}

/// From the document alone, byte for byte; and from its folder.
fn is_written_back(opened: &Opened, file: &[u8]) {
    let written = opened.document.write().unwrap_or_else(|error| panic!("does not write: {error}"));
    assert!(written == file, "written back differently");
    let folder = opened.document.unpack();
    let packed = opened.format.pack(&folder).unwrap_or_else(|error| panic!("does not pack: {error}"));
    assert!(packed == file, "packed differently");
}

/// Every finding has its place, every byte its row, and there is something to say of it.
fn is_told(opened: &Opened, file: &[u8]) {
    for finding in opened.check().findings() {
        assert!(finding.offset.is_some() || !finding.path.is_root(), "{finding} has no place");
        assert!(!finding.message.is_empty() && !finding.help.is_empty(), "{finding}");
    }
    let mut dumped = 0;
    opened.map.rows(file, |row| {
        dumped += row.len;
        let _ = opened.document.decoded(&row);
    });
    assert_eq!(dumped, file.len(), "a dump shows every byte once");
    let _ = opened.outline(&Site::NOWHERE).to_json();
    let _ = opened.document.summary();
}

/// Abilities answer or refuse.
fn shows_what_it_can(opened: &Opened) {
    if let Ok(animated) = opened.as_animated()
        && let Ok(samples) = animated.sample(&Sampling::default())
    {
        samples.poses.take(POSES).for_each(drop);
    }
    if let Ok(model) = opened.as_model()
        && let Ok((scene, _)) = model.lift(&Settings::default())
    {
        assert_eq!(galvani::scene::check(&scene), Vec::<String>::new(), "a lifted scene is sound");
    }
    if let Ok(drawn) = opened.as_drawn() {
        let _ = drawn.draw(&Shown::default(), &[]);
        let _ = drawn.pick(&Shown::default(), [0.1, 0.2, 50.0, 0.0, 0.0, -1.0]);
    }
    if let Ok(picture) = opened.as_picture()
        && let Ok(image) = picture.image(&Settings::default())
    {
        assert_eq!(u64::try_from(image.rgba.len()), Ok(u64::from(image.width) * u64::from(image.height)));
    }
    if let Ok(archive) = opened.as_archive() {
        let members = archive.members();
        assert!((0..members.len()).filter_map(|i| archive.member(i)).count() <= members.len());
    }
}

/// What strictness lets pass has no damage, and is the same document.
pub(crate) fn strict_agrees(format: &'static dyn Format, file: &[u8]) {
    let read = ReadOptions { strictness: Strictness::Strict, ..ReadOptions::default() };
    if let Ok(strict) = format.open(file, &read.into()) {
        let tolerant = format.open(file, &OpenOptions::default()).unwrap();
        assert_eq!(strict.document.write().unwrap(), tolerant.document.write().unwrap());
    } else if let Ok(tolerant) = format.open(file, &OpenOptions::default()) {
        let is_error = |severity| severity == Severity::Error;
        let report = tolerant.check();
        assert!(report.findings().iter().any(|one| is_error(one.severity)), "refused for nothing");
    }
}

/// Nothing differs between a document and itself; another is compared without harm.
pub(crate) fn compares(a: &Opened, b: &Opened) {
    let options = OpenOptions::default();
    assert_eq!(diff::diff(a, a, &options).unwrap().len(), 0);
    if a.format.info().id == b.format.info().id {
        let _ = diff::diff(a, b, &options);
    }
}
