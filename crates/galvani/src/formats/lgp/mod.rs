//! LGP behind the common door.

mod folder;

use galvani_core::{EditError, Path, ReadError, ReadOptions, Report, WriteError, text};
use galvani_ff7::lgp::{self, Document, Name, Place, check};

use super::outline::in_a_line;
use super::select::{self, Candidates};
use super::{
    Arg, Cell, Column, Count, Folder, Format, Info, Kind, Likelihood, Look, MEMBER, Member, Opened,
    Operation, Outline, Section, Step, Value, has_extension,
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
        let gaps = std::iter::once(&self.lead).chain(self.blocks.iter().map(|block| &block.gap));
        let unindexed = gaps.chain(&self.tail).map(Vec::len).sum();
        Outline {
            counts: vec![
                Count::new("entries", "entry", self.entries.len()),
                Count::machines("record_bytes", self.blocks.iter().map(|block| block.bytes.len()).sum()),
                Count::new("unindexed_bytes", "unindexed byte", unindexed),
                Count::new("conflict_groups", "conflict group", self.conflicts.as_ref().map_or(0, Vec::len)),
            ],
            facts: Vec::new(),
            sections: vec![entries_section(self)],
            unknown: Vec::new(),
        }
    }

    fn summary(&self) -> String {
        in_a_line(&[Count::new("files", "file", self.entries.len())])
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

fn entries_section(document: &Document) -> Section {
    let offsets = document.offsets();
    let directories = directories(document);
    let rows = document.entries.iter().zip(offsets).zip(directories).enumerate();
    let rows = rows.map(|(i, ((entry, offset), directory))| {
        let [name, name_hex] = Cell::room(&entry.name.0);
        let size = match entry.place {
            Place::Held { len, .. } => Cell::count(len),
            Place::Cut { size, .. } => Cell::from(size),
            Place::Outside { .. } => Cell::Count(0),
        };
        let record_name = document.record_name(i).filter(|name| name.text() != entry.name.text());
        let record_name = record_name.map(|name| name.to_string());
        vec![
            i.into(),
            name,
            name_hex,
            size,
            offset.into(),
            record_name.into(),
            directory.into(),
            Cell::Nothing,
            Cell::Nothing,
        ]
    });
    let columns = [
        Column::new("index", "#"),
        Column::new("name", "name"),
        Column::machines("name_hex").optional(),
        Column::new("size", "bytes"),
        Column::machines("offset"),
        Column::new("record_name", "name before it").optional(),
        Column::new("directory", "folder").optional(),
        MEMBER[0],
        MEMBER[1],
    ];
    Section::new("entries", "Files", &columns, rows.collect()).looking(Look::Members)
}

/// For each entry the folder that the conflict table gives it.
fn directories(document: &Document) -> Vec<Option<String>> {
    let mut directories = vec![None; document.entries.len()];
    for row in document.conflicts.iter().flatten().flatten() {
        if let Some(directory) = directories.get_mut(usize::from(row.entry_index)) {
            *directory = Some(text::shown(&row.directory).into_owned());
        }
    }
    directories
}

fn entries(document: &Document) -> Candidates<'_> {
    let names = document.entries.iter().map(|entry| text::shown(&entry.name.0));
    Candidates::named("entry", Path::of("entries"), &check::NO_ENTRY, names)
}
