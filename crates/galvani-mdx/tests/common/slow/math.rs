//! Quaternions x, y, z, w and matrices of rows, one line of the book each.

use std::cell::Cell;

pub type Matrix = [[f64; 4]; 4];

pub const NO_TURN: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

/// Nearer than this, a slerp is a lerp.
const NEAR: f64 = 1e-6;

/// Rotations whose cosine is nearer to 0 than this are half a turn apart, as far as single precision can tell.
const HALF_A_TURN: f64 = 1e-5;

/// A quaternion of length one; no turn where there is no direction.
pub fn unit(q: [f64; 4]) -> [f64; 4] {
    let length = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
    if length.is_finite() && length > 0.0 { q.map(|part| part / length) } else { NO_TURN }
}

/// First `b`, then `a`.
pub fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// The turn back, of a quaternion of length one.
pub fn inverse([x, y, z, w]: [f64; 4]) -> [f64; 4] {
    [-x, -y, -z, w]
}

/// A vector turned by a quaternion of length one.
pub fn turned(q: [f64; 4], [x, y, z]: [f64; 3]) -> [f64; 3] {
    let [x, y, z, _] = product(product(q, [x, y, z, 0.0]), inverse(q));
    [x, y, z]
}

/// A turn about one of the three axes.
pub fn about(axis: usize, angle: f64) -> [f64; 4] {
    let mut q = [0.0, 0.0, 0.0, (angle / 2.0).cos()];
    q[axis] = (angle / 2.0).sin();
    q
}

thread_local! {
    /// Whether rounding decided which way round a slerp went.
    static DOUBTFUL: Cell<bool> = const { Cell::new(false) };
}

/// Whether, since it was last asked, rounding decided which way round a slerp went: rotations half a turn apart
/// have no shorter arc, and a sampler may take either.
pub fn was_doubtful() -> bool {
    DOUBTFUL.take()
}

/// The shorter way from `a` to `b`.
pub fn slerp(a: [f64; 4], b: [f64; 4], t: f64) -> [f64; 4] {
    let dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    if dot.abs() < HALF_A_TURN && t > 0.0 {
        DOUBTFUL.set(true);
    }
    let b = if dot < 0.0 { b.map(|part| -part) } else { b };
    let (from, to) = if 1.0 - dot.abs() <= NEAR {
        (1.0 - t, t)
    } else {
        let angle = dot.abs().acos();
        (((1.0 - t) * angle).sin() / angle.sin(), (t * angle).sin() / angle.sin())
    };
    unit([0, 1, 2, 3].map(|i| from * a[i] + to * b[i]))
}

/// First `b`, then `a`.
pub fn times(a: Matrix, b: Matrix) -> Matrix {
    let cell = |row: usize, column: usize| (0..4).map(|i| a[row][i] * b[i][column]).sum();
    [0, 1, 2, 3].map(|row| [0, 1, 2, 3].map(|column| cell(row, column)))
}

pub fn translation([x, y, z]: [f64; 3]) -> Matrix {
    [[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, z], [0.0, 0.0, 0.0, 1.0]]
}

pub fn rotation(q: [f64; 4]) -> Matrix {
    let (x, y, z) = (turned(q, [1.0, 0.0, 0.0]), turned(q, [0.0, 1.0, 0.0]), turned(q, [0.0, 0.0, 1.0]));
    [[x[0], y[0], z[0], 0.0], [x[1], y[1], z[1], 0.0], [x[2], y[2], z[2], 0.0], [0.0, 0.0, 0.0, 1.0]]
}

pub fn scaling([x, y, z]: [f64; 3]) -> Matrix {
    [[x, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], [0.0, 0.0, z, 0.0], [0.0, 0.0, 0.0, 1.0]]
}

/// Where a matrix takes a point.
pub fn moved(matrix: &Matrix, [x, y, z]: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|row| matrix[row][0] * x + matrix[row][1] * y + matrix[row][2] * z + matrix[row][3])
}

pub fn sum(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub fn less(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
