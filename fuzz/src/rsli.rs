//! RsLi archives under the fuzzer.

use arbitrary::{Arbitrary, Unstructured};
use galvani_core::{ReadOptions, Strictness};
use galvani_parkan::rsli::{self, Document, Method, Name, NewEntry, Payload};
use galvani_testkit::{options, reads_or_refuses};

use crate::archive::{Model, edits_and_file, is_accounted_for, name_text, still_holds};

/// Largest content that is unpacked to be compared.
const CONTENT: usize = 1 << 16;

/// Reads in both strictnesses, checks, places the findings, dumps every value; contents have the sizes stated, and
/// packed again they come out the same.
pub(crate) fn read(data: &[u8]) {
    for strictness in [Strictness::Tolerant, Strictness::Strict] {
        let Ok(found) = rsli::read(data, &options(strictness)) else { continue };
        is_accounted_for(&found, data, rsli::check);
        assert_eq!(rsli::in_the_clear(data).expect("there is room").len(), data.len());
        for (i, entry) in found.document.entries.iter().enumerate().take(16) {
            let Ok(content) = found.document.content_within(i, CONTENT) else { continue };
            assert_eq!(u32::try_from(content.len()), Ok(entry.unpacked_size));
            let method = entry.method().expect("what was unpacked has a method");
            let packed = rsli::codec::pack(method, 7, &content).expect("there is room");
            let again =
                rsli::codec::unpack(method, 7, &packed, content.len()).expect("what was packed unpacks");
            assert!(again.bytes == content);
        }
    }
}

/// What reads is written back byte for byte, what does not says why under the format's name.
pub(crate) fn round_trip(data: &[u8]) {
    for strictness in [Strictness::Tolerant, Strictness::Strict] {
        let options = options(strictness);
        reads_or_refuses("rsli", data, |file| rsli::read(file, &options), rsli::write);
    }
}

/// One edit; places are taken modulo what is there.
#[derive(Debug, Arbitrary)]
enum Edit {
    Insert(u8, u8, [u8; 4], Vec<u8>),
    Remove(u8),
    Replace(u8, Vec<u8>),
    Rename(u8, [u8; 4]),
    Reorder(u8, u8),
    SetMethod(u8, u8),
    SetFlags(u8, u16),
    RebuildSortTable,
    MakeCanonical,
}

/// Edits and an archive: it holds the contents that a plain list holds after the same edits, and so it does written
/// and read again.
pub(crate) fn edit(data: &[u8]) {
    let Some((edits, file)) = edits_and_file(data) else { return };
    let Ok(found) = rsli::read(file, &ReadOptions::default()) else { return };
    let mut document = found.document;
    let mut model = holdings(&document);
    for edit in Vec::<Edit>::arbitrary_take_rest(Unstructured::new(edits)).unwrap_or_default() {
        apply(edit, &mut document, &mut model);
        assert_eq!(holdings(&document), model);
        comes_back(&document, &model);
    }
}

fn holdings(document: &Document) -> Model<Name> {
    let content = |i| document.content_within(i, CONTENT).ok();
    document.entries.iter().enumerate().map(|(i, entry)| (entry.name, content(i))).collect()
}

fn apply(edit: Edit, document: &mut Document, model: &mut Model<Name>) {
    let place = |at: u8| usize::from(at) % model.len().max(1);
    let method = |number: u8| Method::ALL[usize::from(number) % Method::ALL.len()];
    match edit {
        Edit::Insert(at, number, name, content) => {
            let (at, name) = (usize::from(at) % (model.len() + 1), named(&name));
            if document.insert(at, NewEntry::new(name, method(number)), &content).is_ok() {
                model.insert(at, (name, Some(content)));
            }
        }
        _ if model.is_empty() => {}
        Edit::Remove(at) => {
            let at = place(at);
            if document.remove(at).is_ok() {
                model.remove(at);
            }
        }
        Edit::Replace(at, content) => {
            let at = place(at);
            if document.replace(at, &content).is_ok() {
                model[at].1 = Some(content);
            }
        }
        Edit::Rename(at, name) => {
            let at = place(at);
            if document.rename(at, named(&name)).is_ok() {
                model[at].0 = named(&name);
            }
        }
        Edit::Reorder(from, to) => {
            let (from, to) = (place(from), place(to));
            if document.reorder(from, to).is_ok() {
                let moved = model.remove(from);
                model.insert(to, moved);
            }
        }
        Edit::SetMethod(at, number) => drop(document.set_method(place(at), method(number))),
        Edit::SetFlags(at, flags) => document.set_flags(place(at), flags).expect("an entry that is there"),
        Edit::RebuildSortTable => drop(document.rebuild_sort_table()),
        Edit::MakeCanonical => {
            if document.make_canonical().is_ok() {
                for (name, _) in model {
                    *name = name.zero_filled();
                }
            }
        }
    }
}

/// Written and read again it holds the same, and is the same document, but for records that lead outside: those stay
/// as they stand, and an archive that grew to reach one is not written.
fn comes_back(document: &Document, model: &Model<Name>) {
    let file = match rsli::write(document) {
        Ok(file) => file,
        Err(error) => {
            assert_eq!(error.cause.code, &rsli::check::PAYLOAD_STRAY, "{error}");
            return;
        }
    };
    let again = rsli::read(&file, &ReadOptions::default()).expect("what was written reads").document;
    still_holds(model, &holdings(&again));
    if document.entries.iter().all(|entry| matches!(entry.payload, Payload::Held { .. })) {
        assert_eq!(again, *document);
    }
}

fn named(bytes: &[u8; 4]) -> Name {
    Name::new(name_text(bytes)).expect("one to four bytes without a NUL")
}
