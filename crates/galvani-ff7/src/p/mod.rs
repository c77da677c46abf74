//! Polygon files: parts and weapons of battle.lgp, `.p` of field models, `.p00` … of magic.lgp.
//!
//! ```text
//! 0x00  header, 128 bytes: how many records each section has
//! 0x80  sections, back to back, in this order:
//!         verts 12, normals 12, unknown1 12, texcoords 8, vertex colours 4, polygon colours 4,
//!         edges 4, polys 24, unknown2 24, unknown3 3, hundreds 100, groups 56, boxes 28,
//!         normal indices 4 per vertex if the header says so
//! ```
//! A file may end early: whole records stay typed, and what follows them is kept as it is.

pub mod check;
pub mod drawing;
pub mod edit;
mod read;
mod triangles;
pub mod wire;
mod write;

pub use check::check;
pub use read::{is_shaped, read};
pub use triangles::Triangle;
pub use wire::{
    BoundingBox, Colour, Edge, Group, Header, Hundred, Normal, NormalIndex, Poly, TexCoord, Unknown1,
    Unknown2, Unknown3, Vertex,
};
pub use write::write;

use galvani_core::record::{Field, Record};
use zerocopy::{FromZeros, IntoBytes};

/// Bytes of the header.
pub const HEADER_LEN: usize = size_of::<Header>();

/// The only version there is.
pub const VERSION: u32 = 1;

/// Kinds of polygons that are known: without a texture, with texture and normals, with a texture only.
pub const POLY_TYPES: std::ops::RangeInclusive<u32> = 1..=3;

/// The highest number of a texture: a model of battle.lgp has ten, `ac` to `al`.
pub const LAST_TEXTURE: u32 = 9;

/// How many sections a file has.
pub const SECTIONS: usize = 14;

/// A polygon file as a value: every byte of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The header, with the counts as the file has them.
    pub header: Header,
    /// Vertices.
    pub verts: Vec<Vertex>,
    /// Normals.
    pub normals: Vec<Normal>,
    /// Nobody knows.
    pub unknown1: Vec<Unknown1>,
    /// Texture coordinates.
    pub texcoords: Vec<TexCoord>,
    /// One colour per vertex.
    pub vertex_colours: Vec<Colour>,
    /// One colour per polygon.
    pub polygon_colours: Vec<Colour>,
    /// Edges.
    pub edges: Vec<Edge>,
    /// Triangles.
    pub polys: Vec<Poly>,
    /// Nobody knows.
    pub unknown2: Vec<Unknown2>,
    /// Nobody knows.
    pub unknown3: Vec<Unknown3>,
    /// How each group is drawn.
    pub hundreds: Vec<Hundred>,
    /// Groups.
    pub groups: Vec<Group>,
    /// Boxes around the vertices.
    pub boxes: Vec<BoundingBox>,
    /// Which normal each vertex has.
    pub normal_index: Vec<NormalIndex>,
    /// Bytes behind the last whole record. Kept, not understood.
    pub rest: Vec<u8>,
}

/// A section as it lies in the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Section<'a> {
    /// Its name, also its path.
    pub name: &'static str,
    /// The field of the header that counts it.
    pub count_field: &'static str,
    /// Fields of one record.
    pub fields: &'static [Field],
    /// Bytes of one record.
    pub stride: usize,
    /// Records that the header counts.
    pub wanted: u32,
    /// Its whole records.
    pub bytes: &'a [u8],
}

impl Section<'_> {
    /// Whole records.
    pub fn found(&self) -> usize {
        self.bytes.len().checked_div(self.stride).unwrap_or(0)
    }

    /// Whether it has as many records as the header counts.
    pub fn is_whole(&self) -> bool {
        usize::try_from(self.wanted) == Ok(self.found())
    }
}

impl Default for Document {
    /// A file without vertices.
    fn default() -> Self {
        let header = Header {
            version: VERSION.into(),
            unknown_04: 1.into(),
            vertex_type: 1.into(),
            ..Header::new_zeroed()
        };
        Document::with_header(header)
    }
}

impl Document {
    /// A document of which only the header is known.
    pub fn with_header(header: Header) -> Self {
        Document {
            header,
            verts: Vec::new(),
            normals: Vec::new(),
            unknown1: Vec::new(),
            texcoords: Vec::new(),
            vertex_colours: Vec::new(),
            polygon_colours: Vec::new(),
            edges: Vec::new(),
            polys: Vec::new(),
            unknown2: Vec::new(),
            unknown3: Vec::new(),
            hundreds: Vec::new(),
            groups: Vec::new(),
            boxes: Vec::new(),
            normal_index: Vec::new(),
            rest: Vec::new(),
        }
    }

    /// The sections in the order of the file.
    pub fn sections(&self) -> [Section<'_>; SECTIONS] {
        let wanted = counts(&self.header);
        let [verts, normals, unknown1, texcoords, vertex_colours, polygon_colours, edges, polys, ..] = wanted;
        let [.., unknown2, unknown3, hundreds, groups, boxes, normal_index] = wanted;
        [
            section("verts", "verts", verts, &self.verts),
            section("normals", "normals", normals, &self.normals),
            section("unknown1", "unknown1", unknown1, &self.unknown1),
            section("texcoords", "texcoords", texcoords, &self.texcoords),
            section("vertex_colours", "vertex_colours", vertex_colours, &self.vertex_colours),
            section("polygon_colours", "polys", polygon_colours, &self.polygon_colours),
            section("edges", "edges", edges, &self.edges),
            section("polys", "polys", polys, &self.polys),
            section("unknown2", "unknown2", unknown2, &self.unknown2),
            section("unknown3", "unknown3", unknown3, &self.unknown3),
            section("hundreds", "hundreds", hundreds, &self.hundreds),
            section("groups", "groups", groups, &self.groups),
            section("boxes", "boxes", boxes, &self.boxes),
            section("normal_index", "has_normal_index", normal_index, &self.normal_index),
        ]
    }

    /// The first section that has fewer records than the header counts.
    pub fn cut(&self) -> Option<Section<'_>> {
        self.sections().into_iter().find(|section| !section.is_whole())
    }

    /// Whether only the table of normals is missing, as in some of the game's files.
    pub fn lacks_normal_index(&self) -> bool {
        self.normal_index.is_empty()
            && self.rest.is_empty()
            && self.cut().is_some_and(|section| section.name == "normal_index")
    }

    /// Sets every count of the header to what is there. A table of normals counts if it is not empty.
    pub fn count(&mut self) {
        fn len<T>(rows: &[T]) -> zerocopy::little_endian::U32 {
            u32::try_from(rows.len()).unwrap_or(u32::MAX).into()
        }
        let header = &mut self.header;
        header.verts = len(&self.verts);
        header.normals = len(&self.normals);
        header.unknown1 = len(&self.unknown1);
        header.texcoords = len(&self.texcoords);
        header.vertex_colours = len(&self.vertex_colours);
        header.edges = len(&self.edges);
        header.polys = len(&self.polys);
        header.unknown2 = len(&self.unknown2);
        header.unknown3 = len(&self.unknown3);
        header.hundreds = len(&self.hundreds);
        header.groups = len(&self.groups);
        header.boxes = len(&self.boxes);
        header.has_normal_index = u32::from(!self.normal_index.is_empty()).into();
    }
}

/// Records that the header counts in each section.
pub(crate) fn counts(header: &Header) -> [u32; SECTIONS] {
    let normal_index = if header.has_normal_index.get() == 0 { 0 } else { header.verts.get() };
    [
        header.verts.get(),
        header.normals.get(),
        header.unknown1.get(),
        header.texcoords.get(),
        header.vertex_colours.get(),
        header.polys.get(),
        header.edges.get(),
        header.polys.get(),
        header.unknown2.get(),
        header.unknown3.get(),
        header.hundreds.get(),
        header.groups.get(),
        header.boxes.get(),
        normal_index,
    ]
}

fn section<'a, T: Record>(
    name: &'static str,
    count_field: &'static str,
    wanted: u32,
    rows: &'a [T],
) -> Section<'a> {
    let (fields, stride) = (T::FIELDS, size_of::<T>());
    Section { name, count_field, fields, stride, wanted, bytes: rows.as_bytes() }
}
