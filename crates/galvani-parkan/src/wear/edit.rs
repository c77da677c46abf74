//! Edits of a material table: each changes the words it is about, and no other byte.

use std::ops::Range;

use galvani_core::text::piece::{Letters, Piece, lines, replaced};
use galvani_core::{EditError, Path, Report, room, text};

use super::check::{LAST_ROW, LOST, NAME, NO_COUNT, NO_ROW, ROW};
use super::{Document, KEYWORD, MOST_NAME, WearRow, WearRows, WearTable};

/// One of the two tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// Materials.
    Materials,
    /// Lightmaps.
    Lightmaps,
}

impl Which {
    /// Its path.
    fn path(self) -> Path {
        Path::named(match self {
            Which::Materials => "materials",
            Which::Lightmaps => "lightmaps",
        })
    }

    fn rows_of<'t, 'a>(self, table: &'t WearTable<'a>) -> Option<&'t WearRows<'a>> {
        match self {
            Which::Materials => Some(&table.materials),
            Which::Lightmaps => table.lightmaps.as_ref().map(|lightmaps| &lightmaps.rows),
        }
    }
}

type Change = (Range<usize>, Vec<u8>);

/// Names another material or lightmap in a row.
pub fn set_name(document: &mut Document, which: Which, row: usize, name: &[u8]) -> Result<(), EditError> {
    allow(which.path().index(row), name)?;
    let table = document.table();
    let found = row_at(&table, which, row)?;
    let change = if found.name.bytes.is_empty() {
        let end = found.id.end();
        (end..end, [b" ", name].concat())
    } else {
        (found.name.range(), name.to_vec())
    };
    document.text = replaced(&document.text, &[change])?;
    Ok(())
}

/// Adds a row behind the last, on a line that ends as the one before; the count follows. A table of lightmaps that
/// is not there is begun at the end of the text.
pub fn add_row(document: &mut Document, which: Which, name: &[u8]) -> Result<(), EditError> {
    let table = document.table();
    let Some(rows) = which.rows_of(&table) else { return begin_lightmaps(document, name) };
    let index = rows.rows.len();
    allow(which.path().index(index), name)?;
    let (count, count_line) = counted(which, rows)?;
    let before = rows.rows.last().map_or(count_line, |row| row.whole);
    let row = [format!("{index} ").as_bytes(), name].concat();
    let line = match before.line_end() {
        b"" => [line_end(&document.text), row.as_slice()].concat(),
        end => [row.as_slice(), end].concat(),
    };
    let changes = [count_as(count, index.saturating_add(1)), (before.end()..before.end(), line)];
    document.text = replaced(&document.text, &changes)?;
    Ok(())
}

fn begin_lightmaps(document: &mut Document, name: &[u8]) -> Result<(), EditError> {
    allow(Which::Lightmaps.path().index(0), name)?;
    let end = line_end(&document.text);
    let last = lines(&document.text).last();
    let mut added = Vec::new();
    if last.is_some_and(|line| line.line_end().is_empty()) {
        added.extend_from_slice(end);
    }
    if !last.is_some_and(|line| line.trimmed().bytes.is_empty()) {
        added.extend_from_slice(end);
    }
    for line in [KEYWORD, b"1", [b"0 ", name].concat().as_slice()] {
        added.extend_from_slice(line);
        added.extend_from_slice(end);
    }
    room::append(&mut document.text, &added)?;
    Ok(())
}

/// Removes a row; the count follows, and the numbers of the rows behind it where they were their places. With its last
/// row a table of lightmaps goes, too.
pub fn remove_row(document: &mut Document, which: Which, row: usize) -> Result<(), EditError> {
    let table = document.table();
    let removed = row_at(&table, which, row)?;
    let rows = which.rows_of(&table).map(|rows| rows.rows.as_slice()).unwrap_or_default();
    let (count, _) = counted(which, which.rows_of(&table).unwrap_or(&table.materials))?;
    let changes = match (rows, which, &table.lightmaps) {
        ([_], Which::Materials, _) => return Err(LAST_ROW.at(which.path()).into()),
        ([_], Which::Lightmaps, Some(lightmaps)) => {
            let start = lightmaps.blank.map_or(lightmaps.keyword.start, |blank| blank.start);
            vec![(start..removed.whole.end(), Vec::new())]
        }
        _ => {
            let mut changes = vec![count_as(count, rows.len().saturating_sub(1))];
            changes.push((removed.whole.range(), Vec::new()));
            let behind = rows.iter().enumerate().skip(row.saturating_add(1));
            changes.extend(behind.filter_map(|(place, row)| one_less(place, row)));
            changes
        }
    };
    document.text = replaced(&document.text, &changes)?;
    Ok(())
}

/// The number of a row that will stand one place before, if it was its place.
fn one_less(place: usize, row: &WearRow<'_>) -> Option<Change> {
    let is_place = row.number().is_some_and(|number| usize::try_from(number) == Ok(place));
    is_place.then(|| (row.id.range(), place.saturating_sub(1).to_string().into_bytes()))
}

/// Numbers every row by its place.
pub fn renumber(document: &mut Document) -> Result<(), EditError> {
    let table = document.table();
    let lightmaps = table.lightmaps.iter().flat_map(|lightmaps| lightmaps.rows.rows.iter().enumerate());
    let rows = table.materials.rows.iter().enumerate().chain(lightmaps);
    let numbered = rows.filter(|(_, row)| row.number().is_some());
    let changes: Vec<Change> =
        numbered.map(|(i, row)| (row.id.range(), i.to_string().into_bytes())).collect();
    document.text = replaced(&document.text, &changes)?;
    Ok(())
}

/// Writes the tables plainly: counts, rows numbered by their places, one blank between number and name, nothing else.
/// Lines end as the first one does. The report says what was dropped.
pub fn make_canonical(document: &mut Document) -> Result<Report, EditError> {
    let table = document.table();
    let end = line_end(&document.text);
    let mut made = room::with_capacity(document.text.len())?;
    plain_rows(Which::Materials, &table.materials, end, &mut made)?;
    let mut dropped = table.others.len();
    dropped = dropped.saturating_add(with_more(&table.materials));
    if let Some(lightmaps) = &table.lightmaps {
        room::append(&mut made, &[end, KEYWORD, end].concat())?;
        plain_rows(Which::Lightmaps, &lightmaps.rows, end, &mut made)?;
        dropped = dropped.saturating_add(with_more(&lightmaps.rows));
    }
    let mut report = Report::default();
    if dropped > 0 {
        report.push(LOST.at(Path::root()).saying(format!("something of {dropped} lines dropped")));
    }
    document.text = made;
    Ok(report)
}

fn plain_rows(which: Which, rows: &WearRows<'_>, end: &[u8], made: &mut Vec<u8>) -> Result<(), EditError> {
    if rows.rows.is_empty() {
        return Err(NO_ROW.at(which.path()).saying("a table has at least one row").into());
    }
    room::append(made, rows.rows.len().to_string().as_bytes())?;
    room::append(made, end)?;
    for (i, row) in rows.rows.iter().enumerate() {
        if row.number().is_none() || row.name.bytes.is_empty() {
            let said = format!("{:?}", row.whole.trimmed().shown());
            return Err(ROW.at(which.path().index(i)).saying(said).into());
        }
        room::append(made, &[format!("{i} ").as_bytes(), row.name.bytes, end].concat())?;
    }
    Ok(())
}

/// Rows with something behind the name.
fn with_more(rows: &WearRows<'_>) -> usize {
    rows.rows.iter().filter(|row| !row.more.bytes.is_empty()).count()
}

/// What ends the first line, or what the game's own files have.
fn line_end(text: &[u8]) -> &[u8] {
    lines(text).next().map(Piece::line_end).filter(|end| !end.is_empty()).unwrap_or(b"\n")
}

fn count_as(count: Piece<'_>, rows: usize) -> Change {
    (count.range(), rows.to_string().into_bytes())
}

/// The count and its line. What it says does not matter: it is written anew.
fn counted<'a>(which: Which, rows: &WearRows<'a>) -> Result<(Piece<'a>, Piece<'a>), EditError> {
    let count = rows.count.filter(|count| !count.bytes.is_empty()).zip(rows.count_line);
    count.ok_or_else(|| NO_COUNT.at(which.path().field("count")).into())
}

fn row_at<'a>(table: &WearTable<'a>, which: Which, row: usize) -> Result<WearRow<'a>, EditError> {
    let rows = which.rows_of(table).map(|rows| rows.rows.as_slice()).unwrap_or_default();
    let refusal = || NO_ROW.at(which.path().index(row)).saying(format!("row {row} of {}", rows.len())).into();
    rows.get(row).copied().ok_or_else(refusal)
}

fn allow(path: Path, name: &[u8]) -> Result<(), EditError> {
    if Letters::CodePage.is_word(name) && name.len() <= MOST_NAME {
        return Ok(());
    }
    Err(NAME.at(path.field("name")).saying(format!("{:?}", text::shown(name))).into())
}
