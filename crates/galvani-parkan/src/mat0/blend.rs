//! How a material lies over what is behind it (docs/formats/mat0.md#blending).

/// How a material lies over what is behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blend {
    /// It covers it.
    Opaque,
    /// By alpha.
    Alpha,
    /// It is added, by alpha.
    Additive,
    /// It darkens it.
    Multiply,
    /// It darkens and brightens it.
    Double,
}

impl Blend {
    /// The blending that the flags of an archive's record (`attr1`) name; `None` where the game has none.
    pub fn from_flags(attr1: u32) -> Option<Self> {
        match attr1 >> 2 & 0xf {
            0 => Some(Blend::Opaque),
            1 => Some(Blend::Alpha),
            2 => Some(Blend::Additive),
            3 => Some(Blend::Multiply),
            4 => Some(Blend::Double),
            _ => None,
        }
    }

    /// Whether the flags of an archive's record take the alpha of the texture for gloss, and so no alpha.
    pub fn drops_alpha(attr1: u32) -> bool {
        attr1 & 2 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flags_of_the_games_materials_blend_as_the_page_says() {
        let found = [0, 2, 4, 5, 8].map(Blend::from_flags);
        let [opaque, alpha, additive] = [Blend::Opaque, Blend::Alpha, Blend::Additive].map(Some);
        assert_eq!(found, [opaque, opaque, alpha, alpha, additive]);
        assert_eq!(
            (Blend::from_flags(12), Blend::from_flags(16), Blend::from_flags(20)),
            (Some(Blend::Multiply), Some(Blend::Double), None)
        );
        assert!(Blend::drops_alpha(2) && !Blend::drops_alpha(4));
    }
}
