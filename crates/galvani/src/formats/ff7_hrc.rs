//! Skeletons of FF7 field models behind the common door.

use galvani_core::{EditError, Path, ReadError, ReadOptions, Report, WriteError};
use galvani_ff7::field::hrc::{self, Document, check, edit};
use galvani_ff7::field::text::Piece;
use galvani_ff7::skeleton::Parent;
use serde_json::json;

use super::select::{self, Candidates};
use super::{
    Arg, Folder, Format, Info, Kind, Likelihood, Opened, Operation, Outline, Site, Step, Table, Value,
    ff7_text, has_extension, text_value,
};

/// A skeleton of a model on a field.
#[derive(Debug)]
pub(super) struct Hrc;

const BONE: Arg = Arg { name: "bone", kind: Kind::Node };

const OPERATIONS: &[Operation] = &[
    Operation {
        name: "set-name",
        args: &[Arg { name: "name", kind: Kind::Text }],
        summary: "gives the skeleton another name",
    },
    Operation {
        name: "rename",
        args: &[BONE, Arg { name: "name", kind: Kind::Text }],
        summary: "renames a bone, also where others name it",
    },
    Operation {
        name: "reparent",
        args: &[BONE, Arg { name: "parent", kind: Kind::NodeOr("root") }],
        summary: "hangs a bone on another before it, or on root",
    },
    Operation {
        name: "set-length",
        args: &[BONE, Arg { name: "length", kind: Kind::Float }],
        summary: "gives a bone another length",
    },
    Operation {
        name: "set-parts",
        args: &[BONE, Arg { name: "parts", kind: Kind::Text }],
        summary: "gives a bone other resources, with spaces between them",
    },
];

static INFO: Info = Info {
    id: "ff7-hrc",
    name: "field skeleton (Final Fantasy VII)",
    extensions: &["hrc"],
    topics: &[],
    codes: &[check::ALL],
    operations: OPERATIONS,
};

impl Format for Hrc {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        Likelihood::by_magic(hrc::is_marked(file), has_extension(name, &INFO))
    }

    fn open(&self, file: &[u8], options: &ReadOptions) -> Result<Opened, ReadError> {
        Ok(Opened::new(&Hrc, hrc::read(file, options)?))
    }

    fn pack(&self, folder: &Folder) -> Result<Vec<u8>, WriteError> {
        ff7_text::pack(INFO.id, folder)
    }
}

impl super::Document for Document {
    fn check(&self) -> Report {
        check(self)
    }

    fn check_links(&self, site: &Site<'_>) -> Report {
        let mut report = Report::default();
        check::parts(self, |name| site.links.has(name), &mut report);
        report
    }

    fn write(&self) -> Result<Vec<u8>, WriteError> {
        hrc::write(self)
    }

    fn outline(&self) -> Outline {
        let skeleton = self.skeleton();
        let parts = skeleton.bones.iter().map(|bone| bone.parts.words().count()).sum();
        let name = skeleton.name.map(Piece::shown);
        Outline {
            counts: vec![("bones", count(skeleton.bones.len())), ("parts", count(parts))],
            facts: vec![("skeleton", json!({"name": name}))],
            tables: vec![nodes(self)],
            unknown: Vec::new(),
        }
    }

    fn unpack(&self) -> Folder {
        ff7_text::unpack(INFO.id, "skeleton.hrc", &self.text)
    }

    fn edit(&mut self, step: &Step) -> Result<Report, EditError> {
        select::each(self, step, |document, _| bones(document), run)
    }
}

/// Does one operation.
fn run(document: &mut Document, step: &Step) -> Result<Report, EditError> {
    use Value::{Bytes, Float, Index, Word};
    match (step.operation.name, step.values.as_slice()) {
        ("set-name", [Bytes(name)]) => edit::set_name(document, name),
        ("rename", [Index(bone), Bytes(name)]) => edit::rename(document, *bone, name),
        ("reparent", [Index(bone), Word(_)]) => edit::reparent(document, *bone, None),
        ("reparent", [Index(bone), Index(parent)]) => edit::reparent(document, *bone, Some(*parent)),
        ("set-length", [Index(bone), Float(length)]) => edit::set_length(document, *bone, *length),
        ("set-parts", [Index(bone), Bytes(parts)]) => {
            let parts: Vec<&[u8]> =
                parts.split(u8::is_ascii_whitespace).filter(|part| !part.is_empty()).collect();
            edit::set_parts(document, *bone, &parts)
        }
        (name, _) => unreachable!("`{name}` is declared but not done"),
    }
    .map(|()| Report::default())
}

fn bones(document: &Document) -> Candidates<'_> {
    let skeleton = document.skeleton();
    let names = skeleton.bones.iter().map(|bone| galvani_core::text::shown(bone.name.bytes));
    Candidates::named("bone", Path::of("bones"), &check::NO_BONE, names)
}

fn nodes(document: &Document) -> Table {
    let skeleton = document.skeleton();
    let rows = skeleton.bones.iter().zip(skeleton.parents()).enumerate().map(|(i, (bone, parent))| {
        let (name, name_hex) = text_value(bone.name.bytes);
        let parent = match parent {
            Parent::Bone(parent) => json!(parent),
            Parent::Root | Parent::Nowhere => serde_json::Value::Null,
        };
        let length = bone.length().map_or(json!(bone.length.shown()), crate::render::json::float);
        let parts = bone.parts.words().map(galvani_core::text::shown);
        vec![json!(i), parent, name, name_hex, length, json!(parts.collect::<Vec<_>>())]
    });
    Table {
        key: "nodes",
        columns: &["index", "parent", "name", "name_hex", "length", "parts"],
        optional: &["name_hex"],
        rows: rows.collect(),
    }
}

fn count(len: usize) -> u64 {
    u64::try_from(len).unwrap_or(u64::MAX)
}
