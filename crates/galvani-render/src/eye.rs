//! Where a model is looked at from.

use std::str::FromStr;

use galvani_core::Path;
use glam::{DMat3, DVec3};

use crate::check::{RenderError, VIEW};

/// Which way a model is looked at, in degrees. The front is what +Z sees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Direction {
    /// How far around, counter-clockwise seen from above: 90 is what +X sees.
    pub azimuth: f64,
    /// How far up: 90 is from above.
    pub elevation: f64,
}

impl Direction {
    /// From the front.
    pub const FRONT: Direction = Direction { azimuth: 0.0, elevation: 0.0 };
    /// A little from the side and from above, as one looks at a thing on a table.
    pub const USUAL: Direction = Direction { azimuth: 35.0, elevation: 20.0 };

    /// The names that some have.
    const NAMED: [(&str, Direction); 6] = [
        ("front", Direction::FRONT),
        ("back", Direction { azimuth: 180.0, elevation: 0.0 }),
        ("right", Direction { azimuth: 90.0, elevation: 0.0 }),
        ("left", Direction { azimuth: -90.0, elevation: 0.0 }),
        ("top", Direction { azimuth: 0.0, elevation: 90.0 }),
        ("iso", Direction { azimuth: 45.0, elevation: 35.264_389_682_754_654 }),
    ];

    /// The same from farther around.
    #[must_use]
    pub fn turned(self, degrees: f64) -> Self {
        Direction { azimuth: self.azimuth + degrees, ..self }
    }

    /// What is right, up and back towards the eye.
    fn axes(self) -> DMat3 {
        let (sin, cos) = sin_cos(self.azimuth);
        let (up, flat) = sin_cos(self.elevation);
        let right = DVec3::new(cos, 0.0, -sin);
        let back = DVec3::new(sin * flat, up, cos * flat);
        DMat3::from_cols(right, back.cross(right), back)
    }
}

/// Sine and cosine of degrees, exact where they are whole.
fn sin_cos(degrees: f64) -> (f64, f64) {
    let quarter = libm::floor(degrees / 90.0 + 0.5);
    let rest = (degrees - quarter * 90.0) * (std::f64::consts::PI / 180.0);
    let (sin, cos) = libm::sincos(rest);
    match (quarter as i64).rem_euclid(4) {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

impl FromStr for Direction {
    type Err = RenderError;

    fn from_str(word: &str) -> Result<Self, RenderError> {
        let named = Direction::NAMED.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
        if let Some((_, direction)) = named {
            return Ok(*direction);
        }
        let angle = |word: &str| word.trim().parse().ok().filter(|angle: &f64| angle.abs() <= 1e6);
        let pair = word.split_once(',').and_then(|(a, b)| angle(a).zip(angle(b)));
        let found = pair.map(|(azimuth, elevation)| Direction { azimuth, elevation });
        found.filter(|found| found.elevation.abs() <= 90.0).ok_or_else(|| {
            let said = format!("`{word}`: front, back, left, right, top, iso or two angles are wanted");
            VIEW.at(Path::root()).saying(said).into()
        })
    }
}

/// Whether what is farther away looks smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lens {
    /// It does.
    #[default]
    Perspective,
    /// It does not.
    Parallel,
}

/// An eye: where it is, which way it looks and how much it sees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Eye {
    /// What is right, up and back.
    pub(crate) axes: DMat3,
    /// Where it is, along these.
    pub(crate) at: DVec3,
    /// Whether what is farther away looks smaller.
    pub(crate) lens: Lens,
    /// Half of what it sees up and down: at a distance of 1, or everywhere.
    pub(crate) half: f64,
    /// What is nearer is not seen.
    pub(crate) near: f64,
}

/// Half the angle of perspective, as its tangent: 15 degrees.
const TANGENT: f64 = 0.267_949_192_431_122_7;

/// How much of a picture a model fills.
const FILLED: f64 = 0.92;

/// What an eye must see, point by point.
#[derive(Debug, Clone, Copy)]
pub struct Fit {
    axes: DMat3,
    lens: Lens,
    aspect: f64,
    /// The farthest that points lie right, left, up and down of the planes through the eye that bound what it sees.
    most: [f64; 4],
    low: DVec3,
    high: DVec3,
}

impl Fit {
    /// Nothing yet, to be seen so; `aspect` is the width of the picture by its height.
    pub fn new(direction: Direction, lens: Lens, aspect: f64) -> Self {
        Fit {
            axes: direction.axes(),
            lens,
            aspect,
            most: [f64::NEG_INFINITY; 4],
            low: DVec3::INFINITY,
            high: DVec3::NEG_INFINITY,
        }
    }

    /// The tangents of half of what is seen sideways, and up and down.
    fn tangents(&self) -> [f64; 2] {
        [TANGENT * self.aspect * FILLED, TANGENT * FILLED]
    }

    /// A point that must be seen; one that is nowhere need not.
    #[inline]
    pub fn add(&mut self, point: DVec3) {
        if !point.is_finite() {
            return;
        }
        let [tx, ty] = self.tangents();
        let at =
            DVec3::new(self.axes.x_axis.dot(point), self.axes.y_axis.dot(point), self.axes.z_axis.dot(point));
        let sides = [at.x + tx * at.z, -at.x + tx * at.z, at.y + ty * at.z, -at.y + ty * at.z];
        for (most, side) in self.most.iter_mut().zip(sides) {
            *most = most.max(side);
        }
        self.low = self.low.min(at);
        self.high = self.high.max(at);
    }

    /// Whether there is anything to see.
    pub fn is_empty(&self) -> bool {
        !self.low.cmple(self.high).all()
    }

    /// The box of all points, along right, up and back.
    pub(crate) fn bounds(&self) -> Option<(DVec3, DVec3)> {
        (!self.is_empty()).then_some((self.low, self.high))
    }

    /// The eye that sees all of it, so many times as large.
    pub fn eye(&self, zoom: f64) -> Eye {
        let (low, high) = if self.is_empty() { (DVec3::ZERO, DVec3::ZERO) } else { (self.low, self.high) };
        let size = (high - low).max_element();
        let size = if size > 0.0 && size.is_finite() { size } else { 1.0 };
        let (axes, lens, middle) = (self.axes, self.lens, (low + high) * 0.5);
        match lens {
            Lens::Parallel => {
                let seen = high - low;
                let half = (seen.y * 0.5).max(seen.x * 0.5 / self.aspect) / FILLED;
                let half = if half > size * 1e-3 { half } else { size * 0.5 };
                let at = DVec3::new(middle.x, middle.y, high.z + size);
                Eye { axes, at, lens, half: half / zoom, near: size * 1e-3 }
            }
            Lens::Perspective => {
                let [tx, ty] = self.tangents();
                let [right, left, up, down] = if self.is_empty() { [0.0; 4] } else { self.most };
                // Where the planes that bound what is seen meet, and never inside the model.
                let back =
                    ((right + left) / (2.0 * tx)).max((up + down) / (2.0 * ty)).max(high.z + size * 0.5);
                let at = DVec3::new((right - left) * 0.5, (up - down) * 0.5, back);
                Eye { axes, at, lens, half: TANGENT / zoom, near: (back - high.z) * 0.05 }
            }
        }
    }
}

impl Eye {
    /// The same eye farther around the upright axis of the model, by degrees.
    #[must_use]
    pub fn around(self, degrees: f64) -> Self {
        if degrees == 0.0 {
            return self;
        }
        let (sin, cos) = sin_cos(degrees);
        let turn = |axis: DVec3| DVec3::new(axis.x * cos + axis.z * sin, axis.y, axis.z * cos - axis.x * sin);
        let DMat3 { x_axis, y_axis, z_axis } = self.axes;
        // Where it is stands along its own axes, which turn with it.
        Eye { axes: DMat3::from_cols(turn(x_axis), turn(y_axis), turn(z_axis)), ..self }
    }

    /// The same eye, to which everything is so many times as large.
    #[must_use]
    pub fn nearer(self, times: f64) -> Self {
        Eye { half: self.half / times, ..self }
    }

    /// What takes a point of the model to the eye's own space: right, up, back.
    pub fn view(&self) -> glam::DAffine3 {
        let turned = self.axes.transpose();
        glam::DAffine3 { matrix3: turned, translation: -self.at }
    }

    /// Whether what is farther away looks smaller.
    pub fn lens(&self) -> Lens {
        self.lens
    }

    /// What is nearer is not seen.
    pub fn near(&self) -> f64 {
        self.near
    }

    /// The tangents of a picture's half width and height, or these where the lens is parallel.
    pub fn halves(&self, aspect: f64) -> [f64; 2] {
        [self.half * aspect, self.half]
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp, reason = "these are exact")]

    use super::*;

    #[test]
    fn directions_have_names_or_angles() {
        let of = |word: &str| word.parse::<Direction>().map(|found| (found.azimuth, found.elevation));
        assert_eq!(of("Back").unwrap(), (180.0, 0.0));
        assert_eq!(of("-30,12.5").unwrap(), (-30.0, 12.5));
        for wrong in ["", "behind", "1", "1,2,3", "nan,0", "0,91", "inf,0"] {
            assert_eq!(of(wrong).unwrap_err().cause.code.name, "render.view", "{wrong}");
        }
    }

    #[test]
    fn whole_quarters_are_exact() {
        assert_eq!(
            [0.0, 90.0, 180.0, 270.0, -90.0].map(|angle| sin_cos(angle).0),
            [0.0, 1.0, 0.0, -1.0, -1.0]
        );
        assert!((sin_cos(30.0).0 - 0.5).abs() < 1e-15);
        let axes = Direction { azimuth: 90.0, elevation: 0.0 }.axes();
        assert_eq!((axes.x_axis, axes.y_axis, axes.z_axis), (-DVec3::Z, DVec3::Y, DVec3::X));
    }

    #[test]
    fn everything_that_must_be_seen_is_seen() {
        let points = [DVec3::new(1.0, 2.0, 3.0), DVec3::new(-4.0, 0.5, 0.0), DVec3::new(0.0, 9.0, -3.0)];
        for lens in [Lens::Perspective, Lens::Parallel] {
            for (azimuth, elevation) in [(0.0, 0.0), (35.0, 20.0), (-120.0, 80.0), (10.0, 90.0)] {
                let mut fit = Fit::new(Direction { azimuth, elevation }, lens, 1.5);
                for point in &points {
                    fit.add(*point);
                }
                let eye = fit.eye(1.0);
                let [half_x, half_y] = eye.halves(1.5);
                let mut most: f64 = 0.0;
                for point in points {
                    let at = eye.view().transform_point3(point);
                    let depth = if lens == Lens::Parallel { 1.0 } else { -at.z };
                    assert!(-at.z > eye.near);
                    most = most.max((at.x / depth / half_x).abs()).max((at.y / depth / half_y).abs());
                }
                assert!((most - FILLED).abs() < 1e-9, "{lens:?} {azimuth},{elevation}: {most}");
            }
        }
    }

    #[test]
    fn nothing_and_a_single_point_are_seen_from_somewhere() {
        for lens in [Lens::Perspective, Lens::Parallel] {
            let mut fit = Fit::new(Direction::USUAL, lens, 1.0);
            assert!(fit.is_empty() && fit.eye(1.0).at.is_finite());
            fit.add(DVec3::splat(f64::NAN));
            assert!(fit.is_empty());
            fit.add(DVec3::splat(5.0));
            let eye = fit.eye(1.0);
            assert!(eye.at.is_finite() && eye.near > 0.0 && eye.half > 0.0);
        }
    }
}
