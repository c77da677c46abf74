//! What nodes show in each damage state, at each level of detail and from the cockpit.

use std::collections::{BTreeMap, BTreeSet};

use galvani_core::{Exhausted, LowerError, Path, Report, room};
use galvani_scene::lower::{HIDDEN, rigid, unscaled};
use galvani_scene::{Clip, Primitive, Scene, Variant};
use glam::{Vec2, Vec3, Vec4};

use super::look::Wardrobe;
use super::shape::{copied, geometry, triangle_count};
use super::{LOST_VARIANT, refused};
use crate::msh::build::{COCKPIT_GROUP, GROUP_COUNT, GeometryPlan, LOD_COUNT, refuse_triangles};

/// What a node shows.
pub(super) type Slots = [[Option<GeometryPlan>; GROUP_COUNT]; LOD_COUNT];

/// Where something is shown: the state, and the level or the cockpit's group.
type Cell = (usize, usize);

/// The ends of the names of variants that are seen from the cockpit.
const COCKPIT: &str = "cockpit";

/// Nodes, what they show in a variant, and how they move, without skins, scales and what is hidden.
pub(super) fn stage(
    scene: &Scene,
    clip: Option<&Clip>,
    variant: Option<&Variant>,
    report: &mut Report,
) -> Result<Scene, Exhausted> {
    room::probe(weight(scene).saturating_mul(COPIES))?;
    let mut nodes = scene.nodes.clone();
    for (node, mesh) in variant.iter().flat_map(|variant| &variant.shows) {
        if let Some(node) = nodes.get_mut(node.index()) {
            node.mesh = *mesh;
        }
    }
    for (i, node) in nodes.iter_mut().enumerate() {
        if !node.visible && node.skin.is_none() && node.mesh.take().is_some() {
            report.push(HIDDEN.at(Path::named("nodes").index(i)).saying(node.name.clone()));
        }
    }
    let clips = clip.cloned().into_iter().collect();
    let (meshes, skins) = (scene.meshes.clone(), scene.skins.clone());
    let (apart, told) = rigid(&Scene { nodes, meshes, skins, clips, ..Scene::default() });
    report.append(told);
    let (made, told) = unscaled(&apart);
    report.append(told);
    Ok(made)
}

/// Copies of nodes and meshes that are there at once while skins and scales go.
const COPIES: usize = 3;

/// Bytes of a scene's nodes and meshes, about.
fn weight(scene: &Scene) -> usize {
    let of_primitive = |primitive: &Primitive| {
        let sets = primitive.uvs.len().saturating_mul(size_of::<Vec2>());
        let vertex = size_of::<[Vec3; 2]>().saturating_add(size_of::<[Vec4; 2]>()).saturating_add(sets);
        let vertices = primitive.positions.len().saturating_mul(vertex);
        let pulls = size_of_val(primitive.influences.pulls());
        vertices.saturating_add(pulls).saturating_add(size_of_val(primitive.indices.as_slice()))
    };
    let primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    primitives.map(of_primitive).fold(size_of_val(scene.nodes.as_slice()), usize::saturating_add)
}

/// What every node shows. Levels that are not given show what the finer one does, because the game looks for no other;
/// states of which no level is given stay empty, as in models that nothing breaks.
pub(super) fn slots(
    scene: &Scene,
    stage: &Scene,
    wardrobe: &Wardrobe,
    report: &mut Report,
) -> Result<Vec<Slots>, LowerError> {
    let mut filling =
        Filling { scene, wardrobe, all: room::filled(Slots::default(), stage.nodes.len())?, triangles: 0 };
    let given = given(scene, report);
    for state in 0..LOD_COUNT {
        let is_there = state == 0 || given.keys().any(|(of, level)| *of == state && *level != COCKPIT_GROUP);
        for level in (0..GROUP_COUNT).filter(|level| is_there || *level == COCKPIT_GROUP) {
            let cell = (state, level);
            match given.get(&cell) {
                Some(variant) => filling.fill(cell, &self::variant(scene, variant, report)?)?,
                None if cell == (0, 0) => filling.fill(cell, stage)?,
                None if level == COCKPIT_GROUP => {}
                None => {
                    filling.repeat(cell, (if level == 0 { 0 } else { state }, level.saturating_sub(1)))?;
                }
            }
        }
    }
    filling.in_order(report);
    Ok(filling.all)
}

/// A scene as a variant shows it, without saying again what was said of another.
fn variant(scene: &Scene, variant: &Variant, report: &mut Report) -> Result<Scene, Exhausted> {
    let known: BTreeSet<&str> = report.findings().iter().map(|finding| finding.code.name).collect();
    let mut told = Report::default();
    let made = stage(scene, None, Some(variant), &mut told)?;
    let told = told.only(|finding| !known.contains(finding.code.name));
    report.append(told);
    Ok(made)
}

/// Where the variants of a scene belong; those that belong nowhere are told.
fn given<'s>(scene: &'s Scene, report: &mut Report) -> BTreeMap<Cell, &'s Variant> {
    let mut given = BTreeMap::new();
    for (i, variant) in scene.variants.iter().enumerate() {
        if let Some(cell) = cell(variant) {
            given.insert(cell, variant);
        } else {
            let said = format!("`{}`: state {}, level {}", variant.name, variant.state, variant.level);
            report.push(LOST_VARIANT.at(Path::named("variants").index(i)).saying(said));
        }
    }
    given
}

/// The cell of a variant. Cockpits are states of their own, behind the others.
fn cell(variant: &Variant) -> Option<Cell> {
    let (state, level) = (usize::try_from(variant.state).ok()?, usize::try_from(variant.level).ok()?);
    if variant.name.ends_with(COCKPIT) && level == 0 {
        let state = state.checked_sub(LOD_COUNT)?;
        return (state < LOD_COUNT).then_some((state, COCKPIT_GROUP));
    }
    (state < LOD_COUNT && level < COCKPIT_GROUP).then_some((state, level))
}

/// Slots in the making.
struct Filling<'a> {
    scene: &'a Scene,
    wardrobe: &'a Wardrobe,
    all: Vec<Slots>,
    triangles: usize,
}

impl Filling<'_> {
    /// Gives every node what it shows on a stage.
    fn fill(&mut self, (state, group): Cell, stage: &Scene) -> Result<(), LowerError> {
        for (node, slots) in stage.nodes.iter().zip(&mut self.all) {
            let Some(mesh) = node.mesh.and_then(|mesh| mesh.find_in(&stage.meshes)) else { continue };
            let Some(made) = geometry(self.scene, mesh, self.wardrobe)? else { continue };
            if !slots.iter().flatten().flatten().any(|known| *known == made) {
                self.triangles = self.triangles.saturating_add(triangle_count(&made));
                // Before many of them take memory.
                refuse_triangles(self.triangles).map_err(refused)?;
            }
            if let Some(slot) = slots.get_mut(state).and_then(|groups| groups.get_mut(group)) {
                *slot = Some(made);
            }
        }
        Ok(())
    }

    /// Gives every node what it shows in another cell.
    fn repeat(&mut self, (state, group): Cell, (of_state, of_group): Cell) -> Result<(), LowerError> {
        for slots in &mut self.all {
            let shown = slots.get(of_state).and_then(|groups| groups.get(of_group)?.as_ref());
            let again = shown.map(copied).transpose()?;
            if let Some(slot) = slots.get_mut(state).and_then(|groups| groups.get_mut(group)) {
                *slot = again;
            }
        }
        Ok(())
    }

    /// Leaves out what a node shows in a state if it shows nothing in the one before.
    fn in_order(&mut self, report: &mut Report) {
        for (i, slots) in self.all.iter_mut().enumerate() {
            let mut is_filled = true;
            for (state, groups) in slots.iter_mut().enumerate() {
                let shows = groups.iter().any(Option::is_some);
                if shows && !is_filled {
                    *groups = Default::default();
                    let said = format!("state {state} of a node that shows nothing before");
                    report.push(LOST_VARIANT.at(Path::named("nodes").index(i)).saying(said));
                }
                is_filled &= shows;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_go_where_they_come_from() {
        let variant = |name: &str, state, level| {
            cell(&Variant { name: name.to_owned(), state, level, ..Variant::default() })
        };
        assert_eq!(variant("", 0, 3), Some((0, 3)));
        assert_eq!(variant("damaged", 1, 0), Some((1, 0)));
        assert_eq!(variant("destroyed_cockpit", 5, 0), Some((2, COCKPIT_GROUP)));
        assert_eq!((variant("", 0, 4), variant("", 3, 0), variant("cockpit", 6, 0)), (None, None, None));
    }
}
