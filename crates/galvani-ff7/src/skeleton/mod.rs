//! Skeletons of battle models: `**aa` of battle.lgp, `.d` of magic.lgp.
//!
//! ```text
//! 0x00  header, 13 × u32
//! 0x34  bones, 12 bytes each; parents before their children
//! ```

pub mod check;
pub mod edit;
mod read;
pub mod wire;
mod write;

pub use check::check;
pub use read::{is_shaped, read};
pub use write::write;

/// The kind of a battle's surroundings, which has pieces instead of bones.
pub const LOCATION_KIND: u32 = 1;

/// The kind of a player's character.
pub const PLAYER_KIND: u32 = 2;

/// Bytes before the bones.
pub const HEADER_LEN: usize = size_of::<wire::Header>();

/// Bytes of a bone.
pub const BONE_LEN: usize = size_of::<wire::Bone>();

/// A skeleton as a value: every byte of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    /// 0 for an enemy, 1 for a location, 2 for a player's character.
    pub kind: u32,
    /// 1 in the game's own files.
    pub unknown_04: u32,
    /// 1 in the game's own files.
    pub unknown_08: u32,
    /// The bones in order; none for a location.
    pub bones: Vec<Bone>,
    /// How many more bones the header counts than could be found.
    pub missing: u32,
    /// 0 in the game's own files.
    pub unknown_10: u32,
    /// Pieces of a location.
    pub piece_count: u32,
    /// Textures.
    pub texture_count: u32,
    /// Entries of the pack that move the body.
    pub body_animation_count: u32,
    /// Where the weapon's animations begin, in a count that nobody has settled.
    pub weapon_animation_start: u32,
    /// Models of weapons.
    pub weapon_count: u32,
    /// Entries of the pack that move the weapon.
    pub weapon_animation_count: u32,
    /// 0 in the game's own files.
    pub unknown_2c: u32,
    /// The game puts an address here.
    pub unknown_30: u32,
    /// Bytes behind the last bone. Kept, not understood.
    pub rest: Vec<u8>,
}

/// One bone. Two are equal if their bytes are, so that a length that is no number equals itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bone {
    /// The bone it hangs on; −1 for the root.
    pub parent: i32,
    /// How far away its children are; negative in the game's own files.
    pub length: f32,
    /// Not 0 if a model belongs to it.
    pub has_model: u32,
}

impl PartialEq for Bone {
    fn eq(&self, other: &Self) -> bool {
        let bytes = |bone: &Bone| (bone.parent, bone.length.to_bits(), bone.has_model);
        bytes(self) == bytes(other)
    }
}

/// What a bone hangs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parent {
    /// The root.
    Root,
    /// Another bone.
    Bone(usize),
    /// Nothing that is there.
    Nowhere,
}

impl Document {
    /// What each bone hangs on.
    pub fn parents(&self) -> Vec<Parent> {
        self.bones.iter().map(|bone| self.parent(bone)).collect()
    }

    fn parent(&self, bone: &Bone) -> Parent {
        match usize::try_from(bone.parent) {
            Ok(parent) if parent < self.bones.len() => Parent::Bone(parent),
            Err(_) if bone.parent == -1 => Parent::Root,
            _ => Parent::Nowhere,
        }
    }
}
