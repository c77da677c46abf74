//! Documents inside documents: archives as folders.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;

use galvani_core::budget::is_exhaustion;
use galvani_core::{Exhausted, Meter, Path, Report, Scrutiny, Severity};

use crate::formats::links::Metered;
use crate::formats::recognition::{Payload, Recogniser};
use crate::formats::select::Candidates;
use crate::formats::{
    self, Archive, ArchiveLinks, Around, Format, OpenOptions, Opened, Selector, Shelf, Site,
};
use crate::{Diagnostic, EditError, WriteError, budget, codes};

/// A file or archive member, checked.
#[derive(Debug, Clone)]
pub struct Checked {
    /// Where it is: a path, with members behind their archive.
    pub path: String,
    /// Its format, if any was recognised.
    pub format: Option<&'static str>,
    /// What is wrong with it.
    pub report: Report,
    /// Whether it could be read at all, as far as anybody could look.
    pub readable: bool,
    /// The bytes around each finding.
    pub excerpts: Vec<Option<Excerpt>>,
}

/// Up to sixteen bytes around a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// Offset of the first of them, a multiple of 16.
    pub start: usize,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Which of them is meant.
    pub at: usize,
}

impl Checked {
    /// The row of a file that could not even be looked at.
    pub fn unreadable(path: String, cause: Diagnostic) -> Self {
        let mut report = Report::default();
        report.push(cause);
        Checked { path, format: None, report, readable: false, excerpts: vec![None] }
    }

    /// The same with only those findings.
    #[must_use]
    pub fn only(mut self, keep: impl Fn(&Diagnostic) -> bool) -> Self {
        let mut kept = self.report.findings().iter().map(&keep);
        self.excerpts.retain(|_| kept.next().unwrap_or(true));
        self.report = self.report.only(keep);
        self
    }

    /// The same, showing only findings at least so bad; all of them still count.
    #[must_use]
    pub fn showing(mut self, least: Severity) -> Self {
        let mut shown = self.report.findings().iter().map(|finding| finding.severity >= least);
        self.excerpts.retain(|_| shown.next().unwrap_or(true));
        self.report = self.report.showing(least);
        self
    }

    /// The same with what was odd about finding it.
    #[must_use]
    pub fn with_notes(mut self, notes: &[Diagnostic]) -> Self {
        for note in notes {
            self.report.push(note.clone());
            self.excerpts.resize(self.report.findings().len(), None);
        }
        self
    }

    fn new(path: String, format: &'static dyn Format, report: Report, readable: bool, file: &[u8]) -> Self {
        let excerpt = |finding: &Diagnostic| Excerpt::around(file, usize::try_from(finding.offset?).ok()?);
        let excerpts = report.findings().iter().map(excerpt).collect();
        Checked { path, format: Some(format.info().id), report, readable, excerpts }
    }
}

impl Excerpt {
    fn around(file: &[u8], offset: usize) -> Option<Self> {
        let start = offset / 16 * 16;
        let line = file.get(start..)?;
        let bytes = line.get(..16).unwrap_or(line).to_vec();
        (offset - start < bytes.len()).then_some(Excerpt { start, bytes, at: offset - start })
    }
}

/// Checks a file where it stands, and every member that is of a known format: rows by their paths, the file's own first.
pub fn check(
    path: &str,
    site: &Site<'_>,
    format: &'static dyn Format,
    file: &[u8],
    options: &OpenOptions,
    scrutiny: Scrutiny,
) -> Vec<Checked> {
    let mut rows = Vec::new();
    check_each(path, site, format, file, options, scrutiny, |row| rows.push(row));
    rows.sort_by(|a: &Checked, b| a.path.cmp(&b.path));
    rows
}

/// The same, telling of each row as soon as it is known: of an archive after all of its members.
pub fn check_each(
    path: &str,
    site: &Site<'_>,
    format: &'static dyn Format,
    file: &[u8],
    options: &OpenOptions,
    scrutiny: Scrutiny,
    tell: impl FnMut(Checked),
) {
    walk(path, site, format, file, options, scrutiny, &mut Telling(tell));
}

/// Who is told of a file and its members as they are walked through.
pub trait Visitor {
    /// Whether it looks at every member, also at one whose bytes another member had.
    fn wants_all(&self) -> bool {
        false
    }
    /// A member that is of no known format.
    fn stranger(&mut self, _path: &str, _file: &[u8]) {}
    /// A file or member, before its own members; nothing is opened of one that does not read.
    fn document(&mut self, _path: &str, _file: &[u8], _opened: Option<&Opened>, _site: &Site<'_>) {}
    /// What is wrong with it, after its own members.
    fn checked(&mut self, row: Checked);
}

/// One who only wants to know what is wrong.
struct Telling<F>(F);

impl<F: FnMut(Checked)> Visitor for Telling<F> {
    fn checked(&mut self, row: Checked) {
        self.0(row);
    }
}

/// Walks through a file and its members, with a visitor.
pub fn walk(
    path: &str,
    site: &Site<'_>,
    format: &'static dyn Format,
    file: &[u8],
    options: &OpenOptions,
    scrutiny: Scrutiny,
    visitor: &mut dyn Visitor,
) {
    let depth = options.read.limits.depth;
    let meter = options.read.budget.meter(&budget::LOOKING, file.len());
    if let Err(refused) = budget::charge_reading(&meter, file.len()) {
        let mut report = Report::default();
        report.push(*refused.cause);
        visitor.document(path, file, None, site);
        return visitor.checked(Checked::new(path.to_owned(), format, report, true, file));
    }
    let mut walk = Walk { options, scrutiny, meter: &meter, visitor };
    walk.visit(path, site, format, file, depth);
}

struct Walk<'o> {
    options: &'o OpenOptions,
    scrutiny: Scrutiny,
    meter: &'o Meter,
    visitor: &'o mut dyn Visitor,
}

impl Walk<'_> {
    fn visit(&mut self, path: &str, site: &Site<'_>, format: &'static dyn Format, file: &[u8], depth: u8) {
        let (report, readable) = match format.read_at(file, self.options, site) {
            // For want of room nobody can say that it does not read.
            Err(error) => {
                self.visitor.document(path, file, None, site);
                let readable = is_exhaustion(&error.cause);
                (error.into_report(), readable)
            }
            Ok(opened) => {
                self.visitor.document(path, file, Some(&opened), site);
                let mut report = opened.check_at(site, self.scrutiny);
                let own = Shelf { label: site.home, links: site.links };
                let after: Vec<Shelf<'_>> =
                    iter::once(own).chain(site.around.after.iter().copied()).collect();
                let around = Around { first: site.around.first, after: &after };
                let inside = Site { home: path, around, ..Site::NOWHERE };
                self.members(&inside, &ArchiveLinks::new(opened), depth, &mut report);
                (report, true)
            }
        };
        self.visitor.checked(Checked::new(path.to_owned(), format, report, readable, file));
    }

    fn members(&mut self, inside: &Site<'_>, links: &ArchiveLinks, depth: u8, report: &mut Report) {
        let Some(archive) = links.opened.document.as_archive() else { return };
        let Some(unpacked) = archive.unpacked_len() else {
            return self.each(archive, inside, links, depth, report);
        };
        // What is unpacked has a measure of its own.
        let input = allowance(archive, links.opened.map.len());
        let meter = self.options.read.budget.meter(&budget::LOOKING, input);
        if let Err(refused) = meter.memory(unpacked) {
            let said = format!("no member was looked into: {}", refused.cause.message);
            return report.push(refused.cause.code.at(Path::named("payloads")).saying(said));
        }
        let mut walk = Walk { meter: &meter, visitor: &mut *self.visitor, ..*self };
        walk.each(archive, inside, links, depth, report);
    }

    fn each(
        &mut self,
        archive: &dyn Archive,
        inside: &Site<'_>,
        links: &ArchiveLinks,
        depth: u8,
        report: &mut Report,
    ) {
        let members = archive.members();
        let names: Vec<String> = members.iter().map(formats::Member::shown).collect();
        let mut seen = Seen::new(self.meter, archive, members.len());
        for (i, (label, listed)) in labels_of(&names).into_iter().zip(&members).enumerate() {
            let looked = archive.prepare(i).and_then(|()| {
                let Some(bytes) = archive.member(i) else { return Ok(()) };
                let member = Member { path: format!("{}/{label}", inside.home), listed, bytes };
                self.member(&member, inside, links, depth, &mut seen)
            });
            if let Err(refused) = looked {
                let said = format!("`{label}` was not looked into: {}", refused.cause.message);
                report.push(refused.cause.code.at(Path::named("payloads").index(i)).saying(said));
            }
        }
    }

    /// Checks a member, if it is of a known format and not like one before it.
    fn member(
        &mut self,
        member: &Member<'_>,
        inside: &Site<'_>,
        links: &ArchiveLinks,
        depth: u8,
        seen: &mut Seen<'_>,
    ) -> Result<(), Exhausted> {
        let Member { path, listed, bytes } = member;
        let name = &listed.shown();
        let payload = Payload::new(bytes, listed);
        let Some(format) = seen.recogniser.recognise(&payload, bytes, listed)? else {
            self.visitor.stranger(path, bytes);
            return Ok(());
        };
        let depth = depth.checked_sub(1).ok_or_else(|| Exhausted::from(codes::TOO_DEEP.at(Path::root())))?;
        let is_alone = links.is_alone(name);
        if let Some(row) = seen.rows.get(&payload).filter(|_| is_alone) {
            self.visitor.checked(Checked { path: path.clone(), ..row.clone() });
            return Ok(());
        }
        self.meter.work(bytes.len())?;
        let _held = self.meter.hold(bytes.len())?;
        let links = Metered::new(links, self.meter);
        let site = Site { name, links: &links, declared: listed.declared, ..*inside };
        if is_alone && seen.is_shared(bytes) && !self.visitor.wants_all() {
            let mut count: usize = 0;
            let mut only = None;
            let mut told = Telling(|row: Checked| {
                count = count.saturating_add(1);
                only = Some(row.clone());
                self.visitor.checked(row);
            });
            Walk { visitor: &mut told, ..*self }.visit(path, &site, format, bytes, depth);
            seen.rows.extend(only.filter(|_| count == 1).map(|row| (payload, row)));
        } else {
            self.visit(path, &site, format, bytes, depth);
        }
        links.refused().map_or(Ok(()), Err)
    }
}

/// A member of an archive.
struct Member<'a> {
    path: String,
    listed: &'a formats::Member,
    bytes: &'a [u8],
}

/// What is known of the payloads of an archive.
struct Seen<'m> {
    recogniser: Recogniser<'m>,
    /// The rows of those that have no neighbours: nothing but their bytes made them.
    rows: BTreeMap<Payload, Checked>,
    /// Where bytes are that one member has, and no other.
    single: BTreeSet<usize>,
}

impl<'m> Seen<'m> {
    fn new(meter: &'m Meter, archive: &dyn Archive, count: usize) -> Self {
        let mut places: Vec<usize> =
            (0..count).filter_map(|i| archive.member(i)).map(|bytes| bytes.as_ptr().addr()).collect();
        places.sort_unstable();
        let single = places.chunk_by(|a, b| a == b).filter_map(|same| match same {
            [place] => Some(*place),
            _ => None,
        });
        Seen { recogniser: Recogniser::new(meter), rows: BTreeMap::new(), single: single.collect() }
    }

    /// Whether another member may have the same bytes. Of what is not unpacked yet nobody knows.
    fn is_shared(&self, bytes: &[u8]) -> bool {
        !self.single.contains(&bytes.as_ptr().addr())
    }
}

/// Refuses an archive of which the members together are out of proportion to its bytes: overlapping ones must not fill a
/// disk.
pub fn allow_extraction(
    archive: &dyn Archive,
    archive_len: usize,
    options: &OpenOptions,
) -> Result<(), EditError> {
    let mut wanted: usize = 0;
    for i in 0..archive.members().len() {
        archive.prepare(i)?;
        wanted = wanted.saturating_add(archive.member(i).map_or(0, <[u8]>::len));
    }
    let input = allowance(archive, archive_len);
    options.read.budget.meter(&budget::EXTRACTING, input).work(wanted).map_err(|_| {
        let found = format!("{wanted} bytes from an archive of {archive_len}");
        codes::OVERLAPPING.at(Path::root()).saying(found).into()
    })
}

/// Bytes that the measure for looking at members is taken of: the archive's, and of one that packs them as many as they
/// are unpacked, since it bounds those itself.
pub(crate) fn allowance(archive: &dyn Archive, archive_len: usize) -> usize {
    archive_len.saturating_add(archive.unpacked_len().unwrap_or(0))
}

/// What to do about a member that its archive does not have.
pub const LOST_HELP: &str = "its record points outside the archive's bytes; the findings say where";

/// How each member is addressed: by its name where that leads to it, else by its index.
pub fn labels(archive: &dyn Archive) -> Vec<String> {
    let names: Vec<String> = archive.members().iter().map(formats::Member::shown).collect();
    labels_of(&names)
}

/// The same of members with these names.
pub(crate) fn labels_of(names: &[String]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let label = |(i, name): (usize, &String)| {
        let usable = !name.is_empty() && !name.contains(['/', '\\']) && !name.starts_with('#');
        let first = seen.insert(name.to_lowercase());
        if usable && first { name.clone() } else { format!("#{i}") }
    };
    names.iter().enumerate().map(label).collect()
}

/// The indices of the members a word names: `#3`, a name in any case of letters, the longest run of
/// path segments that is a name first, else an index. Also how many segments that took.
pub fn find(archive: &dyn Archive, segments: &[&str]) -> Option<(Vec<usize>, usize)> {
    let names = archive.members().into_iter().map(|member| member.shown());
    let members = Candidates::named("member", Path::root(), &codes::NOT_FOUND, names);
    let first = Selector::new(segments.first()?);
    if let Selector::Index(_) = first
        && let Ok(index) = members.one::<EditError>(&first, &mut Report::default())
    {
        return Some((vec![index], 1));
    }
    (1..=segments.len()).rev().find_map(|taken| {
        let hits = members.called(&segments.get(..taken)?.join("/"));
        (!hits.is_empty()).then_some((hits, taken))
    })
}

/// Why a member could not be replaced.
#[derive(Debug, thiserror::Error)]
pub enum ReplaceError {
    /// An archive on the way does not read or has no such member.
    #[error("{0}")]
    Lost(Box<Diagnostic>),
    /// An archive refuses the bytes.
    #[error(transparent)]
    Refused(#[from] EditError),
    /// An archive cannot be written with them.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// An archive with the member at the end of a chain of indices replaced, if that is still what was read.
pub fn replace(
    file: &[u8],
    name: Option<&str>,
    chain: &[usize],
    (read, bytes): (&[u8], Vec<u8>),
    options: &OpenOptions,
) -> Result<Vec<u8>, ReplaceError> {
    let Some((&index, rest)) = chain.split_first() else {
        let changed = || EditError { cause: Box::new(codes::CHANGED.at(Path::root())) };
        return if file == read { Ok(bytes) } else { Err(changed().into()) };
    };
    let lost = |found: Diagnostic| ReplaceError::Lost(Box::new(found));
    let format =
        formats::recognise(file, name).ok_or_else(|| lost(codes::UNKNOWN_FORMAT.at(Path::root())))?;
    let mut opened = format.open(file, options).map_err(|error| ReplaceError::Lost(error.cause))?;
    let archive = opened.document.as_archive_mut().ok_or_else(|| lost(codes::NO_ARCHIVE.at(Path::root())))?;
    let member = archive.member(index).ok_or_else(|| lost(codes::NOT_FOUND.at(Path::root())))?;
    let label = labels(archive).swap_remove(index);
    let replaced = replace(member, Some(&label), rest, (read, bytes), options)?;
    archive.set_member(index, replaced)?;
    Ok(opened.document.write()?)
}
