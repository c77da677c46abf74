//! Edits of a pack: each leaves what it does not mean as it is, and changes nothing when it is refused.
//!
//! An edit of frames writes the stream anew: in the shortest codes, at the entry's own precision as long as
//! that holds every angle, with both frame counts, the size and the padding right. Bytes behind the stream
//! that are no padding stay there. Frames are found by the document's own rule ([`Document::stop`]). Angles
//! count modulo a turn: an edit after which all of them are what they were leaves the bytes alone.

mod between;
mod bones;
mod canonical;
mod entries;
mod frames;
mod rate;
mod repair;

pub use bones::{
    offset_position, offset_rotation, quantise, scale_position, scale_rotation, set_position, set_rotation,
};
pub use canonical::{canonical_entry, make_canonical};
pub use entries::{add, clear, copy_clip, new_entry, remove, replace, replace_frames};
pub use frames::{blend_frames, copy_frames, delete_frames, insert_frame, move_frames, reverse, trim};
pub use rate::{Edge, resample};
pub use repair::{repair, repair_all};

use galvani_core::{EditError, Path, Report, codes};

use super::codec::{Frames, angle, encode, first_frame_bits, least_frame_bits};
use super::payload::{self, Trailing};
use super::survey::Surveyor;
use super::{
    AngleKey, Bones, Clip, Damage, Document, Entry, EntryContent, KnownSkeleton, Survey, Surveyed, survey,
};

codes! {
    NO_ENTRY = Error, "ff7-pack.no-entry",
        "there is no such entry",
        "the outline lists the entries, counted from 0";
    NO_FRAME = Error, "ff7-pack.no-frame",
        "there is no such frame",
        "the outline says how many frames an entry has; they are counted from 0, and the last one is not before the first";
    NO_BONE = Error, "ff7-pack.no-bone",
        "there is no such rotation",
        "0 is the root, 1 the first bone";
    NOT_AN_ANIMATION = Error, "ff7-pack.not-an-animation",
        "there is no sound animation",
        "choose another entry; its findings say what is wrong with a damaged one";
    TOO_LONG = Error, "ff7-pack.too-long",
        "an animation is longer than its header can say",
        "65535 frames or bytes are the most; shorten it, or choose a coarser key";
    LAST_FRAME = Error, "ff7-pack.last-frame",
        "an animation needs at least one frame",
        "clear the entry instead";
    VALUE = Error, "ff7-pack.value",
        "a number is not one that can be stored",
        "give a finite number in range";
    PRECISION = Error, "ff7-pack.precision",
        "angles cannot be said so exactly",
        "allow for half a step: 0.044 degrees at key 0, 0.176 at key 2, 0.704 at key 4";
    OTHER_ROTATIONS = Error, "ff7-pack.other-rotations",
        "frames have another number of rotations",
        "frames of one model fit each other; those of its weapon have one rotation";
    SKELETON = Error, "ff7-pack.skeleton",
        "the skeleton does not fit the animation",
        "an animation has a rotation for every bone and one for the root, and parents stand before children";
    NO_SKELETON = Error, "ff7-pack.no-skeleton",
        "the skeleton of the model is not beside the pack",
        "name it, or put it into the same folder or archive: `rtaa` for `rtda`, `name.d` for \
         `name.a00`";
    FACTOR = Error, "ff7-pack.factor",
        "the factor is not a whole number from 2 on",
        "2 makes 15 frames a second 30, 4 makes them 60";
    NOTHING_TO_REPAIR = Error, "ff7-pack.nothing-to-repair",
        "the entry is not damaged",
        "its findings name the damaged entries";
    ENTRY_COUNT = Error, "ff7-pack.entry-count",
        "an entry cannot be added",
        "behind the last one of a file whose count names more nothing is known; no pack has more than 65536";
    BONES = Warning, "ff7-pack.bones",
        "how many bones there are is a guess",
        "say how many bones there are, name the skeleton, or put it beside the pack";
    COARSER = Warning, "ff7-pack.coarser",
        "angles were stored more coarsely so that the animation is not too long",
        "give a smaller factor, or allow for fewer degrees to have it refused";
    LOST_BYTES = Warning, "ff7-pack.lost-bytes",
        "bytes behind a stream were dropped",
        "the game does not look at them; some tools leave them there";
    SAVED = Note, "ff7-pack.saved",
        "the pack was written anew",
        "every angle and every frame is what it was";
}

/// The frames of an animation, and how they are stored.
pub fn frames_of(document: &Document, entry: usize) -> Result<(Frames, Clip), EditError> {
    let sound = sound(document, entry)?;
    Ok((sound.frames, sound.clip))
}

/// Which of some entries have a number of rotations that is a guess, as findings.
pub fn guesses(document: &Document, entries: impl IntoIterator<Item = usize>) -> Report {
    // A skeleton speaks for each entry alone; without one the pack's own word counts if all entries fit it.
    if let Some(skeleton) = document.skeleton {
        let mut surveyor = surveyor(document);
        return guessed(Bones::Known(skeleton), entries, |entry| surveyor.entry(entry));
    }
    let Survey { entries: surveyed, bones } = survey(document, None);
    guessed(bones, entries, |entry| surveyed.get(entry).cloned())
}

fn guessed(
    bones: Bones,
    entries: impl IntoIterator<Item = usize>,
    mut look: impl FnMut(usize) -> Option<Surveyed>,
) -> Report {
    let why = match bones {
        Bones::Known(KnownSkeleton { bones, .. }) => format!("the skeleton has {bones} bones"),
        Bones::Own | Bones::Nobody => "not all entries fit what their headers say".to_owned(),
    };
    let mut report = Report::default();
    for entry in entries {
        let Some(surveyed) = look(entry).filter(|surveyed| surveyed.is_guess(bones)) else { continue };
        let rotations = surveyed.clip().map_or(0, |clip| clip.rotations);
        let found = format!("{rotations} rotations a frame, the root's among them, are taken; {why}");
        report.push(BONES.at(place(entry)).saying(found));
    }
    report
}

/// Gives an animation other frames: at a key, or at the entry's own if that holds every angle and otherwise
/// at the coarsest that does.
pub fn set_frames(
    document: &mut Document,
    entry: usize,
    frames: &Frames,
    key: Option<AngleKey>,
) -> Result<(), EditError> {
    let made = sound(document, entry)?.with(frames, key)?;
    replace_entry(document, entry, made);
    Ok(())
}

/// An animation of a document of which every frame can be had.
struct Sound<'a> {
    index: usize,
    entry: &'a Entry,
    clip: Clip,
    frames: Frames,
}

/// The animation of an entry; refused if the entry holds none.
fn sound(document: &Document, index: usize) -> Result<Sound<'_>, EditError> {
    surveyed_sound(document, &mut surveyor(document), index)
}

/// The same for one of several entries.
fn surveyed_sound<'a>(
    document: &'a Document,
    surveyor: &mut Surveyor<'_>,
    index: usize,
) -> Result<Sound<'a>, EditError> {
    let entry = document.entries.get(index).ok_or_else(|| no_entry(document, index))?;
    let refused = |why: &str| NOT_AN_ANIMATION.at(place(index)).saying(why);
    match surveyor.entry(index).map(|surveyed| surveyed.content) {
        // A count that is wrong or missing is written anew with the frames, all of which are there.
        Some(
            EntryContent::Animation(clip)
            | EntryContent::Damaged { why: Damage::FrameCount | Damage::NoFrameCount, clip: Some(clip) },
        ) => {
            let frames = clip.frames(entry, document.stop());
            Ok(Sound { index, entry, clip, frames })
        }
        Some(EntryContent::Empty) | None => Err(refused("the entry is empty").into()),
        Some(EntryContent::Damaged { .. }) => {
            let advice = "repair the entry first; its findings say what is wrong with it";
            Err(refused("the entry is damaged").advising(advice).into())
        }
    }
}

/// An entry and what it holds.
fn look(document: &Document, index: usize) -> Result<(&Entry, EntryContent), EditError> {
    let entry = document.entries.get(index).ok_or_else(|| no_entry(document, index))?;
    let surveyed = surveyor(document).entry(index);
    Ok((entry, surveyed.map_or(EntryContent::Empty, |surveyed| surveyed.content)))
}

/// Looks into single entries of a document.
fn surveyor(document: &Document) -> Surveyor<'_> {
    Surveyor::new(document, document.skeleton.as_ref())
}

impl Sound<'_> {
    /// The entry with other frames; itself if they are the same.
    fn with(&self, frames: &Frames, key: Option<AngleKey>) -> Result<Entry, EditError> {
        let key = key.unwrap_or_else(|| self.clip.key.min(frames.coarsest_key()));
        if frames.rotations() != self.clip.rotations {
            return Err(other_rotations(self.index, self.clip.rotations, frames.rotations()));
        }
        if key == self.clip.key && same(frames, &self.frames) {
            return Ok(self.entry.clone());
        }
        coded(self.index, self.entry.dw_bones, frames, key, Trailing::after_stream(&self.clip, self.entry))
    }
}

/// Makes an edit of the frames of an entry.
fn change(
    document: &mut Document,
    entry: usize,
    change: impl FnOnce(&Clip, &Frames) -> Result<Frames, EditError>,
) -> Result<(), EditError> {
    let sound = sound(document, entry)?;
    let frames = change(&sound.clip, &sound.frames)?;
    let made = sound.with(&frames, None)?;
    replace_entry(document, entry, made);
    Ok(())
}

/// An entry of frames: the one place that writes a stream. Refused before anything is put together if the key
/// does not hold every angle, or the header cannot count it.
fn coded(
    index: usize,
    dw_bones: u32,
    frames: &Frames,
    key: AngleKey,
    trailing: Trailing<'_>,
) -> Result<Entry, EditError> {
    if frames.is_empty() {
        return Err(LAST_FRAME.at(place(index)).into());
    }
    if frames.rotations() == 0 {
        return Err(OTHER_ROTATIONS.at(place(index)).saying("1 or more wanted, 0 found").into());
    }
    let coarsest = frames.coarsest_key();
    if key > coarsest {
        let found = format!("key {key} wanted, the angles need key {coarsest}");
        let refused = PRECISION.at(place(index).field("b_key")).saying(found);
        return Err(refused.advising("quantise the angles first").into());
    }
    fits(index, frames.rotations(), frames.len(), key)?;
    let stream = encode(frames, key, 0).bytes;
    let s_frames = counted(index, frames.len(), "frames")?;
    let s_size = counted(index, stream.len(), "bytes of stream")?;
    let payload = payload::animation(s_frames, s_size, key, &stream, trailing)?;
    Ok(Entry::new(dw_bones, u32::from(s_frames), payload))
}

/// Refuses frames that are too many even if nothing moves in them, so that nobody makes them.
fn fits(index: usize, rotations: usize, frames: usize, key: AngleKey) -> Result<(), EditError> {
    counted(index, frames, "frames")?;
    let later = frames.saturating_sub(1).saturating_mul(least_frame_bits(rotations));
    let bits = first_frame_bits(rotations, key).saturating_add(later);
    counted(index, bits.div_ceil(8), "bytes of stream at least").map(|_| ())
}

/// A number that a header has 16 bits for.
fn counted(index: usize, count: usize, of: &str) -> Result<u16, EditError> {
    u16::try_from(count).map_err(|_| {
        let over = count.saturating_sub(usize::from(u16::MAX));
        let found = format!("{count} {of}, {over} more than {}", u16::MAX);
        TOO_LONG.at(place(index)).saying(found).into()
    })
}

/// Whether frames are the same modulo whole turns.
fn same(one: &Frames, other: &Frames) -> bool {
    one.len() == other.len()
        && one.iter().zip(other.iter()).all(|(one, other)| {
            let (angles, others) = (one.bones.iter().flatten(), other.bones.iter().flatten());
            one.position == other.position && angles.copied().map(angle).eq(others.copied().map(angle))
        })
}

fn replace_entry(document: &mut Document, index: usize, made: Entry) {
    if let Some(entry) = document.entries.get_mut(index) {
        *entry = made;
    }
}

/// Where an entry stands.
fn place(index: usize) -> Path {
    Path::named("entries").index(index)
}

fn no_entry(document: &Document, index: usize) -> EditError {
    NO_ENTRY.at(place(index)).saying(format!("entry {index} of {}", document.entries.len())).into()
}

fn other_rotations(index: usize, wanted: usize, found: usize) -> EditError {
    OTHER_ROTATIONS.at(place(index)).saying(format!("{wanted} wanted, {found} found")).into()
}
