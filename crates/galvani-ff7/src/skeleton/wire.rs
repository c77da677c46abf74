//! Records as they lie in a skeleton (docs/formats/ff7-skeleton.md#header, #bone).

use galvani_core::record;
use zerocopy::little_endian::{F32, I32, U32};

record! {
    /// The first bytes of a skeleton.
    pub struct Header: 52 {
        /// 0 for an enemy, 1 for a location, 2 for a player's character.
        pub kind: U32,
        /// 1 in the game's own files.
        pub unknown_04: U32,
        /// 1 in the game's own files.
        pub unknown_08: U32,
        /// Bones; 0 for a location.
        pub bone_count: U32,
        /// 0 in the game's own files.
        pub unknown_10: U32,
        /// Pieces of a location.
        pub piece_count: U32,
        /// Textures.
        pub texture_count: U32,
        /// Entries of the pack that move the body.
        pub body_animation_count: U32,
        /// Where the weapon's animations begin, in a count that nobody has settled.
        pub weapon_animation_start: U32,
        /// Models of weapons.
        pub weapon_count: U32,
        /// Entries of the pack that move the weapon.
        pub weapon_animation_count: U32,
        /// 0 in the game's own files.
        pub unknown_2c: U32,
        /// The game puts an address here.
        pub unknown_30: U32,
    }
}

record! {
    /// One bone.
    pub struct Bone: 12 {
        /// The bone it hangs on; −1 for the root.
        pub parent: I32,
        /// How far away its children are; negative in the game's own files.
        pub length: F32,
        /// Not 0 if a model belongs to it.
        pub has_model: U32,
    }
}
