//! `list`: the members of archives.

use galvani::formats::{Opened, Table};
use serde_json::json;

use crate::args::{Common, Inputs};
use crate::batch::{Batch, Row, worst};
use crate::failure::{Failure, REFUSED};
use crate::{out, table};

pub(crate) fn run(args: &Inputs, common: &Common) -> u8 {
    let rows = Batch::new(&args.inputs, common).rows(common, |opened, _, input| match members(&opened) {
        Some(members) => Ok(Some(members)),
        None if input.explicit => Err(Failure::no_archive(&opened)),
        None => Ok(None),
    });
    let listed = |row: &Row<Option<Table>>| !matches!(row.result, Ok(None));
    if !rows.iter().any(listed) {
        out::error("nothing to list: no input is an archive\n");
    }
    let code = if rows.iter().any(listed) { worst(&rows) } else { REFUSED };
    if common.json {
        let json = |row: &Row<Option<Table>>| match &row.result {
            Ok(Some(members)) => {
                Some(json!({"path": row.path, "format": row.format, "members": members.to_json()}))
            }
            Ok(None) => None,
            Err(failure) => Some(row.failure_json(failure)),
        };
        out::json(&json!({"files": rows.iter().filter_map(json).collect::<Vec<_>>()}));
        return code;
    }
    for row in &rows {
        match &row.result {
            Ok(Some(members)) => out::text(&text(&row.path, members, rows.len() > 1)),
            Ok(None) => {}
            Err(failure) => failure.tell_of(&row.path),
        }
    }
    code
}

/// The table of an archive's members: the one its outline calls `entries`.
fn members(opened: &Opened) -> Option<Table> {
    opened.document.members()?;
    opened.document.outline().tables.into_iter().find(|table| table.key == "entries")
}

fn text(path: &str, members: &Table, several: bool) -> String {
    let bold = anstyle::Style::new().bold();
    let path = table::printable(path);
    let head = if several { format!("{bold}{path}{bold:#}\n") } else { String::new() };
    if members.rows.is_empty() {
        format!("{head}  (empty)\n")
    } else {
        format!("{head}{}", table::outline(members))
    }
}
