//! Rotations as the game puts them together.

use std::ops::Mul;

use glam::DQuat;

use super::ORDER;
use crate::pack::rotation::quaternion;

/// The rotation of X, Y and Z in degrees, its axes in this order, the last turning first. An order that does not
/// name every axis once counts as that of the game's own files.
pub fn rotation(degrees: [f32; 3], order: [u8; 3]) -> DQuat {
    let [x, y, z] = degrees.map(f64::from);
    let turn = |axis: u8| match axis {
        0 => quaternion([x, 0.0, 0.0]),
        1 => quaternion([0.0, y, 0.0]),
        _ => quaternion([0.0, 0.0, z]),
    };
    let mut axes = order;
    axes.sort_unstable();
    if order == ORDER || axes != [0, 1, 2] {
        return quaternion([x, y, z]);
    }
    order.into_iter().map(turn).fold(DQuat::IDENTITY, DQuat::mul)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_counts() {
        let near = |one: DQuat, other: DQuat| (one - other).length() < 1e-12;
        let degrees = [20.0, 30.0, 40.0];
        let [x, y, z] = [[20.0, 0.0, 0.0], [0.0, 30.0, 0.0], [0.0, 0.0, 40.0]].map(quaternion);
        assert!(near(rotation(degrees, [1, 0, 2]), y * x * z));
        assert!(near(rotation(degrees, [2, 1, 0]), z * y * x));
        assert!(near(rotation(degrees, [1, 1, 2]), rotation(degrees, ORDER)));
    }
}
