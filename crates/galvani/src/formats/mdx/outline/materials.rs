//! Materials, layer by layer, and their textures.

use galvani_core::text;
use galvani_mdx::model::{Layer, Material};
use galvani_mdx::wire::Texture;
use galvani_mdx::{Content, Document, Family, Held, flags};

use crate::formats::{Cell, Column, Flags, Section};

/// A row for each layer of each material.
pub(super) fn layers(document: &Document) -> Section {
    let materials = document.chunks.iter().filter_map(|chunk| match &chunk.content {
        Content::Materials(records) => Some(&records.items),
        _ => None,
    });
    let textures = document.textures();
    let mut rows = Vec::new();
    for (i, material) in materials.flatten().enumerate() {
        let Held::Typed(material) = material else {
            rows.push(bare(i, None, DAMAGED));
            continue;
        };
        for (j, layer) in material.layers.iter().enumerate() {
            rows.push(match layer {
                Held::Typed(layer) => row(document, &textures, (i, material), (j, layer)),
                Held::Raw(_) => bare(i, Some(j), DAMAGED),
            });
        }
        if material.layers.is_empty() {
            rows.push(bare(i, None, "no layers"));
        }
    }
    Section::new("layers", "Materials, layer by layer", &COLUMNS, rows)
}

const COLUMNS: [Column; 14] = [
    Column::machines("material"),
    Column::machines("layer"),
    Column::people("layer"),
    Column::machines("textures"),
    Column::people("texture"),
    Column::machines("filter_mode"),
    Column::new("filter", "drawn as"),
    Column::machines("alpha"),
    Column::people("alpha"),
    Column::new("texture_animation", "anim").optional(),
    Column::new("flags", "flags").quiet(),
    Column::machines("priority_plane"),
    Column::people("material").quiet(),
    Column::machines("material_flags").optional(),
];

fn row(
    document: &Document,
    textures: &[&Texture],
    (i, material): (usize, &Material),
    (j, layer): (usize, &Layer),
) -> Vec<Cell> {
    let fixed = &layer.fixed;
    let ids: Vec<i64> = match &layer.textures {
        Some(list) => list.list.iter().map(|texture| texture.fixed.texture_id.get().into()).collect(),
        None => vec![fixed.texture_id.get().into()],
    };
    let names = ids.iter().map(|&id| texture_name(document.family(), textures, id)).collect();
    let changes = layer.tracks.iter().any(|track| &track.tag == b"KMTF");
    let changes = if changes { "changes in time".into() } else { Cell::Nothing };
    let mode = fixed.filter_mode.get();
    let alpha = fixed.alpha.get();
    let animation = u32::try_from(fixed.texture_animation_id.get()).ok();
    vec![
        i.into(),
        j.into(),
        format!("{i}.{j}").into(),
        ids.into(),
        Cell::List(vec![Cell::List(names), changes]),
        mode.into(),
        filter(mode).map_or_else(|| Cell::text(format!("mode {mode}")), Cell::word),
        alpha.into(),
        if alpha.to_bits() == 1.0_f32.to_bits() { Cell::Nothing } else { alpha.into() },
        animation.into(),
        Cell::Flags(Flags::new(fixed.flags.get(), &flags::layer(document.family()))),
        material.priority_plane.into(),
        of_material(material),
        material.flags.into(),
    ]
}

/// What holds for all layers: bits, the place in the drawing order, the shader.
fn of_material(material: &Material) -> Cell {
    let bits = Cell::Flags(Flags::new(material.flags.unwrap_or(0), flags::MATERIAL));
    let plane = (material.priority_plane != 0).then(|| format!("plane {}", material.priority_plane));
    let shader = material.shader.as_ref().map(|shader| text::shown(&shader.shader.0).into_owned());
    Cell::List(vec![bits, plane.into(), shader.into()])
}

const DAMAGED: &str = "does not read, kept as it is";

/// A row without values.
fn bare(material: usize, layer: Option<usize>, why: &'static str) -> Vec<Cell> {
    let shown = layer.map_or(material.to_string(), |layer| format!("{material}.{layer}"));
    let mut row = vec![material.into(), layer.into(), shown.into(), Cell::Nothing, why.into()];
    row.resize(COLUMNS.len(), Cell::Nothing);
    row
}

pub(in crate::formats::mdx) fn filter(mode: u32) -> Option<&'static str> {
    let words = ["opaque", "alpha key", "blend", "add", "add alpha", "modulate", "modulate 2x"];
    words.get(usize::try_from(mode).ok()?).copied()
}

/// What people call a texture: its path, or what the game puts in its place.
pub(in crate::formats::mdx) fn texture_name(family: Family, textures: &[&Texture], id: i64) -> Cell {
    let texture = usize::try_from(id).ok().and_then(|id| textures.get(id));
    match texture {
        Some(texture) => match replaced_by(family, texture) {
            None => Cell::room(&texture.path.0).into_iter().next().unwrap_or_default(),
            Some(word) => Cell::text(word),
        },
        None if id < 0 => Cell::Nothing,
        None => Cell::text(format!("#{id}, which is missing")),
    }
}

/// What the game puts in the place of a texture, if it does.
pub(in crate::formats::mdx) fn replaced_by(family: Family, texture: &Texture) -> Option<String> {
    let id = texture.replaceable_id.get();
    let word = match (family, id) {
        (_, 0) => return None,
        (Family::Warcraft, 1) => "team colour",
        (Family::Warcraft, 2) => "team glow",
        (Family::Warcraft, 11) => "cliff",
        (Family::Warcraft, 31..=37) => "tree",
        (Family::Wow, 1) => "skin",
        (Family::Wow, 2) => "object skin",
        (Family::Wow, 3) => "weapon blade",
        (Family::Wow, 4) => "weapon handle",
        (Family::Wow, 5) => "environment",
        (Family::Wow, 6) => "hair",
        (Family::Wow, 7) => "facial hair",
        (Family::Wow, 8) => "skin extra",
        (Family::Wow, 9) => "interface skin",
        (Family::Wow, 10) => "mane",
        (Family::Wow, 11..=13) => "monster skin",
        (Family::Wow, 14) => "item icon",
        _ => "replaceable",
    };
    Some(format!("{word} ({id})"))
}

/// The textures that materials choose from.
pub(super) fn textures(document: &Document) -> Section {
    let textures = document.textures();
    let row = |(i, texture): (usize, &&Texture)| {
        let [path, hex] = Cell::room(&texture.path.0);
        vec![
            i.into(),
            path,
            hex,
            texture.replaceable_id.get().into(),
            replaced_by(document.family(), texture).into(),
            Cell::Flags(Flags::new(texture.flags.get(), flags::TEXTURE)),
        ]
    };
    let columns = [
        Column::new("index", "#"),
        Column::new("path", "path").quiet(),
        Column::machines("path_hex").optional(),
        Column::machines("replaceable_id"),
        Column::people("replaced by").quiet(),
        Column::new("flags", "flags").quiet(),
    ];
    Section::new("textures", "Textures", &columns, textures.iter().enumerate().map(row).collect())
}
