//! FF7 battle skeletons behind the common door.

use galvani_core::record::Record;
use galvani_core::{EditError, Path, ReadError, ReadOptions, Report, WriteError};
use galvani_ff7::names::{File, Model};
use galvani_ff7::skeleton::{self, Bone, Document, Parent, check, edit, wire};
use serde_json::{Value, json};

use super::ff7_model::{Beside, holds};
use super::select::{self, Candidates};
use super::{
    Arg, Folder, Format, Info, Kind, Likelihood, Opened, Operation, Outline, Site, Step, Table,
    has_extension, records,
};
use crate::codes;

/// The bones of a battle model.
#[derive(Debug)]
pub(super) struct Skeleton;

const BONE: Arg = Arg { name: "bone", kind: Kind::Node };
const PARENT: Arg = Arg { name: "parent", kind: Kind::NodeOr("root") };
const LENGTH: Arg = Arg { name: "length", kind: Kind::Float };
const WHETHER: Arg = Arg { name: "whether", kind: Kind::Word(&["yes", "no"]) };

static INFO: Info = Info {
    id: "ff7-skeleton",
    name: "battle skeleton (Final Fantasy VII)",
    extensions: &["d"],
    topics: &[],
    codes: &[check::ALL, edit::ALL, galvani_ff7::pose::ALL],
    operations: &[
        Operation { name: "set-length", args: &[BONE, LENGTH], summary: "gives a bone another length" },
        Operation {
            name: "reparent",
            args: &[BONE, PARENT],
            summary: "hangs a bone on an earlier one, or on `root`",
        },
        Operation {
            name: "set-model",
            args: &[BONE, WHETHER],
            summary: "says whether a part belongs to a bone",
        },
        Operation { name: "canonical", args: &[], summary: "drops what follows the last bone" },
    ],
};

impl Format for Skeleton {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        Likelihood::by_shape(
            skeleton::is_shaped(file),
            holds(name, |file| file == File::Skeleton) || has_extension(name, &INFO),
        )
    }

    fn open(&self, file: &[u8], options: &ReadOptions) -> Result<Opened, ReadError> {
        let read = skeleton::read(file, options)?;
        Ok(Opened::new(
            &Skeleton,
            read.map(|document| Boned { document, beside: Beside::default(), model: None }),
        ))
    }

    fn pack(&self, folder: &Folder) -> Result<Vec<u8>, WriteError> {
        pack(folder)
    }
}

/// A skeleton and what lies beside it.
#[derive(Debug)]
struct Boned {
    document: Document,
    beside: Beside,
    model: Option<Model>,
}

impl super::Document for Boned {
    fn check(&self) -> Report {
        check(&self.document)
    }

    fn meet(&mut self, site: &Site<'_>) {
        self.beside = Beside::of(site);
        self.model = Model::of(site.name).map(|(model, _)| model);
    }

    fn check_links(&self, _site: &Site<'_>) -> Report {
        let mut report = Report::default();
        check::files(&self.document, &|file| self.beside.has(file), &mut report);
        if let Some(entries) = self.beside.entries {
            check::animations(&self.document, entries, &mut report);
        }
        report
    }

    fn write(&self) -> Result<Vec<u8>, WriteError> {
        skeleton::write(&self.document)
    }

    fn make_canonical(&mut self) -> Result<Report, EditError> {
        Ok(edit::make_canonical(&mut self.document))
    }

    fn outline(&self) -> Outline {
        let document = &self.document;
        let counts = [
            ("bones", u64::try_from(document.bones.len()).unwrap_or(u64::MAX)),
            ("pieces", u64::from(document.piece_count)),
            ("textures", u64::from(document.texture_count)),
            ("body_animations", u64::from(document.body_animation_count)),
            ("weapons", u64::from(document.weapon_count)),
            ("weapon_animations", u64::from(document.weapon_animation_count)),
        ];
        Outline {
            counts: counts.to_vec(),
            facts: vec![("kind", json!(kind(document.kind))), ("model", self.beside.to_json())],
            tables: vec![self.bones()],
            unknown: Vec::new(),
        }
    }

    fn unpack(&self) -> Folder {
        unpack(&self.document)
    }

    fn edit(&mut self, step: &Step) -> Result<Report, EditError> {
        select::each(&mut self.document, step, |document, _| bones(document), run)
    }
}

/// Does one operation.
fn run(document: &mut Document, step: &Step) -> Result<Report, EditError> {
    use super::Value::{Float, Index, Word};
    match (step.operation.name, step.values.as_slice()) {
        ("set-length", [Index(bone), Float(length)]) => edit::set_length(document, *bone, *length)?,
        ("reparent", [Index(bone), Word(_)]) => edit::reparent(document, *bone, None)?,
        ("reparent", [Index(bone), Index(parent)]) => edit::reparent(document, *bone, Some(*parent))?,
        ("set-model", [Index(bone), Word(whether)]) => edit::set_model(document, *bone, *whether == "yes")?,
        ("canonical", []) => return Ok(edit::make_canonical(document)),
        (other, _) => unreachable!("`{other}` is declared but not done"),
    }
    Ok(Report::default())
}

/// Bones have no names.
fn bones(document: &Document) -> Candidates<'_> {
    Candidates::nameless("bone", Path::of("bones"), &edit::NO_BONE, document.bones.len())
}

impl Boned {
    fn bones(&self) -> Table {
        let row = |(i, (bone, parent)): (usize, (&Bone, Parent))| {
            let parent = match parent {
                Parent::Bone(parent) => json!(parent),
                Parent::Root | Parent::Nowhere => Value::Null,
            };
            let part = self.model.as_ref().and_then(|model| model.name(File::Part(i)));
            let part = part.filter(|_| bone.has_model != 0);
            vec![
                json!(i),
                parent,
                Value::Null,
                crate::render::json::float(bone.length),
                json!(bone.has_model),
                json!(part),
            ]
        };
        Table {
            key: "nodes",
            columns: &["index", "parent", "name", "length", "has_model", "part"],
            optional: &["part"],
            rows: self.document.bones.iter().zip(self.document.parents()).enumerate().map(row).collect(),
        }
    }
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
fn unpack(document: &Document) -> Folder {
    let bytes = skeleton::write(document).unwrap_or_default();
    let (header, bones) = bytes.split_at_checked(skeleton::HEADER_LEN).unwrap_or_default();
    let bones = bones.get(..document.bones.len().saturating_mul(skeleton::BONE_LEN)).unwrap_or_default();
    let mut header = records::record_to_json(header, wire::Header::FIELDS);
    let counted = u32::try_from(document.bones.len()).is_ok_and(|_| document.missing == 0);
    if counted {
        header["bone_count"] = json!("count");
    }
    let bones = records::to_json(bones, wire::Bone::FIELDS, skeleton::BONE_LEN);
    let mut folder = Folder {
        manifest: json!({"format": "ff7-skeleton", "header": header, "bones": bones}),
        files: std::collections::BTreeMap::new(),
    };
    if !document.rest.is_empty() {
        folder.manifest["rest"] = json!(REST);
        folder.files.insert(REST.to_owned(), document.rest.clone());
    }
    folder
}

fn pack(folder: &Folder) -> Result<Vec<u8>, WriteError> {
    let wrong = |message: String| WriteError::from(codes::MANIFEST.at(Path::of("manifest")).saying(message));
    let manifest = folder.manifest.as_object().ok_or_else(|| wrong("an object is wanted".to_owned()))?;
    if manifest.get("format") != Some(&json!(INFO.id)) {
        return Err(wrong(format!("format: `{}` is wanted", INFO.id)));
    }
    if let Some(stranger) =
        manifest.keys().find(|key| !["format", "header", "bones", "rest"].contains(&key.as_str()))
    {
        return Err(wrong(format!("`{stranger}` is no part of a skeleton")));
    }
    let bones = manifest.get("bones").and_then(Value::as_array);
    let bones = bones.ok_or_else(|| wrong("bones: a list is wanted".to_owned()))?;
    let rest = match manifest.get("rest") {
        None => &Vec::new(),
        Some(rest) => {
            let file = rest.as_str().and_then(|name| folder.files.get(name));
            file.ok_or_else(|| wrong(format!("rest: no file {rest} in the folder")))?
        }
    };
    let mut header = manifest.get("header").cloned().unwrap_or(Value::Null);
    if header.get("bone_count") == Some(&json!("count")) {
        header["bone_count"] = json!(bones.len());
    }
    // More may be counted than are there only where the file ends before the next one does.
    let counted = header.get("bone_count").and_then(Value::as_u64);
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
