//! Records as they lie in a model: docs/formats/mdx-records.md#bounds and #node-records.
//!
//! Documents hold these records themselves: their floats compare by their bits, so a NaN is a value like
//! any other and nothing is lost between reading and writing.

pub mod geoset;
pub mod key;
pub mod node;

use galvani_core::record;
use galvani_core::record::{Tag, Text};
use zerocopy::little_endian::{F32, I32, U32};

record! {
    /// The first four bytes.
    pub struct Magic: 4 {
        /// `MDLX`.
        pub magic: Tag,
    }
}

record! {
    /// What stands before every chunk's payload (docs/formats/mdx.md#container).
    pub struct ChunkHead: 8 {
        /// What the chunk is.
        pub tag: Tag,
        /// Bytes of the payload, without this head.
        pub size: U32,
    }
}

record! {
    /// The size of a record, which counts itself (docs/formats/mdx.md#sizes).
    pub struct Size: 4 {
        /// Bytes of the record.
        pub size: U32,
    }
}

record! {
    /// How many records follow (docs/formats/mdx.md#counts).
    pub struct Count: 4 {
        /// Records.
        pub count: U32,
    }
}

record! {
    /// The same before materials and attachments of WoW (docs/formats/mdx.md#counts).
    pub struct CountUnused: 8 {
        /// Records.
        pub count: U32,
        /// 0 before materials; the largest attachment's number before attachments.
        pub unused: U32,
    }
}

record! {
    /// The head of a list inside a record: no byte size, but how many elements follow
    /// (docs/formats/mdx.md#sizes).
    pub struct ListHead: 8 {
        /// What the elements are.
        pub tag: Tag,
        /// Elements.
        pub count: U32,
    }
}

record! {
    /// VERS (docs/formats/mdx-records.md#vers).
    pub struct Version: 4 {
        /// 800 and above in Warcraft III, 1300 to 1500 in WoW.
        pub version: U32,
    }
}

record! {
    /// A number in a table.
    pub struct Number: 4 {
        /// The number.
        pub value: U32,
    }
}

record! {
    /// A point or a direction.
    pub struct Vec3: 12 {
        /// Forward.
        pub x: F32,
        /// Left.
        pub y: F32,
        /// Up.
        pub z: F32,
    }
}

record! {
    /// How far something reaches: the radius first, in both families (docs/formats/mdx-records.md#bounds).
    pub struct Bounds: 28 {
        /// Radius of a sphere around the origin.
        pub radius: F32,
        /// Least corner.
        pub min: [F32; 3],
        /// Greatest corner.
        pub max: [F32; 3],
    }
}

record! {
    /// MODL up to where the families differ (docs/formats/mdx-records.md#modl).
    pub struct Model: 368 {
        /// Name.
        pub name: Text<80>,
        /// File of animations; empty in practice.
        pub animation_file: Text<260>,
        /// Radius of the whole model.
        pub radius: F32,
        /// Least corner.
        pub min: [F32; 3],
        /// Greatest corner.
        pub max: [F32; 3],
    }
}

record! {
    /// The end of MODL in Warcraft III (docs/formats/mdx-records.md#modl).
    pub struct ModelWarcraft: 4 {
        /// Milliseconds in which a pose fades into the next.
        pub blend_time: U32,
    }
}

record! {
    /// The end of MODL in WoW (docs/formats/mdx-records.md#modl).
    pub struct ModelWow: 5 {
        /// Bits 0 and 1 how it follows the ground, bit 2 always animated.
        pub flags: u8,
        /// Nobody knows; the number of nodes in the one file seen.
        pub unknown_171: U32,
    }
}

record! {
    /// One sequence of Warcraft III (docs/formats/mdx-records.md#seqs).
    pub struct SequenceWarcraft: 132 {
        /// Name.
        pub name: Text<80>,
        /// First millisecond on the model's timeline.
        pub start: U32,
        /// Last millisecond.
        pub end: U32,
        /// How fast the model walks.
        pub move_speed: F32,
        /// Bit 0: not looping.
        pub flags: U32,
        /// How seldom it is chosen.
        pub rarity: F32,
        /// 0 in every file seen.
        pub sync_point: U32,
        /// Radius while it plays.
        pub radius: F32,
        /// Least corner.
        pub min: [F32; 3],
        /// Greatest corner.
        pub max: [F32; 3],
    }
}

record! {
    /// One sequence of WoW as real files have it (docs/formats/mdx-records.md#seqs).
    pub struct SequenceWow: 140 {
        /// Name.
        pub name: Text<80>,
        /// First millisecond on the model's timeline.
        pub start: I32,
        /// Last millisecond.
        pub end: I32,
        /// How fast the model walks.
        pub move_speed: F32,
        /// Bit 0: not looping.
        pub flags: U32,
        /// Radius while it plays.
        pub radius: F32,
        /// Least corner.
        pub min: [F32; 3],
        /// Greatest corner.
        pub max: [F32; 3],
        /// How probable it is among the variations of its animation.
        pub frequency: F32,
        /// Least number of repetitions.
        pub replay_min: U32,
        /// Greatest number of repetitions.
        pub replay_max: U32,
        /// Milliseconds in which the pose before fades into it.
        pub blend_time: U32,
    }
}

record! {
    /// The same bytes as the 0.9.0 document names them (docs/formats/mdx.md#seqs).
    pub struct SequenceDocumented: 140 {
        /// Primary id.
        pub anim_id: U32,
        /// Secondary id.
        pub sub_id: U32,
        /// Zero.
        pub zero_08: [U32; 2],
        /// Not named by the document.
        pub unknown_10: [U32; 16],
        /// First millisecond.
        pub start: I32,
        /// Last millisecond.
        pub end: I32,
        /// How fast the model walks.
        pub move_speed: F32,
        /// Not mapped by the document.
        pub flags: U32,
        /// Least corner.
        pub min: [F32; 3],
        /// Greatest corner.
        pub max: [F32; 3],
        /// How long the pose before fades into it.
        pub blend_time: F32,
        /// Frame rate or a divisor of it.
        pub playback_speed: U32,
        /// How often it loops, or how seldom it is chosen.
        pub frequency: U32,
        /// Not named by the document.
        pub unknown_84: U32,
        /// Not named by the document.
        pub unknown_88: U32,
    }
}

record! {
    /// One texture (docs/formats/mdx-records.md#texs).
    pub struct Texture: 268 {
        /// Which texture the game puts here, or 0.
        pub replaceable_id: U32,
        /// Its file, if the game does not.
        pub path: Text<260>,
        /// Bit 0 wraps across, bit 1 wraps down.
        pub flags: U32,
    }
}

record! {
    /// A material of Warcraft III behind its size (docs/formats/mdx-records.md#mtls).
    pub struct MaterialWarcraft: 8 {
        /// Drawing order.
        pub priority_plane: I32,
        /// Bits.
        pub flags: U32,
    }
}

record! {
    /// The shader of a material, versions 900 to 1099 (docs/formats/mdx-records.md#mtls).
    pub struct Shader: 80 {
        /// Its name.
        pub shader: Text<80>,
    }
}

record! {
    /// A material of WoW behind its size (docs/formats/mdx-records.md#mtls).
    pub struct MaterialWow: 4 {
        /// Drawing order.
        pub priority_plane: I32,
    }
}

record! {
    /// A layer behind its size (docs/formats/mdx-records.md#mtls).
    pub struct Layer: 24 {
        /// How it is drawn over what is there, 0 to 6.
        pub filter_mode: U32,
        /// Bits.
        pub flags: U32,
        /// Its texture, if it is not animated.
        pub texture_id: I32,
        /// Its texture animation, or −1.
        pub texture_animation_id: I32,
        /// Which set of texture coordinates, or −1.
        pub coord_id: I32,
        /// How opaque it is.
        pub alpha: F32,
    }
}

record! {
    /// Versions 900 and above (docs/formats/mdx-records.md#mtls).
    pub struct Emissive: 4 {
        /// How much it glows.
        pub emissive_gain: F32,
    }
}

record! {
    /// Versions 1000 and above (docs/formats/mdx-records.md#mtls).
    pub struct Fresnel: 20 {
        /// Colour seen at a grazing angle.
        pub fresnel_color: [F32; 3],
        /// How opaque that is.
        pub fresnel_opacity: F32,
        /// How much of it is the team's colour.
        pub fresnel_team_color: F32,
    }
}

record! {
    /// Versions 1100 and above (docs/formats/mdx-records.md#mtls).
    pub struct LayerTextures: 8 {
        /// Which shader.
        pub shader_type: U32,
        /// Textures that follow.
        pub texture_count: U32,
    }
}

record! {
    /// One texture of a layer, versions 1100 and above (docs/formats/mdx-records.md#mtls).
    pub struct LayerTexture: 8 {
        /// The texture.
        pub texture_id: U32,
        /// What the shader uses it for.
        pub slot: U32,
    }
}

record! {
    /// A geoset animation of Warcraft III behind its size (docs/formats/mdx-records.md#geoa).
    pub struct GeosetAnimationWarcraft: 24 {
        /// How opaque the geoset is.
        pub alpha: F32,
        /// 1 drops a shadow, 2 uses the colour.
        pub flags: U32,
        /// Red, green, blue.
        pub color: [F32; 3],
        /// The geoset.
        pub geoset_id: I32,
    }
}

record! {
    /// A geoset animation of WoW behind its size (docs/formats/mdx-records.md#geoa).
    pub struct GeosetAnimationWow: 24 {
        /// The geoset.
        pub geoset_id: I32,
        /// How opaque it is.
        pub alpha: F32,
        /// Blue, green, red.
        pub color: [F32; 3],
        /// Bit 0 uses the colour.
        pub flags: U32,
    }
}

record! {
    /// A camera behind its size (docs/formats/mdx-records.md#cams).
    pub struct Camera: 116 {
        /// Name.
        pub name: Text<80>,
        /// Where it stands.
        pub position: [F32; 3],
        /// Field of view in radians.
        pub fov: F32,
        /// How far it sees.
        pub far_clip: F32,
        /// Where it begins to see.
        pub near_clip: F32,
        /// What it looks at.
        pub target: [F32; 3],
    }
}

record! {
    /// FaceFX of one head, versions 900 and above (docs/formats/mdx-records.md#fafx).
    pub struct FaceFx: 340 {
        /// Name.
        pub name: Text<80>,
        /// Its file.
        pub path: Text<260>,
    }
}

record! {
    /// One bind pose: three columns of rotation and one of translation (docs/formats/mdx-records.md#fafx).
    pub struct BindPose: 48 {
        /// Twelve numbers of a matrix.
        pub matrix: [F32; 12],
    }
}
