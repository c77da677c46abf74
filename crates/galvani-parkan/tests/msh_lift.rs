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
use galvani_parkan::msh::build;
use galvani_parkan::msh::lift::{Options, axes, lift};
use galvani_parkan::msh::sample::sample_node_pose;
use galvani_scene::{Moment, Sampler, check};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_built_model_gives_a_good_scene(plan in plans(), lod in 0..3_u8, group in 0..5_u8) {
        let document = build::build(&plan).unwrap().document;
        let options = Options { lod, group, ..Options::default() };
        let (scene, _) = lift(&document.model(), options).unwrap();
        let found = check(&scene);
        prop_assert_eq!(found.findings(), []);
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
        let (mut sampler, mut moment) = (Sampler::new(&scene), Moment::at_rest(&scene));
        for time in [part * last, (part * last).floor(), last, 0.0] {
            if let Some(clip) = scene.clips.first() {
                sampler.sample(clip, time, &mut moment);
            }
            for node in 0..scene.nodes.len() {
                let (pose, _) = sample_node_pose(&model, node, time).unwrap();
                let (place, [x, y, z, w]) = (moment.translations.get(node), moment.rotations.get(node));
                let [qw, qx, qy, qz] = pose.rotation.0;
                let [qx, qy, qz] = axes([-qx, -qy, -qz]);
                let dot = (w * qw + x * qx + y * qy + z * qz).abs();
                prop_assert!((dot - 1.0).abs() < 2e-4, "{dot} at {time}");
                prop_assert!(place.iter().zip(axes(pose.position)).all(|(a, b)| (a - b).abs() < 1e-3));
            }
        }
    }
}

#[test]
fn every_case_gives_a_good_scene_or_a_reason() {
    let mut refused = 0;
    for (name, file) in cases() {
        for reading in WantedReading::ALL {
            let Ok(read) = std::panic::catch_unwind(|| found(&file, reading)) else { continue };
            match lift(&read.document.model(), Options::default()) {
                Ok((scene, _)) => assert_eq!(check(&scene).findings(), [], "{name}"),
                Err(error) => {
                    refused += 1;
                    assert!(error.cause.code.name.starts_with("msh."), "{name}: {error}");
                }
            }
        }
    }
    assert!(refused > 5, "only {refused} refusals");
}
