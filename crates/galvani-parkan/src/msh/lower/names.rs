//! Names as the game has them: one byte a letter, short, and each once.

use std::collections::BTreeMap;

use galvani_core::{Path, Report, text};

use super::NAME;
use crate::nres::NAME_LEN;

/// The letters of code page 1251 from 0x80 to 0xBF; at 0x98 there is none. From 0xC0 on stands the Russian alphabet.
const LETTERS: [char; 64] = [
    'Ђ', 'Ѓ', '‚', 'ѓ', '„', '…', '†', '‡', '€', '‰', 'Љ', '‹', 'Њ', 'Ќ', 'Ћ', 'Џ', //
    'ђ', '‘', '’', '“', '”', '•', '–', '—', '\0', '™', 'љ', '›', 'њ', 'ќ', 'ћ', 'џ', //
    '\u{a0}', 'Ў', 'ў', 'Ј', '¤', 'Ґ', '¦', '§', 'Ё', '©', 'Є', '«', '¬', '\u{ad}', '®', 'Ї', //
    '°', '±', 'І', 'і', 'ґ', 'µ', '¶', '·', 'ё', '№', 'є', '»', 'ј', 'Ѕ', 'ѕ', 'ї',
];

/// What stands for a letter that the game has not.
const OTHER: u8 = b'_';

/// Which bytes a kind of name may have, and how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameKind {
    /// A node's.
    Node,
    /// A material's: a word of its table.
    Material,
    /// A texture's, without its ending.
    Texture,
}

impl NameKind {
    fn most(self) -> usize {
        match self {
            NameKind::Node => 31,
            NameKind::Material => NAME_LEN.saturating_sub(1),
            // Sixteen with the ending and the NUL.
            NameKind::Texture => 13,
        }
    }

    fn has(self, byte: u8) -> bool {
        match self {
            NameKind::Node => !byte.is_ascii_control(),
            NameKind::Material => !byte.is_ascii_control() && byte != b' ',
            // The first dot begins the ending.
            NameKind::Texture => !byte.is_ascii_control() && byte != b' ' && byte != b'.',
        }
    }
}

/// Names that are taken.
pub(super) struct Names {
    kind: NameKind,
    /// In small letters, each with the number that was last put behind it.
    taken: BTreeMap<String, usize>,
}

impl Names {
    pub(super) fn new(kind: NameKind) -> Self {
        Names { kind, taken: BTreeMap::new() }
    }

    /// A name for something, as near as can be to what it is called, or else to what it is.
    pub(super) fn take(&mut self, wanted: &str, instead: &str, path: Path, report: &mut Report) -> Vec<u8> {
        let (name, is_same) = self.fitting(if wanted.is_empty() { instead } else { wanted });
        let made = self.once(&name);
        if wanted.is_empty() || !is_same || made != name {
            let said = format!("`{wanted}` is now `{}`", text::shown(&made));
            report.push(NAME.at(path).saying(said));
        }
        made
    }

    /// The bytes of a name, and whether they are all of it.
    fn fitting(&self, wanted: &str) -> (Vec<u8>, bool) {
        let most = self.kind.most();
        let mut is_same = wanted.chars().count() <= most;
        let byte = |letter: char| {
            let found = encoded(letter).filter(|byte| self.kind.has(*byte));
            is_same &= found.is_some();
            found.unwrap_or(OTHER)
        };
        (wanted.chars().take(most).map(byte).collect(), is_same)
    }

    /// The name itself, or with a number if it is taken.
    fn once(&mut self, name: &[u8]) -> Vec<u8> {
        let key = |name: &[u8]| text::shown(name).to_lowercase();
        let mut made = name.to_vec();
        while self.taken.contains_key(&key(&made)) {
            let number = self.taken.entry(key(name)).or_insert(1);
            *number = number.saturating_add(1);
            let tail = format!("_{number}");
            let room = self.kind.most().saturating_sub(tail.len());
            made = [name.get(..room).unwrap_or(name), tail.as_bytes()].concat();
        }
        self.taken.insert(key(&made), 1);
        made
    }
}

/// A letter in code page 1251. What that has not but Latin-1 has is the byte that is shown as it.
fn encoded(letter: char) -> Option<u8> {
    let number = u32::from(letter);
    if letter.is_ascii() {
        return u8::try_from(number).ok();
    }
    if let Some(place) = LETTERS.iter().position(|known| *known == letter) {
        return u8::try_from(place.saturating_add(0x80)).ok();
    }
    // А is 0xC0, я is 0xFF.
    let russian = number.checked_sub(u32::from('А')).filter(|place| *place < 0x40);
    u8::try_from(russian.map_or(number, |place| place.saturating_add(0xC0))).ok()
}

/// A text without a limit.
pub(super) fn bytes(text: &str) -> Vec<u8> {
    text.chars().map(|letter| encoded(letter).filter(|byte| *byte != 0).unwrap_or(OTHER)).collect()
}

/// What every stream of a model is called: at least a letter, without what no name has.
pub(super) fn archive_name(stem: &str) -> Vec<u8> {
    let (name, _) = Names::new(NameKind::Material).fitting(stem);
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_those_of_the_code_page() {
        let found: Vec<u8> = "Aя ЁёАЉ№é".chars().filter_map(encoded).collect();
        assert_eq!(found, [b'A', 0xff, b' ', 0xa8, 0xb8, 0xc0, 0x8a, 0xb9, 0xe9]);
        assert_eq!(encoded('漢'), None);
        // What is shown of a byte leads back to a byte.
        for byte in 0x80..=0xff_u8 {
            assert!(encoded(char::from(byte)).is_some());
        }
    }

    #[test]
    fn names_are_cut_and_told_apart_in_any_case_of_letters() {
        let (mut names, mut report) = (Names::new(NameKind::Texture), Report::default());
        let mut take = |name: &str| {
            let made = names.take(name, "image_7", Path::root(), &mut report);
            text::shown(&made).into_owned()
        };
        assert_eq!(take("wall"), "wall");
        assert_eq!(take("WALL"), "WALL_2");
        assert_eq!(take("wall"), "wall_3");
        assert_eq!(take("wall_2"), "wall_2_2");
        assert_eq!(take(""), "image_7");
        assert_eq!(take("a b.c\n"), "a_b_c_");
        assert_eq!(take("0123456789abcdef"), "0123456789abc");
        assert_eq!(take("0123456789abcdeg"), "0123456789a_2");
        assert_eq!(report.tally(galvani_core::Severity::Note), 7);
    }
}
