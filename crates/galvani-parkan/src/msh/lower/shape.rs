//! Meshes as geometry of a slot: vertices welded by all that they have, triangles by material.

use std::collections::BTreeMap;

use galvani_core::{Exhausted, LowerError, Path, Report, room};
use galvani_scene::{Mesh, Primitive, Scene, Texture, Wrap};
use glam::Vec2;

use super::look::Wardrobe;
use super::{LOST_VERTEX_DATA, LOST_WRAP, MADE};
use crate::msh::build::vector::{cross, minus, unit, wide};
use crate::msh::build::{GeometryPlan, Normals, PartPlan, TrianglePlan};
use crate::msh::lift::from_axes;

/// The highest texture coordinate.
const MOST_UV: f32 = 65_535.0 / 1024.0;

/// What stands for a normal without a direction: up.
const UP: [f32; 3] = [0.0, 0.0, 1.0];

/// The geometry of a mesh; nothing if it has no triangles.
pub(super) fn geometry(
    scene: &Scene,
    mesh: &Mesh,
    wardrobe: &Wardrobe,
) -> Result<Option<GeometryPlan>, LowerError> {
    let mut welding = Welding::default();
    for primitive in &mesh.primitives {
        let (material, flags) = wardrobe.batch(primitive.material);
        let part = welding.part(material, flags);
        welding.add(primitive, &Coordinates::new(scene, primitive)?, part)?;
    }
    let Welding { mut plan, normals } = welding;
    plan.normals = Normals::Given(normals);
    plan.parts.retain(|part| !part.triangles.is_empty());
    Ok((!plan.parts.is_empty()).then_some(plan))
}

/// A copy.
pub(super) fn copied(plan: &GeometryPlan) -> Result<GeometryPlan, Exhausted> {
    let normals = match &plan.normals {
        Normals::Given(normals) => Normals::Given(room::copied(normals)?),
        other => other.clone(),
    };
    let mut parts = room::with_capacity(plan.parts.len())?;
    for part in &plan.parts {
        parts.push(PartPlan {
            flags: part.flags,
            material: part.material,
            triangles: room::copied(&part.triangles)?,
            ..PartPlan::default()
        });
    }
    let (positions, uv) = (room::copied(&plan.positions)?, room::copied(&plan.uv)?);
    Ok(GeometryPlan { positions, normals, uv, parts, ..GeometryPlan::default() })
}

/// How many triangles a geometry has.
pub(super) fn triangle_count(plan: &GeometryPlan) -> usize {
    plan.parts.iter().map(|part| part.triangles.len()).fold(0, usize::saturating_add)
}

/// Vertices so far.
#[derive(Default)]
struct Welding {
    plan: GeometryPlan,
    normals: Vec<[f32; 3]>,
}

/// What makes a corner another vertex: its own vertex, its normal, and how far its coordinates were moved.
type Corner = (u32, [u32; 3], [u32; 2]);

impl Welding {
    /// The triangles of a row.
    fn part(&mut self, material: u16, flags: u16) -> usize {
        let known = self.plan.parts.iter().position(|part| part.material == material);
        known.unwrap_or_else(|| {
            self.plan.parts.push(PartPlan { flags, material, ..PartPlan::default() });
            self.plan.parts.len().saturating_sub(1)
        })
    }

    fn add(&mut self, primitive: &Primitive, uvs: &Coordinates, part: usize) -> Result<(), Exhausted> {
        let mut known: BTreeMap<Corner, u32> = BTreeMap::new();
        for corners in primitive.indices.as_chunks::<3>().0 {
            let places = corners.map(|corner| from_axes(at(&primitive.positions, corner).to_array()));
            let across = face_normal(places);
            let shift = uvs.shift(*corners);
            let mut vertices = [0; 3];
            for ((vertex, &corner), place) in vertices.iter_mut().zip(corners).zip(places) {
                let own = primitive.normals.get(index(corner)).map(|normal| from_axes(normal.to_array()));
                let normal = own.and_then(|normal| unit(wide(normal))).unwrap_or(across);
                let key = (corner, normal.map(f32::to_bits), shift.to_array().map(f32::to_bits));
                *vertex = if let Some(&known) = known.get(&key) {
                    known
                } else {
                    let new = self.vertex(place, normal, uvs.at(corner) + shift)?;
                    known.insert(key, new);
                    new
                };
            }
            if let Some(part) = self.plan.parts.get_mut(part) {
                room::push(&mut part.triangles, TrianglePlan { vertices, flags: 0 })?;
            }
        }
        Ok(())
    }

    fn vertex(&mut self, place: [f32; 3], normal: [f32; 3], uv: Vec2) -> Result<u32, Exhausted> {
        let new = u32::try_from(self.normals.len()).unwrap_or(u32::MAX);
        room::push(&mut self.plan.positions, place)?;
        room::push(&mut self.plan.uv, uv.to_array())?;
        room::push(&mut self.normals, normal)?;
        Ok(new)
    }
}

fn index(corner: u32) -> usize {
    usize::try_from(corner).unwrap_or(usize::MAX)
}

fn at<T: Copy + Default>(list: &[T], corner: u32) -> T {
    list.get(index(corner)).copied().unwrap_or_default()
}

fn face_normal(places: [[f32; 3]; 3]) -> [f32; 3] {
    let [a, b, c] = places.map(wide);
    unit(cross(minus(b, a), minus(c, a))).unwrap_or(UP)
}

/// The texture coordinates of a primitive, as its material shows them.
struct Coordinates {
    /// One per vertex, or none.
    rows: Vec<Vec2>,
    /// By how much they may be moved without a change along u and v; 0 if by nothing.
    steps: Vec2,
    /// How far all of them are moved, if that brings them into reach.
    moved: Option<Vec2>,
}

impl Coordinates {
    fn new(scene: &Scene, primitive: &Primitive) -> Result<Self, Exhausted> {
        let texture = texture(scene, primitive);
        let (set, transform) = texture.map_or((0, None), |texture| (texture.uv_set, Some(texture.transform)));
        let rows = primitive.uvs.get(set).map_or(&[][..], Vec::as_slice);
        let shown = |uv: &Vec2| transform.map_or(*uv, |transform| transform.apply(*uv));
        let step = |wrap: Wrap| match wrap {
            Wrap::Repeat => 1.0,
            Wrap::Mirror => 2.0,
            Wrap::Clamp => 0.0,
        };
        let steps = texture.map_or([1.0; 2], |texture| texture.wrap.map(step));
        let mut made =
            Coordinates { rows: room::collected(rows.iter().map(shown))?, steps: steps.into(), moved: None };
        made.moved = made.reach(made.rows.iter().copied());
        Ok(made)
    }

    /// Of one corner.
    fn at(&self, corner: u32) -> Vec2 {
        at(&self.rows, corner)
    }

    /// How far a triangle is moved: as all are, or by itself if not all can be brought into reach together.
    fn shift(&self, corners: [u32; 3]) -> Vec2 {
        let own = || self.reach(corners.into_iter().map(|corner| self.at(corner)));
        self.moved.or_else(own).unwrap_or(Vec2::ZERO)
    }

    /// How far coordinates have to be moved so that none is too low or too high; nothing if that cannot be.
    fn reach(&self, uvs: impl Iterator<Item = Vec2>) -> Option<Vec2> {
        let (mut low, mut high) = (Vec2::ZERO, Vec2::ZERO);
        for (i, uv) in uvs.enumerate() {
            (low, high) = if i == 0 { (uv, uv) } else { (low.min(uv), high.max(uv)) };
        }
        let shift = |low: f32, high: f32, step: f32| match (0.0..=MOST_UV).contains(&low) && high <= MOST_UV {
            true => Some(0.0),
            false if step > 0.0 => Some(-(low / step).floor() * step),
            false => None,
        };
        let moved = Vec2::new(shift(low.x, high.x, self.steps.x)?, shift(low.y, high.y, self.steps.y)?);
        let is_reached =
            (low + moved).cmpge(Vec2::ZERO).all() && (high + moved).cmple(Vec2::splat(MOST_UV)).all();
        is_reached.then_some(moved)
    }
}

fn texture<'s>(scene: &'s Scene, primitive: &Primitive) -> Option<&'s Texture> {
    primitive.material?.find_in(&scene.materials)?.texture.as_ref()
}

/// Says what the vertices of a scene have and the model has not, and what was made.
pub(super) fn tell(scene: &Scene, report: &mut Report) {
    for (i, mesh) in scene.meshes.iter().enumerate() {
        for (j, primitive) in mesh.primitives.iter().enumerate() {
            let path = Path::named("meshes").index(i).field("primitives").index(j);
            lost(scene, primitive, path, report);
            made(scene, primitive, path, report);
        }
    }
}

fn lost(scene: &Scene, primitive: &Primitive, path: Path, report: &mut Report) {
    let texture = texture(scene, primitive);
    let shown = texture.map_or(0, |texture| texture.uv_set);
    let mut lost: Vec<String> = Vec::new();
    lost.extend((!primitive.colors.is_empty()).then(|| "colours".to_owned()));
    lost.extend((!primitive.tangents.is_empty()).then(|| "tangents".to_owned()));
    let sets = (0..primitive.uvs.len()).filter(|set| *set != shown);
    lost.extend(sets.map(|set| format!("set {set} of coordinates")));
    if !lost.is_empty() {
        report.push(LOST_VERTEX_DATA.at(path).saying(lost.join(", ")));
    }
    let ends = texture.is_some_and(|texture| texture.wrap != [Wrap::Repeat; 2]);
    let uvs = primitive.uvs.get(shown).map_or(&[][..], Vec::as_slice);
    let beyond = |uv: &Vec2| {
        let uv = texture.map_or(*uv, |texture| texture.transform.apply(*uv));
        !(uv.cmpge(Vec2::ZERO).all() && uv.cmple(Vec2::ONE).all())
    };
    if ends && uvs.iter().any(beyond) {
        report.push(LOST_WRAP.at(path.field("uvs").index(shown)).saying("coordinates lie beyond the edges"));
    }
}

fn made(scene: &Scene, primitive: &Primitive, path: Path, report: &mut Report) {
    if primitive.normals.is_empty() {
        report.push(MADE.at(path.field("normals")).saying("normals of the triangles"));
    }
    let has_none = |texture: &Texture| primitive.uvs.get(texture.uv_set).is_none();
    if texture(scene, primitive).is_some_and(has_none) {
        report.push(MADE.at(path.field("uvs")).saying("coordinates of 0"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(rows: &[[f32; 2]], steps: [f32; 2]) -> Option<[f32; 2]> {
        let all = Coordinates { rows: Vec::new(), steps: steps.into(), moved: None };
        all.reach(rows.iter().copied().map(Vec2::from_array)).map(|moved| moved.to_array())
    }

    #[test]
    fn coordinates_are_moved_by_whole_pictures_and_only_if_they_must() {
        assert_eq!(moved(&[[0.0, 3.5], [63.0, 0.0]], [1.0; 2]), Some([0.0, 0.0]));
        assert_eq!(moved(&[[-0.25, 3.5], [0.5, 0.0]], [1.0; 2]), Some([1.0, 0.0]));
        assert_eq!(moved(&[[-0.25, 100.5]], [2.0, 1.0]), Some([2.0, -100.0]));
        assert_eq!(moved(&[[-0.25, 0.0]], [0.0, 1.0]), None);
        assert_eq!(moved(&[[-1.0, 0.0], [64.0, 0.0]], [1.0; 2]), None);
        assert_eq!(moved(&[], [1.0; 2]), Some([0.0, 0.0]));
    }

    #[test]
    fn a_triangle_without_area_points_up() {
        let bits = |normal: [f32; 3]| normal.map(f32::to_bits);
        assert_eq!(bits(face_normal([[1.0; 3]; 3])), bits(UP));
        let found = face_normal([[0.0; 3], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        assert_eq!(bits(found), bits([1.0, 0.0, 0.0]));
    }
}
