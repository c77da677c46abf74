//! Archives of any number of files, and all of them copied by their names.

use galvani_ff7::lgp::{Archive, Document, Name, write};

/// Names as battles have them: four letters, the first two of a model.
pub(crate) fn name(i: usize) -> String {
    let letter = |n: usize| char::from(b"abcdefghijklmnopqrstuvwxyz"[n % 26]);
    let (model, part) = (i / 40, i % 40);
    [letter(model / 26), letter(model), letter(part / 26), letter(part)].iter().collect()
}

pub(crate) fn archive(entries: usize, payload: usize) -> Vec<u8> {
    let mut document = Document::default();
    for i in 0..entries {
        let bytes: Vec<u8> = (0..payload + i % 97).map(|byte| (byte * 31 + i).to_le_bytes()[0]).collect();
        document.add(Name::new(name(i).as_bytes()).unwrap(), &bytes).unwrap();
    }
    write(&document).unwrap()
}

/// Copies every file, found by its name, into a buffer.
pub(crate) fn extract(file: &[u8], names: &[String], buffer: &mut [u8]) -> usize {
    let archive = Archive::open(file).unwrap();
    let mut at = 0;
    for name in names {
        let bytes = archive.payload(archive.find(name.as_bytes()).unwrap()).unwrap();
        buffer[at..at + bytes.len()].copy_from_slice(bytes);
        at += bytes.len();
    }
    at
}
