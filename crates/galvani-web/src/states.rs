//! Undo and redo without end: every state that a file was in, each as what differs from the one before.
//!
//! An edit changes a small part of a file. What both states begin and end with is held once.

use std::sync::Arc;

use crate::shelf::Bytes;

/// The states of a file.
#[derive(Debug)]
pub struct States {
    now: Bytes,
    /// What leads back, the last step last.
    past: Vec<Patch>,
    /// What leads forward again, the next step last.
    future: Vec<Patch>,
}

/// What makes one state of the other: the bytes between what both begin and end with.
#[derive(Debug)]
struct Patch {
    start: usize,
    /// How many bytes at the end are the same.
    kept: usize,
    bytes: Box<[u8]>,
}

impl States {
    /// A file to which nothing was done.
    pub fn new(now: Bytes) -> Self {
        States { now, past: Vec::new(), future: Vec::new() }
    }

    /// The file as it stands.
    pub fn now(&self) -> &Bytes {
        &self.now
    }

    /// The next state. What was undone before is forgotten.
    pub fn push(&mut self, next: Bytes) {
        self.past.push(Patch::new(&next, &self.now));
        self.future.clear();
        self.now = next;
    }

    /// Goes a step back; false if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(patch) = self.past.pop() else { return false };
        let back = self.step(&patch);
        self.future.push(back);
        true
    }

    /// Goes a step forward again; false if there is none.
    pub fn redo(&mut self) -> bool {
        let Some(patch) = self.future.pop() else { return false };
        let back = self.step(&patch);
        self.past.push(back);
        true
    }

    /// How many steps lead back, and how many forward.
    pub fn steps(&self) -> (usize, usize) {
        (self.past.len(), self.future.len())
    }

    /// Goes where a patch leads; gives the one that leads back.
    fn step(&mut self, patch: &Patch) -> Patch {
        let next = patch.of(&self.now);
        let back = Patch::new(&next, &self.now);
        self.now = next;
        back
    }
}

impl Patch {
    /// What makes `to` of `from`.
    fn new(from: &[u8], to: &[u8]) -> Self {
        let same = |pairs: &mut dyn Iterator<Item = (&u8, &u8)>| pairs.take_while(|(a, b)| a == b).count();
        let start = same(&mut from.iter().zip(to));
        let most = from.len().min(to.len()) - start;
        let kept = same(&mut from.iter().rev().zip(to.iter().rev())).min(most);
        Patch { start, kept, bytes: to[start..to.len() - kept].into() }
    }

    /// What it makes of the state that it was made for.
    fn of(&self, from: &[u8]) -> Bytes {
        let parts = [&from[..self.start], &self.bytes, &from[from.len() - self.kept..]];
        Arc::from(parts.concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_comes_back() {
        let states: [&[u8]; 7] = [b"abcabc", b"abc", b"", b"xabcx", b"xabcx", b"xabcabcx", b"aa"];
        let mut history = States::new(states[0].into());
        states[1..].iter().for_each(|state| history.push((*state).into()));
        for _ in 0..2 {
            for state in states.iter().rev().skip(1) {
                assert!(history.undo());
                assert_eq!(&**history.now(), *state);
            }
            assert!(!history.undo());
            assert_eq!(history.steps(), (0, 6));
            for state in &states[1..] {
                assert!(history.redo());
                assert_eq!(&**history.now(), *state);
            }
            assert!(!history.redo());
        }
    }

    #[test]
    fn an_edit_forgets_what_was_undone() {
        let mut history = States::new(b"a".as_slice().into());
        history.push(b"b".as_slice().into());
        history.undo();
        history.push(b"c".as_slice().into());
        assert!(!history.redo());
        assert_eq!((&**history.now(), history.steps()), (&b"c"[..], (1, 0)));
    }

    #[test]
    fn a_small_change_of_a_large_file_is_held_small() {
        let mut file = vec![7; 1 << 20];
        let mut history = States::new(file.as_slice().into());
        file[1000] = 8;
        history.push(file.into());
        assert_eq!(history.past[0].bytes.len(), 1);
    }
}
