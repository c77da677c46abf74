//! What `sample` asks of a document, in one shape for every format.

use super::EntryRef;

/// Which poses are wanted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sampling {
    /// At these times; without any, the pose of rest.
    pub times: Vec<f32>,
    /// Another time blended over each of them, and its weight.
    pub blend: Option<(f32, f32)>,
    /// One node or bone; without it, all of them.
    pub node: Option<EntryRef>,
    /// One animation of several; without it, all of them.
    pub clip: Option<EntryRef>,
    /// FF7: which way up positions are.
    pub y: Y,
    /// Relative to what.
    pub space: Space,
    /// What to do with the translation of a first node without a parent.
    pub root: Root,
    /// The pose of rest.
    pub rest: Rest,
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
