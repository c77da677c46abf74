//! What every scene keeps to: errors are what nobody could show, warnings are numbers that mean nothing.

mod clip;
mod look;
mod mesh;

use galvani_core::{Diagnostic, Path, Report, codes};

use crate::{Id, Node, Scene};

codes! {
    MISSING = Error, "scene.missing",
        "something names what is not there",
        "this is a mistake of ours; please report it";
    PARENT = Error, "scene.parent",
        "a node does not stand behind its parent",
        "this is a mistake of ours; please report it";
    EMPTY = Error, "scene.empty",
        "a mesh has no triangles, a skin no joints, an image no pixels or a curve no keys",
        "this is a mistake of ours; please report it";
    COUNT = Error, "scene.count",
        "lists that belong together are not of one length",
        "this is a mistake of ours; please report it";
    TRIANGLES = Error, "scene.triangles",
        "indices make no whole triangles",
        "this is a mistake of ours; please report it";
    TIMES = Error, "scene.times",
        "times do not rise, or lie outside the clip",
        "this is a mistake of ours; please report it";
    STEPS = Error, "scene.steps",
        "a curve has something between values between which there is nothing",
        "this is a mistake of ours; please report it";
    TWICE = Error, "scene.twice",
        "the same is said twice",
        "this is a mistake of ours; please report it";
    NOT_FINITE = Warning, "scene.not-finite",
        "a number is infinite or none",
        "the source is damaged there; its findings say where";
    NOT_UNIT = Warning, "scene.not-unit",
        "a rotation or direction is not of length 1",
        "the source is damaged there; its findings say where";
    RANGE = Warning, "scene.range",
        "a number is outside the range that it can have",
        "the source is damaged there; its findings say where";
    WEIGHTS = Warning, "scene.weights",
        "the weights of a vertex do not make 1",
        "the source is damaged there; its findings say where";
}

/// How far the length of a rotation or direction may be from 1: what sixteen bits per component cannot say better.
pub const UNIT_TOLERANCE: f32 = 1e-4;

/// Everything that a scene does wrong.
pub fn check(scene: &Scene) -> Report {
    let mut found = Found { report: Report::default() };
    for (i, node) in scene.nodes.iter().enumerate() {
        found.node(scene, i, node);
    }
    for (i, socket) in scene.sockets.iter().enumerate() {
        found.named(socket.node, &scene.nodes, || Path::named("sockets").index(i).field("node"));
    }
    mesh::check(scene, &mut found);
    look::check(scene, &mut found);
    clip::check(scene, &mut found);
    found.report
}

/// What was found so far. A path is longer than most of what is looked at: it is made where something is wrong.
struct Found {
    report: Report,
}

impl Found {
    fn node(&mut self, scene: &Scene, index: usize, node: &Node) {
        let path = Path::named("nodes").index(index);
        if let Some(parent) = node.parent.filter(|parent| parent.index() >= index) {
            self.report.push(PARENT.at(path).saying(format!("parent {parent:?} of node #{index}")));
        }
        self.named(node.mesh, &scene.meshes, || path.field("mesh"));
        self.named(node.skin, &scene.skins, || path.field("skin"));
        self.named(node.light, &scene.lights, || path.field("light"));
        self.named(node.camera, &scene.cameras, || path.field("camera"));
        self.finite([node.translation.to_array()], || path.field("translation"));
        self.unit([node.rotation.to_array()], || path.field("rotation"));
        self.finite([node.scale.to_array()], || path.field("scale"));
    }

    /// What is named must be there.
    fn named<T>(&mut self, id: impl Into<Option<Id<T>>>, list: &[T], path: impl FnOnce() -> Path) {
        if let Some(id) = id.into().filter(|id| id.index() >= list.len()) {
            self.report.push(MISSING.at(path()).saying(format!("{id:?} of {}", list.len())));
        }
    }

    fn finite<const N: usize>(&mut self, values: impl Rows<N>, path: impl Fn() -> Path) {
        let wrong = |value| NOT_FINITE.at(path()).saying(format!("{value:?}"));
        self.each(values, |value| every(value, f32::is_finite), wrong);
    }

    fn unit<const N: usize>(&mut self, values: impl Rows<N>, path: impl Fn() -> Path) {
        self.each(values, is_unit, |value| NOT_UNIT.at(path()).saying(format!("{value:?}")));
    }

    fn within<const N: usize>(&mut self, values: impl Rows<N>, path: impl Fn() -> Path) {
        let wrong = |value| RANGE.at(path()).saying(format!("0 to 1 wanted, {value:?} found"));
        self.each(values, |value| value.iter().all(|part| (0.0..=1.0).contains(part)), wrong);
    }

    /// Reports what is wrong with each of these.
    fn each<const N: usize>(
        &mut self,
        values: impl Rows<N>,
        is_sound: impl Fn([f32; N]) -> bool,
        wrong: impl Fn([f32; N]) -> Diagnostic,
    ) {
        if !every(values.clone(), &is_sound) {
            let unsound = values.into_iter().filter(|value| !is_sound(*value));
            unsound.for_each(|value| self.report.push(wrong(value)));
        }
    }

    /// One entry for each wanted, or none where the list may be empty.
    fn count(&mut self, found: usize, wanted: usize, path: impl FnOnce() -> Path) {
        if found != wanted {
            self.report.push(COUNT.at(path()).saying(format!("{wanted} wanted, {found} found")));
        }
    }
}

/// Numbers that belong together, row by row.
trait Rows<const N: usize>: IntoIterator<Item = [f32; N]> + Clone {}
impl<const N: usize, R: IntoIterator<Item = [f32; N]> + Clone> Rows<N> for R {}

/// Whether all are so. All are looked at, whatever the first says: that takes a fraction of the time.
fn every<T>(items: impl IntoIterator<Item = T>, is_so: impl Fn(T) -> bool) -> bool {
    items.into_iter().fold(true, |all, item| all & is_so(item))
}

/// Whether a rotation or direction is of length 1, as nearly as sixteen bits per component can say.
pub fn is_unit<const N: usize>(value: [f32; N]) -> bool {
    // So near to 1 the square of a length is twice as far from it.
    let square: f32 = value.iter().map(|part| part * part).sum();
    (square - 1.0).abs() <= 2.0 * UNIT_TOLERANCE
}
