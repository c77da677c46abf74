//! From triangles on the raster to pixels, band by band.

use galvani_core::{Exhausted, room};
use galvani_scene::{Filter, Wrap};
use glam::Vec4;

use crate::blend::{Blend, Sample};
use crate::color::Tables;
use crate::face::{Corner, Face, Raster, STEP};
use crate::paint::Paint;
use crate::shade;

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
        near: room::filled(f32::NEG_INFINITY, count)?,
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
            right @ 1.. => {
                span.0 = span.0.max((-start).div_euclid(right) + i64::from((-start).rem_euclid(right) != 0));
            }
            right => span.1 = span.1.min(start.div_euclid(-right)),
        }
    }
}

/// What a triangle is over the raster: parts of the way to its second and third corner.
struct Slope<'c> {
    corners: [&'c Corner; 3],
    /// How the parts change by a sample to the right, and by a row.
    right: [f32; 2],
    down: [f32; 2],
    /// The first corner in samples, from the middle of the very first.
    from: [f32; 2],
}

impl<'c> Slope<'c> {
    fn new(corners: [&'c Corner; 3], area: i64) -> Self {
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

    /// The parts at a sample.
    #[inline]
    fn parts(&self, x: i32, y: i32) -> [f32; 2] {
        let (x, y) = (x as f32 - self.from[0], y as f32 - self.from[1]);
        [self.right[0] * x + self.down[0] * y, self.right[1] * x + self.down[1] * y]
    }

    #[inline]
    fn near(&self, parts: [f32; 2]) -> f32 {
        let [a, b, c] = self.corners;
        a.near + (b.near - a.near) * parts[0] + (c.near - a.near) * parts[1]
    }

    #[inline]
    fn weight(&self, parts: [f32; 2]) -> f32 {
        let [a, b, c] = self.corners;
        a.weight + (b.weight - a.weight) * parts[0] + (c.weight - a.weight) * parts[1]
    }

    /// The parts on the surface itself, which is farther away at one end than at the other.
    #[inline]
    fn on_surface(&self, parts: [f32; 2]) -> [f32; 2] {
        let by = 1.0 / self.weight(parts);
        [parts[0] * self.corners[1].weight * by, parts[1] * self.corners[2].weight * by]
    }

    /// The square of how many pixels of a picture of that size lie between two samples here.
    fn density(&self, parts: [f32; 2], size: [f32; 2]) -> f32 {
        let [a, b, c] = self.corners;
        let by = 1.0 / self.weight(parts);
        let [p, q] = self.on_surface(parts);
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

    /// Draws the samples of a row from one to another.
    fn row(
        &mut self,
        row: i32,
        (from, to): (i32, i32),
        (slope, face, coat): (&Slope<'_>, &Face, &Coat<'_>),
        tables: Tables,
    ) {
        let start = (row - self.top) as usize * self.width as usize;
        let (mut level, mut glow_level) = (0, 0);
        let mut end_of_run = from;
        for x in from..=to {
            let parts = slope.parts(x, row);
            let near = slope.near(parts);
            let place = start + x as usize;
            if near <= self.near[place] && !coat.is_on_top {
                continue;
            }
            if x >= end_of_run {
                let density = |skin: &Skin<'_>| skin.paint.level(slope.density(parts, skin.paint.size()));
                level = coat.skin.as_ref().map_or(0, density);
                glow_level = coat.glow.as_ref().map_or(0, density);
                end_of_run = (x | (RUN - 1)) + 1;
            }
            let Some((color, alpha)) = shaded((slope, face, coat), parts, [level, glow_level], tables) else {
                continue;
            };
            let sample = &mut self.samples[place];
            *sample = coat.blend.lay(color, alpha, *sample);
            if coat.blend == Blend::Cover {
                self.near[place] = near;
            }
        }
    }

    /// The mean of the samples of each pixel, its colours no longer times alpha.
    fn resolve(&self, smooth: usize, pixels: &mut [[u8; 4]]) {
        let width = self.width as usize / smooth;
        let count = (smooth * smooth) as u32;
        for (y, row) in pixels.chunks_mut(width).enumerate() {
            for (x, pixel) in row.iter_mut().enumerate() {
                let mut sums = [0_u32; 4];
                for line in 0..smooth {
                    let first = (y * smooth + line) * self.width as usize + x * smooth;
                    for sample in &self.samples[first..first + smooth] {
                        for (sum, channel) in sums.iter_mut().zip(sample) {
                            *sum += u32::from(*channel);
                        }
                    }
                }
                let alpha = sums[3];
                let color = |sum: u32| (sum * 255 + alpha / 2).checked_div(alpha).unwrap_or(0).min(255) as u8;
                let [r, g, b, _] = sums;
                *pixel = [color(r), color(g), color(b), ((alpha + count / 2) / count) as u8];
            }
        }
    }
}

/// The colour of a surface at a sample, and its alpha; nothing where it is not seen.
#[inline]
fn shaded(
    (slope, face, coat): (&Slope<'_>, &Face, &Coat<'_>),
    parts: [f32; 2],
    [level, glow_level]: [usize; 2],
    tables: Tables,
) -> Option<([u8; 3], u8)> {
    let [a, b, c] = slope.corners;
    let [p, q] = slope.on_surface(parts);
    let uv = a.uv + (b.uv - a.uv) * p + (c.uv - a.uv) * q;
    let at = |skin: &Skin<'_>, level| skin.paint.at(level, uv.to_array(), skin.wrap, skin.filter);
    let pixel = coat.skin.as_ref().map(|skin| at(skin, level));
    let mut tint = coat.base;
    if face.is_colored {
        let own = a.color.to_array();
        let (to_b, to_c) = (b.color.to_array(), c.color.to_array());
        let mixed: [f32; 4] =
            std::array::from_fn(|i| own[i] + (to_b[i] - own[i]) * p + (to_c[i] - own[i]) * q);
        tint = Vec4::from_array(std::array::from_fn(|i| mixed[i] * coat.base[i]));
    }
    let alpha = pixel.map_or(255.0, |pixel| f32::from(pixel[3])) * tint.w;
    if coat.cutoff.is_some_and(|cutoff| alpha < cutoff) {
        return None;
    }
    let light = if coat.is_lit {
        let normal = a.normal + (b.normal - a.normal) * p + (c.normal - a.normal) * q;
        shade::light(if face.is_back { -normal } else { normal })
    } else {
        1.0
    };
    let own = pixel.map_or([1.0; 3], |[r, g, b, _]| [r, g, b].map(|channel| tables.light(channel)));
    let glow = coat.glow.as_ref().map(|skin| at(skin, glow_level));
    let glow = glow.map_or([1.0; 3], |[r, g, b, _]| [r, g, b].map(|channel| tables.light(channel)));
    let channel = |i: usize| tables.shown(own[i] * tint[i] * light + coat.emissive[i] * glow[i]);
    Some(([channel(0), channel(1), channel(2)], (alpha + 0.5) as u8))
}
