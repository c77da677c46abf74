//! Bytes → [`Document`], and which reading to take.

use galvani_core::record::{Field, FieldKind, Record};
use galvani_core::{FileMap, Path, Read, ReadError, ReadOptions, Reading, Readings, Report, Strictness};

use super::streams::{KEYS, NAMES, NODES};
use super::{Document, ModelView, Stream, StreamTable, check, fields, wire};
use crate::nres::{self, Archive, Payload};

/// What the readings of a model disagree about: one verdict for all of it.
pub const TOPIC: &str = "msh";

/// How far the other three components of an identity may be from 0.
const NEARLY_ZERO: u16 = 64;

/// Reads a model. What does not fit is kept and left to [`check`](super::check()); under strictness what
/// cannot be read as its record ends the reading.
pub fn read(file: &[u8], options: &ReadOptions) -> Result<Read<Document>, ReadError> {
    let directory = Archive::open(file).map_err(framed)?;
    let verdict = options.readings.settle(TOPIC, || {
        let evidence = Evidence::from_model(&witnesses(&directory));
        (evidence.reading(), evidence.why())
    });
    let mut document = Document::default();
    take(&mut document, file, &directory, verdict.taken, options.strictness)?;
    let map = map(file.len(), &directory, &document);
    Ok(Read { document, map, report: Report::default(), readings: vec![verdict] })
}

/// Reads a model into a document that is there, as [`read`] does but without a map.
///
/// What the document held is gone, its buffers are used again: a second model of the same shape allocates
/// nothing, unless strictness wants it checked. An error leaves the document as it was if the directory was not
/// found, and what reading without strictness gives where strictness ended it.
pub fn read_into(document: &mut Document, file: &[u8], options: &ReadOptions) -> Result<(), ReadError> {
    let directory = Archive::open(file).map_err(framed)?;
    let wanted = options.readings.wanted(TOPIC);
    let reading = wanted.or_by(|| Evidence::from_model(&witnesses(&directory)).reading());
    take(document, file, &directory, reading, options.strictness)
}

/// Looks at a model in place, copying nothing.
pub fn view<'a>(file: &'a [u8], readings: &Readings) -> Result<ModelView<'a>, ReadError> {
    let archive = Archive::open(file).map_err(framed)?;
    let mut model = ModelView::new(streams_of(&archive), Reading::default());
    let lost = |(i, record): (usize, &nres::wire::Entry)| {
        archive.payload(i).is_none().then(|| record.type_id.0.get())
    };
    model.outside = archive.entries().iter().enumerate().filter_map(lost).collect();
    model.reading = readings.wanted(TOPIC).or_by(|| Evidence::from_model(&model).reading());
    Ok(model)
}

/// Fills a document and ends at its damage, or that of its archive, if strictness says so.
fn take(
    document: &mut Document,
    file: &[u8],
    directory: &Archive<'_>,
    reading: Reading,
    strictness: Strictness,
) -> Result<(), ReadError> {
    nres::fill(&mut document.archive, file, directory)?;
    document.reading = reading;
    let map = || map(file.len(), directory, document);
    strictness.enforce(|report| nres::check::damage(&document.archive, report), map).map_err(framed)?;
    strictness.enforce(|report| check::damage(&document.model(), report), map)
}

/// A failure of the archive around the streams, under this format's name.
fn framed(mut error: ReadError) -> ReadError {
    let cause = &mut error.cause;
    if cause.code == &nres::check::TRUNCATED {
        cause.code = &check::TRUNCATED;
    } else {
        cause.message = format!("{}: {}", cause.code.name, cause.message);
        cause.code = &check::FRAME;
    }
    error
}

fn streams_of<'a>(archive: &Archive<'a>) -> impl Iterator<Item = Stream<'a>> {
    archive.entries().iter().enumerate().filter_map(|(i, record)| {
        let attr = [record.attr1.get(), record.attr2.get(), record.attr3.get()];
        Some(Stream { entry: i, type_id: record.type_id.0.get(), attr, bytes: archive.payload(i)? })
    })
}

/// The streams that speak for a reading, and nothing else.
fn witnesses<'a>(archive: &Archive<'a>) -> ModelView<'a> {
    ModelView::of_first(streams_of(archive).filter(|stream| [NODES, KEYS, NAMES].contains(&stream.type_id)))
}

/// What speaks for a reading.
enum Evidence {
    /// Stream 9 holds a name of 32 bytes for each of so many nodes.
    Names(usize),
    /// Where w stands in keys that are identities.
    Identities { w_first: usize, w_last: usize },
}

impl Evidence {
    fn from_model(model: &ModelView<'_>) -> Self {
        let (count, names) = (model.node_count(), model.names.as_ref().map(|names| names.stream.bytes.len()));
        if count > 0 && names == count.checked_mul(size_of::<wire::NodeName>()) {
            return Evidence::Names(count);
        }
        let keys = model.keys.as_ref().map_or(&[][..], |keys| keys.rows);
        let at = |place: usize| keys.iter().filter(|key| identity_at(key) == Some(place)).count();
        Evidence::Identities { w_first: at(0), w_last: at(3) }
    }

    fn reading(&self) -> Reading {
        match *self {
            Evidence::Identities { w_first, w_last } if w_first <= w_last => Reading::Documented,
            _ => Reading::Observed,
        }
    }

    fn why(&self) -> String {
        match self {
            Evidence::Names(count) => format!("stream 9 holds 32 bytes for each of {count} nodes"),
            Evidence::Identities { w_first, w_last } => {
                format!("identity keys with w first: {w_first}, with w last: {w_last}")
            }
        }
    }
}

/// Where the lone +32767 of an identity stands.
fn identity_at(key: &wire::Key) -> Option<usize> {
    let rotation = key.rotation.map(zerocopy::little_endian::I16::get);
    let one = rotation.iter().position(|&component| component == i16::MAX)?;
    let rest = rotation.iter().enumerate().filter(|(i, _)| *i != one);
    rest.into_iter().all(|(_, component)| component.unsigned_abs() <= NEARLY_ZERO).then_some(one)
}

fn map(len: usize, directory: &Archive<'_>, document: &Document) -> FileMap {
    let (archive, model) = (&document.archive, document.model());
    let held = archive.entries.iter().filter(|entry| matches!(entry.payload, Payload::Held { .. })).count();
    let shared = held > archive.blocks.len();
    nres::map(len, directory, archive, |map, entry, start, len| {
        claim(map, &model, entry, start, len);
        if shared && len > 0 {
            // The archive's own name for the same bytes, for its findings about payloads that overlap.
            map.run(Path::named("payloads").index(entry), start, len, FieldKind::Payload);
        }
    })
}

/// Claims the payload of an entry under the names that the reading gives it.
fn claim(map: &mut FileMap, model: &ModelView<'_>, entry: usize, start: usize, len: usize) {
    let mut claim = Claim { map, reading: model.reading, entry, start };
    let known = claim.table(model.nodes.as_ref())
        || claim.slots(model)
        || claim.table(model.positions.as_ref())
        || claim.table(model.normals.as_ref())
        || claim.table(model.uv0.as_ref())
        || claim.table(model.indices.as_ref())
        || claim.table(model.faces.as_ref())
        || claim.table(model.keys.as_ref())
        || claim.table(model.names.as_ref())
        || claim.labels(model)
        || claim.table(model.batches.as_ref())
        || claim.table(model.extra15.as_ref())
        || claim.table(model.tangents.as_ref())
        || claim.hallways(model)
        || claim.table(model.stream18.as_ref())
        || claim.table(model.frame_map.as_ref())
        || claim.table(model.probes.as_ref());
    if !known {
        map.run(Path::named("streams").index(entry), start, len, FieldKind::Raw);
    }
}

struct Claim<'m> {
    map: &'m mut FileMap,
    reading: Reading,
    entry: usize,
    start: usize,
}

impl Claim<'_> {
    /// Claims a table if it is this entry's.
    fn table<T: Record>(&mut self, table: Option<&StreamTable<'_, T>>) -> bool {
        let Some(table) = table.filter(|table| table.stream.entry == self.entry) else { return false };
        let own = fields::fields_of(table.stream.type_id, self.reading);
        self.records(table, own.map_or(("records", T::FIELDS), |(name, fields, _)| (name, fields)));
        true
    }

    fn records<T: Record>(
        &mut self,
        table: &StreamTable<'_, T>,
        (name, fields): (&'static str, &'static [Field]),
    ) {
        let stride = size_of::<T>();
        self.map.table_as(Path::named(name), self.start, table.rows.len(), fields, stride);
        self.start = self.start.saturating_add(table.rows.len().saturating_mul(stride));
        self.rest(self.start, table.rest.len());
    }

    fn rest(&mut self, start: usize, len: usize) {
        if len > 0 {
            self.map.run(Path::named("rest").index(self.entry), start, len, FieldKind::Raw);
        }
    }

    fn slots(&mut self, model: &ModelView<'_>) -> bool {
        let Some(slots) = model.slots.as_ref().filter(|slots| slots.stream.entry == self.entry) else {
            return false;
        };
        if model.bounds.is_some() {
            self.map.record::<wire::Bounds>(Path::named("bounds"), self.start);
            self.start = self.start.saturating_add(size_of::<wire::Bounds>());
        }
        self.table(Some(slots))
    }

    fn labels(&mut self, model: &ModelView<'_>) -> bool {
        let Some(labels) = model.labels.as_ref().filter(|labels| labels.stream.entry == self.entry) else {
            return false;
        };
        let (start, len) = (self.start, labels.stream.bytes.len());
        let mut end = start;
        for (i, label) in model.named_labels().iter().enumerate() {
            let (path, at) = (Path::named("labels").index(i), start.saturating_add(label.start));
            let behind = at.saturating_add(size_of::<wire::LabelHead>());
            self.map.record::<wire::LabelHead>(path, at);
            if !label.room.is_empty() {
                self.map.run(path.field("text"), behind, label.room.len(), FieldKind::Text);
            }
            end = behind.saturating_add(label.room.len());
        }
        self.rest(end, start.saturating_add(len).saturating_sub(end));
        true
    }

    fn hallways(&mut self, model: &ModelView<'_>) -> bool {
        let Some(points) = model.waypoints.as_ref().filter(|points| points.stream.entry == self.entry) else {
            return false;
        };
        self.records(points, ("waypoints", wire::Waypoint::FIELDS));
        if let Some(links) = &model.hallways {
            self.records(links, ("hallways", wire::Hallway::FIELDS));
        }
        true
    }
}
