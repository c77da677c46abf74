//! Every operation of every format on samples: `testdata/edits` says what each changes.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use galvani::core::history::History;
use galvani::formats::{self, ArgumentKind, Document, FORMATS, Format, OpenOptions, Opened, Operation, Step};
use galvani::{ff7, mdx, parkan, texture};

use crate::open;
use crate::steps::{TestFiles, plausible_words, step, subject};

/// The values of a file by their places in it.
fn values(format: &'static dyn Format, file: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let opened = open(format, file);
    let clear = opened.document.in_the_clear(file).unwrap();
    let mut values = BTreeMap::new();
    opened.map.rows(&clear, |row| {
        values.insert(row.path.to_string(), clear[row.offset..row.offset + row.len].to_vec());
    });
    values
}

/// A place without its numbers: what it is, not which.
fn kind(place: &str) -> String {
    let mut kind = String::new();
    for piece in place.split_inclusive('[') {
        match piece.split_once(']') {
            Some((_, rest)) => kind.extend(["]", rest]),
            None => kind.push_str(piece),
        }
    }
    kind
}

/// What differs between two files, each kind of place once; a place that is new or gone differs.
fn changed(format: &'static dyn Format, before: &[u8], after: &[u8]) -> BTreeSet<String> {
    let (old, new) = (values(format, before), values(format, after));
    let places: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    places.into_iter().filter(|place| old.get(*place) != new.get(*place)).map(|place| kind(place)).collect()
}

/// What a step makes of a document, and what is there when it was taken back and made again.
fn there_and_back<D: Document + Clone>(document: D, step: &Step) -> Option<[Vec<u8>; 3]> {
    let write = |history: &History<D>| history.now().write().unwrap();
    let mut history = History::new(document);
    history.edit(|document| step.run(document)).ok()?;
    let made = write(&history);
    assert!(history.undo());
    let undone = write(&history);
    assert!(history.redo());
    Some([made, undone, write(&history)])
}

/// The same, whatever the document's type.
fn tried(opened: Opened, step: &Step) -> Option<[Vec<u8>; 3]> {
    let document: Box<dyn Any> = opened.document;
    macro_rules! one_of {
        ($($type:ty),+ $(,)?) => {{
            let mut document = document;
            $(document = match document.downcast::<$type>() {
                Ok(own) => return there_and_back(*own, step),
                Err(other) => other,
            };)+
            drop(document);
            panic!("a format whose type is not here");
        }};
    }
    one_of!(
        formats::rsli::Document,
        parkan::nres::Document,
        parkan::msh::Document,
        parkan::texm::Document,
        parkan::mat0::Document,
        parkan::wear::Document,
        ff7::lgp::Document,
        ff7::pack::Document,
        ff7::skeleton::Document,
        ff7::p::Document,
        ff7::tex::Document,
        ff7::field::hrc::Document,
        ff7::field::rsd::Document,
        ff7::field::a::Document,
        mdx::Document,
        mdx::mdl::Document,
        texture::blp::Document,
        texture::dds::Document,
    )
}

/// What an operation does to one of the files that are tried: where, with which words, and the kinds of places that it changes.
struct Case {
    file: String,
    words: Vec<&'static str>,
    changed: BTreeSet<String>,
}

/// The first plausible way to change something: in a sample, or in a case of the format where a sample has nothing to mend.
fn case(format: &'static dyn Format, operation: &Operation) -> Case {
    let sample = ("sample".to_owned(), subject(format, operation).document.write().unwrap());
    for (file, before) in std::iter::once(sample).chain(galvani_testkit::cases(format.info().id, 0)) {
        for words in plausible_words(operation) {
            let Some(changed) = changes(format, operation, &words, &before) else { continue };
            if !changed.is_empty() {
                return Case { file, words, changed };
            }
        }
    }
    panic!("{} of {} changes nothing anywhere", operation.name, format.info().id)
}

/// The kinds of places that change; nothing where it is refused. It can be taken back.
fn changes(
    format: &'static dyn Format,
    operation: &Operation,
    words: &[&'static str],
    before: &[u8],
) -> Option<BTreeSet<String>> {
    let sample = subject(format, operation);
    let opened = if sample.document.write().unwrap() == before {
        sample
    } else {
        format.open(before, &OpenOptions::default()).ok()?
    };
    let [made, undone, again] = tried(opened, &step(format, operation, words))?;
    assert!(undone == before, "{} {words:?}: not taken back", operation.name);
    assert!(again == made, "{} {words:?}: not made again", operation.name);
    Some(changed(format, before, &made))
}

#[test]
fn every_operation_changes_what_its_case_says_and_can_be_taken_back_to_the_byte() {
    for format in FORMATS {
        let info = format.info();
        if info.operations.is_empty() {
            continue;
        }
        let mut said = String::new();
        for operation in info.operations {
            let case = case(*format, operation);
            let words: Vec<String> = case.words.iter().map(|word| format!(" {word:?}")).collect();
            let file = if case.file == "sample" { String::new() } else { format!(", of {}", case.file) };
            writeln!(said, "{}{}{file}", operation.name, words.concat()).unwrap();
            for kind in case.changed {
                writeln!(said, "    {kind}").unwrap();
            }
        }
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/edits"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(info.id, said));
    }
}

/// A word that is none of a kind; nothing where every word is one.
fn wrong(kind: ArgumentKind) -> Option<&'static str> {
    match kind {
        ArgumentKind::Text | ArgumentKind::File | ArgumentKind::NamedFile | ArgumentKind::Folder => None,
        ArgumentKind::List(kind) => wrong(*kind),
        _ => Some("nobody-is-called-so"),
    }
}

#[test]
fn an_operation_names_the_argument_that_is_wrong() {
    let mut count = 0;
    for format in FORMATS {
        for operation in format.info().operations {
            let words = plausible_words(operation).swap_remove(0);
            for (i, arg) in operation.args.iter().enumerate() {
                let Some(wrong) = wrong(arg.kind) else { continue };
                let mut words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
                words[i] = wrong.to_owned();
                let all = std::iter::once(operation.name.to_owned()).chain(words);
                let said = match Step::next(*format, &mut all.into_iter(), &mut TestFiles(*format)) {
                    Err(refused) => refused.to_string(),
                    Ok(step) => {
                        let mut opened = subject(*format, operation);
                        step.unwrap().run(&mut *opened.document).unwrap_err().to_string()
                    }
                };
                let place = format!("{} {} of {}: {said}", format.info().id, arg.name, operation.name);
                assert!(said.contains(arg.name) || said.contains(wrong), "{place}");
                count += 1;
            }
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn a_file_argument_that_is_none_is_refused() {
    for (format, words) in
        [("mdx", &["copy-sequence", "junk", "Walk"]), ("ff7-pack", &["copy-clip", "junk", "0"])]
    {
        let format = crate::format(format);
        let step = Step::from_words(format, words).unwrap();
        let operation = format.info().operations.iter().find(|one| one.name == words[0]).unwrap();
        let mut opened = subject(format, operation);
        let before = opened.document.write().unwrap();
        assert!(step.run(&mut *opened.document).is_err());
        assert!(opened.document.write().unwrap() == before);
    }
}
