//! Any plan that can be built.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part of this")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

use galvani_core::Reading;
use galvani_core::maths::Wxyz;
use galvani_parkan::msh::build::{
    COCKPIT_FLAG, GeometryPlan, KeyPlan, NodePlan, Normals, PartPlan, Plan, TrianglePlan,
};
use proptest::prelude::*;

/// Any plan that can be built.
pub fn plans() -> impl Strategy<Value = Plan> {
    let reading = prop_oneof![Just(Reading::Observed), Just(Reading::Documented)];
    (reading, prop::collection::vec(nodes(), 1..6)).prop_map(|(reading, mut nodes)| {
        for (i, node) in nodes.iter_mut().enumerate() {
            node.parent = node.parent.filter(|_| i > 0).map(|parent| parent % i);
        }
        Plan { name: b"model".to_vec(), reading, nodes, ..Plan::default() }
    })
}

fn nodes() -> impl Strategy<Value = NodePlan> {
    let text = |most: usize| prop::collection::vec(1..=255_u8, 0..=most);
    let slots = prop::collection::vec((0..15_usize, geometries()), 0..4);
    let parent = prop::option::of(any::<usize>());
    (text(31), text(9), parent, any::<u16>(), tracks(), slots).prop_map(
        |(name, label, parent, flags, track, filled)| {
            let flags = flags & !COCKPIT_FLAG;
            let mut node = NodePlan { name, label, parent, flags, track, ..NodePlan::default() };
            for (cell, geometry) in filled {
                node.slots[cell / 5][cell % 5] = Some(geometry);
            }
            // No damage state without the one before it.
            for state in 0..2 {
                if node.slots[state].iter().all(Option::is_none) {
                    node.slots.swap(state, state + 1);
                }
            }
            if node.slots[0].iter().all(Option::is_none) {
                node.slots.swap(0, 1);
            }
            node
        },
    )
}

fn tracks() -> impl Strategy<Value = Vec<KeyPlan>> {
    let key = (1..9_u32, prop::array::uniform3(-100.0..100.0_f32), rotations());
    prop::collection::vec(key, 0..5).prop_map(|keys| {
        let mut time = 0;
        let mut track = Vec::new();
        for (i, (step, position, rotation)) in keys.into_iter().enumerate() {
            time += if i == 0 { 0 } else { step };
            track.push(KeyPlan { time, position, rotation: Wxyz(rotation) });
        }
        track
    })
}

fn rotations() -> impl Strategy<Value = [f32; 4]> {
    let turned = prop::array::uniform4(-1.0..1.0_f32).prop_filter_map("no direction", unit);
    prop_oneof![4 => turned, 1 => Just([1.0, 0.0, 0.0, 0.0]), 2 => Just([0.0, 1.0, 0.0, 0.0])]
}

fn unit<const N: usize>(vector: [f32; N]) -> Option<[f32; N]> {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    (length > 0.1).then(|| vector.map(|x| x / length))
}

/// Vertices on a coarse grid, so that edges meet, and triangles between any of them.
pub fn geometries() -> impl Strategy<Value = GeometryPlan> {
    (2..12_usize).prop_flat_map(|count| {
        let most = u32::try_from(count).unwrap();
        let grid = prop_oneof![Just(-1.5), Just(-0.0), Just(0.0), Just(2.25)];
        let positions = prop::collection::vec(prop::array::uniform3(grid), count);
        let triangle = (prop::array::uniform3(0..most), any::<u16>())
            .prop_map(|(vertices, flags)| TrianglePlan { vertices, flags });
        let part = (any::<u16>(), 0..256_u16, prop::collection::vec(triangle, 1..9)).prop_map(
            |(flags, material, triangles)| PartPlan { flags, material, triangles, ..PartPlan::default() },
        );
        let normal = prop::array::uniform3(-1.0..1.0_f32).prop_filter_map("no direction", unit);
        let normals = prop_oneof![
            Just(Normals::Smooth),
            Just(Normals::Flat),
            prop::collection::vec(normal, count).prop_map(Normals::Given),
        ];
        let uv = prop::array::uniform2((0..32_767_u16).prop_map(|word| f32::from(word) / 1024.0));
        let rows = (
            prop_oneof![Just(vec![]), prop::collection::vec(uv, count).boxed()],
            prop_oneof![Just(vec![]), prop::collection::vec(any::<[u8; 8]>(), count).boxed()],
        );
        (positions, normals, rows, prop::collection::vec(part, 1..4)).prop_map(
            |(positions, normals, (uv, extra15), parts)| GeometryPlan {
                positions,
                normals,
                uv,
                extra15,
                parts,
                ..GeometryPlan::default()
            },
        )
    })
}
