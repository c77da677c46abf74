//! NRes behind the common door.

pub(super) mod folder;

use galvani_core::{EditError, Exhausted, FileMap, Path, ReadError, Report, WriteError, text};
use galvani_parkan::nres::{self, Attribute, Document, Name, NewEntry, Payload, check};

use super::argument::{Entry, File, FolderFiles, Tag, Text, words};
use super::mend::mends;
use super::operation::{Editable, operations, together};
use super::outline::{in_a_line, wide};
use super::select::Candidates;
use super::tabular::{SectionRow, TableRow};
use super::{
    Archive, ArgumentValue, Cell, Column, Comparable, Declared, Folder, Format, Info, Likelihood, ListStyle,
    MEMBER, Member, OpenOptions, Opened, Outline, OutlineCount, Packing, Section, Selector, Site, Tabular,
    Thing, Unknown, has_extension,
};

/// The archive of Parkan: Iron Strategy.
#[derive(Debug)]
pub(super) struct Nres;

words! { Attribute { "attr1" => Attribute::Attr1, "attr2" => Attribute::Attr2, "attr3" => Attribute::Attr3 } }

static INFO: Info = Info {
    id: "nres",
    name: "NRes archive (Parkan: Iron Strategy)",
    extensions: &["rlb", "lib", "msh", "map"],
    is_archive: true,
    topics: &[],
    codes: &[check::ALL],
    operations: operations! { Document;
        "adds an entry at the end, its attributes 0, 0 and 1"
        "add" (name: Text = "its name", r#type as "type": Tag = "its type", file: File = "its bytes")
        |archive| archive.insert(archive.entries.len(), new_entry(&name, r#type)?, file.0);

        "adds an entry before the one at an index"
        "insert" (
            index: usize = "where; as many as there are for the end",
            name: Text = "its name",
            r#type as "type": Tag = "its type",
            file: File = "its bytes",
        )
        |archive| archive.insert(index, new_entry(&name, r#type)?, file.0);

        "adds every file of a folder as an entry of its name, at the end"
        "add-folder" (folder: FolderFiles = "the folder", r#type as "type": Tag = "the type of all")
        |archive| together(archive, |archive| {
            folder.0.into_iter().try_for_each(|file| {
                let entry = new_entry(&Text(file.name.into_bytes()), r#type)?;
                archive.insert(archive.entries.len(), entry, file.bytes)
            })
        });

        "gives the entries that are called like the files of a folder their bytes"
        "replace-folder" (folder: FolderFiles = "the folder")
        |archive| together(archive, |archive| {
            folder.0.into_iter().try_for_each(|file| archive.replace(named(archive, &file.name)?, file.bytes))
        });

        "removes an entry and its bytes"
        "remove" (entry: Entry = "which")
        |archive| archive.remove(entry.0);

        "gives an entry the bytes of a file"
        "replace" (entry: Entry = "which", file: File = "its new bytes")
        |archive| archive.replace(entry.0, file.0);

        "gives an entry another name"
        "rename" (entry: Entry = "which", name: Text = "its new name")
        |archive| archive.rename(entry.0, Name::new(&name.0)?);

        "moves an entry to another place in the directory"
        "move" (entry: Entry = "which", index: usize = "where to")
        |archive| archive.reorder(entry.0, index);

        "gives an entry another type"
        "retype" (entry: Entry = "which", r#type as "type": Tag = "its new type")
        |archive| archive.set(entry.0, Attribute::TypeId, r#type.0);

        "sets an attribute of an entry"
        "set" (entry: Entry = "which", field: Attribute = "which attribute", value: u32 = "its new value")
        |archive| archive.set(entry.0, field, value);

        "lists the entries by name again"
        "rebuild-sort-table" ()
        |archive| archive.rebuild_sort_table();

        "lays the archive out as the game's own writer does"
        "canonical" ()
        |archive| archive.make_canonical();
    },
    mends: mends! { Document;
        [check::SORT_TABLE_BROKEN, check::SORT_TABLE_ORDER] "the sort table is made again"
        |archive| archive.rebuild_sort_table();
    },
    ..Info::PLAIN
};

impl Format for Nres {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        Likelihood::by_magic(file.starts_with(&nres::MAGIC), has_extension(name, &INFO))
    }

    fn read_at(&self, file: &[u8], options: &OpenOptions, _site: &Site<'_>) -> Result<Opened, ReadError> {
        Ok(Opened::new(&Nres, nres::read(file, &options.read)?))
    }

    fn pack_within(&self, folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
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

    fn outline(&self, _map: &FileMap, _site: &Site<'_>) -> Outline {
        let gaps = std::iter::once(&self.lead).chain(self.blocks.iter().map(|block| &block.gap));
        let unindexed = gaps.filter(|gap| gap.iter().any(|&byte| byte != 0)).map(Vec::len);
        Outline {
            counts: vec![
                OutlineCount::new("entries", "entry", self.entries.len()),
                OutlineCount::machines(
                    "payload_bytes",
                    self.blocks.iter().map(|block| block.bytes.len()).sum(),
                ),
                OutlineCount::new(
                    "unindexed_bytes",
                    "unindexed byte",
                    unindexed.chain([self.tail.len()]).sum(),
                ),
            ],
            facts: Vec::new(),
            sections: vec![entries_section(self)],
            unknown: unknown(self),
        }
    }

    fn summary(&self) -> String {
        match in_a_line(&[OutlineCount::new("entries", "entry", self.entries.len())]) {
            entries if entries.is_empty() => "archive without entries".to_owned(),
            entries => format!("archive of {entries}"),
        }
    }

    fn folder(&self) -> Result<Folder, Exhausted> {
        Ok(folder::unpack(self))
    }

    fn comparable(&self) -> Result<Comparable<'_>, Exhausted> {
        Ok(folder::comparable(self, |_, _| {}))
    }

    fn as_tabular(&self) -> Option<&dyn Tabular> {
        Some(self)
    }

    fn as_archive(&self) -> Option<&dyn Archive> {
        Some(self)
    }

    fn as_archive_mut(&mut self) -> Option<&mut dyn Archive> {
        Some(self)
    }
}

impl Archive for Document {
    fn members(&self) -> Vec<Member> {
        let declared = |entry: &nres::Entry| Declared {
            type_id: entry.type_id,
            flags: entry.attr1,
            version: entry.attr2,
        };
        let member = |entry: &nres::Entry| Member {
            name: entry.name.text().to_vec(),
            declared: Some(declared(entry)),
        };
        self.entries.iter().map(member).collect()
    }

    fn member(&self, index: usize) -> Option<&[u8]> {
        self.payload(index)
    }

    fn set_member(&mut self, index: usize, bytes: Vec<u8>) -> Result<(), EditError> {
        self.replace(index, bytes)
    }

    fn set_members(&mut self, indices: &[usize], bytes: Vec<u8>) -> Result<(), EditError> {
        self.replace_shared(indices, bytes)
    }
}

/// Builds an archive from a folder.
pub(super) fn write_folder(folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
    nres::write(&folder::pack(folder)?)
}

fn entries_section(document: &Document) -> Section {
    let columns = [
        Column::new("index", "#"),
        Column::new("name", "name"),
        Column::machines("name_hex").optional(),
        Column::new("type", "type"),
        Column::new("size", "bytes"),
        Column::machines("offset"),
        Column::machines("attr1"),
        Column::machines("attr2"),
        Column::machines("attr3"),
        MEMBER[0],
        MEMBER[1],
    ];
    let mut rows = entry_rows(document);
    for row in &mut rows {
        row.extend([Cell::Nothing, Cell::Nothing]);
    }
    Section::new("entries", "Entries", &columns, rows).looking(ListStyle::Members)
}

/// For each entry what its record says: index, name and its bytes, type, size, offset, attributes.
pub(super) fn entry_rows(document: &Document) -> Vec<Vec<Cell>> {
    let offsets = document.offsets();
    let rows = document.entries.iter().zip(offsets).enumerate().map(|(i, (entry, offset))| {
        let [name, name_hex] = Cell::room(&entry.name.0);
        let size = match entry.payload {
            Payload::Held { len, .. } => Cell::count(len),
            Payload::Outside { size, .. } => Cell::from(size),
        };
        let attributes = [entry.attr1, entry.attr2, entry.attr3].map(Cell::from);
        let start = [i.into(), name, name_hex, Cell::Tag(entry.type_id), size, offset.into()];
        start.into_iter().chain(attributes).collect()
    });
    rows.collect()
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
    let entries = document.entries.iter().enumerate();
    let entries = entries.map(|(i, entry)| (entry.type_id, document.payload(i).unwrap_or_default()));
    // An archive in an archive is known whatever its type.
    let strange = entries.filter(|(type_id, bytes)| !is_known(*type_id) && !bytes.starts_with(&nres::MAGIC));
    strange.map(|(kind, bytes)| Unknown { kind, size: wide(bytes.len()) }).collect()
}

impl Editable for Document {
    fn select(
        &self,
        _: Thing,
        wanted: &Selector,
        notes: &mut Report,
    ) -> Result<Vec<ArgumentValue>, EditError> {
        let names = self.entries.iter().map(|entry| text::shown(&entry.name.0));
        Candidates::named("entry", Path::named("entries"), &check::NO_ENTRY, names).values(wanted, notes)
    }
}

/// The first entry of a name.
fn named(archive: &Document, name: &str) -> Result<usize, EditError> {
    archive
        .entries
        .iter()
        .position(|entry| entry.name.text().eq_ignore_ascii_case(name.as_bytes()))
        .ok_or_else(|| {
            check::NO_ENTRY
                .at(Path::named("entries"))
                .saying(format!("`{name}`, a file of the folder"))
                .into()
        })
}

fn new_entry(name: &Text, type_id: Tag) -> Result<NewEntry, EditError> {
    Ok(NewEntry { type_id: type_id.0, attr1: 0, attr2: 0, attr3: 1, name: Name::new(&name.0)? })
}

impl Tabular for Document {
    fn rows(&self, _map: &FileMap, tell: &mut dyn FnMut(TableRow<'_>)) {
        for (entry, offset) in self.entries.iter().zip(self.offsets()) {
            let (tag, offset) = (tag(entry.type_id).into(), Some(wide(offset)));
            tell(TableRow::Section(SectionRow { tag, offset, size: size(entry), count: None }));
        }
    }
}

/// A type as people read it: four letters or a number.
pub(super) fn tag(type_id: u32) -> String {
    text::four_cc(type_id).unwrap_or_else(|| type_id.to_string())
}

/// Bytes of an entry, as its record has it.
pub(super) fn size(entry: &nres::Entry) -> u64 {
    match entry.payload {
        Payload::Held { len, .. } => wide(len),
        Payload::Outside { size, .. } => size.into(),
    }
}
