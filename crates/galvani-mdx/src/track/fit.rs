//! Which form of head the tracks of a record speak for: told by heads and lengths, before anything is taken apart.

use zerocopy::FromBytes;
use zerocopy::little_endian::U32;

use super::{Owner, Track, TrackValue, name_of, value_of};
use crate::Family;
use crate::wire::key;

/// Times of which no float is the image: any smaller ones are those of numbers that are next to nothing.
const TIMES: u32 = 1 << (f32::MANTISSA_DIGITS - 1);

/// The global sequence of a track that has none, as a word.
const NO_GLOBAL: u32 = u32::MAX;

/// Whether heads as real files have them say something that makes sense.
pub(super) fn is_observed(tracks: &[Track], globals: usize) -> bool {
    tracks.iter().all(|track| {
        let global = track.global == -1 || usize::try_from(track.global).is_ok_and(|id| id < globals);
        track.interpolation <= 3 && global
    })
}

/// Whether tracks with the document's heads fit these bytes exactly, and none of them begins with the -1 that most heads
/// of real files have: of these a damaged count makes the others only too easily.
pub(super) fn is_documented(mut rest: &[u8], owner: Owner) -> bool {
    while !rest.is_empty() {
        let Some((keys, behind)) = documented_keys(rest, owner) else { return false };
        if begins_as_observed(keys) {
            return false;
        }
        rest = behind;
    }
    true
}

/// The keys of the next track and what lies behind them.
fn documented_keys(rest: &[u8], owner: Owner) -> Option<(&[u8], &[u8])> {
    let (head, keys) = key::BareHead::ref_from_prefix(rest).ok()?;
    let (name, value) = value_of(owner, Family::Wow, head.tag.0.to_bytes())?;
    let count = usize::try_from(head.count.get()).ok()?;
    let value = width(owner, name, value, count, keys)?;
    keys.split_at_checked(count.checked_mul(value.layout(false).1)?)
}

/// Whether the second word is that of a track without a global sequence; no float looks like it.
fn begins_as_observed(keys: &[u8]) -> bool {
    words(keys).get(1).is_some_and(|word| word.get() == NO_GLOBAL)
}

/// What a value is as the document has it, if so many keys then end at the record's end or before another track.
///
/// The document has one to three floats for some values and does not say which
/// (docs/formats/mdx.md#readings). Any number but the usual needs keys that look like keys: with a choice of
/// widths nearly every damaged count would fit.
pub(super) fn width(
    owner: Owner,
    name: &str,
    value: TrackValue,
    count: usize,
    rest: &[u8],
) -> Option<TrackValue> {
    let (usual, others) = widths(name, value);
    let keys = |value: TrackValue| {
        let (keys, behind) = rest.split_at_checked(count.checked_mul(value.layout(false).1)?)?;
        let next = || behind.first_chunk().is_some_and(|tag| value_of(owner, Family::Wow, *tag).is_some());
        (behind.is_empty() || next()).then_some(keys)
    };
    let is_other =
        |value: TrackValue| keys(value).is_some_and(|keys| look_like_keys(words(keys), value.words()));
    if keys(usual).is_some() {
        return Some(usual);
    }
    others.iter().copied().find(|value| is_other(*value))
}

/// The usual kind of a value, and others that the document leaves open.
pub(super) fn widths(name: &str, value: TrackValue) -> (TrackValue, &'static [TrackValue]) {
    match (name, value) {
        ("KPLN" | "KP2G" | "KP2E", TrackValue::Float) => {
            (TrackValue::Vector, &[TrackValue::Float, TrackValue::Pair])
        }
        // The document has floats where files have indices of textures.
        (_, TrackValue::Float) | ("KMTF", TrackValue::Number) => {
            (TrackValue::Float, &[TrackValue::Vector, TrackValue::Pair])
        }
        _ => (value, &[]),
    }
}

/// Whether times rise and are no floats, and floats are neither times nor the beginning of another track.
fn look_like_keys(words: &[U32], width: usize) -> bool {
    let keys = || words.chunks_exact(width.saturating_add(1)).filter_map(<[U32]>::split_first);
    let is_tag = |word: &U32| name_of(word.to_bytes()).is_some();
    let is_float = |word: &U32| word.get() == 0 || (f32::from_bits(word.get()).is_normal() && !is_tag(word));
    let times = || keys().map(|(time, _)| time.get());
    times().is_sorted_by(|a, b| a < b)
        && times().all(|time| time < TIMES)
        && keys().all(|(_, value)| value.iter().all(is_float))
}

fn words(bytes: &[u8]) -> &[U32] {
    <[U32]>::ref_from_bytes(bytes).unwrap_or_default()
}
