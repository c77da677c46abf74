//! Bytes → [`Document`], and which readings to take.

use std::cmp::Ordering;

use galvani_core::record::FieldKind;
use galvani_core::{Exhausted, FileMap, Path, Read, ReadError, ReadOptions, Reader, Reading, Report, room};

use super::{
    COUNT_LEN, Damage, Document, Entry, EntryContent, HEADER_LEN, Header, KnownSkeleton, MINI_LEN,
    ModelHints, Survey, check, payload_len, survey, wire,
};

/// Topic: how empty slots are stepped over.
pub const WALK: &str = "walk";

/// Topic: which rule says where a stream's frames end.
pub const FRAMES: &str = "frames";

/// More entries than any pack can use: scripts name an animation by a byte. What is behind them stays raw.
pub(crate) const MOST_ENTRIES: usize = 1 << 16;

/// Reads a pack. What does not fit is kept and left to [`check`](super::check()); under strictness an entry
/// that is damaged, or missing, ends the reading.
pub fn read(file: &[u8], options: &ReadOptions) -> Result<Read<Document>, ReadError> {
    read_of(file, options, ModelHints::default())
}

/// The same where something is known of the model that the pack moves.
pub fn read_of(file: &[u8], options: &ReadOptions, model: ModelHints) -> Result<Read<Document>, ReadError> {
    let skeleton = KnownSkeleton::from_model(&model);
    let mut count = Reader::new(file, &check::BYTES);
    count.u32("count")?;
    let mut document = walk_by(file, Reading::Observed)?;
    let mut lacking = None;
    let verdict = options.readings.settle(WALK, || {
        let chosen = choose(file, &document, skeleton.as_ref());
        chosen.unwrap_or_else(|end| {
            lacking = Some(end);
            (Reading::Observed, String::new())
        })
    });
    lacking.map_or(Ok(()), Err)?;
    if verdict.taken == Reading::Documented {
        document = walk_by(file, Reading::Documented)?;
    }
    let frames = options.readings.settle(FRAMES, || {
        (Reading::Observed, "the game's own rule, unless another is asked for".to_owned())
    });
    document.frames = frames.taken;
    document.skeleton = skeleton;
    document.rig = model.named.or(model.beside);
    let survey = survey(&document, skeleton.as_ref());
    let map = map(file.len(), &document, &survey);
    options.strictness.enforce(|report| check::damage(&document, &survey, report), || map.clone())?;
    Ok(Read { document, map, report: Report::default(), readings: vec![verdict, frames] })
}

/// Whether bytes look like a pack: entries up to the last byte, and at least one sound animation.
pub fn is_shaped(file: &[u8]) -> bool {
    let fits = |document: &Document| document.missing == 0 && document.rest.is_empty();
    let sound = |document: &Document| survey(document, None).landing() > 0;
    [Reading::Observed, Reading::Documented]
        .into_iter()
        .any(|walk| reaches_end(file, walk) && walk_by(file, walk).is_ok_and(|it| fits(&it) && sound(&it)))
}

/// Whether a walk ends with the file. Nothing is copied for it.
fn reaches_end(file: &[u8], walk: Reading) -> bool {
    let mut entries = Walk::new(file, walk);
    let found = entries.by_ref().count();
    found > 0 && found == entries.count && entries.at == file.len()
}

/// A walk over the headers.
struct Walk<'a> {
    file: &'a [u8],
    by: Reading,
    /// Entries that the count names.
    count: usize,
    found: usize,
    at: usize,
}

impl<'a> Walk<'a> {
    fn new(file: &'a [u8], by: Reading) -> Self {
        let count = file.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        Walk { file, by, count, found: 0, at: COUNT_LEN }
    }
}

impl<'a> Iterator for Walk<'a> {
    type Item = (&'a wire::EntryHeader, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        if self.found >= self.count.min(MOST_ENTRIES) {
            return None;
        }
        let mut r = Reader::new(self.file, &check::BYTES);
        r.seek("entries", self.at).ok()?;
        let header: &wire::EntryHeader = r.record("header").ok()?;
        let payload = r.bytes("payload", payload_len(header.dw_chunk_size.get(), self.by)).ok()?;
        self.found = self.found.saturating_add(1);
        self.at = r.offset();
        Some((header, payload))
    }
}

/// The pack as one walk finds it, up to where it leaves the file.
fn walk_by(file: &[u8], walk: Reading) -> Result<Document, Exhausted> {
    let mut entries = Walk::new(file, walk);
    let mut found: Vec<Entry> = Vec::new();
    for (header, payload) in entries.by_ref() {
        let entry = Entry {
            dw_bones: header.dw_bones.get(),
            dw_frames: header.dw_frames.get(),
            dw_chunk_size: header.dw_chunk_size.get(),
            payload: room::copied(payload)?,
        };
        room::push(&mut found, entry)?;
    }
    let missing = u32::try_from(entries.count.saturating_sub(found.len())).unwrap_or(u32::MAX);
    let rest = room::copied(file.get(entries.at..).unwrap_or_default())?;
    Ok(Document { entries: found, missing, rest, walk, ..Document::default() })
}

/// The walk that the file itself speaks for.
fn choose(
    file: &[u8],
    observed: &Document,
    skeleton: Option<&KnownSkeleton>,
) -> Result<(Reading, String), Exhausted> {
    let same = (Reading::Observed, "no empty slot: both walks are the same".to_owned());
    // A walk that leaves the file may do so at an empty slot.
    if observed.missing == 0 && !observed.entries.iter().any(Entry::is_empty) {
        return Ok(same);
    }
    let documented = &walk_by(file, Reading::Documented)?;
    if !observed.entries.iter().chain(&documented.entries).any(Entry::is_empty) {
        return Ok(same);
    }
    let end = |document: &Document| match (document.missing, document.rest.len()) {
        (1.., _) => format!("leaves the file behind entry {}", document.entries.len()),
        (0, 0) => "ends with the file".to_owned(),
        (0, rest) => format!("ends {rest} bytes before the file does"),
    };
    let ends = format!("by size it {}, by 8 bytes it {}", end(observed), end(documented));
    // A walk that leaves the file is out; then the one that ends with it is taken.
    let fit = |document: &Document| (document.missing == 0).then_some(document.rest.is_empty());
    match fit(observed).cmp(&fit(documented)) {
        Ordering::Greater => return Ok((Reading::Observed, ends)),
        Ordering::Less => return Ok((Reading::Documented, ends)),
        Ordering::Equal => {}
    }
    let [by_size, by_eight] = [observed, documented].map(|document| survey(document, skeleton).landing());
    let why = format!("{ends}; sound animations {by_size} and {by_eight}");
    Ok((if by_eight > by_size { Reading::Documented } else { Reading::Observed }, why))
}

fn map(len: usize, document: &Document, survey: &Survey) -> FileMap {
    let mut map = FileMap::new(len);
    map.record::<wire::Count>(Path::root(), 0);
    let mut at = COUNT_LEN;
    for (i, (entry, surveyed)) in document.entries.iter().zip(&survey.entries).enumerate() {
        let path = Path::named("entries").index(i);
        map.record::<wire::EntryHeader>(path, at);
        at = at.saturating_add(HEADER_LEN);
        match surveyed.clip() {
            Some(clip) => {
                let stream = clip.range(entry);
                match clip.header {
                    Header::Whole { .. } => map.record::<wire::MiniHeader>(path, at),
                    Header::Short => map.record::<wire::ShortHeader>(path, at),
                }
                map.run(path.field("stream"), at.saturating_add(stream.start), stream.len(), FieldKind::Bits);
                let trailing = clip.trailing(entry);
                if !trailing.is_empty() {
                    let kind = if trailing.iter().all(|&byte| byte == 0) {
                        FieldKind::Padding
                    } else {
                        FieldKind::Raw
                    };
                    map.run(path.field("trailing"), at.saturating_add(stream.end), trailing.len(), kind);
                }
            }
            None if entry.payload.is_empty() => {}
            None if matches!(
                surveyed.content,
                EntryContent::Damaged { why: Damage::Key(_) | Damage::FirstFrame, .. }
            ) =>
            {
                map.record::<wire::MiniHeader>(path, at);
                let rest = entry.payload.len().saturating_sub(MINI_LEN);
                map.run(path.field("payload"), at.saturating_add(MINI_LEN), rest, FieldKind::Raw);
            }
            None => {
                let kind =
                    if surveyed.content == EntryContent::Empty { FieldKind::Payload } else { FieldKind::Raw };
                map.run(path.field("payload"), at, entry.payload.len(), kind);
            }
        }
        at = at.saturating_add(entry.payload.len());
    }
    if !document.rest.is_empty() {
        map.run(Path::named("rest"), at, document.rest.len(), FieldKind::Raw);
    }
    map
}
