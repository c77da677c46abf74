//! Materials, their layers, and what moves or tints them.

use super::super::words::{Block, Context, Still, When, Words};
use super::zeroed;
use crate::model::{GeosetAnimation, GeosetAnimationFixed, Layer, LayerTextures, Material, TextureAnimation};
use crate::track::Owner;
use crate::wire::{Emissive, Fresnel, Shader};

/// The bits of a material.
const MATERIAL: &[(&str, u32)] = &[
    ("ConstantColor", 1),
    ("TwoSided", 2),
    ("SortPrimsNearZ", 8),
    ("SortPrimsFarZ", 0x10),
    ("FullResolution", 0x20),
];

/// The bits of a layer.
const LAYER: &[(&str, u32)] = &[
    ("Unshaded", 1),
    ("SphereEnvMap", 2),
    ("WrapWidth", 4),
    ("WrapHeight", 8),
    ("TwoSided", 0x10),
    ("Unfogged", 0x20),
    ("NoDepthTest", 0x40),
    ("NoDepthSet", 0x80),
    ("Unlit", 0x100),
];

/// How a layer is drawn over what is there.
const FILTERS: &[(&str, i64)] = &[
    ("None", 0),
    ("Transparent", 1),
    ("Blend", 2),
    ("Additive", 3),
    ("AddAlpha", 4),
    ("Modulate", 5),
    ("Modulate2x", 6),
];

fn all(flags: &[(&str, u32)]) -> u32 {
    flags.iter().fold(0, |all, (_, bit)| all | bit)
}

impl Block for Material {
    fn blank(context: Context) -> Self {
        let has_shader = (900..1100).contains(&context.version);
        let shader = has_shader.then(zeroed::<Shader>);
        Material { priority_plane: 0, flags: Some(0), shader, layers: Vec::new() }
    }

    fn words<W: Words>(&mut self, words: &mut W) {
        let flags = self.flags.get_or_insert(0);
        for (word, bit) in MATERIAL {
            words.flag(word, flags, *bit);
        }
        words.other_bits("RenderMode", flags);
        words.bits("Flags", flags, all(MATERIAL), 0);
        words.whole("PriorityPlane", &mut self.priority_plane, When::Unless(0));
        if let Some(shader) = &mut self.shader {
            words.text("Shader", &mut shader.shader.0, false);
        }
        words.held_blocks("Layer", &mut self.layers);
        words.unfold(self.shader.as_mut(), &mut self.layers);
    }
}

impl Block for Layer {
    fn blank(context: Context) -> Self {
        let since = |version: u32| context.version >= version;
        Layer {
            fixed: zeroed(),
            emissive: since(900).then(zeroed::<Emissive>),
            fresnel: since(1000).then(zeroed::<Fresnel>),
            textures: since(1100).then(|| LayerTextures { shader_type: 0, list: Vec::new() }),
            tracks: Vec::new(),
        }
    }

    fn words<W: Words>(&mut self, words: &mut W) {
        let (fixed, tracks) = (&mut self.fixed, &mut self.tracks);
        words.named("FilterMode", FILTERS, &mut fixed.filter_mode, When::Always(0));
        for (word, bit) in LAYER {
            words.flag(word, &mut fixed.flags, *bit);
        }
        words.bits("Flags", &mut fixed.flags, all(LAYER), 0);
        if let Some(textures) = &mut self.textures {
            words.whole("ShaderTypeId", &mut textures.shader_type, When::Always(0));
            words.slots(textures, &mut fixed.texture_id);
            // Only a layer without textures of its own has this track here.
            words.noted(&mut |words| {
                words.animated("LayerTextureID", "KMTF", Still::None, false, (Owner::Layer, tracks));
            });
        } else {
            words.texture(&mut fixed.texture_id, (Owner::Layer, tracks));
        }
        words.whole("TVertexAnimId", &mut fixed.texture_animation_id, When::Unless(-1));
        words.whole("CoordId", &mut fixed.coord_id, When::Unless(0));
        words.animated("Alpha", "KMTA", Still::Float(&mut fixed.alpha, 1.0), true, (Owner::Layer, tracks));
        let gain = self.emissive.as_mut().map_or(Still::None, |it| Still::Float(&mut it.emissive_gain, 1.0));
        words.animated("EmissiveGain", "KMTE", gain, false, (Owner::Layer, tracks));
        let [mut color, mut opacity, mut team] = [Still::None, Still::None, Still::None];
        if let Some(fresnel) = &mut self.fresnel {
            color = Still::Straight(&mut fresnel.fresnel_color, [1.0; 3]);
            opacity = Still::Float(&mut fresnel.fresnel_opacity, 0.0);
            team = Still::Float(&mut fresnel.fresnel_team_color, 0.0);
        }
        words.animated("FresnelColor", "KFC3", color, false, (Owner::Layer, tracks));
        words.animated("FresnelOpacity", "KFCA", opacity, false, (Owner::Layer, tracks));
        words.animated("FresnelTeamColor", "KFTC", team, false, (Owner::Layer, tracks));
        words.order("Order", (Owner::Layer, &mut self.tracks));
    }
}

impl Block for TextureAnimation {
    fn blank(_: Context) -> Self {
        TextureAnimation { tracks: Vec::new() }
    }

    fn words<W: Words>(&mut self, words: &mut W) {
        for (word, tag) in [("Translation", "KTAT"), ("Rotation", "KTAR"), ("Scaling", "KTAS")] {
            words.animated(word, tag, Still::None, false, (Owner::TextureAnimation, &mut self.tracks));
        }
        words.order("Order", (Owner::TextureAnimation, &mut self.tracks));
    }
}

impl Block for GeosetAnimation {
    fn blank(_: Context) -> Self {
        GeosetAnimation { fixed: GeosetAnimationFixed::Warcraft(zeroed()), tracks: Vec::new() }
    }

    fn words<W: Words>(&mut self, words: &mut W) {
        let GeosetAnimationFixed::Warcraft(fixed) = &mut self.fixed else { return };
        let tracks = &mut self.tracks;
        words.named("GeosetId", &[("None", -1), ("Multiple", -1)], &mut fixed.geoset_id, When::Always(-1));
        words.flag("DropShadow", &mut fixed.flags, 1);
        let alpha = Still::Float(&mut fixed.alpha, 1.0);
        words.animated("Alpha", "KGAO", alpha, true, (Owner::GeosetAnimation, tracks));
        words.tint(&mut fixed.flags, &mut fixed.color, (Owner::GeosetAnimation, tracks));
        words.bits("Flags", &mut fixed.flags, 3, 0);
        words.order("Order", (Owner::GeosetAnimation, tracks));
    }
}
