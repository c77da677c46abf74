//! The JSON of glTF 2.0, as far as it is written.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

/// Named values that glTF does not know.
pub(crate) type Extras = BTreeMap<String, Value>;

#[derive(Debug, Serialize)]
pub(crate) struct Root {
    pub(crate) asset: Asset,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) scene: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) scenes: Vec<Scene>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) nodes: Vec<Node>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) meshes: Vec<Mesh>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) materials: Vec<Material>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) animations: Vec<Animation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) accessors: Vec<Accessor>,
    #[serde(rename = "bufferViews", skip_serializing_if = "Vec::is_empty")]
    pub(crate) buffer_views: Vec<BufferView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) buffers: Vec<Buffer>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Asset {
    pub(crate) version: &'static str,
    pub(crate) generator: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct Scene {
    pub(crate) name: String,
    pub(crate) nodes: Vec<usize>,
    #[serde(skip_serializing_if = "Extras::is_empty")]
    pub(crate) extras: Extras,
}

#[derive(Debug, Serialize)]
pub(crate) struct Node {
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) children: Vec<usize>,
    pub(crate) translation: [f32; 3],
    pub(crate) rotation: [f32; 4],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mesh: Option<usize>,
    #[serde(skip_serializing_if = "Extras::is_empty")]
    pub(crate) extras: Extras,
}

#[derive(Debug, Serialize)]
pub(crate) struct Mesh {
    pub(crate) name: String,
    pub(crate) primitives: Vec<Primitive>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Primitive {
    pub(crate) attributes: Attributes,
    pub(crate) indices: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) material: Option<usize>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Attributes {
    #[serde(rename = "POSITION")]
    pub(crate) position: usize,
    #[serde(rename = "NORMAL", skip_serializing_if = "Option::is_none")]
    pub(crate) normal: Option<usize>,
    #[serde(rename = "TEXCOORD_0", skip_serializing_if = "Option::is_none")]
    pub(crate) uv: Option<usize>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Material {
    pub(crate) name: String,
    #[serde(rename = "pbrMetallicRoughness")]
    pub(crate) pbr: Pbr,
    #[serde(rename = "doubleSided")]
    pub(crate) double_sided: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct Pbr {
    #[serde(rename = "baseColorFactor")]
    pub(crate) base_color: [f32; 4],
    #[serde(rename = "metallicFactor")]
    pub(crate) metallic: f32,
    #[serde(rename = "roughnessFactor")]
    pub(crate) roughness: f32,
}

#[derive(Debug, Serialize)]
pub(crate) struct Animation {
    pub(crate) name: String,
    pub(crate) channels: Vec<Channel>,
    pub(crate) samplers: Vec<Sampler>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Channel {
    pub(crate) sampler: usize,
    pub(crate) target: Target,
}

#[derive(Debug, Serialize)]
pub(crate) struct Target {
    pub(crate) node: usize,
    pub(crate) path: &'static str,
}

#[derive(Debug, Serialize)]
pub(crate) struct Sampler {
    pub(crate) input: usize,
    pub(crate) output: usize,
    pub(crate) interpolation: &'static str,
}

#[derive(Debug, Serialize)]
pub(crate) struct Accessor {
    #[serde(rename = "bufferView")]
    pub(crate) buffer_view: usize,
    #[serde(rename = "byteOffset")]
    pub(crate) byte_offset: usize,
    #[serde(rename = "componentType")]
    pub(crate) component_type: u32,
    pub(crate) count: usize,
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    /// Doubles, so that the text is the single-precision number to its last bit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) min: Vec<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) max: Vec<f64>,
}

#[derive(Debug, Serialize)]
pub(crate) struct BufferView {
    pub(crate) buffer: usize,
    #[serde(rename = "byteOffset")]
    pub(crate) byte_offset: usize,
    #[serde(rename = "byteLength")]
    pub(crate) byte_length: usize,
    #[serde(rename = "byteStride", skip_serializing_if = "Option::is_none")]
    pub(crate) byte_stride: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<u32>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Buffer {
    #[serde(rename = "byteLength")]
    pub(crate) byte_length: usize,
}
