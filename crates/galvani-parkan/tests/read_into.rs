//! Reading into a used document: the same document as reading afresh, and no allocation.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

mod common;

use allocation_counter::measure;
use common::model::Model;
use common::raw::RawArchive;
use common::strategy::{Edit, archive, edit};
use common::{cases, document};
use galvani_core::{ReadOptions, Strictness};
use galvani_parkan::nres::{Document, read, read_into};
use galvani_testkit::options;
use proptest::collection::vec;
use proptest::prelude::*;

/// A document that held other archives, some of them edited.
fn used(before: &[RawArchive], edits: &[Edit]) -> Document {
    let mut document = Document::default();
    for raw in before {
        read_into(&mut document, &raw.bytes(), &ReadOptions::default()).unwrap();
        let mut model = Model::of_document(&document);
        for edit in edits {
            model.edit(edit, &mut document);
        }
    }
    document
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn a_used_document_becomes_that_of_the_file(
        before in vec(archive(12), 0..3), edits in vec(edit(), 0..4), raw in archive(12), strict in any::<bool>(),
    ) {
        let file = raw.bytes();
        let mut into = used(&before, &edits);
        let options = options(if strict { Strictness::Strict } else { Strictness::Tolerant });
        let told = read_into(&mut into, &file, &options);
        match read(&file, &options) {
            Ok(found) => prop_assert_eq!(&into, &found.document),
            Err(error) => {
                let told = told.unwrap_err();
                prop_assert_eq!(&told.cause, &error.cause);
                prop_assert_eq!(&told.before, &error.before);
                prop_assert_eq!(&into, &document(&file), "what reading without strictness gives");
            }
        }
    }

    #[test]
    fn a_second_read_allocates_nothing(raw in archive(40)) {
        let file = raw.bytes();
        let mut into = document(&file);
        let counted = measure(|| read_into(&mut into, &file, &ReadOptions::default()).unwrap());
        prop_assert_eq!(counted.count_total, 0);
    }

    #[test]
    fn where_there_is_no_directory_the_document_stays(raw in archive(12), cut in any::<prop::sample::Index>()) {
        let mut into = document(&raw.bytes());
        let file = raw.bytes();
        let file = &file[..cut.index(file.len() - raw.tail.len())];
        prop_assert!(read_into(&mut into, file, &ReadOptions::default()).is_err());
        prop_assert_eq!(into, document(&raw.bytes()));
    }
}

#[test]
fn one_document_reads_every_case_after_the_other() {
    let mut into = Document::default();
    for (name, file) in cases::all() {
        let Ok(found) = read(&file, &ReadOptions::default()) else { continue };
        read_into(&mut into, &file, &ReadOptions::default()).unwrap();
        assert_eq!(into, found.document, "{name}");
    }
}
