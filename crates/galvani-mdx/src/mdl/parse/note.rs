//! Comments of ours: what words cannot say (docs/formats/mdl.md#notes). They stand before the block that they are about, and are
//! taken when all its words are.

use galvani_core::text;

use super::super::check;
use super::super::lex::{Kind, Lexer, Token};
use super::super::print::{path_shown, said};
use super::super::words::{Tracks, low};
use super::{Parser, shown};
use crate::Family;
use crate::held::{Held, Raw};
use crate::track::place_of;

/// Puts things into a list, each as the so manieth.
pub(super) fn placed<T>(list: &mut Vec<T>, mut more: Vec<(usize, T)>) {
    more.sort_by_key(|(at, _)| *at);
    let mut rest = std::mem::take(list).into_iter();
    for (at, one) in more {
        list.extend(rest.by_ref().take(at.saturating_sub(list.len())));
        list.push(one);
    }
    list.extend(rest);
}

/// A comment that is about a block, or a part of it.
#[derive(Debug)]
pub(super) struct Pending<'a> {
    /// Its first word.
    word: &'a [u8],
    at: usize,
    lexer: Lexer<'a>,
}

impl<'a> Parser<'a> {
    /// What stands in a part of the block that is read.
    pub(in super::super) fn within<R>(
        &mut self,
        word: &'static str,
        index: Option<usize>,
        inner: impl FnOnce(&mut Self) -> R,
    ) -> R {
        self.path.push((word, index));
        let read = inner(self);
        self.path.pop();
        read
    }

    /// Keeps a comment of which a word was taken for the block that it is about.
    pub(in super::super) fn keep_note(&mut self, word: Token<'a>) {
        // The rest of the line begins with the token that was looked at ahead, if one was.
        let mut lexer = match self.ahead.take() {
            Some(ahead) => self.lexer.rewound(ahead.at),
            None => self.lexer.clone(),
        };
        let whole = lexer.leave_note_at(word.at);
        self.lexer = lexer;
        let (mut path, mut lexer, mut first) = (String::new(), whole.clone(), word);
        lexer.next();
        if word.bytes == b"in" {
            path = text::shown(lexer.next().bytes).into_owned();
            first = lexer.clone().next();
        } else {
            lexer = whole;
        }
        self.charge(size_of::<Pending<'_>>().saturating_add(path.len()));
        let note = Pending { word: first.bytes, at: word.at, lexer };
        self.pending.entry(path).or_default().push(note);
    }

    /// Takes what comments say of the part of the block that is being read.
    pub(in super::super) fn apply_notes(&mut self, each: &mut impl FnMut(&mut Self)) {
        if self.pending.is_empty() {
            return;
        }
        for note in self.pending.remove(&path_shown(&self.path)).unwrap_or_default() {
            let outer = (std::mem::replace(&mut self.lexer, note.lexer), self.ahead.take());
            loop {
                let token = self.next();
                match token.kind {
                    Kind::End => break,
                    Kind::Word => self.offer(token, each),
                    _ => self.tell(
                        &check::NOTE,
                        token.at,
                        format!("a word wanted, `{}` found", shown(token.bytes)),
                    ),
                }
            }
            (self.lexer, self.ahead) = outer;
        }
    }

    /// Tells of comments that are about nothing that was there.
    pub(in super::super) fn tell_pending(&mut self) {
        let left = std::mem::take(&mut self.pending);
        let places = left.iter().flat_map(|(path, notes)| notes.iter().map(move |note| (note.at, path)));
        let mut places: Vec<(usize, &String)> = places.collect();
        places.sort_unstable();
        for (at, path) in places {
            self.tell(&check::NOTE, at, format!("there is no `{path}`"));
        }
    }

    /// The bits of numbers that are none, as a comment has them for what is read now.
    pub(in super::super) fn take_nans(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let Some(own) = self.pending.get_mut(&path_shown(&self.path)) else { return };
        let Some(at) = own.iter().position(|note| note.word == b"NaN") else { return };
        let mut note = own.remove(at);
        note.lexer.next();
        let list = note.lexer.next();
        for bits in list.bytes.chunks(8) {
            if let Ok(bits) = u32::from_str_radix(&shown(bits), 16) {
                self.nans.push_back(bits);
            }
        }
    }

    /// What could not be read, with its place among its kind, if a comment says so.
    pub(in super::super) fn raw_in(&mut self, word: &'static str) {
        if !self.is_note(word) {
            return;
        }
        let at = self.count().and_then(|at| usize::try_from(at).ok()).unwrap_or(usize::MAX);
        if let Some(bytes) = self.hex() {
            self.raws.entry(word).or_default().push((at, Raw { bytes, damage: None }));
        }
    }

    /// Puts what could not be read into its places.
    pub(in super::super) fn place_raws<T>(&mut self, word: &'static str, list: &mut Vec<Held<T>>) {
        if let Some(raws) = self.raws.remove(word) {
            placed(list, raws.into_iter().map(|(at, raw)| (at, Held::Raw(raw))).collect());
        }
    }

    /// The interpolation of a track that no word says: its tag, which of those, the number.
    pub(super) fn interpolation_of(&mut self, (owner, tracks): Tracks<'_>) {
        let mut ahead = self.lexer.clone();
        let tag = self.ahead.unwrap_or_else(|| ahead.next());
        let is_its =
            place_of(owner, Family::Warcraft, tag.bytes.try_into().unwrap_or_default()) != usize::MAX;
        if !is_its || !self.is_note("Interpolation") {
            return;
        }
        self.next();
        let (which, number) = (self.count(), self.integer());
        let mut own = tracks.iter_mut().filter(|track| track.tag == tag.bytes);
        let found = which.and_then(|which| own.nth(usize::try_from(which).unwrap_or(usize::MAX)));
        if let (Some(track), Some(number)) = (found.filter(|track| track.interpolation == 3), number) {
            track.interpolation = low(number);
        }
    }

    /// Sets a room by the bytes that a comment has, if the words say what those would be printed as: else words win.
    pub(super) fn fill_by_bytes(&mut self, room: &mut [u8]) {
        let at = self.word.at;
        let Some(bytes) = self.hex() else { return };
        if bytes.len() > room.len() {
            self.tell(
                &check::NOTE,
                at,
                format!("{} bytes at most wanted, {} found", room.len(), bytes.len()),
            );
        } else if said(&bytes) == text::before_nul(room) {
            room.fill(0);
            for (to, from) in room.iter_mut().zip(bytes) {
                *to = from;
            }
        }
    }
}
