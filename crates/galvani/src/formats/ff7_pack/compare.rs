//! What differs between two packs, clip by clip.

use galvani_core::text;
use galvani_ff7::pack::codec::{FrameRef, Frames, angle, reduced};
use galvani_ff7::pack::rotation;
use galvani_ff7::pack::{Clip, Document, Entry, Surveyed, survey};
use serde_json::{Value, json};

use super::pairs::{Pair, pairs};
use crate::diff::{Change, Tell, bytes_change, short};

/// Tells the differences: entries that came and went, and what became of the others.
pub(super) fn compare(a: &Document, b: &Document, tell: &mut Tell<'_>) {
    let surveys = [a, b].map(|document| survey(document, document.skeleton.as_ref()));
    let side = |document, i: usize, surveyed: &'_ [Surveyed]| {
        Some(Side { document, i, what: surveyed.get(i)?.clone() })
    };
    let [old, new] = &surveys;
    leaf("walk", json!(a.walk.word()), json!(b.walk.word()), tell);
    for pair in pairs(&a.entries, &b.entries, |a, b| a == b, alike) {
        match pair {
            Pair::Both(i, j) => {
                if let Some((a, b)) = side(a, i, &old.entries).zip(side(b, j, &new.entries)) {
                    entry(&a, &b, tell);
                }
            }
            Pair::Old(i) => side(a, i, &old.entries).into_iter().for_each(|side| tell(side.gone())),
            Pair::New(j) => side(b, j, &new.entries).into_iter().for_each(|side| tell(side.came())),
        }
    }
    leaf("missing", json!(a.missing), json!(b.missing), tell);
    if a.rest != b.rest {
        tell(bytes_change("rest".to_owned(), &a.rest, &b.rest));
    }
}

/// An entry of one of the packs.
struct Side<'d> {
    document: &'d Document,
    i: usize,
    what: Surveyed,
}

impl<'d> Side<'d> {
    fn entry(&self) -> Option<&'d Entry> {
        self.document.entries.get(self.i)
    }

    fn path(&self, field: &str) -> String {
        format!("entries[{}]{}{field}", self.i, if field.is_empty() { "" } else { "." })
    }

    /// What it is, in words: `body, 30 frames of 23 rotations`.
    fn in_words(&self) -> String {
        match self.what.clip() {
            Some(clip) => {
                format!("{}, {} frames of {} rotations", self.what.kind(), clip.engine.frames, clip.rotations)
            }
            None => self.what.kind().to_owned(),
        }
    }

    fn gone(&self) -> Change {
        Change {
            summary: Some(format!("removed: {}", self.in_words())),
            ..Change::new(self.path(""), json!(self.in_words()), Value::Null)
        }
    }

    fn came(&self) -> Change {
        Change {
            summary: Some(format!("added: {}", self.in_words())),
            ..Change::new(self.path(""), Value::Null, json!(self.in_words()))
        }
    }

    fn clip(&self) -> Option<(&'d Entry, &Clip, Frames)> {
        let (entry, clip) = (self.entry()?, self.what.clip()?);
        Some((entry, clip, clip.frames(entry, self.document.stop())))
    }
}

/// The differences of two entries that are not the same.
fn entry(a: &Side<'_>, b: &Side<'_>, tell: &mut Tell<'_>) {
    let Some((old, new)) = a.entry().zip(b.entry()).filter(|(old, new)| old != new) else { return };
    let mut is_told = false;
    named(a, b, (old, new), &mut |change| {
        is_told = true;
        tell(change);
    });
    // What has no name for its difference still differs.
    if !is_told {
        let header = |entry: &Entry| [entry.dw_frames, entry.dw_chunk_size].map(u32::to_le_bytes).concat();
        let [old, new] = [old, new].map(|entry| [header(entry), entry.payload.clone()].concat());
        tell(bytes_change(a.path(""), &old, &new));
    }
}

/// The differences of two entries as far as they have names.
fn named(a: &Side<'_>, b: &Side<'_>, (old, new): (&Entry, &Entry), tell: &mut Tell<'_>) {
    leaf(&a.path("dw_bones"), json!(old.dw_bones), json!(new.dw_bones), tell);
    if a.what.kind() != b.what.kind() {
        let summary = Some(format!("{} became {}", a.in_words(), b.in_words()));
        tell(Change { summary, ..Change::new(a.path(""), json!(a.in_words()), json!(b.in_words())) });
    }
    match (a.clip(), b.clip()) {
        (Some(old), Some(new)) if old.1.rotations == new.1.rotations => clips(a, &old, &new, tell),
        (Some(old), Some(new)) => {
            leaf(&a.path("rotations"), json!(old.1.rotations), json!(new.1.rotations), tell);
        }
        _ => {}
    }
}

type Animation<'a> = (&'a Entry, &'a Clip, Frames);

/// The differences of two animations of as many rotations.
fn clips(place: &Side<'_>, old: &Animation<'_>, new: &Animation<'_>, tell: &mut Tell<'_>) {
    let pairs = pairs(&rows(&old.2), &rows(&new.2), same, |_, _| false);
    count(place, &pairs, (&old.2, &new.2), tell);
    let both: Vec<(usize, FrameRef<'_>, FrameRef<'_>)> = pairs
        .iter()
        .filter_map(|pair| match *pair {
            Pair::Both(i, j) => Some((i, old.2.get(i)?, new.2.get(j)?)),
            Pair::Old(_) | Pair::New(_) => None,
        })
        .collect();
    positions(place, &both, tell);
    rotations(place, &both, tell);
    leaf(&place.path("b_key"), json!(old.1.key.byte()), json!(new.1.key.byte()), tell);
    // Counts that follow the frames were told with them.
    let follows = |(_, _, frames): &Animation<'_>, count: Option<u32>| {
        count.is_some_and(|count| usize::try_from(count) == Ok(frames.len()))
    };
    let s_frames = |clip: &Clip| clip.header.s_frames().map(u32::from);
    for (field, a, b) in [
        ("s_frames", s_frames(old.1), s_frames(new.1)),
        ("dw_frames", Some(old.0.dw_frames), Some(new.0.dw_frames)),
    ] {
        if !(follows(old, a) && follows(new, b)) {
            leaf(&place.path(field), json!(a), json!(b), tell);
        }
    }
    coding(place, old, new, tell);
    let [a, b] = [old, new].map(|(entry, clip, _)| clip.trailing(entry));
    if a != b && !(is_padding(a) && is_padding(b)) {
        leaf(&place.path("trailing"), json!(text::hex(a)), json!(text::hex(b)), tell);
    }
}

/// Frames that came and went.
fn count(place: &Side<'_>, pairs: &[Pair], frames: (&Frames, &Frames), tell: &mut Tell<'_>) {
    let gone: Vec<usize> =
        pairs.iter().filter_map(|pair| if let Pair::Old(i) = pair { Some(*i) } else { None }).collect();
    let came: Vec<usize> =
        pairs.iter().filter_map(|pair| if let Pair::New(j) = pair { Some(*j) } else { None }).collect();
    let told = [(&gone, "removed"), (&came, "added")].into_iter().filter_map(|(list, word)| {
        let first = list.first()?;
        Some(format!("{} {word}, the first at {first}", frames_of(list.len())))
    });
    let told: Vec<String> = told.collect();
    if !told.is_empty() {
        let (old, new) = (frames.0.len(), frames.1.len());
        tell(Change {
            summary: Some(told.join("; ")),
            distance: Some(whole(gone.len() + came.len())),
            ..Change::new(place.path("frames"), json!(old), json!(new))
        });
    }
}

/// How the positions of frames differ.
fn positions(place: &Side<'_>, frames: &[(usize, FrameRef<'_>, FrameRef<'_>)], tell: &mut Tell<'_>) {
    let moved = frames.iter().filter(|(_, a, b)| a.position != b.position);
    let way = |a: &FrameRef<'_>, b: &FrameRef<'_>| {
        let ([x, y, z], [ox, oy, oz]) = (b.position.map(i32::from), a.position.map(i32::from));
        [x - ox, y - oy, z - oz]
    };
    let length = |way: [i32; 3]| way.map(f64::from).iter().map(|part| part * part).sum::<f64>().sqrt();
    let moved: Vec<_> = moved.map(|(i, a, b)| (*i, way(a, b), a.position, b.position)).collect();
    let Some(&(i, far, old, new)) = moved.iter().max_by(|a, b| length(a.1).total_cmp(&length(b.1))) else {
        return;
    };
    let [x, y, z] = far;
    let summary = if moved.iter().all(|(_, way, ..)| *way == far) {
        format!("{} moved by {x}, {y}, {z}", frames_of(moved.len()))
    } else {
        let most = short(length(far));
        format!("{} moved, by {most} at most: frame {i} by {x}, {y}, {z}", frames_of(moved.len()))
    };
    tell(Change {
        summary: Some(summary),
        distance: Some(length(far)),
        ..Change::new(place.path("position"), json!(old), json!(new))
    });
}

/// How the rotations of frames differ.
fn rotations(place: &Side<'_>, frames: &[(usize, FrameRef<'_>, FrameRef<'_>)], tell: &mut Tell<'_>) {
    let turned = frames.iter().flat_map(|(i, a, b)| {
        let bones = a.bones.iter().zip(b.bones).enumerate();
        bones.map(|(bone, (old, new))| Turn::new(*i, bone, *old, *new))
    });
    let turned: Vec<Turn> = turned.filter(|turn| turn.way != [0; 3]).collect();
    let Some(far) = turned.iter().max_by_key(|turn| turn.far()) else { return };
    let [x, y, z] = far.way.map(|units| short(rotation::unwrapped_degrees(units)));
    let count = turned.len();
    let summary = if turned.iter().all(|turn| (turn.bone, turn.way) == (far.bone, far.way)) {
        format!("bone {} turned by {x}, {y}, {z} degrees in {}", far.bone, frames_of(count))
    } else {
        let rotations = if count == 1 { "rotation" } else { "rotations" };
        let most = short(far.degrees());
        format!(
            "{count} {rotations} changed, by {most} degrees at most: bone {} in frame {} by {x}, {y}, {z}",
            far.bone, far.frame
        )
    };
    let degrees = |raw: [i16; 3]| raw.map(|raw| json!(rotation::degrees(raw)));
    tell(Change {
        summary: Some(summary),
        distance: Some(far.degrees()),
        ..Change::new(place.path("rotation"), json!(degrees(far.old)), json!(degrees(far.new)))
    });
}

/// A rotation that is another one.
struct Turn {
    frame: usize,
    bone: usize,
    old: [i16; 3],
    new: [i16; 3],
    /// The short way round.
    way: [i16; 3],
}

impl Turn {
    fn new(frame: usize, bone: usize, old: [i16; 3], new: [i16; 3]) -> Self {
        let ([x, y, z], [ox, oy, oz]) = (new, old);
        let way = [x.wrapping_sub(ox), y.wrapping_sub(oy), z.wrapping_sub(oz)].map(reduced);
        Turn { frame, bone, old, new, way }
    }

    /// The largest of its angles.
    fn far(&self) -> u16 {
        self.way.map(i16::unsigned_abs).into_iter().max().unwrap_or(0)
    }

    fn degrees(&self) -> f64 {
        f64::from(self.far()) * rotation::DEGREES / rotation::TURN
    }
}

/// The same frames at the same precision in other bits.
fn coding(place: &Side<'_>, old: &Animation<'_>, new: &Animation<'_>, tell: &mut Tell<'_>) {
    let [a, b] = [old, new].map(|(entry, clip, _)| entry.payload.get(clip.range(entry)).unwrap_or_default());
    let are_same =
        old.2.len() == new.2.len() && rows(&old.2).iter().zip(&rows(&new.2)).all(|(a, b)| same(a, b));
    if a != b && are_same && old.1.key == new.1.key {
        let summary = format!("the same frames in other codes: {} bytes, {} bytes", a.len(), b.len());
        let change = bytes_change(place.path("stream"), a, b);
        tell(Change { summary: Some(summary), ..change });
    }
}

/// Whether two entries look like one that was changed: as many frames of as many rotations at one precision.
fn alike(a: &Entry, b: &Entry) -> bool {
    let head = |entry: &Entry| {
        let frames: Option<[u8; 2]> = entry.payload.first_chunk().copied();
        (entry.dw_bones, entry.is_empty(), frames, entry.payload.get(4).copied())
    };
    head(a) == head(b)
}

fn rows(frames: &Frames) -> Vec<FrameRef<'_>> {
    frames.iter().collect()
}

/// Whether two frames are the same modulo whole turns.
fn same(a: &FrameRef<'_>, b: &FrameRef<'_>) -> bool {
    let angles =
        |frame: &FrameRef<'_>| -> Vec<u16> { frame.bones.iter().flatten().copied().map(angle).collect() };
    a.position == b.position && angles(a) == angles(b)
}

fn is_padding(bytes: &[u8]) -> bool {
    bytes.len() < 4 && bytes.iter().all(|&byte| byte == 0)
}

fn leaf(path: &str, old: Value, new: Value, tell: &mut Tell<'_>) {
    if old != new {
        let distance = old.as_f64().zip(new.as_f64()).map(|(old, new)| (new - old).abs());
        tell(Change { distance, ..Change::new(path.to_owned(), old, new) });
    }
}

fn frames_of(count: usize) -> String {
    format!("{count} {}", if count == 1 { "frame" } else { "frames" })
}

fn whole(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}
