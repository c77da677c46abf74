//! Where something stands inside a document: `entries[3].name`, `MTLS[2].LAYS[0].KMTA`.

use std::cmp::Ordering;
use std::fmt;

use crate::place::{PlaceId, Places};

/// How many steps a path holds; deeper ones end in `…`.
const STEPS: usize = 8;

/// The index of a step that has none.
const NO_INDEX: u32 = u32::MAX;

/// A place in a document, cheap to copy and turned into text only when shown.
#[derive(Clone, Copy, Eq, Default)]
pub struct Path {
    steps: [Step; STEPS],
    depth: u8,
    cut: bool,
}

/// One step of a path: a name and, for an element of a list, its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Step {
    pub(crate) name: &'static str,
    index: u32,
}

impl Step {
    pub(crate) fn field(name: &'static str) -> Self {
        Step { name, index: NO_INDEX }
    }

    /// An index past `u32` is shown as the last one.
    pub(crate) fn element(name: &'static str, index: usize) -> Self {
        let most = NO_INDEX.saturating_sub(1);
        Step { name, index: u32::try_from(index).unwrap_or(most).min(most) }
    }
}

impl Default for Step {
    fn default() -> Self {
        Step { name: "", index: NO_INDEX }
    }
}

/// Only steps that are there are compared: most paths have two or three of eight.
impl PartialEq for Path {
    fn eq(&self, other: &Self) -> bool {
        self.depth == other.depth && self.cut == other.cut && self.named_steps() == other.named_steps()
    }
}

impl Ord for Path {
    fn cmp(&self, other: &Self) -> Ordering {
        self.named_steps().cmp(other.named_steps()).then(self.cut.cmp(&other.cut))
    }
}

impl PartialOrd for Path {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Path {
    /// The document itself.
    pub fn root() -> Self {
        Path::default()
    }

    /// A path of one step.
    pub fn named(name: &'static str) -> Self {
        Path::root().field(name)
    }

    /// The named part of what this path names.
    #[must_use]
    pub fn field(self, name: &'static str) -> Self {
        self.step(Step::field(name))
    }

    /// The element of the list that this path names. An index past `u32` is shown as the last one.
    #[must_use]
    pub fn index(mut self, index: usize) -> Self {
        if !self.cut
            && let Some(step) = self.last_step()
        {
            *step = Step::element(step.name, index);
        }
        self
    }

    /// The same path with no indices: what repeated findings have in common.
    #[must_use]
    pub fn shape(mut self) -> Self {
        for step in &mut self.steps {
            step.index = NO_INDEX;
        }
        self
    }

    /// What this path names a part of; of the document itself, the document.
    #[must_use]
    pub fn parent(mut self) -> Self {
        if !self.cut {
            if let Some(step) = self.last_step() {
                *step = Step::default();
            }
            self.depth = self.depth.saturating_sub(1);
        }
        self
    }

    /// Its first step: a name and, for an element of a list, its index.
    pub fn first(&self) -> Option<(&'static str, Option<u32>)> {
        let step = self.named_steps().first()?;
        Some((step.name, Some(step.index).filter(|index| *index != NO_INDEX)))
    }

    /// The names of its first and of its last step.
    pub fn ends(&self) -> Option<(&'static str, &'static str)> {
        self.named_steps().first().zip(self.named_steps().last()).map(|(first, last)| (first.name, last.name))
    }

    /// Its last step: a name and, for an element of a list, its index.
    pub fn last(&self) -> Option<(&'static str, Option<u32>)> {
        let step = self.named_steps().last()?;
        Some((step.name, Some(step.index).filter(|index| *index != NO_INDEX)))
    }

    /// The list that this path names an element of; anything else itself.
    #[must_use]
    pub fn unindexed(mut self) -> Self {
        if !self.cut
            && let Some(step) = self.last_step()
        {
            step.index = NO_INDEX;
        }
        self
    }

    /// Whether this is the document itself.
    pub fn is_root(&self) -> bool {
        self.depth == 0
    }

    /// The index of the step at which `table` ends and the name of the field after it,
    /// if this path leads into that table.
    pub(crate) fn inside(
        &self,
        table: PlaceId,
        places: &Places,
    ) -> Option<(Option<usize>, Option<&'static str>)> {
        let Some((wanted, before)) = places.step(table) else {
            // A record at the top has its fields there, too.
            return self.steps.first().filter(|_| self.depth > 0).map(|step| (None, Some(step.name)));
        };
        let above = places.above(before).count();
        let mut taken = self.named_steps().iter().skip(above);
        let (here, after) = (taken.next().filter(|here| here.name == wanted.name)?, taken.next());
        let same =
            places.above(before).zip(self.named_steps().iter().take(above).rev()).all(|(a, b)| a == *b);
        if !same {
            return None;
        }
        let index = match (wanted.index == NO_INDEX, wanted.index == here.index) {
            (true, true) => None,
            (true, false) => Some(usize::try_from(here.index).ok()?),
            (false, true) => None,
            (false, false) => return None,
        };
        Some((index, after.map(|step| step.name)))
    }

    /// The same path and a step more.
    pub(crate) fn step(mut self, next: Step) -> Self {
        match self.steps.get_mut(usize::from(self.depth)) {
            Some(step) => {
                *step = next;
                self.depth = self.depth.saturating_add(1);
            }
            None => self.cut = true,
        }
        self
    }

    /// The steps, and one without a name behind those of a path that ends in `…`.
    pub(crate) fn steps(&self) -> impl Iterator<Item = Step> {
        self.named_steps().iter().copied().chain(self.cut.then(Step::default))
    }

    fn named_steps(&self) -> &[Step] {
        self.steps.get(..usize::from(self.depth)).unwrap_or(&self.steps)
    }

    fn last_step(&mut self) -> Option<&mut Step> {
        self.steps.get_mut(usize::from(self.depth).checked_sub(1)?)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_root() {
            return f.write_str("file");
        }
        for (i, step) in self.steps.iter().take(usize::from(self.depth)).enumerate() {
            if i > 0 {
                f.write_str(".")?;
            }
            f.write_str(step.name)?;
            if step.index != NO_INDEX {
                write!(f, "[{}]", step.index)?;
            }
        }
        if self.cut { f.write_str("…") } else { Ok(()) }
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Path({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_reads_as_it_is_written() {
        let path = Path::named("MTLS").index(2).field("LAYS").index(0).field("KMTA");
        assert_eq!(path.to_string(), "MTLS[2].LAYS[0].KMTA");
        assert_eq!(path.shape().to_string(), "MTLS.LAYS.KMTA");
        assert_eq!(Path::root().to_string(), "file");
        assert_eq!(path.parent(), Path::named("MTLS").index(2).field("LAYS").index(0));
        assert_eq!(Path::root().parent(), Path::root());
    }

    #[test]
    fn a_path_deeper_than_eight_steps_says_so() {
        let deep = (0..9).fold(Path::root(), |path, _| path.field("a"));
        assert_eq!(deep.index(4).to_string(), "a.a.a.a.a.a.a.a…");
    }
}
