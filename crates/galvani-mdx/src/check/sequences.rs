//! SEQS and GLBS, and the bounds of the model.

use std::cell::LazyCell;
use std::ops::Deref;

use galvani_core::{Diagnostic, Path, Reading, Report, text};
use zerocopy::little_endian::{F32, U32};

use super::container::is_named;
use super::summary::{Summary, windows};
use super::{
    BOUNDS, BOUNDS_SMALL, DEATH, FLAGS, GLOBAL_ZERO, RESERVED, SEQUENCE_COUNT, SEQUENCE_EMPTY,
    SEQUENCE_FIELDS, SEQUENCE_FLAGS, SEQUENCE_OVERLAP, SEQUENCE_REVERSED, STAND,
};
use crate::model::{ModelEnd, Sequences};
use crate::wire::{SequenceWarcraft, SequenceWow};
use crate::{Chunk, Content, Document, Family};

/// Sequences that a byte can count (docs/formats/mdx-records.md#seqs).
const MOST: usize = 255;

/// Bits of a sequence that are known.
const NOT_LOOPING: u32 = 1;

pub(super) fn sequences(document: &Document, summary: &Summary<'_>, report: &mut Report) {
    let mut names: Vec<&[u8]> = Vec::new();
    let mut spans: Vec<(i64, i64, usize)> = Vec::new();
    let mut count: usize = 0;
    let is_still = LazyCell::new(|| is_still(document));
    for &(_, first, chunk) in &summary.chunks {
        match &chunk.content {
            Content::Sequences(rows) => {
                for (i, (start, end)) in (first..).zip(windows(rows)) {
                    length(i, start, end, &is_still, report);
                    spans.push((start, end, i));
                }
                each(document, rows, first, &mut names, report);
                count = count.saturating_add(rows.len());
            }
            Content::Globals(lengths) => {
                for (i, _) in (first..).zip(lengths).filter(|(_, length)| length.get() == 0) {
                    report.push(GLOBAL_ZERO.at(Path::named("GLBS").index(i)));
                }
            }
            Content::Model(model) => {
                bounds(Path::named("MODL"), model.fixed.min, model.fixed.max, report);
                room(document, model.fixed.min, model.fixed.max, report);
                if let ModelEnd::Wow(end) = model.end {
                    flags(|| Path::named("MODL"), u32::from(end.flags), 7, report);
                }
            }
            _ => {}
        }
    }
    if document.family() == Family::Wow && count > MOST {
        let found = format!("at most {MOST} wanted, {count} found");
        report.push(SEQUENCE_COUNT.at(Path::named("SEQS").field("count")).saying(found));
    }
    overlaps(spans, report);
    if count > 0 && is_named(document) {
        usual(&names, report);
    }
}

/// Whether nothing moves by the sequences: then how long they are is all one.
fn is_still(document: &Document) -> bool {
    let mut moves = false;
    document.each_track(|_, track| moves |= track.global == -1 && track.times.len() > 1);
    !moves
}

fn length(i: usize, start: i64, end: i64, is_still: &impl Deref<Target = bool>, report: &mut Report) {
    let path = || Path::named("SEQS").index(i).field("end");
    if end < start {
        report.push(SEQUENCE_REVERSED.at(path()).saying(format!("from {start} to {end}")));
    } else if end == start {
        let finding = SEQUENCE_EMPTY.at(path()).saying(format!("from {start} to {end}"));
        report.push(if **is_still { finding.as_note() } else { finding });
    }
}

/// One finding per sequence that begins before another has ended.
fn overlaps(mut spans: Vec<(i64, i64, usize)>, report: &mut Report) {
    spans.sort_unstable();
    let mut reached: Option<(i64, usize)> = None;
    for (start, end, i) in spans {
        if let Some((last, other)) = reached
            && start < last
        {
            let found = format!("it starts at {start}, sequence {other} ends at {last}");
            let finding = SEQUENCE_OVERLAP.at(Path::named("SEQS").index(i).field("start")).saying(found);
            // A part of another, or the same under another name, is no accident.
            report.push(if end <= last { finding.as_note() } else { finding });
        }
        if reached.is_none_or(|(last, _)| end > last) {
            reached = Some((end, i));
        }
    }
}

fn each<'a>(
    document: &Document,
    sequences: &'a Sequences,
    first: usize,
    names: &mut Vec<&'a [u8]>,
    report: &mut Report,
) {
    let path = |i| Path::named("SEQS").index(i);
    match sequences {
        Sequences::Warcraft(rows) => {
            for (i, row) in (first..).zip(rows) {
                names.push(&row.name.0);
                unknown(path(i), row.flags.get(), report);
                bounds(path(i), row.min, row.max, report);
                for finding in fields(path(i), &warcraft_fields(row)) {
                    report.push(finding.pedantic());
                }
            }
        }
        Sequences::Wow(rows) => {
            for (i, row) in (first..).zip(rows) {
                names.push(&row.name.0);
                unknown(path(i), row.flags.get(), report);
                let documented = row.documented();
                let (min, max) = match document.seqs {
                    Reading::Documented => {
                        reserved(path(i), documented.zero_08, report);
                        (documented.min, documented.max)
                    }
                    Reading::Observed => (row.min, row.max),
                };
                bounds(path(i), min, max, report);
                fields(path(i), &wow_fields(document.seqs, row)).for_each(|finding| report.push(finding));
            }
        }
    }
}

/// The words that the document says are zero.
fn reserved(path: Path, words: [U32; 2], report: &mut Report) {
    let words = words.map(U32::get);
    if words != [0; 2] {
        let found = format!("zeros wanted, {words:x?} found");
        report.push(RESERVED.at(path.field("zero_08")).saying(found));
    }
}

fn unknown(path: Path, flags: u32, report: &mut Report) {
    if flags & !NOT_LOOPING != 0 {
        let found = format!("0x{:x} of 0x{flags:x}", flags & !NOT_LOOPING);
        report.push(SEQUENCE_FLAGS.at(path.field("flags")).saying(found));
    }
}

/// What a field says and whether that is the usual.
type Said = (&'static str, String, bool);

fn warcraft_fields(row: &SequenceWarcraft) -> [Said; 2] {
    [
        ("rarity", row.rarity.get().to_string(), row.rarity.get() == 0.0),
        ("sync_point", row.sync_point.get().to_string(), row.sync_point.get() == 0),
    ]
}

/// The fields whose names depend on the reading: the document wants them watched.
fn wow_fields(reading: Reading, row: &SequenceWow) -> [Said; 4] {
    let number = |name, value: u32| (name, value.to_string(), value == 0);
    if reading == Reading::Documented {
        let row = row.documented();
        return [
            number("playback_speed", row.playback_speed.get()),
            number("frequency", row.frequency.get()),
            number("unknown_84", row.unknown_84.get()),
            number("unknown_88", row.unknown_88.get()),
        ];
    }
    let frequency = row.frequency.get();
    [
        ("frequency", frequency.to_string(), [0.0, 1.0].contains(&frequency)),
        number("replay_min", row.replay_min.get()),
        number("replay_max", row.replay_max.get()),
        number("blend_time", row.blend_time.get()),
    ]
}

fn fields(path: Path, said: &[Said]) -> impl Iterator<Item = Diagnostic> {
    let unusual = said.iter().filter(|(_, _, usual)| !usual);
    unusual.map(move |(name, value, _)| SEQUENCE_FIELDS.at(path.field(name)).saying(value.as_str()))
}

/// The sequences that a game asks for by name: of units, which walk or attack.
fn usual(names: &[&[u8]], report: &mut Report) {
    let has = |wanted: &str| names.iter().any(|name| text::shown(name).to_lowercase().starts_with(wanted));
    let is_unit = has("walk") || has("attack");
    for (code, wanted) in [(&STAND, "stand"), (&DEATH, "death")] {
        if !has(wanted) {
            let finding = code.at(Path::named("SEQS")).saying(format!("none of {} sequences", names.len()));
            report.push(if is_unit { finding } else { finding.pedantic() });
        }
    }
}

/// The box of a model with vertices that is a point.
fn room(document: &Document, min: [F32; 3], max: [F32; 3], report: &mut Report) {
    if !is_point(min, max) {
        return;
    }
    let leaves = |place: [F32; 3]| place.iter().all(|part| part.get().is_finite()) && !is_point(min, place);
    let leaves = |chunk: &Chunk| match &chunk.content {
        Content::Geosets(records) => {
            let mut places = records.typed().flat_map(|(_, geoset)| &geoset.vertices);
            places.any(|row| leaves([row.x, row.y, row.z]))
        }
        Content::Batches(batches) => {
            let mut places = batches.iter().flat_map(|batch| &batch.vertices);
            places.any(|vertex| leaves(vertex.position))
        }
        _ => false,
    };
    if document.chunks.iter().any(leaves) {
        let found = format!("all of it is {:?}, and vertices are elsewhere", min.map(F32::get));
        report.push(BOUNDS_SMALL.at(Path::named("MODL").field("min")).saying(found));
    }
}

/// Whether two corners are one place.
pub(crate) fn is_point(min: [F32; 3], max: [F32; 3]) -> bool {
    in_order(min, max) && in_order(max, min)
}

/// Whether a box is one.
pub(crate) fn in_order(min: [F32; 3], max: [F32; 3]) -> bool {
    min.iter().zip(&max).all(|(min, max)| min.get() <= max.get())
}

/// Boxes that are inside out or not there.
pub(super) fn bounds(path: Path, min: [F32; 3], max: [F32; 3], report: &mut Report) {
    if !in_order(min, max) {
        let shown = |corner: [F32; 3]| corner.map(F32::get);
        report.push(BOUNDS.at(path.field("min")).saying(format!("{:?} to {:?}", shown(min), shown(max))));
    }
}

/// Flags beyond those that are known.
pub(super) fn flags(at: impl Fn() -> Path, flags: u32, known: u32, report: &mut Report) {
    if flags & !known != 0 {
        report.push(FLAGS.at(at().field("flags")).saying(format!("0x{:x} of 0x{flags:x}", flags & !known)));
    }
}
