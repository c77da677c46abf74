//! The parts of the frog, each around its bone, which runs from 0 along −Z; Y points down. Under the frog's skin all but
//! the eyes and the spear.

use std::collections::BTreeMap;

use galvani_ff7::p::{
    BoundingBox, Colour, Document, Edge, Group, Hundred, Poly, TexCoord, Vertex, edit, write,
};
use zerocopy::FromZeros;
use zerocopy::little_endian::{F32, U16, U32};

type Point = [f32; 3];

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

fn bytes(shapes: &[Shape]) -> Option<Vec<u8>> {
    let mut part = Document::default();
    for shape in shapes {
        add(&mut part, shape);
    }
    part.boxes = vec![BoundingBox::new_zeroed()];
    part.count();
    edit::recompute_bounds(&mut part).ok()?;
    write(&part).ok()
}

/// Points, their colours as B, G, R, A, faces that are seen from where they turn clockwise, and perhaps places in
/// the skin.
struct Shape {
    points: Vec<Point>,
    colours: Vec<[u8; 4]>,
    faces: Vec<[usize; 3]>,
    skin: Option<Vec<[f32; 2]>>,
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
    Shape { points, colours, faces, skin: None }
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
    let mut shape = Shape { points: vec![], colours: vec![], faces: vec![], skin: None };
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

/// A face in the order in which the game sees it from outside: clockwise.
fn seen(points: &[Point], face: [usize; 3], centre: Point) -> [usize; 3] {
    let [a, b, c] = face.map(|corner| points.get(corner).copied().unwrap_or_default());
    let less = |[ax, ay, az]: Point, [bx, by, bz]: Point| [ax - bx, ay - by, az - bz];
    let ([ux, uy, uz], [vx, vy, vz], [ox, oy, oz]) = (less(b, a), less(c, a), less(a, centre));
    let outward = (uy * vz - uz * vy) * ox + (uz * vx - ux * vz) * oy + (ux * vy - uy * vx) * oz;
    let [p, q, r] = face;
    if outward > 0.0 { [p, r, q] } else { face }
}

/// What every group of this part is drawn with: depth, shading and culling, no blending.
const OPTIONS: u32 = 0x0003_a00e;

/// The bit of textures among the options.
const TEXTURE: u32 = 2;

/// Adds a shape as a group with its drawing state.
fn add(part: &mut Document, shape: &Shape) {
    let textured = shape.skin.is_some();
    let (edges, of_faces) = edges(&shape.faces);
    part.groups.push(Group {
        poly_type: U32::new(if textured { 3 } else { 1 }),
        poly_start: word(part.polys.len()),
        poly_count: word(shape.faces.len()),
        vertex_start: word(part.verts.len()),
        vertex_count: word(shape.points.len()),
        edge_start: word(part.edges.len()),
        edge_count: word(edges.len()),
        texcoord_start: word(part.texcoords.len()),
        textured: u32::from(textured).into(),
        ..Group::new_zeroed()
    });
    part.hundreds.push(Hundred {
        unknown_00: 1.into(),
        options: OPTIONS.into(),
        features: if textured { OPTIONS } else { OPTIONS & !TEXTURE }.into(),
        shade_mode: 2.into(),
        source_blend: 2.into(),
        destination_blend: 1.into(),
        blend_mode: 4.into(),
        vertex_alpha: 0xff.into(),
        ..Hundred::new_zeroed()
    });
    part.verts.extend(shape.points.iter().map(|point| Vertex { position: point.map(F32::new) }));
    part.vertex_colours.extend(shape.colours.iter().map(|&bgra| Colour { bgra }));
    let skin = shape.skin.iter().flatten();
    part.texcoords.extend(skin.map(|uv| TexCoord { uv: uv.map(F32::new) }));
    part.edges.extend(edges.iter().map(|ends| Edge { vertices: ends.map(half) }));
    for (face, edges) in shape.faces.iter().zip(of_faces) {
        let first = face.first().and_then(|&corner| shape.colours.get(corner));
        part.polygon_colours.push(Colour { bgra: first.copied().unwrap_or_default() });
        part.polys.push(Poly {
            unknown_00: U16::ZERO,
            vertices: face.map(half),
            normals: [U16::ZERO; 3],
            edges: edges.map(half),
            tag: U32::new(0x0cfc_ea00),
        });
    }
}

/// Every edge once, and the three of each face.
fn edges(faces: &[[usize; 3]]) -> (Vec<[usize; 2]>, Vec<[usize; 3]>) {
    let (mut places, mut all) = (BTreeMap::new(), Vec::new());
    let mut place = |a: usize, b: usize| {
        *places.entry([a.min(b), a.max(b)]).or_insert_with(|| {
            all.push([a, b]);
            all.len() - 1
        })
    };
    let of_faces = faces.iter().map(|&[a, b, c]| [place(a, b), place(b, c), place(c, a)]).collect();
    (all, of_faces)
}

fn word(count: usize) -> U32 {
    u32::try_from(count).unwrap_or(u32::MAX).into()
}

fn half(index: usize) -> U16 {
    u16::try_from(index).unwrap_or(u16::MAX).into()
}
