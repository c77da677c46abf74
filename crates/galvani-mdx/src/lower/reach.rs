//! How far everything reaches, at rest and in every sequence: boxes around what follows each node, moved with the node. They
//! may be too large, never too small.

use std::collections::BTreeMap;

use galvani_scene::{Matrices, Moment, Sampler, Scene, to_model};
use glam::{Affine3A, Vec3};
use zerocopy::little_endian::F32;

use super::clip::Span;
use super::geoset::Surface;
use super::node::Rig;
use crate::lift::{axes, axes_back};
use crate::wire::Bounds;

/// Moments of a sequence that are looked at.
const PROBES: u16 = 8;

/// How far everything reaches.
#[derive(Debug)]
pub(super) struct Reach {
    /// The model at rest.
    pub(super) rest: Bounds,
    /// The model in each sequence.
    pub(super) clips: Vec<Bounds>,
    surfaces: Vec<(Bounds, Vec<Bounds>)>,
}

/// A box, in the games' axes.
#[derive(Debug, Clone, Copy)]
struct Box3 {
    low: Vec3,
    high: Vec3,
}

impl Box3 {
    const NONE: Box3 = Box3 { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY };

    fn add(&mut self, place: Vec3) {
        (self.low, self.high) = (self.low.min(place), self.high.max(place));
    }

    fn corners(self) -> impl Iterator<Item = Vec3> {
        let ends = [self.low, self.high];
        let x = move |i: usize| ends.get(i).copied().unwrap_or_default();
        (0..2).flat_map(move |a| {
            (0..2).flat_map(move |b| (0..2).map(move |c| Vec3::new(x(a).x, x(b).y, x(c).z)))
        })
    }

    fn bounds(self) -> Bounds {
        if self.low.x > self.high.x {
            return bounds([Vec3::ZERO]);
        }
        bounds(self.corners())
    }
}

/// The box and the sphere about the origin that hold all of these.
pub(super) fn bounds(places: impl IntoIterator<Item = Vec3>) -> Bounds {
    let (mut all, mut far) = (Box3::NONE, 0.0_f32);
    for place in places {
        all.add(place);
        far = far.max(place.length());
    }
    let floats = |corner: Vec3| corner.to_array().map(F32::new);
    Bounds { radius: F32::new(far), min: floats(all.low), max: floats(all.high) }
}

impl Reach {
    pub(super) fn new(scene: &Scene, rig: &Rig, surfaces: &[Surface], spans: &[Span<'_>]) -> Self {
        let boxes: Vec<BTreeMap<Option<i32>, Box3>> = surfaces.iter().map(boxes).collect();
        let mut rest = Box3::NONE;
        surfaces.iter().flat_map(|it| &it.positions).for_each(|place| rest.add(*place));
        let own = |surface: &Surface| (bounds(surface.positions.iter().copied()), Vec::new());
        let mut reach =
            Reach { rest: rest.bounds(), clips: Vec::new(), surfaces: surfaces.iter().map(own).collect() };
        let mut poses = Poses::new(scene, rig);
        for span in spans {
            let mut clip = Box3::NONE;
            let mut moved = vec![Box3::NONE; boxes.len()];
            for probe in 0..=PROBES {
                poses.set(span, f32::from(probe) / f32::from(PROBES));
                for (moved, boxes) in moved.iter_mut().zip(&boxes) {
                    for (node, around) in boxes {
                        around.corners().for_each(|corner| moved.add(poses.place(*node, corner)));
                    }
                }
            }
            for ((_, extents), moved) in reach.surfaces.iter_mut().zip(moved) {
                extents.push(moved.bounds());
                (clip.low, clip.high) = (clip.low.min(moved.low), clip.high.max(moved.high));
            }
            reach.clips.push(clip.bounds());
        }
        reach
    }

    /// How far a surface reaches at rest, and in each sequence.
    pub(super) fn of_surface(&self, index: usize) -> (Bounds, Vec<Bounds>) {
        self.surfaces.get(index).cloned().unwrap_or_else(|| (bounds([Vec3::ZERO]), Vec::new()))
    }
}

/// What follows each node at rest; nothing is what follows none.
fn boxes(surface: &Surface) -> BTreeMap<Option<i32>, Box3> {
    let mut boxes: BTreeMap<Option<i32>, Box3> = BTreeMap::new();
    for (place, pulls) in surface.positions.iter().zip(&surface.pulls) {
        for (number, _) in pulls {
            boxes.entry(Some(*number)).or_insert(Box3::NONE).add(*place);
        }
        if pulls.is_empty() {
            boxes.entry(None).or_insert(Box3::NONE).add(*place);
        }
    }
    boxes
}

/// How nodes move what rests in the model.
struct Poses<'s> {
    scene: &'s Scene,
    rig: &'s Rig,
    sampler: Sampler,
    moment: Moment,
    models: Matrices,
}

impl<'s> Poses<'s> {
    fn new(scene: &'s Scene, rig: &'s Rig) -> Self {
        let models = Matrices::identity(scene.nodes.len());
        Poses { scene, rig, sampler: Sampler::new(scene), moment: Moment::at_rest(scene), models }
    }

    fn set(&mut self, span: &Span<'_>, part: f32) {
        if let Some(clip) = span.clip {
            self.sampler.sample(clip, clip.duration * part, &mut self.moment);
        }
        to_model(self.scene, &self.moment, &mut self.models);
    }

    /// Where a place that follows a node is.
    fn place(&self, number: Option<i32>, place: Vec3) -> Vec3 {
        let entry = number.and_then(|number| self.rig.entries.get(usize::try_from(number).ok()?));
        let Some(node) = entry.map(|entry| entry.node) else { return place };
        let rest = self.rig.rests.get(node).map_or(Affine3A::IDENTITY, |rest| rest.inverse());
        axes_back((self.models.matrix(node) * rest).transform_point3(axes(place)))
    }
}
