//! What an archive is to its user: a list of entries with their bytes. Edits on the list are obvious.

use galvani_parkan::nres::{Attribute, Document};

use super::raw::{Plain, RawArchive, zero_filled};
use super::strategy::Edit;

/// The entries in directory order; the bytes are `None` where they are not in the archive.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Model {
    pub entries: Vec<Item>,
}

/// Type, attr1, attr2, attr3; the name's room; the bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub words: [u32; 4],
    pub name: [u8; 36],
    pub bytes: Option<Vec<u8>>,
}

impl Model {
    /// What a generated archive holds.
    pub fn of_raw(archive: &RawArchive) -> Self {
        let item = |i: usize| {
            let record = &archive.records[i];
            Item {
                words: [record.type_id, record.attr1, record.attr2, record.attr3],
                name: record.name,
                bytes: archive.payload(i).map(<[u8]>::to_vec),
            }
        };
        Model { entries: (0..archive.records.len()).map(item).collect() }
    }

    /// What a document holds.
    pub fn of_document(document: &Document) -> Self {
        let item = |i: usize| {
            let entry = &document.entries[i];
            Item {
                words: [entry.type_id, entry.attr1, entry.attr2, entry.attr3],
                name: entry.name.0,
                bytes: document.payload(i).map(<[u8]>::to_vec),
            }
        };
        Model { entries: (0..document.entries.len()).map(item).collect() }
    }

    /// The entries for the writer of docs/formats/nres.md#canonical, if all have their bytes.
    pub fn plain(&self) -> Option<Vec<Plain>> {
        let plain =
            |item: &Item| Some(Plain { words: item.words, name: item.name, bytes: item.bytes.clone()? });
        self.entries.iter().map(plain).collect()
    }

    /// Makes an edit here and there. Whether it was made: in an empty archive one can only insert.
    pub fn edit(&mut self, edit: &Edit, document: &mut Document) -> bool {
        let count = self.entries.len();
        if let Edit::Insert(at, entry, bytes) = edit {
            let at = at.index(count + 1);
            let words = [entry.type_id, entry.attr1, entry.attr2, entry.attr3];
            self.entries.insert(at, Item { words, name: entry.name.0, bytes: Some(bytes.clone()) });
            document.insert(at, *entry, bytes.clone()).unwrap();
            return true;
        }
        if count == 0 {
            return false;
        }
        match edit {
            Edit::Insert(..) => {}
            Edit::Remove(at) => {
                self.entries.remove(at.index(count));
                document.remove(at.index(count)).unwrap();
            }
            Edit::Replace(at, bytes) => {
                self.entries[at.index(count)].bytes = Some(bytes.clone());
                document.replace(at.index(count), bytes.clone()).unwrap();
            }
            Edit::Rename(at, name) => {
                self.entries[at.index(count)].name = name.0;
                document.rename(at.index(count), *name).unwrap();
            }
            Edit::Reorder(from, to) => {
                let item = self.entries.remove(from.index(count));
                self.entries.insert(to.index(count), item);
                document.reorder(from.index(count), to.index(count)).unwrap();
            }
            Edit::Set(at, attribute, value) => {
                let word = match attribute {
                    Attribute::TypeId => 0,
                    Attribute::Attr1 => 1,
                    Attribute::Attr2 => 2,
                    Attribute::Attr3 => 3,
                };
                self.entries[at.index(count)].words[word] = *value;
                document.set(at.index(count), *attribute, *value).unwrap();
            }
            Edit::RebuildSortTable => document.rebuild_sort_table(),
            Edit::MakeCanonical => {
                document.make_canonical().unwrap();
                for item in &mut self.entries {
                    item.name = zero_filled(item.name);
                }
            }
        }
        true
    }
}
