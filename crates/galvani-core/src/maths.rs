//! Arithmetic that is nobody's in particular. Where an engine's last bits count, its format has functions of its own.

/// The nearest number of single precision; infinite if there is none.
#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "the one narrowing of floats: `as` rounds to the nearest"
)]
pub fn single(number: f64) -> f32 {
    number as f32
}

/// The sine of an arc below which its ends are blended in a straight line.
const NEAR: f64 = 1e-9;

/// The unit quaternion a part of the way from one to another by the shorter arc; beyond both ends on the same way.
/// The order of the components does not matter as long as it is one.
pub fn slerp(from: [f64; 4], to: [f64; 4], part: f64) -> [f64; 4] {
    let to = if dot(from, to) < 0.0 { to.map(|component| -component) } else { to };
    // The arc from both diagonals: exact where its cosine has no digits left.
    let [near, far] = [blend(from, 1.0, to, -1.0), blend(from, 1.0, to, 1.0)].map(length);
    let arc = 2.0 * near.atan2(far);
    let sine = arc.sin();
    let (one, other) = if sine <= NEAR {
        (1.0 - part, part)
    } else {
        (((1.0 - part) * arc).sin() / sine, (part * arc).sin() / sine)
    };
    let made = blend(from, one, to, other);
    let length = length(made);
    if length > 0.0 && length.is_finite() { made.map(|component| component / length) } else { from }
}

fn blend(a: [f64; 4], of_a: f64, b: [f64; 4], of_b: f64) -> [f64; 4] {
    let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (a, b);
    [a0 * of_a + b0 * of_b, a1 * of_a + b1 * of_b, a2 * of_a + b2 * of_b, a3 * of_a + b3 * of_b]
}

fn dot(a: [f64; 4], b: [f64; 4]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn length(a: [f64; 4]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A turn about one axis.
    fn turn(degrees: f64) -> [f64; 4] {
        let (sine, cosine) = (degrees.to_radians() / 2.0).sin_cos();
        [cosine, 0.0, sine, 0.0]
    }

    fn is_near(a: [f64; 4], b: [f64; 4]) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12)
    }

    #[test]
    fn a_part_of_the_way_is_that_part_of_the_angle() {
        assert!(is_near(slerp(turn(10.0), turn(90.0), 0.25), turn(30.0)));
        assert!(is_near(slerp(turn(10.0), turn(90.0), 2.0), turn(170.0)));
        let back = turn(90.0).map(|component| -component);
        assert!(is_near(slerp(turn(10.0), back, 0.5), turn(50.0)));
        assert!(is_near(slerp(turn(10.0), turn(10.0), 0.5), turn(10.0)));
        assert!(is_near(slerp(turn(10.0), turn(10.000_000_1), 0.5), turn(10.000_000_05)));
    }

    #[test]
    fn a_number_is_narrowed_to_the_nearest() {
        assert_eq!(single(0.1).to_bits(), 0.1_f32.to_bits());
        assert!(single(1e300).is_infinite());
    }
}
