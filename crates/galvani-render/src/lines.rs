//! What is drawn beside the model: its skeleton, its triangles, its box, axes and ground.

use galvani_core::{Exhausted, Image};
use galvani_scene::Scene;
use glam::{DVec3, Vec3, Vec4};

use crate::blend::Blend;
use crate::eye::Fit;
use crate::face::{Raster, STEP, Vertex};
use crate::letters::letters;
use crate::raster::Coat;
use crate::stage::{Drawing, Shot, Stage};
use crate::stance::Stance;
use crate::{Direction, Lens};

/// Colours: light, and how much covers what is behind.
const BONE: Vec4 = Vec4::new(1.0, 0.72, 0.05, 1.0);
const JOINT: Vec4 = Vec4::new(1.0, 0.98, 0.9, 1.0);
const WIRE: Vec4 = Vec4::new(0.01, 0.02, 0.05, 1.0);
const BOX: Vec4 = Vec4::new(0.05, 0.35, 0.9, 1.0);
const GRID: Vec4 = Vec4::new(0.2, 0.2, 0.2, 1.0);
const AXES: [Vec4; 3] =
    [Vec4::new(0.8, 0.03, 0.03, 1.0), Vec4::new(0.05, 0.55, 0.05, 1.0), Vec4::new(0.04, 0.12, 0.9, 1.0)];

/// Widths of lines, in pixels.
const THIN: f32 = 1.0;
const THICK: f32 = 2.0;

/// Most squares of the ground along each axis.
const MOST_SQUARES: i32 = 40;

/// Draws what a shot asks for beside the model.
pub(crate) fn draw<'a>(drawing: &mut Drawing<'a, '_>, stage: &'a Stage<'_>) -> Result<(), Exhausted> {
    let marks = drawing.shot.marks;
    if marks == crate::Marks::default() {
        return Ok(());
    }
    let mut fit = Fit::new(Direction::FRONT, Lens::Parallel, 1.0);
    stage.fit(drawing.stance, &mut fit);
    let Some((low, high)) = fit.bounds() else { return Ok(()) };
    let size = (high - low).max_element();
    let size = if size > 0.0 { size } else { 1.0 };
    let view = drawing.shot.eye.view();
    let seen = move |at: DVec3| view.transform_point3(at).as_vec3();
    let coat = drawing.coat(coat(false))?;
    let mut pen = Pen { drawing, coat };
    if marks.grid {
        for (a, b) in ground(low, high, size) {
            pen.line(seen(a), seen(b), GRID, THIN)?;
        }
    }
    if marks.wire {
        pen.wire(stage)?;
    }
    if marks.bounds {
        for (a, b) in edges(low, high) {
            pen.line(seen(a), seen(b), BOX, THIN)?;
        }
    }
    if marks.axes {
        for (axis, color) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().zip(AXES) {
            pen.line(seen(DVec3::ZERO), seen(axis * size * 0.6), color, THICK)?;
        }
    }
    if marks.skeleton {
        pen.skeleton(stage.scene, &seen)?;
    }
    Ok(())
}

/// How lines look.
fn coat<'s>(is_on_top: bool) -> Coat<'s> {
    Coat {
        blend: Blend::Cover,
        cutoff: None,
        is_lit: false,
        base: Vec4::ONE,
        emissive: Vec3::ZERO,
        skin: None,
        glow: None,
        is_on_top,
    }
}

/// What draws lines of one coat.
struct Pen<'p, 'a, 's> {
    drawing: &'p mut Drawing<'a, 's>,
    coat: u32,
}

impl Pen<'_, '_, '_> {
    /// A line of so many pixels between two places as the eye has them.
    fn line(&mut self, from: Vec3, to: Vec3, color: Vec4, width: f32) -> Result<(), Exhausted> {
        if !(from.is_finite() && to.is_finite()) {
            return Ok(());
        }
        let raster = self.drawing.raster;
        // Thick lines lie on thin ones.
        let lifted =
            |at: Vec3| if width > THIN { raster.lifted(raster.lifted(at)) } else { raster.lifted(at) };
        // A triangle without a third side, cut as any other.
        let mut ends = [from, to].map(|at| Vertex::plain(lifted(at), color)).to_vec();
        if !ends.iter().all(|end| raster.holds(end.at)) {
            raster.cut(&mut ends, &mut Vec::new());
        }
        let [first, .., last] = ends.as_slice() else { return Ok(()) };
        let (first, last) = if ends.len() > 2 { (&ends[0], &ends[1]) } else { (first, last) };
        let half = width * self.drawing.shot.smooth.clamp(1, 4) as f32 * STEP as f32 / 2.0;
        self.quad([first, last].map(|end| (raster.corner(end), end)), half)
    }

    /// A line as two triangles, as wide on the raster wherever it is.
    fn quad(&mut self, ends: [(crate::face::Corner, &Vertex); 2], half: f32) -> Result<(), Exhausted> {
        let [(a, _), (b, _)] = ends;
        let (dx, dy) = ((b.x - a.x) as f32, (b.y - a.y) as f32);
        let length = (dx * dx + dy * dy).sqrt();
        let (dx, dy) = if length > 0.0 { (dx / length * half, dy / length * half) } else { (half, 0.0) };
        let corners =
            [(a, -dx - dy, dx - dy), (a, dy - dx, -dx - dy), (b, dx + dy, dy - dx), (b, dx - dy, dx + dy)];
        let corners = corners.map(|(corner, x, y)| {
            let step = |own: i32, more: f32| own.saturating_add((more + 0.5).floor() as i32);
            crate::face::Corner { x: step(corner.x, x), y: step(corner.y, y), ..corner }
        });
        self.drawing.raw(corners, self.coat)
    }

    /// The sides of all triangles that are seen.
    fn wire(&mut self, stage: &Stage<'_>) -> Result<(), Exhausted> {
        let mut lines = Vec::new();
        stage.sides(self.drawing.stance, &self.drawing.shot.eye.view(), &mut lines)?;
        for (a, b) in lines {
            self.line(a, b, WIRE, THIN)?;
        }
        Ok(())
    }

    /// A line from each node to its parent, and a mark where it is, seen through everything.
    fn skeleton(&mut self, scene: &Scene, seen: &impl Fn(DVec3) -> Vec3) -> Result<(), Exhausted> {
        self.coat = self.drawing.coat(coat(true))?;
        let places: Vec<Vec3> =
            self.drawing.stance.models.iter().map(|model| seen(model.translation)).collect();
        for (node, at) in scene.nodes.iter().zip(&places) {
            if let Some(parent) = node.parent.and_then(|parent| places.get(parent.index())) {
                self.line(*parent, *at, BONE, THICK)?;
            }
        }
        for at in places {
            self.line(at, at, JOINT, 2.0 * THICK)?;
        }
        Ok(())
    }
}

/// The twelve edges of a box.
fn edges(low: DVec3, high: DVec3) -> impl Iterator<Item = (DVec3, DVec3)> {
    let corner = move |i: usize| {
        let side = |axis: usize| if i >> axis & 1 == 0 { low[axis] } else { high[axis] };
        DVec3::new(side(0), side(1), side(2))
    };
    let all = (0..8_usize).flat_map(|i| (0..3).map(move |axis| (i, i | 1 << axis)));
    all.filter(|(a, b)| a != b).map(move |(a, b)| (corner(a), corner(b)))
}

/// Lines on the ground below a box: squares of 1, 2 or 5 times a power of ten.
fn ground(low: DVec3, high: DVec3, size: f64) -> Vec<(DVec3, DVec3)> {
    let mut step = 1.0;
    while step * 10.0 < size && step < 1e300 {
        step *= 10.0;
    }
    while step > size && step > 1e-300 {
        step /= 10.0;
    }
    // A size is 1 to 10 steps now; some five to ten squares along it are good to look at.
    let parts = if size < step * 2.0 {
        5.0
    } else if size < step * 5.0 {
        2.0
    } else {
        1.0
    };
    let step = step / parts;
    let span = |axis: usize| {
        let first = libm::floor(low[axis] / step - 1.0);
        let last = libm::ceil(high[axis] / step + 1.0);
        let count = ((last - first) as i32).min(MOST_SQUARES);
        (first * step, count)
    };
    let ((x, columns), (z, rows)) = (span(0), span(2));
    let at = |x: f64, z: f64| DVec3::new(x, 0.0, z);
    let (right, far) = (x + f64::from(columns) * step, z + f64::from(rows) * step);
    let along = (0..=columns).map(|i| x + f64::from(i) * step).map(|x| (at(x, z), at(x, far)));
    let across = (0..=rows).map(|i| z + f64::from(i) * step).map(|z| (at(x, z), at(right, z)));
    along.chain(across).collect()
}

/// Writes what nodes are called beside them.
pub(crate) fn names(scene: &Scene, stance: &Stance, (raster, shot): (&Raster, &Shot), image: &mut Image) {
    let (view, smooth) = (shot.eye.view(), shot.smooth.clamp(1, 4) as i32);
    for (node, model) in scene.nodes.iter().zip(&stance.models).filter(|(node, _)| !node.name.is_empty()) {
        let at = view.transform_point3(model.translation).as_vec3();
        if !at.is_finite() || !raster.holds(at) {
            continue;
        }
        let corner = raster.corner(&Vertex::plain(at, JOINT));
        let (x, y) = (corner.x / (STEP * smooth) + 4, corner.y / (STEP * smooth) - NAME_SIZE as i32 / 2);
        for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
            letters(image, &node.name, (x + dx, y + dy), NAME_SIZE, [0, 0, 0, 150]);
        }
        letters(image, &node.name, (x, y), NAME_SIZE, [255, 255, 255, 255]);
    }
}

/// How large names are, in pixels.
const NAME_SIZE: f32 = 11.0;

impl Drawing<'_, '_> {
    /// Two triangles that lie on the raster already.
    fn raw(&mut self, corners: [crate::face::Corner; 4], coat: u32) -> Result<(), Exhausted> {
        let first = self.canvas.corners.len() as u32;
        galvani_core::room::append(&mut self.canvas.corners, &corners)?;
        for mut list in [[0, 1, 2], [0, 2, 3]] {
            let area = Raster::area(list.map(|i: u32| &corners[i as usize]));
            if area < 0 {
                list.swap(1, 2);
            }
            let corners = list.map(|i| first + i);
            let face = crate::face::Face { corners, coat, is_back: false, is_colored: true };
            galvani_core::room::push(&mut self.canvas.faces, face)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp, reason = "these are exact")]

    use super::*;

    #[test]
    fn a_box_has_twelve_edges_and_the_ground_is_counted_in_round_numbers() {
        let (low, high) = (DVec3::ZERO, DVec3::new(3.0, 1.0, 3.0));
        assert_eq!(edges(low, high).count(), 12);
        let lines = ground(low, high, 3.0);
        assert_eq!(lines[1].0.x - lines[0].0.x, 0.5);
        assert!(ground(DVec3::splat(-1e9), DVec3::splat(1e9), 1e-3).len() <= 2 * (MOST_SQUARES as usize + 1));
        for size in [1e-12, 0.7, 40.0, 1e30] {
            assert!(ground(DVec3::ZERO, DVec3::splat(size), size).len() > 8, "{size}");
        }
    }
}
