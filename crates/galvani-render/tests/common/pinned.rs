//! Pictures, and the numbers that they have on every machine.

use galvani_render::{Background, Direction, Lens, Marks, Meter, Sheet, SheetCell};
use galvani_scene::Scene;

use super::{Sight, balls, bent, boxes, hash, panes};

/// Pictures by name.
pub(crate) fn all() -> Vec<(&'static str, u64)> {
    let usual = Sight::default();
    let plain = Sight { background: Background::Plain([30, 60, 90]), ..usual };
    let parallel =
        Sight { lens: Lens::Parallel, direction: Direction { azimuth: -40.0, elevation: 70.0 }, ..usual };
    let marks = Marks { skeleton: true, names: true, wire: true, bounds: true, axes: true, grid: true };
    let marked = Sight { marks, ..plain };
    let near = Sight { zoom: 6.0, ..usual };
    let taken = |sight: &Sight, scene: &Scene, time: f32| hash(&sight.picture(scene, time).image);
    let cell = |time: f32| SheetCell {
        image: usual.picture(&bent(), time).image,
        lines: vec![format!("{time:.1} s")],
    };
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
pub(crate) const PINNED: &[(&str, u64)] = &[
    ("balls", 1_536_761_971_508_128_493),
    ("balls near", 5_803_273_691_649_679_143),
    ("boxes", 1_598_608_073_704_051_031),
    ("boxes from above", 17_227_631_191_747_121_099),
    ("panes", 2_912_775_240_172_036_396),
    ("panes before a colour", 15_628_736_925_815_268_974),
    ("bent", 10_039_743_029_527_213_190),
    ("marks", 5_488_744_486_138_750_648),
    ("sheet", 12_814_787_369_518_116_340),
];
