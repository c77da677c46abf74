//! The bits of many poses as one number, for machines to be held against each other.

use galvani_scene::prepared::{JointPoses, ModelMatrices, PoseLayer, PreparedClip, PreparedSkeleton};

use super::motions::{Keys, clip, moments, skeleton};

/// Those of x86-64, for each kind of clip.
pub(crate) const WANTED: [u64; 4] =
    [0xbedc_1011_564a_e720, 0x4fd2_766e_8659_16fa, 0x28b1_4b7b_7efc_f09a, 0x496b_de56_3cec_b250];

/// The bits of poses of a kind of clip, of blends of them, and of the places of their joints.
pub(crate) fn checksum(kind: Keys) -> u64 {
    let scene = skeleton(96);
    let clip = clip(96, 24, kind, 11);
    let (prepared, skeleton) = (PreparedClip::new(&scene, &clip), PreparedSkeleton::new(&scene));
    let mut sampler = prepared.sampler();
    let [mut pose, mut before, mut layer, mut mean] = [0; 4].map(|_| JointPoses::at_rest(&scene));
    let mut models = ModelMatrices::identity(96);
    let mut sum = 0xCBF2_9CE4_8422_2325;
    for time in moments(&clip) {
        sampler.sample(time, &mut pose);
        add(&mut sum, &pose);
        skeleton.difference(&before, &pose, &mut layer);
        skeleton.add(&layer, 0.25, &mut pose);
        add(&mut sum, &pose);
        skeleton.blend(&before, &pose, 0.7, &mut layer);
        add(&mut sum, &layer);
        let layers = [(&layer, 0.25), (&pose, 1.0), (&before, 0.5)];
        skeleton.blend_many(&layers.map(|(pose, weight)| PoseLayer { pose, weight }), &mut mean);
        add(&mut sum, &mean);
        before.copy_from(&pose);
        skeleton.to_model(&pose, &mut models);
        models.iter().flatten().for_each(|part| take(&mut sum, *part));
    }
    sum
}

fn add(sum: &mut u64, pose: &JointPoses) {
    for joint in 0..pose.len() {
        let (t, r, s) = (pose.translation(joint), pose.rotation(joint), pose.scale(joint));
        let all = t.to_array().into_iter().chain(r.to_array()).chain(s.to_array());
        all.for_each(|part| take(sum, part));
    }
}

fn take(sum: &mut u64, part: f32) {
    *sum = (*sum ^ u64::from(part.to_bits())).wrapping_mul(0x0100_0000_01B3);
}
