//! Resources of FF7 field models behind the common door.

use std::any::Any;

use galvani_core::image::Additive;
use galvani_core::{EditError, Exhausted, FileMap, LiftError, Path, ReadError, Report, WriteError};
use galvani_ff7::field::rsd::{self, Document, Line, check, edit};
use galvani_ff7::lift::CODECS;
use galvani_ff7::lift::still::{self, StillSource};
use galvani_scene::Scene;

use super::argument::{Text, Texture};
use super::ff7_model::Palettes;
use super::operation::{Editable, operations};
use super::outline::in_a_line;
use super::select::{Candidate, Candidates};
use super::setting::settings;
use super::{
    ArgumentValue, Cell, Column, Fact, Folder, Format, Info, Likelihood, Model, OpenOptions, Opened,
    Operation, Outline, OutlineCount, Packing, Reference, Referring, Role, Section, Selector, Settings, Site,
    Thing, WayBack, ff7_field, has_extension, texts,
};
use crate::diff::{Change, lines};

/// A mesh of a model on a field, and its textures.
#[derive(Debug)]
pub(super) struct Rsd;

const OPERATIONS: &[Operation] = operations! { Document;
    "names another mesh"
    "set-ply" (name: Text = "of the mesh")
    |document| edit::set_part(document, edit::RsdFile::Ply, &name.0);

    "names other materials"
    "set-mat" (name: Text = "of the materials")
    |document| edit::set_part(document, edit::RsdFile::Mat, &name.0);

    "names other groups"
    "set-grp" (name: Text = "of the groups")
    |document| edit::set_part(document, edit::RsdFile::Grp, &name.0);

    "names another texture"
    "set-texture" (index: Texture = "which", name: Text = "of the texture")
    |document| edit::set_texture(document, index.0, &name.0);

    "adds a texture behind the last"
    "add-texture" (name: Text = "of the texture")
    |document| edit::add_texture(document, &name.0);

    "removes the last texture"
    "remove-texture" ()
    |document| edit::remove_texture(document);
};

impl Editable for Document {
    /// Textures go by the names of their files, and by the numbers that their lines give them.
    fn select(
        &self,
        _: Thing,
        wanted: &Selector,
        notes: &mut Report,
    ) -> Result<Vec<ArgumentValue>, EditError> {
        let textures = self.resource().textures;
        let one = |texture: &rsd::Texture<'_>| {
            Candidate::at(texture.index).named(texture.line.value.shown().into_owned())
        };
        let list = textures.iter().map(one).collect();
        let place = Path::named("textures");
        let all = Candidates { kind: "texture", place, missing: &check::NO_TEXTURE, list };
        let meant = all.every::<EditError>(wanted, notes)?;
        let meant = meant.iter().filter_map(|i| textures.get(*i));
        Ok(meant.map(|texture| ArgumentValue::Index(texture.index)).collect())
    }
}

static INFO: Info = Info {
    id: "ff7-rsd",
    name: "field resource (Final Fantasy VII)",
    extensions: &["rsd"],
    topics: &[],
    codes: &[check::ALL, still::resource::ALL],
    operations: OPERATIONS,
    lifting: Lifting::SETTINGS,
    way_back: Some(WayBack::new("ff7-rsd", CODECS)),
    ..Info::PLAIN
};

impl Format for Rsd {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        Likelihood::by_magic(rsd::is_marked(file), has_extension(name, &INFO))
    }

    fn read_at(&self, file: &[u8], options: &OpenOptions, _site: &Site<'_>) -> Result<Opened, ReadError> {
        Ok(Opened::new(&Rsd, rsd::read(file, &options.read)?))
    }

    fn pack_within(&self, folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
        texts::pack(INFO.id, folder)
    }
}

impl super::Document for Document {
    fn check(&self) -> Report {
        check(self)
    }

    fn check_links(&self, site: &Site<'_>) -> Report {
        let mut report = Report::default();
        check::files(self, |name| site.links.has(name), &mut report);
        report
    }

    fn write(&self) -> Result<Vec<u8>, WriteError> {
        rsd::write(self)
    }

    fn outline(&self, _map: &FileMap, _site: &Site<'_>) -> Outline {
        let resource = self.resource();
        let file = |line: Option<Line<'_>>| line.map(|line| line.value.shown().into_owned());
        let textures = resource.textures.iter().map(|texture| {
            let [name, name_hex] = Cell::room(texture.line.value.bytes);
            vec![texture.index.into(), name, name_hex]
        });
        let files = vec![
            Cell::part("ply", file(resource.ply)),
            Cell::part("mat", file(resource.mat)),
            Cell::part("grp", file(resource.grp)),
        ];
        let columns =
            [Column::new("index", "#"), Column::new("name", "name"), Column::machines("name_hex").optional()];
        Outline {
            counts: vec![OutlineCount::new("textures", "texture", resource.textures.len())],
            facts: vec![Fact::new("files", "files", Cell::Parts(files))],
            sections: vec![Section::new("textures", "Textures", &columns, textures.collect())],
            unknown: Vec::new(),
        }
    }

    fn summary(&self) -> String {
        let resource = self.resource();
        let mesh = resource.ply.map(|line| line.value.shown().into_owned());
        let textures = in_a_line(&[OutlineCount::new("textures", "texture", resource.textures.len())]);
        Cell::List(vec![mesh.into(), textures.into()]).words()
    }

    fn compare(&self, other: &dyn super::Document, tell: &mut dyn FnMut(Change)) -> Result<bool, Exhausted> {
        let other: &dyn Any = other;
        Ok(other.downcast_ref::<Document>().map(|other| lines(&self.text, &other.text, tell)).is_some())
    }

    fn as_referring(&self) -> Option<&dyn Referring> {
        Some(self)
    }

    fn as_model(&self) -> Option<&dyn Model> {
        Some(self)
    }

    fn folder(&self) -> Result<Folder, Exhausted> {
        Ok(texts::unpack(INFO.id, "resource.rsd", &self.text))
    }
}

impl Model for Document {
    /// Its mesh with its textures, standing still.
    fn lift(&self, settings: &Settings, site: &Site<'_>) -> Result<(Scene, Report), LiftError> {
        settings.only::<LiftError>(Lifting::SETTINGS)?;
        let Lifting { additive, variants } = Lifting::from_settings(settings);
        let (found, mut report) = ff7_field::of_resource(self, site, Palettes::for_looks(variants))?;
        let (file, part, pictures) = found.unwrap_or_default();
        let (mut scene, lost) =
            still::still(site.stem(), (&file, &part), &pictures, StillSource::Resource, additive)?;
        report.append(lost);
        scene.pieces.push(file);
        Ok((scene, report))
    }

    fn belongs_to(&self, site: &Site<'_>) -> Option<String> {
        ff7_field::named_by(site, "hrc", ff7_field::shows)
    }
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

impl Referring for Document {
    fn references(&self, _name: &str) -> Vec<Reference> {
        let resource = self.resource();
        let file = |line: Line<'_>, extension: &str| {
            let name = line.value.shown();
            let stem = name.rsplit_once('.').map_or(&*name, |(stem, _)| stem);
            format!("{}.{extension}", stem.to_lowercase())
        };
        let mesh = resource.ply.map(|line| Reference::new(Path::named("ply"), Role::Part, file(line, "p")));
        let textures = resource.textures.iter().map(|texture| {
            let path = Path::named("textures").index(texture.index);
            Reference::new(path, Role::Texture, file(texture.line, "tex"))
        });
        mesh.into_iter().chain(textures).collect()
    }
}
