//! A polygon file as a folder: the header in the manifest, and every section as a list of its records.

use std::borrow::Cow;
use std::collections::BTreeMap;

use galvani_core::record::Record;
use galvani_core::{ReadOptions, WriteError};
use galvani_ff7::p::{self, Document, Header};
use serde_json::{Map, json};
use zerocopy::IntoBytes;

use crate::formats::sections::{self, Parts, wrong};
use crate::formats::{Comparable, Folder, List, Packing, unreadable};

/// Takes a polygon file apart.
pub(super) fn unpack(document: &Document) -> Folder {
    let mut files = BTreeMap::new();
    let mut names = Map::new();
    let sections = document.sections();
    for section in sections.iter().filter(|section| !section.bytes.is_empty()) {
        let file = format!("sections/{}.json", section.name);
        names.insert(section.name.to_owned(), json!(file));
        files.insert(file, sections::list(section.bytes, section.fields, section.stride));
    }
    let counts = counts(&sections.map(|section| (section.name, section.count_field, section.found())));
    let header = sections::header(document.header.as_bytes(), Header::FIELDS, &counts);
    let mut manifest = json!({"format": "ff7-p", "header": header, "sections": names});
    if !document.rest.is_empty() {
        manifest["rest"] = json!(sections::REST);
        files.insert(sections::REST.to_owned(), document.rest.clone());
    }
    Folder { manifest, files }
}

/// The same for comparing.
pub(super) fn comparable(document: &Document) -> Comparable<'_> {
    let sections = document.sections();
    let counts =
        counts(&sections.each_ref().map(|section| (section.name, section.count_field, section.found())));
    let header = sections::header(document.header.as_bytes(), Header::FIELDS, &counts);
    let mut told = Comparable::new(json!({"format": "ff7-p", "header": header, "sections": {}}));
    for section in sections.into_iter().filter(|section| !section.bytes.is_empty()) {
        let file = format!("sections/{}.json", section.name);
        told.manifest["sections"][section.name] = json!(file);
        let list = List::of_records(Cow::Borrowed(section.bytes), section.fields, section.stride);
        told.records(&file, section.bytes, list);
    }
    if !document.rest.is_empty() {
        told.manifest["rest"] = json!(sections::REST);
        told.name_bytes(sections::REST.to_owned(), document.rest.as_slice());
    }
    told
}

/// The file that a folder describes.
pub(super) fn pack(folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
    let parts = Parts::new(folder, "ff7-p")?;
    let nothing = Document::default();
    let empty = nothing.sections();
    parts.only(&empty.map(|section| section.name))?;
    let mut lists = Vec::new();
    for section in empty {
        lists.push((section, parts.list(section.name, section.fields)?));
    }
    let found: Vec<_> =
        lists.iter().map(|(section, (_, count))| (section.name, section.count_field, *count)).collect();
    let mut file = parts.header(Header::FIELDS, &counts(&found))?;
    for (_, (bytes, _)) in &lists {
        file.extend(bytes);
    }
    file.extend(parts.rest()?);
    let read = p::read(&file, &ReadOptions::default()).map_err(|error| unreadable(*error.cause, wrong))?;
    // Counts that are off would give one section's bytes to another.
    for (section, (empty, (bytes, count))) in read.document.sections().iter().zip(&lists) {
        if section.bytes != bytes.as_slice() {
            let said = format!("{}: {} records counted, {count} there", empty.name, section.wanted);
            return Err(wrong(said));
        }
    }
    Ok(file)
}

/// Which field of the header counts what. One flag says whether there is a table, and two lists have one count.
fn counts<'a>(sections: &[(&str, &'a str, usize)]) -> Vec<(&'a str, usize)> {
    let counted = sections.iter().filter(|(name, ..)| !["normal_index", "polygon_colours"].contains(name));
    counted.map(|&(_, field, found)| (field, found)).collect()
}
