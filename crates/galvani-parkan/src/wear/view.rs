//! What a table's text says.

use galvani_core::text::piece::{Piece, lines};

use super::KEYWORD;

/// What a table's text says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WearTable<'a> {
    /// The materials.
    pub materials: WearRows<'a>,
    /// The lightmaps, if there is a table of them.
    pub lightmaps: Option<Lightmaps<'a>>,
    /// Lines that belong to no table, blank ones aside.
    pub others: Vec<Piece<'a>>,
}

/// A table of lightmaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lightmaps<'a> {
    /// The line with the keyword, and what ends it.
    pub keyword: Piece<'a>,
    /// The blank line before it, without which the game does not see the keyword.
    pub blank: Option<Piece<'a>>,
    /// The lightmaps.
    pub rows: WearRows<'a>,
}

/// Rows and the line that counts them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WearRows<'a> {
    /// How many rows there should be, as the text has it; absent where the text ends before.
    pub count: Option<Piece<'a>>,
    /// The line of the count, and what ends it.
    pub count_line: Option<Piece<'a>>,
    /// The rows. Their places are what batches name.
    pub rows: Vec<WearRow<'a>>,
}

/// A row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WearRow<'a> {
    /// Its number. The game reads it and goes by the row's place.
    pub id: Piece<'a>,
    /// What it names.
    pub name: Piece<'a>,
    /// What stands behind the name; nothing in the game's own files.
    pub more: Piece<'a>,
    /// The line with what ends it.
    pub whole: Piece<'a>,
}

impl<'a> WearTable<'a> {
    /// Looks at a text.
    pub fn parse(text: &'a [u8]) -> Self {
        let mut table = WearTable::default();
        let mut lines = lines(text).peekable();
        table.materials = WearRows::take(&mut lines);
        let mut blank = None;
        while let Some(whole) = lines.next() {
            let line = whole.trimmed();
            if line.bytes.is_empty() {
                blank = Some(whole);
                continue;
            }
            if line.bytes == KEYWORD && table.lightmaps.is_none() {
                let rows = WearRows::take(&mut lines);
                table.lightmaps = Some(Lightmaps { keyword: whole, blank, rows });
            } else {
                table.others.push(line);
            }
            blank = None;
        }
        table
    }
}

impl<'a> WearRows<'a> {
    /// The count, then as many lines as it says; fewer where a blank line, the keyword or the end comes before.
    fn take(lines: &mut std::iter::Peekable<impl Iterator<Item = Piece<'a>>>) -> Self {
        let Some(count_line) = lines.next_if(|line| line.trimmed().bytes != KEYWORD) else {
            return WearRows::default();
        };
        let mut found =
            WearRows { count: Some(count_line.trimmed()), count_line: Some(count_line), rows: Vec::new() };
        let most = found.counted().unwrap_or(usize::MAX);
        let is_row = |line: &Piece<'_>| !matches!(line.trimmed().bytes, b"" | KEYWORD);
        while found.rows.len() < most
            && let Some(whole) = lines.next_if(is_row)
        {
            found.rows.push(WearRow::parse(whole));
        }
        found
    }

    /// How many rows there should be. `None` where that is no number from 1 on: the game refuses such a table.
    pub fn counted(&self) -> Option<usize> {
        self.count?.number().filter(|&count| count > 0)
    }
}

impl<'a> WearRow<'a> {
    fn parse(whole: Piece<'a>) -> Self {
        let (id, rest) = whole.first_word();
        let (name, more) = rest.first_word();
        WearRow { id, name, more, whole }
    }

    /// Its number, if it is one.
    pub fn number(&self) -> Option<i32> {
        self.id.number()
    }
}

/// How many rows a table has, as its first line says. `None` where that line is no number from 1 on: the game
/// refuses such a table, and nothing follows for its model.
pub fn row_count(text: &[u8]) -> Option<usize> {
    lines(text).next()?.trimmed().number().filter(|&count| count > 0)
}

/// Whether a table of lightmaps follows.
pub fn has_lightmaps(text: &[u8]) -> bool {
    WearTable::parse(text).lightmaps.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_counts_the_rows() {
        let tables: [&[u8]; 4] = [b"2\n0 RUST\n1 GLASS\n", b"2\r\n0 A\r\n", b" 2 \n", b"2"];
        for text in tables {
            assert_eq!(row_count(text), Some(2), "{text:?}");
        }
    }

    #[test]
    fn lightmaps_follow_a_line_of_their_own() {
        assert!(has_lightmaps(b"1\n0 RUST\n\nLIGHTMAPS\n1\n0 GLOW\n"));
        assert!(has_lightmaps(b"1\r\n0 RUST\r\n\r\nLIGHTMAPS\r\n"));
        assert!(!has_lightmaps(b"1\n0 LIGHTMAPS\n"));
        assert!(!has_lightmaps(b""));
    }

    #[test]
    fn a_line_that_is_no_count_says_nothing() {
        let tables: [&[u8]; 7] =
            [b"", b"\n2\n", b"0\n", b"-1\n", b"two\n", b"\xd2\n", b"99999999999999999999\n"];
        for text in tables {
            assert_eq!(row_count(text), None, "{text:?}");
        }
    }
}
