//! Cameras and lights: files hold them in ways of their own, so that a change is told.

use glam::Vec3;

use super::{ABSENT, Measure, NOT_TAKEN, Trip};
use crate::{Camera, Light, LightForm};

/// From here on everything is seen: programs that know no end write such a number.
const NO_END: f32 = 1e6;

/// Tells which cameras and lights are others than before.
pub(super) fn all(trip: &mut Trip<'_>) {
    let (base, found) = (trip.base, trip.found);
    for (node, came) in trip.nodes.clone().into_iter().enumerate() {
        let (old, Some(new)) = (&base.nodes[node], came.map(|came| &found.nodes[came])) else { continue };
        let camera = |id: Option<crate::Id<Camera>>, all| id.and_then(|id| id.find_in(all));
        let light = |id: Option<crate::Id<Light>>, all| id.and_then(|id| id.find_in(all));
        let cameras = (camera(old.camera, &base.cameras), camera(new.camera, &found.cameras));
        let lights = (light(old.light, &base.lights), light(new.light, &found.lights));
        compare(trip, ("cameras", "camera", &old.name), cameras, sights);
        compare(trip, ("lights", "light", &old.name), lights, shines);
    }
}

/// A number before and after.
struct Number {
    what: &'static str,
    old: f32,
    new: f32,
    /// What a part of it is a part of.
    whole: f32,
}

impl Number {
    fn new(what: &'static str, old: f32, new: f32) -> Self {
        Number { what, old, new, whole: old.abs().max(new.abs()) }
    }

    fn off(&self) -> f32 {
        // Two ends at infinity are none apart.
        let apart = (self.old - self.new).abs();
        if self.old.to_bits() == self.new.to_bits() || apart <= 0.0 { 0.0 } else { apart / self.whole }
    }
}

/// Tells what of a thing is another, if it is there before and after.
fn compare<T>(
    trip: &mut Trip<'_>,
    (list, word, name): (&'static str, &str, &str),
    both: (Option<&T>, Option<&T>),
    numbers: fn(&T, &T) -> Result<Vec<Number>, String>,
) {
    match both {
        (None, None) => {}
        (Some(_), None) => trip.tell(&ABSENT, list, format!("the {word} of `{name}`")),
        (None, Some(_)) => trip.tell(&NOT_TAKEN, list, format!("`{name}` has a {word} now")),
        (Some(old), Some(new)) => match numbers(old, new) {
            Err(said) => trip.tell(&NOT_TAKEN, list, format!("`{name}` {said}")),
            Ok(numbers) => {
                for number in numbers {
                    if trip.off_by(Measure::Part, number.off()).is_some() {
                        let Number { what, old, new, .. } = number;
                        trip.tell(&NOT_TAKEN, list, format!("`{name}` has {what} {new} instead of {old}"));
                    }
                }
            }
        },
    }
}

#[allow(clippy::unnecessary_wraps, reason = "lights may be of another kind")]
fn sights(old: &Camera, new: &Camera) -> Result<Vec<Number>, String> {
    let far = |camera: &Camera| camera.far.filter(|far| *far < NO_END).unwrap_or(f32::INFINITY);
    Ok(vec![
        Number::new("an angle of", old.fov_y, new.fov_y),
        Number::new("a near end at", old.near, new.near),
        Number::new("a far end at", far(old), far(new)),
    ])
}

fn shines(old: &Light, new: &Light) -> Result<Vec<Number>, String> {
    let mut numbers = vec![Number::new("a strength of", old.intensity, new.intensity)];
    let parts = Vec3::to_array(&old.color).into_iter().zip(new.color.to_array());
    let parts = ["red of", "green of", "blue of"].into_iter().zip(parts);
    numbers.extend(parts.map(|(what, (old, new))| Number { what, old, new, whole: 1.0 }));
    // Many programs know no end of light.
    numbers.extend(old.range.zip(new.range).map(|(old, new)| Number::new("an end at", old, new)));
    match (old.form, new.form) {
        (LightForm::Spot { inner, outer }, LightForm::Spot { inner: new_inner, outer: new_outer }) => {
            let cones = [("an inner cone of", inner, new_inner), ("an outer cone of", outer, new_outer)];
            numbers.extend(cones.map(|(what, old, new)| Number::new(what, old, new)));
        }
        (LightForm::Point, LightForm::Point) | (LightForm::Directional, LightForm::Directional) => {}
        (old, new) => return Err(format!("shines as {new:?} instead of {old:?}")),
    }
    Ok(numbers)
}
