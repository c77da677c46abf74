//! Layers as materials (docs/formats/mdx.md#scene-materials).

use std::collections::{BTreeMap, BTreeSet};

use galvani_core::image::Additive;
use galvani_core::{Image, LiftError, Path, Report, room, text};
use galvani_scene::{
    AlphaMode, Extras, Fact, Filter, Id, MOST_UV_SETS, Material, Texture, UvTransform, Wrap,
};
use glam::Vec3;

use super::facts::{linear_color, whole};
use super::hd::Slots;
use super::surface::{Drawn, Tint};
use super::team::Team;
use super::{
    LOST_BLENDING, LOST_FILTER, LOST_LAYERS, LOST_MATERIAL, LOST_TEXTURE, Layers, Lift, origin, paint,
};
use crate::Family;
use crate::model::{self, Layer};

/// Bits of layers.
const UNSHADED: u32 = 0x01;
const TWO_SIDED: u32 = 0x10;
const UNLIT: u32 = 0x100;

/// The bit of materials by which both sides are seen.
const BOTH_SIDES: u32 = 2;

/// What is not as opaque as this is not seen where alpha is a key.
pub(super) const CUTOFF: f32 = 0.75;

/// The colour of surfaces whose picture is lost.
const PLAIN: f32 = 0.6;

/// The words for filter modes.
const FILTERS: [&str; 7] =
    ["none", "transparent", "blend", "additive", "add alpha", "modulate", "modulate 2x"];

/// What is done to a picture before it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Treatment {
    /// Nothing.
    Plain,
    /// Its brightness becomes its alpha.
    Added,
    /// Its darkness becomes its alpha.
    Multiplied,
    /// It covers the team's colour, so much of it as this.
    OverTeam(u8),
    /// It has the team's colour where the alpha of this texture says so.
    Masked(usize),
    /// It holds directions.
    Directions,
}

/// What a texture shows.
enum Shows<'a> {
    Picture(&'a Image),
    TeamColor,
    TeamGlow,
    /// Nothing that was found.
    Lost,
}

/// What makes a material: which, the tint at rest and whose it is if it changes.
type LookKey = (usize, [u32; 4], Option<Path>);

/// A material by its number, how it is tinted, and what it became.
pub(super) type Made = (usize, Tint, Vec<Drawn>);

/// Materials of one model, each made once.
#[derive(Default)]
pub(super) struct Looks {
    made: BTreeMap<LookKey, (Tint, Vec<Drawn>)>,
    images: BTreeMap<(usize, Treatment, Team), Option<Id<galvani_scene::SceneImage>>>,
    /// Textures that were missed, and what is to be said of each.
    missed: BTreeMap<usize, String>,
    /// Materials that were told of.
    told: BTreeSet<usize>,
    /// Layers of materials that are said where they lie.
    stated: BTreeSet<(usize, usize)>,
}

impl Looks {
    /// The materials of a geoset; none if it has none.
    pub(super) fn drawn(
        &mut self,
        lift: &mut Lift<'_>,
        index: u32,
        tint: Tint,
        path: Path,
    ) -> Result<Vec<Drawn>, LiftError> {
        let number = usize::try_from(index).unwrap_or(usize::MAX);
        let [red, green, blue] = tint.color.to_array().map(f32::to_bits);
        let whose = tint.path.filter(|_| tint.is_animated);
        let key = (number, [red, green, blue, tint.alpha.to_bits()], whose);
        if let Some((_, made)) = self.made.get(&key) {
            return Ok(made.clone());
        }
        let found = lift.materials.get(number).copied().flatten();
        let Some(material) = found.filter(|it| layers(it).next().is_some()) else {
            let said = format!("material {index} of {}", lift.materials.len());
            lift.report.push(LOST_MATERIAL.at(path.field("material_id")).saying(said));
            return Ok(Vec::new());
        };
        let mut maker = Maker { lift, looks: self, number, material, tint, team: Team::Own };
        let drawn = maker.make()?;
        self.made.insert(key, (tint, drawn.clone()));
        Ok(drawn)
    }

    /// What was made so far.
    pub(super) fn made(&self) -> Vec<Made> {
        self.made.iter().map(|((number, ..), (tint, drawn))| (*number, *tint, drawn.clone())).collect()
    }

    /// What stands in for materials where the team is another: those that do not show it need nothing.
    pub(super) fn of_team(
        &mut self,
        lift: &mut Lift<'_>,
        (number, tint, drawn): &Made,
        team: Team,
    ) -> Result<Vec<(Id<Material>, Drawn)>, LiftError> {
        let found = lift.materials.get(*number).copied().flatten();
        let Some(material) = found else { return Ok(Vec::new()) };
        let mut maker = Maker { lift, looks: self, number: *number, material, tint: *tint, team };
        maker.stand_ins(drawn)
    }

    /// The picture of a texture after a treatment; nothing if it is lost.
    pub(super) fn image(
        &mut self,
        lift: &mut Lift<'_>,
        texture: usize,
        treatment: Treatment,
        team: Team,
    ) -> Result<Option<Id<galvani_scene::SceneImage>>, LiftError> {
        let team = if shows_team(lift, texture, treatment) { team } else { Team::Own };
        if let Some(known) = self.images.get(&(texture, treatment, team)) {
            return Ok(*known);
        }
        let id = match pixels(lift, texture, treatment, team)? {
            Some(pixels) => {
                lift.spent.pixels(pixels.width, pixels.height)?;
                let own = self.images.get(&(texture, treatment, Team::Own)).copied().flatten();
                let own = own.filter(|own| is_of(*own, &pixels, lift));
                Some(own.unwrap_or_else(|| add_image(lift, team.named(name(lift, texture)), pixels)))
            }
            None => None,
        };
        self.images.insert((texture, treatment, team), id);
        Ok(id)
    }

    /// Remembers that a texture is missed, if it is.
    pub(super) fn miss(&mut self, lift: &Lift<'_>, texture: usize) {
        let is_missed = matches!(shows(lift, texture), Shows::Lost);
        if !is_missed || self.missed.contains_key(&texture) {
            return;
        }
        let count = lift.textures.len();
        let said = match lift.pictures.get(texture).filter(|_| texture < count) {
            Some(picture) if !picture.looked.is_empty() => {
                format!("`{}` is none of {}", name(lift, texture), picture.looked.join(", "))
            }
            _ if texture < count => format!("`{}` is the game's to choose", name(lift, texture)),
            _ => format!("texture {texture} of {count}"),
        };
        self.missed.insert(texture, said);
    }

    /// Says which textures are missed, all at once: findings of one kind would hide each other's places.
    pub(super) fn tell(self, report: &mut Report) {
        let Some(&first) = self.missed.keys().next() else { return };
        let count = self.missed.len();
        let said: Vec<String> = self.missed.into_values().collect();
        let mut finding = LOST_TEXTURE.at(Path::named("TEXS").index(first)).saying(said.join("; "));
        finding.count = u64::try_from(count).unwrap_or(u64::MAX);
        report.push(finding);
    }
}

/// The layers of a material that could be read, each with its place.
fn layers(material: &model::Material) -> impl Iterator<Item = (usize, &Layer)> {
    material.layers.iter().enumerate().filter_map(|(i, layer)| Some((i, layer.typed()?)))
}

/// The texture that a layer shows at rest, and where its tracks stand.
fn texture_of(layer: &Layer, path: Path) -> (Option<usize>, Path) {
    let slots = layer.textures.iter().flat_map(|textures| textures.list.iter().enumerate());
    let found = slots.into_iter().find(|(_, texture)| texture.fixed.slot.get() == 0);
    match found {
        Some((i, texture)) => {
            (usize::try_from(texture.fixed.texture_id.get()).ok(), path.field("textures").index(i))
        }
        None => (usize::try_from(layer.fixed.texture_id.get()).ok(), path),
    }
}

fn shows<'a>(lift: &Lift<'a>, texture: usize) -> Shows<'a> {
    let Some(row) = lift.textures.get(texture) else { return Shows::Lost };
    match (lift.document.family(), row.replaceable_id.get()) {
        (Family::Warcraft, 1) => Shows::TeamColor,
        (Family::Warcraft, 2) => Shows::TeamGlow,
        _ => {
            let picture = lift.pictures.get(texture).and_then(|picture| picture.image.as_ref());
            picture.filter(|image| !image.rgba.is_empty()).map_or(Shows::Lost, Shows::Picture)
        }
    }
}

/// Whether a picture is another one for each team.
fn shows_team(lift: &Lift<'_>, texture: usize, treatment: Treatment) -> bool {
    let is_teams = matches!(shows(lift, texture), Shows::TeamColor | Shows::TeamGlow);
    is_teams
        || match treatment {
            Treatment::OverTeam(_) => true,
            Treatment::Masked(mask) => matches!(shows(lift, mask), Shows::Picture(_)),
            _ => false,
        }
}

/// The pictures that a material shows.
fn pictures(material: &Material) -> [Option<Id<galvani_scene::SceneImage>>; 4] {
    let Material { texture, normal, orm, glow, .. } = material;
    [texture, normal, orm, glow].map(|texture| texture.as_ref().map(|texture| texture.image))
}

/// Whether an image of the scene has just these pixels.
fn is_of(id: Id<galvani_scene::SceneImage>, pixels: &Image, lift: &Lift<'_>) -> bool {
    id.find_in(&lift.scene.images).is_some_and(|image| image.pixels == *pixels)
}

fn add_image(lift: &mut Lift<'_>, name: String, pixels: Image) -> Id<galvani_scene::SceneImage> {
    let id = Id::new(lift.scene.images.len());
    lift.scene.images.push(galvani_scene::SceneImage { name, pixels });
    id
}

fn pixels(
    lift: &Lift<'_>,
    texture: usize,
    treatment: Treatment,
    team: Team,
) -> Result<Option<Image>, LiftError> {
    let color = team.color(lift.options);
    let (plain, glow);
    let image = match shows(lift, texture) {
        Shows::Picture(image) => image,
        Shows::TeamGlow => {
            glow = paint::glow(color);
            &glow
        }
        Shows::TeamColor => {
            let [r, g, b] = color;
            plain = Image { width: 1, height: 1, rgba: vec![[r, g, b, u8::MAX]] };
            &plain
        }
        Shows::Lost => return Ok(None),
    };
    Ok(Some(match treatment {
        Treatment::Plain => {
            Image { width: image.width, height: image.height, rgba: room::copied(&image.rgba)? }
        }
        Treatment::Added => paint::added(image)?,
        Treatment::Multiplied => paint::multiplied(image)?,
        Treatment::OverTeam(alpha) => paint::over(image, color, alpha)?,
        Treatment::Directions => paint::directions(image)?,
        Treatment::Masked(mask) => match shows(lift, mask) {
            Shows::Picture(mask) => paint::masked(image, mask, color)?,
            _ => Image { width: image.width, height: image.height, rgba: room::copied(&image.rgba)? },
        },
    }))
}

/// What a texture is called: its file without folders and extension, or what the game puts there.
fn name(lift: &Lift<'_>, texture: usize) -> String {
    let Some(row) = lift.textures.get(texture) else { return format!("texture {texture}") };
    let path = text::shown(&row.path.0);
    let file = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    match (row.replaceable_id.get(), stem) {
        (0, "") => format!("texture {texture}"),
        (0, stem) => stem.to_owned(),
        (id, _) => format!("replaceable {id}"),
    }
}

/// A material in the making.
struct Maker<'l, 'm> {
    lift: &'l mut Lift<'m>,
    looks: &'l mut Looks,
    number: usize,
    material: &'m model::Material,
    tint: Tint,
    team: Team,
}

/// Which layer is shown, and how.
#[derive(Clone, Copy)]
struct Choice<'m> {
    index: usize,
    layer: &'m Layer,
    is_over_team: bool,
}

impl<'m> Maker<'_, 'm> {
    fn path(&self) -> Path {
        Path::named("MTLS").index(self.number)
    }

    fn make(&mut self) -> Result<Vec<Drawn>, LiftError> {
        let all: Vec<(usize, &Layer)> = layers(self.material).collect();
        let slots = Slots::from_material(self.material);
        let chosen = self.chosen(&all, slots);
        for (_, layer) in &all {
            if let (Some(texture), _) = texture_of(layer, Path::root()) {
                self.looks.miss(self.lift, texture);
            }
        }
        if self.looks.told.insert(self.number) {
            self.tell(&all, &chosen, slots.is_some());
        }
        chosen.iter().map(|choice| self.drawn(*choice, slots).map(|made| self.add(made))).collect()
    }

    /// What stands in for materials that were made for the own team, where it differs.
    fn stand_ins(&mut self, own: &[Drawn]) -> Result<Vec<(Id<Material>, Drawn)>, LiftError> {
        let all: Vec<(usize, &Layer)> = layers(self.material).collect();
        let slots = Slots::from_material(self.material);
        let mut others = Vec::new();
        for (choice, own) in self.chosen(&all, slots).into_iter().zip(own) {
            let (mut material, drawn) = self.drawn(choice, slots)?;
            let shown = own.material.find_in(&self.lift.scene.materials).map(pictures);
            if own.color != drawn.color || shown != Some(pictures(&material)) {
                material.name = self.team.named(material.name);
                others.push((own.material, self.add((material, drawn))));
            }
        }
        Ok(others)
    }

    fn add(&mut self, (material, drawn): (Material, Drawn)) -> Drawn {
        self.lift.scene.materials.push(material);
        if drawn.team == Team::Own && self.looks.stated.insert((self.number, drawn.layer)) {
            origin::of_layer(self.lift, self.number, &drawn);
        }
        drawn
    }

    /// The layers that are shown.
    fn chosen(&self, all: &[(usize, &'m Layer)], slots: Option<Slots>) -> Vec<Choice<'m>> {
        let plain = |&(index, layer): &(usize, &'m Layer)| Choice { index, layer, is_over_team: false };
        match (slots, self.lift.options.layers) {
            (Some(_), _) => all.first().map(plain).into_iter().collect(),
            (None, Layers::Stack) => all.iter().map(plain).collect(),
            (None, Layers::Merge) => self.merged(all).into_iter().collect(),
        }
    }

    /// The layer that shows most: a picture over the team's colour, else the first that covers what is behind it, else the
    /// first that is blended, else the first; those whose picture is lost only where all are.
    fn merged(&self, all: &[(usize, &'m Layer)]) -> Option<Choice<'m>> {
        let texture = |layer: &Layer| texture_of(layer, Path::root()).0;
        let shows = |layer: &Layer| texture(layer).map_or(Shows::Lost, |texture| shows(self.lift, texture));
        let (_, first) = all.first()?;
        let filter = |layer: &Layer| layer.fixed.filter_mode.get();
        if matches!(shows(first), Shows::TeamColor)
            && let Some(&(index, layer)) = all.iter().skip(1).find(|(_, layer)| filter(layer) == 2)
        {
            return Some(Choice { index, layer, is_over_team: true });
        }
        let there: Vec<_> =
            all.iter().copied().filter(|(_, layer)| !matches!(shows(layer), Shows::Lost)).collect();
        let among = if there.is_empty() { all } else { &there };
        let solid = among.iter().find(|(_, layer)| filter(layer) <= 1);
        let blended = || among.iter().find(|(_, layer)| filter(layer) == 2);
        let &(index, layer) = solid.or_else(blended).or_else(|| among.first())?;
        Some(Choice { index, layer, is_over_team: false })
    }

    /// Says what the materials do not show.
    fn tell(&mut self, all: &[(usize, &Layer)], chosen: &[Choice<'_>], is_hd: bool) {
        let path = self.path();
        let shown = chosen
            .iter()
            .map(|choice| if choice.is_over_team { 2_usize } else { 1 })
            .fold(0, usize::saturating_add);
        if shown < all.len() && !is_hd {
            let said = format!("{shown} of {} layers are shown", all.len());
            self.lift.report.push(LOST_LAYERS.at(path).saying(said));
        }
        for choice in chosen {
            let path = path.field("LAYS").index(choice.index);
            let filter = choice.layer.fixed.filter_mode.get();
            match filter_word(filter) {
                None => self.lift.report.push(LOST_FILTER.at(path).saying(format!("filter mode {filter}"))),
                Some(word) if filter >= 3 => self.lift.report.push(LOST_BLENDING.at(path).saying(word)),
                Some(_) => {}
            }
        }
    }

    /// The next material of the scene, which is not there yet, and the layer that it shows.
    fn drawn(&mut self, choice: Choice<'m>, slots: Option<Slots>) -> Result<(Material, Drawn), LiftError> {
        let Choice { index, layer, is_over_team } = choice;
        let path = self.path().field("LAYS").index(index);
        let (texture, picture) = texture_of(layer, path);
        let fixed = &layer.fixed;
        let filter = fixed.filter_mode.get();
        let alpha = if has_track(layer, *b"KMTA") { 1.0 } else { part(fixed.alpha.get()) };
        let bakes = self.lift.options.additive == Additive::Bake;
        let texture = slots.map_or(texture, |slots| slots.color);
        let treatment = match (filter, slots.and_then(|slots| slots.surface)) {
            _ if is_over_team => Treatment::OverTeam(byte(alpha)),
            (_, Some(surface)) => Treatment::Masked(surface),
            (3 | 4, None) if bakes => Treatment::Added,
            (5 | 6, None) if bakes => Treatment::Multiplied,
            _ => Treatment::Plain,
        };
        let shown = texture.map_or(Shows::Lost, |texture| shows(self.lift, texture));
        let is_color = matches!(shown, Shows::TeamColor) && filter == 0;
        let color = match shown {
            Shows::TeamColor if is_color => self.team(),
            Shows::Lost if is_over_team => self.team(),
            Shows::Lost => Vec3::splat(PLAIN),
            _ => Vec3::ONE,
        };
        let base = match texture.filter(|_| !is_color) {
            Some(texture) => self.texture(texture, treatment, layer)?,
            None => None,
        };
        let fades = filter >= 1 && !is_over_team;
        let opacity = if fades { part(self.tint.alpha) * alpha } else { 1.0 };
        let mut material = Material {
            name: format!("material {}", self.number),
            base_color: (self.tint.color * color).extend(opacity),
            texture: base,
            alpha_mode: match filter {
                _ if is_over_team => AlphaMode::Opaque,
                0 => AlphaMode::Opaque,
                1 => AlphaMode::Mask(CUTOFF),
                _ => AlphaMode::Blend,
            },
            two_sided: fixed.flags.get() & TWO_SIDED != 0 || self.is_two_sided(),
            unlit: self.is_unlit(fixed.flags.get()),
            extras: self.extras(choice),
            ..Material::default()
        };
        if let Some(slots) = slots {
            self.add_slots(&mut material, slots, layer)?;
        }
        let (id, team) = (Id::new(self.lift.scene.materials.len()), self.team);
        let animation = usize::try_from(fixed.texture_animation_id.get()).ok();
        let others = slots.map(|slots| [slots.directions, slots.surface, slots.glow]).unwrap_or_default();
        let [directions, surface, glow] = others;
        let drawn = Drawn {
            material: id,
            path,
            layer: index,
            picture,
            treatment,
            team,
            fades,
            alpha,
            color,
            animation,
            textures: [texture, directions, surface, glow],
        };
        Ok((material, drawn))
    }

    /// What Reforged shows beyond colours.
    fn add_slots(&mut self, material: &mut Material, slots: Slots, layer: &Layer) -> Result<(), LiftError> {
        for texture in [slots.directions, slots.surface, slots.glow].into_iter().flatten() {
            self.looks.miss(self.lift, texture);
        }
        let mut texture = |texture: Option<usize>, treatment| match texture {
            Some(texture) => self.texture(texture, treatment, layer),
            None => Ok(None),
        };
        material.normal = texture(slots.directions, Treatment::Directions)?;
        material.orm = texture(slots.surface, Treatment::Plain)?;
        material.glow = texture(slots.glow, Treatment::Plain)?;
        if material.glow.is_some() {
            let gain = layer.emissive.map_or(1.0, |emissive| emissive.emissive_gain.get());
            material.emissive = Vec3::splat(part(gain));
            material.extras.insert("emissive_gain".to_owned(), super::facts::number(gain));
        }
        Ok(())
    }

    fn texture(
        &mut self,
        texture: usize,
        treatment: Treatment,
        layer: &Layer,
    ) -> Result<Option<Texture>, LiftError> {
        let Some(image) = self.looks.image(self.lift, texture, treatment, self.team)? else {
            return Ok(None);
        };
        let flags = self.lift.textures.get(texture).map_or(0, |row| row.flags.get());
        let wrap = |bit: u32| if flags & bit == 0 { Wrap::Clamp } else { Wrap::Repeat };
        let set = usize::try_from(layer.fixed.coord_id.get()).unwrap_or(0);
        let uv_set = Some(set).filter(|set| *set < MOST_UV_SETS).unwrap_or(0);
        let (wrap, transform) = ([wrap(1), wrap(2)], UvTransform::default());
        Ok(Some(Texture { image, uv_set, wrap, filter: Filter::Linear, transform }))
    }

    fn team(&self) -> Vec3 {
        let color = self.team.color(self.lift.options);
        linear_color(Vec3::from_array(color.map(|part| f32::from(part) / 255.0)))
    }

    fn is_two_sided(&self) -> bool {
        // In version 800 nobody saw the bit.
        self.lift.document.version > 800 && self.material.flags.is_some_and(|flags| flags & BOTH_SIDES != 0)
    }

    fn is_unlit(&self, flags: u32) -> bool {
        let unlit = if self.lift.document.family() == Family::Warcraft { UNLIT } else { 0 };
        flags & (UNSHADED | unlit) != 0
    }

    fn extras(&self, choice: Choice<'_>) -> Extras {
        let fixed = &choice.layer.fixed;
        let filter = fixed.filter_mode.get();
        let number = |number: usize| whole(u32::try_from(number).unwrap_or(u32::MAX));
        let facts = [
            ("material", number(self.number)),
            ("layer", number(choice.index)),
            ("layers", number(self.material.layers.len())),
            ("filter", Fact::Text(filter_word(filter).unwrap_or("unknown").to_owned())),
            ("flags", whole(fixed.flags.get())),
            ("priority_plane", Fact::Int(self.material.priority_plane)),
        ];
        facts.map(|(name, fact)| (name.to_owned(), fact)).into()
    }
}

fn filter_word(filter: u32) -> Option<&'static str> {
    usize::try_from(filter).ok().and_then(|filter| FILTERS.get(filter)).copied()
}

/// Whether a layer has such a track, with keys or without.
fn has_track(layer: &Layer, tag: [u8; 4]) -> bool {
    layer.tracks.iter().any(|track| track.tag == tag)
}

/// From 0 to 1.
fn part(number: f32) -> f32 {
    if number.is_nan() { 0.0 } else { number.clamp(0.0, 1.0) }
}

#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a part of 1 as a byte"
)]
fn byte(part: f32) -> u8 {
    (part * 255.0).round() as u8
}
