//! The pictures beside those of a rasteriser that knows no tricks: every sample against every triangle, in double precision.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::suboptimal_flops,
    reason = "as plain as can be"
)]

mod common;

use common::{Sight, balls, bent, boxes, panes};
use galvani_render::{Background, Direction, Eye, Lens, Meter, Shot, Stage, Wear};
use galvani_scene::{
    AlphaMode, Fact, Filter, Material, Matrices, Moment, Primitive, Sampler, Scene, Wrap, skin_palette,
    skinned_normals, skinned_positions, to_model,
};
use glam::{DVec2, DVec3, DVec4, Vec3};

/// A triangle as the eye has it.
struct Triangle<'s> {
    at: [DVec3; 3],
    normals: [DVec3; 3],
    uvs: [DVec2; 3],
    colors: [DVec4; 3],
    material: &'s Material,
    /// Where it stands in the order of what is blended.
    far: f64,
}

/// Everything that is seen, in the model's space by the scene's own arithmetic.
fn triangles<'s>(scene: &'s Scene, time: f32, eye: &Eye, plain: &'s Material) -> Vec<Triangle<'s>> {
    let mut moment = Moment::at_rest(scene);
    if let Some(clip) = scene.clips.first() {
        Sampler::new(scene).sample(clip, time, &mut moment);
    }
    let mut models = Matrices::identity(scene.nodes.len());
    to_model(scene, &moment, &mut models);
    let mut all = Vec::new();
    for (i, node) in scene.nodes.iter().enumerate() {
        let Some(mesh) = node.mesh else { continue };
        let model = models.matrix(i);
        for primitive in &scene.meshes[mesh.index()].primitives {
            let (mut positions, mut normals) = (primitive.positions.clone(), primitive.normals.clone());
            if let Some(skin) = node.skin {
                let skin = &scene.skins[skin.index()];
                let mut palette = Matrices::identity(skin.joints.len());
                skin_palette(skin, &models, &mut palette);
                skinned_positions(primitive, &palette, &mut positions);
                skinned_normals(primitive, &palette, &mut normals);
            } else {
                let upright = glam::Mat3::from(model.matrix3).inverse().transpose();
                for position in &mut positions {
                    *position = model.transform_point3(*position);
                }
                for normal in &mut normals {
                    *normal = (upright * *normal).normalize();
                }
            }
            let is_mirrored = node.skin.is_none() && model.matrix3.determinant() < 0.0;
            let material = primitive.material.map_or(plain, |material| &scene.materials[material.index()]);
            let shape = (&*positions, &*normals, is_mirrored);
            add(&mut all, primitive, shape, material, eye);
        }
    }
    all
}

fn add<'s>(
    all: &mut Vec<Triangle<'s>>,
    primitive: &Primitive,
    (positions, normals, is_mirrored): (&[Vec3], &[Vec3], bool),
    material: &'s Material,
    eye: &Eye,
) {
    let view = eye.view();
    for corners in primitive.indices.chunks_exact(3) {
        let corners = [0, 1, 2].map(|i| corners[i] as usize);
        let at = corners.map(|i| view.transform_point3(positions[i].as_dvec3()));
        let flat = (at[1] - at[0]).cross(at[2] - at[0]) * if is_mirrored { -1.0 } else { 1.0 };
        let normal = |i: usize| normals.get(i).map_or(flat, |it| view.transform_vector3(it.as_dvec3()));
        let uv = |i: usize| {
            let uv = primitive.uvs.first().map_or(glam::Vec2::ZERO, |uvs| uvs[i]);
            let transform = material.texture.as_ref().map(|texture| texture.transform).unwrap_or_default();
            transform.apply(uv).as_dvec2()
        };
        let color = |i: usize| primitive.colors.get(i).map_or(DVec4::ONE, |color| color.as_dvec4());
        let near = |at: DVec3| if eye.lens() == Lens::Parallel { at.z } else { -1.0 / at.z };
        let far = at.iter().map(|at| near(*at)).sum();
        // Seen from its back: turned away, if it is seen at all.
        let away = if eye.lens() == Lens::Parallel { DVec3::Z } else { -at[0] };
        let is_back = flat.dot(away) < 0.0;
        if is_back && !material.two_sided {
            continue;
        }
        let side = if is_back { -1.0 } else { 1.0 };
        let normals = corners.map(|i| normal(i) * side);
        let (uvs, colors) = (corners.map(uv), corners.map(color));
        all.push(Triangle { at, normals, uvs, colors, material, far });
    }
}

/// Where the ray through a sample meets a triangle: how far along each side, and how far from the eye.
fn met(triangle: &Triangle<'_>, eye: &Eye, x: f64, y: f64) -> Option<(f64, f64, f64)> {
    let (origin, ray) = match eye.lens() {
        Lens::Perspective => (DVec3::ZERO, DVec3::new(x, y, -1.0)),
        Lens::Parallel => (DVec3::new(x, y, 0.0), -DVec3::Z),
    };
    let [a, b, c] = triangle.at;
    let (along, across) = (b - a, c - a);
    let side = ray.cross(across);
    let volume = along.dot(side);
    if volume == 0.0 {
        return None;
    }
    let from = origin - a;
    let p = from.dot(side) / volume;
    let other = from.cross(along);
    let q = ray.dot(other) / volume;
    let far = across.dot(other) / volume;
    let is_inside = p >= 0.0 && q >= 0.0 && p + q <= 1.0 && far > eye.near();
    is_inside.then_some((p, q, far))
}

fn light_of(channel: f64) -> f64 {
    if channel <= 0.040_45 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
}

fn shown(light: f64) -> f64 {
    let light = light.clamp(0.0, 1.0);
    if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
}

/// Width, height and pixels of a picture at one size.
type Level = (usize, usize, Vec<[f64; 4]>);

/// Half as large, again and again.
fn sizes(image: &galvani_render::Image) -> Vec<Level> {
    let pixels = image.rgba.iter().map(|pixel| pixel.map(f64::from)).collect();
    let mut all = vec![(image.width as usize, image.height as usize, pixels)];
    loop {
        let (width, height, pixels): &(usize, usize, Vec<[f64; 4]>) = all.last().unwrap();
        if *width == 1 && *height == 1 {
            return all;
        }
        let (wide, high) = ((width / 2).max(1), (height / 2).max(1));
        let at = |x: usize, y: usize| pixels[y.min(height - 1) * width + x.min(width - 1)];
        let half = (0..wide * high).map(|i| {
            let (x, y) = (i % wide * 2, i / wide * 2);
            let four = [at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)];
            let alpha: f64 = four.iter().map(|pixel| pixel[3]).sum();
            let channel =
                |c: usize| four.iter().map(|pixel| pixel[c] * pixel[3]).sum::<f64>() / alpha.max(1e-9);
            [channel(0), channel(1), channel(2), alpha / 4.0]
        });
        let half = half.collect();
        all.push((wide, high, half));
    }
}

fn wrapped(at: i64, count: i64, wrap: Wrap) -> usize {
    let place = match wrap {
        Wrap::Repeat => at.rem_euclid(count),
        Wrap::Clamp => at.clamp(0, count - 1),
        Wrap::Mirror => {
            let at = at.rem_euclid(2 * count);
            if at < count { at } else { 2 * count - 1 - at }
        }
    };
    usize::try_from(place).unwrap()
}

struct Naive<'s> {
    scene: &'s Scene,
    sizes: Vec<Vec<Level>>,
    triangles: Vec<Triangle<'s>>,
    eye: Eye,
    background: Background,
}

impl Naive<'_> {
    /// A picture at a place, of the size that fits how much of it lies between two samples.
    fn texel(&self, material: &Material, uv: DVec2, between: f64) -> [f64; 4] {
        let Some(texture) = &material.texture else { return [255.0; 4] };
        let sizes = &self.sizes[texture.image.index()];
        let level = (between.max(1e-9).log2() + 0.5).floor().clamp(0.0, (sizes.len() - 1) as f64) as usize;
        let (width, height, pixels) = &sizes[level];
        let at = |x: i64, y: i64| {
            let (x, y) = (
                wrapped(x, i64::try_from(*width).unwrap(), texture.wrap[0]),
                wrapped(y, i64::try_from(*height).unwrap(), texture.wrap[1]),
            );
            pixels[y * width + x]
        };
        let (x, y) = (uv.x * *width as f64, uv.y * *height as f64);
        if texture.filter == Filter::Nearest && level == 0 {
            return at(x.floor() as i64, y.floor() as i64);
        }
        let (x, y) = (x - 0.5, y - 0.5);
        let (left, top) = (x.floor() as i64, y.floor() as i64);
        let (p, q) = (x - x.floor(), y - y.floor());
        let four = [at(left, top), at(left + 1, top), at(left, top + 1), at(left + 1, top + 1)];
        std::array::from_fn(|c| {
            (four[0][c] * (1.0 - p) + four[1][c] * p) * (1.0 - q)
                + (four[2][c] * (1.0 - p) + four[3][c] * p) * q
        })
    }

    /// Colour, already times alpha, and alpha of a sample, from 0 to 1.
    fn sample(&self, x: f64, y: f64, step: f64) -> [f64; 4] {
        let mut hits: Vec<(&Triangle<'_>, f64, [f64; 4])> = Vec::new();
        for triangle in &self.triangles {
            let Some((p, q, far)) = met(triangle, &self.eye, x, y) else { continue };
            let mixed2 = |of: [DVec2; 3], p: f64, q: f64| of[0] + (of[1] - of[0]) * p + (of[2] - of[0]) * q;
            let uv = mixed2(triangle.uvs, p, q);
            let size = triangle.material.texture.as_ref().map_or(DVec2::ONE, |texture| {
                let (width, height, _) = self.sizes[texture.image.index()][0];
                DVec2::new(width as f64, height as f64)
            });
            // How far the picture goes within a sample, on the plane of the triangle.
            let beside = |x: f64, y: f64| {
                let far = plane(triangle, &self.eye, x, y);
                far.map_or(0.0, |(p, q)| ((mixed2(triangle.uvs, p, q) - uv) * size).length())
            };
            let between = beside(x + step * 1e-3, y).max(beside(x, y + step * 1e-3)) * 1e3;
            let texel = self.texel(triangle.material, uv, between);
            let [a, b, c] = triangle.colors;
            let tint = (a + (b - a) * p + (c - a) * q) * triangle.material.base_color.as_dvec4();
            let alpha = texel[3] / 255.0 * tint.w;
            if matches!(triangle.material.alpha_mode, AlphaMode::Mask(cutoff) if alpha < f64::from(cutoff)) {
                continue;
            }
            let [a, b, c] = triangle.normals;
            let normal = (a + (b - a) * p + (c - a) * q).normalize();
            let key = DVec3::new(-4.0, 6.0, 7.0).normalize();
            let light = if triangle.material.unlit { 1.0 } else { 0.34 + 0.86 * normal.dot(key).max(0.0) };
            let emissive = triangle.material.emissive.as_dvec3();
            let channel = |c: usize| shown(light_of(texel[c] / 255.0) * tint[c] * light + emissive[c]);
            hits.push((triangle, far, [channel(0), channel(1), channel(2), alpha.clamp(0.0, 1.0)]));
        }
        let covers = |hit: &&(&Triangle<'_>, f64, [f64; 4])| hit.0.material.alpha_mode != AlphaMode::Blend;
        let nearest = hits.iter().filter(covers).min_by(|a, b| a.1.total_cmp(&b.1));
        let mut out = match (nearest, self.background) {
            (Some((_, _, [r, g, b, _])), _) => [*r, *g, *b, 1.0],
            (None, Background::Transparent) => [0.0; 4],
            (None, Background::Plain(color)) => {
                let [r, g, b] = color.map(|channel| f64::from(channel) / 255.0);
                [r, g, b, 1.0]
            }
        };
        let wall = nearest.map_or(f64::INFINITY, |hit| hit.1);
        let mut before: Vec<_> = hits.iter().filter(|hit| !covers(hit) && hit.1 < wall).collect();
        before.sort_by(|a, b| a.0.far.total_cmp(&b.0.far));
        for (triangle, _, [r, g, b, alpha]) in before {
            let color = [*r, *g, *b];
            let word = match triangle.material.extras.get("filter") {
                Some(Fact::Text(word)) => word.as_str(),
                _ => "",
            };
            let more = color.map(|channel| channel * alpha);
            let part = color.map(|channel| 1.0 - alpha * (1.0 - channel));
            out = match word {
                "additive" => {
                    let whole = out[3] + more.iter().fold(0.0_f64, |a, b| a.max(*b)) * (1.0 - out[3]);
                    let sum = |c: usize| (out[c] + more[c]).min(whole);
                    [sum(0), sum(1), sum(2), whole]
                }
                "modulate" => [out[0] * part[0], out[1] * part[1], out[2] * part[2], out[3]],
                "modulate 2x" => {
                    let twice = |c: usize| (out[c] * part[c] * 2.0).min(out[3]);
                    [twice(0), twice(1), twice(2), out[3]]
                }
                _ => {
                    let over = |c: usize| more[c] + out[c] * (1.0 - alpha);
                    [over(0), over(1), over(2), alpha + out[3] * (1.0 - alpha)]
                }
            };
        }
        out
    }
}

/// Where the ray through a sample meets the plane of a triangle, inside it or not.
fn plane(triangle: &Triangle<'_>, eye: &Eye, x: f64, y: f64) -> Option<(f64, f64)> {
    let (origin, ray) = match eye.lens() {
        Lens::Perspective => (DVec3::ZERO, DVec3::new(x, y, -1.0)),
        Lens::Parallel => (DVec3::new(x, y, 0.0), -DVec3::Z),
    };
    let [a, b, c] = triangle.at;
    let (along, across) = (b - a, c - a);
    let side = ray.cross(across);
    let volume = along.dot(side);
    let from = origin - a;
    (volume != 0.0).then(|| (from.dot(side) / volume, ray.dot(from.cross(along)) / volume))
}

/// How many of all pixels differ by more than 8 of 255, and how many are not background.
fn compare(scene: &Scene, time: f32, sight: &Sight) -> (f64, usize) {
    let meter = Meter::unlimited();
    let stage = Stage::new(scene, &Wear::default(), &meter).unwrap();
    let stance = stage.stance(scene.clips.first(), time);
    let shot: Shot = sight.shot(&stage, &stance);
    let image = stage.picture(&stance, &shot, &meter).unwrap().image;
    let (plain, eye) = (Material::default(), shot.eye);
    let naive = Naive {
        scene,
        sizes: scene.images.iter().map(|image| sizes(&image.pixels)).collect(),
        triangles: triangles(scene, time, &eye, &plain),
        eye,
        background: shot.background,
    };
    assert_eq!(naive.scene.nodes.len(), scene.nodes.len());
    let (width, height) = sight.size;
    let [half_x, half_y] = eye.halves(f64::from(width) / f64::from(height));
    let step = 2.0 * half_y / f64::from(height * 2);
    let (mut differ, mut drawn) = (0, 0);
    for (i, pixel) in image.rgba.iter().enumerate() {
        let (x, y) = (i % width as usize, i / width as usize);
        let mut sum = [0.0; 4];
        for (dx, dy) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
            let across = ((x as f64 + dx) / f64::from(width) * 2.0 - 1.0) * half_x;
            let up = (1.0 - (y as f64 + dy) / f64::from(height) * 2.0) * half_y;
            let sample = naive.sample(across, up, step);
            sum = std::array::from_fn(|c| sum[c] + sample[c] / 4.0);
        }
        let color = |c: usize| if sum[3] > 0.0 { sum[c] / sum[3] * 255.0 } else { 0.0 };
        let wanted = [color(0), color(1), color(2), sum[3] * 255.0];
        // A colour counts as much as it is seen.
        let far = |c: usize| {
            let weight = if c < 3 { sum[3] } else { 1.0 };
            (f64::from(pixel[c]) - wanted[c]).abs() * weight
        };
        differ += usize::from((0..4).any(|c| far(c) > 8.0));
        drawn += usize::from(pixel[3] > 0);
    }
    (differ as f64 / image.rgba.len() as f64, drawn)
}

#[track_caller]
fn assert_same(scene: &Scene, time: f32, sight: &Sight) {
    let (differ, drawn) = compare(scene, time, sight);
    assert!(drawn > 2000, "only {drawn} pixels are drawn");
    assert!(differ <= 0.005, "{:.2} % of all pixels differ", differ * 100.0);
}

#[test]
fn balls_look_as_the_reference_has_them() {
    assert_same(&balls(), 0.0, &Sight::default());
    assert_same(&balls(), 0.0, &Sight { zoom: 3.0, ..Sight::default() });
}

#[test]
fn boxes_look_as_the_reference_has_them() {
    let direction = Direction { azimuth: -130.0, elevation: -35.0 };
    assert_same(&boxes(), 0.0, &Sight { direction, ..Sight::default() });
    let parallel =
        Sight { lens: Lens::Parallel, background: Background::Plain([255; 3]), ..Sight::default() };
    assert_same(&boxes(), 0.0, &parallel);
}

#[test]
fn panes_lie_over_one_another_as_the_reference_has_them() {
    assert_same(&panes(), 0.0, &Sight::default());
    assert_same(&panes(), 0.0, &Sight { background: Background::Plain([90, 60, 200]), ..Sight::default() });
}

#[test]
fn joints_bend_as_the_reference_has_them() {
    for time in [0.0, 0.3, 0.5] {
        assert_same(&bent(), time, &Sight::default());
    }
}

#[test]
fn another_picture_is_noticed() {
    // The reference of one moment beside the picture of another.
    let (scene, mut other) = (bent(), bent());
    other.clips.clear();
    let meter = Meter::unlimited();
    let stage = Stage::new(&scene, &Wear::default(), &meter).unwrap();
    let stance = stage.stance(scene.clips.first(), 0.5);
    let straight = Sight::default().picture(&other, 0.0).image;
    let bent = stage.picture(&stance, &Sight::default().shot(&stage, &stance), &meter).unwrap().image;
    let differ = straight.rgba.iter().zip(&bent.rgba).filter(|(a, b)| a != b).count();
    assert!(differ as f64 / bent.rgba.len() as f64 > 0.05);
}
