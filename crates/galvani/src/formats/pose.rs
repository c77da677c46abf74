//! Poses: what sampling gives, whatever the format. Renderers make JSON, tables and arrays of them.

use glam::{Mat4, Quat, Vec3};

/// A model, or some of its nodes, at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Pose {
    /// The animation, where a file may hold several.
    pub clip: Option<ClipLabel>,
    /// When, in the format's own unit: frames, or milliseconds of a sequence. `None` is the pose of rest.
    pub time: Option<f64>,
    /// The nodes asked for, in the file's order.
    pub nodes: Vec<NodePose>,
    /// What only some formats have.
    pub kind: PoseKind,
}

/// Which animation a pose is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClipLabel {
    /// Its place in the file; `None` for the one pose of a model without animations.
    pub index: Option<usize>,
    /// Its name, where clips have names.
    pub name: Option<String>,
}

/// An animation, and which times it has.
#[derive(Debug, Clone, PartialEq)]
pub struct ClipSpan {
    /// Its place in the file.
    pub index: usize,
    /// Its name; of clips without names, what their scenes call them.
    pub name: String,
    /// When it begins, on the file's own timeline; poses are asked for by the time since then.
    pub start: f64,
    /// When it ends, on the same.
    pub end: f64,
    /// Whether it begins again behind its end.
    pub looping: bool,
    /// How many units of its times a second has; where the file does not say, as scenes have it.
    pub rate: f64,
}

/// What only the poses of some formats have.
#[derive(Debug, Clone, PartialEq)]
pub enum PoseKind {
    /// Nodes on their own key tracks.
    Keyed {
        /// Another time blended over the pose's own, and its weight.
        blend: Option<(f32, f32)>,
    },
    /// A frame of whole numbers, with the place of the root.
    Packed {
        /// In the model's units.
        position: [i32; 3],
    },
    /// A frame of degrees, with the root apart from its bones.
    Degrees {
        /// Place of the root.
        position: Vec3,
        /// Rotation of the root.
        rotation: Quat,
    },
    /// A moment of a sequence.
    Sequence {
        /// What the clock of global sequences says, in milliseconds.
        global_time: f64,
        /// Every animated property, where they were asked for.
        properties: Option<Vec<PoseProperty>>,
    },
}

/// A node at that moment.
#[derive(Debug, Clone, PartialEq)]
pub struct NodePose {
    /// Its place in the file; of a bone of FF7 its slot, 0 being the root.
    pub index: usize,
    /// The number it has of its own: of MDX nodes the object id.
    pub id: i64,
    /// Its name, where nodes have names.
    pub name: Option<String>,
    /// Where it is, in the space that was asked for; `None` where only a skeleton could say.
    pub position: Option<Vec3>,
    /// How far it is moved.
    pub translation: Vec3,
    /// How it is turned.
    pub rotation: Quat,
    /// How it is stretched.
    pub scale: Vec3,
    /// All of that together, in the space that was asked for.
    pub matrix: Option<Mat4>,
    /// The numbers it was made from.
    pub source: PoseSource,
}

/// The numbers that the pose of a node was made from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PoseSource {
    /// Nothing worth showing.
    Curves,
    /// How its key track was read, on both sides of a blend; `None` where a side does not count.
    Branches(Option<PoseBranch>, Option<PoseBranch>),
    /// Whole angles, 4096 to a turn.
    Angles(Angles),
    /// Degrees about x, y and z.
    Degrees([f32; 3]),
}

/// How the pose of a node was found on its key track.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PoseBranch {
    /// There are no keys: the identity.
    Still,
    /// On the node's fallback key.
    Fallback,
    /// On a key.
    Key,
    /// Between two keys.
    Segment,
}

impl PoseBranch {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            PoseBranch::Still => "none",
            PoseBranch::Fallback => "fallback",
            PoseBranch::Key => "key",
            PoseBranch::Segment => "segment",
        }
    }
}

/// A rotation about x, y and z in every form the format's description has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Angles {
    /// As the running sums hold it.
    pub raw: [i16; 3],
    /// Turned positive once.
    pub int: [i32; 3],
    /// The same in degrees.
    pub float: [f32; 3],
    /// Within one turn of 4096.
    pub angle: [u16; 3],
    /// The same in degrees.
    pub degrees: [f32; 3],
}

/// An animated property.
#[derive(Debug, Clone, PartialEq)]
pub struct PoseProperty {
    /// Where its track stands: `MTLS[0].LAYS[0].KMTA`.
    pub path: String,
    /// What it is at that moment.
    pub value: PropertyValue,
    /// Whether any key counts; if none does, the value is the default.
    pub keyed: bool,
}

/// What an animated property may be.
#[derive(Debug, Clone, PartialEq)]
pub enum PropertyValue {
    /// Which of several: a texture.
    Index(i64),
    /// A number.
    Number(f32),
    /// Several: a place, a colour, a scale.
    Numbers(Vec<f32>),
    /// A rotation.
    Rotation(Quat),
}

/// A matrix from sixteen numbers, row by row.
#[cfg(any(feature = "parkan", feature = "ff7"))]
pub(crate) fn from_rows(rows: &[f32; 16]) -> Mat4 {
    Mat4::from_cols_array(rows).transpose()
}
