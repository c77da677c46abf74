//! [`Document`] → bytes.

use galvani_core::archive::Extent;
use galvani_core::budget::unless_exhausted;
use galvani_core::{Path, ReadOptions, WriteError, Writer};
use zerocopy::little_endian::U32;

use super::{Document, Header, Level, Shared, check, read};

/// Writes a file from its document alone. A document that would be read back as another one is refused: what stands
/// where follows from several fields, and they must agree.
pub fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    let rows = rows(document)?;
    let mut w = Writer::with_capacity(document.layout().end())?;
    match &document.header {
        Header::One(header) => w.record(header),
        Header::Two(header) => w.record(header),
    }
    w.record(rows.iter().map(|row| U32::new(row.0)).collect::<Vec<_>>().as_slice());
    w.record(rows.iter().map(|row| U32::new(row.1)).collect::<Vec<_>>().as_slice());
    match &document.shared {
        Shared::None => {}
        Shared::Lost(len) => w.record(&U32::new(*len)),
        Shared::Jpeg(head) => {
            w.record(&U32::new(fits(head.len(), "jpeg")?));
            w.bytes(head);
        }
        Shared::Palette(colours) => w.record(colours.as_slice()),
    }
    w.bytes(&document.lead);
    for block in &document.blocks {
        w.bytes(&block.bytes);
        w.bytes(&block.gap);
    }
    let file = w.finish();
    let again = read(&file, &ReadOptions::default());
    // What lies beside the file is no part of it.
    let is_same = |mut again: Document| {
        again.beside.clone_from(&document.beside);
        again == *document
    };
    let again = unless_exhausted(again.map_err(|error| error.cause))?;
    if again.is_some_and(|again| is_same(again.document)) {
        return Ok(file);
    }
    let said = format!("{} levels, {} blocks", document.levels.len(), document.blocks.len());
    Err(check::LAYOUT.at(Path::named("levels")).saying(said).into())
}

/// Offset and size of every level.
fn rows(document: &Document) -> Result<Vec<(u32, u32)>, WriteError> {
    let positions = document.layout().positions();
    let row = |level: &Level| match *level {
        Level::Absent { offset } => Ok((offset, 0)),
        Level::Astray { offset, size } => Ok((offset, size)),
        Level::Stored(Extent { block, start, end }) => {
            let at = positions.get(block).copied().unwrap_or(usize::MAX);
            Ok((fits(at.saturating_add(start), "offsets")?, fits(end.saturating_sub(start), "sizes")?))
        }
    };
    document.levels.iter().map(row).collect()
}

/// A number for a field of the file.
fn fits(number: usize, field: &'static str) -> Result<u32, WriteError> {
    let too_long = |_| check::LAYOUT.at(Path::named(field)).saying(format!("{number} does not fit")).into();
    u32::try_from(number).map_err(too_long)
}
