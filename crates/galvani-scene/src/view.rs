//! Lamps and eyes. Both look along -Z of their node.

use glam::Vec3;

use crate::Extras;

/// A lamp.
#[derive(Debug, Clone, PartialEq)]
pub struct Light {
    /// What it is called.
    pub name: String,
    /// Where its light goes.
    pub form: LightForm,
    /// Red, green, blue; linear, from 0 to 1.
    pub color: Vec3,
    /// How bright: candela, or lux where it comes from everywhere.
    pub intensity: f32,
    /// Where it ends; nothing, never.
    pub range: Option<f32>,
    /// What else is known.
    pub extras: Extras,
}

/// Where the light of a lamp goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LightForm {
    /// Everywhere from one point.
    Point,
    /// One way from everywhere.
    Directional,
    /// In a cone; the half angles at which it begins to fade and ends, in radians.
    Spot {
        /// From here it fades.
        inner: f32,
        /// Here it ends.
        outer: f32,
    },
}

/// An eye.
#[derive(Debug, Clone, PartialEq)]
pub struct Camera {
    /// What it is called.
    pub name: String,
    /// How far up and down it sees together, in radians.
    pub fov_y: f32,
    /// What is nearer is not seen.
    pub near: f32,
    /// What is farther is not seen; nothing, everything is.
    pub far: Option<f32>,
    /// What else is known.
    pub extras: Extras,
}
