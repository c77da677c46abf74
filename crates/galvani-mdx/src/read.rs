//! Bytes → [`Document`].

use galvani_core::{
    Diagnostic, Path, PlaceId, Read, ReadError, ReadOptions, Reading, Report, WantedReading, room, text,
};

use crate::container::{Head, Walk, walk};
use crate::cursor::{Context, Cursor, Log, Outcome};
use crate::family::tell;
use crate::held::{Held, Raw};
use crate::model::MEASURES;
use crate::{Chunk, Content, Document, Family, MAGIC, check, chunk, readings, wire};

/// Reads a model. What cannot be read is kept as it is and left to [`check`](crate::check()). Under strictness
/// the first such part ends the reading, and so does a count or an interpolation that cannot be right.
pub fn read(file: &[u8], options: &ReadOptions) -> Result<Read<Document>, ReadError> {
    let start = file.get(..MAGIC.len()).unwrap_or(file);
    if start != MAGIC {
        let found = format!("`MDLX` wanted, {} found", text::hex(start));
        return Err(check::MAGIC.at(Path::named("magic")).offset(0).saying(found).into());
    }
    let found = walk(file);
    let version = version(&found.chunks);
    let told = tell(&found.chunks, version);
    let seqs = readings::seqs(&options.readings, told.family, &found.chunks);
    let first = if told.family == Family::Wow { 1300 } else { 800 };
    let context = Context {
        family: told.family,
        version: version.unwrap_or(first),
        seqs: seqs.taken,
        tracks: options.readings.wanted(readings::TRACKS),
        globals: globals(&found.chunks),
        measures: MEASURES,
        wide_skin: false,
        first: 0,
    };
    let ((mut chunks, mut tail), mut log) = through(file, &found, context)?;
    let tracks = readings::tracks(&options.readings, told.family, log.votes);
    let report = evidence(&log);
    if log.votes.misfits() > 0 {
        // Read as real files are, something did not fit: now the form is known.
        let context = Context { tracks: tracks.taken.into(), ..context };
        ((chunks, tail), log) = through(file, &found, context)?;
    }
    let inherit = readings::inherit(&options.readings);
    let document = Document {
        family_verdict: told,
        version: context.version,
        chunks,
        tail,
        seqs: seqs.taken,
        tracks: tracks.taken,
        new_tracks: match context.tracks {
            WantedReading::Fixed(Reading::Documented) if told.family == Family::Wow => Reading::Documented,
            _ => Reading::Observed,
        },
        inherit: inherit.taken,
    };
    options.strictness.enforce(|report| check::damage(&document, report), || log.clone().map(file.len()))?;
    let map = log.map(file.len());
    Ok(Read { document, map, report, readings: vec![seqs, tracks, inherit] })
}

/// Everything in the file, and what was taken for what.
fn through(file: &[u8], found: &Walk<'_>, context: Context) -> Outcome<((Vec<Chunk>, Raw), Log)> {
    let mut log = Log::with_room(file.len())?;
    let mut cursor = Cursor::new(file, context, &mut log);
    let all = chunks(&mut cursor, &found.chunks, found.tail, found.damage.clone())?;
    Ok((all, log))
}

/// Records that must vote on the form of tracks before nobody need doubt it.
const VOTES: usize = 3;

/// A verdict on the form of tracks that few records speak for.
fn evidence(log: &Log) -> Report {
    let mut report = Report::default();
    let votes = log.votes.observed.saturating_add(log.votes.documented);
    if let Some(first) = log.first_vote().filter(|_| votes < VOTES) {
        let found = format!("at least {VOTES} records wanted that fit one form only, {votes} found");
        report.push(check::TRACKS_EVIDENCE.at(first).saying(found));
    }
    report
}

fn version(chunks: &[Head<'_>]) -> Option<u32> {
    let payload = chunks.iter().find(|chunk| chunk.tag == *b"VERS")?.payload;
    Some(u32::from_le_bytes(payload.try_into().ok()?))
}

/// How many global sequences there are, wherever they stand.
fn globals(chunks: &[Head<'_>]) -> usize {
    let of = chunks.iter().filter(|chunk| chunk.tag == *b"GLBS");
    of.map(|chunk| chunk.payload.chunks_exact(size_of::<u32>()).len()).fold(0, usize::saturating_add)
}

fn chunks(
    c: &mut Cursor<'_, '_>,
    heads: &[Head<'_>],
    tail: &[u8],
    damage: Option<Diagnostic>,
) -> Outcome<(Vec<Chunk>, Raw)> {
    c.fixed::<wire::Magic>()?;
    let mut before = Earlier::default();
    let mut chunks = room::with_capacity(heads.len())?;
    for (i, head) in heads.iter().enumerate() {
        c.place = PlaceId::ROOT;
        c.place = c.element("chunks", i);
        c.fixed::<wire::ChunkHead>()?;
        let content = content(c, head, before.records(head.tag))?;
        before.add(head.tag, content.len());
        chunks.push(Chunk { tag: head.tag, content });
    }
    c.place = PlaceId::ROOT;
    let place = c.field("tail");
    let tail = c.raw(place, tail.len(), damage)?;
    Ok((chunks, tail))
}

/// How many records the chunks of each tag have up to here. Only tags that are laid out count, so there are few to look through.
#[derive(Default)]
struct Earlier {
    counts: Vec<(&'static str, usize)>,
}

impl Earlier {
    /// The records of a tag so far.
    fn records(&self, tag: [u8; 4]) -> usize {
        let found = self.counts.iter().find(|(name, _)| name.as_bytes() == tag);
        found.map_or(0, |(_, count)| *count)
    }

    /// Counts more of them.
    fn add(&mut self, tag: [u8; 4], more: usize) {
        if let Some((_, count)) = self.counts.iter_mut().find(|(name, _)| name.as_bytes() == tag) {
            *count = count.saturating_add(more);
        } else if let Some(name) = chunk::name_of(tag) {
            self.counts.push((name, more));
        }
    }
}

/// One chunk, or its bytes.
fn content(c: &mut Cursor<'_, '_>, head: &Head<'_>, first: usize) -> Outcome<Content> {
    let len = head.payload.len();
    let Some(row) = chunk::row(head.tag, c.context.family, c.context.version) else {
        let payload = c.field("payload");
        return Ok(Content::Raw(c.raw(payload, len, None)?));
    };
    // Where a chunk is there again its bytes have a place of their own.
    let again = (first > 0).then(|| c.field("payload"));
    c.place = PlaceId::ROOT;
    c.place = c.field(row.tag);
    let place = c.place;
    if len == 0 {
        c.empty(place);
        if row.is_raw_if_empty {
            return Ok(Content::Raw(Raw::default()));
        }
    }
    c.context.first = first;
    let held = c.held(again.unwrap_or(place), len, |c| {
        c.place = place;
        (row.read)(c)
    });
    c.context.first = 0;
    Ok(match held? {
        Held::Typed(content) => content,
        Held::Raw(raw) => Content::Raw(raw),
    })
}
