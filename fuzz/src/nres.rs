//! NRes archives under the fuzzer.

use arbitrary::{Arbitrary, Unstructured};
use galvani_core::{ReadOptions, Strictness, WriteError};
use galvani_parkan::nres::{self, Archive, Attribute, Document, Name, NewEntry};
use galvani_testkit::{options, reads_or_refuses};

use crate::archive::{Model, edits_and_file, is_accounted_for, name_text, still_holds};

/// Reads in both strictnesses, checks, places the findings, and dumps every value.
pub(crate) fn read(data: &[u8]) {
    for strictness in [Strictness::Tolerant, Strictness::Strict] {
        let Ok(found) = nres::read(data, &options(strictness)) else { continue };
        is_accounted_for(&found, data, nres::check);
        if strictness == Strictness::Strict {
            assert_eq!((found.document.version, found.document.tail.len()), (nres::VERSION, 0));
        }
    }
}

/// What reads is written back byte for byte; searches agree with a look from the start, borrowed archives with owned ones,
/// and documents that were used before with fresh ones.
pub(crate) fn round_trip(data: &[u8]) {
    for strictness in [Strictness::Tolerant, Strictness::Strict] {
        let options = options(strictness);
        reads_or_refuses("nres", data, |file| nres::read(file, &options), nres::write);
    }
    let (Ok(archive), Ok(found)) = (Archive::open(data), nres::read(data, &ReadOptions::default())) else {
        return;
    };
    for (i, entry) in found.document.entries.iter().enumerate().take(64) {
        assert_eq!(archive.find(entry.name.text()), found.document.find(entry.name.text()));
        assert_eq!(archive.payload(i), found.document.payload(i));
    }
    let mut used = found.document.clone();
    let _ = used.remove(0);
    nres::read_into(&mut used, data, &ReadOptions::default()).expect("what reads is read again");
    assert_eq!(used, found.document);
}

/// One edit; places are taken modulo what is there.
#[derive(Debug, Arbitrary)]
enum Edit {
    Insert(u8, [u32; 4], [u8; 4], Vec<u8>),
    Remove(u8),
    Replace(u8, Vec<u8>),
    Rename(u8, [u8; 4]),
    Reorder(u8, u8),
    Set(u8, u8, u32),
    RebuildSortTable,
    MakeCanonical,
}

/// A first byte says how many bytes of edits follow; the rest is an archive. The edited archive holds what
/// a plain list holds after the same edits, and so it does written and read again.
pub(crate) fn edit(data: &[u8]) {
    let Some((edits, file)) = edits_and_file(data) else { return };
    let Ok(found) = nres::read(file, &ReadOptions::default()) else { return };
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
    match edit {
        Edit::Insert(at, [type_id, attr1, attr2, attr3], name, bytes) => {
            let (at, name) = (usize::from(at) % (model.len() + 1), named(name));
            let entry = NewEntry { type_id, attr1, attr2, attr3, name };
            document.insert(at, entry, bytes.clone()).expect("a place that is there");
            model.insert(at, (name, Some(bytes)));
        }
        _ if model.is_empty() => {}
        Edit::Remove(at) => {
            let at = place(at);
            document.remove(at).expect("an entry that is there");
            model.remove(at);
        }
        Edit::Replace(at, bytes) => {
            let at = place(at);
            document.replace(at, bytes.clone()).expect("an entry that is there");
            model[at].1 = Some(bytes);
        }
        Edit::Rename(at, name) => {
            let at = place(at);
            document.rename(at, named(name)).expect("an entry that is there");
            model[at].0 = named(name);
        }
        Edit::Reorder(from, to) => {
            let (from, to) = (place(from), place(to));
            document.reorder(from, to).expect("entries that are there");
            let moved = model.remove(from);
            model.insert(to, moved);
        }
        Edit::Set(at, field, value) => {
            let fields = [Attribute::TypeId, Attribute::Attr1, Attribute::Attr2, Attribute::Attr3];
            let field = fields[usize::from(field) % fields.len()];
            document.set(place(at), field, value).expect("an entry that is there");
        }
        Edit::RebuildSortTable => document.rebuild_sort_table(),
        Edit::MakeCanonical => {
            if document.make_canonical().is_ok() {
                for (name, _) in model {
                    *name = name.zero_filled();
                }
            }
        }
    }
}

/// What was written; `None` where a record that led outside would have come to lie inside.
pub(crate) fn written(outcome: Result<Vec<u8>, WriteError>) -> Option<Vec<u8>> {
    match outcome {
        Ok(file) => Some(file),
        Err(error) => {
            assert_eq!(error.cause.code, &nres::check::PAYLOAD_STRAY, "{error}");
            None
        }
    }
}

/// A name of the bytes before a NUL, or `x`.
fn named(bytes: [u8; 4]) -> Name {
    Name::new(name_text(&bytes)).expect("one to four bytes without a NUL")
}

/// Written and read again it holds the same, and is the same document, but for records that lead outside:
/// those stay as they stand, and an archive that grew to reach one is not written.
fn comes_back(document: &Document, model: &Model<Name>) {
    let Some(file) = written(nres::write(document)) else { return };
    let again = nres::read(&file, &ReadOptions::default()).expect("what was written reads").document;
    still_holds(model, &holdings(&again));
    if model.iter().all(|(_, bytes)| bytes.is_some()) {
        assert_eq!(again, *document);
    }
}
