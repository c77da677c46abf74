//! How surfaces look, and what they wear in other looks: nothing of that goes back, so that a change is told.

use std::collections::{BTreeMap, BTreeSet};

use super::surface::called;
use super::{ABSENT, NOT_TAKEN, Trip};
use crate::{AlphaMode, Id, Look, Material, Scene, Texture, UvTransform};

/// How far colours may be off and count as the same: programs go from numbers to bytes and back.
pub(super) const COLOR: f32 = 5e-3;

/// Tells which surfaces look otherwise than they did.
pub(super) fn all(trip: &mut Trip<'_>) {
    let mut said = Vec::new();
    for old in &trip.base.materials {
        let new = trip.surfaces.get(&old.name).and_then(|name| only(trip.found, name));
        // Of several of one name nobody knows which is which.
        if let (Some(old), Some(new)) = (only(trip.base, &old.name), new) {
            let all = changed(trip, old, new);
            said.extend((!all.is_empty()).then(|| format!("`{}` has {}", old.name, all.join(", "))));
        }
    }
    for said in said {
        trip.tell(&NOT_TAKEN, "materials", said);
    }
    looks(trip);
}

/// The only surface of a name.
fn only<'s>(scene: &'s Scene, name: &str) -> Option<&'s Material> {
    let mut all = scene.materials.iter().filter(|material| material.name == name);
    all.next().filter(|_| all.next().is_none())
}

/// What of a surface is another.
fn changed(trip: &Trip<'_>, old: &Material, new: &Material) -> Vec<&'static str> {
    let is_covering = match (old.alpha_mode, new.alpha_mode) {
        (AlphaMode::Mask(old), AlphaMode::Mask(new)) => (old - new).abs() <= COLOR,
        (old, new) => old == new,
    };
    let pictures = |it: &Material| [&it.texture, &it.normal, &it.orm, &it.glow].map(Option::is_some);
    let mut all = vec![
        (old.base_color.distance(new.base_color) <= COLOR, "another colour"),
        (old.emissive.distance(new.emissive) <= COLOR, "another glow"),
        (is_covering, "another way to cover what is behind"),
        (old.two_sided == new.two_sided, "another back"),
        (old.unlit == new.unlit, "another light"),
        (pictures(old) == pictures(new), "other pictures than before"),
    ];
    let textures = [
        (&old.texture, &new.texture),
        (&old.normal, &new.normal),
        (&old.orm, &new.orm),
        (&old.glow, &new.glow),
    ];
    for (old, new) in textures.into_iter().filter_map(|(old, new)| old.as_ref().zip(new.as_ref())) {
        all.extend(pictured(trip, old, new));
    }
    let mut said = Vec::new();
    for (is_same, what) in all {
        if !is_same && !said.contains(&what) {
            said.push(what);
        }
    }
    said
}

/// What of a picture on a surface is the same.
fn pictured(trip: &Trip<'_>, old: &Texture, new: &Texture) -> [(bool, &'static str); 5] {
    [
        (trip.pictures.is_same(old.image.index(), new.image.index()), "another picture"),
        (old.wrap == new.wrap, "another edge of a picture"),
        (old.filter == new.filter, "other pixels of a picture"),
        (old.uv_set == new.uv_set, "other coordinates of a picture"),
        (lies_alike(trip, old.transform, new.transform), "a picture that lies elsewhere"),
    ]
}

fn lies_alike(trip: &Trip<'_>, old: UvTransform, new: UvTransform) -> bool {
    let most = trip.tolerances.part;
    old.offset.distance(new.offset) <= most
        && (old.rotation - new.rotation).abs() <= most
        && old.scale.distance(new.scale) <= most
}

/// Tells which looks are gone or new, and which show something else. Programs write them only if they are told to.
fn looks(trip: &mut Trip<'_>) {
    let (base, found) = (trip.base, trip.found);
    // A base that was lifted without looks says nothing of them.
    if base.looks.is_empty() {
        return;
    }
    let names = |looks: &[Look]| looks.iter().map(|look| look.name.clone()).collect::<BTreeSet<String>>();
    let (before, after) = (names(&base.looks), names(&found.looks));
    let code = if after.is_empty() { &ABSENT } else { &NOT_TAKEN };
    for name in before.difference(&after) {
        trip.tell(code, "looks", format!("`{name}` is gone"));
    }
    for name in after.difference(&before) {
        trip.tell(&NOT_TAKEN, "looks", format!("`{name}` is new"));
    }
    for old in &base.looks {
        let Some(new) = found.looks.iter().find(|new| new.name == old.name) else { continue };
        let (before, after) = (worn(base, old), worn(found, new));
        let known: Vec<&String> = base.materials.iter().map(|it| &it.name).collect();
        for name in known {
            let Some(came) = trip.surfaces.get(name).cloned() else { continue };
            // What is not said shows itself.
            let was = before.get(name).unwrap_or(name);
            let is = after.get(&came).unwrap_or(&came);
            if trip.surfaces.get(was) != Some(is) {
                let said = format!("`{}` shows {} instead of {}", old.name, called(is), called(was));
                trip.tell(&NOT_TAKEN, "looks", said);
            }
        }
    }
}

/// By the names of surfaces, what stands in for them in a look.
fn worn(scene: &Scene, look: &Look) -> BTreeMap<String, String> {
    let name = |id: Id<Material>| Some(id.find_in(&scene.materials)?.name.clone());
    look.swaps.iter().filter_map(|(of, with)| Some((name(*of)?, name(*with)?))).collect()
}
