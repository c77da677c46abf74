//! The operations of `edit` on a pack.

use galvani_core::{EditError, Meter, Path, ReadOptions, Report};
use galvani_ff7::pack::edit::{self, Edge};
use galvani_ff7::pack::quantise::{Precision, Rounding};
use galvani_ff7::pack::{self, AngleKey, Document, Entry, EntryContent, Role, check, survey};
use galvani_ff7::skeleton;

use super::animation::{self, Animation};
use super::place;
use crate::formats::argument::{Clip, Clips, File, Node, words};
use crate::formats::mend::mends;
use crate::formats::operation::{Cost, Editable, operations};
use crate::formats::select::Candidates;
use crate::formats::{ArgumentValue, Indices, Mend, Operation, Selector, Thing};

/// Every operation.
pub(super) const OPERATIONS: &[Operation] = operations! { Document;
    "puts a copy of a frame before it, or behind the last"
    "insert-frame" (clip: Clip = "which", frame: usize = "which")
    |pack| looked(pack, clip, |document, clip| edit::insert_frame(document, clip, frame));

    "deletes frames"
    "delete-frames" (
        clip: Clip = "which",
        first: usize = "the first that goes",
        last: usize = "the last that goes",
    )
    |pack| looked(pack, clip, |document, clip| edit::delete_frames(document, clip, first, last));

    "moves frames, the first of them to a place"
    "move-frames" (
        clip: Clip = "which",
        first: usize = "the first of them",
        last: usize = "the last of them",
        to: usize = "where the first comes to stand",
    )
    |pack| looked(pack, clip, |document, clip| edit::move_frames(document, clip, first, last, to));

    "copies frames before a frame of a clip"
    "copy-frames" (
        clip: Clip = "which",
        first: usize = "the first of them",
        last: usize = "the last of them",
        to_clip as "to-clip": Clip = "into which",
        to: usize = "before which frame",
    )
    |pack| looked(pack, clip, |document, clip| edit::copy_frames(document, clip, first, last, to_clip.0, to));

    "leads from a frame to another the shortest way"
    "blend-frames" (clip: Clip = "which", first: usize = "from which", last: usize = "to which")
    |pack| looked(pack, clip, |document, clip| edit::blend_frames(document, clip, first, last));

    "keeps the frames from first to last"
    "trim" (
        clip: Clip = "which",
        first: usize = "the first that stays",
        last: usize = "the last that stays",
    )
    |pack| looked(pack, clip, |document, clip| edit::trim(document, clip, first, last));

    "plays a clip backwards"
    "reverse" (clip: Clip = "which")
    |pack| looked(pack, clip, edit::reverse);

    "gives a frame another position"
    "set-position" (
        clip: Clip = "which",
        frame: usize = "which",
        x: f32 = "across",
        y: f32 = "down",
        z: f32 = "along",
    )
    |pack| looked(pack, clip, |document, clip| edit::set_position(document, clip, frame, whole([x, y, z])?));

    "gives a bone other angles in a frame, in degrees"
    "set-rotation" (
        clip: Clip = "which",
        frame: usize = "which",
        bone: Node = "which, 0 being the root",
        x: f64 = "about x",
        y: f64 = "about y",
        z: f64 = "about z",
    )
    |pack| looked(pack, clip, |document, clip| edit::set_rotation(document, clip, frame, bone.0, [x, y, z]));

    "moves all frames of a clip"
    "offset-position" (clip: Clip = "which", x: f64 = "across", y: f64 = "down", z: f64 = "along")
    |pack| looked(pack, clip, |document, clip| edit::offset_position(document, clip, [x, y, z]));

    "multiplies the positions of a clip"
    "scale-position" (clip: Clip = "which", scale: f64 = "by how much")
    |pack| looked(pack, clip, |document, clip| edit::scale_position(document, clip, scale));

    "turns a bone in all frames, in degrees"
    "offset-rotation" (
        clip: Clip = "which",
        bone: Node = "which, 0 being the root",
        x: f64 = "about x",
        y: f64 = "about y",
        z: f64 = "about z",
    )
    |pack| looked(pack, clip, |document, clip| edit::offset_rotation(document, clip, bone.0, [x, y, z]));

    "multiplies how far a bone turns from its first frame"
    "scale-rotation" (
        clip: Clip = "which",
        bone: Node = "which, 0 being the root",
        scale: f64 = "by how much",
    )
    |pack| looked(pack, clip, |document, clip| edit::scale_rotation(document, clip, bone.0, scale));

    "puts frames between frames, bone by bone"
    "resample" (
        clips: Clips = "which",
        factor: u32 = "how many for each",
        edge: Edge = "whether the last leads to the first",
        degrees: f64 = "by how much they may be off",
    )
    |pack, meter| resample(pack, &clips.0, factor, edge, degrees, None, meter);

    "puts frames between frames, on the rotations of the whole model; wants its skeleton beside it"
    "resample-model" (
        clips: Clips = "which",
        factor: u32 = "how many for each",
        edge: Edge = "whether the last leads to the first",
        degrees: f64 = "by how much they may be off",
    )
    |pack, meter| {
        let Some(skeleton) = pack.rig.clone() else {
            return Err(edit::NO_SKELETON.at(Path::root()).into());
        };
        resample(pack, &clips.0, factor, edge, degrees, Some(&skeleton), meter)
    };

    "takes the coarsest key that is off by no more"
    "quantise" (clip: Clip = "which", degrees: f64 = "by how much it may be off")
    |pack| looked(pack, clip, |document, clip| {
        edit::quantise(document, clip, Precision::Tolerance(degrees), Rounding::Nearest).map(drop)
    });

    "takes another key, whatever that loses"
    "recode" (
        clip: Clip = "which",
        key: u32 = "0, 2 or 4",
        rounding: Rounding = "how angles are rounded",
    )
    |pack| looked(pack, clip, |document, clip| recode(document, clip, key, rounding));

    "mends the header of a damaged clip and drops half frames; of all, those that can be"
    "repair" (clip: Clips = "which")
    |pack| repair(pack, &clip.0);

    "gives an entry a payload, or frames in JSON"
    "replace" (clip: Clip = "which", file: File = "its payload or its frames")
    |pack| replace(pack, clip.0, &file.0);

    "adds an entry behind the others of body or weapon"
    "add" (role: Role = "of what it is", file: File = "its payload or its frames")
    |pack| add(pack, role, &file.0);

    "adds a copy of another pack's animation"
    "copy-clip" (file: File = "the other pack", clip: usize = "which of its entries")
    |pack| copy_clip(pack, &file.0, clip);

    "makes an entry an empty slot"
    "clear" (clip: Clip = "which")
    |pack| edit::clear(pack, clip.0);

    "removes an entry; those behind it get other numbers"
    "remove" (clip: Clip = "which")
    |pack| edit::remove(pack, clip.0).map(drop);

    "re-encodes every sound clip as short as it can be"
    "canonical" ()
    |pack| edit::make_canonical(pack);
};

/// Every mend.
pub(super) const MENDS: &[Mend] = mends! { Document;
    [check::CUT, check::FRAME_COUNT, check::NO_FRAME_COUNT]
    "the entry is repaired: its count of frames is set, and half a frame goes"
    |pack| edit::repair_all(pack);
};

words! { Edge { "loop" => Edge::Loop, "once" => Edge::Once } }
words! { Rounding { "nearest" => Rounding::Nearest, "down" => Rounding::Down } }
words! { Role { "body" => Role::Body, "weapon" => Role::Weapon } }

/// Bones that a pack may count: no skeleton has as many, and a damaged count must not fill the memory.
const MOST_BONES: usize = 4096;

/// Clips and bones have no names.
impl Editable for Document {
    fn select(
        &self,
        thing: Thing,
        wanted: &Selector,
        notes: &mut Report,
    ) -> Result<Vec<ArgumentValue>, EditError> {
        if thing == Thing::Node {
            // Which of them a clip has is known when it is looked at.
            let bones = self.entries.iter().map(|entry| entry.dw_bones).max().unwrap_or(0);
            let bones = usize::try_from(bones).unwrap_or(usize::MAX).min(MOST_BONES);
            let all =
                Candidates::nameless("bone", Path::named("entries").field("bones"), &edit::NO_BONE, bones);
            return all.values(wanted, notes);
        }
        let entries = self.entries.len();
        Candidates::nameless("entry", Path::named("entries"), &edit::NO_ENTRY, entries).values(wanted, notes)
    }
}

/// An operation that looks at the frames of a clip: what had to be guessed about them is told.
fn looked<C: Cost>(
    pack: &mut Document,
    clip: Clip,
    change: impl FnOnce(&mut Document, usize) -> Result<C, EditError>,
) -> Result<Report, EditError> {
    let mut report = edit::guesses(pack, vec![clip.0]);
    report.append(change(pack, clip.0).into_report()?);
    Ok(report)
}

fn recode(document: &mut Document, clip: usize, key: u32, rounding: Rounding) -> Result<(), EditError> {
    let Some(key) = u8::try_from(key).ok().and_then(AngleKey::from_byte) else {
        return Err(edit::PRECISION.at(place(clip)).saying("0, 2 or 4 is wanted").into());
    };
    edit::quantise(document, clip, Precision::Key(key), rounding).map(drop)
}

fn replace(document: &mut Document, clip: usize, file: &[u8]) -> Result<(), EditError> {
    match animation::of_file(file)? {
        Animation::Payload(payload) => edit::replace(document, clip, payload),
        Animation::Frames(frames, key) => edit::replace_frames(document, clip, &frames, key),
    }
}

/// A payload alone does not say how many rotations it has: as many as its neighbours.
fn add(document: &mut Document, role: Role, file: &[u8]) -> Result<(), EditError> {
    let entry = match animation::of_file(file)? {
        Animation::Frames(frames, key) => edit::new_entry(&frames, key)?,
        Animation::Payload(payload) => {
            let bones = match role {
                Role::Body => document.entries.first().map_or(1, |entry| entry.dw_bones),
                Role::Weapon => 1,
            };
            let frames = payload.first_chunk().map_or(1, |count| u32::from(u16::from_le_bytes(*count)));
            Entry::new(bones, frames, payload)
        }
    };
    edit::add(document, role, entry).map(drop)
}

/// Adds a copy of an animation of another pack, which is read for itself.
fn copy_clip(document: &mut Document, file: &[u8], clip: usize) -> Result<(), EditError> {
    let other =
        pack::read(file, &ReadOptions::default()).map_err(|error| EditError { cause: error.cause })?;
    edit::copy_clip(document, &other.document, clip).map(drop)
}

/// Repairs clips; where all are meant, those that are sound, empty or beyond repair are passed over.
fn repair(document: &mut Document, asked: &Indices) -> Result<Report, EditError> {
    document.room_for_copy()?;
    let (mut made, mut report) = (document.clone(), Report::default());
    if *asked == Indices::All {
        report.append(edit::repair_all(&mut made)?);
    } else {
        let clips = asked.among(document.entries.len());
        report.append(edit::guesses(document, clips.clone()));
        for clip in clips {
            let (_, costs) = edit::repair(&mut made, clip)?;
            report.append(costs);
        }
    }
    *document = made;
    Ok(report)
}

/// Puts frames between frames; where all are meant, empty and damaged entries are passed over.
fn resample(
    document: &mut Document,
    asked: &Indices,
    factor: u32,
    edge: Edge,
    degrees: f64,
    skeleton: Option<&skeleton::Document>,
    meter: &Meter,
) -> Result<Report, EditError> {
    let mut clips = asked.among(document.entries.len());
    let mut report = edit::guesses(document, clips.clone());
    if *asked == Indices::All {
        let survey = survey(document, document.skeleton.as_ref());
        let is_sound = |clip: usize| {
            survey.entries.get(clip).is_some_and(|entry| matches!(entry.content, EntryContent::Animation(_)))
        };
        clips.retain(|&clip| is_sound(clip));
    }
    report.append(edit::resample(document, &clips, factor, edge, degrees, skeleton, meter)?);
    Ok(report)
}

/// Whole numbers of 16 bits.
fn whole(values: [f32; 3]) -> Result<[i16; 3], EditError> {
    let number = |value: f32| {
        // A whole number is written without a point.
        let whole = value.to_string().parse();
        whole.map_err(|_| {
            EditError::from(edit::VALUE.at(place(0).field("position")).saying(value.to_string()))
        })
    };
    let [x, y, z] = values.map(number);
    Ok([x?, y?, z?])
}
