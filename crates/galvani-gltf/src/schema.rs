//! The JSON of glTF 2.0, as far as it is written. What `text` writes by hand has no `Serialize`.

use serde::Serialize;
use serde_json::{Map, Value};

/// Named values that glTF does not know.
pub(crate) type Extras = Map<String, Value>;

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TopLevel {
    pub(crate) asset: Asset,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) extensions_used: Vec<&'static str>,
    #[serde(skip_serializing_if = "Extras::is_empty")]
    pub(crate) extensions: Extras,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) scene: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) scenes: Vec<Scene>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) nodes: Vec<Node>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) meshes: Vec<Mesh>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) skins: Vec<Skin>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) materials: Vec<Material>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) textures: Vec<Texture>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) samplers: Vec<TextureSampler>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) images: Vec<Image>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) cameras: Vec<Camera>,
    #[serde(skip)]
    pub(crate) animations: Vec<Animation>,
    #[serde(skip)]
    pub(crate) accessors: Vec<Accessor>,
    #[serde(skip)]
    pub(crate) buffer_views: Vec<BufferView>,
    #[serde(skip)]
    pub(crate) buffers: Vec<Buffer>,
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct Asset {
    pub(crate) version: &'static str,
    pub(crate) generator: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct Scene {
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) nodes: Vec<usize>,
    #[serde(skip_serializing_if = "Extras::is_empty")]
    pub(crate) extras: Extras,
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct Node {
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) children: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) scale: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mesh: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) skin: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) camera: Option<usize>,
    #[serde(skip_serializing_if = "Extras::is_empty")]
    pub(crate) extensions: Extras,
    #[serde(skip_serializing_if = "Extras::is_empty")]
    pub(crate) extras: Extras,
}

#[derive(Debug, Serialize)]
pub(crate) struct Mesh {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) name: String,
    pub(crate) primitives: Vec<Primitive>,
    #[serde(skip_serializing_if = "Extras::is_empty")]
    pub(crate) extras: Extras,
}

#[derive(Debug, Serialize)]
pub(crate) struct Primitive {
    /// Accessors by what they are of, such as `POSITION`.
    pub(crate) attributes: Extras,
    pub(crate) indices: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) material: Option<usize>,
    #[serde(skip_serializing_if = "Extras::is_empty")]
    pub(crate) extensions: Extras,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Skin {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) name: String,
    pub(crate) inverse_bind_matrices: usize,
    pub(crate) skeleton: usize,
    pub(crate) joints: Vec<usize>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Material {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) name: String,
    pub(crate) pbr_metallic_roughness: Pbr,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) normal_texture: Option<TextureInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) occlusion_texture: Option<TextureInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) emissive_texture: Option<TextureInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) emissive_factor: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) alpha_mode: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) alpha_cutoff: Option<f32>,
    pub(crate) double_sided: bool,
    #[serde(skip_serializing_if = "Extras::is_empty")]
    pub(crate) extensions: Extras,
    #[serde(skip_serializing_if = "Extras::is_empty")]
    pub(crate) extras: Extras,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Pbr {
    pub(crate) base_color_factor: [f32; 4],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) base_color_texture: Option<TextureInfo>,
    pub(crate) metallic_factor: f32,
    pub(crate) roughness_factor: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) metallic_roughness_texture: Option<TextureInfo>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TextureInfo {
    pub(crate) index: usize,
    #[serde(skip_serializing_if = "is_first")]
    pub(crate) tex_coord: usize,
    #[serde(skip_serializing_if = "Extras::is_empty")]
    pub(crate) extensions: Extras,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "what serde asks for")]
fn is_first(set: &usize) -> bool {
    *set == 0
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub(crate) struct Texture {
    pub(crate) sampler: usize,
    pub(crate) source: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TextureSampler {
    pub(crate) mag_filter: u32,
    pub(crate) min_filter: u32,
    pub(crate) wrap_s: u32,
    pub(crate) wrap_t: u32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Image {
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mime_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) buffer_view: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Camera {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) form: &'static str,
    pub(crate) perspective: Perspective,
    #[serde(skip_serializing_if = "Extras::is_empty")]
    pub(crate) extras: Extras,
}

#[derive(Debug, Serialize)]
pub(crate) struct Perspective {
    pub(crate) yfov: f32,
    pub(crate) znear: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) zfar: Option<f32>,
}

#[derive(Debug)]
pub(crate) struct Animation {
    pub(crate) name: String,
    pub(crate) channels: Vec<Channel>,
    pub(crate) samplers: Vec<Sampler>,
    pub(crate) extras: Extras,
}

#[derive(Debug)]
pub(crate) struct Channel {
    pub(crate) sampler: usize,
    pub(crate) target: Target,
}

#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) node: Option<usize>,
    pub(crate) path: &'static str,
    /// What `KHR_animation_pointer` points at.
    pub(crate) pointer: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Sampler {
    pub(crate) input: usize,
    pub(crate) output: usize,
    pub(crate) interpolation: &'static str,
}

#[derive(Debug)]
pub(crate) struct Accessor {
    pub(crate) buffer_view: usize,
    pub(crate) byte_offset: usize,
    pub(crate) component_type: u32,
    pub(crate) count: usize,
    pub(crate) form: &'static str,
    /// Doubles, so that the text is the single-precision number to its last bit.
    pub(crate) min: Vec<f64>,
    pub(crate) max: Vec<f64>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BufferView {
    pub(crate) buffer: usize,
    pub(crate) byte_offset: usize,
    pub(crate) byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) byte_stride: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<u32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Buffer {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) uri: Option<String>,
    pub(crate) byte_length: usize,
}
