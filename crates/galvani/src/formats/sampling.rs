//! What `sample` asks of a document, in one shape for every format.

use super::Selector;

/// Which poses are wanted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sampling {
    /// At these times; without any, the pose of rest.
    pub times: Vec<f64>,
    /// Another time blended over each of them, and its weight.
    pub blend: Option<(f32, f32)>,
    /// One node or bone; without it, all of them.
    pub node: Option<Selector>,
    /// One animation of several; without it, all of them.
    pub clip: Option<Selector>,
    /// FF7: which way up positions are.
    pub y: Y,
    /// Relative to what; without it, as the format has it.
    pub space: Option<Space>,
    /// What to do with the translation of a first node without a parent.
    pub root: Root,
    /// The pose of rest.
    pub rest: Rest,
    /// MDX: what the clock of global sequences says; without it, the time.
    pub global_time: Option<f64>,
    /// MDX: what lies before the first key of a sequence and behind the last; without it, as the sequence loops.
    pub edges: Option<Edges>,
    /// MDX: every animated property as well.
    pub tracks: bool,
    /// MDX: how the camera is turned, w, x, y, z; without it, nothing faces it.
    pub camera: Option<[f32; 4]>,
}

#[cfg(any(feature = "parkan", feature = "ff7", feature = "mdx"))]
impl Sampling {
    /// Refuses flags that a format does not know: nothing asked for is passed over in silence.
    pub(crate) fn only(&self, known: &[&str]) -> Result<(), galvani_core::SampleError> {
        let asked = [
            ("--clip", self.clip.is_some()),
            ("--node", self.node.is_some()),
            ("--blend", self.blend.is_some()),
            ("--space", self.space.is_some()),
            ("--root", self.root != Root::default()),
            ("--rest", self.rest != Rest::default()),
            ("--y", self.y != Y::default()),
            ("--global-time", self.global_time.is_some()),
            ("--edges", self.edges.is_some()),
            ("--tracks", self.tracks),
            ("--camera", self.camera.is_some()),
        ];
        match asked.iter().find(|(flag, is_set)| *is_set && !known.contains(flag)) {
            Some((flag, _)) => Err(crate::codes::NO_FLAG.at(galvani_core::Path::root()).saying(*flag).into()),
            None => Ok(()),
        }
    }
}

/// The nearest number of single precision.
#[cfg(any(feature = "parkan", feature = "ff7"))]
#[allow(clippy::cast_possible_truncation, reason = "`as` rounds to the nearest")]
pub(crate) fn single(number: f64) -> f32 {
    number as f32
}

/// The number of a frame as a time.
#[cfg(feature = "ff7")]
#[allow(clippy::cast_precision_loss, reason = "no animation has 2^53 frames")]
pub(crate) fn as_time(frame: usize) -> f64 {
    frame as f64
}

/// Which way up positions are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Y {
    /// As the file has them: down is positive.
    #[default]
    Stored,
    /// With the sign of Y turned, as the format's first description does.
    Reversed,
}

/// What lies before the first key of a sequence and behind the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edges {
    /// The way from the last key over the seam to the first.
    Wrap,
    /// The first key, and the last.
    Hold,
}

/// Relative to what a pose is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Space {
    /// The node's parent.
    #[default]
    Local,
    /// The model.
    Model,
}

/// What to do with the translation of a first node without a parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Root {
    /// As the file says.
    #[default]
    Keep,
    /// None, as the engine poses.
    Clear,
}

/// Which pose a model has when nobody gives a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rest {
    /// The pose at time 0.
    #[default]
    Frame0,
    /// Every node on its fallback key.
    Fallback,
}
