//! How chunks lie in a file (docs/formats/mdx.md#sizes, #counts).

use std::marker::PhantomData;

use galvani_core::budget::is_exhaustion;
use galvani_core::record::Record;
use galvani_core::{Code, room};

use crate::cursor::{Cursor, Outcome, ReadPart};
use crate::held::{Held, Records};
use crate::model::{self, MEASURES, OTHER_MEASURES, Write};
use crate::out::Out;
use crate::visit::{AnyRecords, Visit, texts_of};
use crate::{Family, check, wire};

/// Called with every text: the index of its record if there may be several, the field, the whole room.
pub(crate) type EachText<'e, 'a> = &'e mut dyn FnMut(Option<usize>, &'static str, &'a [u8]);

/// How that which a chunk holds lies in its payload.
pub(crate) trait Layout<Holds> {
    /// Whether a chunk of no bytes holds no such thing, not even none of them.
    const NEEDS_BYTES: bool = false;

    /// Reads the whole payload.
    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Holds>;

    /// Writes the whole payload.
    fn write(held: &Holds, out: &mut Out);

    /// How many records there are.
    fn len(held: &Holds) -> usize;

    /// Calls `each` with every text that has a room of its own.
    fn texts<'a>(_: &'a Holds, _: EachText<'_, 'a>) {}

    /// The records, if each may be one that could not be read.
    fn records(_: &Holds) -> Option<&dyn AnyRecords> {
        None
    }

    /// The same for editing.
    fn records_mut(_: &mut Holds) -> Option<&mut dyn AnyRecords> {
        None
    }
}

/// A layout that one content has for itself, beside which it is declared.
pub(crate) enum OwnLayout {}

/// Rows of one size up to the end of the chunk.
pub(crate) enum Table {}

impl<T: Record> Layout<Vec<T>> for Table {
    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Vec<T>> {
        let count = multiple_of(c, &check::CHUNK_SIZE, size_of::<T>())?;
        c.table("", count)
    }

    fn write(rows: &Vec<T>, out: &mut Out) {
        out.record(rows.as_slice());
    }

    fn len(rows: &Vec<T>) -> usize {
        rows.len()
    }

    fn texts<'a>(rows: &'a Vec<T>, each: EachText<'_, 'a>) {
        for (i, row) in rows.iter().enumerate() {
            texts_of(row, &mut |field, room| each(Some(i), field, room));
        }
    }
}

/// The same behind their count, in either family.
pub(crate) enum Counted {}

impl<T: Record> Layout<Vec<T>> for Counted {
    const NEEDS_BYTES: bool = true;

    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Vec<T>> {
        let count = counted(c, &check::CHUNK_SIZE, size_of::<T>())?;
        c.table("", count)
    }

    fn write(rows: &Vec<T>, out: &mut Out) {
        out.count(rows.len());
        Table::write(rows, out);
    }

    fn len(rows: &Vec<T>) -> usize {
        rows.len()
    }

    fn texts<'a>(rows: &'a Vec<T>, each: EachText<'_, 'a>) {
        Table::texts(rows, each);
    }
}

/// Records that each begin with their own size.
pub(crate) enum Framed {}

/// The same, in WoW with another number behind their count.
pub(crate) enum FramedAfterTwo {}

/// The same in WoW; in Warcraft III only reading a record tells where it ends.
pub(crate) enum FramedInWow {}

/// Records that each begin with a node, whose size a `More` follows.
pub(crate) struct Nodes<More = ()>(PhantomData<More>);

/// Records of which only reading tells where they end, and which tools write in two ways.
pub(crate) enum Shapes {}

/// How the records of a chunk are told apart.
trait Framing {
    /// Reads them all.
    fn read<T: ReadPart>(c: &mut Cursor<'_, '_>) -> Outcome<Records<T>>;
}

impl Framing for Framed {
    fn read<T: ReadPart>(c: &mut Cursor<'_, '_>) -> Outcome<Records<T>> {
        records(c, Frame::Sized, Before::Count)
    }
}

impl Framing for FramedAfterTwo {
    fn read<T: ReadPart>(c: &mut Cursor<'_, '_>) -> Outcome<Records<T>> {
        records(c, Frame::Sized, Before::CountUnused)
    }
}

impl Framing for FramedInWow {
    fn read<T: ReadPart>(c: &mut Cursor<'_, '_>) -> Outcome<Records<T>> {
        let is_wow = c.context.family == Family::Wow;
        records(c, if is_wow { Frame::Sized } else { Frame::Open }, Before::Count)
    }
}

impl<More> Framing for Nodes<More> {
    fn read<T: ReadPart>(c: &mut Cursor<'_, '_>) -> Outcome<Records<T>> {
        records(c, Frame::Node(size_of::<More>()), Before::Count)
    }
}

impl Framing for Shapes {
    /// Reads them as the game has them, or as some tools write them if only that fits
    /// (docs/formats/mdx-records.md#shapes).
    fn read<T: ReadPart>(c: &mut Cursor<'_, '_>) -> Outcome<Records<T>> {
        let start = c.mark();
        let found = records(c, Frame::Open, Before::Count)?;
        if found.rest.bytes.is_empty() {
            return Ok(found);
        }
        c.back(&start);
        c.context.measures = OTHER_MEASURES;
        let other = records(c, Frame::Open, Before::Count)?;
        c.context.measures = MEASURES;
        if other.rest.bytes.is_empty() {
            return Ok(other);
        }
        c.back(&start);
        records(c, Frame::Open, Before::Count)
    }
}

impl<T: ReadPart + Write + Visit, F: Framing> Layout<Records<T>> for F {
    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Records<T>> {
        // Legal and common: nothing to read, nothing to report (docs/formats/mdx.md#chunks).
        if c.remaining() == 0 { Ok(Records::default()) } else { F::read(c) }
    }

    fn write(records: &Records<T>, out: &mut Out) {
        for number in [records.count, records.unused].into_iter().flatten() {
            out.u32(number);
        }
        for item in &records.items {
            out.held(item, T::write);
        }
        out.raw(&records.rest);
    }

    fn len(records: &Records<T>) -> usize {
        records.items.len()
    }

    fn texts<'a>(records: &'a Records<T>, each: EachText<'_, 'a>) {
        for (i, record) in records.typed() {
            record.texts(&mut |field, room| each(Some(i), field, room));
        }
    }

    fn records(records: &Records<T>) -> Option<&dyn AnyRecords> {
        Some(records)
    }

    fn records_mut(records: &mut Records<T>) -> Option<&mut dyn AnyRecords> {
        Some(records)
    }
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

/// What stands before the records in WoW (docs/formats/mdx.md#counts).
#[derive(Clone, Copy)]
enum Before {
    Count,
    CountUnused,
}

/// The records of a chunk behind their count, up to its end or to where no end can be found.
fn records<T: ReadPart>(c: &mut Cursor<'_, '_>, frame: Frame, before: Before) -> Outcome<Records<T>> {
    let mut found = Records::default();
    let (chunk, first) = (c.place, c.context.first);
    match before {
        _ if c.context.family == Family::Warcraft => {}
        Before::Count => found.count = Some(c.fixed::<wire::Count>()?.count.get()),
        Before::CountUnused => {
            let head: wire::CountUnused = c.fixed()?;
            (found.count, found.unused) = (Some(head.count.get()), Some(head.unused.get()));
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
                T::read(c).map(Held::Typed)
            }
        };
        c.place = chunk;
        match item {
            Ok(item) => room::push(&mut found.items, item)?,
            Err(error) if is_exhaustion(&error) => return Err(error),
            Err(error) => {
                c.back(&mark);
                let rest = c.field("rest");
                found.rest = c.raw(rest, c.remaining(), Some(*error))?;
            }
        }
    }
    Ok(found)
}

/// Refuses a chunk of another size than this.
pub(crate) fn exactly(c: &Cursor<'_, '_>, code: &'static Code, len: usize) -> Outcome<()> {
    if c.remaining() == len { Ok(()) } else { Err(misfit(c, code, &format!("{len} bytes"))) }
}

/// How many rows of this size the chunk has; refuses it if that does not come out even.
pub(crate) fn multiple_of(c: &Cursor<'_, '_>, code: &'static Code, stride: usize) -> Outcome<usize> {
    if c.remaining().is_multiple_of(stride) {
        return Ok(c.remaining().checked_div(stride).unwrap_or(0));
    }
    Err(misfit(c, code, &format!("a multiple of {stride}")))
}

/// Reads the count of rows of this size; refuses a chunk that is not just as long.
pub(crate) fn counted(c: &mut Cursor<'_, '_>, code: &'static Code, stride: usize) -> Outcome<usize> {
    let count = c.peek().map_or(0, u32::from_le_bytes);
    let wanted = usize::try_from(count).ok().and_then(|count| count.checked_mul(stride));
    let wanted = wanted.and_then(|wanted| wanted.checked_add(size_of::<wire::Count>()));
    if wanted != Some(c.remaining()) {
        return Err(misfit(c, code, &format!("4 bytes and {stride} for each of {count}")));
    }
    c.fixed::<wire::Count>()?;
    multiple_of(c, code, stride)
}

/// A size that no such chunk has (docs/formats/mdx.md#checks).
#[cold]
fn misfit(c: &Cursor<'_, '_>, code: &'static Code, wanted: &str) -> Box<galvani_core::Diagnostic> {
    let found = format!("{wanted} wanted, {} bytes found", c.remaining());
    c.problem(code, c.path().field("size"), found)
}
