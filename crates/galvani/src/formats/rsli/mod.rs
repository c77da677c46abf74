//! RsLi behind the common door.

mod folder;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use galvani_core::budget::is_exhaustion;
use galvani_core::{EditError, Exhausted, FileMap, Path, Read, ReadError, Report, WriteError, text};
use galvani_parkan::rsli::{self, Method, Name, NewEntry, Payload, check};

use super::argument::{Entry, File, Text, Within, words};
use super::operation::{Editable, operations};
use super::outline::{in_a_line, wide};
use super::select::Candidates;
use super::tabular::{SectionRow, TableRow};
use super::{
    Archive, ArgumentValue, Cell, Column, Comparable, Folder, Format, Info, Likelihood, ListStyle, MEMBER,
    Member, OpenOptions, Opened, Outline, OutlineCount, Packing, Section, Selector, Site, Tabular, Thing,
    has_extension,
};

/// The packed archive of Parkan.
#[derive(Debug)]
pub(super) struct Rsli;

words! { Method {
    "stored" => Method::Stored, "xor" => Method::Xor,
    "lzss" => Method::Lzss, "xor-lzss" => Method::XorLzss,
    "lzhuf" => Method::Lzhuf, "xor-lzhuf" => Method::XorLzhuf,
    "deflate" => Method::Deflate,
} }

static INFO: Info = Info {
    id: "rsli",
    name: "RsLi archive (Parkan)",
    extensions: &["rlb", "lib"],
    is_archive: true,
    codes: &[check::ALL],
    operations: operations! { Document;
        "adds an entry at the end"
        "add" (name: Text = "its name", method: Method = "how it is packed", file: File = "its content")
        |document| document.change(|archive| archive.push(NewEntry::new(Name::new(&name.0)?, method), &file.0));

        "adds an entry before the one at an index"
        "insert" (
            index: usize = "where; as many as there are for the end",
            name: Text = "its name",
            method: Method = "how it is packed",
            file: File = "its content",
        )
        |document| document.change(|archive| {
            archive.insert(index, NewEntry::new(Name::new(&name.0)?, method), &file.0)
        });

        "removes an entry and its bytes"
        "remove" (entry: Entry = "which")
        |document| document.change(|archive| archive.remove(entry.0));

        "gives an entry the content of a file, packed as the old one was"
        "replace" (entry: Entry = "which", file: File = "its new content")
        |document| document.change(|archive| archive.replace(entry.0, &file.0));

        "gives an entry bytes that are packed already"
        "replace-packed" (entry: Entry = "which", size: u32 = "bytes of the content", file: File = "the packed bytes")
        |document| document.change(|archive| {
            let mut made = archive.copied()?;
            made.replace_packed(entry.0, file.0, size)?;
            made.content(entry.0).map_err(|cause| EditError { cause })?;
            *archive = made;
            Ok(())
        });

        "packs the content of an entry in another way"
        "set-method" (entry: Entry = "which", method: Method = "how")
        |document| document.change(|archive| archive.set_method(entry.0, method));

        "gives an entry another name"
        "rename" (entry: Entry = "which", name: Text = "its new name")
        |document| document.change(|archive| archive.rename(entry.0, Name::new(&name.0)?));

        "moves an entry to another place in the table"
        "move" (entry: Entry = "which", index: usize = "where to")
        |document| document.change(|archive| archive.reorder(entry.0, index));

        "sets the flags of an entry but for those that say how it is packed"
        "set-flags" (entry: Entry = "which", flags: Within<0, 65535> = "the flags")
        |document| document.change(|archive| {
            archive.set_flags(entry.0, u16::try_from(flags.0).unwrap_or(u16::MAX))
        });

        "sets the four bytes of an entry that the game does not look at"
        "set-unknown" (entry: Entry = "which", word: u32 = "the bytes as a number, the lowest first")
        |document| document.change(|archive| archive.set_unknown(entry.0, word.to_le_bytes()));

        "lists the entries by name again"
        "rebuild-sort-table" ()
        |document| document.change(rsli::Document::rebuild_sort_table);

        "lays the archive out plainly"
        "canonical" ()
        |document| super::Document::make_canonical(document);
    },
    ..Info::PLAIN
};

/// An archive, and the contents of its members as far as somebody asked for them.
#[derive(Debug, Clone)]
pub struct Document {
    archive: rsli::Document,
    /// How many entries from the first on may be unpacked together.
    most: usize,
    /// Which content each entry has: those that share their packed bytes, and all that says how to unpack them, have one.
    slots: Vec<usize>,
    contents: Vec<OnceLock<Option<Vec<u8>>>>,
}

/// Bytes that all contents of an archive may have, whatever its size; far more than the game's archives hold.
const CONTENTS: usize = 1 << 26;

/// And as many times its size: entries that share bytes must not fill the memory.
const CONTENTS_FACTOR: usize = 16;

impl Document {
    /// An archive, nothing of it unpacked yet.
    pub fn new(archive: rsli::Document) -> Self {
        let held = archive.blocks.iter().map(|block| block.bytes.len()).fold(0, usize::saturating_add);
        let mut left = held.saturating_mul(CONTENTS_FACTOR).saturating_add(CONTENTS);
        let slots = slots(&archive);
        let fits = |(i, slot): &(usize, &usize)| {
            let rest = left.checked_sub(if i == *slot { stated(&archive, *i) } else { 0 });
            left = rest.unwrap_or(0);
            rest.is_some()
        };
        let most = slots.iter().enumerate().take_while(fits).count();
        let contents = archive.entries.iter().map(|_| OnceLock::new()).collect();
        Document { archive, most, slots, contents }
    }

    /// The archive as its family's crate has it.
    pub fn archive(&self) -> &rsli::Document {
        &self.archive
    }

    /// The content of an entry, unpacked once.
    fn content(&self, index: usize) -> Option<&[u8]> {
        self.unpacked(index).ok().flatten()
    }

    /// The same, or that there is no room for it.
    fn unpacked(&self, index: usize) -> Result<Option<&[u8]>, Exhausted> {
        let slot = self.slots.get(index).filter(|_| index < self.most);
        let Some(content) = slot.and_then(|slot| self.contents.get(*slot)) else { return Ok(None) };
        if content.get().is_none() {
            let found = match self.archive.content(index) {
                Ok(found) => Some(found),
                Err(cause) if is_exhaustion(&cause) => return Err(Exhausted { cause }),
                Err(_) => None,
            };
            // Of two that unpacked it at once either will do.
            let _ = content.set(found);
        }
        Ok(content.get().and_then(Option::as_deref))
    }

    /// Edits the archive; what was unpacked of it counts no longer.
    fn change<T>(
        &mut self,
        edit: impl FnOnce(&mut rsli::Document) -> Result<T, EditError>,
    ) -> Result<T, EditError> {
        let done = edit(&mut self.archive)?;
        *self = Document::new(std::mem::take(&mut self.archive));
        Ok(done)
    }
}

/// Bytes of an entry's content, as its record has it.
fn stated(archive: &rsli::Document, entry: usize) -> usize {
    let size = archive.entries.get(entry).map_or(0, |entry| entry.unpacked_size);
    usize::try_from(size).unwrap_or(usize::MAX)
}

/// For each entry the first that has the same content.
fn slots(archive: &rsli::Document) -> Vec<usize> {
    let mut firsts = BTreeMap::new();
    let slot = |(i, (entry, key)): (usize, (&rsli::Entry, u16))| {
        let Payload::Held { block, start, len, .. } = entry.payload else { return i };
        let method = entry.method();
        let key = method.is_some_and(Method::is_ciphered).then_some(key);
        let how = (method.map(Method::bits), key, entry.unpacked_size);
        *firsts.entry((block, start, len, how)).or_insert(i)
    };
    archive.entries.iter().zip(archive.keys()).enumerate().map(slot).collect()
}

impl Format for Rsli {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        Likelihood::by_magic(rsli::is_marked(file), has_extension(name, &INFO))
    }

    fn read_at(&self, file: &[u8], options: &OpenOptions, _site: &Site<'_>) -> Result<Opened, ReadError> {
        let Read { document, map, report, readings } = rsli::read(file, &options.read)?;
        Ok(Opened::new(&Rsli, Read { document: Document::new(document), map, report, readings }))
    }

    fn pack_within(&self, folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
        rsli::write(&folder::pack(folder)?)
    }
}

impl super::Document for Document {
    fn check(&self) -> Report {
        check(&self.archive)
    }

    fn write(&self) -> Result<Vec<u8>, WriteError> {
        rsli::write(&self.archive)
    }

    fn make_canonical(&mut self) -> Result<Report, EditError> {
        self.change(rsli::Document::make_canonical)
    }

    fn outline(&self, _map: &FileMap, _site: &Site<'_>) -> Outline {
        let Document { archive, .. } = self;
        let gaps = std::iter::once(&archive.lead).chain(archive.blocks.iter().map(|block| &block.gap));
        let unpacked =
            archive.entries.iter().fold(0, |sum: u64, entry| sum.saturating_add(entry.unpacked_size.into()));
        Outline {
            counts: vec![
                OutlineCount::new("entries", "entry", archive.entries.len()),
                OutlineCount::machines(
                    "packed_bytes",
                    archive.blocks.iter().map(|block| block.bytes.len()).sum(),
                ),
                OutlineCount { count: unpacked, ..OutlineCount::machines("content_bytes", 0) },
                OutlineCount::new("unindexed_bytes", "unindexed byte", gaps.map(Vec::len).sum()),
            ],
            facts: Vec::new(),
            sections: vec![entries_section(archive)],
            unknown: Vec::new(),
        }
    }

    fn summary(&self) -> String {
        match in_a_line(&[OutlineCount::new("entries", "entry", self.archive.entries.len())]) {
            entries if entries.is_empty() => "packed archive without entries".to_owned(),
            entries => format!("packed archive of {entries}"),
        }
    }

    fn folder(&self) -> Result<Folder, Exhausted> {
        folder::unpack(self)
    }

    fn comparable(&self) -> Result<Comparable<'_>, Exhausted> {
        folder::comparable(self)
    }

    fn in_the_clear<'a>(&self, file: &'a [u8]) -> Result<Cow<'a, [u8]>, Exhausted> {
        rsli::in_the_clear(file).map(Cow::Owned)
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
        self.archive.entries.iter().map(|entry| Member::named(entry.name.text().to_vec())).collect()
    }

    fn member(&self, index: usize) -> Option<&[u8]> {
        self.content(index)
    }

    fn prepare(&self, index: usize) -> Result<(), Exhausted> {
        self.unpacked(index).map(drop)
    }

    fn unpacked_len(&self) -> Option<usize> {
        let own = self.slots.iter().enumerate().filter(|(i, slot)| i == *slot).take(self.most);
        Some(own.map(|(i, _)| stated(&self.archive, i)).fold(0, usize::saturating_add))
    }

    fn set_member(&mut self, index: usize, bytes: Vec<u8>) -> Result<(), EditError> {
        self.change(|archive| archive.replace(index, &bytes))
    }

    fn set_members(&mut self, indices: &[usize], bytes: Vec<u8>) -> Result<(), EditError> {
        self.change(|archive| archive.replace_shared(indices, &bytes))
    }
}

fn entries_section(archive: &rsli::Document) -> Section {
    let columns = [
        Column::new("index", "#"),
        Column::new("name", "name"),
        Column::machines("name_hex").optional(),
        Column::new("method", "packed"),
        Column::new("packed_size", "packed bytes"),
        Column::new("size", "bytes"),
        Column::machines("offset"),
        Column::machines("flags"),
        MEMBER[0],
        MEMBER[1],
    ];
    let row = |(i, (entry, offset)): (usize, (&rsli::Entry, usize))| {
        let [name, name_hex] = Cell::room(&entry.name.0);
        let packed = match entry.payload {
            Payload::Held { len, .. } => Cell::count(len),
            Payload::Outside { size, .. } => size.into(),
        };
        let method = entry.method().map_or("unknown", Method::word);
        vec![
            i.into(),
            name,
            name_hex,
            method.into(),
            packed,
            entry.unpacked_size.into(),
            offset.into(),
            entry.flags.into(),
            Cell::Nothing,
            Cell::Nothing,
        ]
    };
    let rows = archive.entries.iter().zip(archive.offsets()).enumerate().map(row).collect();
    Section::new("entries", "Entries", &columns, rows).looking(ListStyle::Members)
}

impl Editable for Document {
    fn select(
        &self,
        _: Thing,
        wanted: &Selector,
        notes: &mut Report,
    ) -> Result<Vec<ArgumentValue>, EditError> {
        let names = self.archive.entries.iter().map(|entry| text::shown(&entry.name.0));
        Candidates::named("entry", Path::named("entries"), &check::NO_ENTRY, names).values(wanted, notes)
    }
}

/// Its entries, each under the method it is packed by; the size is that of the packed bytes.
impl Tabular for Document {
    fn rows(&self, _map: &FileMap, tell: &mut dyn FnMut(TableRow<'_>)) {
        for (entry, offset) in self.archive.entries.iter().zip(self.archive.offsets()) {
            let tag = entry.method().map_or("unknown", Method::word).into();
            let size = match entry.payload {
                Payload::Held { len, .. } => wide(len),
                Payload::Outside { size, .. } => size.into(),
            };
            tell(TableRow::Section(SectionRow { tag, offset: Some(wide(offset)), size, count: None }));
        }
    }
}
