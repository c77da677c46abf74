//! Picking against plain loops over all triangles.
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, reason = "as near as may be")]

#[path = "common/msh_build.rs"]
mod common;
#[path = "common/msh_build_plans.rs"]
mod plans;
#[path = "common/msh_posed.rs"]
mod posed;

use common::{built, cube, geometry, showing};
use galvani_core::budget::{Allowance, OUT_OF_WORK, Share};
use galvani_core::{Budget, Meter, SampleError};
use galvani_parkan::msh::build::Plan;
use galvani_parkan::msh::draw::{Choice, DrawInstance, Filter, IDENTITY, Posed};
use galvani_parkan::msh::node_test::NodeTest;
use galvani_parkan::msh::pick::{self, Hit, Neighbour, Ray, neighbours, owns, slot_of};
use galvani_parkan::msh::{Document, wire};
use plans::plans;
use posed::{Point, Shown, matrices, meets, minus, placements, point_of, shown};
use proptest::prelude::*;
use zerocopy::little_endian::{U16, U32};

/// What is allowed where nobody says more.
const NOTHING: Allowance =
    Allowance { memory: Share { base: 0, per_byte: 0 }, work: Share { base: 0, per_byte: 0 } };

const FIRST: Choice = Choice { lod: Some(0), group: Some(0) };
const ANY: Filter = Filter { with: 0, without: 0 };

/// A ray from a point towards another.
fn towards(from: Point, to: Point) -> Ray {
    Ray { origin: from.map(|x| x as f32), direction: minus(to, from).map(|x| x as f32) }
}

/// Distances are rounded to single precision, and so are rays.
fn tolerance(shown: &[Shown<'_>], ray: &Ray) -> f64 {
    let corners = shown.iter().flat_map(|shown| &shown.triangles).flat_map(|triangle| triangle.corners);
    let numbers = corners.flatten().chain(ray.origin.map(f64::from));
    1e-5 * (1.0 + numbers.fold(0.0, |most: f64, number| most.max(number.abs())))
}

fn unit(ray: &Ray) -> (Point, Point) {
    let direction = ray.direction.map(f64::from);
    (ray.origin.map(f64::from), direction.map(|x| x / posed::length(direction)))
}

/// A hit is on its triangle, and nothing that the ray clearly meets is nearer.
fn is_the_nearest(hit: Option<&Hit>, shown: &[Shown<'_>], ray: &Ray, filter: Filter) {
    let near = tolerance(shown, ray);
    let (origin, direction) = unit(ray);
    for shown in shown {
        for triangle in shown.triangles.iter().filter(|it| filter.passes(it.flags.into())) {
            let met = meets(triangle.corners, origin, direction);
            let Some((distance, _)) = met.filter(|&(distance, least)| distance > near && least > 1e-6) else {
                continue;
            };
            let found = hit.map(|hit| f64::from(hit.distance));
            assert!(
                found.is_some_and(|found| found < distance + near),
                "{triangle:?} at {distance}: {hit:?}"
            );
        }
    }
    let Some(hit) = hit else { return };
    let own = shown.iter().find(|shown| shown.node == hit.node).unwrap();
    let triangle = own.triangles.iter().find(|triangle| triangle.face == hit.triangle).unwrap();
    assert_eq!((own.slot, triangle.batch, triangle.flags), (hit.slot, hit.batch, hit.flags));
    assert!(filter.passes(hit.flags.into()) && owns(own.record, hit.triangle));
    let on_triangle = point_of(triangle.corners, hit.barycentrics.map(f64::from));
    let on_ray: Point = std::array::from_fn(|i| origin[i] + direction[i] * f64::from(hit.distance));
    for point in [on_ray, hit.position.map(f64::from)] {
        assert!(posed::length(minus(on_triangle, point)) < near, "{on_triangle:?} is not {point:?}: {hit:?}");
    }
    assert!(hit.barycentrics.iter().all(|&weight| weight >= -1e-6));
}

/// Something to aim at: a triangle by its number, and weights in it.
fn aims() -> impl Strategy<Value = (usize, [f64; 3])> {
    (any::<usize>(), prop::array::uniform3(0.1..1.0_f64)).prop_map(|(nth, weights)| {
        let sum: f64 = weights.iter().sum();
        (nth, weights.map(|weight| weight / sum))
    })
}

fn filters() -> impl Strategy<Value = Filter> {
    let some = (1..=7_u32, 0..2_u32).prop_map(|(with, without)| Filter { with, without });
    prop_oneof![Just(ANY), some]
}

fn target(shown: &[Shown<'_>], (nth, weights): (usize, [f64; 3])) -> Option<Point> {
    let all: Vec<_> = shown.iter().flat_map(|shown| &shown.triangles).collect();
    let triangle = all.get(nth.checked_rem(all.len())?)?;
    Some(point_of(triangle.corners, weights))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_ray_meets_what_plain_loops_meet(
        plan in plans(),
        (cell, time) in (0..5_usize, 0.0..20.0_f32),
        place in placements(true),
        from in prop::array::uniform3(-300.0..300.0_f64),
        aim in aims(),
        filter in filters(),
    ) {
        let document = built(&plan).document;
        let model = document.model();
        let matrices = matrices(&model, time);
        let shown = shown(&model, &matrices, &place.matrix, cell);
        let instance = DrawInstance { placement: place.matrix, ..DrawInstance::default() };
        let posed = Posed::new(&model, &matrices, instance).unwrap();
        let choice = Choice { lod: Some(0), group: Some(cell) };
        let aimed = target(&shown, aim).map(|to| towards(from, to));
        for ray in aimed.into_iter().chain([towards(from, [0.0; 3])]) {
            let hit = posed.pick(&ray, (choice, filter), &Meter::unlimited()).unwrap();
            is_the_nearest(hit.as_ref(), &shown, &ray, filter);
        }
    }

    #[test]
    fn a_ray_towards_the_centre_of_a_triangle_meets_it_or_something_nearer(
        plan in plans(),
        place in placements(true),
        from in prop::array::uniform3(-300.0..300.0_f64),
        nth in any::<usize>(),
    ) {
        let document = built(&plan).document;
        let model = document.model();
        let matrices = matrices(&model, 0.0);
        let shown = shown(&model, &matrices, &place.matrix, 0);
        let Some(centre) = target(&shown, (nth, [1.0 / 3.0; 3])) else { return Ok(()) };
        let all: Vec<_> = shown.iter().flat_map(|shown| &shown.triangles).collect();
        let ray = towards(from, centre);
        let (origin, direction) = unit(&ray);
        let met = meets(all[nth % all.len()].corners, origin, direction);
        let Some((distance, _)) = met else { return Ok(()) };
        let instance = DrawInstance { placement: place.matrix, ..DrawInstance::default() };
        let hit = Posed::new(&model, &matrices, instance).unwrap().pick(&ray, (FIRST, ANY), &Meter::unlimited()).unwrap().unwrap();
        prop_assert!(f64::from(hit.distance) < distance + tolerance(&shown, &ray));
    }

    #[test]
    fn moving_the_model_and_the_ray_alike_changes_nothing(
        plan in plans(),
        rigid in placements(false),
        from in prop::array::uniform3(-300.0..300.0_f64),
        aim in aims(),
    ) {
        let document = built(&plan).document;
        let model = document.model();
        let matrices = matrices(&model, 0.0);
        let here = shown(&model, &matrices, &IDENTITY, 0);
        let Some(to) = target(&here, aim) else { return Ok(()) };
        let moved = rigid.matrix.map(f64::from);
        let there = shown(&model, &matrices, &rigid.matrix, 0);
        let rays = [towards(from, to), towards(posed::apply(&moved, from), posed::apply(&moved, to))];
        let pick = |place: [f32; 16], ray: &Ray| {
            let instance = DrawInstance { placement: place, ..DrawInstance::default() };
            Posed::new(&model, &matrices, instance).unwrap().pick(ray, (FIRST, ANY), &Meter::unlimited()).unwrap()
        };
        let hits = [pick(IDENTITY, &rays[0]), pick(rigid.matrix, &rays[1])];
        let near = 10.0 * tolerance(&here, &rays[0]).max(tolerance(&there, &rays[1]));
        // Where a ray grazes a corner or an edge, rounding may decide.
        for (own, other) in [(0, 1), (1, 0)] {
            let shown = [&here, &there][own];
            let Some(hit) = hits[own].filter(|hit| is_clear(hit, shown, &rays[own])) else { continue };
            let other = hits[other].map(|hit| f64::from(hit.distance));
            prop_assert!(other.is_some_and(|other| other < f64::from(hit.distance) + near), "{:?}", hits);
        }
    }
}

fn is_clear(hit: &Hit, shown: &[Shown<'_>], ray: &Ray) -> bool {
    let own = shown.iter().find(|shown| shown.node == hit.node).unwrap();
    let triangle = own.triangles.iter().find(|triangle| triangle.face == hit.triangle).unwrap();
    let (origin, direction) = unit(ray);
    meets(triangle.corners, origin, direction).is_some_and(|(distance, least)| distance > 1.0 && least > 0.05)
}

/// One pick at a model as it was made.
fn picked(document: &Document, ray: [f32; 6], filter: Filter) -> Result<Option<Hit>, SampleError> {
    let model = document.model();
    let matrices = vec![IDENTITY; model.node_count()];
    let [x, y, z, dx, dy, dz] = ray;
    let ray = Ray { origin: [x, y, z], direction: [dx, dy, dz] };
    Posed::new(&model, &matrices, DrawInstance::default())?.pick(&ray, (FIRST, filter), &looked())
}

fn refused(document: &Document, ray: [f32; 6]) -> (&'static str, String) {
    let cause = picked(document, ray, ANY).unwrap_err().cause;
    (cause.code.name, cause.path.to_string())
}

const DOWN: [f32; 6] = [0.25, 0.5, 10.0, 0.0, 0.0, -1.0];

fn cube_document() -> Document {
    built(&showing(cube())).document
}

#[test]
fn a_cube_is_met_at_its_top_with_all_that_is_known_of_the_triangle() {
    let document = cube_document();
    let hit = picked(&document, DOWN, ANY).unwrap().unwrap();
    assert_eq!((hit.node, hit.slot, hit.batch), (0, 0, 0));
    assert!((hit.distance - 9.0).abs() < 1e-6 && (hit.position[2] - 1.0).abs() < 1e-6, "{hit:?}");
    assert!((hit.barycentrics.iter().sum::<f32>() - 1.0).abs() < 1e-6);
    let faces = document.model().faces.unwrap().rows.to_vec();
    assert_eq!(hit.neighbours, neighbours(&faces[hit.triangle]));
    for (edge, neighbour) in hit.neighbours.iter().enumerate() {
        let Neighbour { triangle: Some(other), edge: Some(back) } = *neighbour else { panic!("{hit:?}") };
        let there = neighbours(&faces[usize::from(other)])[usize::from(back)];
        assert_eq!(there.triangle.map(usize::from), Some(hit.triangle));
        assert_eq!(there.edge.map(usize::from), Some(edge));
    }
}

#[test]
fn a_triangle_is_met_from_both_sides_but_not_behind_the_ray() {
    let document = cube_document();
    let inside = picked(&document, [0.25, 0.5, 0.0, 0.0, 0.0, -2.0], ANY).unwrap().unwrap();
    assert!((inside.distance - 1.0).abs() < 1e-6);
    assert_eq!(picked(&document, [0.25, 0.5, 10.0, 0.0, 0.0, 1.0], ANY).unwrap(), None);
    assert_eq!(picked(&document, [5.0, 0.5, 10.0, 0.0, 0.0, -1.0], ANY).unwrap(), None);
}

#[test]
fn something_nearer_is_met_also_if_its_middle_is_farther() {
    let flat = |z: f32| [[-4.0, -4.0, z], [8.0, -4.0, z], [-4.0, 8.0, z]];
    let mut plan = showing(cube());
    let long = geometry([flat(5.0), flat(-20.0)].concat(), &[[0, 1, 2], [3, 4, 5]]);
    plan.nodes.push(showing(long).nodes.remove(0));
    let hit = picked(&built(&plan).document, DOWN, ANY).unwrap().unwrap();
    assert_eq!((hit.node, hit.distance.round() as i32), (1, 5));
}

#[test]
fn flags_let_a_ray_through() {
    let mut plan = showing(cube());
    let triangles = &mut plan.nodes[0].slots[0][0].as_mut().unwrap().parts[0].triangles;
    triangles[2..4].iter_mut().for_each(|triangle| triangle.flags = 0x04);
    let document = built(&plan).document;
    let distance = |with, without| {
        let hit = picked(&document, DOWN, Filter { with, without }).unwrap();
        hit.map(|hit| hit.distance.round() as i32)
    };
    assert_eq!(
        [distance(0, 0), distance(4, 0), distance(0, 4), distance(8, 0)],
        [Some(9), Some(9), Some(11), None]
    );
}

#[test]
fn a_selector_of_3_is_none() {
    let single = geometry(vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]], &[[0, 1, 2]]);
    let hit = picked(&built(&showing(single)).document, DOWN, ANY).unwrap().unwrap();
    assert_eq!(hit.neighbours, [Neighbour { triangle: None, edge: None }; 3]);
    let face = wire::Face {
        flags: U16::new(0),
        link: [7, 0xFFFF, 9].map(U16::new),
        normal: [0; 3].map(zerocopy::little_endian::I16::new),
        selectors: U16::new(0b11_1100_0111),
    };
    let found = neighbours(&face).map(|neighbour| (neighbour.triangle, neighbour.edge));
    assert_eq!(found, [(Some(7), None), (None, Some(1)), (Some(9), Some(0))]);
}

#[test]
fn a_triangle_belongs_to_the_slot_whose_range_holds_it() {
    let mut plan = showing(cube());
    plan.nodes.push(plan.nodes[0].clone());
    let document = built(&plan).document;
    let model = document.model();
    let owners = [0, 11, 12, 23, 24].map(|triangle| slot_of(&model, triangle));
    assert_eq!(owners, [Some(0), Some(0), Some(1), Some(1), None]);
    let matrices = [IDENTITY; 2];
    let posed = Posed::new(&model, &matrices, DrawInstance::default()).unwrap();
    let owners = [11, 12, 24].map(|triangle| posed.owner_of(triangle, FIRST).unwrap());
    assert_eq!(owners, [Some((0, 0)), Some((1, 1)), None]);
}

#[test]
fn the_tests_of_nodes_are_those_of_the_documentation() {
    let mut plan =
        Plan { name: b"test".to_vec(), nodes: vec![showing(cube()).nodes.remove(0); 4], ..Plan::default() };
    plan.nodes[1].flags = 0x0040;
    plan.nodes[2].flags = 0x0800;
    plan.nodes[3].label = b"e_central_1".to_vec();
    let document = built(&plan).document;
    let model = document.model();
    let passed: Vec<Vec<&str>> = (0..5)
        .map(|node| {
            NodeTest::ALL.iter().filter(|test| test.holds(&model, node)).map(|test| test.word()).collect()
        })
        .collect();
    assert_eq!(passed, [vec![], vec!["flag-0x40"], vec!["high-byte-8"], vec!["central"], vec![]]);
}

#[test]
fn a_ray_that_leads_nowhere_is_refused() {
    for ray in [[0.0; 6], [f32::NAN, 0.0, 0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, f32::INFINITY, 0.0, 0.0]] {
        assert_eq!(refused(&cube_document(), ray).0, pick::RAY.name);
    }
}

#[test]
fn triangles_that_are_not_there_are_refused() {
    let mut document = cube_document();
    document.set_stream(7, vec![0; 16 * 11], [None; 3]).unwrap();
    assert_eq!(refused(&document, DOWN), (pick::FACE_OUTSIDE.name, "slots[0].tri_start".to_owned()));
}

#[test]
fn a_slot_that_the_ray_misses_is_not_read() {
    let mut document = cube_document();
    document.set_stream(7, vec![], [None; 3]).unwrap();
    assert_eq!(picked(&document, [5.0, 0.5, 10.0, 0.0, 0.0, -1.0], ANY).unwrap(), None);
}

/// As much as a file of no size may look at.
fn looked() -> Meter {
    Budget { work: Some(1 << 22), ..Budget::default() }.meter(&NOTHING, 0)
}

#[test]
fn nodes_that_share_more_triangles_than_the_budget_has_steps_are_refused() {
    let mut document = cube_document();
    let model = document.model();
    let node = model.nodes.as_ref().unwrap().rows[0];
    let mut slot = model.slots.as_ref().unwrap().rows[0];
    let mut batch = model.batches.as_ref().unwrap().rows[0];
    let bounds = model.slots.as_ref().unwrap().stream.bytes[..140].to_vec();
    slot.tri_count = U16::new(0xFFFF);
    slot.batch_count = U16::new(0xFFFF);
    batch.index_start = U32::new(0);
    batch.index_count = U16::new(3);
    document.put_rows(1, &vec![node; 100]).unwrap();
    document
        .set_stream(2, [bounds, zerocopy::IntoBytes::as_bytes(&slot).to_vec()].concat(), [None; 3])
        .unwrap();
    document.set_stream(7, vec![0; 16 * 0xFFFF], [None; 3]).unwrap();
    document.put_rows(13, &vec![batch; 0xFFFF]).unwrap();
    assert_eq!(refused(&document, DOWN).0, OUT_OF_WORK.name);
}

#[test]
fn a_flat_or_damaged_placement_hides_nothing_and_breaks_nothing() {
    let document = cube_document();
    let model = document.model();
    let mut places = vec![[0.0; 16], [f32::NAN; 16], [f32::INFINITY; 16], [f32::MAX; 16]];
    let mut flat = IDENTITY;
    flat[0] = 0.0;
    places.push(flat);
    for placement in places {
        let matrices = [IDENTITY];
        let posed =
            Posed::new(&model, &matrices, DrawInstance { placement, ..DrawInstance::default() }).unwrap();
        let ray = Ray { origin: [0.0, 0.5, 10.0], direction: [0.0, 0.0, -1.0] };
        let _ = posed.pick(&ray, (FIRST, ANY), &Meter::unlimited()).unwrap();
    }
}

#[test]
fn a_placement_is_where_it_was_asked_for() {
    let document = cube_document();
    let model = document.model();
    let mut placement = IDENTITY;
    (placement[0], placement[3], placement[10]) = (3.0, 100.0, 0.5);
    let matrices = [IDENTITY];
    let posed = Posed::new(&model, &matrices, DrawInstance { placement, ..DrawInstance::default() }).unwrap();
    let ray = Ray { origin: [102.5, 0.5, 10.0], direction: [0.0, 0.0, -0.1] };
    let hit = posed.pick(&ray, (FIRST, ANY), &Meter::unlimited()).unwrap().unwrap();
    assert!((hit.distance - 9.5).abs() < 1e-5, "{hit:?}");
}
