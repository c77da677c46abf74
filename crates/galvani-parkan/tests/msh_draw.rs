//! Drawing against plain loops over all slots and planes.
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, reason = "as near as may be")]

#[path = "common/msh_build.rs"]
mod common;
#[path = "common/msh_build_plans.rs"]
mod plans;
#[path = "common/msh_posed.rs"]
mod posed;

use std::collections::BTreeSet;

use common::{built, cube, showing};
use galvani_core::budget::{Allowance, OUT_OF_MEMORY, OUT_OF_WORK, Share};
use galvani_core::{Budget, Meter, Reading};
use galvani_parkan::msh::draw::{
    self, Bounds, Choice, Draw, DrawInstance, Filter, IDENTITY, Plane, Posed, View, flags, material,
};
use galvani_parkan::msh::{Document, wire};
use plans::plans;
use posed::{Placement, Point, Shown, apply, dot, length, matrices, placements, shown};
use proptest::prelude::*;
use zerocopy::IntoBytes;
use zerocopy::little_endian::{U16, U32};

/// Sides of a corner of space: points of a few metres around the model, and what looks any way from there.
fn planes() -> impl Strategy<Value = Vec<Plane>> {
    let normal =
        prop::array::uniform3(-1.0..1.0_f32).prop_filter("no direction", |n| n.iter().any(|x| x.abs() > 0.1));
    let plane = (normal, -150.0..150.0_f32).prop_map(|([x, y, z], d)| [x, y, z, d]);
    prop::collection::vec(plane, 0..6)
}

/// The same planes, each moved close to one vertex or another.
fn moved_close(planes: &[Plane], shown: &[Shown<'_>]) -> Vec<Plane> {
    let vertices: Vec<Point> =
        shown.iter().flat_map(|shown| &shown.triangles).flat_map(|triangle| triangle.corners).collect();
    let close = |(i, &[x, y, z, d]): (usize, &Plane)| match vertices.get(i * 31 % vertices.len().max(1)) {
        Some(&vertex) => [x, y, z, d / 20.0 - dot([x, y, z].map(f64::from), vertex) as f32],
        None => [x, y, z, d],
    };
    planes.iter().enumerate().map(close).collect()
}

fn height(plane: &Plane, point: Point) -> f64 {
    let [x, y, z, d] = plane.map(f64::from);
    dot([x, y, z], point) + d
}

fn corners(slot: &wire::Slot) -> [Point; 8] {
    let (min, max) = (slot.aabb_min.map(|x| f64::from(x.get())), slot.aabb_max.map(|x| f64::from(x.get())));
    std::array::from_fn(|i| {
        std::array::from_fn(|axis| if i >> axis & 1 == 0 { min[axis] } else { max[axis] })
    })
}

/// How far the box and the sphere of a slot reach before a plane, the lower of both: below 0, the slot is
/// gone.
fn reach(shown: &Shown<'_>, place: &Placement, plane: &Plane) -> f64 {
    let boxed = corners(shown.record).map(|corner| height(plane, apply(&shown.world, corner)));
    let centre = apply(&shown.world, shown.record.sphere_center.map(|x| f64::from(x.get())));
    let largest = place.scale.iter().copied().fold(0.0, f64::max);
    let [x, y, z, _] = plane.map(f64::from);
    let radius = f64::from(shown.record.sphere_radius.get()) * largest * length([x, y, z]);
    boxed.into_iter().fold(f64::NEG_INFINITY, f64::max).min(height(plane, centre) + radius)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn planes_hide_what_plain_loops_hide_and_nothing_with_a_vertex_before_all_of_them(
        plan in plans(),
        (cell, time) in (0..15_usize, 0.0..20.0_f32),
        place in placements(true),
        planes in planes(),
    ) {
        let document = built(&plan).document;
        let model = document.model();
        let matrices = matrices(&model, time);
        let all = shown(&model, &matrices, &place.matrix, cell);
        let instance = DrawInstance { placement: place.matrix, ..DrawInstance::default() };
        let posed = Posed::new(&model, &matrices, instance).unwrap();
        let choice = Choice { lod: Some(cell / 5), group: Some(cell % 5) };
        for planes in [moved_close(&planes, &all), planes] {
            let draws = posed.draw(&View { choice, planes: &planes, ..View::default() }, &Meter::unlimited()).unwrap();
            for shown in &all {
                let drawn = draws.iter().any(|draw| draw.node == shown.node);
                let mut vertices = shown.triangles.iter().flat_map(|triangle| triangle.corners);
                if vertices.any(|vertex| planes.iter().all(|plane| height(plane, vertex) >= 0.0)) {
                    prop_assert!(drawn, "{:?} has a vertex before all planes", shown.node);
                }
                // Rotations are packed to 15 bits: their axes are not quite of length 1.
                let reaches = planes.iter().map(|plane| reach(shown, &place, plane));
                let least = reaches.fold(f64::INFINITY, f64::min);
                prop_assert!(least.abs() < 0.05 || drawn == (least > 0.0), "{} reaches {least}", shown.node);
            }
        }
    }

    #[test]
    fn without_planes_every_batch_of_every_chosen_slot_is_drawn(
        plan in plans(), cell in 0..15_usize, with in 0..4_u32, without in 0..4_u32,
    ) {
        let document = built(&plan).document;
        let model = document.model();
        let matrices = vec![IDENTITY; model.node_count()];
        let filter = Filter { with, without };
        let mut wanted = Vec::new();
        for shown in shown(&model, &matrices, &IDENTITY, cell) {
            let start = usize::from(shown.record.batch_start.get());
            for batch in start..start + usize::from(shown.record.batch_count.get()) {
                let record = &model.batches.as_ref().unwrap().rows[batch];
                let (flags, material) = (flags(record, model.reading), material(record, model.reading));
                if (with == 0 || flags & with != 0) && flags & without == 0 {
                    wanted.push(Draw {
                        node: shown.node, slot: shown.slot, batch, flags, material,
                        index_start: record.index_start.get(), index_count: record.index_count.get(),
                        base_vertex: record.base_vertex.get(),
                    });
                }
            }
        }
        let instance = DrawInstance { lod: cell / 5, group: cell % 5, ..DrawInstance::default() };
        let posed = Posed::new(&model, &matrices, instance).unwrap();
        let view = View { choice: Choice::default(), filter, planes: &[] };
        prop_assert_eq!(posed.draw(&view, &Meter::unlimited()).unwrap(), wanted);
    }

    #[test]
    fn the_bounds_of_a_node_are_its_slot_or_the_whole_model(
        plan in plans(), cell in 0..15_usize, place in placements(true), planes in planes(),
    ) {
        let document = built(&plan).document;
        let model = document.model();
        let matrices = matrices(&model, 0.0);
        let posed = Posed::new(&model, &matrices, DrawInstance::default()).unwrap();
        let choice = Choice { lod: Some(cell / 5), group: Some(cell % 5) };
        for (node, record) in model.nodes.as_ref().unwrap().rows.iter().enumerate() {
            let bounds = posed.bounds_of(node, choice).unwrap();
            let visible = bounds.is_visible(&matrices[node], &place.matrix, &planes);
            match bounds {
                Bounds::Slot { slot, .. } => prop_assert_eq!(slot, record.slot_index[cell].get()),
                Bounds::Model { hull, sphere, .. } => {
                    prop_assert_eq!(record.slot_index[cell].get(), 0xFFFF);
                    // Whatever of the model stands before all planes is seen: here its middle.
                    let centre = apply(&place.matrix.map(f64::from), sphere.center.map(f64::from));
                    let before = planes.iter().all(|plane| height(plane, centre) >= 0.0);
                    prop_assert!(visible || !before, "{hull:?}");
                }
            }
        }
    }
}

/// What is allowed where nobody says more.
const NOTHING: Allowance =
    Allowance { memory: Share { base: 0, per_byte: 0 }, work: Share { base: 0, per_byte: 0 } };

const FIRST: Choice = Choice { lod: Some(0), group: Some(0) };

fn draws(document: &Document, choice: Choice) -> Vec<Draw> {
    let model = document.model();
    let matrices = vec![IDENTITY; model.node_count()];
    let posed = Posed::new(&model, &matrices, DrawInstance::default()).unwrap();
    posed.draw(&View { choice, ..View::default() }, &Meter::unlimited()).unwrap()
}

/// Why nothing is drawn, and where.
fn refused(document: &Document, choice: Choice) -> (&'static str, String) {
    let model = document.model();
    let matrices = vec![IDENTITY; model.node_count()];
    let drawn = Posed::new(&model, &matrices, DrawInstance::default())
        .and_then(|posed| posed.draw(&View { choice, ..View::default() }, &Meter::unlimited()));
    let cause = drawn.unwrap_err().cause;
    (cause.code.name, cause.path.to_string())
}

fn cube_document() -> Document {
    built(&showing(cube())).document
}

fn with_slot(change: impl Fn(&mut wire::Slot)) -> Document {
    let mut document = cube_document();
    let bytes = document.model().slots.unwrap().stream.bytes.to_vec();
    let mut slot = document.model().slots.unwrap().rows[0];
    change(&mut slot);
    document.set_stream(2, [&bytes[..140], slot.as_bytes()].concat(), [None; 3]).unwrap();
    document
}

fn with_batch(change: impl Fn(&mut wire::Batch)) -> Document {
    let mut document = cube_document();
    let mut batch = document.model().batches.unwrap().rows[0];
    change(&mut batch);
    document.put_rows(13, &[batch]).unwrap();
    document
}

fn with_node(change: impl Fn(&mut wire::Node)) -> Document {
    let mut document = cube_document();
    let mut node = document.model().nodes.unwrap().rows[0];
    change(&mut node);
    document.put_rows(1, &[node]).unwrap();
    document
}

#[test]
fn batches_that_many_nodes_show_are_charged_before_they_are_drawn() {
    let mut many = with_slot(|slot| slot.batch_count = U16::new(0xFFFF));
    let (node, batch) = (many.model().nodes.unwrap().rows[0], many.model().batches.unwrap().rows[0]);
    many.put_rows(1, &[node; 10]).unwrap();
    many.put_rows(13, &vec![batch; 0xFFFF]).unwrap();
    let model = many.model();
    let matrices = [IDENTITY; 10];
    let posed = Posed::new(&model, &matrices, DrawInstance::default()).unwrap();
    let view = View { choice: FIRST, ..View::default() };
    let within = |memory: u64, work: u64| {
        let budget = Budget { memory: Some(memory), work: Some(work) };
        let drawn = posed.draw(&view, &budget.meter(&NOTHING, 0));
        drawn.map(|drawn| drawn.len()).map_err(|error| error.cause.code)
    };
    assert_eq!(within(u64::MAX, 1 << 18).unwrap_err(), &OUT_OF_WORK);
    assert_eq!(within(1 << 20, u64::MAX).unwrap_err(), &OUT_OF_MEMORY);
    assert_eq!(within(1 << 26, 1 << 20), Ok(655_350));
}

#[test]
fn every_refusal_happens_and_names_the_field() {
    let mut legacy = cube_document();
    legacy.set_stream(1, vec![0; 48], [None, None, Some(24)]).unwrap();
    let mut gone = BTreeSet::new();
    let cases: [(&str, &str, Document); 8] = [
        ("msh.draw-legacy-nodes", "nodes", legacy),
        (
            "msh.draw-slot-outside",
            "nodes[0].slot_index[0]",
            with_node(|node| node.slot_index[0] = U16::new(1)),
        ),
        ("msh.draw-batch-outside", "slots[0].batch_start", with_slot(|slot| slot.batch_start = U16::new(1))),
        (
            "msh.draw-batch-outside",
            "slots[0].batch_start",
            with_slot(|slot| slot.batch_count = U16::new(0xFFFF)),
        ),
        (
            "msh.draw-index-outside",
            "batches[0].index_start",
            with_batch(|batch| batch.index_start = U32::new(1)),
        ),
        (
            "msh.draw-index-outside",
            "batches[0].index_start",
            with_batch(|batch| batch.index_start = U32::new(u32::MAX)),
        ),
        (
            "msh.draw-vertex-outside",
            "batches[0].base_vertex",
            with_batch(|batch| batch.base_vertex = U32::new(1)),
        ),
        (
            "msh.draw-vertex-outside",
            "batches[0].base_vertex",
            with_batch(|batch| batch.base_vertex = U32::new(u32::MAX)),
        ),
    ];
    for (code, path, document) in cases {
        assert_eq!(refused(&document, FIRST), (code, path.to_owned()));
        gone.insert(code);
    }
    for (lod, group) in [(3, 0), (0, 5), (usize::MAX, usize::MAX)] {
        let choice = Choice { lod: Some(lod), group: Some(group) };
        gone.insert(refused(&cube_document(), choice).0);
    }
    let mut empty = with_node(|node| node.slot_index[0] = U16::new(0xFFFF));
    empty.set_stream(2, vec![0; 139], [None; 3]).unwrap();
    let model = empty.model();
    let posed = Posed::new(&model, &[IDENTITY], DrawInstance::default()).unwrap();
    gone.insert(posed.bounds_of(0, FIRST).unwrap_err().cause.code.name);
    gone.insert(posed.bounds_of(1, FIRST).unwrap_err().cause.code.name);
    gone.insert(Posed::new(&model, &[], DrawInstance::default()).unwrap_err().cause.code.name);
    assert_eq!(gone, draw::ALL.iter().map(|code| code.name).collect());
}

#[test]
fn a_node_without_the_chosen_slot_is_not_drawn() {
    let document = cube_document();
    assert_eq!(draws(&document, FIRST).len(), 1);
    assert_eq!(draws(&document, Choice { lod: Some(2), group: Some(4) }), []);
}

#[test]
fn the_current_level_and_group_are_the_instances() {
    let mut plan = showing(cube());
    for (lod, group) in [(0, 3), (1, 0), (1, 3)] {
        let mut other = cube();
        other.parts[0].material = u16::try_from(lod * 5 + group).unwrap();
        plan.nodes[0].slots[lod][group] = Some(other);
    }
    let document = built(&plan).document;
    let model = document.model();
    let instance = DrawInstance { lod: 1, group: 3, ..DrawInstance::default() };
    let posed = Posed::new(&model, &[IDENTITY], instance).unwrap();
    let cell = |lod, group| {
        posed.draw(&View { choice: Choice { lod, group }, ..View::default() }, &Meter::unlimited()).unwrap()
            [0]
        .material
    };
    let found = [cell(Some(0), Some(0)), cell(Some(0), None), cell(None, Some(0)), cell(None, None)];
    assert_eq!(found, [0, 3, 5, 8]);
}

#[test]
fn material_and_flags_are_where_the_reading_says() {
    let batch = wire::Batch {
        head: [0x0102, 0x0003, 0xFF07, 0xFFFF].map(U16::new),
        index_count: U16::new(0),
        index_start: U32::new(0),
        word_0e: U16::new(0),
        base_vertex: U32::new(0),
    };
    let read = |reading| (flags(&batch, reading), material(&batch, reading));
    assert_eq!([read(Reading::Documented), read(Reading::Observed)], [(0x0102, 3), (0x0003_0102, 7)]);
}

#[test]
fn a_sphere_grows_with_the_largest_axis() {
    // A box that does not matter, and a sphere that touches the plane x = 4 only if it grows twofold.
    let document = with_slot(|slot| {
        slot.sphere_center = [0.0; 3].map(zerocopy::little_endian::F32::new);
        slot.sphere_radius = zerocopy::little_endian::F32::new(2.0);
        slot.aabb_min = [-100.0; 3].map(zerocopy::little_endian::F32::new);
        slot.aabb_max = [100.0; 3].map(zerocopy::little_endian::F32::new);
    });
    let model = document.model();
    let drawn = |scale: [f32; 3], d: f32| {
        let mut placement = IDENTITY;
        (placement[0], placement[5], placement[10]) = scale.into();
        let posed =
            Posed::new(&model, &[IDENTITY], DrawInstance { placement, ..DrawInstance::default() }).unwrap();
        !posed
            .draw(
                &View { choice: FIRST, planes: &[[1.0, 0.0, 0.0, d]], ..View::default() },
                &Meter::unlimited(),
            )
            .unwrap()
            .is_empty()
    };
    let sizes = [[1.0, 1.0, 1.0], [2.0, 1.0, 1.0], [1.0, 1.0, 2.0], [1.0, 0.5, 0.5]];
    assert_eq!(sizes.map(|scale| drawn(scale, -3.9)), [false, true, true, false]);
    assert_eq!(sizes.map(|scale| drawn(scale, -4.1)), [false; 4]);
}

#[test]
fn numbers_that_are_none_hide_nothing() {
    let nan = zerocopy::little_endian::F32::new(f32::NAN);
    let document = with_slot(|slot| (slot.aabb_min[0], slot.sphere_radius) = (nan, nan));
    let model = document.model();
    let posed = Posed::new(&model, &[IDENTITY], DrawInstance::default()).unwrap();
    let planes = [[1.0, 0.0, 0.0, -1e9], [f32::NAN; 4], [f32::INFINITY; 4]];
    let drawn =
        posed.draw(&View { choice: FIRST, planes: &planes, ..View::default() }, &Meter::unlimited()).unwrap();
    assert_eq!(drawn.len(), 1);
}

#[test]
fn what_is_hidden_is_not_read() {
    let document = with_batch(|batch| batch.index_start = U32::new(u32::MAX));
    let model = document.model();
    let posed = Posed::new(&model, &[IDENTITY], DrawInstance::default()).unwrap();
    let planes = [[0.0, 0.0, 1.0, -5.0]];
    assert_eq!(
        posed.draw(&View { choice: FIRST, planes: &planes, ..View::default() }, &Meter::unlimited()).unwrap(),
        []
    );
    let filter = Filter { with: 0x8000, without: 0 };
    assert_eq!(posed.draw(&View { choice: FIRST, filter, planes: &[] }, &Meter::unlimited()).unwrap(), []);
}

#[test]
fn a_model_of_nothing_draws_nothing() {
    let mut document = built(&showing(cube())).document;
    for stream in [1, 2, 3, 6, 7, 13] {
        document.set_stream(stream, vec![], [None; 3]).unwrap();
    }
    assert_eq!(draws(&document, FIRST), []);
}
