//! Playback: the same bits as node after node, and no allocation.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

#[path = "common/msh_reference.rs"]
mod msh_reference;
#[path = "common/msh_sampling.rs"]
mod msh_sampling;

use allocation_counter::measure;
use galvani_parkan::msh::engine::{self, transform};
use galvani_parkan::msh::play::{PlayInstance, Player, Poses, placement};
use galvani_parkan::msh::sample::{
    LocalPose, RestPose, RootTranslation, blend_pose, model_matrices, rest_pose, sample_node_pose,
};
use msh_sampling::{bits, model, sound, time, wild};
use proptest::collection::vec;
use proptest::prelude::*;

fn pose_bits(poses: &[LocalPose]) -> Vec<([u32; 3], [u32; 4])> {
    poses.iter().map(|pose| (bits(pose.position), bits(pose.rotation.0))).collect()
}

fn matrix_bits(matrices: &[engine::Matrix]) -> Vec<[u32; 16]> {
    matrices.iter().copied().map(bits).collect()
}

fn root() -> impl Strategy<Value = RootTranslation> {
    prop_oneof![Just(RootTranslation::Keep), Just(RootTranslation::Clear)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn a_player_gives_the_bits_of_node_after_node(raw in sound(), times in vec(time(), 12), root in root()) {
        let streams = raw.reference();
        let model = model(&streams);
        let player = Player::new(&model).unwrap();
        let mut poses = Poses::default();
        for time in times {
            player.sample(time, root, &mut poses);
            let pose = |node: usize| Ok(sample_node_pose(&model, node, time)?.0);
            let wanted = model_matrices(&model, root, pose).unwrap();
            prop_assert_eq!(matrix_bits(&poses.model), matrix_bits(&wanted), "at {}", time);
            for node in usize::from(root == RootTranslation::Clear)..player.node_count() {
                let (pose, branch) = sample_node_pose(&model, node, time).unwrap();
                let found = pose_bits(&poses.local[node..=node]);
                prop_assert_eq!(found, pose_bits(&[pose]), "{} at {}", node, time);
                prop_assert_eq!(poses.branches[node], branch);
            }
        }
    }

    #[test]
    fn a_player_blends_and_rests_with_the_bits_of_node_after_node(
        raw in sound(), times in (time(), time()), blend in -0.25..1.25_f32, root in root(),
    ) {
        let streams = raw.reference();
        let model = model(&streams);
        let player = Player::new(&model).unwrap();
        let mut poses = Poses::default();
        let wanted = model_matrices(&model, root, |node| Ok(blend_pose(&model, node, times, blend)?.0));
        if let Ok(wanted) = wanted {
            prop_assert!(player.blend(times, blend, root, &mut poses));
            prop_assert_eq!(matrix_bits(&poses.model), matrix_bits(&wanted));
        } else {
            prop_assert!(!player.blend(times, blend, root, &mut poses));
            prop_assert_eq!(&poses, &Poses::default());
        }
        for rest in [RestPose::Frame0, RestPose::Fallback] {
            player.rest(rest, root, &mut poses);
            let wanted = model_matrices(&model, root, |node| Ok(rest_pose(&model, node, rest)?.0)).unwrap();
            prop_assert_eq!(matrix_bits(&poses.model), matrix_bits(&wanted));
        }
    }

    /// A model is refused if and only if some frame of its timeline, or what lies outside it, is.
    #[test]
    fn a_player_is_refused_where_some_frame_is(raw in wild()) {
        let mut raw = raw;
        raw.frame_count %= 64;
        // Keys that no time is equal to: else one on its time needs no next.
        raw.keys.iter_mut().for_each(|(floats, _)| floats[3] = -7.75);
        let streams = raw.reference();
        let model = model(&streams);
        let frames = (0..64_u8).map(|frame| f32::from(frame) + 0.25).chain([-1.0]);
        let mut fails = false;
        for time in frames {
            fails |= (0..raw.nodes.len()).any(|node| sample_node_pose(&model, node, time).is_err());
        }
        match Player::new(&model) {
            Ok(_) => prop_assert!(!fails),
            Err(error) => prop_assert!(fails, "{}", error),
        }
    }

    #[test]
    fn a_sample_allocates_nothing(raw in sound(), times in vec(time(), 16), root in root()) {
        let streams = raw.reference();
        let player = Player::new(&model(&streams)).unwrap();
        let mut crowd = [(); 3].map(|()| Poses::default());
        for poses in &mut crowd {
            player.sample(0.0, root, poses);
        }
        let counted = measure(|| {
            for (i, &time) in times.iter().enumerate() {
                let poses = &mut crowd[i % 3];
                player.sample(time, root, poses);
                player.rest(RestPose::Fallback, PlayInstance { root, scale: [2.0; 3] }, poses);
                let _ = player.blend((time, 1.0), 0.5, root, poses);
            }
        });
        prop_assert_eq!(counted.count_total, 0);
    }

    #[test]
    fn a_scale_multiplies_the_places_of_the_nodes(raw in sound(), time in 0.0..12.0_f32) {
        let streams = raw.reference();
        let player = Player::new(&model(&streams)).unwrap();
        let (mut plain, mut scaled) = (Poses::default(), Poses::default());
        player.sample(time, RootTranslation::Keep, &mut plain);
        player.sample(time, PlayInstance { root: RootTranslation::Keep, scale: [2.0, 0.5, -3.0] }, &mut scaled);
        for (plain, scaled) in plain.local.iter().zip(&scaled.local) {
            let [x, y, z] = plain.position;
            prop_assert_eq!(bits(scaled.position), bits([x * 2.0, y * 0.5, z * -3.0]));
            prop_assert_eq!(bits(scaled.rotation.0), bits(plain.rotation.0));
        }
    }
}

#[test]
fn the_counter_counts() {
    assert_eq!(measure(|| drop(std::hint::black_box(vec![1_u8]))).count_total, 1);
}

#[test]
fn a_player_serves_many_threads() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Player>();
}

fn near(a: [f32; 3], b: [f32; 3]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6)
}

#[test]
fn a_placement_turns_about_x_then_y_then_z_and_moves_last() {
    let quarter = std::f32::consts::FRAC_PI_2;
    let to = |angles: [f32; 3], point: [f32; 3]| transform(&placement([0.0; 3], angles), point);
    let (x, y, z, minus_z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]);
    assert!(near(to([0.0, 0.0, quarter], x), y), "about z, x goes to y");
    assert!(near(to([quarter, 0.0, 0.0], y), z), "about x, y goes to z");
    assert!(near(to([0.0, quarter, 0.0], x), minus_z), "about y, x goes to -z");
    assert!(near(to([quarter, 0.0, quarter], z), x), "first about x, to -y, then about z, to x");
    assert!(near(to([quarter, quarter, 0.0], y), x), "first about x, to z, then about y, to x");
    assert!(near(transform(&placement([1.0, 2.0, 3.0], [0.0, 0.0, quarter]), x), [1.0, 3.0, 3.0]));
}
