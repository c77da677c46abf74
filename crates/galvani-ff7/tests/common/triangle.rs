//! A part that is one triangle.

use galvani_ff7::p::{self, Colour, Group, Hundred, Normal, Poly, TexCoord, Vertex};
use zerocopy::FromZeros;

/// One triangle, perhaps with a texture, perhaps with a normal.
pub(crate) fn triangle(
    texture: Option<u32>,
    blend_mode: u32,
    bgra: [u8; 4],
    normal: Option<[f32; 3]>,
) -> p::Document {
    let mut part = p::Document::default();
    for position in [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 3.0]] {
        part.verts.push(Vertex { position: position.map(Into::into) });
        part.vertex_colours.push(Colour { bgra });
        part.texcoords.push(TexCoord { uv: [0.25.into(), 0.75.into()] });
    }
    part.normals.extend(normal.map(|normal| Normal { normal: normal.map(Into::into) }));
    part.polys.push(Poly { vertices: [0.into(), 1.into(), 2.into()], ..Poly::new_zeroed() });
    part.groups.push(Group {
        poly_type: if normal.is_some() { 2 } else { 3 }.into(),
        poly_count: 1.into(),
        vertex_count: 3.into(),
        textured: u32::from(texture.is_some()).into(),
        texture_number: texture.unwrap_or(0).into(),
        ..Group::new_zeroed()
    });
    part.hundreds.push(Hundred { blend_mode: blend_mode.into(), ..Hundred::new_zeroed() });
    part.count();
    part
}
