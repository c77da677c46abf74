//! Motions: curves over time, each moving one thing.

use glam::{Quat, Vec2, Vec3};

use crate::{Curve, Extras, Id, Interp, Material, Node, SceneImage};

/// A motion of the whole scene.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Clip {
    /// What it is called.
    pub name: String,
    /// Its place in the file that it comes from.
    pub index: u32,
    /// How long it is, in seconds; keys may end earlier.
    pub duration: f32,
    /// What comes behind its end.
    pub looping: Looping,
    /// What moves. What does not, stays at rest.
    pub tracks: Vec<Track>,
    /// What happens, in order of time.
    pub events: Vec<Event>,
    /// What else is known.
    pub extras: Extras,
}

impl Clip {
    /// Where a time lies within the clip; its end is its own, not its start.
    pub fn time(&self, time: f32) -> f32 {
        match self.looping {
            Looping::Wrap if time > self.duration && self.duration > 0.0 => time % self.duration,
            _ => time.clamp(0.0, self.duration.max(0.0)),
        }
    }
}

/// What comes behind the end of a clip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Looping {
    /// Its last moment.
    #[default]
    Hold,
    /// Its first moment.
    Wrap,
}

impl Looping {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Looping::Hold => "hold",
            Looping::Wrap => "wrap",
        }
    }
}

/// Something that happens in a clip.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// What.
    pub name: String,
    /// When, in seconds from the start of the clip.
    pub time: f32,
}

/// What a curve moves. Its values stand in place of those at rest.
#[derive(Debug, Clone, PartialEq)]
pub enum Track {
    /// A node's place in its parent's space.
    Translation(Id<Node>, Curve<Vec3>),
    /// How a node is turned.
    Rotation(Id<Node>, Curve<Quat>),
    /// How large a node is.
    Scale(Id<Node>, Curve<Vec3>),
    /// Whether what a node shows is seen.
    Visibility(Id<Node>, Curve<bool>),
    /// Red, green and blue of a material's base colour.
    Color(Id<Material>, Curve<Vec3>),
    /// Alpha of a material's base colour.
    Alpha(Id<Material>, Curve<f32>),
    /// The picture of a material's texture.
    Texture(Id<Material>, Curve<Option<Id<SceneImage>>>),
    /// How the coordinates of a material's texture are moved.
    UvOffset(Id<Material>, Curve<Vec2>),
    /// How they are turned.
    UvRotation(Id<Material>, Curve<f32>),
    /// How they are scaled.
    UvScale(Id<Material>, Curve<Vec2>),
}

/// The same for the curve of a track, whatever its values.
macro_rules! of_curve {
    ($track:expr, $curve:ident => $what:expr) => {
        match $track {
            Track::Translation(_, $curve) | Track::Scale(_, $curve) | Track::Color(_, $curve) => $what,
            Track::Rotation(_, $curve) => $what,
            Track::Visibility(_, $curve) => $what,
            Track::Alpha(_, $curve) | Track::UvRotation(_, $curve) => $what,
            Track::Texture(_, $curve) => $what,
            Track::UvOffset(_, $curve) | Track::UvScale(_, $curve) => $what,
        }
    };
}
pub(crate) use of_curve;

impl Track {
    /// The node that it moves.
    pub fn node(&self) -> Option<Id<Node>> {
        match self {
            Track::Translation(node, _) | Track::Scale(node, _) => Some(*node),
            Track::Rotation(node, _) => Some(*node),
            Track::Visibility(node, _) => Some(*node),
            _ => None,
        }
    }

    /// The material that it changes.
    pub fn material(&self) -> Option<Id<Material>> {
        match self {
            Track::Color(material, _) => Some(*material),
            Track::Alpha(material, _) | Track::UvRotation(material, _) => Some(*material),
            Track::Texture(material, _) => Some(*material),
            Track::UvOffset(material, _) | Track::UvScale(material, _) => Some(*material),
            _ => None,
        }
    }

    /// The same for another node; what changes a material stays as it is.
    #[must_use]
    pub fn on(mut self, other: Id<Node>) -> Self {
        match &mut self {
            Track::Translation(node, _) | Track::Scale(node, _) => *node = other,
            Track::Rotation(node, _) => *node = other,
            Track::Visibility(node, _) => *node = other,
            _ => {}
        }
        self
    }

    /// The word for what it moves.
    pub fn word(&self) -> &'static str {
        match self {
            Track::Translation(..) => "translation",
            Track::Rotation(..) => "rotation",
            Track::Scale(..) => "scale",
            Track::Visibility(..) => "visibility",
            Track::Color(..) => "color",
            Track::Alpha(..) => "alpha",
            Track::Texture(..) => "texture",
            Track::UvOffset(..) => "uv_offset",
            Track::UvRotation(..) => "uv_rotation",
            Track::UvScale(..) => "uv_scale",
        }
    }

    /// The times of its keys.
    pub fn times(&self) -> &[f32] {
        of_curve!(self, curve => &curve.times)
    }

    /// How values lie between two keys.
    pub fn interp(&self) -> Interp {
        of_curve!(self, curve => curve.interp)
    }
}
