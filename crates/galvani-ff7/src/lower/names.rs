//! Names that the game can have.

use std::collections::{BTreeMap, BTreeSet};

/// What remains of a name in letters, digits and underscores, of so many bytes at most; nothing if no letter or digit does.
pub(super) fn word(name: &str, most: usize) -> Option<String> {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let made: String = name.trim().chars().map(letter).take(most).collect();
    let made = made.trim_matches('_').to_owned();
    (!made.is_empty()).then_some(made)
}

/// Names that are taken, in any case of letters.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
    /// How often each was wanted.
    wanted: BTreeMap<String, u32>,
}

impl Names {
    /// No name but these is taken.
    pub(super) fn but(taken: &[&str]) -> Self {
        let taken = taken.iter().map(|name| (*name).to_owned()).collect();
        Names { taken, wanted: BTreeMap::new() }
    }

    /// A name that nothing else has, of so many bytes at most: this one, or with a number behind it.
    pub(super) fn take(&mut self, wanted: &str, most: usize) -> String {
        let numbered = |number: u32| {
            let end = if number == 0 { String::new() } else { format!("_{number}") };
            let start: String = wanted.chars().take(most.saturating_sub(end.len())).collect();
            format!("{start}{end}")
        };
        let next = self.wanted.entry(wanted.to_ascii_lowercase()).or_default();
        loop {
            let name = numbered(*next);
            *next = next.saturating_add(1);
            // Names are fewer than numbers: the last of these is never reached.
            if self.taken.insert(name.to_ascii_lowercase()) || *next == u32::MAX {
                return name;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_plain_and_different() {
        assert_eq!(word("left arm.001", 32).as_deref(), Some("left_arm_001"));
        assert_eq!(word("Лягушка", 32), None);
        assert_eq!(word("a very long name", 6).as_deref(), Some("a_very"));
        let mut names = Names::but(&["root"]);
        let made: Vec<String> =
            ["Root", "arm", "ARM", "arm"].iter().map(|name| names.take(name, 5)).collect();
        assert_eq!(made, ["Roo_1", "arm", "ARM_1", "arm_2"]);
    }
}
