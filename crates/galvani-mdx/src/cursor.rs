//! A reader that writes down what it took for what, and that can go back.

use galvani_core::budget::is_exhaustion;
use galvani_core::diag::Diagnostic;
use galvani_core::map::{Claim, Shape};
use galvani_core::record::{Field, FieldKind, Record};
use galvani_core::{
    ByteWindow, Exhausted, FileMap, Path, PlaceId, Places, Reading, WantedReading, room, text,
};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::Family;
use crate::check;
use crate::held::{Damage, Held, Raw};
use crate::wire;

/// What reading a part gives, or why it cannot be read.
pub(crate) type Outcome<T> = Result<T, Box<Diagnostic>>;

/// What every reader of a part has to know.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context {
    pub(crate) family: Family,
    pub(crate) version: u32,
    /// Which account of sequences counts.
    pub(crate) seqs: Reading,
    /// What was asked for about the heads of tracks.
    pub(crate) tracks: WantedReading,
    /// How many global sequences there are.
    pub(crate) globals: usize,
    /// How many measures a shape of each type has (docs/formats/mdx-records.md#shapes).
    pub(crate) measures: [usize; 4],
    /// Whether bones and weights of a skin take two bytes each.
    pub(crate) wide_skin: bool,
    /// How many records earlier chunks of the same tag have.
    pub(crate) first: usize,
}

impl Context {
    /// Whether this is a Warcraft III model of at least this version.
    pub(crate) fn since(&self, version: u32) -> bool {
        self.family == Family::Warcraft && self.version >= version
    }
}

/// A part of a file or a record of it, by chunk.
pub(crate) trait ReadPart: Sized {
    /// Bytes that it has at least, its frame included. A smaller size is no size.
    const LEAST: usize;

    /// Reads what stands behind the frame.
    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Self>;
}

/// What was taken for what.
#[derive(Debug, Clone)]
pub(crate) struct Log {
    places: Places,
    claims: Vec<Claim>,
    pub(crate) votes: Votes,
}

/// How many records with tracks fit which form of head.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Votes {
    pub(crate) observed: usize,
    pub(crate) documented: usize,
    /// Those that fit both forms, and do not vote.
    pub(crate) both: usize,
    /// Those that fit none.
    pub(crate) neither: usize,
    /// The first of all.
    first: Option<PlaceId>,
}

impl Votes {
    /// Records that are not as real files have them.
    pub(crate) fn misfits(&self) -> usize {
        self.documented.saturating_add(self.neither)
    }

    /// Counts the record at a place.
    pub(crate) fn add(&mut self, place: PlaceId, observed: bool, documented: bool) {
        let side = match (observed, documented) {
            (true, false) => &mut self.observed,
            (false, true) => &mut self.documented,
            (true, true) => &mut self.both,
            (false, false) => &mut self.neither,
        };
        *side = side.saturating_add(1);
        self.first.get_or_insert(place);
    }
}

/// A place to go back to.
#[derive(Debug)]
pub(crate) struct Mark {
    offset: usize,
    claims: usize,
}

impl Log {
    /// Nothing yet, with room for what a file of so many bytes mostly has; beyond that it grows as it goes.
    pub(crate) fn with_room(len: usize) -> Result<Self, Exhausted> {
        let count = (len / 256).min(512);
        let (places, claims) = (Places::with_room(count)?, room::with_capacity(count)?);
        Ok(Log { places, claims, votes: Votes::default() })
    }

    /// The first record that had tracks where their form was open.
    pub(crate) fn first_vote(&self) -> Option<Path> {
        self.votes.first.map(|place| self.places.path(place))
    }

    /// The map of a file of so many bytes.
    pub(crate) fn map(self, len: usize) -> FileMap {
        FileMap::from_claims(len, self.places, self.claims)
    }
}

/// A reader over a part of the file, at a place of the document.
#[derive(Debug)]
pub(crate) struct Cursor<'a, 'm> {
    window: ByteWindow<'a>,
    pub(crate) place: PlaceId,
    pub(crate) context: Context,
    pub(crate) log: &'m mut Log,
}

impl<'a, 'm> Cursor<'a, 'm> {
    pub(crate) fn new(file: &'a [u8], context: Context, log: &'m mut Log) -> Self {
        Cursor { window: ByteWindow::new(file), place: PlaceId::ROOT, context, log }
    }

    pub(crate) fn remaining(&self) -> usize {
        self.window.remaining()
    }

    pub(crate) fn offset(&self) -> usize {
        self.window.offset()
    }

    /// Where to go back to.
    pub(crate) fn mark(&self) -> Mark {
        Mark { offset: self.offset(), claims: self.log.claims.len() }
    }

    /// Goes back; what was taken since then was not taken.
    pub(crate) fn back(&mut self, mark: &Mark) {
        // A mark of this cursor is always in its window.
        self.window.seek(mark.offset).unwrap_or_default();
        self.log.claims.truncate(mark.claims);
    }

    /// The next four bytes, untaken.
    pub(crate) fn peek(&self) -> Option<[u8; 4]> {
        self.window.rest().first_chunk().copied()
    }

    /// The bytes that are left, untaken.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.window.rest()
    }

    /// Passes over what is left.
    pub(crate) fn skip(&mut self) {
        self.window.take(self.remaining(), 1);
    }

    /// The path of this place, for problems.
    pub(crate) fn path(&self) -> Path {
        self.path_of(self.place)
    }

    fn path_of(&self, place: PlaceId) -> Path {
        self.log.places.path(place)
    }

    /// The named part of what stands here.
    pub(crate) fn field(&mut self, name: &'static str) -> PlaceId {
        self.log.places.field(self.place, name)
    }

    /// An element of a list in what stands here.
    pub(crate) fn element(&mut self, name: &'static str, index: usize) -> PlaceId {
        self.log.places.element(self.place, name, index)
    }

    /// An element of the list at a place.
    pub(crate) fn index(&mut self, place: PlaceId, index: usize) -> PlaceId {
        self.log.places.index(place, index)
    }

    /// The fixed part of what this cursor reads: its fields stand right here.
    pub(crate) fn fixed<T: Record>(&mut self) -> Outcome<T> {
        self.record_at(self.place)
    }

    /// A record under a name of its own.
    #[inline]
    pub(crate) fn record<T: Record>(&mut self, name: &'static str) -> Outcome<T> {
        let place = self.field(name);
        self.record_at(place)
    }

    /// What has no name of its own stands right here.
    fn named(&mut self, name: &'static str) -> PlaceId {
        if name.is_empty() { self.place } else { self.field(name) }
    }

    #[inline]
    fn record_at<T: Record>(&mut self, place: PlaceId) -> Outcome<T> {
        let start = self.offset();
        let bytes = self.take(place, 1, size_of::<T>())?;
        let record = T::read_from_bytes(bytes).map_err(|_| self.truncated(place, 1, size_of::<T>()))?;
        self.claim(place, start, size_of::<T>(), Shape::Record(T::FIELDS));
        Ok(record)
    }

    /// Takes `count` records of `size` bytes.
    fn take(&mut self, place: PlaceId, count: usize, size: usize) -> Outcome<&'a [u8]> {
        self.window.take(count, size).ok_or_else(|| self.truncated(place, count, size))
    }

    #[cold]
    fn truncated(&self, place: PlaceId, count: usize, size: usize) -> Box<Diagnostic> {
        self.problem(&check::TRUNCATED, self.path_of(place), self.window.shortage(count, size))
    }

    /// Records one after the other. The count is held against the bytes left before anything is allocated.
    pub(crate) fn table<T: Record>(&mut self, name: &'static str, count: usize) -> Outcome<Vec<T>> {
        self.column::<T, T>(name, count)
    }

    /// A table of records that are one value each, as these values.
    pub(crate) fn column<T: Record, V>(&mut self, name: &'static str, count: usize) -> Outcome<Vec<V>>
    where
        V: FromBytes + Immutable + KnownLayout + Unaligned + Copy,
    {
        const { assert!(size_of::<T>() == size_of::<V>()) };
        let (place, start) = (self.named(name), self.offset());
        let (stride, first) = (size_of::<T>(), self.context.first);
        let bytes = self.take(place, count, stride)?;
        let table = <[V]>::ref_from_bytes(bytes).map_err(|_| self.truncated(place, count, stride))?;
        if name.is_empty() && first > 0 {
            // The rows of a chunk that is there again are numbered on, which no table can be.
            for (i, row) in (first..).zip(0..count) {
                let at = start.saturating_add(row.saturating_mul(stride));
                let place = self.index(place, i);
                self.claim(place, at, stride, Shape::Record(T::FIELDS));
            }
        } else if count > 0 {
            let len = size_of_val(table);
            self.claim(place, start, len, Shape::Table { fields: T::FIELDS, stride });
        }
        Ok(room::copied(table)?)
    }

    /// The same as bytes, for records whose layout the caller knows.
    pub(crate) fn rows(
        &mut self,
        name: &'static str,
        count: usize,
        (fields, stride): (&'static [Field], usize),
    ) -> Outcome<&'a [u8]> {
        let start = self.offset();
        let Some(bytes) = self.window.take(count, stride) else {
            let left = self.remaining();
            let found = format!("{count} keys of {stride} bytes wanted, {left} bytes left");
            return Err(self.problem(&check::KEY_COUNT, self.path().field(name), found));
        };
        if count > 0 {
            let place = self.field(name);
            self.claim(place, start, bytes.len(), Shape::Table { fields, stride });
        }
        Ok(bytes)
    }

    /// A count of records that each take at least `least` bytes, held against the bytes left.
    pub(crate) fn counted(&self, name: &'static str, count: u32, least: usize) -> Outcome<usize> {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let fits = count.checked_mul(least).is_some_and(|len| len <= self.remaining());
        if fits {
            return Ok(count);
        }
        let found = format!("{count} of at least {least} bytes wanted, {} bytes left", self.remaining());
        Err(self.problem(&check::TRUNCATED, self.path().field(name), found))
    }

    /// The elements of a list that must be the one named.
    pub(crate) fn list<T: Record>(&mut self, tag: &'static str) -> Outcome<Vec<T>> {
        self.values::<T, T>(tag)
    }

    /// The same of a list whose elements are one value each, as these values.
    pub(crate) fn values<T: Record, V>(&mut self, tag: &'static str) -> Outcome<Vec<V>>
    where
        V: FromBytes + Immutable + KnownLayout + Unaligned + Copy,
    {
        let count = self.list_head(tag)?;
        self.column::<T, V>(tag, usize::try_from(count).unwrap_or(usize::MAX))
    }

    /// The head of a list that must be the one named; how many elements it counts.
    pub(crate) fn list_head(&mut self, tag: &'static str) -> Outcome<u32> {
        let mark = self.mark();
        let head: wire::ListHead = self.record(tag)?;
        if head.tag.0.to_bytes() == tag.as_bytes() {
            return Ok(head.count.get());
        }
        self.back(&mark);
        let found = format!("`{tag}` wanted, `{}` found", text::shown(&head.tag.0.to_bytes()));
        Err(self.problem(&check::SUB_CHUNK, self.path().field(tag), found))
    }

    /// A part with bounds of its own, at a place of its own.
    pub(crate) fn part(&mut self, place: PlaceId, len: usize) -> Outcome<Cursor<'a, '_>> {
        match self.window.part(len) {
            Some(window) => Ok(Cursor { window, place, context: self.context, log: self.log }),
            None => Err(self.truncated(place, len, 1)),
        }
    }

    /// The bytes that an inclusive size at the next place counts (docs/formats/mdx.md#sizes).
    pub(crate) fn frame(&self, place: PlaceId, least: usize) -> Outcome<usize> {
        let size = self.peek().map(u32::from_le_bytes);
        let left = self.remaining();
        match size.and_then(|size| usize::try_from(size).ok()) {
            Some(size) if (least..=left).contains(&size) => Ok(size),
            Some(size) => {
                let found = format!("{least} to {left} bytes wanted, {size} found");
                Err(self.problem(&check::RECORD_SIZE, self.path_of(place).field("size"), found))
            }
            None => {
                let found = format!("a record of at least {least} bytes wanted, {left} bytes left");
                Err(self.problem(&check::RECORD_SIZE, self.path_of(place).field("size"), found))
            }
        }
    }

    /// A part that begins with its own inclusive size, that size taken.
    pub(crate) fn sized(&mut self, place: PlaceId, least: usize) -> Outcome<Cursor<'a, '_>> {
        let len = self.frame(place, least)?;
        let mut part = self.part(place, len)?;
        part.fixed::<wire::Size>()?;
        Ok(part)
    }

    /// A record of the next `len` bytes, which it must use up; or those bytes, if it does not.
    pub(crate) fn held<T>(
        &mut self,
        place: PlaceId,
        len: usize,
        read: impl FnOnce(&mut Cursor<'a, '_>) -> Outcome<T>,
    ) -> Outcome<Held<T>> {
        let mark = self.mark();
        let mut part = self.part(place, len)?;
        let outcome = read(&mut part).and_then(|record| part.end().map(|()| record));
        match outcome {
            Ok(record) => Ok(Held::Typed(record)),
            // Its bytes are good, there is only no room for them.
            Err(error) if is_exhaustion(&error) => Err(error),
            Err(error) => {
                self.back(&mark);
                Ok(Held::Raw(self.raw(place, len, Some(*error))?))
            }
        }
    }

    /// The next `len` bytes as they are, and why.
    pub(crate) fn raw(&mut self, place: PlaceId, len: usize, why: Option<Diagnostic>) -> Outcome<Raw> {
        let start = self.offset();
        let bytes = room::copied(self.take(place, len, 1)?)?;
        if len > 0 {
            self.claim(place, start, len, Shape::Run(FieldKind::Raw));
        }
        let damage = why.map(|why| {
            let at = why.offset.and_then(|at| usize::try_from(at).ok()).unwrap_or(start);
            let into = at.saturating_sub(start);
            let message = format!("{} at +0x{into:x}: {}", why.path, why.message);
            Box::new(Damage { code: why.code, message, help: why.help })
        });
        Ok(Raw { bytes, damage })
    }

    /// The next `len` bytes as a run of one kind.
    pub(crate) fn run(&mut self, name: &'static str, len: usize, kind: FieldKind) -> Outcome<Vec<u8>> {
        let (place, start) = (self.field(name), self.offset());
        let bytes = self.take(place, len, 1)?;
        if len > 0 {
            self.claim(place, start, len, Shape::Run(kind));
        }
        Ok(room::copied(bytes)?)
    }

    /// The end of a part, where nothing may be left.
    pub(crate) fn end(&self) -> Outcome<()> {
        match self.remaining() {
            0 => Ok(()),
            left => {
                let found = format!("the end wanted, {left} bytes left");
                Err(self.problem(&check::RECORD_SLACK, self.path(), found))
            }
        }
    }

    /// A problem at the next place.
    #[cold]
    pub(crate) fn problem(
        &self,
        code: &'static galvani_core::Code,
        path: Path,
        found: String,
    ) -> Box<Diagnostic> {
        Box::new(code.at(path).offset(self.offset()).saying(found))
    }

    /// Gives a place the next offset, though it has no bytes.
    pub(crate) fn empty(&mut self, place: PlaceId) {
        self.claim(place, self.offset(), 0, Shape::Run(FieldKind::Payload));
    }

    fn claim(&mut self, place: PlaceId, start: usize, len: usize, shape: Shape) {
        self.log.claims.push(Claim { place, start, len, shape });
    }

    /// Shows the table claimed last under the names of another account of its bytes.
    pub(crate) fn rename_table(&mut self, fields: &'static [Field]) {
        if let Some(Claim { shape: Shape::Table { fields: shown, .. }, .. }) = self.log.claims.last_mut() {
            *shown = fields;
        }
    }
}

impl<T: ReadPart> ReadPart for Box<T> {
    const LEAST: usize = T::LEAST;

    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Self> {
        T::read(c).map(Box::new)
    }
}
