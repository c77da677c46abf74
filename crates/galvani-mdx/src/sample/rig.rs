//! Nodes in the model's space: pivots, parents, what is not inherited, billboards
//! (docs/notes/mdx-runtime.md#nodes).

use std::collections::BTreeMap;

use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

use super::curve::slerp;
use crate::{Document, Inherit};

/// What turns a node's axes to those of a view: +X faces the viewer, +Z is up: x, y, z → y, z, x
/// (docs/notes/mdx-runtime.md#view-axes).
const FACING: Quat = Quat::from_xyzw(-0.5, -0.5, -0.5, 0.5);

/// Bits of nodes that follow the camera: wholly, or about one axis.
const BILLBOARD: u32 = 0x08;
const LOCK_X: u32 = 0x10;
const LOCK_Y: u32 = 0x20;
const LOCK_Z: u32 = 0x40;

/// The square of how far from an axis a viewer may look and still look along it.
const ON_THE_AXIS: f32 = 1e-8;

/// How a node follows the camera.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Billboard {
    /// Not at all.
    No,
    /// Wholly.
    Full,
    /// By turning about X.
    AboutX,
    /// By turning about Y.
    AboutY,
    /// By turning about Z.
    AboutZ,
}

impl Billboard {
    /// What the bits of a node say: the first of all, X, Y, Z.
    pub fn from_flags(flags: u32) -> Self {
        let bits = [
            (BILLBOARD, Billboard::Full),
            (LOCK_X, Billboard::AboutX),
            (LOCK_Y, Billboard::AboutY),
            (LOCK_Z, Billboard::AboutZ),
        ];
        let set = bits.into_iter().find(|(bit, _)| flags & bit != 0);
        set.map_or(Billboard::No, |(_, billboard)| billboard)
    }
}

/// What a node's tracks say: how it is moved, turned about its pivot and scaled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Local {
    /// How far it is moved.
    pub translation: Vec3,
    /// How it is turned.
    pub rotation: Quat,
    /// How it is scaled.
    pub scale: Vec3,
}

impl Local {
    /// As it stands in the file: neither moved nor turned.
    pub const IDENTITY: Local = Local { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// Another one blended over this: 0 is this one, 1 the other (docs/notes/mdx-runtime.md#fading).
    #[must_use]
    pub fn blend(&self, other: &Local, ratio: f32) -> Local {
        Local {
            translation: self.translation * (1.0 - ratio) + other.translation * ratio,
            rotation: slerp(self.rotation, other.rotation, ratio),
            scale: self.scale * (1.0 - ratio) + other.scale * ratio,
        }
    }
}

/// The pose of a whole model: the caller's, filled again and again.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Poses {
    /// What the tracks say, node by node in file order.
    pub local: Vec<Local>,
    /// What that makes of each node in the model's space.
    pub model: Vec<Affine3A>,
    turns: Vec<Quat>,
    sizes: Vec<Vec3>,
}

/// The nodes of a model and how they hang together.
#[derive(Debug, Clone, PartialEq)]
pub struct Rig {
    joints: Vec<Joint>,
    /// Every node behind its parent.
    order: Vec<usize>,
    by_id: BTreeMap<i32, usize>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Joint {
    parent: Option<usize>,
    pivot: Vec3,
    inherit: Inherit,
    billboard: Billboard,
}

impl Rig {
    /// The nodes of a model. A parent that is not there counts as none, and so does every link of a circle;
    /// a node without a pivot turns about the origin.
    pub fn new(document: &Document) -> Self {
        let (nodes, pivots) = (document.nodes(), document.pivots());
        let mut by_id = BTreeMap::new();
        for (i, placed) in nodes.iter().enumerate() {
            // Of two nodes of one number the first is meant.
            by_id.entry(placed.node.fixed.object_id.get()).or_insert(i);
        }
        let mut joints: Vec<Joint> = Vec::with_capacity(nodes.len());
        for placed in &nodes {
            let fixed = &placed.node.fixed;
            let pivot = usize::try_from(fixed.object_id.get()).ok().and_then(|id| pivots.get(id));
            let parent = Some(fixed.parent_id.get()).filter(|id| *id >= 0);
            joints.push(Joint {
                parent: parent.and_then(|id| by_id.get(&id).copied()),
                pivot: pivot
                    .map_or(Vec3::ZERO, |pivot| Vec3::new(pivot.x.get(), pivot.y.get(), pivot.z.get())),
                inherit: document.inherits(placed.node),
                billboard: Billboard::from_flags(fixed.flags.get()),
            });
        }
        open_circles(&mut joints);
        let order = parents_first(&joints);
        Rig { joints, order, by_id }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// The place in file order of the node of a number.
    pub fn find(&self, id: i32) -> Option<usize> {
        self.by_id.get(&id).copied()
    }

    /// The node that a node hangs on.
    pub fn parent(&self, node: usize) -> Option<usize> {
        self.joints.get(node)?.parent
    }

    /// Where a node stands when nothing moves it, in the model's space.
    pub fn pivot(&self, node: usize) -> Option<Vec3> {
        self.joints.get(node).map(|joint| joint.pivot)
    }

    /// The places in file order of all nodes, every one behind its parent.
    pub(crate) fn order(&self) -> &[usize] {
        &self.order
    }

    /// What a node takes over from its parent.
    pub(crate) fn inherit(&self, node: usize) -> Option<Inherit> {
        self.joints.get(node).map(|joint| joint.inherit)
    }

    /// How a node follows the camera.
    pub(crate) fn billboard(&self, node: usize) -> Option<Billboard> {
        self.joints.get(node).map(|joint| joint.billboard)
    }

    /// The last node of a chain in the model's space, from its top down.
    pub(crate) fn place_last(&self, chain: &[(usize, Local)]) -> Affine3A {
        let mut above: Option<Above> = None;
        for (node, local) in chain {
            let Some(joint) = self.joints.get(*node) else { continue };
            let (matrix, turn, size) = joint.place(local, above.as_ref(), None);
            above = Some(Above { matrix, turn, size, pivot: joint.pivot });
        }
        above.map_or(Affine3A::IDENTITY, |last| last.matrix)
    }

    /// What a node's tracks make of it, relative to its parent: nothing but its pivot counts.
    pub fn local(&self, node: usize, local: &Local) -> Affine3A {
        let joint = self.joints.get(node);
        joint.map_or(Affine3A::IDENTITY, |joint| joint.about(local, local.rotation, local.scale))
    }

    /// Puts every node of a pose into the model's space. Billboards need a camera: the rotation that turns the
    /// model's space into the view's, whose x is right, y up and z towards the viewer. Without one they are
    /// nodes like any other.
    pub fn place(&self, poses: &mut Poses, camera: Option<Quat>) {
        let Poses { local: locals, model, turns, sizes } = poses;
        locals.resize(self.joints.len(), Local::IDENTITY);
        model.resize(self.joints.len(), Affine3A::IDENTITY);
        turns.resize(self.joints.len(), Quat::IDENTITY);
        sizes.resize(self.joints.len(), Vec3::ONE);
        let back = camera.map(Quat::inverse);
        for &node in &self.order {
            let (Some(joint), Some(local)) = (self.joints.get(node), locals.get(node)) else { continue };
            let parent = joint.parent.and_then(|parent| {
                let above = self.joints.get(parent)?;
                let (matrix, turn) = (*model.get(parent)?, *turns.get(parent)?);
                Some(Above { matrix, turn, size: *sizes.get(parent)?, pivot: above.pivot })
            });
            let placed = joint.place(local, parent.as_ref(), back);
            let rooms = (model.get_mut(node), turns.get_mut(node), sizes.get_mut(node));
            if let (Some(matrix), Some(turn), Some(size)) = rooms {
                (*matrix, *turn, *size) = placed;
            }
        }
    }
}

/// A parent that is in its place.
struct Above {
    matrix: Affine3A,
    turn: Quat,
    size: Vec3,
    pivot: Vec3,
}

impl Joint {
    /// The node in the model's space, and how it is turned and scaled there.
    fn place(&self, local: &Local, parent: Option<&Above>, back: Option<Quat>) -> (Affine3A, Quat, Vec3) {
        let above = parent.map_or(Quat::IDENTITY, |parent| parent.turn);
        let mut rotation = local.rotation;
        let mut scale = local.scale;
        match (self.billboard, back) {
            (Billboard::No, _) | (_, None) => {
                if parent.is_some() && !self.inherit.rotation {
                    rotation = above.inverse() * rotation;
                }
            }
            (billboard, Some(back)) => {
                let turn = facing(billboard, above.inverse() * back);
                rotation = turn * rotation;
                if billboard == Billboard::AboutX {
                    scale.z = -scale.z;
                }
            }
        }
        let Some(parent) = parent else { return (self.about(local, rotation, scale), rotation, scale) };
        if !self.inherit.scaling {
            // What is nothing cannot be made larger again: there the parent's scale stays.
            let by = Vec3::select(parent.size.cmpeq(Vec3::ZERO), Vec3::ONE, parent.size);
            scale /= by;
        }
        let mut matrix = parent.matrix * self.about(local, rotation, scale);
        if !self.inherit.translation {
            let pivot = Vec3A::from(parent.pivot);
            matrix.translation -= parent.matrix.transform_point3a(pivot) - pivot;
        }
        (matrix, parent.turn * rotation, parent.size * scale)
    }

    /// Turned and scaled about the pivot, then moved.
    fn about(&self, local: &Local, rotation: Quat, scale: Vec3) -> Affine3A {
        let [x, y, z] = scale.to_array();
        let turned = Mat3A::from_quat(rotation);
        let matrix3 = Mat3A::from_cols(turned.x_axis * x, turned.y_axis * y, turned.z_axis * z);
        let pivot = Vec3A::from(self.pivot);
        let translation = pivot + Vec3A::from(local.translation) - matrix3 * pivot;
        Affine3A { matrix3, translation }
    }
}

/// The turn by which a node faces the viewer; `view` turns what the viewer sees into the parent's space.
fn facing(billboard: Billboard, view: Quat) -> Quat {
    let viewer = view * Vec3::Z;
    match billboard {
        Billboard::No => Quat::IDENTITY,
        Billboard::Full => view * FACING,
        Billboard::AboutX => Quat::from_rotation_x(angle(viewer.z, viewer.y)),
        Billboard::AboutY => Quat::from_rotation_y(angle(-viewer.z, viewer.x)),
        Billboard::AboutZ => Quat::from_rotation_z(angle(viewer.y, viewer.x)),
    }
}

/// The angle to a viewer; none to one who looks along the axis, since every side looks the same from there.
fn angle(across: f32, along: f32) -> f32 {
    if across * across + along * along < ON_THE_AXIS { 0.0 } else { across.atan2(along) }
}

/// Takes their parents from nodes that are their own ancestors.
fn open_circles(joints: &mut [Joint]) {
    // Which walk a node was met on; a walk that meets itself has found a circle.
    let mut met: Vec<Option<usize>> = vec![None; joints.len()];
    for start in 0..joints.len() {
        let mut at = Some(start);
        while let Some(node) = at {
            match met.get_mut(node) {
                Some(walk @ None) => *walk = Some(start),
                Some(Some(walk)) if *walk == start => {
                    open(joints, node);
                    break;
                }
                _ => break,
            }
            at = joints.get(node).and_then(|joint| joint.parent);
        }
    }
}

/// Takes their parents from every node of the circle that a node is on.
fn open(joints: &mut [Joint], node: usize) {
    let mut at = Some(node);
    while let Some(joint) = at.and_then(|node| joints.get_mut(node)) {
        at = joint.parent.take();
    }
}

/// The nodes, every one behind its parent; in file order where that is so already.
fn parents_first(joints: &[Joint]) -> Vec<usize> {
    let mut order = Vec::with_capacity(joints.len());
    let mut is_placed = vec![false; joints.len()];
    let mut chain = Vec::new();
    for start in 0..joints.len() {
        let mut at = Some(start);
        while let Some(node) = at.filter(|node| is_placed.get(*node) == Some(&false)) {
            chain.push(node);
            at = joints.get(node).and_then(|joint| joint.parent);
        }
        while let Some(node) = chain.pop() {
            if let Some(placed) = is_placed.get_mut(node) {
                *placed = true;
            }
            order.push(node);
        }
    }
    order
}
