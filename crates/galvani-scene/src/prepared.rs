//! Poses of whole crowds: clips, skeletons and meshes made ready once, and then sampled many joints at a time.
//!
//! [`Sampler`](crate::Sampler) serves scenes as they are, everything that moves in them, one thing after another. What
//! stands here is for whoever needs many poses: a [`PreparedClip`] holds the keys of a clip sixteen joints to a block,
//! its [`PreparedSampler`] fills a [`JointPoses`], a [`PreparedSkeleton`] blends such poses, adds layers and puts them in
//! their place, a [`PreparedMesh`] bends vertices. After making them ready nothing is allocated.
//!
//! Rotations are blended on the arc itself (slerp), within [`MOST_TURNED`] of arithmetic in double precision. The
//! instructions that the machine has are chosen when something is made ready ([`Level`]); whatever they are, results are
//! the same to the last bit: every operation is one that IEEE 754 rounds in one way, in one order, none fused.
//!
//! ```
//! use galvani_scene::prepared::{JointPoses, ModelMatrices, PreparedClip, PreparedSkeleton};
//! use galvani_scene::{Clip, Curve, Id, Node, Scene, Track};
//! use glam::Vec3;
//!
//! let body = Node::default();
//! let arm = Node { parent: Some(Id::new(0)), translation: Vec3::X, ..Node::default() };
//! let rise = Track::Translation(Id::new(0), Curve::linear(vec![0.0, 1.0], vec![Vec3::ZERO, Vec3::Y * 2.0]));
//! let clip = Clip { duration: 1.0, tracks: vec![rise], ..Clip::default() };
//! let scene = Scene { nodes: vec![body, arm], clips: vec![clip], ..Scene::default() };
//!
//! // Once.
//! let skeleton = PreparedSkeleton::new(&scene);
//! let clip = PreparedClip::new(&scene, &scene.clips[0]);
//! let (mut sampler, mut pose) = (clip.sampler(), JointPoses::at_rest(&scene));
//! let mut places = ModelMatrices::identity(scene.nodes.len());
//!
//! // For every frame.
//! sampler.sample(0.5, &mut pose);
//! skeleton.to_model(&pose, &mut places);
//! assert_eq!(places.matrix(1).w_axis.truncate(), Vec3::new(1.0, 1.0, 0.0));
//! ```

mod arc;
mod blend;
mod clip;
mod crowd;
mod matrices;
mod parents;
pub mod plain;
mod pose;
mod sample;
mod skin;
mod time;

pub use blend::PoseLayer;
pub use clip::PreparedClip;
pub use crowd::{Figure, pose_crowd};
pub use fearless_simd::Level;
pub use matrices::ModelMatrices;
pub use parents::PreparedSkeleton;
pub use pose::JointPoses;
pub use sample::PreparedSampler;
pub use skin::{PreparedMesh, PreparedSkin};

/// How far a sampled rotation is at most from that of the same keys in double precision, in radians.
pub const MOST_TURNED: f32 = 1e-6;

/// How many joints a block holds: two groups of [`LANES`](crate::LANES), worked on side by side where registers hold no
/// more than one.
const BLOCK: usize = 2 * crate::LANES;

/// One number for each joint of a block.
type Row = [f32; BLOCK];

/// How many blocks hold so many joints.
const fn blocks(joints: usize) -> usize {
    joints.div_ceil(BLOCK)
}
