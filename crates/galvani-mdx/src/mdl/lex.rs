//! Bytes → tokens (docs/formats/mdl.md#lexis). Commas, colons, blanks and comments only part them.

/// How a comment begins that says what words cannot.
pub(super) const MARK: &[u8] = b"//galvani:";

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Begins with a letter or `_`.
    Word,
    /// Begins with a digit, a sign or a dot.
    Number,
    /// What stands between two `"`.
    Text,
    /// The same without the second one on its line.
    TornText,
    /// `{`
    Open,
    /// `}`
    Close,
    /// `<=`
    Slot,
    /// A byte that begins none of these.
    Strange,
    /// Nothing is left.
    End,
}

/// A token and its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    /// Its bytes; of a text those between its `"`.
    pub(super) bytes: &'a [u8],
    /// Where it begins.
    pub(super) at: usize,
    /// Whether it stands in a comment that says what words cannot.
    pub(super) is_noted: bool,
}

/// The tokens of a text, one after the other.
#[derive(Debug, Clone)]
pub(super) struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    /// Up to here is the comment in which it is.
    noted: usize,
}

/// What a byte is to whoever looks for tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Number,
    Blank,
    Other,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0_u8;
    loop {
        let class = match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Class::Letter,
            b'0'..=b'9' | b'+' | b'-' | b'.' | b'#' => Class::Number,
            b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' | b'\x0b' | b'\x0c' => Class::Blank,
            _ => Class::Other,
        };
        #[allow(clippy::as_conversions, clippy::indexing_slicing, reason = "a byte, in a constant")]
        {
            classes[byte as usize] = class;
        }
        if byte == u8::MAX {
            break classes;
        }
        #[allow(clippy::arithmetic_side_effects, reason = "below the largest byte")]
        {
            byte += 1;
        }
    }
};

fn class(byte: u8) -> Class {
    CLASSES.get(usize::from(byte)).copied().unwrap_or(Class::Other)
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        let at = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Lexer { text, at, noted: 0 }
    }

    /// The tokens of a part of a text.
    pub(super) fn within(text: &'a [u8], part: std::ops::Range<usize>) -> Self {
        // Whether the part begins in a comment of ours decides only how far that reaches: to the end of its line in any case.
        Lexer { text: text.get(..part.end).unwrap_or(text), at: part.start, noted: 0 }
    }

    /// Goes back to where a token began, in the same comment or none.
    pub(super) fn rewound(&self, at: usize) -> Self {
        Lexer { at, ..self.clone() }
    }

    /// Leaves the comment of ours in which the token at a place stands; another lexer goes through all of it from there.
    pub(super) fn leave_note_at(&mut self, at: usize) -> Self {
        let rest = self.text.get(at..).unwrap_or_default();
        let len = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
        let end = at.saturating_add(len);
        self.at = self.at.max(end);
        Lexer { text: self.text.get(..end).unwrap_or(self.text), at, noted: end }
    }

    /// The next token, or the end for ever.
    pub(super) fn next(&mut self) -> Token<'a> {
        self.skip();
        let (at, is_noted) = (self.at, self.at < self.noted);
        let rest = self.text.get(at..).unwrap_or_default();
        let (kind, len) = match rest {
            [] => (Kind::End, 0),
            [b'{', ..] => (Kind::Open, 1),
            [b'}', ..] => (Kind::Close, 1),
            [b'<', b'=', ..] => (Kind::Slot, 2),
            [b'"', ..] => return self.text_at(at, is_noted),
            [first, ..] => match class(*first) {
                Class::Letter => (Kind::Word, word_len(rest)),
                Class::Number => (Kind::Number, word_len(rest)),
                _ => (Kind::Strange, 1),
            },
        };
        self.at = at.saturating_add(len);
        Token { kind, bytes: rest.get(..len).unwrap_or_default(), at, is_noted }
    }

    fn text_at(&mut self, at: usize, is_noted: bool) -> Token<'a> {
        let start = at.saturating_add(1);
        let rest = self.text.get(start..).unwrap_or_default();
        let len = rest.iter().position(|byte| matches!(byte, b'"' | b'\n' | b'\r')).unwrap_or(rest.len());
        let is_whole = rest.get(len) == Some(&b'"');
        let kind = if is_whole { Kind::Text } else { Kind::TornText };
        self.at = start.saturating_add(len).saturating_add(usize::from(is_whole));
        Token { kind, bytes: rest.get(..len).unwrap_or_default(), at, is_noted }
    }

    /// Passes over what only parts tokens.
    fn skip(&mut self) {
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let blanks = rest.iter().position(|byte| class(*byte) != Class::Blank).unwrap_or(rest.len());
            self.at = self.at.saturating_add(blanks);
            let rest = rest.get(blanks..).unwrap_or_default();
            let len = match rest {
                [b'/', b'/', ..] => {
                    let len =
                        rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
                    if rest.starts_with(MARK) && self.at >= self.noted {
                        self.noted = self.at.saturating_add(len);
                        MARK.len()
                    } else {
                        len
                    }
                }
                [b'/', b'*', ..] => {
                    let end = rest.windows(2).skip(2).position(|two| two == b"*/");
                    end.map_or(rest.len(), |end| end.saturating_add(4))
                }
                _ => return,
            };
            self.at = self.at.saturating_add(len);
        }
    }
}

/// How far a word or number reaches.
fn word_len(rest: &[u8]) -> usize {
    let is_part = |byte: u8| matches!(class(byte), Class::Letter | Class::Number);
    rest.iter().position(|byte| !is_part(*byte)).unwrap_or(rest.len())
}

/// Which line and column a place is in. What was counted once is not counted again, in whatever order places are asked for.
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    text: &'a [u8],
    /// Of every stretch of the text that was gone through, the line it begins in and where that begins.
    marks: Vec<LineMark>,
}

#[derive(Debug, Clone, Copy)]
struct LineMark {
    line: usize,
    start: usize,
}

/// Bytes of a text that are gone through for a place.
const STRETCH: usize = 1 << 12;

impl<'a> Lines<'a> {
    /// Of a text.
    pub fn new(text: &'a [u8]) -> Self {
        Lines { text, marks: vec![LineMark { line: 1, start: 0 }] }
    }

    /// The line and the column of a place, both from 1; columns are bytes.
    pub fn position(&mut self, place: usize) -> (usize, usize) {
        let place = place.min(self.text.len());
        let wanted = place / STRETCH;
        while self.marks.len() <= wanted {
            let last = self.marks.len().saturating_sub(1);
            let behind = self.counted(last, self.marks.len().saturating_mul(STRETCH));
            self.marks.push(behind);
        }
        let LineMark { line, start } = self.counted(wanted, place);
        (line, place.saturating_sub(start).saturating_add(1))
    }

    /// The line that a place is in, behind where a stretch begins.
    fn counted(&self, stretch: usize, place: usize) -> LineMark {
        let mut mark = self.marks.get(stretch).copied().unwrap_or(LineMark { line: 1, start: 0 });
        let from = stretch.saturating_mul(STRETCH);
        let passed = self.text.get(from..place).unwrap_or_default();
        for (at, _) in (from..).zip(passed).filter(|(_, byte)| **byte == b'\n') {
            mark = LineMark { line: mark.line.saturating_add(1), start: at.saturating_add(1) };
        }
        mark
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<(Kind, String, bool)> {
        let mut lexer = Lexer::new(text.as_bytes());
        let mut all = Vec::new();
        loop {
            let token = lexer.next();
            if token.kind == Kind::End {
                return all;
            }
            all.push((token.kind, String::from_utf8_lossy(token.bytes).into_owned(), token.is_noted));
        }
    }

    #[test]
    fn commas_colons_blanks_and_comments_only_part() {
        let found = tokens("\u{feff}Anim,,:\r\n// no \"text\n\"a\\\"{-1.5e-05/* } */}x<=+.5");
        let words: Vec<(Kind, &str)> = found.iter().map(|(kind, word, _)| (*kind, word.as_str())).collect();
        let wanted = [
            (Kind::Word, "Anim"),
            (Kind::Text, "a\\"),
            (Kind::Open, "{"),
            (Kind::Number, "-1.5e-05"),
            (Kind::Close, "}"),
            (Kind::Word, "x"),
            (Kind::Slot, "<="),
            (Kind::Number, "+.5"),
        ];
        assert_eq!(words, wanted);
    }

    #[test]
    fn comments_of_ours_are_words_up_to_the_end_of_their_line() {
        let found = tokens("a //galvani: b \"c\" // d\ne \"f\ng");
        let noted: Vec<(&str, bool)> = found.iter().map(|(_, word, noted)| (word.as_str(), *noted)).collect();
        assert_eq!(noted, [("a", false), ("b", true), ("c", true), ("e", false), ("f", false), ("g", false)]);
        assert_eq!(found[4].0, Kind::TornText);
    }

    #[test]
    fn places_are_told_in_any_order() {
        let mut lines = Lines::new(b"ab\nc\n\nd");
        assert_eq!(
            [0, 3, 6, 1, 7].map(|place| lines.position(place)),
            [(1, 1), (2, 1), (4, 1), (1, 2), (4, 2)]
        );
        let long = [vec![b'\n'; 2 * STRETCH + 3], vec![b'a'; 3 * STRETCH]].concat();
        let mut lines = Lines::new(&long);
        let places = [5 * STRETCH, 7, 2 * STRETCH, 2 * STRETCH + 3, STRETCH - 1];
        assert_eq!(
            places.map(|place| lines.position(place)),
            [
                (2 * STRETCH + 4, 3 * STRETCH - 2),
                (8, 1),
                (2 * STRETCH + 1, 1),
                (2 * STRETCH + 4, 1),
                (STRETCH, 1)
            ]
        );
    }
}
