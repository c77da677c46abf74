//! Motions that only `KHR_animation_pointer` says: of colours, texture coordinates and visibility.

use galvani_scene::{Clip, Curve, Id, Interp, Material, Track, bake};
use glam::{Vec2, Vec4};

use crate::clip::{Channels, Lacks, vectors, write_keys};
use crate::export::Writer;
use crate::{Extension, Visibility, schema};

/// The name of the extension.
pub(crate) const NAME: &str = "KHR_animation_pointer";

/// Writes a track, if options and the material allow it; whether they do.
pub(crate) fn write(writer: &mut Writer<'_>, clip: &Clip, track: &Track, made: &mut Channels) -> bool {
    if let Track::Visibility(node, curve) = track {
        let wanted = writer.options.visibility == Visibility::Extension;
        if wanted {
            let (input, output) = (writer.bytes.times(&curve.times), writer.bytes.flags(&curve.values));
            let sampler = schema::Sampler { input, output, interpolation: "STEP" };
            let target = format!("/nodes/{}/extensions/KHR_node_visibility/visible", node.index());
            point(writer, made, sampler, target);
        }
        return wanted;
    }
    let Some(material) = track.material().filter(|_| writer.options.uses(Extension::Pointer)) else {
        return false;
    };
    let pbr = format!("/materials/{}/pbrMetallicRoughness", material.index());
    let Some(of) = material.find_in(&writer.scene.materials) else { return false };
    let transform = format!("{pbr}/baseColorTexture/extensions/KHR_texture_transform");
    let has_texture = of.texture.is_some();
    match track {
        // Both are parts of one value, written with the first of them.
        Track::Color(..) | Track::Alpha(..) => {
            let mut both = clip.tracks.iter().filter(|other| is_color_of(other, material));
            if both.next().is_some_and(|first| std::ptr::eq(first, track)) {
                let sampler = colors(writer, clip, material, of);
                point(writer, made, sampler, format!("{pbr}/baseColorFactor"));
            }
        }
        Track::UvOffset(_, curve) if has_texture => {
            let sampler = vectors(writer, curve, Lacks::default(), Vec2::to_array);
            point(writer, made, sampler, format!("{transform}/offset"));
        }
        Track::UvScale(_, curve) if has_texture => {
            let sampler = vectors(writer, curve, Lacks::default(), Vec2::to_array);
            point(writer, made, sampler, format!("{transform}/scale"));
        }
        Track::UvRotation(_, curve) if has_texture => {
            let sampler = vectors(writer, curve, Lacks::default(), |turn| [*turn]);
            point(writer, made, sampler, format!("{transform}/rotation"));
        }
        _ => return false,
    }
    true
}

fn point(writer: &mut Writer<'_>, made: &mut Channels, sampler: schema::Sampler, pointer: String) {
    writer.use_extension(NAME);
    made.add(sampler, schema::Target { node: None, path: "pointer", pointer: Some(pointer) });
}

fn is_color_of(track: &Track, material: Id<Material>) -> bool {
    matches!(track, Track::Color(..) | Track::Alpha(..)) && track.material() == Some(material)
}

/// How far a baked colour may be from the source's: a quarter of what eight bits tell apart.
const COLOR_TOLERANCE: f32 = 1e-3;

/// Writes colour and alpha of a material as one value, on the keys of both and wherever curves between them ask for more.
fn colors(writer: &mut Writer<'_>, clip: &Clip, material: Id<Material>, of: &Material) -> schema::Sampler {
    let tracks = || clip.tracks.iter().filter(|track| is_color_of(track, material));
    let mut times: Vec<f32> = tracks().flat_map(Track::times).copied().collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    let value = |time: f32| {
        let mut color = of.base_color;
        for track in tracks() {
            match track {
                Track::Color(_, curve) => color = curve.at(time).unwrap_or(color.truncate()).extend(color.w),
                Track::Alpha(_, curve) => color.w = curve.at(time).unwrap_or(color.w),
                _ => {}
            }
        }
        color.clamp(Vec4::ZERO, Vec4::ONE)
    };
    let (curve, interpolation) = if tracks().all(|track| track.interp() == Interp::Step) {
        let values = times.iter().copied().map(value).collect();
        (Curve::step(times, values), "STEP")
    } else {
        (bake(&times, COLOR_TOLERANCE, value).curve, "LINEAR")
    };
    let rows = curve.values.iter().map(Vec4::to_array);
    write_keys(writer, &curve.times, rows, interpolation, Lacks::default())
}
