//! Prepared poses: on every kind of instructions the machine has the same to the last bit as plain arithmetic, and near
//! to that in double precision.

// Property tests have more of everything; of what is here every machine that is played can run all.
#[allow(dead_code, reason = "other tests use the rest")]
mod common {
    pub(crate) mod checksum;
    pub(crate) mod motions;
    pub(crate) mod slow;
}

use allocation_counter::measure;
use common::checksum::{WANTED, checksum};
use common::motions::{KEYS, Keys, Numbers, clip, moments, skeleton};
use common::slow;
use fearless_simd::Level;
use galvani_scene::prepared::{
    Figure, JointPoses, MOST_TURNED, ModelMatrices, PoseLayer, PreparedClip, PreparedMesh, PreparedSkeleton,
    PreparedSkin, plain, pose_crowd,
};
use galvani_scene::{Clip, Id, Influences, Joint, Primitive, Pull, Scene, Skin, Track};
use glam::{Affine3A, DQuat, DVec3, Vec3};

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

fn bits(pose: &JointPoses, joint: usize) -> Vec<u32> {
    let (t, r, s) = (pose.translation(joint), pose.rotation(joint), pose.scale(joint));
    t.to_array().into_iter().chain(r.to_array()).chain(s.to_array()).map(f32::to_bits).collect()
}

#[test]
fn every_kind_of_instructions_gives_the_bits_of_plain_arithmetic() {
    for (scene, clip) in motions() {
        let joints = scene.nodes.len();
        let mut wanted = (JointPoses::identity(joints), ModelMatrices::identity(joints));
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
        let (mut sampler, mut pose) = (prepared.sampler(), JointPoses::at_rest(&scene));
        for time in moments(&clip) {
            sampler.sample(time, &mut pose);
            // The time itself is single.
            let time = f64::from(clip.time(time));
            for track in &clip.tracks {
                let joint = track.node().map_or(0, Id::index);
                let vector =
                    |found: Vec3, wanted: [f64; 3]| found.as_dvec3().distance(DVec3::from_array(wanted));
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
                        let wanted = slow::vector(curve, Vec3::to_array, time);
                        assert!(vector(pose.translation(joint), wanted) < MOST_MOVED, "{time}");
                    }
                    Track::Scale(_, curve) => {
                        let wanted = slow::vector(curve, Vec3::to_array, time);
                        assert!(vector(pose.scale(joint), wanted) < MOST_MOVED, "{time}");
                    }
                    _ => {}
                }
            }
        }
    }
    println!("at most {worst:e} rad");
}

#[test]
fn every_machine_gives_the_same_bits() {
    let found = KEYS.map(checksum);
    assert_eq!(found, WANTED, "{found:#018x?}");
}

/// A pose of so many joints, none of them like another.
fn pose(joints: usize, seed: u64) -> JointPoses {
    let mut numbers = Numbers::new(seed);
    let mut pose = JointPoses::identity(joints);
    for joint in 0..joints {
        pose.set(joint, numbers.vector(), numbers.quat(), numbers.vector() + 3.0);
    }
    pose
}

/// The bits of all joints.
fn all_bits(pose: &JointPoses) -> Vec<u32> {
    (0..pose.len()).flat_map(|joint| bits(pose, joint)).collect()
}

#[test]
fn blends_and_layers_have_the_bits_of_plain_arithmetic() {
    for joints in JOINTS {
        let [a, b, c] = [1, 2, 3].map(|seed| pose(joints, seed));
        let weighed = [(&a, 0.5), (&b, 2.0), (&c, 0.0), (&b, 0.25)];
        let layers = weighed.map(|(pose, weight)| PoseLayer { pose, weight });
        for level in levels() {
            let skeleton = PreparedSkeleton::with_level(level, &skeleton(joints));
            let mut found = JointPoses::identity(joints);
            let mut wanted = found.clone();
            for part in [0.0, 0.3, 1.0] {
                skeleton.blend(&a, &b, part, &mut found);
                plain::blend(&a, &b, part, &mut wanted);
                assert_eq!(all_bits(&found), all_bits(&wanted), "{level:?}: {part}");

                skeleton.difference(&a, &c, &mut found);
                plain::difference(&a, &c, &mut wanted);
                assert_eq!(all_bits(&found), all_bits(&wanted), "{level:?}");

                let (mut more, mut less) = (b.clone(), b.clone());
                skeleton.add(&found, part, &mut more);
                plain::add(&found, part, &mut less);
                assert_eq!(all_bits(&more), all_bits(&less), "{level:?}: {part}");
            }
            skeleton.blend_many(&layers, &mut found);
            plain::blend_many(&layers, &mut wanted);
            assert_eq!(all_bits(&found), all_bits(&wanted), "{level:?}");
        }
    }
}

/// The angle between two rotations, in radians.
fn angle(found: glam::Quat, wanted: DQuat) -> f64 {
    let found = found.as_dquat();
    (found - wanted).length().min((found + wanted).length()) * 2.0
}

/// How far blends may be from those in double precision, in radians: cosines of single precision know no better.
const MOST_BLENDED: f64 = 5e-6;

#[test]
fn blends_are_those_of_double_precision() {
    let (a, b) = (pose(1000, 4), pose(1000, 5));
    let skeleton = PreparedSkeleton::new(&skeleton(1000));
    let (mut half, mut layer, mut back) = (a.clone(), a.clone(), a.clone());
    skeleton.blend(&a, &b, 0.3, &mut half);
    skeleton.difference(&a, &b, &mut layer);
    skeleton.add(&layer, 1.0, &mut back);
    let mut mean = a.clone();
    let layers = [PoseLayer { pose: &a, weight: 1.0 }, PoseLayer { pose: &b, weight: 3.0 }];
    skeleton.blend_many(&layers, &mut mean);
    for joint in 0..1000 {
        let (from, to) = (a.rotation(joint).as_dquat(), b.rotation(joint).as_dquat());
        let wanted = slow::slerp(from, to, f64::from(0.3_f32));
        assert!(
            angle(half.rotation(joint), wanted) < MOST_BLENDED,
            "{}",
            angle(half.rotation(joint), wanted)
        );
        let to = if from.dot(to) < 0.0 { -to } else { to };
        let sum = (from + to * 3.0).normalize();
        assert!(angle(mean.rotation(joint), sum) < MOST_BLENDED);
        // What was told apart comes together again.
        assert!(angle(back.rotation(joint), to) < MOST_BLENDED);
        assert!(back.translation(joint).distance(b.translation(joint)) < 1e-6);
        assert!(back.scale(joint).distance(b.scale(joint)) < 2e-6);
        let place = a.translation(joint).as_dvec3() * 0.25 + b.translation(joint).as_dvec3() * 0.75;
        assert!(mean.translation(joint).as_dvec3().distance(place) < MOST_MOVED);
    }
}

/// A surface of so many vertices, each held by up to six joints.
fn surface(vertices: usize, joints: usize) -> (Primitive, Skin) {
    let mut numbers = Numbers::new(9);
    let normal = |numbers: &mut Numbers| numbers.quat() * Vec3::X;
    let mut made = Primitive {
        positions: (0..vertices).map(|_| numbers.vector()).collect(),
        normals: (0..vertices).map(|_| normal(&mut numbers)).collect(),
        ..Primitive::default()
    };
    let mut influences = Influences::default();
    for vertex in 0..vertices {
        let count = vertex % 7;
        let pull = |_| Pull {
            joint: usize::try_from(numbers.below(u32::try_from(joints).unwrap_or(1))).unwrap_or(0),
            weight: 1.0 / f32::from(u8::try_from(count).unwrap_or(1)),
        };
        influences.push((0..count).map(pull).collect::<Vec<_>>());
    }
    made.influences = influences;
    let joint = |node: usize| Joint {
        node: Id::new(node),
        inverse_bind: Affine3A::from_rotation_translation(numbers.quat(), numbers.vector()),
    };
    (made, Skin { name: String::new(), joints: (0..joints).map(joint).collect() })
}

#[test]
fn vertices_and_normals_have_the_bits_of_plain_arithmetic_and_are_those_of_double_precision() {
    let scene = skeleton(96);
    let clip = clip(96, 8, Keys::Dense, 2);
    let vector = |of: [f32; 3]| Vec3::from_array(of).as_dvec3();
    for vertices in [0, 1, 15, 16, 17, 500] {
        let (primitive, skin) = surface(vertices, 40);
        let mut wanted = (vec![[0.0; 3]; vertices], vec![[0.0; 3]; vertices]);
        for level in levels() {
            let prepared = PreparedClip::with_level(level, &scene, &clip);
            let mut pose = JointPoses::at_rest(&scene);
            prepared.sampler().sample(0.1, &mut pose);
            let mut models = ModelMatrices::identity(96);
            PreparedSkeleton::with_level(level, &scene).to_model(&pose, &mut models);
            let mut palette = ModelMatrices::identity(skin.joints.len());
            PreparedSkin::with_level(level, &skin).palette(&models, &mut palette);
            let mesh = PreparedMesh::with_level(level, &primitive);
            let mut found = (vec![[0.0; 3]; vertices], vec![[0.0; 3]; vertices]);
            mesh.skin(&palette, &mut found.0, &mut found.1);
            plain::skin(&mesh, &palette, &mut wanted.0, &mut wanted.1);
            let bits = |of: &[[f32; 3]]| of.iter().map(|it| it.map(f32::to_bits)).collect::<Vec<_>>();
            assert_eq!(bits(&found.0), bits(&wanted.0), "{level:?}");
            assert_eq!(bits(&found.1), bits(&wanted.1), "{level:?}");

            let places: Vec<_> = (0..96).map(|joint| models.matrix(joint).as_dmat4()).collect();
            let size =
                places.iter().map(|it| it.to_cols_array().into_iter().fold(0.0, |a, b| b.abs().max(a)));
            let near = size.fold(1.0, f64::max) * 1e-5;
            for (found, wanted) in found.0.iter().zip(slow::vertices(&primitive, &skin, &places)) {
                assert!(vector(*found).distance(wanted) < near, "{found:?} for {wanted}");
            }
            for (found, wanted) in found.1.iter().zip(slow::normals(&primitive, &skin, &places)) {
                // What nothing pulls at has no place, and keeps its normal.
                let wanted = wanted.filter(|it| it.is_finite());
                let off = wanted.map_or(0.0, |wanted| vector(*found).distance(wanted));
                assert!(off < 1e-3, "{found:?} for {wanted:?}");
            }
        }
    }
}

#[test]
fn posing_blending_and_bending_allocate_nothing() {
    let scene = skeleton(96);
    let (primitive, skin) = surface(500, 40);
    let (mesh, skin) = (PreparedMesh::new(&primitive), PreparedSkin::new(&skin));
    let skeleton = PreparedSkeleton::new(&scene);
    let mut palette = ModelMatrices::identity(skin.joint_count());
    let (mut positions, mut normals) = (vec![[0.0; 3]; 500], vec![[0.0; 3]; 500]);
    for kind in KEYS {
        let clip = PreparedClip::new(&scene, &clip(96, 20, kind, 4));
        let mut figures: Vec<_> = (0..8).map(|_| Figure::new(&skeleton, &clip)).collect();
        let [mut layer, mut blend] = [0; 2].map(|_| JointPoses::identity(96));
        let used = measure(|| {
            for step in 0..50_u8 {
                for (figure, start) in figures.iter_mut().zip(0_u8..) {
                    figure.time = f32::from(step + start) * 0.02;
                    figure.pose();
                }
                let poses = [&figures[0].pose, &figures[1].pose, &figures[2].pose];
                skeleton.difference(poses[0], poses[1], &mut layer);
                skeleton.blend_many(&poses.map(|pose| PoseLayer { pose, weight: 1.0 }), &mut blend);
                skeleton.add(&layer, 0.5, &mut blend);
                skeleton.blend(poses[0], poses[1], 0.5, &mut layer);
                skin.palette(&figures[0].places, &mut palette);
                mesh.skin(&palette, &mut positions, &mut normals);
            }
        });
        assert_eq!(used.count_total, 0, "{kind:?}");
    }
}

#[test]
fn a_crowd_is_posed_as_each_of_it_is() {
    let scene = skeleton(96);
    let skeleton = PreparedSkeleton::new(&scene);
    let clips = KEYS.map(|kind| PreparedClip::new(&scene, &clip(96, 20, kind, 4)));
    let mut crowd: Vec<_> = (0..100).map(|i| Figure::new(&skeleton, &clips[i % 4])).collect();
    let mut numbers = Numbers::new(5);
    for _ in 0..3 {
        for figure in &mut crowd {
            figure.time = numbers.part();
        }
        pose_crowd(&mut crowd);
        for figure in &crowd {
            let mut alone = Figure::new(&skeleton, figure.sampler.clip());
            alone.time = figure.time;
            alone.pose();
            assert_eq!(all_bits(&figure.pose), all_bits(&alone.pose));
            assert_eq!(figure.places, alone.places);
        }
    }
}
