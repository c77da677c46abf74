//! Scenes of every kind, generated. Also used by the tests of glTF.

use galvani_scene::{
    Clip, Curve, Id, Image, Influences, Interp, Joint, Looping, Material, Matrices, Mesh, Moment, Node,
    Primitive, Pull, Scene, SceneImage, Skin, Texture, Track, to_model,
};
use glam::{Quat, Vec2, Vec3, Vec4};
use proptest::collection::vec;
use proptest::prelude::*;

/// How many materials and images every scene has.
const LOOKS: usize = 2;

pub(crate) fn scenes() -> impl Strategy<Value = Scene> {
    (vec(any::<prop::sample::Index>(), 0..7), any::<bool>()).prop_flat_map(|(parents, several_roots)| {
        let count = parents.len() + 1;
        let parents: Vec<Option<usize>> = std::iter::once(None)
            .chain(parents.iter().enumerate().map(|(i, index)| Some(index.index(i + 1))))
            .enumerate()
            .map(|(i, parent)| parent.filter(|_| i != 3 || !several_roots))
            .collect();
        let nodes: Vec<_> = parents.into_iter().enumerate().map(|(i, parent)| node(i, parent)).collect();
        (nodes, vec(shape(count), 1..4), vec(clip(count), 1..3)).prop_map(assembled)
    })
}

fn assembled((nodes, shapes, clips): (Vec<Node>, Vec<Shape>, Vec<Clip>)) -> Scene {
    let material = |i: usize| Material {
        name: format!("material_{i}"),
        texture: Some(Texture::plain(Id::new(i))),
        ..Material::default()
    };
    let image = |i: usize| SceneImage {
        name: format!("image_{i}"),
        pixels: Image { width: 1, height: 1, rgba: vec![[1, 2, 3, 4]] },
    };
    let mut scene = Scene {
        name: "generated".to_owned(),
        nodes,
        materials: (0..LOOKS).map(material).collect(),
        images: (0..LOOKS).map(image).collect(),
        ..Scene::default()
    };
    let mut models = Matrices::identity(scene.nodes.len());
    to_model(&scene, &Moment::at_rest(&scene), &mut models);
    for (i, shape) in shapes.into_iter().enumerate() {
        let mesh = Some(Id::new(i));
        scene.meshes.push(shape.mesh(i));
        if shape.joints.is_empty() {
            scene.nodes.push(Node {
                name: format!("rigid_{i}"),
                parent: Some(Id::new(shape.on)),
                mesh,
                ..Node::default()
            });
            continue;
        }
        let joint =
            |node: &usize| Joint { node: Id::new(*node), inverse_bind: models.matrix(*node).inverse() };
        let joints = shape.joints.iter().map(joint).collect();
        let skin = Some(Id::new(scene.skins.len()));
        scene.skins.push(Skin { name: format!("skin_{i}"), joints });
        let parent = shape.on.is_multiple_of(2).then(|| Id::new(shape.on));
        scene.nodes.push(Node { name: format!("skinned_{i}"), parent, mesh, skin, ..Node::default() });
    }
    scene.clips = clips;
    let count = scene.nodes.len();
    for clip in &mut scene.clips {
        let mut known = std::collections::BTreeSet::new();
        // Every node may be hidden, also those that show something, which stand last.
        for track in &mut clip.tracks {
            if let Track::Visibility(node, _) = track {
                *node = Id::new(count - 1 - node.index() % count);
            }
        }
        clip.tracks.retain(|track| known.insert((track.node(), track.material(), track.word())));
    }
    scene
}

/// A mesh, what it hangs on, and what pulls at it.
#[derive(Debug, Clone)]
struct Shape {
    on: usize,
    positions: Vec<Vec3>,
    joints: Vec<usize>,
    pulls: Vec<Vec<(usize, f32)>>,
}

impl Shape {
    fn mesh(&self, i: usize) -> Mesh {
        let count = self.positions.len();
        let pulls = |vertex: usize| {
            let wanted = &self.pulls[vertex % self.pulls.len()];
            let mut weights = vec![0.0; self.joints.len()];
            for (joint, weight) in wanted {
                weights[joint % self.joints.len()] += weight;
            }
            let sum: f32 = weights.iter().sum();
            let pulls = weights.into_iter().enumerate().filter(|(_, weight)| *weight > 0.0);
            pulls.map(|(joint, weight)| Pull { joint, weight: weight / sum }).collect::<Vec<_>>()
        };
        let skinned = !self.joints.is_empty();
        let primitive = Primitive {
            material: Some(Id::new(i % LOOKS)),
            normals: vec![Vec3::Y; count],
            uvs: vec![vec![Vec2::new(0.5, 0.25); count]; 1 + i % 2],
            colors: if i.is_multiple_of(2) { vec![Vec4::splat(0.5); count] } else { Vec::new() },
            influences: (0..count).filter(|_| skinned).map(pulls).collect::<Influences>(),
            indices: (0..u32::try_from(count).unwrap() / 3 * 3).collect(),
            positions: self.positions.clone(),
            ..Primitive::default()
        };
        Mesh { name: format!("mesh_{i}"), primitives: vec![primitive], ..Mesh::default() }
    }
}

fn shape(nodes: usize) -> impl Strategy<Value = Shape> {
    let joints = prop::sample::subsequence((0..nodes).collect::<Vec<_>>(), 0..=nodes);
    let pulls = vec(vec((0..16_usize, 0.05..1.0_f32), 1..7), 1..4);
    (0..nodes, vec(place(), 3..9), joints, pulls).prop_map(|(on, positions, joints, pulls)| Shape {
        on,
        positions,
        joints,
        pulls,
    })
}

fn node(i: usize, parent: Option<usize>) -> impl Strategy<Value = Node> {
    (place(), turn(), size()).prop_map(move |(translation, rotation, scale)| Node {
        name: format!("node_{i}"),
        parent: parent.map(Id::new),
        translation,
        rotation,
        scale,
        ..Node::default()
    })
}

fn clip(nodes: usize) -> impl Strategy<Value = Clip> {
    let looping = prop_oneof![Just(Looping::Hold), Just(Looping::Wrap)];
    (0.5..4.0_f32, looping, 0..99_u32).prop_flat_map(move |(duration, looping, index)| {
        vec(track(nodes, duration), 1..9).prop_map(move |tracks| Clip {
            name: format!("clip_{index}"),
            index,
            duration,
            looping,
            tracks,
            ..Clip::default()
        })
    })
}

fn track(nodes: usize, duration: f32) -> impl Strategy<Value = Track> {
    let node = || (0..nodes).prop_map(Id::new);
    let material = || (0..LOOKS).prop_map(Id::new);
    let smooth =
        || prop_oneof![Just(Interp::Step), Just(Interp::Linear), Just(Interp::Hermite), Just(Interp::Bezier)];
    let step = || Just(Interp::Step);
    let image = prop_oneof![Just(None), (0..LOOKS).prop_map(|image| Some(Id::new(image)))];
    let uv = || [-1.0..1.0_f32, -1.0..1.0].prop_map(Vec2::from_array);
    prop_oneof![
        (node(), curve(place(), smooth(), duration))
            .prop_map(|(node, curve)| Track::Translation(node, curve)),
        (node(), curve(turn(), smooth(), duration)).prop_map(|(node, curve)| Track::Rotation(node, curve)),
        (node(), curve(size(), smooth(), duration)).prop_map(|(node, curve)| Track::Scale(node, curve)),
        (node(), curve(any::<bool>(), step(), duration))
            .prop_map(|(node, curve)| Track::Visibility(node, curve)),
        (material(), curve(size(), smooth(), duration)).prop_map(|(of, curve)| Track::Color(of, curve)),
        (material(), curve(0.0..1.0_f32, smooth(), duration)).prop_map(|(of, curve)| Track::Alpha(of, curve)),
        (material(), curve(image, step(), duration)).prop_map(|(of, curve)| Track::Texture(of, curve)),
        (material(), curve(uv(), smooth(), duration)).prop_map(|(of, curve)| Track::UvOffset(of, curve)),
        (material(), curve(-3.0..3.0_f32, smooth(), duration))
            .prop_map(|(of, curve)| Track::UvRotation(of, curve)),
        (material(), curve(uv(), smooth(), duration)).prop_map(|(of, curve)| Track::UvScale(of, curve)),
    ]
}

fn curve<V: std::fmt::Debug + Clone>(
    value: impl Strategy<Value = V> + Clone,
    interp: impl Strategy<Value = Interp>,
    duration: f32,
) -> impl Strategy<Value = Curve<V>> {
    (vec((0..=60_u8, value.clone(), value.clone(), value), 1..6), interp).prop_map(
        move |(mut keys, interp)| {
            keys.sort_by_key(|key| key.0);
            keys.dedup_by_key(|key| key.0);
            let times = keys.iter().map(|key| (duration * f32::from(key.0) / 60.0).min(duration)).collect();
            let values = keys.iter().map(|key| key.1.clone()).collect();
            let tangents = keys.iter().filter(|_| interp.has_tangents());
            let tangents = tangents.map(|key| [key.2.clone(), key.3.clone()]).collect();
            Curve { times, values, tangents, interp }
        },
    )
}

fn place() -> impl Strategy<Value = Vec3> + Clone {
    [-2.0..2.0_f32, -2.0..2.0, -2.0..2.0].prop_map(Vec3::from_array)
}

fn size() -> impl Strategy<Value = Vec3> + Clone {
    [0.4..1.0_f32, 0.4..1.0, 0.4..1.0].prop_map(Vec3::from_array)
}

fn turn() -> impl Strategy<Value = Quat> + Clone {
    (place(), -3.0..3.0_f32)
        .prop_map(|(axis, angle)| Quat::from_axis_angle(axis.normalize_or(Vec3::X), angle))
}
