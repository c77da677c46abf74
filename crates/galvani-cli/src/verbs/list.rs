//! `list`: the members of archives.

use galvani::contents;
use galvani::formats::{Opened, Section, Site};
use galvani::fs::Input;
use serde_json::json;

use crate::args::{Common, Inputs};
use crate::batch::{Batch, Known, Row};
use crate::failure::REFUSED;
use crate::{out, table};

pub(crate) fn run(args: &Inputs, common: &Common) -> u8 {
    let look = |opened: Opened, _: &Known, input: &Input| match opened.as_archive() {
        Ok(_) => Ok(members(&opened, common)),
        Err(lacking) if input.explicit => Err(lacking.into()),
        Err(_) => Ok(None),
    };
    let batch = Batch::new(&args.inputs, common);
    let mut list = common.json.then(|| out::JsonList::begin("files"));
    let (is_several, mut is_any) = (batch.len() > 1, false);
    let show = |row: &Row<Option<Section>>| {
        is_any |= !matches!(row.result, Ok(None));
        match (&row.result, &mut list) {
            (Ok(None), _) => {}
            (Ok(Some(members)), Some(list)) => {
                list.push(&json!({"path": row.path, "format": row.format, "members": members.to_json()}));
            }
            (Ok(Some(members)), None) => out::text(&text(&row.path, members, is_several)),
            (Err(failure), Some(list)) => list.push(&row.failure_json(failure)),
            (Err(failure), None) => failure.tell_of(&row.path),
        }
    };
    let told = batch.show_rows(common, look, show);
    if let Some(list) = list {
        list.end(&json!({}));
    }
    if !is_any {
        out::error("nothing to list: no input is an archive\n");
        return REFUSED;
    }
    told.worst
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
