//! What holds for any bytes as a file of any format, asked through the one door. Tests and fuzz targets share it.
#![allow(dead_code, unreachable_pub, reason = "tests and fuzz targets use their own part each")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken law is a failed test")]

use galvani::formats::{ArgumentKind, DrawView, Format, OpenOptions, Opened, Sampling, Settings, Site, Step};
use galvani::{Diagnostic, Meter, ReadOptions, Severity, Strictness, diff};

/// Poses that are looked at of one document.
const POSES: usize = 40;

/// Everything a document can be asked, of bytes that read; bytes that do not are refused under the format's name, in
/// their place.
pub fn answers(format: &'static dyn Format, file: &[u8]) -> Option<Opened> {
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
    let folder = opened.document.unpack().unwrap();
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
    opened.map.rows(&opened.document.in_the_clear(file).unwrap(), |row| {
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
    lifts(opened, &Settings::default(), &Site::NOWHERE);
    if let Ok(drawn) = opened.as_drawn() {
        let _ = drawn.draw(&DrawView::default(), &[], &Meter::unlimited());
        let _ = drawn.pick(&DrawView::default(), [0.1, 0.2, 50.0, 0.0, 0.0, -1.0], &Meter::unlimited());
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

/// A model becomes a scene that is sound, whatever lies beside it, or is refused; whether it became one.
pub fn lifts(opened: &Opened, settings: &Settings, site: &Site<'_>) -> bool {
    let Ok(model) = opened.as_model() else { return false };
    let Ok((scene, _)) = model.lift(settings, site) else { return false };
    let found = galvani::scene::check(&scene);
    assert_eq!(found.tally(Severity::Error), 0, "a lifted scene is sound: {:?}", found.findings());
    true
}

/// What strictness lets pass has no damage, and is the same document.
pub fn strict_agrees(format: &'static dyn Format, file: &[u8]) {
    let read = ReadOptions { strictness: Strictness::Strict, ..ReadOptions::default() };
    if let Ok(strict) = format.open(file, &read.into()) {
        let tolerant = format.open(file, &OpenOptions::default()).unwrap();
        assert_eq!(strict.document.write().unwrap(), tolerant.document.write().unwrap());
    } else if let Ok(tolerant) = format.open(file, &OpenOptions::default()) {
        // A flaw of the game's own files may count less where it is tolerated.
        let report = tolerant.check();
        let is_error = |one: &Diagnostic| Severity::Error == one.severity.max(one.code.severity);
        assert!(report.findings().iter().any(is_error), "refused for nothing");
    }
}

/// Nothing differs between a document and itself; another is compared without harm.
pub fn compares(a: &Opened, b: &Opened) {
    let options = OpenOptions::default();
    assert_eq!(diff::diff(a, a, &options).unwrap().len(), 0);
    if a.format.info().id == b.format.info().id {
        let _ = diff::diff(a, b, &options);
    }
}

/// Operations that somebody picks blindly: a step is done and what it leaves reads and is written back, or it is refused
/// and nothing has changed.
pub fn edits(format: &'static dyn Format, file: &[u8], mut dice: impl Iterator<Item = u8>) {
    let Ok(mut opened) = format.open(file, &OpenOptions::default()) else { return };
    let operations = format.info().operations;
    for _ in 0..4 {
        let Some(operation) =
            dice.next().and_then(|at| operations.get(usize::from(at) % operations.len().max(1)))
        else {
            return;
        };
        let words: Vec<String> = operation.args.iter().map(|arg| word(arg.kind, &mut dice)).collect();
        let words: Vec<&str> =
            std::iter::once(operation.name).chain(words.iter().map(String::as_str)).collect();
        let Ok(step) = Step::from_words(format, &words) else { continue };
        let before = opened.document.write().unwrap();
        let done = step.run(&mut *opened.document);
        // What a step leaves may refuse to be written: a stray record may point into bytes that are there now.
        let Ok(after) = opened.document.write() else {
            assert!(done.is_ok(), "{words:?}: refused, and yet something changed");
            return;
        };
        if done.is_err() {
            assert!(after == before, "{words:?}: refused, and yet something changed");
        }
        let again = format.open(&after, &OpenOptions::default());
        let again = again.unwrap_or_else(|error| panic!("{words:?}: does not read any more: {error}"));
        assert!(again.document.write().unwrap() == after, "{words:?}: not written back");
    }
}

/// A word that may be an argument of that kind.
pub fn word(kind: ArgumentKind, dice: &mut impl Iterator<Item = u8>) -> String {
    let roll = dice.next().unwrap_or(0);
    let one_of =
        |words: &[&str]| words.get(usize::from(roll) % words.len().max(1)).copied().unwrap_or("").to_owned();
    match kind {
        ArgumentKind::Number(least, most) => {
            let picks = [least, least.saturating_add(1), most / 2, most, u32::from(roll)];
            picks[usize::from(roll) % picks.len()].to_string()
        }
        ArgumentKind::Place => one_of(&["0", "#1", "2", "#4294967295"]),
        ArgumentKind::Integer => (i64::from(roll) * 37 - 1000).to_string(),
        ArgumentKind::Float | ArgumentKind::Double => {
            one_of(&["0", "0.5", "-1", "2", "1e30", "NaN", "12.25"])
        }
        ArgumentKind::Floats => one_of(&["none", "0.5", "0,0,1", "0,0,0,1", "1e30,0,0"]),
        ArgumentKind::Vector(len) => vec!["0.5"; len].join(","),
        ArgumentKind::Tag => one_of(&["Texm", "7", "KGTR"]),
        ArgumentKind::Text => {
            one_of(&["a", "hex:ff00", "", "a name that is longer than any room for names may be, by far"])
        }
        ArgumentKind::One(_) | ArgumentKind::OneOr(..) => {
            one_of(&["0", "#1", "all", "2", "none", "root", "nowhere", "3"])
        }
        ArgumentKind::Several(_) => one_of(&["0", "all", "1..2", "7"]),
        ArgumentKind::NamedFile => one_of(&["", "junk"]),
        ArgumentKind::Folder => String::new(),
        ArgumentKind::NumberedFile => one_of(&["1=junk", "11=", "0=x"]),
        ArgumentKind::NumberOrColor(_, most) => one_of(&["0", "#ff8000", &most.to_string(), "#000000"]),
        ArgumentKind::List(kind) => word(*kind, dice),
        ArgumentKind::File => one_of(&["", "junk", "[{\"position\":[0,0,0],\"bones\":[[0,0,0]]}]"]),
        ArgumentKind::Word(words) => one_of(words),
    }
}
