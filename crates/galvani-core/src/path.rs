//! Where something stands inside a document: `entries[3].name`, `MTLS[2].LAYS[0].KMTA`.

use std::cmp::Ordering;
use std::fmt;

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
struct Step {
    name: &'static str,
    index: u32,
}

impl Default for Step {
    fn default() -> Self {
        Step { name: "", index: NO_INDEX }
    }
}

/// Only steps that are there are compared: most paths have two or three of eight.
impl PartialEq for Path {
    fn eq(&self, other: &Self) -> bool {
        self.depth == other.depth && self.cut == other.cut && self.taken() == other.taken()
    }
}

impl Ord for Path {
    fn cmp(&self, other: &Self) -> Ordering {
        self.taken().cmp(other.taken()).then(self.cut.cmp(&other.cut))
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
    pub fn of(name: &'static str) -> Self {
        Path::root().field(name)
    }

    /// The named part of what this path names.
    #[must_use]
    pub fn field(mut self, name: &'static str) -> Self {
        match self.steps.get_mut(usize::from(self.depth)) {
            Some(step) => {
                *step = Step { name, index: NO_INDEX };
                self.depth = self.depth.saturating_add(1);
            }
            None => self.cut = true,
        }
        self
    }

    /// The element of the list that this path names. An index past `u32` is shown as the last one.
    #[must_use]
    pub fn index(mut self, index: usize) -> Self {
        if !self.cut
            && let Some(step) = self.last_step()
        {
            step.index = u32::try_from(index).unwrap_or(NO_INDEX).min(NO_INDEX.saturating_sub(1));
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

    /// Whether this is the document itself.
    pub fn is_root(&self) -> bool {
        self.depth == 0
    }

    /// The index of the step at which `table` ends and the name of the field after it,
    /// if this path leads into that table.
    pub(crate) fn inside(&self, table: &Path) -> Option<(Option<usize>, Option<&'static str>)> {
        let Some(last) = usize::from(table.depth).checked_sub(1) else {
            // A record at the top has its fields there, too.
            return self.steps.first().filter(|_| self.depth > 0).map(|step| (None, Some(step.name)));
        };
        let (before, here) = (self.steps.get(..last)?, self.steps.get(last)?);
        let wanted = table.steps.get(last)?;
        if table.steps.get(..last)? != before || wanted.name != here.name || self.depth < table.depth {
            return None;
        }
        let index = match (wanted.index == NO_INDEX, wanted.index == here.index) {
            (true, true) => None,
            (true, false) => Some(usize::try_from(here.index).ok()?),
            (false, true) => None,
            (false, false) => return None,
        };
        let field = self.steps.get(usize::from(table.depth)).filter(|_| self.depth > table.depth);
        Some((index, field.map(|step| step.name)))
    }

    fn taken(&self) -> &[Step] {
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
        let path = Path::of("MTLS").index(2).field("LAYS").index(0).field("KMTA");
        assert_eq!(path.to_string(), "MTLS[2].LAYS[0].KMTA");
        assert_eq!(path.shape().to_string(), "MTLS.LAYS.KMTA");
        assert_eq!(Path::root().to_string(), "file");
        assert_eq!(path.parent(), Path::of("MTLS").index(2).field("LAYS").index(0));
        assert_eq!(Path::root().parent(), Path::root());
    }

    #[test]
    fn a_path_deeper_than_eight_steps_says_so() {
        let deep = (0..9).fold(Path::root(), |path, _| path.field("a"));
        assert_eq!(deep.index(4).to_string(), "a.a.a.a.a.a.a.a…");
    }
}
