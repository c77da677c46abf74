//! An LGP archive as the game would hold one: a few files of invented text under names like those of battles.

use galvani_ff7::lgp::{Document, Name, write};

/// The files, in no order.
const FILES: &[(&str, &str)] = &[
    ("zzaa", "A skeleton would stand here: one bone, and it creaks.\n"),
    ("zzda", "An animation would stand here: it waits.\n"),
    ("readme.txt", "Everything here was written by galvani's own code.\n"),
    ("a.d", "A summoned thing, not in the mood.\n"),
];

/// The archive's bytes.
pub(super) fn archive() -> Vec<u8> {
    let mut notes = Document::default();
    for (name, text) in FILES {
        // The names are good and differ, so this is never refused.
        let _: Result<usize, _> =
            Name::new(name.as_bytes()).and_then(|name| notes.add(name, text.as_bytes()));
    }
    write(&notes).unwrap_or_default()
}
