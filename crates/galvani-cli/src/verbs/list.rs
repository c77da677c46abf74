//! `list`: the members of archives.

use galvani::contents;
use galvani::formats::{Opened, Section, Site};
use serde_json::json;

use crate::args::{Common, Inputs};
use crate::batch::{Batch, Row, worst};
use crate::failure::REFUSED;
use crate::{out, table};

pub(crate) fn run(args: &Inputs, common: &Common) -> u8 {
    let rows = Batch::new(&args.inputs, common).rows(common, |opened, _, input| match opened.as_archive() {
        Ok(_) => Ok(members(&opened, common)),
        Err(lacking) if input.explicit => Err(lacking.into()),
        Err(_) => Ok(None),
    });
    let listed = |row: &Row<Option<Section>>| !matches!(row.result, Ok(None));
    if !rows.iter().any(listed) {
        out::error("nothing to list: no input is an archive\n");
    }
    let code = if rows.iter().any(listed) { worst(&rows) } else { REFUSED };
    if common.json {
        let json = |row: &Row<Option<Section>>| match &row.result {
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

/// The list of an archive's members: the one its outline calls `entries`.
fn members(opened: &Opened, common: &Common) -> Option<Section> {
    let sections = contents::outline(opened, &common.options(), &Site::NOWHERE).sections;
    sections.into_iter().find(|section| section.key == Some("entries"))
}

fn text(path: &str, members: &Section, several: bool) -> String {
    let bold = anstyle::Style::new().bold();
    let path = table::printable(path);
    let head = if several { format!("{bold}{path}{bold:#}\n") } else { String::new() };
    if members.rows.is_empty() {
        format!("{head}  (empty)\n")
    } else {
        format!("{head}{}", table::members(members))
    }
}
