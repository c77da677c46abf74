//! What changed in a model, changed in its text: what the old model is printed as is held against what the new one is, and
//! where those differ the text is changed: a word, or else a block. Every other byte stays.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use super::lex::{Kind, Lexer, MARK, Token};

/// How deep blocks are taken apart; no block of a model lies as deep.
const DEPTH: usize = 8;

/// Most items on each side of a change that are matched with each other.
const MATCHED: usize = 512;

/// Words behind which another word is a value.
const NAMING: &[&[u8]] = &[b"static", b"FilterMode", b"GeosetId", b"GeosetAnimId", b"Bytes"];

/// Words with which tracks begin: what is in them is no words.
const CURVES: &[&[u8]] = &[b"DontInterp", b"Linear", b"Hermite", b"Bezier"];

/// The text with everything changed that differs between what was printed of it and what is printed now. Nothing where it says too
/// much in words of its own.
pub(super) fn merged(text: &[u8], old: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    let mut merge = Merge { text, old, new, changes: Vec::new() };
    let whole = |text: &[u8]| items(text, 0..text.len(), DEPTH);
    merge.items(&whole(text), &whole(old), &whole(new), text.len())?;
    merge.changes.sort_by_key(|(range, _)| (range.start, range.end));
    let mut made = Vec::with_capacity(text.len());
    let mut at = 0;
    for (range, bytes) in merge.changes {
        // Of two changes in one place neither is right.
        made.extend_from_slice(text.get(at..range.start)?);
        made.extend_from_slice(&bytes);
        at = range.end;
    }
    made.extend_from_slice(text.get(at..)?);
    Some(made)
}

/// A word with its values, and what stands in its braces.
#[derive(Debug)]
struct Item {
    span: Range<usize>,
    /// Its word, with the one behind it where that belongs to it.
    word: Range<usize>,
    /// Between its braces, if words stand there.
    inside: Option<Range<usize>>,
    items: Vec<Item>,
}

impl Item {
    fn word<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        text.get(self.word.clone()).unwrap_or_default()
    }

    fn bytes<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        text.get(self.span.clone()).unwrap_or_default()
    }
}

/// The items of a part of a text. What is not one is passed over.
fn items(text: &[u8], part: Range<usize>, depth: usize) -> Vec<Item> {
    let mut tokens = Tokens { lexer: Lexer::within(text, part), ahead: None };
    let mut found = Vec::new();
    loop {
        let token = tokens.next();
        match token.kind {
            Kind::End => return found,
            Kind::Word => found.push(item(text, &mut tokens, token, depth)),
            _ => {}
        }
    }
}

struct Tokens<'a> {
    lexer: Lexer<'a>,
    ahead: Option<Token<'a>>,
}

impl<'a> Tokens<'a> {
    fn next(&mut self) -> Token<'a> {
        self.ahead.take().unwrap_or_else(|| self.lexer.next())
    }

    fn peek(&mut self) -> Token<'a> {
        let token = self.next();
        self.ahead = Some(token);
        token
    }
}

fn item(text: &[u8], tokens: &mut Tokens<'_>, first: Token<'_>, depth: usize) -> Item {
    let (mut start, mut end) = (first.at, end_of(&first));
    if first.is_noted {
        // A comment is one, with its mark.
        let before = text.get(..start).unwrap_or_default();
        let mark = before.windows(MARK.len()).rposition(|bytes| bytes == MARK);
        start = mark.unwrap_or(start);
        while tokens.peek().is_noted && !begins_note(text, tokens.peek().at) {
            end = end_of(&tokens.next());
        }
        return Item { span: start..end, word: first.at..end_of(&first), inside: None, items: Vec::new() };
    }
    let mut word = first.at..end;
    if NAMING.contains(&first.bytes) && tokens.peek().kind == Kind::Word {
        end = end_of(&tokens.next());
        word.end = end;
    }
    let (mut inside, mut within) = (None, Vec::new());
    loop {
        let token = tokens.peek();
        match token.kind {
            Kind::Number | Kind::Text | Kind::TornText | Kind::Slot | Kind::Strange => {
                end = end_of(&token);
                tokens.next();
            }
            Kind::Open => {
                let open = end_of(&token);
                tokens.next();
                let first = tokens.peek();
                let close = skip_group(tokens);
                end = close.saturating_add(1).min(text.len());
                if first.kind == Kind::Word && !CURVES.contains(&first.bytes) && depth > 0 {
                    inside = Some(open..close);
                    within = items(text, open..close, depth.saturating_sub(1));
                }
            }
            Kind::Word | Kind::Close | Kind::End => {
                return Item { span: start..end, word, inside, items: within };
            }
        }
    }
}

/// Whether the mark of a comment stands right before a place.
fn begins_note(text: &[u8], at: usize) -> bool {
    text.get(..at).unwrap_or_default().trim_ascii_end().ends_with(MARK)
}

/// Passes over a group whose brace was taken; where its other brace stands.
fn skip_group(tokens: &mut Tokens<'_>) -> usize {
    let mut depth: usize = 1;
    loop {
        let token = tokens.next();
        match token.kind {
            Kind::Open => depth = depth.saturating_add(1),
            Kind::Close => depth = depth.saturating_sub(1),
            Kind::End => return token.at,
            _ => {}
        }
        if depth == 0 {
            return token.at;
        }
    }
}

/// Where a token ends.
fn end_of(token: &Token<'_>) -> usize {
    let quotes = match token.kind {
        Kind::Text => 2,
        Kind::TornText => 1,
        _ => 0,
    };
    token.at.saturating_add(token.bytes.len()).saturating_add(quotes)
}

/// What becomes of items.
enum Fate {
    Changes(usize, usize),
    Goes(usize),
    /// It comes behind so many of the old ones.
    Comes(usize, usize),
}

struct Merge<'t> {
    text: &'t [u8],
    old: &'t [u8],
    new: &'t [u8],
    changes: Vec<(Range<usize>, Vec<u8>)>,
}

impl Merge<'_> {
    /// Changes the items of a block that ends there; nothing if the text does not have what the old model is printed as.
    fn items(&mut self, text: &[Item], old: &[Item], new: &[Item], end: usize) -> Option<()> {
        let places = self.places(text, old);
        for fate in self.fates(old, new)? {
            match fate {
                Fate::Changes(i, j) => match places.get(i).copied().flatten() {
                    Some(place) => self.change(place, old.get(i)?, new.get(j)?),
                    // What goes without saying in the text is said now.
                    None => self.insert((&places, end), i, new.get(j)?),
                },
                Fate::Goes(i) => {
                    let place = places.get(i).copied().flatten()?.span.clone();
                    self.changes.push((self.whole_lines(place), Vec::new()));
                }
                Fate::Comes(behind, j) => self.insert((&places, end), behind, new.get(j)?),
            }
        }
        Some(())
    }

    /// Puts an item behind so many of the old ones, on lines of its own.
    fn insert(&mut self, (places, end): (&[Option<&Item>], usize), behind: usize, item: &Item) {
        let before = places.iter().take(behind).rev().find_map(|place| *place);
        let next = places.get(behind).copied().flatten();
        let at = match (before, next) {
            (Some(before), _) => self.line_end(before.span.end),
            (None, Some(next)) => self.line_start(next.span.start),
            (None, None) => self.line_start(end),
        };
        let lines = self.lines_of_new(item.span.clone());
        let needs_end = at > 0 && self.text.get(at.saturating_sub(1)) != Some(&b'\n');
        let made = if needs_end { [b"\n", lines.as_slice()].concat() } else { lines };
        self.changes.push((at..at, made));
    }

    /// Which items change, go and come.
    fn fates(&self, old: &[Item], new: &[Item]) -> Option<Vec<Fate>> {
        let is_same = |i: &Item, j: &Item| i.bytes(self.old) == j.bytes(self.new);
        let begin = old.iter().zip(new).take_while(|(i, j)| is_same(i, j)).count();
        let most = old.len().min(new.len()).saturating_sub(begin);
        let alike =
            old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(i, j)| is_same(i, j)).count();
        let (old_middle, new_middle) =
            (begin..old.len().saturating_sub(alike), begin..new.len().saturating_sub(alike));
        let key = |item: &Item, text| item.word(text).to_vec();
        let olds: Vec<Vec<u8>> =
            old.get(old_middle.clone())?.iter().map(|item| key(item, self.old)).collect();
        let news: Vec<Vec<u8>> =
            new.get(new_middle.clone())?.iter().map(|item| key(item, self.new)).collect();
        if olds == news {
            let pairs = old_middle
                .zip(new_middle)
                .filter(|(i, j)| old.get(*i).zip(new.get(*j)).is_some_and(|(i, j)| !is_same(i, j)));
            return Some(pairs.map(|(i, j)| Fate::Changes(i, j)).collect());
        }
        if olds.len() > MATCHED || news.len() > MATCHED {
            return None;
        }
        let mut fates = Vec::new();
        let (mut i, mut j) = (old_middle.start, new_middle.start);
        for (a, b) in matches(&olds, &news, |a, b| {
            let pair = old.get(begin.saturating_add(a)).zip(new.get(begin.saturating_add(b)));
            pair.is_some_and(|(i, j)| is_same(i, j))
        }) {
            let (a, b) = (begin.saturating_add(a), begin.saturating_add(b));
            fates.extend((i..a).map(Fate::Goes));
            fates.extend((j..b).map(|j| Fate::Comes(a, j)));
            if old.get(a).zip(new.get(b)).is_some_and(|(i, j)| !is_same(i, j)) {
                fates.push(Fate::Changes(a, b));
            }
            (i, j) = (a.saturating_add(1), b.saturating_add(1));
        }
        let last = old_middle.end;
        fates.extend((i..last).map(Fate::Goes));
        fates.extend((j..new_middle.end).map(|j| Fate::Comes(last, j)));
        Some(fates)
    }

    /// What of the text each old item is: as many with its word stand before it.
    fn places<'i>(&self, text: &'i [Item], old: &[Item]) -> Vec<Option<&'i Item>> {
        let mut by_word: BTreeMap<&[u8], VecDeque<&Item>> = BTreeMap::new();
        for item in text {
            by_word.entry(item.word(self.text)).or_default().push_back(item);
        }
        old.iter().map(|item| by_word.get_mut(item.word(self.old))?.pop_front()).collect()
    }

    /// Changes an item: what is in its braces, or else its words, or else all of it.
    fn change(&mut self, place: &Item, old: &Item, new: &Item) {
        let mark = self.changes.len();
        let changed = if let (Some(inside), Some(was), Some(is)) = (&place.inside, &old.inside, &new.inside) {
            let heads = (place.span.start..inside.start, old.span.start..was.start, new.span.start..is.start);
            self.words(heads).and_then(|()| self.items(&place.items, &old.items, &new.items, inside.end))
        } else {
            self.words((place.span.clone(), old.span.clone(), new.span.clone()))
        };
        if changed.is_none() {
            self.changes.truncate(mark);
            self.changes.push((place.span.clone(), new.bytes(self.new).to_vec()));
        }
    }

    /// Replaces the words that differ, if there are as many in all three places.
    fn words(&mut self, (place, old, new): (Range<usize>, Range<usize>, Range<usize>)) -> Option<()> {
        let (mut places, mut olds, mut news) =
            (Lexer::within(self.text, place), Lexer::within(self.old, old), Lexer::within(self.new, new));
        loop {
            let (place, old, new) = (places.next(), olds.next(), news.next());
            if old.kind == Kind::End && new.kind == Kind::End && place.kind == Kind::End {
                return Some(());
            }
            let is_shaped = |kind: Kind| matches!(kind, Kind::Open | Kind::Close | Kind::End);
            if [place.kind, old.kind]
                .into_iter()
                .any(|kind| (is_shaped(kind) || is_shaped(new.kind)) && kind != new.kind)
            {
                return None;
            }
            if old.kind != new.kind || old.bytes != new.bytes {
                let made = self.new.get(new.at..end_of(&new))?;
                self.changes.push((place.at..end_of(&place), made.to_vec()));
            }
        }
    }

    /// The lines that something stands on, if nothing else does.
    fn whole_lines(&self, span: Range<usize>) -> Range<usize> {
        let start = self.line_start(span.start);
        let behind = self.text.get(span.end..).unwrap_or_default();
        let separators = behind
            .iter()
            .position(|byte| !matches!(byte, b',' | b' ' | b'\t' | b'\r'))
            .unwrap_or(behind.len());
        let end = span.end.saturating_add(separators);
        let is_alone = self.text.get(start..span.start).is_some_and(|before| before.trim_ascii().is_empty());
        match self.text.get(end) {
            Some(b'\n') if is_alone => start..end.saturating_add(1),
            _ => span.start..end,
        }
    }

    /// Where the line of a place begins.
    fn line_start(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or_default();
        before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end.saturating_add(1))
    }

    /// Where the line behind the one of a place begins.
    fn line_end(&self, at: usize) -> usize {
        let behind = self.text.get(at..).unwrap_or_default();
        let len =
            behind.iter().position(|byte| *byte == b'\n').map_or(behind.len(), |end| end.saturating_add(1));
        at.saturating_add(len)
    }

    /// The lines of an item of the new text.
    fn lines_of_new(&self, span: Range<usize>) -> Vec<u8> {
        let before = self.new.get(..span.start).unwrap_or_default();
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end.saturating_add(1));
        let behind = self.new.get(span.end..).unwrap_or_default();
        let len =
            behind.iter().position(|byte| *byte == b'\n').map_or(behind.len(), |end| end.saturating_add(1));
        self.new.get(start..span.end.saturating_add(len)).unwrap_or_default().to_vec()
    }
}

/// The longest row of pairs in order whose words are the same; of equally long ones that with most items that are the same.
fn matches(old: &[Vec<u8>], new: &[Vec<u8>], is_same: impl Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
    let width = new.len().saturating_add(1);
    let at = |i: usize, j: usize| i.saturating_mul(width).saturating_add(j);
    let mut best = vec![0_u64; old.len().saturating_add(1).saturating_mul(width)];
    let value = |best: &[u64], i: usize, j: usize| best.get(at(i, j)).copied().unwrap_or(0);
    // Twice as much as any number of items that are the same would make.
    let of_pair = |i: usize, j: usize| {
        let alike = old.get(i).zip(new.get(j)).is_some_and(|(a, b)| a == b);
        if !alike {
            0
        } else if is_same(i, j) {
            3
        } else {
            2
        }
    };
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let (i1, j1) = (i.saturating_add(1), j.saturating_add(1));
            let paired = match of_pair(i, j) {
                0 => 0,
                pair => value(&best, i1, j1).saturating_add(pair),
            };
            let found = paired.max(value(&best, i1, j)).max(value(&best, i, j1));
            if let Some(room) = best.get_mut(at(i, j)) {
                *room = found;
            }
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < old.len() && j < new.len() {
        let (i1, j1) = (i.saturating_add(1), j.saturating_add(1));
        let pair = of_pair(i, j);
        if pair > 0 && value(&best, i, j) == value(&best, i1, j1).saturating_add(pair) {
            pairs.push((i, j));
            (i, j) = (i1, j1);
        } else if value(&best, i1, j) >= value(&best, i, j1) {
            i = i1;
        } else {
            j = j1;
        }
    }
    pairs
}
