//! Sequences added, removed and renamed.

use galvani_core::record::Text;
use galvani_core::{EditError, Path, Reading, room};
use zerocopy::little_endian::{F32, I32, U32};
use zerocopy::{FromBytes, IntoBytes};

use super::{IDS, MEETS, NO_SEQUENCE, SEQUENCE_COUNT, WINDOW, put_chunk, text, whole, whole_timeline};
use crate::model::Sequences;
use crate::wire::{Bounds, SequenceDocumented, SequenceWarcraft, SequenceWow};
use crate::{Content, Document, Family, Sequence};

/// Sequences that the WoW client takes.
const MOST: usize = 255;

/// What becomes of the keys of a sequence that is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keys {
    /// They stay where they are, in no sequence.
    Keep,
    /// Those that lie in no other sequence are deleted, and tracks that are left without keys are removed.
    Drop,
}

/// Adds a sequence behind the others and says its index. It loops, and its bounds are those of the model.
///
/// In the documented reading its name is a number, or two with a dot between them.
pub fn add_sequence(document: &mut Document, name: &str, start: i64, end: i64) -> Result<usize, EditError> {
    let windows = windows(document);
    let index = windows.len();
    let path = Path::named("SEQS").index(index);
    let (first, last) = window(path, start, end)?;
    if first == last {
        return Err(WINDOW.at(path).saying(format!("from {start} to {end}")).into());
    }
    if let Some(other) = windows.iter().position(|(from, to)| start < *to && end > *from) {
        return Err(meets(path, (start, end), other, &windows));
    }
    if document.family() == Family::Wow && index >= MOST {
        return Err(SEQUENCE_COUNT.at(path).saying(format!("{index} sequences")).into());
    }
    whole(document, &[b"SEQS"])?;
    let name = Text(name_of(document, path, name)?);
    let bounds = bounds(document);
    let family = document.family();
    let rows = match (document.chunks.iter().rposition(is_sequences), family) {
        (Some(_), _) => None,
        (None, Family::Warcraft) => Some(Sequences::Warcraft(Vec::new())),
        (None, Family::Wow) => Some(Sequences::Wow(Vec::new())),
    };
    if let Some(rows) = rows {
        put_chunk(document, *b"SEQS", Content::Sequences(rows));
    }
    let reading = document.seqs;
    let chunk = document.chunks.iter_mut().rev().find(|chunk| is_sequences(chunk));
    if let Some(Content::Sequences(sequences)) = chunk.map(|chunk| &mut chunk.content) {
        let Bounds { radius, min, max } = bounds;
        match sequences {
            Sequences::Warcraft(rows) => rows.push(SequenceWarcraft {
                name,
                start: U32::new(first.cast_unsigned()),
                end: U32::new(last.cast_unsigned()),
                move_speed: F32::ZERO,
                flags: U32::ZERO,
                rarity: F32::ZERO,
                sync_point: U32::ZERO,
                radius,
                min,
                max,
            }),
            Sequences::Wow(rows) => {
                let (start, end) = (I32::new(first), I32::new(last));
                let row = SequenceWow {
                    name,
                    start,
                    end,
                    move_speed: F32::ZERO,
                    flags: U32::ZERO,
                    radius,
                    min,
                    max,
                    // Alone among the variations of its animation.
                    frequency: F32::new(1.0),
                    replay_min: U32::ZERO,
                    replay_max: U32::ZERO,
                    blend_time: U32::ZERO,
                };
                rows.push(if reading == Reading::Documented { documented(&row) } else { row });
            }
        }
    }
    follow_extents(document, index, Vec::push);
    Ok(index)
}

/// Removes a sequence, and says how many keys went with it. Geosets that have bounds for every sequence lose
/// those of this one.
pub fn remove_sequence(document: &mut Document, index: usize, keys: Keys) -> Result<usize, EditError> {
    let mut windows = windows(document);
    let count = windows.len();
    let window = window_of(&windows, index)?;
    let mut dropped: usize = 0;
    if keys == Keys::Drop {
        whole_timeline(document)?;
        windows.remove(index);
        let goes = |time: i32| {
            let inside = |(start, end): &(i64, i64)| (*start..=*end).contains(&i64::from(time));
            inside(&window) && !windows.iter().any(inside)
        };
        room::probe(document.keys_len())?;
        document.change_tracks(|track| {
            if track.global != -1 || !track.times.iter().any(|time| goes(*time)) {
                return true;
            }
            let words = track.value.words().max(1);
            let stays: Vec<bool> = track.times.iter().map(|time| !goes(*time)).collect();
            for list in [&mut track.values, &mut track.in_tangents, &mut track.out_tangents] {
                let kept = list.chunks_exact(words).zip(&stays).filter(|(_, stays)| **stays);
                *list = kept.flat_map(|(key, _)| key.iter().copied()).collect();
            }
            let before = track.times.len();
            track.times.retain(|time| !goes(*time));
            dropped = dropped.saturating_add(before.saturating_sub(track.times.len()));
            !track.times.is_empty()
        });
    }
    let mut at = index;
    for chunk in &mut document.chunks {
        let Content::Sequences(sequences) = &mut chunk.content else { continue };
        let len = sequences.len();
        if at < len {
            match sequences {
                Sequences::Warcraft(rows) => {
                    rows.remove(at);
                }
                Sequences::Wow(rows) => {
                    rows.remove(at);
                }
            }
            break;
        }
        at = at.saturating_sub(len);
    }
    follow_extents(document, count, |extents, _| {
        extents.remove(index);
    });
    Ok(dropped)
}

/// Gives a sequence another name; in the documented reading other numbers.
pub fn rename_sequence(document: &mut Document, index: usize, name: &str) -> Result<(), EditError> {
    window_of(&windows(document), index)?;
    let mut room = name_of(document, Path::named("SEQS").index(index).field("name"), name)?;
    let is_documented = is_documented(document);
    each_row(document, |i, row| {
        if i != index {
            return;
        }
        let old = match row {
            Row::Warcraft(row) => &mut row.name.0,
            Row::Wow(row) => &mut row.name.0,
        };
        if is_documented {
            // Only the two numbers change; the rest of the room is something else.
            let rest = old.get(IDS_LEN..).unwrap_or_default().to_vec();
            room.iter_mut().skip(IDS_LEN).zip(rest).for_each(|(new, old)| *new = old);
        }
        *old = room;
    });
    Ok(())
}

/// Bytes of the two numbers that stand where a name would.
const IDS_LEN: usize = 8;

/// A row of either family.
pub(super) enum Row<'a> {
    Warcraft(&'a mut SequenceWarcraft),
    Wow(&'a mut SequenceWow),
}

impl Row<'_> {
    /// Puts it elsewhere on the timeline.
    pub(super) fn set(self, start: i32, end: i32) {
        match self {
            Row::Warcraft(row) => {
                row.start.set(start.cast_unsigned());
                row.end.set(end.cast_unsigned());
            }
            Row::Wow(row) => {
                row.start.set(start);
                row.end.set(end);
            }
        }
    }
}

/// Calls `each` with every sequence and its index.
pub(super) fn each_row(document: &mut Document, mut each: impl FnMut(usize, Row<'_>)) {
    let mut i: usize = 0;
    for chunk in &mut document.chunks {
        let Content::Sequences(sequences) = &mut chunk.content else { continue };
        let rows: Vec<Row<'_>> = match sequences {
            Sequences::Warcraft(rows) => rows.iter_mut().map(Row::Warcraft).collect(),
            Sequences::Wow(rows) => rows.iter_mut().map(Row::Wow).collect(),
        };
        for row in rows {
            each(i, row);
            i = i.saturating_add(1);
        }
    }
}

/// First and last moment of every sequence.
pub(super) fn windows(document: &Document) -> Vec<(i64, i64)> {
    document.sequences().into_iter().map(Sequence::window).collect()
}

/// The window of a sequence, or a refusal.
pub(super) fn window_of(windows: &[(i64, i64)], index: usize) -> Result<(i64, i64), EditError> {
    windows.get(index).copied().ok_or_else(|| {
        let found = format!("sequence {index} of {}", windows.len());
        NO_SEQUENCE.at(Path::named("SEQS").index(index)).saying(found).into()
    })
}

/// A window as keys and sequences can say it.
pub(super) fn window(path: Path, start: i64, end: i64) -> Result<(i32, i32), EditError> {
    match (i32::try_from(start), i32::try_from(end)) {
        (Ok(first), Ok(last)) if first <= last => Ok((first, last)),
        _ => Err(WINDOW.at(path).saying(format!("from {start} to {end}")).into()),
    }
}

/// Says which other sequence is in the way.
pub(super) fn meets(path: Path, (start, end): (i64, i64), other: usize, all: &[(i64, i64)]) -> EditError {
    let (from, to) = all.get(other).copied().unwrap_or_default();
    let found = format!("from {start} to {end}, sequence {other} is from {from} to {to}");
    MEETS.at(path).saying(found).into()
}

/// Geosets whose bounds are as many as the sequences follow.
fn follow_extents(document: &mut Document, count: usize, mut follow: impl FnMut(&mut Vec<Bounds>, Bounds)) {
    for chunk in &mut document.chunks {
        let Content::Geosets(records) = &mut chunk.content else { continue };
        for (_, geoset) in records.typed_mut().filter(|(_, geoset)| geoset.extents.len() == count) {
            follow(&mut geoset.extents, geoset.bounds);
        }
    }
}

fn is_sequences(chunk: &crate::Chunk) -> bool {
    matches!(chunk.content, Content::Sequences(_))
}

/// Whether sequences have numbers instead of names.
fn is_documented(document: &Document) -> bool {
    document.family() == Family::Wow && document.seqs == Reading::Documented
}

/// What stands in the room of a name.
fn name_of(document: &Document, path: Path, name: &str) -> Result<[u8; 80], EditError> {
    if !is_documented(document) {
        return text(path, name);
    }
    let (first, second) = name.split_once('.').unwrap_or((name, "0"));
    let (Ok(id), Ok(sub)) = (first.parse::<u32>(), second.parse::<u32>()) else {
        return Err(IDS.at(path).saying(format!("`{name}`")).into());
    };
    let mut room = [0; 80];
    let ids = [id.to_le_bytes(), sub.to_le_bytes()];
    room.iter_mut().zip(ids.iter().flatten()).for_each(|(room, byte)| *room = *byte);
    Ok(room)
}

/// How far the model reaches.
fn bounds(document: &Document) -> Bounds {
    let model = document.chunks.iter().find_map(|chunk| match &chunk.content {
        Content::Model(model) => Some(model.fixed),
        _ => None,
    });
    let zero = Bounds { radius: F32::ZERO, min: [F32::ZERO; 3], max: [F32::ZERO; 3] };
    model.map_or(zero, |model| Bounds { radius: model.radius, min: model.min, max: model.max })
}

/// A row whose bounds stand where the document has them.
fn documented(row: &SequenceWow) -> SequenceWow {
    let named = SequenceDocumented {
        min: row.min,
        max: row.max,
        blend_time: F32::ZERO,
        playback_speed: U32::ZERO,
        frequency: U32::ZERO,
        unknown_84: U32::ZERO,
        unknown_88: U32::ZERO,
        ..row.documented()
    };
    SequenceWow::read_from_bytes(named.as_bytes()).unwrap_or(*row)
}
