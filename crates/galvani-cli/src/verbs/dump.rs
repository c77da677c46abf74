//! `dump`: every field with its offset.

use std::io::{self, Write};

use galvani::formats::Opened;
use galvani::render::json;

use crate::args::{Common, Inputs};
use crate::batch::{Batch, Row, worst};
use crate::failure::{REFUSED, warn};
use crate::out;
use crate::table::printable;

pub(crate) fn run(args: &Inputs, common: &Common) -> u8 {
    let batch = Batch::new(&args.inputs, common);
    let mut out = out::stream(common.json);
    if common.json {
        out.print(b"[\n");
    }
    let (mut dumps, is_several) = (Vec::new(), batch.len() > 1);
    let mut is_first = true;
    for input in batch.inputs() {
        let dump = Row::new(input, common, |opened, known| {
            warn(opened.report.findings(), &input.shown);
            let file = is_several.then_some(input.shown.as_str());
            let clear = opened.document.in_the_clear(&known.source.bytes)?;
            out::noted(rows(&mut out, &opened, &clear, &input.shown, file, common.json, &mut is_first));
            Ok(())
        });
        dump.iter().for_each(tell_failure);
        let has_failed = dump.as_ref().is_some_and(|dump| dump.result.is_err());
        dumps.extend(dump);
        if has_failed && common.fail_fast {
            break;
        }
    }
    if common.json {
        out.print(b"\n]\n");
    }
    out.end();
    if dumps.is_empty() {
        out::error("nothing to dump: no input is of a known format\n");
        return REFUSED;
    }
    worst(&dumps)
}

fn tell_failure(dump: &Row<()>) {
    if let Err(failure) = &dump.result {
        failure.tell_of(&dump.path);
    }
}

/// Every value of a file, each printed before the next is made; as JSON one object a line, of several files with which it
/// is from.
fn rows(
    out: &mut dyn Write,
    opened: &Opened,
    clear: &[u8],
    path: &str,
    file: Option<&str>,
    is_json: bool,
    is_first: &mut bool,
) -> io::Result<()> {
    let document = &*opened.document;
    if !is_json {
        let bold = anstyle::Style::new().bold();
        writeln!(out, "{bold}{}{bold:#}", printable(path))?;
    }
    let mut written = Ok(());
    opened.map.rows(clear, |row| {
        if written.is_ok() {
            let row = json::row(&row, document, file);
            written = if is_json { json_row(out, &row, *is_first) } else { text_row(out, &row) };
            *is_first = false;
        }
    });
    written
}

fn json_row(out: &mut dyn Write, row: &json::DumpRow<'_>, is_first: bool) -> io::Result<()> {
    out.write_all(if is_first { b"  " } else { b",\n  " })?;
    Ok(serde_json::to_writer(out, row)?)
}

fn text_row(out: &mut dyn Write, row: &json::DumpRow<'_>) -> io::Result<()> {
    let (offset, length, path, kind) = (row.row.offset, row.row.len, row.row.path.to_string(), row.kind());
    let value = row.value();
    let value = value.as_str().map_or_else(|| value.to_string(), printable);
    let decoded = row.decoded.as_ref().map(|decoded| format!(" = {decoded}")).unwrap_or_default();
    writeln!(out, "0x{offset:08x} {length:>6}  {path:<28} {kind:<8} {value}{decoded}")
}
