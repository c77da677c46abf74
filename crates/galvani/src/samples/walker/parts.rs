//! What the walker is made of, part by part, as fine as asked.
//!
//! Each step further away has fewer triangles.

use super::super::shapes::{Axis, Outline, Shape, around, beside};
use super::gait::{ANKLE, SHIN, THIGH};

/// Painted armour.
pub(super) const ARMOUR: u16 = 0;
/// Bare steel: joints, barrels, feet.
pub(super) const STEEL: u16 = 1;
/// Windows and lamps.
pub(super) const GLASS: u16 = 2;
/// Warning stripes.
pub(super) const STRIPES: u16 = 3;
/// Burnt metal.
pub(super) const BURNT: u16 = 4;

/// Where the cabin hangs in the hull's space.
pub(super) const CABIN: [f32; 3] = [1.45, 0.0, 0.2];
/// Where the turret stands in the hull's space.
pub(super) const TURRET: [f32; 3] = [-0.35, 0.0, 0.68];
/// Where the gun is hung up in the turret's space.
pub(super) const GUN: [f32; 3] = [0.5, 0.0, 0.42];
/// Where the antenna stands in the hull's space.
pub(super) const ANTENNA: [f32; 3] = [-1.5, 0.62, 0.55];

/// How near or worn something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Look {
    /// From near, with all small parts.
    Near,
    /// From near, but battered: small parts are gone and edges worn.
    Worn,
    /// From further away.
    Middle,
    /// From far away.
    Far,
    /// From so far that little more than a silhouette is left.
    Speck,
}

impl Look {
    /// How a rectangle is drawn.
    fn outline(self) -> Outline {
        match self {
            Look::Near => Outline::Bevelled,
            Look::Worn => Outline::Soft,
            Look::Middle | Look::Far | Look::Speck => Outline::Plain,
        }
    }
}

/// The hull: an armoured box with hips, an engine, exhausts and a stripe along the sides.
pub(super) fn hull(look: Look) -> Shape {
    let mut hull = Shape::default();
    let body = [
        beside(-1.85, [0.0, 0.12], [0.62, 0.3]),
        beside(-1.5, [0.0, 0.1], [0.95, 0.52]),
        beside(0.85, [0.0, 0.08], [0.95, 0.55]),
        beside(1.55, [0.0, -0.05], [0.62, 0.3]),
    ];
    hull.paint(ARMOUR);
    match look {
        Look::Near | Look::Worn | Look::Middle => hull.solid(Axis::X, look.outline(), &body),
        Look::Far => hull.solid(Axis::X, look.outline(), &body[1..]),
        Look::Speck => hull.solid(Axis::X, look.outline(), &[body[1], body[3]]),
    };
    if look <= Look::Middle {
        engine(&mut hull, look);
    }
    if look == Look::Near {
        fittings(&mut hull);
    }
    hull
}

/// Hips, exhausts and stripes.
fn fittings(hull: &mut Shape) {
    hull.paint(STEEL);
    for x in [1.15, -1.25] {
        let hip = |at: f32| beside(at, [0.0, x], [0.24, 0.27]);
        hull.solid(Axis::Y, Outline::Round(6), &[hip(-1.1), hip(1.1)]);
    }
    for y in [0.28, -0.28] {
        let pipe = |at: f32, x: f32| beside(at, [x, y], [0.1, 0.1]);
        hull.stub(Axis::Z, Outline::Round(5), &[pipe(0.8, -1.4), pipe(1.35, -1.6)]);
    }
    hull.paint(STRIPES);
    for (y, near, far) in [(0.96, 0.6, -0.85), (-0.96, -0.85, 0.6)] {
        hull.quad([[near, y, -0.1], [far, y, -0.1], [far, y, 0.12], [near, y, 0.12]]);
    }
}

/// A box behind the turret.
fn engine(hull: &mut Shape, look: Look) {
    let sides = if look == Look::Near { Outline::Sharp } else { Outline::Plain };
    let housing = [beside(0.55, [-1.3, 0.0], [0.42, 0.55]), beside(0.92, [-1.35, 0.0], [0.3, 0.45])];
    hull.paint(STEEL).stub(Axis::Z, sides, &housing);
}

/// The cabin: a wedge with windows and two lamps.
pub(super) fn cabin(look: Look) -> Shape {
    let mut cabin = Shape::default();
    let wedge = [
        beside(-0.4, [0.0, -0.05], [0.58, 0.3]),
        beside(0.1, [0.0, 0.12], [0.54, 0.42]),
        beside(0.85, [0.0, -0.12], [0.32, 0.16]),
    ];
    cabin.paint(ARMOUR);
    if look < Look::Far {
        cabin.stub(Axis::X, look.outline(), &wedge);
    } else {
        cabin.stub(Axis::X, look.outline(), &wedge[1..]);
    }
    if look < Look::Far {
        cabin.paint(GLASS);
        cabin.quad([[0.76, -0.19, 0.11], [0.76, 0.19, 0.11], [0.18, 0.33, 0.5], [0.18, -0.33, 0.5]]);
    }
    if look == Look::Near {
        for [near, far] in [[0.26, 0.12], [-0.12, -0.26]] {
            cabin.quad([[0.86, far, -0.24], [0.86, near, -0.24], [0.86, near, -0.14], [0.86, far, -0.14]]);
        }
        let window = [[0.72, 0.375, -0.05], [0.1, 0.555, 0.0], [0.1, 0.555, 0.34], [0.55, 0.425, 0.06]];
        cabin.quad(window);
        cabin.quad(
            [3, 2, 1, 0].map(|corner: usize| [window[corner][0], -window[corner][1], window[corner][2]]),
        );
    }
    cabin
}

/// The turret: a drum, a sloped housing, a hatch and a sight.
pub(super) fn turret(look: Look) -> Shape {
    let mut turret = Shape::default();
    let housing = [
        beside(0.1, [0.0, 0.0], [0.62, 0.5]),
        beside(0.38, [0.0, 0.0], [0.78, 0.62]),
        beside(0.78, [-0.08, 0.0], [0.5, 0.4]),
    ];
    turret.paint(ARMOUR);
    if look < Look::Far {
        turret.stub(Axis::Z, look.outline(), &housing);
    } else {
        turret.stub(Axis::Z, look.outline(), &[around(-0.1, [0.7, 0.56]), housing[2]]);
    }
    if look == Look::Near {
        let drum = |at: f32| around(at, [0.56, 0.56]);
        turret.paint(STEEL).tube(Axis::Z, Outline::Round(8), &[drum(-0.12), drum(0.12)]);
        let hatch = |at: f32, size: f32| beside(at, [-0.24, -0.14], [size, size]);
        turret.stub(Axis::Z, Outline::Round(6), &[hatch(0.76, 0.2), hatch(0.86, 0.16)]);
        turret.paint(GLASS);
        turret.quad([[0.64, -0.5, 0.5], [0.64, -0.2, 0.5], [0.55, -0.2, 0.62], [0.55, -0.5, 0.62]]);
    }
    turret
}

/// The gun: a mantlet and two barrels, the left and the right as long as they are.
pub(super) fn gun(look: Look, barrels: [f32; 2]) -> Shape {
    let mut gun = Shape::default();
    let mantlet = [around(-0.2, [0.34, 0.2]), around(0.42, [0.28, 0.17])];
    let outline = if look <= Look::Worn { Outline::Soft } else { Outline::Plain };
    gun.paint(ARMOUR).stub(Axis::X, outline, &mantlet);
    gun.paint(STEEL);
    for (y, long) in [0.17, -0.17].into_iter().zip(barrels) {
        let bore = |at: f32, size: f32| beside(at, [y, 0.0], [size, size]);
        let end = 0.3 + long;
        if look <= Look::Worn {
            let barrel = [bore(0.3, 0.09), bore(end - 0.35, 0.07), bore(end, 0.12)];
            gun.stub(Axis::X, Outline::Round(6), &barrel);
        } else {
            gun.tube(Axis::X, Outline::Round(3), &[bore(0.3, 0.1), bore(end, 0.1)]);
        }
    }
    gun
}

/// The antenna: a whip that leans back more and more.
pub(super) fn antenna(look: Look, lean: f32) -> Shape {
    let mut antenna = Shape::default();
    let whip = |at: f32, size: f32| beside(at, [-0.1 * at - lean * at * at, 0.0], [size, size]);
    let [foot, middle, tip] = [whip(0.0, 0.04), whip(0.8, 0.03), whip(1.7, 0.015)];
    antenna.paint(STEEL);
    if look < Look::Middle {
        antenna.tube(Axis::Z, Outline::Round(3), &[foot, middle, tip]);
    } else {
        antenna.tube(Axis::Z, Outline::Round(3), &[foot, tip]);
    }
    antenna
}

/// What the driver sees around him: a desk with screens, two pillars and a roof.
pub(super) fn cockpit() -> Shape {
    let mut cockpit = Shape::default();
    let desk = [[0.3, 0.5, -0.2], [0.3, -0.5, -0.2], [0.8, -0.4, -0.08], [0.8, 0.4, -0.08]];
    cockpit.paint(STEEL).quad(desk);
    cockpit.quad([[0.3, 0.5, -0.5], [0.3, -0.5, -0.5], [0.3, -0.5, -0.2], [0.3, 0.5, -0.2]]);
    cockpit.paint(GLASS);
    for [left, right] in [[0.32, 0.06], [-0.06, -0.32]] {
        cockpit.quad([[0.4, left, -0.16], [0.4, right, -0.16], [0.68, right, -0.1], [0.68, left, -0.1]]);
    }
    cockpit.paint(ARMOUR);
    for y in [0.42, -0.42] {
        let pillar = |at: f32, x: f32, y: f32| beside(at, [x, y], [0.05, 0.05]);
        cockpit.tube(Axis::Z, Outline::Round(3), &[pillar(-0.1, 0.75, y), pillar(0.5, 0.2, y * 0.9)]);
    }
    cockpit.quad([[0.25, 0.42, 0.5], [0.25, -0.42, 0.5], [-0.4, -0.42, 0.5], [-0.4, 0.42, 0.5]]);
    cockpit
}

/// A thigh, from the hip along x to the knee, with a hub at its end.
pub(super) fn thigh(look: Look) -> Shape {
    let mut thigh = Shape::default();
    let (hip, knee) = (around(-0.2, [0.16, 0.17]), around(THIGH, [0.14, 0.15]));
    thigh.paint(ARMOUR);
    if look == Look::Near {
        thigh.tube(Axis::X, Outline::Round(6), &[hip, around(0.55, [0.21, 0.25]), knee]);
    } else {
        thigh.tube(Axis::X, Outline::Plain, &[hip, knee]);
    }
    if look == Look::Near {
        let hub = |at: f32| beside(at, [0.0, THIGH], [0.2, 0.2]);
        thigh.paint(STEEL).solid(Axis::Y, Outline::Round(6), &[hub(-0.19), hub(0.19)]);
    }
    thigh
}

/// A stump of a thigh.
pub(super) fn stump() -> Shape {
    let mut stump = Shape::default();
    let (hip, end) = (around(-0.2, [0.16, 0.17]), beside(0.62, [0.04, -0.05], [0.16, 0.2]));
    stump.paint(BURNT).stub(Axis::X, Outline::Plain, &[hip, end]);
    stump
}

/// A shin, from the knee along x to the ankle.
pub(super) fn shin(look: Look) -> Shape {
    let mut shin = Shape::default();
    let (knee, ankle) = (beside(-0.1, [0.0, 0.03], [0.12, 0.12]), around(SHIN, [0.09, 0.1]));
    shin.paint(ARMOUR);
    if look == Look::Near {
        shin.tube(Axis::X, Outline::Round(6), &[knee, beside(0.55, [0.0, 0.05], [0.18, 0.22]), ankle]);
    } else {
        shin.tube(Axis::X, Outline::Plain, &[knee, ankle]);
    }
    shin
}

/// A foot, level under its ankle.
pub(super) fn foot(look: Look) -> Shape {
    let mut foot = Shape::default();
    let (sole, ankle) = (around(-ANKLE, [0.42, 0.36]), around(0.14, [0.1, 0.1]));
    foot.paint(STEEL);
    if look == Look::Near {
        foot.tube(Axis::Z, Outline::Round(6), &[sole, around(-0.18, [0.38, 0.32]), ankle]);
    } else {
        foot.tube(Axis::Z, Outline::Plain, &[sole, ankle]);
    }
    foot
}
