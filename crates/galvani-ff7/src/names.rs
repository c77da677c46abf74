//! What the files of one battle model are called (docs/formats/ff7-skeleton.md#names).
//!
//! In battle.lgp a name has four letters: two for the model, two for what it holds. In magic.lgp it is a stem with an
//! extension.

use std::fmt;

/// A model by the names of its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BattleModelName {
    stem: String,
    style: Style,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    /// `rt` + `aa`.
    Battle,
    /// `name` + `.d`.
    Magic,
}

/// Most textures of a model.
pub const TEXTURES: usize = 10;

/// Most parts of a model that have names.
pub const PARTS: usize = 50;

/// Most weapons of a model.
pub const WEAPONS: usize = 16;

/// What a file of a model holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum File {
    /// The skeleton.
    Skeleton,
    /// A texture.
    Texture(usize),
    /// The part of a bone, or a piece of a location.
    Part(usize),
    /// A weapon.
    Weapon(usize),
    /// The animations.
    Pack,
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            File::Skeleton => f.write_str("the skeleton"),
            File::Texture(i) => write!(f, "texture {i}"),
            File::Part(i) => write!(f, "part {i}"),
            File::Weapon(i) => write!(f, "weapon {i}"),
            File::Pack => f.write_str("the pack"),
        }
    }
}

impl BattleModelName {
    /// The model that a file belongs to, and what the file holds; in any case of letters.
    pub fn from_file_name(name: &str) -> Option<(Self, File)> {
        let name = name.to_ascii_lowercase();
        if let Some((stem, extension)) = name.rsplit_once('.') {
            let model = BattleModelName { stem: stem.to_owned(), style: Style::Magic };
            return Some((model, magic_file(extension)?));
        }
        let letters: [u8; 4] = name.bytes().collect::<Vec<u8>>().try_into().ok()?;
        if !letters.iter().all(u8::is_ascii_lowercase) {
            return None;
        }
        let [first, second, third, fourth] = letters;
        let file = battle_file(third, fourth)?;
        let stem = String::from_utf8_lossy(&[first, second]).into_owned();
        Some((BattleModelName { stem, style: Style::Battle }, file))
    }

    /// What a file of it is called; `None` where there are no names left.
    pub fn name(&self, file: File) -> Option<String> {
        let end = match self.style {
            Style::Battle => battle_end(file)?,
            Style::Magic => magic_end(file)?,
        };
        Some(format!("{}{end}", self.stem))
    }
}

/// `am` is the first part; the letters count in base 26.
const FIRST_PART: usize = 12;

fn battle_file(third: u8, fourth: u8) -> Option<File> {
    let place = usize::from(third.wrapping_sub(b'a')).checked_mul(26)?;
    let place = place.checked_add(usize::from(fourth.wrapping_sub(b'a')))?;
    match (third, fourth) {
        (b'a', b'a') => Some(File::Skeleton),
        (b'a', b'c'..=b'l') => place.checked_sub(2).map(File::Texture),
        (b'c', b'k'..) => Some(File::Weapon(usize::from(fourth.wrapping_sub(b'k')))),
        (b'd', b'a') => Some(File::Pack),
        _ => place.checked_sub(FIRST_PART).filter(|&part| part < PARTS).map(File::Part),
    }
}

fn battle_end(file: File) -> Option<String> {
    let (first, index, most) = match file {
        File::Skeleton => (0, 0, 1),
        File::Texture(index) => (2, index, TEXTURES),
        File::Part(index) => (FIRST_PART, index, PARTS),
        File::Weapon(index) => (62, index, WEAPONS),
        File::Pack => (78, 0, 1),
    };
    let place = (index < most).then(|| index.saturating_add(first))?;
    let letter = |place: usize| u8::try_from(place).ok()?.checked_add(b'a').map(char::from);
    Some([letter(place / 26)?, letter(place % 26)?].into_iter().collect())
}

fn magic_file(extension: &str) -> Option<File> {
    let number = |prefix: char| {
        let digits = extension.strip_prefix(prefix).filter(|digits| digits.len() == 2)?;
        digits.parse().ok()
    };
    match extension {
        "d" => Some(File::Skeleton),
        "a00" => Some(File::Pack),
        _ => number('p').map(File::Part).or_else(|| number('t').map(File::Texture)),
    }
}

fn magic_end(file: File) -> Option<String> {
    match file {
        File::Skeleton => Some(".d".to_owned()),
        File::Pack => Some(".a00".to_owned()),
        File::Part(index @ 0..100) => Some(format!(".p{index:02}")),
        File::Texture(index @ 0..100) => Some(format!(".t{index:02}")),
        File::Part(_) | File::Texture(_) | File::Weapon(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_battle_model_come_and_go() {
        let names = [
            ("rtaa", File::Skeleton),
            ("rtac", File::Texture(0)),
            ("rtal", File::Texture(9)),
            ("rtam", File::Part(0)),
            ("rtaz", File::Part(13)),
            ("rtba", File::Part(14)),
            ("rtcj", File::Part(49)),
            ("rtck", File::Weapon(0)),
            ("rtcz", File::Weapon(15)),
            ("rtda", File::Pack),
        ];
        for (name, file) in names {
            let (model, found) = BattleModelName::from_file_name(&name.to_uppercase()).unwrap();
            assert_eq!(found, file, "{name}");
            assert_eq!(model.name(file).as_deref(), Some(name));
        }
        for name in ["rtab", "rtdb", "rt", "rtaaa", "r1aa", ""] {
            assert_eq!(BattleModelName::from_file_name(name), None, "{name}");
        }
    }

    #[test]
    fn there_are_only_so_many_names() {
        let (model, _) = BattleModelName::from_file_name("rtaa").unwrap();
        for file in [File::Texture(TEXTURES), File::Part(PARTS), File::Weapon(WEAPONS)] {
            assert_eq!(model.name(file), None);
        }
    }

    #[test]
    fn names_of_a_magic_model_come_and_go() {
        let names = [
            ("ifrit.d", File::Skeleton),
            ("ifrit.p07", File::Part(7)),
            ("ifrit.t00", File::Texture(0)),
            ("ifrit.a00", File::Pack),
        ];
        for (name, file) in names {
            let (model, found) = BattleModelName::from_file_name(name).unwrap();
            assert_eq!((found, model.name(file).as_deref()), (file, Some(name)));
        }
        assert_eq!(BattleModelName::from_file_name("ifrit.p7"), None);
        assert_eq!(BattleModelName::from_file_name("ifrit.txt"), None);
        assert_eq!(BattleModelName::from_file_name("ifrit.d").unwrap().0.name(File::Weapon(0)), None);
    }
}
