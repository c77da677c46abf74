//! Numbers in the fewest digits that read back to the same bits (docs/formats/mdl.md#numbers).

use std::io::Write;

/// From here on numbers have exponents.
const LARGE: f32 = 1e9;

/// Below this, too.
const SMALL: f32 = 1e-4;

/// A whole number.
pub(super) fn put_whole(out: &mut Vec<u8>, value: i64) {
    if let Ok(small @ 0..=9) = u8::try_from(value) {
        out.push(b'0'.saturating_add(small));
    } else {
        // Writing into memory never fails.
        let _ = write!(out, "{value}");
    }
}

/// A float. What is no number has no digits.
pub(super) fn put_float(out: &mut Vec<u8>, value: f32) {
    let size = value.abs();
    let _ = if value.is_nan() {
        write!(out, "NaN")
    } else if size == 0.0 {
        write!(out, "{}", if value.is_sign_negative() { "-0" } else { "0" })
    } else if (SMALL..LARGE).contains(&size) || value.is_infinite() {
        write!(out, "{value}")
    } else {
        write!(out, "{value:e}")
    };
}

#[cfg(test)]
mod tests {
    use super::put_float;

    fn printed(value: f32) -> String {
        let mut out = Vec::new();
        put_float(&mut out, value);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_have_the_fewest_digits_and_exponents_where_they_are_shorter() {
        let all = [0.1, -0.0, 0.0, 1.0, 123456.79, 1e9, -2.5e-5, 1e-4, f32::MIN_POSITIVE, f32::INFINITY];
        let wanted = ["0.1", "-0", "0", "1", "123456.79", "1e9", "-2.5e-5", "0.0001", "1.1754944e-38", "inf"];
        assert_eq!(all.map(printed), wanted);
        assert_eq!(printed(f32::NAN), "NaN");
    }

    #[test]
    fn numbers_read_back_to_the_same_bits() {
        for bits in (0..=u32::MAX).step_by(65_521).chain([1, 0x7f7f_ffff, 0x3dcc_cccd]) {
            let value = f32::from_bits(bits);
            if !value.is_nan() {
                assert_eq!(printed(value).parse::<f32>().unwrap().to_bits(), bits);
            }
        }
    }
}
