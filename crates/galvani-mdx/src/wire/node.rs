//! Nodes, and what the records that begin with one add (docs/formats/mdx-records.md#node, #node-records).

use galvani_core::record;
use galvani_core::record::Text;
use zerocopy::little_endian::{F32, I32, U32};

record! {
    /// A node behind its size.
    pub struct Node: 92 {
        /// Name.
        pub name: Text<80>,
        /// Its number among all nodes.
        pub object_id: I32,
        /// The node it hangs on, or −1.
        pub parent_id: I32,
        /// Bits.
        pub flags: U32,
    }
}

record! {
    /// What a bone adds.
    pub struct Bone: 8 {
        /// The geoset it moves, or −1.
        pub geoset_id: I32,
        /// The animation of that geoset, or −1.
        pub geoset_animation_id: I32,
    }
}

record! {
    /// What a light adds.
    pub struct Light: 44 {
        /// 0 omni, 1 directional, 2 ambient.
        pub kind: U32,
        /// Where it begins to fade.
        pub attenuation_start: F32,
        /// Where it has faded.
        pub attenuation_end: F32,
        /// Its colour.
        pub color: [F32; 3],
        /// How bright it is.
        pub intensity: F32,
        /// Its ambient colour.
        pub ambient_color: [F32; 3],
        /// How bright that is.
        pub ambient_intensity: F32,
    }
}

record! {
    /// Lights of versions 1200 and above.
    pub struct LightShadow: 4 {
        /// How dark its shadows are.
        pub shadow_intensity: F32,
    }
}

record! {
    /// Lights of versions 1300 and above. The order is not verified.
    pub struct LightCasting: 12 {
        /// Whether it casts shadows.
        pub shadow_casting: U32,
        /// Where they begin.
        pub shadow_start: F32,
        /// Where they end.
        pub shadow_end: F32,
    }
}

record! {
    /// Lights of versions 1600 and above.
    pub struct LightFalloff: 12 {
        /// Quadratic falloff.
        pub quadratic: F32,
        /// Linear falloff.
        pub linear: F32,
        /// Damping falloff.
        pub damping: F32,
    }
}

record! {
    /// What an attachment of Warcraft III adds.
    pub struct AttachmentWarcraft: 264 {
        /// A model that is shown there.
        pub path: Text<260>,
        /// Its number.
        pub attachment_id: I32,
    }
}

record! {
    /// What an attachment of WoW adds.
    pub struct AttachmentWow: 265 {
        /// Its number.
        pub attachment_id: I32,
        /// 0xFF in the one file seen.
        pub pad: u8,
        /// A model that is shown there.
        pub path: Text<260>,
    }
}

record! {
    /// What an emitter of models adds.
    pub struct Emitter: 284 {
        /// Particles a second.
        pub emission_rate: F32,
        /// How they fall.
        pub gravity: F32,
        /// Where around they go.
        pub longitude: F32,
        /// How far from the axis they go.
        pub latitude: F32,
        /// The model of a particle.
        pub path: Text<260>,
        /// Seconds a particle lives.
        pub lifespan: F32,
        /// How fast it starts.
        pub speed: F32,
    }
}

record! {
    /// What a particle emitter of Warcraft III adds.
    pub struct Emitter2Warcraft: 171 {
        /// How fast particles start.
        pub speed: F32,
        /// How much that varies.
        pub variation: F32,
        /// How far from the axis they go.
        pub latitude: F32,
        /// How they fall.
        pub gravity: F32,
        /// Seconds a particle lives.
        pub lifespan: F32,
        /// Particles a second.
        pub emission_rate: F32,
        /// Length of the emitter.
        pub length: F32,
        /// Width of the emitter.
        pub width: F32,
        /// 0 blend, 1 add, 2 modulate, 3 modulate twice, 4 alpha key.
        pub filter_mode: U32,
        /// Rows of the texture.
        pub rows: U32,
        /// Columns of the texture.
        pub columns: U32,
        /// 0 head, 1 tail, 2 both.
        pub head_or_tail: U32,
        /// How long a tail is.
        pub tail_length: F32,
        /// Where the second segment begins.
        pub time: F32,
        /// Three colours.
        pub segment_color: [F32; 9],
        /// How opaque each is.
        pub segment_alpha: [u8; 3],
        /// How large each is.
        pub segment_scale: [F32; 3],
        /// Head while it lives: first, last, repeat.
        pub head_life: [U32; 3],
        /// Head while it decays.
        pub head_decay: [U32; 3],
        /// Tail while it lives.
        pub tail_life: [U32; 3],
        /// Tail while it decays.
        pub tail_decay: [U32; 3],
        /// Its texture.
        pub texture_id: I32,
        /// Whether all particles come at once.
        pub squirt: U32,
        /// Drawing order.
        pub priority_plane: I32,
        /// Which texture the game puts here, or 0.
        pub replaceable_id: U32,
    }
}

record! {
    /// What a particle emitter of WoW adds, up to its spline.
    pub struct Emitter2Wow: 787 {
        /// Bytes from here to the tracks.
        pub emitter_size: U32,
        /// 0 base, 1 plane, 2 sphere, 3 spline.
        pub emitter_type: U32,
        /// How fast particles start.
        pub speed: F32,
        /// How much that varies.
        pub variation: F32,
        /// How far from the axis they go.
        pub latitude: F32,
        /// Where around they go.
        pub longitude: F32,
        /// How they fall.
        pub gravity: F32,
        /// Where they come from.
        pub z_source: F32,
        /// Seconds a particle lives.
        pub lifespan: F32,
        /// Particles a second.
        pub emission_rate: F32,
        /// Length of the emitter.
        pub length: F32,
        /// Width of the emitter.
        pub width: F32,
        /// Rows of the texture.
        pub rows: U32,
        /// Columns of the texture.
        pub columns: U32,
        /// Head, tail or both.
        pub particle_type: U32,
        /// How long a tail is.
        pub tail_length: F32,
        /// Where the second segment begins.
        pub middle_time: F32,
        /// Three colours, blue first.
        pub segment_color: [F32; 9],
        /// How opaque each is.
        pub segment_alpha: [u8; 3],
        /// How large each is.
        pub segment_scale: [F32; 3],
        /// Head and tail, living and decaying: first, last, repeat.
        pub uv_animation: [U32; 12],
        /// How it is drawn.
        pub blend_mode: U32,
        /// Its texture.
        pub texture_id: I32,
        /// Drawing order.
        pub priority_plane: I32,
        /// Which texture the game puts here, or 0.
        pub replaceable_id: U32,
        /// The model of a particle.
        pub geometry_path: Text<260>,
        /// The model whose emitters it carries.
        pub recursion_path: Text<260>,
        /// Twinkles a second.
        pub twinkle_fps: F32,
        /// How much of the time it shines.
        pub twinkle_on_off: F32,
        /// Least size while it twinkles.
        pub twinkle_scale_min: F32,
        /// Greatest size while it twinkles.
        pub twinkle_scale_max: F32,
        /// How much of the emitter's own speed it keeps.
        pub velocity_scale: F32,
        /// Tumbling about each axis, least and greatest.
        pub tumble: [F32; 6],
        /// How it is slowed.
        pub drag: F32,
        /// How it spins.
        pub spin: F32,
        /// Wind.
        pub wind: [F32; 3],
        /// How long it blows.
        pub wind_time: F32,
        /// First speed of following.
        pub follow_speed_1: F32,
        /// First scale of following.
        pub follow_scale_1: F32,
        /// Second speed of following.
        pub follow_speed_2: F32,
        /// Second scale of following.
        pub follow_scale_2: F32,
    }
}

record! {
    /// How many points a spline has.
    pub struct SplineCount: 4 {
        /// Points.
        pub spline_count: U32,
    }
}

record! {
    /// What follows the spline.
    pub struct Squirts: 4 {
        /// Whether all particles come at once.
        pub squirts: U32,
    }
}

record! {
    /// The size before a ribbon's own block in WoW.
    pub struct EmitterSize: 4 {
        /// Bytes from here to the tracks.
        pub emitter_size: U32,
    }
}

record! {
    /// What a ribbon adds.
    pub struct Ribbon: 52 {
        /// How far it reaches up.
        pub height_above: F32,
        /// How far it reaches down.
        pub height_below: F32,
        /// How opaque it is.
        pub alpha: F32,
        /// Its colour.
        pub color: [F32; 3],
        /// Seconds that it stays.
        pub lifespan: F32,
        /// Which picture of the texture.
        pub texture_slot: U32,
        /// Edges a second.
        pub emission_rate: U32,
        /// Rows of the texture.
        pub rows: U32,
        /// Columns of the texture.
        pub columns: U32,
        /// Its material.
        pub material_id: I32,
        /// How it falls.
        pub gravity: F32,
    }
}

record! {
    /// What a PopcornFX emitter adds.
    pub struct Popcorn: 552 {
        /// Seconds a particle lives.
        pub lifespan: F32,
        /// Particles a second.
        pub emission_rate: F32,
        /// How fast they start.
        pub speed: F32,
        /// Its colour.
        pub color: [F32; 3],
        /// How opaque it is.
        pub alpha: F32,
        /// Which texture the game puts here, or 0.
        pub replaceable_id: U32,
        /// The file of the effect.
        pub path: Text<260>,
        /// When it is shown.
        pub visibility_guide: Text<260>,
    }
}

record! {
    /// The type of a collision shape in Warcraft III.
    pub struct ShapeType: 4 {
        /// 0 box, 1 cylinder, 2 sphere, 3 plane.
        pub kind: U32,
    }
}

record! {
    /// The type of a hit-test shape in WoW.
    pub struct HitType: 1 {
        /// 0 box, 1 cylinder, 2 sphere, 3 plane.
        pub kind: u8,
    }
}

record! {
    /// One measure of a shape.
    pub struct Measure: 4 {
        /// A coordinate or a length.
        pub value: F32,
    }
}
