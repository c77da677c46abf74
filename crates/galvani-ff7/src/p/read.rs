//! Bytes → [`Document`].

use galvani_core::record::{FieldKind, Record};
use galvani_core::{Exhausted, FileMap, Path, Read, ReadError, ReadOptions, Reader, Report, room};
use zerocopy::FromBytes;

use super::{Document, HEADER_LEN, Header, VERSION, check, counts};

/// Reads a polygon file. A file that ends early is kept as far as it goes and left to
/// [`check`](super::check()); under strictness that ends the reading.
pub fn read(file: &[u8], options: &ReadOptions) -> Result<Read<Document>, ReadError> {
    let mut r = Reader::new(file, &check::BYTES);
    let header: Header = *r.record("header")?;
    let mut document = Document::with_header(header);
    let mut rows = Rows { r, counts: counts(&header).into_iter(), whole: true };
    document.verts = rows.next()?;
    document.normals = rows.next()?;
    document.unknown1 = rows.next()?;
    document.texcoords = rows.next()?;
    document.vertex_colours = rows.next()?;
    document.polygon_colours = rows.next()?;
    document.edges = rows.next()?;
    document.polys = rows.next()?;
    document.unknown2 = rows.next()?;
    document.unknown3 = rows.next()?;
    document.hundreds = rows.next()?;
    document.groups = rows.next()?;
    document.boxes = rows.next()?;
    document.normal_index = rows.next()?;
    document.rest = room::copied(rows.r.rest())?;
    let map = map(file.len(), &document);
    options.strictness.enforce(|report| check::damage(&document, report), || map.clone())?;
    Ok(Read { document, map, report: Report::default(), readings: Vec::new() })
}

/// The sections one after the other.
struct Rows<'a, I> {
    r: Reader<'a>,
    /// Records that the header counts in the sections to come.
    counts: I,
    /// Whether no section was cut short so far.
    whole: bool,
}

impl<I: Iterator<Item = u32>> Rows<'_, I> {
    /// The whole records of the next section; none once one was cut short.
    fn next<T: Record + Copy>(&mut self) -> Result<Vec<T>, Exhausted> {
        let wanted = self.counts.next().and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX);
        if !self.whole {
            return Ok(Vec::new());
        }
        let fit = self.r.remaining().checked_div(size_of::<T>()).unwrap_or(0);
        self.whole = wanted <= fit;
        room::copied(self.r.table("rows", wanted.min(fit)).unwrap_or_default())
    }
}

/// Whether bytes look like a polygon file: the version, and counts that add up to the last byte, with or
/// without the table of normals.
pub fn is_shaped(file: &[u8]) -> bool {
    let Ok((header, _)) = Header::ref_from_prefix(file) else { return false };
    let known = header.version.get() == VERSION && header.unknown_04.get() == 1 && header.verts.get() > 0;
    let nothing = Document::with_header(*header);
    let len = |section: super::Section<'_>| {
        u64::from(section.wanted).saturating_mul(u64::try_from(section.stride).unwrap_or(u64::MAX))
    };
    let lens = nothing.sections().map(len);
    let whole = lens.iter().fold(u64::try_from(HEADER_LEN).unwrap_or(0), |sum, &len| sum.saturating_add(len));
    let [.., normal_index] = lens;
    let here = u64::try_from(file.len()).unwrap_or(u64::MAX);
    known && (here == whole || here == whole.saturating_sub(normal_index))
}

fn map(len: usize, document: &Document) -> FileMap {
    let mut map = FileMap::new(len);
    map.record::<Header>(Path::named("header"), 0);
    let mut at = HEADER_LEN;
    for section in document.sections() {
        map.table_as(Path::named(section.name), at, section.found(), section.fields, section.stride);
        at = at.saturating_add(section.bytes.len());
    }
    if !document.rest.is_empty() {
        map.run(Path::named("rest"), at, document.rest.len(), FieldKind::Raw);
    }
    map
}
