//! `dump`: every field with its offset.

use std::io::{self, Write};

use galvani::formats::Opened;
use galvani::fs::Input;
use galvani::render::json;

use crate::args::{Common, Inputs};
use crate::batch::{Batch, Known, Row, worst};
use crate::failure::{REFUSED, warn};
use crate::out;
use crate::table::printable;

pub(crate) fn run(args: &Inputs, common: &Common) -> u8 {
    let batch = Batch::new(&args.inputs, common);
    let mut out = out::stream(common.json);
    if common.json {
        out.put(b"[\n");
    }
    let dumps = match batch.inputs() {
        [input] => {
            let dump = Row::new(input, common, |opened, known| {
                warn(opened.report.findings(), &input.shown);
                out::noted(rows(&mut out, &opened, known, &input.shown, None, common.json));
                Ok(())
            });
            dump.into_iter().inspect(tell_failure).collect()
        }
        _ => several(&batch, common, &mut out),
    };
    if common.json {
        out.put(b"\n]\n");
    }
    out.end();
    if dumps.is_empty() {
        out::error("nothing to dump: no input is of a known format\n");
        return REFUSED;
    }
    worst(&dumps)
}

/// Rows of several files are made side by side, and go out when all before them have.
fn several(batch: &Batch, common: &Common, out: &mut out::Stream) -> Vec<Row<()>> {
    let (mut dumps, mut is_first) = (Vec::new(), true);
    let work = |_, input: &Input| {
        let shown = &input.shown;
        Row::new(input, common, |opened, known| {
            warn(opened.report.findings(), shown);
            let mut made = Vec::new();
            // Nothing goes wrong where bytes only take room.
            let _: io::Result<()> = rows(&mut made, &opened, known, shown, Some(shown), common.json);
            Ok(made)
        })
    };
    let show = |dump: Option<Row<Vec<u8>>>| {
        let Some(Row { path, format, result }) = dump else { return };
        let result = result.map(|rows| {
            if common.json && !is_first && !rows.is_empty() {
                out.put(b",\n");
            }
            is_first &= rows.is_empty();
            out.put(&rows);
        });
        let dump = Row { path, format, result };
        tell_failure(&dump);
        dumps.push(dump);
    };
    batch.stream(common, work, |dump| dump.result.is_err(), show);
    dumps
}

fn tell_failure(dump: &Row<()>) {
    if let Err(failure) = &dump.result {
        failure.tell_of(&dump.path);
    }
}

/// Every value of a file; as JSON one object a line, of several files with which it is from.
fn rows(
    out: &mut dyn Write,
    opened: &Opened,
    known: &Known,
    path: &str,
    file: Option<&str>,
    is_json: bool,
) -> io::Result<()> {
    let document = &*opened.document;
    if !is_json {
        let bold = anstyle::Style::new().bold();
        writeln!(out, "{bold}{}{bold:#}", printable(path))?;
    }
    let (mut written, mut is_first) = (Ok(()), true);
    opened.map.rows(&known.source.bytes, |row| {
        if written.is_ok() {
            let row = json::row(&row, document, file);
            written = if is_json { json_row(out, &row, is_first) } else { text_row(out, &row) };
            is_first = false;
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
