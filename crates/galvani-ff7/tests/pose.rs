//! Poses beside matrices multiplied the slow way, what is refused, and what a pose costs.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]
#![allow(clippy::float_cmp, reason = "the same steps give the same bits")]

#[path = "common/chain.rs"]
mod slow;

use galvani_ff7::pack::codec::{FrameRef, Frames};
use galvani_ff7::pose::{self, BattleRig, SkeletonPose, weapon};
use galvani_ff7::skeleton::{Bone, Document};
use glam::Mat4;
use proptest::prelude::*;
use slow::{Slow, chain, placed};

/// Half a step of single precision: both ways count in double precision and round once.
const HALF_A_STEP: f64 = 1.0 / 16_777_216.0;

/// What the double precision of two ways differs by, in a chain of 60 bones and numbers below 200 000.
const DOUBLE: f64 = 1e-9;

fn skeleton(bones: &[(i32, f32)]) -> Document {
    let bone = |&(parent, length): &(i32, f32)| Bone { parent, length, has_model: 0 };
    Document { bones: bones.iter().map(bone).collect(), ..Document::default() }
}

#[track_caller]
fn assert_same(found: Mat4, wanted: &Slow) {
    for (found, &wanted) in found.transpose().to_cols_array().iter().zip(wanted.iter().flatten()) {
        let most = wanted.abs() * HALF_A_STEP + DOUBLE;
        assert!((f64::from(*found) - wanted).abs() <= most, "{found} found, {wanted} wanted");
    }
}

#[track_caller]
fn assert_poses(bones: &[(i32, f32)], position: [i16; 3], rotations: &[[i16; 3]]) {
    let (rig, mut pose) = (BattleRig::new(&skeleton(bones)).unwrap(), SkeletonPose::default());
    rig.pose(FrameRef { position, bones: rotations }, &mut pose).unwrap();
    let wanted = chain(bones, position, rotations);
    assert_eq!((rig.len(), pose.bones().count(), wanted.len()), (bones.len(), bones.len(), bones.len() + 1));
    assert_same(pose.root(), &wanted[0]);
    for (i, (found, wanted)) in pose.bones().zip(&wanted[1..]).enumerate() {
        assert_same(found, wanted);
        assert_eq!(pose.bone(i), Some(found));
    }
    assert_eq!(pose.bone(bones.len()), None);
}

#[test]
fn a_bone_of_the_root_stands_where_the_root_does_and_its_child_at_the_end_of_it() {
    let bones = [(-1, -10.0), (0, -5.0), (1, -1.0), (-1, 3.0)];
    let rig = BattleRig::new(&skeleton(&bones)).unwrap();
    let mut pose = SkeletonPose::default();
    // The second bone is turned a quarter about X: what hangs on it lies at +Y of it.
    let rotations = [[0; 3], [0; 3], [1024, 0, 0], [0; 3], [0; 3]];
    rig.pose(FrameRef { position: [1, 2, 3], bones: &rotations }, &mut pose).unwrap();
    let places: Vec<[f32; 3]> = pose.bones().map(|matrix| matrix.w_axis.truncate().to_array()).collect();
    assert_eq!(places, [[1.0, 2.0, 3.0], [1.0, 2.0, -7.0], [1.0, 7.0, -7.0], [1.0, 2.0, 3.0]]);
}

#[test]
fn z_is_applied_first_then_x_then_y() {
    // (1, 0, 0) is turned to +Y by Z, to +Z by X, to +X by Y.
    let quarter = weapon(FrameRef { position: [0; 3], bones: &[[1024; 3]] });
    assert_eq!(quarter.x_axis.truncate().round().to_array(), [1.0, 0.0, 0.0]);
    // Without Y it stays at +Z; without Y and X at +Y.
    let still = weapon(FrameRef { position: [0; 3], bones: &[[1024, 0, 1024]] });
    assert_eq!(still.x_axis.truncate().round().to_array(), [0.0, 0.0, 1.0]);
    let first = weapon(FrameRef { position: [0; 3], bones: &[[0, 0, 1024]] });
    assert_eq!(first.x_axis.truncate().round().to_array(), [0.0, 1.0, 0.0]);
}

#[test]
fn the_lengths_that_count_are_those_of_the_parents() {
    assert_poses(&[(-1, -39.0), (0, -12.5), (0, 0.0), (2, 7.25)], [0, -466, 0], &[[100, -200, 4095]; 5]);
    assert_poses(&[], [5, 6, 7], &[[1, 2, 3]]);
}

#[test]
fn a_single_rotation_turns_a_single_bone_once() {
    let (position, raw) = ([0, -466, 12], [300, -1024, 77]);
    assert_poses(&[(-1, -20.0)], position, &[raw]);
    let (rig, mut pose) = (BattleRig::new(&skeleton(&[(-1, -20.0)])).unwrap(), SkeletonPose::default());
    rig.pose(FrameRef { position, bones: &[raw] }, &mut pose).unwrap();
    assert_eq!(pose.bone(0), Some(pose.root()));
    // With two it is turned a second time.
    rig.pose(FrameRef { position, bones: &[raw, raw] }, &mut pose).unwrap();
    assert_ne!(pose.bone(0), Some(pose.root()));
    assert_poses(&[(-1, -20.0)], position, &[raw, raw]);
}

#[test]
fn whole_turns_do_not_count() {
    let at = |raw| weapon(FrameRef { position: [0; 3], bones: &[raw] });
    assert_eq!(at([5 - 4096, 17 + 8192, -1]), at([5, 17, 4095]));
    assert_eq!(at([i16::MIN; 3]), at([0; 3]));
}

#[test]
fn a_bone_that_hangs_on_nothing_before_it_is_refused() {
    for (bones, place) in [
        (&[(0, -1.0)][..], "bones[0].parent"),
        (&[(-1, -1.0), (2, -1.0), (0, -1.0)], "bones[1].parent"),
        (&[(-1, -1.0), (-2, -1.0)], "bones[1].parent"),
        (&[(-1, -1.0), (99, -1.0)], "bones[1].parent"),
        (&[(i32::MIN, -1.0)], "bones[0].parent"),
    ] {
        let refused = BattleRig::new(&skeleton(bones)).unwrap_err();
        assert_eq!(refused.cause.code, &pose::CHAIN);
        assert_eq!(refused.cause.path.to_string(), place);
    }
}

#[test]
fn a_frame_of_another_model_is_refused_and_the_pose_stays() {
    let (rig, mut pose) =
        (BattleRig::new(&skeleton(&[(-1, -1.0), (0, -1.0)])).unwrap(), SkeletonPose::default());
    rig.pose(FrameRef { position: [1, 2, 3], bones: &[[4; 3]; 3] }, &mut pose).unwrap();
    let before: Vec<Mat4> = pose.bones().collect();
    for rotations in [0, 1, 2, 4] {
        let bones = vec![[0; 3]; rotations];
        let refused = rig.pose(FrameRef { position: [0; 3], bones: &bones }, &mut pose).unwrap_err();
        assert_eq!(refused.cause.code, &pose::ROTATIONS);
        assert_eq!(refused.cause.message, format!("{rotations} rotations for 2 bones"));
        assert_eq!(pose.bones().collect::<Vec<_>>(), before);
    }
    let names: Vec<&str> = pose::ALL.iter().map(|code| code.name).collect();
    assert_eq!(names, ["ff7-skeleton.chain", "ff7-skeleton.rotations"]);
}

#[test]
fn a_pose_that_has_grown_costs_no_memory() {
    let bones: Vec<(i32, f32)> = (0..50).map(|i| (i - 1, -3.0)).collect();
    let rig = BattleRig::new(&skeleton(&bones)).unwrap();
    let mut frames = Frames::new(51);
    for i in 0..100_i16 {
        frames.push([i, -i, 0], &[[i, 2 * i, 3 * i]; 51]);
    }
    let mut pose = SkeletonPose::default();
    rig.pose(frames.get(0).unwrap(), &mut pose).unwrap();
    let mut sum = 0.0;
    let cost = allocation_counter::measure(|| {
        for frame in frames.iter() {
            rig.pose(frame, &mut pose).unwrap();
            sum += pose.bones().map(|matrix| matrix.w_axis.x).sum::<f32>();
        }
    });
    assert!(sum.is_finite());
    assert_eq!(cost.count_total, 0);
}

/// Bones that hang on earlier ones or the root, some longer than others, some the wrong way round.
fn bones() -> impl Strategy<Value = Vec<(i32, f32)>> {
    let lengths = prop_oneof![4 => -900.0..0.0_f32, 1 => 0.0..900.0_f32, 1 => Just(0.0)];
    prop::collection::vec((any::<prop::sample::Index>(), lengths), 0..60).prop_map(|bones| {
        let hung = bones.into_iter().enumerate();
        hung.map(|(i, (parent, length))| (i32::try_from(parent.index(i + 1)).unwrap() - 1, length)).collect()
    })
}

proptest! {
    #[test]
    fn poses_are_what_the_matrices_multiply_to(
        bones in bones(),
        position: [i16; 3],
        rotations in prop::collection::vec(any::<[i16; 3]>(), 61),
    ) {
        assert_poses(&bones, position, &rotations[..=bones.len()]);
    }

    #[test]
    fn a_chain_that_only_goes_on_is_no_less_exact(
        lengths in prop::collection::vec(-900.0..900.0_f32, 60),
        position: [i16; 3],
        rotations in prop::collection::vec(any::<[i16; 3]>(), 61),
    ) {
        let bones: Vec<(i32, f32)> = (-1..).zip(lengths).collect();
        assert_poses(&bones, position, &rotations);
    }

    #[test]
    fn a_weapon_stands_by_itself_in_the_space_of_the_model(position: [i16; 3], raw: [i16; 3]) {
        assert_same(weapon(FrameRef { position, bones: &[raw] }), &placed(position, raw));
    }

    #[test]
    fn single_rotations_are_the_roots(length in -900.0..900.0_f32, position: [i16; 3], raw: [i16; 3]) {
        assert_poses(&[(-1, length)], position, &[raw]);
    }
}
