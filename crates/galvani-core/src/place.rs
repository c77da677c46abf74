//! The places of a document as a reader passes them: a path each, without its copies.

use crate::budget::Exhausted;
use crate::path::{Path, Step};
use crate::room;

/// A place among [`Places`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlaceId(u32);

impl PlaceId {
    /// The document itself.
    pub const ROOT: PlaceId = PlaceId(u32::MAX);
}

/// Places that are steps from one another. A file has thousands: together they take a tenth of what as many
/// paths would.
#[derive(Debug, Clone, Default)]
pub struct Places {
    steps: Vec<(Step, PlaceId)>,
}

impl Places {
    /// No places yet, and room for so many.
    pub fn with_room(count: usize) -> Result<Self, Exhausted> {
        Ok(Places { steps: room::with_capacity(count)? })
    }

    /// Makes room for so many more.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.steps.reserve(count);
    }

    /// The named part of a place.
    pub fn field(&mut self, of: PlaceId, name: &'static str) -> PlaceId {
        self.push(Step::field(name), of)
    }

    /// An element of the list that is a part of a place.
    pub fn element(&mut self, of: PlaceId, name: &'static str, index: usize) -> PlaceId {
        self.push(Step::element(name, index), of)
    }

    /// An element of the list at a place.
    pub fn index(&mut self, of: PlaceId, index: usize) -> PlaceId {
        match self.step(of) {
            Some((step, parent)) => self.push(Step::element(step.name, index), parent),
            None => of,
        }
    }

    /// The place that a path names.
    pub fn at(&mut self, path: &Path) -> PlaceId {
        path.steps().fold(PlaceId::ROOT, |of, step| self.push(step, of))
    }

    /// The path of a place.
    pub fn path(&self, place: PlaceId) -> Path {
        match self.step(place) {
            Some((step, parent)) => self.path(parent).step(step),
            None => Path::root(),
        }
    }

    /// The step that leads to a place and where it starts; none leads to the document itself.
    pub(crate) fn step(&self, place: PlaceId) -> Option<(Step, PlaceId)> {
        self.steps.get(usize::try_from(place.0).ok()?).copied()
    }

    /// The steps to a place, the last one first.
    pub(crate) fn above(&self, mut place: PlaceId) -> impl Iterator<Item = Step> {
        std::iter::from_fn(move || {
            let (step, parent) = self.step(place)?;
            place = parent;
            Some(step)
        })
    }

    fn push(&mut self, step: Step, of: PlaceId) -> PlaceId {
        let place = PlaceId(u32::try_from(self.steps.len()).unwrap_or(u32::MAX));
        self.steps.push((step, of));
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_the_path_that_led_to_it() {
        let mut places = Places::default();
        let layers = places.field(PlaceId::ROOT, "MTLS");
        let material = places.index(layers, 2);
        let layer = places.element(material, "LAYS", 0);
        let track = places.field(layer, "KMTA");
        let path = Path::named("MTLS").index(2).field("LAYS").index(0).field("KMTA");
        assert_eq!(places.path(track), path);
        let again = places.at(&path);
        assert_eq!(places.path(again), path);
        assert_eq!(places.path(PlaceId::ROOT), Path::root());
    }

    #[test]
    fn a_place_too_deep_for_a_path_has_a_path_that_says_so() {
        let mut places = Places::default();
        let deep = (0..9).fold(PlaceId::ROOT, |of, _| places.field(of, "a"));
        assert_eq!(places.path(deep).to_string(), "a.a.a.a.a.a.a.a…");
        let again = places.at(&places.path(deep));
        assert_eq!(places.path(again), places.path(deep));
    }
}
