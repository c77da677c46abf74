//! Polygons as meshes, and how they look.

use std::collections::BTreeMap;

use galvani_core::{Image, Path, Report};
use galvani_scene::{AlphaMode, Fact, Id, Material, Mesh, Primitive, Scene, Texture, linear};
use glam::{Vec2, Vec3, Vec4};

use super::{LOST_BLENDING, LOST_POLYGONS, LOST_TEXTURE, axes};
use crate::p::{Document, Triangle};
use zerocopy::little_endian::F32;

/// Bit of a group's features: back sides are seen.
const NO_CULL: u32 = 0x4000;

/// How much covers what is behind where the game averages both.
const HALF: f32 = 0.5;

/// Materials of one model, each made once.
pub(super) struct Looks<'a> {
    textures: &'a [Option<Image>],
    scene: &'a mut Scene,
    report: &'a mut Report,
    images: BTreeMap<usize, Id<galvani_scene::Image>>,
    made: BTreeMap<Look, Id<Material>>,
}

/// What makes a material.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Look {
    texture: Option<usize>,
    blend_mode: u32,
    two_sided: bool,
}

/// No blending.
const SOLID: u32 = 4;

impl<'a> Looks<'a> {
    pub(super) fn new(textures: &'a [Option<Image>], scene: &'a mut Scene, report: &'a mut Report) -> Self {
        Looks { textures, scene, report, images: BTreeMap::new(), made: BTreeMap::new() }
    }

    /// A file as a mesh, one primitive per group; nothing if it has no triangles.
    pub(super) fn mesh(&mut self, name: String, part: &Document, path: Path) -> Option<Id<Mesh>> {
        let mut primitives = Vec::new();
        for group in 0..part.groups.len() {
            let place = path.field("groups").index(group);
            let triangles: Vec<Triangle> = part.triangles(group).filter(|one| is_finite(part, one)).collect();
            let counted = part.groups.get(group).map_or(0, |group| group.poly_count.get());
            if usize::try_from(counted) != Ok(triangles.len()) {
                let said = format!("{} of {counted}", triangles.len());
                self.report.push(LOST_POLYGONS.at(place).saying(said));
            }
            if !triangles.is_empty() {
                let material = Some(self.material(part, group, place));
                primitives.push(Primitive { material, ..primitive(part, &triangles) });
            }
        }
        if primitives.is_empty() {
            return None;
        }
        let id = Id::new(self.scene.meshes.len());
        self.scene.meshes.push(Mesh { name, primitives, ..Mesh::default() });
        Some(id)
    }

    fn material(&mut self, part: &Document, group: usize, path: Path) -> Id<Material> {
        let row = part.groups.get(group);
        let textured = row.filter(|row| row.textured.get() != 0);
        let texture = textured.map(|row| usize::try_from(row.texture_number.get()).unwrap_or(usize::MAX));
        let drawn = part.hundreds.get(group);
        let look = Look {
            texture,
            blend_mode: drawn.map_or(SOLID, |drawn| drawn.blend_mode.get()),
            two_sided: drawn.is_some_and(|drawn| drawn.features.get() & NO_CULL != 0),
        };
        if let Some(&made) = self.made.get(&look) {
            return made;
        }
        let image = texture.and_then(|number| self.image(number, path));
        let id = Id::new(self.scene.materials.len());
        let is_cut = texture.and_then(|number| self.textures.get(number)?.as_ref()).is_some_and(has_holes);
        let material = self.look(look, image, is_cut, path);
        self.scene.materials.push(material);
        self.made.insert(look, id);
        id
    }

    fn look(
        &mut self,
        look: Look,
        image: Option<Id<galvani_scene::Image>>,
        is_cut: bool,
        path: Path,
    ) -> Material {
        let (alpha_mode, alpha) = match look.blend_mode {
            0..SOLID => (AlphaMode::Blend, HALF),
            _ if is_cut => (AlphaMode::Mask(HALF), 1.0),
            _ => (AlphaMode::Opaque, 1.0),
        };
        let mut material = Material {
            name: look.texture.map_or_else(|| "colours".to_owned(), |number| format!("texture {number}")),
            base_color: Vec3::ONE.extend(alpha),
            texture: image.map(Texture::plain),
            alpha_mode,
            two_sided: look.two_sided,
            unlit: true,
            ..Material::default()
        };
        if (1..SOLID).contains(&look.blend_mode) {
            self.report.push(LOST_BLENDING.at(path.field("blend_mode")).saying(look.blend_mode.to_string()));
        }
        if look.blend_mode < SOLID {
            let mode = look.blend_mode.try_into().unwrap_or(i32::MAX);
            material.extras.insert("blend_mode".to_owned(), Fact::Int(mode));
        }
        material
    }

    fn image(&mut self, number: usize, path: Path) -> Option<Id<galvani_scene::Image>> {
        if let Some(&known) = self.images.get(&number) {
            return Some(known);
        }
        let Some(pixels) = self.textures.get(number).and_then(Option::as_ref) else {
            self.report
                .push(LOST_TEXTURE.at(path.field("texture_number")).saying(format!("texture {number}")));
            return None;
        };
        let id = Id::new(self.scene.images.len());
        let (name, pixels) = (format!("texture {number}"), pixels.clone());
        self.scene.images.push(galvani_scene::Image { name, pixels });
        self.images.insert(number, id);
        Some(id)
    }
}

fn has_holes(image: &Image) -> bool {
    image.rgba.iter().any(|[.., alpha]| *alpha < 128)
}

fn is_finite(part: &Document, triangle: &Triangle) -> bool {
    let place = |vertex: usize| part.verts.get(vertex).map(|vertex| vertex.position.map(F32::get));
    let is_place =
        |&vertex: &usize| place(vertex).is_some_and(|place| place.iter().all(|axis| axis.is_finite()));
    triangle.vertices.iter().all(is_place)
}

/// Triangles with vertices of their own: one for each pair of a place and a point in the picture.
fn primitive(part: &Document, triangles: &[Triangle]) -> Primitive {
    let mut made = Primitive::default();
    let mut known: BTreeMap<(usize, Option<usize>), u32> = BTreeMap::new();
    let (mut uvs, is_textured) = (Vec::new(), triangles.iter().any(|one| one.texcoords.is_some()));
    for triangle in triangles.iter().map(|triangle| triangle.reversed()) {
        for (corner, &vertex) in triangle.vertices.iter().enumerate() {
            let uv = triangle.texcoords.and_then(|uvs| uvs.get(corner).copied());
            let next = u32::try_from(made.positions.len()).unwrap_or(u32::MAX);
            let index = *known.entry((vertex, uv)).or_insert(next);
            made.indices.push(index);
            if index != next {
                continue;
            }
            let place = part.verts.get(vertex).map(|vertex| vertex.position.map(F32::get));
            made.positions.push(axes(place.unwrap_or_default()));
            made.colors.push(colour(part, vertex));
            let uv = uv.and_then(|uv| part.texcoords.get(uv)).map(|uv| uv.uv.map(F32::get));
            uvs.push(Vec2::from_array(uv.unwrap_or_default()));
        }
    }
    made.uvs = if is_textured { vec![uvs] } else { Vec::new() };
    made
}

/// The colour of a vertex; white where there is none.
fn colour(part: &Document, vertex: usize) -> Vec4 {
    let Some([blue, green, red, alpha]) = part.vertex_colours.get(vertex).map(|colour| colour.bgra) else {
        return Vec4::ONE;
    };
    let [red, green, blue] = [red, green, blue].map(linear);
    Vec4::new(red, green, blue, f32::from(alpha) / 255.0)
}
