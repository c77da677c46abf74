//! From triangles on the raster to pixels, band by band.

use galvani_core::{Exhausted, room};
use galvani_scene::{Filter, Wrap};
use glam::Vec4;

use crate::blend::{Blend, Sample};
use crate::color::Tables;
use crate::face::{Corner, Face, Raster, STEP};
use crate::paint::Paint;
use crate::shade::Shades;
use crate::slope::{LANES, Slope, lanes};

/// Rows of pixels in a band: its samples stay near the processor, and bands are many enough for all cores.
pub(crate) const BAND: u32 = 32;

/// How a surface looks at a time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Coat<'s> {
    pub(crate) blend: Blend,
    /// Below this alpha it is not seen.
    pub(crate) cutoff: Option<f32>,
    pub(crate) is_lit: bool,
    pub(crate) base: Vec4,
    pub(crate) emissive: glam::Vec3,
    pub(crate) skin: Option<Skin<'s>>,
    pub(crate) glow: Option<Skin<'s>>,
    /// Whether it is seen through everything.
    pub(crate) is_on_top: bool,
}

/// A picture on a surface.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Skin<'s> {
    pub(crate) paint: &'s Paint,
    pub(crate) wrap: [Wrap; 2],
    pub(crate) filter: Filter,
}

/// Everything that is drawn: triangles in the order in which they are.
#[derive(Debug, Default)]
pub(crate) struct Canvas<'s> {
    pub(crate) corners: Vec<Corner>,
    pub(crate) faces: Vec<Face>,
    pub(crate) coats: Vec<Coat<'s>>,
}

/// A band of samples.
struct Band {
    /// Its first row, of all samples.
    top: i32,
    rows: i32,
    width: i32,
    samples: Vec<Sample>,
    /// How near what covers them is; a few more than there are samples, so that as many as are reckoned together are there from
    /// each on.
    near: Vec<f32>,
}

/// Draws a band of pixels: all rows from one on that the pixels are for. Each is the mean of `smooth` times `smooth` samples.
pub(crate) fn draw_band(
    canvas: &Canvas<'_>,
    background: Sample,
    (width, top, smooth): (u32, u32, u32),
    pixels: &mut [[u8; 4]],
) -> Result<(), Exhausted> {
    let rows = pixels.len() as u32 / width * smooth;
    let count = (width * smooth) as usize * rows as usize;
    let mut band = Band {
        top: (top * smooth) as i32,
        rows: rows as i32,
        width: (width * smooth) as i32,
        samples: room::filled(background, count)?,
        near: room::filled(f32::NEG_INFINITY, count + LANES)?,
    };
    let tables = Tables::new();
    for face in &canvas.faces {
        band.draw(canvas, face, tables);
    }
    band.resolve(smooth as usize, pixels);
    Ok(())
}

/// The edge of a triangle: inside it is 0 or more.
struct Edge {
    /// What a sample more to the right adds.
    right: i64,
    /// What a row more adds.
    down: i64,
    /// At the middle of the very first sample.
    first: i64,
}

impl Edge {
    fn new(a: &Corner, b: &Corner) -> Self {
        let (dx, dy) = (i64::from(b.x) - i64::from(a.x), i64::from(b.y) - i64::from(a.y));
        let half = i64::from(STEP / 2);
        // Samples on an edge belong to the triangle below or to the right of it.
        let owns = dy < 0 || (dy == 0 && dx > 0);
        let first = dx * (half - i64::from(a.y)) - dy * (half - i64::from(a.x)) - i64::from(!owns);
        Edge { right: -dy * i64::from(STEP), down: dx * i64::from(STEP), first }
    }

    /// Narrows a row's first and last sample to what is inside.
    #[inline]
    fn narrow(&self, row: i32, span: &mut (i64, i64)) {
        let start = self.first + self.down * i64::from(row);
        match self.right {
            0 if start < 0 => *span = (0, -1),
            0 => {}
            right @ 1.. => span.0 = span.0.max((right - 1 - start).div_euclid(right)),
            right => span.1 = span.1.min(start.div_euclid(-right)),
        }
    }
}

/// Samples in a row that are taken from one size of a picture.
const RUN: i32 = 8;

impl Band {
    fn draw(&mut self, canvas: &Canvas<'_>, face: &Face, tables: Tables) {
        let corners = face.corners.map(|corner| &canvas.corners[corner as usize]);
        let [a, b, c] = corners;
        let (low, high) = (a.y.min(b.y).min(c.y), a.y.max(b.y).max(c.y));
        // The first row whose middle is not above, and the last whose middle is not below.
        let first = ((low + STEP / 2 - 1) >> 8).max(self.top);
        let last = ((high - STEP / 2) >> 8).min(self.top + self.rows - 1);
        if first > last {
            return;
        }
        let (left, right) = (a.x.min(b.x).min(c.x), a.x.max(b.x).max(c.x));
        if right < 0 || left > self.width * STEP {
            return;
        }
        let area = Raster::area(corners);
        if area <= 0 {
            return;
        }
        let edges = [Edge::new(a, b), Edge::new(b, c), Edge::new(c, a)];
        let slope = Slope::new(corners, area);
        let coat = &canvas.coats[face.coat as usize];
        for row in first..=last {
            let mut span = (0, i64::from(self.width) - 1);
            for edge in &edges {
                edge.narrow(row, &mut span);
            }
            if span.0 <= span.1 {
                self.row(row, (span.0 as i32, span.1 as i32), (&slope, face, coat), tables);
            }
        }
    }

    /// Draws the samples of a row from one to another, as many at once as are reckoned together.
    fn row(
        &mut self,
        row: i32,
        (from, to): (i32, i32),
        (slope, face, coat): (&Slope<'_>, &Face, &Coat<'_>),
        tables: Tables,
    ) {
        let start = (row - self.top) as usize * self.width as usize;
        let (mut levels, mut end_of_run) = ([0; 2], from);
        let mut x = from;
        while x <= to {
            let last = (x | (LANES as i32 - 1)).min(to);
            let place = start + x as usize;
            let parts = slope.parts(x, row);
            let near = slope.near(parts);
            let is_behind = near.cmple(Vec4::from_slice(&self.near[place..place + LANES])).bitmask();
            let within = (1 << (last - x + 1)) - 1;
            let seen = if coat.is_on_top { within } else { !is_behind & within };
            if seen != 0 {
                let on_surface = slope.on_surface(parts);
                let first = x + seen.trailing_zeros() as i32;
                if first >= end_of_run {
                    levels = coat.levels(slope, &on_surface, (first - x) as usize);
                    end_of_run = (first | (RUN - 1)) + 1;
                }
                let shades = Shades::new((slope, face, coat), &on_surface, (levels, seen), tables);
                self.lay(coat.blend, &shades, place, near.to_array());
            }
            x = last + 1;
        }
    }

    /// Lays samples side by side over what is there.
    #[inline]
    fn lay(&mut self, blend: Blend, shades: &Shades, place: usize, near: [f32; LANES]) {
        for lane in lanes(shades.seen) {
            let sample = &mut self.samples[place + lane];
            *sample = blend.lay(shades.colors[lane], shades.alphas[lane], *sample);
            if blend == Blend::Cover {
                self.near[place + lane] = near[lane];
            }
        }
    }

    /// The mean of the samples of each pixel, its colours no longer times alpha.
    fn resolve(&self, smooth: usize, pixels: &mut [[u8; 4]]) {
        let (width, samples_wide) = (self.width as usize / smooth, self.width as usize);
        for (y, row) in pixels.chunks_mut(width).enumerate() {
            for (x, pixel) in row.iter_mut().enumerate() {
                // Red and blue, green and alpha: two sums in a word.
                let (mut even, mut odd) = (0, 0);
                for line in 0..smooth {
                    let first = (y * smooth + line) * samples_wide + x * smooth;
                    for sample in &self.samples[first..first + smooth] {
                        let bits = u32::from_le_bytes(*sample);
                        even += bits & PAIR;
                        odd += bits >> 8 & PAIR;
                    }
                }
                let sums = [even & 0xffff, odd & 0xffff, even >> 16, odd >> 16];
                *pixel = mean(sums, (smooth * smooth) as u32);
            }
        }
    }
}

/// Two bytes of four, each with room for a sum of 16.
const PAIR: u32 = 0x00ff_00ff;

/// The mean of so many samples, their colours no longer times alpha.
#[inline]
fn mean([r, g, b, alpha]: [u32; 4], count: u32) -> [u8; 4] {
    if alpha == 0 {
        return [0; 4];
    }
    // Most pixels are seen through nowhere, and division takes longer than all else here.
    if alpha == count * 255 && count.is_power_of_two() {
        let shift = count.trailing_zeros();
        let channel = |sum: u32| ((sum + count / 2) >> shift) as u8;
        return [channel(r), channel(g), channel(b), u8::MAX];
    }
    let color = |sum: u32| ((sum * 255 + alpha / 2) / alpha).min(255) as u8;
    [color(r), color(g), color(b), ((alpha + count / 2) / count) as u8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seen_through_nowhere_has_the_same_mean_by_shorter_ways() {
        for count in [1, 4, 9, 16] {
            for sum in 0..=count * 255 {
                let alpha = count * 255;
                let long = (sum * 255 + alpha / 2) / alpha;
                assert_eq!(mean([sum, 0, sum, alpha], count), [long as u8, 0, long as u8, 255]);
            }
        }
        assert_eq!(mean([0; 4], 4), [0; 4]);
        assert_eq!(mean([100, 0, 50, 200], 4), [128, 0, 64, 50]);
    }
}
