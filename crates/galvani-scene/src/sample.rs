//! How a scene stands at a time.

use glam::{Affine3A, Quat, Vec3, Vec4};

use crate::{
    Clip, Colors, Id, Material, Matrices, Rotations, Scene, SceneImage, Track, UvTransform, UvTransforms,
    Vectors,
};

/// Everything of a scene that moves, at one time, list by list: the buffers of a caller.
#[derive(Debug, Clone, PartialEq)]
pub struct Moment {
    /// Where each node is, in its parent's space.
    pub translations: Vectors,
    /// How it is turned.
    pub rotations: Rotations,
    /// How large it is.
    pub scales: Vectors,
    /// Whether what it shows is seen.
    pub visible: Vec<bool>,
    /// The base colour of each material.
    pub colors: Colors,
    /// The picture of its texture.
    pub images: Vec<Option<Id<SceneImage>>>,
    /// What is done to the coordinates of its texture.
    pub uvs: UvTransforms,
}

impl Moment {
    /// A scene at rest.
    pub fn at_rest(scene: &Scene) -> Self {
        let (nodes, materials) = (scene.nodes.len(), scene.materials.len());
        let mut moment = Moment {
            translations: Vectors::filled(Vec3::ZERO, nodes),
            rotations: Rotations::filled(Quat::IDENTITY, nodes),
            scales: Vectors::filled(Vec3::ONE, nodes),
            visible: scene.nodes.iter().map(|node| node.visible).collect(),
            colors: Colors::filled(Vec4::ONE, materials),
            images: scene.materials.iter().map(image).collect(),
            uvs: UvTransforms::filled(UvTransform::default(), materials),
        };
        for (i, node) in scene.nodes.iter().enumerate() {
            moment.translations.set(i, node.translation);
            moment.rotations.set(i, node.rotation);
            moment.scales.set(i, node.scale);
        }
        for (i, material) in scene.materials.iter().enumerate() {
            moment.colors.set(i, material.base_color);
            let texture = material.texture.as_ref();
            moment.uvs.set(i, texture.map(|texture| texture.transform).unwrap_or_default());
        }
        moment
    }

    /// A node's place in its parent's space.
    pub fn local(&self, node: usize) -> Affine3A {
        Affine3A::from_scale_rotation_translation(
            self.scales.get(node),
            self.rotations.get(node),
            self.translations.get(node),
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

fn image(material: &Material) -> Option<Id<SceneImage>> {
    material.texture.as_ref().map(|texture| texture.image)
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
    let Moment { translations, rotations, scales, visible, colors, images, uvs } = into;
    match track {
        Track::Translation(node, curve) => {
            if let Some(place) = curve.at_near(time, found) {
                translations.set(node.index(), place);
            }
        }
        Track::Rotation(node, curve) => {
            if let Some(turn) = curve.at_near(time, found) {
                rotations.set(node.index(), turn);
            }
        }
        Track::Scale(node, curve) => {
            if let Some(scale) = curve.at_near(time, found) {
                scales.set(node.index(), scale);
            }
        }
        Track::Visibility(node, curve) => {
            visible[node.index()] = curve.at_near(time, found).unwrap_or(true);
        }
        Track::Color(material, curve) => {
            if let Some(color) = curve.at_near(time, found) {
                let alpha = colors.alpha[material.index()];
                colors.set(material.index(), color.extend(alpha));
            }
        }
        Track::Alpha(material, curve) => {
            let alpha = &mut colors.alpha[material.index()];
            *alpha = curve.at_near(time, found).unwrap_or(*alpha);
        }
        Track::Texture(material, curve) => {
            images[material.index()] = curve.at_near(time, found).flatten();
        }
        Track::UvOffset(material, curve) => {
            let offset = curve.at_near(time, found);
            change(uvs, material.index(), |uv| uv.offset = offset.unwrap_or(uv.offset));
        }
        Track::UvRotation(material, curve) => {
            let rotation = curve.at_near(time, found);
            change(uvs, material.index(), |uv| uv.rotation = rotation.unwrap_or(uv.rotation));
        }
        Track::UvScale(material, curve) => {
            let scale = curve.at_near(time, found);
            change(uvs, material.index(), |uv| uv.scale = scale.unwrap_or(uv.scale));
        }
    }
}

/// Changes what is done to the coordinates of a material.
fn change(uvs: &mut UvTransforms, material: usize, act: impl FnOnce(&mut UvTransform)) {
    let mut uv = uvs.get(material);
    act(&mut uv);
    uvs.set(material, uv);
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
