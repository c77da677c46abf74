//! `list`: the members of archives, or the files that models name.

use std::path::PathBuf;

use galvani::contents;
use galvani::formats::{Opened, Section, Site, resolve};
use galvani::fs::Input;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::json;

use crate::args::{Common, List};
use crate::batch::{Batch, Known, Row};
use crate::failure::{Failure, REFUSED};
use crate::surroundings::Surroundings;
use crate::{out, table};

pub(crate) fn run(args: &List, common: &Common) -> u8 {
    if args.textures.is_empty() {
        let look = |opened: Opened, _: &Known, input: &Input| match opened.as_archive() {
            Ok(_) => Ok(members(&opened, common)),
            Err(lacking) if input.explicit => Err(lacking.into()),
            Err(_) => Ok(None),
        };
        let batch = Batch::new(&args.inputs.inputs, common);
        return show(&batch, common, look, "no input is an archive");
    }
    let look = |opened: Opened, known: &Known, input: &Input| references(&opened, known, input, args, common);
    let batch = Batch::new(&args.inputs.inputs, common).into_members(common);
    show(&batch, common, look, "no input names textures or materials")
}

/// Shows a list for every input that has one.
fn show(
    batch: &Batch,
    common: &Common,
    look: impl Fn(Opened, &Known, &Input) -> Result<Option<Section>, Failure> + Sync,
    nothing: &str,
) -> u8 {
    let mut list = common.json.then(|| out::JsonList::begin("files"));
    let (is_several, mut is_any) = (batch.len() > 1, false);
    let show = |row: &Row<Option<Section>>| {
        is_any |= !matches!(row.result, Ok(None));
        match (&row.result, &mut list) {
            (Ok(None), _) => {}
            (Ok(Some(found)), Some(list)) => {
                let key = found.key.filter(|key| *key != ENTRIES).unwrap_or("members");
                list.push(&Listed { path: &row.path, format: row.format, key, found });
            }
            (Ok(Some(found)), None) => out::text(&text(&row.path, found, is_several)),
            (Err(failure), Some(list)) => list.push(&row.failure_json(failure)),
            (Err(failure), None) => failure.tell_of(&row.path),
        }
    };
    let told = batch.show_rows(common, look, show);
    if let Some(list) = list {
        list.end(&json!({}));
    }
    if !is_any {
        out::error(&format!("nothing to list: {nothing}\n"));
        return REFUSED;
    }
    told.worst
}

/// A list as a row of JSON.
struct Listed<'l> {
    path: &'l str,
    format: Option<&'static str>,
    key: &'static str,
    found: &'l Section,
}

impl Serialize for Listed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("path", self.path)?;
        map.serialize_entry("format", &self.format)?;
        map.serialize_entry(self.key, self.found)?;
        map.end()
    }
}

/// What outlines call the list of an archive's members.
const ENTRIES: &str = "entries";

/// The list of an archive's members.
fn members(opened: &Opened, common: &Common) -> Option<Section> {
    let sections = contents::outline(opened, &common.options(), &Site::NOWHERE).sections;
    sections.into_iter().find(|section| section.key == Some(ENTRIES))
}

/// What an input names; nothing if it is of a format whose files name none.
fn references(
    opened: &Opened,
    known: &Known,
    input: &Input,
    args: &List,
    common: &Common,
) -> Result<Option<Section>, Failure> {
    if opened.document.as_referring().is_none() {
        return Ok(None);
    }
    let folders: Vec<PathBuf> =
        args.textures.iter().filter(|word| !word.is_empty()).map(PathBuf::from).collect();
    let around = Surroundings::new(input, &folders, common)?;
    let named = around.at(known, |site| resolve::references(opened, site, &common.options()));
    Ok(Some(resolve::section(&named)))
}

fn text(path: &str, found: &Section, several: bool) -> String {
    let bold = anstyle::Style::new().bold();
    let path = table::printable(path);
    let head = if several { format!("{bold}{path}{bold:#}\n") } else { String::new() };
    if found.rows.is_empty() {
        format!("{head}  (empty)\n")
    } else {
        format!("{head}{}", table::listed(found))
    }
}
