//! The form of the game's own files, and the shortest.

use galvani_core::{EditError, Path, Report, room};

use super::{Document, LOST_BYTES, SAVED, coded, place, sound};
use crate::pack::codec::Stop;
use crate::pack::payload::Trailing;
use crate::pack::{ALIGN, COUNT_LEN, Clip, Entry, EntryContent, HEADER_LEN, survey};

/// Writes every sound animation anew: shortest codes, the coarsest key that says every angle, both frame
/// counts right, zeros in the slack and up to a multiple of 4 behind the stream, and nothing else there. The
/// frames are those of the game's own rule. Empty and damaged entries stay as they are. The report counts
/// dropped bytes per entry, and says the size before and after.
pub fn make_canonical(document: &mut Document) -> Result<Report, EditError> {
    let survey = survey(document, document.skeleton.as_ref());
    let before = byte_len(document);
    let mut report = Report::default();
    let mut made = room::with_capacity(document.entries.len())?;
    for (i, (entry, surveyed)) in document.entries.iter().zip(&survey.entries).enumerate() {
        if let EntryContent::Animation(clip) = &surveyed.content {
            made.push((i, canonical(i, entry, clip, &mut report)?));
        }
    }
    for (i, entry) in made {
        super::replace_entry(document, i, entry);
    }
    report.push(saved(Path::root(), before, byte_len(document)));
    Ok(report)
}

/// The same for one entry, which must be a sound animation.
pub fn canonical_entry(document: &mut Document, entry: usize) -> Result<Report, EditError> {
    let sound = sound(document, entry)?;
    let before = sound.entry.payload.len();
    let mut report = Report::default();
    let made = canonical(entry, sound.entry, &sound.clip, &mut report)?;
    report.push(saved(place(entry), before, made.payload.len()));
    super::replace_entry(document, entry, made);
    Ok(report)
}

fn canonical(index: usize, entry: &Entry, clip: &Clip, report: &mut Report) -> Result<Entry, EditError> {
    let frames = clip.frames(entry, Stop::Engine);
    let made = coded(index, entry.dw_bones, &frames, frames.coarsest_key(), Trailing::Padding)?;
    lost(index, entry, clip, report);
    Ok(made)
}

/// Counts the bytes behind a stream that padding will take the place of.
pub(super) fn lost(index: usize, entry: &Entry, clip: &Clip, report: &mut Report) {
    let lost = lost_bytes(entry, clip);
    if lost > 0 {
        let path = place(index).field("trailing");
        let found = format!("{lost} of {} bytes behind the stream", clip.trailing(entry).len());
        report.push(LOST_BYTES.at(path).saying(found));
    }
}

/// Bytes behind a stream that are no padding: beyond a multiple of 4, or not zero.
fn lost_bytes(entry: &Entry, clip: &Clip) -> usize {
    let padding = clip.range(entry).end.wrapping_neg() % ALIGN;
    let trailing = clip.trailing(entry).iter().enumerate();
    trailing.filter(|&(i, &byte)| i >= padding || byte != 0).count()
}

fn saved(path: Path, before: usize, after: usize) -> galvani_core::Diagnostic {
    SAVED.at(path).saying(format!("{before} bytes before, {after} bytes after"))
}

fn byte_len(document: &Document) -> usize {
    let entries = document.entries.iter().map(|entry| entry.payload.len().saturating_add(HEADER_LEN));
    entries.fold(COUNT_LEN.saturating_add(document.rest.len()), usize::saturating_add)
}
