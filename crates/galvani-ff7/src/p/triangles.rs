//! The triangles of a group, as whoever draws them wants them.

use super::{Document, Group};

/// A triangle with places in the file's own lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Triangle {
    /// Its polygon.
    pub poly: usize,
    /// Its vertices, also those of their colours.
    pub vertices: [usize; 3],
    /// Its texture coordinates, if the group has a texture.
    pub texcoords: Option<[usize; 3]>,
    /// Its normals. Files of battle have none.
    pub normals: [usize; 3],
}

impl Triangle {
    /// The same triangle seen from its other side. OpenGL and glTF want this one.
    #[must_use]
    pub fn reversed(self) -> Self {
        let turn = |[a, b, c]: [usize; 3]| [a, c, b];
        Triangle {
            poly: self.poly,
            vertices: turn(self.vertices),
            texcoords: self.texcoords.map(turn),
            normals: turn(self.normals),
        }
    }
}

impl Document {
    /// The triangles of a group in file order and the game's winding; those that lead out of the file's lists
    /// are left out. No group, no triangles.
    pub fn triangles(&self, group: usize) -> impl Iterator<Item = Triangle> {
        let group = self.groups.get(group);
        let polys = group.and_then(|group| self.polys_of(group)).unwrap_or_default();
        let first = group.map_or(0, |group| place(group.poly_start.get()));
        polys.iter().enumerate().filter_map(move |(i, poly)| {
            let group = group?;
            let [start, count] = [group.vertex_start, group.vertex_count].map(|word| place(word.get()));
            let relative = poly.vertices.map(|vertex| usize::from(vertex.get()));
            let vertices = relative.map(|vertex| start.saturating_add(vertex));
            let uv_start = place(group.texcoord_start.get());
            let texcoords = relative.map(|vertex| uv_start.saturating_add(vertex));
            let textured = group.textured.get() != 0;
            let inside = relative.iter().all(|&vertex| vertex < count)
                && vertices.iter().all(|&vertex| vertex < self.verts.len())
                && (!textured || texcoords.iter().all(|&uv| uv < self.texcoords.len()));
            inside.then_some(Triangle {
                poly: first.saturating_add(i),
                vertices,
                texcoords: textured.then_some(texcoords),
                normals: poly.normals.map(|normal| usize::from(normal.get())),
            })
        })
    }

    /// The polygons of a group, if they are all there.
    pub fn polys_of(&self, group: &Group) -> Option<&[super::Poly]> {
        let start = place(group.poly_start.get());
        self.polys.get(start..start.checked_add(place(group.poly_count.get()))?)
    }
}

fn place(word: u32) -> usize {
    usize::try_from(word).unwrap_or(usize::MAX)
}
