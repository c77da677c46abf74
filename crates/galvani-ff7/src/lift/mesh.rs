//! Polygons as meshes, and how they look (docs/formats/ff7-p.md#scene).

use std::collections::BTreeMap;

use galvani_core::image::{Additive, added, linear};
use galvani_core::{Exhausted, Image, Path, Report, room};
use galvani_scene::{AlphaMode, Fact, Id, Material, Mesh, Primitive, Scene, Texture, Wrap};
use glam::{Vec2, Vec3, Vec4};
use zerocopy::little_endian::F32;

use super::origin::{self, Group};
use super::{PartCodes, Picture, axes};
use crate::p::drawing::{ADD, AVERAGE, HALF, NO_CULL, SOLID, WRAPS};
use crate::p::{Document, Hundred, Triangle};

/// Materials of one model, each made once.
pub(super) struct Looks<'a> {
    pictures: &'a [Picture],
    codes: PartCodes,
    additive: Additive,
    scene: &'a mut Scene,
    report: &'a mut Report,
    /// By picture, palette, and whether its darkness is transparent.
    images: BTreeMap<(usize, usize, bool), Option<Id<galvani_scene::SceneImage>>>,
    made: BTreeMap<Look, Id<Material>>,
}

/// What makes a material.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Look {
    texture: Option<Shown>,
    blend_mode: u32,
    two_sided: bool,
    wrap: [Wrap; 2],
}

/// Which texture a group shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shown {
    /// A picture of the model.
    Picture(usize),
    /// A number that no picture has.
    Nothing(usize),
}

impl<'a> Looks<'a> {
    pub(super) fn new(
        pictures: &'a [Picture],
        codes: PartCodes,
        additive: Additive,
        scene: &'a mut Scene,
        report: &'a mut Report,
    ) -> Self {
        Looks { pictures, codes, additive, scene, report, images: BTreeMap::new(), made: BTreeMap::new() }
    }

    /// Files as a mesh, one primitive per group; nothing if they have no triangles. With each file the picture that each of
    /// its textures is.
    pub(super) fn mesh(
        &mut self,
        name: String,
        parts: &[(&str, &Document, &[usize])],
        path: Path,
    ) -> Result<Option<Id<Mesh>>, Exhausted> {
        let mut primitives = Vec::new();
        for &(file, part, textures) in parts {
            for group in 0..part.groups.len() {
                let place = (self.scene.meshes.len(), primitives.len());
                let Some((primitive, corners)) = self.group(part, textures, group, path)? else { continue };
                let base = part.groups.get(group).map_or(0, |group| group.vertex_start.get());
                let base = usize::try_from(base).unwrap_or(usize::MAX);
                let group = Group { file, corners: &corners.rows, words: &corners.words, base };
                self.scene.origins.extend(origin::of_group(place, &group));
                primitives.push(primitive);
            }
        }
        if primitives.is_empty() {
            return Ok(None);
        }
        let id = Id::new(self.scene.meshes.len());
        self.scene.meshes.push(Mesh { name, primitives, ..Mesh::default() });
        Ok(Some(id))
    }

    fn group(
        &mut self,
        part: &Document,
        textures: &[usize],
        group: usize,
        path: Path,
    ) -> Result<Option<(Primitive, Corners)>, Exhausted> {
        let place = path.field("groups").index(group);
        let sound = part.triangles(group).filter(|one| is_finite(part, one));
        let triangles: Vec<Triangle> = room::collected(sound)?;
        let counted = part.groups.get(group).map_or(0, |group| group.poly_count.get());
        if usize::try_from(counted) != Ok(triangles.len()) {
            let said = format!("{} of {counted}", triangles.len());
            self.report.push(self.codes.polygons.at(place).saying(said));
        }
        if triangles.is_empty() {
            return Ok(None);
        }
        let material = Some(self.material(part, textures, group, place)?);
        let (primitive, corners) = primitive(part, &triangles)?;
        Ok(Some((Primitive { material, ..primitive }, corners)))
    }

    fn material(
        &mut self,
        part: &Document,
        textures: &[usize],
        group: usize,
        path: Path,
    ) -> Result<Id<Material>, Exhausted> {
        let textured = part.groups.get(group).filter(|row| row.textured.get() != 0);
        let texture = textured.map(|row| {
            let number = usize::try_from(row.texture_number.get()).unwrap_or(usize::MAX);
            textures.get(number).map_or(Shown::Nothing(number), |&picture| Shown::Picture(picture))
        });
        let drawn = part.hundreds.get(group);
        let look = Look {
            texture,
            blend_mode: drawn.map_or(SOLID, |drawn| drawn.blend_mode.get()).min(SOLID),
            two_sided: drawn.is_some_and(|drawn| drawn.features.get() & NO_CULL != 0),
            wrap: wrap(drawn),
        };
        if let Some(&made) = self.made.get(&look) {
            return Ok(made);
        }
        let material = self.look(look, path)?;
        let id = Id::new(self.scene.materials.len());
        self.scene.materials.push(material);
        self.made.insert(look, id);
        Ok(id)
    }

    fn look(&mut self, look: Look, path: Path) -> Result<Material, Exhausted> {
        let is_added = self.is_added(look);
        let image = look.texture.map_or(Ok(None), |texture| self.image(texture, is_added, path))?;
        if (ADD..SOLID).contains(&look.blend_mode) {
            let said = look.blend_mode.to_string();
            self.report.push(self.codes.blending.at(path.field("blend_mode")).saying(said));
        }
        Ok(self.showing(look, image))
    }

    /// Whether the darkness of a picture is transparent.
    fn is_added(&self, look: Look) -> bool {
        look.blend_mode == ADD && self.additive == Additive::Bake
    }

    /// A material that shows an image.
    fn showing(&self, look: Look, image: Option<Id<galvani_scene::SceneImage>>) -> Material {
        let pixels = image.and_then(|image| image.find_in(&self.scene.images)).map(|image| &image.pixels);
        let (alpha_mode, alpha) = match look.blend_mode {
            ADD => (AlphaMode::Blend, 1.0),
            AVERAGE..SOLID => (AlphaMode::Blend, HALF),
            _ => (pixels.map_or(AlphaMode::Opaque, seen_through), 1.0),
        };
        let texture = image.map(|image| Texture { wrap: look.wrap, ..Texture::plain(image) });
        let mut material = Material {
            name: self.name(look.texture),
            base_color: Vec3::ONE.extend(alpha),
            texture,
            alpha_mode,
            two_sided: look.two_sided,
            unlit: true,
            ..Material::default()
        };
        if look.blend_mode < SOLID {
            let mode = look.blend_mode.try_into().unwrap_or(i32::MAX);
            material.extras.insert("blend_mode".to_owned(), Fact::Int(mode));
        }
        material
    }

    fn name(&self, texture: Option<Shown>) -> String {
        match texture {
            None => "colours".to_owned(),
            Some(Shown::Nothing(number)) => format!("texture {number}"),
            Some(Shown::Picture(picture)) => {
                self.pictures.get(picture).map_or_else(String::new, |picture| picture.name.clone())
            }
        }
    }

    fn image(
        &mut self,
        texture: Shown,
        is_added: bool,
        path: Path,
    ) -> Result<Option<Id<galvani_scene::SceneImage>>, Exhausted> {
        let path = path.field("texture_number");
        let Shown::Picture(picture) = texture else {
            self.report.push(self.codes.texture.at(path).saying(self.name(Some(texture))));
            return Ok(None);
        };
        if let Some(&known) = self.images.get(&(picture, FIRST, is_added)) {
            return Ok(known);
        }
        let Some(Picture { name, image, looked, .. }) = self.pictures.get(picture) else { return Ok(None) };
        let made = match image {
            Some(pixels) => Some(self.add_image(name.clone(), painted(pixels, is_added)?)),
            None if self.images.contains_key(&(picture, FIRST, !is_added)) => None,
            None => {
                let said = format!("`{name}` is none of {}", looked.join(", "));
                self.report.push(self.codes.texture.at(path).saying(said).apart());
                None
            }
        };
        self.images.insert((picture, FIRST, is_added), made);
        Ok(made)
    }

    fn add_image(&mut self, name: String, pixels: Image) -> Id<galvani_scene::SceneImage> {
        let id = Id::new(self.scene.images.len());
        self.scene.images.push(galvani_scene::SceneImage { name, pixels });
        id
    }

    /// Adds a look for each palette behind the first: what it makes of the materials whose pictures have it.
    pub(super) fn add_palettes(&mut self) -> Result<(), Exhausted> {
        let shown = |(look, &id): (&Look, &Id<Material>)| match look.texture {
            Some(Shown::Picture(picture)) => Some((*look, picture, id)),
            _ => None,
        };
        let mut made: Vec<(Look, usize, Id<Material>)> = self.made.iter().filter_map(shown).collect();
        for palette in FIRST.saturating_add(1).. {
            made.retain(|(_, picture, _)| self.pixels(*picture, palette).is_some());
            if made.is_empty() {
                break;
            }
            let mut swaps = Vec::new();
            for &(look, picture, own) in &made {
                swaps.extend(self.repainted(look, picture, palette)?.map(|other| (own, other)));
            }
            swaps.sort_unstable();
            if !swaps.is_empty() {
                self.scene.looks.push(galvani_scene::Look { name: format!("palette {palette}"), swaps });
            }
        }
        Ok(())
    }

    /// A material whose picture is coloured by another palette; nothing if it is the same by the first.
    fn repainted(
        &mut self,
        look: Look,
        picture: usize,
        palette: usize,
    ) -> Result<Option<Id<Material>>, Exhausted> {
        let is_added = self.is_added(look);
        let own = self.images.get(&(picture, FIRST, is_added)).copied().flatten();
        let image = match self.images.get(&(picture, palette, is_added)) {
            Some(&known) => known,
            None => self.image_by(picture, palette, is_added, own)?,
        };
        self.images.insert((picture, palette, is_added), image);
        if image == own {
            return Ok(None);
        }
        let mut material = self.showing(look, image);
        material.name = by_palette(&material.name, palette);
        let id = Id::new(self.scene.materials.len());
        self.scene.materials.push(material);
        Ok(Some(id))
    }

    /// The picture by another palette: what it is by the first, if that is the same.
    fn image_by(
        &mut self,
        picture: usize,
        palette: usize,
        is_added: bool,
        own: Option<Id<galvani_scene::SceneImage>>,
    ) -> Result<Option<Id<galvani_scene::SceneImage>>, Exhausted> {
        let Some(pixels) = self.pixels(picture, palette) else { return Ok(own) };
        let pixels = painted(pixels, is_added)?;
        if own.and_then(|own| own.find_in(&self.scene.images)).is_some_and(|own| own.pixels == pixels) {
            return Ok(own);
        }
        let name = by_palette(&self.name(Some(Shown::Picture(picture))), palette);
        Ok(Some(self.add_image(name, pixels)))
    }

    /// The pixels of a picture by one of its palettes.
    fn pixels(&self, picture: usize, palette: usize) -> Option<&'a Image> {
        let Picture { image, palettes, .. } = self.pictures.get(picture)?;
        match palette.checked_sub(1) {
            Some(behind) => palettes.get(behind),
            None => image.as_ref(),
        }
    }
}

/// The palette that pictures are coloured by if no other look is wanted.
const FIRST: usize = 0;

/// What something is called that another palette colours.
fn by_palette(name: &str, palette: usize) -> String {
    format!("{name} palette {palette}")
}

/// A picture as it is shown, perhaps where its darkness is transparent.
fn painted(pixels: &Image, is_added: bool) -> Result<Image, Exhausted> {
    let rgba = room::collected(pixels.rgba.iter().map(|&pixel| if is_added { added(pixel) } else { pixel }))?;
    Ok(Image { rgba, ..*pixels })
}

/// What is beyond the edges of a group's picture: as the game has it by default, the picture again.
fn wrap(drawn: Option<&Hundred>) -> [Wrap; 2] {
    WRAPS.map(|bit| {
        let clamps = |drawn: &Hundred| drawn.options.get() & bit != 0 && drawn.features.get() & bit == 0;
        if drawn.is_some_and(clamps) { Wrap::Clamp } else { Wrap::Repeat }
    })
}

/// What the alpha of a picture means: holes of a colour key, or a reference alpha.
fn seen_through(image: &Image) -> AlphaMode {
    let has = |is: fn(u8) -> bool| image.rgba.iter().any(|&[.., alpha]| is(alpha));
    if has(|alpha| alpha > 0 && alpha < u8::MAX) {
        AlphaMode::Blend
    } else if has(|alpha| alpha == 0) {
        AlphaMode::Mask(HALF)
    } else {
        AlphaMode::Opaque
    }
}

fn is_finite(part: &Document, triangle: &Triangle) -> bool {
    let place = |vertex: usize| part.verts.get(vertex).map(|vertex| vertex.position.map(F32::get));
    let is_place =
        |&vertex: &usize| place(vertex).is_some_and(|place| place.iter().all(|axis| axis.is_finite()));
    triangle.vertices.iter().all(is_place)
}

/// What a vertex of a primitive is in its file: place, point in the picture, normal.
pub(super) type Corner = (usize, Option<usize>, Option<usize>);

/// Where a primitive comes from.
#[derive(Default)]
struct Corners {
    /// What its vertices are.
    rows: Vec<Corner>,
    /// Where the corners of its triangles stand, in words from the first polygon on.
    words: Vec<usize>,
}

/// Words of a polygon, and where among them its corners are, in the scene's winding.
const POLY: usize = 12;
const IN_POLY: [usize; 3] = [1, 3, 2];

/// Triangles with vertices of their own: one for each corner that differs.
fn primitive(part: &Document, triangles: &[Triangle]) -> Result<(Primitive, Corners), Exhausted> {
    let (mut made, mut corners) = (Primitive::default(), Corners::default());
    let mut known: BTreeMap<Corner, u32> = BTreeMap::new();
    let (mut uvs, is_textured) = (Vec::new(), triangles.iter().any(|one| one.texcoords.is_some()));
    let is_lit = triangles.iter().all(|one| one.normals.iter().all(|&it| normal(part, it).is_some()));
    for triangle in triangles.iter().map(|triangle| triangle.reversed()) {
        for ((corner, &vertex), word) in triangle.vertices.iter().enumerate().zip(IN_POLY) {
            room::push(&mut corners.words, triangle.poly.saturating_mul(POLY).saturating_add(word))?;
            let uv = triangle.texcoords.and_then(|uvs| uvs.get(corner).copied());
            let facing = triangle.normals.get(corner).copied().filter(|_| is_lit);
            let next = u32::try_from(made.positions.len()).unwrap_or(u32::MAX);
            let index = *known.entry((vertex, uv, facing)).or_insert(next);
            room::push(&mut made.indices, index)?;
            if index != next {
                continue;
            }
            room::push(&mut corners.rows, (vertex, uv, facing))?;
            let place = part.verts.get(vertex).map(|vertex| vertex.position.map(F32::get));
            room::push(&mut made.positions, axes(place.unwrap_or_default()))?;
            room::push(&mut made.colors, colour(part, vertex))?;
            if let Some(facing) = facing.and_then(|facing| normal(part, facing)) {
                room::push(&mut made.normals, facing)?;
            }
            let uv = uv.and_then(|uv| part.texcoords.get(uv)).map(|uv| uv.uv.map(F32::get));
            let uv = uv.filter(|uv| uv.iter().all(|part| part.is_finite()));
            room::push(&mut uvs, Vec2::from_array(uv.unwrap_or_default()))?;
        }
    }
    made.uvs = if is_textured { vec![uvs] } else { Vec::new() };
    Ok((made, corners))
}

/// A normal that has a direction, in the scene's axes.
fn normal(part: &Document, index: usize) -> Option<Vec3> {
    let normal = axes(part.normals.get(index)?.normal.map(F32::get));
    normal.try_normalize()
}

/// The colour of a vertex; white where there is none.
fn colour(part: &Document, vertex: usize) -> Vec4 {
    let Some([blue, green, red, alpha]) = part.vertex_colours.get(vertex).map(|colour| colour.bgra) else {
        return Vec4::ONE;
    };
    let [red, green, blue] = [red, green, blue].map(linear);
    Vec4::new(red, green, blue, f32::from(alpha) / 255.0)
}
