//! Values behind a word: numbers, texts, tuples, lists.

use std::ops::RangeInclusive;

use galvani_core::record::Record;
use galvani_core::{room, text};
use zerocopy::little_endian::F32;
use zerocopy::{FromBytes, IntoBytes};

use super::super::check;
use super::super::lex::{Kind, Token};
use super::super::print::NOTED_NAN;
use super::super::words::Whole;
use super::{Parser, shown};

/// What numbers that are none are called.
const ODD: &[&[u8]] = &[b"nan", b"inf", b"infinity"];

/// Whether a token says a number, or that something is none.
fn is_number(token: &Token<'_>) -> bool {
    token.kind == Kind::Number
        || token.kind == Kind::Word
            && (ODD.iter().any(|word| word.eq_ignore_ascii_case(token.bytes)) || noted_nan(token).is_some())
}

/// The bits of a number that is none, as comments have them.
fn noted_nan(token: &Token<'_>) -> Option<F32> {
    let word = std::str::from_utf8(token.bytes).ok().filter(|_| token.is_noted)?;
    let bits = u32::from_str_radix(word.strip_prefix(NOTED_NAN)?, 16).ok()?;
    f32::from_bits(bits).is_nan().then(|| F32::from_bytes(bits.to_le_bytes()))
}

/// A float from its spelling; what old programs print for numbers that are none, too.
fn float_of(bytes: &[u8]) -> Option<f32> {
    let word = std::str::from_utf8(bytes).ok()?;
    if let Ok(value) = word.parse() {
        return Some(value);
    }
    let bare = word.trim_start_matches(['+', '-']);
    let size = if bare.starts_with("1.#INF") {
        f32::INFINITY
    } else if bare.starts_with("1.#") {
        f32::NAN
    } else {
        return None;
    };
    Some(if word.starts_with('-') { -size } else { size })
}

/// A whole number from its spelling: what stands before a point if there is one.
fn whole_of(bytes: &[u8]) -> Option<i64> {
    let word = std::str::from_utf8(bytes).ok()?;
    let whole = word.parse().ok();
    #[allow(
        clippy::cast_possible_truncation,
        clippy::as_conversions,
        reason = "what is too large is refused later"
    )]
    let floored =
        || word.parse::<f64>().ok().filter(|value| value.is_finite()).map(|value| value.trunc() as i64);
    whole.or_else(floored)
}

/// The numbers that 32 bits hold, with a sign or without.
const WHOLE: RangeInclusive<i64> = -0x8000_0000..=0xffff_ffff;

impl<'a> Parser<'a> {
    /// The next token as a number's, if it is one.
    fn number_token(&mut self) -> Option<Token<'a>> {
        let token = self.peek();
        if is_number(&token) {
            return Some(self.next());
        }
        self.tell(&check::VALUE, token.at, format!("a number wanted, `{}` found", shown(token.bytes)));
        None
    }

    /// A float.
    pub(in super::super) fn real(&mut self) -> Option<F32> {
        let token = self.number_token()?;
        Some(self.real_of(&token))
    }

    /// The float that a token says; 0 where it says none.
    #[inline]
    fn real_of(&mut self, token: &Token<'_>) -> F32 {
        match float_of(token.bytes) {
            Some(value) if value.is_finite() => F32::new(value),
            found => self.odd_real(token, found),
        }
    }

    #[cold]
    fn odd_real(&mut self, token: &Token<'_>, found: Option<f32>) -> F32 {
        if let Some(noted) = noted_nan(token) {
            return noted;
        }
        let is_spelled = token.kind == Kind::Word || token.bytes.contains(&b'#');
        match found {
            Some(value) if value.is_nan() => {
                self.tell(&check::NOT_FINITE, token.at, format!("`{}`", shown(token.bytes)));
                let bits = self.nans.pop_front().unwrap_or(super::super::print::NAN);
                let bits = if f32::from_bits(bits).is_nan() { bits } else { super::super::print::NAN };
                F32::from_bytes(bits.to_le_bytes())
            }
            Some(value) if is_spelled || token.bytes.ends_with(b"inf") => {
                self.tell(&check::NOT_FINITE, token.at, format!("`{}`", shown(token.bytes)));
                F32::new(value)
            }
            Some(value) => {
                let largest = f32::MAX.copysign(value);
                self.tell(
                    &check::NUMBER,
                    token.at,
                    format!("`{}` is too large; {largest:e} is taken", shown(token.bytes)),
                );
                F32::new(largest)
            }
            None => {
                self.tell(
                    &check::NUMBER,
                    token.at,
                    format!("`{}` is no number; 0 is taken", shown(token.bytes)),
                );
                F32::new(0.0)
            }
        }
    }

    /// A whole number of 32 bits.
    pub(in super::super) fn integer(&mut self) -> Option<i64> {
        let token = self.number_token()?;
        Some(self.integer_of(&token, &WHOLE))
    }

    /// The whole number that a token says, the nearest that is held.
    fn integer_of(&mut self, token: &Token<'_>, held: &RangeInclusive<i64>) -> i64 {
        match whole_of(token.bytes) {
            Some(value) if held.contains(&value) => value,
            Some(value) => {
                let nearest = value.clamp(*held.start(), *held.end());
                let said =
                    format!("{} to {} wanted, {value} found; {nearest} is taken", held.start(), held.end());
                self.tell(&check::NUMBER, token.at, said);
                nearest
            }
            None => {
                self.tell(
                    &check::NUMBER,
                    token.at,
                    format!("`{}` is no whole number; 0 is taken", shown(token.bytes)),
                );
                0
            }
        }
    }

    /// A count before a brace, if there is one.
    pub(in super::super) fn count(&mut self) -> Option<i64> {
        let token = self.take_if(Kind::Number)?;
        Some(self.integer_of(&token, &(0..=i64::MAX)))
    }

    /// Holds a count against what is there: that is what counts.
    pub(in super::super) fn compare(&mut self, at: usize, said: Option<i64>, found: usize) {
        if let Some(said) = said
            && usize::try_from(said) != Ok(found)
        {
            self.tell(&check::COUNT, at, format!("{said} counted, {found} found"));
        }
    }

    /// A text.
    pub(in super::super) fn text_value(&mut self) -> Option<Token<'a>> {
        let token = self.peek();
        match token.kind {
            Kind::Text => Some(self.next()),
            Kind::TornText => {
                self.tell(
                    &check::TORN_TEXT,
                    token.at,
                    format!("`\"` wanted behind `{}`", shown(token.bytes)),
                );
                Some(self.next())
            }
            _ => {
                self.tell(&check::VALUE, token.at, format!("a text wanted, `{}` found", shown(token.bytes)));
                None
            }
        }
    }

    /// Bytes in hex, of a comment.
    pub(in super::super) fn hex(&mut self) -> Option<Vec<u8>> {
        let token = self.text_value()?;
        let bytes = std::str::from_utf8(token.bytes).ok().and_then(text::from_hex);
        if bytes.is_none() {
            self.tell(&check::NOTE, token.at, "bytes in hex wanted");
        }
        bytes
    }

    /// Puts a text into its room.
    pub(in super::super) fn fill(&mut self, room: &mut [u8], token: Token<'_>) {
        let said = text::before_nul(token.bytes);
        if said.len() > room.len() {
            let found =
                format!("{} bytes at most wanted, {} found; the rest is cut off", room.len(), said.len());
            self.tell(&check::TEXT_LONG, token.at, found);
        }
        // What is cut has an end; what fits has one if there is room for it.
        let most = if said.len() > room.len() { room.len().saturating_sub(1) } else { room.len() };
        room.fill(0);
        for (to, from) in room.iter_mut().take(most).zip(said) {
            *to = *from;
        }
    }

    /// Floats in braces, as many as wanted. One stands for all of its kind where no brace does.
    pub(in super::super) fn tuple(&mut self, values: &mut [F32]) {
        let start = self.peek();
        if self.take_if(Kind::Open).is_none() {
            let found = format!("`{{` wanted, `{}` found", shown(start.bytes));
            self.tell(&check::VALUE, start.at, found);
            self.skip_values();
            return;
        }
        let mut found: usize = 0;
        loop {
            let token = self.peek();
            if is_number(&token) {
                self.next();
                let value = self.real_of(&token);
                if let Some(room) = values.get_mut(found) {
                    *room = value;
                }
                found = found.saturating_add(1);
            } else {
                self.end_of_tuple(&token);
                break;
            }
        }
        if found != values.len() && !self.has_ended {
            self.charge(size_of_val(values));
            self.tell(&check::VALUE, start.at, format!("{} numbers wanted, {found} found", values.len()));
        }
    }

    /// Whole numbers in braces, as many as wanted.
    pub(in super::super) fn whole_tuple<T: Whole>(&mut self, values: &mut [T]) {
        let start = self.peek();
        if self.take_if(Kind::Open).is_none() {
            self.tell(&check::VALUE, start.at, format!("`{{` wanted, `{}` found", shown(start.bytes)));
            self.skip_values();
            return;
        }
        let mut found: usize = 0;
        while let Some(token) = self.take_if(Kind::Number) {
            let value = self.integer_of(&token, &WHOLE);
            if let Some(room) = values.get_mut(found) {
                room.take(value);
            }
            found = found.saturating_add(1);
        }
        let end = self.peek();
        self.end_of_tuple(&end);
        if found != values.len() && !self.has_ended {
            self.tell(&check::VALUE, start.at, format!("{} numbers wanted, {found} found", values.len()));
        }
    }

    /// Takes the brace that ends numbers; whatever stands before it is passed over.
    fn end_of_tuple(&mut self, token: &Token<'a>) {
        match token.kind {
            Kind::Close => {
                self.next();
                return;
            }
            Kind::End => return self.tell_end(token.at),
            _ if self.is_next_block(token) => return,
            _ => {}
        }
        self.tell(
            &check::VALUE,
            token.at,
            format!("a number or `}}` wanted, `{}` found", shown(token.bytes)),
        );
        loop {
            let token = self.peek();
            match token.kind {
                Kind::Close => {
                    self.next();
                    return;
                }
                Kind::End => return self.tell_end(token.at),
                Kind::Open => {
                    self.next();
                    self.skip_group();
                }
                _ if self.is_next_block(&token) => return,
                _ => drop(self.next()),
            }
        }
    }

    /// Everything in braces, and in braces in those: each number is given to `each`, of each inner group how many
    /// there were. Whether there was a brace to begin with.
    pub(in super::super) fn flat(
        &mut self,
        mut each: impl FnMut(&mut Self, &Token<'a>),
        mut group: impl FnMut(&mut Self, usize, usize),
    ) -> bool {
        let start = self.peek();
        if self.take_if(Kind::Open).is_none() {
            self.tell(&check::VALUE, start.at, format!("`{{` wanted, `{}` found", shown(start.bytes)));
            self.skip_values();
            return false;
        }
        let (mut depth, mut found, mut opened): (usize, usize, usize) = (1, 0, start.at);
        while depth > 0 && self.exhausted.is_none() {
            let token = self.next();
            match token.kind {
                Kind::Open => {
                    depth = depth.saturating_add(1);
                    (found, opened) = (0, token.at);
                }
                Kind::Close => {
                    depth = depth.saturating_sub(1);
                    if depth == 1 {
                        group(self, found, opened);
                    }
                }
                Kind::End => {
                    self.ahead = Some(token);
                    self.tell_end(token.at);
                    break;
                }
                _ if self.is_next_block(&token) => {
                    self.ahead = Some(token);
                    break;
                }
                _ if is_number(&token) => {
                    found = found.saturating_add(1);
                    each(self, &token);
                }
                _ => {
                    let said = format!("a number wanted, `{}` found", shown(token.bytes));
                    self.tell(&check::VALUE, token.at, said);
                }
            }
        }
        true
    }

    /// Rows of floats behind their count.
    pub(in super::super) fn rows<T: Record>(&mut self) -> Vec<T> {
        let width = size_of::<T>().checked_div(size_of::<F32>()).unwrap_or(1).max(1);
        let (at, count) = (self.peek().at, self.count());
        let mut numbers: Vec<F32> = Vec::new();
        let keep = |parser: &mut Self, numbers: &mut Vec<F32>, value: F32| {
            let kept = room::push(numbers, value);
            parser.room(kept);
        };
        let cell = std::cell::RefCell::new(&mut numbers);
        self.flat(
            |parser, token| {
                let value = parser.real_of(token);
                keep(parser, &mut cell.borrow_mut(), value);
            },
            |parser, found, at| {
                if found != width {
                    parser.tell(&check::VALUE, at, format!("{width} numbers wanted, {found} found"));
                    parser.charge(size_of::<T>());
                    // The next row begins where it should.
                    let mut numbers = cell.borrow_mut();
                    let rows = numbers.len().saturating_sub(found).saturating_add(width);
                    numbers.resize(rows, F32::new(0.0));
                }
            },
        );
        let count_found = numbers.len().checked_div(width).unwrap_or(0);
        let rows = <[T]>::ref_from_prefix_with_elems(numbers.as_bytes(), count_found);
        let rows = rows.map(|(rows, _)| rows).unwrap_or_default();
        self.compare(at, count, rows.len());
        if !numbers.len().is_multiple_of(width) {
            self.tell(
                &check::VALUE,
                at,
                format!("a multiple of {width} numbers wanted, {} found", numbers.len()),
            );
        }
        let rows = room::copied(rows);
        self.room(rows).unwrap_or_default()
    }

    /// Whole numbers in braces, however they are grouped.
    pub(in super::super) fn whole_list<T: Whole + Default>(&mut self, held: Option<i64>) -> Vec<T> {
        let mut list = Vec::new();
        let held = 0..=held.unwrap_or(u8::MAX.into());
        self.flat(
            |parser, token| {
                let mut value = T::default();
                value.take(parser.integer_of(token, &held));
                let kept = room::push(&mut list, value);
                parser.room(kept);
            },
            |_, _, _| {},
        );
        list
    }

    /// Keeps something if there is room.
    pub(in super::super) fn keep<T>(&mut self, list: &mut Vec<T>, one: Option<T>) {
        if let Some(one) = one {
            let kept = room::push(list, one);
            self.room(kept);
        }
    }
}
