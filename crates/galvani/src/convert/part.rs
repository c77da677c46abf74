//! A file without what its scene says, and the file again.
//!
//! [`taken_out`] leaves of a file what its scene does not say: where bytes are what a value makes of itself, nothing. [`put_back`]
//! makes of that and a scene the file again. A value that was changed in between is changed in the file, and nothing else is.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use galvani_core::codec::{BaseBytes, MOST_BYTES};
use galvani_core::map::Shape;
use galvani_core::{Codec, FileMap, Path};
use galvani_scene::origin::{Base, Lists, corners, digest, runs, seal};
use galvani_scene::{Origin, Scene, Values};

/// Where the values of a list lie in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) values: Values,
    /// What they lie in bytes by; nothing if no value of the list does.
    pub(super) codec: String,
    /// Where row 0 is, and bytes from a row to the next.
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
    /// A digest of those that lie in rows, one of the others, and one of the bytes.
    pub(super) seals: [u32; 3],
}

/// A list of a scene as a part has it.
struct Listed {
    picked: Vec<[f32; 4]>,
    others: Vec<[f32; 4]>,
}

impl Part {
    /// The part of a file that an origin names; nothing if the file has not what it names.
    fn new(origin: Origin, tables: &Tables) -> Option<Self> {
        let Origin { values, codec, file, table, stride, field, picks, rows, bases, vertices } = origin;
        let file = file.to_lowercase();
        let place = |Base { table, row, field }: &Base| {
            let (start, stride) = tables.get(&(file.clone(), *table))?;
            start.checked_add(row.checked_mul(*stride)?)?.checked_add(*field)
        };
        let (start, own) = match codec {
            "" => (0, 0),
            _ => *tables.get(&(file.clone(), table))?,
        };
        Some(Part {
            values,
            codec: codec.to_owned(),
            start: start.checked_add(field)?,
            stride: stride.unwrap_or(own),
            len: 0,
            picks,
            rows,
            bases: bases.iter().map(place).collect::<Option<_>>()?,
            vertices,
            seals: [0; 3],
        })
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
        self.count().saturating_add(self.len)
    }

    /// How many values lie in rows.
    fn count(&self) -> usize {
        self.rows.iter().map(ExactSizeIterator::len).fold(0, usize::saturating_add)
    }

    /// Where every value is that takes so many bytes.
    fn places(&self, len: usize) -> impl Iterator<Item = Range<usize>> {
        self.rows.iter().cloned().flatten().map(move |row| {
            let at = self.start.saturating_add(row.saturating_mul(self.stride));
            at..at.saturating_add(len)
        })
    }

    /// A short digest of the bytes of values that take so many.
    fn seal_of(&self, file: &[u8], len: usize) -> u32 {
        let bytes = self.places(len).flat_map(|place| file.get(place).unwrap_or_default());
        digest(bytes.map(|byte| u32::from(*byte))) >> 16
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
    // Where a path is both, the table counts.
    wide.chain(all.iter().map(|(path, start, _)| (*path, *start, 0))).collect()
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
    let mut taking = Taking { whole: file.to_vec(), left: file, is_done, read: BTreeSet::new() };
    let lists = Lists::new(scene);
    let parts = origins.into_iter().filter_map(|origin| Part::new(origin, tables));
    parts
        .filter_map(|part| {
            let codec = codecs.iter().find(|codec| codec.name == part.codec);
            let list = lists.get(part.values)?;
            taking.take(part, list, codec)
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
}

impl Taking<'_> {
    /// Takes the values of a list out; nothing if it is one value that does not lie in the file as it says.
    fn take(&mut self, mut part: Part, list: Vec<[f32; 4]>, codec: Option<&Codec>) -> Option<Part> {
        part.len = list.len();
        let fitting = part.listed(list.clone()).filter(|listed| listed.picked.len() == part.count());
        match codec.zip(fitting) {
            Some((codec, listed)) => {
                let held = self.held(&part, &listed.picked, codec);
                part.keep(held);
            }
            None => part.codec.clear(),
        }
        if part.codec.is_empty() {
            if part.values.is_one() {
                return None;
            }
            (part.picks, part.vertices, part.rows) = (Some(Vec::new()), None, Vec::new());
        }
        let Listed { picked, others } = part.listed(list)?;
        let bytes = codec.map_or(0, |codec| part.seal_of(&self.whole, codec.len));
        part.seals = [seal(&picked), seal(&others), bytes];
        if let Some(codec) = codec {
            self.empty(&part, &picked, codec);
        }
        Some(part)
    }

    /// Which of the values lie in the file as the part says, and may be taken out: what others were counted from must be there
    /// before them.
    fn held(&self, part: &Part, picked: &[[f32; 4]], codec: &Codec) -> Vec<bool> {
        let bases = bases(&self.whole, &part.bases);
        let is_free = |place: &Range<usize>| {
            let is_read = self.read.range(place.clone()).next().is_some();
            let is_own = part.bases.iter().any(|base| place.contains(base));
            self.is_done.get(place.start) == Some(&true) || !is_read && !is_own
        };
        let holds = |(value, place): (&[f32; 4], Range<usize>)| {
            is_free(&place) && is_same(&self.whole, place, codec, (*value, &bases))
        };
        picked.iter().zip(part.places(codec.len)).map(holds).collect()
    }

    /// Leaves of the values what they do not say themselves.
    fn empty(&mut self, part: &Part, picked: &[[f32; 4]], codec: &Codec) {
        let bases = bases(&self.whole, &part.bases);
        self.read.extend(part.bases.iter().copied());
        for (value, place) in picked.iter().zip(part.places(codec.len)) {
            let done = self.is_done.get_mut(place.clone()).unwrap_or_default();
            if !done.contains(&true) {
                done.fill(true);
                differ(self.left, place, codec, (*value, &bases));
            }
        }
    }
}

/// Makes a file of what was left of it and a scene; gives the lists whose changes are too small for the file.
pub(super) fn put_back(
    file: &mut [u8],
    scene: &Scene,
    parts: &[Part],
    codecs: &[Codec],
) -> Result<Vec<Values>, Misfit> {
    let mut is_done = vec![false; file.len()];
    let (lists, mut all) = (Lists::new(scene), Vec::new());
    let is_base: BTreeSet<usize> = parts.iter().flat_map(|part| part.bases.iter().copied()).collect();
    for part in parts {
        let (values, wanted) = (part.values, part.len);
        let list = lists.get(values).unwrap_or_default();
        let found = list.len();
        if found != wanted {
            return Err(Misfit::Count { values, wanted, found });
        }
        let listed = part.listed(list).ok_or(Misfit::Broken(values))?;
        if seal(&listed.others) != part.seals[1] {
            return Err(Misfit::Fixed(values));
        }
        if part.codec.is_empty() {
            continue;
        }
        let codec = codecs.iter().find(|codec| codec.name == part.codec).ok_or(Misfit::Broken(values))?;
        let is_untouched = seal(&listed.picked) == part.seals[0];
        let counts = part.places(codec.len).any(|place| is_base.contains(&place.start));
        all.push((!counts, is_untouched, part, codec, listed.picked));
    }
    // What others count from is first, in order. Of the copies of a value the one that was changed counts.
    all.sort_by_key(|&(counts_not, is_untouched, ..)| (counts_not, counts_not && is_untouched));
    let mut lost = Vec::new();
    for (_, is_untouched, part, codec, list) in all {
        let bases = bases(file, &part.bases);
        for (index, (value, place)) in list.iter().zip(part.places(codec.len)).enumerate() {
            let done = is_done.get_mut(place.clone()).ok_or(Misfit::Broken(part.values))?;
            if !done.contains(&true) {
                done.fill(true);
                restore(file, place, codec, (*value, &bases));
            } else if !is_untouched && !is_same(file, place, codec, (*value, &bases)) {
                return Err(Misfit::Copies { values: part.values, index });
            }
        }
        if !is_untouched && part.seal_of(file, codec.len) == part.seals[2] {
            lost.push(part.values);
        }
    }
    Ok(lost)
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
    let mut made = [0; MOST_BYTES];
    let made = made.get_mut(..codec.len).unwrap_or_default();
    (codec.lower)(canonical(value, codec), bases, made);
    let bytes = file.get_mut(place).unwrap_or_default();
    bytes.iter_mut().zip(made).for_each(|(byte, made)| *byte ^= *made);
}

/// The bytes of a value: those that it came from, as long as they make that value.
fn restore(file: &mut [u8], place: Range<usize>, codec: &Codec, (value, bases): Based<'_>) {
    differ(file, place.clone(), codec, (value, bases));
    if !is_same(file, place.clone(), codec, (value, bases)) {
        (codec.lower)(value, bases, file.get_mut(place).unwrap_or_default());
    }
}

/// The one of equal values that counts: copies of a value may be any of them.
fn canonical(value: [f32; 4], codec: &Codec) -> [f32; 4] {
    let value = value.map(|part| part + 0.0);
    let is_negative = value.iter().rev().find(|part| **part != 0.0).is_some_and(|part| *part < 0.0);
    if codec.is_signless && is_negative { value.map(|part| 0.0 - part) } else { value }
}

/// Whether the bytes at a place make a value.
fn is_same(file: &[u8], place: Range<usize>, codec: &Codec, (value, bases): Based<'_>) -> bool {
    let Some(bytes) = file.get(place) else { return false };
    let found = (codec.lift)(bytes, bases);
    let bits = |value: [f32; 4]| value.map(|part| (part + 0.0).to_bits());
    bits(found) == bits(value) || codec.is_signless && bits(found.map(|part| -part)) == bits(value)
}
