//! The lantern's surfaces: profiles turned about a vertical line, and a band bent to a handle.

use galvani_mdx::Family;
use galvani_mdx::model::{Geoset, PrimitiveTypes, Texcoords, Weights};
use galvani_mdx::wire::geoset::{Influences, Traits, Vec2};
use galvani_mdx::wire::{Bounds, Vec3};
use zerocopy::little_endian::{F32, U16, U32};

use super::{BODY, FOOT_LEFT, FOOT_RIGHT, HANDLE, LanternKind};
use crate::samples::shapes::{cosine, sine};

/// Corners around a turned profile.
const SIDES: u16 = 12;

/// Pieces of the handle.
const PIECES: u16 = 10;

/// How far apart the feet stand, to either side.
pub(super) const STANCE: f32 = 14.0;

/// A triangle, as PTYP has it.
const TRIANGLES: u8 = 4;

/// A surface in the making.
#[derive(Debug, Default)]
pub(super) struct Mesh {
    places: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    texcoords: Vec<[f32; 2]>,
    groups: Vec<u8>,
    indices: Vec<u16>,
    /// The node of each group.
    nodes: Vec<u32>,
}

/// Metal: base, cap, handle and feet.
pub(super) fn metal() -> Mesh {
    let mut mesh = Mesh::default();
    mesh.moved_by(BODY);
    mesh.turn([0.0; 2], &[[0.0, 12.0], [14.0, 12.0], [18.0, 15.0], [18.0, 19.0], [15.0, 21.0]]);
    mesh.turn(
        [0.0; 2],
        &[[15.0, 51.0], [20.0, 52.0], [19.0, 56.0], [12.0, 61.0], [5.0, 64.0], [4.0, 68.0], [0.0, 69.0]],
    );
    mesh.moved_by(HANDLE);
    mesh.bend(68.0, 11.0, 2.5);
    for (node, side) in [(FOOT_LEFT, STANCE), (FOOT_RIGHT, -STANCE)] {
        mesh.moved_by(node);
        mesh.turn([2.0, side], &[[0.0, 0.0], [7.0, 0.0], [8.0, 3.0], [6.0, 7.0], [2.5, 9.0], [2.5, 14.0]]);
    }
    mesh
}

/// Glass: the globe that glows.
pub(super) fn glass() -> Mesh {
    let mut mesh = Mesh::default();
    mesh.moved_by(BODY);
    mesh.turn(
        [0.0; 2],
        &[[13.0, 20.0], [17.0, 25.0], [18.5, 32.0], [18.0, 40.0], [15.5, 47.0], [13.0, 52.0]],
    );
    mesh
}

impl Mesh {
    /// What follows moves with this node.
    fn moved_by(&mut self, node: i32) {
        self.nodes.push(u32::try_from(node).unwrap_or(0));
    }

    fn corner(&mut self, place: [f32; 3], normal: [f32; 3], texcoord: [f32; 2]) {
        self.places.push(place);
        self.normals.push(normal);
        self.texcoords.push(texcoord);
        self.groups.push(u8::try_from(self.nodes.len().saturating_sub(1)).unwrap_or(0));
    }

    /// Two triangles between a row of corners and the next, `row` corners apart.
    fn face(&mut self, first: u16, row: u16) {
        let [a, b] = [first, first.saturating_add(1)];
        let [d, c] = [a, b].map(|corner| corner.saturating_add(row));
        self.indices.extend([a, b, c, a, c, d]);
    }

    fn next(&self) -> u16 {
        u16::try_from(self.places.len()).unwrap_or(u16::MAX)
    }

    /// Turns a profile about the vertical line through `centre`: radius and height, from below.
    fn turn(&mut self, centre: [f32; 2], profile: &[[f32; 2]]) {
        let first = self.next();
        let last = profile.len().saturating_sub(1);
        let top = profile.last().map_or(1.0, |[_, height]| *height);
        for (i, &[radius, height]) in profile.iter().enumerate() {
            let before = profile.get(i.saturating_sub(1)).copied().unwrap_or_default();
            let after = profile.get(i.saturating_add(1).min(last)).copied().unwrap_or_default();
            let (out, up) = unit(after[1] - before[1], before[0] - after[0]);
            for side in 0..=SIDES {
                let turns = f32::from(side) / f32::from(SIDES);
                let (x, y) = (cosine(turns), sine(turns));
                let place = [centre[0] + radius * x, centre[1] + radius * y, height];
                self.corner(place, [out * x, out * y, up], [turns, 1.0 - height / top]);
            }
        }
        let row = SIDES.saturating_add(1);
        for ring in 1..u16::try_from(profile.len()).unwrap_or(0) {
            let start = first.saturating_add(ring.saturating_sub(1).saturating_mul(row));
            (0..SIDES).for_each(|side| self.face(start.saturating_add(side), row));
        }
    }

    /// Half a ring above `height`, seen from both sides.
    fn bend(&mut self, height: f32, radius: f32, width: f32) {
        let first = self.next();
        for half in [width, -width] {
            for piece in 0..=PIECES {
                let along = f32::from(piece) / f32::from(PIECES);
                let (y, z) = (cosine(along / 2.0), sine(along / 2.0));
                self.corner([half, radius * y, height + radius * z], [0.0, y, z], [along, half / width]);
            }
        }
        (0..PIECES).for_each(|piece| self.face(first.saturating_add(piece), PIECES.saturating_add(1)));
    }

    /// The surface as a geoset with bounds for so many sequences.
    pub(super) fn geoset(&self, kind: LanternKind, material: u32, sequences: usize) -> Geoset {
        let bounds = self.bounds(kind);
        let indices: Vec<U16> = self.indices.iter().copied().map(U16::new).collect();
        let places = self.texcoords.iter().map(|[u, v]| Vec2 { u: F32::new(*u), v: F32::new(*v) }).collect();
        let corners = U32::new(u32::try_from(indices.len()).unwrap_or(0));
        let wow = kind.family == Family::Wow;
        Geoset {
            vertices: self.places.iter().map(|place| vec3(place.map(|part| part * kind.scale))).collect(),
            normals: self.normals.iter().copied().map(vec3).collect(),
            primitive_types: if wow {
                PrimitiveTypes::Bytes(vec![TRIANGLES])
            } else {
                PrimitiveTypes::Words(vec![U32::new(TRIANGLES.into())])
            },
            primitive_counts: vec![corners],
            indices,
            vertex_groups: self.groups.clone(),
            group_sizes: vec![U32::new(1); self.nodes.len()],
            matrices: self.nodes.iter().copied().map(U32::new).collect(),
            traits: Traits {
                material_id: U32::new(material),
                selection_group: U32::new(0),
                flags: U32::new(0),
            },
            detail: None,
            bounds,
            extents: vec![bounds; sequences],
            tangents: None,
            skin: None,
            texcoords: if wow { Texcoords::Flat { sets: 1, places } } else { Texcoords::Sets(vec![places]) },
            weights: wow.then(|| self.weights()),
        }
    }

    /// One bone a vertex. The vertices lie group by group, so theirs is the order of the weights too.
    fn weights(&self) -> Weights {
        let node = |group: &u8| self.nodes.get(usize::from(*group)).copied().unwrap_or(0);
        let bone = |group| [u8::try_from(node(group)).unwrap_or(0), 0, 0, 0];
        Weights {
            bones: self.groups.iter().map(|group| Influences { bytes: bone(group) }).collect(),
            weights: vec![Influences { bytes: [0, 0, 0, u8::MAX] }; self.groups.len()],
        }
    }

    pub(super) fn bounds(&self, kind: LanternKind) -> Bounds {
        let (mut min, mut max, mut far) = ([f32::MAX; 3], [f32::MIN; 3], 0.0_f32);
        for place in &self.places {
            let place = place.map(|part| part * kind.scale);
            for ((min, max), part) in min.iter_mut().zip(&mut max).zip(place) {
                (*min, *max) = (min.min(part), max.max(part));
            }
            far = far.max(place.iter().map(|part| part * part).sum());
        }
        Bounds { radius: F32::new(far.sqrt()), min: min.map(F32::new), max: max.map(F32::new) }
    }
}

pub(super) fn vec3([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3 { x: F32::new(x), y: F32::new(y), z: F32::new(z) }
}

/// The same direction at length 1.
fn unit(x: f32, y: f32) -> (f32, f32) {
    let length = (x * x + y * y).sqrt();
    if length > 0.0 { (x / length, y / length) } else { (1.0, 0.0) }
}
