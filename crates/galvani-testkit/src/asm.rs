//! A byte assembler: golden inputs as listings, written by a second hand.
//!
//! One directive a line, `#` starts a comment:
//!
//! ```text
//! tag NRes            four characters
//! u8 u16 u32 i32 f32  one or more numbers, 0x allowed; `@label` and `@a-@b` for places
//! text 36 "b.0"       text in a room of 36 bytes, zeros behind it
//! line "a = b"        a line of text, CR and LF behind it
//! lf "a = b"          the same with only LF behind it
//! | a "b"             the same, whatever stands in the line; `||` ends it with CR and LF
//! json {"a": 1}       the rest of the line as it is
//! blanks 4            blanks up to a multiple
//! bytes 78 79 7a      hex
//! zero 5              zeros
//! align 8             zeros up to a multiple
//! label end           names this place
//! include FILE        another listing, beside this one, as if it stood here
//! at nodes+38         what follows overwrites from here on; `at` alone appends again
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The bytes of a listing. Panics with the line where the listing is wrong.
pub fn assemble(listing: &str) -> Vec<u8> {
    assembled(listing, Path::new(""))
}

/// The bytes of a listing in a file, which may include others.
pub fn assemble_file(listing: &Path) -> Vec<u8> {
    let text = fs::read_to_string(listing).unwrap_or_else(|error| panic!("{}: {error}", listing.display()));
    assembled(&text, listing.parent().unwrap_or(Path::new("")))
}

fn assembled(listing: &str, folder: &Path) -> Vec<u8> {
    // Every directive has the same size with and without its labels, so two passes are enough.
    let mut asm = Asm {
        bytes: Vec::new(),
        over: None,
        labels: BTreeMap::new(),
        draft: true,
        folder: folder.to_owned(),
    };
    asm.run(listing);
    asm.bytes.clear();
    (asm.over, asm.draft) = (None, false);
    asm.run(listing);
    asm.bytes
}

struct Asm {
    bytes: Vec<u8>,
    /// Where the next bytes overwrite what is there, unless they are appended.
    over: Option<usize>,
    /// Where included listings are.
    folder: PathBuf,
    labels: BTreeMap<String, usize>,
    /// The first pass, in which labels may still be unknown.
    draft: bool,
}

impl Asm {
    fn run(&mut self, listing: &str) {
        for (number, line) in (1..).zip(listing.lines()) {
            self.line(line).unwrap_or_else(|| panic!("line {number} of the listing: {line}"));
        }
    }

    fn line(&mut self, line: &str) -> Option<()> {
        if let Some(text) = line.strip_prefix("json ") {
            self.push_bytes(text.as_bytes());
            return Some(());
        }
        if let Some(text) = line.strip_prefix('|') {
            let (text, end): (&str, &[u8]) = match text.strip_prefix('|') {
                Some(text) => (text, b"\r\n"),
                None => (text, b"\n"),
            };
            self.push_bytes(text.strip_prefix(' ').unwrap_or(text).as_bytes());
            self.push_bytes(end);
            return Some(());
        }
        let quoted = line.split('"').nth(1);
        let code = if quoted.is_some() { line } else { line.split('#').next()? };
        let mut words = code.split_whitespace();
        let Some(directive) = words.next() else { return Some(()) };
        match directive {
            "tag" => words.for_each(|word| self.push_bytes(word.as_bytes())),
            "u8" => words.try_for_each(|word| self.number::<1>(word))?,
            "u16" => words.try_for_each(|word| self.number::<2>(word))?,
            "u32" | "i32" => words.try_for_each(|word| self.number::<4>(word))?,
            "f32" => {
                for word in words {
                    self.push_bytes(&word.parse::<f32>().ok()?.to_le_bytes());
                }
            }
            "text" => {
                let room: usize = words.next()?.parse().ok()?;
                self.push_bytes(quoted?.as_bytes());
                self.zeros(room.checked_sub(quoted?.len())?);
            }
            "line" => {
                self.push_bytes(quoted?.as_bytes());
                self.push_bytes(b"\r\n");
            }
            "lf" => {
                self.push_bytes(quoted?.as_bytes());
                self.push_bytes(b"\n");
            }
            "bytes" => {
                for word in words {
                    self.push_bytes(&galvani_core::text::from_hex(word)?);
                }
            }
            "zero" => self.zeros(words.next()?.parse().ok()?),
            "align" => self.zeros(self.here().next_multiple_of(words.next()?.parse().ok()?) - self.here()),
            "blanks" => {
                let count = self.here().next_multiple_of(words.next()?.parse().ok()?) - self.here();
                self.push_bytes(&vec![b' '; count]);
            }
            "label" => {
                self.labels.insert(words.next()?.to_owned(), self.here());
            }
            "include" => {
                let file = self.folder.join(words.next()?);
                let within = std::mem::replace(&mut self.folder, file.parent()?.to_owned());
                self.run(&fs::read_to_string(&file).ok()?);
                self.folder = within;
            }
            "at" => {
                self.over = match words.next() {
                    Some(place) => Some(self.label_offset(place)?),
                    None => None,
                };
            }
            _ => return None,
        }
        Some(())
    }

    /// The offset of the next byte.
    fn here(&self) -> usize {
        self.over.unwrap_or(self.bytes.len())
    }

    /// A label, or some bytes behind it.
    fn label_offset(&self, place: &str) -> Option<usize> {
        let (label, behind) = place.split_once('+').unwrap_or((place, "0"));
        usize::try_from(self.place(label)? + parse(behind)?).ok()
    }

    fn push_bytes(&mut self, bytes: &[u8]) {
        match &mut self.over {
            Some(over) => {
                self.bytes[*over..*over + bytes.len()].copy_from_slice(bytes);
                *over += bytes.len();
            }
            None => self.bytes.extend(bytes),
        }
    }

    fn zeros(&mut self, count: usize) {
        self.push_bytes(&vec![0; count]);
    }

    /// The low bytes of a number, so that -1 and 0xffffffff are the same word.
    fn number<const N: usize>(&mut self, word: &str) -> Option<()> {
        let value = match word.strip_prefix('@') {
            None => parse(word)?,
            Some(places) => match places.split_once("-@") {
                Some((a, b)) => self.place(a)? - self.place(b)?,
                None => self.place(places)?,
            },
        };
        self.push_bytes(&value.to_le_bytes()[..N]);
        Some(())
    }

    fn place(&self, label: &str) -> Option<i64> {
        match self.labels.get(label) {
            Some(&place) => i64::try_from(place).ok(),
            None => self.draft.then_some(0),
        }
    }
}

fn parse(word: &str) -> Option<i64> {
    match word.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok(),
        None => word.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::assemble;

    #[test]
    fn a_listing_becomes_its_bytes() {
        let bytes = assemble(
            "tag NRes # magic\nu16 1 0xffff\nu32 @end\ni32 @end-@here\nlabel here\ntext 4 \"a#\"\nalign 8\nbytes 0aff 01\nlabel end\nf32 1",
        );
        let mut wanted = b"NRes\x01\0\xff\xff".to_vec();
        wanted.extend([27, 0, 0, 0, 11, 0, 0, 0, b'a', b'#', 0, 0, 0, 0, 0, 0, 0x0a, 0xff, 0x01]);
        wanted.extend([0, 0, 0x80, 0x3f]);
        assert_eq!(bytes, wanted);
    }

    #[test]
    fn a_line_ends_as_texts_of_old_games_do() {
        assert_eq!(assemble("line \"# a\" # no b\nline \"\""), b"# a\r\n\r\n");
        assert_eq!(assemble("lf \"# a\" # no b\nlf \"\""), b"# a\n\n");
    }

    #[test]
    fn json_stands_as_it_is() {
        assert_eq!(assemble("json {\"a # b\": 12}\nblanks 4\nu8 7"), b"{\"a # b\": 12}   \x07");
    }

    #[test]
    fn a_listing_overwrites_what_it_has_and_goes_on_behind_it() {
        let bytes = assemble("u8 1 2\nlabel b\nu8 3 4 5\nat b+1\nu16 0x0908\nlabel c\nat\nu8 @c");
        assert_eq!(bytes, [1, 2, 3, 8, 9, 5]);
    }

    #[test]
    #[should_panic(expected = "line 1")]
    fn a_missing_label_is_named_by_its_line() {
        assemble("u32 @nowhere");
    }
}
