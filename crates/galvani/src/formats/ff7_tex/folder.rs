//! A texture as a folder: the header in the manifest, the palette as a list, the pixels as they are.

use std::borrow::Cow;
use std::collections::BTreeMap;

use galvani_core::record::Record;
use galvani_core::{ReadOptions, WriteError};
use galvani_ff7::tex::{self, Colour, ColourKey, Document, Header};
use serde_json::{Map, json};
use zerocopy::IntoBytes;

use crate::formats::sections::{self, Parts, wrong};
use crate::formats::{Comparable, Folder, List, Packing, unreadable};

const PALETTE: &str = "palette.json";
const PIXELS: &str = "pixels.bin";
const COLOUR_KEYS: &str = "colour_keys.json";

/// Takes a texture apart.
pub(super) fn unpack(document: &Document) -> Folder {
    let palette = sections::list(document.palette.as_bytes(), Colour::FIELDS, size_of::<Colour>());
    let keys = sections::list(document.colour_keys.as_bytes(), ColourKey::FIELDS, size_of::<ColourKey>());
    let parts = [
        ("palette", PALETTE, palette, document.palette.is_empty()),
        ("pixels", PIXELS, document.pixels.clone(), document.pixels.is_empty()),
        ("colour_keys", COLOUR_KEYS, keys, document.colour_keys.is_empty()),
    ];
    let (mut files, mut names) = (BTreeMap::new(), Map::new());
    for (part, file, bytes, _) in parts.into_iter().filter(|(.., is_empty)| !is_empty) {
        names.insert(part.to_owned(), json!(file));
        files.insert(file.to_owned(), bytes);
    }
    let counts = [("palette_entries", document.palette.len())];
    let header = sections::header(document.header.as_bytes(), Header::FIELDS, &counts);
    let mut manifest = json!({"format": "ff7-tex", "header": header, "sections": names});
    if !document.rest.is_empty() {
        manifest["rest"] = json!(sections::REST);
        files.insert(sections::REST.to_owned(), document.rest.clone());
    }
    Folder { manifest, files }
}

/// The same for comparing.
pub(super) fn comparable(document: &Document) -> Comparable<'_> {
    let counts = [("palette_entries", document.palette.len())];
    let header = sections::header(document.header.as_bytes(), Header::FIELDS, &counts);
    let mut told = Comparable::new(json!({"format": "ff7-tex", "header": header, "sections": {}}));
    let lists = [
        ("palette", PALETTE, document.palette.as_bytes(), Colour::FIELDS, size_of::<Colour>()),
        ("pixels", PIXELS, document.pixels.as_slice(), &[], 0),
        (
            "colour_keys",
            COLOUR_KEYS,
            document.colour_keys.as_bytes(),
            ColourKey::FIELDS,
            size_of::<ColourKey>(),
        ),
    ];
    for (part, file, bytes, fields, stride) in lists.into_iter().filter(|(_, _, bytes, ..)| !bytes.is_empty())
    {
        told.manifest["sections"][part] = json!(file);
        if stride == 0 {
            told.name_bytes(file.to_owned(), bytes);
        } else {
            told.records(file, bytes, List::of_records(Cow::Borrowed(bytes), fields, stride));
        }
    }
    if !document.rest.is_empty() {
        told.manifest["rest"] = json!(sections::REST);
        told.name_bytes(sections::REST.to_owned(), document.rest.as_slice());
    }
    told
}

/// The file that a folder describes.
pub(super) fn pack(folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
    let parts = Parts::new(folder, "ff7-tex")?;
    parts.only(&["palette", "pixels", "colour_keys"])?;
    let (palette, colours) = parts.list("palette", Colour::FIELDS)?;
    let pixels = parts.file("pixels")?;
    let (keys, _) = parts.list("colour_keys", ColourKey::FIELDS)?;
    let mut file = parts.header(Header::FIELDS, &[("palette_entries", colours)])?;
    for part in [&palette, pixels, &keys, parts.rest()?] {
        file.extend(part);
    }
    let read =
        tex::read(&file, &ReadOptions::default()).map_err(|error| unreadable(*error.cause, wrong))?.document;
    // Sizes that are off would give one part's bytes to another.
    let found = [
        ("palette", read.palette.as_bytes(), palette.as_slice()),
        ("pixels", &read.pixels, pixels),
        ("colour_keys", read.colour_keys.as_bytes(), &keys),
    ];
    for (part, counted, there) in found {
        if counted != there {
            let said = format!("{part}: {} bytes as the header says, {} there", counted.len(), there.len());
            return Err(wrong(said));
        }
    }
    Ok(file)
}
