//! Materials, textures and pictures.

use std::borrow::Cow;

use galvani_core::{Diagnostic, Exhausted, Path};
use galvani_scene::{
    AlphaMode, Camera, Filter, Id, Image, Light, LightForm, MOST_UV_SETS, Material, SceneImage, Texture,
    UvTransform, Wrap,
};
use glam::{Vec2, Vec3, Vec4};

use super::{From, LOST_CAMERA, LOST_PICTURE, LOST_SHADING, LOST_SURFACE, Outcome, kept};
use crate::document::check::INDEX;
use crate::document::view::{self, CameraForm, MagFilter, MinFilter, TextureInfo, View, WrapMode};
use crate::document::{Address, Data, JsonValue, address};
use crate::look::UNLIT;

/// A picture of a document, before anybody has decoded it.
#[derive(Debug, Clone)]
pub struct Picture<'d> {
    /// What it is called.
    pub name: Cow<'d, str>,
    /// What kind of file it says that it is, such as `image/png`.
    pub mime_type: Option<Cow<'d, str>>,
    /// Where its file is.
    pub file: PictureFile<'d>,
}

/// Where the file of a picture is.
#[derive(Debug, Clone)]
pub enum PictureFile<'d> {
    /// In the document.
    Inside(Cow<'d, [u8]>),
    /// Beside it, under that name.
    Beside(String),
    /// It cannot be had.
    Nowhere(Box<Diagnostic>),
}

/// The pictures of a document, in its order, which is that of the images of the scene.
pub fn pictures<'d>(data: &'d Data<'_>) -> Result<Vec<Picture<'d>>, Exhausted> {
    let view = data.view();
    let mut pictures = Vec::new();
    for (i, image) in view.images.iter().enumerate() {
        let value = view.images.value(i);
        let nowhere = |said: &str| data.wrong(&INDEX, view.images.path(i), value, said.to_owned());
        let mut mime_type = image.mime_type.clone().map(Cow::into_owned);
        let file = match (&image.uri, image.buffer_view) {
            (Some(uri), _) => match address(uri) {
                Address::Inline(inline) => {
                    mime_type = mime_type.or_else(|| Some(inline.mime_type.to_owned()));
                    inline.bytes()?.map_or_else(
                        || PictureFile::Nowhere(nowhere("its text is no picture")),
                        |bytes| PictureFile::Inside(Cow::Owned(bytes)),
                    )
                }
                Address::File(name) => PictureFile::Beside(name.into_owned()),
                Address::Elsewhere => PictureFile::Nowhere(nowhere("it is elsewhere")),
            },
            (None, Some(view)) => match data.buffer_view(view) {
                Ok(bytes) => PictureFile::Inside(Cow::Borrowed(bytes)),
                Err(wrong) => PictureFile::Nowhere(wrong),
            },
            (None, None) => PictureFile::Nowhere(nowhere("nobody says where it is")),
        };
        let name = Cow::Owned(image.name.clone().into_owned());
        galvani_core::room::push(
            &mut pictures,
            Picture { name, mime_type: mime_type.map(Cow::Owned), file },
        )?;
    }
    Ok(pictures)
}

/// Takes pictures, materials, cameras and lamps, each under its number in the file.
pub(super) fn import(from: &mut From<'_, '_>) -> Outcome<()> {
    images(from)?;
    for (i, material) in from.view.materials.iter().enumerate() {
        let (path, value) = (from.view.materials.path(i), from.view.materials.value(i));
        let made = of_material(from, &material, path, value);
        from.scene.materials.push(made);
    }
    for (i, camera) in from.view.cameras.iter().enumerate() {
        let (path, value) = (from.view.cameras.path(i), from.view.cameras.value(i));
        let sight = camera.perspective.clone();
        let sight = sight.filter(|_| camera.form != Some(CameraForm::Orthographic));
        if sight.is_none() {
            from.note(&LOST_CAMERA, path, value, camera.name.clone());
        }
        let sight = sight.unwrap_or_default();
        from.scene.cameras.push(Camera {
            name: camera.name.clone().into_owned(),
            fov_y: sight.yfov,
            near: sight.znear,
            far: sight.zfar,
            extras: kept::facts(camera.extras, &[]),
        });
    }
    for light in from.view.extensions.lights.lights.iter() {
        from.scene.lights.push(of_light(&light));
    }
    Ok(())
}

/// Whether a node may look through the camera of that number.
pub(super) fn is_camera(view: &View<'_>, camera: usize) -> bool {
    let camera = view.cameras.get(camera);
    camera.is_some_and(|it| it.perspective.is_some() && it.form != Some(CameraForm::Orthographic))
}

fn images(from: &mut From<'_, '_>) -> Outcome<()> {
    for (i, image) in from.view.images.iter().enumerate() {
        let (path, value) = (from.view.images.path(i), from.view.images.value(i));
        let known = from.options.pictures.get(i).and_then(Option::as_ref);
        let known = known.filter(|pixels| !pixels.rgba.is_empty());
        let pixels = if let Some(Image { width, height, rgba }) = known {
            from.meter.memory(size_of_val(rgba.as_slice()))?;
            Image { width: *width, height: *height, rgba: galvani_core::room::copied(rgba)? }
        } else {
            from.note(&LOST_PICTURE, path, value, image.name.clone());
            Image { width: 1, height: 1, rgba: vec![[255; 4]] }
        };
        from.scene.images.push(SceneImage { name: image.name.clone().into_owned(), pixels });
    }
    Ok(())
}

fn of_material(
    from: &mut From<'_, '_>,
    material: &view::Material<'_>,
    path: Path,
    value: Option<JsonValue<'_>>,
) -> Material {
    let pbr = &material.pbr;
    let texture = |info: &Option<TextureInfo<'_>>| info.as_ref().and_then(|info| of_texture(from, info));
    let base = texture(&pbr.base_color);
    let normal = texture(&material.normal);
    let orm = texture(&pbr.metallic_roughness);
    let occlusion = texture(&material.occlusion);
    let glow = texture(&material.emissive);
    let metal = if orm.is_some() { 1.0 } else { 0.0 };
    if !(is_near(pbr.roughness_factor, 1.0) && is_near(pbr.metallic_factor, metal)) {
        let said = format!("metal {}, roughness {}", pbr.metallic_factor, pbr.roughness_factor);
        from.note(&LOST_SURFACE, path, value, said);
    }
    let strength = material.extensions.strength.as_ref().map_or(1.0, |it| it.strength);
    let emissive = Vec3::from_array(material.emissive_factor) * strength;
    let unsaid = [
        (occlusion.is_some() && occlusion != orm, "shadows of their own".to_owned()),
        unlike_one("directions", material.normal.as_ref().map(|info| info.scale)),
        unlike_one("shadows", material.occlusion.as_ref().map(|info| info.strength)),
        (emissive.cmpgt(Vec3::ONE).any(), format!("a glow of {}", emissive.max_element())),
    ];
    let unsaid: Vec<String> = unsaid.into_iter().filter(|(is_so, _)| *is_so).map(|(_, said)| said).collect();
    if !unsaid.is_empty() {
        from.note(&LOST_SHADING, path, value, unsaid.join(", "));
    }
    let says_unlit = kept::scalar(material.extras, UNLIT).and_then(JsonValue::truth) == Some(true);
    let alpha_mode = match material.alpha_mode {
        view::AlphaMode::Opaque => AlphaMode::Opaque,
        view::AlphaMode::Mask => AlphaMode::Mask(material.alpha_cutoff),
        view::AlphaMode::Blend => AlphaMode::Blend,
    };
    Material {
        name: material.name.clone().into_owned(),
        base_color: Vec4::from_array(pbr.base_color_factor),
        texture: base,
        normal,
        orm,
        glow,
        emissive: emissive.min(Vec3::ONE),
        alpha_mode,
        two_sided: material.double_sided,
        unlit: material.extensions.unlit.is_some() || says_unlit,
        extras: kept::facts(material.extras, &[UNLIT]),
    }
}

/// Whether something counts otherwise than once, and how it is said.
fn unlike_one(what: &str, strength: Option<f32>) -> (bool, String) {
    let strength = strength.unwrap_or(1.0);
    (!is_near(strength, 1.0), format!("{what} {strength} times"))
}

fn is_near(number: f32, wanted: f32) -> bool {
    (number - wanted).abs() <= f32::EPSILON
}

/// A texture, if what it names is there.
fn of_texture(from: &From<'_, '_>, info: &TextureInfo<'_>) -> Option<Texture> {
    let texture = from.view.textures.get(info.index?)?;
    let webp = texture.extensions.webp.as_ref().and_then(|webp| webp.source);
    let image = webp.or(texture.source).filter(|image| *image < from.view.images.len())?;
    let sampler = texture.sampler.and_then(|sampler| from.view.samplers.get(sampler)).unwrap_or_default();
    let transform = info.extensions.transform.as_ref();
    let is_square = sampler.mag_filter.map_or(
        matches!(
            sampler.min_filter,
            Some(MinFilter::Nearest | MinFilter::NearestMipmapNearest | MinFilter::NearestMipmapLinear)
        ),
        |filter| filter == MagFilter::Nearest,
    );
    Some(Texture {
        image: Id::new(image),
        uv_set: transform
            .and_then(|it| it.tex_coord)
            .unwrap_or(info.tex_coord)
            .min(MOST_UV_SETS.saturating_sub(1)),
        wrap: [sampler.wrap_s, sampler.wrap_t].map(|wrap| match wrap {
            WrapMode::Repeat => Wrap::Repeat,
            WrapMode::Clamp => Wrap::Clamp,
            WrapMode::Mirror => Wrap::Mirror,
        }),
        filter: if is_square { Filter::Nearest } else { Filter::Linear },
        transform: transform.map_or(UvTransform::default(), |it| UvTransform {
            offset: Vec2::from_array(it.offset),
            rotation: it.rotation,
            scale: Vec2::from_array(it.scale),
        }),
    })
}

fn of_light(light: &view::Light<'_>) -> Light {
    let form = match light.form {
        Some(view::LightForm::Directional) => LightForm::Directional,
        Some(view::LightForm::Spot) => {
            let spot = light.spot.clone().unwrap_or_default();
            LightForm::Spot { inner: spot.inner, outer: spot.outer }
        }
        Some(view::LightForm::Point) | None => LightForm::Point,
    };
    Light {
        name: light.name.clone().into_owned(),
        form,
        color: Vec3::from_array(light.color),
        intensity: light.intensity,
        range: light.range,
        extras: kept::facts(light.extras, &[]),
    }
}
