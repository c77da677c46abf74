//! Geosets in their three layouts, and the collision mesh
//! (docs/formats/mdx-records.md#geos, #collision-mesh).

use galvani_core::record;
use galvani_core::record::{Tag, Text};
use zerocopy::little_endian::{F32, I32, U16, U32};

record! {
    /// A corner of a face.
    pub struct Index: 2 {
        /// The vertex.
        pub vertex: U16,
    }
}

record! {
    /// One byte of a table.
    pub struct Byte: 1 {
        /// The byte.
        pub value: u8,
    }
}

record! {
    /// Four bytes of a table: bone indices in file order, or weights from last to first.
    pub struct Influences: 4 {
        /// One byte per influence.
        pub bytes: [u8; 4],
    }
}

record! {
    /// Which bones move a vertex and how much, versions 900 to 1399.
    pub struct SkinRow: 8 {
        /// Four bones.
        pub bones: [u8; 4],
        /// Four weights.
        pub weights: [u8; 4],
    }
}

record! {
    /// The same in versions 1400 and above.
    pub struct WideSkin: 16 {
        /// Four bones.
        pub bones: [U16; 4],
        /// Four weights.
        pub weights: [U16; 4],
    }
}

record! {
    /// A place on a texture.
    pub struct Vec2: 8 {
        /// Across.
        pub u: F32,
        /// Down.
        pub v: F32,
    }
}

record! {
    /// A tangent and the side of its bitangent.
    pub struct Vec4: 16 {
        /// Forward.
        pub x: F32,
        /// Left.
        pub y: F32,
        /// Up.
        pub z: F32,
        /// Side.
        pub w: F32,
    }
}

record! {
    /// What a geoset says of itself behind its tables.
    pub struct Traits: 12 {
        /// Its material.
        pub material_id: U32,
        /// What it is selected with.
        pub selection_group: U32,
        /// 4 in Warcraft III, 1 in WoW: it cannot be selected.
        pub flags: U32,
    }
}

record! {
    /// Level of detail, versions 900 and above.
    pub struct Detail: 84 {
        /// Which level.
        pub lod: I32,
        /// Its name.
        pub lod_name: Text<80>,
    }
}

record! {
    /// What WoW 1500 says of a geoset before the vertices of all.
    pub struct BatchHead: 64 {
        /// Its material.
        pub material_id: U32,
        /// Centre of its bounds.
        pub centre: [F32; 3],
        /// Radius of its bounds.
        pub radius: F32,
        /// What it is selected with.
        pub selection_group: U32,
        /// Its own number.
        pub geoset_index: U32,
        /// 1 not selectable, 0x10 projected, 0x20 skinned by a shader.
        pub flags: U32,
        /// `PVTX`.
        pub vertex_tag: Tag,
        /// Vertices.
        pub vertex_count: U32,
        /// `PTYP`.
        pub type_tag: Tag,
        /// Kinds of faces.
        pub type_count: U32,
        /// `PVTX`.
        pub index_tag: Tag,
        /// Corners of faces.
        pub index_count: U32,
        /// Zero.
        pub zero_38: [U32; 2],
    }
}

record! {
    /// A vertex of WoW 1500.
    pub struct BatchVertex: 48 {
        /// Where it is.
        pub position: [F32; 3],
        /// Four weights.
        pub weights: [u8; 4],
        /// Four bones.
        pub bones: [u8; 4],
        /// Where it faces.
        pub normal: [F32; 3],
        /// First texture coordinates.
        pub uv0: [F32; 2],
        /// Second texture coordinates.
        pub uv1: [F32; 2],
    }
}

record! {
    /// What stands between the vertices of WoW 1500 and their faces.
    pub struct BatchFaces: 16 {
        /// 3: triangles.
        pub primitive_type: U32,
        /// Zero.
        pub zero_04: U32,
        /// Corners that follow.
        pub index_count: U16,
        /// Least vertex used.
        pub min_vertex: U16,
        /// Greatest vertex used.
        pub max_vertex: U16,
        /// Zero.
        pub zero_0e: U16,
    }
}
