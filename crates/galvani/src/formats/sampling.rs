//! What `sample` asks of a document, in one shape for every format.

use super::EntryRef;

/// Which poses are wanted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sampling {
    /// At these times; without any, the pose of rest.
    pub times: Vec<f32>,
    /// Another time blended over each of them, and its weight.
    pub blend: Option<(f32, f32)>,
    /// One node; without it, all of them.
    pub node: Option<EntryRef>,
    /// Relative to what.
    pub space: Space,
    /// What to do with the translation of a first node without a parent.
    pub root: Root,
    /// The pose of rest.
    pub rest: Rest,
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
