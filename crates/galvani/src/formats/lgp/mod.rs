//! LGP behind the common door.

mod folder;

use galvani_core::{EditError, Exhausted, FileMap, Path, ReadError, Report, WriteError, text};
use galvani_ff7::lgp::{self, Document, Name, RecordPlace, check};

use super::argument::{Entry, File, FolderFiles, Text};
use super::mend::mends;
use super::operation::{Editable, operations, together};
use super::outline::{in_a_line, wide};
use super::select::Candidates;
use super::tabular::{SectionRow, TableRow};
use super::{
    Archive, ArgumentValue, Cell, Column, Comparable, Folder, Format, Gathering, Info, Likelihood, ListStyle,
    MEMBER, Member, OpenOptions, Opened, Outline, OutlineCount, Packing, Section, Selector, Site, Tabular,
    Thing, has_extension,
};

/// The archive of Final Fantasy VII for the PC.
#[derive(Debug)]
pub(super) struct Lgp;

static INFO: Info = Info {
    id: "lgp",
    name: "LGP archive (Final Fantasy VII)",
    extensions: &["lgp"],
    is_archive: true,
    topics: &[],
    codes: &[check::ALL],
    operations: operations! { Document;
        "adds an entry behind those of its slot"
        "add" (name: Text = "its name", file: File = "its bytes")
        |archive| archive.add(Name::new(&name.0)?, &file.0).map(drop);

        "adds every file of a folder as an entry of its name"
        "add-folder" (folder: FolderFiles = "the folder")
        |archive| together(archive, |archive| {
            folder.0.iter().try_for_each(|file| {
                archive.add(Name::new(file.name.as_bytes())?, &file.bytes).map(drop)
            })
        });

        "gives the entries that are called like the files of a folder their bytes"
        "replace-folder" (folder: FolderFiles = "the folder")
        |archive| together(archive, |archive| {
            folder.0.iter().try_for_each(|file| archive.replace(named(archive, &file.name)?, &file.bytes))
        });

        "removes an entry and its bytes"
        "remove" (entry: Entry = "which")
        |archive| archive.remove(entry.0);

        "gives an entry the bytes of a file"
        "replace" (entry: Entry = "which", file: File = "its new bytes")
        |archive| archive.replace(entry.0, &file.0);

        "gives an entry another name and its place in the table of contents"
        "rename" (entry: Entry = "which", name: Text = "its new name")
        |archive| archive.rename(entry.0, Name::new(&name.0)?).map(drop);

        "computes the lookup table again"
        "rebuild-lookup" ()
        |archive| archive.rebuild_lookup();

        "groups the table of contents by slot and lays the records out in its order"
        "canonical" ()
        |archive| archive.make_canonical();
    },
    mends: mends! { Document;
        [check::LOOKUP, check::NOT_LISTED] "the lookup table is computed again"
        leaving [check::NOT_LISTED => "entries that stand where the game does not look for their names"]
        |archive| archive.rebuild_lookup();

        [check::CHECK_BYTE] "the byte is set to 14"
        |archive| archive.entries.iter_mut().for_each(|entry| entry.check = lgp::CHECK);
    },
    gathering: Some(Gathering { words: &["ff7", "ff7-field"], gather: gathered }),
    ..Info::PLAIN
};

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

fn gathered(files: &[(String, Vec<u8>)]) -> Result<Vec<u8>, EditError> {
    let mut archive = Document::default();
    for (name, bytes) in files {
        archive.add(Name::new(name.as_bytes())?, bytes)?;
    }
    lgp::write(&archive).map_err(|error| EditError { cause: error.cause })
}

impl Format for Lgp {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        Likelihood::by_magic(file.starts_with(&lgp::MAGIC), has_extension(name, &INFO))
    }

    fn read_at(&self, file: &[u8], options: &OpenOptions, _site: &Site<'_>) -> Result<Opened, ReadError> {
        Ok(Opened::new(&Lgp, lgp::read(file, &options.read)?))
    }

    fn pack_within(&self, folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
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

    fn outline(&self, _map: &FileMap, _site: &Site<'_>) -> Outline {
        let gaps = std::iter::once(&self.lead).chain(self.blocks.iter().map(|block| &block.gap));
        let unindexed = gaps.chain(&self.tail).map(Vec::len).sum();
        Outline {
            counts: vec![
                OutlineCount::new("entries", "entry", self.entries.len()),
                OutlineCount::machines(
                    "record_bytes",
                    self.blocks.iter().map(|block| block.bytes.len()).sum(),
                ),
                OutlineCount::new("unindexed_bytes", "unindexed byte", unindexed),
                OutlineCount::new(
                    "conflict_groups",
                    "conflict group",
                    self.conflicts.as_ref().map_or(0, Vec::len),
                ),
            ],
            facts: Vec::new(),
            sections: vec![entries_section(self)],
            unknown: Vec::new(),
        }
    }

    fn summary(&self) -> String {
        in_a_line(&[OutlineCount::new("files", "file", self.entries.len())])
    }

    fn folder(&self) -> Result<Folder, Exhausted> {
        Ok(folder::unpack(self))
    }

    fn comparable(&self) -> Result<Comparable<'_>, Exhausted> {
        Ok(folder::comparable(self))
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
        self.entries.iter().map(|entry| Member::named(entry.name.text().to_vec())).collect()
    }

    fn member(&self, index: usize) -> Option<&[u8]> {
        self.payload(index)
    }

    fn set_member(&mut self, index: usize, bytes: Vec<u8>) -> Result<(), EditError> {
        self.replace(index, &bytes)
    }

    fn set_members(&mut self, indices: &[usize], bytes: Vec<u8>) -> Result<(), EditError> {
        self.replace_shared(indices, &bytes)
    }
}

fn entries_section(document: &Document) -> Section {
    let offsets = document.offsets();
    let directories = directories(document);
    let rows = document.entries.iter().zip(offsets).zip(directories).enumerate();
    let rows = rows.map(|(i, ((entry, offset), directory))| {
        let [name, name_hex] = Cell::room(&entry.name.0);
        let size = match entry.place {
            RecordPlace::Held { len, .. } => Cell::count(len),
            RecordPlace::Cut { size, .. } => Cell::from(size),
            RecordPlace::Outside { .. } => Cell::Count(0),
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
    Section::new("entries", "Files", &columns, rows.collect()).looking(ListStyle::Members)
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

/// Its files, each under its extension, which is all that its table says of what they are.
impl Tabular for Document {
    fn rows(&self, _map: &FileMap, tell: &mut dyn FnMut(TableRow<'_>)) {
        for (entry, offset) in self.entries.iter().zip(self.offsets()) {
            let name = text::shown(&entry.name.0);
            let tag = name.rsplit_once('.').map_or("", |(_, extension)| extension);
            let size = match entry.place {
                RecordPlace::Held { len, .. } => wide(len),
                RecordPlace::Cut { size, .. } => size.into(),
                RecordPlace::Outside { .. } => 0,
            };
            let (tag, offset) = (tag.into(), u64::try_from(offset).ok());
            tell(TableRow::Section(SectionRow { tag, offset, size, count: None }));
        }
    }
}
