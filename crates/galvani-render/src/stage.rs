//! A scene made ready to be drawn, and the pictures of it.

use galvani_core::{Exhausted, Image, Meter, Path, Report, room};
use galvani_scene::{AlphaMode, Id, Look, Material, Primitive, Scene, Skin as Bones, Texture};
use glam::{DAffine3, DVec3, Vec2, Vec3, Vec4};

use crate::MOST_SIDE;
use crate::blend::Blend;
use crate::check::{NOT_FINITE, NOTHING, RenderError, SIZE};
use crate::eye::{Eye, Fit};
use crate::face::{Face, Raster, Vertex};
use crate::lines;
use crate::paint::Paint;
use crate::raster::{BAND, Canvas, Coat, Skin, draw_band};
use crate::stance::Stance;

/// What a scene shows of all that it could.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wear {
    /// Another look.
    pub look: Option<Id<Look>>,
    /// The state; 0 is intact.
    pub state: u32,
    /// The level of detail; 0 is the finest.
    pub level: u32,
}

/// What is drawn beside the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is there or not, whatever the others are")]
pub struct Marks {
    /// Lines from nodes to their children.
    pub skeleton: bool,
    /// What nodes are called.
    pub names: bool,
    /// The sides of triangles.
    pub wire: bool,
    /// The box that holds the model as it stands.
    pub bounds: bool,
    /// The axes: x red, y green, z blue.
    pub axes: bool,
    /// Squares on the ground.
    pub grid: bool,
}

/// What is behind the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Background {
    /// Nothing.
    #[default]
    Transparent,
    /// A colour of a screen.
    Plain([u8; 3]),
}

/// The picture that is wanted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shot {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Where it is looked at from.
    pub eye: Eye,
    /// What is behind it.
    pub background: Background,
    /// What is beside it.
    pub marks: Marks,
    /// Each pixel is the mean of so many times so many samples, 1 to 4.
    pub smooth: u32,
}

impl Shot {
    /// A smooth picture before nothing.
    pub fn new(width: u32, height: u32, eye: Eye) -> Self {
        let (background, marks) = (Background::Transparent, Marks::default());
        Shot { width, height, eye, background, marks, smooth: 2 }
    }
}

/// A picture, and what is not on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// The picture.
    pub image: Image,
    /// What was left out.
    pub report: Report,
}

/// A scene made ready.
#[derive(Debug)]
pub struct Stage<'s> {
    pub(crate) scene: &'s Scene,
    parts: Vec<Part<'s>>,
    /// For each image, if a surface shows it.
    paints: Vec<Option<Paint>>,
}

/// Triangles of one material that a node shows.
#[derive(Debug, Clone, Copy)]
struct Part<'s> {
    node: usize,
    bones: Option<&'s Bones>,
    primitive: &'s Primitive,
    /// Behind the last one stands the plain one.
    material: usize,
}

impl<'s> Stage<'s> {
    /// A scene in which everything that is named is there, as it is worn. What its pictures take is charged first.
    pub fn new(scene: &'s Scene, wear: &Wear, meter: &Meter) -> Result<Self, Exhausted> {
        let parts = parts(scene, wear)?;
        let mut paints = room::with_capacity(scene.images.len())?;
        paints.extend(std::iter::repeat_with(|| None).take(scene.images.len()));
        let mut stage = Stage { scene, parts, paints };
        for image in stage.images() {
            if let (Some(paint @ None), Some(image)) = (stage.paints.get_mut(image), scene.images.get(image))
            {
                *paint = Paint::new(&image.pixels, meter)?;
            }
        }
        Ok(stage)
    }

    /// The images that may be seen, at rest or in a clip.
    fn images(&self) -> Vec<usize> {
        let mut is_used = vec![false; self.scene.materials.len()];
        for part in &self.parts {
            if let Some(used) = is_used.get_mut(part.material) {
                *used = true;
            }
        }
        let used = |material: usize| is_used.get(material).copied().unwrap_or(false);
        let still = self.scene.materials.iter().enumerate().filter(|(i, _)| used(*i));
        let still = still.flat_map(|(_, material)| [&material.texture, &material.glow]);
        let mut images: Vec<usize> = still.flatten().map(|texture| texture.image.index()).collect();
        for track in self.scene.clips.iter().flat_map(|clip| &clip.tracks) {
            if let galvani_scene::Track::Texture(material, curve) = track
                && used(material.index())
            {
                images.extend(curve.values.iter().flatten().map(|image| image.index()));
            }
        }
        images.sort_unstable();
        images.dedup();
        images
    }

    /// How many triangles there are, seen or not.
    pub fn triangle_count(&self) -> usize {
        self.parts.iter().map(|part| part.primitive.indices.len() / 3).sum()
    }

    /// Whether there is nothing to draw, whatever moves.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Everything that is seen of a stance must be seen by the eye.
    pub fn fit(&self, stance: &Stance, fit: &mut Fit) {
        self.points(stance, |point| fit.add(point));
    }

    /// The same from every side: what turns on the spot stays in the picture.
    pub fn fit_turning(&self, stances: &[Stance], fit: &mut Fit) {
        let (mut low, mut high, mut reach) = (f64::INFINITY, f64::NEG_INFINITY, 0.0_f64);
        for stance in stances {
            self.points(stance, |point| {
                if point.is_finite() {
                    (low, high) = (low.min(point.y), high.max(point.y));
                    reach = reach.max(point.x * point.x + point.z * point.z);
                }
            });
        }
        if low > high {
            return;
        }
        // Corners of a wide box around the axis: two circles, in twelve points each that lie just outside them.
        let reach = reach.sqrt() * 1.035_276_180_410_083;
        let (long, short) = (reach * 0.866_025_403_784_438_6, reach * 0.5);
        for (x, z) in [(reach, 0.0), (long, short), (short, long)] {
            for (x, z) in [(x, z), (-z, x), (-x, -z), (z, -x)] {
                fit.add(DVec3::new(x, low, z));
                fit.add(DVec3::new(x, high, z));
            }
        }
    }

    /// The corners of all triangles that are seen, or all nodes where there are none.
    fn points(&self, stance: &Stance, mut each: impl FnMut(DVec3)) {
        let (mut buffer, mut is_any) = (Vec::new(), false);
        for part in self.seen(stance) {
            part.vertices(stance, &DAffine3::IDENTITY, &mut buffer);
            for index in &part.primitive.indices {
                if let Some((at, _)) = buffer.get(*index as usize) {
                    is_any = true;
                    each(at.as_dvec3());
                }
            }
        }
        if !is_any {
            stance.models.iter().for_each(|model| each(model.translation));
        }
    }

    /// The sides of all triangles that are seen, each once for a part.
    pub(crate) fn sides(
        &self,
        stance: &Stance,
        view: &DAffine3,
        into: &mut Vec<(Vec3, Vec3)>,
    ) -> Result<(), Exhausted> {
        let mut vertices = Vec::new();
        for part in self.seen(stance) {
            part.vertices(stance, view, &mut vertices);
            let mut sides = Vec::new();
            for triangle in part.primitive.indices.chunks_exact(3) {
                let [a, b, c] = [triangle[0], triangle[1], triangle[2]];
                for (a, b) in [(a, b), (b, c), (c, a)] {
                    room::push(&mut sides, (a.min(b), a.max(b)))?;
                }
            }
            sides.sort_unstable();
            sides.dedup();
            for (a, b) in sides {
                if let (Some((a, _)), Some((b, _))) = (vertices.get(a as usize), vertices.get(b as usize)) {
                    room::push(into, (*a, *b))?;
                }
            }
        }
        Ok(())
    }

    fn seen<'a>(&'a self, stance: &'a Stance) -> impl Iterator<Item = &'a Part<'s>> {
        self.parts.iter().filter(|part| stance.visible.get(part.node).copied().unwrap_or(false))
    }

    /// A picture. What it takes is charged first.
    pub fn picture(&self, stance: &Stance, shot: &Shot, meter: &Meter) -> Result<Picture, RenderError> {
        let Shot { width, height, .. } = *shot;
        if !(1..=MOST_SIDE).contains(&width) || !(1..=MOST_SIDE).contains(&height) {
            return Err(SIZE.at(Path::root()).saying(format!("{width} × {height} pixels")).into());
        }
        let pixels = u64::from(width) * u64::from(height);
        meter.result(&format!("a picture of {width} × {height} pixels"), pixels * 4)?;
        let smooth = shot.smooth.clamp(1, 4);
        let raster = Raster::new(&shot.eye, width * smooth, height * smooth);
        let mut drawing = Drawing::new(self, stance, shot, raster);
        let vertices: usize = self.seen(stance).map(|part| part.primitive.positions.len()).sum();
        let _held = meter.hold((vertices + self.triangle_count()).saturating_mul(128))?;
        drawing.surfaces()?;
        lines::draw(&mut drawing, self)?;
        let Drawing { canvas, report, .. } = drawing;
        let marks = shot.marks;
        if canvas.faces.is_empty() && self.is_empty() && !(marks.skeleton || marks.names) {
            return Err(NOTHING.at(Path::root()).into());
        }
        let background = match shot.background {
            Background::Transparent => [0; 4],
            Background::Plain([r, g, b]) => [r, g, b, u8::MAX],
        };
        let mut rgba = room::filled([0; 4], pixels as usize)?;
        draw_bands(&canvas, background, (width, smooth), &mut rgba)?;
        let mut image = Image { width, height, rgba };
        if marks.names {
            lines::names(self.scene, stance, (&raster, shot), &mut image);
        }
        Ok(Picture { image, report })
    }
}

/// Draws all bands, each by itself.
fn draw_bands(
    canvas: &Canvas<'_>,
    background: [u8; 4],
    (width, smooth): (u32, u32),
    rgba: &mut [[u8; 4]],
) -> Result<(), Exhausted> {
    let size = (width * BAND) as usize;
    let draw = |(i, pixels): (usize, &mut [[u8; 4]])| {
        draw_band(canvas, background, (width, i as u32 * BAND, smooth), pixels)
    };
    #[cfg(feature = "parallel")]
    if rgba.len() >= PARALLEL_FROM {
        use rayon::prelude::*;
        return rgba.par_chunks_mut(size).enumerate().try_for_each(draw);
    }
    rgba.chunks_mut(size).enumerate().try_for_each(draw)
}

/// Pictures of so many pixels or more are drawn by all cores; smaller ones come in many.
#[cfg(feature = "parallel")]
const PARALLEL_FROM: usize = 512 * 512;

/// What nodes show, in order.
fn parts<'s>(scene: &'s Scene, wear: &Wear) -> Result<Vec<Part<'s>>, Exhausted> {
    let variant =
        scene.variants.iter().find(|variant| (variant.state, variant.level) == (wear.state, wear.level));
    let shows = variant.map_or(&[][..], |variant| &variant.shows);
    let look = wear.look.and_then(|look| look.find_in(&scene.looks));
    let swaps = look.map_or(&[][..], |look| &look.swaps);
    let plain = scene.materials.len();
    let mut parts = Vec::new();
    for (node, own) in scene.nodes.iter().enumerate() {
        let instead = shows.iter().find(|(other, _)| other.index() == node).map(|(_, mesh)| *mesh);
        let Some(mesh) = instead.unwrap_or(own.mesh).and_then(|mesh| mesh.find_in(&scene.meshes)) else {
            continue;
        };
        for primitive in mesh.primitives.iter().filter(|it| it.indices.len() >= 3) {
            let material = primitive.material.map(|material| {
                swaps.iter().find(|(of, _)| *of == material).map_or(material, |(_, with)| *with).index()
            });
            let material = material.unwrap_or(plain).min(plain);
            let bones = own.skin.and_then(|skin| skin.find_in(&scene.skins));
            let bones = bones.filter(|_| primitive.influences.len() == primitive.positions.len());
            room::push(&mut parts, Part { node, bones, primitive, material })?;
        }
    }
    Ok(parts)
}

impl Part<'_> {
    /// Where its vertices are, and their normals, after what is seen from.
    fn vertices(&self, stance: &Stance, view: &DAffine3, into: &mut Vec<(Vec3, Vec3)>) {
        into.clear();
        let normals = self.primitive.normals.iter().copied().chain(std::iter::repeat(Vec3::ZERO));
        let all = self.primitive.positions.iter().zip(normals);
        let Some(bones) = self.bones else {
            let place = Place::new(&(*view * stance.models[self.node]));
            into.extend(all.map(|(at, normal)| (place.point(*at), place.normal(normal))));
            return;
        };
        let model = |joint: &galvani_scene::Joint| {
            let bind = joint.inverse_bind;
            let axes = [bind.matrix3.x_axis, bind.matrix3.y_axis, bind.matrix3.z_axis];
            let [x, y, z] = axes.map(|axis| Vec3::from(axis).as_dvec3());
            let bind = DAffine3::from_cols(x, y, z, Vec3::from(bind.translation).as_dvec3());
            let model = stance.models.get(joint.node.index()).copied().unwrap_or(DAffine3::IDENTITY);
            Place::new(&(*view * model * bind))
        };
        let palette: Vec<Place> = bones.joints.iter().map(model).collect();
        into.extend(all.zip(self.primitive.influences.iter()).map(|((at, normal), pulls)| {
            let mut sum = Place::NOTHING;
            for pull in pulls {
                let Some(place) = palette.get(pull.joint) else { continue };
                sum.axes = std::array::from_fn(|i| sum.axes[i] + place.axes[i] * pull.weight);
                sum.origin += place.origin * pull.weight;
            }
            // Upright on the surface, however its joints stretch it; where they leave nothing of it, as it was.
            let [x, y, z] = sum.axes;
            sum.upright = [y.cross(z), z.cross(x), x.cross(y)];
            let side = if x.dot(sum.upright[0]) < 0.0 { -1.0 } else { 1.0 };
            (sum.point(*at), (sum.normal(normal) * side).normalize_or(normal))
        }));
    }

    /// Whether its node turns it inside out.
    fn is_mirrored(&self, stance: &Stance) -> bool {
        self.bones.is_none() && stance.models[self.node].matrix3.determinant() < 0.0
    }
}

/// A matrix for many points, and one for their normals: the inverse of its transpose, but for the length.
struct Place {
    axes: [Vec3; 3],
    origin: Vec3,
    upright: [Vec3; 3],
}

impl Place {
    const NOTHING: Place = Place { axes: [Vec3::ZERO; 3], origin: Vec3::ZERO, upright: [Vec3::ZERO; 3] };

    fn new(matrix: &DAffine3) -> Self {
        let [x, y, z] = [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis];
        let sides = [y.cross(z), z.cross(x), x.cross(y)];
        let volume = x.dot(sides[0]);
        // Mirrored, they point inwards. Of length 1 or so they count alike where several joints pull.
        let size = sides.iter().fold(0.0_f64, |most, side| most.max(side.length()));
        let by = if size > 0.0 { volume.signum() / size } else { 0.0 };
        Place {
            axes: [x.as_vec3(), y.as_vec3(), z.as_vec3()],
            origin: matrix.translation.as_vec3(),
            upright: sides.map(|side| (side * by).as_vec3()),
        }
    }

    fn point(&self, at: Vec3) -> Vec3 {
        let [x, y, z] = self.axes;
        x * at.x + y * at.y + z * at.z + self.origin
    }

    fn normal(&self, normal: Vec3) -> Vec3 {
        let [x, y, z] = self.upright;
        x * normal.x + y * normal.y + z * normal.z
    }
}

/// A picture in the making.
pub(crate) struct Drawing<'a, 's> {
    stage: &'a Stage<'s>,
    pub(crate) stance: &'a Stance,
    pub(crate) shot: &'a Shot,
    pub(crate) raster: Raster,
    pub(crate) canvas: Canvas<'a>,
    pub(crate) report: Report,
    /// What is blended, drawn behind everything else from the farthest on.
    blended: Vec<Face>,
    polygon: Vec<Vertex>,
    buffer: Vec<Vertex>,
}

impl<'a, 's> Drawing<'a, 's> {
    fn new(stage: &'a Stage<'s>, stance: &'a Stance, shot: &'a Shot, raster: Raster) -> Self {
        let (canvas, report) = (Canvas::default(), Report::default());
        let (polygon, buffer) = (Vec::new(), Vec::new());
        Drawing { stage, stance, shot, raster, canvas, report, blended: Vec::new(), polygon, buffer }
    }

    /// Lays all triangles on the raster.
    fn surfaces(&mut self) -> Result<(), Exhausted> {
        let (mut vertices, mut lost) = (Vec::new(), 0_u64);
        let stage = self.stage;
        for part in stage.seen(self.stance) {
            part.vertices(self.stance, &self.shot.eye.view(), &mut vertices);
            lost += self.part(part, &vertices)?;
        }
        if lost > 0 {
            let mut found = NOT_FINITE.at(Path::root()).saying(format!("{lost} triangles"));
            found.count = lost;
            self.report.push(found);
        }
        let near = |face: &Face| -> f32 {
            face.corners.iter().map(|corner| self.canvas.corners[*corner as usize].near).sum()
        };
        let mut blended: Vec<(f32, Face)> = self.blended.drain(..).map(|face| (near(&face), face)).collect();
        blended.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        room::extend(&mut self.canvas.faces, blended.into_iter().map(|(_, face)| face))
    }

    /// Lays the triangles of a part on the raster; how many are nowhere.
    fn part(&mut self, part: &Part<'s>, vertices: &[(Vec3, Vec3)]) -> Result<u64, Exhausted> {
        let plain = Material::default();
        let material = self.stage.scene.materials.get(part.material).unwrap_or(&plain);
        let base = self.stance.colors.get(part.material).copied().unwrap_or(Vec4::ONE);
        let image = self.stance.images.get(part.material).copied().flatten();
        let skin = |texture: &Option<Texture>, image: Option<Id<galvani_scene::SceneImage>>| {
            let texture = texture.as_ref()?;
            let paint = self.stage.paints.get(image?.index())?.as_ref()?;
            Some(Skin { paint, wrap: texture.wrap, filter: texture.filter })
        };
        let glow_image = material.glow.as_ref().map(|texture| texture.image);
        let blend = Blend::of(material);
        let cutoff = match material.alpha_mode {
            AlphaMode::Mask(cutoff) => Some(cutoff * 255.0),
            AlphaMode::Opaque | AlphaMode::Blend => None,
        };
        let coat = Coat {
            blend,
            cutoff,
            is_lit: !material.unlit,
            base,
            emissive: material.emissive,
            skin: skin(&material.texture, image),
            glow: skin(&material.glow, glow_image),
            is_on_top: false,
        };
        let number = self.coat(coat)?;
        let primitive = part.primitive;
        let set = material.texture.as_ref().map_or(0, |texture| texture.uv_set);
        let uvs = primitive.uvs.get(set).filter(|uvs| uvs.len() == primitive.positions.len());
        let matrix = self.stance.uvs.get(part.material);
        let colors = Some(&primitive.colors).filter(|colors| colors.len() == primitive.positions.len());
        let uv = |i: usize| match (uvs, matrix) {
            (Some(uvs), Some(matrix)) => matrix.apply(uvs[i]),
            _ => Vec2::ZERO,
        };
        let vertex = |i: usize| {
            let (at, normal) = vertices[i];
            Vertex { at, normal, uv: uv(i), color: colors.map_or(Vec4::ONE, |colors| colors[i]) }
        };
        let is_smooth = primitive.normals.len() == primitive.positions.len();
        let surface = Surface {
            coat: number,
            is_colored: colors.is_some(),
            is_two_sided: material.two_sided,
            is_mirrored: part.is_mirrored(self.stance),
            is_blended: blend != Blend::Cover,
        };
        // Smooth vertices are laid on the raster once, whichever triangles they belong to.
        let mut laid = Vec::new();
        if is_smooth {
            room::reserve_exact(&mut laid, vertices.len())?;
            for i in 0..vertices.len() {
                let vertex = vertex(i);
                let is_there = vertex.at.is_finite() && self.raster.holds(vertex.at);
                laid.push(if is_there { Some(self.corner(&vertex)?) } else { None });
            }
        }
        let mut lost = 0;
        for triangle in primitive.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|i| triangle[i] as usize);
            if [a, b, c].iter().any(|i| !vertices.get(*i).is_some_and(|(at, _)| at.is_finite())) {
                lost += 1;
                continue;
            }
            if let [Some(Some(a)), Some(Some(b)), Some(Some(c))] = [a, b, c].map(|i| laid.get(i)) {
                self.face([*a, *b, *c], &surface)?;
                continue;
            }
            let mut corners = [a, b, c].map(vertex);
            if !is_smooth {
                let [a, b, c] = corners.map(|corner| corner.at);
                let normal = (b - a).cross(c - a);
                let normal = if surface.is_mirrored { -normal } else { normal };
                for corner in &mut corners {
                    corner.normal = normal;
                }
            }
            self.polygon(&corners, &surface)?;
        }
        Ok(lost)
    }

    /// The number of a coat.
    pub(crate) fn coat(&mut self, coat: Coat<'a>) -> Result<u32, Exhausted> {
        room::push(&mut self.canvas.coats, coat)?;
        Ok(self.canvas.coats.len() as u32 - 1)
    }

    fn corner(&mut self, vertex: &Vertex) -> Result<u32, Exhausted> {
        room::push(&mut self.canvas.corners, self.raster.corner(vertex))?;
        Ok(self.canvas.corners.len() as u32 - 1)
    }

    /// Lays a polygon on the raster, as far as it is before the eye.
    pub(crate) fn polygon(&mut self, corners: &[Vertex], surface: &Surface) -> Result<(), Exhausted> {
        let (mut polygon, mut buffer) = (std::mem::take(&mut self.polygon), std::mem::take(&mut self.buffer));
        polygon.clear();
        polygon.extend_from_slice(corners);
        if !corners.iter().all(|corner| self.raster.holds(corner.at)) {
            self.raster.cut(&mut polygon, &mut buffer);
        }
        if let [first, rest @ ..] = polygon.as_slice()
            && rest.len() >= 2
        {
            let first = self.corner(first)?;
            let mut last = self.corner(&rest[0])?;
            for vertex in &rest[1..] {
                let next = self.corner(vertex)?;
                self.face([first, last, next], surface)?;
                last = next;
            }
        }
        (self.polygon, self.buffer) = (polygon, buffer);
        Ok(())
    }

    /// Adds a triangle if the side of it is seen that is meant to be.
    fn face(&mut self, [a, b, c]: [u32; 3], surface: &Surface) -> Result<(), Exhausted> {
        let area = Raster::area([a, b, c].map(|corner| &self.canvas.corners[corner as usize]));
        if area == 0 {
            return Ok(());
        }
        // Up is down on the raster: what goes round against the clock is seen from its front.
        let is_back = (area > 0) != surface.is_mirrored;
        if is_back && !surface.is_two_sided {
            return Ok(());
        }
        let corners = if area > 0 { [a, b, c] } else { [a, c, b] };
        let face = Face { corners, coat: surface.coat, is_back, is_colored: surface.is_colored };
        let list = if surface.is_blended { &mut self.blended } else { &mut self.canvas.faces };
        room::push(list, face)
    }
}

/// What triangles of one part have in common.
#[allow(clippy::struct_excessive_bools, reason = "each is so or not, whatever the others are")]
pub(crate) struct Surface {
    pub(crate) coat: u32,
    pub(crate) is_colored: bool,
    pub(crate) is_two_sided: bool,
    pub(crate) is_mirrored: bool,
    pub(crate) is_blended: bool,
}
