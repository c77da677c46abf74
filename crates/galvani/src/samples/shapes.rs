//! Meshes from outlines drawn along an axis, and the little arithmetic they need.
//!
//! Only `+ − × ÷ √` are used, which are exact to the last bit on every machine: what is made here is compared
//! with committed files.

use galvani_core::maths::single;
use std::collections::BTreeMap;

use galvani_parkan::msh::build::{GeometryPlan, PartPlan, TrianglePlan};

/// How much of a bevelled outline's half width is cut off at each corner.
const BEVEL: f32 = 0.3;
/// Texture lengths per metre.
const TEXTURE_SCALE: f32 = 0.5;

/// The sine of an angle in turns.
pub(super) fn sine(turns: f32) -> f32 {
    let part = turns - turns.floor();
    // To a quarter turn on either side of zero, where the series is good to the last bits.
    let quarter = if part < 0.25 {
        part
    } else if part < 0.75 {
        0.5 - part
    } else {
        part - 1.0
    };
    let x = f64::from(quarter) * std::f64::consts::TAU;
    let x2 = x * x;
    let terms = [210.0, 156.0, 110.0, 72.0, 42.0, 20.0, 6.0];
    single(x * terms.iter().fold(1.0, |sum, term| 1.0 - x2 / term * sum))
}

/// The cosine of an angle in turns.
pub(super) fn cosine(turns: f32) -> f32 {
    sine(turns + 0.25)
}

/// The axis that outlines are strung on. Outlines are drawn on the two that follow it, in the order x, y, z,
/// x.
#[derive(Debug, Clone, Copy)]
pub(super) enum Axis {
    X,
    Y,
    Z,
}

impl Axis {
    fn point(self, at: f32, [a, b]: [f32; 2]) -> [f32; 3] {
        match self {
            Axis::X => [at, a, b],
            Axis::Y => [b, at, a],
            Axis::Z => [a, b, at],
        }
    }
}

/// What is drawn along an axis.
#[derive(Debug, Clone, Copy)]
pub(super) enum Outline {
    /// A rectangle with sharp edges.
    Sharp,
    /// A rectangle whose corners are cut, with sharp edges.
    Bevelled,
    /// A rectangle whose corners are cut, shaded round.
    Soft,
    /// A rectangle shaded round, for what is seen from afar.
    Plain,
    /// A circle of so many sides, shaded round.
    Round(u8),
}

impl Outline {
    /// Counter-clockwise around the axis, within ±1.
    fn points(self) -> Vec<[f32; 2]> {
        let cut = 1.0 - BEVEL;
        match self {
            Outline::Sharp | Outline::Plain => vec![[1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0]],
            Outline::Bevelled | Outline::Soft => vec![
                [1.0, -cut],
                [1.0, cut],
                [cut, 1.0],
                [-cut, 1.0],
                [-1.0, cut],
                [-1.0, -cut],
                [-cut, -1.0],
                [cut, -1.0],
            ],
            Outline::Round(sides) => (0..sides)
                .map(|side| f32::from(side) / f32::from(sides))
                .map(|turns| [cosine(turns), sine(turns)])
                .collect(),
        }
    }

    fn is_sharp(self) -> bool {
        matches!(self, Outline::Sharp | Outline::Bevelled)
    }
}

/// An outline's place on its axis, its centre and half its sizes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Section {
    at: f32,
    centre: [f32; 2],
    half: [f32; 2],
}

/// A section around the axis itself.
pub(super) fn around(at: f32, half: [f32; 2]) -> Section {
    Section { at, centre: [0.0; 2], half }
}

/// A section beside the axis.
pub(super) fn beside(at: f32, centre: [f32; 2], half: [f32; 2]) -> Section {
    Section { at, centre, half }
}

/// A mesh in the making.
#[derive(Debug, Clone, Default)]
pub(super) struct Shape {
    positions: Vec<[f32; 3]>,
    uv: Vec<[f32; 2]>,
    parts: BTreeMap<u16, Vec<TrianglePlan>>,
    material: u16,
}

impl Shape {
    /// What follows is of this material.
    pub(super) fn paint(&mut self, material: u16) -> &mut Self {
        self.material = material;
        self
    }

    /// Joins outlines along an axis and closes both ends.
    pub(super) fn solid(&mut self, axis: Axis, outline: Outline, sections: &[Section]) -> &mut Self {
        self.tube(axis, outline, sections);
        if let [first, .., last] = sections {
            self.cap(axis, outline, first, true);
            self.cap(axis, outline, last, false);
        }
        self
    }

    /// Joins outlines along an axis and closes the far end.
    pub(super) fn stub(&mut self, axis: Axis, outline: Outline, sections: &[Section]) -> &mut Self {
        self.tube(axis, outline, sections);
        if let Some(last) = sections.last() {
            self.cap(axis, outline, last, false);
        }
        self
    }

    /// Joins outlines along an axis.
    pub(super) fn tube(&mut self, axis: Axis, outline: Outline, sections: &[Section]) -> &mut Self {
        let points = outline.points();
        let rings: Vec<Vec<[f32; 3]>> = sections.iter().map(|section| ring(axis, section, &points)).collect();
        if outline.is_sharp() {
            for pair in rings.windows(2) {
                for side in 0..points.len() {
                    let next = (side + 1) % points.len();
                    self.quad([pair[0][side], pair[0][next], pair[1][next], pair[1][side]]);
                }
            }
        } else {
            self.round(sections, &rings);
        }
        self
    }

    /// Four corners, counter-clockwise seen from the front, of one plane.
    pub(super) fn quad(&mut self, corners: [[f32; 3]; 4]) -> &mut Self {
        let (width, height) = (distance(corners[0], corners[1]), distance(corners[0], corners[3]));
        let first = self.next();
        for (corner, [u, v]) in corners.into_iter().zip([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) {
            self.vertex(corner, [u * width, v * height]);
        }
        self.triangle([first, first + 1, first + 2]);
        self.triangle([first, first + 2, first + 3])
    }

    /// Rings that share their vertices. The texture goes half around and back, so that it has no seam.
    fn round(&mut self, sections: &[Section], rings: &[Vec<[f32; 3]>]) {
        let mut below = None;
        for (section, ring) in sections.iter().zip(rings) {
            let here = self.next();
            let mut along = 0.0;
            let start = sections.first().map_or(0.0, |first| first.at);
            for (side, point) in ring.iter().enumerate() {
                self.vertex(*point, [along, (section.at - start).abs()]);
                let step = distance(*point, ring[(side + 1) % ring.len()]);
                along += if 2 * side < ring.len() { step } else { -step };
                along = along.max(0.0);
            }
            if let Some(below) = below {
                self.belt(below, here, ring.len());
            }
            below = Some(here);
        }
    }

    /// Triangles between two rings of vertices.
    fn belt(&mut self, below: u32, here: u32, sides: usize) {
        let sides = u32::try_from(sides).unwrap_or(0);
        for side in 0..sides {
            let next = (side + 1) % sides;
            self.triangle([below + side, below + next, here + next]);
            self.triangle([below + side, here + next, here + side]);
        }
    }

    fn cap(&mut self, axis: Axis, outline: Outline, section: &Section, near: bool) {
        let points = outline.points();
        let first = self.next();
        for (corner, [a, b]) in ring(axis, section, &points).into_iter().zip(&points) {
            self.vertex(corner, [(1.0 + a) * section.half[0], (1.0 + b) * section.half[1]]);
        }
        for (second, third) in (first + 1..).zip(first + 2..self.next()) {
            self.triangle(if near { [first, third, second] } else { [first, second, third] });
        }
    }

    fn next(&self) -> u32 {
        u32::try_from(self.positions.len()).unwrap_or(u32::MAX)
    }

    fn vertex(&mut self, position: [f32; 3], uv: [f32; 2]) {
        self.positions.push(position);
        self.uv.push(uv.map(|metres| metres * TEXTURE_SCALE));
    }

    fn triangle(&mut self, vertices: [u32; 3]) -> &mut Self {
        self.parts.entry(self.material).or_default().push(TrianglePlan { vertices, flags: 0 });
        self
    }

    /// The same shape after hits: places are moved by up to `amount`, the same places alike, and sag.
    pub(super) fn dented(&self, amount: f32) -> Self {
        let mut hit = self.clone();
        for position in &mut hit.positions {
            let [x, y, z] = *position;
            let push = |a: f32, b: f32| sine(x * a + y * b + z * 1.7) * amount;
            *position = [x + push(0.9, 0.6), y + push(0.5, 1.1), z + push(1.3, 0.8) - amount / 2.0];
        }
        hit
    }

    /// The same shape with one material in place of another.
    pub(super) fn repainted(&self, from: u16, to: u16) -> Self {
        let mut other = self.clone();
        if let Some(mut triangles) = other.parts.remove(&from) {
            other.parts.entry(to).or_default().append(&mut triangles);
        }
        other
    }

    /// The shape as geometry to build from.
    pub(super) fn plan(&self) -> GeometryPlan {
        let part = |(&material, triangles): (&u16, &Vec<TrianglePlan>)| {
            let triangles = triangles.clone();
            PartPlan { material, triangles, ..PartPlan::default() }
        };
        GeometryPlan {
            positions: self.positions.clone(),
            uv: self.uv.clone(),
            parts: self.parts.iter().map(part).collect(),
            ..GeometryPlan::default()
        }
    }
}

fn ring(axis: Axis, section: &Section, points: &[[f32; 2]]) -> Vec<[f32; 3]> {
    let ([x, y], [w, h]) = (section.centre, section.half);
    points.iter().map(|[a, b]| axis.point(section.at, [x + a * w, y + b * h])).collect()
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    let [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    (x * x + y * y + z * z).sqrt()
}

#[cfg(test)]
mod tests {
    use super::{cosine, sine};

    #[test]
    fn sines_are_good_to_the_last_bits() {
        for step in -200_i16..200 {
            let turns = f32::from(step) / 97.0;
            let angle = f64::from(turns) * std::f64::consts::TAU;
            assert!((f64::from(sine(turns)) - angle.sin()).abs() < 1e-6, "{turns}");
            assert!((f64::from(cosine(turns)) - angle.cos()).abs() < 1e-6, "{turns}");
        }
        assert_eq!(
            [sine(0.0), sine(0.5), cosine(0.0)].map(f32::to_bits),
            [0.0_f32, 0.0, 1.0].map(f32::to_bits)
        );
    }
}
