//! What a model wears: a row of its table for every material, and the libraries that the rows lead to
//! (docs/formats/mat0.md#lower).

use std::collections::{BTreeMap, BTreeSet};

use galvani_core::image::linear;
use galvani_core::{Image, LowerError, Path, Report, room};
use galvani_scene::{AlphaMode, Id, Material, Primitive, Scene};
use glam::Vec3;
use zerocopy::FromZeros;

use super::names::{NameKind, Names};
use super::{LOST_LOOK, MASKED, MATERIALS, ONE_SIDED, refused};
use crate::mat0::wire::Counts;
use crate::mat0::{self, Head, Phase, PhaseKey, Track};
use crate::nres::{self, Name, NewEntry};
use crate::texm::edit::Levels;
use crate::texm::{self, Format, Match};

/// Where the game looks for materials and for their textures.
const MATERIAL_LIBRARY: &str = "Material.lib";
const TEXTURE_LIBRARY: &str = "Textures.lib";

/// Rows that a batch can name: it has a byte for it.
const MOST_ROWS: usize = 256;

/// What the names of textures without a palette of their own end in (docs/formats/texm.md#names).
const ENDING: &str = ".0";

/// Flags of a material's record: it covers; it covers and its picture has no alpha; it blends by alpha.
const PLAIN: u32 = 0;
const SKIN: u32 = 2;
const BLENDED: u32 = 4;

/// The batch flag of what is drawn behind everything that covers.
const TRANSLUCENT: u16 = 0x100;

/// The whole of an ambient alpha, which counts percent.
const WHOLE: u8 = 100;

/// How long the only phase of a material is shown before it is shown again, in milliseconds.
const PERIOD: u16 = 1000;

/// What stands for the colour of something without a material: light grey.
const UNPAINTED: [u8; 3] = [200; 3];

/// The materials of a scene as the game has them.
pub(super) struct Wardrobe {
    /// In the order of the table.
    rows: Vec<Row>,
    /// Where each material of the scene is; what has none goes by nothing.
    places: BTreeMap<Option<usize>, u16>,
    /// Pictures with what becomes of their alpha, and their names.
    textures: BTreeMap<(usize, Alpha), Vec<u8>>,
}

/// A row, and the material that it names.
struct Row {
    name: Vec<u8>,
    flags: u32,
    phase: Phase,
}

/// What becomes of a picture's alpha.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Alpha {
    /// It is dropped.
    Drop,
    /// It stays.
    Keep,
    /// It is all from this value on, and nothing below.
    Cut(u16),
}

impl Wardrobe {
    pub(super) fn new(scene: &Scene, report: &mut Report) -> Result<Self, LowerError> {
        let wanted = wanted(scene)?;
        let (mut rows, mut places) = (Names::new(NameKind::Material), BTreeMap::new());
        let mut pictures = Names::new(NameKind::Texture);
        let mut made = Wardrobe { rows: Vec::new(), places: BTreeMap::new(), textures: BTreeMap::new() };
        for (row, material) in (0_u16..).zip(wanted) {
            places.insert(material, row);
            let known = material.and_then(|material| Some((material, scene.materials.get(material)?)));
            let new = if let Some((i, material)) = known {
                let path = Path::named("materials").index(i);
                tell(material, path, report);
                let name = rows.take(&material.name, &format!("material_{i}"), path.field("name"), report);
                made.row(scene, material, name, &mut pictures, report)
            } else {
                let name = rows.take("unpainted", "unpainted", Path::named("materials"), report);
                Row { name, flags: PLAIN, phase: Phase { diffuse: UNPAINTED, ..phase() } }
            };
            room::push(&mut made.rows, new)?;
        }
        let one_sided = scene.materials.iter().filter(|material| !material.two_sided).count();
        if one_sided > 0 {
            report.push(ONE_SIDED.at(Path::named("materials")).saying(format!("{one_sided} materials")));
        }
        Ok(Wardrobe { places, ..made })
    }

    /// The row of a material, and the flags of its batches.
    pub(super) fn batch(&self, material: Option<Id<Material>>) -> (u16, u16) {
        let row = self.places.get(&material.map(Id::index)).copied().unwrap_or_default();
        let is_blended = self.rows.get(usize::from(row)).is_some_and(|row| row.flags == BLENDED);
        (row, if is_blended { TRANSLUCENT } else { 0 })
    }

    fn row(
        &mut self,
        scene: &Scene,
        material: &Material,
        name: Vec<u8>,
        pictures: &mut Names,
        report: &mut Report,
    ) -> Row {
        let cover = material.base_color.w;
        let (alpha, share) = match material.alpha_mode {
            AlphaMode::Opaque => (Alpha::Drop, 1.0),
            AlphaMode::Blend => (Alpha::Keep, cover),
            AlphaMode::Mask(cutoff) if material.texture.is_none() => {
                (Alpha::Drop, if cover < cutoff { 0.0 } else { 1.0 })
            }
            AlphaMode::Mask(cutoff) => (Alpha::Cut(least(cover, cutoff)), 1.0),
        };
        let mut phase = Phase { ambient_alpha: percent(share), ..phase() };
        let base = material.base_color.truncate();
        phase.diffuse = shown(base);
        phase.ambient = shown(if material.unlit { base.max(material.emissive) } else { material.emissive });
        if let Some(texture) = &material.texture {
            let named = self.texture(scene, texture.image.index(), alpha, pictures, report);
            phase.texture.0.iter_mut().zip(named).for_each(|(room, letter)| *room = *letter);
        }
        let flags = match (material.alpha_mode, &material.texture) {
            (AlphaMode::Opaque, Some(_)) => SKIN,
            (AlphaMode::Opaque, None) => PLAIN,
            (AlphaMode::Blend | AlphaMode::Mask(_), _) => BLENDED,
        };
        Row { name, flags, phase }
    }

    /// The name of a picture's texture.
    fn texture(
        &mut self,
        scene: &Scene,
        image: usize,
        alpha: Alpha,
        pictures: &mut Names,
        report: &mut Report,
    ) -> &[u8] {
        self.textures.entry((image, alpha)).or_insert_with(|| {
            let called = scene.images.get(image).map_or("", |image| image.name.as_str());
            let stem = called.rsplit_once('.').map_or(called, |(stem, _)| stem);
            let path = Path::named("images").index(image).field("name");
            let name = pictures.take(stem, &format!("image_{image}"), path, report);
            [name.as_slice(), ENDING.as_bytes()].concat()
        })
    }

    /// The table beside the model (docs/formats/wear.md#text).
    pub(super) fn table(&self) -> Vec<u8> {
        let mut text = format!("{}\n", self.rows.len()).into_bytes();
        for (i, row) in self.rows.iter().enumerate() {
            text.extend(format!("{i} ").into_bytes());
            text.extend(&row.name);
            text.push(b'\n');
        }
        text
    }

    /// The library of materials, and that of textures if there are some.
    pub(super) fn libraries(&self, scene: &Scene) -> Result<Vec<(String, Vec<u8>)>, LowerError> {
        let mut materials = nres::Document::default();
        for row in &self.rows {
            add(&mut materials, &row.name, mat0::TYPE, [row.flags, mat0::VERSION, 0], material(row.phase)?)?;
        }
        let mut made = vec![(MATERIAL_LIBRARY.to_owned(), nres::write(&materials)?)];
        let mut textures = nres::Document::default();
        for (&(image, alpha), name) in &self.textures {
            let Some(image) = scene.images.get(image) else { continue };
            add(&mut textures, name, texm::MAGIC, [0, 0, 1], texture(&image.pixels, alpha)?)?;
        }
        if !textures.entries.is_empty() {
            made.push((TEXTURE_LIBRARY.to_owned(), nres::write(&textures)?));
        }
        Ok(made)
    }
}

/// The materials that get rows: all, or those that are shown if all are too many; and nothing, if something has none or
/// the table would be empty.
fn wanted(scene: &Scene) -> Result<Vec<Option<usize>>, LowerError> {
    let primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let material = |primitive: &Primitive| primitive.material.map(Id::index);
    let used: BTreeSet<Option<usize>> = primitives.map(material).collect();
    let count = scene.materials.len();
    let all = count.saturating_add(usize::from(used.contains(&None))) <= MOST_ROWS;
    let rows = (0..count).filter(|i| all || used.contains(&Some(*i))).map(Some);
    let unpainted = (count == 0 || used.contains(&None)).then_some(None);
    let rows: Vec<Option<usize>> = room::collected(rows.chain(unpainted))?;
    if rows.len() > MOST_ROWS {
        let said = format!("{} materials, at most {MOST_ROWS} fit", rows.len());
        return Err(MATERIALS.at(Path::named("materials")).saying(said).into());
    }
    Ok(rows)
}

/// Says what a material of the game cannot say.
fn tell(material: &Material, path: Path, report: &mut Report) {
    let glows = material.emissive != Vec3::ZERO;
    let image = |texture: &Option<galvani_scene::Texture>| texture.as_ref().map(|texture| texture.image);
    let other_glow = glows && image(&material.glow) != image(&material.texture);
    let lost: Vec<&str> = [
        (material.normal.is_some(), "a picture of directions"),
        (material.orm.is_some(), "a picture of roughness and metal"),
        (other_glow, "a glow that is not of the same picture"),
        (material.unlit, "that lamps do nothing to it: it shines by itself"),
    ]
    .into_iter()
    .filter_map(|(is_lost, what)| is_lost.then_some(what))
    .collect();
    if !lost.is_empty() {
        report.push(LOST_LOOK.at(path).saying(format!("`{}`: {}", material.name, lost.join(", "))));
    }
    if let AlphaMode::Mask(cutoff) = material.alpha_mode {
        report.push(MASKED.at(path).saying(format!("`{}`: seen from {cutoff} on", material.name)));
    }
}

/// The least alpha of a picture that is seen; one more than there is if none is.
fn least(cover: f32, cutoff: f32) -> u16 {
    let is_seen = |alpha: &u16| f32::from(*alpha) / 255.0 * cover >= cutoff;
    (0..=255).find(is_seen).unwrap_or(256)
}

/// A colour of light as a screen shows it.
fn shown(light: Vec3) -> [u8; 3] {
    light.to_array().map(|part| nearest(u8::MAX, linear, part))
}

fn percent(share: f32) -> u8 {
    nearest(WHOLE, |percent| f32::from(percent) / f32::from(WHOLE), share)
}

/// The number up to another whose value is nearest.
fn nearest(most: u8, value: impl Fn(u8) -> f32, wanted: f32) -> u8 {
    let distance = |number: &u8| (value(*number) - wanted).abs();
    (0..=most).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(most)
}

/// A phase without colours or a texture.
fn phase() -> Phase {
    let alpha = u8::MAX;
    let (diffuse_alpha, specular_alpha, emissive_alpha) = (alpha, alpha, alpha);
    let (ambient_alpha, cell) = (WHOLE, -1);
    Phase { ambient_alpha, diffuse_alpha, specular_alpha, emissive_alpha, cell, ..Phase::new_zeroed() }
}

/// A material of one phase, which a track shows for ever.
fn material(phase: Phase) -> Result<Vec<u8>, LowerError> {
    let key = PhaseKey { phase: 0.into(), time: PERIOD.into(), unknown_04: 0.into() };
    let counts = Counts { phase_count: 1.into(), track_count: 1.into() };
    let document = mat0::Document {
        head: Head { counts, ..Head::default() },
        phases: vec![phase],
        tracks: vec![Track { word: 0, keys: vec![key] }],
        ..mat0::Document::default()
    };
    Ok(mat0::write(&document)?)
}

/// A texture with all its levels, with alpha only if a pixel has some.
fn texture(image: &Image, alpha: Alpha) -> Result<Vec<u8>, LowerError> {
    let pixel = |&[red, green, blue, old]: &[u8; 4]| {
        let new = match alpha {
            Alpha::Drop => u8::MAX,
            Alpha::Keep => old,
            Alpha::Cut(least) if u16::from(old) < least => 0,
            Alpha::Cut(_) => u8::MAX,
        };
        [red, green, blue, new]
    };
    let rgba = room::collected(image.rgba.iter().map(pixel))?;
    let image = Image { width: image.width, height: image.height, rgba };
    let made = texm::Document::from_image(&image, Format::fitting(&image), Levels::Full, Match::Nearest);
    Ok(texm::write(&made.map_err(refused)?)?)
}

fn add(
    library: &mut nres::Document,
    name: &[u8],
    tag: [u8; 4],
    [attr1, attr2, attr3]: [u32; 3],
    bytes: Vec<u8>,
) -> Result<(), LowerError> {
    let entry = NewEntry {
        type_id: u32::from_le_bytes(tag),
        attr1,
        attr2,
        attr3,
        name: Name::new(name).map_err(refused)?,
    };
    library.push(entry, bytes).map_err(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_shares_come_back() {
        for channel in 0..=u8::MAX {
            assert_eq!(shown(Vec3::splat(linear(channel))), [channel; 3]);
        }
        assert_eq!((percent(0.333), percent(1.0), percent(0.0)), (33, 100, 0));
    }

    #[test]
    fn what_is_cut_off_is_what_is_below_the_cutoff() {
        assert_eq!((least(1.0, 0.5), least(1.0, 0.0), least(0.5, 0.6)), (128, 0, 256));
    }
}
