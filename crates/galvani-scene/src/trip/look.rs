//! How surfaces look: nothing of that goes back, so that a change is told.

use super::{NOT_TAKEN, Trip};
use crate::{AlphaMode, Material, Scene, Texture};

/// How far colours may be off and count as the same: programs go from numbers to bytes and back.
const COLOR: f32 = 5e-3;

/// Tells which surfaces look otherwise than they did.
pub(super) fn all(trip: &mut Trip<'_>) {
    let mut said = Vec::new();
    for old in &trip.base.materials {
        let [was, is] = [trip.base, trip.found].map(|scene| called(scene, &old.name));
        // Of several of one name nobody knows which is which.
        if let (Some(old), Some(new)) = (was, is) {
            let pictured = pictured(trip, old, new).then_some("another picture");
            let all: Vec<&str> = changed(old, new).into_iter().chain(pictured).collect();
            said.extend((!all.is_empty()).then(|| format!("`{}` has {}", old.name, all.join(", "))));
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
fn changed(old: &Material, new: &Material) -> Vec<&'static str> {
    let is_covering = match (old.alpha_mode, new.alpha_mode) {
        (AlphaMode::Mask(old), AlphaMode::Mask(new)) => (old - new).abs() <= COLOR,
        (old, new) => old == new,
    };
    let pictures = |it: &Material| [&it.texture, &it.normal, &it.orm, &it.glow].map(Option::is_some);
    let all = [
        (old.base_color.distance(new.base_color) <= COLOR, "another colour"),
        (old.emissive.distance(new.emissive) <= COLOR, "another glow"),
        (is_covering, "another way to cover what is behind"),
        (old.two_sided == new.two_sided, "another back"),
        (old.unlit == new.unlit, "another light"),
        (pictures(old) == pictures(new), "other pictures than before"),
    ];
    all.into_iter().filter(|(is_same, _)| !is_same).map(|(_, what)| what).collect()
}

/// Whether a surface shows a picture that was another one. Programs call pictures as they like, so that only one that is called as
/// another was is one.
fn pictured(trip: &Trip<'_>, old: &Material, new: &Material) -> bool {
    let image = |texture: &Option<Texture>, scene: &Scene| {
        let image = texture.as_ref().and_then(|it| it.image.find_in(&scene.images));
        image.map(|image| image.name.clone())
    };
    let pairs = [(&old.texture, &new.texture), (&old.normal, &new.normal), (&old.glow, &new.glow)];
    pairs.into_iter().any(|(old, new)| {
        let Some((old, new)) = image(old, trip.base).zip(image(new, trip.found)) else { return false };
        let is_known = trip.base.images.iter().any(|image| image.name == new);
        old != new && is_known
    })
}
