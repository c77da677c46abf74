//! MSH behind the common door.

mod edit;
mod folder;
mod packed;
mod query;
mod sample;

use galvani_core::map::Row;
use galvani_core::{EditError, LiftError, ReadError, ReadOptions, Reading, Report, SampleError, WriteError};
use galvani_parkan::msh::sample::Root;
use galvani_parkan::msh::{self, Document, Model, NONE, check, wire};
use galvani_parkan::nres::Archive;
use galvani_scene::Scene;
use serde_json::{Value, json};

use super::{
    Folder, Format, Info, LiftOptions, Likelihood, Member, Opened, Outline, Plane, Ray, Samples, Sampling,
    Shown, Site, Step, Table, Unknown, has_extension, nres, tag_value, text_value,
};

/// The model of Parkan: Iron Strategy.
#[derive(Debug)]
pub(super) struct Msh;

static INFO: Info = Info {
    id: "msh",
    name: "MSH model (Parkan: Iron Strategy)",
    extensions: &["msh"],
    topics: &[msh::TOPIC],
    codes: &[
        check::ALL,
        msh::edit::ALL,
        msh::build::ALL,
        msh::sample::ALL,
        msh::draw::ALL,
        msh::pick::ALL,
        msh::lift::ALL,
    ],
    operations: edit::OPERATIONS,
};

/// Streams of terrain; an archive that has one is no model, whatever its name.
const TERRAIN: [u32; 3] = [11, 14, 21];

impl Format for Msh {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        let Ok(archive) = Archive::open(file) else { return Likelihood::No };
        let has = |stream: u32| archive.find_type(stream).is_some();
        let named = has_extension(name, &INFO) && has(1);
        if !TERRAIN.into_iter().any(has) && (named || [1, 2, 3].into_iter().all(has)) {
            Likelihood::ByMagic
        } else {
            Likelihood::No
        }
    }

    fn open(&self, file: &[u8], options: &ReadOptions) -> Result<Opened, ReadError> {
        Ok(Opened::new(&Msh, msh::read(file, options)?))
    }

    fn pack(&self, folder: &Folder) -> Result<Vec<u8>, WriteError> {
        folder::pack(folder)
    }
}

impl super::Document for Document {
    fn check(&self) -> Report {
        check(self)
    }

    fn check_links(&self, site: &Site<'_>) -> Report {
        let mut report = Report::default();
        if let Some(table) = site.twin("wea") {
            check::materials(&self.model(), &table, &mut report);
        }
        report
    }

    fn write(&self) -> Result<Vec<u8>, WriteError> {
        msh::write(self)
    }

    fn make_canonical(&mut self) -> Result<Report, EditError> {
        self.archive.make_canonical()
    }

    fn outline(&self) -> Outline {
        let model = self.model();
        Outline {
            counts: counts(&model),
            facts: vec![("animation", animation(&model))],
            tables: vec![nodes_table(&model), nres::entries_table(&self.archive)],
            unknown: model.others.iter().map(unknown).collect(),
        }
    }

    fn unpack(&self) -> Folder {
        folder::unpack(self)
    }

    fn decoded(&self, row: &Row<'_>) -> Option<Value> {
        packed::of_row(row, self.reading)
    }

    fn edit(&mut self, step: &Step) -> Result<Report, EditError> {
        edit::run(self, step)
    }

    fn sample(&self, wanted: &Sampling) -> Result<Samples, SampleError> {
        sample::run(self, wanted)
    }

    fn lift(&self, options: LiftOptions) -> Result<(Scene, Report), LiftError> {
        let LiftOptions { lod, group, frame_rate, clear_root } = options;
        let root = if clear_root { Root::Clear } else { Root::Keep };
        let frame_rate = frame_rate.unwrap_or(msh::lift::FRAME_RATE);
        msh::lift::lift(&self.model(), msh::lift::Options { lod, group, frame_rate, root })
    }

    fn members(&self) -> Option<Vec<Member>> {
        super::Document::members(&self.archive)
    }

    fn member(&self, index: usize) -> Option<&[u8]> {
        self.archive.payload(index)
    }

    fn set_member(&mut self, index: usize, bytes: Vec<u8>) -> Result<(), EditError> {
        self.archive.replace(index, bytes)
    }

    fn draw(&self, scene: &Shown, planes: &[Plane]) -> Result<Table, SampleError> {
        query::draw(self, scene, planes)
    }

    fn pick(&self, scene: &Shown, ray: Ray) -> Result<Table, SampleError> {
        query::pick(self, scene, ray)
    }
}

fn counts(model: &Model<'_>) -> Vec<(&'static str, u64)> {
    fn rows<T>(table: Option<&msh::Table<'_, T>>) -> u64 {
        table.map_or(0, |table| nres::as_u64(table.rows.len()))
    }
    vec![
        ("nodes", rows(model.nodes.as_ref())),
        ("slots", rows(model.slots.as_ref())),
        ("batches", rows(model.batches.as_ref())),
        ("vertices", rows(model.positions.as_ref())),
        ("indices", rows(model.indices.as_ref())),
        ("faces", rows(model.faces.as_ref())),
        ("keys", rows(model.keys.as_ref())),
        ("waypoints", rows(model.waypoints.as_ref())),
        ("hallways", rows(model.hallways.as_ref())),
        ("probes", rows(model.probes.as_ref())),
    ]
}

fn animation(model: &Model<'_>) -> Value {
    let nodes = model.nodes.as_ref().map_or(&[][..], |nodes| nodes.rows);
    let animated = nodes.iter().filter(|node| node.map_start.get() != NONE).count();
    let keys = model.keys.as_ref().map_or(0, |keys| keys.rows.len());
    json!({"frames": model.frame_count(), "keys": keys, "animated_nodes": animated})
}

fn nodes_table(model: &Model<'_>) -> Table {
    let nodes = model.nodes.as_ref().map_or(&[][..], |nodes| nodes.rows);
    let rows = nodes.iter().enumerate().map(|(i, node)| {
        let (label, label_hex) = text_value(label_room(model, i));
        let (name, name_hex) = text_value(name_room(model, i));
        vec![
            json!(i),
            index(node.parent.get()),
            name,
            name_hex,
            if label == "" { Value::Null } else { label },
            label_hex,
            json!(node.flags.get()),
            index(node.map_start.get()),
            json!(node.fallback_key.get()),
            slots(node, model.reading),
        ]
    });
    Table {
        key: "nodes",
        columns: &[
            "index",
            "parent",
            "name",
            "name_hex",
            "label",
            "label_hex",
            "flags",
            "map_start",
            "fallback_key",
            "slots",
        ],
        optional: &["name_hex", "label_hex"],
        rows: rows.collect(),
    }
}

/// All bytes of a node's name: those of stream 9 as observed, else those of its label.
fn name_room<'a>(model: &Model<'a>, node: usize) -> &'a [u8] {
    match (model.reading, &model.names) {
        (Reading::Observed, Some(names)) => names.rows.get(node).map_or(&[], |row| &row.name.0),
        (Reading::Observed, None) => &[],
        _ => label_room(model, node),
    }
}

/// All bytes of a node's label.
fn label_room<'a>(model: &Model<'a>, node: usize) -> &'a [u8] {
    model.labels.as_ref().and_then(|labels| labels.rows.get(node)).map_or(&[], |label| label.room)
}

/// The slots of a node under the seeds' indices; as observed also what later findings call them.
fn slots(node: &wire::Node, reading: Reading) -> Value {
    let slot = |(i, slot): (usize, u16)| {
        let (lod, group) = (i / 5, i % 5);
        match (slot, reading) {
            (NONE, _) => None,
            (slot, Reading::Observed) => Some(json!({
                "lod": lod, "group": group, "slot": slot, "damage_state": lod, "level_of_detail": group,
            })),
            (slot, _) => Some(json!({"lod": lod, "group": group, "slot": slot})),
        }
    };
    node.slot_index.iter().map(|slot| slot.get()).enumerate().filter_map(slot).collect()
}

fn index(word: u16) -> Value {
    if word == NONE { Value::Null } else { json!(word) }
}

fn unknown(stream: &msh::Stream<'_>) -> Unknown {
    Unknown { kind: tag_value(stream.type_id), size: nres::as_u64(stream.bytes.len()) }
}
