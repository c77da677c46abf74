//! Where the values of a scene lie in the file that they come from: what the way back stands on.
//!
//! A lift says of the lists it makes which bytes each was read from. [`taken_out`] leaves of a file what its scene does not say:
//! where bytes are what a value makes of itself, nothing. [`put_back`] makes of that and a scene the file again. A value that was
//! changed in between is changed in the file, and nothing else is.

use std::ops::Range;

use crate::{Clip, Id, Primitive, Scene, Track};

/// A list of values in a scene. Meshes, primitives, clips and nodes are numbered as the scene has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Values {
    /// Where the vertices of a primitive of a mesh are.
    Positions(usize, usize),
    /// Their normals.
    Normals(usize, usize),
    /// Their tangents.
    Tangents(usize, usize),
    /// A set of their coordinates.
    Uvs(usize, usize, usize),
    /// Their colours.
    Colors(usize, usize),
    /// The corners of triangles.
    Indices(usize, usize),
    /// Where a node is over a clip.
    Places(usize, usize),
    /// How it is turned.
    Turns(usize, usize),
    /// How large it is.
    Sizes(usize, usize),
    /// When it is somewhere.
    PlaceTimes(usize, usize),
    /// When it is turned somehow.
    TurnTimes(usize, usize),
    /// Where a node is at rest; one value for any number of places in a file.
    Place(usize),
    /// How it is turned at rest.
    Turn(usize),
}

/// How a value lies in bytes, both ways.
#[derive(Debug, Clone, Copy)]
pub struct Codec {
    /// What it is called by in files.
    pub name: &'static str,
    /// Bytes of a value.
    pub len: usize,
    /// The value that bytes make in a scene; numbers that it has not are 0.
    pub lift: fn(&[u8]) -> [f32; 4],
    /// The bytes that a value makes, into as many as there are.
    pub lower: fn([f32; 4], &mut [u8]),
    /// Whether a value and its negative are the same, as of rotations.
    pub is_signless: bool,
}

/// Where the values of a list come from: the first from the first row, and so on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Which list.
    pub values: Values,
    /// What it lies in bytes by.
    pub codec: String,
    /// Which part of the file, if it has parts.
    pub part: usize,
    /// Where row 0 of a table is, in the part.
    pub start: usize,
    /// Bytes from a row to the next.
    pub stride: usize,
    /// The rows, in the order of the values.
    pub rows: Vec<Range<usize>>,
    /// Of indices: which vertex of the file each of the scene is, and from which on the file counts.
    pub vertices: Option<(Vec<Range<usize>>, usize)>,
    /// A digest of the list as it was when it was taken out.
    pub seal: u32,
}

/// Why a scene and what was left of a file make no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misfit {
    /// A list has not as many values as places in the file.
    Count {
        /// Which list.
        values: Values,
        /// How many there are places for.
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
    /// What was left of the file names bytes or ways of writing that are not there.
    Broken(Values),
}

impl Origin {
    /// The origin of a list in rows of a table.
    pub fn new(
        values: Values,
        codec: &Codec,
        (part, start): (usize, usize),
        stride: usize,
        rows: Vec<Range<usize>>,
    ) -> Self {
        Origin { values, codec: codec.name.to_owned(), part, start, stride, rows, vertices: None, seal: 0 }
    }

    fn count(&self) -> usize {
        self.rows.iter().map(ExactSizeIterator::len).fold(0, usize::saturating_add)
    }

    /// The bytes of every value.
    fn places(&self, len: usize) -> impl Iterator<Item = Range<usize>> {
        self.rows.iter().cloned().flatten().map(move |row| {
            let at = self.start.saturating_add(row.saturating_mul(self.stride));
            at..at.saturating_add(len)
        })
    }

    /// The values as the file has them; nothing if the scene has no such list.
    fn listed(&self, scene: &Scene) -> Option<Vec<[f32; 4]>> {
        let list = self.values.list(scene)?;
        if self.values.is_one() {
            return Some(vec![*list.first()?; self.count()]);
        }
        let Some((vertices, base)) = &self.vertices else { return Some(list) };
        let vertices: Vec<usize> = vertices.iter().cloned().flatten().collect();
        let named = |[index, ..]: &[f32; 4]| Some(number(vertices.get(whole(*index)?)?.checked_sub(*base)?));
        list.iter().map(|value| Some([named(value)?, 0.0, 0.0, 0.0])).collect()
    }
}

/// Counts origins from the start of the file, given where its parts are; those of parts that it has not are left out.
pub fn placed(origins: Vec<Origin>, parts: &[usize]) -> Vec<Origin> {
    let placed = |origin: Origin| {
        let start = parts.get(origin.part)?.checked_add(origin.start)?;
        Some(Origin { part: 0, start, ..origin })
    };
    origins.into_iter().filter_map(placed).collect()
}

/// Leaves of a file what its scene does not say, and of the origins those that hold.
pub fn taken_out(file: &mut [u8], scene: &Scene, origins: Vec<Origin>, codecs: &[Codec]) -> Vec<Origin> {
    let mut is_done = vec![false; file.len()];
    let mut kept = Vec::new();
    for mut origin in origins {
        let codec = codecs.iter().find(|codec| codec.name == origin.codec);
        let list = origin.listed(scene).filter(|list| list.len() == origin.count());
        let (Some(codec), Some(list)) = (codec, list) else { continue };
        if origin.places(codec.len).any(|place| place.end > file.len()) {
            continue;
        }
        for (value, place) in list.iter().zip(origin.places(codec.len)) {
            let done = is_done.get_mut(place.clone()).unwrap_or_default();
            if !done.contains(&true) {
                done.fill(true);
                differ(file, place, codec, *value);
            }
        }
        origin.seal = seal(&list);
        kept.push(origin);
    }
    kept
}

/// Makes a file of what was left of it and a scene.
pub fn put_back(file: &mut [u8], scene: &Scene, origins: &[Origin], codecs: &[Codec]) -> Result<(), Misfit> {
    let mut is_done = vec![false; file.len()];
    let mut lists = Vec::new();
    for origin in origins {
        let (values, wanted) = (origin.values, origin.count());
        let list = origin.listed(scene).unwrap_or_default();
        if list.len() != wanted {
            return Err(Misfit::Count { values, wanted, found: list.len() });
        }
        let codec = codecs.iter().find(|codec| codec.name == origin.codec).ok_or(Misfit::Broken(values))?;
        lists.push((seal(&list) == origin.seal, origin, codec, list));
    }
    // Of the copies of a value the one that was changed counts.
    lists.sort_by_key(|(is_untouched, ..)| *is_untouched);
    for (is_untouched, origin, codec, list) in lists {
        for (index, (value, place)) in list.iter().zip(origin.places(codec.len)).enumerate() {
            let done = is_done.get_mut(place.clone()).ok_or(Misfit::Broken(origin.values))?;
            if !done.contains(&true) {
                done.fill(true);
                restore(file, place, codec, *value);
            } else if !is_untouched && !is_same(file, place, codec, *value) {
                return Err(Misfit::Copies { values: origin.values, index });
            }
        }
    }
    Ok(())
}

/// Leaves of the bytes of a value how they differ from what it makes of itself.
fn differ(file: &mut [u8], place: Range<usize>, codec: &Codec, value: [f32; 4]) {
    let mut made = [0; MOST_BYTES];
    let made = made.get_mut(..codec.len).unwrap_or_default();
    (codec.lower)(value, made);
    let bytes = file.get_mut(place).unwrap_or_default();
    bytes.iter_mut().zip(made).for_each(|(byte, made)| *byte ^= *made);
}

/// The bytes of a value: those that it came from, as long as they make that value.
fn restore(file: &mut [u8], place: Range<usize>, codec: &Codec, value: [f32; 4]) {
    differ(file, place.clone(), codec, value);
    if !is_same(file, place.clone(), codec, value) {
        (codec.lower)(value, file.get_mut(place).unwrap_or_default());
    }
}

/// Whether the bytes at a place make a value.
fn is_same(file: &[u8], place: Range<usize>, codec: &Codec, value: [f32; 4]) -> bool {
    let found = (codec.lift)(file.get(place).unwrap_or_default());
    let bits = |value: [f32; 4]| value.map(|part| (part + 0.0).to_bits());
    bits(found) == bits(value) || codec.is_signless && bits(found.map(|part| -part)) == bits(value)
}

/// The most bytes that a value has.
const MOST_BYTES: usize = 16;

/// A digest of a list (FNV-1a over the bits of its numbers).
fn seal(list: &[[f32; 4]]) -> u32 {
    let bytes = list.iter().flatten().flat_map(|part| part.to_bits().to_le_bytes());
    bytes.fold(0x811C_9DC5, |seal, byte| (seal ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

impl Values {
    /// Whether it is one value that stands at many places.
    fn is_one(self) -> bool {
        matches!(self, Values::Place(_) | Values::Turn(_))
    }

    /// The values, each with as many numbers as it has.
    fn list(self, scene: &Scene) -> Option<Vec<[f32; 4]>> {
        let primitive = |mesh: usize, primitive: usize| scene.meshes.get(mesh)?.primitives.get(primitive);
        let of = |mesh, index, list: fn(&Primitive) -> Vec<[f32; 4]>| primitive(mesh, index).map(list);
        match self {
            Values::Positions(mesh, at) => {
                of(mesh, at, |p| p.positions.iter().map(|v| v.extend(0.0).into()).collect())
            }
            Values::Normals(mesh, at) => {
                of(mesh, at, |p| p.normals.iter().map(|v| v.extend(0.0).into()).collect())
            }
            Values::Tangents(mesh, at) => of(mesh, at, |p| p.tangents.iter().map(|v| (*v).into()).collect()),
            Values::Colors(mesh, at) => of(mesh, at, |p| p.colors.iter().map(|v| (*v).into()).collect()),
            Values::Indices(mesh, at) => {
                let index = |index: &u32| Some([number(usize::try_from(*index).ok()?), 0.0, 0.0, 0.0]);
                primitive(mesh, at)?.indices.iter().map(index).collect()
            }
            Values::Uvs(mesh, at, set) => {
                let uvs = primitive(mesh, at)?.uvs.get(set)?;
                Some(uvs.iter().map(|uv| [uv.x, uv.y, 0.0, 0.0]).collect())
            }
            Values::Places(clip, node) => track(scene, clip, node, |track| match track {
                Track::Translation(_, curve) => {
                    Some(curve.values.iter().map(|v| v.extend(0.0).into()).collect())
                }
                _ => None,
            }),
            Values::Sizes(clip, node) => track(scene, clip, node, |track| match track {
                Track::Scale(_, curve) => Some(curve.values.iter().map(|v| v.extend(0.0).into()).collect()),
                _ => None,
            }),
            Values::Turns(clip, node) => track(scene, clip, node, |track| match track {
                Track::Rotation(_, curve) => Some(curve.values.iter().map(|turn| (*turn).into()).collect()),
                _ => None,
            }),
            Values::PlaceTimes(clip, node) => track(scene, clip, node, |track| {
                matches!(track, Track::Translation(..)).then(|| seconds(track))
            }),
            Values::TurnTimes(clip, node) => {
                track(scene, clip, node, |track| matches!(track, Track::Rotation(..)).then(|| seconds(track)))
            }
            Values::Place(node) => Some(vec![scene.nodes.get(node)?.translation.extend(0.0).into()]),
            Values::Turn(node) => Some(vec![scene.nodes.get(node)?.rotation.into()]),
        }
    }
}

/// What a track of a node in a clip says.
fn track(
    scene: &Scene,
    clip: usize,
    node: usize,
    list: impl Fn(&Track) -> Option<Vec<[f32; 4]>>,
) -> Option<Vec<[f32; 4]>> {
    let clip: &Clip = scene.clips.get(clip)?;
    clip.tracks.iter().filter(|track| track.node().map(Id::index) == Some(node)).find_map(list)
}

fn seconds(track: &Track) -> Vec<[f32; 4]> {
    track.times().iter().map(|time| [*time, 0.0, 0.0, 0.0]).collect()
}

/// A count as a number of a list; beyond what single precision tells apart it is nothing that comes back.
#[allow(clippy::as_conversions, clippy::cast_precision_loss, reason = "vertices of a file are few")]
fn number(count: usize) -> f32 {
    count as f32
}

#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of lists are whole"
)]
fn whole(number: f32) -> Option<usize> {
    (number >= 0.0 && number.fract() == 0.0).then_some(number as usize)
}

/// The rows in order as runs.
pub fn runs(rows: impl IntoIterator<Item = usize>) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for row in rows {
        match runs.last_mut() {
            Some(run) if run.end == row => run.end = row.saturating_add(1),
            _ => runs.push(row..row.saturating_add(1)),
        }
    }
    runs
}
