//! Skins.

use std::collections::BTreeSet;

use galvani_scene::{Id, Influences, Joint, Primitive, Pull, Skin};
use glam::{Affine3A, Mat4};

use super::node::Tree;
use super::{From, Outcome};
use crate::document::check::{ATTRIBUTE, EMPTY, INDEX, JOINTS};
use crate::document::view::{Component, Shape};

/// Takes the skins that nodes of the scene wear.
pub(super) fn import(from: &mut From<'_, '_>, tree: &Tree) -> Outcome<()> {
    let worn: BTreeSet<Id<Skin>> = from.scene.nodes.iter().filter_map(|node| node.skin).collect();
    let mut skins = Vec::new();
    for id in &worn {
        skins.push(of_skin(from, tree, id.index())?);
    }
    from.scene.skins = skins;
    let numbers: Vec<Id<Skin>> = worn.into_iter().collect();
    for node in &mut from.scene.nodes {
        node.skin = node.skin.and_then(|skin| numbers.binary_search(&skin).ok()).map(Id::new);
    }
    bind(from)
}

fn of_skin(from: &From<'_, '_>, tree: &Tree, index: usize) -> Outcome<Skin> {
    let skins = &from.view.skins;
    let (path, value) = (skins.path(index), skins.value(index));
    let skin = skins.get(index).unwrap_or_default();
    let wrong = |code, field, said| Err(from.lists.wrong(code, path.field(field), value, said));
    if skin.joints.is_empty() {
        return wrong(&EMPTY, "joints", String::new());
    }
    let mut binds = match skin.inverse_bind_matrices {
        Some(list) => {
            let items = from.lists.get(list)?;
            if (items.shape(), items.component()) != (Shape::Mat4, Component::F32)
                || items.count() < skin.joints.len()
            {
                let said = format!(
                    "{} MAT4 wanted, {} {} found",
                    skin.joints.len(),
                    items.count(),
                    items.shape().word()
                );
                return wrong(&ATTRIBUTE, "inverseBindMatrices", said);
            }
            items.floats(from.meter, |row: [f32; 16]| Affine3A::from_mat4(Mat4::from_cols_array(&row)))?
        }
        None => Vec::new(),
    }
    .into_iter();
    let mut known = BTreeSet::new();
    let mut joints = Vec::new();
    for joint in &skin.joints {
        let Some(node) = tree.place(*joint) else {
            let said = format!("node {joint} is not in the scene");
            return wrong(&INDEX, "joints", said);
        };
        if !known.insert(node) {
            return wrong(&JOINTS, "joints", format!("node {joint} is a joint twice"));
        }
        joints.push(Joint { node, inverse_bind: binds.next().unwrap_or(Affine3A::IDENTITY) });
    }
    Ok(Skin { name: skin.name.clone().into_owned(), joints })
}

/// Holds every mesh that is worn against its skin; what nothing pulls at is held by the first joint.
fn bind(from: &mut From<'_, '_>) -> Outcome<()> {
    let pairs: BTreeSet<_> =
        from.scene.nodes.iter().filter_map(|node| Some((node.mesh?, node.skin?))).collect();
    for (mesh, skin) in pairs {
        let count = skin.find_in(&from.scene.skins).map_or(0, |skin| skin.joints.len());
        let Some(mesh) = from.scene.meshes.get_mut(mesh.index()) else { continue };
        for primitive in &mut mesh.primitives {
            let most = primitive.influences.pulls().iter().map(|pull| pull.joint).max().unwrap_or(0);
            if most >= count {
                let said = format!("joint {most} of {count}");
                let path = from.view.skins.path(skin.index());
                return Err(from.lists.wrong(&JOINTS, path, from.view.skins.value(skin.index()), said));
            }
            hold(primitive);
        }
    }
    Ok(())
}

fn hold(primitive: &mut Primitive) {
    if primitive.influences.is_empty() {
        let first = [Pull { joint: 0, weight: 1.0 }];
        primitive.influences = primitive.positions.iter().map(|_| first).collect::<Influences>();
    }
}
