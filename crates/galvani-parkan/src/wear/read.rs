//! Bytes → [`Document`].

use galvani_core::text::piece::{MOST, Piece, map};
use galvani_core::{FileMap, Path, Read, ReadError, ReadOptions, Report, room};

use super::{Document, WearRows, WearTable, check, row_count};

/// Reads a material table. Any text is one; what is wrong with it is left to [`check`](check::check), and ends the
/// reading under strictness.
pub fn read(file: &[u8], options: &ReadOptions) -> Result<Read<Document>, ReadError> {
    let document = Document { text: room::copied(file)? };
    let map = map_of(file.len(), &document.table());
    options.strictness.enforce(|report| check::damage(&document.table(), report), || map.clone())?;
    Ok(Read { document, map, report: Report::default(), readings: Vec::new() })
}

/// Whether a text is a material table and hardly anything else: one to the last line, with nothing odd about it. A
/// table has no mark of its own.
pub fn is_shaped(file: &[u8]) -> bool {
    let is_sound = |text: Vec<u8>| check(&Document { text }).findings().is_empty();
    row_count(file).is_some() && room::copied(file).is_ok_and(is_sound)
}

fn map_of(len: usize, table: &WearTable<'_>) -> FileMap {
    let mut named: Vec<(Path, Piece<'_>)> = Vec::new();
    rows(Path::named("materials"), &table.materials, &mut named);
    if let Some(lightmaps) = &table.lightmaps {
        named.push((Path::named("keyword"), lightmaps.keyword.trimmed()));
        rows(Path::named("lightmaps"), &lightmaps.rows, &mut named);
    }
    named.retain(|(_, piece)| !piece.bytes.is_empty());
    map(len, &named)
}

fn rows<'a>(path: Path, rows: &WearRows<'a>, named: &mut Vec<(Path, Piece<'a>)>) {
    named.extend(rows.count.map(|count| (path.field("count"), count)));
    for (i, row) in rows.rows.iter().take(MOST).enumerate() {
        named.push((path.index(i).field("id"), row.id));
        named.push((path.index(i).field("name"), row.name));
    }
}
