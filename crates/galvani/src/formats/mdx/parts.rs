//! A model as named parts, for `diff`: sequences, nodes, cameras and textures by name, materials by their textures.

use std::collections::BTreeMap;

use galvani_core::text;
use galvani_mdx::{Content, Document, write};
use serde_json::{Value, json};

use super::folder::fields;
use super::outline::heads;
use crate::formats::Part;

/// Everything in a model, by name, in file order.
pub(super) fn parts(document: &Document) -> Vec<Part> {
    let file = write(document).unwrap_or_default();
    let names = Names::new(document);
    let mut parts: Vec<Part> = Vec::new();
    let mut places: BTreeMap<(&'static str, String), usize> = BTreeMap::new();
    let mut put = |(group, name, field): (&'static str, String, String), value: Value| {
        let next = parts.len();
        let at = *places.entry((group, name.clone())).or_insert(next);
        if at == next {
            parts.push(Part { group, name, fields: Vec::new() });
        }
        parts.get_mut(at).into_iter().for_each(|part| part.fields.push((field.clone(), value.clone())));
    };
    let rows = fields(&file, document);
    for (i, ((tag, _, payload), rows)) in heads(&file).zip(rows).enumerate() {
        let tag = text::shown(&tag).into_owned();
        put(("", "chunks".to_owned(), format!("[{i}].tag")), json!(tag));
        if matches!(document.chunks.get(i).map(|chunk| &chunk.content), Some(Content::Raw(_))) {
            put(("chunks", format!("{tag} {i}"), "bytes".to_owned()), json!(text::hex(payload)));
            continue;
        }
        for row in rows {
            let Some([Value::String(path), _, value]) = row.as_array().map(Vec::as_slice) else { continue };
            let is_time = matches!(path.rsplit_once('.'), Some((record, "start" | "end")) if record.starts_with("SEQS["));
            put(names.place(path), if is_time { signed(value) } else { value.clone() });
        }
    }
    if !document.tail.bytes.is_empty() {
        put(("", "tail".to_owned(), "bytes".to_owned()), json!(text::hex(&document.tail.bytes)));
    }
    parts
}

/// A time that Warcraft III writes without a sign, as it is meant: 4294967129 is −167.
fn signed(value: &Value) -> Value {
    let word = value.as_u64().and_then(|word| u32::try_from(word).ok());
    word.map_or_else(|| value.clone(), |word| json!(word.cast_signed()))
}

/// The names of records, by the first steps of their paths.
struct Names(BTreeMap<String, (&'static str, String)>);

impl Names {
    fn new(document: &Document) -> Self {
        let mut names = Names(BTreeMap::new());
        let mut taken = BTreeMap::new();
        let mut add = |record: String, group: &'static str, name: String| {
            // Of several of one name each but the first says which one it is.
            let count = taken.entry((group, name.clone())).or_insert(0_usize);
            *count = count.saturating_add(1);
            let name = if *count == 1 { name } else { format!("{name} ({count})") };
            names.0.insert(record, (group, name));
        };
        for (i, row) in document.sequences().into_iter().enumerate() {
            add(format!("SEQS[{i}]"), "sequences", document.sequence_name(row).into_owned());
        }
        let textures: Vec<String> = document.textures().iter().map(|texture| texture_name(texture)).collect();
        for (i, path) in textures.iter().enumerate() {
            add(format!("TEXS[{i}]"), "textures", path.clone());
        }
        let (mut materials, mut cameras) = (0, 0);
        for chunk in &document.chunks {
            match &chunk.content {
                Content::Materials(records) => {
                    for (i, material) in records.typed() {
                        add(
                            format!("MTLS[{}]", materials + i),
                            "materials",
                            material_name(material, &textures),
                        );
                    }
                    materials += records.items.len();
                }
                Content::Cameras(records) => {
                    for (i, camera) in records.typed() {
                        let name = text::shown(&camera.fixed.name.0).into_owned();
                        add(format!("CAMS[{}]", cameras + i), "cameras", name);
                    }
                    cameras += records.items.len();
                }
                _ => {}
            }
        }
        let mut pivots = Vec::new();
        for placed in document.nodes() {
            let fixed = &placed.node.fixed;
            let record = placed.path.to_string();
            add(record.clone(), "nodes", text::shown(&fixed.name.0).into_owned());
            pivots.push((format!("PIVT[{}]", fixed.object_id.get()), record));
        }
        for (pivot, record) in pivots {
            if let Some(node) = names.0.get(&record).cloned() {
                names.0.entry(pivot).or_insert(node);
            }
        }
        names
    }

    /// The part that a path leads into, and what of it.
    fn place(&self, path: &str) -> (&'static str, String, String) {
        let (record, field) = path.split_once('.').unwrap_or((path, ""));
        let Some((group, name)) = self.0.get(record) else {
            return ("", record.to_owned(), field.to_owned());
        };
        let field = if record.starts_with("PIVT[") {
            format!("pivot.{field}")
        } else {
            field.strip_prefix("node.").unwrap_or(field).to_owned()
        };
        (*group, name.clone(), field)
    }
}

/// A texture by its file, or by what the game puts there.
fn texture_name(texture: &galvani_mdx::wire::Texture) -> String {
    let path = text::shown(&texture.path.0);
    if path.is_empty() { format!("replaceable {}", texture.replaceable_id.get()) } else { path.into_owned() }
}

/// A material by the textures of its layers.
fn material_name(material: &galvani_mdx::model::Material, textures: &[String]) -> String {
    let layers = material.layers.iter().filter_map(galvani_mdx::Held::typed);
    let texture = |layer: &galvani_mdx::model::Layer| {
        let listed = layer.textures.as_ref().and_then(|textures| textures.list.first());
        let id =
            listed.map_or(i64::from(layer.fixed.texture_id.get()), |one| one.fixed.texture_id.get().into());
        let name = usize::try_from(id).ok().and_then(|id| textures.get(id));
        name.map_or_else(|| format!("texture {id}"), Clone::clone)
    };
    layers.map(texture).collect::<Vec<_>>().join(", ")
}
