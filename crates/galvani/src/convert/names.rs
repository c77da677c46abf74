//! Names on the way back: files without those that a scene says, and the files again with what things are called now.

use std::collections::BTreeMap;
use std::ops::Range;

use galvani_core::Exhausted;
use galvani_core::text::piece::replaced;
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
    pub(super) fn of(&self) -> Named {
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
    /// Whose names do not go back.
    pub(super) lost: Vec<Named>,
}

/// Puts names back where they were taken out.
pub(super) fn put_back(file: &mut [u8], scene: &Scene, kept: &[KeptName]) -> Renamed {
    let known: BTreeMap<Named, &str> = names(scene);
    let mut renamed = Renamed::default();
    for name in kept {
        let &KeptName(.., len, room, is_latin, old) = name;
        let new = known.get(&name.of()).copied().unwrap_or_default();
        let bytes = if is_latin { latin(new) } else { None }.unwrap_or_else(|| new.as_bytes().to_vec());
        let place = file.get_mut(name.place()).unwrap_or_default();
        if seal(new) == old && bytes.len() == place.len() {
            place.copy_from_slice(&bytes);
            continue;
        }
        place.fill(STAND_IN);
        match room {
            _ if bytes.is_empty() || bytes.contains(&0) => renamed.lost.push(name.of()),
            TEXT => renamed.texts.push((name.place(), bytes)),
            COUNTED => renamed.counted.push((name.of(), bytes)),
            room if bytes.len() < room => {
                let field = name.2..name.2.saturating_add(len.max(bytes.len()));
                let field = file.get_mut(field).unwrap_or_default();
                let padded = bytes.into_iter().chain(std::iter::repeat(0));
                field.iter_mut().zip(padded).for_each(|(to, byte)| *to = byte);
            }
            _ => renamed.lost.push(name.of()),
        }
    }
    renamed.texts.sort_by_key(|(range, _)| range.start);
    renamed
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

/// A name in Latin-1, if it can be said in that.
fn latin(name: &str) -> Option<Vec<u8>> {
    name.chars().map(|letter| u8::try_from(u32::from(letter)).ok()).collect()
}

fn seal(name: &str) -> u32 {
    digest(name.chars().map(u32::from))
}
