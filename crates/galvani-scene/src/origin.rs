//! Where the values of a scene lie in the file that they come from: what the way back stands on.
//!
//! A lift says of the lists it makes which places of the file each was read from, and by which codec. What a file says beyond
//! its scene, and how both make the file again, is the business of those who have the bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use glam::{Vec3, Vec4};

use crate::{Clip, Fact, Node, Primitive, Scene, Track};

/// A list of values in a scene. Meshes and primitives are numbered as the scene has them, clips and nodes as the file does.
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

/// Where the values of a list come from: the first from the first row, and so on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Which list.
    pub values: Values,
    /// What it lies in bytes by; nothing if the scene says it in another way, and a change of it has no place to go.
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

impl Origin {
    /// The origin of a list in rows of a table.
    pub fn new(
        values: Values,
        codec: &str,
        (part, start): (usize, usize),
        stride: usize,
        rows: Vec<Range<usize>>,
    ) -> Self {
        Origin { values, codec: codec.to_owned(), part, start, stride, rows, vertices: None, seal: 0 }
    }

    /// A list that the file says in another way: it must stay as it is.
    pub fn fixed(values: Values) -> Self {
        let (codec, rows) = (String::new(), Vec::new());
        Origin { values, codec, part: 0, start: 0, stride: 0, rows, vertices: None, seal: 0 }
    }

    /// How many values it speaks of.
    pub fn count(&self) -> usize {
        self.rows.iter().map(ExactSizeIterator::len).fold(0, usize::saturating_add)
    }

    /// Where every value is that takes so many bytes.
    pub fn places(&self, len: usize) -> impl Iterator<Item = Range<usize>> {
        self.rows.iter().cloned().flatten().map(move |row| {
            let at = self.start.saturating_add(row.saturating_mul(self.stride));
            at..at.saturating_add(len)
        })
    }

    /// The values as the file has them; nothing if the scene has no such list.
    pub fn listed(&self, lists: &Lists<'_>) -> Option<Vec<[f32; 4]>> {
        let list = lists.get(self.values)?;
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

/// A digest of a list: of the bits of its numbers.
pub fn seal(list: &[[f32; 4]]) -> u32 {
    digest(list.iter().flatten().map(|part| part.to_bits()))
}

fn digest(words: impl Iterator<Item = u32>) -> u32 {
    words.fold(0x811C_9DC5, |seal, word| (seal ^ word).wrapping_mul(0x0100_0193).rotate_left(5))
}

impl Values {
    /// The word for the list, and its numbers.
    pub fn named(self) -> (&'static str, Vec<usize>) {
        match self {
            Values::Positions(mesh, at) => ("positions", vec![mesh, at]),
            Values::Normals(mesh, at) => ("normals", vec![mesh, at]),
            Values::Tangents(mesh, at) => ("tangents", vec![mesh, at]),
            Values::Uvs(mesh, at, set) => ("uvs", vec![mesh, at, set]),
            Values::Colors(mesh, at) => ("colors", vec![mesh, at]),
            Values::Indices(mesh, at) => ("indices", vec![mesh, at]),
            Values::Places(clip, node) => ("places", vec![clip, node]),
            Values::Turns(clip, node) => ("turns", vec![clip, node]),
            Values::Sizes(clip, node) => ("sizes", vec![clip, node]),
            Values::PlaceTimes(clip, node) => ("place-times", vec![clip, node]),
            Values::TurnTimes(clip, node) => ("turn-times", vec![clip, node]),
            Values::Place(node) => ("place", vec![node]),
            Values::Turn(node) => ("turn", vec![node]),
        }
    }

    /// The list of that word and those numbers.
    pub fn from_named(word: &str, numbers: &[usize]) -> Option<Self> {
        Some(match (word, numbers) {
            ("positions", &[mesh, at]) => Values::Positions(mesh, at),
            ("normals", &[mesh, at]) => Values::Normals(mesh, at),
            ("tangents", &[mesh, at]) => Values::Tangents(mesh, at),
            ("uvs", &[mesh, at, set]) => Values::Uvs(mesh, at, set),
            ("colors", &[mesh, at]) => Values::Colors(mesh, at),
            ("indices", &[mesh, at]) => Values::Indices(mesh, at),
            ("places", &[clip, node]) => Values::Places(clip, node),
            ("turns", &[clip, node]) => Values::Turns(clip, node),
            ("sizes", &[clip, node]) => Values::Sizes(clip, node),
            ("place-times", &[clip, node]) => Values::PlaceTimes(clip, node),
            ("turn-times", &[clip, node]) => Values::TurnTimes(clip, node),
            ("place", &[node]) => Values::Place(node),
            ("turn", &[node]) => Values::Turn(node),
            _ => return None,
        })
    }

    /// Whether it is one value that stands at many places.
    fn is_one(self) -> bool {
        matches!(self, Values::Place(_) | Values::Turn(_))
    }
}

/// What an origin may ask a scene for, found once: nodes go by the number in their extras, clips by their own.
#[derive(Debug)]
pub struct Lists<'s> {
    scene: &'s Scene,
    nodes: BTreeMap<usize, &'s Node>,
    tracks: BTreeMap<(usize, usize, &'static str), &'s Track>,
}

impl<'s> Lists<'s> {
    /// The lists of a scene.
    pub fn new(scene: &'s Scene) -> Self {
        let numbers: Vec<usize> =
            scene.nodes.iter().enumerate().map(|(i, node)| number_of(i, node)).collect();
        let mut tracks = BTreeMap::new();
        for clip in &scene.clips {
            let index = usize::try_from(clip.index).unwrap_or(usize::MAX);
            for track in &clip.tracks {
                let node = track.node().and_then(|node| numbers.get(node.index()));
                tracks.extend(node.map(|node| ((index, *node, track.word()), track)));
            }
        }
        Lists { scene, nodes: numbers.into_iter().zip(&scene.nodes).collect(), tracks }
    }

    fn primitive(&self, mesh: usize, primitive: usize) -> Option<&'s Primitive> {
        self.scene.meshes.get(mesh)?.primitives.get(primitive)
    }

    fn track(&self, clip: usize, node: usize, word: &'static str) -> Option<&'s Track> {
        self.tracks.get(&(clip, node, word)).copied()
    }

    /// The values of a list, each with as many numbers as it has.
    fn get(&self, values: Values) -> Option<Vec<[f32; 4]>> {
        let threes = |list: &[Vec3]| list.iter().map(|value| value.extend(0.0).into()).collect();
        let fours = |list: &[Vec4]| list.iter().map(|value| (*value).into()).collect();
        Some(match values {
            Values::Positions(mesh, at) => threes(&self.primitive(mesh, at)?.positions),
            Values::Normals(mesh, at) => threes(&self.primitive(mesh, at)?.normals),
            Values::Tangents(mesh, at) => fours(&self.primitive(mesh, at)?.tangents),
            Values::Colors(mesh, at) => fours(&self.primitive(mesh, at)?.colors),
            Values::Indices(mesh, at) => {
                let index = |index: &u32| Some([number(usize::try_from(*index).ok()?), 0.0, 0.0, 0.0]);
                return self.primitive(mesh, at)?.indices.iter().map(index).collect();
            }
            Values::Uvs(mesh, at, set) => {
                let uvs = self.primitive(mesh, at)?.uvs.get(set)?;
                uvs.iter().map(|uv| [uv.x, uv.y, 0.0, 0.0]).collect()
            }
            Values::Places(clip, node) => match self.track(clip, node, "translation")? {
                Track::Translation(_, curve) => threes(&curve.values),
                _ => return None,
            },
            Values::Sizes(clip, node) => match self.track(clip, node, "scale")? {
                Track::Scale(_, curve) => threes(&curve.values),
                _ => return None,
            },
            Values::Turns(clip, node) => match self.track(clip, node, "rotation")? {
                Track::Rotation(_, curve) => curve.values.iter().map(|turn| (*turn).into()).collect(),
                _ => return None,
            },
            Values::PlaceTimes(clip, node) => seconds(self.track(clip, node, "translation")?),
            Values::TurnTimes(clip, node) => seconds(self.track(clip, node, "rotation")?),
            Values::Place(node) => vec![self.nodes.get(&node)?.translation.extend(0.0).into()],
            Values::Turn(node) => vec![self.nodes.get(&node)?.rotation.into()],
        })
    }
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

/// A digest of what no origin speaks of: names, the tree, places at rest, materials, how long clips are.
pub fn beyond(scene: &Scene, origins: &[Origin]) -> u32 {
    let stated: BTreeSet<Values> = origins.iter().map(|origin| origin.values).collect();
    let node = |(index, node): (usize, &Node)| {
        let (number, above) = (number_of(index, node), node.parent.map(crate::Id::index));
        let place = (!stated.contains(&Values::Place(number))).then_some(node.translation);
        let turn = (!stated.contains(&Values::Turn(number))).then_some(node.rotation);
        format!("{:?} {above:?} {place:?} {turn:?} {:?} {}", node.name, node.scale, node.visible)
    };
    let clip = |clip: &Clip| format!("{:?} {:?} {:?}", clip.name, clip.duration, clip.looping);
    let nodes = scene.nodes.iter().enumerate().map(node);
    let words: Vec<String> = nodes.chain(scene.clips.iter().map(clip)).collect();
    digest(words.concat().chars().chain(format!("{:?}", scene.materials).chars()).map(u32::from))
}

/// The number that a node has in its file.
fn number_of(index: usize, node: &Node) -> usize {
    match node.extras.get("id") {
        Some(Fact::Int(id)) => usize::try_from(*id).unwrap_or(index),
        _ => index,
    }
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
