//! Polygon files of Final Fantasy VII behind the common door.

mod folder;

use galvani_core::{EditError, ReadError, ReadOptions, Report, WriteError};
use galvani_ff7::names::File;
use galvani_ff7::p::{self, Document, check, edit};
use serde_json::{Value as Json, json};

use super::ff7_model::holds;
use super::has_extension;
use super::{Arg, Folder, Format, Info, Kind, Likelihood, Opened, Operation, Outline, Step, Table, Value};

/// A part of a model of Final Fantasy VII.
#[derive(Debug)]
pub(super) struct P;

const GROUP: Arg = Arg { name: "group", kind: Kind::Number };
const NUMBER: Arg = Arg { name: "number", kind: Kind::Number };
const FACTOR: Arg = Arg { name: "factor", kind: Kind::Float };

static INFO: Info = Info {
    id: "ff7-p",
    name: "polygon file (Final Fantasy VII)",
    extensions: &["p"],
    topics: &[],
    codes: &[check::ALL, edit::ALL],
    operations: &[
        Operation { name: "set-texture", args: &[GROUP, NUMBER], summary: "gives a group another texture" },
        Operation { name: "scale", args: &[FACTOR], summary: "multiplies every vertex and the box" },
        Operation { name: "recompute-bounds", args: &[], summary: "puts the box around the vertices" },
        Operation { name: "canonical", args: &[], summary: "drops what stands behind the last section" },
    ],
};

impl Format for P {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        // Four letters are too little to go by.
        let named = holds(name, |file| matches!(file, File::Part(_) | File::Weapon(_)))
            && (file.starts_with(&[1, 0, 0, 0]) || name.is_some_and(|name| name.contains('.')));
        Likelihood::by_shape(p::is_shaped(file), named || has_extension(name, &INFO))
    }

    fn open(&self, file: &[u8], options: &ReadOptions) -> Result<Opened, ReadError> {
        Ok(Opened::new(&P, p::read(file, options)?))
    }

    fn pack(&self, folder: &Folder) -> Result<Vec<u8>, WriteError> {
        folder::pack(folder)
    }
}

impl super::Document for Document {
    fn check(&self) -> Report {
        check(self)
    }

    fn write(&self) -> Result<Vec<u8>, WriteError> {
        p::write(self)
    }

    fn make_canonical(&mut self) -> Result<Report, EditError> {
        edit::make_canonical(self)
    }

    fn outline(&self) -> Outline {
        let count =
            |section: p::Section<'_>| (section.name, u64::try_from(section.found()).unwrap_or(u64::MAX));
        Outline {
            counts: self.sections().map(count).to_vec(),
            facts: Vec::new(),
            tables: vec![groups_table(self)],
            unknown: Vec::new(),
        }
    }

    fn unpack(&self) -> Folder {
        folder::unpack(self)
    }

    fn edit(&mut self, step: &Step) -> Result<Report, EditError> {
        match (step.operation.name, step.values.as_slice()) {
            ("set-texture", [Value::Number(group), Value::Number(number)]) => {
                edit::set_texture(self, usize::try_from(*group).unwrap_or(usize::MAX), *number)?;
            }
            ("scale", [Value::Float(factor)]) => edit::scale(self, *factor)?,
            ("recompute-bounds", []) => edit::recompute_bounds(self)?,
            ("canonical", []) => return edit::make_canonical(self),
            (other, _) => unreachable!("`{other}` is declared but not done"),
        }
        Ok(Report::default())
    }
}

fn groups_table(document: &Document) -> Table {
    let row = |(i, group): (usize, &p::Group)| {
        let textured = group.textured.get() != 0;
        let blend = document.hundreds.get(i).map(|hundred| hundred.blend_mode.get());
        vec![
            json!(i),
            json!(group.poly_type.get()),
            json!(group.poly_count.get()),
            json!(group.vertex_count.get()),
            if textured { json!(group.texture_number.get()) } else { Json::Null },
            json!(blend),
        ]
    };
    Table {
        key: "groups",
        columns: &["index", "poly_type", "polys", "verts", "texture", "blend_mode"],
        optional: &[],
        rows: document.groups.iter().enumerate().map(row).collect(),
    }
}
