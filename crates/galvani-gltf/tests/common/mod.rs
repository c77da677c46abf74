//! Scenes to write.
#![allow(dead_code, reason = "not every test uses all of it")]

use galvani_scene::{
    AlphaMode, Camera, Clip, Curve, Event, Extras, Fact, Id, Image, Influences, Interp, Joint, Light,
    LightForm, Look, Looping, Material, Matrices, Mesh, Moment, Node, Pixels, Primitive, Pull, Scene, Skin,
    Socket, Texture, Track, UvTransform, Variant, Wrap, to_model,
};
use glam::{Affine3A, Quat, Vec2, Vec3, Vec4};

pub(crate) fn triangle() -> Primitive {
    Primitive {
        material: Some(Id::new(0)),
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::new(0.0, 1.5, -2.0)],
        normals: vec![Vec3::Z; 3],
        uvs: vec![vec![Vec2::ZERO, Vec2::X, Vec2::new(0.25, 1.0)]],
        indices: vec![0, 1, 2],
        ..Primitive::default()
    }
}

/// Two nodes, a triangle shown twice, a clip of two tracks on the same times, one without any.
pub(crate) fn plain() -> Scene {
    let extras = Extras::from([("id".to_owned(), Fact::Int(7))]);
    let root = Node { name: "same".to_owned(), mesh: Some(Id::new(0)), extras, ..Node::default() };
    let child = Node { parent: Some(Id::new(0)), translation: Vec3::new(0.1, 2.0, 3.0), ..root.clone() };
    let times = vec![0.0, 0.1, 1.0];
    let places = Curve::step(times.clone(), vec![Vec3::ZERO, Vec3::ONE, Vec3::splat(2.0)]);
    let turns = Curve::linear(times, vec![Quat::IDENTITY; 3]);
    let walk = Clip {
        name: "walk".to_owned(),
        index: 4,
        duration: 1.0,
        looping: Looping::Wrap,
        tracks: vec![Track::Translation(Id::new(0), places), Track::Rotation(Id::new(1), turns)],
        events: vec![Event { name: "step".to_owned(), time: 0.5 }],
        extras: Extras::new(),
    };
    Scene {
        name: "test".to_owned(),
        nodes: vec![root, child],
        meshes: vec![Mesh { name: "mesh".to_owned(), primitives: vec![triangle()], ..Mesh::default() }],
        materials: vec![Material {
            name: "red".to_owned(),
            base_color: Vec4::new(1.0, 0.0, 0.0, 1.0),
            two_sided: true,
            ..Material::default()
        }],
        clips: vec![walk, Clip { name: "stand".to_owned(), duration: 1.0, ..Clip::default() }],
        ..Scene::default()
    }
}

/// A hip, a chain of four bones on it, and a triangle that all pull at, with a picture.
pub(crate) fn skinned() -> Scene {
    let bone = |i: usize| Node {
        name: if i == 0 { "hip".to_owned() } else { format!("bone_{i}") },
        parent: i.checked_sub(1).map(Id::new),
        translation: Vec3::new(0.0, 0.5, 0.1),
        rotation: Quat::from_rotation_x(0.2),
        ..Node::default()
    };
    let mut nodes: Vec<Node> = (0..5).map(bone).collect();
    nodes.push(Node {
        name: "body".to_owned(),
        mesh: Some(Id::new(0)),
        skin: Some(Id::new(0)),
        ..Node::default()
    });
    let mut model = Affine3A::IDENTITY;
    let joints = (0..5).map(|i| {
        model *= nodes[i].local();
        Joint { node: Id::new(i), inverse_bind: model.inverse() }
    });
    let skin = Skin { name: "skin".to_owned(), joints: joints.collect() };
    let pull = |joint, weight| Pull { joint, weight };
    let all = vec![pull(0, 0.25), pull(1, 0.15), pull(2, 0.4), pull(3, 0.1), pull(4, 0.1)];
    let influences =
        [all, vec![pull(1, 0.5), pull(4, 0.5)], vec![pull(3, 1.0)]].into_iter().collect::<Influences>();
    let body = Primitive {
        influences,
        tangents: vec![Vec4::new(1.0, 0.0, 0.0, -1.0); 3],
        colors: vec![Vec4::new(0.5, 0.25, 1.0, 1.0); 3],
        ..triangle()
    };
    let turns = Curve::linear(vec![0.0, 1.0], vec![Quat::IDENTITY, Quat::from_rotation_z(1.0)]);
    let tracks = (1..4).map(|i| Track::Rotation(Id::new(i), turns.clone())).collect();
    let rgba = vec![[255, 0, 0, 255], [0, 255, 0, 128], [0, 0, 255, 0], [9, 9, 9, 9]];
    Scene {
        name: "snake".to_owned(),
        nodes,
        meshes: vec![Mesh { name: "body".to_owned(), primitives: vec![body], ..Mesh::default() }],
        skins: vec![skin],
        materials: vec![Material {
            name: "skin".to_owned(),
            texture: Some(Texture { wrap: [Wrap::Clamp, Wrap::Mirror], ..Texture::plain(Id::new(0)) }),
            alpha_mode: AlphaMode::Mask(0.75),
            emissive: Vec3::new(0.1, 0.0, 0.0),
            ..Material::default()
        }],
        images: vec![Image {
            name: "Textures\\skin.blp".to_owned(),
            pixels: Pixels { width: 2, height: 2, rgba },
        }],
        clips: vec![Clip { name: "bend".to_owned(), duration: 1.0, tracks, ..Clip::default() }],
        ..Scene::default()
    }
}

/// The same with so many spikes on its bones, of which every vertex is pulled at by all, each differently.
pub(crate) fn pulled(spikes: u16) -> Scene {
    let mut scene = skinned();
    let first = scene.nodes.len();
    scene.nodes.extend((0..spikes).map(|spike| Node {
        name: format!("spike_{spike}"),
        parent: Some(Id::new(usize::from(spike % 5))),
        translation: Vec3::new(f32::from(spike) * 0.01, 0.3, 0.0),
        ..Node::default()
    }));
    let mut models = Matrices::identity(scene.nodes.len());
    to_model(&scene, &Moment::at_rest(&scene), &mut models);
    let joints = (first..scene.nodes.len())
        .map(|i| Joint { node: Id::new(i), inverse_bind: models.matrix(i).inverse() });
    scene.skins[0].joints = joints.collect();
    let sum = (0..spikes).map(|spike| f32::from(spike) + 1.0).sum::<f32>();
    let pulls = |vertex: u16| {
        let pull = |spike: u16| Pull {
            joint: usize::from((spike + vertex) % spikes),
            weight: (f32::from(spike) + 1.0) / sum,
        };
        (0..spikes).map(pull).collect::<Vec<_>>()
    };
    scene.meshes[0].primitives[0].influences = (0..3).map(pulls).collect::<Influences>();
    scene
}

/// Everything that a scene can hold, hidden parts and illegal numbers aside.
pub(crate) fn full() -> Scene {
    let mut scene = skinned();
    scene.nodes[5].parent = Some(Id::new(2));
    let light = Light {
        name: "lamp".to_owned(),
        form: LightForm::Spot { inner: 0.2, outer: 0.4 },
        color: Vec3::new(1.0, 0.5, 0.25),
        intensity: 3.0,
        range: Some(10.0),
        extras: Extras::new(),
    };
    let camera = Camera {
        name: "portrait".to_owned(),
        fov_y: 0.8,
        near: 0.1,
        far: Some(100.0),
        extras: Extras::new(),
    };
    scene.lights = vec![light.clone(), Light { form: LightForm::Point, range: None, ..light }];
    scene.cameras = vec![camera];
    scene.nodes.push(Node { name: "lamp".to_owned(), light: Some(Id::new(0)), ..Node::default() });
    scene.nodes.push(Node { name: "eye".to_owned(), camera: Some(Id::new(0)), ..Node::default() });
    let hat =
        Node { name: "hat".to_owned(), parent: Some(Id::new(4)), mesh: Some(Id::new(1)), ..Node::default() };
    scene.nodes.push(hat);
    scene.sockets = vec![Socket { name: "head".to_owned(), node: Id::new(4) }];
    let mesh = |name: &str, primitive| Mesh {
        name: name.to_owned(),
        primitives: vec![primitive],
        ..Mesh::default()
    };
    scene.meshes.push(mesh("hat", Primitive { material: None, ..triangle() }));
    // Directions as colours want tangents.
    let tangents = vec![Vec4::new(1.0, 0.0, 0.0, 1.0); 3];
    scene.meshes.push(mesh("coarse hat", Primitive { material: Some(Id::new(1)), tangents, ..triangle() }));
    scene.meshes.push(mesh("coarse body", scene.meshes[0].primitives[0].clone()));
    let shows = vec![(Id::new(8), Some(Id::new(2))), (Id::new(5), Some(Id::new(3)))];
    let coarse = Variant { level: 1, shows, ..Variant::default() };
    let broken = Variant { name: "broken".to_owned(), state: 1, level: 0, shows: vec![(Id::new(8), None)] };
    scene.variants = vec![coarse, broken];
    let transform = UvTransform { offset: Vec2::new(0.5, 0.25), rotation: 0.3, scale: Vec2::new(2.0, 1.0) };
    let texture = Texture { transform, ..Texture::plain(Id::new(0)) };
    scene.materials.push(Material {
        name: "blue".to_owned(),
        texture: Some(texture.clone()),
        normal: Some(texture.clone()),
        orm: Some(texture.clone()),
        glow: Some(texture),
        alpha_mode: AlphaMode::Blend,
        unlit: true,
        ..Material::default()
    });
    scene.looks = vec![Look { name: "blue team".to_owned(), swaps: vec![(Id::new(0), Id::new(1))] }];
    scene.clips[0].tracks.extend(smooth_tracks());
    scene.clips[0].looping = Looping::Wrap;
    scene.clips[0].duration = 2.0;
    scene
}

/// Cubic vectors, a squad, colours, alpha and texture coordinates.
fn smooth_tracks() -> Vec<Track> {
    let times = vec![0.0, 0.7, 2.0];
    let cubic = |values: [Vec3; 3], interp| Curve {
        times: times.clone(),
        values: values.to_vec(),
        tangents: values.iter().map(|value| [*value + Vec3::Y, *value - Vec3::X]).collect(),
        interp,
    };
    let turns = [0.0, 1.5, -1.0].map(Quat::from_rotation_y);
    let squad = Curve {
        times: times.clone(),
        values: turns.to_vec(),
        tangents: turns.iter().map(|turn| [*turn * Quat::from_rotation_x(0.4), *turn]).collect(),
        interp: Interp::Hermite,
    };
    let material = Id::new(1);
    vec![
        Track::Translation(Id::new(0), cubic([Vec3::ZERO, Vec3::X, Vec3::Y], Interp::Hermite)),
        Track::Scale(Id::new(0), cubic([Vec3::ONE, Vec3::splat(2.0), Vec3::ONE], Interp::Bezier)),
        Track::Rotation(Id::new(0), squad),
        Track::Color(material, Curve::linear(vec![0.0, 1.0], vec![Vec3::ONE, Vec3::X])),
        Track::Alpha(material, Curve::linear(vec![0.0, 2.0], vec![1.0, 0.5])),
        Track::Texture(material, Curve::step(vec![0.0, 1.0], vec![Some(Id::new(0)), None])),
        Track::UvOffset(material, Curve::linear(vec![0.0, 1.0], vec![Vec2::ZERO, Vec2::X])),
        Track::UvRotation(material, Curve::linear(vec![0.0, 1.0], vec![0.0, 1.0])),
        Track::UvScale(material, Curve::linear(vec![0.0, 1.0], vec![Vec2::ONE, Vec2::X])),
    ]
}

/// The same with a hat and a body that clips hide, the hat at rest, too.
pub(crate) fn hiding() -> Scene {
    let mut scene = full();
    scene.nodes[8].visible = false;
    let seen = |values: [bool; 3]| Curve::step(vec![0.0, 0.5, 1.5], values.to_vec());
    scene.clips[0].tracks.push(Track::Visibility(Id::new(8), seen([true, false, true])));
    scene.clips[0].tracks.push(Track::Visibility(Id::new(5), seen([true, false, true])));
    let tracks = vec![Track::Rotation(Id::new(1), Curve::still(Quat::from_rotation_x(1.0)))];
    scene.clips.push(Clip { name: "lie".to_owned(), duration: 1.0, tracks, ..Clip::default() });
    scene
}

/// A scene full of numbers that glTF forbids.
pub(crate) fn illegal() -> Scene {
    let mut scene = full();
    scene.nodes[0].rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    scene.nodes[1].rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 3.0);
    scene.nodes[2].translation = Vec3::new(f32::NAN, f32::INFINITY, 0.0);
    scene.lights[0].form = LightForm::Spot { inner: 2.0, outer: 1.0 };
    scene.lights[0].intensity = f32::NAN;
    scene.cameras[0].fov_y = -1.0;
    scene.cameras[0].far = Some(0.01);
    scene.materials[0].base_color.x = 7.0;
    scene.materials[0].alpha_mode = AlphaMode::Mask(f32::NAN);
    scene.materials[1].emissive.x = -1.0;
    scene.materials[1].glow = Some(Texture { uv_set: usize::MAX, ..Texture::plain(Id::new(0)) });
    let body = &mut scene.meshes[0].primitives[0];
    body.positions[0].x = f32::NEG_INFINITY;
    body.normals[0] = Vec3::ZERO;
    body.tangents[0] = Vec4::splat(f32::NAN);
    body.uvs[0][0].x = f32::NAN;
    body.colors[0].w = 2.0;
    let pull = |joint, weight| Pull { joint, weight };
    body.influences =
        [vec![pull(0, 0.0)], vec![pull(1, -1.0), pull(2, 3.0)], vec![pull(1, 0.5), pull(1, 0.7)]]
            .into_iter()
            .collect::<Influences>();
    let turns = vec![Quat::from_xyzw(f32::NAN, 0.0, 0.0, 0.0), Quat::from_xyzw(2.0, 0.0, 0.0, 0.0)];
    scene.clips[0].tracks[0] = Track::Rotation(Id::new(1), Curve::linear(vec![0.0, 1.0], turns));
    scene
}

/// A surface whose material has a picture of directions.
pub(crate) fn with_directions(surface: Primitive) -> Scene {
    let scene = skinned();
    let picture = scene.materials[0].texture.clone();
    let materials = vec![Material { normal: picture.clone(), texture: picture, ..Material::default() }];
    let surface = Primitive { material: Some(Id::new(0)), ..surface };
    Scene {
        nodes: vec![Node { mesh: Some(Id::new(0)), ..Node::default() }],
        meshes: vec![Mesh { primitives: vec![surface], ..Mesh::default() }],
        materials,
        images: scene.images,
        ..Scene::default()
    }
}
