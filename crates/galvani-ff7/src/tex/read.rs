//! Bytes → [`Document`].

use galvani_core::record::FieldKind;
use galvani_core::{FileMap, Path, Read, ReadError, ReadOptions, Reader, Report, room};
use zerocopy::FromBytes;

use super::{
    Colour, ColourKey, Document, HEADER_LEN, Header, MOST_PIXEL_BYTES, VERSION, Wanted, check, wanted, wire,
};

/// Reads a texture. A file that ends early is kept as far as it goes and left to
/// [`check`](super::check()); under strictness that ends the reading.
pub fn read(file: &[u8], options: &ReadOptions) -> Result<Read<Document>, ReadError> {
    let mut r = Reader::new(file, &check::BYTES);
    let header: Header = *r.record("header")?;
    let mut document = Document::with_header(header);
    let wanted = wanted(&header);
    let mut whole = true;
    let colours = fit(&r, wanted.colours.into(), size_of::<Colour>(), &mut whole);
    document.palette = room::copied(r.table("palette", colours)?)?;
    let pixels = fit(&r, wanted.pixels, wanted.stride, &mut whole);
    document.pixels = room::copied(r.bytes("pixels", pixels.saturating_mul(wanted.stride))?)?;
    let keys = fit(&r, wanted.keys.into(), size_of::<ColourKey>(), &mut whole);
    document.colour_keys = room::copied(r.table("colour_keys", keys)?)?;
    document.rest = room::copied(r.rest())?;
    let map = map(file.len(), &document);
    options.strictness.enforce(|report| check::damage(&document, report), || map.clone())?;
    Ok(Read { document, map, report: Report::default(), readings: Vec::new() })
}

/// How many whole records of a part there are; none once one was cut short.
fn fit(r: &Reader<'_>, wanted: u128, stride: usize, whole: &mut bool) -> usize {
    let room = r.remaining().checked_div(stride).unwrap_or(0);
    let wanted = usize::try_from(wanted).unwrap_or(usize::MAX);
    let found = if *whole { wanted.min(room) } else { 0 };
    *whole &= wanted <= room;
    found
}

/// Whether bytes look like a texture: the version, pixels of one to four bytes, and sizes that add up to the last
/// byte, with or without the colour keys.
pub fn is_shaped(file: &[u8]) -> bool {
    let Ok((header, _)) = Header::ref_from_prefix(file) else { return false };
    let known = header.version.get() == VERSION
        && header.has_palette.get() <= 1
        && (1..=MOST_PIXEL_BYTES).contains(&header.bytes_per_pixel.get())
        && (header.has_palette.get() == 0 || header.palette_entries.get() > 0);
    let Wanted { colours, pixels, keys, .. } = wanted(header);
    let colours = u128::from(colours).saturating_mul(4);
    let pixel_bytes = pixels.saturating_mul(header.bytes_per_pixel.get().into());
    let before_keys =
        [colours, pixel_bytes].iter().fold(HEADER_LEN_WIDE, |sum, &len| sum.saturating_add(len));
    let here = u128::try_from(file.len()).unwrap_or(u128::MAX);
    let fits = here == before_keys || here == before_keys.saturating_add(keys.into());
    known && pixels > 0 && fits
}

/// The length of the header, to be added to what does not fit a `usize`.
const HEADER_LEN_WIDE: u128 = 236;
const _: () = assert!(HEADER_LEN == 236);

fn map(len: usize, document: &Document) -> FileMap {
    let mut map = FileMap::new(len);
    map.record::<Header>(Path::named("header"), 0);
    let mut at = HEADER_LEN;
    map.table::<Colour>(Path::named("palette"), at, document.palette.len());
    at = at.saturating_add(size_of_val(document.palette.as_slice()));
    pixels(&mut map, at, document);
    at = at.saturating_add(document.pixels.len());
    map.table::<ColourKey>(Path::named("colour_keys"), at, document.colour_keys.len());
    at = at.saturating_add(document.colour_keys.len());
    if !document.rest.is_empty() {
        map.run(Path::named("rest"), at, document.rest.len(), FieldKind::Raw);
    }
    map
}

fn pixels(map: &mut FileMap, at: usize, document: &Document) {
    let (path, len) = (Path::named("pixels"), document.pixels.len());
    match document.header.bytes_per_pixel.get() {
        1 => map.table::<wire::Pixel1>(path, at, len),
        2 => map.table::<wire::Pixel2>(path, at, len / 2),
        3 => map.table::<wire::Pixel3>(path, at, len / 3),
        4 => map.table::<wire::Pixel4>(path, at, len / 4),
        _ if len == 0 => map.table::<wire::Pixel1>(path, at, 0),
        // Nobody knows such pixels.
        _ => map.run(path, at, len, FieldKind::Raw),
    }
}
