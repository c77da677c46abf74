//! Cameras: nodes of their own that look from one place to another.

use galvani_core::{Path, text};
use galvani_scene::origin::EYE;
use galvani_scene::{Camera, Extras, Id, Node};
use glam::{Mat3, Quat, Vec3};
use zerocopy::little_endian::F32;

use super::{Lift, axes, facts, origin};
use crate::Content;

/// A camera in the scene.
#[derive(Debug, Clone, Copy)]
pub(super) struct Eye {
    pub(super) node: Id<Node>,
    /// Where its record stands.
    pub(super) path: Path,
    /// Where it is at rest, and what it looks at.
    pub(super) position: Vec3,
    pub(super) target: Vec3,
}

/// Adds every camera.
pub(super) fn all(lift: &mut Lift<'_>) -> Vec<Eye> {
    let document = lift.document;
    let mut eyes = Vec::new();
    for (_, first, chunk) in document.placed() {
        let Content::Cameras(rows) = &chunk.content else { continue };
        for (i, camera) in rows.typed() {
            let (fixed, is_still) = (&camera.fixed, camera.tracks.is_empty());
            let place = |place: [F32; 3]| axes(Vec3::from_array(place.map(F32::get)));
            let (position, target) = (place(fixed.position), place(fixed.target));
            let (node, name) = (Id::new(lift.scene.nodes.len()), text::shown(&fixed.name.0).into_owned());
            let number = first.saturating_add(i);
            let extras = Extras::from([
                ("target".to_owned(), facts::numbers(target.to_array())),
                (EYE.to_owned(), facts::whole(u32::try_from(number).unwrap_or(u32::MAX))),
            ]);
            let camera = Some(Id::new(lift.scene.cameras.len()));
            let rotation = looking(position, target, 0.0);
            lift.scene.nodes.push(Node {
                name: name.clone(),
                translation: position,
                rotation,
                camera,
                extras,
                ..Node::default()
            });
            lift.scene.cameras.push(Camera {
                name,
                fov_y: fixed.fov.get(),
                near: fixed.near_clip.get(),
                far: Some(fixed.far_clip.get()),
                extras: Extras::new(),
            });
            let path = Path::named("CAMS").index(number);
            origin::of_camera(lift, number, path, is_still);
            eyes.push(Eye { node, path, position, target });
        }
    }
    eyes
}

/// The turn of a camera that looks from a place to another and is rolled about that line.
pub(super) fn looking(from: Vec3, to: Vec3, roll: f32) -> Quat {
    let back = (from - to).normalize_or(Vec3::Z);
    // Whoever looks straight up or down has the right hand along x.
    let right = Vec3::Y.cross(back).normalize_or(Vec3::X);
    let turn = Quat::from_mat3(&Mat3::from_cols(right, back.cross(right), back));
    turn * Quat::from_rotation_z(if roll.is_finite() { roll } else { 0.0 })
}
