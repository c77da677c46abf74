//! Rows that hang on each other, drawn as a tree.

/// How many levels are drawn before the depth is a number.
const LEVELS: usize = 8;

/// The rows in the order of a tree, each with what stands before it. A row that hangs on itself stands at the top.
pub(crate) fn drawn(parents: &[Option<usize>]) -> Vec<(usize, String)> {
    let mut children = vec![Vec::new(); parents.len()];
    let mut roots = Vec::new();
    for (row, parent) in parents.iter().enumerate() {
        match parent.and_then(|parent| children.get_mut(parent)) {
            Some(siblings) => siblings.push(row),
            None => roots.push(row),
        }
    }
    let mut seen = vec![false; parents.len()];
    let mut order = Vec::with_capacity(parents.len());
    // Whoever was not reached from a root is part of a ring: its first row opens it.
    for start in roots.into_iter().chain(0..parents.len()) {
        branch(start, &children, &mut seen, &mut order);
    }
    order
}

/// A row and all that hangs on it.
fn branch(start: usize, children: &[Vec<usize>], seen: &mut [bool], order: &mut Vec<(usize, String)>) {
    let mut open = vec![(start, String::new(), String::new(), 0_usize)];
    while let Some((row, before, below, depth)) = open.pop() {
        match seen.get_mut(row) {
            Some(seen) if !*seen => *seen = true,
            _ => continue,
        }
        order.push((row, before));
        let mut last = true;
        for &child in children.get(row).into_iter().flatten().rev() {
            let (corner, bar) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            last = false;
            let depth = depth.saturating_add(1);
            let child = if depth > LEVELS {
                (child, format!("{depth} levels deep: "), String::new(), depth)
            } else {
                (child, format!("{below}{corner}"), format!("{below}{bar}"), depth)
            };
            open.push(child);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(parents: &[Option<usize>]) -> String {
        let rows: Vec<String> =
            drawn(parents).into_iter().map(|(row, before)| format!("{before}{row}")).collect();
        rows.join("\n")
    }

    #[test]
    fn children_follow_their_parents() {
        let drawn = text(&[None, Some(0), Some(1), Some(0), None, Some(1)]);
        assert_eq!(drawn, "0\n├─ 1\n│  ├─ 2\n│  └─ 5\n└─ 3\n4");
    }

    #[test]
    fn rings_and_missing_parents_are_drawn_once() {
        assert_eq!(text(&[Some(1), Some(0), Some(2), Some(9)]), "3\n0\n└─ 1\n2");
    }

    #[test]
    fn deep_chains_stay_narrow() {
        let chain: Vec<Option<usize>> = (0..50_000_usize).map(|row| row.checked_sub(1)).collect();
        let rows = drawn(&chain);
        assert_eq!(rows.len(), chain.len());
        assert!(rows.iter().all(|(_, before)| before.chars().count() <= 26));
    }
}
