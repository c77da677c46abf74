//! FF7 battle skeletons behind the common door.

use std::any::Any;
use std::borrow::Cow;

use galvani_core::budget::unless_exhausted;
use galvani_core::record::Record;
use galvani_core::{
    EditError, Exhausted, FileMap, LiftError, LowerError, Path, ReadError, Report, WriteError, room,
};
use galvani_ff7::lower::findings;
use galvani_ff7::names::{BattleModelName, File, TEXTURES};
use galvani_ff7::skeleton::{self, Bone, Document, PLAYER_KIND, Parent, check, edit, wire};
use galvani_ff7::{lift, lower};
use serde_json::{Value as Json, json};

use galvani_scene::{LoweredScene, Scene};

use super::argument::{BoneOrRoot, Node};
use super::ff7_model::{self, Beside, Lifting, Palettes, holds};
use super::operation::{Editable, operations};
use super::outline::in_a_line;
use super::select::Candidates;
use super::tabular::{TableRow, bone_row};
use super::{
    ArgumentValue, Cell, Column, Comparable, Fact, Folder, Format, Info, Likelihood, List, ListStyle,
    LowerRequest, Lowering, OpenOptions, Opened, Outline, OutlineCount, Packing, Reference, Referring, Role,
    Section, Selector, Settings, Site, Tabular, Thing, WayBack, ff7_field, has_extension, records,
};
use crate::codes;

/// The bones of a battle model.
#[derive(Debug)]
pub(super) struct BattleSkeleton;

const LOWERING: Lowering =
    Lowering { words: &["ff7"], is_of: |_, _| true, pictures: "ff7-tex", lower: made, transcribe: None };

fn made(scene: &Scene, making: &LowerRequest<'_>) -> Result<LoweredScene, LowerError> {
    let own = |like: &dyn super::Document| {
        let like: &dyn Any = like;
        like.downcast_ref::<Document>().map(|like| like.kind)
    };
    // Surroundings of a battle have pieces instead of bones, which a new model has not.
    let kind = making.like.and_then(own).filter(|kind| *kind == PLAYER_KIND).unwrap_or_default();
    lower::battle(scene, &lower::Options { kind, ..ff7_field::lowering(making) }, making.meter)
}

static INFO: Info = Info {
    id: "ff7-skeleton",
    name: "battle skeleton (Final Fantasy VII)",
    extensions: &["d"],
    topics: &[],
    codes: &[
        check::ALL,
        edit::ALL,
        galvani_ff7::pose::ALL,
        lift::ALL,
        findings::in_battle::ALL,
        findings::steps::ALL,
    ],
    lifting: Lifting::SETTINGS,
    way_back: Some(WayBack::new("ff7", lift::CODECS)),
    lowering: Some(LOWERING),
    operations: operations! { Document;
        "gives a bone another length"
        "set-length" (bone: Node = "which", length: f32 = "its new length")
        |skeleton| edit::set_length(skeleton, bone.0, length);

        "hangs a bone on an earlier one, or on `root`"
        "reparent" (bone: Node = "which", parent: BoneOrRoot = "on which, or root")
        |skeleton| edit::reparent(skeleton, bone.0, parent.0);

        "says whether a part belongs to a bone"
        "set-model" (bone: Node = "which", whether: bool = "whether it has one")
        |skeleton| edit::set_model(skeleton, bone.0, whether);

        "drops what follows the last bone"
        "canonical" ()
        |skeleton| edit::make_canonical(skeleton);
    },
    ..Info::PLAIN
};

impl Format for BattleSkeleton {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        Likelihood::by_shape(
            skeleton::is_shaped(file),
            holds(name, |file| file == File::Skeleton) || has_extension(name, &INFO),
        )
    }

    fn read_at(&self, file: &[u8], options: &OpenOptions, _site: &Site<'_>) -> Result<Opened, ReadError> {
        Ok(Opened::new(&BattleSkeleton, skeleton::read(file, &options.read)?))
    }

    fn pack_within(&self, folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
        pack(folder)
    }
}

impl super::Document for Document {
    fn check(&self) -> Report {
        check(self)
    }

    fn check_links(&self, site: &Site<'_>) -> Report {
        let mut report = Report::default();
        let beside = match Beside::look(site) {
            Ok(beside) => beside,
            Err(end) => {
                report.push(*end.cause);
                return report;
            }
        };
        check::files(self, &|file| beside.has(file), &mut report);
        if let Some(entries) = beside.entries {
            check::animations(self, entries, &mut report);
        }
        report
    }

    fn write(&self) -> Result<Vec<u8>, WriteError> {
        skeleton::write(self)
    }

    fn make_canonical(&mut self) -> Result<Report, EditError> {
        Ok(edit::make_canonical(self))
    }

    fn outline(&self, _map: &FileMap, site: &Site<'_>) -> Outline {
        let document = self;
        let said = |key: &'static str, one: &'static str, count: u32| OutlineCount {
            count: count.into(),
            ..OutlineCount::new(key, one, 0)
        };
        let mut facts = vec![Fact::new("kind", "kind", kind(document.kind).into())];
        facts.extend(Beside::look(site).unwrap_or_default().facts());
        Outline {
            counts: vec![
                OutlineCount::new("bones", "bone", document.bones.len()),
                said("pieces", "piece", document.piece_count),
                said("textures", "texture", document.texture_count),
                said("body_animations", "body animation", document.body_animation_count),
                said("weapons", "weapon", document.weapon_count),
                said("weapon_animations", "weapon animation", document.weapon_animation_count),
            ],
            facts,
            sections: vec![bones_section(
                self,
                BattleModelName::from_file_name(site.name).map(|(model, _)| model).as_ref(),
            )],
            unknown: Vec::new(),
        }
    }

    fn summary(&self) -> String {
        let bones = in_a_line(&[OutlineCount::new("bones", "bone", self.bones.len())]);
        format!("{}: {bones}", kind(self.kind))
    }

    fn folder(&self) -> Result<Folder, Exhausted> {
        unpack(self)
    }

    fn comparable(&self) -> Result<Comparable<'_>, Exhausted> {
        comparable(self)
    }

    fn as_tabular(&self) -> Option<&dyn Tabular> {
        Some(self)
    }

    fn as_model(&self) -> Option<&dyn super::Model> {
        Some(self)
    }

    fn as_referring(&self) -> Option<&dyn Referring> {
        Some(self)
    }
}

impl super::Model for Document {
    /// With its parts, weapons, textures and animations, as far as they lie beside it.
    fn lift(&self, settings: &Settings, site: &Site<'_>) -> Result<(Scene, Report), LiftError> {
        settings.only::<LiftError>(Lifting::SETTINGS)?;
        let Lifting { additive, variants } = Lifting::from_settings(settings);
        let battle = ff7_model::gathered(self, site, Palettes::for_looks(variants))?;
        let (mut scene, report) = lift::battle(&battle, additive)?;
        let parts = battle.parts.into_iter().flatten().chain(battle.weapons).map(|(file, _)| file);
        scene.pieces = parts.chain(battle.pack.map(|(file, _)| file)).collect();
        Ok((scene, report))
    }
}

impl Referring for Document {
    /// Its textures, which have its name and a letter each.
    fn references(&self, name: &str) -> Vec<Reference> {
        let Some((model, _)) = BattleModelName::from_file_name(name) else { return Vec::new() };
        let count = usize::try_from(self.texture_count).unwrap_or(TEXTURES).min(TEXTURES);
        let texture = |i: usize| {
            let file = model.name(File::Texture(i))?;
            Some(Reference::new(Path::named("textures").index(i), Role::Texture, file))
        };
        (0..count).filter_map(texture).collect()
    }
}

/// Bones have no names.
impl Editable for Document {
    fn select(
        &self,
        _: Thing,
        wanted: &Selector,
        notes: &mut Report,
    ) -> Result<Vec<ArgumentValue>, EditError> {
        let bones = self.bones.len();
        Candidates::nameless("bone", Path::named("bones"), &edit::NO_BONE, bones).values(wanted, notes)
    }
}

fn bones_section(document: &Document, model: Option<&BattleModelName>) -> Section {
    let mut parents = Vec::with_capacity(document.bones.len());
    let row = |(i, (bone, parent)): (usize, (&Bone, Parent))| {
        let parent = match parent {
            Parent::Bone(parent) => Some(parent),
            Parent::Root | Parent::Nowhere => None,
        };
        parents.push(parent);
        let part = model.and_then(|model| model.name(File::Part(i)));
        let part = part.filter(|_| bone.has_model != 0);
        let has_model = Cell::from(bone.has_model);
        vec![i.into(), parent.into(), Cell::Nothing, bone.length.into(), has_model, part.into()]
    };
    let rows = document.bones.iter().zip(document.parents()).enumerate().map(row).collect();
    let columns = [
        Column::new("index", "bone"),
        Column::machines("parent"),
        Column::machines("name"),
        Column::new("length", "length"),
        Column::new("has_model", "models").quiet(),
        Column::new("part", "part").optional(),
    ];
    Section::new("nodes", "Bones", &columns, rows).looking(ListStyle::Tree { column: 0, parents })
}

fn kind(kind: u32) -> &'static str {
    match kind {
        0 => "enemy",
        1 => "location",
        2 => "player",
        _ => "unknown",
    }
}

const REST: &str = "rest.bin";

/// A skeleton as a folder: the fields of its header and of every bone.
fn unpack(document: &Document) -> Result<Folder, Exhausted> {
    let (mut manifest, bones) = in_words(document)?;
    manifest["bones"] = (0..bones.len).map(|i| bones.item(i)).collect();
    let mut files = std::collections::BTreeMap::new();
    if !document.rest.is_empty() {
        files.insert(REST.to_owned(), room::copied(&document.rest)?);
    }
    Ok(Folder { manifest, files })
}

/// The same for comparing.
fn comparable(document: &Document) -> Result<Comparable<'_>, Exhausted> {
    let (manifest, bones) = in_words(document)?;
    let mut told = Comparable::new(manifest);
    told.manifest["bones"] = told.list("bones", bones);
    told.name_bytes(REST.to_owned(), document.rest.as_slice());
    Ok(told)
}

/// A skeleton without its bones, and these.
fn in_words(document: &Document) -> Result<(Json, List<'static>), Exhausted> {
    let bytes = unless_exhausted(skeleton::write(document).map_err(|error| error.cause))?.unwrap_or_default();
    let (header, bones) = bytes.split_at_checked(skeleton::HEADER_LEN).unwrap_or_default();
    let bones = bones.get(..document.bones.len().saturating_mul(skeleton::BONE_LEN)).unwrap_or_default();
    let mut header = records::record_to_json(header, wire::Header::FIELDS);
    let counted = u32::try_from(document.bones.len()).is_ok_and(|_| document.missing == 0);
    if counted {
        header["bone_count"] = json!("count");
    }
    let mut manifest = json!({"format": "ff7-skeleton", "header": header, "bones": null});
    if !document.rest.is_empty() {
        manifest["rest"] = json!(REST);
    }
    let bones = Cow::Owned(room::copied(bones)?);
    Ok((manifest, List::of_records(bones, wire::Bone::FIELDS, skeleton::BONE_LEN)))
}

fn pack(folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
    let wrong =
        |message: String| WriteError::from(codes::MANIFEST.at(Path::named("manifest")).saying(message));
    let manifest = folder.manifest.as_object().ok_or_else(|| wrong("an object is wanted".to_owned()))?;
    if manifest.get("format") != Some(&json!(INFO.id)) {
        return Err(wrong(format!("format: `{}` is wanted", INFO.id)));
    }
    if let Some(stranger) =
        manifest.keys().find(|key| !["format", "header", "bones", "rest"].contains(&key.as_str()))
    {
        return Err(wrong(format!("`{stranger}` is no part of a skeleton")));
    }
    let bones = manifest.get("bones").and_then(Json::as_array);
    let bones = bones.ok_or_else(|| wrong("bones: a list is wanted".to_owned()))?;
    let rest = match manifest.get("rest") {
        None => &Vec::new(),
        Some(rest) => {
            let file = rest.as_str().and_then(|name| folder.files.get(name));
            file.ok_or_else(|| wrong(format!("rest: no file {rest} in the folder")))?
        }
    };
    let mut header = manifest.get("header").cloned().unwrap_or(Json::Null);
    if header.get("bone_count") == Some(&json!("count")) {
        header["bone_count"] = json!(bones.len());
    }
    // More may be counted than are there only where the file ends before the next one does.
    let counted = header.get("bone_count").and_then(Json::as_u64);
    let found = u64::try_from(bones.len()).unwrap_or(u64::MAX);
    if let Some(counted) = counted
        && (counted < found || (counted > found && rest.len() >= skeleton::BONE_LEN))
    {
        return Err(wrong(format!("header: {counted} bones counted, {found} there")));
    }
    let header = records::record_from_json(&header, wire::Header::FIELDS);
    let mut bytes = header.map_err(|error| wrong(format!("header: {error}")))?;
    for (i, bone) in bones.iter().enumerate() {
        let bone = records::record_from_json(bone, wire::Bone::FIELDS);
        bytes.extend(bone.map_err(|error| wrong(format!("bones[{i}]: {error}")))?);
    }
    bytes.extend(rest);
    Ok(bytes)
}

impl Tabular for Document {
    fn rows(&self, _map: &FileMap, tell: &mut dyn FnMut(TableRow<'_>)) {
        for parent in self.parents() {
            tell(TableRow::Node(bone_row("".into(), parent)));
        }
    }
}
