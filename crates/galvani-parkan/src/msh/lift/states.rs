//! What nodes show: the intact state at its finest, and every other state and level as a variant.

use galvani_core::{LiftError, Path, Reading};
use galvani_scene::{Id, Mesh, Node, Variant};

use super::mesh::MeshPlan;
use super::{COCKPIT_FLAG, COCKPIT_GROUP, Lift};
use crate::msh::NONE;

/// Groups of a level in a node's list of slots.
const GROUPS: usize = 5;

/// Levels in a node's list of slots.
const LEVELS: usize = 3;

/// Damage states by name; the first has none.
const STATES: [&str; LEVELS] = ["", "damaged", "destroyed"];

/// Gives every node what it shows in a cell of its slots. In the first cell the others follow as variants.
pub(super) fn attach(lift: &mut Lift<'_, '_>, cell: usize) -> Result<(), LiftError> {
    let mut making = MeshPlan::new(lift.model);
    let shown = shown(lift, &mut making, cell)?;
    for (node, &mesh) in lift.scene.nodes.iter_mut().zip(&shown) {
        node.mesh = mesh;
    }
    for cell in 1..LEVELS.saturating_mul(GROUPS).saturating_mul(usize::from(cell == 0)) {
        if is_empty(lift, cell) {
            continue;
        }
        let other = self::shown(lift, &mut making, cell)?;
        let shows: Vec<(Id<Node>, Option<Id<Mesh>>)> = (0..)
            .map(Id::new)
            .zip(shown.iter().zip(&other))
            .filter(|(_, (shown, other))| shown != other)
            .map(|(node, (_, other))| (node, *other))
            .collect();
        if !shows.is_empty() {
            let (name, state, level) = place(cell, lift.model.reading);
            lift.scene.variants.push(Variant { name, state, level, shows });
        }
    }
    Ok(())
}

/// What each node shows in a cell. What is seen from inside is only there in its own group.
fn shown(
    lift: &mut Lift<'_, '_>,
    making: &mut MeshPlan,
    cell: usize,
) -> Result<Vec<Option<Id<Mesh>>>, LiftError> {
    let (_, group) = parts(cell);
    let mut all = Vec::new();
    for (i, node) in lift.model.nodes.iter().flat_map(|nodes| nodes.rows).enumerate() {
        let slot = node.slot_index.get(cell).map_or(NONE, |slot| slot.get());
        let is_hidden = node.flags.get() & COCKPIT_FLAG != 0 && group != usize::from(COCKPIT_GROUP);
        all.push(if slot == NONE || is_hidden {
            None
        } else {
            making.mesh(lift, slot, Path::named("nodes").index(i).field("slot_index"))?
        });
    }
    Ok(all)
}

fn is_empty(lift: &Lift<'_, '_>, cell: usize) -> bool {
    let mut nodes = lift.model.nodes.iter().flat_map(|nodes| nodes.rows);
    nodes.all(|node| node.slot_index.get(cell).is_none_or(|slot| slot.get() == NONE))
}

/// Both indices of a cell.
fn parts(cell: usize) -> (usize, usize) {
    (cell / GROUPS, cell % GROUPS)
}

/// What a cell is: name, state and level. As observed the first index is the damage state and the second the level of
/// detail, but for the cockpits, which are states of their own behind the others; as documented the first is the level
/// and the second a group, which is a state like others.
fn place(cell: usize, reading: Reading) -> (String, u32, u32) {
    let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let (first, second) = parts(cell);
    let state = STATES.get(first).copied().unwrap_or_default();
    match reading {
        Reading::Observed if second == usize::from(COCKPIT_GROUP) => {
            let name = if state.is_empty() { "cockpit".to_owned() } else { format!("{state}_cockpit") };
            (name, small(first.saturating_add(LEVELS)), 0)
        }
        Reading::Observed => (state.to_owned(), small(first), small(second)),
        Reading::Documented => {
            let name = if second == 0 { String::new() } else { format!("group{second}") };
            (name, small(second), small(first))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_cell_is_a_state_and_level_of_its_own() {
        for reading in [Reading::Observed, Reading::Documented] {
            let all: BTreeSet<_> = (0..15).map(|cell| place(cell, reading)).collect();
            let places: BTreeSet<_> = all.iter().map(|(_, state, level)| (*state, *level)).collect();
            assert_eq!((all.len(), places.len()), (15, 15));
            assert_eq!(place(0, reading), (String::new(), 0, 0));
        }
        assert_eq!(place(6, Reading::Observed), ("damaged".to_owned(), 1, 1));
        assert_eq!(place(4, Reading::Observed), ("cockpit".to_owned(), 3, 0));
        assert_eq!(place(14, Reading::Observed), ("destroyed_cockpit".to_owned(), 5, 0));
        assert_eq!(place(6, Reading::Documented), ("group1".to_owned(), 1, 1));
    }
}
