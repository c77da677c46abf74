//! Models built from plans: what is computed is right, what cannot be is refused.
#![allow(clippy::unwrap_used, clippy::float_cmp, clippy::cast_precision_loss, reason = "exact here")]

#[path = "common/msh_build.rs"]
mod common;
#[path = "common/msh_build_plans.rs"]
mod plans;
#[path = "common/msh_build_rules.rs"]
mod rules;

use std::collections::BTreeSet;

use common::{built, come_back, cube, drawn, geometry, part, says_what_the_plan_says, showing, wanted};
use galvani_core::maths::Wxyz;
use galvani_core::{Code, ReadOptions, Reading, Severity};
use galvani_parkan::msh::build::{self, GeometryPlan, KeyPlan, NodePlan, Normals, Plan, build};
use galvani_parkan::msh::{Document, check, read, wire, write};
use plans::plans;
use proptest::prelude::*;
use rules::obeys_the_rules;
use zerocopy::little_endian::{F32, I32, U16, U32};

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn whatever_a_plan_says_comes_back_from_its_file(plan in plans()) {
        let document = come_back(&plan);
        let documented = plan.reading == Reading::Documented;
        prop_assert_eq!(document.reading == Reading::Documented, documented);
        prop_assert!(document.archive.has_canonical_layout());
        says_what_the_plan_says(&plan, &document.model());
        obeys_the_rules(&document.model());
        let report = check(&document);
        prop_assert_eq!(report.tally(Severity::Error) + report.tally(Severity::Warning), 0, "{:?}", report.findings());
    }
}

fn order(document: &Document) -> Vec<u32> {
    document.archive.entries.iter().map(|entry| entry.type_id).collect()
}

fn attributes(document: &Document, stream: u32) -> [u32; 3] {
    let entry = &document.archive.entries[document.find(stream).unwrap()];
    [entry.attr1, entry.attr2, entry.attr3]
}

#[test]
fn the_streams_stand_in_the_order_of_the_games_files() {
    let mut plan = showing(cube());
    assert_eq!(order(&come_back(&plan)), [1, 2, 3, 4, 5, 15, 13, 6, 7, 8, 19, 9, 10, 17]);
    let slot = plan.nodes[0].slots[0][0].as_mut().unwrap();
    slot.lightmap_uv = vec![[0.5, 0.25]; 8];
    assert_eq!(order(&come_back(&plan)), [1, 2, 3, 4, 5, 18, 15, 13, 6, 7, 8, 19, 9, 10, 17, 20]);
    let slot = plan.nodes[0].slots[0][0].as_mut().unwrap();
    slot.tangents = vec![wire::Tangents { tangent: [127, 0, 0, 0], bitangent: [0, 127, 0, 0] }; 8];
    assert_eq!(order(&come_back(&plan)), [1, 2, 3, 4, 5, 18, 15, 13, 6, 7, 8, 19, 9, 10, 17, 20, 16]);
    plan.reading = Reading::Documented;
    assert_eq!(order(&come_back(&plan)), [1, 2, 3, 4, 5, 15, 13, 6, 7, 8, 19, 10, 16]);
}

#[test]
fn the_attributes_are_those_of_the_games_files() {
    let mut plan = showing(cube());
    plan.nodes[0].track = vec![KeyPlan::default(), KeyPlan { time: 6, ..KeyPlan::default() }];
    let document = come_back(&plan);
    let wanted = [
        (1, [1, 0, 38]),
        (2, [1, 0, 68]),
        (3, [8, 0, 12]),
        (4, [8, 0, 4]),
        (5, [8, 0, 4]),
        (15, [8, 0, 8]),
        (13, [1, 0, 20]),
        (6, [36, 0, 2]),
        (7, [12, 0, 16]),
        (8, [2, 0, 4]),
        (19, [7, 7, 2]),
        (9, [1, 0, 32]),
        (10, [1, 0, 0]),
        (17, [0, 0, 0]),
    ];
    for (stream, attr) in wanted {
        assert_eq!(attributes(&document, stream), attr, "stream {stream}");
    }
    assert!(document.archive.entries.iter().all(|entry| entry.name.text() == b"test"));
}

#[test]
fn a_model_that_stands_still_has_an_empty_map_and_one_frame() {
    let document = come_back(&showing(cube()));
    assert_eq!(attributes(&document, 19), [0, 1, 2]);
    let model = document.model();
    assert_eq!(model.nodes.unwrap().rows[0].map_start.get(), 0xFFFF);
    assert_eq!(model.keys.unwrap().rows[0].time.get(), 0.0);
}

#[test]
fn a_cube_has_six_flat_sides_or_one_round_one() {
    let smooth = come_back(&showing(cube()));
    assert_eq!(smooth.model().vertex_count(), 8);
    let flat = come_back(&showing(GeometryPlan { normals: Normals::Flat, ..cube() }));
    let model = flat.model();
    assert_eq!(model.vertex_count(), 24);
    let normals: BTreeSet<[i8; 3]> =
        model.normals.as_ref().unwrap().rows.iter().map(|row| row.normal).collect();
    assert_eq!(normals.len(), 6);
    let slot = &model.slots.as_ref().unwrap().rows[0];
    assert_eq!(slot.tail.map(|word| f32::from_bits(word.get())), [24.0, 8.0, 0.0, 0.0, 0.0]);
    let closed = |face: &wire::Face| face.link.iter().all(|link| link.get() != 0xFFFF);
    assert!(model.faces.unwrap().rows.iter().all(closed), "a cube has no open edges");
}

#[test]
fn bounds_hold_the_model_as_its_first_frame_poses_it() {
    // A quarter turn about z as it is stored takes +x to -y.
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let turned = KeyPlan { time: 0, position: [0.0, 0.0, 10.0], rotation: Wxyz([half, 0.0, 0.0, half]) };
    let later = KeyPlan { time: 9, position: [0.0, 0.0, 99.0], ..turned };
    let mut arm = NodePlan { track: vec![turned, later], ..NodePlan::default() };
    let point = |x: f32, z: f32| [x, 0.0, z];
    let sail = geometry(vec![point(0.0, 0.0), point(4.0, 0.0), point(0.0, 1.0)], &[[0, 1, 2]]);
    arm.slots[0][0] = Some(sail);
    let moved = KeyPlan { position: [0.0, 2.0, 0.0], ..KeyPlan::default() };
    let mut tip = NodePlan { parent: Some(0), track: vec![moved], ..NodePlan::default() };
    tip.slots[0][0] = Some(cube());
    let mut cockpit = NodePlan::default();
    cockpit.slots[0][4] = Some(GeometryPlan {
        positions: cube().positions.iter().map(|p| p.map(|x| 50.0 * x)).collect(),
        ..cube()
    });
    let plan = Plan { name: b"crane".to_vec(), nodes: vec![arm, tip, cockpit], ..Plan::default() };
    let document = come_back(&plan);
    let model = document.model();
    let bounds = model.bounds.unwrap();
    // The sail reaches from z 10 to 11 and y 0 to -4; the cube's centre is at x 2.
    let near = |found: &[F32; 3], wanted: [f32; 3]| {
        assert!(found.iter().zip(wanted).all(|(a, b)| (a.get() - b).abs() < 1e-3), "{found:?} {wanted:?}");
    };
    near(&bounds.hull[0], [0.0, -4.0, 9.0]);
    near(&bounds.hull[1], [3.0, -4.0, 9.0]);
    near(&bounds.hull[2], [0.0, 1.0, 9.0]);
    near(&bounds.hull[4], [0.0, -4.0, 11.0]);
    near(&bounds.hull[7], [3.0, 1.0, 11.0]);
    near(&bounds.sphere_center, [1.5, -1.5, 10.0]);
    near(&bounds.capsule_a, [1.5, -1.5, 9.0]);
    near(&bounds.capsule_b, [1.5, -1.5, 11.0]);
    let farthest = (1.5_f32.powi(2) + 2.5_f32.powi(2)).sqrt();
    assert!((bounds.capsule_radius.get() - farthest).abs() < 1e-3);
    assert!((bounds.sphere_radius.get() - (farthest.powi(2) + 1.0).sqrt()).abs() < 1e-3);
    assert_eq!(model.nodes.unwrap().rows[2].flags.get(), 0x20, "only seen from the cockpit");
}

/// Triangles that share no vertex, `count` of them.
fn loose(count: u32) -> GeometryPlan {
    let position = |i: u32| [(i % 300) as f32, (i / 300) as f32, (i % 7) as f32];
    let triangles: Vec<[u32; 3]> = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let mesh = geometry((0..3 * count).map(position).collect(), &triangles);
    GeometryPlan { normals: Normals::Given(vec![[0.0, 0.0, 1.0]; 3 * count as usize]), ..mesh }
}

fn spans(document: &Document) -> Vec<u16> {
    document.model().batches.unwrap().rows.iter().map(|batch| batch.word_0e.get()).collect()
}

#[test]
fn a_mesh_of_seventy_thousand_vertices_is_drawn_in_reach_of_16_bits() {
    let mesh = loose(23_334);
    let document = come_back(&showing(mesh.clone()));
    assert_eq!(document.model().vertex_count(), 70_002, "nothing is doubled");
    assert_eq!(spans(&document), [65_535, 4_467]);
    assert_eq!(drawn(&document.model(), 0), wanted(&mesh));
}

#[test]
fn a_vertex_is_doubled_only_where_no_draw_call_reaches_it() {
    let mut mesh = loose(23_333);
    // One more triangle, between the first vertices and the last.
    mesh.parts.push(part(&[[0, 1, 69_998]]));
    let document = come_back(&showing(mesh.clone()));
    assert_eq!(document.model().vertex_count(), 69_999 + 2);
    assert_eq!(drawn(&document.model(), 0), wanted(&mesh));
    // A draw call may reach back to vertices that another one has drawn.
    let mut mesh = loose(23_333);
    mesh.parts.push(part(&[[10_000, 20_000, 69_998]]));
    let document = come_back(&showing(mesh.clone()));
    assert_eq!(document.model().vertex_count(), 69_999);
    assert_eq!(drawn(&document.model(), 0), wanted(&mesh));
}

#[test]
fn a_mesh_whose_triangles_jump_about_is_drawn_whole() {
    let mut mesh = loose(23_000);
    let scattered = |i: u32| [i * 7919 % 69_000, i * 104_729 % 69_000, i * 31 % 69_000];
    mesh.parts.push(part(&(0..40_000).map(scattered).collect::<Vec<_>>()));
    let document = come_back(&showing(mesh.clone()));
    assert_eq!(drawn(&document.model(), 0), wanted(&mesh));
}

#[test]
fn a_batch_has_no_more_indices_than_16_bits_count() {
    let mesh = geometry(
        cube().positions,
        &(0..30_000).map(|i| [i % 8, (i + 1) % 8, (i + 3) % 8]).collect::<Vec<_>>(),
    );
    let mesh = GeometryPlan { normals: Normals::Given(vec![[0.0, 0.0, 1.0]; 8]), ..mesh };
    let document = come_back(&showing(mesh.clone()));
    let model = document.model();
    let counts: Vec<u16> =
        model.batches.as_ref().unwrap().rows.iter().map(|batch| batch.index_count.get()).collect();
    assert_eq!(counts, [65_535, 24_465]);
    assert_eq!(drawn(&model, 0), wanted(&mesh));
}

#[test]
fn equal_geometry_of_a_node_is_stored_once() {
    let mut plan = showing(cube());
    plan.nodes[0].slots[1][0] = Some(cube());
    plan.nodes[0].slots[2][0] = Some(geometry(cube().positions, &[[0, 1, 2]]));
    let document = come_back(&plan);
    let model = document.model();
    let slots = model.nodes.as_ref().unwrap().rows[0].slot_index.map(U16::get);
    assert_eq!((slots[0], slots[5], slots[10]), (0, 0, 1));
    assert_eq!(model.vertex_count(), 8 + 3);
}

#[test]
fn what_is_left_out_is_said() {
    let mut plan = showing(geometry(cube().positions, &[[0, 1, 2], [3, 3, 4]]));
    let report = built(&plan).report;
    let said: Vec<String> = report.findings().iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "nodes[0].slots[0].positions: msh.build-unused-vertices: 3 of 8 vertices are left out",
            "nodes[0].slots[0].triangles: msh.build-degenerate: 1 of 2 triangles have no area",
        ]
    );
    plan = showing(cube());
    plan.nodes[0].label = b"central".to_vec();
    let slot = plan.nodes[0].slots[0][0].as_mut().unwrap();
    slot.lightmap_uv = vec![[0.0; 2]; 8];
    slot.parts[0].lightmap = Some(0);
    assert_eq!(built(&plan).report.findings(), []);
    plan.reading = Reading::Documented;
    let report = built(&plan).report;
    let said: Vec<String> = report.findings().iter().map(|finding| finding.path.to_string()).collect();
    assert_eq!(said, ["nodes[0].label", "nodes[0].slots[0].lightmap_uv", "nodes[0].slots[0].parts[0]"]);
}

#[test]
fn lightmaps_and_portals_are_flagged() {
    let mut plan = showing(cube());
    let slot = plan.nodes[0].slots[0][0].as_mut().unwrap();
    slot.parts[0].material = 7;
    slot.parts.push(build::PartPlan {
        lightmap: Some(3),
        portal: Some(0),
        flags: 0x100,
        ..slot.parts[0].clone()
    });
    let document = come_back(&plan);
    let heads: Vec<[u16; 4]> =
        document.model().batches.unwrap().rows.iter().map(|batch| batch.head.map(U16::get)).collect();
    assert_eq!(heads, [[0, 0, 0xFF07, 0xFFFF], [0x2108, 0, 0x0307, 0]]);
}

#[test]
fn graphs_and_probes_are_kept_as_they_are() {
    let mut plan = showing(cube());
    let point = wire::Waypoint { position: [F32::new(1.0); 3], flags: U32::new(5), node: U32::new(0) };
    plan.waypoints = vec![point; 2];
    plan.hallways = vec![wire::Hallway { a: U32::new(0), b: U32::new(1), unknown_08: [U32::new(9); 8] }];
    plan.probes = vec![probe(0)];
    let document = come_back(&plan);
    assert_eq!(attributes(&document, 17), [2, 1, 0]);
    assert_eq!(attributes(&document, 20), [1, 0, 48]);
    let model = document.model();
    assert_eq!(model.waypoints.unwrap().rows, plan.waypoints);
    assert_eq!(model.hallways.unwrap().rows, plan.hallways);
    assert_eq!(model.probes.unwrap().rows, plan.probes);
    assert_eq!(model.stream18.unwrap().rows.len(), 8, "probes come with lightmap coordinates");
}

fn probe(node: i32) -> wire::Probe {
    let three = [F32::new(0.5); 3];
    let (colour, intensity) = ([F32::new(1.0); 4], F32::new(2.0));
    wire::Probe { node: I32::new(node), position: three, direction: three, colour, intensity }
}

#[test]
fn half_turns_do_not_sway_the_verdict() {
    for axis in 1..4 {
        let mut rotation = [0.0; 4];
        rotation[axis] = 1.0;
        let mut plan = showing(cube());
        plan.nodes[0].track =
            (0..20).map(|time| KeyPlan { time, rotation: Wxyz(rotation), ..KeyPlan::default() }).collect();
        for reading in [Reading::Documented, Reading::Observed] {
            plan.reading = reading;
            let document = come_back(&plan);
            assert_eq!(document.reading, reading);
            says_what_the_plan_says(&plan, &document.model());
        }
    }
}

/// A plan that a change turns into one that cannot be built.
fn refused(change: impl FnOnce(&mut Plan)) -> &'static Code {
    let mut plan = showing(cube());
    plan.nodes.push(NodePlan { parent: Some(0), ..NodePlan::default() });
    change(&mut plan);
    let error = build(&plan).unwrap_err();
    assert!(!error.cause.path.is_root(), "{error} has no place");
    error.cause.code
}

fn refused_slot(change: impl FnOnce(&mut GeometryPlan)) -> &'static Code {
    refused(|plan| change(plan.nodes[0].slots[0][0].as_mut().unwrap()))
}

fn at(time: u32) -> KeyPlan {
    KeyPlan { time, ..KeyPlan::default() }
}

fn track(key: KeyPlan) -> &'static Code {
    refused(|plan| plan.nodes[1].track = vec![at(0), key])
}

#[test]
fn nodes_that_cannot_be_are_refused() {
    assert_eq!(refused(|plan| plan.nodes.clear()), &build::NO_NODES);
    assert_eq!(refused(|plan| plan.nodes[1].name = vec![b'a'; 32]), &build::NAME);
    assert_eq!(refused(|plan| plan.nodes[1].name = b"a\0b".to_vec()), &build::NAME);
    assert_eq!(refused(|plan| plan.nodes[1].label = b"a\0b".to_vec()), &build::NAME);
    assert_eq!(refused(|plan| plan.nodes[1].parent = Some(1)), &build::PARENT);
    assert_eq!(refused(|plan| plan.nodes[0].parent = Some(1)), &build::PARENT);
    assert_eq!(refused(|plan| plan.nodes[0].flags = 0x20), &build::COCKPIT);
    assert_eq!(refused(|plan| plan.nodes[1].flags = 0x20), &build::COCKPIT);
    assert_eq!(refused(|plan| plan.nodes[1].slots[1][0] = Some(cube())), &build::VARIANT_ORDER);
    assert_eq!(refused(|plan| plan.nodes[0].slots[2][0] = Some(cube())), &build::VARIANT_ORDER);
    assert_eq!(refused(|plan| plan.name.clear()).name, "nres.name-refused");
    assert_eq!(refused(|plan| plan.name = vec![b'a'; 36]).name, "nres.name-too-long");
}

#[test]
fn keys_that_cannot_be_are_refused() {
    assert_eq!(refused(|plan| plan.nodes[1].track = vec![at(1)]), &build::KEY_TIME);
    assert_eq!(track(at(0)), &build::KEY_TIME);
    assert_eq!(track(at((1 << 23) + 1)), &build::KEY_TIME);
    assert_eq!(track(KeyPlan { position: [0.0, f32::NAN, 0.0], ..at(1) }), &build::NOT_FINITE);
    assert_eq!(
        track(KeyPlan { rotation: Wxyz([f32::INFINITY, 0.0, 0.0, 0.0]), ..at(1) }),
        &build::NOT_FINITE
    );
    assert_eq!(track(KeyPlan { rotation: Wxyz([1.0, 0.1, 0.0, 0.0]), ..at(1) }), &build::NOT_UNIT);
    let keys = |count: u32| (0..count).map(at).collect::<Vec<_>>();
    assert_eq!(refused(|plan| plan.nodes[1].track = keys(65_535)), &build::TOO_MANY_KEYS);
    let mut most = showing(cube());
    most.nodes[0].track = keys(65_535);
    assert_eq!(come_back(&most).model().nodes.unwrap().rows[0].fallback_key.get(), 65_534);
}

#[test]
fn maps_too_long_for_their_nodes_are_refused() {
    let moving = |nodes: usize, last: u32| {
        let node = NodePlan { track: vec![at(0), at(last)], ..NodePlan::default() };
        Plan { name: b"long".to_vec(), nodes: vec![node; nodes], ..Plan::default() }
    };
    assert_eq!(build(&moving(2, 65_534)).unwrap_err().cause.code, &build::TOO_MANY_FRAMES);
    let document = come_back(&moving(2, 65_533));
    assert_eq!(document.model().nodes.unwrap().rows[1].map_start.get(), 65_534);
    assert_eq!(document.model().frame_count(), 65_534);
    assert_eq!(come_back(&moving(1, 200_000)).model().frame_count(), 200_001);
}

#[test]
fn geometry_that_cannot_be_is_refused() {
    assert_eq!(refused_slot(|slot| slot.positions[3][1] = f32::NAN), &build::NOT_FINITE);
    assert_eq!(refused_slot(|slot| slot.positions[3][1] = f32::MAX), &build::NOT_FINITE);
    assert_eq!(refused_slot(|slot| slot.normals = Normals::Given(vec![[0.0; 3]; 8])), &build::NOT_UNIT);
    assert_eq!(refused_slot(|slot| slot.normals = Normals::Given(vec![])), &build::VERTEX_COUNT);
    assert_eq!(refused_slot(|slot| slot.uv = vec![[0.0; 2]; 7]), &build::VERTEX_COUNT);
    assert_eq!(refused_slot(|slot| slot.extra15 = vec![[0; 8]; 9]), &build::VERTEX_COUNT);
    assert_eq!(refused_slot(|slot| slot.uv = vec![[f32::NAN, 0.0]; 8]), &build::NOT_FINITE);
    assert_eq!(refused_slot(|slot| slot.lightmap_uv = vec![[f32::INFINITY, 0.0]; 8]), &build::NOT_FINITE);
    assert_eq!(refused_slot(|slot| slot.parts.clear()), &build::EMPTY);
    assert_eq!(refused_slot(|slot| slot.parts[0].triangles.clear()), &build::EMPTY);
    assert_eq!(refused_slot(|slot| slot.parts[0].triangles[0].vertices[2] = 8), &build::INDEX_RANGE);
    assert_eq!(refused_slot(|slot| slot.parts[0].portal = Some(2)), &build::INDEX_RANGE);
    assert_eq!(refused_slot(|slot| slot.parts[0].material = 256), &build::MATERIAL);
    let many = |count: usize| showing(geometry(cube().positions, &vec![[0, 1, 2]; count]));
    assert_eq!(build(&many(65_536)).unwrap_err().cause.code, &build::TOO_MANY_TRIANGLES);
    assert_eq!(built(&many(65_535)).document.model().faces.unwrap().rows.len(), 65_535);
}

#[test]
fn what_points_at_nothing_is_refused() {
    let point = wire::Waypoint { position: [F32::ZERO; 3], flags: U32::ZERO, node: U32::new(2) };
    assert_eq!(refused(|plan| plan.waypoints = vec![point]), &build::INDEX_RANGE);
    let link = wire::Hallway { a: U32::ZERO, b: U32::ZERO, unknown_08: [U32::ZERO; 8] };
    assert_eq!(refused(|plan| plan.hallways = vec![link]), &build::INDEX_RANGE);
    assert_eq!(refused(|plan| plan.probes = vec![probe(2)]), &build::INDEX_RANGE);
    assert_eq!(refused(|plan| plan.probes = vec![probe(-1)]), &build::INDEX_RANGE);
}

#[test]
fn the_documented_form_refuses_only_what_it_cannot_hold() {
    let mut plan = showing(GeometryPlan { uv: vec![[-0.5, 31.0]; 8], ..cube() });
    plan.reading = Reading::Documented;
    plan.nodes[0].name = vec![b'n'; 200];
    plan.nodes[0].flags = 0x20;
    plan.nodes[0].slots[0][0].as_mut().unwrap().parts[0].material = 40_000;
    let document = come_back(&plan);
    assert_eq!(document.model().node_name(0), plan.nodes[0].name);
    assert_eq!(drawn(&document.model(), 0), wanted(plan.nodes[0].slots[0][0].as_ref().unwrap()));
}

#[test]
fn coordinates_beyond_their_form_are_clamped_and_told() {
    for (reading, given, stored) in [
        (Reading::Observed, [64.0, -0.5], [63.999_023, 0.0]),
        (Reading::Documented, [32.0, -33.0], [31.999_023, -32.0]),
    ] {
        let mut slot = cube();
        slot.uv = vec![[0.25, 0.5]; 8];
        slot.uv[3] = given;
        let built = build(&Plan { reading, ..showing(slot) }).unwrap();
        let [told] = built.report.findings() else { panic!("{:?}", built.report) };
        assert_eq!((told.code, told.count), (&build::UV_RANGE, 1));
        let said =
            format!("nodes[0].slots[0].uv[3]: msh.build-uv-range: {given:?} wanted, {stored:?} stored");
        assert_eq!(told.to_string(), said);
        let model = built.document.model();
        let rows = model.uv0.unwrap().rows.iter();
        let found: Vec<[f32; 2]> =
            rows.map(|row| row.uv.map(|word| galvani_parkan::msh::values::uv(word.get(), reading))).collect();
        assert!(found.contains(&stored), "{found:?}");
    }
}

#[test]
fn a_forced_reading_sees_the_same_bytes() {
    let file = write(&built(&showing(cube())).document).unwrap();
    let mut options = ReadOptions::default();
    options.readings.all = Reading::Documented.into();
    let forced = read(&file, &options).unwrap();
    assert_eq!(write(&forced.document).unwrap(), file);
    assert_eq!(forced.report.tally(Severity::Error), 0);
}
