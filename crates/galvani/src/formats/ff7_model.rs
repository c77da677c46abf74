//! The files of one battle model of Final Fantasy VII, by their names.

use galvani_core::budget::unless_exhausted;
use galvani_core::image::Additive;
use galvani_core::{Exhausted, Image, LiftError, Path, Read, ReadError, ReadOptions, Report};
use galvani_ff7::lift::{self, Battle, Picture};
use galvani_ff7::names::{BattleModelName, File, PARTS, TEXTURES, WEAPONS};
use galvani_ff7::{p, pack, skeleton, tex};
use galvani_scene::Scene;

use super::outline::in_a_line;
use super::resolve::{Fetched, Finder};
use super::setting::settings;
use super::{Cell, Declared, Fact, OpenOptions, OutlineCount, Reference, Role, Settings, Site};
use crate::codes;

/// Whether a file is called as those of a model are that hold such a thing.
pub(super) fn holds(name: Option<&str>, is_it: fn(File) -> bool) -> bool {
    let name = name.and_then(|name| name.rsplit(['/', '\\']).next());
    name.and_then(BattleModelName::from_file_name).is_some_and(|(_, file)| is_it(file))
}

/// What lies beside a file of a model.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Beside {
    /// The skeleton, if it reads.
    pub(super) skeleton: Option<skeleton::Document>,
    /// How many entries the pack has, if it reads.
    pub(super) entries: Option<usize>,
    /// The names of all files of the model that are there.
    pub(super) names: Vec<(File, String)>,
}

/// A document beside another, if it reads.
pub(super) fn readable<D>(found: Result<Read<D>, ReadError>) -> Result<Option<D>, Exhausted> {
    Ok(unless_exhausted(found.map_err(|error| error.cause))?.map(|read| read.document))
}

impl Beside {
    /// Looks for every file of the model that a file belongs to.
    pub(super) fn look(site: &Site<'_>) -> Result<Self, Exhausted> {
        let Some((model, own)) = BattleModelName::from_file_name(site.name) else {
            return Ok(Beside::default());
        };
        let parts = (0..PARTS).map(File::Part).chain((0..TEXTURES).map(File::Texture));
        let all = [File::Skeleton, File::Pack].into_iter().chain(parts).chain((0..WEAPONS).map(File::Weapon));
        let names: Vec<(File, String)> = all
            .filter(|&file| file != own)
            .filter_map(|file| Some((file, model.name(file)?)))
            .filter(|(_, name)| site.links.has(name))
            .collect();
        let bytes = |wanted: File| {
            let (_, name) = names.iter().find(|(file, _)| *file == wanted)?;
            site.links.find(name)
        };
        let options = ReadOptions::default();
        let skeleton = bytes(File::Skeleton).map(|file| readable(skeleton::read(&file, &options)));
        let entries = bytes(File::Pack).map(|file| readable(pack::read(&file, &options)));
        Ok(Beside {
            skeleton: skeleton.transpose()?.flatten(),
            entries: entries.transpose()?.flatten().map(|document| document.entries.len()),
            names,
        })
    }

    /// Whether a file of the model is there.
    pub(super) fn has(&self, wanted: File) -> bool {
        self.names.iter().any(|(file, _)| *file == wanted)
    }

    /// The names, by what the files hold; people are told how many.
    pub(super) fn facts(&self) -> Vec<Fact> {
        let one =
            |wanted: File| self.names.iter().find(|(file, _)| *file == wanted).map(|(_, name)| name.clone());
        let all = |is_it: fn(&File) -> bool| -> Vec<String> {
            self.names.iter().filter(|(file, _)| is_it(file)).map(|(_, name)| name.clone()).collect()
        };
        let (skeleton, pack) = (one(File::Skeleton), one(File::Pack));
        let parts = all(|file| matches!(file, File::Part(_)));
        let textures = all(|file| matches!(file, File::Texture(_)));
        let weapons = all(|file| matches!(file, File::Weapon(_)));
        let counts = in_a_line(&[
            OutlineCount::new("parts", "part", parts.len()),
            OutlineCount::new("textures", "texture", textures.len()),
            OutlineCount::new("weapons", "weapon", weapons.len()),
        ]);
        let told = Cell::List(vec![
            Cell::Parts(vec![Cell::part("skeleton", skeleton.clone()), Cell::part("pack", pack.clone())]),
            counts.into(),
        ]);
        let names = vec![
            Cell::part("skeleton", skeleton),
            Cell::part("pack", pack),
            Cell::part("parts", parts),
            Cell::part("textures", textures),
            Cell::part("weapons", weapons),
        ];
        vec![Fact::machines("model", Cell::Parts(names)), Fact::people("beside it", told)]
    }
}

/// The pictures of the model that a file belongs to, by number; by all of their palettes, or by the first.
pub(super) fn pictures(site: &Site<'_>, palettes: Palettes) -> Result<Vec<Picture>, Exhausted> {
    let Some((model, _)) = BattleModelName::from_file_name(site.name) else { return Ok(Vec::new()) };
    let options = OpenOptions::default();
    let finder = Finder::new(site, &options);
    let numbered = |i: usize| {
        let name = model.name(File::Texture(i))?;
        let named = Reference::new(Path::named("textures").index(i), Role::Texture, name);
        Some(picture(&finder, &named, palettes))
    };
    (0..TEXTURES).filter_map(numbered).collect()
}

/// By which of its palettes a texture is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Palettes {
    First,
    All,
}

impl Palettes {
    /// All of them, if there are to be other looks.
    pub(super) fn for_looks(variants: bool) -> Self {
        if variants { Palettes::All } else { Palettes::First }
    }
}

/// A picture that is named: a texture of the game, or what somebody put in its place.
pub(super) fn picture(
    finder: &Finder<'_>,
    named: &Reference,
    palettes: Palettes,
) -> Result<Picture, Exhausted> {
    let texture = |bytes: &[u8], _: Option<Declared>| {
        let read = tex::is_shaped(bytes).then(|| readable(tex::read(bytes, &ReadOptions::default())));
        read.transpose()?.flatten().map_or(Ok(None), |texture| coloured(&texture, finder, palettes))
    };
    let Fetched { found, looked, .. } = finder.bytes(named, texture)?;
    let name = named.name.clone();
    if let Some(((image, palettes), _)) = found {
        return Ok(Picture { name, image: Some(image), palettes, looked });
    }
    let Fetched { found, looked, .. } = finder.picture(named)?;
    Ok(Picture { name, image: found.map(|(image, _)| image), looked, ..Picture::default() })
}

/// A texture by its first palette, and by those behind it if they are wanted, each of which is charged first.
fn coloured(
    texture: &tex::Document,
    finder: &Finder<'_>,
    palettes: Palettes,
) -> Result<Option<(Image, Vec<Image>)>, Exhausted> {
    let Some(first) = unless_exhausted(tex::decode::decode(texture, 0))? else { return Ok(None) };
    let mut others = Vec::new();
    let is_there = |palette: &usize| palettes == Palettes::All && texture.palette(*palette).is_some();
    for palette in (1..).take_while(is_there).take_while(|_| texture.is_paletted()) {
        finder.charge_look(first.width, first.height)?;
        others.extend(unless_exhausted(tex::decode::decode(texture, palette))?);
    }
    Ok(Some((first, others)))
}

/// The name of the skeleton beside a file that belongs to a battle model.
pub(super) fn skeleton_of(site: &Site<'_>) -> Option<String> {
    let (model, own) = BattleModelName::from_file_name(site.name)?;
    let name = model.name(File::Skeleton).filter(|_| own != File::Skeleton)?;
    site.links.has(&name).then_some(name)
}

/// The battle model that a file belongs to, of which the skeleton lies beside it; nothing where none does that reads.
fn whole(site: &Site<'_>, palettes: Palettes) -> Result<Option<Battle>, Exhausted> {
    let bytes = skeleton_of(site).and_then(|name| site.links.find(&name));
    let read = bytes.map(|bytes| readable(skeleton::read(&bytes, &ReadOptions::default())));
    read.transpose()?.flatten().map(|skeleton| gathered(&skeleton, site, palettes)).transpose()
}

settings! {
    /// How what glTF cannot say is shown.
    pub struct Lifting {
        /// What becomes of polygons that are added to what is behind them.
        additive: Additive = Additive::Bake, "what is added to what is behind it is as transparent as it is dark, or stays as it is [default: bake]";
        /// Whether there are the looks of all palettes.
        variants: bool = false, "writes the looks of other palettes by an extension";
    }
}

/// The scene of the model that a piece belongs to; nothing where the skeleton is not beside it.
pub(super) fn lift_whole(settings: &Settings, site: &Site<'_>) -> Result<Option<(Scene, Report)>, LiftError> {
    settings.only::<LiftError>(Lifting::SETTINGS)?;
    let Lifting { additive, variants } = Lifting::from_settings(settings);
    let battle = whole(site, Palettes::for_looks(variants))?;
    battle.map(|battle| lift::battle(&battle, additive)).transpose()
}

/// A file of a battle model that shows nothing by itself.
pub(super) trait Piece {}

impl<P: Piece> super::Model for P {
    fn lift(&self, settings: &Settings, site: &Site<'_>) -> Result<(Scene, Report), LiftError> {
        lift_whole(settings, site)?.ok_or_else(|| no_skeleton(site))
    }

    fn belongs_to(&self, site: &Site<'_>) -> Option<String> {
        skeleton_of(site)
    }
}

/// The refusal of a piece that shows nothing without its skeleton.
fn no_skeleton(site: &Site<'_>) -> LiftError {
    let name = BattleModelName::from_file_name(site.name).and_then(|(model, _)| model.name(File::Skeleton));
    let said = match name {
        Some(name) => format!("the model is that of the skeleton, `{name}`, which is not beside it"),
        None => "it is called like no piece of a model".to_owned(),
    };
    codes::NO_SCENE.at(Path::root()).saying(said).into()
}

/// The files of the model of a skeleton, as far as they are there and read.
pub(super) fn gathered(
    skeleton: &skeleton::Document,
    site: &Site<'_>,
    palettes: Palettes,
) -> Result<Battle, Exhausted> {
    let mut battle = Battle { skeleton: skeleton.clone(), ..Battle::default() };
    let Some((model, _)) = BattleModelName::from_file_name(site.name) else { return Ok(battle) };
    let options = ReadOptions::default();
    let bytes = |file: File| site.links.find(&model.name(file)?);
    let part = |file: File| -> Result<Option<(String, p::Document)>, Exhausted> {
        let (Some(name), Some(bytes)) = (model.name(file), bytes(file)) else { return Ok(None) };
        Ok(readable(p::read(&bytes, &options))?.map(|part| (name, part)))
    };
    for (i, bone) in skeleton.bones.iter().enumerate() {
        battle.parts.push(part(File::Part(i))?.filter(|_| bone.has_model != 0));
    }
    battle.textures = pictures(site, palettes)?;
    let weapons = (0..WEAPONS).map_while(|i| part(File::Weapon(i)).transpose());
    battle.weapons = weapons.collect::<Result<_, _>>()?;
    let pack = bytes(File::Pack).map(|bytes| readable(pack::read(&bytes, &options))).transpose()?.flatten();
    battle.pack = model.name(File::Pack).zip(pack);
    Ok(battle)
}
