//! Tangents that are made where a picture of directions needs them.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

mod common;

use common::with_directions;
use galvani_gltf::{Options, glb};
use galvani_scene::Primitive;
use glam::{Vec2, Vec3, Vec4};

/// A square of two triangles that share two vertices. Its left half, or all of it, has its picture from left to right.
fn square(uvs: [Vec2; 4]) -> Primitive {
    Primitive {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::ONE - Vec3::Z, Vec3::Y],
        normals: vec![Vec3::Z; 4],
        uvs: vec![uvs.to_vec()],
        indices: vec![0, 1, 2, 0, 2, 3],
        ..Primitive::default()
    }
}

#[test]
fn they_follow_the_picture() {
    // v goes down, so the picture stands upright: green points up, where the third axis is.
    let upright = square([Vec2::Y, Vec2::ONE, Vec2::X, Vec2::ZERO]);
    assert_eq!(written_tangents(&upright), [Vec4::new(1.0, 0.0, 0.0, 1.0); 4]);
    let head_down = square([Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y]);
    assert_eq!(written_tangents(&head_down), [Vec4::new(1.0, 0.0, 0.0, -1.0); 4]);
}

#[test]
fn a_vertex_between_a_picture_and_its_mirror_image_becomes_two() {
    // The first triangle has the picture as it is, the second, behind the diagonal, its mirror image.
    let mirrored = square([Vec2::Y, Vec2::ONE, Vec2::X, Vec2::ONE]);
    let tangents = written_tangents(&mirrored);
    assert_eq!(tangents.len(), 6);
    let sides: Vec<f32> = tangents.iter().map(|tangent| tangent.w).collect();
    assert_eq!(sides, [1.0, 1.0, 1.0, -1.0, -1.0, -1.0]);
}

#[test]
fn what_has_no_extent_gets_some_tangent() {
    let mut flat = square([Vec2::ZERO; 4]);
    flat.positions = vec![Vec3::ONE; 4];
    let tangents = written_tangents(&flat);
    assert!(
        tangents.iter().all(|tangent| tangent.truncate().is_normalized() && tangent.z == 0.0),
        "{tangents:?}"
    );
}

#[test]
fn a_fan_of_thousands_of_triangles_ends_soon() {
    let count = u16::MAX;
    let rim = (0..count).map(|i| Vec2::from_angle(f32::from(i) / f32::from(count)));
    let places: Vec<Vec2> = std::iter::once(Vec2::ZERO).chain(rim).collect();
    let fan = Primitive {
        positions: places.iter().map(|place| place.extend(0.0)).collect(),
        normals: vec![Vec3::Z; places.len()],
        uvs: vec![places],
        indices: (1..u32::from(count)).flat_map(|i| [0, i, i + 1]).collect(),
        ..Primitive::default()
    };
    assert_eq!(written_tangents(&fan).len(), fan.positions.len());
}

#[test]
fn nothing_is_made_where_no_picture_asks_for_it() {
    let mut scene = with_directions(square([Vec2::Y, Vec2::ONE, Vec2::X, Vec2::ZERO]));
    scene.materials[0].normal = None;
    let file = glb(scene, &Options::default()).unwrap().0;
    assert!(!String::from_utf8_lossy(&file).contains("TANGENT"));
}

/// The tangents that a surface with such a material is written with.
fn written_tangents(surface: &Primitive) -> Vec<Vec4> {
    let file = glb(with_directions(surface.clone()), &Options::default()).unwrap().0;
    let gltf::Gltf { document, blob } = gltf::Gltf::from_slice(&file).unwrap();
    let mesh = document.meshes().next().unwrap();
    let reader = mesh.primitives().next().unwrap();
    let tangents = reader.reader(|_| blob.as_deref()).read_tangents().unwrap();
    tangents.map(Vec4::from_array).collect()
}
