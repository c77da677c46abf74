//! Undo and redo for documents, which are values: a step is the value before it.

/// A value and the ways back and forth from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct History<D> {
    past: Vec<D>,
    now: D,
    future: Vec<D>,
}

impl<D: Clone> History<D> {
    /// A value with no past.
    pub fn new(now: D) -> Self {
        History { past: Vec::new(), now, future: Vec::new() }
    }

    /// The value as it stands.
    pub fn now(&self) -> &D {
        &self.now
    }

    /// The value, and the end of its history.
    pub fn into_now(self) -> D {
        self.now
    }

    /// Makes an edit, one step. What was undone before it is forgotten. An edit that fails leaves no step,
    /// and the value as it was, whatever it had begun to change.
    pub fn edit<T, E>(&mut self, edit: impl FnOnce(&mut D) -> Result<T, E>) -> Result<T, E> {
        let mut next = self.now.clone();
        let made = edit(&mut next)?;
        self.past.push(std::mem::replace(&mut self.now, next));
        self.future.clear();
        Ok(made)
    }

    /// Takes the last edit back; false if there is none.
    pub fn undo(&mut self) -> bool {
        step(&mut self.past, &mut self.now, &mut self.future)
    }

    /// Makes the edit that was taken back last again; false if there is none.
    pub fn redo(&mut self) -> bool {
        step(&mut self.future, &mut self.now, &mut self.past)
    }

    /// How many edits can be taken back.
    pub fn undo_steps(&self) -> usize {
        self.past.len()
    }

    /// How many edits can be made again.
    pub fn redo_steps(&self) -> usize {
        self.future.len()
    }
}

fn step<D>(from: &mut Vec<D>, now: &mut D, to: &mut Vec<D>) -> bool {
    let Some(next) = from.pop() else { return false };
    to.push(std::mem::replace(now, next));
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(letter: char) -> impl Fn(&mut String) -> Result<usize, String> {
        move |text| {
            text.push(letter);
            Ok(text.len())
        }
    }

    #[test]
    fn undo_and_redo_walk_through_the_same_values() {
        let mut history = History::new(String::new());
        for letter in ['a', 'b', 'c'] {
            history.edit(push(letter)).unwrap();
        }
        let mut seen = vec![history.now().clone()];
        while history.undo() {
            seen.push(history.now().clone());
        }
        assert_eq!(seen, ["abc", "ab", "a", ""]);
        for wanted in ["a", "ab", "abc"] {
            assert!(history.redo());
            assert_eq!(history.now(), wanted);
        }
        assert!(!history.redo());
        assert_eq!((history.undo_steps(), history.redo_steps(), history.into_now().as_str()), (3, 0, "abc"));
    }

    #[test]
    fn an_edit_gives_its_result() {
        let mut history = History::new("ab".to_owned());
        assert_eq!(history.edit(push('c')), Ok(3));
    }

    #[test]
    fn a_failed_edit_leaves_no_step_and_the_value_as_it_was() {
        let mut history = History::new("a".to_owned());
        history.edit(push('b')).unwrap();
        history.undo();
        let before = history.clone();
        let failed: Result<(), &str> = history.edit(|text| {
            text.clear();
            Err("no")
        });
        assert_eq!(failed, Err("no"));
        assert_eq!(history, before);
        assert_eq!((history.now().as_str(), history.undo_steps(), history.redo_steps()), ("a", 0, 1));
    }

    #[test]
    fn an_edit_forgets_what_was_undone() {
        let mut history = History::new(String::new());
        history.edit(push('a')).unwrap();
        history.undo();
        history.edit(push('b')).unwrap();
        assert!(!history.redo());
        assert_eq!(history.now(), "b");
        assert!(history.undo());
        assert!(!history.undo());
        assert_eq!(history.now(), "");
    }
}
