//! Records as they lie in a polygon file (docs/formats/ff7-p.md#sections).

use galvani_core::record;
use galvani_core::record::Raw;
use zerocopy::little_endian::{F32, U16, U32};

record! {
    /// What stands before the sections: how many records each has.
    pub struct Header: 128 {
        /// 1.
        pub version: U32,
        /// 1. Nobody knows why.
        pub unknown_04: U32,
        /// What the vertices hold; 1.
        pub vertex_type: U32,
        /// Vertices.
        pub verts: U32,
        /// Normals; 0 in battle.
        pub normals: U32,
        /// Records of the first section that nobody knows.
        pub unknown1: U32,
        /// Texture coordinates.
        pub texcoords: U32,
        /// Colours of vertices; as many as vertices.
        pub vertex_colours: U32,
        /// Edges.
        pub edges: U32,
        /// Polygons, and their colours.
        pub polys: U32,
        /// Records of the second section that nobody knows.
        pub unknown2: U32,
        /// Records of the third section that nobody knows.
        pub unknown3: U32,
        /// Drawing states; one per group.
        pub hundreds: U32,
        /// Groups.
        pub groups: U32,
        /// Bounding boxes.
        pub boxes: U32,
        /// Whether there is a table of one normal per vertex.
        pub has_normal_index: U32,
        /// Room for the game while it runs. What files have here is nobody's.
        pub run_time: [U32; 16],
    }
}

record! {
    /// A vertex, in the space of its bone.
    pub struct Vertex: 12 {
        /// X, Y (down) and Z; bones lie along −Z.
        pub position: [F32; 3],
    }
}

record! {
    /// A normal.
    pub struct Normal: 12 {
        /// X, Y and Z.
        pub normal: [F32; 3],
    }
}

record! {
    /// A record of the first section that nobody knows.
    pub struct Unknown1: 12 {
        /// Kept.
        pub unknown_00: Raw<12>,
    }
}

record! {
    /// A place in a texture.
    pub struct TexCoord: 8 {
        /// U and V; whole numbers are whole textures.
        pub uv: [F32; 2],
    }
}

record! {
    /// A colour.
    pub struct Colour: 4 {
        /// Blue, green, red, alpha.
        pub bgra: [u8; 4],
    }
}

record! {
    /// An edge of a group.
    pub struct Edge: 4 {
        /// Its ends.
        pub vertices: [U16; 2],
    }
}

record! {
    /// A triangle.
    pub struct Poly: 24 {
        /// 0.
        pub unknown_00: U16,
        /// Its vertices, counted from the group's first.
        pub vertices: [U16; 3],
        /// Its normals, counted from the file's first.
        pub normals: [U16; 3],
        /// Its edges.
        pub edges: [U16; 3],
        /// Kimera writes 0x0CFCEA00.
        pub tag: U32,
    }
}

record! {
    /// A record of the second section that nobody knows.
    pub struct Unknown2: 24 {
        /// Kept.
        pub unknown_00: Raw<24>,
    }
}

record! {
    /// A record of the third section that nobody knows.
    pub struct Unknown3: 3 {
        /// Kept.
        pub unknown_00: Raw<3>,
    }
}

record! {
    /// How a group is drawn: a record of a hundred bytes.
    pub struct Hundred: 100 {
        /// Unknown.
        pub unknown_00: U32,
        /// Unknown.
        pub unknown_04: U32,
        /// Which of the features below are said here at all.
        pub options: U32,
        /// Features: 1 wire frame, 2 texture, 4 linear filter, 0x400 alpha blend, 0x2000 cull, …
        pub features: U32,
        /// The texture that the game takes.
        pub texture_id: U32,
        /// Room for the game while it runs.
        pub run_time_14: U32,
        /// Unknown.
        pub unknown_18: U32,
        /// Unknown.
        pub unknown_1c: U32,
        /// Unknown.
        pub unknown_20: U32,
        /// Shading.
        pub shade_mode: U32,
        /// Ambient light.
        pub ambient: U32,
        /// Unknown.
        pub unknown_2c: U32,
        /// Unknown.
        pub unknown_30: U32,
        /// Factor of what is drawn.
        pub source_blend: U32,
        /// Factor of what was there.
        pub destination_blend: U32,
        /// Unknown.
        pub unknown_3c: U32,
        /// Alpha to test against.
        pub alpha_reference: U32,
        /// 0 average, 1 add, 2 subtract, 3 a quarter added, 4 none.
        pub blend_mode: U32,
        /// Order of drawing.
        pub z_sort: U32,
        /// Unknown.
        pub unknown_4c: U32,
        /// Unknown.
        pub unknown_50: U32,
        /// Unknown.
        pub unknown_54: U32,
        /// Unknown.
        pub unknown_58: U32,
        /// Alpha of every vertex.
        pub vertex_alpha: U32,
        /// Unknown.
        pub unknown_60: U32,
    }
}

record! {
    /// Polygons that are drawn alike.
    pub struct Group: 56 {
        /// 1 no texture, 2 texture and normals, 3 texture without normals.
        pub poly_type: U32,
        /// First polygon.
        pub poly_start: U32,
        /// Polygons.
        pub poly_count: U32,
        /// First vertex.
        pub vertex_start: U32,
        /// Vertices.
        pub vertex_count: U32,
        /// First edge.
        pub edge_start: U32,
        /// Edges.
        pub edge_count: U32,
        /// 0.
        pub unknown_1c: U32,
        /// 0.
        pub unknown_20: U32,
        /// 0.
        pub unknown_24: U32,
        /// 0.
        pub unknown_28: U32,
        /// Texture coordinate of the first vertex.
        pub texcoord_start: U32,
        /// Whether there is a texture.
        pub textured: U32,
        /// Which texture of the model.
        pub texture_number: U32,
    }
}

record! {
    /// A box around the vertices.
    pub struct BoundingBox: 28 {
        /// Unknown.
        pub unknown_00: U32,
        /// Highest X, Y and Z.
        pub max: [F32; 3],
        /// Lowest X, Y and Z.
        pub min: [F32; 3],
    }
}

record! {
    /// Which normal a vertex has.
    pub struct NormalIndex: 4 {
        /// Counted from the file's first.
        pub normal: U32,
    }
}
