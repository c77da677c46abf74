//! Files of a header and sections as folders: the header in the manifest, every section a list of records.
//!
//! A number of the header that counts a section is `"count"` in the manifest, so that adding a record is one change.

use galvani_core::record::Field;
use galvani_core::{Path, WriteError};
use serde_json::{Map, Value, json};

use super::{Packing, records};
use crate::codes;

/// The file that bytes behind the last section are in.
pub(super) const REST: &str = "rest.bin";

/// A header as JSON; of the fields named with a number of records those that agree say `"count"`.
pub(super) fn header(bytes: &[u8], fields: &[Field], counts: &[(&str, usize)]) -> Value {
    let mut header = records::record_to_json(bytes, fields);
    for &(field, found) in counts {
        if header[field] == json!(found) {
            header[field] = json!("count");
        }
    }
    header
}

/// Records one a line.
pub(super) fn list(bytes: &[u8], fields: &[Field], stride: usize) -> Vec<u8> {
    (records::lines(&records::to_json(bytes, fields, stride), "") + "\n").into_bytes()
}

/// The bytes of a folder's header, and of each section.
pub(super) struct Parts<'a> {
    folder: Packing<'a>,
    manifest: &'a Map<String, Value>,
}

impl<'a> Parts<'a> {
    /// A folder of that format whose manifest has no other keys.
    pub(super) fn new(packing: &Packing<'a>, format: &str) -> Result<Self, WriteError> {
        let folder = *packing;
        let manifest =
            folder.folder.manifest.as_object().ok_or_else(|| wrong("an object is wanted".to_owned()))?;
        if manifest.get("format") != Some(&json!(format)) {
            return Err(wrong(format!("format: `{format}` is wanted")));
        }
        let known = ["format", "header", "sections", "rest"];
        if let Some(stranger) = manifest.keys().find(|key| !known.contains(&key.as_str())) {
            return Err(wrong(format!("`{stranger}` is no key here")));
        }
        Ok(Parts { folder, manifest })
    }

    /// The header, with what it counts put in.
    pub(super) fn header(&self, fields: &[Field], counts: &[(&str, usize)]) -> Result<Vec<u8>, WriteError> {
        let mut header = self.manifest.get("header").cloned().unwrap_or_default();
        for &(field, found) in counts {
            if header.get(field) == Some(&json!("count")) {
                header[field] = json!(found);
            }
        }
        records::record_from_json(&header, fields).map_err(|error| wrong(format!("header: {error}")))
    }

    /// The file that a section is in; none is an empty section.
    pub(super) fn file(&self, section: &str) -> Result<&'a [u8], WriteError> {
        let Some(name) = self.manifest.get("sections").and_then(|sections| sections.get(section)) else {
            return Ok(&[]);
        };
        self.named(name)
    }

    /// The bytes behind the last section.
    pub(super) fn rest(&self) -> Result<&'a [u8], WriteError> {
        self.manifest.get("rest").map_or(Ok(&[]), |name| self.named(name))
    }

    fn named(&self, name: &Value) -> Result<&'a [u8], WriteError> {
        let file = name.as_str().filter(|name| self.folder.files.contains_key(*name));
        self.folder.part(file.ok_or_else(|| wrong(format!("no file {name} in the folder")))?)
    }

    /// The records of a section and how many they are.
    pub(super) fn list(&self, section: &str, fields: &[Field]) -> Result<(Vec<u8>, usize), WriteError> {
        let text = self.file(section)?;
        if text.is_empty() {
            return Ok((Vec::new(), 0));
        }
        self.folder.charge_text(text)?;
        let rows: Vec<Value> =
            serde_json::from_slice(text).map_err(|error| wrong(format!("{section}: {error}")))?;
        let mut bytes = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            let record = records::record_from_json(row, fields);
            bytes.extend(record.map_err(|error| wrong(format!("{section}[{i}]: {error}")))?);
        }
        Ok((bytes, rows.len()))
    }

    /// Refuses sections that nobody knows.
    pub(super) fn only(&self, known: &[&str]) -> Result<(), WriteError> {
        let sections = self.manifest.get("sections").and_then(Value::as_object);
        match sections.into_iter().flat_map(Map::keys).find(|key| !known.contains(&key.as_str())) {
            Some(stranger) => Err(wrong(format!("sections: `{stranger}` is no section"))),
            None => Ok(()),
        }
    }
}

/// What is wrong with a folder.
pub(super) fn wrong(message: String) -> WriteError {
    codes::MANIFEST.at(Path::named("manifest")).saying(message).into()
}
