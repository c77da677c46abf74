//! Bytes → [`Document`].

use galvani_core::record::{FieldKind, Record};
use galvani_core::{FileMap, Path, Read, ReadError, ReadOptions, Reader, Report, room};

use super::{Document, Dx10, Format, HEADER_LEN, Header, MAGIC, PixelFormat, Shape, check, wire};
use crate::bc::{self, Coding};

/// How many levels a map names one by one. A file of single pixels may have millions; the rest is one region.
const MAPPED_LEVELS: usize = 4096;

/// Reads a file. What is behind the headers is kept whatever it is, and left to [`check`](super::check()); under
/// strictness a level that the file does not have ends the reading.
pub fn read(file: &[u8], options: &ReadOptions) -> Result<Read<Document>, ReadError> {
    let mut r = Reader::new(file, &check::BYTES);
    let header: Header = *r.record("header")?;
    let magic = header.magic.0.get().to_le_bytes();
    if magic != MAGIC {
        let found = check::MAGIC.at(Path::named("header").field("magic")).offset(0);
        return Err(found.saying(format!("`DDS ` wanted, `{}` found", magic.escape_ascii())).into());
    }
    let has_second = PixelFormat::from_header(&header, None).has_second_header();
    let dx10: Option<Dx10> = if has_second { Some(*r.record("dx10")?) } else { None };
    let document = Document { header, dx10, data: room::copied(r.rest())? };
    let map = map(file.len(), &document);
    options.strictness.enforce(|report| check::damage(&document, report), || map.clone())?;
    Ok(Read { document, map, report: Report::default(), readings: Vec::new() })
}

/// Whether bytes begin as such a file does.
pub fn is_shaped(file: &[u8]) -> bool {
    file.starts_with(&MAGIC)
}

fn map(len: usize, document: &Document) -> FileMap {
    let mut map = FileMap::new(len);
    map.record::<Header>(Path::named("header"), 0);
    let mut at = HEADER_LEN;
    if document.dx10.is_some() {
        map.record::<Dx10>(Path::named("dx10"), at);
        at = at.saturating_add(size_of::<Dx10>());
    }
    let mut left = document.data.len();
    if let Some(shape) = document.shape() {
        let spots = (0..shape.layers).flat_map(|layer| (0..shape.levels).map(move |level| (layer, level)));
        for (layer, level) in spots.take(MAPPED_LEVELS) {
            let wanted = usize::try_from(shape.level_len(level)).unwrap_or(usize::MAX);
            let layer = usize::try_from(layer).unwrap_or(usize::MAX);
            let path = Path::named("layers").index(layer).field("levels").index(level);
            if wanted > left {
                // An empty region for what is not there at all: findings need a place.
                map.run(path, at, left, FieldKind::Raw);
                return map;
            }
            region(&mut map, path, at, wanted, &shape);
            at = at.saturating_add(wanted);
            left = left.saturating_sub(wanted);
        }
        let named = usize::try_from(shape.len()).unwrap_or(usize::MAX);
        let unnamed = document.data.len().saturating_sub(left);
        let more = named.saturating_sub(unnamed).min(left);
        if more > 0 {
            map.run(Path::named("layers"), at, more, FieldKind::Payload);
            at = at.saturating_add(more);
            left = left.saturating_sub(more);
        }
    }
    map.run(Path::named("rest"), at, left, FieldKind::Raw);
    map
}

/// The blocks or pixels of a level.
fn region(map: &mut FileMap, path: Path, at: usize, len: usize, shape: &Shape) {
    match shape.format {
        Format::Blocks(coding) => bc::claim(map, path, at, len, coding),
        Format::Wide => bc::claim(map, path, at, len, Coding::Bc7),
        Format::Plain(plain) => match plain.bytes() {
            1 => table::<wire::Pixel1>(map, path, at, len),
            2 => table::<wire::Pixel2>(map, path, at, len),
            3 => table::<wire::Pixel3>(map, path, at, len),
            _ => table::<wire::Pixel4>(map, path, at, len),
        },
    }
}

fn table<T: Record>(map: &mut FileMap, path: Path, at: usize, len: usize) {
    map.table::<T>(path, at, len.checked_div(size_of::<T>()).unwrap_or(0));
}
