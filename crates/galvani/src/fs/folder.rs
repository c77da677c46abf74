//! Unpacked documents and extracted members on disk.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path as FilePath, PathBuf};

use galvani_core::{Diagnostic, Limits, Path};
use serde_json::Value;

use super::{OpenError, read, write_atomic};
use crate::codes;
use crate::formats::Folder;

/// The file that names everything in an unpacked folder.
const MANIFEST: &str = "manifest.json";

/// Why a folder could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The disk said no.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// What is there makes no sense.
    #[error("{0}")]
    Wrong(Box<Diagnostic>),
}

/// Writes an unpacked document, the manifest last. Files of an earlier one that are no longer wanted stay.
pub fn write_folder(folder: &Folder, to: &FilePath) -> Result<(), FolderError> {
    for (name, bytes) in &folder.files {
        write_inside(to, name, bytes)?;
    }
    let manifest = serde_json::to_string_pretty(&folder.manifest).unwrap_or_default() + "\n";
    write_inside(to, MANIFEST, manifest.as_bytes()).map(drop)
}

/// Whether a folder is there and holds anything.
pub fn is_occupied(folder: &FilePath) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
}

/// Reads an unpacked document.
pub fn read_folder(from: &FilePath, limits: &Limits) -> Result<Folder, FolderError> {
    let lost = |error: OpenError| FolderError::Wrong(error.cause);
    let text = read(&from.join(MANIFEST), limits).map_err(lost)?;
    let manifest = serde_json::from_slice(&text).map_err(|error| {
        let found = codes::MANIFEST.at(Path::of("manifest")).saying(format!("{MANIFEST}: {error}"));
        FolderError::Wrong(Box::new(found))
    })?;
    let mut folder = Folder { manifest, files: BTreeMap::new() };
    let mut names = BTreeSet::new();
    texts(&folder.manifest, &mut names);
    for name in names {
        let path = inside(from, &name);
        if let Some(path) = path.filter(|path| path.is_file()) {
            folder.files.insert(name, read(&path, limits).map_err(lost)?);
        }
    }
    Ok(folder)
}

/// Every text in a manifest: some of them name files.
fn texts(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => drop(found.insert(text.clone())),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(parts) => parts.values().for_each(|part| texts(part, found)),
        _ => {}
    }
}

/// A relative path with `/` below a folder; `None` if it would leave it.
fn inside(folder: &FilePath, name: &str) -> Option<PathBuf> {
    let plain =
        |part: &&str| !part.is_empty() && *part != "." && *part != ".." && !part.contains(['\\', ':']);
    let parts: Vec<&str> = name.split('/').collect();
    parts.iter().all(plain).then(|| parts.iter().fold(folder.to_path_buf(), |path, part| path.join(part)))
}

/// Writes members of archives into one folder, never outside it and no two over each other.
#[derive(Debug)]
pub struct Extraction {
    to: PathBuf,
    /// Names in lower case, because some file systems know no other.
    taken: BTreeSet<String>,
}

impl Extraction {
    /// Into that folder.
    pub fn new(to: &FilePath) -> Self {
        Extraction { to: to.to_path_buf(), taken: BTreeSet::new() }
    }

    /// Writes one member under its name, or as close to it as is safe and free. Returns where it went.
    pub fn put(&mut self, name: &str, bytes: &[u8]) -> Result<PathBuf, FolderError> {
        let safe = safe_name(name);
        let first = if safe.is_empty() { "_".to_owned() } else { safe };
        let free = |name: &String| !self.taken.contains(&name.to_lowercase());
        let numbered = (2..).map(|number: u32| format!("{first}~{number}"));
        let name = std::iter::once(first.clone()).chain(numbered).find(free).unwrap_or(first);
        self.taken.insert(name.to_lowercase());
        write_inside(&self.to, &name, bytes)
    }
}

/// A member's name as one file name of every system: no folders, no devices, nothing hidden behind a dot.
pub fn safe_name(name: &str) -> String {
    let keep = |c: char| if c.is_control() || "/\\:*?\"<>|".contains(c) { '_' } else { c };
    let name: String = name.chars().map(keep).collect();
    let name = name.trim_end_matches(['.', ' ']);
    let stem = name.split('.').next().unwrap_or("").to_ascii_uppercase();
    let numbered =
        |device: &str| stem.strip_prefix(device).is_some_and(|n| matches!(n.as_bytes(), [b'1'..=b'9']));
    let device = ["CON", "PRN", "AUX", "NUL"].contains(&stem.as_str()) || numbered("COM") || numbered("LPT");
    if device || name.starts_with('.') { format!("_{name}") } else { name.to_owned() }
}

/// Writes a file into a folder, which is made if it is not there. `/` in the name makes folders inside it.
/// A link of that name may lead outside the folder: it gives way, and what it leads to stays.
pub fn write_inside(to: &FilePath, name: &str, bytes: &[u8]) -> Result<PathBuf, FolderError> {
    let path = name.split('/').fold(to.to_path_buf(), |path, part| path.join(part));
    let io = |error| FolderError::Io(path.clone(), error);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(io)?;
    }
    if fs::symlink_metadata(&path).is_ok_and(|old| old.is_symlink()) {
        fs::remove_file(&path).map_err(io)?;
    }
    write_atomic(&path, bytes).map_err(io)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::safe_name;

    #[test]
    fn no_name_leaves_the_folder_or_opens_a_device() {
        assert_eq!(safe_name("TANK.MSH"), "TANK.MSH");
        assert_eq!(safe_name("../../etc/passwd"), "_.._.._etc_passwd");
        assert_eq!(safe_name("..\\x"), "_.._x");
        assert_eq!(safe_name(".."), "");
        assert_eq!(safe_name("c:\\x"), "c__x");
        assert_eq!(safe_name("con.txt"), "_con.txt");
        assert_eq!(safe_name("COM1"), "_COM1");
        assert_eq!(safe_name("comb.tex"), "comb.tex");
        assert_eq!(safe_name(".hidden"), "_.hidden");
        assert_eq!(safe_name("танк"), "танк");
        assert_eq!(safe_name("a\nb"), "a_b");
    }
}
