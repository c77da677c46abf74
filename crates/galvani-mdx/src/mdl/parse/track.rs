//! Tracks: `Translation 2 { Linear, 0: { 0, 0, 0 }, 100: { 0, 0, 1 }, }`.

use galvani_core::room;
use zerocopy::little_endian::F32;

use super::super::check;
use super::super::lex::{Kind, Token};
use super::super::print::INTERPOLATIONS;
use super::super::words::{Whole, low};
use super::{Parser, shown};
use crate::Family;
use crate::track::{Form, Owner, Track, TrackValue, value_of};

impl<'a> Parser<'a> {
    /// A track whose word was taken; nothing if it does not end.
    pub(super) fn track(&mut self, owner: Owner, tag: &'static str) -> Option<Track> {
        let tag = <[u8; 4]>::try_from(tag.as_bytes()).unwrap_or_default();
        let (_, value) = value_of(owner, Family::Warcraft, tag)?;
        self.charge(size_of::<Track>());
        let mut track = Track::new(tag, Form::Generic, value);
        track.interpolation = 0;
        let at = self.peek().at;
        let mut is_uneven = false;
        self.keys(&mut track, "a key", |parser, track, token| {
            match token.kind {
                Kind::Number => parser.key(track),
                Kind::Word => {
                    parser.next();
                    match token.bytes {
                        b"InTan" => is_uneven |= !parser.tangent(track, Side::In),
                        b"OutTan" => is_uneven |= !parser.tangent(track, Side::Out),
                        b"GlobalSeqId" => track.global.take(parser.integer().unwrap_or(-1)),
                        _ => parser.interpolation(track, token.bytes, token.at),
                    }
                }
                _ => return false,
            }
            true
        })?;
        self.even_out(&mut track, is_uneven, at);
        self.is_taken = true;
        Some(track)
    }

    /// What stands in the braces of a track, behind how many keys there should be: `each` takes what begins with a token, or
    /// leaves it. Nothing if the braces do not end.
    fn keys(
        &mut self,
        track: &mut Track,
        wanted: &str,
        mut each: impl FnMut(&mut Self, &mut Track, &Token<'a>) -> bool,
    ) -> Option<()> {
        let (at, count) = (self.peek().at, self.count());
        if !self.open() {
            return None;
        }
        let mut is_whole = false;
        while self.exhausted.is_none() {
            let token = self.peek();
            if token.kind == Kind::End {
                self.tell_end(token.at);
                break;
            }
            if token.kind == Kind::Close || self.is_next_block(&token) {
                self.take_if(Kind::Close);
                is_whole = true;
                break;
            }
            if !each(self, track, &token) {
                self.next();
                let said = format!("{wanted} wanted, `{}` found", shown(token.bytes));
                self.tell(&check::STRAY, token.at, said);
                if token.kind == Kind::Open {
                    self.skip_group();
                }
            }
        }
        self.depth = self.depth.saturating_sub(1);
        self.compare(at, count.filter(|_| is_whole), track.times.len());
        is_whole.then_some(())
    }

    fn interpolation(&mut self, track: &mut Track, word: &[u8], at: usize) {
        if let Some((_, number)) = INTERPOLATIONS.iter().zip(0..).find(|(name, _)| name.as_bytes() == word) {
            track.interpolation = number;
            return;
        }
        let said = format!("{} wanted, `{}` found", INTERPOLATIONS.join(", "), shown(word));
        self.tell(&check::UNKNOWN_WORD, at, said);
        self.skip_values();
    }

    fn key(&mut self, track: &mut Track) {
        let time = self.integer().unwrap_or(0);
        let kept = room::push(&mut track.times, low(time).cast_signed());
        self.room(kept);
        let words = self.key_value(track.value);
        self.append(&mut track.values, words);
    }

    /// A value of a key, in words of the file, and how many those are.
    fn key_value(&mut self, value: TrackValue) -> ([u32; 4], usize) {
        let count = value.words();
        let words = if value == TrackValue::Number {
            [low(self.integer().unwrap_or(0)), 0, 0, 0]
        } else if count == 1 {
            [bits(self.real().unwrap_or_default()), 0, 0, 0]
        } else {
            let mut values = [F32::new(0.0); 4];
            self.tuple(values.get_mut(..count).unwrap_or_default());
            values.map(bits)
        };
        (words, count)
    }

    fn append(&mut self, list: &mut Vec<u32>, (words, count): ([u32; 4], usize)) {
        let kept = room::append(list, words.get(..count).unwrap_or_default());
        self.room(kept);
    }

    /// A tangent of the key before it; whether each key up to there has just one.
    fn tangent(&mut self, track: &mut Track, side: Side) -> bool {
        let words = self.key_value(track.value);
        let list = match side {
            Side::In => &mut track.in_tangents,
            Side::Out => &mut track.out_tangents,
        };
        let before = track.times.len().saturating_sub(1).saturating_mul(words.1);
        if track.times.is_empty() || list.len() > before {
            return false;
        }
        // Keys before that have none have zeros.
        let is_even = list.len() == before;
        list.resize(before, 0);
        self.append(list, words);
        is_even
    }

    /// Every key of a curve has tangents, no other has.
    fn even_out(&mut self, track: &mut Track, is_uneven: bool, at: usize) {
        let wanted = if track.has_tangents() { track.values.len() } else { 0 };
        let found = [track.in_tangents.len(), track.out_tangents.len()];
        if is_uneven || found != [wanted; 2] {
            let wants = if track.has_tangents() { "InTan and OutTan at every key" } else { "none" };
            self.tell(&check::TANGENTS, at, format!("{wants} wanted"));
            track.in_tangents.resize(wanted, 0);
            track.out_tangents.resize(wanted, 0);
        }
    }

    /// The moments of an event: numbers in braces, perhaps the global sequence before them.
    pub(super) fn event_track(&mut self) -> Option<Track> {
        let mut track = Track::new(*b"KEVT", Form::Simple, TrackValue::Moment);
        track.interpolation = 0;
        self.keys(&mut track, "a moment", |parser, track, token| {
            match token.kind {
                Kind::Number => {
                    let time = parser.integer().unwrap_or(0);
                    let kept = room::push(&mut track.times, low(time).cast_signed());
                    parser.room(kept);
                }
                Kind::Word if token.bytes == b"GlobalSeqId" => {
                    parser.next();
                    track.global.take(parser.integer().unwrap_or(-1));
                }
                _ => return false,
            }
            true
        })?;
        Some(track)
    }
}

#[derive(Clone, Copy)]
enum Side {
    In,
    Out,
}

fn bits(value: F32) -> u32 {
    u32::from_le_bytes(value.to_bytes())
}
