//! Pictures, and the numbers that they have on every machine.

use galvani_render::{Background, Cell, Direction, Lens, Marks, Meter, Sheet};
use galvani_scene::Scene;

use super::{Sight, balls, bent, boxes, hash, panes};

/// Pictures by name.
#[must_use]
pub fn all() -> Vec<(&'static str, u64)> {
    let usual = Sight::default();
    let plain = Sight { background: Background::Plain([30, 60, 90]), ..usual };
    let parallel =
        Sight { lens: Lens::Parallel, direction: Direction { azimuth: -40.0, elevation: 70.0 }, ..usual };
    let marks = Marks { skeleton: true, names: true, wire: true, bounds: true, axes: true, grid: true };
    let marked = Sight { marks, ..plain };
    let near = Sight { zoom: 6.0, ..usual };
    let taken = |sight: &Sight, scene: &Scene, time: f32| hash(&sight.picture(scene, time).image);
    let cell =
        |time: f32| Cell { image: usual.picture(&bent(), time).image, lines: vec![format!("{time:.1} s")] };
    let sheet = Sheet { rows: vec![("Bend".to_owned(), vec![cell(0.0), cell(0.3)])], ..Sheet::default() };
    vec![
        ("balls", taken(&usual, &balls(), 0.0)),
        ("balls near", taken(&near, &balls(), 0.0)),
        ("boxes", taken(&plain, &boxes(), 0.0)),
        ("boxes from above", taken(&parallel, &boxes(), 0.0)),
        ("panes", taken(&usual, &panes(), 0.0)),
        ("panes before a colour", taken(&plain, &panes(), 0.0)),
        ("bent", taken(&usual, &bent(), 0.3)),
        ("marks", taken(&marked, &bent(), 0.2)),
        ("sheet", hash(&sheet.image(&Meter::unlimited()).unwrap())),
    ]
}

/// What [`all`] gives on every machine.
pub const PINNED: &[(&str, u64)] = &[];
