//! Bytes → [`Document`].

use galvani_core::budget::is_exhaustion;
use galvani_core::record::FieldKind;
use galvani_core::{Exhausted, FileMap, Path, Read, ReadError, ReadOptions, Reader, Report, Severity, room};

use super::wire::{Counts, Damage, Speed, Surface, TrackHead};
use super::{Document, Head, Phase, PhaseKey, Track, VERSION, check, head_len};

/// Versions whose heads differ, the game's own first.
const FORMS: [u32; 4] = [VERSION, 3, 2, 1];

/// Reads a material of which only the bytes are known: as the game's own version, unless only another one fits to the
/// last byte. Tracks can hide the difference between heads, so a version that also makes sense goes first.
pub fn read(file: &[u8], options: &ReadOptions) -> Result<Read<Document>, ReadError> {
    let mut fitting: Vec<(u32, Document)> = Vec::new();
    for version in FORMS {
        match parts(file, version) {
            Ok(document) if fits(&document) => fitting.push((version, document)),
            Err(error) if is_exhaustion(&error.cause) => return Err(error),
            _ => {}
        }
    }
    let is_sound = |(_, document): &&(u32, Document)| check(document).tally(Severity::Error) == 0;
    let found = fitting.iter().find(is_sound).or(fitting.first());
    read_as(file, found.map_or(VERSION, |(version, _)| *version), options)
}

/// Reads a material of a version, the `attr2` of its archive's record. A file that ends early is kept as far as it
/// goes and left to [`check`](super::check()); under strictness that ends the reading.
pub fn read_as(file: &[u8], version: u32, options: &ReadOptions) -> Result<Read<Document>, ReadError> {
    let document = parts(file, version)?;
    let map = map(file.len(), &document);
    options.strictness.enforce(|report| check::damage(&document, report), || map.clone())?;
    Ok(Read { document, map, report: Report::default(), readings: Vec::new() })
}

/// Bytes 5 to 9 of every material of the game: the byte behind the class of surface, and a factor of speed of 1.
const USUAL: [u8; 5] = [0xff, 0, 0, 0x80, 0x3f];

/// Whether a file is a material and hardly anything else: what all of the game's have in common stands there, and it
/// is one to the last byte, with nothing wrong. A material has no mark of its own.
pub fn is_shaped(file: &[u8]) -> bool {
    let is_usual = file.get(5..).is_some_and(|rest| rest.starts_with(&USUAL));
    let is_right = |document: &Document| fits(document) && check(document).tally(Severity::Error) == 0;
    is_usual && parts(file, VERSION).ok().as_ref().is_some_and(is_right)
}

/// Whether the parts are whole and nothing follows them.
fn fits(document: &Document) -> bool {
    document.cut().is_none() && document.rest.is_empty()
}

fn parts(file: &[u8], version: u32) -> Result<Document, ReadError> {
    let mut r = Reader::new(file, &check::BYTES);
    let mut head = Head { counts: *r.record("head")?, ..Head::default() };
    if version >= 2 {
        head.surface = *r.record("surface")?;
    }
    if version >= 3 {
        head.speed = *r.record("speed")?;
    }
    if version >= 4 {
        head.damage = *r.record("damage")?;
    }
    let phase_count = usize::from(head.counts.phase_count.get());
    let fit = r.remaining().checked_div(size_of::<Phase>()).unwrap_or(0);
    let phases: Vec<Phase> = room::copied(r.table("phases", phase_count.min(fit))?)?;
    let mut tracks = Vec::new();
    if phases.len() == phase_count {
        for _ in 0..head.counts.track_count.get() {
            let Some(track) = track(&mut r)? else { break };
            room::push(&mut tracks, track)?;
        }
    }
    Ok(Document { version, head, phases, tracks, rest: room::copied(r.rest())? })
}

/// The next track, if all of it is there.
fn track(r: &mut Reader<'_>) -> Result<Option<Track>, Exhausted> {
    let mut ahead = r.clone();
    let Some((word, keys)) = keys(&mut ahead) else { return Ok(None) };
    let track = Track { word, keys: room::copied(keys)? };
    *r = ahead;
    Ok(Some(track))
}

/// Whether a whole track follows.
pub(super) fn leads_on(r: &mut Reader<'_>) -> bool {
    keys(r).is_some()
}

/// The word and the keys of a track, if all of it is there.
fn keys<'a>(r: &mut Reader<'a>) -> Option<(u32, &'a [PhaseKey])> {
    let head: &TrackHead = r.record("tracks").ok()?;
    Some((head.word.get(), r.table("keys", head.key_count.get().into()).ok()?))
}

fn map(len: usize, document: &Document) -> FileMap {
    let mut map = FileMap::new(len).with_room(document.tracks.len().saturating_mul(2).saturating_add(6));
    map.record::<Counts>(Path::named("head"), 0);
    if document.version >= 2 {
        map.record::<Surface>(Path::named("surface"), 4);
    }
    if document.version >= 3 {
        map.record::<Speed>(Path::named("speed"), 6);
    }
    if document.version >= 4 {
        map.record::<Damage>(Path::named("damage"), 10);
    }
    let mut at = head_len(document.version);
    map.table::<Phase>(Path::named("phases"), at, document.phases.len());
    at = at.saturating_add(size_of_val(document.phases.as_slice()));
    // A list without elements has a place all the same.
    map.run(Path::named("tracks"), at, 0, FieldKind::Raw);
    for (i, track) in document.tracks.iter().enumerate() {
        let path = Path::named("tracks").index(i);
        map.record::<TrackHead>(path, at);
        at = at.saturating_add(size_of::<TrackHead>());
        map.table::<PhaseKey>(path.field("keys"), at, track.keys.len());
        at = at.saturating_add(size_of_val(track.keys.as_slice()));
    }
    map.run(Path::named("rest"), at, document.rest.len(), FieldKind::Raw);
    map
}
