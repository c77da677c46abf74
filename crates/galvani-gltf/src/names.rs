//! Names that every reader keeps apart.

use std::collections::{BTreeMap, BTreeSet};

/// Bytes of UTF-8 that Blender keeps of a name; it fails on a longer one that it would cut inside a
/// character.
const MOST_BYTES: usize = 63;

/// Names given so far.
#[derive(Debug, Default)]
pub(crate) struct Names {
    taken: BTreeSet<String>,
    /// The number that was given last to a name that was taken.
    numbers: BTreeMap<String, u32>,
}

impl Names {
    /// The name, or as close to it as is short enough and free.
    pub(crate) fn give(&mut self, wanted: &str, instead: &str) -> String {
        let wanted = if wanted.is_empty() { instead } else { wanted };
        let mut name = cut(wanted, MOST_BYTES).to_owned();
        while self.taken.contains(&bare(&name)) {
            let number = self.numbers.entry(wanted.to_owned()).or_insert(1);
            *number = number.saturating_add(1);
            let tail = format!("_{number}");
            name = format!("{}{tail}", cut(wanted, MOST_BYTES.saturating_sub(tail.len())));
        }
        self.taken.insert(bare(&name));
        name
    }
}

/// Whether a name may be what was given where another was wanted: cut, or with a number behind it. Otherwise somebody gave it since.
pub(crate) fn is_given(name: &str, wanted: &str) -> bool {
    // Programs number what we have numbered.
    let stem = unnumbered(name, '.');
    [name, stem, unnumbered(stem, '_')].into_iter().any(|it| it == wanted || is_cut(it, wanted))
}

/// A name without a number behind it.
fn unnumbered(name: &str, sign: char) -> &str {
    name.trim_end_matches(|it: char| it.is_ascii_digit()).strip_suffix(sign).unwrap_or(name)
}

/// Bytes that a number behind a name may take.
const TAIL: usize = 8;

fn is_cut(name: &str, wanted: &str) -> bool {
    wanted.starts_with(name) && name.len().saturating_add(TAIL) > MOST_BYTES
}

/// What three.js leaves of a name; names must differ in that too.
fn bare(name: &str) -> String {
    let kept = name.chars().filter(|c| !"[].:/".contains(*c));
    kept.map(|c| if c.is_whitespace() { '_' } else { c }).collect()
}

/// At most so many bytes, never half a character.
fn cut(name: &str, bytes: usize) -> &str {
    name.get(..name.floor_char_boundary(bytes)).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut_between_characters() {
        let long = "ж".repeat(40);
        let mut names = Names::default();
        assert_eq!(names.give(&long, "node"), "ж".repeat(31));
        assert_eq!(names.give(&long, "node"), format!("{}_2", "ж".repeat(30)));
    }

    #[test]
    fn given_names_are_known() {
        let long = "ж".repeat(40);
        for (name, wanted) in
            [("arm_2", "arm"), ("arm_2.001", "arm"), ("ab_2", "ab"), (&"ж".repeat(31), &long)]
        {
            assert!(is_given(name, wanted), "{name}");
        }
        assert!(is_given(&format!("{}_2", "ж".repeat(30)), &long));
        for (name, wanted) in [("leg", "arm"), ("a", "arm"), ("", "arm"), (&"ж".repeat(9), &long)] {
            assert!(!is_given(name, wanted), "{name}");
        }
    }

    #[test]
    fn names_stay_apart_after_three_js_has_stripped_them() {
        let mut names = Names::default();
        let given = ["a b", "a.b", "ab", "a_b", "", ""].map(|name| names.give(name, "node"));
        assert_eq!(given, ["a b", "a.b", "ab_2", "a_b_2", "node", "node_2"]);
    }
}
