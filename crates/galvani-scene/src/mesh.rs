//! Geometry.

use glam::{Vec2, Vec3, Vec4};

use crate::{Extras, Id, Material};

/// Geometry, one primitive per draw call.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mesh {
    /// What it is called.
    pub name: String,
    /// At least one.
    pub primitives: Vec<Primitive>,
    /// What else is known.
    pub extras: Extras,
}

/// Triangles of one material. Lists with one entry per vertex may also be empty, positions aside.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Primitive {
    /// How they look.
    pub material: Option<Id<Material>>,
    /// One per vertex.
    pub positions: Vec<Vec3>,
    /// One per vertex, of length 1.
    pub normals: Vec<Vec3>,
    /// One per vertex: a direction of length 1, and 1 or -1 for the side on which the third axis lies.
    pub tangents: Vec<Vec4>,
    /// Sets of one per vertex, v down.
    pub uvs: Vec<Vec<Vec2>>,
    /// One per vertex: red, green, blue, alpha; linear, from 0 to 1.
    pub colors: Vec<Vec4>,
    /// What pulls at each vertex, if nodes show the mesh with a skin.
    pub influences: Influences,
    /// Three per triangle, counter-clockwise seen from outside.
    pub indices: Vec<u32>,
}

/// What pulls at the vertices: a run of pulls for each, of any length.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Influences {
    ends: Vec<usize>,
    pulls: Vec<Pull>,
}

/// A joint that pulls at a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pull {
    /// Which of the skin's joints.
    pub joint: usize,
    /// How much; all of a vertex make 1.
    pub weight: f32,
}

impl Influences {
    /// Adds the pulls of the next vertex.
    pub fn push(&mut self, pulls: impl IntoIterator<Item = Pull>) {
        self.pulls.extend(pulls);
        self.ends.push(self.pulls.len());
    }

    /// The pulls of every vertex.
    pub fn iter(&self) -> impl Iterator<Item = &[Pull]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.pulls[start..end])
    }

    /// All pulls, vertex after vertex.
    pub fn pulls(&self) -> &[Pull] {
        &self.pulls
    }

    /// All pulls, to be changed.
    pub fn pulls_mut(&mut self) -> &mut [Pull] {
        &mut self.pulls
    }

    /// How many vertices.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether nothing pulls at all.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

impl<P: IntoIterator<Item = Pull>> FromIterator<P> for Influences {
    fn from_iter<I: IntoIterator<Item = P>>(vertices: I) -> Self {
        let mut made = Influences::default();
        vertices.into_iter().for_each(|pulls| made.push(pulls));
        made
    }
}
