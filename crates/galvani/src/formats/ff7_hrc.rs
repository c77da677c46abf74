//! Skeletons of FF7 field models behind the common door.

use std::any::Any;

use galvani_core::{
    EditError, Exhausted, FileMap, LiftError, LowerError, Path, ReadError, Report, WriteError, text,
};
use galvani_ff7::field::hrc::{self, Document, check, edit};
use galvani_ff7::lower::findings;
use galvani_ff7::skeleton::Parent;
use galvani_ff7::{lift, lower};

use galvani_core::image::Additive;
use galvani_scene::{LoweredScene, Scene};

use super::argument::{BoneOrRoot, Node, Text};
use super::ff7_model::Palettes;
use super::operation::{Editable, operations};
use super::outline::in_a_line;
use super::select::Candidates;
use super::setting::settings;
use super::tabular::{TableRow, bone_row};
use super::{
    ArgumentValue, Cell, Column, Each, Fact, Folder, Format, Info, Likelihood, ListStyle, LowerRequest,
    Lowering, Model, NamedFile, OpenOptions, Opened, Operation, Outline, OutlineCount, Packing, Reference,
    Referring, Role, Section, Selector, Settings, Site, Tabular, Thing, WayBack, ff7_field, has_extension,
    texts,
};
use crate::diff::{Change, lines};

/// A skeleton of a model on a field.
#[derive(Debug)]
pub(super) struct Hrc;

const OPERATIONS: &[Operation] = operations! { Document;
    "gives the skeleton another name"
    "set-name" (name: Text = "its new name")
    |document| edit::set_name(document, &name.0);

    "renames a bone, also where others name it"
    "rename" (bone: Node = "which", name: Text = "its new name")
    |document| edit::rename(document, bone.0, &name.0);

    "hangs a bone on another before it, or on root"
    "reparent" (bone: Node = "which", parent: BoneOrRoot = "on which, or root")
    |document| edit::reparent(document, bone.0, parent.0);

    "gives a bone another length"
    "set-length" (bone: Node = "which", length: f32 = "its new length")
    |document| edit::set_length(document, bone.0, length);

    "gives a bone other resources, with spaces between them"
    "set-parts" (bone: Node = "which", parts: Text = "their names")
    |document| {
        let is_name = |part: &&[u8]| !part.is_empty();
        let parts: Vec<&[u8]> = parts.0.split(u8::is_ascii_whitespace).filter(is_name).collect();
        edit::set_parts(document, bone.0, &parts)
    };
};

const LOWERING: Lowering = Lowering {
    words: &["ff7-field"],
    is_of: |_, _| true,
    pictures: "ff7-tex",
    lower: made,
    transcribe: None,
};

fn made(scene: &Scene, making: &LowerRequest<'_>) -> Result<LoweredScene, LowerError> {
    lower::field(scene, &ff7_field::lowering(making), making.meter)
}

static INFO: Info = Info {
    id: "ff7-hrc",
    name: "field skeleton (Final Fantasy VII)",
    extensions: &["hrc"],
    topics: &[],
    codes: &[check::ALL, lift::field::ALL, findings::on_field::ALL],
    operations: OPERATIONS,
    lifting: Lifting::SETTINGS,
    way_back: Some(WayBack { reserved: &["root"], ..WayBack::new("ff7-field", lift::CODECS) }),
    lowering: Some(LOWERING),
    ..Info::PLAIN
};

impl Format for Hrc {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        Likelihood::by_magic(hrc::is_marked(file), has_extension(name, &INFO))
    }

    fn read_at(&self, file: &[u8], options: &OpenOptions, _site: &Site<'_>) -> Result<Opened, ReadError> {
        Ok(Opened::new(&Hrc, hrc::read(file, &options.read)?))
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
        check::parts(self, |name| site.links.has(name), &mut report);
        report
    }

    fn write(&self) -> Result<Vec<u8>, WriteError> {
        hrc::write(self)
    }

    fn outline(&self, _map: &FileMap, _site: &Site<'_>) -> Outline {
        let skeleton = self.skeleton();
        let parts = skeleton.bones.iter().map(|bone| bone.parts.words().count()).sum();
        let name = skeleton.name.map(|name| name.shown().into_owned());
        Outline {
            counts: vec![
                OutlineCount::new("bones", "bone", skeleton.bones.len()),
                OutlineCount::new("parts", "part", parts),
            ],
            facts: vec![
                Fact::machines("skeleton", Cell::Parts(vec![Cell::part("name", name.clone())])),
                Fact::people("name", name.into()),
            ],
            sections: vec![nodes(self)],
            unknown: Vec::new(),
        }
    }

    fn summary(&self) -> String {
        let skeleton = self.skeleton();
        let bones = in_a_line(&[OutlineCount::new("bones", "bone", skeleton.bones.len())]);
        match skeleton.name {
            Some(name) => format!("{}: {bones}", name.shown()),
            None => bones,
        }
    }

    fn compare(&self, other: &dyn super::Document, tell: &mut dyn FnMut(Change)) -> Result<bool, Exhausted> {
        let other: &dyn Any = other;
        Ok(other.downcast_ref::<Document>().map(|other| lines(&self.text, &other.text, tell)).is_some())
    }

    fn as_tabular(&self) -> Option<&dyn Tabular> {
        Some(self)
    }

    fn as_referring(&self) -> Option<&dyn Referring> {
        Some(self)
    }

    fn as_model(&self) -> Option<&dyn Model> {
        Some(self)
    }

    fn folder(&self) -> Result<Folder, Exhausted> {
        Ok(texts::unpack(INFO.id, "skeleton.hrc", &self.text))
    }
}

impl Model for Document {
    /// With its resources, meshes and textures as far as they are found, and animations that fit.
    fn lift(&self, settings: &Settings, site: &Site<'_>) -> Result<(Scene, Report), LiftError> {
        settings.only::<LiftError>(Lifting::SETTINGS)?;
        let Lifting { animation: Each(named), additive, variants } = Lifting::from_settings(settings);
        let palettes = Palettes::for_looks(variants);
        let (field, mut report) = ff7_field::gathered(self, &named, site, palettes)?;
        let (mut scene, lost) = lift::field::field(&field, additive)?;
        report.append(lost);
        let resources = field.resources.into_iter();
        scene.pieces =
            resources.flat_map(|(name, resource)| [format!("{name}.rsd"), resource.file]).collect();
        scene.pieces.extend(field.animations.into_iter().map(|animation| animation.file));
        Ok((scene, report))
    }
}

settings! {
    /// What moves a model, and how what glTF cannot say is shown.
    pub struct Lifting {
        /// Files of animations.
        animation: Each<NamedFile> = Each::default(), "an animation that moves the skeleton (may be given several times) [default: all beside it that fit]";
        /// What becomes of polygons that are added to what is behind them.
        additive: Additive = Additive::Bake, "what is added to what is behind it is as transparent as it is dark, or stays as it is [default: bake]";
        /// Whether there are the looks of all palettes.
        variants: bool = false, "writes the looks of other palettes by an extension";
    }
}

impl Editable for Document {
    fn select(
        &self,
        _: Thing,
        wanted: &Selector,
        notes: &mut Report,
    ) -> Result<Vec<ArgumentValue>, EditError> {
        let skeleton = self.skeleton();
        let names = skeleton.bones.iter().map(|bone| text::shown(bone.name.bytes));
        Candidates::named("bone", Path::named("bones"), &check::NO_BONE, names).values(wanted, notes)
    }
}

impl Referring for Document {
    fn references(&self, _name: &str) -> Vec<Reference> {
        let skeleton = self.skeleton();
        let bones = skeleton.bones.iter().enumerate();
        let parts = bones.flat_map(|(i, bone)| bone.parts.words().map(move |part| (i, part)));
        let reference = |(i, part): (usize, &[u8])| {
            let file = format!("{}.rsd", text::shown(part).to_lowercase());
            Reference::new(Path::named("bones").index(i), Role::Part, file)
        };
        parts.map(reference).collect()
    }
}

fn nodes(document: &Document) -> Section {
    let skeleton = document.skeleton();
    let mut parents = Vec::with_capacity(skeleton.bones.len());
    let rows = skeleton.bones.iter().zip(skeleton.parents()).enumerate().map(|(i, (bone, parent))| {
        let [name, name_hex] = Cell::room(bone.name.bytes);
        let parent = match parent {
            Parent::Bone(parent) => Some(parent),
            Parent::Root | Parent::Nowhere => None,
        };
        parents.push(parent);
        let length = bone.length().map_or_else(|| Cell::text(bone.length.shown()), Cell::from);
        let parts: Vec<Cell> = bone.parts.words().map(|part| Cell::text(text::shown(part))).collect();
        vec![i.into(), parent.into(), name, name_hex, length, Cell::List(parts)]
    });
    let rows = rows.collect();
    let columns = [
        Column::new("index", "#"),
        Column::machines("parent"),
        Column::new("name", "bone"),
        Column::machines("name_hex").optional(),
        Column::new("length", "length"),
        Column::new("parts", "parts"),
    ];
    Section::new("nodes", "Bones", &columns, rows).looking(ListStyle::Tree { column: 2, parents })
}

impl Tabular for Document {
    fn rows(&self, _map: &FileMap, tell: &mut dyn FnMut(TableRow<'_>)) {
        let skeleton = self.skeleton();
        for (bone, parent) in skeleton.bones.iter().zip(skeleton.parents()) {
            tell(TableRow::Node(bone_row(text::shown(bone.name.bytes), parent)));
        }
    }
}
