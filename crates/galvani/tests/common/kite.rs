//! A small model of every kind: two bones, a square that follows both, and a motion.
#![allow(dead_code, reason = "each test uses what it needs")]

use std::borrow::Cow;

use galvani::ReadOptions;
use galvani::ff7::lower as ff7;
use galvani::formats::{self, Links, Settings, Site};
use galvani::glam::{Affine3A, Quat, Vec2, Vec3, Vec4};
use galvani::mdx::lower as mdx;
use galvani::mdx::wire::geoset::Vec4 as Tangent;
use galvani::mdx::{Content, Family, Held, read, write};
use galvani::scene::{
    Clip, Curve, Id, Influences, Interp, Joint, Material, Mesh, Node, Primitive, Pull, Scene, Skin, Track,
};
use galvani::{Meter, OpenOptions, convert};

/// Files beside each other, the model's own first.
#[derive(Debug, Clone)]
pub(crate) struct Files(pub(crate) Vec<(String, Vec<u8>)>);

impl Links for Files {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let found = self.0.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
        found.map(|(_, bytes)| bytes.as_slice().into())
    }

    fn names(&self, extension: &str) -> Vec<String> {
        let end = format!(".{extension}");
        self.0.iter().map(|(name, _)| name.clone()).filter(|name| name.ends_with(&end)).collect()
    }
}

impl Files {
    /// The glTF of the first.
    pub(crate) fn glb(&self) -> Vec<u8> {
        let (name, bytes) = &self.0[0];
        let site = Site::named(name, self);
        let format = formats::recognise(bytes, Some(name)).unwrap();
        let opened = format.open_at(bytes, &OpenOptions::default(), &site).unwrap();
        convert::glb(&opened, &site, &Settings::default(), &Meter::unlimited()).unwrap().files
    }
}

/// The scene that all are made of.
fn scene(is_even: bool) -> Scene {
    let node = |name: &str, parent: Option<usize>, translation: Vec3| Node {
        name: name.to_owned(),
        parent: parent.map(Id::new),
        translation,
        ..Node::default()
    };
    let mut nodes = vec![
        node("hip", None, Vec3::ZERO),
        node("arm", Some(0), Vec3::new(0.0, 0.0, -8.0)),
        node("hand", Some(1), Vec3::new(0.0, 0.0, -4.0)),
        node("foot", Some(0), Vec3::new(0.0, 0.0, -8.0)),
    ];
    let joint = |node: usize, down: f32| Joint {
        node: Id::new(node),
        inverse_bind: Affine3A::from_translation(Vec3::new(0.0, 0.0, down)),
    };
    let skin = Skin { name: "skin".to_owned(), joints: vec![joint(0, 0.0), joint(1, 8.0), joint(2, 12.0)] };
    let (mesh, skin_id) = (Some(Id::new(0)), Some(Id::new(0)));
    nodes.push(Node { name: "cloth".to_owned(), mesh, skin: skin_id, ..Node::default() });
    let pull = |joint, weight| Pull { joint, weight };
    let uneven = if is_even { 0.5 } else { 0.75 };
    let influences: Influences = [
        vec![pull(0, 1.0)],
        vec![pull(1, 1.0)],
        vec![pull(0, uneven), pull(1, 1.0 - uneven)],
        vec![pull(2, 1.0)],
        vec![pull(0, 0.5), pull(1, 0.5)],
    ]
    .into_iter()
    .collect();
    let positions = [[0.0, 0.0, 0.0], [2.0, 0.0, -8.0], [2.0, 4.0, 0.0], [0.0, 4.0, -8.0], [6.0, 4.0, 2.0]];
    let primitive = Primitive {
        material: Some(Id::new(0)),
        positions: positions.map(Vec3::from_array).to_vec(),
        normals: vec![Vec3::Y; 5],
        uvs: vec![
            [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.5, 0.5]].map(Vec2::from_array).to_vec(),
        ],
        colors: vec![Vec4::new(0.25, 0.5, 1.0, 1.0); 5],
        influences,
        indices: vec![0, 1, 2, 2, 1, 3, 3, 2, 4],
        ..Primitive::default()
    };
    let shoe = Primitive {
        material: Some(Id::new(0)),
        positions: [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]].map(Vec3::from_array).to_vec(),
        normals: vec![Vec3::Z; 3],
        uvs: vec![vec![Vec2::ZERO; 3]],
        indices: vec![0, 1, 2],
        ..Primitive::default()
    };
    nodes[3].mesh = Some(Id::new(1));
    let turn = |angle: f32| Quat::from_rotation_x(angle);
    let times = || vec![0.0, 0.4, 1.0];
    let turns = Curve::linear(times(), [0.0, 0.5, 0.25].map(turn).to_vec());
    let places = Curve::linear(times(), [0.0, 3.0, 1.0].map(|x| Vec3::new(x, 0.0, 1.0)).to_vec());
    let tracks = vec![Track::Rotation(Id::new(1), turns), Track::Translation(Id::new(0), places)];
    let clip = Clip { name: "Stand".to_owned(), duration: 1.0, tracks, ..Clip::default() };
    Scene {
        name: "kite".to_owned(),
        nodes,
        meshes: [("cloth", primitive), ("shoe", shoe)]
            .map(|(name, one)| Mesh { name: name.to_owned(), primitives: vec![one], ..Mesh::default() })
            .to_vec(),
        skins: vec![skin],
        materials: vec![Material { name: "cloth".to_owned(), ..Material::default() }],
        clips: vec![clip],
        ..Scene::default()
    }
}

/// A model of Warcraft III or World of Warcraft; from version 900 on with tangents.
pub(crate) fn warcraft(family: Family, version: u32) -> Files {
    let options = mdx::Options { family, version, ..mdx::Options::default() };
    let has_weights = family == Family::Warcraft && version >= 900 || version == 1500;
    let made = mdx::lower(&with_a_curve(scene(!has_weights)), &options).unwrap();
    let (name, file) = made.files.into_iter().next().unwrap();
    let mut document = read(&file, &ReadOptions::default()).unwrap().document;
    for chunk in &mut document.chunks {
        let Content::Geosets(rows) = &mut chunk.content else { continue };
        for row in &mut rows.items {
            let Held::Typed(geoset) = row else { continue };
            if family == Family::Warcraft && version >= 900 {
                let side = |i: usize| if i.is_multiple_of(2) { 1.0_f32 } else { -1.0 };
                let tangent = |i| Tangent { x: 0.6.into(), y: 0.0.into(), z: 0.8.into(), w: side(i).into() };
                geoset.tangents = Some((0..geoset.vertices.len()).map(tangent).collect());
            }
        }
    }
    Files(vec![(name, write(&document).unwrap())])
}

/// The scene with a motion whose slopes are told: the foot goes on a cubic curve.
fn with_a_curve(mut scene: Scene) -> Scene {
    let at = |x: f32, z: f32| Vec3::new(x, 0.0, z);
    let curve = Curve {
        times: vec![0.0, 0.5, 1.0],
        values: vec![at(0.0, -8.0), at(1.0, -7.0), at(0.0, -8.0)],
        tangents: vec![[at(0.0, 1.0); 2], [at(0.5, 0.0); 2], [at(0.0, -1.0); 2]],
        interp: Interp::Hermite,
    };
    scene.clips[0].tracks.push(Track::Translation(Id::new(3), curve));
    scene
}

/// A model of a battle of Final Fantasy VII.
pub(crate) fn battle() -> Files {
    let options = ff7::Options { stem: Some("ki".to_owned()), ..ff7::Options::default() };
    Files(ff7::battle(&scene(true), &options, &Meter::unlimited()).unwrap().files)
}

/// A model of a field of Final Fantasy VII.
pub(crate) fn field() -> Files {
    let options = ff7::Options { stem: Some("kite".to_owned()), ..ff7::Options::default() };
    Files(ff7::field(&scene(true), &options, &Meter::unlimited()).unwrap().files)
}
