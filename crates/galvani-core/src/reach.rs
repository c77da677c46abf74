//! How far one step may reach: what thinning out keys asks again and again.

/// The furthest place from `at` up to `limit` that `reach` finds, and what it gave there; at least the next, which needs
/// no finding.
///
/// Sought by doubling steps and then halving. So however far it gets, asking costs but a logarithm more than going there,
/// if asking for a place costs as much as the way to it; a place further on may be missed.
pub fn furthest<T>(at: usize, limit: usize, mut reach: impl FnMut(usize) -> Option<T>) -> (usize, Option<T>) {
    let mut good = (at.saturating_add(1), None);
    let mut step: usize = 1;
    let mut bad = loop {
        if good.0 >= limit {
            return good;
        }
        let next = good.0.saturating_add(step).min(limit);
        match reach(next) {
            Some(found) => good = (next, Some(found)),
            None => break next,
        }
        step = step.saturating_mul(2);
    };
    while bad.saturating_sub(good.0) > 1 {
        let middle = good.0.midpoint(bad);
        match reach(middle) {
            Some(found) => good = (middle, Some(found)),
            None => bad = middle,
        }
    }
    good
}

#[cfg(test)]
mod tests {
    use super::furthest;

    /// Goes through so many places by steps of at most `most`; how many steps, and what asking cost.
    fn walk(count: usize, most: usize) -> (usize, usize) {
        let (mut at, mut steps, mut cost) = (0, 0, 0);
        while at + 1 < count {
            let reach = |to: usize| {
                cost += to - at;
                (to - at <= most).then_some(())
            };
            at = furthest(at, count - 1, reach).0;
            steps += 1;
        }
        (steps, cost)
    }

    #[test]
    fn every_step_goes_as_far_as_it_may() {
        for most in 1..20 {
            assert_eq!(walk(101, most).0, 100_usize.div_ceil(most), "{most}");
        }
    }

    #[test]
    fn twice_as_many_places_cost_about_twice_as_much() {
        for most in [1, 2, 3, 10, 100, 1000, usize::MAX] {
            let (one, two) = (walk(10_000, most).1, walk(20_000, most).1);
            assert!(two < one * 5 / 2, "by {most}: {one}, then {two}");
            assert!(two < 20_000 * 64, "by {most}: {two}");
        }
    }
}
