//! Materials of Reforged: one surface by six pictures (docs/formats/mdx.md#scene-hd).

use galvani_core::text;

use crate::model::{Layer, Material};

/// What the shader of such materials is called.
const SHADER: &[u8] = b"Shader_HD_DefaultUnit";

/// The type of shader by which layers say the same from version 1100 on.
const SHADER_TYPE: u32 = 1;

/// How many pictures there are: colour, directions, surface, glow, team, surroundings.
const SLOTS: usize = 6;

/// The pictures of such a material, by their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slots {
    pub(super) color: Option<usize>,
    pub(super) directions: Option<usize>,
    pub(super) surface: Option<usize>,
    pub(super) glow: Option<usize>,
}

impl Slots {
    /// Those of a material, if it is such a one.
    pub(super) fn from_material(material: &Material) -> Option<Self> {
        let layers: Vec<&Layer> = material.layers.iter().filter_map(|layer| layer.typed()).collect();
        let named = material.shader.is_some_and(|shader| text::before_nul(&shader.shader.0) == SHADER);
        if named && layers.len() >= SLOTS {
            let slot = |index: usize| usize::try_from(layers.get(index)?.fixed.texture_id.get()).ok();
            return Some(Slots { color: slot(0), directions: slot(1), surface: slot(2), glow: slot(3) });
        }
        let textures = layers.first()?.textures.as_ref()?;
        let slot = |wanted: u32| {
            let found = textures.list.iter().find(|texture| texture.fixed.slot.get() == wanted)?;
            usize::try_from(found.fixed.texture_id.get()).ok()
        };
        let is_hd = textures.shader_type == SHADER_TYPE;
        is_hd.then(|| Slots { color: slot(0), directions: slot(1), surface: slot(2), glow: slot(3) })
    }
}
