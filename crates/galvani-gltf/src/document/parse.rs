//! Where the values of a JSON text stand, by its grammar (RFC 8259).

use galvani_core::room;

use super::json::{Entry, Refusal, short, unescaped};
use super::names::{Name, Order};

/// How deep values may nest: real files reach about ten.
const MOST_DEPTH: usize = 128;

/// What is wrong with a text, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Flaw {
    pub(super) at: usize,
    pub(super) wanted: &'static str,
}

/// The entries of all values, parents before what they hold.
pub(super) fn tape(text: &[u8]) -> Result<Vec<Entry>, Refusal> {
    if u32::try_from(text.len()).is_err() {
        return Err(flaw(0, "less than 4 GiB of text"));
    }
    let tape = room::with_capacity((text.len() / EXPECTED).min(MOST_EXPECTED))?;
    let (name, last, order) = (Name::OTHER, Name::OTHER, Order::UNKNOWN);
    let mut parser = Parser { text, at: 0, tape, open: Vec::new(), name, last, order };
    parser.blanks();
    loop {
        if parser.value()? && parser.is_over()? {
            return Ok(parser.tape);
        }
    }
}

/// Bytes that a value takes with its name, where texts are dense: room for so many values is asked for at once.
const EXPECTED: usize = 12;

/// No more than these: some texts are long for other reasons.
const MOST_EXPECTED: usize = 1 << 16;

fn flaw(at: usize, wanted: &'static str) -> Refusal {
    Refusal::Flaw(Flaw { at, wanted })
}

struct Parser<'t> {
    text: &'t [u8],
    at: usize,
    tape: Vec<Entry>,
    /// What is not over yet.
    open: Vec<Open>,
    /// What the value that comes next is called.
    name: Name,
    /// The name that was read last, and which came behind which.
    last: Name,
    order: Order,
}

/// An array or object that is not over yet.
struct Open {
    entry: usize,
    is_object: bool,
}

impl Parser<'_> {
    /// Reads a value, or the beginning of one up to where the next is wanted; whether it is all of it.
    fn value(&mut self) -> Result<bool, Refusal> {
        let start = self.at;
        match self.peek() {
            Some(b'{') => {
                self.open(start, true)?;
                if self.peek() == Some(b'}') {
                    self.close();
                    return Ok(true);
                }
                self.key()?;
                Ok(false)
            }
            Some(b'[') => {
                if let Some(end) = flat_end(self.text, start) {
                    self.push(start, end)?;
                    self.at = end;
                    return Ok(true);
                }
                self.open(start, false)?;
                self.name = Name::OTHER;
                Ok(false)
            }
            _ => {
                let end = scalar_end(self.text, start).map_err(Refusal::Flaw)?;
                self.push(start, end)?;
                self.at = end;
                Ok(true)
            }
        }
    }

    /// Behind a value: closes what ends here and goes to where the next value is wanted; whether there is none.
    fn is_over(&mut self) -> Result<bool, Refusal> {
        loop {
            self.blanks();
            let Some(&Open { is_object, .. }) = self.open.last() else {
                let is_end = self.at == self.text.len();
                return if is_end { Ok(true) } else { Err(flaw(self.at, "the end of the text")) };
            };
            match (self.peek(), is_object) {
                (Some(b','), _) => {
                    self.step();
                    if is_object {
                        self.key()?;
                    } else {
                        self.name = Name::OTHER;
                    }
                    return Ok(false);
                }
                (Some(b'}'), true) | (Some(b']'), false) => self.close(),
                (_, true) => return Err(flaw(self.at, "`,` or `}`")),
                (_, false) => return Err(flaw(self.at, "`,` or `]`")),
            }
        }
    }

    /// A name and its colon.
    fn key(&mut self) -> Result<(), Refusal> {
        let start = self.at;
        let guess = self.order.behind(self.last);
        let next = self.text.get(start..).and_then(<[u8]>::first_chunk);
        if let Some(len) = next.and_then(|next| guess.len_at(next)) {
            (self.name, self.last, self.at) = (guess, guess, start.saturating_add(len));
            self.blanks();
            return Ok(());
        }
        let (end, has_escapes) = string(self.text, start).ok_or_else(|| flaw(start, "a name in quotes"))?;
        let word = self.text.get(start.saturating_add(1)..end.saturating_sub(1)).unwrap_or_default();
        self.name = if has_escapes { Name::find(unescaped(word).as_bytes()) } else { Name::find(word) };
        self.order.note(self.last, self.name);
        self.last = self.name;
        self.at = end;
        self.blanks();
        if self.peek() != Some(b':') {
            return Err(flaw(self.at, "`:`"));
        }
        self.step();
        Ok(())
    }

    fn open(&mut self, start: usize, is_object: bool) -> Result<(), Refusal> {
        if self.open.len() >= MOST_DEPTH {
            return Err(flaw(start, "values that nest less deep"));
        }
        room::push(&mut self.open, Open { entry: self.tape.len(), is_object })?;
        self.push(start, start)?;
        self.step();
        Ok(())
    }

    fn close(&mut self) {
        self.at = self.at.saturating_add(1);
        let next = short(self.tape.len());
        if let Some(entry) = self.open.pop().and_then(|open| self.tape.get_mut(open.entry)) {
            entry.end = short(self.at);
            entry.next = next;
        }
    }

    fn push(&mut self, start: usize, end: usize) -> Result<(), Refusal> {
        let next = short(self.tape.len().saturating_add(1));
        let entry = Entry { start: short(start), end: short(end), next, name: self.name };
        Ok(room::push(&mut self.tape, entry)?)
    }

    /// Over a byte and the blanks behind it.
    fn step(&mut self) {
        self.at = self.at.saturating_add(1);
        self.blanks();
    }

    fn blanks(&mut self) {
        self.at = blanks_end(self.text, self.at);
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }
}

/// Where the blanks that stand there end.
fn blanks_end(text: &[u8], at: usize) -> usize {
    // Texts that machines read have none.
    match text.get(at) {
        Some(..=b' ') => long_blanks_end(text, at),
        _ => at,
    }
}

fn long_blanks_end(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    at.saturating_add(rest.iter().position(|byte| !is_blank(byte)).unwrap_or(rest.len()))
}

/// The end of an array that holds no arrays or objects; nothing if it is another one, or none at all.
fn flat_end(text: &[u8], start: usize) -> Option<usize> {
    let mut at = blanks_end(text, start.saturating_add(1));
    if text.get(at) == Some(&b']') {
        return Some(at.saturating_add(1));
    }
    loop {
        at = blanks_end(text, scalar_end(text, at).ok()?);
        let byte = text.get(at)?;
        at = at.saturating_add(1);
        match byte {
            b']' => return Some(at),
            b',' => at = blanks_end(text, at),
            _ => return None,
        }
    }
}

/// The end of a string, a number or a word.
pub(super) fn scalar_end(text: &[u8], start: usize) -> Result<usize, Flaw> {
    let flaw = |wanted| Flaw { at: start, wanted };
    let rest = text.get(start..).unwrap_or_default();
    let end = match rest.first() {
        Some(b'"') => return string_end(text, start).ok_or(flaw("a string that ends")),
        Some(b'-' | b'0'..=b'9') => number_len(rest),
        Some(b't') => rest.starts_with(b"true").then_some(4),
        Some(b'f') => rest.starts_with(b"false").then_some(5),
        Some(b'n') => rest.starts_with(b"null").then_some(4),
        _ => None,
    };
    end.map(|len| start.saturating_add(len)).ok_or(flaw("a value"))
}

/// The end of a string that begins there: printable, its escapes sound.
pub(super) fn string_end(text: &[u8], start: usize) -> Option<usize> {
    string(text, start).map(|(end, _)| end)
}

/// The same, and whether it has escapes.
fn string(text: &[u8], start: usize) -> Option<(usize, bool)> {
    let mut rest = text.get(start..)?.strip_prefix(b"\"")?;
    let mut has_escapes = false;
    loop {
        let (found, behind) = rest.get(plain_len(rest)..)?.split_first()?;
        rest = match found {
            b'"' => return Some((text.len().saturating_sub(behind.len()), has_escapes)),
            b'\\' => match behind.split_first()? {
                (b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', behind) => behind,
                (b'u', behind) => {
                    let (digits, behind) = behind.split_at_checked(4)?;
                    digits.iter().all(u8::is_ascii_hexdigit).then_some(behind)?
                }
                _ => return None,
            },
            _ => return None,
        };
        has_escapes = true;
    }
}

/// How many bytes come before the first that is a quote, a backslash or no printable character. Eight are looked at
/// together.
fn plain_len(text: &[u8]) -> usize {
    let (words, rest) = text.as_chunks::<8>();
    let mut len = 0_usize;
    for word in words {
        let special = special(u64::from_le_bytes(*word));
        if special != 0 {
            return len.saturating_add(wide(special.trailing_zeros() / 8));
        }
        len = len.saturating_add(8);
    }
    let end = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | ..b' '));
    len.saturating_add(end.unwrap_or(rest.len()))
}

/// The highest bits of bytes that end a run of plain ones: the lowest bit that is set is of the first of these. (Borrows
/// reach only bytes behind it.)
fn special(word: u64) -> u64 {
    let all = |byte: u8| u64::from_le_bytes([byte; 8]);
    let below = |word: u64, byte: u8| word.wrapping_sub(all(byte)) & !word;
    let is = |byte: u8| below(word ^ all(byte), 1);
    (below(word, b' ') | is(b'"') | is(b'\\')) & all(0x80)
}

fn wide(bits: u32) -> usize {
    usize::try_from(bits).unwrap_or(usize::MAX)
}

/// Bytes of the number that a text begins with.
fn number_len(text: &[u8]) -> Option<usize> {
    let digits = |text: &mut &[u8]| {
        let count = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
        *text = text.get(count..).unwrap_or_default();
        count
    };
    let mut rest = text.strip_prefix(b"-").unwrap_or(text);
    let starts_with_zero = rest.first() == Some(&b'0');
    let whole = digits(&mut rest);
    if whole == 0 || (starts_with_zero && whole > 1) {
        return None;
    }
    if let Some(behind) = rest.strip_prefix(b".") {
        rest = behind;
        (digits(&mut rest) > 0).then_some(())?;
    }
    if let Some((b'e' | b'E', behind)) = rest.split_first() {
        rest = behind.strip_prefix(b"+").or(behind.strip_prefix(b"-")).unwrap_or(behind);
        (digits(&mut rest) > 0).then_some(())?;
    }
    Some(text.len().saturating_sub(rest.len()))
}
