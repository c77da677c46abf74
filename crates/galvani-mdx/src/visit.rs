//! Every node and every track of a document, each with its path.

mod change;

pub(crate) use change::Room;

use std::collections::BTreeMap;

use galvani_core::Path;

use crate::held::{Held, Raw, Records};
use crate::model::{
    Attachment, Bone, Camera, CollisionShape, Emitter, Emitter2, Event, Geoset, GeosetAnimation, HitTest,
    Light, Material, Node, Popcorn, Ribbon, TextureAnimation,
};
use crate::track::Track;
use crate::{Chunk, Content, Document};

/// What a node belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeKind {
    /// BONE.
    Bone,
    /// HELP.
    Helper,
    /// LITE.
    Light,
    /// ATCH.
    Attachment,
    /// PREM.
    Emitter,
    /// PRE2.
    Emitter2,
    /// RIBB.
    Ribbon,
    /// EVTS.
    Event,
    /// CLID of Warcraft III.
    CollisionShape,
    /// HTST of WoW.
    HitTest,
    /// CORN.
    Popcorn,
}

impl NodeKind {
    /// The word for this kind.
    pub fn word(self) -> &'static str {
        match self {
            NodeKind::Bone => "bone",
            NodeKind::Helper => "helper",
            NodeKind::Light => "light",
            NodeKind::Attachment => "attachment",
            NodeKind::Emitter => "emitter",
            NodeKind::Emitter2 => "particle emitter",
            NodeKind::Ribbon => "ribbon",
            NodeKind::Event => "event",
            NodeKind::CollisionShape => "collision shape",
            NodeKind::HitTest => "hit test",
            NodeKind::Popcorn => "popcorn emitter",
        }
    }
}

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
type Lists<'l, 'a> = &'l mut dyn FnMut(At<'_>, &'a [Track]);

/// A record of a chunk, whatever it is.
pub(crate) trait Visit {
    /// Its node, if it begins with one.
    fn node(&self) -> Option<(NodeKind, &Node)> {
        None
    }

    /// Its own tracks, those of its node aside.
    fn own<'a>(&'a self, at: At<'_>, each: Lists<'_, 'a>);

    /// All its tracks, those of its node first.
    fn tracks<'a>(&'a self, at: At<'_>, each: Lists<'_, 'a>) {
        if let Some((_, node)) = self.node() {
            each(&|| at().field("node"), &node.tracks);
        }
        self.own(at, each);
    }

    /// The parts of it that could not be read.
    fn broken<'a>(&'a self, _: At<'_>, _: &mut dyn FnMut(At<'_>, &'a Raw)) {}
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

    fn each_record<'a>(&'a self, each: &mut dyn FnMut(At<'_>, &'a dyn Visit)) {
        for (_, first, chunk) in self.placed() {
            chunk.content.each_record(first, each);
        }
    }
}

impl Content {
    /// The tag of what it holds, unless it is raw.
    pub fn name(&self) -> Option<&'static str> {
        Some(match self {
            Content::Version(_) => "VERS",
            Content::Model(_) => "MODL",
            Content::Sequences(_) => "SEQS",
            Content::Globals(_) => "GLBS",
            Content::Textures(_) => "TEXS",
            Content::Materials(_) => "MTLS",
            Content::TextureAnimations(_) => "TXAN",
            Content::Geosets(_) | Content::Batches(_) => "GEOS",
            Content::GeosetAnimations(_) => "GEOA",
            Content::Bones(_) => "BONE",
            Content::Helpers(_) => "HELP",
            Content::Lights(_) => "LITE",
            Content::Attachments(_) => "ATCH",
            Content::Pivots(_) => "PIVT",
            Content::Emitters(_) => "PREM",
            Content::Emitters2(_) => "PRE2",
            Content::Ribbons(_) => "RIBB",
            Content::Cameras(_) => "CAMS",
            Content::Events(_) => "EVTS",
            Content::CollisionShapes(_) | Content::CollisionMesh(_) => "CLID",
            Content::HitTests(_) => "HTST",
            Content::Popcorn(_) => "CORN",
            Content::FaceFx(_) => "FAFX",
            Content::BindPoses(_) => "BPOS",
            Content::Raw(_) => return None,
        })
    }

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
        let tag = self.name().unwrap_or_default();
        match self {
            Content::Materials(records) => all(records, tag, first, each),
            Content::TextureAnimations(records) => all(records, tag, first, each),
            Content::Geosets(records) => all(records, tag, first, each),
            Content::GeosetAnimations(records) => all(records, tag, first, each),
            Content::Bones(records) => all(records, tag, first, each),
            Content::Helpers(records) => all(records, tag, first, each),
            Content::Lights(records) => all(records, tag, first, each),
            Content::Attachments(records) => all(records, tag, first, each),
            Content::Emitters(records) => all(records, tag, first, each),
            Content::Emitters2(records) => all(records, tag, first, each),
            Content::Ribbons(records) => all(records, tag, first, each),
            Content::Cameras(records) => all(records, tag, first, each),
            Content::Events(records) => all(records, tag, first, each),
            Content::CollisionShapes(records) => all(records, tag, first, each),
            Content::HitTests(records) => all(records, tag, first, each),
            Content::Popcorn(records) => all(records, tag, first, each),
            _ => {}
        }
    }

    /// The count before the records and how many there are, where a chunk has such a count.
    pub(crate) fn counts(&self) -> Option<(u32, usize)> {
        let of = match self {
            Content::Materials(records) => (records.count, records.items.len()),
            Content::TextureAnimations(records) => (records.count, records.items.len()),
            Content::Geosets(records) => (records.count, records.items.len()),
            Content::GeosetAnimations(records) => (records.count, records.items.len()),
            Content::Bones(records) => (records.count, records.items.len()),
            Content::Helpers(records) => (records.count, records.items.len()),
            Content::Lights(records) => (records.count, records.items.len()),
            Content::Attachments(records) => (records.count, records.items.len()),
            Content::Emitters(records) => (records.count, records.items.len()),
            Content::Emitters2(records) => (records.count, records.items.len()),
            Content::Ribbons(records) => (records.count, records.items.len()),
            Content::Cameras(records) => (records.count, records.items.len()),
            Content::Events(records) => (records.count, records.items.len()),
            Content::HitTests(records) => (records.count, records.items.len()),
            _ => return None,
        };
        Some((of.0?, of.1))
    }
}

/// The same as [`Held`], borrowed and of any kind.
pub(crate) enum Seen<'a> {
    /// The record.
    Typed(&'a dyn Visit),
    /// Its bytes.
    Raw(&'a Raw),
}

fn all<'a, T: Visit>(
    records: &'a Records<T>,
    tag: &'static str,
    first: usize,
    each: &mut dyn FnMut(At<'_>, Seen<'a>),
) {
    for (i, item) in (first..).zip(&records.items) {
        let at = || Path::of(tag).index(i);
        match item {
            Held::Typed(record) => each(&at, Seen::Typed(record)),
            Held::Raw(raw) => each(&at, Seen::Raw(raw)),
        }
    }
    if !records.rest.bytes.is_empty() {
        each(&|| Path::of(tag).field("rest"), Seen::Raw(&records.rest));
    }
}

impl<T: Visit> Visit for Box<T> {
    fn node(&self) -> Option<(NodeKind, &Node)> {
        T::node(self)
    }

    fn own<'a>(&'a self, at: At<'_>, each: Lists<'_, 'a>) {
        T::own(self, at, each);
    }
}

impl Visit for Geoset {
    fn own<'a>(&'a self, _: At<'_>, _: Lists<'_, 'a>) {}
}

impl Visit for Node {
    fn node(&self) -> Option<(NodeKind, &Node)> {
        Some((NodeKind::Helper, self))
    }

    fn own<'a>(&'a self, _: At<'_>, _: Lists<'_, 'a>) {}
}

impl Visit for Material {
    fn own<'a>(&'a self, at: At<'_>, each: Lists<'_, 'a>) {
        for (i, layer) in self.layers.iter().enumerate() {
            let Held::Typed(layer) = layer else { continue };
            let at = || at().field("LAYS").index(i);
            let textures = layer.textures.iter().flat_map(|textures| textures.list.iter().enumerate());
            for (i, texture) in textures {
                each(&|| at().field("textures").index(i), texture.track.as_slice());
            }
            each(&at, &layer.tracks);
        }
    }

    fn broken<'a>(&'a self, at: At<'_>, each: &mut dyn FnMut(At<'_>, &'a Raw)) {
        for (i, layer) in self.layers.iter().enumerate() {
            if let Held::Raw(raw) = layer {
                each(&|| at().field("LAYS").index(i), raw);
            }
        }
    }
}

/// Records that have a node, and tracks or none.
macro_rules! with_node {
    ($( $record:ident $(: $tracks:ident)?; )*) => { $(
        impl Visit for $record {
            fn node(&self) -> Option<(NodeKind, &Node)> {
                Some((NodeKind::$record, &self.node))
            }

            #[allow(unused_variables, reason = "not every record has tracks of its own")]
            fn own<'a>(&'a self, at: At<'_>, each: Lists<'_, 'a>) {
                $( each(at, self.$tracks.as_slice()); )?
            }
        }
    )* };
}
with_node! {
    Bone;
    Light: tracks;
    Attachment: tracks;
    Emitter: tracks;
    Emitter2: tracks;
    Ribbon: tracks;
    Event: track;
    CollisionShape;
    HitTest;
    Popcorn: tracks;
}

/// Records that have tracks and no node.
macro_rules! without_node {
    ($( $record:ident; )*) => { $(
        impl Visit for $record {
            fn own<'a>(&'a self, at: At<'_>, each: Lists<'_, 'a>) {
                each(at, &self.tracks);
            }
        }
    )* };
}
without_node! {
    TextureAnimation;
    GeosetAnimation;
    Camera;
}
