//! NRes behind the common door.

pub(super) mod folder;

use galvani_core::{EditError, Path, ReadError, ReadOptions, Report, WriteError, text};
use galvani_parkan::nres::{self, Attribute, Document, Name, NewEntry, Payload, check};
use serde_json::json;

use super::select::{self, Candidates};
use super::{
    Arg, Folder, Format, Info, Kind, Likelihood, Member, Opened, Operation, Outline, Step, Table, Unknown,
    Value, has_extension, tag_value, text_value,
};

/// The archive of Parkan: Iron Strategy.
#[derive(Debug)]
pub(super) struct Nres;

const ENTRY: Arg = Arg { name: "entry", kind: Kind::Entry };
const NAME: Arg = Arg { name: "name", kind: Kind::Text };
const TYPE: Arg = Arg { name: "type", kind: Kind::Tag };
const FILE: Arg = Arg { name: "file", kind: Kind::File };
const INDEX: Arg = Arg { name: "index", kind: Kind::Number };
const VALUE: Arg = Arg { name: "value", kind: Kind::Number };
const FIELD: Arg = Arg { name: "field", kind: Kind::Word(&["attr1", "attr2", "attr3"]) };

static INFO: Info = Info {
    id: "nres",
    name: "NRes archive (Parkan: Iron Strategy)",
    extensions: &["rlb", "lib", "msh", "map"],
    topics: &[],
    codes: &[check::ALL],
    operations: &[
        Operation {
            name: "add",
            args: &[NAME, TYPE, FILE],
            summary: "adds an entry at the end, its attributes 0, 0 and 1",
        },
        Operation {
            name: "insert",
            args: &[INDEX, NAME, TYPE, FILE],
            summary: "adds an entry before the one at an index",
        },
        Operation { name: "remove", args: &[ENTRY], summary: "removes an entry and its bytes" },
        Operation { name: "replace", args: &[ENTRY, FILE], summary: "gives an entry the bytes of a file" },
        Operation { name: "rename", args: &[ENTRY, NAME], summary: "gives an entry another name" },
        Operation {
            name: "move",
            args: &[ENTRY, INDEX],
            summary: "moves an entry to another place in the directory",
        },
        Operation { name: "retype", args: &[ENTRY, TYPE], summary: "gives an entry another type" },
        Operation { name: "set", args: &[ENTRY, FIELD, VALUE], summary: "sets an attribute of an entry" },
        Operation { name: "rebuild-sort-table", args: &[], summary: "lists the entries by name again" },
        Operation {
            name: "canonical",
            args: &[],
            summary: "lays the archive out as the game's own writer does",
        },
    ],
};

impl Format for Nres {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        Likelihood::by_magic(file.starts_with(&nres::MAGIC), has_extension(name, &INFO))
    }

    fn open(&self, file: &[u8], options: &ReadOptions) -> Result<Opened, ReadError> {
        Ok(Opened::new(&Nres, nres::read(file, options)?))
    }

    fn pack(&self, folder: &Folder) -> Result<Vec<u8>, WriteError> {
        write_folder(folder)
    }
}

impl super::Document for Document {
    fn check(&self) -> Report {
        check(self)
    }

    fn write(&self) -> Result<Vec<u8>, WriteError> {
        nres::write(self)
    }

    fn make_canonical(&mut self) -> Result<Report, EditError> {
        Document::make_canonical(self)
    }

    fn outline(&self) -> Outline {
        let sum = |lens: &mut dyn Iterator<Item = usize>| lens.map(as_u64).sum::<u64>();
        let gaps = std::iter::once(&self.lead).chain(self.blocks.iter().map(|block| &block.gap));
        let unindexed = gaps.filter(|gap| gap.iter().any(|&byte| byte != 0)).map(Vec::len);
        Outline {
            counts: vec![
                ("entries", as_u64(self.entries.len())),
                ("payload_bytes", sum(&mut self.blocks.iter().map(|block| block.bytes.len()))),
                ("unindexed_bytes", sum(&mut unindexed.chain([self.tail.len()]))),
            ],
            facts: Vec::new(),
            tables: vec![entries_table(self)],
            unknown: unknown(self),
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
        self.replace(index, bytes)
    }
}

/// Does one operation.
fn edit(archive: &mut Document, step: &Step) -> Result<Report, EditError> {
    use Value::{Bytes, Index, Number, Word};
    let mut report = Report::default();
    match (step.operation.name, step.values.as_slice()) {
        ("add", [Bytes(name), Number(type_id), Bytes(bytes)]) => {
            archive.insert(archive.entries.len(), new_entry(name, *type_id)?, bytes.clone())?;
        }
        ("insert", [Number(index), Bytes(name), Number(type_id), Bytes(bytes)]) => {
            archive.insert(as_usize(*index), new_entry(name, *type_id)?, bytes.clone())?;
        }
        ("remove", [Index(entry)]) => archive.remove(*entry)?,
        ("replace", [Index(entry), Bytes(bytes)]) => {
            archive.replace(*entry, bytes.clone())?;
        }
        ("rename", [Index(entry), Bytes(name)]) => {
            archive.rename(*entry, Name::new(name)?)?;
        }
        ("move", [Index(entry), Number(index)]) => {
            archive.reorder(*entry, as_usize(*index))?;
        }
        ("retype", [Index(entry), Number(type_id)]) => {
            archive.set(*entry, Attribute::TypeId, *type_id)?;
        }
        ("set", [Index(entry), Word(field), Number(value)]) => {
            archive.set(*entry, attribute(field), *value)?;
        }
        ("rebuild-sort-table", []) => archive.rebuild_sort_table(),
        ("canonical", []) => report = archive.make_canonical()?,
        (other, _) => unreachable!("`{other}` is declared but not done"),
    }
    Ok(report)
}

/// Builds an archive from a folder.
pub(super) fn write_folder(folder: &Folder) -> Result<Vec<u8>, WriteError> {
    nres::write(&folder::pack(folder)?)
}

pub(super) fn entries_table(document: &Document) -> Table {
    let offsets = document.offsets();
    let rows = document.entries.iter().zip(offsets).enumerate().map(|(i, (entry, offset))| {
        let (name, name_hex) = text_value(&entry.name.0);
        let size = match entry.payload {
            Payload::Held { len, .. } => as_u64(len),
            Payload::Outside { size, .. } => u64::from(size),
        };
        vec![
            json!(i),
            name,
            name_hex,
            tag_value(entry.type_id),
            json!(size),
            json!(offset),
            json!(entry.attr1),
            json!(entry.attr2),
            json!(entry.attr3),
        ]
    });
    Table {
        key: "entries",
        columns: &["index", "name", "name_hex", "type", "size", "offset", "attr1", "attr2", "attr3"],
        optional: &["name_hex"],
        rows: rows.collect(),
    }
}

/// Types that the game's files are known to hold.
fn is_known(type_id: u32) -> bool {
    const KNOWN: &[&str] = &[
        "Texm", "MAT0", "WEAR", "FXID", "MESH", "CTLD", "CTPT", "NDPR", "EXPL", "SUND", "BASE", "STAT",
        "INTO", "EXTO", "BULL", "BTLU", "FORT", "WPNS", "SUNO", "SWAV",
    ];
    match text::four_cc(type_id) {
        Some(tag) => KNOWN.contains(&tag.as_str()) || tag.starts_with("TRF"),
        None => (1..=21).contains(&type_id),
    }
}

fn unknown(document: &Document) -> Vec<Unknown> {
    let strange = document.entries.iter().enumerate().filter(|(_, entry)| !is_known(entry.type_id));
    strange
        .map(|(i, entry)| Unknown {
            kind: tag_value(entry.type_id),
            size: document.payload(i).map_or(0, |bytes| as_u64(bytes.len())),
        })
        .collect()
}

fn entries(document: &Document) -> Candidates<'_> {
    let names = document.entries.iter().map(|entry| text::shown(&entry.name.0));
    Candidates::named("entry", Path::of("entries"), &check::NO_ENTRY, names)
}

fn new_entry(name: &[u8], type_id: u32) -> Result<NewEntry, EditError> {
    Ok(NewEntry { type_id, attr1: 0, attr2: 0, attr3: 1, name: Name::new(name)? })
}

fn attribute(field: &str) -> Attribute {
    match field {
        "attr1" => Attribute::Attr1,
        "attr2" => Attribute::Attr2,
        _ => Attribute::Attr3,
    }
}

pub(super) fn as_u64(len: usize) -> u64 {
    u64::try_from(len).unwrap_or(u64::MAX)
}

fn as_usize(index: u32) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}
