//! One file or archive member, opened where it stands.

use std::ffi::OsStr;

use galvani_core::Path;

use super::{Folders, Follow, OpenError, expand};
use crate::codes;
use crate::formats::{self, OpenOptions, Opened, Site};

/// Opens a file, or a member of an archive (`battle.lgp/rtda`), together with what lies beside it.
///
/// ```no_run
/// let pack = galvani::open("battle.lgp/rtda", &galvani::OpenOptions::default())?;
/// # Ok::<(), galvani::fs::OpenError>(())
/// ```
pub fn open(path: impl AsRef<OsStr>, options: &OpenOptions) -> Result<Opened, OpenError> {
    let word = path.as_ref();
    let inputs = expand(&[word.to_owned()], Follow::No, options);
    let [input] = inputs.as_slice() else {
        let found = format!("`{}` names {} files, one is wanted", word.display(), inputs.len());
        return Err(codes::NOT_FOUND.at(Path::root()).saying(found).into());
    };
    let source = input.source(options)?;
    let name = source.name.as_deref().unwrap_or_default();
    let format = formats::recognise_at(&source.bytes, Some(name), source.declared);
    let format = format.ok_or_else(|| OpenError::from(codes::UNKNOWN_FORMAT.at(Path::root())))?;
    let folders = Folders::default();
    let links = input.links(&folders, options);
    let opened = format.open_at(
        &source.bytes,
        options,
        &Site { name, links: &*links, declared: source.declared, ..Site::NOWHERE },
    );
    let mut opened = opened.map_err(|error| OpenError { cause: error.cause })?;
    source.notes.into_iter().for_each(|note| opened.report.push(note));
    Ok(opened)
}
