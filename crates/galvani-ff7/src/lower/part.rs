//! What a bone shows, as a polygon file (docs/formats/ff7-p.md#lower): a group for every way to be drawn.

use std::collections::BTreeMap;

use galvani_core::image::linear;
use galvani_core::maths::single;
use galvani_core::{LowerError, Path, Report, room};
use galvani_scene::{
    AlphaMode, Fact, Filter, Id, Material, Mesh, Primitive, Scene, SceneImage, Texture, Wrap,
};
use glam::{DVec3, Vec2, Vec3, Vec4};
use zerocopy::FromZeros;
use zerocopy::little_endian::{F32, U16, U32};

use super::bones::BonePlace;
use super::findings::{ModelCodes, steps};
use super::{Form, Target};
use crate::lift::axes;
use crate::p::drawing::{ADD, AVERAGE, BLEND, CULL, HALF, LINEAR, NO_CULL, SOLID, TEXTURE, USUAL, WRAPS};
use crate::p::{Colour, Document, Edge, Group, Hundred, Normal, NormalIndex, Poly, TexCoord, Vertex, edit};

/// Most vertices, normals, edges and polygons of a part.
pub(super) const MOST: usize = 0xffff;

/// Makes parts, and tells what they do not hold.
pub(super) struct Parts<'a> {
    scene: &'a Scene,
    /// Pictures of the materials.
    images: &'a [SceneImage],
    codes: &'static ModelCodes,
    form: Form,
    scale: f64,
    /// How pictures are seen through, as far as somebody asked.
    alphas: BTreeMap<usize, Alpha>,
    /// What light each byte of a colour is.
    lights: Vec<f32>,
}

/// How a picture is seen through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Alpha {
    /// Nowhere.
    Full,
    /// Where there are holes.
    Holes,
    /// More or less.
    Partly,
}

/// How polygons are drawn: those of one look are a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Look {
    texture: Option<usize>,
    blend_mode: u32,
    has_cull: bool,
    clamps: [bool; 2],
    is_smooth: bool,
}

impl<'a> Parts<'a> {
    pub(super) fn new(scene: &'a Scene, images: &'a [SceneImage], target: &Target, scale: f32) -> Self {
        let lights = (0..=u8::MAX).map(linear).collect();
        let (codes, form, scale) = (target.codes, target.form, f64::from(scale));
        Parts { scene, images, codes, form, scale, alphas: BTreeMap::new(), lights }
    }

    /// The part of these meshes; nothing if they have no triangles. `textures` gets the pictures that it shows and has not yet.
    pub(super) fn part(
        &mut self,
        shows: &[(Id<Mesh>, BonePlace)],
        textures: &mut Vec<Id<SceneImage>>,
        path: Path,
        report: &mut Report,
    ) -> Result<Option<Document>, LowerError> {
        let scene = self.scene;
        let shown = || {
            let meshes =
                shows.iter().filter_map(|(id, place)| Some((*id, id.find_in(&scene.meshes)?, *place)));
            meshes.flat_map(|(id, mesh, place)| {
                mesh.primitives.iter().enumerate().map(move |(i, one)| (id, i, one, place))
            })
        };
        let triangles = shown().map(|(.., one, _)| one.indices.len() / 3).fold(0, usize::saturating_add);
        self.fits(triangles, "triangles", path)?;
        let mut made = Draft::default();
        for (mesh, i, primitive, place) in shown() {
            let path = Path::named("meshes").index(mesh.index()).field("primitives").index(i);
            self.tell(primitive, path, report);
            let material = primitive.material.and_then(|material| material.find_in(&scene.materials));
            let (look, colour) = self.look(primitive, material, textures, path, report);
            let group = made.group(look);
            let texture = material.and_then(|material| material.texture.as_ref());
            let drawn = Drawn { primitive, place, texture, colour, parts: self };
            let lost = drawn.add(&mut made, group)?;
            if lost > 0 {
                let said = format!("{lost} triangles were left out");
                report.push(self.codes.values.at(path.field("positions")).saying(said));
            }
        }
        let made = made.document()?;
        for (count, of) in [(made.verts.len(), "vertices"), (made.edges.len(), "edges")] {
            self.fits(count, of, path)?;
        }
        self.fits(made.normals.len(), "normals", path)?;
        Ok(Some(made).filter(|made| !made.polys.is_empty()))
    }

    fn fits(&self, count: usize, of: &str, path: Path) -> Result<(), LowerError> {
        if count > MOST {
            return Err(self.codes.part.at(path).saying(format!("{count} {of}, {MOST} at most")).into());
        }
        Ok(())
    }

    /// Tells what of a primitive no part holds.
    fn tell(&self, primitive: &Primitive, path: Path, report: &mut Report) {
        let material = primitive.material.and_then(|material| material.find_in(&self.scene.materials));
        let textured = material.and_then(|material| material.texture.as_ref());
        let used = textured.is_some_and(|texture| texture.uv_set < primitive.uvs.len());
        if primitive.uvs.len() > usize::from(used) {
            let said = format!("{} sets, {} used", primitive.uvs.len(), usize::from(used));
            report.push(self.codes.uvs.at(path.field("uvs")).saying(said));
        }
        if !primitive.tangents.is_empty() {
            report.push(self.codes.tangents.at(path.field("tangents")));
        }
        if self.form == Form::Steps && !primitive.normals.is_empty() {
            report.push(steps::NORMALS.at(path.field("normals")));
        }
    }

    /// How a primitive is drawn, and the colour that its vertices are multiplied by.
    fn look(
        &mut self,
        primitive: &Primitive,
        material: Option<&Material>,
        textures: &mut Vec<Id<SceneImage>>,
        path: Path,
        report: &mut Report,
    ) -> (Look, Vec4) {
        let plain = Material::default();
        let material = material.unwrap_or(&plain);
        let path = path.field("material");
        let has_maps = [&material.normal, &material.orm, &material.glow].into_iter().any(Option::is_some);
        if has_maps || material.emissive.max_element() > 0.0 {
            report.push(self.codes.maps.at(path).saying(material.name.clone()));
        }
        let texture = material.texture.as_ref();
        let wraps = texture.map_or([Wrap::Repeat; 2], |texture| texture.wrap);
        if wraps.contains(&Wrap::Mirror) {
            report.push(self.codes.wrap.at(path).saying(material.name.clone()));
        }
        let blend_mode = self.blend_mode(primitive, material, path, report);
        // The game's own halving comes on top.
        let halves = if (AVERAGE..SOLID).contains(&blend_mode) && blend_mode != ADD { HALF } else { 1.0 };
        let colour = material.base_color.truncate().extend(material.base_color.w / halves);
        let number = texture.map(|texture| {
            let known = textures.iter().position(|image| *image == texture.image);
            known.unwrap_or_else(|| {
                textures.push(texture.image);
                textures.len().saturating_sub(1)
            })
        });
        let look = Look {
            texture: number,
            blend_mode,
            has_cull: !material.two_sided,
            clamps: wraps.map(|wrap| wrap == Wrap::Clamp),
            is_smooth: texture.is_none_or(|texture| texture.filter == Filter::Linear),
        };
        (look, colour)
    }

    /// How a surface lies over what is behind it: as its extras say, or as its alpha comes nearest to.
    fn blend_mode(
        &mut self,
        primitive: &Primitive,
        material: &Material,
        path: Path,
        report: &mut Report,
    ) -> u32 {
        let alpha = material.texture.as_ref().map_or(Alpha::Full, |texture| self.alpha(texture.image));
        let by = material.base_color.w;
        let clear = primitive.colors.iter().any(|colour| colour.w < 1.0);
        let own = match material.extras.get("blend_mode") {
            Some(Fact::Int(mode)) => u32::try_from(*mode).ok().filter(|mode| *mode < SOLID),
            _ => None,
        };
        let (mode, lost) = match (own, material.alpha_mode, alpha) {
            (Some(ADD), _, alpha) => (ADD, (alpha != Alpha::Full).then_some("its picture has alpha")),
            (Some(mode), ..) => (mode, None),
            (None, AlphaMode::Opaque, alpha) => {
                (SOLID, (alpha != Alpha::Full).then_some("it covers, its picture does not"))
            }
            (None, AlphaMode::Mask(_), alpha) => {
                (SOLID, (alpha == Alpha::Partly).then_some("its holes have soft edges"))
            }
            (None, AlphaMode::Blend, Alpha::Partly) => {
                (SOLID, (by < 1.0 || clear).then_some("picture and vertices both have alpha"))
            }
            (None, AlphaMode::Blend, _) if by < 1.0 || clear => {
                (AVERAGE, (clear || (by - HALF).abs() > NEAR_HALF).then_some("not by half"))
            }
            (None, AlphaMode::Blend, _) => (SOLID, None),
        };
        if let Some(lost) = lost {
            report.push(self.codes.alpha.at(path).saying(format!("`{}`: {lost}", material.name)));
        }
        mode
    }

    fn alpha(&mut self, image: Id<SceneImage>) -> Alpha {
        let images = self.images;
        *self.alphas.entry(image.index()).or_insert_with(|| {
            let pixels = image.find_in(images).map_or(&[][..], |image| image.pixels.rgba.as_slice());
            let has = |is: fn(u8) -> bool| pixels.iter().any(|&[.., alpha]| is(alpha));
            match (has(|alpha| alpha > 0 && alpha < u8::MAX), has(|alpha| alpha == 0)) {
                (true, _) => Alpha::Partly,
                (false, true) => Alpha::Holes,
                (false, false) => Alpha::Full,
            }
        })
    }

    /// The byte of a colour that is nearest to this much light.
    fn stored(&self, light: f32) -> u8 {
        let above = self.lights.partition_point(|known| *known < light);
        let at = |place: usize| self.lights.get(place).copied().unwrap_or(1.0);
        let below = above.saturating_sub(1);
        let place = if light - at(below) <= at(above) - light { below } else { above };
        u8::try_from(place).unwrap_or(u8::MAX)
    }
}

/// How far from a half alpha may be that is averaged.
const NEAR_HALF: f32 = 1.0 / 64.0;

/// A part in the making.
#[derive(Default)]
struct Draft {
    groups: Vec<Grouped>,
    normals: Vec<Normal>,
    /// Where each normal stands.
    known: BTreeMap<[u32; 3], u16>,
}

/// A group in the making; its vertices and edges count from its own first.
struct Grouped {
    look: Look,
    verts: Vec<Vertex>,
    colours: Vec<Colour>,
    uvs: Vec<TexCoord>,
    /// The normal of each vertex.
    normals: Vec<NormalIndex>,
    polys: Vec<Poly>,
    edges: Vec<Edge>,
    ends: BTreeMap<[u16; 2], u16>,
}

impl Draft {
    fn group(&mut self, look: Look) -> usize {
        self.groups.iter().position(|group| group.look == look).unwrap_or_else(|| {
            let (verts, colours, uvs, normals) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            let (polys, edges, ends) = (Vec::new(), Vec::new(), BTreeMap::new());
            self.groups.push(Grouped { look, verts, colours, uvs, normals, polys, edges, ends });
            self.groups.len().saturating_sub(1)
        })
    }

    /// The number of a normal; those beyond 16 bits are refused later.
    fn normal(&mut self, normal: Vec3) -> Result<u16, LowerError> {
        let normal = axes(normal.to_array());
        let key = normal.to_array().map(f32::to_bits);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let number = half(self.normals.len());
        room::push(&mut self.normals, Normal { normal: normal.to_array().map(F32::new) })?;
        self.known.insert(key, number.get());
        Ok(number.get())
    }

    /// The file.
    fn document(self) -> Result<Document, LowerError> {
        let mut made = Document { normals: self.normals, ..Document::default() };
        for group in self.groups.into_iter().filter(|group| !group.polys.is_empty()) {
            let is_lit = !made.normals.is_empty();
            made.groups.push(group.record(&made, is_lit));
            made.hundreds.push(group.look.hundred());
            for poly in &group.polys {
                let [first, ..] = poly.vertices.map(|vertex| usize::from(vertex.get()));
                let colour = group.colours.get(first).copied().unwrap_or(Colour { bgra: [u8::MAX; 4] });
                room::push(&mut made.polygon_colours, colour)?;
            }
            room::append(&mut made.verts, &group.verts)?;
            room::append(&mut made.vertex_colours, &group.colours)?;
            room::append(&mut made.texcoords, &group.uvs)?;
            room::append(&mut made.normal_index, &group.normals)?;
            room::append(&mut made.polys, &group.polys)?;
            room::append(&mut made.edges, &group.edges)?;
        }
        if made.normals.is_empty() {
            made.normal_index.clear();
        }
        made.count();
        // Without a vertex there is nothing to put a box around, and no part either.
        let _ = edit::recompute_bounds(&mut made);
        Ok(made)
    }
}

impl Grouped {
    fn record(&self, before: &Document, is_lit: bool) -> Group {
        let textured = self.look.texture.is_some();
        Group {
            poly_type: U32::new(match (textured, is_lit) {
                (false, _) => 1,
                (true, true) => 2,
                (true, false) => 3,
            }),
            poly_start: word(before.polys.len()),
            poly_count: word(self.polys.len()),
            vertex_start: word(before.verts.len()),
            vertex_count: word(self.verts.len()),
            edge_start: word(before.edges.len()),
            edge_count: word(self.edges.len()),
            texcoord_start: word(before.texcoords.len()),
            textured: u32::from(textured).into(),
            texture_number: word(self.look.texture.unwrap_or(0)),
            ..Group::new_zeroed()
        }
    }

    /// Adds a triangle, its corners in the scene's order.
    fn triangle(&mut self, [a, b, c]: [u16; 3], [na, nb, nc]: [u16; 3]) -> Result<(), LowerError> {
        let corners = [a, c, b];
        let edges = [self.edge(a, c)?, self.edge(c, b)?, self.edge(b, a)?];
        room::push(
            &mut self.polys,
            Poly {
                unknown_00: U16::ZERO,
                vertices: corners.map(U16::new),
                normals: [na, nc, nb].map(U16::new),
                edges: edges.map(U16::new),
                tag: U32::new(TAG),
            },
        )?;
        Ok(())
    }

    /// The edge between two corners; each is there once.
    fn edge(&mut self, a: u16, b: u16) -> Result<u16, LowerError> {
        let key = [a.min(b), a.max(b)];
        if let Some(&known) = self.ends.get(&key) {
            return Ok(known);
        }
        let number = half(self.edges.len()).get();
        room::push(&mut self.edges, Edge { vertices: [a, b].map(U16::new) })?;
        self.ends.insert(key, number);
        Ok(number)
    }
}

/// What tools write behind a polygon.
const TAG: u32 = 0x0cfc_ea00;

impl Look {
    fn hundred(self) -> Hundred {
        let mut features = USUAL;
        let mut options = USUAL;
        let mut set = |bit: u32, is_set: bool| {
            options |= bit;
            features = if is_set { features | bit } else { features & !bit };
        };
        set(TEXTURE, self.texture.is_some());
        set(LINEAR, self.is_smooth);
        if !self.has_cull {
            set(CULL, false);
            set(NO_CULL, true);
        }
        if self.blend_mode != SOLID {
            set(BLEND, true);
        }
        for (bit, _) in WRAPS.into_iter().zip(self.clamps).filter(|(_, clamps)| *clamps) {
            set(bit, false);
        }
        Hundred {
            unknown_00: 1.into(),
            options: options.into(),
            features: features.into(),
            texture_id: word(self.texture.unwrap_or(0)),
            shade_mode: 2.into(),
            source_blend: 2.into(),
            destination_blend: 1.into(),
            blend_mode: self.blend_mode.into(),
            vertex_alpha: 0xff.into(),
            ..Hundred::new_zeroed()
        }
    }
}

/// A primitive, and how it becomes polygons.
struct Drawn<'a> {
    primitive: &'a Primitive,
    place: BonePlace,
    texture: Option<&'a Texture>,
    colour: Vec4,
    parts: &'a Parts<'a>,
}

impl Drawn<'_> {
    /// Adds the triangles to a group of a part, and says how many have corners that are no numbers.
    fn add(&self, made: &mut Draft, group: usize) -> Result<usize, LowerError> {
        let mut numbers = room::filled(None, self.primitive.positions.len())?;
        let mut lost = 0_usize;
        for triangle in self.primitive.indices.as_chunks::<3>().0 {
            let corners = triangle.map(|corner| usize::try_from(corner).unwrap_or(usize::MAX));
            let [Some(a), Some(b), Some(c)] = corners.map(|corner| self.position(corner)) else {
                lost = lost.saturating_add(1);
                continue;
            };
            let face = (b - a).cross(c - a).try_normalize().unwrap_or(DVec3::Y);
            let mut normals = [0; 3];
            if self.parts.form == Form::Free {
                for (normal, corner) in normals.iter_mut().zip(corners) {
                    *normal = made.normal(self.normal(corner).unwrap_or(face).as_vec3())?;
                }
            }
            let Some(group) = made.groups.get_mut(group) else { continue };
            let mut vertices = [0; 3];
            let at = [a, b, c];
            for (((vertex, corner), at), normal) in vertices.iter_mut().zip(corners).zip(at).zip(normals) {
                *vertex = match numbers.get(corner).copied().flatten() {
                    Some(known) => known,
                    None => self.vertex(group, corner, at, normal)?,
                };
                if let Some(number) = numbers.get_mut(corner) {
                    *number = Some(*vertex);
                }
            }
            group.triangle(vertices, normals)?;
        }
        Ok(lost)
    }

    /// Where a corner is in the space of its bone, in the scene's axes; nothing if that is no number.
    fn position(&self, corner: usize) -> Option<DVec3> {
        let position = self.primitive.positions.get(corner)?.as_dvec3() * self.parts.scale;
        let place = self.place.at + self.place.turn * position;
        place.to_array().iter().all(|part| single(*part).is_finite()).then_some(place)
    }

    /// The normal of a corner, if it has a direction.
    fn normal(&self, corner: usize) -> Option<DVec3> {
        (self.place.turn * self.primitive.normals.get(corner)?.as_dvec3()).try_normalize()
    }

    fn vertex(&self, group: &mut Grouped, corner: usize, at: DVec3, normal: u16) -> Result<u16, LowerError> {
        let number = half(group.verts.len()).get();
        let position = axes(at.as_vec3().to_array()).to_array().map(F32::new);
        room::push(&mut group.verts, Vertex { position })?;
        let colour = self.primitive.colors.get(corner).copied().unwrap_or(Vec4::ONE) * self.colour;
        room::push(&mut group.colours, Colour { bgra: self.bgra(colour) })?;
        room::push(&mut group.normals, NormalIndex { normal: u32::from(normal).into() })?;
        if let Some(texture) = self.texture {
            let uv = self.primitive.uvs.get(texture.uv_set).and_then(|set| set.get(corner));
            let uv = texture.transform.apply(uv.copied().unwrap_or_default());
            let uv = if uv.is_finite() { uv } else { Vec2::ZERO };
            room::push(&mut group.uvs, TexCoord { uv: uv.to_array().map(F32::new) })?;
        }
        Ok(number)
    }

    fn bgra(&self, colour: Vec4) -> [u8; 4] {
        let [red, green, blue] = colour.truncate().to_array().map(|light| self.parts.stored(light));
        [blue, green, red, byte(colour.w)]
    }
}

/// The byte for a part of 255.
#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` saturates, and what is no number is 0"
)]
fn byte(part: f32) -> u8 {
    (part * 255.0).round() as u8
}

fn word(count: usize) -> U32 {
    u32::try_from(count).unwrap_or(u32::MAX).into()
}

/// A number of 16 bits; what has more is refused before it is written.
fn half(index: usize) -> U16 {
    u16::try_from(index).unwrap_or(u16::MAX).into()
}
