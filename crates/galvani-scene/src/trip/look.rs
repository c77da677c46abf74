//! How surfaces look: nothing of that goes back, so that a change is told.

use super::{NOT_TAKEN, Trip};
use crate::{Material, Scene};

/// How far colours may be off and count as the same: programs go from numbers to bytes and back.
const COLOR: f32 = 5e-3;

/// Tells which surfaces look otherwise than they did.
pub(super) fn all(trip: &mut Trip<'_>) {
    let mut said = Vec::new();
    for old in &trip.base.materials {
        let [was, is] = [trip.base, trip.found].map(|scene| called(scene, &old.name));
        // Of several of one name nobody knows which is which.
        if let (Some(old), Some(new)) = (was, is)
            && let Some(what) = changed(old, new)
        {
            said.push(format!("`{}` has {what}", old.name));
        }
    }
    for said in said {
        trip.tell(&NOT_TAKEN, "materials", said);
    }
}

/// The only surface of a name.
fn called<'s>(scene: &'s Scene, name: &str) -> Option<&'s Material> {
    let mut all = scene.materials.iter().filter(|material| material.name == name);
    all.next().filter(|_| all.next().is_none())
}

/// What of a surface is another.
fn changed(old: &Material, new: &Material) -> Option<&'static str> {
    if old.base_color.distance(new.base_color) > COLOR {
        return Some("another colour");
    }
    (old.two_sided != new.two_sided).then_some("another back")
}
