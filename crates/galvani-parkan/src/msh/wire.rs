//! Records as they lie in the streams (docs/formats/msh.md#records).
//!
//! Where the two readings disagree about a record, the neutral one here is what code uses; [`documented`] and
//! [`observed`] say how each reading names the same bytes.

use galvani_core::record;
use galvani_core::record::{Raw, Text};
use zerocopy::little_endian::{F32, I16, I32, U16, U32};

record! {
    /// Stream 1: a node.
    pub struct Node: 38 {
        /// Flags.
        pub flags: U16,
        /// Parent node, 0xFFFF for none.
        pub parent: U16,
        /// First word of the node's run in stream 19, 0xFFFF for none.
        pub map_start: U16,
        /// Last key of the node's run in stream 8.
        pub fallback_key: U16,
        /// Slots by `lod * 5 + group`, 0xFFFF for none.
        pub slot_index: [U16; 15],
    }
}

record! {
    /// Stream 2, its first 0x8C bytes: bounds of the whole model.
    pub struct Bounds: 140 {
        /// Eight corners.
        pub hull: [[F32; 3]; 8],
        /// Centre of the sphere.
        pub sphere_center: [F32; 3],
        /// Radius of the sphere.
        pub sphere_radius: F32,
        /// One end of the capsule's axis.
        pub capsule_a: [F32; 3],
        /// The other end.
        pub capsule_b: [F32; 3],
        /// Radius of the capsule.
        pub capsule_radius: F32,
    }
}

record! {
    /// Stream 2, behind the bounds: geometry of a node for one level and group.
    pub struct Slot: 68 {
        /// First triangle in stream 7.
        pub tri_start: U16,
        /// Triangles.
        pub tri_count: U16,
        /// First batch in stream 13.
        pub batch_start: U16,
        /// Batches.
        pub batch_count: U16,
        /// Box, in the node's space.
        pub aabb_min: [F32; 3],
        /// Box, in the node's space.
        pub aabb_max: [F32; 3],
        /// Centre of the sphere, in the node's space.
        pub sphere_center: [F32; 3],
        /// Radius of the sphere.
        pub sphere_radius: F32,
        /// What follows; the readings differ.
        pub tail: [U32; 5],
    }
}

record! {
    /// Stream 3: a position.
    pub struct Position: 12 {
        /// In metres, Z up.
        pub position: [F32; 3],
    }
}

record! {
    /// Stream 4: a normal, components divided by 127.
    pub struct Normal: 4 {
        /// x, y, z.
        pub normal: [i8; 3],
        /// A fourth byte. Kept, not understood.
        pub unknown_03: i8,
    }
}

record! {
    /// Streams 5 and 18: two words, divided by 1024; the readings differ in sign and meaning.
    pub struct Uv: 4 {
        /// u, v.
        pub uv: [U16; 2],
    }
}

record! {
    /// Stream 6: an index of a vertex, counted from its batch's base.
    pub struct Index: 2 {
        /// The index.
        pub index: U16,
    }
}

record! {
    /// Stream 7: a triangle for collision and picking.
    pub struct Face: 16 {
        /// Flags.
        pub flags: U16,
        /// Neighbours across the edges 0, 1, 2; 0xFFFF for none.
        pub link: [U16; 3],
        /// Normal, components divided by 32767.
        pub normal: [I16; 3],
        /// Three selectors of two bits; what stands above them is kept.
        pub selectors: U16,
    }
}

record! {
    /// Stream 8: a key.
    pub struct Key: 24 {
        /// Position.
        pub position: [F32; 3],
        /// Time in frames.
        pub time: F32,
        /// Rotation, components divided by 32767; the reading says which is w.
        pub rotation: [I16; 4],
    }
}

record! {
    /// Stream 9: a node's name.
    pub struct NodeName: 32 {
        /// Ended by NUL.
        pub name: Text<32>,
    }
}

record! {
    /// Stream 10: what stands before a node's label.
    pub struct LabelHead: 4 {
        /// Bytes of the label; if there are any, a NUL follows them.
        pub len: U32,
    }
}

record! {
    /// Stream 13: a draw call.
    pub struct Batch: 20 {
        /// Flags and material; the readings differ.
        pub head: [U16; 4],
        /// Indices, a multiple of 3.
        pub index_count: U16,
        /// First index in stream 6.
        pub index_start: U32,
        /// The readings differ.
        pub word_0e: U16,
        /// Added to every index.
        pub base_vertex: U32,
    }
}

record! {
    /// Stream 15: eight bytes per vertex. Kept, not understood.
    pub struct Extra15: 8 {
        /// The bytes.
        pub unknown_00: Raw<8>,
    }
}

record! {
    /// Stream 16: two interleaved streams, components divided by 127.
    pub struct Tangents: 8 {
        /// The first stream: tangent.
        pub tangent: [i8; 4],
        /// The second stream: bitangent.
        pub bitangent: [i8; 4],
    }
}

record! {
    /// Stream 17, first part: a point of the hall-way graph.
    pub struct Waypoint: 20 {
        /// In the space of its node.
        pub position: [F32; 3],
        /// Flags.
        pub flags: U32,
        /// The node.
        pub node: U32,
    }
}

record! {
    /// Stream 17, second part: a link of the hall-way graph.
    pub struct Hallway: 40 {
        /// One waypoint.
        pub a: U32,
        /// The other.
        pub b: U32,
        /// Eight words. Kept, not understood.
        pub unknown_08: [U32; 8],
    }
}

record! {
    /// Stream 19: a word of the frame map.
    pub struct MapWord: 2 {
        /// A key in stream 8.
        pub key: U16,
    }
}

record! {
    /// Stream 20: a light probe.
    pub struct Probe: 48 {
        /// The node.
        pub node: I32,
        /// Where.
        pub position: [F32; 3],
        /// Which way.
        pub direction: [F32; 3],
        /// Colour.
        pub colour: [F32; 4],
        /// How strong.
        pub intensity: F32,
    }
}

/// The bytes under the names of the original documentation.
pub mod documented {
    use galvani_core::record;
    use zerocopy::little_endian::{F32, I16, U16, U32};

    record! {
        /// A slot with an opaque tail.
        pub struct DocumentedSlot: 68 {
            /// First triangle in stream 7.
            pub tri_start: U16,
            /// Triangles.
            pub tri_count: U16,
            /// First batch in stream 13.
            pub batch_start: U16,
            /// Batches.
            pub batch_count: U16,
            /// Box.
            pub aabb_min: [F32; 3],
            /// Box.
            pub aabb_max: [F32; 3],
            /// Centre of the sphere.
            pub sphere_center: [F32; 3],
            /// Radius of the sphere.
            pub sphere_radius: F32,
            /// Five words without a meaning.
            pub opaque: [U32; 5],
        }
    }

    record! {
        /// A key with w last.
        pub struct DocumentedKey: 24 {
            /// Position.
            pub position: [F32; 3],
            /// Time in frames.
            pub time: F32,
            /// x.
            pub qx: I16,
            /// y.
            pub qy: I16,
            /// z.
            pub qz: I16,
            /// w.
            pub qw: I16,
        }
    }

    record! {
        /// A batch with a material index of 16 bits.
        pub struct DocumentedBatch: 20 {
            /// Flags.
            pub batch_flags: U16,
            /// Material.
            pub material_index: U16,
            /// Unknown.
            pub opaque4: U16,
            /// Unknown.
            pub opaque6: U16,
            /// Indices.
            pub index_count: U16,
            /// First index in stream 6.
            pub index_start: U32,
            /// Unknown.
            pub opaque14: U16,
            /// Added to every index.
            pub base_vertex: U32,
        }
    }

    record! {
        /// Signed texture coordinates.
        pub struct DocumentedUv: 4 {
            /// u, v.
            pub uv: [I16; 2],
        }
    }

    record! {
        /// Stream 18 as a colour.
        pub struct VertexColour: 4 {
            /// Blue, green, red, alpha.
            pub bgra: [u8; 4],
        }
    }
}

/// The bytes under the names that later findings gave them.
pub mod observed {
    use galvani_core::record;
    use zerocopy::little_endian::{F32, I16, U16, U32};

    record! {
        /// A slot with area and volume.
        pub struct ObservedSlot: 68 {
            /// First triangle in stream 7.
            pub tri_start: U16,
            /// Triangles.
            pub tri_count: U16,
            /// First batch in stream 13.
            pub batch_start: U16,
            /// Batches.
            pub batch_count: U16,
            /// Box.
            pub aabb_min: [F32; 3],
            /// Box.
            pub aabb_max: [F32; 3],
            /// Centre of the sphere.
            pub sphere_center: [F32; 3],
            /// Radius of the sphere.
            pub sphere_radius: F32,
            /// Area of the triangles.
            pub area: F32,
            /// Volume of the box.
            pub volume: F32,
            /// Three words. Kept, not understood.
            pub unknown_38: [U32; 3],
        }
    }

    record! {
        /// A key with w first.
        pub struct ObservedKey: 24 {
            /// Position.
            pub position: [F32; 3],
            /// Time in frames.
            pub time: F32,
            /// w.
            pub qw: I16,
            /// x.
            pub qx: I16,
            /// y.
            pub qy: I16,
            /// z.
            pub qz: I16,
        }
    }

    record! {
        /// A batch with flags of 32 bits and a material row.
        pub struct ObservedBatch: 20 {
            /// Flags.
            pub flags: U32,
            /// Row of the material table.
            pub material: u8,
            /// Row of the lightmap table, 0xFF for none.
            pub lightmap: u8,
            /// Node of the room behind a portal, 0xFFFF for none.
            pub portal_node: U16,
            /// Indices.
            pub index_count: U16,
            /// First index in stream 6.
            pub index_start: U32,
            /// Highest index and one.
            pub vertex_count: U16,
            /// Added to every index.
            pub base_vertex: U32,
        }
    }

    record! {
        /// Unsigned texture coordinates.
        pub struct ObservedUv: 4 {
            /// u, v.
            pub uv: [U16; 2],
        }
    }

    record! {
        /// Stream 18 as coordinates in a lightmap.
        pub struct LightmapUv: 4 {
            /// u, v.
            pub uv: [U16; 2],
        }
    }
}
