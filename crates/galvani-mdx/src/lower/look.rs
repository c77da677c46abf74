//! Materials of one layer each, their pictures, and how geosets are tinted and hidden.

use galvani_core::record::Text;
use galvani_core::{Path, image};
use galvani_scene::{AlphaMode, Curve, Id, Material, SceneImage, Track, Wrap};
use glam::Vec3;
use zerocopy::little_endian::{F32, I32, U32};

use super::clip::{Motions, Span, track};
use super::geoset::Surface;
use super::{FileNames, Lower};
use crate::Held;
use crate::model::{self, GeosetAnimation, GeosetAnimationFixed, Layer, LayerTexture, LayerTextures};
use crate::track::Track as FileTrack;
use crate::wire;

/// A picture that is all white, which Warcraft III has.
const WHITE: &str = "Textures\\white.blp";

/// Bits of layers.
const UNSHADED: u32 = 0x01;
const TWO_SIDED: u32 = 0x10;

/// How far opacities may be off where they are baked.
const FINE: f32 = 1e-3;

/// Materials, textures, and the pictures of these.
pub(super) struct Looks {
    pub(super) materials: Vec<model::Material>,
    pub(super) textures: Vec<wire::Texture>,
    pub(super) pictures: Vec<(String, Id<SceneImage>)>,
}

/// The number of the material that a surface shows: behind all others stands the one of surfaces that have none.
pub(super) fn material(lower: &Lower<'_>, surface: &Surface) -> usize {
    surface.material.unwrap_or(lower.scene.materials.len())
}

/// All materials, and one for surfaces that have none, if there are some.
pub(super) fn all(lower: &mut Lower<'_>, surfaces: &[Surface], spans: &[Span<'_>]) -> Looks {
    let scene = lower.scene;
    let mut looks = Looks { materials: Vec::new(), textures: Vec::new(), pictures: Vec::new() };
    let mut names = FileNames::default();
    let files: Vec<String> = scene.images.iter().map(|image| names.take(&image.name, ".blp")).collect();
    let plain = surfaces.iter().any(|surface| surface.material.is_none()).then(Material::default);
    for (i, material) in scene.materials.iter().chain(&plain).enumerate() {
        let texture = looks.texture(lower, material, &files);
        let alpha = alpha_track(lower, i, spans);
        let layer = layer(lower, material, texture, alpha.into_iter().collect());
        looks.materials.push(model::Material {
            priority_plane: 0,
            flags: (!lower.is_wow()).then_some(0),
            shader: (lower.since(900) && !lower.since(1100))
                .then_some(wire::Shader { shader: Text([0; 80]) }),
            layers: vec![Held::Typed(layer)],
        });
    }
    looks
}

impl Looks {
    /// The number of a material's texture; of one without picture that of the games' own white.
    fn texture(&mut self, lower: &mut Lower<'_>, material: &Material, files: &[String]) -> usize {
        let picture = material.texture.as_ref();
        let file = picture.and_then(|texture| files.get(texture.image.index()));
        let wraps = picture.map_or([Wrap::Repeat; 2], |texture| texture.wrap);
        let bit = |wrap: Wrap, bit: u32| if wrap == Wrap::Clamp { 0 } else { bit };
        let [across, down] = wraps;
        let row = wire::Texture {
            replaceable_id: U32::new(0),
            path: lower.text(file.map_or(WHITE, String::as_str), Path::named("TEXS")),
            flags: U32::new(bit(across, 1) | bit(down, 2)),
        };
        if let Some((file, picture)) = file.zip(picture)
            && !self.pictures.iter().any(|(_, image)| *image == picture.image)
        {
            self.pictures.push((file.clone(), picture.image));
        }
        let known = self.textures.iter().position(|other| *other == row);
        known.unwrap_or_else(|| {
            self.textures.push(row);
            self.textures.len().saturating_sub(1)
        })
    }
}

fn layer(lower: &Lower<'_>, material: &Material, texture: usize, tracks: Vec<FileTrack>) -> Layer {
    let filter = match material.alpha_mode {
        AlphaMode::Opaque => 0,
        AlphaMode::Mask(_) => 1,
        AlphaMode::Blend => 2,
    };
    let flag = |is_set: bool, bit: u32| if is_set { bit } else { 0 };
    let number = u32::try_from(texture).unwrap_or(0);
    let uv_set = material.texture.as_ref().map_or(0, |texture| texture.uv_set);
    let alpha = if material.alpha_mode == AlphaMode::Opaque { 1.0 } else { material.base_color.w };
    Layer {
        fixed: wire::Layer {
            filter_mode: U32::new(filter),
            flags: U32::new(flag(material.unlit, UNSHADED) | flag(material.two_sided, TWO_SIDED)),
            texture_id: I32::new(i32::try_from(texture).unwrap_or(0)),
            texture_animation_id: I32::new(-1),
            coord_id: I32::new(i32::try_from(uv_set).unwrap_or(0)),
            alpha: F32::new(alpha),
        },
        emissive: lower.since(900).then_some(wire::Emissive { emissive_gain: F32::new(1.0) }),
        fresnel: lower.since(1000).then_some(wire::Fresnel {
            fresnel_color: [F32::new(1.0); 3],
            fresnel_opacity: F32::new(0.0),
            fresnel_team_color: F32::new(0.0),
        }),
        textures: lower.since(1100).then(|| LayerTextures {
            shader_type: 0,
            list: vec![LayerTexture {
                fixed: wire::LayerTexture { texture_id: U32::new(number), slot: U32::new(0) },
                track: None,
            }],
        }),
        tracks,
    }
}

/// How the opacity of a material changes.
fn alpha_track(lower: &mut Lower<'_>, material: usize, spans: &[Span<'_>]) -> Option<FileTrack> {
    let rest = lower.scene.materials.get(material)?.base_color.w;
    let alphas: Motions<f32> = lower.tracks.of_material(material, spans.len(), |track| match track {
        Track::Alpha(_, curve) => Some(curve.clone()),
        _ => None,
    });
    track(lower, *b"KMTA", (spans, &alphas), (rest, FINE))
}

/// How geosets are tinted and hidden; only those are told of that are.
pub(super) fn tints(lower: &mut Lower<'_>, surfaces: &[Surface], spans: &[Span<'_>]) -> Vec<GeosetAnimation> {
    let mut made = Vec::new();
    for (geoset, surface) in (0..).zip(surfaces) {
        let material = surface.material.and_then(|material| lower.scene.materials.get(material));
        let rest = material.map_or(Vec3::ONE, |material| material.base_color.truncate());
        let is_visible = lower.scene.nodes.get(surface.node).is_none_or(|node| node.visible);
        let tracks = tint_tracks(lower, surface, (rest, is_visible), spans);
        if rest == Vec3::ONE && is_visible && tracks.is_empty() {
            continue;
        }
        let [red, green, blue] = shown_color(rest);
        let (alpha, geoset_id) = (F32::new(if is_visible { 1.0 } else { 0.0 }), I32::new(geoset));
        let is_tinted = u32::from(rest != Vec3::ONE || tracks.iter().any(|track| track.tag == *b"KGAC"));
        let fixed = lower.either(
            GeosetAnimationFixed::Warcraft(wire::GeosetAnimationWarcraft {
                alpha,
                flags: U32::new(is_tinted.saturating_mul(2)),
                color: [red, green, blue].map(F32::new),
                geoset_id,
            }),
            GeosetAnimationFixed::Wow(wire::GeosetAnimationWow {
                geoset_id,
                alpha,
                color: [blue, green, red].map(F32::new),
                flags: U32::new(is_tinted),
            }),
        );
        made.push(GeosetAnimation { fixed, tracks });
    }
    made
}

fn tint_tracks(
    lower: &mut Lower<'_>,
    surface: &Surface,
    (rest, is_visible): (Vec3, bool),
    spans: &[Span<'_>],
) -> Vec<FileTrack> {
    let number = |is_seen: bool| if is_seen { 1.0 } else { 0.0 };
    let seen: Motions<f32> = lower.tracks.of_node(surface.node, spans.len(), |track| match track {
        Track::Visibility(_, curve) => {
            Some(Curve::step(curve.times.clone(), curve.values.iter().map(|it| number(*it)).collect()))
        }
        _ => None,
    });
    // Keyed colours have blue first in both games (docs/formats/mdx.md#scene-materials).
    let keyed = |color: Vec3| {
        let [red, green, blue] = shown_color(color);
        Vec3::new(blue, green, red)
    };
    let material = surface.material.unwrap_or(usize::MAX);
    let colors: Motions<Vec3> = lower.tracks.of_material(material, spans.len(), |track| match track {
        Track::Color(_, curve) => {
            let keyed = curve.values.iter().map(|color| keyed(*color)).collect();
            Some(Curve {
                values: keyed,
                tangents: Vec::new(),
                times: curve.times.clone(),
                interp: plain(curve),
            })
        }
        _ => None,
    });
    let opacity = track(lower, *b"KGAO", (spans, &seen), (number(is_visible), FINE));
    let color = track(lower, *b"KGAC", (spans, &colors), (keyed(rest), FINE));
    opacity.into_iter().chain(color).collect()
}

/// Colours go in steps or straight, since the games mix them as they are shown.
fn plain<V>(curve: &Curve<V>) -> galvani_scene::Interp {
    match curve.interp {
        galvani_scene::Interp::Step => galvani_scene::Interp::Step,
        _ => galvani_scene::Interp::Linear,
    }
}

/// A colour of light as pictures have it: red, green, blue.
pub(super) fn shown_color(color: Vec3) -> [f32; 3] {
    color.to_array().map(|part| image::shown(part.clamp(0.0, 1.0)))
}

/// A place in a file.
pub(super) fn vector(place: Vec3) -> wire::Vec3 {
    let [x, y, z] = place.to_array().map(F32::new);
    wire::Vec3 { x, y, z }
}

/// As much of a name as there is room for.
pub(super) fn cut_text<const N: usize>(name: &str) -> Text<N> {
    let mut room = [0; N];
    let cut = name.floor_char_boundary(N.saturating_sub(1));
    room.iter_mut().zip(name.bytes().take(cut)).for_each(|(place, byte)| *place = byte);
    Text(room)
}
