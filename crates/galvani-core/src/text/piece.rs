//! Pieces of a text: lines, and the words in them, each with its place. What is not looked at stays as it is.

use std::borrow::Cow;
use std::ops::Range;

use crate::budget::Exhausted;
use crate::map::FileMap;
use crate::path::Path;
use crate::record::FieldKind;
use crate::{room, text};

/// How many parts of a kind are typed one by one. Far above what any model has; what follows stays text.
pub const MOST: usize = 4096;

/// A piece of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece<'a> {
    /// Where it starts in the text.
    pub start: usize,
    /// Its bytes.
    pub bytes: &'a [u8],
}

impl<'a> Piece<'a> {
    /// Where it ends.
    pub fn end(self) -> usize {
        self.start.saturating_add(self.bytes.len())
    }

    /// Where it lies.
    pub fn range(self) -> Range<usize> {
        self.start..self.end()
    }

    /// As people read it.
    pub fn shown(self) -> Cow<'a, str> {
        text::shown(self.bytes)
    }

    /// Without the white space around it, its line's end included.
    #[must_use]
    pub fn trimmed(self) -> Self {
        let from_start = self.bytes.trim_ascii_start();
        let start = self.end().saturating_sub(from_start.len());
        Piece { start, bytes: from_start.trim_ascii_end() }
    }

    /// What stands before and behind a place in it.
    fn split(self, at: usize) -> (Self, Self) {
        let (before, behind) = self.bytes.split_at_checked(at).unwrap_or((self.bytes, &[]));
        let start = self.start.saturating_add(before.len());
        (Piece { start: self.start, bytes: before }, Piece { start, bytes: behind })
    }

    /// Its first word, and what follows that.
    pub fn first_word(self) -> (Self, Self) {
        let this = self.trimmed();
        let len = this.bytes.iter().position(u8::is_ascii_whitespace).unwrap_or(this.bytes.len());
        let (word, rest) = this.split(len);
        (word, rest.trimmed())
    }

    /// What stands before and behind the first byte of that value.
    pub fn parted(self, by: u8) -> Option<(Self, Self)> {
        let at = self.bytes.iter().position(|&byte| byte == by)?;
        let (before, behind) = self.split(at);
        let (_, behind) = behind.split(1);
        Some((before.trimmed(), behind.trimmed()))
    }

    /// Its words.
    pub fn words(self) -> impl Iterator<Item = &'a [u8]> {
        self.bytes.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
    }

    /// The number that it is.
    pub fn number<T: std::str::FromStr>(self) -> Option<T> {
        std::str::from_utf8(self.bytes).ok()?.parse().ok()
    }

    /// What ends it, if it is a line: `\n`, perhaps with a `\r`; nothing at the end of a text.
    pub fn line_end(self) -> &'a [u8] {
        match self.bytes {
            [.., b'\r', b'\n'] => b"\r\n",
            [.., b'\n'] => b"\n",
            _ => b"",
        }
    }
}

/// The lines of a text, each with what ends it.
pub fn lines(text: &[u8]) -> impl Iterator<Item = Piece<'_>> {
    let mut start: usize = 0;
    text.split_inclusive(|&byte| byte == b'\n').map(move |bytes| {
        let line = Piece { start, bytes };
        start = line.end();
        line
    })
}

/// What may stand in a text beside blanks and line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Letters {
    /// Printable ASCII.
    Ascii,
    /// The same, and the upper half of an 8-bit code page.
    CodePage,
}

impl Letters {
    fn has(self, byte: u8) -> bool {
        byte.is_ascii_graphic() || (self == Letters::CodePage && !byte.is_ascii())
    }

    /// The first byte that no such text has, and how many there are; tabs and line ends may be there.
    pub fn strange_bytes(self, text: &[u8]) -> Option<(usize, usize)> {
        let is_strange = |byte: &u8| !(self.has(*byte) || matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
        let first = text.iter().position(is_strange)?;
        Some((first, text.iter().filter(|byte| is_strange(byte)).count()))
    }

    /// Whether something can be one word of such a text.
    pub fn is_word(self, value: &[u8]) -> bool {
        !value.is_empty() && value.iter().all(|&byte| self.has(byte))
    }
}

/// Whether something can be a value in a text: printable, and the same without white space around it.
pub fn is_plain(value: &[u8]) -> bool {
    let printable = value.iter().all(|&byte| byte.is_ascii_graphic() || byte == b' ');
    !value.is_empty() && printable && value.trim_ascii() == value
}

/// The text with some ranges of it replaced, which must be in order.
pub fn replaced(text: &[u8], changes: &[(Range<usize>, Vec<u8>)]) -> Result<Vec<u8>, Exhausted> {
    let added = changes.iter().fold(0, |sum: usize, (_, new)| sum.saturating_add(new.len()));
    let mut made = room::with_capacity(text.len().saturating_add(added))?;
    let mut at = 0;
    for (range, new) in changes {
        made.extend_from_slice(text.get(at..range.start).unwrap_or_default());
        made.extend_from_slice(new);
        at = range.end;
    }
    made.extend_from_slice(text.get(at..).unwrap_or_default());
    Ok(made)
}

/// The map of a text of which some pieces have names, in order; what lies between them is text, too.
pub fn map(len: usize, named: &[(Path, Piece<'_>)]) -> FileMap {
    let mut map = FileMap::new(len);
    let (mut at, mut gaps) = (0, 0);
    let mut gap = |map: &mut FileMap, from: usize, to: usize| {
        if from < to {
            map.run(Path::named("text").index(gaps), from, to.saturating_sub(from), FieldKind::Text);
            gaps = gaps.saturating_add(1);
        }
    };
    for &(path, piece) in named {
        gap(&mut map, at, piece.start);
        map.run(path, piece.start, piece.bytes.len(), FieldKind::Text);
        at = piece.end();
    }
    gap(&mut map, at, len);
    map
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_what_ends_them() {
        let text = b"a\r\n\n b c \nd";
        let found: Vec<_> = lines(text).map(|line| (line.start, line.bytes)).collect();
        assert_eq!(found, [(0, &b"a\r\n"[..]), (3, b"\n"), (4, b" b c \n"), (10, b"d")]);
        let ends: Vec<_> = lines(text).map(Piece::line_end).collect();
        assert_eq!(ends, [&b"\r\n"[..], b"\n", b"\n", b""]);
    }

    #[test]
    fn pieces_know_where_they_are() {
        let text = b"  ab  cd = e\r\n";
        let line = lines(text).next().unwrap();
        let (word, rest) = line.first_word();
        assert_eq!((word.start, word.bytes, rest.start, rest.bytes), (2, &b"ab"[..], 6, &b"cd = e"[..]));
        let (key, value) = rest.parted(b'=').unwrap();
        assert_eq!((key.bytes, value.start, value.bytes), (&b"cd"[..], 11, &b"e"[..]));
        assert_eq!(Piece { start: 3, bytes: b" \n" }.trimmed(), Piece { start: 5, bytes: b"" });
    }

    #[test]
    fn only_what_is_named_is_replaced() {
        let changes = [(0..1, b"xyz".to_vec()), (3..3, b"-".to_vec()), (4..5, Vec::new())];
        assert_eq!(replaced(b"abcdef", &changes).unwrap(), b"xyzbc-df");
    }
}
