//! Poses as lanes take them.

use glam::{Quat, Vec3};

use super::{BLOCK, Row, blocks};
use crate::{Moment, Scene};

/// Where each joint is in its parent's space, how it is turned and how large it is: the buffer of a caller.
///
/// Joints lie sixteen to a block, each component of them in a row.
#[derive(Debug, Clone, PartialEq)]
pub struct JointPoses {
    pub(super) joints: usize,
    pub(super) blocks: Vec<PoseBlock>,
}

/// Sixteen joints.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub(super) struct PoseBlock {
    pub(super) rotation: [Row; 4],
    pub(super) translation: [Row; 3],
    pub(super) scale: [Row; 3],
}

impl PoseBlock {
    /// Joints that stand where their parents do.
    pub(super) const STILL: PoseBlock = PoseBlock {
        rotation: [[0.0; BLOCK], [0.0; BLOCK], [0.0; BLOCK], [1.0; BLOCK]],
        translation: [[0.0; BLOCK]; 3],
        scale: [[1.0; BLOCK]; 3],
    };
}

impl JointPoses {
    /// So many joints that stand where their parents do.
    pub fn identity(joints: usize) -> Self {
        JointPoses { joints, blocks: vec![PoseBlock::STILL; blocks(joints)] }
    }

    /// The nodes of a scene at rest.
    pub fn at_rest(scene: &Scene) -> Self {
        let mut pose = JointPoses::identity(scene.nodes.len());
        for (i, node) in scene.nodes.iter().enumerate() {
            pose.set(i, node.translation, node.rotation, node.scale);
        }
        pose
    }

    /// How many joints.
    pub fn len(&self) -> usize {
        self.joints
    }

    /// Whether there is no joint.
    pub fn is_empty(&self) -> bool {
        self.joints == 0
    }

    /// Where a joint is.
    pub fn translation(&self, joint: usize) -> Vec3 {
        Vec3::from_array(self.block(joint).translation.map(|row| row[joint % BLOCK]))
    }

    /// How it is turned.
    pub fn rotation(&self, joint: usize) -> Quat {
        Quat::from_array(self.block(joint).rotation.map(|row| row[joint % BLOCK]))
    }

    /// How large it is.
    pub fn scale(&self, joint: usize) -> Vec3 {
        Vec3::from_array(self.block(joint).scale.map(|row| row[joint % BLOCK]))
    }

    /// Changes all of a joint.
    pub fn set(&mut self, joint: usize, translation: Vec3, rotation: Quat, scale: Vec3) {
        self.set_translation(joint, translation);
        self.set_rotation(joint, rotation);
        self.set_scale(joint, scale);
    }

    /// Changes where a joint is.
    pub fn set_translation(&mut self, joint: usize, translation: Vec3) {
        put(&mut self.block_mut(joint).translation, joint, translation.to_array());
    }

    /// Changes how it is turned.
    pub fn set_rotation(&mut self, joint: usize, rotation: Quat) {
        put(&mut self.block_mut(joint).rotation, joint, rotation.to_array());
    }

    /// Changes how large it is.
    pub fn set_scale(&mut self, joint: usize, scale: Vec3) {
        put(&mut self.block_mut(joint).scale, joint, scale.to_array());
    }

    /// Takes all joints of another; nothing is allocated if it has as many.
    pub fn copy_from(&mut self, other: &JointPoses) {
        self.joints = other.joints;
        self.blocks.clone_from(&other.blocks);
    }

    /// Gives the nodes of a moment their places.
    pub fn store(&self, into: &mut Moment) {
        for joint in 0..self.joints {
            into.translations.set(joint, self.translation(joint));
            into.rotations.set(joint, self.rotation(joint));
            into.scales.set(joint, self.scale(joint));
        }
    }

    fn block(&self, joint: usize) -> &PoseBlock {
        &self.blocks[joint / BLOCK]
    }

    fn block_mut(&mut self, joint: usize) -> &mut PoseBlock {
        &mut self.blocks[joint / BLOCK]
    }
}

/// Changes the components of one joint of a block.
pub(super) fn put<const N: usize>(rows: &mut [Row; N], joint: usize, values: [f32; N]) {
    for (row, value) in rows.iter_mut().zip(values) {
        row[joint % BLOCK] = value;
    }
}
