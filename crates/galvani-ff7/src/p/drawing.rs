//! What the words of a drawing state mean (docs/formats/ff7-p.md#hundred).

/// Half of what is behind is seen.
pub const AVERAGE: u32 = 0;
/// Added to what is behind.
pub const ADD: u32 = 1;
/// No blending.
pub const SOLID: u32 = 4;

/// How much covers what is behind where the game averages both, and the least alpha of what is seen where it does not.
pub const HALF: f32 = 0.5;

/// A bit of the features: there is a texture.
pub const TEXTURE: u32 = 2;
/// Its pixels are enlarged smoothly.
pub const LINEAR: u32 = 4;
/// Along u and v: the picture is repeated. Options say which bits count at all.
pub const WRAPS: [u32; 2] = [0x20, 0x40];
/// What is behind is blended in.
pub const BLEND: u32 = 0x400;
/// Back sides are not seen.
pub const CULL: u32 = 0x2000;
/// Back sides are seen.
pub const NO_CULL: u32 = 0x4000;

/// What is said of a group that covers what is behind: texture, filter, perspective, culling, depth and shading.
pub const USUAL: u32 = 0x0003_a00e;
