//! What other teams look like (docs/formats/mdx.md#scene-team).

use std::collections::BTreeMap;

use galvani_core::LiftError;
use galvani_scene::{Id, Look, Material};

use super::look::Looks;
use super::surface::{Drawn, Surface};
use super::{Lift, Options, TEAMS};

/// Whose colour is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Team {
    /// That of the team that was asked for.
    Own,
    /// That of another one, by its number.
    Other(usize),
}

impl Team {
    pub(super) fn color(self, options: &Options) -> [u8; 3] {
        match self {
            Team::Own => options.team,
            Team::Other(number) => TEAMS.get(number).copied().unwrap_or(options.team),
        }
    }

    /// What something is called that shows it.
    pub(super) fn named(self, name: String) -> String {
        match self {
            Team::Own => name,
            Team::Other(number) => format!("{name} team {number}"),
        }
    }
}

/// Adds a look for each of the other teams, if any material differs by its colour. Surfaces learn what stands in for
/// their materials: clips change both alike.
pub(super) fn all(lift: &mut Lift<'_>, looks: &mut Looks, surfaces: &mut [Surface]) -> Result<(), LiftError> {
    let made = looks.made();
    let mut others: BTreeMap<Id<Material>, Vec<Drawn>> = BTreeMap::new();
    for (number, _) in TEAMS.iter().enumerate().filter(|(_, color)| **color != lift.options.team) {
        let mut swaps = Vec::new();
        for material in &made {
            for (own, drawn) in looks.of_team(lift, material, Team::Other(number))? {
                swaps.push((own, drawn.material));
                others.entry(own).or_default().push(drawn);
            }
        }
        swaps.sort_unstable();
        if !swaps.is_empty() {
            lift.scene.looks.push(Look { name: format!("team {number}"), swaps });
        }
    }
    for surface in surfaces {
        let stand_ins = surface.drawn.iter().filter_map(|drawn| others.get(&drawn.material));
        surface.others = stand_ins.flatten().copied().collect();
    }
    Ok(())
}
