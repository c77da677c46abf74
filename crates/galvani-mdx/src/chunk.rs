//! Every chunk, declared once: whose it is, what it holds, how it lies in the file.
//!
//! [`Content`], [`NodeKind`] and what reading, writing, checking, editing and visiting know of chunks follow
//! from this table; a row whose layout cannot read what it holds does not compile. A new chunk is a row here,
//! its fixed parts in `wire`, its record in a file of `model`, and the tags of its own tracks in
//! `track/tags.rs`.

mod declare;
mod layout;

pub(crate) use layout::{Counted, EachText, Layout, OwnLayout, Table, counted, exactly, multiple_of};

use zerocopy::little_endian::U32;

use crate::cursor::{Cursor, Outcome};
use crate::held::{Raw, Records};
use crate::model::{self, Write};
use crate::out::Out;
use crate::visit::AnyRecords;
use crate::{Document, Family, wire};
use Whose::{Both, Warcraft, Wow, WowFrom};
use declare::{chunks, given};
use layout::{Framed, FramedAfterTwo, FramedInWow, Nodes, Shapes};

// The rows stand in the order in which the games' own tools write (docs/formats/mdx.md#container). Of two
// rows of one tag the first that is this model's counts. A row is: tag, whose => content as layout, and maybe
//
//     has tracks                its records have tracks
//     node KIND "word" BIT      its records begin with a node, which has tracks; what such a node is, and the
//                               bit by which Warcraft III says so (docs/formats/mdx-records.md#node)
//     counted "many" "one"      `info` counts its records by this name
//
// The layouts are those of chunk/layout.rs: a table or one behind its count, records that each begin with
// their size or with a node; `OwnLayout` is one that the content has for itself.
chunks! {
    /// The version that all layouts are those of (docs/formats/mdx-records.md#vers).
    "VERS", Both => Version(u32) as OwnLayout;
    /// What the model says of itself (docs/formats/mdx-records.md#modl).
    "MODL", Both => Model(Box<model::ModelChunk>) as OwnLayout;
    /// Parts of the timeline (docs/formats/mdx-records.md#seqs).
    "SEQS", Both => Sequences(model::Sequences) as OwnLayout;
    /// Lengths of global sequences in milliseconds (docs/formats/mdx-records.md#glbs).
    "GLBS", Both => Globals(Vec<U32>) as OwnLayout;
    /// How faces are drawn (docs/formats/mdx-records.md#mtls).
    "MTLS", Both => Materials(Records<model::Material>) as FramedAfterTwo, has tracks,
        counted "materials" "material";
    /// Pictures (docs/formats/mdx-records.md#texs).
    "TEXS", Both => Textures(Vec<wire::Texture>) as Table, counted "textures" "texture";
    /// How pictures move over faces (docs/formats/mdx-records.md#txan).
    "TXAN", Both => TextureAnimations(Records<model::TextureAnimation>) as Framed, has tracks,
        counted "texture_animations" "texture animation";
    /// Geosets of WoW 1500 (docs/formats/mdx-records.md#geos).
    "GEOS", WowFrom(1500) => Batches(Vec<model::Batch>) as OwnLayout;
    /// Geosets of Warcraft III and of WoW up to 1400 (docs/formats/mdx-records.md#geos).
    "GEOS", Both => Geosets(Records<Box<model::Geoset>>) as Framed;
    /// How geosets appear and are tinted (docs/formats/mdx-records.md#geoa).
    "GEOA", Both => GeosetAnimations(Records<model::GeosetAnimation>) as Framed, has tracks,
        counted "geoset_animations" "geoset animation";
    /// Nodes that move geosets (docs/formats/mdx-records.md#bone).
    "BONE", Both => Bones(Records<model::Bone>) as Nodes<wire::node::Bone>, node Bone "bone" 0x100;
    /// Lights (docs/formats/mdx-records.md#lite).
    "LITE", Both => Lights(Records<model::Light>) as Framed, node Light "light" 0x200;
    /// Nodes and nothing else (docs/formats/mdx-records.md#help).
    "HELP", Both => Helpers(Records<model::Node>) as Nodes, node Helper "helper";
    /// Places for other models (docs/formats/mdx-records.md#atch).
    "ATCH", Both => Attachments(Records<Box<model::Attachment>>) as FramedAfterTwo,
        node Attachment "attachment" 0x800;
    /// A point for every node (docs/formats/mdx-records.md#node).
    "PIVT", Both => Pivots(Vec<wire::Vec3>) as Table;
    /// Emitters of models (docs/formats/mdx-records.md#prem).
    "PREM", Both => Emitters(Records<Box<model::Emitter>>) as Framed, node Emitter "emitter" 0x1000;
    /// Emitters of particles (docs/formats/mdx-records.md#pre2).
    "PRE2", Both => Emitters2(Records<model::Emitter2>) as Framed, node Emitter2 "particle emitter" 0x1000;
    /// Emitters of PopcornFX (docs/formats/mdx-records.md#corn).
    "CORN", Warcraft => Popcorn(Records<model::Popcorn>) as Framed, node Popcorn "popcorn emitter" 0x1000;
    /// Bands (docs/formats/mdx-records.md#ribb).
    "RIBB", Both => Ribbons(Records<model::Ribbon>) as Framed, node Ribbon "ribbon" 0x4000;
    /// Cameras (docs/formats/mdx-records.md#cams).
    "CAMS", Both => Cameras(Records<model::Camera>) as Framed, has tracks, counted "cameras" "camera";
    /// What happens at moments (docs/formats/mdx-records.md#evts).
    "EVTS", Both => Events(Records<model::Event>) as FramedInWow, node Event "event" 0x400;
    /// What can be clicked (docs/formats/mdx-records.md#shapes).
    "HTST", Wow => HitTests(Records<model::HitTest>) as Framed, node HitTest "hit test" 0x2000;
    /// What bars the way in Warcraft III (docs/formats/mdx-records.md#shapes).
    "CLID", Warcraft => CollisionShapes(Records<model::CollisionShape>) as Shapes,
        node CollisionShape "collision shape" 0x2000;
    /// What bars the way in WoW (docs/formats/mdx-records.md#collision-mesh).
    "CLID", Wow => CollisionMesh(model::CollisionMesh) as OwnLayout;
    /// Faces that speak (docs/formats/mdx-records.md#fafx).
    "FAFX", Warcraft => FaceFx(Vec<wire::FaceFx>) as Table;
    /// Where the nodes are bound to the skin (docs/formats/mdx-records.md#fafx).
    "BPOS", Warcraft => BindPoses(Vec<wire::BindPose>) as Counted;
}

/// A tag that is none of the game's, or of none that we lay out, but whose origin is known.
struct Foreign {
    tag: &'static str,
    /// The chunk that it stands behind in the order of the tools.
    behind: Option<&'static str>,
    what: &'static str,
}

/// Kept as their bytes (docs/formats/mdx.md#chunks).
const FOREIGN: &[Foreign] = &[
    Foreign { tag: "SNDS", behind: Some("TEXS"), what: "sounds, which early tools wrote" },
    Foreign { tag: "SNEM", behind: Some("TEXS"), what: "emitters of sounds, which early tools wrote" },
    Foreign { tag: "MDVI", behind: None, what: "what the editor Mdlvis remembers" },
];

/// The models that have a chunk (docs/formats/mdx.md#families).
#[derive(Debug, Clone, Copy)]
enum Whose {
    Both,
    Warcraft,
    Wow,
    /// WoW from this version on.
    WowFrom(u32),
}

impl Whose {
    fn has(self, family: Family, version: u32) -> bool {
        match self {
            Both => true,
            Warcraft => family == Family::Warcraft,
            Wow => family == Family::Wow,
            WowFrom(first) => family == Family::Wow && version >= first,
        }
    }
}

/// What a row of the table says of a chunk, its content aside.
pub(crate) struct Row {
    pub(crate) tag: &'static str,
    whose: Whose,
    /// Whether a chunk of no bytes is kept as just that: nothing to read, nothing to report.
    pub(crate) is_raw_if_empty: bool,
    /// Reads the whole payload.
    pub(crate) read: fn(&mut Cursor<'_, '_>) -> Outcome<Content>,
    has_tracks: bool,
    has_nodes: bool,
    /// What several of its records are called, and one.
    counted: Option<(&'static str, &'static str)>,
}

/// How a chunk with this tag is laid out in such a model; nothing if nobody knows.
pub(crate) fn row(tag: [u8; 4], family: Family, version: u32) -> Option<&'static Row> {
    rows(tag).find(|row| row.whose.has(family, version))
}

/// The tags that are laid out in models of Warcraft III, each once, in the order in which the games' own tools write.
pub(crate) fn tags() -> impl Iterator<Item = [u8; 4]> {
    let own = CHUNKS.iter().filter(|row| row.whose.has(Family::Warcraft, 0));
    let mut last = "";
    let once = own.filter(move |row| std::mem::replace(&mut last, row.tag) != row.tag);
    once.filter_map(|row| row.tag.as_bytes().try_into().ok())
}

/// Where a tag stands in the order in which the games' own tools write, if it has a place there.
pub(crate) fn place(tag: [u8; 4]) -> Option<(usize, usize)> {
    let position = |tag: &[u8]| CHUNKS.iter().position(|row| row.tag.as_bytes() == tag);
    let foreign = || {
        let (i, found) = (1..).zip(FOREIGN).find(|(_, foreign)| foreign.tag.as_bytes() == tag)?;
        Some((position(found.behind?.as_bytes())?, i))
    };
    position(&tag).map(|at| (at, 0)).or_else(foreign)
}

/// A tag as the paths of its records begin, if it is laid out in some model.
pub(crate) fn name_of(tag: [u8; 4]) -> Option<&'static str> {
    rows(tag).map(|row| row.tag).next()
}

/// What a chunk is that is kept as its bytes, if one knows whose it is.
pub(crate) fn foreign(tag: [u8; 4]) -> Option<&'static str> {
    FOREIGN.iter().find(|foreign| foreign.tag.as_bytes() == tag).map(|foreign| foreign.what)
}

/// Whether records of this tag may have tracks.
pub(crate) fn has_tracks(tag: [u8; 4]) -> bool {
    rows(tag).any(|row| row.has_tracks || row.has_nodes)
}

/// Whether records of this tag may begin with a node.
pub(crate) fn has_nodes(tag: [u8; 4]) -> bool {
    rows(tag).any(|row| row.has_nodes)
}

fn rows(tag: [u8; 4]) -> impl Iterator<Item = &'static Row> {
    CHUNKS.iter().filter(move |row| row.tag.as_bytes() == tag)
}

/// How many records of a kind there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordCount {
    /// What several are called, without spaces.
    pub many: &'static str,
    /// What one is called.
    pub one: &'static str,
    /// How many there are, in all chunks of the kind.
    pub count: usize,
}

impl Document {
    /// How many records there are of every kind that has a name of its own and no node.
    pub fn record_counts(&self) -> Vec<RecordCount> {
        let named = CHUNKS.iter().filter_map(|row| Some((row.tag, row.counted?)));
        let counted = named.map(|(tag, (many, one))| {
            let of = self.chunks.iter().filter(|chunk| chunk.content.name() == Some(tag));
            let count = of.map(|chunk| chunk.content.len()).fold(0, usize::saturating_add);
            RecordCount { many, one, count }
        });
        counted.collect()
    }
}

impl Content {
    /// Whether it has no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether it has no bytes either: some that are empty still have a count.
    pub(crate) fn has_no_bytes(&self) -> bool {
        let mut out = Out::default();
        self.write(&mut out);
        out.bytes.is_empty()
    }

    /// The count before the records and how many there are, where a chunk has such a count.
    pub(crate) fn counts(&self) -> Option<(u32, usize)> {
        Some((self.records()?.count()?, self.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_that_of_some_model() {
        let models = [(Family::Warcraft, 800), (Family::Wow, 1300), (Family::Wow, 1500)];
        for wanted in CHUNKS {
            let tag = wanted.tag.as_bytes().try_into().unwrap();
            let mut found = models.iter().filter_map(|(family, version)| row(tag, *family, *version));
            assert!(found.any(|row| std::ptr::eq(row, wanted)), "{} is never read", wanted.tag);
        }
    }

    #[test]
    fn foreign_chunks_stand_between_those_of_the_game() {
        let places = [b"TEXS", b"SNDS", b"SNEM", b"TXAN", b"GEOS", b"BPOS"].map(|tag| place(*tag));
        assert!(places.iter().all(Option::is_some) && places.is_sorted());
        assert_eq!(place(*b"MDVI"), None);
    }
}
