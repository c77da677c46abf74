//! Bytes → tracks. Which head they have is one verdict for the whole file, by what most records fit.

use galvani_core::budget::is_exhaustion;
use galvani_core::{Exhausted, Reading, WantedReading, room, text};
use zerocopy::little_endian::U32;
use zerocopy::{FromBytes, Immutable};

use super::fit::{is_documented, is_observed, width, widths};
use super::{Form, Owner, Track, TrackValue, name_of, value_of};
use crate::Family;
use crate::check;
use crate::cursor::{Cursor, Outcome};
use crate::wire::key;

/// The bit that every letter has, in the last byte of a word: no time on any timeline comes near.
const LETTER: i32 = 0x4000_0000;

/// The tracks of a record under one form of head.
type Attempt = Outcome<Vec<Track>>;

/// All tracks up to the end of a record.
///
/// Warcraft III has one form of head. In WoW it is that of the reading; where that is left open the record
/// votes.
pub(crate) fn tracks(c: &mut Cursor<'_, '_>, owner: Owner) -> Attempt {
    if c.remaining() == 0 {
        return Ok(Vec::new());
    }
    if c.context.family == Family::Warcraft {
        return to_end(c, owner, Form::Generic);
    }
    match c.context.tracks {
        WantedReading::Fixed(Reading::Observed) => observed(c, owner),
        WantedReading::Fixed(Reading::Documented) => to_end(c, owner, Form::Documented),
        WantedReading::Auto => voting(c, owner),
    }
}

/// Reads tracks as real files have them and votes. What does not fit is passed over: if it is not of the form
/// that wins, the file is read again.
fn voting(c: &mut Cursor<'_, '_>, owner: Owner) -> Attempt {
    let globals = c.context.globals;
    let documented = is_documented(c.rest(), owner);
    let (start, place) = (c.mark(), c.place);
    let found = observed(c, owner);
    let observed = found.as_ref().is_ok_and(|tracks| is_observed(tracks, globals));
    c.log.votes.add(place, observed, documented);
    match found {
        Err(error) if !is_exhaustion(&error) => {
            c.back(&start);
            c.skip();
            Ok(Vec::new())
        }
        found => found,
    }
}

/// The heads of real files: all with interpolation, or textures without it
/// (docs/formats/mdx-tracks.md#heads).
fn observed(c: &mut Cursor<'_, '_>, owner: Owner) -> Attempt {
    let start = c.mark();
    let generic = to_end(c, owner, Form::Generic);
    let has_no_room = |found: &Attempt| found.as_ref().is_err_and(|error| is_exhaustion(error));
    if !matches!(owner, Owner::Layer | Owner::Ribbon) || has_no_room(&generic) {
        return generic;
    }
    if generic.as_ref().is_ok_and(|tracks| is_observed(tracks, c.context.globals)) {
        return generic;
    }
    c.back(&start);
    let simple = to_end(c, owner, Form::Simple);
    if has_no_room(&simple) {
        return simple;
    }
    if simple.is_ok() || generic.is_err() {
        return simple.or(generic);
    }
    c.back(&start);
    to_end(c, owner, Form::Generic)
}

fn to_end(c: &mut Cursor<'_, '_>, owner: Owner, form: Form) -> Attempt {
    let mut found: Vec<Track> = Vec::new();
    while c.remaining() > 0 {
        match track(c, owner, form) {
            Ok(track) => room::push(&mut found, track)?,
            Err(error) if is_exhaustion(&error) => return Err(error),
            Err(error) => return Err(blame(c, &found).unwrap_or(error)),
        }
    }
    Ok(found)
}

/// What follows a head with an interpolation that nobody knows is not to blame for what it is.
fn blame(c: &Cursor<'_, '_>, before: &[Track]) -> Option<Box<galvani_core::Diagnostic>> {
    let odd = before.iter().rev().find(|track| track.interpolation > 3)?;
    Some(unknown_interpolation(c, odd.name(), odd.interpolation))
}

fn unknown_interpolation(
    c: &Cursor<'_, '_>,
    name: &'static str,
    interpolation: u32,
) -> Box<galvani_core::Diagnostic> {
    let found = format!("0 to 3 wanted, {interpolation} found; nobody knows how long its keys are");
    c.problem(&check::INTERPOLATION, c.path().field(name).field("interpolation"), found)
}

/// One track, its head in the form given where it has a choice.
pub(crate) fn track(c: &mut Cursor<'_, '_>, owner: Owner, form: Form) -> Outcome<Track> {
    let tag = c.peek().unwrap_or_default();
    let Some((name, value)) = value_of(owner, c.context.family, tag) else {
        let shown = text::four_cc(u32::from_le_bytes(tag)).unwrap_or_else(|| text::hex(&tag));
        let found = format!("a track of this record wanted, `{shown}` found");
        return Err(c.problem(&check::TRACK_UNKNOWN, c.path(), found));
    };
    match (form, value) {
        (_, TrackValue::Moment) | (Form::Simple, TrackValue::Number) => simple(c, name, value),
        (Form::Generic | Form::Simple, _) => generic(c, name, value),
        (Form::Documented, _) => documented(c, owner, name, value),
    }
}

fn generic(c: &mut Cursor<'_, '_>, name: &'static str, value: TrackValue) -> Outcome<Track> {
    let head: key::Head = c.record(name)?;
    let mut track = Track::new(head.tag.0.to_bytes(), Form::Generic, value);
    (track.interpolation, track.global) = (head.interpolation.get(), head.global.get());
    if let Err(error) = keys(c, name, head.count.get(), &mut track) {
        let odd = track.interpolation > 3 && !is_exhaustion(&error);
        return Err(if odd { unknown_interpolation(c, name, track.interpolation) } else { error });
    }
    Ok(track)
}

fn simple(c: &mut Cursor<'_, '_>, name: &'static str, value: TrackValue) -> Outcome<Track> {
    let head: key::SimpleHead = c.record(name)?;
    let mut track = Track::new(head.tag.0.to_bytes(), Form::Simple, value);
    // Indices and moments hold until the next: they never blend.
    (track.interpolation, track.global) = (0, head.global.get());
    keys(c, name, head.count.get(), &mut track)?;
    Ok(track)
}

fn documented(c: &mut Cursor<'_, '_>, owner: Owner, name: &'static str, value: TrackValue) -> Outcome<Track> {
    let head: key::BareHead = c.record(name)?;
    let count = usize::try_from(head.count.get()).unwrap_or(usize::MAX);
    let fitting = width(owner, name, value, count, c.rest());
    let value = fitting.unwrap_or_else(|| widths(name, value).0);
    let mut track = Track::new(head.tag.0.to_bytes(), Form::Documented, value);
    keys(c, name, head.count.get(), &mut track)?;
    Ok(track)
}

/// The keys behind a head, taken apart into lists.
fn keys(c: &mut Cursor<'_, '_>, name: &'static str, count: u32, track: &mut Track) -> Outcome<()> {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let tangents = track.has_tangents();
    let (fields, stride) = track.value.layout(tangents);
    let outer = c.place;
    c.place = c.field(name);
    let bytes = c.rows("keys", count, (fields, stride));
    c.place = outer;
    let bytes = bytes?;
    match (track.value.words(), tangents) {
        (0, _) => plain::<0>(bytes, track)?,
        (1, false) => plain::<1>(bytes, track)?,
        (1, true) => curved::<1>(bytes, track)?,
        (2, false) => plain::<2>(bytes, track)?,
        (2, true) => curved::<2>(bytes, track)?,
        (3, false) => plain::<3>(bytes, track)?,
        (3, true) => curved::<3>(bytes, track)?,
        (_, false) => plain::<4>(bytes, track)?,
        (_, true) => curved::<4>(bytes, track)?,
    }
    swallowed(&track.times).map_or(Ok(()), |(i, next)| {
        let found = format!("{count} keys counted, where key {i} would be stands `{next}`");
        Err(c.problem(&check::KEY_COUNT, c.path().field(name).field("keys"), found))
    })
}

/// The first key that is the next track: a count too large by just as much as that track takes fits, too.
fn swallowed(times: &[i32]) -> Option<(usize, &'static str)> {
    // One look that never stops is fast, and nearly always all there is to do: a tag has letters.
    let bits = times.iter().fold(0, |bits, time| bits | time);
    if bits & LETTER == 0 {
        return None;
    }
    times.iter().enumerate().find_map(|(i, time)| Some((i, name_of(time.to_le_bytes())?)))
}

/// A key without tangents as its words stand in a file; a value has `N`.
#[derive(FromBytes, Immutable)]
#[repr(C)]
struct PlainKey<const N: usize> {
    time: U32,
    value: [U32; N],
}

/// A key with tangents.
#[derive(FromBytes, Immutable)]
#[repr(C)]
struct CurvedKey<const N: usize> {
    time: U32,
    value: [U32; N],
    in_tangent: [U32; N],
    out_tangent: [U32; N],
}

/// Deals keys out to the lists, list by list, because keys are most of a file.
fn plain<const N: usize>(bytes: &[u8], track: &mut Track) -> Result<(), Exhausted> {
    let keys = <[PlainKey<N>]>::ref_from_bytes(bytes).unwrap_or_default();
    track.times = dealt(keys, |key| key.time.get().cast_signed())?;
    track.values = dealt(keys, |key| words(&key.value))?.into_flattened();
    Ok(())
}

/// The same with their tangents.
fn curved<const N: usize>(bytes: &[u8], track: &mut Track) -> Result<(), Exhausted> {
    let keys = <[CurvedKey<N>]>::ref_from_bytes(bytes).unwrap_or_default();
    track.times = dealt(keys, |key| key.time.get().cast_signed())?;
    track.values = dealt(keys, |key| words(&key.value))?.into_flattened();
    track.in_tangents = dealt(keys, |key| words(&key.in_tangent))?.into_flattened();
    track.out_tangents = dealt(keys, |key| words(&key.out_tangent))?.into_flattened();
    Ok(())
}

/// One list.
#[inline]
fn dealt<K, V>(keys: &[K], value: impl Fn(&K) -> V) -> Result<Vec<V>, Exhausted> {
    let mut list = room::with_capacity(keys.len())?;
    list.extend(keys.iter().map(value));
    Ok(list)
}

fn words<const N: usize>(stored: &[U32; N]) -> [u32; N] {
    stored.map(U32::get)
}
