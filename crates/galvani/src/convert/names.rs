//! Names on the way back: files without those that a scene says, and the files again with what things are called now.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use galvani_core::Exhausted;
use galvani_core::text::piece::{is_plain, replaced};
use galvani_scene::origin::{NameRoom, digest, names};
use galvani_scene::{NameOrigin, Named, Scene};
use serde::{Deserialize, Serialize};

use super::part::Tables;

/// Where a name was taken out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KeptName(
    /// Whether it is a clip's, and its number or the node's.
    bool,
    usize,
    /// Where it begins, and bytes of it.
    usize,
    usize,
    /// Bytes of its room; 0 in a text, 1 where the format has to rename it.
    usize,
    /// Whether its bytes are no UTF-8, and a digest of it.
    bool,
    u32,
);

const TEXT: usize = 0;
const COUNTED: usize = 1;

/// What stands in the place of a name until its format renames it.
const STAND_IN: u8 = b'_';

impl KeptName {
    pub(super) fn named(&self) -> Named {
        if self.0 { Named::Clip(self.1) } else { Named::Node(self.1) }
    }

    fn place(&self) -> Range<usize> {
        self.2..self.2.saturating_add(self.3)
    }
}

/// Takes the names of a scene out of its files.
pub(super) fn taken_out(
    file: &mut [u8],
    scene: &Scene,
    origins: &[NameOrigin],
    tables: &Tables,
) -> Vec<KeptName> {
    let known = names(scene);
    let mut kept = Vec::new();
    for origin in origins {
        let table = tables.get(&(origin.file.to_lowercase(), origin.table));
        let Some((name, &(start, stride))) = known.get(&origin.of).zip(table) else { continue };
        let start = start.saturating_add(origin.row.saturating_mul(stride)).saturating_add(origin.field);
        let utf8 = name.as_bytes().to_vec();
        let forms = [Some(utf8), latin(name)].into_iter().flatten();
        let is_there = |bytes: &Vec<u8>| {
            let behind = file.get(start.saturating_add(bytes.len()));
            let is_whole = origin.room == NameRoom::Text || behind.is_none_or(|byte| *byte == 0);
            is_whole && file.get(start..).is_some_and(|file| file.starts_with(bytes))
        };
        let Some(bytes) = forms.into_iter().find(is_there).filter(|bytes| !bytes.is_empty()) else {
            continue;
        };
        let (is_clip, number) = match origin.of {
            Named::Clip(number) => (true, number),
            Named::Node(number) => (false, number),
        };
        let room = match origin.room {
            NameRoom::Field(room) => room,
            NameRoom::Text => TEXT,
            NameRoom::Counted => COUNTED,
        };
        let is_latin = bytes != name.as_bytes();
        kept.push(KeptName(is_clip, number, start, bytes.len(), room, is_latin, seal(name)));
    }
    for name in &kept {
        file.get_mut(name.place()).unwrap_or_default().fill(0);
    }
    kept
}

/// What became of the names of a scene in its files.
#[derive(Debug, Default)]
pub(super) struct Renamed {
    /// Names of other lengths that have to be put into texts, in order.
    pub(super) texts: Vec<(Range<usize>, Vec<u8>)>,
    /// What the format has to rename.
    pub(super) counted: Vec<(Named, Vec<u8>)>,
    /// Names that their files cannot hold, and what stands there instead.
    pub(super) fitted: BTreeMap<Named, (String, Vec<u8>)>,
}

/// Puts names back where they were taken out. What they were is nobody's to know once they are others, so that of a name that
/// does not fit as much is taken as fits. In texts nothing is called as something else is, or by a word that means something else.
pub(super) fn put_back(file: &mut [u8], scene: &Scene, kept: &[KeptName], reserved: &[&str]) -> Renamed {
    let known: BTreeMap<Named, &str> = names(scene);
    let called = |of: Named| known.get(&of).copied().unwrap_or_default();
    let mut renamed = Renamed::default();
    let mut texts = Texts::new(kept, called, reserved);
    for name in kept {
        let &KeptName(.., len, room, is_latin, old) = name;
        let new = called(name.named());
        let bytes = encoded(new, is_latin);
        let place = file.get_mut(name.place()).unwrap_or_default();
        if seal(new) == old && bytes.len() == place.len() {
            place.copy_from_slice(&bytes);
            continue;
        }
        let given = match room {
            TEXT => texts.given(name.named(), &bytes),
            COUNTED => fitting(name.named(), &bytes, usize::MAX),
            room => fitting(name.named(), &bytes, room.saturating_sub(1)),
        };
        if given != bytes {
            renamed.fitted.insert(name.named(), (new.to_owned(), given.clone()));
        }
        place.fill(STAND_IN);
        match room {
            TEXT => renamed.texts.push((name.place(), given)),
            COUNTED => renamed.counted.push((name.named(), given)),
            _ => {
                let field = name.2..name.2.saturating_add(len.max(given.len()));
                let padded = given.into_iter().chain(std::iter::repeat(0));
                let field = file.get_mut(field).unwrap_or_default();
                field.iter_mut().zip(padded).for_each(|(to, byte)| *to = byte);
            }
        }
    }
    renamed.texts.sort_by_key(|(range, _)| range.start);
    renamed
}

/// The bytes of a name up to a zero, of so many at most and no half letter; where that is nothing, what glTF calls nameless things.
fn fitting(of: Named, bytes: &[u8], most: usize) -> Vec<u8> {
    let whole = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    let mut end = whole.len().min(most);
    let is_cut = |end: usize| whole.get(end).is_some_and(|next| next & 0xC0 == 0x80);
    while std::str::from_utf8(whole).is_ok() && is_cut(end) {
        end = end.saturating_sub(1);
    }
    match whole.get(..end).unwrap_or_default() {
        [] => nameless(of).bytes().take(most).collect(),
        name => name.to_vec(),
    }
}

fn nameless(of: Named) -> String {
    match of {
        Named::Node(number) => format!("node_{number}"),
        Named::Clip(number) => format!("clip_{number}"),
    }
}

/// Names in texts, where each is the name of one thing.
struct Texts {
    given: BTreeMap<Named, Vec<u8>>,
    /// In lower case.
    taken: BTreeSet<Vec<u8>>,
}

impl Texts {
    /// Names that stay as they are come before all others.
    fn new<'n>(kept: &[KeptName], called: impl Fn(Named) -> &'n str, reserved: &[&str]) -> Self {
        let is_text = |name: &&KeptName| name.4 == TEXT;
        let is_kept = |name: &&KeptName| seal(called(name.named())) == name.6;
        let all = kept.iter().filter(is_text).filter(is_kept);
        let given: BTreeMap<_, _> = all.map(|it| (it.named(), encoded(called(it.named()), it.5))).collect();
        let reserved = reserved.iter().map(|word| word.as_bytes().to_ascii_lowercase());
        let taken = given.values().map(|name| name.to_ascii_lowercase()).chain(reserved).collect();
        Texts { given, taken }
    }

    /// What something is called in a text: printable, no remark, and unlike all others.
    fn given(&mut self, of: Named, bytes: &[u8]) -> Vec<u8> {
        if let Some(given) = self.given.get(&of) {
            return given.clone();
        }
        let plain = |byte: &u8| if byte.is_ascii_graphic() || *byte == b' ' { *byte } else { b'_' };
        let mut name: Vec<u8> = fitting(of, bytes, usize::MAX).iter().map(plain).collect();
        if !is_plain(&name) || name.starts_with(b"#") || name.starts_with(b":") {
            name = [b"_", name.trim_ascii()].concat();
        }
        let mut free = name.clone();
        let mut number = 1_usize;
        while !self.taken.insert(free.to_ascii_lowercase()) {
            number = number.saturating_add(1);
            free = [name.as_slice(), format!("_{number}").as_bytes()].concat();
        }
        self.given.insert(of, free.clone());
        free
    }
}

/// Puts names of other lengths into texts that stand one behind the other; their lengths follow.
pub(super) fn spliced(
    bytes: Vec<u8>,
    texts: &[(Range<usize>, Vec<u8>)],
    files: &mut [(String, usize, String)],
) -> Result<Vec<u8>, Exhausted> {
    if texts.is_empty() {
        return Ok(bytes);
    }
    let mut end = 0_usize;
    for (_, len, _) in files {
        let own = end..end.saturating_add(*len);
        end = own.end;
        for (range, new) in texts.iter().filter(|(range, _)| own.contains(&range.start)) {
            *len = len.saturating_sub(range.len()).saturating_add(new.len());
        }
    }
    replaced(&bytes, texts)
}

/// A name as its file has it: in Latin-1 where it was, if it can be said in that.
fn encoded(name: &str, is_latin: bool) -> Vec<u8> {
    let bytes = if is_latin { latin(name) } else { None };
    bytes.unwrap_or_else(|| name.as_bytes().to_vec())
}

/// A name in Latin-1, if it can be said in that.
fn latin(name: &str) -> Option<Vec<u8>> {
    name.chars().map(|letter| u8::try_from(u32::from(letter)).ok()).collect()
}

fn seal(name: &str) -> u32 {
    digest(name.chars().map(u32::from)) >> 12
}
