//! LGP archives under the fuzzer.

use arbitrary::{Arbitrary, Unstructured};
use galvani_core::{ReadOptions, Strictness};
use galvani_ff7::lgp::{self, Archive, Document, MAGIC, Name, slot_of};
use galvani_testkit::{options, reads_or_refuses};

use crate::archive::{Model, edits_and_file, is_accounted_for, name_text, still_holds};

/// Reads in both strictnesses, checks, places the findings, and dumps every value.
pub(crate) fn read(data: &[u8]) {
    for strictness in [Strictness::Tolerant, Strictness::Strict] {
        let Ok(found) = lgp::read(data, &options(strictness)) else { continue };
        is_accounted_for(&found, data, lgp::check);
        if strictness == Strictness::Strict {
            assert_eq!((found.document.magic, found.document.conflicts.is_some()), (MAGIC, true));
            assert!((0..found.document.entries.len()).all(|i| found.document.payload(i).is_some()));
        }
    }
}

/// What reads is written back byte for byte; what the table lists is found there, all else by its name.
pub(crate) fn round_trip(data: &[u8]) {
    for strictness in [Strictness::Tolerant, Strictness::Strict] {
        let options = options(strictness);
        reads_or_refuses("lgp", data, |file| lgp::read(file, &options), lgp::write);
    }
    let (Ok(archive), Ok(found)) = (Archive::open(data), lgp::read(data, &ReadOptions::default())) else {
        return;
    };
    for (i, entry) in found.document.entries.iter().enumerate().take(64) {
        let name = entry.name.text();
        assert_eq!(archive.payload(i), found.document.payload(i));
        let hit = archive.find(name).expect("a name that is there");
        assert!(found.document.entries[hit].name.text().eq_ignore_ascii_case(name));
        match archive.find_listed(name) {
            Some(listed) => {
                let rows = found.document.lookup[slot_of(name).expect("a slot")].rows();
                assert!(listed == hit && rows.contains(&listed));
            }
            None => assert_eq!(Some(hit), found.document.find(name)),
        }
    }
}

/// One edit; places are taken modulo what is there.
#[derive(Debug, Arbitrary)]
enum Edit {
    Add([u8; 4], Vec<u8>),
    Remove(u8),
    Replace(u8, Vec<u8>),
    Rename(u8, [u8; 4]),
    RebuildLookup,
    MakeCanonical,
}

/// A first byte says how many bytes of edits follow; the rest is an archive. The edited archive holds what
/// a plain list holds after the same edits, and so it does written and read again.
pub(crate) fn edit(data: &[u8]) {
    let Some((edits, file)) = edits_and_file(data) else { return };
    let Ok(found) = lgp::read(file, &ReadOptions::default()) else { return };
    let mut document = found.document;
    let mut model = holdings(&document);
    for edit in Vec::<Edit>::arbitrary_take_rest(Unstructured::new(edits)).unwrap_or_default() {
        apply(edit, &mut document, &mut model);
        assert_eq!(holdings(&document), model);
        comes_back(&document, &model);
    }
}

fn holdings(document: &Document) -> Model<Name> {
    let bytes = |i| document.payload(i).map(<[u8]>::to_vec);
    document.entries.iter().enumerate().map(|(i, entry)| (entry.name, bytes(i))).collect()
}

fn apply(edit: Edit, document: &mut Document, model: &mut Model<Name>) {
    let place = |at: u8| usize::from(at) % model.len().max(1);
    let before = document.clone();
    match edit {
        Edit::Add(name, bytes) => match document.add(named(name), &bytes) {
            Ok(at) => model.insert(at, (named(name), Some(bytes))),
            Err(_) => assert_eq!(*document, before, "what is refused changes nothing"),
        },
        _ if model.is_empty() => {}
        Edit::Remove(at) => {
            let at = place(at);
            document.remove(at).expect("an entry that is there");
            model.remove(at);
        }
        Edit::Replace(at, bytes) => {
            let at = place(at);
            document.replace(at, &bytes).expect("an entry that is there");
            model[at].1 = Some(bytes);
        }
        Edit::Rename(at, name) => {
            let from = place(at);
            match document.rename(from, named(name)) {
                Ok(to) => {
                    let (_, bytes) = model.remove(from);
                    model.insert(to, (named(name), bytes));
                }
                Err(_) => assert_eq!(*document, before, "what is refused changes nothing"),
            }
        }
        Edit::RebuildLookup => document.rebuild_lookup(),
        Edit::MakeCanonical => match document.make_canonical() {
            Ok(_) => {
                model.sort_by_key(|(name, _)| slot_of(name.text()).unwrap_or(usize::MAX));
                for (name, _) in model {
                    *name = name.zero_filled();
                }
            }
            Err(_) => assert_eq!(*document, before, "what is refused changes nothing"),
        },
    }
}

/// A name of the bytes before a NUL, or `x`.
fn named(bytes: [u8; 4]) -> Name {
    Name::new(name_text(&bytes)).expect("one to four bytes without a NUL")
}

/// Written and read again it holds the same, and is the same document, but for entries without a record: an
/// archive in which one would come to lie in other bytes is not written. A conflict table that could not be read may
/// be read once the records behind it moved.
fn comes_back(document: &Document, model: &Model<Name>) {
    let file = match lgp::write(document) {
        Ok(file) => file,
        Err(error) => {
            assert_eq!(error.cause.code, &lgp::check::RECORD_STRAY, "{error}");
            return;
        }
    };
    let again = lgp::read(&file, &ReadOptions::default()).expect("what was written reads").document;
    assert_eq!(lgp::write(&again).expect("what was read is written"), file);
    still_holds(model, &holdings(&again));
    if document.conflicts.is_some() {
        assert_eq!(again, *document);
    }
}
