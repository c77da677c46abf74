//! What the fuzz targets of archives share.

use std::fmt::{Debug, Display};

use galvani_core::{Read, Report};
use galvani_testkit::{dumps_every_byte, every_byte_is_owned, findings_are_placed};

/// Longest archive that is edited: the model of it is slow.
const EDITED_ARCHIVE: usize = 1 << 14;

/// The name and bytes of every entry.
pub(crate) type Model<N> = Vec<(N, Option<Vec<u8>>)>;

/// The map owns every byte, every finding has a place, and a dump shows every byte.
pub(crate) fn is_accounted_for<D>(found: &Read<D>, data: &[u8], check: impl Fn(&D) -> Report) {
    every_byte_is_owned(&found.map, data.len());
    findings_are_placed(found, data.len(), check);
    dumps_every_byte(&found.map, data);
}

/// Edits and an archive: a first byte says how many bytes of edits follow; the rest is an archive.
pub(crate) fn edits_and_file(data: &[u8]) -> Option<(&[u8], &[u8])> {
    let (&len, rest) = data.split_first()?;
    rest.split_at_checked(usize::from(len)).filter(|(_, file)| file.len() <= EDITED_ARCHIVE)
}

/// The bytes before a NUL, or `x`.
pub(crate) fn name_text(bytes: &[u8; 4]) -> &[u8] {
    bytes.split(|&byte| byte == 0).next().filter(|text| !text.is_empty()).unwrap_or(b"x")
}

/// An archive that was read again holds what the model holds; entries that had no bytes may have got some.
pub(crate) fn still_holds<N: PartialEq + Debug + Display>(model: &Model<N>, again: &Model<N>) {
    for ((name, bytes), (name_again, bytes_again)) in model.iter().zip(again) {
        assert_eq!(name, name_again);
        assert!(bytes.is_none() || bytes == bytes_again, "the bytes of `{name}` changed");
    }
}
