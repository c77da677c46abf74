//! One input and its members as rows.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use arrow_array::RecordBatch;
use galvani::core::map::Shape;
use galvani::formats::{
    self, Around, ClipRow, Format, LayerRow, NodeRow, Opened, Role, SectionRow, Settings, Shelf, Site,
    TableRow, Tabular, TrackRow, Variety,
};
use galvani::fs::{Folders, Input, SearchRoot, Source};
use galvani::nested::{Checked, Visitor, walk};
use galvani::{FileMap, Report, Scrutiny, Severity, Verdict};
use sha2::{Digest, Sha256};

use crate::fields::FieldRows;
use crate::rows::{Cell, Rows};
use crate::run::{Options, Summary};
use crate::{SurveyError, Table};

/// Rows of one table that are handed on together.
const MOST_ROWS: usize = 1 << 16;

/// Where finished rows go.
type Emit<'e> = &'e mut dyn FnMut(Table, RecordBatch);

/// Rows in the making of the tables that are wanted.
pub(crate) struct Batches {
    rows: BTreeMap<Table, Rows>,
    fields: Option<FieldRows>,
}

impl Batches {
    pub(crate) fn new(tables: &BTreeSet<Table>) -> Self {
        let plain = tables.iter().filter(|table| **table != Table::Fields);
        Batches {
            rows: plain.map(|table| (*table, Rows::new(*table))).collect(),
            fields: tables.contains(&Table::Fields).then(FieldRows::default),
        }
    }

    fn push(&mut self, table: Table, cells: &[Cell<'_>]) {
        if let Some(rows) = self.rows.get_mut(&table) {
            rows.push(cells);
        }
    }

    /// Hands on what is much.
    fn drain(&mut self, most: usize, emit: Emit<'_>) -> Result<(), SurveyError> {
        for (table, rows) in &mut self.rows {
            if rows.len() >= most {
                emit(*table, rows.finish()?);
            }
        }
        if let Some(fields) = self.fields.as_mut().filter(|fields| fields.len() >= most) {
            emit(Table::Fields, fields.finish()?);
        }
        Ok(())
    }

    /// Hands on what there is.
    pub(crate) fn finish(&mut self, emit: Emit<'_>) -> Result<(), SurveyError> {
        self.drain(1, emit)
    }
}

/// Looks at an input and its members.
pub(crate) fn survey(
    input: &Input,
    options: &Options,
    folders: &Folders,
    batches: &mut Batches,
    emit: Emit<'_>,
) -> Result<Summary, SurveyError> {
    let began = Instant::now();
    let home = input.home().filter(|(_, chain)| !chain.is_empty());
    let archive = home.map(|(file, _)| file.to_string_lossy().into_owned());
    let mut surveyor = Surveyor {
        batches,
        emit,
        failed: None,
        summary: Summary::default(),
        open: Vec::new(),
        archive,
        began,
    };
    let source = match input.source(&options.open) {
        Ok(source) => source,
        Err(error) => {
            options.surveyed.has(&input.shown, &[]);
            surveyor.unread(&input.shown, &Checked::unreadable(input.shown.clone(), *error.cause));
            return surveyor.end();
        }
    };
    if options.surveyed.has(&input.shown, &source.bytes) {
        return Ok(Summary { skipped: 1, ..Summary::default() });
    }
    let Some(format) = recognised(input, &source) else {
        surveyor.stranger(&input.shown, &source.bytes);
        return surveyor.end();
    };
    let links = input.links(folders, &options.open);
    let parents = input.parents(folders, &options.open);
    let after: Vec<Shelf<'_>> = parents.iter().map(SearchRoot::shelf).collect();
    let site = Site {
        name: source.name.as_deref().unwrap_or_default(),
        home: input.home_label(),
        links: &*links,
        declared: source.declared,
        around: Around { first: &[], after: &after },
    };
    walk(&input.shown, &site, format, &source.bytes, &options.open, Scrutiny::Usual, &mut surveyor);
    surveyor.end()
}

fn recognised(input: &Input, source: &Source) -> Option<&'static dyn Format> {
    let name = source.name.as_deref();
    if input.explicit {
        return formats::recognise_at(&source.bytes, name, source.declared);
    }
    formats::recognise_content(&source.bytes, name)
}

/// Makes rows of everything that it is shown.
struct Surveyor<'a> {
    batches: &'a mut Batches,
    emit: Emit<'a>,
    failed: Option<SurveyError>,
    summary: Summary,
    /// Archives and what is in them, as far as they are being looked at.
    open: Vec<Begun>,
    /// The archive that the input itself is a member of.
    archive: Option<String>,
    began: Instant,
}

/// A file that is being looked at.
struct Begun {
    path: String,
    sha256: String,
    size: usize,
    is_archive: bool,
    variety: Variety,
    readings: Vec<Verdict>,
    began: Instant,
    /// How long its members took.
    inner: Duration,
}

impl Visitor for Surveyor<'_> {
    fn wants_all(&self) -> bool {
        true
    }

    /// Streams of a model and entries of a pack are no files.
    fn stranger(&mut self, path: &str, file: &[u8]) {
        if self.open.last().is_some_and(|around| !around.is_archive) {
            return;
        }
        self.begin(path, file, None);
        let row = Checked {
            path: path.to_owned(),
            format: None,
            report: Report::default(),
            readable: false,
            excerpts: Vec::new(),
        };
        self.end_file(&row);
    }

    fn document(&mut self, path: &str, file: &[u8], opened: Option<&Opened>, site: &Site<'_>) {
        self.begin(path, file, opened);
        let Some(opened) = opened else { return };
        self.told(path, opened);
        self.textures(path, opened, site);
        self.fields(path, opened, file);
        let drained = self.batches.drain(MOST_ROWS, self.emit);
        self.note(drained);
    }

    fn checked(&mut self, row: Checked) {
        self.end_file(&row);
    }
}

impl Surveyor<'_> {
    fn note(&mut self, result: Result<(), SurveyError>) {
        if let Err(error) = result {
            self.failed.get_or_insert(error);
        }
    }

    fn end(self) -> Result<Summary, SurveyError> {
        self.failed.map_or(Ok(self.summary), Err)
    }

    fn begin(&mut self, path: &str, file: &[u8], opened: Option<&Opened>) {
        let tabular = opened.and_then(|opened| opened.document.as_tabular());
        self.open.push(Begun {
            path: path.to_owned(),
            sha256: galvani::core::text::hex(&Sha256::digest(file)),
            size: file.len(),
            is_archive: opened.is_some_and(|opened| opened.format.info().is_archive),
            variety: tabular.map(Tabular::variety).unwrap_or_default(),
            readings: opened.map(|opened| opened.readings.clone()).unwrap_or_default(),
            // The first is being read since before it was shown.
            began: if self.open.is_empty() { self.began } else { Instant::now() },
            inner: Duration::ZERO,
        });
    }

    /// A file of which there are no bytes.
    fn unread(&mut self, path: &str, row: &Checked) {
        self.file_row(path, None, row, self.began.elapsed());
        self.findings(row);
    }

    fn end_file(&mut self, row: &Checked) {
        let is_own = self.open.last().is_some_and(|begun| begun.path == row.path);
        let Some(begun) = self.open.pop_if(|_| is_own) else { return };
        let took = begun.began.elapsed();
        if let Some(archive) = self.open.last_mut() {
            archive.inner = archive.inner.saturating_add(took);
        }
        self.file_row(&begun.path, Some(&begun), row, took.saturating_sub(begun.inner));
        self.findings(row);
        let drained = self.batches.drain(MOST_ROWS, self.emit);
        self.note(drained);
    }

    fn file_row(&mut self, path: &str, begun: Option<&Begun>, row: &Checked, took: Duration) {
        self.summary.files = self.summary.files.saturating_add(1);
        let is_known = row.format.is_some() || begun.is_none();
        if !row.readable && is_known {
            self.summary.unreadable = self.summary.unreadable.saturating_add(1);
            if self.open.is_empty() {
                self.summary.unreadable_inputs = self.summary.unreadable_inputs.saturating_add(1);
            }
        }
        let archive = self.open.last().map(|archive| archive.path.as_str()).or(self.archive.as_deref());
        let member = archive.and_then(|archive| path.strip_prefix(archive)?.strip_prefix('/'));
        let count = |severity: Severity| row.report.tally(severity);
        let variety = begun.map(|begun| begun.variety).unwrap_or_default();
        self.batches.push(
            Table::Files,
            &[
                path.into(),
                archive.into(),
                member.into(),
                begun.map(|begun| begun.sha256.as_str()).into(),
                begun.map(|begun| begun.size).into(),
                row.format.into(),
                variety.version.into(),
                variety.family.into(),
                Cell::Readings(begun.map_or(&[], |begun| &begun.readings)),
                row.readable.into(),
                count(Severity::Error).into(),
                count(Severity::Warning).into(),
                count(Severity::Note).into(),
                took.as_secs_f64().into(),
            ],
        );
    }

    fn findings(&mut self, row: &Checked) {
        for finding in row.report.findings() {
            let (place, message) = (finding.path.to_string(), finding.sentence());
            self.batches.push(
                Table::Findings,
                &[
                    row.path.as_str().into(),
                    finding.code.name.into(),
                    finding.severity.word().into(),
                    place.as_str().into(),
                    finding.offset.into(),
                    finding.count.into(),
                    message.as_str().into(),
                ],
            );
        }
    }

    /// What a document says of itself.
    fn told(&mut self, path: &str, opened: &Opened) {
        let mut numbers = Numbers::default();
        if let Some(tabular) = opened.document.as_tabular() {
            tabular.rows(&opened.map, &mut |row| self.row(path, &mut numbers, &row));
        }
        if numbers.sections == 0 && self.batches.rows.contains_key(&Table::Sections) {
            for section in sections(&opened.map) {
                self.row(path, &mut numbers, &TableRow::Section(section));
            }
        }
    }

    fn row(&mut self, path: &str, numbers: &mut Numbers, row: &TableRow<'_>) {
        let file = Cell::Text(path);
        match row {
            TableRow::Section(SectionRow { tag, offset, size, count }) => {
                let number = counted(&mut numbers.sections);
                let cells = [file, number, (**tag).into(), (*offset).into(), (*size).into(), (*count).into()];
                self.batches.push(Table::Sections, &cells);
            }
            TableRow::Clip(ClipRow { name, start, end, unit, is_looping, keys, animated_nodes }) => {
                let number = counted(&mut numbers.clips);
                let (start, end, unit) = ((*start).into(), (*end).into(), unit.word().into());
                let (keys, nodes) = ((*keys).into(), (*animated_nodes).into());
                let cells =
                    [file, number, (**name).into(), start, end, unit, (*is_looping).into(), keys, nodes];
                self.batches.push(Table::Clips, &cells);
            }
            TableRow::Track(TrackRow { owner, tag, interpolation, keys, first, last }) => {
                let number = counted(&mut numbers.tracks);
                let (owner, tag, between) = ((**owner).into(), (**tag).into(), (**interpolation).into());
                let (keys, first, last) = ((*keys).into(), (*first).into(), (*last).into());
                let cells = [file, number, owner, tag, between, keys, first, last];
                self.batches.push(Table::Tracks, &cells);
            }
            TableRow::Node(NodeRow { name, kind, parent, flags }) => {
                let number = counted(&mut numbers.nodes);
                let cells =
                    [file, number, (**name).into(), (*kind).into(), (*parent).into(), (*flags).into()];
                self.batches.push(Table::Nodes, &cells);
            }
            TableRow::Material(LayerRow { material, layer, name, blend, flags }) => {
                let (name, blend) = ((**name).into(), (**blend).into());
                let cells = [file, (*material).into(), (*layer).into(), name, blend, (*flags).into()];
                self.batches.push(Table::Materials, &cells);
            }
        }
    }

    /// A picture, and pictures that a document names.
    fn textures(&mut self, path: &str, opened: &Opened, site: &Site<'_>) {
        if !self.batches.rows.contains_key(&Table::Textures) {
            return;
        }
        let file = Cell::Text(path);
        let mut number = 0;
        if let Some(picture) = opened.document.as_picture() {
            let (width, height) = picture.size(&Settings::default()).unzip();
            let (name, role) = (site.name.into(), "picture".into());
            let cells = [file, counted(&mut number), role, name, "".into(), width.into(), height.into()];
            self.batches.push(Table::Textures, &cells);
        }
        let Some(referring) = opened.document.as_referring() else { return };
        for named in referring.references(site.name) {
            if !matches!(named.role, Role::Texture | Role::Lightmap) {
                continue;
            }
            let (role, name, place) =
                (named.role.word().into(), named.name.as_str().into(), named.path.to_string());
            let none = Cell::Nothing;
            let cells = [file, counted(&mut number), role, name, place.as_str().into(), none, none];
            self.batches.push(Table::Textures, &cells);
        }
    }

    fn fields(&mut self, path: &str, opened: &Opened, file: &[u8]) {
        let Some(fields) = &mut self.batches.fields else { return };
        let mut full = |batch| (self.emit)(Table::Fields, batch);
        let made = match opened.document.in_the_clear(file) {
            Ok(clear) => fields.file(path, &opened.map, &clear, MOST_ROWS, &mut full),
            // For want of room there are none; what there is to say of that stands among the findings.
            Err(_) => Ok(()),
        };
        self.note(made);
    }
}

/// How many rows of each table a document has told.
#[derive(Default)]
struct Numbers {
    sections: u64,
    clips: u64,
    tracks: u64,
    nodes: u64,
}

/// The number of a row, which is then the next one's.
fn counted(next: &mut u64) -> Cell<'static> {
    let number = *next;
    *next = number.saturating_add(1);
    number.into()
}

/// The parts of a file of a format that has no words for them: what its map has at its top, each with where it begins, its
/// bytes and its records.
fn sections(map: &FileMap) -> Vec<SectionRow<'static>> {
    let mut found: Vec<(&'static str, usize, usize, u64)> = Vec::new();
    let regions = map.in_file_order();
    for (i, region) in (0..regions.len()).filter_map(|i| Some((i, regions.region(i)?))) {
        let name = region.path.first().map_or("file", |(name, _)| name);
        let records = if matches!(region.shape, Shape::Run(_)) { 0 } else { regions.records(i) };
        let records = u64::try_from(records).unwrap_or(u64::MAX);
        match found.iter_mut().find(|part| part.0 == name) {
            Some(part) => {
                part.2 = part.2.saturating_add(region.len);
                part.3 = part.3.saturating_add(records);
            }
            None => found.push((name, region.start, region.len, records)),
        }
    }
    let wide = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    let row = |(name, start, len, records)| SectionRow {
        tag: std::borrow::Cow::Borrowed(name),
        offset: Some(wide(start)),
        size: wide(len),
        count: Some(records),
    };
    found.into_iter().map(row).collect()
}
