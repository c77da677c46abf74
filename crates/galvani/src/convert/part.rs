//! A file without what its scene says, and the file again.
//!
//! [`taken_out`] leaves of a file what its scene does not say: where bytes are what a value makes of itself, nothing. [`put_back`]
//! makes of that and a scene the file again. A value that was changed in between is changed in the file, and nothing else is.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use galvani_core::codec::{BaseBytes, MOST_BYTES};
use galvani_core::map::Shape;
use galvani_core::maths::single_count;
use galvani_core::record::Field;
use galvani_core::{Codec, FileMap, Path};
use galvani_scene::origin::{
    Base, Groups, ParentTable, SceneLists, corners, digest, first_alike, mixed, runs, seal,
};
use galvani_scene::{Origin, Scene, Values};
use serde::{Deserialize, Serialize};

/// Where the values of a list lie in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) values: Values,
    /// What they lie in bytes by; nothing if no value of the list does.
    pub(super) codec: String,
    /// Where row 0 is, and bytes from a row to the next; letters of a number in a text.
    pub(super) start: usize,
    pub(super) stride: usize,
    /// Values of the list.
    pub(super) len: usize,
    /// Those that lie in rows, in order; nothing for all of them.
    pub(super) picks: Option<Vec<Range<usize>>>,
    pub(super) rows: Vec<Range<usize>>,
    /// Where the values are that they count from.
    pub(super) bases: Vec<usize>,
    /// Of indices: which vertex of the file each of the scene is, and from which on the file counts.
    pub(super) vertices: Option<(Vec<Range<usize>>, usize)>,
    /// What they have to do with others.
    pub(super) ties: Option<Ties>,
    /// A digest of those that lie in rows, one of the others, and one of the bytes.
    pub(super) seals: [u32; 3],
}

/// What values have to do with others of the scene and the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Ties(
    /// Of a place: what the node that it hangs on has to do with it.
    Option<Row>,
    /// Of a parent: its number must be below this.
    Option<usize>,
    /// Of pulls: where the sizes of groups are, and how many; where the numbers of their nodes are, and how many.
    Option<[usize; 4]>,
);

/// A row for each number of a node: where row 0 is, bytes from a row to the next, which number row 0 is of, how many there are,
/// whether the row is the place of the value, and not what it counts from; and the number that it was.
type Row = (usize, usize, usize, usize, bool, Option<usize>);

/// A list of a scene as a part has it.
struct Listed {
    picked: Vec<[f32; 4]>,
    others: Vec<[f32; 4]>,
}

impl Part {
    /// The part of a file that an origin names; nothing if the file has not what it names.
    fn new(origin: Origin, tables: &Tables, lists: &SceneLists<'_>) -> Option<Self> {
        let Origin { values, codec, ref file, table, stride, field, .. } = origin;
        let file = file.to_lowercase();
        let find = |table: Path| tables.get(&(file.clone(), table)).copied();
        let place = |Base { table, row, field }: &Base| {
            let (start, stride) = find(*table)?;
            start.checked_add(row.checked_mul(stride)?)?.checked_add(*field)
        };
        let (start, known) = if codec.is_empty() { (0, 0) } else { find(table)? };
        let above = match origin.above {
            Some(ParentTable { table, first, count, field, is_row }) => {
                let (start, stride) = find(table)?;
                let was = values.node().and_then(|node| lists.parent(node));
                Some((start.checked_add(field)?, stride, first, count, is_row, was))
            }
            None => None,
        };
        let groups = match origin.groups {
            Some(Groups { sizes, nodes }) => {
                // A list without entries has no place.
                let place = |(table, count): (Path, usize)| {
                    find(table).map(|(start, _)| [start, count]).or((count == 0).then_some([0, 0]))
                };
                let ([sizes, groups], [nodes, count]) = (place(sizes)?, place(nodes)?);
                Some([sizes, groups, nodes, count])
            }
            None => None,
        };
        let ties = Ties(above, origin.most, groups);
        Some(Part {
            values,
            codec: codec.to_owned(),
            start: start.checked_add(field)?,
            stride: stride.unwrap_or(known),
            len: 0,
            picks: origin.picks,
            rows: origin.rows,
            bases: origin.bases.iter().map(place).collect::<Option<_>>()?,
            vertices: origin.vertices,
            ties: (ties != Ties::default()).then_some(ties),
            seals: [0; 3],
        })
    }

    fn row(&self) -> Option<Row> {
        self.ties.and_then(|ties| ties.0)
    }

    /// Whether the value lies where the node has it that its own hangs on.
    fn is_row(&self) -> bool {
        self.row().is_some_and(|(.., is_row, _)| is_row)
    }

    /// The part as it is where its node hangs on that of a number.
    fn below(&self, parent: Option<usize>) -> Cow<'_, Part> {
        let Some((start, stride, first, count, is_row, _)) = self.row() else { return Cow::Borrowed(self) };
        let row = parent.and_then(|it| it.checked_sub(first)).filter(|row| *row < count);
        let mut part = self.clone();
        if is_row {
            (part.start, part.stride) = (start, stride);
            part.rows = runs(row);
        } else {
            let place = |row: usize| start.saturating_add(row.saturating_mul(stride));
            part.bases.extend(row.map(place));
        }
        Cow::Owned(part)
    }

    /// The values of the list as the file counts them.
    fn list(&self, lists: &SceneLists<'_>, file: &[u8]) -> Option<Vec<[f32; 4]>> {
        match (self.values, self.groups(lists, file)) {
            (Values::Pulls(mesh, at), Some(groups)) => Some(lists.pulls(mesh, at)?.groups(&groups)),
            (values, _) => lists.get(values),
        }
    }

    /// The nodes of each group that are there.
    fn groups(&self, lists: &SceneLists<'_>, file: &[u8]) -> Option<Vec<Vec<usize>>> {
        let [sizes, groups, nodes, count] = self.ties.and_then(|ties| ties.2)?;
        let words = |start: usize, count: usize| {
            let bytes = file.get(start..start.checked_add(count.checked_mul(4)?)?)?;
            let word = |word: &[u8; 4]| usize::try_from(u32::from_le_bytes(*word)).unwrap_or(usize::MAX);
            Some(bytes.as_chunks::<4>().0.iter().map(word).collect::<Vec<usize>>())
        };
        let (sizes, nodes) = (words(sizes, groups)?, words(nodes, count)?);
        let mut rest = nodes.as_slice();
        let group = |size: usize| {
            let (own, behind) = rest.split_at(size.min(rest.len()));
            rest = behind;
            own.iter().copied().filter(|node| lists.place(*node).is_some()).collect()
        };
        Some(sizes.into_iter().map(group).collect())
    }

    /// The bytes of what values count from.
    fn bases(&self, lists: &SceneLists<'_>, file: &[u8]) -> Vec<BaseBytes> {
        let Some(groups) = self.groups(lists, file) else { return bases(file, &self.bases) };
        // Which group each byte means.
        let mut alike = [[0; MOST_BYTES]; GROUPS / MOST_BYTES];
        let firsts = first_alike(&groups).into_iter().chain(groups.len()..GROUPS);
        for (byte, first) in alike.as_flattened_mut().iter_mut().zip(firsts) {
            *byte = u8::try_from(first).unwrap_or(u8::MAX);
        }
        alike.to_vec()
    }

    /// The list of a scene, parted into those that lie in rows and the others.
    fn listed(&self, list: Vec<[f32; 4]>) -> Option<Listed> {
        let list = match &self.vertices {
            Some(vertices) => corners(&list, vertices)?,
            None => list,
        };
        if self.values.is_one() {
            let picked = vec![*list.first()?; self.count()];
            return Some(Listed { picked, others: Vec::new() });
        }
        let Some(picks) = &self.picks else { return Some(Listed { picked: list, others: Vec::new() }) };
        let (mut picked, mut others, mut from) = (Vec::new(), Vec::new(), 0);
        for run in picks {
            others.extend_from_slice(list.get(from..run.start)?);
            picked.extend_from_slice(list.get(run.clone())?);
            from = run.end;
        }
        others.extend_from_slice(list.get(from..)?);
        Some(Listed { picked, others })
    }

    /// Steps that it takes to put it back.
    pub(super) fn cost(&self) -> usize {
        let [_, groups, _, nodes] = self.ties.and_then(|ties| ties.2).unwrap_or_default();
        self.count().saturating_add(self.len).saturating_add(groups).saturating_add(nodes)
    }

    /// How many values lie in rows.
    fn count(&self) -> usize {
        self.rows.iter().map(ExactSizeIterator::len).fold(0, usize::saturating_add)
    }

    /// Bytes of a value.
    fn width(&self, codec: &Codec) -> usize {
        if codec.spelled.is_some() { self.stride } else { codec.len }
    }

    /// Where every value is that takes so many bytes.
    fn places(&self, codec: &Codec) -> impl Iterator<Item = Range<usize>> {
        let len = self.width(codec);
        self.rows.iter().cloned().flatten().map(move |row| {
            let at = self.start.saturating_add(row.saturating_mul(self.stride));
            at..at.saturating_add(len)
        })
    }

    /// A short digest of the bytes of values.
    fn seal_of(&self, file: &[u8], codec: &Codec) -> u32 {
        let bytes = self.places(codec).flat_map(|place| file.get(place).unwrap_or_default());
        mixed(digest(bytes.map(|byte| u32::from(*byte)))) >> 16
    }

    /// Keeps of the values those that hold.
    fn keep(&mut self, held: Vec<bool>) {
        if !held.contains(&false) {
            return;
        }
        if self.values.is_one() {
            self.codec.clear();
            return;
        }
        let picks = self.picks.take().unwrap_or_else(|| runs(0..held.len()));
        let kept = picks.into_iter().flatten().zip(self.rows.iter().cloned().flatten()).zip(held);
        let (picks, rows): (Vec<usize>, Vec<usize>) =
            kept.filter(|(_, holds)| *holds).map(|(both, _)| both).unzip();
        (self.picks, self.rows) = (Some(runs(picks)), runs(rows));
        if self.rows.is_empty() {
            self.codec.clear();
        }
    }
}

/// Groups of nodes that a byte tells apart.
const GROUPS: usize = 256;

/// Bits of a digest that only tells which of several copies was changed: the values themselves are put back whatever it says.
const SHORT: u32 = 0x3_FFFF;

/// Letters of a number in a text, at most.
const LETTERS: usize = 32;

/// Where the tables of files begin, and bytes from a row to the next, by the names of the files in lower case; the model's own has
/// none.
pub(super) type Tables = BTreeMap<(String, Path), (usize, usize)>;

/// The tables of a file: paths, where they begin, and bytes from a row to the next. A record is a table of one row.
pub(super) fn tables(map: &FileMap) -> Vec<(Path, usize, usize)> {
    let owned = map.regions().map(|region| (region.path, region.start, region.shape));
    let shared = map.aliases().map(|alias| (alias.path, alias.start, alias.shape));
    let all: Vec<(Path, usize, Shape)> = shared.chain(owned).collect();
    let wide = all.iter().filter_map(|(path, start, shape)| match shape {
        Shape::Table { stride, .. } => Some((*path, *start, *stride)),
        Shape::Record(_) | Shape::Run(_) => None,
    });
    // Where a path is both, the table counts. What stands behind something else of the same path goes by its fields.
    let mut met = BTreeSet::new();
    let behind = all.iter().filter_map(|(path, start, shape)| match shape {
        Shape::Record(fields) if !met.insert(*path) => Some((*path, *start, *fields)),
        _ => None,
    });
    let field = |(path, start, fields): (Path, usize, &'static [Field])| {
        fields.iter().map(move |field| (path.field(field.name), start.saturating_add(field.offset), 0))
    };
    let narrow = all.iter().map(|(path, start, _)| (*path, *start, 0));
    wide.chain(narrow).chain(behind.flat_map(field)).collect()
}

/// Why a scene and what was left of a file make no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Misfit {
    /// A list has not as many values as it had.
    Count {
        /// Which list.
        values: Values,
        /// How many it had.
        wanted: usize,
        /// How many there are.
        found: usize,
    },
    /// Two values that lie at one place of the file differ.
    Copies {
        /// The list that differs from another.
        values: Values,
        /// Which of its values.
        index: usize,
    },
    /// A list was changed that the scene says in another way than the file.
    Fixed(Values),
    /// What was left of the file names bytes or ways of writing that are not there.
    Broken(Values),
}

/// Leaves of a file what its scene does not say, and where the rest goes.
pub(super) fn taken_out(
    file: &mut [u8],
    scene: &Scene,
    (origins, tables): (Vec<Origin>, &Tables),
    codecs: &[Codec],
) -> Vec<Part> {
    let is_done = vec![false; file.len()];
    let lists = SceneLists::new(scene);
    let mut taking =
        Taking { whole: file.to_vec(), left: file, is_done, read: BTreeSet::new(), lists: &lists };
    let parts = origins.into_iter().filter_map(|origin| Part::new(origin, tables, &lists));
    parts
        .filter_map(|part| {
            let codec = codecs.iter().find(|codec| codec.name == part.codec);
            taking.take(part, codec)
        })
        .collect()
}

/// A file of which parts are taken out.
struct Taking<'f> {
    /// What it was.
    whole: Vec<u8>,
    /// What is left of it.
    left: &'f mut [u8],
    /// Bytes that are taken out.
    is_done: Vec<bool>,
    /// Where values are that others were counted from.
    read: BTreeSet<usize>,
    lists: &'f SceneLists<'f>,
}

impl Taking<'_> {
    /// Takes the values of a list out; nothing if the scene has no such list, or if it is one value that does not lie in the file as
    /// it says.
    fn take(&mut self, mut part: Part, codec: Option<&Codec>) -> Option<Part> {
        let values = part.values;
        let list = part.list(self.lists, &self.whole).or_else(|| self.lists.get(values))?;
        part.len = list.len();
        let was = part.row().and_then(|(.., was)| was);
        let settled = part.below(was).into_owned();
        let fitting = settled.listed(list.clone()).filter(|listed| listed.picked.len() == settled.count());
        match codec.zip(fitting) {
            Some((codec, listed)) => {
                let held = self.held(&settled, &listed.picked, codec);
                part.keep(held);
            }
            None => part.codec.clear(),
        }
        // What lies nowhere is nothing.
        let is_nowhere = part.is_row() && settled.rows.is_empty();
        if is_nowhere && list.iter().flatten().any(|number| *number != 0.0) {
            return None;
        }
        if part.codec.is_empty() {
            if part.values.is_one() {
                return None;
            }
            (part.picks, part.vertices, part.rows) = (Some(Vec::new()), None, Vec::new());
        }
        let settled = part.below(was);
        let Listed { picked, others } = settled.listed(list)?;
        let bytes = codec.map_or(0, |codec| settled.seal_of(&self.whole, codec));
        if let Some(codec) = codec {
            self.empty(&settled, &picked, codec);
        }
        drop(settled);
        part.seals = [(seal(&picked) ^ self.lists.fine(values)) & SHORT, seal(&others), bytes];
        Some(part)
    }

    /// Which of the values lie in the file as the part says, and may be taken out: what others were counted from must be there
    /// before them.
    fn held(&self, part: &Part, picked: &[[f32; 4]], codec: &Codec) -> Vec<bool> {
        let bases = part.bases(self.lists, &self.whole);
        let is_short = part.width(codec) <= LETTERS;
        let is_free = |place: &Range<usize>| {
            let is_read = self.read.range(place.clone()).next().is_some();
            let is_own = part.bases.iter().any(|base| place.contains(base));
            self.is_done.get(place.start) == Some(&true) || !is_read && !is_own
        };
        let holds = |(value, place): (&[f32; 4], Range<usize>)| {
            is_short && is_free(&place) && is_same(&self.whole, place, codec, (*value, &bases))
        };
        picked.iter().zip(part.places(codec)).map(holds).collect()
    }

    /// Leaves of the values what they do not say themselves.
    fn empty(&mut self, part: &Part, picked: &[[f32; 4]], codec: &Codec) {
        let bases = part.bases(self.lists, &self.whole);
        self.read.extend(part.bases.iter().copied());
        for (value, place) in picked.iter().zip(part.places(codec)) {
            let done = self.is_done.get_mut(place.clone()).unwrap_or_default();
            if !done.contains(&true) {
                done.fill(true);
                differ(self.left, place, codec, (*value, &bases));
            }
        }
    }
}

/// What became of the values of a scene in its file.
#[derive(Debug, Default)]
pub(super) struct PutBack {
    /// Lists whose changes the file cannot say, or not as they are.
    pub(super) lost: Vec<Values>,
    /// Numbers of other lengths that have to be put into texts.
    pub(super) texts: Vec<(Range<usize>, Vec<u8>)>,
}

/// A part on its way back.
struct Coming<'p> {
    part: Cow<'p, Part>,
    codec: &'p Codec,
    picked: Vec<[f32; 4]>,
    /// Others may count from it.
    counts: bool,
    is_untouched: bool,
    /// Its node hangs on another than it did.
    is_moved: bool,
    /// Where its node stands in the scene.
    place: usize,
}

/// Makes a file of what was left of it and a scene.
pub(super) fn put_back(
    file: &mut [u8],
    scene: &Scene,
    parts: &[Part],
    codecs: &[Codec],
) -> Result<PutBack, Misfit> {
    let lists = SceneLists::new(scene);
    let mut putting =
        PartWriter { is_done: vec![false; file.len()], lists: &lists, put: PutBack::default(), file };
    let bases = parts.iter().flat_map(|part| part.bases.iter().copied());
    let is_base: BTreeSet<usize> = bases.collect();
    let stated: BTreeSet<Values> = parts.iter().map(|part| part.values).collect();
    let mut all = Vec::new();
    for part in parts {
        all.extend(putting.coming(part, codecs, (&is_base, &stated))?);
    }
    // What others count from is first, in order. Of the copies of a value the one that was changed counts.
    all.sort_by_key(|it| {
        let place = if it.counts { it.place } else { 0 };
        (!it.counts, place, !it.counts && it.is_moved, !it.counts && it.is_untouched)
    });
    for coming in all {
        putting.restore(&coming)?;
    }
    Ok(putting.put)
}

/// A file that values are put back into.
struct PartWriter<'f> {
    file: &'f mut [u8],
    is_done: Vec<bool>,
    lists: &'f SceneLists<'f>,
    put: PutBack,
}

impl PartWriter<'_> {
    /// What a scene has for a part; nothing if it has no place in the file.
    fn coming<'p>(
        &mut self,
        part: &'p Part,
        codecs: &'p [Codec],
        (is_base, stated): (&BTreeSet<usize>, &BTreeSet<Values>),
    ) -> Result<Option<Coming<'p>>, Misfit> {
        let (values, wanted) = (part.values, part.len);
        let list = part.list(self.lists, self.file).unwrap_or_default();
        let found = list.len();
        if found != wanted {
            return Err(Misfit::Count { values, wanted, found });
        }
        let was = part.row().and_then(|(.., was)| was);
        // Where no file says what a node hangs on, it is what it was.
        let node = values.node().filter(|node| stated.contains(&Values::Parent(*node)));
        let parent = node.map_or(was, |node| self.lists.parent(node));
        let settled = part.below(parent);
        let listed = settled.listed(list).ok_or(Misfit::Broken(values))?;
        let found = (seal(&listed.picked) ^ self.lists.fine(values)) & SHORT;
        let is_untouched = found == part.seals[0];
        let is_fixed = part.codec.is_empty();
        if seal(&listed.others) != part.seals[1] || is_fixed && !is_untouched {
            return Err(Misfit::Fixed(values));
        }
        if is_fixed {
            return Ok(None);
        }
        if part.is_row() && settled.rows.is_empty() {
            let place = self.lists.get(values).unwrap_or_default();
            let is_nothing = place.iter().flatten().all(|number| *number == 0.0);
            self.put.lost.extend((!is_nothing).then_some(values));
            return Ok(None);
        }
        let most = part.ties.and_then(|ties| ties.1);
        let is_above = |[parent, ..]: &[f32; 4]| most.is_some_and(|most| *parent >= single_count(most));
        let is_none = |value: &[f32; 4]| value.iter().any(|part| part.is_nan());
        if !is_untouched && listed.picked.iter().any(|it| is_above(it) || is_none(it)) {
            return Err(Misfit::Fixed(values));
        }
        let codec = codecs.iter().find(|codec| codec.name == part.codec).ok_or(Misfit::Broken(values))?;
        let is_place = matches!(values, Values::Place(_)) && part.row().is_some() && !part.is_row();
        let counts = is_place || settled.places(codec).any(|place| is_base.contains(&place.start));
        let place = values.node().and_then(|node| self.lists.place(node)).unwrap_or_default();
        let is_moved = part.row().is_some() && parent != was;
        Ok(Some(Coming {
            part: settled,
            codec,
            picked: listed.picked,
            counts,
            is_untouched,
            is_moved,
            place,
        }))
    }

    /// Puts the values of a list where they lie.
    fn restore(&mut self, coming: &Coming<'_>) -> Result<(), Misfit> {
        let Coming { part, codec, picked, is_untouched, is_moved, .. } = coming;
        let (values, bases) = (part.values, part.bases(self.lists, self.file));
        let mut is_lost = false;
        for (index, (value, place)) in picked.iter().zip(part.places(codec)).enumerate() {
            let done = self.is_done.get_mut(place.clone()).ok_or(Misfit::Broken(values))?;
            if !done.contains(&true) {
                done.fill(true);
                let is_put = restore(self.file, place.clone(), codec, (*value, &bases));
                if let Some(spelled) = codec.spelled.filter(|_| !is_put) {
                    self.put.texts.push((place.clone(), spelled(*value)));
                    is_lost |= !is_near(values, read(codec, &spelled(*value), &bases), *value);
                } else if !is_put {
                    let found = self.file.get(place.clone()).map(|bytes| read(codec, bytes, &bases));
                    is_lost |= found.is_some_and(|found| !is_near(values, found, *value));
                }
            } else if (!is_untouched || *is_moved) && !self.holds(&place, codec, (*value, &bases)) {
                return Err(Misfit::Copies { values, index });
            }
        }
        if is_lost || !is_untouched && part.seal_of(self.file, codec) == part.seals[2] && !is_moved {
            self.put.lost.push(values);
        }
        Ok(())
    }

    /// Whether what was put at a place makes a value.
    fn holds(&self, place: &Range<usize>, codec: &Codec, value: Based<'_>) -> bool {
        match self.put.texts.iter().find(|(other, _)| other == place) {
            Some((_, text)) => is_equal(codec, read(codec, text, value.1), value.0),
            None => is_same(self.file, place.clone(), codec, value),
        }
    }
}

/// How far a value may be off in its file, of its own size, before that is told.
const OFF: f32 = 0.02;

/// Whether a file says nearly what was wanted.
fn is_near(values: Values, found: [f32; 4], wanted: [f32; 4]) -> bool {
    let (is_direction, is_turn) = match values {
        Values::Normals(..) | Values::Tangents(..) | Values::Alongs(..) => (true, false),
        Values::Turns(..) | Values::Turn(_) | Values::EyeTurn(_) => (false, true),
        // Weights are what bytes make of them.
        Values::Pulls(..) => return true,
        _ => (false, false),
    };
    let counts = |at: usize| !is_direction || at < 3;
    let size = |value: [f32; 4]| {
        let parts = value.iter().enumerate().filter(|(at, _)| counts(*at));
        parts.map(|(_, part)| part * part).sum::<f32>().sqrt()
    };
    let (own, other) = if is_direction || is_turn { (size(found), size(wanted)) } else { (1.0, 1.0) };
    let dot: f32 = found.iter().zip(wanted).map(|(a, b)| a * b).sum();
    let side = if is_turn && dot < 0.0 { -1.0 } else { 1.0 };
    let most = OFF * if is_direction || is_turn { 1.0 } else { size(wanted) };
    let off = |(at, (found, wanted)): (usize, (f32, f32))| {
        !counts(at) || (side * found / own - wanted / other).abs() <= most
    };
    found.into_iter().zip(wanted).enumerate().all(off)
}

/// The bytes of what values count from.
fn bases(file: &[u8], places: &[usize]) -> Vec<BaseBytes> {
    let copy = |place: &usize| {
        let mut bytes = BaseBytes::default();
        let found = file.get(*place..).unwrap_or_default();
        bytes.iter_mut().zip(found).for_each(|(byte, found)| *byte = *found);
        bytes
    };
    places.iter().map(copy).collect()
}

/// A value, and what it counts from.
type Based<'b> = ([f32; 4], &'b [BaseBytes]);

/// Leaves of the bytes of a value how they differ from what it makes of itself.
fn differ(file: &mut [u8], place: Range<usize>, codec: &Codec, (value, bases): Based<'_>) {
    let mut made = [0; LETTERS];
    let made = made.get_mut(..place.len()).unwrap_or_default();
    (codec.lower)(canonical(value, codec), bases, made);
    let bytes = file.get_mut(place).unwrap_or_default();
    bytes.iter_mut().zip(made).for_each(|(byte, made)| *byte ^= *made);
}

/// The bytes of a value: those that it came from, as long as they make that value; whether they do.
fn restore(file: &mut [u8], place: Range<usize>, codec: &Codec, (value, bases): Based<'_>) -> bool {
    differ(file, place.clone(), codec, (value, bases));
    if is_same(file, place.clone(), codec, (value, bases)) {
        return true;
    }
    (codec.lower)(value, bases, file.get_mut(place.clone()).unwrap_or_default());
    is_same(file, place, codec, (value, bases))
}

/// The one of equal values that counts: copies of a value may be any of them.
fn canonical(value: [f32; 4], codec: &Codec) -> [f32; 4] {
    let value = value.map(|part| part + 0.0);
    let is_negative = value.iter().rev().find(|part| **part != 0.0).is_some_and(|part| *part < 0.0);
    if codec.is_signless && is_negative { value.map(|part| 0.0 - part) } else { value }
}

/// Whether the bytes at a place make a value.
fn is_same(file: &[u8], place: Range<usize>, codec: &Codec, (value, bases): Based<'_>) -> bool {
    file.get(place).is_some_and(|bytes| is_equal(codec, read(codec, bytes, bases), value))
}

/// The value that bytes make.
fn read(codec: &Codec, bytes: &[u8], bases: &[BaseBytes]) -> [f32; 4] {
    (codec.lift)(bytes, bases)
}

fn is_equal(codec: &Codec, found: [f32; 4], value: [f32; 4]) -> bool {
    let bits = |value: [f32; 4]| value.map(|part| (part + 0.0).to_bits());
    bits(found) == bits(value) || codec.is_signless && bits(found.map(|part| -part)) == bits(value)
}
