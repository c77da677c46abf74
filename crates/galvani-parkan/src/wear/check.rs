//! What can be wrong with a material table.

use galvani_core::text::piece::{Letters, Piece};
use galvani_core::{Code, Diagnostic, Path, Report, codes};

use super::{Document, Lightmaps, MOST_NAME, WearRow, WearRows, WearTable};

codes! {
    COUNT = Error, "wear.count",
        "the line that counts the rows is no number from 1 on",
        "the game stops with `Illegal wear length.` or `Illegal lightmaps length.`; write how many rows follow";
    ROWS_MISSING = Error, "wear.rows-missing",
        "there are fewer rows than the table counts",
        "correct the count, or add the rows";
    ROW = Error, "wear.row",
        "a row is not a number and a name",
        "the line is kept; write its number and the name of what it shows";
    BLANK_LINE = Error, "wear.blank-line",
        "no blank line stands before `LIGHTMAPS`",
        "the game does not see the keyword without it; add one";
    NAME_LENGTH = Warning, "wear.name-length",
        "a name is longer than any name in an archive",
        "nothing can be found under it; names have 35 bytes at most";
    MORE_WORDS = Warning, "wear.more-words",
        "something stands behind the name of a row",
        "the game takes the first word; the rest is kept";
    OTHER_LINES = Warning, "wear.other-lines",
        "a line belongs to no table",
        "the game does not look at it; correct a count if it should be a row";
    ID = Note, "wear.id",
        "the number of a row is not its place",
        "the game goes by the place; number the rows from 0 on";
    TEXT = Warning, "wear.text",
        "there are bytes that no text of the game has",
        "the bytes are kept; write printable characters";
    NO_ROW = Error, "wear.no-row",
        "there is no such row",
        "rows are counted from 0";
    NAME = Error, "wear.name",
        "this cannot be the name of a row",
        "a name is one word of at most 35 bytes";
    NO_COUNT = Error, "wear.no-count",
        "there is no line with a count that could be changed",
        "write the table anew";
    LAST_ROW = Error, "wear.last-row",
        "a table of materials has at least one row",
        "name another material in it instead";
    LOST = Warning, "wear.lost-words",
        "words and lines that no table has were dropped",
        "keep the original if they may matter";
}

/// Every rule the document can break.
pub fn check(document: &Document) -> Report {
    let mut report = Report::default();
    let table = document.table();
    damage(&table, &mut report);
    harmless(Path::named("materials"), &table.materials, &mut report);
    if let Some(lightmaps) = &table.lightmaps {
        harmless(Path::named("lightmaps"), &lightmaps.rows, &mut report);
    }
    for (i, &line) in table.others.iter().enumerate() {
        report.push(
            at(&OTHER_LINES, Path::named("others").index(i), line).saying(format!("{:?}", line.shown())),
        );
    }
    if let Some((first, count)) = Letters::CodePage.strange_bytes(&document.text) {
        report.push(TEXT.at(Path::named("text")).offset(first).saying(format!("{count} such bytes")));
    }
    report
}

/// The rules without which a part cannot be read.
pub(super) fn damage(table: &WearTable<'_>, report: &mut Report) {
    unreadable(Path::named("materials"), &table.materials, 0, report);
    if let Some(Lightmaps { keyword, blank, rows }) = &table.lightmaps {
        if blank.is_none() {
            report.push(at(&BLANK_LINE, Path::named("keyword"), *keyword));
        }
        unreadable(Path::named("lightmaps"), rows, keyword.end(), report);
    }
}

/// What is wrong with the count and the form of rows; `start` is where a count that is missing would be.
fn unreadable(path: Path, rows: &WearRows<'_>, start: usize, report: &mut Report) {
    let found = rows.rows.len();
    let count = path.field("count");
    match (rows.count, rows.counted()) {
        (None, _) => report.push(COUNT.at(count).offset(start).saying("a number wanted, none found")),
        (Some(piece), None) => {
            report.push(at(&COUNT, count, piece).saying(format!("{:?} found", piece.shown())));
        }
        (Some(piece), Some(wanted)) if found < wanted => {
            let said = format!("{wanted} counted, {found} found");
            report.push(at(&ROWS_MISSING, count, piece).saying(said));
        }
        _ => {}
    }
    for (i, row) in rows.rows.iter().enumerate() {
        if row.number().is_none() || row.name.bytes.is_empty() {
            report.push(at(&ROW, path.index(i), row.id).saying(format!("{:?}", row.whole.trimmed().shown())));
        }
    }
}

fn harmless(path: Path, rows: &WearRows<'_>, report: &mut Report) {
    for (i, row) in rows.rows.iter().enumerate() {
        let WearRow { id, name, more, .. } = *row;
        let path = path.index(i);
        if let Some(number) = row.number()
            && usize::try_from(number) != Ok(i)
        {
            report.push(at(&ID, path.field("id"), id).saying(format!("{i} wanted, {number} found")));
        }
        if name.bytes.len() > MOST_NAME {
            let said = format!("{} bytes, {MOST_NAME} at most", name.bytes.len());
            report.push(at(&NAME_LENGTH, path.field("name"), name).saying(said));
        }
        if !more.bytes.is_empty() {
            let said = format!("{:?} behind {:?}", more.shown(), name.shown());
            report.push(at(&MORE_WORDS, path, more).saying(said));
        }
    }
}

fn at(code: &'static Code, path: Path, piece: Piece<'_>) -> Diagnostic {
    code.at(path).offset(piece.start)
}
