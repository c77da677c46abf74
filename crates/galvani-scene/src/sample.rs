//! How a scene stands at a time.

use glam::{Affine3A, Quat, Vec3};

use crate::{Clip, Id, Image, Lanes, Material, Matrices, Scene, Track, UvTransform};

/// Everything of a scene that moves, at one time, list by list: the buffers of a caller.
#[derive(Debug, Clone, PartialEq)]
pub struct Moment {
    /// Where each node is, in its parent's space.
    pub translations: Lanes<3>,
    /// How it is turned: x, y, z, w.
    pub rotations: Lanes<4>,
    /// How large it is.
    pub scales: Lanes<3>,
    /// Whether what it shows is seen.
    pub visible: Vec<bool>,
    /// The base colour of each material: red, green, blue, alpha.
    pub colors: Lanes<4>,
    /// The picture of its texture.
    pub images: Vec<Option<Id<Image>>>,
    /// How the coordinates of its texture are moved (x, y), turned, and scaled (x, y).
    pub uvs: Lanes<5>,
}

impl Moment {
    /// A scene at rest.
    pub fn at_rest(scene: &Scene) -> Self {
        let (nodes, materials) = (scene.nodes.len(), scene.materials.len());
        let still = uv_lanes(UvTransform::default());
        let mut moment = Moment {
            translations: Lanes::filled([0.0; 3], nodes),
            rotations: Lanes::filled(Quat::IDENTITY.to_array(), nodes),
            scales: Lanes::filled([1.0; 3], nodes),
            visible: scene.nodes.iter().map(|node| node.visible).collect(),
            colors: Lanes::filled([1.0; 4], materials),
            images: scene.materials.iter().map(image).collect(),
            uvs: Lanes::filled(still, materials),
        };
        for (i, node) in scene.nodes.iter().enumerate() {
            moment.translations.set(i, node.translation.to_array());
            moment.rotations.set(i, node.rotation.to_array());
            moment.scales.set(i, node.scale.to_array());
        }
        for (i, material) in scene.materials.iter().enumerate() {
            moment.colors.set(i, material.base_color.to_array());
            moment.uvs.set(i, material.texture.as_ref().map_or(still, |texture| uv_lanes(texture.transform)));
        }
        moment
    }

    /// A node's place in its parent's space.
    pub fn local(&self, node: usize) -> Affine3A {
        Affine3A::from_scale_rotation_translation(
            Vec3::from_array(self.scales.get(node)),
            Quat::from_array(self.rotations.get(node)),
            Vec3::from_array(self.translations.get(node)),
        )
    }

    /// Takes everything of another; nothing is allocated if both are of one scene.
    fn copy_from(&mut self, other: &Moment) {
        self.translations.copy_from(&other.translations);
        self.rotations.copy_from(&other.rotations);
        self.scales.copy_from(&other.scales);
        self.visible.clone_from(&other.visible);
        self.colors.copy_from(&other.colors);
        self.images.clone_from(&other.images);
        self.uvs.copy_from(&other.uvs);
    }
}

fn image(material: &Material) -> Option<Id<Image>> {
    material.texture.as_ref().map(|texture| texture.image)
}

fn uv_lanes(UvTransform { offset, rotation, scale }: UvTransform) -> [f32; 5] {
    [offset.x, offset.y, rotation, scale.x, scale.y]
}

/// Gives the moments of a scene; what it remembers makes the next one cheap.
#[derive(Debug, Clone)]
pub struct Sampler {
    rest: Moment,
    /// For each track of a clip, the key found last.
    found: Vec<usize>,
}

impl Sampler {
    /// A sampler of a scene whose [check](crate::check()) finds no error.
    pub fn new(scene: &Scene) -> Self {
        let most = scene.clips.iter().map(|clip| clip.tracks.len()).max().unwrap_or_default();
        Sampler { rest: Moment::at_rest(scene), found: vec![0; most] }
    }

    /// The scene at a time of a clip of its own, in seconds. Nothing is allocated.
    pub fn sample(&mut self, clip: &Clip, time: f32, into: &mut Moment) {
        let time = clip.time(time);
        into.copy_from(&self.rest);
        for (track, found) in clip.tracks.iter().zip(&mut self.found) {
            sample_track(track, time, found, into);
        }
    }
}

/// Puts what a track says at a time in its place.
fn sample_track(track: &Track, time: f32, found: &mut usize, into: &mut Moment) {
    match track {
        Track::Translation(node, curve) => {
            replace(&mut into.translations, node.index(), curve.at_near(time, found).map(|v| v.to_array()));
        }
        Track::Rotation(node, curve) => {
            replace(&mut into.rotations, node.index(), curve.at_near(time, found).map(|v| v.to_array()));
        }
        Track::Scale(node, curve) => {
            replace(&mut into.scales, node.index(), curve.at_near(time, found).map(|v| v.to_array()));
        }
        Track::Visibility(node, curve) => {
            into.visible[node.index()] = curve.at_near(time, found).unwrap_or(true);
        }
        Track::Color(material, curve) => {
            let [.., alpha] = into.colors.get(material.index());
            let color = curve.at_near(time, found).map(|v| v.extend(alpha).to_array());
            replace(&mut into.colors, material.index(), color);
        }
        Track::Alpha(material, curve) => {
            let [red, green, blue, _] = into.colors.get(material.index());
            let color = curve.at_near(time, found).map(|alpha| [red, green, blue, alpha]);
            replace(&mut into.colors, material.index(), color);
        }
        Track::Texture(material, curve) => {
            into.images[material.index()] = curve.at_near(time, found).flatten();
        }
        Track::UvOffset(material, curve) => {
            let [_, _, turn, sx, sy] = into.uvs.get(material.index());
            let uv = curve.at_near(time, found).map(|v| [v.x, v.y, turn, sx, sy]);
            replace(&mut into.uvs, material.index(), uv);
        }
        Track::UvRotation(material, curve) => {
            let [x, y, _, sx, sy] = into.uvs.get(material.index());
            let uv = curve.at_near(time, found).map(|turn| [x, y, turn, sx, sy]);
            replace(&mut into.uvs, material.index(), uv);
        }
        Track::UvScale(material, curve) => {
            let [x, y, turn, ..] = into.uvs.get(material.index());
            let uv = curve.at_near(time, found).map(|v| [x, y, turn, v.x, v.y]);
            replace(&mut into.uvs, material.index(), uv);
        }
    }
}

fn replace<const N: usize>(lanes: &mut Lanes<N>, index: usize, value: Option<[f32; N]>) {
    if let Some(value) = value {
        lanes.set(index, value);
    }
}

impl Scene {
    /// How large the model is at rest: the diagonal of the box of everything that it shows. Tolerances are parts of it.
    pub fn size(&self) -> f32 {
        let mut models = Matrices::identity(self.nodes.len());
        to_model(self, &Moment::at_rest(self), &mut models);
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for (i, node) in self.nodes.iter().enumerate() {
            let mesh = node.mesh.and_then(|mesh| mesh.find_in(&self.meshes));
            // A skin binds its mesh as it lies in the model.
            let model = if node.skin.is_some() { Affine3A::IDENTITY } else { models.matrix(i) };
            let positions = mesh.iter().flat_map(|mesh| &mesh.primitives).flat_map(|it| &it.positions);
            for position in
                positions.map(|position| model.transform_point3(*position)).filter(|it| it.is_finite())
            {
                (low, high) = (low.min(position), high.max(position));
            }
        }
        if low.cmple(high).all() { low.distance(high) } else { 0.0 }
    }
}

/// The matrices of all nodes in the model's space. Nothing is allocated if there is one for each.
pub fn to_model(scene: &Scene, moment: &Moment, into: &mut Matrices) {
    for (i, node) in scene.nodes.iter().enumerate() {
        let local = moment.local(i);
        let model = node.parent.map_or(local, |parent| into.matrix(parent.index()) * local);
        into.set_matrix(i, model);
    }
}
