//! A windmill of glTF: sails that turn, a door that is open sometimes, a flag that bends in the wind.

use galvani_gltf::Options;
use galvani_scene::{
    Clip, Curve, Extras, Fact, Id, Image, Influences, Joint, Looping, Material, Mesh, Node, Primitive, Pull,
    Scene, SceneImage, Skin, Texture, Track,
};
use glam::{Affine3A, Quat, Vec2, Vec3, Vec4};

/// How high the axis of the sails is.
const AXIS: f32 = 2.0;

/// The file.
pub(super) fn model() -> Vec<u8> {
    let options = Options { generator: "galvani samples".to_owned(), ..Options::default() };
    galvani_gltf::glb(scene(), &options).map(|(file, _)| file).unwrap_or_default()
}

fn scene() -> Scene {
    let place = |name: &str, parent: Option<usize>, translation: Vec3, mesh: Option<usize>| Node {
        name: name.to_owned(),
        parent: parent.map(Id::new),
        translation,
        mesh: mesh.map(Id::new),
        ..Node::default()
    };
    let mut nodes = vec![
        place("mill", None, Vec3::ZERO, Some(0)),
        place("sails", Some(0), Vec3::new(0.0, AXIS, 0.6), Some(1)),
        place("door", Some(0), Vec3::new(0.0, 0.4, 0.51), Some(2)),
        place("pole", Some(0), Vec3::new(0.0, 2.6, 0.0), None),
        place("wind", Some(3), Vec3::new(0.5, 0.0, 0.0), None),
        place("flag", None, Vec3::ZERO, Some(3)),
    ];
    for (i, node) in nodes.iter_mut().enumerate() {
        node.extras = Extras::from([("id".to_owned(), Fact::Int(i32::try_from(i).unwrap_or(0)))]);
    }
    if let Some(flag) = nodes.last_mut() {
        flag.skin = Some(Id::new(0));
    }
    let bound =
        |node: usize, at: Vec3| Joint { node: Id::new(node), inverse_bind: Affine3A::from_translation(-at) };
    let pole = Vec3::new(0.0, 2.6, 0.0);
    Scene {
        name: "windmill".to_owned(),
        nodes,
        meshes: vec![
            mesh("tower", 0, &quads(&[([-0.5, 0.0, 0.5], [1.0, 0.0, 0.0], [0.0, 2.5, 0.0])])),
            mesh("sails", 1, &quads(&blades())),
            mesh("door", 1, &quads(&[([-0.2, -0.4, 0.0], [0.4, 0.0, 0.0], [0.0, 0.8, 0.0])])),
            flag(pole),
        ],
        skins: vec![Skin {
            name: "flag".to_owned(),
            joints: vec![bound(3, pole), bound(4, pole + Vec3::new(0.5, 0.0, 0.0))],
        }],
        materials: vec![material("stone", [0.8, 0.8, 0.75], true), material("cloth", [0.9, 0.3, 0.2], false)],
        images: vec![SceneImage { name: "stone".to_owned(), pixels: stones() }],
        clips: clips(),
        ..Scene::default()
    }
}

fn material(name: &str, [red, green, blue]: [f32; 3], has_texture: bool) -> Material {
    Material {
        name: name.to_owned(),
        base_color: Vec4::new(red, green, blue, 1.0),
        texture: has_texture.then(|| Texture::plain(Id::new(0))),
        two_sided: true,
        ..Material::default()
    }
}

/// A corner and two sides of each.
type Quad = ([f32; 3], [f32; 3], [f32; 3]);

/// Four blades about the axis.
fn blades() -> [Quad; 4] {
    [
        ([-0.1, 0.1, 0.0], [0.3, 0.0, 0.0], [0.0, 1.2, 0.0]),
        ([0.1, 0.1, 0.0], [1.2, 0.0, 0.0], [0.0, -0.3, 0.0]),
        ([0.1, -0.1, 0.0], [-0.3, 0.0, 0.0], [0.0, -1.2, 0.0]),
        ([-0.1, -0.1, 0.0], [-1.2, 0.0, 0.0], [0.0, 0.3, 0.0]),
    ]
}

fn quads(quads: &[Quad]) -> Primitive {
    let mut made = Primitive { uvs: vec![Vec::new()], ..Primitive::default() };
    for (first, (corner, side, up)) in (0_u32..).step_by(4).zip(quads) {
        let [corner, side, up] = [corner, side, up].map(|row| Vec3::from_array(*row));
        made.positions.extend([corner, corner + side, corner + side + up, corner + up]);
        made.normals.extend([side.cross(up).normalize_or(Vec3::Z); 4]);
        made.uvs.iter_mut().for_each(|uvs| uvs.extend([Vec2::Y, Vec2::ONE, Vec2::X, Vec2::ZERO]));
        made.indices.extend([0, 1, 2, 0, 2, 3].map(|i: u32| i.saturating_add(first)));
    }
    made
}

fn mesh(name: &str, material: usize, primitive: &Primitive) -> Mesh {
    let primitive = Primitive { material: Some(Id::new(material)), ..primitive.clone() };
    Mesh { name: name.to_owned(), primitives: vec![primitive], ..Mesh::default() }
}

/// A square that the pole holds on one side and the wind on the other.
fn flag(pole: Vec3) -> Mesh {
    let [x, y, z] = pole.to_array();
    let mut flag = quads(&[([x, y, z], [0.6, 0.0, 0.0], [0.0, 0.4, 0.0])]);
    let held = [Pull { joint: 0, weight: 1.0 }];
    let blown = [Pull { joint: 0, weight: 0.25 }, Pull { joint: 1, weight: 0.75 }];
    flag.influences =
        [&held[..], &blown, &blown, &held].map(<[Pull]>::to_vec).into_iter().collect::<Influences>();
    mesh("flag", 1, &flag)
}

/// Grey stones in rows.
fn stones() -> Image {
    let shade =
        |i: u8| [200, 176, 188, 160].get(usize::from((i / 4).wrapping_mul(3).wrapping_add(i) % 4)).copied();
    let rgba =
        (0..16).map(|i| [shade(i).unwrap_or(180), shade(i).unwrap_or(180), shade(i).unwrap_or(170), 255]);
    Image { width: 4, height: 4, rgba: rgba.collect() }
}

/// Sails that turn and a flag that waves; and the door that stands open for a while.
fn clips() -> Vec<Clip> {
    // Quarters of a turn, written out so that every machine writes the same bytes.
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let quarters = [(0.0, 1.0), (-half, half), (-1.0, 0.0), (-half, -half), (0.0, -1.0)];
    let quarters = quarters.map(|(z, w)| Quat::from_xyzw(0.0, 0.0, z, w));
    let turn = Curve::linear(vec![0.0, 0.5, 1.0, 1.5, 2.0], quarters.to_vec());
    let bend = [(0.0, 1.0), (0.28, 0.96), (-0.28, 0.96), (0.0, 1.0)];
    let bend = bend.map(|(y, w)| Quat::from_xyzw(0.0, y, 0.0, w));
    let wave = Curve::linear(vec![0.0, 0.5, 1.5, 2.0], bend.to_vec());
    let open = Curve::step(vec![0.0, 1.0, 2.0], vec![true, false, true]);
    let clip = |name: &str, index: u32, looping: Looping, tracks: Vec<Track>| Clip {
        name: name.to_owned(),
        index,
        duration: 2.0,
        looping,
        tracks,
        ..Clip::default()
    };
    let sails = Track::Rotation(Id::new(1), turn);
    vec![
        clip("Turn", 0, Looping::Wrap, vec![sails.clone(), Track::Rotation(Id::new(4), wave)]),
        clip("Visit", 1, Looping::Hold, vec![sails, Track::Visibility(Id::new(2), open)]),
    ]
}
