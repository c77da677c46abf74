//! Materials, images, lights, cameras, variants and looks.

use std::collections::BTreeSet;
use std::f32::consts::PI;

use galvani_core::Path;

use super::{COUNT, EMPTY, Found, RANGE, TWICE};
use crate::{AlphaMode, Camera, Light, LightForm, MOST_UV_SETS, Material, Scene, SceneImage};

pub(super) fn check(scene: &Scene, found: &mut Found) {
    for (i, material) in scene.materials.iter().enumerate() {
        of_material(scene, material, Path::named("materials").index(i), found);
    }
    for (i, image) in scene.images.iter().enumerate() {
        of_image(image, Path::named("images").index(i), found);
    }
    for (i, light) in scene.lights.iter().enumerate() {
        of_light(light, Path::named("lights").index(i), found);
    }
    for (i, camera) in scene.cameras.iter().enumerate() {
        of_camera(camera, Path::named("cameras").index(i), found);
    }
    for (i, look) in scene.looks.iter().enumerate() {
        let path = Path::named("looks").index(i);
        for (of, with) in &look.swaps {
            found.named(*of, &scene.materials, || path);
            found.named(*with, &scene.materials, || path);
        }
    }
    variants(scene, found);
}

fn of_material(scene: &Scene, material: &Material, path: Path, found: &mut Found) {
    found.within([material.base_color.to_array()], || path.field("base_color"));
    found.within([material.emissive.to_array()], || path.field("emissive"));
    if let AlphaMode::Mask(cutoff) = material.alpha_mode {
        found.within([[cutoff]], || path.field("alpha_mode"));
    }
    let textures = [&material.texture, &material.normal, &material.orm, &material.glow];
    for texture in textures.into_iter().flatten() {
        found.named(texture.image, &scene.images, || path.field("image"));
        if texture.uv_set >= MOST_UV_SETS {
            let said = format!("{MOST_UV_SETS} sets at most, set {} found", texture.uv_set);
            found.report.push(RANGE.at(path.field("uv_set")).saying(said));
        }
        let transform = &texture.transform;
        let (x, y) = (transform.offset, transform.scale);
        found.finite([[x.x, x.y, transform.rotation, y.x, y.y]], || path.field("transform"));
    }
}

fn of_image(image: &SceneImage, path: Path, found: &mut Found) {
    let pixels = &image.pixels;
    let wanted = u64::from(pixels.width) * u64::from(pixels.height);
    if wanted == 0 {
        found.report.push(EMPTY.at(path).saying(format!("{} × {} pixels", pixels.width, pixels.height)));
    }
    if u64::try_from(pixels.rgba.len()) != Ok(wanted) {
        let said = format!("{wanted} pixels wanted, {} found", pixels.rgba.len());
        found.report.push(COUNT.at(path).saying(said));
    }
}

fn of_light(light: &Light, path: Path, found: &mut Found) {
    found.within([light.color.to_array()], || path.field("color"));
    let cone = match light.form {
        LightForm::Spot { inner, outer } => (0.0..outer).contains(&inner) && outer <= PI / 2.0,
        LightForm::Point | LightForm::Directional => true,
    };
    let bright = light.intensity >= 0.0 && light.intensity.is_finite();
    let ends = light.range.is_none_or(|range| range > 0.0 && range.is_finite());
    if !(cone && bright && ends) {
        let said = format!("{:?}, intensity {}, range {:?}", light.form, light.intensity, light.range);
        found.report.push(RANGE.at(path).saying(said));
    }
}

fn of_camera(camera: &Camera, path: Path, found: &mut Found) {
    let Camera { fov_y, near, far, .. } = camera;
    let sees = (f32::MIN_POSITIVE..PI).contains(fov_y);
    let ends = far.is_none_or(|far| far > *near && far.is_finite());
    if !(sees && *near > 0.0 && near.is_finite() && ends) {
        let said = format!("angle {fov_y}, from {near} to {far:?}");
        found.report.push(RANGE.at(path).saying(said));
    }
}

/// What stands by itself is the intact state at the finest level; each other pair is there once.
fn variants(scene: &Scene, found: &mut Found) {
    let mut known = BTreeSet::from([(0, 0)]);
    for (i, variant) in scene.variants.iter().enumerate() {
        let path = Path::named("variants").index(i);
        if !known.insert((variant.state, variant.level)) {
            let said = format!("state {}, level {}", variant.state, variant.level);
            found.report.push(TWICE.at(path).saying(said));
        }
        let mut named = BTreeSet::new();
        for (node, mesh) in &variant.shows {
            found.named(*node, &scene.nodes, || path.field("shows"));
            found.named(*mesh, &scene.meshes, || path.field("shows"));
            if !named.insert(*node) {
                found.report.push(TWICE.at(path.field("shows")).saying(format!("node {node:?}")));
            }
        }
    }
}
