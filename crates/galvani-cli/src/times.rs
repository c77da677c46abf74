//! Times on the command line: one, or a range.

/// More than anybody looks at; a slip of the keyboard shall not fill the memory.
const MOST: u32 = 100_000;
/// A step that misses the end by less than this part of itself has reached it: 0..0.3:0.1 ends at 0.3.
const SLACK: f64 = 1e-6;

/// Times: `T`, or `A..B:STEP` with both ends, STEP being 1 if absent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Times(pub(crate) Vec<f64>);

impl Times {
    pub(crate) fn new(word: &str) -> Result<Self, String> {
        let Some((first, rest)) = word.split_once("..") else {
            let time = word.parse().map_err(|_| format!("`{word}` is no time"))?;
            return Ok(Times(vec![time]));
        };
        let (last, step) = rest.split_once(':').unwrap_or((rest, "1"));
        let number = |word: &str| match word.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => Err(format!("`{word}` is no end or step of a range")),
        };
        let (first, last, step) = (number(first)?, number(last)?, number(step)?);
        if step <= 0.0 || last < first {
            return Err("a range goes up, from A to B by a STEP above 0".to_owned());
        }
        let steps = (last - first) / step;
        let count = (steps + SLACK).floor();
        if count >= f64::from(MOST) {
            return Err(format!("a range of more than {MOST} times"));
        }
        let ends = (steps - count).abs() <= SLACK;
        let time = |i: u32| if ends && f64::from(i) >= count { last } else { first + f64::from(i) * step };
        Ok(Times((0..MOST).take_while(|&i| f64::from(i) <= count).map(time).collect()))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
mod tests {
    use super::Times;

    fn times(word: &str) -> Vec<f64> {
        Times::new(word).unwrap().0
    }

    #[test]
    fn a_range_has_both_its_ends() {
        assert_eq!(times("0..3"), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(times("-1..0.5:0.5"), [-1.0, -0.5, 0.0, 0.5]);
        assert_eq!(times("-2..-1"), [-2.0, -1.0]);
        assert_eq!(times("0..0.3:0.1"), [0.0, 0.1, 0.2, 0.3]);
        assert_eq!(times("0..1:0.1").len(), 11);
        assert_eq!(times("5..5"), [5.0]);
        assert_eq!(times("0..1:0.4"), [0.0, 0.4, 0.8]);
        assert_eq!(times("1.5..3.5:1e0"), [1.5, 2.5, 3.5]);
    }

    #[test]
    fn a_time_may_be_any_number() {
        assert_eq!(times("-0.5"), [-0.5]);
        assert_eq!(times("1e3"), [1000.0]);
        assert_eq!(times("-inf"), [f64::NEG_INFINITY]);
        assert!(times("NaN")[0].is_nan());
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for word in
            ["", "x", "1..", "..2", "2..1", "0..1:0", "0..1:-1", "0..inf", "0..1e30", "0..1:", "1...2"]
        {
            assert!(Times::new(word).is_err(), "{word}");
        }
    }
}
