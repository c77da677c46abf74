//! Materials, textures and pictures.

use std::borrow::Cow;

use super::data::NoExtensions;
use super::typed::{choice, object};
use crate::document::JsonValue;

object! {
    /// How a surface looks.
    object Material {
        /// What it is called.
        name "name": Cow<'a, str> = Cow::Borrowed("");
        /// Its colour, and how it takes light.
        pbr "pbrMetallicRoughness": Pbr<'a> = Pbr::default();
        /// Directions as colours.
        normal "normalTexture": Option<TextureInfo<'a>> = None;
        /// How much light comes in.
        occlusion "occlusionTexture": Option<TextureInfo<'a>> = None;
        /// What shines by itself.
        emissive "emissiveTexture": Option<TextureInfo<'a>> = None;
        /// The colour that shines by itself.
        emissive_factor "emissiveFactor": [f32; 3] = [0.0; 3];
        /// What alpha means.
        alpha_mode "alphaMode": AlphaMode = AlphaMode::Opaque;
        /// From where on it is seen.
        alpha_cutoff "alphaCutoff": f32 = 0.5;
        /// Whether its back is seen.
        double_sided "doubleSided": bool = false;
        /// What extensions say.
        extensions "extensions": MaterialExtensions<'a> = MaterialExtensions::default();
    }
}

object! {
    /// What extensions say of a material.
    bag MaterialExtensions {
        /// Lamps do nothing to it.
        unlit "KHR_materials_unlit": Option<JsonValue<'a>> = None;
        /// How strongly it shines by itself.
        strength "KHR_materials_emissive_strength": Option<EmissiveStrength<'a>> = None;
    }
}

object! {
    /// How strongly a surface shines by itself.
    object EmissiveStrength {
        /// What the colour is multiplied with.
        strength "emissiveStrength": f32 = 1.0;
    }
}

object! {
    /// The colour of a surface, and how it takes light.
    object Pbr {
        /// Red, green, blue, alpha.
        base_color_factor "baseColorFactor": [f32; 4] = [1.0; 4];
        /// The picture.
        base_color "baseColorTexture": Option<TextureInfo<'a>> = None;
        /// How much of a metal it is.
        metallic_factor "metallicFactor": f32 = 1.0;
        /// How rough it is.
        roughness_factor "roughnessFactor": f32 = 1.0;
        /// Both, as colours.
        metallic_roughness "metallicRoughnessTexture": Option<TextureInfo<'a>> = None;
    }
}

choice! {
    /// What alpha means.
    AlphaMode by text, "`OPAQUE`, `MASK` or `BLEND`" {
        /// Nothing.
        Opaque = "OPAQUE";
        /// Seen or not seen.
        Mask = "MASK";
        /// How much covers what is behind.
        Blend = "BLEND";
    }
}

object! {
    /// A texture where a surface shows it.
    object TextureInfo {
        /// Which.
        index "index": Option<usize> = None, required;
        /// Which set of coordinates.
        tex_coord "texCoord": usize = 0;
        /// How strong directions are.
        scale "scale": f32 = 1.0;
        /// How much less light comes in.
        strength "strength": f32 = 1.0;
        /// What extensions say.
        extensions "extensions": TextureInfoExtensions<'a> = TextureInfoExtensions::default();
    }
}

object! {
    /// What extensions say of a texture where a surface shows it.
    bag TextureInfoExtensions {
        /// What is done to its coordinates.
        transform "KHR_texture_transform": Option<TextureTransform<'a>> = None;
    }
}

object! {
    /// What is done to texture coordinates.
    object TextureTransform {
        /// How they are moved.
        offset "offset": [f32; 2] = [0.0; 2];
        /// How they are turned.
        rotation "rotation": f32 = 0.0;
        /// How they are scaled.
        scale "scale": [f32; 2] = [1.0; 2];
        /// Another set of coordinates.
        tex_coord "texCoord": Option<usize> = None;
    }
}

object! {
    /// A picture and how it is enlarged and repeated.
    object Texture {
        /// How.
        sampler "sampler": Option<usize> = None;
        /// Which picture.
        source "source": Option<usize> = None;
        /// What it is called.
        name "name": Cow<'a, str> = Cow::Borrowed("");
        /// What extensions say.
        extensions "extensions": TextureExtensions<'a> = TextureExtensions::default();
    }
}

object! {
    /// What extensions say of a texture.
    bag TextureExtensions {
        /// The picture as WebP.
        webp "EXT_texture_webp": Option<Webp<'a>> = None;
    }
}

object! {
    /// A picture as WebP.
    object Webp {
        /// Which.
        source "source": Option<usize> = None, required;
    }
}

object! {
    /// How pictures are enlarged and repeated.
    object TextureSampler {
        /// How they are enlarged.
        mag_filter "magFilter": Option<MagFilter> = None;
        /// How they are made smaller.
        min_filter "minFilter": Option<MinFilter> = None;
        /// What is beyond their edges along u.
        wrap_s "wrapS": WrapMode = WrapMode::Repeat;
        /// And along v.
        wrap_t "wrapT": WrapMode = WrapMode::Repeat;
        /// What it is called.
        name "name": Cow<'a, str> = Cow::Borrowed("");
        /// What extensions say.
        extensions "extensions": NoExtensions = NoExtensions;
    }
}

choice! {
    /// How pictures are enlarged.
    MagFilter by index, "9728 or 9729" {
        /// As squares.
        Nearest = 9728;
        /// Smoothly.
        Linear = 9729;
    }
}

choice! {
    /// How pictures are made smaller.
    MinFilter by index, "9728, 9729 or 9984 to 9987" {
        /// The nearest pixel.
        Nearest = 9728;
        /// Between pixels.
        Linear = 9729;
        /// The nearest pixel of the nearest level.
        NearestMipmapNearest = 9984;
        /// Between pixels of the nearest level.
        LinearMipmapNearest = 9985;
        /// The nearest pixels, between levels.
        NearestMipmapLinear = 9986;
        /// Between pixels and levels.
        LinearMipmapLinear = 9987;
    }
}

choice! {
    /// What is beyond the edges of a picture.
    WrapMode by index, "33071, 33648 or 10497" {
        /// Its edge.
        Clamp = 33071;
        /// Its mirror image.
        Mirror = 33648;
        /// The picture again.
        Repeat = 10497;
    }
}

object! {
    /// A picture.
    object Image {
        /// What it is called.
        name "name": Cow<'a, str> = Cow::Borrowed("");
        /// Where it is: a file beside this one, or the picture itself.
        uri "uri": Option<Cow<'a, str>> = None;
        /// What kind of file it is.
        mime_type "mimeType": Option<Cow<'a, str>> = None;
        /// The view that holds it.
        buffer_view "bufferView": Option<usize> = None;
        /// What extensions say.
        extensions "extensions": NoExtensions = NoExtensions;
    }
}
