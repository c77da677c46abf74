//! What a triangle is over the raster, at several samples of a row at once.

use glam::Vec4;

use crate::face::{Corner, STEP};

/// Samples side by side that are reckoned together.
pub(crate) const LANES: usize = 4;

/// How far each is from the first.
const ALONG: Vec4 = Vec4::new(0.0, 1.0, 2.0, 3.0);

/// The numbers of the lanes that are set.
#[inline]
pub(crate) fn lanes(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            lane
        })
    })
}

/// What a triangle is over the raster: parts of the way to its second and third corner.
pub(crate) struct Slope<'c> {
    corners: [&'c Corner; 3],
    /// How the parts change by a sample to the right, and by a row.
    right: [f32; 2],
    down: [f32; 2],
    /// The first corner in samples, from the middle of the very first.
    from: [f32; 2],
}

/// Places on the surface itself, which is farther away at one end than at the other.
pub(crate) struct OnSurface {
    weight: Vec4,
    /// Parts of the way to the second and third corner.
    parts: [Vec4; 2],
}

impl<'c> Slope<'c> {
    pub(crate) fn new(corners: [&'c Corner; 3], area: i64) -> Self {
        let [a, b, c] = corners;
        let per = f64::from(STEP) / area as f64;
        let part = |steps: i32, other: i32| ((f64::from(steps) - f64::from(other)) * per) as f32;
        let middle = (STEP / 2) as f32;
        Slope {
            corners,
            right: [part(c.y, a.y), part(a.y, b.y)],
            down: [part(a.x, c.x), part(b.x, a.x)],
            from: [a.x, a.y].map(|steps| (steps as f32 - middle) / STEP as f32),
        }
    }

    /// The parts at a sample and those to the right of it.
    #[inline]
    pub(crate) fn parts(&self, x: i32, y: i32) -> [Vec4; 2] {
        let x = Vec4::splat(x as f32) + ALONG - Vec4::splat(self.from[0]);
        let y = y as f32 - self.from[1];
        std::array::from_fn(|i| Vec4::splat(self.right[i]) * x + Vec4::splat(self.down[i] * y))
    }

    /// What lies between the values that the corners have.
    #[inline]
    fn between(&self, of: impl Fn(&Corner) -> f32, parts: [Vec4; 2]) -> Vec4 {
        let [a, b, c] = self.corners.map(of);
        Vec4::splat(a) + Vec4::splat(b - a) * parts[0] + Vec4::splat(c - a) * parts[1]
    }

    /// How near it is.
    #[inline]
    pub(crate) fn near(&self, parts: [Vec4; 2]) -> Vec4 {
        self.between(|corner| corner.near, parts)
    }

    /// Where that is on the surface.
    #[inline]
    pub(crate) fn on_surface(&self, parts: [Vec4; 2]) -> OnSurface {
        let weight = self.between(|corner| corner.weight, parts);
        let by = Vec4::ONE / weight;
        let part = |i: usize| parts[i] * Vec4::splat(self.corners[i + 1].weight) * by;
        OnSurface { weight, parts: [part(0), part(1)] }
    }

    /// Places on its pictures.
    #[inline]
    pub(crate) fn uv(&self, at: &OnSurface) -> [Vec4; 2] {
        [self.between(|corner| corner.uv.x, at.parts), self.between(|corner| corner.uv.y, at.parts)]
    }

    /// Directions that it faces.
    #[inline]
    pub(crate) fn normal(&self, at: &OnSurface) -> [Vec4; 3] {
        std::array::from_fn(|i| self.between(|corner| corner.normal[i], at.parts))
    }

    /// Colours of its own.
    #[inline]
    pub(crate) fn color(&self, at: &OnSurface) -> [Vec4; 4] {
        std::array::from_fn(|i| self.between(|corner| corner.color[i], at.parts))
    }

    /// The square of how many pixels of a picture of that size lie between two samples, in a lane.
    pub(crate) fn density(&self, at: &OnSurface, lane: usize, size: [f32; 2]) -> f32 {
        let [a, b, c] = self.corners;
        let by = 1.0 / at.weight[lane];
        let [p, q] = at.parts.map(|part| part[lane]);
        let (to_b, to_c) = (b.uv - a.uv, c.uv - a.uv);
        let square = |step: [f32; 2]| {
            let change = (b.weight - a.weight) * step[0] + (c.weight - a.weight) * step[1];
            let (p, q) = ((step[0] * b.weight - p * change) * by, (step[1] * c.weight - q * change) * by);
            let (u, v) = ((to_b.x * p + to_c.x * q) * size[0], (to_b.y * p + to_c.y * q) * size[1]);
            u * u + v * v
        };
        square(self.right).max(square(self.down))
    }
}

#[cfg(test)]
mod tests {
    use super::lanes;

    #[test]
    fn lanes_that_are_set_are_named_in_order() {
        assert_eq!(
            [0b0000, 0b0001, 0b1010, 0b1111].map(|set| lanes(set).collect::<Vec<_>>()),
            [vec![], vec![0], vec![1, 3], vec![0, 1, 2, 3]]
        );
    }
}
