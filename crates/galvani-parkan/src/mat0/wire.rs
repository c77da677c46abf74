//! Records as they lie in the file (docs/formats/mat0.md#head, #phases, #tracks).

use galvani_core::record;
use galvani_core::record::Text;
use zerocopy::little_endian::{F32, U16, U32};

record! {
    /// The first four bytes.
    pub struct Counts: 4 {
        /// Phases.
        pub phase_count: U16,
        /// Tracks, fewer than 20.
        pub track_count: U16,
    }
}

record! {
    /// From version 2 on: what the ground is.
    pub struct Surface: 2 {
        /// Class of the surface, 255 where there is none.
        pub class: u8,
        /// 255.
        pub unknown_05: u8,
    }
}

record! {
    /// From version 3 on: how fast one goes.
    pub struct Speed: 4 {
        /// Factor of speed on this ground.
        pub ground_speed: F32,
    }
}

record! {
    /// From version 4 on: what it does to who stands there.
    pub struct Damage: 4 {
        /// Damage, 0 but for four materials.
        pub damage_rate: F32,
    }
}

record! {
    /// One look of a material.
    pub struct Phase: 34 {
        /// Red, green, blue of its own light.
        pub ambient: [u8; 3],
        /// How much of it is seen, in percent.
        pub ambient_alpha: u8,
        /// Red, green, blue under light.
        pub diffuse: [u8; 3],
        /// Its alpha.
        pub diffuse_alpha: u8,
        /// Red, green, blue of highlights.
        pub specular: [u8; 3],
        /// Their alpha.
        pub specular_alpha: u8,
        /// Red, green, blue that the game does not use.
        pub emissive: [u8; 3],
        /// Their alpha.
        pub emissive_alpha: u8,
        /// How sharp highlights are: two to the power of this.
        pub power: u8,
        /// The rectangle of the texture that is shown, -1 for the whole.
        pub cell: i8,
        /// Name of the texture; without one there is none.
        pub texture: Text<16>,
    }
}

record! {
    /// What stands before the keys of a track.
    pub struct TrackHead: 6 {
        /// How the track is played, and what goes over gradually.
        pub word: U32,
        /// Keys.
        pub key_count: U16,
    }
}

record! {
    /// A key of a track.
    pub struct PhaseKey: 6 {
        /// The phase that is shown.
        pub phase: U16,
        /// Until when, in milliseconds from the start.
        pub time: U16,
        /// 0.
        pub unknown_04: U16,
    }
}
