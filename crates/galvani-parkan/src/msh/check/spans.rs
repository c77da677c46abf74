//! Questions about many ranges of one list, each answered in logarithmic time.

use std::ops::Range;

/// A tree over a list: its leaves joined two by two, up to the root. The order of joining must not matter.
#[derive(Debug)]
pub(in crate::msh) struct Spans<T> {
    /// Parents before children: 1 is the root, 2n and 2n + 1 are below n, the last half are the leaves.
    tree: Vec<T>,
    nothing: T,
    join: fn(T, T) -> T,
}

impl<T: Copy> Spans<T> {
    /// The tree over a list; `nothing` joined to anything changes nothing.
    pub(in crate::msh) fn new(
        list: impl ExactSizeIterator<Item = T>,
        nothing: T,
        join: fn(T, T) -> T,
    ) -> Self {
        let count = list.len();
        let mut tree = vec![nothing; count];
        tree.extend(list);
        for parent in (1..count).rev() {
            let left = parent.saturating_mul(2);
            if let Some(&[left, right]) = tree.get(left..left.saturating_add(2))
                && let Some(place) = tree.get_mut(parent)
            {
                *place = join(left, right);
            }
        }
        Spans { tree, nothing, join }
    }

    /// All of a range joined; what is not in the list counts for nothing.
    pub(in crate::msh) fn over(&self, range: Range<usize>) -> T {
        let leaves = self.tree.len() / 2;
        let place = |index: usize| index.min(leaves).saturating_add(leaves);
        let (mut from, mut to) = (place(range.start), place(range.end));
        let mut all = self.nothing;
        while from < to {
            if from % 2 == 1 {
                all = self.joined(all, from);
                from = from.saturating_add(1);
            }
            if to % 2 == 1 {
                to = to.saturating_sub(1);
                all = self.joined(all, to);
            }
            (from, to) = (from / 2, to / 2);
        }
        all
    }

    fn joined(&self, so_far: T, place: usize) -> T {
        self.tree.get(place).map_or(so_far, |&here| (self.join)(so_far, here))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_range_of_every_short_list_is_joined() {
        for len in 0..20_u32 {
            let list: Vec<u32> = (0..len).map(|i| 1 << i).collect();
            let spans = Spans::new(list.iter().copied(), 0, |a, b| a | b);
            for start in 0..=list.len() + 1 {
                for end in 0..=list.len() + 1 {
                    let wanted = list.iter().take(end).skip(start).fold(0, |a, b| a | b);
                    assert_eq!(spans.over(start..end), wanted, "{start}..{end} of {len}");
                }
            }
        }
    }
}
