//! What surfaces look like: their pictures, their own colours, and the light on them.

use glam::Vec4;

use crate::color::Tables;
use crate::face::Face;
use crate::raster::{Coat, Skin};
use crate::slope::{LANES, OnSurface, Slope};

/// Where the lamp is, seen from the eye: to the left of it, and above. It moves with the eye, so that whatever is looked at is lit.
const KEY: [f32; 3] = [-0.398_014_9, 0.597_022_3, 0.696_526];

/// What comes from everywhere.
const AMBIENT: f32 = 0.34;

/// What comes from the lamp.
const DIRECT: f32 = 0.86;

/// Samples side by side as a surface has them.
pub(crate) struct Shades {
    pub(crate) colors: [[u8; 3]; LANES],
    pub(crate) alphas: [u8; LANES],
    /// Which of them are seen.
    pub(crate) seen: u32,
}

impl Shades {
    /// What a surface looks like where it is seen.
    #[inline]
    pub(crate) fn new(
        (slope, face, coat): (&Slope<'_>, &Face, &Coat<'_>),
        at: &OnSurface,
        (levels, mut seen): ([usize; 2], u32),
        tables: Tables,
    ) -> Self {
        let uv = slope.uv(at);
        let picture = |skin: &Skin<'_>, level| skin.paint.four(level, uv, (skin.wrap, skin.filter), seen);
        let pixels = coat.skin.as_ref().map(|skin| picture(skin, levels[0]));
        let glow = coat.glow.as_ref().map(|skin| picture(skin, levels[1]));
        let mut tint = coat.base.to_array().map(Vec4::splat);
        if face.is_colored {
            let own = slope.color(at);
            tint = std::array::from_fn(|i| own[i] * tint[i]);
        }
        let own = pixels.map_or([255.0; LANES], |pixels| pixels.map(|pixel| f32::from(pixel[3])));
        let alpha = Vec4::from_array(own) * tint[3];
        if let Some(cutoff) = coat.cutoff {
            seen &= !alpha.cmplt(Vec4::splat(cutoff)).bitmask();
        }
        let light = if coat.is_lit {
            let normal = slope.normal(at);
            light(if face.is_back { normal.map(|part| -part) } else { normal })
        } else {
            Vec4::ONE
        };
        let shining = |pixels: &Option<[[u8; 4]; LANES]>, i: usize| {
            let light = |pixel: [u8; 4]| tables.light(pixel[i]);
            pixels.map_or(Vec4::ONE, |pixels| Vec4::from_array(pixels.map(light)))
        };
        let [r, g, b] = std::array::from_fn(|i| {
            let emissive = Vec4::splat(coat.emissive[i]) * shining(&glow, i);
            tables.shown(shining(&pixels, i) * tint[i] * light + emissive)
        });
        let colors = std::array::from_fn(|lane| [r[lane], g[lane], b[lane]]);
        Shades { colors, alphas: (alpha + Vec4::splat(0.5)).to_array().map(|alpha| alpha as u8), seen }
    }
}

impl Coat<'_> {
    /// The sizes of its pictures whose pixels are about as large as samples, in a lane.
    pub(crate) fn levels(&self, slope: &Slope<'_>, at: &OnSurface, lane: usize) -> [usize; 2] {
        [&self.skin, &self.glow].map(|skin| {
            let level = |skin: &Skin<'_>| skin.paint.level(slope.density(at, lane, skin.paint.size()));
            skin.as_ref().map_or(0, level)
        })
    }
}

/// The light on a surface, whatever the length of its normals.
#[inline]
fn light([x, y, z]: [Vec4; 3]) -> Vec4 {
    let square = x * x + y * y + z * z;
    let [key_x, key_y, key_z] = KEY.map(Vec4::splat);
    let towards = (x * key_x + y * key_y + z * key_z) / square.sqrt();
    let is_lit = towards.cmpgt(Vec4::ZERO) & square.cmpgt(Vec4::ZERO);
    let ambient = Vec4::splat(AMBIENT);
    Vec4::select(is_lit, ambient + Vec4::splat(DIRECT) * towards, ambient)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp, reason = "these are exact")]

    use glam::Vec3;

    use super::*;

    /// The light on surfaces of these normals.
    fn on(normals: [Vec3; LANES]) -> [f32; LANES] {
        let part = |i: usize| Vec4::from_array(normals.map(|normal| normal[i]));
        light([part(0), part(1), part(2)]).to_array()
    }

    #[test]
    fn what_faces_the_lamp_is_brightest() {
        let key = Vec3::from_array(KEY);
        assert!((key.length() - 1.0).abs() < 1e-6);
        let [bright, back, none, lost] = on([key * 3.0, -key, Vec3::ZERO, Vec3::NAN]);
        assert!((bright - AMBIENT - DIRECT).abs() < 1e-6);
        assert_eq!([back, none, lost], [AMBIENT; 3]);
        let [up, side, ..] = on([Vec3::Y, Vec3::X, Vec3::INFINITY, Vec3::ONE]);
        assert!(up > side);
    }
}
