//! Nodes: each about its pivot, with what it carries.

use galvani_core::text;
use galvani_scene::{Extras, Fact, Id, Light, LightForm, Node, Socket, share};
use glam::{Quat, Vec3};

use super::{
    LOST_BILLBOARD, LOST_INHERITANCE, LOST_LIGHT, LOST_PARENT, LOST_PARTICLES, Lift, axes, facts, origin,
};
use crate::model::{AttachmentFixed, Block2};
use crate::sample::{Billboard, PropertyPart};
use crate::track::Shape;
use crate::{Content, Document, Inherit, model};

/// What a record has beyond its node.
#[derive(Default)]
struct Carried {
    extras: Extras,
    light: Option<Light>,
    /// Whether other models are put on it.
    is_socket: bool,
    /// Whether it throws particles or draws a band.
    throws: bool,
    /// Whether it is a light that a scene has no place for.
    is_dim: bool,
}

/// Adds every node, parents first.
pub(super) fn all(lift: &mut Lift<'_>) {
    let mut carried = carried(lift.document);
    lift.nodes = vec![Id::new(0); lift.placed.len()];
    lift.detached = detached(lift);
    for index in lift.rig.order().to_vec() {
        let carried = carried.get_mut(index).map(std::mem::take).unwrap_or_default();
        let id = Id::new(lift.scene.nodes.len());
        let Some(node) = node(lift, index, carried, id) else { continue };
        lift.scene.nodes.push(node);
        if let Some(place) = lift.nodes.get_mut(index) {
            *place = id;
        }
        origin::of_node(lift, index);
    }
}

fn node(lift: &mut Lift<'_>, index: usize, carried: Carried, id: Id<Node>) -> Option<Node> {
    let record = *lift.placed.get(index)?;
    let fixed = &record.node.fixed;
    let name = text::shown(&fixed.name.0).into_owned();
    let Carried { mut extras, light, is_socket, throws, is_dim } = carried;
    extras.insert("id".to_owned(), Fact::Int(fixed.object_id.get()));
    extras.insert("kind".to_owned(), Fact::Text(record.kind.word().to_owned()));
    extras.insert("flags".to_owned(), facts::whole(fixed.flags.get()));
    let path = record.path;
    let above = lift.rig.parent(index);
    if above.is_none() && fixed.parent_id.get() >= 0 {
        let said = format!("{name}: parent {}", fixed.parent_id.get());
        lift.report.push(LOST_PARENT.at(path.field("parent_id")).saying(said));
    }
    let parent = above.filter(|_| !lift.is_detached(index));
    if let Some(above) = above.filter(|_| parent.is_none()) {
        lift.report.push(LOST_INHERITANCE.at(path).saying(name.clone()));
        let id = lift.placed.get(above).map_or(-1, |above| above.node.fixed.object_id.get());
        extras.insert("parent".to_owned(), Fact::Int(id));
    }
    if lift.rig.billboard(index) != Some(Billboard::No) {
        lift.report.push(LOST_BILLBOARD.at(path).saying(name.clone()));
    }
    if throws {
        lift.report.push(LOST_PARTICLES.at(path).saying(name.clone()));
    }
    if is_dim {
        lift.report.push(LOST_LIGHT.at(path).saying(name.clone()));
    }
    if is_socket {
        lift.scene.sockets.push(Socket { name: name.clone(), node: id });
    }
    let light = light.map(|light| {
        lift.scene.lights.push(Light { name: name.clone(), ..light });
        Id::new(lift.scene.lights.len().saturating_sub(1))
    });
    let pivot = |node: usize| lift.rig.pivot(node).unwrap_or_default();
    Some(Node {
        name,
        parent: parent.and_then(|parent| lift.node_of(parent)),
        translation: axes(pivot(index) - parent.map_or(Vec3::ZERO, pivot)),
        rotation: Quat::IDENTITY,
        light,
        extras,
        ..Node::default()
    })
}

/// Which nodes cannot hang on their parents: those that do not take over everything from one, where something above them
/// moves.
fn detached(lift: &Lift<'_>) -> Vec<bool> {
    const ALL: Inherit = Inherit { translation: true, rotation: true, scaling: true };
    let moves = |node: usize| {
        let placed = lift.placed.get(node);
        placed.is_some_and(|placed| placed.node.tracks.iter().any(|track| !track.times.is_empty()))
    };
    let (mut detached, mut carried) = (vec![false; lift.placed.len()], vec![false; lift.placed.len()]);
    for &node in lift.rig.order() {
        let Some(above) = lift.rig.parent(node) else { continue };
        let is_carried = moves(above) || carried.get(above) == Some(&true);
        let takes_all = lift.rig.inherit(node) == Some(ALL);
        if let Some((carried, detached)) = carried.get_mut(node).zip(detached.get_mut(node)) {
            (*carried, *detached) = (is_carried, is_carried && !takes_all);
        }
    }
    detached
}

/// What a node counts that is baked as a whole: its place, its turn and its scale may each be off.
const DETACHED: usize = 3;

/// The part of the tolerance that each baked motion may take: of those that hang on one another, squads and whole nodes are.
pub(super) fn share_of_each(lift: &Lift<'_>) -> f32 {
    let mut counts = vec![0_usize; lift.placed.len()];
    for track in &lift.source.tracks {
        let is_squad = !matches!(track.shape, Shape::Step | Shape::Linear);
        let node = track.moves.filter(|(_, part)| *part == PropertyPart::Rotation && is_squad);
        if let Some(count) = node.and_then(|(node, _)| counts.get_mut(node)) {
            *count = 1;
        }
    }
    let own = |node: usize| {
        let baked = if lift.is_detached(node) { DETACHED } else { 0 };
        counts.get(node).copied().unwrap_or_default().saturating_add(baked)
    };
    let above = |node: usize| lift.rig.parent(node).and_then(|above| lift.node_of(above)).map(Id::index);
    share(lift.rig.order().iter().map(|&node| (above(node), own(node))))
}

/// What every record with a node has beyond it, in the order of [`Document::nodes`].
fn carried(document: &Document) -> Vec<Carried> {
    let mut all = Vec::new();
    for chunk in &document.chunks {
        match &chunk.content {
            Content::Bones(rows) => {
                all.extend(rows.typed().map(|(_, bone)| plain(facts::of_record(&bone.fixed))));
            }
            Content::Lights(rows) => all.extend(rows.typed().map(|(_, it)| light(it, document))),
            Content::Helpers(rows) => all.extend(rows.typed().map(|_| Carried::default())),
            Content::Attachments(rows) => all.extend(rows.typed().map(|(_, it)| attachment(it))),
            Content::Emitters(rows) => {
                all.extend(rows.typed().map(|(_, it)| thrower(facts::of_record(&it.fixed))));
            }
            Content::Emitters2(rows) => all.extend(rows.typed().map(|(_, it)| {
                thrower(match &it.block {
                    Block2::Warcraft(fixed) => facts::of_record(fixed.as_ref()),
                    Block2::Wow { fixed, .. } => facts::of_record(fixed.as_ref()),
                })
            })),
            Content::Popcorn(rows) => {
                all.extend(rows.typed().map(|(_, it)| thrower(facts::of_record(&*it.fixed))));
            }
            Content::Ribbons(rows) => {
                all.extend(rows.typed().map(|(_, it)| thrower(facts::of_record(&it.fixed))));
            }
            Content::Events(rows) => all.extend(rows.typed().map(|_| Carried::default())),
            Content::HitTests(rows) => {
                all.extend(rows.typed().map(|(_, it)| shape(it.kind.into(), &it.measures)));
            }
            Content::CollisionShapes(rows) => {
                all.extend(rows.typed().map(|(_, it)| shape(it.kind, &it.measures)));
            }
            _ => {}
        }
    }
    all
}

fn plain(extras: Extras) -> Carried {
    Carried { extras, ..Carried::default() }
}

fn thrower(extras: Extras) -> Carried {
    Carried { throws: true, ..plain(extras) }
}

fn attachment(of: &model::Attachment) -> Carried {
    let extras = match &of.fixed {
        AttachmentFixed::Warcraft(fixed) => facts::of_record(fixed),
        AttachmentFixed::Wow(fixed) => facts::of_record(fixed),
    };
    Carried { is_socket: true, ..plain(extras) }
}

fn shape(kind: u32, measures: &[zerocopy::little_endian::F32]) -> Carried {
    const SHAPES: [&str; 4] = ["box", "cylinder", "sphere", "plane"];
    let word = usize::try_from(kind).ok().and_then(|kind| SHAPES.get(kind)).copied().unwrap_or("unknown");
    plain(Extras::from([
        ("shape".to_owned(), Fact::Text(word.to_owned())),
        ("measures".to_owned(), facts::numbers(measures.iter().map(|measure| measure.get()))),
    ]))
}

/// A light; one that comes from everywhere at once is numbers only.
fn light(of: &model::Light, document: &Document) -> Carried {
    let fixed = &of.fixed;
    let mut extras = facts::of_record(fixed);
    // A word of the node's own says the kind.
    extras.remove("kind");
    extras.insert("light".to_owned(), facts::whole(fixed.kind.get()));
    let form = match fixed.kind.get() {
        0 => LightForm::Point,
        1 => LightForm::Directional,
        _ => return Carried { is_dim: true, ..plain(extras) },
    };
    let range = Some(fixed.attenuation_end.get()).filter(|end| *end > 0.0 && end.is_finite());
    let light = Light {
        name: String::new(),
        form,
        color: facts::color(fixed.color, document.family()),
        intensity: fixed.intensity.get(),
        range,
        extras: Extras::new(),
    };
    Carried { light: Some(light), ..plain(extras) }
}
