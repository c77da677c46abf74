//! Numbers that glTF forbids, replaced by the nearest that it allows.

use galvani_core::maths::single;
use galvani_scene::check::is_unit;
use galvani_scene::{
    AlphaMode, Camera, Curve, Influences, Light, LightForm, MOST_UV_SETS, Node, Primitive, Pull, Scene, Track,
};
use glam::{Quat, Vec2, Vec3, Vec4};

/// Replaces whatever [`galvani_scene::check()`] warns of.
pub(crate) fn make(scene: &mut Scene) {
    scene.nodes.iter_mut().for_each(node);
    scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives).for_each(primitive);
    scene.lights.iter_mut().for_each(light);
    scene.cameras.iter_mut().for_each(camera);
    for joint in scene.skins.iter_mut().flat_map(|skin| &mut skin.joints) {
        let matrix = joint.inverse_bind.to_cols_array().map(finite);
        joint.inverse_bind = glam::Affine3A::from_cols_array(&matrix);
    }
    for material in &mut scene.materials {
        material.base_color = Vec4::from_array(material.base_color.to_array().map(part));
        material.emissive = Vec3::from_array(material.emissive.to_array().map(part));
        if let AlphaMode::Mask(cutoff) = &mut material.alpha_mode {
            *cutoff = part(*cutoff);
        }
        let textures = [&mut material.texture, &mut material.normal, &mut material.orm, &mut material.glow];
        for texture in textures.into_iter().flatten() {
            texture.uv_set = if texture.uv_set < MOST_UV_SETS { texture.uv_set } else { 0 };
            let transform = &mut texture.transform;
            transform.offset = vec2(transform.offset);
            transform.rotation = finite(transform.rotation);
            transform.scale = vec2(transform.scale);
        }
    }
    scene.clips.iter_mut().flat_map(|clip| &mut clip.tracks).for_each(track);
}

fn node(node: &mut Node) {
    node.translation = vec3(node.translation);
    node.rotation = rotation(node.rotation);
    node.scale = vec3(node.scale);
}

fn primitive(primitive: &mut Primitive) {
    for position in &mut primitive.positions {
        *position = vec3(*position);
    }
    for normal in &mut primitive.normals {
        *normal = direction(*normal, Vec3::Y);
    }
    for tangent in &mut primitive.tangents {
        let side = if tangent.w < 0.0 { -1.0 } else { 1.0 };
        *tangent = direction(tangent.truncate(), Vec3::X).extend(side);
    }
    for uv in primitive.uvs.iter_mut().flatten() {
        *uv = vec2(*uv);
    }
    for color in &mut primitive.colors {
        *color = Vec4::from_array(color.to_array().map(part));
    }
}

/// Puts what pulls most at each vertex first.
pub(crate) fn order_influences(scene: &mut Scene) {
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        if !primitive.influences.is_empty() {
            let most = most_pulls(&primitive.influences);
            let kept = primitive.influences.iter().map(|list| pulls(list, most));
            primitive.influences = kept.collect::<Influences>();
        }
    }
}

/// Places for pulls that a surface may have in any case, and for each pull that it names.
const PLACES: usize = 1 << 22;
const PLACES_A_PULL: usize = 64;

/// The most pulls that are kept of a vertex, 64 at least. Each four more are a list more for all vertices: one vertex that
/// everything pulls at would make a file out of all proportion.
pub(crate) fn most_pulls(influences: &Influences) -> usize {
    let places = influences.pulls().len().max(influences.len()).saturating_mul(PLACES_A_PULL).max(PLACES);
    places.checked_div(influences.len()).unwrap_or(PLACES)
}

/// The pulls of a vertex: each joint once, largest first, together 1. What nothing pulls at is held by the first joint.
fn pulls(pulls: &[Pull], most: usize) -> Vec<Pull> {
    let mut kept: Vec<Pull> = pulls.to_vec();
    kept.retain(|pull| pull.weight > 0.0 && pull.weight.is_finite());
    kept.sort_by_key(|pull| pull.joint);
    kept.dedup_by(|later, kept| {
        let is_same = later.joint == kept.joint;
        kept.weight += if is_same { later.weight } else { 0.0 };
        is_same
    });
    kept.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
    kept.truncate(most);
    let sum: f64 = kept.iter().map(|pull| f64::from(pull.weight)).sum();
    for pull in &mut kept {
        pull.weight = single(f64::from(pull.weight) / sum);
    }
    kept.retain(|pull| pull.weight > 0.0);
    // What rounding has left over goes to the largest.
    let others: f64 = kept.iter().skip(1).map(|pull| f64::from(pull.weight)).sum();
    match kept.first_mut() {
        Some(first) => first.weight = single(1.0 - others),
        None => kept.push(Pull { joint: 0, weight: 1.0 }),
    }
    kept
}

fn light(light: &mut Light) {
    light.color = Vec3::from_array(light.color.to_array().map(part));
    light.intensity = finite(light.intensity).max(0.0);
    light.range = light.range.filter(|range| *range > 0.0 && range.is_finite());
    if let LightForm::Spot { inner, outer } = &mut light.form {
        *outer = finite(*outer).clamp(f32::EPSILON, std::f32::consts::FRAC_PI_2);
        *inner = finite(*inner).clamp(0.0, *outer * (1.0 - f32::EPSILON));
    }
}

fn camera(camera: &mut Camera) {
    // Half a turn cannot be seen in perspective.
    camera.fov_y = finite(camera.fov_y).clamp(f32::EPSILON, std::f32::consts::PI * 0.999);
    camera.near = finite(camera.near).max(f32::EPSILON);
    camera.far = camera.far.filter(|far| *far > camera.near && far.is_finite());
}

fn track(track: &mut Track) {
    match track {
        Track::Translation(_, curve) | Track::Scale(_, curve) => values(curve, vec3),
        Track::Rotation(_, curve) => values(curve, rotation),
        Track::Color(_, curve) => values(curve, |color| Vec3::from_array(color.to_array().map(finite))),
        Track::Alpha(_, curve) | Track::UvRotation(_, curve) => values(curve, finite),
        Track::UvOffset(_, curve) | Track::UvScale(_, curve) => values(curve, vec2),
        Track::Visibility(..) | Track::Texture(..) => {}
    }
}

fn values<V: Copy>(curve: &mut Curve<V>, legal: impl Fn(V) -> V) {
    for value in curve.values.iter_mut().chain(curve.tangents.as_flattened_mut()) {
        *value = legal(*value);
    }
}

fn rotation(rotation: Quat) -> Quat {
    if is_unit(rotation.to_array()) {
        return rotation;
    }
    let made = rotation.normalize();
    if made.is_finite() { made } else { Quat::IDENTITY }
}

fn direction(direction: Vec3, instead: Vec3) -> Vec3 {
    if is_unit(direction.to_array()) { direction } else { vec3(direction).normalize_or(instead) }
}

fn vec2(value: Vec2) -> Vec2 {
    Vec2::from_array(value.to_array().map(finite))
}

fn vec3(value: Vec3) -> Vec3 {
    Vec3::from_array(value.to_array().map(finite))
}

fn finite(number: f32) -> f32 {
    if number.is_nan() { 0.0 } else { number.clamp(f32::MIN, f32::MAX) }
}

/// From 0 to 1.
fn part(number: f32) -> f32 {
    finite(number).clamp(0.0, 1.0)
}
