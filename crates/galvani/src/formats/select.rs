//! Which of several things a word means: one rule for every verb and every format.
//!
//! Nodes, sequences, clips, entries and tracks go by name in any case of letters, by the path that findings give
//! them, by index (`#3`), by a bare number, which is their own or else their index, and by a pair of numbers
//! (`4.1`) where they have one. A name wins over a number; of several the first is taken, with a note. `all`
//! takes every one; what is called so goes by its index.

use std::borrow::Cow;
use std::fmt;

use galvani_core::{Code, Diagnostic, EditError, Path, Report, text};

use super::ArgumentValue;
use crate::codes;

/// A word that says which of several things is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selector {
    /// Every one: `all`.
    All,
    /// By place: `#3`.
    Index(usize),
    /// By name, or by a number where nothing is called so.
    Word(String),
}

impl Selector {
    /// What a word says; `hex:` and bytes are a name that no keyboard has.
    pub fn new(word: &str) -> Self {
        if word.eq_ignore_ascii_case("all") {
            return Selector::All;
        }
        if let Some(index) = word.strip_prefix('#').and_then(|index| index.parse().ok()) {
            return Selector::Index(index);
        }
        let bytes = word.strip_prefix("hex:").and_then(text::from_hex);
        Selector::Word(bytes.map_or_else(|| word.to_owned(), |bytes| text::shown(&bytes).into_owned()))
    }

    /// Whether it is a word that means something else here: `none`, `root`.
    pub fn is(&self, word: &str) -> bool {
        matches!(self, Selector::Word(own) if own.eq_ignore_ascii_case(word))
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selector::All => f.write_str("all"),
            Selector::Index(index) => write!(f, "#{index}"),
            Selector::Word(word) => f.write_str(word),
        }
    }
}

/// Something that may be meant, and what it goes by.
#[derive(Debug, Clone)]
pub(crate) struct Candidate<'a> {
    index: Option<usize>,
    name: Option<Cow<'a, str>>,
    path: Option<String>,
    number: Option<i64>,
    pair: Option<(u32, u32)>,
}

impl<'a> Candidate<'a> {
    /// Something at a place; its number is its index.
    pub(crate) fn at(index: usize) -> Self {
        Candidate {
            index: Some(index),
            name: None,
            path: None,
            number: i64::try_from(index).ok(),
            pair: None,
        }
    }

    /// Something that only its path leads to.
    #[cfg(feature = "mdx")]
    pub(crate) fn of_path(path: String) -> Self {
        Candidate { index: None, name: None, path: Some(path), number: None, pair: None }
    }

    pub(crate) fn named(self, name: impl Into<Cow<'a, str>>) -> Self {
        Candidate { name: Some(name.into()), ..self }
    }

    #[cfg(feature = "mdx")]
    pub(crate) fn with_path(self, path: String) -> Self {
        Candidate { path: Some(path), ..self }
    }

    /// Whether a path leads to it.
    #[cfg(feature = "mdx")]
    pub(crate) fn is_at(&self, path: &str) -> bool {
        self.path.as_deref() == Some(path)
    }

    /// With a number of its own.
    #[cfg(feature = "mdx")]
    pub(crate) fn numbered(self, number: i64) -> Self {
        Candidate { number: Some(number), ..self }
    }

    #[cfg(feature = "mdx")]
    pub(crate) fn paired(self, pair: Option<(u32, u32)>) -> Self {
        Candidate { pair, ..self }
    }
}

/// Things of one kind in order, among which a word is looked for.
#[derive(Debug)]
pub(crate) struct Candidates<'a> {
    /// What they are, for people: `node`.
    pub(crate) kind: &'static str,
    /// Where they stand.
    pub(crate) place: Path,
    /// The code of a word that means none of them.
    pub(crate) missing: &'static Code,
    pub(crate) list: Vec<Candidate<'a>>,
}

impl<'a> Candidates<'a> {
    /// Things that have names, in order.
    pub(crate) fn named<N: Into<Cow<'a, str>>>(
        kind: &'static str,
        place: Path,
        missing: &'static Code,
        names: impl IntoIterator<Item = N>,
    ) -> Self {
        let list = (0..).zip(names).map(|(i, name)| Candidate::at(i).named(name)).collect();
        Candidates { kind, place, missing, list }
    }

    /// So many things that have none.
    #[cfg(any(feature = "parkan", feature = "ff7"))]
    pub(crate) fn nameless(kind: &'static str, place: Path, missing: &'static Code, count: usize) -> Self {
        Candidates { kind, place, missing, list: (0..count).map(Candidate::at).collect() }
    }

    /// The places in the list of what is meant, in its order; refused if nothing is.
    pub(crate) fn every<E: From<Diagnostic>>(
        &self,
        wanted: &Selector,
        notes: &mut Report,
    ) -> Result<Vec<usize>, E> {
        let hits = match wanted {
            Selector::All => return Ok((0..self.list.len()).collect()),
            Selector::Index(index) => self.where_is(|one| one.index == Some(*index)),
            Selector::Word(word) => self.called(word),
        };
        let Some(first) = hits.first() else { return Err(self.refusal(wanted).into()) };
        if hits.len() > 1 {
            let index = self.list.get(*first).and_then(|one| one.index).unwrap_or(*first);
            let found = format!("`{wanted}`, of which #{index} is taken");
            notes.push(codes::AMBIGUOUS.at(self.place.index(index)).saying(found));
        }
        Ok(vec![*first])
    }

    /// What an operation takes for what is meant: places.
    pub(crate) fn values(
        &self,
        wanted: &Selector,
        notes: &mut Report,
    ) -> Result<Vec<ArgumentValue>, EditError> {
        Ok(self.every::<EditError>(wanted, notes)?.into_iter().map(ArgumentValue::Index).collect())
    }

    /// The place in the list of the one thing that is meant.
    pub(crate) fn one<E: From<Diagnostic>>(&self, wanted: &Selector, notes: &mut Report) -> Result<usize, E> {
        match self.every(wanted, notes)?.as_slice() {
            [one] => Ok(*one),
            all => {
                let found = format!("one {} is wanted, `{wanted}` means {}", self.kind, all.len());
                Err(codes::NOT_ONE.at(self.place).saying(found).into())
            }
        }
    }

    /// All that a word may mean, by the first way in which it means anything.
    pub(crate) fn called(&self, word: &str) -> Vec<usize> {
        let lower = word.to_lowercase();
        let is_it = |text: Option<&str>| text.is_some_and(|text| text.to_lowercase() == lower);
        let number = word.parse::<i64>().ok();
        let pair = word.split_once('.').and_then(|(id, sub)| Some((id.parse().ok()?, sub.parse().ok()?)));
        let ways: [&dyn Fn(&Candidate<'a>) -> bool; 4] = [
            &|one| is_it(one.name.as_deref()),
            &|one| is_it(one.path.as_deref()),
            &|one| number.is_some() && one.number == number,
            &|one| pair.is_some() && one.pair == pair,
        ];
        ways.iter().map(|way| self.where_is(way)).find(|hits| !hits.is_empty()).unwrap_or_default()
    }

    fn where_is(&self, is_it: impl Fn(&Candidate<'a>) -> bool) -> Vec<usize> {
        (0..).zip(&self.list).filter(|(_, one)| is_it(one)).map(|(i, _)| i).collect()
    }

    fn refusal(&self, wanted: &Selector) -> Diagnostic {
        let is_name = matches!(wanted, Selector::Word(word) if word.parse::<i64>().is_err());
        if is_name && !self.list.is_empty() && self.list.iter().all(|one| one.name.is_none()) {
            return codes::NO_NAMES.at(self.place).saying(format!("`{wanted}` is no index"));
        }
        let place = match wanted {
            Selector::Index(index) => self.place.index(*index),
            _ => self.place,
        };
        self.missing.at(place).saying(format!("`{wanted}` among {}", self.list.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::{NO_NAMES, NOT_FOUND, NOT_ONE};

    /// What a word means among these names, and how many notes that gives.
    fn meant(names: &[&str], word: &str) -> Result<(Vec<usize>, usize), &'static str> {
        let all = Candidates::named("thing", Path::named("things"), &NOT_FOUND, names.iter().copied());
        let mut notes = Report::default();
        let found: Result<_, EditError> = all.every(&Selector::new(word), &mut notes);
        found.map(|found| (found, notes.findings().len())).map_err(|error| error.cause.code.name)
    }

    #[test]
    fn a_name_goes_in_any_case_of_letters_and_wins_over_a_number() {
        assert_eq!(meant(&["Body", "Ärm", "0"], "bODY"), Ok((vec![0], 0)));
        assert_eq!(meant(&["Body", "Ärm", "0"], "äRM"), Ok((vec![1], 0)));
        assert_eq!(meant(&["Body", "Ärm", "0"], "0"), Ok((vec![2], 0)));
        assert_eq!(meant(&["Body", "Ärm", "0"], "1"), Ok((vec![1], 0)));
        assert_eq!(meant(&["Body", "Ärm", "0"], "#0"), Ok((vec![0], 0)));
        assert_eq!(meant(&["Body", "\u{e9}"], "hex:e9"), Ok((vec![1], 0)));
    }

    #[test]
    fn of_several_the_first_is_taken_with_a_note() {
        assert_eq!(meant(&["a", "b", "B", "b"], "b"), Ok((vec![1], 1)));
    }

    #[test]
    fn all_are_every_one_whatever_they_are_called() {
        assert_eq!(meant(&["a", "all", "b"], "ALL"), Ok((vec![0, 1, 2], 0)));
        assert_eq!(meant(&[], "all"), Ok((vec![], 0)));
    }

    #[test]
    fn what_is_not_there_is_refused() {
        for word in ["c", "2", "#2", "-1", ""] {
            assert_eq!(meant(&["a", "b"], word), Err(NOT_FOUND.name), "{word}");
        }
        let nameless = || Candidates {
            list: vec![Candidate::at(0), Candidate::at(1)],
            ..Candidates::named::<&str>("thing", Path::named("things"), &NOT_FOUND, [])
        };
        let one = |word: &str| -> Result<usize, EditError> {
            nameless().one(&Selector::new(word), &mut Report::default())
        };
        let code = |word: &str| one(word).map_err(|error| error.cause.code.name);
        assert_eq!((code("1"), code("#1")), (Ok(1), Ok(1)));
        assert_eq!(
            (code("7"), code("name"), code("all")),
            (Err(NOT_FOUND.name), Err(NO_NAMES.name), Err(NOT_ONE.name))
        );
    }

    #[cfg(feature = "mdx")]
    #[test]
    fn own_numbers_pairs_and_paths_count_where_there_are_any() {
        let list = vec![
            Candidate::at(0).named("Root").numbered(7).with_path("BONE[0]".to_owned()),
            Candidate::at(1).named("Arm").numbered(0).paired(Some((4, 1))),
            Candidate::of_path("MTLS[0]".to_owned()),
        ];
        let all = Candidates { kind: "thing", place: Path::named("things"), missing: &NOT_FOUND, list };
        let place = |word: &str| all.called(word);
        assert_eq!(
            (place("7"), place("0"), place("4.1"), place("04.01")),
            (vec![0], vec![1], vec![1], vec![1])
        );
        assert_eq!((place("bone[0]"), place("MTLS[0]")), (vec![0], vec![2]));
        assert_eq!((place("1"), place("4.2")), (vec![], vec![]));
    }
}
