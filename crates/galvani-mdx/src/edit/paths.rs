//! Files that records name, textures aside.

use galvani_core::record::Text;
use galvani_core::{EditError, Path};

use super::{DAMAGED, NO_RECORD, text};
use crate::model::AttachmentFixed;
use crate::{Content, Document, Held, Records};

/// Gives an attachment another model to show.
pub fn set_attachment_path(document: &mut Document, index: usize, path: &str) -> Result<(), EditError> {
    let place = Path::named("ATCH").index(index);
    let room = Text(text(place.field("path"), path)?);
    let all = document.chunks.iter_mut().filter_map(|chunk| match &mut chunk.content {
        Content::Attachments(records) => Some(records),
        _ => None,
    });
    match &mut record_mut(all, index, place)?.fixed {
        AttachmentFixed::Warcraft(fixed) => fixed.path = room,
        AttachmentFixed::Wow(fixed) => fixed.path = room,
    }
    Ok(())
}

/// Gives an emitter of models another model to throw.
pub fn set_emitter_path(document: &mut Document, index: usize, path: &str) -> Result<(), EditError> {
    let place = Path::named("PREM").index(index);
    let room = Text(text(place.field("path"), path)?);
    let all = document.chunks.iter_mut().filter_map(|chunk| match &mut chunk.content {
        Content::Emitters(records) => Some(records),
        _ => None,
    });
    record_mut(all, index, place)?.fixed.path = room;
    Ok(())
}

/// The record at an index over all chunks of its kind.
fn record_mut<'d, T: 'd>(
    all: impl Iterator<Item = &'d mut Records<T>>,
    index: usize,
    place: Path,
) -> Result<&'d mut T, EditError> {
    match all.flat_map(|records| records.items.iter_mut()).nth(index) {
        Some(Held::Typed(record)) => Ok(record),
        Some(Held::Raw(_)) => Err(DAMAGED.at(place).into()),
        None => Err(NO_RECORD.at(place).into()),
    }
}
