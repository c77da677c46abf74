//! Nodes as bones (docs/formats/ff7-skeleton.md#lower).
//!
//! A bone starts where the one it hangs on ends, at −Z of that, which is +Z in the scene's axes. Where a node is anywhere else,
//! a connector comes between: a bone that is turned towards it, always alike, and as long as the way is.

use std::collections::{BTreeMap, BTreeSet};

use galvani_core::{LowerError, Path, Report};
use galvani_scene::{Id, Mesh, Scene};
use glam::{DQuat, DVec3};

use super::lost::useful;
use super::motion::Motion;
use super::{Form, Options, Target};
use crate::pack::rotation::{degrees, from_degrees, quaternion};

/// The bones of a model, and what moves them. Lengths and places are the game's units along the scene's axes.
#[derive(Debug, Default)]
pub(super) struct Rig {
    /// The nodes whose motions, one upon the other, are the root's.
    pub(super) root: Vec<usize>,
    /// Where the root is if no node moves it.
    pub(super) base: DVec3,
    /// Parents before children.
    pub(super) bones: Vec<Bone>,
}

/// A bone.
#[derive(Debug)]
pub(super) struct Bone {
    /// What it hangs on; nothing, on the root.
    pub(super) parent: Option<usize>,
    /// How far away its children are.
    pub(super) length: f64,
    /// The node that it stands for, or leads to.
    pub(super) node: usize,
    /// What it shows.
    pub(super) shows: Vec<(Id<Mesh>, BonePlace)>,
    turn: Turn,
}

/// How a bone is turned.
#[derive(Debug)]
enum Turn {
    /// Always alike.
    Still(DQuat),
    /// As its node is, upon something that is always alike.
    Node(DQuat),
}

impl Bone {
    /// Whether it only leads to where another is.
    pub(super) fn is_connector(&self) -> bool {
        matches!(self.turn, Turn::Still(_)) && self.shows.is_empty()
    }

    /// How it is turned in a frame, in the scene's axes.
    pub(super) fn turn(&self, motion: &Motion, frame: usize) -> DQuat {
        match self.turn {
            Turn::Still(turn) => turn,
            Turn::Node(before) => before * motion.turn(frame, self.node),
        }
    }
}

impl Rig {
    /// Where the root is in a frame and how it is turned, in the scene's axes.
    pub(super) fn root(&self, motion: &Motion, frame: usize, scale: f64) -> BonePlace {
        let start = BonePlace { turn: DQuat::IDENTITY, at: self.base };
        self.root.iter().fold(start, |above, &node| {
            above.then(BonePlace { turn: motion.turn(frame, node), at: motion.place(frame, node) * scale })
        })
    }
}

/// A place and how it is turned there.
#[derive(Debug, Clone, Copy)]
pub(super) struct BonePlace {
    pub(super) turn: DQuat,
    pub(super) at: DVec3,
}

impl BonePlace {
    pub(super) const HERE: BonePlace = BonePlace { turn: DQuat::IDENTITY, at: DVec3::ZERO };

    /// A place that counts from this one.
    fn then(self, other: BonePlace) -> BonePlace {
        BonePlace { turn: self.turn * other.turn, at: self.at + self.turn * other.at }
    }
}

/// A node that becomes a bone.
#[derive(Debug, Clone)]
struct Joint {
    node: usize,
    /// What it hangs on; nothing, on the root.
    parent: Option<usize>,
    /// Where it is on that.
    offset: DVec3,
    /// What it is turned upon; nothing if it is turned with the root and not by itself.
    before: Option<DQuat>,
    shows: Vec<(Id<Mesh>, BonePlace)>,
}

/// The bones of a scene that has no skins and no scales.
pub(super) fn rig(
    scene: &Scene,
    motions: &[Motion],
    options: &Options,
    target: &Target,
    report: &mut Report,
) -> Result<Rig, LowerError> {
    let useful = useful(scene);
    if !useful.contains(&true) {
        return Err(target.codes.nothing.at(Path::named("nodes")).into());
    }
    let scale = f64::from(options.scale);
    let moves =
        AllMotions { motions, tolerance: f64::from(options.tolerance), size: f64::from(scene.size()) };
    let root = root(scene, &useful, &moves, scale, target);
    let joints = joints(scene, &useful, &root, &moves, scale);
    tell_moved(scene, &joints, &moves, target, report);
    let base = base(&root, &joints, target);
    let joints = joints.into_iter().map(|joint| match joint.parent {
        None => Joint { offset: joint.offset - base, ..joint },
        Some(_) => joint,
    });
    let joints: Vec<Joint> = joints.collect();
    let fit = Fit { form: target.form, least: NEAR * moves.size * scale };
    let mut bones = connected(&joints, &fit);
    if bones.len() > target.most_bones {
        let before = bones.len();
        bones = connected(&merged(&joints, &moves), &fit);
        let said = format!("{before} bones became {}, {} at most", bones.len(), target.most_bones);
        if bones.len() > target.most_bones {
            return Err(target.codes.bones.at(Path::named("nodes")).saying(said).into());
        }
        report.push(target.codes.merged.at(Path::named("nodes")).saying(said));
    }
    Ok(Rig { root, base, bones })
}

/// What moves over all motions.
struct AllMotions<'m> {
    motions: &'m [Motion],
    tolerance: f64,
    size: f64,
}

impl AllMotions<'_> {
    /// Where a node is in the first frame of all.
    fn start(&self, node: usize) -> BonePlace {
        let start = |motion: &Motion| BonePlace { turn: motion.turn(0, node), at: motion.place(0, node) };
        self.motions.first().map_or(BonePlace::HERE, start)
    }

    fn most(&self, off: impl Fn(&Motion, usize) -> f64) -> f64 {
        let frames =
            self.motions.iter().flat_map(|motion| (0..motion.frames).map(move |frame| (motion, frame)));
        frames.map(|(motion, frame)| off(motion, frame)).fold(0.0, f64::max)
    }

    /// How far it goes from there; nothing if that is within the tolerance.
    fn travel(&self, node: usize) -> Option<f64> {
        let start = self.start(node).at;
        let most = self.most(|motion, frame| motion.place(frame, node).distance(start));
        (most > self.tolerance * self.size).then_some(most)
    }

    /// Whether it turns.
    fn is_turned(&self, node: usize) -> bool {
        let start = self.start(node).turn;
        self.most(|motion, frame| apart(start, motion.turn(frame, node))) > self.tolerance
    }
}

/// The angle between two rotations, in radians.
fn apart(a: DQuat, b: DQuat) -> f64 {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    4.0 * (a - b).length().atan2((a + b).length())
}

/// How near to a whole number a place is one.
const WHOLE: f64 = 1e-3;

/// The nodes that are the root: of those that everything hangs on, down to the last that is moved. A node of which nothing moves
/// is the root where the format holds its place.
fn root(scene: &Scene, useful: &[bool], moves: &AllMotions<'_>, scale: f64, target: &Target) -> Vec<usize> {
    let mut children: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    for (i, node) in scene.nodes.iter().enumerate().filter(|(i, _)| useful.get(*i) == Some(&true)) {
        children.entry(node.parent.map(Id::index)).or_default().push(i);
    }
    let mut chain = Vec::new();
    let mut next = children.get(&None);
    while let Some(&[only]) = next.map(Vec::as_slice) {
        chain.push(only);
        let shows = scene.nodes.get(only).is_some_and(|node| node.mesh.is_some() && node.visible);
        next = children.get(&Some(only)).filter(|_| !shows);
    }
    let moved = chain.iter().rposition(|&node| moves.travel(node).is_some());
    let holds = |node: usize| {
        let place = moves.start(node).at * scale;
        target.form == Form::Free || place.distance(place.round()) <= WHOLE
    };
    let count = match (moved, chain.first()) {
        (Some(last), _) => last.saturating_add(1),
        (None, Some(&top)) if holds(top) => 1,
        _ => 0,
    };
    chain.truncate(count);
    chain
}

/// What the root takes of the way to the first bone, where no node is the root: whole units, which a pack holds exactly.
fn base(root: &[usize], joints: &[Joint], target: &Target) -> DVec3 {
    let first = joints.first().filter(|_| root.is_empty() && target.form == Form::Steps);
    let most = f64::from(i16::MAX);
    first.map_or(DVec3::ZERO, |joint| joint.offset.round().clamp(DVec3::splat(-most), DVec3::splat(most)))
}

fn joints(scene: &Scene, useful: &[bool], root: &[usize], moves: &AllMotions<'_>, scale: f64) -> Vec<Joint> {
    let root: BTreeSet<usize> = root.iter().copied().collect();
    let mut made: Vec<Joint> = Vec::new();
    let mut places: BTreeMap<usize, usize> = BTreeMap::new();
    for (i, node) in scene.nodes.iter().enumerate().filter(|(i, _)| useful.get(*i) == Some(&true)) {
        let shown = node.mesh.filter(|_| node.visible);
        let is_root = root.contains(&i);
        if is_root && shown.is_none() {
            continue;
        }
        places.insert(i, made.len());
        let shows = shown.into_iter().map(|mesh| (mesh, BonePlace::HERE)).collect();
        made.push(if is_root {
            Joint { node: i, parent: None, offset: DVec3::ZERO, before: None, shows }
        } else {
            let parent = node.parent.and_then(|parent| places.get(&parent.index()).copied());
            let offset = moves.start(i).at * scale;
            Joint { node: i, parent, offset, before: Some(DQuat::IDENTITY), shows }
        });
    }
    made
}

fn tell_moved(scene: &Scene, joints: &[Joint], moves: &AllMotions<'_>, target: &Target, report: &mut Report) {
    for joint in joints.iter().filter(|joint| joint.before.is_some()) {
        let Some(way) = moves.travel(joint.node) else { continue };
        let name = scene.nodes.get(joint.node).map_or("", |node| node.name.as_str());
        let path = Path::named("nodes").index(joint.node).field("translation");
        report.push(target.codes.translation.at(path).saying(format!("`{name}`, by up to {way:.5}")));
    }
}

/// The same with those that never turn as part of what they hang on.
fn merged(joints: &[Joint], moves: &AllMotions<'_>) -> Vec<Joint> {
    let mut made: Vec<Joint> = Vec::new();
    // For each joint the one that it became part of, and where on that it is.
    let mut became: Vec<(usize, BonePlace)> = Vec::new();
    for joint in joints {
        let above = joint.parent.and_then(|parent| became.get(parent).copied());
        let (parent, on) = above.map_or((None, BonePlace::HERE), |(parent, on)| (Some(parent), on));
        let offset = on.at + on.turn * joint.offset;
        let before = joint.before.map(|before| on.turn * before);
        let still = before.filter(|_| !moves.is_turned(joint.node));
        if let (Some(before), Some(target)) = (still, parent.and_then(|parent| made.get_mut(parent))) {
            let here = BonePlace { turn: before * moves.start(joint.node).turn, at: offset };
            target.shows.extend(joint.shows.iter().map(|&(mesh, place)| (mesh, here.then(place))));
            became.extend(above.map(|(parent, _)| (parent, here)));
        } else {
            became.push((made.len(), BonePlace::HERE));
            made.push(Joint { parent, offset, before, ..joint.clone() });
        }
    }
    made
}

/// How bones are put together.
struct Fit {
    form: Form,
    /// Places nearer to each other than this are one.
    least: f64,
}

/// How near to each other places are one, in sizes of the model.
const NEAR: f64 = 1e-6;

/// Bones for joints, with connectors to those that are not where the one before ends.
fn connected(joints: &[Joint], fit: &Fit) -> Vec<Bone> {
    let lengths = lengths(joints, fit);
    let mut bones: Vec<Bone> = Vec::new();
    let mut places: Vec<usize> = Vec::new();
    let mut connectors: BTreeMap<(Option<usize>, [u64; 3]), usize> = BTreeMap::new();
    for (joint, &length) in joints.iter().zip(&lengths) {
        let end = DVec3::Z * joint.parent.and_then(|parent| lengths.get(parent)).copied().unwrap_or(0.0);
        let mut parent = joint.parent.and_then(|parent| places.get(parent).copied());
        let mut before = joint.before;
        if joint.offset.distance(end) > fit.least {
            let turn = towards(joint.offset - end, fit.form);
            let key = (parent, joint.offset.to_array().map(f64::to_bits));
            let connector = *connectors.entry(key).or_insert(bones.len());
            if connector == bones.len() {
                let (length, turn) = (joint.offset.distance(end), Turn::Still(turn));
                bones.push(Bone { parent, length, node: joint.node, shows: Vec::new(), turn });
            }
            parent = Some(connector);
            before = before.map(|before| turn.conjugate() * before);
        }
        places.push(bones.len());
        let turn = before.map_or(Turn::Still(DQuat::IDENTITY), Turn::Node);
        bones.push(Bone { parent, length, node: joint.node, shows: joint.shows.clone(), turn });
    }
    bones
}

/// How long each bone is: as far as most of its children are away that lie on its axis, of equals the first.
fn lengths(joints: &[Joint], fit: &Fit) -> Vec<f64> {
    let mut counts: BTreeMap<(usize, u64), usize> = BTreeMap::new();
    let mut lengths = vec![(0.0, 0); joints.len()];
    let on_axis = |joint: &Joint| {
        let way = joint.offset.z.max(0.0);
        let is_there = joint.offset.distance(DVec3::Z * way) <= fit.least;
        joint.parent.filter(|_| is_there).map(|parent| (parent, way))
    };
    for (parent, way) in joints.iter().filter_map(on_axis) {
        let count = counts.entry((parent, way.to_bits())).or_default();
        *count = count.saturating_add(1);
    }
    for (parent, way) in joints.iter().filter_map(on_axis) {
        let count = counts.get(&(parent, way.to_bits())).copied().unwrap_or(0);
        if let Some(most) = lengths.get_mut(parent).filter(|(_, most)| count > *most) {
            *most = (way, count);
        }
    }
    lengths.into_iter().map(|(way, _)| way).collect()
}

/// The rotation of a bone that reaches this way, about Y and X of the game only; on the steps of a pack, if it has some.
fn towards(way: DVec3, form: Form) -> DQuat {
    let (x, y, z) = (way.x, -way.y, -way.z);
    let angles = [y.atan2(x.hypot(z)), (-x).atan2(-z)].map(f64::to_degrees);
    let [x, y] = match form {
        Form::Free => angles,
        Form::Steps => angles.map(|angle| degrees(from_degrees(angle).unwrap_or_default())),
    };
    let DQuat { x, y, z, w } = quaternion([x, y, 0.0]);
    DQuat::from_xyzw(x, -y, -z, w)
}
