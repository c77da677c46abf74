//! Where the bones of a battle model are (docs/formats/ff7-skeleton.md#poses).
//!
//! The root is moved, then turned; a bone starts where the one it hangs on ends, which is at −Z of it, and turns there. Of
//! a rotation's angles Z is applied first, then X, then Y. The weapon hangs on nothing: it has a place of its own in the
//! model's space. Y points down.

use std::sync::LazyLock;

use galvani_core::maths::single;
use galvani_core::{Path, SampleError, codes};
use glam::{DAffine3, DMat3, DVec3, Mat4, Vec3};

use crate::pack::codec::{FrameRef, angle};
use crate::skeleton::{Document, Parent};

codes! {
    CHAIN = Error, "ff7-skeleton.chain",
        "a bone hangs on nothing that stands before it",
        "the pose of such a skeleton cannot be had; its findings say where";
    ROTATIONS = Error, "ff7-skeleton.rotations",
        "a frame has rotations for another number of bones",
        "a frame has one for the root and one for each bone, or a single one for a skeleton of one bone";
}

/// A skeleton made ready for poses: posing then allocates nothing.
#[derive(Debug, Clone)]
pub struct BattleRig {
    /// The bone each hangs on, and how far away that one's end is.
    bones: Vec<(Option<usize>, f64)>,
    turns: &'static Turns,
}

/// Sine and cosine of every angle there is.
#[derive(Debug)]
struct Turns(Vec<(f64, f64)>);

/// Made once and shared: 4096 sines and 64 KB, the same for every skeleton.
static TURNS: LazyLock<Turns> = LazyLock::new(|| Turns((0..4096).map(turn).collect()));

impl BattleRig {
    /// Looks at every bone once.
    pub fn new(skeleton: &Document) -> Result<Self, SampleError> {
        let mut bones = Vec::with_capacity(skeleton.bones.len());
        for (i, parent) in skeleton.parents().into_iter().enumerate() {
            bones.push(match parent {
                Parent::Root => (None, 0.0),
                Parent::Bone(parent) if parent < i => {
                    (Some(parent), skeleton.bones.get(parent).map_or(0.0, |bone| f64::from(bone.length)))
                }
                Parent::Bone(_) | Parent::Nowhere => {
                    return Err(CHAIN.at(Path::named("bones").index(i).field("parent")).into());
                }
            });
        }
        Ok(BattleRig { bones, turns: &TURNS })
    }

    /// How many bones there are.
    pub fn len(&self) -> usize {
        self.bones.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bones.is_empty()
    }

    /// Where the root and the bones are in a frame. The pose keeps its room from one frame to the next.
    pub fn pose(&self, frame: FrameRef<'_>, pose: &mut SkeletonPose) -> Result<(), SampleError> {
        let single = frame.bones.len() == 1 && self.bones.len() == 1;
        if !single && frame.bones.len() != self.bones.len().saturating_add(1) {
            let found = format!("{} rotations for {} bones", frame.bones.len(), self.bones.len());
            return Err(ROTATIONS.at(Path::named("bones")).saying(found).into());
        }
        pose.places.clear();
        let root = self.turns.place(frame.position, frame.bones.first().copied().unwrap_or_default());
        // A single rotation is the root's; the bone is not turned again.
        let rotations = frame.bones.iter().skip(1).copied().chain(std::iter::repeat([0; 3]));
        for (&(parent, length), rotation) in self.bones.iter().zip(rotations) {
            let above = parent.and_then(|parent| pose.places.get(parent)).unwrap_or(&root);
            let place = child(above, length, self.turns.rotation(rotation));
            pose.places.push(place);
        }
        pose.root = root;
        Ok(())
    }
}

/// Where a weapon is: in the model's space, like the root.
pub fn weapon(frame: FrameRef<'_>) -> Mat4 {
    matrix(&TURNS.place(frame.position, frame.bones.first().copied().unwrap_or_default()))
}

/// A whole pose, to be filled again and again.
#[derive(Debug, Clone, Default)]
pub struct SkeletonPose {
    root: DAffine3,
    places: Vec<DAffine3>,
}

impl SkeletonPose {
    /// Where the root is.
    pub fn root(&self) -> Mat4 {
        matrix(&self.root)
    }

    /// Where a bone is.
    pub fn bone(&self, bone: usize) -> Option<Mat4> {
        self.places.get(bone).map(matrix)
    }

    /// Where the bones are, in order.
    pub fn bones(&self) -> impl Iterator<Item = Mat4> {
        self.places.iter().map(matrix)
    }
}

/// What stands `length` along the own Z of something and is turned there.
fn child(above: &DAffine3, length: f64, turn: DMat3) -> DAffine3 {
    DAffine3 { matrix3: above.matrix3 * turn, translation: above.translation + above.matrix3.z_axis * length }
}

#[inline]
fn matrix(place: &DAffine3) -> Mat4 {
    let column = |column: DVec3, last| Vec3::from(column.to_array().map(single)).extend(last);
    let DMat3 { x_axis, y_axis, z_axis } = place.matrix3;
    Mat4::from_cols(
        column(x_axis, 0.0),
        column(y_axis, 0.0),
        column(z_axis, 0.0),
        column(place.translation, 1.0),
    )
}

impl Turns {
    fn sin_cos(&self, raw: i16) -> (f64, f64) {
        self.0.get(usize::from(angle(raw))).copied().unwrap_or((0.0, 1.0))
    }

    fn rotation(&self, raw: [i16; 3]) -> DMat3 {
        rotation(raw.map(|raw| self.sin_cos(raw)))
    }

    fn place(&self, position: [i16; 3], raw: [i16; 3]) -> DAffine3 {
        DAffine3 { matrix3: self.rotation(raw), translation: position.map(f64::from).into() }
    }
}

/// Sine and cosine of an angle.
fn turn(angle: u16) -> (f64, f64) {
    (f64::from(angle) / 2048.0 * std::f64::consts::PI).sin_cos()
}

/// Ry · Rx · Rz.
fn rotation([(sx, cx), (sy, cy), (sz, cz)]: [(f64, f64); 3]) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(cy * cz + sy * sx * sz, cx * sz, cy * sx * sz - sy * cz),
        DVec3::new(sy * sx * cz - cy * sz, cx * cz, sy * sz + cy * sx * cz),
        DVec3::new(sy * cx, -sx, cy * cx),
    )
}
