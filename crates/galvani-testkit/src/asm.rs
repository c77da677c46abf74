//! A byte assembler: golden inputs as listings, written by a second hand.
//!
//! One directive a line, `#` starts a comment:
//!
//! ```text
//! tag NRes            four characters
//! u8 u16 u32 i32 f32  one or more numbers, 0x allowed; `@label` and `@a-@b` for places
//! text 36 "b.0"       text in a room of 36 bytes, zeros behind it
//! bytes 78 79 7a      hex
//! zero 5              zeros
//! align 8             zeros up to a multiple
//! label end           names this place
//! ```

use std::collections::BTreeMap;

/// The bytes of a listing. Panics with the line where the listing is wrong.
pub fn assemble(listing: &str) -> Vec<u8> {
    // Every directive has the same size with and without its labels, so two passes are enough.
    let mut asm = Asm { bytes: Vec::new(), labels: BTreeMap::new(), draft: true };
    asm.run(listing);
    asm.bytes.clear();
    asm.draft = false;
    asm.run(listing);
    asm.bytes
}

struct Asm {
    bytes: Vec<u8>,
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
        let quoted = line.split('"').nth(1);
        let code = if quoted.is_some() { line } else { line.split('#').next()? };
        let mut words = code.split_whitespace();
        let Some(directive) = words.next() else { return Some(()) };
        match directive {
            "tag" => self.bytes.extend(words.flat_map(str::bytes)),
            "u8" => words.try_for_each(|word| self.number::<1>(word))?,
            "u16" => words.try_for_each(|word| self.number::<2>(word))?,
            "u32" | "i32" => words.try_for_each(|word| self.number::<4>(word))?,
            "f32" => {
                for word in words {
                    self.bytes.extend(word.parse::<f32>().ok()?.to_le_bytes());
                }
            }
            "text" => {
                let room: usize = words.next()?.parse().ok()?;
                self.bytes.extend(quoted?.bytes());
                self.zeros(room.checked_sub(quoted?.len())?);
            }
            "bytes" => {
                for word in words {
                    self.bytes.extend(galvani_core::text::from_hex(word)?);
                }
            }
            "zero" => self.zeros(words.next()?.parse().ok()?),
            "align" => self.bytes.resize(self.bytes.len().next_multiple_of(words.next()?.parse().ok()?), 0),
            "label" => {
                self.labels.insert(words.next()?.to_owned(), self.bytes.len());
            }
            _ => return None,
        }
        Some(())
    }

    fn zeros(&mut self, count: usize) {
        self.bytes.extend(std::iter::repeat_n(0, count));
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
        self.bytes.extend(&value.to_le_bytes()[..N]);
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
    #[should_panic(expected = "line 1")]
    fn a_missing_label_is_named_by_its_line() {
        assemble("u32 @nowhere");
    }
}
