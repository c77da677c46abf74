//! How the rows of a material table look: WEAR, MAT0 and Texm as materials of a scene
//! (docs/formats/mat0.md#scene).

use std::collections::BTreeMap;

use galvani_core::budget::is_exhaustion;
use galvani_core::image::{Additive, added, linear};
use galvani_core::maths::single;
use galvani_core::{Exhausted, Image, Path, text};
use galvani_scene::{AlphaMode, Extras, Fact, Id, Material, Texture, UvTransform};
use glam::{Vec2, Vec3, Vec4};

use super::{LOST_BLENDING, LOST_LIGHTMAP, LOST_PHASES, LOST_ROW, LOST_TEXTURE, Lift, whole};
use crate::mat0::{self, Blend, Mode, Phase, Track};
use crate::texm::{self, DecodeOptions, Surface};

/// What the batches of a model name, as far as it was found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Attire {
    /// The rows of the material table; none where there is no table.
    pub rows: Vec<MaterialRow>,
    /// The names of lightmaps, by row.
    pub lightmaps: Vec<String>,
    /// Textures by their names in lower case.
    pub textures: BTreeMap<String, texm::Document>,
}

/// A row of the material table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MaterialRow {
    /// What the material is called.
    pub name: String,
    /// The material, if it was found.
    pub coat: Option<Coat>,
}

/// A material, and what its archive says of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Coat {
    /// How it is blended: `attr1` of its record. A file by itself does not say.
    pub flags: Option<u32>,
    /// The material.
    pub material: mat0::Document,
}

impl Coat {
    /// The phase that is shown first, that of the first key of the first track, and its place.
    pub fn first_phase(&self) -> Option<(usize, &Phase)> {
        let Coat { material, .. } = self;
        let first = material.tracks.first().and_then(|track| track.shown(0)).map_or(0, |shown| shown.phase);
        let shown = material.phases.get(first).map(|phase| (first, phase));
        shown.or_else(|| material.phases.first().map(|phase| (0, phase)))
    }

    /// The name of its texture; empty if it has none.
    pub fn texture(&self) -> String {
        self.first_phase().map_or_else(String::new, |(_, phase)| text::shown(&phase.texture.0).into_owned())
    }
}

/// The rows that a batch names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Named {
    pub(super) material: u16,
    pub(super) lightmap: Option<u8>,
}

/// How a material lies over what is behind it, as far as a scene can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Coverage {
    /// It covers it; the alpha of its picture is gloss.
    Cover,
    /// By alpha.
    Alpha,
    /// Its darkness lets through what is behind.
    Add,
    /// Its brightness does.
    Darken,
}

/// The whole of an ambient alpha, which counts percent.
const WHOLE: f32 = 100.0;

/// Materials and pictures, each made once.
#[derive(Default)]
pub(super) struct Looks {
    materials: BTreeMap<Named, Id<Material>>,
    images: BTreeMap<(String, Coverage), Option<Id<galvani_scene::SceneImage>>>,
}

impl Looks {
    /// The material of a batch.
    pub(super) fn material(
        &mut self,
        lift: &mut Lift<'_, '_>,
        named: Named,
        batch: Path,
    ) -> Result<Id<Material>, Exhausted> {
        if let Some(&known) = self.materials.get(&named) {
            return Ok(known);
        }
        let rows = &lift.attire.rows;
        let row = rows.get(usize::from(named.material));
        if row.is_none() && !rows.is_empty() {
            let found = format!("row {} of {}", named.material, rows.len());
            lift.report.push(LOST_ROW.at(batch).saying(found));
        }
        let mut material = plain(named.material);
        if let Some(row) = row {
            material.name.clone_from(&row.name);
            if let Some(coat) = &row.coat {
                self.dress(lift, &mut material, coat, named.material)?;
            }
        }
        lightmapped(lift, &mut material, named);
        let id = Id::new(lift.scene.materials.len());
        lift.scene.materials.push(material);
        self.materials.insert(named, id);
        Ok(id)
    }

    /// Gives a material what its row stands for.
    fn dress(
        &mut self,
        lift: &mut Lift<'_, '_>,
        material: &mut Material,
        coat: &Coat,
        row: u16,
    ) -> Result<(), Exhausted> {
        let path = Path::named("materials").index(row.into());
        let Some((index, phase)) = coat.first_phase() else { return Ok(()) };
        let coverage = coverage(lift, coat, path);
        let texture = self.texture(lift, phase, coverage, path)?;
        let [red, green, blue, cover] = match &texture {
            Some(_) => seen(phase.diffuse, 0xff, Coverage::Cover),
            None => seen(phase.diffuse, 0xff, coverage),
        };
        let alpha = f32::from(phase.ambient_alpha).min(WHOLE) / WHOLE;
        material.base_color = color([red, green, blue]).extend(alpha * f32::from(cover) / 255.0);
        material.emissive = color(phase.ambient);
        material.glow = texture.clone().filter(|_| phase.ambient != [0; 3]);
        material.texture = texture;
        material.alpha_mode =
            if coverage == Coverage::Cover && alpha >= 1.0 { AlphaMode::Opaque } else { AlphaMode::Blend };
        let changes = |track: &Track| track.keys.iter().any(|key| usize::from(key.phase.get()) != index);
        if coat.material.tracks.iter().any(changes) {
            lift.report.push(LOST_PHASES.at(path).saying(material.name.clone()));
        }
        material.extras.extend(facts(coat, phase));
        Ok(())
    }

    /// The picture of a phase; none where it names none, or that was not found.
    fn texture(
        &mut self,
        lift: &mut Lift<'_, '_>,
        phase: &Phase,
        coverage: Coverage,
        path: Path,
    ) -> Result<Option<Texture>, Exhausted> {
        let name = text::shown(&phase.texture.0).into_owned();
        let Some(document) = lift.attire.textures.get(&name.to_lowercase()) else { return Ok(None) };
        let Some(image) = self.image(lift, &name, document, coverage, path)? else { return Ok(None) };
        let transform = cell(document, phase.cell).unwrap_or_else(|| {
            let count = document.page.as_ref().map_or(0, |page| page.rects.len());
            let found = format!("rectangle {} of {count} in `{name}`: the whole is shown", phase.cell);
            lift.report.push(LOST_TEXTURE.at(path).saying(found));
            UvTransform::default()
        });
        Ok(Some(Texture { transform, ..Texture::plain(image) }))
    }

    fn image(
        &mut self,
        lift: &mut Lift<'_, '_>,
        name: &str,
        document: &texm::Document,
        coverage: Coverage,
        path: Path,
    ) -> Result<Option<Id<galvani_scene::SceneImage>>, Exhausted> {
        let key = (name.to_lowercase(), coverage);
        if let Some(known) = self.images.get(&key) {
            return Ok(*known);
        }
        let surface = if coverage == Coverage::Cover { Surface::Opaque } else { Surface::File };
        let made = match texm::decode(document, 0, &DecodeOptions { surface, ..DecodeOptions::default() }) {
            Ok(mut pixels) => {
                repaint(&mut pixels, coverage);
                let id = Id::new(lift.scene.images.len());
                lift.scene.images.push(galvani_scene::SceneImage { name: name.to_owned(), pixels });
                Some(id)
            }
            Err(cause) if is_exhaustion(&cause) => return Err((*cause).into()),
            Err(cause) => {
                lift.report.push(LOST_TEXTURE.at(path).saying(format!("`{name}`: {}", cause.message)));
                None
            }
        };
        self.images.insert(key, made);
        Ok(made)
    }
}

fn coverage(lift: &mut Lift<'_, '_>, coat: &Coat, path: Path) -> Coverage {
    let Some(flags) = coat.flags else {
        lift.report.push(LOST_BLENDING.at(path).saying("the material is in no archive, which would say it"));
        return Coverage::Cover;
    };
    let (coverage, said) = match Blend::from_flags(flags) {
        _ if Blend::drops_alpha(flags) => return Coverage::Cover,
        Some(Blend::Opaque) => return Coverage::Cover,
        Some(Blend::Alpha) => return Coverage::Alpha,
        Some(Blend::Additive) if lift.options.additive == Additive::Plain => (Coverage::Alpha, "added"),
        Some(Blend::Additive) => (Coverage::Add, "added"),
        Some(Blend::Multiply) => (Coverage::Darken, "multiplied"),
        Some(Blend::Double) => (Coverage::Darken, "multiplied and doubled"),
        None => (Coverage::Alpha, "a way that the game has not"),
    };
    lift.report.push(LOST_BLENDING.at(path).saying(said));
    coverage
}

fn repaint(image: &mut Image, coverage: Coverage) {
    if matches!(coverage, Coverage::Add | Coverage::Darken) {
        for pixel in &mut image.rgba {
            let [red, green, blue, alpha] = *pixel;
            *pixel = seen([red, green, blue], alpha, coverage);
        }
    }
}

/// A colour that lies over what is behind it by alpha as nearly as it does in its own way.
fn seen([red, green, blue]: [u8; 3], alpha: u8, coverage: Coverage) -> [u8; 4] {
    match coverage {
        Coverage::Cover | Coverage::Alpha => [red, green, blue, alpha],
        Coverage::Add => added([red, green, blue, alpha]),
        Coverage::Darken => {
            // The parts of each colour in how bright white is, of 256 (Rec. 709).
            let parts = [(red, 54), (green, 183), (blue, 19)];
            let bright: u32 =
                parts.map(|(channel, part)| u32::from(channel).saturating_mul(part)).iter().sum();
            [0, 0, 0, u8::MAX.saturating_sub(u8::try_from(bright / 256).unwrap_or(u8::MAX))]
        }
    }
}

fn color(rgb: [u8; 3]) -> Vec3 {
    Vec3::from_array(rgb.map(linear))
}

/// What a rectangle of a texture does to coordinates; `None` if there is no such rectangle.
fn cell(document: &texm::Document, cell: i8) -> Option<UvTransform> {
    let Ok(cell) = usize::try_from(cell) else { return Some(UvTransform::default()) };
    let rect = document.page.as_ref()?.rects.get(cell)?;
    let part = |side: i16, of: u32| single(f64::from(side) / f64::from(of));
    let (width, height) = (document.header.width.get(), document.header.height.get());
    Some(UvTransform {
        offset: Vec2::new(part(rect.x.get(), width), part(rect.y.get(), height)),
        scale: Vec2::new(part(rect.width.get(), width), part(rect.height.get(), height)),
        ..UvTransform::default()
    })
}

/// What a scene has no place for.
fn facts(coat: &Coat, phase: &Phase) -> Extras {
    let texture = text::shown(&phase.texture.0).into_owned();
    let tracks: Vec<String> = coat.material.tracks.iter().map(track_in_words).collect();
    let facts = [
        ("blend_flags", coat.flags.map(|flags| Fact::Int(whole(flags)))),
        ("texture", (!texture.is_empty()).then_some(Fact::Text(texture))),
        ("cell", (phase.cell >= 0).then_some(Fact::Int(phase.cell.into()))),
        ("specular", Some(Fact::Text(format!("#{}", text::hex(&phase.specular))))),
        ("power", Some(Fact::Int(phase.power.into()))),
        ("tracks", (!tracks.is_empty()).then(|| Fact::Text(tracks.join("; ")))),
    ];
    facts.into_iter().filter_map(|(key, fact)| Some((key.to_owned(), fact?))).collect()
}

/// A track in words: how it goes on, what goes over gradually, and each phase with the time until which it is shown.
fn track_in_words(track: &Track) -> String {
    let mode = match track.mode() {
        Some(Mode::Loop) => "loop",
        Some(Mode::PingPong) => "ping-pong",
        Some(Mode::Once) => "once",
        Some(Mode::Random) => "random",
        None => "unknown",
    };
    let keys: Vec<String> =
        track.keys.iter().map(|key| format!("{} until {} ms", key.phase, key.time)).collect();
    format!("{mode}, fades {:#x}: {}", track.word >> 3, keys.join(", "))
}

/// Says which picture of light belongs to a material.
fn lightmapped(lift: &mut Lift<'_, '_>, material: &mut Material, named: Named) {
    let Some(row) = named.lightmap else { return };
    // Batches of models without lightmaps have any number there.
    let Some(name) = lift.attire.lightmaps.get(usize::from(row)) else { return };
    material.extras.insert("lightmap".to_owned(), Fact::Text(name.clone()));
    let path = Path::named("materials").index(named.material.into());
    lift.report.push(LOST_LIGHTMAP.at(path).saying(format!("`{name}`")));
}

/// A plain colour of its own for every row, whatever its material. The engine draws both sides.
fn plain(row: u16) -> Material {
    /// A golden section of the circle: neighbouring rows are far apart, and no two hues are the same.
    const STEP: f64 = 0.618_033_988_749_895;
    let hue = (f64::from(row) * STEP).fract() * 6.0;
    // How much of a colour whose own hue is there, between dull and bright.
    let part = |at: f64| {
        let away = (hue - at).abs();
        let near = 2.0 - away.min(6.0 - away);
        single(0.15 + 0.55 * near.clamp(0.0, 1.0))
    };
    let base_color = Vec4::new(part(0.0), part(2.0), part(4.0), 1.0);
    let extras = Extras::from([("row".to_owned(), Fact::Int(row.into()))]);
    Material { name: format!("material_{row}"), base_color, two_sided: true, extras, ..Material::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_is_seen_in_its_own_way() {
        assert_eq!(seen([128, 64, 0], 255, Coverage::Add), [255, 128, 0, 128]);
        assert_eq!(seen([255, 255, 255], 9, Coverage::Darken), [0, 0, 0, 0]);
        assert_eq!(seen([0, 0, 0], 9, Coverage::Darken), [0, 0, 0, 255]);
        assert_eq!(seen([1, 2, 3], 4, Coverage::Alpha), [1, 2, 3, 4]);
    }
}
