//! How a scene stands, computed plainly and slowly in double precision.

use galvani_scene::{Clip, Curve, Interp, Looping, Primitive, Scene, Skin, Track};
use glam::{DMat3, DMat4, DQuat, DVec3};

/// A clip's own time: held at its end, or begun again behind it.
pub(crate) fn time_in(clip: &Clip, time: f64) -> f64 {
    let end = f64::from(clip.duration);
    if clip.looping == Looping::Wrap && time > end { time % end } else { time.clamp(0.0, end) }
}

/// A curve of any number of components, blended one by one.
pub(crate) fn vector<V, const N: usize>(curve: &Curve<V>, parts: fn(&V) -> [f32; N], time: f64) -> [f64; N] {
    let at = |value: &V| parts(value).map(f64::from);
    let Some((key, t)) = segment(&curve.times, time) else {
        return at(&curve.values[outside(&curve.times, time)]);
    };
    let (a, b) = (at(&curve.values[key]), at(&curve.values[key + 1]));
    std::array::from_fn(|i| {
        let tangent = |key: usize, side: usize| at(&curve.tangents[key][side])[i];
        match curve.interp {
            Interp::Step => a[i],
            Interp::Linear => a[i] * (1.0 - t) + b[i] * t,
            Interp::Hermite => {
                let (leaving, arriving) = (tangent(key, 1), tangent(key + 1, 0));
                let (t2, t3) = (t.powi(2), t.powi(3));
                (2.0 * t3 - 3.0 * t2 + 1.0) * a[i]
                    + (t3 - 2.0 * t2 + t) * leaving
                    + (t3 - t2) * arriving
                    + (3.0 * t2 - 2.0 * t3) * b[i]
            }
            Interp::Bezier => {
                let (leaving, arriving) = (tangent(key, 1), tangent(key + 1, 0));
                let r = 1.0 - t;
                r.powi(3) * a[i]
                    + 3.0 * r.powi(2) * t * leaving
                    + 3.0 * r * t.powi(2) * arriving
                    + t.powi(3) * b[i]
            }
        }
    })
}

pub(crate) fn rotation(curve: &Curve<glam::Quat>, time: f64) -> DQuat {
    let Some((key, t)) = segment(&curve.times, time) else {
        return curve.values[outside(&curve.times, time)].as_dquat();
    };
    let (a, b) = (curve.values[key].as_dquat(), curve.values[key + 1].as_dquat());
    match curve.interp {
        Interp::Step => a,
        Interp::Linear => slerp(a, b, t),
        Interp::Hermite | Interp::Bezier => {
            let (leaving, arriving) =
                (curve.tangents[key][1].as_dquat(), curve.tangents[key + 1][0].as_dquat());
            slerp(slerp(a, b, t), slerp(leaving, arriving, t), 2.0 * t * (1.0 - t))
        }
    }
}

pub(crate) fn slerp(a: DQuat, b: DQuat, t: f64) -> DQuat {
    // Keys of single precision are not quite of length 1, and a cosine has no digits for small angles.
    let (a, b) = (a.normalize(), b.normalize());
    let b = if a.dot(b) < 0.0 { -b } else { b };
    let angle = 2.0 * (a - b).length().atan2((a + b).length());
    if angle < 1e-12 {
        return a;
    }
    (a * ((1.0 - t) * angle).sin() + b * (t * angle).sin()) * (1.0 / angle.sin())
}

/// Between which keys a time lies, and where between them; nothing outside.
fn segment(times: &[f32], time: f64) -> Option<(usize, f64)> {
    let key = (0..times.len() - 1)
        .find(|&key| f64::from(times[key]) <= time && time < f64::from(times[key + 1]))?;
    let (a, b) = (f64::from(times[key]), f64::from(times[key + 1]));
    Some((key, (time - a) / (b - a)))
}

/// The key that holds outside.
fn outside(times: &[f32], time: f64) -> usize {
    if time < f64::from(times[0]) { 0 } else { times.len() - 1 }
}

/// The value of a curve that only steps.
pub(crate) fn step<V: Copy>(curve: &Curve<V>, time: f64) -> V {
    let passed = curve.times.iter().filter(|at| f64::from(**at) <= time).count();
    curve.values[passed.max(1) - 1]
}

/// The matrix of every node in the model's space.
pub(crate) fn models(scene: &Scene, clip: &Clip, time: f64) -> Vec<DMat4> {
    let time = time_in(clip, time);
    let mut models: Vec<DMat4> = Vec::new();
    for (i, node) in scene.nodes.iter().enumerate() {
        let (mut t, mut r, mut s) =
            (node.translation.as_dvec3(), node.rotation.as_dquat(), node.scale.as_dvec3());
        for track in clip.tracks.iter().filter(|track| track.node().is_some_and(|node| node.index() == i)) {
            match track {
                Track::Translation(_, curve) => {
                    t = DVec3::from_array(vector(curve, glam::Vec3::to_array, time));
                }
                Track::Rotation(_, curve) => r = rotation(curve, time),
                Track::Scale(_, curve) => s = DVec3::from_array(vector(curve, glam::Vec3::to_array, time)),
                _ => {}
            }
        }
        let local = DMat4::from_translation(t) * DMat4::from_mat3(DMat3::from_quat(r)) * DMat4::from_scale(s);
        models.push(node.parent.map_or(local, |parent| models[parent.index()] * local));
    }
    models
}

/// Where the vertices of a primitive are.
pub(crate) fn vertices(primitive: &Primitive, skin: &Skin, models: &[DMat4]) -> Vec<DVec3> {
    let influences: Vec<_> = primitive.influences.iter().collect();
    let vertex = |(i, position): (usize, &glam::Vec3)| {
        influences[i].iter().fold(DVec3::ZERO, |sum, pull| {
            let joint = &skin.joints[pull.joint];
            let bind = glam::Mat4::from(joint.inverse_bind).as_dmat4();
            let place = models[joint.node.index()] * bind * position.as_dvec3().extend(1.0);
            sum + place.truncate() * f64::from(pull.weight)
        })
    };
    primitive.positions.iter().enumerate().map(vertex).collect()
}

/// How stretched a surface may be at most for its normals to be told in single precision.
const STRETCHED: f64 = 100.0;

/// The normals of a primitive: each by the inverse of the transpose of what bends it; nothing where that is hardly there.
pub(crate) fn normals(primitive: &Primitive, skin: &Skin, models: &[DMat4]) -> Vec<Option<DVec3>> {
    let influences: Vec<_> = primitive.influences.iter().collect();
    let bent = |(i, normal): (usize, &glam::Vec3)| {
        let matrix = influences[i].iter().fold(DMat3::ZERO, |sum, pull| {
            let joint = &skin.joints[pull.joint];
            let bind = glam::Mat4::from(joint.inverse_bind).as_dmat4();
            sum + DMat3::from_mat4(models[joint.node.index()] * bind) * f64::from(pull.weight)
        });
        let size = |matrix: DMat3| matrix.to_cols_array().into_iter().map(f64::abs).fold(0.0, f64::max);
        let inverse = matrix.inverse();
        let is_there = size(matrix) * size(inverse) < STRETCHED;
        is_there.then(|| (inverse.transpose() * normal.as_dvec3()).normalize())
    };
    primitive.normals.iter().enumerate().map(bent).collect()
}
