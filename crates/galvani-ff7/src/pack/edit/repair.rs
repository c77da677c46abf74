//! Damaged entries made sound, as far as their frames can be had.

use galvani_core::budget::is_exhaustion;
use galvani_core::{EditError, Exhausted, Report, room};

use super::canonical::lost;
use super::{Document, Entry, NOT_AN_ANIMATION, NOTHING_TO_REPAIR, counted, look, place, replace_entry};
use crate::pack::payload::{self, Trailing};
use crate::pack::{Clip, Damage, EntryContent, survey};

/// Makes a damaged animation sound and says how many frames it has: puts a missing `sFrames` in, sets a wrong
/// one, or drops a frame that is not whole. The bits of the whole frames stay as they are; behind them stand zeros up
/// to a multiple of 4, as in the game's own files, and the report counts what stood there instead.
pub fn repair(document: &mut Document, entry: usize) -> Result<(u16, Report), EditError> {
    let (old, content) = look(document, entry)?;
    let (why, clip) = match content {
        EntryContent::Animation(_) => {
            return Err(NOTHING_TO_REPAIR.at(place(entry)).saying("the animation is sound").into());
        }
        EntryContent::Empty => {
            return Err(NOTHING_TO_REPAIR.at(place(entry)).saying("the entry is empty").into());
        }
        EntryContent::Damaged { clip: None, .. } => {
            let refused = NOT_AN_ANIMATION.at(place(entry)).saying("no frame can be had of the entry");
            return Err(refused.advising("clear the entry, or replace it").into());
        }
        EntryContent::Damaged { why, clip: Some(clip) } => (why, clip),
    };
    let frames = counted(entry, clip.engine.frames, "frames")?;
    let mut report = Report::default();
    lost(entry, old, &clip, &mut report);
    let made = Entry::new(old.dw_bones, u32::from(frames), repaired(old, &clip, why, frames)?);
    replace_entry(document, entry, made);
    Ok((frames, report))
}

/// Repairs every damaged animation of which a frame can be had, and leaves those that cannot be repaired as they are; refused
/// where there is none to repair.
pub fn repair_all(document: &mut Document) -> Result<Report, EditError> {
    let survey = survey(document, document.skeleton.as_ref());
    let is_damaged = |content: &EntryContent| matches!(content, EntryContent::Damaged { clip: Some(_), .. });
    let surveyed = survey.entries.iter().enumerate().filter(|(_, entry)| is_damaged(&entry.content));
    let (mut report, mut any) = (Report::default(), false);
    for (entry, _) in surveyed {
        match repair(document, entry) {
            Ok((_, costs)) => {
                any = true;
                report.append(costs);
            }
            Err(error) if is_exhaustion(&error.cause) => return Err(error),
            Err(_) => {}
        }
    }
    if any { Ok(report) } else { Err(NOTHING_TO_REPAIR.at(super::Path::root()).into()) }
}

fn repaired(entry: &Entry, clip: &Clip, why: Damage, s_frames: u16) -> Result<Vec<u8>, Exhausted> {
    let whole = entry.payload.get(clip.range(entry)).unwrap_or_default();
    let used = clip.engine.bit.div_ceil(8);
    let mut stream = room::copied(whole.get(..used).unwrap_or(whole))?;
    if why == Damage::Cut
        && let Some(last) = stream.last_mut()
    {
        // What is left of the frame that goes.
        let slack = clip.engine.bit.wrapping_neg() % 8;
        *last &= u8::MAX.wrapping_shl(u32::try_from(slack).unwrap_or(0));
    }
    let s_size = u16::try_from(stream.len()).unwrap_or(clip.s_size);
    payload::animation(s_frames, s_size, clip.key, &stream, Trailing::Padding)
}
