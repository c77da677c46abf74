//! Polygon files of Final Fantasy VII from plain shapes.

use std::collections::BTreeMap;

use galvani_ff7::p::{
    BoundingBox, Colour, Document, Edge, Group, Hundred, Poly, TexCoord, Vertex, edit, write,
};
use zerocopy::FromZeros;
use zerocopy::little_endian::{F32, U16, U32};

/// A place.
pub(super) type Point = [f32; 3];

/// The bytes of a file with a group for each shape.
pub(super) fn bytes(shapes: &[Shape]) -> Option<Vec<u8>> {
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
#[derive(Default)]
pub(super) struct Shape {
    pub(super) points: Vec<Point>,
    pub(super) colours: Vec<[u8; 4]>,
    pub(super) faces: Vec<[usize; 3]>,
    pub(super) skin: Option<Vec<[f32; 2]>>,
    /// Which texture the skin is.
    pub(super) texture: u32,
    pub(super) drawing: Drawing,
}

/// How a shape is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Drawing {
    /// Its outside covers what is behind.
    #[default]
    Solid,
    /// Both sides do.
    Paper,
    /// Both sides are added to it.
    Light,
}

/// A face in the order in which the game sees it from outside: clockwise.
pub(super) fn seen(points: &[Point], face: [usize; 3], centre: Point) -> [usize; 3] {
    let [a, b, c] = face.map(|corner| points.get(corner).copied().unwrap_or_default());
    let less = |[ax, ay, az]: Point, [bx, by, bz]: Point| [ax - bx, ay - by, az - bz];
    let ([ux, uy, uz], [vx, vy, vz], [ox, oy, oz]) = (less(b, a), less(c, a), less(a, centre));
    let outward = (uy * vz - uz * vy) * ox + (uz * vx - ux * vz) * oy + (ux * vy - uy * vx) * oz;
    let [p, q, r] = face;
    if outward > 0.0 { [p, r, q] } else { face }
}

/// What every group of this part is drawn with: depth, shading and culling, no blending.
const OPTIONS: u32 = 0x0003_a00e;

/// Bits among the options: textures, blending, culling, and none of it.
const TEXTURE: u32 = 2;
const BLEND: u32 = 0x400;
const CULL: u32 = 0x2000;
const NO_CULL: u32 = 0x4000;

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
        texture_number: shape.texture.into(),
        ..Group::new_zeroed()
    });
    let features = match shape.drawing {
        Drawing::Solid => OPTIONS,
        Drawing::Paper => OPTIONS & !CULL | NO_CULL,
        Drawing::Light => OPTIONS & !CULL | NO_CULL | BLEND,
    };
    part.hundreds.push(Hundred {
        unknown_00: 1.into(),
        options: (OPTIONS | features).into(),
        features: if textured { features } else { features & !TEXTURE }.into(),
        texture_id: shape.texture.into(),
        shade_mode: 2.into(),
        source_blend: 2.into(),
        destination_blend: 1.into(),
        blend_mode: if shape.drawing == Drawing::Light { 1 } else { 4 }.into(),
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
