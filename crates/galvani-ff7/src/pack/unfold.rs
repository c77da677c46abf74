//! A pack with its streams unfolded: every angle of every frame stands in two bytes of its own, and may be changed there.
//!
//! [`unfolded`] has what lies between streams as it is, a count before it, and instead of each stream how many frames of how many
//! rotations it has, its key, its slack, and the frames. [`folded`] is the way back. What would not come back byte for byte stays
//! folded.

use galvani_core::{Exhausted, Path, room};

use super::codec::{Frames, encode};
use super::{ALIGN, AngleKey, Clip, Document, Entry, EntryContent, Header, MINI_LEN, survey, wire, write};

/// A pack with its streams unfolded, and where the frames of entries begin.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unfolded {
    /// All of it.
    pub bytes: Vec<u8>,
    /// What stands where: frames and keys of entries, and bytes from a frame to the next.
    pub tables: Vec<(Path, usize, usize)>,
}

/// Bytes of a number of a frame.
const WORD: usize = 2;

/// Bytes of an entry's header.
const ENTRY_LEN: usize = size_of::<wire::EntryHeader>();

/// Unfolds the streams of a pack; nothing if it does not come back.
pub fn unfolded(document: &Document) -> Result<Option<Unfolded>, Exhausted> {
    let Ok(file) = write(document) else { return Ok(None) };
    let mut made = Unfolded::default();
    // What stands before the first entry is the count.
    let (mut kept, mut at) = (0, size_of::<wire::Count>());
    let surveyed = survey(document, document.skeleton.as_ref()).entries;
    for (index, (entry, surveyed)) in document.entries.iter().zip(surveyed).enumerate() {
        let payload = at.saturating_add(ENTRY_LEN);
        at = payload.saturating_add(entry.payload.len());
        let EntryContent::Animation(clip) = &surveyed.content else { continue };
        let Some(frames) = sound(document, entry, clip) else { continue };
        let range = clip.range(entry);
        let stream = payload.saturating_add(range.start)..payload.saturating_add(range.end);
        piece(&mut made.bytes, file.get(kept..stream.start).unwrap_or_default())?;
        kept = stream.end;
        stated(&mut made, index, &frames, (clip.key, clip.slack(entry)))?;
    }
    piece(&mut made.bytes, file.get(kept..).unwrap_or_default())?;
    Ok((folded(&made.bytes)?.as_ref() == Some(&file)).then_some(made))
}

/// The frames of an entry whose stream is as our own would be.
fn sound(document: &Document, entry: &Entry, clip: &Clip) -> Option<Frames> {
    let frames = clip.frames(entry, document.stop());
    let coded = encode(&frames, clip.key, clip.slack(entry));
    let is_own = entry.payload.get(clip.range(entry)) == Some(&coded.bytes[..]);
    let is_whole = matches!(clip.header, Header::Whole { .. })
        && usize::try_from(entry.dw_chunk_size) == Ok(entry.payload.len());
    (is_own && is_whole && !frames.is_empty()).then_some(frames)
}

/// Bytes with their count before them.
fn piece(made: &mut Vec<u8>, bytes: &[u8]) -> Result<(), Exhausted> {
    room::append(made, &count(bytes.len()))?;
    room::append(made, bytes)
}

fn count(number: usize) -> [u8; 4] {
    u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes()
}

/// Frames, and what is said of them.
fn stated(
    made: &mut Unfolded,
    entry: usize,
    frames: &Frames,
    (key, slack): (AngleKey, u8),
) -> Result<(), Exhausted> {
    let path = Path::named("entries").index(entry);
    room::append(&mut made.bytes, &count(frames.len()))?;
    room::append(&mut made.bytes, &count(frames.rotations()))?;
    made.tables.push((path.field("key"), made.bytes.len(), 0));
    room::append(&mut made.bytes, &[key.byte(), slack])?;
    made.tables.push((path.field("frames"), made.bytes.len(), stride(frames.rotations())));
    for frame in frames.iter() {
        for number in frame.position.iter().chain(frame.bones.as_flattened()) {
            room::append(&mut made.bytes, &number.to_le_bytes())?;
        }
    }
    Ok(())
}

/// Bytes from a frame to the next: a position, and angles of every rotation.
fn stride(rotations: usize) -> usize {
    rotations.saturating_add(1).saturating_mul(3 * WORD)
}

/// Folds streams again; nothing if this is no unfolded pack. Headers count what the streams have become.
pub fn folded(bytes: &[u8]) -> Result<Option<Vec<u8>>, Exhausted> {
    let (mut made, mut rest) = (Vec::new(), bytes);
    let mut padding = 0_usize;
    loop {
        let Some(between) = take_counted(&mut rest) else { return Ok(None) };
        let Some(between) = between.get(padding..) else { return Ok(None) };
        room::append(&mut made, between)?;
        if rest.is_empty() {
            return Ok(Some(made));
        }
        let Some((frames, key, slack)) = frames(&mut rest) else { return Ok(None) };
        let stream = encode(&frames, key, slack).bytes;
        let Some(next) = rest.get(size_of::<u32>()..) else { return Ok(None) };
        let Some(pad) = headed(&mut made, &stream, next) else { return Ok(None) };
        room::append(&mut made, &stream)?;
        padding = pad.0;
        room::append(&mut made, pad.1)?;
    }
}

/// Lets the headers at the end count a stream that follows; how many bytes behind it are padding that goes, and what comes instead.
fn headed<'p>(made: &mut [u8], stream: &[u8], next: &[u8]) -> Option<(usize, &'p [u8])> {
    let start = made.len().checked_sub(ENTRY_LEN.checked_add(MINI_LEN)?)?;
    let headers = made.get_mut(start..)?;
    let chunk_size = usize::try_from(word(headers, 8)?).ok()?;
    let old = usize::from(u16::from_le_bytes(*headers.get(ENTRY_LEN.checked_add(2)?..)?.first_chunk()?));
    if old == stream.len() {
        return Some((0, &[]));
    }
    let behind = chunk_size.checked_sub(MINI_LEN)?.checked_sub(old)?;
    let is_padding = behind < ALIGN && next.get(..behind)?.iter().all(|byte| *byte == 0);
    let end = MINI_LEN.checked_add(stream.len())?;
    let pad = [0; ALIGN].len().min(end.wrapping_neg() % ALIGN);
    let (gone, comes) = if is_padding { (behind, pad) } else { (0, 0) };
    let size = end.checked_add(behind)?.checked_sub(gone)?.checked_add(comes)?;
    headers.get_mut(8..)?.first_chunk_mut::<4>().map(|word| *word = count(size))?;
    let stream_size = u16::try_from(stream.len()).ok()?.to_le_bytes();
    headers.get_mut(ENTRY_LEN.checked_add(2)?..)?.first_chunk_mut().map(|word| *word = stream_size)?;
    Some((gone, PADDING.get(..comes)?))
}

/// What streams are filled up with.
const PADDING: &[u8] = &[0; ALIGN];

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|word| u32::from_le_bytes(*word))
}

/// Bytes that stand behind their count.
fn take_counted<'b>(rest: &mut &'b [u8]) -> Option<&'b [u8]> {
    let (count, behind) = rest.split_first_chunk()?;
    let (taken, behind) = behind.split_at_checked(usize::try_from(u32::from_le_bytes(*count)).ok()?)?;
    *rest = behind;
    Some(taken)
}

/// Frames, with their key and slack.
fn frames(rest: &mut &[u8]) -> Option<(Frames, AngleKey, u8)> {
    let (count, behind) = rest.split_first_chunk()?;
    let (rotations, behind) = behind.split_first_chunk()?;
    let ([key, slack], behind) = behind.split_first_chunk()?;
    let [count, rotations] = [count, rotations].map(|word| u32::from_le_bytes(*word));
    let (count, rotations) = (usize::try_from(count).ok()?, usize::try_from(rotations).ok()?);
    let (stored, behind) = behind.split_at_checked(count.checked_mul(stride(rotations))?)?;
    *rest = behind;
    let mut frames = Frames::new(rotations);
    for frame in stored.chunks_exact(stride(rotations)) {
        let words: Vec<i16> =
            frame.as_chunks::<WORD>().0.iter().map(|word| i16::from_le_bytes(*word)).collect();
        let (position, angles) = words.split_first_chunk::<3>()?;
        frames.push(*position, angles.as_chunks::<3>().0);
    }
    Some((frames, AngleKey::from_byte(*key)?, *slack))
}
