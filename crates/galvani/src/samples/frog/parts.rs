//! The parts of the frog, each around its bone, which runs from 0 along −Z; Y points down. Under the frog's skin all but
//! the eyes and the spear.

use super::super::polygons::{Point, Shape, bytes, seen};

/// The bytes of the part of a bone; `None` for one that has none.
pub(super) fn part(bone: usize) -> Option<Vec<u8>> {
    let shapes = match bone {
        1 => vec![both(eye([-4.5, -5.0, -11.0]), eye([4.5, -5.0, -11.0])), skinned(HEAD)],
        _ => vec![skinned(rings(bone)?)],
    };
    bytes(&shapes)
}

/// The bytes of the spear.
pub(super) fn spear() -> Option<Vec<u8>> {
    let (wood, iron) = ([0x30, 0x58, 0x80, 0xff], [0xb8, 0xb8, 0xb0, 0xff]);
    let mut shaft = Shape { skin: None, ..skinned(SPEAR) };
    for (colour, point) in shaft.colours.iter_mut().zip(&shaft.points) {
        *colour = if point[2] > -40.0 { wood } else { iron };
    }
    bytes(&[shaft])
}

/// A white octahedron with a black point in front and above.
fn eye([x, y, z]: Point) -> Shape {
    const SIZE: f32 = 2.5;
    let points = vec![
        [x - SIZE, y, z],
        [x + SIZE, y, z],
        [x, y - SIZE, z],
        [x, y + SIZE, z],
        [x, y, z - SIZE],
        [x, y, z + SIZE],
    ];
    let (white, black) = ([0xf0, 0xff, 0xff, 0xff], [0x10, 0x10, 0x10, 0xff]);
    let colours = vec![white, white, white, white, black, white];
    let sides = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    let faces = sides.map(|face| seen(&points, face, [x, y, z])).to_vec();
    Shape { points, colours, faces, ..Shape::default() }
}

/// Half width, half height and place along the bone.
type Rings = &'static [Point];

const TORSO: Rings =
    &[[5.0, 4.0, 0.0], [11.0, 8.0, -8.0], [12.0, 9.0, -18.0], [9.0, 7.0, -28.0], [5.0, 4.0, -34.0]];
const HEAD: Rings =
    &[[3.0, 2.5, 0.0], [7.0, 4.5, -4.0], [9.0, 5.5, -10.0], [7.5, 4.0, -16.0], [3.5, 1.5, -20.0]];
const JAW: Rings = &[[4.0, 1.5, 0.0], [7.0, 2.0, -6.0], [7.0, 2.0, -12.0], [3.0, 1.0, -18.0]];
const UPPER_ARM: Rings = &[[2.2, 2.2, 0.0], [3.0, 3.0, -4.0], [2.4, 2.4, -10.0], [2.0, 2.0, -14.0]];
const FOREARM: Rings = &[[2.0, 2.0, 0.0], [2.4, 2.4, -4.0], [1.8, 1.8, -9.0], [3.2, 1.0, -13.0]];
const THIGH: Rings = &[[3.5, 3.5, 0.0], [6.0, 6.0, -7.0], [4.5, 4.5, -15.0], [2.8, 2.8, -22.0]];
const SHIN: Rings = &[[2.8, 2.8, 0.0], [3.8, 3.8, -6.0], [2.6, 2.6, -14.0], [2.0, 2.0, -22.0]];
const FOOT: Rings = &[[2.0, 1.4, 0.0], [3.2, 1.2, -8.0], [4.6, 1.0, -15.0], [6.0, 0.6, -20.0]];
const SPEAR: Rings = &[[0.8, 0.8, 30.0], [0.8, 0.8, -38.0], [3.0, 0.6, -42.0], [0.2, 0.2, -56.0]];

/// The rings of a bone's part.
fn rings(bone: usize) -> Option<Rings> {
    match bone {
        0 => Some(TORSO),
        1 => Some(HEAD),
        2 => Some(JAW),
        4 | 7 => Some(UPPER_ARM),
        5 | 8 => Some(FOREARM),
        10 | 14 => Some(THIGH),
        11 | 15 => Some(SHIN),
        12 | 16 => Some(FOOT),
        _ => None,
    }
}

/// Two shapes as one.
fn both(mut one: Shape, other: Shape) -> Shape {
    let first = one.points.len();
    one.faces.extend(other.faces.iter().map(|face| face.map(|corner| corner + first)));
    one.points.extend(other.points);
    one.colours.extend(other.colours);
    one
}

/// Points of a ring; the first and the last are one place with two places in the skin.
const AROUND: usize = 9;

/// Rings around the bone, closed at both ends.
fn skinned(rings: Rings) -> Shape {
    const HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;
    const TURN: [[f32; 2]; AROUND] = [
        [1.0, 0.0],
        [HALF, HALF],
        [0.0, 1.0],
        [-HALF, HALF],
        [-1.0, 0.0],
        [-HALF, -HALF],
        [0.0, -1.0],
        [HALF, -HALF],
        [1.0, 0.0],
    ];
    let mut shape = Shape::default();
    let mut skin = Vec::new();
    let last = f32::from(u8::try_from(rings.len() - 1).unwrap_or(1));
    for (k, &[width, height, z]) in (0_u8..).zip(rings) {
        for (j, [cos, sin]) in (0_u8..).zip(TURN) {
            shape.points.push([width * cos, height * sin, z]);
            // Lighter below, where the belly begins.
            let light = if sin > 0.5 { 0xff } else { 0xd0 };
            shape.colours.push([0xc0, light, light, 0xff]);
            skin.push([f32::from(j) / 8.0, f32::from(k) / last]);
        }
    }
    let place = |ring: usize| rings.get(ring).map_or(0.0, |ring| ring[2]);
    let end = rings.len() - 1;
    for ring in 0..end {
        // From the middle of the bone between both rings, every side is seen from behind.
        let inside = [0.0, 0.0, f32::midpoint(place(ring), place(ring + 1))];
        for j in 0..AROUND - 1 {
            let (a, b) = (ring * AROUND + j, (ring + 1) * AROUND + j);
            for face in [[a, a + 1, b], [a + 1, b + 1, b]] {
                shape.faces.push(seen(&shape.points, face, inside));
            }
        }
    }
    // Fans over the ends.
    let inside = [0.0, 0.0, f32::midpoint(place(0), place(end))];
    for start in [0, end * AROUND] {
        for j in 1..AROUND - 2 {
            shape.faces.push(seen(&shape.points, [start, start + j, start + j + 1], inside));
        }
    }
    shape.skin = Some(skin);
    shape
}
