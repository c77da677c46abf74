//! Bytes → [`Document`].

use galvani_core::archive::{Block, EntryClaim, Extent, clusters};
use galvani_core::record::FieldKind as Bytes;
use galvani_core::{Exhausted, FileMap, Path, Read, ReadError, ReadOptions, Reader, Report, room};

use super::wire::{Pixel, Word};
use super::{
    COLOURS, Colour, DIRECT, Document, Header, Header1, Header2, JPEG, LEVELS, Level, LevelKind, Shared,
    check,
};
use crate::bc;
use crate::numbers::count;

/// The magics.
pub(super) const BETA: [u8; 4] = *b"BLP0";
pub(super) const ONE: [u8; 4] = *b"BLP1";
pub(super) const TWO: [u8; 4] = *b"BLP2";

/// Reads a file. Rows of the tables that lead astray keep their numbers and are left to [`check`](super::check());
/// under strictness a file without a good level 0 ends the reading.
pub fn read(file: &[u8], options: &ReadOptions) -> Result<Read<Document>, ReadError> {
    let mut r = Reader::new(file, &check::BYTES);
    let magic = r.clone().u32("header")?.to_le_bytes();
    let header = match magic {
        BETA | ONE => Header::One(*r.record::<Header1>("header")?),
        TWO => Header::Two(*r.record::<Header2>("header")?),
        _ => {
            let found = check::MAGIC.at(Path::named("header").field("magic")).offset(0);
            return Err(found.saying(format!("`BLP1` wanted, `{}` found", magic.escape_ascii())).into());
        }
    };
    let rows = if magic == BETA { Vec::new() } else { rows(&mut r)? };
    let first = rows.first().filter(|row| row.lies_in(r.offset(), file.len()));
    let shared = shared(&mut r, &header, first.map_or(file.len(), |row| count(row.offset)))?;
    let document = placed(file, header, shared, &rows, r.offset())?;
    let map = map(file.len(), &document);
    options.strictness.enforce(|report| check::damage(&document, report), || map.clone())?;
    Ok(Read { document, map, report: Report::default(), readings: Vec::new() })
}

/// Whether bytes begin as such a file does.
pub fn is_shaped(file: &[u8]) -> bool {
    [BETA, ONE, TWO].iter().any(|magic| file.starts_with(magic))
}

/// A row of both tables.
#[derive(Debug, Clone, Copy)]
struct Row {
    offset: u32,
    size: u32,
}

impl Row {
    /// Whether there are such bytes between these places.
    fn lies_in(self, start: usize, end: usize) -> bool {
        let last = count(self.offset).checked_add(count(self.size));
        self.size > 0 && count(self.offset) >= start && last.is_some_and(|last| last <= end)
    }
}

fn rows(r: &mut Reader<'_>) -> Result<Vec<Row>, ReadError> {
    let offsets = r.table::<Word>("offsets", LEVELS)?;
    let sizes = r.table::<Word>("sizes", LEVELS)?;
    let row = |(offset, size): (&Word, &Word)| Row { offset: offset.value.get(), size: size.value.get() };
    Ok(offsets.iter().zip(sizes).map(row).collect())
}

/// What stands before the levels. A palette ends where level 0 begins, at `bound`.
fn shared(r: &mut Reader<'_>, header: &Header, bound: usize) -> Result<Shared, ReadError> {
    match header.content() {
        JPEG if r.remaining() >= size_of::<Word>() => {
            let len = r.u32("jpeg_len")?;
            if count(len) > r.remaining() {
                return Ok(Shared::Lost(len));
            }
            Ok(Shared::Jpeg(room::copied(r.bytes("jpeg", count(len))?)?))
        }
        DIRECT => {
            let room = bound.saturating_sub(r.offset()).min(r.remaining());
            let colours = room.checked_div(size_of::<Colour>()).unwrap_or(0).min(COLOURS);
            Ok(Shared::Palette(room::copied(r.table::<Colour>("palette", colours)?)?))
        }
        _ => Ok(Shared::None),
    }
}

/// The document, given where the levels may begin.
fn placed(
    file: &[u8],
    header: Header,
    shared: Shared,
    rows: &[Row],
    start: usize,
) -> Result<Document, Exhausted> {
    let mut levels: Vec<Level> = rows.iter().map(|row| kept(*row)).collect();
    let mut claims: Vec<EntryClaim> = Vec::with_capacity(rows.len());
    for (entry, row) in rows.iter().enumerate().filter(|(_, row)| row.lies_in(start, file.len())) {
        let at = count(row.offset);
        claims.push(EntryClaim { start: at, end: at.saturating_add(count(row.size)), entry });
    }
    let bytes = |from: usize, to: usize| room::copied(file.get(from..to).unwrap_or_default());
    let mut blocks: Vec<Block> = Vec::new();
    let (mut lead, mut end) = (None, start);
    for (cluster, own) in clusters(&mut claims) {
        let gap = bytes(end, cluster.start)?;
        match blocks.last_mut() {
            Some(before) => before.gap = gap,
            None => lead = Some(gap),
        }
        for claim in own {
            let (start, end) =
                (claim.start.saturating_sub(cluster.start), claim.end.saturating_sub(cluster.start));
            if let Some(level) = levels.get_mut(claim.entry) {
                *level = Level::Stored(Extent { block: blocks.len(), start, end });
            }
        }
        blocks.push(Block { bytes: bytes(cluster.start, cluster.end)?, gap: Vec::new() });
        end = cluster.end;
    }
    let rest = bytes(end, file.len())?;
    match blocks.last_mut() {
        Some(last) => last.gap = rest,
        None => lead = Some(rest),
    }
    Ok(Document { header, levels, shared, lead: lead.unwrap_or_default(), blocks, beside: Vec::new() })
}

/// A row by its numbers.
fn kept(Row { offset, size }: Row) -> Level {
    if size == 0 { Level::Absent { offset } } else { Level::Astray { offset, size } }
}

fn map(len: usize, document: &Document) -> FileMap {
    let mut map = FileMap::new(len);
    let mut at = match document.header {
        Header::One(_) => {
            map.record::<Header1>(Path::named("header"), 0);
            size_of::<Header1>()
        }
        Header::Two(_) => {
            map.record::<Header2>(Path::named("header"), 0);
            size_of::<Header2>()
        }
    };
    if !document.levels.is_empty() {
        for table in ["offsets", "sizes"] {
            map.table::<Word>(Path::named(table), at, LEVELS);
            at = at.saturating_add(LEVELS.saturating_mul(size_of::<Word>()));
        }
    }
    match &document.shared {
        Shared::None => {}
        Shared::Lost(_) => map.record::<Word>(Path::named("jpeg_len"), at),
        Shared::Jpeg(head) => {
            map.record::<Word>(Path::named("jpeg_len"), at);
            map.run(Path::named("jpeg"), at.saturating_add(4), head.len(), Bytes::Payload);
        }
        Shared::Palette(colours) => map.table::<Colour>(Path::named("palette"), at, colours.len()),
    }
    let positions = document.layout().positions();
    for (i, level) in document.levels.iter().enumerate() {
        if let Level::Stored(Extent { block, start, end }) = level
            && let Some(at) = positions.get(*block)
        {
            claim(&mut map, document, i, at.saturating_add(*start), end.saturating_sub(*start));
        }
    }
    for (i, (at, gap)) in document.layout().gaps().enumerate() {
        map.run(Path::named("gaps").index(i), at, gap.len(), Bytes::Raw);
    }
    // Findings about all of it need a place, too.
    map.run(Path::named("end"), len, 0, Bytes::Raw);
    map
}

/// The bytes of a level. What of blocks or pixels is not whole belongs to it all the same.
fn claim(map: &mut FileMap, document: &Document, level: usize, at: usize, len: usize) {
    let path = Path::named("levels").index(level);
    match document.kind() {
        Some(LevelKind::Jpeg) => map.run(path, at, len, Bytes::Payload),
        Some(LevelKind::Palette) => map.run(path, at, len, Bytes::U8),
        Some(LevelKind::Blocks(coding)) if len.is_multiple_of(coding.block_len()) => {
            bc::claim(map, path, at, len, coding);
        }
        Some(LevelKind::Plain) if len.is_multiple_of(size_of::<Pixel>()) => {
            map.table::<Pixel>(path, at, len.checked_div(size_of::<Pixel>()).unwrap_or(0));
        }
        Some(LevelKind::Blocks(_) | LevelKind::Plain) | None => map.run(path, at, len, Bytes::Raw),
    }
}
