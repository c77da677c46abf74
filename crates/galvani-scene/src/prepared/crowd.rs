//! Many figures at once.

use super::{JointPoses, ModelMatrices, PreparedClip, PreparedSampler, PreparedSkeleton};

/// One of a crowd: what moves it, when, and where its joints are.
#[derive(Debug, Clone)]
pub struct Figure<'c> {
    /// How its joints hang together.
    pub skeleton: &'c PreparedSkeleton,
    /// Its clip, and where in it was sampled last.
    pub sampler: PreparedSampler<'c>,
    /// The time of its clip, in seconds.
    pub time: f32,
    /// Its joints in their parents' spaces.
    pub pose: JointPoses,
    /// Its joints in the model's space.
    pub places: ModelMatrices,
}

impl<'c> Figure<'c> {
    /// A figure at the beginning of a clip.
    pub fn new(skeleton: &'c PreparedSkeleton, clip: &'c PreparedClip) -> Self {
        Figure {
            skeleton,
            sampler: clip.sampler(),
            time: 0.0,
            pose: JointPoses::identity(clip.joint_count()),
            places: ModelMatrices::identity(skeleton.joint_count()),
        }
    }

    /// Poses it at its time and puts its joints in their places. Nothing is allocated.
    pub fn pose(&mut self) {
        self.sampler.sample(self.time, &mut self.pose);
        self.skeleton.to_model(&self.pose, &mut self.places);
    }
}

/// Poses every figure; with the feature `rayon` on all cores. Nothing is allocated.
pub fn pose_crowd(figures: &mut [Figure<'_>]) {
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        figures.par_iter_mut().for_each(Figure::pose);
    }
    #[cfg(not(feature = "rayon"))]
    figures.iter_mut().for_each(Figure::pose);
}
