//! Poses the slow, obvious way: every step of docs/formats/ff7-skeleton.md#poses is a matrix of four rows,
//! and they are multiplied.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part of this")]

use std::f64::consts::TAU;

/// Four rows; columns are multiplied from the right.
pub type Slow = [[f64; 4]; 4];

pub fn product(a: &Slow, b: &Slow) -> Slow {
    std::array::from_fn(|row| std::array::from_fn(|column| (0..4).map(|i| a[row][i] * b[i][column]).sum()))
}

pub fn translation(x: f64, y: f64, z: f64) -> Slow {
    [[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, z], [0.0, 0.0, 0.0, 1.0]]
}

/// A turn has 4096 steps; what is behind the comma of a turn does not count.
fn turned(raw: i16) -> (f64, f64) {
    (f64::from(i32::from(raw).rem_euclid(4096)) / 4096.0 * TAU).sin_cos()
}

fn about_x(raw: i16) -> Slow {
    let (s, c) = turned(raw);
    [[1.0, 0.0, 0.0, 0.0], [0.0, c, -s, 0.0], [0.0, s, c, 0.0], [0.0, 0.0, 0.0, 1.0]]
}

fn about_y(raw: i16) -> Slow {
    let (s, c) = turned(raw);
    [[c, 0.0, s, 0.0], [0.0, 1.0, 0.0, 0.0], [-s, 0.0, c, 0.0], [0.0, 0.0, 0.0, 1.0]]
}

fn about_z(raw: i16) -> Slow {
    let (s, c) = turned(raw);
    [[c, -s, 0.0, 0.0], [s, c, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
}

/// Ry · Rx · Rz.
pub fn rotation([x, y, z]: [i16; 3]) -> Slow {
    product(&product(&about_y(y), &about_x(x)), &about_z(z))
}

/// What is moved, then turned there: the root, and a weapon.
pub fn placed(position: [i16; 3], raw: [i16; 3]) -> Slow {
    let [x, y, z] = position.map(f64::from);
    product(&translation(x, y, z), &rotation(raw))
}

/// The root and every bone, in this order. A bone is its parent, −1 being the root, and its length.
pub fn chain(bones: &[(i32, f32)], position: [i16; 3], rotations: &[[i16; 3]]) -> Vec<Slow> {
    let mut places = vec![placed(position, rotations[0])];
    for (i, &(parent, _)) in bones.iter().enumerate() {
        // With a single rotation it is the root's, and the bone is not turned.
        let turn = if rotations.len() == 1 { rotation([0; 3]) } else { rotation(rotations[i + 1]) };
        let place = match usize::try_from(parent) {
            Ok(parent) => {
                let away = translation(0.0, 0.0, f64::from(bones[parent].1));
                product(&product(&places[parent + 1], &away), &turn)
            }
            Err(_) => product(&places[0], &turn),
        };
        places.push(place);
    }
    places
}
