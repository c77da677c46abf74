//! How wide words for people may be.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns where nobody says how many there are.
const USUAL: usize = 80;

/// Columns that are always taken to be there.
const LEAST: usize = 30;

/// Columns of standard output: as `COLUMNS` says, as the terminal says, or 80.
pub(crate) fn columns() -> usize {
    #[allow(clippy::disallowed_methods, reason = "the width of a terminal is said there")]
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let terminal = || terminal_size::terminal_size_of(std::io::stdout());
    let columns = said.filter(|&columns| columns > 0);
    columns.or_else(|| terminal().map(|(width, _)| width.0.into())).unwrap_or(USUAL).max(LEAST)
}

/// Columns of an item of a list that is not broken.
const ITEM: usize = 28;

/// Text in lines of at most so many columns; those after the first are indented. It breaks between the items of a
/// list, behind blanks, or within a word that is too long.
pub(crate) fn wrapped(text: &str, columns: usize, indent: &str) -> String {
    let whole = ITEM.min(columns.saturating_sub(indent.width()));
    let mut lines = vec![String::new()];
    for word in text.split_inclusive(", ").flat_map(|item| words(item, whole)) {
        let room = |lines: &[String]| columns.saturating_sub(lines.last().map_or(0, |line| line.width()));
        if word.trim_end().width() > room(&lines) && lines.last().is_some_and(|line| !line.trim().is_empty())
        {
            lines.push(indent.to_owned());
        }
        for letter in word.chars() {
            if letter != ' ' && letter.width().unwrap_or(0) > room(&lines) {
                lines.push(indent.to_owned());
            }
            lines.last_mut().into_iter().for_each(|line| line.push(letter));
        }
    }
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    lines.join("\n")
}

/// A short item as it is, a long one word by word.
fn words(item: &str, whole: usize) -> Vec<&str> {
    if item.trim_end().width() <= whole { vec![item] } else { item.split_inclusive(' ').collect() }
}

/// Text of at most so many columns, its end replaced where it has more.
pub(crate) fn shortened(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let (mut out, mut used) = (String::new(), 1);
    for letter in text.chars() {
        used += letter.width().unwrap_or(0);
        if used > columns {
            break;
        }
        out.push(letter);
    }
    out + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_items_or_words_or_within_what_is_too_long() {
        let long = "of all the words of this sentence";
        assert_eq!(wrapped(long, 20, "  "), "of all the words of\n  this sentence");
        assert_eq!(wrapped("holds: 12 nodes, 3 keys", 20, "  "), "holds: 12 nodes,\n  3 keys");
        assert_eq!(wrapped("  a: 12345678901234", 8, "    "), "  a:\n    1234\n    5678\n    9012\n    34");
        assert_eq!(wrapped("", 8, ""), "");
    }

    #[test]
    fn what_is_cut_says_so() {
        assert_eq!(shortened("lantern", 7), "lantern");
        assert_eq!(shortened("lanterns", 7), "lanter…");
        assert_eq!(shortened("漢字漢字", 5), "漢字…");
    }
}
