//! Nodes that our own export adds, undone: what they carry goes back to where it came from.
//!
//! Rigid parts that are hidden sometimes hang on a child that is scaled; skinned ones on joints of their own, below one
//! that is scaled; skinned meshes stand at the top. Each is told by `galvani_made`, and by its name from whom it is.

use std::collections::{BTreeMap, BTreeSet};

use galvani_scene::{Clip, Curve, Fact, Id, Node, Scene, Skin, Track};
use glam::Vec3;

/// From this size on something is seen: it is 1 or 0, and other programs round.
const SEEN: f32 = 0.5;

/// How many that are alike are looked at: of one name, or of the same joints.
const MOST_ALIKE: usize = 16;

/// Undoes what can be undone; `nodes` are the numbers of the scene's nodes in the file.
pub(super) fn undo(scene: &mut Scene, nodes: &mut Vec<usize>) {
    if !scene.nodes.iter().any(is_made) {
        return;
    }
    let mut undone = Undone::default();
    undone.find_joints(scene);
    undone.hand_back(scene);
    undone.find_roots(scene);
    undone.apply(scene);
    let kept = undone.kept(scene.nodes.len());
    compact(scene, &kept, &undone);
    let mut is_kept = kept.iter().map(Option::is_some);
    nodes.retain(|_| is_kept.next().unwrap_or(true));
    merge_skins(scene);
}

fn is_made(node: &Node) -> bool {
    node.extras.get("made") == Some(&Fact::Flag(true))
}

/// What becomes of nodes that are undone.
#[derive(Debug, Default)]
struct Undone {
    /// Nodes that go, and what stands in for each where something hangs on it; nothing, if it stood at the top.
    gone: BTreeMap<usize, Option<usize>>,
    /// Nodes whose size says whether others are seen.
    sizes: BTreeMap<usize, Vec<usize>>,
}

impl Undone {
    /// Joints of hidden skinned meshes: the one that is scaled, and copies of others below it.
    fn find_joints(&mut self, scene: &Scene) {
        let mut names: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (i, node) in scene.nodes.iter().enumerate() {
            names.entry(&node.name).or_default().push(i);
        }
        let (children, originals) = (children(scene), originals(scene));
        let shown = shown_nodes(scene);
        for (i, node) in scene.nodes.iter().enumerate().filter(|(_, node)| is_made(node)) {
            let Some(owner) = node.name.strip_suffix("_shown").filter(|_| !shown.contains(&i)) else {
                continue;
            };
            let Some(owners) = names.get(owner) else { continue };
            let carrier = format!("{owner}_mesh");
            let is_worn = |node: &&usize| scene.nodes.get(**node).is_some_and(|node| node.skin.is_some());
            let has_carrier = names
                .get(carrier.as_str())
                .is_some_and(|nodes| nodes.iter().take(MOST_ALIKE).any(|it| is_worn(&it)));
            let first = owners
                .iter()
                .take(MOST_ALIKE)
                .find(is_worn)
                .or_else(|| owners.first().filter(|_| has_carrier));
            let Some(&first) = first else { continue };
            let mut group = BTreeMap::from([(i, node.parent.map(Id::index))]);
            if copies(scene, &children, &originals, i, owner, &mut group) {
                self.gone.extend(group);
                self.sizes.insert(i, vec![first]);
            }
        }
    }

    /// Nodes that only carry what another shows, the last first: one may carry for one that carries.
    fn hand_back(&mut self, scene: &mut Scene) {
        let mut shown = shown_nodes(scene);
        let mut empty_handed = empty_handed(scene);
        let below = children(scene);
        let names: BTreeSet<String> = scene.nodes.iter().map(|node| node.name.clone()).collect();
        let joints: BTreeSet<usize> = joints(scene).collect();
        for i in (0..scene.nodes.len()).rev() {
            let Some(node) = scene.nodes.get(i).filter(|node| is_made(node) && !self.gone.contains_key(&i))
            else {
                continue;
            };
            let parent = node.parent.map(Id::index);
            let above = parent.and_then(|parent| scene.nodes.get(parent)).map(|node| node.name.as_str());
            let is_below = |suffix: &str| {
                let owner = node.name.strip_suffix(suffix).filter(|_| above.is_some());
                // One that nobody is called any more was renamed.
                let is_renamed = |owner: &str| !names.contains(owner) && !joints.contains(&i);
                owner.is_some_and(|owner| Some(owner) == above || is_renamed(owner))
            };
            // What it showed may be nothing that the file could say: a light, say.
            if !shown.contains(&i) && !is_below("_shown") {
                continue;
            }
            let owner = if is_below("_shown") || is_below("_LOD0") {
                parent
            } else {
                let owner = node.name.strip_suffix("_mesh").filter(|_| parent.is_none());
                owner.and_then(|owner| empty_handed.get_mut(owner)?.pop_first())
            };
            let Some(owner) = owner else { continue };
            if is_below("_shown") {
                // Others may have hung what it shows on nodes below it.
                let mut owners = vec![owner];
                owners.extend(all_below(&below, i).filter(|node| shown.contains(node)));
                self.sizes.insert(i, owners);
            }
            self.gone.insert(i, Some(owner));
            shown.insert(owner);
            give(scene, i, owner);
        }
    }

    /// Nodes that only carry all others.
    fn find_roots(&mut self, scene: &Scene) {
        let name = format!("{}_root", scene.name);
        for (i, node) in scene.nodes.iter().enumerate() {
            let is_bare = node.mesh.is_none() && node.parent.is_none() && node.name.starts_with(&name);
            if is_made(node) && is_bare {
                self.gone.entry(i).or_insert(None);
            }
        }
    }

    /// What stands in for a node in the end.
    fn instead(&self, mut node: usize) -> Option<usize> {
        // Each stands before what it stands in for, or the chain is no longer than all that are gone.
        for _ in 0..=self.gone.len() {
            match self.gone.get(&node) {
                None => return Some(node),
                Some(next) => node = (*next)?,
            }
        }
        None
    }

    /// Sizes as visibility, at rest and in clips.
    fn apply(&self, scene: &mut Scene) {
        for (&sized, owners) in &self.sizes {
            let is_seen = scene.nodes.get(sized).is_none_or(|node| is_seen(node.scale) && node.visible);
            for owner in owners.iter().filter_map(|owner| self.instead(*owner)) {
                if let Some(node) = scene.nodes.get_mut(owner) {
                    node.visible &= is_seen;
                }
            }
        }
        let rest: Vec<bool> = scene.nodes.iter().map(|node| node.visible).collect();
        for clip in &mut scene.clips {
            self.retrack(clip, &rest);
        }
    }

    fn retrack(&self, clip: &mut Clip, rest: &[bool]) {
        let mut seen: BTreeMap<usize, Curve<bool>> = BTreeMap::new();
        let mut kept = Vec::new();
        for track in std::mem::take(&mut clip.tracks) {
            let Some(node) = track.node().map(Id::index).filter(|node| self.gone.contains_key(node)) else {
                kept.push(track);
                continue;
            };
            match track {
                Track::Scale(_, curve) => {
                    let owners = self.sizes.get(&node).map_or(&[][..], Vec::as_slice);
                    let curve = visibility(curve);
                    for owner in owners.iter().filter_map(|owner| self.instead(*owner)) {
                        seen.entry(owner).or_insert_with(|| curve.clone());
                    }
                }
                Track::Visibility(_, curve) => {
                    if let Some(owner) = self.instead(node) {
                        seen.entry(owner).or_insert(curve);
                    }
                }
                _ => {}
            }
        }
        let told: BTreeSet<usize> = kept
            .iter()
            .filter(|track| matches!(track, Track::Visibility(..)))
            .filter_map(|track| track.node().map(Id::index))
            .collect();
        for (owner, curve) in seen {
            // What never changes from what it is at rest was only written for players that forget that.
            let is_still = rest.get(owner).is_some_and(|rest| curve.values.iter().all(|value| value == rest));
            if !is_still && !told.contains(&owner) {
                kept.push(Track::Visibility(Id::new(owner), curve));
            }
        }
        clip.tracks = kept;
    }

    /// For each node its place without those that are gone.
    fn kept(&self, count: usize) -> Vec<Option<usize>> {
        let mut next = 0_usize;
        (0..count)
            .map(|node| {
                let place = (!self.gone.contains_key(&node)).then_some(next);
                next = next.saturating_add(usize::from(place.is_some()));
                place
            })
            .collect()
    }
}

/// What hangs on each node, and what on none.
type Children = BTreeMap<Option<usize>, Vec<usize>>;

fn children(scene: &Scene) -> Children {
    let mut children = Children::new();
    for (i, node) in scene.nodes.iter().enumerate() {
        children.entry(node.parent.map(Id::index)).or_default().push(i);
    }
    children
}

/// Everything below a node.
fn all_below(children: &Children, node: usize) -> impl Iterator<Item = usize> {
    let of = |node: usize| children.get(&Some(node)).map_or(&[][..], Vec::as_slice);
    let mut waiting = of(node).to_vec();
    std::iter::from_fn(move || {
        let next = waiting.pop()?;
        waiting.extend(of(next));
        Some(next)
    })
}

/// Nodes that show a mesh or a light in any state.
/// Nodes that pull at vertices.
fn joints(scene: &Scene) -> impl Iterator<Item = usize> {
    scene.skins.iter().flat_map(|skin| skin.joints.iter().map(|joint| joint.node.index()))
}

fn shown_nodes(scene: &Scene) -> BTreeSet<usize> {
    let own = scene.nodes.iter().enumerate().filter(|(_, node)| node.mesh.is_some() || node.light.is_some());
    let others = scene.variants.iter().flat_map(|variant| &variant.shows).map(|(node, _)| node.index());
    own.map(|(i, _)| i).chain(others).collect()
}

/// Nodes of nobody's making, by what they hang on and their names.
type Originals<'s> = BTreeMap<(Option<usize>, &'s str), Vec<usize>>;

fn originals(scene: &Scene) -> Originals<'_> {
    let mut originals = Originals::new();
    for (i, node) in scene.nodes.iter().enumerate().filter(|(_, node)| !is_made(node)) {
        originals.entry((node.parent.map(Id::index), node.name.as_str())).or_default().push(i);
    }
    originals
}

/// Finds what each copy below a node is a copy of; whether all are found.
fn copies(
    scene: &Scene,
    children: &Children,
    originals: &Originals<'_>,
    top: usize,
    owner: &str,
    group: &mut BTreeMap<usize, Option<usize>>,
) -> bool {
    let suffix = format!("_of_{owner}");
    let mut taken = BTreeSet::new();
    let mut waiting = vec![top];
    while let Some(node) = waiting.pop() {
        let above = group.get(&node).copied().flatten();
        for &child in children.get(&Some(node)).map_or(&[][..], Vec::as_slice) {
            let Some(copy) = scene.nodes.get(child).filter(|copy| is_made(copy)) else { continue };
            let Some(name) = copy.name.strip_suffix(&suffix) else { return false };
            let alike = originals.get(&(above, name)).map_or(&[][..], Vec::as_slice);
            let found = alike.iter().take(MOST_ALIKE).find(|it| taken.insert(**it));
            let Some(&original) = found else { return false };
            group.insert(child, Some(original));
            waiting.push(child);
        }
    }
    true
}

/// Nodes that show nothing, by name.
fn empty_handed(scene: &Scene) -> BTreeMap<String, BTreeSet<usize>> {
    let mut names: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (i, node) in scene.nodes.iter().enumerate().filter(|(_, node)| node.mesh.is_none()) {
        names.entry(node.name.clone()).or_default().insert(i);
    }
    names
}

/// Gives what a node shows to another.
fn give(scene: &mut Scene, from: usize, to: usize) {
    let Some(node) = scene.nodes.get_mut(from) else { return };
    let (mesh, skin, light, visible) = (node.mesh.take(), node.skin.take(), node.light.take(), node.visible);
    if let Some(owner) = scene.nodes.get_mut(to) {
        owner.mesh = mesh.or(owner.mesh);
        owner.skin = skin.or(owner.skin);
        owner.light = light.or(owner.light);
        owner.visible &= visible;
    }
    for (node, _) in scene.variants.iter_mut().flat_map(|variant| &mut variant.shows) {
        if *node == Id::new(from) {
            *node = Id::new(to);
        }
    }
}

fn is_seen(size: Vec3) -> bool {
    size.abs().max_element() > SEEN
}

fn visibility(curve: Curve<Vec3>) -> Curve<bool> {
    Curve::step(curve.times, curve.values.into_iter().map(is_seen).collect())
}

/// Takes out what is gone; whatever names it means what stands in for it.
fn compact(scene: &mut Scene, kept: &[Option<usize>], undone: &Undone) {
    let place = |node: Id<Node>| -> Option<Id<Node>> {
        undone.instead(node.index()).and_then(|node| kept.get(node).copied().flatten()).map(Id::new)
    };
    for node in &mut scene.nodes {
        node.parent = node.parent.and_then(place);
    }
    for joint in scene.skins.iter_mut().flat_map(|skin| &mut skin.joints) {
        joint.node = place(joint.node).unwrap_or(Id::new(0));
    }
    scene.sockets.retain_mut(|socket| place(socket.node).map(|node| socket.node = node).is_some());
    for variant in &mut scene.variants {
        variant.shows.retain_mut(|(node, _)| place(*node).map(|to| *node = to).is_some());
        let mut named = BTreeSet::new();
        variant.shows.retain(|(node, _)| named.insert(*node));
    }
    for clip in &mut scene.clips {
        for track in &mut clip.tracks {
            if let Some(node) = track.node().and_then(place) {
                *track = track.clone().on(node);
            }
        }
    }
    let mut is_kept = kept.iter().map(Option::is_some);
    scene.nodes.retain(|_| is_kept.next().unwrap_or(true));
}

/// Skins that say the same are one.
fn merge_skins(scene: &mut Scene) {
    let mut skins: Vec<Skin> = Vec::new();
    let mut alike: BTreeMap<(String, Vec<Id<Node>>), Vec<usize>> = BTreeMap::new();
    let mut places = Vec::new();
    for skin in std::mem::take(&mut scene.skins) {
        let key = (skin.name.clone(), skin.joints.iter().map(|joint| joint.node).collect());
        let others = alike.entry(key).or_default();
        // Those that differ in how they are bound only are few.
        let known = others.iter().take(MOST_ALIKE).find(|other| skins.get(**other) == Some(&skin)).copied();
        places.push(Id::new(known.unwrap_or(skins.len())));
        if known.is_none() {
            others.push(skins.len());
            skins.push(skin);
        }
    }
    for node in &mut scene.nodes {
        node.skin = node.skin.and_then(|skin| places.get(skin.index()).copied());
    }
    scene.skins = skins;
}
