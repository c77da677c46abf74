//! What a trip through another program did to a scene: what it merely wrote in another way is put back as it was, what somebody
//! changed is taken.
//!
//! Programs sample motions anew, give vertices another order, and lose last digits. [`reconcile`] compares what came back with the
//! scene that went out, and makes of both the scene that went out with the changes in it.

mod bind;
mod clip;
mod curve;
mod eye;
mod faces;
mod level;
mod look;
mod mesh;
mod name;
mod picture;
mod pull;
mod seen;
mod surface;
mod tint;

use std::collections::{BTreeMap, BTreeSet};

use galvani_core::{Code, Diagnostic, Path, Report, codes};

use crate::origin::number_of;
use crate::{Blend, Fact, Id, Node, Scene};

pub use picture::{PicturePairs, PictureSeal};

codes! {
    NOT_TAKEN = Warning, "scene.not-taken",
        "something was changed, added or left out that cannot be put back",
        "it is as it was; names, places, turns, sizes, what hangs on what, vertices, weights and keys are taken";
    ABSENT = Note, "scene.absent",
        "a camera, a light, another state or look, how surfaces move or a list of a mesh did not come back",
        "it is as it was; programs write them only if they are told to";
    OTHER_SHAPE = Error, "scene.other-shape",
        "a mesh has other triangles than before",
        "vertices may move; to add or remove some, have a new model made";
    OTHER_KEYS = Error, "scene.other-keys",
        "a motion needs keys where there were none",
        "keys may change; to add some, have a new model made";
    RESAMPLED = Note, "scene.resampled",
        "motions came back with other keys, but are the same",
        "they have their own keys again";
    SMOOTHED = Note, "scene.smoothed",
        "cubic motions came back with the same keys and another way between them",
        "their own tangents count: programs that sample motions give keys tangents of theirs";
    OFF_GRID = Note, "scene.off-grid",
        "a changed motion came back with keys at other times",
        "it was put back on the times of its own keys; set the frame rate before you import, and nothing lies between";
    ROUNDED = Note, "scene.rounded",
        "numbers came back a little different",
        "less than the tolerance counts as no change and is not taken";
}

/// How far numbers may be off and count as the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerances {
    /// Places.
    pub length: f32,
    /// Turns, in radians.
    pub angle: f32,
    /// Normals and tangents, which some programs keep in a few bits.
    pub direction: f32,
    /// Sizes, colours, texture coordinates, weights; of what cameras and lights say, that part of it.
    pub part: f32,
    /// When something is hidden or shown, in seconds; infinite where nobody says when.
    pub moment: f32,
}

impl Tolerances {
    /// Those of a model of this size. Programs that sample anew put moments on frames of theirs, of which there are 24 a second.
    pub fn of_size(size: f32) -> Self {
        Tolerances { length: 1e-5 * size, angle: 5e-4, direction: 2e-2, part: 1e-4, moment: 0.05 }
    }
}

/// What a number says, by which it is known how far it may be off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Measure {
    Place,
    Turn,
    Direction,
    Part,
    Moment,
}

impl Measure {
    fn word(self) -> &'static str {
        match self {
            Measure::Place => "places",
            Measure::Turn => "turns",
            Measure::Direction => "directions",
            Measure::Part => "sizes, colours, coordinates and weights",
            Measure::Moment => "moments",
        }
    }

    fn tolerance(self, tolerances: Tolerances) -> f32 {
        match self {
            Measure::Place => tolerances.length,
            Measure::Turn => tolerances.angle,
            Measure::Direction => tolerances.direction,
            Measure::Part => tolerances.part,
            Measure::Moment => tolerances.moment,
        }
    }
}

/// How much was a little off, and the farthest of it.
#[derive(Debug, Default)]
struct Offs(BTreeMap<Measure, (usize, f32)>);

impl Offs {
    fn add(&mut self, measure: Measure, off: f32) {
        let (count, most) = self.0.entry(measure).or_default();
        *count += 1;
        *most = most.max(off);
    }

    /// In words; nothing if nothing was off.
    fn said(&self, tolerances: Tolerances) -> Option<String> {
        let row = |(measure, (count, most)): (&Measure, &(usize, f32))| {
            let (word, tolerance) = (measure.word(), measure.tolerance(tolerances));
            format!("{count} of {word}, {most:.1e} off at most, {tolerance:.1e} allowed")
        };
        let all: Vec<String> = self.0.iter().map(row).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }
}

/// A scene that went out with what was changed in the one that came back. Which pictures came back as which is known to those who see
/// them.
pub fn reconcile(
    base: &Scene,
    found: &Scene,
    pictures: &PicturePairs,
    tolerances: Tolerances,
) -> Result<(Scene, Report), Box<Diagnostic>> {
    let nodes = pairs(base, found);
    let came = nodes.iter().enumerate().filter_map(|(old, new)| Some(((*new)?, old)));
    let came = came.collect();
    let mut trip = Trip {
        base,
        found,
        pictures,
        tolerances,
        made: base.clone(),
        levels: level::found(base, found, &came),
        surfaces: surface::named(base, found),
        came,
        nodes,
        told: BTreeMap::new(),
        rounded: Offs::default(),
        resampled: Offs::default(),
        smoothed: Offs::default(),
    };
    trip.rests();
    mesh::all(&mut trip)?;
    clip::all(&mut trip)?;
    look::all(&mut trip);
    eye::all(&mut trip);
    bind::all(&mut trip);
    seen::at_rest(&mut trip);
    trip.missed();
    Ok((trip.made.clone(), trip.report()))
}

/// Two scenes on their way to one.
struct Trip<'s> {
    base: &'s Scene,
    found: &'s Scene,
    pictures: &'s PicturePairs,
    tolerances: Tolerances,
    made: Scene,
    /// For each node that went out the one that came back.
    nodes: Vec<Option<usize>>,
    /// The other way round.
    came: BTreeMap<usize, usize>,
    levels: level::Levels,
    /// What surfaces that went out are called that came back.
    surfaces: surface::SurfaceNames,
    /// What is to be said, by code and list.
    told: BTreeMap<(&'static str, &'static str), (&'static Code, Vec<String>)>,
    rounded: Offs,
    resampled: Offs,
    /// Of motions whose tangents programs replaced.
    smoothed: Offs,
}

/// Which node came back of each that went out: by their numbers, else by their names. Of several with one number the one with the name
/// counts, else one that is not called as levels of detail are.
fn pairs(base: &Scene, found: &Scene) -> Vec<Option<usize>> {
    let mut by_number: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
    for (i, node) in found.nodes.iter().enumerate() {
        if let Some(number) = number_of(node) {
            by_number.entry(number).or_default().push(i);
        }
        by_name.entry(&node.name).or_insert(i);
    }
    let mut taken = BTreeSet::new();
    let mut numbered = |node: &Node| {
        let all = by_number.get(&number_of(node)?)?;
        let named = all.iter().find(|it| found.nodes[**it].name == node.name);
        let renamed = || all.iter().find(|it| !is_level(&node.name, &found.nodes[**it].name));
        named.or_else(renamed).or(all.first()).copied().filter(|it| taken.insert(*it))
    };
    let numbered: Vec<Option<usize>> = base.nodes.iter().map(&mut numbered).collect();
    let named = |(node, number): (&Node, Option<usize>)| {
        number.or_else(|| by_name.get(node.name.as_str()).copied().filter(|it| taken.insert(*it)))
    };
    base.nodes.iter().zip(numbered).map(named).collect()
}

/// Whether a node is only there for glTF's sake.
fn is_made(node: &Node) -> bool {
    node.extras.get("made") == Some(&Fact::Flag(true))
}

/// What else was known of a node and is not so any more; of one without a number programs have dropped all that.
fn facts(old: &Node, new: &Node) -> Vec<String> {
    let is_other =
        |(key, fact): &(&String, &Fact)| new.extras.get(*key).map(Fact::canonical) != Some(fact.canonical());
    let others = old.extras.iter().filter(|_| number_of(new).is_some()).filter(is_other);
    others
        .map(|(key, fact)| format!("`{}` does not say any more that `{key}` is {fact:?}", old.name))
        .collect()
}

/// Whether a name is that of a level of detail of what is called by another.
fn is_level(own: &str, name: &str) -> bool {
    name.strip_prefix(own).is_some_and(|end| end.starts_with('_'))
}

impl Trip<'_> {
    fn tell(&mut self, code: &'static Code, list: &'static str, what: String) {
        self.told.entry((code.name, list)).or_insert_with(|| (code, Vec::new())).1.push(what);
    }

    /// The old value where the new one is as good, else the new one.
    fn nearest<V: Blend + PartialEq>(&mut self, old: V, new: V, measure: Measure) -> V {
        if old == new {
            return old;
        }
        if self.off_by(measure, old.distance(new)).is_some() { new } else { old }
    }

    /// How far something is off, if that is more than is allowed; what is less counts as rounded.
    fn off_by(&mut self, measure: Measure, off: f32) -> Option<f32> {
        // What is no number is near nothing.
        if off.is_nan() || off > measure.tolerance(self.tolerances) {
            return Some(off);
        }
        if off > 0.0 {
            self.rounded.add(measure, off);
        }
        None
    }

    /// Where nodes are at rest, what they are called and hang on.
    fn rests(&mut self) {
        for i in 0..self.base.nodes.len() {
            let old = &self.base.nodes[i];
            let Some(new) = self.nodes[i].map(|new| &self.found.nodes[new]) else {
                let is_eye = old.camera.is_some() || old.light.is_some();
                let code = if is_eye && old.mesh.is_none() { &ABSENT } else { &NOT_TAKEN };
                self.tell(code, "nodes", format!("`{}` is gone", old.name));
                continue;
            };
            let translation = self.nearest(old.translation, new.translation, Measure::Place);
            let rotation = self.nearest(old.rotation, new.rotation, Measure::Turn);
            let scale = self.nearest(old.scale, new.scale, Measure::Part);
            let made = &mut self.made.nodes[i];
            (made.translation, made.rotation, made.scale) = (translation, rotation, scale);
            if !name::take(&mut made.name, &new.name) {
                self.tell(&NOT_TAKEN, "nodes", format!("`{}` has no name any more", old.name));
            }
            for said in facts(old, new) {
                self.tell(&NOT_TAKEN, "nodes", said);
            }
            // What a skin bends may hang on anything.
            let parent = self.parent(new);
            if old.skin.is_some() || old.parent.map(Id::index) == parent {
                continue;
            }
            if parent.is_none_or(|parent| parent < i) {
                self.made.nodes[i].parent = parent.map(Id::new);
            } else {
                let said = format!("`{}` hangs on another, which stands behind it", old.name);
                self.tell(&NOT_TAKEN, "nodes", said);
            }
        }
    }

    /// The node that went out on which one that came back hangs; what was put in between does not count.
    fn parent(&self, new: &Node) -> Option<usize> {
        let above = |node: &Node| node.parent.map(Id::index);
        let mut parent = above(new);
        while let Some(at) = parent {
            if let Some(old) = self.came.get(&at) {
                return Some(*old);
            }
            parent = above(&self.found.nodes[at]);
        }
        None
    }

    /// The node that went out which one that came back is, or stands in for.
    fn origin_of(&self, there: usize) -> Option<usize> {
        self.came.get(&there).copied().or_else(|| Some(self.levels.get(&there)?.1))
    }

    /// What came back and had not gone out.
    fn missed(&mut self) {
        let above: BTreeSet<usize> =
            self.found.nodes.iter().filter_map(|node| node.parent.map(Id::index)).collect();
        let is_new = |i: &usize| self.origin_of(*i).is_none();
        let new = self.found.nodes.iter().enumerate().filter(|(i, _)| is_new(i));
        // Programs put nodes above others, which show nothing themselves; our own that only carry are below, too.
        let new = new.filter(|(i, it)| it.mesh.is_some() || !above.contains(i) && !is_made(it));
        let new: Vec<String> = new.map(|(_, it)| it.name.clone()).collect();
        for name in new {
            self.tell(&NOT_TAKEN, "nodes", format!("`{name}` is new"));
        }
    }

    fn report(self) -> Report {
        let mut report = Report::default();
        let all = [(&RESAMPLED, &self.resampled), (&SMOOTHED, &self.smoothed), (&ROUNDED, &self.rounded)];
        for (code, offs) in all {
            if let Some(said) = offs.said(self.tolerances) {
                report.push(code.at(Path::named("scene")).saying(said));
            }
        }
        for ((_, list), (code, what)) in self.told {
            report.push(code.at(Path::named(list)).saying(what.join("; ")));
        }
        report
    }
}
