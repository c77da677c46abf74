//! The parts of the boat, each around its bone, which runs from 0 along −Z; Y points down.

use super::super::polygons::{Drawing, Point, Shape, bytes, seen};

/// White, brown and warm light as B, G, R, A.
const WHITE: [u8; 4] = [0xff, 0xff, 0xff, 0xff];
const WOOD: [u8; 4] = [0x38, 0x60, 0x90, 0xff];
const BRASS: [u8; 4] = [0x40, 0x90, 0xc0, 0xff];
const FLAME: [u8; 4] = [0x70, 0xd0, 0xff, 0xff];

/// Half of the boat, from amidships to the bow: the other half is the same, turned round. Places from the middle of the
/// boat, and in the paper.
const FOLDS: [(Point, [f32; 2]); 6] = [
    ([0.0, 4.0, 0.0], [0.5, 0.95]),   // keel, amidships
    ([0.0, 2.0, -8.0], [0.1, 0.9]),   // keel, at the bow
    ([0.0, -5.0, -14.0], [0.0, 0.1]), // the tip
    ([5.5, -1.0, 0.0], [0.5, 0.35]),  // the rim, amidships
    ([2.5, -2.0, -8.0], [0.2, 0.3]),  // the rim, at the bow
    ([0.0, -6.5, 0.0], [0.5, 0.02]),  // the peak that the fold leaves
];

/// Triangles of one side of the half: the side of the hull, and of the peak inside it. The boat is open.
const SHEETS: [[usize; 3]; 4] = [[0, 1, 4], [0, 4, 3], [1, 2, 4], [3, 4, 5]];

/// Where amidships is along the hull's bone.
const MIDDLE: f32 = -6.5;

/// The hull: four times the same sheets.
pub(super) fn hull() -> Vec<u8> {
    let mut hull = Shape { drawing: Drawing::Paper, skin: Some(Vec::new()), ..Shape::default() };
    let mut skin = Vec::new();
    for (side, end) in [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)] {
        let first = hull.points.len();
        for ([x, y, z], uv) in FOLDS {
            hull.points.push([x * side, y, z * end + MIDDLE]);
            // Shadow in the folds, below the rim.
            let shade = if y > 1.0 { 0xc8 } else { 0xff };
            hull.colours.push([shade, shade, shade, 0xff]);
            skin.push(uv);
        }
        let centre = [0.0, 1.0, MIDDLE];
        for sheet in SHEETS {
            let face = sheet.map(|corner| corner + first);
            hull.faces.push(seen(&hull.points, face, centre));
        }
    }
    hull.skin = Some(skin);
    bytes(&[hull]).unwrap_or_default()
}

/// The mast, and a sail of paper behind it.
pub(super) fn mast() -> Vec<u8> {
    let pole = pole([0.0, 0.0, 2.0], [0.0, 0.0, -14.25], 0.45, WOOD);
    // The mast stands upright on its bone: up is −Z, and the bow is at Y.
    let points = vec![[0.0, 0.3, -3.0], [0.0, 0.3, -13.5], [0.0, -8.0, -3.5]];
    let sail = Shape {
        points,
        colours: vec![WHITE; 3],
        faces: vec![[0, 1, 2]],
        skin: Some(vec![[0.0, 1.0], [0.0, 0.0], [0.8, 0.95]]),
        drawing: Drawing::Paper,
        ..Shape::default()
    };
    bytes(&[pole, sail]).unwrap_or_default()
}

/// A pole over the bow, the lantern that hangs on it, and its glow.
pub(super) fn lamp() -> Vec<u8> {
    let pole = pole([0.0, -1.0, 0.0], [0.0, -6.5, -16.5], 0.3, WOOD);
    let roof = pole_with([0.0, -6.0, -16.0], [0.0, -4.6, -16.0], [0.2, 1.5], BRASS);
    let glass = pole_with([0.0, -4.6, -16.0], [0.0, -1.8, -16.0], [1.2, 0.8], FLAME);
    bytes(&[pole, roof, glass, glow([0.0, -3.2, -16.0])]).unwrap_or_default()
}

/// Three squares of light through a point.
fn glow([x, y, z]: Point) -> Shape {
    const SIZE: f32 = 3.6;
    let mut glow = Shape { drawing: Drawing::Light, ..Shape::default() };
    let mut skin = Vec::new();
    let place = |axis: usize, [u, v]: [f32; 2]| {
        let (u, v) = ((u - 0.5) * 2.0 * SIZE, (v - 0.5) * 2.0 * SIZE);
        match axis {
            0 => [x, y + v, z + u],
            1 => [x + u, y, z + v],
            _ => [x + u, y + v, z],
        }
    };
    for axis in 0..3 {
        let first = glow.points.len();
        for corner in [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]] {
            glow.points.push(place(axis, corner));
            glow.colours.push(WHITE);
            skin.push(corner);
        }
        glow.faces.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
    glow.skin = Some(skin);
    glow
}

fn pole(from: Point, to: Point, radius: f32, colour: [u8; 4]) -> Shape {
    pole_with(from, to, [radius, radius], colour)
}

/// Corners of a hexagon.
const HEXAGON: [[f32; 2]; 6] =
    [[1.0, 0.0], [0.5, 0.875], [-0.5, 0.875], [-1.0, 0.0], [-0.5, -0.875], [0.5, -0.875]];

/// Six sides between two points, of these radii at either end, and a lid on each.
fn pole_with(from: Point, to: Point, radii: [f32; 2], colour: [u8; 4]) -> Shape {
    let mut pole = Shape::default();
    let [fx, fy, fz] = from;
    let [tx, ty, tz] = to;
    // Poles run along Z or along Y.
    let is_upright = (ty - fy).abs() > (tz - fz).abs();
    let corner = |[x, y, z]: Point, radius: f32, [cos, sin]: [f32; 2]| {
        let (along_y, along_z) = if is_upright { (0.0, radius * sin) } else { (radius * sin, 0.0) };
        [x + radius * cos, y + along_y, z + along_z]
    };
    for (end, radius) in [from, to].into_iter().zip(radii) {
        for (i, turn) in HEXAGON.into_iter().enumerate() {
            pole.points.push(corner(end, radius, turn));
            let dim = |channel: u8| if i % 2 == 0 { channel } else { channel / 8 * 7 };
            let [blue, green, red, alpha] = colour;
            pole.colours.push([dim(blue), dim(green), dim(red), alpha]);
        }
    }
    let centre = [f32::midpoint(fx, tx), f32::midpoint(fy, ty), f32::midpoint(fz, tz)];
    let sides = (0..6).flat_map(|i| [[i, (i + 1) % 6, i + 6], [(i + 1) % 6, (i + 1) % 6 + 6, i + 6]]);
    let lids = (1..5).flat_map(|i| [[0, i, i + 1], [6, i + 6, i + 7]]);
    for face in sides.chain(lids) {
        pole.faces.push(seen(&pole.points, face, centre));
    }
    pole
}
