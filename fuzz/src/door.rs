//! Any format of the registry under the fuzzer, through the one door.

use std::sync::LazyLock;

use galvani::Scrutiny;
use galvani::formats::{self, Format, OpenOptions, Site};

#[path = "../../crates/galvani/tests/common/laws.rs"]
mod laws;

/// The format that the environment names.
static FORMAT: LazyLock<&'static dyn Format> = LazyLock::new(|| {
    let id = std::env::var("GALVANI_FORMAT").unwrap_or_else(|_| "nres".to_owned());
    formats::by_id(&id).unwrap_or_else(|| panic!("{id} is no format"))
});

/// Reads, writes, packs, checks, outlines, dumps, poses, lifts, draws, picks and shows; strictly too.
pub fn read(data: &[u8]) {
    laws::strict_agrees(*FORMAT, data);
    laws::answers(*FORMAT, data);
}

/// Edits that the first bytes pick.
pub fn edit(data: &[u8]) {
    let Some((count, rest)) = data.split_first() else { return };
    let (dice, file) = rest.split_at(usize::from(*count).min(rest.len()));
    laws::edits(*FORMAT, file, dice.iter().copied());
}

/// Two documents compared: the second is the first with some of its bytes changed.
pub fn diff(data: &[u8]) {
    let Some((count, rest)) = data.split_first() else { return };
    let (changes, file) = rest.split_at(usize::from(*count).min(rest.len()));
    let mut other = file.to_vec();
    for change in changes.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]]));
        if let Some(byte) = other.get_mut(at) {
            *byte = change[2];
        }
    }
    let options = OpenOptions::default();
    if let (Ok(a), Ok(b)) = (FORMAT.open(file, &options), FORMAT.open(&other, &options)) {
        laws::compares(&a, &b);
    }
}

/// The file and everything in it, as archives hold it.
pub fn nested(data: &[u8]) {
    let options = OpenOptions::default();
    let rows = galvani::nested::check("file", &Site::NOWHERE, *FORMAT, data, &options, Scrutiny::Pedantic);
    assert!(!rows.is_empty());
    if let Ok(opened) = FORMAT.open(data, &options) {
        let _ = galvani::contents::outline(&opened, &options, &Site::NOWHERE);
    }
}
