//! Comments of ours: what words cannot say (docs/formats/mdl.md#notes). They stand before the block that they are about, since many
//! readers know none inside.

use galvani_core::{room, text};

use super::super::lex::MARK;
use super::{NAN, Printer};

/// A path inside a block: `Material[2].Layer[0]`.
pub(in super::super) fn path_shown(path: &[(&'static str, Option<usize>)]) -> String {
    let step = |(word, index): &(&str, Option<usize>)| match index {
        Some(index) => format!("{word}[{index}]"),
        None => (*word).to_owned(),
    };
    path.iter().map(step).collect::<Vec<_>>().join(".")
}

impl Printer {
    /// Something that stands in a comment: in one before the block that it is about, with the path to its part.
    pub(super) fn in_notes(&mut self, inner: impl FnOnce(&mut Self)) {
        if self.is_noted {
            return inner(self);
        }
        let outer = std::mem::take(&mut self.out);
        self.is_noted = true;
        inner(self);
        self.is_noted = false;
        let said = std::mem::replace(&mut self.out, outer);
        if said.is_empty() {
            return;
        }
        let mut note = MARK.to_vec();
        if !self.path.is_empty() {
            note.extend_from_slice(format!(" in \"{}\"", path_shown(&self.path)).as_bytes());
        }
        note.extend_from_slice(&said);
        note.push(b'\n');
        let to = if self.top.is_some() { &mut self.notes } else { &mut self.out };
        if let Err(end) = room::append(to, &note) {
            self.problem.get_or_insert(*end.cause);
        }
    }

    /// A word with texts, in a comment.
    pub(super) fn note(&mut self, word: &str, texts: &[&str]) {
        self.in_notes(|out| {
            out.word(word);
            for text in texts {
                out.put(b" \"");
                out.put(text.as_bytes());
                out.put(b"\"");
            }
        });
    }

    /// A block at the top, with its comments before it.
    pub(super) fn top(&mut self, inner: impl FnOnce(&mut Self)) {
        let start = self.out.len();
        self.top = Some(start);
        inner(self);
        self.top = None;
        if !self.notes.is_empty() {
            let notes = std::mem::take(&mut self.notes);
            let block = self.out.split_off(start);
            self.put(&notes);
            self.put(&block);
        }
    }

    /// What stands in a part of a block.
    pub(super) fn within(&mut self, word: &'static str, index: Option<usize>, inner: impl FnOnce(&mut Self)) {
        self.path.push((word, index));
        inner(self);
        self.path.pop();
    }

    /// Notes the bits of numbers that are none, if they are not the usual ones.
    pub(super) fn note_nans(&mut self) {
        let nans = std::mem::take(&mut self.nans);
        if nans.iter().any(|bits| *bits != NAN) {
            let list: Vec<u8> = nans.iter().flat_map(|bits| bits.to_be_bytes()).collect();
            let list = text::hex(&list);
            self.note("NaN", &[&list]);
        }
    }

    /// What could not be read, with its place among its kind, in a comment.
    pub(super) fn note_raw(&mut self, word: &str, index: usize, bytes: &[u8]) {
        self.note(&format!("{word} {index}"), &[&text::hex(bytes)]);
    }
}
