//! Materials, textures, pictures, lights, cameras and looks.

use std::collections::BTreeMap;
use std::f32::consts::FRAC_PI_2;

use galvani_core::{Path, WriteError};
use galvani_scene::{
    AlphaMode, Filter, Id, Light, LightForm, Material, Scene, Texture, Track, UvTransform, Wrap,
};
use glam::Vec3;
use serde_json::{Value, json};

use crate::export::Writer;
use crate::extras::PREFIX;
use crate::names::Names;
use crate::{Extension, LOST_LOOK, LOST_UNLIT, extras, picture, schema};

/// What the extras of surfaces call it that lamps do nothing to them, where no extension says so.
pub(crate) const UNLIT: &str = "unlit";

/// Writes everything but the pictures.
pub(crate) fn write(writer: &mut Writer<'_>) {
    let mut names = Names::default();
    for (i, of) in writer.scene.materials.iter().enumerate() {
        let name = names.give(&of.name, &format!("material_{i}"));
        let written = material(writer, (i, name), of);
        writer.root.materials.push(written);
    }
    for camera in &writer.scene.cameras {
        writer.root.cameras.push(schema::Camera {
            name: camera.name.clone(),
            form: "perspective",
            perspective: schema::Perspective { yfov: camera.fov_y, znear: camera.near, zfar: camera.far },
            extras: extras::scalars(&camera.extras),
        });
    }
    if !writer.scene.lights.is_empty() && writer.options.uses(Extension::Lights) {
        let name = writer.use_extension("KHR_lights_punctual");
        let lights: Vec<Value> = writer.scene.lights.iter().map(light).collect();
        writer.root.extensions.insert(name, json!({"lights": lights}));
    }
    looks(writer);
}

/// The pictures as files, one per image of the scene.
pub(crate) fn pictures(writer: &mut Writer<'_>) -> Result<Vec<Vec<u8>>, WriteError> {
    let mut names = Names::default();
    let mut files = Vec::new();
    for (i, image) in writer.scene.images.iter().enumerate() {
        let name = names.give(&image.name, &format!("image_{i}"));
        writer.root.images.push(schema::Image { name, mime_type: None, buffer_view: None, uri: None });
        files.push(picture::png(&image.pixels, Path::named("images").index(i))?);
    }
    Ok(files)
}

fn material(writer: &mut Writer<'_>, (index, name): (usize, String), of: &Material) -> schema::Material {
    let (mut extensions, mut extras) = (schema::Extras::new(), extras::scalars(&of.extras));
    if of.unlit && writer.options.uses(Extension::Unlit) {
        extensions.insert(writer.use_extension("KHR_materials_unlit"), json!({}));
    } else if of.unlit {
        extras.insert(format!("{PREFIX}{UNLIT}"), json!(true));
        writer.report.push(LOST_UNLIT.at(Path::named("materials").index(index)));
    }
    let moves = moves_uvs(writer, index);
    let [base_color_texture, normal_texture, orm, emissive_texture] =
        [&of.texture, &of.normal, &of.orm, &of.glow]
            .map(|it| it.as_ref().map(|it| texture(writer, it, moves)));
    let (alpha_mode, alpha_cutoff) = match of.alpha_mode {
        AlphaMode::Opaque => (None, None),
        AlphaMode::Mask(cutoff) => (Some("MASK"), Some(cutoff)),
        AlphaMode::Blend => (Some("BLEND"), None),
    };
    schema::Material {
        name,
        pbr_metallic_roughness: schema::Pbr {
            base_color_factor: of.base_color.to_array(),
            base_color_texture,
            metallic_factor: if orm.is_some() { 1.0 } else { 0.0 },
            roughness_factor: 1.0,
            metallic_roughness_texture: orm.clone(),
        },
        normal_texture,
        occlusion_texture: orm,
        emissive_texture,
        emissive_factor: (of.emissive != Vec3::ZERO).then(|| of.emissive.to_array()),
        alpha_mode,
        alpha_cutoff,
        double_sided: of.two_sided,
        extensions,
        extras,
    }
}

/// Whether the texture coordinates of a material move, and that is to be said.
fn moves_uvs(writer: &Writer<'_>, material: usize) -> bool {
    let moves = |track: &Track| {
        let uvs = matches!(track, Track::UvOffset(..) | Track::UvRotation(..) | Track::UvScale(..));
        uvs && track.material() == Some(Id::new(material))
    };
    let mut tracks = writer.scene.clips.iter().flat_map(|clip| &clip.tracks);
    writer.options.uses(Extension::Pointer) && tracks.any(moves)
}

fn texture(writer: &mut Writer<'_>, of: &Texture, moves: bool) -> schema::TextureInfo {
    let (mag_filter, min_filter) = match of.filter {
        Filter::Linear => (9729, 9987),
        Filter::Nearest => (9728, 9984),
    };
    let [wrap_s, wrap_t] = of.wrap.map(|wrap| match wrap {
        Wrap::Repeat => 10497,
        Wrap::Clamp => 33071,
        Wrap::Mirror => 33648,
    });
    let sampler = schema::TextureSampler { mag_filter, min_filter, wrap_s, wrap_t };
    let sampler = writer.samplers.place(sampler);
    let index = writer.textures.place(schema::Texture { sampler, source: of.image.index() });
    let mut extensions = schema::Extras::new();
    let moved = writer.options.uses(Extension::Pointer) && of.transform != UvTransform::default();
    if moves || moved {
        let UvTransform { offset, rotation, scale } = of.transform;
        let transform = json!({"offset": offset.to_array(), "rotation": rotation, "scale": scale.to_array()});
        extensions.insert(writer.use_extension("KHR_texture_transform"), transform);
    }
    schema::TextureInfo { index, tex_coord: of.uv_set, extensions }
}

fn light(light: &Light) -> Value {
    let mut written = json!({
        "name": light.name,
        "color": light.color.to_array(),
        "intensity": light.intensity,
        "extras": extras::scalars(&light.extras),
    });
    let mut add =
        |key: &str, value: Value| written.as_object_mut().and_then(|it| it.insert(key.to_owned(), value));
    match light.form {
        LightForm::Point => add("type", json!("point")),
        LightForm::Directional => add("type", json!("directional")),
        LightForm::Spot { inner, outer } => {
            let outer = outer.min(FRAC_PI_2);
            add("spot", json!({"innerConeAngle": inner, "outerConeAngle": outer}));
            add("type", json!("spot"))
        }
    };
    if let Some(range) = light.range.filter(|_| light.form != LightForm::Directional) {
        add("range", json!(range));
    }
    written
}

/// What stands in for each material, by the numbers of looks; of two in one look the first.
pub(crate) fn stand_ins(scene: &Scene) -> BTreeMap<Id<Material>, BTreeMap<usize, Id<Material>>> {
    let mut all: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
    for (i, look) in scene.looks.iter().enumerate() {
        for (of, with) in &look.swaps {
            all.entry(*of).or_default().entry(i).or_insert(*with);
        }
    }
    all
}

fn looks(writer: &mut Writer<'_>) {
    let looks = &writer.scene.looks;
    if looks.is_empty() {
        return;
    }
    if !writer.options.uses(Extension::Variants) {
        writer.report.push(LOST_LOOK.at(Path::named("looks")).saying(format!("{} looks", looks.len())));
        return;
    }
    let mut names = Names::default();
    let variants: Vec<Value> =
        looks.iter().map(|look| json!({"name": names.give(&look.name, "look")})).collect();
    let name = writer.use_extension("KHR_materials_variants");
    writer.root.extensions.insert(name, json!({"variants": variants}));
}
