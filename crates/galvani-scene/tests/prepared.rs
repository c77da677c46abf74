//! Prepared poses: on every kind of instructions the machine has the same to the last bit as plain arithmetic, and near
//! to that in double precision.

// Property tests have more of everything; of what is here every machine that is played can run all.
#[allow(dead_code, reason = "other tests use the rest")]
mod common {
    pub(crate) mod motions;
    pub(crate) mod slow;
}

use common::motions::{KEYS, Keys, clip, moments, skeleton};
use common::slow;
use fearless_simd::Level;
use galvani_scene::prepared::{LocalPose, MOST_TURNED, ModelMatrices, PreparedClip, PreparedSkeleton, plain};
use galvani_scene::{Clip, Scene, Track};

/// How many joints: fewer than a group of lanes, one group, one more, some blocks, and many.
const JOINTS: [usize; 6] = [1, 7, 8, 9, 96, 1000];

/// The kinds of instructions that this machine has, and those of no kind.
fn levels() -> Vec<Level> {
    let best = Level::new();
    let mut levels = vec![Level::fallback(), best];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        levels.extend(best.as_sse2().map(Level::Sse2));
        levels.extend(best.as_sse4_2().map(Level::Sse4_2));
        levels.extend(best.as_avx2().map(Level::Avx2));
    }
    levels
}

/// Every kind of clip for every number of joints.
fn motions() -> impl Iterator<Item = (Scene, Clip)> {
    let keys = |joints: usize| if joints > 500 { vec![1, 5] } else { vec![1, 2, 8, 40] };
    JOINTS.into_iter().flat_map(move |joints| {
        keys(joints).into_iter().flat_map(move |keys| {
            KEYS.into_iter().zip(1..).map(move |(kind, seed)| {
                let clip = clip(joints, keys, kind, seed + u64::from(keys));
                (skeleton(joints), clip)
            })
        })
    })
}

fn bits(pose: &LocalPose, joint: usize) -> Vec<u32> {
    let (t, r, s) = (pose.translation(joint), pose.rotation(joint), pose.scale(joint));
    t.to_array().into_iter().chain(r.to_array()).chain(s.to_array()).map(f32::to_bits).collect()
}

#[test]
fn every_kind_of_instructions_gives_the_bits_of_plain_arithmetic() {
    for (scene, clip) in motions() {
        let joints = scene.nodes.len();
        let mut wanted = (LocalPose::identity(joints), ModelMatrices::identity(joints));
        let mut found = wanted.clone();
        for level in levels() {
            let skeleton = PreparedSkeleton::with_level(level, &scene);
            let prepared = PreparedClip::with_level(level, &scene, &clip);
            let mut sampler = prepared.sampler();
            for time in moments(&clip) {
                sampler.sample(time, &mut found.0);
                plain::sample(&prepared, time, &mut wanted.0);
                skeleton.to_model(&found.0, &mut found.1);
                plain::to_model(&skeleton, &found.0, &mut wanted.1);
                for joint in 0..joints {
                    assert_eq!(bits(&found.0, joint), bits(&wanted.0, joint), "{level:?}: {joint} at {time}");
                    let columns = |of: &ModelMatrices| of.columns(joint).map(f32::to_bits);
                    assert_eq!(columns(&found.1), columns(&wanted.1), "{level:?}: {joint} at {time}");
                }
            }
        }
    }
}

/// How far places and scales of at most 2 may be from those in double precision.
const MOST_MOVED: f64 = 2e-6;

#[test]
fn rotations_are_within_their_bound_of_double_precision() {
    let mut worst: f64 = 0.0;
    for (scene, clip) in motions() {
        let prepared = PreparedClip::new(&scene, &clip);
        let (mut sampler, mut pose) = (prepared.sampler(), LocalPose::at_rest(&scene));
        for time in moments(&clip) {
            sampler.sample(time, &mut pose);
            // The time itself is single.
            let time = f64::from(clip.time(time));
            for track in &clip.tracks {
                let joint = track.node().map_or(0, galvani_scene::Id::index);
                let vector = |found: glam::Vec3, wanted: [f64; 3]| {
                    found.as_dvec3().distance(glam::DVec3::from_array(wanted))
                };
                match track {
                    Track::Rotation(_, curve) => {
                        let (found, wanted) = (pose.rotation(joint).as_dquat(), slow::rotation(curve, time));
                        // The half of a small angle is its sine.
                        let off = (found - wanted).length().min((found + wanted).length()) * 2.0;
                        assert!(off < f64::from(MOST_TURNED), "{off} rad at {time}: {found} for {wanted}");
                        assert!((found.length() - 1.0).abs() < 1e-6, "{found}");
                        worst = worst.max(off);
                    }
                    Track::Translation(_, curve) => {
                        let wanted = slow::vector(curve, glam::Vec3::to_array, time);
                        assert!(vector(pose.translation(joint), wanted) < MOST_MOVED, "{time}");
                    }
                    Track::Scale(_, curve) => {
                        let wanted = slow::vector(curve, glam::Vec3::to_array, time);
                        assert!(vector(pose.scale(joint), wanted) < MOST_MOVED, "{time}");
                    }
                    _ => {}
                }
            }
        }
    }
    println!("at most {worst:e} rad");
}

/// The bits of many poses as one number.
fn checksum(kind: Keys) -> u64 {
    let scene = skeleton(96);
    let clip = clip(96, 24, kind, 11);
    let (prepared, skeleton) = (PreparedClip::new(&scene, &clip), PreparedSkeleton::new(&scene));
    let (mut sampler, mut pose) = (prepared.sampler(), LocalPose::at_rest(&scene));
    let mut models = ModelMatrices::identity(96);
    let mut sum: u64 = 0xCBF2_9CE4_8422_2325;
    for time in moments(&clip) {
        sampler.sample(time, &mut pose);
        skeleton.to_model(&pose, &mut models);
        for joint in 0..96 {
            let columns = models.columns(joint).map(f32::to_bits);
            for bits in bits(&pose, joint).into_iter().chain(columns) {
                sum = (sum ^ u64::from(bits)).wrapping_mul(0x0100_0000_01B3);
            }
        }
    }
    sum
}

#[test]
fn every_machine_gives_the_same_bits() {
    // Those of x86-64.
    let wanted = [0x719d_a0bc_6b8c_9588, 0xadc4_afc2_5dfd_d77c, 0xcb13_24aa_bdde_cb43, 0x83ad_0913_6723_337e];
    assert_eq!(KEYS.map(checksum), wanted);
}
