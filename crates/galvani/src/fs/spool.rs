//! Texts that wait for their turn: a few MiB of them in memory, the rest in a file that nobody else sees.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use super::disk::{Call, step};

/// Bytes of text that are held at most, unless there is nowhere to put more.
const HELD: usize = 4 << 20;

/// Texts, each with a name by which it is found in order.
#[derive(Debug, Default)]
pub struct Spool {
    index: Vec<(String, Range<u64>)>,
    /// What was put down; it has no name and goes away with the process.
    file: Option<File>,
    /// Bytes in the file.
    put_down: u64,
    /// What comes after them.
    held: Vec<u8>,
    /// Whether there is no room for a file, so that all is held.
    is_full: bool,
}

impl Spool {
    /// Takes one more text.
    pub fn push(&mut self, name: String, text: &str) {
        if self.held.len().saturating_add(text.len()) > HELD && !self.is_full {
            self.is_full = self.put_down().is_err();
        }
        let start = self.put_down.saturating_add(self.held.len() as u64);
        self.index.push((name, start..start.saturating_add(text.len() as u64)));
        self.held.extend_from_slice(text.as_bytes());
    }

    /// The texts by their names, those of one name as they came.
    pub fn by_name(mut self) -> Spooled {
        self.index.sort_by(|a, b| a.0.cmp(&b.0));
        let index = std::mem::take(&mut self.index);
        Spooled { index: index.into_iter().peekable(), spool: self }
    }

    /// Puts what is held into the file. If that fails, it stays held.
    fn put_down(&mut self) -> io::Result<()> {
        if self.held.is_empty() {
            return Ok(());
        }
        step(Call::Create)?;
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile()?),
        };
        step(Call::Write)?;
        file.seek(SeekFrom::Start(self.put_down))?;
        file.write_all(&self.held)?;
        self.put_down = self.put_down.saturating_add(self.held.len() as u64);
        self.held.clear();
        Ok(())
    }

    fn read(&mut self, place: &Range<u64>) -> io::Result<String> {
        let mut bytes = Vec::new();
        let len = place.end.saturating_sub(place.start);
        match (&mut self.file, place.start.checked_sub(self.put_down)) {
            (_, Some(start)) => {
                let held = usize::try_from(start).ok().and_then(|start| self.held.get(start..));
                held.unwrap_or_default().take(len).read_to_end(&mut bytes)?;
            }
            (Some(file), None) => {
                step(Call::Read)?;
                file.seek(SeekFrom::Start(place.start))?;
                file.take(len).read_to_end(&mut bytes)?;
            }
            (None, None) => return Err(io::ErrorKind::NotFound.into()),
        }
        String::from_utf8(bytes).map_err(io::Error::other)
    }
}

/// Texts that come back one by one.
#[derive(Debug)]
pub struct Spooled {
    index: std::iter::Peekable<std::vec::IntoIter<(String, Range<u64>)>>,
    spool: Spool,
}

impl Spooled {
    /// The name of the next.
    pub fn name(&mut self) -> Option<&str> {
        self.index.peek().map(|(name, _)| name.as_str())
    }
}

impl Iterator for Spooled {
    type Item = io::Result<String>;

    fn next(&mut self) -> Option<Self::Item> {
        let (_, place) = self.index.next()?;
        Some(self.spool.read(&place))
    }
}

#[cfg(test)]
mod tests {
    use super::super::faults::failing_at;
    use super::*;

    /// Texts of twelve MiB, last name first.
    fn many() -> (Spool, Vec<String>) {
        let mut spool = Spool::default();
        let texts: Vec<String> = (0..48).map(|i| format!("{i:02}").repeat(1 << 17)).collect();
        for (i, text) in texts.iter().enumerate().rev() {
            spool.push(format!("name {i:02}"), text);
        }
        (spool, texts)
    }

    fn told(spool: Spool) -> Vec<String> {
        spool.by_name().collect::<io::Result<_>>().unwrap()
    }

    #[test]
    fn texts_come_back_by_their_names_and_few_are_held() {
        let (spool, texts) = many();
        assert!(spool.held.len() <= HELD && spool.put_down > 0, "{} held", spool.held.len());
        assert_eq!(told(spool), texts);
    }

    #[test]
    fn texts_of_one_name_come_as_they_were_given() {
        let mut spool = Spool::default();
        for text in ["one", "", "three"] {
            spool.push("name".to_owned(), text);
        }
        assert_eq!(told(spool), ["one", "", "three"]);
    }

    #[test]
    fn what_no_file_takes_is_held() {
        let (_, calls) = failing_at(usize::MAX, many);
        assert!(calls >= 4, "{calls}");
        for number in 0..calls {
            let ((spool, texts), _) = failing_at(number, many);
            assert!(spool.is_full, "call {number}");
            assert!(told(spool) == texts, "call {number}");
        }
    }

    #[test]
    fn a_text_that_cannot_be_read_back_is_an_error() {
        let (spool, _) = many();
        let (wrong, calls) = failing_at(0, || spool.by_name().filter(Result::is_err).count());
        assert!(calls > 1, "{calls}");
        assert_eq!(wrong, 1);
    }
}
