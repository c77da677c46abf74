//! Models as scenes: what the engine shows is what the scene says.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]
#![allow(clippy::cast_precision_loss, reason = "counts are small")]

mod common {
    #[path = "../common/msh.rs"]
    pub mod msh;
    #[path = "../common/msh_build_plans.rs"]
    pub mod plans;
}

use common::msh::{cases, found};
use common::plans::plans;
use galvani_core::WantedReading;
use galvani_core::maths::Wxyz;
use galvani_parkan::msh::lift::{Options, axes, lift};
use galvani_parkan::msh::sample::sample_node_pose;
use galvani_parkan::msh::{build, engine};
use galvani_scene::{Scene, Track, check};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_built_model_gives_a_good_scene(plan in plans(), lod in 0..3_u8, group in 0..5_u8) {
        let document = build::build(&plan).unwrap().document;
        let options = Options { lod, group, ..Options::default() };
        let (scene, _) = lift(&document.model(), options).unwrap();
        prop_assert_eq!(check(&scene), Vec::<String>::new());
        prop_assert_eq!(scene.nodes.len(), plan.nodes.len());
        let (again, _) = lift(&document.model(), options).unwrap();
        prop_assert_eq!(scene, again);
    }

    #[test]
    fn the_scene_moves_as_the_engine_does(plan in plans(), part in 0.0..1.0_f32) {
        let document = build::build(&plan).unwrap().document;
        let model = document.model();
        let (scene, report) = lift(&model, Options { frame_rate: 1.0, ..Options::default() }).unwrap();
        prop_assert!(report.findings().iter().all(|finding| finding.code.name != "msh.lost-between-frames"));
        let last = model.frame_count().saturating_sub(1) as f32;
        for time in [part * last, (part * last).floor(), last, 0.0] {
            for node in 0..scene.nodes.len() {
                let (pose, _) = sample_node_pose(&model, node, time).unwrap();
                let (place, [x, y, z, w]) = at(&scene, node, time);
                let [qw, qx, qy, qz] = pose.rotation.0;
                let [qx, qy, qz] = axes([-qx, -qy, -qz]);
                let dot = (w * qw + x * qx + y * qy + z * qz).abs();
                prop_assert!((dot - 1.0).abs() < 2e-4, "{dot} at {time}");
                prop_assert!(place.iter().zip(axes(pose.position)).all(|(a, b)| (a - b).abs() < 1e-3));
            }
        }
    }
}

/// A node of the scene at a time, as glTF says curves are read.
fn at(scene: &Scene, node: usize, time: f32) -> ([f32; 3], [f32; 4]) {
    let (mut place, mut turn) = (scene.nodes[node].translation, scene.nodes[node].rotation);
    for track in scene.clips.iter().flat_map(|clip| &clip.tracks).filter(|track| track.node().index() == node)
    {
        let times = track.times();
        let next = times.partition_point(|key| *key <= time).clamp(1, times.len() - 1);
        let alpha = ((time - times[next - 1]) / (times[next] - times[next - 1])).clamp(0.0, 1.0);
        match track {
            Track::Translation(_, curve) => {
                place = engine::lerp(curve.values[next - 1], curve.values[next], alpha);
            }
            Track::Rotation(_, curve) => {
                turn = engine::slerp(Wxyz(curve.values[next - 1]), Wxyz(curve.values[next]), alpha).0;
            }
        }
    }
    (place, turn)
}

#[test]
fn every_case_gives_a_good_scene_or_a_reason() {
    let mut refused = 0;
    for (name, file) in cases() {
        for reading in WantedReading::ALL {
            let Ok(read) = std::panic::catch_unwind(|| found(&file, reading)) else { continue };
            match lift(&read.document.model(), Options::default()) {
                Ok((scene, _)) => assert_eq!(check(&scene), Vec::<String>::new(), "{name}"),
                Err(error) => {
                    refused += 1;
                    assert!(error.cause.code.name.starts_with("msh."), "{name}: {error}");
                }
            }
        }
    }
    assert!(refused > 5, "only {refused} refusals");
}
