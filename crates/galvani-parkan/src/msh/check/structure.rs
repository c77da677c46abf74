//! Which streams there are, how long they are, and what their attributes say.

use std::cmp::Ordering;

use galvani_core::record::Record;
use galvani_core::{Code, Path, Reading, Report};

use super::{
    ATTR1, ATTR1_UNUSUAL, ATTR2, ATTR2_UNUSUAL, ATTR3, ATTR3_UNUSUAL, BOUNDS_SHORT, HALLWAYS_SIZE, LABEL_CUT,
    LABEL_UNTERMINATED, LABELS_FEW, LABELS_MANY, LEGACY, LIGHTMAP_PAIR, MISSING, MISSING_OPTIONAL,
    MISSING_USUAL, NAME_COUNT, NAME_UNTERMINATED, REPEATED, REST, UNKNOWN, VERTICES_LONG, VERTICES_SHORT,
};
use crate::msh::streams::{
    self, BATCHES, BOUNDS_LEN, EXTRA15, FACES, FRAME_MAP, HALLWAYS, INDICES, KEYS, LABELS, LEGACY_NODE,
    NAMES, NODES, NORMALS, Need, POSITIONS, PROBES, SLOTS, STREAM18, Spec, TANGENTS, UV0,
};
use crate::msh::{Labels, ModelView, Stream, StreamTable, fields, wire};

/// Presence, sizes, counts and attributes of the streams.
pub fn structure(model: &ModelView<'_>, report: &mut Report) {
    let tables = tables(model);
    missing(model, &tables, report);
    others(model, report);
    rests(model, &tables, report);
    for table in tables.iter().flatten() {
        attributes(table, model.reading, report);
        vertices(model, table, report);
    }
    if let Some(labels) = &model.labels {
        label_rules(model, labels, report);
    }
    if model.reading == Reading::Observed {
        names(model, report);
        lightmaps(model, report);
    }
}

/// The rules about bytes that cannot be read as their record.
pub fn damage(model: &ModelView<'_>, report: &mut Report) {
    rests(model, &tables(model), report);
}

/// A stream of records, whatever they are.
struct Held<'a> {
    spec: &'static Spec,
    stream: Stream<'a>,
    rows: usize,
    rest: usize,
}

/// Every stream of fixed records that the model has.
fn tables<'a>(model: &ModelView<'a>) -> [Option<Held<'a>>; 15] {
    [
        held(model.nodes.as_ref(), NODES),
        held(model.slots.as_ref(), SLOTS),
        held(model.positions.as_ref(), POSITIONS),
        held(model.normals.as_ref(), NORMALS),
        held(model.uv0.as_ref(), UV0),
        held(model.indices.as_ref(), INDICES),
        held(model.faces.as_ref(), FACES),
        held(model.keys.as_ref(), KEYS),
        held(model.names.as_ref(), NAMES),
        held(model.batches.as_ref(), BATCHES),
        held(model.extra15.as_ref(), EXTRA15),
        held(model.tangents.as_ref(), TANGENTS),
        held(model.stream18.as_ref(), STREAM18),
        held(model.frame_map.as_ref(), FRAME_MAP),
        held(model.probes.as_ref(), PROBES),
    ]
}

#[inline]
fn held<'a, T: Record>(table: Option<&StreamTable<'a, T>>, id: u32) -> Option<Held<'a>> {
    let table = table?;
    let spec = streams::by_id(id)?;
    Some(Held { spec, stream: table.stream, rows: table.rows.len(), rest: table.rest.len() })
}

/// One finding per grade of need, naming every stream of it that is not there.
fn missing(model: &ModelView<'_>, tables: &[Option<Held<'_>>], report: &mut Report) {
    let bit = |id: u32| 1_u32.checked_shl(id).unwrap_or(0);
    let mut present = tables.iter().flatten().fold(0, |present, table| present | bit(table.spec.id));
    for (id, there) in [
        (NODES, model.legacy_nodes.is_some()),
        (LABELS, model.labels.is_some()),
        (HALLWAYS, model.waypoints.is_some()),
    ] {
        present |= if there { bit(id) } else { 0 };
    }
    let absent = |spec: &&Spec| spec.need != Need::Rare && present & bit(spec.id) == 0;
    if !streams::ALL.iter().any(|spec| absent(&spec)) {
        return;
    }
    for (need, code) in
        [(Need::Must, &MISSING), (Need::Should, &MISSING_USUAL), (Need::May, &MISSING_OPTIONAL)]
    {
        let absent = streams::ALL.iter().filter(absent).filter(|spec| spec.need == need);
        let names: Vec<String> = absent.map(|spec| format!("{} ({})", spec.id, spec.name)).collect();
        if !names.is_empty() {
            let mut finding = code.at(Path::named("entries"));
            finding.count = u64::try_from(names.len()).unwrap_or(u64::MAX);
            report.push(finding.saying(format!("streams {} wanted, not found", names.join(", "))));
        }
    }
}

/// Streams that nobody knows or that are there already, and nodes of the older form.
fn others(model: &ModelView<'_>, report: &mut Report) {
    for stream in &model.others {
        let path = entry(*stream, "type_id");
        let finding = match streams::by_id(stream.type_id) {
            Some(spec) => REPEATED
                .at(path)
                .saying(format!("one stream {} ({}) wanted, another found", spec.id, spec.name)),
            None => {
                UNKNOWN.at(path).saying(format!("stream {} of {} bytes", stream.type_id, stream.bytes.len()))
            }
        };
        report.push(finding);
    }
    if let Some(stream) = model.legacy_nodes {
        let found =
            format!("records of 38 bytes wanted, of {LEGACY_NODE} found: rules about nodes not applied");
        report.push(LEGACY.at(entry(stream, "attr3")).saying(found));
    }
}

/// Bytes that no record takes.
fn rests(model: &ModelView<'_>, tables: &[Option<Held<'_>>], report: &mut Report) {
    for table in tables.iter().flatten() {
        let rest = table.rest;
        if table.spec.id == SLOTS && model.bounds.is_none() {
            let found = format!("{BOUNDS_LEN} bytes wanted, {rest} found");
            report.push(BOUNDS_SHORT.at(entry(table.stream, "size")).saying(found));
        } else if rest > 0 && is_known(table.spec, model.reading) {
            let found = format!(
                "stream {} ({}): records of {} bytes wanted, {rest} bytes left behind {} of them",
                table.spec.id, table.spec.name, table.spec.stride, table.rows
            );
            report.push(REST.at(Path::named("rest").index(table.stream.entry)).saying(found));
        }
    }
    if let Some(labels) = model.labels.as_ref().filter(|labels| !labels.rest.is_empty()) {
        let (whole, left) = (labels.rows.len(), labels.rest.len());
        let found = format!("label {whole} does not fit into the {left} bytes left");
        report.push(LABEL_CUT.at(Path::named("rest").index(labels.stream.entry)).saying(found));
    }
    if let (Some(points), None) = (&model.waypoints, &model.hallways) {
        let ([points_wanted, links_wanted, _], size) = (points.stream.attr, points.stream.bytes.len());
        let found = format!("{points_wanted} × 20 and {links_wanted} × 40 bytes wanted, {size} found");
        report.push(HALLWAYS_SIZE.at(entry(points.stream, "size")).saying(found));
    }
}

/// Whether a reading says what the records of a stream are.
fn is_known(spec: &Spec, reading: Reading) -> bool {
    reading == Reading::Observed || !matches!(spec.id, NAMES | PROBES)
}

fn attributes(table: &Held<'_>, reading: Reading, report: &mut Report) {
    // Nobody says what `attr1` of stream 16 is.
    let rows = u32::try_from(table.rows).ok().filter(|_| table.spec.id != TANGENTS);
    let wanted = [rows, table.spec.attr2, table.spec.attr3];
    if is_known(table.spec, reading) && !agree(wanted, table.stream.attr) {
        let firm = match table.spec.id {
            NODES => [false, false, true],
            SLOTS => [true, true, true],
            FACES | KEYS | FRAME_MAP => [true, false, true],
            _ => [false; 3],
        };
        disagree(table.stream, wanted, firm, report);
    }
}

fn agree([a, b, c]: [Option<u32>; 3], [x, y, z]: [u32; 3]) -> bool {
    a.is_none_or(|a| a == x) && b.is_none_or(|b| b == y) && c.is_none_or(|c| c == z)
}

/// A finding per attribute that is not as wanted: an error where the documentation is firm about it.
fn disagree(stream: Stream<'_>, wanted: [Option<u32>; 3], firm: [bool; 3], report: &mut Report) {
    let grades: [(&str, &'static Code, &'static Code); 3] = [
        ("attr1", &ATTR1, &ATTR1_UNUSUAL),
        ("attr2", &ATTR2, &ATTR2_UNUSUAL),
        ("attr3", &ATTR3, &ATTR3_UNUSUAL),
    ];
    for (((field, must, should), firm), (wanted, found)) in
        grades.into_iter().zip(firm).zip(wanted.into_iter().zip(stream.attr))
    {
        if let Some(wanted) = wanted.filter(|&wanted| wanted != found) {
            let code = if firm { must } else { should };
            let found = format!("stream {}: {wanted} wanted, {found} found", stream.type_id);
            report.push(code.at(entry(stream, field)).saying(found));
        }
    }
}

/// Streams with a record per vertex.
fn vertices(model: &ModelView<'_>, table: &Held<'_>, report: &mut Report) {
    let Some(positions) = model.positions.as_ref().filter(|_| table.spec.per_vertex) else { return };
    let (wanted, found) = (positions.rows.len(), table.rows);
    let code = match found.cmp(&wanted) {
        Ordering::Less => &VERTICES_SHORT,
        Ordering::Equal => return,
        Ordering::Greater => &VERTICES_LONG,
    };
    let name = fields::fields_of(table.spec.id, model.reading).map_or(table.spec.name, |(name, ..)| name);
    report.push(code.at(Path::named(name)).saying(format!("{wanted} records wanted, {found} found")));
}

fn label_rules(model: &ModelView<'_>, labels: &Labels<'_>, report: &mut Report) {
    let (found, whole) = (labels.rows.len(), labels.rest.is_empty());
    let count = u32::try_from(found).ok().filter(|_| whole);
    let attributes = [count, Some(0), Some(0)];
    if !agree(attributes, labels.stream.attr) {
        disagree(labels.stream, attributes, [false; 3], report);
    }
    for (i, label) in model.named_labels().iter().enumerate() {
        if label.room.last().is_some_and(|&last| last != 0) {
            let found = format!("a NUL wanted, 0x{:02x} found", label.room.last().copied().unwrap_or(0));
            report.push(LABEL_UNTERMINATED.at(Path::named("labels").index(i)).saying(found));
        }
    }
    let Some(wanted) = model.nodes.as_ref().map(|nodes| nodes.rows.len()) else { return };
    let code = match found.cmp(&wanted) {
        Ordering::Less if whole => &LABELS_FEW,
        Ordering::Greater => &LABELS_MANY,
        _ => return,
    };
    report
        .push(code.at(entry(labels.stream, "size")).saying(format!("{wanted} labels wanted, {found} found")));
}

fn names(model: &ModelView<'_>, report: &mut Report) {
    let Some(names) = &model.names else { return };
    for (i, row) in names.rows.iter().enumerate() {
        // Most names end in zeros; only one that fills its room is looked through.
        if row.name.0.last() != Some(&0) && !row.name.0.contains(&0) {
            let path = Path::named("names").index(i).field("name");
            let room = size_of::<wire::NodeName>();
            report
                .push(NAME_UNTERMINATED.at(path).saying(format!("a NUL in {room} bytes wanted, none found")));
        }
    }
    if let Some(nodes) = model.nodes.as_ref().filter(|nodes| nodes.rows.len() != names.rows.len()) {
        let found = format!("{} names wanted, {} found", nodes.rows.len(), names.rows.len());
        report.push(NAME_COUNT.at(entry(names.stream, "size")).saying(found));
    }
}

fn lightmaps(model: &ModelView<'_>, report: &mut Report) {
    let (stream, absent) = match (&model.stream18, &model.probes) {
        (Some(uv), None) => (uv.stream, PROBES),
        (None, Some(probes)) => (probes.stream, STREAM18),
        _ => return,
    };
    let found = format!("stream {absent} wanted beside stream {}, not found", stream.type_id);
    report.push(LIGHTMAP_PAIR.at(entry(stream, "type_id")).saying(found));
}

/// A field of a stream's record in the directory.
fn entry(stream: Stream<'_>, field: &'static str) -> Path {
    Path::named("entries").index(stream.entry).field(field)
}
