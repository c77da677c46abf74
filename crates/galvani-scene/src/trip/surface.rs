//! Which surfaces came back as which: by their names, in any spelling, else by the triangles that show them.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;

use super::mesh::{Faces, Shown, place};
use super::{NOT_TAKEN, Trip, name};
use crate::{Mesh, Scene};

/// Names of surfaces that went out, and of those that came back.
pub(super) type SurfaceNames = BTreeMap<String, String>;

/// The surfaces that are called as they were, and then those that are spelled in another way.
pub(super) fn named(base: &Scene, found: &Scene) -> SurfaceNames {
    let mut left: BTreeSet<&str> = found.materials.iter().map(|it| it.name.as_str()).collect();
    let mut names = SurfaceNames::new();
    let rules: [fn(&str, &str) -> bool; 2] =
        [|old, new| old == new, |old, new| !new.is_empty() && name::is_spelling(old, new)];
    for is_same in rules {
        for old in base.materials.iter().map(|it| it.name.as_str()) {
            if !names.contains_key(old)
                && let Some(new) = left.iter().copied().find(|new| is_same(old, new))
            {
                left.remove(new);
                names.insert(old.to_owned(), new.to_owned());
            }
        }
    }
    names
}

/// The triangles of a mesh by the names of the surfaces that they show; that of none is empty.
type BySurface = BTreeMap<String, Faces>;

/// The surfaces that a mesh shows. Of those that are not known by their names as many triangles tell which is which, where several
/// have as many those that are nearest; that one of another name came is told.
pub(super) fn shown(
    trip: &mut Trip<'_>,
    by: Shown,
    (old_mesh, before): (&Mesh, &BySurface),
    (new_mesh, after): (&Mesh, &BySurface),
) -> SurfaceNames {
    let mut left: BTreeSet<&str> = after.keys().map(String::as_str).collect();
    let mut names = SurfaceNames::new();
    for old in before.keys() {
        let new = if old.is_empty() { Some(old) } else { trip.surfaces.get(old) };
        if let Some(new) = new.filter(|new| left.remove(new.as_str())) {
            names.insert(old.clone(), new.clone());
        }
    }
    for (old, faces) in before {
        if names.contains_key(old) {
            continue;
        }
        let middle = middle(old_mesh, faces);
        let off = |new: &str| {
            after.get(new).map_or(f32::INFINITY, |it| self::middle(new_mesh, it).distance(middle))
        };
        let is_as_many = |new: &&str| after.get(*new).is_some_and(|it| it.len() == faces.len());
        let nearest = left.iter().copied().filter(is_as_many).min_by(|a, b| off(a).total_cmp(&off(b)));
        if let Some(new) = nearest {
            left.remove(new);
            names.insert(old.clone(), new.to_owned());
            tell(trip, by, old, new);
        }
    }
    names
}

/// Tells that another surface is shown, or that one has another name.
fn tell(trip: &mut Trip<'_>, by: Shown, old: &str, new: &str) {
    let is_known = trip.surfaces.contains_key(old) || trip.surfaces.values().any(|known| known == new);
    if is_known || old.is_empty() || new.is_empty() {
        let [old, new] = [old, new].map(called);
        let node = &trip.base.nodes[by.node].name;
        trip.tell(&NOT_TAKEN, "materials", format!("`{node}` shows {new} instead of {old}"));
    } else {
        trip.surfaces.insert(old.to_owned(), new.to_owned());
        trip.tell(&NOT_TAKEN, "materials", format!("{} is called {}", called(old), called(new)));
    }
}

/// A surface in words.
pub(super) fn called(name: &str) -> String {
    if name.is_empty() { "no surface".to_owned() } else { format!("`{name}`") }
}

/// The middle of the corners of triangles.
fn middle(mesh: &Mesh, faces: &Faces) -> Vec3 {
    let (count, sum) = faces
        .iter()
        .flatten()
        .fold((0.0, Vec3::ZERO), |(count, sum), corner| (count + 1.0, sum + place(mesh, *corner)));
    sum / f32::max(count, 1.0)
}
