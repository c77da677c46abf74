//! Nodes: those of the scene that is shown, parents before children.

use galvani_core::{Path, room};
use galvani_scene::check::is_unit;
use galvani_scene::{Id, Mesh, Node, Socket};
use glam::{Quat, Vec3};

use super::{From, NEAREST, Outcome, kept, look};
use crate::document::check::{INDEX, TREE};
use crate::document::view::{self, At};
use crate::document::{Data, JsonValue, matrix};
use crate::names;

/// The nodes of a scene and where each comes from.
pub(super) struct Tree {
    /// For each node of the scene its number in the file.
    pub(super) order: Vec<usize>,
    /// For each node of the file its place in the scene.
    pub(super) places: Vec<Option<Id<Node>>>,
}

/// The parents of all nodes of a file; a node that hangs on several or on itself is refused.
pub(super) fn parents(data: &Data<'_>) -> Outcome<Vec<Option<usize>>> {
    let nodes = &data.view().nodes;
    let wrong = |node: usize, said: String| data.wrong(&TREE, nodes.path(node), nodes.value(node), said);
    let mut parents: Vec<Option<usize>> = room::filled(None, nodes.len())?;
    for (i, node) in nodes.iter().enumerate() {
        for &child in &node.children {
            let Some(parent) = parents.get_mut(child) else {
                let said = format!("{child} of {}", nodes.len());
                return Err(data.wrong(&INDEX, nodes.path(i).field("children"), nodes.value(i), said));
            };
            if let Some(first) = parent.replace(i) {
                return Err(wrong(i, format!("node {child} hangs on {first} and on {i}")));
            }
        }
    }
    Ok(parents)
}

/// What is known of a node while they are put in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Elsewhere,
    Shown,
    /// What stands above it comes first.
    Waiting,
    Placed,
}

/// Those below some nodes of the file, these included, parents before children and otherwise as they come.
pub(super) fn below(data: &Data<'_>, roots: &[usize], parents: &[Option<usize>]) -> Outcome<Vec<usize>> {
    let nodes = &data.view().nodes;
    let mut states = room::filled(State::Elsewhere, nodes.len())?;
    let mut waiting = room::copied(roots)?;
    while let Some(node) = waiting.pop() {
        let Some(state) = states.get_mut(node) else {
            let said = format!("{node} of {}", nodes.len());
            return Err(data.wrong(&INDEX, Path::named("scenes").field("nodes"), None, said));
        };
        if std::mem::replace(state, State::Shown) == State::Elsewhere {
            room::append(&mut waiting, &nodes.get(node).unwrap_or_default().children)?;
        }
    }
    let (mut order, mut chain) = (Vec::new(), Vec::new());
    for start in 0..nodes.len() {
        let mut at = Some(start);
        while let Some(node) = at {
            let Some(state) = states.get_mut(node) else { break };
            match state {
                State::Shown => *state = State::Waiting,
                State::Waiting => {
                    let said = "it hangs on itself".to_owned();
                    return Err(data.wrong(&TREE, nodes.path(node), nodes.value(node), said));
                }
                State::Elsewhere | State::Placed => break,
            }
            room::push(&mut chain, node)?;
            at = parents.get(node).copied().flatten();
        }
        while let Some(node) = chain.pop() {
            room::push(&mut order, node)?;
            if let Some(state) = states.get_mut(node) {
                *state = State::Placed;
            }
        }
    }
    Ok(order)
}

/// Takes the nodes of the scene that is shown; without any scene, all of them.
pub(super) fn import(from: &mut From<'_, '_>, meshes: &[Option<Id<Mesh>>]) -> Outcome<Tree> {
    let view = from.view;
    let parents = parents(from.lists.data)?;
    let shown = view.scenes.get(view.scene.unwrap_or(0));
    let roots = match &shown {
        Some(scene) => room::copied(&scene.nodes)?,
        None => room::collected((0..view.nodes.len()).filter(|node| parents.get(*node) == Some(&None)))?,
    };
    let order = below(from.lists.data, &roots, &parents)?;
    let mut places: Vec<Option<Id<Node>>> = room::filled(None, view.nodes.len())?;
    for (i, node) in order.iter().enumerate() {
        if let Some(place) = places.get_mut(*node) {
            *place = Some(Id::new(i));
        }
    }
    let tree = Tree { order, places };
    for index in &tree.order {
        let parent = parents.get(*index).copied().flatten();
        let parent = parent.and_then(|parent| tree.places.get(parent).copied().flatten());
        let node = of_node(from, *index, parent, meshes)?;
        from.scene.nodes.push(node);
    }
    if let Some(scene) = shown {
        from.scene.name = scene.name.clone().into_owned();
        from.scene.extras = kept::facts(scene.extras, &[]);
    }
    Ok(tree)
}

/// Names in our own extras that are no facts of a node.
const NAMES: [&str; 2] = ["name", "socket"];

fn of_node(
    from: &mut From<'_, '_>,
    index: usize,
    parent: Option<Id<Node>>,
    meshes: &[Option<Id<Mesh>>],
) -> Outcome<Node> {
    let view = from.view;
    let at = view.nodes.at(index);
    let node = view.nodes.get(index).unwrap_or_default();
    let (translation, rotation, scale) = place(from, &node, at);
    let id = Id::new(from.scene.nodes.len());
    let sockets = kept::scalar(node.extras, "socket").and_then(JsonValue::text).unwrap_or_default();
    let sockets = sockets.split(", ").filter(|name| !name.is_empty());
    from.scene.sockets.extend(sockets.map(|name| Socket { name: name.to_owned(), node: id }));
    let within = |index: Option<usize>, count: usize, name: &'static str| match index {
        Some(index) if index >= count => {
            let said = format!("{index} of {count}");
            Err(from.lists.wrong(&INDEX, at.path().field(name), at.value(), said))
        }
        index => Ok(index),
    };
    let mesh = within(node.mesh, view.meshes.len(), "mesh")?;
    let mesh = mesh.and_then(|mesh| meshes.get(mesh).copied().flatten());
    let skin = within(node.skin, view.skins.len(), "skin")?;
    let camera = within(node.camera, view.cameras.len(), "camera")?;
    let light = node.extensions.light.as_ref().and_then(|light| light.light);
    let light = within(light, from.scene.lights.len(), "light")?;
    // The whole name counts as long as nobody has given it another.
    let whole = kept::scalar(node.extras, "name").and_then(JsonValue::text);
    let whole = whole.filter(|whole| names::is_given(&node.name, whole));
    let name = whole.unwrap_or_else(|| node.name.clone());
    Ok(Node {
        name: name.into_owned(),
        parent,
        translation,
        rotation,
        scale,
        visible: node.extensions.visibility.as_ref().is_none_or(|visibility| visibility.visible),
        mesh,
        skin: skin.map(Id::new).filter(|_| mesh.is_some()),
        light: light.map(Id::new),
        camera: camera.filter(|camera| look::is_camera(view, *camera)).map(Id::new),
        extras: kept::facts(node.extras, &NAMES),
    })
}

/// Where a node is at rest.
fn place(from: &mut From<'_, '_>, node: &view::Node<'_>, at: At<'_, '_>) -> (Vec3, Quat, Vec3) {
    if let Some(columns) = &node.matrix {
        return matrix::taken_apart(columns).unwrap_or_else(|| {
            from.note(&NEAREST, at.path().field("matrix"), at.value(), format!("{columns:?}"));
            matrix::nearest(columns)
        });
    }
    (
        node.translation.map_or(Vec3::ZERO, Vec3::from_array),
        unit(node.rotation.unwrap_or(Quat::IDENTITY)),
        node.scale.map_or(Vec3::ONE, Vec3::from_array),
    )
}

/// A turn of length 1.
pub(super) fn unit(turn: Quat) -> Quat {
    if is_unit(turn.to_array()) {
        return turn;
    }
    let made = turn.normalize();
    if made.is_finite() { made } else { Quat::IDENTITY }
}

impl Tree {
    /// The place of a node of the file.
    pub(super) fn place(&self, node: usize) -> Option<Id<Node>> {
        self.places.get(node).copied().flatten()
    }
}
