//! What pulls at vertices, as a file can say it: by the numbers of nodes, whatever joints a skin has.

use std::collections::BTreeMap;

use galvani_core::maths::{single, single_count};

use super::{digest, number_of};
use crate::{Fact, Influences, Joint, Node, Pull, Scene};

/// The most nodes that a list says for a vertex.
const MOST: usize = 4;

/// Parts of a weight that are told apart: as many as a byte has.
const PARTS: f32 = 255.0;

/// All of them, which is also the highest number that goes beside a weight.
const WHOLE: u16 = 255;

/// Numbers of nodes that a list says are below this.
const NUMBERS: usize = 256;

/// How far weights may be off and count as the same: less than half of what a byte tells apart.
const CLOSE: f32 = 1e-3;

/// How many groups of the same nodes are looked at: they differ in how often they name each.
const MOST_ALIKE: usize = 16;

/// Numbers of nodes and how much each pulls.
type Numbered = Vec<(usize, f32)>;

/// What pulls at each vertex: numbers of nodes, rising, and how much, all together 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Pulls {
    vertices: Vec<Vec<(usize, f32)>>,
    /// A digest of what they were before all together was 1.
    fine: u32,
}

/// In place of the number of a node that was made for what nothing moves, and of one that has none.
const STILL: usize = usize::MAX;
const NAMELESS: usize = usize::MAX - 1;

impl Pulls {
    pub(super) fn new(scene: &Scene, joints: &[Joint], influences: &Influences) -> Self {
        let number = |node: &Node| {
            let is_made = node.extras.get("made") == Some(&Fact::Flag(true));
            // Our own export makes joints that stand in for others.
            let stands_for = match node.extras.get("of") {
                Some(Fact::Int(number)) if is_made => usize::try_from(*number).ok(),
                _ => None,
            };
            let nothing = if is_made { STILL } else { NAMELESS };
            number_of(node).or(stands_for).unwrap_or(nothing)
        };
        let number = |joint: &Joint| joint.node.find_in(&scene.nodes).map_or(NAMELESS, number);
        let numbers: Vec<usize> = joints.iter().map(number).collect();
        let number = |joint: usize| numbers.get(joint).copied().unwrap_or(NAMELESS);
        let vertex = |pulls: &[Pull]| merged(pulls.iter().map(|it| (number(it.joint), it.weight)));
        let mut vertices: Vec<Vec<(usize, f32)>> = influences.iter().map(vertex).collect();
        let words =
            |&(number, weight): &(usize, f32)| [u32::try_from(number).unwrap_or(u32::MAX), weight.to_bits()];
        let fine = digest(vertices.iter().flat_map(|pulls| pulls.iter().flat_map(words).chain([u32::MAX])));
        for pulls in &mut vertices {
            pulls.retain(|(_, weight)| *weight > 0.0);
            let sum: f32 = pulls.iter().map(|(_, weight)| *weight).sum();
            for (_, weight) in pulls {
                *weight /= sum;
            }
        }
        Pulls { vertices, fine }
    }

    /// A digest of all that it says.
    pub(super) fn digest(&self) -> u32 {
        self.fine
    }

    /// Four at most for each vertex, as [`packed`] says them; no numbers where there are more, or of nodes that have none.
    pub(super) fn four(&self) -> Vec<[f32; 4]> {
        self.vertices.iter().map(|pulls| if is_nothing(pulls) { [0.0; 4] } else { packed(pulls) }).collect()
    }

    /// For each vertex the first of some groups of nodes that pulls as much at it; no number where none does. All nodes of a
    /// group pull alike.
    pub fn groups(&self, groups: &[Vec<usize>]) -> Vec<[f32; 4]> {
        let mut known: BTreeMap<Vec<usize>, Vec<(usize, Numbered)>> = BTreeMap::new();
        for (i, nodes) in groups.iter().enumerate() {
            let pulls = shared(nodes);
            let all = known.entry(pulls.iter().map(|(number, _)| *number).collect()).or_default();
            if all.len() < MOST_ALIKE && !all.iter().any(|(_, other)| is_close(other, &pulls)) {
                all.push((i, pulls));
            }
        }
        let group = |pulls: &Vec<(usize, f32)>| {
            let numbers = pulls.iter().map(|(number, _)| *number).filter(|it| *it != STILL).collect();
            let all = known.get::<Vec<usize>>(&numbers)?;
            let found = all.iter().find(|(_, own)| is_nothing(pulls) || is_close(own, pulls));
            found.map(|(i, _)| single_count(*i))
        };
        self.vertices.iter().map(|pulls| [group(pulls).unwrap_or(f32::NAN), 0.0, 0.0, 0.0]).collect()
    }
}

/// Which group says the same as each first does.
pub fn first_alike(groups: &[Vec<usize>]) -> Vec<usize> {
    let mut known: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
    let mut alike = Vec::with_capacity(groups.len());
    for (i, nodes) in groups.iter().enumerate() {
        let pulls = shared(nodes);
        let all = known.entry(pulls.iter().map(|(number, _)| *number).collect()).or_default();
        let found = all.iter().find(|it| groups.get(**it).is_some_and(|it| is_close(&shared(it), &pulls)));
        let first = found.copied().unwrap_or(i);
        if first == i && all.len() < MOST_ALIKE {
            all.push(i);
        }
        alike.push(first);
    }
    alike
}

/// What nodes do that all pull alike.
fn shared(nodes: &[usize]) -> Vec<(usize, f32)> {
    let count = single_count(nodes.len());
    merged(nodes.iter().map(|node| (*node, 1.0 / count)))
}

/// Whether nothing pulls that ever moves.
fn is_nothing(pulls: &[(usize, f32)]) -> bool {
    pulls.iter().all(|(number, _)| *number == STILL)
}

fn is_close(one: &[(usize, f32)], other: &[(usize, f32)]) -> bool {
    let is_close =
        |((a, one), (b, other)): (&(usize, f32), &(usize, f32))| a == b && (one - other).abs() <= CLOSE;
    one.len() == other.len() && one.iter().zip(other).all(is_close)
}

/// Numbers rising, each once.
fn merged(pulls: impl Iterator<Item = (usize, f32)>) -> Vec<(usize, f32)> {
    let mut all: Vec<(usize, f32)> = pulls.collect();
    all.sort_by_key(|(number, _)| *number);
    all.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        kept.1 += if is_same { next.1 } else { 0.0 };
        is_same
    });
    all
}

/// What pulls at a vertex in four numbers: each node 256 times its number and its weight in 255ths, in order, and nothing behind them.
fn packed(pulls: &[(usize, f32)]) -> [f32; 4] {
    let mut four = [0.0; MOST];
    if pulls.len() > MOST || pulls.iter().any(|(number, _)| *number >= NUMBERS) {
        return [f32::NAN; MOST];
    }
    for (place, (number, weight)) in four.iter_mut().zip(pulls) {
        *place = single_count(number.saturating_mul(NUMBERS)) + (weight * PARTS).round();
    }
    four
}

/// The same of four nodes and weights as files have them, whatever the sum of the weights is.
pub fn packed_parts(nodes: [u16; 4], weights: [u16; 4]) -> [f32; 4] {
    let sum: f32 = weights.iter().map(|weight| f32::from(*weight)).sum();
    let pulls = nodes.into_iter().zip(weights).filter(|(_, weight)| *weight > 0);
    packed(&merged(pulls.map(|(node, weight)| (node.into(), f32::from(weight) / sum))))
}

/// Nodes and weights of four numbers, the strongest first, weights together 255.
pub fn unpacked(four: [f32; 4]) -> ([u16; 4], [u16; 4]) {
    let split = |number: f32| (whole(number / 256.0), whole(number.rem_euclid(256.0)));
    let mut pulls: Vec<(u16, u16)> = four.into_iter().map(split).filter(|(_, weight)| *weight > 0).collect();
    pulls.sort_by_key(|(number, weight)| (std::cmp::Reverse(*weight), *number));
    let others = pulls.iter().skip(1).fold(0_u16, |sum, (_, weight)| sum.saturating_add(*weight));
    if let Some((_, strongest)) = pulls.first_mut() {
        *strongest = WHOLE.saturating_sub(others);
    }
    let (mut nodes, mut weights) = ([0; MOST], [0; MOST]);
    for ((node, weight), (number, part)) in nodes.iter_mut().zip(&mut weights).zip(pulls) {
        (*node, *weight) = (number, part);
    }
    (nodes, weights)
}

#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "what is no such number is the nearest"
)]
fn whole(number: f32) -> u16 {
    (single(f64::from(number).floor()) as u16).min(WHOLE)
}

/// What bends each mesh: the skin of the first node that shows it, in any state.
pub(super) fn skins(scene: &Scene) -> BTreeMap<usize, usize> {
    let mut skins = BTreeMap::new();
    let own = scene.nodes.iter().map(|node| (node, node.mesh));
    let shows = scene.variants.iter().flat_map(|variant| &variant.shows);
    let others = shows.filter_map(|(node, mesh)| Some((node.find_in(&scene.nodes)?, *mesh)));
    for (node, mesh) in own.chain(others) {
        if let Some((mesh, skin)) = mesh.zip(node.skin) {
            skins.entry(mesh.index()).or_insert(skin.index());
        }
    }
    skins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_what_they_were() {
        for (nodes, weights) in [
            ([7, 3, 0, 0], [200, 55, 0, 0]),
            ([1, 2, 3, 4], [64, 64, 64, 63]),
            ([255, 0, 0, 0], [255, 0, 0, 0]),
            ([0, 0, 0, 0], [0, 0, 0, 0]),
        ] {
            assert_eq!(unpacked(packed_parts(nodes, weights)), (nodes, weights));
        }
        // Whatever the order and the sum.
        let [few, many] = [([5, 9, 0, 0], [1, 3, 0, 0]), ([9, 5, 1, 0], [192, 64, 0, 0])];
        let bits = |(nodes, weights)| packed_parts(nodes, weights).map(f32::to_bits);
        assert_eq!(bits(few), bits(many));
    }

    #[test]
    fn groups_go_by_what_pulls() {
        let vertices =
            vec![vec![(2, 0.5), (5, 0.5)], vec![(2, 1.0)], vec![(2, 0.7), (5, 0.3)], vec![(STILL, 1.0)]];
        let pulls = Pulls { vertices, fine: 0 };
        let groups = [vec![2], vec![5, 2], vec![2, 5], vec![]];
        let found: Vec<Option<f32>> =
            pulls.groups(&groups).iter().map(|[it, ..]| Some(*it).filter(|it| !it.is_nan())).collect();
        assert_eq!(found, [Some(1.0), Some(0.0), None, Some(3.0)]);
        assert_eq!(first_alike(&groups), [0, 1, 1, 3]);
    }
}
