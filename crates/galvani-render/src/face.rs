//! Triangles on their way to the picture: seen from the eye, cut at its edges, laid on the raster.

use glam::{Vec2, Vec3, Vec4};

use crate::eye::{Eye, Lens};

/// Steps of the raster between two samples.
pub(crate) const STEP: i32 = 256;

/// A vertex as the eye has it: right, up and back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vertex {
    pub(crate) at: Vec3,
    pub(crate) normal: Vec3,
    pub(crate) uv: Vec2,
    pub(crate) color: Vec4,
}

impl Vertex {
    /// A place and a colour, and nothing else.
    pub(crate) fn plain(at: Vec3, color: Vec4) -> Self {
        Vertex { at, normal: Vec3::ZERO, uv: Vec2::ZERO, color }
    }

    fn between(&self, other: &Vertex, part: f32) -> Vertex {
        Vertex {
            at: self.at + (other.at - self.at) * part,
            normal: self.normal + (other.normal - self.normal) * part,
            uv: self.uv + (other.uv - self.uv) * part,
            color: self.color + (other.color - self.color) * part,
        }
    }
}

/// A vertex on the raster.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corner {
    /// In steps from the upper left.
    pub(crate) x: i32,
    pub(crate) y: i32,
    /// How near; more is nearer. It is even on the raster.
    pub(crate) near: f32,
    /// What everything else, times this, is even on the raster by: 1 where the lens is parallel.
    pub(crate) weight: f32,
    pub(crate) normal: Vec3,
    pub(crate) uv: Vec2,
    pub(crate) color: Vec4,
}

/// A triangle on the raster, its corners clockwise as they are seen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Face {
    pub(crate) corners: [u32; 3],
    /// How it looks, by number.
    pub(crate) coat: u32,
    /// Whether its normals point away from the eye.
    pub(crate) is_back: bool,
    /// Whether its corners have colours of their own.
    pub(crate) is_colored: bool,
}

/// What lays triangles on a raster.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Raster {
    lens: Lens,
    near: f32,
    /// What is seen to either side, at a distance of 1 or everywhere.
    halves: [f32; 2],
    /// Half of its samples, in steps.
    middle: [f32; 2],
    /// How much farther than the picture triangles may reach before they are cut.
    reach: f32,
}

/// Triangles may reach so many samples beyond the middle: their areas then fit what they are reckoned in.
const MOST_SAMPLES: f32 = 1_048_576.0;

impl Raster {
    /// A raster of so many samples in a row, and rows.
    pub(crate) fn new(eye: &Eye, width: u32, height: u32) -> Self {
        let [x, y] = eye.halves(f64::from(width) / f64::from(height));
        let most = width.max(height) as f32 / 2.0;
        Raster {
            lens: eye.lens,
            near: eye.near as f32,
            halves: [x as f32, y as f32],
            middle: [width, height].map(|count| count as f32 * (STEP as f32 / 2.0)),
            reach: MOST_SAMPLES / most,
        }
    }

    /// How far before the eye.
    fn depth(&self, at: Vec3) -> f32 {
        if self.lens == Lens::Parallel { 1.0 } else { -at.z }
    }

    /// How far a place lies inside one of the planes that cut.
    fn inside(&self, plane: usize, at: Vec3) -> f32 {
        let sides = |axis: usize| self.halves[axis] * self.reach * self.depth(at);
        match plane {
            0 => -at.z - self.near,
            1 => sides(0) - at.x,
            2 => sides(0) + at.x,
            3 => sides(1) - at.y,
            _ => sides(1) + at.y,
        }
    }

    /// Where a place is on the raster; it must not be behind the eye.
    pub(crate) fn corner(&self, vertex: &Vertex) -> Corner {
        let depth = self.depth(vertex.at);
        let weight = 1.0 / depth;
        let near = if self.lens == Lens::Parallel { vertex.at.z } else { weight };
        let step = |axis: usize, at: f32| {
            let part = at * weight / self.halves[axis];
            (self.middle[axis] + part * self.middle[axis] + 0.5).floor() as i32
        };
        let (x, y) = (step(0, vertex.at.x), step(1, -vertex.at.y));
        let Vertex { normal, uv, color, .. } = *vertex;
        Corner { x, y, near, weight, normal, uv, color }
    }

    /// Whether a place needs no cutting.
    pub(crate) fn holds(&self, at: Vec3) -> bool {
        (0..5).all(|plane| self.inside(plane, at) >= 0.0)
    }

    /// What is left of a triangle, or of a line, as the corners of a polygon.
    pub(crate) fn cut(&self, polygon: &mut Vec<Vertex>, buffer: &mut Vec<Vertex>) {
        for plane in 0..5 {
            buffer.clear();
            for (i, vertex) in polygon.iter().enumerate() {
                let next = &polygon[(i + 1) % polygon.len()];
                let (own, other) = (self.inside(plane, vertex.at), self.inside(plane, next.at));
                if own >= 0.0 {
                    buffer.push(*vertex);
                }
                if (own >= 0.0) != (other >= 0.0) {
                    // From inside out, so that two triangles cut their common edge at one place.
                    let cut = if own >= 0.0 {
                        vertex.between(next, own / (own - other))
                    } else {
                        next.between(vertex, other / (other - own))
                    };
                    buffer.push(cut);
                }
            }
            std::mem::swap(polygon, buffer);
        }
    }

    /// Twice the area of a triangle, in steps; more than 0 if it is seen clockwise.
    pub(crate) fn area([a, b, c]: [&Corner; 3]) -> i64 {
        let (a_x, a_y) = (i64::from(a.x), i64::from(a.y));
        let across = (i64::from(b.x) - a_x) * (i64::from(c.y) - a_y);
        across - (i64::from(c.x) - a_x) * (i64::from(b.y) - a_y)
    }

    /// Moves a place towards the eye, so that what lies on a surface is seen on it.
    pub(crate) fn lifted(&self, at: Vec3) -> Vec3 {
        const PART: f32 = 0.004;
        match self.lens {
            Lens::Perspective => at * (1.0 - PART),
            Lens::Parallel => at + Vec3::Z * (self.halves[1] * PART),
        }
    }
}
