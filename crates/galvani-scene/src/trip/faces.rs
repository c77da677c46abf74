//! Which triangle came back as which.

use std::collections::BTreeMap;

use glam::Vec3;

use super::mesh::{Corner, Faces, place};
use crate::Mesh;

/// How many triangles are looked at that have a corner at one place: every other corner finds others.
const MOST_ALIKE: usize = 64;

/// Lengths that may be off, in the side of a cell.
const CELL: f32 = 16.0;

/// Triangles that went out with those that came back. Programs keep their order; where they do not, those belong together that have
/// most corners at the same places, and what is left goes in order.
pub(super) fn paired(
    length: f32,
    (old_mesh, old): (&Mesh, &Faces),
    (new_mesh, new): (&Mesh, &Faces),
) -> Vec<([Corner; 3], [Corner; 3])> {
    let places = |mesh: &Mesh, faces: &Faces| -> Vec<[Vec3; 3]> {
        faces.iter().map(|corners| corners.map(|corner| place(mesh, corner))).collect()
    };
    let known = Known { length, old: places(old_mesh, old), new: places(new_mesh, new) };
    let in_order = (0..old.len()).filter(|i| known.met(*i, *i).0 == 3).count();
    let came: Vec<usize> = if in_order * 2 >= old.len() { (0..old.len()).collect() } else { known.as_sets() };
    let pair = |(i, (old, there)): (usize, (&[Corner; 3], usize))| {
        let [a, b, c] = new.get(there).copied().unwrap_or(*old);
        let turns = [[a, b, c], [b, c, a], [c, a, b]];
        (*old, turns[known.met(i, there).1])
    };
    old.iter().zip(came).enumerate().map(pair).collect()
}

/// Where the corners of all triangles are.
struct Known {
    length: f32,
    old: Vec<[Vec3; 3]>,
    new: Vec<[Vec3; 3]>,
}

/// Triangles by the cells that their corners are in.
type Cells = BTreeMap<[u32; 3], Vec<usize>>;

impl Known {
    /// How many corners of two triangles are at the same places, and how far the second is turned for that.
    fn met(&self, old: usize, new: usize) -> (usize, usize) {
        let (Some(old), Some(new)) = (self.old.get(old), self.new.get(new)) else { return (0, 0) };
        let count = |turn: usize| {
            let is_near = |i: &usize| old[*i].distance(new[(i + turn) % 3]) <= self.length;
            (0..3).filter(is_near).count()
        };
        // Of turns that are as good the first counts.
        (0..3).rev().map(|turn| (count(turn), turn)).max_by_key(|(count, _)| *count).unwrap_or_default()
    }

    /// For each triangle that went out the number of the one that came back, whatever their order.
    fn as_sets(&self) -> Vec<usize> {
        let mut cells = Cells::new();
        for (i, corners) in self.new.iter().enumerate() {
            for corner in corners {
                cells.entry(corner.to_array().map(|part| self.cell(part))).or_default().push(i);
            }
        }
        let mut came: Vec<Option<usize>> = vec![None; self.old.len()];
        let mut is_free = vec![true; self.new.len()];
        for wanted in (1..=3).rev() {
            for (i, came) in came.iter_mut().enumerate().filter(|(_, came)| came.is_none()) {
                let mut near = self.near(&cells, i).filter(|there| is_free[*there]);
                *came = near.find(|there| self.met(i, *there).0 == wanted);
                if let Some(there) = *came {
                    is_free[there] = false;
                }
            }
        }
        let mut left = (0..self.new.len()).filter(|there| is_free[*there]);
        came.into_iter().map(|there| there.or_else(|| left.next()).unwrap_or(usize::MAX)).collect()
    }

    /// Triangles with a corner where one of those of another is, the more likely ones first.
    fn near<'k>(&self, cells: &'k Cells, old: usize) -> impl Iterator<Item = usize> + use<'k> {
        let mut all: Vec<usize> = Vec::new();
        for corner in self.old.get(old).into_iter().flatten() {
            let sides =
                corner.to_array().map(|part| [self.cell(part - self.length), self.cell(part + self.length)]);
            for at in 0..8 {
                let side = |axis: usize| (at >> axis) & 1;
                let is_twice = (0..3).any(|axis| side(axis) == 1 && sides[axis][0] == sides[axis][1]);
                let cell = [0, 1, 2].map(|axis| sides[axis][side(axis)]);
                let found = cells.get(&cell).filter(|_| !is_twice).map_or(&[][..], Vec::as_slice);
                all.extend(found.iter().take(MOST_ALIKE));
            }
        }
        all.sort_unstable();
        all.dedup();
        all.into_iter()
    }

    /// The cell that a place is in, along one axis.
    fn cell(&self, part: f32) -> u32 {
        ((part / (self.length * CELL).max(f32::MIN_POSITIVE)).floor() + 0.0).to_bits()
    }
}
