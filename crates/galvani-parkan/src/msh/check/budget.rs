//! What a walk over ranges may cost, so that a file in which everything overlaps costs no more than its size.

/// How often ranges may cover their table. Game models cover it once.
const REUSE: usize = 4;

/// Elements that may still be visited.
#[derive(Debug)]
pub(in crate::msh) struct Budget(usize);

impl Budget {
    /// Enough to visit so many elements a few times over.
    pub(in crate::msh) fn over(elements: usize) -> Self {
        Budget(elements.saturating_add(1).saturating_mul(REUSE))
    }

    /// Pays for a visit; false, and nothing paid, if it costs too much.
    pub(in crate::msh) fn pays(&mut self, cost: usize) -> bool {
        match self.0.checked_sub(cost.saturating_add(1)) {
            Some(left) => {
                self.0 = left;
                true
            }
            None => false,
        }
    }
}
