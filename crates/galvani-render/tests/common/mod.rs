//! Scenes that tests draw, the same on every machine.
#![allow(dead_code, reason = "each test uses some of it")]
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "small numbers"
)]

pub(crate) mod pinned;

use galvani_render::{
    Background, Direction, Fit, Image, Lens, Marks, Meter, Picture, Shot, Stage, Stance, Wear,
};
use galvani_scene::{
    AlphaMode, Clip, Curve, Fact, Filter, Id, Joint, Looping, Material, Mesh, Node, Primitive, Pull, Scene,
    Skin, Texture, Track, UvTransform, Wrap,
};
use glam::{Affine3A, Quat, Vec2, Vec3, Vec4};

/// Numbers that look like chance.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Dice(seed)
    }

    /// From 0 to 1.
    pub(crate) fn part(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }

    pub(crate) fn place(&mut self) -> Vec3 {
        Vec3::new(self.part(), self.part(), self.part()) * 2.0 - Vec3::ONE
    }
}

/// A picture of large patches, with or without holes.
pub(crate) fn patches(size: u32, has_holes: bool) -> galvani_scene::SceneImage {
    let mut dice = Dice::new(u64::from(size));
    let colors: Vec<[u8; 3]> = (0..64).map(|_| [0; 3].map(|_: u8| (dice.part() * 255.0) as u8)).collect();
    let pixel = |i: u32| {
        let (x, y) = (i % size * 8 / size, i / size * 8 / size);
        let [r, g, b] = colors[(y * 8 + x) as usize];
        [r, g, b, if has_holes && (x + y) % 3 == 0 { 40 } else { 255 }]
    };
    let rgba = (0..size * size).map(pixel).collect();
    galvani_scene::SceneImage {
        name: "patches".to_owned(),
        pixels: Image { width: size, height: size, rgba },
    }
}

/// A ball of rings and segments.
pub(crate) fn ball(rings: usize, segments: usize) -> Primitive {
    let mut made = Primitive { uvs: vec![Vec::new()], ..Primitive::default() };
    for ring in 0..=rings {
        for segment in 0..=segments {
            let (v, u) = (ring as f64 / rings as f64, segment as f64 / segments as f64);
            let (sin, cos) = libm::sincos(v * std::f64::consts::PI);
            let (across, along) = libm::sincos(u * std::f64::consts::TAU);
            let normal = glam::DVec3::new(sin * along, cos, -sin * across).as_vec3();
            made.positions.push(normal);
            made.normals.push(normal);
            made.uvs[0].push(Vec2::new(u as f32, v as f32));
        }
    }
    let row = segments + 1;
    for ring in 0..rings {
        for segment in 0..segments {
            let first = ring * row + segment;
            let square = [first, first + row, first + row + 1, first, first + row + 1, first + 1];
            made.indices.extend(square.map(|i| i as u32));
        }
    }
    made
}

/// A box without normals.
pub(crate) fn crate_box() -> Primitive {
    let corner = |i: u32| {
        let side = |axis: u32| if i >> axis & 1 == 0 { -1.0 } else { 1.0 };
        Vec3::new(side(0), side(1), side(2))
    };
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let mut made = Primitive { positions: (0..8).map(corner).collect(), ..Primitive::default() };
    for [a, b, c, d] in faces {
        made.indices.extend([a, b, c, a, c, d]);
    }
    made
}

/// A square that faces +Z.
pub(crate) fn square() -> Primitive {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    Primitive {
        positions: corners.map(|(x, y)| Vec3::new(x, y, 0.0)).to_vec(),
        normals: vec![Vec3::Z; 4],
        uvs: vec![corners.map(|(x, y)| Vec2::new(x * 0.5 + 0.5, 0.5 - y * 0.5)).to_vec()],
        indices: vec![0, 1, 2, 0, 2, 3],
        ..Primitive::default()
    }
}

/// A scene of meshes, each shown by a node.
pub(crate) fn shown(
    parts: Vec<(Primitive, Node)>,
    materials: Vec<Material>,
    images: Vec<galvani_scene::SceneImage>,
) -> Scene {
    let mut scene = Scene { materials, images, ..Scene::default() };
    for (primitive, node) in parts {
        let mesh = Id::new(scene.meshes.len());
        scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
        scene.nodes.push(Node { mesh: Some(mesh), ..node });
    }
    scene
}

pub(crate) fn at(translation: Vec3) -> Node {
    Node { translation, ..Node::default() }
}

pub(crate) fn with(material: usize, primitive: Primitive) -> Primitive {
    Primitive { material: Some(Id::new(material)), ..primitive }
}

/// A ball with a picture that repeats, and one that is clamped and turned.
pub(crate) fn balls() -> Scene {
    let texture = Texture::plain(Id::new(0));
    let scale = Vec2::new(5.0, 3.0);
    let transform = UvTransform { offset: Vec2::new(0.1, 0.2), rotation: 0.4, scale };
    let turned = Texture { wrap: [Wrap::Mirror, Wrap::Clamp], transform, ..texture.clone() };
    let material = |texture| Material { texture: Some(texture), ..Material::default() };
    let node = Node { scale: Vec3::new(-0.8, 0.6, 0.5), ..at(Vec3::new(1.6, 0.3, 0.0)) };
    shown(
        vec![(with(0, ball(24, 32)), Node::default()), (with(1, ball(16, 20)), node)],
        vec![material(texture), material(turned)],
        vec![patches(64, false)],
    )
}

/// Boxes here and there, their corners in colours.
pub(crate) fn boxes() -> Scene {
    let mut dice = Dice::new(7);
    let mut parts = Vec::new();
    for _ in 0..24 {
        let mut primitive = with(0, crate_box());
        primitive.colors = (0..8).map(|_| dice.place().abs().extend(1.0)).collect();
        // Quaternions of glam add in the order that the processor likes.
        let [x, y, z, w] = [dice.part(), dice.part(), dice.part(), 1.0 + dice.part()];
        let length = (x * x + y * y + z * z + w * w).sqrt();
        let turn = Quat::from_xyzw(x / length, y / length, z / length, w / length);
        let node =
            Node { rotation: turn, scale: Vec3::splat(0.1 + 0.3 * dice.part()), ..at(dice.place() * 2.0) };
        parts.push((primitive, node));
    }
    shown(
        parts,
        vec![Material { base_color: Vec4::new(0.9, 0.8, 0.7, 1.0), ..Material::default() }],
        Vec::new(),
    )
}

/// Squares behind each other in every way in which they may lie over what is behind them.
pub(crate) fn panes() -> Scene {
    let texture = |image, filter| Some(Texture { filter, ..Texture::plain(Id::new(image)) });
    let plain = Material { two_sided: true, ..Material::default() };
    let blend = |word: &str, color: Vec4| {
        let mut material = Material {
            base_color: color,
            alpha_mode: AlphaMode::Blend,
            texture: texture(1, Filter::Linear),
            unlit: true,
            ..plain.clone()
        };
        material.extras.insert("filter".to_owned(), Fact::Text(word.to_owned()));
        material
    };
    let materials = vec![
        Material { texture: texture(0, Filter::Nearest), ..plain.clone() },
        Material { alpha_mode: AlphaMode::Mask(0.5), texture: texture(1, Filter::Linear), ..plain.clone() },
        blend("blend", Vec4::new(1.0, 1.0, 1.0, 0.6)),
        blend("additive", Vec4::new(0.5, 0.4, 0.3, 1.0)),
        blend("modulate", Vec4::ONE),
        blend("modulate 2x", Vec4::ONE),
        Material { emissive: Vec3::new(0.3, 0.0, 0.1), ..plain },
    ];
    let place = |i: usize| {
        let part = i as f32 / 6.0;
        at(Vec3::new(part * 2.0 - 1.0, (part * 5.0) % 1.3 - 0.6, part * 1.5 - 0.7))
    };
    let parts = (0..7).map(|i| (with(i, square()), place((i * 3) % 7))).collect();
    shown(parts, materials, vec![patches(32, false), patches(32, true)])
}

/// A pipe that two joints bend, one of which turns in a clip.
pub(crate) fn bent() -> Scene {
    let mut pipe = ball(18, 16);
    for position in &mut pipe.positions {
        *position = Vec3::new(position.x * 0.4, position.y * 2.0, position.z * 0.4);
    }
    pipe.influences = pipe
        .positions
        .iter()
        .map(|position| {
            let weight = (position.y * 0.5 + 0.5).clamp(0.0, 1.0);
            [Pull { joint: 0, weight: 1.0 - weight }, Pull { joint: 1, weight }]
        })
        .collect();
    let mut scene = shown(vec![(pipe, Node::default())], Vec::new(), Vec::new());
    scene.skins.push(Skin {
        joints: [1, 2].map(|node| Joint { node: Id::new(node), inverse_bind: Affine3A::IDENTITY }).to_vec(),
        ..Skin::default()
    });
    scene.nodes[0].skin = Some(Id::new(0));
    scene.nodes.push(Node { name: "lower".to_owned(), ..Node::default() });
    scene.nodes.push(Node { name: "upper".to_owned(), parent: Some(Id::new(1)), ..Node::default() });
    let turns = vec![Quat::IDENTITY, Quat::from_xyzw(0.0, 0.0, 0.6, 0.8), Quat::IDENTITY];
    let bend = Track::Rotation(Id::new(2), Curve::linear(vec![0.0, 0.5, 1.0], turns));
    let looping = Looping::Wrap;
    scene.clips.push(Clip {
        name: "Bend".to_owned(),
        duration: 1.0,
        looping,
        tracks: vec![bend],
        ..Clip::default()
    });
    scene
}

/// How a scene is looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sight {
    pub(crate) direction: Direction,
    pub(crate) lens: Lens,
    pub(crate) zoom: f64,
    pub(crate) size: (u32, u32),
    pub(crate) background: Background,
    pub(crate) marks: Marks,
}

impl Default for Sight {
    fn default() -> Self {
        Sight {
            direction: Direction::USUAL,
            lens: Lens::Perspective,
            zoom: 1.0,
            size: (200, 150),
            background: Background::Transparent,
            marks: Marks::default(),
        }
    }
}

impl Sight {
    pub(crate) fn shot(&self, stage: &Stage<'_>, stance: &Stance) -> Shot {
        let (width, height) = self.size;
        let mut fit = Fit::new(self.direction, self.lens, f64::from(width) / f64::from(height));
        stage.fit(stance, &mut fit);
        let shot = Shot::new(width, height, fit.eye(self.zoom));
        Shot { background: self.background, marks: self.marks, ..shot }
    }

    pub(crate) fn picture(&self, scene: &Scene, time: f32) -> Picture {
        let meter = Meter::unlimited();
        let stage = Stage::new(scene, &Wear::default(), &meter).unwrap();
        let stance = stage.stance(scene.clips.first(), time);
        stage.picture(&stance, &self.shot(&stage, &stance), &meter).unwrap()
    }
}

/// A number for a picture: FNV-1a over its size and bytes.
pub(crate) fn hash(image: &Image) -> u64 {
    let size = [image.width, image.height].map(u32::to_le_bytes);
    let bytes = size.as_flattened().iter().chain(image.rgba.as_flattened());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
