//! The sampler against plain and slow arithmetic, and its allocations.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
#![allow(clippy::float_cmp, reason = "these numbers are exact")]

mod common {
    pub(crate) mod scenes;
    pub(crate) mod slow;
}

use allocation_counter::measure;
use common::scenes::scenes;
use common::slow;
use galvani_scene::{
    Clip, Curve, Id, LANES, Looping, Matrices, Mesh, Moment, Node, Primitive, Pull, Rotations, Sampler,
    Scene, Track, check, skin_palette, skinned_normals, skinned_positions, to_model,
};
use glam::{Affine3A, Quat, Vec3};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// How far single precision may be from double, for numbers of about 100.
const NEAR: f64 = 2e-4;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn generated_scenes_are_sound(scene in scenes()) {
        let found = check(&scene);
        prop_assert_eq!(found.findings(), []);
    }

    #[test]
    fn places_and_vertices_are_those_of_slow_arithmetic(scene in scenes(), part in -0.1..2.2_f32) {
        let (mut sampler, mut moment) = (Sampler::new(&scene), Moment::at_rest(&scene));
        let mut models = Matrices::identity(scene.nodes.len());
        for clip in &scene.clips {
            for time in [part * clip.duration, clip.duration, 0.0] {
                sampler.sample(clip, time, &mut moment);
                to_model(&scene, &moment, &mut models);
                let own = slow::models(&scene, clip, f64::from(time));
                for (i, wanted) in own.iter().enumerate() {
                    let found = glam::Mat4::from(models.matrix(i)).as_dmat4();
                    prop_assert!(found.abs_diff_eq(*wanted, NEAR), "node {i} at {time}: {found} for {wanted}");
                }
                vertices_are_those(&scene, &models, &own)?;
            }
        }
    }

    #[test]
    fn everything_else_is_that_of_slow_arithmetic(scene in scenes(), part in 0.0..1.0_f32) {
        let (mut sampler, mut moment) = (Sampler::new(&scene), Moment::at_rest(&scene));
        for clip in &scene.clips {
            let time = part * clip.duration;
            sampler.sample(clip, time, &mut moment);
            for track in &clip.tracks {
                is_that(track, &moment, f64::from(time))?;
            }
        }
    }
}

fn vertices_are_those(scene: &Scene, models: &Matrices, own: &[glam::DMat4]) -> Result<(), TestCaseError> {
    for node in &scene.nodes {
        let Some((skin, mesh)) = node.skin.zip(node.mesh) else { continue };
        let (skin, mesh) = (skin.find_in(&scene.skins).unwrap(), mesh.find_in(&scene.meshes).unwrap());
        let mut palette = Matrices::identity(skin.joints.len());
        skin_palette(skin, models, &mut palette);
        for primitive in &mesh.primitives {
            let mut positions = vec![Vec3::ZERO; primitive.positions.len()];
            skinned_positions(primitive, &palette, &mut positions);
            for (found, wanted) in positions.iter().zip(slow::vertices(primitive, skin, own)) {
                prop_assert!(found.as_dvec3().distance(wanted) < 10.0 * NEAR, "{found} for {wanted}");
            }
            let mut normals = vec![Vec3::ZERO; primitive.normals.len()];
            skinned_normals(primitive, &palette, &mut normals);
            for (found, wanted) in normals.iter().zip(slow::normals(primitive, skin, own)) {
                let off = wanted.map_or(0.0, |wanted| found.as_dvec3().distance(wanted));
                prop_assert!(off < 10.0 * NEAR, "{found} for {wanted:?}");
                prop_assert!((found.length() - 1.0).abs() < 1e-4, "{found}");
            }
        }
    }
    Ok(())
}

fn is_that(track: &Track, moment: &Moment, time: f64) -> Result<(), TestCaseError> {
    let near = |found: &[f32], wanted: &[f64]| {
        found.iter().zip(wanted).all(|(found, wanted)| (f64::from(*found) - wanted).abs() < NEAR)
    };
    let of = track.material().map_or(0, Id::index);
    let sound = match track {
        Track::Visibility(node, curve) => moment.visible[node.index()] == slow::step(curve, time),
        Track::Texture(_, curve) => moment.images[of] == slow::step(curve, time),
        Track::Color(_, curve) => {
            near(&moment.colors.get(of).truncate().to_array(), &slow::vector(curve, Vec3::to_array, time))
        }
        Track::Alpha(_, curve) => near(&[moment.colors.alpha[of]], &slow::vector(curve, |v| [*v], time)),
        Track::UvOffset(_, curve) => {
            near(&moment.uvs.get(of).offset.to_array(), &slow::vector(curve, glam::Vec2::to_array, time))
        }
        Track::UvRotation(_, curve) => near(&[moment.uvs.rotation[of]], &slow::vector(curve, |v| [*v], time)),
        Track::UvScale(_, curve) => {
            near(&moment.uvs.get(of).scale.to_array(), &slow::vector(curve, glam::Vec2::to_array, time))
        }
        Track::Translation(..) | Track::Rotation(..) | Track::Scale(..) => true,
    };
    prop_assert!(sound, "{track:?} at {time}: {moment:?}");
    Ok(())
}

/// A surface that one joint holds.
fn held(normal: Vec3) -> Primitive {
    let pull = Pull { joint: 0, weight: 1.0 };
    Primitive {
        positions: vec![Vec3::ZERO],
        normals: vec![normal],
        influences: [[pull]].into_iter().collect(),
        ..Primitive::default()
    }
}

#[test]
fn normals_stay_upright_on_what_is_stretched_mirrored_and_flat() {
    let slope = Vec3::new(1.0, 1.0, 0.0).normalize();
    for (scale, normal, wanted) in [
        // A slope that becomes four times as high leans back.
        (Vec3::new(1.0, 4.0, 1.0), slope, Vec3::new(4.0, 1.0, 0.0).normalize()),
        (Vec3::splat(3.0), slope, slope),
        // The outside stays outside.
        (Vec3::new(-1.0, 1.0, 1.0), slope, Vec3::new(-1.0, 1.0, 0.0).normalize()),
        // A sheet has but one normal, and a point has none.
        (Vec3::new(1.0, 0.0, 1.0), slope, Vec3::Y),
        (Vec3::ZERO, slope, slope),
    ] {
        let mut palette = Matrices::identity(1);
        palette.set_matrix(0, Affine3A::from_scale(scale));
        let mut found = [Vec3::ZERO];
        skinned_normals(&held(normal), &palette, &mut found);
        assert!(found[0].distance(wanted) < 1e-6, "{scale}: {} for {wanted}", found[0]);
    }
}

#[test]
fn sampling_allocates_nothing() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..32 {
        let scene = scenes().new_tree(&mut runner).unwrap().current();
        let (mut sampler, mut moment) = (Sampler::new(&scene), Moment::at_rest(&scene));
        let mut models = Matrices::identity(scene.nodes.len());
        let mut palettes: Vec<Matrices> =
            scene.skins.iter().map(|skin| Matrices::identity(skin.joints.len())).collect();
        let mut vertices = vec![Vec3::ZERO; 16];
        let used = measure(|| {
            for clip in &scene.clips {
                for step in 0_u8..100 {
                    sampler.sample(clip, f32::from(step) * 0.05, &mut moment);
                    to_model(&scene, &moment, &mut models);
                    for node in scene.nodes.iter().filter(|node| node.skin.is_some()) {
                        let (skin, mesh) = (node.skin.unwrap(), node.mesh.unwrap());
                        let palette = &mut palettes[skin.index()];
                        skin_palette(&scene.skins[skin.index()], &models, palette);
                        let primitive = &scene.meshes[mesh.index()].primitives[0];
                        skinned_positions(primitive, palette, &mut vertices);
                        skinned_normals(primitive, palette, &mut vertices);
                    }
                }
            }
        });
        assert_eq!(used.count_total, 0);
    }
}

#[test]
fn the_end_of_a_clip_is_its_own_and_only_behind_it_a_loop_begins_again() {
    let curve = Curve::linear(vec![0.0, 2.0], vec![Vec3::ZERO, Vec3::X]);
    let tracks = vec![Track::Translation(Id::new(0), curve)];
    let clip = Clip { duration: 2.0, looping: Looping::Wrap, tracks, ..Clip::default() };
    let scene = Scene { nodes: vec![Node::default()], clips: vec![clip.clone()], ..Scene::default() };
    let (mut sampler, mut moment) = (Sampler::new(&scene), Moment::at_rest(&scene));
    let mut x = |clip: &Clip, time: f32| {
        sampler.sample(clip, time, &mut moment);
        moment.translations.x[0]
    };
    assert_eq!([x(&clip, 2.0), x(&clip, 2.5), x(&clip, -1.0)], [1.0, 0.25, 0.0]);
    let hold = Clip { looping: Looping::Hold, ..clip };
    assert_eq!([x(&hold, 2.0), x(&hold, 2.5)], [1.0, 1.0]);
}

#[test]
fn a_model_is_as_large_as_what_it_shows_at_rest() {
    let primitive =
        Primitive { positions: vec![Vec3::ZERO, Vec3::new(3.0, 4.0, 0.0)], ..Primitive::default() };
    let mesh = Mesh { primitives: vec![primitive], ..Mesh::default() };
    let node = Node { mesh: Some(Id::new(0)), scale: Vec3::splat(2.0), ..Node::default() };
    let mut scene = Scene { nodes: vec![node], ..Scene::default() };
    assert_eq!(scene.size(), 0.0);
    scene.meshes.push(mesh);
    assert_eq!(scene.size(), 10.0);
}

#[test]
fn lists_are_filled_up_to_whole_lanes() {
    let scene = Scene { nodes: vec![Node::default(); 9], ..Scene::default() };
    let moment = Moment::at_rest(&scene);
    let Rotations { x, y, z, w } = &moment.rotations;
    assert!([x, y, z, w].iter().all(|part| part.len() == 2 * LANES));
    assert_eq!(moment.rotations.get(15), Quat::IDENTITY);
}
