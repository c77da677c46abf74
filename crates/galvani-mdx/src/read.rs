//! Bytes → [`Document`].

use std::collections::BTreeMap;

use galvani_core::record::Record;
use galvani_core::{Diagnostic, Path, Place, Read, ReadError, ReadOptions, Reading, Report, text};

use crate::container::{Head, Walk, walk};
use crate::cursor::{Context, Cursor, Log, Outcome, Part};
use crate::family::{MODEL_WARCRAFT, MODEL_WOW, tell};
use crate::held::{Raw, Records};
use crate::model::{self, MEASURES, OTHER_MEASURES};
use crate::{Chunk, Content, Document, Family, MAGIC, check, readings, wire};

/// Reads a model. What cannot be read is kept as it is and left to [`check`](crate::check()). Under strictness
/// the first such part ends the reading, and so does a count or an interpolation that cannot be right.
pub fn read(file: &[u8], options: &ReadOptions) -> Result<Read<Document>, ReadError> {
    let start = file.get(..MAGIC.len()).unwrap_or(file);
    if start != MAGIC {
        let found = format!("`MDLX` wanted, {} found", text::hex(start));
        return Err(check::MAGIC.at(Path::of("magic")).offset(0).saying(found).into());
    }
    let found = walk(file);
    let version = version(&found.chunks);
    let told = tell(&found.chunks, version);
    let seqs = readings::seqs(&options.readings, told.family, &found.chunks);
    let first = if told.family == Family::Wow { 1300 } else { 800 };
    let context = Context {
        family: told.family,
        version: version.unwrap_or(first),
        tracks: options.readings.of(readings::TRACKS),
        globals: globals(&found.chunks),
        measures: MEASURES,
        wide_skin: false,
        first: 0,
    };
    let ((mut chunks, mut tail), mut log) = through(file, &found, context, seqs.taken)?;
    let tracks = readings::tracks(&options.readings, told.family, log.votes);
    let report = evidence(&log);
    if log.votes.misfits() > 0 {
        // Read as real files are, something did not fit: now the form is known.
        let context = Context { tracks: tracks.taken, ..context };
        ((chunks, tail), log) = through(file, &found, context, seqs.taken)?;
    }
    let inherit = readings::inherit(&options.readings);
    let document = Document {
        told,
        version: context.version,
        chunks,
        tail,
        seqs: seqs.taken,
        tracks: tracks.taken,
        new_tracks: match context.tracks {
            Reading::Documented if told.family == Family::Wow => Reading::Documented,
            _ => Reading::Observed,
        },
        inherit: inherit.taken,
    };
    options.strictness.enforce(|report| check::damage(&document, report), || log.clone().map(file.len()))?;
    let map = log.map(file.len());
    Ok(Read { document, map, report, readings: vec![seqs, tracks, inherit] })
}

/// Everything in the file, and what was taken for what.
fn through(
    file: &[u8],
    found: &Walk<'_>,
    context: Context,
    seqs: Reading,
) -> Outcome<((Vec<Chunk>, Raw), Log)> {
    let mut log = Log::default();
    let mut cursor = Cursor::new(file, context, &mut log);
    let all = chunks(&mut cursor, &found.chunks, found.tail, found.damage.clone(), seqs)?;
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
    seqs: Reading,
) -> Outcome<(Vec<Chunk>, Raw)> {
    c.fixed::<wire::Magic>()?;
    let mut before = BTreeMap::new();
    let mut chunks = Vec::with_capacity(heads.len());
    for (i, head) in heads.iter().enumerate() {
        c.place = Place::ROOT;
        c.place = c.element("chunks", i);
        c.fixed::<wire::ChunkHead>()?;
        let first: &mut usize = before.entry(head.tag).or_default();
        let content = content(c, head, *first, seqs)?;
        *first = first.saturating_add(content.len());
        chunks.push(Chunk { tag: head.tag, content });
    }
    c.place = Place::ROOT;
    let place = c.field("tail");
    let tail = c.raw(place, tail.len(), damage)?;
    Ok((chunks, tail))
}

/// One chunk, or its bytes.
fn content(c: &mut Cursor<'_, '_>, head: &Head<'_>, first: usize, seqs: Reading) -> Outcome<Content> {
    let len = head.payload.len();
    let Some(name) = known(head.tag, c.context.family) else {
        let payload = c.field("payload");
        return Ok(Content::Raw(c.raw(payload, len, None)?));
    };
    // Where a chunk is there again its bytes have a place of their own.
    let again = (first > 0).then(|| c.field("payload"));
    c.place = Place::ROOT;
    c.place = c.field(name);
    if len == 0 {
        c.empty(c.place);
    }
    // SEQS of WoW has at least its count, which the client reads in any case.
    if len == 0 && !matches!(name, "VERS" | "MODL" | "SEQS") && !is_plain(name) {
        // Legal and common: nothing to read, nothing to report (docs/formats/mdx.md#chunks).
        return Ok(empty(name, c.context));
    }
    let place = c.place;
    c.context.first = first;
    let held = c.held(again.unwrap_or(place), len, |c| {
        c.place = place;
        size(c, name)?;
        typed(c, name, first, seqs)
    });
    c.context.first = 0;
    let held = held?;
    Ok(match held {
        crate::Held::Typed(content) => content,
        crate::Held::Raw(raw) => Content::Raw(raw),
    })
}

/// Whether a chunk of no bytes is a list of no records.
fn is_plain(name: &str) -> bool {
    matches!(name, "GLBS" | "TEXS" | "PIVT" | "FAFX")
}

/// A chunk of no bytes.
fn empty(name: &str, context: Context) -> Content {
    match name {
        "MTLS" => Content::Materials(Records::default()),
        "TXAN" => Content::TextureAnimations(Records::default()),
        "GEOS" if !is_batched(context) => Content::Geosets(Records::default()),
        "GEOA" => Content::GeosetAnimations(Records::default()),
        "BONE" => Content::Bones(Records::default()),
        "HELP" => Content::Helpers(Records::default()),
        "LITE" => Content::Lights(Records::default()),
        "ATCH" => Content::Attachments(Records::default()),
        "PREM" => Content::Emitters(Records::default()),
        "PRE2" => Content::Emitters2(Records::default()),
        "RIBB" => Content::Ribbons(Records::default()),
        "CAMS" => Content::Cameras(Records::default()),
        "EVTS" => Content::Events(Records::default()),
        "CLID" if context.family == Family::Warcraft => Content::CollisionShapes(Records::default()),
        "HTST" => Content::HitTests(Records::default()),
        "CORN" => Content::Popcorn(Records::default()),
        _ => Content::Raw(Raw::default()),
    }
}

/// Whether geosets are those of WoW 1500.
fn is_batched(context: Context) -> bool {
    context.family == Family::Wow && context.version >= 1500
}

/// The chunks that are laid out, by family (docs/formats/mdx.md#chunks).
fn known(tag: [u8; 4], family: Family) -> Option<&'static str> {
    const BOTH: &[&str] = &[
        "VERS", "MODL", "SEQS", "GLBS", "MTLS", "TEXS", "TXAN", "GEOS", "GEOA", "BONE", "LITE", "HELP",
        "ATCH", "PIVT", "PREM", "PRE2", "RIBB", "CAMS", "EVTS", "CLID",
    ];
    let more: &[&str] = match family {
        Family::Warcraft => &["CORN", "FAFX", "BPOS"],
        Family::Wow => &["HTST"],
    };
    BOTH.iter().chain(more).copied().find(|name| name.as_bytes() == tag)
}

/// Holds the size of a chunk against the records it must be made of (docs/formats/mdx.md#checks).
fn size(c: &Cursor<'_, '_>, name: &str) -> Outcome<()> {
    let len = c.remaining();
    let family = c.context.family;
    let whole = |stride: usize| len.is_multiple_of(stride);
    let count = c.peek().map_or(0, u32::from_le_bytes);
    let counted = |stride: usize| {
        let wanted = usize::try_from(count).ok().and_then(|count| count.checked_mul(stride));
        wanted.and_then(|wanted| wanted.checked_add(size_of::<wire::Count>())) == Some(len)
    };
    let (fits, wanted) = match (name, family) {
        ("VERS", _) => (len == 4, "4 bytes".to_owned()),
        ("MODL", Family::Warcraft) => (len == MODEL_WARCRAFT, format!("{MODEL_WARCRAFT} bytes")),
        ("MODL", Family::Wow) => (len == MODEL_WOW, format!("{MODEL_WOW} bytes")),
        ("GLBS", _) => (whole(4), "a multiple of 4".to_owned()),
        ("TEXS", _) => (whole(268), "a multiple of 268".to_owned()),
        ("PIVT", _) => (whole(12), "a multiple of 12".to_owned()),
        ("FAFX", _) => (whole(340), "a multiple of 340".to_owned()),
        ("BPOS", _) => (counted(48), format!("4 bytes and 48 for each of {count}")),
        ("SEQS", Family::Warcraft) => (whole(132), "a multiple of 132".to_owned()),
        ("SEQS", Family::Wow) => (counted(140), format!("4 bytes and 140 for each of {count}")),
        _ => return Ok(()),
    };
    if fits {
        return Ok(());
    }
    let found = format!("{wanted} wanted, {len} bytes found");
    let code = if name == "SEQS" { &check::SEQS_SIZE } else { &check::CHUNK_SIZE };
    Err(c.problem(code, c.path().field("size"), found))
}

/// How the end of a record is found (docs/formats/mdx.md#sizes).
#[derive(Clone, Copy)]
enum Frame {
    /// It begins with its own inclusive size.
    Sized,
    /// It begins with a node, whose size this many bytes follow.
    Node(usize),
    /// Only reading it tells.
    Open,
}

/// A chunk that is known, as what it is.
fn typed(c: &mut Cursor<'_, '_>, name: &'static str, first: usize, seqs: Reading) -> Outcome<Content> {
    let family = c.context.family;
    let sized = Frame::Sized;
    let by_family = if family == Family::Wow { Frame::Sized } else { Frame::Open };
    Ok(match name {
        "VERS" => Content::Version(c.fixed::<wire::Version>()?.version.get()),
        "MODL" => Content::Model(Box::new(model::Model::read(c)?)),
        "SEQS" => Content::Sequences(model::sequences(c, seqs)?),
        "GLBS" => {
            Content::Globals(whole::<wire::Number>(c)?.into_iter().map(|number| number.value).collect())
        }
        "TEXS" => Content::Textures(whole(c)?),
        "PIVT" => Content::Pivots(whole(c)?),
        "FAFX" => Content::FaceFx(whole(c)?),
        "BPOS" => {
            c.fixed::<wire::Count>()?;
            Content::BindPoses(whole(c)?)
        }
        "MTLS" => Content::Materials(records(c, sized, first)?),
        "TXAN" => Content::TextureAnimations(records(c, sized, first)?),
        "GEOS" if is_batched(c.context) => Content::Batches(model::batches(c)?),
        "GEOS" => Content::Geosets(records(c, sized, first)?),
        "GEOA" => Content::GeosetAnimations(records(c, sized, first)?),
        "BONE" => Content::Bones(records(c, Frame::Node(size_of::<wire::node::Bone>()), first)?),
        "HELP" => Content::Helpers(records(c, Frame::Node(0), first)?),
        "LITE" => Content::Lights(records(c, sized, first)?),
        "ATCH" => Content::Attachments(records(c, sized, first)?),
        "PREM" => Content::Emitters(records(c, sized, first)?),
        "PRE2" => Content::Emitters2(records(c, sized, first)?),
        "RIBB" => Content::Ribbons(records(c, sized, first)?),
        "CAMS" => Content::Cameras(records(c, sized, first)?),
        "EVTS" => Content::Events(records(c, by_family, first)?),
        "CLID" if family == Family::Wow => Content::CollisionMesh(model::CollisionMesh::read(c)?),
        "CLID" => Content::CollisionShapes(shapes(c, first)?),
        "HTST" => Content::HitTests(records(c, sized, first)?),
        _ => Content::Popcorn(records(c, sized, first)?),
    })
}

/// A chunk that is a table and nothing else.
fn whole<T: Record>(c: &mut Cursor<'_, '_>) -> Outcome<Vec<T>> {
    c.table("", c.remaining().checked_div(size_of::<T>()).unwrap_or(0))
}

/// The records of a chunk behind their count, up to its end or to where no end can be found.
fn records<T: Part>(c: &mut Cursor<'_, '_>, frame: Frame, first: usize) -> Outcome<Records<T>> {
    let mut found = Records::default();
    let chunk = c.place;
    if c.context.family == Family::Wow {
        if [Path::of("MTLS"), Path::of("ATCH")].contains(&c.path()) {
            let head: wire::CountUnused = c.fixed()?;
            (found.count, found.unused) = (Some(head.count.get()), Some(head.unused.get()));
        } else {
            found.count = Some(c.fixed::<wire::Count>()?.count.get());
        }
    }
    while c.remaining() > 0 {
        let place = c.index(chunk, first.saturating_add(found.items.len()));
        let mark = c.mark();
        let item = match frame {
            Frame::Sized => c.frame(place, T::LEAST).and_then(|len| {
                c.held(place, len, |c| {
                    c.fixed::<wire::Size>()?;
                    T::read(c)
                })
            }),
            Frame::Node(more) => {
                c.place = place;
                let node = c.field("node");
                let node = c.frame(node, model::Node::LEAST);
                node.and_then(|len| c.held(place, len.saturating_add(more), T::read))
            }
            Frame::Open => {
                c.place = place;
                T::read(c).map(crate::Held::Typed)
            }
        };
        c.place = chunk;
        match item {
            Ok(item) => found.items.push(item),
            Err(error) => {
                c.back(&mark);
                let rest = c.field("rest");
                found.rest = c.raw(rest, c.remaining(), Some(*error))?;
            }
        }
    }
    Ok(found)
}

/// Collision shapes: as the game has them, or as some tools write them if only that fits
/// (docs/formats/mdx-records.md#shapes).
fn shapes(c: &mut Cursor<'_, '_>, first: usize) -> Outcome<Records<model::CollisionShape>> {
    let start = c.mark();
    let found = records(c, Frame::Open, first)?;
    if found.rest.bytes.is_empty() {
        return Ok(found);
    }
    c.back(&start);
    c.context.measures = OTHER_MEASURES;
    let other = records(c, Frame::Open, first)?;
    c.context.measures = MEASURES;
    if other.rest.bytes.is_empty() {
        return Ok(other);
    }
    c.back(&start);
    records(c, Frame::Open, first)
}

impl Content {
    /// How many records it has.
    pub fn len(&self) -> usize {
        match self {
            Content::Version(_) | Content::Model(_) | Content::CollisionMesh(_) | Content::Raw(_) => 1,
            Content::Sequences(rows) => rows.len(),
            Content::Globals(rows) => rows.len(),
            Content::Textures(rows) => rows.len(),
            Content::Materials(records) => records.items.len(),
            Content::TextureAnimations(records) => records.items.len(),
            Content::Geosets(records) => records.items.len(),
            Content::Batches(batches) => batches.len(),
            Content::GeosetAnimations(records) => records.items.len(),
            Content::Bones(records) => records.items.len(),
            Content::Helpers(records) => records.items.len(),
            Content::Lights(records) => records.items.len(),
            Content::Attachments(records) => records.items.len(),
            Content::Pivots(rows) => rows.len(),
            Content::Emitters(records) => records.items.len(),
            Content::Emitters2(records) => records.items.len(),
            Content::Ribbons(records) => records.items.len(),
            Content::Cameras(records) => records.items.len(),
            Content::Events(records) => records.items.len(),
            Content::CollisionShapes(records) => records.items.len(),
            Content::HitTests(records) => records.items.len(),
            Content::Popcorn(records) => records.items.len(),
            Content::FaceFx(rows) => rows.len(),
            Content::BindPoses(rows) => rows.len(),
        }
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
