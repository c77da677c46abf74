//! What cannot be drawn is refused, or left out and told.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small numbers")]

mod common;

use common::{Dice, Sight, at, balls, bent, shown, square};
use galvani_render::{Background, Lens, Marks, Meter, Shot, Stage, Stance, Wear};
use galvani_scene::{Curve, Id, Node, Scene, Track};
use glam::{Vec2, Vec3, Vec4};

/// The code of what a picture of that size of a scene is refused with.
fn refused(scene: &Scene, (width, height): (u32, u32), meter: &Meter) -> Option<&'static str> {
    let stage = Stage::new(scene, &Wear::default(), &Meter::unlimited()).unwrap();
    let stance = Stance::at_rest(scene);
    let shot = Sight::default().shot(&stage, &stance);
    let made = stage.picture(&stance, &Shot { width, height, ..shot }, meter);
    made.err().map(|error| error.cause.code.name)
}

#[test]
fn sizes_of_nothing_and_beyond_all_bounds_are_refused() {
    for size in [(0, 9), (9, 0), (8193, 1), (1, 8193), (u32::MAX, u32::MAX)] {
        assert_eq!(refused(&balls(), size, &Meter::unlimited()), Some("render.size"), "{size:?}");
    }
    assert_eq!(refused(&balls(), (8192, 1), &Meter::unlimited()), None);
    assert_eq!(refused(&balls(), (1, 1), &Meter::unlimited()), None);
}

#[test]
fn a_picture_is_charged_before_it_is_drawn() {
    let budget = galvani_core::Budget { memory: Some(1 << 20), work: None };
    let allowance = galvani_core::Allowance {
        memory: galvani_core::budget::Share { base: 0, per_byte: 0 },
        work: galvani_core::budget::Share { base: 1 << 40, per_byte: 0 },
    };
    assert_eq!(refused(&bent(), (8192, 8192), &budget.meter(&allowance, 0)), Some("file.out-of-memory"));
    assert_eq!(refused(&bent(), (64, 64), &budget.meter(&allowance, 0)), None);
}

#[test]
fn nothing_to_draw_is_refused_unless_its_skeleton_is_asked_for() {
    let nodes = vec![at(Vec3::ZERO), Node { parent: Some(Id::new(0)), ..at(Vec3::Y) }];
    let scene = Scene { nodes, ..Scene::default() };
    assert_eq!(refused(&scene, (32, 32), &Meter::unlimited()), Some("render.nothing"));
    assert_eq!(refused(&Scene::default(), (32, 32), &Meter::unlimited()), Some("render.nothing"));
    let sight = Sight { marks: Marks { skeleton: true, ..Marks::default() }, ..Sight::default() };
    let picture = sight.picture(&scene, 0.0);
    assert!(picture.image.rgba.iter().filter(|pixel| pixel[3] > 0).count() > 50);
}

#[test]
fn triangles_that_are_nowhere_are_left_out_and_told() {
    let mut scene = shown(vec![(square(), at(Vec3::ZERO))], Vec::new(), Vec::new());
    scene.meshes[0].primitives[0].positions[1].y = f32::NAN;
    let picture = Sight::default().picture(&scene, 0.0);
    let found = &picture.report.findings()[0];
    assert_eq!(
        (found.code.name, found.count, found.message.as_str()),
        ("render.not-finite", 1, "1 triangles")
    );
    assert!(picture.image.rgba.iter().any(|pixel| pixel[3] == 255), "the other one is there");
}

#[test]
fn a_pose_without_numbers_is_a_picture_of_nothing_and_a_finding() {
    let mut scene = bent();
    let nowhere = Track::Translation(Id::new(1), Curve::still(Vec3::splat(f32::NAN)));
    scene.clips[0].tracks.push(nowhere);
    for marks in [
        Marks::default(),
        Marks { skeleton: true, names: true, wire: true, bounds: true, axes: true, grid: true },
    ] {
        let picture = Sight { marks, ..Sight::default() }.picture(&scene, 0.0);
        assert_eq!(picture.report.findings()[0].code.name, "render.not-finite");
    }
}

#[test]
fn wild_numbers_end_in_some_picture() {
    let wild = [0.0, -0.0, 1e-45, 1e-20, 1.0, 1e20, f32::MAX, f32::INFINITY, f32::NAN];
    let mut dice = Dice::new(3);
    let mut number = || wild[(dice.part() * 9.0) as usize % 9] * if dice.part() < 0.5 { -1.0 } else { 1.0 };
    for round in 0..200 {
        let mut scene = if round % 2 == 0 { balls() } else { bent() };
        for mesh in &mut scene.meshes {
            let primitive = &mut mesh.primitives[0];
            primitive.positions.truncate(12);
            primitive
                .positions
                .iter_mut()
                .step_by(3)
                .for_each(|at| *at = Vec3::new(number(), number(), number()));
            primitive
                .normals
                .iter_mut()
                .step_by(5)
                .for_each(|at| *at = Vec3::new(number(), number(), number()));
            primitive.uvs[0].iter_mut().step_by(2).for_each(|at| *at = Vec2::new(number(), number()));
            primitive.colors = vec![Vec4::new(number(), number(), number(), number()); 12];
        }
        for node in &mut scene.nodes {
            node.scale = Vec3::new(number(), 1.0, number());
        }
        let lens = if round % 3 == 0 { Lens::Parallel } else { Lens::Perspective };
        let marks =
            Marks { wire: true, bounds: true, grid: round % 5 == 0, skeleton: true, ..Marks::default() };
        let background = Background::Plain([1, 2, 3]);
        let sight = Sight { lens, marks, background, size: (40, 30), zoom: 3.0, ..Sight::default() };
        assert_eq!(sight.picture(&scene, 0.4).image.rgba.len(), 1200);
    }
}

#[test]
fn indices_and_lists_that_do_not_fit_are_passed_over() {
    let mut scene = balls();
    let primitive = &mut scene.meshes[0].primitives[0];
    primitive.indices.extend([0, 1, u32::MAX, 7]);
    primitive.uvs[0].truncate(3);
    primitive.normals.truncate(3);
    primitive.colors = vec![Vec4::ONE];
    scene.materials[0].texture.as_mut().unwrap().image = Id::new(99);
    scene.nodes[1].parent = Some(Id::new(40));
    let picture = Sight::default().picture(&scene, 0.0);
    assert!(picture.image.rgba.iter().any(|pixel| pixel[3] == 255));
}
