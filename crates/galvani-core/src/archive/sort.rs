//! Tables that list the entries of an archive by name.

/// What is wrong with a slot of a table that should name every entry once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// It names no entry.
    Outside,
    /// It names an entry that was named before.
    Repeated,
}

/// Every slot that is wrong; `None` stands for a number that can be no index.
pub fn flaws(slots: impl ExactSizeIterator<Item = Option<usize>>) -> Vec<(usize, Flaw)> {
    let mut seen = vec![false; slots.len()];
    let flaw = |(i, slot): (usize, Option<usize>)| match slot.and_then(|entry| seen.get_mut(entry)) {
        None => Some((i, Flaw::Outside)),
        Some(true) => Some((i, Flaw::Repeated)),
        Some(seen) => {
            *seen = true;
            None
        }
    };
    slots.enumerate().filter_map(flaw).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_names_every_entry_once() {
        assert_eq!(flaws([Some(1), Some(0)].into_iter()), []);
        let wrong = [Some(2), None, Some(2), Some(9)];
        assert_eq!(flaws(wrong.into_iter()), [(1, Flaw::Outside), (2, Flaw::Repeated), (3, Flaw::Outside)]);
    }
}
