//! Which item of one list became which of another.

/// An item of the old list and its counterpart in the new one, or one without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pair {
    /// In both, the same or changed.
    Both(usize, usize),
    /// Only in the old list.
    Old(usize),
    /// Only in the new list.
    New(usize),
}

/// More cells than this are not worth their memory: what lies between equal ends is paired in order then.
const CELLS: usize = 1 << 22;

/// Pairs two lists in order: by place if they are of one length, else so that as many as can be are the same, and between
/// those as many as can be are alike. What is left is paired as far as it goes.
pub(super) fn pairs<T>(
    a: &[T],
    b: &[T],
    same: impl Fn(&T, &T) -> bool,
    alike: impl Fn(&T, &T) -> bool,
) -> Vec<Pair> {
    if a.len() == b.len() {
        return (0..a.len()).map(|i| Pair::Both(i, i)).collect();
    }
    let start = a.iter().zip(b).take_while(|(a, b)| same(a, b)).count();
    let ends = a.iter().skip(start).rev().zip(b.iter().skip(start).rev());
    let end = ends.take_while(|(a, b)| same(a, b)).count();
    let middle = (start..a.len() - end, start..b.len() - end);
    let mut made: Vec<Pair> = (0..start).map(|i| Pair::Both(i, i)).collect();
    around(
        a,
        b,
        middle.clone(),
        &same,
        &mut |old, new, made| {
            around(a, b, (old, new), &alike, &mut |old, new, made| in_order(old, new, made), made);
        },
        &mut made,
    );
    made.extend((middle.0.end..a.len()).zip(middle.1.end..b.len()).map(|(i, j)| Pair::Both(i, j)));
    made
}

type Span = std::ops::Range<usize>;

/// Pairs what two spans have in common, and has the rest filled in around it.
fn around<T>(
    a: &[T],
    b: &[T],
    (old, new): (Span, Span),
    same: &impl Fn(&T, &T) -> bool,
    fill: &mut dyn FnMut(Span, Span, &mut Vec<Pair>),
    made: &mut Vec<Pair>,
) {
    let sides = (a.get(old.clone()).unwrap_or_default(), b.get(new.clone()).unwrap_or_default());
    let (mut i, mut j) = (old.start, new.start);
    for (next, other) in common(sides.0, sides.1, same) {
        let (next, other) = (old.start + next, new.start + other);
        fill(i..next, j..other, made);
        made.push(Pair::Both(next, other));
        (i, j) = (next + 1, other + 1);
    }
    fill(i..old.end, j..new.end, made);
}

/// Pairs what has nothing in common.
fn in_order(old: Span, new: Span, made: &mut Vec<Pair>) {
    let both = old.len().min(new.len());
    made.extend(old.clone().zip(new.clone()).map(|(i, j)| Pair::Both(i, j)));
    made.extend(old.skip(both).map(Pair::Old));
    made.extend(new.skip(both).map(Pair::New));
}

/// The longest run of items, not side by side, that both lists have in order.
fn common<T>(a: &[T], b: &[T], same: &impl Fn(&T, &T) -> bool) -> Vec<(usize, usize)> {
    let width = b.len() + 1;
    if (a.len() + 1).saturating_mul(width) > CELLS {
        return Vec::new();
    }
    // How many can be the same from here on.
    let mut left = vec![0_u32; (a.len() + 1) * width];
    let cell = |i: usize, j: usize| i * width + j;
    let at = |left: &[u32], i: usize, j: usize| left.get(cell(i, j)).copied().unwrap_or(0);
    for (i, old) in a.iter().enumerate().rev() {
        for (j, new) in b.iter().enumerate().rev() {
            let most = if same(old, new) {
                at(&left, i + 1, j + 1) + 1
            } else {
                at(&left, i + 1, j).max(at(&left, i, j + 1))
            };
            left.get_mut(cell(i, j)).into_iter().for_each(|room| *room = most);
        }
    }
    let (mut i, mut j, mut found) = (0, 0, Vec::new());
    while let (Some(old), Some(new)) = (a.get(i), b.get(j)) {
        if same(old, new) {
            found.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if at(&left, i + 1, j) >= at(&left, i, j + 1) {
            i += 1;
        } else {
            j += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use Pair::{Both, New, Old};

    fn paired(a: &str, b: &str) -> Vec<Pair> {
        pairs(a.as_bytes(), b.as_bytes(), |a, b| a == b, u8::eq_ignore_ascii_case)
    }

    #[test]
    fn what_is_the_same_stays_together() {
        assert_eq!(paired("abc", "xbc"), [Both(0, 0), Both(1, 1), Both(2, 2)]);
        assert_eq!(paired("abc", "ac"), [Both(0, 0), Old(1), Both(2, 1)]);
        assert_eq!(paired("ac", "abbc"), [Both(0, 0), New(1), New(2), Both(1, 3)]);
        // One removed and one changed behind it.
        assert_eq!(
            paired("abcdef", "acdxf"),
            [Both(0, 0), Old(1), Both(2, 1), Both(3, 2), Both(4, 3), Both(5, 4)]
        );
        assert_eq!(paired("", "ab"), [New(0), New(1)]);
        assert_eq!(
            paired("abc", "Bc"),
            [Old(0), Both(1, 0), Both(2, 1)],
            "what is alike goes before what is not"
        );
    }
}
