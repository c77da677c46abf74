//! LGP behind the common door.

mod folder;

use galvani_core::{EditError, Path, ReadError, ReadOptions, Report, WriteError, text};
use galvani_ff7::lgp::{self, Document, Name, Place, check};
use serde_json::{Value as Json, json};

use super::select::{self, Candidates};
use super::{
    Arg, Folder, Format, Info, Kind, Likelihood, Member, Opened, Operation, Outline, Step, Table, Value,
    has_extension, text_value,
};

/// The archive of Final Fantasy VII for the PC.
#[derive(Debug)]
pub(super) struct Lgp;

const ENTRY: Arg = Arg { name: "entry", kind: Kind::Entry };
const NAME: Arg = Arg { name: "name", kind: Kind::Text };
const FILE: Arg = Arg { name: "file", kind: Kind::File };

static INFO: Info = Info {
    id: "lgp",
    name: "LGP archive (Final Fantasy VII)",
    extensions: &["lgp"],
    topics: &[],
    codes: &[check::ALL],
    operations: &[
        Operation { name: "add", args: &[NAME, FILE], summary: "adds an entry behind those of its slot" },
        Operation { name: "remove", args: &[ENTRY], summary: "removes an entry and its bytes" },
        Operation { name: "replace", args: &[ENTRY, FILE], summary: "gives an entry the bytes of a file" },
        Operation {
            name: "rename",
            args: &[ENTRY, NAME],
            summary: "gives an entry another name and its place in the table of contents",
        },
        Operation { name: "rebuild-lookup", args: &[], summary: "computes the lookup table again" },
        Operation {
            name: "canonical",
            args: &[],
            summary: "groups the table of contents by slot and lays the records out in its order",
        },
    ],
};

impl Format for Lgp {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        Likelihood::by_magic(file.starts_with(&lgp::MAGIC), has_extension(name, &INFO))
    }

    fn open(&self, file: &[u8], options: &ReadOptions) -> Result<Opened, ReadError> {
        Ok(Opened::new(&Lgp, lgp::read(file, options)?))
    }

    fn pack(&self, folder: &Folder) -> Result<Vec<u8>, WriteError> {
        lgp::write(&folder::pack(folder)?)
    }
}

impl super::Document for Document {
    fn check(&self) -> Report {
        check(self)
    }

    fn write(&self) -> Result<Vec<u8>, WriteError> {
        lgp::write(self)
    }

    fn make_canonical(&mut self) -> Result<Report, EditError> {
        Document::make_canonical(self)
    }

    fn outline(&self) -> Outline {
        let sum = |lens: &mut dyn Iterator<Item = usize>| lens.map(as_u64).sum::<u64>();
        let gaps = std::iter::once(&self.lead).chain(self.blocks.iter().map(|block| &block.gap));
        Outline {
            counts: vec![
                ("entries", as_u64(self.entries.len())),
                ("record_bytes", sum(&mut self.blocks.iter().map(|block| block.bytes.len()))),
                ("unindexed_bytes", sum(&mut gaps.chain(&self.tail).map(Vec::len))),
                ("conflict_groups", as_u64(self.conflicts.as_ref().map_or(0, Vec::len))),
            ],
            facts: Vec::new(),
            tables: vec![entries_table(self)],
            unknown: Vec::new(),
        }
    }

    fn unpack(&self) -> Folder {
        folder::unpack(self)
    }

    fn edit(&mut self, step: &Step) -> Result<Report, EditError> {
        select::each(self, step, |archive, _| entries(archive), edit)
    }

    fn members(&self) -> Option<Vec<Member>> {
        Some(self.entries.iter().map(|entry| Member { name: entry.name.text().to_vec() }).collect())
    }

    fn member(&self, index: usize) -> Option<&[u8]> {
        self.payload(index)
    }

    fn set_member(&mut self, index: usize, bytes: Vec<u8>) -> Result<(), EditError> {
        self.replace(index, &bytes)
    }
}

/// Does one operation.
fn edit(archive: &mut Document, step: &Step) -> Result<Report, EditError> {
    use Value::{Bytes, Index};
    let mut report = Report::default();
    match (step.operation.name, step.values.as_slice()) {
        ("add", [Bytes(name), Bytes(bytes)]) => {
            archive.add(Name::new(name)?, bytes)?;
        }
        ("remove", [Index(entry)]) => archive.remove(*entry)?,
        ("replace", [Index(entry), Bytes(bytes)]) => archive.replace(*entry, bytes)?,
        ("rename", [Index(entry), Bytes(name)]) => {
            archive.rename(*entry, Name::new(name)?)?;
        }
        ("rebuild-lookup", []) => archive.rebuild_lookup(),
        ("canonical", []) => report = archive.make_canonical()?,
        (other, _) => unreachable!("`{other}` is declared but not done"),
    }
    Ok(report)
}

fn entries_table(document: &Document) -> Table {
    let offsets = document.offsets();
    let directories = directories(document);
    let rows = document.entries.iter().zip(offsets).zip(directories).enumerate();
    let rows = rows.map(|(i, ((entry, offset), directory))| {
        let (name, name_hex) = text_value(&entry.name.0);
        let size = match entry.place {
            Place::Held { len, .. } => as_u64(len),
            Place::Cut { size, .. } => u64::from(size),
            Place::Outside { .. } => 0,
        };
        let record_name = document.record_name(i).filter(|name| name.text() != entry.name.text());
        let record_name = record_name.map_or(Json::Null, |name| json!(name.to_string()));
        vec![json!(i), name, name_hex, json!(size), json!(offset), record_name, directory]
    });
    Table {
        key: "entries",
        columns: &["index", "name", "name_hex", "size", "offset", "record_name", "directory"],
        optional: &["name_hex", "record_name", "directory"],
        rows: rows.collect(),
    }
}

/// For each entry the folder that the conflict table gives it, or null.
fn directories(document: &Document) -> Vec<Json> {
    let mut directories = vec![Json::Null; document.entries.len()];
    for row in document.conflicts.iter().flatten().flatten() {
        if let Some(directory) = directories.get_mut(usize::from(row.entry_index)) {
            *directory = json!(text::shown(&row.directory));
        }
    }
    directories
}

fn entries(document: &Document) -> Candidates<'_> {
    let names = document.entries.iter().map(|entry| text::shown(&entry.name.0));
    Candidates::named("entry", Path::of("entries"), &check::NO_ENTRY, names)
}

fn as_u64(len: usize) -> u64 {
    u64::try_from(len).unwrap_or(u64::MAX)
}
