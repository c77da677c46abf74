//! Every node and every track of a document, each with its path.

mod change;

pub(crate) use change::{Room, Rooms};

use std::collections::BTreeMap;

use galvani_core::Path;
use galvani_core::record::{FieldKind, Record};

use crate::held::{Held, Raw, Records};
use crate::model::Node;
use crate::sample::Still;
use crate::track::Track;
use crate::{Chunk, Content, Document, NodeKind};

/// A node and where it stands.
#[derive(Debug, Clone, Copy)]
pub struct Placed<'a> {
    /// Its record's path.
    pub path: Path,
    /// What it belongs to.
    pub kind: NodeKind,
    /// The node.
    pub node: &'a Node,
}

/// Where something stands: made only when somebody wants to know, because most of what is visited is sound.
pub(crate) type At<'p> = &'p dyn Fn() -> Path;

/// Called with every list of tracks and where its owner stands.
pub(crate) type Lists<'l, 'a> = &'l mut dyn FnMut(At<'_>, &'a [Track]);

/// Called with what says how something looks that nothing animates, and where that stands.
pub(crate) type Stills<'s, 'a> = &'s mut dyn FnMut(Path, &'a dyn Still);

/// Called with every text that has a room of its own: the field, the whole room.
pub(crate) type Texts<'t, 'a> = &'t mut dyn FnMut(&'static str, &'a [u8]);

/// A record of a chunk, whatever it is. Most say what they have with [`visit!`].
pub(crate) trait Visit {
    /// Its node, if it begins with one.
    fn node(&self) -> Option<(NodeKind, &Node)> {
        None
    }

    /// The same for editing.
    fn node_mut(&mut self) -> Option<&mut Node> {
        None
    }

    /// Its own tracks, those of its node aside.
    fn own_tracks<'a>(&'a self, _: At<'_>, _: Lists<'_, 'a>) {}

    /// Where it keeps them, for editing.
    fn own_mut(&mut self, _: Path, _: Rooms<'_>) {}

    /// All its tracks, those of its node first.
    fn tracks<'a>(&'a self, at: At<'_>, each: Lists<'_, 'a>) {
        if let Some((_, node)) = self.node() {
            each(&|| at().field("node"), &node.tracks);
        }
        self.own_tracks(at, each);
    }

    /// What in it says how its animated properties look without keys.
    fn stills<'a>(&'a self, _: At<'_>, _: Stills<'_, 'a>) {}

    /// Its texts, that of its node aside.
    fn texts<'a>(&'a self, _: Texts<'_, 'a>) {}

    /// The parts of it that could not be read.
    fn broken<'a>(&'a self, _: At<'_>, _: &mut dyn FnMut(At<'_>, &'a Raw)) {}
}

/// What a record has, in its `impl` of [`Visit`]: a node, tracks, still values, texts in a fixed part.
macro_rules! visit {
    (node: $record:ident) => {
        fn node(&self) -> Option<(crate::NodeKind, &crate::model::Node)> {
            Some((crate::NodeKind::$record, &self.node))
        }

        fn node_mut(&mut self) -> Option<&mut crate::model::Node> {
            Some(&mut self.node)
        }
    };
    (tracks: $record:ident) => {
        fn own_tracks<'a>(&'a self, at: crate::visit::At<'_>, each: crate::visit::Lists<'_, 'a>) {
            each(at, &self.tracks);
        }

        fn own_mut(&mut self, path: galvani_core::Path, each: crate::visit::Rooms<'_>) {
            let room = crate::visit::Room::List(&mut self.tracks);
            each(path, crate::track::Owner::$record, room);
        }
    };
    (still) => {
        fn stills<'a>(&'a self, at: crate::visit::At<'_>, each: crate::visit::Stills<'_, 'a>) {
            each(at(), self);
        }
    };
    (texts: $fixed:ident) => {
        fn texts<'a>(&'a self, each: crate::visit::Texts<'_, 'a>) {
            crate::visit::texts_of(&self.$fixed, each);
        }
    };
}
pub(crate) use visit;

/// Calls `each` with the texts of a fixed part.
pub(crate) fn texts_of<'a, T: Record>(fixed: &'a T, each: Texts<'_, 'a>) {
    let bytes = fixed.as_bytes();
    for field in T::FIELDS.iter().filter(|field| field.kind == FieldKind::Text) {
        let room = bytes.get(field.offset..).and_then(|rest| rest.get(..field.size));
        each(field.name, room.unwrap_or_default());
    }
}

impl Document {
    /// Every record with a node, in file order.
    pub fn nodes(&self) -> Vec<Placed<'_>> {
        let mut found = Vec::new();
        self.each_record(&mut |at, record| {
            if let Some((kind, node)) = record.node() {
                found.push(Placed { path: at(), kind, node });
            }
        });
        found
    }

    /// Calls `each` with every track and its path, in file order.
    pub fn each_track<'a>(&'a self, mut each: impl FnMut(Path, &'a Track)) {
        self.each_tracks(|at, tracks| {
            for track in tracks {
                each(at().field(track.name()), track);
            }
        });
    }

    /// Bytes of all keys in memory.
    pub(crate) fn keys_len(&self) -> usize {
        let mut len: usize = 0;
        self.each_tracks(|_, tracks| {
            len = tracks.iter().map(Track::byte_len).fold(len, usize::saturating_add);
        });
        len
    }

    /// Calls `each` with every list of tracks and where its owner stands, in file order.
    pub(crate) fn each_tracks<'a>(&'a self, mut each: impl FnMut(At<'_>, &'a [Track])) {
        self.each_record(&mut |at, record| record.tracks(at, &mut each));
    }

    /// The chunks, each with the index of its first record among all records of its tag.
    pub(crate) fn placed(&self) -> impl Iterator<Item = (usize, usize, &Chunk)> {
        let mut before: BTreeMap<[u8; 4], usize> = BTreeMap::new();
        self.chunks.iter().enumerate().map(move |(i, chunk)| {
            let next = before.entry(chunk.tag).or_default();
            let first = *next;
            *next = next.saturating_add(chunk.content.len());
            (i, first, chunk)
        })
    }

    pub(crate) fn each_record<'a>(&'a self, each: &mut dyn FnMut(At<'_>, &'a dyn Visit)) {
        for (_, first, chunk) in self.placed() {
            chunk.content.each_record(first, each);
        }
    }
}

impl Content {
    /// Calls `each` with every record that could be read.
    fn each_record<'a>(&'a self, first: usize, each: &mut dyn FnMut(At<'_>, &'a dyn Visit)) {
        self.held(first, &mut |at, held| {
            if let Seen::Typed(record) = held {
                each(at, record);
            }
        });
    }

    /// Calls `each` with every record, readable or not, and with what follows the last.
    pub(crate) fn held<'a>(&'a self, first: usize, each: &mut dyn FnMut(At<'_>, Seen<'a>)) {
        if let Some((tag, records)) = self.name().zip(self.records()) {
            records.held(tag, first, each);
        }
    }
}

/// The same as [`Held`], borrowed and of any kind.
pub(crate) enum Seen<'a> {
    /// The record.
    Typed(&'a dyn Visit),
    /// Its bytes.
    Raw(&'a Raw),
}

/// The records of a chunk, whatever they are.
pub(crate) trait AnyRecords {
    /// How many there are as the chunk says, if it does.
    fn count(&self) -> Option<u32>;

    /// Calls `each` with every record, readable or not, and with what follows the last.
    fn held<'a>(&'a self, tag: &'static str, first: usize, each: &mut dyn FnMut(At<'_>, Seen<'a>));

    /// Calls `each` with every record that could be read, for editing.
    fn change(&mut self, path: Path, first: usize, each: &mut dyn FnMut(Path, &mut dyn Visit));
}

impl<T: Visit> AnyRecords for Records<T> {
    fn count(&self) -> Option<u32> {
        self.count
    }

    fn held<'a>(&'a self, tag: &'static str, first: usize, each: &mut dyn FnMut(At<'_>, Seen<'a>)) {
        for (i, item) in (first..).zip(&self.items) {
            let at = || Path::named(tag).index(i);
            match item {
                Held::Typed(record) => each(&at, Seen::Typed(record)),
                Held::Raw(raw) => each(&at, Seen::Raw(raw)),
            }
        }
        if !self.rest.bytes.is_empty() {
            each(&|| Path::named(tag).field("rest"), Seen::Raw(&self.rest));
        }
    }

    fn change(&mut self, path: Path, first: usize, each: &mut dyn FnMut(Path, &mut dyn Visit)) {
        for (i, record) in self.typed_mut() {
            each(path.index(first.saturating_add(i)), record);
        }
    }
}

impl<T: Visit> Visit for Box<T> {
    fn node(&self) -> Option<(NodeKind, &Node)> {
        T::node(self)
    }

    fn node_mut(&mut self) -> Option<&mut Node> {
        T::node_mut(self)
    }

    fn own_tracks<'a>(&'a self, at: At<'_>, each: Lists<'_, 'a>) {
        T::own_tracks(self, at, each);
    }

    fn own_mut(&mut self, path: Path, each: Rooms<'_>) {
        T::own_mut(self, path, each);
    }

    fn stills<'a>(&'a self, at: At<'_>, each: Stills<'_, 'a>) {
        T::stills(self, at, each);
    }

    fn texts<'a>(&'a self, each: Texts<'_, 'a>) {
        T::texts(self, each);
    }

    fn broken<'a>(&'a self, at: At<'_>, each: &mut dyn FnMut(At<'_>, &'a Raw)) {
        T::broken(self, at, each);
    }
}
