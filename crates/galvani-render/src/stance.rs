//! How a scene stands at a time, reckoned the same on every machine.
//!
//! [`galvani_scene::Sampler`] asks the platform for sines, whose last bit is everybody's own, and its vectors add in the order that
//! the processor likes. A picture must not depend on either.

use galvani_scene::{Clip, Curve, Id, Interp, Scene, SceneImage, Track, UvTransform};
use glam::{DAffine3, DQuat, Quat, Vec2, Vec4};

/// How a scene stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Stance {
    /// The place of each node in the model.
    pub(crate) models: Vec<DAffine3>,
    /// Whether what it shows is seen.
    pub(crate) visible: Vec<bool>,
    /// The base colour of each material.
    pub(crate) colors: Vec<Vec4>,
    /// The picture of its texture.
    pub(crate) images: Vec<Option<Id<SceneImage>>>,
    /// What is done to the coordinates of its texture.
    pub(crate) uvs: Vec<UvMatrix>,
}

/// What is done to texture coordinates: what becomes of u, of v, and what is added.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct UvMatrix {
    u: Vec2,
    v: Vec2,
    offset: Vec2,
}

impl UvMatrix {
    pub(crate) fn new(uv: &UvTransform) -> Self {
        let (sin, cos) = match uv.rotation {
            0.0 => (0.0, 1.0),
            angle => {
                let (sin, cos) = libm::sincos(f64::from(angle));
                (sin as f32, cos as f32)
            }
        };
        let (u, v) = (Vec2::new(cos, -sin) * uv.scale.x, Vec2::new(sin, cos) * uv.scale.y);
        UvMatrix { u, v, offset: uv.offset }
    }

    pub(crate) fn apply(&self, uv: Vec2) -> Vec2 {
        self.u * uv.x + self.v * uv.y + self.offset
    }
}

/// Where a node is in its parent's space.
#[derive(Clone, Copy)]
struct Local {
    translation: glam::Vec3,
    rotation: DQuat,
    scale: glam::Vec3,
}

impl Stance {
    /// A scene at rest.
    pub fn at_rest(scene: &Scene) -> Self {
        Stance::new(scene, None)
    }

    /// A scene at a time of a clip of its own, in seconds.
    pub fn at(scene: &Scene, clip: &Clip, time: f32) -> Self {
        Stance::new(scene, Some((clip, clip.time(time))))
    }

    fn new(scene: &Scene, moment: Option<(&Clip, f32)>) -> Self {
        let local = |node: &galvani_scene::Node| Local {
            translation: node.translation,
            rotation: wide(node.rotation),
            scale: node.scale,
        };
        let mut locals: Vec<Local> = scene.nodes.iter().map(local).collect();
        let mut uvs: Vec<UvTransform> = scene
            .materials
            .iter()
            .map(|material| material.texture.as_ref().map(|texture| texture.transform).unwrap_or_default())
            .collect();
        let images = scene.materials.iter();
        let mut stance = Stance {
            models: Vec::with_capacity(locals.len()),
            visible: scene.nodes.iter().map(|node| node.visible).collect(),
            colors: scene.materials.iter().map(|material| material.base_color).collect(),
            images: images.map(|it| it.texture.as_ref().map(|texture| texture.image)).collect(),
            uvs: Vec::new(),
        };
        if let Some((clip, time)) = moment {
            clip.tracks.iter().for_each(|track| stance.follow(track, time, &mut locals, &mut uvs));
        }
        stance.uvs = uvs.iter().map(UvMatrix::new).collect();
        for (i, (node, local)) in scene.nodes.iter().zip(&locals).enumerate() {
            let (scale, translation) = (local.scale.as_dvec3(), local.translation.as_dvec3());
            let own = DAffine3::from_scale_rotation_translation(scale, local.rotation, translation);
            let parent = node.parent.filter(|parent| parent.index() < i);
            let model = parent.map_or(own, |parent| stance.models[parent.index()] * own);
            stance.models.push(model);
        }
        stance
    }

    /// Puts what a track says at a time in its place.
    fn follow(&mut self, track: &Track, time: f32, locals: &mut [Local], uvs: &mut [UvTransform]) {
        match track {
            Track::Translation(node, curve) => {
                change(locals, *node, curve.at(time), |local, place| local.translation = place);
            }
            Track::Rotation(node, curve) => {
                change(locals, *node, turn(curve, time), |local, turn| local.rotation = turn);
            }
            Track::Scale(node, curve) => {
                change(locals, *node, curve.at(time), |local, scale| local.scale = scale);
            }
            Track::Visibility(node, curve) => {
                change(&mut self.visible, *node, curve.at(time), |visible, is_seen| *visible = is_seen);
            }
            Track::Color(material, curve) => {
                change(&mut self.colors, *material, curve.at(time), |own, color| {
                    *own = color.extend(own.w);
                });
            }
            Track::Alpha(material, curve) => {
                change(&mut self.colors, *material, curve.at(time), |own, alpha| own.w = alpha);
            }
            Track::Texture(material, curve) => {
                change(&mut self.images, *material, curve.at(time), |own, image| *own = image);
            }
            Track::UvOffset(material, curve) => {
                change(uvs, *material, curve.at(time), |uv, offset| uv.offset = offset);
            }
            Track::UvRotation(material, curve) => {
                change(uvs, *material, curve.at(time), |uv, angle| uv.rotation = angle);
            }
            Track::UvScale(material, curve) => {
                change(uvs, *material, curve.at(time), |uv, scale| uv.scale = scale);
            }
        }
    }
}

/// Changes one of a list, if it is there and there is something to change it to.
fn change<T, I, V>(list: &mut [T], id: Id<I>, value: Option<V>, act: impl FnOnce(&mut T, V)) {
    if let Some((own, value)) = list.get_mut(id.index()).zip(value) {
        act(own, value);
    }
}

fn wide(turn: Quat) -> DQuat {
    let [x, y, z, w] = turn.to_array().map(f64::from);
    DQuat::from_xyzw(x, y, z, w)
}

/// A rotation at a time, as [`Curve::at`] has it but for the last bits.
fn turn(curve: &Curve<Quat>, time: f32) -> Option<DQuat> {
    let last = curve.times.len().min(curve.values.len()).checked_sub(1)?;
    let value = |key: usize| wide(curve.values[key]);
    let Some(key) = curve.times[..=last].partition_point(|at| *at <= time).checked_sub(1) else {
        return Some(value(0));
    };
    if key == last || curve.interp == Interp::Step {
        return Some(value(key));
    }
    let (from, to) = (f64::from(curve.times[key]), f64::from(curve.times[key + 1]));
    let part = (f64::from(time) - from) / (to - from);
    let outer = slerp(value(key), value(key + 1), part);
    let tangents = curve.tangents.get(key).zip(curve.tangents.get(key + 1));
    match tangents.filter(|_| curve.interp.has_tangents()) {
        Some((&[_, leaving], &[arriving, _])) => {
            let inner = slerp(wide(leaving), wide(arriving), part);
            Some(slerp(outer, inner, 2.0 * part * (1.0 - part)))
        }
        None => Some(outer),
    }
}

/// The sine of an arc below which its ends are blended in a straight line.
const NEAR: f64 = 1e-6;

/// A part of the way from one to another by the shorter arc.
fn slerp(a: DQuat, b: DQuat, part: f64) -> DQuat {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    let arc = 2.0 * libm::atan2((a - b).length(), (a + b).length());
    let sine = libm::sin(arc);
    if sine < NEAR {
        return a * (1.0 - part) + b * part;
    }
    a * (libm::sin((1.0 - part) * arc) / sine) + b * (libm::sin(part * arc) / sine)
}
